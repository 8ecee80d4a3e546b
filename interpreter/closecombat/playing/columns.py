"""A long table as columns: for each fact that its rows ask, the rows that it lets through, value by value.

The rows that a value lets through are the bits of one number. Those of all columns together are the rows that hold: a
few dozen `&`, however many rows there are. Only tests that hold one fact against what is written in the table can stand
in a column; a row that asks anything else is asked by itself, as in a short table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction

from closecombat.binding import trees as w
from closecombat.binding.bound import BoundTable
from closecombat.proving.values.symbolic import Value
from closecombat.reading.types import Flag, Number, Word
from closecombat.text.slotted import dataclass

LONG = 100  # rows of a table that is worth its columns
MOST_VALUES = 200  # of a fact that has its rows under each of them

Bits = int  # rows of a table, each as a bit


@dataclass(frozen=True, slots=True)
class Column:
    """The rows that a fact lets through: `by_value`; or of a number that may be any, between the `ends`: those below
    the first, at it, between it and the next, and so on."""

    fact: w.OfFact
    by_value: Mapping[Value, Bits]
    ends: Sequence[Value] = ()
    between: Sequence[Bits] = ()


def columns_of(bound: BoundTable, is_known: Callable[[w.OfFact], bool]) -> tuple[list[Column], Bits]:
    """The columns of a table, of facts that can be read before any row is; and the rows that are in them as a whole."""
    tests: dict[w.OfFact, dict[int, list[w.Tree]]] = {}
    inside: Bits = 0
    for at, row in enumerate(bound.rows):
        found = [(_only_fact(test.tree), test.tree) for test in row.tests]
        facts = [fact for fact, _ in found if fact is not None and is_known(fact)]
        if row.each is None and len(facts) == len(found) and row.row.id not in bound.blockers:
            inside |= 1 << at
            for fact, test in found:
                if fact is not None:
                    tests.setdefault(fact, {}).setdefault(at, []).append(test)
    columns = [_column(fact, asked, inside) for fact, asked in tests.items()]
    return columns, inside


def _column(fact: w.OfFact, asked: Mapping[int, Sequence[w.Tree]], inside: Bits) -> Column:
    unasked = inside & ~sum(1 << at for at in asked)

    def bits(value: Value) -> Bits:
        return unasked | sum(1 << at for at, tests in asked.items() if all(holds(test, value) for test in tests))

    if (values := _values(fact)) is not None:
        return Column(fact, {value: bits(value) for value in values})
    written = {one for tests in asked.values() for test in tests for one in _written(test)}
    ends = sorted(one for one in written if isinstance(one, int | Fraction))
    samples = [ends[0] - 1]
    for end, after in zip(ends, [*ends[1:], ends[-1] + 2], strict=True):
        samples += [end, Fraction(end + after) / 2]
    return Column(fact, {None: bits(None)}, ends, [bits(one) for one in samples])


def _values(fact: w.OfFact) -> Sequence[Value] | None:
    """All that a fact can be, if that is not too much."""
    match fact.type:
        case Flag():
            return (True, False)  # what is noted where nobody has a flag the closures know
        case Word(words):
            return (*words, None)
        case Number(int(low), int(high)) if high - low < MOST_VALUES:
            return (*range(low, high + 1), None)
    return None


def _only_fact(test: w.Tree) -> w.OfFact | None:
    """The fact that a test holds against what is written, if it asks nothing else."""
    facts = set(_facts(test))
    fact = facts.pop() if len(facts) == 1 else None
    if fact is None or not isinstance(fact.type, Flag | Word | Number):
        return None
    if _values(fact) is None and not any(isinstance(one, int | Fraction) for one in _written(test)):
        return None
    return fact


def _leaves(tree: w.Tree) -> Iterator[w.OfFact | w.Const | None]:
    """The facts of a test, and what they are held against; None is anything that cannot stand in a column."""
    match tree:
        case w.OfFact() | w.Const():
            yield tree
        case w.Equal(one, other) | w.Compared(_, one, other):
            yield from _leaves(one)
            yield from _leaves(other)
        case w.Between(value, low, high):
            yield from (leaf for part in (value, low, high) for leaf in _leaves(part))
        case w.Joined(parts):
            yield from (leaf for part in parts for leaf in _leaves(part))
        case w.IsSomebody(value) | w.IsSo(value) | w.Not(value) | w.Ranked(_, value):
            yield from _leaves(value)
        case _:
            yield None


def _facts(tree: w.Tree) -> Iterator[w.OfFact | None]:
    return (leaf for leaf in _leaves(tree) if not isinstance(leaf, w.Const))


def _written(tree: w.Tree) -> Iterator[Value]:
    """What a fact is held against."""
    return (leaf.value for leaf in _leaves(tree) if isinstance(leaf, w.Const))


def holds(tree: w.Tree, value: Value) -> Value:
    """A test, or what stands in one, where its fact has a value."""
    match tree:
        case w.OfFact():
            return value
        case w.Const(written):
            return written
        case w.Ranked(words, word):
            found = holds(word, value)
            return None if found is None else words.index(found)
        case w.Equal(one, other):
            return holds(one, value) == holds(other, value)
        case w.Compared(sign, one, other):
            return _compared(sign, holds(one, value), holds(other, value))
        case w.Between(one, low, high):
            found = holds(one, value)
            return _compared(">=", found, holds(low, value)) and _compared("<=", found, holds(high, value))
        case w.IsSomebody(one):
            return holds(one, value) is not None
        case w.IsSo(one):
            return holds(one, value) is True
        case w.Not(one):
            return not holds(one, value)
        case w.Joined(parts, all_of):
            return all(holds(part, value) for part in parts) if all_of else any(holds(part, value) for part in parts)
    return None


def _compared(sign: str, one: Value, other: Value) -> bool:
    if one is None or other is None:
        return False
    return bool(
        one >= other if sign == ">=" else one <= other if sign == "<=" else one > other if sign == ">" else one < other
    )
