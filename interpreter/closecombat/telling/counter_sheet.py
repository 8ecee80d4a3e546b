"""Counters as text and JSON, and as a page to print and cut: squares of 20 mm, black on white."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from rich.console import RenderableType

from closecombat.asking.printed.counter_sheet import CounterSheet, Piece
from closecombat.telling.html import page_of
from closecombat.telling.page import Page, clean, heading, rendered, table
from closecombat.telling.sheet import colophon
from closecombat.telling.sheet_page import on_paper

SIZE = 20  # millimetres
UNITS, MARKERS = 4, 6  # how many of each are printed
ACROSS = 9  # counters beside each other, on either paper


def counters_text(sheet: CounterSheet, page: Page) -> str:
    return rendered(_parts(sheet), page)


def _parts(sheet: CounterSheet) -> Iterable[RenderableType]:
    yield heading(sheet.ruleset, " ".join(sheet.title.split()))
    for title, pieces in (("Counters", sheet.units), ("Markers", sheet.markers)):
        if not pieces:
            continue
        yield ""
        yield heading(title, str(len(pieces)))
        out = table("kind", "counter", "on it")
        for piece in pieces:
            out.add_row(clean(piece.kind), clean(piece.title), clean(", ".join(piece.lines)))
        yield out


def counters_markdown(sheet: CounterSheet) -> str:
    lines = [f"# {sheet.title}", "", "| kind | counter | on it |", "| --- | --- | --- |"]
    lines += [f"| {one.kind} | {one.title} | {', '.join(one.lines)} |" for one in (*sheet.units, *sheet.markers)]
    return "\n".join([*lines, ""])


def counters_json(sheet: CounterSheet) -> str:
    document = {
        "format_version": 1,
        "command": "counters",
        "ruleset": sheet.ruleset,
        "title": sheet.title,
        "units": [_object(one) for one in sheet.units],
        "markers": [_object(one) for one in sheet.markers],
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _object(piece: Piece) -> dict[str, object]:
    return {"kind": piece.kind, "name": piece.name, "title": piece.title, "lines": list(piece.lines)}


def counters_html(sheet: CounterSheet, digest: str, paper: str) -> str:
    groups = [
        (title, [piece for piece in pieces for _ in range(number)])
        for title, pieces, number in (("Counters", sheet.units, UNITS), ("Markers", sheet.markers, MARKERS))
        if pieces
    ]
    return page_of(
        "counters",
        {
            "title": " ".join(sheet.title.split()),
            "size": SIZE,
            "groups": [(title, list(_rows(pieces, ACROSS))) for title, pieces in groups],
            "colophon": colophon(f"{sheet.ruleset}  counters of {SIZE} mm", digest),
            **on_paper(paper),
        },
    )


def _rows(pieces: list[Piece], across: int) -> Iterator[list[Piece]]:
    for start in range(0, len(pieces), across):
        yield pieces[start : start + across]
