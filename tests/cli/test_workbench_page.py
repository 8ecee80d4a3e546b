"""The page of the workbench in a real browser: what it shows is what the commands say, at once and while one types;
it fetches nothing, can be used by keyboard, and what a stranger's link holds is only shown.

They need a browser and the parts: `pip install playwright axe-playwright-python`, a Chromium (`apt install chromium`, or
CHROMIUM=its path), and once `closecombat workbench DIR`, or CLOSECOMBAT_PARTS=the folder of the parts.
"""

import base64
import json
import os
import shutil
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from platformdirs import user_cache_path

from chromium import axe_script, in_chromium, serious
from closecombat.cli.main import main
from closecombat.telling.workbench_folder import listed_parts

PARTS = Path(os.environ.get("CLOSECOMBAT_PARTS") or user_cache_path("closecombat", appauthor=False) / "parts")
RULESETS = Path(__file__).parents[2] / "rulesets"
LOWER = (RULESETS / "variants" / "lower-kill-numbers.yaml").read_text("utf-8")
HEAPS = """
self.most = 0;
const hired = self.Worker;
self.Worker = class extends hired {
  constructor(...given) {
    super(...given);
    this.addEventListener("message", ({ data }) => { self.most = Math.max(self.most, data.heap ?? 0); });
  }
};
"""
LONGEST = 90  # seconds, on a machine that others use too

pytestmark = [
    in_chromium,
    pytest.mark.skipif(
        not all((PARTS / one.file).is_file() for one in listed_parts()),
        reason="the parts are not there: `closecombat workbench DIR` fetches them once",
    ),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("bench")
    said = CliRunner().invoke(main, ["workbench", str(made), "--parts", str(PARTS)])
    assert said.exit_code == 0, said.output
    return made


class Bench:
    """A page with the workbench, and what it has complained of or asked for."""

    def __init__(self, browser: Any, address: str, width: int = 1440, scheme: str = "light") -> None:
        self.context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        self.page = self.context.new_page()
        self.wrong: list[str] = []
        self.asked: set[str] = set()
        self.page.on(
            "console", lambda said: self.wrong.append(said.text) if said.type in ("error", "warning") else None
        )
        self.page.on("pageerror", lambda why: self.wrong.append(str(why)))
        self.page.on("request", lambda one: self.asked.add(one.url))
        self.page.goto(address)

    def until(self, said: str, longest: float = LONGEST) -> float:
        """Waits until something holds on the page; the seconds that took."""
        begun = time.monotonic()
        while not self.page.evaluate(said):
            assert time.monotonic() - begun < longest, (said, self.wrong, self.page.inner_text("body")[:2_000])
            time.sleep(0.02)
        return time.monotonic() - begun

    def live(self) -> None:
        """Until the program is there and the bars are those of what stands on the page."""
        self.until("document.querySelector('.cm-content') && document.getElementById('status').textContent === ''")
        self.until("!document.getElementById('odds').classList.contains('old')")

    def chance(self, side: str, word: str) -> list[str]:
        """The numbers in a row of the table that says how each side ends; none if there is no such row."""
        for body in self.page.query_selector_all("#odds table:first-of-type tbody"):
            title = body.query_selector("tr.group th")
            if title is None or title.inner_text().split()[0] != side:
                continue
            for row in body.query_selector_all("tr:not(.group)"):
                if row.query_selector("th").inner_text() == word:
                    return [one.inner_text() for one in row.query_selector_all("td.number")]
        return []

    def rule(self, text: str) -> None:
        """Puts a rule in the place of what stands in the editor, as a hand would."""
        self.page.click(".cm-content")
        self.page.keyboard.press("Control+a")
        self.page.keyboard.insert_text(text)

    def close(self) -> None:
        self.context.close()


@pytest.fixture(scope="module")
def shared(browser: Any, folder: Path) -> Iterator[Bench]:
    """One page for the tests that leave it as they have found it: on a disk, which is the harder case."""
    bench = Bench(browser, (folder / "index.html").as_uri())
    yield bench
    bench.close()


@pytest.fixture
def opened(browser: Any, folder: Path) -> Iterator[Callable[..., Bench]]:
    made: list[Bench] = []

    def one(address: str = "", **more: Any) -> Bench:
        made.append(Bench(browser, address or (folder / "index.html").as_uri(), **more))
        return made[-1]

    yield one
    for each in made:
        each.close()


def said_by_the_command(*line: str) -> Any:
    return json.loads(CliRunner().invoke(main, [*line, "--by", "sides", "-f", "json"]).stdout)


def percent(found: Any, side: str, word: str) -> str:
    return f"{found['verdicts'][side][word]['percent']:.2f}%"


def link(state: Any) -> str:
    packer = zlib.compressobj(wbits=-15)
    packed = packer.compress(json.dumps(state).encode()) + packer.flush()
    return "1." + base64.urlsafe_b64encode(packed).decode().rstrip("=")


def test_the_first_answer_is_there_at_once_and_the_program_soon(shared: Bench) -> None:
    """Before anything runs the page has the numbers of the command; when it does, it has them again."""
    before = said_by_the_command("chances", "squad-in-a-building", "-r", "squad-leader")
    after = said_by_the_command("chances", "squad-in-a-building", "-r", "squad-leader+lower-kill-numbers")
    for word in ("unharmed", "destroyed", "locked"):
        assert shared.chance("german", word)[:2] == [percent(after, "german", word), percent(before, "german", word)]
    shared.live()
    for word in ("unharmed", "destroyed", "locked"):
        assert shared.chance("german", word)[:2] == [percent(after, "german", word), percent(before, "german", word)]


def test_a_house_rule_moves_the_bars_and_a_broken_one_is_told_at_its_line(shared: Bench) -> None:
    shared.live()
    shared.rule(LOWER.replace("option: one-lower", "option: one-lowr"))
    shared.until("document.getElementById('findings').textContent.includes('one-lowr')")
    line = LOWER[: LOWER.index("option:")].count("\n") + 1
    assert f"house-rule.yaml, line {line}" in shared.page.inner_text("#findings")
    assert "did you mean one-lower?" in shared.page.inner_text("#findings")
    marked = shared.page.eval_on_selector(".cm-lintRange-error", "one => one.textContent")
    assert marked == "one-lowr"
    shared.until("document.getElementById('trouble').textContent.includes('as it stands')")
    assert shared.page.evaluate("document.getElementById('odds').classList.contains('old')")
    shared.rule(
        "variant: mine\nextends: squad-leader\nchanges:\n  a: {at: tables.drm.broken, set: {add: -3}, was: {add: -2}, why: x}\n"
    )
    shared.until("document.getElementById('findings').textContent === ''")
    shared.live()
    assert shared.chance("german", "destroyed") == ["27.78%", "27.78%", "="]  # nobody is broken in this fight
    shared.rule(LOWER)
    shared.live()
    assert shared.chance("german", "destroyed") == ["13.89%", "27.78%", "\u221213.89"]


def test_names_are_completed(shared: Bench) -> None:
    shared.live()
    shared.page.click(".cm-content")
    shared.page.keyboard.press("Control+End")
    shared.page.keyboard.insert_text("  more:\n    at: ")
    shared.page.keyboard.press("Control+Space")
    shared.until("document.querySelectorAll('.cm-tooltip-autocomplete li').length > 20")
    shared.page.keyboard.insert_text("tables.drm.brok")
    shared.until("document.querySelector('.cm-tooltip-autocomplete li')?.textContent.startsWith('tables.drm.broken')")
    shared.page.keyboard.press("Escape")
    shared.rule(LOWER)
    shared.live()


@pytest.mark.parametrize("game", ["asl", "assault", "skirmish", "squad-leader"])
def test_a_fight_is_changed_as_a_form(shared: Bench, game: str) -> None:
    """One more unit like the last one; the bars are those of the command for the file that the page writes."""
    shared.live()
    shared.page.select_option("#ruleset", game)
    shared.until(f"document.getElementById('ruleset').value === '{game}'")
    shared.live()
    shared.page.click("#form button:text('Add a unit') >> nth=0")
    shared.page.evaluate("document.getElementById('asfile').open = true")
    shared.live()
    shown = "document.querySelector('#asfile pre')?.textContent ?? ''"
    shared.until(f"({shown}).startsWith('ruleset: {game}\\n') && ({shown}).includes('2:')")
    shared.live()
    text = shared.page.inner_text("#asfile pre")
    assert text.startswith(f"ruleset: {game}\n") and "2: {" in text.replace("2:\n", "2: {")
    stack = f"{game}+lower-kill-numbers" if game == "squad-leader" else game
    file = Path(os.environ["CLOSECOMBAT_CACHE"]) / "fight-of-the-page.yaml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")
    found = said_by_the_command("chances", str(file), "-r", stack)
    for side, words in found["verdicts"].items():
        for word, chance in words.items():
            if chance["percent"] >= 0.005:
                assert shared.chance(side, word)[0] == percent(found, side, word)
    if game == "squad-leader":  # what it was before comes beside it
        shared.until("!document.getElementById('odds').textContent.includes('\u2026')")
        before = said_by_the_command("chances", str(file), "-r", game)
        for side, words in before["verdicts"].items():
            assert all(shared.chance(side, word)[1] == percent(before, side, word) for word in words)
    shared.page.evaluate("document.getElementById('asfile').open = false")
    shared.page.click("#form fieldset fieldset button:text('Remove') >> nth=1")
    shared.live()


def test_one_roll_is_told_with_its_clauses(shared: Bench) -> None:
    shared.live()
    shared.page.evaluate("document.getElementById('roll').open = true")
    shared.page.fill("#seed", "8")
    shared.page.press("#seed", "Tab")
    shared.until("document.querySelectorAll('#story .clause').length > 3")
    ends = []
    for stack in ("squad-leader+lower-kill-numbers", "squad-leader"):
        asked = ["resolve", "squad-in-a-building", "-r", stack, "--seed", "8", "-f", "json"]
        said = json.loads(CliRunner().invoke(main, asked).stdout)
        ends.append({f"{side} {word}" for side, word in said["sides"].items()})
        assert f"Dice {', '.join(map(str, said['dice']))}" in shared.page.inner_text("#story")
        if len(ends) == 1:  # the same roll by the game as it is: what stands there is of the rules as they are now
            assert all(end in shared.page.inner_text("#story") for end in ends[0])
            shared.rule("")
            shared.live()
            shared.until("document.querySelector('#story:not(.old) .clause') !== null")
    assert not ends[0] & ends[1] and all(end in shared.page.inner_text("#story") for end in ends[1])
    shared.rule(LOWER)
    shared.live()
    shared.page.evaluate("document.getElementById('roll').open = false")


def test_nothing_was_fetched_and_nothing_complained(shared: Bench) -> None:
    """Of all that the tests before have done."""
    shared.live()
    assert shared.wrong == []
    assert {url.partition(":")[0] for url in shared.asked} <= {"file", "blob", "data"}
    assert {url.rpartition("/")[2].partition("#")[0] for url in shared.asked if url.startswith("file")} == {
        "index.html",
        "parts.js",
        "page.js",
    }


def test_a_link_shows_the_same_to_another(shared: Bench, opened: Callable[..., Bench], folder: Path) -> None:
    """From a server of files, in a profile that has seen nothing."""
    shared.live()
    shared.until("location.hash.length > 50")
    time.sleep(0.5)
    fragment = shared.page.evaluate("location.hash")
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        other = opened(f"http://127.0.0.1:{server.server_port}/index.html{fragment}")
        other.live()
        for part in ("#odds", "#form", ".cm-content"):
            assert other.page.inner_text(part) == shared.page.inner_text(part)
        assert other.wrong == []
        assert {url for url in other.asked if url.startswith("http") and "127.0.0.1" not in url} == set()
    finally:
        server.shutdown()
        server.server_close()


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        pass


STATE: Any = {
    "ruleset": "squad-leader",
    "texts": {},
    "fight": {"situation": {"fight": {"mover": "a"}, "sides": {"a": {}, "b": {}}}},
    "until": False,
    "start": "",
}
EVIL = "<img src=x onerror=alert(1)><script>alert(2)</script>"


@pytest.mark.parametrize(
    ("fragment", "said"),
    [
        ("1.AAAA", "it is damaged"),
        ("nonsense", "it is not one of this workbench"),
        ("1." + "A" * 40_000, "it is too long"),
        (link({"a": "x" * 20_000_000}), "it holds too much"),
        (link({**STATE, "ruleset": "../x"}), "does not hold a fight"),
        (link({**STATE, "texts": {"../x.yaml": ""}}), "does not hold a fight"),
        (link({**STATE, "fight": {"situation": {"a": 3}}}), "does not hold a fight"),
        (link([]), "does not hold a fight"),
    ],
    ids=["damaged", "foreign", "long", "large", "ruleset", "path", "number", "list"],
)
def test_a_link_that_holds_something_else_is_refused(
    opened: Callable[..., Bench], folder: Path, fragment: str, said: str
) -> None:
    bench = opened((folder / "index.html").as_uri() + "#" + fragment)
    bench.until("!document.getElementById('notice').hidden")
    assert said in bench.page.inner_text("#notice")
    bench.until("document.querySelectorAll('#odds table').length > 1")
    assert bench.wrong == []


def test_what_a_stranger_writes_is_shown_and_never_run(opened: Callable[..., Bench], folder: Path) -> None:
    state = {
        **STATE,
        "texts": {
            "house-rule.yaml": f"variant: x\ntitle: '{EVIL}'\nextends: squad-leader\nchanges: {{a: {{at: '{EVIL}'}}}}\n"
        },
        "fight": {
            "situation": {"fight": {"mover": EVIL}, "sides": {EVIL: {"units": {EVIL: {"counter": EVIL, EVIL: EVIL}}}}},
            "choices": {EVIL: {EVIL: EVIL}},
        },
        "start": EVIL,
    }
    bench = opened((folder / "index.html").as_uri() + "#" + link(state))
    bench.page.on("dialog", lambda dialog: bench.wrong.append("a dialog"))
    bench.until("document.getElementById('findings').textContent !== ''")
    bench.until("document.getElementById('trouble').textContent !== ''")
    assert bench.page.query_selector_all("main img, #form script, #findings script, #odds script") == []
    assert EVIL in bench.page.inner_text("#form") and bench.wrong == []


def test_long_work_is_ended_within_a_second(opened: Callable[..., Bench], folder: Path) -> None:
    sides = {
        side: {"units": {f"{side[0]}{n}": {"counter": counter} for n in range(1, 7)}}
        for side, counter in (("german", "german-4-6-7"), ("soviet", "russian-4-4-7"))
    }
    fight = {"situation": {"fight": {"attacker": "german", "defender": "soviet", "melee": "yes"}, "sides": sides}}
    bench = opened(
        (folder / "index.html").as_uri() + "#" + link({**STATE, "ruleset": "asl", "fight": fight, "until": True})
    )
    bench.until("document.querySelector('#trouble button') !== null")  # it is foretold, and not begun
    time.sleep(8)  # the spare one gets ready
    bench.page.click("#trouble button")
    bench.until("!document.getElementById('stop').hidden")
    bench.page.click("#stop")
    bench.page.uncheck("#until")
    took = bench.until("document.getElementById('stop').hidden", 5)
    assert took < 1
    bench.until(
        "document.getElementById('trouble').textContent !== '' || !document.getElementById('odds').classList.contains('old')"
    )
    assert bench.wrong == []


FULL_ONCE = """
let isFull = false;
self.Worker = class extends self.Worker {
  postMessage(data, ...more) {
    if (data.question && JSON.parse(data.question).ask === "findings") this.asked = data.id;
    super.postMessage(data, ...more);
  }
  set onmessage(heard) {
    super.onmessage = ({ data }) => {
      const isNow = !isFull && data.answer !== undefined && data.id === this.asked && this.hasAnswered;
      if (data.answer !== undefined) this.hasAnswered = true;
      if (isNow) { isFull = true; self.wasFull = true; heard({ data: { id: data.id, failed: "MemoryError" } }); } else heard({ data });
    };
  }
};
"""


def test_who_is_full_of_earlier_answers_is_relieved(browser: Any, folder: Path) -> None:
    """What he was asked is asked of somebody fresh, who has room for it."""
    bench = Bench(browser, (folder / "index.html").as_uri())
    bench.page.add_init_script(FULL_ONCE)
    bench.page.reload()
    try:
        bench.live()
        for number in range(20):
            bench.rule(LOWER.replace("option: one-lower", f"option: one-lowr{number}"))
            bench.until(f"document.getElementById('findings').textContent.includes('one-lowr{number}')")
            if bench.page.evaluate("self.wasFull"):
                break
        assert bench.page.evaluate("self.wasFull")
        assert "memory" not in bench.page.inner_text("#findings")
    finally:
        bench.close()


def test_what_wants_more_memory_than_there_is_room_for_says_so(browser: Any, folder: Path, tmp_path: Path) -> None:
    """With a tenth of the room, so that a small fight is too much: no worker grows beyond what it was given."""
    narrow = tmp_path / "narrow"
    shutil.copytree(folder, narrow)
    script = (narrow / "page.js").read_text("utf-8")
    for name, bytes in (("ROOM", 165_000_000), ("SPARE", 75_000_000)):
        assert script.count(f"{name} = {bytes}") == 1
        script = script.replace(f"{name} = {bytes}", f"{name} = {bytes // 10}")
    (narrow / "page.js").write_text(script, "utf-8")
    bench = Bench(browser, (narrow / "index.html").as_uri())
    bench.page.add_init_script(HEAPS)
    bench.page.reload()
    try:
        bench.until("document.querySelector('.cm-content')")
        bench.page.click("#form button:text('Add a unit') >> nth=0")
        bench.until("document.getElementById('trouble').textContent.includes('more memory than a page should')")
        assert 0 < bench.page.evaluate("self.most") < 45_000_000
    finally:
        bench.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1440])
def test_it_can_be_read_by_everybody(opened: Callable[..., Bench], width: int, scheme: str) -> None:
    axe = axe_script()
    if not axe:
        pytest.skip("pip install axe-playwright-python")
    bench = opened(width=width, scheme=scheme)
    bench.until("document.querySelector('.cm-content') !== null")
    bench.page.evaluate(
        "for (const one of document.querySelectorAll('details')) one.open = true; document.getElementById('words').hidden = false"
    )
    assert serious(bench.page, axe) == []
    assert bench.page.evaluate("document.documentElement.scrollWidth") <= width
    split = "[...document.querySelectorAll('#odds .odds td.number')].filter((one) => one.offsetHeight > 40).length"
    assert bench.page.evaluate(split) == 0  # no number is parted from its sign


def test_it_can_be_used_by_keyboard(opened: Callable[..., Bench]) -> None:
    """Everything is reached by the tabulator, and the editor lets it go."""
    bench = opened()
    bench.until("document.querySelector('.cm-content') !== null")
    bench.page.evaluate("document.activeElement.blur()")
    reached: list[str] = []
    for _ in range(70):
        bench.page.keyboard.press("Tab")
        said = bench.page.evaluate(
            "(() => { const one = document.activeElement; return one.id || one.dataset?.at || one.className || one.tagName; })()"
        )
        if said in ("BODY",):
            break
        reached.append(str(said))
    order = [reached.index(one) for one in ("ruleset", "share", "file", "begin", "row", "undo", "start")]
    assert order == sorted(order)
    assert (
        any("cm-content" in one for one in reached)
        and "until" in reached
        and any(one.startswith("all.german") for one in reached)
    )
