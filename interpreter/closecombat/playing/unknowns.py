"""What is not settled although no die decides it: how a rule is read, whether a row counts, what a number is, what is
told of a fight. One run works out all its settings at once.

Each such unknown is thrown before the fight begins, all its values alike in chance. Then it is a value like any other
that is not known yet: a reading that may be this or that, a row with one more test, a number that is a variable. What
comes out is asked together with the unknowns; the rows of one setting, each weight divided by that of the setting, are
the chances that this setting has. What most settings have in common is so worked out once.

`settled` is the other way, and what the first must agree with: the same fight by rules in which an unknown is what a
setting says, with nothing thrown. Which of the two answers a question is `asking/exact/settings`.

Not every unknown can be thrown: who is there, and as which counter, is the shape of a state, and not a value in it
(`Shapes`). And a fight to its end is worked out with states that forget what was thrown before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from closecombat.binding.bound import BoundGrid, BoundTable
from closecombat.binding.terms import Term, constant
from closecombat.playing.fight import Fight, begin
from closecombat.playing.run import Run
from closecombat.proving.programs import program as p
from closecombat.proving.values.symbolic import Sym, Value
from closecombat.reading.slots import FactOf, PerWord, Slot
from closecombat.reading.types import Flag, Thing, Type
from closecombat.text.nodes import Node
from closecombat.text.slotted import dataclass


@dataclass(frozen=True, slots=True)
class Reading:
    """How an option is read."""

    option: str


@dataclass(frozen=True, slots=True)
class Counts:
    """Whether a row of a table counts (True), or is as if it were not there (False)."""

    table: str
    row: str


@dataclass(frozen=True, slots=True)
class Says:
    """What a row of a table says, adds, or multiplies with."""

    table: str
    row: str


@dataclass(frozen=True, slots=True)
class Printed:
    """What stands in a cell of a grid, line and column counted from 0."""

    grid: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Given:
    """What the situation says of something: `told` writes a value into it."""

    name: str
    told: Callable[[Node, Value], Node]


@dataclass(frozen=True, slots=True)
class Unknown:
    """What is not settled, and all that it may be, no two alike; the first is how it is."""

    what: Reading | Counts | Says | Printed | Given
    values: tuple[Value, ...]


Setting: TypeAlias = tuple[Value, ...]  # what each unknown is, in their order


class Shapes(Exception):
    """Two values of an unknown begin with another state, not with another value in it. It is told by its number."""

    def __init__(self, number: int) -> None:
        super().__init__(f"unknown {number} shapes the state")
        self.number = number


# ---- settled ----------------------------------------------------------------------------------------------


def settled(fight: Fight, unknowns: Sequence[Unknown], setting: Setting) -> Fight:
    """The fight in which each unknown is what a setting says."""
    options, situation = dict(fight.options), fight.situation
    for unknown, value in zip(unknowns, setting, strict=True):
        match unknown.what:
            case Reading(option):
                options[option] = value
            case Given(_, told):
                situation = told(situation, value)
    tables, grids = _charts(fight, unknowns, [partial(constant, value) for value in setting])
    return _altered(fight, tables, grids, options, situation)


def _altered(
    fight: Fight,
    tables: Mapping[str, BoundTable],
    grids: Mapping[str, BoundGrid],
    options: Mapping[str, str],
    situation: Node,
) -> Fight:
    bound = fight.bound.with_charts(tables, grids) if tables or grids else fight.bound
    openings = fight.openings if situation is fight.situation else []
    return replace(fight, bound=bound, options=options, situation=situation, openings=openings, heard=set(), often=[])


def _charts(
    fight: Fight, unknowns: Sequence[Unknown], says: Sequence[Callable[[Type], Term]]
) -> tuple[dict[str, BoundTable], dict[str, BoundGrid]]:
    """The charts in which something is not what it is in the ruleset, with a sentence that says what it is."""
    tables: dict[str, BoundTable] = {}
    grids: dict[str, BoundGrid] = {}
    for unknown, term in zip(unknowns, says, strict=True):
        match unknown.what:
            case Counts(name, row):
                tables[name] = _counting(tables.get(name) or fight.bound.table(name), row, term(Flag()))
            case Says(name, row):
                tables[name] = _saying(tables.get(name) or fight.bound.table(name), row, term)
            case Printed(name, line, column):
                grid = grids.get(name) or fight.bound.grid(name)
                grids[name] = _printing(grid, line, column, term(grid.type))
    return tables, grids


def _counting(table: BoundTable, row: str, switch: Term) -> BoundTable:
    """A table of which a row has one more test."""
    rows = tuple(
        one
        if one.row.id != row
        else replace(one, tests=(switch, *one.tests))
        if one.each is None
        else replace(one, first=(switch, *one.first))
        for one in table.rows
    )
    return replace(table, rows=rows)


def _saying(table: BoundTable, row: str, says: Callable[[Type], Term]) -> BoundTable:
    """A table of which a row says something else."""
    rows = tuple(
        replace(one, verdict=says(one.verdict.type)) if one.row.id == row and one.verdict is not None else one
        for one in table.rows
    )
    return replace(table, rows=rows)


def _printing(grid: BoundGrid, line: int, column: int, says: Term) -> BoundGrid:
    """A grid of which a cell is explained by a note, as a mark would be."""
    explained = tuple(tuple(note + 1 if note else 0 for note in row) for row in grid.explained)
    return replace(
        grid,
        cells=_with(grid.cells, line, column, None),
        explained=_with(explained, line, column, 1),
        notes=(says, *grid.notes),
    )


def _with(cells: tuple[tuple[Value, ...], ...], line: int, column: int, value: Value) -> tuple[tuple[Value, ...], ...]:
    return tuple(
        tuple(value if (y, x) == (line, column) else cell for x, cell in enumerate(row)) for y, row in enumerate(cells)
    )


# ---- unsettled --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Unsettled:
    """A run at its start in which nobody knows what some unknowns are. The variable of each is one of what it `holds`,
    all alike in chance, which stand in the order of its values."""

    run: Run
    variables: tuple[Sym, ...]
    holds: tuple[tuple[Value, ...], ...]


@dataclass(frozen=True, slots=True)
class Either:
    """A run at its start of which nobody knows as which of two fights it began. The variable is one of what it `holds`,
    both alike in chance; `opened` are the slots that begin otherwise, each with what it holds in either."""

    run: Run
    variable: Sym
    holds: tuple[Value, ...]
    opened: Mapping[Slot, Sequence[Value]]

    def by(self, which: int) -> Mapping[Value, Value]:
        """What each value that is not known at the start is in one of the two."""
        return {self.run.start[slot]: there[which] for slot, there in self.opened.items()}


def either(fight: Fight, other: Fight) -> Either:
    """Two fights of one ruleset, or of two that differ in nothing but how a fight begins, as one. Raises Shapes where
    it is not only values in which they differ."""
    run = begin(fight, None)
    opened = _other_slots(run, [run, begin(other, None)], 0)
    holds = _held(opened, (0, 1))
    variable = _thrown(run, holds)
    run.leaves_open((variable,), {})
    for slot, there in opened.items():
        run.opens_with(slot, _of(run, variable, holds, there))
    return Either(run, variable, holds, opened)


def unsettled(fight: Fight, unknowns: Sequence[Unknown]) -> Unsettled:
    """The fight with nothing said of the unknowns. Raises Shapes where one cannot be thrown, and Faulty where a
    situation cannot be read."""
    for number, one in enumerate(unknowns):
        if isinstance(one.what, Printed) and fight.bound.grid(one.what.grid).grid.across is None:
            raise Shapes(number)  # a column of a list of words: cards are put in order by it before they are dealt
    tables, grids = _charts(fight, unknowns, [partial(_setting, number) for number, _ in enumerate(unknowns)])
    run = begin(_altered(fight, tables, grids, fight.options, fight.situation), None)
    opened = {
        number: _opened(run, fight, one, number) for number, one in enumerate(unknowns) if isinstance(one.what, Given)
    }
    holds = tuple(
        _held(opened[number], range(len(one.values))) if number in opened else one.values
        for number, one in enumerate(unknowns)
    )
    variables = tuple(_thrown(run, values) for values in holds)
    options = ((one.what, variable) for one, variable in zip(unknowns, variables, strict=True))
    run.leaves_open(variables, {what.option: variable for what, variable in options if isinstance(what, Reading)})
    written: set[Slot] = set()
    for number, slots in opened.items():
        if written & slots.keys():
            raise Shapes(number)  # what one of them says depends on another
        written |= slots.keys()
        for slot, there in slots.items():
            run.opens_with(slot, _of(run, variables[number], holds[number], there))
    return Unsettled(run, variables, holds)


def _held(slots: Mapping[Slot, list[Value]], numbers: Sequence[int]) -> tuple[Value, ...]:
    """What the variable of a fact holds: what stands in its slot, if that is one and everybody has it, else the number
    of the value."""
    first = next(iter(slots.values()), [None])
    plain = len(slots) == 1 and None not in first and len(set(first)) == len(first)
    return tuple(first) if plain else tuple(numbers)


def _setting(number: int, type: Type) -> Term:
    return Term(lambda world, env: world.setting(number), type)


def _thrown(run: Run, values: tuple[Value, ...]) -> Sym:
    """A variable that is any of these, made so that as much is known of it as of a fact of its type."""
    shop = run.shop
    are_numbers = all(type(value) is int for value in values)
    are_flags = all(type(value) is bool for value in values)
    variable = shop.variable(() if are_numbers or are_flags else values)
    if are_numbers:
        shop.whole.add(variable)
        shop.ranges[variable] = values
    elif are_flags:
        shop.ranges[variable] = (False, True)
    run.draft.step(p.Throw(variable, [(value, 1) for value in values]))
    return variable


def _of(run: Run, variable: Sym, holds: Sequence[Value], there: Sequence[Value]) -> Value:
    """What stands in a slot, by what the variable is."""
    if all(type(one) is type(other) and one == other for one, other in zip(there, holds, strict=True)):
        return variable
    out = there[-1]
    for value, one in [*zip(holds, there, strict=True)][-2::-1]:
        out = run.shop.if_(run.shop.equal(variable, value), one, out)
    return out


def _opened(run: Run, fight: Fight, unknown: Unknown, number: int) -> dict[Slot, list[Value]]:
    """The slots that hold something else at the start for some value, and what for each. Things of one state are known
    in another by their names."""
    return _other_slots(run, [begin(settled(fight, (unknown,), (value,)), None) for value in unknown.values], number)


def _other_slots(run: Run, starts: Sequence[Run], number: int) -> dict[Slot, list[Value]]:
    """The slots of a run that do not hold in each start what they hold in it, and what for each."""
    found: dict[Slot, list[Value]] = {}
    shape = _shape(run)
    if any(_shape(one) != shape for one in starts):
        raise Shapes(number)
    named = run.state.things
    for slot, *others in zip(run.start, *(one.start for one in starts), strict=True):
        there = [_here(one.start[other], named) for one, other in zip(starts, others, strict=True)]
        if any(type(value) is not type(run.start[slot]) or value != run.start[slot] for value in there):
            if not isinstance(slot, FactOf | PerWord):
                raise Shapes(number)
            found[slot] = there
    return found


def _shape(run: Run) -> tuple[object, ...]:
    """Who is there as what, and what there is to know of them: all but what it is."""
    state = run.state
    return (
        [(thing.kind, name) for name, thing in state.things.items()],
        {thing.name: counter for thing, counter in state.counters.items()},
        {(owner.name, name): [one.name for one in members] for (owner, name), members in state.sets.items()},
        [repr(slot) for slot in run.start],
    )


def _here(value: Value, named: Mapping[str, Thing]) -> Value:
    return named[value.name] if isinstance(value, Thing) else value
