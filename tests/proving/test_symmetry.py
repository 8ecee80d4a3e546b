"""Which things cannot be told apart."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from closecombat.binding.load import load
from closecombat.playing import fight as fights
from closecombat.proving.passes.passes import optimised
from closecombat.proving.passes.symmetry import canonical, orbits, symmetric
from closecombat.proving.programs import program as p
from closecombat.proving.values import arithmetic as n
from closecombat.proving.values import symbolic as c
from closecombat.proving.values.symbolic import Workshop
from closecombat.reading.slots import FactOf, Member
from closecombat.reading.stack import as_mapping
from closecombat.reading.types import Thing
from closecombat.text.document import Source, parse
from closecombat.text.nodes import Text

from .small import HALF, chances

A, B = (Thing("unit", name, i) for i, name in enumerate("ab"))
SIDE = Thing("side", "ours", 2)
MELEE = Path(__file__).parent.parent / "benchmarks" / "rulesets"


def worn_down(starts=(2, 2), ask_of_one=False):
    """Each turn one of two is picked by lot and worn down by 1; until either has nothing left."""
    shop = Workshop()
    left, ends, picked = ([shop.variable() for _ in "ab"] for _ in range(3))
    shop.whole |= {*left, *ends}
    nexts = [n.minus(shop, var, shop.if_(lot, 1, 0)) for var, lot in zip(left, picked, strict=True)]
    over = shop.or_(*(shop.lift(c.at_most, one, 0) for one in nexts))
    lots = p.Lots(tuple(picked), (True, True), True, (A, B))
    slots = FactOf(A, "left"), FactOf(B, "left")
    loop = p.Loop(tuple(left), starts, [lots], tuple(nexts), over, None, tuple(ends), None, slots)
    return shop, loop, [ends[0]] if ask_of_one else [n.plus(shop, ends[0], ends[1])]


def test_two_of_whom_all_is_asked_alike_can_be_swapped() -> None:
    _, loop, wanted = worn_down()
    assert orbits(loop, [], wanted) == ([[0], [1]],)


def test_not_if_one_is_asked_for() -> None:
    _, loop, wanted = worn_down(ask_of_one=True)
    assert orbits(loop, [], wanted) == ()


def test_in_what_state_they_begin_does_not_matter() -> None:
    _, loop, wanted = worn_down(starts=(2, 3))
    assert orbits(loop, [], wanted) == ([[0], [1]],)


def test_that_somebody_is_in_a_set_is_a_fact_of_his_and_who_has_one_is_like_nobody() -> None:
    _, loop, wanted = worn_down()
    theirs = (Member(SIDE, "worn", A), Member(SIDE, "worn", B))
    assert orbits(replace(loop, slots=theirs), [], wanted) == ([[0], [1]],)
    assert orbits(replace(loop, slots=(Member(SIDE, "worn", A), Member(SIDE, "fresh", B))), [], wanted) == ()
    assert orbits(replace(loop, slots=(Member(A, "foes", B), Member(B, "foes", A))), [], wanted) == ()


@pytest.mark.parametrize(("of_one", "alike"), [(1, ([[0], [1]],)), (3, ())])
def test_a_choice_is_what_it_comes_to_each_way(of_one, alike) -> None:
    """How many have 2 left, asked of one first: the other way round it is the same, unless one counts for more."""
    shop, loop, _ = worn_down()
    first, second = (shop.lift(c.same, end, 2) for end in loop.ends)
    assert orbits(loop, [], [shop.if_(first, shop.if_(second, 2, 1), shop.if_(second, of_one, 0))]) == alike


def test_of_those_in_a_branch_too() -> None:
    shop, loop, wanted = worn_down()
    coin = shop.variable()
    steps = [p.Throw(coin, [(1, 1), (2, 1)]), p.Branch(shop.lift(c.same, coin, 1), [loop])]
    behind = shop.if_(shop.lift(c.same, coin, 1), wanted[0], 9)
    ((_, branch), (marked,)) = (found := symmetric(shop, steps, [behind])), found[1].steps
    assert marked.alike == (((loop.ends[0],), (loop.ends[1],)),) and branch.condition is steps[1].condition
    assert chances(shop, steps, [behind]) == {(9,): HALF, (2,): HALF / 2, (1,): HALF / 2}


def test_rows_that_differ_by_a_swap_become_equal() -> None:
    same = canonical([[[0, 1], [3, 4]]], {})
    assert same(("x", 1, "between", "y", 2)) == same(("y", 2, "between", "x", 1))
    assert same(("x", 1, "between", "y", 2)) != same(("x", 2, "between", "y", 1))


@pytest.mark.parametrize("without", [(), ("symmetry",)])
def test_the_chances_by_hand(without) -> None:
    """Two turns of the same end it with 2 left, else the third does with 1: a half each."""
    shop, loop, wanted = worn_down()
    assert chances(shop, [loop], wanted, without) == {(2,): HALF, (1,): HALF}


@pytest.mark.parametrize("without", [(), ("symmetry",)])
def test_the_chances_of_who_begin_unlike(without) -> None:
    """a falls at his second blow, b at his third: by then b has had none, one or two, or a none or one."""
    shop, loop, wanted = worn_down(starts=(2, 3))
    expected = {(3,): Fraction(1, 4), (2,): Fraction(1, 4) + Fraction(1, 8), (1,): Fraction(3, 16) * 2}
    assert chances(shop, [loop], wanted, without) == expected


def test_squads_of_whom_lots_are_drawn_turn_after_turn_cannot_be_told_apart() -> None:
    """Whom a lot has picked stays so when he has left, so that this is a part of the states."""
    bound = load("./w3.yaml", MELEE)
    fight = fights.fight(bound, as_mapping(parse(Source("melee", (MELEE / "w3-3v3.yaml").read_text("utf-8")))))
    run = fights.begin(fight, None)
    fights.go(run)
    node = parse(Source("question", "number of units of a where (squad)"))
    assert isinstance(node, Text)
    steps, _ = optimised(run.shop, run.draft.steps, [fights.asked(run, node)[0]])
    loops = [step for step in p.every(steps) if isinstance(step, p.Loop)]
    assert loops and all([len(group) for group in loop.alike] == [3, 3] for loop in loops)
