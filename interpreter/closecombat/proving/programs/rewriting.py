"""The one rewriter: programs and their expressions with some nodes replaced.

Every pass that changes an expression does it here, so that what can be simplified is simplified in the same way, and
a kind of step that is added is added once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from closecombat.proving.programs import program as p
from closecombat.proving.values.symbolic import AND, IF, NOT, OR, VARIABLE, Sym, Tabled, Value, Workshop

MOST_ARMS = 6  # of a choice that a function is moved into

Instead: TypeAlias = Callable[[p.Step], Sequence[p.Step] | None]


class Rewriter:
    """Rebuilds expressions with some of their nodes replaced."""

    def __init__(self, shop: Workshop, replaced: dict[Sym, Value], spread: bool = False) -> None:
        self.shop, self.done, self.spread = shop, dict(replaced), spread

    def value(self, value: Value) -> Value:
        if type(value) is not Sym or (value.fn is VARIABLE and value not in self.done):
            return value
        if value not in self.done:
            self.done[value] = self.rebuilt(value)
        return self.done[value]

    def spread_out(self, value: Value) -> Value:
        """The same value, with functions moved into the arms of short choices."""
        return Rewriter(self.shop, {}, spread=True).value(value)

    def rebuilt(self, node: Sym) -> Value:
        shop = self.shop
        if not any(type(a) is Sym for a in node.args):
            return node
        if node.fn is IF:
            condition = self.value(node.args[0])
            if type(condition) is not Sym:
                return self.value(node.args[1] if condition else node.args[2])
            return shop.if_(condition, self.value(node.args[1]), self.value(node.args[2]))
        args = [self.value(a) for a in node.args]
        if args == list(node.args) and not self.spread:
            return node
        if node.fn is AND:
            return shop.and_(*args)
        if node.fn is OR:
            return shop.or_(*args)
        if node.fn is NOT:
            return shop.not_(*args)
        return self._applied(node.fn, args)

    def _applied(self, fn: Callable[..., Value], args: list[Value]) -> Value:
        """A function of the arguments, moved into the arms of any short choice among them."""
        shop = self.shop
        for i, arg in enumerate(() if isinstance(fn, Tabled) else args):
            if type(arg) is Sym and arg.fn is IF and len(shop.leaves(arg)) <= MOST_ARMS:
                return shop.over(arg, partial(self._with_arm, fn, args, i))
        return shop.lift(fn, *args)

    def _with_arm(self, fn: Callable[..., Value], args: list[Value], i: int, leaf: Value) -> Value:
        return self._applied(fn, [*args[:i], leaf, *args[i + 1 :]])


def rewritten(steps: Iterable[p.Step], rewriter: Rewriter, instead: Instead = lambda step: None) -> list[p.Step]:
    """Steps with their expressions rebuilt; where `instead` gives some for a step, these stand there as they are."""
    out: list[p.Step] = []
    for step in steps:
        others = instead(step)
        out += [_rebuilt(step, rewriter, instead)] if others is None else others
    return out


def _rebuilt(step: p.Step, rewriter: Rewriter, instead: Instead) -> p.Step:
    value = rewriter.value
    match step:
        case p.Let(var, given):
            return p.Let(var, value(given))
        case p.Must(when, given):
            return p.Must(tuple(value(one) for one in when), value(given))
        case p.Lots(_, candidates):
            return replace(step, candidates=tuple(value(one) for one in candidates))
        case p.Draw(var, words, counts):
            return p.Draw(var, words, tuple(value(one) for one in counts))
        case p.PoolThrow(pool):
            return p.PoolThrow(pool.resized(tuple(value(one.number) for one in pool.parts)))
        case p.Branch(condition, inner, otherwise):
            arms = [rewritten(arm, rewriter, instead) for arm in (inner, otherwise)]
            return p.Branch(value(condition), *arms)
        case p.Loop(_, starts, inner, nexts, until):
            inner = rewritten(inner, rewriter, instead)
            return replace(
                step,
                starts=tuple(value(one) for one in starts),
                nexts=tuple(value(one) for one in nexts),
                until=value(until),
                steps=inner,
            )
    return step
