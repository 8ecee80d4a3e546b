"""Operations as functions that are written for them: the same chances as walked, in the same order, whatever happens."""

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from math import ceil, floor

import pytest

from closecombat.proving.carrying_out import plan as plans
from closecombat.proving.carrying_out import setting
from closecombat.proving.carrying_out.plan import MANY_VALUES
from closecombat.proving.carrying_out.prove import as_fractions, plan
from closecombat.proving.programs import program as p
from closecombat.proving.programs.writes import stopped
from closecombat.proving.throws.dice import Tally
from closecombat.proving.values import arithmetic as n
from closecombat.proving.values import symbolic as c
from closecombat.proving.values.symbolic import Workshop
from closecombat.proving.writing.segments import Segment
from closecombat.text.faults import Faulty
from closecombat.text.source import Source, Span
from proving.small import let, throw
from random_programs import Programs

AT_ONCE = -1
NOWHERE = Span(Source("example", ""), 0, 0)


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> Iterator[Counter]:
    """Every segment is written before it is walked, and what follows each other at the second time; counts which functions could be carried out."""
    found: Counter = Counter()
    original = Segment._done

    def counting(self: Segment, function: Callable, factors: dict) -> bool:
        is_done = original(self, function, factors)
        found[is_done] += 1
        return is_done

    monkeypatch.setattr(plans, "WORTH_WRITING", AT_ONCE)
    monkeypatch.setattr(setting, "WORTH_WRITING", AT_ONCE)
    monkeypatch.setattr(Segment, "_done", counting)
    yield found


def told(made: Programs, without: tuple[str, ...] = ()) -> object:
    """The rows in their order, and out of how many cases; or what is told instead."""
    try:
        table, den = plan(made.shop, made.steps, made.wanted, without).run()
    except Faulty as error:
        return error.codes
    return list(table.items()), den


@pytest.mark.parametrize("first", range(0, 300, 50))
def test_a_made_up_program_has_the_same_rows_written_as_walked(first: int, done: Counter) -> None:
    for seed in range(first, first + 50):
        assert repr(told(Programs(seed))) == repr(told(Programs(seed), ("fusing",))), seed
    assert done[True] > 30


def larger_of_two(shop: Workshop) -> tuple[list[p.Step], list]:
    """Twice the larger of two dice: it is 1, 2 and 3 in 1, 3 and 5 of nine ways."""
    (a, one), (b, other) = throw(shop, 3), throw(shop, 3)
    larger, lets = let(shop, n.kept_whole(shop, n.higher, a, b))
    return [one, other, lets], [shop.lift(n.multiply, larger, 2)]


def test_values_stand_in_the_loops(done: Counter) -> None:
    shop = Workshop()
    found = as_fractions(*plan(shop, *larger_of_two(shop)).run())
    assert found == {(2,): Fraction(1, 9), (4,): Fraction(3, 9), (6,): Fraction(5, 9)}
    assert done[True] and not done[False]


def test_what_reads_from_more_throws_than_loops_can_stand_inside_each_other_is_walked(done: Counter) -> None:
    shop = Workshop()
    candidates = [shop.variable() for _ in range(24)]
    picked = tuple(shop.variable() for _ in candidates)
    steps = [p.Throw(var, [(i == 5, 2)]) for i, var in enumerate(candidates)]
    made = plan(shop, [*steps, p.Lots(picked, tuple(candidates), ties_again=True)], picked, ("certainty",))
    assert as_fractions(*made.run()) == {tuple(i == 5 for i in range(24)): 1}


def test_what_fails_where_nobody_looks_is_walked(done: Counter) -> None:
    """A third of a die less one: of a one it is a fault, which is looked at only where it is none."""
    shop = Workshop()
    a, thrown = throw(shop, 3)
    b, more = throw(shop, 2)

    def quotient(one: int, other: int) -> Fraction | int:
        if one == 1:
            raise Faulty.one("no-value", "nothing to divide by", None)
        return Fraction(other, one - 1)

    share, set_it = let(shop, shop.lift(quotient, a, b))
    wanted = shop.if_(shop.lift(c.more_than, a, 1), share, 0)
    found = as_fractions(*plan(shop, [thrown, more, set_it], [wanted]).run())
    sixth = Fraction(1, 6)
    assert found == {(0,): 2 * sixth, (1,): 2 * sixth, (2,): sixth, (Fraction(1, 2),): sixth}


def test_of_values_set_in_turn_one_that_fails_ends_no_loop(done: Counter) -> None:
    """Twelve over a die, and what it comes to when one is added again and again; of a six it fails."""
    shop = Workshop()
    a, thrown = throw(shop, 6)

    def twelve_over(one: int) -> int:
        if one == 6:
            raise Faulty.one("no-value", "too high", None)
        return 12 // one

    share, set_it = let(shop, shop.lift(twelve_over, a))
    steps: list[p.Step] = [thrown, set_it]
    last = share
    for _ in range(MANY_VALUES):
        last, step = let(shop, shop.lift(n.add, last, 1))
        steps.append(step)
    wanted = shop.if_(shop.lift(c.more_than, a, 5), 0, last)
    without = ("splitting", "inlining", "running values", "demand")
    found = as_fractions(*plan(shop, steps, [wanted], without).run())
    assert found == {(twelve + MANY_VALUES,): Fraction(1, 6) for twelve in (12, 6, 4, 3, 2)} | {(0,): Fraction(1, 6)}
    assert done[True] and not done[False]


def test_a_function_that_fails_leaves_everything_as_it_was(done: Counter) -> None:
    shop = Workshop()
    a, thrown = throw(shop, 2)
    b, more = throw(shop, 2)

    def never_twice(one: int, other: int) -> int:
        raise Faulty.one("no-value", "never", None)

    value, set_it = let(shop, shop.lift(never_twice, a, b))
    ready = plan(shop, [thrown, more, set_it], [a, b, shop.lift(c.same, value, 1)])
    for _ in range(5):
        with pytest.raises(Faulty, match="never"):
            ready.run()
    assert not done[True]
    assert done[False] == 3  # then it is written no more


def test_what_is_missing_is_neither_more_nor_less(done: Counter) -> None:
    shop = Workshop()
    a, thrown = throw(shop, 2)
    b, more = throw(shop, 2)
    perhaps = shop.if_(shop.lift(c.same, a, 1), None, a)
    found = as_fractions(*plan(shop, [thrown, more], [shop.lift(c.at_least, perhaps, b)]).run())
    assert found == {(False,): Fraction(1, 2), (True,): Fraction(1, 2)}
    assert done[True] and not done[False]


def test_what_is_small_is_never_written(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list = []
    monkeypatch.setattr(plans, "write", lambda *args: written.append(args))
    shop = Workshop()
    plan(shop, *larger_of_two(shop)).run()
    assert not written


def test_what_is_asked_again_and_again_is_written_once(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list = []
    original = plans.write
    monkeypatch.setattr(plans, "write", lambda *args: written.append(args) or original(*args))
    shop = Workshop()
    ready = plan(shop, *larger_of_two(shop))
    first = ready.run()
    assert all(ready.run() == first for _ in range(1_000))
    begins = [len(args[0]) for args in written]
    assert begins == sorted(set(begins))  # what is left of it, and then more


def test_a_word_of_a_designer_stands_in_no_line(monkeypatch: pytest.MonkeyPatch, done: Counter) -> None:
    lines: list[str] = []
    shop = Workshop()
    var = shop.variable()
    steps = [p.Throw(var, [((("'''\nraise",),), 1), ((("calm",),), 2)])]
    shown = shop.lift(Tally((((0, "'''\nraise"), 1),)), var)
    b, more = throw(shop, 2)
    word = shop.if_(shop.lift(c.same, shop.lift(n.add, shown, b), 2), "'''\nraise", "calm")
    original = plans.write

    def noted(*args: object) -> object:
        function = original(*args)
        lines.extend(str(one) for one in function.__code__.co_consts)
        lines.extend(function.__code__.co_names)
        return function

    monkeypatch.setattr(plans, "write", noted)
    found = as_fractions(*plan(shop, [*steps, more], [word]).run())
    assert found == {("'''\nraise",): Fraction(1, 2), ("calm",): Fraction(1, 2)}
    assert lines and not [line for line in lines if "raise" in line or "calm" in line]


@pytest.mark.parametrize("low, high", [(0, 3), (None, 3), (-1, None), (None, None), (-2, -1)])
def test_what_is_stopped_halved_and_compared_is_written_as_it_is_worked_out(
    low: int | None, high: int | None, done: Counter
) -> None:
    shop = Workshop()
    (a, one), (b, other) = throw(shop, 6), throw(shop, 6)
    less = n.minus(shop, a, b)
    ends = n.kept_whole(shop, stopped, less, low, high)
    half, thirds = Fraction(1, 2), Fraction(-2, 3)
    wanted = [
        ends,
        n.rounded(shop, n.times(shop, less, half), "down"),
        n.rounded(shop, n.times(shop, thirds, less), "up"),
        n.rounded(shop, shop.lift(n.Divided("a half", NOWHERE), less, 4), "up"),
        n.kept_whole(shop, n.higher, n.plus(shop, less, 1), n.minus(shop, b, 2)),
        n.kept_whole(shop, n.lower, n.times(shop, less, 2), n.minus(shop, b, 2)),
    ]
    found = as_fractions(*plan(shop, [one, other], wanted).run())
    expected: Counter = Counter()
    for x, y in product(range(1, 7), repeat=2):
        d = x - y
        held = d if low is None else max(d, low)
        held = held if high is None else min(held, high)
        expected[
            held, floor(d * half), ceil(d * thirds), ceil(d * half * half), max(d + 1, y - 2), min(2 * d, y - 2)
        ] += 1
    assert found == {row: Fraction(times, 36) for row, times in expected.items()}
    assert done[True] and not done[False]
