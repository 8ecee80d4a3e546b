"""How long a designer waits at the workbench, in a real browser: until its page answers, and after each change.

    python tests/benchmarks/workbench.py [--rounds 3] [--http] [--hostile]

Opened from the disk, or with `--http` from a server of files. It needs what the tests of its page need: playwright, a Chromium
and the parts that `closecombat workbench DIR` has fetched once. Times are those of a clock on the wall: run it on a machine
that does nothing else. Memory is that of all processes of the browser together, what they share counted once, less what
they take while no page is open. With `--hostile` nothing is timed: texts that are far too large are pasted, and fights
that are far too large worked out with patience; of each the most is told that the whole browser ever took, itself with
it.
"""

from __future__ import annotations

import argparse
import base64
import json
import os
import shutil
import statistics
import subprocess
import sys
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

HERE = Path(__file__).resolve().parent
INTERPRETER = HERE.parent.parent / "interpreter"
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser") or ""
LONGEST = 120  # seconds
CHANGED = {  # of each game a row that squad-in-a-building reads, and what a designer might put there, another each round
    "asl": "{{at: tables.cc-drm.by-ambush, set: {{add: {0}}}, was: {{add: -1}}, why: x}}",
    "squad-leader": "{{at: tables.drm.own-lead, set: {{add: {0}}}, was: {{add: lowest leadership of attackers}}, why: x}}",
    "assault": "{{at: tables.full-attack.together, set: {{add: attack-together for colour + 1 {0}}}, was: {{add: attack-together for colour}}, why: x}}",
    "skirmish": "{{at: tables.full-dice.men, set: {{add: men-left + 1 {0}}}, was: {{add: men-left}}, why: x}}",
}
READY = "document.querySelector('.cm-content') && document.getElementById('status').textContent === ''"
COUNTED = """() => {
  const odds = document.getElementById("odds");
  self.drawn = 0;
  new MutationObserver(() => { if (odds.classList.contains("old")) self.drawn = 1; }).observe(odds, { attributes: true });
}"""
NEW = "!document.getElementById('odds').classList.contains('old')"


@contextmanager
def served(folder: Path) -> Iterator[str]:
    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/index.html"
    finally:
        server.shutdown()
        server.server_close()


def link(game: str, fight: object, until: bool = False) -> str:
    state = {"ruleset": game, "texts": {}, "fight": fight, "until": until, "start": ""}
    packer = zlib.compressobj(wbits=-15)
    packed = packer.compress(json.dumps(state).encode()) + packer.flush()
    return "#1." + base64.urlsafe_b64encode(packed).decode().rstrip("=")


def below(process: int) -> list[int]:
    """A process and all that it has begun, itself first."""
    begun: dict[int, list[int]] = {}
    for one in Path("/proc").glob("[0-9]*/stat"):
        try:
            begun.setdefault(int(one.read_text().rpartition(")")[2].split()[1]), []).append(int(one.parent.name))
        except OSError:
            continue
    found = [process]
    for one in found:
        found += begun.get(one, [])
    return found


def memory(processes: list[int]) -> float:
    """MB of some processes, what several share in equal parts; 0 where nobody tells of that."""
    total = 0
    for one in processes:
        try:
            said = Path(f"/proc/{one}/smaps_rollup").read_text()
        except OSError:
            continue
        total += int(said.partition("\nPss:")[2].split()[0])
    return total / 1024


class Page:
    """A page that has just been opened, and how many seconds each thing takes on it."""

    def __init__(self, browser: Any, address: str) -> None:
        self.context = browser.new_context(viewport={"width": 1440, "height": 900})
        self.page = self.context.new_page()
        self.begun = time.monotonic()
        self.page.goto(address, wait_until="commit")

    def until(self, said: str) -> float:
        """The seconds until something holds; what waits in the page itself would need what its policy forbids."""
        begun = time.monotonic()
        while not self.page.evaluate(said):
            if time.monotonic() - begun > LONGEST:
                raise TimeoutError(said)
            time.sleep(0.01)
        return time.monotonic() - self.begun

    def one_more(self) -> float:
        return self.after(lambda: self.page.click("#form button:text('Add a unit') >> nth=0"))

    def one_less(self) -> float:
        """The unit that was added goes, with all that is its own."""
        first_side = self.page.locator("#form > fieldset", has=self.page.locator("button:text('Add a unit')")).first
        return self.after(first_side.locator("> fieldset").last.locator("> .tools > button:text('Remove')").click)

    def quiet(self) -> None:
        """Nothing is worked out or waited for: the designer has read, and thinks."""
        self.until(f"{READY} && {NEW}")
        self.page.wait_for_timeout(4_000)
        self.until(f"{READY} && {NEW}")

    def after(self, doing: Callable[[], Any]) -> float:
        """Until the bars are new, from a change on."""
        self.page.evaluate(COUNTED)
        self.begun = time.monotonic()
        doing()
        return self.until(f"self.drawn && {NEW}")

    def rule(self, text: str) -> float:
        self.page.click(".cm-content")
        self.page.keyboard.press("Control+a")
        return self.after(lambda: self.page.keyboard.insert_text(text))


def measured(browser: Any, address: str, fights: dict[str, object], rounds: int) -> Iterator[tuple[str, list[float]]]:
    page = Page(browser, "about:blank")
    page.page.wait_for_timeout(2_000)
    mine = os.getpid()
    empty = memory(below(mine)[1:])
    page.context.close()
    used = []
    first, live = [], []
    for _ in range(rounds):
        page = Page(browser, address)
        first.append(page.until("document.querySelectorAll('#odds tbody tr').length > 3"))
        live.append(page.until(f"{READY} && {NEW}"))
        page.context.close()
    yield "the first answer", first
    yield "live", live
    for game, fight in fights.items():
        page = Page(browser, address + link(game, fight))
        page.quiet()
        fights_changed, rules_changed = [], []
        for number in range(rounds):
            fights_changed.append(page.one_more())
            page.quiet()
            page.one_less()
            page.quiet()
            rule = CHANGED[game].format(f"+ {number}" if game in ("assault", "skirmish") else -2 - number)
            rules_changed.append(page.rule(f"variant: mine\nextends: {game}\nchanges:\n  a: {rule}\n"))
            page.quiet()
        used.append(memory(below(mine)[1:]) - empty)
        page.context.close()
        yield f"{game}: one unit more", fights_changed
        yield f"{game}: a rule edited", rules_changed
    yield "memory of a page, MB", used


class Watched:
    """The most MB that the browser has taken, looked at ten times a second."""

    def __init__(self) -> None:
        self.most, self.goes_on = 0.0, True
        self.look = threading.Thread(target=self._look, daemon=True)
        self.look.start()

    def _look(self) -> None:
        while self.goes_on:
            self.most = max(self.most, memory([one for one in below(os.getpid())[1:] if _is_browser(one)]))
            time.sleep(0.1)

    def end(self) -> float:
        self.goes_on = False
        self.look.join()
        return self.most


def _is_browser(process: int) -> bool:
    try:
        return b"chrom" in Path(f"/proc/{process}/cmdline").read_bytes().partition(b"\0")[0]
    except OSError:
        return False


def crowded(fight: Any, more: int) -> Any:
    """A fight with so many units more on each side, each like the last there."""
    made = json.loads(json.dumps(fight))
    made.pop("choices", None)
    for side, facts in made["situation"]["sides"].items():
        last = facts["units"][list(facts["units"])[-1]]
        for number in range(more):
            name = f"{side}-more-{number}"
            inside = {key: value for key, value in last.items() if not isinstance(value, dict)}
            nested = {key: value for key, value in last.items() if isinstance(value, dict)}
            facts["units"][name] = inside | {
                key: {f"{name}-{key}-{at}": one for at, one in enumerate(value.values())}
                for key, value in nested.items()
            }
    return made


PASTE = """text => {
  const pasted = new DataTransfer();
  pasted.setData("text/plain", text);
  const said = { clipboardData: pasted, bubbles: true, cancelable: true };
  document.querySelector(".cm-content").dispatchEvent(new ClipboardEvent("paste", said));
}"""
LARGE_TEXTS = {  # what may be on a clipboard, pasted in the place of a house rule
    "275 kB of no YAML": "lorem ipsum dolor sit amet, consectetur: adipiscing [elit\n" * 4_800,
    "40 kB of changes that clash": "variant: mine\nextends: asl\nchanges:\n"
    + "".join(f"  a{at}: {CHANGED['asl'].format(-at)}\n" for at in range(400)),
}
HOSTILE = (("asl", 2, True), ("asl", 3, True), ("asl", 39, False), ("skirmish", 5, True), ("skirmish", 9, True), ("assault", 9, True), ("squad-leader", 14, True))  # fmt: skip


def heaviest(play: Any, address: str, fights: dict[str, object], patience: float = 45) -> Iterator[tuple[str, float]]:
    """Of each hostile fight and text the most that a browser of its own has taken, until the answer, or until that is
    enough."""
    for what, text in LARGE_TEXTS.items():
        browser = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        watched = Watched()
        page = Page(browser, address + link("asl", fights["asl"]))
        page.quiet()
        page.page.click(".cm-content")
        page.page.keyboard.press("Control+a")
        page.page.evaluate(PASTE, text)
        page.until("document.getElementById('findings').textContent")
        page.page.wait_for_timeout(4_000)
        browser.close()
        yield what, watched.end()
    for game, more, until in HOSTILE:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        watched = Watched()
        page = Page(browser, address + link(game, crowded(fights[game], more), until))
        page.until("document.getElementById('trouble').textContent || " + f"{READY} && {NEW}")
        page.page.wait_for_timeout(4_000)
        for _ in range(2):  # the chances, and then who holds the place
            on = page.page.query_selector("#trouble button, #held button")
            if on is not None and on.is_visible():
                on.click()
                begun = time.monotonic()
                page.page.wait_for_timeout(2_000)
                while page.page.is_visible("#stop") and time.monotonic() - begun < patience:
                    page.page.wait_for_timeout(100)
        browser.close()
        yield f"{game}, {more} more{', to the end' if until else ''}", watched.end()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=3, help="of each change another, this often (3)")
    parser.add_argument("--http", action="store_true", help="from a server of files, not from the disk")
    parser.add_argument("--hostile", action="store_true", help="the memory of fights and texts that are far too large, in place of seconds")
    options = parser.parse_args()
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        print("pip install playwright", file=sys.stderr)
        return 2
    if not CHROMIUM:
        print("no Chromium: CHROMIUM=its path", file=sys.stderr)
        return 2
    known = {**os.environ, "PYTHONPATH": str(INTERPRETER)}
    with TemporaryDirectory() as made, sync_playwright() as play:
        parts = ["--parts", os.environ["CLOSECOMBAT_PARTS"]] if "CLOSECOMBAT_PARTS" in os.environ else []
        subprocess.run([sys.executable, "-m", "closecombat", "workbench", made, *parts], check=True, env=known)
        folder = Path(made)
        opening = json.loads(
            (folder / "index.html").read_text().partition('id="first"')[2].partition(">")[2].partition("<")[0]
        )
        fights = {game: opening["opening"][game]["fight"] for game in CHANGED}
        if options.hostile:
            print("| what                          | MB, at most     |")
            print("| ----------------------------- | --------------- |")
            for what, taken in heaviest(play, (folder / "index.html").as_uri(), fights):
                print(f"| {what:29} | {taken:15.0f} |", flush=True)
            return 0
        browser = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        with served(folder) if options.http else _on_disk(folder) as address:
            print("| what                          | seconds, median |   most |")
            print("| ----------------------------- | --------------- | ------ |")
            for what, seconds in measured(browser, address, fights, options.rounds):
                print(f"| {what:29} | {statistics.median(seconds):15.2f} | {max(seconds):6.2f} |", flush=True)
        browser.close()
    return 0


@contextmanager
def _on_disk(folder: Path) -> Iterator[str]:
    yield (folder / "index.html").as_uri()


if __name__ == "__main__":
    sys.exit(main())
