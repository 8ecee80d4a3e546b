"""A program made ready: what is forgotten, how often it can be run, and how much may be gone through."""

from fractions import Fraction
from operator import ge

import pytest

from closecombat.proving.carrying_out.prove import as_fractions, plan
from closecombat.proving.passes.passes import PASSES
from closecombat.proving.values import arithmetic as n
from closecombat.proving.values.symbolic import Workshop
from closecombat.text.faults import Faulty

from .small import let, throw


def two_dice():
    shop = Workshop()
    (one, first), (two, second) = throw(shop, 6), throw(shop, 6)
    total, set_total = let(shop, n.plus(shop, one, two))
    return shop, [first, second, set_total], total


def test_two_dice_have_eleven_sums() -> None:
    shop, steps, total = two_dice()
    table, den = plan(shop, steps, [total]).run()
    assert (table, den) == ({(of,): 6 - abs(of - 7) for of in range(2, 13)}, 36)


def test_a_plan_can_be_run_again() -> None:
    shop, steps, total = two_dice()
    made = plan(shop, steps, [total])
    assert made.run() == made.run()


def test_so_many_rows_and_no_more() -> None:
    shop, steps, total = two_dice()
    assert plan(shop, steps, [total]).run(most_rows=100)
    with pytest.raises(Faulty) as caught:
        plan(shop, steps, [total]).run(most_rows=20)
    assert caught.value.codes == {"budget-exceeded"}


def test_what_is_known_is_asked_for_too() -> None:
    assert as_fractions(*plan(Workshop(), [], ["red", 3]).run()) == {("red", 3): Fraction(1)}


def test_rows_that_failed_alike_are_alike() -> None:
    """Nobody looks at what fails for every face: one row of each of two dice, not 20 times 20."""
    shop = Workshop()

    def off(face: int) -> int:
        raise Faulty.one("off-the-table", f"no row for a sum of {face // 100}")

    (coin, toss), (one, first), (two, second) = throw(shop, 2), throw(shop, 20), throw(shop, 20)
    a, set_a = let(shop, shop.lift(off, one))
    b, set_b = let(shop, shop.lift(off, two))
    asked = shop.if_(shop.lift(ge, coin, 1), 0, n.plus(shop, a, b))
    passes = [one.name for one in PASSES]
    found = plan(shop, [toss, first, second, set_a, set_b], [asked, coin], without=passes).run(most_rows=50)
    assert as_fractions(*found) == {(0, 1): Fraction(1, 2), (0, 2): Fraction(1, 2)}
