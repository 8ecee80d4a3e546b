"""Fights to their end whose state decides what is done at all: the exact chances against equations solved by hand."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest

from closecombat.asking.exact.answers import SIDES
from closecombat.asking.exact.chances import work_out
from closecombat.binding.charts import Bound
from closecombat.playing.fight import begin, fight, go
from closecombat.proving.throws.dice import SeededDice
from closecombat.reading.ruleset import read_ruleset
from closecombat.reading.stack import as_mapping
from closecombat.text.document import parse
from closecombat.text.faults import Faults, Faulty
from closecombat.text.source import Source

RULES = """
ruleset: duels
language: 1
start: combat
rounds: {until: lost of defender is at least 2 or lost of attacker is at least 2}
kinds:
  fight: {one: yes, given: {attacker: a side, defender: a side}}
  side:
    given: {enemy: the other side, hero: a hero or nobody}
    noted: {lost: 0 to 2}
    rolled: {throw: one}
  hero: {plural: heroes, given: {side: a side}, noted: {might: {is: 0 to 3, default: 3}}}
dice: {one: d6}
sequences:
  combat:
    in-order:
      duel:  {each: side, hero: not nobody, play: duel}
      blow:  {for: defender, roll: throw}
      hurt:  {for: defender, throw: at least 4, do: add 1 to lost of enemy}
      other: {for: defender, throw: at most 2, do: add 1 to lost}
      falls: {for: attacker, throw of defender: 6, do: set hero to nobody}
  duel:
    about: side
    in-order:
      strong: {for: side, might of hero: at least 2, play: strike}
  strike:
    about: side
    in-order:
      cast: {for: side, roll: throw}
      hit:  {for: side, throw: 6, do: add 1 to lost of enemy}
outcomes: {about: side, words: [won, lost], first-of: {lost: {lost: 2, is: lost}}, otherwise: won}
"""
FIGHT = "situation: {fight: {attacker: red, defender: blue}, sides: {red: {hero: r}, blue: {hero: b}}, heroes: {r: {side: red}, b: {side: blue}}}"


def pass_from(red: int, blue: int, stands: bool) -> dict[tuple[int, int, bool], Fraction]:
    """One round by hand: what each has lost, and whether red's hero still stands; blue's always does."""
    out: dict[tuple[int, int, bool], Fraction] = {}
    casts = range(1, 7) if stands else [0]
    for cast in casts:
        for answer in range(1, 7):
            for blow in range(1, 7):
                end = (
                    min(2, red + (answer == 6) + (blow >= 4)),
                    min(2, blue + (cast == 6) + (blow <= 2)),
                    stands and blow != 6,
                )
                out[end] = out.get(end, Fraction(0)) + Fraction(1, 36 * len(casts))
    return out


@cache
def ends(red: int, blue: int, stands: bool) -> dict[tuple[str, str], Fraction]:
    """How it ends from a state; none is come back to but by staying in it."""
    goes = pass_from(red, blue, stands)
    stays = goes.pop((red, blue, stands), Fraction(0))
    out: dict[tuple[str, str], Fraction] = {}
    for (r, b, s), chance in goes.items():
        words = ("lost" if r == 2 else "won", "lost" if b == 2 else "won")
        for end, then in {words: Fraction(1)}.items() if 2 in (r, b) else ends(r, b, s).items():
            out[end] = out.get(end, Fraction(0)) + chance / (1 - stays) * then
    return out


def test_what_fails_where_nobody_asks_it_decides_nothing() -> None:
    """Whose hero is nobody has no might: that is asked only of a hero, though the state on its own could tell."""
    faults = Faults()
    ruleset = read_ruleset(as_mapping(parse(Source("<rules>", RULES))), faults)
    faults.raise_if_any()
    found = work_out(fight(Bound(ruleset), as_mapping(parse(Source("<fight>", FIGHT)))), SIDES, until_resolved=True)
    told = {(one.sides["red"], one.sides["blue"]): one.probability for one in found.outcomes}
    assert told == ends(0, 0, True)


TO_AND_FRO = """
ruleset: turns
language: 1
start: combat
rounds: {until: any side where (won), between: turn}
kinds:
  fight: {one: yes, given: {attacker: a side, defender: a side}, noted: {begun: flag, keeps: flag}}
  side: {given: {enemy: the other side}, noted: {won: flag}, rolled: {throw: one}}
dice: {one: d6}
sequences:
  combat:
    in-order:
      cast: {for: attacker, roll: throw}
      hit:  {for: attacker, throw: 6, do: gain won}
      kept: {throw of attacker: 5, begun: yes, do: gain keeps}
  turn:
    in-order:
      pass:  {keeps: no, play: other-side}
      again: {do: [lose keeps, gain begun]}
  other-side:
    at-once:
      a: {do: set attacker to defender}
      b: {do: set defender to attacker}
outcomes: {about: side, words: [won, lost], first-of: {won: {won: yes, is: won}}, otherwise: lost}
"""


def first_wins(rules: str) -> Fraction:
    faults = Faults()
    ruleset = read_ruleset(as_mapping(parse(Source("<rules>", rules))), faults)
    faults.raise_if_any()
    text = "situation: {fight: {attacker: red, defender: blue}, sides: {red: {}, blue: {}}}"
    found = work_out(fight(Bound(ruleset), as_mapping(parse(Source("<fight>", text)))), SIDES, until_resolved=True)
    return found.verdicts["red"]["won"]


def test_a_turn_that_always_passes() -> None:
    """The first of two who throws a six."""
    assert first_wins(TO_AND_FRO.replace("begun: yes,", "begun: yes, won of attacker: yes,")) == Fraction(6, 11)


def test_a_turn_that_need_not_pass() -> None:
    """Who throws a five goes on, but in the first round. With p for who has the turn, p = 1/6 + 1/6 p + 4/6 (1 - p), so
    that p = 5/9; and red wins with 1/6 + 5/6 (1 - p)."""
    assert first_wins(TO_AND_FRO) == Fraction(29, 54)


@pytest.mark.parametrize("played", [True, False])
def test_a_fight_without_end_is_told_where_the_rules_say_when_it_is_over(played: bool) -> None:
    rules = TO_AND_FRO.replace("any side where (won), between: turn", "number of sides is 3")
    ruleset = read_ruleset(as_mapping(parse(Source("<rules>", rules))), Faults())
    text = "situation: {fight: {attacker: red, defender: blue}, sides: {red: {}, blue: {}}}"
    there = fight(Bound(ruleset), as_mapping(parse(Source("<fight>", text))))
    with pytest.raises(Faulty) as caught:
        if played:
            go(begin(there, SeededDice(1)), until_resolved=True)
        else:
            work_out(there, SIDES, until_resolved=True)
    (one,) = caught.value.diagnostics
    assert one.code == "loop-without-end" and one.span is not None and one.span.text == "number of sides is 3"


def test_rounds_without_dice_that_come_back_to_what_was_are_told_at_once() -> None:
    """Two sides take turns, and nobody ever does anything else: after two rounds all is as it was."""
    rules = """
ruleset: waiting
language: 1
start: wait
rounds: {until: patience is 0, between: pass}
kinds:
  fight: {one: yes, given: {attacker: a side}, noted: {patience: {is: 0 to 9, default: 9}}}
  side: {given: {enemy: the other side}}
sequences:
  wait: {in-order: {on: {do: add 1 to patience}}}
  pass: {in-order: {turn: {do: set attacker to enemy of attacker}}}
"""
    ruleset = read_ruleset(as_mapping(parse(Source("<rules>", rules))), Faults())
    text = "situation: {fight: {attacker: red}, sides: {red: {}, blue: {}}}"
    with pytest.raises(Faulty) as caught:
        go(begin(fight(Bound(ruleset), as_mapping(parse(Source("<fight>", text)))), SeededDice(1)), until_resolved=True)
    (one,) = caught.value.diagnostics
    assert one.code == "loop-without-end" and "after 3 rounds" in one.message
