"""Dice that are thrown once more without end: exact wherever what is asked of them comes to an end."""

from fractions import Fraction

import pytest

from closecombat.proving.programs import program as p
from closecombat.proving.programs.writes import stopped
from closecombat.proving.throws.dice import Pool, Thrown, part
from closecombat.proving.values import arithmetic as n
from closecombat.proving.values import symbolic as c
from closecombat.proving.values.symbolic import Sym, Value, Workshop
from closecombat.text.faults import Faulty

from .small import chances, let, throw

D6 = (1, 2, 3, 4, 5, 6)


def wild(shop: Workshop, dice: Value = 1, explode: tuple[int, ...] = (6,)) -> tuple[Thrown, p.Step]:
    """So many dice, of which some faces are thrown once more, for ever."""
    pool = Pool((part("", D6, dice, None, frozenset(), frozenset(explode), None),))
    return Thrown(pool.parts, pool, shop), p.PoolThrow(pool)


def number(roll: Thrown, *faces: int) -> Sym:
    return roll.sum_of(lambda _, face: 1 if face in faces else 0)


def capped(shop: Workshop, value: Value, most: int) -> Value:
    return shop.lift(stopped, value, 0, most)


def test_the_example_of_the_essay() -> None:
    shop = Workshop()
    roll, step = wild(shop)
    asked = capped(shop, number(roll, 5, 6), 2)
    assert chances(shop, [step], [asked]) == {(0,): Fraction(4, 6), (1,): Fraction(5, 18), (2,): Fraction(1, 18)}


def test_what_is_thrown_once_more_and_adds_nothing_is_a_geometric_series() -> None:
    """A 5 comes before 1 to 4 in one of five ways, however many 6s are thrown first."""
    shop = Workshop()
    roll, step = wild(shop)
    asked = shop.lift(c.at_least, number(roll, 5), 1)
    assert chances(shop, [step], [asked]) == {(True,): Fraction(1, 5), (False,): Fraction(4, 5)}


@pytest.mark.parametrize("limit", [4, 6, 7, 12, 13, 30])
def test_the_sum_of_one_die(limit: int) -> None:
    """At least 6 k + r, for r of 1 to 5: k sixes, and then r or more, or a six."""
    shop = Workshop()
    roll, step = wild(shop)
    (found,) = (w for (so,), w in chances(shop, [step], [shop.lift(c.at_least, roll.total(), limit)]).items() if so)
    sixes, rest = divmod(limit, 6)
    assert found == Fraction(1, 6**sixes) * (Fraction(7 - rest, 6) if rest else 1)


def test_the_second_highest_of_two_dice_and_whatever_they_bring() -> None:
    """It is 6 if two 6s are thrown: both at first, or one, whose further throw is a 6."""
    shop = Workshop()
    roll, step = wild(shop, 2)
    asked = shop.lift(c.same, roll.ranked(lambda face: face, lambda _: True, True, 2), 6)
    both, one = Fraction(1, 36), 2 * Fraction(5, 36)
    assert chances(shop, [step], [asked])[True,] == both + one / 6


def test_through_values_and_both_arms_of_a_branch() -> None:
    """Of four men as many fall as hits; on a 1 of another die none. Beyond four hits nothing changes in either arm."""
    shop = Workshop()
    (other, second), (roll, step) = throw(shop, 6), wild(shop)
    hits, set_hits = let(shop, n.minus(shop, number(roll, 5, 6), 0))
    left, kept = shop.variable(), shop.variable()
    lost = p.Branch(shop.lift(c.more_than, other, 1), [p.Let(left, n.minus(shop, 4, hits))])
    men = shop.if_(lost.condition, capped(shop, left, 4), 4)
    found = chances(shop, [second, step, set_hits, lost, p.Let(kept, men)], [kept])
    sixth, two = Fraction(1, 6), Fraction(2, 3)
    exact = [two, sixth + sixth * two]
    exact += [exact[1] * sixth, exact[1] * sixth**2]
    by_hand = {(4 - k,): Fraction(5, 6) * chance for k, chance in enumerate(exact)}
    by_hand[0,] = Fraction(5, 6) * (1 - sum(exact))
    by_hand[4,] += sixth
    assert found == by_hand


def test_whose_sixes_are_more() -> None:
    """As many sixes as the other: none, or one more each. Of one die so many that 5 of 6 times the next is none."""
    shop = Workshop()
    (one, first), (other, second) = wild(shop), wild(shop)
    asked = shop.lift(c.more_than, number(one, 6), number(other, 6))
    alike = Fraction(25, 36) / (1 - Fraction(1, 36))
    assert chances(shop, [first, second], [asked])[True,] == (1 - alike) / 2


def test_two_dice_against_one_that_ends() -> None:
    """Sixes of two dice against those of one, by 2 at most on either side: as k or more, each a sixth as often."""
    shop = Workshop()
    (one, first), (other, second) = wild(shop, 2), wild(shop)
    asked = capped(shop, n.plus(shop, n.minus(shop, number(one, 6), number(other, 6)), 2), 4)
    sixth, expected = Fraction(1, 6), dict.fromkeys(((lead,) for lead in range(5)), Fraction(0))
    for sixes in range(30):  # of two dice k in k + 1 ways
        many = (sixes + 1) * sixth**sixes * Fraction(25, 36)
        for fewer in range(30):
            expected[(min(max(sixes - fewer + 2, 0), 4),)] += many * sixth**fewer * Fraction(5, 6)
    found = chances(shop, [first, second], [asked])
    left_out = 1 - sum(expected.values())
    assert all(0 <= found[lead] - chance <= left_out for lead, chance in expected.items()) and left_out < sixth**20


@pytest.mark.parametrize(
    "asked",
    [
        lambda shop, one, other: one,
        lambda shop, one, other: n.plus(shop, one, 1),
        lambda shop, one, other: shop.lift(c.more_than, one, n.times(shop, other, one)),
        lambda shop, one, other: n.minus(shop, one, other),
    ],
)
def test_what_has_no_end_is_refused(asked: object) -> None:
    shop = Workshop()
    (one, first), (other, second) = wild(shop), wild(shop)
    with pytest.raises(Faulty) as caught:
        chances(shop, [first, second], [asked(shop, number(one, 6), number(other, 6))])
    assert caught.value.codes == {"budget-exceeded"}


def test_some_face_must_stand() -> None:
    with pytest.raises(Faulty) as caught:
        wild(Workshop(), 1, D6)
    assert caught.value.codes == {"loop-without-end"}
