"""What is thrown and dealt, as people say it: `2d6`, `as many d6 as the steps, of which the highest is kept`."""

from __future__ import annotations

from collections.abc import Iterator

from closecombat.reading import syntax as s
from closecombat.reading.aloud import FACE, Speaker, of_die
from closecombat.reading.chance import faces_of
from closecombat.reading.model import Deck, Dice, DicePart
from closecombat.reading.phrases import listed
from closecombat.reading.types import Face

Amount = s.Cell | int


def throw(speaker: Speaker, dice: Dice) -> str:
    """Which dice one throw has, and what becomes of them."""
    told = [_part(speaker, part) for part in dice.parts]
    plus = _amount(speaker, dice.plus)
    return listed(told, "and") + (f"; to their sum is added {plus}" if plus != "0" else "")


def cards(speaker: Speaker, deck: Deck) -> str:
    """Which cards a deck has, and how many of each."""
    told = ", ".join(f"{number} {speaker.word(word)}" for word, number in deck.cards.items())
    whose = f"; each {speaker.name(deck.each)} has such a deck" if deck.each else ""
    return f"{told}{whose}{'; shuffled anew where none is left' if deck.shuffled else ''}"


def _part(speaker: Speaker, part: DicePart) -> str:
    return ", ".join((_thrown(speaker, part), *_treated(speaker, part)))


def _thrown(speaker: Speaker, part: DicePart) -> str:
    """How many of which dice."""
    if part.of is not None:
        return f"the dice of {speaker.value(part.of.node)}"
    number = _amount(speaker, part.number)
    if part.name:
        return f"{_die(part.faces[''])} ({speaker.name(part.name)})"
    if part.each:
        each = ", ".join(f"{_die(faces)} for {speaker.word(word)}" for word, faces in part.faces.items())
        return f"for each {speaker.name(part.each)} {_many(number, 'die')}: {each}"
    if part.sides is not None:
        each = "" if number == "1" else ", each"
        return f"{_many(number, 'die')}{each} from 1 to {speaker.operand(part.sides.node, '+-*/')}"
    return _many(number, _die(part.faces[""]))


def _many(number: str, die: str) -> str:
    """So many dice; `2d6` where both are figures."""
    is_figure, dice = number.isdigit(), "dice" + die.removeprefix("die") if die.startswith("die") else die
    if is_figure and die.startswith("d") and die[1:].isdigit():
        return f"{'' if number == '1' else number}{die}"
    if is_figure:
        return f"a {die}" if number == "1" else f"{number} {dice}"
    return f"as many {dice} as {number}"


def _die(faces: tuple[Face, ...]) -> str:
    if faces == faces_of(len(faces)):
        return f"d{len(faces)}"
    return f"die ({', '.join(str(face).replace('-', ' ') if isinstance(face, str) else str(face) for face in faces)})"


def _treated(speaker: Speaker, part: DicePart) -> Iterator[str]:
    """What is thrown again, and what is kept."""
    if part.again_if is not None:
        yield f"each that {_shows(speaker, part.again_if)} once more"
    if part.explode_if is not None:
        often = " without end" if part.at_most is None else f", at most {_amount(speaker, part.at_most)} times"
        are_words = any(isinstance(face, str) for faces in part.faces.values() for face in faces)
        added = "" if are_words else " that is added to it"
        yield f"for each that {_shows(speaker, part.explode_if)} a further one{added}, and so on{often}"
    if part.keep is not None:
        highest, number = part.keep
        end, kept = "highest" if highest else "lowest", _amount(speaker, number)
        each = ", a die and its further ones taken together," if part.explode_if is not None else ""
        yield f"of which{each} the {end} {'is' if kept == '1' else f'{kept} are'} kept"


def _shows(speaker: Speaker, cell: s.Cell) -> str:
    """What a die shows that is thrown again."""
    return of_die(speaker.value(cell.node).removeprefix(f"{FACE} "))


def _amount(speaker: Speaker, amount: Amount) -> str:
    return str(amount) if isinstance(amount, int) else speaker.amount(amount.node)
