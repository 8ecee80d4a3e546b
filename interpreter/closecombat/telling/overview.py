"""What the choices of a ruleset are worth over some fights, for people, as CSV and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from rich.console import RenderableType

from closecombat.asking.choices.overview import Overview, Played, Row
from closecombat.telling.best_play import worth, worth_json
from closecombat.telling.page import Page, clean, heading, paragraph, rendered, table
from closecombat.telling.sheets import csv_text


def overview_text(found: Overview, page: Page) -> str:
    """The rows that ask, then the fights."""
    return rendered(_on_page(found, page), page)


def _on_page(found: Overview, page: Page) -> Iterable[RenderableType]:
    known = [one for one in found.fights if not one.message]
    several = len(found.fights) > 1
    yield heading(found.name, f"{len(found.fights)} fights" if several else "")
    if known:
        others = "; so in the others" if several else ""
        yield paragraph(clean(f"In {known[0].name}, {known[0].aims[0]}{others}."), page.width)
    yield ""
    if not found.rows:
        yield "No player is asked anything in them."
    else:
        heads = ("row", "asked", "matters", "gives up", "most in", "never best")
        out = table(*heads, right=["asked", "matters", "gives up"])
        for row in sorted(found.rows, key=lambda one: (-one.gives_up, not one.matters)):
            told = worth(row.gives_up).lstrip("+") if row.gives_up else "-"
            out.add_row(
                row.row, str(len(row.asked)), str(len(row.matters)), told, row.worst, clean(", ".join(_never(row)))
            )
        yield out
        yield ""
        yield paragraph(
            "asked: in so many fights; matters: in so many of them some answer is worth more than another; gives up: "
            "what the ruleset's own answer is worth less than the best, on average over the dice",
            page.width,
        )
    yield ""
    yield from _fights(found.fights, page)


def _never(row: Row) -> Iterable[str]:
    return row.never_best if row.matters else ("no answer matters",)


def _fights(fights: Iterable[Played], page: Page) -> Iterable[RenderableType]:
    out = table("fight", "worth to", "as ruled", "best", "who plays best alone gains", right=["as ruled", "best"])
    for one in fights:
        if not one.message:
            gains = ", ".join(f"{side} {worth(gain).lstrip('+')}" for side, gain in one.gains if gain) or "nobody"
            out.add_row(one.name, one.me, worth(one.default), worth(one.best), gains)
    yield out
    said: dict[str, list[str]] = {}
    for one in fights:
        missing = (f"not worked out, --yes takes a minute each at most: {one.message}",) if one.message else ()
        for note in (*one.notes, *missing):
            said.setdefault(note, []).append(one.name)
    if said:
        yield ""
    for note, names in said.items():
        yield paragraph(clean(f"{note} ({', '.join(names)})"), page.width)


def overview_csv(found: Overview) -> str:
    """A line for each answer of each row that asks: in how many states it is offered, and in how many it is best."""
    return csv_text(_lines(found))


def _lines(found: Overview) -> Iterator[tuple[object, ...]]:
    yield "row", "fact", "asked_in", "matters_in", "gives_up", "most_in", "answer", "states", "best_in"
    for row in found.rows:
        head = row.row, row.fact, len(row.asked), len(row.matters), row.gives_up, row.worst
        for answer, number in row.offered.items():
            yield *head, answer, number, row.best.get(answer, 0)


def overview_json(found: Overview) -> str:
    """The schema `choices`, with `overview`."""
    document: dict[str, Any] = {
        "format_version": 1,
        "command": "choices",
        "choice": None,
        "overview": {
            "name": found.name,
            "rows": [
                {
                    "row": row.row,
                    "fact": row.fact,
                    "cites": list(row.cites),
                    "asked": list(row.asked),
                    "matters": list(row.matters),
                    "answers": [
                        {"value": answer, "states": number, "best": row.best.get(answer, 0)}
                        for answer, number in row.offered.items()
                    ],
                    "never_best": list(row.never_best),
                    "gives_up": worth_json(row.gives_up),
                    "most_in": row.worst or None,
                }
                for row in found.rows
            ],
            "fights": [
                {"name": one.name, "message": one.message}
                if one.message
                else {
                    "name": one.name,
                    "side": one.me,
                    "aims": list(one.aims),
                    "default": worth_json(one.default),
                    "best": worth_json(one.best),
                    "gains": {side: worth_json(gain) for side, gain in one.gains},
                    "notes": list(one.notes),
                }
                for one in found.fights
            ],
        },
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"
