"""What of whoever has left makes no difference."""

from fractions import Fraction

import pytest

from closecombat.proving.foreseeing.ranges import FLAG
from closecombat.proving.passes.forgetting import forgetting, without
from closecombat.proving.programs import program as p
from closecombat.proving.values import arithmetic as n
from closecombat.proving.values import symbolic as c
from closecombat.proving.values.symbolic import Workshop
from closecombat.reading.slots import FactOf, InPlay
from closecombat.reading.types import Thing

from .small import chances

A, B = (Thing("unit", name, i) for i, name in enumerate("ab"))


def hit_in_turn():
    """A coin picks one of two, who if he is there is hit once or twice, and leaves at 3; until both have left."""
    shop = Workshop()
    hits, there, hits_then, there_then = ([shop.variable() for _ in "ab"] for _ in range(4))
    coin, die = shop.variable(), shop.variable()
    shop.whole |= {*hits, *hits_then, die}
    shop.ranges |= dict.fromkeys((*there, *there_then), FLAG)
    throws = [p.Throw(coin, [(0, 1), (1, 1)]), p.Throw(die, [(1, 1), (2, 1)])]
    struck = [shop.and_(there[i], shop.lift(c.same, coin, i)) for i in range(2)]
    hits_next = [shop.if_(struck[i], n.plus(shop, hits[i], die), hits[i]) for i in range(2)]
    stays = [shop.and_(there[i], shop.lift(c.less_than, hits_next[i], 3)) for i in range(2)]
    over = shop.not_(shop.or_(*stays))
    slots = (FactOf(A, "hits"), FactOf(B, "hits"), InPlay(A), InPlay(B))
    ends = (*hits_then, *there_then)
    loop = p.Loop((*hits, *there), (0, 0, True, True), throws, (*hits_next, *stays), over, None, ends, None, slots)
    return shop, loop, hits_then


def hit_by_name():
    """The same, but that he is hit who is named; then the other is, as long as he is there."""
    shop, loop, hits = hit_in_turn()
    who, last = shop.variable((A, B)), shop.variable((A, B))
    named = [shop.lift(c.same, who, one) for one in (A, B)]
    die = loop.steps[1].var
    hits_next = [shop.if_(named[i], n.plus(shop, loop.vars[i], die), loop.vars[i]) for i in range(2)]
    stays = [shop.and_(loop.vars[2 + i], shop.lift(c.less_than, hits_next[i], 3)) for i in range(2)]
    then = shop.if_(named[0], shop.if_(stays[1], B, A), shop.if_(stays[0], A, B))
    over = shop.not_(shop.or_(*stays))
    starts, ends, slots = (*loop.starts, A), (*loop.ends, last), (*loop.slots, FactOf(A, "next"))
    vars, nexts = (*loop.vars, who), (*hits_next, *stays, then)
    return shop, p.Loop(vars, starts, loop.steps[1:], nexts, over, None, ends, None, slots), hits


WITH_3 = Fraction(5, 8)  # 1 and 2, 2 and 1, three times 1: 1/4 + 1/4 + 1/8; else it is 2 and 2, or 1, 1 and 2, with 4


@pytest.mark.parametrize("without", [(), ("forgetting",)])
@pytest.mark.parametrize("made", [hit_in_turn, hit_by_name])
def test_the_chances_by_hand(made, without) -> None:
    shop, loop, hits = made()
    most = shop.or_(*(shop.lift(c.at_least, one, 4) for one in hits))
    assert chances(shop, [loop], [most], without) == {(False,): WITH_3**2, (True,): 1 - WITH_3**2}
    shop, loop, hits = made()
    rest = 1 - WITH_3
    assert chances(shop, [loop], [n.plus(shop, *hits)], without) == {
        (6,): WITH_3**2,
        (7,): 2 * WITH_3 * rest,
        (8,): rest**2,
    }


def states_of(shop, loop, wanted):
    """Which rows of a state are one, of all in which a has left."""
    (marked,) = forgetting(shop, [loop], wanted)
    less = without(shop, [one for one in marked.forgets if one.flag is not None], loop.ends)
    rows = [(a, b, False, True) for a in (3, 4) for b in (0, 1, 2)]
    return [less(row) for row in rows]


def test_who_has_left_is_told_apart_by_what_is_asked_of_him() -> None:
    shop, loop, hits = hit_in_turn()
    of_one = states_of(shop, loop, [hits[1]])
    assert of_one == [(3, 0, False, True), (3, 1, False, True), (3, 2, False, True)] * 2
    shop, loop, hits = hit_in_turn()
    assert len(set(states_of(shop, loop, [shop.lift(c.at_least, hits[0], 4)]))) == 6
    shop, loop, hits = hit_in_turn()
    both = shop.and_(shop.lift(c.at_least, hits[0], 2), shop.lift(c.at_least, hits[1], 4))
    assert len(set(states_of(shop, loop, [both]))) == 3


def test_who_is_named_is_not_forgotten() -> None:
    shop, loop, hits = hit_by_name()
    (marked,) = forgetting(shop, [loop], [hits[1]])
    less = without(shop, [one for one in marked.forgets if one.flag is not None], loop.ends)
    assert {less((a, 1, False, True, B)) for a in (3, 4)} == {(3, 1, False, True, B)}
    assert {less((a, 1, False, True, A)) for a in (3, 4)} == {(3, 1, False, True, A), (4, 1, False, True, A)}


def test_nothing_is_forgotten_of_who_may_come_back() -> None:
    shop, loop, hits = hit_in_turn()
    back = shop.or_(loop.nexts[2], shop.lift(c.same, hits[0], 9))
    loop = p.Loop(
        loop.vars, loop.starts, loop.steps, (*loop.nexts[:2], back, loop.nexts[3]), loop.until, None, loop.ends
    )
    (marked,) = forgetting(shop, [loop], [hits[1]])
    assert all(one.flag is not loop.ends[2] for one in marked.forgets)
