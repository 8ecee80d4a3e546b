"""Conditions as ways in which they can hold: each way is a set of answers that are all given.

Kept short: a way that another one covers is left out, too many ways become what they have in common, and an answer
that takes long to find is not asked for. All of that only makes a condition hold more often.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from typing import TypeAlias

from closecombat.proving.values.symbolic import AND, IF, NOT, OR, Sym, Value, Workshop
from closecombat.proving.values.walking import is_short

Answer: TypeAlias = tuple[Sym, bool]
Way: TypeAlias = frozenset[Answer]
Ways: TypeAlias = frozenset[Way]

NEVER: Ways = frozenset()
ALWAYS: Ways = frozenset((frozenset[Answer](),))
MOST_WAYS = 30
MOST_ANSWERS = 60  # in one way
MOST_NODES = 60  # of a condition that is asked for: the one bound on what is short enough to be asked row by row


def either(a: Ways, b: Ways) -> Ways:
    if a == b or not b:
        return a
    return _uncovered(a | b) if a else b


def both(a: Ways, b: Ways) -> Ways:
    if a == ALWAYS:
        return b
    return shortest(one | other for one in a for other in b) if b != ALWAYS else a


def shortest(ways: Iterable[Way]) -> Ways:
    """The ways that can be gone and that no other covers."""
    return _uncovered({w for w in ways if not any((node, not yes) in w for node, yes in w)})


def _uncovered(ways: Iterable[Way]) -> Ways:
    kept: list[Way] = []
    for way in sorted(ways, key=len):
        if len(way) > MOST_ANSWERS:
            way = frozenset(sorted(way, key=lambda answer: answer[0].number)[:MOST_ANSWERS])
        if not any(other <= way for other in kept):
            kept.append(way)
    return frozenset(kept) if len(kept) <= MOST_WAYS else frozenset((reduce(frozenset.intersection, kept),))


def holds(condition: Value, be: bool = True) -> Ways:
    """The one way in which a condition is yes, or no: its parts that must be, as far as they are short."""
    out: set[Answer] = set()
    todo: list[tuple[Value, bool]] = [(condition, be)]
    while todo:
        node, yes = todo.pop()
        if type(node) is not Sym:
            if bool(node) is not yes:
                return NEVER
        elif node.fn is NOT:
            todo.append((node.args[0], not yes))
        elif node.fn is (AND if yes else OR):
            todo += [(arg, yes) for arg in node.args]
        elif node.fn is IF and any(type(arm) is bool and arm is not yes for arm in node.args[1:]):
            condition, then, otherwise = node.args
            first = then is (not yes)
            todo += [(condition, not first), (otherwise if first else then, yes)]
        elif _is_asked_for(node):
            out.add((node, yes))
    return frozenset((frozenset(out),))


def weakened(ways: Ways, tell: Callable[[Sym, bool, Way], Value]) -> Ways:
    """The same, with each answer replaced by a condition that it implies, given its way."""
    out: Ways = NEVER
    for way in ways:
        mine = ALWAYS
        for node, yes in way:
            mine = both(mine, holds(tell(node, yes, way)))
        out = either(out, mine)
    return out


def as_value(shop: Workshop, ways: Ways) -> Value:
    out: Value = False
    for way in ways:
        one: Value = True
        for node, yes in sorted(way, key=lambda answer: answer[0].number):
            one = shop.and_(one, node if yes else shop.not_(node))
        out = shop.or_(out, one)
    return out


def _is_asked_for(condition: Sym) -> bool:
    """Whether an answer is soon found; the same conditions come again and again, so that it is remembered."""
    if condition.short is None:
        condition.short = is_short((condition,), MOST_NODES)
    return condition.short
