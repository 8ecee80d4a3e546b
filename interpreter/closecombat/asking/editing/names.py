"""What stands at a place of a text: the outline of a file, where a name is defined, what a cited clause says, and which
names could be written there.

It is asked while somebody types, when little holds together, so nothing is bound: what a name means is taken from the
nodes of whatever files can be read, and where it could mean several things all of them are answered.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from closecombat.asking.editing.keys import key_at, keys_for
from closecombat.asking.editing.places import places, readings_at, where_it_stands
from closecombat.reading.battle_files import words_for
from closecombat.reading.battle_words import CIRCUMSTANCE, GROUND, OF_MEN
from closecombat.reading.fields import child, list_of
from closecombat.reading.ruleset import ORIGINS
from closecombat.reading.stack import merged_folder, read_mapping
from closecombat.reading.targets import HEADINGS, SINGLE, entry_at, find, read_target
from closecombat.reading.told_once import ONCE
from closecombat.text.faults import Faults, Faulty
from closecombat.text.files import root
from closecombat.text.nodes import Listing, Mapping, Node, Text, flow
from closecombat.text.slotted import dataclass
from closecombat.text.source import Source

WORD = re.compile(r"[^\W_][\w-]*")
TOKEN = re.compile(r"[^\s,\[\]{}:()'\"|]+")
AT_START = "-at-start"
SENTENCED = ("tables", "sequences", "groups", "outcomes", "strength-lost", "ends", "rounds")
IN_WORDS = (
    "title",
    "note",
    "about",
    "why",
    "rule",
    "says",
    "cites",
    "assumed",
    "sources",
    "chapters",
)  # no sentences of the language
LONGEST = 600  # characters of what is shown of a definition


@dataclass(frozen=True, slots=True)
class Definition:
    """A name of the ruleset. `sort` is fact, table, group, .. or clause; `owner` the kind of a fact, the list of a
    word."""

    sort: str
    name: str
    owner: str
    key: Text
    node: Node

    @property
    def told(self) -> str:
        return f"{self.sort} of {self.owner}" if self.owner else self.sort


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of an outline, and those below it."""

    key: Text
    node: Node
    parts: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Offer:
    """A name that could be written; `fits` if somebody has it who is spoken of here."""

    name: str
    told: str
    fits: bool


def rules_of(home: Path) -> Mapping | None:
    """All that can be read of a ruleset, the clauses included: a folder, or one file."""
    try:
        return merged_folder(home, Faults()) if home.is_dir() else read_mapping(home)
    except (Faulty, OSError):
        return None


def outline(document: Mapping) -> tuple[Entry, ...]:
    """The sections of a file, their charts, and the rows of these."""
    return tuple(_entry(key, node, 2, key.value) for key, node in document.entries)


def _entry(key: Text, node: Node, depth: int, section: str) -> Entry:
    inner = node.entries if isinstance(node, Mapping) and depth else ()
    found: list[Entry] = []
    for name, value in inner:
        if name.value in HEADINGS.get(section, ()) and isinstance(value, Mapping):  # rows stand under their chart
            found += [Entry(row, line, ()) for row, line in value.entries]
        elif depth == 2 and section not in SINGLE:
            found.append(_entry(name, value, 1, section))
    return Entry(key, node, tuple(found))


# ---- definitions -----------------------------------------------------------------------------------------

_SORTS = (
    ("tables", "table"),
    ("sequences", "sequence"),
    ("options", "option"),
    ("words", "list of words"),
    ("dice", "dice"),
    ("dies", "die"),
    ("decks", "deck"),
    ("counters", "counter"),
    ("clauses", "clause"),
    ("assumptions", "assumption"),
)


def definitions(rules: Mapping) -> Iterator[Definition]:
    """Whatever a ruleset gives a name."""
    for section, sort in _SORTS:
        for key, node in _entries(rules.get(section)):
            yield Definition(sort, key.value, "", key, node)
    for key, node in _entries(rules.get("groups")):
        yield Definition("group", key.value, "", key, node)
        yield from _each("group", key, node)
    for name, words in _entries(rules.get("words")):
        yield from _words(name, words)
    for kind, body in _entries(rules.get("kinds")):
        yield Definition("kind", kind.value, "", kind, body)
        for origin in ORIGINS:
            for key, node in _entries(body.get(origin) if isinstance(body, Mapping) else None):
                yield Definition("fact", key.value, kind.value, key, node)
                yield from _each(kind.value, key, node)
                said = node.get("is") if isinstance(node, Mapping) else node
                yield from _words(key, said)


def _entries(node: Node | None) -> tuple[tuple[Text, Node], ...]:
    return node.entries if isinstance(node, Mapping) else ()


def _each(owner: str, key: Text, node: Node) -> Iterator[Definition]:
    each = node.get("each") if isinstance(node, Mapping) else None
    if isinstance(each, Text) and each.value != owner:
        yield Definition("one", each.value, key.value, each, node)


def _words(key: Text, node: Node | None) -> Iterator[Definition]:
    if isinstance(node, Listing):
        for item in node.items:
            if isinstance(item, Text):
                yield Definition("word", item.value, key.value, item, node)


def meant(rules: Mapping, document: Mapping, offset: int) -> tuple[Definition, ...]:
    """What the name at a place of a text could mean; empty if nothing of the ruleset goes by it."""
    above = path_at(document, offset)
    source = document.span.source
    found = [key.value for key, _ in above if key is not None]
    if found[-1:] == ["at"] and above and isinstance(above[-1][1], Text) and "variant" in document:
        return tuple(_target(rules, above[-1][1]))
    known: dict[str, list[Definition]] = {}
    for one in definitions(rules):
        known.setdefault(one.name, []).append(one)
    for pattern in (TOKEN, WORD):
        name = _word_at(source, offset, pattern)
        several = known.get(name) or known.get(name.removesuffix(AT_START), [])
        if several:
            wanted = {"play": "sequence", "cites": "clause", "assumed": "assumption"}.get(found[-1] if found else "")
            fitting = [one for one in several if one.sort == wanted] or _but_words(several)
            return tuple(fitting)
    return ()


def _but_words(several: list[Definition]) -> list[Definition]:
    """A word is meant only where nothing else is called so."""
    return [one for one in several if one.sort != "word"] or several


def _target(rules: Mapping, at: Text) -> Iterator[Definition]:
    try:
        target = read_target(at)
    except Faulty:
        return
    keys = find(rules, target)
    found = entry_at(rules, keys) if keys else None
    if found is not None:
        yield Definition("target", target.path, "", *found)


def _word_at(source: Source, offset: int, pattern: re.Pattern[str]) -> str:
    start = source.text.rfind("\n", 0, offset) + 1
    end = source.text.find("\n", offset)
    for found in pattern.finditer(source.text, start, len(source.text) if end < 0 else end):
        if found.start() <= offset <= found.end():
            return found[0]
    return ""


def path_at(node: Node, offset: int) -> list[tuple[Text | None, Node]]:
    """The nodes around a place, outermost first, each with its key; the last may be a key's value not yet written."""
    match node:
        case Mapping(entries):
            for at, (key, value) in reversed(tuple(enumerate(entries))):  # where two meet it is the key that begins
                end = entries[at + 1][0].span.start if at + 1 < len(entries) else max(value.span.end, key.span.end + 2)
                if key.span.source == node.span.source and key.span.start <= offset <= end:
                    return [(key, value), *path_at(value, offset)]
        case Listing(items):
            for item in items:
                if item.span.start <= offset <= item.span.end:
                    return [(None, item), *path_at(item, offset)]
    return []


# ---- what is told of a place -----------------------------------------------------------------------------


def told_at(rules: Mapping, document: Mapping, offset: int) -> str:
    """What the name at a place is, and what the clauses say that the row there cites, as Markdown; may be empty."""
    parts = []
    for one in meant(rules, document, offset):
        if one.sort not in ("clause", "assumption"):
            title = child(one.node, "title")
            named = f": {title.value}" if isinstance(title, Text) else ""
            parts.append(f"**{one.name}**, {one.told}{named}\n\n```yaml\n{flow(one.node)[:LONGEST]}\n```")
    cited = next((node for _, node in reversed(path_at(document, offset)) if _rests_on(node)), None)
    if isinstance(cited, Mapping):
        for column, section in (("cites", "clauses"), ("assumed", "assumptions")):
            items = cited.get(column)
            for item in () if items is None else list_of(items):
                parts.extend(_said(rules, section, item))
    return "\n\n".join(parts)


def _rests_on(node: Node) -> bool:
    return isinstance(node, Mapping) and ("cites" in node or "assumed" in node)


def _said(rules: Mapping, section: str, item: Node) -> Iterator[str]:
    """What a clause says in our own words, or an assumption."""
    said = child(rules.get(section) or item, item.value) if isinstance(item, Text) else None
    if said is None or not isinstance(item, Text):
        return
    rule = said.get("rule") if isinstance(said, Mapping) else said
    if isinstance(rule, Text):
        yield f"`{item.value}` {' '.join(rule.value.split())}"


# ---- what could be written -------------------------------------------------------------------------------


A_KEY_BEGUN = re.compile(r"\s*[\w-]*")  # a line in which nothing else stands
MOST_TOLD = 80  # letters of what a key is for


def beginnings(text: str, offset: int) -> tuple[str, ...]:
    """What may be missing at a place where somebody is about to type, without which a text does not hold together, or
    says something else; the likelier first. A line of its own is more likely a key than the end of the one above."""
    begins, ends = text.rfind("\n", 0, offset) + 1, text.find("\n", offset)
    before, behind = text[begins:offset], text[offset : ends if ends >= 0 else len(text)]
    if behind.strip() or not A_KEY_BEGUN.fullmatch(before):
        return "", "x"
    return (": x" if before.strip() else "x: x"), "", "x"


def offers(rules: Mapping, document: Mapping, offset: int) -> tuple[Offer, ...]:
    """The names that could be written at a place, those of whoever is spoken of there first; the words of the language
    last. In a key they are the keys that could stand there."""
    above = path_at(document, offset)
    if key_at(above, offset):
        return tuple(Offer(key, told[:MOST_TOLD], True) for key, told in keys_for(document, above).items())
    keys = [key.value for key, _ in above if key is not None]
    if keys[:1] == ["changes"] and len(keys) > 2 and "variant" in document:
        return _of_a_change(rules, document, keys)
    return _behind(rules, document, keys)


def _of_a_change(rules: Mapping, document: Mapping, keys: list[str]) -> tuple[Offer, ...]:
    """What a change of a variant could say: where, which reading, and in its cells what the row there could."""
    if keys[2] == "at":
        return tuple(Offer(path, told, True) for path, told in places(rules))
    there = where_it_stands(rules, document, keys[1])
    if keys[2] == "option":
        return tuple(Offer(reading, "reading", True) for reading in readings_at(rules, there))
    return _behind(rules, document, [*there, *keys[3:]]) if there else ()


def _behind(rules: Mapping, document: Mapping, keys: list[str]) -> tuple[Offer, ...]:
    """The names that could be written behind these keys of a ruleset, or of an engagement."""
    if not keys:
        return ()
    if keys[0] in ONCE:
        words = words_for(Path(document.span.source.name).parent, Faults())
        sorts = {"ground": (GROUND,), "state": (CIRCUMSTANCE,)}.get(keys[0], OF_MEN)
        return tuple(Offer(name, words.known[name].means, True) for name in words.of(*sorts))
    found = list(definitions(rules))
    if keys[-1] in ("cites", "assumed", "play"):
        sort = {"cites": "clause", "assumed": "assumption", "play": "sequence"}[keys[-1]]
        return tuple(Offer(one.name, one.told, True) for one in found if one.sort == sort)
    if keys[0] not in SENTENCED or keys[-1] in IN_WORDS:
        return ()
    kinds = _spoken_of(found, rules, keys)
    offered: dict[str, Offer] = {}
    for one in found:
        if one.sort in ("clause", "assumption", "list of words", "die", "sequence"):
            continue
        fits = _has(one, kinds, found)
        if one.name not in offered or (fits and not offered[one.name].fits):
            offered[one.name] = Offer(one.name, one.told, fits)
    for word in words_of_the_language():
        offered.setdefault(word, Offer(word, "word of the language", False))
    return tuple(offered.values())


def _spoken_of(found: list[Definition], rules: Mapping, keys: list[str]) -> set[str]:
    """The kinds of whom a chart is about, or its row looks at."""
    chart = entry_at(rules, tuple(keys[:2])) if len(keys) > 1 else None
    node: Node | None = chart[1] if chart is not None else None
    names: set[str] = set()
    while isinstance(node, Mapping):
        for rider in ("about", "each", "for"):
            said = node.get(rider)
            for item in () if said is None else list_of(said):
                names |= set(WORD.findall(item.value)) if isinstance(item, Text) else set()
        keys = keys[2:] if node is (chart and chart[1]) else keys[1:]
        node = node.get(keys[0]) if keys else None
    kinds = {one.name for one in found if one.sort == "kind"}
    sets = {one.name: one.node for one in found if one.sort == "one"}
    named = {name for name in names if name in kinds}
    for name in names & sets.keys():
        named |= {kind for kind in kinds if re.search(rf"\b{re.escape(kind)}", flow(sets[name]))}
    return named | {key.value for key, kind in _entries(rules.get("kinds")) if child(kind, "one") is not None}


def _has(one: Definition, kinds: set[str], found: list[Definition]) -> bool:
    if one.sort == "fact":
        return one.owner in kinds
    if one.sort == "word":
        return any(fact.name == one.owner and fact.owner in kinds for fact in found if fact.sort == "fact")
    if one.sort == "table":
        about = child(one.node, "about")
        subjects = set(WORD.findall(flow(about))) if about is not None else kinds
        return bool(subjects & kinds) or not kinds
    return one.sort in ("group", "option", "kind", "one")


@lru_cache(maxsize=1)
def words_of_the_language() -> tuple[str, ...]:
    """Every word that the grammar of sentences knows."""
    text = root("grammar").joinpath("sentence.lark").read_text("utf-8")
    rules = re.sub(r"//.*", "", text)
    terminals = " ".join(re.findall(r"^[A-Z_]+(?:\.\d)?: */(.*)/", rules, re.MULTILINE))
    said = re.findall(r"\b[a-z][a-z-]+\b", re.sub(r"\\[a-z]|\[[^]]*\]", " ", terminals))
    return tuple(sorted({*re.findall(r'"([a-z][a-z-]+)"', rules), *said}))
