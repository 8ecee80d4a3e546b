"""A fight told once in which something is so, and the same in which it is not: a state of all of a side, one more of
its units, what is carried, the ground, a circumstance.

What is already said is taken out where it is not to be so. Grounds are instead of each other: each is held against
none. A unit that stands apart is there or is not; of any other there is one more than there was, if
any of its class is there at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from closecombat.reading.battle_words import CARRIED, CIRCUMSTANCE, GROUND, STATE, UNIT, One, Word
from closecombat.reading.told_once import Told, prefixes
from closecombat.text.slotted import dataclass

SWITCHED = (UNIT, CARRIED, STATE, GROUND, CIRCUMSTANCE)


@dataclass(frozen=True, slots=True)
class Switch:
    """A word, the side that it is said of (nothing where it is said of the fight), the fight with it and without."""

    word: Word
    side: str
    on: Told
    off: Told


def switches(told: Told) -> Iterator[Switch]:
    """Each word of the order of battle, on each side of which it can be said."""
    for number, (side, _) in enumerate(told.sides):
        for name in told.words.of(UNIT, STATE, CARRIED):
            word = told.words.known[name]
            found = _unit(told, number, word) if word.sort == UNIT else _said(told, number, word)
            if found is not None:
                yield Switch(word, side, *found)
    for name in told.words.of(GROUND):
        word = told.words.known[name]
        yield Switch(word, "", replace(told, grounds=(word,)), replace(told, grounds=()))
    for name in told.words.of(CIRCUMSTANCE):
        word = told.words.known[name]
        others = tuple(each for each in told.circumstances if each is not word)
        with_it = told.circumstances if word in told.circumstances else (*others, word)
        yield Switch(word, "", replace(told, circumstances=with_it), replace(told, circumstances=others))


def _said(told: Told, number: int, word: Word) -> tuple[Told, Told] | None:
    """Of all of a side; what is carried, by the first who counts, unless somebody has it."""
    ones = told.sides[number][1]
    off = [_as(told, one, tuple(each for each in one.says if each != word.name)) for one in ones]
    carriers = [place for place, one in enumerate(ones) if word.name in one.says]
    if word.sort == CARRIED and not carriers:
        carriers = [next((place for place, one in enumerate(ones) if one.counts), 0)]
    whom = carriers if word.sort == CARRIED else range(len(ones))
    on = [
        _as(told, one, one.says if word.name in one.says else (*one.says, word.name)) if place in whom else one
        for place, one in enumerate(ones)
    ]
    if not any(one.counts for one in on) and any(one.counts for one in ones):
        return None  # who would stand apart has nobody to stand apart from
    return _with(told, number, on), _with(told, number, off)


def _unit(told: Told, number: int, word: Word) -> tuple[Told, Told] | None:
    """One more, with what all of his side are; of those who stand apart one, if there is none. Nothing where nobody
    would be left, or where such units are in another fight."""
    ones = told.sides[number][1]
    others = [one for one in ones if one.word is not word]
    if not word.counts and len(others) < len(ones):
        return (told, _with(told, number, others)) if others else None
    if word.counts and all(one.word.kind != word.kind for one in told.everybody()):
        return None
    alike = sum(one.word.letter == word.letter for one in ones)
    prefix = prefixes([name for name, _ in told.sides])[number]
    name = f"{prefix}{word.letter}{'' if word.letter and not alike else alike + 1}"
    says = tuple(each for each in ones[0].says if all(each in one.says for one in ones) and _is_state(told, each))
    one = replace(ones[0], name=name, word=word, says=says)
    return _with(told, number, (*ones, _as(told, one, says))), told


def _is_state(told: Told, name: str) -> bool:
    return told.words.known[name].sort == STATE


def _as(told: Told, one: One, says: tuple[str, ...]) -> One:
    """Somebody of whom this is said."""
    return replace(one, says=says, counts=all(told.words.known[each].counts for each in (one.word.name, *says)))


def _with(told: Told, number: int, ones: Sequence[One]) -> Told:
    sides = list(told.sides)
    sides[number] = (sides[number][0], tuple(ones))
    return replace(told, sides=tuple(sides))
