"""Who plays which role in a sequence, and who is another: as played, and their chances by hand."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from closecombat.binding.vocabulary import check_members
from closecombat.reading.ruleset import read_ruleset
from closecombat.text.faults import Faults, Faulty
from two_readings import case, exact, mapping, walked

RULES = """
ruleset: parts
title: Parts
about: Who strikes whom.
language: 1
start: combat
kinds:
  fight: {{one: yes, given: {{attacker: a side, hero: a unit, villain: a unit, squire: a unit}}}}
  side: {{given: {{units: {{are: units, each: unit}}, coalition: [north, south, none]}}}}
  unit: {{given: {{side: a side, hp: 0 to 9, hurts: 0 to 9, ready: flag}}, noted: {{foe: a unit or nobody}}, rolled: {{die: d2-once}}}}
dice: {{d2-once: d2}}
groups:
  enemies: {{about: side, each: enemy, are: other side where (coalition is not coalition of side)}}
  targets: {{about: unit, each: target, are: other unit where (side is in enemies of side of unit)}}
tables:
  harm: {{about: {{striker: unit, victim: unit}}, is: hurts of striker}}
  alone: {{about: unit, is: no other unit of side}}
  stronger: {{about: unit, is: number of other units of side where (hp is more than hp of unit)}}
  rest: {{about: unit, is: total hp of other units of side}}
sequences:
  combat: {{in-order: {{{rows}}}}}
  strike:
    about: {{striker: unit, victim: unit}}
    in-order:
      roll: {{roll: die of striker}}
      hit:  {{die of striker: 2, do: take harm of striker for victim from hp of victim}}
      back: {{for: victim, do: set foe to striker}}
  all-others: {{about: unit, in-order: {{hit: {{each: other unit, do: take 2 from hp of other-unit}}}}}}
  exchange:
    about: {{striker: unit, victim: unit}}
    in-order:
      first: {{play: strike}}
      then:  {{hp of victim: at least 1, play: strike, striker: victim, victim: striker}}
  sting: {{about: {{striker: unit, victim: unit}}, in-order: {{hit: {{for: victim, do: take hurts of striker from hp}}}}}}
  to-him:    {{about: {{striker: unit, victim: unit}}, in-order: {{go: {{for: victim, play: sting}}}}}}
  to-a-unit: {{about: {{striker: unit, victim: unit}}, in-order: {{go: {{for: victim, play: sting, victim: unit}}}}}}
  to-a-name: {{about: {{striker: unit, victim: unit}}, in-order: {{go: {{for: victim, play: sting, victim: victim}}}}}}
  by-him:    {{about: {{striker: unit, victim: unit}}, in-order: {{go: {{for: striker, play: sting}}}}}}
  turned:    {{about: {{striker: unit, victim: unit}}, in-order: {{go: {{for: victim, play: sting, striker: unit, victim: striker}}}}}}
"""
SITUATION = """
situation:
  fight: {attacker: red, hero: a, squire: b, villain: x}
  sides:
    red:   {coalition: north, units: {a: {hp: 3, hurts: 2, foe: x}, b: {hp: 1, hurts: 1}}}
    blue:  {coalition: south, units: {x: {hp: 2, hurts: 1, foe: a}}}
    green: {coalition: north, units: {u: {hp: 5, hurts: 3, foe: a}}}
"""
HALF = Fraction(1, 2)


def both(rows: str, question: str) -> dict[Any, Fraction]:
    """The chances of each answer, which must be those of playing every fall of the dice."""
    small = case(RULES.format(rows=rows), SITUATION, [question])
    found = {answer: weight for (answer,), weight in exact(small, question).items()}
    played, _ = walked(small, 100)
    assert {answer: weight for (answer,), weight in played[question].ends.items()} == found
    return found


@pytest.mark.parametrize(
    ("rows", "question", "expected"),
    [
        ("go: {play: strike, striker: hero, victim: villain}", "hp of x", {0: HALF, 2: HALF}),
        ("go: {for: hero, play: strike, victim: foe}", "hp of x", {0: HALF, 2: HALF}),
        ("go: {for: hero, play: strike, victim: foe}", "foe of x is a", {True: 1}),
        ("go: {for: villain, play: strike, striker: foe}", "hp of x", {0: HALF, 2: HALF}),
        ("go: {for: squire, play: strike, victim: foe}", "die of b is nobody", {True: 1}),  # he has no foe
        ("go: {each: unit, play: strike, victim: foe}", "hp of x", {0: HALF, 2: HALF}),
        ("go: {each: unit, play: strike, victim: villain}", "hp of x is 0", {True: Fraction(13, 16), False: Fraction(3, 16)}),
        ("go: {play: exchange, striker: hero, victim: villain}", "hp of a", {3: HALF + HALF * HALF, 2: HALF * HALF}),
        ("go: {play: exchange, striker: hero, victim: villain}", "die of x is nobody", {True: HALF, False: HALF}),
        ("go: {for: hero, play: strike, victim: whoever of other units of side has lowest hp}", "hp of b",
         {0: HALF, 1: HALF}),
        ("go: {play: to-him, striker: hero, victim: villain}", "hp of x", {0: 1}),
        ("go: {play: to-a-unit, striker: hero, victim: villain}", "hp of x", {0: 1}),  # and the hero strikes, as outside
        ("go: {play: to-a-name, striker: hero, victim: villain}", "hp of x", {0: 1}),
        ("go: {play: by-him, striker: hero, victim: villain}", "hp of x", {0: 1}),
        ("go: {play: turned, striker: hero, victim: villain}", "hp of a", {2: 1}),
        ("go: {for: hero, play: all-others}", "total hp of units", {6: 1}),
        ("go: {each: unit, play: all-others}", "hp of a", {0: 1}),
    ],
)  # fmt: skip
def test_the_row_says_who_plays_which_role(rows: str, question: str, expected: dict[Any, Fraction]) -> None:
    assert both(rows, question) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("alone of a", False),
        ("alone of x", True),
        ("stronger of b", 1),
        ("stronger of a", 0),
        ("rest of a", 1),
        ("rest of x", 0),
        ("number of enemies of red", 1),
        ("number of enemies of blue", 2),
        ("number of enemies of green", 1),
        ("number of targets of x", 3),
        ("number of targets of a", 1),
        ("u is in targets of a", False),
    ],
)
def test_who_is_another_and_who_an_enemy(question: str, expected: Any) -> None:
    assert both("go: {for: hero, do: gain ready}", question) == {expected: 1}


@pytest.mark.parametrize(
    ("rows", "code", "said"),
    [
        ("go: {play: strike, striker: hero, victim: attacker}", "wrong-type", "attacker"),
        ("go: {play: strike, striker: hero}", "unknown-name", "strike"),
        ("go: {for: hero, play: strike}", "two-readings", "strike"),
        ("go: {for: hero, play: strike, striker: unit}", "unknown-name", "strike"),  # not at himself
        ("go: {play: strike, striker: hero, victim: hero or villain}", "wrong-type", "hero or villain"),
        ("go: {play: strike, striker: hero, victim: not villain}", "wrong-type", "not villain"),
        ("go: {each: other unit of attacker, do: gain ready}", "unknown-name", "other unit of attacker"),
    ],
)
def test_what_is_no_role(rows: str, code: str, said: str) -> None:
    with pytest.raises(Faulty) as caught:
        both(rows, "hp of a")
    fault = caught.value.diagnostics[0]
    assert fault.code == code and fault.span is not None and fault.span.text == said and fault.help


@pytest.mark.parametrize(
    ("was", "now", "code", "said"),
    [
        ("about: {{striker: unit, victim: unit}}, is", "about: {{striker: side, victim: unit}}, is",
         "ambiguous-name", "side"),
        ("about: {{striker: unit, victim: unit}}, is", "about: {{striker: units, victim: unit}}, is",
         "unknown-name", "units"),
    ],
)  # fmt: skip
def test_a_role_is_of_one_kind(was: str, now: str, code: str, said: str) -> None:
    rules = RULES.replace(was, now, 1)
    assert rules != RULES
    ruleset = read_ruleset(mapping(rules.format(rows="go: {for: hero, do: gain ready}")), Faults(), ())
    (fault,) = check_members(ruleset).diagnostics
    assert fault.code == code and fault.span is not None and fault.span.text == said
