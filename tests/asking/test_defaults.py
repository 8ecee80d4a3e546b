"""What a fact is when nobody says: another fact of the same thing, or, of a number, nobody."""

from pathlib import Path

import pytest

from closecombat.asking.examples.examples import run_example
from closecombat.binding.load import load
from closecombat.checking.check import check_paths
from closecombat.reading.stack import as_mapping
from closecombat.text.document import parse
from closecombat.text.source import Source

RULES = """\
ruleset: silent
language: 1
start: go
words: {grade: [green, line, elite]}
kinds:
  fight: {one: yes, given: {night: flag}}
  side:
    given: {enemy: the other side, units: {are: units, each: unit}}
    chosen: {blows: {are: blows, each: blow}}
  unit:
    printed: {hits: 1 to 4, save: 2 to 6 or nobody}
    given:
      side: a side
      grade: grade
      steady: {is: grade, default: grade}
      toughness: {is: 0 to 9, default: hits-left}
    noted:
      hits-left: {is: 0 to 4, default: hits}
      ward: 1 to 3 or nobody
    rolled: {throw: dice}
  blow:
    chosen: {by: a unit, force: 0 to 9, power: {is: 0 to 9, default: force}}
dice: {dice: d6}
counters:
  unit: {columns: [hits, save], rows: {guard: [4, 3], mob: [2, nobody]}}
tables:
  saved: {about: unit, is: throw is at least save}
  worth: {about: unit, first-of: {x: {save: nobody, is: 0}, y: {save: at least 4, is: 1}}, otherwise: 2}
sequences:
  go:
    in-order:
      blows: {each: side, declare: blows}
      throws: {each: unit, roll: throw}
      hurt:  {each: unit, unless: saved, do: take 1 from hits-left}
      wards: {each: unit, throw: at least 3, do: set ward to throw - 3}
      none:  {each: unit, throw: 5, do: set ward to nobody}
      comes: {each: side, when: number of units of side is 1, create: guard, into: units of side, as: newcomer}
"""
FIGHT = """\
example: one
situation:
  sides:
    blue: {units: {a: {counter: guard, grade: line}}}
    red:  {units: {b: {counter: mob, grade: green, steady: elite, hits-left: 1}, c: {hits: 3, save: 2, grade: line, toughness: 9}}}
choices:
  blows: {blue: {k: {by: a, force: 3}, l: {by: a, force: 3, power: 5}}}
"""


def failures(more: str, folder: Path) -> list[str]:
    (folder / "ruleset.yaml").write_text(RULES, "utf-8")
    document = as_mapping(parse(Source("fight.yaml", FIGHT + more)))
    return [fault.message for fault in run_example(load(str(folder)), document).faults]


PLAYED = [  # dice of a (4 hits, saves on 3), b (1 left of 2, never), c (3, saves on 2); what is so at the end
    ("[4, 4, 1]", "units: {a: {hits-left: 4, ward: 1, steady: line, toughness: 4}}"),
    ("[2, 4, 1]", "units: {a: {hits-left: 3, ward: nobody}, b: {hits-left: 0, toughness: 1, steady: elite, ward: 1}}"),
    ("[5, 6, 1]", "units: {a: {ward: nobody}, b: {ward: 3}, c: {hits-left: 2, toughness: 9}}"),
    ("[1, 1, 1]", "figures: {hits-left of newcomer-blue: 4, toughness of newcomer-blue: 4, ward of newcomer-blue: nobody}"),
    ("[1, 1, 1]", "figures: {power of k: 3, power of l: 5}"),
    ("[1, 1, 1]", "figures: {worth of a: 2, worth of b: 0, worth of c: 2, saved of b: no}"),
    ("[1, 1, 1]", "figures: {highest save of units of red: 2, number of units where (save is not 3): 1}"),
]  # fmt: skip


@pytest.mark.parametrize(("dice", "expect"), PLAYED)
def test_what_nobody_says(dice: str, expect: str, tmp_path: Path) -> None:
    assert failures(f"dice: {dice}\nexpect: {{{expect}}}\n", tmp_path) == []


CHANCES = [
    ("hits-left of a is 4", "4/6"),
    ("hits-left of b is 0", "1"),
    ("ward of c is nobody", "4/6"),  # 1, 2, 3 and 5
    ("ward of c is at most 2", "1/6"),  # 4: a ward of 1
]


@pytest.mark.parametrize(("sentence", "chance"), CHANCES)
def test_the_chances_of_it(sentence: str, chance: str, tmp_path: Path) -> None:
    rules = RULES.replace("throw: at least 3,", "throw: at least 4,")
    (tmp_path / "ruleset.yaml").write_text(rules, "utf-8")
    document = as_mapping(parse(Source("fight.yaml", FIGHT + f"chances: {{{sentence}: {chance}}}\n")))
    assert run_example(load(str(tmp_path)), document).faults == ()


WRONG = [  # what is written instead, and what check says
    ("default: hits}", "default: hitz}", "`hitz` is neither 0 to 4 nor a fact of a unit"),
    ("hits-left: {is: 0 to 4,", "hits-left: {is: 0 to 3,", "`hits` is 1 to 4, and `hits-left` is 0 to 3"),
    ("default: hits}", "default: save}", "`save` is 2 to 6 or nobody, and `hits-left` is 0 to 4"),
    ("default: hits}", "default: throw}", "`throw` is rolled, and nobody has it when a unit comes in"),
    ("default: hits}", "default: toughness}", "`toughness` is by default what it is itself"),
    ("default: grade}", "default: hits}", "`hits` is 1 to 4, and `steady` is one of green, line, elite"),
    ("do: set ward to nobody", "do: add 1 to ward", "`ward` may be nobody, to which nothing is added"),
    ("do: set ward to nobody", "do: set hits-left to nobody", "this is nobody, and `hits-left` is 0 to 4"),
    ("do: set ward to nobody", "do: set ward to 4", "`ward` is 1 to 3 or nobody"),
]


@pytest.mark.parametrize(("old", "new", "message"), WRONG)
def test_what_check_says(old: str, new: str, message: str, tmp_path: Path) -> None:
    assert old in RULES
    file = tmp_path / "ruleset.yaml"
    file.write_text(RULES.replace(old, new), "utf-8")
    found = [fault.message for fault in check_paths([str(file)]) if fault.severity == "error"]
    assert message in found
    assert len(found) <= 2


def test_the_ruleset_is_sound(tmp_path: Path) -> None:
    file = tmp_path / "ruleset.yaml"
    file.write_text(RULES, "utf-8")
    assert [fault.message for fault in check_paths([str(file)]) if fault.severity == "error"] == []
