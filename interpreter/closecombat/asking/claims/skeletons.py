"""Situations made of others: taken apart until nothing more can be left out, and put together from below.

A bare situation is what a fight leaves if all that may be left out is; a setting says one thing more of it. What is
looked for among such situations is `smallest` and `properties`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from closecombat.asking.claims.near import Marks, is_beyond
from closecombat.asking.examples.fights_of import Known
from closecombat.asking.examples.mutants import Path, changed
from closecombat.asking.fights.fight_files import Scene, staged
from closecombat.binding.charts import Bound
from closecombat.playing.fight import begin
from closecombat.reading.model import Fact, Ruleset
from closecombat.reading.types import ACounter, Flag, Number, Per, Thing, Word
from closecombat.text.document import parse
from closecombat.text.faults import Faulty
from closecombat.text.nodes import Listing, Mapping, Node, Text, flow
from closecombat.text.source import Source

BARE = 3  # bare situations that are begun with
MOST_LOOKED_AT = 12  # fights of which a bare one is made
MOST_COUNTERS = 8  # of a kind, in place of one
NEAR = (1, -1, 2, 4, 8)  # that a number is tried beside its default, before its bounds
Setting = tuple[Path, str]  # where in a situation a fact is said, and its value


def scene_of(document: Mapping) -> Scene:
    return Scene("smallest", document, "", document.span, None)


def size(node: Node | None) -> int:
    match node:
        case Mapping(entries):
            return 1 + sum(size(value) for _, value in entries)
        case Listing(items):
            return 1 + sum(map(size, items))
    return 0 if node is None else 1


# ---- taking apart -----------------------------------------------------------------------------------------


def taken_apart(document: Mapping, holds: Callable[[Mapping], bool]) -> Mapping:
    """A document from which nothing more can be left out without something no longer holding: large parts first."""
    again = True
    while again:
        again = False
        for path in sorted(parts(document), key=lambda one: -size(node_at(document, one))):
            if node_at(document, path) is None:
                continue
            less = changed(document, path, None)
            if isinstance(less, Mapping) and has_its_things(less) and holds(less):
                document, again = less, True
    return document


def parts(node: Node, path: Path = ()) -> Iterator[Path]:
    """What may be left out: every entry but the situation itself."""
    match node:
        case Mapping(entries):
            for key, value in entries:
                here = (*path, key.value)
                if here != ("situation",):
                    yield here
                yield from parts(value, here)
        case Listing(items):
            for at, item in enumerate(items):
                yield (*path, at)
                yield from parts(item, (*path, at))


def node_at(node: Node, path: Path) -> Node | None:
    for key in path:
        match node:
            case Mapping() if isinstance(key, str) and (inner := node.get(key)) is not None:
                node = inner
            case Listing(items) if isinstance(key, int) and key < len(items):
                node = items[key]
            case _:
                return None
    return node


def has_its_things(document: Mapping) -> bool:
    """Whether each set of things that is written has at least one."""
    situation = document.get("situation")
    return isinstance(situation, Mapping) and all(
        not isinstance(value, Mapping) or value.entries for _, value in situation.entries
    )


# ---- bare ones ------------------------------------------------------------------------------------------------


def bare_ones(base: Bound, known: Sequence[Known]) -> list[Mapping]:
    """The smallest situations that some fights leave, if all that may be left out is: the same sides, and whoever has
    things of his own keeps one of each sort."""
    found: dict[str, Mapping] = {}
    for one in sorted(known, key=lambda each: size(each.scene.document.get("situation")))[:MOST_LOOKED_AT]:
        entry = one.scene.document.entry("situation")
        if entry is None or (there := things_of(base, document := Mapping((entry,), entry[1].span))) is None:
            continue
        places = [path for thing in there if (path := place_of(base, document, thing)) is not None]
        owned = {path[:-1] for path in places if len(path) > 2}
        bare = taken_apart(document, partial(_is_still, base, owned, _judged(base, there)))
        found.setdefault(flow(bare), bare)
    return sorted(found.values(), key=size)[:BARE]


def _is_still(base: Bound, owned: Collection[Path], judged: Collection[str], less: Mapping) -> bool:
    there = things_of(base, less)
    if there is None or _judged(base, there) != judged:
        return False
    kept = [(node_at(less, path[:-1]), node_at(less, path)) for path in owned]
    return all(owner is None or (isinstance(those, Mapping) and those.entries) for owner, those in kept)


def things_of(base: Bound, document: Mapping) -> tuple[Thing, ...] | None:
    """Who is there, if the situation can be read."""
    try:
        return tuple(begin(staged(scene_of(document), base), None).state.things.values())
    except Faulty:
        return None


def _judged(base: Bound, things: Iterable[Thing]) -> set[str]:
    """Those whom the ruleset's judgement is about."""
    table = base.ruleset.tables.get("outcomes")
    return {thing.name for thing in things if table is not None and thing.kind in table.about}


def settings_of(base: Bound, document: Mapping, cone: Marks) -> Iterator[Setting]:
    """Everything that one fact of the cone can be said to be of anybody there, nearest facts first, and of a number
    its marks first; what stands on a counter is as it is printed."""
    there = things_of(base, document) or ()
    places = {thing: path for thing in there if (path := place_of(base, document, thing)) is not None}
    options = base.ruleset.options
    for name, marks in cone.items():
        if name in options:
            yield from (
                (("options", name), other) for other in options[name].readings if other != options[name].default
            )
        for thing, path in places.items():
            fact = base.ruleset.kinds[thing.kind].facts.get(name)
            if fact is not None and (
                fact.origin == "given" or (fact.origin == "printed" and not _is_a_counter(document, path))
            ):
                yield from (((*path, name), value) for value in values_of(fact, marks))


def place_of(base: Bound, document: Mapping, thing: Thing) -> Path | None:
    """Where a situation describes a thing."""
    for path in parts(document):
        node = node_at(document, path)
        if isinstance(node, Mapping) and path[-1] == thing.name and len(path) > 2:
            return path
    kind = base.ruleset.kinds[thing.kind]
    return ("situation", kind.name) if kind.one else None


def _is_a_counter(document: Mapping, path: Path) -> bool:
    return node_at(document, (*path, "counter")) is not None


def counters_apart(ruleset: Ruleset, kind: str, read: Collection[str] | None = None) -> Iterator[str]:
    """One counter for each different line of a sheet, or for each that differs in what is `read` of it; what it would
    turn into makes no difference."""
    facts, told = ruleset.kinds[kind].facts, set[str]()
    for counter in ruleset.counters.values():
        names = [name for name in counter.cells if read is None or name in read]
        mine = [name for name in names if name not in facts or not isinstance(facts[name].type, ACounter)]
        text = " ".join(f"{name} {flow(counter.cells[name])}" for name in mine)
        if counter.kind == kind and text not in told and len(told) < MOST_COUNTERS:
            told.add(text)
            yield counter.name


def values_of(fact: Fact, marks: Sequence[int] = ()) -> tuple[str, ...]:
    """What a fact may be beside its default; of a number the `marks`, those next to the default, then its bounds."""
    default = fact.default[0] if fact.default is not None else None
    match fact.type:
        case Flag():
            return ("no",) if default is True else ("yes",)
        case Word(words):
            return tuple(word for word in words if word != default)
        case Number(low, high):
            near = [default + by for by in NEAR] if isinstance(default, int) else []
            return tuple(
                str(value)
                for value in dict.fromkeys((*marks, *near, low, high))
                if value is not None and value != default and not is_beyond(value, low, high)
            )
        case Per(words, low, high):
            usual = default if isinstance(default, dict) else dict.fromkeys(words, low)
            return tuple(
                "{" + ", ".join(f"{each}: {value if each == word else usual[each]}" for each in words) + "}"
                for word in words
                for value in dict.fromkeys((*(usual[word] + by for by in NEAR), low, high))
                if value != usual[word] and not is_beyond(value, low, high)
            )
    return ()


def with_settings(document: Mapping, settings: Iterable[Setting]) -> Mapping:
    for path, value in settings:
        document = put(document, path, value)
    return document


def put(node: Mapping, path: Path, value: str) -> Mapping:
    key, rest = str(path[0]), path[1:]
    inner = node.get(key)
    if rest:
        below = inner if isinstance(inner, Mapping) else Mapping((), node.span)
        made: Node = put(below, rest, value)
    else:
        made = node_of(value)
    if inner is not None:
        return replace(node, entries=tuple((k, made if k.value == key else v) for k, v in node.entries))
    return replace(node, entries=(*node.entries, (_key(key), made)))


def node_of(value: str) -> Node:
    """What is said of a fact, as a situation would write it."""
    return parse(Source("<situation>", value + "\n"))


def _key(name: str) -> Text:
    node = node_of(name)
    if not isinstance(node, Text):
        raise Faulty.told()
    return node
