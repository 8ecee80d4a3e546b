"""What the rows of a table could be spared: rows that can be joined, what is asked and never matters, modifiers that
always apply together. Exact, as in `checking/tables`, and no fault: a reader has less to read, that is all.

A row is the same as another only if it also cites the same, assumes the same and has the same remark: whoever writes
down what two rules say needs two rows for it.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import reduce
from operator import or_

from closecombat.binding import trees as w
from closecombat.binding.bound import BoundRow, BoundTable
from closecombat.checking.axes import NOBODY, SOMEBODY, Axes, parts_of
from closecombat.checking.boxes import Box, TooMuch, indexed, is_covered, matters, walk
from closecombat.text.faults import Faults
from closecombat.text.source import Span

Boxes = Sequence[Sequence[Box] | None]  # of each row where it holds; None where that is not sure


def check_spare(table: BoundTable, axes: Axes, met: Box, boxes: Boxes, faults: Faults) -> None:
    """Adds notes; of a table whose rows do not add up only if it has no other findings. `met` is all that can be."""
    try:
        if table.table.policy == "adds-up":
            _check_together(table.rows, axes, boxes, faults)
        elif table.table.policy in ("first-of", "one-of"):
            known = [each for each in boxes if each is not None]
            if len(known) == len(boxes) and not _check_needless(table, axes, met, known, faults):
                _check_joined(table, axes, known, faults)
    except TooMuch:  # it is no fault to say too much
        return


def _says(row: BoundRow) -> Hashable:
    """What makes two rows the same, but for what they ask."""
    one, where = row.row, row.row.where
    verdict = " ".join(one.verdict.text.split()) if one.verdict is not None else ""
    return one.verb, verdict, one.rounded, one.instead_of, where.cites, where.assumed, where.note


def _check_needless(
    table: BoundTable, axes: Axes, met: Box, boxes: Sequence[Sequence[Box]], faults: Faults
) -> bool:
    """Whether something is asked that never matters, which is told."""
    flat = [(at, box) for at, each in enumerate(boxes) for box in each]
    otherwise = table.table.otherwise
    says = [_says(row) for row in table.rows]
    left: Hashable = ("is", " ".join(otherwise.text.split()), "", (), (), (), "") if otherwise is not None else None

    is_one_of = table.table.policy == "one-of"

    def outcome(there: int) -> Hashable:
        if not there:
            return left
        first = flat[(there & -there).bit_length() - 1][0]
        if is_one_of and any(there >> at & 1 and row != first for at, (row, _) in enumerate(flat)):
            return "several"  # which is a fault, whatever they say
        return says[first]

    if len({*says, left} - {None}) < 2:
        return False
    way = walk(axes.space, met, [box for _, box in flat])
    pairs = (one.tree for one in axes.axes if isinstance(one.tree, w.Compared | w.Equal))
    compared = [tree for one in pairs for tree in (one.left, one.right)]
    compared += [part for one in axes.axes if isinstance(one.tree, w.Signed) for part in parts_of(one.tree)]
    for axis, one in enumerate(axes.axes):
        if all(value in (SOMEBODY, NOBODY) for value in one.values) or one.tree in compared:
            continue  # asked on the way to something else of him, or against another value, too
        if not matters(way, axis, outcome):
            place = _asks(table.rows, axes, axis)
            if place is not None:
                said = f"`{table.table.name}` says the same whatever {axes.name(axis)} is"
                faults.add("never-matters", said, place, severity="note", help="take the column out")
                return True
    return False


def _asks(rows: Sequence[BoundRow], axes: Axes, axis: int) -> Span | None:
    """The first test that asks something."""
    for row in rows:
        for (heading, cell), test in zip(row.row.tests, (*row.first, *row.tests), strict=True):
            if axes.asks(test.tree, axis):
                return cell.place if heading is None else heading.place
    return None


def _check_joined(table: BoundTable, axes: Axes, boxes: Sequence[Sequence[Box]], faults: Faults) -> None:
    for at in range(len(table.rows) - 1):
        one, other = table.rows[at], table.rows[at + 1]
        if _says(one) != _says(other) or len(boxes[at]) != 1 or len(boxes[at + 1]) != 1:
            continue
        axis = _only_axis(axes, boxes[at][0], boxes[at + 1][0])
        if axis is not None:
            said = f"`{one.row.id}` and `{other.row.id}` say the same and differ only in {axes.name(axis)}"
            faults.add(
                "rows-join",
                said,
                other.row.where.place,
                severity="note",
                labels=((one.row.where.place, "this one"),),
                help="one row can say both",
            )


def _only_axis(axes: Axes, one: Box, other: Box) -> int | None:
    """The one axis on which two boxes differ, if together they are a box that can be said: on numbers, one without a
    gap."""
    differ = [axis for axis in {**one, **other} if one.get(axis) != other.get(axis)]
    if len(differ) != 1 or differ[0] not in one or differ[0] not in other:
        return None
    axis = differ[0]
    both = one[axis] | other[axis]
    values = [value for at, value in enumerate(axes.axes[axis].values) if both >> at & 1]
    if any(type(value) is not str and value is not None for value in values):
        run = both // (both & -both)
        return axis if not run & (run + 1) and values[-1] is not None else None
    return axis if None not in values else None


def _check_together(rows: Sequence[BoundRow], axes: Axes, boxes: Boxes, faults: Faults) -> None:
    alike: dict[Hashable, list[int]] = {}  # only rows of one reach can hold in the same situations
    reaches = [_reach(row, axes, each) for row, each in zip(rows, boxes, strict=True)]
    for at, reach in enumerate(reaches):
        alike.setdefault(reach, []).append(at)
    for first, reach in enumerate(reaches):
        for second in alike[reach] if reach is not None else ():
            there, here = boxes[first], boxes[second]
            if second <= first or not there or not here:
                continue
            if not (_covers(axes, there, here) and _covers(axes, here, there)):
                continue
            one, other = rows[first].row, rows[second].row
            if any(row.row.verb == "times" for row in rows[first:second]):
                continue  # what is multiplied between them is not the same in one row
            twice = _says(rows[first]) == _says(rows[second]) and one.says == other.says
            faults.add(
                "always-together",
                f"`{one.id}` and `{other.id}` always apply together" + (", and add the same twice" if twice else ""),
                other.where.place,
                severity="warning" if twice else "note",
                labels=((one.where.place, "this one"),),
                help="make one row of them, or mend one of the two",
            )


def _reach(row: BoundRow, axes: Axes, boxes: Sequence[Box] | None) -> Hashable:
    """What a row that adds cites, assumes and asks, and on each axis wherever it may hold; of one that asks nothing
    what it adds, since of those all apply together. None of any other row."""
    if not boxes or row.row.verb != "add":
        return None
    if not any(boxes):
        return row.row.where.cites, row.row.where.assumed, None if row.verdict is None else row.verdict.tree
    asked = sorted({axis for box in boxes for axis in box})
    everywhere = {axis: axes.space.all_of(axis) for axis in asked}
    bits = [reduce(or_, (box.get(axis, everywhere[axis]) for box in boxes)) for axis in asked]
    return row.row.where.cites, row.row.where.assumed, tuple(zip(asked, bits, strict=True))


def _covers(axes: Axes, one: Sequence[Box], other: Sequence[Box]) -> bool:
    index = indexed(axes.space, one)
    return all(is_covered(axes.space, box, index) for box in other)
