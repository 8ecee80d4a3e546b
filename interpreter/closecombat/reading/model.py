"""A ruleset as written: every chart, row and fact with its place; sentences parsed, names not looked up."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import field
from fractions import Fraction
from types import MappingProxyType
from typing import Any, TypeAlias

from closecombat.reading.syntax import Cell
from closecombat.reading.types import Face, Handful, Per, Type
from closecombat.text.nodes import Node
from closecombat.text.slotted import dataclass
from closecombat.text.source import Span


@dataclass(frozen=True, slots=True)
class Origin:
    """Where something is written, and what it rests on."""

    place: Span
    cites: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Fact:
    """`origin` is given, printed, chosen, rolled, drawn or noted; `default` is None where there is none."""

    kind: str
    name: str
    origin: str
    type: Type
    default: tuple[Any] | None
    deck: str
    where: Origin
    shown: bool = True  # whether it counts as a change that players see
    like: str = ""  # the fact of the same thing that it is at first, unless something else is given
    says: str = ""  # how people say it: `is in a boat`, of a value `has ... points`, or a noun

    @property
    def is_hand(self) -> bool:
        """Whether it is the cards of a deck that somebody holds: how many of each."""
        return self.origin == "drawn" and isinstance(self.type, Per)


@dataclass(frozen=True, slots=True)
class Kind:
    """A sort of things and what can be so of each; of `one` there is a single thing in every fight."""

    name: str
    plural: str
    one: bool
    facts: Mapping[str, Fact]
    where: Origin


@dataclass(frozen=True, slots=True)
class Named:
    """The name of something else in the ruleset, and where it is said."""

    name: str
    place: Span


Roles: TypeAlias = Mapping[str, Named]  # names of a chart's own for whom it is about, and the kind of each
NO_ROLES: Roles = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class DicePart:
    """Some like dice of a roll: `die` is the faces, or for `each` word of a list its faces; none where `sides` says
    how many there are, from 1 on, or `of` which dice are meant. `keep` is which end, and how many;
    `at_most` None is without end."""

    name: str
    faces: Mapping[str, tuple[Face, ...]]
    each: str = ""
    number: Cell | int = 1
    keep: tuple[bool, Cell | int] | None = None
    again_if: Cell | None = None
    explode_if: Cell | None = None
    at_most: Cell | int | None = 0
    sides: Cell | None = None
    of: Cell | None = None


@dataclass(frozen=True, slots=True)
class Dice:
    """One throw: its parts, and what is added to their sum."""

    name: str
    parts: tuple[DicePart, ...]
    where: Origin
    plus: Cell | int = 0


@dataclass(frozen=True, slots=True)
class Deck:
    """How many there are of each card, what each bears (`{worth: {ace: 11}}`, as written), and of which kind each has
    a deck of its own, if not all have one; `shuffled` when it is empty and a card is to be dealt."""

    name: str
    cards: Mapping[str, int]
    bears: Mapping[str, Mapping[str, Node]]
    each: str
    shuffled: bool
    where: Origin


@dataclass(frozen=True, slots=True)
class Counter:
    """A line of a counter sheet: what is printed of a thing of a kind, and how players call it, if not by its name."""

    name: str
    kind: str
    cells: Mapping[str, Node]
    says: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """A set with a name, made of whoever a sentence says, for each of those it is about."""

    name: str
    each: str
    about: tuple[str, ...]
    members: Cell
    where: Origin
    roles: Roles = field(default_factory=dict)


Asked: TypeAlias = tuple[Cell | None, Cell]
"""What must be so for a row: a column's heading and its cell; without a heading, the whole sentence of a `when:` or,
denied, of an `unless:`."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table; its tests are asked as they are written.

    `verdict` is the cell under is, add or times; `says` the text of a prohibition, of any other row how people say
    when it holds."""

    id: str
    each: Cell | None
    before: int  # how many of the tests stand before `each`
    tests: tuple[Asked, ...]
    verb: str
    verdict: Cell | None
    says: str
    rounded: str
    instead_of: tuple[str, ...]
    where: Origin


@dataclass(frozen=True, slots=True)
class Table:
    """`policy` is is, one-of, first-of, highest-of, lowest-of, adds-up or forbidden-if."""

    name: str
    title: str
    about: tuple[str, ...]
    policy: str
    rows: tuple[Row, ...]
    value: Cell | None
    otherwise: Cell | None
    words: tuple[str, ...]
    start: Cell | None
    at_least: Cell | None
    at_most: Cell | None
    unit: str
    where: Origin
    roles: Roles = field(default_factory=dict)
    says: str = ""  # how people say what it is, as of a fact


@dataclass(frozen=True, slots=True)
class PropertyStep:
    """One fact stepped: `how` is more, less, yes, no or becomes; `word` is what it becomes, or of a fact word by word
    for which."""

    fact: Named
    how: str
    word: str


@dataclass(frozen=True, slots=True)
class Property:
    """A claim about the rules: with these steps of one of the kind, what the table `value` says of him is never more,
    or never less; `often` if it is so or not. `case` is the table that says of whom it is claimed, if not of all.
    `scale` puts words in order, those beside each other in one step; `fails` is why it is known not to hold."""

    name: str
    says: str
    about: Named
    steps: tuple[PropertyStep, ...]
    more: bool
    often: bool
    value: str
    case: str
    scale: tuple[tuple[str, ...], ...]
    scale_place: Span
    fails: str
    where: Origin


FATES = ("fit", "shaken", "withdrew", "parted", "driven-off", "taken", "lost")
LEFT = FATES[4:1:-1]  # with their strength
"""How one of those who came may stand at the end, in the words that all rulesets share."""


@dataclass(frozen=True, slots=True)
class End:
    """What becomes of the things of a kind. The tables, each about one of them, stand among the ruleset's under
    names that no sentence can say; there is none for `place` where whoever is still fit or shaken is in it."""

    kind: str
    fate: str
    strength: str
    place: str
    counted_in: str
    where: Origin


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of a grid: covers `low` to `high`; None is open; a word heading has only its text."""

    text: str
    low: Fraction | None = None
    high: Fraction | None = None
    word: bool = False
    below: bool = False  # strictly below `high`
    above: bool = False  # strictly above `low`


def follows(before: Heading, heading: Heading) -> bool:
    """Whether a heading begins where another has ended."""
    if before.high is None or heading.low is None:
        return False
    touching = before.high == heading.low and (before.below or heading.above)
    return before.high < heading.low or touching


def fall(headings: tuple[Heading, ...]) -> bool:
    """Whether a chart prints its highest heading first."""
    return len(headings) > 1 and follows(headings[1], headings[0])


def are_numbers(headings: tuple[Heading, ...]) -> bool:
    """Whether every heading is one whole number."""
    return all(heading.text.lstrip("+-").isdigit() for heading in headings)


@dataclass(frozen=True, slots=True)
class Footnote:
    """What a mark in the cells of a grid stands for: a table, under a name that no sentence can say."""

    mark: str
    table: str
    place: Span


@dataclass(frozen=True, slots=True)
class Grid:
    """Headings stand as they are printed, rising or falling. Without `across` there is one column: what a list of
    words says of each of them."""

    name: str
    title: str
    about: tuple[str, ...]
    across: Cell | None
    columns: tuple[Heading, ...]
    down: Cell | None
    lines: tuple[Heading, ...]
    cells: tuple[tuple[Any, ...], ...]
    places: tuple[tuple[Span, ...], ...]  # of the cells
    words: tuple[str, ...]
    footnotes: tuple[Footnote, ...]
    otherwise: Cell | None
    shift: Cell | None
    higher: bool
    stay: bool
    where: Origin
    roles: Roles = field(default_factory=dict)
    says: str = ""  # how people say what it is, as of a fact


@dataclass(frozen=True, slots=True)
class Roll:
    """`roll: throw of unit`: dice are thrown for a rolled fact."""

    fact: Cell


@dataclass(frozen=True, slots=True)
class Deal:
    """`deal: card of unit`: a drawn fact takes a card from its deck; a hand takes a `number` of them."""

    fact: Cell
    number: Cell | None


@dataclass(frozen=True, slots=True)
class Shuffle:
    """`shuffle: pack`, or `pack of side`: all cards go back."""

    deck: Cell


@dataclass(frozen=True, slots=True)
class Play:
    """`play: firing`: another sequence, about whom the row looks at."""

    sequence: Named


@dataclass(frozen=True, slots=True)
class Choose:
    """`choose: target of unit`: a player settles a fact, as far as the table `legal` lets him."""

    fact: Cell
    by: Cell | None
    among: Cell | None
    legal: Named | None
    otherwise: Cell | None
    hand: Cell | None  # from which a card is chosen and played
    answered: str  # open, secret, at-once or elsewhere


@dataclass(frozen=True, slots=True)
class Declare:
    """`declare: attacks of side`: a player makes things that go into a set. `otherwise` are those that the ruleset
    makes where he says nothing: the facts of each, by its name."""

    fact: Cell
    legal: Named | None
    at_most: int | None
    otherwise: Mapping[str, Mapping[str, Cell]] | None
    by: Cell | None
    answered: str  # open, secret, at-once or elsewhere


@dataclass(frozen=True, slots=True)
class SingleOut:
    """`single-out: victims of side`: lots are drawn who of some goes into a set; `again` until it is one."""

    fact: Cell
    among: Cell | None
    again: bool


@dataclass(frozen=True, slots=True)
class Create:
    """`create: veterans`: a counter comes into play, into a set; the row goes on about it as `called`."""

    counter: Named
    into: Cell | None
    called: str


Verb: TypeAlias = Roll | Deal | Shuffle | Play | Choose | Declare | SingleOut | Create
Asking: TypeAlias = Choose | Declare  # what a player answers


MOST_TIMES = 1000  # that a row is done
TIES = ("as-listed", "lots", "at-once", "never")


@dataclass(frozen=True, slots=True)
class Act:
    """A row of a sequence: riders, at most one verb, and effects; its tests are asked as they are written.
    `times` is how often it is done, if not once."""

    id: str
    each: Cell | None
    who: Cell | None
    before: int  # how many of the tests stand before `each` or `for`
    tests: tuple[Asked, ...]
    verb: Verb | None
    effects: tuple[Cell, ...]
    where: Origin
    times: Cell | None = None
    order: tuple[Cell, ...] = ()  # who of the members comes first, and among those who are level in that
    ties: str = ""  # what those are to do who are level in all of it, one of TIES
    says: str = ""  # the step in a sentence for people


@dataclass(frozen=True, slots=True)
class Sequence:
    """`order` is in-order, at-once or first-of; `at_most` is None for a fight without a bound. The condition is that
    of `until`, asked after each pass, or if `asked_first` that of `while`, asked before each."""

    name: str
    about: tuple[str, ...]
    order: str
    acts: tuple[Act, ...]
    until: Cell | None
    at_most: int | None
    where: Origin
    asked_first: bool = False
    roles: Roles = field(default_factory=dict)
    title: str = ""


@dataclass(frozen=True, slots=True)
class Option:
    """A rule that can be read in several ways, and which of them is meant where nobody says."""

    name: str
    readings: tuple[str, ...]
    default: str
    why: str
    assumed: Mapping[str, tuple[str, ...]]  # reading -> what whoever takes it assumes
    where: Origin
    title: str = ""


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause of the rulebook in our own words, or why it is left out."""

    id: str
    rule: str
    scope: str
    left_out: str
    where: Origin


@dataclass(frozen=True, slots=True)
class LookUp:
    """The chance of a throw, over what is added to it, if anything, and over `numbers` from one to another or those of
    a chart: `how` it is held against these, or another's throw. `says` is what is added, or the numbers are."""

    name: str
    title: str
    throw: Handful
    against: Handful | None
    add: tuple[int, int] | None
    how: str
    chart: Named
    numbers: tuple[int, int] | None
    says: str
    where: Origin


@dataclass(frozen=True, slots=True)
class SheetPage:
    """What is printed together for players: charts by their names, clauses by their ids, look-ups of chances, and what
    no chart says (`meant`): dice, groups, what is reckoned in one sentence."""

    name: str
    title: str
    charts: tuple[Named, ...]
    clauses: tuple[Named, ...]
    place: Span
    chances: tuple[LookUp, ...] = ()
    meant: bool = False


@dataclass(frozen=True, slots=True)
class Change:
    """What a variant has done to one place: there is no `old` for what it adds, no `new` for what it removes.

    A lock is one too, whose `new` is `old`.

    `span` is the whole change in the variant's file.
    """

    variant: str
    id: str
    verb: str
    ids: tuple[str, ...]  # ("tables", "name", "row")
    why: str
    old: Node | None
    new: Node | None
    span: Span

    @property
    def path(self) -> str:
        return ".".join(self.ids)


SWITCHED = ("adds-up", "forbidden-if")  # tables of which a row can be switched off: none other takes its place
WHOLE = re.compile(r"[+-]?[0-9]{1,6}")


def number_of(row: Row) -> int | None:
    """The number that a row says, if it is one."""
    said = row.verdict.text if row.verdict is not None else ""
    return int(said) if WHOLE.fullmatch(said) else None


@dataclass(frozen=True, slots=True)
class SecondReading:
    """What could be assumed instead: `changes` as of a variant; or why nothing could, `only`."""

    changes: tuple[Node, ...]
    only: str


@dataclass(frozen=True, slots=True)
class Ruleset:
    """All that the files of a ruleset and its variants say."""

    name: str
    title: str
    start: str
    until: Cell | None
    between: str
    sources: Mapping[str, str]
    options: Mapping[str, Option]
    assumptions: Mapping[str, str]
    second_readings: Mapping[str, SecondReading]
    kinds: Mapping[str, Kind]
    words: Mapping[str, tuple[str, ...]]
    counters: Mapping[str, Counter]
    dice: Mapping[str, Dice]
    decks: Mapping[str, Deck]
    groups: Mapping[str, Group]
    tables: Mapping[str, Table]
    grids: Mapping[str, Grid]
    sequences: Mapping[str, Sequence]
    ends: Mapping[str, End]
    properties: Mapping[str, Property]
    obligations: tuple[str, ...]
    clauses: Mapping[str, Clause]
    chapters: Mapping[str, str]  # what the ids of clauses begin with, and what is above them
    sheet: Mapping[str, SheetPage]
    place: Span
    variants: tuple[str, ...] = ()
    changes: tuple[Change, ...] = ()
    failed: frozenset[str] = frozenset()  # names of what is written and could not be read, which has been told
    start_place: Span | None = None
    between_place: Span | None = None


def roles_of(ruleset: Ruleset) -> Iterator[tuple[str, Named]]:
    """The names that charts and groups have of their own for whom they are about, each with its kind."""
    for charts in (ruleset.sequences, ruleset.tables, ruleset.grids, ruleset.groups):
        for chart in charts.values():
            yield from chart.roles.items()


def stands_below(id: str, above: str) -> bool:
    """Whether a clause stands below what its id begins with: `A11.4b` and `A11.4.1` below `A11.4`, not `A11.41a`."""
    rest = id[len(above) :]
    return id.startswith(above) and not (rest[:1].isdigit() and above[-1:].isdigit())


def can_be_read_otherwise(ruleset: Ruleset, assumption: str) -> bool:
    """Whether an assumption says what it would be else, or there hangs on it an option, a row that can be switched off,
    or the number of a row."""
    second = ruleset.second_readings.get(assumption)
    by_option = any(assumption in ids for option in ruleset.options.values() for ids in option.assumed.values())
    return (
        (second is not None and bool(second.changes))
        or by_option
        or any(
            assumption in row.where.assumed and (table.policy in SWITCHED or number_of(row) is not None)
            for table in ruleset.tables.values()
            for row in table.rows
        )
    )


def name_of_stack(ruleset: Ruleset) -> str:
    """The name of a ruleset with its variants, as `-r` takes it."""
    return "+".join((ruleset.name, *ruleset.variants))
