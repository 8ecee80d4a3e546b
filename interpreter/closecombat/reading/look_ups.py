"""Look-ups of a player aid: the chance of a throw, over the numbers of a chart or of a range, and over what is added.

    chances:
      first: {title: Who goes first, throw: d6, against: d6, add: -5 to +2, lower-by: lead, says: own bonus less theirs}
      hit:   {title: To hit, throw: 2d6, below: 3 to 13, says: skill less range}

Only what is asked stands in the file; what it comes to is worked out where it is printed (`asking/printed/look_ups`).
"""

from __future__ import annotations

import re

from closecombat.reading.chance import handful
from closecombat.reading.fields import Fields, expected, mapping_of, text_of
from closecombat.reading.model import LookUp, Named
from closecombat.reading.types import Handful
from closecombat.text.faults import Faults, Faulty
from closecombat.text.nodes import Node, Text

HOW = ("below", "at-most", "at-least", "above", "lower-by", "higher-by")
OPPOSED = ("lower-by", "higher-by")  # by how much it differs from another's throw
RANGE = re.compile(r"([+-]?\d{1,2}) to ([+-]?\d{1,2})")
MOST_COLUMNS = 15
MOST_DICE = 10


def read_look_ups(fields: Fields, faults: Faults) -> tuple[LookUp, ...]:
    """The look-ups of a page."""
    node = fields.get("chances")
    if node is None:
        return ()
    found = (
        faults.attempt(_look_up, key, inner, faults)
        for key, inner in mapping_of(node, "the look-ups of a page").entries
    )
    return tuple(one for one in found if one is not None)


def _look_up(key: Text, node: Node, faults: Faults) -> LookUp:
    fields = Fields(node, f"the look-up `{key.value}`", faults)
    throw, against = _dice(fields.need("throw")), fields.get("against")
    add = fields.get("add")
    given = [(how, chart) for how in HOW if (chart := fields.get(how)) is not None]
    if len(given) != 1:
        help = f"write one of `{'`, `'.join(HOW)}` with the name of a chart, a number, or `3 to 13`"
        raise Faulty.one("missing-key", f"the look-up `{key.value}` says once what is to come out", key.span, help=help)
    ((how, chart),) = given
    if (how in OPPOSED) != (against is not None):
        message = f"`{how}:` {'is held against' if how in OPPOSED else 'is not held against'} another's throw"
        help = "write `against: d6`" if how in OPPOSED else "write `lower-by:` or `higher-by:`, or leave out `against:`"
        raise Faulty.one("wrong-shape", message, key.span, help=help)
    other = _dice(against) if against is not None else None
    named = Named(text_of(chart, "a chart or numbers"), chart.span)
    numbers = _numbers(chart, named.name)
    out = LookUp(
        key.value,
        fields.text("title"),
        throw,
        other,
        _range(add) if add is not None else None,
        how,
        named,
        numbers,
        fields.text("says"),
        fields.origin(),
    )
    fields.done()
    return out


def _dice(node: Node) -> Handful:
    found = handful(text_of(node, "dice"))
    if found is None or found.number > MOST_DICE:
        raise expected(f"up to {MOST_DICE} dice", node, "write them as they are printed: `d6`, `2d6`, `d8+1`")
    return found


def _numbers(node: Node, text: str) -> tuple[int, int] | None:
    """From which number to which; nothing where a chart is named."""
    if re.fullmatch(r"\d{1,6}", text):
        return int(text), int(text)
    return _range(node) if " to " in text else None


def _range(node: Node) -> tuple[int, int]:
    text = text_of(node, "a range")
    found = RANGE.fullmatch(text)
    low, high = sorted((int(found[1]), int(found[2]))) if found else (0, MOST_COLUMNS)
    if high - low >= MOST_COLUMNS:
        help = f"write it with `to`, `-3 to +3`, at most {MOST_COLUMNS} numbers"
        raise Faulty.one("wrong-shape", f"`{text}` is no range of so many numbers", node.span, help=help)
    return low, high
