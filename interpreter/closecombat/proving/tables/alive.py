"""The bytes of the tables that are alive: charged while these are made, and given back as soon as they are used up.

A table that is read by one step only is gone when this is done. So the most that is held at once is far less than all
that is ever made, and it is the most that counts. Rows are charged as they come (`grown`): a product of a few short
factors can be longer than all memory, and nobody may find that out at its end.

Short tables are not charged: there are too many of them, and together they are nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import prod
from typing import Any

from closecombat.proving.tables.weights import Row, Weights, columns_of, joined, most_rows
from closecombat.proving.values.budget import PIECE_BYTES, PLACE_BYTES, ROW_BYTES, VALUE_BYTES
from closecombat.proving.values.symbolic import Workshop

SHORT = 2_000  # rows of a table that is not charged
MORE = 8  # of its rows, by one in so many of which a table has grown when it is charged anew
BYTE = 8


class Alive:
    """What the tables of a plan hold, by what its workshop may spend."""

    __slots__ = ("_charged", "_shop")

    def __init__(self, shop: Workshop) -> None:
        self._shop = shop
        self._charged: dict[int, int] = {}  # by the identity of a table, as long as it is alive

    def grown(self, table: Weights) -> int:
        """Charges a table, or what it has grown by; Spent if that is too much. Gives up to how many rows it may grow
        before this is asked again."""
        if len(table) > SHORT:
            self._charge(table, bytes_of(table))
        return may_grow_to(len(table))

    def remembered(self, memo: dict[Row, Row]) -> int:
        """Charges what is remembered of rows, which goes like a table."""
        if len(memo) > SHORT:
            row, told = next(iter(memo.items()))
            self._charge(memo, len(memo) * (VALUE_BYTES + PLACE_BYTES * (len(row) + len(told))))
        return may_grow_to(len(memo))

    def _charge(self, table: Mapping[Row, Any], held: int) -> None:
        before, self._charged[id(table)] = self._charged.get(id(table), 0), held
        self._shop.budget.made(0, held - before)

    def gone(self, tables: Iterable[Mapping[Row, Any]]) -> None:
        """Some tables are used up."""
        for table in tables:
            if len(table) > SHORT:
                self._shop.budget.held -= self._charged.pop(id(table), 0)

    def joined(self, by_den: dict[int, Weights]) -> tuple[Weights, int]:
        """Tables over different denominators as one; they are used up."""
        if len(by_den) == 1:
            return joined(by_den)
        out, den = joined(by_den, lambda table: self.gone((table,)))
        self.grown(out)
        return out, den

    def begin(self) -> None:
        """No table is alive; what was held is given back by whoever has broken off."""
        self._charged.clear()

    def so_far(self) -> dict[int, int]:
        return dict(self._charged)

    def back_to(self, before: dict[int, int]) -> None:
        """What has been made since has come to nothing."""
        self._shop.budget.held -= sum(self._charged.values()) - sum(before.values())
        self._charged = before


def may_grow_to(rows: int) -> int:
    return max(rows + rows // MORE, SHORT)


def bytes_of_piece(tables: Sequence[tuple[Weights, int]]) -> int:
    """About what a piece of their product takes: lists of its rows and weights."""
    rows, columns = prod([len(table) for table, _ in tables]), sum([columns_of(table) for table, _ in tables])
    return min(rows, most_rows(columns)) * (PIECE_BYTES + PLACE_BYTES * columns)


def bytes_of(table: Weights) -> int:
    """About what a table takes: its rows are tuples, and its weights whole numbers of any length."""
    first, last = next(iter(table)), next(reversed(table))
    weight = max(table[first].bit_length(), table[last].bit_length()) // BYTE
    return len(table) * (ROW_BYTES + PLACE_BYTES * len(first) + weight)
