"""Dice as an example writes them: a list with one entry a roll."""

from __future__ import annotations

import re
from typing import Any

from closecombat.diagnostics import Faulty
from closecombat.dice import Group, Other, ScriptedDice
from closecombat.document import Listing, Mapping, Node, Text
from closecombat.fields import expected, list_of, text_of, whole
from closecombat.source import Span


def scripted(node: Node) -> ScriptedDice:
    """The single faces in rolling order; `{6: 2, other: 3}` is two sixes and three dice that show no six. What stands
    together in brackets, or as a tally, is one roll."""
    out: list[tuple[Any, Span | None]] = []
    groups: list[Group] = []
    if not isinstance(node, Listing):
        raise expected("a list of rolls", node)
    for roll in node.items:
        begin = len(out)
        if isinstance(roll, Mapping):
            shown = tuple(_face(key) for key, _ in roll.entries if key.value != "other")
            for key, number in roll.entries:
                face = Other(shown) if key.value == "other" else _face(key)
                count = whole(number, "a number of dice")
                if not 0 <= count <= 400:
                    raise Faulty.one("out-of-range", "0 to 400 dice", number.span)
                out += [(face, key.span)] * count
        else:
            out += [(_face(item), item.span) for item in list_of(roll)]
        if not isinstance(roll, Text):
            groups.append(Group(begin, len(out), roll.span))
    return ScriptedDice(out, groups)


def typed(text: str) -> list[tuple[Any, Span | None]]:
    """Dice from the command line: `4,2,5` or `4 2 5`."""
    return [(int(part) if re.fullmatch(r"\d{1,6}", part) else part, None) for part in re.split(r"[,\s]+", text) if part]


def _face(node: Node) -> Any:
    text = text_of(node, "what a die shows")
    return int(text) if re.fullmatch(r"\d{1,6}", text) else text
