"""Repetitions: so many passes at most, or a fight to the end as an absorbing chain, solved exactly."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import gcd, lcm
from operator import itemgetter
from typing import TypeAlias

from closecombat import program as p
from closecombat.diagnostics import Faulty
from closecombat.liveness import defined, outside, pruned, reads, vars_of
from closecombat.plan import Factors, Operation, Plan
from closecombat.symbolic import Sym, Value, compiled
from closecombat.symmetry import canonical
from closecombat.tables import Row, Table, joined, picker, product_of

MOST_STATES = 200_000
MOST_TANGLED = 250  # states that lead to each other both ways, solved together

Share = tuple[int, int]  # a weight and its denominator
Arrows = tuple[list[tuple[Row, int]], list[tuple[Row, int]], int]  # goes on to, ends in, denominator


def loop(plan: Plan, step: p.Loop, after: frozenset[Sym]) -> Operation:
    """The operation of a Loop: every row at its start is spread over the states in which it ends."""
    ids = plan.holding(reads(step))
    layout = plan.joined_layout(ids)
    makers = plan.makers(layout, step.starts)
    inner_reads = (outside(step.steps) | vars_of((*step.nexts, step.until))) - defined(step.steps) - set(step.vars)
    rest = tuple(v for v in plan.taken(ids) if v in after or v in inner_reads)
    keep = picker(layout, rest)
    kept = tuple(v for v in rest if v in after)
    wanted = picker((*rest, *step.ends), (*kept, *step.ends))
    passing = (_one_by_one if step.at_most is None else _all_together)(plan, step, rest)
    made = plan.new((*kept, *step.ends))

    def operation(factors: Factors) -> None:
        rows, den = product_of([factors.pop(i) for i in ids])
        start: Table = {}
        for row, w in rows:
            full = keep(row) + tuple([make(row) for make in makers])
            start[full] = start.get(full, 0) + w
        if step.at_most is not None:
            table, den = _so_often(start, den, passing, step.at_most)
        else:
            table, den = _to_the_end(start, den, passing, step)
        out: Table = {}
        for row, w in table.items():
            full = wanted(row)
            out[full] = out.get(full, 0) + w
        factors[made] = (out, den)

    return operation


Passing: TypeAlias = Callable[[Table, int], tuple[list[tuple[Row, bool, int]], int]]


def _all_together(plan: Plan, step: p.Loop, rest: tuple[Sym, ...]) -> Passing:
    """One pass over a whole table of states."""
    outer, plan.layouts, repeats = plan.layouts, {}, plan.repeats
    settled, plan.repeats = dict(plan.settled), True
    entry = plan.new((*rest, *step.vars))
    operations = plan.compile(step.steps, frozenset(rest) | vars_of((*step.nexts, step.until)))
    ends = list(plan.layouts)
    inner = plan.joined_layout(ends)
    remain, is_over = picker(inner, rest), plan.maker(inner, step.until)
    new_values = plan.makers(inner, step.nexts)
    plan.layouts, plan.repeats, plan.settled = outer, repeats, settled

    def one_pass(table: Table, den: int) -> tuple[list[tuple[Row, bool, int]], int]:
        inside: Factors = {entry: (table, den)}
        for operation in operations:
            operation(inside)
        found, d = product_of([inside[i] for i in ends])
        out: dict[tuple[Row, bool], int] = {}
        for row, w in found:
            key = (remain(row) + tuple([make(row) for make in new_values]), bool(is_over(row)))
            out[key] = out.get(key, 0) + w
        return [(row, over, w) for (row, over), w in out.items()], d

    return one_pass


def _one_by_one(plan: Plan, step: p.Loop, rest: tuple[Sym, ...]) -> Passing:
    """One pass from a single state, which stands on the board, so that what is thrown in it stays apart.

    New values that read from different throws are worked out each by their own steps, and remembered by what of the
    state they hang on.
    """
    now = plan.moment()
    plan.layouts, plan.repeats, plan.looping = {}, True, True
    cells = [plan.settle(var) for var in (*rest, *step.vars)]
    begin = plan.moment()
    plan.compile(step.steps, vars_of((*step.nexts, step.until)))  # only to see what reads from what
    groups = _apart(plan, step.nexts)
    parts = _parts(plan, step, groups)
    columns: list[Value] = []
    slices: list[Callable[[], tuple[Table, int]]] = []
    alike = plan.alike.get(id(step), [])
    for ids, places in groups:
        values = [*(step.nexts[i] for i in places), *(part for part, ids_of in parts if ids_of == ids)]
        here = [orbit for orbit in alike if all(i in places for thing in orbit for i in thing)]
        alike = [orbit for orbit in alike if orbit not in here]
        local = [[[places.index(i) for i in thing] for thing in orbit] for orbit in here]
        with plan.back_at(begin):
            slices.append(_slice(plan, step, values, canonical(local) if here else None))
        columns += [*places, *values[len(places) :]]
    state = itemgetter(*[columns.index(i) for i in range(len(step.nexts))]) if len(step.nexts) > 1 else None
    with plan.back_at(begin):
        at = {**plan.board_places(), **{c: i for i, c in enumerate(columns) if type(c) is Sym}}
        is_over = compiled(step.until, at)
    plan.layouts, plan.settled, plan.depth, plan.repeats, plan.looping = now
    board, width = plan.board, len(rest)
    same = canonical([[[width + i for i in thing] for thing in orbit] for orbit in alike]) if alike else None

    def one_pass(table: Table, den: int) -> tuple[list[tuple[Row, bool, int]], int]:
        ((start, w_start),) = table.items()
        for cell, value in zip(cells, start, strict=True):
            board[cell] = value
        rows, d = product_of([made() for made in slices])
        ends: dict[tuple[Row, bool], int] = {}
        before = start[:width]
        for row, w in rows:
            full = before + (state(row) if state else row[:1])
            end = (same(full) if same else full, bool(is_over(row)))
            ends[end] = ends.get(end, 0) + w * w_start
        return [(row, over, w) for (row, over), w in ends.items()], d * den

    return one_pass


def _slice(
    plan: Plan, step: p.Loop, values: list[Value], same: Callable[[Row], Row] | None
) -> Callable[[], tuple[Table, int]]:
    """The distribution of some new values, by the steps that they need, for the state on the board."""
    steps, _ = pruned(step.steps, vars_of(values))
    operations = plan.compile(steps, vars_of(values))
    ids = plan.holding(vars_of(values))
    make_row = plan.row_maker(plan.joined_layout(ids), values)
    needed = (outside(steps) | vars_of(values)) - defined(steps)
    board, read = plan.board, [cell for var, cell in plan.settled.items() if var in needed]
    memo = plan.memo()

    def made() -> tuple[Table, int]:
        key = tuple([board[cell] for cell in read])
        if key not in memo:
            inside: Factors = {}
            for operation in operations:
                operation(inside)
            rows, den = product_of([inside[i] for i in ids])
            out: Table = {}
            for row, w in rows:
                full = make_row(row)
                if same is not None:
                    full = same(full)
                out[full] = out.get(full, 0) + w
            memo[key] = (out, den)
        found: tuple[Table, int] = memo[key]
        return found

    return made


def _apart(plan: Plan, nexts: tuple[Value, ...]) -> list[tuple[list[int], list[int]]]:
    """The new values of a pass in groups that read from different factors: the factors, and which values."""
    groups: list[tuple[set[int], list[int]]] = []
    for i, value in enumerate(nexts):
        ids, mine = set(plan.holding(vars_of((value,)))), [i]
        for group in [g for g in groups if g[0] & ids or (not ids and not g[0])]:
            groups.remove(group)
            ids, mine = ids | group[0], group[1] + mine
        groups.append((ids, mine))
    return [(sorted(ids), mine) for ids, mine in groups]


def _parts(plan: Plan, step: p.Loop, groups: list[tuple[list[int], list[int]]]) -> list[tuple[Sym, list[int]]]:
    """The largest parts of the condition of a loop that read from one group each."""
    out: dict[Sym, list[int]] = {}
    inner = defined(step.steps)
    todo = [step.until] if type(step.until) is Sym else []
    while todo:
        node = todo.pop()
        ids = set(plan.holding(node.vars))
        inside = [group for group, _ in groups if ids & set(group)]
        if not ids and not node.vars.isdisjoint(inner):
            if not any(not group for group, _ in groups):
                groups.append(([], []))
            out[node] = []
        elif ids and len(inside) == 1 and ids <= set(inside[0]):
            out[node] = inside[0]
        elif ids and not any(type(a) is Sym for a in node.args):
            groups.append((sorted(ids), []))
            out[node] = sorted(ids)
        elif ids:
            todo += [a for a in node.args if type(a) is Sym]
    return list(out.items())


def _so_often(start: Table, den: int, one_pass: Passing, at_most: int) -> tuple[Table, int]:
    by_den: dict[int, Table] = {}
    table = start
    for turn in range(at_most):
        found, den = one_pass(table, den)
        table = {}
        done = by_den.setdefault(den, {})
        for row, over, w in found:
            out = done if over or turn == at_most - 1 else table
            out[row] = out.get(row, 0) + w
        if not table:
            break
    return joined(by_den)


def _to_the_end(start: Table, den: int, one_pass: Passing, step: p.Loop) -> tuple[Table, int]:
    arrows: dict[Row, Arrows] = {}
    todo = list(start)
    while todo:
        state = todo.pop()
        if state in arrows:
            continue
        found, d = one_pass({state: 1}, 1)
        goes = [(row, w) for row, over, w in found if not over]
        arrows[state] = (goes, [(row, w) for row, over, w in found if over], d)
        if len(arrows) > MOST_STATES:
            raise Faulty.one("budget-exceeded", f"the fight has more than {MOST_STATES} states", step.place)
        todo.extend(row for row, _ in goes if row not in arrows)
    inflow: dict[Row, list[Share]] = {state: [(w, den)] for state, w in start.items()}
    ends: dict[Row, list[Share]] = {}
    for component in components(arrows):
        for state, (num, d) in _visits(component, arrows, inflow, step).items():
            goes, over, each = arrows[state]
            for row, w in over:
                ends.setdefault(row, []).append((num * w, d * each))
            for row, w in goes:
                if row not in component:
                    inflow.setdefault(row, []).append((num * w, d * each))
    shares = {row: _sum(parts) for row, parts in ends.items()}
    common = lcm(*(d for _, d in shares.values())) if shares else 1
    return {row: num * (common // d) for row, (num, d) in shares.items()}, common


def _sum(parts: list[Share]) -> Share:
    if len(parts) == 1:
        num, den = parts[0]
    else:
        den = lcm(*(d for _, d in parts))
        num = sum(n * (den // d) for n, d in parts)
    common = gcd(num, den)
    return num // common, den // common


def _visits(
    component: dict[Row, None], arrows: dict[Row, Arrows], inflow: dict[Row, list[Share]], step: p.Loop
) -> dict[Row, Share]:
    """How often each state of a component is visited on average."""
    states = list(component)
    if len(states) == 1:
        state = states[0]
        num, den = _sum(inflow[state])
        goes, _, each = arrows[state]
        stay = sum(w for row, w in goes if row == state)
        if stay == each:
            raise _never(step)
        return {state: (num * each, den * (each - stay))}
    if len(states) > MOST_TANGLED:
        raise Faulty.one(
            "budget-exceeded",
            f"{len(states)} states lead to each other in circles",
            step.place,
            help="ask for a bounded number of rounds",
        )
    places = {state: i for i, state in enumerate(states)}
    n = len(states)
    matrix = [[Fraction(int(i == j)) for j in range(n)] for i in range(n)]
    right = [Fraction(*_sum(inflow[s])) if s in inflow else Fraction(0) for s in states]
    for state in states:
        goes, _, each = arrows[state]
        for row, w in goes:
            if row in places:
                matrix[places[row]][places[state]] -= Fraction(w, each)
    solution = _solved(matrix, right, step)
    return {s: (x.numerator, x.denominator) for s, x in zip(states, solution, strict=True)}


def _solved(matrix: list[list[Fraction]], right: list[Fraction], step: p.Loop) -> list[Fraction]:
    n = len(right)
    for i in range(n):
        pivot = next((r for r in range(i, n) if matrix[r][i]), None)
        if pivot is None:
            raise _never(step)
        matrix[i], matrix[pivot], right[i], right[pivot] = matrix[pivot], matrix[i], right[pivot], right[i]
        for r in range(i + 1, n):
            if matrix[r][i]:
                factor = matrix[r][i] / matrix[i][i]
                right[r] -= factor * right[i]
                for c in range(i, n):
                    if matrix[i][c]:
                        matrix[r][c] -= factor * matrix[i][c]
    out = [Fraction(0)] * n
    for i in reversed(range(n)):
        out[i] = (right[i] - sum((matrix[i][c] * out[c] for c in range(i + 1, n)), Fraction(0))) / matrix[i][i]
    return out


def _never(step: p.Loop) -> Faulty:
    return Faulty.one(
        "loop-without-end",
        "some fights never come to an end, so their chances cannot be told",
        step.place,
        help="bound the repetition, or look at what its `until:` asks for",
    )


def components(arrows: dict[Row, Arrows]) -> list[dict[Row, None]]:
    """States that lead to each other, in the order in which a fight passes through them (Tarjan, without recursion)."""
    index: dict[Row, int] = {}
    low: dict[Row, int] = {}
    on_stack: dict[Row, None] = {}
    out: list[dict[Row, None]] = []
    for root in arrows:
        if root in index:
            continue
        index[root] = low[root] = len(index)
        on_stack[root] = None
        work = [(root, iter([row for row, _ in arrows[root][0]]))]
        while work:
            state, following = work[-1]
            for row in following:
                if row not in index:
                    index[row] = low[row] = len(index)
                    on_stack[row] = None
                    work.append((row, iter([r for r, _ in arrows[row][0]])))
                    break
                if row in on_stack:
                    low[state] = min(low[state], index[row])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[state])
                if low[state] == index[state]:
                    component: dict[Row, None] = {}
                    while True:
                        last = next(reversed(on_stack))
                        del on_stack[last]
                        component[last] = None
                        if last == state:
                            break
                    out.append(component)
    return out[::-1]
