"""What a change of a variant speaks of, while it is written: the places of a ruleset that `at:` can name, and for the
cells of a change where in the ruleset they would stand."""

from __future__ import annotations

from collections.abc import Iterator

from closecombat.reading.fields import child, list_of
from closecombat.reading.ruleset import ORIGINS
from closecombat.reading.targets import FREE, HEADINGS, SECTIONS, SINGLE, entry_at, find, read_target
from closecombat.text.faults import Faulty
from closecombat.text.nodes import Mapping, Node, Text

KINDS, OPTIONS = "kinds", "options"


def places(rules: Mapping) -> Iterator[tuple[str, str]]:
    """The path of every row, chart, fact and option, each with what it is."""
    for section in SECTIONS:
        node = rules.get(section)
        if section in FREE or not isinstance(node, Mapping):
            continue
        named = [(f"{section}.{key.value}", one) for key, one in node.entries]
        for path, chart in [(section, node)] if section in SINGLE else named:
            headings = ORIGINS if section == KINDS else HEADINGS.get(section, ())
            yield path, section
            for heading in headings:
                rows = child(chart, heading)
                if isinstance(rows, Mapping):
                    yield from ((f"{path}.{row.value}", heading) for row, _ in rows.entries)


def where_it_stands(rules: Mapping, document: Mapping, change: str) -> tuple[str, ...]:
    """The keys that lead to what a change is about; none as long as that cannot be known."""
    at = child(child(document.get("changes"), change), "at")
    try:
        target = read_target(at) if isinstance(at, Text) else None
    except Faulty:
        return ()
    return (find(rules, target) or ()) if target is not None else ()


def readings_at(rules: Mapping, keys: tuple[str, ...]) -> tuple[str, ...]:
    """The readings of an option that keys lead to."""
    found = entry_at(rules, keys) if keys[:1] == (OPTIONS,) else None
    readings: Node | None = child(found[1], "readings") if found is not None else None
    return tuple(one.value for one in list_of(readings) if isinstance(one, Text)) if readings is not None else ()
