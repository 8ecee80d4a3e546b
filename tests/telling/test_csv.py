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
from closecombat.asking.choices.overview import Overview, Row
from closecombat.asking.exact.answers import Shift
from closecombat.asking.weights.ledger import Doubt, Ledger
from closecombat.asking.weights.weights import TOO_LARGE, Weight
from closecombat.cli.main import main
from closecombat.telling.ledger import ledger_csv
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
        shifts += [(one["side"], "strength lost", one["old"], one["new"]) for one in fight.get("lost", ())]
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
    told, rows = both("properties squad-leader more-firepower --most 1")
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


def test_what_there_is() -> None:
    told, rows = both("list words")
    assert rows == told["words"]
    told, rows = both("list")
    for row in rows:
        known = [{"name": next(iter(one.values())), **one} for one in told[f"{row['what']}s"]]
        assert {key: value for key, value in row.items() if value and key != "what"} in [
            {key: value for key, value in one.items() if key != row["what"]} for one in known
        ]
    assert len(rows) == sum(len(told[f"{what}s"]) for what in {row["what"] for row in rows})


def test_every_row_of_a_ruleset(game: Path) -> None:
    told, rows = both("show .+v/sober.yaml")
    assert [(row["path"], row["reads"], row["line"]) for row in rows] == [
        (one["path"], one["reads"], str(one["line"])) for one in told["rows"]
    ]
    changed = [(row["path"], row["changed_by"], row["change"], row["why"]) for row in rows if row["how"]]
    assert changed == [("tables.blow.drunk", "sober", "drunk", "to see what it does")]


def test_what_variants_have_removed_or_locked_is_not_left_out(game: Path) -> None:
    (game / "v/dry.yaml").write_text(
        "variant: dry\nextends: ..\nchanges:\n"
        "  none: {at: tables.blow.drunk, remove: yes, was: {side: drunk, add: -2}, why: nobody drinks}\n"
    )
    _, rows = both("show .+v/dry.yaml --changed")
    assert [(row["how"], row["path"], row["why"]) for row in rows] == [
        ("removed", "tables.blow.drunk", "nobody drinks")
    ]


def test_clauses(game: Path) -> None:
    rules = game / "ruleset.yaml"
    rules.write_text(
        rules.read_text("utf-8").replace("drunk, add: -2", 'drunk, add: -2, cites: "2.1"')
        + 'clauses:\n  "2.1": {rule: A drunkard strikes less., scope: core}\n'
        + '  "3.1": {rule: Chairs fly., scope: outside, left-out: "no chairs, here"}\n'
    )
    told, rows = both("rules .")
    wanted = [(one["id"], one["status"], ", ".join(one["rows"]), one["why"] or "") for one in told["clauses"]]
    assert [(row["clause"], row["status"], row["rows"], row["why"]) for row in rows] == wanted
    assert ("2.1", "modelled", "tables.blow.drunk", "") in wanted


def test_how_far_examples_reach(game: Path) -> None:
    told, rows = both("test . --coverage")
    missed = [(one["sort"], one["id"], one["place"]) for one in told["not_reached"]]
    assert [(r["sort"].replace(" ", "_"), r["which"], r["where"]) for r in rows if r["reached"] == "no"] == missed
    assert sum(row["reached"] == "yes" for row in rows) == told["coverage"]["all"]["reached"] > 0


def test_a_ledger_has_a_line_for_each_doubt_in_each_fight_that_comes_to_it() -> None:
    shift = Shift("german", "destroyed", Fraction(1, 6), Fraction(1, 4))
    moved = Weight("option", "order", "first", "last", ("6.1", "6.2"), ("X1",), (shift,))
    large = replace(moved, shifts=(), fault=TOO_LARGE, message="more than 10 s")
    doubt = Doubt("order", "last", ("6.1", "6.2"), ("X1",), (("one", moved), ("two", large)), ("one", "two", "three"))
    found = Ledger("brawl", "Brawl", "", ("one",), (doubt,), ("luck",), {"X2": "no other"}, {"four": "too long"}, {})
    rows = list(csv.DictReader(StringIO(ledger_csv([found]))))
    assert all(row["ruleset"] == "brawl" and None not in row.values() for row in rows)
    of = ("doubt", "rests_on", "fate", "fight", "was", "becomes", "changes_by", "message")
    assert [tuple(row[key] for key in of) for row in rows] == [
        ("order", "X1", "moves", "one", "1/6", "1/4", "1/12", ""),
        ("order", "X1", "too-large", "two", "", "", "", "more than 10 s"),
        ("order", "X1", "still", "three", "", "", "", ""),
        ("luck", "", "never-met", "", "", "", "", ""),
        ("X2", "X2", "no-other-reading", "", "", "", "", "no other"),
        ("", "", "not-worked-out", "four", "", "", "", "too long"),
    ]
