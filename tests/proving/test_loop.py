"""Repetitions: so many passes at most, or to the end."""

from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from closecombat.proving.programs import program as p
from closecombat.proving.values import arithmetic as n
from closecombat.proving.values import symbolic as c
from closecombat.proving.values.symbolic import Workshop
from closecombat.reading.slots import FactOf, InPlay
from closecombat.reading.types import Thing
from closecombat.text.faults import Faulty

from .small import chances, one_by_one, throw


def until_a_six(at_most, faces=6):
    """A die is thrown, and the throws are counted, until it shows its highest face."""
    shop = Workshop()
    count, die, counted = (shop.variable() for _ in range(3))
    shop.whole |= {count, counted}
    more = n.plus(shop, count, 1)
    over = shop.lift(c.same, die, faces)
    roll = p.Throw(die, [(face, 1) for face in range(1, faces + 1)])
    return shop, p.Loop((count,), (0,), [roll], (more,), over, at_most, (counted,), None, ("count",)), counted


def test_so_many_passes_at_most() -> None:
    shop, loop, counted = until_a_six(3)
    by_hand = {(1,): Fraction(1, 6), (2,): Fraction(5, 36), (3,): Fraction(25, 36)}
    assert chances(shop, [loop], [counted]) == by_hand == one_by_one([loop], [counted])


def first_to_throw_a_six(at_most=None):
    """Two throw in turn; whose turn it is when a six comes has won: the first in 6 of 11."""
    shop = Workshop()
    turn, die, winner = (shop.variable() for _ in range(3))
    other = shop.not_(shop.lift(c.same, turn, True))
    six = shop.lift(c.same, die, 6)
    roll = p.Throw(die, [(face, 1) for face in range(1, 7)])
    loop = p.Loop((turn,), (True,), [roll], (shop.if_(six, turn, other),), six, at_most, (winner,), None, ("turn",))
    return shop, loop, winner


def test_to_the_end() -> None:
    shop, loop, winner = first_to_throw_a_six()
    assert chances(shop, [loop], [winner]) == {(True,): Fraction(6, 11), (False,): Fraction(5, 11)}


def test_what_stands_before_a_loop_is_still_known_behind_it() -> None:
    shop, loop, winner = first_to_throw_a_six()
    coin = shop.variable()
    steps = [p.Throw(coin, [("head", 1), ("tail", 1)]), loop]
    half = Fraction(1, 2)
    assert chances(shop, steps, [coin, winner]) == {
        (side, is_first): half * share
        for side in ("head", "tail")
        for is_first, share in ((True, Fraction(6, 11)), (False, Fraction(5, 11)))
    }


@pytest.mark.parametrize("sides", [6, 3])
def test_what_was_before_and_is_only_compared_in_each_pass(sides) -> None:
    """Two dice, then a coin until it shows a head: the higher die has won, or the last tail if they are the same. How
    high the first is, is asked behind as well."""
    shop = Workshop()
    (one, first), (other, second), (coin, toss) = (throw(shop, faces) for faces in (sides, sides, 2))
    tails, end = shop.variable(), shop.variable()
    higher = shop.if_(shop.lift(c.more_than, one, other), "first", "second")
    more = shop.if_(shop.lift(c.same, one, other), shop.if_(shop.lift(c.same, coin, 2), "tail", tails), higher)
    loop = p.Loop((tails,), ("none",), [toss], (more,), shop.lift(c.same, coin, 1), None, (end,), None, ("tails",))
    found = chances(shop, [first, second, loop], [one, end])
    each = Fraction(1, sides)
    expected = {(high, "second"): (sides - high) * each**2 for high in range(1, sides)}
    expected |= {(high, "first"): (high - 1) * each**2 for high in range(2, sides + 1)}
    expected |= {(high, said): each**2 / 2 for high in range(1, sides + 1) for said in ("none", "tail")}
    assert found == expected


def test_a_note_that_each_pass_writes_anew_of_whoever_is_there() -> None:
    """Each pass he notes a coin if he is there; then he leaves by another, and one in three ends it. With x for whether
    he is there at the end, x = 1/2 (1/3 + 2/3 x), so x = 1/4; and what he has noted last is either, half the time."""
    shop = Workshop()
    (coin, toss), (goes, leave), (die, cast) = throw(shop, 2), throw(shop, 2), throw(shop, 3)
    (note, there), ends = (shop.variable(), shop.variable()), (shop.variable(), shop.variable())
    one = Thing("unit", "a", 0)
    nexts = shop.if_(there, coin, note), shop.and_(there, shop.lift(c.same, goes, 1))
    over, slots = shop.lift(c.same, die, 1), (FactOf(one, "note"), InPlay(one))
    loop = p.Loop((note, there), ("none", True), [toss, leave, cast], nexts, over, None, ends, None, slots)
    chance = {True: Fraction(1, 8), False: Fraction(3, 8)}
    assert chances(shop, [loop], list(ends)) == {(last, so): chance[so] for last in (1, 2) for so in (True, False)}


@cache
def worn(left: int, other: int) -> dict[tuple[bool, bool], Fraction]:
    """Two lose a coin's worth twice a round, nothing or 1 each time, until one has none left: who has none, by hand."""
    twice = {0: 1, 1: 2, 2: 1}
    out: dict[tuple[bool, bool], Fraction] = {}
    for (a, ways), (b, others) in product(twice.items(), twice.items()):
        then = left - a, other - b
        if not (a or b):
            continue
        ends = worn(*then) if min(then) > 0 else {(then[0] <= 0, then[1] <= 0): Fraction(1)}
        for end, chance in ends.items():
            out[end] = (
                out.get(end, Fraction(0)) + Fraction(ways * others, 15) * chance
            )  # of 16, one goes round in a circle
    return out


def test_what_one_is_left_with_after_several_throws_of_his_own() -> None:
    shop = Workshop()
    coins = [throw(shop, 2) for _ in range(4)]
    left, ends = [shop.variable() for _ in range(2)], [shop.variable() for _ in range(2)]
    shop.whole |= {*left, *ends}
    lost = [n.plus(shop, n.minus(shop, coins[2 * i][0], 1), n.minus(shop, coins[2 * i + 1][0], 1)) for i in range(2)]
    nexts = tuple(n.minus(shop, one, less) for one, less in zip(left, lost, strict=True))
    over = shop.or_(*(shop.lift(c.at_most, one, 0) for one in nexts))
    loop = p.Loop(tuple(left), (3, 4), [toss for _, toss in coins], nexts, over, None, tuple(ends), None, ("a", "b"))
    assert chances(shop, [loop], [shop.lift(c.at_most, end, 0) for end in ends]) == worn(3, 4)


def test_no_end_is_told() -> None:
    shop = Workshop()
    coin, die, end = (shop.variable() for _ in range(3))
    slots = (FactOf(Thing("unit", "a", 0), "face"),)
    loop = p.Loop(
        (coin,), (0,), [p.Throw(die, [(1, 1), (2, 1)])], (die,), shop.lift(c.same, die, 3), None, (end,), None, slots
    )
    with pytest.raises(Faulty) as caught:
        chances(shop, [loop], [end])
    assert caught.value.codes == {"loop-without-end"}
