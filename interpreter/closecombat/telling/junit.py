"""Findings and examples as JUnit XML, which build servers show as tests: a suite for each file that something was found
in, a case for each finding; a suite for each ruleset, a case for each example."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from closecombat.asking.examples.collection import Tested
from closecombat.telling.findings import diagnostics_text, printable
from closecombat.text.faults import Diagnostic
from closecombat.text.source import Span


def diagnostics_junit(diagnostics: Iterable[Diagnostic], strict: bool) -> str:
    """An error is a case that fails, and so is a warning where one is `strict`; else it is told in a case that passes.
    Where nothing was found there is one case that says so."""
    root = Element("testsuites", name="closecombat check")
    for name, found in groupby(diagnostics, lambda one: printable(one.span.source.name) if one.span else "closecombat"):
        suite = SubElement(root, "testsuite", name=name)
        for one in found:
            line, column = _place(one.span)
            case = SubElement(suite, "testcase", name=f"{line}:{column} {one.code}", classname=name)
            if one.span:
                case.set("file", name)
                case.set("line", str(line))
            if one.severity == "error" or (strict and one.severity == "warning"):
                _fail(case, [one])
            else:
                SubElement(case, "system-out").text = _text([one])
    if not len(root):
        SubElement(SubElement(root, "testsuite", name="closecombat"), "testcase", name="no findings", classname="check")
    return _written(root)


def tests_junit(tested: Iterable[Tested]) -> str:
    """An example that fails tells what was expected and what came."""
    root = Element("testsuites", name="closecombat test")
    for name, examples in groupby(tested, lambda one: printable(one.ruleset or "no ruleset")):
        suite = SubElement(root, "testsuite", name=name)
        for one in examples:
            place = one.result.place
            case = SubElement(suite, "testcase", name=printable(one.result.id), classname=name)
            case.set("file", printable(place.source.name))
            case.set("line", str(_place(place)[0]))
            if not one.passed:
                _fail(case, one.result.faults)
    return _written(root)


def cases_junit(command: str, name: str, cases: Iterable[tuple[str, Span, str, str, str]]) -> str:
    """One suite of cases, each with its name, where it is written, what became of it, a word on it, and why it fails;
    nothing if it does not."""
    root = Element("testsuites", name=command)
    suite = SubElement(root, "testsuite", name=printable(name))
    for id, place, fate, said, text in cases:
        case = SubElement(suite, "testcase", name=printable(id), classname=printable(name))
        case.set("file", printable(place.source.name))
        case.set("line", str(_place(place)[0]))
        if text:
            failure = SubElement(case, "failure", type=fate, message=printable(said))
            failure.text = "\n".join(_clean(text.split("\n")))
    return _written(root)


def _fail(case: Element, faults: Iterable[Diagnostic]) -> None:
    told = list(faults)
    failure = SubElement(case, "failure", type=told[0].code, message=printable(told[0].message))
    failure.text = _text(told)


def _text(faults: Iterable[Diagnostic]) -> str:
    return "\n".join(_clean(diagnostics_text(faults).split("\n")))


def _clean(lines: Iterable[str]) -> Iterator[str]:
    """Lines without the signs that XML has no way to write."""
    return (printable(line) for line in lines)


def _place(span: Span | None) -> tuple[int, int]:
    return span.source.position(span.start) if span else (0, 0)


def _written(root: Element) -> str:
    for suite in root:
        suite.set("tests", str(len(suite)))
        suite.set("failures", str(len(suite.findall("testcase/failure"))))
        suite.set("errors", "0")
    for count in ("tests", "failures", "errors"):
        root.set(count, str(sum(int(suite.attrib[count]) for suite in root)))
    indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode") + "\n"
