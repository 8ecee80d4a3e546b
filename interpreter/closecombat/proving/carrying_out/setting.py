"""Values set in turn over all rows of a factor, which are put together once, at the end.

**The problem.** Behind a throw a fight is mostly arithmetic: forty values, each made from a few before it. Carried out
one by one each would make every row anew, longer by a column, and look whether rows have become equal, which mostly
none have.

**The idea.** Values that follow each other and read from the same factor are one operation. Each hangs, in the end, on
some columns of the row. Values that hang on the same columns are a `_Group`: worked out together, once for each way in
which these columns stand, and from groups that hang on fewer columns. Only groups that are part of no larger one are
looked up row by row, and what comes of it is numbered; by the numbers rows are added up, and only what is left is
written out.

*An example.* Rows of (ours, theirs, die of one, die of the other). `margin`, `who has won` and eight more hang on
the first two: one group with 121 ways. `tired` hangs on these and a die, for either side: two groups more, and
the first is part of either. Half a million rows take two look-ups each, and twelve values come of it.

What a group comes to is worked out value by value, and where its columns stand in many ways (`WORTH_WRITING`) by one
function that is written for all of them (`fusing.write_row`). Of one factor all of it stands in the loop over the rows,
once that is written (`InTurn`). A value that fails makes the function fail; then that way is walked, so that it is told
which of them it is.

**Elsewhere.** Which values follow each other is found by `Plan.compile`; a few values are `operations.set_values`'s,
and so are those of a state on the board.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from math import prod
from typing import TypeAlias

from closecombat.proving.carrying_out.plan import SHORT, Maker, Operation, Plan, Remembered
from closecombat.proving.programs import program as p
from closecombat.proving.programs.liveness import vars_of
from closecombat.proving.tables.weights import Layout, Row, Weights, picker, product_of, summed, too_many
from closecombat.proving.values.budget import KIND_BYTES, PLACE_BYTES, ROW_BYTES
from closecombat.proving.values.closures import compiled
from closecombat.proving.values.symbolic import Looked, Sym, Value
from closecombat.proving.values.walking import is_short
from closecombat.proving.writing.proofreading import read_row_over
from closecombat.proving.writing.recipes import Factors, InTurn, Stage, Step, Walked
from closecombat.text.faults import Faulty
from closecombat.text.slotted import dataclass

MANY_ROWS = 2_000  # of factors joined, from which on they are not written down
MOST_JOINED = 30_000_000  # rows of factors joined at once: more would take a minute
WORTH_WRITING = 200  # ways of some columns that are walked before a function is written for what hangs on them
MOST_FAILED = 50  # failures of such a function that are borne with

Roots: TypeAlias = frozenset[Sym]  # the columns that a value hangs on
Known: TypeAlias = Callable[[], Maker]  # for what stands on the board now


@dataclass(frozen=True, slots=True)
class _Group:
    """Values that hang on the same columns; `recall` tells them for each way in which these stand."""

    columns: Layout
    makes: Layout
    reads: list[Value]  # all that is worked out on the way to them
    recall: Maker
    walk: Maker  # the same, neither remembered nor written
    inner: Sequence[_Group]  # those that it reads from
    lets: Sequence[tuple[Sym, Value, Maker]]


@dataclass(frozen=True, slots=True)
class _Stage:
    """What is looked up of each row: the number of all that comes of some columns; `ways` are these by number. What it
    does can be told, but where columns are only taken over."""

    columns: Layout
    known: Known
    makes: Layout
    ways: dict[Row, int]
    told: Stage | None = None


def set_in_turn(plan: Plan, lets: Sequence[p.Let], after: frozenset[Sym]) -> Operation:
    """The operation of values that read from the same factors, and from each other."""
    made_here = frozenset(let.var for let in lets)
    ids = plan.holding(vars_of(let.value for let in lets) - made_here)
    layouts, joint = [plan.frame.layouts[i] for i in ids], plan.rows(ids)
    layout = plan.taken(ids)
    stages = _stages(plan, layout, _groups(plan, layout, lets), after)
    kept = [var for var in layout if var in after]
    if kept:
        stages.insert(0, _as_it_is(plan, tuple(kept)))
    made = plan.new(tuple(chain.from_iterable(stage.makes for stage in stages)))
    picks = [picker(layout, stage.columns) for stage in stages]
    joins: dict[int, _Join] = {}

    def operation(factors: Factors) -> None:
        given = [factors.pop(i) for i in ids]
        found: dict[tuple[int, ...], int] = {}
        numbers = [stage.known() for stage in stages]
        if len(given) > 1 and prod(len(table) for table, _ in given) > MANY_ROWS:
            longest = max(range(len(given)), key=lambda i: len(given[i][0]))
            if longest not in joins:
                joins[longest] = _join(layouts, longest, stages)
            den = _joined(plan, joins[longest], given, longest, numbers, found)
        else:
            pieces, den = plan.product_of(given)
            for rows, weights in pieces:
                columns = [map(number, map(pick, rows)) for number, pick in zip(numbers, picks, strict=True)]
                summed(zip(*columns, strict=True) if columns else ((),) * len(rows), weights, found)
                plan.alive.grown(found)
        ways = [list(stage.ways) for stage in stages]
        out = {
            tuple(chain.from_iterable([of[n] for of, n in zip(ways, each, strict=True)])): weight
            for each, weight in found.items()
        }
        plan.put(factors, made, out, den, given)
        plan.alive.gone((found,))

    if len(ids) > 1 or plan.frame.repeats or plan.frame.looping:  # what is remembered is worth keeping
        return Step(operation, Walked(tuple(ids), operation, made))
    told = [stage.told for stage in stages if stage.told is not None]
    return Step(operation, InTurn(joint, tuple(kept), told, made))


def _as_it_is(plan: Plan, columns: Layout) -> _Stage:
    """Columns that are only taken over."""
    ways: dict[Row, int] = {}
    number = _numbering(plan, ways, len(columns))
    return _Stage(columns, lambda: number, columns, ways)


def _numbering(plan: Plan, ways: dict[Row, int], columns: int) -> Callable[[Row], int]:
    """Gives each row a number, which is kept as long as a run goes on."""
    plan.memos.append(ways)
    known, held = ways.get, ROW_BYTES + PLACE_BYTES * columns

    def number(row: Row) -> int:
        found = known(row)
        if found is None:
            found = ways[row] = len(ways)
            plan.shop.budget.made(0, held)
        return found

    return number


# ---- factors joined ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Join:
    """For each stage how its columns are taken from a row of the longest factor and of the others joined, and put
    together."""

    outer: list[Callable[[Row], Row]]
    inner: list[Callable[[Row], Row]]
    together: list[Callable[[Row], Row]]


def _join(layouts: Sequence[Layout], longest: int, stages: Sequence[_Stage]) -> _Join:
    inner = layouts[longest]
    outer = tuple(chain.from_iterable(one for i, one in enumerate(layouts) if i != longest))
    out = _Join([], [], [])
    for stage in stages:
        here = [var for var in stage.columns if var in inner]
        there = [var for var in stage.columns if var not in inner]
        out.outer.append(picker(outer, there))
        out.inner.append(picker(inner, here))
        out.together.append(picker((*there, *here), stage.columns))
    return out


def _joined(
    plan: Plan,
    join: _Join,
    given: Sequence[tuple[Weights, int]],
    longest: int,
    numbers: Sequence[Callable[[Row], int]],
    found: dict[tuple[int, ...], int],
) -> int:
    """Goes through all rows of factors joined without writing them down: for each row of the others, the numbers of
    all rows of the longest one."""
    plan.spend(given)
    if prod(len(one) for one, _ in given) > MOST_JOINED:
        raise too_many()
    made = plan.shop.budget.made
    pieces, den = product_of([one for i, one in enumerate(given) if i != longest])
    table, more = given[longest]
    kinds: list[list[int]] = []  # of each row of the longest, for each stage
    of_stage: list[Remembered] = []
    for take, together, number in zip(join.inner, join.together, numbers, strict=True):
        known: dict[Row, int] = {}
        kinds.append([known.setdefault(key, len(known)) for key in map(take, table)])
        of_stage.append(_by_others(list(known), together, number, partial(made, 0, KIND_BYTES)))
    inner, most = list(table.values()), 0
    for rows, weights in pieces:
        for row, weight in zip(rows, weights, strict=True):
            columns = [
                map(of[take(row)].__getitem__, kind) for of, take, kind in zip(of_stage, join.outer, kinds, strict=True)
            ]
            summed(zip(*columns, strict=True) if columns else ((),) * len(inner), [weight * w for w in inner], found)
            if len(found) > most:
                most = plan.alive.grown(found)
    return den * more


def _by_others(
    keys: Sequence[Row], together: Callable[[Row], Row], number: Callable[[Row], int], hold: Callable[[], None]
) -> Remembered:
    """The number for each row of the others and each kind of row of the longest factor."""

    def of(row: Row, kind: int) -> int:
        hold()
        return number(together(row + keys[kind]))

    return Remembered(lambda row: Remembered(partial(of, row)))


# ---- which values are worked out together ------------------------------------------------------------------


def _groups(plan: Plan, layout: Layout, lets: Sequence[p.Let]) -> dict[Roots, _Group]:
    """Each value in the group of the columns that it hangs on; those that hang on fewer come first."""
    roots: dict[Sym, Roots] = {var: frozenset((var,)) for var in layout}
    sets: dict[Roots, list[p.Let]] = {}
    for let in lets:
        roots[let.var] = frozenset().union(*(roots.get(var, ()) for var in vars_of((let.value,))))
        sets.setdefault(roots[let.var], []).append(let)
    out: dict[Roots, _Group] = {}
    for one in sorted(sets, key=len):
        columns = tuple(var for var in layout if var in one)
        read = vars_of(let.value for let in sets[one])
        inner = [group for smaller, group in out.items() if smaller < one and not read.isdisjoint(group.makes)]
        out[one] = _group(plan, columns, columns == layout, inner, sets[one])
    return out


def _group(plan: Plan, columns: Layout, is_whole: bool, inner: Sequence[_Group], lets: Sequence[p.Let]) -> _Group:
    layout = (*columns, *chain.from_iterable(group.makes for group in inner))
    takes = [(picker(columns, group.columns), group.recall) for group in inner]
    values = [*(let.value for let in lets), *chain.from_iterable(group.reads for group in inner)]
    makers: list[Maker] = []
    for let in lets:
        makers.append(_safe(plan, let.value, layout, columns, values))
        layout = (*layout, let.var)
    first = len(layout) - len(lets)
    named = [(let.var, let.value, maker) for let, maker in zip(lets, makers, strict=True)]
    makes = tuple(let.var for let in lets)

    def walk(key: Row) -> Row:
        row = key
        for take, recall in takes:
            row += recall(take(key))
        for make in makers:
            row = (*row, make(row))
        return row[first:]

    told = [(group.columns, group.recall, group.makes) for group in inner]
    is_new = _is_new(plan, is_whole)
    work_out = _written_once_worth(plan, Stage(columns, told, named, makes, walk, not is_new))
    recall = work_out if is_new else plan.recall(values, work_out)
    return _Group(columns, makes, values, recall, walk, inner, named)


def _written_once_worth(plan: Plan, stage: Stage) -> Maker:
    """What a stage tells of a row: walked, and once that is worth it by a function written for it."""
    asked, failed, settled = 0, 0, plan.frame.settled
    written: Callable[[Row], Row] | None = None

    def after_failure(key: Row) -> Row:
        nonlocal written, failed
        failed += 1
        if failed > MOST_FAILED:
            written = stage.walk
        return stage.walk(key)

    borne_with = replace(stage, walk=after_failure)

    def work_out(key: Row) -> Value:
        nonlocal asked, written
        if written is not None:
            return written(key)
        asked += 1
        if asked <= WORTH_WRITING or not plan.may_write:
            return stage.walk(key)
        written = plan.written_row(borne_with, settled)
        return read_row_over(written, stage.walk, key)

    return work_out


def _stages(plan: Plan, layout: Layout, groups: dict[Roots, _Group], after: frozenset[Sym]) -> list[_Stage]:
    """Groups that are part of no larger one, each with those that are part of it, if they are still read later."""
    left = {roots: group for roots, group in groups.items() if not after.isdisjoint(group.makes)}
    out: list[_Stage] = []
    while left:
        largest = next(reversed(left))
        inside = [left.pop(roots) for roots in list(left) if roots <= largest]
        out.append(_stage(plan, layout, [var for var in layout if var in largest], inside, after))
    return out


def _stage(
    plan: Plan, layout: Layout, columns: Sequence[Sym], groups: Sequence[_Group], after: frozenset[Sym]
) -> _Stage:
    values = [value for group in groups for value in group.reads]
    cells, whole = plan.cells(values), groups[-1]
    is_all = len(plan.cells(whole.reads)) == len(cells)
    takes = []
    for group in groups:
        tell = group.walk if is_all and group is whole else group.recall  # what is asked here alone has its number
        kept = picker(group.makes, [var for var in group.makes if var in after])
        takes.append((picker(columns, group.columns), tell, kept))
    ways: dict[Row, int] = {}
    makes = tuple(var for group in groups for var in group.makes if var in after)
    number = _numbering(plan, ways, len(makes))

    def walk(key: Row) -> Row:
        row: Row = ()
        for take, tell, keep in takes:
            row += keep(tell(take(key)))
        return row

    beside = [group for group in groups[:-1] if group not in whole.inner and not after.isdisjoint(group.makes)]
    inner, lets, beside = (whole.inner, whole.lets, beside) if is_all else (groups, (), [])
    told, more = ([(group.columns, group.recall, group.makes) for group in some] for some in (inner, beside))
    is_new = _is_new(plan, len(columns) == len(layout))
    stage = Stage(tuple(columns), told, lets, makes, walk, not is_new, more)
    row_of = _written_once_worth(plan, stage)

    def number_of(key: Row) -> int:
        return number(row_of(key))

    known = (lambda: number_of) if is_new else plan.known(values, number_of)
    return _Stage(tuple(columns), known, makes, ways, stage)


def _is_new(plan: Plan, is_whole: bool) -> bool:
    """Whether every row is another: what comes of it is not remembered."""
    return is_whole and not plan.frame.repeats


def _safe(plan: Plan, value: Value, layout: Layout, columns: Layout, beside: Sequence[Value]) -> Maker:
    """A value as a function of a row, remembered by what it reads if it takes work; one that fails is a Fault, which
    matters only to whoever looks at it. Whatever reads all `columns` by which it is remembered with what is worked out
    `beside` it is asked once for each, and is not remembered by itself."""
    if type(value) is not Sym:
        return lambda row: value
    is_quick = is_short((value,), SHORT)
    reads = layout if is_quick else tuple(var for var in layout if var in value.vars)
    make = compiled(value, plan.places(reads, value), plan.count)

    def safe(row: Row) -> Value:
        try:
            return make(row)
        except (Faulty, Looked) as error:
            return plan.failed(error)

    if is_quick:
        return safe
    take = picker(layout, reads)
    if value.vars.issuperset(columns) and len(plan.cells((value,))) == len(plan.cells(beside)):
        return lambda row: safe(take(row))
    recall = plan.recall((value,), safe)
    return lambda row: recall(take(row))
