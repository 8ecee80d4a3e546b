"""The arithmetic behind a row that counts, or does not, for whoever records what happens."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from closecombat.binding.bound import BoundAct, BoundRow, BoundTable
from closecombat.binding.names import Scope
from closecombat.binding.terms import Env, World
from closecombat.binding.trace import Recorder
from closecombat.binding.workings import Workings
from closecombat.proving.symbolic import Value
from closecombat.reading.model import Act, Origin, Row

FAILED = "!"  # before the name of a row that does not count


class Reader(World, Protocol):
    """What reading a chart may ask of a run, beside what its sentences ask."""

    recorder: Recorder | None  # who writes down what is told, if anybody does
    workings: Workings

    def used(self, where: Origin, counts: Value = True) -> None: ...
    def came_to(self, where: Origin) -> None: ...


def _tests_told(run: Reader, row: Row | Act, scope: Scope, env: Env) -> Iterator[str]:
    for heading, cell in row.tests:
        yield run.workings.test(run, heading, cell, scope, env)


def tests_told(run: Reader, act: BoundAct, env: Env) -> str:
    """The numbers by which a row of a sequence is done."""
    return "; ".join(filter(None, _tests_told(run, act.act, act.scope, env)))


def tell_row(run: Reader, bound: BoundRow, env: Env) -> None:
    """Notes the numbers by which a row counts; an empty note keeps the places of its members."""
    if run.recorder is not None:
        row, scope = bound.row, bound.scope
        tests = "; ".join(filter(None, _tests_told(run, row, scope, env)))
        value = run.workings.value(run, row.verdict, scope, env) if row.verdict is not None else ""
        run.recorder.reason(row.id, (f" = {value}" if value else "") + (f", since {tests}" if tests else ""))


def tell_value(run: Reader, bound: BoundTable, env: Env) -> None:
    """Notes how the value of a table that is one sentence is reckoned out."""
    if run.recorder is not None and bound.table.value is not None:
        run.recorder.reason("", run.workings.value(run, bound.table.value, bound.scope, env))


def tell_failed(run: Reader, bound: BoundRow, test: int, env: Env) -> None:
    """Notes the numbers by which a row does not count, where these rest on dice."""
    if run.recorder is not None and (said := failed(run, bound.row, test, bound.scope, env)):
        run.recorder.reason(FAILED + bound.row.id, said)


def failed(run: Reader, row: Row | Act, test: int, scope: Scope, env: Env) -> str:
    """The numbers by which a test of a row fails, where these rest on dice."""
    heading, cell = row.tests[test]
    if not run.workings.rests_on_chance(heading, cell):
        return ""
    return run.workings.test(run, heading, cell, scope, env)
