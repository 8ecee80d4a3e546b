"""Carries out a program for every fall of the dice at once: the exact joint distribution of what is asked.

What is done depends on the program alone, so it is worked out once, in a `Plan`; running it is loops over dicts
with integer weights. A throw of few dice is answered by the least that is asked of it: falls that no later step can
tell apart are one answer.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import TypeVar

from closecombat.proving.carrying_out import operations as o
from closecombat.proving.carrying_out.operations import branch
from closecombat.proving.carrying_out.plan import MANY_VALUES, Operation, Plan
from closecombat.proving.carrying_out.setting import set_in_turn
from closecombat.proving.programs import program as p
from closecombat.proving.values.symbolic import Sym, Value, Workshop
from closecombat.text.faults import Bug

Key = TypeVar("Key")


def plan(shop: Workshop, steps: Sequence[p.Step], wanted: Sequence[Value], without: Collection[str] = ()) -> Plan:
    """A program made ready; `run()` gives {values of what was wanted: weight} and the denominator. Passes can be left
    out by name: without `sinking` each value is worked out where it stands, slower by and large, but the dice behind
    it are forgotten there."""
    return Plan(_operation, shop, steps, wanted, without)


def _operation(plan: Plan, steps: Sequence[p.Step], after: frozenset[Sym]) -> Operation:
    """What one step does, or some values that are set together, where `after` is still read later."""
    match steps[0]:
        case p.Let(var) as let if var in plan.packed:
            return o.counted(plan, let, after)
        case p.Let():
            lets = [step for step in steps if isinstance(step, p.Let)]
            return (set_in_turn if len(lets) >= MANY_VALUES and not plan.frame.looping else o.set_values)(
                plan, lets, after
            )
        case p.Throw(var, falls):
            return o.throw(plan, var, falls)
        case p.PoolThrow(pool):
            return o.pool_throw(plan, pool, after)
        case p.Lots() as step:
            return o.lots_drawn(plan, step, after)
        case p.Draw() as step:
            return o.card_drawn(plan, step, after)
        case p.Must() as step:
            return o.looked_at(plan, step)
        case p.Branch() as step:
            return branch(plan, step, after)
        case p.Loop() as step:
            from closecombat.proving.carrying_out.loop import loop  # most programs have none

            return loop(plan, step, after)
    raise Bug(repr(steps))


def as_fractions(table: Mapping[Key, int], den: int) -> dict[Key, Fraction]:
    """The chance of whatever has a weight."""
    return {row: Fraction(w, den) for row, w in table.items() if w}
