"""Reading what chance is made of: dies, dice and decks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from closecombat.reading.advice import DICE, for_line
from closecombat.reading.fields import Fields, cell_of, expected, mapping_of, name_of, text_of, whole
from closecombat.reading.model import Deck, Dice, DicePart, Origin
from closecombat.text.document import Listing, Mapping, Node, Text
from closecombat.text.faults import Faults, Faulty, suggest

MOST_ROLLS_OF_ONE_DIE = 20


@dataclass(frozen=True, slots=True)
class Die:
    """A die with faces of its own, and what is assumed of them."""

    faces: tuple[Any, ...]
    assumed: tuple[str, ...] = ()


Dies: TypeAlias = dict[str, Die]


def read_die(key: Text, node: Node, faults: Faults) -> Die:
    """The list of its faces, or `{faces: [..], assumed: ..}`."""
    if isinstance(node, Mapping) and "faces" not in node:
        words = [face.value.strip() for _, face in node.entries if isinstance(face, Text)]
        raise expected("the list of a die's faces", node, f"write what its faces show: `[{', '.join(words)}]`")
    if isinstance(node, Mapping):
        fields = Fields(node, f"die `{key.value}`", faults)
        faces, where = fields.need("faces"), fields.origin()
        fields.done()
        return Die(_listed(faces), where.assumed)
    return Die(_listed(node))


def _listed(node: Node) -> tuple[Any, ...]:
    items = node.items if isinstance(node, Listing) else None
    if not items:
        help = "write what its faces show, in `[ ]`: `[skull, star, blank]`"
        raise expected("the list of a die's faces", node, help)
    return tuple(int(v) if re.fullmatch(r"\d{1,4}", v := text_of(i, "a face")) else name_of(i, "a face") for i in items)


def _faces(node: Node, dies: Dies) -> tuple[Any, ...]:
    name = text_of(node, "a die")
    if found := re.fullmatch(r"d(\d{1,4})", name):
        if 1 <= int(found[1]) <= 1000:
            return tuple(range(1, int(found[1]) + 1))
    elif name in dies:
        if not dies[name].faces:
            raise Faulty.told()
        return dies[name].faces
    raise Faulty.one(
        "unknown-name", f"no die is called `{name}`", node.span, help=suggest(name, dies) or for_line(name, DICE)
    )


def read_dice(key: Text, node: Node, faults: Faults, dies: Dies, words: dict[str, tuple[str, ...]]) -> Dice:
    """A line of `dice`, which rests on whatever is assumed of it or of its dies."""
    dice = _read_dice(key, node, faults, dies, words)
    ids = dict.fromkeys(id for name in _named(node) if name in dies for id in dies[name].assumed)
    if not ids:
        return dice
    where = replace(dice.where, assumed=tuple(dict.fromkeys((*dice.where.assumed, *ids))))
    return replace(dice, where=where)


def _named(node: Node) -> Iterator[str]:
    """Every text in a line of `dice`: among them the names of its dies."""
    if isinstance(node, Text):
        yield node.value
    for _, inner in node.entries if isinstance(node, Mapping) else ():
        yield from _named(inner)


def _read_dice(key: Text, node: Node, faults: Faults, dies: Dies, words: dict[str, tuple[str, ...]]) -> Dice:
    name = key.value
    if isinstance(node, Text):
        return Dice(name, (_single("", node, dies),), Origin(node.span))
    if isinstance(node, Listing):
        help = "write how many, `{die: d6, number: 2}`, or call each by a name, `{first: d6, second: d6}`"
        raise expected("one line of dice", node, help)
    fields = Fields(node, f"dice `{name}`", faults)
    where = fields.origin()
    if fields.node.get("die") is None:
        parts = tuple(_single(name_of(k, "a die's name"), line, dies) for k, line in fields.rest())
        if not parts:
            raise Faulty.one("missing-key", f"dice `{name}` need a `die:`", fields.span)
        return Dice(name, parts, where)
    each = fields.name("each")
    die = fields.need("die")
    faces = _faces_by_word(die, each, fields, dies, words)
    number: Any = fields.get("number")
    number = 1 if number is None else cell_of(number, "value")
    keep = None
    if (kept := fields.get("keep")) is not None:
        found = re.fullmatch(r"(highest|lowest) (\d{1,2})", text_of(kept, "highest 1"))
        if not found:
            raise Faulty.one(
                "wrong-type",
                "it is not said which dice are kept, and how many",
                kept.span,
                help="write `highest 1`, `lowest 2` and the like",
            )
        keep = (found[1] == "highest", int(found[2]))
        if not all(isinstance(face, int) for shown in faces.values() for face in shown):
            help = "count faces instead: `number of it where (face is ..)`"
            said = "dice are kept by what they show, and words are no numbers"
            raise Faulty.one("wrong-type", said, kept.span, help=help)
    bound = fields.get("at-most")
    explode = fields.cell("explode-if", "condition")
    if explode is not None and bound is None:
        raise Faulty.one("loop-without-end", "dice that explode need a bound", fields.span, help="add `at-most: 3`")
    at_most = 0 if bound is None else whole(bound, "a whole number")
    if not 0 <= at_most <= MOST_ROLLS_OF_ONE_DIE:
        raise Faulty.one("out-of-range", f"at most {MOST_ROLLS_OF_ONE_DIE} throws of one die", fields.span)
    part = DicePart("", faces, each, number, keep, fields.cell("again-if", "condition"), explode, at_most)
    fields.done()
    return Dice(name, (part,), where)


def _single(name: str, node: Node, dies: Dies) -> DicePart:
    return DicePart(name, {"": _faces(node, dies)}, "", 1, None, None, None, 0)


def _faces_by_word(
    die: Node, each: str, fields: Fields, dies: Dies, words: dict[str, tuple[str, ...]]
) -> dict[str, tuple[Any, ...]]:
    """The faces of a die, or of one for each word of the list that `each` names."""
    if not isinstance(die, Mapping):
        return {"": _faces(die, dies)}
    if each not in words:
        raise Faulty.one(
            "unknown-name",
            f"no list of words is called `{each}`"
            if each
            else "one die for each word needs `each:`, the list of the words",
            (fields.get("each") or die).span,
            help=suggest(each, words),
        )
    if not words[each]:
        raise Faulty.told()
    for key, _ in die.entries:
        if key.value not in words[each]:
            raise Faulty.one(
                "unknown-word",
                f"`{key.value}` is not one of {', '.join(words[each])}",
                key.span,
                help=suggest(key.value, words[each]),
            )
    for word in words[each]:
        if word not in die:
            raise Faulty.one("missing-key", f"there is no die for `{word}`", die.span)
    return {key.value: _faces(line, dies) for key, line in die.entries}


def read_deck(key: Text, node: Node, faults: Faults) -> Deck:
    """Its cards and how many of each, or `{cards: {..}, assumed: ..}`."""
    where = Origin(node.span)
    if isinstance(node, Mapping) and isinstance(node.get("cards"), Mapping):
        fields = Fields(node, f"deck `{key.value}`", faults)
        where, node = fields.origin(), fields.need("cards")
        fields.done()
    if isinstance(node, Listing):
        raise expected("how many there are of each card", node, "write `{red: 4, black: 2}`: a word and how many")
    read = [
        (faults.attempt(name_of, key, "a card"), faults.attempt(whole, many, "a number of cards"))
        for key, many in mapping_of(node, "how many there are of each card").entries
    ]
    cards = {name: many for name, many in read if name is not None and many is not None}
    if len(cards) < len(read):
        raise Faulty.told()
    if not cards or any(n < 1 or n > 1000 for n in cards.values()):
        raise Faulty.one("out-of-range", "a deck has 1 to 1000 of each card", node.span)
    return Deck(key.value, cards, where)
