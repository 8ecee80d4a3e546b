"""What may be so when only some values are known: conditions and numbers weakened to what can be told of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from types import MappingProxyType

from closecombat.proving.programs.writes import stopped
from closecombat.proving.values.arithmetic import add, higher, is_whole, lower, plus, subtract
from closecombat.proving.values.arithmetic import minus as less
from closecombat.proving.values.symbolic import (
    AND,
    IF,
    NOT,
    OR,
    VARIABLE,
    Sym,
    Value,
    Workshop,
    at_least,
    at_most,
    less_than,
    more_than,
    same,
)

ENDLESS = None  # a number of which no end can be told


class Perhaps:
    """Weakens conditions to what can be told from the `known` variables; `least` is where others begin."""

    def __init__(self, shop: Workshop, known: Set[Sym], least: Mapping[Sym, int]) -> None:
        self.shop, self.known, self.least = shop, known, least
        self._may: dict[tuple[Sym, bool], Value] = {}
        self._ends: dict[tuple[Sym, bool], Value] = {}

    def may(self, node: Value, be: bool = True) -> Value:
        """A condition that holds wherever `node` may be yes, or may be no."""
        if type(node) is not Sym:
            return bool(node) is be
        if node.vars <= self.known:
            return node if be else self.shop.not_(node)
        if (node, be) not in self._may:
            self._may[node, be] = self._weakened(node, be)
        return self._may[node, be]

    def _weakened(self, node: Sym, be: bool) -> Value:
        shop, fn, args = self.shop, node.fn, node.args
        if fn is NOT:
            return self.may(args[0], not be)
        if fn in (AND, OR):
            join = shop.and_ if (fn is AND) is be else shop.or_
            return join(self.may(args[0], be), self.may(args[1], be))
        if fn is IF:
            condition, then, otherwise = args
            return shop.or_(
                shop.and_(self.may(condition), self.may(then, be)),
                shop.and_(self.may(condition, False), self.may(otherwise, be)),
            )
        if fn is same:
            if isinstance(args[1], bool):
                return self.may(args[0], be is args[1])
            return shop.and_(self._reaches(*args), self._reaches(*reversed(args))) if be else True
        if fn is at_least:
            return self._reaches(*args) if be else self._passes(args[1], args[0])
        if fn is at_most:
            return self._reaches(*reversed(args)) if be else self._passes(*args)
        if fn is more_than:
            return self._passes(*args) if be else self._reaches(*reversed(args))
        if fn is less_than:
            return self._passes(args[1], args[0]) if be else self._reaches(*args)
        return True

    def _reaches(self, a: Value, b: Value) -> Value:
        """Whether `a` may be as high as `b`."""
        return self._compared(at_least, a, b)

    def _passes(self, a: Value, b: Value) -> Value:
        """Whether `a` may be above `b`."""
        return self._compared(more_than, a, b)

    def _compared(self, fn: Callable[[Value, Value], bool], a: Value, b: Value) -> Value:
        high, low = self.end(a, True), self.end(b, False)
        if high is ENDLESS or low is ENDLESS:
            return True
        if self.known:  # it may be certain whatever the known ones are
            blind = Perhaps(self.shop, frozenset(), self.least)
            worst, best = blind.end(high, False), blind.end(low, True)
            if type(worst) is int and type(best) is int and fn(worst, best):
                return True
        certain = is_whole(self.shop, high) and is_whole(self.shop, low)
        return self.shop.lift(fn if certain else OR_NOBODY[fn], high, low)

    def end(self, node: Value, up: bool) -> Value:
        """The highest, or lowest, that a number may be; ENDLESS where that cannot be told."""
        if type(node) is not Sym:
            return node if type(node) is int else ENDLESS
        if node.vars <= self.known:
            return node
        if (node, up) not in self._ends:
            self._ends[node, up] = self._end(node, up)
        return self._ends[node, up]

    def _end(self, node: Sym, up: bool) -> Value:
        shop, fn, args = self.shop, node.fn, node.args
        if fn is VARIABLE:
            return ENDLESS if up else self.least.get(node, ENDLESS)
        if fn in (add, subtract):
            a, b = self.end(args[0], up), self.end(args[1], up is (fn is add))
            if a is ENDLESS or b is ENDLESS:
                return ENDLESS
            return plus(shop, a, b) if fn is add else less(shop, a, b)
        if fn in (higher, lower):
            a, b = self.end(args[0], up), self.end(args[1], up)
            return ENDLESS if a is ENDLESS or b is ENDLESS else shop.lift(fn, a, b)
        if fn is stopped:
            value = self.end(args[0], up)
            return args[2 if up else 1] if value is ENDLESS else shop.lift(stopped, value, *args[1:])
        if fn is IF:
            condition, then, otherwise = args
            a, b = self.end(then, up), self.end(otherwise, up)
            if a is ENDLESS or b is ENDLESS:
                return ENDLESS
            if type(condition) is Sym and condition.vars <= self.known:
                return shop.if_(condition, a, b)
            if is_whole(shop, a) and is_whole(shop, b):
                return shop.if_(shop.lift(at_least if up else at_most, a, b), a, b)
            return shop.lift(_higher if up else _lower, a, b)
        return ENDLESS


# ---- of numbers that may be nobody's: whatever is said of them may be so -----------------------------------


def _higher(a: Value, b: Value) -> Value:
    return None if a is None or b is None else max(a, b)


def _lower(a: Value, b: Value) -> Value:
    return None if a is None or b is None else min(a, b)


def _reaches(a: Value, b: Value) -> bool:
    return a is None or b is None or bool(a >= b)


def _passes(a: Value, b: Value) -> bool:
    return a is None or b is None or bool(a > b)


OR_NOBODY: Mapping[Callable[[Value, Value], bool], Callable[[Value, Value], bool]] = MappingProxyType(
    {at_least: _reaches, more_than: _passes}
)
