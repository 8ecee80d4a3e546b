"""Rulesets made up from seeds: however they are asked, the exact chances are those of playing every fall of the dice."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from closecombat.binding.charts import Bound
from closecombat.proving.carrying_out.prove import as_fractions
from closecombat.proving.carrying_out.prove import plan as exact_plan
from closecombat.proving.passes.knowing import where_known
from closecombat.proving.programs import program as p
from closecombat.proving.values.symbolic import Workshop, more_than
from closecombat.reading.ruleset import read_ruleset
from closecombat.reading.stack import as_mapping
from closecombat.text.document import parse, read_source
from closecombat.text.faults import Faults, Faulty
from random_programs import Programs, carried_out
from two_readings import Case, case, difference, disagreement, exact, machinery, walked, ways_of_asking

# ---- the tests ---------------------------------------------------------------------------------------------

SEEDS = range(30)  # `two_readings.py` runs any number of them
PROGRAMS = range(200)
CASES = as_mapping(parse(read_source(Path(__file__).parent / "cases" / "readings.yaml")))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_ruleset_made_up_from_a_seed_is_read_as_it_is_played(seed: int) -> None:
    assert disagreement(seed) == ""


@pytest.mark.parametrize("name", as_mapping(CASES.get("cases")).keys())
def test_a_case_is_read_as_it_is_played(name: str) -> None:
    one = as_mapping(as_mapping(CASES.get("cases")).get(name))
    own = {"situation", "questions"}
    rules, situation = as_mapping(CASES.get("rules")), one.entry("situation") or CASES.entry("situation")
    faults = Faults()
    ruleset = read_ruleset(
        replace(rules, entries=(*rules.entries, *(entry for entry in one.entries if entry[0].value not in own))),
        faults,
        (),
    )
    faults.raise_if_any()
    questions = [text.value for text in one.get("questions").items]
    assert situation is not None
    small = Case(Bound(ruleset), replace(one, entries=(situation,)), ways_of_asking(questions))
    assert difference(small, *walked(small, 1_500)) == ""


@pytest.mark.parametrize("seed", PROGRAMS)
def test_a_program_made_up_from_a_seed_is_carried_out_as_by_hand(seed: int) -> None:
    made = Programs(seed)
    by_hand = carried_out(made, 1_000)
    assert by_hand is not None, "more than 1,000 ways to carry it out"
    with machinery("groups" if seed % 2 else ""):
        table, den = exact_plan(made.shop, made.steps, made.wanted).run()
    assert as_fractions(table, den) == by_hand


@pytest.mark.parametrize("seed", PROGRAMS[::4])
def test_where_a_throw_is_known_the_rest_is_as_by_hand(seed: int) -> None:
    made = Programs(seed)
    throws = [step for step in made.steps if isinstance(step, p.Throw)]
    if not throws:
        return
    throw = made.pick(throws)
    made.wanted.append(throw.var)
    by_hand = carried_out(made, 1_000)
    assert by_hand is not None
    for fall in {fall for fall, _ in throw.outcomes}:
        there = {row[:-1]: chance for row, chance in by_hand.items() if row[-1] == fall}
        table, den = exact_plan(made.shop, *where_known(made.shop, made.steps, made.wanted[:-1], {throw.var: fall})).run()
        assert as_fractions(table, den) == {row: chance / sum(there.values()) for row, chance in there.items()}


SITUATION = "situation: {fight: {attacker: one}, sides: {one: {}, two: {}}}"
FORGETFUL = """
ruleset: forgetful
title: Forgetful
about: A die of the last pass is asked for.
language: 1
start: combat
kinds:
  fight: {one: yes, given: {attacker: a side}, noted: {turn: 0 to 9}, rolled: {die: one}}
  side: {given: {enemy: the other side}}
dice: {one: d2}
sequences:
  combat:
    again: {until: turn is at least 2, at-most: unbounded}
    in-order: {turn: {do: add 1 to turn}, roll: {turn: 1, roll: die}}
"""


def test_dice_that_a_repetition_has_forgotten_are_not_taken_for_nobody() -> None:
    small = case(FORGETFUL, SITUATION, ["die is 2"])
    assert walked(small, 10)[0]["die is 2"].ends == {(True,): Fraction(1, 2), (False,): Fraction(1, 2)}
    with pytest.raises(Faulty, match="forgotten by then") as caught:
        exact(small, "die is 2")
    assert caught.value.codes == {"budget-exceeded"}


def test_the_row_that_asks_for_dice_of_an_earlier_pass_is_told() -> None:
    text = FORGETFUL.replace("roll: die}}", "roll: die}, late: {turn: 2, die: 2, do: add 1 to turn}}")
    with pytest.raises(Faulty, match="forgotten by then") as caught:
        exact(case(text, SITUATION, ["turn is 3"]), "turn is 3")
    (told,) = caught.value.diagnostics
    assert [(span.text, said) for span, said in told.labels] == [("die", "it is asked for here")]


def test_dice_of_a_bounded_repetition_are_told_as_long_as_its_end_is_known() -> None:
    bounded = case(FORGETFUL.replace("unbounded", "99"), SITUATION, ["die is 2"])
    assert exact(bounded, "die is 2") == {(True,): Fraction(1, 2), (False,): Fraction(1, 2)}


@pytest.mark.parametrize("passes", [1, 2, 3, 60, 1000])
def test_however_many_passes_a_die_may_bring_on_the_chances_are_the_same(passes: int) -> None:
    rules = FORGETFUL.replace("turn is at least 2", "gone").replace("turn: 0 to 9", "gone: flag")
    rows = "{roll: {roll: die}, gone: {die: 2, do: gain gone}}"
    rules = rules[: rules.index("    in-order:")].replace("unbounded", str(passes)) + f"    in-order: {rows}\n"
    never = Fraction(1, 2**passes)
    assert exact(case(rules, SITUATION, ["gone"]), "gone") == {(True,): 1 - never, (False,): never}


def test_a_fight_without_an_end_says_where_it_goes_on() -> None:
    rules = FORGETFUL.replace("turn is at least 2", "gone").replace("turn: 0 to 9", "turn: 0 to 9, gone: flag")
    rows = "{roll: {turn: 0, roll: die}, free: {turn: 0, die: 1, do: gain gone}, turn: {do: add 1 to turn}}"
    rules = rules[: rules.index("    in-order:")] + f"    in-order: {rows}\n"
    small = case(rules, SITUATION, ["gone"])
    with pytest.raises(Faulty) as caught:
        exact(small, "gone")
    assert caught.value.codes == {"loop-without-end"}
    assert "goes on for ever where turn of fight is 9" in caught.value.diagnostics[0].help


def test_things_that_every_pass_brings_are_too_many() -> None:
    rules = FORGETFUL.replace("side: {given: {", "side: {given: {units: {are: units, each: unit}, ") + (
        "counters: {unit: {columns: [size], rows: {gun: [2]}}}\n"
    )
    rules = rules.replace("dice: {one", "  unit: {printed: {size: 0 to 3}}\ndice: {one")
    rules = rules.replace("roll: die}", "roll: die}, new: {for: attacker, die: 1, create: gun, into: units of side}")
    small = case(rules, "situation: {fight: {attacker: one}, sides: {one: {}, two: {}}}", [])
    with pytest.raises(Faulty, match="new things"):
        small.begin(None)


def test_a_long_choice_whose_arms_are_shared_is_gone_through_once() -> None:
    shop = Workshop()
    coin, second, third, out = (shop.variable() for _ in range(4))
    value = third
    for i in range(60):
        other = shop.if_(shop.lift(more_than, coin, 100 + i), value, second)
        value = shop.if_(shop.lift(more_than, coin, 200 + i), other, value)
    steps = [*(p.Throw(one, [(1, 1), (2, 1)]) for one in (coin, second, third)), p.Let(out, value)]
    table, den = exact_plan(shop, steps, [shop.lift(more_than, out, 1)]).run()
    assert as_fractions(table, den) == {(True,): Fraction(1, 2), (False,): Fraction(1, 2)}
