"""Carries out a program for every fall of the dice at once: the exact joint distribution of what is asked.

A factor is a table {values of some variables: weight} over a common denominator; factors are independent of each
other and are multiplied only when a step reads from several. A factor holds exactly the variables that a later
step still reads: everything else is forgotten, and rows that have become equal are merged. A throw of few dice is
answered by the least that is asked of it: falls that no later step can tell apart are one answer. What is the
same in every row for a while (the state a pass of a loop begins in) stands on the board instead.

All of that depends on the program alone, so it is worked out once, in a `Plan`; running it is loops over dicts
with integer weights.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from operator import itemgetter
from typing import Any, TypeAlias

from closecombat import program as p
from closecombat.diagnostics import Faulty
from closecombat.dice import Faces, Pool, lots, sums
from closecombat.liveness import defined, outside, pruned, reads, thrown, vars_of, views_of
from closecombat.narrow import expressions, narrowed
from closecombat.sink import inlined, sunk
from closecombat.symmetry import orbits
from closecombat.symbolic import Fault, Sym, Value, Workshop, compiled, looked_at
from closecombat.tables import Layout, Row, Table, bounded, joined, picker, product_of

Factors: TypeAlias = dict[int, tuple[Table, int]]
Operation: TypeAlias = Callable[[Factors], None]
Answer: TypeAlias = tuple[list[tuple[Row, int]], int]
Maker: TypeAlias = Callable[[Row], Any]
MANY_ROWS = 3_000          # of a product, from which on a branch is worth taking group by group
DEEPEST_GROUPS = 2


class Plan:
    """A program made ready. `run()` gives {values of what was asked: weight} and the denominator."""

    def __init__(self, shop: Workshop, steps: Sequence[p.Step], wanted: Sequence[Value], careful: bool = False) -> None:
        self.program, self.careful = (shop, steps, wanted), careful
        steps, _ = pruned(steps, vars_of(wanted))
        steps, wanted = narrowed(shop, steps, wanted)
        steps = inlined(shop, pruned(steps, vars_of(wanted))[0], wanted)
        steps, wanted = sunk(shop, steps, wanted)
        needed = vars_of(wanted)
        steps, _ = pruned(steps, needed)
        self.views = views_of([*expressions(steps), *wanted], thrown(steps))
        self.layouts: dict[int, Layout] = {}          # the factors there are, as the program goes on
        self.board: list[Any] = []
        self.settled: dict[Sym, int] = {}             # variables that stand on the board, and where
        self.memos: list[dict[Any, Any]] = []         # what has been worked out in this run
        self.repeats = False                          # where the same rows come again: worth remembering
        self.depth = 0
        self._factors = 0
        self.alike = {id(step): orbits(step, steps[i + 1:], wanted) for i, step in enumerate(steps)
                      if isinstance(step, p.Loop) and step.at_most is None}
        self.operations = self.compile(steps, needed)
        self.output = self._output(wanted)

    def run(self) -> tuple[Table, int]:
        """The distribution. A value that fails where nobody may need it makes us begin again, carefully: then it is
        a Fault, which matters only to whoever looks at it."""
        try:
            return self._run()
        except Exception as error:
            if self.careful or isinstance(error, Faulty) and error.diagnostics[0].code == "budget-exceeded":
                raise
            return Plan(*self.program, careful=True).run()

    def _run(self) -> tuple[Table, int]:
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
        ids = self.holding(vars_of(wanted))
        layout = self.joined_layout(ids)
        if ids and all(type(v) is Sym and v in layout and v not in self.views for v in wanted):
            make: Callable[[Row], Row] = picker(layout, [v for v in wanted if type(v) is Sym])
        else:
            makers = self.makers(layout, wanted)

            def make(row: Row) -> Row:
                return tuple([maker(row) for maker in makers])

        careful = self.careful

        def output(factors: Factors) -> tuple[Table, int]:
            rows, den = product_of([factors[i] for i in ids])
            out: Table = {}
            for row, w in rows:
                key = make(row)
                out[key] = out.get(key, 0) + w
            if careful:
                for value in (value for key in out for value in key):
                    looked_at(value)
            return out, den
        return output

    # ---- where values stand --------------------------------------------------------------------------------
    def makers(self, layout: Layout, wanted: Sequence[Value]) -> list[Maker]:
        """For each value a function of a row; what takes work is remembered."""
        return [self.maker(layout, value) for value in wanted]

    def row_maker(self, layout: Layout, wanted: Sequence[Value]) -> Callable[[Row], Row]:
        """A function from a row to the row of some values; where rows come again, remembered as a whole."""
        makers = self.makers(layout, wanted)
        if not self.repeats or len(makers) < 3:
            return lambda row: tuple([make(row) for make in makers])
        needed = vars_of(wanted)
        pick = picker(layout, [var for var in layout if var in needed])
        cells = [i for var, i in self.settled.items() if var in needed]
        memo, board = self.memo(), self.board
        at_once = itemgetter(*cells) if cells else None

        def make_row(row: Row) -> Row:
            key = (pick(row), at_once(board)) if at_once else pick(row)
            found = memo.get(key)
            if found is None:
                found = memo[key] = tuple([make(row) for make in makers])
            return found
        return make_row

    def maker(self, layout: Layout, value: Value) -> Maker:
        if type(value) is not Sym:
            return lambda row: value
        at = self._places(layout)
        if isinstance(found := at.get(value), int):
            return itemgetter(found)
        inputs = tuple(var for var in layout if var in value.vars)
        board, cells = self.board, [i for var, i in self.settled.items() if var in value.vars]
        if value in at or inputs == layout and not self.repeats and not cells:
            return compiled(value, at, self.careful)                # quick, or no two rows are alike: nothing to remember
        fn, memo = compiled(value, self._places(inputs), self.careful), self.memo()
        pick = picker(layout, inputs)
        if not cells:
            if len(inputs) == 1:
                place = layout.index(inputs[0])

                def of_one(row: Row) -> Any:
                    key = row[place]
                    if key not in memo:
                        memo[key] = fn((key,))
                    return memo[key]
                return of_one

            def of_several(row: Row) -> Any:
                key = pick(row)
                if key not in memo:
                    memo[key] = fn(key)
                return memo[key]
            return of_several

        def of_all(row: Row) -> Any:
            given = pick(row)
            key = (given, *[board[i] for i in cells])
            if key not in memo:
                memo[key] = fn(given)
            return memo[key]
        return of_all

    def carried(self, layout: Layout, wanted: Sequence[Sym]) -> Callable[[Row], Row]:
        """A function that takes variables, as they stand in a row or on the board, over into another row."""
        if all(var in layout for var in wanted):
            return picker(layout, wanted)
        board = self.board
        places = [(layout.index(var), -1) if var in layout else (-1, self.settled[var]) for var in wanted]
        return lambda row: tuple([row[i] if i >= 0 else board[cell] for i, cell in places])

    def _places(self, layout: Layout) -> dict[Sym, Any]:
        """Where each variable, and each question asked of a throw, stands: in a row or on the board."""
        at: dict[Sym, Any] = {}
        for i, var in enumerate(layout):
            views = self.views.get(var)
            if views is None:
                at[var] = i
            elif len(views) == 1:
                at[views[0]] = i
            else:
                at |= {view: (i, k) for k, view in enumerate(views)}
        return at | self.board_places()

    def board_places(self) -> dict[Sym, Any]:
        """How each variable on the board, and each question asked of it, is read."""
        at: dict[Sym, Any] = {}
        for var, i in self.settled.items():
            views = self.views.get(var)
            if views is None:
                at[var] = _cell(self.board, i)
            elif len(views) == 1:
                at[views[0]] = _cell(self.board, i)
            else:
                at |= {view: _part(self.board, i, k) for k, view in enumerate(views)}
        return at

    def settle(self, var: Sym) -> int:
        """Gives a variable a cell of the board."""
        self.board.append(None)
        self.settled[var] = len(self.board) - 1
        return self.settled[var]

    def new(self, layout: Layout) -> int:
        self._factors += 1
        self.layouts[self._factors] = layout
        return self._factors

    def holding(self, needed: Iterable[Sym]) -> list[int]:
        """The factors that hold any of some variables."""
        wanted = frozenset(needed)
        return [i for i, layout in self.layouts.items() if not wanted.isdisjoint(layout)]

    def joined_layout(self, ids: Sequence[int]) -> Layout:
        return tuple(var for i in ids for var in self.layouts[i])

    def taken(self, ids: Sequence[int]) -> Layout:
        """The joined layout of factors that a step uses up."""
        layout = self.joined_layout(ids)
        for i in ids:
            del self.layouts[i]
        return layout

    # ---- operations ----------------------------------------------------------------------------------------
    def compile(self, steps: Sequence[p.Step], live_out: frozenset[Sym]) -> list[Operation]:
        """Operations for some steps, after which `live_out` is still read."""
        todo: list[tuple[p.Step, frozenset[Sym]]] = []
        needed = live_out
        for step in reversed(steps):
            made = defined((step,))
            if not made.isdisjoint(needed):
                todo.append((step, needed))
                needed = (needed - made) | reads(step)
        out: list[Operation] = []
        while todo:
            step, after = todo.pop()
            if isinstance(step, p.Let):
                lets = [step]
                while todo and isinstance(more := todo[-1][0], p.Let) and self._goes_with(lets, more):
                    _, after = todo.pop()
                    lets.append(more)
                out.append(self._let(lets, after))
            else:
                out.append(self._operation(step, after))
        return out

    def _goes_with(self, lets: list[p.Let], more: p.Let) -> bool:
        """Whether a value can be set together with those before it: it reads from the same factors, not from them."""
        needed = vars_of((more.value,))
        ids = set(self.holding(needed))
        return (bool(ids) and needed.isdisjoint(let.var for let in lets)
                and ids == set(self.holding(vars_of(let.value for let in lets))))

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

    def _answers_of(self, var: Sym) -> Callable[[Any], Any]:
        """What is kept of a value of a random variable: the answers to what is asked of it."""
        views = self.views.get(var)
        if views is None:
            return lambda value: value
        fns = [compiled(view, {var: 0}) for view in views]
        if len(fns) == 1:
            return lambda value: _asked(fns[0], value)
        return lambda value: tuple([_asked(fn, value) for fn in fns])

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
            for ways, n in zip(dies, key, strict=True):
                more = sums(ways, n)
                if len(table) == 1 and not any(next(iter(table))):
                    table = more
                    continue
                grown: Table = {}
                for a, v in table.items():
                    for b, w in more.items():
                        total = tuple([x + y for x, y in zip(a, b, strict=True)])
                        grown[total] = grown.get(total, 0) + v * w
                table = grown
            den = prod(each ** n for each, n in zip(cases, key, strict=True))
            if plain:
                return list(table.items()), den
            asked: Table = {}
            for row, w in table.items():
                full = tuple([of(value) for of, value in zip(kept, row, strict=True)])
                asked[full] = asked.get(full, 0) + w
            return list(asked.items()), den
        return self._answered(tuple(one.number for one in pool.parts), vars, after, answer)

    def _answered(self, inputs: Sequence[Value], vars: list[Sym], after: frozenset[Sym],
                  answer: Callable[[Row], Answer]) -> Operation:
        """A throw that depends on what is known by then: each row is followed by its answers."""
        ids = self.holding(vars_of(inputs))
        layout = self.joined_layout(ids)
        makers = self.makers(layout, inputs)
        kept = [var for var in self.taken(ids) if var in after]
        keep = picker(layout, kept)
        made = self.new((*kept, *vars))
        memo: dict[Row, Answer] = self.memo()

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
                bounded(out)
            factors[made] = joined(by_den)
        return answered

    def _let(self, lets: Sequence[p.Let], after: frozenset[Sym]) -> Operation:
        """Values set together: they read from the same factors and not from each other."""
        ids = self.holding(vars_of(let.value for let in lets))
        layout = self.joined_layout(ids)
        makers = self.makers(layout, [let.value for let in lets])
        if self.careful:
            makers = [_guarded(maker) for maker in makers]
        first = makers[0]
        if not ids:
            board, cell = self.board, self.settle(lets[0].var)

            def settle(factors: Factors) -> None:
                board[cell] = first(())
            return settle
        kept = [v for v in self.taken(ids) if v in after]
        keep = picker(layout, kept)
        made = self.new((*kept, *(let.var for let in lets)))
        if not self.careful:
            make_all = self.row_maker(layout, [let.value for let in lets])
        else:
            def make_all(row: Row) -> Row:
                return tuple([make(row) for make in makers])

        def let_one(factors: Factors) -> None:
            rows, den = product_of([factors.pop(i) for i in ids])
            out: Table = {}
            for row, w in rows:
                full = (*keep(row), first(row))
                out[full] = out.get(full, 0) + w
            bounded(out)
            factors[made] = (out, den)

        def let(factors: Factors) -> None:
            rows, den = product_of([factors.pop(i) for i in ids])
            out: Table = {}
            for row, w in rows:
                full = keep(row) + make_all(row)
                out[full] = out.get(full, 0) + w
            bounded(out)
            factors[made] = (out, den)
        return let_one if len(lets) == 1 else let

    # ---- branches ------------------------------------------------------------------------------------------
    def _branch(self, condition: Value, steps: list[p.Step], after: frozenset[Sym]) -> Operation:
        exported = tuple(sorted(defined(steps) & after, key=lambda v: v.number))
        ids = self.holding(vars_of((condition,)) | outside(steps))
        whole = self._whole(ids, condition, steps, after, exported)
        grouped = self._grouped(ids, condition, steps, after, exported) if len(ids) > 1 else None
        kept = [v for v in self.taken(ids) if v in after]
        made = self.new((*kept, *exported))

        def branch(factors: Factors) -> None:
            given = [factors.pop(i) for i in ids]
            if grouped is not None and prod(len(table) for table, _ in given) > MANY_ROWS:
                factors[made] = grouped(given)
            else:
                factors[made] = whole(given)
        return branch

    def _inside(self, layouts: Sequence[Layout], steps: list[p.Step], after: frozenset[Sym], settled: Iterable[Sym],
                wanted: Sequence[Sym]) -> tuple[list[int], Callable[..., Any], Callable[[Row], Row]]:
        """The steps of a branch compiled on their own: the cells of the board to fill, a function that runs it, and
        how what is wanted is taken from its rows."""
        outer = self.layouts, dict(self.settled), self.depth
        self.layouts, self.depth = {}, self.depth + 1
        cells = [self.settle(var) for var in settled]
        entries = [self.new(layout) for layout in layouts]
        operations = self.compile(steps, after)
        ends = list(self.layouts)
        take = self.carried(self.joined_layout(ends), wanted)
        self.layouts, self.settled, self.depth = outer

        def inside(tables: Sequence[tuple[Table, int]]) -> tuple[Iterable[tuple[Row, int]], int]:
            factors: Factors = dict(zip(entries, tables, strict=True))
            for operation in operations:
                operation(factors)
            return product_of([factors[i] for i in ends])
        return cells, inside, take

    def _whole(self, ids: list[int], condition: Value, steps: list[p.Step], after: frozenset[Sym],
               exported: tuple[Sym, ...]) -> Callable[[list[tuple[Table, int]]], tuple[Table, int]]:
        """A branch taken with all its rows together."""
        layout = self.joined_layout(ids)
        holds = self.maker(layout, condition)
        kept = [v for v in layout if v in after]
        keep, nobody = picker(layout, kept), (None,) * len(exported)
        _, inside, take = self._inside([layout], steps, after, (), (*kept, *exported))

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

    def _grouped(self, ids: list[int], condition: Value, steps: list[p.Step], after: frozenset[Sym],
                 exported: tuple[Sym, ...]) -> Callable[[list[tuple[Table, int]]], tuple[Table, int]] | None:
        """A branch taken for each way in which its condition can stand: within one, the factors stay apart."""
        layouts = [self.layouts[i] for i in ids]
        asked = vars_of((condition,))
        on_board = [[v for v in layout if v in asked] for layout in layouts]
        if self.depth >= DEEPEST_GROUPS:
            return None
        rests = [tuple(v for v in layout if v not in asked) for layout in layouts]
        keys = [picker(layout, key) for layout, key in zip(layouts, on_board, strict=True)]
        takes = [picker(layout, rest) for layout, rest in zip(layouts, rests, strict=True)]
        keeps = [picker(layout, [v for v in layout if v in after]) for layout in layouts]
        kept = [v for layout in layouts for v in layout if v in after]
        outer, self.repeats = self.repeats, True
        cells, inside, take = self._inside(rests, steps, after, [v for key in on_board for v in key],
                                           (*kept, *exported))
        self.repeats = outer
        flat = tuple(v for key in on_board for v in key)
        holds, nobody, board = self.maker(flat, condition), (None,) * len(exported), self.board

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
                    found, d = product_of([(group[key], den) for group, key, den
                                           in zip(short, combination, dens, strict=True)])
                    out = by_den.setdefault(d, {})
                    for row, w in found:
                        full = row + nobody
                        out[full] = out.get(full, 0) + w
            return joined(by_den)
        return grouped


def _guarded(maker: Maker) -> Maker:
    """A value that fails is a Fault, which matters only to whoever looks at it."""
    def make(row: Row) -> Any:
        try:
            return maker(row)
        except Exception as error:
            return Fault(error)
    return make


def _cell(board: list[Any], i: int) -> Callable[..., Any]:
    return lambda given, known: looked_at(board[i])


def _part(board: list[Any], i: int, k: int) -> Callable[..., Any]:
    return lambda given, known: looked_at(board[i][k])


def _groups(table: Table, key: Callable[[Row], Row], take: Callable[[Row], Row]) -> dict[Row, Table]:
    """The rows of a table by the part of them that `key` takes out."""
    out: dict[Row, Table] = {}
    for row, w in table.items():
        group = out.setdefault(key(row), {})
        rest = take(row)
        group[rest] = group.get(rest, 0) + w
    return out


def _asked(view: Callable[[Row], Any], value: Any) -> Any:
    try:
        return view((value,))
    except Exception as error:
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


def as_fractions(table: Table, den: int) -> dict[Row, Fraction]:
    return {row: Fraction(w, den) for row, w in table.items() if w}
