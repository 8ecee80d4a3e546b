"""What the dice come to that are kept of many: the highest or the lowest of them.

**The problem.** Forty dice of which the three highest are kept fall in more ways than can be written down, and dice
that are thrown once more without end in endlessly many.

**The idea.** Go through what a die can come to from the best to the worst, and share out how many dice come to each:
what counts is how many are still to be kept, and what is asked of those that are.

Of dice without end, those that have gone so far that nothing which is asked of them grows any more are the best. If
they are more than are kept, they go on together, face by face: whoever shows a lesser face is below whoever goes on. If
all go on it is as it was before, which is a geometric series.

*An example.* Of two d6 whose 6s are thrown once more the higher is kept: does it end with a 5? In 10 of 36 ways one
shows a 6, and ends with a 5 one time in five; in 9 neither does, and the higher is a 5; in 1 both go on. So v = 1/36
(10/5 + 9 + v) = 11/35.

**Elsewhere.** All dice of a throw are kept: `dice` and `races`. Which of few dice are kept is seen fall by fall
(`dice.standing`).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from math import comb, lcm
from typing import TypeAlias

from closecombat.proving.throws.dice import Gathering, Part, worth_of
from closecombat.proving.values.budget import GATHERED, KEEPING, Budget
from closecombat.proving.values.symbolic import Value
from closecombat.reading.types import Exact
from closecombat.text.faults import Faulty
from closecombat.text.slotted import dataclass

MOST_STANDS = 200_000  # gone through while dice are shared out among what they can come to

Vector: TypeAlias = tuple[Value, ...]
Law: TypeAlias = dict[Vector, Exact]
Ways: TypeAlias = Sequence[tuple[Vector, Exact]]  # what a die can come to and how often, the first to be kept first


class _TooMany(Exception):
    """Dice can be shared out in more ways than are gone through."""


def can_be_told(part: Part) -> bool:
    """Whether it can be told which dice are kept: without end, only the highest face may be thrown once more."""
    return not part.endless or part.explode == {max(part.faces)}


def kept(
    part: Part, place: int, number: int, views: Sequence[Gathering], budget: Budget | None = None
) -> tuple[dict[Vector, int], int]:
    """How often the dice that are kept of so many come to each vector of what is asked, and out of how many cases.
    Spent where that is too much."""
    highest, keep = part.keep or (True, number)
    try:
        if part.endless:
            law = _Endless(part, place, highest, views, budget).law(number, keep)
        else:
            order = sorted(part.ways, key=lambda way: worth_of(way[0]), reverse=highest)
            law = _best(views, [(_vector(views, place, fall), n) for fall, n in order], number, keep, budget)
    except _TooMany:
        message = f"the dice of {part.of}, of which some are kept, are too many to be shared out"
        help = "throw fewer dice, or keep fewer"
        raise Faulty.one("budget-exceeded", message, part.place, help=help) from None
    den = lcm(*(Fraction(chance).denominator for chance in law.values()))
    return {vector: int(chance * den) for vector, chance in law.items()}, int(sum(law.values()) * den)


def _vector(views: Sequence[Gathering], place: int, fall: Sequence[Value]) -> Vector:
    return tuple([view.of(place, fall) for view in views])


def _both(views: Sequence[Gathering], one: Vector, other: Vector) -> Vector:
    return tuple([view.both(a, b) for view, a, b in zip(views, one, other, strict=True)])


def _best(views: Sequence[Gathering], ways: Ways, number: int, keep: int, budget: Budget | None) -> Law:
    """What the first `keep` of so many dice come to, if each comes to one of these; others are left out. As soon as
    enough are kept it is the same what the rest show."""
    out: Law = {}
    nothing = tuple([view.nothing for view in views])
    left_over, keep = sum((chance for _, chance in ways), 0), min(keep, number)
    if not keep:
        return {nothing: left_over**number}
    going: dict[tuple[int, Vector], Exact] = {(keep, nothing): 1}  # still to be kept, and what came
    work = 0
    for vector, chance in ways:
        many = [tuple([view.times(one, n) for view, one in zip(views, vector, strict=True)]) for n in range(keep + 1)]
        shares: dict[int, list[Exact]] = {}
        after: dict[tuple[int, Vector], Exact] = {}
        work += len(going)
        if work > MOST_STANDS:
            raise _TooMany
        if budget is not None:
            each = KEEPING if type(chance) is Fraction else GATHERED
            budget.product(sum([keeping + 1 for keeping, _ in going]), each)
            budget.room(len(going), len(views))
        for (keeping, came), weight in going.items():
            if keeping not in shares:
                shares[keeping] = _shares(number - (keep - keeping), keeping, chance, left_over - chance)
            for n, share in enumerate(shares[keeping]):
                both = _both(views, came, many[n]) if n else came
                if n < keeping:
                    after[keeping - n, both] = after.get((keeping - n, both), 0) + weight * share
                else:
                    out[both] = out.get(both, 0) + weight * share
        going, left_over = after, left_over - chance
    return out


def _shares(left: int, keeping: int, chance: Exact, rest: Exact) -> list[Exact]:
    """How likely 0, 1, 2, .. of the dice that are left come to something, fewer than are kept: then the others must
    come to what is left over later; and that so many or more do."""
    fewer = [comb(left, n) * chance**n for n in range(keeping)]
    enough = (chance + rest) ** left - sum((one * rest ** (left - n) for n, one in enumerate(fewer)), 0)
    return [*fewer, enough]


@dataclass(frozen=True, slots=True)
class _Far:
    """Dice without end that have gone far: what one comes to that ends with its next throw, first those that are kept
    first; how likely it goes on."""

    ends: Ways
    goes_on: Fraction


class _Endless:
    def __init__(
        self, part: Part, place: int, highest: bool, views: Sequence[Gathering], budget: Budget | None
    ) -> None:
        self.views, self.highest, self.budget = views, highest, budget
        of = partial(_vector, views, place)
        again, sides = max(part.faces), len(part.faces)
        faces = {face: Fraction(part.faces.count(face), sides) for face in sorted(part.faces, reverse=highest)}
        first = {face: Fraction(n, part.cases) for (face,), n in part.ways}
        more = of((again,))
        levels: list[Ways] = [[(of((face,)), first.get(face, Fraction(0))) for face in faces if face != again]]
        came, self.far = more, first.get(again, Fraction(0))  # how likely a die goes as far as all levels
        while _both(views, came, more) != came:
            levels.append(self._ends(came, faces, again, of, self.far))
            came, self.far = _both(views, came, more), self.far * faces[again]
        self.near = [way for level in (reversed(levels) if highest else levels) for way in level]
        self.beyond = _Far(self._ends(came, faces, again, of, Fraction(1)), faces[again])
        self.known: dict[tuple[int, int], Law] = {}

    def _ends(self, came: Vector, faces: dict[Value, Fraction], again: Value, of: Value, share: Fraction) -> Ways:
        return [
            (_both(self.views, came, of((face,))), share * chance) for face, chance in faces.items() if face != again
        ]

    def law(self, number: int, keep: int) -> Law:
        """What the dice come to that are kept of so many."""
        out: Law = {}
        for far in range(number + 1):
            first = min(keep, far if self.highest else number - far)
            if self.highest:
                laws = self._far_ones(far, first), _best(self.views, self.near, number - far, keep - first, self.budget)
            else:
                laws = _best(self.views, self.near, number - far, first, self.budget), self._far_ones(far, keep - first)
            self._add(out, *laws, comb(number, far) * self.far**far)
        return out

    def _add(self, out: Law, one: Law, other: Law, share: Fraction) -> None:
        if self.budget is not None:
            self.budget.product(len(one) * len(other), KEEPING)
        for a, chance in one.items():
            for b, more in other.items():
                both = _both(self.views, a, b)
                out[both] = out.get(both, 0) + share * chance * more

    def _far_ones(self, number: int, keep: int) -> Law:
        """What the first come to of dice that have all gone equally far, beyond what matters."""
        if (number, keep) not in self.known:
            self.known[number, keep] = self._of_far_ones(number, min(number, keep))
        return self.known[number, keep]

    def _of_far_ones(self, number: int, keep: int) -> Law:
        ends, goes_on = self.beyond.ends, self.beyond.goes_on
        if keep in (0, number):
            return _best(
                self.views, [(vector, chance / (1 - goes_on)) for vector, chance in ends], number, keep, self.budget
            )
        out: Law = {}
        for on in range(number):
            first = min(keep, on if self.highest else number - on)
            if self.highest:
                laws = self._far_ones(on, first), _best(self.views, ends, number - on, keep - first, self.budget)
            else:
                laws = _best(self.views, ends, number - on, first, self.budget), self._far_ones(on, keep - first)
            self._add(out, *laws, comb(number, on) * goes_on**on / (1 - goes_on**number))
        return out
