"""Values that follow each other are set in turn, whatever they hang on."""

from fractions import Fraction
from random import Random
from typing import Any

import pytest

from closecombat.proving.carrying_out.plan import MANY_VALUES, Plan
from closecombat.proving.carrying_out.prove import as_fractions, plan
from closecombat.proving.carrying_out.setting import set_in_turn
from closecombat.proving.programs import program as p
from closecombat.proving.values import arithmetic as n
from closecombat.proving.values import symbolic as c
from closecombat.proving.values.symbolic import Value, Workshop
from closecombat.proving.writing.fusing import write_row

from .small import let, one_by_one, throw

WITHOUT = ("splitting", "inlining", "running values", "demand")  # so that the values stay as they are written


@pytest.fixture(autouse=True, params=["written", "walked"])
def carried_out(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """A function is written for what hangs on some columns as soon as they have stood in one way, or never is."""
    monkeypatch.setattr("closecombat.proving.carrying_out.setting.WORTH_WRITING", 0 if request.param == "written" else 1_000_000)
    return request.param


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many ways each of the functions that are written was asked for."""
    found: list[int] = []

    def counted(*arguments: Any) -> Any:
        told, place = write_row(*arguments), len(found)
        found.append(0)

        def tell(row: tuple) -> tuple:
            found[place] += 1
            return told(row)

        return tell

    monkeypatch.setattr("closecombat.proving.carrying_out.plan.write_row", counted)
    return found


def used(shop: Workshop, steps: list[p.Step], wanted: list[Value], monkeypatch: pytest.MonkeyPatch) -> tuple[dict, int]:
    """The chances, and how often values were set in turn."""
    calls: list[int] = []

    def counted(ready: Plan, lets: list[p.Let], after: frozenset) -> object:
        calls.append(len(lets))
        return set_in_turn(ready, lets, after)

    monkeypatch.setattr("closecombat.proving.carrying_out.prove.set_in_turn", counted)
    return as_fractions(*plan(shop, steps, wanted, WITHOUT).run()), len(calls)


def test_many_values_of_two_dice(written: list[int], carried_out: str, monkeypatch: pytest.MonkeyPatch) -> None:
    shop = Workshop()
    (one, first), (two, second) = throw(shop, 6), throw(shop, 6)
    total, set_total = let(shop, n.plus(shop, one, two))
    steps: list[p.Step] = [first, second, set_total]
    wanted: list[Value] = []
    for value in (
        shop.lift(c.at_least, total, 11),
        shop.lift(c.same, one, two),
        n.minus(shop, one, two),
        shop.lift(c.more_than, one, 3),
        n.plus(shop, total, one),
        shop.lift(c.same, two, 6),
    ):
        var, step = let(shop, value)
        steps.append(step)
        wanted.append(var)
    assert len(wanted) >= MANY_VALUES
    found, calls = used(shop, steps, wanted, monkeypatch)
    assert calls == 1 and found == one_by_one(steps, wanted)
    # six ways of what hangs on one die, 36 of what hangs on both
    assert sum(written) == (36 + 6 + 6 if carried_out == "written" else 0)


def test_a_value_that_fails_is_one_until_somebody_looks_at_it(monkeypatch: pytest.MonkeyPatch) -> None:
    shop = Workshop()
    (one, first), (two, second) = throw(shop, 2), throw(shop, 2)
    nobody, set_nobody = let(shop, shop.if_(shop.lift(c.same, one, two), None, one))
    more, set_more = let(shop, shop.lift(n.add, nobody, 1))  # fails where it is nobody's
    steps: list[p.Step] = [first, second, set_nobody, set_more]
    asked = shop.if_(shop.lift(c.somebody, nobody), more, 0)
    for _ in range(MANY_VALUES):
        asked, step = let(shop, n.plus(shop, asked, 1))
        steps.append(step)
    found, calls = used(shop, steps, [asked], monkeypatch)
    of = MANY_VALUES
    assert calls == 1
    assert found == {(of,): Fraction(1, 2), (of + 2,): Fraction(1, 4), (of + 3,): Fraction(1, 4)}


@pytest.mark.parametrize("written_down", [True, False])
@pytest.mark.parametrize("called", [True, False])
@pytest.mark.parametrize("seed", range(20))
def test_made_up_values(seed: int, called: bool, written_down: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is written out, or asked by the function that was made for it."""
    monkeypatch.setattr("closecombat.proving.carrying_out.setting.MANY_ROWS", 1_000_000 if written_down else 0)
    if called:
        monkeypatch.setattr("closecombat.proving.writing.fusing._Row._can_be_written", lambda row, value: False)
    random, shop = Random(seed), Workshop()
    thrown = [throw(shop, 3) for _ in range(3)]
    steps: list[p.Step] = [step for _, step in thrown]
    values: list[Value] = [var for var, _ in thrown]
    everything, step = let(shop, n.plus(shop, n.plus(shop, values[0], values[1]), values[2]))
    steps.append(step)
    values.append(everything)
    for _ in range(12):
        one, two = random.choice(values), random.choice(values)
        made = random.choice(
            [n.plus(shop, one, two), n.minus(shop, one, two), shop.if_(shop.lift(c.at_least, one, 2), two, one)]
        )
        if type(made) is int or made in values:
            continue
        var, step = let(shop, made)
        steps.append(step)
        values.append(var)
    wanted = random.sample(values, 5)
    found, _ = used(shop, steps, wanted, monkeypatch)
    assert found == one_by_one(steps, wanted)
