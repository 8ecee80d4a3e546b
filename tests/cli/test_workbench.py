"""The command that makes the folder, and what it says where it cannot."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

from closecombat.cli.desk import answer
from closecombat.cli.fetching import gathered
from closecombat.cli.main import main
from closecombat.cli.workbench import first_page, first_questions
from closecombat.reading.stack import shipped
from closecombat.telling.workbench_folder import Part
from closecombat.text.cache import WHERE
from closecombat.text.faults import Faulty

ROOT = Path(__file__).parents[2]
SCHEMA = Draft202012Validator(json.loads((ROOT / "schemas" / "workbench.schema.json").read_text("utf-8")))


def run(*line: str) -> Any:
    return CliRunner().invoke(main, ["workbench", *line])


def part(folder: Path, name: str, data: bytes) -> Part:
    """A part that a server of files would give."""
    (folder / name).write_bytes(data)
    return Part(name, "1", "MIT", "editor", (folder / name).as_uri(), name, sha256(data).hexdigest(), len(data), {}, "")


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(WHERE, str(tmp_path / "cache"))
    (tmp_path / "served").mkdir()
    return tmp_path / "served"


def nobody(said: str) -> None:
    pass


def test_the_parts_are_listed() -> None:
    said = run("--list")
    assert said.exit_code == 0 and "MPL-2.0" in said.output
    found = json.loads(run("--list", "-f", "json").output)
    SCHEMA.validate(found)
    assert len(found["parts"]) > 20


def test_a_part_is_fetched_once(served: Path) -> None:
    parts = (part(served, "one", b"1" * 600_000), part(served, "two", b"2"))
    told: list[str] = []
    assert gathered(parts, None, told.append) == {"one": b"1" * 600_000, "two": b"2"}
    assert told[-1] == "fetching two 1, 100%" and len(told) > 3
    for each in ("one", "two"):
        (served / each).unlink()
    assert gathered(parts, None, nobody)["two"] == b"2"


def test_what_is_kept_and_has_gone_wrong_is_fetched_again(served: Path) -> None:
    one = part(served, "one", b"1")
    gathered((one,), None, nobody)
    kept = served.parent / "cache" / "parts" / "one"
    kept.write_bytes(b"something else")
    assert gathered((one,), None, nobody) == {"one": b"1"} and kept.read_bytes() == b"1"


@pytest.mark.parametrize("data", [b"another", b"", b"1" * 1_000_000])
def test_another_in_its_place_is_refused(served: Path, data: bytes) -> None:
    one = part(served, "one", b"1")
    (served / "one").write_bytes(data)
    with pytest.raises(Faulty, match="its hash is another"):
        gathered((one,), None, nobody)
    assert not (served.parent / "cache" / "parts").exists()


def test_without_a_network_it_says_what_to_do(served: Path) -> None:
    one = part(served, "one", b"1")
    (served / "one").unlink()
    with pytest.raises(Faulty) as why:
        gathered((one,), None, nobody)
    (said,) = why.value.diagnostics
    assert said.code == "cannot-read" and "--parts" in said.help and "--list" in said.help


def test_parts_of_a_folder_are_all_there_is(served: Path) -> None:
    one, two = part(served, "one", b"1"), part(served, "two", b"2")
    assert gathered((one, two), served, nobody) == {"one": b"1", "two": b"2"}
    (served / "two").unlink()
    with pytest.raises(Faulty, match="1 parts are not in"):
        gathered((one, two), served, nobody)
    (served / "one").write_bytes(b"x")
    with pytest.raises(Faulty, match="`one` is not what it should be"):
        gathered((one,), served, nobody)


def test_without_a_cache_nothing_is_kept(served: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(WHERE, "no")
    assert gathered((part(served, "one", b"1"),), None, nobody) == {"one": b"1"}
    assert not (served.parent / "cache").exists()


@pytest.fixture
def few(served: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is fetched, and the page begins with nothing."""
    monkeypatch.setattr("closecombat.telling.workbench_folder.listed_parts", lambda: ())
    monkeypatch.setattr("closecombat.cli.workbench.tried", lambda site, questions: (site, []))
    monkeypatch.setattr("closecombat.cli.workbench.first_questions", list)
    monkeypatch.setattr("closecombat.cli.workbench.first_page", lambda said: {"first": "nothing"})


def test_a_folder_is_made_and_made_anew(few: None, tmp_path: Path) -> None:
    made = run(str(tmp_path / "bench"), "-f", "json")
    found = json.loads(made.stdout)
    SCHEMA.validate(found)
    sizes = {one.name: one.stat().st_size for one in (tmp_path / "bench").iterdir()}
    assert sizes == {one["file"]: one["bytes"] for one in found["files"]} and len(sizes) == 4
    before = {one.name: one.read_bytes() for one in (tmp_path / "bench").iterdir()}
    again = run(str(tmp_path / "bench"))
    assert again.exit_code == 0 and again.stdout == f"{(tmp_path / 'bench').as_posix()}/index.html\n"
    assert {one.name: one.read_bytes() for one in (tmp_path / "bench").iterdir()} == before


def test_the_page_holds_the_answers_of_the_commands(tmp_path: Path) -> None:
    first = first_page([json.loads(answer(json.dumps(one), tmp_path, nobody)) for one in first_questions()])
    line = ["chances", "squad-in-a-building", "-r", "squad-leader", "--by", "sides", "-f", "json"]
    said, odds, before = json.loads(CliRunner().invoke(main, line).stdout), *map(first["answer"].get, ("odds", "before"))
    assert before["is"]["verdicts"] == said["verdicts"] and before["is"]["losses"] == said["losses"]
    assert odds["is"]["verdicts"] != said["verdicts"]
    there = {one["name"]: one for one in first["rulesets"]}
    assert set(there) == set(first["opening"]) == set(first["forms"]) == set(shipped())
    assert "attack.yaml" in there["squad-leader"]["files"]
    assert "lower-kill-numbers" in [one["name"] for one in there["squad-leader"]["variants"]]
    assert "tank-with-escort" not in [one["name"] for one in there["skirmish"]["starts"]]  # it has no such fight
    assert "sl-broken-target" in dict(there["squad-leader"]["examples"])["sl-broken-target"]


def test_what_is_no_workbench_stays_as_it_is(few: None, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "index.html").write_text("my page")
    said = run(str(tmp_path / "mine"))
    assert said.exit_code == 2 and "nothing is overwritten" in said.stderr
    assert (tmp_path / "mine" / "index.html").read_text() == "my page"
    (tmp_path / "file").write_text("x")
    assert run(str(tmp_path / "file")).exit_code == 2 and run().exit_code == 2 and run("x", "--list").exit_code == 2


def test_a_folder_that_is_broken_off_is_none(few: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else what lies there is no workbench, and the same command would not go on with it."""
    kept: list[str] = []

    def keep(file: str, text: str) -> None:
        if kept:
            raise KeyboardInterrupt
        kept.append(file)
        Path(file).write_text(text)

    monkeypatch.setattr("closecombat.cli.workbench.keep", keep)
    assert run(str(tmp_path / "bench")).exit_code == 130
    assert kept and not (tmp_path / "bench").exists()
