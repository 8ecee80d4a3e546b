"""Which findings are told: comments that ignore one in its line, severities by folder, codes chosen for one run, and a
baseline of what an old ruleset is forgiven.

Nothing hides what keeps a file from being read: of that file nothing else is known. And what is not told is not mended:
a ruleset that cannot be played is refused by every other command all the same.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from closecombat.checking.settings import Folders
from closecombat.text.codes import CODES
from closecombat.text.document import read_source
from closecombat.text.faults import Diagnostic, Faulty, Mend, suggest
from closecombat.text.slotted import dataclass
from closecombat.text.source import Source, Span

ALWAYS_TOLD = frozenset(
    {"file-not-found", "not-a-file", "cannot-read", "not-text", "empty-file", "too-large", "too-deep", "too-many-nodes",
     "too-many-faults", "yaml-syntax", "nothing-found"}
)  # fmt: skip
COMMENT = re.compile(r"(?:^|[ \t])(#[ \t]*closecombat:[ \t]*ignore\b(?:\[([^\]\n]*)\])?)[ \t]*([^\n]*)", re.MULTILINE)

Key = tuple[str, str, str]  # code, file, what is said


# ---- comments ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Ignore:
    """A comment `# closecombat: ignore[code, code] reason` and the line it stands in."""

    span: Span
    line: int
    codes: tuple[str, ...]
    reason: str

    @property
    def holds(self) -> bool:
        return bool(self.codes and self.reason)


def without_ignored(found: Iterable[Diagnostic], own: Iterable[Source]) -> Iterator[Diagnostic]:
    """What no comment ignores; and what is wrong with the comments of the files that were themselves asked for. One is
    unused only where everything has been looked at, so not while there are errors; where there is more than is told,
    nothing is said of them."""
    comments: dict[Source, list[Ignore]] = {}
    used: set[tuple[Span, str]] = set()
    errors = more = False
    for one in found:
        if one.span is not None and one.code not in ALWAYS_TOLD:
            source, line = one.span.source, one.span.source.position(one.span.start)[0]
            if source not in comments:
                comments[source] = list(ignores(source))
            fitting = [each for each in comments[source] if each.line == line and each.holds and one.code in each.codes]
            if fitting:
                used |= {(each.span, one.code) for each in fitting}
                continue
        errors |= one.severity == "error"
        more |= one.code == "too-many-faults"
        yield one
    for source in own if not more else ():
        for each in comments.get(source) or ignores(source):
            yield from _amiss(each, used, errors)


def ignores(source: Source) -> Iterator[Ignore]:
    """The comments of a text that ignore something."""
    for comment in COMMENT.finditer(source.text):
        span = Span(source, comment.start(1), comment.end(1))
        codes = tuple(code.strip() for code in (comment[2] or "").split(",") if code.strip())
        yield Ignore(span, source.position(span.start)[0], codes, comment[3].strip())


def _amiss(one: Ignore, used: Collection[tuple[Span, str]], errors: bool) -> Iterator[Diagnostic]:
    mend: Mend
    if not one.holds:
        said = "the comment does not say what it ignores" if not one.codes else "the comment does not say why"
        help = "write `# closecombat: ignore[code] reason`"
        yield Diagnostic("ignore-without-reason", "warning", f"{said}, so nothing is ignored", one.span, (), help)
        return
    for code in one.codes:
        if code not in CODES:
            said, help, mend = f"no finding has the code `{code}`", suggest(code, CODES), ()
        elif code in ALWAYS_TOLD:
            said, help, mend = f"`{code}` cannot be ignored", "take it out of the comment", _without(one, code)
        elif not errors and (one.span, code) not in used:
            said, help, mend = f"there is no `{code}` in this line", "take the comment out", _without(one, code)
        else:
            continue
        yield Diagnostic("unused-ignore", "warning", said, one.span, (), help, mend)


def _without(one: Ignore, code: str) -> Mend:
    """The comment without a code; a comment of that code alone is taken out, and with it a line that holds nothing
    else."""
    source = one.span.source
    left = [each for each in one.codes if each != code]
    if left:
        return ((one.span, re.sub(r"\[[^\]]*\]", f"[{', '.join(left)}]", one.span.text, count=1)),)
    end = source.text.find("\n", one.span.end)
    end = len(source.text) if end < 0 else end
    before = source.text[: one.span.start].rstrip(" \t")
    if not before or before.endswith("\n"):
        return ((Span(source, len(before), min(end + 1, len(source.text))), ""),)
    return ((Span(source, len(before), end), ""),)


# ---- severity and selection ----------------------------------------------------------------------------


def as_settled(found: Iterable[Diagnostic], folders: Folders) -> Iterator[Diagnostic]:
    """The findings with the severity that the folders of their files give them."""
    for one in found:
        said = None
        if one.code not in ALWAYS_TOLD:
            said = folders.severity(one.code, one.span.source.name if one.span else "-")
        if said != "off":
            yield one if said is None else replace(one, severity=said)


def selected(found: Iterable[Diagnostic], select: Collection[str], ignore: Collection[str]) -> list[Diagnostic]:
    """The findings of some codes, or of all; without those of others."""
    return [
        one
        for one in found
        if one.code in ALWAYS_TOLD or ((not select or one.code in select) and one.code not in ignore)
    ]


# ---- a baseline ----------------------------------------------------------------------------------------


def baseline_of(found: Iterable[Diagnostic], file: str) -> str:
    """The text of a baseline that forgives these findings. A finding is known by its code, its file as seen from the
    baseline's folder, and what it says, so that it may move, and another about the same row is told; how often is
    counted."""
    counted = Counter(key for one in found if (key := _key(one, file)) is not None)
    listed = [
        {"code": code, "file": name, "says": says, "times": times}
        for (code, name, says), times in sorted(counted.items(), key=lambda each: (each[0][1], each[0][2], each[0][0]))
    ]
    return json.dumps({"format_version": 2, "findings": listed}, indent=2, ensure_ascii=False) + "\n"


def beyond_baseline(found: Iterable[Diagnostic], file: str) -> tuple[list[Diagnostic], int]:
    """The findings that a baseline does not forgive, and how many it forgives that are no longer there.

    Raises Faulty if the file cannot be read, or is none."""
    left = Counter(_forgiven(file))
    told = []
    for one in found:
        key = _key(one, file)
        if key is not None and left[key] > 0:
            left[key] -= 1
        else:
            told.append(one)
    return told, sum(left.values())


def _key(one: Diagnostic, file: str) -> Key | None:
    if one.span is None or one.code in ALWAYS_TOLD:
        return None
    source = one.span.source
    name = Path(os.path.relpath(source.name, os.path.dirname(file) or ".")).as_posix()
    return one.code, name, one.message


def _forgiven(file: str) -> Mapping[Key, int]:
    source = read_source(file)
    try:
        document = json.loads(source.text)
        out = {
            (str(each["code"]), str(each["file"]), str(each["says"])): int(each["times"])
            for each in document["findings"]
        }
    except (ValueError, TypeError, KeyError, RecursionError):
        said, help = "this is no baseline", f"write one: `closecombat check --write-baseline {file}`"
        raise Faulty.one("wrong-shape", said, Span(source, 0, 0), help=help) from None
    return out
