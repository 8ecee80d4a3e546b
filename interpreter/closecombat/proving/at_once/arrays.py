"""Columns of values for many playings at once, as arrays of numbers. The only user of numpy, an extra.

A column does not hold values but their numbers in a `Coding`, a list of whatever values have been met there. Words,
nobody, somebody, a flag, a fraction: an array does not ask what they are. A function of some columns (`Lookup`) is
worked out once for each combination of values that comes up, by whoever would work it out for a single playing; from
then on it is one look into a table for each playing.

*An example.* `a + b is at least 7` of two dice: the combination of a 3 and a 4 is number 2 * 8 + 3 of a table with 64
places. When it is first come to, the place is empty, and `yes` is worked out; for all others it stands there.

What chance settles is drawn from `Dice`, by raw numbers of 64 bits: those of numpy's Philox are the same in every
version and on every machine. A chance is met within one part in 2 ** 40.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import TypeAlias

import numpy as np

from closecombat.proving.tables.weights import Row
from closecombat.proving.values.symbolic import Value

Column: TypeAlias = np.ndarray[tuple[int], np.dtype[np.int64]]
Mask: TypeAlias = np.ndarray[tuple[int], np.dtype[np.bool_]]
Raw: TypeAlias = np.ndarray[tuple[int], np.dtype[np.uint64]]

DENSE = 18  # bits of a combination, up to which a table has a place for each
WIDEST = 62  # bits that an array's numbers have room for
FEW_CASES = 1 << 12  # equal cases of a throw that are written out


class Coding:
    """What stands in a column: `values[n]` is the value of number n. It grows as values are met."""

    __slots__ = ("_numbers", "bits", "values")

    def __init__(self, values: Sequence[Value] = ()) -> None:
        self.values: list[Value] = []
        self._numbers: dict[tuple[type, Value], int] = {}
        self.bits = 0
        for value in values:
            self.number(value)

    def number(self, value: Value) -> int:
        key = type(value), value
        found = self._numbers.get(key)
        if found is None:
            found = self._numbers[key] = len(self.values)
            self.values.append(value)
            self.bits = found.bit_length()
        return found


class Lookup:
    """A function of some columns, worked out for each combination of their values when it first comes up."""

    __slots__ = ("_bits", "_known", "_table", "inputs", "out", "work_out")

    def __init__(self, inputs: Sequence[Coding], out: Coding, work_out: Callable[[Row], Value]) -> None:
        self.inputs, self.out, self.work_out = tuple(inputs), out, work_out
        self._known: dict[tuple[int, ...], int] = {}
        self._bits: tuple[int, ...] | None = None
        self._table: Column | None = None

    @property
    def bits(self) -> int:
        """Of a combination, as far as values have been met."""
        return sum([one.bits for one in self.inputs])

    def __call__(self, columns: Sequence[Column]) -> Column:
        bits = tuple([one.bits for one in self.inputs])
        if bits != self._bits:
            self._fit(bits)
        if self._table is None:
            return self._sparse(columns, bits)
        keys = _keys(columns, bits)
        found = taken(self._table, keys)
        if found.size and int(found.min()) < 0:
            new, first = np.unique(keys[found < 0], return_index=True)
            rows = np.flatnonzero(found < 0)[first]
            for key, row in zip(new.tolist(), rows.tolist(), strict=True):
                self._table[key] = self._worked_out(tuple([int(column[row]) for column in columns]))
            found = taken(self._table, keys)
        return found

    def _fit(self, bits: tuple[int, ...]) -> None:
        """A table for as many values as there are by now; what was known is known."""
        self._bits = bits
        if sum(bits) > DENSE:
            self._table = None
            return
        self._table = np.full(1 << sum(bits), -1, np.int64)
        for numbers, value in self._known.items():
            key = 0
            for number, width in zip(numbers, bits, strict=True):
                key = key << width | number
            self._table[key] = value

    def _sparse(self, columns: Sequence[Column], bits: Sequence[int]) -> Column:
        places, first = grouped(columns, bits)
        rows = [tuple([int(column[row]) for column in columns]) for row in first.tolist()]
        values = np.array([self._worked_out(row) for row in rows], np.int64)
        found: Column = values[places]
        return found

    def _worked_out(self, numbers: tuple[int, ...]) -> int:
        found = self._known.get(numbers)
        if found is None:
            given = tuple([one.values[n] for one, n in zip(self.inputs, numbers, strict=True)])
            found = self._known[numbers] = self.out.number(self.work_out(given))
        return found


class Each:
    """Of each value of a column another number; asked once for each value."""

    __slots__ = ("_numbers", "coding", "number_of")

    def __init__(self, coding: Coding, number_of: Callable[[Value], int]) -> None:
        self.coding, self.number_of = coding, number_of
        self._numbers: Column = np.zeros(0, np.int64)

    def __call__(self, column: Column) -> Column:
        known = len(self._numbers)
        if known < len(self.coding.values):
            new = [self.number_of(value) for value in self.coding.values[known:]]
            self._numbers = np.concatenate([self._numbers, np.array(new, np.int64)])
        return taken(self._numbers, column)


def _keys(columns: Sequence[Column], bits: Sequence[int]) -> Column:
    """Each combination as one number."""
    keys, *others = columns
    for column, width in zip(others, bits[1:], strict=True):
        keys = keys << width
        keys |= column
    return keys


def grouped(columns: Sequence[Column], bits: Sequence[int]) -> tuple[Column, Column]:
    """For each row the number of its combination among all that come up, in the order in which they do; and of each of
    these the first row."""
    if sum(bits) <= DENSE:
        keys = _keys(columns, bits)
        of_each = filled(1 << sum(bits), -1)
        of_each[keys[::-1]] = np.arange(len(keys))[::-1]
        first = np.sort(of_each[of_each >= 0])
        of_each[taken(keys, first)] = np.arange(len(first))
        return taken(of_each, keys), first
    keys, width = columns[0], bits[0]
    for column, more in zip(columns[1:], bits[1:], strict=True):
        if width + more > WIDEST:
            keys = np.unique(keys, return_inverse=True)[1]
            width = len(keys).bit_length()
        keys, width = (keys << more) | column, width + more
    _, first, places = np.unique(keys, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return taken(rank, places), taken(first, order)


def numbered(size: int) -> Column:
    return np.arange(size)


def filled(size: int, number: int) -> Column:
    return np.full(size, number, np.int64)


def where(mask: Mask) -> Column:
    """The rows of a mask."""
    return np.flatnonzero(mask)


def chosen(mask: Mask, one: Column, other: Column) -> Column:
    found: Column = other ^ ((one ^ other) & -mask.astype(np.int64))  # which a processor does without a branch
    return found


def taken(column: Column, index: Column) -> Column:
    """The rows of a column that an index says; all of them are there, which is not asked again."""
    found: Column = column.take(index, mode="clip")
    return found


def first_rows(column: Column, size: int) -> Column:
    """For each number below a size the first row in which it stands."""
    first: Column = np.zeros(size, np.int64)
    first[column[::-1]] = np.arange(len(column))[::-1]
    return first


def counted(column: Column, size: int) -> list[int]:
    """How often each number below a size stands in a column."""
    counts: list[int] = np.bincount(column, minlength=size).tolist()
    return counts


# ---- chance -----------------------------------------------------------------------------------------------


class Dice:
    """What chance brings in one batch of playings: made from a seed and the batch's number, and from nothing else."""

    def __init__(self, seed: int, batch: int) -> None:
        key = int.from_bytes(sha256(f"{seed} together {batch}".encode()).digest()[:16], "big")
        self._bits = np.random.Philox(key=key)

    def raw(self, size: int) -> Raw:
        raw: Raw = self._bits.random_raw(size)
        return raw


class Falls:
    """Ways in which something can fall, by their weights, which sum to `den`; `columns` says for each way what comes of
    it, number by number."""

    __slots__ = ("_columns", "_den", "_ends")

    def __init__(self, weights: Sequence[int], den: int, columns: Sequence[Sequence[int]]) -> None:
        self._den = den
        self._ends: Raw | None = None
        self._columns = [np.array(column, np.int64) for column in columns]
        if den <= FEW_CASES:
            self._columns = [np.repeat(column, weights) for column in self._columns]
        else:
            so_far, ends = 0, []
            for weight in weights[:-1]:
                so_far += weight
                ends.append((so_far << 64) // den)
            self._ends = np.array(ends, np.uint64)

    def drawn(self, raw: Raw) -> list[Column]:
        """What comes of the ways that some raw numbers stand for."""
        if self._ends is None:
            ways = (((raw >> np.uint64(16)) * np.uint64(self._den)) >> np.uint64(48)).view(np.int64)
        else:
            ways = np.searchsorted(self._ends, raw, side="right")
        return [taken(column, ways) for column in self._columns]
