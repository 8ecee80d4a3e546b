"""A rulebook as text, as Markdown and as JSON; as a page for paper it is `telling/rulebook_page`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from rich.console import RenderableType

from closecombat.asking.printed.rulebook import Chapter, Does, Entry, Rulebook, Section
from closecombat.asking.printed.strip import Panel, Strip, Token
from closecombat.telling.page import Page, clean, heading, rendered

AMOUNT = re.compile(r"(?:[+-]|\u2212|\u00d7)?[\d/ ]*")  # what is added, or how many times it is: no word


def rulebook_text(book: Rulebook, page: Page) -> str:
    return rendered(_parts(book), page)


def counted(book: Rulebook) -> str:
    """How much of the rulebook is told."""
    number = book.told + book.left_out
    return f"{number} clauses: {book.told} told, {book.left_out} left out, {book.shown} shown by an example"


def _parts(book: Rulebook) -> Iterable[RenderableType]:
    yield heading(book.ruleset, " ".join(book.title.split()))
    yield counted(book)
    for chapter in book.chapters:
        yield ""
        yield heading(chapter.title, ", ".join(chapter.ids))
        for section in chapter.sections:
            for entry in section.entries:
                yield from _entry(entry)
            for strip in section.strips:
                yield ""
                yield from _strip(strip)
                yield ""


def _entry(entry: Entry) -> Iterator[str]:
    yield f"{entry.id}  {clean(entry.rule)}"
    if entry.why:
        yield f"    left out: {clean(entry.why)}"
    yield from (f"    {clean(row)}" for row in rows(entry))
    if entry.example:
        yield f"    example: {entry.example}"


def rows(entry: Entry) -> Iterable[str]:
    """The rows that do it; those that read the same once."""
    return dict.fromkeys(map(said, entry.does))


def said(row: Does) -> str:
    """A row as a sentence after its chart."""
    told = " ".join(part for part in (row.amount, row.text) if part)
    if row.amount and row.text and not AMOUNT.fullmatch(row.amount):
        text = row.text if row.text[1:2].isupper() else row.text[:1].lower() + row.text[1:]
        told = f"{row.amount}, {text}"
    return row.chart if told == row.chart else f"{row.chart}: {told}"


def standing(token: Token) -> str:
    """One who is there, in a line."""
    marks = ", ".join((*token.marks, *(["gone"] if token.gone else [])))
    return " ".join(part for part in (token.name, token.counter, f"({marks})" if marks else "") if part)


def _strip(strip: Strip) -> Iterator[str]:
    yield f"Example {strip.example}: {clean(strip.about)}"
    for at, panel in enumerate(strip.panels, 1):
        yield f"  {at}. {clean(panel.title)}"
        yield from (f"     {clean(line)}" for line in _told(panel))
    yield "  " + ", ".join(f"{side}: {word}" for side, word in strip.ends)


def _told(panel: Panel) -> Iterator[str]:
    yield from (f"{what}: {faces}" for what, faces in panel.rolls)
    yield from panel.lines
    for side, tokens in panel.sides:
        yield f"{side}: {', '.join(standing(token) for token in tokens)}"


# ---- Markdown -------------------------------------------------------------------------------------------


def rulebook_markdown(book: Rulebook) -> str:
    lines = [f"# {_md(book.title)}", "", counted(book), ""]
    for chapter in book.chapters:
        lines += [
            "## " + _md(" ".join((chapter.title, f"({', '.join(chapter.ids)})" if chapter.ids else "")).strip()),
            "",
        ]
        for section in chapter.sections:
            lines += _markdown(section)
    return "\n".join(lines)


def _markdown(section: Section) -> Iterator[str]:
    for entry in section.entries:
        yield f"- **{_md(entry.id)}** {_md(entry.rule)}"
        if entry.why:
            yield f"  - *left out: {_md(entry.why)}*"
        yield from (f"  - {_md(row)}" for row in rows(entry))
        if entry.example:
            yield f"  - example: {_md(entry.example)}"
    yield ""
    for strip in section.strips:
        yield from (f"**Example {_md(strip.example)}.** {_md(strip.about)}", "")
        for at, panel in enumerate(strip.panels, 1):
            yield f"{at}. **{_md(panel.title)}.** {'; '.join(map(_md, _told(panel)))}"
        yield from ("", "*" + _md(", ".join(f"{side}: {word}" for side, word in strip.ends)) + "*", "")


def _md(text: str) -> str:
    return "".join(f"\\{letter}" if letter in "\\`*_[]<>|" else letter for letter in clean(text))


# ---- JSON -----------------------------------------------------------------------------------------------


def rulebook_json(book: Rulebook) -> str:
    document = {
        "format_version": 1,
        "command": "rulebook",
        "ruleset": book.ruleset,
        "title": book.title,
        "told": book.told,
        "left_out": book.left_out,
        "shown": book.shown,
        "chapters": [_chapter(one) for one in book.chapters],
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _chapter(chapter: Chapter) -> dict[str, Any]:
    sections = [_section(one) for one in chapter.sections]
    return {"title": chapter.title, "ids": list(chapter.ids), "sections": sections}


def _section(section: Section) -> dict[str, Any]:
    entries = [
        {
            "id": one.id,
            "scope": one.scope or None,
            "rule": one.rule,
            "left_out": one.why or None,
            "rows": [{"path": d.path, "chart": d.chart, "amount": d.amount, "text": d.text} for d in one.does],
            "example": one.example or None,
        }
        for one in section.entries
    ]
    return {"name": section.name, "clauses": entries, "examples": [_object(one) for one in section.strips]}


def _object(strip: Strip) -> dict[str, Any]:
    panels = [
        {
            "title": one.title,
            "rolls": [{"what": what, "faces": faces} for what, faces in one.rolls],
            "lines": list(one.lines),
            "sides": {
                side: [{"name": t.name, "counter": t.counter, "marks": list(t.marks), "gone": t.gone} for t in tokens]
                for side, tokens in one.sides
            },
        }
        for one in strip.panels
    ]
    return {"example": strip.example, "about": strip.about, "panels": panels, "ends": dict(strip.ends)}
