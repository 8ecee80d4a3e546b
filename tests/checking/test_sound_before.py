"""What was found sound is not looked at again, and a check finds what it would find without that."""

from __future__ import annotations

from pathlib import Path

import pytest

from closecombat.checking import check
from closecombat.checking.check import check_paths

RULES = """
ruleset: small
title: Small
about: One blow.
language: 1
start: blow
kinds:
  fight: {one: yes}
  unit: {given: {strength: 0 to 9}, noted: {hurt: flag}}
tables:
  worth: {about: unit, is: strength + 1}
  asked: {about: unit, is: strength * 2}
sequences:
  blow: {in-order: {hurt: {each: unit, worth: at least LIMIT, do: gain hurt}}}
"""
FIRST = """
example: first
situation: {units: {a: {strength: 3}}}
expect: {figures: {asked of a: 6}}
"""
SECOND = FIRST.replace("first", "second").replace("asked of a: 6", "worth of a: 4")


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CLOSECOMBAT_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "small"
    (folder / "examples").mkdir(parents=True)
    (folder / "ruleset.yaml").write_text(RULES.replace("LIMIT", "3"), encoding="utf-8")
    write(folder, "first", FIRST)
    write(folder, "second", SECOND)
    return folder


def write(game: Path, name: str, text: str) -> None:
    (game / "examples" / f"{name}.yaml").write_text(text, encoding="utf-8")


def found(game: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The codes of a check, which must be those of one that knows of nothing before."""
    known = [(one.code, one.message) for one in check_paths([str(game)])]
    with monkeypatch.context() as alone:
        alone.setenv("CLOSECOMBAT_CACHE", "no")
        assert known == [(one.code, one.message) for one in check_paths([str(game)])]
    return [code for code, _ in known]


def test_what_an_example_asks_for_is_not_left_over(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert found(game, monkeypatch) == []
    assert found(game, monkeypatch) == []
    write(game, "first", SECOND.replace("second", "first"))
    assert found(game, monkeypatch) == ["unused"]  # nobody asks for `asked` now


def test_an_example_that_was_sound_is_not_rehearsed(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rehearsed = []
    rehearse = check.check_scene
    monkeypatch.setattr(check, "check_scene", lambda *all: (rehearsed.append(1), rehearse(*all))[1])
    check_paths([str(game)])
    assert len(rehearsed) == 2
    check_paths([str(game)])
    assert len(rehearsed) == 2
    write(game, "second", SECOND.replace("3", "4"))
    check_paths([str(game)])
    assert len(rehearsed) == 3


def test_what_is_wrong_is_told_each_time(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(game, "second", SECOND.replace("worth of a", "value of a"))
    for _ in range(2):
        assert found(game, monkeypatch) == ["unknown-name"]


def test_other_rules_are_other_rules(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert found(game, monkeypatch) == []
    rules = game / "ruleset.yaml"
    rules.write_text(rules.read_text(encoding="utf-8").replace("0 to 9", "0 to 2"), encoding="utf-8")
    assert found(game, monkeypatch) != []


def test_two_examples_of_one_name_are_found_where_one_was_sound(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert found(game, monkeypatch) == []
    write(game, "first", FIRST.replace("first", "second"))
    assert found(game, monkeypatch) == ["duplicate-id"]
    assert found(game, monkeypatch) == ["duplicate-id"]


def test_a_second_reading_that_fails_is_told_each_time(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = game / "ruleset.yaml"
    text = rules.read_text(encoding="utf-8").replace("is: strength + 1}", "is: strength + 1, assumed: G1}")
    change = "assumptions: {G1: {text: so, else: {at: tables.worth, set: {is: CELL}}}}\n"
    rules.write_text(text + change.replace("CELL", "strength + 2"), encoding="utf-8")
    assert found(game, monkeypatch) == found(game, monkeypatch)
    rules.write_text(text + change.replace("CELL", "weight + 2"), encoding="utf-8")
    for _ in range(2):
        assert "unknown-name" in found(game, monkeypatch)
