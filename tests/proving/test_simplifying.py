"""What is certain is not asked, and what is asked twice is asked once."""

from collections.abc import Callable

import pytest

from closecombat.playing.amounts import HowMany
from closecombat.proving.carrying_out.prove import as_fractions, plan
from closecombat.proving.foreseeing.ranges import range_of
from closecombat.proving.passes.simplifying import settled, shared
from closecombat.proving.programs import program as p
from closecombat.proving.throws.dice import Pool, Thrown, part
from closecombat.proving.values import symbolic as c
from closecombat.proving.values.symbolic import Between, Sym, Value, Workshop
from closecombat.text.source import Source, Span

HERE = Span(Source("a test", "x"), 0, 1)


def pool(shop: Workshop, dice: int) -> tuple[Sym, p.Step]:
    """How many sixes so many dice show."""
    thrown = Pool((part("", (1, 2, 3, 4, 5, 6), dice),))
    return Thrown(thrown.parts, thrown, shop).sum_of(lambda _, face: int(face == 6)), p.PoolThrow(thrown)


@pytest.mark.parametrize(
    ("claim", "answer"),
    [
        (lambda shop, hits: shop.lift(c.at_most, hits, 8), True),
        (lambda shop, hits: shop.lift(c.more_than, hits, 8), False),
        (lambda shop, hits: shop.lift(c.somebody, hits), True),
        (lambda shop, hits: shop.lift(c.at_most, hits, 7), None),
    ],
)
def test_a_claim_is_settled_by_the_dice_that_there_are(claim: Callable, answer: bool | None) -> None:
    shop = Workshop()
    hits, throw = pool(shop, 8)
    asked = claim(shop, hits)
    assert settled(shop, [throw], [asked])[1] == [asked if answer is None else answer]


def test_a_check_that_is_always_passed_is_none_and_nobody_watches_it() -> None:
    shop = Workshop()
    hits, throw = pool(shop, 8)
    up_to_8, up_to_7 = (shop.lift(HowMany("{}", HERE, most), hits) for most in (8, 7))
    steps = [throw, p.Must((), up_to_8), p.Must((), up_to_7)]
    new, asked = settled(shop, steps, [up_to_8, up_to_7])
    assert asked == [hits, up_to_7]
    assert [step.value for step in new if isinstance(step, p.Must)] == [up_to_7]


def test_what_was_made_elsewhere_may_have_failed_there() -> None:
    shop = Workshop()
    hits, throw = pool(shop, 8)
    var = shop.variable()
    steps = [throw, p.Let(var, shop.lift(HowMany("{}", HERE, 7), hits)), p.Must((), var)]
    new = settled(shop, steps, [])[0]
    assert [type(step) for step in new] == [p.PoolThrow, p.Let, p.Must]


def test_while_rules_are_played_nothing_of_it_is_known() -> None:
    shop = Workshop()
    hits, throw = pool(shop, 8)
    settled(shop, [throw], [shop.lift(c.at_most, hits, 8)])
    assert range_of(shop, hits) == Between(0, None, True)


def flags(shop: Workshop, number: int) -> list[Value]:
    return [shop.lift(c.same, shop.variable(), 1) for _ in range(number)]


def test_what_all_sides_have_in_common_is_asked_once() -> None:
    shop = Workshop()
    a, b, t = flags(shop, 3)
    asked = shop.or_(shop.and_(a, shop.and_(a, t)), shop.and_(b, shop.and_(b, t)))
    assert shared(shop, [], [asked])[1] == [shop.and_(shop.or_(a, b), t)]
    asked = shop.or_(shop.and_(t, a), shop.and_(t, b))
    assert shared(shop, [], [asked])[1] == [shop.and_(t, shop.or_(a, b))]


def test_what_stands_behind_something_is_not_asked_without_it() -> None:
    shop = Workshop()
    a, b, t = (shop.variable() for _ in range(3))
    asked = shop.or_(shop.and_(a, t), shop.and_(t, b))  # b is looked at only where t is so, and t in any case
    assert shared(shop, [], [asked])[1] == [shop.and_(t, shop.or_(a, b))]
    x, y = shop.variable(), shop.variable()
    asked = shop.or_(shop.and_(shop.and_(a, t), b), shop.and_(shop.and_(x, t), y))  # t itself only where a or x is
    assert shared(shop, [], [asked])[1] == [asked]


def test_a_flag_of_a_branch_that_is_not_taken_is_no() -> None:
    """`inside` is made only where `there` is so: who asks for both, in whatever order, hears no or yes, never nobody."""
    shop = Workshop()
    coin, there, far, inside, more = (shop.variable() for _ in range(5))
    steps = [
        p.Throw(coin, [(1, 1), (2, 1)]),
        p.Let(there, shop.lift(c.more_than, coin, 2)),
        p.Let(far, shop.lift(c.more_than, coin, 1)),
        p.Branch(there, [p.Let(inside, shop.lift(c.more_than, coin, 1)), p.Let(more, shop.lift(c.more_than, coin, 0))]),
    ]
    common = shop.and_(there, more)
    asked = shop.or_(shop.and_(far, common), shop.and_(common, inside))
    table, den = plan(shop, steps, [asked]).run()
    assert as_fractions(table, den) == {(False,): 1}


def test_a_side_that_is_what_all_have_in_common_is_enough() -> None:
    shop = Workshop()
    a, t = flags(shop, 2)
    assert shared(shop, [], [shop.or_(shop.and_(t, a), t)])[1] == [t]


def test_sides_that_have_nothing_in_common_stay() -> None:
    shop = Workshop()
    a, b, x, y = flags(shop, 4)
    asked = shop.or_(shop.and_(a, x), shop.and_(b, y))
    assert shared(shop, [], [asked])[1] == [asked]
