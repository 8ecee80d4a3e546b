"""What two rulesets say otherwise, by id: rows that are added, removed, moved or called otherwise, and those that are
changed, cell by cell.

A row that stands further down because another was put in above it is shifted and not changed; one that has changed
places with rows that both have is moved. Only in what is asked in order does that count. What is only said of a row
(its clause, a note, a title) is told apart: it can move no chance. What stands within a row in another order is
changed: the cards of a deck rank by it, and what a column asks may take for granted what one before it has asked. What
changes may come to in a fight is `differing`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from closecombat.asking.editing.names import WORD
from closecombat.asking.printed.shows import Line, effective
from closecombat.reading.spellings import ROW_KEYS
from closecombat.reading.stack import Stack
from closecombat.reading.targets import FREE, columns_of
from closecombat.text.nodes import Listing, Node, Text, agrees, flow, in_one_order
from closecombat.text.nodes import Mapping as MappingNode
from closecombat.text.slotted import dataclass
from closecombat.text.source import Span

ADDED, REMOVED, CHANGED, MOVED, RENAMED = "added", "removed", "changed", "moved", "renamed"
ONLY_SAID = ("cites", "assumed", "note", "title", "says")
SAID_OF_OPTION, SAID_OF_LOSS = "why", "unit"  # beside
LISTS = ("words", "decks", "dice", "dies", "counters")  # whose keys are names that a designer has made
POLICIES = ("adds-up", "first-of", "one-of", "forbidden-if", "highest-of", "lowest-of")
ASKING = ("tables", "groups", "sequences", "outcomes", "strength-lost", "ends")  # whose rows ask column by column
ASKED_WHERE_IT_STANDS = frozenset({"when", "unless", "each", "for"})  # among the columns
RANKED = "decks"  # whose cards rank as they are listed
ORDER = "columns"
NO_ORDER = ("one-of", "forbidden-if", "highest-of", "lowest-of")  # at once it matters: who comes first is listed first


@dataclass(frozen=True, slots=True)
class Cell:
    """One column of a row, old and new; empty where it is not there. `counts` unless it is only said."""

    column: str
    old: str
    new: str
    counts: bool


@dataclass(frozen=True, slots=True)
class RuleChange:
    """One row, fact or chart that the two say otherwise. `was` and `now` are where it stands in each; `to` is the new
    name of what is renamed, and the row that what is moved stands behind. `counts` unless no chance can hang on it."""

    path: str
    how: str
    section: str
    chart: str
    row: str
    old: str
    new: str
    cells: tuple[Cell, ...]
    was: Span | None
    now: Span | None
    to: str
    variant: str
    why: str
    counts: bool
    takes: bool = False  # whether it is new and has a name that something else may have had so far

    @property
    def asks_otherwise(self) -> bool:
        """Whether it is another question when the row applies, and not only what it says then."""
        return self.how != CHANGED or any(cell.column not in ("is", "add", "times", "do") for cell in self.counting)

    @property
    def counting(self) -> tuple[Cell, ...]:
        return tuple(cell for cell in self.cells if cell.counts)


def rule_changes(base: Stack, other: Stack) -> tuple[RuleChange, ...]:
    """Everything that two rulesets say otherwise, in the order of the base; what is new comes last in its chart."""
    lines = effective(base)
    left, right = _by_chart(lines), _by_chart(effective(other))
    asked, charts = {word for line in lines for word in WORD.findall(line.text)}, {line.chart for line in lines}
    found: list[RuleChange] = []
    for key in dict.fromkeys((*left, *right)):
        rows, others = left.get(key, {}), right.get(key, {})
        found.extend(_of_chart(base, other, rows, others))
    found.extend(_of_texts(base, other))
    return tuple([replace(one, takes=not asked.isdisjoint(_new_names(one, charts))) for one in found])


def _new_names(change: RuleChange, charts: Collection[str]) -> set[str]:
    """The names that are new with a change: a sentence of the base in which one stands may mean something else now."""
    if change.how not in (ADDED, RENAMED):
        return set()
    own = {change.chart} if change.chart not in charts else set()
    if change.section in ("kinds", "counters", "words", "sequences"):
        own.add(change.to if change.how == RENAMED else change.row)
    return own


def _by_chart(lines: Iterable[Line]) -> dict[tuple[str, str], dict[str, Line]]:
    found: dict[tuple[str, str], dict[str, Line]] = {}
    for line in lines:
        found.setdefault((line.section, line.chart), {})[line.row] = line
    return found


def _of_chart(base: Stack, other: Stack, rows: Mapping[str, Line], others: Mapping[str, Line]) -> Iterable[RuleChange]:
    called = _called_otherwise(rows, others)
    for name, line in rows.items():
        now = others.get(name)
        if now is None and name in called:
            now = others[called[name]]
            counts = line.section == "sequences" or line.heading not in POLICIES  # else only its own chart names it
            yield replace(_change(RENAMED, line, now), path=line.path, row=name, to=now.row, counts=counts)
        elif now is None:
            yield _change(REMOVED, line, None)
        elif line.node is not None and now.node is not None and line.heading == now.heading:
            cells = tuple(_cells(line, now, _columns(base, line), _columns(other, now)))
            if cells:
                yield replace(_change(CHANGED, line, now), cells=cells, counts=any(cell.counts for cell in cells))
        elif line.heading != now.heading:
            heading = Cell("stands under", line.heading, now.heading, True)
            cells = (heading, *_cells(line, now, _columns(base, line), _columns(other, now)))
            yield replace(_change(CHANGED, line, now), cells=cells)
    before = {new: old for old, new in called.items()}
    order = [before.get(name, name) for name in others if name and (name in rows or name in before)]
    common = [name for name in rows if name in order]
    for name in _moved(common, order):
        at = order.index(name)
        counts = _is_in_order(rows.values()) or _is_in_order(others.values())
        yield replace(
            _change(MOVED, rows[name], others[called.get(name, name)]),
            path=rows[name].path,
            to=order[at - 1] if at else "",
            counts=counts,
        )
    for name, now in others.items():
        if name not in rows and name not in before:
            yield _change(ADDED, None, now)


def _called_otherwise(rows: Mapping[str, Line], others: Mapping[str, Line]) -> dict[str, str]:
    """Rows that are gone, each with the one that has come and says the same."""
    come = {(line.heading, line.text): name for name, line in others.items() if name and name not in rows}
    gone = {(line.heading, line.text): name for name, line in rows.items() if name and name not in others}
    return {name: come[text] for text, name in gone.items() if text in come}


def _change(how: str, was: Line | None, now: Line | None) -> RuleChange:
    one = now or was
    if one is None:
        raise ValueError("neither")
    change = now.change if now is not None else None
    return RuleChange(
        one.path,
        how,
        one.section,
        one.chart,
        one.row,
        was.text if was else "",
        now.text if now else "",
        (),
        was.span if was else None,
        now.span if now else None,
        "",
        change.variant if change else "",
        change.why if change else "",
        True,
    )


def _is_in_order(lines: Iterable[Line]) -> bool:
    """Whether it matters which row stands before which."""
    for line in lines:
        if line.section in ("kinds", "counters"):
            return False
        if line.row and line.heading == "adds-up":
            if isinstance(line.node, MappingNode) and "times" in line.node:
                return True
        elif line.row:
            return line.heading not in NO_ORDER
    return False


def _moved(rows: Sequence[str], order: Sequence[str]) -> list[str]:
    """Of rows that both have, the fewest that must be taken out for the others to stand in one order."""
    place = {name: at for at, name in enumerate(order)}
    ends: list[int] = []  # of the best run of each length, the least last place
    last: list[str] = []
    before: dict[str, str] = {}
    for name in rows:
        at = bisect_left(ends, place[name])
        if at == len(ends):
            ends.append(place[name])
            last.append(name)
        else:
            ends[at], last[at] = place[name], name
        if at:
            before[name] = last[at - 1]
    stays: set[str] = set()
    name = last[-1] if last else ""
    while name:
        stays.add(name)
        name = before.get(name, "")
    return [each for each in rows if each not in stays]


# ---- cells ------------------------------------------------------------------------------------------------


def _columns(stack: Stack, line: Line) -> tuple[str, ...]:
    keys = tuple(part for part in (line.section, line.chart, line.heading, line.row) if part)
    return tuple(column.value for column in columns_of(stack.document, keys))


def _cells(was: Line, now: Line, columns: Sequence[str], others: Sequence[str]) -> Iterable[Cell]:
    """The columns that differ."""
    old, new = _parts(was.node, columns), _parts(now.node, others)
    for name in dict.fromkeys((*old, *new)):
        left, right = old.get(name), new.get(name)
        if left is None or right is None or not (agrees(left, right) and in_one_order(left, right)):
            yield Cell(name, _said(left), _said(right), not _is_only_said(was, name))
    beside = {*ROW_KEYS, *ONLY_SAID} - ASKED_WHERE_IT_STANDS if was.section in ASKING and was.row else ()
    orders = [[name for name in each if name not in beside and name in old and name in new] for each in (old, new)]
    if (was.section == RANKED or beside) and orders[0] != orders[1]:
        yield Cell(ORDER, ", ".join(orders[0]), ", ".join(orders[1]), True)


def _is_only_said(line: Line, name: str) -> bool:
    if line.section in LISTS or line.heading == "cells":
        return False
    if name == SAID_OF_LOSS:
        return line.section == "strength-lost" and not line.row
    return name in ONLY_SAID or (line.section == "options" and name == SAID_OF_OPTION)


def _said(node: Node | None) -> str:
    return "" if node is None else flow(node)


def _parts(node: Node | None, columns: Sequence[str]) -> dict[str, Node]:
    match node:
        case MappingNode(entries):
            return {key.value: value for key, value in entries}
        case Listing(items) if len(columns) == len(items):
            return dict(zip(columns, items, strict=True))
        case Listing(items):
            return {f"cell {at}": item for at, item in enumerate(items, 1)}
        case Text():
            return {"is": node}
    return {}


def _of_texts(base: Stack, other: Stack) -> Iterable[RuleChange]:
    """Assumptions, sources and clauses: no chance hangs on them."""
    for section in FREE:
        left, right = base.document.get(section), other.document.get(section)
        old = {k.value: (k, v) for k, v in left.entries} if isinstance(left, MappingNode) else {}
        new = {k.value: (k, v) for k, v in right.entries} if isinstance(right, MappingNode) else {}
        for name in dict.fromkeys((*old, *new)):
            was, now = old.get(name), new.get(name)
            if was and now and agrees(was[1], now[1]):
                continue
            how = CHANGED if was and now else REMOVED if was else ADDED
            line, after = (
                Line(section, name, "", flow(one[1]), one[0].span, None) if one else None for one in (was, now)
            )
            yield replace(_change(how, line, after), counts=False)
