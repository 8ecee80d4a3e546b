"""What holds inside a branch, and how values that are written meet."""

from __future__ import annotations

from typing import Any

from closecombat.diagnostics import Faulty
from closecombat.source import Span
from closecombat.symbolic import AND, NOT, Sym


def granted(condition: Sym) -> dict[Sym, bool]:
    """What holds inside a branch: the condition, and each part of it if it is an `and`."""
    out = {condition: True}
    if condition.fn is AND:
        for arg in condition.args:
            if type(arg) is Sym:
                out |= granted(arg)
    elif condition.fn is NOT and type(condition.args[0]) is Sym:
        out[condition.args[0]] = False
    return out


def stopped(value: Any, low: int | None, high: int | None) -> Any:
    """The value, or the end of its range that it would pass."""
    if low is not None and value < low:
        return low
    return high if high is not None and value > high else value


def conflict(slot: tuple[Any, ...], first: Span, second: Span) -> Faulty:
    """Two rows would give one fact different values at once."""
    name = f"`{slot[1]}` of {slot[0]}"
    return Faulty.one(
        "conflicting-writes",
        f"two rows give {name} different values at once",
        second,
        labels=((first, "this one too"),),
        help="let the conditions exclude each other, or use `in-order:`",
    )
