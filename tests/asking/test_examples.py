"""What an example may expect, and when it fails."""

import re
from pathlib import Path

import pytest

from closecombat.asking.examples.examples import run_example
from closecombat.binding.load import load
from closecombat.checking.check import check_paths
from closecombat.reading.stack import as_mapping
from closecombat.text.document import parse
from closecombat.text.source import Source

RULES = """\
ruleset: dozen
language: 1
start: fight
kinds:
  field: {one: yes, given: {attacker: a side}}
  side: {given: {enemy: the other side}, rolled: {throw: twelve}}
dice:
  twelve: {die: d6, number: 12}
sequences:
  fight: {in-order: {throw: {each: side, roll: throw}}}
"""
SITUATION = "example: one\nsituation: {field: {attacker: red}, sides: {red: {}, blue: {}}}\nchances:\n"
ALL_SIX = "throw of red is at least 71"  # 13 of the 6^12 falls: all six, or one five among them


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("dozen")
    (place / "ruleset.yaml").write_text(RULES, "utf-8")
    return place


@pytest.mark.parametrize(
    ("sentence", "chance", "codes"),
    [
        (ALL_SIX, "13/2176782336", ()),
        (ALL_SIX, "26/4353564672", ()),
        (ALL_SIX, "12/2176782336", ("example-fails",)),
        (ALL_SIX, "0.0%", ()),
        (ALL_SIX, "0%", ("example-fails",)),  # never
        (ALL_SIX, "0.000000597%", ()),
        (ALL_SIX, "0.000000596%", ("example-fails",)),
        ("number of throw of red is 12", "100%", ()),
        ("number of throw of red is 12", "1", ()),
        ("throw of red is at least 72", "0.00000005%", ()),
        (ALL_SIX, "6/5", ("out-of-range",)),
        (ALL_SIX, "-1/5", ("out-of-range",)),
        (ALL_SIX, "101%", ("out-of-range",)),
        (ALL_SIX, "half", ("wrong-type",)),
        (ALL_SIX, "0.5", ("wrong-type",)),
    ],
)
def test_a_chance(folder: Path, sentence: str, chance: str, codes: tuple[str, ...]) -> None:
    text = f"{SITUATION}  {sentence}: {chance}\n"
    result = run_example(load(str(folder)), as_mapping(parse(Source("e.yaml", text))))
    assert tuple(fault.code for fault in result.faults) == codes


NUMBERS = """\
ruleset: numbers
language: 1
start: go
kinds:
  field: {one: yes, given: {worth: number}, noted: {written: number}}
tables:
  share: {is: worth / 3000002}
  less: {is: 0 - worth / 3000002}
  drawn: {across: worth, columns: [below 0, 0, above 0], cells: [-1/2, 0, 1234567/89101112]}
sequences:
  go: {in-order: {note: {do: set written to worth / 3000002}}}
"""
LONG = {  # what is given; what is expected; what comes of it. 3000002 is 3 times 1000001 less 1: nothing cancels
    "a figure": ("1000001", "figures: {share: 1000001/3000002, less: -1000001/3000002}", ()),
    "a figure of more digits": ("1000001/3000001", "figures: {share: 1000001/9000009000002}", ()),
    "another figure": ("1000001", "figures: {share: 1000002/3000002}", ("example-fails",)),
    "a fact": ("1000001", "figures: {written: 1000001/3000002}", ()),
    "another fact": ("1000001", "figures: {written: 1000003/3000002}", ("example-fails",)),
    "a whole number": ("123456789012", "figures: {worth: 123456789012}", ()),
    "a cell": ("7", "figures: {drawn: 1234567/89101112}", ()),
    "a cell below 0": ("-7/1000000", "figures: {drawn: -1/2}", ()),
    "nothing is divided by 0": ("1/00", "figures: {share: 1}", ("wrong-type",)),
    "nor is it expected": ("1", "figures: {share: 1/00}", ("wrong-type",)),
}


@pytest.mark.parametrize("name", LONG)
def test_every_number_that_is_printed_can_be_expected(name: str, tmp_path: Path) -> None:
    worth, expected, codes = LONG[name]
    (tmp_path / "ruleset.yaml").write_text(NUMBERS, "utf-8")
    text = f"example: one\nsituation: {{field: {{worth: {worth}}}}}\nexpect: {{{expected}}}\ndice: []\n"
    result = run_example(load(str(tmp_path)), as_mapping(parse(Source("e.yaml", text))))
    assert tuple(fault.code for fault in result.faults) == codes


PASSES = """\
ruleset: passes
language: 1
start: go
kinds:
  field: {one: yes, noted: {turn: 0 to 9}}
  side: {given: {enemy: the other side}, rolled: {throw: one}, noted: {tired: flag, lost: 0 to 9}}
dice: {one: d6}
tables:
  worth: {about: side, adds-up: {die: {add: throw}, tired: {tired: yes, add: -1}}}
sequences:
  go:
    again: {until: turn is 2, at-most: 2}
    in-order:
      next:   {do: add 1 to turn}
      throws: {each: side, roll: throw}
      losses: {do: add 0 to turn}
      worn:   {each: side, throw: at least 5, do: [gain tired, add 1 to lost]}
"""
MOMENTS = {  # red throws 5, then 4; blue 2, then 6
    "each pass": ("losses: [{worth of red: 5, worth of blue: 2}, {worth of red: 3, worth of blue: 6}]", ()),
    "the first alone": ("losses: {worth of red: 5}", ()),
    "another second": ("losses: [{worth of red: 5}, {worth of red: 4}]", ("example-fails",)),
    "a pass too many": ("losses: [{turn: 1}, {turn: 2}, {turn: 3}]", ("example-fails",)),
    "never": ("gone: {turn: 1}", ("example-fails",)),
    "each of whom it looks at": ("throws: [{turn: 1}, {throw of red: 5}, {turn: 2}]", ()),
    "causes": (
        "losses: [{causes: {worth of red: {die: 5}}}, {worth of red: 3, causes: {worth of red: {die: 4, tired: -1}}}]",
        (),
    ),
    "other causes": ("losses: [{turn: 1}, {causes: {worth of red: {die: 4}}}]", ("example-fails",)),
}


@pytest.mark.parametrize("name", MOMENTS)
def test_what_is_so_before_a_row_each_time(name: str, tmp_path: Path) -> None:
    before, codes = MOMENTS[name]
    (tmp_path / "ruleset.yaml").write_text(PASSES, "utf-8")
    text = "example: one\nsituation: {sides: {red: {}, blue: {}}}\ndice: [5, 2, 4, 6]\n"
    document = as_mapping(parse(Source("e.yaml", f"{text}expect: {{before: {{{before}}}}}\n")))
    assert tuple(fault.code for fault in run_example(load(str(tmp_path)), document).faults) == codes


def test_what_is_said_of_a_moment_is_checked(tmp_path: Path) -> None:
    (tmp_path / "examples").mkdir()
    (tmp_path / "ruleset.yaml").write_text(PASSES, "utf-8")
    said = "losses: [{worth of read: 5}, {worth of red: 5, causes: {worth of red: {dye: 5}}}, {causes: {worth of red: {die: 5}}}]"
    text = f"example: one\nabout: x\nsituation: {{sides: {{red: {{}}, blue: {{}}}}}}\ndice: []\nexpect: {{before: {{{said}}}}}\n"
    (tmp_path / "examples" / "one.yaml").write_text(text, "utf-8")
    found = [fault.message for fault in check_paths([str(tmp_path)]) if fault.severity == "error"]
    assert found == ["nothing is called `read`", "`worth` has no row `dye`"]


MISSING = """\
example: misses
situation: {field: {attacker: red}, sides: {red: {hp: 3}, blue: {}}}
dice: [2]
expect:
  figures: {worth of red: 9}
  causes: {worth of red: {brave: 1}}
  sides: {red: {hp: 5}, blue: {hp: 2}}
"""
HURTING = """\
ruleset: hurting
language: 1
start: fight
kinds:
  field: {one: yes, given: {attacker: a side}}
  side: {given: {enemy: the other side, hp: {is: 0 to 9, default: 4}}, rolled: {blow: d6}}
tables:
  worth:
    about: side
    adds-up:
      brave: {when: hp of side is at least 2, add: 2}
      fresh: {when: hp of side is at least 4, add: 5}
sequences:
  fight:
    in-order:
      blow: {for: attacker, roll: blow}
      hurt: {each: side, when: hp of side is less than 4, do: take blow of attacker from hp of side}
"""


def test_a_miss_says_what_was_got_and_which_row_decided(tmp_path: Path) -> None:
    (tmp_path / "ruleset.yaml").write_text(HURTING, "utf-8")
    result = run_example(load(str(tmp_path)), as_mapping(parse(Source("e.yaml", MISSING))))
    told = [(one.expected, one.got, one.instead) for one in result.misses]
    assert told == [("9", "0", "0"), ("{brave: 1}", "nothing", "{}"), ("5", "1", "1"), ("2", "4", "4")]
    (row,) = result.misses[2].rows
    assert (row.name, row.place and row.place.source.position(row.place.start)[0]) == ("step hurt of red", 17)
    assert "take 2 from hp: 3 → 1" in row.said and "hp of side (3) is less than 4" in row.said


def test_a_row_that_is_not_done_is_told_where_it_is_spoken_of(tmp_path: Path) -> None:
    (tmp_path / "ruleset.yaml").write_text(HURTING, "utf-8")
    text = MISSING.split("expect:")[0] + "expect:\n  sides: {red: {hp: 1}}\n  before: {hrut: {hp of red: 4}}\n"
    result = run_example(load(str(tmp_path)), as_mapping(parse(Source("e.yaml", text))))
    (told,) = [one for one in result.faults if "was not done" in one.message]
    assert told.span is not None and (told.span.text, told.help) == ("hrut", "did you mean `hurt`?")


@pytest.mark.parametrize(
    ("expected", "help"),
    [
        ("red: {hp: 1}", "write `sides: {red: ..}`"),
        ("side: {red: {hp: 1}}", "did you mean `sides`?"),
    ],
)
def test_what_an_example_cannot_expect(expected: str, help: str, tmp_path: Path) -> None:
    (tmp_path / "ruleset.yaml").write_text(HURTING, "utf-8")
    text = MISSING.split("expect:")[0] + f"expect:\n  {expected}\n"
    result = run_example(load(str(tmp_path)), as_mapping(parse(Source("e.yaml", text))))
    assert [one.help for one in result.faults if one.code == "unknown-key"] == [help]


def test_a_chart_that_is_looked_up_by_dice_not_thrown_says_so(tmp_path: Path) -> None:
    chart = "tables:\n  chart: {about: side, across: blow, columns: [at most 3, 4, at least 5], cells: [1, 2, 3]}\n"
    hurt = "hurt: {each: side, do: take chart from hp}"
    text = re.sub(r"hurt: \{.*\}", hurt, HURTING.replace("tables:\n", chart).replace("at least 5", "5 to 6"))
    (tmp_path / "ruleset.yaml").write_text(text.replace("at most 3", "1 to 3"), "utf-8")
    (told,) = run_example(load(str(tmp_path)), as_mapping(parse(Source("e.yaml", MISSING)))).faults
    assert told.code == "no-value" and told.message == "what `chart` is looked up by is nobody's"


ASKING = """\
ruleset: asking
language: 1
start: go
kinds:
  fight: {one: yes, given: {night: flag}}
  side: {given: {units: {are: units, each: unit}}, rolled: {die: d6}}
  unit: {given: {side: a side, fit: flag}, chosen: {bold: flag}}
sequences:
  go:
    again: {until: turn-is-over, at-most: 2}
    in-order:
      roll: {each: side, roll: die}
      dare: {each: unit, when: fit and die of side is at least 4, unless: bold, choose: bold, otherwise: yes}
      flee: {each: unit, night: yes, choose: bold, otherwise: no}
tables: {turn-is-over: {is: night}}
"""
ASKED = {  # a has a chance of being asked, b has none: what is expected; dice, if any; what comes of it
    "one": ("{dare: [a], flee: []}", "[4, 1]", ()),
    "one without a list": ("{dare: a}", "[4, 4]", ()),
    "in the second pass": ("{dare: a}", "[1, 4]", ()),
    "nobody": ("{dare: []}", "[1, 1]", ()),
    "not nobody": ("{dare: []}", "[1, 4]", ("`dare` asks a, not nobody",)),
    "not this one": ("{dare: [b]}", "[4, 1]", ("`dare` asks a, not b",)),
    "too many": ("{dare: [a, b]}", "[4, 1]", ("`dare` asks a, not a, b",)),
    "for some fall of the dice": ("{dare: [a], flee: []}", None, ()),
    "for no fall of the dice": ("{dare: [a, b]}", None, ("`dare` asks a, not a, b",)),
    "no such row": ("{roll: []}", None, ("no row that asks a player is called `roll`",)),
}


@pytest.mark.parametrize("case", ASKED)
def test_who_is_asked(case: str, tmp_path: Path) -> None:
    expected, dice, told = ASKED[case]
    (tmp_path / "ruleset.yaml").write_text(ASKING, "utf-8")
    text = "example: one\nsituation: {sides: {red: {units: {a: {fit: yes}, b: {}}}}}\n"
    text += (f"dice: {dice}\n" if dice else "") + f"expect: {{asked: {expected}}}\n"
    result = run_example(load(str(tmp_path)), as_mapping(parse(Source("e.yaml", text))))
    assert tuple(fault.message for fault in result.faults) == told
