"""How far the examples of a ruleset reach: its rows, its steps, both outcomes of each of their tests, its clauses.

A row is reached where it counted or may have, a step where it was done, a clause where something was reached that cites
it. A test is reached twice: it has to be seen to hold and to fail, and one that hangs on dice has been seen to do both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from closecombat.asking.chances import stack as name_of_stack
from closecombat.asking.coverage import citing, place_of
from closecombat.asking.exercised import Exercise, Watching, examples_for, exercise
from closecombat.binding.load import loaded, watched
from closecombat.reading.model import Act, Row, Ruleset
from closecombat.reading.stack import load_stack
from closecombat.text.nodes import Mapping
from closecombat.text.source import Span

ROW, STEP, TEST, CLAUSE = "row", "step", "test outcome", "clause"
SORTS = (ROW, STEP, TEST, CLAUSE)


@dataclass(frozen=True, slots=True)
class Point:
    """Something that an example can reach; `variant` is the one whose file it stands in, if any."""

    sort: str
    id: str
    place: Span
    reached: bool
    variant: str


@dataclass(frozen=True, slots=True)
class Reach:
    """How far the examples of a ruleset reach: every point, and how many examples were played and have failed."""

    name: str
    points: tuple[Point, ...]
    examples: int
    failed: int


def share(points: Iterable[Point]) -> tuple[int, int]:
    """How many are reached, of how many."""
    found = [one.reached for one in points]
    return sum(found), len(found)


def reach(stack: str, tell: Callable[[int, int], None]) -> Reach:
    """Plays the examples of a ruleset, watched. Raises Faulty if it cannot be read."""
    found = load_stack(stack, whole=True)
    ruleset = loaded(found).ruleset
    name = name_of_stack(ruleset)
    watching = Watching()
    bound = watched(ruleset, watching.watch)
    examples = list(examples_for(found, name))
    played: list[Exercise] = []
    for number, (_, example) in enumerate(examples):
        tell(number, len(examples))
        played.append(exercise(bound, watching, example))
    variants = {one.key.span.source.name: one.name for one in found.variants}
    points = (*_of_rows(ruleset, played, variants), *_of_clauses(found.document, played, variants))
    return Reach(name, points, len(played), sum(bool(one.result.faults) for one in played))


def _of_rows(ruleset: Ruleset, played: list[Exercise], variants: dict[str, str]) -> Iterator[Point]:
    rows = frozenset[tuple[str, int]]().union(*(one.rows for one in played))
    held = frozenset[tuple[str, int, int]]().union(*(one.held for one in played))
    failed = frozenset[tuple[str, int, int]]().union(*(one.failed for one in played))
    for sort, id, row in _rows(ruleset):
        place = row.where.place
        here, variant = (place.source.name, place.start), variants.get(place.source.name, "")
        yield Point(sort, id, place, here in rows, variant)
        for number, (heading, cell) in enumerate(row.tests):
            said = cell.text if heading is None else f"{heading.text}: {cell.text}"
            for outcome, seen in (("holds", held), ("fails", failed)):
                yield Point(TEST, f"{id} {outcome}: {said}", cell.place, (*here, number) in seen, variant)


def _rows(ruleset: Ruleset) -> Iterator[tuple[str, str, Row | Act]]:
    for table in ruleset.tables.values():
        name = "outcomes" if table.name == "outcomes" else f"tables.{table.name}"
        yield from ((ROW, f"{name}.{row.id}", row) for row in table.rows)
    for sequence in ruleset.sequences.values():
        yield from ((STEP, f"sequences.{sequence.name}.{act.id}", act) for act in sequence.acts)


def _of_clauses(document: Mapping, played: list[Exercise], variants: dict[str, str]) -> Iterator[Point]:
    there = {place_of(span) for one in played for span in one.result.reached}
    first: dict[str, Span] = {}
    reached: set[str] = set()
    for id, one in citing(document):
        first.setdefault(id, one.key)
        if not one.places.isdisjoint(there):
            reached.add(id)
    for id, place in first.items():
        yield Point(CLAUSE, id, place, id in reached, variants.get(place.source.name, ""))
