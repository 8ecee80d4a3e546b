"""Plants faults into the shipped rulesets, one at a time, and looks whether anybody notices.

    python tests/seeded_faults.py                  # the 500 faults that stand in seeded_faults.jsonl
    python tests/seeded_faults.py 0 40 skirmish    # of seeds 0 to 39, those in these rulesets only
    python tests/seeded_faults.py 0 500 --quick    # by `check` alone
    python tests/seeded_faults.py 0 500 --keep f   # what is known stands in f: go on from there, and with --again
                                                   # try anew what nobody has noticed
    python tests/seeded_faults.py 0 500 --draw     # draw those anew whose text is no longer there, and write them down

A fault is one of the slips below at a place that the seed picks: a row, a cell, a word or a number of a file of rules.
It is written down with the lines that it changes, so that it stays the same fault while other lines come and go, and is
found again where its own lines have come to say more; only where what it changes is gone is it drawn anew. What is no rule has no faults: second readings (`else:` of
assumptions), claims (`properties`), and what a play-aid shows (`sheet`).

It is caught if `check` says anything (warnings too), or if an example fails: those that ask for the row in which it
stands are played first, the quickest first, and all others after `check`. What nobody notices is listed with its place,
and so is the share that is caught of each kind.

A change that is no fault is drawn anew, where that can be proved from the text alone (`no_fault`): the rules then say
the same of every situation that they admitted. Proved by hand, and counted as missed, is no other.
"""

from __future__ import annotations

import json
import re
import shutil
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cache
from itertools import pairwise
from math import inf
from pathlib import Path
from random import Random
from unittest.mock import patch

from closecombat.asking.examples.examples import run_example
from closecombat.asking.examples.exercised import Watching, examples_for, exercise
from closecombat.binding import sequences as bound_sequences
from closecombat.binding import terms
from closecombat.binding.charts import Bound
from closecombat.binding.load import loaded, watched
from closecombat.binding.terms import Rank
from closecombat.binding.trees import Const, Counted
from closecombat.checking.check import check_paths
from closecombat.reading.stack import load_stack
from closecombat.reading.types import AThing, Number, Roll, Things, Word
from closecombat.text.faults import Faults, Faulty
from closecombat.text.nodes import Mapping

ROOT = Path(__file__).parents[1] / "rulesets"
WRITTEN = Path(__file__).with_suffix(".jsonl")
NO_FILES = ("clauses.yaml", "properties.yaml", "sheet.yaml")
SYSTEMS = ("squad-leader", "skirmish", "assault", "asl")
PROSE = ("note", "says", "title", "about", "why", "rule", "cites", "assumed", "left-out", "shows", "language", "source")

LEAST_AROUND = 12  # letters on either side of what a fault changes, by which it is found again

ORDERED = ("first-of", "in-order")  # where it counts which row comes first

Change = tuple[int, int, str]  # from, to, and what stands there instead
Slip = Callable[[str, Random], Change | None]


# ---- where a fault can be ----------------------------------------------------------------------------------


def sentences(text: str) -> list[tuple[str, int, int]]:
    """The cells of a file that are no prose: key, start, end."""
    found = re.finditer(
        r"(?:^ *|[{,] *)([a-z][a-z0-9 -]*): +(\"[^\"\n]*\"|[^\s{}\[\],#|>\"][^{},\n#]*)", bare(text), re.M
    )
    return [
        (one[1], one.start(2), one.start(2) + len(one[2].rstrip()))
        for one in found
        if one[1] not in PROSE and one[2].strip()
    ]


def rows(text: str) -> list[re.Match[str]]:
    """Rows of tables and sequences, each in its braces."""
    braces = r"\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}"
    return list(re.finditer(rf"^ {{6,}}[a-z][\w-]*: *{braces}[ \t]*(#.*)?\n", bare(text), re.M))


def swapped(text: str, a: re.Match[str], b: re.Match[str]) -> Change:
    """Two rows that follow each other, in the other order."""
    return a.start(), b.end(), text[b.start() : b.end()] + text[a.start() : a.end()]


def heading(text: str, row: re.Match[str]) -> str:
    """What a row stands under."""
    return heading_at(text, row)[1]


def heading_at(text: str, row: re.Match[str]) -> tuple[int, str]:
    """Where that is, and what."""
    indent = re.match(" *", row[0])
    over = re.compile(rf"^ {{0,{len(indent[0]) - 1 if indent else 0}}}([a-z-]+):[ \t]*(?:#.*)?$", re.M)
    found = list(over.finditer(text[: row.start()]))
    return (found[-1].start(), found[-1][1]) if found else (0, "")


NO_RULES = re.compile(r"^(?:assumptions|properties|title|about|sources):.*\n(?:(?:[ #].*)?\n)*", re.M)


def bare(text: str) -> str:
    """The text with its comments blanked, and what is no rule."""
    without = re.sub(r"(?:^|(?<= ))#.*", lambda found: " " * len(found[0]), text, flags=re.M)
    return NO_RULES.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), without)


def bared_lines(text: str) -> list[str]:
    return [line.rstrip() for line in bare(text).splitlines()]


def inside(
    text: str, random: Random, pattern: str, other: Callable[[re.Match[str]], str], keys: str = ".*"
) -> Change | None:
    """A change of something that a pattern finds in a sentence."""
    found = [
        (at, one)
        for key, at, end in sentences(text)
        if re.fullmatch(keys, key)
        for one in re.finditer(pattern, text[at:end])
    ]
    if not found:
        return None
    at, one = random.choice(found)
    return at + one.start(), at + one.end(), other(one)


# ---- the kinds of fault ------------------------------------------------------------------------------------

CONDITION = "when|unless|is|each|for|who|legal|among|repeat|until"
VALUES = "add|is|times|number|plus|take|shift"


def misspelt(text: str, random: Random) -> Change | None:
    def other(one: re.Match[str]) -> str:
        at = random.randrange(1, len(one[0]) - 1)
        return (
            one[0][:at] + one[0][at + 1] + one[0][at] + one[0][at + 2 :]
            if one[0][at] != one[0][at + 1]
            else one[0][:at] + one[0][at + 1 :]
        )

    return inside(text, random, r"[a-z]{5,}", other, CONDITION)


def another(text: str, random: Random, said: str, stands: str, keys: str = ".*") -> Change | None:
    """In the place of something that stands there, another of those that are said in this file."""
    known = sorted(set(re.findall(said, bare(text))))
    return inside(text, random, stands, lambda one: random.choice([f for f in known if f != one[0]] or ["x"]), keys)


def other_fact(text: str, random: Random) -> Change | None:
    return another(text, random, r"\b([a-z]+(?:-[a-z]+)*) of [a-z]", r"\b[a-z]+(?:-[a-z]+)*(?= of [a-z])")


def other_word(text: str, random: Random) -> Change | None:
    said = r"\bis (?:not )?([a-z]+(?:-[a-z]+)*)"
    return another(text, random, said, r"(?<=\bis )[a-z]+(?:-[a-z]+)*", CONDITION)


def flipped(text: str, random: Random) -> Change | None:
    turned = {"at least": "at most", "at most": "at least", "more than": "less than", "less than": "more than"}
    return inside(text, random, r"at least|at most|more than|less than", lambda one: turned[one[0]])


def denied(text: str, random: Random) -> Change | None:
    return inside(text, random, r"(?<=is )not |\bnot (?!\()", lambda one: "", CONDITION)


def joined_otherwise(text: str, random: Random) -> Change | None:
    return inside(text, random, r" and | or ", lambda one: " or " if one[0] == " and " else " and ", CONDITION)


def out_of_range(text: str, random: Random) -> Change | None:
    return inside(text, random, r"\b\d+\b", lambda one: "9999", CONDITION)


def off_by_one(text: str, random: Random) -> Change | None:
    return inside(
        text, random, r"\b\d+\b", lambda one: str(int(one[0]) + random.choice((-1, 1))), f"{CONDITION}|{VALUES}"
    )


def other_sign(text: str, random: Random) -> Change | None:
    return inside(text, random, r"^[+-](?=\d)", lambda one: "-" if one[0] == "+" else "+", "add")


def dropped_row(text: str, random: Random) -> Change | None:
    found = rows(text)
    return None if not found else (lambda one: (one.start(), one.end(), ""))(random.choice(found))


def row_twice(text: str, random: Random) -> Change | None:
    found = rows(text)
    return (
        None if not found else (lambda one: (one.end(), one.end(), text[one.start() : one.end()]))(random.choice(found))
    )


def order_of_rows(text: str, random: Random) -> Change | None:
    found = [(a, b) for a, b in pairwise(rows(text)) if a.end() == b.start() and heading(text, a) in ORDERED]
    if not found:
        return None
    return swapped(text, *random.choice(found))


def dropped_otherwise(text: str, random: Random) -> Change | None:
    found = list(re.finditer(r"^ +otherwise: .*\n|, otherwise: [^,{}\n]+(?=[,}])", bare(text), re.M))
    return None if not found else (lambda one: (one.start(), one.end(), ""))(random.choice(found))


def swapped_cells(text: str, random: Random) -> Change | None:
    found = [(one, list(re.finditer(r"[^\s,\[\]]+", one[1]))) for one in re.finditer(r"\[([^\[\]{}\n]+)\]", bare(text))]
    pairs = [(one, a, b) for one, cells in found for a, b in pairwise(cells) if a[0] != b[0]]
    pairs = [p for p in pairs if re.match(r" {4,}\S+: *$", text[text.rfind("\n", 0, p[0].start()) + 1 : p[0].start()])]
    pairs = [p for p in pairs if not re.search(r"(?:cites|exercises): *$", text[: p[0].start()])]
    if not pairs:
        return None
    one, a, b = random.choice(pairs)
    at = one.start(1)
    return at + a.start(), at + b.end(), b[0] + text[at + a.end() : at + b.start()] + a[0]


def dropped_column(text: str, random: Random) -> Change | None:
    found = [
        one
        for one in re.finditer(r"(?<=\{)([a-z][a-z -]*): ([^,{}\[\]\"\n]+), ", bare(text))
        if one[1] not in (*PROSE, "die", "is")
    ]
    return None if not found else (lambda one: (one.start(), one.end(), ""))(random.choice(found))


def wrong_clause(text: str, random: Random) -> Change | None:
    found = list(re.finditer(r"(?<=cites: )[A-Za-z][\w.-]*\d", bare(text)))
    return None if not found else (lambda one: (one.start(), one.end(), one[0] + "9"))(random.choice(found))


def wrong_unit(text: str, random: Random) -> Change | None:
    somebody = sorted(set(re.findall(r" of ([a-z]+)\b", bare(text))))
    return inside(
        text, random, r"(?<= of )[a-z]+\b", lambda one: random.choice([w for w in somebody if w != one[0]] or ["x"])
    )


def other_effect(text: str, random: Random) -> Change | None:
    turned = {"gain": "lose", "lose": "gain", "add": "take", "take": "add"}
    return inside(text, random, r"^(gain|lose|add|take)\b", lambda one: turned[one[0]], "do")


def other_verdict(text: str, random: Random) -> Change | None:
    said = sorted({text[a:b] for key, a, b in sentences(text) if key == "is" and re.fullmatch(r"[a-z-]+", text[a:b])})
    return inside(
        text, random, r"^[a-z-]+$", lambda one: random.choice([w for w in said if w != one[0]] or ["x"]), "is"
    )


def misspelt_key(text: str, random: Random) -> Change | None:
    found = list(re.finditer(r"(?<=[{,] )?\b(when|unless|add|each|for|do|roll|play|cites)(?=: )", bare(text)))
    return None if not found else (lambda one: (one.start(), one.end(), one[0][0] + one[0]))(random.choice(found))


SLIPS: dict[str, Slip] = {
    "a misspelt name": misspelt,
    "another fact": other_fact,
    "another word": other_word,
    "a comparison flipped": flipped,
    "a `not` left out": denied,
    "`and` for `or`": joined_otherwise,
    "a number out of range": out_of_range,
    "a number off by one": off_by_one,
    "the other sign": other_sign,
    "a row left out": dropped_row,
    "a row twice": row_twice,
    "rows in another order": order_of_rows,
    "`otherwise` left out": dropped_otherwise,
    "cells swapped": swapped_cells,
    "a column left out": dropped_column,
    "a wrong clause": wrong_clause,
    "the wrong one's": wrong_unit,
    "the opposite effect": other_effect,
    "another verdict": other_verdict,
    "a misspelt column": misspelt_key,
}


# ---- what is no fault --------------------------------------------------------------------------------------

RANGE = re.compile(r"(-?\d+) to (-?\d+)(?: or nobody)?")
WHOSE = r"([a-z][\w-]*)(?: of [a-z -]+)?"
EFFECT = re.compile(
    rf"(gain|lose) {WHOSE}|(?:add|take) .+ (?:to|from) {WHOSE}|set {WHOSE} to .+"
    rf"|(?:put|remove) .+ (?:into|from) {WHOSE}|owe [\w-]+|leave"
)


def no_fault(folder: Path, before: str, change: Change) -> bool:
    """Whether a change can be proved to say the same of every situation that the rules admitted:

    - what stands in a comment;
    - the readings of an option, in another order: which of them holds is said by its `default`, or by the situation;
    - a word in what a row `says`: it is a message;
    - a declared range that is wider: it refuses less, and nothing else is asked of it;
    - whom a row looks at, or a player picks from, said of one or of many: `unit of side`, `units of side`;
    - a member of the group of all those of a side of whom something holds, or one of whom it holds;
    - of faces, a range that goes further beyond the six of a die: `face is 5 to 6`, `5 to 9`;
    - two rows of `first-of` in another order of which never both hold, a column has another word in each, or numbers that
      lie apart, or `when` one holds the other does not, or a row above holds wherever both do; or that come to the same;
    - the rows that a row stands `instead-of`, in another order: they are all set aside;
    - two words of a list in another order, where no sentence asks by the order of that list, and no table takes the
      higher of these two;
    - what a member of a group is called, where he is called so unasked; that what a row adds is 1 at least;
    - two rows in order that commute: both only write facts (what a player answers is one, and what is thrown), and neither
      writes what the other writes or reads, by whatever tables and groups it asks; both may add to the same, or lose the
      same flag; who leaves is of a kind of which the other does not ask who is there; not both throw, and nobody answers
      who may know more than he did.
    """
    start, end, other = change
    if bared_lines(before[:start] + other + before[end:]) == bared_lines(before):
        return True
    line = before[before.rfind("\n", 0, start) + 1 : before.find("\n", end)]
    if (
        re.match(r" +readings: ", line)
        or is_called_so_anyway(before, change)
        or adds_nothing_anyway(folder, before, change)
    ):
        return True
    name, moved_words = name_of_words(before, start, line), re.findall(r"[^\s,]+", before[start:end])
    in_another_order = sorted(moved_words) == sorted(re.findall(r"[^\s,]+", other))
    if in_another_order and re.search(r"[{ ]instead-of: *\[[^\]]*$", before[:start]):
        return True
    if name and in_another_order:
        return name != "outcomes" and not asked_by_order(folder, name, set(moved_words))
    after = before[:start] + other + before[end:]
    for key, at, till in sentences(before):
        if at <= start and end <= till:
            new = after[at : till + len(other) - (end - start)]
            if key in ("each", "among") and re.sub(r"^([a-z-]+?)s? of ", r"\1 of ", new) == re.sub(
                r"^([a-z-]+?)s? of ", r"\1 of ", before[at:till]
            ):
                return True
            if key == "says" or (key == "is" and is_wider(before[at:till], new)) or same_faces(before[at:till], new):
                return True
            of_whom = re.match(r" of ([a-z-]+)", before[end:])
            return of_whom is not None and {before[start:end], other} in member_of_all(folder, of_whom[1])
    pair = next(((a, b) for a, b in pairwise(rows(before)) if swapped(before, a, b) == change), None)
    if pair is not None:
        rows_before = [before[one.start() : one.end()] for one in pair]
        if heading(before, pair[0]) != "first-of":
            return commute(folder, re.findall(r"^  ([a-z][\w-]*):", before[: pair[0].start()], re.M)[-1], *rows_before)
        above = [
            one[0]
            for one in rows(before)
            if heading_at(before, one) == heading_at(before, pair[0]) and one.start() < pair[0].start()
        ]
        return (
            exclude_each_other(folder, *rows_before)
            or come_to_the_same(*rows_before)
            or any(holds_with_both(one, *rows_before) for one in above)
        )
    return False


BOUNDS = {"at least": (0, None), "at most": (None, 0), "more than": (1, None), "less than": (None, -1)}


def span(cell: str) -> tuple[float, float] | None:
    """From where to where a whole number lies of which a cell speaks."""
    if found := re.fullmatch(r"(?:(at least|at most|more than|less than) )?(-?\d+)", cell):
        low, high = BOUNDS.get(found[1] or "", (0, 0))
        number = int(found[2])
        return (-inf if low is None else number + low, inf if high is None else number + high)
    found = RANGE.fullmatch(cell)
    return None if found is None else (int(found[1]), int(found[2]))


def apart(one: str, other: str) -> bool:
    """Whether two cells never hold of one whole number."""
    a, b = span(one), span(other)
    return a is not None and b is not None and (a[1] < b[0] or b[1] < a[0])


def is_wider(old: str, new: str) -> bool:
    ranges = [found for found in map(RANGE.fullmatch, (old.strip(), new.strip())) if found]
    if len(ranges) < 2:
        return False
    (low, high), (lower, higher) = ([int(end) for end in one.groups()] for one in ranges)
    return lower <= low and high <= higher


@cache
def member_of_all(folder: Path, kind: str) -> list[set[str]]:
    """How a member is called of a group of all those of a side of whom something holds, and what that is: each of the two
    says the same of somebody who has a side."""
    many = next((one.plural for one in all_bound(folder)[0].ruleset.kinds.values() if one.name == kind), "")
    said = rf"each: ([a-z-]+), *about: side, *are: {many} of side where \(([a-z-]+)\)\}}"
    return [set(found) for one in named(folder, "groups").values() for found in re.findall(said, one)]


def same_faces(old: str, new: str) -> bool:
    found = [re.search(r"\bface is (\d+) to (\d+)\b", one) for one in (old, new)]
    return all(one is not None and int(one[2]) >= 6 for one in found) and len({one[1] for one in found if one}) == 1


def columns(row: str) -> dict[str, str]:
    return {
        one[0].strip(): one[1].strip()
        for one in re.findall(r"([\w -]+): *(\[[^\]]*\]|\"[^\"]*\"|[^,{}]+)", row.partition("{")[2])
    }


NO_CONDITION = {"is", "says", "play", "do", "cites", "assumed", "add", "times", "rounded", "each", "for", "instead-of"}
ROW_VERBS = {"choose", "by", "among", "legal", "otherwise", "answered", "roll", "create", "into", "as", "single-out", "from",
             "ties", "declare", "repeat", "at-most", "deal", "shuffle", "number"}  # fmt: skip


def exclude_each_other(folder: Path, one: str, other: str) -> bool:
    return bool(told_apart_by(folder, one, other))


def told_apart_by(folder: Path, one: str, other: str) -> list[str]:
    """The columns by which two rows never hold of the same one: another word of one list in each, yes and no, numbers
    that lie apart, or `when:` the other does not."""
    a, b = (spelt_out(folder, columns(row)) for row in (one, other))
    return [
        key
        for key in (a.keys() & b.keys()) - NO_CONDITION - ROW_VERBS
        if apart(a[key], b[key])
        or {a[key], b[key]} == {"yes", "no"}
        or (key == "when" and b[key] in (denied_all(a[key]), denied_any(a[key])))
        or are_other_words(folder, key, a[key].split(" or "), b[key].split(" or "))
    ]


def denied_all(cell: str) -> str:
    """`no a or no b`, if a cell says `any a and any b`: what holds where that does not."""
    parts = cell.split(" and ")
    sound = all(re.fullmatch(r"any [a-z -]+", one) and " or " not in one for one in parts)
    return " or ".join(f"no {one[4:]}" for one in parts) if sound else ""


def denied_any(cell: str) -> str:
    """`any a and any b`, if a cell says `no a or no b`."""
    parts = cell.split(" or ")
    sound = all(re.fullmatch(r"no [a-z -]+", one) and " and " not in one for one in parts)
    return " and ".join(f"any {one[3:]}" for one in parts) if sound else ""


def are_other_words(folder: Path, key: str, one: list[str], other: list[str]) -> bool:
    """Whether what is asked is a fact, a table or an option that is one of some words, and the cells hold such words,
    and not one of them both."""
    bound, _ = all_bound(folder)
    ruleset, name, said = bound.ruleset, key.split(" ")[0], {*one, *other}
    types = [kind.facts[name].type for kind in ruleset.kinds.values() if name in kind.facts]
    types += [bound.table(name).type] if name in ruleset.tables else []
    lists = [type.words for type in types if isinstance(type, Word)]
    lists += [ruleset.options[name].readings] if name in ruleset.options else []
    named = {*ruleset.tables, *ruleset.groups, *(fact for kind in ruleset.kinds.values() for fact in kind.facts)}
    return any(said <= set(words) for words in lists) and not said & named and not set(one) & set(other)


def holds_with_both(above: str, one: str, other: str) -> bool:
    """Whether a row above two of `first-of` holds wherever both do: it asks nothing but what they ask."""
    a, b, c = (
        {(key, cell) for key, cell in columns(row).items() if key == "when" or key not in NO_CONDITION | ROW_VERBS}
        for row in (one, other, above)
    )
    return bool(c) and c <= a | b and not any({"each", "for"} & columns(row).keys() for row in (above, one, other))


def spelt_out(folder: Path, row: dict[str, str]) -> dict[str, str]:
    """A row that asks `smc: yes` also asks what `smc: {is: class is leader or hero}` does."""
    known = definitions(folder)
    asked = [re.search(r"\bis: ([a-z][\w-]*) is ((?!not\b)[a-z][\w-]*(?: or [a-z][\w-]*)*) *,", known[key])
             for key, cell in row.items() if cell == "yes" and known.get(key, "").count("\n") == 1]  # fmt: skip
    return {found[1]: found[2] for found in asked if found} | row


def come_to_the_same(one: str, other: str) -> bool:
    a, b = columns(one), columns(other)
    said = ("is", "do", "play", "add")  # what a value rests on is told, and is no part of it
    return not {"each", "for"} & (a.keys() | b.keys()) and [a.get(key) for key in said] == [b.get(key) for key in said]


def is_called_so_anyway(text: str, change: Change) -> bool:
    """Whether all that is left out is what a member of a group or set is called, and he is called so unasked: the name
    without its `s`."""
    start, end, other = change
    each = re.fullmatch(r"each: ([a-z][\w-]*), ([\w-]*)", text[start:end])
    row = re.search(r"\n +([a-z][\w-]*): *\{[^{}]*$", text[:start])
    if each is None or row is None or other != each[2] or row[1].removesuffix("s") != each[1]:
        return False
    part = re.findall(r"^([a-z][\w-]*):", text[:start], re.M)[-1:]
    whole = text[row.start() : text.find("}", end)]
    return part == ["groups"] or (part == ["kinds"] and re.search(r"[{ ]are: ", whole) is not None)


def adds_nothing_anyway(folder: Path, text: str, change: Change) -> bool:
    """Whether all that is left out of a row is that what it adds, or takes off, is 1 at least: else it is 0."""
    start, end, other = change
    column = re.fullmatch(r"([a-z][a-z -]*): at least 1,[ ]*([\w-]*)", text[start:end])
    row = next((one for one in rows(text) if one.start() <= start and end <= one.end()), None)
    if column is None or other != column[2] or row is None or "instead-of" in row[0]:
        return False
    fact, *owners = column[1].split(" of ")
    kinds = all_bound(folder)[0].ruleset.kinds.values()
    types = [kind.facts[fact].type for kind in kinds if fact in kind.facts]
    somebody = [kind.facts[one].type for one in owners for kind in kinds if one in kind.facts]
    return (
        columns(row[0]).get("add") in (column[1], f"-{column[1]}")
        and bool(types)
        and all(isinstance(one, Number) and not one.nobody and one.low is not None and one.low >= 0 for one in types)
        and all(isinstance(one, AThing) and not one.nobody for one in somebody)
    )


def name_of_words(text: str, at: int, line: str) -> str:
    """Whose words a list is: of a table (`words: [..]`), a fact (also where the list stands in a line of its own, `is:
    [..]`) or a named list; of no row of a sheet or chart."""
    found = re.fullmatch(r"( +)([a-z][\w-]*): *\[[a-z][\w-]*(?:, *[a-z][\w-]*)*\](?: *#.*)?\n?", line)
    if found is None:
        return ""
    over: list[str] = []
    indent = len(found[1])
    for above in reversed(text[:at].splitlines()[:-1]):  # what it stands under, the nearest first
        if (head := re.fullmatch(r"( *)([a-z][\w-]*):[ \t]*(?:#.*)?", above)) and len(head[1]) < indent:
            over.append(head[2])
            indent = len(head[1])
    parts = ["given", "printed", "noted", "chosen"]
    if found[2] == "words" and over:
        return over[0]
    if found[2] == "is":
        return over[0] if over[1:2] and over[1] in parts else ""
    return found[2] if over and over[0] in [*parts, "words"] else ""


def asked_by_order(folder: Path, name: str, two: set[str]) -> bool:
    """Whether anything could ask which of `two` words of a list is the higher one: a sentence that has looked up the
    places of its words, or a table that takes the highest or lowest of what its rows say, if both can be said there."""
    bound, ranked = all_bound(folder)
    if any(two <= set(words) for words in ranked):
        return True
    for table in bound.ruleset.tables.values():
        one = bound.table(table.name)
        if table.policy in ("highest-of", "lowest-of") and isinstance(one.type, Word) and two <= set(one.type.words):
            trees = [row.verdict.tree for row in one.rows if row.verdict is not None]
            said = [tree.value if isinstance(tree, Counted) else tree for tree in trees]
            words = {tree.value for tree in said if isinstance(tree, Const)}
            if two <= words or not all(isinstance(tree, Const) for tree in said):
                return True
    texts = "\n".join(texts_of(folder))
    return re.search(rf"\b(?:highest|lowest)\b.*\bface\b|\beach: {name}\b", texts) is not None  # dice, word by word


@cache
def all_bound(folder: Path) -> tuple[Bound, list[tuple[str, ...]]]:
    """A ruleset with all its sentences bound, and the lists of which a sentence asks what is higher."""
    ranked: list[tuple[str, ...]] = []

    def rank(words: tuple[str, ...]) -> Rank:
        ranked.append(words)
        return Rank(words)

    with patch.object(terms, "Rank", rank), patch.object(bound_sequences, "Rank", rank):
        bound = Bound(loaded(load_stack(folder.as_posix())).ruleset)
        bound.bind_all(Faults())
    return bound, ranked


def commute(folder: Path, sequence: str, one: str, other: str) -> bool:
    names = "|".join(row.split(":")[0].strip() for row in (one, other))
    ways = [written(folder, sequence, row) for row in (one, other)]
    for sentence in re.findall(rf".*\bat (?:{names})\b.*", "\n".join(texts_of(folder))):
        if any(way is None or way & read_behind(folder, sentence) for way in ways):
            return False  # what was so at a row is asked
    said = [columns(row) for row in (one, other)]
    if not any({"each", "for"} & row.keys() for row in said):
        for key in told_apart_by(folder, one, other):
            condition = read_behind(folder, f"{key}: {said[0].get(key)}, {key}: {said[1].get(key)}")
            if not any(way is None or way & condition for way in ways):
                return True  # only one of them does anything
    alike = all(re.fullmatch(r"add \d+ to [a-z-]+", row.get("do", "")) for row in said)
    flags = {(found[1], found[2]) if (found := FLAG.fullmatch(row.get("do", ""))) else None for row in said}
    alike |= len(flags) == 1 and None not in flags  # both gain it, or both lose it
    asked = [without_what_is_done(row) if alike else row for row in (one, other)]
    sides = [(read_behind(folder, ask), way) for ask, way in zip(asked, ways, strict=True)]
    if all("choose" in row for row in said) and one_player(folder, said):
        sides = [(reads - {ANSWER}, writes and writes - {ANSWER}) for reads, writes in sides]
    return not any(
        writes is None or writes & reads or (writes & (others or set()) and not alike)
        for (reads, others), (_, writes) in (sides, sides[::-1])
    )


ANSWER, FALL = "(an answer)", "(a fall of dice)"  # which others who answer may know, and those who throw after it


def one_player(folder: Path, said: list[dict[str, str]]) -> bool:
    """Whether all these choices are of one player, whoever is asked: `by: attacker`, a fact of the one fight."""
    kinds = all_bound(folder)[0].ruleset.kinds.values()
    sides = {fact.name for kind in kinds if kind.one for fact in kind.facts.values() if isinstance(fact.type, AThing)}
    return len({row.get("by") for row in said} | {row.get("answered") for row in said}) == 2 and said[0]["by"] in sides


FLAG = re.compile(r"(gain|lose) ([a-z][\w-]*)(?: of [a-z -]+)?")


def without_what_is_done(row: str) -> str:
    """What a row asks: not what it does, nor whether there is anything to lose, or to gain."""
    said = columns(row).get("do", "")
    needless = {"gain": "no", "lose": "yes"}.get(said.split(" ")[0])
    asks = re.sub(rf"(?<=[{{,]) *{re.escape(said.partition(' ')[2])}: *{needless} *,", "", row) if needless else row
    return re.sub(r"\bdo: *[^,{}]*", "", asks)


def written(folder: Path, sequence: str, row: str) -> set[str] | None:
    """The facts that a row writes, or the sequence that it plays, and of which kind somebody leaves; None where that
    cannot be told."""
    said = columns(row)
    verbs = {"choose", "roll", "declare", "create", "repeat", "play", "single-out", "deal", "shuffle"} & said.keys()
    if not verbs <= {"play", "choose", "roll", "single-out", "create"} or not (verbs or "do" in said):
        return None
    names: set[str] = set()
    if "play" in said:
        text = sequences_of(folder).get(said["play"], "")
        facts = [written(folder, said["play"], one[0]) for one in rows(text)]
        if not facts or len(facts) < len(re.findall(r"^ {6}[a-z]", text, re.M)):
            return None
        for one in facts:
            if one is None:
                return None
            names |= one
    if "choose" in said:
        names |= {said["choose"], ANSWER}
    if "create" in said:
        into = said["into"].split(" ")[0]
        names |= {f"come: {kind}" for kind, (many, _) in called(folder).items() if into in many}
    if "roll" in said:
        names |= {said["roll"].split(" ")[0], FALL}
    if "single-out" in said:
        names |= {FALL} | with_members(folder, said["single-out"].split(" ")[0])
    for effect in said["do"].strip("[]").split(",") if "do" in said else ():
        found = EFFECT.fullmatch(effect.strip())
        if found is None:
            return None
        names |= {more for name in found.groups()[1:] if name for more in with_members(folder, name)}
        names |= {f"leave: {kind}" for kind in looked_at(folder, sequence, row)} if effect.strip() == "leave" else set()
    return names


def with_members(folder: Path, name: str) -> set[str]:
    """A fact, and what the members are called where it is a set."""
    kinds = all_bound(folder)[0].ruleset.kinds.values()
    return {name} | {
        fact.type.each
        for kind in kinds
        for fact in kind.facts.values()
        if fact.name == name and isinstance(fact.type, Things)
    }


def looked_at(folder: Path, sequence: str, row: str) -> set[str]:
    """Of which kind he is whom a row looks at, or whom its sequence is about."""
    bound, _ = all_bound(folder)
    name = row.split(":")[0].strip()
    act = next(one for one in bound.sequence(sequence).acts if one.act.id == name)
    types = [act.each.type] if act.each is not None else [] if act.who is None else [act.who[0].type]
    about = bound.ruleset.sequences[sequence].about
    if not all(isinstance(one, AThing) for one in types):
        return set(bound.ruleset.kinds)
    return {one.kind for one in types if isinstance(one, AThing)} or set(about)


def read_behind(folder: Path, row: str) -> set[str]:
    """Every word of a row, and of the tables, groups, sequences and dice that it names, and so on; and of which kinds it
    may ask who is there."""
    known = definitions(folder)
    found: set[str] = set()
    members: set[str] = set()
    todo = [bare(row)]
    while todo:
        text = TOLD.sub("", todo.pop())
        members |= set(ONE_OF_THEM.findall(text))
        words = set(re.findall(r"[a-z][\w-]*", text)) - found
        found |= words
        todo += [known[word] for word in words if word in known]
    there = {kind for kind, (many, one) in called(folder).items() if found & many or members & one}
    return (
        found
        | {f"come: {kind}" for kind in comes_into(folder, found, members)}
        | {f"leave: {kind}" for kind in there}
        | ({ANSWER, FALL} if "choose" in found else set())
        | ({FALL} if {"roll", "single-out"} & found else set())
    )


ONE_OF_THEM = re.compile(r"\b(?:any|every|no|other|each:|among:|from:|whoever of) ([a-z][\w-]*)")


def comes_into(folder: Path, words: set[str], members: set[str]) -> set[str]:
    """Of which kinds it would be seen that somebody new is there: all of a kind are asked for, or a set he comes into."""
    sets = set(re.findall(r"\binto: ([a-z][\w-]*)", "\n".join(texts_of(folder)))) | {"in-play"}
    kinds = all_bound(folder)[0].ruleset.kinds.values()
    return {kind.name for kind in kinds if words & sets or kind.plural in words or kind.name in members}


@cache
def called(folder: Path) -> dict[str, tuple[set[str], set[str]]]:
    """How things of each kind are spoken of, many of them, and one of many: a sentence with none of these does not ask
    who is there."""
    bound, _ = all_bound(folder)
    ruleset = bound.ruleset
    found = {kind.name: ({kind.plural, "in-play", "owner"}, {kind.name}) for kind in ruleset.kinds.values()}
    for fact in (fact for kind in ruleset.kinds.values() for fact in kind.facts.values()):
        if isinstance(fact.type, Things):
            found[fact.type.kind][0].add(fact.name)
            found[fact.type.kind][1].add(fact.type.each)
    for group in ruleset.groups.values():
        members = bound.group(group.name).type
        for kind in [members.kind] if isinstance(members, AThing) else found:
            found[kind][0].add(group.name)
            found[kind][1].add(group.each)
    return found


TOLD = re.compile(r"\b(?:cites|assumed|says|title): *(?:\[[^\]]*\]|\"[^\"]*\"|'[^']*'|[^,{}\n]*)")


def texts_of(folder: Path) -> list[str]:
    return [bare(file.read_text("utf-8")) for file in sorted(folder.glob("*.yaml"))]


@cache
def sequences_of(folder: Path) -> dict[str, str]:
    return named(folder, "sequences")


@cache
def definitions(folder: Path) -> dict[str, str]:
    """The text of each table, group, sequence and line of dice of a ruleset, by its name, and whose dice a fact is; of
    all that have one name."""
    found = named(folder, "tables|groups|sequences|dice")
    for kind in all_bound(folder)[0].ruleset.kinds.values():
        for fact in kind.facts.values():
            if isinstance(fact.type, Roll):
                found[fact.name] = found.get(fact.name, "") + f" {fact.type.dice}"
    return found


def named(folder: Path, parts: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for text in texts_of(folder):
        for part in re.findall(rf"^(?:{parts}):\n((?:(?: .*)?\n)*)", text, re.M):
            for one in re.finditer(r"^  ([a-z][\w-]*):(.*\n(?:(?:   .*)?\n)*)", part, re.M):
                found[one[1]] = found.get(one[1], "") + one[2]
    return found


# ---- what is written down ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Fault:
    """A fault of a seed: in a file, these lines become others. They stand there once."""

    seed: int
    kind: str
    file: str  # `asl/tables.yaml`
    before: str
    after: str


def stands(fault: Fault) -> bool:
    """Whether its lines are there still, once."""
    file = ROOT / fault.file
    return file.exists() and file.read_text("utf-8").count(fault.before) == 1


def is_none(fault: Fault) -> bool:
    """Whether it is no fault, as far as that can be proved."""
    file = ROOT / fault.file
    text = file.read_text("utf-8")
    at, old, new = text.index(fault.before), fault.before, fault.after
    for a, b in pairwise(rows(text)) if sorted(old.splitlines()) == sorted(new.splitlines()) else ():
        change = swapped(text, a, b)
        if a.end() == b.start() and old.replace(text[a.start() : b.end()], change[2]) == new != old:
            return no_fault(file.parent, text, change)
    head = alike(old, new)
    tail = min(alike(old[::-1], new[::-1]), min(len(old), len(new)) - head)
    while head and re.match(r"[\w-]", old[head - 1]):  # of whole words
        head -= 1
    while tail and re.match(r"[\w-]", old[-tail]):
        tail -= 1
    return no_fault(file.parent, text, (at + head, at + len(old) - tail, new[head : len(new) - tail]))


def alike(one: str, other: str) -> int:
    """How many letters two texts have in common before they differ."""
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def drawn(seed: int) -> Fault:
    random = Random(seed)
    kind = list(SLIPS)[seed % len(SLIPS)]
    while True:
        folder = ROOT / random.choice(SYSTEMS)
        file = random.choice([one for one in sorted(folder.glob("*.yaml")) if one.name not in NO_FILES])
        text = file.read_text("utf-8")
        change = SLIPS[kind](text, random)
        if change is not None and text[change[0] : change[1]] != change[2] and not no_fault(folder, text, change):
            break
    return in_lines(seed, kind, f"{folder.name}/{file.name}", text, change)


def read_faults() -> dict[int, Fault]:
    lines = WRITTEN.read_text("utf-8").splitlines() if WRITTEN.exists() else []
    return {one.seed: one for one in (Fault(**json.loads(line)) for line in lines)}


def moved(fault: Fault) -> Fault | None:
    """The same fault in lines that say more than they did, or less: what it changes stands there still, with as much
    around it as makes it the only one."""
    file = ROOT / fault.file
    head = alike(fault.before, fault.after)
    tail = min(alike(fault.before[::-1], fault.after[::-1]), min(len(fault.before), len(fault.after)) - head)
    old, new = (one[head : len(one) - tail] for one in (fault.before, fault.after))
    if "\n" in old + new or not file.exists():
        return None
    text = file.read_text("utf-8")
    for near in range(max(head, tail), LEAST_AROUND - 1, -1):
        left, right = fault.before[max(head - near, 0) : head], fault.before[len(fault.before) - tail :][:near]
        if text.count(left + old + right) == 1:
            at = text.index(left + old + right) + len(left)
            return in_lines(fault.seed, fault.kind, fault.file, text, (at, at + len(old), new))
    return None


def in_lines(seed: int, kind: str, file: str, text: str, change: Change) -> Fault:
    """A fault with the lines that it changes."""
    start, end, other = change
    first = text.rfind("\n", 0, start) + 1
    last = end if text[end - 1 : end] == "\n" else text.find("\n", end) + 1
    while text.count(text[first:last]) > 1:  # such lines stand there twice: with one more above them
        first = text.rfind("\n", 0, first - 1) + 1
    before = text[first:last]
    return Fault(seed, kind, file, before, before[: start - first] + other + text[end:last])


def draw(seeds: range) -> None:
    """Finds those again whose lines are others by now, and draws those anew that are not to be found, or no faults."""
    known = read_faults()
    for seed in seeds:
        here = known.get(seed)
        if here is not None and not stands(here):
            here = moved(here)
        if here is None or is_none(here):
            here = drawn(seed)
            print(f"{seed} {here.file}: drawn", flush=True)
        known[seed] = here
    lines = (json.dumps(asdict(known[seed]), ensure_ascii=False) for seed in sorted(known))
    WRITTEN.write_text("\n".join(lines) + "\n", "utf-8")


# ---- who notices -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Planted:
    """A fault, and who has noticed it: `check`, `examples`, or nobody."""

    seed: int
    kind: str
    place: str
    change: str
    noticed: str


@dataclass(frozen=True)
class Case:
    """An example, the lines of the rows that it asks for (file and line), and how long it takes."""

    example: Mapping
    lines: frozenset[tuple[str, int]]
    took: int


PATIENCE = 20  # seconds for one example: it may never come to an end


def planted(desk: Path, fault: Fault, quick: bool) -> Planted:
    file = desk / fault.file
    text = file.read_text("utf-8")
    at = text.index(fault.before)
    line = text.count("\n", 0, at + alike(fault.before, fault.after)) + 1
    if not quick:
        cases(file.parent)  # of the sound ruleset
    file.write_text(text.replace(fault.before, fault.after), "utf-8")
    try:
        noticed = who_notices(file.parent, file.name, line, quick)
    finally:
        file.write_text(text, "utf-8")
    old, new = (one.splitlines() for one in (fault.before, fault.after))
    change = [f"- {one.strip()}" for one in old if one not in new] + [
        f"+ {one.strip()}" for one in new if one not in old
    ]
    return Planted(fault.seed, fault.kind, f"{fault.file}:{line}", "\n    ".join(change or ["rows"]), noticed)


@cache
def cases(folder: Path) -> list[Case]:
    """The examples of a sound ruleset, the quickest first."""
    found = load_stack(folder.as_posix())
    ruleset, watching, out = loaded(found).ruleset, Watching(), []
    bound = watched(ruleset, watching.watch)
    texts: dict[str, str] = {}
    for _, example, _ in examples_for(found, ruleset.name):
        one = exercise(bound, watching, example)
        lines = set()
        for file, start in one.asked:
            text = texts.setdefault(file, Path(file).read_text("utf-8"))
            lines.add((Path(file).name, text.count("\n", 0, start) + 1))
        out.append(Case(example, frozenset(lines), one.took))
    return sorted(out, key=lambda case: case.took)


def who_notices(folder: Path, file: str, line: int, quick: bool) -> str:
    try:
        bound = loaded(load_stack(folder.as_posix()))
    except Faulty:
        return "check"
    here = [] if quick else [one for one in cases(folder) if (file, line) in one.lines]
    if any(is_missed(bound, one) for one in here):
        return "examples"
    if check_paths([folder.as_posix()]):
        return "check"
    others = [] if quick else [one for one in cases(folder) if one not in here]
    return "examples" if any(is_missed(bound, one) for one in others) else ""


def is_missed(bound: Bound, case: Case) -> bool:
    signal.signal(signal.SIGVTALRM, too_long)
    signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE)  # of work: on a busy machine a sound example may take as long
    try:
        return bool(run_example(bound, case.example).faults)
    except (Faulty, RecursionError, MemoryError, TimeoutError):
        return True
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def too_long(*_: object) -> None:
    raise TimeoutError


def run(seeds: range, systems: tuple[str, ...], quick: bool, keep: Path | None, again: bool) -> int:
    known: dict[int, Planted] = {}
    for line in keep.read_text("utf-8").splitlines() if keep is not None and keep.exists() else ():
        one = Planted(**json.loads(line))
        known[one.seed] = one
    faults = [one for seed, one in sorted(read_faults().items()) if seed in seeds and one.file.split("/")[0] in systems]
    gone = [one for one in faults if not stands(one)]
    with tempfile.TemporaryDirectory() as desk:
        for system in systems:
            shutil.copytree(ROOT / system, Path(desk) / system)
        for fault in faults:
            if fault in gone:
                continue
            if fault.seed not in known or (again and not known[fault.seed].noticed):
                known[fault.seed] = one = planted(Path(desk), fault, quick)
                if keep is not None:
                    with keep.open("a", encoding="utf-8") as stream:
                        stream.write(json.dumps(asdict(one)) + "\n")
            one = known[fault.seed]
            if not one.noticed:
                print(f"{one.seed} {one.place}: {one.kind}:\n    {one.change}", flush=True)
    found = [known[fault.seed] for fault in faults if fault not in gone]
    for kind in SLIPS:
        of_kind = [bool(one.noticed) for one in found if one.kind == kind]
        print(f"{sum(of_kind):4} of {len(of_kind):3} {kind}")
    noticed = Counter(one.noticed or "nobody" for one in found)
    share = 100 * (len(found) - noticed["nobody"]) / max(len(found), 1)
    said = ", ".join(f"{many} by {who}" for who, many in sorted(noticed.items()))
    print(f"{len(found)} faults: {said}; {share:.1f} % caught")
    if gone:
        print(f"their text is gone: {', '.join(str(one.seed) for one in gone)}; --draw draws others")
    return 0


if __name__ == "__main__":
    words = sys.argv[1:]
    kept = Path(words.pop(words.index("--keep") + 1)) if "--keep" in words else None
    numbers = [int(one) for one in words if one.isdigit()]
    chosen = tuple(one for one in SYSTEMS if one in words) or SYSTEMS
    these = range(*(numbers or [500]))
    if "--draw" in words:
        draw(these)
    else:
        sys.exit(run(these, chosen, "--quick" in words, kept, "--again" in words))
