"""Carries out a program for every fall of the dice at once: the exact joint distribution of what is asked.

A factor is a table {values of some variables: weight} over a common denominator; factors are independent of each
other and are multiplied only when a step reads from several. A factor holds exactly the variables that a later
step still reads: everything else is forgotten, and rows that have become equal are merged. A throw of few dice is
answered by the least that is asked of it: falls that no later step can tell apart are one answer.

All of that depends on the program alone, so it is worked out once, in a `Plan`; running it is loops over dicts
with integer weights.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from math import lcm
from operator import itemgetter
from typing import Any

from closecombat import program as p
from closecombat.diagnostics import Faulty
from closecombat.dice import Faces, Pool, lots, sums
from closecombat.symbolic import Sym, Value, compiled

Row = tuple[Any, ...]
Table = dict[Row, int]
Layout = tuple[Sym, ...]
Factors = dict[int, tuple[Table, int]]
Operation = Callable[[Factors], None]
Answer = tuple[list[tuple[Row, int]], int]
MOST_ROWS = 2_000_000
NOTHING: frozenset[Sym] = frozenset()


def vars_of(values: Iterable[Value]) -> frozenset[Sym]:
    return NOTHING.union(*(v.vars for v in values if type(v) is Sym))


def reads(step: p.Step) -> frozenset[Sym]:
    """The variables a step needs from before it."""
    match step:
        case p.Throw():
            return NOTHING
        case p.PoolThrow(pool):
            return vars_of(one.number for one in pool.parts)
        case p.Lots(_, candidates):
            return vars_of(candidates)
        case p.Draw(_, _, counts):
            return vars_of(counts)
        case p.Let(_, value):
            return vars_of((value,))
        case p.Branch(condition, steps):
            return vars_of((condition,)) | outside(steps)
        case p.Loop(vars, starts, steps, nexts, until):
            inner = outside(steps) | (vars_of((*nexts, until)) - defined(steps))
            return vars_of(starts) | (inner - set(vars))
    raise AssertionError(step)


def defined(steps: Iterable[p.Step]) -> frozenset[Sym]:
    out: set[Sym] = set()
    for step in steps:
        match step:
            case p.Throw(var) | p.Draw(var) | p.Let(var):
                out.add(var)
            case p.PoolThrow(pool):
                out.update(pool.views.values())
            case p.Lots(vars):
                out.update(vars)
            case p.Branch(_, inner):
                out |= defined(inner)
            case p.Loop():
                out.update(step.ends)
    return frozenset(out)


def outside(steps: Sequence[p.Step]) -> frozenset[Sym]:
    """What a list of steps reads that it does not set itself."""
    needed: frozenset[Sym] = NOTHING
    for step in reversed(steps):
        needed = (needed - defined((step,))) | reads(step)
    return needed


# ---- tables -----------------------------------------------------------------------------------------------

def picker(layout: Layout, wanted: Sequence[Sym]) -> Callable[[Row], Row]:
    """A function that takes the wanted variables, in that order, out of a row."""
    places = [layout.index(var) for var in wanted]
    if places == list(range(len(layout))):
        return lambda row: row
    if not places:
        return lambda row: ()
    if len(places) == 1:
        only = places[0]
        return lambda row: (row[only],)
    if places == list(range(places[0], places[0] + len(places))):
        part = slice(places[0], places[0] + len(places))
        return lambda row: row[part]
    return itemgetter(*places)


def product_of(tables: Sequence[tuple[Table, int]]) -> tuple[Iterable[tuple[Row, int]], int]:
    """The rows of independent tables joined, and their denominator."""
    first, den = tables[0]
    rows: Iterable[tuple[Row, int]] = first.items()
    for table, d in tables[1:]:
        more = list(table.items())
        rows = [(a + b, v * w) for a, v in rows for b, w in more]
        den *= d
    return rows, den


def joined(by_den: dict[int, Table]) -> tuple[Table, int]:
    """Tables of weights over different denominators as one."""
    if len(by_den) == 1:
        ((den, table),) = by_den.items()
        return table, den
    common = lcm(*by_den) if by_den else 1
    out: Table = {}
    for den, table in by_den.items():
        scale = common // den
        for row, w in table.items():
            out[row] = out.get(row, 0) + w * scale
    return out, common


def _bounded(table: Table) -> None:
    if len(table) > MOST_ROWS:
        raise Faulty.one("budget-exceeded", f"more than {MOST_ROWS} different states at once", None,
                         help="ask for less: --by sides, fewer attacks, or smaller forces")


# ---- the plan ---------------------------------------------------------------------------------------------

class Plan:
    """A program made ready. `run()` gives {values of what was asked: weight} and the denominator."""

    def __init__(self, steps: Sequence[p.Step], wanted: Sequence[Value]) -> None:
        self.views: dict[Sym, list[Sym]] = {}
        _collect_views([*_values(steps), *wanted], {s.var for s in _throws(steps)}, self.views)
        self.layouts: dict[int, Layout] = {}
        self._next = 0
        needed = vars_of(wanted)
        self.operations = self.compile(steps, needed)
        self.output = self._output(wanted)

    def run(self) -> tuple[Table, int]:
        factors: Factors = {}
        for operation in self.operations:
            operation(factors)
        return self.output(factors)

    def _output(self, wanted: Sequence[Value]) -> Callable[[Factors], tuple[Table, int]]:
        needed = vars_of(wanted)
        ids = self.holding(needed)
        layout = self.joined_layout(ids)
        makers = self._makers(layout, wanted)

        def output(factors: Factors) -> tuple[Table, int]:
            if not ids:
                return {tuple(make(()) for make in makers): 1}, 1
            rows, den = product_of([factors[i] for i in ids])
            out: Table = {}
            memos: list[dict[Any, Any]] = [{} for _ in makers]
            pairs = list(zip(makers, memos, strict=True))
            for row, w in rows:
                key = tuple([make(row, memo) for make, memo in pairs])
                out[key] = out.get(key, 0) + w
            return out, den
        if all(type(v) is Sym and v in layout for v in wanted) and ids:
            pick = picker(layout, [v for v in wanted if type(v) is Sym])

            def straight(factors: Factors) -> tuple[Table, int]:
                rows, den = product_of([factors[i] for i in ids])
                out: Table = {}
                for row, w in rows:
                    key = pick(row)
                    out[key] = out.get(key, 0) + w
                return out, den
            return straight
        return output

    def _makers(self, layout: Layout, wanted: Sequence[Value]) -> list[Callable[..., Any]]:
        makers: list[Callable[..., Any]] = []
        for value in wanted:
            if type(value) is Sym and value in layout:
                place = layout.index(value)
                makers.append(lambda row, memo=None, place=place: row[place])
                continue
            inputs = tuple(var for var in layout if type(value) is Sym and var in value.vars)
            fn, pick = compiled(value, {var: i for i, var in enumerate(inputs)}), picker(layout, inputs)

            def make(row: Row, memo: Any = None, fn: Any = fn, pick: Any = pick) -> Any:
                key = pick(row)
                if memo is None:
                    return fn(key)
                if key not in memo:
                    memo[key] = fn(key)
                return memo[key]
            makers.append(make)
        return makers

    # ---- which factor holds what, as the program goes on ----------------------------------------------------
    def new(self, layout: Layout) -> int:
        self._next += 1
        self.layouts[self._next] = layout
        return self._next

    def holding(self, needed: frozenset[Sym]) -> list[int]:
        return [i for i, layout in self.layouts.items() if not needed.isdisjoint(layout)]

    def joined_layout(self, ids: Sequence[int]) -> Layout:
        return tuple(var for i in ids for var in self.layouts[i])

    def compile(self, steps: Sequence[p.Step], live_out: frozenset[Sym]) -> list[Operation]:
        """Operations for some steps, after which `live_out` is still read."""
        lives: list[frozenset[Sym]] = []
        needed = live_out
        for step in reversed(steps):
            lives.append(needed)
            made = defined((step,))
            if not made.isdisjoint(needed):
                needed = (needed - made) | reads(step)
        out: list[Operation] = []
        for step, after in zip(steps, reversed(lives), strict=True):
            if not defined((step,)).isdisjoint(after):
                out += self._operation(step, after)
        return out

    def _operation(self, step: p.Step, after: frozenset[Sym]) -> list[Operation]:
        match step:
            case p.Throw(var, falls):
                return [self._throw(var, falls)]
            case p.PoolThrow(pool):
                return [self._pool(pool, after)]
            case p.Lots(vars, candidates, again):
                alive = [i for i, var in enumerate(vars) if var in after]
                return [self._answered(candidates, [vars[i] for i in alive], after,
                                       lambda key: _projected(lots(key, again), alive))]
            case p.Draw(var, words, counts):
                return [self._answered(counts, [var], after, lambda key: _cards(words, key))]
            case p.Let(var, value):
                return [self._let(var, value, after)]
            case p.Branch(condition, steps):
                return [self._branch(condition, steps, after)]
            case p.Loop():
                from closecombat.chain import loop_operation
                return [loop_operation(self, step, after)]
        raise AssertionError(step)

    def _throw(self, var: Sym, falls: list[tuple[Faces, int]]) -> Operation:
        asked = [compiled(view, {var: 0}) for view in self.views.get(var, [])]
        classes: dict[Any, tuple[Faces, int]] = {}
        for faces, w in falls:
            same = tuple(_asked(view, faces) for view in asked)
            first, so_far = classes.get(same, (faces, 0))
            classes[same] = (first, so_far + w)
        table: Table = {(faces,): w for faces, w in classes.values()}
        den = sum(table.values())
        made = self.new((var,))

        def throw(factors: Factors) -> None:
            factors[made] = (table, den)
        return throw

    def _pool(self, pool: Pool, after: frozenset[Sym]) -> Operation:
        views = [(tally, var) for tally, var in pool.views.items() if var in after]
        vars = [var for _, var in views]
        dies: list[list[tuple[Row, int]]] = []
        for i, one in enumerate(pool.parts):
            ways: dict[Row, int] = {}
            worths = [dict(tally.worth) for tally, _ in views]
            for face, n in one.ways:
                vector = tuple(worth.get((i, face), 0) for worth in worths)
                ways[vector] = ways.get(vector, 0) + n
            dies.append(list(ways.items()))
        cases = [one.cases for one in pool.parts]

        def answer(key: Row) -> Answer:
            table: Table = {(0,) * len(views): 1}
            den = 1
            for ways, n, each in zip(dies, key, cases, strict=True):
                if n:
                    more = sums(ways, n)
                    den *= each ** n
                    if len(table) == 1 and not any(next(iter(table))):
                        table = more
                        continue
                    grown: Table = {}
                    for a, v in table.items():
                        for b, w in more.items():
                            total = tuple([x + y for x, y in zip(a, b, strict=True)])
                            grown[total] = grown.get(total, 0) + v * w
                    table = grown
            return list(table.items()), den
        return self._answered(tuple(one.number for one in pool.parts), vars, after, answer)

    def _answered(self, inputs: Sequence[Value], vars: list[Sym], after: frozenset[Sym],
                  answer: Callable[[Row], Answer]) -> Operation:
        """A throw that depends on what is known by then: each row is followed by its answers."""
        ids = self.holding(vars_of(inputs))
        layout = self.joined_layout(ids)
        makers = self._makers(layout, inputs)
        kept = [var for var in layout if var in after]
        keep = picker(layout, kept)
        for i in ids:
            del self.layouts[i]
        made = self.new((*kept, *vars))

        def constant(factors: Factors) -> None:
            answers, den = answer(tuple(make(()) for make in makers))
            factors[made] = (dict(answers), den)

        def answered(factors: Factors) -> None:
            rows, den = product_of([factors.pop(i) for i in ids])
            memo: dict[Row, Answer] = {}
            by_den: dict[int, Table] = {}
            for row, w in rows:
                key = tuple([make(row) for make in makers])
                if key not in memo:
                    memo[key] = answer(key)
                answers, d = memo[key]
                out = by_den.setdefault(den * d, {})
                base = keep(row)
                for values, n in answers:
                    full = base + values
                    out[full] = out.get(full, 0) + w * n
                _bounded(out)
            factors[made] = joined(by_den)
        return answered if ids else constant

    def _let(self, var: Sym, value: Value, after: frozenset[Sym]) -> Operation:
        ids = self.holding(vars_of((value,)))
        layout = self.joined_layout(ids)
        inputs = tuple(v for v in layout if type(value) is Sym and v in value.vars)
        fn, pick = compiled(value, {v: i for i, v in enumerate(inputs)}), picker(layout, inputs)
        kept = [v for v in layout if v in after]
        keep = picker(layout, kept)
        for i in ids:
            del self.layouts[i]
        made = self.new((*kept, var))

        def let(factors: Factors) -> None:
            if not ids:
                factors[made] = ({(fn(()),): 1}, 1)
                return
            rows, den = product_of([factors.pop(i) for i in ids])
            memo: dict[Row, Row] = {}
            out: Table = {}
            for row, w in rows:
                key = pick(row)
                if key not in memo:
                    memo[key] = (fn(key),)
                full = keep(row) + memo[key]
                out[full] = out.get(full, 0) + w
            _bounded(out)
            factors[made] = (out, den)
        return let

    def _branch(self, condition: Value, steps: list[p.Step], after: frozenset[Sym]) -> Operation:
        made_inside = sorted(defined(steps) & after, key=lambda v: v.number)
        ids = self.holding(vars_of((condition,)) | outside(steps))
        layout = self.joined_layout(ids)
        holds = self._makers(layout, (condition,))[0]
        kept = [v for v in layout if v in after]
        keep = picker(layout, kept)
        for i in ids:
            del self.layouts[i]
        others, self.layouts = self.layouts, {}
        entry = self.new(layout)
        inner = self.compile(steps, after)
        ends = list(self.layouts)
        wanted = (*kept, *made_inside)
        take = picker(self.joined_layout(ends), wanted)
        self.layouts = others
        made = self.new(wanted)
        nobody = (None,) * len(made_inside)
        must = entry if entry in ends else None

        def branch(factors: Factors) -> None:
            rows, den = product_of([factors.pop(i) for i in ids])
            then: Table = {}
            by_den: dict[int, Table] = {den: {}}
            otherwise = by_den[den]
            memo: dict[Any, Any] = {}
            for row, w in rows:
                if holds(row, memo):
                    then[row] = then.get(row, 0) + w
                else:
                    full = keep(row) + nobody
                    otherwise[full] = otherwise.get(full, 0) + w
            if then:
                inside: Factors = {entry: (then, den)}
                for operation in inner:
                    operation(inside)
                found, d = product_of([inside[i] for i in ends])
                out = by_den.setdefault(d, {})
                for row, w in found:
                    full = take(row)
                    out[full] = out.get(full, 0) + w
            factors[made] = joined(by_den)
        del must
        return branch


def _asked(view: Callable[[Row], Any], faces: Faces) -> Any:
    try:
        value = view((faces,))
    except Faulty:
        return "a fault"
    return (type(value), value)


def _projected(answer: Answer, alive: list[int]) -> Answer:
    out: Table = {}
    for flags, w in answer[0]:
        key = tuple(flags[i] for i in alive)
        out[key] = out.get(key, 0) + w
    return list(out.items()), answer[1]


def _cards(words: tuple[str, ...], counts: Row) -> Answer:
    left = [((word,), n) for word, n in zip(words, counts, strict=True) if n]
    if not left:
        raise Faulty.one("no-value", "a card is dealt from an empty deck", None, help="add a `shuffle:` row")
    return left, sum(n for _, n in left)


def _throws(steps: Iterable[p.Step]) -> Iterable[p.Throw]:
    for step in steps:
        if isinstance(step, p.Throw):
            yield step
        elif isinstance(step, p.Branch | p.Loop):
            yield from _throws(step.steps)


def _values(steps: Iterable[p.Step]) -> Iterable[Value]:
    """Every expression in a program."""
    for step in steps:
        match step:
            case p.PoolThrow(pool):
                yield from (one.number for one in pool.parts)
            case p.Lots(_, candidates):
                yield from candidates
            case p.Draw(_, _, counts):
                yield from counts
            case p.Let(_, value):
                yield value
            case p.Branch(condition, inner):
                yield condition
                yield from _values(inner)
            case p.Loop(_, starts, inner, nexts, until):
                yield from (*starts, *nexts, until)
                yield from _values(inner)


def _collect_views(values: Iterable[Value], throws: set[Sym], views: dict[Sym, list[Sym]]) -> None:
    """The largest expressions that hang on one throw alone: that is all that is ever asked of it."""
    seen: set[Sym] = set()
    todo = [v for v in values if type(v) is Sym]
    while todo:
        node = todo.pop()
        if node in seen:
            continue
        seen.add(node)
        if len(node.vars) == 1 and (only := next(iter(node.vars))) in throws:
            views.setdefault(only, []).append(node)
        else:
            todo.extend(a for a in node.args if type(a) is Sym)


def as_fractions(table: Table, den: int) -> dict[Row, Fraction]:
    return {row: Fraction(w, den) for row, w in table.items() if w}
