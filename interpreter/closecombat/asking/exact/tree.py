"""The tree of a small fight: which roll led where.

The fight is played with every fall of its dice, one after the other, each playing stopped where a die is asked for that
is not known yet. What it comes to is put together from the leaves: falls of a throw behind which everything is the same
are one branch. So a tree is small where the rules are, however many dice there are; but each fall is played, and a
fight with more of them than a look takes has none.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

from closecombat.playing.fight import Fight, begin, go, losses, verdicts
from closecombat.reading.types import Exact, Face, exact
from closecombat.text.slotted import dataclass
from closecombat.text.source import Span

MOST_PLAYED = 2_000  # falls of the dice, and playings that are stopped at one
MOST_BRANCHES = 300  # of a tree that is still read

Fall: TypeAlias = tuple[Face | str, ...]


@dataclass(frozen=True, slots=True)
class Leaf:
    """How it ends: each side's verdict and what it has lost."""

    sides: tuple[tuple[str, str], ...]
    lost: tuple[tuple[str, Exact], ...]


@dataclass(frozen=True, slots=True)
class Throw:
    """Something is thrown: each branch with the falls that lead there, how likely they are together, and what follows.
    The branches are in the order of their falls."""

    what: str
    branches: tuple[tuple[tuple[Fall, ...], Fraction, Node], ...]


Node: TypeAlias = "Leaf | Throw"


class _Unknown(Exception):
    """A die is asked for that nobody has thrown yet."""

    def __init__(self, falls: Sequence[tuple[Face | str, int]]) -> None:
        self.falls = falls


class _Given:
    """Dice that are given in their order; where they end the playing is stopped."""

    def __init__(self, given: Sequence[Face | str]) -> None:
        self._given, self._next = given, 0
        self.throws: list[tuple[str, int]] = []  # what for, and at which die it began

    def begin(self, number: int, what: str, place: Span) -> None:
        self.throws.append((what, self._next))

    def face(self, faces: tuple[Face, ...], what: str) -> Face:
        found = self._one([(face, 1) for face in faces], what)
        return found

    def card(self, cards: Sequence[tuple[str, int]], what: str) -> str:
        return str(self._one([(word, number) for word, number in cards if number], what))

    def _one(self, falls: Sequence[tuple[Face | str, int]], what: str) -> Face | str:
        if not self.throws:
            self.throws.append((what, self._next))
        if self._next == len(self._given):
            raise _Unknown(falls)
        self._next += 1
        return self._given[self._next - 1]


Played: TypeAlias = tuple[tuple[tuple[str, int], ...], Fall, Fraction, Leaf]


def tree_of(fight: Fight) -> Node | None:
    """The tree of a fight; nothing where it is too large, as far as its first playing or a bound shows."""
    played: list[Played] = []
    todo: list[tuple[Fall, Fraction]] = [((), Fraction(1))]
    tried, ways = 0, 1
    while todo:
        given, chance = todo.pop()
        tried += 1
        if tried > MOST_PLAYED:
            return None
        dice = _Given(given)
        try:
            run = begin(fight, dice)
            go(run)
        except _Unknown as unknown:
            whole = sum(number for _, number in unknown.falls)
            ways *= len(unknown.falls) if not played else 1
            if ways > MOST_PLAYED:
                return None
            todo += [((*given, face), chance * number / whole) for face, number in unknown.falls]
            continue
        ends = tuple((thing.name, str(verdict)) for thing, verdict in verdicts(run).items())
        lost = tuple((thing.name, exact(amount)) for thing, amount in losses(run).items())
        played.append((tuple(dice.throws), given, chance, Leaf(ends, lost)))
    found = _node(played, 0)
    return found if _size(found) <= MOST_BRANCHES else None


def _node(played: Sequence[Played], at: int) -> Node:
    """What follows the throws before the one of that number, which are the same in all of these."""
    if len(played[0][0]) <= at:
        return played[0][3]
    what = played[0][0][at][0]
    by_fall: dict[Fall, list[Played]] = {}
    for one in played:
        throws, given = one[0], one[1]
        end = throws[at + 1][1] if at + 1 < len(throws) else len(given)
        by_fall.setdefault(given[throws[at][1] : end], []).append(one)
    before = sum((one[2] for one in played), Fraction(0))
    branches: dict[Node, list[Fall]] = {}
    chances: dict[Node, Fraction] = {}
    for fall in sorted(by_fall, key=_in_order):
        after = _node(by_fall[fall], at + 1)
        branches.setdefault(after, []).append(fall)
        chances[after] = chances.get(after, Fraction(0)) + sum((one[2] for one in by_fall[fall]), Fraction(0)) / before
    if len(branches) == 1:
        return next(iter(branches))  # nothing hangs on this throw
    return Throw(what, tuple((tuple(falls), chances[after], after) for after, falls in branches.items()))


def _in_order(fall: Fall) -> tuple[object, ...]:
    numbers = [each for each in fall if isinstance(each, int)]
    return (len(fall), sum(numbers), *((0, each, "") if isinstance(each, int) else (1, 0, each) for each in fall))


def _size(node: Node) -> int:
    return 1 if isinstance(node, Leaf) else 1 + sum(_size(after) for _, _, after in node.branches)


def said_of(falls: Sequence[Fall], among: Sequence[Fall]) -> str:
    """Some falls of a throw in words: the sums, if they are all that have these; else one by one."""
    numbers = [sum(each for each in fall if isinstance(each, int)) for fall in falls]
    if all(isinstance(each, int) for fall in among for each in fall):
        sums = sorted(set(numbers))
        if sum(sum(each for each in fall if isinstance(each, int)) in sums for fall in among) == len(falls):
            return _ranges(sums)
    return ", ".join(dict.fromkeys(" ".join(map(str, fall)) for fall in falls))


def _ranges(numbers: Sequence[int]) -> str:
    parts: list[list[int]] = []
    for each in numbers:
        if parts and each == parts[-1][-1] + 1:
            parts[-1].append(each)
        else:
            parts.append([each])
    return ", ".join(f"{part[0]} to {part[-1]}" if len(part) > 1 else str(part[0]) for part in parts)
