"""Weighted rows: {values of some variables: weight}; with their denominator they are a factor."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Sized
from math import lcm, prod
from operator import itemgetter
from typing import Any, TypeVar

from closecombat.proving.values.symbolic import Sym
from closecombat.text.faults import Faulty

Row = tuple[Any, ...]
Weights = dict[Row, int]
Layout = tuple[Sym, ...]
Piece = tuple[Collection[Row], Collection[int]]  # rows and the weight of each
Answer = tuple[Sequence[tuple[Row, int]], int]  # what comes with which weight, and the denominator
Key = TypeVar("Key")
MOST_ROWS = 1_000_000
MANY_PLACES = 3_000_000  # in the rows of a product, from which on it is not held in memory as a whole
FEW_PLACES = 10  # that a row takes as much memory as at least
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
    most = most_rows(sum([columns_of(table) for table, _ in factors]))
    whole: list[Piece] = [(list(weights), list(weights.values())) for weights, _ in factors]
    return ((_joined_rows(whole),) if size <= most else _piece_by_piece(whole, most)), den


def most_rows(columns: int) -> int:
    """Of so many columns, in one piece of a product."""
    return MANY_PLACES // max(columns, FEW_PLACES)


def columns_of(table: Weights) -> int:
    return len(next(iter(table), ()))


def _joined_rows(factors: Sequence[Piece]) -> Piece:
    (rows, weights), *others = factors
    for more, each in others:
        rows, weights = [a + b for a in rows for b in more], [v * w for v in weights for w in each]
    return rows, weights


def _piece_by_piece(factors: list[Piece], most: int) -> Iterator[Piece]:
    """The product cut along its longest factors, so that no piece is longer than `most`."""
    size = prod(len(rows) for rows, _ in factors)
    if size <= most:
        yield _joined_rows(factors)
        return
    longest = max(range(len(factors)), key=lambda i: len(factors[i][0]))
    rows, weights = list(factors[longest][0]), list(factors[longest][1])
    part = max(1, len(rows) * most // size)
    for start in range(0, len(rows), part):
        cut = rows[start : start + part], weights[start : start + part]
        yield from _piece_by_piece([*factors[:longest], cut, *factors[longest + 1 :]], most)


def summed(rows: Iterable[Key], weights: Iterable[int], out: dict[Key, int]) -> None:
    """Adds the weights of some rows to others."""
    known = out.get
    for row, weight in zip(rows, weights, strict=True):
        out[row] = known(row, 0) + weight
    if len(out) > MOST_ROWS:
        raise too_many()


def over_one(known: Mapping[Row, Answer], keys: Iterable[Row]) -> tuple[dict[Row, Answer], int]:
    """The answers to some keys, with what each is to be multiplied by for all to be over one denominator."""
    of = {key: known[key] for key in keys}
    den = lcm(*{each for _, each in of.values()})
    return {key: (answers, den // each) for key, (answers, each) in of.items()}, den


def joined(by_den: dict[int, Weights], gone: Callable[[Weights], object] = len) -> tuple[Weights, int]:
    """Weights over different denominators as one. Of several none is left: each is `gone` as soon as it is added."""
    if len(by_den) == 1:
        ((den, weights),) = by_den.items()
        return weights, den
    common = lcm(*by_den) if by_den else 1
    out: Weights = {}
    for den in list(by_den):
        weights, scale = by_den.pop(den), common // den
        if out:
            known = out.get
            for row, w in weights.items():
                out[row] = known(row, 0) + w * scale
        else:
            out = {row: w * scale for row, w in weights.items()}
        gone(weights)
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
