"""A fight as a form: what can be said of each sort of thing that a ruleset knows, and the fight as a document that is
changed field by field.

All of it comes from the vocabulary: a ruleset of somebody's own has its form the moment it can be read. Facts that are
thrown or drawn are none of a form, nor those that rows alone write down and nobody sees. Where a form is shown and
filled in is not known here; what it holds is text, a mapping or a list, as in a file.
"""

from __future__ import annotations

from collections.abc import Mapping as ReadOnly
from collections.abc import Sequence
from typing import TypeAlias

from closecombat.reading.model import Fact, Kind, Ruleset
from closecombat.reading.types import ACounter, AThing, Flag, Number, Per, SomeDice, Things, Word, shown
from closecombat.text.faults import Faulty
from closecombat.text.nodes import Listing, Mapping, Node, Text, flow
from closecombat.text.slotted import dataclass
from closecombat.text.source import Source, Span

SAID_BEFORE = ("given", "printed")  # of whom a situation tells; all else is settled in the fight, and can be told too
THROWN = ("rolled", "drawn")
DEEPEST = 12  # mappings in mappings of a fight
MOST_LETTERS = 200_000  # of all that stands in a fight

Said: TypeAlias = "str | ReadOnly[str, Said] | Sequence[Said]"


@dataclass(frozen=True, slots=True)
class Field:
    """A fact that can be said. `sort` is flag, number, word, somebody, counter, each (a number for each of `words`),
    dice or members; `of` the kind of whom it names. `first` is what it is if nothing is said, empty if it must be."""

    name: str
    sort: str
    words: tuple[str, ...]
    low: int | None
    high: int | None
    of: str
    first: str
    note: str
    cites: tuple[str, ...]
    is_before: bool  # of what a situation tells


@dataclass(frozen=True, slots=True)
class Fields:
    """What can be said of a thing of one kind; `counters` are those printed for it, each with its facts in a line."""

    kind: str
    plural: str
    only_one: bool
    counters: ReadOnly[str, str]
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """A rule that can be read in several ways."""

    name: str
    title: str  # what players call it; empty where nobody says
    readings: tuple[str, ...]
    first: str
    why: str


@dataclass(frozen=True, slots=True)
class Form:
    """All that can be said of a fight by a ruleset."""

    kinds: tuple[Fields, ...]
    options: tuple[Choice, ...]


def form_of(ruleset: Ruleset) -> Form:
    return Form(
        tuple(_fields(ruleset, kind) for kind in ruleset.kinds.values()),
        tuple(Choice(one.name, one.title, one.readings, one.default, one.why) for one in ruleset.options.values()),
    )


def _fields(ruleset: Ruleset, kind: Kind) -> Fields:
    counters = {
        one.name: ", ".join(f"{fact} {flow(cell)}" for fact, cell in one.cells.items())
        for one in ruleset.counters.values()
        if one.kind == kind.name
    }
    facts = (_field(fact) for fact in kind.facts.values() if fact.origin not in THROWN)
    return Fields(kind.name, kind.plural, kind.one, counters, tuple(one for one in facts if one is not None))


def _field(fact: Fact) -> Field | None:
    sort, words, low, high, of = "", tuple[str, ...](), None, None, ""
    match fact.type:
        case Flag():
            sort = "flag"
        case Number():
            sort, low, high = "number", fact.type.low, fact.type.high
        case Word():
            sort, words = "word", fact.type.words
        case AThing():
            sort, of = "somebody", fact.type.kind
        case ACounter():
            sort = "counter"
        case Per():
            sort, words, low, high = "each", fact.type.words, fact.type.low, fact.type.high
        case SomeDice():
            sort = "dice"
        case Things():
            sort, of = "members", fact.type.kind
    is_before = fact.origin in SAID_BEFORE
    if not sort or not (is_before or fact.shown):
        return None
    first = "" if fact.default is None or sort in ("each", "members") else shown(fact.default[0])
    return Field(fact.name, sort, words, low, high, of, first, fact.where.note, fact.where.cites, is_before)


# ---- a fight as a document -------------------------------------------------------------------------------


def said_of(node: Node) -> Said:
    """What a node says, without its places."""
    match node:
        case Mapping(entries):
            return {key.value: said_of(value) for key, value in entries}
        case Listing(items):
            return [said_of(item) for item in items]
        case Text(value=value):
            return value


def written(said: Said, source: Source) -> Node:
    """The node of what a form says; what is no text, mapping or list, or more than a fight can hold, is a fault."""
    left = MOST_LETTERS

    def node(one: object, depth: int) -> Node:
        nonlocal left
        if depth > DEEPEST:
            raise Faulty.one("too-deep", "a fight has no more than a dozen steps from the outside in", None)
        match one:
            case str():
                left -= len(one) + 1
                if left < 0:
                    raise Faulty.one("too-large", f"a fight has at most {MOST_LETTERS:,} letters", None)
                return _text(one, source)
            case {**entries}:
                pairs = ((node(key, depth), node(value, depth + 1)) for key, value in entries.items())
                return Mapping(tuple((key, value) for key, value in pairs if isinstance(key, Text)), Span(source, 0, 0))
            case [*items]:
                return Listing(tuple(node(item, depth + 1) for item in items), Span(source, 0, 0))
        raise Faulty.one("wrong-shape", "a fight is made of names with texts, lists and more names", None)

    return node(said, 0)


def _text(value: str, source: Source) -> Text:
    return Text(value, Span(source, 0, 0), True, Span(source, 0, 0))
