"""Rows that ask what is worked out from facts: what is found in made-up tables against all their situations tried one
by one, and each situation that is shown is played."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from operator import eq, ge, gt, le, lt
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

from closecombat.checking.check import check_paths
from closecombat.cli.main import main

RULES = """\
ruleset: worked-out
language: 1
title: Rows that ask what is worked out
start: go
words: {{size: [small, middle, large]}}
kinds:
  side:
    given: {{enemy: the other side, men: 1 to 5, fp: 0 to 4, brave: flag, build: size}}
    noted: {{score: 0 to 9}}
tables:
  odds:  {{about: side, is: men / men of enemy}}
  twice: {{about: side, is: 2 * men}}
  sum:   {{about: side, is: men + fp, at-most: 6}}
  asked:
    about: side
    {policy}:
{rows}
sequences: {{go: {{in-order: {{x: {{each: side, do: set score to asked}}}}}}}}
"""
STOPS = {"no-row-for": "no-row-applies", "rows-overlap": "several-rows-apply"}
Case = tuple[int, int, int, int, bool, str]  # men and firepower of the side, of its enemy, and what else it is
SIZES = ("small", "middle", "large")
CASES = [*product(range(1, 6), range(5), range(1, 6), range(5), (False, True), SIZES)]
WORTH: dict[str, Callable[[int, int, int, int], Any]] = {
    "men": lambda men, fp, their_men, their_fp: men,
    "fp": lambda men, fp, their_men, their_fp: fp,
    "men of enemy": lambda men, fp, their_men, their_fp: their_men,
    "fp of enemy": lambda men, fp, their_men, their_fp: their_fp,
    "odds": lambda men, fp, their_men, their_fp: Fraction(men, their_men),
    "odds of enemy": lambda men, fp, their_men, their_fp: Fraction(their_men, men),
    "twice": lambda men, fp, their_men, their_fp: 2 * men,
    "sum": lambda men, fp, their_men, their_fp: min(6, men + fp),
    "men * fp": lambda men, fp, their_men, their_fp: men * fp,
    "men - fp": lambda men, fp, their_men, their_fp: men - fp,
    "2 * men - fp": lambda men, fp, their_men, their_fp: 2 * men - fp,
    "men + men of enemy": lambda men, fp, their_men, their_fp: men + their_men,
    "fp - men of enemy": lambda men, fp, their_men, their_fp: fp - their_men,
    "men / 2": lambda men, fp, their_men, their_fp: Fraction(men, 2),
    "men / 2 rounded down": lambda men, fp, their_men, their_fp: men // 2,
    "fp / 2 rounded up": lambda men, fp, their_men, their_fp: math.ceil(Fraction(fp, 2)),
    "the higher of men and fp": lambda men, fp, their_men, their_fp: max(men, fp),
    "the lower of men and men of enemy": lambda men, fp, their_men, their_fp: min(men, their_men),
}
BOUNDS = {"": eq, "at least ": ge, "at most ": le, "more than ": gt, "less than ": lt}
MARKS = (0, 1, 2, 3, 4, 5, 6, 7, 11, Fraction(1, 2), Fraction(3, 2))


def made_up(dice: Random) -> tuple[str, Callable[[Case], bool]]:
    """A column with what a row says there, and where that holds."""
    match dice.randrange(10):
        case 0:
            brave = dice.choice((True, False))
            return f"brave: {'yes' if brave else 'no'}", lambda case: case[4] is brave
        case 1:
            build = dice.choice(SIZES)
            return f"build: {build}", lambda case: case[5] == build
    text, worth = dice.choice([*WORTH.items()])
    said, holds = dice.choice([*BOUNDS.items()])
    if dice.random() < 0.6:
        mark = dice.choice(MARKS)
        return f"{text}: {said}{mark}", lambda case: holds(worth(*case[:4]), mark)
    other, its = dice.choice([each for each in WORTH.items() if each[0] != text])
    return f"{text}: {said}({other})", lambda case: holds(worth(*case[:4]), its(*case[:4]))


@pytest.mark.parametrize("seed", range(60))
def test_what_is_found_is_so_and_what_is_so_is_found(seed: int, tmp_path: Path) -> None:
    dice = Random(seed)
    rows = []
    for _ in range(dice.randint(2, 4)):
        columns = [made_up(dice) for _ in range(dice.randint(1, 2))]
        rows.append({text.partition(":")[0]: (text, holds) for text, holds in columns})
    policy = dice.choice(("first-of", "one-of"))
    lines = [f"      r{n}: {{{', '.join(text for text, _ in row.values())}, is: {n}}}" for n, row in enumerate(rows)]
    rules = RULES.format(policy=policy, rows="\n".join(lines))
    path = tmp_path / "worked-out.yaml"
    path.write_text(rules)
    found = check_paths([str(path)])
    where = [[n for n, row in enumerate(rows) if all(holds(case) for _, holds in row.values())] for case in CASES]
    expected = {"no-row-for"} if not all(where) else set()
    expected |= {"rows-overlap"} if policy == "one-of" and any(len(held) > 1 for held in where) else set()
    assert {one.code for one in found} & {*STOPS} == expected, rules
    for one in found:
        named = [int(n) for n in re.findall(r"`r(\d)`", one.message)]
        if one.code == "never-applies":
            assert not any(named[0] in held for held in where), (rules, one.message)
        if one.code == "hidden-row":
            assert all(held[0] != named[0] for held in where if held), (rules, one.message)
        if one.code in ("never-so", "never-otherwise"):
            (holds,) = {holds for row in rows for text, holds in row.values() if f"`{text}`" in one.message} or {None}
            so = {holds(case) for case in CASES} if holds else {one.code == "never-otherwise"}
            assert so == {"never so" not in one.message}, (rules, one.message)
        if one.code in STOPS and one.example:
            fight = tmp_path / f"{one.code}.yaml"
            fight.write_text(f"ruleset: {path}\n{one.example}")
            said = CliRunner().invoke(main, ["play", str(fight), "--seed", "1"]).output
            assert f"error[{STOPS[one.code]}]" in said, (rules, one.example, said)
