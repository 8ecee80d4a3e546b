"""Findings as SARIF 2.1.0, which code hosts and editors read: a rule for each code that occurs, a result for each
finding. Places are relative to the current folder, as in every other format."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import PurePath
from urllib.parse import quote

from closecombat import __version__
from closecombat.telling.findings import printable
from closecombat.text.codes import CODES
from closecombat.text.faults import Diagnostic
from closecombat.text.source import Span

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def diagnostics_sarif(diagnostics: Iterable[Diagnostic]) -> str:
    """One log with one run. Columns count characters, as everywhere here, and not the halves of UTF-16."""
    found = list(diagnostics)
    codes = sorted({one.code for one in found})
    driver = {"name": "closecombat", "semanticVersion": __version__, "rules": [_rule(code) for code in codes]}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(one, codes.index(one.code)) for one in found],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2, ensure_ascii=False) + "\n"


def _rule(code: str) -> dict[str, object]:
    paragraph = CODES[code]
    first = paragraph.partition(". ")[0].removesuffix(".")
    return {
        "id": code,
        "shortDescription": {"text": f"{first}."},
        "fullDescription": {"text": paragraph},
        "help": {"text": f"{paragraph} `closecombat explain {code}` says the same."},
    }


def _result(found: Diagnostic, rule: int) -> dict[str, object]:
    message = f"{found.message}\nhelp: {found.help}" if found.help else found.message
    out: dict[str, object] = {
        "ruleId": found.code,
        "ruleIndex": rule,
        "level": found.severity,
        "message": {"text": message},
    }
    if found.span:
        out["locations"] = [_location(found.span)]
    others = [(span, caption) for span, caption in found.labels if span != found.span]
    if others:
        out["relatedLocations"] = [
            {"id": number, **_location(span), "message": {"text": caption or "here"}}
            for number, (span, caption) in enumerate(others)
        ]
    return out


def _location(span: Span) -> dict[str, object]:
    place: dict[str, object] = {"artifactLocation": {"uri": _uri(printable(span.source.name))}}
    if span.source.text:  # else the file as a whole
        line, column = span.source.position(span.start)
        end_line, end_column = span.source.position(span.end)
        place["region"] = {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column}
    return {"physicalLocation": place}


def _uri(name: str) -> str:
    path = PurePath(name)
    return path.as_uri() if path.is_absolute() else quote(name)
