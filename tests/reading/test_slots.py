"""Slots: two of different sorts are never one, whatever the facts are called."""

from fractions import Fraction
from itertools import combinations

import pytest

from closecombat.binding.charts import Bound
from closecombat.playing import fight as f
from closecombat.proving.throws.dice import ScriptedDice
from closecombat.reading.ruleset import read_ruleset
from closecombat.reading.slots import (
    CardsLeft,
    CardsOf,
    CounterOf,
    DeclaredBy,
    FactOf,
    InPlay,
    Member,
    Owed,
    PerWord,
    SumFor,
    TimesAsked,
    TimesLeft,
    words_for,
)
from closecombat.reading.stack import as_mapping
from closecombat.reading.types import Thing
from closecombat.text.document import parse
from closecombat.text.faults import Faults
from closecombat.text.source import Source

A, B = Thing("unit", "a", 0), Thing("unit", "b", 1)
NAMES = ("owes", "counter", "in-play", "declared by", "asked", "fact")
SLOTS = [
    InPlay(A),
    CounterOf(A),
    DeclaredBy(A),
    *(sort(A, name) for sort in (FactOf, Owed, TimesAsked) for name in NAMES),
    *(PerWord(A, name, "word") for name in NAMES),
    *(Member(A, name, B) for name in NAMES),
    CardsLeft("pack", "ace"),
    TimesLeft("strike"),
    CardsOf(A, "pack", "ace"),
    SumFor(FactOf(A, "owes")),
]


def test_no_two_of_different_sorts_are_one() -> None:
    assert all(one != other for one, other in combinations(SLOTS, 2))
    assert len(set(SLOTS)) == len(SLOTS)


@pytest.mark.parametrize(
    ("slot", "said"),
    [
        (FactOf(A, "hits"), ("hits", "a")),
        (PerWord(A, "hits", "left"), ("hits", "a")),
        (Member(A, "friends", B), ("friends", "a")),
        (InPlay(A), ("in-play", "a")),
        (CounterOf(A), ("counter", "a")),
        (Owed(A, "supper"), ("owes", "a")),
        (CardsLeft("pack", "ace"), ("ace", "pack")),
        (TimesLeft("strike"), ("repeat", "strike")),
        (CardsOf(A, "pack", "ace"), ("ace in pack", "a")),
    ],
)
def test_what_a_message_calls_it(slot: FactOf, said: tuple[str, str]) -> None:
    assert words_for(slot) == said


ODD = """
ruleset: odd
start: combat
obligations: [supper]
dies: {coin: [1, 2]}
dice: {toss: {die: coin}}
kinds:
  unit:
    rolled: {throw: toss}
    noted: {owes: 0 to 9, new: flag}
sequences:
  combat:
    in-order:
      toss: {each: unit, roll: throw}
      both: {each: unit, throw: 2, do: [add 3 to owes, gain new, owe supper]}
"""


def odd() -> f.Fight:
    faults = Faults()
    ruleset = read_ruleset(as_mapping(parse(Source("odd.yaml", ODD))), faults)
    faults.raise_if_any()
    return f.fight(Bound(ruleset), as_mapping(parse(Source("situation.yaml", "situation: {units: {a: {}}}"))))


def test_a_fact_may_be_called_as_what_is_no_fact() -> None:
    """`check` forbids it, since a result would have two lines of one name; played and proved it is told apart."""
    run = f.begin(odd(), ScriptedDice([(2, None)]))
    f.go(run)
    a = run.state.things["a"]
    assert run.slots[FactOf(a, "owes")] == 3 and run.slots[Owed(a, "supper")] is True and run.in_play(a) is True
    run = f.begin(odd(), None)
    f.go(run)
    a = run.state.things["a"]
    asked = [run.slots[slot] for slot in (FactOf(a, "owes"), Owed(a, "supper"))]
    assert f.distribution(run, asked) == {(0, False): Fraction(1, 2), (3, True): Fraction(1, 2)}
