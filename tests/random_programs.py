"""Makes up programs as the evaluator writes them, and carries them out one fall of the dice after the other.

Values are looked at only where they are needed, as in the exact reading: a fault where nobody looks is none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from random import Random
from typing import Any

from closecombat.proving.programs import program as p
from closecombat.proving.programs.writes import held, stopped
from closecombat.proving.throws.dice import Pool, Thrown, lots, part
from closecombat.proving.values import arithmetic as n
from closecombat.proving.values import symbolic as c
from closecombat.proving.values.symbolic import AND, IF, NOT, OR, VARIABLE, Sym, Value, Workshop
from closecombat.reading.types import Thing

COMPARED = (c.at_least, c.at_most, c.more_than, c.less_than, c.same)


class Programs:
    """One made-up program: its steps, and what is wanted of it."""

    def __init__(self, seed: int) -> None:
        self.random, self.shop = Random(seed), Workshop()
        self.throws = self.random.randint(2, 6)
        self.flags: list[Value] = []
        self.numbers: list[Value] = []  # whole numbers from 0 to 9
        self.maybe: list[Value] = [None]  # numbers, or nobody's
        self.steps = self.some(0, self.random.randint(4, 9))
        self.wanted = [self.asked() for _ in range(self.random.randint(1, 2))]

    def pick(self, choices: Any) -> Any:
        return self.random.choice(list(choices))

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def asked(self) -> Value:
        """What hangs on much."""
        tried = [self.pick([self.flag, self.flag, self.number])(2) for _ in range(8)]
        return max(tried, key=lambda value: len(value.vars) if type(value) is Sym else 0)

    # ---- values ----------------------------------------------------------------------------------------
    def flag(self, depth: int) -> Value:
        shop, sort = self.shop, self.random.random()
        if depth <= 0 or sort < 0.15:
            return self.pick([*self.flags, *self.flags, True, False]) if self.flags else self.compared(0)
        if sort < 0.5:
            return self.compared(depth - 1)
        one, two = self.flag(depth - 1), self.flag(depth - 1)
        if sort < 0.65:
            return shop.and_(one, two)
        if sort < 0.8:
            return shop.or_(one, two)
        return shop.not_(one) if sort < 0.9 else shop.if_(one, two, self.flag(depth - 1))

    def compared(self, depth: int) -> Value:
        if self.chance(0.2):
            found = self.shop.lift(c.somebody, self.either(depth))
            return found if self.chance(0.5) else self.shop.not_(found)
        one, two = self.either(depth), self.either(depth) if self.chance(0.3) else self.random.randint(0, 3)
        return self.shop.lift(self.pick(COMPARED), one, two)

    def either(self, depth: int) -> Value:
        """A number, or a value that may be nobody's."""
        if self.chance(0.4):
            return self.number(depth)
        if self.chance(0.3) and depth > 0:
            return self.shop.if_(self.flag(depth - 1), self.either(depth - 1), self.either(depth - 1))
        return self.pick(self.maybe)

    def number(self, depth: int) -> Value:
        shop, sort = self.shop, self.random.random()
        if depth <= 0 or sort < 0.25:
            return self.pick([*self.numbers, *self.numbers, 0, 1, 2])
        one, two = self.number(depth - 1), self.number(depth - 1)
        if sort < 0.4:
            return self.bounded(n.plus(shop, one, two))
        if sort < 0.55:
            return self.bounded(n.minus(shop, one, two))
        if sort < 0.65:
            return self.bounded(n.times(shop, one, two))
        if sort < 0.75:  # it may be looked at only where there is something
            value = self.pick(self.maybe)
            return shop.if_(shop.lift(c.somebody, value), self.bounded(shop.lift(n.add, value, one)), two)
        return shop.if_(self.flag(depth - 1), one, two)

    def bounded(self, value: Value) -> Value:
        return n.kept_whole(self.shop, stopped, value, 0, self.pick([3, 9]))

    # ---- steps -----------------------------------------------------------------------------------------
    def some(self, depth: int, number: int) -> list[p.Step]:
        return [step for _ in range(number) for step in self.step(depth)]

    def step(self, depth: int) -> list[p.Step]:
        ways: list[Callable[[int], list[p.Step]]] = [self.let] * 4
        if self.throws > 0:
            ways += [self.throw, self.throw, self.pool, self.lots, self.draw]
        if depth < 2:
            ways += [self.branch] * 3 + ([self.loop] if not depth else [])
        return self.pick(ways)(depth)  # type: ignore[no-any-return]

    def let(self, depth: int) -> list[p.Step]:
        kind = self.random.randrange(3)
        value = self.flag(3) if kind == 0 else self.number(3) if kind == 1 else self.either(2)
        if type(value) is not Sym or value.fn is VARIABLE:
            return []
        var = self.shop.variable()
        if n.is_whole(self.shop, value):
            self.shop.whole.add(var)
        (self.flags, self.numbers, self.maybe)[kind].append(var)
        return [p.Let(var, value)]

    def throw(self, depth: int) -> list[p.Step]:
        self.throws -= 1
        var = self.shop.variable()
        faces = [(((face,),), self.random.randint(1, 2)) for face in range(1, self.random.randint(2, 3) + 1)]
        shown = Thrown((part("", tuple(range(1, len(faces) + 1)), 1),), var, self.shop).total()
        self.numbers.append(shown)
        self.maybe.append(shown)
        return [p.Throw(var, faces)]

    def pool(self, depth: int) -> list[p.Step]:
        self.throws -= 1
        size = self.bounded_by_two(self.number(1))
        pool = Pool((part("", (1, 2), size),))
        thrown = Thrown(pool.parts, pool, self.shop)
        for low in self.random.sample([1, 2], self.random.randint(1, 2)):
            view = thrown.sum_of(lambda _, face, low=low: int(face >= low))
            self.numbers.append(view)
            self.maybe.append(view)
        return [p.PoolThrow(pool)]

    def bounded_by_two(self, value: Value) -> Value:
        return n.kept_whole(self.shop, stopped, value, 0, 2)

    def lots(self, depth: int) -> list[p.Step]:
        self.throws -= 1
        vars, candidates = (self.shop.variable(), self.shop.variable()), (self.flag(1), self.flag(1))
        self.flags += vars
        who = tuple(Thing("unit", name, i) for i, name in enumerate("ab"))
        return [p.Lots(vars, candidates, self.chance(0.5), who)]

    def draw(self, depth: int) -> list[p.Step]:
        self.throws -= 1
        var, counts = self.shop.variable(), (1, self.bounded_by_two(self.number(1)))
        for word in ("low", "high"):
            self.flags.append(self.shop.lift(c.same, var, word))
        return [p.Draw(var, ("low", "high"), counts)]

    def branch(self, depth: int) -> list[p.Step]:
        condition, shop = self.flag(2), self.shop
        if type(condition) is not Sym:
            return []
        known, outside = shop.known, [list(one) for one in (self.flags, self.numbers, self.maybe)]
        shop.known = {**known, **held(condition)}
        inner = self.some(depth + 1, self.random.randint(1, 4))
        shop.known = known
        found = [self.flags, self.numbers, self.maybe]
        self.flags, self.numbers, self.maybe = outside
        for there, here, nothing in zip(found, outside, (False, 0, None), strict=True):
            for value in there[len(here) :]:
                here.append(shop.if_(condition, value, self.pick([nothing, nothing, *here])))
        return [p.Branch(condition, inner)] if inner else []

    def loop(self, depth: int) -> list[p.Step]:
        """A repetition of a few passes, counted; with other numbers that go round."""
        shop, number = self.shop, self.random.randint(1, 3)
        outside = [list(one) for one in (self.flags, self.numbers, self.maybe)]
        starts = [self.number(1) for _ in range(number)]
        vars = [shop.variable() for _ in range(number + 1)]
        self.numbers += vars[1:]
        self.throws = min(self.throws, 2)
        inner = self.some(depth + 1, self.random.randint(1, 4))
        nexts = [self.number(2) for _ in range(number)]
        count = shop.lift(n.add, vars[0], 1)
        until = shop.or_(shop.lift(c.at_least, count, 2), self.flag(1))
        self.flags, self.numbers, self.maybe = outside
        ends = tuple(shop.variable() for _ in vars)
        self.numbers += ends[1:]
        most = self.pick([None, None, 3])
        return [
            p.Loop(
                tuple(vars),
                (0, *starts),
                inner,
                (count, *nexts),
                until,
                most,
                ends,
                None,
                tuple(map(_slot, range(number + 1))),
            )
        ]


def _slot(i: int) -> tuple[Any, ...]:
    return ("made up", i)


# ---- carried out by hand ------------------------------------------------------------------------------------


class Carried:
    """One way through a program; what chance decides is told by `choose`, values are worked out when asked."""

    def __init__(self, choose: Callable[[list[tuple[Any, int]]], Any]) -> None:
        self.choose = choose
        self.set: dict[Sym, Value] = {}
        self.later: dict[Sym, Value] = {}

    def run(self, steps: list[p.Step]) -> None:
        for step in steps:
            match step:
                case p.Let(var, value):
                    self.set.pop(var, None)
                    self.set[var] = Later(value, dict(self.set))
                case p.Throw(var, falls):
                    self.set[var] = self.choose(falls)
                case p.PoolThrow(pool):
                    (one,) = pool.parts
                    faces = tuple(face for _ in range(self.value(one.number)) for face in self.choose(list(one.ways)))
                    for tally, var in pool.views.items():
                        self.set[var] = tally((faces,))
                case p.Lots(vars, candidates, again):
                    falls, _ = lots([bool(self.value(one)) for one in candidates], again)
                    self.set |= zip(vars, self.choose(falls), strict=True)
                case p.Draw(var, words, counts):
                    left = [(word, self.value(count)) for word, count in zip(words, counts, strict=True)]
                    self.set[var] = self.choose([(word, count) for word, count in left if count])
                case p.Branch(condition, inner):
                    if self.value(condition):
                        self.run(inner)
                case p.Loop():
                    self.loop(step)

    def loop(self, step: p.Loop) -> None:
        values = [self.value(start) for start in step.starts]
        passes = 0
        while True:
            self.set |= zip(step.vars, values, strict=True)
            self.run(step.steps)
            values = [self.value(value) for value in step.nexts]
            passes += 1
            if self.value(step.until) or passes == step.at_most:
                break
        self.set |= zip(step.ends, values, strict=True)

    def value(self, node: Value) -> Value:
        return worked_out(node, self.set)


class Later:
    """A value that is worked out if it is asked for."""

    def __init__(self, node: Value, known: dict[Sym, Value]) -> None:
        self.node, self.known = node, known


def worked_out(node: Value, known: dict[Sym, Value]) -> Value:
    if type(node) is not Sym:
        return node
    if node.fn is VARIABLE:
        found = known.get(node)
        return worked_out(found.node, found.known) if isinstance(found, Later) else found
    if node.fn is IF:
        return worked_out(node.args[1 if worked_out(node.args[0], known) else 2], known)
    if node.fn in (AND, OR):
        left = worked_out(node.args[0], known)
        return worked_out(node.args[1], known) if bool(left) is (node.fn is AND) else left
    if node.fn is NOT:
        return not worked_out(node.args[0], known)
    return node.fn(*(worked_out(arg, known) for arg in node.args))


def carried_out(made: Programs, most: int) -> dict[tuple[Any, ...], Fraction] | None:
    """The distribution of what is wanted; None if there are too many ways."""
    found: dict[tuple[Any, ...], Fraction] = {}
    for i, (weight, values) in enumerate(_ways(made)):
        if i == most:
            return None
        found[values] = found.get(values, Fraction(0)) + weight
    return found


def _ways(made: Programs) -> Iterator[tuple[Fraction, tuple[Any, ...]]]:
    todo: list[tuple[tuple[Any, ...], Fraction]] = [((), Fraction(1))]
    while todo:
        given, weight = todo.pop()
        taken: list[Any] = []
        shares = [weight]

        def choose(falls: list[tuple[Any, int]], given: Any = given, taken: Any = taken, shares: Any = shares) -> Any:
            if len(taken) < len(given):
                taken.append(given[len(taken)])
                return taken[-1]
            whole = sum(w for _, w in falls)
            for other, w in falls[1:]:
                todo.append(((*taken, other), shares[0] * Fraction(w, whole)))
            shares[0] *= Fraction(falls[0][1], whole)
            taken.append(falls[0][0])
            return taken[-1]

        carried = Carried(choose)
        carried.run(made.steps)
        yield shares[0], tuple(carried.value(value) for value in made.wanted)
