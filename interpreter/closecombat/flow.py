"""Nodes written back on one line, and whether two of them say the same.

Knows no rule: what a text means, and which remarks may be left out, is said by whoever asks.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from closecombat.document import Listing, Mapping, Node, Text

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
