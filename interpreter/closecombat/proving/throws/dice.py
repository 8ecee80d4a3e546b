"""Dice: what a throw can show, and who answers it.

`Thrown` is the value of a rolled fact. Played, it holds faces. Proved, it holds one variable for all its faces
(a few dice: 2d6 is 21 answers), or, for a pool, one variable for each thing that somebody asks of it, so that
forty dice read as "how many sixes" have 41 answers and never six to the fortieth. What can be asked is a sum over the
dice (`Tally`) or the highest of them, the second highest, the lowest (`Ranked`): of either it is enough to know, while
the dice are gone through, what those so far come to (`Gathering`).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from itertools import combinations_with_replacement, product
from math import comb, factorial, gcd
from typing import Protocol, TypeAlias, TypeVar

from closecombat.proving.values.budget import GATHERED, ROW, Budget
from closecombat.proving.values.symbolic import Between, Sym, Value, Workshop, at_least, missing
from closecombat.reading.types import Face
from closecombat.text.faults import Bug, Faulty
from closecombat.text.slotted import dataclass
from closecombat.text.source import Span

Fall: TypeAlias = tuple[Face, ...]  # the faces of one die that stand: more than one where it is thrown once more
Faces: TypeAlias = tuple[tuple[Face, ...], ...]  # for each part of the roll, what its dice show
Way = TypeVar("Way")
MOST_ANSWERS = 1_300  # of one throw whose faces are all told apart
MOST_FALLS = 20_000  # of one die that is thrown once more and once more
SPARSE = 4  # numbers between which the sums of some dice lie, for each way in which they can fall
MOST_ALIKE = 60  # throws of one playing that wild dice decide: then they are fair, so that it ends


@dataclass(frozen=True, slots=True)
class Part:
    """Like dice of one throw, ready to be thrown: `ways` is how often each fall of one die comes up in equal cases.
    A fall is the faces that stand, more than one where it is thrown once more; where that has no end, `at_most` None,
    it is the first face alone, and `tails` goes on. `of` and `place` say what is thrown, and where, for a message."""

    name: str
    faces: tuple[Face, ...]
    ways: tuple[tuple[Fall, int], ...]
    number: Value
    keep: tuple[bool, int] | None
    again: frozenset[Face]
    explode: frozenset[Face]
    at_most: int | None
    of: str = ""
    place: Span | None = None

    @property
    def endless(self) -> bool:
        return self.at_most is None and bool(self.explode)

    @property
    def cases(self) -> int:
        return sum(n for _, n in self.ways)


def part(
    name: str,
    faces: tuple[Face, ...],
    number: Value,
    keep: tuple[bool, int] | None = None,
    again: frozenset[Face] = frozenset(),
    explode: frozenset[Face] = frozenset(),
    at_most: int | None = 0,
    of: str = "",
    place: Span | None = None,
) -> Part:
    if at_most is None and explode and set(faces) <= explode:
        raise Faulty.one(
            "loop-without-end",
            "every face is thrown once more, for ever",
            place,
            help="leave out one, or add `at-most: 3`",
        )
    first: dict[Face, int] = {}
    for face in faces:
        if face in again:
            for second in faces:
                first[second] = first.get(second, 0) + 1
        else:
            first[face] = first.get(face, 0) + (len(faces) if again else 1)
    ways: dict[Fall, int] = {(face,): n for face, n in first.items() if face not in explode or not at_most}
    at_most = at_most if explode else 0
    going: dict[Fall, int] = {(face,): n for face, n in first.items() if (face,) not in ways}
    for level in range(1, (at_most or 0) + 1) if going else ():
        ways, thrown, going = {fall: n * len(faces) for fall, n in ways.items()}, going, {}
        for fall, n in thrown.items():
            for face in faces:
                longer = tuple(sorted((*fall, face), key=faces.index))
                grown = going if face in explode and level < (at_most or 0) else ways
                grown[longer] = grown.get(longer, 0) + n
        if len(ways) + len(going) > MOST_FALLS:
            raise Faulty.one(
                "budget-exceeded",
                f"one die falls in more than {MOST_FALLS} ways",
                place,
                help="let fewer faces be thrown once more, or less often: `at-most`",
            )
    order = tuple(sorted(ways.items(), key=lambda way: [(str(type(face)), face) for face in way[0]]))
    return Part(name, faces, order, number, keep, again, explode, at_most, of, place)


# ---- functions of the faces of a throw, alike when they ask the same ----------------------------------------


@dataclass(frozen=True, slots=True)
class Tally:
    """The sum over all dice of `worth[part, face]`."""

    worth: tuple[tuple[tuple[int, Face], Value], ...]

    def __call__(self, faces: Faces) -> Value:
        if faces is None:
            raise missing(TypeError("no dice"), faces)
        worth = dict(self.worth)
        return sum(worth.get((i, face), 0) for i, part in enumerate(faces) for face in part)

    nothing = 0

    def of(self, part: int, fall: Sequence[Face]) -> Value:
        worth = dict(self.worth)
        return sum(worth.get((part, face), 0) for face in fall)

    def both(self, one: Value, other: Value) -> Value:
        return one + other

    def times(self, one: Value, dice: int) -> Value:
        return one * dice

    def answer(self, gathered: Value) -> Value:
        return gathered


@dataclass(frozen=True, slots=True)
class Ranked:
    """The highest worth among all dice, or the `nth` highest, or lowest; nobody's, None, of fewer dice. Dice of which
    no `worth[part, face]` is said do not count."""

    worth: tuple[tuple[tuple[int, Face], Value], ...]
    highest: bool
    nth: int

    def __call__(self, faces: Faces) -> Value:
        if faces is None:
            raise missing(TypeError("no dice"), faces)
        gathered: tuple[Value, ...] = ()
        for i, part in enumerate(faces):
            gathered = self.both(gathered, self.of(i, part))
        return self.answer(gathered)

    nothing = ()

    def of(self, part: int, fall: Sequence[Face]) -> tuple[Value, ...]:
        worth = dict(self.worth)
        return self._best([worth[part, face] for face in fall if (part, face) in worth])

    def both(self, one: tuple[Value, ...], other: tuple[Value, ...]) -> tuple[Value, ...]:
        return self._best([*one, *other])

    def times(self, one: tuple[Value, ...], dice: int) -> tuple[Value, ...]:
        return self._best(one * min(dice, self.nth))

    def answer(self, gathered: tuple[Value, ...]) -> Value:
        return gathered[self.nth - 1] if len(gathered) == self.nth else None

    def _best(self, values: Sequence[Value]) -> tuple[Value, ...]:
        return tuple(sorted(values, reverse=self.highest)[: self.nth])


@dataclass(frozen=True, slots=True)
class Named:
    """What the only die of one part shows."""

    part: int

    def __call__(self, faces: Faces) -> Value:
        if faces is None:
            raise missing(TypeError("no dice"), faces)
        return faces[self.part][0] if faces[self.part] else None


class Gathering(Protocol):
    """What can be asked of many dice: `nothing` is what no dice come to, `of` what one fall does, `both` what two
    heaps of dice do together, `times` what so many alike do; in the end it is the `answer`."""

    nothing: Value

    def of(self, part: int, fall: Sequence[Face]) -> Value: ...

    def both(self, one: Value, other: Value) -> Value: ...

    def times(self, one: Value, dice: int) -> Value: ...

    def answer(self, gathered: Value) -> Value: ...


@dataclass(slots=True)
class Pool:
    """A throw of many dice in the exact reading: what has been asked of it so far, each with its variable."""

    parts: tuple[Part, ...]
    views: dict[Tally | Ranked, Sym] = field(default_factory=dict)

    def resized(self, numbers: tuple[Value, ...]) -> Pool:
        """The same pool with its numbers of dice written another way."""
        if all(n is one.number for n, one in zip(numbers, self.parts, strict=True)):
            return self
        return Pool(tuple(replace(one, number=n) for one, n in zip(self.parts, numbers, strict=True)), self.views)


@dataclass(frozen=True, slots=True, eq=False)
class Thrown:
    """A roll: `faces` known, or a variable for them, or a Pool; `plus` is added to their sum."""

    parts: tuple[Part, ...]
    faces: Faces | Sym | Pool
    shop: Workshop
    plus: Value = 0

    def sum_of(self, worth: Callable[[int, Face], Value]) -> Value:
        """The sum over the dice of what each is worth; `worth(part, face)` may itself be unknown."""
        known: dict[tuple[int, Face], Value] = {}
        unknown: dict[Sym, list[tuple[int, Face]]] = {}
        for i, one in enumerate(self.parts):
            for value in dict.fromkeys(one.faces):
                each = worth(i, value)
                if type(each) is Sym:
                    unknown.setdefault(each, []).append((i, value))
                elif each:
                    known[i, value] = each
        out = self._tally(known)
        for each, where in unknown.items():
            count = self._tally(dict.fromkeys(where, 1))
            out = self.shop.lift(added, out, self.shop.lift(multiplied, each, count))
        return out

    def _tally(self, worth: dict[tuple[int, Face], Value]) -> Value:
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
        faces = self.sum_of(lambda _, face: face)
        return faces if type(self.plus) is int and self.plus == 0 else self.shop.lift(added, faces, self.plus)

    def ranked(self, worth: Callable[[Face], Value], counts: Callable[[Face], Value], highest: bool, nth: int) -> Value:
        """The highest `worth` of a face among the dice whose face counts, or the nth highest, or lowest; None of
        fewer dice. Which faces count may be unknown."""
        faces = [(i, face) for i, one in enumerate(self.parts) for face in dict.fromkeys(one.faces)]
        guards = {face: counts(face) for face in dict.fromkeys(face for _, face in faces)}
        if not any(type(guard) is Sym for guard in guards.values()):
            ranked = Ranked(tuple((at, worth(at[1])) for at in faces if guards[at[1]]), highest, nth)
            if not isinstance(self.faces, Pool):
                return self.shop.lift(ranked, self.faces)
            if ranked not in self.faces.views:
                self.faces.views[ranked] = self.shop.variable()
            return self.faces.views[ranked]
        out: Value = None
        order = sorted({worth(face) for face in guards}, reverse=highest)
        so_far: list[Value] = []
        for one in order:  # as many as are at least as high as this: then one of these is the one
            shown: Value = 0
            for face in (face for face in guards if worth(face) == one):
                number = self._tally({at: 1 for at in faces if at[1] == face})
                shown = self.shop.lift(added, shown, self.shop.if_(guards[face], number, 0))
            so_far.append(self.shop.lift(added, so_far[-1], shown) if so_far else shown)
        for one, number in zip(reversed(order), reversed(so_far), strict=True):
            out = self.shop.if_(self.shop.lift(at_least, number, nth), one, out)
        return out

    def named(self, name: str) -> Value:
        """What the die of that name shows."""
        for i, one in enumerate(self.parts):
            if one.name == name:
                if isinstance(self.faces, Pool):
                    raise ValueError("a named die stands in a throw of few dice")
                return self.shop.lift(Named(i), self.faces)
        raise KeyError(name)


def added(a: Value, b: Value) -> Value:
    try:
        return a + b
    except TypeError as error:
        raise missing(error, a, b) from error


def multiplied(a: Value, b: Value) -> Value:
    try:
        return int(a) * b if isinstance(a, bool) else a * b
    except TypeError as error:
        raise missing(error, a, b) from error


# ---- every answer with its weight -------------------------------------------------------------------------


def outcomes(parts: Sequence[Part]) -> list[tuple[Faces, int]] | None:
    """Every way a throw of known size can fall, like dice in no order; None if these are too many."""
    size = 1
    if any(one.endless for one in parts):
        return None
    for one in parts:
        size *= comb(one.number + len(one.ways) - 1, one.number) if one.number else 1
    if size > MOST_ANSWERS:
        return None
    out: list[tuple[Faces, int]] = [((), 1)]
    for one in parts:
        falls: dict[tuple[Face, ...], int] = {}
        for shown in combinations_with_replacement(one.ways, one.number):
            weight = factorial(one.number)
            dice = [fall for fall, _ in shown]
            for fall, ways in set(shown):
                n = dice.count(fall)
                weight = weight // factorial(n) * ways**n
            stand = standing(dice, one.keep)
            falls[stand] = falls.get(stand, 0) + weight
        out = [((*before, faces), w * n) for before, w in out for faces, n in falls.items()]
    return out


def standing(dice: Sequence[Fall], keep: tuple[bool, int] | None) -> tuple[Face, ...]:
    """The faces of the dice that are kept, in an order of their own: the highest or lowest by what each die has
    thrown in all."""
    kept = dice if keep is None else sorted(dice, key=worth_of, reverse=keep[0])[: keep[1]]
    return tuple(sorted((face for fall in kept for face in fall), key=lambda face: (str(type(face)), face)))


def worth_of(fall: Sequence[Value]) -> Value:
    """What a die has thrown in all, by which it is kept; of equals the one with the higher lowest face."""
    return sum(fall), sorted(fall)


def gathered(
    ways: Sequence[tuple[tuple[Value, ...], int]], number: int, views: Sequence[Gathering], budget: Budget | None = None
) -> dict[tuple[Value, ...], int]:
    """How often each vector of what is asked comes up when `number` dice are thrown; `ways` is one die's. Spent where
    that is too much."""
    frontier: dict[tuple[int, tuple[Value, ...]], int] = {(number, tuple(view.nothing for view in views)): 1}
    for at, (vector, w) in enumerate(ways):
        many = [tuple(view.times(one, t) for view, one in zip(views, vector, strict=True)) for t in range(number + 1)]
        grown: dict[tuple[int, tuple[Value, ...]], int] = {}
        room = _room(budget, frontier, GATHERED)
        for (left, so_far), weight in frontier.items():
            if budget is not None and len(grown) > room:
                room = budget.room(len(frontier) + len(grown), len(views))
            for t in range(left + 1) if at < len(ways) - 1 else (left,):
                both = tuple(view.both(a, b) for view, a, b in zip(views, so_far, many[t], strict=True))
                key = (left - t, both if t else so_far)
                grown[key] = grown.get(key, 0) + weight * comb(left, t) * w**t
        frontier = grown
    return {vector: weight for (_, vector), weight in frontier.items()}


def _room(budget: Budget | None, frontier: Mapping[tuple[int, tuple[Value, ...]], int], each: int) -> int:
    """Dice are about to be shared out once more; gives how many ways there may be before it is asked for room."""
    if budget is not None:
        budget.product(sum([left + 1 for left, _ in frontier]), each)
    return 0


def sums(
    ways: Sequence[tuple[tuple[int, ...], int]], number: int, budget: Budget | None = None
) -> dict[tuple[int, ...], int]:
    """The same where all is sums, which is quicker.

    The dice are shared out face by face, so that like sums meet early: (dice left, sums so far) -> weight.
    """
    if len(ways[0][0]) == 1 and number > 1 and (found := _one_sum(ways, number, budget)) is not None:
        return found
    *others, last = sorted(ways, key=lambda way: (any(way[0]), way[1]), reverse=True)
    frontier: dict[tuple[int, tuple[int, ...]], int] = {(number, (0,) * len(last[0])): 1}
    for vector, w in others:
        powers = [w**t for t in range(number + 1)]
        grown: dict[tuple[int, tuple[int, ...]], int] = {}
        room = _room(budget, frontier, ROW)
        for (left, so_far), weight in frontier.items():
            if budget is not None and len(grown) > room:
                room = budget.room(len(frontier) + len(grown), len(vector))
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


def _one_sum(
    ways: Sequence[tuple[tuple[int, ...], int]], number: int, budget: Budget | None
) -> dict[tuple[int, ...], int] | None:
    """One sum of many dice, from the least to the highest; none where it has far more numbers than dice can show.

    One die is a polynomial `p`, the dice its power `f = p^n`. So `p f' = n p' f`, which says of each coefficient of
    `f` what it is made of: those before it, one for each face. Where faces follow each other and are alike, `q = p (1 -
    x)` is shorter: `f = q^n / (1 - x)^n`, and `q (1 - x) f' = n (q' (1 - x) + q) f` has three terms for any such die.
    """
    worth: dict[int, int] = {}
    for (one,), w in ways:
        if type(one) is not int:
            return None
        worth[one] = worth.get(one, 0) + w
    low, high = min(worth), max(worth)
    step = gcd(*[one - low for one in worth])
    if not step:
        return {(number * low,): worth[low] ** number}
    p = {(one - low) // step: w for one, w in worth.items()}
    first, most = p[0], number * (high - low) // step
    q = {i: w for i in {*p, *[i + 1 for i in p]} if (w := p.get(i, 0) - p.get(i - 1, 0))}
    plain = {i: ((number + 1) * i * w, w) for i, w in p.items() if i}  # by how far before: what it counts, less k times
    short: dict[int, tuple[int, int]] = {}
    for i in sorted({*q, *[i + 1 for i in q]} - {0}):
        a, b = q.get(i, 0), q.get(i - 1, 0)
        short[i] = number * (i * a - (i - 2) * b) + i * (a - b), a - b
    terms = [(i, *one) for i, one in (short if len(short) < len(plain) else plain).items() if any(one)]
    if most * len(terms) > max(SPARSE * comb(number + len(worth) - 1, number), 10_000):
        return None
    if budget is not None:
        budget.product(most * len(terms))
        places = number * sum(worth.values()).bit_length() // 64
        budget.room(2 * most, places)  # each chance as it is found, and in the row that it goes into
    f = [first**number]
    for k in range(1, most + 1):
        total = sum([f[k - i] * (a - k * b) for i, a, b in terms if i <= k])
        f.append(total // (k * first))
    return {(number * low + step * k,): w for k, w in enumerate(f) if w}


def lots(candidates: Sequence[bool], ties_again: bool) -> tuple[list[tuple[tuple[bool, ...], int]], int]:
    """Who is highest when every candidate throws a d6, as flags with weights, and what these are out of.

    With `ties_again` exactly one is, each as likely as the other.
    """
    places = [i for i, is_one in enumerate(candidates) if is_one]
    n = len(places)
    if ties_again or n <= 1:
        chosen = [tuple(i == place for i in range(len(candidates))) for place in places or [-1]]
        return [(flags, 1) for flags in chosen], len(chosen)
    tied = [sum([lower ** (n - j) for lower in range(6)]) for j in range(n + 1)]  # so many are the highest
    out = []
    for flags in product(*[(False, True) if is_one else (False,) for is_one in candidates]):
        if j := sum(flags):
            out.append((flags, tied[j]))
    return out, 6**n


# ---- who answers when it is played ------------------------------------------------------------------------


class Answers(Protocol):
    """Whoever throws the dice: `face` of one die, told what it is thrown for."""

    def face(self, faces: tuple[Face, ...], what: str) -> Face: ...

    def card(self, cards: Sequence[tuple[str, int]], what: str) -> str: ...

    def begin(self, number: int, what: str, place: Span) -> None: ...


@dataclass(slots=True)
class Die:
    """One die on the table: what it shows, or showed before it was thrown again, and the faces it has added."""

    stands: list[Face]
    before: Face | None = None
    kept: bool = True

    def __str__(self) -> str:
        first, *more = map(str, self.stands)
        again = "" if self.before is None else f"{self.before}→"
        said = again + "!".join([first, *more])
        return said if self.kept else f"({said})"


def throw(answers: Answers, parts: Sequence[Part], what: str, place: Span) -> tuple[Faces, str]:
    """Throws dice as at a table: the handful, then together those that are thrown again, then those that are thrown
    once more, and so on. Gives the faces that stand, and what is told of it: `1→5` was thrown again, `6!4` once
    more, and `(2)` is not kept."""
    answers.begin(sum(one.number for one in parts), what, place)
    hands = [[Die([answers.face(one.faces, what)]) for _ in range(one.number)] for one in parts]
    table = [(one, die) for one, dice in zip(parts, hands, strict=True) for die in dice]
    again = [(one, die) for one, die in table if die.stands[0] in one.again]
    if again:
        answers.begin(len(again), f"{what}, thrown again", place)
    for one, die in again:
        die.before = die.stands[0]
        die.stands = [answers.face(one.faces, f"{what}, {die.before} thrown again")]
    more = [(one, die) for one, die in table if one.at_most != 0 and die.stands[0] in one.explode]
    while more:
        answers.begin(len(more), f"{what}, one more for each", place)
        for one, die in more:
            die.stands.append(answers.face(one.faces, f"{what}, one more for {die.stands[-1]}"))
        more = [
            (one, die)
            for one, die in more
            if die.stands[-1] in one.explode and (one.at_most is None or len(die.stands) <= one.at_most)
        ]
    for one, dice in zip(parts, hands, strict=True):
        if one.keep is not None:
            order = sorted(dice, key=lambda die: worth_of(tuple(die.stands)), reverse=one.keep[0])
            for die in order[one.keep[1] :]:
                die.kept = False
    faces = tuple(tuple(face for die in dice if die.kept for face in die.stands) for dice in hands)
    told = " + ".join(" ".join(map(str, dice)) for dice in hands if dice)
    return faces, told or "no dice"


class SeededDice:
    """Dice from a seed: the same seed throws the same."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def begin(self, number: int, what: str, place: Span) -> None:
        pass

    def face(self, faces: tuple[Face, ...], what: str) -> Face:
        return faces[self._random.randrange(len(faces))]

    def card(self, cards: Sequence[tuple[str, int]], what: str) -> str:
        pick = self._random.randrange(sum(n for _, n in cards))
        for word, n in cards:
            pick -= n
            if pick < 0:
                return word
        raise Bug("a card beyond the deck")


class WildDice(SeededDice):
    """Dice from a seed that often fall alike, or at an end: they soon show what fair dice show once in a thousand
    playings. Nothing can be counted by them, only found."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self._lean: dict[str, int | None] = {}
        self._thrown = 0

    def begin(self, number: int, what: str, place: Span) -> None:
        self._thrown += 1
        if self._thrown > MOST_ALIKE:
            self._lean.clear()

    def face(self, faces: tuple[Face, ...], what: str) -> Face:
        if what not in self._lean:
            ways = (0, -1, None, self._random.randrange(len(faces)))
            self._lean[what] = self._random.choice(ways) if self._thrown <= MOST_ALIKE else None
        lean = self._lean[what]
        return super().face(faces, what) if lean is None else faces[min(lean, len(faces) - 1)]


class WildFalls:
    """How throws fall whose ways are known, from a seed: of every third all ways come up alike, of others mostly those
    at an end. Nothing can be counted by them, only found."""

    def __init__(self, seed: int) -> None:
        self._random, self._leans = random.Random(seed), seed % 3 != 0

    def one_of(self, ways: Sequence[tuple[Way, int]]) -> Way:
        """One of some ways to fall, each of which has a weight."""
        at = self._random.randrange(len(ways))
        return ways[self._random.choice((0, -1, at)) if self._leans else at][0]


def _wrongly_grouped(group: Group, what: str, number: int) -> Faulty:
    there = group.end - group.begin
    dice = f"these {there} dice stand together" if there != 1 else "this die stands by itself"
    takes = f"{number} dice are" if number > 1 else "1 die is" if number else "more dice are"
    return Faulty.one(
        "dice-grouped-wrongly",
        f"{dice}, and {takes} rolled for {what}",
        group.span,
        help="group the dice as they are rolled: what stands together in brackets, or as a tally, is one roll",
    )


@dataclass(frozen=True, slots=True)
class Other:
    """A die of which it is only said that it shows none of these."""

    but: tuple[Face, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """Dice that were written together, as one roll: from one place up to another."""

    begin: int
    end: int
    span: Span


class ScriptedDice:
    """Dice already thrown, in rolling order: single faces; too few, too many or impossible ones are faults, and so is
    a group of dice that are not one roll."""

    def __init__(self, faces: Sequence[tuple[Face | Other, Span | None]], groups: Sequence[Group] = ()) -> None:
        self._faces = list(faces)
        self._groups = list(groups)  # those still to come
        self._rolled: tuple[Group, str, int] | None = None  # the group that the last roll began with
        self._next = self._number = 0  # which face is next, and how many dice the roll has
        self._end = faces[-1][1] if faces else None

    def begin(self, number: int, what: str, place: Span) -> None:
        self._begin(number, what)

    def _begin(self, number: int, what: str) -> None:
        self._number = number
        self._rolled_off()
        if self._groups and self._groups[0].begin == self._next:
            group = self._groups[0]
            if (group.begin == group.end) is (number == 0):
                self._rolled = self._groups.pop(0), what, number
            elif number:
                raise _wrongly_grouped(group, what, number)

    def _rolled_off(self) -> None:
        """The last roll has taken the dice of its group, neither more nor fewer."""
        if self._rolled is not None and self._next != self._rolled[0].end:
            raise _wrongly_grouped(*self._rolled)
        self._rolled = None

    def face(self, faces: tuple[Face, ...], what: str) -> Face:
        if self._rolled is not None and self._next == self._rolled[0].end > self._rolled[0].begin:
            raise _wrongly_grouped(*self._rolled)
        if self._rolled is None and self._groups and self._groups[0].begin == self._next:
            raise _wrongly_grouped(self._groups[0], what, 0)
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
            several = f", and {self._number} are rolled: each is given by itself, as `[{faces[0]}, {faces[-1]}"
            help = f"it shows {known}" + (several + ("]`" if self._number == 2 else ", ..]`")) * (self._number > 1)
            raise Faulty.one("no-such-face", f"a die rolled for {what} cannot show `{value}`", span, help=help)
        return value

    def card(self, cards: Sequence[tuple[str, int]], what: str) -> str:
        if self._rolled is None or self._next == self._rolled[0].end:
            self._begin(1, what)
        return str(self.face(tuple(word for word, n in cards if n), what))

    def finish(self) -> None:
        """Raises a fault if dice are left over."""
        self._rolled_off()
        left = len(self._faces) - self._next
        if left:
            value, span = self._faces[self._next]
            raise Faulty.one(
                "dice-left-over",
                f"{left} of the {len(self._faces)} dice were never rolled, the first is `{value}`",
                span,
                help="take them out, or look in the trace for the roll that did not happen",
            )
