"""Sums, products and rounding, of numbers that may not be known yet; None is nobody, and cannot be counted on.

What changes nothing is never written down: `x + 0`, `x - x`, `x / 1`, the rounding of a whole number. That holds
only of what is certainly a whole number: anything else may turn out to be nobody, which is a fault to be told.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from closecombat.symbolic import IF, Sym, Value, Workshop
from closecombat.values import Exact, divide, exact

# ---- plain functions of plain values ---------------------------------------------------------------------


def add(a: Exact, b: Exact) -> Exact:
    out = a + b
    return out if type(out) is int else exact(out)


def subtract(a: Exact, b: Exact) -> Exact:
    out = a - b
    return out if type(out) is int else exact(out)


def multiply(a: Exact, b: Exact) -> Exact:
    out = a * b
    return out if type(out) is int else exact(out)


def floor(a: Exact) -> int:
    return a // 1 if isinstance(a, int) else a.numerator // a.denominator


def ceiling(a: Exact) -> int:
    return -floor(-a)


SIGNS: Mapping[str, Callable[[Any, Any], Any]] = {"+": add, "-": subtract, "*": multiply, "/": divide}


def or_fault(sign: str, failed: Callable[[Any], Exception]) -> Callable[[Any, Any], Any]:
    """What a sign does; `failed(b)` makes the fault where it cannot be done."""
    plain = SIGNS[sign]

    def checked(a: Any, b: Any) -> Any:
        try:
            return plain(a, b)
        except (TypeError, ZeroDivisionError):
            raise failed(b) from None

    return checked


# ---- the same of values that may not be known yet --------------------------------------------------------


def is_whole(shop: Workshop, value: Value) -> bool:
    """Whether a value is certainly a whole number, whichever arm of a choice it is."""
    todo, seen = [value], set[Sym]()
    while todo:
        one = todo.pop()
        if type(one) is not Sym:
            if type(one) is not int:
                return False
        elif one not in shop.whole and one not in seen:
            if one.fn is not IF:
                return False
            seen.add(one)
            todo.extend(one.args[1:])
    shop.whole |= seen
    return True


def plus(shop: Workshop, a: Value, b: Value) -> Value:
    """The sum. A known 0 adds nothing: sums begin with it."""
    if type(a) is int and a == 0:
        return b
    if type(b) is int and b == 0:
        return a
    return kept_whole(shop, add, a, b)


def minus(shop: Workshop, a: Value, b: Value) -> Value:
    if type(b) is int and b == 0:
        return a
    if a is b and is_whole(shop, a):
        return 0
    return kept_whole(shop, subtract, a, b)


def times(shop: Workshop, a: Value, b: Value) -> Value:
    for one, other in ((a, b), (b, a)):
        if type(one) is int and one in (0, 1) and is_whole(shop, other):
            return other if one else 0
    return kept_whole(shop, multiply, a, b)


def rounded(shop: Workshop, value: Value, up: bool) -> Value:
    if is_whole(shop, value):
        return value
    out = shop.lift(ceiling if up else floor, value)
    if type(out) is Sym:
        shop.whole.add(out)
    return out


def kept_whole(shop: Workshop, fn: Callable[..., Any], first: Value, *others: Value) -> Value:
    """A function that makes whole numbers of whole numbers."""
    out = shop.lift(fn, first, *others)
    if type(out) is Sym and out not in shop.whole and all(x is None or is_whole(shop, x) for x in (first, *others)):
        shop.whole.add(out)
    return out


def signed(shop: Workshop, sign: str, a: Value, b: Value, checked: Callable[[Any, Any], Any]) -> Value:
    """Two numbers with a sign between them; `checked` does it where one of them may be nobody."""
    if sign == "/":
        if b == 1 and type(b) is int and is_whole(shop, a):
            return a
    elif is_whole(shop, a) and is_whole(shop, b):
        return {"+": plus, "-": minus, "*": times}[sign](shop, a, b)
    return shop.lift(checked, a, b)
