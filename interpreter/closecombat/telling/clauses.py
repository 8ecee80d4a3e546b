"""The rulebook's clauses and what has become of them, as text, as CSV and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence

from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from closecombat.asking.examples.coverage import Coverage, Covered, totals
from closecombat.reading.model import name_of_stack
from closecombat.telling.page import Page, clean, heading, rendered, table
from closecombat.telling.sheets import csv_text
from closecombat.telling.tests import count

NAMED = 3  # examples that are named where there are many
COLUMNS = ("clauses", "modelled", "exercised", "left_out", "missing")


def clauses_text(
    found: Coverage, counted: Sequence[Covered], shown: Sequence[Covered], in_full: bool, page: Page
) -> str:
    """Each clause of `shown` as a paragraph, then how many of `counted` there are; `in_full` names every example."""
    return rendered(_on_page(found, counted, shown, in_full, "- " if page.form else ""), page)


def _on_page(
    found: Coverage, counted: Sequence[Covered], shown: Sequence[Covered], in_full: bool, point: str
) -> Iterator[RenderableType]:
    yield heading(name_of_stack(found.bound.ruleset), found.bound.ruleset.title)
    yield ""
    for one in shown:
        yield heading(one.id, "  ".join(part for part in (one.scope, _status(one)) if part))
        for line in _lines(one, in_full, point):
            yield Padding(Text(clean(line)), (0, 0, 0, 4))
    if shown:
        yield ""
    sums = totals(counted)
    out = table("scope", *(name.replace("_", " ") for name in COLUMNS), right=[n.replace("_", " ") for n in COLUMNS])
    for scope, numbers in sums.items():
        out.add_row(scope, *(str(numbers[name]) for name in COLUMNS))
    yield out
    yield ""
    yield count(found.played)


def _status(one: Covered) -> str:
    if one.status == "modelled":
        return "modelled" if one.examples else "modelled, not exercised"
    return "left out" if one.status == "left-out" else "missing"


def _lines(one: Covered, in_full: bool, point: str) -> Iterator[str]:
    if one.rule:
        yield one.rule
    for where in one.where:
        yield f"{point}{where.place}  {where.path}"
    match one.status:
        case "missing":
            yield "no row cites it, and nothing says why it is left out"
        case "left-out":
            yield f"left out: {one.why}"
        case _ if one.examples:
            yield f"exercised by {_some(one.examples, in_full)}"
        case _:
            yield "no example comes to it"


def _some(names: Sequence[str], in_full: bool) -> str:
    if in_full or len(names) <= NAMED + 1:
        return ", ".join(names)
    return f"{', '.join(names[:NAMED])} and {len(names) - NAMED} more"


def clauses_csv(shown: Iterable[Covered]) -> str:
    """A line for each clause; what it has several of stands behind each other."""
    return csv_text(_rows(shown))


def _rows(shown: Iterable[Covered]) -> Iterator[tuple[str, ...]]:
    yield "clause", "scope", "status", "rule", "rows", "where", "examples", "why"
    for one in shown:
        paths, places = (
            (", ".join(each) for each in zip(*((row.path, row.place) for row in one.where), strict=True))
            if one.where
            else ("", "")
        )
        yield one.id, one.scope, one.status, one.rule, paths, places, ", ".join(one.examples), one.why


def clauses_json(found: Coverage, counted: Sequence[Covered], shown: Iterable[Covered]) -> str:
    document = {
        "format_version": 1,
        "command": "rules",
        "ruleset": name_of_stack(found.bound.ruleset),
        "clauses": [
            {
                "id": one.id,
                "scope": one.scope or None,
                "rule": one.rule,
                "status": one.status,
                "where": [where.place for where in one.where],
                "rows": [where.path for where in one.where],
                "examples": list(one.examples),
                "why": one.why,
            }
            for one in shown
        ],
        "totals": totals(counted),
        "examples": {"played": len(found.played), "passed": sum(one.passed for one in found.played)},
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"
