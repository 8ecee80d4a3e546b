"""Whether conditions exclude each other: what is said of the same, and what is left open. `test_ranges.py` tries many."""

from fractions import Fraction
from random import Random

import pytest

from closecombat.proving.foreseeing.excluding import apart, claimed, conjuncts, never_together
from closecombat.proving.values import symbolic as c
from closecombat.proving.values.symbolic import Between, Value, Workshop


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


@pytest.mark.parametrize("seed", range(400))
def test_a_number_between_ends_may_be_all_that_lies_between_them(seed: int) -> None:
    """Conditions on one number, against trying all that it may be, in quarters where it need not be whole: ends that lie
    beyond all that it is compared with, or between two of them, rule nothing out that they should not, and all that
    they do."""
    random = Random(seed)
    whole = random.random() < 0.5
    one_of = range(-12, 13) if whole else [Fraction(at, 4) for at in range(-48, 49)]
    low, high = sorted(random.choices(one_of, k=2))
    shop = Workshop()
    x = shop.variable()
    marks = [random.randint(-12, 12) for _ in range(3)]
    tests = (c.more_than, c.less_than, c.at_least, c.at_most, c.same)
    said = [(random.choice(tests), random.choice(marks), random.random() < 0.3) for _ in range(random.randint(1, 4))]
    claims = [shop.lift(test, x, mark) for test, mark, _ in said]
    conditions = [shop.not_(claim) if denied else claim for claim, (*_, denied) in zip(claims, said, strict=True)]
    either = random.random() < 0.4 and len(conditions) > 1
    if either:
        conditions = [shop.or_(*conditions[:2]), *conditions[2:]]

    def holds(value: Value) -> bool:
        so = [test(value, mark) is not denied for test, mark, denied in said]
        return (so[0] or so[1]) and all(so[2:]) if either else all(so)

    may_be = any(holds(value) for value in one_of if low <= value <= high)
    assert never_together(lambda _: Between(low, high, whole), conditions) is not may_be
