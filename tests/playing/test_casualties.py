"""Lots among counters that become others, turn after turn to the end: what is printed on a counter stands there
together, and of who has left nothing is told apart. The chances against a recursion by hand."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from closecombat.binding.charts import Bound
from closecombat.playing.fight import asked, begin, fight, go
from closecombat.proving.carrying_out.prove import as_fractions, plan
from closecombat.reading.ruleset import read_ruleset
from closecombat.reading.stack import as_mapping
from closecombat.text.document import parse
from closecombat.text.faults import Faults, Faulty
from closecombat.text.nodes import Text
from closecombat.text.source import Source

RULES = """
ruleset: shelled
language: 1
start: shelling
kinds:
  fight: {one: yes, given: {defender: a side}, noted: {fell: 0 to 9}}
  side:
    given: {units: {are: units, each: unit}}
    noted: {hit: {are: units, each: casualty}}
    rolled: {throw: one}
  unit:
    printed: {class: [squad, half-squad, crew], firepower: 0 to 9, half: a counter or nobody}
    given: {side: a side}
    noted: {hurt: 0 to 9}
counters:
  unit:
    columns: [class, firepower, half]
    rows:
      squad-4: [squad, 4, half-2]
      half-2:  [half-squad, 2, nobody]
      crew-1:  [crew, 1, nobody]
dice: {one: d6}
tables:
  effect:
    about: side
    words: [none, some, all]
    one-of:
      all:  {throw: 6, is: all}
      some: {throw: 4 to 5, is: some}
      none: {throw: at most 3, is: none}
sequences:
  shelling:
    again: {until: no unit of defender, at-most: unbounded}
    in-order:
      rolls: {for: defender, roll: throw}
      score: {for: defender, effect: all, do: set fell to number of units of defender where (class is squad)}
      all:   {each: unit, effect of defender: all, do: leave}
      some:  {for: defender, effect: some, play: losses}
  losses:
    about: side
    in-order:
      lots: {single-out: hit, from: unit of side}
      loss: {play: loss}
  loss:
    about: side
    at-once:
      gone:    {each: casualty, class: half-squad, do: leave}
      reduced: {each: casualty, class: squad, do: become half}
"""


def bound(rules: str = RULES) -> Bound:
    faults = Faults()
    ruleset = read_ruleset(as_mapping(parse(Source("<rules>", rules))), faults)
    faults.raise_if_any()
    return Bound(ruleset)


def chances(rules: str, units: str, question: str) -> tuple[dict[tuple[object, ...], Fraction], int]:
    """What a question has for answers at the end of a fight, and how many states were come to."""
    text = f"situation: {{fight: {{defender: d}}, sides: {{d: {{units: {{{units}}}}}}}}}"
    run = begin(fight(bound(rules), as_mapping(parse(Source("<fight>", text)))), None)
    go(run)
    sentence = parse(Source("<question>", question))
    assert isinstance(sentence, Text)
    wanted, _ = asked(run, sentence)
    seen = [0]
    found = plan(run.shop, run.draft.steps, [wanted]).run(lambda done, left: seen.append(done))
    return as_fractions(*found), max(seen)


def drawn(number: int) -> Iterator[tuple[tuple[bool, ...], Fraction]]:
    """Who of so many throws highest with a die each."""
    for faces in product(range(1, 7), repeat=number):
        yield tuple(face == max(faces) for face in faces), Fraction(1, 6**number)


@cache
def by_hand(squads: int, halves: int) -> dict[int, Fraction]:
    """How many squads fall as such."""
    if squads + halves == 0:
        return {0: Fraction(1)}
    out = {squads: Fraction(1, 6)}
    stays = Fraction(3, 6)
    for hit, chance in drawn(squads + halves):
        reduced = sum(hit[:squads])
        after = by_hand(squads - reduced, halves - sum(hit[squads:]) + reduced)
        for fell, then in after.items():
            out[fell] = out.get(fell, Fraction(0)) + Fraction(2, 6) * chance * then
    return {fell: share / (1 - stays) for fell, share in out.items()}


@pytest.mark.parametrize("number", [1, 2, 3])
def test_the_chances_and_no_state_but_by_who_is_left(number: int) -> None:
    units = ", ".join(f"u{i}: {{counter: squad-4}}" for i in range(number))
    found, states = chances(RULES, units, "fell")
    assert found == {(fell,): share for fell, share in by_hand(number, 0).items()}
    left = [(squads, halves) for squads in range(number + 1) for halves in range(number + 1 - squads)]
    assert states == len(left) - 1  # all but that nobody is left, whoever was hit when


@cache
def who_was_hit(steps: int, last: tuple[bool, bool]) -> dict[tuple[int], Fraction]:
    """How many are hit in the end of a squad of two steps and a crew that only a 6 kills: each by the last lots that he
    was in."""
    out: dict[tuple[int], Fraction] = {(sum(last),): Fraction(1, 6)}
    stays = Fraction(3, 6)
    for hit, chance in drawn(2 if steps else 1):
        now = (hit[0], hit[1]) if steps else (last[0], True)
        after = steps - now[0] if steps else 0
        if (after, now) == (steps, last):
            stays += Fraction(2, 6) * chance
            continue
        for end, then in who_was_hit(after, now).items():
            out[end] = out.get(end, Fraction(0)) + Fraction(2, 6) * chance * then
    return {end: share / (1 - stays) for end, share in out.items()}


def test_of_who_has_left_it_is_told_apart_what_is_asked() -> None:
    found, _ = chances(RULES, "u1: {counter: squad-4}, u2: {counter: crew-1}", "number of hit of defender")
    assert found == who_was_hit(2, (False, False))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("class: squad, do: become half}", "class: half-squad, do: become half}"),  # which has none
        (
            "class: half-squad, do: leave}",
            "hurt: 0, do: set class to squad}",
        ),  # what is printed no more stands together
    ],
)
def test_a_counter_without_a_half_is_told(old: str, new: str) -> None:
    rules = RULES.replace(old, new)
    assert rules != RULES
    with pytest.raises(Faulty) as caught:
        chances(rules, "u1: {counter: squad-4}, u2: {counter: half-2}", "fell")
    assert caught.value.codes == {"no-value"}


def test_what_a_situation_says_otherwise_does_not_stand_on_a_counter() -> None:
    with pytest.raises(Faulty) as caught:
        chances(RULES, "u1: {counter: half-2, class: squad, firepower: 2}", "fell")
    assert caught.value.codes == {"no-value"}


def test_what_a_later_row_makes_of_a_counter_is_known_from_the_first_pass_on() -> None:
    """A half-squad that is hurt becomes a crew, and a crew has no half."""
    later = "      crew: {each: unit, class: half-squad, throw of defender: 3, do: become crew-1}\n"
    rules = RULES.replace("      some:  {for", later + "      some:  {for").replace(
        "class: squad, do", "class: not half-squad, do"
    )
    with pytest.raises(Faulty) as caught:
        chances(rules, "u1: {counter: squad-4}, u2: {counter: squad-4}", "fell")
    assert caught.value.codes == {"no-value"}
