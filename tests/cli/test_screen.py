"""What every command shows on a screen of 80 columns, or to a pipe: no line is longer, no word is split, what is said
stands on stdout and what is about the saying on stderr, and whatever takes a while says so."""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from closecombat.cli.main import NAMES, main
from closecombat.telling import progress

ROOT = Path(__file__).parents[2]
WIDTH = 80
THREE = """\
ruleset: asl
situation:
  fight: {attacker: german, defender: russian}
  sides:
    german:  {units: {g1: {counter: german-4-6-7}, g2: {counter: german-4-6-7}}}
    russian: {units: {r1: {counter: russian-4-4-7}, r2: {counter: russian-4-4-7}}}
"""
FAILS = """\
ruleset: skirmish
example: fails
situation: {}
expect: {figures: {there is no such table as the one that is asked for here: 7}}
"""
WIDE = """\
ruleset: wide
start: fight-it-out
kinds:
  fight: {one: yes}
  side: {given: {enemy: the other side, units: {are: units, each: unit}}}
  unit:
    given:
      side: a side
      quality-of-the-whole-formation: 1 to 9
      number-of-supporting-batteries: 1 to 6
      distance-to-the-nearest-woods: 1 to 9
      weapon-that-is-carried: [rifle, carbine]
sequences: {fight-it-out: {in-order: {shaken: {each: unit, steady: 1, do: leave}}}}
tables:
  steady:
    about: unit
    first-of:
      near: {distance-to-the-nearest-woods: at most 8, is: 1}
      many: {number-of-supporting-batteries: at least 2, is: 2}
      good: {weapon-that-is-carried: carbine, quality-of-the-whole-formation: at least 2, is: 3}
"""
SAID = """\
list
list variants
list sweeps
list options asl
list options skirmish
show asl
show asl --find ambush
show asl tables.cc-drm
show skirmish --all
show squad-leader+lower-kill-numbers --changed
rules skirmish SK-res
explain takes-long
explain missing-target
list
explain --list
resolve farmhouse -r assault --seed 7
resolve lone-leader -r asl --seed 7 -v
chances lone-leader -r asl
chances lone-leader -r squad-leader --by sides
chances lone-leader -r squad-leader --until resolved
chances rulesets/squad-leader/examples/sl-broken-target.yaml --of "any unit of russian is broken and number of units of russian is at least 1"
choices three.yaml --at names
choices three.yaml --at names --all
play lone-leader -r squad-leader --times 20 --seed 7 --exact
play lone-leader -r squad-leader --times 20 --seed 7 --by units --of "number of units of german"
compare lone-leader -r squad-leader -r assault --notes --units
compare lone-leader -r squad-leader -r squad-leader+lower-kill-numbers
sweep how-many-squads
check bad
check -v wide.yaml
diff squad-leader squad-leader+lower-kill-numbers --fights rulesets/squad-leader/examples/sl-a-withdrawing-leader-among-the-targets.yaml
diff squad-leader squad-leader+lower-kill-numbers --fights rulesets/squad-leader/examples/sl-a-withdrawing-leader-among-the-targets.yaml --all
diff mine changed
gate changed
test mine --coverage
test mine --mutate --jobs 1
test rulesets/skirmish/examples/crash-level.yaml
test fails.yaml
test fails.yaml --update
new begun
"""
ABOUT = """\
chances nowhere -r asl
chances farmhouse -r nowhere
chances three.yaml --of "nonsense"
choices three.yaml --at nowhere
play lone-leader -r squad-leader --times 20 --seed 7 --of nonsense
compare three.yaml
sweep nowhere
sweep how-many-squads --shard 0/7 -o rows.csv
resolve three.yaml
resolve three.yaml --dice 1,2 --seed 4
resolve three.yaml --dice 1
show asl nowhere
rules asl nowhere
list nothing
explain nothing
schema nothing
new con
gate mine
check -f pdf
test skirmish --rows word
"""
HELP = "".join(f"{command} --help\n" for command in sorted(NAMES))
LINES = [(line, said) for said, lines in ((True, SAID + HELP), (False, ABOUT)) for line in lines.splitlines()]
NOTES = r"(0 examples rewritten, 1 left as it is\n|(\d+ (errors?|warnings?|notes?)(, )?)+\n|told by how .*\n(   .*\n)?|kept in .*\n|try: .*\n|\d+ fights?: \d+ chances? moved .*\n(   .*\n)?)?"


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("screen")
    (folder / "rulesets").symlink_to(ROOT / "rulesets")
    shutil.copytree(ROOT / "tests/cases/bad", folder / "bad", ignore=shutil.ignore_patterns("[d-z]*"))
    (folder / "three.yaml").write_text(THREE, "utf-8")
    (folder / "fails.yaml").write_text(FAILS, "utf-8")
    (folder / "wide.yaml").write_text(WIDE, "utf-8")
    with contextlib.chdir(folder):
        shown("new mine")
        shown("gate mine --record")
    shutil.copytree(folder / "mine", folder / "changed")
    rules = folder / "changed" / "ruleset.yaml"
    rules.write_text(rules.read_text("utf-8").replace("add: +1}", "add: +3}"), "utf-8")
    return folder


def shown(line: str, width: int | None = None) -> Result:
    return CliRunner().invoke(main, line, env={"COLUMNS": None if width is None else str(width)})


def words(text: str) -> list[str]:
    """Words as they are read; dice are words between commas, texts that stand below a row are divided by semicolons, and
    what marks a place or more of a line is none."""
    return [word for word in re.split(r"[\s,;]+", text) if not set(word) <= set("▏▎▍▌▋▊▉█.…^|─│├└\\")]


@pytest.mark.parametrize(("line", "is_said"), LINES)
def test_what_is_said_fits_the_page(monkeypatch: pytest.MonkeyPatch, desk: Path, line: str, is_said: bool) -> None:
    """No line is wider, no word is split; what is said is on stdout, and what is about the saying on stderr."""
    monkeypatch.chdir(desk)
    monkeypatch.setattr(progress, "PATIENCE", 10**6)
    narrow = shown(line)
    assert [one for one in narrow.output.split("\n") if len(one) > WIDTH] == []
    assert bool(narrow.stdout) == is_said, narrow.output
    assert re.fullmatch(NOTES, narrow.stderr) if is_said else narrow.stderr
    if line not in ("show asl", "new begun"):  # an outline is made for its page, and nothing is begun twice
        wide = set(words(shown(line, 1999).output))
        assert [word for word in words(narrow.output) if word not in wide] == []


@pytest.mark.parametrize(
    "line",
    [
        "check skirmish",
        "test rulesets/skirmish/examples/crash-level.yaml",
        "rules skirmish",
        "resolve lone-leader -r asl --seed 7",
        "chances lone-leader -r squad-leader",
        "choices three.yaml --at names",
        "play lone-leader -r squad-leader --times 9 --seed 7",
        "compare lone-leader -r squad-leader -r assault",
        "sweep how-many-squads -o rows.csv --jobs 1",
        "check -v bad",
        "test skirmish --coverage",
        "test mine --mutate --jobs 1",
        "diff mine changed --jobs 1",
        "gate changed --jobs 1",
    ],
)
def test_whatever_takes_a_while_says_so_once(monkeypatch: pytest.MonkeyPatch, desk: Path, line: str) -> None:
    monkeypatch.chdir(desk)
    monkeypatch.setattr(progress, "PATIENCE", 0.001)
    result = shown(line)
    assert [one[:15] for one in result.stderr.splitlines()].count("still at work: ") == 1
    assert "still at work" not in result.stdout
    (desk / "rows.csv").unlink(missing_ok=True)


def alive(group: int) -> list[str]:
    """The processes of a group that have not ended, where the system says so in files."""
    found = []
    for file in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            text = file.read_text("utf-8", "replace")
            state, _, of = text.rpartition(")")[2].split()[:3]
            found += [text] if int(of) == group and state not in "ZX" else []
    return found


IMPATIENT = "from closecombat.telling import progress as p; p.PATIENCE = 0.1; from closecombat.cli.begin import run; run()"


@pytest.mark.skipif(os.name != "posix", reason="sends the signal of Ctrl-C")
@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("chances squads-and-leader -r asl --until resolved --yes --by sides", "nothing is kept"),
        ("play squads-and-leader -r asl --times 1000000 --seed 1", "is "),
        ("sweep a-squad-of-every-kind -o rows.csv --jobs 2", "the same command goes on from there"),
        ("weigh squads-and-leader -r asl --until resolved --yes -f csv -o out", "nothing is kept"),
        ("compare squads-and-leader --factors -f html -o out", "the same command goes on with it"),
        ("diff asl asl+hand-to-hand --all -f md -o out", "the same command goes on with it"),
        ("choices asl --best --overview -f csv -o out", "nothing is kept"),
        ("check asl squad-leader assault skirmish --no-cache -o out", "nothing is kept"),
        ("test asl --jobs 2", "interrupted"),
        ("test asl --coverage -f html -o out", "nothing is kept"),
        ("test game --mutate -o slips.jsonl", "interrupted"),
        ("gate game --record", "the same command goes on with it"),
        ("properties asl --jobs 2", "interrupted"),
        ("ledger -o out", "nothing is kept"),
        ("sheet asl --rulebook -f html -o out", "nothing is kept"),
    ],
)
def test_what_is_broken_off_says_what_is_kept(tmp_path: Path, line: str, kept: str) -> None:
    """As Ctrl-C in a terminal, to the command and all that it began."""
    shutil.copytree(ROOT / "rulesets" / "skirmish", tmp_path / "game")
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "interpreter"), "CLOSECOMBAT_CACHE": str(tmp_path / "cache")}
    process = subprocess.Popen(
        [sys.executable, "-c", IMPATIENT, *line.split()], cwd=tmp_path, env=environment,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    assert process.stderr is not None
    first = process.stderr.readline()
    assert "still at work" in first
    os.killpg(process.pid, signal.SIGINT)
    _, told = process.communicate(timeout=120)
    assert process.returncode == 130 and "Traceback" not in told, told
    assert kept in " ".join(told.split())
    assert {one.name for one in tmp_path.iterdir()} <= {"game", "cache", "rows.csv", "slips.jsonl"}
    assert not (tmp_path / "game" / "gate.json").exists()
    end = time.monotonic() + 5  # what Python began beside it ends a moment later
    while alive(process.pid) and time.monotonic() < end:
        time.sleep(0.02)
    assert not alive(process.pid)


TIDYING = """
import signal, sys, time, types, weakref
def command():
    thing = type("Thing", (), {})()
    watched = weakref.ref(thing, lambda _: signal.raise_signal(signal.SIGINT))
    del thing
    print("interrupted once", flush=True)
    time.sleep(60)
sys.modules["closecombat.cli.main"] = types.SimpleNamespace(run=command)
from closecombat.cli.begin import run
run()
"""


def test_an_interruption_while_python_tidies_up_is_not_lost() -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "interpreter")}
    done = subprocess.run([sys.executable, "-c", TIDYING], env=environment, capture_output=True, text=True, timeout=50)
    assert (done.returncode, done.stdout, done.stderr) == (130, "interrupted once\n", "")
