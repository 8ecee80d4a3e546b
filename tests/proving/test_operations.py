"""What each kind of step does, against every fall of the dice."""

from fractions import Fraction

import pytest

from closecombat.proving.carrying_out import operations
from closecombat.proving.passes.passes import PASSES
from closecombat.proving.programs import program as p
from closecombat.proving.throws.dice import Pool, Thrown, part
from closecombat.proving.values import arithmetic as n
from closecombat.proving.values import symbolic as c
from closecombat.proving.values.symbolic import Looked, Workshop
from closecombat.text.faults import Faulty

from .small import HALF, chances, let, one_by_one, throw

ALL = [one.name for one in PASSES]
EACH_WAY = pytest.mark.parametrize("many", [operations.MANY_ROWS, 0])  # all rows together, or group by group


def test_a_throw_keeps_what_is_asked_of_it() -> None:
    shop = Workshop()
    die, roll = throw(shop, 6)
    assert chances(shop, [roll], [shop.lift(c.at_least, die, 5)]) == {(True,): Fraction(1, 3), (False,): Fraction(2, 3)}


def test_a_pool_of_as_many_dice_as_another_shows() -> None:
    """A coin says one die or two; how many show 2 or more of 3."""
    shop = Workshop()
    coin, toss = throw(shop, 2)
    pool = Pool((part("", (1, 2, 3), coin),))
    hits = Thrown(pool.parts, pool, shop).sum_of(lambda _, face: int(face >= 2))
    found = chances(shop, [toss, p.PoolThrow(pool)], [hits])
    assert found == {(0,): Fraction(2, 9), (1,): Fraction(5, 9), (2,): Fraction(2, 9)}


@pytest.mark.parametrize(("again", "both"), [(True, Fraction(0)), (False, Fraction(1, 6))])
def test_lots_between_two_and_between_one(again, both) -> None:
    """Two throw a die each; the higher is picked, and of equals both, unless they throw again."""
    shop = Workshop()
    coin, toss = throw(shop, 2)
    picked = shop.variable(), shop.variable()
    lots = p.Lots(picked, (True, shop.lift(c.same, coin, 1)), again, ("a", "b"))
    found = chances(shop, [toss, lots], picked)
    one = (1 - both) / 2
    by_hand = {(True, False): HALF + HALF * one, (False, True): HALF * one, (True, True): HALF * both}
    assert found == {row: share for row, share in by_hand.items() if share} == one_by_one([toss, lots], picked)


def test_a_card_from_what_is_left() -> None:
    shop = Workshop()
    coin, toss = throw(shop, 2)
    card = shop.variable()
    draw = p.Draw(card, ("low", "high"), (1, n.minus(shop, coin, 1)))
    assert chances(shop, [toss, draw], [card]) == {("low",): Fraction(3, 4), ("high",): Fraction(1, 4)}


def test_a_card_of_an_empty_deck_is_of_a_state_that_cannot_happen() -> None:
    with pytest.raises(Exception, match="empty deck") as caught:
        operations.cards(("low",), (0,))
    assert isinstance(caught.value, Looked)


@EACH_WAY
def test_a_branch_with_two_arms(many, monkeypatch) -> None:
    """Of two dice of three faces: where the first shows 3 it counts twice, elsewhere the second does."""
    monkeypatch.setattr(operations, "MANY_ROWS", many)
    shop = Workshop()
    (one, first), (two, second) = throw(shop, 3), throw(shop, 3)
    out = shop.variable()
    branch = p.Branch(
        shop.lift(c.same, one, 3), [p.Let(out, n.plus(shop, one, one))], [p.Let(out, n.plus(shop, two, two))]
    )
    ninth = Fraction(1, 9)
    by_hand = {(6, 1): ninth, (6, 2): ninth, (6, 3): 3 * ninth, (2, 1): 2 * ninth, (4, 2): 2 * ninth}
    assert chances(shop, [first, second, branch], [out, two], ALL) == by_hand  # `otherwise` is made by the passes alone


@EACH_WAY
def test_a_throw_inside_a_branch_is_nobodys_elsewhere(many, monkeypatch) -> None:
    monkeypatch.setattr(operations, "MANY_ROWS", many)
    shop = Workshop()
    (one, first), (two, second), (more, third) = throw(shop, 2), throw(shop, 2), throw(shop, 2)
    steps = [first, second, p.Branch(shop.lift(c.same, n.plus(shop, one, two), 4), [third])]
    eighth = Fraction(1, 8)
    assert (
        chances(shop, steps, [more]) == {(1,): eighth, (2,): eighth, (None,): 6 * eighth} == one_by_one(steps, [more])
    )


def failing(shop, when):
    """A value that fails where the die shows 6, looked at where `when` holds."""
    die, roll = throw(shop, 6)
    fault = shop.fault(lambda: Faulty.one("no-value", "a six", None))
    value, set_value = let(shop, shop.if_(shop.lift(c.same, die, 6), fault, die))
    return [roll, set_value, p.Must((when(die),), value)], die, value


def test_what_fails_is_told_where_somebody_looks() -> None:
    shop = Workshop()
    steps, die, _ = failing(shop, lambda die: shop.lift(c.more_than, die, 4))
    with pytest.raises(Faulty, match="a six"):
        chances(shop, steps, [die])


def test_what_fails_where_nobody_looks_is_none() -> None:
    shop = Workshop()
    steps, die, value = failing(shop, lambda die: shop.lift(c.less_than, die, 4))
    asked = shop.if_(shop.lift(c.less_than, die, 6), value, 0)
    assert chances(shop, steps, [asked]) == {(face,): Fraction(1, 6) for face in range(6)}
