"""Small programs, made without any ruleset, and their chances: by the library, or one fall after the other."""

from collections.abc import Collection, Sequence
from fractions import Fraction
from types import SimpleNamespace

from closecombat.proving.carrying_out.prove import as_fractions, plan
from closecombat.proving.programs import program as p
from closecombat.proving.values.symbolic import Sym, Value, Workshop
from random_programs import carried_out

HALF = Fraction(1, 2)


def throw(shop: Workshop, faces: int) -> tuple[Sym, p.Step]:
    """One die of so many faces: its value, a number, and its throw."""
    var = shop.variable()
    shop.whole.add(var)
    return var, p.Throw(var, [(face, 1) for face in range(1, faces + 1)])


def let(shop: Workshop, value: Value) -> tuple[Sym, p.Step]:
    var = shop.variable()
    return var, p.Let(var, value)


def chances(shop: Workshop, steps: Sequence[p.Step], wanted: Sequence[Value], without: Collection[str] = ()) -> dict:
    return as_fractions(*plan(shop, steps, wanted, without).run())


def one_by_one(steps: Sequence[p.Step], wanted: Sequence[Value]) -> dict:
    """The same reckoned fall after fall of the dice."""
    found = carried_out(SimpleNamespace(steps=list(steps), wanted=list(wanted)), 10_000)
    assert found is not None
    return found
