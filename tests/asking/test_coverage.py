"""The rulebook clause by clause: what cites a clause, what exercises it, and what the totals say."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

from closecombat.asking.examples.coverage import Coverage, coverage, selected, totals
from closecombat.binding.load import load
from closecombat.cli.main import main
from closecombat.reading.stack import shipped

ROOT = Path(__file__).parents[2]

RULESET = """\
ruleset: brawl
start: fight
sources: {B: the rules of our club}
options:
  fair: {readings: [always, never], default: always, why: The page is torn., cites: B.9}
kinds:
  fight: {one: yes, given: {night: {is: flag, cites: B.7}}, cites: B.1}
  side:  {given: {units: {are: units, each: unit}}}
  unit:  {given: {side: a side, strength: 1 to 6, tired: flag}, chosen: {rests: flag}, rolled: {luck: one-die}}
dice: {one-die: {die: d6, cites: B.2}}
groups: {weary: {are: units of side where (tired), about: side, each: weary-one, cites: B.10}}
tables:
  score:
    about: unit
    cites: B.3
    adds-up:
      luck:     {add: luck}
      tired:    {unit: tired, add: -2, cites: [B.4, B.4a]}
      mighty:   {strength: at least 5, add: +2, cites: B.5}
  lucky:   {about: unit, is: luck is 6, cites: B.8}
  resting:
    about: unit
    forbidden-if: {fresh: {unit: not tired, rests: yes, says: only the tired rest, cites: B.6}}
sequences:
  fight:
    in-order:
      rest:  {each: unit, choose: rests, by: side, legal: resting, otherwise: no}
      throw: {each: unit, rests: no, roll: luck}
      run:   {each: unit, rests: no, score: less than 1, do: leave, cites: B.4a}
      crow:  {each: unit, rests: no, lucky: yes, when: fair is always and no weary of side, do: gain tired}
"""
CLAUSES = """\
clauses:
  B.1:  {scope: core, rule: Men fight.}
  B.2:  {scope: core, rule: Each throws a die.}
  B.3:  {scope: core, rule: The die and more is the score.}
  B.4:  {scope: core, rule: "Who is tired loses 2, says the chart."}
  B.4a: {scope: edge, rule: Less than 1 runs.}
  B.5:  {scope: edge, rule: The mighty gain 2.}
  B.6:  {scope: core, rule: Only the tired rest.}
  B.7:  {scope: edge, rule: It may be night.}
  B.8:  {scope: core, rule: A 6 is lucky.}
  B.9:  {scope: core, rule: All is fair.}
  B.10: {scope: core, rule: The weary do not crow.}
  B.11: {scope: outside, rule: Then there is beer., left-out: that is another evening}
  B.12: {scope: edge, rule: Chairs break., left-out: nobody wants to count chairs}
  B.13: {scope: core, rule: The landlord wins.}
"""
FIGHT = "situation: {fight: {night: NIGHT}, sides: {red: {units: {r: {strength: 4, tired: TIRED}}}}}\n"


def example(name: str, tired: str = "no", night: str = "no", rest: str = "no", more: str = "") -> str:
    fight = FIGHT.replace("NIGHT", night).replace("TIRED", tired)
    return f"example: {name}\n{fight}choices: {{rest: {{r: {rest}}}}}\n{more}"


EXAMPLES = {
    "plain": example("plain", more="dice: [3]\nexpect: {units: {r: here}}\n"),
    "lucky": example("lucky", more="dice: [6]\nexpect: {units: {r: {tired: yes}}}\n"),
    "tired": example("tired", "yes", more="dice: [2]\nexpect: {figures: {score of r: 0}, units: {r: gone}}\n"),
    "chances": example("chances", "yes", more="chances: {r is in-play: 2/3}\n"),
    "night": example("night", night="yes", more="dice: [3]\nexpect: {units: {r: here}}\n"),
    "no-rest": example("no-rest", rest="yes", more="expect: {illegal: [B.6]}\n"),
}
EVERY = ("chances", "lucky", "night", "no-rest", "plain", "tired")
PLAYED = ("chances", "lucky", "night", "plain", "tired")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("brawl")
    (folder / "examples").mkdir()
    for name, text in {"ruleset": RULESET, "clauses": CLAUSES}.items():
        (folder / f"{name}.yaml").write_text(text, "utf-8")
    for name, text in EXAMPLES.items():
        (folder / "examples" / f"{name}.yaml").write_text(text, "utf-8")
    return folder


@pytest.fixture(scope="module")
def found(folder: Path) -> Coverage:
    return coverage(str(folder), lambda place, number: None)


# What cites a clause, and which examples come to it.
CASES = [
    ("B.1", "modelled", ["kinds.fight"], EVERY),
    ("B.2", "modelled", ["dice.one-die"], PLAYED),
    ("B.3", "modelled", ["tables.score"], PLAYED),
    ("B.4", "modelled", ["tables.score.tired"], ("chances", "tired")),
    ("B.4a", "modelled", ["tables.score.tired", "sequences.fight.run"], ("chances", "tired")),
    ("B.5", "modelled", ["tables.score.mighty"], ()),
    ("B.6", "modelled", ["tables.resting.fresh"], ("no-rest",)),
    ("B.7", "modelled", ["kinds.fight.night"], ("night",)),
    ("B.8", "modelled", ["tables.lucky"], ("chances", "lucky")),
    ("B.9", "modelled", ["options.fair"], ("chances", "lucky")),
    ("B.10", "modelled", ["groups.weary"], ("chances",)),
    ("B.11", "left-out", [], ()),
    ("B.12", "left-out", [], ()),
    ("B.13", "missing", [], ()),
]


@pytest.mark.parametrize(("id", "status", "paths", "examples"), CASES, ids=[id for id, *_ in CASES])
def test_a_clause(found: Coverage, id: str, status: str, paths: list[str], examples: tuple[str, ...]) -> None:
    one = next(one for one in found.clauses if one.id == id)
    assert (one.status, sorted(where.path for where in one.where), one.examples) == (status, sorted(paths), examples)


def test_clauses_stand_in_the_order_of_the_rulebook(found: Coverage) -> None:
    assert [one.id for one in found.clauses] == [id for id, *_ in CASES]


def test_a_place_is_the_line_of_the_name(found: Coverage, folder: Path) -> None:
    (where,) = next(one for one in found.clauses if one.id == "B.3").where
    line = RULESET.splitlines().index("  score:") + 1
    assert where.place == f"{folder}/ruleset.yaml:{line}"


def test_the_totals(found: Coverage) -> None:
    names = ("clauses", "modelled", "exercised", "left_out", "missing")
    assert {scope: tuple(count[name] for name in names) for scope, count in totals(found.clauses).items()} == {
        "core": (9, 8, 8, 0, 1),
        "edge": (4, 3, 2, 1, 0),
        "outside": (1, 0, 0, 1, 0),
        "all": (14, 11, 10, 2, 1),
    }


def test_what_is_still_to_do(found: Coverage) -> None:
    assert [one.id for one in found.clauses if one.is_wanting] == ["B.5", "B.13"]


SELECTED = [
    (["B.4"], ["B.4", "B.4a"]),
    (["B.1"], ["B.1"]),
    (["B.13", "B.2"], ["B.2", "B.13"]),
    (["B"], [id for id, *_ in CASES]),
]


@pytest.mark.parametrize(("wanted", "ids"), SELECTED, ids=[" ".join(wanted) for wanted, _ in SELECTED])
def test_clauses_are_picked_by_what_they_begin_with(found: Coverage, wanted: list[str], ids: list[str]) -> None:
    assert [one.id for one in selected(found.clauses, wanted)] == ids


def test_a_fight_is_played_without_the_clauses(folder: Path) -> None:
    assert not load(str(folder)).ruleset.clauses


def test_a_file_of_rules_lists_what_it_cites(tmp_path: Path) -> None:
    (tmp_path / "brawl.yaml").write_text(RULESET, "utf-8")
    found = coverage(str(tmp_path / "brawl.yaml"), lambda place, number: None)
    assert [one.id for one in found.clauses] == [f"B.{n}" for n in (1, 2, 3, 4, "4a", 5, 6, 7, 8, 9, 10)]
    assert {(one.scope, one.status, one.examples) for one in found.clauses} == {("", "modelled", ())}


VARIANT = """\
variant: sober
extends: ..
changes:
  no-luck: {at: tables.lucky, remove: yes, why: No dice., was: {about: unit, is: luck is 6, cites: B.8}}
  no-crow:
    at: sequences.fight.crow
    replace: {each: unit, rests: no, do: lose tired, cites: B.13}
    was: {each: unit, rests: no, lucky: yes, when: fair is always and no weary of side, do: gain tired}
    why: Nobody crows.
"""


def test_a_variant_is_played_with_the_examples_of_its_base_and_its_own(folder: Path) -> None:
    house = folder / "house"
    (house / "examples").mkdir(parents=True)
    (house / "sober.yaml").write_text(VARIANT, "utf-8")
    own = "ruleset: ../sober.yaml\n" + example("sobered", "yes", more="dice: [6]\nexpect: {units: {r: {tired: no}}}\n")
    (house / "examples" / "own.yaml").write_text(own, "utf-8")
    clauses = {one.id: one for one in coverage(str(house / "sober.yaml"), lambda place, number: None).clauses}
    assert (clauses["B.8"].status, clauses["B.13"].examples[-1]) == ("missing", "sobered")
    assert {"plain", "tired", "sobered"} <= set(clauses["B.3"].examples)
    base = coverage(str(folder), lambda place, number: None)
    assert "sobered" not in {one.result.id for one in base.played}


# ---- the command ------------------------------------------------------------------------------------------

COMMANDS = [
    ("", 1, "B.5 not exercised B.13 missing nobody wants to count chairs 6 examples, 6 passed"),
    ("B.4", 0, "ruleset.yaml:18 tables.score.tired exercised by chances, tired"),
    ("--left-out", 1, "B.11 B.12 another evening"),
    ("--missing", 1, "B.5 B.13 no example comes to it"),
    ("--missing B.1", 0, "1 example"),
    ("B.99", 2, "unknown-clause"),
]


@pytest.mark.parametrize(("line", "code", "out"), COMMANDS, ids=[line or "all" for line, *_ in COMMANDS])
def test_the_command(folder: Path, line: str, code: int, out: str) -> None:
    result = CliRunner().invoke(main, ["rules", str(folder), *line.split()])
    assert result.exit_code == code, result.output
    assert not [word for word in out.split() if word not in result.output], result.output


def test_only_what_is_asked_for_is_shown(folder: Path) -> None:
    listed = CliRunner().invoke(main, ["rules", str(folder), "--left-out"]).output
    assert "B.12" in listed
    assert "B.13" not in listed


@pytest.mark.parametrize("arguments", [[], ["--missing"], ["B.4"]], ids=" ".join)
def test_json_is_as_its_schema_says(folder: Path, arguments: list[str]) -> None:
    schema = json.loads((ROOT / "schemas" / "rules.schema.json").read_text("utf-8"))
    printed = json.loads(CliRunner().invoke(main, ["rules", str(folder), *arguments, "-f", "json"]).stdout)
    assert not [error.message for error in Draft202012Validator(schema).iter_errors(printed)]
    assert (printed["command"], printed["examples"]) == ("rules", {"played": 6, "passed": 6})


# ---- laws of what is shipped ------------------------------------------------------------------------------

WRITTEN = {"asl": 340, "assault": 112, "skirmish": 68, "squad-leader": 92}


@pytest.mark.parametrize("name", shipped())
def test_every_clause_of_a_shipped_rulebook_has_a_status(name: str) -> None:
    found = coverage(name, lambda place, number: None)
    assert len(found.bound.ruleset.clauses) == len(found.clauses) == WRITTEN[name]
    assert {one.status for one in found.clauses} <= {"modelled", "left-out", "missing"}
    assert not [one.id for one in found.clauses if one.is_wanting]
    assert not [one.id for one in found.clauses if one.where and one.why]
    assert not [one.id for one in found.clauses if one.scope == "outside" and not one.where and not one.why]
    assert all(one.rule.endswith((".", ")")) and one.rule[0].isupper() for one in found.clauses)
    assert all(tested.passed for tested in found.played)
