"""Sequences whose names are looked up: what each row does, to whom, and whether that can be done."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import TypeAlias

from closecombat.binding import trees
from closecombat.binding.bound import (
    BoundAct,
    BoundBecome,
    BoundChange,
    BoundChoose,
    BoundCreate,
    BoundDeal,
    BoundDeclare,
    BoundEffect,
    BoundFlag,
    BoundLayAside,
    BoundLeave,
    BoundMember,
    BoundOrdering,
    BoundOwe,
    BoundPlay,
    BoundRoll,
    BoundSequence,
    BoundSet,
    BoundShuffle,
    BoundSingleOut,
    BoundVerb,
    name_of_new,
)
from closecombat.binding.names import Layer, Scope, fits, of_several
from closecombat.binding.row_tests import bind_tests
from closecombat.binding.sentences import Binder, bare_name, denied
from closecombat.binding.terms import Env, Rank, SetTerm, Term, World, added_up, counted_on, subject
from closecombat.proving.foreseeing.ranges import counted as somebodys
from closecombat.proving.values.arithmetic import Counted
from closecombat.proving.values.symbolic import Value
from closecombat.reading import model as m
from closecombat.reading import syntax as s
from closecombat.reading.syntax import Cell
from closecombat.reading.types import (
    ACounter,
    AThing,
    Flag,
    Nobody,
    Number,
    Per,
    Roll,
    SomeDice,
    Things,
    Type,
    Word,
    a,
    is_number,
)
from closecombat.text.faults import Bug, Faults, Faulty, suggest
from closecombat.text.source import Span

Settling: TypeAlias = m.Roll | m.Deal | m.Choose | m.Declare | m.SingleOut
# what a verb does in a message, the origins of a fact it can be done to, and whether that must be a set
DONE: Mapping[type[Settling], tuple[str, tuple[str, ...], bool]] = {
    m.Roll: ("rolled", ("rolled",), False),
    m.Deal: ("dealt", ("drawn",), False),
    m.Choose: ("chosen", ("chosen", "noted"), False),
    m.Declare: ("declared", ("given", "chosen", "noted"), True),
    m.SingleOut: ("singled out", ("given", "chosen", "noted"), True),
}


def bind_sequence(binder: Binder, sequence: m.Sequence) -> BoundSequence:
    """A sequence with every name looked up; raises Faulty with everything wrong in its rows."""
    return _Procedure(binder).sequence(sequence)


class _Procedure:
    def __init__(self, binder: Binder) -> None:
        self.binder, self.names, self.ruleset = binder, binder.names, binder.ruleset
        self.callers: tuple[Layer, ...] = ()  # who a sequence is about: the subjects that its caller gives it

    def sequence(self, sequence: m.Sequence) -> BoundSequence:
        faults = Faults()
        with self.names.uses.by("sequence", sequence.name):
            scope = self.names.subjects(sequence.about, sequence.where)
            self.callers = scope.layers
            found = [faults.attempt(self.act, act, scope) for act in sequence.acts]
            for act in sequence.acts:
                if act.order and sequence.order != "in-order":
                    message = f"nobody is first in `{sequence.name}`: its rows do not follow each other"
                    help = "put the row under `in-order:`, in a sequence of its own that is played here"
                    faults.add("wrong-shape", message, act.order[0].place, help=help)
            until = None if sequence.until is None else faults.attempt(self.binder.condition, sequence.until, scope)
        faults.raise_if_any()
        if until is not None and sequence.asked_first:
            until = denied(until)
        return BoundSequence(sequence, tuple(act for act in found if act is not None), until)

    # ---- rows --------------------------------------------------------------------------------------------
    def act(self, act: m.Act, scope: Scope) -> BoundAct:
        each, who = None, None
        if act.each is not None and act.who is not None:
            raise Faulty.one(
                "wrong-shape",
                f"row `{act.id}` looks at `each:` and at `for:`",
                act.who.place,
                help="take one of them; a sequence that this row plays can look at the other",
            )
        if act.each is not None:
            each = self.binder.members(act.each, act.each.node, scope)
            names = {each.each: each.type} | self._kind_name(each.type, scope)
            whose = self.names.whose(act.each.node, scope)
            scope = scope.inside(names, (each.each,), whose=whose, of_a_row=True)
        if act.who is not None:
            term = self.binder.value(act.who, act.who.node, scope)
            if not isinstance(term.type, AThing):
                raise Faulty.one("wrong-type", f"this is {term.type}, not somebody", act.who.place)
            names, node = self._kind_name(term.type, scope), act.who.node
            own = node.path.names[0] if isinstance(node, s.Reading) else ""
            called = (own if own and scope.find(own) is None else next(iter(names), term.type.kind), *names)
            who = (term, called)
            again = own if bare_name(node) == own == called[0] else ""
            too = own if own == called[0] and bare_name(node) != own and self._has(term.type, own) else ""
            whose = self.names.whose(node, scope)
            scope = scope.inside(dict.fromkeys(called, term.type), called[:1], again, too, whose, True)
        faults = Faults()
        act, roles = self._cast_in(act)
        tests = faults.attempt(bind_tests, self.binder, act, scope)
        looked_at = None if who is None else who[0].tree
        verb = None if act.verb is None else faults.attempt(self._verb, act, act.verb, scope, roles, looked_at)
        times = None if act.times is None else faults.attempt(self._times, act, act.times, scope)
        order = [faults.attempt(self._ordering, cell, scope) for cell in act.order]
        if isinstance(verb, BoundCreate):
            scope = scope.inside({verb.called: AThing(self.ruleset.counters[verb.counter].kind)}, ())
        effects = [
            faults.attempt(self._effect, cell, scope)
            for cell in act.effects
            if verb is not None or not isinstance(act.verb, m.Create)
        ]
        faults.raise_if_any()
        if tests is None:
            raise Bug("tests is not None")
        done = tuple(effect for effect in effects if effect is not None)
        return BoundAct(
            act, each, who, *tests, verb, done, scope, times, tuple(one for one in order if one is not None)
        )

    def _ordering(self, cell: Cell, scope: Scope) -> BoundOrdering:
        """What the members are set in order by: a number, or the place of a word in its list."""
        if not isinstance(cell.node, s.Ordering):
            raise Bug("isinstance(cell.node, s.Ordering)")
        node = cell.node.value
        term = self.binder.value(cell, node, scope)
        counted = Counted(cell.text, cell.span(node))
        if isinstance(term.type, Word):
            tree = trees.Counted(trees.Ranked(term.type.words, term.tree))
            place = Term(partial(_place, term, Rank(term.type.words), counted), Number(), tree)
            return BoundOrdering(cell.node.highest, place, term)
        if not is_number(term.type):
            help = "write what each has that can be compared: a number, or a word of a list in order"
            raise Faulty.one("wrong-type", f"this is {term.type}: nobody is first by it", cell.span(node), help=help)
        number = counted_on(term, counted)
        return BoundOrdering(cell.node.highest, number, number)

    def _times(self, act: m.Act, cell: Cell, scope: Scope) -> Term:
        """How often a row is done."""
        node = cell.node
        if isinstance(node, s.Literal) and (type(node.value) is not int or not 2 <= node.value <= m.MOST_TIMES):
            help = f"2 to {m.MOST_TIMES}, or a number that the rules work out; a row without `repeat:` is done once"
            raise Faulty.one(
                "out-of-range", f"row `{act.id}` cannot be repeated {cell.text} times", cell.place, help=help
            )
        term = self.binder.value(cell, node, scope)
        if not is_number(term.type):
            raise Faulty.one("wrong-type", f"this is {term.type}, not a number of times", cell.place)
        return counted_on(term, Counted(cell.text, cell.place))

    def _kind_name(self, type: Type, scope: Scope) -> dict[str, Type]:
        """The kind's own name, unless it means somebody else already."""
        kind = type.kind if isinstance(type, AThing) else ""
        return dict[str, Type]() if scope.find(kind) is not None else {kind: type}

    # ---- verbs -------------------------------------------------------------------------------------------
    def _verb(
        self, act: m.Act, verb: m.Verb, scope: Scope, roles: Mapping[str, Cell], looked_at: trees.Tree | None
    ) -> BoundVerb:
        """What the verb works on, and its further cells, bound; `looked_at` is who stands behind `for:`."""
        match verb:
            case m.Play(sequence):
                self._known(sequence, self.ruleset.sequences, "sequence")
                named = {name: self._in_the_role(sequence, name, cell, scope) for name, cell in roles.items()}
                return BoundPlay(sequence.name, self._cast(sequence, scope, named, looked_at), named)
            case m.Shuffle(deck):
                return self._shuffle(deck, scope)
            case m.Create():
                return self._create(act, verb, scope)
            case m.Choose() | m.Declare():
                faults = Faults()
                by = None if verb.by is None else faults.attempt(self._somebody, verb.by, scope)
                among = verb.among if isinstance(verb, m.Choose) else None
                members = None if among is None else faults.attempt(self._members, among, scope)
                faults.raise_if_any()
                if isinstance(verb, m.Declare):
                    return self._declare(verb, scope, by)
                return self._choose(verb, members, scope, by)
            case m.SingleOut():
                return self._single_out(act, verb, scope)
        owner, fact = self._done_to(verb, scope)
        if isinstance(verb, m.Deal):
            return BoundDeal(owner, fact, self.ruleset.decks[fact.deck], self._dealt(verb, fact, scope))
        if not isinstance(fact.type, Roll):
            raise Bug("isinstance(fact.type, Roll)")
        return BoundRoll(owner, fact, self.ruleset.dice[fact.type.dice])

    def _members(self, cell: Cell, scope: Scope) -> SetTerm:
        return self.binder.members(cell, cell.node, scope)

    def _somebody(self, cell: Cell, scope: Scope) -> Term:
        term = self.binder.value(cell, cell.node, scope)
        if not isinstance(term.type, AThing):
            raise Faulty.one("wrong-type", f"this is {term.type}, not somebody", cell.place)
        return term

    def _dealt(self, verb: m.Deal, fact: m.Fact, scope: Scope) -> Term | None:
        """How many cards are dealt into a hand; one if nothing is said."""
        if verb.number is None:
            return None
        term = self.binder.value(verb.number, verb.number.node, scope)
        if not isinstance(fact.type, Per):
            help = f"a hand holds several: `{fact.name}: cards of {fact.deck}`"
            raise Faulty.one("wrong-type", f"`{fact.name}` is a single card", verb.number.place, help=help)
        if not is_number(term.type):
            raise Faulty.one("wrong-type", f"this is {term.type}, not a number", verb.number.place)
        return term

    def _shuffle(self, cell: Cell, scope: Scope) -> BoundShuffle:
        """`pack`, or `pack of side` where each side has one; who speaks has his own, or that of his side."""
        node = cell.node
        if not isinstance(node, s.Reading) or node.other is not None:
            raise Faulty.one("wrong-type", "the name of a deck is needed here", cell.place)
        name, *owners = node.path.names
        self._known(m.Named(name, cell.place), self.ruleset.decks, "deck")
        deck = self.ruleset.decks[name]
        if owners and not deck.each:
            raise Faulty.one("wrong-type", f"there is one `{name}` for all", cell.place, help=f"write `{name}`")
        if not deck.each:
            return BoundShuffle(None, deck)
        if owners:
            whose = self.binder.value(cell, s.Reading(s.Path(tuple(owners), node.path.at), None, node.path.at), scope)
            owner = self._holder(whose, deck)
        else:
            speakers = [subject(one, layer.names[one]) for layer in scope.layers for one in layer.speakers]
            speakers += [self.names.one(kind.name) for kind in self.names.only]
            owner = next((found for one in speakers if (found := self._holder(one, deck)) is not None), None)
        if owner is None:
            said, help = f"each {deck.each} has a `{name}` of its own", f"say whose: `{name} of ..`"
            raise Faulty.one("missing-key", said, cell.place, help=help)
        return BoundShuffle(owner, deck)

    def _holder(self, whose: Term, deck: m.Deck) -> Term | None:
        """Whose deck somebody deals from: his own, or that of the one who has him."""
        if isinstance(whose.type, AThing) and whose.type.kind == deck.each:
            return whose
        return self.names.attribute_kind(whose, deck.each)

    def _create(self, act: m.Act, verb: m.Create, scope: Scope) -> BoundCreate:
        self._known(verb.counter, self.ruleset.counters, "counter")
        kind = self.ruleset.counters[verb.counter.name].kind
        if kind not in self.ruleset.kinds:
            raise Faulty.told()
        self._may_be_more(self.ruleset.kinds[kind], verb.counter.place, "a newcomer makes three")
        if verb.into is None:
            raise Faulty.one(
                "missing-key",
                f"row `{act.id}` must say where the new {kind} goes",
                act.where.place,
                help=f"add `into: {self.ruleset.kinds[kind].plural} of ..`",
            )
        owner, fact = self._slot(verb.into, scope)
        if not isinstance(fact.type, Things) or fact.type.kind != kind:
            raise Faulty.one(
                "wrong-type", f"`{fact.name}` is {fact.type}: no {kind} can be put into it", verb.into.place
            )
        return BoundCreate(owner, fact, verb.counter.name, name_of_new(verb, kind))

    def _may_be_more(self, kind: m.Kind, place: Span, but: str) -> None:
        """Refuses to add to a kind of which there are two, each the other of the other."""
        for fact in kind.facts.values():
            if isinstance(fact.type, AThing) and fact.type.other:
                raise Faulty.one(
                    "never-settled",
                    f"`{fact.name}` is the other {kind.name} of two, and {but}",
                    place,
                    labels=((fact.where.place, "declared here"),),
                    help=f"say who it is: `{fact.name}: {a(kind.name)} or nobody`; or let a rule for more than two "
                    f"have a group: `{{about: {kind.name}, each: foe, are: other {kind.name}}}`",
                )

    def _choose(self, verb: m.Choose, among: SetTerm | None, scope: Scope, by: Term | None) -> BoundChoose:
        owner, fact = self._done_to(verb, scope)
        faults = Faults()
        legal = None if verb.legal is None else faults.attempt(self._legal, verb.legal, owner, fact)
        if verb.among is not None and among is not None:
            faults.attempt(self._candidates, verb.among, among, fact)
        otherwise = None if verb.otherwise is None else faults.attempt(self._fitting, verb.otherwise, fact, scope)
        hand = None if verb.hand is None else faults.attempt(self._hand, verb.hand, fact, scope)
        faults.raise_if_any()
        return BoundChoose(owner, fact, among, legal or "", otherwise, hand, verb.answered, by)

    def _hand(self, cell: Cell, fact: m.Fact, scope: Scope) -> tuple[Term, m.Fact]:
        """Whose hand a card is chosen from: the fact must be able to be any of its cards."""
        owner, hand = self._slot(cell, scope)
        if not hand.is_hand:
            help = f"a hand is a fact under `drawn`: `{hand.name}: cards of ..`"
            raise Faulty.one("wrong-type", f"`{hand.name}` is {hand.type}, not a hand", cell.place, help=help)
        cards = Word(tuple(self.ruleset.decks[hand.deck].cards))
        if not _can_hold(fact.type, cards):
            help = f"let it be a card: `{fact.name}: {hand.deck}`"
            raise Faulty.one("wrong-type", f"`{fact.name}` is {fact.type}, and no card of it", cell.place, help=help)
        return owner, hand

    def _declare(self, verb: m.Declare, scope: Scope, by: Term | None) -> BoundDeclare:
        owner, fact = self._done_to(verb, scope)
        if not isinstance(fact.type, Things):
            raise Bug("isinstance(fact.type, Things)")
        kind = self.ruleset.kinds[fact.type.kind]
        self._may_be_more(kind, verb.fact.place, "any number may be declared")
        faults = Faults()
        legal = None if verb.legal is None else faults.attempt(self._legal, verb.legal, owner, fact)
        otherwise = None if verb.otherwise is None else faults.attempt(self._declared, verb.otherwise, kind, scope)
        faults.raise_if_any()
        return BoundDeclare(owner, fact, kind, verb.at_most, legal or "", otherwise, verb.answered, by)

    def _single_out(self, act: m.Act, verb: m.SingleOut, scope: Scope) -> BoundSingleOut:
        among = None if verb.among is None else self._members(verb.among, scope)
        owner, fact = self._done_to(verb, scope)
        if verb.among is None or among is None:
            raise Faulty.one("missing-key", f"row `{act.id}` must say `from:` whom lots are drawn", act.where.place)
        self._candidates(verb.among, among, fact)
        return BoundSingleOut(owner, fact, among, verb.again)

    def _done_to(self, verb: Settling, scope: Scope) -> tuple[Term, m.Fact]:
        """Whose fact it is that a roll, a card, a choice, a declaration or lots go into."""
        owner, fact = self._slot(verb.fact, scope)
        done, origins, is_set = DONE[type(verb)]
        if fact.origin not in origins:
            raise Faulty.one(
                "wrong-type",
                f"`{fact.name}` is {fact.origin}, so it cannot be {done}",
                verb.fact.place,
                labels=((fact.where.place, "declared here"),),
            )
        if is_set is not isinstance(fact.type, Things) or (isinstance(fact.type, Per) and fact.origin != "drawn"):
            raise Faulty.one(
                "wrong-type",
                f"`{fact.name}` is {fact.type}, so it cannot be {done}",
                verb.fact.place,
                labels=((fact.where.place, "declared here"),),
            )
        return owner, fact

    def _legal(self, legal: m.Named, owner: Term, fact: m.Fact) -> str:
        name = legal.name
        self._known(legal, self.ruleset.tables, "table")
        self.names.uses.note("chart", name, legal.place)
        table = self.ruleset.tables[name]
        about: Type = AThing(fact.type.kind) if isinstance(fact.type, Things) else owner.type
        if len(table.about) != 1 or not fits(about, self.names.subject_type(table.about[0], table.where)):
            raise Faulty.one("wrong-type", f"`{name}` must be about {about}, whose choice it judges", legal.place)
        if table.policy != "forbidden-if":
            raise Faulty.one(
                "wrong-type", f"`{name}` forbids nothing", legal.place, help="name a table with `forbidden-if:`"
            )
        return name

    def _candidates(self, cell: Cell, members: SetTerm, fact: m.Fact) -> None:
        kind = fact.type.kind if isinstance(fact.type, Things | AThing) else ""
        if members.type != AThing(kind):
            raise Faulty.one("wrong-type", f"none of these can be `{fact.name}`, which is {fact.type}", cell.place)

    def _declared(
        self, otherwise: Mapping[str, Mapping[str, Cell]], kind: m.Kind, scope: Scope
    ) -> dict[str, dict[str, Term | SetTerm]]:
        out: dict[str, dict[str, Term | SetTerm]] = {}
        for id, facts in otherwise.items():
            out[id] = {}
            for name, cell in facts.items():
                declared = kind.facts.get(name)
                if declared is None and name in self.ruleset.failed:
                    raise Faulty.told()
                if declared is None:
                    raise Faulty.one(
                        "unknown-fact",
                        f"{a(kind.name)} has no fact `{name}`",
                        cell.place,
                        help=suggest(name, kind.facts),
                    )
                if isinstance(declared.type, Things):
                    members = out[id][name] = self._members(cell, scope)
                    self._candidates(cell, members, declared)
                else:
                    out[id][name] = self._fitting(cell, declared, scope)
        return out

    def _known(self, named: m.Named, known: Collection[str], what: str) -> None:
        name = named.name
        if name not in known:
            if name in self.ruleset.failed:
                raise Faulty.told()
            raise Faulty.one("unknown-name", f"no {what} is called `{name}`", named.place, help=suggest(name, known))
        if what != "table":
            self.names.uses.note(what, name, named.place)

    def _cast_in(self, act: m.Act) -> tuple[m.Act, dict[str, Cell]]:
        """A row without the columns that say who plays which role in the sequence that it plays; and these."""
        played = self.ruleset.sequences.get(act.verb.sequence.name) if isinstance(act.verb, m.Play) else None
        names = ["" if head is None else bare_name(head.node) for head, _ in act.tests]
        roles = played.roles if played is not None else m.NO_ROLES
        if not set(names) & set(roles):
            return act, {}
        cast = {name: cell for name, (_, cell) in zip(names, act.tests, strict=True) if name in roles}
        tests = tuple(test for name, test in zip(names, act.tests, strict=True) if name not in roles)
        before = sum(name not in roles for name in names[: act.before])
        return replace(act, tests=tests, before=before), cast

    def _in_the_role(self, played: m.Named, name: str, cell: Cell, scope: Scope) -> Term:
        """Who plays a role of the sequence that a row plays, by the row's own words."""
        said, wanted = cell.node, self.names.subject_type(name, self.ruleset.sequences[played.name].where)
        if not isinstance(said, s.Test) or said.kind != "equal" or said.negated:
            help = f"write who it is: `{name}: attacker`, `{name}: whoever of .. has highest ..`"
            raise Faulty.one("wrong-type", f"this is nobody who could be the {name}", cell.place, help=help)
        term = self.binder.value(cell, said.values[0], scope)
        if not fits(term.type, wanted):
            message = f"this is {term.type}, and the {name} of `{played.name}` is {wanted}"
            raise Faulty.one(
                "wrong-type",
                message,
                cell.place,
                help="write who of that kind it is: `.. of side`, `whoever of .. has ..`",
            )
        return term

    def _cast(
        self, played: m.Named, scope: Scope, named: Mapping[str, Term], looked_at: trees.Tree | None
    ) -> dict[str, str]:
        """Who here is each subject of the sequence that is played: whom the row looks at, before the caller's own. He
        plays one part: that which the row gives him, or that of his name, `for: victim`."""
        sequence = self.ruleset.sequences[played.name]
        left = [wanted for wanted in sequence.about if wanted not in named]
        types = {wanted: self.names.subject_type(wanted, sequence.where) for wanted in left}
        cast: dict[str, str] = {}
        row = scope.layers[: len(scope.layers) - len(self.callers)]
        for layer in row:
            cast |= {wanted: wanted for wanted in types if wanted in layer.names and wanted not in cast}
        for layer in row:
            if any(called in layer.names for called in cast.values()):
                continue  # he has been given a part by his name
            own = layer.speakers[0]
            if any(term.tree in (looked_at, *map(trees.Name, layer.names)) for term in named.values()):
                continue
            if isinstance(looked_at, trees.Name) and looked_at.name in types:
                cast[looked_at.name] = own
                continue
            parts = [w for w, type in types.items() if w not in cast and fits(layer.names[own], type)]
            if len(parts) > 1:  # the caller keeps those that go by the very name
                parts = [w for w in parts if not any(w in caller.names for caller in self.callers)] or parts
            if len(parts) > 1:
                raise self._unclear_part(played, own, parts)
            cast |= dict.fromkeys(parts, own)
        for wanted, type in types.items():
            if wanted not in cast:
                cast[wanted] = self._caller(played, wanted, type, [layer.speakers[0] for layer in row])
        return cast

    def _caller(self, played: m.Named, wanted: str, type: Type, row: list[str]) -> str:
        """Who of the caller's subjects goes by the name, or is the only one of that kind."""
        for layer in self.callers:
            if wanted in layer.names:
                return wanted
        here = [called for layer in self.callers for called, found in layer.names.items() if fits(found, type)]
        if len(here) > 1:
            is_role = wanted in self.ruleset.sequences[played.name].roles
            raise Faulty.one(
                "two-readings",
                f"`{played.name}` is about {wanted}, which may be {' or '.join(here)} here",
                played.place,
                help="write " + " or ".join(f"`{wanted if is_role else 'for'}: {called}`" for called in here),
            )
        if not here and wanted in self.ruleset.sequences[played.name].roles and row:
            said = f"`{played.name}` is played, and it is not said who is the {wanted}"
            raise Faulty.one("unknown-name", said, played.place, help=f"write who it is: `{wanted}: attacker`")
        if not here:
            here_is = f"this row looks at {a(row[0])}" if row else "this row looks at nobody"
            kind = type.kind if isinstance(type, AThing) else wanted
            raise Faulty.one(
                "unknown-name",
                f"`{played.name}` is played for {type}, and {here_is}",
                played.place,
                help=f"write `each: {kind}`, or `for:` and whose {kind} it is",
            )
        return here[0]

    def _unclear_part(self, played: m.Named, own: str, parts: list[str]) -> Faulty:
        if parts[0] in self.ruleset.sequences[played.name].roles:
            help = "write in the row " + " or ".join(f"`{part}: {own}`" for part in parts)
        else:
            help = (
                f"write `{parts[0]}: {own}` in the row, and `about: {{{parts[0]}: .., {parts[1]}: ..}}` in "
                f"`{played.name}`; or let whom the row looks at go by one of these names: a group's `each:` gives it"
            )
        return Faulty.one(
            "two-readings",
            f"`{played.name}` is about {' and '.join(parts)}, and {own} may be either",
            played.place,
            help=help,
        )

    # ---- facts to write to -------------------------------------------------------------------------------
    def _slot(self, cell: Cell, scope: Scope) -> tuple[Term, m.Fact]:
        """Whose fact is meant: `nerve of unit`, or a bare fact of the innermost speaker that has it."""
        node = cell.node
        if not isinstance(node, s.Reading) or node.other is not None:
            raise Faulty.one("wrong-type", "the name of a fact is needed here", cell.place)
        return self._slot_at(cell, node.path, scope)

    def _slot_at(self, cell: Cell, path: s.Path, scope: Scope) -> tuple[Term, m.Fact]:
        name, *owners = path.names
        if owners:
            node = s.Reading(s.Path(tuple(owners), path.at), None, path.at)
            owner = self.binder.value(cell, node, scope)
            found = self._fact_of(owner.type, name)
            if found is None:
                raise self.names.unknown(cell, path, name, self._facts_of(owner.type), of=str(owner.type))
            return owner, found
        for layer in scope.layers:
            facts = {speaker: self._fact_of(layer.names[speaker], name) for speaker in layer.speakers}
            having = {speaker: fact for speaker, fact in facts.items() if fact is not None}
            if len(having) > 1:
                raise of_several(cell, path, name, having)
            for speaker, fact in having.items():
                return subject(speaker, layer.names[speaker]), fact
        for kind in self.names.only:
            if name in kind.facts:
                return self.names.one(kind.name), kind.facts[name]
        known = [fact for layer in scope.layers for type in layer.names.values() for fact in self._facts_of(type)]
        known += [fact for kind in self.names.only for fact in kind.facts]
        raise self.names.unknown(cell, path, name, known)

    def _fact_of(self, type: Type, name: str) -> m.Fact | None:
        return self.ruleset.kinds[type.kind].facts.get(name) if isinstance(type, AThing) else None

    def _facts_of(self, type: Type) -> list[str]:
        return list(self.ruleset.kinds[type.kind].facts) if isinstance(type, AThing) else []

    def _fitting(self, cell: Cell, fact: m.Fact, scope: Scope, node: s.Node | None = None) -> Term:
        """A value that the fact can hold."""
        node = cell.node if node is None else node
        if isinstance(fact.type, SomeDice):
            said = f"which dice `{fact.name}` has is given or printed, and no row sets it"
            raise Faulty.one("wrong-type", said, cell.span(node), help="let it `become` a counter with other dice")
        value = self.binder.value(cell, node, scope, fact.type)
        if not _can_hold(fact.type, value.type):
            raise Faulty.one("wrong-type", f"this is {value.type}, and `{fact.name}` is {fact.type}", cell.span(node))
        if isinstance(value.type, Roll):
            return added_up(value)
        if isinstance(node, s.Literal) and isinstance(fact.type, Number) and fact.type.low is not None:
            low, high, number = fact.type.low, fact.type.high, node.value
            if number is None and fact.type.nobody:
                return value
            if not isinstance(number, int) or not low <= number <= (number if high is None else high):
                raise Faulty.one("out-of-range", f"`{fact.name}` is {fact.type}", cell.span(node))
        return value

    # ---- effects -----------------------------------------------------------------------------------------
    def _effect(self, cell: Cell, scope: Scope) -> BoundEffect:
        counted = Counted(cell.text, cell.place)
        match cell.node:
            case s.Gain(path) | s.Lose(path) if (hand := self._hand_at(path, cell, scope)) is not None:
                if isinstance(cell.node, s.Lose):
                    return BoundLayAside(*hand)
                help = f"`deal: {hand[1].name}` adds to it, `lose {hand[1].name}` lays it aside"
                raise Faulty.one("wrong-type", f"`{hand[1].name}` is a hand, not yes or no", cell.place, help=help)
            case s.Gain(path) | s.Lose(path):
                flag = self._fact_that_is(Flag, "yes or no", cell, path, scope)
                return BoundFlag(*flag, isinstance(cell.node, s.Gain))
            case s.Set(path, value):
                owner, fact = self._slot_at(cell, path, scope)
                return BoundSet(owner, fact, self._fitting(cell, fact, scope, value), counted)
            case s.Add(value, path) | s.Take(value, path):
                change = self._number_and_change(cell, path, value, scope)
                return BoundChange(*change, counted, isinstance(cell.node, s.Add))
            case s.Put(value, path) | s.Remove(value, path):
                return BoundMember(*self._set_and_member(cell, path, value, scope), isinstance(cell.node, s.Put))
            case s.Become(value):
                return self._become(cell, value, scope)
            case s.Leave():
                return BoundLeave(self._speaker(cell, scope))
            case s.Owe(duty):
                if duty not in self.ruleset.obligations:
                    help = suggest(duty, self.ruleset.obligations) or "add it to `obligations:`"
                    raise Faulty.one("unknown-name", f"no obligation is called `{duty}`", cell.place, help=help)
                self.names.uses.note("obligation", duty, cell.place)
                return BoundOwe(self._speaker(cell, scope), duty)
        raise Bug(f"{cell.text} is no effect")

    def _hand_at(self, path: s.Path, cell: Cell, scope: Scope) -> tuple[Term, m.Fact] | None:
        """Whose hand is meant, and which, if it is one."""
        owner, fact = self._slot_at(cell, path, scope)
        return (owner, fact) if fact.is_hand else None

    def _fact_that_is(self, wanted: type, what: str, cell: Cell, path: s.Path, scope: Scope) -> tuple[Term, m.Fact]:
        """Whose fact is changed, and which; it must be of the type that the effect needs."""
        owner, fact = self._slot_at(cell, path, scope)
        if not isinstance(fact.type, wanted):
            raise Faulty.one(
                "wrong-type",
                _another_type(fact, what),
                cell.span(path),
                help=_change_of(fact, cell),
                labels=((fact.where.place, "declared here"),),
            )
        return owner, fact

    def _number_and_change(self, cell: Cell, path: s.Path, node: s.Node, scope: Scope) -> tuple[Term, m.Fact, Term]:
        owner, fact = self._fact_that_is(Number, "a number", cell, path, scope)
        if isinstance(fact.type, Number) and fact.type.nobody:
            said = f"`{fact.name}` may be nobody, to which nothing is added"
            raise Faulty.one("wrong-type", said, cell.span(path), help=f"write `set {fact.name} to ..`")
        value = self.binder.value(cell, node, scope, fact.type)
        if not is_number(value.type):
            raise Faulty.one("wrong-type", f"this is {value.type}, not a number", cell.span(node))
        return owner, fact, value

    def _set_and_member(self, cell: Cell, path: s.Path, node: s.Node, scope: Scope) -> tuple[Term, m.Fact, Term]:
        owner, fact = self._fact_that_is(Things, "a set", cell, path, scope)
        value = self.binder.value(cell, node, scope)
        if not isinstance(fact.type, Things):
            raise Bug("isinstance(fact.type, Things)")
        if not fits(value.type, AThing(fact.type.kind)):
            raise Faulty.one("wrong-type", f"this is {value.type}, and `{fact.name}` is {fact.type}", cell.span(node))
        return owner, fact, value

    def _become(self, cell: Cell, node: s.Node, scope: Scope) -> BoundBecome:
        value = self.binder.value(cell, node, scope, ACounter())
        if not isinstance(value.type, ACounter):
            help = f"write `gain {cell.text.partition(' ')[2]}`" if isinstance(value.type, Flag) else ""
            raise Faulty.one("wrong-type", f"this is {value.type}, not {ACounter()}", cell.span(node), help=help)
        owner = self._speaker(cell, scope)
        printed = {counter.kind for counter in self.ruleset.counters.values()}
        if isinstance(owner.type, AThing) and owner.type.kind not in printed:
            raise Faulty.one("wrong-type", f"this is {owner.type}, and no counter is one", cell.place)
        return BoundBecome(owner, value, cell.place)

    def _has(self, type: AThing, name: str) -> bool:
        """Whether somebody has somebody of a name: `enemy` of a side."""
        fact = self.ruleset.kinds[type.kind].facts.get(name)
        return fact is not None and isinstance(fact.type, AThing)

    def _speaker(self, cell: Cell, scope: Scope) -> Term:
        for layer in scope.layers:
            if len(layer.speakers) > 1:
                raise Faulty.one(
                    "ambiguous-name",
                    f"it is not said who does this: {' or '.join(layer.speakers)}",
                    cell.place,
                    help=f"add `for: {layer.speakers[0]}`",
                )
            if layer.speakers:
                return subject(layer.speakers[0], layer.names[layer.speakers[0]])
        raise Faulty.one("unknown-name", "nobody is looked at here", cell.place, help="add `each:` or `for:`")


def _another_type(fact: m.Fact, what: str) -> str:
    match fact.type:
        case Number():
            return f"`{fact.name}` is a number, {fact.type}, not {what}"
        case Word(words):
            return f"`{fact.name}` goes by words, {', '.join(words)}"
    return f"`{fact.name}` is {fact.type}, not {what}"


def _change_of(fact: m.Fact, cell: Cell) -> str:
    """How a fact of its type is changed, as the effect would have it."""
    match fact.type:
        case Flag():
            return f"write `gain {fact.name}` or `lose {fact.name}`"
        case Number():
            change = f"take 1 from {fact.name}" if isinstance(cell.node, s.Lose) else f"add 1 to {fact.name}"
            return f"write `{change}`, or `set {fact.name} to 1`"
        case Word(words) if len(words) > 1 and isinstance(cell.node, s.Add | s.Take):
            ladder = words if isinstance(cell.node, s.Take) else words[::-1]
            rows = [
                f"`{{{fact.name}: {before}, do: set {fact.name} to {after}}}`" for after, before in pairwise(ladder)
            ]
            order = ", in this order, so that nobody takes two" if len(rows) > 1 else ""
            return f"write a row for each step{order}: {', then '.join(rows)}"
        case Word(words) if words:
            return f"write `set {fact.name} to {words[0]}`"
        case Things(_, each):
            return f"write `put {each} into {fact.name}` or `remove {each} from {fact.name}`"
    return f"write `set {fact.name} to ..`"


def _place(word: Term, rank: Rank, counted: Counted, world: World, env: Env) -> Value:
    """The place of somebody's word in its list; that of nobody is a fault."""
    return somebodys(world.shop, world.shop.lift(rank, word.run(world, env)), counted)


def _can_hold(wanted: Type, given: Type) -> bool:
    match wanted, given:
        case (Number(), Number() | Roll(worded=False)) | (Flag(), Flag()):
            return True
        case Word(words), Word(others):
            return set(others) <= set(words)
        case AThing(kind), AThing(other):
            return kind == other
        case (AThing(nobody=True) | ACounter(nobody=True) | Number(nobody=True) | Word(), Nobody()):
            return True
        case ACounter(), ACounter():
            return True
    return False
