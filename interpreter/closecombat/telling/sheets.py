"""What is printed in other forms, one way for all commands: as Markdown, as a page, and rows as CSV.

Markdown and pages are made of the very parts that are printed (`page` decides which of them), so they say the same. A
bar is left out of Markdown, and is a bar on a page, as long as the first percentage before it says, else as the text
is. CSV holds exact numbers and one thing in a cell; which rows these are is said beside the same answer as JSON.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from io import StringIO
from textwrap import dedent

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Column, Table
from rich.text import Text

from closecombat.telling.html import page_of

EIGHTHS = "▏▎▍▌▋▊▉"
NARROW = 38  # letters that stand beside each other on a narrow page
A_WORD, A_BAR, BETWEEN = 14, 10, 1.5  # letters: of a column of texts at least, of a picture, between two columns
INDENTED = "    "
PERCENT = re.compile(r"([0-9]+(?:\.[0-9]+)?)%")


def holds_bars(column: Column) -> bool:
    """Whether a column is a picture of what stands beside it."""
    return not column.header and all(set(str(cell)) <= {*EIGHTHS, "█"} for cell in column.cells)


def markdown(parts: Iterable[RenderableType]) -> str:
    """Headings, tables and paragraphs, a blank line between them; the first heading is that of the page."""
    blocks: list[str] = []
    for part in parts:
        match part:
            case Table():
                if part.columns:
                    blocks.append(_table(part))
            case Text():
                blocks.append(_heading(part, "#" if not blocks else "##"))
            case _:
                blocks += [said] if (said := _said(part)) else []
    return "\n".join(_apart(blocks)).strip("\n") + "\n"


def _apart(blocks: Sequence[str]) -> Iterable[str]:
    """A blank line between two blocks, but not between the points of a list."""
    before = ""
    for block in blocks:
        if before and not (before.startswith("- ") and block.startswith("- ")):
            yield ""
        yield block
        before = block


def _heading(text: Text, sign: str) -> str:
    said, _, more = text.plain.partition("  ")
    return f"{sign} {said}" + (f"\n\n{more}" if more else "")


def _said(part: RenderableType) -> str:
    """A text without its line breaks."""
    inner = part.renderable if isinstance(part, Padding) else part
    return " ".join((inner.plain if isinstance(inner, Text) else str(inner)).split())


def webpage(parts: Iterable[RenderableType]) -> str:
    """The same parts as a page in the dress of all pages."""
    blocks: list[tuple[str, object]] = []
    title = ""
    tables = Counter[str]()  # by the heading above them, so that each has a name of its own
    for part in parts:
        match part:
            case Table():
                if part.columns:
                    name = str(next((said for sort, said in reversed(blocks) if sort in ("h1", "h2")), "a table"))
                    tables[name] += 1
                    number = f", table {tables[name]}" if tables[name] > 1 else ""
                    blocks.append(("table", {"name": f"{name}{number}", **_rows_of(part)}))
            case Text():
                said, _, more = part.plain.partition("  ")
                blocks.append(("h2" if title else "h1", said))
                title = title or said
                if more:
                    blocks.append(("soft", more))
            case str() if part.startswith(INDENTED):
                text = dedent(part).rstrip()
                if blocks and blocks[-1][0] == "code":
                    text = f"{blocks.pop()[1]}\n{text}"
                blocks.append(("code", text))
            case _:
                said = _said(part)
                if said.startswith("- ") and blocks and blocks[-1][0] == "list" and isinstance(blocks[-1][1], list):
                    blocks[-1][1].append(said[2:])
                elif said:
                    blocks.append(("list", [said[2:]]) if said.startswith("- ") else ("text", said))
    if not title and blocks and blocks[0][0] == "text":  # what is said first is what it is about
        title = str(blocks[0][1]).replace("`", "")
        blocks[0] = ("h1", title)
    if not title:
        blocks.insert(0, ("h1", title := "closecombat"))
    return page_of("tables", {"title": title, "blocks": blocks})


def _rows_of(table: Table) -> dict[str, object]:
    bars = [holds_bars(column) for column in table.columns]
    kinds = ["bars" if is_bar else column.justify for is_bar, column in zip(bars, table.columns, strict=True)]
    cells = [[" ".join(str(cell).split()) for cell in column.cells] for column in table.columns]
    longest = [max((len(cell) for cell in column), default=0) or 1 for column in cells]
    rows: list[list[tuple[str, str]]] = []
    for row in zip(*cells, strict=True):
        share, made = "", list[tuple[str, str]]()
        for kind, cell, most in zip(kinds, row, longest, strict=True):
            found = PERCENT.fullmatch(cell)
            share = share or (found[1] if found else "")
            made.append((kind, (share or f"{100 * len(cell) / most:.0f}" if cell else "0") if kind == "bars" else cell))
            share = "" if kind == "bars" else share
        if rows and kinds[0] == "left" and not made[0][1]:  # left blank where it is that of the row above
            made[0] = ("again", rows[-1][0][1])
        rows.append(made)
    heads = [(kind, str(column.header)) for kind, column in zip(kinds, table.columns, strict=True)]
    heads = heads if table.show_header else []
    said = [[head, *column] for (_, head), column in zip(heads, cells, strict=True)] if heads else cells
    needed = sum(map(_letters, kinds, said)) + BETWEEN * len(kinds)
    return {"heads": heads, "rows": rows, "slim": not any(bars), "stack": bool(heads) and needed > NARROW}


def _letters(kind: str, cells: Sequence[str]) -> int:
    """How many letters wide a column has to be: for its longest number, or for a word or two of each text."""
    if kind == "bars":
        return A_BAR
    words = max((len(word) for cell in cells for word in re.split(r"[\s-]", cell)), default=0)
    return max(words, min(max(map(len, cells), default=0), A_WORD if kind == "left" else 2 * A_WORD))


def _table(table: Table) -> str:
    columns = [column for column in table.columns if not holds_bars(column)]
    heads = [_cell(str(column.header)) if table.show_header else "" for column in columns]
    lines = ["---:" if column.justify == "right" else "---" for column in columns]
    rows = zip(*([_cell(str(cell)) for cell in column.cells] for column in columns), strict=True)
    return "\n".join(f"| {' | '.join(row)} |" for row in (heads, lines, *rows))


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def csv_text(rows: Iterable[Sequence[object]]) -> str:
    """Rows, the headings first."""
    import csv  # of all forms only this one asks for it

    stream = StringIO()
    csv.writer(stream, lineterminator="\n").writerows(rows)
    return stream.getvalue()
