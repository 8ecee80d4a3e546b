"""Nodes as functions: what they are worth once what they hang on is known."""

import pytest

from closecombat.proving.values import arithmetic as n
from closecombat.proving.values import symbolic as c
from closecombat.proving.values.closures import compiled
from closecombat.proving.values.symbolic import ASKED, IF, Workshop
from random_programs import worked_out


def test_a_value_stands_in_a_tuple_or_in_a_tuple_in_it_or_is_read_elsewhere() -> None:
    shop = Workshop()
    x, y, z = (shop.variable() for _ in range(3))
    total = shop.lift(n.add, shop.lift(n.add, x, y), z)
    assert compiled(total, {x: 0, y: (1, 1), z: lambda given, known=None: 100})((1, (5, 20))) == 121
    assert compiled(7, {})(()) == 7 and compiled(y, {y: (0, 1)})((None,)) is None


def test_only_the_arm_that_is_taken_is_worked_out() -> None:
    shop = Workshop()
    x = shop.variable()
    fault = shop.fault(lambda: ValueError("looked at"))
    value = compiled(shop.node(IF, shop.lift(c.more_than, x, 1), x, fault), {x: 0})
    assert value((2,)) == 2
    with pytest.raises(ValueError):
        value((1,))


def test_a_value_is_none_where_it_is_not_asked_for() -> None:
    shop = Workshop()
    x = shop.variable()
    asked = compiled(shop.node(ASKED, shop.lift(c.more_than, x, 1), shop.lift(n.add, x, 1)), {x: 0})
    assert asked((1,)) is None and asked((2,)) == 3


def test_what_is_shared_is_worked_out_once() -> None:
    shop = Workshop()
    x, calls = shop.variable(), []
    slow = shop.node(lambda value: calls.append(value) or value, x)
    value = shop.lift(n.add, shop.lift(n.multiply, slow, 2), shop.lift(n.subtract, slow, 1))
    assert compiled(value, {x: 0})((4,)) == 11 and calls == [4]


def test_a_choice_of_many_arms_is_the_same_for_each_number() -> None:
    shop = Workshop()
    x, y = shop.variable(), shop.variable()
    difference = shop.lift(n.subtract, x, y)
    value = 0
    for i in range(10):
        value = shop.node(IF, shop.lift(c.at_least, difference, i), i, value)
    fn = compiled(value, {x: 0, y: 1})
    for given in 20 * ((3, 1), (3, 3), (20, 1), (0, 5)):  # gone through at first, then a function
        assert fn(given) == worked_out(value, dict(zip((x, y), given, strict=True)))
