"""The arithmetic behind a row that counts, or does not, for whoever records what happens."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import Protocol, TypeVar

from closecombat.binding.bound import BoundAct, BoundRow, BoundTable
from closecombat.binding.names import Scope
from closecombat.binding.terms import Env, Members, SetTerm, Term, World
from closecombat.binding.trace import Event, Recorder
from closecombat.binding.workings import Workings
from closecombat.proving.values.symbolic import Value
from closecombat.reading.model import Act, Origin, Row
from closecombat.reading.types import shown

T = TypeVar("T")
IS = " = "  # between what a row comes to and how that is reckoned
FAILED = "!"  # before the name of a row that does not count


class Reader(World, Protocol):
    """What reading a chart may ask of a run, beside what its sentences ask."""

    recorder: Recorder | None  # who writes down what is told, if anybody does
    workings: Workings
    changes: int  # how often the state has become another

    def used(self, where: Origin, counts: Value = True) -> None: ...
    def came_to(self, where: Origin) -> None: ...
    def ask(self, term: Term, env: Env) -> Value: ...
    def ask_whom(self, term: SetTerm, env: Env) -> Members: ...
    def recalled_of(self, what: Hashable, env: Env, ask: Callable[[], T]) -> T: ...


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
        run.recorder.reason(row.id, (f"{IS}{value}" if value else "") + (f", since {tests}" if tests else ""))


def tell_value(run: Reader, bound: BoundTable, env: Env) -> None:
    """Notes how the value of a table that is one sentence is reckoned out."""
    if run.recorder is not None and bound.table.value is not None:
        run.recorder.reason("", run.workings.value(run, bound.table.value, bound.scope, env))


def tell_start(run: Reader, bound: BoundTable, env: Env, value: Value) -> None:
    """Notes what a sum begins with, before any of its rows."""
    if run.recorder is not None and bound.table.start is not None:
        reckoned = run.workings.value(run, bound.table.start, bound.scope, env)
        run.recorder.reason("", f"begins with {shown(value)}" + (f"{IS}{reckoned}" if reckoned else ""))


def tell_failed(run: Reader, bound: BoundRow | BoundAct, test: int, env: Env) -> None:
    """Notes the numbers by which a test of a row fails, where these rest on dice."""
    row = bound.row if isinstance(bound, BoundRow) else bound.act
    heading, cell = row.tests[test]
    if run.recorder is None or not run.workings.rests_on_chance(heading, cell):
        return
    if not (said := run.workings.test(run, heading, cell, bound.scope, env)):
        return
    if isinstance(bound, BoundRow):
        run.recorder.reason(FAILED + row.id, said)
    else:
        run.recorder.add(Event("failed", row.id, whom(bound, env), None, row.where, because=said))


def whom(act: BoundAct, env: Env) -> str:
    """Whom a row of a sequence looks at, in a trace."""
    who = env.get(act.each.each) if act.each is not None else env.get(act.who[1][0]) if act.who is not None else None
    return f" of {who}" if who is not None else ""
