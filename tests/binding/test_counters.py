"""Counters: what is printed on one is what a thing becomes, also what is printed word by word."""

from fractions import Fraction

from closecombat.binding.charts import Bound
from closecombat.playing import fight as f
from closecombat.proving.throws.dice import ScriptedDice
from closecombat.reading.ruleset import read_ruleset
from closecombat.reading.slots import CounterOf, FactOf, PerWord
from closecombat.reading.stack import as_mapping
from closecombat.text.document import parse
from closecombat.text.faults import Faults
from closecombat.text.source import Source

RULESET = """
ruleset: printed
start: combat
words: {arms: [sword, bow]}
dies: {coin: [1, 2]}
dice: {toss: {die: coin}}
counters:
  unit:
    columns: [skill, strength, worn]
    rows:
      fresh: [{sword: 3, bow: 2}, 7, tired]
      tired: [{bow: 1}, 4, tired]
kinds:
  unit:
    printed: {skill: {per: arms, is: 0 to 9}, strength: 0 to 9, worn: a counter}
    rolled: {throw: toss}
sequences:
  combat:
    in-order:
      toss: {each: unit, roll: throw}
      tire: {each: unit, throw: 2, do: become tired}
"""


def begun(dice: ScriptedDice | None) -> f.Run:
    faults = Faults()
    ruleset = read_ruleset(as_mapping(parse(Source("printed.yaml", RULESET))), faults)
    faults.raise_if_any()
    situation = "situation: {units: {a: {counter: fresh}}}"
    run = f.begin(f.fight(Bound(ruleset), as_mapping(parse(Source("situation.yaml", situation)))), dice)
    f.go(run)
    return run


def test_what_becomes_another_counter_is_what_is_printed_on_it() -> None:
    run = begun(ScriptedDice([(2, None)]))
    a = run.state.things["a"]
    assert run.slots[FactOf(a, "strength")] == 4 and run.slots[CounterOf(a)] == "tired"
    assert [run.slots[PerWord(a, "skill", word)] for word in ("sword", "bow")] == [0, 1]


def test_so_for_all_dice() -> None:
    run = begun(None)
    a = run.state.things["a"]
    asked = [run.slots[slot] for slot in (FactOf(a, "strength"), PerWord(a, "skill", "sword"))]
    assert f.distribution(run, asked) == {(7, 3): Fraction(1, 2), (4, 0): Fraction(1, 2)}
