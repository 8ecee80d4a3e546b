"""Every row of a grid worked out: by whom, what is known already, and in the order of their numbers.

Rows that say the same are worked out once, and so are those that come to the same once what they leave unsaid is
filled in. Whatever cannot be worked out is a row too, with the code that says why: nothing stops the others. Which
situation a row is stands in `grid`, who does the work in `batches`, and files are `telling/row_files`.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator
from dataclasses import field, replace
from fractions import Fraction
from functools import lru_cache, partial
from itertools import islice

from closecombat.asking.crews.batches import Crew, carried_out
from closecombat.asking.exact.answers import SIDES
from closecombat.asking.exact.chances import work_out
from closecombat.asking.exact.questions import answers_to
from closecombat.asking.fights.fight_files import NoSuchFight
from closecombat.asking.sweeps.grid import FATE_COLUMNS, Cell, Grid, Rules, held_column, ratio_column
from closecombat.playing.fight import Fight, begin
from closecombat.reading.plans import BY_ENDS, LOSSES, VERDICTS
from closecombat.reading.types import Exact, exact
from closecombat.text.faults import Faulty
from closecombat.text.nodes import flow
from closecombat.text.slotted import dataclass

MOST_KNOWN = 200_000  # answers that are kept in case that a row says the same
MOST_KNOWN_HERE = 5_000  # by each who works them out
LEAST_FORETOLD = 200  # rows: fewer are done before it is known how long they take

NO_ENDS = "the ruleset has no `ends:`, by which the place, the strength lost and the fates are told"
NO_SUCH_FIGHT, TOO_MUCH, OURS = "no-such-fight", "budget-exceeded", "fault-of-the-program"


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a situation: a value for each column of its grid, None where there is none. With a `code` there are
    none at all, and the message says why; without one it says why some are lacking."""

    values: tuple[Exact | None, ...]
    code: str = ""
    message: str = ""


# ---- one row ----------------------------------------------------------------------------------------------


def answered(grid: Grid, numbers: tuple[int, ...], most_work: int | None = None) -> list[tuple[Answer, int]]:
    """The answers of some rows, and the nanoseconds that each took."""
    bench, out = _bench(grid, most_work, threading.get_ident()), []
    for number in numbers:
        begun = time.monotonic_ns()
        answer = bench.answer(grid.cell(number))
        out.append((answer, time.monotonic_ns() - begun))
    return out


@lru_cache(maxsize=2)
def _bench(grid: Grid, most_work: int | None, thread: int) -> _Bench:
    """For each thread one of its own: what a ruleset has found out is written down in it."""
    return _Bench(grid, Rules(grid.near), most_work)


@dataclass(slots=True)
class _Bench:
    """Where situations of one grid are worked out: the rules that were read, and what came of the last situations."""

    grid: Grid
    rules: Rules
    most_work: int | None  # of each situation
    known: dict[tuple[str, ...], Answer] = field(default_factory=dict)

    def answer(self, cell: Cell) -> Answer:
        try:
            return self._answer(cell)
        except Faulty as error:
            fault = error.diagnostics[0]
            return self._none(fault.code, fault.message)
        except (RecursionError, MemoryError):
            return self._none(TOO_MUCH, "this takes more memory than there is, or nests too deep")
        except Exception as bug:
            return self._none(OURS, f"{type(bug).__name__}: {bug}")

    def _none(self, code: str, message: str) -> Answer:
        return Answer((None,) * len(self.grid.columns), code, message)

    def _answer(self, cell: Cell) -> Answer:
        fight = self.rules.staged(cell)
        if fight is None:
            none = self.rules.scene(cell)
            return self._none(NO_SUCH_FIGHT, none.said if isinstance(none, NoSuchFight) else "")
        key = _normal(fight)
        if key not in self.known:
            if len(self.known) >= MOST_KNOWN_HERE:
                del self.known[next(iter(self.known))]
            found = values(self.grid, cell, fight, self.most_work)
            left = BY_ENDS.intersection(self.grid.plan.ask) and not fight.bound.ruleset.ends
            message = NO_ENDS if left else ""
            self.known[key] = Answer(tuple(found.get(column.name) for column in self.grid.columns), "", message)
        return self.known[key]


def _normal(fight: Fight) -> tuple[str, ...]:
    """The same for fights that are the same once all is said that they leave unsaid."""
    state = begin(fight, None).state
    return (
        fight.bound.ruleset.name,
        *fight.bound.ruleset.variants,
        repr(sorted(fight.options.items())),
        flow(fight.choices) if fight.choices is not None else "",
        repr(fight.combats),
        repr([(thing, thing.kind) for thing in state.things.values()]),
        repr(list(state.slots.items())),
        repr(list(state.sets.items())),
        repr(list(state.counters.items())),
    )


def values(grid: Grid, cell: Cell, fight: Fight, most_work: int | None = None) -> dict[str, Exact]:
    """What is asked of a fight, by column. What is more than `most_work` is foretold and not done."""
    plan, out = grid.plan, dict[str, Exact]()
    names = {column.name for column in grid.columns}
    with_ends = plan.ratio is not None or (not plan.ask and not plan.questions) or BY_ENDS & set(plan.ask)
    if with_ends or {VERDICTS, LOSSES} & set(plan.ask):
        common_end = SIDES if with_ends else ""
        chances = work_out(
            fight, SIDES, plan.until_resolved, common_end=common_end, with_notes=False, most_work=most_work
        )
        for side, verdicts in chances.verdicts.items():
            out |= {name: Fraction(0) for name in names if name.startswith(f"{side} is ")}
            out |= {f"{side} is {word}": chance for word, chance in verdicts.items()}
        out |= {f"{side} loses": loss.expected for side, loss in chances.losses.items()}
        if chances.ends is not None:
            out |= {held_column(side): chance for side, chance in chances.ends.place.held.items()}
            out |= {"contested": chances.ends.place.contested, "held by nobody": chances.ends.place.nobody}
            for side, end in chances.ends.sides.items():
                out |= {f"{side} came": end.came, f"{side} strength lost": end.loss}
                out |= {f"{side} {fate}": end.fates[fate] for fate in FATE_COLUMNS}
            if plan.ratio is not None:
                one, other = (chances.ends.sides.get(side.value) for side in plan.ratio)
                if one is not None and other is not None:
                    out[ratio_column(*(side.value for side in plan.ratio))] = exact(Fraction(one.came) / other.came)
    asked = [(each, text) for each in plan.questions if (text := each.in_system(cell.told.system)) is not None]
    if asked:
        fight = replace(fight, questions=tuple(text for _, text in asked))
        answers = answers_to(fight, fight.questions, plan.until_resolved, most_work)
        for (question, _), found in zip(asked, answers, strict=True):
            chances_of = dict(found.chances)
            if found.mean is not None:
                out[" ".join(question.name.value.split())] = found.mean
            elif chances_of.keys() <= {True, False}:
                out[" ".join(question.name.value.split())] = chances_of.get(True, Fraction(0))
    return out


# ---- all of them ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Going:
    """How far a sweep is: rows done of all, situations worked out for them, and how long the rest will take at the pace
    of those of its kind; None while one kind has not been tried."""

    done: int
    rows: int
    worked_out: int
    left_ns: int | None


def swept(
    grid: Grid, numbers: range, crew: Crew, watch: Callable[[Going], None] | None = None, most_work: int | None = None
) -> Generator[tuple[int, Answer], None, None]:
    """Each row of these numbers with its answer, in their order. `most_work` is that of each situation; what would be
    more is a row that says so."""
    return _Sweep(grid, numbers, crew, watch, most_work).rows()


Key = tuple[int, ...]


class _Sweep:
    def __init__(
        self, grid: Grid, numbers: range, crew: Crew, watch: Callable[[Going], None] | None, most_work: int | None
    ) -> None:
        self.most_work = most_work
        self.grid, self.numbers, self.crew, self.watch = grid, numbers, crew, watch
        self.groups = grid.groups()
        self.known: dict[Key, Answer] = {}
        self.handed_out: set[Key] = set()
        self.line: deque[tuple[int, Key]] = deque()  # rows that wait for their answers
        self.pace = [_Pace() for _ in self.groups]
        self.worked_out = self.done = 0

    def rows(self) -> Generator[tuple[int, Answer], None, None]:
        for batch, answers in carried_out(
            self.crew, partial(answered, self.grid, most_work=self.most_work), self.pieces()
        ):
            for number, (answer, took) in zip(batch, answers or [(self._lost(), 0)], strict=True):
                self.known[self.key(number)] = answer
                self.pace[self.grid.group(number)].note(took)
                self.worked_out += 1
            yield from self._ready()
        yield from self._ready()

    def pieces(self) -> Iterator[int]:
        """The rows to be worked out: one of each fight in each system first, to know how long such take."""
        if len(self.numbers) >= LEAST_FORETOLD:
            yield from self._samples()
        for number in self.numbers:
            key = self.key(number)
            self.line.append((number, key))
            if key not in self.known and key not in self.handed_out:
                self.handed_out.add(key)
                yield number

    def _samples(self) -> Iterator[int]:
        size = self.grid.plan.settings
        for group in range(len(self.groups)):
            mine = range(max(group * size + 1, self.numbers.start), min((group + 1) * size + 1, self.numbers.stop))
            for part in (mine[len(mine) // 3 : len(mine) // 3 + 1], mine[-(len(mine) // 3) - 1 :][:1]):
                for number in part:
                    key = self.key(number)
                    if key not in self.handed_out:
                        self.handed_out.add(key)
                        yield number

    def key(self, number: int) -> Key:
        group = self.grid.group(number)
        return (group, *self.groups[group].key((number - 1) % self.grid.plan.settings))

    def _ready(self) -> Iterator[tuple[int, Answer]]:
        while self.line and self.line[0][1] in self.known:
            number, key = self.line.popleft()
            self.done += 1
            yield number, self.known[key]
        if len(self.known) > MOST_KNOWN:
            wanted = {key for _, key in self.line}
            for key in list(islice((key for key in self.known if key not in wanted), MOST_KNOWN // 2)):
                del self.known[key]
                self.handed_out.discard(key)
        if self.watch is not None:
            self.watch(Going(self.done, len(self.numbers), self.worked_out, self._left()))

    def _left(self) -> int | None:
        left, size = 0, self.grid.plan.settings
        for place, (group, pace) in enumerate(zip(self.groups, self.pace, strict=True)):
            last = self.numbers.start + self.done
            rows = min((place + 1) * size + 1, self.numbers.stop) - max(place * size + 1, last)
            situations = min(rows, group.distinct - pace.tried)
            if situations > 0:
                if not pace.tried:
                    return None
                left += situations * pace.took // pace.tried
        return left // max(self.crew.hands, 1)

    def _lost(self) -> Answer:
        said = "the process that worked it out was ended, as a system does where memory runs out"
        return Answer((None,) * len(self.grid.columns), TOO_MUCH, said)


@dataclass(slots=True)
class _Pace:
    """How long situations of one kind have taken."""

    tried: int = 0
    took: int = 0

    def note(self, took: int) -> None:
        self.tried += 1
        self.took += took


def share_of(rows: int, part: int, parts: int) -> range:
    """The numbers of one of several shares, one after the other and as equal as can be."""
    return range(rows * (part - 1) // parts + 1, rows * part // parts + 1)
