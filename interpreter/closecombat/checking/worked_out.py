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
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import combinations, product
from typing import Any, TypeAlias

from closecombat.binding import trees as w
from closecombat.binding.charts import Bound
from closecombat.checking.axes import (
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
from closecombat.proving import arithmetic as n
from closecombat.proving.symbolic import Value
from closecombat.reading.types import AThing, Exact, Number, Type, divide
from closecombat.text.faults import Faulty
from closecombat.text.slotted import dataclass

MOST_TRIED = 4_000  # settings of the facts
DEEPEST = 8  # tables that stand in each other

TypeOf: TypeAlias = Callable[[w.Tree], Type | None]
Known: TypeAlias = Mapping[w.Tree, Exact]


@dataclass(frozen=True, slots=True)
class Met:
    """A fight that can be, as a point of `axes`, and what its facts come to; the rows that hold there, none or two."""

    rows: tuple[int, ...]
    axes: Axes
    point: Point
    comes_to: tuple[tuple[w.Tree, Exact], ...]


class _Unknown(Exception):
    """It is not worked out from facts alone, or for these facts it cannot be."""


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
    of_them = {fact: values for tree in hidden for fact, values in facts[tree].items()}
    if not hidden or not _are_free(axes([*asked, *(Is(fact, bool, ()) for fact in of_them)]), of_them):
        return
    known = [tree for tree in facts if facts[tree].keys() <= of_them.keys()]
    told: set[int] = set()
    seen: set[tuple[bool | None, ...]] = set()
    for values in _settings(of_them):
        given = dict(zip(of_them, values, strict=True))
        try:
            worth = {tree: _worth(inside[tree], given) for tree in known}
        except _Unknown:
            continue
        holds = partial(_holds, worth)
        so = tuple(holds(leaf) for one in asked for leaf in leaves(one) if leaf.axis in worth)
        if so in seen:
            continue
        seen.add(so)
        rest = [_settled(one, holds) for one in asked]
        space = axes([*rest, *(Is(fact, partial(_same, value), (value,)) for fact, value in given.items())])
        for rows, point in _none_or_two(space, rest, surely):
            if len(rows) not in told:
                told.add(len(rows))
                at = {axis.tree: i for i, axis in enumerate(space.axes)}
                here = {at[fact]: space.axes[at[fact]].values.index(value) for fact, value in given.items()}
                comes_to = tuple((tree, worth[tree]) for tree in hidden)
                yield Met(rows, space, here | point, comes_to)
        if len(told) == 2:
            return


def _are_free(axes: Axes, facts: Container[w.Tree]) -> bool:
    return all(axis.free for axis in axes.axes if axis.tree in facts)


def _none_or_two(
    axes: Axes, asked: Sequence[Formula], surely: Sequence[bool]
) -> Iterator[tuple[tuple[int, ...], Point]]:
    boxes = [axes.boxes(one) for one in asked]
    left = left_of(axes.space, axes.declared(), [axes.on_free(box) for each in boxes for box in each])
    if left is not None:
        yield (), left.point
    declared = axes.on_free(axes.declared())
    for (i, one), (j, other) in combinations([(at, each) for at, each in enumerate(boxes) if surely[at]], 2):
        for a, b in product(one, other):
            both = meet(a, b)
            if both is not None and axes.is_free(both) and (here := meet(declared, both)) is not None:
                yield (i, j), {axis: next(each_of(bits)) for axis, bits in here.items() if axis in both}
                return


def _holds(worth: Known, leaf: Is) -> bool | None:
    return bool(leaf.fits(worth[leaf.axis])) if leaf.axis in worth else None


def _same(value: Exact, other: Value) -> bool:
    return bool(other == value)


def _settled(one: Formula, holds: Callable[[Is], bool | None]) -> Formula:
    """What is left of a formula where some of its leaves are known."""
    match one:
        case Is():
            known = holds(one)
            return one if known is None else known
        case Several(parts, all_of):
            return Several(tuple(_settled(part, holds) for part in parts), all_of)
        case Denied(part):
            return Denied(_settled(part, holds))
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
        tree = replaced(
            tree, w.Name(name), w.Name(f"{at}.")
        )  # nobody is called so: two may change names
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


def _facts(tree: w.Tree, type_of: TypeOf) -> dict[w.Tree, Sequence[int]] | None:
    """The facts that a number is worked out from, each with its values; None where there is anything else in it."""
    match uncounted(tree):
        case w.Const(int() | Fraction(), sort) if sort is not bool:
            return {}
        case w.Rounded(_, value):
            return _facts(value, type_of)
        case w.Signed(_, left, right):
            return _of_all((left, right), type_of)
        case w.Best(_, values, ()):
            return _of_all(values, type_of)
        case w.OfFact() as fact if not may_be_nobody(fact):
            return _values(fact, type_of(fact))
        case w.Total(w.OfFact(owner=owner)) as thrown if not need_not_be(owner):
            return _values(thrown, type_of(thrown))
    return None


def _values(fact: w.Tree, type: Type | None) -> dict[w.Tree, Sequence[int]] | None:
    match type:
        case Number(int() as low, high, False):
            return {fact: range(low, (low + MOST_TRIED if high is None else high) + 1)}
    return None


def _of_all(trees: Sequence[w.Tree], type_of: TypeOf) -> dict[w.Tree, Sequence[int]] | None:
    found: dict[w.Tree, Sequence[int]] = {}
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


def _worth(tree: w.Tree, given: Known) -> Exact:
    """What a number is worth for some facts. Raises _Unknown where it is divided by 0, which stops a fight."""
    match uncounted(tree):
        case w.Const(int() | Fraction() as number):
            return number
        case w.Rounded(way, value):
            return n.ROUNDED[way](_worth(value, given))
        case w.Signed(sign, left, right):
            return _signed(sign, _worth(left, given), _worth(right, given))
        case w.Best(highest, values):
            return (max if highest else min)(_worth(one, given) for one in values)
        case fact if fact in given:
            return given[fact]
    raise _Unknown


def _signed(sign: str, one: Exact, other: Exact) -> Exact:
    match sign:
        case "+":
            return n.add(one, other)
        case "-":
            return n.subtract(one, other)
        case "*":
            return n.multiply(one, other)
    if other == 0:
        raise _Unknown
    return divide(one, other)
