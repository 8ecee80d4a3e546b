"""From where to where a number of a sentence can come, as far as declarations say: never less than it can be. An end
that is None is not known; of a number neither of whose ends is known nothing is said."""

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


class Reach:
    """Of one ruleset: the whole numbers between which something lies; None where that cannot be told."""

    def __init__(self, bound: Bound) -> None:
        self._bound = bound
        self._tables: dict[str, Number | None] = {}

    def of(self, tree: w.Tree) -> Number | None:
        match tree:
            case w.Const(int() as number, sort) if sort is not bool:
                return Number(number, number)
            case w.OfFact(type=Number(low, high)):
                return _known(low, high)
            case w.Total(w.OfFact(type=Roll() as roll)):
                return shown_by(self._bound.ruleset, roll)
            case w.Counted(value) | w.Rounded(_, value):
                return self.of(value)
            case w.Signed("*", left, right):
                return _times(self.of(left), self.of(right))
            case w.Signed("+" | "-" as sign, left, right):
                one, other = self.of(left), self.of(right)
                return _plus(one, other if sign == "+" else _turned(other))
            case w.Best(highest, values, ()):
                certain = [self.of(one) for one in values if isinstance(one, w.Counted) or w.always(one)]
                better = _higher if highest else _lower
                if len(certain) == len(values):
                    return reduce(better, certain)
                return reduce(better, certain, _hull(map(self.of, values)))  # who has none does not count
            case w.Extreme(worth=worth, who=False, words=()):
                return self.of(worth)
            case w.HowMany():
                return Number(0, None)
            case w.Sum(worth=worth):
                return _of_any_number(self.of(worth))
            case w.Asked(name, column=False):
                return self._of_chart(name)
        return None

    def _of_chart(self, name: str) -> Number | None:
        if name not in self._tables:
            self._tables[name] = None  # of what is worked out from itself nothing is said
            try:
                if name in self._bound.ruleset.grids:
                    self._tables[name] = _of_cells(self._bound.grid(name))
                else:
                    self._tables[name] = self._of_table(self._bound.table(name))
            except Faulty:
                return None
        return self._tables[name]

    def _of_table(self, table: BoundTable) -> Number | None:
        found = self.unbounded(table)
        if table.at_least is not None:
            found = _higher(found, self._of_term(table.at_least))
        return found if table.at_most is None else _lower(found, self._of_term(table.at_most))

    def unbounded(self, table: BoundTable) -> Number | None:
        """From where to where a table would come without bounds of its own."""
        if table.value is not None:
            return self.of(table.value.tree)
        if table.table.policy == "adds-up":
            return self._of_sum(table)
        found = [self._of_term(row.verdict) for row in table.rows]
        return _hull([*found, self._of_term(table.otherwise)] if table.otherwise is not None else found)

    def _of_sum(self, table: BoundTable) -> Number | None:
        total = Number(0, 0) if table.start is None else self._of_term(table.start)
        for row in table.rows:
            one = self._of_term(row.verdict)
            if row.row.verb != "add":
                return None
            if row.each is not None:
                one = _of_any_number(one)
            total = _plus(total, _hull([Number(0, 0), one]) if row.first or row.tests else one)
        return total

    def _of_term(self, term: Term | None) -> Number | None:
        return None if term is None else self.of(term.tree)


def _of_cells(grid: BoundGrid) -> Number | None:
    numbers = [value for line in grid.cells for value in line]
    if any(any(line) for line in grid.explained) or not numbers or any(type(value) is not int for value in numbers):
        return None
    return Number(min(numbers), max(numbers))


# ---- ranges -----------------------------------------------------------------------------------------------


def _known(low: int | None, high: int | None) -> Number | None:
    return None if low is None and high is None else Number(low, high)


def _plus(one: Number | None, other: Number | None) -> Number | None:
    if one is None or other is None:
        return None
    return _known(_both(add, one.low, other.low), _both(add, one.high, other.high))


def _turned(one: Number | None) -> Number | None:
    """What is taken away."""
    if one is None:
        return None
    return Number(None if one.high is None else -one.high, None if one.low is None else -one.low)


def _times(one: Number | None, other: Number | None) -> Number | None:
    if one is None or other is None or None in (one.low, one.high, other.low, other.high):
        return None
    found = [x * y for x, y in product((one.low or 0, one.high or 0), (other.low or 0, other.high or 0))]
    return Number(min(found), max(found))


def _higher(one: Number | None, other: Number | None) -> Number | None:
    """Of the higher of two: it is no less than either."""
    lows = [each.low for each in (one, other) if each is not None and each.low is not None]
    high = None if one is None or other is None else _both(max, one.high, other.high)
    return _known(max(lows, default=None), high)


def _lower(one: Number | None, other: Number | None) -> Number | None:
    return _turned(_higher(_turned(one), _turned(other)))


def _both(fn: Callable[[int, int], int], one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else fn(one, other)


def _of_any_number(one: Number | None) -> Number | None:
    """The sum of none, one or many of a range."""
    if one is None:
        return None
    at_least = 0 if one.low is not None and one.low >= 0 else None
    return _known(at_least, 0 if one.high is not None and one.high <= 0 else None)


def _hull(some: Iterable[Number | None]) -> Number | None:
    """From the least of some to the most."""
    found = list(some)
    known = [one for one in found if one is not None]
    if not known or len(known) < len(found):
        return None
    lows, highs = [one.low for one in known], [one.high for one in known]
    low = None if None in lows else min(low for low in lows if low is not None)
    return _known(low, None if None in highs else max(high for high in highs if high is not None))


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


def shown_by(ruleset: Ruleset, type: Type) -> Number | None:
    """What a roll can come to, where that is every whole number from the least to the most."""
    low, high = range_of(ruleset, type)
    if low is None or high is None or not isinstance(type, Roll):
        return None
    faces = [sorted(face for face in part.faces[""] if isinstance(face, int)) for part in ruleset.dice[type.dice].parts]
    return Number(low, high) if all(shown == list(range(shown[0], shown[-1] + 1)) for shown in faces) else None


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
