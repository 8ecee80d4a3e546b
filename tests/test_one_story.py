"""What goes wrong in play goes wrong in the chances: the same fault at the same place, and where nothing does, nothing."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from closecombat.bound import Bound
from closecombat.diagnostics import Faults, Faulty
from closecombat.document import parse, read_source
from closecombat.loading import as_mapping
from closecombat.reader import read_ruleset
from paths import OutOfDice, PathDice
from test_random import CASES, HOW, Case, difference, ends_of, exact, machinery, ways_of_asking

STORIES = as_mapping(as_mapping(parse(read_source(Path(__file__).parent / "cases" / "faults.yaml"))).get("cases"))
Told = tuple[str, Any]  # a code and its place
MOST_PATHS = 2_000
LONGEST = 7  # dice of one playing
EXPLAINED = {"budget-exceeded"}


def read(name: str) -> tuple[Case, str]:
    """A case, and the code of what goes wrong in it."""
    one = as_mapping(STORIES.get(name))
    own = {"situation", "questions", "fails"}
    given = {key.value for key, _ in one.entries}
    rules, situation = as_mapping(CASES.get("rules")), one.entry("situation") or CASES.entry("situation")
    entries = [entry for entry in rules.entries if entry[0].value not in given]
    faults = Faults()
    ruleset = read_ruleset(
        replace(rules, entries=(*entries, *(e for e in one.entries if e[0].value not in own))), faults, ()
    )
    faults.raise_if_any()
    bound = Bound(ruleset)
    found = Faults()
    bound.bind_all(found)
    found.raise_if_any()
    asked = [question.value for question in one.get("questions").items]
    ways = {way: ask for way, ask in ways_of_asking(asked).items() if way in asked}
    fails = one.get("fails")
    return Case(bound, replace(one, entries=(situation,)), ways), fails.value if fails is not None else ""


def told(error: Faulty) -> Told:
    return error.diagnostics[0].code, error.diagnostics[0].span


def playings(case: Case, way: str) -> tuple[dict[Any, Fraction], set[Told], Fraction]:
    """Every fall of the dice played: how likely each end is, what goes wrong, and the share of what is too long."""
    ends: dict[Any, Fraction] = {}
    wrong: set[Told] = set()
    cut_off = Fraction(0)
    todo: list[tuple[tuple[Any, ...], Fraction]] = [((), Fraction(1))]
    for _ in range(MOST_PATHS):
        if not todo:
            return ends, wrong, cut_off
        dice = PathDice(*todo.pop(), LONGEST)
        try:
            key = ends_of(way, case.ways[way](case.begin(dice)))
        except OutOfDice:
            cut_off += dice.weight
        except Faulty as error:
            wrong.add(told(error))
        else:
            ends[key] = ends.get(key, Fraction(0)) + dice.weight
        todo += dice.untried
    raise AssertionError(f"more than {MOST_PATHS} paths")


def disagreement(case: Case, hows: Any = HOW) -> str:
    """Where the two readings tell different stories, in words; nothing if they tell the same."""
    for way in case.ways:
        ends, wrong, cut_off = playings(case, way)
        if not wrong:
            if found := difference(replace(case, ways={way: case.ways[way]}), {way: ends}, cut_off, hows):
                return found
            continue
        for how in hows:
            with machinery(how):
                try:
                    exact(case, way)
                except Faulty as error:
                    if told(error) not in wrong and error.diagnostics[0].code not in EXPLAINED:
                        return f"{how}: {way}: {told(error)} instead of {wrong}"
                else:
                    return f"{how}: {way}: nothing goes wrong, but in play {wrong}"
    return ""


@pytest.mark.parametrize("name", STORIES.keys())
def test_the_chances_tell_what_goes_wrong_in_play(name: str) -> None:
    case, fails = read(name)
    for way in case.ways:
        assert {code for code, _ in playings(case, way)[1]} == ({fails} if fails else set())
    assert disagreement(case) == ""
