"""The system step-dice, the die of one's skill, the dice of one's weapon: whole fights, against plain Python that shares nothing with the program."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from whole_fights import answers

Weapon = tuple[int, int, int, int]  # number of dice, their sides, what is added, how often each is thrown once more
Fighter = tuple[int, int, Weapon, int]  # skill, luck, weapon, guard


def best_die(sides: int, dice: int) -> dict[int, Fraction]:
    return {face: Fraction(face**dice - (face - 1) ** dice, sides**dice) for face in range(1, sides + 1)}


def biting(weapon: Weapon) -> dict[int, Fraction]:
    number, sides, plus, fury = weapon

    def one(left: int) -> dict[int, Fraction]:
        out: Counter[int] = Counter()
        for face in range(1, sides + 1):
            again = one(left - 1) if face >= 4 and left else {0: Fraction(1)}
            for more, chance in again.items():
                out[face + more] += chance / sides
        return dict(out)

    total = {plus: Fraction(1)}
    for _ in range(number):
        grown: Counter[int] = Counter()
        for (so_far, chance), (more, each) in product(total.items(), one(fury).items()):
            grown[so_far + more] += chance * each
        total = dict(grown)
    return total


def cut_by(weapon: Weapon, guard: int) -> dict[int, Fraction]:
    out: Counter[int] = Counter()
    for wound, chance in biting(weapon).items():
        full = wound == weapon[0] * weapon[1] + weapon[2]
        out[wound if full else max(0, wound - guard)] += chance
    return dict(out)


def duel(a: Fighter, b: Fighter, start: tuple[int, int]) -> dict[tuple[int, int], Fraction]:
    """How many hit points each has when somebody has none, or both have botched."""
    moves: Counter[tuple[int, int, bool]] = Counter()  # what each loses, and whether it is over
    for (x, p), (y, q) in product(best_die(a[0], 1 + a[1]).items(), best_die(b[0], 1 + b[1]).items()):
        if x == y == 1:
            moves[0, 0, True] += p * q
        elif y == 1 or (x != 1 and y < x):
            for cut, chance in cut_by(a[2], b[3]).items():
                moves[0, cut, False] += p * q * chance
        elif x == 1 or x < y:
            for cut, chance in cut_by(b[2], a[3]).items():
                moves[cut, 0, False] += p * q * chance
    going = {move: chance for move, chance in moves.items() if move != (0, 0, False)}

    @cache
    def after(one: int, other: int) -> dict[tuple[int, int], Fraction]:
        out: Counter[tuple[int, int]] = Counter()
        for (lost, taken, over), chance in going.items():
            left = max(0, one - lost), max(0, other - taken)
            for end, then in ({left: Fraction(1)} if over or 0 in left else after(*left)).items():
                out[end] += chance * then / sum(going.values())
        return dict(out)

    return after(*start)


KNIFE, SWORD, AXE = (1, 4, 0), (1, 6, 1), (2, 4, -1)


@pytest.mark.parametrize(
    ("a", "b", "hp"),
    [
        (("sword", 6, 0, 0), ("sword", 6, 0, 0), (5, 5)),
        (("axe", 8, 0, 0), ("sword", 6, 0, 0), (9, 6)),
        (("knife", 12, 1, 2), ("axe", 4, 2, 1), (7, 8)),
    ],
)
def test_step_dice(a: tuple[str, int, int, int], b: tuple[str, int, int, int], hp: tuple[int, int]) -> None:
    printed = {"knife": (KNIFE, 0), "sword": (SWORD, 1), "axe": (AXE, 0)}

    def written(one: tuple[str, int, int, int], hp: int) -> str:
        return f"{{counter: {one[0]}, skill: {one[1]}, luck: {one[2]}, fury: {one[3]}, hp: {hp}}}"

    def fighter(one: tuple[str, int, int, int]) -> Fighter:
        weapon, guard = printed[one[0]]
        return one[1], one[2], (*weapon, one[3]), guard

    ends = duel(fighter(a), fighter(b), hp)
    of_a, of_b = Counter[object](), Counter[object]()
    for (left, other), chance in ends.items():
        of_a[left] += chance
        of_b[other] += chance
    situation = f"{{fighters: {{a: {written(a, hp[0])}, b: {written(b, hp[1])}}}}}"
    assert answers("step-dice", situation, "hp of a", "hp of b") == [of_a, of_b]
