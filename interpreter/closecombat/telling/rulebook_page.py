"""A rulebook as a page: clauses with their rows, and examples as strips of pictures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from closecombat.asking.printed.rulebook import Chapter, Entry, Rulebook
from closecombat.asking.printed.strip import Panel, Strip
from closecombat.telling.html import page_of
from closecombat.telling.rulebook import counted, rows
from closecombat.telling.sheet import colophon
from closecombat.telling.sheet_page import on_paper, unbroken

NO_DICE = "no dice"


def rulebook_html(book: Rulebook, digest: str, paper: str) -> str:
    chapters = [
        {
            "title": chapter.title,
            "ids": [unbroken(id) for id in chapter.ids],
            "source": book.sources.get(chapter.title, ""),
            "parts": list(_parts(chapter)),
        }
        for chapter in book.chapters
    ]
    return page_of(
        "rulebook",
        {
            "title": " ".join(book.title.split()),
            "counted": counted(book),
            "chapters": chapters,
            "colophon": colophon(f"{book.ruleset}  rulebook", digest),
            **on_paper(paper),
        },
    )


def _parts(chapter: Chapter) -> Iterator[dict[str, Any]]:
    """The clauses of a chapter, up to where examples are drawn."""
    entries: list[Entry] = []
    for section in chapter.sections:
        entries += section.entries
        if section.strips or section is chapter.sections[-1]:
            yield {"entries": list(map(_entry, entries)), "strips": list(map(_strip, section.strips))}
            entries = []


def _entry(one: Entry) -> dict[str, Any]:
    return {"id": unbroken(one.id), "rule": one.rule, "why": one.why, "rows": list(rows(one)), "example": one.example}


def _strip(strip: Strip) -> dict[str, Any]:
    panels = [_panel(at, panel) for at, panel in enumerate(strip.panels, 1)]
    return {"name": strip.example, "about": strip.about, "panels": panels, "ends": strip.ends}


def _panel(at: int, panel: Panel) -> dict[str, Any]:
    return {
        "number": at,
        "title": panel.title,
        "rolls": [(what, _faces(faces)) for what, faces in panel.rolls],
        "lines": panel.lines,
        "sides": panel.sides,
    }


def _faces(told: str) -> list[str]:
    """What each die shows, as it was told; nothing of a throw without dice."""
    return [] if told == NO_DICE else told.replace("+", " ").replace(",", " ").split()
