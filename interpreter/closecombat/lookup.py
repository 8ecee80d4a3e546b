"""Reading tables and grids: what something is worth, or whether it is so."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from closecombat import arithmetic as n
from closecombat import comparisons as c
from closecombat import terms as t
from closecombat.bindings import BoundGrid, BoundRow, BoundTable
from closecombat.diagnostics import Faulty
from closecombat.model import Grid, Heading, Row
from closecombat.symbolic import Sym, Value
from closecombat.terms import Env, World
from closecombat.values import Word, shown


@dataclass(frozen=True, slots=True)
class Cause:
    """A row that counted, or may count: its verdict as it was read."""

    row: Row
    guard: Value
    verb: str
    value: Value


def subjects(names: tuple[str, ...], args: tuple[Value, ...]) -> str:
    """` of a for r1`, for messages and traces."""
    return "".join(f" {word} {arg}" for word, arg in zip(("of", "for"), args, strict=False))


def holding(world: World, bound: BoundTable, env: Env) -> Iterator[tuple[BoundRow, Env, Value]]:
    """The rows that hold or may hold, each member of an `each` on its own, with the condition still open."""
    shop = world.shop
    held: dict[str, Value] = {}
    wanted = {blocker for blockers in bound.blockers.values() for blocker in blockers}
    if wanted:
        for row in bound.rows:
            if row.row.id in wanted:
                held[row.row.id] = shop.any_of(guard for _, guard in _places(world, row, env))
    for row in bound.rows:
        free: Value = True
        for blocker in bound.blockers.get(row.row.id, ()):
            free = shop.and_(free, shop.not_(held[blocker]))
        for inner, guard in _places(world, row, env) if free is not False else ():
            guard = shop.and_(free, guard)
            if guard is not False:
                world.used(row.row.where)
                yield row, inner, guard


def _places(world: World, row: BoundRow, env: Env) -> Iterator[tuple[Env, Value]]:
    if row.each is None:
        guard = _holds(world, row, env, True)
        if guard is not False:
            yield env, guard
        return
    for member, is_in in row.each.run(world, env):
        inner = {**env, row.each.each: member}
        guard = _holds(world, row, inner, is_in)
        if guard is not False:
            yield inner, guard


def _holds(world: World, row: BoundRow, env: Env, guard: Value) -> Value:
    for test in row.tests:
        if guard is False:
            break
        guard = world.shop.and_(guard, test.run(world, env))
    return guard


def read_table(world: World, bound: BoundTable, args: tuple[Value, ...]) -> tuple[Value, list[Cause]]:
    """The value of a table for its subjects, and the rows that made it so."""
    table = bound.table
    env = dict(zip(table.about, args, strict=True))
    if bound.value is not None:
        value = _plain(world, bound.value.run(world, env))
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
    world.used(table.where, value)
    return value, causes


def _plain(world: World, value: Value) -> Value:
    return t.number(world, value)


def _verdict(world: World, row: BoundRow, env: Env) -> Value:
    assert row.verdict is not None
    return _plain(world, row.verdict.run(world, env))


def _otherwise(world: World, bound: BoundTable, env: Env, args: tuple[Value, ...]) -> Value:
    if bound.otherwise is not None:
        return _plain(world, bound.otherwise.run(world, env))
    table = bound.table
    return world.shop.fault(
        lambda: Faulty.one(
            "no-row-applies",
            f"no row of `{table.name}`{subjects(table.about, args)} applies",
            table.where.place,
            help="add a row for this case, or `otherwise:`",
        )
    )


def _first(world: World, bound: BoundTable, env: Env, causes: list[Cause], args: tuple[Value, ...]) -> Value:
    table, shop = bound.table, world.shop
    only_one = table.policy == "one-of"
    found: list[tuple[Value, Value]] = []
    certain = False
    for row, inner, guard in holding(world, bound, env):
        if certain and causes and causes[-1].guard is True and row.row is not causes[-1].row:
            first = causes[-1].row
            whose = subjects(table.about, args)
            raise Faulty.one(
                "several-rows-apply",
                f"two rows of `{table.name}`{whose} apply: `{first.id}` and `{row.row.id}`",
                row.row.where.place,
                labels=((first.where.place, "this one too"),),
                help="make them exclude each other, or use `first-of:`",
            )
        value = _verdict(world, row, inner)
        found.append((guard, value))
        causes.append(Cause(row.row, guard, "is", value))
        if guard is True:
            certain = True
            if not only_one:
                break
    out = found.pop()[1] if certain and found[-1][0] is True else _otherwise(world, bound, env, args)
    for guard, value in reversed(found):
        out = shop.if_(guard, value, out)
    if type(out) is Sym and not causes and bound.otherwise is None:
        raise _raised(out)
    return out


def _raised(fault: Sym) -> Exception:
    try:
        fault.fn()
    except Faulty as error:
        return error
    raise AssertionError("a fault that does not raise")


def _extreme(world: World, bound: BoundTable, env: Env, causes: list[Cause], args: tuple[Value, ...]) -> Value:
    shop, highest = world.shop, bound.table.policy == "highest-of"
    rank = t.Rank(bound.type.words) if isinstance(bound.type, Word) else None
    for row, inner, guard in holding(world, bound, env):
        causes.append(Cause(row.row, guard, "is", _verdict(world, row, inner)))
    if all(type(cause.value) is not Sym for cause in causes):
        worth: Callable[[Any], Any] = rank or (lambda value: value)
        order = sorted(causes, key=lambda cause: worth(cause.value), reverse=highest)
        out: Value = None
        for i, cause in enumerate(order):
            if cause.guard is True:
                order, out = order[:i], cause.value
                break
        else:
            out = _otherwise(world, bound, env, args)
            if type(out) is Sym and not order and bound.otherwise is None:
                raise _raised(out)
        for cause in reversed(order):
            out = shop.if_(cause.guard, cause.value, out)
        return out
    better = c.more_than if highest else c.less_than
    best: Value = None
    for cause in causes:
        value = shop.lift(rank, cause.value) if rank else cause.value
        empty = shop.not_(shop.lift(c.somebody, best))
        wins = shop.and_(cause.guard, shop.or_(empty, shop.lift(better, value, best)))
        best = shop.if_(wins, value, best)
    word = shop.lift(t.WordAt(rank.words), best) if rank else best
    return shop.if_(shop.lift(c.somebody, best), word, _otherwise(world, bound, env, args))


def _added(world: World, bound: BoundTable, env: Env, causes: list[Cause]) -> Value:
    shop = world.shop
    total: Value = _plain(world, bound.start.run(world, env)) if bound.start is not None else 0
    for row, inner, guard in holding(world, bound, env):
        value = _verdict(world, row, inner)
        causes.append(Cause(row.row, guard, row.row.verb, value))
        if row.row.verb == "add":
            total = n.plus(shop, total, shop.if_(guard, value, 0))
        else:
            product = n.times(shop, total, value)
            if row.row.rounded:
                product = n.rounded(shop, product, row.row.rounded == "up")
            total = shop.if_(guard, product, total)
    if bound.at_least is not None:
        total = shop.lift(_larger, total, _plain(world, bound.at_least.run(world, env)))
    if bound.at_most is not None:
        total = shop.lift(_smaller, total, _plain(world, bound.at_most.run(world, env)))
    return total


def _larger(a: Any, b: Any) -> Any:
    return b if b > a else a


def _smaller(a: Any, b: Any) -> Any:
    return b if b < a else a


# ---- grids ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Locate:
    """Finds the heading that covers a value: its index after the shift."""

    grid: str
    headings: tuple[Heading, ...]
    higher: bool
    stay: bool
    place: Any

    def __call__(self, value: Any, against: Any, shift: Any) -> int:
        last = len(self.headings) - 1
        index = self._word(value) if isinstance(value, str) else self._number(value, against)
        return int(min(last, max(0, index + shift)))

    def _word(self, value: str) -> int:
        for i, heading in enumerate(self.headings):
            if heading.text == value:
                return i
        raise self._off(value)

    def _off(self, value: Any) -> Faulty:
        return Faulty.one(
            "no-value",
            f"`{shown(value)}` is off the ends of `{self.grid}`",
            self.place,
            help="add an open end such as `below 1-8`, or `ends: stay`",
        )

    def _number(self, value: Any, against: Any) -> int:
        if value is None or against is None:
            raise self._off(None)
        if against == 0:
            if value == 0:
                raise Faulty.one(
                    "no-value",
                    f"`{self.grid}` is asked for odds of 0 to 0",
                    self.place,
                    help="let nobody attack nobody: add a `forbidden-if` row",
                )
            return self._found(1, 0)
        return self._found(value.numerator * against.denominator, value.denominator * against.numerator)

    def _found(self, n: int, d: int) -> int:
        """The heading that covers n/d; between two headings the lower, or the higher; 1/0 is beyond all."""
        before = -1
        for i, heading in enumerate(self.headings):
            low, high = heading.low, heading.high
            if low is not None:
                gap = n * low.denominator - low.numerator * d
                if gap < 0 or (gap == 0 and heading.above):
                    continue
            if high is None:
                return i
            gap = n * high.denominator - high.numerator * d
            if gap < 0 or (gap == 0 and not heading.below):
                return i
            before = i
        last = len(self.headings) - 1
        if before < 0 or before == last:
            if self.stay:
                return max(before, 0)
            raise self._off(Fraction(n, d) if d else None)
        return before + 1 if self.higher else before


@dataclass(frozen=True, slots=True)
class At:
    grid: str
    cells: tuple[tuple[Any, ...], ...]
    place: Any

    def __call__(self, line: int, column: int) -> Any:
        value = self.cells[line][column]
        if value is None:
            raise Faulty.one("no-value", f"`{self.grid}` has no value in this cell", self.place)
        return value


@dataclass(frozen=True, slots=True)
class HeadingText:
    headings: tuple[Heading, ...]

    def __call__(self, index: int) -> str:
        return self.headings[index].text


def _locate(world: World, grid: Grid, headings: tuple[Heading, ...], values: tuple[Value, ...], shift: Value) -> Value:
    first, second = values if len(values) == 2 else (values[0], 1)
    finder = Locate(grid.name, headings, grid.higher, grid.stay, grid.where.place)
    return world.shop.lift(finder, _plain(world, first), _plain(world, second), shift)


def grid_column(world: World, bound: BoundGrid, args: tuple[Value, ...]) -> Value:
    """The heading of the column that is used."""
    return world.shop.lift(HeadingText(bound.grid.columns), _column(world, bound, _env(bound, args)))


def _env(bound: BoundGrid, args: tuple[Value, ...]) -> Env:
    return dict(zip(bound.grid.about, args, strict=True))


def _column(world: World, bound: BoundGrid, env: Env) -> Value:
    shift = _plain(world, bound.shift.run(world, env)) if bound.shift is not None else 0
    values = tuple(term.run(world, env) for term in bound.across)
    return _locate(world, bound.grid, bound.grid.columns, values, shift)


def read_grid(world: World, bound: BoundGrid, args: tuple[Value, ...]) -> Value:
    grid, env = bound.grid, _env(bound, args)
    world.used(grid.where)
    line: Value = 0
    if bound.down is not None:
        line = _locate(world, grid, grid.lines, (bound.down.run(world, env),), 0)
    return world.shop.lift(At(grid.name, grid.cells, grid.where.place), line, _column(world, bound, env))
