"""`diff` as one types it: what it prints, its exit code, and two versions in git."""

import json
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from brawl import EVEN, laid_down
from closecombat.cli.main import main


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(laid_down(tmp_path))
    return tmp_path


def run(line: str) -> Result:
    return CliRunner().invoke(main, line.split())


def git(folder: Path, *words: str) -> None:
    subprocess.run(("git", "-c", "user.email=a@b", "-c", "user.name=a", *words), cwd=folder, check=True)


TEXT = """\
brawl and brawl+gone  Brawl, with gone

kinder to the attacker: he never loses more and his enemy never less

                                                    brawl
rule                        brawl                   +gone  where
tables.blow.drunk  removed  {side: drunk, add: -2}  -      ruleset.yaml:19

                     what moves                                    lost on
fight  for whom      most              was      is  change         average
drunk  kinder to     b: unharmed    83.33%  50.00%  -33.33 (-1/3)  b 0 → 1.33
       the attacker

kinder to the attacker 1 (such as drunk)

the smallest fight found that differs
found from below, bare fights first, then with what the changed rules read:
drunk (2 situations tried)
    example: smallest
    ruleset: v/gone.yaml
    about: The smallest fight found that this ruleset changes.
    situation: {fight: {attacker: a}, sides: {a: {drunk: yes}, b: {}}}
    chances:
      outcomes of b is unharmed: 1/2

1 rule differs, 1 fight with other chances, 3 fights that no changed rule is
read in
"""


def test_text(game: Path) -> None:
    found = run("diff . v/gone.yaml --jobs 1")
    assert (found.exit_code, found.stdout) == (1, TEXT)


@pytest.mark.parametrize(("line", "code"), [("diff . .", 0), ("diff . v/split.yaml", 1), ("diff . v/nope.yaml", 2)])
def test_exit_code(game: Path, line: str, code: int) -> None:
    assert run(f"{line} --jobs 1").exit_code == code


def test_markdown_is_a_comment(game: Path) -> None:
    lines = run("diff . v/gone.yaml --jobs 1 -f md").stdout.splitlines()
    assert lines[0] == "### brawl → brawl+gone"
    assert "| `tables.blow.drunk` | removed | `{side: drunk, add: -2}` | `-` | ruleset.yaml:19 |" in lines
    assert "| drunk | kinder to the attacker | b: unharmed | 83.33% | 50.00% | -33.33 (-1/3) | b 0 → 1.33 |" in lines


def test_two_versions_in_git(game: Path) -> None:
    git(game, "init", "-q", ".")
    git(game, "add", "-A")
    git(game, "commit", "-qm", "one")
    rules = game / "ruleset.yaml"
    rules.write_text(rules.read_text("utf-8").replace("side: drunk, add: -2", "side: drunk, add: -1"), "utf-8")
    found = json.loads(run("diff HEAD . --jobs 1 -f json").stdout)
    (rule,) = found["rules"]
    assert (rule["was_at"], rule["is_at"]) == ("HEAD:ruleset.yaml:19", "ruleset.yaml:19")
    assert [one["fight"] for one in found["fights"] if one["fate"] == "differs"] == ["drunk"]
    then = json.loads(run("diff HEAD:. HEAD:v/gone.yaml --jobs 1 -f json").stdout)
    assert [one["path"] for one in then["rules"]] == ["tables.blow.drunk"]
    missing = run("diff HEAD:./nope.yaml . --jobs 1")
    assert missing.exit_code == 2 and "HEAD:nope.yaml" in missing.stderr and "/tmp" not in missing.stderr


@pytest.mark.parametrize("renamed", [False, True])
def test_a_variant_in_a_folder_of_its_own_has_versions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, renamed: bool
) -> None:
    """As `new --extends` makes it; a copy of the project may be called otherwise."""
    folder = tmp_path / ("checked-out" if renamed else "night")
    folder.mkdir()
    monkeypatch.chdir(folder)
    (folder / "night.yaml").write_text(
        "variant: night\ntitle: Night\nextends: squad-leader\nabout: By night.\n"
        "changes: {dark: {at: tables.dark, add: {about: unit, is: 1}, why: By night.}}\n"
    )
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "first")
    assert run("diff HEAD . --jobs 1").exit_code == 0
    (folder / "night.yaml").write_text((folder / "night.yaml").read_text().replace("is: 1", "is: 2"))
    found = run("diff HEAD . --jobs 1 -f json")
    assert found.exit_code == 1 and [
        one["path"].split(".")[:2] for one in json.loads(found.stdout)["rules"]
    ] == [["tables", "dark"]]


def test_a_link_in_a_version_leads_nowhere(game: Path) -> None:
    git(game, "init", "-q", ".")
    (game / "far.yaml").symlink_to("/etc/passwd")
    git(game, "add", "-A")
    git(game, "commit", "-qm", "one")
    assert run("diff HEAD:far.yaml . --jobs 1").exit_code == 2


def test_the_smallest_fight_may_differ_where_no_other_does(game: Path) -> None:
    (game / "fights").mkdir()
    (game / "fights/even.yaml").write_text(EVEN, "utf-8")
    found = json.loads(run("diff . v/gone.yaml --fights fights/even.yaml --jobs 1 -f json").stdout)
    assert [one["fate"] for one in found["fights"]] == ["untouched"]
    assert found["verdict"] == "kinder to the attacker" and "drunk: yes" in found["smallest"]["example"]
