"""What a table's answer rests on: the assumed rows that held, and the assumed readings of what it asked.

An assumption counts only where the answer would be another without it. So the table is read once more, as it would be
without the row, or with each other reading of the option; while that is done nothing is noted or recorded
(`Run.supposing`). Where the two answers hang on dice, so does whether they differ: then that is a condition, and the
program notes the assumption in those falls of the dice in which it holds (`notes`).

What is noted by merely being used (a group, a grid, a fact that is assumed as a whole) is `Run.used`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from functools import partial
from typing import Protocol, TypeAlias

from closecombat.playing.lookup import Cause
from closecombat.playing.reasons import Reader
from closecombat.proving.values.symbolic import Fault, Value
from closecombat.reading.model import Row, Ruleset
from closecombat.text.faults import Faulty

Answer: TypeAlias = tuple[Value, list[Cause]]  # what a chart says, and the rows that counted


class Supposing(Reader, Protocol):
    """What may be asked of a run to find out what an answer rests on, beside reading charts."""

    ruleset: Ruleset
    options: dict[str, Value]

    def supposing(self) -> AbstractContextManager[None]: ...
    def reading_as(self, option: str, reading: str) -> AbstractContextManager[None]: ...
    def look_up(self, name: str, args: tuple[Value, ...], but: Row | None = None) -> Answer: ...
    def read_now(self, name: str, args: tuple[Value, ...]) -> Value: ...
    def assumed(self, ids: Iterable[str], when: Callable[[], Value] = ...) -> None: ...


def note_what_it_rests_on(
    run: Supposing, name: str, args: tuple[Value, ...], answer: Answer, options: Iterable[str]
) -> None:
    """Notes the assumed rows and readings without which a table would have said something else."""
    value, causes = answer
    for row in {id(cause.row): cause.row for cause in causes if cause.row.where.assumed}.values():
        held = [cause.guard for cause in causes if cause.row is row]
        run.assumed(row.where.assumed, partial(_differs, run, value, held, partial(_without, run, name, args, row)))
    for option in options:
        reading, found = run.options[option], run.ruleset.options[option]
        for other in found.readings:
            if other != reading:
                read = partial(_read_as, run, name, args, option, other)
                run.assumed(found.assumed[reading], partial(_differs, run, value, [True], read))


def _differs(run: Supposing, value: Value, held: Sequence[Value], read: Callable[[], Value]) -> Value:
    """Whether something held, and the other answer is not this one; an answer that fails is another."""
    guard = run.shop.any_of(held)
    if guard is False:
        return False
    with run.supposing():
        try:
            other = read()
        except Faulty:
            return guard
    if other is value:
        return False
    return run.shop.and_(guard, run.shop.lift(differs, value, other))


def differs(value: Value, other: Value) -> bool:
    return value is not other and (type(value) is Fault or type(other) is Fault or bool(value != other))


def _without(run: Supposing, name: str, args: tuple[Value, ...], row: Row) -> Value:
    return run.look_up(name, args, row)[0]


def _read_as(run: Supposing, name: str, args: tuple[Value, ...], option: str, reading: str) -> Value:
    with run.reading_as(option, reading):
        return run.read_now(name, args)
