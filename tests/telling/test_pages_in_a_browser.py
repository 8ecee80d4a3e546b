"""Pages in a real browser, at both widths, in light and dark: nothing is asked for, nothing complains, nothing hangs over
the edge, and a rule book of accessibility (axe) finds nothing serious; a tree opens by keyboard.

They need a browser: `pip install playwright` and a Chromium (`apt install chromium`, or CHROMIUM=its path); and for the
rule book `pip install axe-playwright-python`, or AXE=the path of axe.min.js.
"""

import os
import shlex
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from brawl import EVEN, laid_down
from chromium import axe_script, in_chromium, serious
from closecombat.cli.main import main
from sweeps import TWO_OR_ONE

pytestmark = in_chromium
ROWS = "system,force ratio us to them,us holds it\nasl,1/2,1/4\nasl,2,3/4\nskirmish,1/2,0\nskirmish,2,1/2\n"
PAGES = {
    "compare": "compare squad-in-a-building -r squad-leader -r assault --factor night --factor broken --units",
    "variants": "compare examples/one.yaml -r . -r v/option.yaml",
    "curve": "compare rows.csv",
    "chances": "chances examples/one.yaml -r . --tree",
    "asked": "chances examples/one.yaml -r . --of 'down of a'",
    "weigh": "weigh examples/one.yaml -r .",
    "diff": "diff . v/numbers.yaml --jobs 1",
    "crosswalk": "crosswalk skirmish assault",
    "coverage": "test . --coverage",
    "list": "list words",
    "play": "play examples/one.yaml -r . --seed 1 --exact",
    "found": "show . --find fallen",
    "properties": "properties skirmish pinned-is-no-shelter",
    "lasting": "compare farmhouse -r squad-leader -r skirmish --until resolved --no-weigh",
    "sheet": "sheet squad-leader",
    "rulebook": "sheet skirmish --rulebook",
    "counters": "sheet squad-leader --counters",
    "sweep": "sweep ../plans/plan.yaml --jobs 1",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = laid_down(tmp_path_factory.mktemp("brawl"), {"examples/one.yaml": EVEN, "rows.csv": ROWS})
    (made / "examples" / "one.yaml").write_text(f"example: one\n{EVEN}chances: {{down of a: 1/3}}\n", "utf-8")
    plan = made.parent / "plans" / "plan.yaml"
    plan.parent.mkdir(exist_ok=True)
    plan.write_text(TWO_OR_ONE, "utf-8")
    return made


@pytest.fixture(scope="module")
def pages(folder: Path) -> dict[str, Path]:
    """Every page, as a file."""
    before = os.getcwd()
    os.chdir(folder)
    try:
        made = {}
        for name, line in PAGES.items():
            form = [] if name == "sweep" else ["-f", "html"]
            result = CliRunner().invoke(main, [*shlex.split(line), *form, "-o", f"{name}.html"])
            assert result.exit_code in (0, 1), (line, result.stderr)
            made[name] = folder / f"{name}.html"
        return made
    finally:
        os.chdir(before)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_asks_for_nothing_and_nothing_is_wrong_with_it(browser: Any, pages: dict[str, Path], name: str) -> None:
    axe = axe_script()
    for width, scheme in ((360, "light"), (360, "dark"), (1440, "light"), (1440, "dark")):
        context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme, bypass_csp=True)
        page = context.new_page()
        said: list[str] = []
        asked: list[str] = []
        page.on("console", lambda one, said=said: said.append(one.text))
        page.on("pageerror", lambda one, said=said: said.append(str(one)))
        page.on("request", lambda one, asked=asked: asked.append(one.url))
        page.goto(pages[name].as_uri())
        assert asked == [pages[name].as_uri()] and not said
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        if axe:
            assert serious(page, axe) == [], (name, width, scheme)
        context.close()
    if not axe:
        pytest.skip("looked at without axe: pip install axe-playwright-python")


def test_a_tree_opens_by_keyboard(browser: Any, pages: dict[str, Path]) -> None:
    page = browser.new_page()
    page.goto(pages["chances"].as_uri())
    first = "document.querySelector('.tree details')"
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate(f"document.activeElement === {first}.querySelector('summary')"):
            break
    before = page.evaluate(f"{first}.open")
    page.keyboard.press("Enter")
    assert page.evaluate(f"{first}.open") is not before
    page.close()


NARROW = ["compare", "variants", "chances", "asked", "weigh", "diff", "coverage", "list", "play", "sweep", "properties"]
CUT = """[...document.querySelectorAll('.strip span')].filter(e => {
    const it = e.getBoundingClientRect(), part = e.parentElement.getBoundingClientRect();
    return it.top < part.bottom - 1 && (it.right > part.right + 1 || it.left < part.left - 1) }).map(e => e.textContent)"""


@pytest.mark.parametrize("name", NARROW)
def test_on_a_phone_every_number_of_an_answer_is_in_sight(browser: Any, pages: dict[str, Path], name: str) -> None:
    """Each row is a card there; what stands in a column of its own otherwise is told with the column's name."""
    page = browser.new_page(viewport={"width": 360, "height": 900})
    page.goto(pages[name].as_uri())
    outside = page.evaluate(
        "[...document.querySelectorAll('.stack :is(th, td)')].filter(e => e.getBoundingClientRect().right > 361"
        " && !e.closest('thead')).map(e => e.textContent)"
    )
    assert page.locator(".stack").count() and outside == []
    page.close()


@pytest.mark.parametrize("width", [360, 900, 1440])
def test_what_has_no_room_in_a_part_of_a_strip_is_left_out_of_it(
    browser: Any, pages: dict[str, Path], width: int
) -> None:
    page = browser.new_page(viewport={"width": width, "height": 900})
    for name in ("compare", "chances", "lasting"):
        page.goto(pages[name].as_uri())
        assert page.evaluate(CUT) == []
        assert page.evaluate(
            "[...document.querySelectorAll('.strip i')].filter(e => e.getBoundingClientRect().width > 40)"
            ".every(e => e.firstElementChild.getBoundingClientRect().top < e.getBoundingClientRect().bottom - 1)"
        )
    page.close()


@pytest.mark.parametrize("name", [name for name in PAGES if name not in ("sheet", "rulebook", "counters")])
def test_on_paper_nothing_is_cut_off_or_folded(browser: Any, pages: dict[str, Path], name: str) -> None:
    """As wide as A4 between its margins; a tree is as its reader has left it."""
    page = browser.new_page(viewport={"width": 718, "height": 1000})
    page.goto(pages[name].as_uri())
    page.emulate_media(media="print")
    assert page.evaluate("document.documentElement.scrollWidth") <= 718
    assert page.evaluate(CUT) == []
    assert page.evaluate(
        "[...document.querySelectorAll('details:not([open]) > :not(summary)')]"
        ".filter(e => !e.closest('.tree, .contents')).every(e => e.checkVisibility())"
    )
    assert page.locator("table").first.evaluate("e => getComputedStyle(e).display") == "table"
    page.close()
