"""In what order a row looks at the members of its set: as played, and the chances reckoned apart."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise, permutations, product
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from closecombat.cli.main import main
from closecombat.playing import combats
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
        ("first: rank, ties: lots", "wrong-shape"),
        ("first: highest foe, ties: lots", "wrong-type"),
        ("first: highest rank, ties: never", "tied-order"),
        ("first: highest die, ties: lots", "no-value"),
    ],
)
def test_what_is_no_order(order: str, code: str) -> None:
    with pytest.raises(Faulty) as caught:
        places(order)
    assert caught.value.codes == {code}


# ---- who came first ------------------------------------------------------------------------------------------------

QUEUE = """
ruleset: queue
title: Queue
about: Who is put into a set when, and who declares when.
language: 1
start: combat
kinds:
  fight: {one: yes, noted: {order: number, leader: a side or nobody}}
  side:
    given: {enemy: the other side, units: {are: units, each: unit}, attacks: {are: attacks, each: attack}}
    noted: {queue: {are: units, each: waiting}, name: 0 to 9}
    rolled: {initiative: one-die}
  unit: {given: {side: a side, id: 0 to 9}, rolled: {die: one-die}}
  attack: {given: {side: a side}, chosen: {by: a unit}, noted: {turn: 0 to 9}}
dice: {one-die: d2}
tables: {attack-rank: {about: attack, is: initiative of side}}
sequences:
  combat: {in-order: {ROWS}}
  in-turn: {about: side, in-order: {one: {each: queue of side, do: set order to order * 10 + id of waiting}}}
"""
TWO = "situation: {sides: {red: {units: {a: {id: 1}, b: {id: 2}, c: {id: 3}}}, blue: {units: {x: {id: 4}}}}}"
THROW, LINE = "throw: {each: unit, roll: die}", "line: {each: side, play: in-turn}"
DECLARES = "declare: attacks, otherwise: {all: {by: whoever of units of side has lowest id}}"
BY_DICE = "first: highest initiative, ties: as-listed"
STRIKE = "do: set order to order * 10 + id of by of attack"


def queue(rows: str, situation: str = TWO) -> dict[Any, Fraction]:
    small = case(QUEUE.replace("ROWS", rows), situation, ["order"])
    found = exact(small, "order")
    assert walked(small, 300)[0]["order"].ends == found
    return found


@pytest.mark.parametrize(
    ("listed", "order"), [("", 1234), ("queue: [c, a], ", 3124), ("queue: [b, c], ", 1234), ("queue: [b, a], ", 2134)]
)
def test_a_set_is_gone_through_in_situation_order_whoever_was_put_into_it_first(listed: str, order: int) -> None:
    """Whatever the dice; where the situation lists some of a set, these as it does."""
    there, put = TWO.replace("red: {", f"red: {{{listed}"), "do: put unit into queue of side"
    halves = f"early: {{each: unit, die: 2, {put}}}, late: {{each: unit, {put}}}"
    assert queue(f"{THROW}, {halves}, {LINE}", there) == {(order,): Fraction(1)}
    by_dice = f"join: {{each: unit, first: highest die, ties: as-listed, {put}}}"
    assert queue(f"{THROW}, {by_dice}, {LINE}", there) == {(order,): Fraction(1)}


@pytest.mark.parametrize(
    "names",
    [
        f"names: {{each: side, {BY_DICE}, {DECLARES}}}",
        "lead: {each: side, initiative: more than initiative of enemy, do: set leader to side}, "
        f"names: {{for: leader, {DECLARES}}}, others: {{each: side, when: side is not leader, {DECLARES}}}",
    ],
)
def test_who_declares_first_by_dice_is_gone_through_in_an_order_that_is_said(names: str) -> None:
    """Red's a is 1, blue's x 4, each with a d2. What is done for each alone may be done in any order."""
    throw = "throw: {each: side, roll: initiative}"
    with pytest.raises(Faulty) as caught:
        queue(f"{throw}, {names}, go: {{each: attack, {STRIKE}}}")
    assert caught.value.codes == {"order-unknown"}
    level = f"{throw}, {names}, mark: {{each: attack, do: set turn to 3}}, go: {{each: attack, first: highest initiative of side, ties: TIES, {STRIKE}}}"
    found = queue(level.replace("TIES", "[lowest id of by of attack, as-listed]"))
    assert found == {(14,): Fraction(3, 4), (41,): Fraction(1, 4)}
    with pytest.raises(Faulty):  # those who are level stand in no order that is known
        queue(level.replace("TIES", "as-listed"))


def test_in_what_order_one_side_declares_is_known() -> None:
    """Each side's own attacks come one after the other, whoever is first; nor does it matter who is if one declares."""
    two = "declare: attacks, otherwise: {one: {by: whoever of units of side has lowest id}, two: {by: whoever of units of side has highest id}}"
    throw = "throw: {each: side, roll: initiative}"
    own = f"go: {{each: side, play: own}}}}}}\n  own: {{about: side, in-order: {{blow: {{each: attacks of side, {STRIKE}}}"
    assert queue(f"{throw}, names: {{each: side, {BY_DICE}, {two}}}, {own}") == {(1344,): Fraction(1)}
    one = f"names: {{each: side, {BY_DICE}, initiative: 2, {DECLARES}}}, go: {{each: attack, {STRIKE}}}"
    assert queue(f"{throw}, {one.replace('initiative: 2', 'initiative: more than initiative of enemy')}") == {
        (0,): Fraction(1, 2), (1,): Fraction(1, 4), (4,): Fraction(1, 4)
    }  # fmt: skip


@pytest.mark.parametrize("most_at_once", [-1, combats.MOST_AT_ONCE])
def test_nor_is_it_known_state_by_state(most_at_once: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who attacks first is spent by it, and the fight is over: red, but for one throw in four."""
    monkeypatch.setattr(combats, "MOST_AT_ONCE", most_at_once)
    rows = f"throw: {{each: side, roll: initiative}}, names: {{each: side, {BY_DICE}, {DECLARES}}}"
    strike = "unless: any side where (number of units of side is 0), do: remove by of attack from units of side"
    ends = "outcomes: {about: side, words: [whole, gone], first-of: {none: {number of units: 0, is: gone}}, otherwise: whole}"
    over = "rounds: {until: any side where (number of units of side is 0)}"
    fight = tmp_path / "examples" / "fight.yaml"
    fight.parent.mkdir()
    fight.write_text(
        "example: fight\nsituation: {sides: {red: {units: {a: {id: 1}}}, blue: {units: {x: {id: 4}}}}}\n", "utf-8"
    )

    def run(order: str) -> Result:
        text = QUEUE.replace("ROWS", f"{rows}, go: {{each: attack, {order} {strike}}}")
        (tmp_path / "ruleset.yaml").write_text(f"{text}{over}\n{ends}\n", "utf-8")
        return CliRunner().invoke(main, ["chances", str(fight), "--until", "resolved", "-f", "json", "--no-cache"])

    refused = run("")
    said = "first: highest initiative of side, ties: [lowest id of by of attack, as-listed],"
    assert refused.exit_code == 2 and "order-unknown" in refused.output
    found = {one["sides"]["red"]: one["probability"] for one in json.loads(run(said).stdout)["outcomes"]}
    assert found == {"gone": "3/4", "whole": "1/4"}
