"""Reading tables and grids: what something is worth, or whether it is so.

That a table is read once between two changes of the state, and what is told of it, is `run`'s.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Sized
from dataclasses import field, replace
from fractions import Fraction
from functools import partial

from closecombat.binding import terms as t
from closecombat.binding.bound import BoundGrid, BoundRow, BoundTable
from closecombat.binding.terms import Env
from closecombat.binding.trace import Event
from closecombat.playing.reasons import FAILED, IS, Reader, tell_row, tell_start, tell_value
from closecombat.playing.rows import places
from closecombat.proving.foreseeing.ranges import is_excluded
from closecombat.proving.values import arithmetic as n
from closecombat.proving.values.symbolic import Fallible, Finds, Sym, Value, missing
from closecombat.reading.model import Grid, Heading, Row, Table, are_numbers, fall
from closecombat.reading.types import Word, shown
from closecombat.text.faults import Faulty
from closecombat.text.slotted import dataclass
from closecombat.text.source import Span

NOTHING = "nothing at all"  # no table says so


@dataclass(frozen=True, slots=True)
class Cause:
    """A row that counted, or may count: its verdict as it was read."""

    row: Row
    guard: Value
    verb: str
    value: Value


def subjects(args: tuple[Value, ...]) -> str:
    """` of a for r1`, for messages and traces."""
    return "".join(f" {word} {arg}" for word, arg in zip(("of", "for"), args, strict=False))


def told_as(chart: Table | Grid) -> str:
    """What a chart is called in a trace: a column of a list of words by the heading of the column."""
    return chart.columns[0].text if isinstance(chart, Grid) and chart.across is None else chart.name


def holding(world: Reader, bound: BoundTable, env: Env) -> Iterator[tuple[BoundRow, Env, Value]]:
    """The rows that hold or may hold, each member of an `each` on its own, with the condition still open."""
    blocking = {row.row.id: row for row in bound.rows} if bound.blockers else {}
    for row in bound.rows:
        free: Value = True
        for blocker in bound.blockers.get(row.row.id, ()):
            if free is not False and blocker in blocking:
                free = _unless(world, blocking[blocker], env, free)
        for inner, guard in places(world, row, env, free) if free is not False else ():
            world.came_to(row.row.where)
            if world.recorder is not None:
                tell_row(world, row, inner)
            yield row, inner, guard


def _unless(world: Reader, row: BoundRow, env: Env, free: Value) -> Value:
    """The condition that another row leaves, where that one counts instead."""

    def holds() -> Value:
        return world.shop.any_of(guard for _, guard in places(world, row, env, True))

    return world.shop.and_(free, world.shop.not_(world.shop.given(free, holds)))


def read_table(world: Reader, bound: BoundTable, args: tuple[Value, ...]) -> tuple[Value, list[Cause]]:
    """The value of a table for its subjects, and the rows that made it so."""
    table = bound.table
    env = dict(zip(table.about, args, strict=True))
    if bound.value is not None:
        value = _plain(world, bound.value.run(world, env))
        if world.recorder is not None and table.value is not None:
            tell_value(world, bound, env)
            _tell_bounds(world, bound, env, value)
        world.used(table.where, value)
        return value, []
    causes: list[Cause] = []
    match table.policy:
        case "adds-up":
            value = _added(world, bound, env, causes)
        case "forbidden-if":
            value = False
            for row, _, guard in holding(world, bound, env):
                causes.append(Cause(row.row, guard, "says", row.row.says))
                value = world.shop.or_(value, guard)
        case "first-of" | "one-of":
            value = _first(world, bound, env, causes, args)
        case _:
            value = _extreme(world, bound, env, causes, args)
    if world.recorder is not None and table.policy != "adds-up":
        _tell_bounds(world, bound, env, value)
    world.used(table.where, value)
    return value, causes


def _tell_bounds(world: Reader, bound: BoundTable, env: Env, value: Value) -> None:
    """Notes the bound that a value has come to, where each row was bounded by itself."""
    for bound_by, term in (("least", bound.at_least), ("most", bound.at_most)):
        if term is not None and world.recorder is not None and value == _plain(world, term.run(world, env)):
            world.recorder.reason("", f"at {bound_by} {shown(value)}")


def tell_causes(event: Event, table: Table | None, causes: list[Cause], reasons: dict[str, list[str]]) -> None:
    """The rows that counted, each with its arithmetic, and those that dice have kept from counting."""
    event.because = "; ".join(reasons.pop("", []))
    for cause in causes:
        told = reasons.get(cause.row.id, [])
        because = told.pop(0) if told else ""
        if cause.guard is True and not (cause.verb == "add" and cause.value == 0):
            gives = f"{cause.verb} {shown(cause.value)}"
            if cause.row.rounded:
                gives += f", rounded {'to ' * (cause.row.rounded == 'nearest')}{cause.row.rounded}"
            if event.because.startswith("at ") and because.startswith(IS):  # what is reckoned is not what it comes to
                because = f", from {because.removeprefix(IS)}"
            event.causes.append((cause.row.id, gives + because, cause.row.where.cites))
    kept = {row[1:]: told for row, told in reasons.items() if row[:1] == FAILED}
    event.by_chance = bool(kept)
    for one in table.rows if table is not None and kept else ():
        for said in dict.fromkeys(kept.get(one.id, ())):
            event.causes.append((one.id, f"not so: {said}", one.where.cites))


def without(bound: BoundTable, row: Row) -> BoundTable:
    """A table that lacks a row, and says nothing at all where no other holds."""
    return replace(
        bound,
        rows=tuple(each for each in bound.rows if each.row is not row),
        otherwise=bound.otherwise or t.constant(NOTHING, bound.type),
    )


def _plain(world: Reader, value: Value) -> Value:
    return t.number(world, value)


def _verdict(world: Reader, row: BoundRow, env: Env, guard: Value) -> Value:
    """What a row says, where it holds."""
    if row.verdict is None:
        return None
    run = row.verdict.run
    return _plain(world, world.shop.given(guard, lambda: run(world, env)) if type(guard) is Sym else run(world, env))


def _otherwise(world: Reader, bound: BoundTable, env: Env, args: tuple[Value, ...], guards: Sequence[Value]) -> Value:
    """The value where no row holds; `guards` say where one does."""
    shop, table = world.shop, bound.table

    def otherwise() -> Value:
        if bound.otherwise is not None:
            return _plain(world, bound.otherwise.run(world, env))
        return shop.failed(
            lambda: Faulty.one(
                "no-row-applies",
                f"no row of `{table.name}`{subjects(args)} applies",
                table.where.place,
                help="add a row for this case, or `otherwise:`",
            )
        )

    return shop.given(shop.not_(shop.any_of(guards)), otherwise)


def _first(world: Reader, bound: BoundTable, env: Env, causes: list[Cause], args: tuple[Value, ...]) -> Value:
    table, shop = bound.table, world.shop
    only_one = table.policy == "one-of"
    found: list[tuple[Value, Value]] = []
    certain: list[Value] = []
    outer = len(shop.when)
    try:
        for row, inner, guard in holding(world, bound, env):
            others = [cause for cause in causes if only_one and cause.row is not row.row]
            if others and (both := shop.and_(shop.any_of(one.guard for one in others), guard)) is not False:
                shop.given(both, partial(shop.failed, partial(_several, table, args, others[0].row, row.row)))
            value = _verdict(world, row, inner, guard)
            for cause in causes if only_one and row.each is not None else ():
                differs = cause.row is row.row and shop.not_(shop.equal(cause.value, value))
                if (both := shop.and_(shop.and_(cause.guard, guard), differs)) is not False:
                    shop.given(both, partial(shop.failed, partial(_differing, table, args, row.row)))
            causes.append(Cause(row.row, guard, "is", value))
            if guard is True:
                certain.append(value)
                if not only_one:
                    break
            else:
                found.append((guard, value))
                if not only_one:  # the next is asked only where this one does not hold
                    shop.when.append(shop.not_(guard))
    finally:
        del shop.when[outer:]
    if only_one and found and not certain and bound.otherwise is None and _always_one(world, found):
        # Where none of the others holds, this one does. Of `first-of` what it asks itself says more than that.
        certain.append(found.pop()[1])
    out = certain[-1] if certain else _otherwise(world, bound, env, args, [guard for guard, _ in found])
    for guard, value in reversed(found):
        out = shop.if_(guard, value, out)
    return out


def _always_one(world: Reader, found: Sequence[tuple[Value, Value]]) -> bool:
    """Whether one of some rows certainly holds, whatever is so elsewhere."""
    none = world.shop.not_(world.shop.any_of(guard for guard, _ in found))
    return none is False or (type(none) is Sym and is_excluded(world.shop, (none,)))


def _several(table: Table, args: tuple[Value, ...], first: Row, second: Row) -> Faulty:
    return Faulty.one(
        "several-rows-apply",
        f"two rows of `{table.name}`{subjects(args)} apply: `{first.id}` and `{second.id}`",
        second.where.place,
        labels=((first.where.place, "this one too"),),
        help="make them exclude each other, or use `first-of:`",
    )


def _differing(table: Table, args: tuple[Value, ...], row: Row) -> Faulty:
    return Faulty.one(
        "several-rows-apply",
        f"`{row.id}` of `{table.name}`{subjects(args)} is so of several, and says another thing of each",
        row.where.place,
        help="make it so of one alone, or say which counts: `highest-of:`, `lowest-of:`",
    )


def _extreme(world: Reader, bound: BoundTable, env: Env, causes: list[Cause], args: tuple[Value, ...]) -> Value:
    shop, highest = world.shop, bound.table.policy == "highest-of"
    rank = t.Rank(bound.type.words) if isinstance(bound.type, Word) else None
    for row, inner, guard in holding(world, bound, env):
        causes.append(Cause(row.row, guard, "is", _verdict(world, row, inner, guard)))
    guards = [cause.guard for cause in causes]
    if all(type(cause.value) is not Sym for cause in causes):
        worth: Callable[[Value], Value] = rank or (lambda value: value)
        order = sorted(causes, key=lambda cause: worth(cause.value), reverse=highest)
        out: Value = None
        for i, cause in enumerate(order):
            if cause.guard is True:
                order, out = order[:i], cause.value
                break
        else:
            out = _otherwise(world, bound, env, args, guards)
        for cause in reversed(order):
            out = shop.if_(cause.guard, cause.value, out)
        return out
    best: Value = None
    for cause in causes:
        value = shop.lift(rank, cause.value) if rank else cause.value
        best = n.farther(shop, highest, best, shop.if_(cause.guard, value, None))
    word = shop.lift(t.WordAt(rank.words), best) if rank else best
    if any(guard is True for guard in guards):
        return word
    return shop.if_(shop.any_of(guards), word, _otherwise(world, bound, env, args, guards))


def _added(world: Reader, bound: BoundTable, env: Env, causes: list[Cause]) -> Value:
    shop = world.shop
    total: Value = _plain(world, bound.start.run(world, env)) if bound.start is not None else 0
    if bound.start is not None:
        tell_start(world, bound, env, total)
    for row, inner, guard in holding(world, bound, env):
        value = _verdict(world, row, inner, guard)
        causes.append(Cause(row.row, guard, row.row.verb, value))
        if row.row.verb == "add":
            total = n.plus(shop, total, shop.if_(guard, value, 0))
        else:
            product = n.times(shop, total, value)
            if row.row.rounded:
                product = n.rounded(shop, product, row.row.rounded)
            total = shop.if_(guard, product, total)
    for bound_by, term, meets in (("least", bound.at_least, n.higher), ("most", bound.at_most, n.lower)):
        if term is not None:
            free, limit = total, _plain(world, term.run(world, env))
            total = n.kept_whole(shop, meets, free, limit)
            if world.recorder is not None and total != free:
                world.recorder.reason("", f"{shown(free)}, at {bound_by} {shown(limit)}")
    return total


# ---- grids ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Locate(Finds):
    """Finds the heading that covers a value: its index after the shift. Where the grid says what holds `otherwise`,
    what is off the ends has the index behind the last."""

    headings: Sized
    grid: str
    printed: tuple[Heading, ...]
    higher: bool
    stay: bool
    place: Span

    def __call__(self, value: Value, against: Value, shift: Value) -> int:
        last = len(self.printed) - 1
        index = self._word(value) if isinstance(value, str) else self._number(value, against)
        if shift is None:
            raise missing(TypeError("no shift"), shift)
        if type(shift) is not int:
            said, help = f"`{self.grid}` would be moved {shown(shift)} columns", "round it, where `shift:` stands"
            raise Faulty.one("out-of-range", said, self.place, help=help)
        return min(last, max(0, index + shift)) if index <= last else index

    def _word(self, value: str) -> int:
        for i, heading in enumerate(self.printed):
            if heading.text == value:
                return i
        if len(self.headings) > len(self.printed):
            return len(self.printed)
        known = ", ".join(f"`{heading.text}`" for heading in self.printed)
        help = f"add it beside {known}; where the chart prints nothing its cells are `-`"
        raise Faulty.one("no-value", f"`{self.grid}` has no heading for `{value}`", self.place, help=help)

    def _of_nobody(self) -> int:
        if len(self.headings) > len(self.printed):
            return len(self.printed)
        said = f"what `{self.grid}` is looked up by is nobody's"
        help = "let a column ask first whether it applies: dice that nobody has thrown yet are nobody's"
        raise Faulty.one("no-value", said, self.place, help=help)

    def _off(self, value: Value) -> int:
        if len(self.headings) > len(self.printed):
            return len(self.printed)
        first, last = self.printed[0].text, self.printed[-1].text
        said = f"`{shown(value)}` is off the ends of `{self.grid}`, which goes from `{first}` to `{last}`"
        raise Faulty.one("no-value", said, self.place, help=f"add {self._open_end(value)}, or `ends: stay`")

    def _open_end(self, value: Value) -> str:
        """The heading that a chart lacks for a value off its ends, or for what is beyond all numbers."""
        low, high = (self.printed[-1], self.printed[0]) if fall(self.printed) else (self.printed[0], self.printed[-1])
        is_low = value is not None and low.low is not None and value <= low.low
        if low.above if is_low else high.below:
            return "a heading for it"
        text = low.text.split(" to ")[0] if is_low else high.text.split(" to ")[-1]
        return f"an open end such as `{'below' if is_low else 'above'} {text}`"

    def _number(self, value: Value, against: Value) -> int:
        if value is None or against is None:
            return self._of_nobody()
        if against <= 0:
            if value <= 0:
                raise Faulty.one(
                    "no-value",
                    f"`{self.grid}` is asked for odds of {shown(value)} to {shown(against)}",
                    self.place,
                    help="let nobody attack nobody: add a `forbidden-if` row",
                )
            return self._found(1, 0)
        return self._found(value.numerator * against.denominator, value.denominator * against.numerator)

    def _found(self, n: int, d: int) -> int:
        """The heading that covers n/d; between two headings the lower, or the higher; 1/0 is beyond all."""
        last, falling = len(self.printed) - 1, fall(self.printed)
        before = -1
        for i, heading in enumerate(reversed(self.printed) if falling else self.printed):
            low, high = heading.low, heading.high
            if low is not None:
                gap = n * low.denominator - low.numerator * d
                if gap < 0 or (gap == 0 and heading.above):
                    continue
            if high is None:
                return last - i if falling else i
            gap = n * high.denominator - high.numerator * d
            if gap < 0 or (gap == 0 and not heading.below):
                return last - i if falling else i
            before = i
        if before < 0 or before == last:
            if not self.stay:
                return self._off(Fraction(n, d) if d else None)
            index = max(before, 0)
        else:
            index = before + 1 if self.higher else before
        return last - index if falling else index


@dataclass(frozen=True, slots=True)
class At(Fallible):
    """The cell of a grid in a line and a column."""

    grid: str
    cells: tuple[tuple[Value, ...], ...]
    place: Span
    seen: Callable[[int, int], None] | None = field(default=None, compare=False)

    def __call__(self, line: int | None, column: int | None) -> Value:
        if line is None or column is None:
            raise missing(TypeError("no cell"), line, column)
        if self.seen is not None:
            self.seen(line, column)
        value = self.cells[line][column] if line < len(self.cells) and column < len(self.cells[line]) else None
        if value is None:
            help = "say what holds there, `otherwise:` below the grid, or let a test before it keep such fights away"
            raise Faulty.one("no-value", f"`{self.grid}` has no value in this cell", self.place, help=help)
        return value


@dataclass(frozen=True, slots=True)
class Explained(Finds):
    """Which note says what a cell stands for; 0 is a cell that needs none."""

    headings: Sized
    cells: tuple[tuple[int, ...], ...]
    seen: Callable[[int, int], None] | None = field(default=None, compare=False)

    def __call__(self, line: int | None, column: int | None) -> int:
        if line is None or column is None:
            raise missing(TypeError("no cell"), line, column)
        if self.seen is not None:
            self.seen(line, column)
        if line >= len(self.cells) or column >= len(self.cells[line]):
            return len(self.headings) - 1
        return self.cells[line][column]


@dataclass(frozen=True, slots=True)
class HeadingAt:
    """The heading of a column, as a number where all of them are; nobody off the ends."""

    headings: tuple[Heading, ...]
    numbers: bool

    def __call__(self, index: int | None) -> Value:
        if index is None:
            raise missing(TypeError("no column"), index)
        if index == len(self.headings):
            return None
        heading = self.headings[index]
        return int(heading.text) if self.numbers else heading.text


def locating(bound: BoundGrid, headings: tuple[Heading, ...]) -> Locate:
    """What finds a heading among those of the columns, or of the lines."""
    grid = bound.grid
    beyond = 0 if grid.otherwise is None else 1
    return Locate(range(len(headings) + beyond), grid.name, headings, grid.higher, grid.stay, grid.where.place)


def _locate(
    world: Reader, bound: BoundGrid, headings: tuple[Heading, ...], values: tuple[Value, ...], shift: Value
) -> Value:
    first, second = values if len(values) == 2 else (values[0], 1)
    return world.shop.lift(locating(bound, headings), _plain(world, first), _plain(world, second), shift)


def grid_column(world: Reader, bound: BoundGrid, args: tuple[Value, ...]) -> Value:
    """The heading of the column that is used."""
    headings = bound.grid.columns
    return world.shop.lift(HeadingAt(headings, are_numbers(headings)), _column(world, bound, _env(bound, args)))


def _env(bound: BoundGrid, args: tuple[Value, ...]) -> Env:
    return dict(zip(bound.grid.about, args, strict=True))


def _column(world: Reader, bound: BoundGrid, env: Env) -> Value:
    if not bound.across:
        return 0
    shift = _plain(world, bound.shift.run(world, env)) if bound.shift is not None else 0
    values = tuple(term.run(world, env) for term in bound.across)
    return _locate(world, bound, bound.grid.columns, values, shift)


def read_grid(world: Reader, bound: BoundGrid, args: tuple[Value, ...]) -> Value:
    grid, env, shop = bound.grid, _env(bound, args), world.shop
    world.used(grid.where)
    line: Value = 0
    if bound.down is not None:
        line = _locate(world, bound, grid.lines, (bound.down.run(world, env),), 0)
    column = _column(world, bound, env)
    if world.recorder is not None and bound.across:
        _tell_cell(world, bound, env, line, column)
    cell = At(grid.name, bound.cells, grid.where.place, bound.seen)
    if not bound.notes:
        return shop.lift(cell, line, column)
    note = shop.lift(Explained(range(len(bound.notes) + 1), bound.explained, bound.seen), line, column)
    if type(note) is not Sym:
        return _plain(world, bound.notes[note - 1].run(world, env)) if note else shop.lift(cell, line, column)
    out = shop.given(shop.equal(note, 0), partial(shop.lift, cell, line, column))
    for i, term in enumerate(bound.notes, 1):
        is_so = shop.equal(note, i)
        out = shop.if_(is_so, _plain(world, shop.given(is_so, partial(term.run, world, env))), out)
    return out


def _tell_cell(world: Reader, bound: BoundGrid, env: Env, line: Value, column: Value) -> None:
    """The column and the row of a grid that were read, and what for."""
    grid = bound.grid
    if world.recorder is None or grid.across is None or type(line) is Sym or type(column) is Sym:
        return
    values = [shown(_plain(world, term.run(world, env))) for term in bound.across]
    found = grid.columns[column] if column < len(grid.columns) else None
    said = f"column {found.text}" if found is not None else "no column"
    if found is None or not (found.word or isinstance(bound.across[0].type, Word)):
        said += f" for {grid.across.text} {values[0]}" if len(values) == 1 else f" for {' to '.join(values)}"
    if bound.shift is not None and (shift := _plain(world, bound.shift.run(world, env))):
        said += f", moved {shift:+}"
    if bound.down is not None:
        said += f", row {grid.lines[line].text}" if line < len(grid.lines) else ", no row"
    printed = grid.cells[line][column] if found is not None and line < len(grid.cells) else None
    marked = printed is not None and any(note.mark == printed for note in grid.footnotes)
    world.recorder.reason("", said + (f", marked {printed}" if marked else ""))
