"""Dice that are thrown once more without end, in sentences: the chances against plain Python, which counts the falls of
one die after the other and knows for what lies far out that it is all alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import comb, prod

import pytest

from closecombat.text.faults import Faulty
from two_readings import case, exact

SITUATION = "situation: {fight: {attacker: one}, sides: {one: {}, two: {}}}"
RULES = """
ruleset: endless
title: Endless
about: Dice that are thrown once more without end.
language: 1
start: combat
kinds:
  fight:
    one: yes
    given: {attacker: a side}
    rolled: {a: wild, b: wild, less: less, few: few, die: one, lost: wild, best: best, worst: worst, pick: pick, many: many}
    noted: {hp: {is: 0 to 10, default: 10}, turn: 0 to 9}
  side: {given: {enemy: the other side}}
dice:
  wild: {die: d6, explode-if: face is 6, at-most: unbounded}
  less: {die: d6, explode-if: face is 6, at-most: unbounded, plus: -1}
  few:  {die: d6, number: 2, explode-if: face is at least 5, at-most: unbounded}
  one:  d6
  best:  {die: d6, number: 2, keep: highest 1, explode-if: face is 6, at-most: unbounded}
  worst: {die: d6, number: 3, keep: lowest 1, explode-if: face is 6, at-most: unbounded}
  pick:  {die: d4, number: 3, keep: highest 2, again-if: face is 1, explode-if: face is 4, at-most: unbounded}
  many:  {die: d6, number: 40, keep: lowest 3}
sequences:
  combat:
"""
ALL = (
    "{a: {roll: a}, b: {roll: b}, less: {roll: less}, few: {roll: few}, die: {roll: die}, "
    "best: {roll: best}, worst: {roll: worst}, pick: {roll: pick}, many: {roll: many}}"
)


def chances(question: str, rows: str = ALL, again: str = "", tables: str = "") -> dict[object, Fraction]:
    repeated = f"    again: {again}\n" if again else ""
    made = case(f"{RULES}{repeated}    in-order: {rows}\n{tables}", SITUATION, [question])
    return {value: chance for (value,), chance in exact(made, question).items()}


# ---- in plain Python ---------------------------------------------------------------------------------------

Law = dict[int, Fraction]
FAR = 60  # from where on nothing that is asked below changes any more


def wild() -> Law:
    """What a d6 comes to whose sixes are thrown once more: k sixes and then another face; far out only that it is."""
    law = {6 * k + r: Fraction(1, 6) ** (k + 1) for k in range(FAR // 6) for r in range(1, 6)}
    return law | {FAR: 1 - sum(law.values())}


def of(law: Law, asked: Callable[[int], int]) -> dict[int, Fraction]:
    out: Counter[int] = Counter()
    for number, chance in law.items():
        out[asked(number)] += chance
    assert all(asked(FAR) == asked(FAR + more) for more in range(30))
    return dict(out)


def ceiling(a: int, b: int) -> int:
    return -(-a // b)


def nearest(a: int, b: int) -> int:
    return (2 * a + b) // (2 * b)


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("the lower of a and 3", lambda a: min(a, 3)),
        ("the lower of less and 3", lambda a: min(a - 1, 3)),
        ("the lower of less / 3 rounded up and 3", lambda a: min(ceiling(a - 1, 3), 3)),
        ("(the lower of less and 3) / 3 rounded up", lambda a: ceiling(min(a - 1, 3), 3)),
        ("the lower of (less / 3 rounded to nearest) and 3", lambda a: min(nearest(a - 1, 3), 3)),
        ("the lower of (a / 2 rounded to nearest) and 4", lambda a: min(nearest(a, 2), 4)),
        ("the lower of (a * 2 - 7) / 3 rounded down and 4", lambda a: min((2 * a - 7) // 3, 4)),
        ("the higher of 20 - less and 3", lambda a: max(21 - a, 3)),
        ("less is 6 or 11", lambda a: a - 1 in (6, 11)),
        ("less is not 7 to 12", lambda a: not 7 <= a - 1 <= 12),
        ("any face of a is 5", lambda a: a % 6 == 5),
    ],
)
def test_of_one_die(question: str, asked: Callable[[int], int]) -> None:
    law = wild()
    if question.startswith("any"):  # that comes again every six: of what lies far out one in five is so
        assert chances(question) == {True: Fraction(1, 5), False: Fraction(4, 5)}
    else:
        assert chances(question) == of(law, asked)


@pytest.mark.parametrize(
    "table",
    [
        "{about: fight, is: a - 2, at-most: 6, at-least: 0}",
        "{about: fight, adds-up: {all: {add: a}, less: {add: -2}}, at-most: 6, at-least: 0}",
        "{about: fight, first-of: {all: {a: at least 9, is: 6}, some: {is: a - 2}}, at-most: 6, at-least: 0}",
    ],
)
def test_a_table_with_bounds(table: str) -> None:
    assert chances("hurt", tables=f"tables:\n  hurt: {table}\n") == of(wild(), lambda a: min(max(a - 2, 0), 6))


def test_dice_that_are_not_always_thrown() -> None:
    """Where a die shows 4 or more, the dice are thrown, and hit by what they come to less 2, of at most 6."""
    rows = "{d: {roll: die}, a: {when: die is at least 4, roll: a}}"
    tables = """tables:
  hits: {about: fight, is: the higher of hurt and 0}
  hurt: {about: fight, first-of: {hit: {die: at least 4, is: a - 2}}, otherwise: 0}
  taken: {about: fight, first-of: {all: {hurt: at least 6, is: 6}, some: {hurt: more than 0, is: hurt}}, otherwise: 0}
"""
    expected = Counter({0: Fraction(1, 2)})
    for number, chance in of(wild(), lambda a: min(max(a - 2, 0), 6)).items():
        expected[number] += chance / 2
    for question in ("taken", "the lower of hits and 6"):
        assert chances(question, rows, tables=tables) == expected, question


def test_against_a_die_with_an_end() -> None:
    expected: Counter[object] = Counter()
    for die in range(1, 7):
        for number, chance in wild().items():
            expected[min(number - die, 3)] += chance / 6
    assert chances("the lower of a - die and 3") == expected


def test_the_lowest_of_two_such_dice_and_a_number() -> None:
    expected: Counter[object] = Counter()
    for one, chance in wild().items():
        for other, share in wild().items():
            expected[min(one, 9, other + 2)] += chance * share
    assert chances("the lowest of a, 9 and (less + 3)") == expected


def test_faces_that_stand_at_most_once_on_each_die_have_an_end() -> None:
    """A die of which 5s and 6s are thrown once more ends in each of the faces 1 to 4, one time in four."""
    two = {0: Fraction(9, 16), 1: Fraction(6, 16), 2: Fraction(1, 16)}
    assert chances("number of few where (face is 1)") == two
    assert chances("total face of few where (face is 3)") == {3 * n: chance for n, chance in two.items()}
    last = Counter(i + j for i in range(1, 5) for j in range(1, 5))
    ends = "total face of few where (face is at most 4)"
    assert chances(ends) == {total: Fraction(n, 16) for total, n in last.items()}
    assert chances("number of few where (face is 1) is more than number of few where (face is 2)") == {
        True: Fraction(5, 16),
        False: Fraction(11, 16),
    }


def test_beside_the_highest_or_lowest_face() -> None:
    """The lowest face of few is at most 4, since each die ends with one of these."""
    lowest = {n: Fraction(2 * (4 - n) + 1, 16) for n in range(1, 5)}
    expected: Counter[object] = Counter()
    for (number, chance), (face, share) in product(wild().items(), lowest.items()):
        expected[min(max(number, face), 6)] += chance * share
    assert chances("the lower of (the higher of a and lowest face of few) and 6") == expected


def test_every_face() -> None:
    """Both dice show a 1 or 2 at once; or 5s and 6s besides, which count."""
    assert chances("every face of few is at most 2") == {True: Fraction(1, 9), False: Fraction(8, 9)}
    assert chances("every face of few is 4 to 6") == {True: Fraction(1, 16), False: Fraction(15, 16)}


def test_a_repetition_that_ends_by_such_dice() -> None:
    """10 men; those of whom the dice less 1 are more than 2 fall, at most 3 in a turn."""
    fallen = of(wild(), lambda a: min(max(a - 3, 0), 3))
    going: Counter[int] = Counter({10: Fraction(1)})
    expected: dict[object, Fraction] = {}
    for turn in range(1, 10):
        after: Counter[int] = Counter()
        for men, chance in going.items():
            for n, share in fallen.items():
                after[max(men - n, 0)] += chance * share
        if turn > 3:  # 3, 3, 3 and 1 are the quickest
            expected[turn] = after.pop(0) if turn < 9 else sum(after.values(), Fraction(0))
        going = after
    rows = (
        "{roll: {roll: less}, t: {do: add 1 to turn}, "
        "fall: {do: take (the higher of (the lower of less - 2 and 3) and 0) from hp}}"
    )
    assert chances("turn", rows, "{until: hp is 0 or turn is 9, at-most: unbounded}") == expected


# ---- set against each other ---------------------------------------------------------------------------------

WIDE = 42  # up to where two or three sums are gone through together


def ended(explode: int, shift: int = 0) -> Law:
    """What a d6 comes to that is thrown once more from `explode` on; what lies beyond WIDE is left out."""
    law: Counter[int] = Counter()
    going = Counter({shift: Fraction(1)})
    while going:
        after: Counter[int] = Counter()
        for total, chance in going.items():
            for face in range(1, 7):
                if total + face <= WIDE:
                    (after if face >= explode else law)[total + face] += chance / 6
        going = after
    return dict(law)


def both(one: Law, other: Law) -> Law:
    out: Counter[int] = Counter()
    for (a, chance), (b, share) in product(one.items(), other.items()):
        out[a + b] += chance * share
    return dict(out)


LAWS = {"a": ended(6), "b": ended(6), "less": ended(6, -1), "few": both(ended(5), ended(5)), "die": ended(7)}


def halves(a: int, b: int) -> int:
    return min(max(ceiling(a - b, 2), -3), 3)


def lies_between(found: dict[object, Fraction], laws: list[Law], asked: Callable[..., object]) -> None:
    """Every chance is that of what was gone through, or more by what was left out at most."""
    low: Counter[object] = Counter()
    for falls in product(*(law.items() for law in laws)):
        low[asked(*(number for number, _ in falls))] += prod(chance for _, chance in falls)
    left_out = 1 - sum(low.values())
    assert left_out < Fraction(1, 500) and sum(found.values()) == 1
    for value in {**found, **low}:
        assert low[value] <= found.get(value, 0) <= low[value] + left_out, value


def test_two_by_hand() -> None:
    """Two 6s at once begin anew: of 36 falls 15 are for either, 5 for nobody, and 1 is as in the beginning."""
    assert chances("a is more than b") == {True: Fraction(3, 7), False: Fraction(4, 7)}
    assert chances("a is b") == {True: Fraction(1, 7), False: Fraction(6, 7)}


@pytest.mark.parametrize(
    ("question", "who", "asked"),
    [
        ("a - b is at least 3", "a b", lambda a, b: a - b >= 3),
        ("the lower of (the higher of a - less and -7) and 8", "a less", lambda a, b: min(max(a - b, -7), 8)),
        ("the lower of (the higher of (a - b) / 2 rounded up and -3) and 3", "a b", halves),
        ("a is more than few", "a few", lambda a, few: a > few),
        ("few is at least less + 2", "few less", lambda few, less: few >= less + 2),
        ("a * 2 is more than few", "a few", lambda a, few: 2 * a > few),
        ("a / 2 is more than few / 3", "a few", lambda a, few: 3 * a > 2 * few),
        ("a / 2 rounded down is more than b", "a b", lambda a, b: a // 2 > b),
        ("b is at least a / 2 rounded up", "a b", lambda a, b: b >= ceiling(a, 2)),
        ("(a / 3 rounded to nearest) is b", "a b", lambda a, b: nearest(a, 3) == b),
        ("a is not few / 3 rounded down", "a few", lambda a, few: a != few // 3),
        ("(a / 2 rounded up) is less than b", "a b", lambda a, b: ceiling(a, 2) < b),
        ("few is at most a * 3 / 2 rounded down", "a few", lambda a, few: few <= 3 * a // 2),
        ("a + die is more than b", "a die b", lambda a, die, b: a + die > b),
        ("a is more than b and a is at least 9", "a b", lambda a, b: a > b and a >= 9),
        ("a is more than b and few is at most 9 and few is more than a", "a b few", lambda a, b, few: b < a < few <= 9),
        ("the higher of a and b is more than less", "a b less", lambda a, b, less: max(a, b) > less),
        ("the lower of a and b is more than less + 1", "a b less", lambda a, b, less: min(a, b) > less + 1),
        ("a + b is more than few", "a b few", lambda a, b, few: a + b > few),
        (
            "the lower of (the higher of (the higher of a and b) - less and -4) and 4",
            "a b less",
            lambda a, b, less: min(max(max(a, b) - less, -4), 4),
        ),
    ],
)
def test_of_several(question: str, who: str, asked: Callable[..., object]) -> None:
    lies_between(chances(question), [LAWS[name] for name in who.split()], asked)


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("a is more than a", lambda a, b: False),
        ("a + 3 is at least a", lambda a, b: True),
        ("a + b - a is at least 8", lambda a, b: b >= 8),
        ("a - b is more than a - 7", lambda a, b: b < 7),
        ("a * 2 is not a + 4", lambda a, b: a != 4),
        ("the higher of a and (b - 1) is 7", lambda a, b: max(a, b - 1) == 7),
        ("the lower of (the higher of (the lower of a and b) and 2) and 9", lambda a, b: min(max(min(a, b), 2), 9)),
        ("the higher of a and b is not b", lambda a, b: a > b),
        ("(a + b) / 2 - a is more than 0", lambda a, b: b > a),
        ("(a is more than b) or (a is less than lost)", lambda a, b: a > b),
    ],
)
def test_what_falls_out_of_a_comparison(question: str, asked: Callable[..., object]) -> None:
    lies_between(chances(question), [LAWS["a"], LAWS["b"]], asked)


# ---- some of them kept --------------------------------------------------------------------------------------

Fall = tuple[int, ...]


def falls(sides: int, again: bool, most: int = 7) -> dict[Fall, Fraction]:
    """How one die falls whose highest face is thrown once more; what goes on further is left out."""
    first = {face: Fraction(1, sides) for face in range(1, sides + 1)}
    if again:  # a 1 is thrown again, and stands then
        first = {face: chance + Fraction(1, sides**2) for face, chance in first.items()}
        first[1] = Fraction(1, sides**2)
    out: dict[Fall, Fraction] = {(face,): first[face] for face in range(1, sides)}
    for sixes in range(1, most + 1):
        for face in range(1, sides):
            out[(sides,) * sixes + (face,)] = first[sides] * Fraction(1, sides**sixes)
    return out


def kept(one: dict[Fall, Fraction], number: int, keep: int, highest: bool) -> dict[Fall, Fraction]:
    out: Counter[Fall] = Counter()
    for dice in product(one.items(), repeat=number):
        order = sorted((fall for fall, _ in dice), key=sum, reverse=highest)
        out[tuple(sorted(face for fall in order[:keep] for face in fall))] += prod(chance for _, chance in dice)
    return dict(out)


BEST = kept(falls(6, False), 2, 1, True)
WORST = kept(falls(6, False, 4), 3, 1, False)
TWO = kept(falls(4, True, 5), 3, 2, True)


@pytest.mark.parametrize(
    ("question", "law", "asked"),
    [
        ("the lower of best and 20", BEST, lambda fall: min(sum(fall), 20)),
        ("any face of best is 5", BEST, lambda fall: 5 in fall),
        ("lowest face of best", BEST, min),
        ("number of best where (face is 6) is at least 2", BEST, lambda fall: fall.count(6) >= 2),
        ("any face of best is 1 and best is at least 8", BEST, lambda fall: 1 in fall and sum(fall) >= 8),
        ("the lower of worst and 9", WORST, lambda fall: min(sum(fall), 9)),
        ("lowest face of worst", WORST, min),
        ("worst is 7 or 13", WORST, lambda fall: sum(fall) in (7, 13)),
        ("the lower of pick and 17", TWO, lambda fall: min(sum(fall), 17)),
        ("number of pick where (face is 1)", TWO, lambda fall: fall.count(1)),
        ("number of pick where (face is 3) + (the lower of pick and 9)", TWO, lambda f: f.count(3) + min(sum(f), 9)),
    ],
)
def test_the_best_or_worst_of_some(question: str, law: dict[Fall, Fraction], asked: Callable[[Fall], object]) -> None:
    found, low = chances(question), Counter[object]()
    for fall, chance in law.items():
        low[asked(fall)] += chance
    left_out = 1 - sum(low.values())
    assert sum(found.values()) == 1 and left_out < Fraction(1, 500)
    for value in {**found, **low}:
        assert low[value] <= found.get(value, 0) <= low[value] + left_out, value


def test_the_higher_of_two_by_hand() -> None:
    """At least n + 1 unless both are at most n; and it ends with a 5 as the essay on `keeping` reckons."""
    at_least_9 = Fraction(1, 6) * Fraction(4, 6)  # a 6, and then 3 or more
    assert chances("best is at least 9")[True] == 1 - (1 - at_least_9) ** 2
    assert chances("any face of best is 5")[True] == Fraction(11, 35)


def test_many_dice_of_which_few_are_kept() -> None:
    """The third lowest of forty is a 1 unless fewer than three are."""
    none, one, two = (comb(40, n) * Fraction(5, 6) ** (40 - n) * Fraction(1, 6) ** n for n in range(3))
    assert chances("many is 3")[True] == 1 - none - one - two
    assert chances("highest face of many is at least 2")[True] == none + one + two


def test_of_several_faces_some_cannot_be_kept() -> None:
    rules = RULES.replace("keep: highest 1, explode-if: face is 6", "keep: highest 1, explode-if: face is at least 5")
    made = case(f"{rules}    in-order: {ALL}\n", SITUATION, ["best is 3"])
    with pytest.raises(Faulty, match="for several faces") as caught:
        exact(made, "best is 3")
    (fault,) = caught.value.diagnostics
    assert fault.span is not None and fault.span.source.text[fault.span.start :].startswith("best: {roll")


def test_thrown_by_turns_in_a_fight() -> None:
    """Whoever throws less loses what he lacks, 4 at most; the first has 10 men, and it ends when they or 3 turns are
    gone."""
    rows = (
        "{a: {roll: a}, b: {roll: b}, t: {do: add 1 to turn}, "
        "lose: {b: more than a, do: take (the lower of b - a and 4) from hp}}"
    )
    lost: Counter[int] = Counter()
    for (a, chance), (b, share) in product(LAWS["a"].items(), LAWS["b"].items()):
        lost[max(min(b - a, 4), 0)] += chance * share
    found = chances("hp", rows, "{until: hp is 0 or turn is 3, at-most: unbounded}")
    lies_between(found, [dict(lost)] * 3, lambda x, y, z: max(10 - x - y - z, 0))


def test_what_may_fail_beside_it_does_not_hang_on_the_dice() -> None:
    """Men are taken by dice that only one of two has thrown; nobody asks how many that would be beyond all men."""
    rows = "{die: {roll: die}, a: {die: at least 5, roll: a}, take: {a: at least 1, do: take a - 1 from hp}}"
    expected: Counter[object] = Counter({10: Fraction(4, 6)})
    for number, chance in wild().items():
        expected[max(11 - number, 0)] += chance / 3
    assert chances("hp", rows) == expected


def test_thrown_only_if_the_other_has_hit() -> None:
    rows = "{a: {roll: a}, b: {a: at least 4, roll: b}, win: {b: less than a, do: set turn to 2}, all: {do: add 1 to turn}}"
    found = chances("turn", rows)
    lies_between(found, [LAWS["a"], LAWS["b"]], lambda a, b: 3 if a >= 4 and b < a else 1)


@pytest.mark.parametrize("question", ["a", "a * 2 - 1", "total face of few where (face is 5)"])
def test_what_has_no_end_is_told_at_the_row_that_rolls(question: str) -> None:
    with pytest.raises(Faulty) as caught:
        chances(question)
    (fault,) = caught.value.diagnostics
    assert fault.code == "budget-exceeded" and "`at-most: 10`" in fault.help
    assert fault.span is not None and fault.span.source.text[fault.span.start :].startswith(("a: {roll", "few: {roll"))


BRAWL = """
ruleset: brawl
title: Brawl
about: The better of two dice hits, and what is thrown then wounds; both without end.
language: 1
start: combat
kinds:
  fight: {one: yes}
  side: {given: {enemy: the other side, units: {are: units, each: unit}}}
  unit: {given: {side: a side}, rolled: {trait: ace, luck: ace, damage: ace}, noted: {wounds: 0 to 9, incoming: 0 to 9}}
dice: {ace: {die: d6, explode-if: face is 6, at-most: unbounded}}
sequences:
  combat: {in-order: {turn: {each: unit, play: swing, victim: whoever of units of enemy of side has lowest wounds}}}
  swing:
    about: {hitter: unit, victim: unit}
    in-order:
      trait: {for: hitter, roll: trait}
      luck:  {for: hitter, roll: luck}
      hit:   {the higher of trait of hitter and luck of hitter: at least 6, play: hurt}
  hurt:
    about: {hitter: unit, victim: unit}
    in-order:
      damage: {for: hitter, roll: damage}
      through: {for: victim, damage of hitter: at least 5, do: set incoming to the lower of 4 and (damage of hitter - 4)}
      wound:   {for: victim, do: add incoming to wounds}
      fall:    {for: victim, wounds: at least 1, do: leave}
      lie:     {for: victim, wounds: at least 1, do: leave}
"""


def test_what_is_thrown_in_a_branch_alone_is_asked_about_only_there() -> None:
    """The first strikes, and is struck back only by who still stands: of a throw that nobody made nothing is asked."""
    made = case(BRAWL, "situation: {sides: {one: {units: {a: {}}}, two: {units: {b: {}}}}}", ["wounds of a", "wounds of b"])
    better = Counter[bool]()
    for (one, first), (other, second) in product(wild().items(), repeat=2):
        better[max(one, other) >= 6] += first * second
    wounds = Counter({0: better[False]})
    for number, chance in of(wild(), lambda n: min(max(n - 4, 0), 4)).items():
        wounds[number] += better[True] * chance
    back = Counter({number: wounds[0] * chance for number, chance in wounds.items()})
    back[0] += 1 - wounds[0]
    assert {value: chance for (value,), chance in exact(made, "wounds of b").items()} == wounds
    assert {value: chance for (value,), chance in exact(made, "wounds of a").items()} == back
