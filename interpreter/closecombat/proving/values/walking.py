"""The one walk over nodes: every part of some expressions once, however often it stands there.

Expressions share their parts, so that written out they can be as long as two to the power of their depth; whoever
goes through one must not come to a part twice. What a walk goes into is said by `into`: all parts of a node, the
sides of an `and`. Some keep a shape of their own: whoever builds or numbers on the way back (`closures`, `rewriting`,
`Workshop.over`, `symmetry`), whoever goes down with yes or no in hand (`writes.held`, `ways.holds`), and
`Workshop.everyone` and `is_whole`, which are asked while rules are played.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from closecombat.proving.values.symbolic import AND, IF, NOT, OR, Finds, Sym, Value

Into: TypeAlias = Callable[[Sym], Iterable[Value]]
LOGIC = (AND, OR, NOT, IF)  # what a formula is made of, down to its claims


def parts(node: Sym) -> tuple[Value, ...]:
    return node.args


def formula(node: Sym) -> tuple[Value, ...]:
    """The parts of `and`, `or`, `not` and `if`; a claim has none."""
    fn = node.fn
    return node.args if fn is AND or fn is OR or fn is NOT or fn is IF else ()


def walk(values: Iterable[Value], into: Into = parts) -> Iterator[Sym]:
    """Every node once, each after one that it is a part of; the last value, and the last part, first."""
    todo = [one for one in values if type(one) is Sym]
    seen: set[Sym] = set()
    while todo:
        node = todo.pop()
        if node not in seen:
            seen.add(node)
            yield node
            todo += [one for one in into(node) if type(one) is Sym]


def inside_out(values: Iterable[Value], into: Into = parts) -> list[Sym]:
    """Every node, each after all that it is made from: a node is younger than its parts."""
    return sorted(walk(values, into), key=lambda node: node.number)


def outside_in(values: Iterable[Value]) -> list[Sym]:
    """Every node, each before all that it is made from."""
    return inside_out(values)[::-1]


def is_short(values: Iterable[Value], most: int) -> bool:
    """Whether no more than so many nodes are behind some values."""
    left = most
    for _ in walk(values):
        left -= 1
        if left < 0:
            return False
    return True


def looks_up(value: Value) -> bool:
    """Whether a heading of a chart is found on the way to a value: that takes longer than its nodes are many."""
    return any(isinstance(node.fn, Finds) for node in walk((value,)))


def leaves(value: Value) -> Iterator[Value]:
    """What a choice may come to, whichever arm is taken, known or not; of anything else itself. The first arm first."""
    todo, seen = [value], set[Sym]()
    while todo:
        one = todo.pop()
        if type(one) is not Sym or one.fn is not IF:
            yield one
        elif one not in seen:
            seen.add(one)
            todo += (one.args[2], one.args[1])


def flat(node: Value, fn: Value = None) -> list[Value]:
    """The sides of an `and`, `or` or sum, through all that are put into each other, in their order; of `fn`, if that is
    said, else of what the node itself is."""
    wanted = fn if fn is not None else node.fn
    out: list[Value] = []
    todo = [node]
    while todo:
        one = todo.pop()
        if type(one) is Sym and one.fn is wanted:
            todo += one.args[::-1]
        else:
            out.append(one)
    return out
