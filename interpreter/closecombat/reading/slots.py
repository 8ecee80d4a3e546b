"""The places of a state: what may be written while a fight is played, and asked for.

A slot is a value, made wherever it is needed. Slots are the keys that are looked up most of all, so they are named
tuples, whose hash and comparison cost nothing; but tuples of two types are equal where their fields are, so each ends
with its sort. A fact may have any name: it cannot be taken for a slot of another sort.
"""

from __future__ import annotations

from typing import TypeAlias

from closecombat.reading.types import Thing
from closecombat.text.slotted import NamedTuple

ALL = "*"  # the word that stands for all cards together: no card can bear it


class FactOf(NamedTuple):
    """A fact of a thing that has one value."""

    thing: Thing
    fact: str
    sort: str = "fact"


class PerWord(NamedTuple):
    """What a fact of a thing is for a word of a list."""

    thing: Thing
    fact: str
    word: str
    sort: str = "per word"


class Member(NamedTuple):
    """Whether somebody is in a set of a thing."""

    thing: Thing
    fact: str
    member: Thing
    sort: str = "member"


class InPlay(NamedTuple):
    """Whether a thing is in play."""

    thing: Thing
    sort: str = "in-play"


class CounterOf(NamedTuple):
    """Which counter a thing has become; nobody as long as it is the one it came as."""

    thing: Thing
    sort: str = "counter"


class Owed(NamedTuple):
    """Whether a thing has a duty towards what comes after the fight."""

    thing: Thing
    word: str
    sort: str = "owes"


class TimesAsked(NamedTuple):
    """How often the player of a thing has been asked at a row, as far as it matters."""

    thing: Thing
    row: str
    sort: str = "asked"


class DeclaredBy(NamedTuple):
    """Who has declared a thing, and where."""

    thing: Thing
    sort: str = "declared by"


class CardsLeft(NamedTuple):
    """How many cards of a word are still in a deck."""

    deck: str
    word: str
    sort: str = "cards"


class TimesLeft(NamedTuple):
    """How often a row that is being repeated is still to be done, where dice say so."""

    row: str
    sort: str = "times"


class Fought(NamedTuple):
    """How many close combats were begun, where that is asked."""

    sort: str = "fought"


class CardsOf(NamedTuple):
    """How many cards of a word are still in a deck that a thing has of its own."""

    thing: Thing
    deck: str
    word: str
    sort: str = "its cards"


class AtMoment(NamedTuple):
    """What a fact or table of somebody was when a row was last reached."""

    row: str
    name: str
    args: tuple[Thing, ...]
    sort: str = "moment"


class SumFor(NamedTuple):
    """What the passes of a repetition have added to a slot so far, among rows at once."""

    slot: Slot
    sort: str = "sum"


class InTurn(NamedTuple):
    """Whether a repetition that goes to and fro is at the first of its two turns."""

    sort: str = "in turn"


OfThing: TypeAlias = FactOf | PerWord | Member | InPlay | CounterOf | Owed | TimesAsked | DeclaredBy | CardsOf
Slot: TypeAlias = OfThing | CardsLeft | TimesLeft | Fought | AtMoment
Carried: TypeAlias = Slot | SumFor | InTurn


def read_as(slot: Slot) -> str:
    """The name under which sentences read a slot: its fact, or who is in play, or a moment; empty if none can."""
    match slot:
        case FactOf(_, fact) | PerWord(_, fact) | Member(_, fact):
            return fact
        case InPlay(thing):
            return in_play_of(thing.kind)
        case AtMoment(row):
            return moment_of(row)
    return ""


def in_play_of(kind: str) -> str:
    """Under which name it is read who of a kind is in play; no fact has it."""
    return f"{kind} in play"


def moment_of(row: str) -> str:
    """Under which name it is read what was when a row was reached; no fact has it."""
    return f"at {row}"


def cards_left(deck: str, whose: Thing | None, word: str) -> CardsLeft | CardsOf:
    """The slot of how many cards of a word are left, in the one deck or in somebody's own."""
    return CardsLeft(deck, word) if whose is None else CardsOf(whose, deck, word)


def words_for(slot: Slot) -> tuple[str, str]:
    """What a slot is called in a message, and whose it is."""
    match slot:
        case FactOf(thing, fact) | PerWord(thing, fact) | Member(thing, fact):
            return fact, str(thing)
        case TimesAsked(thing, row):
            return f"{row} asked", str(thing)
        case InPlay(thing, name) | CounterOf(thing, name) | DeclaredBy(thing, name) | Owed(thing, _, name):
            return name, str(thing)
        case AtMoment(row, name, args):
            return f"{name} at {row}", ", ".join(map(str, args))
        case CardsLeft(deck, word):
            return word, deck
        case TimesLeft(row):
            return "repeat", row
        case Fought(name):
            return name, "the fight"
        case CardsOf(thing, deck, word):
            return f"{word} in {deck}", str(thing)
