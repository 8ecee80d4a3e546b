"""What counts as a change, of whomever it is noted."""

from fractions import Fraction
from typing import Any

import pytest

from closecombat.asking.exact.chances import work_out
from closecombat.asking.played.resolution import resolve
from closecombat.binding.charts import Bound
from closecombat.playing import fight as f
from closecombat.proving.throws.dice import ScriptedDice
from closecombat.reading.ruleset import read_ruleset
from closecombat.reading.slots import FactOf
from closecombat.reading.stack import as_mapping
from closecombat.text.document import parse
from closecombat.text.faults import Faults, Faulty
from closecombat.text.source import Source

RULES = """\
ruleset: tug
language: 1
start: pull
kinds:
  rope: {{one: yes, given: {{leader: a side}}, noted: {{torn: {flag}}}}}
  side: {{given: {{enemy: the other side}}, rolled: {{grip: one-die}}, noted: {{slips: {number}}}}}
dice: {{one-die: d6}}
sequences:
  pull:
    in-order:
      grip: {{for: leader, roll: grip}}
      slip: {{for: leader, grip: at most 2, do: add 1 to slips}}
      tear: {{for: rope, grip of leader: 6, do: gain torn}}
outcomes: {{about: side, words: [unharmed, shaken, reduced, driven-off, destroyed, locked], otherwise: unharmed, first-of: {{no-grip: {{grip: nobody, is: locked}}}}}}
"""
SITUATION = "situation: {rope: {leader: red}, sides: {red: {}, blue: {}}}\n"


def made(rules: str, situation: str) -> f.Fight:
    faults = Faults()
    ruleset = read_ruleset(as_mapping(parse(Source("r.yaml", rules))), faults)
    faults.raise_if_any()
    return f.fight(Bound(ruleset), as_mapping(parse(Source("e.yaml", situation))))


def fight(hidden: bool) -> f.Fight:
    flag, number = ("{is: flag, shown: no}", "{is: 0 to 9, shown: no}") if hidden else ("flag", "0 to 9")
    return made(RULES.format(flag=flag, number=number), SITUATION)


def test_ends_that_differ_in_a_note_of_a_side_or_of_the_fight_are_told_apart() -> None:
    found = [(str(one.probability), dict(one.units)) for one in work_out(fight(hidden=False)).outcomes]
    assert found == [("1/2", {}), ("1/3", {"red": {"slips": 1}}), ("1/6", {"rope": {"torn": True}})]


@pytest.mark.parametrize(("die", "units"), [(1, {"red": {"slips": 1}}), (4, {}), (6, {"rope": {"torn": True}})])
def test_a_note_of_a_side_or_of_the_fight_is_told(die: int, units: dict[str, Any]) -> None:
    assert resolve(fight(hidden=False), ScriptedDice([(die, None)])).units == units


def test_what_is_not_shown_is_not_told() -> None:
    assert [dict(one.units) for one in work_out(fight(hidden=True)).outcomes] == [{}]
    assert resolve(fight(hidden=True), ScriptedDice([(1, None)])).units == {}


# ---- the same is declared by default more than once ----------------------------------------------------------

TWICE = """\
ruleset: twice
language: 1
start: combat
kinds:
  field: {one: yes, given: {first: a side}}
  side:
    given: {enemy: the other side, units: {are: units, each: unit}, shots: {are: shots, each: shot}}
    rolled: {die: one-die}
    noted: {hits: 0 to 9}
  unit: {given: {side: a side}, noted: {spent: flag}}
  shot: {given: {side: a side}, chosen: {shooters: {are: units, each: shooter}}}
dice: {one-die: d2}
sequences:
  combat:
    in-order:
      early: {for: first, roll: die}
      tired: {each: unit, die of first: 1, do: gain spent}
      salvo: {play: salvo}
      again: {play: salvo}
      count: {each: side, do: add number of shots of side to hits}
  salvo:
    in-order:
      fire:  {for: first, declare: shots, otherwise: {all: {shooters: units of side where (not spent)}}}
      spent: {each: unit, do: gain spent}
"""


def hits_of_red(run: Any) -> Any:
    return run.slots[FactOf(run.state.things["red"], "hits")]


def test_who_declares_nothing_the_next_time_keeps_what_he_has_declared() -> None:
    fought = made(TWICE, "situation: {field: {first: red}, sides: {red: {units: {a: {}}}, blue: {units: {x: {}}}}}\n")
    for die, hits in ((1, 0), (2, 1)):  # on a 1 nobody can ever shoot; on a 2 once, and that stays
        run = f.begin(fought, ScriptedDice([(die, None)]))
        f.go(run)
        assert hits_of_red(run) == hits
    run = f.begin(fought, None)
    f.go(run)
    assert f.distribution(run, [hits_of_red(run)]) == {(0,): Fraction(1, 2), (1,): Fraction(1, 2)}


def test_a_fight_that_is_begun_again_begins_as_it_did() -> None:
    again = fight(hidden=False)
    for _ in range(3):  # what is read once is not what is played
        assert resolve(again, ScriptedDice([(1, None)])).units == {"red": {"slips": 1}}
        run = f.begin(again, ScriptedDice([(6, None)]))
        assert [run.slots[FactOf(thing, "slips")] for thing in run.state.by_kind["side"]] == [0, 0]
        run.write(FactOf(run.state.things["blue"], "slips"), 7)


@pytest.mark.parametrize("broken", ["start: alone", "start: pull\nrounds: {until: torn, between: alone}", "start: no-such"])
def test_what_nobody_can_play_is_told_of_rules_that_nobody_has_checked(broken: str) -> None:
    rules = RULES.format(flag="flag", number="0 to 3").replace("start: pull", broken)
    rules = rules.replace("outcomes:", "  alone: {about: side, in-order: {slip: {for: side, do: add 1 to slips}}}\noutcomes:")
    fight = made(rules, SITUATION + "combats: 2\n")
    with pytest.raises(Faulty) as told:
        resolve(fight, ScriptedDice([(1, None)]))
    [fault] = told.value.diagnostics
    assert fault.span is not None and fault.span.text in ("alone", "no-such")
