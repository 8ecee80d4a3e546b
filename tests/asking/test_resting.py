"""What a result rests on, by weight: held against a small game in plain Python, and against results that are had apart."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

from closecombat.cli.main import main

SCHEMAS = Path(__file__).parents[2] / "schemas"
RULES = """\
ruleset: yard
title: Yard
language: 1
start: bout
assumptions:
  Y-1: {text: Who is tired strikes one lower.}
  Y-2: {text: A guard takes off one., else: [{at: tables.blow.guarded, set: {add: -2}}]}
  Y-3: {text: Nobody strikes twice., only: there is one die}
  Y-4: {text: Who is drunk strikes two lower.}
  Y-5: A tie is a miss.
options:
  reeling: {readings: [stands, falls], default: stands, why: The text says dazed and no more.}
  noise:   {readings: [low, high], default: low, why: The text says nothing of noise.}
kinds:
  fight: {one: yes, given: {attacker: a side}}
  side:
    given: {enemy: the other side, tired: flag, drunk: flag}
    chosen: {guard: flag, shout: flag}
    noted: {down: flag}
    rolled: {luck: one-die}
dice: {one-die: d6}
tables:
  blow:
    about: side
    adds-up:
      luck:    {add: luck of side}
      tired:   {side: tired, add: -1, assumed: Y-1}
      drunk:   {side: drunk, add: -2, assumed: Y-4}
      guarded: {enemy of side: guard, add: -1, assumed: Y-2}
  result:
    about: side
    words: [standing, fallen]
    first-of:
      struck: {when: blow of enemy of side is at least 5, is: fallen}
      fooled: {when: blow of enemy of side is at least 4 and reeling is falls, is: fallen}
      loud:   {when: blow of enemy of side is at least 9 and noise is high, is: fallen}
    otherwise: standing
sequences:
  bout:
    in-order:
      covers: {each: side, choose: guard of side, otherwise: no, cites: [1.1]}
      calls:  {each: side, choose: shout of side, otherwise: no, cites: [1.2]}
      throw:  {each: side, roll: luck}
      fall:   {each: side, result of side: fallen, do: gain down, assumed: [Y-3, Y-5]}
outcomes:
  about: side
  words: [unharmed, destroyed]
  first-of:
    destroyed: {side: down, is: destroyed}
  otherwise: unharmed
strength-lost:
  about: side
  unit: men
  adds-up: {down: {side: down, add: 4}}
"""
FIGHT = "ruleset: ./yard\nsituation: {fight: {attacker: a}, sides: {a: {tired: yes}, b: {}}}\n"


def down(by: int = 0, at_least: int = 5) -> Fraction:
    """The chance that a blow of one die and so much fells."""
    return Fraction(sum(face + by >= at_least for face in range(1, 7)), 6)


@pytest.fixture
def yard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "yard").mkdir()
    (tmp_path / "yard" / "ruleset.yaml").write_text(RULES, "utf-8")
    (tmp_path / "fight.yaml").write_text(FIGHT, "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def told(*line: str) -> Any:
    result = CliRunner().invoke(main, [*line, "-f", "json"])
    assert result.exit_code == 0, (line, result.stderr)
    found = json.loads(result.stdout)
    Draft202012Validator(json.loads((SCHEMAS / f"{line[0]}.schema.json").read_text("utf-8"))).validate(found)
    return found


def test_the_weight_of_each_is_as_reckoned_apart(yard: Path) -> None:
    found = told("chances", "fight.yaml", "--weigh")
    weights = {one["name"]: one for one in found["rests_on"]}
    # a strikes with one die less one, since he is tired; b with one die
    moves = {
        "Y-1": ("b", down(0) - down(-1)),
        "reeling": ("a", down(0, 4) - down(0)),
        "covers of a": ("a", down(-1) - down(0)),
        "covers of b": ("b", down(-2) - down(-1)),
    }
    for name, (whom, by) in moves.items():
        one = weights.pop(name)
        assert one["fate"] == "moves" and one["whom"] == whom
        assert Fraction(one["by"]) == (by if one["outcome"] == "destroyed" else -by)
        assert Fraction(one["new"]) - Fraction(one["old"]) == Fraction(one["by"])
    fates = {name: (one["fate"], one.get("why", "")) for name, one in weights.items()}
    still = ("nothing", "")
    assert fates == {
        "Y-3": ("no-other-reading", "there is one die"),
        "Y-5": ("no-other-reading", ""),
        "calls of a": still,
        "calls of b": still,
        "noise": still,
    }
    heavy = [abs(Fraction(one["by"])) for one in found["rests_on"] if one["fate"] == "moves"]
    assert heavy == sorted(heavy, reverse=True)
    assert [one["id"] for one in found["assumptions"]] == ["Y-1", "Y-3", "Y-5"]


def test_nothing_is_weighed_unless_it_is_asked_for_and_the_chances_stay_as_they_are(yard: Path) -> None:
    plain, weighed = told("chances", "fight.yaml"), told("chances", "fight.yaml", "--weigh")
    assert "rests_on" not in plain
    assert all(weighed[key] == value for key, value in plain.items())
    assert "not weighed: --weigh" in CliRunner().invoke(main, ["chances", "fight.yaml"]).stdout
