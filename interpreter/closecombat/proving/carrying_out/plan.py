"""A program made ready to be carried out: where each value stands, and what is done with it in which order.

**The problem.** Forty dice fall in six to the fortieth ways. Nobody asks for that: only for how many hit, whether
anybody is left, who has won. A program must be carried out without ever writing down what nobody asks for.

**Factors.** What is known so far is held in factors. A factor is a dict {values of some variables: weight} over a
common denominator; factors are independent of each other, and are multiplied only when a step reads from several. A
factor holds exactly the variables that a later step still reads: all else is forgotten, and rows that have become
equal are added up. Of a throw not even the faces are kept, but the answers to what is asked of it (`views`).

*An example.* Dice `a`, `b`, `c` are thrown; asked is `a + b is at least 11` and `c is 6`. Of `c` one thing is asked,
so its factor has two rows: {no: 5, yes: 1} over 6. `a` and `b` have six rows each. The step that sets `a + b is at
least 11` reads from both: it goes through 36 rows, and since nobody reads `a` or `b` after it, leaves {no: 33, yes:
3} over 36. In the end both answers are asked for together: 2 times 2 rows are joined. That is 40 rows instead of 216;
with ten dice more that are asked one thing each it would be some 4,100 instead of 13 billion.

**The board.** What is the same in every row for a while (the state a pass of a loop begins in, the group of rows that
a branch is taken for) stands on a board beside the rows, so that it neither joins factors nor lengthens rows.

**The frame.** Operations are made in the order of the program, once. Which factors there are by then, with which
columns, and what stands on the board is the `Frame` of a point of the program; it is never changed, only followed by
another, so that what is made later (the arm of a branch that is first taken, the steps for one new value of a loop)
can be made as if the program were there again.

**Elsewhere.** `passes` makes the program smaller first, and `packing` finds what can stand in the weights; `prove` says
which operation a step is; `operations`, `setting` and `loop` are the operations; `weights` multiplies and adds;
`closures` makes a function of an expression.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import field, replace
from functools import lru_cache, partial
from itertools import groupby, repeat
from math import prod
from operator import itemgetter
from typing import Any, TypeAlias, TypeVar

from closecombat.proving.endless.opposed import opposed
from closecombat.proving.endless.tails import caps_of
from closecombat.proving.passes.packing import Packing, packing, unpacked, up_to_bytes
from closecombat.proving.passes.passes import Asked, optimised
from closecombat.proving.programs import program as p
from closecombat.proving.programs.liveness import defined, must_be_done, reads, thrown, vars_of, views_of
from closecombat.proving.tables.absorbing import Watch
from closecombat.proving.tables.alive import SHORT as SHORT_TABLE
from closecombat.proving.tables.alive import Alive, bytes_of_piece
from closecombat.proving.tables.weights import (
    MOST_PRODUCT,
    Layout,
    Piece,
    Row,
    Weights,
    columns_of,
    picker,
    product_of,
    summed,
    too_many,
)
from closecombat.proving.throws.dice import gathered, lots, sums
from closecombat.proving.values.budget import ANSWER_BYTES, KEPT, PARTS, PLACE_BYTES, VALUE, VALUE_BYTES, Spent, of_row
from closecombat.proving.values.closures import compiled
from closecombat.proving.values.symbolic import Fault, Looked, Sym, Value, Workshop
from closecombat.proving.values.walking import is_short, looks_up
from closecombat.proving.writing.fusing import Count, Function, write, write_row
from closecombat.proving.writing.proofreading import Desk
from closecombat.proving.writing.recipes import Factors, Noted, Recipe, Rows, Set, Stage, Step, Walked, taken
from closecombat.proving.writing.segments import WORTH_WRITING, Segment
from closecombat.text.faults import Faulty
from closecombat.text.slotted import dataclass

T = TypeVar("T")
Operation: TypeAlias = Callable[[Factors], None]
Maker: TypeAlias = Callable[[Row], Value]
Columns: TypeAlias = Callable[[Collection[Row]], Iterable[Any]]
Operations: TypeAlias = "Callable[[Plan, Sequence[p.Step], frozenset[Sym]], Operation]"


RESULT = 0  # the factor of what is asked for
MOST_LOOPS = 15  # inside each other: Python knows twenty
FEW = 4  # candidates among whom lots are drawn, of which it is kept what can come of them
FLAGS = 5  # of who is drawn and who is not, that take as long as a row
MANY_VALUES = 6  # that follow each other, from which on they are set in turn
MOST_LATEST = 10_000  # that are kept of what may be asked again soon
SHORT = 6  # functions and variables of a value that is sooner worked out than looked up


class Remembered(dict[Any, Any]):
    """Values by what they hang on, worked out when they are first asked for."""

    __slots__ = ("work_out",)

    def __init__(self, work_out: Callable[[Value], Value]) -> None:
        self.work_out = work_out

    def __missing__(self, key: Any) -> Any:
        value = self[key] = self.work_out(key)
        return value


lots_of_few = lru_cache(maxsize=64)(lots)  # of candidates alone, whatever the plan


class Latest(Remembered):
    """The same, where only some of them are kept."""

    __slots__ = ()

    def __missing__(self, key: Any) -> Any:
        if len(self) >= MOST_LATEST:
            self.clear()
        return Remembered.__missing__(self, key)


class Counted(dict[Any, Any]):
    """The same, where each is counted as work, and as what is kept."""

    __slots__ = ("shop", "work", "work_out")

    def __init__(self, work_out: Callable[[Row], Value], shop: Workshop, work: int) -> None:
        self.work_out, self.shop, self.work = work_out, shop, work

    def __missing__(self, row: Row) -> Any:
        value = self.work_out(row)
        places = len(row) + len(value) if type(value) is tuple else len(row)
        self.shop.budget.made(self.work, VALUE_BYTES + PLACE_BYTES * places)
        self[row] = value
        return value


@dataclass(frozen=True, slots=True)
class Frame:
    """Where everything stands at one point of the program: what is compiled later can be as if it were there."""

    layouts: Mapping[int, Layout] = field(default_factory=dict)  # the factors there are
    settled: Mapping[Sym, int] = field(default_factory=dict)  # variables that stand on the board, and where
    repeats: bool = False  # where the same rows come again: worth remembering
    looping: bool = False  # inside a loop that is taken state by state
    depth: int = 0  # of branches inside each other

    def with_layouts(self, layouts: Mapping[int, Layout]) -> Frame:
        return Frame(layouts, self.settled, self.repeats, self.looping, self.depth)


class Plan:
    """A program made ready. `run()` gives {values of what was asked: weight} and the denominator."""

    def __init__(
        self,
        operation: Operations,
        shop: Workshop,
        steps: Sequence[p.Step],
        wanted: Sequence[Value],
        without: Collection[str] = (),
    ) -> None:
        with shop.quiet():  # what is looked at has been written down: a value rebuilt is not
            before, (steps, wanted), packed = _foretold(shop, lambda: _made_smaller(shop, steps, wanted, without))
        self.packed: Mapping[Sym, int] = packed.slots if packed is not None else {}  # what stands in the weights
        self.width = up_to_bytes(packed.bits) if packed is not None else 0  # of a slot
        asked, wanted = wanted, packed.wanted if packed is not None else wanted
        self.counts = packed.counts if packed is not None else ()
        self.operation, self.shop = operation, shop
        self.views = views_of([*p.expressions(steps), *wanted], thrown(steps))
        self.caps = caps_of(shop, (steps, asked), before)  # up to where sums of dice without end are counted
        self.frame = Frame()
        self.board: list[Value] = []
        self.memos: list[dict[Any, Any]] = []  # what has been worked out in this run
        self.sums = self.memo(lambda of: sums(of[0], of[1], shop.budget))  # of so many dice
        self.lots = self.memo(self.lots_among)
        self.gathered = self.memo(lambda of: gathered(of[0], of[1], of[2], shop.budget))
        self.watch: Watch = lambda done, left: None  # is told how far a fight to the end is
        self.faults: dict[Any, Fault] = {}  # of values that have failed so far: rows that failed alike are alike
        self.alive = Alive(shop)
        self.rows_left: int | None = None  # how many rows may still be gone through, where that is not without end
        self.worth_writing = WORTH_WRITING if "fusing" not in without else None
        self._factors = RESULT
        operations = self.compile(steps, vars_of(wanted) | self.packed.keys())
        self.operations = self.in_segments([*operations, self._output(wanted)])

    def run(self, watch: Watch | None = None, most_rows: int | None = None) -> tuple[Weights, int]:
        """The distribution, as weights over a denominator; Faulty if more rows would have to be gone through."""
        self.watch, self.rows_left = watch or self.watch, most_rows
        return _foretold(self.shop, self._ran)

    def _ran(self) -> tuple[Weights, int]:
        table, den = self._run()
        if not self.counts:
            return table, den
        if den.bit_length() > self.width:
            self.width = up_to_bytes(den.bit_length())
            table, den = self._run()
        return unpacked(table, self.counts, self.width), den

    def _run(self) -> tuple[Weights, int]:
        for memo in self.memos:
            memo.clear()
        self.alive.begin()
        factors: Factors = {}
        for operation in self.operations:
            operation(factors)
        out, den = factors[RESULT]
        if self.faults:
            for value in (value for key in out for value in key):
                if type(value) is Fault:
                    raise Looked(value.error)
        return out, den

    def product_of(self, tables: Sequence[tuple[Weights, int]]) -> tuple[Iterable[Piece], int]:
        """The rows of independent tables joined and their weights, piece by piece, and their denominator."""
        if self.spend(tables) > SHORT_TABLE and len(tables) > 1:
            self.shop.budget.fits(bytes_of_piece(tables))
        return product_of(tables)

    def spend(self, tables: Sequence[tuple[Weights, int]]) -> int:
        """Counts the rows of independent tables joined; Faulty if these are more than may be gone through."""
        rows = prod([len(table) for table, _ in tables])
        if self.rows_left is not None:
            self.rows_left -= rows
        if rows > MOST_PRODUCT or (self.rows_left is not None and self.rows_left < 0):
            raise too_many()
        columns = sum([columns_of(table) for table, _ in tables]) if rows > SHORT_TABLE else 0
        self.shop.budget.product(rows, of_row(columns))
        return rows

    def put(self, factors: Factors, made: int, table: Weights, den: int, given: Sequence[tuple[Weights, int]]) -> None:
        """What an operation has made stands in the place of what it has used up."""
        self.alive.grown(table)
        self.alive.gone([one for one, _ in given])
        factors[made] = table, den

    def held(self, answer: Callable[[Row], tuple[Sequence[Any], int]]) -> Callable[[Row], Value]:
        """The same, where what is answered is counted as what is kept."""

        def counted(row: Row) -> Value:
            answers, den = answer(row)
            places = len(answers[0][0]) if answers else 0
            self.shop.budget.made(KEPT + len(answers), len(answers) * (ANSWER_BYTES + PLACE_BYTES * places))
            return answers, den

        return counted

    def lots_among(self, drawn: tuple[Sequence[bool], bool]) -> tuple[list[tuple[tuple[bool, ...], int]], int]:
        """What comes of lots; Spent before that if these are too many."""
        candidates, ties_again = drawn
        if not ties_again:
            ways = 2 ** sum(candidates)
            self.shop.budget.product(ways)
            self.shop.budget.room(ways, len(candidates))
        elif len(candidates) > FEW:
            self.shop.budget.made(sum(candidates) * len(candidates) // FLAGS, 0)
        return lots_of_few(candidates, ties_again) if len(candidates) <= FEW else lots(candidates, ties_again)

    def memo(self, work_out: Callable[[Value], Value]) -> Remembered:
        """A memo of this plan, emptied when a run begins."""
        memo = Remembered(work_out)
        self.memos.append(memo)
        return memo

    def _output(self, wanted: Sequence[Value]) -> Operation:
        ids = self.holding(vars_of(wanted)) if not self.packed else list(self.frame.layouts)
        return self.collected(ids, wanted)

    def collected(self, ids: Sequence[int], wanted: Sequence[Value], parts: int = 0) -> Step:
        """The rows of what is asked for in the end, of some factors. The last are `parts` of other values, and may not
        be asked for: one that fails is a Fault."""
        layout, rows = self.joined_layout(ids), self.rows(ids)
        rows_of, row_of = self.rows_of(layout, wanted), self._borne_with(layout, wanted, parts) if parts else None

        def collect(factors: Factors) -> None:
            given = [factors.pop(i) for i in ids]
            pieces, den = self.product_of(given)
            out: Weights = {}
            for rows, weights in pieces:
                try:
                    new = rows_of(rows) if row_of is None else list(rows_of(rows))
                except (Faulty, Looked):
                    if row_of is None:
                        raise
                    new = map(row_of, rows)
                summed(new, weights, out)
                self.alive.grown(out)
            self.put(factors, RESULT, out, den, given)

        return Step(collect, Set(rows, (), tuple(wanted), RESULT))

    def _borne_with(self, layout: Layout, wanted: Sequence[Value], parts: int) -> Callable[[Row], Row]:
        """The values of a row, of which the last ones may fail."""
        makers = self.makers(layout, wanted)
        sure, others = makers[: len(makers) - parts], makers[len(makers) - parts :]
        return lambda row: (*[maker(row) for maker in sure], *[self.answer(maker, row) for maker in others])

    # ---- operations carried out as one -----------------------------------------------------------------------
    def rows(self, ids: Sequence[int]) -> Rows:
        """The rows of some factors joined, for who writes what is done with them."""
        frame, layouts = self.frame, tuple([self.frame.layouts[i] for i in ids])

        def maker(value: Value) -> Maker:
            with self.at(frame):
                return self.maker(self.joined_layout(ids), value)

        return Rows(tuple(ids), layouts, frame.settled, maker)

    def in_segments(self, operations: Sequence[Operation]) -> list[Operation]:
        """Some operations, those that follow each other and tell what they do as one."""
        if self.worth_writing is None:
            return list(operations)
        out: list[Operation] = []
        # What a pass of a loop takes is counted by its states.
        count = None if self.frame.looping else self._count
        written, desk = partial(self._written, count=count), Desk(self.board, self.alive, self._reading_over)
        for is_told, some in groupby(operations, lambda one: isinstance(one, Step)):
            if is_told:
                steps = [_walked_if_wide(one) for one in some if isinstance(one, Step)]
                out.append(Segment(steps, written, desk, self.worth_writing))
            else:
                out += some
        return out

    @contextmanager
    def _reading_over(self, rows: int) -> Iterator[None]:
        """Inside, no more rows are walked, nothing is written, and the work counts for nothing."""
        left, budget = self.rows_left, self.shop.budget
        most, spent, held, alive = budget.most, budget.spent, budget.held, self.alive.so_far()
        self.rows_left, budget.most = rows, None
        try:
            yield
        finally:
            self.alive.back_to(alive)
            self.rows_left, budget.most, budget.spent, budget.held = left, most, spent, held

    def _count(self, rows: int, each: int) -> None:
        self.shop.budget.product(rows, each)

    def _written(self, recipes: Sequence[Recipe], count: Count | None) -> Function | None:
        if not self.may_write:
            return None
        return write(recipes, self.shop, self.views, self.board, self.alive, count)

    @property
    def may_write(self) -> bool:
        """Whether functions are written: not where rows are counted one by one."""
        return self.worth_writing is not None and self.rows_left is None

    def written_row(self, stage: Stage, settled: Mapping[Sym, int]) -> Maker:
        """A function that tells of a row what a stage does."""
        return write_row(stage, settled, self.shop, self.views, self.board, self.alive)

    # ---- where values stand --------------------------------------------------------------------------------
    def rows_of(self, layout: Layout, wanted: Sequence[Value]) -> Columns:
        """For all rows together, the rows of some values. Where the same rows come again in state after state, such
        a row is remembered as a whole."""
        if self.frame.looping and len(wanted) > 2 and 2 * len(self.cells(wanted)) < len(self.frame.settled):
            inputs = self._inputs(layout, wanted)
            makers = self.makers(inputs, wanted)
            return self._looked_up(layout, inputs, wanted, lambda row: tuple([make(row) for make in makers]))
        if not wanted:
            return lambda rows: repeat((), len(rows))
        if layout and all(value in layout for value in wanted):
            return _each(picker(layout, wanted))
        columns = [self.column(layout, value) for value in wanted]
        return lambda rows: zip(*[column(rows) for column in columns], strict=True)

    def column(self, layout: Layout, value: Value) -> Columns:
        """For all rows together, a value; what takes work is worked out once for whatever it hangs on."""
        if type(value) is not Sym:
            return lambda rows: repeat(value, len(rows))
        if self._quick(layout, value):
            return _each(self.maker(layout, value))
        inputs = self._inputs(layout, (value,))
        work_out = compiled(value, self.places(inputs, value), self.count)
        return self._looked_up(layout, inputs, (value,), work_out)

    def _looked_up(
        self, layout: Layout, inputs: Layout, values: Sequence[Value], work_out: Callable[[Row], Value]
    ) -> Columns:
        pick, known = picker(layout, inputs), self.known(values, work_out)
        return lambda rows: map(known(), map(pick, rows))

    def known(self, values: Sequence[Value], work_out: Callable[[Row], Value]) -> Callable[[], Maker]:
        """What tells some values for what stands on the board now: what is known of them is remembered."""
        board, cells, shop, work = self.board, self.cells(values), self.shop, VALUE if self.frame.looping else KEPT
        if not cells:
            memo = Counted(work_out, shop, work)
            self.memos.append(memo)
            tell = memo.__getitem__
            return lambda: tell
        on_board, memos = itemgetter(*cells), self.memo(lambda _: Counted(work_out, shop, work))
        return lambda: memos[on_board(board)].__getitem__

    def recall(self, values: Sequence[Value], work_out: Callable[[Row], Value]) -> Maker:
        """The same for one row after the other."""
        known = self.known(values, work_out)
        return (lambda row: known()(row)) if self.cells(values) else known()

    @property
    def count(self) -> Callable[[int], None] | None:
        """Counts the parts of a value that are worked out; where states are gone through a value stands for them."""
        return None if self.frame.looping else self._count_parts

    def _count_parts(self, parts: int) -> None:
        self.shop.budget.made(parts // PARTS, 0)

    def makers(self, layout: Layout, wanted: Sequence[Value]) -> list[Maker]:
        """For each value a function of a row; what takes work is remembered."""
        return [self.maker(layout, value) for value in wanted]

    def maker(self, layout: Layout, value: Value) -> Maker:
        if type(value) is not Sym:
            return lambda row: value
        at = self.places(layout, value)
        if isinstance(found := at.get(value), int):
            return itemgetter(found)
        if self._quick(layout, value):
            return compiled(value, at, self.count)
        inputs = self._inputs(layout, (value,))
        work_out = compiled(value, self.places(inputs, value), self.count)
        pick, recall = picker(layout, inputs), self.recall((value,), work_out)
        return lambda row: recall(pick(row))

    def _quick(self, layout: Layout, value: Sym) -> bool:
        """Whether a value is worked out as soon as it is looked up, or no two rows are alike."""
        return (
            value in self.places(layout, value)
            or (not self.frame.repeats and not self.cells((value,)) and self._inputs(layout, (value,)) == layout)
            or (self.frame.looping and is_short((value,), SHORT) and not looks_up(value))
        )

    def _inputs(self, layout: Layout, values: Sequence[Value]) -> Layout:
        """What some values hang on that stands in a row."""
        needed = vars_of(values)
        return tuple(var for var in layout if var in needed)

    def cells(self, values: Sequence[Value]) -> list[int]:
        """What some values hang on that stands on the board."""
        needed = vars_of(values)
        return [i for var, i in self.frame.settled.items() if var in needed]

    def carried(self, layout: Layout, wanted: Sequence[Sym]) -> Callable[[Row], Row]:
        """A function that takes variables, as they stand in a row or on the board, over into another row."""
        if all(var in layout for var in wanted):
            return picker(layout, wanted)
        board = self.board
        places = [(layout.index(var), -1) if var in layout else (-1, self.frame.settled[var]) for var in wanted]
        return lambda row: tuple([row[i] if i >= 0 else board[cell] for i, cell in places])

    def places(self, layout: Layout, value: Sym) -> dict[Sym, Any]:
        """Where each variable that a value hangs on, and each question asked of a throw, stands: in a row or on the
        board."""
        at: dict[Sym, Any] = {}
        for i, var in enumerate(layout):
            if not var.vars <= value.vars:
                continue
            views = self.views.get(var)
            if views is None:
                at[var] = i
            elif len(views) == 1:
                at[views[0]] = i
            else:
                at |= {view: (i, k) for k, view in enumerate(views)}
        return at | self.board_places(value.vars)

    def board_places(self, needed: Iterable[Sym] | None = None) -> dict[Sym, Any]:
        """How each variable on the board, or those that are needed, and each question asked of it, is read."""
        at: dict[Sym, Any] = {}
        settled = self.frame.settled
        for var in settled if needed is None else [var for var in needed if var in settled]:
            i, views = settled[var], self.views.get(var)
            if views is None:
                at[var] = _cell(self.board, i)
            elif len(views) == 1:
                at[views[0]] = _cell(self.board, i)
            else:
                at |= {view: _part(self.board, i, k) for k, view in enumerate(views)}
        return at

    @contextmanager
    def at(self, frame: Frame) -> Iterator[None]:
        """Compiles as if the program were there; behind it, it is where it was."""
        now, self.frame = self.frame, frame
        try:
            yield
        finally:
            self.frame = now

    def settle(self, var: Sym) -> int:
        """Gives a variable a cell of the board."""
        cell = len(self.board)
        self.board.append(None)
        self.frame = replace(self.frame, settled={**self.frame.settled, var: cell})
        return cell

    def new(self, layout: Layout) -> int:
        self._factors += 1
        self.frame = self.frame.with_layouts({**self.frame.layouts, self._factors: layout})
        return self._factors

    def holding(self, needed: Iterable[Sym]) -> list[int]:
        """The factors that hold any of some variables."""
        wanted = frozenset(needed)
        return [i for i, layout in self.frame.layouts.items() if not wanted.isdisjoint(layout)]

    def joined_layout(self, ids: Sequence[int]) -> Layout:
        return tuple(var for i in ids for var in self.frame.layouts[i])

    def taken(self, ids: Sequence[int]) -> Layout:
        """The joined layout of factors that a step uses up."""
        layout = self.joined_layout(ids)
        left = {i: one for i, one in self.frame.layouts.items() if i not in ids}
        self.frame = self.frame.with_layouts(left)
        return layout

    def compile(self, steps: Sequence[p.Step], live_out: frozenset[Sym]) -> list[Operation]:
        """Operations for some steps, after which `live_out` is still read."""
        todo: list[tuple[p.Step, frozenset[Sym]]] = []
        needed = live_out
        for step in reversed(steps):
            made = defined((step,))
            if not made.isdisjoint(needed) or must_be_done(step):
                todo.append((step, needed))
                needed = (needed - made) | reads(step)
        out: list[Operation] = []
        while todo:
            step, after = todo.pop()
            if isinstance(step, p.Let) and step.var not in self.packed:
                run = [(step, after)]
                while todo and isinstance(more := todo[-1][0], p.Let) and more.var not in self.packed:
                    if vars_of((more.value,)) <= self.frame.settled.keys():  # it stands on the board
                        out.append(self.operation(self, [more], todo.pop()[1]))
                    elif self._follows(run[0][0], more):
                        run.append((more, todo.pop()[1]))
                    else:
                        break
                out += self._set(run)
            else:
                out.append(self.operation(self, [step], after))
        return out

    def _set(self, run: list[tuple[p.Let, frozenset[Sym]]]) -> Iterator[Operation]:
        """Values that follow each other: many are set in turn, a few one after the other."""
        if len(run) >= MANY_VALUES and not self.frame.looping:
            yield self.operation(self, [let for let, _ in run], run[-1][1])
            return
        while run:
            lets = [run[0][0]]
            while len(lets) < len(run) and self._goes_with(lets, run[len(lets)][0]):
                lets.append(run[len(lets)][0])
            yield self.operation(self, lets, run[len(lets) - 1][1])
            run = run[len(lets) :]

    def _goes_with(self, lets: list[p.Let], more: p.Let) -> bool:
        """Whether a value can be set together with those before it: it reads from the same factors, not from them."""
        needed = vars_of((more.value,))
        ids = set(self.holding(needed))
        return (
            bool(ids)
            and needed.isdisjoint(let.var for let in lets)
            and ids == set(self.holding(vars_of(let.value for let in lets)))
        )

    def _follows(self, first: p.Let, more: p.Let) -> bool:
        """Whether a value can be set in turn with those before it: it reads from them, or from the same factors."""
        joined = self.holding(vars_of((first.value,)))
        return bool(joined) and set(self.holding(vars_of((more.value,)))) <= set(joined)

    def moved(self, weight: int, var: Sym, number: int) -> int:
        """A weight in which a variable that stands in the weights has counted so many."""
        return weight << (number * self.packed[var] * self.width)

    def answers_of(self, var: Sym) -> Callable[[Value], Value]:
        """What is kept of a value of a random variable: the answers to what is asked of it."""
        views = self.views.get(var)
        if views is None:
            return lambda value: value
        fns = [compiled(view, {var: 0}) for view in views]
        if len(fns) == 1:
            return lambda value: self.answer(fns[0], (value,))
        return lambda value: tuple([self.answer(fn, (value,)) for fn in fns])

    def answer(self, maker: Maker, row: Row) -> Value:
        """A value of a row; one that fails is a Fault, which matters only to whoever looks at it."""
        try:
            return maker(row)
        except (Faulty, Looked) as error:
            return self.failed(error)

    def failed(self, error: Faulty | Looked) -> Fault:
        """What a value is that could not be worked out: the same for whatever fails in the same way."""
        cause = error.error if isinstance(error, Looked) else error
        return self.faults.setdefault((type(cause), cause.args), Fault(cause))


def _walked_if_wide(step: Step) -> Step:
    """A step that reads from more factors than there can be loops inside each other is walked in any case."""
    recipe, ids = step.recipe, taken(step.recipe)
    if len(ids) <= MOST_LOOPS or isinstance(recipe, Noted):
        return step
    return Step(step.walk, Walked(ids, step.walk, recipe.made))


def _made_smaller(
    shop: Workshop, steps: Sequence[p.Step], wanted: Sequence[Value], without: Collection[str]
) -> tuple[Asked, Asked, Packing | None]:
    """A program before its passes and behind them, and what of it stands in the weights."""
    before = opposed(shop, steps, wanted)
    smaller = optimised(shop, *before, without)
    return before, smaller, packing(shop, *smaller) if "packing" not in without else None


def _foretold(shop: Workshop, ask: Callable[[], T]) -> T:
    """What is asked, or the error that says that what there was to spend is spent. What was made on the way is
    forgotten behind it, but for nodes: the error is raised where whoever brought it is gone, since each would hold the
    other, and with it all the tables that it went through."""
    held = shop.budget.held - shop.held
    try:
        return ask()
    except Spent as spent:
        error: Exception = spent.error
    except Looked as looked:
        error = looked.error
    finally:
        shop.budget.held = held + shop.held
    try:
        raise error
    finally:
        del error


def _each(fn: Maker) -> Columns:
    return lambda rows: map(fn, rows)


def _cell(board: list[Value], i: int) -> Callable[..., Any]:
    return lambda given, known=None: board[i]


def _part(board: list[Value], i: int, k: int) -> Callable[..., Any]:
    return lambda given, known=None: None if board[i] is None else board[i][k]
