"""A situation as things and facts: who is there, and what is so before the first die."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import field
from typing import Any, TypeAlias

from closecombat.reading.chance import handful
from closecombat.reading.fields import expected, fraction_of, mapping_of, text_of, whole, yes_no
from closecombat.reading.model import Deck, Fact, Kind, Ruleset
from closecombat.reading.slots import ALL, FactOf, InPlay, Member, PerWord, Slot, cards_left
from closecombat.reading.spellings import for_name
from closecombat.reading.types import (
    MOST_SHOWN,
    ACounter,
    AThing,
    Flag,
    Number,
    Per,
    Roll,
    SomeDice,
    Thing,
    Things,
    Type,
    Word,
    a,
    asked,
    exact,
)
from closecombat.text.faults import Bug, Faults, Faulty, suggest
from closecombat.text.nodes import Listing, Mapping, Node, Text
from closecombat.text.slotted import dataclass
from closecombat.text.source import Span

MOST_THINGS = 500
MOST_NEWCOMERS = 250  # of those whom rows create, in play at once
GONE = "gone"  # the cards that a situation says have been laid aside: `gone: {pack: {ace: 2}}`
BESIDE = ("options", "choices", "combats", "dice", "expect", "chances")  # what else a fight or an example says
LEFT = object()  # what a fact is while nobody has said
MOST_FACTS = 8  # in a help line
_AS_THINGS = "write each with its facts, in braces: `{a: {counter: ..}}`"


Newcomer: TypeAlias = tuple[Thing] | tuple[Thing, str, Thing]  # a thing that is made, or somebody who joins a set


class Course:
    """How it came about who is there: whoever has come, one after the other. Of a fight that is played again, the same
    way is the same course, and whom it has made are the same things."""

    __slots__ = ("before", "came", "made", "then")

    def __init__(self, before: Course | None = None, came: Newcomer | None = None) -> None:
        self.before, self.came = before, came
        self.then: dict[Newcomer, Course] = {}
        self.made: dict[tuple[str, str, int], Thing] = {} if before is None else before.made

    def after(self, came: Newcomer) -> Course:
        """The course that this becomes."""
        return self.then.get(came) or self.then.setdefault(came, Course(self, came))

    def since(self, begin: Course) -> tuple[Newcomer, ...]:
        """Who has come since then."""
        out, one = list[Newcomer](), self
        while one is not begin and one.before is not None and one.came is not None:
            out.append(one.came)
            one = one.before
        return tuple(reversed(out))


@dataclass(slots=True)
class State:
    """Who is there, and what is so. A member of a set is there for good, in its slot stands whether he is in it. Which
    `course` it has taken is known where the fight is played often."""

    things: dict[str, Thing] = field(default_factory=dict)
    by_kind: dict[str, list[Thing]] = field(default_factory=dict)
    slots: dict[Slot, Any] = field(default_factory=dict)
    sets: dict[tuple[Thing, str], list[Thing]] = field(default_factory=dict)  # whoever was ever in a set
    counters: dict[Thing, str] = field(default_factory=dict)
    created: set[Thing] = field(default_factory=set)  # of these, rows may make any counter of their kind
    course: Course | None = None
    keys: dict[Slot, Slot] = field(default_factory=dict, compare=False)  # what is `at_hand`
    # the names of two who came in an order that hangs on dice (`coming`), in any copy
    either_way: set[frozenset[str]] = field(default_factory=set, compare=False)

    def at_hand(self) -> dict[Slot, Slot]:
        """Each slot, and the very key of it among the slots, by which it is found twice as quickly as by one that is
        only equal to it; those that were there when this was asked first, in all copies."""
        if not self.keys:
            self.keys.update(zip(self.slots, self.slots, strict=True))
        return self.keys

    def add(self, kind: str, name: str) -> Thing:
        thing = Thing(kind, name, len(self.things))
        if self.course is not None:
            thing = self.course.made.setdefault((kind, name, thing.index), thing)
        self.came((thing,))
        self.slots[InPlay(thing)] = True
        return thing

    def came(self, newcomer: Newcomer) -> None:
        """Somebody is there from now on, or is a possible member of a set."""
        match newcomer:
            case (thing,):
                self.things[thing.name] = thing
                self.by_kind.setdefault(thing.kind, []).append(thing)
            case (owner, fact, member):
                _in_situation_order(self.sets.setdefault((owner, fact), []), member)
        if self.course is not None:
            self.course = self.course.after(newcomer)

    def copy(self) -> State:
        """The same at this moment."""
        return State(
            dict(self.things),
            {kind: list(those) for kind, those in self.by_kind.items()},
            dict(self.slots),
            {owned: list(members) for owned, members in self.sets.items()},
            dict(self.counters),
            set(self.created),
            self.course,
            self.keys,
            self.either_way,
        )

    def restore(self, before: State) -> None:
        """Makes it what it was; whoever holds its slots sees it too."""
        self.things, self.by_kind, self.sets = before.things, before.by_kind, before.sets
        self.counters, self.created, self.course = before.counters, before.created, before.course
        self.slots.clear()
        self.slots.update(before.slots)

    def lists(self, owner: Thing, fact: str, member: Thing) -> None:
        """A situation names a member of a set, behind those that it has named."""
        members = self.sets.setdefault((owner, fact), [])
        if member not in members:
            members.append(member)
        self.slots[Member(owner, fact, member)] = True

    def join(self, owner: Thing, fact: str, member: Thing) -> None:
        """Lists a thing as a possible member of a set."""
        if member not in self.sets.setdefault((owner, fact), []):
            self.came((owner, fact, member))


def _in_situation_order(members: list[Thing], member: Thing) -> None:
    """Puts another among those of a set: before whoever came into being later, unless the situation lists him before
    somebody who did not. So it is the same whoever joined first: when that was may hang on dice, the order does not."""
    at = len(members)
    while at and members[at - 1].index > member.index:
        at -= 1
    members.insert(at, member)


def read_situation(ruleset: Ruleset, node: Node) -> State:
    """The state that a situation describes; raises Faulty with everything wrong with it."""
    faults = Faults()
    state = read_state(ruleset, mapping_of(node, "a situation"), faults)
    faults.raise_if_any()
    return state


def read_state(ruleset: Ruleset, node: Mapping, faults: Faults) -> State:
    """The state as far as it can be read; whatever is wrong is added to `faults`."""
    reader = _Reader(ruleset, State(), faults)
    reader.read(node)
    return reader.state


@dataclass(slots=True)
class _Reader:
    """What has been read of a situation so far, and whose facts stand where."""

    ruleset: Ruleset
    state: State
    faults: Faults
    places: dict[Thing, Mapping] = field(default_factory=dict)
    names: dict[Thing, Span] = field(default_factory=dict)
    owners: dict[Thing, Thing] = field(default_factory=dict)

    def read(self, situation: Mapping) -> None:
        kinds = {kind.plural: kind for kind in self.ruleset.kinds.values() if not kind.one}
        only = {kind.name: kind for kind in self.ruleset.kinds.values() if kind.one}
        gone: list[tuple[Thing | None, Node]] = []
        for key, node in situation.entries:
            try:
                if key.value == GONE:
                    gone.append((None, node))
                elif key.value in only:
                    self.thing(only[key.value], key, node)
                elif key.value in kinds:
                    for name, facts in mapping_of(node, key.value).entries:
                        self.faults.attempt(self.thing, kinds[key.value], name, facts)
                else:
                    beside = f"`{key.value}:` stands beside `situation:`, not in it" if key.value in BESIDE else ""
                    raise Faulty.one(
                        "unknown-name",
                        f"`{self.ruleset.name}` has no things called `{key.value}`",
                        key.span,
                        help=beside
                        or suggest(key.value, [*kinds, *only])
                        or next(
                            (f"write it under `{one.name}:`" for one in only.values() if key.value in one.facts),
                            "write what there is under one of these: " + ", ".join(f"`{k}:`" for k in [*kinds, *only]),
                        ),
                    )
            except Faulty as error:
                self.faults.extend(error.diagnostics)
        for kind in only.values():
            if kind.name not in self.state.by_kind:
                thing = self.state.add(kind.name, kind.name)
                self.places[thing] = Mapping((), situation.span)
                self.names[thing] = situation.span.part(0, 1)
        for thing, facts in list(self.places.items()):
            self.faults.attempt(self.facts, thing)
            if (line := facts.get(GONE)) is not None:
                gone.append((thing, line))
        self.decks(gone)

    def thing(self, kind: Kind, key: Text, node: Node) -> Thing:
        name = key.value
        if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
            raise Faulty.one(
                "wrong-shape", f"`{name}` cannot be the name of {a(kind.name)}", key.span, help=for_name(name, "a name")
            )
        if name in self.state.things:
            raise Faulty.one("duplicate-id", f"something is already called `{name}`", key.span)
        if len(self.state.things) >= MOST_THINGS:
            raise Faulty.one("budget-exceeded", f"a situation holds at most {MOST_THINGS} things", key.span)
        thing = self.state.add(kind.name, name)
        if isinstance(node, Text) and node.value in self.ruleset.counters:
            help = f"write `{name}: {{counter: {node.value}}}`"
            said = f"`{node.value}` is a counter: it stands among the facts of {name}"
            raise Faulty.one("wrong-shape", said, node.span, help=help)
        facts = mapping_of(node, f"the facts of {name}")
        self.places[thing], self.names[thing] = facts, key.span
        for fact_key, line in facts.entries:
            fact = kind.facts.get(fact_key.value)
            if fact is not None and isinstance(fact.type, Things):
                self.nested(thing, fact, line)
        return thing

    def nested(self, owner: Thing, fact: Fact, node: Node) -> None:
        """Things written inside the one whose set they belong to."""
        if not isinstance(fact.type, Things):
            raise Bug("isinstance(fact.type, Things)")
        kind = self.ruleset.kinds.get(fact.type.kind)
        if kind is None or not isinstance(node, Mapping):
            return
        for name, facts in node.entries:
            member = self.faults.attempt(self.thing, kind, name, facts)
            if member is None:
                continue
            self.owners[member] = owner
            self.state.lists(owner, fact.name, member)

    def facts(self, thing: Thing) -> None:
        kind, node = self.ruleset.kinds[thing.kind], self.places[thing]
        counter = node.get("counter")
        printed: dict[str, Node] = {}
        if counter is not None:
            name = text_of(counter, "the name of a counter")
            found = self.ruleset.counters.get(name)
            if found is None or found.kind != kind.name:
                known = [one.name for one in self.ruleset.counters.values() if one.kind == kind.name]
                raise Faulty.one(
                    "unknown-counter",
                    f"no {kind.name} counter is called `{name}`",
                    counter.span,
                    help=suggest(name, known),
                )
            self.state.counters[thing] = name
            printed = dict(found.cells)
        for key, _ in node.entries:
            if key.value not in kind.facts and key.value not in ("counter", GONE):
                self.faults.add(
                    "unknown-fact", f"{a(kind.name)} has no fact `{key.value}`", key.span, help=no_fact(key.value, kind)
                )
        given = {key.value: line for key, line in node.entries}
        slots, is_owned = self.state.slots, thing in self.owners
        for fact in kind.facts.values():
            line = given.get(fact.name) or printed.get(fact.name)
            if line is None and fact.default is not None and not fact.like and _is_one_value(fact.type, is_owned):
                slots[FactOf(thing, fact.name)] = fact.default[0]  # of most facts nothing is said
            elif line is not None or type(fact.type) is not Things:
                self.faults.attempt(self.fact, thing, fact, line)
        for name, value in like_others(kind, lambda name: self.state.slots.get(FactOf(thing, name), LEFT)).items():
            self.state.slots[FactOf(thing, name)] = value

    def fact(self, thing: Thing, fact: Fact, node: Node | None) -> None:
        slots = self.state.slots
        if isinstance(fact.type, Things):
            if isinstance(node, Listing | Text) and not (isinstance(node, Text) and not node.value.strip()):
                for item in node.items if isinstance(node, Listing) else (node,):
                    member = self.somebody(item, fact.type.kind)
                    self.state.lists(thing, fact.name, member)
            return
        if isinstance(fact.type, Per):
            entries = () if node is None else mapping_of(node, str(fact.type)).entries
            values = {key.value: (key, number) for key, number in entries}
            for word, (key, _) in values.items():
                if word not in fact.type.words:
                    raise Faulty.one(
                        "unknown-word", f"`{word}` is not {fact.type}", key.span, help=suggest(word, fact.type.words)
                    )
            for word in fact.type.words:
                type = Number(fact.type.low, fact.type.high)
                slots[PerWord(thing, fact.name, word)] = (
                    read_value(type, values[word][1], self.ruleset, self.state) if word in values else 0
                )
            if fact.is_hand:
                mine = [slots[PerWord(thing, fact.name, word)] for word in fact.type.words]
                slots[PerWord(thing, fact.name, ALL)] = sum(mine)
            return
        if node is not None:
            if fact.origin in ("rolled", "drawn"):
                raise Faulty.one(
                    "wrong-type", f"`{fact.name}` is {fact.origin}, not given", node.span, help="give its dice instead"
                )
            value = read_value(fact.type, node, self.ruleset, self.state)
            owner = self.owners.get(thing)
            if owner is not None and fact.name == owner.kind and value is not owner:
                said = f"`{thing}` stands under {owner}, and its `{fact.name}` is {value}"
                raise Faulty.one(
                    "wrong-shape", said, node.span, help=f"write it under the other, or leave `{fact.name}:` out"
                )
            is_other = isinstance(fact.type, AThing) and fact.type.other and value is not None
            if is_other and value is not self.the_other(thing, fact, node.span):
                raise Faulty.one(
                    "wrong-type",
                    f"`{fact.name}` is the other {thing.kind}, and {value} is the same",
                    node.span,
                    help=f"leave `{fact.name}:` out: who the other of two is need not be said",
                )
            slots[FactOf(thing, fact.name)] = value
            return
        if not fact.like:
            slots[FactOf(thing, fact.name)] = self.silent(thing, fact)

    # ---- decks -------------------------------------------------------------------------------------------
    def decks(self, gone: list[tuple[Thing | None, Node]]) -> None:
        """What is left of each deck: all but what has been laid aside and what is in a hand."""
        slots = self.state.slots
        for deck in self.ruleset.decks.values():
            for whose in self.state.by_kind.get(deck.each, ()) if deck.each else (None,):
                for word, count in (*deck.cards.items(), (ALL, sum(deck.cards.values()))):
                    slots[cards_left(deck.name, whose, word)] = count
        for whose, node in gone:
            self.faults.attempt(self.gone, whose, node)
        for thing in self.places:  # of whom nothing could be read, nothing is held
            for fact in self.ruleset.kinds[thing.kind].facts.values():
                if fact.is_hand:
                    self.faults.attempt(self.held, thing, fact)

    def gone(self, whose: Thing | None, node: Node) -> None:
        for key, line in mapping_of(node, "the cards of a deck that are gone").entries:
            deck = self.ruleset.decks.get(key.value)
            if deck is None or deck.each != (whose.kind if whose is not None else ""):
                known = [one.name for one in self.ruleset.decks.values()]
                owner = f"each {deck.each} has a `{deck.name}` of its own" if deck is not None and deck.each else ""
                help = (owner and f"{owner}: write `gone:` among the facts of {a(deck.each)}") if deck else ""
                help = help or (f"there is one `{key.value}` for all: write `gone:` beside the things" if deck else "")
                said = f"no deck of {whose or 'all'} is called `{key.value}`"
                raise Faulty.one("unknown-name", said, key.span, help=help or suggest(key.value, known))
            for word, number in mapping_of(line, "how many are gone of each card").entries:
                if word.value not in deck.cards:
                    said = f"`{word.value}` is no card of `{deck.name}`"
                    raise Faulty.one("unknown-word", said, word.span, help=suggest(word.value, deck.cards))
                self.taken(deck, whose, word.value, whole(number, "a number of cards"), number.span)

    def held(self, thing: Thing, fact: Fact) -> None:
        """The cards of a hand are not in the deck."""
        deck = self.ruleset.decks[fact.deck]
        whose = thing if thing.kind == deck.each else None
        if deck.each and whose is None:
            whose = self.state.slots.get(FactOf(thing, deck.each))
        node = self.places[thing].get(fact.name)
        for word in deck.cards:
            many = self.state.slots.get(PerWord(thing, fact.name, word), 0)
            self.taken(deck, whose, word, many, self.names[thing] if node is None else node.span)

    def taken(self, deck: Deck, whose: Thing | None, word: str, many: int, place: Span) -> None:
        """So many cards of a word are not in a deck."""
        slots, left = self.state.slots, cards_left(deck.name, whose, word)
        if not 0 <= many <= slots[left]:
            said = f"of {deck.cards[word]} `{word}` in `{deck.name}` more are gone and held than there are"
            raise Faulty.one("out-of-range", said, place)
        slots[left] -= many
        slots[cards_left(deck.name, whose, ALL)] -= many

    def the_other(self, thing: Thing, fact: Fact, place: Span) -> Thing:
        """Who the other of two is."""
        others = [one for one in self.state.by_kind[thing.kind] if one is not thing]
        if len(others) == 1:
            return others[0]
        raise Faulty.one(
            "missing-fact",
            f"`{fact.name}` is the other {thing.kind} of two, and `{thing}` has {len(others) or 'no'} others",
            place,
            help=f"a rule for more than two has a group: `{{about: {thing.kind}, each: foe, are: other {thing.kind}}}`",
        )

    def silent(self, thing: Thing, fact: Fact) -> Any:
        """What a fact is when the situation does not say."""
        if isinstance(fact.type, AThing):
            owner = self.owners.get(thing)
            if owner is not None and fact.name == owner.kind == fact.type.kind:
                return owner
            if fact.type.other:
                return self.the_other(thing, fact, self.names[thing])
        if fact.default is None:
            printed = " or a `counter:`" if fact.origin == "printed" else ""
            raise Faulty.one(
                "missing-fact",
                f"`{thing}` needs `{fact.name}:`, {fact.type}",
                self.names[thing],
                help=f"add `{fact.name}: ..`{printed}",
                labels=((fact.where.place, "declared here"),),
            )
        return fact.default[0]

    def somebody(self, node: Node, kind: str) -> Thing:
        if isinstance(node, Text) and node.value in self.ruleset.counters and node.value not in self.state.things:
            help = f"write each with its facts, in braces: `{{a: {{counter: {node.value}}}}}`"
            raise Faulty.one("unknown-thing", f"`{node.value}` is a counter, and not one of them", node.span, help=help)
        return find_thing(self.state, node, kind)


def _is_one_value(type: Type, is_owned: bool) -> bool:
    """Whether a fact of this type simply has its default, where it has one and nothing is said of it; `silent` knows
    whom an owner or the only other one is."""
    match type:
        case AThing(other=other):
            return not (other or is_owned)
        case Flag() | Number() | Word() | ACounter() | Roll() | SomeDice():
            return True
    return False


def like_others(kind: Kind, value: Callable[[str], Any]) -> dict[str, Any]:
    """The facts of a thing that are at first what another of its facts is; `value` is `LEFT` of those still open."""
    out: dict[str, Any] = {}
    for fact in kind.facts.values():
        source = fact
        while source.like and value(source.name) is LEFT:
            source = kind.facts[source.like]
        if source is not fact and value(source.name) is not LEFT:
            out[fact.name] = value(source.name)
    return out


def no_fact(name: str, kind: Kind) -> str:
    """What to write in the place of a fact that a kind has not."""
    known = ", ".join(f"`{fact}`" for fact in [*kind.facts][:MOST_FACTS])
    more = " and others" * (len(kind.facts) > MOST_FACTS)
    return suggest(name, kind.facts) or (f"it has {known}{more}" if known else "")


def find_thing(state: State, node: Node, kind: str) -> Thing:
    name = text_of(node, f"the name of {a(kind)}")
    thing = state.things.get(name)
    if thing is None or thing.kind != kind:
        raise Faulty.one(
            "unknown-thing",
            f"no {kind} is called `{name}`",
            node.span,
            help=suggest(name, known := [t.name for t in state.by_kind.get(kind, [])])
            or ("write one of these: " + ", ".join(f"`{one}`" for one in known[:MOST_SHOWN]) if known else _AS_THINGS),
        )
    return thing


def read_value(type: Type, node: Node, ruleset: Ruleset, state: State) -> Any:
    """A value of a type as a situation, counter sheet, choice or expectation writes it."""
    text = text_of(node, str(type))
    match type:
        case Flag():
            return yes_no(node)
        case Number(nobody=True) if text == "nobody":
            return None
        case Number(low, high):
            if (value := fraction_of(text)) is not None:
                if low is None:
                    return exact(value)
                if value.denominator == 1 and low <= value <= (high if high is not None else value):
                    return value.numerator
        case Word(words) if text in words:
            return text
        case AThing(kind, nobody):
            return None if nobody and text == "nobody" else find_thing(state, node, kind)
        case ACounter(nobody):
            if nobody and text == "nobody":
                return None
            if text in ruleset.counters:
                return text
            raise Faulty.one(
                "unknown-counter", f"no counter is called `{text}`", node.span, help=suggest(text, ruleset.counters)
            )
        case SomeDice() if (hand := handful(text)) is not None:
            return hand
        case Roll():
            raise expected("nothing: a roll is thrown", node, "leave it out, and give its dice under `dice:`")
    if isinstance(type, Word):
        help = suggest(text, type.words) or f"write {asked(type)}"
        raise Faulty.one("unknown-word", f"`{text}` is not {type}", node.span, help=help)
    help = f"write {asked(type)}"
    if isinstance(type, Number) and (found := re.fullmatch(r"(\d+)\+", text)):
        help = f"write the number alone, `{found[1]}`; the row that reads the throw says `at least`"
    raise Faulty.one("wrong-type", f"`{text}` is not {type}", node.span, help=help)


def read_printed(fact: Fact, node: Node, ruleset: Ruleset) -> Any:
    """What a counter prints for a fact, of which no situation knows: for a fact word by word, the number of each."""
    if not isinstance(fact.type, Per):
        return read_value(fact.type, node, ruleset, State())
    number, given = Number(fact.type.low, fact.type.high), dict[str, Any]()
    for key, value in mapping_of(node, str(fact.type)).entries:
        if key.value not in fact.type.words:
            raise Faulty.one(
                "unknown-word",
                f"`{key.value}` is not one of {', '.join(fact.type.words)}",
                key.span,
                help=suggest(key.value, fact.type.words),
            )
        given[key.value] = read_value(number, value, ruleset, State())
    return dict.fromkeys(fact.type.words, 0) | given
