"""A player aid as a page: one file that any browser shows and prints, with its own letters, so that every machine
breaks pages at the same place. The same page is the PDF (`telling/pdf`)."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from closecombat.asking.printed.sheet_parts import Page, Part, Printed, Rests, Rows, Sheet, Step, Steps, Words
from closecombat.telling.html import page_of
from closecombat.telling.sheet import Marks, changed, colophon, foot, marked, marks_of

FONTS = Path(__file__).parent / "fonts"
FACES = (("Regular", "400", "normal"), ("Bold", "700", "normal"), ("Italic", "400", "italic"))
PAPERS: Mapping[str, str] = MappingProxyType({"a4": "A4", "letter": "Letter"})
MINUS, JOINER = "\u2212", "\u2060"
A_MINUS = re.compile(r"(?<![^\s(])-(?=[0-9]|$)")
NARROW = 6  # columns of a grid that stands beside others
SHORT = 5  # letters of what a row is worth, where that is set large
FEW = 4  # rows of a chart, or steps, that no column parts


def sheet_html(sheet: Sheet, paper: str) -> str:
    pages = [_page(page) for page in sheet.pages]
    return page_of(
        "sheet",
        {
            "title": " ".join(sheet.title.split()),
            "name": sheet.ruleset,
            "colophon": colophon(sheet.ruleset, sheet.digest),
            "pages": pages,
            "also": [changed(one) for one in sheet.also],
            **on_paper(paper),
        },
    )


def on_paper(paper: str) -> dict[str, Any]:
    """What a page for paper needs: its size, and the letters."""
    faces = [
        (b64encode((FONTS / f"NotoSans-{name}.woff2").read_bytes()).decode(), weight, style)
        for name, weight, style in FACES
    ]
    return {"paper": PAPERS[paper], "faces": faces}


def _page(page: Page) -> dict[str, Any]:
    marks = marks_of(page)
    blocks: list[dict[str, Any]] = []
    for part in page.parts:
        wide = isinstance(part, Printed) and len(part.columns) > NARROW
        if not blocks or blocks[-1]["wide"] != wide or wide:
            blocks.append({"wide": wide, "parts": []})
        blocks[-1]["parts"].append({"few": False} | _part(part, marks))
    notes = [(mark, typeset(text)) for mark, text in foot(page)]
    return {"title": page.title, "name": page.name, "blocks": blocks, "foot": notes}


def _part(part: Part, marks: Marks) -> dict[str, Any]:
    said: dict[str, Any]
    match part:
        case Printed():
            lines = [(head, [typeset(cell) for cell in cells]) for head, cells in part.lines]
            columns = [typeset(one) for one in part.columns]
            said = {"across": part.across, "down": part.down, "columns": columns, "lines": lines, "notes": part.notes}
            return {"kind": "grid", "title": part.title, "how": "", **said, **_rests(part.rests, marks)}
        case Rows():
            rows = [
                {"amount": typeset(line.amount), "text": typeset(line.text), **_rests(line.rests, marks)}
                for line in part.lines
            ]
            amounts = any(line.amount for line in part.lines)
            short = all(len(amount) <= SHORT for amount in (part.otherwise, *(line.amount for line in part.lines)))
            said = {
                "how": part.how,
                "lines": rows,
                "amounts": amounts,
                "short": short,
                "few": len(rows) < FEW,
                "otherwise": typeset(part.otherwise),
            }
            return {"kind": "rows", "title": part.title, **said, **_rests(part.rests, marks)}
        case Steps():
            steps = list(_steps(part.steps, marks, ""))
            said = {"how": part.how, "steps": steps, "few": len(steps) < FEW}
            return {"kind": "steps", "title": part.title, **said, **_rests(part.rests, marks)}
        case Words(clauses):
            return {
                "kind": "words",
                "title": "",
                "how": "",
                "clauses": [(unbroken(id), typeset(said)) for id, said in clauses],
                **_rests(Rests(), marks),
            }


def _steps(steps: Iterable[Step], marks: Marks, above: str) -> Iterable[dict[str, Any]]:
    """All steps from top to bottom, each with its number and how deep it stands."""
    for at, one in enumerate(steps, 1):
        number = f"{above}{at}"
        depth = number.count(".")
        yield {"number": number, "depth": depth, "text": typeset(one.text), "how": one.how, **_rests(one.rests, marks)}
        yield from _steps(one.steps, marks, f"{number}.")


def _rests(rests: Rests, marks: Marks) -> dict[str, Any]:
    return {"cites": [unbroken(id) for id in rests.cites], "marks": marked(rests, marks), "changed": rests.changed}


def unbroken(id: str) -> str:
    """An id that no line breaks at its hyphens. Said so by style, a line before it breaks too soon in a PDF."""
    return id.replace("-", f"{JOINER}-{JOINER}")


def typeset(text: str) -> str:
    """A minus sign before a number, or alone, where lists write a hyphen."""
    return A_MINUS.sub(MINUS, text)
