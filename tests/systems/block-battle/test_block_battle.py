"""The system `block-battle`: two days, on each of which whoever is there fires in the order of the letters, defenders
first within a letter; hits fall on whoever is strongest by then, by lots among those who are equally strong.

Reckoned here in plain Python, with no part of the interpreter: every number of hits, and every lot.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from random import Random

import pytest

from closecombat.asking.exact.chances import SIDES, UNITS, work_out
from closecombat.binding.load import load
from closecombat.playing.fight import Fight, fight
from closecombat.reading.stack import as_mapping
from closecombat.text.document import parse
from closecombat.text.source import Source

RULES = Path(__file__).parent
SHEET = {  # letter, rating, steps
    "archers": ("A", 2, 3),
    "bowmen": ("A", 3, 2),
    "knights": ("B", 3, 4),
    "nobles": ("B", 2, 3),
    "foot": ("C", 2, 4),
    "levy": ("C", 1, 2),
}
HERE, RESERVE, FLED, DEAD = "here", "in reserve", "fled", "dead"
State = tuple[tuple[int, str], ...]  # the steps of each block, and where it is
Ends = Mapping[State, Fraction]


@dataclass(frozen=True)
class Block:
    name: str
    side: str
    counter: str
    in_reserve: bool
    flees: bool


@dataclass(frozen=True)
class Battle:
    blocks: tuple[Block, ...]
    fort: bool
    attacker: str = "red"

    @property
    def start(self) -> State:
        return tuple((SHEET[one.counter][2], RESERVE if one.in_reserve else HERE) for one in self.blocks)

    def written(self) -> str:
        sides = {
            side: ", ".join(
                f"{one.name}: {{counter: {one.counter}{', reserve: yes' if one.in_reserve else ''}}}"
                for one in self.blocks
                if one.side == side
            )
            for side in ("red", "blue")
        }
        fled = ", ".join(f"{one.name}: yes" for one in self.blocks if one.flees)
        return (
            f"situation:\n  fight: {{attacker: {self.attacker}, fort: {'yes' if self.fort else 'no'}}}\n  sides:\n"
            + "".join(f"    {side}: {{units: {{{units}}}}}\n" for side, units in sides.items())
            + (f"choices: {{will: {{{fled}}}}}\n" if fled else "")
        )

    def targets(self, state: State, striker: int) -> list[int]:
        mine = self.blocks[striker].side
        return [i for i, one in enumerate(self.blocks) if one.side != mine and state[i][1] == HERE]

    def turn_of(self, i: int) -> tuple[int, int]:
        one = self.blocks[i]
        return 2 * "ABC".index(SHEET[one.counter][0]) + (one.side == self.attacker), i

    def to_hit(self, i: int, day: int) -> int:
        letter, rating, _ = SHEET[self.blocks[i].counter]
        walls = self.fort and self.blocks[i].side != self.attacker
        return min(rating + walls + (day == 2 and letter == "B"), 5)

    def lost(self, state: State, striker: int, hits: int) -> Ends:
        found: Ends = {state: Fraction(1)}
        for _ in range(hits):
            after: Counter[State] = Counter()
            for one, share in found.items():
                there = self.targets(one, striker)
                strongest = [i for i in there if one[i][0] == max(one[j][0] for j in there)]
                for i in strongest:
                    steps = one[i][0] - 1
                    row = (*one[:i], (steps, HERE if steps else DEAD), *one[i + 1 :])
                    after[row] += share / len(strongest)
                if not there:
                    after[one] += share
            found = after
        return found

    def ends(self, state: State | None = None) -> Ends:
        @cache
        def of_day(state: State, day: int) -> Ends:
            if day > 2:
                return {state: Fraction(1)}
            if day == 2:
                state = tuple((steps, HERE if where == RESERVE else where) for steps, where in state)
            there = [i for i, (_, where) in enumerate(state) if where == HERE]
            return acts(state, tuple(sorted(there, key=self.turn_of)), day)

        @cache
        def acts(state: State, turns: tuple[int, ...], day: int) -> Ends:
            if not turns:
                return of_day(state, day + 1)
            (i, *others), found = turns, Counter[State]()
            rest = tuple(others)
            if state[i][1] != HERE or not self.targets(state, i):
                return acts(state, rest, day)
            if self.blocks[i].flees:
                return acts((*state[:i], (state[i][0], FLED), *state[i + 1 :]), rest, day)
            for hits, chance in hits_of(state[i][0], self.to_hit(i, day)).items():
                for after, share in self.lost(state, i, hits).items():
                    for end, other in acts(after, rest, day).items():
                        found[end] += chance * share * other
            return found

        return of_day(self.start if state is None else state, 1)

    def at_last(self) -> Ends:
        """Battle after battle, until a side has nobody left; on a day on which nothing changes it is begun again."""

        @cache
        def from_here(state: State) -> Ends:
            if any(all(where in (FLED, DEAD) for _, where in mine) for mine in self.by_side(state)):
                return {state: Fraction(1)}
            after, found = self.ends(state), Counter[State]()
            stay = after.get(state, Fraction(0))
            for one, chance in after.items():
                for end, other in from_here(one).items() if one != state else ():
                    found[end] += chance * other / (1 - stay)
            return found

        return from_here(self.start)

    def by_side(self, state: State) -> list[list[tuple[int, str]]]:
        return [
            [row for row, one in zip(state, self.blocks, strict=True) if one.side == side] for side in ("red", "blue")
        ]

    def verdicts(self, state: State) -> tuple[str, ...]:
        out = []
        for mine, first in zip(self.by_side(state), self.by_side(self.start), strict=True):
            left = [steps for steps, where in mine if where in (HERE, RESERVE)]
            if not left:
                out.append("fled" if any(where == FLED for _, where in mine) else "wiped-out")
            else:
                out.append("worn" if sum(left) < sum(steps for steps, _ in first) else "whole")
        return tuple(out)


@cache
def hits_of(dice: int, at_most: int) -> Mapping[int, Fraction]:
    found = Counter(sum(face <= at_most for face in faces) for faces in product(range(1, 7), repeat=dice))
    return {hits: Fraction(number, 6**dice) for hits, number in found.items()}


def made_up(seed: int) -> Battle:
    chance = Random(seed)
    blocks = [
        Block(f"{side[0]}{n}", side, chance.choice(list(SHEET)), n > 0 and chance.random() < 0.5, chance.random() < 0.2)
        for side in ("red", "blue")
        for n in range(chance.choice((1, 1, 2)))
    ]
    return Battle(tuple(blocks), chance.random() < 0.4, chance.choice(("red", "blue")))


def asked(battle: Battle) -> Fight:
    return fight(load(str(RULES)), as_mapping(parse(Source("a battle", battle.written()))))


@pytest.mark.parametrize("seed", [0, 3, 7, 8])
def test_all_that_becomes_of_each_block(seed: int) -> None:
    battle = made_up(seed)
    expected: Counter[tuple[object, ...]] = Counter()
    for state, chance in battle.ends().items():
        expected[
            tuple((steps, FLED if where == FLED else HERE) if where != DEAD else DEAD for steps, where in state)
        ] += chance
    found: Counter[tuple[object, ...]] = Counter()
    for one in work_out(asked(battle), UNITS, with_notes=False).outcomes:
        row: list[object] = []
        for block, (steps, _) in zip(battle.blocks, battle.start, strict=True):
            changed = one.units.get(block.name, {})
            is_gone = changed.get("gone") is True or changed.get("in-play") is False
            fled = bool(changed.get("fallen-back"))
            row.append((changed.get("steps", steps), FLED if fled else HERE) if fled or not is_gone else DEAD)
        found[tuple(row)] += one.probability
    assert found == expected


@pytest.mark.parametrize(("seed", "at_last"), [(0, False), (3, False), (7, False), (0, True), (3, True), (8, True)])
def test_how_each_side_ends(seed: int, at_last: bool) -> None:
    battle = made_up(seed)
    expected: Counter[tuple[str, ...]] = Counter()
    for state, chance in (battle.at_last() if at_last else battle.ends()).items():
        expected[battle.verdicts(state)] += chance
    found = work_out(asked(battle), SIDES, at_last, with_notes=False)
    assert {tuple(one.sides[side] for side in ("red", "blue")): one.probability for one in found.outcomes} == expected
