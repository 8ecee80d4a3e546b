"""From where to where a number of a sentence can come, as far as declarations say: never less than it can be. An end
that is None is not known; of a number neither of whose ends is known nothing is said. That it is no fraction is known
where all that it is made of is known to be none."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from itertools import product
from operator import add
from typing import Any

from closecombat.binding import trees as w
from closecombat.binding.bound import BoundGrid, BoundTable
from closecombat.binding.charts import Bound
from closecombat.binding.terms import Term
from closecombat.reading.model import DicePart, Ruleset
from closecombat.reading.syntax import Literal
from closecombat.reading.types import Number, Roll, Type
from closecombat.text.faults import Faulty
from closecombat.text.slotted import dataclass


@dataclass(frozen=True, slots=True)
class Ends:
    """The least and the most that a number can be, whole numbers both; the number itself `is_whole`, or may not be."""

    low: int | None
    high: int | None
    is_whole: bool = True


class Reach:
    """Of one ruleset: from where to where something can come."""

    def __init__(self, bound: Bound) -> None:
        self._bound = bound
        self._tables: dict[str, Ends | None] = {}

    def of(self, tree: w.Tree) -> Number | None:
        """The whole numbers between which something lies; None where it may be a fraction, or that cannot be told."""
        ends = self.ends(tree)
        return Number(ends.low, ends.high) if ends is not None and ends.is_whole else None

    def ends(self, tree: w.Tree) -> Ends | None:
        """Between what something lies; None where that cannot be told."""
        match tree:
            case w.Const(int() as number, sort) if sort is not bool:
                return Ends(number, number)
            case w.OfFact(type=Number(low, high)):
                return _known(low, high)
            case w.Total(w.OfFact(type=Roll() as roll)):
                return shown_by(self._bound.ruleset, roll)
            case w.Counted(value):
                return self.ends(value)
            case w.Rounded(_, value):
                ends = self.ends(value)
                return None if ends is None else Ends(ends.low, ends.high)
            case w.Signed("*", left, right):
                return _times(self.ends(left), self.ends(right))
            case w.Signed("+" | "-" as sign, left, right):
                one, other = self.ends(left), self.ends(right)
                return _plus(one, other if sign == "+" else _turned(other))
            case w.Best(highest, values, ()):
                certain = [self.ends(one) for one in values if isinstance(one, w.Counted) or w.always(one)]
                better = _higher if highest else _lower
                if len(certain) == len(values):
                    return reduce(better, certain)
                return reduce(better, certain, _hull(map(self.ends, values)))  # who has none does not count
            case w.Extreme(worth=worth, who=False, words=()):
                return self.ends(worth)
            case w.HowMany():
                return Ends(0, None)
            case w.Sum(worth=worth):
                return _of_any_number(self.ends(worth))
            case w.Asked(name, column=False):
                return self._of_chart(name)
        return None

    def _of_chart(self, name: str) -> Ends | None:
        if name not in self._tables:
            self._tables[name] = None  # of what is worked out from itself nothing is said
            try:
                if name in self._bound.ruleset.grids:
                    self._tables[name] = self._of_grid(self._bound.grid(name))
                else:
                    self._tables[name] = self._of_table(self._bound.table(name))
            except Faulty:
                return None
        return self._tables[name]

    def _of_table(self, table: BoundTable) -> Ends | None:
        found = self.unbounded(table)
        if table.at_least is not None:
            found = _higher(found, self._of_term(table.at_least))
        return found if table.at_most is None else _lower(found, self._of_term(table.at_most))

    def unbounded(self, table: BoundTable) -> Ends | None:
        """From where to where a table would come without bounds of its own."""
        if table.value is not None:
            return self.ends(table.value.tree)
        if table.table.policy == "adds-up":
            return self._of_sum(table)
        found = [self._of_term(row.verdict) for row in table.rows]
        return _hull([*found, self._of_term(table.otherwise)] if table.otherwise is not None else found)

    def _of_sum(self, table: BoundTable) -> Ends | None:
        total: Ends | None = Ends(0, 0) if table.start is None else self._of_term(table.start)
        for row in table.rows:
            one = self._of_term(row.verdict)
            if row.row.verb != "add":
                return None
            if row.each is not None:
                one = _of_any_number(one)
            counts_always = not (row.first or row.tests or table.blockers.get(row.row.id))
            total = _plus(total, one if counts_always else _hull([Ends(0, 0), one]))
        return total

    def _of_grid(self, grid: BoundGrid) -> Ends | None:
        """What is printed, and what its footnotes say and what holds otherwise."""
        cells = zip(grid.cells, grid.explained, strict=True)
        printed = [value for line, why in cells for value, note in zip(line, why, strict=True) if not note]
        if any(type(value) is not int for value in printed):
            return None
        return _hull([*(Ends(value, value) for value in printed), *map(self._of_term, grid.notes)])

    def _of_term(self, term: Term | None) -> Ends | None:
        return None if term is None else self.ends(term.tree)


# ---- ranges -----------------------------------------------------------------------------------------------


def _known(low: int | None, high: int | None, is_whole: bool = True) -> Ends | None:
    return None if low is None and high is None else Ends(low, high, is_whole)


def _plus(one: Ends | None, other: Ends | None) -> Ends | None:
    if one is None or other is None:
        return None
    return _known(_both(add, one.low, other.low), _both(add, one.high, other.high), one.is_whole and other.is_whole)


def _turned(one: Ends | None) -> Ends | None:
    """What is taken away."""
    if one is None:
        return None
    return Ends(None if one.high is None else -one.high, None if one.low is None else -one.low, one.is_whole)


def _times(one: Ends | None, other: Ends | None) -> Ends | None:
    if one is None or other is None or None in (one.low, one.high, other.low, other.high):
        return None
    found = [x * y for x, y in product((one.low or 0, one.high or 0), (other.low or 0, other.high or 0))]
    return Ends(min(found), max(found), one.is_whole and other.is_whole)


def _higher(one: Ends | None, other: Ends | None) -> Ends | None:
    """Of the higher of two: it is no less than either."""
    lows = [each.low for each in (one, other) if each is not None and each.low is not None]
    if one is None or other is None:
        return _known(max(lows, default=None), None, False)
    return _known(max(lows, default=None), _both(max, one.high, other.high), one.is_whole and other.is_whole)


def _lower(one: Ends | None, other: Ends | None) -> Ends | None:
    return _turned(_higher(_turned(one), _turned(other)))


def _both(fn: Callable[[int, int], int], one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else fn(one, other)


def _of_any_number(one: Ends | None) -> Ends | None:
    """The sum of none, one or many of a range."""
    if one is None:
        return None
    at_least = 0 if one.low is not None and one.low >= 0 else None
    return _known(at_least, 0 if one.high is not None and one.high <= 0 else None, one.is_whole)


def _hull(some: Iterable[Ends | None]) -> Ends | None:
    """From the least of some to the most."""
    found = list(some)
    known = [one for one in found if one is not None]
    if not known or len(known) < len(found):
        return None
    lows, highs = [one.low for one in known], [one.high for one in known]
    low = None if None in lows else min(low for low in lows if low is not None)
    high = None if None in highs else max(high for high in highs if high is not None)
    return _known(low, high, all(one.is_whole for one in known))


# ---- declared ---------------------------------------------------------------------------------------------


def range_of(ruleset: Ruleset, type: Type) -> tuple[int | None, int | None]:
    """The least and the most that a value of a type can be, as far as its declaration says."""
    match type:
        case Number(low, high):
            return low, high
        case Roll(dice):
            parts, plus = ruleset.dice[dice].parts, ruleset.dice[dice].plus
            if not isinstance(plus, int) or any(one.sides is not None or one.of is not None for one in parts):
                return None, None
            numbers = [_kept(one) for one in parts]
            if any(one.explode_if is not None or one.each for one in parts):
                return None, None
            shown = [[face for face in one.faces[""] if isinstance(face, int)] for one in parts]
            faces = [(number, each) for number, each in zip(numbers, shown, strict=True) if number is not None]
            if len(faces) == len(parts) and not any(isinstance(face, str) for one in parts for face in one.faces[""]):
                return sum(n * min(f) for n, f in faces) + plus, sum(n * max(f) for n, f in faces) + plus
    return None, None


def shown_by(ruleset: Ruleset, type: Type) -> Ends | None:
    """What a roll can come to, where that is every whole number from the least to the most."""
    low, high = range_of(ruleset, type)
    if low is None or high is None or not isinstance(type, Roll):
        return None
    faces = [sorted(face for face in part.faces[""] if isinstance(face, int)) for part in ruleset.dice[type.dice].parts]
    return Ends(low, high) if all(shown == list(range(shown[0], shown[-1] + 1)) for shown in faces) else None


def _kept(part: DicePart) -> int | None:
    """How many dice of a part count, where its line says so."""
    number: Any = part.number if isinstance(part.number, int) else part.number.node
    if isinstance(number, Literal):
        number = number.value
    if not isinstance(number, int):
        return None
    if part.keep is None:
        return number
    return min(number, part.keep[1]) if isinstance(part.keep[1], int) else None
