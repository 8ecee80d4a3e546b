"""What an answer would cost is said before it is spent; counted by hand."""

from traceback import walk_tb

import pytest

from closecombat.proving.carrying_out.prove import plan
from closecombat.proving.programs import program as p
from closecombat.proving.tables.absorbing import explored
from closecombat.proving.values.arithmetic import add, multiply
from closecombat.proving.values.budget import ARROW_BYTES, NODE, PARTS, PASS, ROW, SECOND, STATE_BYTES, Budget, in_bytes
from closecombat.proving.values.symbolic import Workshop, at_least
from closecombat.text.faults import Faulty

from .small import throw

SOME = {0: dict.fromkeys(range(1, 11), 1)} | {n: {} for n in range(1, 11)}  # one that leads to ten, which lead nowhere


def told(error: pytest.ExceptionInfo[Faulty]) -> str:
    (one,) = error.value.diagnostics
    assert one.code == "takes-long" and "--yes" in one.help
    return one.message


def explore(goes: dict[int, dict[int, int]], budget: Budget | None) -> int:
    found = explored([0], lambda n: (goes.get(n, {n + 1: 1}), {0: 1}, 2), None, lambda done, left: None, budget)
    return len(found)


def test_states_are_foretold_where_few_new_ones_come() -> None:
    with pytest.raises(Faulty) as error:
        explore(SOME, Budget(2 * PASS))  # three have been passed by then, eight are left, and the last brought none
    assert told(error) == "about 11 states of the fight, about 1 s"


def test_where_each_brings_another_no_end_is_in_sight() -> None:
    with pytest.raises(Faulty) as error:
        explore({}, Budget(10 * PASS))
    assert "no end in sight: 11 states of the fight are worked out, at least 1 to go" in told(error)


def test_what_is_done_is_not_refused() -> None:
    assert explore(SOME, Budget(11 * PASS)) == explore(SOME, Budget()) == explore(SOME, None) == 11
    assert explore(SOME, Budget(10 * PASS)) == 11  # the last is over it, and nothing is left


def test_seconds_are_those_of_the_work() -> None:
    with pytest.raises(Faulty) as error:
        explore(SOME, Budget(7 * SECOND, 7 * SECOND - PASS))  # over it with the second, and ten of eleven states left
    assert told(error) == "about 11 states of the fight, about 39 s"


def test_rows_are_foretold_before_they_are_gone_through() -> None:
    shop = Workshop()
    (a, one), (b, other) = throw(shop, 6), throw(shop, 8)
    made = plan(shop, [one, other], [a, b])
    shop.budget = Budget(47 * ROW)
    with pytest.raises(Faulty) as error:
        made.run()
    assert told(error) == "at least 48 rows at once, about 1 s"
    shop.budget = Budget(48 * ROW)
    assert made.run()[1] == 48


def test_what_says_that_it_is_too_much_holds_no_table() -> None:
    """A second question is asked where the first was too much: what was made for that must be gone by then."""
    shop = Workshop()
    (a, one), (b, other) = throw(shop, 6), throw(shop, 8)
    made = plan(shop, [one, other], [a, b])
    shop.budget = Budget(47 * ROW)
    with pytest.raises(Faulty) as error:
        made.run()
    frames = {frame.f_code.co_name for frame, _ in walk_tb(error.value.__traceback__)}
    assert "run" in frames and "product" not in frames
    assert error.value.__context__ is None


def test_rows_are_foretold_where_functions_are_written_for_them() -> None:
    shop = Workshop()
    (a, one), (b, other) = throw(shop, 16), throw(shop, 18)
    made = plan(shop, [one, other], [a, b])
    expected = made.run()
    for _ in range(9):  # worth writing by the second
        assert made.run() == expected
    shop.budget = Budget(287 * ROW)
    with pytest.raises(Faulty) as error:
        made.run()
    assert told(error) == "at least 288 rows at once, about 1 s"
    shop.budget = Budget(288 * ROW)
    assert made.run() == expected


def test_values_are_foretold_wherever_they_are_made() -> None:
    """Outside of any repetition: each of 36 rows has a value of its own."""
    shop = Workshop()
    (a, one), (b, other) = throw(shop, 6), throw(shop, 6)
    worth, value = a, shop.variable()
    for n in range(40):
        worth = shop.lift(add, shop.lift(multiply, worth, b), n)
    let = p.Let(value, worth)
    made = plan(shop, [one, other, let], [value, shop.lift(at_least, a, 3)])
    expected = made.run()
    shop.budget = Budget(100)
    with pytest.raises(Faulty) as error:
        made.run()
    assert told(error) == "more than about 1 s, and no end in sight"
    shop.budget = Budget(10**9)
    assert made.run() == expected
    assert shop.budget.spent > 36 * 80 / PARTS and not shop.budget.held  # what was kept is forgotten by now


def test_values_without_end_are_refused() -> None:
    shop = Workshop()
    shop.budget = Budget(5 * NODE)
    with pytest.raises(Faulty) as error:
        for n in range(7):
            shop.lift(max, shop.variable(), n)
    assert told(error) == "more than about 1 s, and no end in sight"


def test_tries_are_foretold_once_a_part_of_them_has_shown_what_they_cost() -> None:
    budget = Budget(100 * SECOND)
    budget.tries(1, 1000, 9 * SECOND, "tries")  # less than a tenth of what there is: nothing is judged by so little
    budget.tries(50, 400, 11 * SECOND, "tries")  # 88 s
    with pytest.raises(Faulty) as error:
        budget.tries(50, 500, 11 * SECOND, "tries")
    assert told(error) == "500 tries, about 110 s"
    Budget().tries(50, 500, 11 * SECOND, "tries")


def test_tries_of_which_there_may_be_fewer_are_refused_when_all_is_spent() -> None:
    Budget(10 * SECOND).tries(5, 1000, 10 * SECOND - 1, "sets", at_most=True)
    with pytest.raises(Faulty) as error:
        Budget(10 * SECOND).tries(5, 1000, 10 * SECOND, "sets", at_most=True)
    assert told(error) == "more than about 10 s: 5 of at most 1,000 sets are tried by then"


def test_memory_bounds_what_nothing_else_does() -> None:
    """Ten states that lead to one each and to an end: a state is held with both its arrows."""
    each = STATE_BYTES + 2 * ARROW_BYTES
    with pytest.raises(Faulty) as error:
        explore({}, Budget(None, memory=10 * each))
    (one,) = error.value.diagnostics
    assert one.code == "takes-long" and one.help is not None and "more than --memory 1MB" in one.help
    assert "no end in sight: 11 states of the fight are worked out, at least 1 to go" in one.message
    assert explore(SOME, Budget(None, memory=30 * each)) == 11


@pytest.mark.parametrize(("number", "said"), [(2_000_000_000, "2GB"), (2_500_000_000, "2500MB"), (64_000_000, "64MB")])
def test_a_memory_as_one_says_it(number, said) -> None:
    assert in_bytes(number) == said
