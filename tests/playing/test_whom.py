"""Whom a row looks at: those who are in its set when it is reached, each if he still is in his turn. Reckoned by hand."""

from fractions import Fraction

import pytest

from closecombat.asking.examples.examples import run_example
from closecombat.binding.charts import Bound
from closecombat.reading.ruleset import read_ruleset
from closecombat.reading.stack import as_mapping
from closecombat.text.document import parse
from closecombat.text.faults import Faults
from closecombat.text.source import Source

RULES = """\
ruleset: line
language: 1
start: bout
kinds:
  fight: {one: yes}
  side: {given: {enemy: the other side, units: {are: units, each: unit}}}
  unit: {given: {side: a side, next: a unit or nobody}, rolled: {nerve: d6}, noted: {shaken: flag}}
sequences:
  bout:
    in-order:
      test:   {each: unit, roll: nerve}
      shake:  {each: unit, nerve: 1, do: gain shaken}
      spread: {%s}
"""
LINE = """\
example: line
situation:
  sides:
    blue: {units: {a: {next: b}, b: {next: c}, c: {next: d}, d: {}}}
    red:  {units: {x: {}}}
chances: {%s: %s}
"""
ITSELF, TWO, THREE, FOUR = (1 - Fraction(5, 6) ** number for number in (1, 2, 3, 4))
NEXT = "do: gain shaken of next of unit"
HANDS = "[remove unit from units of side, put unit into units of enemy of side, set side to enemy of side]"
ROWS = [  # the row, a question, and its chance
    # of the set: whoever is shaken then shakes the one behind him, and no further
    (f"each: unit where (shaken and next is not nobody), {NEXT}", "c is shaken", TWO),
    (f"each: unit where (shaken and next is not nobody), {NEXT}", "d is shaken", TWO),
    (f"first: highest nerve, ties: as-listed, each: unit where (shaken and next is not nobody), {NEXT}", "d is shaken", TWO),
    (f"first: highest nerve, ties: at-once, each: unit where (shaken and next is not nobody), {NEXT}", "d is shaken", TWO),
    (f"first: highest nerve, ties: lots, each: unit where (shaken and next is not nobody), {NEXT}", "d is shaken", TWO),
    # in a column: of each in his turn, and so down the line
    (f"each: unit, shaken: yes, next: not nobody, {NEXT}", "c is shaken", THREE),
    (f"each: unit, shaken: yes, next: not nobody, {NEXT}", "d is shaken", FOUR),
    (f"first: lowest nerve, ties: as-listed, each: unit, shaken: yes, next: not nobody, {NEXT}", "c is shaken", THREE),
    (f"first: highest nerve, ties: as-listed, each: unit, shaken: yes, next: not nobody, {NEXT}", "c is shaken", TWO),
    # who is in no more when his turn comes is left out
    ("each: unit where (not shaken), do: gain shaken of next of unit", "b is shaken", ITSELF + (1 - ITSELF) ** 2),
    # who goes over to a side that has been gone through, or is yet to be, goes once
    (f"each: unit where (shaken), do: {HANDS}", "side of a is red", ITSELF),
    (f"each: units where (shaken), do: {HANDS}", "side of x is blue", ITSELF),
]  # fmt: skip


@pytest.mark.parametrize(("row", "question", "chance"), ROWS)
def test_who_is_in_the_set_when_the_row_is_reached(row: str, question: str, chance: Fraction) -> None:
    faults = Faults()
    ruleset = read_ruleset(as_mapping(parse(Source("line", RULES % row))), faults, ())
    faults.raise_if_any()
    example = as_mapping(parse(Source("bout", LINE % (question, chance))))
    assert [fault.message for fault in run_example(Bound(ruleset), example).faults] == []
