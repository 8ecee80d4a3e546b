"""Fights of *asl* made up from seeds end as plain Python reckons them, with the same dice."""

import pytest

from closecombat.binding.load import load
from random_fights import difference

SEEDS = range(40)  # `random_fights.py` runs any number of them


@pytest.fixture(scope="module")
def asl():
    return load("asl")


@pytest.mark.parametrize("seed", SEEDS)
def test_a_fight_ends_as_it_is_reckoned(asl, seed: int) -> None:
    assert difference(asl, seed) == ""
