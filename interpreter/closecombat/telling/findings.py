"""Findings as text, lines, JSON or annotations of a pull request; `sarif` and `junit` beside it are for other programs.

Pure functions from findings to strings, without colour: printing and exit codes are the command line's.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from textwrap import wrap

from closecombat.text.faults import Diagnostic, Mend
from closecombat.text.source import Span

WIDEST = 168  # columns, where nobody says how wide the page is
MARGIN = "      | "
LEAST_CAPTION = 30  # columns: with less room it stands below what it is about


def diagnostics_text(diagnostics: Iterable[Diagnostic], width: int | None = None, examples: bool = False) -> str:
    """Each finding as `path:line:column: severity[code]: message`, the line underlined, and the help; with `examples`
    the situation in which it is so. On a page of some width no line is longer, and no word is split."""
    lines = (
        line for found in diagnostics for line in (*_text_lines(found, width), *(_example(found) if examples else ()))
    )
    return "".join(f"{line}\n" for line in lines)


def wrapped(text: str, width: int | None, indent: str) -> list[str]:
    """A line, gone on with below where it is longer than the page; what stands between words is kept."""
    if width is None or len(text) <= width:
        return [text]
    return wrap(
        text, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False, replace_whitespace=False
    )


def diagnostics_json(command: str, diagnostics: Iterable[Diagnostic]) -> str:
    """One object; a finding without a place has `file` and `range` null. Lines and columns count from 1, and
    `end` is the place after the last character."""
    found = [finding_object(one) for one in diagnostics]
    document = {"format_version": 1, "command": command, "diagnostics": found}
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def diagnostics_jsonl(diagnostics: Iterable[Diagnostic]) -> str:
    """The same objects, one a line."""
    return "".join(json.dumps(finding_object(found), ensure_ascii=False) + "\n" for found in diagnostics)


def diagnostics_concise(diagnostics: Iterable[Diagnostic]) -> str:
    """Each finding in one line, `path:line:column: code message`."""
    return "".join(
        (f"{where(found.span)}: " if found.span else "") + f"{found.code} {printable(found.message)}\n"
        for found in diagnostics
    )


def diagnostics_github(diagnostics: Iterable[Diagnostic]) -> str:
    """One workflow command a line, which shows the finding beside the line of a pull request."""
    return "".join(f"{_github_command(found)}\n" for found in diagnostics)


def summary(diagnostics: Iterable[Diagnostic]) -> str:
    """How many of each severity: `2 errors, 1 warning`; empty if there are none."""
    found = [diagnostic.severity for diagnostic in diagnostics]
    counts = [(found.count(severity), severity) for severity in ("error", "warning", "note")]
    return ", ".join(f"{count} {name}{'s' * (count > 1)}" for count, name in counts if count)


def mended_text(done: Iterable[tuple[Diagnostic, Mend]]) -> str:
    """What was written in the place of what, a line each."""
    return "".join(
        f"mended {where(found.span or span)}: {found.code}: {_written(span.text, instead)}\n"
        for found, mend in done
        for span, instead in mend
    )


def _written(before: str, after: str) -> str:
    one, other = (" ".join(printable(text.replace("\n", " ")).strip(" ,").split()) for text in (before, after))
    if not one:
        return f"wrote `{other}`"
    return f"`{one}` is now `{other}`" if other else f"took out `{one}`"


# ---- text ----------------------------------------------------------------------------------------------


def _text_lines(found: Diagnostic, width: int | None) -> Iterator[str]:
    captions = dict(found.labels)
    place = f"{where(found.span)}: " if found.span else ""
    yield from wrapped(f"{place}{found.severity}[{found.code}]: {printable(found.message)}", width, "    ")
    if found.span:
        yield from _excerpt(found.span, captions.pop(found.span, ""), width)
    for span, caption in captions.items():
        if found.span is None or span.source.name != found.span.source.name:
            yield f"   {where(span)}:"
        yield from _excerpt(span, caption, width)
    if found.help:
        yield from wrapped(f"   help: {printable(found.help)}", width, "         ")


def _example(found: Diagnostic) -> Iterator[str]:
    if found.example:
        yield "   for example:"
        yield from (f"      {printable(line)}" for line in found.example.splitlines())


def where(span: Span) -> str:
    """Where an editor should jump; a file as a whole has no line."""
    name = printable(span.source.name)
    if not span.source.text:
        return name
    line, column = span.source.position(span.start)
    return f"{name}:{line}:{column}"


def _excerpt(span: Span, caption: str, width: int | None) -> Iterator[str]:
    """The line a span begins in, and an underline as far as that line goes."""
    if not span.source.text:
        return
    number, column = span.source.position(span.start)
    line = span.source.line(number)
    start = column - 1
    end = min(start + max(span.end - span.start, 1), max(len(line), start + 1))
    line, start, end = _window(line, start, end, (width or WIDEST) - len(MARGIN))
    blank = "".join("\t" if letter == "\t" else " " for letter in line[:start])
    yield f"{number:5} | {printable(line)}"
    marked, said = f"{MARGIN}{blank}{'^' * (end - start)}", printable(caption)
    if width is None or len(marked) + 1 + len(said) <= width:
        yield f"{marked} {said}".rstrip()
        return
    yield marked
    indent = MARGIN + " " * max(min(start, width - len(MARGIN) - LEAST_CAPTION), 0)
    yield from wrapped(indent + said, width, indent)


def _window(line: str, start: int, end: int, room: int) -> tuple[str, int, int]:
    """The part of a very long line that is worth showing: whole words, as far as these are no longer than the page."""
    if len(line) <= room:
        return line, start, end
    held = room - 4  # less what says that there is more
    first = max(0, min(start - held // 2, len(line) - held))
    last = min(first + held, len(line))
    if first:
        first = line.find(" ", first, start) + 1 or first
    if last < len(line):
        space = line.rfind(" ", start, last)
        last = space if space > start else last
    left, right = "… " * (first > 0), " …" * (last < len(line))
    shift = len(left) - first
    return f"{left}{line[first:last]}{right}", start + shift, min(end + shift, len(left) + last - first)


def printable(text: str) -> str:
    """Text that cannot steer a terminal: whatever is neither printable nor a tab becomes a placeholder."""
    return "".join(letter if letter.isprintable() or letter == "\t" else "\ufffd" for letter in text)


# ---- JSON and annotations ------------------------------------------------------------------------------


def finding_object(found: Diagnostic) -> dict[str, object]:
    example = {"example": found.example} if found.example else {}
    return {
        "code": found.code,
        "severity": found.severity,
        "message": found.message,
        "file": found.span.source.name if found.span else None,
        "range": _json_range(found.span) if found.span else None,
        "help": found.help,
        **example,
    }


def _json_range(span: Span) -> dict[str, dict[str, int]]:
    start, end = span.source.position(span.start), span.source.position(span.end)
    return {"start": {"line": start[0], "column": start[1]}, "end": {"line": end[0], "column": end[1]}}


def _github_command(found: Diagnostic) -> str:
    level = {"error": "error", "warning": "warning"}.get(found.severity, "notice")
    properties: dict[str, object] = {}
    if found.span:
        line, column = found.span.source.position(found.span.start)
        end_line, end_column = found.span.source.position(found.span.end)
        properties = {"file": found.span.source.name, "line": line, "col": column}
        properties |= {"endLine": end_line, "endColumn": end_column}
    properties["title"] = found.code
    written = ",".join(f"{name}={_github_property(str(value))}" for name, value in properties.items())
    message = f"{found.message}\nhelp: {found.help}" if found.help else found.message
    return f"::{level} {written}::{_github_data(message)}"


def _github_data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _github_property(text: str) -> str:
    return _github_data(text).replace(":", "%3A").replace(",", "%2C")
