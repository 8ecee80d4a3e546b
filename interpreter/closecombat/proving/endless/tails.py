"""Dice that are thrown once more without end: how much of their sum matters, and how likely each is.

**The problem.** A die of which every 6 is thrown once more can come to any sum at all. What is asked of it can not:
whether it is 12 or more, how many men are left when hits are taken from at most ten. From some number on it makes no
difference how far the dice have gone.

**The idea.** For each sum that somebody asks of such dice the least number is found from which on every expression of
the program that reads it comes to the same (`caps_of`, by the ends between which values lie). Sums are then counted up
to that number, which stands for all beyond it, and nothing is lost: the dice go on for ever, the states do not. Of the
lead that some dice have over others such a number is found for either side.

*An example.* How many 5s and 6s does one die show of which 6s are thrown once more, if two are as good as ten? None: 4
of 6. One: a 5, or a 6 and then none, 1/6 + 1/6 * 4/6 = 5/18. Two or more: the rest, 1/18.

**Elsewhere.** The states that such dice go through, and how likely each end is: `races`. Dice that explode so many
times at most fall in so many ways, which `dice.part` writes down.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from closecombat.proving.endless.races import Capped, Lead
from closecombat.proving.foreseeing.ranges import (
    Range,
    is_single,
    range_chosen,
    range_made,
    range_of,
    range_of_sum,
    united,
)
from closecombat.proving.programs import program as p
from closecombat.proving.throws.dice import Gathering, Part, Pool, Ranked, Tally
from closecombat.proving.values.arithmetic import Counted
from closecombat.proving.values.symbolic import IF, VARIABLE, Between, Fallible, Sym, Value, Workshop
from closecombat.text.faults import Faulty
from closecombat.text.slotted import dataclass

MOST_ASKED = 1_000  # up to which it is looked where a sum no longer matters
MOST_CASES = 3  # conditions, one within the other, on either side of which a value is looked at
MOST_LOOKED_AT = 5_000  # values case by case, for all sums of a program; two hundred are many for one that is played

Program: TypeAlias = tuple[Sequence[p.Step], Sequence[Value]]  # and what is asked at its end


def caps_of(shop: Workshop, program: Program, before: Program) -> dict[Sym, int]:
    """For each sum of dice without end from where on it no longer matters; Faulty if there is no such number. `before`
    is the same program as it was written: what one of the two no longer shows the other may."""
    pools = [step.pool for step in p.every(program[0]) if isinstance(step, p.PoolThrow)]
    if not any(one.endless for pool in pools for one in pool.parts):
        return {}
    sums = {var: (tally, pool) for pool in pools for tally, var in pool.views.items() if isinstance(tally, Tally)}
    thrown = {var: without_end(tally, pool) for var, (tally, pool) in sums.items()}
    others: dict[Sym, Range] = {
        var: range_of_sum(shop, tally, pool) for var, (tally, pool) in sums.items() if thrown[var] is None
    }
    for view, var in [one for pool in pools for one in pool.views.items()]:
        if isinstance(view, Ranked):
            others[var] = (*dict.fromkeys(worth for _, worth in view.worth), None)
    looks = _Looks()
    return {
        var: _cap(shop, var, is_lead(sums[var][0]), (program, before), others, dice, looks)
        for var, dice in thrown.items()
        if dice is not None
    }


def without_end(tally: Tally, pool: Pool) -> Part | None:
    """The dice that add to a sum each time that they are thrown once more, without end."""
    for i, one in enumerate(pool.parts):
        if one.endless and any(tally.of(i, (face,)) for face in one.explode):
            return one
    return None


def _cap(
    shop: Workshop,
    var: Sym,
    on_both_sides: bool,
    programs: Sequence[Program],
    others: Mapping[Sym, Range],
    thrown: Part,
    looks: _Looks,
) -> int:
    def matters_beyond(most: int) -> bool:
        return all(matters_in(most, *program) for program in programs)

    def matters_in(most: int, steps: Sequence[p.Step], wanted: Sequence[Value]) -> bool:
        for far_out in (Between(most, None, True), Between(None, -most, True))[: 1 + on_both_sides]:
            beyond = _Beyond(shop, {**others, var: far_out}, var, looks)
            if not (beyond.goes_through(steps) and all(beyond.is_settled(one) for one in wanted)):
                return True
        return False

    high = 1
    while high <= MOST_ASKED and matters_beyond(high):
        high *= 2
    if looks.are_too_many:
        raise too_much_hangs_on(thrown)
    if high > MOST_ASKED:
        raise no_end(thrown)
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if matters_beyond(middle) else (low, middle)
    return high


def settled_far_out(shop: Workshop, var: Sym) -> Callable[[Value], bool]:
    """Tells whether a value is the same however far out a sum is, whatever else it hangs on; no where that takes too
    long to say."""
    looks = _Looks()
    beyond = _Beyond(shop, {var: Between(MOST_ASKED, None, True)}, var, looks)
    return lambda value: not looks.are_too_many and beyond.is_settled(value)


def no_end(thrown: Part) -> Faulty:
    """That what is asked of dice without end has none either, told where they are thrown."""
    return _of_dice(thrown, "are thrown once more without end, and what is asked of them has no end either")


def too_much_hangs_on(thrown: Part) -> Faulty:
    """That it was not found out from where on such dice no longer matter, where they are thrown."""
    return _of_dice(thrown, "are thrown once more without end, and too much hangs on them to say how far it matters")


def _of_dice(thrown: Part, what: str) -> Faulty:
    said = f"the dice of {thrown.of}" if thrown.of else "dice"
    return Faulty.one(
        "budget-exceeded",
        f"{said} {what}",
        thrown.place,
        help="bound them, `at-most: 10`; or ask no more than whether they come to so much, or take what they come to "
        "from a fact with a range",
    )


@dataclass(slots=True)
class _Looks:
    """How often a value has been looked at case by case."""

    done: int = 0

    @property
    def are_too_many(self) -> bool:
        return self.done > MOST_LOOKED_AT


class _Beyond:
    """What values are where one variable is any number of a range: between which ends each lies, and whether it is
    settled, the same for all of these numbers, whatever else it hangs on."""

    def __init__(self, shop: Workshop, given: Mapping[Sym, Range], var: Sym, looks: _Looks) -> None:
        self.shop, self.looks = shop, looks
        self.assumed: dict[Sym, Range] = {}  # conditions that are taken to hold, or not to
        self.set: dict[Sym, Range] = dict(given)  # the sums of dice, the variable among them, and all that is set
        self.known: dict[Sym, bool] = dict.fromkeys(given, True) | {var: False}  # whether each of these is settled
        self.ranges: dict[Sym, Range] = {}
        self.settled: dict[Sym, bool] = {}
        self.conditions: dict[Sym, Sym | None] = {}
        self.cases: dict[tuple[Sym, bool], _Beyond] = {}

    def goes_through(self, steps: Sequence[p.Step]) -> bool:
        """Whether all that these steps do, but for values that are only set, is settled."""
        return all(self._step(step) for step in steps)

    def _step(self, step: p.Step) -> bool:
        match step:
            case p.Let(var, value):
                self.set[var], self.known[var] = self.range(value), self.is_settled(value)
                return True
            case p.Must(when, value):
                return all(map(self.is_settled, when)) and self._fails_alike(value)
            case p.Branch(condition, then, otherwise):
                return self.is_settled(condition) and self._arms((then, otherwise))
            case p.Loop(_, starts, inner, nexts, until):
                before = all(map(self.is_settled, starts))
                return before and self.goes_through(inner) and all(map(self.is_settled, (*nexts, until)))
        return all(map(self.is_settled, p.values(step)))

    def _fails_alike(self, value: Value) -> bool:
        """Whether it is settled that a value can be worked out; what it comes to may hang on the variable."""
        if type(value) is not Sym or value.fn is VARIABLE or self.is_settled(value):
            return True
        if value.fn is IF:
            condition, then, otherwise = value.args
            return self.is_settled(condition) and self._fails_alike(then) and self._fails_alike(otherwise)
        may_fail = isinstance(value.fn, Fallible) and not isinstance(value.fn, Counted)
        return not may_fail and all(map(self._fails_alike, value.args))

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
        for known in (self.ranges, self.settled, self.conditions, self.cases):
            known.clear()

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
        return all(self.is_settled(arg) for arg in node.args) or self._is_settled_by_cases(node)

    def _is_settled_by_cases(self, node: Sym) -> bool:
        """Whether it is settled on either side of a condition that is itself settled: whether the dice have been thrown
        at all, say, where they are asked only if they have been."""
        self.looks.done += 1
        if self.looks.are_too_many or len(self.assumed) == MOST_CASES:
            return False
        condition = self._condition_in(node)
        return condition is not None and all(self._where(condition, holds).is_settled(node) for holds in (True, False))

    def _where(self, condition: Sym, holds: bool) -> _Beyond:
        """The same where a condition holds, or does not: one for all values that are looked at in this case."""
        case = self.cases.get((condition, holds))
        if case is None:
            case = self.cases[condition, holds] = _Beyond(self.shop, {}, condition, self.looks)
            case.set, case.known, case.assumed = self.set, self.known, {**self.assumed, condition: (holds,)}
        return case

    def _condition_in(self, node: Sym) -> Sym | None:
        """The first condition within a value of which it is settled how it goes, but not what it then comes to."""
        if node not in self.conditions:
            self.conditions[node] = self._looked_for_in(node)
        return self.conditions[node]

    def _looked_for_in(self, node: Sym) -> Sym | None:
        args = node.args
        if node.fn is IF and is_single(condition := self.range(args[0])):
            args = args[1:2] if condition == (True,) else args[2:]
        for arg in args:
            if type(arg) is not Sym or self.is_settled(arg):
                continue
            if arg.fn is IF and self.is_settled(asked := arg.args[0]) and not is_single(self.range(asked)):
                return asked if type(asked) is Sym else None
            if (found := self._condition_in(arg)) is not None:
                return found
        return None

    def range(self, value: Value) -> Range:
        if type(value) is Sym and value in self.assumed:
            return self.assumed[value]
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


def capped(pool: Pool, caps: Mapping[Sym, int]) -> dict[Gathering, Sym]:
    """What is asked of a pool, its sums counted as far as they matter."""
    out: dict[Gathering, Sym] = {}
    for view, var in pool.views.items():
        if isinstance(view, Tally) and var in caps:
            out[Lead(view, caps[var]) if is_lead(view) else Capped(view, caps[var])] = var
        else:
            out[view] = var
    return out


def is_lead(tally: Tally) -> bool:
    """Whether a sum is a lead: some dice add to it, and some take from it."""
    return any(worth < 0 for _, worth in tally.worth)
