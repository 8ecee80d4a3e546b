"""What a sentence reads of whom, as far as that shows without a situation: of the one who is asked, or of another.

The one who is asked, those he stands under, and those who stand under him are of one *party*: a unit, its side, the
other units of that side. What is chosen or noted of somebody may be anybody: it is taken to be of his party where the
ruleset, when nobody answers, takes it from there. Whoever the fight names (`attacker`) is of the party only if the row
is for him by this very name. Where nothing shows it is the party's own: nobody is blamed on suspicion.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

from closecombat.binding.bound import BoundAct, BoundDeclare, BoundRoll, BoundSequence, BoundTable, settled
from closecombat.binding.charts import Bound
from closecombat.binding.names import COLUMN_OF, Item, Scope
from closecombat.binding.sentences import FACE, bare_name
from closecombat.binding.terms import SetTerm, subject
from closecombat.reading import model as m
from closecombat.reading import syntax as s
from closecombat.reading.syntax import Cell
from closecombat.reading.types import AThing, Flag, Things, Type, Word
from closecombat.text.faults import Faulty
from closecombat.text.slotted import dataclass
from closecombat.text.source import Span

FactKey: TypeAlias = tuple[str, str]  # a kind and the name of one of its facts


@dataclass(frozen=True, slots=True)
class Read:
    """A fact that is read, and whether of the party itself; `is_there` where it is only asked whether it is nobody."""

    fact: FactKey
    mine: bool
    place: Span
    is_there: bool = False


@dataclass(frozen=True, slots=True)
class Party:
    """The names that mean somebody of it where a sentence stands, and the facts of the fight that do."""

    names: frozenset[str] = frozenset()
    facts: frozenset[str] = frozenset()

    def inside(self, name: str, mine: bool) -> Party:
        return Party(self.names | {name} if mine else self.names - {name}, self.facts)

    def only(self, names: Sequence[str]) -> Party:
        return Party(frozenset(names), self.facts)


@dataclass(frozen=True, slots=True)
class Whose:
    """What is spoken of: its type, if it is known, and whether it is of the party."""

    type: Type | None
    mine: bool = True


@dataclass(frozen=True, slots=True)
class Chart:
    """A table or grid that is read, and who of those whom it is about is of the party. It is looked into when the
    sentence is through, so that a long chain of tables goes no deeper than a single one."""

    name: str
    party: Party


Reads: TypeAlias = Generator[Read | Chart, None, None]
Found: TypeAlias = Generator[Read | Chart, None, Whose]
NOTHING = Whose(None)


class Readings:
    """Tells what the sentences of one ruleset read. All of it must be bound already, and without a fault."""

    def __init__(self, bound: Bound) -> None:
        self.bound, self.binder, self.names, self.ruleset = bound, bound.binder, bound.binder.names, bound.ruleset
        self._charts: dict[Chart, tuple[Read | Chart, ...]] = {}
        self._groups: dict[tuple[str, Party], tuple[tuple[Read | Chart, ...], bool]] = {}
        self._usual: dict[FactKey, bool] = {}  # whether what is chosen or noted there is of the party

    # ---- rows --------------------------------------------------------------------------------------------
    def party(self, act: BoundAct, sequence: m.Sequence) -> Party:
        """Who is of the party of the one who is asked at a row of a sequence."""
        callers = self.names.subjects(sequence.about, sequence.where)
        verb = act.act.verb
        if not isinstance(verb, m.Asking):
            return Party()
        asked, cell = self._asked(verb, act.scope), act.act.each or act.act.who
        kind = act.scope.find(asked)
        looked_at = set(act.scope.looked_at) if cell is not None else set[str]()
        calling = {name: type for layer in callers.layers for name, type in layer.names.items()}
        if cell is None:
            names = {name for name, type in calling.items() if name == asked or type != kind}
        elif asked in looked_at:
            aside = self._taken_from(cell, callers, Party())
            names = looked_at | {
                name
                for name, type in calling.items()
                if self._taken_from(cell, callers, Party(frozenset([name]))) or (not aside and type != kind)
            }
        else:
            names = {name for name, type in calling.items() if name == asked or type != kind}
            names |= looked_at if self._taken_from(cell, callers, Party(frozenset(names))) else set()
        party = Party(frozenset(names), self._facts_of_the_fight(cell, callers))
        everybody = frozenset({*calling, *looked_at})
        if verb.by is not None:
            return self._judged_by(verb.by, verb.by.node, act.scope, party, everybody)
        owner = _owner(verb)
        return party if owner is None else self._judged_by(verb.fact, owner, act.scope, party, everybody)

    def _judged_by(self, cell: Cell, who: s.Node, scope: Scope, party: Party, everybody: frozenset[str]) -> Party:
        """The same party, or the other one, as he belongs to it who is named as the one that answers."""
        judge = self._facts_of_the_fight(cell, scope, who)
        if judge and (judge == party.facts or not party.facts):
            return Party(party.names, judge)
        if judge or not self._whose(cell, who, scope, party).mine:
            return Party(everybody - party.names, judge)
        return party

    def _facts_of_the_fight(self, cell: Cell | None, scope: Scope, who: s.Node | None = None) -> frozenset[str]:
        """The fact of the fight from which those are taken whom a row looks at: of `units of attacker`, attacker."""
        node = who if who is not None or cell is None else cell.node
        if cell is None or not isinstance(node, s.Members | s.Reading):
            return frozenset()
        party = Party(facts=frozenset([node.path.names[-1]]))
        known = scope.find(node.path.names[-1]) is not None or not self._whose(cell, node, scope, party).mine
        return frozenset() if known or self._whose(cell, node, scope, Party()).mine else party.facts

    def _taken_from(self, cell: Cell, scope: Scope, party: Party) -> bool:
        """Whether those whom a sentence speaks of are of the party."""
        return self._whose(cell, cell.node, scope, party).mine

    def _whose(self, cell: Cell, node: s.Node, scope: Scope, party: Party) -> Whose:
        """What a sentence speaks of; what it reads on the way is left aside."""
        reading = self._in(cell, node, scope, party)
        while True:
            try:
                next(reading)
            except StopIteration as end:
                return end.value if isinstance(end.value, Whose) else NOTHING

    def _asked(self, verb: m.Asking, scope: Scope) -> str:
        """The name of the one whose fact is settled, or by whom he is found."""
        node = verb.fact.node
        if not isinstance(node, s.Reading):
            return ""
        if len(node.path.names) > 1:
            head = node.path.names[-1]
            return head if scope.find(head) is not None else self.names.answers(verb.fact, node, head, scope)
        having = (
            speaker
            for layer in scope.layers
            for speaker in layer.speakers
            if isinstance(type := layer.names[speaker], AThing)
            and node.path.names[0] in self.ruleset.kinds[type.kind].facts
        )
        return next(having, "")

    def tests(self, act: BoundAct, party: Party) -> Iterator[Read]:
        """What decides whether a row is done, for whom, how often and in what order."""
        return self._through(self._tests(act, party))

    def _tests(self, act: BoundAct, party: Party) -> Reads:
        for cell in (act.act.each, act.act.who, act.act.times, *act.act.order):
            yield from self._cell(cell, act.scope, party)
        for heading, cell in act.act.tests:
            yield from self._test(heading, cell, act.scope, party)

    def asking(self, act: BoundAct, party: Party) -> Iterator[tuple[str, Read]]:
        """What a choice or declaration rests on, by the key that it stands under."""
        verb = act.act.verb
        if not isinstance(verb, m.Asking):
            return
        if verb.legal is not None:
            legal = Chart(verb.legal.name, party.only(self.ruleset.tables[verb.legal.name].about))
            yield from (("legal", read) for read in self._through([legal]))
        if isinstance(verb, m.Declare):
            cells = [("otherwise", cell) for facts in (verb.otherwise or {}).values() for cell in facts.values()]
        else:
            said = (("among", verb.among), ("otherwise", verb.otherwise))
            cells = [(key, cell) for key, cell in said if cell is not None]
        for key, cell in cells:
            yield from ((key, read) for read in self._through(self._cell(cell, act.scope, party)))

    def done(self, act: BoundAct) -> Iterator[Read]:
        """What a row reads, beyond its tests, in doing what it does."""
        return self._through(self._done(act))

    def _done(self, act: BoundAct) -> Reads:
        verb = act.act.verb
        cells: list[Cell | None] = [*act.act.effects]
        match verb:
            case m.Roll(fact):
                cells.append(fact)
                if isinstance(act.verb, BoundRoll):
                    yield from self._dice(act.verb.dice.name)
            case m.Deal(fact, number):
                cells += [fact, number]
            case m.SingleOut(_, among):
                cells.append(among)
            case m.Create(_, into):
                cells.append(into)
        for cell in cells:
            yield from self._cell(cell, act.scope, Party())

    def until(self, sequence: BoundSequence) -> Iterator[Read]:
        """What decides whether a sequence is over."""
        of = sequence.sequence
        return self._through(self._cell(of.until, self.names.subjects(of.about, of.where), Party()))

    def _dice(self, dice: str) -> Reads:
        """What decides which dice are thrown, and how many."""
        for item, place in self.bound.uses.found.get(Item("dice", dice), {}).items():
            if item.sort == "fact":
                kind, _, fact = item.name.partition(".")
                if self.ruleset.kinds[kind].facts[fact].origin != "noted":  # which follows from what all have seen
                    yield Read((kind, fact), False, place)
            elif item.sort == "chart":
                yield Chart(item.name, Party())

    # ---- charts and groups -------------------------------------------------------------------------------
    def _through(self, reads: Iterable[Read | Chart]) -> Iterator[Read]:
        """The facts that are read, in the end, and each chart on the way looked into once."""
        left, seen = list(reads), set[Chart]()
        while left:
            one = left.pop()
            if isinstance(one, Read):
                yield one
            elif one not in seen:
                seen.add(one)
                left += self._inside(one)

    def _inside(self, chart: Chart) -> tuple[Read | Chart, ...]:
        if chart not in self._charts:
            if chart.name in self.ruleset.tables:
                read = self._table(self.bound.table(chart.name), chart.party)
            else:
                read = self._grid(chart.name, chart.party)
            self._charts[chart] = tuple(dict.fromkeys(read))
        return self._charts[chart]

    def _table(self, bound: BoundTable, party: Party) -> Reads:
        table = bound.table
        for cell in (table.value, table.otherwise, table.start, table.at_least, table.at_most):
            yield from self._cell(cell, bound.scope, party)
        for row in bound.rows:
            mine = party
            if row.row.each is not None and row.each is not None:
                members = yield from self._in(row.row.each, row.row.each.node, bound.scope, party)
                mine = party.inside(row.each.each, members.mine)
            for heading, cell in row.row.tests:
                yield from self._test(heading, cell, row.scope, mine)
            yield from self._cell(row.row.verdict, row.scope, mine)

    def _grid(self, name: str, party: Party) -> Reads:
        grid = self.ruleset.grids[name]
        scope = self.names.subjects(grid.about, grid.where)
        for cell in (grid.across, grid.down, grid.shift, grid.otherwise):
            yield from self._cell(cell, scope, party)
        for note in grid.footnotes:
            yield Chart(note.table, party)

    def _group(self, name: str, party: Party) -> Found:
        """Its members are of the party if those are from whom they are taken."""
        if (name, party) not in self._groups:
            group = self.ruleset.groups[name]
            self._groups[name, party] = ((), True)
            scope = self.names.subjects(group.about, group.where)
            found = tuple(dict.fromkeys(self._cell(group.members, scope, party)))
            self._groups[name, party] = (found, self._taken_from(group.members, scope, party))
        reads, mine = self._groups[name, party]
        yield from reads
        return Whose(AThing(self.names.group_kind(name)), mine)

    # ---- sentences ---------------------------------------------------------------------------------------
    def _cell(self, cell: Cell | None, scope: Scope, party: Party) -> Reads:
        if cell is not None:
            yield from self._in(cell, cell.node, scope, party)

    def _test(self, heading: Cell | None, cell: Cell, scope: Scope, party: Party) -> Reads:
        if heading is None or not isinstance(cell.node, s.Test):
            yield from self._in(cell, cell.node, scope, party)
        else:
            yield from self._claim(heading, heading.node, cell, cell.node, scope, party)

    def _in(self, cell: Cell, node: s.Part, scope: Scope, party: Party) -> Found:
        """Everything that a part of a sentence reads; gives what it speaks of."""
        match node:
            case s.Reading(path, other):
                return (yield from self._path(cell, node, path.names, other, scope, party))
            case s.Members():
                _, whose = yield from self._set(cell, node, scope, party)
                return whose
            case s.Total(name, members) | s.Extreme(name=name, members=members):
                each, whose = yield from self._set(cell, members, scope, party)
                if isinstance(whose.type, AThing):
                    yield from self._attribute(cell, node, name, whose, None, scope.inside({each: whose.type}), party)
                return whose if isinstance(node, s.Extreme) and node.who else NOTHING
            case s.Claim(said, test):
                yield from self._claim(cell, said, cell, test, scope, party)
            case s.Path():
                pass  # what an effect changes
            case _:
                for part in s.parts_of(node):
                    yield from self._in(cell, part, scope, party)
        return NOTHING

    def _claim(self, cell: Cell, said: s.Node, of: Cell, test: s.Test, scope: Scope, party: Party) -> Reads:
        if isinstance(said, s.Quantified):
            each, whose = yield from self._set(cell, said.members, scope, party)
            if whose.type is not None:
                scope, party = scope.inside({each: whose.type}, ()), party.inside(each, whose.mine)
        else:
            read = self._in(cell, said, scope, party)
            whose = yield from (_whether_there(read) if all(_is_nobody(one) for one in test.values) else read)
        yield from self._after_is(of, test, whose, scope, party)

    def _after_is(self, cell: Cell, test: s.Test, whose: Whose, scope: Scope, party: Party) -> Reads:
        """A bare name is first what the one before `is` can be."""
        for node in test.values:
            name = bare_name(node)
            if isinstance(node, s.Test):
                yield from self._after_is(cell, node, whose, scope, party)
            elif name and isinstance(whose.type, Word) and name in whose.type.words:
                continue
            elif name and self._is_said(cell, node, name, whose, scope):
                yield from self._attribute(cell, node, name, whose, None, scope, party)
            else:
                yield from self._in(cell, node, scope, party)

    def _is_said(self, cell: Cell, node: s.Node, name: str, whose: Whose, scope: Scope) -> bool:
        if not isinstance(whose.type, AThing):
            return False
        with self.names.uses.unnoted():
            found = self.names.attribute(cell, node, subject("", whose.type), name, None, scope)
        return found is not None and isinstance(found.type, Flag)

    # ---- names -------------------------------------------------------------------------------------------
    def _path(
        self, cell: Cell, node: s.Part, names: tuple[str, ...], other: s.Path | None, scope: Scope, party: Party
    ) -> Found:
        """What is read on the way from whoever is named last to what is named first."""
        second = None if other is None else (yield from self._path(cell, node, other.names, None, scope, party))
        if names[0] == "column" and len(names) > 1:
            names = names[1:]
        *rest, head = names
        type = scope.find(head)
        if type is not None:
            whose = Whose(type, head in party.names)
        elif (speaker := self.names.answers(cell, node, head, scope)) and (spoken := scope.find(speaker)):
            whose, rest = Whose(spoken, speaker in party.names), [*names]
        elif kind := next((kind for kind in self.names.only if head in (kind.name, *kind.facts)), None):
            whose, rest = Whose(AThing(kind.name), False), [*names] if head != kind.name else rest
        elif (chart := self.names.chart(head)) is not None and not chart.about:
            yield Chart(head, Party(facts=party.facts))
            whose = NOTHING
        else:
            return NOTHING  # a word, an option, or what goes on about the one before
        for name in reversed(rest):
            whose = yield from self._attribute(cell, node, name, whose, second, scope, party)
        return whose

    def _attribute(
        self, cell: Cell, node: s.Part, name: str, whose: Whose, second: Whose | None, scope: Scope, party: Party
    ) -> Found:
        """A fact, a table, a group or a word of somebody."""
        about = chart.about if (chart := self.names.chart(name.removeprefix(COLUMN_OF))) is not None else ()
        if not isinstance(whose.type, AThing):
            if isinstance(whose.type, Word) and about:
                yield Chart(name, party.only(()))
            return NOTHING
        kind = self.ruleset.kinds[whose.type.kind]
        fact = kind.facts.get(name)
        if fact is not None:
            yield Read((kind.name, name), whose.mine, cell.span(node))
            if not isinstance(fact.type, AThing):
                return Whose(fact.type, whose.mine)
            return Whose(fact.type, name in party.facts if kind.one else self._handed_on(fact, whose.mine))
        if about and chart is not None:
            yield Chart(chart.name, party.only(self._subjects(chart, whose, second, scope, party)))
            return Whose(self.bound.table_type(chart.name), whose.mine)
        for group in self.ruleset.groups.values():
            if name == group.each:
                yield from self._group(group.name, party.only(group.about if whose.mine else ()))
                return NOTHING
        for each in kind.facts.values():
            if isinstance(each.type, Word) and name in each.type.words:
                yield Read((kind.name, each.name), whose.mine, cell.span(node))
        return NOTHING

    def _subjects(
        self, chart: m.Table | m.Grid, whose: Whose, second: Whose | None, scope: Scope, party: Party
    ) -> list[str]:
        """Which of those whom a chart is about are of the party."""
        if len(chart.about) == 1 or second is not None:
            return [
                name for name, one in zip(chart.about, (whose, second), strict=False) if one is not None and one.mine
            ]
        return [name for name in chart.about if (name in party.names if scope.find(name) is not None else whose.mine)]

    def _set(
        self, cell: Cell, node: s.Members, scope: Scope, party: Party
    ) -> Generator[Read | Chart, None, tuple[str, Whose]]:
        """The name of a member, and whose the members are."""
        base = self._base(cell, node, scope)
        if base is None:  # a roll, a hand, or, in the place of a set, a single value
            names = node.path.names[1:] if node.path.names[0] == FACE else node.path.names
            return "", (yield from self._path(cell, node, names, None, scope, party))
        name, *owners = node.path.names
        plain = name.removesuffix("-at-start")
        if owners:
            owner = yield from self._path(cell, node, tuple(owners), None, scope, party)
            mine = yield from self._set_of(cell, node, plain, owner, party)
        else:
            speakers = [(layer.names[one], one in party.names) for layer in scope.layers for one in layer.speakers]
            speakers += [(AThing(kind.name), False) for kind in self.names.only]
            mine = None
            for type, is_mine in speakers:
                if mine is None:
                    mine = yield from self._set_of(cell, node, plain, Whose(type, is_mine), party)
            free = (
                g for g in self.ruleset.groups.values() if mine is None and plain in (g.name, g.each) and not g.about
            )
            for group in free:
                mine = (yield from self._group(group.name, Party(facts=party.facts))).mine
        whose = Whose(base.type, bool(mine))
        if node.where is not None:
            inner = scope.inside({base.each: base.type})
            yield from self._in(cell, node.where, inner, party.inside(base.each, whose.mine))
            if self._says_mine(cell, node.where, base.each, inner, party):
                whose = Whose(base.type)
        return base.each, whose

    def _base(self, cell: Cell, node: s.Members, scope: Scope) -> SetTerm | None:
        with self.names.uses.unnoted():
            try:
                return self.binder.members(cell, s.Members(node.path, None, node.at, node.other), scope)
            except Faulty:
                return None

    def _set_of(
        self, cell: Cell, node: s.Part, name: str, owner: Whose, party: Party
    ) -> Generator[Read | Chart, None, bool | None]:
        """Whether the members of a set of somebody are of the party; None if he has none of that name."""
        if not isinstance(owner.type, AThing):
            return None
        for fact in self.ruleset.kinds[owner.type.kind].facts.values():
            if isinstance(fact.type, Things) and name in (fact.name, fact.type.each):
                yield Read((fact.kind, fact.name), owner.mine, cell.span(node))
                return self._handed_on(fact, owner.mine)
        for group in self.ruleset.groups.values():
            if name in (group.name, group.each) and len(group.about) == 1:
                about = self.names.subject_type(group.about[0], group.where)
                if isinstance(about, AThing) and about.kind == owner.type.kind:
                    return (yield from self._group(group.name, party.only(group.about if owner.mine else ()))).mine
        return None

    def _says_mine(self, cell: Cell, node: s.Part, each: str, scope: Scope, party: Party) -> bool:
        """`units where (side is side of target)`: a part of a sentence that says of the members whose they are."""
        match node:
            case s.Both(parts):
                return any(self._says_mine(cell, part, each, scope, party) for part in parts)
            case s.Bracketed(value):
                return self._says_mine(cell, value, each, scope, party)
            case s.Claim(said, s.Test("equal", (value,), False)):
                his = self._whose(cell, said, scope, Party(frozenset([each])))
                is_ = self._whose(cell, value, scope, party.inside(each, False))
                return isinstance(his.type, AThing) and his.mine and isinstance(is_.type, AThing) and is_.mine
        return False

    def _handed_on(self, fact: m.Fact, mine: bool) -> bool:
        """Whether who stands in a fact of somebody, or in a set of his, is of the party."""
        if isinstance(fact.type, AThing) and fact.type.other:
            return not mine
        if fact.origin not in ("chosen", "noted"):
            return mine
        return mine and self._usually(fact)

    def _usually(self, fact: m.Fact) -> bool:
        """Whether the ruleset itself, where nobody answers, takes what is chosen there from the party alone."""
        key = (fact.kind, fact.name)
        if key not in self._usual:
            self._usual[key] = False
            found = [
                self._taken_from(cell, act.scope, self.party(act, sequence))
                for sequence in self.ruleset.sequences.values()
                for act in self.bound.sequence(sequence.name).acts
                for cell in _defaults(act, fact)
            ]
            self._usual[key] = bool(found) and all(found)
        return self._usual[key]


def _is_nobody(node: s.Part) -> bool:
    return isinstance(node, s.Literal) and node.value is None


def _whether_there(found: Found) -> Found:
    """The same, of what is only asked whether it is nobody."""
    whose = NOTHING

    def read() -> Reads:
        nonlocal whose
        whose = yield from found

    for one in read():
        yield replace(one, is_there=True) if isinstance(one, Read) else one
    return whose


def _owner(verb: m.Asking) -> s.Node | None:
    """Whose fact is settled, where it is said: of `order of enemy`, enemy."""
    node = verb.fact.node
    if not isinstance(node, s.Reading) or len(node.path.names) == 1:
        return None
    return s.Reading(s.Path(node.path.names[1:], node.path.at), None, node.path.at)


def _defaults(act: BoundAct, fact: m.Fact) -> Iterator[Cell]:
    """Where a row takes what it puts into a fact from, when nobody says anything."""
    verb, bound = act.act.verb, act.verb
    cells: list[Cell | None] = []
    if isinstance(verb, m.Declare) and isinstance(bound, BoundDeclare) and bound.kind.name == fact.kind:
        cells = [facts.get(fact.name) for facts in (verb.otherwise or {}).values()]
    elif isinstance(verb, m.Choose | m.SingleOut) and settled(bound) == fact:
        cells = [verb.among]
    return (cell for cell in cells if cell is not None and not isinstance(cell.node, s.Literal))
