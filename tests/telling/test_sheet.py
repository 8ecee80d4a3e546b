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

from closecombat import __version__
from closecombat.cli.main import main
from closecombat.reading.stack import load_stack, shipped
from closecombat.telling import pdf
from closecombat.text.faults import Faulty
from closecombat.text.files import schemas
from closecombat.text.nodes import Mapping, Text

RULESETS = tuple(shipped())
PAGES = {
    "asl": 11,
    "assault": 3,
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
    below = f"content{sheet['digest']}closecombat{__version__}"
    assert all(below in text.replace(" ", "") for text in (page, marked))


def test_all_that_the_play_aid_has_and_all_that_is_modelled_stands_on_the_sheet() -> None:
    """Of the play-aid also what belongs to other phases."""

    def cited(node: Any) -> set[str]:
        if isinstance(node, list):
            return {id for one in node for id in cited(one)}
        if not isinstance(node, dict):
            return set()
        own = {*node.get("cites", ()), *([node["id"]] if "rule" in node else [])}
        return own | {id for one in node.values() for id in cited(one)}

    here = cited(told("asl")["pages"])
    listed = load_stack("asl", whole=True).document.get("clauses")
    assert isinstance(listed, Mapping)
    own = {key.value for key, clause in listed.entries if key.value[:3] in ("PA.", "CCT") or "left-out" not in clause}
    assert len(own) > 250 and not own - here


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
  side: {given: {enemy: the other side, units: {are: units, each: unit}}, rolled: {luck: d6}}
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
  strike: {about: side, in-order: {throw: {roll: luck of side}, tire: {each: unit of side where (worth is at most 0), do: gain tired}, go: {each: unit of side where (seen), do: leave}}}
sheet: {aid: {title: The aid, charts: [fight, worth]}}
"""
VARIANT = """\
variant: harder
extends: ..
title: harder
changes:
  one: {at: tables.worth.wet, set: {tired: yes}, why: so}
  two: {at: tables.worth.tired, set: {add: -3}, was: {add: -2}, why: so}
  all-wet: {at: kinds.unit.wet, set: {default: yes}, was: {is: flag}, why: it rains}
  shut: {at: tables.worth.fresh, remove: yes, why: nobody is}
  stays: {at: sequences.strike, lock: yes, why: so}
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


def test_a_reading_of_which_no_row_stands_on_the_page_is_named_too(toy: Path) -> None:
    (toy / "ruleset.yaml").write_text(GAME.replace("mud: deep, add: -2", "add: -2"), "utf-8")
    page = parts(".")["page"]
    assert [line["text"] for line in parts(".")["worth"]["lines"]] == ["Soaked to the skin", "The unit is tired"]
    assert [(one["reading"], one["others"]) for one in page["readings"]] == [("deep", ["dry"])]


def test_steps_that_read_the_same_are_one_and_what_nobody_sees_is_none(toy: Path) -> None:
    (step,) = parts(".")["fight"]["steps"]
    assert step["text"] == "Both sides strike"
    assert [one["text"] for one in step["steps"]] == [
        "Roll the luck of the side",
        "For each unit of the side whose worth is at most 0: it is tired from now on",
        "For each unit of the side that is seen: remove it",
    ]


def test_what_counts_in_place_of_another_and_how_often_steps_are_gone_through(toy: Path) -> None:
    text = GAME.replace("fresh: {", "both: {wet: yes, tired: yes, add: -2, instead-of: [wet, tired]}\n      fresh: {")
    text = text.replace("strike: {about: side, ", "strike: {about: side, again: {until: luck of side is 6, at-most: 3}, ")
    text = text.replace(", says: both sides strike", "")
    (toy / "ruleset.yaml").write_text(text, "utf-8")
    found = parts(".")
    assert ("-2", "The unit is wet and is tired, in place of: soaked to the skin; the unit is tired") in [
        (line["amount"], line["text"]) for line in found["worth"]["lines"]
    ]
    assert found["fight"]["steps"][0]["how"] == "again until the luck is 6; at most 3 times"


def test_where_a_part_of_a_sum_is_multiplied_the_rows_are_gone_through_in_turn(toy: Path) -> None:
    for row, how in (("wet: yes, times: 2", "all that apply, from top to bottom"), ("wet: yes, add: 2", "all that apply, added up")):
        (toy / "ruleset.yaml").write_text(GAME.replace("fresh: {", f"twice: {{{row}}}\n      fresh: {{").replace("deep, dry], default: deep", "deep, dry], default: dry"), "utf-8")
        printed.cache_clear()
        assert parts(".")["worth"]["how"] == how


def test_how_a_chart_is_read_is_said_below_it(toy: Path) -> None:
    grid = "  chart: {about: side, across: luck, columns: [1, 4, 6], between: higher, shift: luck of enemy - 3, cells: [9, 8, -], otherwise: 7}\n"
    (toy / "ruleset.yaml").write_text(GAME.replace("sequences:", f"{grid}sequences:").replace("worth]}", "worth, chart]}"), "utf-8")
    assert [(note["mark"], note["text"]) for note in parts(".")["chart"]["notes"]] == [
        ("shift", "as many columns to the right as the luck of the enemy minus 3"),
        ("between two headings", "the higher of them"),
        ("where no heading fits, and where the chart has -", "7"),
    ]


def test_a_variant_marks_its_rows_and_unsays_what_it_does_not_say_anew(toy: Path) -> None:
    lines = parts(".+./v/harder.yaml")["worth"]["lines"]
    assert [(line["text"], line["changed_by"]) for line in lines] == [
        ("The unit is wet and is tired", "harder"),
        ("The unit is tired", "harder"),
    ]
    assert [(one["path"], one["how"], one["by"], one["why"]) for one in told(".+./v/harder.yaml")["also"]] == [
        ("kinds.unit.wet", "changed", "harder", "it rains"),
        ("tables.worth.fresh", "taken out", "harder", "nobody is"),
    ]
    assert 'class="changed"' in printed(".+./v/harder.yaml", "-f", "html")


def test_each_of_what_counts_twice_stands_there_twice(toy: Path) -> None:
    """Rows that read the same are one line only where they say so themselves: else each adds, and each is done."""
    text = GAME.replace("fresh: {", "night: {captain: side, times: 2}\n      again: {tired: yes, mud: deep, add: -2}\n      fresh: {")
    text = text.replace("go: {", "twice: {each: unit of side where (worth is at most 0), do: gain tired}, go: {")
    (toy / "ruleset.yaml").write_text(text, "utf-8")
    found = parts(".")
    assert [line["amount"] for line in found["worth"]["lines"]] == ["-1", "-2", "\u00d72", "-2"]
    (strike,) = found["fight"]["steps"]
    assert [one["text"][:8] for one in strike["steps"]] == ["Roll the", "For each", "For each", "For each"]


def test_what_is_said_alike_and_done_otherwise_is_told_twice(toy: Path) -> None:
    text = GAME.replace("right: {for: enemy of captain, play: strike", "right: {for: enemy of captain, play: charge")
    text = text.replace("sheet:", "  charge: {about: side, in-order: {a: {roll: luck of side}, b: {roll: luck of enemy}}}\nsheet:")
    (toy / "ruleset.yaml").write_text(text, "utf-8")
    left, right = parts(".")["fight"]["steps"]
    assert left["text"] == right["text"] == "Both sides strike"
    assert [one["text"] for one in right["steps"]] == ["Roll the luck of the side", "Roll the luck of the enemy"]


def test_what_always_counts_is_named_where_another_stands_in_its_place(toy: Path) -> None:
    fresh = "always: {add: number of units of side}\n      both: {wet: yes, add: -2, instead-of: [always]}\n      fresh: {"
    (toy / "ruleset.yaml").write_text(GAME.replace("fresh: {", fresh), "utf-8")
    said = [line["text"] for line in parts(".")["worth"]["lines"]]
    assert said[-1] == "The unit is wet, in place of: the number of units of the side, which always counts"


def test_what_a_variant_makes_of_it_is_not_told_in_the_words_of_the_base(toy: Path) -> None:
    """Neither of a chart that is yes or no, nor of a row that says all of the one row that it plays; what a number is
    called stays."""
    text = GAME.replace("tables:", "tables:\n  weary: {about: unit, is: tired or wet, says: is tired or wet}\n  load: {about: unit, says: load, adds-up: {wet: {wet: yes, add: 1}}}")
    text = text.replace("fresh: {", "weary: {weary: yes, load: 1, add: -4}\n      fresh: {")
    text = text.replace("mark:  {", "dry:   {each: side, play: dry, says: all are dried}\n      mark:  {")
    text = text.replace("sheet:", "  dry: {about: side, in-order: {it: {each: unit of side, do: lose tired, says: all are dried}}}\nsheet:")
    (toy / "ruleset.yaml").write_text(text, "utf-8")
    (toy / "v" / "harder.yaml").write_text(
        "variant: harder\nextends: ..\ntitle: harder\nchanges:\n"
        "  one: {at: tables.weary, set: {is: wet}, why: so}\n"
        "  two: {at: tables.load.wet, set: {add: 2}, why: so}\n"
        "  three: {at: sequences.dry.it, set: {do: gain tired, says: all are wearied}, why: so}\n", "utf-8")
    base, changed = parts("."), parts(".+./v/harder.yaml")
    assert [one["text"] for one in base["fight"]["steps"]][:1] == ["All are dried"]
    first = changed["fight"]["steps"][0]
    assert first["text"] == "For each side: dry" and [one["text"] for one in first["steps"]] == ["All are wearied"]
    assert base["worth"]["lines"][-1]["text"] == "The unit is tired or wet, and the load is 1"
    assert changed["worth"]["lines"][-1]["text"] == "The unit is weary, and the load is 1"


def test_who_chooses_is_told_and_steps_are_told_however_deep(toy: Path) -> None:
    deep = "".join(f"  d{i}: {{about: side, in-order: {{it: {{play: d{i + 1}}}}}}}\n" for i in range(1, 6))
    deep += "  d6: {about: side, in-order: {pick: {choose: pick, by: enemy}}}\n"
    text = GAME.replace("mark:  {", "deep:  {each: side, play: d1}\n      mark:  {").replace("sheet:", deep + "sheet:")
    text = text.replace("rolled: {luck: d6}}", "rolled: {luck: d6}, chosen: {pick: {is: [high, low], default: high}}}")
    (toy / "ruleset.yaml").write_text(text, "utf-8")
    step = parts(".")["fight"]["steps"][0]
    while step["steps"]:
        (step,) = step["steps"]
    assert step["text"] == "The enemy chooses the pick"


def test_a_page_with_a_chart_that_is_not_there(toy: Path) -> None:
    (toy / "ruleset.yaml").write_text(GAME.replace("[fight, worth]", "[fight, wort]"), "utf-8")
    result = CliRunner().invoke(main, ["sheet", "."])
    assert result.exit_code == 2 and "did you mean `worth`" in result.stderr and "`aid`" in result.stderr


def test_a_ruleset_that_says_nothing_of_pages_has_one_for_each_file(toy: Path) -> None:
    (toy / "ruleset.yaml").write_text(GAME[: GAME.index("sheet:")], "utf-8")
    (page,) = told(".")["pages"]
    assert [part["chart"] for part in page["parts"]] == ["fight", "worth", ""]


MEANT = """
dice: {blows: {die: d6, number: 2, again-if: face is 1, keep: highest 1}}
decks: {pack: {low: 2, high: 1}}
rounds: {until: any side where (number of units is 0)}
groups: {soaked: {about: side, each: soaked-one, are: units of side where (wet)}}
strength-lost: {about: side, unit: units, is: number of units-at-start - number of units}
"""


def test_where_nothing_is_said_of_pages_what_is_thrown_and_reckoned_is_told(toy: Path) -> None:
    """What stands in no chart: dice, cards, groups, tables of one sentence, when it is over. A designer who had the
    sheet alone could not throw his dice."""
    text = GAME[: GAME.index("sheet:")].replace("rolled: {luck: d6}", "rolled: {luck: d6, blows: blows}, drawn: {card: pack}")
    text = text.replace("tables:", "tables:\n  hits: {about: side, is: number of blows where (face is at least 5), cites: B-2}")
    (toy / "ruleset.yaml").write_text(text + MEANT, "utf-8")
    (toy / "v" / "harder.yaml").write_text(
        "variant: harder\nextends: ..\ntitle: harder\nchanges:\n"
        "  one: {at: dice.blows, set: {number: 3}, why: so}\n"
        "  two: {at: tables.hits, set: {is: number of blows where (face is 6)}, why: so}\n", "utf-8")

    def meant(stack: str) -> list[tuple[str, str, str | None]]:
        part = told(stack)["pages"][-1]["parts"][-1]
        return [(line["amount"], line["text"], line["changed_by"]) for line in part["lines"]]

    lost = "the number of units of the side at the start minus the number of units of the side"
    base = [
        ("luck", "d6", None),
        ("blows", "2d6, each that shows 1 once more, of which the highest is kept", None),
        ("card", "one card of 2 low, 1 high", None),
        ("soaked (each a soaked one)", "units of the side that are wet", None),
        ("hits", "the number of dice of the blows that show at least 5", None),
        ("strength lost", lost, None),
        ("over", "when there is a side where there are no units of the side", None),
    ]
    assert meant(".") == base
    base[1] = ("blows", "3d6, each that shows 1 once more, of which the highest is kept", "harder")
    base[4] = ("hits", "the number of dice of the blows that show 6", "harder")
    assert meant(".+./v/harder.yaml") == base and not told(".+./v/harder.yaml")["also"]


@pytest.mark.parametrize("more", [(), ("--rulebook",), ("--counters",)])
def test_of_rules_that_cannot_be_played_no_sheet_is_printed(toy: Path, more: tuple[str, ...]) -> None:
    """It would tell players what no word of the rules means."""
    (toy / "ruleset.yaml").write_text(GAME.replace("tired: yes, mud", "tierd: yes, mud"), "utf-8")
    result = CliRunner().invoke(main, ["sheet", ".", *more])
    assert result.exit_code == 2 and "did you mean `tired`" in result.stderr and not result.stdout


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


# ---- the rulebook and the counters -------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["skirmish"])
def test_a_rulebook_tells_every_clause_with_its_rows_and_shows_what_examples_show(name: str) -> None:
    book = told(name, "--rulebook")
    Draft202012Validator(json.loads(schemas()["rulebook"].read_text("utf-8"))).validate(book)
    listed = {
        one["id"]: one for one in json.loads(CliRunner().invoke(main, ["rules", name, "-f", "json"]).stdout)["clauses"]
    }
    sections = [section for chapter in book["chapters"] for section in chapter["sections"]]
    clauses = {one["id"]: one for section in sections for one in section["clauses"]}
    assert clauses.keys() == listed.keys()
    strips = {strip["example"]: strip for section in sections for strip in section["examples"]}
    for id, one in clauses.items():
        assert one["rule"] == listed[id]["rule"]
        assert {row["path"] for row in one["rows"]} <= set(listed[id]["rows"]) and bool(one["rows"]) == bool(
            listed[id]["rows"]
        )
        assert one["example"] is None or (one["example"] in listed[id]["examples"] and one["example"] in strips)
    assert sum(one["example"] is not None for one in clauses.values()) == book["shown"] > 50
    for strip in strips.values():
        assert 2 <= len(strip["panels"]) <= 9 and strip["panels"][0]["title"] == "At first"
    # eight men attack five: so many dice each, won by four; men and leaders stand below their units
    beaten = strips["beaten-by-four-surrenders"]["panels"]
    there = {side: [one["name"] for one in tokens] for side, tokens in beaten[0]["sides"].items()}
    assert there == {"red": ["r", "rt"], "blue": ["b", "bt", "bl"]}
    figures = [figure for panel in beaten for line in panel["lines"] for figure in line.split("; ")]
    assert {"Combat Dice, unit by unit of r: 8", "Close combat results of red: won"} <= set(figures)


STRIP = """\
example: both-get-wet
about: Two strike.
situation: {fight: {captain: red}, sides: {red: {units: {a: {}}}, blue: {units: {b: {wet: yes}}}}}
dice: [3, 4]
expect: {figures: {luck of red: 3}}
"""


def test_a_strip_shows_who_is_there_and_what_becomes_of_each(toy: Path) -> None:
    (toy / "examples").mkdir()
    (toy / "examples" / "one.yaml").write_text(STRIP, "utf-8")
    clauses = "clauses: {R-1: {rule: All strike.}, R-2: {rule: Ships sail., scope: outside, left-out: no ships}}\n"
    (toy / "clauses.yaml").write_text(clauses, "utf-8")
    cited = GAME.replace("says: both sides strike}\n      right", "says: both sides strike, cites: R-1}\n      right")
    (toy / "ruleset.yaml").write_text(cited + "sources: {R: the rules}\n", "utf-8")
    ((section,),) = (chapter["sections"] for chapter in told(".", "--rulebook")["chapters"])
    first, second = section["clauses"]
    assert (first["example"], [row["text"] for row in first["rows"]]) == ("both-get-wet", ["Both sides strike"])
    assert (second["left_out"], second["rows"], second["example"]) == ("no ships", [], None)
    (strip,) = section["examples"]
    before, *after = strip["panels"]
    assert {side: [(t["name"], t["marks"]) for t in tokens] for side, tokens in before["sides"].items()} == {
        "red": [("a", [])],
        "blue": [("b", ["wet"])],
    }
    assert [panel["lines"] for panel in after] == [[], ["a is tired"], ["a leaves the fight"], [], ["b is tired"], ["b leaves the fight"]]
    assert [roll["faces"] for panel in after for roll in panel["rolls"]] == ["3", "4"]
    assert [t["gone"] for panel in after for there in panel["sides"].values() for t in there] == [False, True] * 2
    page = "".join(Words(printed(".", "--rulebook", "-f", "html")).said)
    assert all(word in page for word in ("All strike.", "no ships", "both-get-wet", "a leaves the fight"))
    assert "both-get-wet" in printed(".", "--rulebook", "-f", "md") and "a leaves the fight" in printed(".", "--rulebook")


SCORED = """\
ruleset: scored
language: 1
sources: {S: the rules}
start: turn
clauses: {S-1: {rule: A throw of 4 scores; who has scored gets a fresh man.}}
kinds:
  fight: {one: yes, given: {attacker: a side}, noted: {cheers: {is: 0 to 9, default: 0}, night: {is: flag, says: it is night}}}
  side: {given: {enemy: the other side, men: {are: men, each: man}}, chosen: {bid: 0 to 3}, noted: {points: {is: 0 to 3, default: 0}}}
  man: {plural: men, printed: {skill: 1 to 6}, given: {side: a side}, noted: {tired: flag}, rolled: {blow: d6}}
counters: {man: {columns: [skill], rows: {guard: [3], old-recruit: [1]}}}
sequences:
  turn:
    in-order:
      blow:  {each: man, roll: blow, cites: S-1}
      point: {each: man, blow: at least 4, do: [add 1 to points of side, add 1 to cheers, gain night], cites: S-1}
      fresh: {each: side, points: 1, create: old-recruit, into: men of side, as: fresh, do: gain tired of fresh, cites: S-1}
      bid:   {each: side, choose: bid, otherwise: points of side - 1, cites: S-1}
"""


def test_a_strip_shows_what_becomes_of_a_side_and_of_the_fight_and_who_comes_in(toy: Path) -> None:
    """All that the end hangs on: who had only the tokens saw no score."""
    (toy / "ruleset.yaml").write_text(SCORED, "utf-8")
    (toy / "examples").mkdir()
    men = "{red: {men: {r: {counter: guard}}}, blue: {points: 3, men: {b: {counter: guard}}}}"
    example = f"example: one\nabout: One.\nsituation: {{fight: {{attacker: red}}, sides: {men}}}\ndice: [[5], [1]]\nexpect: {{figures: {{points of red: 1}}}}\n"
    (toy / "examples" / "one.yaml").write_text(example, "utf-8")
    ((section,),) = (chapter["sections"] for chapter in told(".", "--rulebook")["chapters"])
    first, _, point, fresh, bid = section["examples"][0]["panels"]
    assert bid["lines"] == ["red: bid 0", "blue: bid 2"]  # an answer of 0 is an answer
    assert first["lines"] == ["attacker red", "blue: points 3"]
    assert point["lines"] == ["red has points 0 \u2192 1", "cheers 0 \u2192 1", "it is night"]
    assert fresh["lines"] == ["fresh-red (old recruit) appears", "fresh-red is tired"]
    assert [(t["name"], t["counter"], t["marks"]) for t in fresh["sides"]["red"]] == [("fresh-red", "old recruit", ["tired"])]


def test_clauses_stand_below_the_title_of_what_their_ids_begin_with_longest(toy: Path) -> None:
    said = {"A.1a": "", "A.10": "", "A.1.2": "", "P.x": "", "A.2": "", "B": ""}
    clauses = "".join(f"  {id}: {{rule: So it is.}}\n" for id in said)
    titles = "chapters: {A.1: How they strike, A.1.2: What is thrown, A.2: How they strike, P: Paper}\n"
    (toy / "clauses.yaml").write_text(f"{titles}clauses:\n{clauses}", "utf-8")
    chapters = told(".", "--rulebook")["chapters"]
    assert [(one["title"], one["ids"], [c["id"] for s in one["sections"] for c in s["clauses"]]) for one in chapters] == [
        ("How they strike", ["A.1", "A.2"], ["A.1a", "A.2"]),
        ("A.10", [], ["A.10"]),
        ("What is thrown", ["A.1.2"], ["A.1.2"]),
        ("Paper", ["P"], ["P.x"]),
        ("B", [], ["B"]),
    ]
    assert "## How they strike (A.1, A.2)" in printed(".", "--rulebook", "-f", "md")
    assert "How they strike  A.1, A.2\n" in printed(".", "--rulebook")
    heads = [head for head, *_ in re.findall(r"<h2[^>]*>(.*?)( <|</h2>)", printed(".", "--rulebook", "-f", "html"))]
    assert heads == ["How they strike", "A.10", "What is thrown", "Paper", "B"]


def test_an_example_that_is_not_shown_makes_no_pictures(toy: Path) -> None:
    (toy / "examples").mkdir()
    cited = GAME.replace("says: both sides strike}\n      right", "says: both sides strike, cites: R-1}\n      right")
    (toy / "ruleset.yaml").write_text(f"{cited}clauses: {{R-1: {{rule: All strike.}}}}\n", "utf-8")
    for shown, drawn in (("", ["both-get-wet"]), ("shown: yes\n", ["both-get-wet"]), ("shown: no\n", [])):
        (toy / "examples" / "one.yaml").write_text(STRIP + shown, "utf-8")
        printed.cache_clear()
        (chapter,) = told(".", "--rulebook")["chapters"]
        assert [strip["example"] for section in chapter["sections"] for strip in section["examples"]] == drawn


def test_counters_are_the_units_and_a_marker_for_all_that_may_be_so() -> None:
    made = told("squad-leader", "--counters")
    Draft202012Validator(json.loads(schemas()["counters"].read_text("utf-8"))).validate(made)
    assert [(one["title"], one["lines"]) for one in made["units"]][::12] == [
        ("german 4-6-7", ["squad", "firepower 4"]),
        ("leader 6+1", ["leader", "leadership +1"]),
    ]
    titles = [one["title"] for one in made["markers"]]
    assert {"broken", "pinned", "counter-exhausted", "berserk"} <= set(titles) and len(titles) == len(set(titles))
    page = printed("squad-leader", "--counters", "-f", "html")
    assert page.count("<b>broken</b>") == 6 and "--size: 20mm" in page


def test_all_that_a_counter_has_stands_on_it(toy: Path) -> None:
    """Also a number for each word of a list, a word by which a counter is called, and a 0 that is not taken for granted."""
    text = GAME.replace("unit: {given:", "unit: {printed: {sort: [guard, levy], guns: {per: arc, is: 0 to 4}, plate: {is: 0 to 2, default: 1}, pace: 0 to 3}, given:")
    text = text.replace("kinds:", "words: {arc: [bow, aft-side]}\nkinds:", 1)
    rows = "old: [guard, {bow: 4, aft-side: 1}, 0, 0], guard: [guard, {bow: 2}, 1, 3]"
    (toy / "ruleset.yaml").write_text(f"{text}counters: {{unit: {{columns: [sort, guns, plate, pace], rows: {{{rows}}}}}}}\n", "utf-8")
    lines = {one["title"]: one["lines"] for one in told(".", "--counters")["units"]}
    assert lines == {"old": ["guard", "guns bow 4 aft side 1", "plate 0"], "guard": ["guns bow 2", "plate 1", "pace 3"]}


def test_a_counter_is_called_as_its_players_call_it() -> None:
    """Of asl, a name of its own; one that says nothing else is called by its name."""
    titles = {one["name"]: one["title"] for one in told("asl", "--counters")["units"]}
    assert [titles[one] for one in ("t-34-85", "cmg-5", "half-track")] == ["T-34/85", "CMG 5", "half track"]


# ---- on paper --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("name", RULESETS)
def test_on_paper_no_row_is_lost_and_nothing_is_small(tmp_path: Path, name: str, paper: str) -> None:
    pages, said = on_paper(tmp_path, paper, name)
    assert pages == PAGES[name]
    missing = [text for text in texts(told(name)["pages"]) if plain(text) not in said]
    assert not missing
    assert said.replace(" ", "").count(f"content{told(name)['digest']}closecombat{__version__}") == pages


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_rulebook_on_paper_has_each_clause(tmp_path: Path, paper: str) -> None:
    """Of the shortest of them: how large a letter is, and where a line ends, is the same page for all."""
    pages, said = on_paper(tmp_path, paper, "skirmish", "--rulebook")
    assert 6 <= pages <= 10
    listed = load_stack("skirmish", whole=True).document.get("clauses")
    assert isinstance(listed, Mapping) and len(listed.entries) > 60
    assert not [key.value for key, _ in listed.entries if plain(key.value) not in said]
    rules = [clause.get("rule") for _, clause in listed.entries if isinstance(clause, Mapping)]
    assert not [rule for rule in rules if isinstance(rule, Text) and plain(" ".join(rule.value.split())) not in said]


def test_the_counters_on_paper_are_all_there(tmp_path: Path) -> None:
    pages, said = on_paper(tmp_path, "letter", "squad-leader", "--counters")
    made = told("squad-leader", "--counters")
    assert pages == 3
    assert not [one["title"] for one in (*made["units"], *made["markers"]) if plain(one["title"]) not in said]


def on_paper(folder: Path, paper: str, *args: str) -> tuple[int, str]:
    """How many pages a PDF has, and all that is said on it. Each page has the size of the paper, and nothing on it is
    small or stands beyond its edge."""
    pytest.importorskip(
        "weasyprint", reason="pip install 'closecombat[pdf]', and pango", exc_type=(ImportError, OSError)
    )
    pypdf = pytest.importorskip("pypdf", reason="pip install pypdf")
    file = folder / "printed.pdf"
    result = CliRunner().invoke(main, ["sheet", *args, "--paper", paper, "-f", "pdf", "-o", str(file)])
    assert result.exit_code == 0, result.stderr
    read, small = pypdf.PdfReader(file), list[tuple[float, str]]()

    def look(text: str, cm: list[float], tm: list[float], font: object, size: float) -> None:
        real = abs(size * tm[3] * cm[3])
        if text.strip() and real < 7:
            small.append((real, text))

    said = plain("".join(page.extract_text(visitor_text=look) for page in read.pages))
    assert not small
    assert {tuple(round(float(side)) for side in page.mediabox[2:]) for page in read.pages} == {
        (595, 842) if paper == "a4" else (612, 792)
    }
    if (tool := shutil.which("pdftotext")) is not None:
        boxes = subprocess.run([tool, "-bbox", str(file), "-"], capture_output=True, text=True, check=True).stdout
        ends = [float(end) for end in re.findall(r'xMax="([\d.]+)"', boxes)]
        assert max(ends) <= float(read.pages[0].mediabox[2]) - 9 * MM
    return len(read.pages), said
