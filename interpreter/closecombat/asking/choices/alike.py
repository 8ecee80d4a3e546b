"""Units that are alike: exchanged for each other they leave the state as it is, so what is declared of one may as well
be declared of the other. What differs only by such an exchange is tried once.

They are alike by the state alone. Rules that go by the order of the situation may still tell them apart: whoever relies
on them holds one of each sort against another (`declaring`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from itertools import permutations, product
from math import factorial
from types import MappingProxyType
from typing import Any, TypeAlias

from closecombat.asking.choices.allowed import Given
from closecombat.playing.run import Run
from closecombat.reading.types import Thing

MOST_ALIKE = 5_000  # ways to exchange units that are alike

Things: TypeAlias = tuple[Given, ...]  # what is declared together
Exchange: TypeAlias = Mapping[Thing, Thing]
Form: TypeAlias = frozenset[Any]
NOBODY: Exchange = MappingProxyType({})


def exchanges_of(run: Run) -> tuple[Exchange, ...]:
    """Every way to exchange things that are alike: the state is the same then. Only the first few are tried."""
    sorts: list[list[Thing]] = []
    for thing in run.state.things.values():
        for sort in sorts:
            if sort[0].kind == thing.kind and _is_same(run, {sort[0]: thing, thing: sort[0]}):
                sort.append(thing)
                break
        else:
            sorts.append([thing])
    several = [sort for sort in sorts if len(sort) > 1]
    ways = 1
    for sort in several:
        ways *= factorial(len(sort))
    if ways > MOST_ALIKE:
        return (NOBODY,)
    return tuple(
        {one: other for sort, way in zip(several, orders, strict=True) for one, other in zip(sort, way, strict=True)}
        for orders in product(*(permutations(sort) for sort in several))
    )


def _is_same(run: Run, exchange: Exchange) -> bool:
    slots = run.held
    if any(run.state.counters.get(one) != run.state.counters.get(other) for one, other in exchange.items()):
        return False
    for slot, value in slots.items():
        other = slots.get(_exchanged(slot, exchange), slots)
        if other is slots or _exchanged(value, exchange) != other:
            return False
    return True


def _exchanged(value: Any, exchange: Exchange) -> Any:
    """A value, or a place in the state, in which things are exchanged for others."""
    if isinstance(value, Thing):
        return exchange.get(value, value)
    if isinstance(value, tuple):
        return tuple(_exchanged(one, exchange) for one in value)
    if is_dataclass(value) and not isinstance(value, type):
        names = [one.name for one in fields(value)]
        held = [getattr(value, name) for name in names]
        if any(isinstance(one, Thing | tuple) for one in held):
            return type(value)(*(_exchanged(one, exchange) for one in held))
    return value


def form_of(things: Things) -> Form:
    """What is declared, in whatever order."""
    return frozenset(Counter(_line(one) for one in things).items())


def _line(one: Given) -> frozenset[Any]:
    said = ((name, value) for name, value in one.items() if value not in ((), None))
    return frozenset((name, frozenset(value) if isinstance(value, tuple) else value) for name, value in said)


def moved(things: Things, exchange: Exchange) -> Form:
    return form_of(tuple({name: _exchanged(value, exchange) for name, value in one.items()} for one in things))


def sorts_of(sets: Iterable[Things], exchanges: Sequence[Exchange]) -> list[list[Things]]:
    """Declarations that differ only by an exchange, together."""
    found: dict[Form, list[Things]] = {}
    for things in sets:
        form = form_of(things)
        if form not in found:
            sort: list[Things] = []
            for exchange in exchanges:
                found[moved(things, exchange)] = sort
        found[form].append(things)
    out: dict[int, list[Things]] = {id(sort): sort for sort in found.values() if sort}
    return list(out.values())
