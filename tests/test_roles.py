"""Who a played sequence is about: as the language's page says, reckoned apart from the interpreter."""

from __future__ import annotations

from fractions import Fraction

import pytest

from random_roles import Roles
from random_rules import written
from two_readings import case, exact, walked

SEEDS = range(120)


@pytest.mark.parametrize("seed", SEEDS)
def test_who_a_played_sequence_is_about(seed: int) -> None:
    made = Roles(seed)
    questions = [f"score of {one}" for one in made.everyone]
    small = case(written(made.rules), written({"situation": made.situation}), questions)
    ways: dict[str, dict[tuple[int], Fraction]] = {question: {} for question in questions}
    for values, weight in made.scores.items():
        for question, value in zip(questions, values, strict=True):
            ways[question][value,] = ways[question].get((value,), Fraction(0)) + weight
    played, _ = walked(small, 4)
    assert {question: played[question].ends for question in questions} == ways
    assert {question: exact(small, question) for question in questions} == ways
