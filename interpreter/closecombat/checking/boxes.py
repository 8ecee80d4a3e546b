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
from functools import reduce
from operator import or_
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
    index = indexed(space, boxes)
    near = that_meet(space, whole, index)
    asked = _most_asked_first(index, near)
    ends = _ends(index, asked, near)
    insides = [_inside(space, whole, asked[at:]) for at in range(len(asked) + 1)]
    known: dict[tuple[int, int], tuple[Point, int | None] | None] = {}

    def behind(at: int, there: int) -> tuple[Point, int | None] | None:
        """A situation of what is left behind an axis, and how many there are."""
        if not there:
            return {}, insides[at]
        if there & ends[at]:
            return None
        key = at, there
        if key in known:
            return known[key]
        if len(known) > MOST_STEPS:
            raise TooMuch
        axis = asked[at]
        found: Point | None = None
        number: int | None = 0
        for one in classes(whole.get(axis, space.all_of(axis))):
            rest = behind(at + 1, there & index.allows[axis][one])
            if rest is None:
                continue
            point, more = rest
            if found is None:
                found = {axis: one, **point}
            size = space.sizes[axis][one]
            number = None if number is None or more is None or size is None else number + size * more
        known[key] = None if found is None else (found, number)
        return known[key]

    found = behind(0, near)
    if found is None:
        return None
    all_there_are = _inside(space, {}, asked)
    return Left(found[0], None if found[1] is None or not all_there_are else Fraction(found[1], all_there_are))


def is_covered(space: Space, whole: Box, index: Indexed, among: int | None = None) -> bool:
    """Whether boxes cover a whole: all of them, or those `among` them, a bit for each. Raises TooMuch."""
    near = that_meet(space, whole, index) & (index.every if among is None else among)
    if near & that_hold(space, whole, index):
        return True
    asked = _most_asked_first(index, near)
    ends = _ends(index, asked, near)
    covered: set[tuple[int, int]] = set()

    def behind(at: int, there: int) -> bool:
        if not there:
            return False
        if there & ends[at] or (at, there) in covered:
            return True
        if len(covered) > MOST_STEPS:
            raise TooMuch
        axis = asked[at]
        allowed = {there & index.allows[axis][one] for one in classes(whole.get(axis, space.all_of(axis)))}
        if not all(behind(at + 1, each) for each in allowed):
            return False
        covered.add((at, there))
        return True

    return behind(0, near)


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


def _inside(space: Space, whole: Box, axes: Sequence[int]) -> int | None:
    """How many situations a box has on some axes; None where there is no telling."""
    number = 1
    for axis in axes:
        sizes = space.sizes[axis]
        if None in sizes:
            return None
        number *= sum(sizes[one] or 0 for one in classes(whole.get(axis, space.all_of(axis))))
    return number


@dataclass(frozen=True, slots=True)
class Indexed:
    """Boxes by what they ask, a bit for each: on every axis that one of them asks, for each class those that allow it,
    and those that ask at all."""

    allows: Mapping[int, Sequence[int]]
    asks: Mapping[int, int]
    every: int


def indexed(space: Space, boxes: Sequence[Box]) -> Indexed:
    """Boxes by what they ask."""
    every = (1 << len(boxes)) - 1
    allows: dict[int, list[int]] = {}
    asks: dict[int, int] = {}
    for at, box in enumerate(boxes):
        for axis, bits in box.items():
            by_class = allows.setdefault(axis, [0] * len(space.sizes[axis]))
            asks[axis] = asks.get(axis, 0) | 1 << at
            for one in classes(bits & space.all_of(axis)):
                by_class[one] |= 1 << at
    return Indexed({axis: [each | every & ~asks[axis] for each in got] for axis, got in allows.items()}, asks, every)


def that_meet(space: Space, whole: Box, index: Indexed) -> int:
    """Of indexed boxes those that share a situation with another: a bit for each."""
    there = index.every
    for axis, bits in whole.items():
        by_class = index.allows.get(axis)
        if by_class is not None:
            there &= reduce(or_, (by_class[one] for one in classes(bits & space.all_of(axis))), 0)
    return there


def that_hold(space: Space, whole: Box, index: Indexed) -> int:
    """Of indexed boxes those that another lies within: a bit for each."""
    there = index.every
    for axis, by_class in index.allows.items():
        for one in classes(whole.get(axis, space.all_of(axis))):
            there &= by_class[one]
    return there


def _most_asked_first(index: Indexed, near: int) -> list[int]:
    """The axes that some boxes ask."""
    often = {axis: (bits & near).bit_count() for axis, bits in index.asks.items() if bits & near}
    return sorted(often, key=lambda axis: -often[axis])


def _ends(index: Indexed, asked: Sequence[int], near: int) -> list[int]:
    """Of some boxes those that ask nothing more from each axis on; all of them behind the last."""
    out = [near]
    for axis in reversed(asked):
        out.append(out[-1] & ~index.asks[axis])
    return out[::-1]
