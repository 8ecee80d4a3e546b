"""Dice that are thrown again, thrown once more or not kept: as at a table, and as chances reckoned apart."""

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb
from typing import Any

import pytest

from closecombat.asking.played.resolution import resolve
from closecombat.binding.charts import Bound
from closecombat.playing import fight as f
from closecombat.proving.throws.dice import ScriptedDice, sums
from closecombat.reading.ruleset import read_ruleset
from closecombat.reading.stack import as_mapping
from closecombat.text.document import parse
from closecombat.text.faults import Faults, Faulty
from closecombat.text.source import Source

RULES = """\
ruleset: handful
language: 1
start: fight
kinds:
  field: {{one: yes, given: {{leader: a side}}}}
  side: {{given: {{enemy: the other side}}, rolled: {{throw: handful}}, noted: {{found: number}}}}
dies:
  symbols: [blank, blank, hit, blaze]
dice:
  handful: {dice}
sequences:
  fight: {{in-order: {{throw: {{for: leader, roll: throw}}, look: {{for: leader, do: set found to {asked}}}}}}}
"""
SITUATION = "example: one\nsituation: {field: {leader: red}, sides: {red: {}, blue: {}}}\n"

Die = list[tuple[tuple[Any, ...], Fraction]]  # the faces that stand, and how likely


def bound_to(dice: str, asked: str) -> Bound:
    faults = Faults()
    ruleset = read_ruleset(as_mapping(parse(Source("r.yaml", RULES.format(dice=dice, asked=asked)))), faults)
    faults.raise_if_any()
    return Bound(ruleset)


def fight(dice: str, asked: str = "throw") -> f.Fight:
    return f.fight(bound_to(dice, asked), as_mapping(parse(Source("e.yaml", SITUATION))))


# ---- chances, reckoned apart ------------------------------------------------------------------------------


def one_die(faces: tuple[Any, ...], again: Any = (), explode: Any = (), at_most: int = 0) -> Die:
    """One die by itself, throw by throw."""
    each = Fraction(1, len(faces))

    def more(fall: tuple[Any, ...], chance: Fraction) -> Iterator[tuple[tuple[Any, ...], Fraction]]:
        if fall[-1] in explode and len(fall) <= at_most:
            for face in faces:
                yield from more((*fall, face), chance * each)
        else:
            yield fall, chance

    out: Die = []
    for first in faces:
        for second, chance in [(face, each * each) for face in faces] if first in again else [(first, each)]:
            out += more((second,), chance)
    return out


def handful(die: Die, number: int, worth: Callable[[list[tuple[Any, ...]]], int]) -> dict[int, Fraction]:
    out: Counter[int] = Counter()
    merged: Counter[tuple[Any, ...]] = Counter()
    for fall, chance in die:
        merged[fall] += chance  # type: ignore[assignment]
    for falls in product(merged.items(), repeat=number):
        chance = Fraction(1)
        for _, each in falls:
            chance *= each
        out[worth([fall for fall, _ in falls])] += chance  # type: ignore[assignment]
    return dict(out)  # type: ignore[arg-type]


D6, D4 = (1, 2, 3, 4, 5, 6), (1, 2, 3, 4)
SYMBOLS = ("blank", "blank", "hit", "blaze")
ORDER = [("blank",), ("hit",), ("blaze",)]  # as its faces are listed


def total(falls: list[tuple[Any, ...]]) -> int:
    return sum(map(sum, falls))


def count(*wanted: Any) -> Callable[[list[tuple[Any, ...]]], int]:
    return lambda falls: sum(face in wanted for fall in falls for face in fall)


def best(number: int, high: bool, worth: Callable[[list[tuple[Any, ...]]], int]) -> Any:
    return lambda falls: worth(sorted(falls, key=sum, reverse=high)[:number])


def ranked(nth: int, high: bool) -> Callable[[list[tuple[Any, ...]]], int]:
    return lambda falls: sorted((face for fall in falls for face in fall), reverse=high)[nth - 1]


CASES = [
    ("{die: d6, number: 2, explode-if: face is 6, at-most: 3}", "throw", one_die(D6, (), (6,), 3), 2, total),
    ("{die: d6, number: 2, explode-if: face is 6, at-most: 3}", "number of throw", one_die(D6, (), (6,), 3), 2, count(*D6)),
    ("{die: d6, number: 2, explode-if: face is 6, at-most: 2}", "number of throw where (face is 6)", one_die(D6, (), (6,), 2), 2, count(6)),
    ("{die: d4, number: 2, explode-if: face is at least 3, at-most: 3}", "number of throw where (face is 3)", one_die(D4, (), (3, 4), 3), 2, count(3)),
    ("{die: d6, number: 3, again-if: face is at most 2}", "throw", one_die(D6, (1, 2)), 3, total),
    ("{die: d6, number: 3, again-if: face is at most 2}", "number of throw where (face is 1)", one_die(D6, (1, 2)), 3, count(1)),
    ("{die: d4, number: 2, again-if: face is 1, explode-if: face is 4, at-most: 2}", "throw", one_die(D4, (1,), (4,), 2), 2, total),
    ("{die: d4, number: 2, again-if: face is 4, explode-if: face is 4, at-most: 1}", "number of throw where (face is 4)", one_die(D4, (4,), (4,), 1), 2, count(4)),
    ("{die: d6, number: 3, keep: highest 2}", "throw", one_die(D6), 3, best(2, True, total)),
    ("{die: d6, number: 3, keep: lowest 1}", "throw", one_die(D6), 3, best(1, False, total)),
    ("{die: d4, number: 3, explode-if: face is 4, at-most: 2, keep: highest 1}", "throw", one_die(D4, (), (4,), 2), 3, best(1, True, total)),
    ("{die: d4, number: 3, explode-if: face is 4, at-most: 2, keep: highest 2}", "number of throw where (face is 4)", one_die(D4, (), (4,), 2), 3, best(2, True, count(4))),
    ("{die: symbols, number: 3, explode-if: face is blaze, at-most: 2}", "number of throw where (face is hit or blaze)", one_die(SYMBOLS, (), ("blaze",), 2), 3, count("hit", "blaze")),
    ("{die: symbols, number: 3, again-if: face is blank}", "number of throw where (face is hit)", one_die(SYMBOLS, ("blank",)), 3, count("hit")),
    ("{die: d6, number: 4}", "highest face of throw", one_die(D6), 4, ranked(1, True)),
    ("{die: d6, number: 4}", "third lowest face of throw", one_die(D6), 4, ranked(3, False)),
    ("{die: d6, number: 3, again-if: face is 1}", "second highest face of throw", one_die(D6, (1,)), 3, ranked(2, True)),
    ("{die: d4, number: 2, explode-if: face is 4, at-most: 2}", "second lowest face of throw", one_die(D4, (), (4,), 2), 2, ranked(2, False)),
    ("{die: d6, number: 3, keep: highest 2}", "lowest face of throw", one_die(D6), 3, best(2, True, ranked(1, False))),
    ("{die: d6, number: 3}", "total face of throw where (face is at least 4)", one_die(D6), 3, lambda falls: sum(f for (f,) in falls if f >= 4)),
    ("{die: symbols, number: 2}", "number of throw where (face is highest face of throw)", one_die(SYMBOLS), 2, lambda falls: sum(f == max(falls, key=ORDER.index) for f in falls)),
]  # fmt: skip


@pytest.mark.parametrize(("dice", "asked", "die", "number", "worth"), CASES, ids=[f"{c[0]} {c[1]}" for c in CASES])
def test_the_chances_are_those_of_plain_reckoning(dice: str, asked: str, die: Die, number: int, worth: Any) -> None:
    run = f.begin(fight(dice, asked), None)
    f.go(run)
    found = f.distribution(run, [run.fact(run.state.things["red"], "found")])
    assert {value: chance for (value,), chance in found.items()} == handful(die, number, worth)


@pytest.mark.parametrize("number", [2, 3, 7])
@pytest.mark.parametrize(
    "die",
    [
        {1: 1, 2: 1, 3: 1, 4: 1, 5: 1, 6: 1},
        {0: 4, 1: 2},
        {-3: 1, 0: 5, 4: 2},
        {2: 3, 5: 3, 8: 3, 11: 3},
        {7: 2},
        {0: 1, 10**9: 5},
        {-2: 1, -1: 2, 0: 3, 1: 2, 2: 1},
        {1: 1, 2: 1, 3: 1, 40: 1},
    ],
)
def test_one_sum_of_many_dice_is_that_of_one_after_the_other(die: dict[int, int], number: int) -> None:
    expected = {0: 1}
    for _ in range(number):
        after: Counter[int] = Counter()
        for so_far, ways in expected.items():
            for worth, each in die.items():
                after[so_far + worth] += ways * each
        expected = after
    assert sums([((worth,), each) for worth, each in die.items()], number) == {(k,): n for k, n in expected.items()}


def test_many_dice_that_are_thrown_once_more() -> None:
    """Thirty dice are counted as a pool; here one die after the other."""
    run = f.begin(
        fight("{die: d6, number: 30, explode-if: face is 6, at-most: 3}", "number of throw where (face is at least 5)"),
        None,
    )
    f.go(run)
    found = f.distribution(run, [run.fact(run.state.things["red"], "found")])

    @cache
    def after(dice: int) -> dict[int, Fraction]:
        if not dice:
            return {0: Fraction(1)}
        out: dict[int, Fraction] = {}
        for so_far, chance in after(dice - 1).items():
            for hits, each in handful(one_die(D6, (), (6,), 3), 1, count(5, 6)).items():
                out[so_far + hits] = out.get(so_far + hits, Fraction(0)) + chance * each
        return out

    assert {value: chance for (value,), chance in found.items()} == after(30)


@pytest.mark.parametrize("nth", [1, 2, 5])
def test_the_nth_highest_of_many_dice(nth: int) -> None:
    """Of forty dice the nth highest is at least v if n of them are, or more: one die after the other."""
    asked = f"{['', 'second ', '', '', 'fifth '][nth - 1]}highest face of throw"
    run = f.begin(fight("{die: d6, number: 40}", asked), None)
    f.go(run)
    found = f.distribution(run, [run.fact(run.state.things["red"], "found")])
    for v in D6:
        part = Fraction(7 - v, 6)
        fewer = sum(comb(40, k) * part**k * (1 - part) ** (40 - k) for k in range(nth))
        assert sum(chance for (value,), chance in found.items() if value >= v) == 1 - fewer


@pytest.mark.parametrize("number", [3, 40])
def test_there_is_no_fourth_highest_of_three_dice(number: int) -> None:
    asked = "fourth highest face of throw where (face is at most 3)"
    run = f.begin(fight(f"{{die: d6, number: {number}}}", asked), None)
    with pytest.raises(Faulty) as caught:
        f.go(run)
        f.distribution(run, [run.fact(run.state.things["red"], "found")])
    assert caught.value.codes == {"no-value"}


# ---- as at a table ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dice", "thrown", "told", "found"),
    [
        ("{die: d6, number: 3, again-if: face is 1}", "1 4 1 6 1", "1→6 4 1→1", 11),  # the handful, then those again
        ("{die: d6, number: 3, explode-if: face is 6, at-most: 3}", "6 2 6 6 3 1", "6!6!1 2 6!3", 24),
        ("{die: d6, number: 1, explode-if: face is 6, at-most: 2}", "6 6 6", "6!6!6", 18),
        ("{die: d6, number: 2, again-if: face is 1, explode-if: face is 6, at-most: 1}", "1 6 6 2 3", "1→6!2 6!3", 17),
        ("{die: d6, number: 3, keep: highest 1}", "3 5 1", "(3) 5 (1)", 5),
        ("{die: d6, number: 2, explode-if: face is 6, at-most: 1, keep: lowest 1}", "6 5 1", "(6!1) 5", 5),
        ("{die: d6, number: 2}", "3 5", "3 5", 8),
    ],
)
def test_the_handful_is_thrown_together(dice: str, thrown: str, told: str, found: int) -> None:
    resolution = resolve(fight(dice), ScriptedDice([(int(face), None) for face in thrown.split()]))
    (roll,) = [event for row in resolution.events for event in row.inside if event.what == "roll"]
    assert roll.value == told
    assert resolution.dice == tuple(map(int, thrown.split()))
    assert resolution.units["red"]["found"] == found


class Listening(ScriptedDice):
    """Dice that note what they are asked for."""

    def __init__(self, faces: str) -> None:
        super().__init__([(int(face), None) for face in faces.split()])
        self.asked: list[str] = []

    def begin(self, number: int, what: str, place: Any) -> None:
        super().begin(number, what, place)
        self.asked.append(f"{number} dice for {what}")

    def face(self, faces: tuple[Any, ...], what: str) -> Any:
        self.asked.append(what)
        return super().face(faces, what)


def test_whoever_throws_is_told_which_dice() -> None:
    dice = Listening("1 6 6 2 3")
    resolve(fight("{die: d6, number: 2, again-if: face is 1, explode-if: face is 6, at-most: 1}"), dice)
    assert dice.asked == [
        "2 dice for throw of red",
        "throw of red",
        "throw of red",
        "1 dice for throw of red, thrown again",
        "throw of red, 1 thrown again",
        "2 dice for throw of red, one more for each",
        "throw of red, one more for 6",
        "throw of red, one more for 6",
    ]
