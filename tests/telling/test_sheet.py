"""A player aid carries every row of its pages, in every form; what a variant has changed is marked."""

import json
import re
import shutil
import subprocess
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

from closecombat.cli.main import main
from closecombat.reading.stack import shipped
from closecombat.telling import pdf
from closecombat.text.faults import Faulty
from closecombat.text.files import schemas

RULESETS = tuple(shipped())
PAGES = {
    "asl": 10,
    "assault": 4,
    "skirmish": 3,
    "squad-leader": 3,
}  # on A4 and on Letter, each begins a page of its own
JOINER, MINUS = "\u2060", "\u2212"
MM = 72 / 25.4


@cache
def printed(*args: str) -> str:
    result = CliRunner().invoke(main, ["sheet", *args])
    assert result.exit_code == 0, result.stderr
    return result.stdout


def told(*args: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(printed(*args, "-f", "json"))
    return found


def texts(node: Any) -> list[str]:
    """Every text of a row, step, cell and clause of a sheet's JSON."""
    if isinstance(node, list):
        return [text for one in node for text in texts(one)]
    if not isinstance(node, dict):
        return []
    own = [node[key] for key in ("text", "rule", "amount") if node.get(key)]
    return own + list(node.get("cells", ())) + [text for one in node.values() for text in texts(one)]


class Words(HTMLParser):
    """The text of a page, its style left out."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.said, self.inside = list[str](), False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.inside = tag == "style"

    def handle_endtag(self, tag: str) -> None:
        self.inside = False

    def handle_data(self, data: str) -> None:
        if not self.inside:
            self.said.append(data)


def plain(text: str) -> str:
    """Text as it is said, however it is broken into lines."""
    return re.sub(r"[\s-]+", "", text.replace(JOINER, "").replace(MINUS, "-"))


@pytest.mark.parametrize("name", RULESETS)
def test_every_form_carries_every_row(name: str) -> None:
    sheet = told(name)
    Draft202012Validator(json.loads(schemas()["sheet"].read_text("utf-8"))).validate(sheet)
    page, marked = (
        plain("".join(Words(printed(name, "-f", "html")).said)),
        plain(printed(name, "-f", "md").replace("\\", "")),
    )
    wanted = texts(sheet["pages"])
    assert len(wanted) > 50
    for text in wanted:
        assert plain(text) in page and plain(text) in marked, text
    assert sheet["digest"] in page


def test_nothing_is_fetched_or_run() -> None:
    page = printed("skirmish", "-f", "html")
    assert not re.findall(r"<script|<link[^>]+stylesheet|https?://|@import", page)
    assert all(url.startswith(("data:", '"data:')) for url in re.findall(r"url\(([^)]*)\)", page))


GAME = """\
ruleset: toy
language: 1
start: fight
options: {mud: {readings: [deep, dry], default: deep, why: nobody says}}
assumptions: {T-1: all are wet}
kinds:
  fight: {one: yes, given: {captain: a side}}
  side: {given: {enemy: the other side, units: {are: units, each: unit}}}
  unit: {given: {side: a side, wet: flag, tired: flag}, noted: {seen: {is: flag, shown: no}, done: flag}}
tables:
  worth:
    about: unit
    adds-up:
      wet:   {wet: yes, add: -1, says: soaked to the skin, assumed: T-1}
      tired: {tired: yes, mud: deep, add: -2}
      fresh: {tired: no, mud: dry, add: +2}
sequences:
  fight:
    in-order:
      mark:  {each: unit, do: gain seen}
      left:  {for: captain, play: strike, says: both sides strike}
      right: {for: enemy of captain, play: strike, says: both sides strike}
  strike: {about: side, in-order: {tire: {each: unit of side where (worth is at most 0), do: gain tired}, go: {each: unit of side where (seen), do: leave}}}
sheet: {aid: {title: The aid, charts: [fight, worth]}}
"""
VARIANT = """\
variant: harder
extends: ..
title: harder
changes:
  one: {at: tables.worth.wet, set: {tired: yes}, why: so}
  two: {at: tables.worth.tired, set: {add: -3}, was: {add: -2}, why: so}
"""


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "ruleset.yaml").write_text(GAME, "utf-8")
    (tmp_path / "v").mkdir()
    (tmp_path / "v" / "harder.yaml").write_text(VARIANT, "utf-8")
    monkeypatch.chdir(tmp_path)
    printed.cache_clear()
    return tmp_path


def parts(*args: str) -> dict[str, Any]:
    (page,) = told(*args)["pages"]
    return {part["chart"]: part for part in page["parts"]} | {"page": page}


def test_rows_of_another_reading_are_left_out_and_named(toy: Path) -> None:
    found = parts(".")
    lines = [(line["amount"], line["text"]) for line in found["worth"]["lines"]]
    assert lines == [("-1", "Soaked to the skin"), ("-2", "The unit is tired")]
    assert [(one["reading"], one["others"]) for one in found["page"]["readings"]] == [("deep", ["dry"])]
    assert found["page"]["assumed"] == [{"id": "T-1", "text": "all are wet"}]


def test_steps_that_read_the_same_are_one_and_what_nobody_sees_is_none(toy: Path) -> None:
    (step,) = parts(".")["fight"]["steps"]
    assert step["text"] == "Both sides strike"
    assert [one["text"] for one in step["steps"]] == [
        "For each unit whose worth is at most 0: it is tired from now on",
        "For each unit that is seen: remove it",
    ]


def test_a_variant_marks_its_rows_and_unsays_what_it_does_not_say_anew(toy: Path) -> None:
    lines = parts(".+./v/harder.yaml")["worth"]["lines"]
    assert [(line["text"], line["changed_by"]) for line in lines] == [
        ("The unit is wet and is tired", "harder"),
        ("The unit is tired", "harder"),
    ]
    assert 'class="changed"' in printed(".+./v/harder.yaml", "-f", "html")


def test_a_page_with_a_chart_that_is_not_there(toy: Path) -> None:
    (toy / "ruleset.yaml").write_text(GAME.replace("[fight, worth]", "[fight, wort]"), "utf-8")
    result = CliRunner().invoke(main, ["sheet", "."])
    assert result.exit_code == 2 and "did you mean `worth`" in result.stderr and "`aid`" in result.stderr


def test_a_ruleset_that_says_nothing_of_pages_has_one_for_each_file(toy: Path) -> None:
    (toy / "ruleset.yaml").write_text(GAME[: GAME.index("sheet:")], "utf-8")
    (page,) = told(".")["pages"]
    assert [part["chart"] for part in page["parts"]] == ["fight", "worth"]


def test_without_what_makes_a_pdf_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    import builtins

    real = builtins.__import__

    def refuse(name: str, *args: Any, **more: Any) -> Any:
        if name == "weasyprint":
            raise ImportError(name)
        return real(name, *args, **more)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(Faulty) as caught:
        pdf.pdf_of("<p>")
    assert "closecombat[pdf]" in caught.value.diagnostics[0].help


# ---- on paper --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("name", RULESETS)
def test_on_paper_no_row_is_lost_and_nothing_is_small(tmp_path: Path, name: str, paper: str) -> None:
    pytest.importorskip(
        "weasyprint", reason="pip install 'closecombat[pdf]', and pango", exc_type=(ImportError, OSError)
    )
    pypdf = pytest.importorskip("pypdf", reason="pip install pypdf")
    file = tmp_path / "sheet.pdf"
    result = CliRunner().invoke(main, ["sheet", name, "--paper", paper, "-f", "pdf", "-o", str(file)])
    assert result.exit_code == 0, result.stderr
    read, small = pypdf.PdfReader(file), list[tuple[float, str]]()

    def look(text: str, cm: list[float], tm: list[float], font: object, size: float) -> None:
        real = abs(size * tm[3] * cm[3])
        if text.strip() and real < 7:
            small.append((real, text))

    said = plain("".join(page.extract_text(visitor_text=look) for page in read.pages))
    assert not small
    assert len(read.pages) == PAGES[name]
    assert {tuple(round(float(side)) for side in page.mediabox[2:]) for page in read.pages} == {
        (595, 842) if paper == "a4" else (612, 792)
    }
    missing = [text for text in texts(told(name)["pages"]) if plain(text) not in said]
    assert not missing
    if (tool := shutil.which("pdftotext")) is not None:
        boxes = subprocess.run([tool, "-bbox", str(file), "-"], capture_output=True, text=True, check=True).stdout
        ends = [float(end) for end in re.findall(r'xMax="([\d.]+)"', boxes)]
        assert max(ends) <= float(read.pages[0].mediabox[2]) - 9 * MM
