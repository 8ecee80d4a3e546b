"""Where nobody will look at a value, it need not be told apart."""

from fractions import Fraction

from closecombat.proving.passes.demand import asked_only
from closecombat.proving.programs import program as p
from closecombat.proving.throws.dice import Pool, Thrown, part
from closecombat.proving.values import arithmetic as n
from closecombat.proving.values import symbolic as c
from closecombat.proving.values.symbolic import ASKED, Workshop

from .small import HALF, chances, let, one_by_one, throw


def rattled():
    """Whether a side is rattled is asked only of one without losses, of whom a pool of two coins decides."""
    shop = Workshop()
    pool = Pool((part("", (0, 1), 2),))
    hits = Thrown(pool.parts, pool, shop).total()
    die, roll = throw(shop, 6)
    is_rattled, set_rattled = let(shop, shop.lift(c.at_least, n.plus(shop, die, hits), 6))
    unhurt = shop.lift(c.same, hits, 0)
    return shop, [p.PoolThrow(pool), roll, set_rattled], set_rattled, [unhurt, shop.if_(unhurt, is_rattled, False)]


def test_a_value_is_none_where_nobody_will_look_at_it() -> None:
    shop, steps, before, wanted = rattled()
    *_, after = asked_only(shop, steps, wanted)
    assert after.var is before.var and after.value.fn is ASKED and after.value.args == (wanted[0], before.value)


def test_the_chances_are_the_same() -> None:
    shop, steps, _, wanted = rattled()
    fourth = Fraction(1, 4)
    by_hand = {(True, True): fourth / 6, (True, False): fourth * Fraction(5, 6), (False, False): 3 * fourth}
    assert chances(shop, steps, wanted) == by_hand == one_by_one(steps, wanted)


def test_without_pools_it_is_not_worth_finding_out() -> None:
    shop = Workshop()
    die, roll = throw(shop, 2)
    out, set_out = let(shop, n.plus(shop, die, 1))
    asked = shop.if_(shop.lift(c.same, die, 1), out, 0)
    assert asked_only(shop, [roll, set_out], [asked]) == [roll, set_out]
    assert chances(shop, [roll, set_out], [asked]) == {(2,): HALF, (0,): HALF}
