"""The nodes of a YAML text, each with its place in the file; how they read on one line, and whether two say the same.

What they mean is decided elsewhere: here every scalar is text, `yes` and `4` included.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import TypeAlias

from closecombat.text.slotted import dataclass
from closecombat.text.source import Source, Span


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


def sources_of(document: Mapping) -> dict[Source, None]:
    """The files that a document was put together from, key by key."""
    found = {key.span.source: None for key, _ in document.entries}
    for _, value in document.entries:
        if isinstance(value, Mapping):
            found |= {key.span.source: None for key, _ in value.entries}
    return found


# ---- as text ---------------------------------------------------------------------------------------------

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


def block(document: Mapping, width: int) -> str:
    """A document a key a line; what is longer than that goes on below, a step in."""
    return "\n".join(_block(document, width, ""))


def _block(node: Mapping, width: int, indent: str) -> Iterator[str]:
    for key, value in node.entries:
        line = f"{indent}{_text(key)}: {flow(value)}"
        if len(line) > width and isinstance(value, Mapping) and value.entries:
            yield f"{indent}{_text(key)}:"
            yield from _block(value, width, indent + "  ")
        else:
            yield line


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


def in_one_order(was: Node, now: Node) -> bool:
    """Whether two nodes that agree have their keys in one order, all the way down: the cards of a deck rank by it, the
    first case of a footnote that holds counts, and a column is asked after those before it."""
    match was, now:
        case Mapping(), Mapping():
            common = [key.value for key, _ in was.entries if key.value in now]
            if common != [key.value for key, _ in now.entries if key.value in was]:
                return False
            pairs = ((value, now.get(key.value)) for key, value in was.entries)
            return all(in_one_order(value, other) for value, other in pairs if other is not None)
        case Listing(items), Listing(others):
            return all(map(in_one_order, items, others))
    return True


def _plain(text: str) -> str:
    return re.sub(r"^\+(?=\d)", "", " ".join(text.split()))


def _text(node: Text) -> str:
    text = " ".join(node.value.split())
    return "'" + text.replace("'", "''") + "'" if _NEEDS_QUOTES.search(text) else text
