"""What holds inside a branch, and how values that are written meet."""

from __future__ import annotations

from collections.abc import Mapping

from closecombat.proving.values.symbolic import AND, IF, NOT, OR, Sym, Value, missing
from closecombat.reading.types import Exact


def held(condition: Value, be: bool = True) -> dict[Sym, Value]:
    """What a condition, and its parts, are known to be where it holds, or where it does not."""
    out: dict[Sym, Value] = {}
    todo: list[tuple[Value, bool]] = [(condition, be)]
    while todo:
        node, is_so = todo.pop()
        if type(node) is Sym:
            out[node] = is_so
            if node.fn is NOT:
                todo.append((node.args[0], not is_so))
            elif node.fn is (AND if is_so else OR):
                todo += [(arg, is_so) for arg in node.args]
            elif node.fn is IF:
                which, first, second = node.args
                if first is (not is_so):
                    todo += [(which, False), (second, is_so)]
                elif second is (not is_so):
                    todo += [(which, True), (first, is_so)]
    return out


def decided(value: Value, known: Mapping[Sym, Value]) -> Value:
    """A choice whose conditions are known, as far as they are."""
    while type(value) is Sym and value.fn is IF and value.args[0] in known:
        value = value.args[1 if known[value.args[0]] else 2]
    return value


def stopped(value: Value, low: Exact | None, high: Exact | None) -> Value:
    """The value, or the end of its range that it would pass."""
    try:
        if low is not None and value < low:
            return low
        return high if high is not None and value > high else value
    except TypeError as error:
        raise missing(error, value) from error
