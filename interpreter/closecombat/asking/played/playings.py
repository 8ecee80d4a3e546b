"""Many playings of one fight, counted: how each side ends, what it loses, how long it takes, whatever is asked.

Playing `n` of seed `s` has dice of its own, made from the two and from nothing else (`seed_of`). So it is the same
whoever plays it and whatever is played beside it, and `resolve --seed s --playing n` tells its story. What is counted
is added up in the order of the playings, however they were shared out (`batches`), and a share is given with the bounds
between which the chance lies. The chances themselves are `chances`; playings that are carried out many at a time, and
of which none can be told by itself, are `together`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction
from functools import lru_cache, partial
from hashlib import sha256
from math import isqrt
from typing import TypeVar

from closecombat.asking.crews.batches import Crew, carried_out
from closecombat.asking.exact.answers import SIDES, Assumption, Chances
from closecombat.asking.exact.chances import assumptions, left_open, printed, scale, work_out
from closecombat.asking.exact.questions import as_texts, ask_about, one_value, place_among
from closecombat.asking.exact.weighing import kinds_by
from closecombat.asking.fights.fight_files import Scene, ruleset_of, staged
from closecombat.playing.fight import Fight, asked, begin, changes, check_answers, go, losses, sentence, verdicts
from closecombat.playing.often import played, recalls
from closecombat.playing.run import Run
from closecombat.proving.throws.dice import SeededDice
from closecombat.proving.values.budget import TAKES_LONG, UNASKED
from closecombat.proving.values.symbolic import Value
from closecombat.reading.model import name_of_stack
from closecombat.reading.sentences import parse
from closecombat.reading.types import Exact, Number, Roll, Thing, Type, exact
from closecombat.text.faults import Faulty
from closecombat.text.nodes import Text
from closecombat.text.slotted import dataclass

SURE = Fraction(49, 25)  # standard deviations on either side hold 95 of 100
FINE = 10**9  # the bounds are worked out to such a part

Key = TypeVar("Key", bound=Hashable)
Facts = tuple[tuple[str, tuple[tuple[str, Value], ...]], ...]  # whose, and what has changed
End = tuple[tuple[tuple[str, str], ...], Facts]  # each side's verdict, and what has changed


def seed_of(seed: int, number: int) -> int:
    """The seed of one playing among those of a seed."""
    return int.from_bytes(sha256(f"{seed} {number}".encode()).digest()[:16], "big")


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be played, so that any process can; each playing for no more than `most_work`."""

    scene: Scene
    ruleset: str
    options: tuple[str, ...]
    seed: int
    until_resolved: bool
    by: str = SIDES
    questions: tuple[str, ...] = ()
    most_work: int | None = UNASKED


# ---- counted ----------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Times:
    """How often something came up, and in which playing first; for an end also what was lost in all of them."""

    times: int = 0
    first: int = 0
    lost: dict[str, Exact] = field(default_factory=dict)

    def add(self, other: Times) -> None:
        self.first = self.first if self.times else other.first
        self.times += other.times
        for side, amount in other.lost.items():
            self.lost[side] = self.lost.get(side, 0) + amount


@dataclass(slots=True)
class Tally:
    """What some playings, one after the other, have come to. What came up first stands first."""

    played: int = 0
    ends: dict[End, Times] = field(default_factory=dict)
    losses: dict[tuple[str, Exact], Times] = field(default_factory=dict)
    answers: dict[tuple[int, Value], Times] = field(default_factory=dict)
    combats: dict[int, Times] = field(default_factory=dict)
    refused: dict[tuple[str, str], Times] = field(default_factory=dict)  # code and message
    assumed: dict[Assumption, None] = field(default_factory=dict)
    remarks: dict[str, None] = field(default_factory=dict)

    @property
    def ended(self) -> int:
        return self.played - sum(one.times for one in self.refused.values())

    def add(self, later: Tally) -> None:
        """Takes over what the playings after these have come to."""
        self.played += later.played
        _added(self.ends, later.ends)
        _added(self.losses, later.losses)
        _added(self.answers, later.answers)
        _added(self.combats, later.combats)
        _added(self.refused, later.refused)
        self.assumed |= later.assumed
        self.remarks |= later.remarks


def _added(mine: dict[Key, Times], others: Mapping[Key, Times]) -> None:
    for key, times in others.items():
        mine.setdefault(key, Times()).add(times)


@dataclass(frozen=True, slots=True)
class Counted:
    """What one playing has come to, as far as it is counted."""

    end: End
    lost: Mapping[str, Exact]
    answers: tuple[tuple[int, Value], ...]
    combats: int
    assumed: tuple[Assumption, ...]
    remarks: tuple[str, ...]


def tallied(order: Order, numbers: tuple[int, ...]) -> Tally:
    """Plays the playings of these numbers, which rise."""
    fight, out = fight_of(order), Tally()
    ask = partial(_ended, order, as_texts(order.questions))
    what = order.by, order.questions
    for number in numbers:
        out.played += 1
        dice = SeededDice(seed_of(order.seed, number))
        try:
            if recalls(fight, dice):
                ended, _ = played(fight, dice, order.until_resolved, what, ask, most_work=order.most_work)
            else:
                run = begin(fight, dice)
                run.may_spend(order.most_work)
                go(run, order.until_resolved)
                ended = ask(run)
            _count(out, ended, number)
        except Faulty as error:
            fault = error.diagnostics[0]
            refused = fault.code, fault.message
            out.refused.setdefault(refused, Times()).add(Times(1, number))
    return out


def fight_of(order: Order) -> Fight:
    """The fight of an order, made ready once in each thread: what a ruleset has found out is written down in it."""
    return _fight_of(order, threading.get_ident())


def read_anew() -> None:
    """What is played next is read from its files again: they may have changed."""
    _fight_of.cache_clear()


@lru_cache(maxsize=2)
def _fight_of(order: Order, thread: int) -> Fight:
    fight = staged(order.scene, ruleset_of(order.scene, order.ruleset), order.options)
    return replace(fight, questions=tuple(as_texts(order.questions)))


def _ended(order: Order, texts: Sequence[Text], run: Run) -> Counted:
    kinds = kinds_by(run.ruleset, order.by)
    ends, lost = verdicts(run), losses(run)
    answers = tuple((place, plain_value(asked(run, text)[0])) for place, text in enumerate(texts))
    changed = tuple(
        (thing.name, facts_of(facts)) for thing, facts in (changes(run) if kinds else {}).items() if thing.kind in kinds
    )
    return Counted(
        (tuple((thing.name, str(verdict)) for thing, verdict in ends.items()), changed),
        {thing.name: exact(amount) for thing, amount in lost.items()},
        answers,
        run.combats_begun,
        assumptions(run.ruleset, run.notes),
        left_open(run.notes),
    )


def _count(out: Tally, ended: Counted, number: int) -> None:
    out.ends.setdefault(ended.end, Times()).add(Times(1, number, dict(ended.lost)))
    for lost_so in ended.lost.items():
        out.losses.setdefault(lost_so, Times()).add(Times(1, number))
    for answer in ended.answers:
        out.answers.setdefault(answer, Times()).add(Times(1, number))
    out.combats.setdefault(ended.combats, Times()).add(Times(1, number))
    out.assumed |= dict.fromkeys(ended.assumed)
    out.remarks |= dict.fromkeys(ended.remarks)


def facts_of(facts: Mapping[str, Value]) -> tuple[tuple[str, Value], ...]:
    return tuple((name, plain_value(facts[name])) for name in sorted(facts))


def plain_value(value: Value) -> Value:
    """A value that means the same in another run."""
    return value.name if isinstance(value, Thing) else value


# ---- told -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Share:
    """How often something came up among how many, and in which playing first, if that can be told by itself; and its
    chance, where that is worked out."""

    times: int
    of: int
    first: int | None
    chance: Fraction | None = None

    @property
    def share(self) -> Fraction:
        return Fraction(self.times, self.of)

    @property
    def between(self) -> tuple[Fraction, Fraction]:
        """The bounds of Wilson: whatever the chance is, it lies between such bounds about 95 times of 100. They are
        rounded away from each other."""
        n, p = self.of, self.share
        spread = SURE * _root(p * (1 - p) / n + (SURE / (2 * n)) ** 2)
        middle, wide = p + SURE**2 / (2 * n), 1 + SURE**2 / n
        return max(Fraction(0), (middle - spread) / wide), min(Fraction(1), (middle + spread) / wide)


def _root(value: Fraction) -> Fraction:
    """The square root, or a little more."""
    return Fraction(isqrt(value.numerator * FINE**2 // value.denominator) + 1, FINE)


@dataclass(frozen=True, slots=True)
class Ended:
    """One end: each side's verdict, what has changed of whom, and each side's strength lost on average."""

    sides: Mapping[str, str]
    units: Mapping[str, Mapping[str, Value]]
    lost: Mapping[str, Exact]
    share: Share


@dataclass(frozen=True, slots=True)
class Amounts:
    """Numbers as they came up, least first; `mean` of them, within `about` of which the true mean lies 95 times of
    100, and the true mean where it is worked out. Words and flags have no mean."""

    found: Sequence[tuple[Value, Share]]
    mean: Exact | None
    about: Fraction | None = None
    exact: Exact | None = None


@dataclass(frozen=True, slots=True)
class Refused:
    """Playings that came to no end: the code and the message of the fault."""

    code: str
    message: str
    times: int
    first: int | None


@dataclass(frozen=True, slots=True)
class Statistics:
    """Playings 1 to `played` of those asked for. Shares are of those that came to an end, the most frequent first;
    `unit` is what strength lost is counted in. If `together`, none of them can be told by itself; `alone_because` says
    why they were played one by one where they were to be carried out together."""

    ruleset: str
    title: str
    seed: int
    asked_for: int
    played: int
    ended: int
    by: str
    ends: Sequence[Ended]
    verdicts: Mapping[str, Mapping[str, Share]]
    losses: Mapping[str, Amounts]
    unit: str
    answers: Mapping[str, Amounts]
    combats: Amounts | None
    refused: Sequence[Refused]
    assumptions: Sequence[Assumption]
    remarks: Sequence[str]
    printed: frozenset[str]
    together: bool = False
    alone_because: str = ""


@dataclass(frozen=True, slots=True)
class Way:
    """How playings are carried out: so many in a piece of work, the last of which may be shorter; and what a number of
    pieces come to, by the numbers of these, which rise from 1."""

    each: int
    work: Callable[[tuple[int, ...]], Tally]


def play_often(
    order: Order,
    times: int,
    crew: Crew,
    exactly: bool = False,
    watch: Callable[[int, int], None] | None = None,
    way: Way | None = None,
) -> Statistics:
    """The statistics of so many playings; with `exactly` the chances beside them, where these take no more than a
    playing may: else that is foretold before anything is played. They are played one by one, or in another way.

    Interrupted, it tells of those that were played until then without a gap. Raises Faulty for what is wrong with the
    fight whatever the dice, if none of the playings comes to an end, and for the first of them that takes too long.
    """
    if way is None:
        read_anew()
    fight, types = _tried(order)
    beside = _Exactly(order if exactly else None)
    tally = _all_played(way or Way(1, partial(tallied, order)), times, crew, watch)
    if not tally.ended:
        if not tally.played:
            raise KeyboardInterrupt
        first = begin(fight, SeededDice(seed_of(order.seed, 1)))
        go(first, order.until_resolved)
        _ended(order, as_texts(order.questions), first)  # one of the two refuses, too
    return _told(fight, order, tally, times, types, beside, way is not None)


def _tried(order: Order) -> tuple[Fight, list[Type]]:
    """The fight and the types of what is asked of it, once it is clear that it can be played."""
    fight = fight_of(order)
    kinds_by(fight.bound.ruleset, order.by)
    run = begin(fight, SeededDice(seed_of(order.seed, 1)))
    run.may_spend(order.most_work)
    types = [one_value(sentence(run, parse(text, "value"))[0].type, text) for text in as_texts(order.questions)]
    try:
        go(run, order.until_resolved)
    except Faulty as error:
        if TAKES_LONG in error.codes:
            raise
        return fight, types  # it is counted
    check_answers(run, fight)
    return fight, types


def _all_played(way: Way, times: int, crew: Crew, watch: Callable[[int, int], None] | None) -> Tally:
    """The tally of the playings, added up in their order."""
    tally, waiting, pieces = Tally(), dict[int, tuple[int, Tally]](), 0
    try:
        for numbers, found in carried_out(crew, way.work, iter(range(1, -(-times // way.each) + 1))):
            waiting[numbers[0]] = len(numbers), found if found is not None else _lost(numbers[0], way.each, times)
            while (after := waiting.pop(pieces + 1, None)) is not None:
                pieces += after[0]
                tally.add(after[1])
                _is_short(after[1])
            if watch is not None:
                watch(tally.played, times)
    except KeyboardInterrupt:
        pass  # what was played until then is told
    return tally


def _is_short(tally: Tally) -> None:
    """Faulty if a playing took too long: others would, too, and nobody knows how many."""
    for (code, message), found in tally.refused.items():
        if code == TAKES_LONG:
            help = f"go on with --yes; that one is told by `resolve --seed .. --playing {found.first}`"
            raise Faulty.one(TAKES_LONG, f"playing {found.first:,}: {message}", None, help=help)


def _lost(number: int, each: int, times: int) -> Tally:
    first = (number - 1) * each + 1
    said = "budget-exceeded", "the process that played it was ended, as a system does where memory runs out"
    many = min(each, times - first + 1)
    return Tally(many, refused={said: Times(many, first)})


class _Exactly:
    """The chances of the same fight, where they are wanted."""

    def __init__(self, order: Order | None) -> None:
        self.chances: Chances | None = None
        self.answers: list[Mapping[Value, Fraction]] = []
        self.means: list[Exact | None] = []
        if order is None:
            return
        fight, most_work = fight_of(order), order.most_work
        self.chances = work_out(fight, order.by, order.until_resolved, with_notes=False, most_work=most_work)
        if order.questions:
            found = ask_about(fight, order.questions, order.until_resolved, most_work=most_work).answers
            self.answers = [{plain_value(value): chance for value, chance in one.chances} for one in found]
            self.means = [one.mean for one in found]

    def ends(self) -> dict[End, Fraction]:
        return {
            (
                tuple(one.sides.items()),
                tuple((who, facts_of(facts)) for who, facts in one.units.items()),
            ): one.probability
            for one in (self.chances.outcomes if self.chances else ())
        }


def _told(
    fight: Fight, order: Order, tally: Tally, times: int, types: Sequence[Type], exactly: _Exactly, together: bool
) -> Statistics:
    ruleset, sure = fight.bound.ruleset, exactly.chances is not None
    chances, ended = exactly.ends(), tally.ended

    def first(found: Times) -> int | None:
        return None if together else found.first

    def share(found: Times, chance: Fraction | None) -> Share:
        return Share(found.times, ended, first(found), chance if sure else None)

    def amounts(
        found: Sequence[tuple[Value, Times]], chances: Mapping[Value, Fraction] | None = None
    ) -> list[tuple[Value, Share]]:
        return [
            (value, share(each, None if chances is None else chances.get(value, Fraction(0)))) for value, each in found
        ]

    ends = [
        Ended(
            dict(sides),
            {who: dict(facts) for who, facts in units},
            {side: exact(Fraction(amount) / found.times) for side, amount in found.lost.items()},
            share(found, chances.get((sides, units), Fraction(0))),
        )
        for (sides, units), found in tally.ends.items()
    ]
    by_side: dict[str, dict[str, Times]] = {}
    for (sides, _), found in tally.ends.items():
        for side, word in sides:
            by_side.setdefault(side, {}).setdefault(word, Times()).add(Times(found.times, found.first))
    words = scale(ruleset)
    verdicts_of = exactly.chances.verdicts if exactly.chances else {}
    lost_of = exactly.chances.losses if exactly.chances else {}
    losing: dict[str, dict[Value, Times]] = {}
    for (side, amount), found in tally.losses.items():
        losing.setdefault(side, {})[amount] = found
    answered: list[dict[Value, Times]] = [{} for _ in types]
    for (place, value), found in tally.answers.items():
        answered[place][value] = found
    table = ruleset.tables.get("strength-lost")
    return Statistics(
        name_of_stack(ruleset),
        ruleset.title,
        order.seed,
        times,
        tally.played,
        ended,
        order.by,
        sorted(ends, key=lambda one: (-one.share.times, one.share.first)),
        {
            side: {
                word: share(found[word], verdicts_of.get(side, {}).get(word, Fraction(0)))
                for word in (*words, *sorted(set(found) - set(words)))
                if word in found
            }
            for side, found in by_side.items()
        },
        {
            side: _amounts(
                amounts(sorted(found.items()), dict(lost_of[side].distribution) if side in lost_of else None),
                ended,
                lost_of[side].expected if side in lost_of else None,
            )
            for side, found in losing.items()
        },
        table.unit if table is not None else "",
        {
            question: _amounts(
                amounts(
                    sorted(found.items(), key=lambda one: place_among(type_, one[0])),
                    exactly.answers[place] if sure else None,
                ),
                ended,
                exactly.means[place] if sure else None,
                isinstance(type_, Number | Roll),
            )
            for place, (question, type_, found) in enumerate(zip(order.questions, types, answered, strict=True))
        },
        _amounts(amounts(sorted(tally.combats.items())), ended) if order.until_resolved or fight.combats > 1 else None,
        [Refused(code, message, found.times, first(found)) for (code, message), found in tally.refused.items()],
        [one for one in (Assumption(id, text) for id, text in ruleset.assumptions.items()) if one in tally.assumed],
        tuple(tally.remarks),
        printed(ruleset),
        together,
    )


def _amounts(
    shares: Sequence[tuple[Value, Share]], ended: int, true_mean: Exact | None = None, numbers: bool = True
) -> Amounts:
    if not numbers or any(value is None for value, _ in shares):
        return Amounts(shares, None)
    mean = sum((Fraction(value) * each.share for value, each in shares), Fraction(0))
    square = sum((Fraction(value) ** 2 * each.share for value, each in shares), Fraction(0))
    about = SURE * _root((square - mean**2) / (ended - 1)) if ended > 1 else None
    return Amounts(shares, exact(mean), about, true_mean)
