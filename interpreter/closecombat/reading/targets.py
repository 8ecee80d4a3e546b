"""Where `at:` leads: paths of ids to a chart, row, fact or option, and documents with one entry changed.

A path names sections, charts and rows, and leaves out the heading that a row stands under. What a change
does, and whether it may, is said by `variants`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from collections.abc import Mapping as ReadOnly
from types import MappingProxyType

from closecombat.reading.charts import ORDERS, POLICIES
from closecombat.reading.fields import NAME, text_of
from closecombat.reading.ruleset import ORIGINS
from closecombat.text.faults import Bug, Faulty, Labels
from closecombat.text.nodes import Listing, Mapping, Node, Text
from closecombat.text.slotted import dataclass

ROWS = (*(policy for policy in POLICIES if policy != "is"), "cells")
HEADINGS: ReadOnly[str, tuple[str, ...]] = MappingProxyType(
    {
        "tables": ROWS,
        "outcomes": ROWS,
        "strength-lost": ROWS,
        "ends": ("first-of",),
        "sequences": ORDERS,
        "kinds": ORIGINS,
        "counters": ("rows",),
        "words": ("rows",),
    }
)
SINGLE = ("start", "rounds", "outcomes", "strength-lost", "obligations")  # one chart, not many by name
FREE = ("assumptions", "sources", "chapters", "clauses")  # ids may hold capitals and dots
SECTIONS = (
    "options",
    "words",
    "kinds",
    "counters",
    "dies",
    "dice",
    "decks",
    "groups",
    "tables",
    "sequences",
    "ends",
    "properties",
    *SINGLE,
    *FREE,
)
_WITHOUT_SECTION = re.compile(r"[a-z][a-z0-9-]*(?:\.[^\s.]+){1,2}(?<!\.yaml)")
ROW = re.compile(r"[^\s.][^.\n]*\Z")  # a grid's row may be `4 to 6`, that of a weapon list `PzF-30k`
MOST_NAMED = 8

Keys = tuple[str, ...]
Entry = tuple[Text, Node]


@dataclass(frozen=True, slots=True)
class Target:
    """A path as it is written. `heading` is empty unless it is named, `row` is empty for a whole chart."""

    section: str
    chart: str
    heading: str
    row: str
    at: Text

    @property
    def ids(self) -> Keys:
        """The same for every way of writing the path."""
        return tuple(part for part in (self.section, self.chart, self.row) if part)

    @property
    def path(self) -> str:
        return ".".join(self.ids)

    @property
    def whole(self) -> Keys:
        """The keys of the chart."""
        return (self.section, self.chart) if self.chart else (self.section,)


def read_target(node: Node) -> Target:
    """A path such as `tables.hits.broken`; raises Faulty if it can lead nowhere in any ruleset."""
    value = text_of(node, "a path such as `tables.chart.row`")
    if not isinstance(node, Text):
        raise Bug("isinstance(node, Text)")
    section, _, rest = value.partition(".")
    if section not in SECTIONS:
        raise Faulty.one(
            "missing-target",
            f"`{value}` begins with no section of a ruleset",
            node.span,
            help=_near(section, SECTIONS, "")
            or (f"did you mean `tables.{value}`?" if _WITHOUT_SECTION.fullmatch(value) else "")
            or "one of " + ", ".join(SECTIONS),
        )
    if section in FREE:
        chart, parts = rest, []
    elif section in SINGLE:
        chart, parts = "", rest.split(".") if rest else []
    else:
        chart, *parts = rest.split(".")
    if not chart and section not in SINGLE:
        raise Faulty.one(
            "wrong-shape", f"`{value}` is a whole section", node.span, help=f"name one thing in it: `{section}.name`"
        )
    headings = HEADINGS.get(section, ())
    heading, row = ("", "") if not parts else ("", parts[0]) if len(parts) == 1 else (parts[0], parts[1])
    if len(parts) > 2 or (parts and not headings) or (heading and heading not in headings):
        help = _shorter(section, chart, parts, headings)
        raise Faulty.one("wrong-shape", f"`{value}` is longer than a path can be", node.span, help=help)
    good_chart = section in FREE or section in SINGLE or NAME.match(chart)
    if not good_chart or (parts and not ROW.match(row)):
        raise Faulty.one(
            "wrong-shape",
            f"`{value}` is not a path of ids",
            node.span,
            help="ids are joined by dots: `tables.chart.row`",
        )
    return Target(section, chart, heading, row, node)


def _shorter(section: str, chart: str, parts: Sequence[str], headings: Sequence[str]) -> str:
    """What is probably meant by a path of too many parts."""
    if not headings:
        return f"`{section}.{chart}`; its parts are changed with `set`"
    if section == "kinds":
        fact, others = f"`{section}.{chart}.given.{parts[1]}`", _any_of([*headings[1:]])
        return f"`{section}.{chart}.{parts[1]}`; a new fact stands under a heading, {fact} or {others}"
    row = parts[1] if parts[0] in headings else parts[0]
    return f"`{section}.{chart}.{row}`; what stands in the row is changed with `set: {{{parts[-1]}: ..}}`"


def entry_at(document: Mapping, keys: Keys) -> Entry | None:
    """The entry that keys lead to, from the top of a document."""
    found = document.entry(keys[0])
    for key in keys[1:]:
        found = found[1].entry(key) if found and isinstance(found[1], Mapping) else None
    return found


def find(document: Mapping, target: Target) -> Keys | None:
    """The keys of what is meant, the heading of a row included; nothing if the document lacks it."""
    found = entry_at(document, target.whole)
    if found is None or not target.row:
        return found and target.whole
    chart = found[1]
    for heading in (target.heading,) if target.heading else HEADINGS.get(target.section, ()):
        rows = chart.get(heading) if isinstance(chart, Mapping) else None
        if isinstance(rows, Mapping) and target.row in rows:
            return (*target.whole, heading, target.row)
        if isinstance(rows, Listing) and target.row == heading == "cells":
            return (*target.whole, heading)
    return None


def columns_of(document: Mapping, keys: Keys) -> tuple[Text, ...]:
    """The headings over a row that is written as a list: of a grid, or of a counter sheet."""
    for depth in (len(keys) - 1, len(keys) - 2):
        chart = entry_at(document, keys[:depth]) if depth > 0 else None
        columns = chart[1].get("columns") if chart and isinstance(chart[1], Mapping) else None
        if isinstance(columns, Listing):
            return tuple(item for item in columns.items if isinstance(item, Text))
    return ()


def room(document: Mapping, target: Target) -> Keys:
    """The keys of the mapping that something new goes into; raises Faulty if there is none for it."""
    if not target.row:
        return target.whole[:-1]
    found = entry_at(document, target.whole)
    if found is None:
        raise missing(document, target)
    if target.heading:
        return (*target.whole, target.heading)
    chart = found[1]
    headings = [
        heading
        for heading in HEADINGS[target.section]
        if isinstance(chart, Mapping) and isinstance(chart.get(heading), Mapping)
    ]
    if target.section == "kinds":
        message = f"`{target.path}` does not say under which heading the new fact stands"
        raise Faulty.one(
            "wrong-shape", message, target.at.span, help=f"such as `{'.'.join(target.whole)}.given.{target.row}`"
        )
    if len(headings) != 1:
        raise Faulty.one(
            "wrong-shape",
            f"`{'.'.join(target.whole)}` has no rows",
            target.at.span,
            labels=((found[0].span, "this chart"),),
            help="`set` its keys, or `replace` it",
        )
    return (*target.whole, headings[0])


# ---- documents with one entry changed ---------------------------------------------------------------------


def put(document: Mapping, keys: Keys, entry: Entry, after: str = "", before: str = "") -> Mapping:
    """The document with an entry at `keys`; a new one goes beside another, or to the end."""
    head, rest = keys[0], keys[1:]
    found = document.entry(head)
    if rest:
        inner = found[1] if found and isinstance(found[1], Mapping) else Mapping((), entry[0].span)
        key = found[0] if found else Text(head, entry[0].span, True, entry[0].span)
        entry = (key, put(inner, rest, entry, after, before))
        after = before = ""
    entries = list(document.entries)
    names = document.keys()
    if found:
        entries[names.index(head)] = entry
    elif after or before:
        entries.insert(names.index(after) + 1 if after else names.index(before), entry)
    else:
        entries.append(entry)
    return Mapping(tuple(entries), document.span)


def drop(document: Mapping, keys: Keys) -> Mapping:
    """The document without the entry at `keys`."""
    entries = []
    for key, node in document.entries:
        if key.value != keys[0]:
            entries.append((key, node))
        elif len(keys) > 1 and isinstance(node, Mapping):
            entries.append((key, drop(node, keys[1:])))
    return Mapping(tuple(entries), document.span)


# ---- what is not there ------------------------------------------------------------------------------------


def missing(document: Mapping, target: Target) -> Faulty:
    """The fault that a path leads nowhere, with the nearest paths that lead somewhere."""
    labels: Labels = ()
    chart = entry_at(document, target.whole)
    section = document.get(target.section)
    charts = section.keys() if isinstance(section, Mapping) and target.chart else ()
    if target.row and chart:
        start = ".".join(target.whole) + "."
        rows = rows_of(target.section, chart[1])
        help = _near(target.row, rows, start) or _elsewhere(document, target) or _named(rows, start[:-1])
        labels = ((chart[0].span, "this one is meant"),)
    elif target.chart:
        start, end = f"{target.section}.", f".{target.row}" if target.row else ""
        with_row = [
            each
            for each in charts
            if not target.row
            or target.row in rows_of(target.section, section.get(each) if isinstance(section, Mapping) else None)
        ]
        help = (
            _near(target.chart, with_row, start, end)
            or _elsewhere(document, target)
            or _near(target.chart, charts, start, end)
            or _named(charts, target.section)
        )
    else:
        help = "`add` it if the variant brings it"
    return Faulty.one(
        "missing-target", f"the base has no `{target.at.value}`", target.at.span, labels=labels, help=help
    )


def rows_of(section: str, chart: Node | None) -> Keys:
    """The ids of a chart's rows, whatever heading they stand under."""
    headings = HEADINGS.get(section, ())
    found = [chart.get(heading) for heading in headings] if isinstance(chart, Mapping) else []
    return tuple(key.value for rows in found if isinstance(rows, Mapping) for key, _ in rows.entries)


def _elsewhere(document: Mapping, target: Target) -> str:
    """Charts and rows of the same name in other places."""
    wanted = target.row or target.chart
    found = []
    for section in SECTIONS:
        node = document.get(section)
        charts = (
            ((f"{section}", node),)
            if section in SINGLE
            else [(f"{section}.{key.value}", chart) for key, chart in node.entries]
            if isinstance(node, Mapping)
            else ()
        )
        for path, chart in charts:
            if chart is not None and path.endswith(f".{wanted}"):
                found.append(path)
            if chart is not None and wanted in rows_of(section, chart):
                found.append(f"{path}.{wanted}")
    return "did you mean " + _any_of(found[:3]) + "?" if found else ""


def _near(name: str, candidates: Iterable[str], before: str, after: str = "") -> str:
    from difflib import get_close_matches

    nearest = get_close_matches(name, sorted(set(candidates)), n=3)
    return "did you mean " + _any_of([f"{before}{each}{after}" for each in nearest]) + "?" if nearest else ""


def _any_of(paths: list[str]) -> str:
    *first, last = [f"`{path}`" for path in paths]
    return ", ".join(first) + " or " + last if first else last


def _named(names: Keys, what: str) -> str:
    more = ", ..." if len(names) > MOST_NAMED else ""
    return f"`{what}` has " + (", ".join(names[:MOST_NAMED]) + more if names else "nothing yet")
