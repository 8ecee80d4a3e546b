"""Expressions without what makes no difference in this fight: what is certain, and what is asked twice.

A sentence is written for every fight, and in this one much of it is certain: forty dice never show more than forty
hits, so nobody need watch that a fact up to 40 holds them. While rules are played little is known of a throw, and what
players answer must not hang on how sharply anybody looks; here the dice are counted (`settled`).

What is taken away is looked at less often: a value may fail in fewer states than before, never in more, and where
players look at it is told apart (`Must`).

*An example* of what is asked twice (`shared`). `any of ours is there and any of theirs is there` comes as `(a1 and T)
or (a2 and T) or ..`, with `T` for whether one of theirs is there, since it is asked of each of ours. It is `(a1 or a2
or ..) and T`: each side by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from closecombat.proving.foreseeing.ranges import dice_counted, gives_back, is_single, range_of, works_always
from closecombat.proving.programs import program as p
from closecombat.proving.programs.rewriting import Rewriter, rewritten
from closecombat.proving.values.symbolic import (
    AND,
    COMPARISONS,
    OR,
    VARIABLE,
    Fallible,
    Sym,
    Value,
    Workshop,
    whole_flag,
)
from closecombat.proving.values.walking import flat, inside_out, leaves

MOST_SIDES = 200  # of an `or` in which it is looked for what all sides have in common

Simpler = Callable[[Workshop, Sym], Value]


def settled(shop: Workshop, steps: Sequence[p.Step], wanted: Sequence[Value]) -> tuple[list[p.Step], list[Value]]:
    """An equal program without comparisons that always come out alike, and checks that are always passed."""
    with dice_counted(shop, steps):
        found, wanted = _rebuilt(shop, _unfailing(shop, steps), wanted, _settled)
        return _unbranched(found), wanted


def shared(shop: Workshop, steps: Sequence[p.Step], wanted: Sequence[Value]) -> tuple[list[p.Step], list[Value]]:
    """An equal program in which each condition is asked once."""
    return _rebuilt(shop, steps, wanted, _shared)


def _rebuilt(
    shop: Workshop, steps: Sequence[p.Step], wanted: Sequence[Value], simpler: Simpler
) -> tuple[list[p.Step], list[Value]]:
    rewriter, is_simpler = Rewriter(shop, {}), False
    for node in inside_out([*p.expressions(steps), *wanted]):
        if node.fn is not VARIABLE:
            value = rewriter.value(node)
            rewriter.done[node] = new = simpler(shop, value) if type(value) is Sym else value
            is_simpler = is_simpler or new is not node
    if not is_simpler:
        return list(steps), list(wanted)
    return rewritten(steps, rewriter), [rewriter.value(value) for value in wanted]


# ---- what is certain ---------------------------------------------------------------------------------------


def _unfailing(shop: Workshop, steps: Sequence[p.Step]) -> list[p.Step]:
    """The steps without those that look at what certainly does not fail."""
    out: list[p.Step] = []
    for step in steps:
        match step:
            case p.Must(_, value) if _is_checked(value) and works_always(shop, value):
                continue
            case p.Branch(condition, inner, otherwise):
                step = p.Branch(condition, _unfailing(shop, inner), _unfailing(shop, otherwise))
        out.append(step)
    return out


def _unbranched(steps: Sequence[p.Step]) -> list[p.Step]:
    """The steps with those of branches that are certainly taken in their places."""
    out: list[p.Step] = []
    for step in steps:
        if isinstance(step, p.Branch):
            inner = _unbranched(step.steps)
            out += inner if step.condition is True else [p.Branch(step.condition, inner, step.otherwise)]
        else:
            out.append(step)
    return out


def _is_checked(value: Value) -> bool:
    """Whether all that a value may be is known, or made by something that fails or not here: not before."""
    return all(type(one) is not Sym or isinstance(one.fn, Fallible) for one in leaves(value))


def _settled(shop: Workshop, node: Sym) -> Value:
    if node.fn in COMPARISONS:
        found = range_of(shop, node)
        if isinstance(found, tuple) and is_single(found):
            return found[0]
        return node.args[0] if node.fn is whole_flag and _is_flag(shop, node.args[0]) else node
    return node.args[0] if gives_back(shop, node) else node


def _is_flag(shop: Workshop, value: Value) -> bool:
    found = range_of(shop, value)
    return isinstance(found, tuple) and all(type(one) is bool for one in found)


# ---- what is asked twice -----------------------------------------------------------------------------------


def _shared(shop: Workshop, node: Sym) -> Value:
    if node.fn is AND:
        sides = flat(node)
        return node if len(set(sides)) == len(sides) else _one_by_one(shop.and_, list(dict.fromkeys(sides)))
    return _any_of(shop, node) if node.fn is OR else node


def _any_of(shop: Workshop, node: Sym) -> Value:
    """What all sides have in common is asked once."""
    every = flat(node)
    sides = list(dict.fromkeys(every))
    if len(sides) > MOST_SIDES:
        return node
    asked = [list(dict.fromkeys(flat(side, AND))) for side in sides]
    common = [one for one in asked[0] if all(one in others for others in asked[1:])]
    if not common:
        return node if len(sides) == len(every) else _one_by_one(shop.or_, sides)
    number, shares = len(common), set(common)
    left = [[one for one in others if one not in shares] for others in asked]
    if not all(left):
        return _one_by_one(shop.and_, common)
    rest = _one_by_one(shop.or_, [_one_by_one(shop.and_, one) for one in left])
    # What stands behind something else is looked at only where that is so. What some side asks first is asked in any
    # case, and may go before all; what every side asks last may go behind all. Else each stays in its place.
    first = next((others[:number] for others in asked if set(others[:number]) == shares), None)
    if first is not None:
        return shop.and_(_one_by_one(shop.and_, first), rest)
    if all(set(others[-number:]) == shares for others in asked):
        return shop.and_(rest, _one_by_one(shop.and_, common))
    return node


def _one_by_one(fn: Callable[[Value, Value], Value], values: Sequence[Value]) -> Value:
    out, *others = values
    for value in others:
        out = fn(out, value)
    return out
