"""Tables of weighted rows: {values of some variables: weight} over a common denominator."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import lcm
from operator import itemgetter
from typing import Any

from closecombat.diagnostics import Faulty
from closecombat.symbolic import Sym

Row = tuple[Any, ...]
Table = dict[Row, int]
Layout = tuple[Sym, ...]
MOST_ROWS = 1_000_000
MANY_ROWS = 300_000  # of a product, from which on it is not held in memory as a whole
MOST_PRODUCT = 50_000_000


def picker(layout: Sequence[Any], wanted: Sequence[Any]) -> Callable[[Row], Row]:
    """A function that takes the wanted columns, in that order, out of a row."""
    places = [layout.index(var) for var in wanted]
    if places == list(range(len(layout))):
        return lambda row: row
    if not places:
        return lambda row: ()
    if len(places) == 1:
        only = places[0]
        return lambda row: (row[only],)
    if places == list(range(places[0], places[0] + len(places))):
        part = slice(places[0], places[0] + len(places))
        return lambda row: row[part]
    return itemgetter(*places)


def product_of(tables: Sequence[tuple[Table, int]]) -> tuple[Iterable[tuple[Row, int]], int]:
    """The rows of independent tables joined, and their denominator."""
    if not tables:
        return (((), 1),), 1
    first, den = tables[0]
    rows: Iterable[tuple[Row, int]] = first.items()
    size = len(first)
    for table, d in tables[1:]:
        more = list(table.items())
        size *= len(more)
        if size > MOST_PRODUCT:
            raise _too_many()
        rows = _joined_rows(rows, more) if size > MANY_ROWS else [(a + b, v * w) for a, v in rows for b, w in more]
        den *= d
    return rows, den


def _joined_rows(rows: Iterable[tuple[Row, int]], more: list[tuple[Row, int]]) -> Iterable[tuple[Row, int]]:
    for a, v in rows:
        for b, w in more:
            yield a + b, v * w


def watched(rows: Iterable[tuple[Row, int]], out: Table) -> Iterable[tuple[Row, int]]:
    """The rows, as long as what is made of them is not too much."""
    for i, row in enumerate(rows):
        if i % MANY_ROWS == 0:
            bounded(out)
        yield row


def joined(by_den: dict[int, Table]) -> tuple[Table, int]:
    """Tables of weights over different denominators as one."""
    if len(by_den) == 1:
        ((den, table),) = by_den.items()
        return table, den
    common = lcm(*by_den) if by_den else 1
    out: Table = {}
    for den, table in by_den.items():
        scale = common // den
        for row, w in table.items():
            out[row] = out.get(row, 0) + w * scale
    return out, common


def bounded(table: Table) -> None:
    if len(table) > MOST_ROWS:
        raise _too_many()


def _too_many() -> Faulty:
    return Faulty.one(
        "budget-exceeded",
        f"more than {MOST_ROWS} different states at once",
        None,
        help="ask for less: --by sides, fewer attacks, or smaller forces",
    )
