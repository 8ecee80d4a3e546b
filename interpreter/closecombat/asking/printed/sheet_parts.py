"""What is printed, part by part: a sheet as data, which `asking/printed/sheet` makes and `telling` sets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from closecombat.text.slotted import dataclass


@dataclass(frozen=True, slots=True)
class Rests:
    """What a line rests on: clauses, assumptions, options, and the variant that has changed it."""

    cites: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    changed: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A row of a table: `amount` is what it is worth, empty where the text says it; `row` its id."""

    row: str
    amount: str
    text: str
    rests: Rests


@dataclass(frozen=True, slots=True)
class Rows:
    """A table whose rows are conditions; `how` they combine, and `otherwise`."""

    chart: str
    title: str
    how: str
    lines: tuple[Line, ...]
    otherwise: str
    rests: Rests


@dataclass(frozen=True, slots=True)
class Printed:
    """A grid as charts are printed: headings over columns and before rows."""

    chart: str
    title: str
    across: str
    down: str
    columns: tuple[str, ...]
    lines: tuple[tuple[str, tuple[str, ...]], ...]
    notes: tuple[tuple[str, str], ...]
    rests: Rests


@dataclass(frozen=True, slots=True)
class Step:
    """A step, and those that it is made of; `how` these follow each other, if not in their order."""

    row: str
    text: str
    rests: Rests
    how: str = ""
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Steps:
    """A sequence: what is done one after the other."""

    chart: str
    title: str
    how: str
    steps: tuple[Step, ...]
    rests: Rests


@dataclass(frozen=True, slots=True)
class Words:
    """Clauses as they stand in the rulebook's list: id and text."""

    clauses: tuple[tuple[str, str], ...]


Part: TypeAlias = Rows | Printed | Steps | Words


@dataclass(frozen=True, slots=True)
class Reading:
    """A rule that can be read in several ways: which way is printed, and what the others are."""

    option: str
    title: str
    reading: str
    others: tuple[str, ...]
    why: str


@dataclass(frozen=True, slots=True)
class Page:
    """`readings` and `assumed` are what its rows hang on, in the order in which they are met."""

    name: str
    title: str
    parts: tuple[Part, ...]
    readings: tuple[Reading, ...]
    assumed: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Also:
    """What a variant has changed or taken out that no printed row could be marked for."""

    path: str
    how: str  # changed or taken out
    variant: str
    why: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """All pages. `digest` is of the text of the rules, so that a sheet that is out of date can be told."""

    ruleset: str
    title: str
    digest: str
    sources: Mapping[str, str]
    variants: tuple[str, ...]
    also: tuple[Also, ...]
    pages: tuple[Page, ...]
