"""Pages say what the JSON says, and nothing in them is fetched or run."""

import json
import re
import shlex
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from brawl import EVEN, VARIANTS, Rules, chances, laid_down
from closecombat.cli.main import main
from closecombat.reading.model import FATES
from sweeps import TWO_OR_ONE

NEVER = {"probability": "0"}
VOID = {"meta", "link", "br", "img"}


class Read(HTMLParser):
    """A page as rows of cells, each with its text and its `title`; raises AssertionError where tags do not nest."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.rows: list[list[tuple[str, str]]] = []
        self.tags: list[str] = []
        self.all: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.bold: list[str] = []
        self.heats: list[list[str]] = []  # the exact numbers of each row of a heat map
        self.feed(text)
        self.close()
        assert not self.tags

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.all.append((tag, dict(attrs)))
        if tag not in VOID:
            self.tags.append(tag)
        if tag == "tr":
            self.rows.append([])
            self.heats.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append(("", dict(attrs).get("title") or ""))
            if "heat" in (dict(attrs).get("class") or "").split():
                self.heats[-1].append(dict(attrs).get("title") or "")

    def handle_endtag(self, tag: str) -> None:
        assert self.tags.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)
        if self.tags and self.tags[-1] == "b":
            self.bold.append(data)
        if {"td", "th"} & set(self.tags):
            text, title = self.rows[-1][-1]
            self.rows[-1][-1] = " ".join(f"{text} {data}".split()), title


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(laid_down(tmp_path))
    return tmp_path


def diff(name: str, form: str) -> str:
    return CliRunner().invoke(main, ["diff", ".", f"v/{name}.yaml", "--jobs", "1", "--all", "-f", form]).stdout


@pytest.mark.parametrize("name", VARIANTS)
def test_a_page_of_a_diff_says_every_number_of_its_json(game: Path, name: str) -> None:
    page, told = Read(diff(name, "html")), json.loads(diff(name, "json"))
    found = [[title for _, title in row if title] for row in page.rows]
    shifts = [shift for fight in told["fights"] for shift in fight.get("shifts", ())]
    assert [row for row in found if row] == [[shift[at]["probability"] for at in ("old", "new")] for shift in shifts]
    said = " ".join(page.texts)
    assert told["verdict"] in said and all(rule["path"] in said for rule in told["rules"])
    lengths = [float(number) for number in re.findall(r"--share: ([\d.]+)%", diff(name, "html"))]
    assert lengths == pytest.approx([shift[at]["percent"] for shift in shifts for at in ("old", "new")], abs=0.005)


def compare(*more: str) -> tuple[Read, dict[str, Any]]:
    page, told = (CliRunner().invoke(main, ["compare", *more, "-f", form]).stdout for form in ("html", "json"))
    return Read(page), json.loads(told)


def exact(page: Read) -> list[list[str]]:
    """The exact numbers of each row that has any."""
    return [found for row in page.rows if (found := [title for _, title in row if title])]


def test_a_page_of_systems_side_by_side_says_every_number_of_its_json() -> None:
    page, told = compare("squad-in-a-building", "--units", "--no-weigh")
    one, *others = told["systems"][0]["ends"]["sides"]
    rows = []
    for system in told["systems"]:
        place = system["ends"]["place"]
        order = [place["held"][one], place["contested"], place["nobody"], *(place["held"][side] for side in others)]
        rows.append([each["probability"] for each in order])
    ends = [system["ends"] for system in told["systems"]]
    for side in (one, *others):
        fates = [fate for fate in FATES if any(each["sides"][side]["fates"][fate]["share"] != "0" for each in ends)]
        for each in ends:
            end = each["sides"][side]
            low, high = (bound["share"] for bound in end["lost"]["half_the_time"])
            lost = [end["lost"]["share"]] if "taken" in fates else []
            rows.append([*(end["fates"][fate]["share"] for fate in fates), *lost, f"{low} to {high}"])
    for each in ends:
        units = each["units"].values()
        fates = [fate for fate in FATES if any(unit["fates"].get(fate, NEVER)["probability"] != "0" for unit in units)]
        rows += [
            [*(unit["fates"].get(fate, NEVER)["probability"] for fate in fates), str(unit["lost"])] for unit in units
        ]
    assert exact(page) == rows
    said = " ".join(" ".join(page.texts).split())
    for system in told["systems"]:
        assert all(" ".join(one["text"].split()) in said for one in system["assumptions"])
        assert system["title"] in said
    assert told["title"] in said and " ".join(told["story"].split()) in said


def test_a_page_of_variants_says_every_verdict_of_its_json(game: Path) -> None:
    (game / "examples" / "even.yaml").write_text(EVEN, "utf-8")
    page, told = compare("examples/even.yaml", "-r", ".", "-r", "v/option.yaml", "--weigh")
    was, now = (chances(rules, {}, {}) for rules in (Rules(), VARIANTS["option"][1]))
    rows = []
    for side in ("a", "b"):
        for word in ("unharmed", "shaken", "destroyed"):
            rows.append([str(Fraction(each.get((side, word), 0))) for each in (was, now)])
        rows.append([str(4 * each.get((side, "destroyed"), Fraction(0))) for each in (was, now)])
    moving = [one for system in told["systems"] for one in system["rests_on"] if one["fate"] == "moves"]
    assert len(moving) == 2 and exact(page) == [*rows, *([one["by"]] for one in moving)]
    assert told["systems"][0]["ruleset"] == "brawl"


def test_a_page_of_factors_says_every_number_of_its_json() -> None:
    words = [each for word in ("broken", "tired", "night", "house", "officer") for each in ("--factor", word)]
    line = ["squad-in-a-building", "-r", "squad-leader", "-r", "assault", "--no-weigh", *words]
    page, told = compare(*line)
    rows, found = [], {(one["word"], one["said_of"] or ""): one["systems"] for one in told["factors"]}
    for word, side in sorted(
        found, key=lambda key: ["german", "soviet", ""].index(key[1])
    ):  # the sides, then the fight
        numbers = [
            cell[key]["probability"]
            for cell in found[word, side].values()
            if "holds_by" in cell
            for key in ("holds_by", "edge_by")
        ]
        rows.append(numbers)
    heats = page.heats
    assert [row for row in heats if row] == [row for row in rows if row]
    assert "no rule" in [cell for row in page.rows for cell, _ in row]
    plain = CliRunner().invoke(main, ["compare", *line, "-f", "csv"]).stdout.splitlines()
    exactly = [
        ",".join(each[key]["probability"] for key in ("holds_by", "edge_by"))
        for one in told["factors"]
        for each in one["systems"].values()
        if "holds_by" in each
    ]
    assert [",".join(row.split(",")[5:7]) for row in plain[1:] if row.split(",")[5]] == exactly


def leaves(node: dict[str, Any]) -> list[str]:
    """The exact chances of a tree, top to bottom."""
    return [each for fall in node.get("falls", ()) for each in (f"{fall['shows']}", *leaves(fall["then"]))]


def test_a_page_of_chances_says_every_number_of_its_json(game: Path) -> None:
    (game / "examples" / "even.yaml").write_text(EVEN, "utf-8")
    line = ["chances", "examples/even.yaml", "-r", ".", "--tree", "--weigh", "-f"]
    page, told = (CliRunner().invoke(main, [*line, form]).stdout for form in ("html", "json"))
    told, read = json.loads(told), Read(page)
    wanted = [[one["probability"], *(str(each) for each in one["lost"].values())] for one in told["outcomes"]]
    wanted += [[each["probability"] for each in side.values()] for side in told["verdicts"].values()]
    for loss in told["losses"].values():
        wanted += [[str(each["lost"]), each["probability"]] for each in loss["distribution"]]
    wanted += [[one["by"]] for one in told["rests_on"] if one["fate"] == "moves"]
    assert exact(read) == wanted
    assert read.bold == leaves(told["tree"]) and len(read.bold) == sum(tag == "details" for tag, _ in read.all)


def test_a_page_of_weights_says_every_weight() -> None:
    line = ["weigh", "lone-leader", "-r", "squad-leader", "-f"]
    page, told = (CliRunner().invoke(main, [*line, form]).stdout for form in ("html", "json"))
    read = Read(page)
    rows = [[cell for cell, _ in row] for row in read.rows if row]
    for one in json.loads(told)["weights"]:
        mine = [cell for row in rows if one["rule"] in row[0].split() for cell in row]
        assert mine
        if (shifts := one.get("shifts")) and shifts[0]["outcome"] not in ("strength lost", "on average"):
            by = float(Fraction(shifts[0]["by"]) * 100)
            assert any(cell.startswith(f"{by:+.2f}") for cell in mine)
    leader = next(row[0] for row in rows if "drm.leadership" in row[0])
    assert leader.startswith("+ Leadership of the director Close combat DRM")  # what it says stands before its name
    shares = {title for row in read.rows for _, title in row if title}

    def at(one: dict[str, str]) -> tuple[str, str]:
        return one["whom"], one["outcome"]

    for together in json.loads(told)["together"]:
        chances = [one for one in together["whole"] if one["outcome"] not in ("strength lost", "on average")]
        most = max((abs(Fraction(one["by"])) for one in chances), default=Fraction(0))
        told_of = [
            [by["by"] for share in together["shares"] for by in share["of"] if at(by) == at(one) and by["by"] != "0"]
            for one in chances
            if abs(Fraction(one["by"])) == most
        ]
        assert not told_of or any(len(each) < 2 or {*each} <= shares for each in told_of)
    assert any("A fair share does" in text for text in read.texts)




def test_a_page_of_a_sweep_has_the_curve_over_the_force_ratio(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("plan.yaml").write_text(TWO_OR_ONE, "utf-8")
    for form in ("html", "jsonl"):
        assert CliRunner().invoke(main, ["sweep", "plan.yaml", "--jobs", "1", "-o", f"rows.{form}"]).exit_code == 0
    page = Path("rows.html").read_text("utf-8")
    rows = [json.loads(line) for line in Path("rows.jsonl").read_text("utf-8").splitlines()]
    assert [row["force ratio soviet to german"] for row in rows] == ["1", "2"]  # two squads against one
    assert page.count("<svg") == 2
    held = ("german holds it", "soviet holds it", "contested", "held by nobody")
    found = exact(Read(page))
    assert found[:2] == [[row["soviet holds it"]] for row in rows]  # the curve
    assert [row[-4:] for row in found[2:]] == [[row[name] for name in held] for row in rows]


def numbers(said: Any) -> set[Fraction]:
    """Every number of a JSON, as a number or in a text, and what is reached as a share of all there is."""
    match said:
        case dict():
            share = {Fraction(said["reached"], said["of"])} if said.get("of") and "reached" in said else set()
            return share.union(*(numbers(one) for one in said.values()))
        case list():
            return set().union(*(numbers(one) for one in said))
        case bool() | None:
            return set()
        case int() | float():
            return {Fraction(said)}
        case _:
            return {Fraction(one) for one in re.findall(r"[-+]?\d+(?:/[1-9]\d*|\.\d+)?", str(said))}


def is_of(number: str, known: set[Fraction]) -> bool:
    """Whether a number as it is printed is one of some numbers, a sign told by words left out, rounded to its places."""
    wanted, places = abs(float(number)), len(number.partition(".")[2])
    half = 0.5000001 * 10.0**-places
    return any(abs(abs(float(one)) * by - wanted) <= half for one in known for by in (1, 100))


REPORTS = {
    "compare": "compare squad-in-a-building -r squad-leader -r assault --factor night --units --weigh",
    "lasting": "compare lone-leader -r squad-leader -r skirmish --until resolved --no-weigh",
    "variants": "compare examples/one.yaml -r . -r v/option.yaml --weigh",
    "curve": "compare rows.csv",
    "chances": "chances examples/one.yaml -r . --tree --weigh",
    "asked": "chances examples/one.yaml -r . --of 'down of a' --weigh",
    "amounts": "chances lone-leader -r squad-leader --of 'number of units of german' --weigh",
    "weigh": "weigh examples/one.yaml -r .",
    "diff": "diff . v/numbers.yaml --jobs 1",
    "crosswalk": "crosswalk skirmish assault",
    "coverage": "test . --coverage",
}
RATIOS = "system,force ratio us to them,us holds it\nasl,1/2,1/7\nasl,2,3/4\nskirmish,1/2,0\nskirmish,2,2/3\n"


@pytest.mark.parametrize("name", REPORTS)
def test_every_number_of_a_page_is_one_of_its_json(game: Path, name: str) -> None:
    """Every chance, as it is printed and as it is exactly; and a page that has chances prints some."""
    (game / "examples" / "one.yaml").write_text(f"example: one\n{EVEN}chances: {{down of a: 1/3}}\n", "utf-8")
    (game / "rows.csv").write_text(RATIOS, "utf-8")
    line = shlex.split(REPORTS[name])
    page, told = (CliRunner().invoke(main, [*line, "-f", form]).stdout for form in ("html", "json"))
    known, read = numbers(json.loads(told)), Read(page)
    cells = [cell for row in read.rows for cell in row]
    printed = [number for text, _ in cells for number in re.findall(r"(\d+(?:\.\d+)?)%", text)]
    printed += [text[1:] for text, _ in cells if re.fullmatch(r"[-+]\d+\.\d+", text)]
    exactly = {one for _, title in cells for one in re.findall(r"\d+(?:/\d+)?", title)}
    assert not [number for number in printed if not is_of(number, known)]
    assert not [one for one in exactly if not {Fraction(one), -Fraction(one)} & known]
    assert (len(printed) + len(exactly) > 2) is (name != "crosswalk")


def test_a_page_says_for_what_all_play_best() -> None:
    page, _ = compare("lone-leader", "-r", "asl", "-r", "squad-leader", "--play", "best", "--aim", "destroyed")
    assert "All sides play best, for: destroyed." in page.texts
    plain, _ = compare("lone-leader", "-r", "asl", "-r", "squad-leader")
    assert not any("play best" in text for text in plain.texts)


def test_a_system_that_is_in_no_picture_is_named(game: Path) -> None:
    fight = "situation: {fight: {attacker: a}, sides: {a: {}, b: {}}}"
    systems = "  squad-leader: {situation: {fight: {mover: a}, sides: {a: {units: {g: {counter: german-4-6-7}}}, b: {units: {r: {counter: russian-4-4-7}}}}}}"
    text = f"engagement: odd\ntitle: Odd\nsystems:\n{systems}\n  brawl: {{ruleset: ., {fight}}}\n"
    (game / "f").mkdir()
    (game / "f" / "odd.yaml").write_text(text.replace("ruleset: .,", "ruleset: ..,"), "utf-8")
    page, _ = compare("f/odd.yaml")
    assert any("does not say what becomes of those who came" in one for one in page.texts)


def test_nothing_in_a_page_is_fetched_or_run(game: Path) -> None:
    page = Read(diff("gone", "html"))
    for tag, attributes in page.all:
        assert tag not in ("script", "iframe", "object", "img", "form")
        assert not any(name.startswith("on") for name in attributes)
        assert all(attributes.get(name) in (None, "data:,") for name in ("src", "href", "action"))
    (policy,) = [one["content"] for tag, one in page.all if one.get("http-equiv") == "Content-Security-Policy"]
    assert policy is not None and policy.startswith("default-src 'none'")
    assert "url(" not in diff("gone", "html") and "@import" not in diff("gone", "html")


def test_what_a_designer_writes_is_text_in_a_page(game: Path) -> None:
    """Also what has a meaning in HTML."""
    strange = "</td><script>alert(1)</script> & <b onclick=x>bold</b>"
    file = game / "v" / "numbers.yaml"
    file.write_text(file.read_text("utf-8").replace("why: wearier", f"why: '{strange}'"), "utf-8")
    page = Read(diff("numbers", "html"))
    assert any(strange in cell for row in page.rows for cell, _ in row)
    assert not any(tag in ("script", "b") and attributes for tag, attributes in page.all)
