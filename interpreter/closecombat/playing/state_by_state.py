"""A fight to the end from state to state: a round is written for each state that is come to, all of it known.

**The problem.** One round for every state is written with values of which nothing is known (`repeat`). Where much
happens one thing after the other, each value hangs on all before it, and that round is too large to be written at all.
Yet from a state that is known most conditions are certain, and a round is short.

**The idea.** The round is written and proved from the start, then from each state that it leads to, until no new one
is left; what remains is an absorbing chain, as for a repetition (`proving/absorbing`). Two things keep it small:

- *A round hangs only on what it reads.* That is written down while it is written (`run.Reading`): what of the state
  before was read, and what was set anew, whatever it was. A state of which the same is read has the same round, and it
  is not written again. Who has come in only later is nobody to it, and so is he where he has gone again: then nobody
  comes to what he was, nor to a set that still names him and holds only who is in play.
- *A state is what somebody will still read*, in its round or a later one, or at the end. Nobody knows that beforehand.
  So at first nothing counts; whenever a round or the end reads what did not count so far, from then on it does, and
  all begins again, with the rounds that are known. What is read of those who are gone counts by itself: mostly
  nothing is.

*An example.* A man has 2 steps and may be tired, and a turn asks for its steps alone: first 2 and 1 are one state.
The first turn reads the steps, and they are two. It never reads that it is tired: that stays one.

**Why it is right.** In the last going through nothing new counted. So whatever differs between two states that were
taken for one is read by no round that is come to from there, before it is set anew. What a round may leave as it was
(`touched`) counts as read as soon as it is read later.

**Elsewhere.** When this is done is decided in `sequences`. A state here is known by what differs from the start.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import field
from math import lcm
from typing import TypeAlias

from closecombat.playing.paths import MISSING
from closecombat.playing.repeat import forgotten, is_roll
from closecombat.playing.run import NOWHERE, CameTo, Run
from closecombat.playing.what_is_read import Reading
from closecombat.proving import program as p
from closecombat.proving.absorbing import Arrows, Ways, ends, explored
from closecombat.proving.dice import Thrown
from closecombat.proving.prove import plan
from closecombat.proving.ranges import FLAG, NUMBER
from closecombat.proving.symbolic import Sym, Value
from closecombat.proving.weights import Row
from closecombat.reading.situation import State
from closecombat.reading.slots import AtMoment, CardsLeft, CardsOf, InPlay, Member, Slot, TimesAsked, TimesLeft
from closecombat.reading.types import Thing
from closecombat.text.faults import Faulty
from closecombat.text.slotted import dataclass
from closecombat.text.source import Span

MOST_ROUNDS = 500  # that are written, each from a state of its own
MOST_ROWS = 50_000  # of one round
OPENED = AtMoment | CardsLeft | CardsOf | TimesAsked | TimesLeft  # what is there once a row has come to it
MOST_VALUES = 40  # of a fact at the end that are listed

Known: TypeAlias = dict[Slot, Value]  # of a state, what is not as it was at the start


@dataclass(frozen=True, slots=True)
class OfARound:
    """What dice are in a later round than the one that rolled them: nobody knows any more."""


class More(Exception):
    """Something counts that did not so far: what was taken for one state may be several."""


@dataclass(slots=True, eq=False)
class Round:
    """What a round comes to from any state that is as it was `first` in all that it reads: the ways it can go, each
    with whether it is the last, the values of `asked`, and its weight. `sets` is what it sets for certain."""

    first: Known
    reading: Reading  # without the state, which holds all that was written
    unheard: list[Slot] = field(default_factory=list)  # of things that came in since: not one of them was there
    sets: Known = field(default_factory=dict)
    asked: Sequence[Slot] = ()
    unasked: frozenset[Slot] = frozenset()  # what hangs on its dice too, and did not count when it was worked out
    ways: list[tuple[bool, Row, int]] = field(default_factory=list)
    den: int = 1
    came_to: CameTo = NOWHERE


def fought_out(run: Run, one_round: Callable[[Run], Value], place: Span) -> None:
    """Fights to the end, a round at a time: `one_round` does one in a run, and says whether it was the last."""
    walk = _Walk(run, one_round, place)
    while True:
        try:
            arrows = explored([walk.number(walk.begin)], walk.one_round_from, place, walk.watch, run.shop.budget)
            break
        except More:
            walk.begin_again()
    shares = next(iter(ends(arrows, [{0: [(1, 1)]}], place, walk.tell)))
    common = lcm(*(den for _, den in shares.values()))
    weights = [(walk.ends[end], num * (common // den)) for end, (num, den) in shares.items()]
    walk.close(weights)


class _Walk:
    """The states that have been come to, the rounds that are known, and what counts."""

    def __init__(self, run: Run, one_round: Callable[[Run], Value], place: Span) -> None:
        self.run, self.do_round, self.place = run, one_round, place
        self.state = run.state.copy()  # whoever has ever come in; what is so stands beside it
        self.at_first: Known = dict(run.state.slots)
        self.begin: Known = {}
        self.new: Known = {}  # what there is since somebody came in, as it is where he has not
        self.counts: set[Slot] = set()  # what is read of those who are there
        self.counts_gone: set[Slot] = set()  # what is read of those who are gone
        self.at_end: set[Slot] = set()
        self.at_end_gone: set[Slot] = set()
        self.ever: set[Slot] = set()  # whatever has been something else than at the start
        self.rounds: list[Round] = []
        self.last: list[Round] = []  # ends that have been asked, of which only what is read is told
        self.by_reading: dict[bool, dict[tuple[Slot, ...], dict[Row, Round]]] = {False: {}, True: {}}
        self.begin_again()

    def begin_again(self) -> None:
        self.states: list[Known] = []
        self.numbers: dict[frozenset[tuple[Slot, Value]], int] = {}
        self.ends: list[Known] = []
        self.end_numbers: dict[frozenset[tuple[Slot, Value]], int] = {}
        self.used: dict[Round, None] = {}
        self.rounds = [one for one in self.rounds if one.unasked.isdisjoint(self.counts)]
        for table in self.by_reading.values():
            table.clear()
        for one in self.rounds:
            self.remember(one, False)
        for one in self.last:
            self.remember(one, True)

    def watch(self, done: int, left: int) -> None:
        """Nobody is told."""

    def tell(self, state: int) -> str:
        known = self.states[state]
        gone = [f"{slot.thing} has left" for slot, so in known.items() if isinstance(slot, InPlay) and so is False]
        return ", ".join(gone) or "nobody has left"

    # ---- states ------------------------------------------------------------------------------------------
    def was(self, slot: Slot) -> Value:
        """What something is where nothing else is known."""
        found = self.at_first.get(slot, MISSING)
        return self.run.empty(slot) if found is MISSING and not isinstance(slot, OPENED) else found

    def of(self, known: Known, slot: Slot) -> Value:
        found = known.get(slot, MISSING)
        return self.was(slot) if found is MISSING else found

    def is_gone(self, known: Known, slot: Slot) -> bool:
        if isinstance(slot, InPlay | AtMoment):
            return False
        if isinstance(slot, Member) and self.of(known, InPlay(slot.member)) is False:
            return True
        thing = getattr(slot, "thing", None)
        return thing is not None and self.of(known, InPlay(thing)) is False

    def number(self, known: Known) -> int:
        return self._number(known, self.counts, self.counts_gone, self.numbers, self.states)

    def _number(
        self,
        known: Known,
        there: set[Slot],
        gone: set[Slot],
        numbers: dict[frozenset[tuple[Slot, Value]], int],
        states: list[Known],
    ) -> int:
        key = frozenset(
            (slot, value)
            for slot, value in known.items()
            if slot in there and (slot in gone or not self.is_gone(known, slot))
        )
        found = numbers.get(key)
        if found is None:
            found = numbers[key] = len(states)
            states.append(known)
        return found

    # ---- rounds ------------------------------------------------------------------------------------------
    def key_of(self, one: Round) -> tuple[Slot, ...]:
        """Whatever must be as it was, for the round to be the same."""
        reading, ever = one.reading, self.ever
        read = [slot for slot in reading.read if slot in ever]
        left = (
            slot
            for slot in (*reading.touched, *one.unheard)
            if slot in ever and slot not in reading.read and slot not in reading.anew
        )
        unheard = set(one.unheard)
        return (*read, *(slot for slot in left if slot in unheard or slot in self.counts))

    def remember(self, one: Round, is_end: bool) -> None:
        key = self.key_of(one)
        self.by_reading[is_end].setdefault(key, {})[tuple([self.of(one.first, slot) for slot in key])] = one

    def known_from(self, known: Known, is_end: bool) -> Round | None:
        for key, found in self.by_reading[is_end].items():
            one = found.get(tuple([self.of(known, slot) for slot in key]))
            if one is not None:
                return one
        return None

    def one_round_from(self, number: int) -> Arrows:
        before = self.states[number]
        one = self.known_from(before, False)
        if one is None:
            one = self._new_round(before)
        self.used[one] = None
        self._now_counts(before, one.reading.read, self.counts, self.counts_gone)
        goes: Ways = {}
        over: Ways = {}
        for is_last, values, weight in one.ways:
            after = dict(before)
            for slot, value in (*one.sets.items(), *zip(one.asked, values, strict=True)):
                if value == self.was(slot):
                    after.pop(slot, None)
                else:
                    after[slot] = value
            if not after.keys() <= self.ever:
                self.ever.update(after)
                raise More
            self._comes_back(one, before, after)
            if is_last:
                end = self._end(after)
                over[end] = over.get(end, 0) + weight
            else:
                state = self.number(after)
                goes[state] = goes.get(state, 0) + weight
        return goes, over, one.den

    def _now_counts(self, known: Known, read: Iterable[Slot], there: set[Slot], gone: set[Slot]) -> None:
        if self._counts_more(known, read, there, gone):
            raise More

    def _counts_more(self, known: Known, read: Iterable[Slot], there: set[Slot], gone: set[Slot]) -> bool:
        before = len(there), len(gone)
        for slot in read:
            there.add(slot)
            if self.is_gone(known, slot):
                gone.add(slot)
        return (len(there), len(gone)) != before

    def _comes_back(self, one: Round, before: Known, after: Known) -> None:
        """What somebody who is there again has kept counts while he is away, too."""
        back = [
            slot.thing
            for slot in after.keys() | before.keys()
            if isinstance(slot, InPlay) and self.of(after, slot) and not self.of(before, slot)
        ]
        if back:
            kept = {
                slot
                for slot in self.counts - self.counts_gone
                if slot not in one.reading.anew and self.is_gone(before, slot) and not self.is_gone(after, slot)
            }
            if kept:
                self.counts_gone |= kept
                raise More

    def _new_round(self, before: Known) -> Round:
        if len(self.rounds) >= MOST_ROUNDS:
            raise Faulty.one(
                "budget-exceeded",
                f"more than {MOST_ROUNDS} rounds that differ lead to the end",
                self.place,
                help="ask for one close combat instead of --until resolved, or for a smaller fight",
            )
        run = self._run_in(before)
        reading = run.watch_what_is_read()
        try:
            is_over = self.do_round(run)
            is_more = self._counts_more(before, reading.read, self.counts, self.counts_gone)
            new = self._written(Round(before, reading), run, is_over)
            reading.is_over()
        except Faulty:
            self._grown(run.state)
            self._now_counts(before, reading.read, self.counts, self.counts_gone)
            raise
        grown = self._grown(run.state)
        self.rounds.append(new)
        self.remember(new, False)
        if grown or is_more:
            raise More
        return new

    def _written(self, new: Round, run: Run, is_over: Value) -> Round:
        """What a round that is written comes to."""
        start = new.reading
        values = {slot: self._kept(run, slot, value) for slot, value in start.as_it_is.items()}
        unknown = [slot for slot, value in values.items() if type(value) is Sym]
        new.asked = [slot for slot in unknown if slot in self.counts]
        new.unasked = frozenset(unknown).difference(new.asked)
        new.sets = {
            slot: value
            for slot, value in values.items()
            if type(value) is not Sym and self.of(new.first, slot) != value
        }
        new.sets |= {slot: value for slot in start.anew if type(value := values.get(slot, MISSING)) is not Sym}
        new.sets = {slot: value for slot, value in new.sets.items() if value is not MISSING}
        table, new.den = plan(run.shop, run.draft.steps, [is_over, *(values[slot] for slot in new.asked)]).run(
            most_rows=MOST_ROWS
        )
        new.ways = [(bool(row[0]), row[1:], weight) for row, weight in table.items() if weight]
        new.came_to = run.what_it_came_to()
        return new

    def _kept(self, run: Run, slot: Slot, value: Value) -> Value:
        """What is handed on to the next round: anything but dice."""
        return OfARound() if type(value) in (Sym, Thrown) and is_roll(run, slot) else value

    def _run_in(self, known: Known) -> Run:
        """A run that begins in a state."""
        state = self.state.copy()
        state.slots.update(self.new)
        state.slots.update({slot: value for slot, value in known.items() if value is not MISSING})
        run = self.run.once_more(state)
        state.slots.update(
            {slot: forgotten(run, slot, self.place) for slot, value in known.items() if type(value) is OfARound}
        )
        return run

    def _grown(self, state: State) -> bool:
        """Takes over whoever has come in; the rounds that are known are of those without him."""
        mine = self.state
        new: list[Slot] = [InPlay(thing) for thing in state.things.values() if thing.name not in mine.things]
        for (owner, fact), members in state.sets.items():
            known = mine.sets.get((owner, fact), ())
            new += [Member(owner, fact, member) for member in members if member not in known]
        mine.things, mine.by_kind, mine.sets = state.things, state.by_kind, state.sets
        mine.counters, mine.created = state.counters, state.created
        self.new |= {
            slot: self.run.empty(slot)
            for slot in state.slots
            if slot not in self.at_first and not isinstance(slot, OPENED)
        }
        come = {slot.thing for slot in new if isinstance(slot, InPlay)}
        anywhere = [slot for slot in new if not self._is_nowhere(slot, come)]
        for these, heard in ((self.last, new), (self.rounds, anywhere)):
            for one in these:
                one.unheard += heard
                one.reading.read |= dict.fromkeys(slot for slot in anywhere if one.reading.has_heard(slot))
        return bool(new)

    def _is_nowhere(self, slot: Slot, come: Container[Thing]) -> bool:
        """Whether nobody comes to what a slot says as long as none of those who have `come` in is in play: it is one of
        theirs, or whether they belong to somebody whose set holds only who is."""
        if not isinstance(slot, Member) or self.run.asks_of_moments:
            return False
        is_living = self.run.ruleset.kinds[slot.thing.kind].facts[slot.fact].origin == "given"
        return slot.thing in come or (is_living and slot.member in come)

    # ---- ends --------------------------------------------------------------------------------------------
    def _end(self, after: Known) -> int:
        """The number of an end, by what will be asked of it."""
        one = self.known_from(after, True)
        if one is None:
            run = self._run_in(after)
            reading = run.watch_what_is_read()
            if self.run.asked_at_end is None:
                for slot in reading:
                    reading[slot]
            else:
                self.run.asked_at_end(run)
            one = Round(after, reading)
            reading.is_over()
            self.last.append(one)
            self.remember(one, True)
        self._now_counts(after, one.reading.read, self.at_end, self.at_end_gone)
        self._now_counts(after, one.reading.read, self.counts, self.counts_gone)
        return self._number(after, self.at_end, self.at_end_gone, self.end_numbers, self.ends)

    def close(self, weights: Sequence[tuple[Known, int]]) -> None:
        """Writes into the run how it has ended: a throw of which each fall is an end, and what is so in each."""
        run, shop = self.run, self.run.shop
        state = self._run_in({}).state
        state.slots.update({slot: MISSING for slot in self.ever if slot not in state.slots})
        run.state.restore(state)
        for one in self.used:
            run.has_come_to(one.came_to)
        fall = shop.variable()
        run.draft.step(p.Throw(fall, [(((number,),), weight) for number, (_, weight) in enumerate(weights)]))
        for slot in self.ever:
            values = [self.of(known, slot) for known, _ in weights]
            if slot not in self.at_end or OfARound() in values:
                run.write(slot, forgotten(run, slot, self.place))
                continue
            values = [None if value is MISSING else value for value in values]
            first = values[0]
            if all(type(value) is type(first) and value == first for value in values):
                run.write(slot, first)
                continue
            listed = tuple({(type(value), value): value for value in values}.values())
            var = shop.variable(listed if len(listed) <= MOST_VALUES else ())
            if all(type(value) is bool for value in listed):
                shop.ranges[var] = FLAG
            elif len(listed) <= MOST_VALUES:
                shop.ranges[var] = listed
            else:
                shop.ranges[var] = (
                    NUMBER if all(type(value) is not str and value is not None for value in listed) else None
                )
            run.draft.step(p.Let(var, shop.node(_In(values), fall)))
            run.write(slot, var)


class _In:
    """What something is in each of some ends."""

    __slots__ = ("values",)

    def __init__(self, values: Sequence[Value]) -> None:
        self.values = values

    def __call__(self, faces: tuple[tuple[int, ...], ...]) -> Value:
        return self.values[faces[0][0]]
