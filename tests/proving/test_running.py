"""What is made of many throws is made throw after throw."""

from fractions import Fraction
from math import comb

from closecombat.proving.carrying_out.prove import plan
from closecombat.proving.passes.running import throw_by_throw
from closecombat.proving.programs import program as p
from closecombat.proving.values import arithmetic as n
from closecombat.proving.values import symbolic as c
from closecombat.proving.values.symbolic import Value, Workshop

from .small import chances, let, one_by_one, throw


def coins(shop: Workshop, number: int) -> tuple[list[p.Step], list[Value]]:
    """So many coins, and whether each shows a 2."""
    thrown = [throw(shop, 2) for _ in range(number)]
    return [step for _, step in thrown], [shop.lift(c.same, coin, 2) for coin, _ in thrown]


def heads(shop: Workshop, shown: list[Value]) -> Value:
    total: Value = 0
    for one in shown:
        total = n.plus(shop, total, shop.if_(one, 1, 0))
    return total


def test_a_sum_over_many_throws_never_joins_them_all() -> None:
    shop = Workshop()
    steps, shown = coins(shop, 30)
    ready = plan(shop, steps, [heads(shop, shown), shop.any_of(shown)])
    table, den = ready.run(most_rows=5_000)
    assert den == 2**30
    assert table == {(k, k > 0): comb(30, k) for k in range(31)}


def test_chains_over_the_same_throws_go_side_by_side() -> None:
    shop = Workshop()
    steps, shown = coins(shop, 4)
    (total, set_total), (some, set_some) = let(shop, heads(shop, shown)), let(shop, shop.any_of(shown))
    new, asked = throw_by_throw(shop, [*steps, set_total, set_some], [total, some])
    kinds = [step.value.fn for step in new if isinstance(step, p.Let)][:-2]
    assert sorted(map(str, kinds[:2])) == sorted(map(str, [n.add, c.OR]))
    assert len(kinds) == 6 and asked == [total, some]
    assert chances(shop, new, asked) == {(k, k > 0): Fraction(comb(4, k), 16) for k in range(5)}


def test_a_chain_may_stand_in_another() -> None:
    shop = Workshop()
    ours, here = coins(shop, 4)
    theirs, there = coins(shop, 4)
    any_there = shop.any_of(there)
    both = shop.any_of([shop.and_(one, any_there) for one in here])
    assert chances(shop, [*ours, *theirs], [both, heads(shop, here)]) == one_by_one(
        [*ours, *theirs], [both, heads(shop, here)]
    )


def test_a_side_that_fails_is_guarded_by_those_before_it() -> None:
    shop = Workshop()
    steps, shown = coins(shop, 4)

    def fail() -> Exception:
        return c.Missing("nobody")

    guarded = shop.or_(shop.or_(shop.or_(shown[0], shop.not_(shown[0])), shown[1]), shown[2])
    fails = shop.lift(c.same, shop.fault(fail), 1)
    wanted = [shop.or_(shop.or_(guarded, shown[3]), fails)]
    assert chances(shop, steps, wanted) == {(True,): 1}


def test_few_throws_are_joined_at_once() -> None:
    shop = Workshop()
    steps, shown = coins(shop, 2)
    wanted = [heads(shop, shown)]
    assert throw_by_throw(shop, steps, wanted) == (steps, wanted)


def test_the_highest_and_lowest_of_many_are_known_throw_by_throw() -> None:
    """Twelve d20, each with a bonus of its own, of which only those that show more than 3 count: the highest is at most m
    if each that counts is, and nobody is highest of none."""
    shop = Workshop()
    thrown = [throw(shop, 20) for _ in range(12)]
    bonus = [i % 5 for i in range(12)]
    best: Value = None
    worst: Value = None
    for (die, _), more in zip(thrown, bonus, strict=True):
        counts = shop.lift(c.more_than, die, 3)
        one = shop.if_(counts, n.plus(shop, die, more), None)
        best, worst = n.farther(shop, True, best, one), n.farther(shop, False, worst, one)
    table, den = plan(shop, [step for _, step in thrown], [best, worst]).run(most_rows=100_000)

    def all_lie_in(low: int, high: int) -> int:
        """In how many ways none that counts is outside."""
        ways = 1
        for more in bonus:
            ways *= 3 + sum(low <= face + more <= high for face in range(4, 21))
        return ways

    def exactly(low: int, high: int) -> int:
        """In how many ways the lowest is `low` and the highest `high`."""
        inner = all_lie_in(low + 1, high) + all_lie_in(low, high - 1) - all_lie_in(low + 1, high - 1)
        return all_lie_in(low, high) - inner

    assert den == 20**12
    assert table.pop((None, None)) == 3**12
    assert table == {(h, w): exactly(w, h) for h in range(4, 25) for w in range(4, h + 1) if exactly(w, h)}
