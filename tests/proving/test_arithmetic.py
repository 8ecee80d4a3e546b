"""Sums that may not be known yet: what changes nothing is not written down, and nobody cannot be counted on."""

from fractions import Fraction

import pytest

from closecombat.proving.values import arithmetic as n
from closecombat.proving.values import symbolic as c
from closecombat.proving.values.symbolic import Looked, Workshop


@pytest.mark.parametrize(
    ("value", "down", "up", "nearest"),
    [(Fraction(7, 2), 3, 4, 4), (Fraction(-1, 2), -1, 0, 0), (Fraction(-7, 2), -4, -3, -3), (5, 5, 5, 5)],
)
def test_rounding(value, down, up, nearest) -> None:
    assert (n.floor(value), n.ceiling(value), n.nearest(value)) == (down, up, nearest)


def test_a_sum_that_is_whole_again_is_a_whole_number() -> None:
    assert type(n.add(Fraction(1, 2), Fraction(1, 2))) is int
    assert n.multiply(Fraction(2, 3), Fraction(3, 4)) == Fraction(1, 2)


def test_nobody_is_missing_and_a_bug_stays_one() -> None:
    with pytest.raises(Looked):
        n.add(None, 1)
    with pytest.raises(TypeError):
        n.add("one", 1)


def test_what_changes_nothing_is_left_out_of_whole_numbers() -> None:
    shop = Workshop()
    x = shop.variable()
    shop.whole.add(x)
    assert n.plus(shop, x, 0) is x and n.minus(shop, x, 0) is x and n.times(shop, 1, x) is x
    assert n.minus(shop, x, x) == 0 and n.times(shop, x, 0) == 0 and n.rounded(shop, x, "down") is x


def test_what_may_be_nobody_is_still_counted_on() -> None:
    shop = Workshop()
    x = shop.variable()
    assert n.minus(shop, x, x) != 0 and n.times(shop, x, 0) != 0 and n.rounded(shop, x, "down") is not x


def test_a_choice_is_whole_if_both_arms_are() -> None:
    shop = Workshop()
    condition, x = shop.lift(c.more_than, shop.variable(), 1), shop.variable()
    assert n.is_whole(shop, shop.if_(condition, 1, 2))
    assert not n.is_whole(shop, shop.if_(condition, 1, Fraction(1, 2)))
    assert not n.is_whole(shop, shop.if_(condition, 1, x)) and not n.is_whole(shop, None)
