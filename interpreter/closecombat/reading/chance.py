"""Reading dies and dice; what cards are dealt from is `decks`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TypeAlias

from closecombat.reading.fields import Fields, cell_of, expected, name_of, text_of, whole, word_of
from closecombat.reading.model import Dice, DicePart, Origin
from closecombat.reading.spellings import DICE, for_line
from closecombat.reading.syntax import Cell, Literal
from closecombat.reading.types import Face, Handful
from closecombat.text.faults import Faults, Faulty, suggest
from closecombat.text.nodes import Listing, Mapping, Node, Text
from closecombat.text.slotted import dataclass

MOST_ROLLS_OF_ONE_DIE = 20
MOST_DICE = 400
MOST_SIDES = 1_000
TENS_AND_ONES = 66  # d66 is two dice
WHICH = ("die", "sides", "of")  # the keys that say which dice a line has


@dataclass(frozen=True, slots=True)
class Die:
    """A die with faces of its own, and what is assumed of them."""

    faces: tuple[Face, ...]
    assumed: tuple[str, ...] = ()


Dies: TypeAlias = dict[str, Die]


def read_die(key: Text, node: Node, faults: Faults) -> Die:
    """The list of its faces, or `{faces: [..], assumed: ..}`."""
    if handful(key.value) is not None:
        raise _as_written(key)
    if isinstance(node, Mapping) and "faces" not in node:
        raise Faulty.one("wrong-shape", "a die is a list of its faces", node.span, help=_faces_meant(node))
    if isinstance(node, Mapping):
        fields = Fields(node, f"die `{key.value}`", faults)
        faces, where = fields.need("faces"), fields.origin()
        fields.done()
        return Die(_listed(faces), where.assumed)
    return Die(_listed(node))


def _faces_meant(node: Mapping) -> str:
    """The faces of a die that says which number shows what, `{1: hit}`, or how many faces show it, `{hit: 3}`."""
    shown: list[str] = []
    for key, face in node.entries:
        text = face.value.strip() if isinstance(face, Text) else ""
        shown += [key.value] * int(text) if re.fullmatch("[1-9]|1\\d|20", text) else [text or key.value]
    return f"write what its faces show: `[{', '.join(shown)}]`"


def _listed(node: Node) -> tuple[Face, ...]:
    items = node.items if isinstance(node, Listing) else None
    if not items:
        help = "write what its faces show, in `[ ]`: `[skull, star, blank]`"
        raise expected("the list of a die's faces", node, help)
    for item in items:
        if found := re.fullmatch(r"([1-9]|1\d|20)[x ]+([a-z-]+)s?", text_of(item, "a face")):
            help = f"write it once for each: `{', '.join([found[2]] * int(found[1]))}`"
            raise Faulty.one("wrong-shape", f"`{found[0]}` is more than one face", item.span, help=help)
    faces = tuple(_face(item) for item in items)
    if odd := next((at for at, face in enumerate(faces) if isinstance(face, int) is not isinstance(faces[0], int)), 0):
        said = f"`{faces[0]}` and `{faces[odd]}`: the faces of a die are all numbers, or all words"
        help = "write 0 where a die of numbers shows nothing; or call the numbers by words, `one`"
        raise Faulty.one("wrong-type", said, items[odd].span, help=help)
    return faces


def _face(node: Node) -> Face:
    text = text_of(node, "a face")
    if re.fullmatch(r"[+-]?\d{1,4}", text):
        return int(text)
    if re.fullmatch(r"[+-]?\d[\d./,]*", text):
        said = f"a die does not show `{text}`"
        raise Faulty.one("wrong-type", said, node.span, help="a face is a whole number of four digits, or a word")
    return word_of(node, "a face")


def _faces(node: Node, dies: Dies) -> tuple[Face, ...]:
    name = text_of(node, "a die")
    if (written := re.fullmatch(r"d\d+", name) and handful(name)) is not None:
        return faces_of(written.sides)
    if name in dies:
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


def _as_written(key: Text) -> Faulty:
    said = f"`{key.value}` is how a die is written that shows 1 to {key.value[1:]}, and no name for another"
    return Faulty.one("reserved-word", said, key.span, help="give it a name that says what it is, as in `grim-die`")


def _named(node: Node) -> Iterator[str]:
    """Every text in a line of `dice`: among them the names of its dies."""
    if isinstance(node, Text):
        yield node.value
    for _, inner in node.entries if isinstance(node, Mapping) else ():
        yield from _named(inner)


def _read_dice(key: Text, node: Node, faults: Faults, dies: Dies, words: dict[str, tuple[str, ...]]) -> Dice:
    name = key.value
    if (written := handful(name)) is not None and not (isinstance(node, Text) and handful(node.value) == written):
        raise _as_written(key)
    if isinstance(node, Text):
        if (hand := handful(node.value)) is not None:
            return printed_dice(name, hand, Origin(node.span))
        return Dice(name, (DicePart("", {"": _faces(node, dies)}),), Origin(node.span))
    if isinstance(node, Listing):
        help = "write how many, `2d6`, or call each by a name, `{first: d6, second: d6}`"
        raise expected("one line of dice", node, help)
    fields = Fields(node, f"dice `{name}`", faults)
    where = fields.origin()
    if not any(which in fields.node for which in WHICH):
        parts = tuple(_single(name_of(k, "a die's name"), line, dies) for k, line in fields.rest())
        if not parts:
            raise Faulty.one("missing-key", f"dice `{name}` need a `die:`", fields.span)
        return Dice(name, parts, where)
    given = [which for which in WHICH if fields.get(which) is not None]
    if len(given) > 1:
        said = f"dice `{name}` have both `{given[0]}:` and `{given[1]}:`"
        raise Faulty.one("wrong-shape", said, fields.span, help="keep the one that says which dice they are")
    each, number = fields.name("each"), fields.get("number")
    faces = _faces_by_word(fields.need("die"), each, fields, dies, words) if given == ["die"] else {}
    if given == ["of"] and number is not None:
        said = "how many dice there are is part of what `of:` names, `2d6`"
        raise Faulty.one("wrong-shape", said, number.span, help="leave out `number:`, or name the die under `sides:`")
    explode, bound = fields.cell("explode-if", "condition"), fields.get("at-most")
    if explode is not None and bound is None:
        help = "add `at-most: 3`, or `at-most: unbounded` if they go on for ever"
        raise Faulty.one("loop-without-end", "dice that explode need a bound", fields.span, help=help)
    if explode is None and bound is not None:
        said = f"nothing of dice `{name}` goes on `at-most` so often"
        help = "leave it out: a die that `again-if:` names is thrown once more; one that `explode-if:` names goes on"
        raise Faulty.one("wrong-shape", said, bound.span, help=help)
    part = DicePart(
        "",
        faces,
        each,
        1 if number is None else _how_many(number),
        _kept(fields, faces),
        fields.cell("again-if", "condition"),
        explode,
        0 if bound is None else _at_most(bound),
        fields.cell("sides", "value"),
        fields.cell("of", "value"),
    )
    if explode is None and part.keep is not None:
        _refuse_too_many(part, fields.need("keep"), faults)
    plus = fields.get("plus")
    if plus is not None and not _are_numbers(faces):
        help = "add to what is counted: `number of it where (face is ..) + 1`"
        faults.add("wrong-type", "to dice that show words nothing is added", plus.span, help=help)
    fields.done()
    return Dice(name, (part,), where, 0 if plus is None else _whole_or_cell(plus))


def _are_numbers(faces: dict[str, tuple[Face, ...]]) -> bool:
    return all(isinstance(face, int) for shown in faces.values() for face in shown)


def _kept(fields: Fields, faces: dict[str, tuple[Face, ...]]) -> tuple[bool, Cell | int] | None:
    """`highest 1`, `lowest skill`: which of the dice are kept."""
    node = fields.get("keep")
    if node is None:
        return None
    if not _are_numbers(faces):
        help = "count faces instead: `number of it where (face is ..)`"
        said = "dice are kept by what they show, and words are no numbers"
        raise Faulty.one("wrong-type", said, node.span, help=help)
    text = text_of(node, "highest 1")
    found = re.fullmatch(r"(highest|lowest) +(\S.*)", text)
    if not found:
        said = "it is not said which dice are kept, and how many"
        raise Faulty.one("wrong-type", said, node.span, help="write `highest 1`, `lowest 2` and the like")
    span = node.content.part(found.start(2), found.end(2)) if isinstance(node, Text) else node.span
    return found[1] == "highest", _whole_or_cell(Text(found[2], span, True, span))


def _refuse_too_many(part: DicePart, node: Node, faults: Faults) -> None:
    """Dice of which more are kept than are thrown, or none."""
    kept = part.keep[1] if part.keep is not None else 1
    told = part.number.node if isinstance(part.number, Cell) else part.number
    thrown = told.value if isinstance(told, Literal) else told
    if isinstance(kept, int) and not 1 <= kept <= (thrown if isinstance(thrown, int) else kept):
        of = f"of {thrown} dice {kept} are kept" if kept > 0 else "no dice are kept"
        help = "keep fewer, or throw more: `number: 3`" if kept > 0 else "write how many, `highest 1`"
        faults.add("out-of-range", of, node.span, help=help)


def _at_most(node: Node) -> Cell | int | None:
    """How often one die may explode; None is without end."""
    if text_of(node, "a number") == "unbounded":
        return None
    return _whole_or_cell(node, MOST_ROLLS_OF_ONE_DIE, "throws of one die")


def _whole_or_cell(node: Node, most: int | None = None, what: str = "") -> Cell | int:
    """A number in figures, not above `most`, or a sentence that gives one."""
    if not re.fullmatch(r"[+-]?\d{1,6}", text_of(node, "a number")):
        return cell_of(node, "value")
    number = whole(node, "a whole number")
    if most is not None and not 0 <= number <= most:
        raise Faulty.one("out-of-range", f"at most {most} {what}", node.span)
    return number


def handful(text: str) -> Handful | None:
    """Dice as they are printed, `2d6`, `d8+1`; None if it is something else: a d66 is two dice that stand beside each
    other."""
    found = re.fullmatch(r"(\d{1,3})?[dD](\d{1,4})(?: ?([+-]) ?(\d{1,4}))?", text)
    number, sides = (int(found[1] or 1), int(found[2])) if found else (0, 0)
    if found is None or sides == TENS_AND_ONES or not (1 <= number <= MOST_DICE and 1 <= sides <= MOST_SIDES):
        return None
    return Handful(number, sides, int(f"{found[3]}{found[4]}") if found[3] else 0)


def _how_many(node: Node) -> Cell:
    """A number of dice; one in figures is looked at here, all others when they are thrown."""
    said = text_of(node, "a number").strip()
    if re.fullmatch(r"[+-]?\d+", said) and (len(said) > 6 or not 0 <= int(said) <= MOST_DICE):
        message = f"a throw has 0 to {MOST_DICE} dice"
        raise Faulty.one("wrong-shape", message, node.span, help="write a number in that range")
    return cell_of(node, "value")


def printed_dice(name: str, hand: Handful, where: Origin) -> Dice:
    """A throw of dice that are written out."""
    return Dice(name, (DicePart("", {"": faces_of(hand.sides)}, number=hand.number),), where, hand.plus)


def faces_of(sides: int) -> tuple[int, ...]:
    return tuple(range(1, sides + 1))


def _single(name: str, node: Node, dies: Dies) -> DicePart:
    return DicePart(name, {"": _faces(node, dies)})


def _faces_by_word(
    die: Node, each: str, fields: Fields, dies: Dies, words: dict[str, tuple[str, ...]]
) -> dict[str, tuple[Face, ...]]:
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
