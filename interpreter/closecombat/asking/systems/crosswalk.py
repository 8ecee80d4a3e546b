"""Concept by concept what each system says, side by side: the rows that do it, what they are worth, and the clauses.

Concepts are the words of the order of battle, and those that it lists besides because no fight is told in them. What a
system says of one is put together of what is there: what it fields for the word, and every row of its rules that reads
or writes a fact which that sets, or which the system's file names under `concepts:`. The words of a row are those of
the sheet (`asking/printed/sheet`). Whatever modifies or forbids and belongs to no concept is told at the end, system
by system, so that nothing is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from closecombat.asking.editing.names import IN_WORDS
from closecombat.asking.printed.sheet import GRID, Told, rows_in_words
from closecombat.asking.printed.shows import effective
from closecombat.binding.load import loaded_whole
from closecombat.reading.battle_files import fielding_of, files_of, words_for
from closecombat.reading.battle_words import CARRIED, CIRCUMSTANCE, CONCEPT, GROUND, STATE, UNIT, Word, Words
from closecombat.reading.fielding import Fielding, Row
from closecombat.reading.model import Choose, Ruleset, name_of_stack
from closecombat.reading.stack import load_stack
from closecombat.reading.told_once import NOTHING
from closecombat.reading.types import Word as WordType
from closecombat.text.faults import Faults
from closecombat.text.nodes import Listing, Node, Text
from closecombat.text.nodes import Mapping as MappingNode
from closecombat.text.slotted import dataclass

NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
SETS_UP = ("counter", "class")
RULES, NO_RULE, NO_FIGHT, UNSAID = "rules", "no-rule", "no-fight", "unsaid"
TOLD = (STATE, CONCEPT, GROUND, CIRCUMSTANCE, CARRIED, UNIT)
ORDER = (GRID, "adds-up", "forbidden-if")  # what is told first


@dataclass(frozen=True, slots=True)
class Fields:
    """What a system fields for a word, in one case: what it is worth, why, by which clauses."""

    worth: str
    why: str
    cites: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Says:
    """What a system says of a concept. `sort` is RULES, NOTHING where it changes nothing there, NO_RULE, NO_FIGHT, or
    UNSAID where nobody has said what the system makes of it; `names` are what its rules call it."""

    sort: str
    fields: tuple[Fields, ...] = ()
    rows: tuple[Told, ...] = ()
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Concept:
    """What rules are about, and what each system says of it; `sort` is where it stands in the order of battle."""

    name: str
    means: str
    sort: str
    says: Mapping[str, Says]

    @property
    def shared(self) -> bool:
        """Whether two systems or more have rules for it; where only one is asked, whether that one has."""
        return sum(each.sort == RULES for each in self.says.values()) >= min(2, len(self.says))


@dataclass(frozen=True, slots=True)
class Crosswalk:
    """`alone` are of each system the rows that modify or forbid and belong to no concept."""

    systems: tuple[str, ...]
    titles: Mapping[str, str]
    concepts: tuple[Concept, ...]
    alone: Mapping[str, tuple[Told, ...]]


def crosswalk_of(stacks: Sequence[str]) -> Crosswalk:
    """The crosswalk of some rulesets or stacks. Raises Faulty if one of them cannot be read."""
    faults = Faults()
    words = words_for(None, faults)
    systems = [_system(stack, words, faults) for stack in stacks]
    faults.raise_if_any()
    known = [words.known[name] for sort in TOLD for name in words.of(sort)]
    concepts = tuple(
        Concept(word.name, word.means, word.sort, {system.name: system.says(word) for system in systems})
        for word in known
    )
    alone = {}
    for system in systems:
        told = {row.path for one in concepts for row in one.says[system.name].rows}
        alone[system.name] = tuple(row for row in system.rows if row.policy in ORDER and row.path not in told)
    return Crosswalk(
        tuple(one.name for one in systems), {one.name: one.ruleset.title for one in systems}, concepts, alone
    )


@dataclass(frozen=True, slots=True)
class _System:
    """A ruleset with what it fields: its rows in words, but for those of a reading that is not in force, and the names
    that each of them holds."""

    name: str
    ruleset: Ruleset
    fielding: Fielding | None
    rows: tuple[Told, ...]
    holds: Mapping[str, frozenset[str]]

    def says(self, word: Word) -> Says:
        fielded = self.fielding.words.get(word.name, ()) if self.fielding is not None else ()
        named = self.fielding.concepts.get(word.name, ()) if self.fielding is not None else ()
        names = tuple(dict.fromkeys((*self.set_by(word, fielded), *(one.name for one in named))))
        rows = tuple(sorted(self.about(names), key=_rank))
        told = tuple(dict.fromkeys(_fields(row) for row in fielded if row.worth or row.why or row.rule or row.fight))
        if not fielded and not rows:
            return Says(UNSAID if self.fielding is None or word.sort != CONCEPT else NO_RULE)
        if rows or any(row.worth not in ("", NOTHING) or (row.puts and not row.worth) for row in fielded):
            return Says(RULES, told, rows, names)
        if all(row.rule or row.fight for row in fielded):
            return Says(NO_FIGHT if all(row.fight for row in fielded) else NO_RULE, told)
        return Says(NOTHING, told)

    def about(self, names: Sequence[str]) -> Iterator[Told]:
        """The rows that hold one of these names, or that one of them is the path of, or lies in."""
        wanted, paths = frozenset(names), tuple(f"{name}." for name in names if "." in name)
        for row in self.rows:
            if self.holds.get(row.path, frozenset()) & wanted or f"{row.path}.".startswith(paths or ("\0",)):
                yield row

    def set_by(self, word: Word, rows: Iterable[Row]) -> Iterator[str]:
        """The facts, or words of a list, that a fight is given for a word, and what is answered at a row."""
        if word.sort == UNIT:  # what somebody is, and not how he is
            return
        for row in rows:
            for key, node in row.puts:
                if key == "choices":
                    yield from _answered(self.ruleset, node)
                elif key != "options":
                    yield from _set(self.ruleset, node)


def _system(stack: str, words: Words, faults: Faults) -> _System:
    read = load_stack(stack)
    fielding = fielding_of(words, files_of(stack, None, Path()), faults)
    ruleset = loaded_whole(load_stack(stack, whole=True)).ruleset
    rows = tuple(rows_in_words(ruleset))
    holds: dict[str, frozenset[str]] = {}
    for line in effective(read):
        if line.node is not None:
            holds[line.path] = frozenset(_names_in(line.node))
    return _System(name_of_stack(ruleset), ruleset, fielding, rows, holds)


def _names_in(node: Node) -> Iterator[str]:
    """Every name in the sentences of a row."""
    match node:
        case Text(value):
            yield from NAME.findall(value)
        case Listing(items):
            for item in items:
                yield from _names_in(item)
        case MappingNode(entries):
            for key, inner in entries:
                if key.value not in IN_WORDS:
                    yield from NAME.findall(key.value)
                    yield from _names_in(inner)


def _set(ruleset: Ruleset, node: Node) -> Iterator[str]:
    facts = {name: fact for kind in ruleset.kinds.values() for name, fact in kind.facts.items()}
    for key, value in node.entries if isinstance(node, MappingNode) else ():
        fact = facts.get(key.value)
        if key.value in SETS_UP:
            continue
        if isinstance(value, MappingNode) and (fact is None or {one.value for one, _ in value.entries} & facts.keys()):
            yield from _set(ruleset, value)
        elif fact is not None:
            is_word = isinstance(fact.type, WordType) and isinstance(value, Text) and value.value in fact.type.words
            yield value.value if is_word and isinstance(value, Text) else key.value
        elif "<" in key.value or key.value in ruleset.kinds:
            yield from _set(ruleset, value)


def _answered(ruleset: Ruleset, node: Node) -> Iterator[str]:
    """The facts that are settled at the rows of a ruleset that are answered."""
    rows = {key.value for key, _ in node.entries} if isinstance(node, MappingNode) else set[str]()
    for sequence in ruleset.sequences.values():
        for act in sequence.acts:
            if act.id in rows and isinstance(act.verb, Choose):
                yield from NAME.findall(act.verb.fact.text)[:1]


def _fields(row: Row) -> Fields:
    if row.rule or row.fight:
        return Fields(
            "no rule" if row.rule else "no fight",
            row.rule or row.why,
            (*row.cites, *([row.fight] if row.fight else [])),
        )
    return Fields(row.worth, row.why, row.cites)


def _rank(row: Told) -> int:
    """What changes a number first, then what is forbidden, other tables, and what is done."""
    return ORDER.index(row.policy) if row.policy in ORDER else len(ORDER) + (not row.policy)
