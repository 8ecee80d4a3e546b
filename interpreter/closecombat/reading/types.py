"""What a fact can hold: the types, and the things themselves.

A value is a bool, an int or Fraction (never a float), a word (str), a Thing, None (nobody), a Thrown roll,
or a `symbolic.Sym` that stands for one of these until dice are known.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import TypeAlias

from closecombat.text.slotted import dataclass

MOST_SHOWN = 6  # words in a help line


def is_number(type: Type) -> bool:
    """Whether it is a number, or dice that come to one."""
    return isinstance(type, Number) or (isinstance(type, Roll) and not type.worded)


def a(name: str) -> str:
    """A name with its article."""
    return f"an {name}" if name[:1] in "aeio" else f"a {name}"


@dataclass(frozen=True, slots=True, eq=False)
class Thing:
    """One unit, side, attack ... of a situation; equal only to itself. `index` is its place in the situation."""

    kind: str
    name: str
    index: int

    def __repr__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Flag:
    """Yes or no."""

    def __str__(self) -> str:
        return "yes or no"


@dataclass(frozen=True, slots=True)
class Number:
    """A number; with bounds it is a whole number in that range. Somebody may have none, if it is `nobody`."""

    low: int | None = None
    high: int | None = None
    nobody: bool = False

    def __str__(self) -> str:
        return ("a number" if self.low is None else f"{self.low} to {self.high}") + (
            " or nobody" if self.nobody else ""
        )


@dataclass(frozen=True, slots=True)
class Word:
    """One of these words, lowest first."""

    words: tuple[str, ...]

    def __str__(self) -> str:
        return "one of " + ", ".join(self.words)


@dataclass(frozen=True, slots=True)
class AThing:
    """Somebody of a kind, or nobody; the `other` of two where it says so."""

    kind: str
    nobody: bool = False
    other: bool = False

    def __str__(self) -> str:
        return a(self.kind) + (" or nobody" if self.nobody else "")


@dataclass(frozen=True, slots=True)
class Things:
    """A set of things of one kind; `each` names a member."""

    kind: str
    each: str

    def __str__(self) -> str:
        return f"a set of which each is {a(self.kind)}"


@dataclass(frozen=True, slots=True)
class ACounter:
    """The name of a counter, or nobody."""

    nobody: bool = False

    def __str__(self) -> str:
        return "the name of a counter"


@dataclass(frozen=True, slots=True)
class Per:
    """A number for each word of a list."""

    words: tuple[str, ...]
    low: int
    high: int

    def __str__(self) -> str:
        return f"a number for each of {', '.join(self.words)}"


@dataclass(frozen=True, slots=True)
class Hand:
    """The cards of a deck that somebody holds, where they are spoken of together."""

    words: tuple[str, ...]

    def __str__(self) -> str:
        return "a hand"


@dataclass(frozen=True, slots=True)
class Roll:
    """The dice of a line of `dice`, once thrown; `worded` if they show words, and so come to no number."""

    dice: str
    worded: bool = False

    def __str__(self) -> str:
        return f"a roll of {self.dice}{' (which shows words)' if self.worded else ''}"


@dataclass(frozen=True, slots=True)
class Handful:
    """Dice as they are printed, `2d6+1`: the value of a fact of type dice."""

    number: int
    sides: int
    plus: int = 0

    def __str__(self) -> str:
        more = f"{self.plus:+d}" if self.plus else ""
        return f"{self.number if self.number != 1 else ''}d{self.sides}{more}"

    @property
    def lowest(self) -> int:
        return self.number + self.plus

    @property
    def highest(self) -> int:
        return self.number * self.sides + self.plus


@dataclass(frozen=True, slots=True)
class SomeDice:
    """Dice as data: what stands on a weapon, and is thrown by whoever uses it."""

    def __str__(self) -> str:
        return "dice such as 2d6+1"


@dataclass(frozen=True, slots=True)
class Nobody:
    """The type of `nobody` alone."""

    def __str__(self) -> str:
        return "nobody"


Type: TypeAlias = Flag | Number | Word | AThing | Things | ACounter | Per | Roll | Hand | SomeDice | Nobody
Exact: TypeAlias = int | Fraction
Face: TypeAlias = int | str  # what a die can show


def exact(value: Exact) -> Exact:
    """A whole Fraction as an int, so that equal numbers look equal."""
    return value.numerator if isinstance(value, Fraction) and value.denominator == 1 else value


def divide(a: Exact, b: Exact) -> Exact:
    if type(a) is int and type(b) is int:
        return Fraction(a, b) if a % b else a // b
    return exact(a / Fraction(b))  # in this order: a value that could not be worked out says so itself


def shown(value: object) -> str:
    """A value as a designer would write it."""
    match value:
        case True:
            return "yes"
        case False:
            return "no"
        case None:
            return "nobody"
    return str(value)


def asked(type: Type) -> str:
    """What to write for a value of this type."""
    match type:
        case Flag():
            return "`yes` or `no`"
        case Number(None, nobody=nobody):
            return "a whole number, or a fraction such as `3/2`" + (", or `nobody`" if nobody else "")
        case Number(low, high, nobody):
            return f"a whole number, {low} to {high}" + (", or `nobody`" if nobody else "")
        case Word(words):
            return " or ".join(f"`{word}`" for word in words[:MOST_SHOWN]) + (", .." if len(words) > MOST_SHOWN else "")
        case Per(words):
            return f"a number for each word: `{{{words[0]}: 1, ..}}`"
        case AThing(kind, nobody):
            return f"the name of {a(kind)}" + (", or `nobody`" if nobody else "")
        case ACounter(nobody):
            return "the name of a counter" + (", or `nobody`" if nobody else "")
        case SomeDice():
            return "dice as they are printed, `2d6`, `1d8+1`"
    return str(type)


def alike(a: Type, b: Type) -> bool:
    """Whether values of these types can be the same."""
    if isinstance(a, AThing) and isinstance(b, AThing):
        return a.kind == b.kind
    if isinstance(a, Word) and isinstance(b, Word):
        return a.words == b.words or set(b.words) <= set(a.words) or set(a.words) <= set(b.words)
    return type(a) is type(b) or isinstance(b, Nobody)


def type_of_faces(faces: Iterable[object], lists: Iterable[tuple[str, ...]]) -> Type:
    """What a die shows: numbers, or words in the order of the shortest list that has them all."""
    shown_faces = list(dict.fromkeys(faces))
    if all(isinstance(face, int) for face in shown_faces):
        return Number()
    having = [words for words in lists if set(shown_faces) <= set(words)]
    return Word(min(having, key=len) if having else tuple(str(face) for face in shown_faces))
