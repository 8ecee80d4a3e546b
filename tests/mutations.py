"""Misspells, cuts and swaps what ships, and looks what the commands make of it.

    python tests/mutations.py 500            # cases 0 to 499, each by its seed
    python tests/mutations.py 500 700        # from 500 to 699
    python tests/mutations.py 200 --digest   # a line for each case with what it printed, as a hash

A case takes a file of a ruleset that ships, of the READMEs or of `systems/`, changes a letter, a word, a line or a
number, and puts it through `check`, `test`, `resolve` and `chances`. Whatever comes of it is said in the words of
the program; and what `check` lets pass does not contradict itself: an end that was played has a chance, all chances
sum to one, and where one reading refuses, so does the other. The hashes must be the same under `python -O`.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

from click.testing import CliRunner

from closecombat.cli.fight import prepared
from closecombat.cli.main import main
from closecombat.text.faults import Faulty
from closecombat.text.source import Span
from paths import OutOfDice, PathDice, play

ROOT = Path(__file__).parents[1]
INLINE = re.compile(r"`([\w./-]+\.yaml)`:\n\n```yaml\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PYTHON = re.compile(
    r"Traceback|a fault of closecombat itself|NoneType|[A-Za-z]+Error\b|<lambda>|<function|<class|<built-in|object at 0x"
    r"|'(int|str|float|list|dict|tuple|set|bool|Fraction|Sym|Thing|Fault)'|unsupported operand|not subscriptable"
    r"|not iterable|Fraction\(|Fault\(|Sym\(|Token\(|LALR|Terminal|jsonschema|ruamel|line \d+, column|<unicode"
    r"|found character|expected <|could not find|block mapping|flow sequence|is not of type|does not match|\$ref"
)
FOUND = re.compile(r"(?:error|warning)\[([a-z-]+)\]")
FAULT = re.compile(r"^(?:(\S[^\n]*?): )?error\[([a-z-]+)\]: ", re.MULTILINE)  # where, and the code
# what hangs on the situation or the dice; all else `check` should have found
WHILE_PLAYED = {
    "budget-exceeded", "loop-without-end", "no-row-applies", "several-rows-apply", "no-value", "out-of-range",
    "conflicting-writes", "tied-order", "order-unknown", "dice-left-over", "dice-missing", "no-such-face", "illegal-declaration", "example-fails",
    "missing-fact", "too-deep", "never-asked", "dice-grouped-wrongly",
}  # fmt: skip
NOT_TOLD = {"budget-exceeded"}  # what can be played may be too much to work out
Refusal = tuple[str, str]  # a code, and where
SECONDS = 10
MOST_PATHS = 1_500
ROUNDS = 2  # seeds that each sound case is played with
WORDS = [
    "of",
    "is",
    "not",
    "and",
    "or",
    "any",
    "no",
    "every",
    "number",
    "total",
    "highest",
    "lowest",
    "where",
    "nobody",
    "yes",
    "no",
    "at-most",
    "unbounded",
    "each",
    "for",
    "do",
    "play",
    "roll",
    "set",
    "gain",
    "lose",
    "add",
    "take",
    "when",
    "one-of",
    "first-of",
    "adds-up",
    "in-order",
    "at-once",
    "legal",
    "declare",
    "choose",
    "otherwise",
]


# ---- what is mutated ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Subject:
    """A file that may be changed, and what is asked once it is."""

    file: str
    share: int
    checked: str  # what `check` and `test` are told
    scenes: tuple[str, ...]  # situations to play, one of them for each case
    ruleset: str = ""  # `-r` of these
    tested: bool = True
    seconds: int = SECONDS


def laid_out(desk: Path) -> list[Subject]:
    """Copies the files to a desk: whole rulesets, but only a few of the examples of the large ones."""
    found: list[Subject] = []
    for page in ("README.md", "rulesets/README.md", "rulesets/variants/README.md"):
        for name, text in INLINE.findall((ROOT / page).read_text(encoding="utf-8")):
            (desk / name).parent.mkdir(parents=True, exist_ok=True)
            (desk / name).write_text(text, encoding="utf-8")
    for system in sorted((ROOT / "tests" / "systems").iterdir()):
        shutil.copytree(system, desk / system.name)
    shutil.copytree(ROOT / "rulesets" / "engagements", desk / "engagements")
    shutil.copytree(ROOT / "rulesets" / "variants", desk / "variants")
    for system, seconds in (("squad-leader", 10), ("skirmish", 10), ("assault", 10), ("asl", 30)):
        ours, copy = ROOT / "rulesets" / system, desk / f"our-{system}"  # a shipped name means what ships
        shutil.copytree(ours, copy, ignore=shutil.ignore_patterns("examples", "README.md"))
        (copy / "examples").mkdir()
        for file in sorted((ours / "examples").glob("*.yaml"), key=lambda one: one.stat().st_size)[:6]:
            shutil.copy(file, copy / "examples")
        found += of_folder(desk, copy.name, 1 if system == "asl" else 10, seconds)
    for folder in ("trench-raid", "pike-and-card", "rear-guard", "war-band", "gun-and-plate"):
        found += of_folder(desk, folder, 60, SECONDS)
    grim = "grim-streets/grim-streets.yaml"
    found += [
        Subject(grim, 2, grim, ("cellar.yaml",), grim, seconds=30),
        Subject("cellar.yaml", 2, "cellar.yaml", ("cellar.yaml",), tested=False, seconds=30),
        Subject("three-squads.yaml", 1, "three-squads.yaml", ("three-squads.yaml",), tested=False, seconds=60),
    ]
    for file in sorted((desk / "engagements").glob("*.yaml")):
        name = f"engagements/{file.name}"
        text = file.read_text(encoding="utf-8")
        for ruleset in ("skirmish", "squad-leader", "assault"):
            if not re.search(rf"^  {ruleset}:\n(?!    no-such-fight)", text, re.MULTILINE):
                continue
            found.append(Subject(name, 1, name, (name,), ruleset, tested=False, seconds=30))
    for file in sorted((desk / "variants").glob("*.yaml")):
        base = re.search(r"^extends: *(\S+)", file.read_text(encoding="utf-8"), re.MULTILINE)
        if base is not None and base[1] in ("squad-leader", "skirmish"):
            name = f"variants/{file.name}"
            found.append(Subject(name, 2, name, ("squad-in-a-building",), name, tested=False, seconds=30))
    return found


def of_folder(desk: Path, folder: str, share: int, seconds: int) -> list[Subject]:
    """The files of a ruleset's folder, those of its rules more often."""
    examples = sorted((desk / folder / "examples").glob("*.yaml"))
    scenes = tuple(scene for file in examples for scene in named(desk, file))
    rules = [file for file in sorted((desk / folder).glob("*.yaml")) if file.name != "clauses.yaml"]
    found = [Subject(f"{folder}/{file.name}", share, folder, scenes, "", True, seconds) for file in rules]
    for file in examples:
        name = str(file.relative_to(desk))
        found.append(Subject(name, max(share // 4, 1), name, named(desk, file), "", True, seconds))
    return found


def named(desk: Path, file: Path) -> tuple[str, ...]:
    """The examples of a file as they are named on the command line."""
    names = re.findall(r"example: *([\w.-]+)", file.read_text(encoding="utf-8"))
    name = str(file.relative_to(desk))
    return tuple(f"{name}#{one}" for one in names) if len(names) > 1 else (name,)


# ---- how it is mutated -------------------------------------------------------------------------------------


def mutated(text: str, random: Random) -> tuple[str, str]:
    """A text with a change or two, and what they are in words."""
    said = []
    for _ in range(random.choice([1, 1, 1, 1, 2, 3])):
        how = random.choice([letter, word, word, word, line, number, number, cell])
        text, what = how(text, random)
        said.append(what)
    return text, "; ".join(said)


def letter(text: str, random: Random) -> tuple[str, str]:
    at = random.randrange(len(text))
    sort, other = random.randrange(4), random.choice("abcdefghijklmnopqrstuvwxyz -:,{}[]#'\"0129\n&*!|>%@\t\u00e9")
    changed = [text[:at] + text[at + 1 :], text[:at] + other + text[at + 1 :], text[:at] + other + text[at:]]
    swapped = text[:at] + text[at + 1 : at + 2] + text[at : at + 1] + text[at + 2 :]
    return [*changed, swapped][sort], f"letter {at} {text[at]!r} ({sort}, {other!r})"


def word(text: str, random: Random) -> tuple[str, str]:
    found = list(re.finditer(r"[A-Za-z][\w-]*", without_remarks(text)))
    one, two = random.choice(found), random.choice(found)
    other = random.choice([two[0], two[0], two[0], random.choice(WORDS), "", f"{one[0]} {one[0]}", f"not {one[0]}"])
    return text[: one.start()] + other + text[one.end() :], f"word {one[0]!r} at {one.start()} -> {other!r}"


def line(text: str, random: Random) -> tuple[str, str]:
    lines = text.splitlines(keepends=True)
    at, to = random.randrange(len(lines)), random.randrange(len(lines))
    sort = random.randrange(5)
    moved = lines[at]
    if sort == 0:
        del lines[at]
    elif sort == 1:
        lines.insert(at, moved)
    elif sort == 2:
        lines[at], lines[to] = lines[to], lines[at]
    elif sort == 3:
        lines.insert(to, lines.pop(at))
    else:
        lines[at] = random.choice(["  " + moved, moved[2:], moved.rstrip("\n")])
    return "".join(lines), f"line {at + 1} ({sort}, {to + 1}): {moved.strip()[:60]!r}"


def number(text: str, random: Random) -> tuple[str, str]:
    found = list(re.finditer(r"(?<![\w.])[+-]?\d+", without_remarks(text)))
    if not found:
        return word(text, random)
    one = random.choice(found)
    value = int(one[0])
    other = random.choice(
        [str(value + 1), str(value - 1), str(-value), "0", "1", "-1", "99", "1/2", "1.5", "400", "100000", "9" * 30]
    )
    return text[: one.start()] + other + text[one.end() :], f"number {one[0]} at {one.start()} -> {other}"


def cell(text: str, random: Random) -> tuple[str, str]:
    """One value of a flow row, or one `key: value`, put in the place of another."""
    found = list(re.finditer(r"(?<=: )[^,{}\[\]\n#]+(?=[,}\n])", text))
    if len(found) < 2:
        return word(text, random)
    one, two = random.choice(found), random.choice(found)
    return text[: one.start()] + two[0] + text[one.end() :], f"cell {one[0]!r} at {one.start()} -> {two[0]!r}"


def without_remarks(text: str) -> str:
    """The text with its comments and long remarks blanked: there is nothing to break in them."""
    return re.sub(r"#.*|^ *(about|title|note|why|story|rule): .*", lambda found: " " * len(found[0]), text, flags=re.M)


# ---- what comes of it --------------------------------------------------------------------------------------


class TooSlow(BaseException):
    """A command took longer than it may."""


@contextmanager
def at_most(seconds: int) -> Iterator[None]:
    def stop(*_: Any) -> None:
        raise TooSlow

    signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


@dataclass
class Said:
    """What one command printed."""

    command: list[str]
    exit: int
    out: str
    err: str

    @property
    def codes(self) -> list[str]:
        return FOUND.findall(self.out + self.err)

    @property
    def refusals(self) -> set[Refusal]:
        return {(code, where) for where, code in FAULT.findall(self.err)}

    @property
    def place(self) -> str:
        return (self.err.strip() or self.out.strip()).split("\n")[0][:300]


@dataclass
class Case:
    seed: int
    file: str = ""
    change: str = ""
    text: str = ""
    said: list[Said] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    sound: bool = False

    def run(self, seconds: int, *command: str) -> Said | None:
        try:
            with at_most(seconds):
                result = CliRunner().invoke(main, list(command), prog_name="closecombat")
        except TooSlow:
            self.wrong.append(f"slow: more than {seconds} s: {' '.join(command)}")
            return None
        said = Said(list(command), result.exit_code, result.stdout, result.stderr)
        self.said.append(said)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            self.wrong.append(f"traceback: {' '.join(command)}: {type(result.exception).__name__}: {result.exception}")
        shown = said.err + (said.out if "-f" not in command else "")
        shown = "\n".join(row for row in shown.splitlines() if not re.match(r" *\d+ \| ", row))  # what the file says
        bad = PYTHON.search(shown)
        if bad is not None and bad[0] not in self.text:
            around = shown[max(0, bad.start() - 100) : bad.end() + 160].replace("\n", " / ")
            self.wrong.append(f"python: {' '.join(command)}: {around}")
        return said


def tried(desk: Path, subjects: list[Subject], seed: int) -> Case:
    """One case: the file is changed, asked about, and put back."""
    random, case = Random(seed), Case(seed)
    subject = random.choices(subjects, [one.share for one in subjects])[0]
    path = desk / subject.file
    before = path.read_text(encoding="utf-8")
    case.file = subject.file
    case.text, case.change = mutated(before, random)
    path.write_text(case.text, encoding="utf-8")
    try:
        asked(case, subject, random.choice(subject.scenes))
    finally:
        path.write_text(before, encoding="utf-8")
    return case


def asked(case: Case, subject: Subject, scene: str) -> None:
    seconds, stack = subject.seconds, ["-r", subject.ruleset] if subject.ruleset else []
    checked = case.run(seconds, "check", subject.checked)
    case.sound = checked is not None and checked.exit == 0
    if subject.tested:
        late(case, case.run(seconds, "test", subject.checked))
    rounds = ROUNDS if case.sound else 1
    played = [case.run(seconds, "resolve", scene, "--seed", str(i), "-f", "json", *stack) for i in range(rounds)]
    worked = case.run(seconds, "chances", scene, "-f", "json", *stack)
    for one in (*played, worked):
        late(case, one)
    if worked is None or not case.sound:
        return
    if worked.exit == 0:
        ends = json.loads(worked.out)["outcomes"]
        own = case.run(seconds, "resolve", scene, "-f", "json", *stack)
        case.run(seconds, "resolve", scene, "--seed", "1", *stack)
        total = sum(Fraction(one["probability"]) for one in ends)
        if total != 1:
            case.wrong.append(f"sum: the chances of {scene} sum to {total}")
        for one in (own, *played):
            if one is None:
                continue
            if one.exit == 0 and not any(end(one.out) == told(each) for each in ends):
                case.wrong.append(f"no chance: {' '.join(one.command)} ends as the chances say it cannot")
            elif one.exit and one is not own:  # its own dice may be too few: that is no fault
                case.wrong.append(f"refused in play only: {' '.join(one.command)}: {one.place}")
    elif not set(worked.codes) & NOT_TOLD:
        known = set().union(*(one.refusals for one in played if one is not None and one.exit))
        if not known & worked.refusals:
            walked, whole = refused_in_play(scene, subject.ruleset)
            known |= walked
            endless = "loop-without-end" in worked.codes  # then what has no end is all that need be found
            if not known & worked.refusals and (whole or not endless):
                what = ", ".join(" at ".join(one) for one in sorted(known)) or "no refusal"
                case.wrong.append(f"refused otherwise: {scene}: played: {what} BUT {worked.place}")


def refused_in_play(scene: str, ruleset: str) -> tuple[set[Refusal], bool]:
    """The faults of all playings, whatever is rolled, and whether these are all that there are."""
    _, fight = prepared(scene, ruleset, ())
    found: set[Refusal] = set()
    whole = True
    todo: list[tuple[tuple[Any, ...], Fraction]] = [((), Fraction(1))]
    for _ in range(MOST_PATHS):
        if not todo:
            return found, whole
        dice = PathDice(*todo.pop(), 60)
        try:
            play(fight, dice)
        except Faulty as error:
            found |= {(fault.code, where(fault.span)) for fault in error.diagnostics}
        except OutOfDice:
            whole = False
        todo += dice.untried
    return found, False


def where(span: Span | None) -> str:
    """A place as it is printed."""
    if span is None:
        return ""
    return (
        ":".join(map(str, (span.source.name, *span.source.position(span.start))))
        if span.source.text
        else span.source.name
    )


def late(case: Case, said: Said | None) -> None:
    """What `check` should have found."""
    if case.sound and said is not None and said.exit:
        for code in dict.fromkeys(said.codes):
            # an example may speak of what is declared in a combat that is no longer come to
            if code not in WHILE_PLAYED and not re.search("holds no example|nothing is called", said.out + said.err):
                fault = next(row for row in (said.out + said.err).splitlines() if f"[{code}]" in row)
                case.wrong.append(f"late: {' '.join(said.command)}: {fault[:300]}")


def end(text: str) -> Any:
    return told(json.loads(text))


def told(one: Any) -> Any:
    return json.dumps([one["sides"], one["units"]], sort_keys=True)


@contextmanager
def desk_of_files() -> Iterator[tuple[Path, list[Subject]]]:
    """A folder with all that is mutated, in which the commands are run."""
    import os

    with tempfile.TemporaryDirectory() as folder:
        here = os.getcwd()
        desk = Path(folder)
        subjects = laid_out(desk)
        os.chdir(desk)
        try:
            yield desk, subjects
        finally:
            os.chdir(here)


def run(seeds: range, digest: bool) -> int:
    wrong = sound = 0
    with desk_of_files() as (desk, subjects):
        for seed in seeds:
            case = tried(desk, subjects, seed)
            sound += case.sound
            if digest:
                printed = "".join(f"{one.command} {one.exit}\n{one.out}\n{one.err}\n" for one in case.said)
                print(seed, hashlib.sha256(printed.encode()).hexdigest()[:16])
            wrong += bool(case.wrong)
            if seed % 100 == 99:
                print(f"... {seed}, {sound} sound", file=sys.stderr, flush=True)
            if case.wrong and not digest:
                print(f"{seed} {case.file}: {case.change}", *case.wrong, sep="\n    ", flush=True)
    if not digest:
        print(f"{len(seeds)} mutations, {sound} of them sound, {wrong} with something wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    numbers = [int(one) for one in sys.argv[1:] if one.isdigit()]
    sys.exit(run(range(*numbers) if numbers else range(500), "--digest" in sys.argv))
