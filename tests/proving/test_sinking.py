"""A value is worked out only where it is needed; what only the next one is made from is put into it."""

from fractions import Fraction

from closecombat.proving.passes.sinking import Together, branch_facts_used, inlined, into_branch, sunk
from closecombat.proving.programs import program as p
from closecombat.proving.values import arithmetic as n
from closecombat.proving.values import symbolic as c
from closecombat.proving.values.symbolic import Workshop
from closecombat.reading.slots import FactOf
from closecombat.reading.types import Thing

from .small import chances, let, one_by_one, throw

MAN = Thing("unit", "a", 0)


def test_what_only_the_next_value_is_made_from_is_put_into_it() -> None:
    shop = Workshop()
    (one, first), (two, second) = throw(shop, 6), throw(shop, 6)
    total, set_total = let(shop, n.plus(shop, one, two))
    hit, set_hit = let(shop, shop.lift(c.at_least, total, 11))
    steps, wanted = inlined(shop, [first, second, set_total, set_hit], [hit, total])
    assert steps[2].var is total and wanted == [set_hit.value, total]  # it only repeats what is asked
    steps, wanted = inlined(shop, [first, second, set_total, set_hit], [shop.lift(c.same, hit, True), hit])
    assert [step.var for step in steps[2:]] == [hit]
    assert steps[2].value is shop.lift(c.at_least, set_total.value, 11)


def test_a_value_that_joins_two_throws_sinks_into_the_branch_that_reads_it_first() -> None:
    shop = Workshop()
    (one, first), (two, second), (three, third) = (throw(shop, 2) for _ in range(3))
    total, set_total = let(shop, n.plus(shop, one, two))
    out = shop.variable()
    branch = p.Branch(shop.lift(c.same, three, 1), [p.Let(out, n.plus(shop, total, 1))])
    before, asked = [first, second, third, set_total, branch], [out, total, shop.lift(c.same, one, two)]
    steps, wanted = sunk(shop, before, asked)
    assert [type(step) for step in steps] == [p.Throw, p.Throw, p.Throw, p.Branch, p.Let]
    assert steps[3].steps[0].value is set_total.value and wanted[:2] == [out, steps[4].var]
    fourth, eighth = Fraction(1, 4), Fraction(1, 8)
    by_hand = {(3, 2, True): eighth, (4, 3, False): fourth, (5, 4, True): eighth}
    by_hand |= {(None, 2, True): eighth, (None, 3, False): fourth, (None, 4, True): eighth}
    assert chances(shop, before, asked) == by_hand == one_by_one(before, asked)


def test_what_a_branch_takes_for_granted_is_not_asked_again() -> None:
    shop = Workshop()
    flag, a, x = shop.lift(c.more_than, shop.variable(), 1), shop.variable(), shop.variable()
    (branch,) = branch_facts_used(shop, [p.Branch(flag, [p.Branch(x, [p.Let(a, shop.if_(flag, x, 2))])])])
    assert branch.steps[0].steps[0].value is True  # where `flag` and `x` hold, `if flag, x else 2` is yes


def test_values_at_the_end_are_set_in_both_arms() -> None:
    shop = Workshop()
    (one, first), inner = throw(shop, 6), shop.variable()
    flag = shop.lift(c.more_than, one, 3)
    end, set_end = let(shop, shop.if_(flag, inner, 7))
    branch = p.Branch(flag, [p.Let(inner, n.plus(shop, one, 1))])
    *_, last = into_branch(shop, [first, branch, set_end], [end])
    assert isinstance(last, p.Branch) and last.otherwise[-1].value == 7
    sixth = Fraction(1, 6)
    assert chances(shop, [first, branch, set_end], [end]) == {(5,): sixth, (6,): sixth, (7,): sixth + 3 * sixth}


def test_an_arm_knows_its_condition_by_the_name_of_a_value_that_has_sunk_into_it() -> None:
    shop = Workshop()
    (one, first), (two, second), inner = throw(shop, 3), throw(shop, 3), shop.variable()
    total, set_total = let(shop, n.plus(shop, one, two))
    branch = p.Branch(shop.lift(c.at_least, total, 5), [p.Let(inner, n.plus(shop, one, 1))])
    end, set_end = let(shop, shop.if_(branch.condition, inner, 7))
    before, asked = [first, second, set_total, branch, set_end], [end, total, shop.lift(c.same, one, two)]
    steps, wanted = sunk(shop, before, asked)
    *_, last = into_branch(shop, steps, wanted)
    assert isinstance(last, p.Branch)
    assert [step.value for step in last.otherwise if isinstance(step, p.Let)][-1] == 7  # nothing is asked again
    assert chances(shop, before, asked) == one_by_one(before, asked)


def test_which_variables_stand_in_one_factor() -> None:
    shop = Workshop()
    a, b, d = (shop.variable() for _ in range(3))
    together = Together()
    together.join(frozenset((a, b)))
    together.join(frozenset((d,)))
    assert together.beside(a) == {a, b} and together.joins(frozenset((a, d))) and not together.joins(frozenset((a, b)))
    together.join(frozenset((b, d)))
    assert together.beside(a) == {a, b, d} and together.without(frozenset((b,))).beside(a) == {a, d}


def test_what_a_branch_takes_for_granted_is_known_by_what_it_is_set_to() -> None:
    """A branch on `hit`, set before to `if missed, no else .. is 3`, with `missed` set to the same test: inside it nobody
    has missed; so in a repetition, and in the first arm of what it sets."""
    shop = Workshop()
    (die, throw_die), x, start, end = throw(shop, 6), shop.variable(), shop.variable(), shop.variable()
    test = shop.lift(c.less_than, die, 3)
    missed, set_missed = let(shop, test)
    hit, set_hit = let(shop, shop.if_(test, False, shop.lift(c.same, die, 3)))
    branch = p.Branch(hit, [p.Let(x, shop.if_(missed, 1, 2))])
    inside = [throw_die, set_missed, set_hit, branch]
    assert branch_facts_used(shop, inside)[3].steps[0].value == 2
    after = shop.if_(hit, shop.if_(missed, 1, x), start)
    loop = p.Loop((start,), (0,), inside, (after,), hit, None, (end,), None, (FactOf(MAN, "hits"),))
    (found,) = branch_facts_used(shop, [loop])
    assert found.steps[3].steps[0].value == 2 and found.nexts == (shop.if_(hit, x, start),)
    assert chances(shop, [loop], [end]) == {(2,): 1}
