"""Chains of states solved by hand."""

from fractions import Fraction
from random import Random

import pytest

from closecombat.proving.tables.absorbing import States, components, ends, explored
from closecombat.proving.values.budget import SECOND, Budget
from closecombat.text.faults import Faulty


def solved(arrows, start=0):
    reached = explored([start], arrows.__getitem__, None, lambda done, left: None)
    (found,) = ends(reached, [{start: [(1, 1)]}], None, str)
    return {end: Fraction(*share) for end, share in found.items()}


def test_heads_or_throw_again() -> None:
    assert solved({0: ({0: 1}, {7: 1}, 2)}) == {7: 1}


def test_first_of_two_who_throws_a_six() -> None:
    """The first wins 6/11 of the time: 1/6 to win at once, else the other is first."""
    assert solved({0: ({1: 5}, {10: 1}, 6), 1: ({0: 5}, {11: 1}, 6)}) == {10: Fraction(6, 11), 11: Fraction(5, 11)}


def test_a_walk_from_the_middle_of_three_steps() -> None:
    """From 1 of 0 to 3, each step up or down: ruined 2/3 of the time."""
    assert solved({1: ({2: 1}, {0: 1}, 2), 2: ({1: 1}, {3: 1}, 2)}, 1) == {0: Fraction(2, 3), 3: Fraction(1, 3)}


def test_each_way_to_begin_is_solved_by_itself() -> None:
    """The first of two who throws a six; begun by either, or by a coin."""
    arrows = {0: ({1: 5}, {10: 1}, 6), 1: ({0: 5}, {11: 1}, 6)}
    begins = [{0: [(1, 1)]}, {1: [(1, 1)]}, {0: [(1, 2)], 1: [(1, 2)]}]
    found = [{end: Fraction(*share) for end, share in one.items()} for one in ends(arrows, begins, None, str)]
    first, half = Fraction(6, 11), Fraction(1, 2)
    assert found == [{10: first, 11: 1 - first}, {11: first, 10: 1 - first}, {10: half, 11: half}]


def test_a_fight_that_never_ends_says_where() -> None:
    for arrows in ({0: ({0: 1}, {}, 1)}, {0: ({1: 1}, {}, 1), 1: ({0: 1}, {}, 1)}):
        with pytest.raises(Faulty) as caught:
            solved(arrows)
        assert caught.value.codes == {"loop-without-end"} and "for ever where " in caught.value.diagnostics[0].help


@pytest.mark.parametrize("seed", range(20))
def test_what_begins_anywhere_ends_as_its_ways_do(seed: int) -> None:
    """The chance of an end from a state is that of its ways, each from where it leads: which only one solution does."""
    random = Random(seed)
    count = random.choice((2, 5, 12, 40))
    arrows = {}
    for state in range(count):
        goes = {random.randrange(count): random.randint(1, 6) for _ in range(random.randint(1, 4))}
        over = {random.choice(("a", "b")): random.randint(1, 3)} if random.random() < 0.3 or state == 0 else {}
        goes |= {0: 1} if not over else {}
        arrows[state] = goes, over, sum(goes.values()) + sum(over.values())
    chance = [solved(arrows, state) for state in range(count)]
    for state, (goes, over, each) in arrows.items():
        for end in ("a", "b"):
            led = sum(weight * chance[after].get(end, 0) for after, weight in goes.items()) + over.get(end, 0)
            assert chance[state].get(end, 0) == Fraction(led, each)


def test_states_that_all_lead_to_each_other_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("closecombat.proving.tables.absorbing.MOST_TANGLED", 100)
    with pytest.raises(Faulty) as caught:
        solved({state: (dict.fromkeys(range(8), 1), {9: 1}, 9) for state in range(8)})
    assert caught.value.codes == {"budget-exceeded"}


def test_states_that_lead_to_each_other_are_found_in_order() -> None:
    arrows = {0: ({1: 1}, {}, 1), 1: ({2: 1}, {}, 1), 2: ({1: 1, 3: 1}, {}, 2), 3: ({}, {9: 1}, 1)}
    assert [set(one) for one in components(arrows)] == [{0}, {1, 2}, {3}]


def test_a_row_has_one_number() -> None:
    states = States()
    assert [states.number(row) for row in ((1, 2), (3,), (1, 2))] == [0, 1, 0] and states.rows == [(1, 2), (3,)]


def test_what_a_tangle_would_cost_is_foretold() -> None:
    """Each of 300 states leads to four of the others: millions of weights are put into others, which is not begun."""
    random = Random(1)
    arrows = {n: ({random.randrange(300): 1 for _ in range(4)}, {"end": 1}, 5) for n in range(300)}
    arrows = {n: (goes, over, sum(goes.values()) + 1) for n, (goes, over, _) in arrows.items()}
    budget = Budget(most=SECOND // 2)
    with pytest.raises(Faulty) as caught:
        next(ends(arrows, [{0: [(1, 1)]}], None, str, budget))
    assert caught.value.codes == {"takes-long"} and "lead to each other" in caught.value.diagnostics[0].message
    assert budget.done == 0, "nothing of it is done"
