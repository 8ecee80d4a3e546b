"""Throws that come to more numbers than are told apart one by one: a row is done exactly where its test is so, wherever
the numbers lie that the throw is held against."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from random import Random

import pytest

from two_readings import case, exact

SITUATION = "situation: {fight: {attacker: one}, sides: {one: {}, two: {}}}"
RULES = """
ruleset: wide
title: Wide
about: Throws that come to many numbers.
language: 1
start: combat
kinds:
  fight:
    one: yes
    given: {{attacker: a side}}
    rolled: {{percent: d100, high: d100}}
    noted: {{hits: 0 to 9, hit: flag}}
  side: {{given: {{enemy: the other side}}}}
sequences:
  combat:
    in-order:
      a: {{roll: percent}}
      b: {{roll: high}}
      c: {{when: {0}, do: gain hit}}
      d: {{unless: {0}, do: add 1 to hits}}
"""


def agree(sentence: str, holds: Callable[[int, int], bool]) -> None:
    made = case(RULES.format(sentence), SITUATION, ["hit", "hits", sentence])
    both = [(a, b) for a in range(1, 101) for b in range(1, 101)]
    expected = Counter(holds(*thrown) for thrown in both)
    law = {is_so: Fraction(many, 10_000) for is_so, many in expected.items()}
    assert {value: chance for (value,), chance in exact(made, sentence).items()} == law, sentence
    assert {value: chance for (value,), chance in exact(made, "hit").items()} == law, sentence
    assert {value == 0: chance for (value,), chance in exact(made, "hits").items()} == law, sentence


@pytest.mark.parametrize(
    ("sentence", "holds"),
    [
        ("percent + 20 is at least 10", lambda a, b: True),
        ("percent + 20 is at most 10", lambda a, b: False),
        ("percent is at most 100", lambda a, b: True),
        ("percent / 2 rounded down + 60 is more than 20", lambda a, b: True),
        ("percent + 20 is at least 10 and high is at least 51", lambda a, b: b >= 51),
        ("percent + 20 is 0 to 130", lambda a, b: True),
        ("percent + high is at least 1", lambda a, b: True),
        ("percent - high is more than -100", lambda a, b: True),
        ("percent * 3 is 5 to 8", lambda a, b: a == 2),
        ("percent + 150 is more than high", lambda a, b: True),
        ("(the higher of percent and 40) is at least 30 and (the lower of high and 60) is at most 70", lambda a, b: True),
    ],
)
def test_what_is_always_so_or_never(sentence: str, holds: Callable[[int, int], bool]) -> None:
    agree(sentence, holds)


SIGNS: list[tuple[str, Callable[[int, int], bool]]] = [
    ("at least", lambda x, y: x >= y),
    ("at most", lambda x, y: x <= y),
    ("more than", lambda x, y: x > y),
    ("less than", lambda x, y: x < y),
]


@pytest.mark.parametrize("seed", range(40))
def test_made_up_tests(seed: int) -> None:
    random = Random(seed)

    def one() -> tuple[str, Callable[[int, int], bool]]:
        plus, less, marks = random.randint(-60, 160), random.choice([0, 0, 1]), random.randint(-120, 300)
        (said, sign), times = random.choice(SIGNS), random.choice([1, 1, 2])
        who = f"percent * {times}" if times > 1 else "percent"
        number = f"{who} {'-' if plus < 0 else '+'} {abs(plus)}{' - high' if less else ''}"
        return f"{number} is {said} {marks}", lambda a, b: sign(a * times + plus - less * b, marks)

    (first, so), (second, too) = one(), one()
    match random.choice(["and", "or", ""]):
        case "and":
            agree(f"{first} and {second}", lambda a, b: so(a, b) and too(a, b))
        case "or":
            agree(f"{first} or {second}", lambda a, b: so(a, b) or too(a, b))
        case _:
            agree(first, so)
