"""The rulebook of a ruleset: clause by clause in the words of its list, each with the rows that do it and an example
played through; what is left out, and why.

Nothing is typed twice: a clause is told as `clauses` has it, a row as the sheet tells it, and an example as it plays.
Of the examples as few are taken as show all clauses that any of them shows, shorter ones before longer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from closecombat.asking.examples.coverage import Coverage, Covered
from closecombat.asking.printed.sheet import rows_in_words
from closecombat.asking.printed.strip import Strip, steps_of
from closecombat.reading.model import Ruleset, name_of_stack, stands_below
from closecombat.reading.phrases import sentence
from closecombat.text.slotted import dataclass

LONGEST = 9  # pictures of a strip
MEANT = 3  # what a clause counts for an example that is said to exercise it
Draw = Callable[[str], Strip | None]
SECTION = re.compile(r"(.+?)(?:\.[a-z]+|-[a-z]|-\d+[a-z]?|(?<![a-z])[a-z])")


@dataclass(frozen=True, slots=True)
class Does:
    """A row that does what a clause says: the chart it stands in, what it is worth, and the row in words."""

    path: str
    chart: str
    amount: str
    text: str


@dataclass(frozen=True, slots=True)
class Entry:
    """A clause; `example` is the strip that shows it, empty where none does."""

    id: str
    scope: str
    rule: str
    why: str  # it is left out
    does: tuple[Does, ...]
    example: str


@dataclass(frozen=True, slots=True)
class Section:
    """Clauses that begin alike, and the strips that are drawn there."""

    name: str
    entries: tuple[Entry, ...]
    strips: tuple[Strip, ...]


@dataclass(frozen=True, slots=True)
class Chapter:
    """Sections below one title, and what their ids begin with; what no chapter is named for has its name as title."""

    title: str
    ids: tuple[str, ...]
    sections: tuple[Section, ...]


@dataclass(frozen=True, slots=True)
class Rulebook:
    """`left` are the numbers of clauses that are told, left out and shown by an example."""

    ruleset: str
    title: str
    sources: Mapping[str, str]
    chapters: tuple[Chapter, ...]
    told: int
    left_out: int
    shown: int


def rulebook_of(found: Coverage, draw: Draw) -> Rulebook:
    """`draw` plays an example by its name and makes a strip of it; nothing of one that has no dice."""
    ruleset = found.bound.ruleset
    strips = _strips(found, draw)
    words = _words(ruleset)
    entries = [
        Entry(
            one.id,
            one.scope,
            one.rule,
            one.why if not one.where else "",
            tuple(dict.fromkeys(_does(ruleset, words, path) for path in _telling(one))),
            next((name for name in _best_first(one.id, strips, found) if name in one.examples), ""),
        )
        for one in found.clauses
    ]
    entries = list(_charts_once(entries, frozenset(f"tables.{name}" for name in ruleset.grids)))
    made = tuple(_chapters(entries, strips, ruleset.chapters))
    left = sum(bool(entry.why) for entry in entries)
    shown = sum(bool(entry.example) for entry in entries)
    return Rulebook(name_of_stack(ruleset), ruleset.title, ruleset.sources, made, len(entries) - left, left, shown)


def _strips(found: Coverage, draw: Draw) -> dict[str, Strip]:
    """Few examples that show all clauses that any of them shows: always the one that shows most of what is still to be
    shown, if its strip is no longer than can be looked at, and it is not `shown: no`."""
    fit = [one for one in found.played if one.passed and one.result.has_dice and one.result.shown and one.file]
    by_name = {one.result.id: one for one in fit}
    left = {one.id: [name for name in one.examples if name in by_name] for one in found.clauses}
    strips: dict[str, Strip] = {}
    while left := {id: names for id, names in left.items() if names}:
        counts: dict[str, int] = {}
        for id, names in left.items():
            for name in names:  # one that was written for a clause shows it best
                counts[name] = counts.get(name, 0) + (MEANT if id in by_name[name].result.exercises else 1)
        best = min(counts, key=lambda name: (-counts[name], name))
        strip = draw(f"{by_name[best].file}#{best}")
        if strip is not None and 2 <= len(strip.panels) <= LONGEST:
            strips[best] = strip
            left = {id: names for id, names in left.items() if best not in names}
        else:
            left = {id: [name for name in names if name != best] for id, names in left.items()}
    return strips


def _best_first(id: str, strips: Mapping[str, Strip], found: Coverage) -> list[str]:
    """The examples that were written for a clause before the others."""
    meant = {one.result.id for one in found.played if id in one.result.exercises}
    return sorted(strips, key=lambda name: name not in meant)


def _charts_once(entries: Iterable[Entry], charts: frozenset[str]) -> Iterator[Entry]:
    """What stands in a chart is told where it is cited first; from then on the chart is only named."""
    told: set[str] = set()
    for entry in entries:
        does = tuple(replace(one, text=one.chart) if one.path in told else one for one in entry.does)
        told |= charts.intersection(one.path for one in does)
        yield replace(entry, does=does)


def _telling(one: Covered) -> list[str]:
    """The paths of what does it: tables, steps and readings; facts and claims only where nothing else cites."""
    paths = [citing.path for citing in one.where]
    rows = [path for path in paths if path.partition(".")[0] in ("tables", "sequences", "options", "outcomes")]
    return rows or paths


def _words(ruleset: Ruleset) -> dict[str, Does]:
    """Every row in words, by its path."""
    found = {one.path: Does(one.path, one.chart, one.line.amount, one.line.text) for one in rows_in_words(ruleset)}
    titles = steps_of(ruleset)
    for sequence in ruleset.sequences.values():
        for act in sequence.acts:
            path = f"sequences.{sequence.name}.{act.id}"
            if path not in found:
                chart = sequence.title or sentence([sequence.name.replace("-", " ")])
                found[path] = Does(path, chart, "", titles[act.where.place])
    return found


def _does(ruleset: Ruleset, words: Mapping[str, Does], path: str) -> Does:
    if path in words:
        return words[path]
    section, *names = path.split(".")
    spaced = " ".join(names[-1:]).replace("-", " ")
    charts: Sequence[Mapping[str, object]] = (ruleset.tables, ruleset.grids, ruleset.sequences)
    for known in charts:
        title = getattr(known.get(names[0]), "title", "") if names else ""
        if title and section in ("tables", "sequences"):
            return Does(path, title, "", title if len(names) == 1 else sentence([spaced]))
    if section in ("tables", "sequences", "kinds") and len(names) > 1:  # a chart without a title, or a sort of things
        return Does(path, sentence([names[0].replace("-", " ")]), "", sentence([spaced]))
    what = {"options": "how it is read", "groups": "who is meant", "tables": "what the rules ask"}.get(section, section)
    option = ruleset.options.get(names[0]) if section == "options" and names else None
    said = f"{option.title or spaced}: {option.default.replace('-', ' ')}" if option is not None else spaced
    return Does(path, sentence([what]), "", sentence([said]))


def _chapters(entries: Iterable[Entry], strips: Mapping[str, Strip], titles: Mapping[str, str]) -> Iterator[Chapter]:
    """The sections of a chapter one after the other, where its first stands; a strip where it is shown first."""
    found: dict[tuple[str, str], dict[str, dict[str, list[Entry]]]] = {}
    for entry in entries:
        above, section = _above(entry.id, titles), _section(entry.id)
        chapter = (titles[above], "") if above else ("", section)
        found.setdefault(chapter, {}).setdefault(above or section, {}).setdefault(section, []).append(entry)
    drawn: set[str] = set()
    for (title, alone), parts in found.items():
        made = []
        for sections in parts.values():
            for name, those in sections.items():
                here = dict.fromkeys(entry.example for entry in those if entry.example and entry.example not in drawn)
                drawn |= here.keys()
                made.append(Section(name, tuple(those), tuple(strips[example] for example in here)))
        yield Chapter(title or alone, tuple(parts) if title else (), tuple(made))


def _above(id: str, titles: Mapping[str, str]) -> str:
    """What a clause stands below: of what its id begins with the longest counts."""
    return max((above for above in titles if stands_below(id, above)), key=len, default="")


def _section(id: str) -> str:
    """What the ids of a section begin with: `A11.2` of `A11.2c`, `SK-dice` of `SK-dice-01`."""
    found = SECTION.fullmatch(id)
    return found[1] if found else id
