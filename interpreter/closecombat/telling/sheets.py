"""Tables for other programs, one way for all commands: what stands on the page as Markdown, and rows as CSV.

Markdown is made of the very parts that are printed (`page`), without bars and colours, so it says the same. CSV holds
exact numbers and one thing in a cell; which rows these are is said beside the same answer as JSON.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from io import StringIO

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from closecombat.telling.page import Page, holds_bars

AS_LONG_AS_IT_IS = Page(1_000_000)  # a text without line breaks, a table with all its columns


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
                blocks += [" ".join(str(part).split())] if str(part).strip() else []
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
    stream = StringIO()
    csv.writer(stream, lineterminator="\n").writerows(rows)
    return stream.getvalue()
