"""Headings of grids against what can be looked up under them: where a value falls off the chart, and what is never
looked up.

From where to where a value can come is `checking/reach`; where that is not known on a side, nothing is said of that
side. Only odds can always be longer and shorter than any chart. What tables work out is looked at in `checking/sums`.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from closecombat.binding import trees as w
from closecombat.binding.bound import BoundGrid
from closecombat.binding.charts import Bound
from closecombat.binding.terms import Term
from closecombat.checking.reach import Ends, Reach, range_of, shown_by
from closecombat.reading.model import Grid, Heading, fall
from closecombat.reading.syntax import Cell
from closecombat.reading.types import Number
from closecombat.text.faults import Faults, Faulty
from closecombat.text.slotted import dataclass


@dataclass(frozen=True, slots=True)
class _Looked:
    """What is looked up along one side of a grid: from `low` to `high`, None where that is not known. `headings`
    rise. `moved` says that another column than the first found may be read."""

    cell: Cell
    headings: tuple[Heading, ...]
    low: Fraction | None
    high: Fraction | None
    is_odds: bool = False
    moved: bool = False


def check_headings(bound: Bound, faults: Faults) -> None:
    """Adds warnings of headings; `bound` must be without faults."""
    reach = Reach(bound)
    for name, grid in bound.ruleset.grids.items():
        try:
            read = bound.grid(name)
        except Faulty:  # said where it is bound
            continue
        for looked in _looked_up(bound, reach, read):
            if not (grid.stay or grid.otherwise is not None):
                _check_ends(name, looked, faults)
            if not looked.moved:
                _check_reached(grid, looked, faults)
        _check_faces(bound, read, faults)


def _looked_up(bound: Bound, reach: Reach, read: BoundGrid) -> Iterator[_Looked]:
    grid = read.grid
    across, columns, lines = grid.across, _rising(grid.columns), _rising(grid.lines)
    moved = grid.shift is not None
    if across is not None and columns and len(read.across) == 2:
        one, other = (_range(bound, reach, term) for term in read.across)
        some = one.low is not None and one.low >= 0  # of less than nothing, or against it, no range is told
        low = Fraction(one.low or 0, other.high) if some and other.high is not None and other.high > 0 else None
        high = Fraction(one.high, other.low) if some and one.high is not None and (other.low or 0) > 0 else None
        yield _Looked(across, columns, low, high, True, moved)
    elif across is not None and columns and read.across:
        yield _Looked(across, columns, *_ends(_range(bound, reach, read.across[0])), moved=moved)
    if read.down is not None and grid.down is not None and lines:
        yield _Looked(grid.down, lines, *_ends(_range(bound, reach, read.down)))


def _rising(headings: tuple[Heading, ...]) -> tuple[Heading, ...]:
    """Headings lowest first; none where there are words among them."""
    return () if any(one.word for one in headings) else headings[::-1] if fall(headings) else headings


def _ends(can: Number) -> tuple[Fraction | None, Fraction | None]:
    return None if can.low is None else Fraction(can.low), None if can.high is None else Fraction(can.high)


def _range(bound: Bound, reach: Reach, term: Term) -> Number:
    """From where to where a value can come, as far as declarations say."""
    low, high = range_of(bound.ruleset, term.type)
    if low is None and high is None and not _hangs_on_charts(term.tree):
        return reach.of(term.tree) or Number()
    return Number(low, high)


def _hangs_on_charts(tree: w.Tree) -> bool:
    match tree:
        case w.Counted(value) | w.Rounded(_, value):
            return _hangs_on_charts(value)
        case w.Signed(_, left, right):
            return _hangs_on_charts(left) or _hangs_on_charts(right)
        case w.Best(_, values):
            return any(map(_hangs_on_charts, values))
    return isinstance(tree, w.Asked)


def _check_ends(name: str, looked: _Looked, faults: Faults) -> None:
    """Warns of a chart that a value falls off. What is worth nothing is seldom looked up."""
    first, last = looked.headings[0], looked.headings[-1]
    if looked.is_odds:  # who has nothing makes no odds, and who has any number makes any
        below = first.low is not None and not (looked.low and not _is_below(looked.low, first))
        above = last.high is not None and (looked.high is None or _is_above(looked.high, last))
    else:
        low, high = (1 if looked.low == 0 else looked.low), (-1 if looked.high == 0 else looked.high)
        below = low is not None and _is_below(Fraction(low), first)
        above = high is not None and _is_above(Fraction(high), last)
    if below or above:
        end, does, open_end = (first, "begins", "below") if below else (last, "ends", "above")
        said = f"`{name}` {does} at `{end.text}`, and `{looked.cell.text}` {_range_text(looked)}"
        help = f"add an open heading such as `{open_end} {_end_of(end, below, looked.is_odds)}`, or `ends: stay`"
        faults.add("grid-gap", said, looked.cell.place, severity="warning", help=help)


def _check_faces(bound: Bound, read: BoundGrid, faults: Faults) -> None:
    """Warns of a number that a throw shows and that has no heading, though almost every other has one: it is read under
    its neighbour, which few charts of dice are printed for."""
    grid = read.grid
    sides = [(term, grid.across, grid.columns) for term in read.across if len(read.across) == 1]
    sides += [(read.down, grid.down, grid.lines)] if read.down is not None else []
    for term, cell, headings in sides:
        rising = _rising(headings)
        numbers = [int(one.low) for one in rising if one.low is not None and one.low == one.high]
        steps = [after - before for before, after in pairwise(numbers)]
        if cell is None or _thrown(bound, term.tree) is None or len(numbers) < len(rising):
            continue
        if steps.count(1) >= 2 * (len(steps) - steps.count(1)) > 0:
            at = next(at for at, step in enumerate(steps) if step > 1)
            under = numbers[at + 1] if read.grid.higher else numbers[at]
            said = f"`{read.grid.name}` has no heading for a throw of {numbers[at] + 1}, which is read under `{under}`"
            faults.add("grid-gap", said, cell.place, severity="warning", help=f"add `{numbers[at] + 1}`")


def _thrown(bound: Bound, tree: w.Tree) -> Ends | None:
    """What a throw can come to, if it is one that shows every number between."""
    if isinstance(tree, w.Total):
        tree = tree.roll
    return shown_by(bound.ruleset, tree.type) if isinstance(tree, w.OfFact) else None


def _is_below(value: Fraction, heading: Heading) -> bool:
    return heading.low is not None and (value < heading.low or (value == heading.low and heading.above))


def _is_above(value: Fraction, heading: Heading) -> bool:
    return heading.high is not None and (value > heading.high or (value == heading.high and heading.below))


def _end_of(heading: Heading, is_first: bool, is_odds: bool) -> str:
    end = (heading.low if is_first else heading.high) or Fraction(0)
    return f"{end.numerator}-{end.denominator}" if is_odds else str(end)


def _range_text(looked: _Looked) -> str:
    low, high = looked.low, looked.high
    if looked.is_odds:
        return "can be any odds" if not low or high is None else f"can be {_odds(low)} to {_odds(high)}"
    if low is None:
        return f"is at most {high}"
    return f"is {low} to {high}" if high is not None else f"is at least {low}"


def _odds(one: Fraction) -> str:
    return f"{one.numerator}-{one.denominator}"


def _check_reached(grid: Grid, looked: _Looked, faults: Faults) -> None:
    """Tells of the first heading under which nothing is ever looked up."""
    low, high = looked.low, looked.high
    if looked.is_odds:
        low = Fraction(0) if low is None else low
    for at, heading in enumerate(looked.headings):
        before = looked.headings[at - 1] if at else None
        after = looked.headings[at + 1] if at + 1 < len(looked.headings) else None
        if grid.higher:
            beyond = high is not None and before is not None and not _is_above(high, before) and before.high is not None
            short = low is not None and _is_above(low, heading) and not (grid.stay and after is None)
        else:
            beyond = high is not None and _is_below(high, heading) and not (grid.stay and before is None)
            short = low is not None and after is not None and after.low is not None and not _is_below(low, after)
        if beyond or short:
            said = f"nothing is looked up under `{heading.text}` of `{grid.name}`: `{looked.cell.text}` "
            place = looked.cell.place
            faults.add("never-applies", said + _range_text(looked), place, severity="note", help="is it as printed?")
            return
