"""How dice without end fall that are thrown by turns, and how likely each end is.

**The problem.** Two throw a die each of which every 6 is thrown once more: whose comes to more? Neither sum has an end,
and no number can be named from which on the larger does not matter.

**The idea.** It does not matter who throws first. So let whoever is behind throw: then the lead stays below the
highest face for as long as both go on, and once one of them has done, the lead of the other only grows, and is counted
as far as it matters. What has come of the dice so far (how many are left, which goes on, who is ahead by how much, what
else is asked of them) is a state; the states are few, each leads to others by chances of its own, and where they lead
back to each other that is a set of linear equations (`absorbing`): nothing is cut off.

*An example.* Both throw a d6. After two 6s it is as in the beginning, one time in 36; else whoever has the higher face
has won, 15 of 36 for either, or nobody, 5 of 36. So v = 15/36 + v/36: each wins with 3/7, and 1/7 are alike.

One die alone is the smallest such race: where a 6 is thrown once more and adds nothing to what is asked, its state
comes back to itself.

**Elsewhere.** From where on a sum or a lead no longer matters is `tails`; which sums are set against each other, and
that their dice are thrown together, `opposed`.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import lcm
from typing import Any, TypeAlias

from closecombat.proving.tables.absorbing import Arrows, States, Ways, ends, explored
from closecombat.proving.throws.dice import Gathering, Part, Tally
from closecombat.proving.values.budget import TAKES_LONG, Budget, Spent
from closecombat.proving.values.symbolic import Value
from closecombat.text.faults import Faulty
from closecombat.text.slotted import dataclass

MOST_STANDS = 30_000  # in which dice that are thrown by turns can be

Vector: TypeAlias = tuple[Value, ...]
Stand: TypeAlias = tuple[tuple[int, ...], tuple[bool, ...], Vector]  # dice left of each part, which goes on, what came


@dataclass(frozen=True, slots=True)
class Capped:
    """A sum that is counted up to `most`, which stands for all beyond it."""

    tally: Tally
    most: int

    nothing = 0

    def of(self, part: int, fall: Sequence[Any]) -> int:
        sum_of: int = self.tally.of(part, fall)
        return min(sum_of, self.most)

    def both(self, one: int, other: int) -> int:
        return min(one + other, self.most)

    def times(self, one: int, dice: int) -> int:
        return min(one * dice, self.most)

    def answer(self, gathered: int) -> int:
        return gathered


@dataclass(frozen=True, slots=True)
class Lead:
    """By how much some dice are ahead of others, whose worth is below 0; counted up to `most` on either side."""

    tally: Tally
    most: int

    nothing = 0

    def of(self, part: int, fall: Sequence[Any]) -> int:
        sum_of: int = self.tally.of(part, fall)
        return sum_of

    def both(self, one: int, other: int) -> int:
        return one + other

    def times(self, one: int, dice: int) -> int:
        return one * dice

    def answer(self, gathered: int) -> int:
        return max(-self.most, min(gathered, self.most))

    def sides(self, parts: Sequence[Part]) -> tuple[list[int], list[int]]:
        """The parts that add to the lead, and those that take from it."""
        worth = [[self.tally.of(i, (face,)) for face in one.faces] for i, one in enumerate(parts)]
        ahead = [i for i, values in enumerate(worth) if max(values) > 0]
        return ahead, [i for i, values in enumerate(worth) if min(values) < 0]


def raced(
    parts: Sequence[Part], numbers: Sequence[int], views: Sequence[Gathering], budget: Budget | None = None
) -> tuple[dict[Vector, int], int]:
    """How often so many dice of each part come to each vector of what is asked, in equal cases, and how many these
    are. Leads are given as `Lead.answer` tells them, all else as it was gathered. Faulty where that is too much."""
    leads = [(i, view, *view.sides(parts)) for i, view in enumerate(views) if isinstance(view, Lead)]
    stands, found = States(), States()

    def is_on(stand: Stand, part: int) -> bool:
        return stand[0][part] > 0 or stand[1][part]

    def told(stand: Stand) -> Stand:
        """The same, a lead that can only grow counted as far as it matters."""
        left, going, came = stand
        gathered = list(came)
        for i, view, ahead, behind in leads:
            if not any(is_on(stand, part) for part in behind):
                gathered[i] = min(gathered[i], view.most)
            if not any(is_on(stand, part) for part in ahead):
                gathered[i] = max(gathered[i], -view.most)
        return left, going, tuple(gathered)

    def next_of(stand: Stand) -> int | None:
        """Whose die is thrown: of him who is behind by most, as long as the other goes on."""
        best, lead = None, -1
        for i, _, ahead, behind in leads:
            one = next((part for part in ahead if is_on(stand, part)), None)
            other = next((part for part in behind if is_on(stand, part)), None)
            if one is not None and other is not None and abs(stand[2][i]) > lead:
                best, lead = (other if stand[2][i] > 0 else one), abs(stand[2][i])
        return next((part for part in range(len(parts)) if is_on(stand, part)), None) if best is None else best

    def one_pass(number: int) -> Arrows:
        if len(stands.rows) > MOST_STANDS:
            raise too_many(parts)
        left, going, came = stand = stands.rows[number]
        goes: Ways = {}
        over: Ways = {}
        part = next_of(stand)
        if part is None:
            return goes, {found.number(_answers(views, came)): 1}, 1
        one, left_then = parts[part], list(left)
        falls = tuple(((face,), 1) for face in one.faces) if going[part] else one.ways
        left_then[part] -= not going[part]
        for fall, n in falls:
            on = (*going[:part], one.endless and fall[0] in one.explode, *going[part + 1 :])
            more = tuple([view.both(a, view.of(part, fall)) for view, a in zip(views, came, strict=True)])
            there = stands.number(told((tuple(left_then), on, more)))
            goes[there] = goes.get(there, 0) + n
        return goes, over, sum(n for _, n in falls)

    start = stands.number((tuple(numbers), (False,) * len(parts), tuple(view.nothing for view in views)))
    try:
        arrows = explored([start], one_pass, parts[0].place, lambda done, left: None, budget)
    except Faulty as error:
        raise Spent(error) if error.codes == {TAKES_LONG} else error from None
    (shares,) = ends(arrows, [{start: [(1, 1)]}], parts[0].place, lambda state: "")
    common = lcm(*(den for _, den in shares.values()))
    return {found.rows[end]: num * (common // den) for end, (num, den) in shares.items()}, common


def _answers(views: Sequence[Gathering], came: Vector) -> Vector:
    return tuple([view.answer(one) if isinstance(view, Lead) else one for view, one in zip(views, came, strict=True)])


def too_many(parts: Sequence[Part]) -> Faulty:
    said = f"the dice of {parts[0].of}" if parts[0].of else "dice"
    return Faulty.one(
        "budget-exceeded",
        f"{said} are thrown once more without end, and on the way they can stand in more than {MOST_STANDS:,} ways",
        parts[0].place,
        help="ask fewer things of them at once, or bound them: `at-most: 10`",
    )
