"""Rows that ask what is worked out from facts, `fp / fp of enemy` or `men / 2 rounded down`: what they leave out, and
which two hold at once.

**The problem.** On such an axis (`checking/axes`) some classes may never be met: no half of a whole number lies between
3 and 3 1/2. So what no row has there need not be a gap.

**The idea.** The facts are given their values one after the other, the smallest first, and what is worked out from them
is worked out. What a row asks of them is then yes or no, and what it asks besides is left for the boxes. Whatever is
found this way is a fight that can be; where the facts have too many values only some are tried (`MOST_TRIED`), so that
not all is found.

Looked into are tables of one sentence (`odds: {about: side, is: fp / fp of enemy}`); what rows add up is not.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterator, Mapping, Sequence
from dataclasses import field, fields, is_dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import combinations, product
from operator import itemgetter
from types import MappingProxyType
from typing import Any, TypeAlias

from closecombat.binding import trees as w
from closecombat.binding.charts import Bound
from closecombat.checking.axes import (
    SIGNS,
    Axes,
    Denied,
    Formula,
    Is,
    Several,
    leaves,
    may_be_nobody,
    need_not_be,
    replaced,
    uncounted,
)
from closecombat.checking.boxes import Point, left_of, meet
from closecombat.checking.boxes import classes as each_of
from closecombat.proving.values import arithmetic as n
from closecombat.proving.values.symbolic import Value
from closecombat.reading.types import AThing, Exact, Number, Type, divide
from closecombat.text.faults import Faulty
from closecombat.text.slotted import dataclass

MOST_TRIED = 4_000  # settings of the facts
DEEPEST = 8  # tables that stand in each other

TypeOf: TypeAlias = Callable[[w.Tree], Type | None]
_Facts: TypeAlias = dict[w.Tree, Sequence[int]]
Worth: TypeAlias = Callable[[Sequence[int]], Exact]


@dataclass(frozen=True, slots=True)
class Met:
    """A fight that can be, as a point of `axes`, and what its facts come to; the rows that hold there, none or two."""

    rows: tuple[int, ...]
    axes: Axes
    point: Point
    comes_to: tuple[tuple[w.Tree, Exact], ...]


class _Unknown(Exception):
    """For these facts it cannot be worked out."""


def met(
    bound: Bound,
    asked: Sequence[Formula],
    surely: Sequence[bool],
    about: Collection[str],
    type_of: TypeOf,
    kinds: Sequence[str],
) -> Iterator[Met]:
    """The first fight for which there is no row, and the first for which there are two, as far as they hang on what is
    worked out; `surely` says of each row whether it applies wherever it holds. Raises TooMuch."""

    def axes(formulas: Sequence[Formula]) -> Axes:
        return Axes(formulas, about, type_of, kinds)

    own = axes(asked)
    inside = {axis.tree: _opened(bound, axis.tree) for axis in own.axes}
    facts = {tree: found for tree, opened in inside.items() if (found := _facts(opened, type_of)) is not None}
    hidden = [axis.tree for axis in own.axes if not axis.free and axis.tree in facts]
    of_them = _with_others({fact: values for tree in hidden for fact, values in facts[tree].items()}, facts.values())
    if not hidden or not _are_free(axes([*asked, *(Is(fact, bool, ()) for fact in of_them)]), of_them):
        return
    places = {fact: at for at, fact in enumerate(of_them)}
    known = [_Reckoned(tree, _function(inside[tree], places)) for tree in facts if facts[tree].keys() <= places.keys()]
    of_axis = {one.tree: one for one in known}
    for leaf in (leaf for one in asked for leaf in leaves(one) if leaf.axis in of_axis):
        of_axis[leaf.axis].asked.append(leaf)
    told: set[int] = set()
    seen: set[tuple[int, ...]] = set()
    for values in _settings(of_them):
        try:
            worth = [one.worth(values) for one in known]
        except _Unknown:
            continue
        classes = tuple(one.class_of(value) for one, value in zip(known, worth, strict=True))
        if classes in seen:
            continue
        seen.add(classes)
        holds = {id(leaf): so for one, value in zip(known, worth, strict=True) for leaf, so in one.holds(value)}
        rest = [_settled(one, holds) for one in asked]
        space = axes(
            [*rest, *(Is(fact, partial(_same, value), (value,)) for fact, value in zip(of_them, values, strict=True))]
        )
        for rows, point in _none_or_two(space, rest, surely):
            if len(rows) not in told:
                told.add(len(rows))
                at = {axis.tree: i for i, axis in enumerate(space.axes)}
                here = {at[fact]: space.axes[at[fact]].values.index(values[i]) for fact, i in places.items()}
                comes_to = ((one.tree, value) for one, value in zip(known, worth, strict=True) if one.tree in hidden)
                yield Met(rows, space, here | point, tuple(comes_to))
        if len(told) == 2:
            return


@dataclass(slots=True)
class _Reckoned:
    """An axis whose value is worked out from those of the facts; `asked` is what is asked of it, and `classes` numbers
    the answers, which is all that rows see of it."""

    tree: w.Tree
    worth: Worth
    asked: list[Is] = field(default_factory=list)
    classes: dict[tuple[bool, ...], int] = field(default_factory=dict)
    found: dict[Exact, int] = field(default_factory=dict)

    def class_of(self, value: Exact) -> int:
        if value not in self.found:
            so = tuple(bool(leaf.fits(value)) for leaf in self.asked)
            self.found[value] = self.classes.setdefault(so, len(self.classes))
        return self.found[value]

    def holds(self, value: Exact) -> Iterator[tuple[Is, bool]]:
        return ((leaf, bool(leaf.fits(value))) for leaf in self.asked)


def _with_others(some: _Facts, each: Collection[_Facts]) -> _Facts:
    """Facts, and those that something is worked out from together with them."""
    more = some | {fact: values for one in each if not one.keys().isdisjoint(some) for fact, values in one.items()}
    return some if len(more) == len(some) else _with_others(more, each)


def _are_free(axes: Axes, facts: Container[w.Tree]) -> bool:
    return all(axis.free for axis in axes.axes if axis.tree in facts)


def _none_or_two(
    axes: Axes, asked: Sequence[Formula], surely: Sequence[bool]
) -> Iterator[tuple[tuple[int, ...], Point]]:
    boxes = {at: found for at, one in enumerate(asked) if (found := axes.boxes(one))}
    left = left_of(axes.space, axes.thought_of(), [axes.on_free(box) for each in boxes.values() for box in each])
    if left is not None:
        yield (), left.point
    declared = axes.on_free(axes.declared())
    for i, j in combinations([at for at in boxes if surely[at]], 2):
        for one, other in product(boxes[i], boxes[j]):
            both = meet(one, other)
            if both is not None and axes.is_free(both) and (here := meet(declared, both)) is not None:
                yield (i, j), {axis: next(each_of(bits)) for axis, bits in here.items() if axis in both}
                return


def _same(value: Exact, other: Value) -> bool:
    return bool(other == value)


def _settled(one: Formula, holds: Mapping[int, bool]) -> Formula:
    """What is left of a formula where some of its leaves are known, by their ids."""
    match one:
        case Is():
            return holds.get(id(one), one)
        case Several(parts, all_of):
            left: list[Formula] = []
            for part in parts:
                rest = _settled(part, holds)
                if rest is not all_of:
                    if rest is (not all_of):
                        return rest
                    left.append(rest)
            return Several(tuple(left), all_of)
        case Denied(part):
            rest = _settled(part, holds)
            return not rest if isinstance(rest, bool) else Denied(rest)
    return one


# ---- what is worked out -----------------------------------------------------------------------------------


def _opened(bound: Bound, tree: w.Tree, depth: int = 0) -> w.Tree:
    """A number with what its tables say in their place, as far as they say it in one sentence."""
    match tree:
        case w.Counted(value):
            return w.Counted(_opened(bound, value, depth))
        case w.Rounded(way, value):
            return w.Rounded(way, _opened(bound, value, depth))
        case w.Signed(sign, left, right):
            return w.Signed(sign, _opened(bound, left, depth), _opened(bound, right, depth))
        case w.Compared(sign, left, right):
            return w.Compared(sign, _opened(bound, left, depth), _opened(bound, right, depth))
        case w.Equal(left, right):
            return w.Equal(_opened(bound, left, depth), _opened(bound, right, depth))
        case w.Best(highest, values, ()):
            return w.Best(highest, tuple(_opened(bound, one, depth) for one in values), ())
        case w.Asked(name, args, False) if depth < DEEPEST and name in bound.ruleset.tables:
            try:
                table = bound.table(name)
            except Faulty:  # said where it is bound
                return tree
            if table.rows or table.value is None:
                return tree
            said = table.value.tree
            if table.at_least is not None:
                said = w.Best(True, (said, table.at_least.tree), ())
            if table.at_most is not None:
                said = w.Best(False, (said, table.at_most.tree), ())
            return _opened(bound, _of_others(said, table.table.about, args), depth + 1)
    return tree


def _of_others(tree: w.Tree, about: Sequence[str], args: Sequence[w.Tree]) -> Any:
    """What a table says, of those for whom it is asked."""
    for at, name in enumerate(about):
        tree = replaced(tree, w.Name(name), w.Name(f"{at}."))  # nobody is called so: two may change names
    for at, arg in enumerate(args):
        tree = replaced(tree, w.Name(f"{at}."), arg)
    return _plain(tree)


def _plain(one: Any) -> Any:
    """The same, in which the enemy of whose enemy one is, is oneself."""
    match one:
        case w.OfFact(w.OfFact(owner, whom, AThing(other=True)), fact, AThing(other=True)) if fact == whom:
            return _plain(owner)
        case tuple():
            return tuple(map(_plain, one))
    if is_dataclass(one) and not isinstance(one, type):
        return replace(one, **{each.name: _plain(getattr(one, each.name)) for each in fields(one)})
    return one


def _facts(tree: w.Tree, type_of: TypeOf) -> _Facts | None:
    """The facts that a number is worked out from, each with its values; None where there is anything else in it."""
    match uncounted(tree):
        case w.Const(int() | Fraction(), sort) if sort is not bool:
            return {}
        case w.Rounded(_, value):
            return _facts(value, type_of)
        case w.Signed(_, left, right):
            return _of_all((left, right), type_of)
        case w.Compared(_, left, right) | w.Equal(left, right):
            return _of_all((left, right), type_of)
        case w.Best(_, values, ()):
            return _of_all(values, type_of)
        case w.OfFact() as fact if not may_be_nobody(fact):
            return _values(fact, type_of(fact))
        case w.Total(w.OfFact(owner=owner)) as thrown if not need_not_be(owner):
            return _values(thrown, type_of(thrown))
    return None


def _values(fact: w.Tree, type: Type | None) -> _Facts | None:
    match type:
        case Number(int() as low, high, False):
            return {fact: range(low, (low + MOST_TRIED if high is None else high) + 1)}
    return None


def _of_all(trees: Sequence[w.Tree], type_of: TypeOf) -> _Facts | None:
    found: _Facts = {}
    for one in trees:
        facts = _facts(one, type_of)
        if facts is None:
            return None
        found |= facts
    return found


def _settings(facts: Mapping[w.Tree, Sequence[int]]) -> list[tuple[int, ...]]:
    """Values for all facts, those that come to little first; of too many the lowest of each, and the highest."""
    each = int(MOST_TRIED ** (1 / max(len(facts), 1)))
    some = [values if len(values) <= each else [*values[: each - 1], values[-1]] for values in facts.values()]
    return sorted(product(*some), key=lambda values: (sum(values), values))


def _function(tree: w.Tree, places: Mapping[w.Tree, int]) -> Worth:
    """What a number is worth for some values of the facts, or whether a comparison holds; it raises _Unknown where it
    is divided by 0, which stops a fight."""
    match uncounted(tree):
        case w.Const(int() | Fraction() as number):
            return lambda values: number
        case w.Rounded(way, value):
            rounded, of = n.ROUNDED[way], _function(value, places)
            return lambda values: rounded(of(values))
        case w.Signed(sign, left, right) | w.Compared(sign, left, right):
            signed, one, other = FUNCTIONS[sign], _function(left, places), _function(right, places)
            return lambda values: signed(one(values), other(values))
        case w.Equal(left, right):
            this, that = _function(left, places), _function(right, places)
            return lambda values: this(values) == that(values)
        case w.Best(highest, parts):
            best, each = (max if highest else min), [_function(part, places) for part in parts]
            return lambda values: best(part(values) for part in each)
        case fact:
            return itemgetter(places[fact])


def _divided(one: Exact, other: Exact) -> Exact:
    if other == 0:
        raise _Unknown
    return divide(one, other)


FUNCTIONS: Mapping[str, Callable[[Exact, Exact], Exact]] = MappingProxyType(
    {"+": n.add, "-": n.subtract, "*": n.multiply, "/": _divided, **SIGNS}
)
