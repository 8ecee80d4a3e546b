"""The crosswalk as text, as a page, as Markdown and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from rich.console import RenderableType

from closecombat.asking.printed.sheet import Told
from closecombat.asking.systems.crosswalk import NO_FIGHT, NO_RULE, RULES, UNSAID, Concept, Crosswalk, Says
from closecombat.reading.told_once import NOTHING
from closecombat.telling.html import page_of
from closecombat.telling.page import Page, clean, heading, paragraph, rendered, table
from closecombat.telling.sheets import csv_text

MOST_ROWS = 8  # of a system that are told of one concept
SAID: Mapping[str, str] = MappingProxyType(
    {NO_RULE: "no rule", NO_FIGHT: "no fight", NOTHING: "nothing", UNSAID: "not said"}
)
FORBIDS = "forbidden-if"


def crosswalk_text(found: Crosswalk, page: Page) -> str:
    return rendered(_on_page(found, page), page)


def _on_page(found: Crosswalk, page: Page) -> Iterable[RenderableType]:
    yield heading("What each system says", ", ".join(found.systems))
    yield paragraph(
        "Concept by concept: what the system fields for the word, then its rows, with what each is worth. What follows "
        "from no word of a fight is told as the rows alone.",
        page.width,
    )
    for one in found.concepts:
        if one.shared:
            yield ""
            yield heading(one.name, clean(one.means))
            yield _table(one, found.systems)
    yield ""
    yield heading(_less_than_shared(found))
    out = table("concept", *found.systems)
    for one in found.concepts:
        if not one.shared:
            out.add_row(one.name, *(_in_short(one.says[system]) for system in found.systems))
    yield out
    for system, rows in found.alone.items():
        if rows:
            yield ""
            yield heading(f"What only {system} has", "rows that modify or forbid, and belong to no concept above")
            out = table("worth", "reads", "from")
            for row in rows:
                out.add_row(worth(row), clean(row.line.text), _from(row.line.rests.cites))
            yield out


def _less_than_shared(found: Crosswalk) -> str:
    return f"What {'fewer than two of them have' if len(found.systems) > 1 else 'it has no'} rules for"


def _table(one: Concept, systems: Sequence[str]) -> RenderableType:
    out = table("system", "worth", "reads", "from")
    for system in systems:
        label = system
        for cells in _lines(one.says[system]):
            out.add_row(label, *map(clean, cells))
            label = ""
    return out


def _lines(says: Says) -> Iterable[tuple[str, str, str]]:
    """What is told of a system: its worth, in words, and the clauses."""
    if says.sort != RULES:
        yield SAID[says.sort], _why(says) or "-", _from([each for one in says.fields for each in one.cites])
        return
    for one in says.fields:
        yield one.worth or "-", one.why or "-", _from(one.cites)
    for row in says.rows[:MOST_ROWS]:
        chart = f" ({row.chart})" if row.chart not in row.line.text else ""
        yield worth(row), f"{row.line.text}{chart}", _from(row.line.rests.cites)
    if len(says.rows) > MOST_ROWS:
        yield "", f"and {len(says.rows) - MOST_ROWS} more rows", "-"


def _why(says: Says) -> str:
    """Why it has none, each reason once."""
    reasons = list(dict.fromkeys(one.why for one in says.fields if one.why))
    return "; ".join([*(one.rstrip(".") for one in reasons[:-1]), *reasons[-1:]])


def worth(row: Told) -> str:
    """What a row is worth, in a word or a number."""
    if row.policy == FORBIDS:
        return "forbidden"
    return row.line.amount or "-"


def _from(cites: Sequence[str]) -> str:
    return ", ".join(dict.fromkeys(cites)) or "-"


def _in_short(says: Says) -> str:
    if says.sort != RULES:
        return SAID[says.sort]
    said = [one.worth for one in says.fields if one.worth and one.worth != NOTHING]
    return clean(said[0]) if said else f"{len(says.rows)} rows" if len(says.rows) != 1 else "1 row"


# ---- JSON, rows, a page -----------------------------------------------------------------------------------


def crosswalk_json(found: Crosswalk) -> str:
    out = {
        "format_version": 1,
        "command": "crosswalk",
        "systems": [{"ruleset": name, "title": found.titles[name]} for name in found.systems],
        "concepts": [
            {
                "concept": one.name,
                "means": one.means,
                "sort": one.sort,
                "shared": one.shared,
                "systems": {system: _says(each) for system, each in one.says.items()},
            }
            for one in found.concepts
        ],
        "only": {system: [_row(row) for row in rows] for system, rows in found.alone.items()},
    }
    return json.dumps(out, indent=2, ensure_ascii=False) + "\n"


def _says(one: Says) -> dict[str, object]:
    fields = [{"worth": each.worth, "why": each.why, "cites": list(each.cites)} for each in one.fields]
    return {"says": one.sort, "fields": fields, "called": list(one.names), "rows": [_row(row) for row in one.rows]}


def _row(row: Told) -> dict[str, object]:
    rests = row.line.rests
    out: dict[str, object] = {
        "at": row.path,
        "chart": row.chart,
        "worth": worth(row),
        "reads": row.line.text,
        "cites": list(rests.cites),
    }
    return out | ({"assumed": list(rests.assumed)} if rests.assumed else {})


def crosswalk_csv(found: Crosswalk) -> str:
    """A line for each row of each system, and one for what it fields."""
    lines: list[Sequence[object]] = [("concept", "system", "says", "at", "worth", "reads", "cites")]
    for one in found.concepts:
        for system, says in one.says.items():
            head = one.name, system, says.sort
            lines += [(*head, "", each.worth, each.why, " ".join(each.cites)) for each in says.fields]
            for row in says.rows:
                lines.append((*head, row.path, worth(row), row.line.text, " ".join(row.line.rests.cites)))
            if not says.fields and not says.rows:
                lines.append((*head, "", "", "", ""))
    return csv_text(lines)


def crosswalk_html(found: Crosswalk) -> str:
    return page_of(
        "crosswalk",
        {
            "systems": [(name, found.titles[name]) for name in found.systems],
            "less": _less_than_shared(found),
            "shared": [_on_html(one, found.systems) for one in found.concepts if one.shared],
            "others": [
                (one.name, [_in_short(one.says[system]) for system in found.systems])
                for one in found.concepts
                if not one.shared
            ],
            "only": [
                (system, [(worth(row), row.line.text, _from(row.line.rests.cites)) for row in rows])
                for system, rows in found.alone.items()
                if rows
            ],
        },
    )


def _on_html(one: Concept, systems: Sequence[str]) -> dict[str, object]:
    return {
        "name": one.name,
        "id": one.name.replace(" ", "-"),
        "means": one.means,
        "says": [
            {
                "system": system,
                "none": SAID.get(says.sort, ""),
                "why": _why(says),
                "fields": [(each.worth, each.why, _from(each.cites)) for each in says.fields],
                "rows": [
                    {
                        "worth": worth(row),
                        "text": row.line.text,
                        "chart": row.chart,
                        "cites": _from(row.line.rests.cites),
                    }
                    for row in says.rows
                ],
            }
            for system in systems
            for says in (one.says[system],)
        ],
        "most": MOST_ROWS,
    }
