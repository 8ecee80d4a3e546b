"""The counters that a ruleset knows: its units as they are printed, and a marker for all that may be so of them."""

from __future__ import annotations

from collections.abc import Iterator

from closecombat.reading.fields import list_of
from closecombat.reading.model import Counter, Fact, Ruleset, name_of_stack
from closecombat.reading.phrases import GAP
from closecombat.reading.types import Flag, Things, Word, shown
from closecombat.text.nodes import Mapping, Node, Text
from closecombat.text.slotted import dataclass

SILENT = ("0", "nobody", "no")  # what no counter prints
MARKED = ("given", "noted")


@dataclass(frozen=True, slots=True)
class Piece:
    """A counter: of which kind, what it is called, and what else is printed on it."""

    kind: str
    name: str
    title: str
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CounterSheet:
    """`units` are those of the counter sheet, `markers` say what is so of them."""

    ruleset: str
    title: str
    units: tuple[Piece, ...]
    markers: tuple[Piece, ...]


def counters_of(ruleset: Ruleset) -> CounterSheet:
    units = tuple(_unit(ruleset, one) for one in ruleset.counters.values())
    kinds = dict.fromkeys(one.kind for one in ruleset.counters.values()) or dict.fromkeys(_of_sides(ruleset))
    markers = {(piece.title, piece.lines): piece for kind in kinds for piece in _markers(ruleset, kind)}
    return CounterSheet(name_of_stack(ruleset), ruleset.title, units, tuple(markers.values()))


def _unit(ruleset: Ruleset, counter: Counter) -> Piece:
    lines = []
    for name, node in counter.cells.items():
        fact = ruleset.kinds[counter.kind].facts[name]
        said = " ".join(_words(node))
        is_silent = said in SILENT and (fact.default is None or said in map(shown, fact.default))
        is_word = isinstance(fact.type, Word)
        is_other = said in ruleset.counters and (not is_word or said == counter.name)  # its back, or itself
        if said and not is_silent and not is_other:
            lines.append(_spaced(said) if is_word else f"{_spaced(name)} {said}")
    return Piece(counter.kind, counter.name, title_of(ruleset, counter.name), tuple(lines))


def _words(node: Node) -> Iterator[str]:
    """What stands in a cell: a value, several, or one for each word of a list."""
    for item in list_of(node):
        if isinstance(item, Text):
            yield item.value
        elif isinstance(item, Mapping):
            told = [(word.value, value.value) for word, value in item.entries if isinstance(value, Text)]
            yield from (f"{_spaced(word)} {value}" for word, value in told)


def title_of(ruleset: Ruleset, name: str) -> str:
    """How players call a counter; one that is not on the counter sheet by its name."""
    counter = ruleset.counters.get(name)
    return (counter.says if counter is not None else "") or _spaced(name)


def _of_sides(ruleset: Ruleset) -> Iterator[str]:
    """The kinds of those who stand under a side, where nothing is printed."""
    for kind in ruleset.kinds.values():
        for fact in kind.facts.values():
            if isinstance(fact.type, Things) and fact.origin == "given":
                yield fact.type.kind


def _markers(ruleset: Ruleset, kind: str) -> Iterator[Piece]:
    for fact in ruleset.kinds[kind].facts.values():
        if fact.origin not in MARKED or not fact.shown:
            continue
        if isinstance(fact.type, Flag):
            yield Piece(kind, fact.name, marked(fact))
        elif isinstance(fact.type, Word) and fact.default is not None:
            for word in fact.type.words:
                if word != fact.default[0]:
                    yield Piece(kind, f"{fact.name} {word}", _spaced(word), (_spaced(fact.name),))


def marked(fact: Fact) -> str:
    """What stands on a marker: `CX` of `is CX`."""
    said = fact.says if fact.says and GAP not in fact.says else fact.name
    for start in ("is a ", "is an ", "is ", "has "):
        if said.startswith(start):
            return said[len(start) :]
    return said if said != fact.name else _spaced(said)


def _spaced(name: str) -> str:
    parts = name.split("-")
    return "".join(
        part + ("-" if at + 1 < len(parts) and part.isdigit() and parts[at + 1].isdigit() else " ")
        for at, part in enumerate(parts)
    ).strip()
