"""Tables for other programs: Markdown that says what the text says, and CSV with exact numbers."""

import csv
import json
import re
import shlex
from collections.abc import Sequence
from fractions import Fraction
from io import StringIO

import pytest
from click.testing import CliRunner

from closecombat.cli.main import main
from closecombat.telling.page import heading, table
from closecombat.telling.sheets import csv_text, markdown, webpage


def test_parts_of_a_page_become_markdown() -> None:
    out = table("who", "chance", "", right=["chance"])
    out.add_row("a | b", "50%", "██▌")
    out.add_row("two\nlines", "-", "")
    parts = [heading("A title", "and more"), "", out, "", heading("Next"), "- one", "- two", "a text\n  goes on"]
    assert markdown(parts) == (
        "# A title\n\nand more\n\n| who | chance |\n| --- | ---: |\n| a \\| b | 50% |\n| two lines | - |\n\n"
        "## Next\n\n- one\n- two\n\na text goes on\n"
    )


def test_parts_of_a_page_become_a_page() -> None:
    """A bar is as long as the first percentage before it; where there is none, as it is beside the longest."""
    out = table("who", "chance", "or more", "", right=["chance", "or more"])
    out.add_row("a <b>", "50.25%", "100%", "██▌")
    more = table("rule", "")
    more.add_row("one", "████")
    more.add_row("two", "██")
    page = webpage([heading("A title", "and more"), out, more, "- one", "- two", "a text"])
    assert re.findall(r"--share: ([0-9.]+)%", page.split("<main>")[1]) == ["50.25", "100", "50"]
    assert "<h1>A title</h1>" in page and "a &lt;b&gt;" in page and page.count("<li>") == 2 and "<p>a text</p>" in page


COMMANDS = [
    "chances lone-leader -r squad-leader",
    "chances lone-leader -r squad-leader --of 'any unit of soviet is in-play'",
    "play lone-leader -r squad-leader --seed 1 --times 5",
    "choices lone-leader -r asl",
    "compare lone-leader -r squad-leader",
    "weigh lone-leader -r squad-leader",
    "show squad-leader tables.drm",
    "list words",
    "crosswalk skirmish",
]


@pytest.mark.parametrize("form", ["md", "html"])
@pytest.mark.parametrize("line", COMMANDS)
def test_every_command_that_makes_a_table_makes_it_in_other_forms(line: str, form: str) -> None:
    result = CliRunner().invoke(main, [*shlex.split(line), "-f", form])
    assert result.exit_code == 0, result.stderr
    text = result.stdout
    if form == "html":
        assert text.startswith("<!doctype html>") and "<table" in text and "<h1>" in text and "<script" not in text
    else:
        assert "| --- |" in text and not re.search(r"^(?!\|).* {3,}\S", text, re.MULTILINE)


def test_csv_keeps_what_stands_in_a_cell() -> None:
    rows: list[Sequence[object]] = [("a", "b"), ('say "x", y', Fraction(1, 3))]
    assert list(csv.reader(StringIO(csv_text(rows)))) == [["a", "b"], ['say "x", y', "1/3"]]


def test_a_comparison_as_csv_has_the_numbers_of_its_json() -> None:
    line = ["compare", "squad-in-a-building", "-r", "squad-leader", "-r", "asl", "--units"]
    told = json.loads(CliRunner().invoke(main, [*line, "-f", "json"]).stdout)
    rows = list(csv.DictReader(StringIO(CliRunner().invoke(main, [*line, "-f", "csv"]).stdout)))
    found = {(row["system"], row["of"], row["what"]): row["exactly"] for row in rows}
    assert len(found) == len(rows)
    for system in told["systems"]:
        name, ends = system["ruleset"], system["ends"]
        assert found[name, "", "contested"] == ends["place"]["contested"]["probability"]
        for side, end in ends["sides"].items():
            assert found[name, side, "holds the place"] == ends["place"]["held"][side]["probability"]
            assert found[name, side, "strength lost"] == end["lost"]["share"]
            for fate, share in end["fates"].items():
                assert found[name, side, fate] == share["share"]
            for word, chance in system["verdicts"][side].items():
                assert found[name, side, f"ends {word}"] == chance["probability"]
        for unit, end in ends["units"].items():
            assert found[name, unit, "lost on average"] == str(end["lost"])
    page = CliRunner().invoke(main, [*line, "-f", "md"]).stdout
    assert page.startswith("# One squad against one squad in a building\n") and "| who holds it | german |" in page
    assert all(one["text"].split("\n")[0] in page for system in told["systems"] for one in system["assumptions"])


@pytest.mark.parametrize("line", ["crosswalk", "sheet asl", "sheet skirmish --rulebook"])
def test_a_long_page_has_a_list_of_its_headings_and_a_way_past_it(line: str) -> None:
    page = CliRunner().invoke(main, [*line.split(), "-f", "html"]).stdout
    heads = re.findall(r'<h2 id="([^"]+)">', page)
    assert len(heads) == page.count("<h2") > 3 and len(set(heads)) == len(heads)
    (contents,) = re.findall(r"<nav.*</nav>", page)
    assert re.findall(r'href="#([^"]+)"', contents) == heads
    (target,) = re.findall(r'class="skip" href="#([^"]+)"', page)
    assert page.index(contents) < page.index(f'id="{target}" tabindex="-1"') < page.index(f'id="{heads[0]}"')
