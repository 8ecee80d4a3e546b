"""Which things cannot be told apart."""

import pytest

from closecombat.proving import arithmetic as n
from closecombat.proving import program as p
from closecombat.proving import symbolic as c
from closecombat.proving.symbolic import Workshop
from closecombat.proving.symmetry import canonical, orbits
from closecombat.reading.slots import FactOf
from closecombat.reading.types import Thing

from .small import HALF, chances

A, B = (Thing("unit", name, i) for i, name in enumerate("ab"))


def worn_down(starts=(2, 2), ask_of_one=False):
    """Each turn one of two is picked by lot and worn down by 1; until either has nothing left."""
    shop = Workshop()
    left, ends, picked = ([shop.variable() for _ in "ab"] for _ in range(3))
    shop.whole |= {*left, *ends}
    nexts = [n.minus(shop, var, shop.if_(lot, 1, 0)) for var, lot in zip(left, picked, strict=True)]
    over = shop.or_(*(shop.lift(c.at_most, one, 0) for one in nexts))
    lots = p.Lots(tuple(picked), (True, True), True, (A, B))
    slots = FactOf(A, "left"), FactOf(B, "left")
    loop = p.Loop(tuple(left), starts, [lots], tuple(nexts), over, None, tuple(ends), None, slots)
    return shop, loop, [ends[0]] if ask_of_one else [n.plus(shop, ends[0], ends[1])]


def test_two_of_whom_all_is_asked_alike_can_be_swapped() -> None:
    _, loop, wanted = worn_down()
    assert orbits(loop, [], wanted) == ([[0], [1]],)


def test_not_if_one_is_asked_for_or_begins_with_more() -> None:
    _, loop, wanted = worn_down(ask_of_one=True)
    assert orbits(loop, [], wanted) == ()
    _, loop, wanted = worn_down(starts=(2, 3))
    assert orbits(loop, [], wanted) == ()


def test_rows_that_differ_by_a_swap_become_equal() -> None:
    same = canonical([[[0, 1], [3, 4]]])
    assert same(("x", 1, "between", "y", 2)) == same(("y", 2, "between", "x", 1))
    assert same(("x", 1, "between", "y", 2)) != same(("x", 2, "between", "y", 1))


@pytest.mark.parametrize("without", [(), ("symmetry",)])
def test_the_chances_by_hand(without) -> None:
    """Two turns of the same end it with 2 left, else the third does with 1: a half each."""
    shop, loop, wanted = worn_down()
    assert chances(shop, [loop], wanted, without) == {(2,): HALF, (1,): HALF}
