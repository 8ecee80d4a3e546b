"""Findings and examples in the formats of other programs: SARIF held against what 2.1.0 asks of a log, JUnit read back by
another reader, and the formats of a line."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator
from junitparser import Failure, JUnitXml

from closecombat.cli.main import main
from closecombat.telling.findings import diagnostics_concise, diagnostics_jsonl
from closecombat.telling.junit import diagnostics_junit
from closecombat.telling.sarif import diagnostics_sarif
from closecombat.text.codes import CODES
from closecombat.text.faults import Diagnostic
from closecombat.text.source import Source, Span

RULES = Source("my rules/tables.yaml", "first: {when: terain is woods}\nsecond: terrain is 🌲 town\n")
OTHER = Source("a.yaml", "")


def at(text: str) -> Span:
    start = RULES.text.index(text)
    return Span(RULES, start, start + len(text))


TYPO = Diagnostic(
    "unknown-name",
    "error",
    "no fact is called `terain`",
    at("terain"),
    ((at("terrain"), "here"),),
    "did you mean `terrain`?",
)
UNUSED = Diagnostic("unused", "warning", "nothing asks for `town` & more", at("town"))
EMPTY = Diagnostic("empty-file", "error", "it is \x1b empty", Span(OTHER, 0, 0))
NOWHERE = Diagnostic("too-many-faults", "note", "3 more findings are not shown", None)
ALL = [TYPO, UNUSED, EMPTY, NOWHERE]

# What the standard asks of those parts of a log that are written here, sections 3.13 to 3.30 of SARIF 2.1.0.
MESSAGE = {"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}}}
LOCATION = {"type": "object", "additionalProperties": False, "properties": {
    "id": {"type": "integer", "minimum": -1}, "message": MESSAGE,
    "physicalLocation": {"type": "object", "required": ["artifactLocation"], "additionalProperties": False, "properties": {
        "artifactLocation": {"type": "object", "required": ["uri"], "properties": {"uri": {"type": "string", "pattern": r"^[!-~]+$"}}},
        "region": {"type": "object", "required": ["startLine"], "additionalProperties": False,
                   "properties": {name: {"type": "integer", "minimum": 1} for name in ("startLine", "startColumn", "endLine", "endColumn")}},
    }},
}}  # fmt: skip
SARIF = {"type": "object", "required": ["version", "runs"], "additionalProperties": False, "properties": {
    "$schema": {"type": "string", "format": "uri"}, "version": {"enum": ["2.1.0"]},
    "runs": {"type": "array", "items": {"type": "object", "required": ["tool"], "additionalProperties": False, "properties": {
        "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
        "tool": {"type": "object", "required": ["driver"], "properties": {"driver": {"type": "object", "required": ["name"], "additionalProperties": False, "properties": {
            "name": {"type": "string"}, "semanticVersion": {"type": "string"},
            "rules": {"type": "array", "uniqueItems": True, "items": {"type": "object", "required": ["id"], "additionalProperties": False, "properties": {
                "id": {"type": "string"}, "shortDescription": MESSAGE, "fullDescription": MESSAGE, "help": MESSAGE}}}}}}},
        "results": {"type": "array", "items": {"type": "object", "required": ["message"], "additionalProperties": False, "properties": {
            "ruleId": {"type": "string"}, "ruleIndex": {"type": "integer", "minimum": -1}, "level": {"enum": ["none", "note", "warning", "error"]},
            "message": MESSAGE, "locations": {"type": "array", "items": LOCATION},
            "relatedLocations": {"type": "array", "uniqueItems": True, "items": LOCATION}}}},
    }}},
}}  # fmt: skip


def test_concise() -> None:
    assert diagnostics_concise(ALL).splitlines() == [
        "my rules/tables.yaml:1:15: unknown-name no fact is called `terain`",
        "my rules/tables.yaml:2:22: unused nothing asks for `town` & more",
        "a.yaml: empty-file it is \ufffd empty",
        "too-many-faults 3 more findings are not shown",
    ]


def test_lines_of_json() -> None:
    lines = [json.loads(line) for line in diagnostics_jsonl(ALL).splitlines()]
    assert [(line["code"], line["file"]) for line in lines] == [
        ("unknown-name", RULES.name), ("unused", RULES.name), ("empty-file", "a.yaml"), ("too-many-faults", None),
    ]  # fmt: skip


def test_sarif() -> None:
    log = json.loads(diagnostics_sarif(ALL))
    assert not [error.message for error in Draft202012Validator(SARIF).iter_errors(log)]
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["empty-file", "too-many-faults", "unknown-name", "unused"]
    assert all(rule["help"]["text"].startswith(CODES[rule["id"]]) for rule in rules)
    assert [rules[one["ruleIndex"]]["id"] for one in run["results"]] == [one.code for one in ALL]
    assert [one["level"] for one in run["results"]] == ["error", "warning", "error", "note"]
    typo, unused, empty, nowhere = run["results"]
    assert typo["message"]["text"] == "no fact is called `terain`\nhelp: did you mean `terrain`?"
    assert typo["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "my%20rules/tables.yaml"},
        "region": {"startLine": 1, "startColumn": 15, "endLine": 1, "endColumn": 21},
    }
    assert unused["locations"][0]["physicalLocation"]["region"]["startColumn"] == 22  # a tree is one character
    assert typo["relatedLocations"][0]["message"]["text"] == "here"
    assert "region" not in empty["locations"][0]["physicalLocation"] and "locations" not in nowhere


@pytest.mark.parametrize(("strict", "failures"), [(False, 2), (True, 3)])
def test_findings_as_junit_are_read_back(strict: bool, failures: int) -> None:
    read = JUnitXml.fromstring(diagnostics_junit(ALL, strict).encode())
    suites = list(read)
    assert [suite.name for suite in suites] == ["my rules/tables.yaml", "a.yaml", "closecombat"]
    assert (read.tests, read.failures, read.errors) == (4, failures, 0)
    (first, second) = suites[0]
    assert (first.name, first.classname) == ("1:15 unknown-name", "my rules/tables.yaml")
    (failure,) = first.result
    assert isinstance(failure, Failure) and failure.type == "unknown-name"
    assert "help: did you mean `terrain`?" in failure.text
    assert "nothing asks for `town` & more" in (second.result[0].text if strict else second.system_out)


def test_no_findings_as_junit_is_a_case_that_passes() -> None:
    read = JUnitXml.fromstring(diagnostics_junit([], True).encode())
    assert (read.tests, read.failures) == (1, 0)


def test_examples_as_junit_are_read_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    duel = (Path(__file__).parents[1] / "cases" / "duel.yaml").read_text("utf-8")
    (tmp_path / "examples").mkdir()
    (tmp_path / "ruleset.yaml").write_text(duel)
    situation = "situation: {fight: {attacker: red}, sides: {red: {}, blue: {}}}"
    (tmp_path / "examples" / "right.yaml").write_text(f"example: right\n{situation}\nchances: {{no unit: 1}}\n")
    (tmp_path / "examples" / "wrong.yaml").write_text(f"example: wrong\n{situation}\nchances: {{no unit: 0}}\n")
    monkeypatch.chdir(tmp_path)
    run = CliRunner().invoke(main, ["test", ".", "-f", "junit"])
    assert run.exit_code == 1
    (suite,) = read = JUnitXml.fromstring(run.stdout.encode())
    assert (read.tests, read.failures) == (2, 1)
    assert [(case.name, [one.type for one in case.result]) for case in suite] == [
        ("right", []),
        ("wrong", ["example-fails"]),
    ]
    assert str(tmp_path) not in run.stdout


@pytest.mark.parametrize("form", ["concise", "jsonl", "sarif", "junit", "json", "github", "text"])
def test_no_format_tells_where_the_program_lies(form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fight of a shipped ruleset, from a folder elsewhere, and a fault in it."""
    (tmp_path / "fight.yaml").write_text("situation: wrong\nruleset: skirmish\nfight: {attackr: red}\n")
    monkeypatch.chdir(tmp_path)
    run = CliRunner().invoke(main, ["check", "fight.yaml", "-f", form])
    assert run.exit_code == 1 and "fight.yaml" in run.stdout
    assert str(Path(__file__).parents[2]) not in run.stdout and str(tmp_path) not in run.stdout
