"""Rows held against each other: every finding of made-up tables against all their situations tried one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from closecombat.checking.check import check_paths

RULES = """\
ruleset: rows
language: 1
title: Rows held against each other
start: go
words: {{size: [small, middle, large]}}
kinds:
  fight: {{one: yes, given: {{night: flag}}}}
  side:
    given: {{enemy: the other side, men: 0 to 8, broken: flag, build: size, rank: 1 to 4 or nobody}}
    noted: {{score: number or nobody}}
tables:
  asked:
    about: side
    {policy}:
{rows}{otherwise}
sequences: {{go: {{in-order: {{x: {{each: side, do: set score to asked}}}}}}}}
"""
SIZES = ("small", "middle", "large")
Case = dict[str, Any]


@dataclass(frozen=True)
class Said:
    """A sentence, and where it holds; `joined` of several, so that it can be denied as a whole."""

    text: str
    holds: Callable[[Case], bool]
    joined: bool = False


def cases() -> Iterator[Case]:
    for men, broken, build, rank, night in product(range(9), (False, True), SIZES, (None, 1, 2, 3, 4), (False, True)):
        yield {"men": men, "broken": broken, "build": build, "rank": rank, "night": night}


def leaf(dice: Random) -> Said:
    """A test that neither always nor never holds, by itself."""
    n, words = dice.randint(1, 7), dice.sample(SIZES, 2)
    rank = dice.randint(2, 3)
    return dice.choice(
        [
            Said(f"men is at least {n}", lambda c: c["men"] >= n),
            Said(f"men is less than {n}", lambda c: c["men"] < n),
            Said(f"men is {n - 1} to {n}", lambda c: n - 1 <= c["men"] <= n),
            Said(f"men is not {n}", lambda c: c["men"] != n),
            Said("broken", lambda c: c["broken"]),
            Said("not broken", lambda c: not c["broken"]),
            Said("night", lambda c: c["night"]),
            Said(f"build is {words[0]} or {words[1]}", lambda c: c["build"] in words),
            Said(f"build is not {words[0]}", lambda c: c["build"] != words[0]),
            Said("build is at least middle", lambda c: c["build"] != "small"),
            Said("rank is nobody", lambda c: c["rank"] is None),
            Said(f"rank is at least {rank}", lambda c: c["rank"] is not None and c["rank"] >= rank),
            Said(f"rank is not {rank}", lambda c: c["rank"] is not None and c["rank"] != rank),
        ]
    )


def sentence(dice: Random) -> Said:
    parts = [leaf(dice) for _ in range(dice.choice((1, 1, 2, 2, 3)))]
    if len(parts) == 1:
        return parts[0]
    joint, all_of = (" and ", True) if dice.random() < 0.7 else (" or ", False)
    said = joint.join(f"({part.text})" for part in parts)

    def holds(c: Case) -> bool:
        return (all if all_of else any)(part.holds(c) for part in parts)

    if dice.random() < 0.15:
        return Said(f"not ({said})", lambda c: not holds(c))
    return Said(said, holds, True)


def expected(policy: str, rows: list[Said], otherwise: bool) -> set[tuple[str, str]]:
    """What is wrong with the rows, by all situations: the code, and the row."""
    every = list(cases())
    found = set()
    ever = [any(row.holds(c) for c in every) for row in rows]
    for at, row in enumerate(rows):
        if not ever[at]:
            found.add(("never", f"r{at}"))
        elif policy == "first-of" and not any(row.holds(c) and not any(b.holds(c) for b in rows[:at]) for c in every):
            found.add(("hidden-row", f"r{at}"))
        elif policy == "one-of" and any(row.holds(c) and any(b.holds(c) for b in rows[:at]) for c in every):
            found.add(("rows-overlap", f"r{at}"))
    gap = any(not any(row.holds(c) for row in rows) for c in every)
    if gap and not otherwise:
        found.add(("no-row-for", ""))
    if not gap and otherwise:
        found.add(("never-otherwise", "otherwise"))
    return found


@pytest.mark.parametrize("seed", range(120))
def test_what_is_said_of_rows_is_so_of_their_situations(seed: int, tmp_path: Path) -> None:
    dice = Random(seed)
    policy = dice.choice(("first-of", "one-of"))
    rows = [sentence(dice) for _ in range(dice.randint(1, 6))]
    if (last := rows[-1]).joined and dice.random() < 0.6:
        rows.append(Said(f"not ({last.text})", lambda c: not last.holds(c)))
    otherwise = dice.random() < 0.4
    texts = "".join(f"      r{at}: {{when: '{row.text}', is: {at}}}\n" for at, row in enumerate(rows))
    file = tmp_path / "rows.yaml"
    file.write_text(RULES.format(policy=policy, rows=texts, otherwise="    otherwise: 9\n" if otherwise else ""))
    lines = file.read_text().splitlines()
    found = set()
    for one in check_paths([str(file)]):
        assert one.span is not None
        if one.code == "unused":  # not every fact is asked for
            continue
        key = lines[one.span.source.position(one.span.start)[0] - 1].strip().split(":")[0]
        if one.code in ("never-so", "never-applies"):
            found.add(("never", key))
        elif one.code == "never-otherwise" and key != "otherwise":
            at = int(key[1:])
            assert all(rows[at].holds(c) for c in cases())
        else:
            found.add((one.code, "" if one.code == "no-row-for" else key))
    assert found == expected(policy, rows, otherwise)
