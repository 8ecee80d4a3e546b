"""The system wild-pools, 6s are thrown once more without end: whole fights, against plain Python that shares nothing with the program."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from whole_fights import answers


def successes(dice: int, most: int) -> list[Fraction]:
    """How likely so many successes are, the last entry being that or more; a die's n-th comes after n - 1 sixes."""
    none, six = Fraction(4, 6), Fraction(1, 6)
    one = [none] + [six ** (n - 1) * Fraction(1, 6) + six**n * none for n in range(1, most)]
    total = [Fraction(1)] + [Fraction(0)] * (most - 1)
    for _ in range(dice):
        total = [sum(total[k] * one[n - k] for k in range(n + 1)) for n in range(most)]
    return [*total, 1 - sum(total)]


def clash(a: tuple[int, int, bool], b: tuple[int, int, bool]) -> dict[tuple[int, bool, int, bool], Fraction]:
    """Wounds, and whether he is down, of a and of b at the end."""
    most = 20  # beyond all armour and wounds

    @cache
    def struck(one: tuple[int, int, bool], foe: tuple[int, int, bool], wounds: int) -> dict[tuple[int, bool], Fraction]:
        out: Counter[tuple[int, bool]] = Counter()
        for hits, chance in enumerate(successes(foe[0], most)):
            hurt = max(0, hits - one[1])
            after = min(12, wounds + hurt)
            out[after, (hurt >= 4 and not one[2]) or after >= one[0] + 2] += chance
        return dict(out)

    @cache
    def end(wounded: int, other: int) -> dict[tuple[int, bool, int, bool], Fraction]:
        out: Counter[tuple[int, bool, int, bool]] = Counter()
        same = Fraction(0)
        for ((x, fell), p), ((y, felled), q) in product(struck(a, b, wounded).items(), struck(b, a, other).items()):
            if fell or felled:
                out[x, fell, y, felled] += p * q
            elif (x, y) == (wounded, other):
                same += p * q
            else:
                for state, chance in end(x, y).items():
                    out[state] += p * q * chance
        return {state: chance / (1 - same) for state, chance in out.items()}

    return end(0, 0)


@pytest.mark.parametrize(
    ("a", "b"), [((2, 1, False), (3, 1, False)), ((1, 0, True), (2, 2, False)), ((4, 3, True), (3, 2, True))]
)
def test_wild_pools(a: tuple[int, int, bool], b: tuple[int, int, bool]) -> None:
    def written(one: tuple[int, int, bool]) -> str:
        return f"{{skill: {one[0]}, armour: {one[1]}, staunch: {'yes' if one[2] else 'no'}}}"

    ends = clash(a, b)
    asked: list[Counter[object]] = [Counter() for _ in range(3)]
    for (x, fell, y, felled), chance in ends.items():
        for counter, value in zip(asked, (x, y, fell and felled), strict=True):
            counter[value] += chance
    situation = f"{{fighters: {{a: {written(a)}, b: {written(b)}}}}}"
    questions = ("wounds of a", "wounds of b", "a is down-now and b is down-now")
    assert answers("wild-pools", situation, *questions) == asked
