"""Carries out a program for many playings at once, each with dice of its own: a batch of columns, one row a playing.

`prove` follows every fall of the dice, each with its weight; here each row has one fall, as at a table. Both carry out
the same program, so the shares of many rows come to the chances. Nothing is joined, and no row knows another: what a
fight is too large for there is no trouble here. What a value or a throw is asked for is worked out by the same
functions, once for each combination of values that comes up (`arrays`).

**Rows.** The steps of a branch are done for the rows in which its condition holds; they see the columns around them
through an index, and what they have set is spread over all rows again. A loop goes on with the rows that are not over.

**What fails** in a row is told of that row alone: the first fault that somebody looks at refuses the playing, and all
others go on.

**One by one or together.** An expression is worked out at a stroke where the columns that it hangs on have few
combinations; else node by node, each from the columns of its parts. Both are the same look-ups.

**Elsewhere.** Columns and chance are `arrays`; which passes make a program small is `passes`, of which those are left
out that only keep factors apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any, TypeAlias

from closecombat.proving.at_once.arrays import (
    Coding,
    Column,
    Dice,
    Each,
    Falls,
    Lookup,
    Mask,
    chosen,
    counted,
    filled,
    first_rows,
    numbered,
    taken,
    where,
)
from closecombat.proving.carrying_out import operations as o
from closecombat.proving.carrying_out.plan import Remembered
from closecombat.proving.endless.opposed import opposed
from closecombat.proving.endless.tails import capped, caps_of
from closecombat.proving.passes.passes import optimised
from closecombat.proving.programs import program as p
from closecombat.proving.programs.liveness import defined, must_be_done, reads, thrown, vars_of, views_of
from closecombat.proving.tables.weights import Answer, Row
from closecombat.proving.throws.dice import gathered, lots, sums
from closecombat.proving.values.closures import compiled
from closecombat.proving.values.symbolic import IF, VARIABLE, Fault, Looked, Sym, Value, Workshop
from closecombat.proving.values.walking import walk
from closecombat.text.faults import Faulty
from closecombat.text.slotted import dataclass

FOR_FACTORS = ("forgetting", "symmetry", "sinking", "arms", "running values", "demand")
MOST_PASSES = 10_000  # of a repetition that has no bound, as when it is played
FUSED = 10  # bits of the columns that an expression hangs on, up to which it is worked out at a stroke
MOST_FUSED = 14  # the same once more values have been met than there were at first
NO, YES, FAILED = 0, 1, 2  # what comes of a condition

Operation: TypeAlias = "Callable[[Rows], None]"


@dataclass(slots=True, eq=False)
class Batch:
    """What playings that are carried out together have in common: their dice, and which of them have failed."""

    dice: Dice
    failed: Column  # for each playing the number of its fault, or -1
    faults: Coding = field(default_factory=Coding)

    def fail(self, rows: Column, fault: Value) -> None:
        new = rows[taken(self.failed, rows) < 0]
        self.failed[new] = self.faults.number(fault)


@dataclass(slots=True, eq=False)
class Rows:
    """Some playings of a batch on their way: what is known of them, and among which others they are."""

    batch: Batch
    size: int
    known: dict[Sym, Column]
    above: Rows | None = None
    index: Column | None = None

    def find(self, node: Sym) -> Column | None:
        found = self.known.get(node)
        if found is None and self.above is not None and self.index is not None:
            there = self.above.find(node)
            if there is not None:
                found = self.known[node] = taken(there, self.index)
        return found

    def among(self, index: Column) -> Rows:
        return Rows(self.batch, len(index), {}, self, index)

    def playings(self, index: Column) -> Column:
        """Which playings of the batch some rows are."""
        if self.above is None or self.index is None:
            return index
        return self.above.playings(taken(self.index, index))


@dataclass(frozen=True, slots=True)
class Refusals:
    """A fault, how many playings it has ended, and which was the first, from 0."""

    error: Faulty
    times: int
    first: int


@dataclass(frozen=True, slots=True)
class Sampled:
    """What a batch has come to: of the playings that ended, by their numbers from 0, a column and its coding for each
    value that was asked; and why the others have not."""

    playings: Column
    columns: Sequence[Column]
    codings: Sequence[Coding]
    refused: Sequence[Refusals]


@dataclass(slots=True, eq=False)
class _Node:
    """How an expression is worked out: at a stroke from the leaves that it hangs on, or from its parts."""

    leaves: tuple[Sym, ...]
    parts: tuple[Sym, ...]
    shared: bool
    decided: bool = False
    fused: Lookup | None = None
    own: Lookup | None = None


class Sampler:
    """A program made ready to be played in batches. Faulty where it cannot be: `budget-exceeded`."""

    def __init__(self, shop: Workshop, steps: Sequence[p.Step], wanted: Sequence[Value]) -> None:
        with shop.quiet():
            before = opposed(shop, steps, wanted)
            steps, wanted = optimised(shop, *before, FOR_FACTORS)
        self.wanted = wanted
        self.views: Mapping[Sym, list[Sym]] = views_of([*p.expressions(steps), *wanted], thrown(steps))
        self.caps = caps_of(shop, (steps, wanted), before)
        self.sums = Remembered(lambda thrown: sums(*thrown))
        self.gathered = Remembered(lambda thrown: gathered(*thrown))
        self._leaves = frozenset(view for views in self.views.values() for view in views)
        self._codings: dict[Sym, Coding] = {}
        self._nodes: dict[Sym, _Node] = {}
        self._each: dict[tuple[int, int], Each] = {}
        self._truths: dict[int, Each] = {}
        self._faults: dict[Any, Fault] = {}
        self._shared = self._used_twice(steps)
        self._name(steps)
        self._operations = self._compiled(steps, vars_of(wanted))

    def batch(self, seed: int, number: int, size: int) -> Sampled:
        """So many playings with the dice of this batch of a seed."""
        batch = Batch(Dice(seed, number), filled(size, -1))
        rows = Rows(batch, size, {})
        self._carry_out(self._operations, rows)
        columns = [self._given(value, rows) for value in self.wanted]
        codings = [self._coding(value) for value in self.wanted]
        for column, coding in zip(columns, codings, strict=True):
            self._look(rows, column, coding)
        ended = where(batch.failed < 0)
        refused = []
        if len(ended) < size:
            failed = where(batch.failed >= 0)
            numbers: Column = taken(batch.failed, failed)
            faults = batch.faults.values
            times, first = counted(numbers, len(faults)), first_rows(numbers, len(faults))
            refused = [
                Refusals(_told(fault), n, int(failed[at])) for fault, n, at in zip(faults, times, first, strict=True)
            ]
            columns = [taken(column, ended) for column in columns]
        return Sampled(ended, columns, codings, refused)

    # ---- expressions ---------------------------------------------------------------------------------------
    def _used_twice(self, steps: Sequence[p.Step]) -> set[Sym]:
        """The parts of expressions that stand in several places: their columns are kept."""
        seen: set[Sym] = set()
        twice: set[Sym] = set()
        todo = [value for value in (*p.expressions(steps), *self.wanted) if type(value) is Sym]
        while todo:
            node = todo.pop()
            if node in seen:
                twice.add(node)
                continue
            seen.add(node)
            if node not in self._leaves:
                todo += [part for part in node.args if type(part) is Sym]
        return {node for node in twice if not self._is_leaf(node)}

    def _is_leaf(self, node: Sym) -> bool:
        return node.fn is VARIABLE or node in self._leaves

    def _leaves_of(self, var: Sym) -> Sequence[Sym]:
        """What is kept of a variable: the answers to what is asked of it, or itself."""
        return self.views.get(var, (var,))

    def _coding(self, value: Value) -> Coding:
        if type(value) is not Sym:
            return Coding((value,))
        return self._codings.setdefault(value, Coding())

    def _node(self, node: Sym) -> _Node:
        found = self._nodes.get(node)
        if found is None:
            inside = walk((node,), lambda one: () if one in self._leaves else one.args)
            leaves = tuple(sorted((one for one in inside if self._is_leaf(one)), key=lambda one: one.number))
            parts = tuple(dict.fromkeys(part for part in node.args if type(part) is Sym))
            found = self._nodes[node] = _Node(leaves, parts, node in self._shared)
        return found

    def _given(self, value: Value, rows: Rows) -> Column:
        """The column of a value, in its own coding."""
        return self._column(value, rows) if type(value) is Sym else filled(rows.size, 0)

    def _column(self, node: Sym, rows: Rows) -> Column:
        found = rows.find(node)
        if found is not None:
            return found
        coding = self._coding(node)
        if self._is_leaf(node):  # nobody has set it
            return filled(rows.size, coding.number(None))
        how = self._node(node)
        if not how.leaves:
            return filled(rows.size, coding.number(self._value(compiled(node, {}), ())))
        if not how.decided:
            self._decide(node, how, rows)
        if how.fused is not None and how.fused.bits <= MOST_FUSED:
            found = how.fused([self._column(leaf, rows) for leaf in how.leaves])
        elif node.fn is IF:
            found = self._choice(node, rows)
        else:
            if how.own is None:
                how.own = Lookup([self._coding(part) for part in how.parts], coding, self._of_parts(node, how.parts))
            found = how.own([self._column(part, rows) for part in how.parts])
        if how.shared:
            rows.known[node] = found
        return found

    def _decide(self, node: Sym, how: _Node, rows: Rows) -> None:
        """Whether an expression is worked out at a stroke: what it hangs on has been met by now."""
        how.decided = True
        for leaf in how.leaves:
            self._column(leaf, rows)
        codings = [self._coding(leaf) for leaf in how.leaves]
        if sum(one.bits for one in codings) <= FUSED:
            function = compiled(node, {leaf: i for i, leaf in enumerate(how.leaves)})
            how.fused = Lookup(codings, self._coding(node), lambda given: self._value(function, given))

    def _of_parts(self, node: Sym, parts: Sequence[Sym]) -> Callable[[Row], Value]:
        function = compiled(node, {part: i for i, part in enumerate(parts)})
        return lambda given: self._value(function, given)

    def _choice(self, node: Sym, rows: Rows) -> Column:
        """A choice: each arm is worked out only if some row takes it."""
        condition, then, otherwise = node.args
        coding, asked = self._coding(node), self._coding(condition)
        answers = self._truth(asked)(column := self._column(condition, rows))
        holds = answers == YES
        if holds.all():
            return self._into(coding, then, rows)
        if not holds.any():
            out = self._into(coding, otherwise, rows)
        else:
            out = chosen(holds, self._into(coding, then, rows), self._into(coding, otherwise, rows))
        failed = answers == FAILED
        return chosen(failed, self._renumbered(asked, coding, column), out) if failed.any() else out

    def _into(self, coding: Coding, value: Value, rows: Rows) -> Column:
        """The column of a value in another coding."""
        if type(value) is not Sym:
            return filled(rows.size, coding.number(value))
        column = self._column(value, rows)
        return self._renumbered(self._coding(value), coding, column)

    def _renumbered(self, old: Coding, new: Coding, column: Column) -> Column:
        if old is new:
            return column
        key = id(old), id(new)  # both are kept for as long as this is
        if key not in self._each:
            self._each[key] = Each(old, new.number)
        return self._each[key](column)

    def _truth(self, coding: Coding) -> Each:
        return self._truths.setdefault(id(coding), Each(coding, _yes_or_no))

    def _value(self, function: Callable[[Row], Value], given: Row) -> Value:
        """What a function makes of some values; one that fails matters only to whoever looks at it."""
        try:
            return function(given)
        except (Faulty, Looked) as error:
            return self._fault(error)

    def _fault(self, error: Faulty | Looked) -> Fault:
        cause = error.error if isinstance(error, Looked) else error
        return self._faults.setdefault((type(cause), cause.args), Fault(cause))

    def _look(self, rows: Rows, column: Column, coding: Coding, mask: Mask | None = None) -> None:
        """Whoever looks at a value that could not be worked out comes no further."""
        for number, value in enumerate(coding.values):
            if type(value) is Fault:
                hit = (column == number) if mask is None else (column == number) & mask
                if hit.any():
                    rows.batch.fail(rows.playings(where(hit)), value)

    # ---- steps ---------------------------------------------------------------------------------------------
    def _name(self, steps: Sequence[p.Step]) -> None:
        """What a variable is set to has its coding, and the end of a loop that of its variable."""
        for step in p.every(steps):
            match step:
                case p.Let(var, value):
                    self._codings[var] = self._coding(value)
                case p.Loop():
                    for var, end in zip(step.vars, step.ends, strict=True):
                        self._codings[end] = self._coding(var)

    def _carry_out(self, operations: Iterable[Operation], rows: Rows) -> None:
        for operation in operations:
            operation(rows)

    def _compiled(self, steps: Sequence[p.Step], live_out: frozenset[Sym]) -> list[Operation]:
        """Operations for some steps, after which `live_out` is still read; each forgets what nobody reads after it."""
        out: list[Operation] = []
        needed = live_out
        for step in reversed(steps):
            made = defined((step,))
            if not made.isdisjoint(needed) or must_be_done(step):
                read = reads(step)
                if dead := (made | read) - needed:
                    out.append(self._forgotten(dead))
                out.append(self._operation(step, needed))
                needed = (needed - made) | read
        return out[::-1]

    def _forgotten(self, dead: frozenset[Sym]) -> Operation:
        columns = [leaf for var in dead for leaf in self._leaves_of(var)]
        columns += [node for node in self._shared if not node.vars.isdisjoint(dead)]

        def forget(rows: Rows) -> None:
            for node in columns:
                rows.known.pop(node, None)

        return forget

    def _operation(self, step: p.Step, after: frozenset[Sym]) -> Operation:
        match step:
            case p.Let(var, value):
                return lambda rows: rows.known.__setitem__(var, self._given(value, rows))
            case p.Throw(var, falls):
                return self._answered((), [var], after, lambda _: _of(falls))
            case p.PoolThrow():
                return self._pool(step, after)
            case p.Lots(vars, candidates, ties_again):
                return self._answered(candidates, vars, after, lambda key: lots(key, ties_again))
            case p.Draw(var, words, counts):
                return self._answered(counts, [var], after, lambda key: o.cards(words, key))
            case p.Must():
                return self._must(step)
            case p.Branch():
                return self._branch(step, after)
        return self._loop(step)

    def _pool(self, step: p.PoolThrow, after: frozenset[Sym]) -> Operation:
        views = [(view, var) for view, var in capped(step.pool, self.caps).items() if var in after]
        asked = tuple(view for view, _ in views)
        came_of = o.pool_answers(self, step.pool, asked)

        def answer(key: Row) -> Answer:
            table, den = came_of(key)
            return [(o.told(asked, row), w) for row, w in table.items()], den

        numbers = [one.number for one in step.pool.parts]
        return self._answered(numbers, [var for _, var in views], after, answer)

    def _answered(
        self, inputs: Sequence[Value], vars: Sequence[Sym], after: frozenset[Sym], answer: Callable[[Row], Answer]
    ) -> Operation:
        """What chance settles: in how many ways hangs on what is known by then."""
        kept = [
            (i, leaf, None if leaf is var else compiled(leaf, {var: 0}))
            for i, var in enumerate(vars)
            if var in after
            for leaf in self._leaves_of(var)
        ]
        codings = [self._coding(leaf) for _, leaf, _ in kept]
        asked = [value for value in inputs if type(value) is Sym]
        keys = Coding()
        key_of = Lookup([self._coding(value) for value in asked], keys, lambda given: _full(inputs, given))
        known: dict[int, Falls | Fault] = {}

        def falls(number: int) -> Falls | Fault:
            if number not in known:
                try:
                    answers, den = answer(keys.values[number])
                except Looked as error:
                    known[number] = self._fault(error)
                else:
                    columns = [
                        [coding.number(row[i] if view is None else self._value(view, (row[i],))) for row, _ in answers]
                        for (i, _, view), coding in zip(kept, codings, strict=True)
                    ]
                    known[number] = Falls([w for _, w in answers], den, columns)
            return known[number]

        if not asked:
            keys.number(tuple(inputs))

        def operation(rows: Rows) -> None:
            raw = rows.batch.dice.raw(rows.size)
            found = key_of([self._column(value, rows) for value in asked]) if asked else filled(rows.size, 0)
            there = [number for number, n in enumerate(counted(found, 0)) if n]
            out = [filled(rows.size, 0) for _ in kept] if len(there) > 1 else []
            for number in there:
                one = falls(number)
                mine = where(found == number) if len(there) > 1 else None
                if isinstance(one, Fault):
                    rows.batch.fail(rows.playings(numbered(rows.size) if mine is None else mine), one)
                    drawn: Sequence[Column] = [
                        filled(rows.size if mine is None else len(mine), coding.number(None)) for coding in codings
                    ]
                else:
                    drawn = one.drawn(raw if mine is None else raw[mine])
                if mine is None:
                    out = list(drawn)
                else:
                    for whole, part in zip(out, drawn, strict=True):
                        whole[mine] = part
            for (_, leaf, _), column in zip(kept, out, strict=False):
                rows.known[leaf] = column

        return operation

    def _must(self, step: p.Must) -> Operation:
        def must(rows: Rows) -> None:
            mask: Mask | None = None
            for condition in step.when:
                if type(condition) is not Sym:
                    if not condition:
                        return
                    continue
                column, coding = self._column(condition, rows), self._coding(condition)
                self._look(rows, column, coding, mask)
                holds = self._truth(coding)(column) == YES
                mask = holds if mask is None else mask & holds
                if not mask.any():
                    return
            self._look(rows, self._given(step.value, rows), self._coding(step.value), mask)

        return must

    def _branch(self, step: p.Branch, after: frozenset[Sym]) -> Operation:
        exported = sorted(
            (leaf for var in defined((step,)) & after for leaf in self._leaves_of(var)), key=lambda one: one.number
        )
        arms = [self._compiled(steps, after) for steps in (step.steps, step.otherwise)]
        condition, coding = step.condition, self._coding(step.condition)

        def branch(rows: Rows) -> None:
            column = self._given(condition, rows)
            self._look(rows, column, coding)
            holds = self._truth(coding)(column) == YES
            if holds.all():
                self._carry_out(arms[0], rows)
                return
            inner = [
                rows.among(index) if len(index := where(mask)) and arm else None
                for mask, arm in zip((holds, ~holds), arms, strict=True)
            ]
            for some, arm in zip(inner, arms, strict=True):
                if some is not None:
                    self._carry_out(arm, some)
            for leaf in exported:
                leaf_coding = self._coding(leaf)
                out = filled(rows.size, leaf_coding.number(None))
                for some in inner:
                    if some is not None and some.index is not None:
                        out[some.index] = self._column(leaf, some)
                rows.known[leaf] = out

        return branch

    def _loop(self, step: p.Loop) -> Operation:
        read_again = vars_of((*step.nexts, step.until))
        around = frozenset(reads(step))  # what each pass reads of what was before
        operations = self._compiled(step.steps, read_again | around)
        codings = [self._coding(var) for var in step.vars]
        until = self._coding(step.until)

        def loop(rows: Rows) -> None:
            state = [self._into(coding, start, rows) for coding, start in zip(codings, step.starts, strict=True)]
            ends = [filled(rows.size, 0) for _ in state]
            index, passes = numbered(rows.size), 0
            while len(index):
                inner = rows.among(index)
                inner.known.update(zip(step.vars, state, strict=True))
                self._carry_out(operations, inner)
                new = [self._into(coding, value, inner) for coding, value in zip(codings, step.nexts, strict=True)]
                column = self._given(step.until, inner)
                self._look(inner, column, until)
                passes += 1
                playings = rows.playings(index)
                if step.at_most is None and passes >= MOST_PASSES:
                    rows.batch.fail(playings, self._fault(_without_end(step)))
                over = (self._truth(until)(column) == YES) | (taken(rows.batch.failed, playings) >= 0)
                if step.at_most is not None and passes >= step.at_most:
                    over |= True
                done = where(over)
                if len(done):
                    for end, values in zip(ends, new, strict=True):
                        end[taken(index, done)] = taken(values, done)
                    left = where(~over)
                    index, new = taken(index, left), [taken(values, left) for values in new]
                state = new
            rows.known.update(zip(step.ends, ends, strict=True))

        return loop


def _full(inputs: Sequence[Value], given: Row) -> Row:
    """The inputs with their values in the place of those that were not known."""
    values = iter(given)
    return tuple([next(values) if type(value) is Sym else value for value in inputs])


def _of(falls: Sequence[tuple[Value, int]]) -> Answer:
    """The ways of a throw that hangs on nothing."""
    return [((fall,), n) for fall, n in falls], sum([n for _, n in falls])


def _yes_or_no(value: Value) -> int:
    return FAILED if type(value) is Fault else YES if value else NO


def _without_end(step: p.Loop) -> Faulty:
    return Faulty.one("loop-without-end", f"the fight is not resolved after {MOST_PASSES} rounds", step.place)


def _told(fault: Fault) -> Faulty:
    """What a playing is refused with; what is no designer's fault is ours."""
    if not isinstance(fault.error, Faulty):
        raise fault.error
    return fault.error
