"""What sentences say with names that are words of the language too, of the lower and the higher, and of what must not be.

Each case is a ruleset of one row that counts; the value is reckoned by hand, from two throws or from none.
"""

from fractions import Fraction
from pathlib import Path

import pytest

from closecombat.asking.examples.examples import run_example
from closecombat.binding.load import load
from closecombat.checking.check import check_paths
from closecombat.reading.stack import as_mapping
from closecombat.text.document import parse
from closecombat.text.source import Source

RULES = """\
ruleset: wording
language: 1
start: go
words: {grade: [green, line, elite]}
kinds:
  fight: {one: yes, given: {night: flag}}
  side:
    given: {enemy: the other side, total: {is: 0 to 9, default: 4}, units: {are: units, each: unit}}
  unit:
    given:
      side: a side
      up: flag
      in: flag
      'any': 0 to 9
      men: 0 to 9
      has: {is: 0 to 9, default: 2}
      grade: grade
      other: {is: grade, default: line}
    rolled: {throw: dice}
dice: {dice: d6}
tables:
  asked: {about: unit, %s}
  keener: {about: "side, unit", words: [green, line, elite], first-of: {up: {up: yes, is: elite}}, otherwise: green}
sequences:
  go: {in-order: {throw: {each: unit, roll: throw}}}
"""
FIGHT = """\
example: one
situation:
  sides:
    blue: {units: {a: {up: yes, in: yes, any: 3, men: 5, grade: green}}}
    red:  {units: {b: {men: 7, any: 0, grade: elite}}}
"""


def failures(table: str, more: str, folder: Path) -> list[str]:
    (folder / "ruleset.yaml").write_text(RULES % table, "utf-8")
    document = as_mapping(parse(Source("fight.yaml", FIGHT + more)))
    return [fault.message for fault in run_example(load(str(folder)), document).faults]


VALUES = [  # a table, and what it is of a, with 5 men, and of b, with 7
    ("is: total of side of unit + has", 6, 6),
    ("is: total has of units of side", 2, 2),
    ("is: (highest \"any\" of units) + \"any\" of unit", 6, 3),
    ("adds-up: {x: {up: yes, add: 1}, y: {unit: 'in', add: 2}, z: {when: unit is \"in\" and up, add: 4}}", 7, 0),
    ("is: the lower of men and 6", 5, 6),
    ("is: the higher of men and 6", 6, 7),
    ("is: (the higher of men and 6) + the lower of has and 1", 7, 8),
    ('is: "the lowest of men, 6 and (men + 1)"', 5, 6),
    ('is: "the highest of men, 6 and (13 / 2)"', "13/2", 7),
    ("is: the lower of men / 2 rounded down and 3", 2, 3),
    ("is: the lower of 10 and the higher of men and 6", 6, 7),
    ("is: the lower of grade and other", "green", "line"),
    ("is: the higher of grade and other", "line", "elite"),
    ("is: the lower of grade and line", "green", "line"),
    ("is: the higher of line and grade", "line", "elite"),
    ('is: "the highest of other, green and grade"', "line", "elite"),
    ("is: the lower of keener of side of unit for unit and line", "line", "green"),
    ("is: the higher of (highest grade of units of side of unit) and line", "line", "elite"),
    ("is: the higher of green and (the lower of line and grade)", "green", "line"),
    ("adds-up: {x: {unless: up, add: 1}, y: {unless: up or men is 7, add: 2}, z: {unless: men is 7, up: yes, add: 4}}", 4, 1),
    ("first-of: {x: {unless: men is at least 6, is: 1}}, otherwise: 0", 1, 0),
]  # fmt: skip


@pytest.mark.parametrize(("table", "of_a", "of_b"), VALUES)
def test_a_sentence_is_worth_what_it_says(table: str, of_a: object, of_b: object, tmp_path: Path) -> None:
    expect = f"dice: [1, 2]\nexpect: {{figures: {{asked of a: {of_a}, asked of b: {of_b}}}}}\n"
    assert failures(table, expect, tmp_path) == []
    wrong = f"dice: [1, 2]\nexpect: {{figures: {{asked of a: {of_b}, asked of b: {of_a}}}}}\n"
    assert of_a == of_b or len(failures(table, wrong, tmp_path)) == 2


CHANCES = [  # of a's throw, one die
    ("is: the lower of throw and 3", "asked of a is 3", Fraction(4, 6)),
    ("is: the higher of throw and has", "asked of a is 2", Fraction(2, 6)),
    ('is: "the lowest of throw, 4 and (7 - throw)"', "asked of a is 3", Fraction(2, 6)),
    ('is: "the lowest of throw, 4 and (7 - throw)"', "asked of a is 1", Fraction(2, 6)),
    ("first-of: {x: {unless: throw is at least 5, is: 1}}, otherwise: 0", "asked of a is 1", Fraction(4, 6)),
]


@pytest.mark.parametrize(("table", "asked", "chance"), CHANCES)
def test_the_chances_are_exact(table: str, asked: str, chance: Fraction, tmp_path: Path) -> None:
    assert failures(table, f"chances: {{{asked}: {chance}}}\n", tmp_path) == []


REFUSED = [
    ("is: the lower of men and 3 + 1", "it is not clear whether this is added before or after they are compared"),
    ("is: 2 + the lower of men and 3 - 1", "it is not clear whether this is added before or after they are compared"),
    ("is: the lower of men and has * 2", "it is not clear whether this is reckoned before or after they are compared"),
    ("is: the lowest of men and has", "two are compared: `the lower`"),
    ('is: "the lower of men, has and 3"', "more than two are compared: `the lowest`"),
    ("is: the lower of men and grade", "this is one of green, line, elite, not a number"),
    ("is: the lower of grade and men", "this is 0 to 9, not one of green, line, elite"),
    ("adds-up: {x: {unless: not up, add: 1}}", "`unless: not up` denies what is denied"),
    ('adds-up: {x: {when: unit is "up", add: 1}}', "a word needs no quotes inside a sentence"),
]


@pytest.mark.parametrize(("table", "message"), REFUSED)
def test_what_is_refused(table: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "ruleset.yaml"
    file.write_text(RULES % table, "utf-8")
    assert [fault.message for fault in check_paths([str(file)]) if fault.severity == "error"] == [message]
