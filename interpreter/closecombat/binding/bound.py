"""Charts whose names are looked up: what `charts` makes, and what playing and reading them needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from closecombat.binding.names import Scope
from closecombat.binding.terms import SetTerm, Term
from closecombat.proving.arithmetic import Counted
from closecombat.reading import model as m
from closecombat.reading.syntax import Cell
from closecombat.reading.types import Type


@dataclass(frozen=True, slots=True)
class BoundRow:
    row: m.Row
    each: SetTerm | None
    tests: tuple[Term, ...]
    verdict: Term | None
    scope: Scope


@dataclass(frozen=True, slots=True)
class BoundTable:
    table: m.Table
    rows: tuple[BoundRow, ...]
    blockers: Mapping[str, tuple[str, ...]]  # row -> the rows that count instead of it
    value: Term | None
    otherwise: Term | None
    start: Term | None
    at_least: Term | None
    at_most: Term | None
    type: Type
    scope: Scope


@dataclass(frozen=True, slots=True)
class BoundGrid:
    grid: m.Grid
    across: tuple[Term, ...]  # one value, or the two sides of a ratio
    down: Term | None
    shift: Term | None
    type: Type


@dataclass(frozen=True, slots=True)
class BoundDice:
    """The sentences of one part of a roll."""

    number: Term | None
    again: Term | None
    explode: Term | None


@dataclass(frozen=True, slots=True)
class BoundEffect:
    """`owner` is whose fact is changed; `fact` its name; `value` what to set, add or put."""

    verb: str
    owner: Term | None
    fact: m.Fact | None
    value: Term | None
    word: str
    cell: Cell
    counted: Counted  # the number it changes something by, which somebody must have


@dataclass(frozen=True, slots=True)
class BoundAct:
    act: m.Act
    each: SetTerm | None
    who: tuple[Term, tuple[str, ...]] | None  # the one it is for, and the names he goes by here
    tests: tuple[Term, ...]
    fact: m.Fact | None  # what is rolled, dealt, chosen, declared, singled out into
    owner: Term | None
    terms: Mapping[str, Any]
    effects: tuple[BoundEffect, ...]
    scope: Scope


@dataclass(frozen=True, slots=True)
class BoundSequence:
    sequence: m.Sequence
    acts: tuple[BoundAct, ...]
    until: Term | None
