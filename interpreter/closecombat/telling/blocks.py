"""What a text for people is made of, and how each block is printed: line by line, in colours where they are wanted.

A block is a plain text, a line whose words stand out in places, such a line indented, a table, or a tree. The same
blocks become Markdown and pages (`sheets`); how wide the columns of a table are is decided by `page`. A word is never
split: what is longer than its room stands on a line of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from itertools import zip_longest
from typing import TypeAlias

from closecombat.text.faults import Bug
from closecombat.text.slotted import dataclass

GAP = "  "  # between columns
BOLD, DIM, RESULT = "bold", "dim", "result"
_SHOWN: Mapping[str, str] = {BOLD: "1", DIM: "2", RESULT: "1;36"}  # as a terminal is told
_WORD = re.compile(r"\s*\S+\s*")
_STEERING: Mapping[int, None] = dict.fromkeys((7, 8, 11, 12, 13))  # what would move a cursor or ring
_BRANCH, _LAST_BRANCH, _BESIDE, _BELOW = "├── ", "└── ", "│   ", "    "


@dataclass(frozen=True, slots=True)
class Line:
    """Words one behind the other, each with how it stands out."""

    words: tuple[tuple[str, str], ...]

    @property
    def plain(self) -> str:
        return "".join(said for said, _ in self.words)


def line(said: str, how: str = "", *more: tuple[str, str]) -> Line:
    return Line(tuple(each for each in ((said, how), *more) if each[0]))


@dataclass(frozen=True, slots=True)
class Indented:
    """A line that begins further to the right."""

    line: Line
    by: int


@dataclass(slots=True, eq=False)
class Column:
    """A column of a table; its width is set before it is printed."""

    header: str
    on_the_right: bool = False
    no_wrap: bool = False
    cells: list[str] = field(default_factory=list)
    width: int = 0


@dataclass(slots=True, eq=False)
class Table:
    """Columns, each with as many cells as there are rows."""

    columns: list[Column]
    show_header: bool = True

    def add_row(self, *cells: str) -> None:
        """A row, whose last cells may be left out."""
        if len(cells) > len(self.columns):
            raise Bug(f"a row of {len(cells)} cells in a table of {len(self.columns)} columns")
        for column, cell in zip(self.columns, (*cells, *[""] * (len(self.columns) - len(cells))), strict=True):
            column.cells.append(cell)


@dataclass(frozen=True, slots=True)
class Tree:
    """A line, and those that hang on it."""

    line: Line
    inside: tuple[Tree, ...] = ()


Block: TypeAlias = str | Line | Indented | Table | Tree


def wide(text: str) -> int:
    """How many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    from unicodedata import category, east_asian_width

    narrow = sum(category(letter) in ("Mn", "Me", "Cf") for letter in text)
    return len(text) - narrow + sum(east_asian_width(letter) in "WF" for letter in text)


def printed(block: Block, width: int, colour: bool) -> Iterator[str]:
    """The lines of a block on a page of some width; a plain text is as it is."""
    match block:
        case Table():
            yield from _table(block, colour)
        case Tree():
            yield from _tree(block, width, colour, "", "")
        case Indented(inner, by):
            yield from (" " * by + each for each in _lines(inner, width - by, colour))
        case Line():
            yield from _lines(block, width, colour)
        case _:
            yield from block.translate(_STEERING).split("\n")


def _lines(said: Line, width: int, colour: bool) -> Iterator[str]:
    """A line, gone on with below where it is longer than the page."""
    plain = said.plain
    ends = [*_breaks(plain, width), len(plain)]
    begin = 0
    for end in ends:
        stop = begin + len(plain[begin:end].rstrip())
        at, shown = 0, []
        for word, how in said.words:
            piece = word[max(begin - at, 0) : max(stop - at, 0)].translate(_STEERING)
            shown.append(_painted(piece, how if colour else ""))
            at += len(word)
        yield "".join(shown)
        begin = end


def _breaks(text: str, width: int) -> list[int]:
    """Where a text goes on below."""
    found: list[int] = []
    if wide(text) <= width:
        return found
    used = 0
    for word in _WORD.finditer(text):
        if used and used + wide(word[0].rstrip()) > width:
            found.append(word.start())
            used = 0
        used += wide(word[0])
    return found


def _painted(text: str, how: str) -> str:
    return f"\x1b[{_SHOWN[how]}m{text}\x1b[0m" if how and text else text


def _table(table: Table, colour: bool) -> Iterator[str]:
    """The headings, below each other's foot, and the rows, beside each other's head."""
    if table.show_header:
        heads = [_in_column(column.header, column) for column in table.columns]
        most = max(map(len, heads), default=0)
        heads = [[""] * (most - len(lines)) + lines for lines in heads]
        yield from (_painted(said, BOLD if colour else "") for said in _beside(heads, table.columns))
    for row in zip(*(column.cells for column in table.columns), strict=True):
        cells = [_in_column(cell, column) for cell, column in zip(row, table.columns, strict=True)]
        yield from _beside(cells, table.columns)


def _in_column(text: str, column: Column) -> list[str]:
    """The lines of a cell."""
    lines = text.translate(_STEERING).split("\n")
    if column.no_wrap:
        return lines
    return [piece for each in lines for piece in _pieces(each, column.width)]


def _pieces(text: str, width: int) -> Iterator[str]:
    begin = 0
    for end in (*_breaks(text, width), len(text)):
        yield text[begin:end].rstrip()
        begin = end


def _beside(cells: Sequence[Sequence[str]], columns: Sequence[Column]) -> Iterator[str]:
    for lines in zip_longest(*cells, fillvalue=""):
        yield GAP.join(_filled(said, column) for said, column in zip(lines, columns, strict=True)).rstrip()


def _filled(text: str, column: Column) -> str:
    room = " " * (column.width - wide(text))
    return room + text if column.on_the_right else text + room


def _tree(tree: Tree, width: int, colour: bool, first: str, below: str) -> Iterator[str]:
    """A tree behind the branch that it hangs on: what its first line begins with, and what those below do."""
    dim = DIM if colour else ""
    for place, said in enumerate(_lines(tree.line, width - len(first), colour)):
        yield _painted(below if place else first, dim) + said
    for place, each in enumerate(tree.inside, 1):
        is_last = place == len(tree.inside)
        branch, beside = (_LAST_BRANCH, _BELOW) if is_last else (_BRANCH, _BESIDE)
        yield from _tree(each, width, colour, below + branch, below + beside)
