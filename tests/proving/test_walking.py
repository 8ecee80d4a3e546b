"""The one walk: every part once, however often it stands there."""

from closecombat.proving.values import symbolic as c
from closecombat.proving.values.symbolic import IF, Workshop
from closecombat.proving.values.walking import formula, inside_out, is_short, leaves, outside_in, walk


def doubled(shop, times):
    """An expression that is two to the power of `times` long when written out."""
    node = shop.variable()
    for i in range(times):
        node = shop.node(IF, shop.lift(c.same, node, i), node, node)
    return node


def test_what_is_shared_is_come_to_once() -> None:
    node = doubled(Workshop(), 60)
    found = list(walk((node,)))
    assert len(found) == len(set(found)) == 1 + 2 * 60


def test_the_order_of_a_walk_and_of_what_each_is_made_from() -> None:
    shop = Workshop()
    x, y = shop.variable(), shop.variable()
    less, more = shop.lift(c.less_than, x, 1), shop.lift(c.more_than, y, 1)
    both = shop.and_(less, more)
    assert list(walk((both,))) == [both, more, y, less, x]
    assert inside_out((both,)) == [x, y, less, more, both] and outside_in((both,)) == [both, more, less, y, x]
    assert list(walk((both,), formula)) == [both, more, less]


def test_short_is_counted_in_nodes_not_in_uses() -> None:
    node = doubled(Workshop(), 3)
    assert is_short((node,), 7) and not is_short((node,), 6) and is_short((5, None), 0)


def test_what_a_choice_may_come_to() -> None:
    shop = Workshop()
    x, a, b = shop.variable(), shop.variable(), shop.variable()
    assert list(leaves(shop.node(IF, a, shop.node(IF, b, 1, x), 2))) == [1, x, 2]
    assert list(leaves(x)) == [x] and list(leaves(None)) == [None]
