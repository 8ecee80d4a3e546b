"""From where to where a number of a sentence can come, as far as declarations say: never less than it can be."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import reduce
from itertools import product
from operator import add, mul, sub
from types import MappingProxyType

from closecombat.binding import trees as w
from closecombat.binding.bound import BoundGrid, BoundTable
from closecombat.binding.charts import Bound
from closecombat.binding.terms import Term
from closecombat.checking.soundness import shown_by
from closecombat.reading.types import Number, Roll
from closecombat.text.faults import Faulty

SIGNS: Mapping[str, Callable[[int, int], int]] = MappingProxyType({"+": add, "-": sub, "*": mul})


class Reach:
    """Of one ruleset: the whole numbers between which something lies; None where that cannot be told."""

    def __init__(self, bound: Bound) -> None:
        self._bound = bound
        self._tables: dict[str, Number | None] = {}

    def of(self, tree: w.Tree) -> Number | None:
        match tree:
            case w.Const(int() as number, sort) if sort is not bool:
                return Number(number, number)
            case w.OfFact(type=Number(int() as low, int() as high)):
                return Number(low, high)
            case w.Total(w.OfFact(type=Roll() as roll)):
                return shown_by(self._bound.ruleset, roll)
            case w.Counted(value) | w.Rounded(_, value):
                return self.of(value)
            case w.Signed(sign, left, right) if sign in SIGNS:
                return _each_with_each(SIGNS[sign], self.of(left), self.of(right))
            case w.Best(highest, values, ()):
                return reduce(lambda a, b: _each_with_each(max if highest else min, a, b), map(self.of, values))
            case w.HowMany():
                return Number(0, None)
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
        if table.value is not None:
            found = self.of(table.value.tree)
        elif table.table.policy == "adds-up":
            found = self._of_sum(table)
        else:
            found = _hull(self._of_term(row.verdict) for row in table.rows)
            if table.otherwise is not None:
                found = _hull((found, self._of_term(table.otherwise)))
        for limit, better in ((table.at_least, max), (table.at_most, min)):
            if limit is not None:
                found = _each_with_each(better, found, self._of_term(limit))
        return found

    def _of_sum(self, table: BoundTable) -> Number | None:
        total = Number(0, 0) if table.start is None else self._of_term(table.start)
        for row in table.rows:
            one = self._of_term(row.verdict)
            if row.each is not None or row.row.verb != "add" or one is None:
                return None
            total = _each_with_each(add, total, _hull((Number(0, 0), one)) if row.first or row.tests else one)
        return total

    def _of_term(self, term: Term | None) -> Number | None:
        return None if term is None else self.of(term.tree)


def _of_cells(grid: BoundGrid) -> Number | None:
    numbers = [value for line in grid.cells for value in line]
    if any(any(line) for line in grid.explained) or not numbers or any(type(value) is not int for value in numbers):
        return None
    return Number(min(numbers), max(numbers))


def _ends(one: Number | None) -> tuple[int, int] | None:
    """Both ends, where both are known."""
    return None if one is None or one.low is None or one.high is None else (one.low, one.high)


def _each_with_each(fn: Callable[[int, int], int], a: Number | None, b: Number | None) -> Number | None:
    one, other = _ends(a), _ends(b)
    if one is None or other is None:
        return None
    found = [fn(x, y) for x, y in product(one, other)]
    return Number(min(found), max(found))


def _hull(some: Iterable[Number | None]) -> Number | None:
    found = [_ends(one) for one in some]
    known = [both for both in found if both is not None]
    if not known or len(known) < len(found):
        return None
    return Number(min(low for low, _ in known), max(high for _, high in known))
