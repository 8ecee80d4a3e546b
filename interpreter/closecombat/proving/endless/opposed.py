"""Sums of dice without end that are set against each other: their dice are thrown together, and what is asked is the
lead of one over the other.

**The problem.** `strike of a is more than strike of b`, where neither has an end. Counted up to any number, each is
"that or more", and it is not known which of two such is more.

**The idea.** What is compared, added or subtracted is written as a sum of such dice, each so many times, and a rest
that has nothing to do with them: `a + 2 > b - c` is `(a + c - b) + 2 > 0`. Where some dice add to it and some take from
it, the sum of them is a lead, a question of its own to all their dice: it has an end on either side wherever what is
asked of it has (`tails`), and they are thrown by turns (`races`). To that end their throws become one, where all that
decides how many dice they have is known and nobody has looked at any of them yet. Of a throw in a branch there are no
dice where the branch is not taken; or, if it is known how many there are, some at which nobody looks.

*An example.* Of `the higher of a and c is more than b` the leads of a over c, of a over b and of c over b are asked.

**Elsewhere.** Where two throws cannot be one (the second has as many dice as the first has hit, is made in every round
anew, or keeps some of its dice) all stays as it is, and `tails` says that there is no end.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction
from functools import partial, reduce
from math import gcd, lcm
from types import MappingProxyType
from typing import TypeAlias

from closecombat.proving.endless.tails import settled_far_out, without_end
from closecombat.proving.programs import program as p
from closecombat.proving.programs.liveness import defined, vars_of
from closecombat.proving.programs.rewriting import Rewriter, rewritten
from closecombat.proving.throws.dice import Pool, Tally, added, multiplied
from closecombat.proving.values.arithmetic import (
    ROUNDED,
    Counted,
    Divided,
    add,
    ceiling,
    is_whole,
    multiply,
    nearest,
    plus,
    subtract,
    times,
)
from closecombat.proving.values.symbolic import IF, Sym, Value, Workshop, at_least, at_most, less_than, more_than, same
from closecombat.proving.values.walking import LOGIC, inside_out, walk
from closecombat.reading.types import Exact, Face, exact
from closecombat.text.slotted import dataclass

COMPARED = (at_least, at_most, more_than, less_than, same)
SUMS = (add, added, subtract, multiply, multiplied)
MOST_CHOICES = 6  # that are made before what hangs on them is worked out, one within the other

TURNED: Mapping[Value, Value] = MappingProxyType(
    {at_least: at_most, at_most: at_least, more_than: less_than, less_than: more_than}
)
# What is rounded down, or up, is so if what was given is so, compared with this much more.
UNROUNDED: Mapping[tuple[bool, Value], tuple[Value, int]] = MappingProxyType(
    {
        (False, at_least): (at_least, 0),
        (False, more_than): (at_least, 1),
        (False, at_most): (less_than, 1),
        (False, less_than): (less_than, 0),
        (True, at_least): (more_than, -1),
        (True, more_than): (more_than, 0),
        (True, at_most): (at_most, 0),
        (True, less_than): (at_most, -1),
    }
)

Linear: TypeAlias = Mapping[Sym, Exact]  # sums of dice, each so many times
Form: TypeAlias = tuple[tuple[Sym, int], ...]  # the same in lowest terms, the first one positive
Path: TypeAlias = tuple[int, ...]  # where a step stands: its place, the arm of that step, the place in that, and so on


def opposed(shop: Workshop, steps: Sequence[p.Step], wanted: Sequence[Value]) -> tuple[list[p.Step], list[Value]]:
    """An equal program in which sums of dice without end that are set against each other are a lead."""
    thrown = {
        var: step
        for step in p.every(steps)
        if isinstance(step, p.PoolThrow) and any(one.endless for one in step.pool.parts)
        for tally, var in step.pool.views.items()
        if isinstance(tally, Tally) and without_end(tally, step.pool) is not None
    }
    endless = _without_end(shop, steps, wanted, thrown) if thrown else {}
    found = _leads(shop, thrown, endless.values())
    if not found:
        return list(steps), list(wanted)
    joined = [one for group in _together(found, thrown) if (one := _joined(shop, steps, *group, thrown)) is not None]
    leads: dict[Form, Value] = {form: var for one in joined for form, var in one.leads.items()}
    for form in {form for form, _ in found.values() if not _is_lead(form)}:
        leads[form] = reduce(partial(plus, shop), (times(shop, often, var) for var, often in form), 0)
    rewriter = Rewriter(shop, _instead(shop, found, leads, thrown))
    instead = {value: rewriter.value(given) for value, given in endless.items() if _holds(given, rewriter.done)}
    last = Rewriter(shop, instead)
    inserts = {one.path: one.step for one in joined}
    gone = {step for one in joined for step in one.instead_of}
    return rewritten(_moved(steps, (), inserts, gone), last), [last.value(value) for value in wanted]


def _is_lead(form: Form) -> bool:
    """Whether some dice add to it and some take from it; where some fall out, a sum may be left, or nothing."""
    return any(often < 0 for _, often in form)


def _holds(value: Value, nodes: Mapping[Sym, Value]) -> bool:
    return any(node in nodes for node in walk((value,)))


def _without_end(
    shop: Workshop, steps: Sequence[p.Step], wanted: Sequence[Value], thrown: Mapping[Sym, p.PoolThrow]
) -> dict[Sym, Value]:
    """The expressions that have no end for one of these sums: the values that are set on the way put into them, and
    what is chosen from chosen first."""
    behind: dict[Sym, frozenset[Sym]] = {var: frozenset((var,)) for var in thrown}
    whole = Rewriter(shop, {})

    def sums(value: Value) -> frozenset[Sym]:
        return frozenset().union(*(behind.get(var, ()) for var in vars_of((value,))))

    for step in p.every(steps):
        if isinstance(step, p.Let) and (found := sums(step.value)):
            behind[step.var] = found
            whole.done[step.var] = whole.value(step.value)
    out: dict[Sym, Value] = {}
    is_settled = {var: settled_far_out(shop, var) for var in thrown}
    choosing = _ChoosingFirst(shop, frozenset(thrown))
    for value in (*p.expressions(steps), *wanted):
        if found := sums(value):
            full = whole.value(value)
            if not all(is_settled[var](full) for var in found):
                chosen = choosing.value(full, MOST_CHOICES)
                out[value] = _without_rounding(shop, chosen, frozenset(thrown))
    return out


@dataclass(frozen=True, slots=True)
class _ChoosingFirst:
    """Makes of a value the same one in which choices among sums are made before anything is worked out with them: `the
    higher of a and b is more than c` is b > c if a < b, else a > c.

    A choice stays below the conditions that it stands under: what is thrown in a branch alone is asked about only where
    the branch is taken."""

    shop: Workshop
    sums: frozenset[Sym]
    done: dict[tuple[Sym, int], Value] = field(default_factory=dict)

    def value(self, value: Value, choices: int) -> Value:
        """At most so many choices are made, one within the other."""
        if type(value) is not Sym or value.vars.isdisjoint(self.sums):
            return value
        if (value, choices) not in self.done:
            self.done[value, choices] = self._made(value, choices)
        return self.done[value, choices]

    def _made(self, node: Sym, choices: int) -> Value:
        if node.fn is IF:
            return self._choice(*node.args, choices=choices)
        if node.fn in LOGIC:
            parts = {part: self.value(part, choices) for part in node.args if type(part) is Sym}
            return Rewriter(self.shop, {part: new for part, new in parts.items() if new is not part}).rebuilt(node)
        asked = walk(node.args[::-1], lambda one: () if one.fn in LOGIC else one.args[::-1])
        among = next((one for one in asked if one.fn is IF and not one.vars.isdisjoint(self.sums)), None)
        if among is None or not choices:
            return node
        condition = among.args[0]
        arms = [Rewriter(self.shop, {condition: is_so}).value(node) for is_so in (True, False)]
        return self._choice(condition, *arms, choices=choices - 1)

    def _choice(self, *parts: Value, choices: int) -> Value:
        condition, then, otherwise = (self.value(one, choices) for one in parts)
        return self.shop.if_(condition, then, otherwise)


def _without_rounding(shop: Workshop, value: Value, sums: frozenset[Sym]) -> Value:
    """The same value with what is rounded and then compared with a whole number compared as it is: `a / 2 rounded down
    is more than b` is a / 2 >= b + 1."""
    compared = [node for node in walk((value,)) if node.fn in COMPARED and not node.vars.isdisjoint(sums)]
    instead = {node: new for node in compared if (new := _unrounded(shop, node, sums)) is not None}
    return Rewriter(shop, instead).value(value) if instead else value


def _unrounded(shop: Workshop, node: Sym, sums: frozenset[Sym]) -> Value:
    for (one, other), fn in ((node.args, node.fn), (node.args[::-1], TURNED.get(node.fn, node.fn))):
        if type(one) is not Sym or one.fn not in ROUNDED.values() or one.vars.isdisjoint(sums):
            continue
        if not is_whole(shop, other):
            continue
        given = plus(shop, one.args[0], Fraction(1, 2)) if one.fn is nearest else one.args[0]
        both = [UNROUNDED[one.fn is ceiling, way] for way in ((at_least, at_most) if fn is same else (fn,))]
        return reduce(shop.and_, [shop.lift(way, given, plus(shop, other, more)) for way, more in both])
    return None


# ---- which leads are asked for -----------------------------------------------------------------------------


def _leads(shop: Workshop, thrown: Mapping[Sym, p.PoolThrow], values: Iterable[Value]) -> dict[Sym, tuple[Form, Exact]]:
    """For each comparison, sum or difference that is a lead and a rest, or in which some dice fall out, `a + 1 > a`:
    what is left of them, and how often it counts."""
    linear: dict[Value, Linear | None] = {}
    out: dict[Sym, tuple[Form, Exact]] = {}
    for node in inside_out(values):
        args = [linear[arg] if type(arg) is Sym else {} if type(arg) in (int, Fraction) else None for arg in node.args]
        linear[node] = _linear(node, args, thrown)
        found = _sum(args[0], args[1], -1) if node.fn in COMPARED else linear[node] if node.fn in SUMS else None
        if found is None:
            continue
        form, often = _lowest_terms(found)
        if _is_lead(form) or thrown.keys() & vars_of(node.args[:1]) & vars_of(node.args[1:]):
            out[node] = form, often
    return out


def _linear(node: Sym, args: Sequence[Linear | None], thrown: Mapping[Sym, p.PoolThrow]) -> Linear | None:
    """How often a value counts each sum of dice; None if it is none of sums of them and a rest."""
    fn = node.fn
    if node in thrown:
        return {node: 1}
    if node.vars.isdisjoint(thrown):
        return {}
    if fn in (add, added, subtract):
        return _sum(args[0], args[1], -1 if fn is subtract else 1)
    if isinstance(fn, Counted):
        return args[0]
    for one, other in ((0, 1), (1, 0)):
        number = node.args[other] if len(args) == 2 else None
        if type(number) is int or isinstance(number, Fraction):
            if fn in (multiply, multiplied):
                return _sum({}, args[one], number)
            if isinstance(fn, Divided) and other and number:
                return _sum({}, args[one], Fraction(1, 1) / number)
    return None


def _sum(one: Linear | None, other: Linear | None, often: Exact) -> Linear | None:
    if one is None or other is None:
        return None
    out = {var: one.get(var, 0) + often * other.get(var, 0) for var in (*one, *other)}
    return {var: number for var, number in out.items() if number}


def _lowest_terms(linear: Linear) -> tuple[Form, Exact]:
    """The same as whole numbers that have no divisor in common, the first above 0; and how often it counts."""
    if not linear:
        return (), 1
    order = sorted(linear, key=lambda var: var.number)
    whole = lcm(*(Fraction(linear[var]).denominator for var in order))
    numbers = [int(linear[var] * whole) for var in order]
    common = gcd(*numbers) * (1 if numbers[0] > 0 else -1)
    return tuple((var, n // common) for var, n in zip(order, numbers, strict=True)), exact(Fraction(common, whole))


def _instead(
    shop: Workshop,
    found: Mapping[Sym, tuple[Form, Exact]],
    leads: Mapping[Form, Value],
    thrown: Mapping[Sym, p.PoolThrow],
) -> dict[Sym, Value]:
    """What stands in place of each value that is a lead and a rest."""
    rest, out = Rewriter(shop, dict.fromkeys(thrown, 0)), {}
    for node, (form, often) in found.items():
        if form in leads:
            lead = times(shop, often, leads[form])
            one, *other = [rest.value(arg) for arg in (node.args if node.fn in COMPARED else (node,))]
            ahead = plus(shop, one, lead)
            out[node] = shop.lift(node.fn, ahead, *other) if other else ahead
    return out


# ---- their throws made one ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Joined:
    """One throw in place of several: where it stands, and the variables of its leads."""

    step: p.PoolThrow
    path: Path
    instead_of: tuple[p.PoolThrow, ...]
    leads: Mapping[Form, Sym]


def _together(
    found: Mapping[Sym, tuple[Form, Exact]], thrown: Mapping[Sym, p.PoolThrow]
) -> list[tuple[list[Form], list[p.PoolThrow]]]:
    """The leads, and the throws that they ask for, in groups that have no throw in common."""
    groups: list[tuple[list[Form], list[p.PoolThrow]]] = []
    for form in dict.fromkeys(form for form, _ in found.values() if _is_lead(form)):
        forms, throws = [form], [thrown[var] for var, _ in form]
        for group in [group for group in groups if any(step in throws for step in group[1])]:
            groups.remove(group)
            forms, throws = [*group[0], *forms], [*group[1], *throws]
        groups.append((forms, list(dict.fromkeys(throws))))
    return groups


def _joined(
    shop: Workshop,
    steps: Sequence[p.Step],
    forms: Sequence[Form],
    throws: Sequence[p.PoolThrow],
    thrown: Mapping[Sym, p.PoolThrow],
) -> _Joined | None:
    """Some throws as one, where that can be."""
    paths = {step: path for path, step in _paths(steps, ()) if step in throws}
    order = sorted(throws, key=lambda step: paths[step])
    block = _in_common(list(paths.values()))
    there = _block(steps, block)
    conditions = [_condition(shop, there, paths[step][len(block) :]) for step in order]
    if any(condition is None for condition in conditions) or any(one.keep for step in order for one in step.pool.parts):
        return None
    parts = [  # so many as are certainly known may be thrown where nobody will look at them
        one if type(one.number) is int else replace(one, number=shop.if_(condition, one.number, 0))
        for step, condition in zip(order, conditions, strict=True)
        for one in step.pool.parts
    ]
    known, views = vars_of(one.number for one in parts), {var for step in order for var in step.pool.views.values()}
    known_at = max((i + 1 for i, step in enumerate(there) if known & defined((step,))), default=0)
    asked = (i for i, step in enumerate(there) if views & vars_of(p.expressions((step,))))
    place = max(known_at, min(paths[step][len(block)] for step in order))
    if place > next(asked, len(there)) or known & views:
        return None
    pool, leads = Pool(tuple(parts)), dict[Form, Sym]()
    own: dict[Sym, Tally] = {}
    before = 0
    for step in order:
        for view, var in step.pool.views.items():
            moved = replace(view, worth=tuple(((i + before, face), worth) for (i, face), worth in view.worth))
            pool.views[moved] = var
            if isinstance(moved, Tally):
                own[var] = moved
        before += len(step.pool.parts)
    for form in forms:
        worth: dict[tuple[int, Face], int] = {}
        for var, often in form:
            for at, each in own[var].worth:
                worth[at] = worth.get(at, 0) + often * each
        leads[form] = pool.views[Tally(tuple(worth.items()))] = shop.variable()
        shop.whole.add(leads[form])
    return _Joined(p.PoolThrow(pool), (*block, place), tuple(order), leads)


def _paths(steps: Sequence[p.Step], block: Path) -> Iterator[tuple[Path, p.Step]]:
    for i, step in enumerate(steps):
        yield (*block, i), step
        for arm, inner in enumerate(p.blocks(step)):
            yield from _paths(inner, (*block, i, arm))


def _in_common(paths: Sequence[Path]) -> Path:
    """The innermost block in which all of some steps stand."""
    out = paths[0][:-1]
    while any(path[: len(out)] != out or len(path) <= len(out) for path in paths):
        out = out[:-2]
    return out


def _block(steps: Sequence[p.Step], block: Path) -> Sequence[p.Step]:
    for i, arm in zip(block[::2], block[1::2], strict=True):
        steps = p.blocks(steps[i])[arm]
    return steps


def _condition(shop: Workshop, steps: Sequence[p.Step], path: Path) -> Value:
    """Under which condition a step of a block is come to; None if it is in a repetition."""
    out: Value = True
    for i, arm in zip(path[:-1:2], path[1::2], strict=True):
        step = steps[i]
        if not isinstance(step, p.Branch):
            return None
        out = shop.and_(out, shop.not_(step.condition) if arm else step.condition)
        steps = p.blocks(step)[arm]
    return out


def _moved(
    steps: Sequence[p.Step], block: Path, inserts: Mapping[Path, p.PoolThrow], gone: Collection[p.Step]
) -> list[p.Step]:
    """The steps with some throws in place of others."""
    out: list[p.Step] = []
    for i, step in enumerate(steps):
        if (*block, i) in inserts:
            out.append(inserts[*block, i])
        if isinstance(step, p.Branch):
            arms = [_moved(inner, (*block, i, arm), inserts, gone) for arm, inner in enumerate(p.blocks(step))]
            out.append(p.Branch(step.condition, *arms))
        elif isinstance(step, p.Loop):
            out.append(replace(step, steps=_moved(step.steps, (*block, i, 0), inserts, gone)))
        elif step not in gone:
            out.append(step)
    if (*block, len(steps)) in inserts:
        out.append(inserts[*block, len(steps)])
    return out
