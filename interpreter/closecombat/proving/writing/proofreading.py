"""What has been written is read over before it is trusted: on a few rows it must come to what the walk comes to.

A function (`fusing`) does what some operations do; if it did anything else, a chance would be wrong in silence. So each
is held against the walk once, when it has been written and before it does any work: on a few rows of each table that it
uses up, spread over all of them. Another answer is a bug, which is told as one and ends the job; no chance comes of it.

Whether these rows are enough is for tests, which compare all rows of many programs. What fails on a row, or takes too
many, is not held against anything: it is either walked or told anyway.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from itertools import islice

from closecombat.proving.tables.alive import Alive
from closecombat.proving.tables.weights import Row, Weights
from closecombat.proving.values.symbolic import Value
from closecombat.proving.writing.fusing import FAILURES, Function, TooMany
from closecombat.proving.writing.recipes import Factors, Noted, Step, taken
from closecombat.text.faults import Bug
from closecombat.text.slotted import dataclass

FEW = (4, 1)  # rows of each table; with fewer where that is too much
MOST = 300  # rows that are walked for it


@dataclass(frozen=True, slots=True, eq=False)
class Desk:
    """Where operations work: what stands on the board, what is alive, and how so many rows at most are read over."""

    board: Sequence[Value]
    alive: Alive
    reading_over: Callable[[int], AbstractContextManager[None]]


def read_over(desk: Desk, function: Function, steps: Sequence[Step], factors: Factors) -> None:
    """Holds a function against the steps that it was written of, on a few of the rows that are there; Bug if it comes
    to anything else."""
    for rows in FEW:
        with desk.reading_over(MOST):
            try:
                walked = _walked(desk, steps, _few(steps, factors, rows))
            except FAILURES:
                continue
            return _compared(desk, function, steps, _few(steps, factors, rows), walked)


def read_row_over(told: Callable[[Row], Row], walk: Callable[[Row], Row], row: Row) -> Row:
    """What the function of a row tells of the first that it is asked; Bug if the walk comes to anything else."""
    found = told(row)
    if found != walk(row):
        raise Bug("the values of a row are written otherwise than they are walked")
    return found


def _few(steps: Sequence[Step], factors: Factors, rows: int) -> Factors:
    """Of the factors that steps use up a few rows each, spread over all of them."""
    out: Factors = {}
    for step in steps:
        for i in taken(step.recipe):
            if i in factors:
                table, den = factors[i]
                out[i] = dict(islice(table.items(), 0, None, -(-len(table) // rows) or 1)), den
    return out


def _walked(desk: Desk, steps: Sequence[Step], factors: Factors) -> tuple[Factors, list[Value]]:
    for step in steps:
        step(factors)
    return factors, _noted(desk, steps)


def _noted(desk: Desk, steps: Sequence[Step]) -> list[Value]:
    """What the steps have set on the board."""
    return [desk.board[step.recipe.cell] for step in steps if isinstance(step.recipe, Noted)]


def _compared(
    desk: Desk, function: Function, steps: Sequence[Step], factors: Factors, walked: tuple[Factors, list[Value]]
) -> None:
    try:
        function(factors)
    except (TooMany, *FAILURES):
        return
    expected, noted = walked
    if (
        noted != _noted(desk, steps)
        or expected.keys() != factors.keys()
        or any(not _is_the_same(*expected[i], *factors[i]) for i in expected)
    ):
        raise Bug("operations are written otherwise than they are walked")


def _is_the_same(table: Weights, den: int, other: Weights, other_den: int) -> bool:
    """Whether two tables are the same chances."""
    if den == other_den:
        return table == other
    return {row: w * other_den for row, w in table.items()} == {row: w * den for row, w in other.items()}
