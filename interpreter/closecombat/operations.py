"""What each step does to the factors: throws, answers that depend on what is known by then, values set together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain, product
from math import prod
from operator import add
from typing import Any, TypeAlias

from closecombat import program as p
from closecombat.diagnostics import Faulty
from closecombat.dice import Faces, Pool, lots
from closecombat.liveness import vars_of
from closecombat.plan import Factors, Maker, Operation, Plan
from closecombat.symbolic import Fault, Looked, Missing, Sym, Value
from closecombat.tables import MOST_PRODUCT, Row, Table, bounded, joined, picker, summed, too_many

Answer: TypeAlias = tuple[list[tuple[Row, int]], int]


def throw(plan: Plan, var: Sym, falls: list[tuple[Faces, int]]) -> Operation:
    answers = plan.answers_of(var)
    table: Table = {}
    for faces, w in falls:
        row = (answers(faces),)
        table[row] = table.get(row, 0) + w
    den = sum(table.values())
    made = plan.new((var,))

    def throw(factors: Factors) -> None:
        factors[made] = (table, den)

    return throw


def pool_throw(plan: Plan, pool: Pool, after: frozenset[Sym]) -> Operation:
    views = [(tally, var) for tally, var in pool.views.items() if var in after]
    vars = [var for _, var in views]
    dies: list[tuple[tuple[Row, int], ...]] = []
    for i, one in enumerate(pool.parts):
        ways: dict[Row, int] = {}
        worths = [dict(tally.worth) for tally, _ in views]
        for fall, n in one.ways:
            vector = tuple(sum(worth.get((i, face), 0) for face in fall) for worth in worths)
            ways[vector] = ways.get(vector, 0) + n
        dies.append(tuple(ways.items()))
    cases = [one.cases for one in pool.parts]
    kept = [plan.answers_of(var) for var in vars]
    plain = not any(var in plan.views for var in vars)

    def answer(key: Row) -> Answer:
        table: Table = {(0,) * len(views): 1}
        for ways, n in zip(dies, key, strict=True):
            more = plan.sums[ways, n]
            if len(table) == 1 and not any(next(iter(table))):
                table = more
                continue
            grown: Table = {}
            for a, v in table.items():
                for b, w in more.items():
                    total = tuple([x + y for x, y in zip(a, b, strict=True)])
                    grown[total] = grown.get(total, 0) + v * w
            table = grown
        den = prod(each**n for each, n in zip(cases, key, strict=True))
        if plain:
            return list(table.items()), den
        asked: Table = {}
        for row, w in table.items():
            full = tuple([of(value) for of, value in zip(kept, row, strict=True)])
            asked[full] = asked.get(full, 0) + w
        return list(asked.items()), den

    return answered(plan, tuple(one.number for one in pool.parts), vars, after, answer)


def lots_drawn(plan: Plan, step: p.Lots, after: frozenset[Sym]) -> Operation:
    """Random selection among those who are candidates by then."""
    alive = [var for var in step.vars if var in after]
    keep = picker(step.vars, alive)

    def answer(key: Row) -> Answer:
        flags, den = lots(key, step.ties_again)
        out: Table = {}
        summed([keep(row) for row, _ in flags], [w for _, w in flags], out)
        return list(out.items()), den

    return answered(plan, step.candidates, alive, after, answer)


def card_drawn(plan: Plan, step: p.Draw, after: frozenset[Sym]) -> Operation:
    """A card from what is left of a deck by then."""
    kept = plan.answers_of(step.var)
    return answered(plan, step.counts, [step.var], after, lambda key: _cards(step.words, key, kept))


def answered(
    plan: Plan, inputs: Sequence[Value], vars: list[Sym], after: frozenset[Sym], answer: Callable[[Row], Answer]
) -> Operation:
    """A throw that depends on what is known by then: each row is followed by its answers."""
    ids = plan.holding(vars_of(inputs))
    layout = plan.joined_layout(ids)
    keys_of, known = plan.rows_of(layout, inputs), plan.memo(answer)
    kept = [var for var in plan.taken(ids) if var in after]
    keep = picker(layout, kept)
    made = plan.new((*kept, *vars))

    def operation(factors: Factors) -> None:
        pieces, den = plan.product_of([factors.pop(i) for i in ids])
        by_den: dict[int, Table] = {}
        for rows, weights in pieces:
            for key, base, w in zip(keys_of(rows), map(keep, rows), weights, strict=True):
                answers, d = known[key]
                out = by_den.setdefault(den * d, {})
                for values, n in answers:
                    full = base + values
                    out[full] = out.get(full, 0) + w * n
                bounded(out)
        factors[made] = joined(by_den)

    return operation


def set_values(plan: Plan, lets: Sequence[p.Let], after: frozenset[Sym]) -> Operation:
    """Values set together: they read from the same factors and not from each other."""
    ids = plan.holding(vars_of(let.value for let in lets))
    layout = plan.joined_layout(ids)
    makers = plan.makers(layout, [let.value for let in lets])
    if not ids:
        board, cell, only = plan.board, plan.settle(lets[0].var), _whatever(plan, makers)

        def settle(factors: Factors) -> None:
            (board[cell],) = only(())

        return settle
    rows_of, whatever = plan.rows_of(layout, [let.value for let in lets]), _whatever(plan, makers)
    kept = [v for v in plan.taken(ids) if v in after]
    keep = picker(layout, kept)
    made = plan.new((*kept, *(let.var for let in lets)))

    def operation(factors: Factors) -> None:
        pieces, den = plan.product_of([factors.pop(i) for i in ids])
        out: Table = {}
        for rows, weights in pieces:
            try:
                new = list(map(add, map(keep, rows), rows_of(rows)))
            except (Faulty, Looked):
                new = [keep(row) + whatever(row) for row in rows]
            summed(new, weights, out)
        factors[made] = (out, den)

    return operation


def _whatever(plan: Plan, makers: Sequence[Maker]) -> Callable[[Row], Row]:
    """The values of a row; one that fails is a Fault, which matters only to whoever looks at it."""

    def make(row: Row, maker: Maker) -> Any:
        try:
            return maker(row)
        except (Faulty, Looked) as error:
            plan.faulty = True
            return Fault(error)

    return lambda row: tuple([make(row, maker) for maker in makers])


def looked_at(plan: Plan, step: p.Must) -> Operation:
    """Looks at a value in every row in which its conditions hold, so that one that fails is told. Factors stay apart:
    of each only what is read counts, and each of its ways goes with each of the others'."""
    needed = vars_of((*step.when, step.value))
    ids = plan.holding(needed)
    parts = [tuple(var for var in plan.layouts[i] if var in needed) for i in ids]
    layout = tuple(var for part in parts for var in part)
    takes = [picker(plan.layouts[i], part) for i, part in zip(ids, parts, strict=True)]
    conditions, value = plan.makers(layout, step.when), plan.maker(layout, step.value)

    def look(factors: Factors) -> None:
        ways = [dict.fromkeys(map(take, factors[i][0])) for i, take in zip(ids, takes, strict=True)]
        if prod(map(len, ways)) > MOST_PRODUCT:
            raise too_many()
        for rows in product(*ways):
            row = tuple(chain.from_iterable(rows))
            if all(holds(row) for holds in conditions):
                found = value(row)
                if type(found) is Fault:
                    raise Looked(found.error)

    return look


def _cards(words: tuple[str, ...], counts: Row, kept: Callable[[Any], Any]) -> Answer:
    left = [(word, n) for word, n in zip(words, counts, strict=True) if n]
    if not left:  # of a state that cannot happen: else it has been told before
        raise Looked(Missing("a card of an empty deck"))
    out: Table = {}
    for word, n in left:
        out[(kept(word),)] = out.get((kept(word),), 0) + n
    return list(out.items()), sum(n for _, n in left)
