"""The system `horse-and-blade`: where a blow lands decides what it does, and what it does tells at once.

Reckoned here in plain Python, with no part of the interpreter: every haste, every throw in a hundred, every place and wound.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product
from math import ceil, floor

import pytest

from whole_fights import answers

PLACES = ("legs", "legs", "belly", "chest", "chest", "head")


@dataclass(frozen=True)
class Rider:
    side: str
    skill: int
    speed: int
    left: int
    weapon: str
    armour: Mapping[str, int] = field(default_factory=dict, hash=False)
    mounted: bool = False
    horse: int = 0
    shock: int = 0
    thrown: bool = False

    def saddled(self) -> bool:
        return self.mounted and not self.thrown

    def target(self) -> int:
        number = self.skill - self.shock + 10 * self.saddled()
        return min(95, max(5, number // 2 if self.thrown else number))


Fight = tuple[Rider, ...]
FIGHTS: list[Fight] = [
    (
        Rider("red", 60, 3, 6, "1d4+2", {"legs": 1, "head": 3, "chest": 2, "mount": 1}, True, 4),
        Rider("blue", 45, 3, 5, "1d6", {"head": 5}),
    ),
    (Rider("red", 15, 1, 1, "1d4-1", {}, True, 1), Rider("blue", 100, 1, 2, "1d4-2", {"head": 6, "legs": 6}, True, 12)),
]
WEAPONS = {"1d4+2": (1, 4, 2), "1d6": (1, 6, 0), "1d4-1": (1, 4, -1), "1d4-2": (1, 4, -2)}


def thrown(weapon: str) -> Iterator[int]:
    dice, sides, more = WEAPONS[weapon]
    for faces in product(range(1, sides + 1), repeat=dice):
        yield sum(faces) + more


def strike(striker: Rider, victim: Rider) -> Iterator[tuple[Rider, Rider, Fraction]]:
    """Both after a blow, with the chance of it."""
    target = striker.target()
    for face in range(1, 21):
        number, each = face * 5, Fraction(1, 20)
        critical = number <= ceil(Fraction(target, 10))
        if not critical and number == 100:
            yield replace(striker, thrown=True, shock=min(40, striker.shock + 10)), victim, each
        elif not critical and number > target:
            yield striker, victim, each
        else:
            every = [(place, damage) for place in PLACES for damage in thrown(striker.weapon)]
            for place, damage in every:
                for after, chance in wounded(victim, place, damage, critical):
                    yield striker, after, each * chance / len(every)


def wounded(victim: Rider, place: str, damage: int, critical: bool) -> Iterator[tuple[Rider, Fraction]]:
    where = "mount" if place == "legs" and victim.saddled() else place
    harm = damage * 2 if critical else damage - victim.armour.get(where, 0)
    harm = max(0, floor(Fraction(harm * 3, 2) + Fraction(1, 2)) if where == "head" else harm)
    if where == "mount":
        victim = replace(victim, horse=max(0, victim.horse - harm))
    else:
        victim = replace(victim, left=max(0, victim.left - harm), shock=min(40, victim.shock + harm * 5))
    if not victim.saddled() or victim.horse or not victim.left:
        yield victim, Fraction(1)
        return
    for tumble in range(1, 5):
        bruise = max(0, tumble - 2) if where == "mount" else 0
        yield replace(victim, thrown=True, left=max(0, victim.left - bruise)), Fraction(1, 4)


def ends(fight: Fight) -> dict[int, Fraction]:
    """What everybody has left, and his horse: two figures for each."""
    out = defaultdict[int, Fraction](Fraction)
    for hastes in product((1, 2), repeat=len(fight)):
        order = sorted(range(len(fight)), key=lambda i: (-fight[i].speed - hastes[i], -fight[i].skill, i))
        now: dict[Fight, Fraction] = {fight: Fraction(1, 2 ** len(fight))}
        for i in order:
            then = defaultdict[Fight, Fraction](Fraction)
            for riders, weight in now.items():
                foes = [j for j, one in enumerate(riders) if one.side != riders[i].side and one.left]
                if not riders[i].left or not foes:
                    then[riders] += weight
                    continue
                victim = min(foes, key=lambda j: riders[j].left)
                for striker, struck, chance in strike(riders[i], riders[victim]):
                    after = {i: striker, victim: struck}
                    then[tuple(after.get(j, one) for j, one in enumerate(riders))] += weight * chance
            now = dict(then)
        for riders, weight in now.items():
            out[sum((one.left + 20 * one.horse) * 400**j for j, one in enumerate(riders))] += weight
    return dict(out)


@pytest.mark.parametrize("fight", FIGHTS)
def test_riders_and_horses_fall_apart(fight: Fight) -> None:
    sides: dict[str, list[str]] = {}
    for name, one in zip("ab", fight, strict=True):
        armour = ", ".join(f"{place}: {number}" for place, number in one.armour.items())
        facts = f"skill: {one.skill}, speed: {one.speed}, hp: {one.left}, weapon: {one.weapon}, armour: {{{armour}}}"
        facts += f", mounted: {'yes' if one.mounted else 'no'}, mount-hp: {one.horse}"
        sides.setdefault(one.side, []).append(f"{name}: {{{facts}}}")
    situation = ", ".join(f"{side}: {{riders: {{{', '.join(those)}}}}}" for side, those in sides.items())
    question = " + ".join(f"(left of {name} + 20 * horse-left of {name}) * {400**j}" for j, name in enumerate("ab"))
    (found,) = answers("horse-and-blade", f"{{sides: {{{situation}}}}}", question)
    assert found == ends(fight)
