"""Dice: what a throw can show, and who answers it.

`Thrown` is the value of a rolled fact. Played, it holds faces. Proved, it holds one variable for all its faces
(a few dice: 2d6 is 21 answers), or, for a pool, one variable for each sum that somebody asks of it, so that
forty dice read as "how many sixes" have 41 answers and never six to the fortieth.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations_with_replacement, product
from math import comb, factorial
from typing import Any, Protocol

from closecombat.diagnostics import Bug, Faulty
from closecombat.source import Span
from closecombat.symbolic import Between, Sym, Value, Workshop, missing

Faces = tuple[tuple[Any, ...], ...]  # for each part of the roll, what its dice show
MOST_ANSWERS = 1_300  # of one throw whose faces are all told apart
MOST_DICE = 400


@dataclass(frozen=True, slots=True)
class Part:
    """Like dice of one throw, ready to be thrown: `ways` is how often each value comes up in equal cases."""

    name: str
    faces: tuple[Any, ...]
    ways: tuple[tuple[Any, int], ...]
    number: Value
    keep: tuple[bool, int] | None
    again: frozenset[Any]
    explode: frozenset[Any]
    at_most: int

    @property
    def cases(self) -> int:
        return sum(n for _, n in self.ways)


def part(
    name: str,
    faces: tuple[Any, ...],
    number: Value,
    keep: tuple[bool, int] | None = None,
    again: frozenset[Any] = frozenset(),
    explode: frozenset[Any] = frozenset(),
    at_most: int = 0,
) -> Part:
    ways: dict[Any, int] = {}
    for face in faces:
        if face in again:
            for second in faces:
                ways[second] = ways.get(second, 0) + 1
        else:
            ways[face] = ways.get(face, 0) + (len(faces) if again else 1)
    for _ in range(at_most):
        cases, grown = sum(ways.values()), dict[Any, int]()
        for face in faces:
            for more, n in ways.items() if face in explode else ((0, cases),):
                grown[face + more] = grown.get(face + more, 0) + n
        ways = grown
    return Part(
        name,
        faces,
        tuple(sorted(ways.items(), key=lambda w: (str(type(w[0])), w[0]))),
        number,
        keep,
        again,
        explode,
        at_most,
    )


# ---- functions of the faces of a throw, alike when they ask the same ----------------------------------------


@dataclass(frozen=True, slots=True)
class Tally:
    """The sum over all dice of `worth[part, face]`."""

    worth: tuple[tuple[tuple[int, Any], Any], ...]

    def __call__(self, faces: Faces) -> Any:
        if faces is None:
            raise missing(TypeError("no dice"), faces)
        worth = dict(self.worth)
        return sum(worth.get((i, face), 0) for i, part in enumerate(faces) for face in part)


@dataclass(frozen=True, slots=True)
class Named:
    """What the only die of one part shows."""

    part: int

    def __call__(self, faces: Faces) -> Any:
        if faces is None:
            raise missing(TypeError("no dice"), faces)
        return faces[self.part][0] if faces[self.part] else None


@dataclass(slots=True)
class Pool:
    """A throw of many dice in the exact reading: the sums asked of it so far, each with its variable."""

    parts: tuple[Part, ...]
    views: dict[Tally, Sym] = field(default_factory=dict)

    def resized(self, numbers: tuple[Value, ...]) -> Pool:
        """The same pool with its numbers of dice written another way."""
        if all(n is one.number for n, one in zip(numbers, self.parts, strict=True)):
            return self
        return Pool(tuple(replace(one, number=n) for one, n in zip(self.parts, numbers, strict=True)), self.views)


@dataclass(frozen=True, slots=True, eq=False)
class Thrown:
    """A roll: `faces` known, or a variable for them, or a Pool."""

    parts: tuple[Part, ...]
    faces: Faces | Sym | Pool
    shop: Workshop

    def sum_of(self, worth: Callable[[int, Any], Value]) -> Value:
        """The sum over the dice of what each is worth; `worth(part, face)` may itself be unknown."""
        known: dict[tuple[int, Any], Any] = {}
        unknown: dict[Sym, list[tuple[int, Any]]] = {}
        for i, one in enumerate(self.parts):
            for value, _ in one.ways:
                each = worth(i, value)
                if type(each) is Sym:
                    unknown.setdefault(each, []).append((i, value))
                elif each:
                    known[i, value] = each
        out = self._tally(known)
        for each, where in unknown.items():
            count = self._tally(dict.fromkeys(where, 1))
            out = self.shop.lift(_add, out, self.shop.lift(_times, each, count))
        return out

    def _tally(self, worth: dict[tuple[int, Any], Any]) -> Value:
        if not worth:
            return 0
        tally = Tally(tuple(worth.items()))
        if isinstance(self.faces, Pool):
            if tally not in self.faces.views:
                var = self.faces.views[tally] = self.shop.variable()
                if all(type(w) is int and w >= 0 for w in worth.values()):
                    self.shop.ranges[var] = Between(0, None, True)
            out: Value = self.faces.views[tally]
        else:
            out = self.shop.lift(tally, self.faces)
        if type(out) is Sym and all(type(w) is int for w in worth.values()):
            self.shop.whole.add(out)
        return out

    def total(self) -> Value:
        return self.sum_of(lambda _, face: face)

    def named(self, name: str) -> Value:
        """What the die of that name shows."""
        for i, one in enumerate(self.parts):
            if one.name == name:
                if isinstance(self.faces, Pool):
                    raise ValueError("a named die stands in a throw of few dice")
                return self.shop.lift(Named(i), self.faces)
        raise KeyError(name)


def _add(a: Any, b: Any) -> Any:
    try:
        return a + b
    except TypeError as error:
        raise missing(error, a, b) from error


def _times(a: Any, b: Any) -> Any:
    try:
        return int(a) * b if isinstance(a, bool) else a * b
    except TypeError as error:
        raise missing(error, a, b) from error


# ---- every answer with its weight -------------------------------------------------------------------------


def outcomes(parts: Sequence[Part]) -> list[tuple[Faces, int]] | None:
    """Every way a throw of known size can fall, like dice in no order; None if these are too many."""
    size = 1
    for one in parts:
        size *= comb(one.number + len(one.ways) - 1, one.number) if one.number else 1
    if size > MOST_ANSWERS:
        return None
    out: list[tuple[Faces, int]] = [((), 1)]
    for one in parts:
        falls: dict[tuple[Any, ...], int] = {}
        for shown in combinations_with_replacement(one.ways, one.number):
            weight = factorial(one.number)
            faces = tuple(face for face, _ in shown)
            for face, ways in set(shown):
                n = faces.count(face)
                weight = weight // factorial(n) * ways**n
            kept = _kept(faces, one.keep)
            falls[kept] = falls.get(kept, 0) + weight
        out = [((*before, faces), w * n) for before, w in out for faces, n in falls.items()]
    return out


def _kept(faces: tuple[Any, ...], keep: tuple[bool, int] | None) -> tuple[Any, ...]:
    if keep is None:
        return faces
    return tuple(sorted(faces, reverse=keep[0])[: keep[1]])


def sums(ways: Sequence[tuple[tuple[int, ...], int]], number: int) -> dict[tuple[int, ...], int]:
    """How often each vector of sums comes up when `number` dice are thrown; `ways` is one die's.

    The dice are shared out face by face, so that like sums meet early: (dice left, sums so far) -> weight.
    """
    *others, last = sorted(ways, key=lambda way: (any(way[0]), way[1]), reverse=True)
    frontier: dict[tuple[int, tuple[int, ...]], int] = {(number, (0,) * len(last[0])): 1}
    for vector, w in others:
        powers = [w**t for t in range(number + 1)]
        grown: dict[tuple[int, tuple[int, ...]], int] = {}
        for (left, so_far), weight in frontier.items():
            for t in range(left + 1):
                key = (left - t, tuple([a + t * b for a, b in zip(so_far, vector, strict=True)]) if t else so_far)
                grown[key] = grown.get(key, 0) + weight * comb(left, t) * powers[t]
        frontier = grown
    vector, w = last
    out: dict[tuple[int, ...], int] = {}
    for (left, so_far), weight in frontier.items():
        total = tuple([a + left * b for a, b in zip(so_far, vector, strict=True)]) if any(vector) else so_far
        out[total] = out.get(total, 0) + weight * w**left
    return out


def lots(candidates: Sequence[bool], ties_again: bool) -> tuple[list[tuple[tuple[bool, ...], int]], int]:
    """Who is highest when every candidate throws a d6, as flags with weights, and what these are out of.

    With `ties_again` exactly one is, each as likely as the other.
    """
    places = [i for i, is_one in enumerate(candidates) if is_one]
    n = len(places)
    if ties_again or n <= 1:
        chosen = [tuple(i == place for i in range(len(candidates))) for place in places or [-1]]
        return [(flags, 1) for flags in chosen], len(chosen)
    out = []
    for picked in product((False, True), repeat=n):
        if j := sum(picked):
            flags = [False] * len(candidates)
            for place, is_picked in zip(places, picked, strict=True):
                flags[place] = is_picked
            out.append((tuple(flags), sum((v - 1) ** (n - j) for v in range(1, 7))))
    return out, 6**n


# ---- who answers when it is played ------------------------------------------------------------------------


class Answers(Protocol):
    """Whoever throws the dice: `face` of one die, told what it is thrown for."""

    def face(self, faces: tuple[Any, ...], what: str) -> Any: ...

    def card(self, cards: Sequence[tuple[str, int]], what: str) -> str: ...

    def begin(self, number: int, what: str, place: Span) -> None: ...


def throw(answers: Answers, parts: Sequence[Any], what: str, place: Span) -> Faces:
    """Throws dice: the face of each is asked for, in the order of the parts."""
    answers.begin(sum(one.number for one in parts), what, place)
    out = []
    for one in parts:
        faces = []
        for _ in range(one.number):
            face = answers.face(one.faces, what)
            if face in one.again:
                face = answers.face(one.faces, what)
            last, more = face, 0
            while last in one.explode and more < one.at_most:
                last = answers.face(one.faces, what)
                face, more = face + last, more + 1
            faces.append(face)
        if one.keep is not None:
            faces = sorted(faces, reverse=one.keep[0])[: one.keep[1]]
        out.append(tuple(faces))
    return tuple(out)


class SeededDice:
    """Dice from a seed: the same seed throws the same."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def begin(self, number: int, what: str, place: Span) -> None:
        pass

    def face(self, faces: tuple[Any, ...], what: str) -> Any:
        return faces[self._random.randrange(len(faces))]

    def card(self, cards: Sequence[tuple[str, int]], what: str) -> str:
        pick = self._random.randrange(sum(n for _, n in cards))
        for word, n in cards:
            pick -= n
            if pick < 0:
                return word
        raise Bug("a card beyond the deck")


@dataclass(frozen=True, slots=True)
class Other:
    """A die of which it is only said that it shows none of these."""

    but: tuple[Any, ...]


class ScriptedDice:
    """Dice already thrown, in rolling order: single faces; too few, too many or impossible ones are faults."""

    def __init__(self, faces: Sequence[tuple[Any, Span | None]]) -> None:
        self._faces = list(faces)
        self._next = 0
        self._end = faces[-1][1] if faces else None

    def begin(self, number: int, what: str, place: Span) -> None:
        pass

    def face(self, faces: tuple[Any, ...], what: str) -> Any:
        if self._next >= len(self._faces):
            raise Faulty.one(
                "dice-missing",
                f"the dice run out: {what} is still to be rolled",
                self._end,
                help=f"{self._next} dice were given; add this one",
            )
        value, span = self._faces[self._next]
        self._next += 1
        if isinstance(value, Other):
            value = next((face for face in faces if face not in value.but), value)
        if value not in faces:
            known = (
                f"{faces[0]} to {faces[-1]}" if isinstance(faces[0], int) else ", ".join(map(str, dict.fromkeys(faces)))
            )
            raise Faulty.one(
                "no-such-face", f"a die rolled for {what} cannot show `{value}`", span, help=f"it shows {known}"
            )
        return value

    def card(self, cards: Sequence[tuple[str, int]], what: str) -> str:
        return str(self.face(tuple(word for word, n in cards if n), what))

    def finish(self) -> None:
        """Raises a fault if dice are left over."""
        left = len(self._faces) - self._next
        if left:
            value, span = self._faces[self._next]
            raise Faulty.one(
                "dice-left-over",
                f"{left} of the {len(self._faces)} dice were never rolled, the first is `{value}`",
                span,
                help="take them out, or look in the trace for the roll that did not happen",
            )
