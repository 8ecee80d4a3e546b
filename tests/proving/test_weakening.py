"""What may be so when only some values are known: never less than what is."""

from itertools import product

from closecombat.proving.foreseeing.weakening import Perhaps
from closecombat.proving.values import arithmetic as n
from closecombat.proving.values import symbolic as c
from closecombat.proving.values.symbolic import Workshop
from random_programs import worked_out


def numbers(shop):
    known, hits = shop.variable(), shop.variable()
    shop.whole |= {known, hits}
    return known, hits


def test_what_is_known_is_asked_as_it_is_and_of_others_nothing_can_be_told() -> None:
    shop = Workshop()
    known, hits = numbers(shop)
    flag, other = shop.lift(c.more_than, known, 2), shop.lift(c.more_than, hits, 2)
    perhaps = Perhaps(shop, {known}, {})
    assert perhaps.may(flag) is flag and perhaps.may(other) is True and perhaps.may(other, False) is True


def test_by_hand() -> None:
    """Of a row with `known` wounds, and some hits to come, which are never below 0."""
    shop = Workshop()
    known, hits = numbers(shop)
    total = n.plus(shop, known, hits)
    perhaps = Perhaps(shop, {known}, {hits: 0})
    assert perhaps.may(shop.lift(c.less_than, total, 3)) is shop.lift(c.more_than, 3, known)
    assert perhaps.may(shop.lift(c.more_than, total, 3)) is True


def test_wherever_a_condition_holds_for_some_hits_it_may_be_so() -> None:
    shop = Workshop()
    known, hits = numbers(shop)
    total, left = n.plus(shop, known, hits), n.minus(shop, 4, hits)
    one, two = shop.lift(c.at_most, total, 2), shop.lift(c.at_least, left, known)
    made = [one, two, shop.and_(one, two), shop.or_(shop.not_(one), two), shop.if_(one, two, shop.not_(two))]
    made += [shop.lift(c.same, total, 3), shop.lift(c.same, total, left), shop.lift(c.less_than, left, total)]
    for condition, be in product(made, (True, False)):
        perhaps = Perhaps(shop, {known}, {hits: 0}).may(condition, be)
        for value in range(6):
            is_so = any(bool(worked_out(condition, {known: value, hits: hit})) is be for hit in range(8))
            assert worked_out(perhaps, {known: value}) or not is_so
