"""Dice that are thrown once more without end: how much of their sum matters, and how likely each is.

**The problem.** A die of which every 6 is thrown once more can come to any sum at all. What is asked of it can not:
whether it is 12 or more, how many men are left when hits are taken from at most ten. From some number on it makes no
difference how far the dice have gone.

**The idea.** For each sum that somebody asks of such dice the least number is found from which on every expression of
the program that reads it comes to the same (`caps_of`, by the ends between which values lie). Sums are then counted up
to that number, which stands for all beyond it, and nothing is lost: the dice go on for ever, the states do not. Where a
state comes back to itself (a 6 is thrown once more, and 6 adds nothing to the number of 5s) its chance is that of a
geometric series, c / (1 - q), a fraction like any other.

*An example.* How many 5s and 6s does one die show of which 6s are thrown once more, if two are as good as ten? None: 4
of 6. One: a 5, or a 6 and then none, 1/6 + 1/6 * 4/6 = 5/18. Two or more: the rest, 1/18.

**Elsewhere.** Dice that explode so many times at most fall in so many ways, which `dice.part` writes down.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from graphlib import TopologicalSorter
from math import lcm
from typing import Any

from closecombat.proving import program as p
from closecombat.proving.dice import MOST_FALLS, Gathering, Part, Pool, Tally
from closecombat.proving.ranges import Range, ends, is_single, range_chosen, range_made, range_of, united
from closecombat.proving.symbolic import IF, Between, Sym, Value, Workshop
from closecombat.text.faults import Faulty

MOST_ASKED = 1_000  # up to which it is looked where a sum no longer matters


@dataclass(frozen=True, slots=True)
class Capped:
    """A sum that is counted up to `most`, which stands for all beyond it."""

    tally: Tally
    most: int

    nothing = 0

    def of(self, part: int, fall: Sequence[Any]) -> int:
        sum_of: int = self.tally.of(part, fall)
        return min(sum_of, self.most)

    def both(self, one: int, other: int) -> int:
        return min(one + other, self.most)

    def times(self, one: int, dice: int) -> int:
        return min(one * dice, self.most)

    def answer(self, gathered: int) -> int:
        return gathered


def caps_of(shop: Workshop, steps: Sequence[p.Step], wanted: Sequence[Value]) -> dict[Sym, int]:
    """For each sum of dice without end from where on it no longer matters; Faulty if there is no such number."""
    pools = [step.pool for step in p.every(steps) if isinstance(step, p.PoolThrow)]
    if not any(one.endless for pool in pools for one in pool.parts):
        return {}
    sums = {var: (tally, pool) for pool in pools for tally, var in pool.views.items() if isinstance(tally, Tally)}
    thrown = {var: _without_end(tally, pool) for var, (tally, pool) in sums.items()}
    others: dict[Sym, Range] = {
        var: Between(0, _reach(shop, tally, pool), True) for var, (tally, pool) in sums.items() if thrown[var] is None
    }
    return {var: _cap(shop, var, steps, wanted, others, dice) for var, dice in thrown.items() if dice is not None}


def _without_end(tally: Tally, pool: Pool) -> Part | None:
    """The dice that add to a sum each time that they are thrown once more, without end."""
    for i, one in enumerate(pool.parts):
        if one.endless and any(tally.of(i, (face,)) for face in one.explode):
            return one
    return None


def _reach(shop: Workshop, tally: Tally, pool: Pool) -> int | None:
    """The most that a sum with an end can come to, if it is known how many dice there are at most."""
    most = 0
    for i, one in enumerate(pool.parts):
        number = ends(range_of(shop, one.number))
        if number is None or number.high is None:
            return None
        most += max(int(number.high), 0) * max(tally.of(i, fall) for fall, _ in one.ways)
    return most


def _cap(
    shop: Workshop,
    var: Sym,
    steps: Sequence[p.Step],
    wanted: Sequence[Value],
    others: Mapping[Sym, Range],
    thrown: Part,
) -> int:
    def matters_beyond(most: int) -> bool:
        beyond = _Beyond(shop, {**others, var: Between(most, None, True)}, var)
        return not (beyond.goes_through(steps) and all(beyond.is_settled(one) for one in wanted))

    high = 1
    while high <= MOST_ASKED and matters_beyond(high):
        high *= 2
    if high > MOST_ASKED:
        raise no_end(thrown)
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if matters_beyond(middle) else (low, middle)
    return high


def no_end(thrown: Part) -> Faulty:
    """That what is asked of dice without end has none either, told where they are thrown."""
    said = f"the dice of {thrown.of}" if thrown.of else "dice"
    return Faulty.one(
        "budget-exceeded",
        f"{said} are thrown once more without end, and what is asked of them has no end either",
        thrown.place,
        help="bound them, `at-most: 10`; or ask no more than whether they come to so much, or take what they come to "
        "from a fact with a range",
    )


class _Beyond:
    """What values are where one variable is any number of a range: between which ends each lies, and whether it is
    settled, the same for all of these numbers, whatever else it hangs on."""

    def __init__(self, shop: Workshop, given: Mapping[Sym, Range], var: Sym) -> None:
        self.shop = shop
        self.set: dict[Sym, Range] = dict(given)  # the sums of dice, the variable among them, and all that is set
        self.known: dict[Sym, bool] = dict.fromkeys(given, True) | {var: False}  # whether each of these is settled
        self.ranges: dict[Sym, Range] = {}
        self.settled: dict[Sym, bool] = {}

    def goes_through(self, steps: Sequence[p.Step]) -> bool:
        """Whether all that these steps do, but for values that are only set, is settled."""
        return all(self._step(step) for step in steps)

    def _step(self, step: p.Step) -> bool:
        match step:
            case p.Let(var, value):
                self.set[var], self.known[var] = self.range(value), self.is_settled(value)
                return True
            case p.Branch(condition, then, otherwise):
                return self.is_settled(condition) and self._arms((then, otherwise))
            case p.Loop(_, starts, inner, nexts, until):
                before = all(map(self.is_settled, starts))
                return before and self.goes_through(inner) and all(map(self.is_settled, (*nexts, until)))
        return all(map(self.is_settled, p.values(step)))

    def _arms(self, arms: Sequence[Sequence[p.Step]]) -> bool:
        """Goes through both arms of a branch; behind it a value is what either may have set, or nobody's."""
        outside, known = dict(self.set), dict(self.known)
        ends_of: list[tuple[dict[Sym, Range], dict[Sym, bool]]] = []
        for arm in arms:
            self.set, self.known = dict(outside), dict(known)
            self._forget()
            if not self.goes_through(arm):
                return False
            ends_of.append((self.set, self.known))
        self.set, self.known = outside, known
        for var in {var: None for found, _ in ends_of for var in found}:
            self.set[var] = united([found.get(var, (None,)) for found, _ in ends_of])
            self.known[var] = all(settled.get(var, True) for _, settled in ends_of)
        self._forget()
        return True

    def _forget(self) -> None:
        self.ranges.clear()
        self.settled.clear()

    def _is_touched(self, value: Value) -> bool:
        return type(value) is Sym and not self.set.keys().isdisjoint(value.vars)

    def is_settled(self, value: Value) -> bool:
        if not self._is_touched(value):
            return True
        if value in self.known:
            return self.known[value]
        if value not in self.settled:
            self.settled[value] = self._is_settled(value)
        return self.settled[value]

    def _is_settled(self, node: Sym) -> bool:
        found = self.range(node)
        if is_single(found):
            return True
        if node.fn is IF:
            condition = self.range(node.args[0])
            if is_single(condition):
                return self.is_settled(node.args[1] if condition == (True,) else node.args[2])
        return all(self.is_settled(arg) for arg in node.args)

    def range(self, value: Value) -> Range:
        if not self._is_touched(value):
            return range_of(self.shop, value)
        if value in self.set:
            return self.set[value]
        if value not in self.ranges:
            self.ranges[value] = self._range(value)
        return self.ranges[value]

    def _range(self, node: Sym) -> Range:
        if node.fn is IF:
            return range_chosen(node, self.range)
        return range_made(node.fn, [self.range(arg) for arg in node.args])


# ---- one die ----------------------------------------------------------------------------------------------


def falls_without_end(part: Part, place: int, views: Sequence[Gathering]) -> tuple[dict[tuple[Any, ...], int], int]:
    """How often one die of a part comes to each vector of what is asked, in equal cases, and how many these are."""

    def of(face: Any) -> tuple[Any, ...]:
        return tuple(view.of(place, (face,)) for view in views)

    def after(state: tuple[Any, ...], face: Any) -> tuple[Any, ...]:
        return tuple(view.both(one, more) for view, one, more in zip(views, state, of(face), strict=True))

    each = Fraction(1, len(part.faces))
    ended: dict[tuple[Any, ...], Fraction] = {}
    going: dict[tuple[Any, ...], Fraction] = {}
    for (face,), n in part.ways:
        states, first = (going if face in part.explode else ended), of(face)
        states[first] = states.get(first, Fraction(0)) + Fraction(n, part.cases)
    before = _states(going, [face for face in part.faces if face in part.explode], after)
    for state in TopologicalSorter(before).static_order():
        mass = going.get(state, Fraction(0))
        on = [after(state, face) for face in part.faces if face in part.explode]
        mass /= 1 - each * on.count(state)
        for face in part.faces:
            there = after(state, face)
            if face not in part.explode:
                ended[there] = ended.get(there, Fraction(0)) + mass * each
            elif there != state:
                going[there] = going.get(there, Fraction(0)) + mass * each
    cases = lcm(*(chance.denominator for chance in ended.values()))
    return {state: int(chance * cases) for state, chance in ended.items() if chance}, cases


def _states(starts: Iterable[tuple[Any, ...]], faces: Sequence[Any], after: Any) -> Mapping[Any, set[Any]]:
    """Every state from which a die is thrown once more, with those before it; what is asked only ever grows."""
    before: dict[Any, set[Any]] = {state: set() for state in starts}
    todo = list(before)
    while todo:
        state = todo.pop()
        for there in {after(state, face) for face in faces} - {state}:
            if there not in before:
                before[there] = set()
                todo.append(there)
            before[there].add(state)
        if len(before) > MOST_FALLS:
            raise Faulty.one(
                "budget-exceeded",
                f"one die that is thrown once more without end can stand in more than {MOST_FALLS} ways",
                None,
                help="ask fewer things of it at once, or bound it: `at-most: 10`",
            )
    return before


def capped(pool: Pool, caps: Mapping[Sym, int]) -> dict[Gathering, Sym]:
    """What is asked of a pool, its sums counted as far as they matter."""
    return {
        Capped(view, caps[var]) if isinstance(view, Tally) and var in caps else view: var
        for view, var in pool.views.items()
    }
