"""Look-ups of a player aid: held against counting by hand, and against fights in which the same dice are thrown."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from closecombat.cli.main import main

RULES = """\
ruleset: toy
language: 1
start: bout
kinds:
  fight: {one: yes}
  side: {given: {enemy: the other side, dark: flag}, rolled: {luck: d6}}
tables:
  need: {about: side, first-of: {dark: {dark: yes, is: 5}, light: {dark: no, is: 3}}, otherwise: 4}
  drm: {about: side, adds-up: {dark: {dark: yes, add: 2}}}
  word: {about: side, words: [much, little], first-of: {dark: {dark: yes, is: much}}, otherwise: little}
sequences: {bout: {in-order: {throw: {each: side, roll: luck}}}}
outcomes: {about: side, words: [some, none], first-of: {none: {luck: 1, is: none}}, otherwise: some}
"""


def run(*line: str) -> Any:
    found = CliRunner().invoke(main, line)
    assert found.exit_code == 0, found.output
    return json.loads(found.stdout)


def grid(pages: Any, chart: str) -> tuple[list[str], dict[str, list[str]]]:
    (found,) = [part for page in pages for part in page["parts"] if part.get("chart") == chart]
    return found["columns"], {line["heading"]: line["cells"] for line in found["lines"]}


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ruleset.yaml").write_text(RULES, "utf-8")
    return tmp_path / "sheet.yaml"


def printed(toy: Path, look_up: str) -> tuple[list[str], dict[str, list[str]]]:
    toy.write_text(f"sheet: {{one: {{title: One, chances: {{it: {look_up}}}}}}}\n", "utf-8")
    return grid(run("sheet", ".", "-f", "json")["pages"], "it")


def test_the_ambush_is_as_it_is_counted() -> None:
    """Of 36 pairs, by how much the one is lower than the other: 5 by five, 10 in all by four or more, and so on."""
    columns, lines = grid(run("sheet", "asl", "-f", "json")["pages"], "chance-of-an-ambush")
    assert columns == ["-5", "-4", "-3", "-2", "-1", "+0", "+1", "+2"]
    by_day, at_night = lines["3: otherwise"], next(cells for head, cells in lines.items() if head.startswith("2: "))
    pairs = [30, 26, 21, 15, 10, 6, 3, 1]
    assert by_day == [f"{round(100 * n / 36)}%" for n in pairs]
    assert at_night == [f"{round(100 * n / 36)}%" for n in (33, *pairs[:-1])]


def test_a_fight_says_the_same() -> None:
    """They are concealed, -2, and nobody else has a drm: 15 of 36."""
    told = ["chances", "german: rifle squad", "soviet: rifle squad, concealed", "-r", "asl", "-f", "json"]
    found = run(*told, "--of", "ambusher of soviet")
    (chance,) = [one["probability"] for one in found["asked"][0]["chances"] if one["value"] is True]
    assert Fraction(chance) == Fraction(15, 36)


def test_each_way_to_hold_a_throw_against_a_number(toy: Path) -> None:
    """Of the sums of two dice 1, 2, 3 .. of 36 are 2, 3, 4 ..; a table gives its numbers, and its rows say when."""
    assert printed(toy, "{throw: 2d6, at-most: 2 to 4}") == (["2", "3", "4"], {"chance": ["3%", "8%", "17%"]})
    assert printed(toy, "{throw: 2d6, below: 2 to 4}") == (["2", "3", "4"], {"chance": ["-", "3%", "8%"]})
    assert printed(toy, "{throw: 2d6, at-least: 2 to 4}") == (["2", "3", "4"], {"chance": ["100%", "97%", "92%"]})
    assert printed(toy, "{throw: 2d6+1, above: 4}") == (["4"], {"chance": ["92%"]})
    columns, lines = printed(toy, "{throw: d6, add: 0 to +1, at-least: need}")
    assert columns == ["+0", "+1"]
    assert list(lines.values()) == [["33%", "50%"], ["67%", "83%"], ["50%", "67%"]]
    assert [head.split(":")[0] for head in lines] == ["5", "3", "4"]
    told = run("sheet", ".", "-f", "json")["pages"][0]["parts"][0]  # every number of it is labelled
    assert told["across"] == "Chance that d6, this (above) added, is at least the number (left)" and told["down"]
    assert printed(toy, "{throw: d6, against: d6, add: 0 to 0, higher-by: 1}")[1] == {"1": ["42%"]}
    assert printed(toy, "{throw: 3d6, at-most: 3}")[1] == {"chance": ["<1%"]}
    assert printed(toy, "{throw: 3d6, above: 3}")[1] == {"chance": [">99%"]}


@pytest.mark.parametrize(
    ("look_up", "code"),
    [
        ("{throw: 2d6, below: nowhere}", "unknown-name"),
        ("{throw: 2d6, below: word}", "wrong-shape"),
        ("{throw: 2d6, below: drm}", "wrong-shape"),  # whose rows add up
        ("{throw: 2d6}", "missing-key"),
        ("{throw: 2d6, below: 3, above: 4}", "missing-key"),
        ("{throw: d66, below: 3}", "wrong-shape"),
        ("{throw: 2d6, against: 2d6, below: 3}", "wrong-shape"),
        ("{throw: 2d6, lower-by: 3}", "wrong-shape"),
        ("{throw: 2d6, below: 3 to 90}", "wrong-shape"),
        ("{throw: 2d6, below: 3, add: many}", "wrong-shape"),
    ],
)
def test_what_cannot_be_looked_up_is_told(toy: Path, look_up: str, code: str) -> None:
    toy.write_text(f"sheet: {{one: {{title: One, chances: {{it: {look_up}}}}}}}\n", "utf-8")
    found = CliRunner().invoke(main, ["check", ".", "-f", "json"])
    assert code in {one["code"] for one in json.loads(found.stdout)["diagnostics"]}, found.output
