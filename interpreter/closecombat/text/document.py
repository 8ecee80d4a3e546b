"""YAML text to nodes that know their place in the file.

The nodes are built from the events of `text/events`, one at a time: whatever is too deep, too many or not allowed
stops where it stands, and nothing nested is ever walked by a recursion that the file controls. What the
nodes mean is decided elsewhere: here every scalar is text, `yes` and `4` included. At the end stand the nodes
written back on one line, and whether two of them say the same.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TypeAlias

from closecombat.text.events import (
    AliasEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    events,
)
from closecombat.text.faults import Faults, Faulty, suggest
from closecombat.text.files import root
from closecombat.text.source import Source, Span

MOST_BYTES = 2_000_000
MOST_NODES = 200_000
DEEPEST = 40
MOST_REMEMBERED = 256  # texts: a ruleset is a dozen


@dataclass(frozen=True, slots=True)
class Text:
    """A scalar, whatever it looks like.

    `span` covers the scalar as it is written, quotes or block header included; `content` only the raw text
    inside them. `plain` says that it has no quotes and no header; `escaped` that the raw text has backslash
    or doubled-quote escapes, so that it is not what it stands for. A value left out is the empty plain text:
    its `span` is the key it belongs to.
    """

    value: str
    span: Span
    plain: bool
    content: Span
    escaped: bool = False

    @property
    def literal(self) -> str:
        """The raw text: an offset in it plus `content.start` is the offset in the file."""
        return self.content.text


@dataclass(frozen=True, slots=True)
class Mapping:
    """Keys and values in the order of the file; no key occurs twice."""

    entries: tuple[tuple[Text, Node], ...]
    span: Span

    def entry(self, name: str) -> tuple[Text, Node] | None:
        """The key as written and its value."""
        return next((entry for entry in self.entries if entry[0].value == name), None)

    def get(self, name: str) -> Node | None:
        """The value of a key, if it is there."""
        entry = self.entry(name)
        return entry[1] if entry else None

    def keys(self) -> tuple[str, ...]:
        return tuple(key.value for key, _ in self.entries)

    def __contains__(self, name: object) -> bool:
        return any(key.value == name for key, _ in self.entries)


@dataclass(frozen=True, slots=True)
class Listing:
    """Items in the order of the file."""

    items: tuple[Node, ...]
    span: Span


Node: TypeAlias = Text | Mapping | Listing


def read_source(place: str | Traversable) -> Source:
    """The text of a file, or of standard input for `-`.

    Line breaks become line feeds and a byte order mark is dropped, so a file reads the same everywhere.
    Raises `Faulty`: file-not-found, not-a-file, cannot-read, too-large, not-text, empty-file.
    """
    if place == "-":
        return _decoded("<stdin>", sys.stdin.buffer.read(MOST_BYTES + 1) if sys.stdin is not None else b"")
    file = Path(place) if isinstance(place, str) else place
    name = _shown(file)
    if file.is_dir():
        raise _file_fault("not-a-file", name, "this is a folder, and a file is wanted", "name a file in it")
    try:
        with file.open("rb") as stream:
            data: bytes = stream.read(MOST_BYTES + 1)
    except FileNotFoundError:
        raise _file_fault("file-not-found", name, "there is no such file", _neighbour(file)) from None
    except (OSError, ValueError) as trouble:
        reason = getattr(trouble, "strerror", None) or str(trouble)
        help = "check its permissions, and that nothing else holds it"
        raise _file_fault("cannot-read", name, f"the file cannot be read: {reason.lower()}", help) from None
    return _decoded(name, data)


@lru_cache(maxsize=MOST_REMEMBERED)
def parse(source: Source) -> Node:
    """The one YAML 1.2 document of a text; the same text is read once.

    Anchors, aliases, merge keys, tags and further documents are refused: a rule stands where it is read.
    Raises `Faulty` with every fault found before the first one that ends the reading: yaml-syntax, not-text,
    empty-file, too-deep, too-many-nodes, duplicate-key, empty-key, alias-not-allowed, tag-not-allowed,
    several-documents, wrong-shape.
    """
    builder = _Builder(source)
    _refuse_control_characters(source)
    node: Node | None = None
    for event in builder.events:
        match event:
            case DocumentStartEvent() if node is not None:
                builder.fault_several_documents(event)
                break
            case NodeEvent():
                node = builder.node(event, depth=1)
    builder.faults.raise_if_any()
    if node is None or (isinstance(node, Text) and node.plain and not node.value):
        message = "there is nothing in it but comments"
        raise _file_fault("empty-file", source.name, message, "write something into it")
    return node


# ---- reading -------------------------------------------------------------------------------------------


def _shown(file: Traversable) -> str:
    """The name for messages: relative to the current folder for a file inside it, else as it was given; `rulesets/..`
    for a shipped one, wherever it is installed."""
    if not isinstance(file, Path):
        return str(file)
    absolute = Path(os.path.abspath(file))
    if absolute.is_relative_to(Path.cwd()):
        return absolute.relative_to(Path.cwd()).as_posix()
    shipped = root("rulesets")
    if isinstance(shipped, Path) and absolute.is_relative_to(shipped):
        return absolute.relative_to(shipped.parent).as_posix()
    return file.as_posix()


def _decoded(name: str, data: bytes) -> Source:
    if len(data) > MOST_BYTES:
        message = f"the file has more than {MOST_BYTES:,} bytes"
        raise _file_fault("too-large", name, message, "split it: the files of a folder are read together")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as trouble:
        message = f"the file is not UTF-8 text: byte {trouble.start + 1} begins no character"
        raise _file_fault("not-text", name, message, "save it as UTF-8 text in a text editor") from None
    source = Source(name, text.replace("\r\n", "\n").replace("\r", "\n"))
    _refuse_control_characters(source)
    if not source.text.strip():
        raise _file_fault("empty-file", name, "the file is empty", "write something into it")
    return source


def _refuse_control_characters(source: Source) -> None:
    """Raises at the first character that YAML does not allow."""
    found = re.search(r"[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", source.text)
    if found:
        message = f"character U+{ord(found[0]):04X} cannot stand in a text file"
        span = Span(source, found.start(), found.end())
        help = "if this is a text file, delete the character; if not, name another file"
        raise Faulty.one("not-text", message, span, help=help)


def _neighbour(file: Traversable) -> str:
    """A suggestion from the folder in which a missing file was looked for."""
    if not isinstance(file, Path) or not file.parent.is_dir():
        return "check the path"
    return suggest(file.name, os.listdir(file.parent)) or "check the path"


def _file_fault(code: str, name: str, message: str, help: str) -> Faulty:
    return Faulty.one(code, message, Span(Source(name, ""), 0, 0), help=help)


# ---- building ------------------------------------------------------------------------------------------


class _Builder:
    """Turns the parser's events into nodes, and notes what is not allowed."""

    __slots__ = ("count", "events", "faults", "source")

    def __init__(self, source: Source) -> None:
        self.source = source
        self.events = events(source)
        self.faults = Faults()
        self.count = 0

    def node(self, event: Event, depth: int) -> Node:
        """The node that begins with an event. Recursion goes no further than `DEEPEST`."""
        self.refuse_excess(event, depth)
        self.refuse_references(event)
        match event:
            case MappingStartEvent():
                return self.mapping(event, depth)
            case SequenceStartEvent():
                return self.listing(event, depth)
            case ScalarEvent():
                return self.text(event)
            case _:  # an alias, refused above: any text will do to go on with
                span = self.span(event)
                return Text(span.text, span, True, span)

    def mapping(self, start: MappingStartEvent, depth: int) -> Mapping:
        span = self.span(start)
        entries: list[tuple[Text, Node]] = []
        first: dict[str, Text] = {}
        while not isinstance(event := next(self.events), MappingEndEvent):
            key = self.node(event, depth + 1)
            value = self.node(next(self.events), depth + 1)
            if not isinstance(key, Text) or not key.value:
                self.fault_key(key)
                continue
            if isinstance(value, Text) and value.plain and not value.value:
                if start.flow_style and not (entries and entries[-1][1].span == entries[-1][0].span):
                    self.fault_empty_key(key, entries[-1] if entries else None)
                value = Text("", key.span, True, Span(self.source, key.span.end, key.span.end))
            if key.value in first:
                self.fault_duplicate(key, first[key.value])
            first.setdefault(key.value, key)
            entries.append((key, value))
            span = span.to(value.span if value.span.end > key.span.end else key.span)
        return Mapping(tuple(entries), span.to(self.span(event)) if start.flow_style else span)

    def listing(self, start: SequenceStartEvent, depth: int) -> Listing:
        span = self.span(start)
        items: list[Node] = []
        while not isinstance(event := next(self.events), SequenceEndEvent):
            items.append(self.node(event, depth + 1))
            span = span.to(items[-1].span)
        return Listing(tuple(items), span.to(self.span(event)) if start.flow_style else span)

    def text(self, event: ScalarEvent) -> Text:
        span = self.span(event)
        raw = span.text
        match event.style:
            case '"' | "'":
                content = span.part(1, len(raw) - 1)
                escape = "\\" if event.style == '"' else "''"
                return Text(event.value, span, False, content, escape in content.text)
            case "|" | ">":
                body = raw.find("\n") + 1 or len(raw)
                content = span.part(body + len(raw[body:]) - len(raw[body:].lstrip()), len(raw.rstrip()))
                if content.end <= content.start:
                    content = span.part(body, body)
                return Text(event.value, span.part(0, len(raw.rstrip())), False, content)
            case _:
                return Text(event.value, span, True, span)

    def span(self, event: Event) -> Span:
        return Span(self.source, event.start_mark.index, event.end_mark.index)

    # ---- what is not allowed ---------------------------------------------------------------------------

    def refuse_excess(self, event: Event, depth: int) -> None:
        self.count += 1
        if depth > DEEPEST:
            message = f"this is nested more than {DEEPEST} levels deep"
            help = "look for a bracket that is never closed, or give the inner part a name of its own"
            raise Faulty.one("too-deep", message, self.span(event), help=help)
        if self.count > MOST_NODES:
            message = f"the file holds more than {MOST_NODES:,} keys and values"
            help = "split it: the files of a folder are read together"
            raise Faulty.one("too-many-nodes", message, self.span(event), help=help)

    def refuse_references(self, event: Event) -> None:
        help = "write the text out where it is needed; quote it if the sign belongs to the text"
        match event:
            case AliasEvent():
                message = f"`*{event.anchor}` refers to another place in the file"
                help += "; to multiply in a row, write `times:`"
                self.faults.add("alias-not-allowed", message, self.sign(event), help=help)
            case NodeEvent() if event.anchor:
                message = f"`&{event.anchor}` names a place in the file for later reference"
                self.faults.add("alias-not-allowed", message, self.sign(event), help=help)
            case ScalarEvent(value="<<", style=None):
                message = "`<<` would mix other lines into these"
                self.faults.add("alias-not-allowed", message, self.sign(event), help=help)
        if isinstance(event, ScalarEvent | MappingStartEvent | SequenceStartEvent) and event.tag:
            span = self.sign(event)
            help = "leave it out: what a text means follows from where it stands; quote it if it is text"
            self.faults.add("tag-not-allowed", f"`{span.text}` is a YAML tag", span, help=help)

    def sign(self, event: Event) -> Span:
        """What an event begins with, up to a blank or a bracket."""
        span = self.span(event)
        sign = re.compile(r"[^\s,\[\]{}]*").match(self.source.text, span.start, span.end)
        return Span(self.source, *sign.span()) if sign else span

    def fault_several_documents(self, event: Event) -> None:
        help = "put the second document into a file of its own"
        self.faults.add("several-documents", "a second document begins here", self.span(event), help=help)

    def fault_key(self, key: Node) -> None:
        if isinstance(key, Text):
            message, help = "there is no key before this colon", "write the name it belongs to"
        else:
            message, help = "a name stands before a colon, neither a list nor braces", "write a name"
        self.faults.add("wrong-shape", message, key.span, help=help)

    def fault_empty_key(self, key: Text, before: tuple[Text, Node] | None) -> None:
        help = _instead_of_a_comma(key.value, before)
        self.faults.add("empty-key", f"`{key.value}` stands alone inside braces", key.span, help=help)

    def fault_duplicate(self, key: Text, first: Text) -> None:
        message = f"`{key.value}:` is written twice here"
        labels = ((key.span, "again here"), (first.span, "first here"))
        help = (
            "keep one of them, or give the second another name; join two conditions by `and`, "
            "write several effects as a list, `[.., ..]`"
        )
        self.faults.add("duplicate-key", message, key.span, labels=labels, help=help)


_PROSE = ("note", "says", "title", "about", "why", "rule", "left-out")  # keys whose text is for people


def _instead_of_a_comma(said: str, before: tuple[Text, Node] | None) -> str:
    """What to write where a comma inside braces has begun a column that nobody meant."""
    if ":" in said:
        return "write a space after the colon"
    if found := re.fullmatch(r"([a-z-]+) ([+-]?\d.*)", said):
        return f"write a colon after the key: `{found[1]}: {found[2]}`"
    key, text = ("", "")
    if before is not None and isinstance(before[1], Text):
        key, text = before[0].value, before[1].value
    if found := re.match(r"(max|min)\(", text):
        way = "the higher of" if found[1] == "max" else "the lower of"
        return f"it is said with `{way}`: write `{way} {text[found.end() :]} and {said.rstrip(')')}`"
    if key == "do":
        return f"write several effects as a list: `do: [{text}, {said}]`"
    if key == "about" and " " not in text + said:
        return f"write several as a list: `about: [{text}, {said}]`"
    if key in _PROSE:
        return f'put a text with a comma into quotes: `{key}: "{text}, {said}"`'
    if found := re.fullmatch(r"(.+) is (.+)", said):
        return f"write a colon in the place of `is`: `{found[1]}: {found[2]}`"
    if not text:
        return f"say what it is, `{said}: yes`; a list stands in `[ ]`"
    joined = f"a comma inside braces starts a new column; join words by `or`: `{key}: {text} or {said}`"
    return joined if " " in text + said else f"{joined}; in a fight, who is named stands in a list: `[{text}, {said}]`"


# ---- nodes as text -------------------------------------------------------------------------------------


_NEEDS_QUOTES = re.compile(r"[,\[\]{}]|: |:$| #|^[-?:]( |$)|^[!&*|>%@`\"'#]|^$")


def flow(node: Node) -> str:
    """A node as one line of flow style: `{target: broken, add: -2, cites: A11.16b}`."""
    match node:
        case Mapping(entries):
            return "{" + ", ".join(f"{_text(key)}: {flow(value)}" for key, value in entries) + "}"
        case Listing(items):
            return "[" + ", ".join(flow(item) for item in items) + "]"
        case Text():
            return _text(node)


def agrees(was: Node, now: Node, needless: Collection[str] = (), *, part: bool = False) -> bool:
    """Whether `now` says what `was` said, whatever the layout.

    Columns may stand in another order, `+1` is 1 and a list of one is its item. With `part`, `was` may leave
    out any key of the outermost mapping; else only the `needless` ones.
    """
    match was, now:
        case Mapping(), Mapping():
            left_out = not part and any(key.value not in was and key.value not in needless for key, _ in now.entries)
            pairs = ((value, now.get(key.value)) for key, value in was.entries)
            return not left_out and all(other is not None and agrees(value, other, needless) for value, other in pairs)
        case Listing(items), Listing(others):
            return len(items) == len(others) and all(
                agrees(item, other, needless) for item, other in zip(items, others, strict=True)
            )
        case Listing((item,)), Text():
            return agrees(item, now, needless)
        case Text(), Listing((item,)):
            return agrees(was, item, needless)
        case Text(), Text():
            return _plain(was.value) == _plain(now.value)
    return False


def _plain(text: str) -> str:
    return re.sub(r"^\+(?=\d)", "", " ".join(text.split()))


def _text(node: Text) -> str:
    text = " ".join(node.value.split())
    return "'" + text.replace("'", "''") + "'" if _NEEDS_QUOTES.search(text) else text
