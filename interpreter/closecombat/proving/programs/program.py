"""What is left of a close combat when everything known has been worked out: throws, and what follows from them.

The evaluator writes these steps while it works; `prove` carries them out for every fall of the dice at once.
Expressions are `symbolic` nodes or plain values; each variable is set by exactly one step.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field
from typing import TypeAlias

from closecombat.proving.throws.dice import Pool
from closecombat.proving.values.symbolic import Sym, Value
from closecombat.reading.slots import Carried
from closecombat.text.slotted import dataclass
from closecombat.text.source import Span


@dataclass(frozen=True, slots=True, eq=False)
class Throw:
    """A few dice: one variable for all their faces; or for whatever else may be this or that."""

    var: Sym
    outcomes: list[tuple[Value, int]]


@dataclass(frozen=True, slots=True, eq=False)
class PoolThrow:
    """Many dice: the pool's variables are the sums asked of it; numbers of dice may be unknown."""

    pool: Pool


@dataclass(frozen=True, slots=True, eq=False)
class Lots:
    """Random selection: for each candidate, if it is one, whether it was picked."""

    vars: tuple[Sym, ...]
    candidates: tuple[Value, ...]
    ties_again: bool
    who: tuple[Value, ...] = ()  # whose each candidate is


@dataclass(frozen=True, slots=True, eq=False)
class Draw:
    """A card from a deck of which `counts` are left of each word."""

    var: Sym
    words: tuple[str, ...]
    counts: tuple[Value, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Let:
    """A variable is a value from here on."""

    var: Sym
    value: Value


@dataclass(frozen=True, slots=True, eq=False)
class Must:
    """A value that whoever plays looks at here, if all of `when` hold, asked one after the other. Nothing is made of
    it: but if it fails, that is told, whether or not anybody reads what comes of it."""

    when: tuple[Value, ...]
    value: Value


@dataclass(frozen=True, slots=True, eq=False)
class Branch:
    """Steps that are done only where the condition holds; what is not set is None. Such a value may be passed on, but
    is asked about only where the condition holds: who reads it behind says `if condition`. What is done elsewhere
    comes from the last passes alone (`passes`): a program is written without."""

    condition: Value
    steps: list[Step]
    otherwise: list[Step] = field(default_factory=list)


@dataclass(frozen=True, slots=True, eq=False)
class Forgotten:
    """Where the flag that ends as `flag` is no, or at the end if that is None, and none of others is a certain value,
    what some values of a loop are makes no difference but to what is `asked` behind it; of those that are `idle` it
    makes none where the flag is yes, either."""

    flag: Sym | None
    ends: tuple[Sym, ...]
    asked: tuple[Sym, ...]
    nowhere: tuple[tuple[Sym, Value], ...] = ()
    idle: tuple[Sym, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Loop:
    """Steps repeated from `starts`, each pass setting `vars` to `nexts`, until the condition (asked after each pass)
    holds of the new values, or `at_most` passes are done; None is without a bound."""

    vars: tuple[Sym, ...]
    starts: tuple[Value, ...]
    steps: list[Step]
    nexts: tuple[Value, ...]
    until: Value
    at_most: int | None
    ends: tuple[Sym, ...] = field(default=())
    place: Span | None = None
    slots: tuple[Carried, ...] = field(default=())  # whose fact each variable is
    alike: tuple[tuple[tuple[Sym, ...], ...], ...] = field(
        default=()
    )  # ends of things that can be swapped (`symmetry`)
    forgets: tuple[Forgotten, ...] = field(default=())  # what of a state makes no difference (`forgetting`)


Step: TypeAlias = Throw | PoolThrow | Lots | Draw | Let | Must | Branch | Loop


def blocks(step: Step) -> tuple[list[Step], ...]:
    """The lists of steps inside a step."""
    match step:
        case Branch(_, inner, otherwise):
            return inner, otherwise
        case Loop(_, _, inner):
            return (inner,)
    return ()


def every(steps: Iterable[Step]) -> Iterator[Step]:
    """Every step of a program, each before those inside it."""
    for step in steps:
        yield step
        for block in blocks(step):
            yield from every(block)


def values(step: Step) -> tuple[Value, ...]:
    """The expressions of a step, without those of the steps inside it."""
    match step:
        case PoolThrow(pool):
            return tuple([one.number for one in pool.parts])
        case Lots(_, candidates):
            return candidates
        case Draw(_, _, counts):
            return counts
        case Let(_, value):
            return (value,)
        case Must(when, value):
            return (*when, value)
        case Branch(condition):
            return (condition,)
        case Loop(_, starts, _, nexts, until):
            return (*starts, *nexts, until)
    return ()


def expressions(steps: Iterable[Step]) -> Iterator[Value]:
    """Every expression in a program."""
    for step in every(steps):
        yield from values(step)
