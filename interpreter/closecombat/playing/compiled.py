"""Charts that are compiled: which of a ruleset's have a function (`playing/writing`), and what is noted of them.

To write a function and have it compiled costs about as much as reading the chart a dozen times by its closures, so only
a chart that is read often gets one. What is made is kept as long as the ruleset is.
"""

from __future__ import annotations

from collections.abc import Iterator

from closecombat.binding import trees as w
from closecombat.binding.charts import Bound
from closecombat.binding.terms import SetTerm, Term
from closecombat.playing.writing import Function, Unread, Writer, is_plain, trees_of, trees_of_grid
from closecombat.reading.model import Origin, Row
from closecombat.text.slotted import dataclass


@dataclass(frozen=True, slots=True)
class Compiled:
    """A chart as a function, and what is noted of it: its rows by their bits, and the bits of those that are
    `assumed`; one more, `itself`, stands for the chart."""

    name: str
    read: Function
    where: Origin
    rows: tuple[Row, ...]
    assumed: int
    itself: int
    rests: bool  # whether something of it is assumed
    is_long: bool  # whether it is worth while to remember what it says

    def counted(self, bits: int) -> Iterator[Row]:
        """The rows of some bits."""
        while bits:
            lowest = bits & -bits
            yield self.rows[lowest.bit_length() - 1]
            bits ^= lowest


class Reader:
    """A compiled chart as a run reads it; which of its rows are `left` to be noted, and whether it `is_new` itself."""

    __slots__ = ("chart", "is_long", "is_new", "left", "read")

    def __init__(self, chart: Compiled) -> None:
        self.chart, self.read, self.is_long = chart, chart.read, chart.is_long
        self.left, self.is_new = ~0, True


NOT_STEADY = (w.Reading, w.InGroup, w.Call, w.CallSet)  # what may ask for the reading of an option, or tell something
TOO_MUCH = (Unread, RecursionError, SyntaxError, MemoryError)  # by which a sentence is too deep to be compiled
SHORT = 4  # rows of a chart that is read as quickly as it is remembered
FEW = 3  # parts of a sentence whose closure is as quick
OFTEN = 16  # times that a chart is read by its closures; to write and compile its function costs about as much
OFTEN_PROVED = 64  # the same where not everything is known: its function has no answer then for much that it is asked


class Charts:
    """The charts of a ruleset that are read often, compiled: kept as long as the ruleset is. `proving` are functions
    that may meet a value that is not known yet."""

    def __init__(self, bound: Bound, proving: bool) -> None:
        self._bound, self._proving = bound, proving
        self._often = OFTEN_PROVED if proving else OFTEN
        self._times: dict[tuple[str, bool], int] = {}
        self.found: dict[str, Compiled | None] = {}  # None is a chart that cannot be
        self.plain: dict[str, Compiled] = {}  # of a playing, those that ask for facts that are not assumed, and no more
        self.groups: dict[str, Function | None] = {}
        self.steady: set[str] = set()  # groups of which nothing is noted when they are asked again
        self.sentences: dict[int, tuple[Function, Term | SetTerm]] = {}  # by identity: each holds what it is of
        self._asked: dict[int, tuple[int, Term | SetTerm]] = {}

    def is_asked(self, term: Term | SetTerm) -> None:
        """A sentence of a row is asked by its closure once more."""
        times = self._asked.get(id(term), (0, term))[0] + 1
        self._asked[id(term)] = times, term
        if times == self._often:
            self.sentences[id(term)] = self._sentence(term), term

    def _sentence(self, term: Term | SetTerm) -> Function:
        """Its function, or its closure where that does as well, or where it asks other closures: what these tell is not
        to be told twice."""
        parts = list(w.within(term.tree))
        if len(parts) <= FEW or any(isinstance(part, w.Call | w.CallSet) for part in parts):
            return term.run
        try:
            writer = Writer(self._proving, ())
            return writer.members_of(term.tree) if isinstance(term, SetTerm) else writer.sentence(term.tree)
        except TOO_MUCH:
            return term.run

    def is_read(self, name: str, is_group: bool = False) -> None:
        """A chart, or a group, is asked by its closures once more."""
        key = name, is_group
        self._times[key] = times = self._times.get(key, 0) + 1
        if times == self._often:
            self.prepare(name, is_group)

    def prepare(self, name: str, is_group: bool = False) -> None:
        """It will be asked often."""
        try:
            if is_group:
                about, bound = self._bound.ruleset.groups[name].about, self._bound.group(name)
                self.groups[name] = Writer(self._proving, about).group(bound)
                if not any(isinstance(part, NOT_STEADY) for part in w.within(bound.tree)):
                    self.steady.add(name)
            elif name not in self.found:
                self.found[name] = chart = self._compiled(name)
                if not self._proving and not chart.rests and all(map(is_plain, self._trees(name))):
                    self.plain[name] = chart
        except TOO_MUCH:
            (self.groups if is_group else self.found)[name] = None

    def _trees(self, name: str) -> Iterator[w.Tree | w.SetTree]:
        """The sentences of a chart, and whom its rows look at."""
        if name in self._bound.ruleset.grids:
            yield from trees_of_grid(self._bound.grid(name))
            return
        bound = self._bound.table(name)
        yield from trees_of(bound)
        yield from (row.each.tree for row in bound.rows if row.each is not None)

    def _compiled(self, name: str) -> Compiled:
        read = self._written(name)
        if name in self._bound.ruleset.grids:
            where = self._bound.grid(name).grid.where
            return Compiled(name, read, where, (), 0, 1, bool(where.assumed), False)
        bound = self._bound.table(name)
        rows = tuple(row.row for row in bound.rows)
        assumed = sum(1 << at for at, row in enumerate(rows) if row.where.assumed)
        where = bound.table.where
        rests = bool(assumed or where.assumed)
        return Compiled(name, read, where, rows, assumed, 1 << len(rows), rests, len(rows) > SHORT)

    def _written(self, name: str) -> Function:
        if name in self._bound.ruleset.grids:
            grid = self._bound.grid(name)
            if grid.seen is not None:
                raise Unread
            return Writer(self._proving, grid.grid.about).grid(grid)
        table = self._bound.table(name)
        return Writer(self._proving, table.table.about).table(table)


def charts_of(bound: Bound, proving: bool) -> Charts:
    """What is compiled of a ruleset so far."""
    kept = bound.kept.setdefault(("charts", proving), None) or Charts(bound, proving)
    bound.kept["charts", proving] = kept
    return kept
