"""The whole way: programs made up from seeds are in `test_random.py`; here is one by hand."""

from fractions import Fraction

from closecombat.proving.carrying_out.prove import as_fractions
from closecombat.proving.programs import program as p
from closecombat.proving.values import arithmetic as n
from closecombat.proving.values import symbolic as c
from closecombat.proving.values.symbolic import Workshop

from .small import chances, one_by_one, throw


def test_what_has_no_weight_has_no_chance() -> None:
    assert as_fractions({("a",): 2, ("b",): 0, ("c",): 4}, 6) == {("a",): Fraction(1, 3), ("c",): Fraction(2, 3)}


def test_an_attack_and_one_back_if_there_is_anybody_left() -> None:
    """Who throws 5 or 6 hits. One who is hit does not attack back: 1/3 and 2/3 times 1/3."""
    shop = Workshop()
    (attack, first), (back, second) = throw(shop, 6), throw(shop, 6)
    hit, back_hit = shop.lift(c.at_least, attack, 5), shop.variable()
    steps = [first, p.Branch(shop.not_(hit), [second, p.Let(back_hit, shop.lift(c.at_least, back, 5))])]
    wanted = [hit, shop.if_(hit, False, back_hit), n.minus(shop, 1, 1)]
    ninth = Fraction(1, 9)
    by_hand = {(True, False, 0): 3 * ninth, (False, True, 0): 2 * ninth, (False, False, 0): 4 * ninth}
    assert chances(shop, steps, wanted) == by_hand == one_by_one(steps, wanted)
