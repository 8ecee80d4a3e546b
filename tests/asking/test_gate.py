"""`gate` as one types it: chances recorded, moved by a change of the rules, accepted, stale."""

import json
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator

from brawl import FIGHTS, Rules, chances, laid_down
from closecombat.asking.gate import TOGETHER
from closecombat.cli.main import main

SCHEMA = Path(__file__).parents[2] / "schemas" / "gate.schema.json"


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(laid_down(tmp_path))
    assert run("gate . --record --jobs 1").exit_code == 0
    return tmp_path


def run(line: str, *more: str) -> Result:
    return CliRunner().invoke(main, [*line.split(), *more])


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), "utf-8")


def verdicts(rules: Rules, fight: str) -> dict[str, Fraction]:
    found = chances(rules, *FIGHTS[fight]).items()
    return {f"{whom}: {word}": chance for (whom, word), chance in found if word not in ("down", "dazed")}


def test_what_is_recorded_is_exact(game: Path) -> None:
    found = json.loads((game / "gate.json").read_text("utf-8"))
    assert found["bound"] == "1/100" and [one["fight"] for one in found["fights"]] == list(FIGHTS)
    for one in found["fights"]:
        told = {
            name: Fraction(text)
            for name, text in one["chances"].items()
            if ": lost" not in name and not name.startswith(TOGETHER)
        }
        assert {
            name: chance for name, chance in told.items() if name.split(": ")[1] not in ("down", "dazed")
        } == verdicts(Rules(), one["fight"])
        assert Fraction(one["chances"].get("a: lost 4", 0)) == told.get("a: destroyed", 0)
        by_itself = verdicts(Rules(), one["fight"])  # what becomes of one hangs on the throw of the other alone
        a, b = ({name: chance for name, chance in by_itself.items() if name.startswith(whom)} for whom in "ab")
        ends = (
            {TOGETHER + f"{x}, {y}": p * q for x, p in a.items() for y, q in b.items()} if len(a) * len(b) > 1 else {}
        )
        assert {n: Fraction(text) for n, text in one["chances"].items() if n.startswith(TOGETHER)} == ends


def test_what_has_not_moved_passes(game: Path) -> None:
    found = run("gate . --jobs 1")
    assert found.exit_code == 0 and "no chance of how a side ends has moved by more than 1 point" in found.stderr


def test_what_has_moved_is_told_and_can_be_accepted(game: Path) -> None:
    change(game / "ruleset.yaml", "side: drunk, add: -2", "side: drunk, add: -1")
    found = run("gate . --jobs 1")
    assert found.exit_code == 1 and "b: destroyed" in found.stdout and '--accept "WHY"' in found.stderr
    told = json.loads(run("gate . --jobs 1 -f json").stdout)
    assert not list(Draft202012Validator(json.loads(SCHEMA.read_text("utf-8"))).iter_errors(told))
    was, now = verdicts(Rules(), "drunk"), verdicts(Rules(drunk=-1), "drunk")
    moved = {key for key in was | now if was.get(key, 0) != now.get(key, 0)}
    assert {one["outcome"] for one in told["not_passing"] if ": lost" not in one["outcome"]} == moved
    assert run("gate . --jobs 1 --accept", "drunkards fight on").exit_code == 0
    assert run("gate . --jobs 1").exit_code == 0
    accepted = json.loads((game / "gate.json").read_text("utf-8"))["accepted"]
    assert {(one["outcome"], one["old"], one["new"]) for one in accepted if one["outcome"] == "b: destroyed"} == {
        ("b: destroyed", "0", "1/6")
    }
    change(game / "gate.json", '"b: destroyed": "1/6"', '"b: destroyed": "1/7"')
    found = run("gate . --jobs 1")
    assert found.exit_code == 1 and "what was accepted is 1/6" in found.stdout


def test_small_steps_are_held_against_the_first(game: Path) -> None:
    assert run("gate . --record --bound 20% --jobs 1").exit_code == 0
    change(game / "ruleset.yaml", "side: drunk, add: -2", "side: drunk, add: -1")  # by a sixth
    assert run("gate . --jobs 1").exit_code == 0
    change(game / "ruleset.yaml", "side: drunk, add: -1", "side: drunk, add: 0")  # by another
    assert run("gate . --jobs 1").exit_code == 1


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("{drunk: yes}", "{drunk: yes, tired: yes}", "told otherwise"),
        ("example: drunk,", "example: sober,", "no such fight any more"),
    ],
)
def test_a_fight_that_is_another_does_not_pass(game: Path, old: str, new: str, says: str) -> None:
    change(game / "examples/all.yaml", old, new)
    found = run("gate . --jobs 1")
    assert found.exit_code == 1 and says in found.stdout


def test_a_fight_that_fails_does_not_pass(game: Path) -> None:
    change(game / "ruleset.yaml", "    otherwise: standing\n", "")
    found = run("gate . --jobs 1")
    assert found.exit_code == 1 and "applies" in found.stdout


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("gate v/gone.yaml", "--record"),
        ("gate . --record --accept x", "give one of the two"),
        ("gate . --bound 1%", "go with --record"),
        ("gate . --record --bound many", "is no share"),
        ("gate . --file ruleset.yaml", "no record of chances"),
    ],
)
def test_what_cannot_be_done_says_so(game: Path, line: str, says: str) -> None:
    found = run(f"{line} --jobs 1")
    assert found.exit_code == 2 and says in found.stderr


def test_a_variant_has_a_record_of_its_own(game: Path) -> None:
    assert run("gate v/gone.yaml --record --jobs 1 --fights examples/all.yaml").exit_code == 0
    assert (game / "v/gone.gate.json").is_file() and run("gate v/gone.yaml --jobs 1").exit_code == 0
    assert run("check . v").exit_code == 0
