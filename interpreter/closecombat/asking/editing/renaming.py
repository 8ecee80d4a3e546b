"""A name changed wherever it stands: in a ruleset, its variants, its examples and the situations for it.

It is done only where it is exact. A name that means two things is refused. Whatever else could be meant by the same
letters, the name of a row, of a thing, of a change, and any prose, is left as it is. And what comes out is checked as a
whole before anybody sees it: as the name is defined nowhere any more, a place that was passed over would be a fault.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from closecombat.asking.editing.names import (
    AT_START,
    IN_WORDS,
    Definition,
    definitions,
    meant,
    path_at,
    rules_of,
    words_of_the_language,
)
from closecombat.checking.unsaved import findings_while_edited, home_of
from closecombat.reading.fields import NAME
from closecombat.reading.phrases import plural
from closecombat.reading.stack import key_of, read_mapping
from closecombat.reading.targets import HEADINGS
from closecombat.text import nodes
from closecombat.text.document import unsaved
from closecombat.text.faults import Faulty
from closecombat.text.files import YAML
from closecombat.text.nodes import Listing, Node, Text
from closecombat.text.source import Span

SORTS = ("fact", "table", "group", "sequence", "option")
SECTIONS = ("kinds", "tables", "groups", "sequences", "options")  # where these are defined, in the same order
NO_NAMES_OF_OURS = (*IN_WORDS, "instead-of", "example", "extends", "ruleset", "variant", "engagement", "sweep")
MOST_FILES = 2_000


def renamed_at(rules: nodes.Mapping, document: nodes.Mapping, offset: int) -> tuple[Definition, Span]:
    """What would be renamed at a place, and where its name stands there; raises Faulty if that is not exact."""
    several = meant(rules, document, offset)
    if not several:
        raise _refused("nothing that a ruleset defines stands here")
    one = several[0]
    if one.sort not in SORTS:
        raise _refused(f"`{one.name}` is a {one.sort}: only facts, tables, groups, sequences and options are renamed")
    others = [other for other in definitions(rules) if other.name == one.name and other.key.span != one.key.span]
    if others or one.name in words_of_the_language():
        also = others[0].told if others else "word of the language"
        raise _refused(f"`{one.name}` is a {one.told} and also a {also}: which is meant is not certain everywhere")
    above = path_at(document, offset)
    spans = [span for key, node in above[-1:] for span in ((key.span,) if key is not None else ()) + (node.span,)]
    found = [each for span in spans for each in _tokens(one.name, span) if each.start <= offset <= each.end]
    if found:
        return one, found[0]
    raise _refused(f"`{one.name}` is not written out here")


def rename(
    file: Path, offset: int, new: str, texts: Mapping[Path, str], folders: Iterable[Path]
) -> dict[Path, list[Span]]:
    """The places of a name that becomes `new`, by file; raises Faulty if that is not exact.

    `texts` are what is open, `folders` where variants and situations are looked for beside the ruleset's own.
    """
    with unsaved(texts):
        home = home_of(file)
        rules = rules_of(home)
        if rules is None:
            raise _refused("the ruleset cannot be read")
        one, _ = renamed_at(rules, read_mapping(file), offset)
        if not NAME.match(new) or new in words_of_the_language():
            raise _refused(f"`{new}` cannot be a name: small letters, digits and hyphens, and no word of the language")
        plurals = set(_plurals(rules))
        places: dict[Path, list[Span]] = {}
        for each in _files(home, folders, one.name):
            document = read_mapping(each)
            if next(_tokens(new, document.span), None) is not None or new in {d.name for d in definitions(rules)}:
                raise _refused(f"`{new}` is already said in {document.span.source.name}")
            found = [span for part in _said(document, (), one, plurals) for span in part]
            if found:
                places[each] = found
        after = {each: _changed(spans, new) for each, spans in places.items()}
    wrong = [one for one in findings_while_edited(places, {**texts, **after}) if one.severity == "error"]
    if wrong:
        where = f" in {wrong[0].span.source.name}" if wrong[0].span is not None else ""
        raise _refused(f"it would not be exact, or something is wrong already{where}: {wrong[0].message}")
    return places


def _refused(message: str) -> Faulty:
    return Faulty.one("ambiguous-name", message)


def _tokens(name: str, span: Span) -> Iterator[Span]:
    """Where a name stands by itself in a part of a text."""
    for found in re.finditer(rf"(?<![\w.])(?<!\w-){re.escape(name)}(?=(?:{AT_START})?(?![\w-]))", span.text):
        yield span.part(*found.span())


def _changed(spans: list[Span], new: str) -> str:
    text = spans[0].source.text
    for span in sorted(spans, key=lambda each: -each.start):
        text = text[: span.start] + new + text[span.end :]
    return text


def _files(home: Path, folders: Iterable[Path], name: str) -> list[Path]:
    """The files of a ruleset, and those below some folders that rest on it, in which a name stands."""
    found: dict[str, Path] = {}
    for folder in ([home] if home.is_dir() else [home.parent], folders):
        for top in folder:
            for each in sorted(top.rglob("*")):
                if each.suffix in YAML and len(found) < MOST_FILES and not any(p.startswith(".") for p in each.parts):
                    found.setdefault(key_of(each), each)
    kept = []
    for each in found.values():
        try:
            document = read_mapping(each)
        except (Faulty, OSError):
            continue
        if name in document.span.source.text and home_of(each).resolve() == home.resolve():
            kept.append(each)
    return kept


def _plurals(rules: nodes.Mapping) -> Iterator[str]:
    kinds = rules.get("kinds")
    for key, body in kinds.entries if isinstance(kinds, nodes.Mapping) else ():
        said = body.get("plural") if isinstance(body, nodes.Mapping) else None
        yield said.value if isinstance(said, Text) else plural(key.value)


def _said(node: Node, keys: tuple[str, ...], one: Definition, plurals: set[str]) -> Iterator[Iterable[Span]]:
    """Where a node says the name and means it; `keys` lead to the node."""
    match node:
        case nodes.Mapping(entries):
            for key, value in entries:
                if key.span == one.key.span or not _is_an_id(keys, plurals):
                    yield _tokens(one.name, key.span)
                if key.value == "at" and "changes" in keys and isinstance(value, Text):
                    yield _in_target(value, one)
                elif key.value not in NO_NAMES_OF_OURS:
                    yield from _said(value, (*keys, key.value), one, plurals)
        case Listing(items):
            for item in items:
                yield from _said(item, keys, one, plurals)
        case Text():
            yield _tokens(one.name, node.content if node.value else Span(node.span.source, 0, 0))


def _is_an_id(keys: tuple[str, ...], plurals: set[str]) -> bool:
    """Whether the keys below some keys are names of charts, rows, facts, things or changes, each of its own."""
    if not keys:
        return True
    section = keys[0]
    if section in HEADINGS or section in SECTIONS:
        return len(keys) == 1 or (len(keys) == 3 and keys[2] in HEADINGS.get(section, ()) and section != "counters")
    return keys[-1] in plurals or keys[-1] in ("choices", "changes")


def _in_target(at: Text, one: Definition) -> Iterator[Span]:
    """The name in the path of a change, if it leads to what is renamed or into it."""
    section = SECTIONS[SORTS.index(one.sort)]
    before = rf"kinds\.{re.escape(one.owner)}\.(?:\w+\.)?" if one.sort == "fact" else rf"{section}\."
    found = re.match(rf"({before}){re.escape(one.name)}(?![\w-])", at.value)
    if found and at.plain:
        yield at.content.part(found.end(1), found.end())
