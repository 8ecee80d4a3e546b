"""Whether conditions exclude each other: what is said of the same, and what is left open. `test_ranges.py` tries many."""

from closecombat.proving import symbolic as c
from closecombat.proving.excluding import apart, claimed, conjuncts, never_together
from closecombat.proving.symbolic import Between, Workshop


def test_conditions_that_must_hold_each_by_itself() -> None:
    shop = Workshop()
    a, b, d = (shop.lift(c.more_than, shop.variable(), 1) for _ in range(3))
    either = shop.or_(b, d)
    assert list(conjuncts((True, shop.and_(a, either), a))) == [a, either]


def test_of_whom_conditions_say_something_and_which_say_something_of_the_same() -> None:
    shop = Workshop()
    x, y, z = (shop.variable() for _ in range(3))
    a, b, d = shop.lift(c.more_than, x, 1), shop.lift(c.less_than, x, y), shop.lift(c.same, z, 2)
    assert claimed(a) == {a, x} and claimed(shop.or_(a, b)) == {a, b, x, y}
    assert apart({one: claimed(one) for one in (a, d, b)}) == [[d], [a, b]]


def test_a_worked_example() -> None:
    """`x > 4`, and `x < 3 or x is y`, and `y < 2`: the first leaves only `x is y`, and then nothing is below 2."""
    shop = Workshop()
    x, y = shop.variable(), shop.variable()
    more, less, low = shop.lift(c.more_than, x, 4), shop.lift(c.less_than, x, 3), shop.lift(c.less_than, y, 2)
    whole = Between(whole=True)
    assert never_together(lambda _: whole, [more, less])
    assert never_together(lambda _: whole, [more, shop.or_(less, low), shop.not_(low)])
    assert not never_together(lambda _: whole, [more, shop.or_(less, low)])
    assert not never_together(lambda _: None, [shop.not_(shop.lift(c.same, x, 1)), shop.not_(more)])
