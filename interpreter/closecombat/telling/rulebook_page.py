"""A rulebook as a page: clauses with their rows, and examples as strips of pictures."""

from __future__ import annotations

from typing import Any

from closecombat.asking.rulebook import Rulebook
from closecombat.asking.strip import Panel
from closecombat.telling.html import page_of
from closecombat.telling.rulebook import counted, rows
from closecombat.telling.sheet_page import on_paper, unbroken

NO_DICE = "no dice"


def rulebook_html(book: Rulebook, digest: str, paper: str) -> str:
    sections = [
        {
            "name": section.name,
            "source": book.sources.get(section.name, ""),
            "entries": [
                {
                    "id": unbroken(one.id),
                    "rule": one.rule,
                    "why": one.why,
                    "rows": list(rows(one)),
                    "example": one.example,
                }
                for one in section.entries
            ],
            "strips": [
                {
                    "name": strip.example,
                    "about": strip.about,
                    "panels": [_panel(at, panel) for at, panel in enumerate(strip.panels, 1)],
                    "ends": strip.ends,
                }
                for strip in section.strips
            ],
        }
        for section in book.sections
    ]
    return page_of(
        "rulebook",
        {
            "title": " ".join(book.title.split()),
            "counted": counted(book),
            "sections": sections,
            "colophon": f"{book.ruleset}  rulebook  content {digest}",
            **on_paper(paper),
        },
    )


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
