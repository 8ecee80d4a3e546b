"""The cache: what it holds is what was kept or nothing, whatever happens to its files; an answer never depends on it."""

import os
import subprocess
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from click.testing import CliRunner

from closecombat.binding.load import load
from closecombat.cli.main import main
from closecombat.text import cache
from closecombat.text.cache import WHERE, keep, key_for, recalled
from closecombat.text.faults import Faulty

RULES = """
ruleset: small
language: 1
start: combat
rounds: {until: yes}
kinds:
  fight: {one: yes, given: {attacker: a side}}
  side: {given: {strength: 1 to 9}, noted: {lost: 0 to 9}}
dice: {throw: 2d6}
sequences:
  combat:
    in-order:
      lose: {do: add NUMBER to lost of attacker}
"""
FIGHT = "situation: {fight: {attacker: red}, sides: {red: {strength: 3}}}\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(WHERE, str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    file = tmp_path / "small.yaml"
    file.write_text(RULES.replace("NUMBER", "2"))
    (tmp_path / "fight.yaml").write_text(FIGHT)
    return file


def files(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.is_dir() else []


def run(*words: str) -> str:
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    return done.output


def answer(rules: Path, *more: str) -> str:
    return run(*asked(rules), *more)


def asked(rules: Path) -> tuple[str, ...]:
    """A question whose answer is not itself kept."""
    return "chances", str(rules.with_name("fight.yaml")), "-r", str(rules), "--of", "lost of red"


def test_what_was_kept_is_recalled(folder: Path) -> None:
    assert recalled(key_for("a", ["b"])) is None
    keep(key_for("a", ["b"]), "kept ünd read")
    assert recalled(key_for("a", ["b"])) == "kept ünd read"
    assert [file.suffix for file in files(folder)] == [".json"]


def test_other_texts_have_another_key() -> None:
    keys = [
        key_for(*one)
        for one in (("a", ["b"]), ("a", ["b", ""]), ("a", ["", "b"]), ("ab", []), ("", ["a", "b"]), ("a", ["\ud800"]))
    ]
    assert len(set(keys)) == len(keys)


def test_another_program_has_another_key(monkeypatch: pytest.MonkeyPatch) -> None:
    before = key_for("a", ["b"])
    monkeypatch.setattr(cache, "_program", lambda: "another")
    assert key_for("a", ["b"]) != before


@pytest.mark.parametrize(
    "data", [b"", b"\n", b"nonsense", b"0\nkept", sha256(b"\xff").hexdigest().encode() + b"\n\xff"]
)
def test_what_does_not_fit_its_hash_is_not_there(folder: Path, data: bytes) -> None:
    keep(key_for("a", ["b"]), "kept")
    (file,) = files(folder)
    file.write_bytes(data)
    assert recalled(key_for("a", ["b"])) is None
    keep(key_for("a", ["b"]), "kept")
    assert recalled(key_for("a", ["b"])) == "kept"


def test_what_was_asked_for_longest_ago_makes_room(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MOST_BYTES", 1_000)
    for number in range(4):
        keep(key_for("one", [str(number)]), "x" * 150)  # with its hash 215 bytes
        for file in files(folder):
            os.utime(file, (file.stat().st_atime, file.stat().st_mtime - 10))
    assert recalled(key_for("one", ["0"])) is not None  # asked for: now the youngest
    keep(key_for("one", ["more"]), "y" * 150)
    kept = [number for number in ("0", "1", "2", "3", "more") if recalled(key_for("one", [number])) is not None]
    assert kept == ["0", "more"]  # 1,010 bytes are more than 1,000; without three of the old ones 365 are at most 500
    keep(key_for("one", ["too much"]), "z" * 2_000)
    assert recalled(key_for("one", ["too much"])) is None


def test_where_nothing_can_be_written_nothing_is_kept(folder: Path, rules: Path) -> None:
    folder.write_text("a file where the folder should be")
    keep(key_for("a", ["b"]), "kept")
    assert recalled(key_for("a", ["b"])) is None
    assert answer(rules) == answer(rules, "--no-cache")


def test_an_answer_from_the_cache_is_the_same(folder: Path, rules: Path) -> None:
    first, second, without = answer(rules), answer(rules), answer(rules, "--no-cache")
    assert first == second == without
    assert files(folder)


def test_no_cache_keeps_nothing_and_reads_nothing(folder: Path, rules: Path) -> None:
    answer(rules, "--no-cache")
    assert files(folder) == []
    assert os.environ[WHERE] == str(folder)


def spoiled(file: Path) -> Iterator[bytes]:
    data = file.read_bytes()
    yield data[: len(data) // 2]
    for body in (b"{}", b'{"makers": [], "plain": ["small"], "made": [], "root": 0}', data.partition(b"\n")[2][:-1]):
        yield sha256(body).hexdigest().encode() + b"\n" + body


def test_a_spoilt_cache_is_read_anew(folder: Path, rules: Path) -> None:
    wanted = answer(rules)
    for file in files(folder):
        kept = file.read_bytes()
        for data in spoiled(file):
            file.write_bytes(data)
            assert answer(rules) == wanted
        assert file.read_bytes() == kept  # and written anew


def test_another_text_is_another_ruleset(rules: Path) -> None:
    before = load(str(rules)).ruleset
    rules.write_text(RULES.replace("NUMBER", "3"))
    after = load(str(rules)).ruleset
    assert before != after
    assert after.sequences["combat"].acts[0].where.place.source.text == rules.read_text()


def test_a_faulty_ruleset_is_not_kept(folder: Path, rules: Path) -> None:
    rules.write_text(RULES.replace("NUMBER", "2 or"))
    for _ in range(2):
        with pytest.raises(Faulty):
            load(str(rules))
    assert not any(b"model.Ruleset" in file.read_bytes() for file in files(folder))


def test_many_at_once(folder: Path, rules: Path) -> None:
    """Six processes that begin with an empty cache: each gives the answer, and what is left is whole."""
    words = [sys.executable, "-m", "closecombat", *asked(rules)]
    started = [subprocess.Popen(words, stdout=subprocess.PIPE, text=True) for _ in range(6)]
    assert {one.communicate()[0] for one in started} == {answer(rules, "--no-cache")}
    assert {file.suffix for file in files(folder)} == {".json"}
    for file in files(folder):
        assert recalled(file.stem) is not None


@pytest.mark.parametrize(
    "number", ["3", "1 + 2 * 2", "strength of attacker", "the lower of 4 and strength of attacker"]
)
def test_a_file_in_which_a_sentence_is_new_says_the_new_one(rules: Path, number: str) -> None:
    """Each command is a process of its own: the sentences of the file as it was are recalled, and one is read."""

    def told(*more: str) -> str:
        call = [sys.executable, "-m", "closecombat", "chances", "fight.yaml", "-r", rules.name, *more]
        return subprocess.run(call, capture_output=True, text=True, cwd=rules.parent, check=True).stdout

    before = told()
    rules.write_text(RULES.replace("NUMBER", number))
    assert before != told() == told("--no-cache")


def test_a_file_in_which_a_sentence_is_spoilt_says_so(rules: Path) -> None:
    answer(rules)
    rules.write_text(RULES.replace("NUMBER", "2 of"))
    done = CliRunner().invoke(main, ["check", str(rules)])
    assert done.exit_code == 1
    assert "sentence-syntax" in done.stderr + done.stdout
