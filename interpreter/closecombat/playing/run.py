"""The one evaluator: a run of a ruleset over a situation.

Whoever answers a throw is `answers`. With answers every value is known at every moment and this is a playing. Without,
a throw is a variable, values that depend on it are symbolic, and the run writes down the steps that are left
(`program`): carried out by `proving/carrying_out/prove`, they are the chances. Both are the same code, so the trace of
a playing cannot differ from the chances.

How a chart is read is `lookup`, which assumptions its answer rests on `assumptions`, what a row does `effects`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import field
from functools import partial
from itertools import product
from types import MappingProxyType
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from closecombat.binding.bound import BoundAct, BoundChoose, BoundDeclare
from closecombat.binding.charts import Bound
from closecombat.binding.moments import Moment
from closecombat.binding.terms import Env, Members, SetTerm, Term
from closecombat.binding.trace import Event, Recorder
from closecombat.playing.answers import Declared
from closecombat.playing.assumptions import note_what_it_rests_on
from closecombat.playing.coming import Coming
from closecombat.playing.compiled import Compiled, Reader, charts_of
from closecombat.playing.draft import Draft, Looking
from closecombat.playing.lookup import (
    Cause,
    grid_column,
    read_grid,
    read_table,
    subjects,
    tell_causes,
    told_as,
    without,
)
from closecombat.playing.memory import TRIED, Memory
from closecombat.playing.notes import ASSUMED, Mark, Notes
from closecombat.playing.paths import MISSING, Asked, Read
from closecombat.playing.watching import Came, Watching
from closecombat.playing.what_is_read import Everybody, Reading
from closecombat.playing.writing import FAILURES
from closecombat.proving.programs import program as p
from closecombat.proving.programs.writes import stopped
from closecombat.proving.throws.dice import Answers, Thrown
from closecombat.proving.values.arithmetic import kept_whole, plus
from closecombat.proving.values.budget import SOUGHT
from closecombat.proving.values.symbolic import Fault, Sym, Value, Workshop
from closecombat.reading.model import Fact, Grid, Origin, Row, Table
from closecombat.reading.situation import Course, State
from closecombat.reading.slots import AtMoment, FactOf, Fought, InPlay, Member, Owed, PerWord, Slot
from closecombat.reading.syntax import Cell
from closecombat.reading.types import Flag, Number, Per, Roll, Thing
from closecombat.text.faults import Bug, Faulty
from closecombat.text.slotted import dataclass

Told: TypeAlias = tuple[Value, list[Cause], Collection[Looking]]  # what a chart says, why, and what was looked at
Known: TypeAlias = tuple[
    Value, int, Collection[Looking]
]  # the same of one that is compiled: why is which rows counted, as bits
NOTHING_READ: Mapping[tuple[Value, ...], Any] = MappingProxyType({})
DEEPEST = 20  # tables of one name, each asked by the one before


def _never_said(fact: Fact, thing: Thing) -> Faulty:
    return Faulty.one(
        "missing-fact",
        f"`{fact.name}` of {thing} is asked for, who has come in since, and nothing has said it",
        fact.where.place,
        help="give it a `default:`, let its counter print it, or let the row that brings him in say it",
    )


def counts_for_something(value: Value) -> bool:
    """Nothing that is not so counts: no, nobody, nothing at all."""
    return type(value) is not Fault and bool(value)


@dataclass(frozen=True, slots=True, eq=False)
class Failed:
    """What a table came to at a moment where it could not be read: told where it is asked for."""

    error: Faulty


def _itself(error: Faulty) -> Faulty:
    return error


@dataclass(slots=True)
class Added:
    """What is added among rows at once: each sum so far, but of what is also written there."""

    sums: dict[Slot, Value] = field(default_factory=dict)
    written: set[Slot] = field(default_factory=set)


Written: TypeAlias = Mapping[Slot, Value]
NOTHING: Written = MappingProxyType({})
CameTo: TypeAlias = tuple[dict[int, Origin], tuple[Mark, ...]]  # what was used, and what the result rests on
NOWHERE: CameTo = ({}, ())


T = TypeVar("T")


class Recaller(Protocol):
    """Whoever knows what playings of a fight have come to (`recall`)."""

    def piece(self, run: Run, what: Hashable, env: Env, body: Callable[[], Value]) -> Value: ...
    def one_roll(self, thrown: Thrown) -> Thrown: ...


class Offering(Protocol):
    """Whoever lets players answer as they like what nobody has answered (`offers`), or `frees` what somebody has."""

    frees: bool

    def offers(self, run: Run, act: BoundAct, verb: BoundChoose, env: Env, who: Thing) -> bool: ...
    def declares(self, run: Run, act: BoundAct, verb: BoundDeclare, env: Env, who: Thing) -> bool: ...


@dataclass(frozen=True, slots=True)
class Pass(Generic[T]):
    """What going through a body once has come to, before it was taken back: what it gave, the steps that it left, and
    what it has written and, among rows at once, added to."""

    value: T
    steps: list[p.Step]
    after: Written
    added: Written


class Aside:
    """For as long as nothing is recorded or noted: a trace asks for hundreds."""

    __slots__ = ("_recorder", "_run", "_trying")

    def __init__(self, run: Run) -> None:
        self._run, self._trying, self._recorder = run, run.trying, run.recorder

    def __enter__(self) -> None:
        self._run.trying, self._run.recorder = True, None

    def __exit__(self, *error: object) -> None:
        self._run.trying, self._run.recorder = self._trying, self._recorder


class Run:
    """A ruleset, a state that changes, and who answers. Implements `terms.World`."""

    def __init__(
        self,
        bound: Bound,
        state: State,
        options: dict[str, Value],
        players: Declared,
        answers: Answers | None,
        recorder: Recorder | None = None,
        combats: int = 1,
        questions: Iterable[Cell] = (),
    ) -> None:
        self.bound, self.ruleset, self.state = bound, bound.ruleset, state
        self.options, self.players, self.answers, self.recorder = options, players, answers, recorder
        self.shop = Workshop(proving=answers is None)
        self._slots = state.slots
        self.slots: Mapping[Slot, Value] = self._slots
        self.asked_at_end: Callable[[Run], object] | None = None  # all that will be asked of the end, if that is known
        self.reading: Reading | None = None  # what of the state is read, where somebody wants to know
        self.recall: Recaller | None = None  # what playings of the same fight have come to, where it is played often
        self.offering: Offering | None = None  # who answers what is left open, where that is not the ruleset
        self.foreknown: Answers | None = None  # without `answers`, how the first dice fall, if that is known
        self.times_together = 0  # how often rows have been reached of whom none who is asked sees the others' answers
        self.watching: Watching | None = None  # what a piece asks that is to be recalled
        self._tells = False  # whether what is recalled is told too
        self.start: Mapping[Slot, Value] = dict(state.slots)
        self.settings: tuple[Value, ...] = ()  # what is not settled though no die decides it (`unknowns`)
        self.combats = combats  # how many are played, one after the other
        self.met: dict[int, Origin] = {}  # what was used: rows that counted or may have, steps done, charts read
        self.looked_into: dict[str, bool] = {}  # charts and groups that were asked, and whether by supposing too
        self.notes = Notes()
        self._is_noting = True  # whether anybody wants to know what a result rests on
        self._remarks: Sequence[Mark] = ()
        self.trying = False  # whether something is only supposed: then nothing is noted
        self._options_asked: list[dict[str, None]] = []  # by each table that is being read
        self._assumed_facts = {
            (kind.name, fact.name): fact.where
            for kind in bound.ruleset.kinds.values()
            for fact in kind.facts.values()
            if fact.where.assumed and not isinstance(fact.type, Roll)
        }
        self.before: dict[str, list[Callable[[], None]]] = {}  # row id -> what to ask just before it is done, each time
        self.done: set[str] = set()  # of these rows, those that have been
        self.becomes: dict[Thing, dict[str, None]] = {}  # the counters that each may have become so far
        self.overprinted: set[tuple[Thing, str]] = set()  # of what is printed, what a row may have set
        self._journals: list[dict[Slot, Value]] = []  # what was before, in each block around this
        self._outside = 0  # how many of these blocks are around the whole close combat
        self._added: list[Added] = []  # in a transaction: what has only been added to
        self._memory = Memory(bound)
        self.changes = 0  # how often the state has become another
        self._opening: list[str] = []
        self.workings = bound.workings
        self._moments = bound.moments(questions)
        self.asked = 0  # how often dice were thrown, cards dealt or somebody was to choose
        self.combats_begun = 0  # of a playing, how many close combats were fought
        self._most_counted: int | None = None
        self._charts = charts_of(bound, self.shop.proving)
        self._compiled, self._plain = self._charts.found, self._charts.plain
        self._sentences = self._charts.sentences
        self._counted: dict[str, int] = {}  # of each chart that is compiled, what of it stands in `met`
        self._readers: dict[str, Reader] = {}  # of those of which nothing is assumed and that ask no other
        self._may_assume = any(option.assumed for option in bound.ruleset.options.values())
        self.draft = Draft(self.shop)
        self.coming = Coming(state.either_way if self.shop.proving else set())

    @property
    def dice(self) -> Answers | None:
        """Who says how the next dice fall; None where they are not known."""
        return self.foreknown if self.answers is None else self.answers

    # ---- reading the state --------------------------------------------------------------------------------
    def fact(self, thing: Thing, name: str, word: str = "") -> Value:
        value = self.slots.get(PerWord(thing, name, word) if word else FactOf(thing, name), MISSING)
        if value is MISSING:
            return self.shop.failed(partial(_never_said, self.ruleset.kinds[thing.kind].facts[name], thing))
        if self._assumed_facts and (resting := self._assumed_facts.get((thing.kind, name))) is not None:
            self.used(resting, value)
        return value

    def fact_at_start(self, thing: Thing, name: str, word: str = "") -> Value:
        slot = PerWord(thing, name, word) if word else FactOf(thing, name)
        return self.start.get(slot, self.fact(thing, name, word))

    def in_play(self, thing: Thing) -> Value:
        return self.slots[InPlay(thing)]

    def members(self, thing: Thing, name: str, at_start: bool) -> Members:
        key, known = (thing, name, at_start), self._memory.members
        found: Members | None = known.get(key)
        if found is None or self.answers is None:
            found = self._members(thing, name, at_start)
            if self.answers is not None:
                known[key] = found
        self.shop.budget.spend(SOUGHT * len(found))  # who asks for a set goes through it, in sets within sets too
        return found

    def _members(self, thing: Thing, name: str, at_start: bool) -> Members:
        slots = self.start if at_start else self.slots
        if self.reading is not None:
            self.reading.goes_through(thing, name)
        living = not at_start and self.ruleset.kinds[thing.kind].facts[name].origin == "given"
        out = []
        for member in self.state.sets.get((thing, name), ()):
            if living and self.reading is not None and self.reading.is_no(InPlay(member)):
                continue  # who has left is no member, whatever the set says of him
            guard = slots.get(Member(thing, name, member), False)
            if living and guard is not False:
                guard = self.shop.and_(guard, self.in_play(member))
            if guard is not False:
                out.append((member, guard))
        return out

    def everyone(self, kind: str, at_start: bool) -> Members:
        slots = self.start if at_start else self.slots
        if self.reading is not None:
            self.reading.goes_through(None, kind)
        out = [(thing, slots.get(InPlay(thing), False)) for thing in self.state.by_kind.get(kind, ())]
        self.shop.budget.spend(SOUGHT * len(out))
        return [(thing, guard) for thing, guard in out if guard is not False]

    def only(self, kind: str) -> Thing:
        return self.state.by_kind[kind][0]

    def setting(self, number: int) -> Value:
        """What one of the things is that were not settled before the fight."""
        return self.settings[number]

    def leaves_open(self, settings: tuple[Value, ...], readings: Mapping[str, Value]) -> None:
        """What is not settled is one of several things, and some options are read in one of several ways."""
        self.settings = settings
        self.options.update(readings)

    def opens_with(self, slot: Slot, value: Value) -> None:
        """The fight begins otherwise than its situation says."""
        self._slots[slot] = value
        self.start = {**self.start, slot: value}
        self.changed()

    def option(self, name: str) -> Value:
        option, reading = self.ruleset.options[name], self.options[name]
        self.met.setdefault(id(option), option.where)
        if option.assumed.get(reading) and not self.trying:
            if self._options_asked:
                self._options_asked[-1][name] = None
            else:
                self.assumed(option.assumed[reading])
        return reading

    def begins_a_combat(self) -> None:
        """Counts the close combats; for all dice at once only where that is asked."""
        self.combats_begun += 1
        if Fought() in self.slots:
            self.write(
                Fought(), self.shop.lift(stopped, plus(self.shop, self.slots[Fought()], 1), 0, self._most_counted)
            )

    def count_combats(self, most: int | None = None) -> None:
        """From now on it is a value of the run how many close combats were begun; no further than to `most`, so
        that it makes no states without end."""
        self._most_counted = most
        self.open(Fought(), 0)

    @property
    def fought(self) -> Value:
        """How many close combats were begun, where that is counted."""
        return self.slots[Fought()]

    def looks_into(self, name: str, supposing: bool = False) -> None:
        """Notes that a chart or a group is asked; what of it is met is not noted where something is only supposed."""
        self.looked_into[name] = self.looked_into.get(name, False) or supposing or self.trying

    def came_to(self, where: Origin) -> None:
        """Notes what was asked or done, and nothing of what it rests on."""
        if not self.trying:
            self.met[id(where)] = where

    def used(self, where: Origin, counts: Value = True) -> None:
        """Notes what was asked or done; it has been met unless the answer was certainly no."""
        if counts is not False:
            self.came_to(where)
            if where.assumed:
                self.assumed(where.assumed, lambda: self.shop.lift(counts_for_something, counts))

    def group(self, name: str, args: tuple[Value, ...]) -> Members:
        group, key, groups = self.ruleset.groups[name], (args, self.trying), self._memory.groups
        known: Members | None = groups[name].get(key) if name in groups else None
        if known is not None:
            self.shop.budget.spend(SOUGHT * len(known))
            return known
        self.looks_into(name)
        read = self._charts.groups.get(name)
        if read is not None:
            try:
                members: Members = read(self, args)
                if self.answers is not None and name in self._charts.steady:
                    groups.setdefault(name, {})[key] = members
            except FAILURES:
                read = None  # the closures tell what it is
        if read is None:
            members = self.bound.group(name).run(self, dict(zip(group.about, args, strict=False)))
            self._charts.is_read(name, True)
        self.used(group.where, self.shop.any_of(guard for _, guard in members))
        return members

    def ask(self, term: Term, env: Env) -> Value:
        """A sentence of a row, by its function if it is asked often."""
        known = self._sentences.get(id(term))
        if known is None:
            if self.answers is not None:
                self._charts.is_asked(term)
            return term.run(self, env)
        try:
            return known[0](self, env)
        except FAILURES:
            return term.run(self, env)

    def ask_whom(self, term: SetTerm, env: Env) -> Members:
        """The same of a set."""
        known = self._sentences.get(id(term))
        if known is None:
            if self.answers is not None:
                self._charts.is_asked(term)
            return term.run(self, env)
        try:
            members: Members = known[0](self, env)
        except FAILURES:
            members = term.run(self, env)
        return members

    def column(self, name: str, args: tuple[Value, ...]) -> Value:
        self.looks_into(name)
        return grid_column(self, self.bound.grid(name), args)

    def table(self, name: str, args: tuple[Value, ...]) -> Value:
        """A table or grid read for its subjects; read once as long as nothing changes that it may have read."""
        reader = self._readers.get(name)
        if reader is None and name in self._plain:
            reader = self._readers[name] = Reader(self._plain[name])
        if reader is not None and self.recorder is None:
            known = self._recalled(name, args) if reader.is_long and name in self._memory.tables else None
            if known is not None:
                return known[0]
            try:
                value, rows = reader.read(self, args)
            except FAILURES:
                pass  # the closures tell what it is
            else:
                if rows & reader.left or (reader.is_new and value is not False) or self.trying:
                    self._plainly(reader, args, value, rows)
                if reader.is_long:
                    self._memory.tables.setdefault(name, {})[(TRIED, *args) if self.trying else args] = value, rows, ()
                return value
        tables = self._memory.tables
        known = self._recalled(name, args) if name in tables else None
        if known is None and self._tells:
            known = self._read_before(name, args)
        if known is None:
            self.looks_into(name)
            known = self._by_function(name, args) or self._by_closures(name, args)
            if self._tells and not self.trying:
                self._memory.told[Read(name, args)] = known
            else:
                tables.setdefault(name, {})[(TRIED, *args) if self.trying else args] = known
        for conditions, one in known[2]:
            self.draft.looks_at((*self.shop.when, *conditions), one)
        return known[0]

    def table_and_causes(self, name: str, args: tuple[Value, ...]) -> tuple[Value, list[Cause]]:
        """The same, and the rows that made it so."""
        value, known = self.table(name, args), self._recalled(name, args)
        if known is None and self._tells:
            known = self._read_before(name, args)
        if known is not None and known[1] and self.watching is not None:
            self.watching.hangs_on_why(name, args)
        if known is None:
            known = self._by_function(name, args) or self._by_closures(name, args)
            self._memory.tables.setdefault(name, {})[(TRIED, *args) if self.trying else args] = known
        return value, self._causes(name, args, known[1]) if isinstance(known[1], int) else known[1]

    def _recalled(self, name: str, args: tuple[Value, ...]) -> Told | Known | None:
        """What a chart is known to say. What was only tried has noted nothing, and is known to trials alone."""
        readings = self._memory.tables.get(name, NOTHING_READ)
        known: Told | Known | None = readings.get(args)
        return readings.get((TRIED, *args)) if known is None and self.trying else known

    def _read_before(self, name: str, args: tuple[Value, ...]) -> Told | Known | None:
        """Of a playing that is recalled and told: what a chart is known to have said in a piece before, or before the
        piece that is being gone through."""
        found: Told | Known | None = self._memory.told.get(Read(name, args))
        if found is None and self.watching is not None:
            found = self.watching.was_read(self._memory, name, args)
        return found

    def _causes(self, name: str, args: tuple[Value, ...], rows: int) -> list[Cause]:
        """Why a compiled table says what it says: a prohibition says no more than which rows hold."""
        chart, table = self._compiled.get(name), self.ruleset.tables.get(name)
        if not rows or chart is None or table is None:
            return []
        if table.policy == "forbidden-if" and not any(row.each for row in table.rows):
            return [Cause(row, True, "says", row.says) for row in chart.counted(rows)]
        told = self._by_closures(name, args)
        self._memory.tables.setdefault(name, {})[(TRIED, *args) if self.trying else args] = told
        return told[1]

    def _by_function(self, name: str, args: tuple[Value, ...]) -> Known | None:
        """A chart that is compiled, read for its subjects, if nobody wants it told and its function has an answer."""
        chart, opening = self._compiled.get(name), self._opening
        if chart is None or self.recorder is not None:
            return None
        if len(opening) >= DEEPEST and opening.count(name) >= DEEPEST:
            return None
        if self.shop.proving:
            return self._by_function_of_some(chart, args)
        asks, options = self._may_assume and not self.trying, None
        opening.append(name)
        if asks:
            self._options_asked.append({})
        try:
            value, rows = chart.read(self, args)
        except FAILURES:
            return None  # the closures tell what it is
        finally:
            opening.pop()
            if asks:
                options = self._options_asked.pop()
        if not self.trying:
            here = rows if value is False else rows | chart.itself
            if options or chart.rests or here & ~self._counted.get(name, 0):
                self._note(chart, args, value, rows, options or ())
        return value, rows, ()

    def _plainly(self, reader: Reader, args: tuple[Value, ...], value: Value, rows: int) -> None:
        """Notes a chart that asks no other, and of which nothing is assumed."""
        chart = reader.chart
        self.looks_into(chart.name)
        if not self.trying:
            self._note(chart, args, value, rows, ())
            reader.left = ~(noted := self._counted.get(chart.name, 0))
            reader.is_new = not noted & chart.itself

    def _by_function_of_some(self, chart: Compiled, args: tuple[Value, ...]) -> Known | None:
        """The same where not everything is known: what is looked at on the way is noted."""
        self._opening.append(chart.name)
        self._options_asked.append({})
        try:
            with self.draft.collects() as looked:
                value, rows = chart.read(self, args)
                if not self.trying:
                    self._note(chart, args, value, rows, self._options_asked[-1])
        except FAILURES:
            return None
        finally:
            self._options_asked.pop()
            self._opening.pop()
        return value, rows, looked

    def _note(self, chart: Compiled, args: tuple[Value, ...], value: Value, rows: int, options: Iterable[str]) -> None:
        """Notes what a compiled chart rests on, as its closures would."""
        bits = rows if value is False else rows | chart.itself
        if new := bits & ~self._counted.get(chart.name, 0):
            self._counted[chart.name] = self._counted.get(chart.name, 0) | new
            for row in chart.counted(new & ~chart.itself):
                self.came_to(row.where)
        if new & chart.itself:
            self.came_to(chart.where)
        if bits & chart.itself and chart.where.assumed:
            self.used(chart.where, bool(rows & chart.itself) or value)
        if self._is_noting and (rows & chart.assumed or options):
            causes = [Cause(row, True, row.verb, None) for row in chart.counted(rows & chart.assumed)]
            note_what_it_rests_on(self, chart.name, args, (value, causes), options)

    def _by_closures(self, name: str, args: tuple[Value, ...]) -> Told:
        """A chart that is read anew, and told."""
        self._opening.append(name)
        try:  # whoever only supposes something goes on after a fault
            with self.draft.collects() as looked:
                value, causes = self._read_anew(name, args)
        finally:
            self._opening.pop()
        if self.recorder is None:
            self._charts.is_read(name)
        return value, causes, looked

    def _read_anew(self, name: str, args: tuple[Value, ...]) -> tuple[Value, list[Cause]]:
        """A table or grid worked out, told, and what it rests on noted."""
        if self._opening.count(name) > DEEPEST:
            raise Faulty.one("circular", f"`{name}` is worked out from itself", self._chart(name).where.place)
        self._options_asked.append({})
        try:
            known = self.look_up(name, args) if self.recorder is None else self._told(self.recorder, name, args)
        finally:
            options = self._options_asked.pop()
        if not self.trying and self._is_noting:
            note_what_it_rests_on(self, name, args, known, options)
        if type(known[0]) is Sym and len(known[0].vars) > 1 and not isinstance(self.bound.table_type(name), Flag):
            return self.draft.named(known[0]), known[1]
        return known

    def _told(self, recorder: Recorder, name: str, args: tuple[Value, ...]) -> tuple[Value, list[Cause]]:
        """The same, with what is told of it written into an event."""
        chart = self._chart(name)
        event = Event("reading", told_as(chart), subjects(args), None, chart.where)
        reasons = recorder.begin_reading(event)
        try:
            known = self.look_up(name, args)
            table = self.ruleset.tables.get(name)
            event.value = known[0]
            tell_causes(event, table, known[1], reasons)
            if table is not None and known[0] is False and event.because:
                event.by_chance = self.workings.rests_on_chance(table.value)
        finally:
            recorder.end_reading(event)
        return known

    def read_now(self, name: str, args: tuple[Value, ...]) -> Value:
        """What a chart says, whatever has been read before; nothing of it is remembered or noted."""
        self.looks_into(name, supposing=True)
        if (chart := self._compiled.get(name)) is not None:
            with suppress(*FAILURES):
                return chart.read(self, args)[0]
        return self.look_up(name, args)[0]

    def _chart(self, name: str) -> Table | Grid:
        return self.ruleset.tables.get(name) or self.ruleset.grids[name]

    def look_up(self, name: str, args: tuple[Value, ...], but: Row | None = None) -> tuple[Value, list[Cause]]:
        """A grid or a table, perhaps without one of its rows; without any that holds it says nothing."""
        if name in self.ruleset.grids:
            return read_grid(self, self.bound.grid(name), args), []
        table = self.bound.table(name)
        return read_table(self, table if but is None else without(table, but), args)

    # ---- what a result rests on ---------------------------------------------------------------------------
    def notes_nothing(self) -> None:
        """Nobody wants to know what the result rests on."""
        self._is_noting = False

    def mark(self, mark: Mark, when: Callable[[], Value] = lambda: True) -> None:
        """Notes that something counts, where and if it does."""
        if self.trying or not self._is_noting or mark in self.notes.met:
            return
        here = when()
        if not self.shop.proving:
            if here:
                self.notes.noting(mark)()
        elif here is not False:
            conditions = (*self.shop.when, here) if type(here) is Sym else tuple(self.shop.when)
            self.draft.looks_at(conditions, self.shop.node(self.notes.noting(mark)))

    def assumed(self, ids: Iterable[str], when: Callable[[], Value] = lambda: True) -> None:
        for id in ids:
            self.mark((ASSUMED, id), when)

    @contextmanager
    def reading_as(self, option: str, reading: str) -> Iterator[None]:
        """An option has another reading."""
        now, self.options[option] = self.options[option], reading
        try:
            yield
        finally:
            self.options[option] = now

    @contextmanager
    def supposing(self, slot: Slot | None = None, value: Value = None) -> Iterator[None]:
        """Something is only tried, perhaps with another value of a slot: nothing of it is noted or recorded."""
        before = self.trying, self.recorder, self._memory, self._options_asked
        was = self.slots.get(slot) if slot is not None else None
        self.trying, self.recorder, self._memory, self._options_asked = True, None, Memory(self.bound), []
        if slot is not None:
            self._slots[slot] = value
        try:
            with self.shop.quiet():
                yield
        finally:
            self.trying, self.recorder, self._memory, self._options_asked = before
            if slot is not None:
                self._slots[slot] = was

    def changed(self) -> None:
        """Forgets what has been read: the state is another now."""
        self._memory.forget_all()
        self.changes += 1

    def _written(self, slot: Slot) -> None:
        """Forgets what may have read a slot; a trace tells again what it says."""
        if self.recorder is None:
            self._memory.forget(slot)
        else:
            self._memory.forget_all()
        self.changes += 1

    @contextmanager
    def _remembering(self, begins: Memory, journal: Iterable[Slot] = ()) -> Iterator[None]:
        """What is read meanwhile is forgotten; what was known is known again, but for what is in the journal."""
        outer, self._memory = self._memory, begins
        self.changes += 1
        try:
            yield
        finally:
            inner, self._memory = self._memory, outer
            outer.behind(inner, journal)
            self.changes += 1

    # ---- changing the state -------------------------------------------------------------------------------
    def write(self, slot: Slot, value: Value) -> None:
        old = self._slots.get(slot, MISSING)
        same = type(old) is type(value) and (old is value or (type(value) is not Sym and old == value))
        if self.reading is not None:
            if same and self._added:  # among rows at once another may change it then
                self.reading.is_left(slot)
            self.reading.is_set(slot)
        if self.watching is not None:
            self.watching.is_set(slot, bool(self._journals) or (self._tells and type(value) is not Thrown))
        if same and not (self._tells and type(value) is Thrown):  # the same dice are one roll there, and yet are thrown
            return
        for journal in self._journals[-1:]:
            journal.setdefault(slot, old)
        for added in self._added[-1:]:
            added.sums.pop(slot, None)
            added.written.add(slot)
        self._slots[slot] = value
        self._written(slot)

    def empties(self, owner: Thing, fact: str) -> None:
        """A set has nobody in it."""
        for member in self.state.sets.get((owner, fact), ()):
            self.write(Member(owner, fact, member), False)
        if self.reading is not None:
            self.reading.is_emptied(owner, fact)

    def add_to(self, slot: Slot, amount: Value, low: int | None, high: int | None) -> None:
        """Adds to a number, stopping at the ends of its range; additions made at once add up."""
        old = self._slots[slot]
        if self.reading is not None:
            self.reading.is_touched(slot)
        if self.watching is not None:
            self.watching.is_set(slot, True)
        for journal in self._journals[-1:]:
            journal.setdefault(slot, old)
        for added in self._added[-1:]:
            if slot not in added.written:
                added.sums[slot] = plus(self.shop, added.sums.get(slot, 0), amount)
        self._slots[slot] = kept_whole(self.shop, stopped, plus(self.shop, old, amount), low, high)
        self._written(slot)

    def under(self, condition: Value, body: Callable[[], None]) -> None:
        """Does the body where the condition holds; elsewhere the state stays as it is."""
        if type(condition) is Sym:
            condition = self.shop.known.get(condition, condition)
        if type(condition) is not Sym:
            if condition:
                body()
            return
        if self.draft.is_excluded(condition):
            return
        shop = self.shop
        journal: dict[Slot, Value] = {}
        anew = self._set_so_far()
        self._journals.append(journal)
        outer_sums = dict(self._added[-1].sums) if self._added else None
        try:
            with self.draft.branch(condition), self._remembering(self._memory.inside(), journal):
                body()
        finally:
            self._journals.pop()
            self._set_again(anew)
        if outer_sums is not None:
            sums = self._added[-1].sums
            for slot, amount in sums.items():
                sums[slot] = shop.if_(condition, amount, outer_sums.get(slot, 0))
        for slot, old in journal.items():
            new = self._slots[slot]
            if old is MISSING:
                old = self.empty(slot)
            elif self._added and self.reading is not None:  # what is taken over into the state is set anew there
                self.reading.is_left(slot)
            for enclosing in self._journals[-1:]:
                enclosing.setdefault(slot, old)
            self._slots[slot] = shop.if_(condition, new, old)

    # ---- what was at a moment ----------------------------------------------------------------------------
    @property
    def asks_of_moments(self) -> bool:
        """Whether anything is asked later as it was at a moment."""
        return bool(self._moments)

    def reached(self, row: str) -> None:
        """Writes down what is asked later as it is now, for each of whom it can be asked."""
        for moment in self._moments.get(row, ()):
            for whom in product(*(self.state.by_kind.get(kind, ()) for kind in moment.about)):
                there: Value = True
                for one in whom:
                    there = self.shop.and_(there, self.in_play(one))
                slot = AtMoment(row, moment.name, whom)
                self.open(slot, None)
                now = self._as_it_is(moment, whom) if there is not False else None
                self.write(slot, self.shop.if_(there, now, None))

    def _as_it_is(self, moment: Moment, whom: tuple[Thing, ...]) -> Value:
        """A value that nobody looks at yet: what fails is told where it is asked for."""
        known, self._memory = self._memory, Memory(self.bound)
        try:
            with self.unrecorded(), self.shop.quiet():
                return self.table(moment.name, whom) if moment.is_chart else self.fact(whom[0], moment.name)
        except Faulty as error:
            return self.shop.fault(partial(_itself, error)) if self.shop.proving else Failed(error)
        finally:
            self._memory = known

    def at_moment(self, row: str, name: str, args: tuple[Value, ...]) -> Value:
        if not any(name == moment.name for moment in self._moments.get(row, ())):
            raise Bug(f"{name} at {row} is asked and was not written down")
        value = self.slots.get(AtMoment(row, name, args))
        if type(value) is Failed:
            raise value.error
        if type(value) is Sym:
            self.shop.owed(value)
        if name in self.ruleset.tables or name in self.ruleset.grids:
            where = self._chart(name).where
            self.used(where, value)
            if self.recorder is not None and not self.trying:
                self.recorder.add(Event("reading", f"{name} at {row}", subjects(args), value, where))
        return value

    # ---- what is recalled -----------------------------------------------------------------------------------
    @property
    def held(self) -> Mapping[Slot, Value]:
        """The state as it is, whoever watches what is read of it."""
        return self._slots

    def one_roll(self, thrown: Thrown) -> Thrown:
        """A roll is equal to itself alone: where playings are recalled the same dice are the same roll."""
        return thrown if self.recall is None else self.recall.one_roll(thrown)

    def recalled(self, what: Hashable, env: Env, body: Callable[[], None]) -> None:
        """Does something, or does again what it did; `what` it is, and for whom, is all that is said of it."""
        if self.recall is None or self._added or (self._tells and self.recorder is None):
            body()
        else:
            self.recall.piece(self, what, env, body)

    def recalled_of(self, what: Hashable, env: Env, ask: Callable[[], T]) -> T:
        """The same of something that only asks."""
        if self.recall is None or (self._tells and self.recorder is None):
            return ask()
        found: T = self.recall.piece(self, what, env, ask)
        return found

    def recalls(self, recall: Recaller, course: Course) -> None:
        """From here on what playings of the same fight have come to is recalled."""
        self.recall, self.state.course = recall, course
        self._tells = self.recorder is not None

    @property
    def remembered(self) -> Memory:
        """What has been read and is still so."""
        return self._memory

    @contextmanager
    def piece(self) -> Iterator[Watching]:
        """Of what is done meanwhile it is written down what it asks, and what it comes to; nothing that was read before
        is known in it."""
        outer, notes, slots, known = self.watching, self.notes, self.slots, self._memory
        course, times = self.state.course, self.asked
        mine = Watching(self._slots)
        self.slots = self.watching = mine
        self.notes = Notes()
        try:
            with self._telling(mine) if self._tells else self._remembering(Memory(self.bound), mine.written):
                yield mine
            mine.marks = tuple(self.notes.found)
        finally:
            self.watching, self.notes, self.slots = outer, notes, slots
        mine.asked = self.asked - times
        if course is not None and self.state.course is not None:
            mine.newcomers = self.state.course.since(course)
        self._noted(mine.marks)
        if outer is not None:
            outer.has_gone(mine.path, mine.written, known)
            outer.is_vague |= mine.is_vague
        if self._tells:
            known.takes_over(mine.forgot, mine.read)

    @contextmanager
    def _telling(self, mine: Watching) -> Iterator[None]:
        """A piece that is told: what was read before it is not told again, in it or behind it, unless it is
        forgotten."""
        recorder, known = self.recorder, self._memory
        if recorder is None:
            raise Bug("a piece is told and nobody writes it down")
        since = recorder.now
        self._memory = known.piece()
        try:
            yield
            mine.told = recorder.since(since)
            mine.is_left(self._memory)
        finally:
            self._memory = known

    def comes_to(self, came: Came, asked: Iterable[Asked]) -> None:
        """Takes over what a piece of another playing has come to, and what it asked on its way."""
        for one in came.newcomers:
            self.state.came(one)
        if self.watching is not None:
            self.watching.has_gone(asked, came.written, self._memory)
        self._slots.update(came.written)
        if self._tells:
            self._memory.takes_over(came.forgot, came.read)
            self.changes += came.forgot
            if self.recorder is not None:
                self.recorder.has_told(came.told)
        elif came.written:
            self._memory.forget_all()
            self.changes += 1
        self._noted(came.marks)
        self.asked += came.asked

    def _noted(self, marks: Iterable[Mark]) -> None:
        for mark in marks:
            if mark not in self.notes.met:
                self.notes.noting(mark)()

    @property
    def is_transaction(self) -> bool:
        """Whether what is done is written later, together with other rows."""
        return bool(self._added)

    @contextmanager
    def journal(self) -> Iterator[dict[Slot, Value]]:
        """What is written meanwhile: each slot, and what it was before."""
        journal: dict[Slot, Value] = {}
        self._journals.append(journal)
        try:
            yield journal
        finally:
            self._journals.pop()
        for enclosing in self._journals[-1:]:
            for slot, old in journal.items():
                enclosing.setdefault(slot, old)

    def one_by_one(self, bodies: Iterable[Callable[[], None]]) -> None:
        """Does one after the other; what then hangs on several throws has a variable, unless more is to come."""
        if self.answers is not None:  # then nothing hangs on a throw, and whoever takes it back has a journal
            for body in bodies:
                body()
            return
        with self.journal() as journal:
            for body in bodies:
                body()
        if len(self._journals) == self._outside:
            self.keep(journal)

    def as_at_first(self, body: Callable[[], None]) -> None:
        """Does the body as if nothing were around it: what it does one by one has variables there as well."""
        outside, self._outside = self._outside, len(self._journals)
        try:
            body()
        finally:
            self._outside = outside

    def taken_back(self, body: Callable[[], None]) -> tuple[dict[Slot, Value], dict[Slot, Value]]:
        """Does the body on the state as it is and takes it back: what it would set, and what it would add."""
        journal: dict[Slot, Value] = {}
        added, anew = Added(), self._set_so_far()
        self._journals.append(journal)
        self._added.append(added)
        try:
            body()
        finally:
            self._journals.pop()
            self._added.pop()
            self._set_again(anew)
            if anew is not None:
                self.changed()  # what was read meanwhile was read of what had been set
        made = {slot: self._slots[slot] for slot in journal}
        for slot, old in journal.items():
            self._slots[slot] = self.empty(slot) if old is MISSING else old
            self._written(slot)
        sums = {slot: amount for slot, amount in added.sums.items() if slot in made}
        return {slot: value for slot, value in made.items() if slot not in sums}, sums

    def gone_through(
        self, body: Callable[[], T], starts: Written = NOTHING, thrown: Written = NOTHING, sums: Written = NOTHING
    ) -> Pass[T]:
        """Goes once through the body, and takes it back: with other values of some slots at its start, others that are
        forgotten (`thrown`), and what is said to have been added so far among rows at once."""
        was = {slot: self._slots[slot] for slot in (*starts, *thrown)}
        journal = {slot: was[slot] for slot in starts}
        added = self._added[-1] if self._added else Added()
        sums_before, written_before = dict(added.sums), set(added.written)
        anew = self._set_so_far()
        self._journals.append(journal)
        self._slots.update(starts)
        self._slots.update(thrown)
        added.sums.update(sums)
        with self.draft.apart() as steps, self._remembering(Memory(self.bound)):
            value = body()
        self._journals.pop()
        after = {slot: self._slots[slot] for slot in journal}
        more = {slot: added.sums[slot] for slot in journal if slot in added.sums and slot not in added.written}
        added.sums, added.written = sums_before, written_before
        self._slots.update(journal | was)
        self._set_again(anew)
        return Pass(value, steps, after, more)

    def added_so_far(self, slot: Slot) -> Value:
        """What has been added to a slot among rows at once."""
        return self._added[-1].sums.get(slot, 0) if self._added else 0

    def has_been_added(self, slot: Slot, amount: Value) -> None:
        """Takes what has been written to a slot for what has been added to it."""
        for added in self._added[-1:]:
            added.written.discard(slot)
            added.sums[slot] = amount

    @contextmanager
    def trial(self) -> Iterator[None]:
        """Takes back whatever is done meanwhile, who has come into play included."""
        state = self.state.copy()
        try:
            yield
        finally:
            self.state.restore(state)
            self.changed()

    # ---- what is read of a state ---------------------------------------------------------------------------
    def watch_what_is_read(self) -> Reading:
        """From here on it is written down what is read of the state as it is now."""
        self.slots = self.reading = Reading(self._slots)
        self.changed()
        return self.reading

    @contextmanager
    def reads_apart(self) -> Iterator[Reading]:
        """What is read and written meanwhile."""
        slots, outer = self.slots, self.reading
        self.slots = self.reading = inner = Reading(slots)
        self.changed()
        try:
            yield inner
        finally:
            self.slots, self.reading = slots, outer
            if outer is not None:
                outer.takes_over(inner)
            self.changed()

    def once_more(self, state: State) -> Run:
        """A run of the same fight that begins in another state."""
        other = Run(self.bound, state, dict(self.options), self.players, None, None, self.combats)
        other.start, other._moments, other._most_counted = self.start, self._moments, self._most_counted
        other.shop.budget = self.shop.budget
        return other

    def begin_again(self, state: State) -> None:
        """Takes back all that has been worked out."""
        self.state.restore(state)
        budget, self.shop = self.shop.budget, Workshop(self.shop.proving)
        self.shop.budget = budget
        self.draft = Draft(self.shop, self.draft.most_steps)
        self.notes, self.met = Notes(), {}
        self._counted, self._readers = {}, {}
        self._journals, self._added, self._opening, self._options_asked = [], [], [], []
        self.trying = False
        self.remarks_on(self._remarks)
        self.changed()

    def remarks_on(self, marks: Sequence[Mark]) -> None:
        """What holds of the run however it goes, and however often it is begun again."""
        self._remarks = marks
        for mark in marks:
            self.notes.noting(mark)()

    def will_be_asked(self, at_the_end: Callable[[Run], object]) -> None:
        """Says what will be asked of the end: all that whoever asks it reads. Unsaid, it is everything."""
        self.asked_at_end = at_the_end

    def what_it_came_to(self) -> CameTo:
        """What was used, and what the result rests on, as far as it has been met."""
        return self.met, tuple(mark for mark in self.notes.found if mark in self.notes.met)

    def has_come_to(self, other: CameTo) -> None:
        """Takes over what another run of the same fight came to."""
        met, marks = other
        self.met |= met
        for mark in marks:
            if mark not in self.notes.met:
                self.notes.noting(mark)()

    def _set_so_far(self) -> dict[Slot | Everybody, None] | None:
        return dict(self.reading.anew) if self.reading is not None else None

    def _set_again(self, anew: dict[Slot | Everybody, None] | None) -> None:
        if self.reading is not None and anew is not None:
            self.reading.anew = anew

    def open(self, slot: Slot, at_first: Value = False) -> None:
        """A slot that nobody has written yet is there from now on."""
        if self.watching is not None:
            self.watching.is_opened(slot)
        self._slots.setdefault(slot, at_first)

    def has(self, slot: Slot) -> bool:
        """Whether there is such a slot: nothing is asked of what is in it, so that nobody who watches need know it."""
        return slot in self._slots

    def bring_in(self, kind: str, name: str) -> Thing:
        """A thing that is there from now on, and not yet in play."""
        thing = self.state.add(kind, name)
        if self.watching is not None:
            self.watching.is_set(InPlay(thing), False)
        self._slots[InPlay(thing)] = False
        return thing

    def may_become(self, thing: Thing, counter: str) -> None:
        """A row may turn a thing into another counter."""
        self.becomes.setdefault(thing, {})[counter] = None

    def is_printed_over(self, thing: Thing, fact: str) -> None:
        """A row may set what is printed on the counter of a thing to something else."""
        self.overprinted.add((thing, fact))

    def comes(self, thing: Thing, is_there: Value) -> None:
        """Somebody comes who is declared or created, and `is_there` if he is there already."""
        if self.answers is None:
            listed = self.state.by_kind[thing.kind]
            behind = [(one, self.slots[InPlay(one)]) for one in listed[listed.index(thing) + 1 :]]
            self.coming.comes(self.shop, self.draft, thing, is_there, behind)

    def is_either_way(self, one: Thing, other: Thing) -> bool:
        """Whether which of two came first hangs on dice."""
        return self.coming.is_either_way(one, other)

    def must_not_come_either_way(self, act: BoundAct, those: tuple[Thing, Thing], both: Value) -> None:
        """It makes a difference who of two is first, where `both` are gone through."""
        self.coming.must_be_known(self.draft, act, those, both)

    def offers_through(self, offering: Offering | None, foreknown: Answers | None = None) -> None:
        """From here on what nobody has answered is offered to its player; until then the first dice may be known."""
        self.offering, self.foreknown = offering, foreknown

    def knows_no_more(self) -> None:
        """The dice that were known beforehand have fallen."""
        self.foreknown = None

    def asks_together(self) -> None:
        """A row is reached, or several at once, that may ask some of whom none sees what the others answer."""
        self.times_together += 1

    # ---- what a row is told ------------------------------------------------------------------------------
    def ask_before(self, row: str, ask: Callable[[], None]) -> None:
        """Something is to be asked just before a row is done: first, or once more for each time that this is said."""
        self.before.setdefault(row, []).append(ask)

    def about_to_do(self, row: str) -> None:
        if asks := self.before.get(row):
            self.done.add(row)
            asks.pop(0)()
            if not asks:
                del self.before[row]

    def somebody_is_asked(self) -> None:
        """Dice are thrown, cards dealt or somebody is to choose: the state may be another the next time."""
        self.asked += 1

    def may_be_written(self, body: Callable[[], None], most: int) -> bool:
        """Does something, if that can be written at all and takes no more than so many values that hang on each other;
        unless the run is to be given up before."""
        before = self.shop.most_nodes
        if most >= before:
            body()
            return True
        self.shop.most_nodes = most
        try:
            body()
        except Faulty as error:
            if error.codes != {"budget-exceeded"}:
                raise
            return False
        finally:
            self.shop.most_nodes = before
        return True

    def give_up_after(self, steps: int) -> None:
        """Lets a run be worked out only if it is short."""
        self.draft.most_steps, self.shop.most_nodes = steps, 10 * steps

    def may_spend(self, most_work: int | None) -> None:
        """Bounds the work that may be spent on an exact answer from here on; none bounds it no more."""
        self.shop.budget.most = most_work

    def may_hold(self, memory: int) -> None:
        """Bounds the bytes that an exact answer may take, however much work it may be."""
        self.shop.budget.memory = memory

    @contextmanager
    def unrecorded(self) -> Iterator[None]:
        """What is asked meanwhile is not recorded."""
        recorder, self.recorder = self.recorder, None
        try:
            yield
        finally:
            self.recorder = recorder

    def aside(self) -> Aside:
        """What is asked meanwhile is asked for the sake of telling: it is neither recorded nor noted."""
        return Aside(self)

    def told_again(self, ask: Callable[[], object]) -> list[Event]:
        """What is told where something is asked for the sake of telling: as if nothing had been read so far."""
        before = self.trying, self.recorder, self._memory
        recorder = Recorder()
        self.trying, self.recorder, self._memory = True, recorder, Memory(self.bound)
        try:
            with self.shop.quiet():
                ask()
        finally:
            self.trying, self.recorder, self._memory = before
        return recorder.events

    @contextmanager
    def unnoticed(self) -> Iterator[None]:
        """What is asked meanwhile is no part of what a result rests on."""
        met, self.met, self.trying = self.met, dict(self.met), True
        try:
            yield
        finally:
            self.met, self.trying = met, False
            self.changed()  # what was read meanwhile is read anew, and noted

    def empty(self, slot: Slot) -> Value:
        """What a slot of a thing that has just come into being was before: not in play, in no set."""
        return False if isinstance(slot, InPlay | PerWord | Member | Owed) else None

    def bounds(self, slot: Slot) -> tuple[int | None, int | None]:
        match self.fact_at(slot):
            case Fact(type=Number(low, high) | Per(_, low, high)):
                return low, high
        return None, None

    def fact_at(self, slot: Slot) -> Fact | None:
        """The fact that a slot holds, one value or word by word."""
        match slot:
            case FactOf(thing, name) | PerWord(thing, name):
                return self.ruleset.kinds[thing.kind].facts[name]
        return None

    def keep(self, since: dict[Slot, Value]) -> None:
        """Gives values that hang on several throws a variable of their own, so that the throws can be forgotten."""
        for slot in since:
            value = self._slots[slot]
            if type(value) is Sym and len(value.vars) > 1:
                self._slots[slot] = self.draft.named(value)
                self._written(slot)
