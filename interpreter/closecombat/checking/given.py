"""Tests that ask a table or grid for what none of its rows or cells gives: a word of its list that it never comes to, a
number between two that it does.

What a chart gives is the sum of what stands in it: a word or a number that is written, any word of a fact that it
hands on, whatever a chart gives that it asks. Where a row says anything else nothing is known, and nothing is said. A
chart that gives one thing alone is a setting, which a variant sets otherwise: what is asked of it may wait for that. A
word of the chart's own list is told there (`checking/leftovers`), and what lies beyond all its numbers where rows are
held against each other (`checking/tables`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from closecombat.binding import trees as w
from closecombat.binding.bound import BoundGrid, BoundTable
from closecombat.binding.charts import Bound
from closecombat.binding.terms import Term
from closecombat.checking.axes import Denied, Formula, Is, formula
from closecombat.proving.values.symbolic import Value
from closecombat.reading.fields import entries
from closecombat.reading.syntax import Cell
from closecombat.reading.types import Flag, Word, shown
from closecombat.text.faults import Faults, Faulty
from closecombat.text.nodes import Listing, Mapping, Node
from closecombat.text.source import Span

Values: TypeAlias = dict[tuple[type, Value], Value]  # in the order in which they stand; 1 is no yes
MOST_SAID = 6  # values that are named


def check_given(bound: Bound, document: Node, faults: Faults) -> None:
    """Adds warnings of what is asked and never given; `bound` must be without faults, and bound as a whole."""
    told = [one.span for one in faults.diagnostics if one.span is not None]
    charts = _Charts(bound, _with_own_words(document))
    for cell, term in sentences_of(bound):
        for node in w.within(term.tree):
            if not isinstance(node, w.Equal | w.Between) or cell.place in told:
                continue
            name = charts.never_is(node)
            if name and not any(_is_within(_near(cell.place, _wanted(node)), one) for one in told):
                told.append(cell.place)
                _tell(bound, charts, name, node, cell, faults)


def _tell(bound: Bound, charts: _Charts, name: str, node: w.Equal | w.Between, cell: Cell, faults: Faults) -> None:
    given = [shown(value) for value in (charts.of(name) or {}).values()]
    said = ", ".join(given[:MOST_SAID]) + (" .." if len(given) > MOST_SAID else "")
    what = "cell" if name in bound.ruleset.grids else "row"
    wanted = _wanted(node)
    chart = bound.ruleset.grids.get(name) or bound.ruleset.tables[name]
    faults.add(
        "never-given",
        f"no {what} of `{name}` gives `{wanted}`: this is never so",
        _near(cell.place, wanted),
        severity="warning",
        help=f"it gives {said}: ask for one of these, or add what is missing there",
        labels=((chart.where.place, "worked out here"),),
    )


def _wanted(node: w.Equal | w.Between) -> str:
    if isinstance(node, w.Equal):
        return next(shown(side.value) for side in (node.right, node.left) if isinstance(side, w.Const))
    ends = [one.value for one in (_bare(node.low), _bare(node.high)) if isinstance(one, w.Const)]
    return " to ".join(map(shown, ends))


def _is_within(part: Span, whole: Span) -> bool:
    return part.source is whole.source and whole.start <= part.start and part.end <= whole.end


def _near(place: Span, wanted: str) -> Span:
    """Where in a cell the word stands, if it stands there once."""
    at = place.text.find(wanted)
    return place.part(at, at + len(wanted)) if at >= 0 and place.text.count(wanted) == 1 else place


def _with_own_words(document: Node) -> set[str]:
    """The charts that say themselves which words they give: each must be given."""
    return {
        key.value
        for key, node in entries(document, "tables")
        if isinstance(node, Mapping) and isinstance(node.get("words"), Listing)
    }


def sentences_of(bound: Bound) -> Iterator[tuple[Cell, Term]]:
    """Each sentence of a chart, with its cell."""
    for name in bound.ruleset.tables:
        try:
            table = bound.table(name)
        except Faulty:  # said where it is bound
            continue
        for row in table.rows:
            yield from _of_row(row.row.tests, (*row.first, *row.tests))
        values = [(row.row.verdict, row.verdict) for row in table.rows]
        for cell, term in (*values, (table.table.value, table.value), (table.table.otherwise, table.otherwise)):
            if cell is not None and term is not None:
                yield cell, term
    for name in bound.ruleset.sequences:
        try:
            sequence = bound.sequence(name)
        except Faulty:
            continue
        for act in sequence.acts:
            yield from _of_row(act.act.tests, (*act.first, *act.tests))
        if sequence.sequence.until is not None and sequence.until is not None:
            yield sequence.sequence.until, sequence.until


def _of_row(cells: Iterable[tuple[Cell | None, Cell]], terms: Iterable[Term]) -> Iterator[tuple[Cell, Term]]:
    for (_, cell), term in zip(cells, terms, strict=True):
        yield cell, term


class _Charts:
    """What each chart of a ruleset can give; None where that is not known."""

    def __init__(self, bound: Bound, with_own_words: set[str]) -> None:
        self._bound, self._own = bound, with_own_words
        self._known: dict[str, Values | None] = {}

    def never_is(self, node: w.Equal | w.Between) -> str:
        """The chart of which this is asked and never so; empty if there is none."""
        sides = (node.left, node.right) if isinstance(node, w.Equal) else (node.value,)
        asked = next((one for one in map(_bare, sides) if isinstance(one, w.Asked) and not one.column), None)
        fixed = (node.left, node.right) if isinstance(node, w.Equal) else (node.low, node.high)
        if asked is None or not any(isinstance(_bare(one), w.Const) for one in fixed):
            return ""
        given = self.of(asked.name)
        if given is None or len(given) < 2:
            return ""
        if asked.name in self._own and all(isinstance(value, str) for value in given.values()):
            return ""
        one = formula(node)
        return "" if any(_may_hold(one, asked, value) for value in given.values()) else asked.name

    def of(self, name: str) -> Values | None:
        if name not in self._known:
            self._known[name] = None  # of what is worked out from itself nothing is said
            try:
                if name in self._bound.ruleset.grids:
                    self._known[name] = self._of_grid(self._bound.grid(name))
                else:
                    self._known[name] = self._of_table(self._bound.table(name))
            except Faulty:
                return None
        return self._known[name]

    def _of_table(self, table: BoundTable) -> Values | None:
        if table.value is not None:
            return self._of_tree(table.value.tree)
        if table.table.policy == "adds-up" or table.at_least is not None or table.at_most is not None:
            return None
        return self._of_all((*(row.verdict for row in table.rows), table.otherwise))

    def _of_grid(self, grid: BoundGrid) -> Values | None:
        cells = zip(grid.cells, grid.explained, strict=True)
        plain = [value for line, why in cells for value, note in zip(line, why, strict=True) if not note]
        noted = self._of_all(grid.notes)
        return None if noted is None else {(type(value), value): value for value in plain if value is not None} | noted

    def _of_all(self, terms: Iterable[Term | None]) -> Values | None:
        out: Values = {}
        for term in terms:
            found = {} if term is None else self._of_tree(term.tree)
            if found is None:
                return None
            out |= found
        return out

    def _of_tree(self, tree: w.Tree) -> Values | None:
        match tree:
            case w.Const(None):
                return {}
            case w.Const(value):
                return {(type(value), value): value}
            case w.Counted(value):
                return self._of_tree(value)
            case w.OfFact(type=Word(words)):
                return {(str, word): word for word in words}
            case w.OfFact(type=Flag()):
                return {(bool, so): so for so in (True, False)}
            case w.Asked(name, column=False):
                return self.of(name)
        return None


def _bare(tree: w.Tree) -> w.Tree:
    return _bare(tree.value) if isinstance(tree, w.Counted) else tree


def _may_hold(one: Formula, asked: w.Tree, value: Value, so: bool = True) -> bool:
    """Whether a formula may come to yes, or to no, where what is asked is this value; whatever else it asks may be
    anything."""
    match one:
        case bool():
            return one is so
        case Is(axis, fits):
            return _bare(axis) != asked or bool(fits(value)) is so
        case Denied(part):
            return _may_hold(part, asked, value, not so)
    each = (_may_hold(part, asked, value, so) for part in one.parts)
    return all(each) if one.all_of is so else any(each)
