"""The nodes of a sentence, as written: names are not looked up yet.

Every node carries `at`, the (start, end) offsets of its text within its cell.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import TypeAlias

from closecombat.text.slotted import dataclass
from closecombat.text.source import Span

At: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Path:
    """`leadership of director of attack`: the names from left to right."""

    names: tuple[str, ...]
    at: At


@dataclass(frozen=True, slots=True)
class Reading:
    """A fact or table of somebody, and of a second one after `for`; as it was when the row `moment` was reached."""

    path: Path
    other: Path | None
    at: At
    moment: str = ""


@dataclass(frozen=True, slots=True)
class Literal:
    """A number, yes or no, nobody (None) or a printed heading such as `3-1`."""

    value: int | bool | str | None
    at: At


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """`strength - 2`."""

    sign: str
    left: Node
    right: Node
    at: At


@dataclass(frozen=True, slots=True)
class Rounded:
    """`way` is down, up or nearest."""

    way: str
    value: Node
    at: At


@dataclass(frozen=True, slots=True)
class Compared:
    """`the lower of a and b`, `the highest of a, b and c`: `end` is lower, lowest, higher or highest."""

    end: str
    values: tuple[Node, ...]
    at: At


@dataclass(frozen=True, slots=True)
class Members:
    """A set, or the part of it of which `where` holds; with `other`, without the one who speaks."""

    path: Path
    where: Node | None
    at: At
    other: bool = False


@dataclass(frozen=True, slots=True)
class Count:
    """`number of units of side`."""

    members: Members
    at: At


@dataclass(frozen=True, slots=True)
class Total:
    """`total strength of units of side`."""

    name: str
    members: Members
    at: At


@dataclass(frozen=True, slots=True)
class Extreme:
    """`highest NAME of SET`, `second highest NAME of SET`; with `who`, the member itself."""

    highest: bool
    nth: int
    name: str
    members: Members
    who: bool
    at: At


@dataclass(frozen=True, slots=True)
class Quantified:
    """`any`, `no` or `every` member."""

    quantifier: str
    members: Members
    at: At


@dataclass(frozen=True, slots=True)
class Test:
    """What is said after `is`: `kind` is equal, range, least, most, more, less, in or either.

    The values of `either` are tests; negated, none of them holds.
    """

    kind: str
    values: tuple[Node, ...]
    negated: bool
    at: At


@dataclass(frozen=True, slots=True)
class Claim:
    """`target is broken`: of whom it is said, and what."""

    subject: Node
    test: Test
    at: At


@dataclass(frozen=True, slots=True)
class Negation:
    """`not broken`."""

    value: Node
    at: At


@dataclass(frozen=True, slots=True)
class Bracketed:
    """What stands in brackets: a statement of its own, with which nothing outside goes on."""

    value: Node
    at: At


@dataclass(frozen=True, slots=True)
class Both:
    """`broken and pinned`, of any number."""

    parts: tuple[Node, ...]
    at: At


@dataclass(frozen=True, slots=True)
class Either:
    """`broken or pinned`, of any number."""

    parts: tuple[Node, ...]
    at: At


@dataclass(frozen=True, slots=True)
class Ratio:
    """`attack strength to defence strength`: odds."""

    left: Node
    right: Node
    at: At


@dataclass(frozen=True, slots=True)
class Ordering:
    """`highest initiative`: who goes before whom."""

    highest: bool
    value: Node
    at: At


@dataclass(frozen=True, slots=True)
class Gain:
    """`gain pinned`: a flag becomes true."""

    fact: Path
    at: At


@dataclass(frozen=True, slots=True)
class Lose:
    """`lose pinned`: a flag becomes false."""

    fact: Path
    at: At


@dataclass(frozen=True, slots=True)
class Set:
    """`set nerve of unit to 3`."""

    fact: Path
    value: Node
    at: At


@dataclass(frozen=True, slots=True)
class Add:
    """`add 2 to men`, which stops at the end of its range."""

    value: Node
    fact: Path
    at: At


@dataclass(frozen=True, slots=True)
class Take:
    """`take 2 from men`, which stops at the end of its range."""

    value: Node
    fact: Path
    at: At


@dataclass(frozen=True, slots=True)
class Become:
    """`become half`: another counter."""

    value: Node
    at: At


@dataclass(frozen=True, slots=True)
class Leave:
    """`leave`: out of play."""

    at: At


@dataclass(frozen=True, slots=True)
class Put:
    """`put unit into prisoners of side`."""

    value: Reading
    fact: Path
    at: At


@dataclass(frozen=True, slots=True)
class Remove:
    """`remove unit from prisoners of side`."""

    value: Reading
    fact: Path
    at: At


@dataclass(frozen=True, slots=True)
class Owe:
    """`owe rout`: a duty towards what comes after the fight."""

    duty: str
    at: At


Effect: TypeAlias = Gain | Lose | Set | Add | Take | Become | Leave | Put | Remove | Owe
Node: TypeAlias = (
    Reading
    | Literal
    | Arithmetic
    | Rounded
    | Compared
    | Members
    | Count
    | Total
    | Extreme
    | Quantified
    | Test
    | Claim
    | Negation
    | Bracketed
    | Both
    | Either
    | Ratio
    | Ordering
    | Effect
)
Part: TypeAlias = Node | Path  # whatever stands somewhere in a sentence


def parts_of(node: Part) -> Iterator[Part]:
    """What a node is made of, itself not included, nor what its parts are made of."""
    for field in fields(node):
        inside = getattr(node, field.name)
        for one in inside if isinstance(inside, tuple) else (inside,):
            if is_dataclass(one):
                yield one  # type: ignore[misc]


@dataclass(frozen=True, slots=True)
class Cell:
    """A parsed sentence and where its text stands in the file."""

    node: Node
    text: str
    place: Span
    start: str = "value"  # the way into the grammar by which it was read

    def span(self, node: Part | None = None) -> Span:
        """The place of a node in the file; of the whole cell without one."""
        if node is None:
            return self.place
        start, end = node.at
        return Span(self.place.source, self.place.start + start, self.place.start + end)
