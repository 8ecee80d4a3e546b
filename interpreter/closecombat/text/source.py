"""The text of one file, and places in it.

Every node, fault and trace line points into a `Source`; reading files is the business of `document`.
"""

from __future__ import annotations

import re
from dataclasses import field

from closecombat.text.slotted import dataclass

BLANKS = frozenset("\t\n\r")


@dataclass(frozen=True, slots=True)
class Source:
    """A named text. Lines and columns count from 1, as editors do; a tab is one column.

    A source without text stands for a file as a whole, such as one that could not be read.
    """

    name: str
    text: str = field(repr=False)

    def position(self, offset: int) -> tuple[int, int]:
        """The line and column of an offset; past the end it is the end."""
        offset = min(offset, len(self.text))
        line_start = self.text.rfind("\n", 0, offset) + 1
        return self.text.count("\n", 0, offset) + 1, offset - line_start + 1

    def line(self, number: int) -> str:
        """The text of a line without its line break; empty where there is no such line."""
        lines = self.text.split("\n", number)
        return lines[number - 1].removesuffix("\r") if 1 <= number <= len(lines) else ""


@dataclass(frozen=True, slots=True)
class Span:
    """The characters from `start` up to, not including, `end`."""

    source: Source
    start: int
    end: int

    @property
    def text(self) -> str:
        """The characters themselves, as they stand in the file."""
        return self.source.text[self.start : self.end]

    def part(self, start: int, end: int) -> Span:
        """The piece between two offsets that count from the start of this span."""
        return Span(self.source, self.start + start, self.start + end)

    def to(self, last: Span) -> Span:
        """From the start of this span to the end of another in the same file."""
        return Span(self.source, self.start, last.end)


def unprintable(text: str) -> re.Match[str] | None:
    """The first character that YAML does not allow, or that turns round what stands after it."""
    if "".join(set(text) - BLANKS).isprintable():
        return None  # as nearly always; the expression alone takes long to be made
    return re.search(
        r"[^\t\n\r\x20-\x7e\x85\xa0-\u2029\u202f-\u2065\u206a-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", text
    )
