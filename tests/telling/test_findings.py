"""Findings as text, JSON and annotations."""

import json
from textwrap import dedent

import pytest

from closecombat.telling.findings import diagnostics_github, diagnostics_json, diagnostics_text, summary
from closecombat.text.faults import Diagnostic
from closecombat.text.source import Source, Span

RULESET = Source("rulesets/x/tables.yaml", "first: {when: terain is woods}\n\tsecond: terrain is town\n")


def at(text: str, source: Source = RULESET) -> Span:
    start = source.text.index(text)
    return Span(source, start, start + len(text))


TYPO = Diagnostic("unknown-name", "error", "no fact is called `terain`", at("terain"), help="did you mean `terrain`?")


def test_text_shows_the_place() -> None:
    assert diagnostics_text([TYPO]) == dedent("""\
        rulesets/x/tables.yaml:1:15: error[unknown-name]: no fact is called `terain`
            1 | first: {when: terain is woods}
              |               ^^^^^^
           help: did you mean `terrain`?
        """)


def test_text_shows_every_guilty_place() -> None:
    elsewhere = Source("other.yaml", "terrain: [town]")
    labels = (
        (at("terain is woods"), "this row"),
        (at("terrain is town"), "and this one"),
        (at("town", elsewhere), "from here"),
    )
    found = Diagnostic("several-rows-apply", "error", "two rows apply", at("terain is woods"), labels)
    assert diagnostics_text([found]) == dedent("""\
        rulesets/x/tables.yaml:1:15: error[several-rows-apply]: two rows apply
            1 | first: {when: terain is woods}
              |               ^^^^^^^^^^^^^^^ this row
            2 | \tsecond: terrain is town
              | \t        ^^^^^^^^^^^^^^^ and this one
           other.yaml:1:11:
            1 | terrain: [town]
              |           ^^^^ from here
        """)


@pytest.mark.parametrize(
    ("found", "text"),
    [
        (Diagnostic("nothing-found", "error", "no examples", None), "error[nothing-found]: no examples\n"),
        (
            Diagnostic("empty-file", "warning", "it is empty", Span(Source("a.yaml", ""), 0, 0), help="fill it"),
            "a.yaml: warning[empty-file]: it is empty\n   help: fill it\n",
        ),
        (
            Diagnostic("yaml-syntax", "error", "it stops", Span(Source("a.yaml", "ab\n"), 2, 2)),
            "a.yaml:1:3: error[yaml-syntax]: it stops\n    1 | ab\n      |   ^\n",
        ),
        (
            Diagnostic("wrong-shape", "error", "too long", Span(Source("a.yaml", "a: [b,\n  c]"), 3, 11)),
            "a.yaml:1:4: error[wrong-shape]: too long\n    1 | a: [b,\n      |    ^^^\n",
        ),
        (
            Diagnostic("not-text", "error", "a \x1b[31m sign", Span(Source("a\n.yaml", "a\x1b\u202eb"), 1, 2)),
            "a\ufffd.yaml:1:2: error[not-text]: a \ufffd[31m sign\n    1 | a\ufffd\ufffdb\n      |  ^\n",
        ),
    ],
)
def test_text_of_odd_places(found: Diagnostic, text: str) -> None:
    assert diagnostics_text([found]) == text


@pytest.mark.parametrize(("length", "start"), [(161, 0), (5_000, 0), (5_000, 2_500), (5_000, 4_996)])
def test_a_long_line_is_shown_round_its_fault(length: int, start: int) -> None:
    source = Source("a.yaml", "." * start + "FAULT" + "." * (length - start - 5) + "\nnext")
    text = diagnostics_text([Diagnostic("yaml-syntax", "error", "x", at("FAULT"[: length - start], source))])
    _, excerpt, underline = text.splitlines()
    assert len(excerpt) < 180
    assert excerpt[underline.index("^") : underline.rindex("^") + 1] == "FAULT"[: length - start]


def test_json() -> None:
    nowhere = Diagnostic("nothing-found", "error", "no examples", None)
    assert json.loads(diagnostics_json("check", [TYPO, nowhere])) == {
        "format_version": 1,
        "command": "check",
        "diagnostics": [
            {
                "code": "unknown-name",
                "severity": "error",
                "message": "no fact is called `terain`",
                "file": "rulesets/x/tables.yaml",
                "range": {"start": {"line": 1, "column": 15}, "end": {"line": 1, "column": 21}},
                "help": "did you mean `terrain`?",
            },
            {
                "code": "nothing-found",
                "severity": "error",
                "message": "no examples",
                "file": None,
                "range": None,
                "help": "",
            },
        ],
    }


def test_github() -> None:
    odd = Source("a,b:c.yaml", "one\ntwo")
    findings = [
        TYPO,
        Diagnostic("wrong-type", "warning", "100%\nsure", Span(odd, 0, 7)),
        Diagnostic("nothing-found", "note", "no examples", None),
    ]
    assert diagnostics_github(findings).splitlines() == [
        "::error file=rulesets/x/tables.yaml,line=1,col=15,endLine=1,endColumn=21,title=unknown-name"
        "::no fact is called `terain`%0Ahelp: did you mean `terrain`?",
        "::warning file=a%2Cb%3Ac.yaml,line=1,col=1,endLine=2,endColumn=4,title=wrong-type::100%25%0Asure",
        "::notice title=nothing-found::no examples",
    ]


@pytest.mark.parametrize(
    ("severities", "text"),
    [([], ""), (["error"], "1 error"), (["warning", "error", "error", "note"], "2 errors, 1 warning, 1 note")],
)
def test_summary(severities: list[str], text: str) -> None:
    assert summary(Diagnostic("wrong-type", severity, "x", None) for severity in severities) == text
