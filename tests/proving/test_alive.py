"""What tables hold is counted as it is: held against what Python itself says that they take."""

import tracemalloc

import pytest

from closecombat.proving.carrying_out.prove import plan
from closecombat.proving.programs import program as p
from closecombat.proving.values.arithmetic import add, multiply
from closecombat.proving.values.budget import Budget
from closecombat.proving.values.symbolic import Workshop, at_least
from closecombat.reading.slots import FactOf
from closecombat.reading.types import Thing
from closecombat.text.faults import Faulty

from .small import let, throw

FACES = 25
SLOTS = (FactOf(Thing("man", "a", 0), "number"),)


def three_throws(shop: Workshop):
    (a, one), (b, two), (c, three) = (throw(shop, FACES) for _ in range(3))
    return [one, two, three], [a, b, c]


def a_branch(shop: Workshop):
    """Whatever the first two show, another die is thrown in one of two ways; all of it is asked."""
    steps, (a, b, _) = three_throws(shop)
    (d, more), (kept, kept_step) = throw(shop, FACES), let(shop, a)
    return [*steps[:2], kept_step, p.Branch(shop.lift(at_least, shop.lift(add, a, b), FACES), [more])], [a, b, kept, d]


def a_repetition(shop: Workshop):
    """Three passes at most: what the die shows in each stands in one number, so that no two rows are alike."""
    so_far, end = shop.variable((0,)), shop.variable()
    die, step = throw(shop, FACES)
    now = shop.lift(add, shop.lift(multiply, so_far, FACES), die)
    until = shop.lift(at_least, now, FACES**3)
    return [p.Loop((so_far,), (0,), [step], (now,), until, 3, (end,), slots=SLOTS)], [end]


PROGRAMS = pytest.mark.parametrize("program", [three_throws, a_branch, a_repetition])
WAYS = pytest.mark.parametrize("without", [(), ("fusing",)], ids=["written", "walked"])


class Highest(Budget):
    """A budget that knows the most that was ever held."""

    highest = 0

    def fits(self, held: int) -> None:
        self.highest = max(self.highest, self.held + held)
        super().fits(held)

    def made(self, work: int, held: int) -> None:
        super().made(work, held)
        self.highest = max(self.highest, self.held)


def carried_out(program, without, memory: int):
    shop = Workshop()
    steps, wanted = program(shop)
    made = plan(shop, steps, wanted, without)
    made.run()  # worth writing by now
    shop.budget = budget = Highest(memory=memory)
    tracemalloc.start()
    try:
        made.run()
        error = None
    except Faulty as found:
        error = found
    finally:
        taken = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    return made, budget, taken, error


@WAYS
@PROGRAMS
def test_what_is_counted_is_what_is_taken(program, without) -> None:
    made, budget, taken, error = carried_out(program, without, 10**9)
    assert error is None and taken > 1_000_000
    assert taken / 2 < budget.highest < 2.5 * taken
    assert len(made.alive.so_far()) <= 1 and not budget.held  # no table is left but that of the answer


@WAYS
@PROGRAMS
def test_it_is_over_before_all_is_taken(program, without) -> None:
    whole = carried_out(program, without, 10**9)[2]
    _, _, taken, error = carried_out(program, without, whole // 4)
    assert error is not None and error.codes == {"takes-long"}
    assert taken < 2 * whole // 3
