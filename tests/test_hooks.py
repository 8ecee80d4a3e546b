"""`.pre-commit-hooks.yaml` and `action.yml`: their commands do what they say, in a folder with a sound game and with a faulty
one. The hooks are tried as a whole with `pre-commit try-repo . --all-files` in any repository of rules."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from closecombat.text.document import parse, read_source
from closecombat.text.faults import Bug
from closecombat.text.illustrations import ILLUSTRATIONS, SOUND
from closecombat.text.nodes import Listing, Mapping, Node, Text

ROOT = Path(__file__).parents[1]
CHANGED = ("is tired, add: 1}", "is tired, add: 3}")
FAULTS = {"": 0, "unused": 1, "unknown-name": 1}  # what is wrong, and with what a strict check ends


def child(node: Node | None, *keys: str) -> Node:
    for key in keys:
        node = node.get(key) if isinstance(node, Mapping) else None
    if node is None:
        raise Bug(f"nothing stands under {keys}")
    return node


def said(node: Node | None, *keys: str) -> str:
    found = child(node, *keys)
    return found.value if isinstance(found, Text) else ""


def items(node: Node) -> tuple[Node, ...]:
    return node.items if isinstance(node, Listing) else ()


HOOKS = {said(hook, "id"): said(hook, "entry") for hook in items(parse(read_source(ROOT / ".pre-commit-hooks.yaml")))}
ACTION = parse(read_source(ROOT / "action.yml"))
STEPS = {
    said(step, "name"): step
    for step in items(child(ACTION, "runs", "steps"))
    if isinstance(step, Mapping) and "name" in step
}


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for a game, and `closecombat` where a command is looked for."""
    (tmp_path / "bin").mkdir()
    command = tmp_path / "bin" / "closecombat"
    command.write_text(
        f'#!/bin/sh\nPYTHONPATH={shlex.quote(str(ROOT / "interpreter"))} exec {shlex.quote(sys.executable)} -m closecombat "$@"\n'
    )
    command.chmod(0o755)
    monkeypatch.setenv("PATH", f"{command.parent}{os.pathsep}{os.environ['PATH']}")
    return tmp_path / "my game"


def written(folder: Path, code: str) -> None:
    for name, text in SOUND.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        one = ILLUSTRATIONS.get(code)
        (folder / name).write_text(text.replace(one.right, one.wrong) if one else text)


@pytest.mark.parametrize(("code", "exit"), FAULTS.items())
def test_the_hook_checks(code: str, exit: int, path: Path) -> None:
    written(path, code)
    run = subprocess.run(shlex.split(HOOKS["closecombat-check"]), cwd=path, capture_output=True, text=True)
    assert run.returncode == exit and code in run.stdout


@pytest.mark.parametrize(("code", "exit"), [("", 0), ("unknown-name", 1)])
def test_the_hook_runs_the_examples(code: str, exit: int, path: Path) -> None:
    written(path, code)
    assert subprocess.run(shlex.split(HOOKS["closecombat-test"]), cwd=path, capture_output=True).returncode == exit


@pytest.mark.parametrize(
    ("code", "strict", "exit"),
    [("", "true", 0), ("unused", "true", 1), ("unused", "false", 0), ("unknown-name", "false", 1)],
)
def test_the_action_checks_a_folder_with_a_space_in_its_name(code: str, strict: str, exit: int, path: Path) -> None:
    written(path, code)
    given = {**os.environ, "RULES": path.name, "STRICT": strict, "BASELINE": ""}
    script = said(STEPS["check"], "run")
    run = subprocess.run(
        ["bash", "-eo", "pipefail", "-c", script], cwd=path.parent, env=given, capture_output=True, text=True
    )
    assert run.returncode == exit, run.stderr
    assert (f"title={code}::" in run.stdout) == bool(code)


@pytest.mark.parametrize(("changed", "pull"), [(False, "7"), (True, ""), (True, "7")])
def test_the_action_tells_a_pull_request_what_it_does(changed: bool, pull: str, path: Path) -> None:
    written(path, "")
    identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    for command in (["init", "-q", "-b", "main"], ["add", "."], [*identity, "commit", "-qm", "rules"]):
        subprocess.run(["git", *command], cwd=path.parent, check=True)
    if changed:
        rules = path / "ruleset.yaml"
        text = rules.read_text()
        assert CHANGED[0] in text
        rules.write_text(text.replace(*CHANGED))
    posted, temporary, summary = path.parent / "posted", path.parent / "temporary", path.parent / "summary"
    temporary.mkdir()
    gh = path.parent / "bin" / "gh"
    gh.write_text(f'#!/bin/sh\necho "$*" > {shlex.quote(str(posted))}\ncat "$5" >> {shlex.quote(str(posted))}\n')
    gh.chmod(0o755)
    given = {"RULES": path.name, "SINCE": "main", "PULL": pull, "RUNNER_TEMP": str(temporary)}
    run = subprocess.run(
        ["bash", "-eo", "pipefail", "-c", said(STEPS["diff"], "run")],
        cwd=path.parent,
        env={**os.environ, **given, "GITHUB_STEP_SUMMARY": str(summary)},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    assert ("tables.strength.even" in summary.read_text()) == changed
    assert posted.exists() == (changed and bool(pull))
    if posted.exists():
        command, _, body = posted.read_text().partition("\n")
        assert command.startswith("pr comment 7 --body-file") and body == summary.read_text()


def test_no_input_of_the_action_is_written_into_a_script() -> None:
    """What a stranger's pull request may name reaches the shell as a variable only."""
    assert set(STEPS) == {"install", "check", "test", "diff"}
    for step in STEPS.values():
        assert "${{" not in said(step, "run")
