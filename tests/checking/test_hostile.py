"""Files that were written to do harm, or by a program: whatever is too much says so with its limit, and nothing is
echoed that a terminal would obey."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from closecombat.asking.played.resolution import resolve
from closecombat.binding.load import load
from closecombat.cli.main import main
from closecombat.playing.answers import Declared
from closecombat.playing.fight import fight
from closecombat.proving.throws.dice import SeededDice
from closecombat.reading.stack import as_mapping
from closecombat.text.document import parse
from closecombat.text.faults import Faulty
from closecombat.text.source import Source

SMALL = """ruleset: small
start: combat
kinds:
  fight: {one: yes, given: {attacker: a side}}
  side: {given: {power: 0 to 9}, noted: {won: flag}}
dice: {one-die: d6}
tables:
  t: {about: side, is: power + 1}
sequences:
  combat:
    in-order:
      go: {each: side, when: t is 4, do: gain won}
"""
FIGHT = "ruleset: ./small.yaml\nsituation:\n  fight: {attacker: a}\n  sides: {a: {power: 3}, b: {power: 4}}\n"

TOO_MUCH = {
    "a long sentence": ("power + 1", "power" + " + 1" * 250_000, "too-large", "2,000 letters"),
    "many brackets": ("power + 1", "(" * 900 + "power" + ")" * 900, "too-deep", "30 brackets"),
    "a long number": ("power + 1", "9" * 5_000, "too-large", "2,000 letters"),
    "a wide range": ("0 to 9", "0 to 1000000000000000000", "wrong-type", "is not a range"),
    "many dice": ("one-die: d6", "one-die: {die: d6, number: 999999999}", "wrong-shape", "400"),
    "many words": (
        "dice:",
        "words: {w: [" + ", ".join(f"w{i}" for i in range(100_001)) + "]}\ndice:",
        "too-many-nodes",
        "100,000",
    ),
    "many levels": ("d6", "[" * 100_000, "too-deep", "40 levels"),
    "a sign that steers": ("power + 1", '"pwoer \\e[2J"', "not-text", "U+001B"),
    "a sign that turns round": ("power + 1", "power \u202e 1", "not-text", "U+202E"),
    "no character": ("power + 1", "power \0 1", "not-text", "U+0000"),
    "no UTF-8": ("power + 1", "power \udcff 1", "not-text", "UTF-8"),
}


def run(*command: str) -> str:
    result = CliRunner().invoke(main, list(command))
    assert result.exit_code in (0, 1, 2)
    assert "fault of closecombat" not in result.output
    assert not [letter for letter in result.output if not letter.isprintable() and letter != "\n"]
    assert max(map(len, result.output.split("\n"))) < 2_000
    return result.output


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "fight.yaml").write_text(FIGHT)
    return tmp_path


def test_the_small_ruleset_is_sound(desk: Path) -> None:
    (desk / "small.yaml").write_text(SMALL)
    assert "error" not in run("check", "small.yaml", "fight.yaml")
    assert json.loads(run("chances", "fight.yaml", "-f", "json").replace("\n", " "))


@pytest.mark.parametrize("name", TOO_MUCH)
def test_what_is_too_much_says_how_much_may_be(desk: Path, name: str) -> None:
    before, after, code, limit = TOO_MUCH[name]
    (desk / "small.yaml").write_text(SMALL.replace(before, after, 1), "utf-8", "surrogateescape")
    for command in (("check", "small.yaml"), ("chances", "fight.yaml")):
        said = run(*command)
        assert f"error[{code}]" in said
        assert limit in said


GROWING = """\
ruleset: growing
start: muster
kinds:
  side: {given: {men: {are: men, each: man}}}
  man:  {plural: men, given: {side: a side}, printed: {pluck: 0 to 3}}
counters: {man: {columns: [pluck], rows: {recruit: [1]}}}
sequences:
  muster: {again: {until: any side where (number of men is 0), at-most: unbounded}, in-order: {calls: {each: side, create: recruit, into: men}}}
"""


def test_so_many_newcomers_may_be_in_play(desk: Path) -> None:
    (desk / "growing.yaml").write_text(GROWING)
    (desk / "muster.yaml").write_text("ruleset: ./growing.yaml\nsituation: {sides: {a: {}, b: {}}}\n")
    said = run("resolve", "muster.yaml", "--seed", "1")
    assert "error[budget-exceeded]" in said and "more than 250" in said and "calls:" in said


def test_a_kind_that_is_not_there_is_told_once(desk: Path) -> None:
    text = GROWING.replace("  man:  {plural: men, given: {side: a side}, printed: {pluck: 0 to 3}}\n", "")
    (desk / "growing.yaml").write_text(text.replace(", into: men", ""))
    run("check", "growing.yaml")


def test_what_is_lost_is_somebodys(desk: Path) -> None:
    lost = "strength-lost: {about: side, unit: power, is: shot}\n"
    (desk / "small.yaml").write_text(SMALL.replace("noted:", "rolled: {shot: one-die}, noted:") + lost)
    for command in (("chances", "fight.yaml"), ("resolve", "fight.yaml", "--seed", "1")):
        assert "error[no-value]: `shot` counts on a value of nobody" in run(*command)


def test_a_ruleset_has_so_many_files(desk: Path) -> None:
    (desk / "ruleset.yaml").write_text(SMALL)
    for number in range(201):
        (desk / f"w{number}.yaml").write_text(f"words: {{w{number}: [a, b]}}\n")
    assert "error[too-large]" in (said := run("check", "."))
    assert "at most 200" in said
    assert "error[too-large]" in run("chances", "farmhouse", "-r", ".")


def test_a_folder_is_looked_through_so_far(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("closecombat.checking.check.MOST_FILES", 5)
    for number in range(9):
        (desk / f"w{number}.yaml").write_text("x: 1\n")
    assert run("check", ".").count("error[too-large]: this folder holds more than 5 files") == 1


def test_the_name_of_a_file_steers_nothing(desk: Path) -> None:
    (desk / "a\x1b[2J\u202eb.yaml").write_text("situation: {}\nfoo: 1\n")
    for form in ("text", "github", "concise"):
        assert "error" in run("check", ".", "-f", form)


SETS = """\
ruleset: sets
start: go
kinds:
  side: {given: {units: {are: units, each: unit}}, noted: {found: number}}
  unit: {given: {side: a side, men: 0 to 9}}
groups: {rest: {each: another, about: unit, are: other units}}
tables:
  deep: {about: side, is: SENTENCE}
  t0: {about: unit, adds-up: {a: {each: another of unit, when: t1 of another is at least 0, add: t1 of another}}}
  t1: {about: unit, adds-up: {a: {each: another of unit, when: t2 of another is at least 0, add: t2 of another}}}
  t2: {about: unit, is: men}
sequences: {go: {in-order: {one: {each: side, do: set found to deep of side}}}}
"""
WITHIN = {
    "sets in sets": "number of units where (number of other units where (number of other units where (men is 9) is at least 1) is 1)",
    "sets of somebody": "number of units where (number of units of side where (men is more than number of units where (men is 9)) is 99)",
    "groups": "number of units where (number of rest of unit where (number of rest of another where (men is 9) is at least 1) is 1)",
    "rows of tables": "total t0 of units",
}


@pytest.mark.parametrize("case", WITHIN)
def test_sets_within_sets_are_bounded(case: str, tmp_path: Path) -> None:
    """70 units cubed are 343,000, and twice 70 squared, told, 9,800; both are more than the work that is allowed here."""
    (tmp_path / "rules.yaml").write_text(SETS.replace("SENTENCE", WITHIN[case]))
    units = ", ".join(f"u{n}: {{men: {n % 9}}}" for n in range(70))
    scene = as_mapping(parse(Source("fight.yaml", f"situation: {{sides: {{red: {{units: {{{units}}}}}}}}}\n")))
    with pytest.raises(Faulty) as caught:
        resolve(
            fight(load(str(tmp_path / "rules.yaml")), scene), SeededDice(1), players=Declared(None), most_work=200_000
        )
    assert caught.value.codes == {"takes-long"}
