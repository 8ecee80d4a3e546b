"""Faults are collected, capped, sorted and explained."""

import ast
from pathlib import Path

import pytest

from closecombat.text.faults import CODES, MOST_FAULTS, Diagnostic, Faults, Faulty, suggest
from closecombat.text.source import Source, Span

PACKAGE = Path(__file__).parents[2] / "interpreter" / "closecombat"


def span(start: int, name: str = "x.yaml") -> Span:
    return Span(Source(name, "one two three"), start, start + 1)


def test_findings_come_in_the_order_of_the_files() -> None:
    faults = Faults()
    for name, start in [("b.yaml", 0), ("a.yaml", 4), ("a.yaml", 0)]:
        faults.add("unknown-name", f"{name} {start}", span(start, name))
    assert [found.message for found in faults.diagnostics] == ["a.yaml 0", "a.yaml 4", "b.yaml 0"]


def test_a_hundred_are_enough() -> None:
    faults = Faults()
    for number in range(MOST_FAULTS + 7):
        faults.add("unknown-name", str(number), span(0))
    *shown, last = faults.diagnostics
    assert (len(faults), len(shown)) == (107, 100)
    assert (last.code, last.severity, last.message) == ("too-many-faults", "note", "7 more findings are not shown")


def test_what_is_left_out_twice_is_counted_once_each_and_errors_are_shown_first() -> None:
    inner, outer = Faults(), Faults()
    for number in range(MOST_FAULTS + 7):
        inner.add("unused", str(number), span(0), severity="warning")
    inner.add("unknown-name", "the one that matters", span(0))
    outer.add("unused", "another", span(0), severity="warning")
    outer.extend(inner.diagnostics)
    *shown, last = outer.diagnostics
    assert [one.message for one in shown if one.severity == "error"] == ["the one that matters"]
    assert (len(outer), len(shown)) == (109, 100)
    assert (last.message, last.more) == ("9 more findings are not shown", 9)
    assert outer.has_errors


def test_only_errors_raise() -> None:
    faults = Faults()
    faults.add("unknown-name", "a remark", severity="warning")
    faults.raise_if_any()
    faults.extend([Diagnostic("unknown-name", "error", "no fact is called `terain`", span(4))])
    with pytest.raises(Faulty, match="unknown-name: no fact is called") as caught:
        faults.raise_if_any()
    assert len(caught.value.diagnostics) == 2


@pytest.mark.parametrize(("name", "line"), [("terain", "did you mean `terrain`?"), ("zzz", ""), ("", "")])
def test_suggest(name: str, line: str) -> None:
    assert suggest(name, ["terrain", "weather", "terrain"]) == line


def codes_raised() -> dict[str, str]:
    """Every literal code in the package, with the module that uses it."""
    found = {}
    for module in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(module.read_text("utf-8"))):
            if isinstance(node, ast.Call) and node.args and isinstance(first := node.args[0], ast.Constant):
                called = ast.unparse(node.func)
                if called in ("Diagnostic", "Faulty.one") or called.endswith("faults.add"):
                    found[str(first.value)] = module.name
    return found


def test_every_code_is_explained() -> None:
    unexplained = {code: module for code, module in codes_raised().items() if code not in CODES}
    assert len(codes_raised()) > 60 and not unexplained


@pytest.mark.parametrize("code", CODES)
def test_an_explanation_is_a_paragraph(code: str) -> None:
    assert CODES[code].endswith(".")
    assert "\n" not in CODES[code]
    assert "  " not in CODES[code]
    assert len(CODES[code]) > 60
