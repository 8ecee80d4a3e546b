"""What is printed as CSV has the numbers of the same answer as JSON, for every command that holds rules against something."""

import csv
import json
from dataclasses import replace
from fractions import Fraction
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from brawl import laid_down
from closecombat.asking.overview import Overview, Row
from closecombat.cli.main import main
from closecombat.telling.overview import overview_csv

ANSWERS = (("yes", "3", "0"), ("no", "5", "5"))  # in how many states each is offered, and best
DRUNK = """\
variant: probe
extends: ..
changes:
  drunk: {at: tables.blow.drunk, set: {add: {from: -4, to: 1}}, was: {add: -2}, why: to be found}
goals: {drunk: {down of b: 1/6 to 1/2}}
elsewhere: at most 2 points
"""
SOBER = """\
variant: sober
extends: ..
changes:
  drunk: {at: tables.blow.drunk, set: {add: -1}, was: {add: -2}, why: to see what it does}
"""


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(laid_down(tmp_path, {"v/probe.yaml": DRUNK, "v/sober.yaml": SOBER}))
    return tmp_path


def both(line: str) -> tuple[dict[str, Any], list[dict[str, str]]]:
    found, text = (CliRunner().invoke(main, [*line.split(), "-f", form]).stdout for form in ("json", "csv"))
    return json.loads(found), list(csv.DictReader(StringIO(text)))


def test_a_diff(game: Path) -> None:
    told, rows = both("diff . .+v/sober.yaml --jobs 1")
    wanted = []
    for fight in told["fights"]:
        shifts = [
            (one["whom"], one["what"], one["old"]["probability"], one["new"]["probability"])
            for one in fight.get("shifts", ())
        ]
        shifts += [(one["side"], "lost", one["old"], one["new"]) for one in fight.get("lost", ())]
        wanted += [(fight["fight"], fight["fate"], *one) for one in shifts or [("", "", "", "")]]
    assert [(r["fight"], r["fate"], r["whom"], r["outcome"], r["was"], r["is"]) for r in rows] == wanted
    # he who drinks less strikes for 5 with one face of six: who stood for certain now falls with 1/6
    assert ("drunk", "differs", "b", "destroyed", "0", "1/6") in wanted


def test_a_gate(game: Path) -> None:
    assert CliRunner().invoke(main, ["gate", ".", "--record", "--jobs", "1"]).exit_code == 0
    assert both("gate . --jobs 1")[1] == []
    rules = game / "ruleset.yaml"
    rules.write_text(rules.read_text("utf-8").replace("drunk, add: -2", "drunk, add: -1"), "utf-8")
    told, rows = both("gate . --jobs 1")
    wanted = [
        (one["fight"], one["outcome"], one["old"]["probability"], one["new"]["probability"])
        for one in told["not_passing"]
    ]
    assert [(row["fight"], row["outcome"], row["was"], row["is"]) for row in rows] == wanted
    assert ("drunk", "b: destroyed", "0", "1/6") in wanted


def test_all_values_that_were_tried(game: Path) -> None:
    told, rows = both("tune v/probe.yaml")
    reached = [one["values"] for one in told["reached"]]
    assert len(rows) == len(told["tried"]) == 6
    for row, one in zip(rows, told["tried"], strict=True):
        assert [int(row["drunk"])] == one["values"] and row["goal_1"] == one["figures"][0]["exact"]
        assert row["reaches"] == ("yes" if one["values"] in reached else "no")
        assert row["elsewhere"] == one.get("elsewhere", {"by": ""})["by"]
    assert "yes" in {row["reaches"] for row in rows}


def test_what_a_ruleset_claims() -> None:
    told, rows = both("properties squad-leader more-firepower --most 10")
    named = {one["property"]: one for one in told["properties"]}
    assert {row["property"] for row in rows} == named.keys()
    for row in rows:
        assert row["found"] == named[row["property"]]["found"] and row["pairs"] == str(named[row["property"]]["pairs"])


def test_what_may_be_chosen() -> None:
    told, rows = both("choices lone-leader -r asl")
    assert [row["legal"] == "yes" for row in rows] == [one["legal"] for one in told["choice"]["answers"]]
    told, rows = both("choices lone-leader -r asl --best")
    assert [row["worth"] for row in rows] == [one["worth"]["exact"] for one in told["best"]["answers"]]
    assert {row["aim"] for row in rows} == {"; ".join(told["best"]["aims"])}


def test_an_overview_has_a_line_for_each_answer() -> None:
    row = Row("flee", "flees", (), {"one": None, "two": None}, {"two": None}, {"yes": 3, "no": 5}, {"no": 5})
    found = Overview("brawl", (), (row, replace(row, row="dare", gives_up=Fraction(1, 6), worst="two")))
    wanted = [(name, answer, found, best) for name in ("flee", "dare") for answer, found, best in ANSWERS]
    rows = list(csv.DictReader(StringIO(overview_csv(found))))
    assert [(one["row"], one["answer"], one["states"], one["best_in"]) for one in rows] == wanted
    assert [(one["gives_up"], one["most_in"]) for one in rows] == [("0", "")] * 2 + [("1/6", "two")] * 2
    assert all((one["asked_in"], one["matters_in"]) == ("2", "1") for one in rows)
