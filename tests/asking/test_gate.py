"""`gate` as one types it: chances recorded, moved by a change of the rules, accepted, stale."""

import json
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator

from brawl import FIGHTS, Rules, chances, laid_down
from closecombat.asking.changes.gate import TOGETHER
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
        ends = {TOGETHER + f"{x}, {y}": p * q for x, p in a.items() for y, q in b.items()}
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
    outcomes = {one["outcome"] for one in told["not_passing"] if ": lost" not in one["outcome"]}
    assert {name for name in outcomes if not name.startswith(TOGETHER)} == moved
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


SHOTS = """\
ruleset: shots
title: Each side is hit by one throw
language: 1
start: go
kinds:
  fight: {one: yes, given: {attacker: a side}}
  side:
    given: {enemy: the other side, men: 0 to 6}
    rolled: {luck: d50}
tables:
  need: {about: side, first-of: {a: {side: attacker, is: 26}}, otherwise: 26}
sequences:
  go:
    in-order:
      r: {each: side, roll: luck}
      l: {each: side, luck of enemy of side: at least need of side, do: take 1 from men}
outcomes: {about: side, words: [ok, gone], first-of: {g: {men: 0, is: gone}}, otherwise: ok}
"""
ONE = "example: NAME\nsituation: {fight: {attacker: red}, sides: {red: {men: 1}, blue: {men: MEN}}}\ndice: [1, 1]\nexpect: {}\n"
OWN, ONE_DIE = "luck of enemy of side", "luck of attacker"


def shots(blue: int = 26, is_one_die: bool = False, is_red_many: bool = False) -> dict[str, Fraction]:
    """By all throws of d50."""
    found: dict[str, Fraction] = {}
    for mine, other in ((a, b) for a in range(1, 51) for b in range(1, 51)):
        red, theirs = mine if is_one_die else other, mine
        ends = {"blue": "gone" if theirs >= blue else "ok", "red": "gone" if red >= 26 and not is_red_many else "ok"}
        said = [f"{side}: {word}" for side, word in ends.items()]
        for name in (*said, TOGETHER + ", ".join(said)):
            found[name] = found.get(name, Fraction(0)) + Fraction(1, 2500)
    return found


def record() -> dict:
    return json.loads(Path("gate.json").read_text("utf-8"))


def lines(fight: str) -> dict[str, tuple[Fraction, Fraction]]:
    found = [one for one in record()["accepted"] if one["fight"] == fight and "outcome" in one]
    return {one["outcome"]: (Fraction(one["old"]), Fraction(one["new"])) for one in found}


def moves(was: dict[str, Fraction], now: dict[str, Fraction]) -> dict[str, tuple[Fraction, Fraction]]:
    both = {name: (was.get(name, Fraction(0)), now.get(name, Fraction(0))) for name in {*was, *now}}
    return {name: pair for name, pair in both.items() if abs(pair[1] - pair[0]) > Fraction(1, 100)}


@pytest.fixture
def range_(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").mkdir()
    (tmp_path / "ruleset.yaml").write_text(SHOTS, "utf-8")
    for name, men in (("e", "1"), ("f", "1")):
        text = ONE.replace("NAME", name).replace("MEN", men)
        (tmp_path / "examples" / f"{name}.yaml").write_text(text, "utf-8")
    assert run("gate . --record --jobs 1").exit_code == 0
    return tmp_path


def test_whatever_is_taken_over_has_a_line(range_: Path) -> None:
    """One die for both is told beside the two points by which blue is harder to hit, and an end that no longer comes is
    recorded as never coming; later both move again."""
    first, rules = shots(), range_ / "ruleset.yaml"
    change(rules, OWN, ONE_DIE)
    change(rules, "otherwise: 26", "otherwise: 27")
    then = shots(27, True)
    assert run("gate . --jobs 1 --accept", "blue needs 27").exit_code == 0
    assert lines("e") == moves(first, then)
    assert {name: Fraction(text) for name, text in record()["fights"][0]["chances"].items()} == {
        name: then.get(name, 0) for name in first
    }
    assert run("gate . --jobs 1").exit_code == 0
    change(rules, "otherwise: 27", "otherwise: 30")
    assert run("gate . --jobs 1 --accept", "blue needs 30").exit_code == 0
    assert lines("e") == {**moves(first, then), **moves(then, shots(30, True))}
    assert run("gate . --jobs 1").exit_code == 0


def test_a_fight_that_fails_is_let_pass_with_a_line(range_: Path) -> None:
    change(range_ / "examples/f.yaml", "men: 1}, blue", "men: 5}, blue")
    assert run("gate . --record --jobs 1").exit_code == 0
    change(range_ / "ruleset.yaml", "first-of: {a:", "first-of: {z: {men: 5, is: 6 / (men - 5)}, a:")
    assert run("gate . --jobs 1 --accept", "we shall see").exit_code == 0
    (one,) = record()["accepted"]
    assert (one["fight"], one["how"], one["why"]) == ("f", "fails", "we shall see") and "divides by 0" in one["message"]
    after = run("gate . --jobs 1")
    assert after.exit_code == 0 and "1 fight" in after.stderr and "1 that cannot be worked out" in after.stderr


def test_what_has_moved_in_a_fight_that_is_told_otherwise_has_its_lines(range_: Path) -> None:
    change(range_ / "examples/f.yaml", "red: {men: 1", "red: {men: 6")
    assert run("gate . --record --jobs 1").exit_code == 0
    change(range_ / "ruleset.yaml", "otherwise: 26", "otherwise: 46")
    change(range_ / "examples/f.yaml", "red: {men: 6", "red: {men: 5")
    found = run("gate . --jobs 1")
    assert found.exit_code == 1 and "f: the fight itself is told otherwise" in found.stdout
    assert run("gate . --jobs 1 --accept", "so be it").exit_code == 0
    assert (
        lines("f") == moves(shots(is_red_many=True), shots(46, is_red_many=True))
        and run("gate . --jobs 1").exit_code == 0
    )
    assert [one["fight"] for one in record()["accepted"] if one.get("how") == "retold"] == ["f"]


def test_a_record_that_was_changed_by_hand_is_not_mended_by_accepting_something_else(range_: Path) -> None:
    change(range_ / "ruleset.yaml", "otherwise: 26", "otherwise: 30")
    assert run("gate . --jobs 1 --accept", "blue needs 30").exit_code == 0
    change(range_ / "gate.json", '"blue: ok": "29/50"', '"blue: ok": "57/100"')
    change(range_ / "ruleset.yaml", "is: 26", "is: 20")
    found = run("gate . --jobs 1 --accept", "red needs 20")
    assert found.exit_code == 1 and "--record" in found.stderr
    assert "what was accepted is 29/50, what is recorded 57/100" in run("gate . --jobs 1").stdout
