"""Which situations the rows of a table leave out, and which two rows share: exact, over what is asked.

**The space.** Each thing that the rows ask (`men of attacker`) is an axis, cut into the few classes that no row tells
apart: `men` asked as `at least 4` and `at most 7` has the classes 0 to 3, 4 to 7 and 8 to 10. A row is a union of
boxes, each with the classes that it allows on some axes; on the others it allows all.

**What is left out.** Axis after axis, class after class, those boxes go on that allow the class. Where none is left, a
situation has been found that no row has; where one is left that asks nothing more, all is covered. What lies behind an
axis depends only on which boxes are still there, so that it is worked out once for each such set, a number with a bit
for each box: this is how a table of hundreds of rows takes no longer than it has kinds of answers.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias

from closecombat.text.slotted import dataclass

Box: TypeAlias = Mapping[int, int]  # axis -> the classes that it allows, a bit for each
Point: TypeAlias = dict[int, int]  # axis -> class

MOST_STEPS = 200_000


class TooMuch(Exception):
    """The rows ask too many different things."""


@dataclass(frozen=True, slots=True)
class Space:
    """How many situations each class of each axis stands for; None where there is no telling, as of a number without
    end."""

    sizes: tuple[tuple[int | None, ...], ...]

    def all_of(self, axis: int) -> int:
        """All classes of an axis."""
        return (1 << len(self.sizes[axis])) - 1


def classes(bits: int) -> Iterator[int]:
    """The classes in some bits."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def meet(one: Box, other: Box) -> dict[int, int] | None:
    """The box that two have in common."""
    out = dict(one)
    for axis, bits in other.items():
        out[axis] = out.get(axis, bits) & bits
        if not out[axis]:
            return None
    return out


@dataclass(frozen=True, slots=True)
class Left:
    """What some boxes leave of another: a situation of it, and its share of the whole space, if that can be told."""

    point: Point
    share: Fraction | None


def left_of(space: Space, whole: Box, boxes: Sequence[Box]) -> Left | None:
    """What some boxes leave of a whole; nothing if they cover it. Raises TooMuch."""
    near = [box for box in boxes if meet(whole, box) is not None]
    asked = sorted({axis for box in near for axis in box}, key=lambda axis: -sum(axis in box for box in near))
    allows = [
        [sum(1 << at for at, box in enumerate(near) if axis not in box or box[axis] >> one & 1) for one in range(size)]
        for axis, size in ((axis, len(space.sizes[axis])) for axis in asked)
    ]
    ends = [
        sum(1 << at for at, box in enumerate(near) if not any(a in box for a in asked[i:]))
        for i in range(len(asked) + 1)
    ]
    known: dict[tuple[int, int], Left | None] = {}
    steps = 0

    def behind(at: int, there: int) -> Left | None:
        nonlocal steps
        if not there:
            return Left({}, _share(space, whole, asked[at:]))
        if there & ends[at]:
            return None
        key = at, there
        if key in known:
            return known[key]
        steps += 1
        if steps > MOST_STEPS:
            raise TooMuch
        axis = asked[at]
        found: Point | None = None
        share = Fraction(0) if _is_finite(space, axis) else None
        for one in classes(whole.get(axis, space.all_of(axis))):
            rest = behind(at + 1, there & allows[at][one])
            if rest is None:
                continue
            if found is None:
                found = {axis: one, **rest.point}
            size = space.sizes[axis][one]
            share = None if share is None or rest.share is None or size is None else share + size * rest.share
        if found is not None and share is not None:
            share /= sum(size or 0 for size in space.sizes[axis])
        known[key] = None if found is None else Left(found, share)
        return known[key]

    return behind(0, (1 << len(near)) - 1)


@dataclass(frozen=True, slots=True)
class Walk:
    """Boxes as axis after axis goes through them: which axes, and for each of their classes which boxes are left."""

    asked: tuple[int, ...]
    allows: tuple[Mapping[int, int], ...]  # for each axis: class -> the boxes that allow it, a bit for each


def walk(space: Space, whole: Box, boxes: Sequence[Box]) -> Walk:
    """How boxes are gone through within a whole."""
    asked = sorted({axis for box in boxes for axis in box}, key=lambda axis: -sum(axis in box for box in boxes))
    allows = tuple(
        {
            one: sum(1 << at for at, box in enumerate(boxes) if axis not in box or box[axis] >> one & 1)
            for one in classes(whole.get(axis, space.all_of(axis)))
        }
        for axis in asked
    )
    return Walk(tuple(asked), allows)


def matters(way: Walk, axis: int, outcome: Callable[[int], Hashable]) -> bool:
    """Whether two situations of a whole that differ on one axis alone differ in what comes of them, which is the
    `outcome` of the boxes they are in, a bit for each. Raises TooMuch."""
    if axis not in way.asked:
        return False
    own = way.allows[way.asked.index(axis)]
    others = [set(allowed.values()) for at, allowed in zip(way.asked, way.allows, strict=True) if at != axis]
    known: dict[tuple[int, int, int], bool] = {}

    def same(at: int, one: int, other: int) -> bool:
        if one == other:
            return True
        if at == len(others):
            return outcome(one) == outcome(other)
        key = at, one, other
        if key not in known:
            if len(known) > MOST_STEPS:
                raise TooMuch
            known[key] = all(same(at + 1, one & allowed, other & allowed) for allowed in others[at])
        return known[key]

    first, *rest = own.values()
    return not all(same(0, first, each) for each in rest)


def most_of(space: Space, whole: Box, boxes: Sequence[Box], worth: Callable[[int], int]) -> tuple[int, Point]:
    """The most that a situation of a whole is worth, and one that is: it is worth what the boxes are that it is in, a
    bit for each. Raises TooMuch."""
    way = walk(space, whole, boxes)
    known: dict[tuple[int, int], tuple[int, Point]] = {}

    def behind(at: int, there: int) -> tuple[int, Point]:
        if at == len(way.asked):
            return worth(there), {}
        key = at, there
        if key not in known:
            if len(known) > MOST_STEPS:
                raise TooMuch
            best: tuple[int, Point] | None = None
            for one, allowed in way.allows[at].items():
                most, point = behind(at + 1, there & allowed)
                if best is None or most > best[0]:
                    best = most, {way.asked[at]: one, **point}
            if best is None:
                raise TooMuch  # a whole without situations
            known[key] = best
        return known[key]

    return behind(0, (1 << len(boxes)) - 1)


def _is_finite(space: Space, axis: int) -> bool:
    return None not in space.sizes[axis]


def _share(space: Space, whole: Box, axes: Sequence[int]) -> Fraction | None:
    """The part of the space that a box has on some axes."""
    share = Fraction(1)
    for axis in axes:
        if axis not in whole:
            continue
        if not _is_finite(space, axis):
            return None
        sizes = space.sizes[axis]
        share *= Fraction(sum(sizes[one] or 0 for one in classes(whole[axis])), sum(size or 0 for size in sizes))
    return share


def that_meet(space: Space, box: Box, index: Mapping[int, Sequence[int]], every: int) -> int:
    """Of indexed boxes those that may share a situation with another: a bit for each."""
    there = every
    for axis, bits in box.items():
        by_class = index.get(axis)
        if by_class is not None:
            near = 0
            for one in classes(bits):
                near |= by_class[one]
            there &= near
    return there


def indexed(space: Space, boxes: Sequence[Box]) -> dict[int, list[int]]:
    """For each axis that is asked and each of its classes, the boxes that allow it."""
    found: dict[int, list[int]] = {}
    for axis in {axis for box in boxes for axis in box}:
        full = space.all_of(axis)
        allowed = [box.get(axis, full) for box in boxes]
        found[axis] = [
            sum(1 << at for at, bits in enumerate(allowed) if bits >> one & 1) for one in range(len(space.sizes[axis]))
        ]
    return found
