"""How far the examples of a ruleset reach: its rows, its steps, both outcomes of each of their tests, the cells of its
grids, its clauses, and the changes of its variants.

A row is reached where it counted or may have, a step where it was done, a cell where it was read or may have been, a
clause where something was reached that cites it. A test is reached twice: it has to be seen to hold and to fail, and
one that hangs on dice has been seen to do both. A change is reached if some example would miss it: without it, and with
all others, that example fails.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from closecombat.asking.examples.coverage import citing, place_of
from closecombat.asking.examples.examples import run_example
from closecombat.asking.examples.exercised import (
    CellAt,
    Exercise,
    RowAt,
    TestAt,
    Watching,
    examples_for,
    exercise,
)
from closecombat.binding.load import loaded, watched
from closecombat.proving.values.budget import UNASKED
from closecombat.reading.charts import LEFT_OUT
from closecombat.reading.model import Act, Grid, Heading, Origin, Row, Ruleset, name_of_stack
from closecombat.reading.stack import Lineup, Stack, line_up
from closecombat.text.faults import Faulty
from closecombat.text.nodes import Mapping
from closecombat.text.slotted import dataclass
from closecombat.text.source import Span

ROW, STEP, TEST, CELL, CLAUSE, CHANGE = "row", "step", "test outcome", "cell", "clause", "change"
SORTS = (ROW, STEP, TEST, CELL, CLAUSE, CHANGE)


@dataclass(frozen=True, slots=True)
class CoverPoint:
    """Something that an example can reach. `of` is the row that a test outcome is of, else nothing; `variant` the one
    whose file it stands in, if any."""

    sort: str
    id: str
    place: Span
    reached: bool
    of: str
    variant: str


@dataclass(frozen=True, slots=True)
class Reached:
    """How far the examples of a ruleset reach: every point, and how many examples were played and have failed."""

    name: str
    points: tuple[CoverPoint, ...]
    examples: int
    failed: int


def share(points: Iterable[CoverPoint]) -> tuple[int, int]:
    """How many are reached, of how many."""
    found = [one.reached for one in points]
    return sum(found), len(found)


def how_far(stack: str, tell: Callable[[int, int], None], most_work: int | None = UNASKED) -> Reached:
    """Plays the examples of a ruleset, watched, each for no more than `most_work`. Raises Faulty if it cannot be read.

    Where there are variants, an example of the ruleset that comes out otherwise with them is none of the stack's.
    """
    lineup = line_up(stack, None, whole=True)
    found = lineup.put_together()
    ruleset = loaded(found).ruleset
    name = name_of_stack(ruleset)
    watching = Watching()
    bound = watched(ruleset, watching.watch, watching.watch_cell)
    examples = list(examples_for(found, name))
    number = len(examples) + sum(len(layer.variant.steps) for layer in lineup.layers)
    played: list[Exercise] = []
    mine: list[Mapping] = []
    for done, (_, example, is_own) in enumerate(examples):
        tell(done, number)
        one = exercise(bound, watching, example, most_work)
        if is_own or not one.result.faults:
            played.append(one)
        if not one.result.faults:
            mine.append(example)
    seen = _Seen.of(played)
    points = [
        *_of_rows(ruleset, seen),
        *_of_cells(ruleset, seen),
        *_of_clauses(found, played),
        *_of_changes(lineup, mine, lambda done: tell(len(examples) + done, number), most_work),
    ]
    variants = {one.key.span.source.name: one.name for one in found.variants}
    points = [replace(one, variant=variants.get(one.place.source.name, "")) for one in points]
    return Reached(name, tuple(points), len(played), sum(bool(one.result.faults) for one in played))


@dataclass(frozen=True, slots=True)
class _Seen:
    """What all examples together have come to."""

    rows: frozenset[RowAt]
    held: frozenset[TestAt]
    failed: frozenset[TestAt]
    cells: frozenset[CellAt]

    @staticmethod
    def of(played: Sequence[Exercise]) -> _Seen:
        return _Seen(
            frozenset[RowAt]().union(*(one.rows for one in played)),
            frozenset[TestAt]().union(*(one.held for one in played)),
            frozenset[TestAt]().union(*(one.failed for one in played)),
            frozenset[CellAt]().union(*(one.cells for one in played)),
        )


# ---- rows and cells ---------------------------------------------------------------------------------------


def _of_rows(ruleset: Ruleset, seen: _Seen) -> Iterator[CoverPoint]:
    claims = {name for one in ruleset.properties.values() for name in (one.value, one.case)}
    paths = dict(_elsewhere(ruleset))
    for table in ruleset.tables.values():
        if table.name in claims:
            continue  # a claim about the rules is no rule
        name = paths.get(table.name, f"tables.{table.name}")
        for row in table.rows:
            yield from _of_row(ROW, f"{name}.{row.id}", row, seen)
        for number, (of, cell) in enumerate(((name, table.value), (f"{name}.otherwise", table.otherwise))):
            if cell is not None and cell.place.source.name != LEFT_OUT:
                asked = (*_at(table.where), number)
                yield CoverPoint(ROW, of, cell.place, asked in seen.held or asked in seen.failed, "", "")
    for sequence in ruleset.sequences.values():
        for act in sequence.acts:
            yield from _of_row(STEP, f"sequences.{sequence.name}.{act.id}", act, seen)


def _elsewhere(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    """Tables that are not written under `tables`, and where they are."""
    yield from ((name, name) for name in ("outcomes", "strength-lost"))
    for end in ruleset.ends.values():
        ends = ((end.fate, ""), (end.strength, ".strength"), (end.place, ".in-the-place"))
        yield from ((name, f"ends.{end.kind}{cell}") for name, cell in ends)


def _of_row(sort: str, id: str, row: Row | Act, seen: _Seen) -> Iterator[CoverPoint]:
    here = _at(row.where)
    yield CoverPoint(sort, id, row.where.place, here in seen.rows, "", "")
    for number, (heading, cell) in enumerate(row.tests):
        said = cell.text if heading is None else f"{heading.text}: {cell.text}"
        for outcome, there in (("holds", seen.held), ("fails", seen.failed)):
            yield CoverPoint(TEST, f"{id} {outcome}: {said}", cell.place, (*here, number) in there, id, "")


def _of_cells(ruleset: Ruleset, seen: _Seen) -> Iterator[CoverPoint]:
    """The cells of grids in which something is printed."""
    for grid in ruleset.grids.values():
        for line, cells in enumerate(grid.cells):
            for column, value in enumerate(cells):
                if value is not None:
                    place = grid.places[line][column]
                    is_read = (*_at(grid.where), line, column) in seen.cells
                    yield CoverPoint(CELL, f"tables.{grid.name}{_cell(grid, line, column)}", place, is_read, "", "")


def _cell(grid: Grid, line: int, column: int) -> str:
    """Which cell it is, by its headings."""
    return _heading(grid.columns, column, "column") + _heading(grid.lines, line, "row")


def _heading(headings: tuple[Heading, ...], number: int, what: str) -> str:
    return f", {what} {headings[number].text}" if number < len(headings) else ""


def _at(where: Origin) -> RowAt:
    return where.place.source.name, where.place.start


# ---- clauses and changes ----------------------------------------------------------------------------------


def _of_clauses(found: Stack, played: Sequence[Exercise]) -> Iterator[CoverPoint]:
    there = {place_of(span) for one in played for span in one.result.reached}
    first: dict[str, Span] = {}
    reached: set[str] = set()
    for id, one in citing(found.document):
        first.setdefault(id, one.key)
        if not one.places.isdisjoint(there):
            reached.add(id)
    for id, place in first.items():
        yield CoverPoint(CLAUSE, id, place, id in reached, "", "")


def _of_changes(
    lineup: Lineup, examples: Sequence[Mapping], tell: Callable[[int], None], most_work: int | None
) -> Iterator[CoverPoint]:
    """Each change of the variants. One that cannot be left out by itself would be missed."""
    done = 0
    for layer in lineup.layers:
        for step in layer.variant.steps:
            tell(done)
            done += 1
            lacking = replace(layer.variant, steps=tuple(one for one in layer.variant.steps if one is not step))
            layers = tuple(replace(one, variant=lacking) if one is layer else one for one in lineup.layers)
            is_missed = _is_missed(replace(lineup, layers=layers), examples, most_work)
            yield CoverPoint(CHANGE, f"{layer.variant.name}.{step.id}", step.key.span, is_missed, "", "")


def _is_missed(lineup: Lineup, examples: Sequence[Mapping], most_work: int | None) -> bool:
    try:
        bound = loaded(lineup.put_together())
    except Faulty:
        return True
    return any(run_example(bound, one, most_work).faults for one in examples)
