"""The rulebook clause by clause: where each clause is implemented, and which examples exercise it.

A clause is implemented where something cites it. An example exercises it if its playing comes to such a place: a
row that counted or may have, a step that was done, a chart or an option that was asked for, a fact that somebody
has. What a row that cites nothing does is nobody's business here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from os.path import abspath
from typing import TypeAlias

from closecombat.asking.examples.collection import Bench, Tested, examples_beside, examples_of, read
from closecombat.binding.charts import Bound
from closecombat.binding.load import loaded
from closecombat.proving.values.budget import UNASKED
from closecombat.reading.fields import list_of
from closecombat.reading.model import name_of_stack, stands_below
from closecombat.reading.ruleset import SCOPES
from closecombat.reading.stack import Stack, load_stack
from closecombat.reading.targets import HEADINGS
from closecombat.text.faults import Faulty, suggest
from closecombat.text.nodes import Listing, Node, Text
from closecombat.text.nodes import Mapping as MappingNode
from closecombat.text.slotted import dataclass
from closecombat.text.source import Span

Place: TypeAlias = tuple[str, int, int]
Tell: TypeAlias = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Citing:
    """Something that cites a clause, by its path; `key` is its name where it is written."""

    path: str
    key: Span
    places: frozenset[Place]  # where its playing may be noted: with its name, or without

    @property
    def place(self) -> str:
        """File and line."""
        return f"{self.key.source.name}:{self.key.source.position(self.key.start)[0]}"


@dataclass(frozen=True, slots=True)
class Covered:
    """A clause and what has become of it. `scope` is empty if the ruleset does not list its clauses."""

    id: str
    scope: str
    rule: str
    why: str  # it is left out
    where: tuple[Citing, ...]
    examples: tuple[str, ...]

    @property
    def status(self) -> str:
        return "modelled" if self.where else "left-out" if self.why else "missing"

    @property
    def is_wanting(self) -> bool:
        """Whether something is still to do: no row cites it, or no example exercises it."""
        return self.scope != "outside" and (self.status == "missing" or bool(self.where and not self.examples))


@dataclass(frozen=True, slots=True)
class Coverage:
    """What of a ruleset its examples exercise: clauses that they name, and rows that were played."""

    bound: Bound
    clauses: tuple[Covered, ...]
    played: tuple[Tested, ...]


def coverage(stack: str, tell: Tell, wanted: Sequence[str] = (), most_work: int | None = UNASKED) -> Coverage:
    """Every clause that a ruleset lists or cites; plays its examples once, each for no more than `most_work`, and tells
    how far that is.

    Raises Faulty, before it plays any, if no clause is called as one of those `wanted`.
    """
    found = load_stack(stack, whole=True)
    bound = loaded(found)
    cited: dict[str, list[Citing]] = {}
    for cite, one in citing(found.document):
        cited.setdefault(cite, []).append(one)
    ids = [*bound.ruleset.clauses, *sorted(cited.keys() - bound.ruleset.clauses.keys(), key=_in_order)]
    for id in wanted:
        if not any(stands_below(one, id) for one in ids):
            help = suggest(id, ids) or f"closecombat show {stack} clauses --find {id}"
            if not ids:
                help = "these rules cite no clause; `clauses.yaml` beside `ruleset.yaml` lists them, a line each"
            raise Faulty.one("unknown-clause", f"no clause is called `{id}`", None, help=help)
    played = tuple(_played(stack, found, name_of_stack(bound.ruleset), tell, most_work))
    reached = [(one.result.id, {place_of(span) for span in one.result.reached}) for one in played]
    clauses = []
    for id in ids:
        clause, where = bound.ruleset.clauses.get(id), tuple(cited.get(id, ()))
        places = {place for one in where for place in one.places}
        examples = tuple(dict.fromkeys(name for name, there in reached if not places.isdisjoint(there)))
        scope, rule, why = (clause.scope, clause.rule, clause.left_out) if clause else ("", "", "")
        clauses.append(Covered(id, scope, rule, why, where, examples))
    return Coverage(bound, tuple(clauses), played)


def selected(clauses: Iterable[Covered], wanted: Sequence[str]) -> tuple[Covered, ...]:
    """The clauses of these ids, or below them: `A11.4` is all of its clauses."""
    return tuple(one for one in clauses if not wanted or any(stands_below(one.id, id) for id in wanted))


def totals(clauses: Sequence[Covered]) -> Mapping[str, Mapping[str, int]]:
    """How many clauses there are of each scope, and what has become of them; `all` comes last."""
    scopes = [scope for scope in (*SCOPES, "") if any(one.scope == scope for one in clauses)]
    groups = {scope or "unlisted": [one for one in clauses if one.scope == scope] for scope in scopes}
    return {
        scope: {
            "clauses": len(group),
            "modelled": sum(one.status == "modelled" for one in group),
            "exercised": sum(bool(one.examples) for one in group),
            "left_out": sum(one.status == "left-out" for one in group),
            "missing": sum(one.status == "missing" for one in group),
        }
        for scope, group in {**groups, "all": list(clauses)}.items()
    }


def _in_order(id: str) -> list[tuple[int, str]]:
    """Ids as one counts them: 6.2 before 6.10."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.findall(r"\d+|\D+", id)]


# ---- what cites what --------------------------------------------------------------------------------------


def citing(document: MappingNode) -> Iterator[tuple[str, Citing]]:
    """Each citation in the rules with what it stands in, in the order of the files."""
    for section, node in document.entries:
        if section.value != "clauses":
            yield from _in(section, node, (section.value,))


def _in(key: Text, node: Node, path: tuple[str, ...]) -> Iterator[tuple[str, Citing]]:
    if isinstance(node, Listing):
        for item in node.items:
            yield from _in(key, item, path)
    if not isinstance(node, MappingNode):
        return
    cites = node.get("cites")
    if cites is not None and not isinstance(cites, MappingNode):
        ids = [part for place, part in enumerate(path) if place == 0 or part not in HEADINGS.get(path[0], ())]
        one = Citing(".".join(ids), key.span, frozenset((place_of(node.span), place_of(key.span.to(node.span)))))
        yield from ((item.value, one) for item in list_of(cites) if isinstance(item, Text))
    for name, child in node.entries:
        yield from _in(name, child, (*path, name.value))


def place_of(span: Span) -> Place:
    """The same for every way of naming the file."""
    return abspath(span.source.name), span.start, span.end


# ---- playing ----------------------------------------------------------------------------------------------


def _played(stack: str, found: Stack, name: str, tell: Tell, most_work: int | None) -> Iterator[Tested]:
    """The examples of a stack's ruleset, and those beside its variants; not those that are meant for another one."""
    files = {str(one.file): one for folder in (found.base, *found.beside) for one in examples_beside(folder)}
    by_this, by_its_own = Bench(stack, most_work), Bench("", most_work)
    for number, file in enumerate(files.values()):
        tell(number, len(files))
        document = read(file)
        for id, example in examples_of(file, document):
            bench = by_its_own if "ruleset" in example or "ruleset" in document else by_this
            tested = bench.run_one(file, document, id, example)
            if tested.ruleset == name:
                yield tested
