"""A few of the inputs that `hostile.py` makes up; it throws any number of them."""

from __future__ import annotations

import pytest

from hostile import MAKERS, one_batch


@pytest.mark.parametrize("maker", MAKERS)
def test_whatever_is_thrown_at_a_command_is_told_in_words(maker: str) -> None:
    tally = one_batch(maker, 3, 15, None)
    assert tally.inputs == 15
    assert tally.faults == []
