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
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from operator import itemgetter
from typing import Any

from closecombat import program as p
from closecombat.diagnostics import Faulty
from closecombat.dice import Faces, Pool, lots, sums
from closecombat.narrow import expressions, narrowed
from closecombat.symbolic import Sym, Value, Workshop, compiled

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


def pruned(steps: Sequence[p.Step], live: frozenset[Sym]) -> tuple[list[p.Step], frozenset[Sym]]:
    """The steps without those whose results nobody reads, given what is live after them; and what is live before.

    Strong liveness: a variable that only feeds itself round a loop, or another dead one, is dead.
    """
    out: list[p.Step] = []
    for step in reversed(steps):
        made = defined((step,))
        if made.isdisjoint(live):
            continue
        if isinstance(step, p.Branch):
            inner, _ = pruned(step.steps, live)
            step = p.Branch(step.condition, inner)
        elif isinstance(step, p.Loop):
            step = _pruned_loop(step, live)
        out.append(step)
        live = (live - made) | reads(step)
    return out[::-1], live


def _pruned_loop(step: p.Loop, live: frozenset[Sym]) -> p.Loop:
    alive = {i for i, end in enumerate(step.ends) if end in live}
    while True:
        steps, before = pruned(step.steps, vars_of((step.until, *(step.nexts[i] for i in alive))))
        more = {i for i, var in enumerate(step.vars) if var in before} - alive
        if not more:
            break
        alive |= more
    keep = sorted(alive)
    return p.Loop(tuple(step.vars[i] for i in keep), tuple(step.starts[i] for i in keep), steps,
                  tuple(step.nexts[i] for i in keep), step.until, step.at_most, tuple(step.ends[i] for i in keep), step.place)


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

    def __init__(self, shop: Workshop, steps: Sequence[p.Step], wanted: Sequence[Value]) -> None:
        steps, _ = pruned(steps, vars_of(wanted))
        steps, wanted = narrowed(shop, steps, wanted)
        needed = vars_of(wanted)
        steps, _ = pruned(steps, needed)
        self.views = _views([*expressions(steps), *wanted], _thrown(steps))
        self.layouts: dict[int, Layout] = {}
        self.memos: list[dict[Any, Any]] = []         # what has been worked out in this run, for each operation
        self.repeats = False                          # inside a loop, where the same rows come again
        self._next = 0
        self.operations = self.compile(steps, needed)
        self.output = self._output(wanted)

    def run(self) -> tuple[Table, int]:
        for memo in self.memos:
            memo.clear()
        factors: Factors = {}
        for operation in self.operations:
            operation(factors)
        return self.output(factors)

    def memo(self) -> dict[Any, Any]:
        """A memo of this plan, emptied when a run begins."""
        self.memos.append({})
        return self.memos[-1]

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
            for row, w in rows:
                key = tuple([make(row) for make in makers])
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
        """For each value a function of a row; what takes work is remembered."""
        return [self._maker(layout, value) for value in wanted]

    def _maker(self, layout: Layout, value: Value) -> Callable[[Row], Any]:
        if type(value) is not Sym:
            return lambda row: value
        at = self._places(layout)
        if value in at:
            found = at[value]
            if isinstance(found, int):
                return itemgetter(found)
            outer, inner = found
            return lambda row: row[outer][inner]
        inputs = tuple(var for var in layout if var in value.vars)
        if inputs == layout and not self.repeats:
            return compiled(value, at)                # no two rows are alike: nothing to remember
        fn, memo = compiled(value, self._places(inputs)), self.memo()
        if len(inputs) == 1:
            place = layout.index(inputs[0])

            def of_one(row: Row) -> Any:
                key = row[place]
                if key not in memo:
                    memo[key] = fn((key,))
                return memo[key]
            return of_one
        pick = picker(layout, inputs)

        def of_several(row: Row) -> Any:
            key = pick(row)
            if key not in memo:
                memo[key] = fn(key)
            return memo[key]
        return of_several

    def _places(self, layout: Layout) -> dict[Sym, Any]:
        """Where each variable, and each question asked of a throw, stands in a row."""
        at: dict[Sym, Any] = {}
        for i, var in enumerate(layout):
            views = self.views.get(var)
            if views is None:
                at[var] = i
            elif len(views) == 1:
                at[views[0]] = i
            else:
                at |= {view: (i, k) for k, view in enumerate(views)}
        return at

    def _answers_of(self, var: Sym) -> Callable[[Any], Any]:
        """What is kept of a value of a random variable: the answers to what is asked of it."""
        views = self.views.get(var)
        if views is None:
            return lambda value: value
        fns = [compiled(view, {var: 0}) for view in views]
        if len(fns) == 1:
            return lambda value: _asked(fns[0], value)
        return lambda value: tuple([_asked(fn, value) for fn in fns])

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
        todo = [(step, after) for step, after in zip(steps, reversed(lives), strict=True)
                if not defined((step,)).isdisjoint(after)]
        while todo:
            step, after = todo.pop(0)
            if isinstance(step, p.Let):
                lets = [step]
                while todo and isinstance(todo[0][0], p.Let) and self._goes_with(lets, todo[0][0]):
                    more, after = todo.pop(0)
                    assert isinstance(more, p.Let)
                    lets.append(more)
                out.append(self._let(lets, after))
            else:
                out.append(self._operation(step, after))
        return out

    def _goes_with(self, lets: list[p.Let], more: p.Let) -> bool:
        """Whether a value can be set together with those before it."""
        needed = vars_of((more.value,))
        if not needed or not needed.isdisjoint(let.var for let in lets):
            return False
        return set(self.holding(needed)) <= set(self.holding(vars_of(let.value for let in lets)))

    def _operation(self, step: p.Step, after: frozenset[Sym]) -> Operation:
        match step:
            case p.Throw(var, falls):
                return self._throw(var, falls)
            case p.PoolThrow(pool):
                return self._pool(pool, after)
            case p.Lots(vars, candidates, again):
                alive = [i for i, var in enumerate(vars) if var in after]
                return self._answered(candidates, [vars[i] for i in alive], after,
                                      lambda key: _projected(lots(key, again), alive))
            case p.Draw(var, words, counts):
                kept = self._answers_of(var)
                return self._answered(counts, [var], after, lambda key: _cards(words, key, kept))
            case p.Branch(condition, steps):
                return self._branch(condition, steps, after)
            case p.Loop():
                from closecombat.chain import loop_operation
                return loop_operation(self, step, after)
        raise AssertionError(step)

    def _throw(self, var: Sym, falls: list[tuple[Faces, int]]) -> Operation:
        answers = self._answers_of(var)
        table: Table = {}
        for faces, w in falls:
            row = (answers(faces),)
            table[row] = table.get(row, 0) + w
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
        kept = [self._answers_of(var) for var in vars]
        plain = not any(var in self.views for var in vars)

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
            if plain:
                return list(table.items()), den
            asked: Table = {}
            for row, w in table.items():
                key = tuple([of(value) for of, value in zip(kept, row, strict=True)])
                asked[key] = asked.get(key, 0) + w
            return list(asked.items()), den
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
        memo: dict[Row, Answer] = self.memo()

        def constant(factors: Factors) -> None:
            if () not in memo:
                memo[()] = answer(tuple(make(()) for make in makers))
            answers, den = memo[()]
            factors[made] = (dict(answers), den)

        def answered(factors: Factors) -> None:
            rows, den = product_of([factors.pop(i) for i in ids])
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

    def _let(self, lets: Sequence[p.Let], after: frozenset[Sym]) -> Operation:
        """Values set together: they read from the same factors and not from each other."""
        ids = self.holding(vars_of(let.value for let in lets))
        layout = self.joined_layout(ids)
        makers = [self._maker(layout, let.value) for let in lets]
        kept = [v for v in layout if v in after]
        keep = picker(layout, kept)
        for i in ids:
            del self.layouts[i]
        made = self.new((*kept, *(let.var for let in lets)))

        def let_one(factors: Factors) -> None:
            rows, den = product_of([factors.pop(i) for i in ids])
            out: Table = {}
            for row, w in rows:
                full = (*keep(row), first(row))
                out[full] = out.get(full, 0) + w
            _bounded(out)
            factors[made] = (out, den)

        def let(factors: Factors) -> None:
            if not ids:
                factors[made] = ({tuple([make(()) for make in makers]): 1}, 1)
                return
            rows, den = product_of([factors.pop(i) for i in ids])
            out: Table = {}
            for row, w in rows:
                full = keep(row) + tuple([make(row) for make in makers])
                out[full] = out.get(full, 0) + w
            _bounded(out)
            factors[made] = (out, den)
        first = makers[0]
        return let_one if len(lets) == 1 and ids else let

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

        def branch(factors: Factors) -> None:
            rows, den = product_of([factors.pop(i) for i in ids])
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
                inside: Factors = {entry: (then, den)}
                for operation in inner:
                    operation(inside)
                found, d = product_of([inside[i] for i in ends])
                out = by_den.setdefault(d, {})
                for row, w in found:
                    full = take(row)
                    out[full] = out.get(full, 0) + w
            factors[made] = joined(by_den)
        return branch


@dataclass(frozen=True, slots=True)
class Fault:
    """An answer that nobody may look at: asking raised this."""

    error: Faulty


def _asked(view: Callable[[Row], Any], value: Any) -> Any:
    try:
        return view((value,))
    except Faulty as error:
        return Fault(error)


def _projected(answer: Answer, alive: list[int]) -> Answer:
    out: Table = {}
    for flags, w in answer[0]:
        key = tuple(flags[i] for i in alive)
        out[key] = out.get(key, 0) + w
    return list(out.items()), answer[1]


def _cards(words: tuple[str, ...], counts: Row, kept: Callable[[Any], Any]) -> Answer:
    left = [(word, n) for word, n in zip(words, counts, strict=True) if n]
    if not left:
        raise Faulty.one("no-value", "a card is dealt from an empty deck", None, help="add a `shuffle:` row")
    out: Table = {}
    for word, n in left:
        out[(kept(word),)] = out.get((kept(word),), 0) + n
    return list(out.items()), sum(n for _, n in left)


def _thrown(steps: Iterable[p.Step]) -> set[Sym]:
    """The variables that chance itself sets."""
    out: set[Sym] = set()
    for step in steps:
        match step:
            case p.Throw(var) | p.Draw(var):
                out.add(var)
            case p.PoolThrow(pool):
                out.update(pool.views.values())
            case p.Branch(_, inner):
                out |= _thrown(inner)
            case p.Loop():
                out |= _thrown(step.steps)
    return out


def _views(values: Iterable[Value], thrown: set[Sym]) -> dict[Sym, list[Sym]]:
    """For each thrown variable that is never read as it is, the largest expressions that hang on it alone:
    that is all that is ever asked of it."""
    found: dict[Sym, dict[Sym, None]] = {}
    seen: set[Sym] = set()
    todo = [v for v in values if type(v) is Sym]
    while todo:
        node = todo.pop()
        if node in seen:
            continue
        seen.add(node)
        only = next(iter(node.vars)) if len(node.vars) == 1 else None
        if only is not None and only in thrown:
            found.setdefault(only, {})[node] = None
        else:
            todo.extend(a for a in node.args if type(a) is Sym)
    return {var: list(views) for var, views in found.items() if var not in views}


def as_fractions(table: Table, den: int) -> dict[Row, Fraction]:
    return {row: Fraction(w, den) for row, w in table.items() if w}
