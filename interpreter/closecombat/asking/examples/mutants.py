"""Mutants of a ruleset: the same rules with one small slip in them, such as somebody might make.

A number is off by one, a comparison the other way round, a row or one of its conditions is left out, two cells of a
grid or two rows in order have changed places, an `otherwise` is gone. They are made of the nodes of the document, never
of files: each keeps its place, so whatever is told of it is told of the row as it is written. Whether an example would
miss what was changed is `mutation`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from closecombat.reading.charts import ORDERS, POLICIES, VERBS
from closecombat.text.faults import Bug
from closecombat.text.nodes import Listing, Mapping, Node, Text, flow
from closecombat.text.slotted import dataclass
from closecombat.text.source import Source, Span

Path = tuple[str | int, ...]
SAYINGS = (
    *("says", "cites", "assumed", "note", "title", "about", "words", "rounded"),
    *("instead-of", "each", "for", "as", "into"),
)
NO_CONDITIONS = frozenset(
    (*SAYINGS, "add", "times", "is", "do", *(key for verb in VERBS for key in (verb, *VERBS[verb])))
)
LIMITS = ("at-least", "at-most", "start", "shift", "value", "is")
NUMBER = re.compile(r"(?<![\w.:/\-])([+-]?)(\d{1,6})(?![\w.:/%-])")
FLIPS = (
    (re.compile(r"\bat least\b"), "at most"),
    (re.compile(r"\bat most\b"), "at least"),
    (re.compile(r"\bmore than\b"), "at most"),
    (re.compile(r"\bless than\b"), "at least"),
    (re.compile(r"\bis not\b"), "is"),
    (re.compile(r"\bany\b"), "every"),
    (re.compile(r"\bevery\b"), "any"),
    (re.compile(r"\bor\b"), "and"),
    (re.compile(r"\band\b"), "or"),
    (re.compile(r"^not "), ""),
    (re.compile(r"^yes$"), "no"),
    (re.compile(r"^no$"), "yes"),
)


@dataclass(frozen=True, slots=True)
class Mutant:
    """A slip: what of which row is `changed`, in words, and what stands at `path` instead; nothing if that is left
    out. `rows` is where the rows begin whose examples could miss it: both, where two have changed places, since the one
    that counts keeps the other from being asked."""

    id: str
    changed: str
    place: Span
    rows: tuple[tuple[str, int], ...]
    path: Path
    instead: Node | None


def mutants(document: Mapping) -> Iterator[Mutant]:
    """Every mutant of the tables, outcomes and sequences, in the order of the document."""
    for section in ("tables", "outcomes", "sequences"):
        node = document.get(section)
        if not isinstance(node, Mapping):
            continue
        if section == "outcomes":
            yield from _of_chart(section, (section,), node)
            continue
        for key, chart in node.entries:
            if isinstance(chart, Mapping):
                yield from _of_chart(f"{section}.{key.value}", (section, key.value), chart)


def changed(node: Node, path: Path, instead: Node | None) -> Node:
    """A node with something else at a place below it, or without what stands there."""
    if not path:
        if instead is None:
            raise Bug("nothing is left of the document")
        return instead
    first, rest = path[0], path[1:]
    gone = not rest and instead is None
    match node:
        case Listing(items):
            parts = enumerate(items)
            return replace(
                node,
                items=tuple(
                    changed(one, rest, instead) if i == first else one for i, one in parts if i != first or not gone
                ),
            )
        case Mapping(entries):
            return replace(
                node,
                entries=tuple(
                    (key, changed(one, rest, instead) if key.value == first else one)
                    for key, one in entries
                    if key.value != first or not gone
                ),
            )
    raise Bug(f"nothing stands below {flow(node)}")


# ---- charts -----------------------------------------------------------------------------------------------


def _of_chart(id: str, path: Path, chart: Mapping) -> Iterator[Mutant]:
    here = _start(chart.span)
    if "columns" in chart:
        yield from _of_grid(id, here, path, chart)
    else:
        for under in dict.fromkeys((*POLICIES[1:], *ORDERS)):
            rows = chart.get(under)
            if isinstance(rows, Mapping):
                yield from _of_rows(id, (*path, under), rows, under in ("first-of", "in-order"))
    for name, value in chart.entries:
        if name.value == "otherwise":
            yield Mutant(f"{id}.otherwise", "`otherwise` is left out", name.span, (here,), (*path, "otherwise"), None)
        if name.value in (*LIMITS, "otherwise"):
            yield from _of_texts(id, here, (*path, name.value), value, name.span)


def _of_rows(id: str, path: Path, rows: Mapping, ordered: bool) -> Iterator[Mutant]:
    for i, (key, row) in enumerate(rows.entries):
        name, here, there = f"{id}.{key.value}", _start(key.span), (*path, key.value)
        if len(rows.entries) > 1:
            yield Mutant(name, "the row is left out", key.span, (here,), there, None)
        if ordered and i and not _say_the_same(rows.entries[i - 1][1], row):
            before = rows.entries[i - 1]
            order = (*rows.entries[: i - 1], (key, row), before, *rows.entries[i + 1 :])
            said = f"the row stands before `{before[0].value}`"
            both = (here, _start(before[0].span))
            yield Mutant(name, said, key.span, both, path, replace(rows, entries=order))
        if not isinstance(row, Mapping):
            yield from _of_texts(name, here, there, row, key.span)
            continue
        for column, cell in row.entries:
            if column.value in SAYINGS:
                continue
            if column.value not in NO_CONDITIONS or column.value == "legal":
                said = f"`{column.value}: {flow(cell)}` is left out"
                yield Mutant(name, said, column.span, (here,), (*there, column.value), None)
            yield from _of_texts(name, here, (*there, column.value), cell, column.span)


def _say_the_same(one: Node, other: Node) -> bool:
    """Whether two rows give the same, so that it does not matter which of them is asked first."""
    if not isinstance(one, Mapping) or not isinstance(other, Mapping):
        return False
    gives = [
        [(key.value, flow(value)) for key, value in row.entries if key.value in ("is", "do")] for row in (one, other)
    ]
    return gives[0] == gives[1] != []


def _of_grid(id: str, here: tuple[str, int], path: Path, chart: Mapping) -> Iterator[Mutant]:
    cells = chart.get("cells")
    lines: list[tuple[str, Path, Listing]] = []
    if isinstance(cells, Listing):
        if all(isinstance(item, Text) for item in cells.items):
            lines.append((id, (*path, "cells"), cells))
        lines += [
            (f"{id}.{i + 1}", (*path, "cells", i), line)
            for i, line in enumerate(cells.items)
            if isinstance(line, Listing)
        ]
    if isinstance(cells, Mapping):
        lines += [
            (f"{id}.{key.value}", (*path, "cells", key.value), line)
            for key, line in cells.entries
            if isinstance(line, Listing)
        ]
    for name, there, line in lines:
        for i, cell in enumerate(line.items):
            yield from _of_texts(name, here, (*there, i), cell, cell.span, f"cell {i + 1}: ")
            if i and flow(line.items[i - 1]) != flow(cell):
                swapped = (*line.items[: i - 1], cell, line.items[i - 1], *line.items[i + 1 :])
                said = f"cells {i} and {i + 1}, {flow(line.items[i - 1])} and {flow(cell)}, have changed places"
                yield Mutant(name, said, cell.span, (here,), there, replace(line, items=swapped))


# ---- sentences --------------------------------------------------------------------------------------------


def _of_texts(id: str, row: tuple[str, int], path: Path, node: Node, place: Span, of: str = "") -> Iterator[Mutant]:
    match node:
        case Text():
            for now in dict.fromkeys(_slips(node.value)):
                said = f"{of}`{node.value}` is `{now}`"
                yield Mutant(id, said, node.span, (row,), path, _saying(node, now))
        case Listing(items):
            for i, item in enumerate(items):
                yield from _of_texts(id, row, (*path, i), item, place, of)
        case Mapping(entries):
            for key, value in entries:
                if key.value not in SAYINGS:
                    yield from _of_texts(id, row, (*path, key.value), value, place, of)


def _saying(node: Text, now: str) -> Text:
    """The same place with another text in it."""
    source = Source(node.span.source.name, now)
    return replace(node, value=now, content=Span(source, 0, len(now)), escaped=False)


def _slips(text: str) -> Iterator[str]:
    for found in NUMBER.finditer(text):
        yield text[: found.start()] + _one_more(found) + text[found.end() :]
    for pattern, instead in FLIPS:
        for found in pattern.finditer(text):
            yield text[: found.start()] + instead + text[found.end() :]


def _one_more(found: re.Match[str]) -> str:
    sign, digits = found.groups()
    return str(int(sign + digits) + 1) if sign != "+" else f"+{int(digits) + 1}"


def _start(span: Span) -> tuple[str, int]:
    return span.source.name, span.start
