"""The system border-war, sorted dice compared in pairs, until an army is gone: whole fights, against plain Python that shares nothing with the program."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from whole_fights import answers


@cache
def falls(attackers: int, defenders: int, red_general: bool, blue_general: bool) -> dict[tuple[int, int], Fraction]:
    """How many fall on each side when so many dice are thrown."""
    out: Counter[tuple[int, int]] = Counter()
    for dice in product(range(1, 7), repeat=attackers + defenders):
        red, blue = sorted(dice[:attackers], reverse=True), sorted(dice[attackers:], reverse=True)
        won = [r > b for r, b in zip(red, blue, strict=False)]
        down = [won.count(False), won.count(True)]
        for side, (throw, general) in enumerate(((red, red_general), (blue, blue_general))):
            if general and min(throw) >= 4 and down[side]:
                down[side] -= 1
        out[down[0], down[1]] += 1
    return {fall: Fraction(n, 6 ** (attackers + defenders)) for fall, n in out.items()}


@cache
def invaded(red: int, blue: int, *generals: bool) -> dict[tuple[int, int], Fraction]:
    """How the armies stand when the invasion is over; throws without a fall, and ravens, are thrown again."""
    if red <= 1 or blue == 0:
        return {(red, blue): Fraction(1)}
    thrown = falls(min(3, red - 1), min(2, blue), *generals)
    moves = {fall: chance for fall, chance in thrown.items() if fall != (0, 0)}
    out: Counter[tuple[int, int]] = Counter()
    for (down_red, down_blue), chance in moves.items():
        for end, then in invaded(red - down_red, blue - down_blue, *generals).items():
            out[end] += chance * then / sum(moves.values())
    return dict(out)


@pytest.mark.parametrize(
    ("red", "blue", "generals"),
    [
        (2, 1, (False, False)),
        (4, 2, (False, False)),
        (7, 5, (False, False)),
        (3, 2, (True, False)),
        (5, 4, (True, True)),
    ],
)
def test_border_war(red: int, blue: int, generals: tuple[bool, bool]) -> None:
    yes = ["yes" if general else "no" for general in generals]
    situation = (
        f"{{fight: {{attacker: red}}, sides: {{red: {{armies: {red}, general: {yes[0]}}}, "
        f"blue: {{armies: {blue}, general: {yes[1]}}}}}}}"
    )
    ends = invaded(red, blue, *generals)
    left_red, left_blue = Counter[object](), Counter[object]()
    for (one, other), chance in ends.items():
        left_red[one] += chance
        left_blue[other] += chance
    assert answers("border-war", situation, "armies of red", "armies of blue") == [left_red, left_blue]
