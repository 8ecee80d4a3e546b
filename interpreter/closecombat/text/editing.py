"""Texts of files with some of their places written anew: byte order mark, line breaks and all that stands around stay
as they are."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import accumulate

from closecombat.text.source import Source, Span

BREAK = re.compile(r"\r\n?|\n")
MARK = "\ufeff"

Edit = tuple[Span, str]  # a place, and what is to stand there


def as_read(raw: str) -> str:
    """A file's text as `text/document` reads it."""
    return BREAK.sub("\n", raw.removeprefix(MARK))


def edited(raw: str, edits: Iterable[Edit]) -> str:
    """A file's text with other words at some places of what is read of it; no two places overlap."""
    starts = _offsets(raw)
    found = BREAK.search(raw)
    line_break = found[0] if found else "\n"
    for span, instead in sorted(edits, key=lambda edit: -edit[0].start):
        start, end = starts[span.start], starts[span.end]
        raw = raw[:start] + instead.replace("\n", line_break) + raw[end:]
    return raw


def overlap(one: Span, other: Span) -> bool:
    """Whether two places of a file cannot both be written anew; two insertions at one place cannot either."""
    return one.source.name == other.source.name and one.start <= other.end and other.start <= one.end


def lines_after(source: Source, edits: Iterable[Edit]) -> set[int]:
    """The lines in which something has changed, as they are counted then."""
    lines: set[int] = set()
    ordered = sorted((edit for edit in edits if edit[0].source == source), key=lambda edit: edit[0].start)
    more = accumulate((new.count("\n") - span.text.count("\n") for span, new in ordered), initial=0)
    for (span, new), before in zip(ordered, more, strict=False):
        first = source.position(span.start)[0] + before
        lines.update(range(first, first + new.count("\n") + 1))
    return lines


def _offsets(raw: str) -> list[int] | range:
    """For each place of what is read of a text where it stands in the file."""
    if MARK not in raw[:1] and "\r" not in raw:
        return range(len(raw) + 1)
    start = len(MARK) if raw.startswith(MARK) else 0
    skipped = {found.start() + 1 for found in BREAK.finditer(raw) if found[0] == "\r\n"}
    return [at for at in range(start, len(raw) + 1) if at not in skipped]
