"""Which things of a fight cannot be told apart: swapping two of them leaves a repetition and every question the same.

**The problem.** Six units, each fresh, reduced or gone, are 3 to the sixth or 729 states; for two sides 531,441. If
only numbers are asked for, it is all one which of the six are reduced: there are 28 ways to share six among three,
and 784 states for two sides.

**The idea.** Two things are alike if the program with the two exchanged is the same program: then any state leads to
the same ends as the one in which they have changed places. That is proved on the program, never guessed. A program is
numbered from its throws up (`_Signature`): equal expressions get equal numbers, and sums, `and`s, `or`s, steps
and candidates for a lot are numbered without their order, and short choices by what they come to for each way in which
their conditions can stand. It is numbered once as it is and once with the variables of the two exchanged; if all that
matters has the same numbers (each new value at its place, the end, what is asked and done after) the two are alike. In
what state they begin does not matter. Being alike goes on from one to the next, so each thing is held only against
the groups that there are. A state is then replaced by the first of those that differ by swaps (`canonical`).

*An example.* `a` and `b` have 2 left each; each turn a lot picks one of the two, who loses 1; it ends when either has
none. Exchanged, `left of a` becomes what `left of b` was, and the lot of `a` that of `b`: the same program, if the
sum of both is asked for. If `a` alone is asked for it is another. Of the states (2, 2), (1, 2), (2, 1), (1, 1) the
middle two are one.

Two that throw dice of their own are not alike, since each throw is told apart: exchanging them exchanges the throws.
That somebody is in a set is a fact of his, which is exchanged like others. Whoever has a set of his own, or facts word
by word, is alike to nobody.

**Elsewhere.** `passes` marks loops with what is found here; `loop` makes states one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import islice
from operator import itemgetter
from types import MappingProxyType
from typing import Any, TypeAlias

from closecombat.proving.foreseeing.ranges import ends, range_of
from closecombat.proving.passes.behind import marked
from closecombat.proving.programs import program as p
from closecombat.proving.programs.liveness import reads
from closecombat.proving.tables.weights import Row
from closecombat.proving.values.arithmetic import add, higher, lower
from closecombat.proving.values.symbolic import AND, IF, NOT, OR, VARIABLE, Raises, Sym, Value, Workshop
from closecombat.proving.values.walking import LOGIC, formula, walk
from closecombat.reading.slots import (
    CardsOf,
    CounterOf,
    DeclaredBy,
    FactOf,
    InPlay,
    Member,
    Owed,
    PerWord,
    TimesAsked,
    words_for,
)
from closecombat.reading.types import Exact, Thing
from closecombat.text.faults import Faulty

MOST_CONDITIONS = 7  # of a choice that is told way by way
IN_ANY_ORDER = (AND, OR, add, higher, lower)
HAS_MORE = ("has more", "")  # whoever has a set, or facts word by word, is like nobody

Alike: TypeAlias = list[list[int]]  # for each thing of a group, the places of its variables in the state


def symmetric(shop: Workshop, steps: Sequence[p.Step], wanted: Sequence[Value]) -> list[p.Step]:
    """The same program; each repetition without a bound is marked with its groups of alike things."""

    def is_number(value: Sym) -> bool:
        found = ends(range_of(shop, value))
        return found is not None and not found.nobody

    def mark(loop: p.Loop, after: Sequence[p.Step], wanted: Sequence[Value]) -> p.Loop:
        groups = orbits(loop, after, wanted, is_number)
        alike = tuple(tuple(tuple(loop.ends[i] for i in places) for places in group) for group in groups)
        return replace(loop, alike=alike)

    return marked(shop, steps, wanted, mark)


def places_of(groups: Sequence[Sequence[Sequence[Sym]]], ends: Sequence[Sym]) -> list[Alike]:
    """Where the values of alike things stand in a state, if it holds the same of each of them."""
    at = {end: i for i, end in enumerate(ends)}
    found = [[[at.get(end, -1) for end in thing] for thing in group] for group in groups]
    whole = [group for group in found if all(len({i < 0 for i in column}) == 1 for column in zip(*group, strict=True))]
    return [[[i for i in thing if i >= 0] for thing in group] for group in whole if any(i >= 0 for i in group[0])]


def orbits(
    loop: p.Loop,
    after: Sequence[p.Step],
    wanted: Sequence[Value],
    is_number: Callable[[Sym], bool] = lambda value: False,
) -> tuple[Alike, ...]:
    """Groups of alike things of a loop; `is_number` says what is certainly one, and never nobody."""
    facts: dict[Thing, dict[tuple[str, str], int]] = {}
    for i, slot in enumerate(loop.slots):
        match slot:
            case Member(thing, fact, member):
                facts.setdefault(thing, {})[HAS_MORE] = -1
                facts.setdefault(member, {})[(f"in {fact}", thing.name)] = i
            case PerWord(thing) | Owed(thing) | CardsOf(thing):
                facts.setdefault(thing, {})[HAS_MORE] = -1
            case FactOf() | InPlay() | CounterOf() | TimesAsked() | DeclaredBy():
                facts.setdefault(slot.thing, {})[(slot.sort, words_for(slot)[0])] = i
    groups: list[list[Thing]] = []
    intern: dict[object, int] = {}
    plain = _Signature(loop, {}, {}, intern, is_number)
    marks = plain.marks(after, wanted)
    for thing, mine in facts.items():
        for group in groups:
            other = group[0]
            if (
                other.kind == thing.kind
                and set(facts[other]) == set(mine)
                and -1 not in mine.values()
                and all(
                    _alike(plain, facts, {known: thing, thing: known}).marks(after, wanted) == marks for known in group
                )
            ):
                group.append(thing)
                break
        else:
            groups.append([thing])
    names = {thing: sorted(facts[thing]) for thing in facts}
    return tuple(
        [[facts[thing][name] for name in names[thing]] for thing in group] for group in groups if len(group) > 1
    )


def _alike(plain: _Signature, facts: dict[Thing, dict[tuple[str, str], int]], things: dict[Thing, Thing]) -> _Signature:
    """The same with the facts of two things exchanged."""
    swap = {facts[one][name]: place for one, other in things.items() for name, place in facts[other].items()}
    return _Signature(plain.loop, swap, things, plain.intern, plain.is_number, plain.known)


class _Signature:
    """A program as numbers: equal numbers are equal expressions, up to order where order does not matter."""

    def __init__(
        self,
        loop: p.Loop,
        swap: dict[int, int],
        things: dict[Thing, Thing],
        intern: dict[object, int],
        is_number: Callable[[Sym], bool],
        plain: Mapping[Sym, int] = MappingProxyType({}),
    ) -> None:
        self.loop, self.intern, self.swap, self.things, self.plain = loop, intern, swap, things, plain
        self.is_number = is_number
        self.claims: dict[Sym, dict[Sym, None]] = {}
        self.known: dict[Sym, int] = {}
        self.moved: set[Sym] = set()  # variables whose number is another than without the exchange
        for kind, vars in (("state", loop.vars), ("end", loop.ends)):
            for i, var in enumerate(vars):
                self._is(var, self.number((kind, swap.get(i, i))))

    def _is(self, var: Sym, number: int) -> None:
        self.known[var] = number
        if self.plain.get(var, number) != number:
            self.moved.add(var)

    def number(self, key: object) -> int:
        return self.intern.setdefault(key, len(self.intern))

    def marks(self, after: Sequence[p.Step], wanted: Sequence[Value]) -> list[Any]:
        """The marks that must not change: each new value at its own place, when it ends, and all that is asked."""
        found: list[Any] = self.steps(self.loop.steps)
        count = len(self.loop.nexts)
        nexts = [self.value(self.loop.nexts[self.swap.get(i, i)]) for i in range(count)]
        found += [nexts, self.value(self.loop.until), self.steps(after), [self.value(v) for v in wanted]]
        return found

    def steps(self, steps: Sequence[p.Step]) -> list[Any]:
        marks: list[Any] = []
        lets: list[int] = []
        musts: list[tuple[int, ...]] = []
        for step in steps:
            match step:
                case p.Must(when, value):
                    musts.append(tuple(self.value(one) for one in (*when, value)))
                case p.Let(var, value):
                    self._is(var, self.value(value))
                    lets.append(self.known[var])
                case p.Throw(var):
                    self._is(var, self.number(("throw", id(step))))
                case p.PoolThrow(pool):
                    sizes = tuple(self.value(one.number) for one in pool.parts)
                    for tally, var in pool.views.items():
                        self._is(var, self.number(("pool", id(step), sizes, tally)))
                    marks.append(sizes)
                case p.Lots(vars, candidates, again, who):
                    keys = [self.value(c) for c in candidates]
                    marks.append((again, sorted(keys)))
                    for var, key, one in zip(vars, keys, who, strict=True):
                        # of candidates on the same condition, the lot of each goes with the one whose it is
                        own = self.things.get(one, one) if keys.count(key) > 1 else None
                        self._is(var, self.number(("lot", id(step), key, own, tuple(sorted(keys)))))
                case p.Draw(var, _, counts):
                    self._is(var, self.number(("card", id(step), tuple(self.value(c) for c in counts))))
                case p.Branch(condition, inner, otherwise):
                    marks.append((self.value(condition), self.steps(inner), self.steps(otherwise)))
                case p.Loop():
                    read = [self.value(var) for var in sorted(reads(step), key=lambda var: var.number)]
                    marks.append(("a loop", id(step), read))
        return [sorted(marks, key=repr), sorted(lets), sorted(musts)]

    def value(self, value: Value) -> int:
        if type(value) is not Sym:
            return self.number(("plain", type(value), value))
        if value in self.known:
            return self.known[value]
        if value in self.plain and self.moved.isdisjoint(value.vars):
            return self.plain[value]
        if value.fn is VARIABLE:
            found = self.number(("outside", value.number))
        elif isinstance(value.fn, Raises):
            found = self.number(("a fault", _said_by(value.fn)))
        elif value.fn is IF and (conditions := self._conditions(value)) is not None:
            found = self.number(self._table(value, *conditions))
        else:
            parts = [self.value(a) for a in value.args]
            if value.fn in IN_ANY_ORDER:
                parts = sorted(
                    x for a, part in zip(value.args, parts, strict=True) for x in self._flat(value.fn, a, part)
                )
            found = self.number((value.fn, tuple(parts)))
        self.known[value] = found
        return found

    def _table(self, choice: Sym, conditions: list[Sym], in_sums: bool) -> Any:
        """What a choice comes to for each way in which its conditions can stand, told by its number: the first stands
        where that is odd."""
        numbers = {one: self.value(one) for one in conditions}
        order = sorted(set(numbers.values()))
        number = 1 << len(order)
        stands = {n: sum(1 << way for way in range(number) if way >> i & 1) for i, n in enumerate(order)}
        holds = {one: stands[n] for one, n in numbers.items()}
        full = (1 << number) - 1

        def taken(value: Value, way: int) -> Value:
            while type(value) is Sym and value.fn is IF:
                value = value.args[1 if _holding(value.args[0], holds, full) >> way & 1 else 2]
            return value

        return tuple(order), tuple([self._under(choice, partial(taken, way=way), in_sums) for way in range(number)])

    def _under(self, choice: Value, taken: Callable[[Value], Value], in_sums: bool) -> int:
        """What a choice comes to where its conditions stand in a certain way; so does each choice in a sum: who is not
        there adds nothing."""
        value = taken(choice)
        if type(value) is not Sym or value.fn is not add or not in_sums:
            return self.value(value)
        known: Exact = 0
        parts: list[Value] = []
        todo: list[Value] = [value]
        while todo:
            part = taken(todo.pop())
            if type(part) is Sym and part.fn is add:
                todo += part.args
            elif type(part) is int or type(part) is Fraction:
                known = add(known, part)
            else:
                parts.append(part)
        if known == 0 and len(parts) == 1 and type(parts[0]) is Sym and self.is_number(parts[0]):
            return self.value(parts[0])
        left = [known] if known or len(parts) < 2 else []
        return self.number((add, tuple(sorted(self.value(part) for part in (*parts, *left)))))

    def _conditions(self, choice: Sym) -> tuple[list[Sym], bool] | None:
        """What decides a choice, and choices in its arms, in sums there too if that is not too much; none if it is too
        much to be told way by way."""
        found = self._asked(choice, (IF, add))
        if found is not None:
            return found, True
        found = self._asked(choice, (IF,))
        return (found, False) if found is not None else None

    def _asked(self, choice: Sym, through: Collection[Value]) -> list[Sym] | None:
        found: dict[Sym, None] = {}
        arms: list[Value] = [choice]
        seen: set[Sym] = set()
        while arms:
            arm = arms.pop()
            if type(arm) is not Sym or arm.fn not in through or arm in seen:
                continue
            seen.add(arm)
            if arm.fn is not IF:
                arms += arm.args
                continue
            arms += arm.args[1:]
            found |= self._claims(arm.args[0])
            if len(found) > MOST_CONDITIONS:
                return None
        return list(found)

    def _claims(self, condition: Sym) -> dict[Sym, None]:
        """What a condition is made of; of one that is made of too much, not all."""
        known = self.claims.get(condition)
        if known is None:
            claims = (one for one in walk((condition,), formula) if one.fn not in LOGIC)
            known = self.claims[condition] = dict.fromkeys(islice(claims, MOST_CONDITIONS + 1))
        return known

    def _flat(self, fn: Any, arg: Value, part: int) -> list[int]:
        """The operands of a chain of the same operation."""
        if type(arg) is Sym and arg.fn is fn and arg not in self.loop.vars:
            return [x for a in arg.args for x in self._flat(fn, a, self.value(a))]
        return [part]


def _holding(condition: Value, holds: dict[Sym, int], full: int) -> int:
    """In which ways a condition holds, a bit for each."""
    if type(condition) is not Sym:
        return full if condition else 0
    found = holds.get(condition)
    if found is None:
        first, *others = [_holding(one, holds, full) for one in condition.args]
        if condition.fn is NOT:
            found = full ^ first
        elif condition.fn is AND:
            found = first & others[0]
        elif condition.fn is OR:
            found = first | others[0]
        else:
            found = first & others[0] | (full ^ first) & others[1]
        holds[condition] = found
    return found


def _said_by(raises: Raises) -> Any:
    """What of a fault must be the same, whoever of those who are alike it happens to."""
    error = raises.make()
    return tuple((one.code, one.span) for one in error.diagnostics) if isinstance(error, Faulty) else error


def canonical(groups: list[Alike], ranks: dict[Row, int]) -> Callable[[Row], Row]:
    """A function that puts the things of each group of a row in an order: rows that differ by swaps become equal.

    Each thing's part of the row is numbered when it is first seen, in `ranks`, and the things are ordered by these
    numbers.
    """
    takes = [
        (group, [itemgetter(*places) if len(places) > 1 else _single(places[0]) for places in group])
        for group in groups
    ]

    def rank(block: Row) -> int:
        return ranks.setdefault(block, len(ranks))

    def ordered(row: Row) -> Row:
        out: list[Value] | None = None
        for group, getters in takes:
            blocks = [take(row) for take in getters]
            numbers = [rank(block) for block in blocks]
            if numbers != sorted(numbers):
                out = list(row) if out is None else out
                for places, number in zip(group, sorted(range(len(blocks)), key=numbers.__getitem__), strict=True):
                    for i, value in zip(places, blocks[number], strict=True):
                        out[i] = value
        return row if out is None else tuple(out)

    return ordered


def _single(place: int) -> Callable[[Row], Row]:
    return lambda row: (row[place],)
