"""Dice whose faces are numbers below 0: against every fall in plain Python, and given by hand."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product

import pytest

from closecombat.asking.examples.examples import run_example
from closecombat.binding.charts import Bound
from closecombat.binding.load import load
from closecombat.reading.stack import as_mapping
from closecombat.text.document import parse
from closecombat.text.source import Source

RULES = """\
ruleset: fudge
start: go
kinds:
  fight: {one: yes}
  squad: {rolled: {throw: fates, odd: kept, keen: growing}, noted: {n: -40 to 40}}
dies: {fate: [-1, -1, 0, 0, +1, +1], wild: [-3, 0, 2]}
dice:
  fates: {die: fate, number: 4}
  kept: {die: wild, number: 3, keep: lowest 2, again-if: face is -3}
  growing: {die: wild, number: 2, explode-if: face is at most -1, at-most: 1}
sequences:
  go:
    in-order:
      a: {each: squad, roll: throw}
      b: {each: squad, roll: odd}
      c: {each: squad, roll: keen}
      z: {each: squad, do: set n to throw}
"""
FATE, WILD = (-1, -1, 0, 0, 1, 1), (-3, 0, 2)


def again(first: int, second: int) -> int:
    return second if first == -3 else first


def kept() -> Counter[int]:
    found: Counter[int] = Counter()
    for six in product(WILD, repeat=6):
        found[sum(sorted(again(*pair) for pair in (six[:2], six[2:4], six[4:]))[:2])] += 1
    return found


def growing() -> Counter[int]:
    found: Counter[int] = Counter()
    for a, b, c, d in product(WILD, repeat=4):
        found[a + (b if a == -3 else 0) + c + (d if c == -3 else 0)] += 1
    return found


def of_fates(what: Callable[[tuple[int, ...]], object]) -> Counter[object]:
    return Counter(what(fall) for fall in product(FATE, repeat=4))


@pytest.fixture(scope="module")
def bound(tmp_path_factory: pytest.TempPathFactory) -> Bound:
    folder = tmp_path_factory.mktemp("fudge")
    (folder / "ruleset.yaml").write_text(RULES, "utf-8")
    return load(str(folder))


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        ("throw of s", of_fates(sum)),
        ("n of s", of_fates(sum)),
        ("number of throw of s where (face is -1)", of_fates(lambda fall: fall.count(-1))),
        ("highest face of throw of s", of_fates(max)),
        ("second highest face of throw of s", of_fates(lambda fall: sorted(fall)[-2])),
        ("total face of throw of s where (face is less than 1)", of_fates(lambda fall: sum(f for f in fall if f < 1))),
        ("odd of s", kept()),
        ("keen of s", growing()),
    ],
)
def test_faces_below_0_are_numbers(bound: Bound, sentence: str, found: Counter[object]) -> None:
    lines = "".join(f"  {sentence} is {end}: {Fraction(ways, found.total())}\n" for end, ways in found.items())
    example = f"example: all\nsituation: {{squads: {{s: {{}}}}}}\nchances:\n{lines}"
    proved = run_example(bound, as_mapping(parse(Source("<example>", example))))
    assert not proved.faults and not proved.misses, proved


def test_they_are_given_by_hand(bound: Bound) -> None:
    example = (
        "example: one\nsituation: {squads: {s: {}}}\ndice: [[-1, -1, 0, +1], [0, 2, 2], [2, 0]]\n"
        "expect: {figures: {n of s: -1, odd of s: 2, keen of s: 2}}\n"
    )
    played = run_example(bound, as_mapping(parse(Source("<example>", example))))
    assert not played.faults and not played.misses, played
