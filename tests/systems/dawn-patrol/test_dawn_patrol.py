"""The system dawn-patrol: whole fights, against plain Python that shares nothing with the program. What one aircraft has
done to the other counts for the next row at once, and for the next in the same row."""

from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb

import pytest

from whole_fights import answers

Plane = tuple[int, int, int]  # agile, guns, sturdy
CAMEL, ALBATROS, BOMBER = (4, 2, 2), (2, 2, 3), (0, 1, 4)
HEIGHTS = ("deck", "low", "middle", "high")
State = tuple[tuple[int, int], tuple[int, int], tuple[bool, bool], tuple[bool, bool]]  # height, holes, up, away; of both
BOTH = (0, 1)


def hits(guns: int) -> dict[int, Fraction]:
    return {n: Fraction(comb(guns, n) * 2 ** (guns - n), 3**guns) for n in range(guns + 1)}


def of(changed: tuple[int, int], who: int, value: int) -> tuple[int, int]:
    return (value, changed[1]) if who == 0 else (changed[0], value)


def turned(planes: tuple[Plane, Plane], clouds: bool, state: State, dice: tuple[int, int]) -> dict[State, Fraction]:
    heights, before, _, away = state

    def lead(who: int, heights: tuple[int, int], holes: tuple[int, int]) -> int:
        def handling(one: int) -> int:
            return planes[one][0] + dice[one] + 2 * (heights[one] > heights[1 - one]) - holes[one]

        return handling(who) - handling(1 - who)

    shot = {before: Fraction(1)}
    for who in BOTH:
        after: Counter[tuple[int, int]] = Counter()
        for holes, chance in shot.items():
            fires = lead(who, heights, holes) >= 2
            for number, each in hits(planes[who][1]).items() if fires else [(0, Fraction(1))]:
                after[of(holes, 1 - who, holes[1 - who] + number)] += chance * each
        shot = dict(after)
    out: Counter[State] = Counter()
    for holes, chance in shot.items():
        gone = (away[0], away[1])
        for who in BOTH:
            if clouds and heights[who] and lead(who, heights, holes) <= -4:
                gone = (True, gone[1]) if who == 0 else (gone[0], True)
        up = (holes[0] < planes[0][2], holes[1] < planes[1][2])
        low = heights
        for who in BOTH:
            if up[who] and low[who] and lead(who, low, holes) <= -3:
                low = of(low, who, 0)
        out[low, holes, up, gone] += chance
    return dict(out)


def fought(planes: tuple[Plane, Plane], heights: tuple[int, int], clouds: bool) -> tuple[Counter[str], Counter[str]]:
    states: dict[State, Fraction] = {(heights, (0, 0), (True, True), (False, False)): Fraction(1)}
    for _ in range(3):
        after: Counter[State] = Counter()
        for state, chance in states.items():
            if not all(state[2]) or any(state[3]):
                after[state] += chance
                continue
            for dice in product(range(1, 7), repeat=2):
                for new, each in turned(planes, clouds, state, (dice[0], dice[1])).items():
                    after[new] += chance * each / 36
        states = dict(after)
    ends: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
    for (_, _, up, away), chance in states.items():
        for who in BOTH:
            ends[who]["shot-down" if not up[who] else "away" if away[who] else "flies"] += chance
    return ends


@pytest.mark.parametrize(
    ("names", "planes", "heights", "clouds"),
    [
        (("camel", "albatros"), (CAMEL, ALBATROS), (1, 3), True),
        (("camel", "bomber"), (CAMEL, BOMBER), (2, 2), False),
        (("albatros", "bomber"), (ALBATROS, BOMBER), (0, 3), True),
    ],
)
def test_three_turns_at_most(
    names: tuple[str, str], planes: tuple[Plane, Plane], heights: tuple[int, int], clouds: bool
) -> None:
    situation = (
        f"{{fight: {{clouds: {'yes' if clouds else 'no'}}}, sides: {{"
        f"red: {{planes: {{a: {{counter: {names[0]}, height: {HEIGHTS[heights[0]]}, foe: b}}}}}}, "
        f"blue: {{planes: {{b: {{counter: {names[1]}, height: {HEIGHTS[heights[1]]}, foe: a}}}}}}}}}}"
    )
    assert answers("dawn-patrol", situation, "outcomes of red", "outcomes of blue") == [
        *fought(planes, heights, clouds)
    ]
