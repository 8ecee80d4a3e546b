"""Weighted rows: {values of some variables: weight}; with their denominator they are a factor."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence, Sized
from math import lcm, prod
from operator import itemgetter
from typing import Any, TypeVar

from closecombat.proving.symbolic import Sym
from closecombat.text.faults import Faulty

Row = tuple[Any, ...]
Weights = dict[Row, int]
Layout = tuple[Sym, ...]
Piece = tuple[Collection[Row], Collection[int]]  # rows and the weight of each
Key = TypeVar("Key")
MOST_ROWS = 1_000_000
MANY_ROWS = 300_000  # of a product, from which on it is not held in memory as a whole
MOST_PRODUCT = 50_000_000


def picker(layout: Sequence[Any], wanted: Sequence[Any]) -> Callable[[Row], Row]:
    """A function that takes the wanted columns, in that order, out of a row."""
    places = [layout.index(var) for var in wanted]
    first = places[0] if places else 0
    if places == list(range(first, first + len(places))):
        return itemgetter(slice(first, first + len(places)))
    return itemgetter(*places)


def product_of(factors: Sequence[tuple[Weights, int]]) -> tuple[Iterable[Piece], int]:
    """The rows of independent factors joined and their weights, piece by piece, and their denominator."""
    if not factors:
        return ((((),), (1,)),), 1
    if len(factors) == 1:
        weights, den = factors[0]
        return ((weights, weights.values()),), den
    den = prod([d for _, d in factors])
    size = prod(len(weights) for weights, _ in factors)
    if size > MOST_PRODUCT:
        raise too_many()
    whole: list[Piece] = [(list(weights), list(weights.values())) for weights, _ in factors]
    return ((_joined_rows(whole),) if size <= MANY_ROWS else _piece_by_piece(whole)), den


def _joined_rows(factors: Sequence[Piece]) -> Piece:
    (rows, weights), *others = factors
    for more, each in others:
        rows, weights = [a + b for a in rows for b in more], [v * w for v in weights for w in each]
    return rows, weights


def _piece_by_piece(factors: list[Piece]) -> Iterator[Piece]:
    """The product cut along its longest factors, so that no piece is too long to be held in memory."""
    size = prod(len(rows) for rows, _ in factors)
    if size <= MANY_ROWS:
        yield _joined_rows(factors)
        return
    longest = max(range(len(factors)), key=lambda i: len(factors[i][0]))
    rows, weights = list(factors[longest][0]), list(factors[longest][1])
    part = max(1, len(rows) * MANY_ROWS // size)
    for start in range(0, len(rows), part):
        cut = rows[start : start + part], weights[start : start + part]
        yield from _piece_by_piece([*factors[:longest], cut, *factors[longest + 1 :]])


def summed(rows: Iterable[Key], weights: Iterable[int], out: dict[Key, int]) -> None:
    """Adds the weights of some rows to others."""
    known = out.get
    for row, weight in zip(rows, weights, strict=True):
        out[row] = known(row, 0) + weight
    if len(out) > MOST_ROWS:
        raise too_many()


def joined(by_den: dict[int, Weights]) -> tuple[Weights, int]:
    """Weights over different denominators as one."""
    if len(by_den) == 1:
        ((den, weights),) = by_den.items()
        return weights, den
    common = lcm(*by_den) if by_den else 1
    out: Weights = {}
    for den, weights in by_den.items():
        scale = common // den
        for row, w in weights.items():
            out[row] = out.get(row, 0) + w * scale
    return out, common


def bounded(weights: Sized) -> None:
    if len(weights) > MOST_ROWS:
        raise too_many()


def too_many() -> Faulty:
    return Faulty.one(
        "budget-exceeded",
        f"more than {MOST_ROWS} different states at once",
        None,
        help="ask for less: --by sides, fewer attacks, or smaller forces",
    )
