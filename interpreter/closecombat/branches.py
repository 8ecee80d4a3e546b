"""Steps that are done only where a condition holds: all rows together, or group by group."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import product
from math import prod
from typing import Any, TypeAlias

from closecombat import program as p
from closecombat.liveness import defined, outside, vars_of
from closecombat.plan import Factors, Operation, Plan
from closecombat.symbolic import Sym, Value
from closecombat.tables import Layout, Row, Table, joined, picker, product_of

MANY_ROWS = 3_000  # of a product, from which on a branch is worth taking group by group
DEEPEST_GROUPS = 2

Given: TypeAlias = list[tuple[Table, int]]
Taken: TypeAlias = Callable[[Given], tuple[Table, int]]


def branch(plan: Plan, step: p.Branch, after: frozenset[Sym]) -> Operation:
    condition, steps = step.condition, step.steps
    exported = tuple(sorted(defined(steps) & after, key=lambda v: v.number))
    ids = plan.holding(vars_of((condition,)) | outside(steps))
    moment = plan.moment()
    ready: dict[bool, Taken] = {}  # each way of taking the branch, compiled when it is first taken
    may_group = len(ids) > 1 and plan.depth < DEEPEST_GROUPS
    kept = [v for v in plan.taken(ids) if v in after]
    made = plan.new((*kept, *exported))

    def operation(factors: Factors) -> None:
        given = [factors.pop(i) for i in ids]
        by_groups = may_group and prod(len(table) for table, _ in given) > MANY_ROWS
        if by_groups not in ready:
            with plan.back_at(moment):
                ready[by_groups] = (_grouped if by_groups else _whole)(plan, ids, condition, steps, after, exported)
        factors[made] = ready[by_groups](given)

    return operation


def _inside(
    plan: Plan,
    layouts: Sequence[Layout],
    steps: list[p.Step],
    after: frozenset[Sym],
    settled: Iterable[Sym],
    wanted: Sequence[Sym],
) -> tuple[list[int], Callable[..., Any], Callable[[Row], Row]]:
    """The steps of a branch compiled on their own: the cells of the board to fill, a function that runs it, and
    how what is wanted is taken from its rows."""
    outer = plan.layouts, dict(plan.settled), plan.depth
    plan.layouts, plan.depth = {}, plan.depth + 1
    cells = [plan.settle(var) for var in settled]
    entries = [plan.new(layout) for layout in layouts]
    operations = plan.compile(steps, after)
    ends = list(plan.layouts)
    take = plan.carried(plan.joined_layout(ends), wanted)
    plan.layouts, plan.settled, plan.depth = outer

    def inside(tables: Sequence[tuple[Table, int]]) -> tuple[Iterable[tuple[Row, int]], int]:
        factors: Factors = dict(zip(entries, tables, strict=True))
        for operation in operations:
            operation(factors)
        return product_of([factors[i] for i in ends])

    return cells, inside, take


def _whole(
    plan: Plan, ids: list[int], condition: Value, steps: list[p.Step], after: frozenset[Sym], exported: tuple[Sym, ...]
) -> Taken:
    """A branch taken with all its rows together."""
    layout = plan.joined_layout(ids)
    holds = plan.maker(layout, condition)
    kept = [v for v in layout if v in after]
    keep, nobody = picker(layout, kept), (None,) * len(exported)
    _, inside, take = _inside(plan, [layout], steps, after, (), (*kept, *exported))

    def whole(given: list[tuple[Table, int]]) -> tuple[Table, int]:
        rows, den = product_of(given)
        then: Table = {}
        by_den: dict[int, Table] = {den: {}}
        otherwise = by_den[den]
        for row, w in rows:
            if holds(row):
                then[row] = then.get(row, 0) + w
            else:
                full = keep(row) + nobody
                otherwise[full] = otherwise.get(full, 0) + w
        if then:
            found, d = inside([(then, den)])
            out = by_den.setdefault(d, {})
            for row, w in found:
                full = take(row)
                out[full] = out.get(full, 0) + w
        return joined(by_den)

    return whole


def _grouped(
    plan: Plan, ids: list[int], condition: Value, steps: list[p.Step], after: frozenset[Sym], exported: tuple[Sym, ...]
) -> Taken:
    """A branch taken for each way in which its condition can stand: within one, the factors stay apart."""
    layouts = [plan.layouts[i] for i in ids]
    asked = vars_of((condition,))
    on_board = [[v for v in layout if v in asked] for layout in layouts]
    rests = [tuple(v for v in layout if v not in asked) for layout in layouts]
    keys = [picker(layout, key) for layout, key in zip(layouts, on_board, strict=True)]
    takes = [picker(layout, rest) for layout, rest in zip(layouts, rests, strict=True)]
    keeps = [picker(layout, [v for v in layout if v in after]) for layout in layouts]
    kept = [v for layout in layouts for v in layout if v in after]
    outer, plan.repeats = plan.repeats, True
    cells, inside, take = _inside(plan, rests, steps, after, [v for key in on_board for v in key], (*kept, *exported))
    plan.repeats = outer
    flat = tuple(v for key in on_board for v in key)
    holds, nobody, board = plan.maker(flat, condition), (None,) * len(exported), plan.board

    def grouped(given: list[tuple[Table, int]]) -> tuple[Table, int]:
        groups = [_groups(table, key, take) for (table, _), key, take in zip(given, keys, takes, strict=True)]
        short = [_groups(table, key, keep) for (table, _), key, keep in zip(given, keys, keeps, strict=True)]
        dens = [den for _, den in given]
        by_den: dict[int, Table] = {}
        for combination in product(*groups):
            flat_key = tuple(value for key in combination for value in key)
            if holds(flat_key):
                for cell, value in zip(cells, flat_key, strict=True):
                    board[cell] = value
                tables = [(group[key], den) for group, key, den in zip(groups, combination, dens, strict=True)]
                found, d = inside(tables)
                out = by_den.setdefault(d, {})
                for row, w in found:
                    full = take(row)
                    out[full] = out.get(full, 0) + w
            else:
                found, d = product_of(
                    [(group[key], den) for group, key, den in zip(short, combination, dens, strict=True)]
                )
                out = by_den.setdefault(d, {})
                for row, w in found:
                    full = row + nobody
                    out[full] = out.get(full, 0) + w
        return joined(by_den)

    return grouped


def _groups(table: Table, key: Callable[[Row], Row], take: Callable[[Row], Row]) -> dict[Row, Table]:
    """The rows of a table by the part of them that `key` takes out."""
    out: dict[Row, Table] = {}
    for row, w in table.items():
        group = out.setdefault(key(row), {})
        rest = take(row)
        group[rest] = group.get(rest, 0) + w
    return out
