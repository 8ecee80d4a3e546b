"""The chances that the examples of the shipped variants state, counted throw by throw in plain Python.

Each rule is written out here anew, from the words of the rulebook and of the variant; nothing is asked of the program.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from closecombat.asking.examples.examples import read_examples
from closecombat.text.nodes import Mapping, flow

EXAMPLES = Path(__file__).parents[2] / "rulesets" / "variants" / "examples"
SIDES = range(1, 7)


@cache
def examples() -> dict[str, Mapping]:
    found = [example for file in sorted(EXAMPLES.iterdir()) for example in read_examples(file)]
    return {flow(example.get("example")): example for example in found}


def stated(name: str) -> list[Fraction]:
    chances = examples()[name].get("chances")
    assert isinstance(chances, Mapping)
    return [Fraction(flow(chance)) for _, chance in chances.entries]


def share(hits: Iterator[bool]) -> Fraction:
    throws = list(hits)
    return Fraction(sum(throws), len(throws))


def cowering(dice: tuple[int, ...], number: int) -> bool:
    """Whether two dice kill at a Kill Number that is one lower for doubles."""
    return sum(dice) <= number - (dice[0] == dice[1])


def two(number: int, modifier: int = 0) -> Fraction:
    return share(sum(dice) + modifier <= number for dice in product(SIDES, repeat=2))


# ---- one attack ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "counted"),
    [
        ("even-squads", [two(4), share(sum(dice) == 5 for dice in product(SIDES, repeat=2))]),
        ("even-squads-hand-to-hand", [two(6), share(sum(dice) == 7 for dice in product(SIDES, repeat=2))]),
        ("a-led-squad", [two(5, -1)]),
        ("a-led-squad-one-lower", [two(4, -1)]),
        ("even-squads-kill-on-equal", [two(5), 0]),
        ("even-squads-hand-to-hand-and-on-equal", [two(7)]),
        ("a-good-leader", [two(5, -2)]),
        ("a-good-leader-capped", [two(5, -1)]),
        ("below-the-chart", [0]),
        ("up-into-the-chart", [two(2)]),
        ("in-the-midst-of-the-chart", [two(6)]),
        ("a-leader-before-a-wall", [two(5)]),
        ("two-squads-storm-a-house", [share(cowering(dice, 7) for dice in product(SIDES, repeat=2))]),
        ("two-squads-storm-stone-walls", [share(cowering(dice, 5) for dice in product(SIDES, repeat=2))]),
        ("tired-attackers", [share(cowering(dice, 5) for dice in product(SIDES, repeat=2))]),
        (
            "tired-attackers-with-a-penalty-die",
            [share(cowering(tuple(sorted(dice)[1:]), 5) for dice in product(SIDES, repeat=3))],
        ),
        ("covered-by-the-broken", [two(6, -1)]),
        ("covered-by-the-broken-in-a-tournament", [two(6, -2)]),
    ],
)
def test_one_attack(name: str, counted: list[Fraction]) -> None:
    assert stated(name) == counted


# ---- two that answer each other --------------------------------------------------------------------------


def struck(kill_number: int) -> list[str]:
    """What each of 36 throws does to a squad."""
    margins = [sum(dice) - kill_number for dice in product(SIDES, repeat=2)]
    return ["gone" if margin < 0 else "half" if margin == 0 else "whole" for margin in margins]


def test_one_after_another() -> None:
    even, uneven = struck(5), struck(4)
    answers = {"whole": even, "half": uneven, "gone": ["whole"] * 36}
    attacker = share(answer == "gone" for blow in even for answer in answers[blow])
    assert stated("both-strike-at-once") == [Fraction(even.count("gone"), 36)] * 2
    assert stated("the-attacker-strikes-first") == [Fraction(even.count("gone"), 36), attacker]


def test_winners() -> None:
    kills = [cowering(dice, 5) for dice in product(SIDES, repeat=2)]
    alone = share(own and not other for own in kills for other in kills)
    assert stated("the-winner-stands") == [share(iter(kills)), 0]
    assert stated("the-winner-is-pinned") == [share(iter(kills)), alone]


# ---- dice with words -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "blue"), [("two-blue-dice", "ssd..."), ("two-bloodier-blue-dice", "sdd...")])
def test_blue_dice(name: str, blue: str) -> None:
    throws = list(product(blue, repeat=2))  # infantry shakes off one suppression
    assert stated(name) == [share("d" in each for each in throws), share(each.count("s") > 1 for each in throws)]


# ---- rounds ----------------------------------------------------------------------------------------------


def dice_of(men: int, shock: int, more: int) -> int:
    dice = men + more - shock // 2
    return max(0, dice // 2 if shock > men else dice)  # who has more Shock than figures is pinned


@cache
def won(
    men: tuple[int, int], shock: tuple[int, int], support: int = 0, approach: int = 0, round: int = 1, last: int = 2
) -> list[Fraction]:
    """The chances that the attacker and that the defender wins a fight of one Team a side, which draws prolong."""
    dice = (dice_of(men[0], shock[0], support // 2), dice_of(men[1], shock[1], approach if round == 1 else 0))
    chances = [Fraction(0), Fraction(0)]
    for one, other in product(falls(dice[0]), falls(dice[1])):
        weight = Fraction(one[2] * other[2], 6 ** sum(dice))
        left = (max(0, men[0] - other[0]), max(0, men[1] - one[0]))
        if one[0] > other[0] and left[0]:
            chances[0] += weight
        elif other[0] > one[0] and left[1]:
            chances[1] += weight
        elif one[0] == other[0] and round < last and all(left):
            again = won(left, (shock[0] + other[1], shock[1] + one[1]), support, approach, round + 1, last)
            chances = [chance + weight * more for chance, more in zip(chances, again, strict=True)]
    return chances


@cache
def falls(number: int) -> list[tuple[int, int, int]]:
    """Kills, Shock and in how many ways: of each throw of that many dice."""
    found: dict[tuple[int, int], int] = {}
    for dice in product(SIDES, repeat=number):
        key = (dice.count(6), dice.count(5))
        found[key] = found.get(key, 0) + 1
    return [(*key, ways) for key, ways in found.items()]


def test_by_night() -> None:
    assert stated("a-supported-rush-by-day") == won((3, 3), (0, 0), support=2, approach=2)
    assert stated("a-supported-rush-by-night") == won((3, 3), (0, 0))


def test_a_third_round() -> None:
    assert stated("two-draws-are-the-end") == won((2, 2), (0, 0))
    assert stated("two-draws-and-a-third-round") == won((2, 2), (0, 0), last=3)
