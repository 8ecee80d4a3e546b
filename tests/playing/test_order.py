"""In what order a row looks at the members of its set: as played, and the chances reckoned apart."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise, permutations, product
from typing import Any

import pytest

from closecombat.text.faults import Faulty
from two_readings import case, exact, walked

RULES = """
ruleset: order
title: Order
about: Who acts before whom.
language: 1
start: combat
words: {{drill: [raw, trained, picked]}}
kinds:
  fight: {{one: yes, noted: {{mark: number, last: a unit or nobody}}}}
  unit:
    given: {{rank: 0 to 9, drill: {{is: drill, default: raw}}, foe: a unit or nobody}}
    rolled: {{die: d2-once}}
    noted: {{place: 0 to 9, felled: flag}}
dice: {{d2-once: d2}}
sequences:
  combat: {{in-order: {{throw: {{each: unit where ({who}), roll: die}}, go: {{each: unit where (not felled), {order}, play: act}}}}}}
  act:
    about: unit
    in-order:
      mark: {{do: [add 1 to mark, set place to mark]}}
      hit:  {{for: foe of unit, do: gain felled}}
"""
SITUATION = "situation: {units: {a: {rank: 2}, b: {rank: 3, drill: picked}, c: {rank: 2, drill: trained}}}"
NAMES = "abc"
RANK = {"a": 2, "b": 3, "c": 2}
DRILL = {"a": 0, "b": 2, "c": 1}
ODDS = {"as-listed": 1, "lots": 2}


def places(order: str, who: str = "rank is 0", situation: str = SITUATION) -> dict[tuple[Any, ...], Fraction]:
    """Who has which place, with its chance; what is played must be the same, lots apart, whose dice are many."""
    question = "place of a * 100 + place of b * 10 + place of c"
    small = case(RULES.format(order=order, who=who), situation, [question])
    found = {tuple(map(int, f"{answer:03}")): weight for (answer,), weight in exact(small, question).items()}
    if "lots" not in order:
        played, _ = walked(small, 100)
        assert {tuple(map(int, f"{x:03}")): w for (x,), w in played[question].ends.items()} == found
    return found


def as_places(order: str) -> tuple[int, ...]:
    return tuple(order.index(name) + 1 for name in NAMES)


@pytest.mark.parametrize(
    ("order", "orders"),
    [
        ("first: highest rank, ties: as-listed", ["bac"]),
        ("first: lowest rank, ties: as-listed", ["acb"]),
        ("first: highest rank, ties: [highest drill, never]", ["bca"]),
        ("first: lowest rank, ties: [lowest drill, never]", ["acb"]),
        ("first: highest drill, ties: never", ["bca"]),
        ("first: highest rank - 1, ties: lots", ["bac", "bca"]),
        ("first: lowest rank, ties: lots", ["acb", "cab"]),
        ("first: lowest 1, ties: lots", ["".join(order) for order in permutations("abc")]),
    ],
)
def test_what_is_known_puts_them_in_order(order: str, orders: list[str]) -> None:
    assert places(order) == {as_places(one): Fraction(1, len(orders)) for one in orders}


def test_those_who_act_at_once_see_the_same_state() -> None:
    """Each of two who are level finds a mark of 0 and adds 1; and who is felled meanwhile has had his turn."""
    foes = SITUATION.replace("a: {rank", "a: {foe: c, rank")
    assert places("first: lowest rank, ties: at-once", situation=foes) == {(1, 3, 1): 1}


def rolled(tied: str) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """Every fall of three coins, and every order of those who are level."""
    for dice in product((1, 2), repeat=3):
        die = dict(zip(NAMES, dice, strict=True))
        if tied == "lots":
            orders = [one for one in permutations(NAMES) if all(die[x] >= die[y] for x, y in pairwise(one))]
        elif tied == "drill":
            orders = [tuple(sorted(NAMES, key=lambda x: (-die[x], -DRILL[x])))]
        else:
            orders = [tuple(sorted(NAMES, key=lambda x: -die[x]))]
        for one in orders:
            yield as_places("".join(one)), Fraction(1, 8 * len(orders))


@pytest.mark.parametrize(
    ("order", "tied"),
    [
        ("first: highest die, ties: as-listed", "listed"),
        ("first: highest die, ties: lots", "lots"),
        ("first: highest die, ties: [highest drill, never]", "drill"),
        ("first: lowest 3 - die, ties: [highest drill, lots]", "drill"),
    ],
)
def test_dice_put_them_in_order(order: str, tied: str) -> None:
    expected: dict[tuple[int, ...], Fraction] = {}
    for one, weight in rolled(tied):
        expected[one] = expected.get(one, Fraction(0)) + weight
    assert places(order, "rank is at least 0") == expected


def test_who_is_down_before_his_turn_has_none() -> None:
    """Each puts the next one down: b down by a, if a has thrown as much; c by b, if b acts before him; a by c."""
    foes = (
        SITUATION.replace("a: {", "a: {foe: b, ")
        .replace("b: {rank", "b: {foe: c, rank")
        .replace("c: {", "c: {foe: a, ")
    )
    expected: dict[tuple[int, ...], Fraction] = {}
    foe = {"a": "b", "b": "c", "c": "a"}
    for dice in product((1, 2), repeat=3):
        die, down, mark = dict(zip(NAMES, dice, strict=True)), set[str](), 0
        place = dict.fromkeys(NAMES, 0)
        for one in sorted(NAMES, key=lambda x: -die[x]):
            if one not in down:
                mark += 1
                place[one] = mark
                down.add(foe[one])
        key = tuple(place.values())
        expected[key] = expected.get(key, Fraction(0)) + Fraction(1, 8)
    assert places("first: highest die, ties: as-listed", "rank is at least 0", foes) == expected


def test_those_who_are_level_put_each_other_down() -> None:
    """Two who are level strike at once; else the first alone."""
    foes = "situation: {units: {a: {rank: 1, foe: b}, b: {rank: 1, foe: a}}}"
    rules = RULES.replace("mark: {{do: [add 1 to mark, set place to mark]}}", "mark: {{do: add 1 to mark}}")
    order = "first: highest die, ties: at-once"
    question = "number of units where (felled)"
    small = case(rules.format(order=order, who="rank is 1"), foes, [question, "mark"])
    half = Fraction(1, 2)
    assert exact(small, question) == walked(small, 100)[0][question].ends == {(1,): half, (2,): half}
    assert exact(small, "mark") == {(1,): half, (2,): half}


@pytest.mark.parametrize(
    ("order", "code"),
    [
        ("first: highest rank", "missing-key"),
        ("first: highest rank, ties: highest drill", "missing-key"),
        ("first: rank, ties: lots", "sentence-syntax"),
        ("first: highest foe, ties: lots", "wrong-type"),
        ("first: highest rank, ties: never", "tied-order"),
        ("first: highest die, ties: lots", "no-value"),
    ],
)
def test_what_is_no_order(order: str, code: str) -> None:
    with pytest.raises(Faulty) as caught:
        places(order)
    assert caught.value.codes == {code}
