"""A player aid as text, as Markdown for a forum, and as JSON; as a page for paper it is `telling/sheet_page`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rich.console import RenderableType

from closecombat import __version__
from closecombat.asking.printed.sheet_parts import Also, Part, Printed, Rests, Rows, Sheet, Step, Steps, Words
from closecombat.asking.printed.sheet_parts import Page as SheetPage
from closecombat.telling.page import Page, clean, heading, rendered, table

DAGGER, DOUBLE = "\u2020", "\u2021"


Marks = Mapping[tuple[str, str], str]


def marks_of(page: SheetPage) -> Marks:
    """The marks of a page: a dagger with a number for what is assumed, a double one for what can be read otherwise."""
    readings = {("option", one.option): f"{DOUBLE}{at}" for at, one in enumerate(page.readings, 1)}
    return readings | {("assumed", id): f"{DAGGER}{at}" for at, (id, _) in enumerate(page.assumed, 1)}


def marked(rests: Rests, marks: Marks) -> str:
    """The marks of a line."""
    wanted = [*(("option", name) for name in rests.options), *(("assumed", id) for id in rests.assumed)]
    return " ".join(marks[one] for one in dict.fromkeys(wanted) if one in marks)


def colophon(what: str, digest: str) -> str:
    """What stands below whatever is printed, so that what is out of date can be told: what it is of, what its rules
    hold, and which program has made it."""
    return f"{what}  content {digest}  closecombat {__version__}"


def changed(one: Also) -> str:
    """What a variant has done where no row can be marked."""
    return f"{one.path} is {one.how} by {one.variant}: {one.why}"


def foot(page: SheetPage) -> Iterator[tuple[str, str]]:
    """What the marks of a page stand for."""
    for at, one in enumerate(page.readings, 1):
        others = " or ".join(one.others)
        yield f"{DOUBLE}{at}", f"{one.title}: {one.reading} (or {others})"
    for at, (id, text) in enumerate(page.assumed, 1):
        yield f"{DAGGER}{at}", f"{id}: {' '.join(text.split())}"


# ---- text -----------------------------------------------------------------------------------------------


def sheet_text(sheet: Sheet, page: Page) -> str:
    return rendered(_parts(sheet), page)


def _parts(sheet: Sheet) -> Iterable[RenderableType]:
    yield heading(sheet.ruleset, " ".join(sheet.title.split()))
    yield from (changed(one) for one in sheet.also)
    for one in sheet.pages:
        marks = marks_of(one)
        yield ""
        yield heading(one.title.upper())
        for part in one.parts:
            yield ""
            yield from _part(part, marks)
        told = list(foot(one))
        if told:
            yield ""
            yield from (f"{mark} {text}" for mark, text in told)
    yield ""
    yield colophon(sheet.ruleset, sheet.digest)


def _part(part: Part, marks: Marks) -> Iterable[RenderableType]:
    match part:
        case Printed():
            yield heading(part.title, _clauses(part.rests, marks))
            out = table(part.down, *(column for column in part.columns), right=part.columns)
            for head, cells in part.lines:
                out.add_row(clean(head), *map(clean, cells))
            if part.across:
                yield part.across
            yield out
            yield from (f"{mark}: {text}" for mark, text in part.notes)
        case Rows():
            yield heading(part.title, "; ".join(filter(None, (part.how, _clauses(part.rests, marks)))))
            out = table("", "", "")
            out.show_header = False
            amounts = any(line.amount for line in part.lines)
            out.columns[1].no_wrap = False
            for line in part.lines:
                cells = (clean(line.text), _clauses(line.rests, marks))
                out.add_row(clean(line.amount), *cells) if amounts else out.add_row(*cells, "")
            if not amounts:
                out.columns[0].no_wrap = False
            yield out
            if part.otherwise:
                yield f"otherwise: {part.otherwise}"
        case Steps():
            yield heading(part.title, part.how)
            yield from _steps(part.steps, marks, "")
        case Words(clauses):
            yield from (f"{id}  {text}" for id, text in clauses)


def _steps(steps: Iterable[Step], marks: Marks, above: str) -> Iterator[str]:
    for at, one in enumerate(steps, 1):
        number = f"{above}{at}"
        indent = "  " * number.count(".")
        rests = _clauses(one.rests, marks)
        how = f" ({one.how})" if one.how else ""
        yield f"{indent}{number}. {clean(one.text)}{how}{f'  [{rests}]' if rests else ''}"
        yield from _steps(one.steps, marks, f"{number}.")


def _clauses(rests: Rests, marks: Marks) -> str:
    changed = f"changed by {rests.changed}" if rests.changed else ""
    return "  ".join(filter(None, (" ".join(rests.cites), marked(rests, marks), changed)))


# ---- Markdown -------------------------------------------------------------------------------------------


def sheet_markdown(sheet: Sheet) -> str:
    lines = [
        f"# {_md(sheet.title)}",
        "",
        *(f"- {_md(changed(one))}" for one in sheet.also),
        *([""] if sheet.also else []),
    ]
    for page in sheet.pages:
        marks = marks_of(page)
        lines += [f"## {_md(page.title)}", ""]
        for part in page.parts:
            lines += [*_markdown(part, marks), ""]
        told = [f"- {mark} {_md(text)}" for mark, text in foot(page)]
        lines += [*told, ""] if told else []
    return "\n".join([*lines, f"*{_md(colophon(sheet.ruleset, sheet.digest))}*", ""])


def _markdown(part: Part, marks: Marks) -> Iterator[str]:
    match part:
        case Printed():
            yield from _headed(part.title, part.across, part.rests, marks)
            yield _row(part.down, *part.columns)
            yield _row("---", *("---:" for _ in part.columns))
            yield from (_row(f"**{_md(head)}**" if head else "", *map(_md, cells)) for head, cells in part.lines)
            if part.notes:
                yield ""
            yield from (f"- {_md(mark)}: {_md(text)}" for mark, text in part.notes)
        case Rows():
            yield from _headed(part.title, part.how, part.rests, marks)
            amounts = any(line.amount for line in part.lines)
            yield _row(*([""] if amounts else []), "", "")
            yield _row(*(["---:"] if amounts else []), "---", "---")
            for line in part.lines:
                cells = (_md(line.text), _md(_clauses(line.rests, marks)))
                yield _row(*([f"**{_md(line.amount)}**"] if amounts else []), *cells)
            if part.otherwise:
                yield ""
                yield f"Otherwise: {_md(part.otherwise)}"
        case Steps():
            yield from _headed(part.title, part.how, part.rests, marks)
            yield from _listed(part.steps, marks, "")
        case Words(clauses):
            yield from (f"- {_md(text)} *{_md(id)}*" for id, text in clauses)


def _headed(title: str, more: str, rests: Rests, marks: Marks) -> Iterator[str]:
    yield f"### {_md(title)}"
    yield ""
    said = ". ".join(filter(None, (more, _clauses(rests, marks))))
    if said:
        yield f"*{_md(said)}*"
        yield ""


def _listed(steps: Iterable[Step], marks: Marks, indent: str) -> Iterator[str]:
    for at, one in enumerate(steps, 1):
        rests = _clauses(one.rests, marks)
        how = f" ({one.how})" if one.how else ""
        yield f"{indent}{at}. {_md(one.text + how)}{f' *{_md(rests)}*' if rests else ''}"
        yield from _listed(one.steps, marks, indent + "   ")


def _md(text: str) -> str:
    return "".join(f"\\{letter}" if letter in "\\`*_[]<>|" else letter for letter in clean(text))


def _row(*cells: str) -> str:
    return "| " + " | ".join(cells) + " |"


# ---- JSON -----------------------------------------------------------------------------------------------


def sheet_json(sheet: Sheet) -> str:
    document = {
        "format_version": 1,
        "command": "sheet",
        "ruleset": sheet.ruleset,
        "title": sheet.title,
        "digest": sheet.digest,
        "variants": list(sheet.variants),
        "also": [{"path": one.path, "how": one.how, "by": one.variant, "why": one.why} for one in sheet.also],
        "pages": [_page(page) for page in sheet.pages],
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _page(page: SheetPage) -> dict[str, Any]:
    readings = [
        {"option": one.option, "title": one.title, "reading": one.reading, "others": list(one.others), "why": one.why}
        for one in page.readings
    ]
    assumed = [{"id": id, "text": text} for id, text in page.assumed]
    parts = [_object(part) for part in page.parts]
    return {"name": page.name, "title": page.title, "parts": parts, "readings": readings, "assumed": assumed}


def _object(part: Part) -> dict[str, Any]:
    match part:
        case Printed():
            return {
                "kind": "grid",
                "chart": part.chart,
                "title": part.title,
                "across": part.across,
                "down": part.down,
                "columns": list(part.columns),
                "lines": [{"heading": head, "cells": list(cells)} for head, cells in part.lines],
                "notes": [{"mark": mark, "text": text} for mark, text in part.notes],
                **_rests(part.rests),
            }
        case Rows():
            lines = [
                {"row": line.row, "amount": line.amount, "text": line.text, **_rests(line.rests)} for line in part.lines
            ]
            said = {"chart": part.chart, "title": part.title, "how": part.how}
            return {"kind": "rows", **said, "lines": lines, "otherwise": part.otherwise, **_rests(part.rests)}
        case Steps():
            said = {"chart": part.chart, "title": part.title, "how": part.how}
            return {"kind": "steps", **said, "steps": [_step(one) for one in part.steps], **_rests(part.rests)}
        case Words(clauses):
            return {"kind": "clauses", "clauses": [{"id": id, "rule": text} for id, text in clauses]}


def _step(one: Step) -> dict[str, Any]:
    said = {"row": one.row, "text": one.text, "how": one.how}
    return {**said, **_rests(one.rests), "steps": [_step(each) for each in one.steps]}


def _rests(rests: Rests) -> dict[str, Any]:
    return {
        "cites": list(rests.cites),
        "assumed": list(rests.assumed),
        "options": list(rests.options),
        "changed_by": rests.changed or None,
    }
