"""Curves as pictures: each point is where its number is, names do not lie on each other, and notebooks get the same numbers."""

import csv
import json
from fractions import Fraction
from io import StringIO
from pathlib import Path

import pytest
from click.testing import CliRunner

from closecombat.cli.main import main
from closecombat.telling.plots import BOTTOM, LINE, SIZES, TOP, Curves, plots, vega
from sweeps import FIGHT, RULES

HALF, ONE, TWO = Fraction(1, 2), Fraction(1), Fraction(2)
CURVES = Curves(
    {"one": [(HALF, Fraction(0)), (TWO, ONE)], "other": [(HALF, Fraction(1, 4)), (ONE, HALF), (TWO, ONE)]},
    "us to them",
    "we hold it",
    {HALF: "1:2", ONE: "1:1", TWO: "2:1"},
)


def test_a_point_is_where_its_number_is() -> None:
    for plot, (_, width, height) in zip(plots(CURVES), SIZES, strict=True):
        one, other = plot["lines"]
        high = height - TOP - BOTTOM
        assert [float(y) for _, y in one["points"]] == pytest.approx([TOP + high, TOP], abs=0.05)
        assert [float(y) for _, y in other["points"]] == pytest.approx(
            [TOP + high * 0.75, TOP + high / 2, TOP], abs=0.05
        )
        left, middle, right = (float(x) for x, _ in other["points"])
        assert (middle - left) / (right - left) == pytest.approx(1 / 3, abs=0.005) and right < width
        assert float(one["points"][0][0]) == left
        assert abs(one["label"] - other["label"]) >= LINE


def test_one_point_and_none() -> None:
    assert plots(Curves({"one": [(ONE, HALF)]}, "a", "b", {ONE: "1:1"}))
    assert plots(Curves({"one": []}, "a", "b", {})) == []


def test_a_notebook_gets_the_same_numbers() -> None:
    values = json.loads(vega(CURVES))["data"]["values"]
    assert [(one["system"], one["exactly"], one["chance"]) for one in values] == [
        (name, str(x), str(y)) for name, points in CURVES.lines.items() for x, y in points
    ]


ROWS = """\
system,force ratio us to them,us holds it
asl,1/2,1/4
asl,2,3/4
skirmish,1/2,0
"""


def test_a_page_of_a_curve_has_its_picture_and_every_number(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text(ROWS, "utf-8")
    line = ["compare", str(tmp_path / "rows.csv"), "-f"]
    page, told = (CliRunner().invoke(main, [*line, form]).stdout for form in ("html", "json"))
    assert page.count("<svg") == 2 and page.count("<polyline") == 4 and "script" not in page
    for point in json.loads(told)["points"]:
        assert f'title="{point["mean"]["probability"]}"' in page
    assert CliRunner().invoke(main, [*line, "csv"]).stdout.splitlines()[1] == "1/2,asl,1,1/4,1/4,1/4"
    assert "| 1 to 2 | 25.00% | 0% |" in CliRunner().invoke(main, [*line, "md"]).stdout
    assert len(json.loads(CliRunner().invoke(main, [*line, "vega"]).stdout)["data"]["values"]) == 3


def test_how_long_a_fight_lasts_is_there_for_notebooks_and_spreadsheets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Red hits with two faces of six, blue with one, so a close combat leaves both whole in 5 cases of 9."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "duel.yaml").write_text(RULES, "utf-8")
    (tmp_path / "fight.yaml").write_text(FIGHT, "utf-8")
    wanted = {number: 1 - Fraction(5, 9) ** number for number in range(1, 4)}
    text = CliRunner().invoke(main, ["chances", "fight.yaml", "--until", "resolved", "-f", "csv"]).stdout
    ends, lasting = [], {}
    for row in csv.DictReader(StringIO(text)):
        if row["of"] == "lasting":
            lasting[int(row["over by combat"])] = Fraction(row["probability"])
        else:
            ends.append(Fraction(row["probability"]))
    assert sum(ends) == 1 and {number: lasting[number] for number in wanted} == wanted
    spec = json.loads(
        CliRunner()
        .invoke(main, ["compare", "fight.yaml", "-r", "duel.yaml", "--until", "resolved", "-f", "vega"])
        .stdout
    )
    points = spec["vconcat"][1]["data"]["values"]
    assert {int(one["exactly"]): Fraction(one["chance"]) for one in points} == lasting
    once = CliRunner().invoke(main, ["chances", "fight.yaml", "-f", "csv"]).stdout
    assert "over by" not in once


def test_a_comparison_for_a_notebook_has_the_numbers_of_its_json() -> None:
    line = ["compare", "lone-leader", "-r", "squad-leader", "-r", "asl", "-f"]
    spec, told = (json.loads(CliRunner().invoke(main, [*line, form]).stdout) for form in ("vega", "json"))
    values = {(one["of"], one["system"], one["word"]): one["exactly"] for one in spec["data"]["values"]}
    for system in told["systems"]:
        place = system["ends"]["place"]
        assert values["who holds the place", system["ruleset"], "contested"] == place["contested"]["probability"]
        for side, end in system["ends"]["sides"].items():
            assert values[side, system["ruleset"], "lost"] == end["fates"]["lost"]["share"]
