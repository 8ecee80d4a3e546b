"""Nodes: what is known is worked out at once, what is equal is one node, and what is settled is never written down."""

import pytest

from closecombat.proving.values import symbolic as c
from closecombat.proving.values.symbolic import IF, Fault, Looked, Sym, Workshop
from closecombat.text.faults import Faulty


def test_what_is_known_is_never_a_node() -> None:
    shop = Workshop()
    assert shop.lift(c.more_than, 3, 2) is True
    assert shop.and_(True, False) is False and shop.or_(False, True) is True and shop.not_(True) is False
    assert shop.if_(False, 1, 2) == 2


def test_equal_expressions_are_one_node_but_one_and_true_are_two() -> None:
    shop = Workshop()
    x = shop.variable()
    assert shop.lift(c.same, x, 1) is shop.lift(c.same, x, 1)
    assert shop.lift(c.same, x, 1) is not shop.lift(c.same, x, True)


@pytest.mark.parametrize(
    ("made", "found"),
    [
        (lambda shop, a, b: shop.and_(a, a), "a"),
        (lambda shop, a, b: shop.and_(a, shop.not_(a)), False),
        (lambda shop, a, b: shop.or_(a, shop.not_(a)), True),
        (lambda shop, a, b: shop.not_(shop.not_(a)), "a"),
        (lambda shop, a, b: shop.if_(a, True, False), "a"),
        (lambda shop, a, b: shop.if_(a, b, b), "b"),
    ],
)
def test_what_is_settled_is_not_written_down(made, found) -> None:
    shop = Workshop()
    a, b = (shop.lift(c.more_than, shop.variable(), 1) for _ in range(2))
    assert made(shop, a, b) is {"a": a, "b": b}.get(found, found)


def test_a_function_of_a_short_choice_is_asked_of_each_arm() -> None:
    shop = Workshop()
    condition = shop.lift(c.more_than, shop.variable(), 1)
    assert shop.lift(c.more_than, shop.if_(condition, 5, 1), 3) is condition


def test_what_a_branch_takes_for_granted_is_known_in_it() -> None:
    shop = Workshop()
    condition = shop.lift(c.more_than, shop.variable(), 1)
    shop.known = {condition: True}
    assert shop.if_(condition, 1, 2) == 1 and shop.not_(condition) is False


def test_nobody_is_neither_more_nor_less() -> None:
    assert not c.more_than(None, 0) and not c.less_than(None, 0) and not c.at_least(0, None)
    assert not c.somebody(None) and c.somebody(0)


def test_an_unknown_value_has_no_truth() -> None:
    with pytest.raises(TypeError):
        bool(Workshop().variable())


def test_a_fault_raises_as_soon_as_somebody_looks_at_it() -> None:
    fault = Fault(ValueError("why"))
    assert fault == fault
    for look in (bool, lambda one: one + 1, lambda one: one == 3, lambda one: one < 1):
        with pytest.raises(Looked, match="why"):
            look(fault)


def test_everyone_a_choice_may_come_to_is_found_in_order_and_once() -> None:
    shop = Workshop()
    one, two = (shop.lift(c.more_than, shop.variable(), 1) for _ in range(2))
    assert shop.everyone(shop.if_(one, "a", shop.if_(two, "b", "c"))) == ("a", "b", "c")
    assert shop.everyone(shop.node(IF, one, shop.if_(two, "b", "c"), shop.if_(two, "b", "c"))) == ("b", "c")
    assert shop.everyone(shop.variable(("x", "y"))) == ("x", "y")


def test_too_many_nodes_are_refused() -> None:
    shop = Workshop()
    shop.most_nodes = 5
    with pytest.raises(Faulty) as caught:
        for i in range(10):
            shop.node(IF, shop.variable(), i, 0)
    assert caught.value.codes == {"budget-exceeded"}


def test_variables_of_a_node_are_those_behind_it() -> None:
    shop = Workshop()
    x, y = shop.variable(), shop.variable()
    node = shop.lift(c.more_than, x, y)
    assert type(node) is Sym and node.vars == {x, y} and x.vars == {x}
