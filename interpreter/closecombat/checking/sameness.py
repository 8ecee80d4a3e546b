"""Whether two tables of different rows say the same, whatever is asked of them: a row that was split, rows that were
put into another order, a condition said in other words.

Rows are boxes over what they ask (`checking/axes`), so this is proved and not tried: of a *first of*, no two rows that
say different things have a place in common at which each is the first that holds; of a sum, both come to the same in
every class; of prohibitions, each side covers the other. Rows that both have as they stand are the same row, whatever
they ask. What cannot be proved so is not said to be the same.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import product
from math import prod

from closecombat.binding import trees as w
from closecombat.binding.bound import BoundRow, BoundTable
from closecombat.binding.charts import Bound
from closecombat.checking.axes import Axes, Formula
from closecombat.checking.boxes import Box, TooMuch, indexed, is_covered, meet
from closecombat.checking.tables import asked_by, typed
from closecombat.proving.values.symbolic import Value
from closecombat.reading.syntax import Cell
from closecombat.text.faults import Faulty

MOST_CLASSES = 50_000
DIVIDES = re.compile(r"/ *[^\d ]")  # by what may be nothing
Says = tuple[Formula, object]  # when a row holds, and what it says then


def say_the_same(one: Bound, other: Bound, name: str, changed: Collection[str]) -> bool:
    """Whether a table says the same in two rulesets, of which the rows `changed` stand in one of them alone or are
    written otherwise."""
    try:
        left, right = one.table(name), other.table(name)
    except (Faulty, KeyError):
        return False
    if left.table.policy != right.table.policy or left.value is not None or right.value is not None:
        return False
    rows = (*left.rows, *right.rows)
    if left.blockers or right.blockers or any(row.each for row in rows if row.row.id in changed):
        return False
    try:
        match left.table.policy:
            case "first-of" | "one-of":
                return _same_first(one, left, right, changed)
            case "adds-up":
                return _same_sum(one, left, right, changed)
            case "forbidden-if":
                return _same_forbidden(one, left, right, changed)
    except TooMuch:
        pass
    return False


def _same_first(bound: Bound, left: BoundTable, right: BoundTable, changed: Collection[str]) -> bool:
    if any(row.each for row in (*left.rows, *right.rows)):
        return False
    known = {row.row.id: row for row in left.rows if row.row.id not in changed}
    if [row.row.id for row in left.rows] != [row.row.id for row in right.rows] and any(
        DIVIDES.search(cell.text) for row in (*left.rows, *right.rows) for cell in _cells(row)
    ):
        return False  # a row may keep another from dividing by nothing
    mine, theirs = [_says(row) for row in left.rows], [_says(known.get(row.row.id, row)) for row in right.rows]
    axes = _axes(bound, left, [formula for formula, _ in (*mine, *theirs)])
    rest: tuple[list[Box], object] = ([{}], "otherwise")
    one = [*((axes.boxes(formula), said) for formula, said in mine), rest]
    two = [*((axes.boxes(formula), said) for formula, said in theirs), rest]
    if left.table.policy == "one-of" and not all(_apart(rows[:-1]) for rows in (one, two)):
        return False
    if (left.otherwise is None) != (right.otherwise is None):
        return False
    for at, (boxes, said) in enumerate(one):
        for place, (others, told) in enumerate(two):
            if said == told:
                continue
            before = indexed(axes.space, [box for earlier, _ in (*one[:at], *two[:place]) for box in earlier])
            shared = (both for box in boxes for other in others if (both := meet(box, other)) is not None)
            if not all(is_covered(axes.space, both, before) for both in shared):
                return False
    return left.otherwise is None or right.otherwise is None or left.otherwise.tree == right.otherwise.tree


def _cells(row: BoundRow) -> Iterator[Cell]:
    yield from (cell for asked in row.row.tests for cell in asked if cell is not None)
    if row.row.verdict is not None:
        yield row.row.verdict


def _apart(rows: Sequence[tuple[list[Box], object]]) -> bool:
    """Whether no two rows hold at once."""
    return not any(
        meet(box, other) is not None
        for at, (boxes, _) in enumerate(rows)
        for others, _ in rows[:at]
        for box in boxes
        for other in others
    )


def _same_sum(bound: Bound, left: BoundTable, right: BoundTable, changed: Collection[str]) -> bool:
    mine, theirs = ([row for row in table.rows if row.row.id in changed] for table in (left, right))
    if any(row.row.verb != "add" or row.row.rounded for row in (*left.rows, *right.rows)):
        return False
    axes = _axes(bound, left, [_says(row)[0] for row in (*mine, *theirs)])
    if prod(len(axis.values) for axis in axes.axes) > MOST_CLASSES:
        return False
    one, two = ([(axes.boxes(formula), said) for formula, said in map(_says, rows)] for rows in (mine, theirs))
    classes = [range(len(axis.values)) for axis in axes.axes]
    return all(_sum(one, point) == _sum(two, point) for point in product(*classes))


def _sum(rows: Sequence[tuple[list[Box], object]], point: Sequence[int]) -> Mapping[object, Value]:
    """What rows come to in one class: a number, and how often each thing that is no number is added."""
    found: dict[object, Value] = {}
    for boxes, said in rows:
        if any(all(bits >> point[axis] & 1 for axis, bits in box.items()) for box in boxes):
            number = said.value if isinstance(said, w.Const) and type(said.value) is int else None
            key, worth = ("", number) if number is not None else (said, 1)
            found[key] = found.get(key, 0) + worth
    return {key: worth for key, worth in found.items() if worth}


def _same_forbidden(bound: Bound, left: BoundTable, right: BoundTable, changed: Collection[str]) -> bool:
    common = [row for row in left.rows if row.row.id not in changed and not row.each]
    mine, theirs = ([row for row in table.rows if row.row.id in changed] for table in (left, right))
    axes = _axes(bound, left, [_says(row)[0] for row in (*common, *mine, *theirs)])

    def boxes(rows: Sequence[BoundRow]) -> list[Box]:
        return [box for row in rows for box in axes.boxes(_says(row)[0])]

    always, one, two = boxes(common), boxes(mine), boxes(theirs)
    return all(
        is_covered(axes.space, box, index)
        for those, others in ((one, two), (two, one))
        for index in (indexed(axes.space, [*always, *others]),)
        for box in those
    )


def _says(row: BoundRow) -> Says:
    return asked_by(row), None if row.verdict is None else row.verdict.tree


def _axes(bound: Bound, table: BoundTable, asked: Sequence[Formula]) -> Axes:
    return Axes(asked, table.table.about, typed(bound))
