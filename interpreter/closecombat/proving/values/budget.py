"""What an exact answer costs, counted while it is worked out, and foretold before it is spent.

Work is counted in millionths of a second of a usual machine, by what is done and never by the clock: the same question
always stops at the same place. What is counted, and what each costs, was measured on fights of the shipped rulesets.
What is foretold is said as `about`, and where nothing honest can be said that is said as well.
"""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import TypeVar

from closecombat.text.faults import Faulty
from closecombat.text.slotted import dataclass
from closecombat.text.source import Span

T = TypeVar("T")
TAKES_LONG = "takes-long"
SECOND = 1_000_000  # of work
ROW, VALUE, PASS, NODE, QUESTION = 1, 25, 200, 60, 200  # of a table, by state, from a state, written, of a condition
GATHERED, KEEPING = 2, 10  # dice that are shared out where not only their sum is asked; some kept of dice without end
KEPT = 12  # a value where no states are gone through, beside its parts
PIECE, STEP = 6_000, 300  # of a fight that is worked out state by state, written; gone through, from a state
WAY, LOOK = 2, 1  # in which a condition holds, put together with another; at a part of a value, by a pass
DONE, MEMBER = 10, 1  # a row of a sequence that is gone through where dice are played, one whom a row looks at
SOUGHT, TOLD = 2, 25  # one of a set that a sentence goes through; one whom a row of a table looks at, if that is told
CHANGE = 20  # of the state, where something is only tried and taken back, with the rules that it is held against
PARTS = 2  # of a value that is worked out, which take as long as one row
COLUMNS = 25  # of a row, that make it take as much longer
ROW_BYTES, PLACE_BYTES, VALUE_BYTES, WAYS_BYTES, WAY_BYTES = 150, 8, 160, 300, 200
STATE_BYTES, ARROW_BYTES, NODE_BYTES, VARIABLE_BYTES, KIND_BYTES, PIECE_BYTES = 1_500, 150, 500, 60, 80, 100
ANSWER_BYTES = 200
PUT, FIGURES = (
    3,
    25,
)  # a weight of states that lead to each other put into another; so many of them make it take one more
BITS = 40  # of a whole number, that make a chance take as much longer
UNASKED = 10 * SECOND  # of work, which is done without a second word
SECONDS_IN_ALL = 12  # of work, for all that a command looks at in turn: ten of two cores, with what is done beside it
MOST_BYTES = 370_000_000  # that are taken without a second word, beside what the program itself takes
MOST_MEMORY = 2_000_000_000  # bytes that are taken where the work has no bound, unless it is said otherwise
SIZES = MappingProxyType({"GB": 1_000_000_000, "MB": 1_000_000})
GROWING = 9  # new states that ten bring, from which on no end is in sight
MORE, FEW = 8, 2_000  # rows by one in so many of which a table may grow, or by so many, before it is looked at again
PART, OVER = 10, 40  # of the budget, one in so many: what is told by itself, and what may be spent beyond it
BEHIND = 4  # the share of all passes, one in so many, by which it is judged how many new states each brings


class Spent(Exception):
    """What there was is spent. It goes through whoever bears with faults, up to who began (`Plan.run`)."""

    def __init__(self, error: Faulty) -> None:
        super().__init__(str(error))
        self.error = error


def of_row(columns: int) -> int:
    """The work of a row of so many columns."""
    return ROW + columns // COLUMNS


@dataclass(slots=True)
class Budget:
    """How much work there may be, if anything bounds it, and what has been spent of it."""

    most: int | None = None
    spent: int = 0
    held: int = 0  # bytes, about
    memory: int = MOST_MEMORY  # bytes at most, also where the work has no bound
    foretold: int = 0  # of what has been spent: found to be too much, and not done

    @property
    def done(self) -> int:
        return self.spent - self.foretold

    def spend(self, work: int, held: int = 0) -> None:
        """Faulty if there is no more than this to spend, and it is not known what is still to come."""
        self.spent += work
        self.held += held
        if self.is_over():
            raise self._told(f"more than {self._words(self.spent, self.held)}, and no end in sight", None)

    def product(self, rows: int, each: int = ROW) -> None:
        """So many rows are about to be gone through, each of which is so much work; Spent before that if these are too
        many. A few too many are let through: after the pass that they belong to more can be said (`states`)."""
        work = rows * each
        spent = self.spent = self.spent + work
        most = self.most
        if most is not None and spent > most:
            if PART * work >= most:
                self.foretold += work
                said = f"at least {rows:,} rows at once, {self._words(spent, self.held)}"
                raise Spent(self._told(said, None))
            self.fits(0)
        elif self.held > MOST_BYTES or self.held > self.memory:
            self.fits(0)

    def made(self, work: int, held: int) -> None:
        """Something has been made, and is kept; Spent if that is too much. A few too many are let through, as rows."""
        spent = self.spent = self.spent + work
        kept = self.held = self.held + held
        most = self.most
        if kept > MOST_BYTES or kept > self.memory or (most is not None and spent > most):  # seldom; else it fits
            self.fits(0)

    def fits(self, held: int) -> None:
        """Spent if there is no room for so many bytes more."""
        most, most_held = self.most, self.memory if self.most is None else min(MOST_BYTES, self.memory)
        held += self.held
        if OVER * (held - most_held) > most_held or (most is not None and OVER * (self.spent - most) > most):
            said = f"more than {self._words(self.spent, held)}, and no end in sight"
            raise Spent(self._told(said, None))

    def room(self, rows: int, columns: int) -> int:
        """So many rows stand there, beside all that is held; Spent if there is no room for them. Gives up to how many
        they may grow before this is asked again."""
        self.fits(rows * (ROW_BYTES + PLACE_BYTES * columns))
        return rows + max(rows // MORE, FEW)

    def tries(self, done: int, of: int, work: int, what: str, at_most: bool = False, less: str = "fewer units") -> None:
        """So many of a number are tried, which took this work; Faulty as soon as a part of the budget has shown that
        all of them are too much, or where there may be fewer (`at_most`), once it is spent."""
        if self.most is None or (work if at_most else PART * work) < self.most:
            return
        if at_most:
            said = f"more than {self._words(work, 0)}: {done:,} of at most {of:,} {what} are tried by then"
            raise self._told(said, None, less)
        if work * of > self.most * done:
            raise self._told(f"{of:,} {what}, {self._words(work * of // done, 0)}", None, less)

    def tried(self, ask: Callable[[], T], work: int, held: int = MOST_BYTES) -> T | None:
        """What is asked, if it takes no more than so much work and so many bytes; else nothing, and what was spent on
        it is not held against what is asked instead."""
        most, memory, spent, before = self.most, self.memory, self.spent, self.held
        self.most = spent + work if most is None else min(most, spent + work)
        self.memory = min(memory, before + held)
        try:
            return ask()
        except Faulty as error:
            if not error.codes <= {TAKES_LONG, "budget-exceeded"}:
                raise
            most, self.held = most if most is None else most + self.spent - spent, before
            return None
        finally:
            self.most, self.memory = most, memory

    def is_over(self) -> bool:
        if self.most is None:
            return self.held > self.memory
        return self.spent > self.most or self.held > min(MOST_BYTES, self.memory)

    def states(self, done: int, left: int, new: int, among: int, place: Span | None) -> Faulty:
        """What is said of a fight to the end: so many states done, so many known to be left; of the last passes,
        `among` in number, so many came to new ones."""
        if not among or 10 * new >= GROWING * among:
            return self._told(
                f"more than {self._words(self.spent, self.held)}, and no end in sight: {done:,} states of the fight "
                f"are worked out, at least {left:,} to go",
                place,
            )
        number = done + left * among // (among - new)
        words = self._words(self.spent * number // done, self.held * number // done)
        return self._told(f"about {number:,} states of the fight, {words}", place)

    def tangled(self, states: int, work: int, place: Span | None) -> None:
        """So many states that lead to each other are about to be solved together; Faulty before that if it is too
        much."""
        self.spent += work
        if self.most is not None and self.spent > self.most:
            self.foretold += work
            said = f"{states:,} states of the fight lead to each other and are solved together"
            raise self._told(f"{said}, {self._words(self.spent, self.held)}", place)

    def _words(self, work: int, held: int) -> str:
        return f"about {max((work + SECOND // 2) // SECOND, 1)} s" + (
            f", {held // 1_000_000:,} MB" if held > 100_000_000 else ""
        )

    def _told(self, message: str, place: Span | None, less: str = "--by sides, fewer units or attacks") -> Faulty:
        is_full = self.most is None or self.held > self.memory
        more = f"more than --memory {in_bytes(self.memory)}" if is_full else "--yes"
        return Faulty.one(TAKES_LONG, message, place, help=f"go on with {more}, or ask for less: {less}")


def in_bytes(number: int) -> str:
    """A number of bytes as one says it: 2GB, 500MB."""
    unit, size = next(((unit, size) for unit, size in SIZES.items() if number % size == 0), ("MB", SIZES["MB"]))
    return f"{max(number // size, 1)}{unit}"
