"""What there is: shipped rulesets, codes, options, and a ruleset row by row; as text, as CSV and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap

from rich.console import RenderableType

from closecombat.asking.fights.fight_files import Scene, read_engagement
from closecombat.asking.printed.shows import Chart, Line
from closecombat.binding.charts import Bound
from closecombat.binding.load import load
from closecombat.reading.battle_files import words_for
from closecombat.reading.model import Change
from closecombat.reading.stack import shipped
from closecombat.reading.targets import FREE
from closecombat.telling.page import Page, clean, heading, rendered, table
from closecombat.telling.sheets import csv_text
from closecombat.text.codes import CODES
from closecombat.text.document import parse, read_source
from closecombat.text.faults import Bug, Faults
from closecombat.text.files import schemas
from closecombat.text.nodes import Mapping, Text
from closecombat.text.slotted import dataclass

CUT = "..."
SHORTEST = 20  # letters of what a chart is for
ONE_SCREEN = 13  # lines of names in an outline: a terminal of 24 lines holds them with title, ways on and prompt


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
    if kind == "words":
        known = words_for(None, Faults()).known.values()
        return [Shelf("words", ("word", "sort", "means"), tuple((one.name, one.sort, one.means) for one in known))]
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
        told = read_engagement(document, None).systems.values()
        return name, title, ", ".join(one.name for one in told if isinstance(one.scene, Scene))
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
            out.add_row(*map(clean, _in_short(shelf.kind, thing)))
        if shelf.kind == "schemas" and len(found) > 1:
            out = table(shelf.columns[0])
            out.add_row(", ".join(name for name, _ in shelf.things))
        yield out if shelf.things else f"{shelf.kind}: none"


def _in_short(kind: str, thing: tuple[str, ...]) -> tuple[str, ...]:
    """What is told for every ruleset that ships is told for all of them."""
    if kind == "engagements" and {*thing[-1].split(", ")} == {*shipped()}:
        return (*thing[:-1], "all")
    return thing


def list_csv(found: Sequence[Shelf]) -> str:
    """A line for each thing; of several shelves with what it is, and with the columns of all of them."""
    if len(found) == 1:
        return csv_text((found[0].columns, *found[0].things))
    columns = list(dict.fromkeys(column for shelf in found for column in shelf.columns[1:]))
    rows = (
        (shelf.columns[0], dict(zip(("name", *shelf.columns[1:]), one, strict=True)))
        for shelf in found
        for one in shelf.things
    )
    return csv_text(
        (
            ("what", "name", *columns),
            *((what, *(one.get(each, "") for each in ("name", *columns))) for what, one in rows),
        )
    )


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


def show_text(bound: Bound, lines: Sequence[Line], gone: Sequence[Change], locks: Sequence[Change], page: Page) -> str:
    return rendered(_show_parts(bound, lines, gone, locks), page)


def _show_parts(
    bound: Bound, lines: Sequence[Line], gone: Sequence[Change], locks: Sequence[Change]
) -> Iterable[RenderableType]:
    yield _title(bound)
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
    for title, first, second, changes in (("Removed", "was", "removed by", gone), ("Locked", "is", "locked by", locks)):
        if changes:
            yield ""
            yield heading(title)
            out = table(first, second, "why")
            for change in changes:
                out.add_row(clean(change.path), clean(change.variant), clean(change.why))
            yield out


# ---- its outline, and what is found in it -----------------------------------------------------------------


def outline_text(bound: Bound, stack: str, charts: Sequence[Chart], page: Page) -> str:
    """A ruleset on one screen: how many there are of what, their names as far as they fit, and how to go on."""
    return rendered(_outline_parts(bound, stack, charts, page), page)


def _outline_parts(bound: Bound, stack: str, charts: Sequence[Chart], page: Page) -> Iterable[RenderableType]:
    named: dict[str, list[str]] = {}
    for chart in charts:
        if chart.name:
            named.setdefault(chart.section, []).append(chart.name)
    alone = [chart.section for chart in charts if not chart.name]
    variants = [entry[0] for entry in shelves("variants")[0].things if entry[1] == bound.ruleset.name]
    shelf = {**named, **({"the rest": alone} if alone else {}), **({"variants": variants} if variants else {})}
    lead = max(map(len, shelf), default=0) + max((len(str(len(names))) for names in shelf.values()), default=0) + 4
    room = page.width - lead
    lines = dict.fromkeys(shelf, 1)
    for _ in range(ONE_SCREEN - len(shelf)):  # a line more to whoever leaves out the most
        lines[max(lines, key=lambda each: _left_out(shelf[each], room, lines[each]))] += 1
    yield _title(bound)
    yield ""
    if page.form:
        listed = table("what", "number", "names", right=["number"])
        for section, names in shelf.items():
            listed.add_row(section, str(len(names)), ", ".join(map(clean, names)))
        yield listed
    for section, names in () if page.form else shelf.items():
        said = _as_fits(names, room, lines[section]).split("\n")
        count = f"{len(names):>{lead - 4 - max(map(len, shelf))}}"
        yield f"{section:{max(map(len, shelf))}}  {count}  {said[0]}"
        yield from (" " * lead + more for more in said[1:])
    named_ones = [chart for chart in charts if chart.section == "tables"] or [chart for chart in charts if chart.name]
    largest = max(named_ones, key=lambda chart: chart.rows, default=None)
    most = max(named, key=lambda each: len(named[each]), default="")
    yield ""
    yield f"to go on, after `closecombat show {stack}`:"
    out = table("", "")
    out.show_header = False
    if most:
        out.add_row(f"  {most}", f"all {len(named[most])}, and what each is for")
    if largest is not None:
        out.add_row(f"  {largest.path}", f"its {largest.rows} rows, and where each stands")
    if bound.ruleset.changes:
        out.add_row("  --changed", "what its variants change")
    out.add_row("  --find WORD", "where a word stands, in rows and clauses")
    out.add_row("  --all", f"all {sum(chart.rows for chart in charts):,} rows")
    yield out


def _title(bound: Bound) -> RenderableType:
    return heading("+".join((bound.ruleset.name, *bound.ruleset.variants)), bound.ruleset.title)


def _fitting(names: Sequence[str], number: int, room: int) -> list[str]:
    """The first names in lines of that width, with how many more there are."""
    left = len(names) - number
    text = ", ".join(names[:number]) + (f" and {left} more" if left and number else "")
    return wrap(clean(text), max(room, 1), break_long_words=False, break_on_hyphens=False)


def _that_fit(names: Sequence[str], room: int, lines: int) -> int:
    return next((n for n in range(len(names), 1, -1) if len(_fitting(names, n, room)) <= lines), 1)


def _left_out(names: Sequence[str], room: int, lines: int) -> int:
    return len(names) - _that_fit(names, room, lines)


def _as_fits(names: Sequence[str], room: int, lines: int) -> str:
    return "\n".join(_fitting(names, _that_fit(names, room, lines), room))


def section_text(bound: Bound, stack: str, charts: Sequence[Chart], page: Page) -> str:
    """The charts of a section by their names."""
    return rendered(_section_parts(bound, stack, charts, page), page)


def _section_parts(bound: Bound, stack: str, charts: Sequence[Chart], page: Page) -> Iterable[RenderableType]:
    yield _title(bound)
    yield ""
    out = table(charts[0].section, "what it is or is for", "from")
    room = page.width - 4 - sum(max(len(said) for said in each) for each in zip(*_ends(charts), strict=True))
    for chart in charts:
        rows = [f"{chart.rows} row{'s' * (chart.rows != 1)}"] if chart.rows else []
        said = ": ".join([*rows, chart.about] if chart.about else rows) or chart.line.text
        out.add_row(clean(chart.name), clean(_around(said, "", max(room, SHORTEST))), chart.line.place)
    yield out
    yield ""
    yield f"the rows of one: closecombat show {stack} {charts[0].path}"
    yield f"of all of them:  closecombat show {stack} {charts[0].section} --all"


def _ends(charts: Sequence[Chart]) -> Iterable[tuple[str, str]]:
    return ((chart.name, chart.line.place) for chart in charts)


def found_text(bound: Bound, lines: Sequence[Line], word: str, page: Page) -> str:
    """Where a word stands: the path and the place of each row, and what stands around it."""
    return rendered(_found_parts(bound, lines, word, page), page)


def _found_parts(bound: Bound, lines: Sequence[Line], word: str, page: Page) -> Iterable[RenderableType]:
    yield _title(bound)
    groups: dict[str, list[Line]] = {}
    for line in lines:
        groups.setdefault(_sort_of(line), []).append(line)
    for sort, mine in groups.items():
        yield ""
        yield heading(f"{sort} ({len(mine)})")
        yield from [_listed(mine)] if page.form else _places(mine, word, page)


def _sort_of(line: Line) -> str:
    if line.section in FREE:
        return line.section
    return "facts" if line.section == "kinds" and line.row else "rows" if line.row else "charts"


def _listed(lines: Iterable[Line]) -> RenderableType:
    out = table("path", "reads", "from")
    for line in lines:
        out.add_row(clean(line.path), clean(line.said), line.place)
    return out


def _places(lines: Sequence[Line], word: str, page: Page) -> Iterable[str]:
    for line in lines:
        yield f"{clean(line.path)}  {line.place}"
        yield f"    {clean(_around(line.said, word, page.width - 4))}"


def _around(text: str, word: str, room: int) -> str:
    """As much of a text as fits a line, from a word before what is looked for; the end of it if it stands there."""
    if len(text) <= room:
        return text
    at = max(text.casefold().find(word.casefold()), 0)
    first = min(at - room // 3, len(text) - room + len(CUT) + 1) if at + len(word) > room - len(CUT) - 1 else 0
    start = text.find(" ", first, at) + 1 if first > 0 else 0
    said = (f"{CUT} " if start else "") + text[start:]
    if len(said) <= room:
        return said
    end = max(said.rfind(" ", 0, room - len(CUT)), 1)
    return f"{said[:end]} {CUT}"


def show_csv(lines: Sequence[Line], gone: Sequence[Change], locks: Sequence[Change]) -> str:
    """A line for each row, and for what variants have removed or locked."""
    return csv_text(_rows(lines, gone, locks))


def _rows(lines: Sequence[Line], gone: Sequence[Change], locks: Sequence[Change]) -> Iterator[tuple[object, ...]]:
    yield "how", "path", "section", "chart", "row", "reads", "file", "line", "changed_by", "change", "why"
    for line in lines:
        place = line.span.source.name, line.span.source.position(line.span.start)[0]
        by = (line.change.variant, line.change.id, line.change.why) if line.change else ("", "", "")
        yield "changed" if line.change else "", line.path, line.section, line.chart, line.row, line.text, *place, *by
    for how, changes in (("removed", gone), ("locked", locks)):
        yield from ((how, one.path, "", "", "", "", "", "", one.variant, one.id, one.why) for one in changes)


def show_json(bound: Bound, lines: Sequence[Line], gone: Sequence[Change], locks: Sequence[Change]) -> str:
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
                "removed": [_told(change) for change in gone],
                **({"locked": [_told(lock) for lock in locks]} if locks else {}),
            },
            indent=2,
            ensure_ascii=False,
        )
        + "\n"
    )


def _told(change: Change) -> dict[str, str]:
    return {"path": change.path, "variant": change.variant, "change": change.id, "why": change.why}
