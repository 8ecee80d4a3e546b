"""What a change does to the claims of a ruleset: broken and mended where a brawl, counted by hand, says so."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

from brawl import RULES, laid_down
from closecombat.cli.main import main

SCHEMA = Path(__file__).parents[2] / "schemas" / "diff.schema.json"
CLAIMS = """\
properties:
  drink: {about: side, with: drunk, never: less strength-lost, says: Drink never saves anybody.}
  rest:
    {about: side, with: not tired, never: less strength-lost of enemy, says: Who is rested strikes no less.,
     fails: in the base he who is rested strikes less}
"""
REVERSED = RULES.replace("tired, add: -1", "tired, add: +1") + CLAIMS  # who is tired strikes for one more
MENDED = """\
variant: mended
extends: ..
changes:
  tired: {at: tables.blow.tired, set: {add: -1}, was: {add: +1}, why: as it was meant}
"""
ROUSED = """\
variant: roused
extends: ..
changes:
  cover: {at: tables.blow.cover, set: {"enemy of side": drunk, add: -3}, was: {"enemy of side": dug-in, add: -1},
          why: nobody strikes a drunkard as hard}
"""
FIGHTS = """\
examples:
  - {example: even, situation: {fight: {attacker: a}, sides: {a: {}, b: {}}}}
  - {example: weary, situation: {fight: {attacker: a}, sides: {a: {tired: yes, dug-in: yes}, b: {drunk: yes}}}}
  - {example: tired, situation: {fight: {attacker: a}, sides: {a: {tired: yes}, b: {}}}}
"""


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    files = {"ruleset.yaml": REVERSED, "examples/all.yaml": FIGHTS, "v/mended.yaml": MENDED, "v/roused.yaml": ROUSED}
    monkeypatch.chdir(laid_down(tmp_path, files))
    return tmp_path


def told(line: str) -> dict[str, object]:
    found = json.loads(CliRunner().invoke(main, [*line.split(), "--jobs", "1", "-f", "json"]).stdout)
    assert not list(Draft202012Validator(json.loads(SCHEMA.read_text("utf-8"))).iter_errors(found))
    claims: dict[str, object] = found["claims"]
    return claims


def turned(line: str) -> list[tuple[object, ...]]:
    listed = told(line)["turned"]
    assert isinstance(listed, list)
    return [(one["property"], one["how"], one["who"], one["tail"][0]["before"]["probability"],
             one["tail"][0]["after"]["probability"]) for one in listed]  # fmt: skip


def test_a_change_mends_a_claim_that_says_that_it_fails(game: Path) -> None:
    # a tired man fells his enemy with 4, 5 or 6 of six, a rested one with 5 or 6; dug in the enemy is a face better off
    (one,) = turned("diff . .+v/mended.yaml")
    assert one[:3] == ("rest", "mends", "a")
    assert one[3:] in (("1/2", "1/3"), ("1/3", "1/6"))


def test_a_change_breaks_a_claim(game: Path) -> None:
    # who struck a drunkard had no less luck before; now no die fells him. That he who is rested strikes less is so in
    # the weary fight no more, where nobody is felled now, but still in the third, which the change does not touch
    (one,) = turned("diff . .+v/roused.yaml")
    assert one[:2] == ("drink", "breaks") and one[4] == "0" and one[3] in ("1/3", "1/2")


def test_nothing_is_turned_the_other_way(game: Path) -> None:
    """What is mended from one to the other is broken from the other to the one, if that is not said to fail there."""
    found = told("diff .+v/mended.yaml .")
    assert found["turned"] and found["looked_at"] == 2 and found["complete"]
    assert turned("diff .+v/mended.yaml .")[0][:2] == ("rest", "breaks")


def test_text_markdown_and_page_tell_of_it_and_so_does_what_is_kept(game: Path) -> None:
    for form, words in (("text", "breaks the claim drink"), ("md", "breaks the claim drink"), ("html", "It breaks")):
        first, again = (
            CliRunner().invoke(main, ["diff", ".", ".+v/roused.yaml", "--jobs", "1", "-f", form]).stdout for _ in "12"
        )
        assert words in first and "Drink never saves anybody" in first and first == again


def test_rules_that_claim_nothing_are_not_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(laid_down(tmp_path, {"v/cover.yaml": ROUSED}))
    assert told("diff . .+v/cover.yaml") == {"looked_at": 0, "pairs": 0, "complete": True, "turned": []}
