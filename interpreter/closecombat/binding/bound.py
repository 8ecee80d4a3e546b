"""Charts whose names are looked up: what `charts` makes, and what playing and reading them needs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from closecombat.binding.names import Scope
from closecombat.binding.terms import SetTerm, Term
from closecombat.proving.values.arithmetic import Counted
from closecombat.proving.values.symbolic import Value
from closecombat.reading import model as m
from closecombat.reading.types import Type
from closecombat.text.slotted import dataclass
from closecombat.text.source import Span


@dataclass(frozen=True, slots=True)
class BoundRow:
    """`first` are the tests that are asked before anybody is looked at, `tests` those that are asked of each."""

    row: m.Row
    each: SetTerm | None
    first: tuple[Term, ...]
    tests: tuple[Term, ...]
    verdict: Term | None
    scope: Scope


@dataclass(frozen=True, slots=True)
class BoundTable:
    """A table whose rows, bounds and remaining value are terms; `blockers` count instead of other rows."""

    table: m.Table
    rows: tuple[BoundRow, ...]
    blockers: Mapping[str, tuple[str, ...]]  # row -> the rows that count instead of it
    value: Term | None
    otherwise: Term | None
    start: Term | None
    at_least: Term | None
    at_most: Term | None
    type: Type
    scope: Scope


@dataclass(frozen=True, slots=True)
class BoundGrid:
    """`cells` are None where the chart prints nothing, or a mark; there `notes` says by its number in `explained`
    what it stands for: a footnote, or last what holds otherwise. 0 is a cell that needs no explaining. `seen` is told
    the line and the column of each cell that is read, if somebody watches."""

    grid: m.Grid
    across: tuple[Term, ...]  # one value, or the two sides of a ratio; none where there is one column
    cells: tuple[tuple[Value, ...], ...]
    explained: tuple[tuple[int, ...], ...]
    notes: tuple[Term, ...]
    down: Term | None
    shift: Term | None
    type: Type
    seen: Callable[[int, int], None] | None = None


@dataclass(frozen=True, slots=True)
class BoundDice:
    """The sentences of one part of a roll: what is left to them. `sides`, `of`, `keep` and `at_most` decide which dice
    are thrown, and are asked before the throw."""

    number: Term | None
    again: Term | None
    explode: Term | None
    sides: Term | None
    of: Term | None
    keep: Term | None
    at_most: Term | None


@dataclass(frozen=True, slots=True)
class BoundCounter:
    """What a thing of a kind is as long as it is this counter; a fact word by word has a number for each word."""

    kind: str
    facts: Mapping[str, Value | Mapping[str, Value]]


# An effect: `owner` is who is changed, `fact` what of his, `value` what it is set to, or what is added or put there.


@dataclass(frozen=True, slots=True)
class BoundFlag:
    """`gain` if it is `on`, or `lose`."""

    owner: Term
    fact: m.Fact
    on: bool


@dataclass(frozen=True, slots=True)
class BoundLayAside:
    """`lose hand`: its cards lie with those that a shuffle puts back."""

    owner: Term
    fact: m.Fact


@dataclass(frozen=True, slots=True)
class BoundSet:
    """Sets a fact; `counted` where the value is a number that somebody must have."""

    owner: Term
    fact: m.Fact
    value: Term
    counted: Counted  # the number that somebody must have


@dataclass(frozen=True, slots=True)
class BoundChange:
    """`add` if it goes `up`, or `take`."""

    owner: Term
    fact: m.Fact
    value: Term
    counted: Counted
    up: bool


@dataclass(frozen=True, slots=True)
class BoundBecome:
    """Turns somebody into another counter."""

    owner: Term
    value: Term
    place: Span


@dataclass(frozen=True, slots=True)
class BoundLeave:
    """Takes somebody out of play."""

    owner: Term


@dataclass(frozen=True, slots=True)
class BoundMember:
    """`put` if somebody is `there` from now on, or `remove`."""

    owner: Term
    fact: m.Fact
    value: Term
    there: bool


@dataclass(frozen=True, slots=True)
class BoundOwe:
    """Notes a duty towards what comes after the fight."""

    owner: Term
    duty: str


BoundOfFact: TypeAlias = BoundFlag | BoundLayAside | BoundSet | BoundChange | BoundMember
BoundEffect: TypeAlias = BoundOfFact | BoundBecome | BoundLeave | BoundOwe


def changed(effect: BoundEffect) -> m.Fact | None:
    """The fact that an effect changes."""
    return effect.fact if isinstance(effect, BoundOfFact) else None


@dataclass(frozen=True, slots=True)
class BoundRoll:
    """Throws dice into a fact of somebody."""

    owner: Term
    fact: m.Fact
    dice: m.Dice


@dataclass(frozen=True, slots=True)
class BoundDeal:
    """`number` is how many cards go into a hand; None is one."""

    owner: Term
    fact: m.Fact
    deck: m.Deck
    number: Term | None


@dataclass(frozen=True, slots=True)
class BoundShuffle:
    """`owner` is whose deck it is, where each has one of his own."""

    owner: Term | None
    deck: m.Deck


@dataclass(frozen=True, slots=True)
class BoundPlay:
    """`cast` says who here is each subject of the sequence; `roles` who is that the row itself names."""

    sequence: str
    cast: Mapping[str, str]
    roles: Mapping[str, Term]


@dataclass(frozen=True, slots=True)
class BoundChoose:
    """`legal` is the table that forbids, if there is one; `hand` whose hand, and which, a card is played from; `by` who
    answers, where the row says so."""

    owner: Term
    fact: m.Fact
    among: SetTerm | None
    legal: str
    otherwise: Term | None
    hand: tuple[Term, m.Fact] | None
    answered: str
    by: Term | None = None


Declaration: TypeAlias = Mapping[str, Term | SetTerm]  # the facts of something declared


@dataclass(frozen=True, slots=True)
class BoundDeclare:
    """`kind` is what is declared; `otherwise` None where nothing is if nobody says so."""

    owner: Term
    fact: m.Fact
    kind: m.Kind
    at_most: int | None
    legal: str
    otherwise: Mapping[str, Declaration] | None
    answered: str
    by: Term | None = None


@dataclass(frozen=True, slots=True)
class BoundSingleOut:
    """Draws one of a set by lot, again among those who tie."""

    owner: Term
    fact: m.Fact
    among: SetTerm
    again: bool


@dataclass(frozen=True, slots=True)
class BoundCreate:
    """`owner` and `fact` are the set that the new thing goes into."""

    owner: Term
    fact: m.Fact
    counter: str
    called: str


BoundAsking: TypeAlias = BoundChoose | BoundDeclare
BoundSettling: TypeAlias = BoundRoll | BoundDeal | BoundChoose | BoundDeclare | BoundSingleOut
BoundVerb: TypeAlias = BoundSettling | BoundShuffle | BoundPlay | BoundCreate


def settled(verb: BoundVerb | None) -> m.Fact | None:
    """The fact that a verb settles: by dice, cards, lots or a player."""
    return verb.fact if isinstance(verb, BoundSettling) else None


def name_of_new(verb: m.Create, kind: str) -> str:
    """What a thing that a row makes is called in it."""
    return verb.called or "new-" + kind


@dataclass(frozen=True, slots=True)
class BoundOrdering:
    """A number of each member; the highest comes first, or the lowest."""

    highest: bool
    worth: Term
    said: Term  # the same in its own words


@dataclass(frozen=True, slots=True)
class BoundAct:
    """`first` are the tests that are asked before anybody is looked at, `tests` those that are asked of each."""

    act: m.Act
    each: SetTerm | None
    who: tuple[Term, tuple[str, ...]] | None  # the one it is for, and the names he goes by here
    first: tuple[Term, ...]
    tests: tuple[Term, ...]
    verb: BoundVerb | None
    effects: tuple[BoundEffect, ...]
    scope: Scope
    times: Term | None  # how often it is done
    order: tuple[BoundOrdering, ...]


@dataclass(frozen=True, slots=True)
class BoundSequence:
    """A sequence whose rows are bound."""

    sequence: m.Sequence
    acts: tuple[BoundAct, ...]
    until: Term | None  # when it is over, asked before the first pass too if the sequence says so
