"""What a ruleset says after its variants: every row with the place it stands at. Rendering is `telling/rules`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from closecombat.reading.model import Change
from closecombat.reading.stack import Stack
from closecombat.reading.targets import FREE, HEADINGS, SECTIONS, SINGLE, entry_at
from closecombat.text.nodes import Mapping, Node, Text, flow
from closecombat.text.slotted import dataclass
from closecombat.text.source import Span

SHOWN = tuple(section for section in SECTIONS if section not in FREE)
ABOUT = ("title", "why", "note", "is", "are", "readings", "do")  # the keys of a chart that say what it is for, or is
MANY = 20  # charts of one section: more are told by their names


@dataclass(frozen=True, slots=True)
class Line:
    """One row. `chart` is empty for what there is only one of, `row` for a chart's own keys."""

    section: str
    chart: str
    row: str
    text: str  # as one flow line
    span: Span
    change: Change | None  # the last change that wrote it
    words: str = ""  # of a clause: what it says, or why it is left out
    node: Node | None = None  # what stands there, but for the rows that have lines of their own
    heading: str = ""  # under which a row stands

    @property
    def path(self) -> str:
        """What `at:` of a variant would call it."""
        return ".".join(part for part in (self.section, self.chart, self.row) if part)

    @property
    def place(self) -> str:
        """File and line."""
        return f"{self.span.source.name}:{self.span.source.position(self.span.start)[0]}"

    @property
    def said(self) -> str:
        """Its text for people: of a clause, or of what is assumed, the words alone."""
        return self.words or self.text

    @property
    def variant(self) -> str:
        return self.change.variant if self.change else ""


def effective(stack: Stack) -> tuple[Line, ...]:
    """Every row of the ruleset as it is played, in the order of the files."""
    document, changes = stack.document, stack.changes
    found: list[Line] = []
    for section in SHOWN:
        match document.entry(section):
            case (key, node) if section in SINGLE:
                found.extend(_chart(section, "", key, node, changes))
            case (_, Mapping(entries)):
                for name, chart in entries:
                    found.extend(_chart(section, name.value, name, chart, changes))
    return tuple(found)


def in_full(path: str, lines: Iterable[Line]) -> str:
    """A path that begins with the name of a chart, with its section before it, if only one has a chart of that name."""
    first, *rest = path.split(".", 1)
    sections = {line.section: line.chart == first for line in lines if line.chart == first or line.section == first}
    return ".".join([*sections, first, *rest]) if list(sections.values()) == [True] else path


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart by its name: what it is for, and how many rows it has."""

    section: str
    name: str
    about: str
    rows: int
    line: Line  # its first

    @property
    def path(self) -> str:
        return ".".join(part for part in (self.section, self.name) if part)


def charts(lines: Iterable[Line], document: Mapping) -> tuple[Chart, ...]:
    """The charts that rows belong to, in their order."""
    found: dict[tuple[str, str], list[Line]] = {}
    for line in lines:
        found.setdefault((line.section, line.chart), []).append(line)
    out = []
    for (section, name), rows in found.items():
        keys = (section, name) if name else (section,)
        entry = entry_at(document, keys)
        said = [entry[1].get(key) for key in ABOUT] if entry and isinstance(entry[1], Mapping) else []
        about = next((flow(each).strip("'") for each in said if each is not None), "")
        out.append(Chart(section, name, about, sum(bool(row.row) for row in rows), rows[0]))
    return tuple(out)


def mentioning(stack: Stack, word: str) -> tuple[Line, ...]:
    """The rows, facts and charts in whose name or text a word stands, in either case, then the assumptions and
    clauses; `stack` whole."""
    wanted = word.casefold()
    free = (
        Line(section, key.value, "", flow(node), key.span, None, _words(node))
        for section in FREE
        if isinstance(named := stack.document.get(section), Mapping)
        for key, node in named.entries
    )
    return tuple(line for line in (*effective(stack), *free) if wanted in f"{line.path}\n{line.text}".casefold())


def _words(node: Node) -> str:
    said = [node.get(key) for key in ("rule", "left-out")] if isinstance(node, Mapping) else [node]
    return " ".join(" ".join(each.value.split()) for each in said if isinstance(each, Text))


def removed(stack: Stack) -> tuple[Change, ...]:
    """What the variants have taken out, and nobody has put back."""
    there = {line.path for line in effective(stack)}
    gone = (change for change in stack.changes if change.verb == "remove")
    return tuple(change for change in gone if change.path not in there)


def locked(stack: Stack, path: str = "") -> tuple[Change, ...]:
    """What no further variant may change, of a path what lies below it and what it lies in."""
    within = f"{path}." if path else ""
    return tuple(
        lock for lock in stack.locks if f"{lock.path}.".startswith(within) or within.startswith(f"{lock.path}.")
    )


def _chart(section: str, chart: str, key: Text, node: Node, changes: tuple[Change, ...]) -> Iterator[Line]:
    """A chart's own keys as one line, then its rows."""
    headings = [
        heading
        for heading in HEADINGS.get(section, ())
        if isinstance(node, Mapping) and isinstance(node.get(heading), Mapping)
    ]
    ids = (section, chart) if chart else (section,)
    own = node
    if headings and isinstance(node, Mapping):
        own = Mapping(tuple(entry for entry in node.entries if entry[0].value not in headings), node.span)
    if not isinstance(own, Mapping) or own.entries:
        yield Line(section, chart, "", flow(own), key.span, _last(ids, changes), node=own)
    for heading in headings:
        rows = node.get(heading) if isinstance(node, Mapping) else None
        for row, line in rows.entries if isinstance(rows, Mapping) else ():
            change = _last((*ids, row.value), changes)
            yield Line(section, chart, row.value, flow(line), row.span, change, node=line, heading=heading)


def _last(ids: tuple[str, ...], changes: tuple[Change, ...]) -> Change | None:
    """The last change of this very row, or of the whole chart with its rows."""
    for change in reversed(changes):
        whole = change.verb in ("replace", "add") and ids[: len(change.ids)] == change.ids
        if whole or change.ids == ids:
            return change
    return None
