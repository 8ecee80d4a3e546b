"""Conditions as ways in which they can hold."""

from closecombat.proving.foreseeing import ways as w
from closecombat.proving.values import symbolic as c
from closecombat.proving.values.symbolic import Workshop


def way(*answers):
    return frozenset((node, True) for node in answers)


def test_a_way_that_another_covers_is_left_out() -> None:
    shop = Workshop()
    a, b = (shop.lift(c.more_than, shop.variable(), 1) for _ in range(2))
    assert w.either(frozenset((way(a),)), frozenset((way(a, b),))) == {way(a)}
    assert w.either(w.NEVER, w.ALWAYS) == w.ALWAYS and w.both(w.ALWAYS, w.NEVER) == w.NEVER
    assert w.both(frozenset((way(a),)), frozenset((way(b),))) == {way(a, b)}
    assert w.both(w.holds(a), w.holds(a, False)) == w.NEVER


def test_the_parts_that_must_be_so() -> None:
    shop = Workshop()
    a, b = (shop.lift(c.more_than, shop.variable(), 1) for _ in range(2))
    assert w.holds(shop.and_(a, b)) == {way(a, b)}
    assert w.holds(shop.or_(a, b), False) == {frozenset(((a, False), (b, False)))}
    assert w.holds(True) == w.ALWAYS and w.holds(False) == w.NEVER


def test_too_many_ways_become_what_they_have_in_common() -> None:
    shop = Workshop()
    a, *others = (shop.lift(c.more_than, shop.variable(), 1) for _ in range(w.MOST_WAYS + 2))
    assert w.shortest(way(a, one) for one in others) == {way(a)}


def test_as_a_value_again() -> None:
    shop = Workshop()
    a, b = (shop.lift(c.more_than, shop.variable(), 1) for _ in range(2))
    assert w.as_value(shop, w.holds(shop.and_(a, b))) is shop.and_(a, b)
    assert w.as_value(shop, w.NEVER) is False and w.as_value(shop, w.ALWAYS) is True
    assert w.weakened(w.holds(a), lambda node, yes, way: True) == w.ALWAYS
