"""Steps that are done only where a condition holds: all rows together, or group by group."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import product
from math import prod
from typing import TypeAlias

from closecombat import program as p
from closecombat.liveness import defined, outside, reads, vars_of
from closecombat.plan import Factors, Operation, Plan
from closecombat.symbolic import Sym
from closecombat.tables import Layout, Row, Table, joined, picker, summed

MANY_ROWS = 3_000  # of a product, from which on a branch is worth taking group by group
DEEPEST_GROUPS = 2

Given: TypeAlias = list[tuple[Table, int]]
Taken: TypeAlias = Callable[[Given], tuple[Table, int]]


def branch(plan: Plan, step: p.Branch, after: frozenset[Sym]) -> Operation:
    exported = tuple(sorted(defined((step,)) & after, key=lambda v: v.number))
    ids = plan.holding(reads(step))
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
                ready[by_groups] = (_grouped if by_groups else _whole)(plan, ids, step, after, exported)
        factors[made] = ready[by_groups](given)

    return operation


class _Arm:
    """The steps of one arm of a branch compiled on their own; `wanted` is what is taken from their rows."""

    def __init__(
        self,
        plan: Plan,
        layouts: Sequence[Layout],
        steps: list[p.Step],
        after: frozenset[Sym],
        wanted: Sequence[Sym],
        on_board: Iterable[Sym] = (),
    ) -> None:
        outer = plan.layouts, dict(plan.settled), plan.depth
        plan.layouts, plan.depth = {}, plan.depth + 1
        self.product_of = plan.product_of
        self.cells = [plan.settle(var) for var in on_board]
        self.entries = [plan.new(layout) for layout in layouts]
        self.operations = plan.compile(steps, after)
        self.ends = list(plan.layouts)
        self.take = plan.carried(plan.joined_layout(self.ends), wanted)
        plan.layouts, plan.settled, plan.depth = outer

    def run(self, tables: Sequence[tuple[Table, int]], by_den: dict[int, Table]) -> None:
        """Adds the rows that come out, by their denominator."""
        factors: Factors = dict(zip(self.entries, tables, strict=True))
        for operation in self.operations:
            operation(factors)
        pieces, den = self.product_of([factors[i] for i in self.ends])
        for rows, weights in pieces:
            summed(map(self.take, rows), weights, by_den.setdefault(den, {}))


def _whole(plan: Plan, ids: list[int], step: p.Branch, after: frozenset[Sym], exported: tuple[Sym, ...]) -> Taken:
    """A branch taken with all its rows together."""
    layout = plan.joined_layout(ids)
    holds = plan.column(layout, step.condition)
    wanted = (*(v for v in layout if v in after), *exported)
    there = _Arm(plan, [layout], step.steps, after, wanted)
    elsewhere = _elsewhere(plan, layout, step, after, wanted)

    def whole(given: list[tuple[Table, int]]) -> tuple[Table, int]:
        pieces, den = plan.product_of(given)
        then: Table = {}
        otherwise: Table = {}
        for rows, weights in pieces:
            for row, w, there_is in zip(rows, weights, holds(rows), strict=True):
                (then if there_is else otherwise)[row] = w
        by_den: dict[int, Table] = {}
        if then:
            there.run([(then, den)], by_den)
        if otherwise:
            elsewhere(otherwise, den, by_den)
        return joined(by_den)

    return whole


def _elsewhere(
    plan: Plan, layout: Layout, step: p.Branch, after: frozenset[Sym], wanted: Sequence[Sym]
) -> Callable[[Table, int, dict[int, Table]], None]:
    """What is done with the rows in which the condition does not hold."""
    if step.otherwise:
        arm = _Arm(plan, [layout], step.otherwise, after, wanted)
        return lambda table, den, by_den: arm.run([(table, den)], by_den)
    kept = [v for v in wanted if v in layout]
    keep, nobody = picker(layout, kept), (None,) * (len(wanted) - len(kept))

    def plain(table: Table, den: int, by_den: dict[int, Table]) -> None:
        summed([keep(row) + nobody for row in table], table.values(), by_den.setdefault(den, {}))

    return plain


def _grouped(plan: Plan, ids: list[int], step: p.Branch, after: frozenset[Sym], exported: tuple[Sym, ...]) -> Taken:
    """A branch taken for each way in which its condition can stand: within one, the factors stay apart."""
    layouts = [plan.layouts[i] for i in ids]
    asked = vars_of((step.condition,))
    on_board = [[v for v in layout if v in asked] for layout in layouts]
    rests = [tuple(v for v in layout if v not in asked) for layout in layouts]
    keys = [picker(layout, key) for layout, key in zip(layouts, on_board, strict=True)]
    takes = [picker(layout, rest) for layout, rest in zip(layouts, rests, strict=True)]
    short = after | outside(step.otherwise)
    shorts = [tuple(v for v in layout if v in short) for layout in layouts]
    keeps = [picker(layout, some) for layout, some in zip(layouts, shorts, strict=True)]
    flat = tuple(v for key in on_board for v in key)
    wanted = (*(v for layout in layouts for v in layout if v in after), *exported)
    outer, plan.repeats = plan.repeats, True
    there = _Arm(plan, rests, step.steps, after, wanted, flat)
    plan.repeats = outer
    elsewhere = _elsewhere(plan, tuple(v for some in shorts for v in some), step, after, wanted)
    holds, board = plan.maker(flat, step.condition), plan.board

    def grouped(given: list[tuple[Table, int]]) -> tuple[Table, int]:
        groups = [_groups(table, key, take) for (table, _), key, take in zip(given, keys, takes, strict=True)]
        others = [_groups(table, key, keep) for (table, _), key, keep in zip(given, keys, keeps, strict=True)]
        dens = [den for _, den in given]
        by_den: dict[int, Table] = {}
        otherwise: Table = {}
        for combination in product(*groups):
            flat_key = tuple(value for key in combination for value in key)
            if holds(flat_key):
                for cell, value in zip(there.cells, flat_key, strict=True):
                    board[cell] = value
                there.run(
                    [(group[key], den) for group, key, den in zip(groups, combination, dens, strict=True)], by_den
                )
            else:
                parts = [(group[key], den) for group, key, den in zip(others, combination, dens, strict=True)]
                for rows, weights in plan.product_of(parts)[0]:
                    summed(rows, weights, otherwise)
        if otherwise:
            elsewhere(otherwise, prod(dens), by_den)
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
