"""Each pass makes an equal program of a program: without it, the chances are the same."""

import pytest

from closecombat.proving.passes.passes import PASSES, optimised
from random_programs import Programs, carried_out

from .small import chances

NAMES = [one.name for one in PASSES]
SEEDS = range(0, 200, 8)


def test_every_pass_says_what_it_is_for() -> None:
    assert len(set(NAMES)) == len(NAMES)
    assert all(one.idea and one.needs and one.keeps and one.worth for one in PASSES)


@pytest.mark.parametrize("name", NAMES)
def test_without_one_pass_the_chances_are_the_same(name: str) -> None:
    for seed in SEEDS:
        made = Programs(seed)
        assert chances(made.shop, made.steps, made.wanted, without=(name,)) == carried_out(made, 1_000), seed


def test_without_any_pass_the_program_stays_as_it_is_and_its_chances_do() -> None:
    for seed in SEEDS:
        made = Programs(seed)
        assert optimised(made.shop, made.steps, made.wanted, NAMES) == (made.steps, made.wanted)
        assert chances(made.shop, made.steps, made.wanted, NAMES) == carried_out(made, 1_000), seed
