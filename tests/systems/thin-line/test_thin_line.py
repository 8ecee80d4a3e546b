"""The system `thin-line`: who runs makes others run, who make others run.

Reckoned here in plain Python, with no part of the interpreter: every number of hits, and every nerve, pass by pass.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import comb

import pytest

from whole_fights import answers

GRIT = {"guard": 9, "line": 7, "militia": 5}
NERVE = {number: Fraction(6 - abs(7 - number), 36) for number in range(2, 13)}


@dataclass(frozen=True)
class Company:
    side: str
    counter: str
    place: int
    men: int
    led: bool = False


Line = dict[str, Company]
Runs = tuple[frozenset[str], int]  # who has run, and how often nerves were tested
FIGHTS: list[Line] = [
    {
        "a": Company("red", "guard", 1, 3, True),
        "b": Company("red", "militia", 2, 2),
        "x": Company("blue", "line", 1, 4),
    },
    {"a": Company("red", "line", 3, 4), "x": Company("blue", "line", 3, 4)},
    {
        "a": Company("red", "line", 1, 1, True),
        "b": Company("red", "line", 1, 2, True),
        "x": Company("blue", "militia", 1, 2),
        "y": Company("blue", "militia", 6, 1),
    },
]


def hits(dice: int) -> dict[int, Fraction]:
    return {n: comb(dice, n) * Fraction(1, 3) ** n * Fraction(2, 3) ** (dice - n) for n in range(dice + 1)}


class Volley:
    """A line after its losses."""

    def __init__(self, line: Line, hurt: dict[str, int]) -> None:
        self.line, self.hurt = line, hurt
        self.here = [name for name, one in line.items() if one.men > hurt[name]]

    def neighbours(self, name: str, within: int = 1) -> list[str]:
        one = self.line[name]
        return [
            other
            for other in self.here
            if other != name and self.line[other].side == one.side and abs(self.line[other].place - one.place) <= within
        ]

    def steady(self, name: str, run: frozenset[str]) -> int:
        standing = [other for other in self.neighbours(name) if other not in run]
        one = self.line[name]
        led = one.led + sum(self.line[other].led for other in standing)
        return max(2, GRIT[one.counter] + led - (not standing) - self.hurt[name])

    def tested(self, names: list[str], run: frozenset[str]) -> Iterator[tuple[frozenset[str], Fraction]]:
        """Who has run, once these have tested one after the other: who runs is no comfort to the next."""
        if not names:
            yield run, Fraction(1)
            return
        name, *rest = names
        runs = sum(chance for number, chance in NERVE.items() if number > self.steady(name, run))
        for so, chance in ((run | {name}, runs), (run, 1 - runs)):
            for end, weight in self.tested(rest, so):
                yield end, chance * weight

    def panic(
        self, must: list[str], run: frozenset[str] = frozenset(), tests: int = 0
    ) -> Iterator[tuple[Runs, Fraction]]:
        if not must:
            yield (run, tests), Fraction(1)
            return
        for after, chance in self.tested(must, run):
            fresh = after - run
            near = {name: self.neighbours(name, 9 if self.line[name].counter == "militia" else 1) for name in self.here}
            rest = [name for name in self.here if name not in after and fresh & {*near[name]}]
            for end, weight in self.panic(rest, after, tests + len(must)):
                yield end, chance * weight


def ends(line: Line) -> dict[int, Fraction]:
    """How often nerves are tested, with ten for each who runs and a hundred for each man who is left in play."""
    foes = {
        name: [other for other, him in line.items() if him.side != one.side and him.place == one.place]
        for name, one in line.items()
    }
    out = defaultdict[int, Fraction](Fraction)
    for thrown in product(*(hits((one.men + 1) // 2 * bool(foes[name])).items() for name, one in line.items())):
        hit = {name: number for name, (number, _) in zip(line, thrown, strict=True)}
        volley = Volley(line, {n: min(one.men, sum(hit[foe] for foe in foes[n])) for n, one in line.items()})
        weight = Fraction(1)
        for _, chance in thrown:
            weight *= chance
        for (run, tests), chance in volley.panic([name for name in volley.here if volley.hurt[name]]):
            men = sum(line[name].men - volley.hurt[name] for name in volley.here if name not in run)
            out[tests + 10 * len(run) + 100 * men] += weight * chance
    return dict(out)


@pytest.mark.parametrize("line", FIGHTS)
def test_a_panic_goes_down_the_line(line: Line) -> None:
    sides: dict[str, list[str]] = {}
    for name, one in line.items():
        facts = f"counter: {one.counter}, place: {one.place}, men: {one.men}, led: {'yes' if one.led else 'no'}"
        sides.setdefault(one.side, []).append(f"{name}: {{{facts}}}")
    situation = ", ".join(f"{side}: {{units: {{{', '.join(those)}}}}}" for side, those in sides.items())
    question = "total tests of units-at-start + 10 * number of units-at-start where (routed) + 100 * total men of units"
    (found,) = answers("thin-line", f"{{sides: {{{situation}}}}}", question)
    assert found == ends(line)
