"""What is still read later; the rest is forgotten."""

from closecombat.proving.programs import program as p
from closecombat.proving.programs.liveness import defined, outside, pruned, reads, views_of
from closecombat.proving.values import arithmetic as n
from closecombat.proving.values import symbolic as c
from closecombat.proving.values.symbolic import Workshop

from .small import throw


def test_what_nobody_reads_goes_and_what_it_reads_goes_with_it() -> None:
    shop = Workshop()
    die, roll = throw(shop, 6)
    a, b = shop.variable(), shop.variable()
    steps = [roll, p.Let(a, shop.lift(c.more_than, die, 3)), p.Let(b, shop.not_(a))]
    assert pruned(steps, frozenset((b,)))[0] == steps
    assert pruned(steps, frozenset((a,)))[0] == steps[:2]
    assert pruned(steps, frozenset())[0] == []


def test_what_may_go_wrong_is_kept_unless_it_is_trusted_not_to() -> None:
    shop = Workshop()
    die, roll = throw(shop, 6)
    steps = [roll, p.Must((), die)]
    assert pruned(steps, frozenset())[0] == steps
    assert pruned(steps, frozenset(), trusting=True)[0] == []


def test_what_only_feeds_itself_round_a_loop_is_dead() -> None:
    shop = Workshop()
    turn, tally, turns, tallied = (shop.variable() for _ in range(4))
    nexts = shop.lift(n.add, turn, 1), shop.lift(n.add, tally, turn)
    until = shop.lift(c.at_least, nexts[0], 3)
    loop = p.Loop((turn, tally), (0, 0), [], nexts, until, 5, (turns, tallied), None, ("turn", "tally"))
    ((kept,), _) = pruned([loop], frozenset((turns,)))
    assert (kept.vars, kept.ends, kept.slots) == ((turn,), (turns,), ("turn",))
    ((both,), _) = pruned([loop], frozenset((tallied,)))
    assert both.vars == (turn, tally)  # it ends when the turns do


def test_what_a_branch_looks_at_first_is_looked_at_before_it() -> None:
    shop = Workshop()
    die, roll = throw(shop, 6)
    flag = shop.lift(c.more_than, die, 3)
    steps, _ = pruned([roll, p.Branch(flag, [p.Must((), die)])], frozenset())
    assert [type(step) for step in steps] == [p.Throw, p.Must] and steps[1].when == (flag,)


def test_what_a_step_reads_and_sets() -> None:
    shop = Workshop()
    a, b, x, y = (shop.variable() for _ in range(4))
    branch = p.Branch(x, [p.Let(a, y), p.Let(b, a)])
    assert reads(branch) == {x, y} and defined([branch]) == {a, b} and outside([p.Let(x, 1), branch]) == {y}


def test_all_that_is_asked_of_a_throw() -> None:
    shop = Workshop()
    die, other = shop.variable(), shop.variable()
    hit, sum_of = shop.lift(c.more_than, die, 3), shop.lift(n.add, shop.lift(n.multiply, die, 2), other)
    assert views_of([shop.if_(hit, other, 0)], {die}) == {die: [hit]}
    assert views_of([hit, sum_of], {die}) == {die: [shop.lift(n.multiply, die, 2), hit]}
    assert views_of([hit, die], {die}) == {}  # asked for as it is
