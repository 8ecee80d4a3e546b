"""`diff` as one types it: what it prints, its exit code, and two versions in git."""

import json
import subprocess
from pathlib import Path
from typing import Any

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

kinder to the attacker: he loses no more and his enemy no less in the 4 fights
looked at and in the smallest one found

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


def test_what_differs_behind_much_that_does_not_is_seen(game: Path) -> None:
    """Both cells were cut after 60 letters, and read the same."""
    rules = game / "ruleset.yaml"
    told = "when: side is drunk and (side is tired or enemy of side is dug-in or luck of enemy of side is at least {}), add: -2"
    text = rules.read_text("utf-8")
    assert "side: drunk, add: -2" in text
    (game / "other").mkdir()
    for folder, number in ((game, 2), (game / "other", 3)):
        (folder / "ruleset.yaml").write_text(text.replace("side: drunk, add: -2", told.format(number)), "utf-8")
    for form in ("text", "md"):
        found = run(f"diff . ./other --jobs 1 -f {form}")
        shown = " ".join(found.stdout.replace("\n", " ").split())
        assert found.exit_code == 1 and "tables.blow.drunk" in shown, found.output
        assert "at least 2" in shown and "at least 3" in shown


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


RANKS = """\
ruleset: ranks
language: 1
title: Ranks
start: go
outcomes: {about: side, words: [standing, gone], first-of: {gone: {number of units: 0, is: gone}}, otherwise: standing}
strength-lost: {about: side, unit: men, is: total men-at-start of units-at-start - total men of units}
kinds:
  fight: {one: yes, given: {night: flag}}
  side: {given: {enemy: the other side, units: {are: units, each: unit}}}
  unit: {printed: {class: [foot, horse, gun]}, given: {side: a side, men: {is: 0 to 12, default: 6}}, rolled: {die: d6}}
counters: {unit: {columns: [class], rows: {foot: [foot], horse: [horse], gun: [gun]}}}
tables: {drm: {about: unit, adds-up: {horse: {class: horse, add: 2}, gun: {class: gun, add: 1}}}}
sequences:
  go:
    in-order:
      roll: {each: unit, roll: die}
      hit:  {each: unit, when: not night and die + drm is at least 5, do: take 1 from men}
      dark: {each: unit, when: night and die + drm is less than 5, do: take 2 from men}
      dead: {each: unit, men: 0, do: leave}
"""
FOUGHT = "example: day\nsituation: {sides: {red: {units: {u: {counter: horse}}}, blue: {units: {e: {counter: foot}}}}}\n"


@pytest.fixture
def ranks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ranks/examples").mkdir(parents=True)
    (tmp_path / "ranks/ruleset.yaml").write_text(RANKS, "utf-8")
    (tmp_path / "ranks/examples/day.yaml").write_text(FOUGHT, "utf-8")
    return tmp_path


def changed(folder: Path, at: str, was: str, now: str) -> Any:
    text = f"variant: v\ntitle: V\nextends: ./ranks\nchanges: {{x: {{at: {at}, set: {now}, was: {was}, why: x}}}}\n"
    (folder / "v.yaml").write_text(text, "utf-8")
    return json.loads(run("diff ranks v.yaml --jobs 1 -f json").stdout)


def test_a_word_is_said_of_the_fights_looked_at(ranks: Path) -> None:
    """By night a smaller modifier costs more: nothing is said of what no fight shows."""
    found = changed(ranks, "tables.drm.horse", "{add: 2}", "{add: 1}")
    assert found["verdict"] == "kinder to red"
    assert found["why"].endswith("no less in the one fight looked at and in the smallest one found")


def test_without_a_fight_nothing_is_the_same(ranks: Path) -> None:
    (ranks / "ranks/examples/day.yaml").unlink()
    found = changed(ranks, "tables.drm.horse", "{add: 2}", "{add: 1}")
    assert (found["verdict"], found["fights"], found["smallest"], found["tried"]) == ("untried", [], None, 0)
    assert "looked for" in run("diff ranks v.yaml --jobs 1").stdout


@pytest.mark.parametrize(
    ("at", "was", "now", "told"),
    [
        ("tables.drm.gun", "{add: 1}", "{add: 4}", "counter: gun"),  # another counter, which no fight has
        ("sequences.go.dead", "{men: 0}", "{men: at most 3}", "men: 1"),  # a number on which the change turns
    ],
)
def test_a_fight_is_made_of_what_the_change_names(ranks: Path, at: str, was: str, now: str, told: str) -> None:
    assert told in changed(ranks, at, was, now)["smallest"]["example"]


def test_that_none_was_found_is_told_with_how_many_were_tried(ranks: Path) -> None:
    found = changed(ranks, "sequences.go.dead", "{men: 0}", "{men: 0, when: night or not night or men is 0}")
    assert found["verdict"] == "same" and found["smallest"] is None and found["tried"] > 1
    assert f"{found['tried']} situations tried" in " ".join(run("diff ranks v.yaml --jobs 1").stdout.split())
