"""The system `tavern-brawl`: who strikes first is thrown for, so the order of a round is known to nobody before its dice.

Reckoned here in plain Python, with no part of the interpreter: every throw for initiative, every order of those who are
level, every blow.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, permutations, product
from pathlib import Path

import pytest

from two_readings import case, exact, walked

RULES = Path(__file__).parent / "ruleset.yaml"
Hits = Mapping[str, int]


@dataclass(frozen=True)
class Fighter:
    gang: str
    skill: int
    quick: int
    blows: int
    shielded: bool = False


THREE = {"ann": Fighter("red", 3, 1, 2), "bob": Fighter("blue", 4, 0, 1, True), "cid": Fighter("green", 4, 0, 1)}
FOUR = {"ann": THREE["ann"], "dan": Fighter("red", 2, 0, 1)} | THREE  # as listed, gang by gang


def orders(fighters: Mapping[str, Fighter]) -> Iterator[tuple[tuple[str, ...], Fraction]]:
    """Every order of a round with its chance: the quickest first, of like ones the more skilled, else by lots."""
    for thrown in product((1, 2, 3), repeat=len(fighters)):
        rank = {n: (speed + f.quick, f.skill) for (n, f), speed in zip(fighters.items(), thrown, strict=True)}
        fair = [one for one in permutations(fighters) if all(rank[a] >= rank[b] for a, b in pairwise(one))]
        for one in fair:
            yield one, Fraction(1, 3 ** len(fighters) * len(fair))


def struck(fighters: Mapping[str, Fighter], blows: tuple[str, ...], hits: Hits) -> dict[tuple[int, ...], Fraction]:
    """What everybody has left, once all these blows have been struck one after the other."""
    if not blows:
        return {tuple(hits.values()): Fraction(1)}
    striker, *rest = blows
    foes = [n for n in fighters if hits[n] and fighters[n].gang != fighters[striker].gang]
    if not hits[striker] or not foes:
        return struck(fighters, tuple(rest), hits)
    victim = min(foes, key=lambda n: hits[n])
    needed = 7 - fighters[striker].skill + fighters[victim].shielded
    wounded = Fraction(max(0, min(6, 7 - needed)), 6)
    out: dict[tuple[int, ...], Fraction] = {}
    for after, weight in ((hits, 1 - wounded), ({**hits, victim: hits[victim] - 1}, wounded)):
        for end, chance in struck(fighters, tuple(rest), after).items():
            out[end] = out.get(end, Fraction(0)) + weight * chance
    return out


def one_round(fighters: Mapping[str, Fighter], hits: Hits) -> dict[tuple[int, ...], Fraction]:
    out: dict[tuple[int, ...], Fraction] = {}
    for order, weight in orders(fighters):
        blows = tuple(name for name in order for _ in range(fighters[name].blows))
        for end, chance in struck(fighters, blows, hits).items():
            out[end] = out.get(end, Fraction(0)) + weight * chance
    return out


def situation(fighters: Mapping[str, Fighter], hits: Hits) -> str:
    gangs: dict[str, list[str]] = {}
    for name, f in fighters.items():
        shield = ", shielded: yes" if f.shielded else ""
        facts = f"{{skill: {f.skill}, quick: {f.quick}, blows: {f.blows}, hits: {hits[name]}{shield}}}"
        gangs.setdefault(f.gang, []).append(f"{name}: {facts}")
    lines = ", ".join(f"{gang}: {{fighters: {{{', '.join(those)}}}}}" for gang, those in gangs.items())
    return f"situation: {{gangs: {{{lines}}}}}"


@pytest.mark.parametrize(
    ("fighters", "hits"),
    [
        (THREE, {"ann": 2, "bob": 1, "cid": 2}),
        (THREE, {"ann": 1, "bob": 2, "cid": 3}),
        (FOUR, {"ann": 2, "dan": 1, "bob": 1, "cid": 2}),
        ({n: THREE[n] for n in ("bob", "cid")}, {"bob": 1, "cid": 1}),
    ],
)
def test_a_round_between_any_number_of_gangs(fighters: Mapping[str, Fighter], hits: Hits) -> None:
    question = " + ".join(f"hits of {name} * {10**i}" for i, name in enumerate(fighters))
    small = case(RULES.read_text("utf-8"), situation(fighters, hits), [question])
    expected = {sum(n * 10**i for i, n in enumerate(end)): w for end, w in one_round(fighters, hits).items()}
    assert {number: weight for (number,), weight in exact(small, question).items()} == expected


def test_a_duel_is_played_as_it_is_reckoned() -> None:
    """Bob and Ann: who is first is thrown for, and so few dice that every fall of them is played."""
    fighters, hits = {n: THREE[n] for n in ("ann", "bob")}, {"ann": 1, "bob": 1}
    small = case(RULES.read_text("utf-8"), situation(fighters, hits), ["hits of ann", "hits of bob"])
    ends = one_round(fighters, hits)
    played, _ = walked(small, 4_000)
    for place, name in enumerate(fighters):
        alive = sum((weight for end, weight in ends.items() if end[place]), Fraction(0))
        assert played[f"hits of {name}"].ends == exact(small, f"hits of {name}") == {(1,): alive, (0,): 1 - alive}
