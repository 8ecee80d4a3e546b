"""What of a ruleset each of its examples exercises: the rows it comes to, how each test of a row came out, and which
cells of grids are read.

The tests are watched where they are bound (`Watch`), so a playing that nobody watches pays nothing for it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import field, replace
from typing import TypeAlias

from closecombat.asking.examples.collection import ExampleFile, examples_beside, examples_of, read
from closecombat.asking.examples.examples import Result, run_example
from closecombat.binding.charts import Bound
from closecombat.binding.load import load
from closecombat.binding.terms import Env, Term, World
from closecombat.proving.values.budget import UNASKED
from closecombat.proving.values.symbolic import Sym, Value
from closecombat.reading.model import Act, Grid, Row, Table, name_of_stack
from closecombat.reading.stack import Stack
from closecombat.text.faults import Faulty
from closecombat.text.nodes import Mapping, Text
from closecombat.text.slotted import dataclass

RowAt: TypeAlias = tuple[str, int]  # the file and where in it a row begins
TestAt: TypeAlias = tuple[str, int, int]  # and the number of its test
CellAt: TypeAlias = tuple[str, int, int, int]  # the file and where in it a grid begins, the line and the column


@dataclass(slots=True)
class Watching:
    """Since somebody last looked: how tests came out, of which one that hangs on dice has done both, and which cells
    were read."""

    held: set[TestAt] = field(default_factory=set)
    failed: set[TestAt] = field(default_factory=set)
    cells: set[CellAt] = field(default_factory=set)

    def watch_cell(self, grid: Grid, line: int, column: int) -> None:
        place = grid.where.place
        self.cells.add((place.source.name, place.start, line, column))

    def watch(self, row: Row | Act | Table, number: int, test: Term) -> Term:
        place = row.where.place
        here = place.source.name, place.start, number

        def run(world: World, env: Env) -> Value:
            value = test.run(world, env)
            if value is not False:
                self.held.add(here)
            if value is False or type(value) is Sym:
                self.failed.add(here)
            return value

        return replace(test, run=run, written=None)


@dataclass(frozen=True, slots=True)
class Exercise:
    """An example that was played: the rows it came to, the tests that held and those that failed, the cells that were
    read, and the nanoseconds that it took."""

    result: Result
    rows: frozenset[RowAt]
    held: frozenset[TestAt]
    failed: frozenset[TestAt]
    cells: frozenset[CellAt]
    took: int

    @property
    def asked(self) -> frozenset[RowAt]:
        """The rows it came to, and those of which a test was asked."""
        return self.rows | {(file, start) for file, start, _ in self.held | self.failed}


def examples_for(found: Stack, name: str) -> Iterator[tuple[str, Mapping, bool]]:
    """The examples that are meant for a stack: those of its ruleset and beside its variants, but for those that name
    another one. With each whether it is the stack's own: what is said of the ruleset alone may come out otherwise where
    variants change it."""
    files = {str(one.file): one for folder in (found.base, *found.beside) for one in examples_beside(folder)}
    known: dict[str, bool] = {}
    for file in files.values():
        document = read(file)
        for id, example in examples_of(file, document):
            named = example.get("ruleset") or document.get("ruleset")
            if not isinstance(named, Text):
                yield id, example, not found.variants
            elif _is_meant(named, file, name, known):
                yield id, example, True


def _is_meant(named: Text, file: ExampleFile, name: str, known: dict[str, bool]) -> bool:
    key = f"{named.value} {file.near}"
    if key not in known:
        known[key] = False
        with suppress(Faulty):
            known[key] = name_of_stack(load(named.value, file.near).ruleset) == name
    return known[key]


def exercise(bound: Bound, watching: Watching, example: Mapping, most_work: int | None = UNASKED) -> Exercise:
    """An example played by a ruleset that is watched, for no more than `most_work`."""
    watching.held.clear()
    watching.failed.clear()
    watching.cells.clear()
    begun = time.monotonic_ns()
    result = run_example(bound, example, most_work)
    took = time.monotonic_ns() - begun
    rows = frozenset((span.source.name, span.start) for span in result.reached)
    seen = frozenset(watching.held), frozenset(watching.failed), frozenset(watching.cells)
    return Exercise(result, rows, *seen, took)
