"""The tables of R1, R2, R3 and R6, as data that every engine makes its own rules of.

The rows look like those of a list of modifiers: a few tests of a situation, and a small number. Facts, rows and
situations are made up from a seed, and belong to no game. What each table asks is in README.md.
"""

from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

ARMS = ("rifle", "carbine", "pistol", "sabre", "pike")
GROUNDS = ("open", "woods", "building", "rubble", "brush", "bridge")
FLAGS = ("broken", "concealed", "pinned", "tired", "led", "mounted", "berserk", "captive")
OF_A_SIDE: dict[str, Any] = {
    **dict.fromkeys(FLAGS, "flag"),
    "strength": range(1, 61),
    "men": range(1, 13),
    "leadership": range(-2, 3),
    "arm": ARMS,
}
OF_THE_PLACE: dict[str, Any] = {
    "night": "flag",
    "wire": "flag",
    "smoke": range(0, 4),
    "level": range(-1, 4),
    "ground": GROUNDS,
}
FACTS = {("attacker", "target"): OF_A_SIDE, ("place",): OF_THE_PLACE}
TYPES = {(who, fact): type for owners, facts in FACTS.items() for who in owners for fact, type in facts.items()}
ODDS = ((1, 8), (1, 6), (1, 4), (1, 3), (1, 2), (2, 3), (1, 1), (3, 2), (2, 1), (3, 1), (4, 1), (6, 1), (8, 1), (10, 1))
TABLES = {"r1": 1, "r2": 40, "r3": 0, "r6": 1000}  # how many rows; r3 is the chart of odds
CASES = 100


@dataclass(frozen=True, slots=True)
class Test:
    """That a fact is so: `is` (a flag, yes or no), `=` (a number), `in` (several words), `at least` or `at most`."""

    who: str
    fact: str
    how: str
    what: Any


@dataclass(frozen=True, slots=True)
class Row:
    tests: tuple[Test, ...]
    add: int


@cache
def rows(number: int) -> tuple[Row, ...]:
    dice = Random(number)
    if number == 1:
        return (Row(tuple(_test(dice, *of) for of in (*dice.sample(_flags(), 3), ("place", "ground"))), 1),)
    return tuple(_row(dice) for _ in range(number))


def _flags() -> list[tuple[str, str]]:
    return [of for of, type in TYPES.items() if type == "flag"]


def _row(dice: Random) -> Row:
    tests = tuple(_test(dice, *of) for of in dice.sample(list(TYPES), dice.choice((1, 2, 2, 3, 3))))
    return Row(tests, dice.choice((-3, -2, -1, 1, 2, 3)))


def _test(dice: Random, who: str, fact: str) -> Test:
    match TYPES[who, fact]:
        case "flag":
            return Test(who, fact, "is", dice.random() < 0.7)
        case range() as numbers:
            how = (
                dice.choice(("=", "at least", "at most")) if len(numbers) < 20 else dice.choice(("at least", "at most"))
            )
            return Test(who, fact, how, dice.choice(numbers[1:-1]))
        case words:
            return Test(who, fact, "in", tuple(sorted(dice.sample(words, dice.choice((1, 2, 3))))))


@cache
def cases() -> tuple[dict[str, dict[str, Any]], ...]:
    """Situations, each {attacker, target, place: {fact: value}}, with the odds as 24 times the quotient, rounded down,
    for those whose rules cannot divide."""
    dice, out = Random(24), []
    for _ in range(CASES):
        case: dict[str, dict[str, Any]] = {"attacker": {}, "target": {}, "place": {}}
        for (who, fact), type in TYPES.items():
            case[who][fact] = dice.random() < 0.4 if type == "flag" else dice.choice(type)
        case["place"]["odds"] = 24 * case["attacker"]["strength"] // case["target"]["strength"]
        out.append(case)
    return tuple(out)


@cache
def columns() -> tuple[tuple[int, int], ...]:
    """Of each column of the chart of odds the least of those 24ths, and its number, the best first."""
    return tuple((24 * left // right, at) for at, (left, right) in reversed(list(enumerate(ODDS, 1))))
