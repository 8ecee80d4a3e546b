"""What each step does to the factors: throws, answers that depend on what is known by then, values set together,
and steps done only where a condition holds, of all rows together or group by group."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import chain, product
from math import prod
from operator import add
from typing import Protocol, TypeAlias

from closecombat.proving.carrying_out.plan import Maker, Operation, Plan, Remembered
from closecombat.proving.endless.races import Capped, Lead, raced
from closecombat.proving.endless.tails import capped
from closecombat.proving.programs import program as p
from closecombat.proving.programs.liveness import defined, must_be_done, outside, reads, vars_of
from closecombat.proving.tables.weights import (
    MOST_PRODUCT,
    Answer,
    Layout,
    Row,
    Weights,
    bounded,
    over_one,
    picker,
    summed,
    too_many,
)
from closecombat.proving.throws.dice import Gathering, Pool, Tally
from closecombat.proving.throws.keeping import kept
from closecombat.proving.values.budget import GATHERED
from closecombat.proving.values.symbolic import Fault, Looked, Missing, Sym, Value, Workshop
from closecombat.proving.writing.recipes import Answered, Arm, Branched, Factors, Noted, Set, Step, Thrown, Walked
from closecombat.text.faults import Faulty

MANY_ROWS = 3_000  # of a product, from which on a branch is worth taking group by group
DEEPEST_GROUPS = 2
MANY_ANSWERS = 20_000  # that follow rows, after which it is looked whether these are too much
GROUP = 60  # of work, which an arm takes as long as however few rows it is taken for

Given: TypeAlias = list[tuple[Weights, int]]
Taken: TypeAlias = Callable[[Given], tuple[Weights, int]]


def branch(plan: Plan, step: p.Branch, after: frozenset[Sym]) -> Operation:
    exported = tuple(sorted((defined((step,)) & after) - plan.packed.keys(), key=lambda v: v.number))
    ids = plan.holding(reads(step))
    here = plan.frame
    grouped: list[Taken] = []  # each way of taking the branch, compiled when it is first taken
    wholes: list[_Whole] = []
    may_group = len(ids) > 1 and plan.frame.depth < DEEPEST_GROUPS
    rows = plan.rows(ids)
    kept = [v for v in plan.taken(ids) if v in after]
    made = plan.new((*kept, *exported))

    def operation(factors: Factors) -> None:
        given = [factors.pop(i) for i in ids]
        if not may_group or prod(len(table) for table, _ in given) <= MANY_ROWS:
            table, den = whole()(given)
            plan.put(factors, made, table, den, given)
            return
        if not grouped:
            with plan.at(here):
                grouped.append(_grouped(plan, ids, step, after, exported))
        table, den = grouped[0](given)
        plan.put(factors, made, table, den, given)

    def whole() -> _Whole:
        if not wholes:
            with plan.at(here):
                wholes.append(_Whole(plan, ids, step, after, exported))
        return wholes[0]

    if must_be_done(step) or any(isinstance(one, p.Loop) for one in p.every((step,))):
        return operation
    wanted = (*kept, *exported)
    most = MANY_ROWS if may_group else None
    return Step(operation, Branched(rows, step.condition, lambda: whole().arms(), wanted, most, operation, made))


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
        self.product_of, self.alive = plan.product_of, plan.alive
        with plan.at(replace(plan.frame, layouts={}, depth=plan.frame.depth + 1)):
            self.cells = [plan.settle(var) for var in on_board]
            self.entries = [plan.new(layout) for layout in layouts]
            self.steps = plan.compile(steps, after)
            self.ends, self.wanted = list(plan.frame.layouts), tuple(wanted)
            self.take = plan.carried(plan.joined_layout(self.ends), wanted)
            self.rows = plan.rows(self.ends)
        self.operations = plan.in_segments(self.steps)

    def run(self, tables: list[tuple[Weights, int]], by_den: dict[int, Weights]) -> None:
        """Adds the rows that come out, by their denominator. The tables are used up."""
        factors: Factors = dict(zip(self.entries, tables, strict=True))
        tables.clear()
        for operation in self.operations:
            operation(factors)
        ends = [factors[i] for i in self.ends]
        pieces, den = self.product_of(ends)
        out = by_den.setdefault(den, {})
        for rows, weights in pieces:
            summed(map(self.take, rows), weights, out)
            self.alive.grown(out)
        self.alive.gone([table for table, _ in ends])

    def told(self) -> Arm | None:
        recipes = [one.recipe for one in self.steps if isinstance(one, Step)]
        return Arm(self.entries[0], recipes, self.rows, self.wanted) if len(recipes) == len(self.steps) else None


class _Whole:
    """A branch taken with all its rows together."""

    def __init__(
        self, plan: Plan, ids: list[int], step: p.Branch, after: frozenset[Sym], exported: tuple[Sym, ...]
    ) -> None:
        self.product_of, self.alive, layout = plan.product_of, plan.alive, plan.joined_layout(ids)
        self.holds = plan.column(layout, step.condition)
        wanted = (*(v for v in layout if v in after), *exported)
        self.there = _Arm(plan, [layout], step.steps, after, wanted)
        self.other = _Arm(plan, [layout], step.otherwise, after, wanted) if step.otherwise else None
        self.elsewhere = _elsewhere(layout, self.other, wanted)

    def __call__(self, given: Given) -> tuple[Weights, int]:
        """What comes of some tables, which are used up: none is held while an arm is carried out."""
        den, halves = self._halves(given)
        self.alive.gone([table for table, _ in given])
        given.clear()
        by_den: dict[int, Weights] = {}
        if halves[-1]:
            self.there.run([(halves.pop(), den)], by_den)
        if halves[0]:
            self.elsewhere(halves[0], den, by_den)
            self.alive.gone(halves[:1])
        return self.alive.joined(by_den)

    def _halves(self, given: Given) -> tuple[int, list[Weights]]:
        """The rows in which the condition does not hold, and those in which it does."""
        pieces, den = self.product_of(given)
        then: Weights = {}
        otherwise: Weights = {}
        for rows, weights in pieces:
            for row, w, there_is in zip(rows, weights, self.holds(rows), strict=True):
                (then if there_is else otherwise)[row] = w
            self.alive.grown(then)
            self.alive.grown(otherwise)
        return den, [otherwise, then]

    def arms(self) -> tuple[Arm, Arm | None] | None:
        """Either arm, if it can be told."""
        there, other = self.there.told(), self.other.told() if self.other else None
        return None if there is None or (self.other and other is None) else (there, other)


def _elsewhere(
    layout: Layout, arm: _Arm | None, wanted: Sequence[Sym]
) -> Callable[[Weights, int, dict[int, Weights]], None]:
    """What is done with the rows in which the condition does not hold."""
    if arm is not None:
        return lambda table, den, by_den: arm.run([(table, den)], by_den)
    kept = [v for v in wanted if v in layout]
    keep, nobody = picker(layout, kept), (None,) * (len(wanted) - len(kept))

    def plain(table: Weights, den: int, by_den: dict[int, Weights]) -> None:
        summed([keep(row) + nobody for row in table], table.values(), by_den.setdefault(den, {}))

    return plain


def _grouped(plan: Plan, ids: list[int], step: p.Branch, after: frozenset[Sym], exported: tuple[Sym, ...]) -> Taken:
    """A branch taken for each way in which its condition can stand: within one, the factors stay apart."""
    layouts = [plan.frame.layouts[i] for i in ids]
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
    with plan.at(replace(plan.frame, repeats=True)):
        there = _Arm(plan, rests, step.steps, after, wanted, flat)
    layout = tuple(v for some in shorts for v in some)
    other = _Arm(plan, [layout], step.otherwise, after, wanted) if step.otherwise else None
    elsewhere = _elsewhere(layout, other, wanted)
    holds, board = plan.maker(flat, step.condition), plan.board

    def grouped(given: list[tuple[Weights, int]]) -> tuple[Weights, int]:
        groups = [_groups(table, key, take) for (table, _), key, take in zip(given, keys, takes, strict=True)]
        others = [_groups(table, key, keep) for (table, _), key, keep in zip(given, keys, keeps, strict=True)]
        dens = [den for _, den in given]
        by_den: dict[int, Weights] = {}
        otherwise: Weights = {}
        for combination in product(*groups):
            plan.shop.budget.made(GROUP, 0)
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
                    plan.alive.grown(otherwise)
        if otherwise:
            elsewhere(otherwise, prod(dens), by_den)
            plan.alive.gone((otherwise,))
        return plan.alive.joined(by_den)

    return grouped


def _groups(table: Weights, key: Callable[[Row], Row], take: Callable[[Row], Row]) -> dict[Row, Weights]:
    """The rows of a table by the part of them that `key` takes out."""
    out: dict[Row, Weights] = {}
    for row, w in table.items():
        group = out.setdefault(key(row), {})
        rest = take(row)
        group[rest] = group.get(rest, 0) + w
    return out


def throw(plan: Plan, var: Sym, falls: list[tuple[Value, int]]) -> Operation:
    answers = plan.answers_of(var)
    table: Weights = {}
    for faces, w in falls:
        row = (answers(faces),)
        table[row] = table.get(row, 0) + w
    den = sum(table.values())
    made = plan.new((var,))

    def throw(factors: Factors) -> None:
        factors[made] = (table, den)

    return Step(throw, Thrown(made, table, den))


def pool_throw(plan: Plan, pool: Pool, after: frozenset[Sym]) -> Operation:
    views = [(view, var) for view, var in capped(pool, plan.caps).items() if var in after]
    vars, asked = [var for _, var in views], tuple(view for view, _ in views)
    came_of = pool_answers(plan, pool, asked, plan.shop)
    kept = [plan.answers_of(var) for var in vars]
    plain = all(isinstance(view, Tally | Capped | Lead) for view in asked) and not any(
        var in plan.views for var in vars
    )

    def answer(key: Row) -> Answer:
        table, den = came_of(key)
        if plain:
            return list(table.items()), den
        answers: Weights = {}
        for row, w in table.items():
            full = tuple([of(view.answer(value)) for of, view, value in zip(kept, asked, row, strict=True)])
            answers[full] = answers.get(full, 0) + w
        return list(answers.items()), den

    numbers = tuple(one.number for one in pool.parts)
    if plan.packed.keys().isdisjoint(vars):
        return answered(plan, numbers, vars, after, answer)
    columns = [var for var in vars if var not in plan.packed]
    return answered(plan, numbers, columns, after, lambda key: _packed(plan, vars, columns, *answer(key)))


def _packed(
    plan: Plan, vars: Sequence[Sym], columns: Sequence[Sym], answers: Sequence[tuple[Row, int]], den: int
) -> Answer:
    """The same answers with some of their values in the weights."""
    keep, counts = picker(vars, columns), [(i, var) for i, var in enumerate(vars) if var in plan.packed]
    out: Weights = {}
    for row, weight in answers:
        for i, var in counts:
            weight = plan.moved(weight, var, row[i])
        summed((keep(row),), (weight,), out)
    return list(out.items()), den


def counted(plan: Plan, let: p.Let, after: frozenset[Sym]) -> Operation:
    """A value that stands in the weights."""
    ids = plan.holding(vars_of((let.value,)))
    layout = plan.joined_layout(ids)
    number_of = plan.column(layout, let.value)
    kept = [var for var in plan.taken(ids) if var in after]
    keep, made = picker(layout, kept), plan.new(tuple(kept))

    def operation(factors: Factors) -> None:
        given = [factors.pop(i) for i in ids]
        pieces, den = plan.product_of(given)
        out: Weights = {}
        for rows, weights in pieces:
            moved = [plan.moved(w, let.var, n) for w, n in zip(weights, number_of(rows), strict=True)]
            summed(map(keep, rows), moved, out)
            plan.alive.grown(out)
        plan.put(factors, made, out, den, given)

    return Step(operation, Walked(tuple(ids), operation, made))


class Summing(Protocol):
    """Whoever remembers what comes of so many dice, for sums alone and for all that can be asked."""

    sums: Remembered
    gathered: Remembered


def pool_answers(
    plan: Summing, pool: Pool, asked: tuple[Gathering, ...], shop: Workshop | None = None
) -> Callable[[Row], tuple[Weights, int]]:
    """What comes of so many dice of each part of a pool, gathered as it is asked; Spent if that is more than a shop may
    spend."""
    by_turns = any(isinstance(view, Lead) for view in asked)
    if by_turns:
        return lambda key: raced(pool.parts, key, asked, shop.budget if shop is not None else None)
    return _part_by_part(plan, pool, asked, shop)


def told(asked: Sequence[Gathering], row: Row) -> Row:
    """The answers to what was asked, of what was gathered."""
    return tuple([view.answer(value) for view, value in zip(asked, row, strict=True)])


def _part_by_part(
    plan: Summing, pool: Pool, asked: tuple[Gathering, ...], shop: Workshop | None
) -> Callable[[Row], tuple[Weights, int]]:
    """What comes of so many dice of each part: the ways of one die, as often as there are dice, or the dice kept."""
    dies: list[tuple[tuple[Row, int], ...]] = []
    cases: list[int] = []
    for i, one in enumerate(pool.parts):
        ways: dict[Row, int] = {}
        cases.append(one.cases)
        if one.endless and one.keep is None:
            ways, cases[-1] = raced(
                pool.parts,
                [int(j == i) for j in range(len(pool.parts))],
                asked,
                shop.budget if shop is not None else None,
            )
        for fall, n in one.ways if not one.endless else ():
            vector = tuple(view.of(i, fall) for view in asked)
            ways[vector] = ways.get(vector, 0) + n
        dies.append(tuple(ways.items()))
    only_sums = all(isinstance(view, Tally) for view in asked)
    none: Weights = {tuple(view.nothing for view in asked): 1}

    def of_part(i: int, n: int) -> tuple[Weights, int]:
        if pool.parts[i].keep is not None:
            return kept(pool.parts[i], i, n, asked, shop.budget if shop is not None else None)
        return plan.sums[dies[i], n] if only_sums else plan.gathered[dies[i], n, asked], cases[i] ** n

    def came_of(key: Row) -> tuple[Weights, int]:
        table, den = none, 1
        for i, n in enumerate(key):
            more, each = of_part(i, n)
            den *= each
            if table == none:
                table = more
                continue
            grown: Weights = {}
            if shop is not None:
                shop.budget.product(len(table) * len(more), GATHERED)
            for a, v in table.items():
                for b, w in more.items():
                    together = tuple([view.both(x, y) for view, x, y in zip(asked, a, b, strict=True)])
                    grown[together] = grown.get(together, 0) + v * w
            table = grown
            if shop is not None:
                shop.budget.room(len(table), len(asked))
        return table, den

    return came_of


def lots_drawn(plan: Plan, step: p.Lots, after: frozenset[Sym]) -> Operation:
    """Random selection among those who are candidates by then."""
    alive = [var for var in step.vars if var in after]
    keep = picker(step.vars, alive)

    def answer(key: Row) -> Answer:
        flags, den = plan.lots[key, step.ties_again]
        if len(alive) == len(step.vars):
            return flags, den
        out: Weights = {}
        summed([keep(row) for row, _ in flags], [w for _, w in flags], out)
        return list(out.items()), den

    return answered(plan, step.candidates, alive, after, answer)


def card_drawn(plan: Plan, step: p.Draw, after: frozenset[Sym]) -> Operation:
    """A card from what is left of a deck by then."""
    kept = plan.answers_of(step.var)

    def answer(key: Row) -> Answer:
        cards_left, den = cards(step.words, key)
        out: Weights = {}
        for (word,), n in cards_left:
            out[(kept(word),)] = out.get((kept(word),), 0) + n
        return list(out.items()), den

    return answered(plan, step.counts, [step.var], after, answer)


def answered(
    plan: Plan, inputs: Sequence[Value], vars: list[Sym], after: frozenset[Sym], answer: Callable[[Row], Answer]
) -> Operation:
    """A throw that depends on what is known by then: each row is followed by its answers."""
    ids = plan.holding(vars_of(inputs))
    layout = plan.joined_layout(ids)
    keys_of, known, joint = plan.rows_of(layout, inputs), plan.memo(plan.held(answer)), plan.rows(ids)
    kept = [var for var in plan.taken(ids) if var in after]
    keep = picker(layout, kept)
    made = plan.new((*kept, *vars))

    def operation(factors: Factors) -> None:
        given = [factors.pop(i) for i in ids]
        pieces, den = plan.product_of(given)
        by_den: dict[int, Weights] = {}
        most = ways = 0
        for rows, weights in pieces:
            keys = [*keys_of(rows)]
            of, each = over_one(known, keys)
            out = by_den.setdefault(den * each, {})
            for key, base, w in zip(keys, map(keep, rows), weights, strict=True):
                answers, by = of[key]
                w *= by
                ways += len(answers)
                if ways > MANY_ANSWERS:
                    plan.shop.budget.product(ways)
                    ways = 0
                for values, n in answers:
                    full = base + values
                    out[full] = out.get(full, 0) + w * n
                if len(out) > most:
                    bounded(out)
                    most = plan.alive.grown(out)
        table, den = plan.alive.joined(by_den)
        plan.put(factors, made, table, den, given)

    return Step(operation, Answered(joint, tuple(inputs), known, tuple(kept), len(vars), made))


def set_values(plan: Plan, lets: Sequence[p.Let], after: frozenset[Sym]) -> Operation:
    """Values set together: they read from the same factors and not from each other."""
    ids = plan.holding(vars_of(let.value for let in lets))
    layout = plan.joined_layout(ids)
    makers, joint = plan.makers(layout, [let.value for let in lets]), plan.rows(ids)
    if not ids:
        board, cell, only = plan.board, plan.settle(lets[0].var), _whatever(plan, makers)

        def settle(factors: Factors) -> None:
            (board[cell],) = only(())

        return Step(settle, Noted(joint, cell, lets[0].value))
    rows_of, whatever = plan.rows_of(layout, [let.value for let in lets]), _whatever(plan, makers)
    kept = [v for v in plan.taken(ids) if v in after]
    keep = picker(layout, kept)
    made = plan.new((*kept, *(let.var for let in lets)))

    def operation(factors: Factors) -> None:
        given = [factors.pop(i) for i in ids]
        pieces, den = plan.product_of(given)
        out: Weights = {}
        for rows, weights in pieces:
            try:
                new = list(map(add, map(keep, rows), rows_of(rows)))
            except (Faulty, Looked):
                new = [keep(row) + whatever(row) for row in rows]
            summed(new, weights, out)
            plan.alive.grown(out)
        plan.put(factors, made, out, den, given)

    return Step(operation, Set(joint, tuple(kept), tuple(let.value for let in lets), made))


def _whatever(plan: Plan, makers: Sequence[Maker]) -> Callable[[Row], Row]:
    """The values of a row; one that fails is a Fault, which matters only to whoever looks at it."""
    return lambda row: tuple([plan.answer(maker, row) for maker in makers])


def looked_at(plan: Plan, step: p.Must) -> Operation:
    """Looks at a value in every row in which its conditions hold, so that one that fails is told. Factors stay apart:
    of each only what is read counts, and each of its ways goes with each of the others'."""
    needed = vars_of((*step.when, step.value))
    ids = plan.holding(needed)
    parts = [tuple(var for var in plan.frame.layouts[i] if var in needed) for i in ids]
    layout = tuple(var for part in parts for var in part)
    takes = [picker(plan.frame.layouts[i], part) for i, part in zip(ids, parts, strict=True)]
    conditions, value = plan.makers(layout, step.when), plan.maker(layout, step.value)

    def look(factors: Factors) -> None:
        ways = [dict.fromkeys(map(take, factors[i][0])) for i, take in zip(ids, takes, strict=True)]
        if prod(map(len, ways)) > MOST_PRODUCT:
            raise too_many()
        plan.shop.budget.product(prod(map(len, ways)))
        for rows in product(*ways):
            row = tuple(chain.from_iterable(rows))
            if all(holds(row) for holds in conditions):
                found = value(row)
                if type(found) is Fault:
                    raise Looked(found.error)

    return look


def cards(words: tuple[str, ...], counts: Row) -> Answer:
    """The cards that are left of a deck, and how many these are."""
    left = [((word,), n) for word, n in zip(words, counts, strict=True) if n]
    if not left:  # of a state that cannot happen: else it has been told before
        raise Looked(Missing("a card of an empty deck"))
    return left, sum(n for _, n in left)
