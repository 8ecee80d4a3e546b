"""What holds inside a branch, told of a condition and its parts."""

from closecombat.proving.programs.writes import decided, held, stopped
from closecombat.proving.values import symbolic as c
from closecombat.proving.values.symbolic import IF, Workshop


def test_both_sides_of_an_and_hold_where_it_does_and_neither_of_an_or_where_it_does_not() -> None:
    shop = Workshop()
    a, b = (shop.lift(c.more_than, shop.variable(), 1) for _ in range(2))
    both, either = shop.and_(a, b), shop.or_(a, shop.not_(b))
    assert held(both) == {both: True, a: True, b: True}
    assert held(both, False) == {both: False}
    assert held(either, False) == {either: False, a: False, shop.not_(b): False, b: True}


def test_a_choice_with_a_known_arm_tells_which_one_was_taken() -> None:
    shop = Workshop()
    a, b = (shop.lift(c.more_than, shop.variable(), 1) for _ in range(2))
    choice = shop.node(IF, a, b, False)
    assert held(choice) == {choice: True, a: True, b: True}


def test_a_choice_is_decided_as_far_as_its_conditions_are_known() -> None:
    shop = Workshop()
    a, b = (shop.lift(c.more_than, shop.variable(), 1) for _ in range(2))
    inner = shop.if_(b, 1, 2)
    assert decided(shop.if_(a, inner, 3), {a: True}) is inner
    assert decided(shop.if_(a, inner, 3), {a: True, b: False}) == 2
    assert decided(shop.if_(a, inner, 3), {a: False}) == 3


def test_a_value_stops_at_the_ends_of_its_range() -> None:
    assert [stopped(one, 0, 3) for one in (-1, 0, 2, 3, 7)] == [0, 0, 2, 3, 3]
    assert stopped(-5, None, 3) == -5 and stopped(9, 0, None) == 9
