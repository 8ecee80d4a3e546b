"""Games in a table: two players choose at once, one a row and one a column, and what one wins the other loses.

Exactly, in fractions, by the simplex method with the rule that always ends (Bland's): the best that each can be sure
of, by mixing his rows or columns, is the same for both.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

Game: TypeAlias = Sequence[Sequence[Fraction]]
Mix: TypeAlias = tuple[Fraction, ...]


def solved(game: Game) -> tuple[Fraction, Mix, Mix]:
    """What a game is worth to whoever chooses the row, and how each mixes: one row and column where that is best."""
    for i, line in enumerate(game):
        for j, worth in enumerate(line):
            if worth == min(line) and worth == max(other[j] for other in game):
                return worth, _only(i, len(game)), _only(j, len(line))
    return _mixed(game)


def _only(one: int, of: int) -> Mix:
    return tuple(Fraction(i == one) for i in range(of))


def _mixed(game: Game) -> tuple[Fraction, Mix, Mix]:
    """With all worths made positive: the columns' shares y, as many as can be with game * y at most 1, sum to 1 over
    the worth; the prices of the rows are their shares."""
    rows, columns = len(game), len(game[0])
    less = min(min(line) for line in game) - 1
    table = [
        [*(worth - less for worth in line), *(Fraction(i == k) for k in range(rows)), Fraction(1)]
        for i, line in enumerate(game)
    ]
    gain = [*(Fraction(-1) for _ in range(columns)), *(Fraction(0) for _ in range(rows + 1))]
    basis = [columns + i for i in range(rows)]
    while (enters := next((j for j, worth in enumerate(gain[:-1]) if worth < 0), None)) is not None:
        leaves = min(
            (i for i in range(rows) if table[i][enters] > 0), key=lambda i: (table[i][-1] / table[i][enters], basis[i])
        )
        pivot = table[leaves][enters]
        table[leaves] = [one / pivot for one in table[leaves]]
        for i in range(rows):
            if i != leaves and table[i][enters]:
                table[i] = _less(table[i], table[i][enters], table[leaves])
        gain = _less(gain, gain[enters], table[leaves])
        basis[leaves] = enters
    total = gain[-1]
    shares = [Fraction(0)] * (columns + rows)
    for i, one in enumerate(basis):
        shares[one] = table[i][-1]
    worth = 1 / total + less
    return worth, tuple(one / total for one in gain[columns:-1]), tuple(one / total for one in shares[:columns])


def _less(line: list[Fraction], factor: Fraction, other: list[Fraction]) -> list[Fraction]:
    return [one - factor * more for one, more in zip(line, other, strict=True)]
