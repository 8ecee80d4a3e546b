"""A question that was asked before: the same answer, none of it worked out; and what the answer hangs on is asked anew."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from brawl import EVEN, laid_down
from closecombat.asking.exact import chances
from closecombat.asking.exact.answers import Chances
from closecombat.cli.main import main
from closecombat.playing.fight import Fight
from closecombat.text.cache import WHERE

FIGHT = "examples/even.yaml"
ASKED = (  # each is another question
    f"chances {FIGHT} -r .",
    f"chances {FIGHT} -r . --by sides",
    f"chances {FIGHT} -r . --by sides --yes",
    f"chances {FIGHT} -r . --option reeling=falls",
    f"chances {FIGHT} -r v/numbers.yaml",
    f"compare {FIGHT} -r . -r v/gone.yaml -f json",
    f"compare {FIGHT} -r . -r v/gone.yaml --units -f json",
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(laid_down(tmp_path / "game", {FIGHT: EVEN}))
    monkeypatch.setenv(WHERE, str(tmp_path / "cache"))
    return tmp_path


@pytest.fixture
def worked_out(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The rulesets by which a fight is worked out, one after the other."""
    found: list[str] = []
    real = chances.work_out

    def noted(fight: Fight, *args: Any, **more: Any) -> Chances:
        found.append("+".join((fight.bound.ruleset.name, *fight.bound.ruleset.variants)))
        return real(fight, *args, **more)

    monkeypatch.setattr(chances, "work_out", noted)
    yield found


def run(line: str) -> Result:
    return CliRunner().invoke(main, line.split())


def test_each_question_is_worked_out_once_and_answered_alike(
    worked_out: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = [run(line) for line in ASKED]
    assert all(one.exit_code == 0 for one in first)
    assert len(worked_out) == 9  # compare asks twice
    again = [run(line).output for line in reversed(ASKED)]
    assert len(worked_out) == 9
    assert again == [one.output for one in reversed(first)]
    monkeypatch.setenv(WHERE, "no")
    assert [run(line).output for line in ASKED] == [one.output for one in first]
    assert len(worked_out) == 18


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        (FIGHT, "b: {}", "b: {tired: yes}"),
        ("ruleset.yaml", "side: tired, add: -1", "side: tired, add: -2"),
        ("ruleset.yaml", "title: Brawl", "title: Another brawl"),
    ],
)
def test_another_text_is_another_question(folder: Path, file: str, old: str, new: str, worked_out: list[str]) -> None:
    run(ASKED[0])
    path = folder / "game" / file
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")
    run(ASKED[0])
    assert len(worked_out) == 2
    path.write_text(text, "utf-8")
    run(ASKED[0])
    assert len(worked_out) == 2


def test_the_same_rules_elsewhere_with_another_variant_are_other_rules(folder: Path, worked_out: list[str]) -> None:
    run(ASKED[4])
    variant = folder / "game" / "v" / "numbers.yaml"
    variant.write_text(variant.read_text("utf-8").replace("set: {add: -2}", "set: {add: -3}"), "utf-8")
    run(ASKED[4])
    assert worked_out == ["brawl+numbers", "brawl+numbers"]


def test_what_is_wrong_is_told_each_time(folder: Path) -> None:
    path = folder / "game" / FIGHT
    path.write_text(EVEN.replace("a: {}", "a: {tyred: yes}"), "utf-8")
    first, again = run(ASKED[0]), run(ASKED[0])
    assert first.exit_code == again.exit_code == 2 and "tyred" in first.output and again.output == first.output
    path.write_text(EVEN, "utf-8")
    ruleset = folder / "game" / "ruleset.yaml"
    ruleset.write_text(ruleset.read_text("utf-8").replace("luck of side", "lukc of side"), "utf-8")
    assert "lukc" in run(ASKED[0]).output
    assert "lukc" in run(ASKED[0]).output


def test_an_answer_with_a_thing_in_it_is_kept_too(folder: Path, worked_out: list[str]) -> None:
    """A fact that is a thing, a fraction, and nobody, as what has changed."""
    rules = """\
ruleset: tag
language: 1
start: bout
kinds:
  fight: {one: yes, given: {first: a side}, noted: {winner: a side, share: {is: 0 to 9, default: 0}}}
  side: {given: {enemy: the other side}, rolled: {luck: one-die}}
dice: {one-die: d6}
sequences:
  bout:
    in-order:
      throw: {each: side, roll: luck}
      tie: {each: side, when: luck of side is more than luck of enemy of side, do: set winner of fight to side}
      half: {when: winner is not nobody, do: add 1 to share of fight}
outcomes: {about: side, words: [won, lost], first-of: {won: {when: winner of fight is side, is: won}}, otherwise: lost}
strength-lost: {about: side, unit: men, adds-up: {lost: {when: winner of fight is not side, add: 1 / 3}}}
"""
    (folder / "tag.yaml").write_text(rules, "utf-8")
    (folder / "one.yaml").write_text(
        "ruleset: ./tag.yaml\nsituation: {fight: {first: a}, sides: {a: {}, b: {}}}\n", "utf-8"
    )
    first, again = (run(f"chances {folder / 'one.yaml'} -f json") for _ in range(2))
    assert first.exit_code == 0, first.output
    assert first.output == again.output and worked_out == ["tag"]
    assert '"winner": "a"' in first.output and '"5/12"' in first.output
