"""Numbers that are only added up stand in the weights: a count that nobody reads before the end is no column.

**The problem.** Over three rounds each side counts what it has suffered. Nothing in the fight hangs on these counts,
but while they are columns every row stands once for each way in which they can stand: hundreds of times as many rows.

**The idea.** A weight is one whole number; it can as well be many: a polynomial, whose coefficients are written side
by side into one number, each in a slot of its own that is wide enough. To count 2 more is to move a weight by two
slots. Weights are only ever multiplied and added, and polynomials are so as well: nothing else need know of it. In the
end each slot is a row: what has been counted, and its weight. Several counts are several variables of the polynomial:
the slots of one are as far apart as all those of the counts before it need.

*An example.* Two coins, how many heads? Each is 1 + x, in slots of 8 bits 257; 257 * 257 = 66049 = 1 + 2 * 256 + 65536:
none, one or two heads with weights 1, 2, 1.

No weight is larger than the denominator, so slots are as wide as this is; if it has been guessed too small, all is done
once more (`Plan.run`).

**What is counted.** A variable counts towards what is asked if it is added to it wherever it is set, and read nowhere
else. For each such one it is found out under which conditions it is added (`_added`), and held against the branches
that it is set in (`_paths`). It pays only where rows become equal without it: where there are throws within a branch,
round after round.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import TypeAlias

from closecombat.proving.foreseeing.ranges import dice_counted, ends, range_of
from closecombat.proving.programs import program as p
from closecombat.proving.programs.liveness import vars_of
from closecombat.proving.programs.rewriting import Rewriter
from closecombat.proving.programs.writes import stopped
from closecombat.proving.tables.weights import Row, Weights, bounded
from closecombat.proving.throws.dice import Tally, added
from closecombat.proving.values.arithmetic import add
from closecombat.proving.values.symbolic import ASKED, IF, NOT, VARIABLE, Sym, Value, Workshop
from closecombat.text.slotted import dataclass

LEAST = 5  # that a count comes to at most, from which on it is worth it
MOST_SLOTS = 4_000
BYTE = 8

Tree: TypeAlias = "bool | tuple[Sym, Tree, Tree]"  # yes, no, or one of two by a condition


@dataclass(frozen=True, slots=True)
class Packing:
    """What is asked in the end without its counts; by how many slots each variable counts; which answers each count is
    added to, and how many slots it has; the number of bits that a denominator has at most, as far as can be guessed."""

    wanted: list[Value]
    slots: Mapping[Sym, int]
    counts: Sequence[tuple[tuple[int, ...], int]]
    bits: int


def packing(shop: Workshop, steps: Sequence[p.Step], wanted: Sequence[Value]) -> Packing | None:
    """What of a program can stand in the weights, if it is worth it."""
    if not _throws_in_rounds(steps) or any(isinstance(step, p.Loop) for step in p.every(steps)):
        return None
    if vars_of(wanted) <= vars_of(p.expressions(steps)):
        return None
    elsewhere = _Elsewhere(shop, steps)
    slots: dict[Sym, int] = {}
    counts: list[tuple[tuple[int, ...], int]] = []
    asked = list(wanted)
    wide = 1
    with dice_counted(shop, steps):
        for value, found, most in sorted(_counts(shop, elsewhere, wanted), key=lambda count: -count[2]):
            if most >= LEAST and wide * (most + 1) <= MOST_SLOTS:
                slots |= dict.fromkeys(found, wide)
                at = tuple(i for i, one in enumerate(wanted) if one is value)
                counts.append((at, most + 1))
                wide *= most + 1
                for i in at:
                    asked[i] = _rest(shop, value, found)
        return Packing(asked, slots, counts, _bits(shop, steps)) if counts else None


def _counts(shop: Workshop, elsewhere: _Elsewhere, wanted: Sequence[Value]) -> Iterator[tuple[Sym, set[Sym], int]]:
    """What is asked that is nothing but counted: the variables that count, and the most that they come to."""
    for value in dict.fromkeys(one for one in wanted if type(one) is Sym):
        others = vars_of(one for one in wanted if one is not value)
        found = {var for var in elsewhere.may_count(value) if var not in others}
        most = _most(shop, value, found) if found else None
        if most is not None and type(_rest(shop, value, found)) is not Sym:
            yield value, found, most


def up_to_bytes(bits: int) -> int:
    return -(-bits // BYTE) * BYTE


def unpacked(table: Weights, counts: Sequence[tuple[tuple[int, ...], int]], width: int) -> Weights:
    """The rows of a table whose weights hold counts in slots of so many bits."""
    out: Weights = {}
    each = width // BYTE
    indices = [index[::-1] for index in product(*[range(number) for _, number in reversed(counts)])]
    for row, weight in table.items():
        data = weight.to_bytes((weight.bit_length() + width) // width * each, "little")
        for start, index in zip(range(0, len(data), each), indices, strict=False):
            n = int.from_bytes(data[start : start + each], "little")
            if n:
                out[_counted(row, counts, index)] = n
        bounded(out)
    return out


def _counted(row: Row, counts: Sequence[tuple[tuple[int, ...], int]], index: Sequence[int]) -> Row:
    values = list(row)
    for (at, _), number in zip(counts, index, strict=True):
        for i in at:
            values[i] += number
    return tuple(values)


# ---- what can be counted -----------------------------------------------------------------------------------


def _throws_in_rounds(steps: Sequence[p.Step]) -> bool:
    return any(
        isinstance(inner, p.Throw | p.PoolThrow)
        for step in steps
        if isinstance(step, p.Branch)
        for inner in p.every(step.steps)
    )


class _Elsewhere:
    """Where each variable is set, and what is read by the steps of a program."""

    def __init__(self, shop: Workshop, steps: Sequence[p.Step]) -> None:
        self.shop = shop
        self.read = vars_of(p.expressions(steps))
        lets = [step for step in p.every(steps) if isinstance(step, p.Let)]
        often = Counter(let.var for let in lets)
        twice = {var for var, number in often.items() if number > 1}  # in both arms of a branch
        names: dict[Sym, Value] = {}
        for let in lets:  # what is set in several places has one name
            if type(let.value) is Sym and let.value.fn is not VARIABLE and let.var not in twice:
                names[let.var] = names.setdefault(let.value, let.var)
        self.named = Rewriter(shop, names)
        self.set = {var: tree for var, tree in self._paths(steps) if var not in twice}

    def may_count(self, value: Sym) -> list[Sym]:
        """The variables that only count towards a value."""
        free = (var for var in self.set if var in value.vars and var not in self.read)
        return [var for var in free if self._added(value, var) == self.set[var]]

    def _paths(
        self, steps: Sequence[p.Step], conditions: tuple[tuple[Value, bool], ...] = ()
    ) -> Iterator[tuple[Sym, Tree]]:
        """Under which conditions each variable is set that may count."""
        for step in steps:
            match step:
                case p.Let(var, given) if not (type(given) is Sym and given.fn is ASKED):
                    yield var, self._tree(conditions)
                case p.PoolThrow(pool):
                    for view, var in pool.views.items():
                        if isinstance(view, Tally):
                            yield var, self._tree(conditions)
                case p.Branch(condition, inner, otherwise):
                    for arm, be in ((inner, True), (otherwise, False)):
                        yield from self._paths(arm, (*conditions, (condition, be)))

    def _tree(self, conditions: Sequence[tuple[Value, bool]]) -> Tree:
        out: Tree = True
        for condition, be in reversed(conditions):
            out = self._chosen(condition, out if be else False, False if be else out)
        return out

    def _chosen(self, condition: Value, then: Tree, otherwise: Tree) -> Tree:
        if then == otherwise:
            return then
        while type(condition) is Sym and condition.fn is NOT:
            condition, then, otherwise = condition.args[0], otherwise, then
        return self.named.value(condition), then, otherwise

    def _added(self, value: Value, var: Sym) -> Tree | None:
        """Under which conditions a variable is added to a value, once; None if something else is done with it."""
        if value is var:
            return True
        if type(value) is not Sym or var not in value.vars:
            return False
        if value.fn in (add, added):
            one, other = (self._added(arg, var) for arg in value.args)
            return other if one is False else one if other is False else None
        if value.fn is IF and (type(value.args[0]) is not Sym or var not in value.args[0].vars):
            then, otherwise = (self._added(arg, var) for arg in value.args[1:])
            return None if then is None or otherwise is None else self._chosen(value.args[0], then, otherwise)
        return self._added(value.args[0], var) if _never_stops(self.shop, value) else None


def _never_stops(shop: Workshop, value: Sym) -> bool:
    """Whether a number is stopped at ends that it never reaches."""
    if value.fn is not stopped:
        return False
    found, (_, low, high) = ends(range_of(shop, value.args[0])), value.args
    return (
        found is not None
        and not found.nobody
        and (low is None or (found.low is not None and found.low >= low))
        and (high is None or (found.high is not None and found.high <= high))
    )


def _most(shop: Workshop, value: Value, counted: set[Sym]) -> int | None:
    """The most that some variables add to a value."""
    if type(value) is not Sym or counted.isdisjoint(value.vars):
        return 0
    if value.fn is VARIABLE:
        found = ends(range_of(shop, value))
        is_count = found is not None and found.whole and not found.nobody and found.low is not None and found.low >= 0
        return int(found.high) if is_count and found is not None and found.high is not None else None
    parts = [_most(shop, arg, counted) for arg in (value.args[1:] if value.fn is IF else value.args)]
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return None
    return max(known) if value.fn is IF else sum(known)


def _rest(shop: Workshop, value: Value, counted: set[Sym]) -> Value:
    """A value without the variables that are counted."""
    if type(value) is not Sym or counted.isdisjoint(value.vars):
        return value
    if value.fn is VARIABLE:
        return 0
    if value.fn is IF:
        return shop.if_(value.args[0], *[_rest(shop, arg, counted) for arg in value.args[1:]])
    if value.fn is stopped:
        return _rest(shop, value.args[0], counted)
    one, other = (_rest(shop, arg, counted) for arg in value.args)
    return (
        other
        if one == 0 and type(one) is int
        else one
        if other == 0 and type(other) is int
        else shop.lift(add, one, other)
    )


def _bits(shop: Workshop, steps: Sequence[p.Step]) -> int:
    """How many bits a denominator has at most, as far as that can be guessed."""
    bits = BYTE
    for step in p.every(steps):
        match step:
            case p.Throw(_, outcomes):
                bits += sum(weight for _, weight in outcomes).bit_length()
            case p.PoolThrow(pool):
                for one in pool.parts:
                    found = ends(range_of(shop, one.number))
                    if found is not None and found.high is not None:
                        bits += (one.cases ** max(int(found.high), 0)).bit_length()
            case p.Lots() | p.Draw():
                bits += BYTE
    return bits
