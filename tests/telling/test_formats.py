"""Findings and examples in the formats of other programs: SARIF held against the published schema of 2.1.0, JUnit read back by
another reader, and the formats of a line."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from jsonschema import Draft4Validator
from junitparser import Failure, JUnitXml

from closecombat.checking.check import check_paths
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

# The published schema as a whole, without its descriptions: the last revision of 2.1.0 at the schema store, rtm.5.
SARIF = Draft4Validator(
    json.loads(Path(__file__).with_name("sarif-2.1.0.schema.json").read_text("utf-8")),
    format_checker=Draft4Validator.FORMAT_CHECKER,
)
BAD = Path(__file__).parents[1] / "cases" / "bad"


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
    assert not [error.message for error in SARIF.iter_errors(log)]
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


def test_sarif_of_every_finding_fits_the_published_schema() -> None:
    Draft4Validator.check_schema(SARIF.schema)
    ours = [fault for case in sorted(BAD.iterdir()) for fault in check_paths([str(case)])]
    assert len({fault.code for fault in ours}) > 50
    assert not [error.message for error in SARIF.iter_errors(json.loads(diagnostics_sarif(ours)))]
    assert not [error.message for error in SARIF.iter_errors(json.loads(diagnostics_sarif([])))]


@pytest.mark.parametrize("wrong", [
    {"version": "2.0.0"}, {"runs": [{}]}, {"extra": 1}, {"runs": [{"tool": {"driver": {"name": "x"}}, "columnKind": "bytes"}]},
    {"runs": [{"tool": {"driver": {"name": "x"}}, "results": [{"level": "fatal", "message": {"text": "x"}}]}]},
])  # fmt: skip
def test_the_schema_refuses_what_is_no_log(wrong: dict[str, object]) -> None:
    assert list(SARIF.iter_errors({**json.loads(diagnostics_sarif([])), **wrong}))


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
