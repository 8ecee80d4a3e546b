"""Sums, products and rounding, of numbers that may not be known yet; None is nobody, and cannot be counted on.

What changes nothing is never written down: `x + 0`, `x - x`, `x / 1`, the rounding of a whole number. That holds
only of what is certainly a whole number: anything else may turn out to be nobody, which is a fault to be told.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from closecombat.proving.values.symbolic import IF, Fallible, Raises, Sym, Value, Workshop, missing
from closecombat.reading.types import Exact, divide, exact
from closecombat.text.faults import Faulty
from closecombat.text.slotted import dataclass
from closecombat.text.source import Span

# ---- plain functions of plain values ---------------------------------------------------------------------


def add(a: Exact, b: Exact) -> Exact:
    try:
        out = a + b
    except TypeError as error:
        raise missing(error, a, b) from error
    return out if type(out) is int else exact(out)


def subtract(a: Exact, b: Exact) -> Exact:
    try:
        out = a - b
    except TypeError as error:
        raise missing(error, a, b) from error
    return out if type(out) is int else exact(out)


def multiply(a: Exact, b: Exact) -> Exact:
    try:
        out = a * b
    except TypeError as error:
        raise missing(error, a, b) from error
    return out if type(out) is int else exact(out)


def floor(a: Exact) -> int:
    try:
        return a.numerator // a.denominator
    except AttributeError as error:
        raise missing(error, a) from error


def ceiling(a: Exact) -> int:
    try:
        return -(-a.numerator // a.denominator)
    except AttributeError as error:
        raise missing(error, a) from error


def nearest(a: Exact) -> int:
    """The nearest whole number; of a half the higher one, also below 0."""
    try:
        return (2 * a.numerator + a.denominator) // (2 * a.denominator)
    except AttributeError as error:
        raise missing(error, a) from error


ROUNDED: Mapping[str, Callable[[Value], int]] = {"down": floor, "up": ceiling, "nearest": nearest}


def higher(a: Exact | None, b: Exact | None) -> Exact | None:
    """The higher of two numbers, or that of whoever is somebody."""
    if a is None or b is None:
        return b if a is None else a
    return a if a >= b else b


def lower(a: Exact | None, b: Exact | None) -> Exact | None:
    """The lower of two numbers, or that of whoever is somebody."""
    if a is None or b is None:
        return b if a is None else a
    return a if a <= b else b


@dataclass(frozen=True, slots=True)
class Counted(Fallible):
    """A value that a sentence counts on: that of nobody is a fault at its place."""

    said: str
    place: Span
    wrong: str = "counts on a value of nobody"
    help: str = (
        "let a column ask first whether it applies: dice that nobody has thrown yet, the highest of none and a number "
        "that not everybody has are nobody's"
    )

    def __call__(self, value: Value) -> Value:
        if value is None:
            raise self.failed()
        return value

    def failed(self) -> Faulty:
        return Faulty.one("no-value", f"`{self.said}` {self.wrong}", self.place, help=self.help)


@dataclass(frozen=True, slots=True)
class Divided(Fallible):
    """A quotient: by 0 is a fault at its place."""

    said: str
    place: Span

    def __call__(self, a: Exact, b: Exact) -> Exact:
        if b == 0:
            raise Faulty.one(
                "no-value", f"`{self.said}` divides by 0", self.place, help="let a column ask first whether it applies"
            )
        if a is None or b is None:
            raise missing(TypeError("not a number"), a, b)
        return divide(a, b)


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
            if isinstance(one.fn, Raises):
                continue
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


def farther(shop: Workshop, up: bool, a: Value, b: Value) -> Value:
    """The higher, or the lower; nobody is neither."""
    if a is None or b is None:
        return b if a is None else a
    return kept_whole(shop, higher if up else lower, a, b)


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


def rounded(shop: Workshop, value: Value, way: str) -> Value:
    if is_whole(shop, value):
        return value
    out = shop.lift(ROUNDED[way], value)
    if type(out) is Sym:
        shop.whole.add(out)
    return out


def kept_whole(shop: Workshop, fn: Callable[..., Value], first: Value, *others: Value) -> Value:
    """A function that makes whole numbers of whole numbers."""
    out = shop.lift(fn, first, *others)
    if type(out) is Sym and out not in shop.whole and all(x is None or is_whole(shop, x) for x in (first, *others)):
        shop.whole.add(out)
    return out


def signed(shop: Workshop, sign: str, a: Value, b: Value, divided: Divided) -> Value:
    """Two numbers with a sign between them."""
    match sign:
        case "+":
            return plus(shop, a, b)
        case "-":
            return minus(shop, a, b)
        case "*":
            return times(shop, a, b)
    if type(b) is int and b == 1:
        return a
    return shop.lift(divided, a, b)
