"""Rows that ask what is worked out from facts: every finding of made-up tables against all their situations tried one
by one, and each is played."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import product
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from closecombat.checking.check import check_paths
from closecombat.cli.main import main

RULES = """\
ruleset: worked-out
language: 1
title: Rows that ask what is worked out
start: go
kinds:
  side: {{given: {{enemy: the other side, men: 1 to 7, fp: 0 to 5}}, noted: {{score: 0 to 9}}}}
tables:
  odds:  {{about: side, is: men / men of enemy}}
  after: {{about: side, is: fp - (men / 2 rounded down), at-least: 0}}
  worse: {{about: side, is: the lower of men and (fp + 1)}}
  asked:
    about: side
    one-of:
{rows}
sequences: {{go: {{in-order: {{x: {{each: side, do: set score to asked}}}}}}}}
"""
STOPS = {"no-row-for": "no-row-applies", "rows-overlap": "several-rows-apply"}
Worth = Callable[[int, int, int, int], Fraction]  # men and firepower of the one, and of the other
SENTENCES: dict[str, Worth] = {
    "odds": lambda men, fp, others, its: Fraction(men, others),
    "men / men of enemy": lambda men, fp, others, its: Fraction(men, others),
    "odds of enemy": lambda men, fp, others, its: Fraction(others, men),
    "men / 2 rounded up": lambda men, fp, others, its: Fraction(-(-men // 2)),
    "men * 2 / 3": lambda men, fp, others, its: Fraction(men * 2, 3),
    "after": lambda men, fp, others, its: Fraction(max(fp - men // 2, 0)),
    "worse": lambda men, fp, others, its: Fraction(min(men, fp + 1)),
    "men * 2 - fp * 2": lambda men, fp, others, its: Fraction(men * 2 - fp * 2),
    "men + men of enemy": lambda men, fp, others, its: Fraction(men + others),
    "men * fp": lambda men, fp, others, its: Fraction(men * fp),
}
MARKS = (Fraction(1, 2), Fraction(1), Fraction(3, 2), Fraction(2), Fraction(3), Fraction(4), Fraction(5), Fraction(11))


def _holds(
    worth: Worth,
    low: Fraction | None,
    high: Fraction | None,
    over: bool,
    under: bool,
    besides: tuple[int, bool] | None,
    *facts: int,
) -> bool:
    value = worth(*facts)
    above = low is None or value > low or (value == low and not over)
    below = high is None or value < high or (value == high and not under)
    return above and below and (besides is None or (facts[1] >= besides[0]) is besides[1])


def made_up(seed: int) -> tuple[str, list[Callable[[int, int, int, int], bool]]]:
    """Rows that part what a sentence may be, with a slip here and there; some ask a fact besides."""
    dice = Random(seed)
    sentence, worth = dice.choice([*SENTENCES.items()])
    marks = sorted(dice.sample(MARKS, dice.randint(1, 3)))
    slips = [dice.choice(("", "", "gap", "both")) for _ in marks]
    besides = dice.choice((None, None, 2, 4))
    rows: list[str] = []
    holds: list[Callable[[int, int, int, int], bool]] = []

    def row(low: Fraction | None, high: Fraction | None, over: bool, under: bool) -> None:
        said = [f"{sentence}: {'more than' if over else 'at least'} {low}"] if low is not None else []
        said += [f"({sentence}): {'less than' if under else 'at most'} {high}"] if high is not None else []
        for more in (True, False) if besides is not None and not rows else (None,):
            also = "" if more is None else f", fp: {'at least' if more else 'less than'} {besides}"
            rows.append(f"      r{len(rows)}: {{{', '.join(said)}{also}, is: {len(rows)}}}")
            holds.append(partial(_holds, worth, low, high, over, under, None if more is None else (besides, more)))

    before: Fraction | None = None
    over = False
    for mark, slip in zip(marks, slips, strict=True):
        row(before, mark, over, slip != "both")  # "both": at most 2, and at least 2
        before, over = mark, slip == "gap"  # "gap": less than 2, and more than 2
    row(before, None, over, False)
    return RULES.format(rows="\n".join(rows)), holds


def met(holds: list[Callable[[int, int, int, int], bool]]) -> set[str]:
    """What some situation comes to."""
    found = set()
    for men, fp, others, its in product(range(1, 8), range(6), range(1, 8), range(6)):
        number = sum(one(men, fp, others, its) for one in holds)
        found |= {"no-row-for"} if number == 0 else {"rows-overlap"} if number > 1 else set()
    return found


@pytest.mark.parametrize("seed", range(60))
def test_what_no_row_has_and_two_rows_share_is_told_with_a_fight_that_comes_to_it(seed: int, tmp_path: Path) -> None:
    rules, holds = made_up(seed)
    path = tmp_path / "worked-out.yaml"
    path.write_text(rules)
    found = {one.code: one for one in check_paths([str(path)]) if one.code in STOPS}
    assert set(found) == met(holds), rules
    for code, one in found.items():
        fight = tmp_path / f"{code}.yaml"
        fight.write_text(f"ruleset: {path}\n{one.example}")
        said = CliRunner().invoke(main, ["play", str(fight), "--seed", "1"])
        assert said.exit_code == 2 and re.search(rf"error\[{STOPS[code]}\]", said.output), (
            rules,
            one.example,
            said.output,
        )
