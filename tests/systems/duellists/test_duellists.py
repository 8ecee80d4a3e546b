"""The system `duellists`: many hit points, so that rounds that were written out with all their dice would never end.

Reckoned here in plain Python, with no part of the interpreter: round after round, what either has left by then.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from closecombat.asking.exact.questions import as_texts
from closecombat.playing import fight as fights
from closecombat.playing.fight import Fight
from two_readings import Case, case

RULES = Path(__file__).parent / "ruleset.yaml"
BLOW = {0: 8} | dict.fromkeys(range(1, 9), 1)  # of sixteen


def struck_twice(hp: int) -> dict[int, int]:
    """What is left of so many hit points after two blows, with weights of 256."""
    out: dict[int, int] = {}
    for one, weight in BLOW.items():
        for other, more in BLOW.items():
            left = max(max(hp - one, 0) - other, 0)
            out[left] = out.get(left, 0) + weight * more
    return out


def rounds(number: int, begin: tuple[int, int]) -> dict[tuple[int, int], Fraction]:
    """What the two have left after so many rounds, of which none begins when one is down."""
    now = {begin: 1}
    for _ in range(number):
        after: dict[tuple[int, int], int] = {}
        for (one, other), weight in now.items():
            ways = [struck_twice(hp).items() if one and other else [(hp, 256)] for hp in (one, other)]
            for (a, some), (b, more) in product(*ways):
                after[a, b] = after.get((a, b), 0) + weight * some * more
        now = after
    return {end: Fraction(weight, 65_536**number) for end, weight in now.items()}


def duel(hp: tuple[int, int], combats: int) -> Fight:
    one, other = (f"{{foe: {foe}, hp: {n}}}" for n, foe in zip(hp, "ba", strict=True))
    situation = f"situation: {{sides: {{red: {{fighters: {{a: {one}}}}}, blue: {{fighters: {{b: {other}}}}}}}}}"
    small: Case = case(RULES.read_text("utf-8"), situation, [])
    return replace(fights.fight(small.bound, small.document), combats=combats)


@pytest.mark.parametrize(("hp", "combats"), [((44, 45), 3), ((44, 45), 6), ((9, 12), 1), ((9, 12), 2), ((9, 12), 5)])
def test_so_many_rounds(hp: tuple[int, int], combats: int) -> None:
    run = fights.begin(duel(hp, combats), None)
    fights.go(run)
    values = [fights.asked(run, text)[0] for text in as_texts(("hp of a", "hp of b"))]
    assert fights.distribution(run, values) == rounds(combats, hp)
