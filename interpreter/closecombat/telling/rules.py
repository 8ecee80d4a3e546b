"""What there is: shipped rulesets, codes, options, and a ruleset row by row; as text and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.console import RenderableType

from closecombat.asking.shows import Line
from closecombat.binding.charts import Bound
from closecombat.binding.load import load
from closecombat.reading.model import Change
from closecombat.reading.stack import shipped
from closecombat.telling.page import Page, clean, heading, rendered, table
from closecombat.text.codes import CODES
from closecombat.text.document import parse, read_source
from closecombat.text.faults import Bug
from closecombat.text.files import schemas
from closecombat.text.nodes import Mapping, Text


@dataclass(frozen=True, slots=True)
class Shelf:
    """Things of one kind, each with a few words; `columns` names what the words say."""

    kind: str
    columns: tuple[str, ...]
    things: tuple[tuple[str, ...], ...]


def shelves(kind: str, ruleset: str = "") -> list[Shelf]:
    """What is on the shelf of a kind; without a kind, everything that can be played with."""
    if kind == "codes":
        return [Shelf("codes", ("code", "means"), tuple((code, _first(text)) for code, text in CODES.items()))]
    if kind == "schemas":
        return [Shelf("schemas", ("schema", "file"), tuple((name, file.name) for name, file in schemas().items()))]
    if kind == "options":
        found = load(ruleset).ruleset.options.values()
        return [
            Shelf(
                "options",
                ("option", "default", "readings", "clause", "why"),
                tuple(
                    (one.name, one.default, ", ".join(one.readings), ", ".join(one.where.cites), one.why)
                    for one in found
                ),
            )
        ]
    return [
        Shelf(each, _columns(each), tuple(_entry(each, name) for name in shipped(each)))
        for each in ((kind,) if kind else ("rulesets", "variants", "engagements", "sweeps"))
    ] + ([] if kind else shelves("schemas"))


def _columns(kind: str) -> tuple[str, ...]:
    return {
        "rulesets": ("ruleset", "title"),
        "variants": ("variant", "on", "title"),
        "engagements": ("engagement", "title", "systems"),
        "sweeps": ("sweep", "title"),
    }[kind]


def _entry(kind: str, name: str) -> tuple[str, ...]:
    file = shipped(kind)[name]
    document = parse(read_source(file / "ruleset.yaml" if kind == "rulesets" else file))
    if not isinstance(document, Mapping):
        raise Bug("isinstance(document, Mapping)")
    said = {key.value: node.value for key, node in document.entries if isinstance(node, Text)}
    title = " ".join(said.get("title", "").split())
    if kind == "variants":
        return name, said.get("extends", ""), title
    if kind == "engagements":
        systems = document.get("systems")
        return name, title, ", ".join(systems.keys()) if isinstance(systems, Mapping) else ""
    return name, title


def _first(text: str) -> str:
    return text.partition(". ")[0].rstrip(".")


def list_text(found: Sequence[Shelf], page: Page) -> str:
    return rendered(_list_parts(found), page)


def _list_parts(found: Sequence[Shelf]) -> Iterable[RenderableType]:
    for place, shelf in enumerate(found):
        if place:
            yield ""
        out = table(*shelf.columns)
        for thing in shelf.things:
            out.add_row(*map(clean, thing))
        yield out if shelf.things else f"{shelf.kind}: none"


def list_json(found: Iterable[Shelf]) -> str:
    return (
        json.dumps(
            {
                "format_version": 1,
                "command": "list",
                **{
                    shelf.kind: [dict(zip(shelf.columns, thing, strict=True)) for thing in shelf.things]
                    for shelf in found
                },
            },
            indent=2,
            ensure_ascii=False,
        )
        + "\n"
    )


# ---- the effective ruleset --------------------------------------------------------------------------------


def show_text(bound: Bound, lines: Sequence[Line], gone: Sequence[Change], page: Page) -> str:
    return rendered(_show_parts(bound, lines, gone), page)


def _show_parts(bound: Bound, lines: Sequence[Line], gone: Sequence[Change]) -> Iterable[RenderableType]:
    ruleset = bound.ruleset
    yield heading("+".join((ruleset.name, *ruleset.variants)), ruleset.title)
    charts: dict[tuple[str, str], list[Line]] = {}
    for line in lines:
        charts.setdefault((line.section, line.chart), []).append(line)
    for (section, chart), rows in charts.items():
        yield ""
        yield heading(".".join(part for part in (section, chart) if part))
        out = (
            table("row", "reads", "from", "changed by")
            if any(line.change for line in rows)
            else table("row", "reads", "from")
        )
        for line in rows:
            out.add_row(clean(line.row), clean(line.text), line.place, *([clean(line.variant)] if line.change else []))
        yield out
    if gone:
        yield ""
        yield heading("Removed")
        out = table("was", "removed by", "why")
        for change in gone:
            out.add_row(clean(change.path), clean(change.variant), clean(change.why))
        yield out


def show_json(bound: Bound, lines: Sequence[Line], gone: Sequence[Change]) -> str:
    ruleset = bound.ruleset
    return (
        json.dumps(
            {
                "format_version": 1,
                "command": "show",
                "ruleset": "+".join((ruleset.name, *ruleset.variants)),
                "title": ruleset.title,
                "variants": list(ruleset.variants),
                "rows": [
                    {
                        "path": line.path,
                        "section": line.section,
                        "chart": line.chart,
                        "row": line.row,
                        "reads": line.text,
                        "file": line.span.source.name,
                        "line": line.span.source.position(line.span.start)[0],
                        **(
                            {"changed_by": line.change.variant, "change": line.change.id, "why": line.change.why}
                            if line.change
                            else {}
                        ),
                    }
                    for line in lines
                ],
                "removed": [
                    {"path": change.path, "variant": change.variant, "change": change.id, "why": change.why}
                    for change in gone
                ],
            },
            indent=2,
            ensure_ascii=False,
        )
        + "\n"
    )
