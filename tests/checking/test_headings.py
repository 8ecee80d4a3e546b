"""Headings of made-up charts, each value looked up by plain Python: which fall off, and which are never looked up."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random

import pytest

from closecombat.checking.check import check_paths

RULES = """\
ruleset: chart
language: 1
title: A chart
start: go
kinds:
  fight: {{one: yes}}
  side: {{given: {{enemy: the other side, men: {men}, foes: {foes}}}, noted: {{score: number or nobody}}}}
tables: {{chart: {{about: side, across: {across}, columns: [{columns}], cells: [{cells}]{more}}}}}
sequences: {{go: {{in-order: {{x: {{each: side, do: set score to chart}}}}}}}}
"""
Ends = tuple[Fraction, Fraction]  # of a heading, both within it
FAR = Fraction(10**6)


def column_of(value: Fraction, ends: list[Ends], higher: bool, open_end: tuple[bool, bool]) -> int | None:
    """Which heading holds a value, or the nearest below it (or above it); None where the chart has none. With open
    ends the first holds whatever is less than the second, the last whatever is more than the one before it."""
    for at, (low, high) in enumerate(ends):
        if low <= value <= high:
            return at
    if open_end[0] and value < ends[1][0]:
        return 0
    if open_end[1] and value > ends[-2][1]:
        return len(ends) - 1
    lower = [at for at, (_, high) in enumerate(ends) if high < value]
    upper = [at for at, (low, _) in enumerate(ends) if low > value]
    if not lower or not upper:
        return None
    return upper[0] if higher else lower[-1]


@pytest.mark.parametrize("seed", range(60))
def test_what_is_said_of_headings_is_so_of_every_value(seed: int, tmp_path: Path) -> None:
    dice = Random(seed)
    sort = ("plain", "sum", "odds")[seed % 3]
    (a, b), (c, d) = sorted(dice.sample(range(1, 9), 2)), sorted(dice.sample(range(1, 7), 2))
    values = {
        "plain": {Fraction(men) for men in range(a, b + 1)},
        "sum": {Fraction(men - foes) for men, foes in product(range(a, b + 1), range(c, d + 1))},
        "odds": {Fraction(men, foes) for men, foes in product(range(a, b + 1), range(c, d + 1))},
    }[sort]
    pool = [Fraction(1, 4), Fraction(1, 3), Fraction(1, 2), *map(Fraction, range(1, 9))] if sort == "odds" else None
    marks = sorted(dice.sample(pool or [Fraction(n) for n in range(-4, 12)], dice.randint(3, 5)))
    ends = [(mark, mark) for mark in marks]
    open_end = dice.random() < 0.4, dice.random() < 0.4
    texts = [f"{mark.numerator}-{mark.denominator}" if sort == "odds" else str(mark) for mark in marks]
    if open_end[0]:
        texts[0], ends[0] = f"below {texts[1]}", (-FAR, -FAR)
    if open_end[1]:
        texts[-1], ends[-1] = f"above {texts[-2]}", (FAR, FAR)
    higher, stay = dice.random() < 0.5, dice.random() < 0.3
    more = (", between: higher" if higher else "") + (", ends: stay" if stay else "")
    if falls := dice.random() < 0.3:
        texts.reverse()
    cells = ", ".join(str(at) for at in range(len(texts)))
    file = tmp_path / "chart.yaml"
    across = {"plain": "men", "sum": "men - foes", "odds": "men to foes"}[sort]
    columns = ", ".join(texts)
    text = RULES.format(men=f"{a} to {b}", foes=f"{c} to {d}", across=across, columns=columns, cells=cells, more=more)
    file.write_text(text)
    looked_up = {value: column_of(value, ends, higher, open_end) for value in values}
    off = any(column is None for column in looked_up.values()) and not stay
    if sort == "sum" and off:  # what is worth nothing is seldom looked up
        off = any(column is None for value, column in looked_up.items() if value)
    reached = {column for column in looked_up.values() if column is not None}
    if stay:
        reached |= {0 if value < marks[0] else len(marks) - 1 for value, column in looked_up.items() if column is None}
    found = {one.code: one.message for one in check_paths([str(file)]) if one.code != "unused"}
    rising = texts[::-1] if falls else texts
    never = [text for at, text in enumerate(rising) if at not in reached]
    assert ("grid-gap" in found) == off, (text, found)
    if sort != "odds":  # between two odds others need not come up
        assert ("never-applies" in found) == bool(never), (text, found)
    if "never-applies" in found:
        assert found["never-applies"].split("`")[1] in never, (text, found)
    assert found.keys() <= {"grid-gap", "never-applies"}, (text, found)
