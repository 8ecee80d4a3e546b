"""Throws generated input at the commands, and looks for a fault of our own, a hang, or memory without a bound.

    python tests/hostile.py                           # 200,000 inputs by both cores: an hour or two
    python tests/hostile.py --batches 40 --jobs 1     # the first 40 batches
    python tests/hostile.py --only sentence --from 7 --batches 1 --keep FOLDER    # one batch again, its inputs kept

An input is a folder with a ruleset, a fight of it and an example; `check`, `test`, `resolve` and `chances` are asked of it, as
typed. Whatever is wrong with it must be told: exit 0, 1 or 2, words of a finding, and never "a fault of closecombat
itself", more than two seconds or 500 MB. There are five makers, and a batch has a seed and one of them:

    sentence   what the grammar can say, made from the grammar itself, in a cell of a ruleset that is sound
    document   YAML of any shape under the keys that a ruleset knows
    slipped    a ruleset made up from a seed (random_rules), with some of its cells changed for hostile ones
    text       a file that is shipped or stands in the tests, cut, doubled or mixed with another
    fight      a sound ruleset and a situation of which any part is something else

What `check` refuses is asked the rest only now and then. A batch is the same again by its number.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, islice
from multiprocessing import get_context
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

from lark import Lark

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from random_rules import FAMILIES, Rules, written  # noqa: E402

INPUTS, BATCH = 200_000, 250
TOGETHER = 4  # batches in one process
SLOW, LARGE = 2.0, 500 * 1024  # seconds of one command, and KiB of the whole process
REFUSED_TOO = 0.2  # of what `check` refuses, so much is asked the rest
STOP = 10  # seconds after which a command is broken off
FILES = ("small/ruleset.yaml", "fight.yaml", "small/examples/one.yaml")

WRONG = re.compile(r"(ruleset|fight)\.yaml:\d+:\d+:\s+error\[")  # a long path breaks the line

Folder = dict[str, str]  # file: text

# ---- what is hostile -----------------------------------------------------------------------------------------

SCALARS = (
    "", " ", "0", "-1", "1/0", "0/0", "-0", "+1", "1e9", "9" * 40, "0x10", ".5", "1_000", "½", "3/2", "yes", "no", "nobody", "~",
    "null", "[]", "{}", "any", "is", "not", "not not a", "a is", "is a", "(", ")", "((((((a))))))", "a or b and c", "a, b", '"', '""', "'",
    "d6", "0d6", "400d6", "2d0", "d1000000", "-2d6", "3 * d6", "a to b", "6 to 2", "2 to 2", "1 to 1000000", "a of a of a of a",
    "side of side", "unit", "total size of units of fight", "number of units", "highest size of units", "lowest x of y",
    "whoever of units has highest size", "set x to x + 1", "add 1 to everything", "become nobody", "leave", "put x into x", "owe",
    "any unit of any side", "*", "&a", "*a", "!!python/object:os.system", "<<", "|", ">", "%", "@", "`", "\t", "\u2028", "\u202e", "\x00",
    "é", "🎲", "a" * 300, "a " * 300, "(" * 200, "not " * 200, "1 + " * 300 + "1", "a or " * 200 + "a", "../../../etc/passwd", "/etc/passwd",
    "con", "__class__", "{0}", "%s", "${x}", "true", "2026-11-23", "12:30", "-", "--", "+", "A1/D2", "3-1", "1-1-1", "[[[[", "]]", "#", ": ", "a: b",
)  # fmt: skip

SENTENCES = {  # rule of the grammar: a table, or a row of a sequence, in which it stands
    "condition": "t: {about: side, first-of: {r: {when: HERE, is: 1}}, otherwise: 0}",
    "value": "t: {about: side, first-of: {r: {is: HERE}}}",
    "test": "t: {about: unit, columns: {size: size}, one-of: {r: {size: HERE, is: 1}}, otherwise: 0}",
    "subject": "t: {about: unit, columns: {c: HERE}, one-of: {r: {c: 1, is: 1}}, otherwise: 0}",
    "members": "more: {each: HERE, do: add 1 to hurt}",
    "effect": "more: {each: unit, do: HERE}",
    "ordering": "more: {each: unit, first: HERE, ties: as-listed, do: add 1 to hurt}",
}

ASKED = dict.fromkeys(("condition", "value"), "more: {each: side, when: t is 1, do: add 1 to spirit}") | dict.fromkeys(
    ("test", "subject"), "more: {each: unit, when: t is 1, do: add 1 to hurt}"
)

SOUND = """\
ruleset: small
title: Small
about: Two sides meet.
language: 1
sources: {S: made up}
start: combat
kinds:
  fight: {one: yes, given: {attacker: a side, night: flag, level: 0 to 3}, noted: {tally: 0 to 9}}
  side:
    given: {enemy: the other side, units: {are: units, each: unit}, morale: 0 to 4}
    rolled: {die: one}
    chosen: {target: a unit}
    noted: {spirit: 0 to 3}
  unit:
    given: {side: a side, size: 0 to 5, trade: trade, pinned: flag, leads: a unit or nobody}
    noted: {hurt: 0 to 3, fled: flag}
words: {trade: [foot, horse, guns], verdict: [well, lost]}
dice: {one: {white: d6}}
TABLE
sequences:
  combat:
    in-order:
      throw: {each: side, roll: die}
      struck: {each: unit of enemy of attacker, when: die of attacker is at least 5, do: add 1 to hurt}
      EXTRA
outcomes: {about: side, words: [well, lost], first-of: {lost: {when: any unit of side where (hurt is at least 1), is: lost}}, otherwise: well}
strength-lost: {about: side, unit: size, is: total hurt of units of side}
"""
SITUATION = """\
sides:
  red: {morale: 1, units: {a: {size: 2, trade: foot}, b: {size: 3, trade: horse, leads: a}}}
  blue: {morale: 2, units: {c: {size: 1, trade: guns, pinned: yes}}}
fight: {attacker: red, night: no, level: 2}
"""


def folder(rules: str, situation: str) -> Folder:
    """The three files of an input."""
    example = "example: one\nruleset: ..\ncites: [S.1]\nsituation:\n"
    inside = "".join(f"  {line}\n" for line in situation.splitlines())
    return {
        FILES[0]: rules,
        FILES[1]: "situation:\n" + inside,
        FILES[2]: example + inside + "dice: [3, 5]\nexpect: {units: {c: {hurt: 1}}}\n",
    }


# ---- the makers ----------------------------------------------------------------------------------------------

NAMES = (
    "side", "unit", "units", "attacker", "enemy", "size", "trade", "pinned", "leads", "die", "morale", "night", "level", "tally",
    "spirit", "hurt", "fled", "foot", "horse", "red", "a", "t", "round", "white", "nothing-known", "fight", "sides", "target",
)  # fmt: skip


WORDS = {  # what a terminal can be; those with a look-ahead end in a space, since something has to follow
    "NAME": NAMES,
    "NUMBER": (*"0123456789", "10", "9" * 20),
    "RATIO": ("3-1", "1-2"),
    "PRINTED": ("A", "KIA", "D2", "1MC"),
    "QUOTED": ('"foot"', '"in"', '"a b"'),
    "TOTAL": ("total",),
    "HIGHEST": ("highest", "second highest"),
    "LOWEST": ("lowest",),
    "THE_OF": ("the lower of", "the highest of"),
    "AT_LEAST": ("at least",),
    "AT_MOST": ("at most",),
    "MORE_THAN": ("more than",),
    "LESS_THAN": ("less than",),
    "NUMBER_OF": ("number of",),
    "OTHER": ("other",),
    "WHOEVER": ("whoever of",),
    "PLUS_MINUS": ("+", "-"),
    "TIMES_OVER": ("*", "/"),
}

COMMON = {"word": "NAME", "path": "word", "set": "path", "atom": "path", "claim": "sum", "bound": "sum"}


class Grammar:
    """Sentences out of the grammar itself: each rule is carried out, at random, until only words are left."""

    def __init__(self) -> None:
        text = (ROOT / "grammar" / "sentence.lark").read_text(encoding="utf-8")
        made = Lark(text, start=list(SENTENCES), parser="lalr")
        self.words = {one.name: WORDS.get(one.name) or (one.pattern.value,) for one in made.terminals}
        self.rules: dict[str, list[list[Any]]] = {}
        for rule in made.rules:
            self.rules.setdefault(rule.origin.name, []).append(rule.expansion)
        self.height = dict.fromkeys(self.words, 1)  # how many rules deep the shortest way out is
        while len(self.height) < len(self.words) + len(self.rules):
            for name, ways in self.rules.items():
                known = [way for way in ways if all(part.name in self.height for part in way)]
                if known and name not in self.height:
                    self.height[name] = 1 + min(
                        max((self.height[part.name] for part in way), default=0) for way in known
                    )

    def sentence(self, at: str, chance: Random, left: int) -> str:
        """A sentence of a rule; once no rules are left to go through, the shortest way out is taken."""
        if at in self.words:
            return chance.choice(self.words[at])
        if at in COMMON and chance.random() < 0.6:
            return self.sentence(COMMON[at], chance, left - 1)
        ways = self.rules[at]
        if left <= 0:
            ways = [min(ways, key=lambda way: max((self.height.get(part.name, 99) for part in way), default=0))]
        return " ".join(self.sentence(part.name, chance, left - 1) for part in chance.choice(ways))


def of_sentences(batch: int, number: int) -> Iterator[Folder]:
    chance = Random(batch)
    grammar = Grammar()
    for _ in range(number):
        at = chance.choice(list(SENTENCES))
        cell = quoted(grammar.sentence(at, chance, chance.choice([2, 4, 5, 6, 7, 8, 9, 14])))
        place = SENTENCES[at].replace("HERE", cell)
        row = place if place.startswith("more") else ASKED[at]
        rules = SOUND.replace("TABLE", f"tables: {{{place}}}" if place != row else "").replace("EXTRA", row)
        yield folder(rules, SITUATION)


def quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def document(chance: Random, keys: list[str], depth: int = 0) -> Any:
    """YAML of any shape."""
    kind = chance.random() * (1 + depth / 3)
    if kind < 0.25:
        return [document(chance, keys, depth + 1) for _ in range(chance.randint(0, 4))]
    if kind < 0.8:
        return {a_key(chance, keys): document(chance, keys, depth + 1) for _ in range(chance.randint(0, 5))}
    return chance.choice(
        [chance.choice(SCALARS), chance.choice(NAMES), chance.choice(keys), str(chance.randint(-3, 400))]
    )


def a_key(chance: Random, keys: list[str]) -> str:
    return chance.choice(chance.choice([keys, keys, NAMES, SCALARS]))


def known_keys() -> list[str]:
    found: set[str] = set()

    def walk(node: Any) -> None:
        if isinstance(node, dict):
            found.update(node.get("properties", {}) if isinstance(node.get("properties"), dict) else {})
            for inner in node.values():
                walk(inner)
        elif isinstance(node, list):
            for inner in node:
                walk(inner)

    walk(json.loads((ROOT / "schemas" / "ruleset.schema.json").read_text(encoding="utf-8")))
    return sorted(found)


TOP = ("kinds", "tables", "sequences", "dice", "decks", "words", "options", "outcomes", "groups", "counters", "clauses", "rounds",
       "assumptions", "strength-lost", "obligations", "language", "start", "sources", "title", "about")  # fmt: skip


def of_documents(batch: int, number: int) -> Iterator[Folder]:
    chance = Random(batch)
    keys = known_keys()
    sound = SOUND.replace("TABLE", "").replace("EXTRA", "more: {each: unit, do: add 1 to hurt}")
    for _ in range(number):
        one = document(chance, keys)
        part = chance.choice(TOP)
        if chance.random() < 0.5:  # in the place of a part of a ruleset that is sound otherwise
            lines = top_parts(sound)
            lines[part] = f"{part}: {flowing(one)}\n"
            rules = "".join(lines.values())
        else:
            rules = sound + f"{part if part not in sound else 'tables'}: {flowing(one)}\n"
        yield folder(rules, SITUATION)


def top_parts(text: str) -> dict[str, str]:
    """The parts of a ruleset by their keys, each with all its lines."""
    parts: dict[str, str] = {}
    for line in text.splitlines(keepends=True):
        if line[:1].isspace():
            parts[next(reversed(parts))] += line
        else:
            parts[line.split(":")[0]] = line
    return parts


def flowing(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{flowing(str(key))}: {flowing(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(flowing, value)) + "]"
    text = str(value)
    plain = text and text == text.strip() and not set(text) & set(",:[]{}#*&!|>'\"%@`\n\t") and text[0] not in "-?~"
    return text if plain and text.isascii() else '"' + "".join(escaped(sign) for sign in text) + '"'


def escaped(sign: str) -> str:
    if sign in '"\\':
        return "\\" + sign
    return sign if sign.isprintable() else f"\\U{ord(sign):08x}"


def of_slips(batch: int, number: int) -> Iterator[Folder]:
    chance = Random(batch)
    while True:
        made = Rules(chance.randrange(1 << 30), FAMILIES)
        for _ in range(5):  # the slips are many, making a ruleset up is slow
            rules, situation = slipped(made.rules, chance), made.situation
            if chance.random() < 0.2:
                situation = slipped(situation, chance)
            rules = {**rules, "ruleset": "small"}
            yield folder(written(rules), written(situation))


def slipped(value: Any, chance: Random) -> Any:
    """A document of which a few cells are something else: what stands under the same key elsewhere, or what is hostile."""
    cells: dict[str, list[Any]] = {}
    gather(value, "", cells)
    rate = chance.choice([0.5, 1, 1, 2, 5]) / max(sum(map(len, cells.values())), 1)
    return changed(value, "", chance, rate, cells)


def gather(value: Any, key: str, cells: dict[str, list[Any]]) -> None:
    """Every cell of a document by its key."""
    if isinstance(value, dict):
        for name, inner in value.items():
            gather(inner, str(name), cells)
    elif isinstance(value, list):
        for inner in value:
            gather(inner, key, cells)
    else:
        cells.setdefault(key, []).append(value)


def changed(value: Any, key: str, chance: Random, rate: float, cells: dict[str, list[Any]]) -> Any:
    if isinstance(value, dict):
        kept = {name: changed(inner, str(name), chance, rate, cells) for name, inner in value.items()}
        if kept and chance.random() < rate / 2:
            del kept[chance.choice(list(kept))]
        if chance.random() < rate / 4:
            kept[chance.choice(NAMES)] = chance.choice(SCALARS[:60])
        return kept
    if isinstance(value, list):
        return [changed(inner, key, chance, rate, cells) for inner in value]
    if chance.random() >= rate:
        return value
    return chance.choice(cells[key]) if chance.random() < 0.6 else chance.choice([*SCALARS[:90], *NAMES])


def of_texts(batch: int, number: int) -> Iterator[Folder]:
    chance = Random(batch)
    paths = sorted(path for path in (*ROOT.glob("rulesets/*/*.yaml"), *ROOT.glob("tests/cases/**/*.yaml")))
    texts = [text for path in paths if len(text := path.read_text(encoding="utf-8", errors="replace")) < 30_000]
    while True:
        text = re.sub(r"ruleset: *\S+", "ruleset: ..", torn(chance.choice(texts), chance.choice(texts), chance))
        sound = folder(SOUND.replace("TABLE", "").replace("EXTRA", ""), SITUATION)
        where = chance.choice(FILES)
        if where == FILES[2] and re.search(r"^(variant|extends):", text, re.M):
            where = FILES[0]  # of a variant hundreds of examples are run, which may well take seconds
        yield sound | {where: text}


def torn(text: str, other: str, chance: Random) -> str:
    for _ in range(chance.randint(1, 4)):
        lines = text.splitlines(keepends=True) or [""]
        at, to = sorted((chance.randrange(len(text) + 1), chance.randrange(len(text) + 1)))
        row = chance.randrange(len(lines))
        match chance.randrange(8):
            case 0:
                text = text[:at]
            case 1:
                text = text[:at] + text[min(to, at + 12) :]
            case 2:
                text = text[:at] + chance.choice(SCALARS) + text[at:]
            case 3:
                text = "".join(lines[:row] + lines[row + 1 :])
            case 4:
                text = "".join([*lines[:row], lines[row], *lines[row:]])
            case 5:
                text = "".join([*lines[:row], " " * chance.randint(1, 6) + lines[row], *lines[row + 1 :]])
            case 6:
                more = other.splitlines(keepends=True) or [""]
                text = "".join(
                    [*lines[:row], *more[chance.randrange(len(more)) :][: chance.randint(1, 5)], *lines[row:]]
                )
            case _:
                text = text[:at] + chance.choice("{}[]:,-#&*!|>'\"%@`\t \n\\é\u2028\x85") + text[at:]
    return text


def of_fights(batch: int, number: int) -> Iterator[Folder]:
    chance = Random(batch)
    rules = SOUND.replace("TABLE", "").replace("EXTRA", "more: {each: unit, when: pinned, do: add level to hurt}")
    whole = {
        "sides": {
            "red": {
                "morale": 1,
                "units": {"a": {"size": 2, "trade": "foot"}, "b": {"size": 3, "trade": "horse", "leads": "a"}},
            },
            "blue": {"units": {"c": {"size": 1, "trade": "guns", "pinned": "yes"}}, "morale": 2},
        },
        "fight": {"attacker": "red", "night": "no", "level": 2},
    }
    while True:
        made = slipped(whole, chance)
        yield folder(rules, "".join(f"{flowing(key)}: {flowing(inner)}\n" for key, inner in made.items()))


MAKERS: dict[str, Callable[[int, int], Iterator[Folder]]] = {
    "sentence": of_sentences,
    "document": of_documents,
    "slipped": of_slips,
    "text": of_texts,
    "fight": of_fights,
}

# ---- what is asked of an input -------------------------------------------------------------------------------


@dataclass
class Tally:
    """What became of a batch."""

    inputs: int = 0
    exits: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    slow: list[str] = field(default_factory=list)  # what took too long or too much, but ended
    slowest: tuple[float, str] = (0.0, "")
    most: int = 0  # KiB


class Hang(BaseException):
    """A command is broken off: no `except Exception` of ours may take it for a fault."""


def broken_off(number: int, frame: FrameType | None) -> None:
    raise Hang


def one_batch(maker: str, batch: int, number: int, keep: Path | None) -> Tally:
    from click.testing import CliRunner

    from closecombat.cli.main import main

    tally = Tally()
    runner, chance = CliRunner(), Random(batch)
    signal.signal(signal.SIGVTALRM, broken_off)
    with tempfile.TemporaryDirectory() as made_in:
        for at, texts in enumerate(islice(MAKERS[maker](batch, number), number)):
            top = (keep or Path(made_in)) / f"{maker}-{batch}-{at}"
            (top / "small" / "examples").mkdir(parents=True, exist_ok=True)
            for name, text in texts.items():
                (top / name).write_text(text, encoding="utf-8", errors="replace", newline="")
            rules, fight, examples = (str(top / name) for name in FILES)
            sound = True
            for command in (
                ["check", "--no-cache", str(top / "small")],
                ["test", "--no-cache", "--jobs", "1", examples],
                ["resolve", "--no-cache", fight, "-r", rules, "--seed", "1"],
                ["chances", "--no-cache", fight, "-r", rules],
            ):
                if not (sound or chance.random() < REFUSED_TOO):
                    continue
                label = f"{maker} --from {batch}: input {at}, {command[0]}"
                started = time.process_time()
                signal.setitimer(signal.ITIMER_VIRTUAL, STOP)
                try:
                    result = runner.invoke(main, command, catch_exceptions=True)
                except Hang:
                    tally.faults.append(f"{label}: more than {STOP} s")
                    continue
                finally:
                    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
                took = time.process_time() - started
                tally.exits[f"{command[0]} {result.exit_code}"] += 1
                if command[0] == "check":
                    sound = WRONG.search(result.output) is None
                tally.slowest = max(tally.slowest, (took, label))
                said = result.output
                if isinstance(result.exception, Hang):
                    tally.faults.append(f"{label}: more than {STOP} s")
                elif result.exception is not None and not isinstance(result.exception, SystemExit):
                    tally.faults.append(f"{label}: {result.exception!r}"[:300])
                elif result.exit_code not in (0, 1, 2) or "a fault of closecombat" in said or "Traceback" in said:
                    tally.faults.append(f"{label}: exit {result.exit_code}: {said[:300]}")
                elif result.exit_code and not said.strip():
                    tally.faults.append(f"{label}: exit {result.exit_code} and not a word")
                elif took > SLOW:
                    tally.slow.append(f"{label}: {took:.1f} s")
            tally.inputs += 1
            if keep is None:
                shutil.rmtree(top)
    tally.most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    if tally.most > LARGE:
        tally.slow.append(f"{maker} --from {batch}: {tally.most // 1024} MB in one of its inputs")
    return tally


def in_a_process(tasks: Sequence[tuple[str, int]], keep: Path | None) -> list[Tally]:
    """Batches one after the other in a process of their own: what one of them keeps in memory ends with it."""
    with ProcessPoolExecutor(1, get_context("spawn")) as process:
        return [process.submit(one_batch, maker, batch, BATCH, keep).result() for maker, batch in tasks]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--batches", type=int, default=INPUTS // BATCH, help="of 250 inputs each")
    parser.add_argument("--from", type=int, default=0, dest="first")
    parser.add_argument("--only", choices=list(MAKERS))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", type=Path, help="write the inputs here and leave them")
    asked = parser.parse_args()
    makers = [asked.only] if asked.only else list(MAKERS)
    whole = Tally()
    tasks = [(makers[batch % len(makers)], batch) for batch in range(asked.first, asked.first + asked.batches)]
    shares = [tasks[at : at + TOGETHER] for at in range(0, len(tasks), TOGETHER)]
    with ThreadPoolExecutor(asked.jobs) as crew:
        share = partial(in_a_process, keep=asked.keep)
        for done, tally in enumerate(chain.from_iterable(crew.map(share, shares)), 1):
            whole.inputs += tally.inputs
            whole.exits += tally.exits
            whole.faults += tally.faults
            whole.slow += tally.slow
            whole.slowest = max(whole.slowest, tally.slowest)
            whole.most = max(whole.most, tally.most)
            for fault in tally.faults + tally.slow:
                print(fault, flush=True)
            if done % 10 == 0 or done == len(tasks):
                print(
                    f"{whole.inputs} inputs, {len(whole.faults)} faults, {len(whole.slow)} slow or large",
                    file=sys.stderr,
                    flush=True,
                )
    slowest, which = whole.slowest
    print(f"{whole.inputs} inputs: {len(whole.faults)} faults, {len(whole.slow)} slow or large;")
    print(f"slowest {slowest:.2f} s ({which});")
    print(
        f"most memory {whole.most // 1024} MB; exits " + ", ".join(f"{k}: {v}" for k, v in sorted(whole.exits.items()))
    )
    return 1 if whole.faults or whole.slow else 0


if __name__ == "__main__":
    raise SystemExit(main())
