"""A fight to the end from state to state: a piece of it is written for each state that is come to, all of it known.

**The problem.** One round for every state is written with values of which nothing is known (`repeat`). Where much
happens one thing after the other, each value hangs on all before it, and that round is too large to be written at all.
Yet from a state that is known most conditions are certain, and little is left to write.

**The idea.** The fight is written and proved from its start to where dice have fallen and nobody asks for them any more
(`agenda`); then from each state that this leads to, until no new one is left; what remains is an absorbing chain, as
for a repetition (`proving/tables/absorbing`). A state is what is still to do, and what is so. Two things keep it small:

- *A piece hangs only on what it reads.* That is written down while it is written (`run.Reading`): what of the state
  before was read, and what was set anew, whatever it was. From a state of which the same is read the same piece goes
  on, and it is not written again. Who has come in only later is nobody to it, and so is he where he has gone again:
  then nobody comes to what he was, nor to a set that still names him and holds only who is in play.
- *A state is what somebody will still read*: its piece, or one behind it, unless it is set anew before; or the end.
  Nobody knows that beforehand. So at first nothing counts, and all states at a place are one. What a piece reads then
  counts at its place and at all pieces that lead to it; once all are gone through and more counts than did, all begins
  again, with the pieces that are known. It counts piece by piece, not place by place: whoever is not attacked from a
  state on needs no defence there, though at the same place others are.

**Where it is cut.** Dice are not handed on: a state would tell apart each of their falls. So a fight is at first cut
wherever something has been thrown; where a later piece reads these dice, that was no place to cut, and never is again.
At the end of a round it is always cut: dice of an earlier one are forgotten.

*An example.* A man has 2 steps and may be tired, and a turn asks for his steps alone: first 2 and 1 are one state.
The first turn reads the steps, and they are two. It never reads that he is tired: that stays one.

**Why it is right.** In the last going through nothing new counted, and nothing was read that had not been worked out.
So whatever differs between two states that were taken for one is read by no piece that is come to from there, before it
is set anew. What a piece may leave as it was (`touched`) counts as read as soon as it is read later. What was not
worked out, since it did not count when a piece was written, is a mark (`Unasked`): a piece that reads one is not
believed, and the piece before it is written again.

**Elsewhere.** When this is done is decided in `combats`. A state here is known by what differs from the start.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import field
from functools import partial
from math import lcm
from typing import TypeAlias

from closecombat.playing.agenda import NEXT_COMBAT, OVER, Agenda, Place, piece, place_of
from closecombat.playing.by_reading import ByReading
from closecombat.playing.paths import MISSING
from closecombat.playing.repeat import forgotten, is_roll
from closecombat.playing.run import NOWHERE, CameTo, Run
from closecombat.playing.what_is_read import Everybody, Reading
from closecombat.proving.carrying_out.prove import plan
from closecombat.proving.foreseeing.ranges import FLAG, NUMBER, is_sure
from closecombat.proving.programs import program as p
from closecombat.proving.tables.absorbing import Arrows, Ways, ends, explored
from closecombat.proving.tables.weights import Row
from closecombat.proving.throws.dice import Part, Thrown
from closecombat.proving.values.budget import PIECE, STEP
from closecombat.proving.values.symbolic import Sym, Value
from closecombat.reading.situation import State
from closecombat.reading.slots import (
    AtMoment,
    CardsLeft,
    CardsOf,
    InPlay,
    Member,
    Slot,
    TimesAsked,
    TimesLeft,
    words_for,
)
from closecombat.reading.types import Thing
from closecombat.text.faults import Bug, Faulty
from closecombat.text.slotted import dataclass
from closecombat.text.source import Span

MOST_PIECES = 50_000  # that are written, each from a state of its own
MOST_ROWS = 50_000  # of one piece
OPENED = AtMoment | CardsLeft | CardsOf | TimesAsked | TimesLeft  # what is there once a row has come to it
MOST_VALUES = 40  # of a fact at the end that are listed

Known: TypeAlias = dict[Slot, Value]  # of a state, what is not as it was at the start
Key: TypeAlias = frozenset[tuple[Slot, Value]]


@dataclass(frozen=True, slots=True)
class OfARound:
    """What dice are in a later round than the one that rolled them: nobody knows any more."""


@dataclass(frozen=True, slots=True)
class Rolled:
    """What dice are behind a cut: thrown, and nobody knows how they fell."""

    parts: tuple[Part, ...]
    plus: Value


@dataclass(frozen=True, slots=True)
class OfAPiece:
    """What is not handed on over a cut: dice that were perhaps thrown, and what may fail and nobody has looked at."""


@dataclass(frozen=True, slots=True)
class Unasked:
    """What did not count when the piece was written that changed it."""


OF_A_ROUND, OF_A_PIECE, UNASKED = OfARound(), OfAPiece(), Unasked()
MARKS = (Rolled, OfARound, OfAPiece, Unasked)


class More(Exception):
    """Somebody has come in: the states are those of another fight."""


@dataclass(slots=True, eq=False)
class Spot:
    """Something to do, for certain people, and the pieces that begin here. What counts is written as the bits of a
    number, one for each slot."""

    agenda: Agenda
    place: Place
    counts: int = 0  # what is read of any state from here on
    doubts: set[Slot] = field(default_factory=set)  # what is, and had not been worked out
    needs: set[Slot] = field(default_factory=set)  # what was not handed on and is asked for: how dice fell, say
    pieces: list[Piece] = field(default_factory=list)
    by_reading: ByReading[Piece] = field(default_factory=ByReading)
    numbers: dict[Key, int] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class Piece:
    """What is come to from any state that is as it was `first` in all that is read: the ways it can go, each with
    whether the fight is over, the values of `asked`, and its weight. `sets` is what it sets for certain."""

    spot: Spot
    first: Known
    reading: Reading  # without the state, which holds all that was written
    counts: int = 0  # what is read by it, and by all that it leads to before it is set anew
    anew: int = 0
    before: dict[Piece, None] = field(default_factory=dict)  # those that lead to it
    states: dict[Key, int] = field(default_factory=dict)  # of those that are alike in what counts, the first
    has_alike: bool = False  # whether there is another
    is_stale: bool = False  # whether more counts than did when they were held against each other
    then: Spot | None = None  # where it goes on, unless the fight is over
    may_end: bool = False
    unheard: list[Slot] = field(default_factory=list)  # of things that came in since: not one of them was there
    sets: Known = field(default_factory=dict)
    asked: Sequence[Slot] = ()
    unasked: frozenset[Slot] = frozenset()  # what hangs on its dice too, and did not count when it was worked out
    hidden: frozenset[Slot] = frozenset()  # what it does not hand on: how dice fell, say
    ways: list[tuple[bool, Row, int]] = field(default_factory=list)
    den: int = 1
    came_to: CameTo = NOWHERE


def fought_out(run: Run, place: Span) -> None:
    """Fights to the end, piece by piece."""
    walk = _Walk(run, place)
    while True:
        try:
            arrows = explored([walk.number(walk.first, {})], walk.arrows_from, place, walk.watch, run.shop.budget)
            if walk.is_settled():
                break
        except More:
            walk.learn()
        walk.begin_again()
    shares = next(iter(ends(arrows, [{0: [(1, 1)]}], place, walk.tell)))
    common = lcm(*(den for _, den in shares.values()))
    weights = [(*walk.ends[end], num * (common // den)) for end, (num, den) in shares.items()]
    walk.close(weights)


class _Walk:
    """The states that have been come to, the pieces that are known, and what counts where."""

    def __init__(self, run: Run, place: Span) -> None:
        self.run, self.place, self.budget = run, place, run.shop.budget
        self.state = run.state.copy()  # whoever has ever come in; what is so stands beside it
        self.at_first: Known = dict(run.state.slots)
        self.new: Known = {}  # what there is since somebody came in, as it is where he has not
        self.ever: set[Slot] = set()  # whatever has been something else than at the start
        self.spots: dict[Agenda, Spot] = {}
        self.first, self.end = self.spot(NEXT_COMBAT), self.spot(OVER)
        self.ever_counted: set[Slot] = set()
        self.bits: dict[Slot, int] = {}  # the place of each slot in a number
        self.uncut: set[Place] = set()  # where no cut is made: dice from before are asked for behind it
        self.written = 0
        self.asked_dice: set[Slot] = set()
        self.used: dict[Piece, None] = {}
        self.begin_again()

    def begin_again(self) -> None:
        self.states: list[tuple[Spot, Known]] = []
        self.piece_of: dict[int, Piece] = {}  # of states that have been gone on from
        self.come_from: dict[int, dict[Piece, None]] = {}  # of those that have not
        self.ends: list[tuple[Piece, Known]] = []  # with what is asked of it
        self.used = {}
        self.has_grown = False  # whether more counts than did when this going through began
        self.is_doubted = False  # whether a piece has read what was not worked out
        self.failed: Faulty | None = None  # what came of it
        for spot in self.spots.values():
            spot.numbers.clear()
            spot.by_reading.clear()
            spot.pieces = [one for one in spot.pieces if self._is_still_good(one)]
            for one in spot.pieces:
                one.states, one.has_alike, one.is_stale = {}, False, False
                self.remember(one)

    def _is_still_good(self, one: Piece) -> bool:
        unasked = self.bits_of(one.unasked)
        return (one.then is None or one.then.place not in self.uncut) and not any(
            behind is not None and (unasked & behind.counts or not one.unasked.isdisjoint(behind.doubts))
            for behind in (one.then, self.end if one.may_end else None)
        )

    def watch(self, done: int, left: int) -> None:
        """Nobody is told."""

    def tell(self, state: int) -> str:
        _, known = self.states[state]
        gone = [f"{slot.thing} has left" for slot, so in known.items() if isinstance(slot, InPlay) and so is False]
        return ", ".join(gone) or "nobody has left"

    def spot(self, agenda: Agenda) -> Spot:
        found = self.spots.get(agenda)
        if found is None:
            found = self.spots[agenda] = Spot(agenda, place_of(agenda))
        return found

    # ---- states ------------------------------------------------------------------------------------------
    def was(self, slot: Slot) -> Value:
        """What something is where nothing else is known."""
        found = self.at_first.get(slot, MISSING)
        return self.run.empty(slot) if found is MISSING and not isinstance(slot, OPENED) else found

    def of(self, known: Known, slot: Slot) -> Value:
        found = known.get(slot, MISSING)
        return self.was(slot) if found is MISSING else found

    def bits_of(self, slots: Iterable[Slot]) -> int:
        """Slots as the bits of a number."""
        bits, found = self.bits, 0
        for slot in slots:
            found |= 1 << bits.setdefault(slot, len(bits))
        return found

    def key(self, known: Known, counts: int) -> Key:
        """A state, as far as it counts."""
        bits = self.bits
        return frozenset([(slot, so) for slot, so in known.items() if slot in bits and counts >> bits[slot] & 1])

    def number(self, spot: Spot, known: Known) -> int:
        """The number of a state: of all at a spot that are alike in what counts from there on in any state."""
        found = spot.numbers.setdefault(self.key(known, spot.counts), len(self.states))
        if found == len(self.states):
            self.states.append((spot, known))
        return found

    def first_alike(self, one: Piece, number: int, known: Known) -> int:
        """Of the states from which a piece goes on, and that are alike in what counts from there on, the first."""
        if one.is_stale:
            known_of = self.ends if one.spot is self.end else self.states
            one.states = {self.key(known_of[n][1], one.counts): n for n in one.states.values()}
            one.is_stale = False
        first = one.states.setdefault(self.key(known, one.counts), number)
        one.has_alike |= first != number
        return first

    def it_counts(self, one: Piece, more: int) -> None:
        """What is read behind a piece, or by it, counts there and at all that lead there, unless it is set anew."""
        todo = [(one, more)]
        while todo:
            one, more = todo.pop()
            more &= ~one.counts
            if not more:
                continue
            one.counts |= more
            one.is_stale = True
            self.has_grown |= one.has_alike
            if more & ~one.spot.counts:
                one.spot.counts |= more
                self.has_grown |= bool(one.spot.numbers)
            todo += [(before, more & ~before.anew) for before in one.before]

    def leads_to(self, one: Piece, then: Piece) -> None:
        """One piece is come to after another."""
        if one not in then.before:
            then.before[one] = None
            self.it_counts(one, then.counts & ~one.anew)

    # ---- pieces ------------------------------------------------------------------------------------------
    def key_of(self, one: Piece) -> tuple[Slot, ...]:
        """Whatever must be as it was, for the piece to be the same."""
        reading, ever = one.reading, self.ever
        read = [slot for slot in reading.read if slot in ever]
        left = (
            slot
            for slot in (*reading.touched, *one.unheard)
            if slot in ever and slot not in reading.read and slot not in reading.anew
        )
        unheard = set(one.unheard)
        return (*read, *(slot for slot in left if slot in unheard or slot in self.ever_counted))

    def remember(self, one: Piece) -> None:
        one.spot.by_reading.put(tuple([(slot, self.of(one.first, slot)) for slot in self.key_of(one)]), one)

    def known_from(self, spot: Spot, known: Known) -> Piece | None:
        return spot.by_reading.get(partial(self.of, known))

    def arrows_from(self, number: int) -> Arrows:
        spot, before = self.states[number]
        one = self.known_from(spot, before) or self._new_piece(spot, before)
        if one is None:
            return {}, {}, 1
        self.used[one] = None
        self.budget.spent += STEP
        self.piece_of[number] = one
        for earlier in self.come_from.pop(number, ()):
            self.leads_to(earlier, one)
        first = self.first_alike(one, number, before)
        if first != number:
            return {first: 1}, {}, 1
        goes: Ways = {}
        over: Ways = {}
        for is_last, values, weight in one.ways:
            after = self._after(one, before, values, is_last)
            if is_last:
                end = self._end(one, after)
                over[end] = over.get(end, 0) + weight
            elif one.then is not None:
                state = self.number(one.then, after)
                goes[state] = goes.get(state, 0) + weight
        for state in goes:
            if state in self.piece_of:
                self.leads_to(one, self.piece_of[state])
            else:
                self.come_from.setdefault(state, {})[one] = None
        return goes, over, one.den

    def _after(self, one: Piece, before: Known, values: Row, is_last: bool) -> Known:
        """What is so behind a piece, if it goes one of its ways."""
        after = dict(before)
        for slot, value in (*one.sets.items(), *zip(one.asked, values, strict=True)):
            if value == self.was(slot):
                after.pop(slot, None)
            else:
                after[slot] = value
        for slot in one.unasked:
            after[slot] = UNASKED
        if is_last or one.then is self.first:
            after.update({slot: OF_A_ROUND for slot, so in after.items() if so is OF_A_PIECE or type(so) is Rolled})
        if not after.keys() <= self.ever:
            self.ever.update(after)
            for spot in self.spots.values():
                spot.by_reading.clear()
                for other in spot.pieces:
                    self.remember(other)
        return after

    def _new_piece(self, spot: Spot, before: Known) -> Piece | None:
        """A piece that nobody knows, if all that it reads is known."""
        self.written += 1
        if self.written > MOST_PIECES:
            raise Faulty.one(
                "budget-exceeded",
                f"more than {MOST_PIECES} pieces of the fight that differ lead to the end",
                self.place,
                help="ask for one close combat instead of --until resolved, or for a smaller fight",
            )
        self.budget.spent += PIECE
        run = self._run_in(before)
        reading = run.watch_what_is_read()
        try:
            left, is_over = piece(run, spot.agenda, lambda place: place not in self.uncut)
            new = self._written(Piece(spot, before, reading), run, left, is_over)
        except Faulty as error:
            self._grown(run.state)
            if self._is_believed(spot, before, reading):
                raise
            self.failed = self.failed or error
            return None
        grown = self._grown(run.state)
        is_believed = self._is_believed(spot, before, reading)
        reading.is_over()
        if is_believed:
            self._is_known(new)
        if grown:
            raise More
        return new if is_believed else None

    def _is_known(self, new: Piece) -> None:
        new.spot.pieces.append(new)
        new.anew = self.bits_of(slot for slot in new.reading.anew if not isinstance(slot, Everybody))
        self.it_counts(new, self.bits_of(new.reading.read))
        self.remember(new)

    def _is_believed(self, spot: Spot, before: Known, reading: Reading) -> bool:
        """Whether everything is known that has been read, and how all dice fell that were asked for."""
        needs = self.asked_dice.union(slot for slot in reading.read if type(before.get(slot)) is OfAPiece)
        doubts = {slot for slot in reading.read if type(before.get(slot)) is Unasked}
        if not (needs <= spot.needs and doubts <= spot.doubts):
            spot.needs |= needs
            spot.doubts |= doubts
            self.has_grown = True
        self.is_doubted |= bool(needs or doubts)
        return not needs and not doubts

    def _written(self, new: Piece, run: Run, left: Agenda, is_over: Value) -> Piece:
        """What a piece that is written comes to."""
        start = new.reading
        new.then = self.spot(left) if is_over is not True else None
        new.may_end = is_over is not False
        values = {slot: self._kept(run, new, slot, value) for slot, value in start.as_it_is.items()}
        new.hidden = frozenset(slot for slot, value in values.items() if type(value) in (Rolled, OfAPiece))
        unknown = [slot for slot, value in values.items() if type(value) is Sym]
        new.asked = [slot for slot in unknown if slot in self.ever_counted]
        still = (slot for slot in start.touched if not start.is_anew(slot) and type(values.get(slot)) is Unasked)
        new.unasked = frozenset((*unknown, *still)).difference(new.asked)
        new.sets = {
            slot: value
            for slot, value in values.items()
            if type(value) is not Sym and self.of(new.first, slot) != value
        }
        start.anew |= dict.fromkeys([slot for slot in values if type(slot) is Member and start.is_anew(slot)])
        new.sets |= {slot: value for slot, value in values.items() if slot in start.anew and type(value) is not Sym}
        new.sets = {slot: value for slot, value in new.sets.items() if value is not MISSING}
        table, new.den = plan(run.shop, run.draft.steps, [is_over, *(values[slot] for slot in new.asked)]).run(
            most_rows=MOST_ROWS
        )
        new.ways = [(bool(row[0]), row[1:], weight) for row, weight in table.items() if weight]
        new.came_to = run.what_it_came_to()
        return new

    def _kept(self, run: Run, new: Piece, slot: Slot, value: Value) -> Value:
        """What is handed on to the next piece: anything but dice, and what nobody has looked at yet that may fail."""
        mark, is_next_round = new.first.get(slot), new.then is self.first or new.then is None
        if not new.reading.is_anew(slot) and type(mark) in MARKS:
            return OF_A_ROUND if type(mark) is Rolled and is_next_round else mark
        if type(value) not in (Sym, Thrown):
            return value
        if is_roll(run, slot):
            if is_next_round:
                return OF_A_ROUND
            is_certain = type(value) is Thrown and type(value.plus) is not Sym
            return Rolled(value.parts, value.plus) if is_certain else OF_A_PIECE
        if isinstance(slot, AtMoment) and not is_next_round and not is_sure(run.shop, value, ()):
            return OF_A_PIECE
        return value

    def _run_in(self, known: Known) -> Run:
        """A run that begins in a state."""
        self.asked_dice.clear()
        state = self.state.copy()
        state.slots.update(self.new)
        state.slots.update({slot: value for slot, value in known.items() if value is not MISSING})
        run = self.run.once_more(state)
        for slot, value in known.items():
            if type(value) is Rolled:
                faces = run.shop.fault(partial(self._asks_for_dice, run, slot))
                state.slots[slot] = Thrown(value.parts, faces, run.shop, value.plus)
            elif type(value) in MARKS:
                state.slots[slot] = self._stands_for(run, slot, value)
        return run

    def _stands_for(self, run: Run, slot: Slot, mark: Value) -> Value:
        """A value for something of which nothing is known: whoever reads it is not believed, but must not stumble."""
        if type(mark) is OfARound or is_roll(run, slot):
            return forgotten(run, slot, self.place)
        if isinstance(slot, OPENED):
            return None if isinstance(slot, AtMoment) else 0
        return self.was(slot)

    def _asks_for_dice(self, run: Run, slot: Slot) -> Faulty:
        """Somebody asks how dice fell that are not handed on."""
        self.asked_dice.add(slot)
        name, whose = words_for(slot)
        return Faulty.one("budget-exceeded", f"how `{name}` of {whose} fell is not known any more", self.place)

    # ---- what counts -------------------------------------------------------------------------------------
    def is_settled(self) -> bool:
        """Whether nothing counts that did not when this going through began."""
        self.learn()
        if not self.has_grown and self.is_doubted:
            raise self.failed or Bug("what is read was worked out, and is not believed")
        return not self.has_grown

    def learn(self) -> None:
        """What is read at a spot counts at all that lead there, unless it is set anew on the way. Where dice count,
        that was no place to cut."""
        pieces, again = list(self.used), True
        while again:
            again = False
            for one in reversed(pieces):
                for behind in (one.then, self.end if one.may_end else None):
                    if behind is not None:
                        again |= self._counts_before(one, behind)
            self.has_grown |= again
        counts = 0
        for spot in self.spots.values():
            counts |= spot.counts
            self.ever_counted |= spot.doubts
        self.ever_counted |= {slot for slot, bit in self.bits.items() if counts >> bit & 1}
        for one in pieces:
            then = one.then
            if then is None or then is self.first:
                continue
            if not one.hidden.isdisjoint(then.needs):
                self.uncut.add(then.place)
                self.has_grown = True

    def _counts_before(self, one: Piece, behind: Spot) -> bool:
        spot, anew = one.spot, one.reading.anew
        before = len(spot.doubts), len(spot.needs)
        spot.doubts.update([slot for slot in behind.doubts if slot not in anew])
        if behind is not self.first:  # by then they are those of an earlier round
            spot.needs.update([slot for slot in behind.needs if slot not in anew])
        return (len(spot.doubts), len(spot.needs)) != before

    def _grown(self, state: State) -> bool:
        """Takes over whoever has come in; the rounds that are known are of those without him."""
        mine = self.state
        new: list[Slot] = [InPlay(thing) for thing in state.things.values() if thing.name not in mine.things]
        for (owner, fact), members in state.sets.items():
            known = mine.sets.get((owner, fact), ())
            if len(known) != len(members):
                new += [Member(owner, fact, member) for member in members if member not in known]
        mine.things, mine.by_kind, mine.sets = state.things, state.by_kind, state.sets
        mine.counters, mine.created = state.counters, state.created
        self.new |= {
            slot: self.run.empty(slot)
            for slot in state.slots
            if slot not in self.at_first and slot not in self.new and not isinstance(slot, OPENED)
        }
        if not new:
            return False
        come = {slot.thing for slot in new if isinstance(slot, InPlay)}
        anywhere = [slot for slot in new if not self._is_nowhere(slot, come)]
        for spot in self.spots.values():
            for one in spot.pieces:
                emptied = [slot for slot in new if one.reading.is_anew(slot)]
                one.reading.anew |= dict.fromkeys(emptied)
                one.sets |= dict.fromkeys(emptied, False)
                one.unheard += [slot for slot in (new if spot is self.end else anywhere) if slot not in emptied]
                one.anew |= self.bits_of(emptied)
                heard = [slot for slot in anywhere if one.reading.has_heard(slot)]
                one.reading.read |= dict.fromkeys(heard)
                self.it_counts(one, self.bits_of(heard))
        return True

    def _is_nowhere(self, slot: Slot, come: Container[Thing]) -> bool:
        """Whether nobody comes to what a slot says as long as none of those who have `come` in is in play: it is one of
        theirs, or whether they belong to somebody whose set holds only who is."""
        if not isinstance(slot, Member) or self.run.asks_of_moments:
            return False
        is_living = self.run.ruleset.kinds[slot.thing.kind].facts[slot.fact].origin == "given"
        return slot.thing in come or (is_living and slot.member in come)

    # ---- ends --------------------------------------------------------------------------------------------
    def _end(self, before: Piece, after: Known) -> int:
        """The number of an end, by what will be asked of it."""
        one = self.known_from(self.end, after) or self._asked_at_end(after)
        self.leads_to(before, one)
        end = self.first_alike(one, len(self.ends), after)
        if end == len(self.ends):
            self.ends.append((one, after))
        return end

    def _asked_at_end(self, after: Known) -> Piece:
        run = self._run_in(after)
        reading = run.watch_what_is_read()
        one, failed = Piece(self.end, after, reading), None
        try:
            if self.run.asked_at_end is None:
                for slot in reading:
                    reading[slot]
            else:
                self.run.asked_at_end(run)
        except Faulty as error:
            failed = error
        reading.is_over()
        if not self._is_believed(self.end, after, reading):
            self.failed = self.failed or failed
        elif failed is not None:
            raise failed
        else:
            self._is_known(one)
        return one

    def close(self, weights: Sequence[tuple[Piece, Known, int]]) -> None:
        """Writes into the run how it has ended: a throw of which each fall is an end, and what is so in each."""
        run, shop, bits = self.run, self.run.shop, self.bits
        state = self._run_in({}).state
        state.slots.update({slot: MISSING for slot in self.ever if slot not in state.slots})
        run.state.restore(state)
        for one in self.used:
            run.has_come_to(one.came_to)
        fall = shop.variable()
        run.draft.step(p.Throw(fall, [(((number,),), weight) for number, (*_, weight) in enumerate(weights)]))
        for slot in self.ever:
            asked = [one.counts >> bits[slot] & 1 if slot in bits else 0 for one, *_ in weights]
            heard = [self.of(known, slot) for (_, known, _), is_asked in zip(weights, asked, strict=True) if is_asked]
            if not heard or OF_A_ROUND in heard:
                run.write(slot, forgotten(run, slot, self.place))
                continue
            heard = [None if value is MISSING else value for value in heard]
            given = iter(heard)
            values = [next(given) if is_asked else heard[0] for is_asked in asked]  # where nobody asks it is all one
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
