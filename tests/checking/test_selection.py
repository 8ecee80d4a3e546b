"""Which findings are told: settings of folders, codes of a run, a baseline. Comments have a case in `cases/bad/ignored`."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from closecombat.checking.check import check_paths
from closecombat.cli.main import main
from closecombat.text.faults import Faulty

RULES = """ruleset: trial
language: 1
start: go
kinds:
  side: {given: {units: {are: units, each: unit}}}
  unit: {given: {side: a side, broken: flag}}
tables:
  brave: {about: unit, is: broken}
options:
  armour: {readings: [thick, thin], default: thick}
sequences: {go: {in-order: {leave: {each: unit, when: broken, do: leave}}}}
"""
WRONG = RULES.replace("when: broken", "when: brokn")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one game in a folder of it; `brave` and `armour` are used by nobody."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "games" / "trial").mkdir(parents=True)
    (tmp_path / "games" / "trial" / "ruleset.yaml").write_text(RULES)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*args: str) -> Result:
    return CliRunner().invoke(main, ["check", *args])


def told(*args: str) -> list[tuple[str, str]]:
    out = run(*args, "-f", "json").stdout
    return [(one["code"], one["severity"]) for one in json.loads(out)["diagnostics"]]


def lines(*args: str) -> list[int]:
    out = run(*args, "-f", "jsonl").stdout
    return [json.loads(line)["range"]["start"]["line"] for line in out.splitlines()]


@pytest.mark.parametrize(("settings", "found", "code"), [
    ("", [("unused", "warning")] * 2, 0),
    ("severity: {unused: error}", [("unused", "error")] * 2, 1),
    ("severity: {unused: off}", [], 0),
    ("strict: yes", [("unused", "warning")] * 2, 1),
    ("exclude: [trial]", [("nothing-found", "")], 2),
    ("exclude: [games/*]", [("nothing-found", "")], 2),
    ("exclude: [game, trial/x, tri]", [("unused", "warning")] * 2, 0),
])  # fmt: skip
@pytest.mark.parametrize("toml", [False, True])
def test_settings(folder: Path, settings: str, found: list[tuple[str, str]], code: int, toml: bool) -> None:
    if toml:
        as_toml = settings.replace(": [", ' = ["').replace(", ", '", "').replace("]", '"]')
        as_toml = as_toml.replace(": {unused: ", ' = {unused = "').replace("}", '"}').replace(": yes", " = true")
        (folder / "pyproject.toml").write_text(f"[project]\nname = 'x'\n[tool.closecombat]\n{as_toml}\n")
    elif settings:
        (folder / ".closecombat.yaml").write_text(settings + "\n")
    result = run(".")
    assert result.exit_code == code, result.output
    if found == [("nothing-found", "")]:
        assert "left out by settings" in result.stderr
    else:
        assert told(".") == found


def test_the_nearest_settings_count_most(folder: Path) -> None:
    (folder / ".closecombat.yaml").write_text("severity: {unused: off}\n")
    (folder / "games" / ".closecombat.yaml").write_text("severity: {unused: error}\n")
    assert told("games") == [("unused", "error")] * 2


def test_settings_may_lie_among_the_files_of_a_ruleset(folder: Path) -> None:
    (folder / "games" / "trial" / ".closecombat.yaml").write_text("severity: {unused: off}\n")
    (folder / "games" / "trial" / ".pre-commit-config.yaml").write_text("repos: []\n")
    for path in ("games", "games/trial", "games/trial/ruleset.yaml"):
        assert told(path) == []


def test_the_search_for_settings_ends_with_the_repository(folder: Path) -> None:
    (folder / ".closecombat.yaml").write_text("severity: {unused: off}\n")
    (folder / "games" / ".git").mkdir()
    assert told("games") == [("unused", "warning")] * 2


@pytest.mark.parametrize("path", ["games/trial", "games/trial/ruleset.yaml"])
def test_what_is_left_out_is_looked_at_where_it_is_named(folder: Path, path: str) -> None:
    (folder / ".closecombat.yaml").write_text("exclude: [trial]\n")
    assert len(told(path)) == 2


@pytest.mark.parametrize(("settings", "code", "line"), [
    ("severity: {unusde: off}", "unknown-word", 1),
    ("strict: yes\nseverity: {unused: grave}", "unknown-word", 2),
    ("strickt: yes", "unknown-key", 1),
    ("strict: sometimes", "wrong-type", 1),
    ("exclude: {trial: yes}", "wrong-shape", 1),
    ("exclude: [", "yaml-syntax", 2),
])  # fmt: skip
def test_settings_that_are_wrong_are_told_at_their_line(folder: Path, settings: str, code: str, line: int) -> None:
    (folder / ".closecombat.yaml").write_text(settings + "\n")
    (fault,) = [one for one in check_paths(["games/trial"]) if one.code != "unused"]
    assert fault.span is not None and fault.span.source.name == ".closecombat.yaml"
    assert (fault.code, fault.span.source.position(fault.span.start)[0]) == (code, line)


def test_settings_in_toml_are_told_at_their_line(folder: Path) -> None:
    (folder / "pyproject.toml").write_text(
        "[tool.closecombat]\nstrict = true\n[tool.closecombat.severity]\nunusde = 'off'\n"
    )
    (fault,) = [one for one in check_paths(["games/trial"]) if one.code != "unused"]
    assert fault.span is not None and (fault.span.text, fault.help) == ("unusde", "did you mean `unused`?")


def test_what_keeps_a_file_from_being_read_is_always_told(folder: Path) -> None:
    (folder / ".closecombat.yaml").write_text("severity: {yaml-syntax: off}\n")
    (folder / "games" / "trial" / "ruleset.yaml").write_text("ruleset: [x  # closecombat: ignore[yaml-syntax] no\n")
    for args in ((), ("--ignore", "yaml-syntax"), ("--select", "unused")):
        assert told("games", *args) == [("yaml-syntax", "error")]


def test_codes_of_one_run(folder: Path) -> None:
    (folder / "games" / "trial" / "ruleset.yaml").write_text(WRONG)
    assert told("games") == [("unknown-name", "error")]
    assert told("games", "--ignore", "unknown-name") == []
    assert told("games", "--select", "unused,unknown-name") == [("unknown-name", "error")]
    assert told("games", "--select", "unused", "--select", "circular") == []
    refused = run("games", "--select", "unknown-nam")
    assert refused.exit_code == 2 and "did you mean `unknown-name`?" in " ".join(refused.stderr.split())


def test_a_comment_in_a_file_with_errors_is_not_called_unused(folder: Path) -> None:
    comment = "# closecombat: ignore[unused] kept for the next edition"
    (folder / "games" / "trial" / "ruleset.yaml").write_text(WRONG.replace("is: broken}", f"is: broken}}  {comment}"))
    assert told("games") == [("unknown-name", "error")]


# ---- a baseline --------------------------------------------------------------------------------------------


def test_a_baseline_forgives_what_there_is_wherever_it_moves(folder: Path) -> None:
    written = run("games", "--write-baseline", "games/known.json")
    assert written.exit_code == 0 and "games/known.json forgives 2 warnings" in written.stderr
    forgiven = json.loads((folder / "games" / "known.json").read_text("utf-8"))["findings"]
    assert [one["file"] for one in forgiven] == ["trial/ruleset.yaml"] * 2
    rules = folder / "games" / "trial" / "ruleset.yaml"
    rules.write_text("# a line above\n\n" + RULES.replace("  armour: {readings: [", "  armour:   {readings:  ["))
    assert told("games", "--baseline", "games/known.json") == []
    rules.write_text(RULES.replace("  brave: {", "  proud: {about: unit, is: broken}\n  brave: {"))
    assert lines("games", "--baseline", "games/known.json", "--strict") == [8]
    rules.write_text(RULES.replace("  brave: {about: unit, is: broken}\n", "  {}\n"))
    assert "1 finding of games/known.json is no longer there" in run("games", "--baseline", "games/known.json").stderr


def test_a_baseline_counts(folder: Path) -> None:
    """A second finding like a forgiven one, in a row that reads alike, is not forgiven."""
    run("games", "--write-baseline", "known.json")
    other = folder / "games" / "other"
    other.mkdir()
    (other / "ruleset.yaml").write_text(RULES)
    assert len(told("games", "--baseline", "known.json")) == 2


def test_a_baseline_forgives_what_is_said_of_a_row_and_not_the_row(folder: Path) -> None:
    rules = folder / "games" / "trial" / "ruleset.yaml"
    run("games", "--write-baseline", "known.json")
    rules.write_text(RULES.replace("is: broken}", "is: broken, note: of the first edition}"))
    assert told("games", "--baseline", "known.json") == []
    rules.write_text(RULES.replace("options:\n", "options:\n  light: {readings: [day, night], default: day}\n"))
    run("games", "--write-baseline", "known.json")
    rules.write_text(rules.read_text().replace("armour: {readings: [thick, thin]", "armor: {readings: [thick, thin]"))
    assert told("games", "--baseline", "known.json") == [("unused", "warning")]


@pytest.mark.parametrize("text", ["[]", "{}", "no", '{"findings": [{"code": 1}]}', "[" * 3000])
def test_what_is_no_baseline(folder: Path, text: str) -> None:
    (folder / "known.json").write_text(text)
    result = run("games", "--baseline", "known.json")
    assert result.exit_code == 2 and "this is no baseline" in result.stderr


def test_a_baseline_that_is_not_there() -> None:
    assert run("games", "--baseline", "nowhere.json").exit_code == 2


def test_a_copy_of_this_project_is_not_reported(folder: Path) -> None:
    """The settings beside the tests leave out what is wrong on purpose."""
    tests = Path(__file__).parents[1]
    (folder / ".closecombat.yaml").write_text((tests / ".closecombat.yaml").read_text("utf-8"))
    wrong = folder / "cases" / "bad" / "options.yaml"
    wrong.parent.mkdir(parents=True)
    wrong.write_text((tests / "cases" / "bad" / "options.yaml").read_text("utf-8"))
    assert told(".") == [("unused", "warning")] * 2
    with pytest.raises(Faulty):
        check_paths(["cases"])
    assert [one.code for one in check_paths(["cases/bad"])] == ["unknown-word"]
