"""How a row is asked, of a table or a sequence: whom it looks at, in what order its tests, how often, and what is left.

Its tests are asked as they are written, and no further than the first that fails (`binding/row_tests` says which stand
before the one it looks at). What is left is a condition that is not known before the dice, True or False.

A row of a table asks for the members of its set once: nothing happens while a table is read. A row of a sequence that
stands in order asks afresh in each member's turn, the tests before him and the set itself, since what the row has done
for one may change what holds of the next.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from closecombat.binding.bound import BoundAct, BoundRow
from closecombat.binding.terms import Env, Members, Term
from closecombat.playing.reasons import Reader, tell_failed
from closecombat.proving.values.budget import MEMBER, TOLD
from closecombat.proving.values.symbolic import Sym, Value
from closecombat.reading.types import AThing, Thing
from closecombat.text.faults import Bug


def holds(
    world: Reader, row: BoundRow | BoundAct, env: Env, guard: Value, tests: tuple[Term, ...], number: int = 0
) -> Value:
    """The condition that is left of one, with tests that must hold as well; `number` is that of the first of them."""
    for i, test in enumerate(tests, number):
        if guard is False:
            break
        if type(guard) is Sym:
            guard = world.shop.and_(guard, world.shop.given(guard, partial(world.ask, test, env)))
        else:
            guard = world.shop.and_(guard, world.ask(test, env))
        guard = False if guard is None else guard  # a flag of nobody is not so
        if guard is False and world.recorder is not None:
            tell_failed(world, row, i, env)
    return guard


# ---- rows of a table --------------------------------------------------------------------------------------


def places(world: Reader, row: BoundRow, env: Env, free: Value) -> Iterator[tuple[Env, Value]]:
    """For whom a row holds, and under what condition, where it is not another that counts instead."""
    if row.each is None:
        guard = holds(world, row, env, free, row.tests)
        if guard is not False:
            yield env, guard
        return
    if row.first:
        free = holds(world, row, env, free, row.first)
    for member, is_in in world.shop.given(free, partial(world.ask_whom, row.each, env)) if free is not False else ():
        if world.recorder is not None:
            world.shop.budget.spend(TOLD)
        inner = {**env, row.each.each: member}
        guard = holds(world, row, inner, world.shop.and_(free, is_in), row.tests, len(row.first))
        if guard is not False:
            yield inner, guard


# ---- rows of a sequence -----------------------------------------------------------------------------------


def for_whom(world: Reader, act: BoundAct, env: Env, lazily: bool = False) -> Iterator[tuple[Env, Value]]:
    """The subjects a row is done for, and under what condition; asked of each afresh if the rows are in order."""
    free = holds(world, act, env, True, act.first)
    if free is False:
        return
    if act.each is not None:
        looked_at = act.each
        asked = world.changes
        members: Members = world.shop.given(free, partial(world.ask_whom, looked_at, env))
        world.shop.budget.spend(MEMBER * len(members))
        for member, is_in in members:
            inner = with_member(act, env, member)
            if lazily and world.changes != asked:
                asked = world.changes
                free, members = members_now(world, act, env, inner)
            yield from as_one_of(world, act, inner, free, members, member, is_in)
        return
    if act.who is not None:
        who, names = world.shop.given(free, partial(world.ask, act.who[0], env)), act.who[1]
        for one in world.shop.everyone(who):
            if one is not None:
                inner = {**env, **dict.fromkeys(names, one)}
                guard = world.shop.and_(free, world.shop.equal(who, one))
                guard = holds(world, act, inner, guard, act.tests, len(act.first))
                if guard is not False:
                    yield inner, guard
        return
    guard = world.recalled_of((id(act), "tests"), env, partial(holds, world, act, env, True, act.tests))
    if guard is not False:
        yield env, guard


def with_member(act: BoundAct, env: Env, member: Thing) -> Env:
    """Who is who where a row looks at a member: he goes by the name of his set, and of his kind if nobody else does."""
    if act.each is None:
        raise Bug("act.each is None")
    inner = {**env, act.each.each: member}
    for name, type_ in act.scope.looked_at.items():
        if name not in inner and isinstance(type_, AThing) and isinstance(member, Thing) and type_.kind == member.kind:
            inner[name] = member
    return inner


def members_now(world: Reader, act: BoundAct, env: Env, inner: Env) -> tuple[Value, Members]:
    """Whether the tests hold that stand before whom the row looks at, and who is in the set."""
    free = holds(world, act, inner, True, act.first)
    if free is False or act.each is None:
        return free, []
    return free, world.shop.given(free, partial(world.ask_whom, act.each, env))


def as_one_of(
    world: Reader, act: BoundAct, inner: Env, free: Value, members: Members, member: Thing, was_in: Value
) -> Iterator[tuple[Env, Value]]:
    """A member, and under what condition the row is done for him: that he `was_in` the set when the row was reached,
    and still is. Who has come into it since, by what was done for others, is not looked at."""
    is_in = next((g for m, g in members if m is member), False)
    is_still = is_in if is_in is was_in else world.shop.and_(was_in, is_in)
    guard = world.shop.and_(free, is_still)
    if guard is not False and act.tests:
        ask = partial(holds, world, act, inner, guard, act.tests, len(act.first))
        guard = ask() if guard is not True else world.recalled_of((id(act), "tests"), inner, ask)
    if guard is not False:
        yield inner, guard
