"""Lists of modifiers that are looked up in a printed chart: whether their sum can leave it, and how.

The most and the least that a list comes to are exact over what its rows ask, and each is told with a situation that
comes to it. What is not sure to apply, since it hangs on the rest of the fight, is reckoned against the claim; and of a
value that cannot be told, or that shares a fact with the modifiers, nothing is said.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from closecombat.binding import trees as w
from closecombat.binding.bound import BoundGrid, BoundTable
from closecombat.binding.charts import Bound
from closecombat.binding.terms import Term
from closecombat.checking.axes import Axes, name_of
from closecombat.checking.boxes import Box, TooMuch, classes, most_of
from closecombat.checking.reach import shown_by
from closecombat.checking.witness import situation_of
from closecombat.reading.model import Heading, fall
from closecombat.reading.syntax import Cell
from closecombat.reading.types import AThing, Number, Roll, shown
from closecombat.text.faults import Faults, Faulty
from closecombat.text.slotted import dataclass

Rows = Sequence[Sequence[Box] | None]


@dataclass(frozen=True, slots=True)
class Listed:
    """A list of modifiers as its rows were analysed; `sure` are the rows that apply wherever their boxes are."""

    table: BoundTable
    axes: Axes
    boxes: Rows
    sure: Sequence[bool]


@dataclass(frozen=True, slots=True)
class _Extreme:
    """A value, how it comes about, and the facts that this rests on; not `exact` where the rest of the fight may take
    it further. `example` is a situation in which the modifiers apply, with dice and other numbers yet to come."""

    value: int
    said: tuple[str, ...]
    facts: frozenset[str]
    exact: bool = True
    example: str = ""


def check_sums(bound: Bound, lists: Mapping[str, Listed], faults: Faults) -> None:
    """Warns of grids that a sum of modifiers can leave."""
    for name, grid in bound.ruleset.grids.items():
        try:
            read = bound.grid(name)
        except Faulty:  # said where it is bound
            continue
        if grid.stay or grid.shift is not None or grid.otherwise is not None:
            continue
        for term, cell, headings in _asked(read):
            if headings[0].word or headings[-1].word or not any(isinstance(one, w.Asked) for one in _parts(term.tree)):
                continue
            first, last = (headings[-1], headings[0]) if fall(headings) else (headings[0], headings[-1])
            for highest, end, limit in ((False, first, first.low), (True, last, last.high)):
                found = _extreme(bound, lists, term.tree, highest) if limit is not None else None
                if found is None or limit is None or not _is_beyond(found.value, limit, end, highest):
                    continue
                where = " and ".join(found.said) or "nothing is asked"
                value = str(found.value) if found.exact else f"at {'least' if highest else 'most'} {found.value}"
                said = f"`{cell.text}` is {value} where {where}, and `{name}` {'ends' if highest else 'begins'} at "
                heading = f"above {limit}" if highest else f"below {limit}"
                help = f"add an open heading such as `{heading}`, bound the sum, or say `ends: stay`"
                faults.add(
                    "leaves-chart",
                    f"{said}`{end.text}`",
                    cell.place,
                    severity="warning",
                    help=help,
                    example=found.example,
                )
                break


def _asked(read: BoundGrid) -> list[tuple[Term, Cell, tuple[Heading, ...]]]:
    grid = read.grid
    out = []
    if len(read.across) == 1 and grid.across is not None:
        out.append((read.across[0], grid.across, grid.columns))
    if read.down is not None and grid.down is not None:
        out.append((read.down, grid.down, grid.lines))
    return out


def _is_beyond(value: int, limit: Fraction, end: Heading, highest: bool) -> bool:
    if value == 0:  # what is worth nothing is seldom asked
        return False
    if highest:
        return value > limit or (value == limit and end.below)
    return value < limit or (value == limit and end.above)


def _parts(tree: w.Tree) -> tuple[w.Tree, ...]:
    match tree:
        case w.Signed(_, left, right):
            return (*_parts(left), *_parts(right))
        case w.Counted(value):
            return _parts(value)
    return (tree,)


def _extreme(bound: Bound, lists: Mapping[str, Listed], tree: w.Tree, highest: bool) -> _Extreme | None:
    match tree:
        case w.Counted(value):
            return _extreme(bound, lists, value, highest)
        case w.Const(int() as number, sort) if sort is not bool:
            return _Extreme(number, (), frozenset())
        case w.OfFact(fact=fact, type=Number(int() as low, int() as high)):
            end = high if highest else low
            return _Extreme(end, (f"{name_of(tree)} is {end}",), frozenset((fact,)))
        case w.Total(w.OfFact(fact=fact, type=Roll() as roll)):
            range = shown_by(bound.ruleset, roll)
            shows = None if range is None else range.high if highest else range.low
            return None if shows is None else _Extreme(shows, (f"{name_of(tree)} is {shows}",), frozenset((fact,)))
        case w.Signed("+" | "-" as sign, left, right):
            one = _extreme(bound, lists, left, highest)
            other = _extreme(bound, lists, right, highest if sign == "+" else not highest)
            if one is None or other is None or one.facts & other.facts:
                return None
            both = one.value + other.value if sign == "+" else one.value - other.value
            exact, example = one.exact and other.exact, one.example or other.example
            return _Extreme(both, (*one.said, *other.said), one.facts | other.facts, exact, example)
        case w.Asked(name, column=False) if name in lists:
            return _of_list(bound, lists[name], highest)
    return None


def _of_list(bound: Bound, one: Listed, highest: bool) -> _Extreme | None:
    """The most, or the least, that a list of modifiers surely comes to in some situation."""
    table, axes = one.table, one.axes
    start = _number(table.start) if table.start is not None else 0
    worth = [_number(row.verdict) if row.row.verb == "add" else None for row in table.rows]
    flat: list[tuple[int, Box, bool]] = []
    for at, (row, boxes) in enumerate(zip(table.rows, one.boxes, strict=True)):
        if boxes is None or worth[at] is None or row.each is not None or row.row.instead_of or row.row.rounded:
            return None
        flat += [(at, axes.on_free(box), one.sure[at] and axes.is_free(box)) for box in boxes]
    if start is None or table.value is not None:
        return None
    turned = 1 if highest else -1

    def sum_of(there: int) -> int:
        """What the boxes that a situation is in come to at least, if the highest is sought."""
        found: dict[int, bool] = {}
        for bit in classes(there):
            at, _, sure = flat[bit]
            found[at] = found.get(at, False) or sure
        values = ((turned * (worth[at] or 0), sure) for at, sure in found.items())
        return turned * start + sum(value if sure else min(value, 0) for value, sure in values)

    try:
        most, point = most_of(axes.space, axes.thought_of(), [box for _, box, _ in flat], sum_of)
    except TooMuch:
        return None
    value = turned * most
    for limit, better in ((table.at_least, max), (table.at_most, min)):
        if limit is not None:
            number = _number(limit)
            if number is None:
                return None
            value = better(value, number)
    applies = {
        axis
        for at, box, _ in flat
        if worth[at] and all(bits >> point[a] & 1 for a, bits in box.items())
        for axis in box
    }
    said = tuple(f"{axes.name(axis)} is {shown(axes.axes[axis].values[point[axis]])}" for axis in sorted(applies))
    facts = {axis.tree.fact for axis in axes.axes if isinstance(axis.tree, w.OfFact)}
    kinds = {name: type.kind for name in table.table.about if isinstance(type := table.scope.find(name), AThing)}
    example = situation_of(bound.ruleset, kinds, axes, {axis: point[axis] for axis in sorted(applies)})
    return _Extreme(value, said, frozenset(facts), all(sure for _, _, sure in flat), example)


def _number(term: Term | None) -> int | None:
    """The number that stands in a cell."""
    tree = term.tree if term is not None else None
    while isinstance(tree, w.Counted):
        tree = tree.value
    match tree:
        case w.Const(int() as number, sort) if sort is not bool:
            return number
    return None
