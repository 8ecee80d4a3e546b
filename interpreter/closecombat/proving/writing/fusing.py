"""Operations that follow each other, written out as one Python function: nested loops with their values in them.

*An example.* Two throws are joined, and of `a` and `b` the larger is kept, where it is more than 3. Walked, that is a
dozen calls for each row. Written it is

    for (a,), w1 in t1.items():
        for (b,), w2 in t2.items():
            x = b if b > a else a
            k = (x if x > 3 else 0,)
            out[k] = get(k, 0) + w1 * w2

**Values.** What several values read is a local. It is set in the outermost loop in which all that it hangs on is known,
but only if it is asked for whatever the rest turns out to be: what stands in an arm of a choice stays there, since
elsewhere it may be a fault. A value that would be long written out, or that is looked up in a chart, is worked out as
the walk does it, by a call, and remembered as there.

**Rows that go on.** What comes of some rows and is read by one operation alone, to set values over it, is never a
table: the values are set as soon as the row is there (`_goes_on`), unless rows would become alike on the way and the
values take work.

**Values of one row.** What hangs on the same columns (`setting`) is worked out once for each way in which they stand,
one local after the other: in the loop over the rows, or in a function of its own (`write_row`).

**What it may trust.** Whole numbers are added and compared as they are only where it is certain that they are whole
(`arithmetic.is_whole`). Nobody, who may stand there though he is not asked for, cannot be added or compared: an error.
A fault that is looked at is one too. After any error (`FAILURES`) the operations are walked instead (`segments`), so
that nothing here has to be told well; it must only never be wrong in silence.

What is written is made from nodes alone, which are ours. All locals are numbered; whatever is no small whole number
stands among the function's globals under a number, `k7`, and of Python's builtins only two do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any, TypeAlias

from closecombat.proving.programs.liveness import vars_of
from closecombat.proving.programs.writes import stopped
from closecombat.proving.tables.alive import SHORT, Alive
from closecombat.proving.tables.weights import MOST_PRODUCT, MOST_ROWS, Layout, Row, Weights, over_one
from closecombat.proving.values import arithmetic as n
from closecombat.proving.values import symbolic as c
from closecombat.proving.values.budget import KEPT, of_row
from closecombat.proving.values.symbolic import (
    AND,
    ASKED,
    IF,
    NOT,
    OR,
    VARIABLE,
    Finds,
    Looked,
    Sym,
    Tells,
    Value,
    Workshop,
)
from closecombat.proving.values.walking import inside_out, walk
from closecombat.proving.writing.recipes import (
    Answered,
    Arm,
    Branched,
    Factors,
    InTurn,
    Noted,
    Recipe,
    Rows,
    Set,
    Stage,
    Thrown,
    Told,
    Walk,
    Walked,
    taken,
)
from closecombat.text.faults import Faulty

ARMS = 10**9  # what comes of an arm has a number behind those of all factors
MOST_WRITTEN = 10**9  # a whole number below this is written as it is
LONGEST = 300  # nodes of a value that is written out
DEEPEST = 40  # of them inside each other


class TooMany(Exception):
    """There are more rows than are gone through."""


FAILURES = (Faulty, Looked, TypeError, ValueError, AttributeError, LookupError, ArithmeticError)

Function: TypeAlias = Callable[[Factors], None]
Maker: TypeAlias = Callable[[Row], Value]
Count: TypeAlias = Callable[[int, int], None]  # so many rows, each so much work, are about to be gone through
Views: TypeAlias = Mapping[Sym, Sequence[Sym]]  # what is kept of whatever chance sets, in its place

SUMS: Mapping[Value, str] = {n.add: "+", n.subtract: "-", n.multiply: "*"}
ORDER: Mapping[Value, str] = {c.at_least: ">=", c.at_most: "<=", c.more_than: ">", c.less_than: "<"}
ROUNDED: Mapping[Value, str] = {n.floor: "{} // {}", n.ceiling: "-(-({}) // {})"}
MEETS: Mapping[Value, str] = {n.higher: ">", n.lower: "<"}


def write(
    recipes: Sequence[Recipe], shop: Workshop, views: Views, board: list[Value], alive: Alive, count: Count | None
) -> Function:
    """A function that does what some operations do, one after the other. It says which tables are alive, as the walk
    does; and counts the rows, if it is told how."""
    writer = _Writer(shop, views, board, alive, count)
    writer.line("def fused(factors):")
    with writer.inside():
        used, left = writer.fetched(recipes)
        writer.operations(recipes)
        for i in used:
            writer.gone(i)
            writer.line(f"del factors[{i}]")
        for i in left:
            writer.line(f"factors[{i}] = t{i}, d{i}")
    space = writer.space
    exec(compile("\n".join(writer.lines), "<fused operations>", "exec"), space)
    function: Function = space["fused"]
    return function


def write_row(
    stage: Stage, settled: Mapping[Sym, int], shop: Workshop, views: Views, board: list[Value], alive: Alive
) -> Maker:
    """A function from a row to what a stage tells of it. After a failure that is walked."""
    writer = _Writer(shop, views, board, alive, None)
    writer.line("def told(row):")
    with writer.inside():
        known = {var: writer.name("c") for var in stage.columns}
        writer.line("try:")
        with writer.inside():
            writer.line(f"{_tuple([*known.values()])} = row")
            writer.line(f"return {writer.told(stage, known, settled)}")
        writer.line(f"except FAILURES: return {writer.constant(stage.walk)}(row)")
    exec(compile("\n".join(writer.lines), "<values of a row>", "exec"), writer.space)
    told: Maker = writer.space["told"]
    return told


def _of_maker(layout: Layout, settled: Mapping[Sym, int], maker: Maker) -> Rows:
    return Rows((0,), (layout,), settled, lambda value: maker)


class _Writer:
    """Writes the lines of one function."""

    def __init__(self, shop: Workshop, views: Views, board: list[Value], alive: Alive, count: Count | None) -> None:
        self.shop, self.views, self.counts = shop, views, count is not None
        self.given: frozenset[int] = frozenset()  # what is there before, and stays until all has gone well
        self.space: dict[str, Any] = {
            "__builtins__": {},
            "dict": dict,
            "len": len,
            "joined": alive.joined,
            "over_one": over_one,
            "remembered": alive.remembered,
            "gone": alive.gone,
            "grown": _growing(alive),
            "TooMany": TooMany,
            "FAILURES": FAILURES,
            "board": board,
        }
        if count is not None:
            self.space["count"] = count
        self.lines: list[str] = []
        self.depth = 0
        self.numbers = 0
        self.arms = ARMS

    # ---- lines ---------------------------------------------------------------------------------------------
    def line(self, text: str) -> None:
        self.lines.append(" " * self.depth + text)

    @contextmanager
    def inside(self) -> Iterator[None]:
        self.depth += 1
        yield
        self.depth -= 1

    def name(self, letter: str) -> str:
        self.numbers += 1
        return f"{letter}{self.numbers}"

    def constant(self, value: Value) -> str:
        if value is None or value is True or value is False or (type(value) is int and abs(value) < MOST_WRITTEN):
            return f"({value})" if type(value) is int and value < 0 else f"{value}"
        name = self.name("k")
        self.space[name] = value
        return name

    # ---- operations ----------------------------------------------------------------------------------------
    def fetched(self, recipes: Sequence[Recipe]) -> tuple[list[int], list[int]]:
        """Fetches what is there before; gives which of that is used up, and what is left of what is made."""
        made: dict[int, None] = {}
        used: list[int] = []
        for recipe in recipes:
            for i in taken(recipe):
                if i in made:
                    del made[i]
                else:
                    used.append(i)
                    self.line(f"t{i}, d{i} = factors[{i}]")
            if not isinstance(recipe, Noted):
                made[recipe.made] = None
        self.given = frozenset(used)
        return used, list(made)

    def operations(self, recipes: Sequence[Recipe]) -> None:
        begun: Recipe | None = None
        chain: list[Set] = []  # what goes on with the rows of what has begun
        for recipe in recipes:
            if begun is not None and isinstance(recipe, Set) and _goes_on(chain[-1] if chain else begun, recipe):
                chain.append(recipe)
                continue
            if begun is not None:
                self.operation(begun, chain)
            begun, chain = recipe, []
        if begun is not None:
            self.operation(begun, chain)

    def operation(self, recipe: Recipe, chain: Sequence[Set]) -> None:
        match recipe:
            case Thrown(made, table, den):
                self.line(f"t{made} = {self.constant(table)}; d{made} = {self.constant(den)}")
            case Walked(ids, walk, made):
                self.walked(ids, walk, made)
            case Noted():
                self.noted(recipe)
            case Set():
                self.set(recipe, chain)
            case InTurn():
                self.in_turn(recipe)
            case Answered():
                self.answered(recipe, chain)
            case Branched():
                self.branched(recipe)
        for i in taken(recipe):
            if i not in self.given:
                self.gone(i)
                self.line(f"t{i} = None")

    def gone(self, i: int) -> None:
        self.line(f"if t{i} is not None and len(t{i}) > {SHORT}: gone((t{i},))")

    def grown(self, table: str) -> None:
        self.line(f"if len({table}) > {SHORT}: grown({table})")

    def walked(self, ids: Sequence[int], walk: Walk, made: int) -> None:
        self.line(f"given = {{{', '.join(f'{i}: (t{i}, d{i})' for i in ids)}}}")
        for i in ids:
            self.line(f"t{i} = None")
        self.line(f"{self.constant(walk)}(given)")
        self.line(f"t{made}, d{made} = given[{made}]; given = None")

    def noted(self, recipe: Noted) -> None:
        row = _Row(self, recipe.rows, (recipe.value,))
        row.opened()
        self.line(f"board[{recipe.cell}] = {row.text(recipe.value)}")

    def set(self, first: Set, chain: Sequence[Set]) -> None:
        """Values set over some rows, and over what comes of it."""
        made, depth = (chain[-1] if chain else first).made, self.depth
        row, out = _Row(self, first.rows, first.values), f"t{made}"
        self.line(f"d{made} = {row.den}")
        if not chain and len(first.rows.ids) == 1 and _is_the_same(first):
            self.line(f"{out} = dict(t{first.rows.ids[0]})")
            self.grown(out)
            return
        self.bounded(first.rows)
        told_apart = _told_apart(first) and all(map(_told_apart, chain))
        self.line(f"{out} = {{}}; get = {out}.get; most = {SHORT}")
        row.opened()
        key = self.gone_on([*map(row.column, first.kept), *map(row.text, first.values)], chain)
        self.added(out, key, row.weight, told_apart)
        self.growing((out,), first.rows, depth)
        self.depth = depth
        self.grown(out)

    def in_turn(self, recipe: InTurn) -> None:
        """Values set in turn: each stage is worked out once for each way in which its columns stand."""
        row, made, depth = _Row(self, recipe.rows, ()), recipe.made, self.depth
        self.bounded(recipe.rows)
        self.line(f"d{made} = {row.den}")
        self.line(f"t{made} = {{}}; get = t{made}.get")
        memos = [self.name("m") if stage.is_remembered else None for stage in recipe.stages]
        for memo in memos:
            if memo:
                self.line(f"{memo} = {{}}; most_{memo} = {SHORT}")
        row.opened()
        parts = [_tuple([*map(row.column, recipe.kept)])] if recipe.kept else []
        for stage, memo in zip(recipe.stages, memos, strict=True):
            at, found, inside = {var: row.column(var) for var in stage.columns}, self.name("s"), self.depth
            self.line(f"row = {_tuple([*at.values()])}")
            if memo:
                self.line(f"{found} = {memo}.get(row)")
                self.line(f"if {found} is None:")
                self.depth += 1
            self.line("try:")
            with self.inside():
                self.line(f"{found} = {self.told(stage, at, recipe.rows.settled)}")
            self.line(f"except FAILURES: {found} = {self.constant(stage.walk)}(row)")
            if memo:
                self.line(f"{memo}[row] = {found}")
                self.line(f"if len({memo}) > most_{memo}: most_{memo} = remembered({memo})")
            self.depth = inside
            parts.append(found)
        self.added(f"t{made}", " + ".join(parts) or "()", row.weight, False)
        self.depth = depth
        for memo in memos:
            if memo:
                self.line(f"if len({memo}) > {SHORT}: remembered({memo}); gone(({memo},))")
                if self.counts:
                    self.line(f"count(len({memo}), {KEPT})")
                self.line(f"{memo} = None")
        self.grown(f"t{made}")

    def told(self, stage: Stage, at: Mapping[Sym, str], settled: Mapping[Sym, int]) -> str:
        """What is wanted of a stage, where its columns stand in these locals: its values are set before."""
        known = dict(at)
        self.told_of(stage.inner, known)
        for var, value, maker in stage.lets:
            row = _Row(self, _of_maker(tuple(known), settled, maker), (value,), [*known.values()])
            row.opened()
            known[var] = self.local(row.text(value))
        self.told_of(stage.beside, known)
        return _tuple([known[var] for var in stage.wanted])

    def told_of(self, some: Sequence[Told], known: dict[Sym, str]) -> None:
        """What others tell of some columns, set into locals of their own."""
        for of, tell, makes in some:
            there = {var: self.name("c") for var in makes}
            self.line(f"{_tuple([*there.values()])} = {self.constant(tell)}({_tuple([known[var] for var in of])})")
            known |= there

    def gone_on(self, key: Sequence[str], chain: Sequence[Set]) -> str:
        """What comes of a row, of which these are the columns, when more values are set over it."""
        for one in chain:
            row = _Row(self, one.rows, one.values, [*map(self.local, key)])
            row.opened()
            key = [*map(row.column, one.kept), *map(row.text, one.values)]
        return _tuple(key)

    def local(self, text: str) -> str:
        if text.isidentifier():
            return text
        name = self.name("s")
        self.line(f"{name} = {text}")
        return name

    def added(self, out: str, key: str, weight: str, told_apart: bool) -> None:
        """Adds up rows; no two of them are alike if they are told apart."""
        if told_apart:
            self.line(f"{out}[{key}] = {weight}")
        else:
            self.line(f"key = {key}")
            self.line(f"{out}[key] = get(key, 0) + {weight}")

    def answered(self, recipe: Answered, chain: Sequence[Set]) -> None:
        self.bounded(recipe.rows)
        row, made = _Row(self, recipe.rows, recipe.inputs), (chain[-1] if chain else recipe).made
        known, depth = self.constant(recipe.known), self.depth
        columns = [self.name("x") for _ in range(recipe.columns)]
        told_apart = _told_apart(recipe) and all(map(_told_apart, chain))
        if not recipe.rows.ids:
            row.opened()
            self.line(f"answers, d{made} = {known}[{_tuple([*map(row.text, recipe.inputs)])}]")
            if not chain:
                self.line(f"t{made} = dict(answers)")
                self.grown(f"t{made}")
                return
            self.line(f"t{made} = {{}}; get = t{made}.get")
            self.line(f"for {_tuple(columns)}, n in answers:")
            with self.inside():
                self.added(f"t{made}", self.gone_on(columns, chain), "n", told_apart)
            self.grown(f"t{made}")
            return
        of = self.name("f")
        self.line("keys = {}")
        asked = self.asked(recipe)
        asked.opened()
        self.line(f"keys[{_tuple([*map(asked.text, recipe.inputs)])}] = None")
        self.depth = depth
        self.line(f"{of}, each = over_one({known}, keys); keys = None")
        self.line(f"d{made} = {row.den} * each")
        self.line(f"t{made} = {{}}; get = t{made}.get; most = {SHORT}")
        row.opened()
        self.line(f"answers, by = {of}[{_tuple([*map(row.text, recipe.inputs)])}]; w = {row.weight} * by")
        self.line(f"for {_tuple(columns)}, n in answers:")
        with self.inside():
            kept = [*map(row.column, recipe.kept)]
            self.added(f"t{made}", self.gone_on([*kept, *columns], chain), "w * n", told_apart)
        self.line(f"if len(t{made}) > most: most = grown(t{made})")
        self.depth = depth
        self.grown(f"t{made}")

    def asked(self, recipe: Answered) -> _Row:
        """The rows of those factors alone that hold what is asked."""
        rows, needed = recipe.rows, vars_of(recipe.inputs)
        held = [(i, layout) for i, layout in zip(rows.ids, rows.layouts, strict=True) if not needed.isdisjoint(layout)]
        ids, layouts = tuple(i for i, _ in held), tuple(layout for _, layout in held)
        few = _Row(self, Rows(ids, layouts, rows.settled, rows.maker), recipe.inputs)
        return few if not few.called else _Row(self, rows, recipe.inputs)

    def branched(self, recipe: Branched) -> None:
        made, depth, arms = recipe.made, self.depth, recipe.arms()
        if arms is None:
            return self.walked(recipe.rows.ids, recipe.walk, made)
        then, otherwise = arms
        if recipe.most is not None:
            self.line(f"if {_product(f'len(t{i})' for i in recipe.rows.ids)} > {recipe.most}:")
            with self.inside():
                self.walked(recipe.rows.ids, recipe.walk, made)
            self.line("else:")
            self.depth += 1
        self.bounded(recipe.rows)
        there, elsewhere, by_den = self.name("y"), self.name("z"), self.name("b")
        self.line(f"{there} = {{}}; {elsewhere} = {{}}; {by_den} = {{}}; most = {SHORT}")
        row, inner = _Row(self, recipe.rows, (recipe.condition,)), self.depth
        row.opened()
        columns = _tuple([*map(row.column, recipe.rows.layout)])
        self.line(f"if {row.text(recipe.condition)}: {there}[{columns}] = {row.weight}")
        if otherwise is not None:
            self.line(f"else: {elsewhere}[{columns}] = {row.weight}")
        else:
            self.line("else:")
            with self.inside():
                self.line(f"key = {_tuple([row.columns.get(var, 'None') for var in recipe.wanted])}")
                self.line(f"{elsewhere}[key] = {elsewhere}.get(key, 0) + {row.weight}")
        self.growing((there, elsewhere), recipe.rows, inner)
        self.depth = inner
        self.grown(there)
        self.grown(elsewhere)
        self.arm(then, there, row.den, by_den)
        if otherwise is not None:
            self.arm(otherwise, elsewhere, row.den, by_den)
        else:
            self.line(f"if {elsewhere}:")
            with self.inside():
                self.into(by_den, row.den, elsewhere)
        self.line(f"t{made}, d{made} = joined({by_den})")
        self.grown(f"t{made}")
        self.depth = depth

    def into(self, by_den: str, den: str, table: str) -> None:
        """Adds a table that nobody else holds to those that are over different denominators."""
        self.line(f"den = {den}; out = {by_den}.get(den)")
        self.line(f"if out is None: {by_den}[den] = {table}")
        self.line("else:")
        with self.inside():
            self.line(f"for key, w in {table}.items(): out[key] = out.get(key, 0) + w")
            self.grown("out")
            self.line(f"if len({table}) > {SHORT}: gone(({table},))")
        self.line(f"{table} = out = None")

    def arm(self, arm: Arm, table: str, den: str, by_den: str) -> None:
        self.line(f"if {table}:")
        with self.inside():
            self.line(f"t{arm.entry} = {table}; d{arm.entry} = {den}; {table} = None")
            made = self.arms = self.arms + 1
            self.operations([*arm.steps, Set(arm.ends, arm.wanted, (), made)])
            self.into(by_den, f"d{made}", f"t{made}")

    def bounded(self, rows: Rows) -> None:
        number = _product(f"len(t{i})" for i in rows.ids)
        if len(rows.ids) > 1:
            self.line(f"if {number} > {MOST_PRODUCT}: raise TooMany")
        if self.counts and rows.ids:
            self.line(f"count({number}, {of_row(len(rows.layout))})")

    def growing(self, tables: Sequence[str], rows: Rows, depth: int) -> None:
        """Behind the innermost loop over some rows, if there is one around it: what has been made grows there."""
        if len(rows.ids) > 1:
            self.depth = depth + len(rows.ids) - 1
            for table in tables:
                self.line(f"if len({table}) > most: most = grown({table})")


def _growing(alive: Alive) -> Callable[[Weights], int]:
    def grown(table: Weights) -> int:
        if len(table) > MOST_ROWS:
            raise TooMany
        return alive.grown(table)

    return grown


class _Row:
    """The loops over some rows, and how values are written in the innermost."""

    def __init__(
        self, writer: _Writer, rows: Rows, values: Sequence[Value], given: Sequence[str] | None = None
    ) -> None:
        self.writer, self.rows = writer, rows
        self.whole: dict[Sym, bool] = {}  # whether a value is certainly a whole number
        self.given = given  # what stands in the columns, where no loops are needed
        self.columns: dict[Sym, str] = {}  # each variable that stands in a row: its local
        self.at: dict[Sym, str] = {}  # what is read of a row or of the board
        self.depths: dict[Sym, int] = {}  # in which loop a variable is known
        for var, cell in rows.settled.items():
            self._stands(var, f"board[{cell}]")
        for depth, layout in enumerate(rows.layouts, 1):
            for i, var in enumerate(layout):
                self.columns[var] = writer.name("c") if given is None else given[i]
                self.depths[var] = depth
                self._stands(var, self.columns[var])
        self.called = {v for v in values if type(v) is Sym and v not in self.at and not self._can_be_written(v)}
        self.values = [value for value in values if type(value) is Sym and value not in self.called]
        weights = [f"w{depth}" for depth, _ in enumerate(rows.ids, 1)]
        self.weight, self.den = _product(weights), _product(f"d{i}" for i in rows.ids)

    def _stands(self, var: Sym, text: str) -> None:
        views = self.writer.views.get(var)
        if views is None:
            self.at[var] = text
        elif len(views) == 1:
            self.at[views[0]] = text
        else:
            self.at |= {view: f"{text}[{k}]" for k, view in enumerate(views)}

    def column(self, var: Sym) -> str:
        found = self.columns.get(var)
        return f"board[{self.rows.settled[var]}]" if found is None else found

    def opened(self) -> None:
        """Writes the heads of the loops, and in each what is set there."""
        by_depth = self._locals()
        self._set(by_depth.get(0, ()))
        for depth, (i, layout) in enumerate(zip(self.rows.ids, self.rows.layouts, strict=True), 1):
            if self.given is None:
                self.writer.line(f"for {_tuple([self.columns[var] for var in layout])}, w{depth} in t{i}.items():")
                self.writer.depth += 1
            self._set(by_depth.get(depth, ()))

    def _set(self, nodes: Iterable[Sym]) -> None:
        for node in nodes:
            text, name = self.text(node), self.writer.name("s")
            self.writer.line(f"{name} = {text}")
            self.at[node] = name

    def _depth(self, node: Sym) -> int:
        return max([self.depths.get(var, 0) for var in node.vars], default=0)

    def _locals(self) -> dict[int, list[Sym]]:
        """What is set in each loop: what is always asked, by several or by one that is known further inside."""
        certain = inside_out(self.values, self._always)
        asked: dict[Sym, int] = {}
        inner: dict[Sym, int] = dict.fromkeys(self.values, len(self.rows.ids))
        for node in walk(self.values, self._parts):
            depth = self._depth(node)
            for arg in self._parts(node):
                if type(arg) is Sym:
                    asked[arg] = asked.get(arg, 0) + (2 if node.fn in MEETS else 1)
                    inner[arg] = max(inner.get(arg, 0), depth)
        out: dict[int, list[Sym]] = {}
        for node in certain:
            depth = self._depth(node)
            if node not in self.at and (asked.get(node, 0) > 1 or inner.get(node, 0) > depth):
                out.setdefault(depth, []).append(node)
        return out

    def _parts(self, node: Sym) -> tuple[Value, ...]:
        return () if node in self.at else node.args

    def _always(self, node: Sym) -> tuple[Value, ...]:
        """The parts of a node that are worked out whenever it is."""
        if node in self.at:
            return ()
        return node.args[:1] if node.fn in (IF, AND, OR, ASKED) else node.args

    def _can_be_written(self, value: Sym) -> bool:
        """Whether a value is written out: it is neither long nor deep, and not sooner remembered than worked out."""
        certain = set(walk((value,), self._always))
        length: dict[Sym, int] = {}
        depth: dict[Sym, int] = {}
        for node in inside_out((value,), self._parts):
            if node in self.at:
                length[node], depth[node] = 1, 0
                continue
            if node.fn is VARIABLE or isinstance(node.fn, Finds | Tells):
                return False
            args = [arg for arg in node.args if type(arg) is Sym]
            length[node] = 1 + sum([1 if arg in certain else length[arg] for arg in args])
            depth[node] = 1 + max([depth[arg] for arg in args], default=0)
            if length[node] > LONGEST or depth[node] > DEEPEST:
                return False
        return True

    # ---- values --------------------------------------------------------------------------------------------
    def text(self, node: Value) -> str:
        """A value, in the innermost loop."""
        if type(node) is not Sym:
            return self.writer.constant(node)
        if node in self.at:
            return self.at[node]
        if node in self.called:
            maker = self.writer.constant(self.rows.maker(node))
            return f"{maker}({_tuple([self.columns[var] for var in self.rows.layout])})"
        fn, args = node.fn, node.args
        if fn is IF:
            condition, then, otherwise = map(self.text, args)
            return f"({then} if {condition} else {otherwise})"
        if fn is ASKED:
            condition, value = map(self.text, args)
            return f"({value} if {condition} else None)"
        if fn is AND or fn is OR:
            return f"({self.text(args[0])} {fn} {self.text(args[1])})"
        if fn is NOT:
            return f"(not {self.text(args[0])})"
        if fn is c.same:
            return f"({self.text(args[0])} == {self.text(args[1])})"
        if fn in SUMS and all(map(self._is_number, args)):
            return f"({self.text(args[0])} {SUMS[fn]} {self.text(args[1])})"
        if fn in ORDER and all(map(self._is_number, args)):
            return f"({self.text(args[0])} {ORDER[fn]} {self.text(args[1])})"
        if fn in MEETS and all(map(self._is_number, args)):
            (a, is_a), (b, is_b) = map(self._named, args)
            return f"({b} if {is_b} {MEETS[fn]} {is_a} else {a})"
        if fn is stopped and self._is_number(args[0]) and all(type(end) is int or end is None for end in args[1:]):
            return self._stopped(*args)
        if fn in ROUNDED and (parts := self._parted(args[0])) is not None:
            return f"({ROUNDED[fn].format(*parts)})"
        return f"{self.writer.constant(fn)}({', '.join(map(self.text, args))})"

    def _is_number(self, value: Value) -> bool:
        """Whether a value is a whole number wherever anybody may look at it."""
        if type(value) is not Sym:
            return type(value) is int
        found = self.whole.get(value)
        if found is None:
            found = n.is_whole(self.writer.shop, value) or (
                (value.fn in SUMS or value.fn in MEETS or value.fn is stopped)
                and all(self._is_number(arg) for arg in value.args if arg is not None or value.fn is not stopped)
            )
            self.whole[value] = found
        return found

    def _named(self, value: Value) -> tuple[str, str]:
        """A value that is read again, and as it is read first."""
        text = self.text(value)
        if type(value) is not Sym or value in self.at:
            return text, text
        name = self.writer.name("q")
        return name, f"({name} := {text})"

    def _stopped(self, value: Value, low: int | None, high: int | None) -> str:
        name, first = self._named(value)
        ends = [(sign, self.text(end)) for sign, end in (("<", low), (">", high)) if end is not None]
        if not ends:
            return first
        tried = [f"{end} if {at} {sign} {end} else" for at, (sign, end) in zip((first, name), ends, strict=False)]
        return f"({' '.join(tried)} {name})"

    def _parted(self, value: Value) -> tuple[str, str] | None:
        """What is above a whole number and that number, where this is what a value is a part of."""
        if type(value) is not Sym or len(value.args) != 2:
            return None
        one, other = value.args
        if isinstance(value.fn, n.Divided) and type(other) is int and other > 0 and self._is_number(one):
            return self.text(one), f"{other}"
        if value.fn is not n.multiply:
            return None
        if type(one) is Fraction:
            one, other = other, one
        if type(other) is not Fraction or not self._is_number(one):
            return None
        return f"{self.text(one)} * {self.writer.constant(other.numerator)}", self.writer.constant(other.denominator)


def _is_the_same(one: Set) -> bool:
    """Whether rows are left as they are."""
    return (*one.kept, *one.values) == one.rows.layout


def _told_apart(one: Set | Answered) -> bool:
    """Whether no two rows become alike."""
    taken_over = {value for value in one.values if type(value) is Sym} if isinstance(one, Set) else set()
    return set(one.rows.layout) <= taken_over.union(one.kept)


def _goes_on(first: Recipe, then: Set) -> bool:
    """Whether values are set over what comes of others alone, and as soon as these are: no rows would become alike
    before, or nothing is to be worked out."""
    if not isinstance(first, Set | Answered) or then.rows.ids != (first.made,):
        return False
    return _told_apart(first) or all(value in then.rows.layout for value in then.values)


def _tuple(texts: Sequence[str]) -> str:
    return f"({', '.join(texts)}{',' if len(texts) == 1 else ''})"


def _product(texts: Iterable[str]) -> str:
    return " * ".join(texts) or "1"
