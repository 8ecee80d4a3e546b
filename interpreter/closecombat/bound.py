"""A ruleset whose names are looked up: tables, grids and sequences ready to be read.

Charts are bound when they are first needed, so that one close combat does not pay for a whole rulebook;
`bind_all` binds everything and collects every fault, for `check`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from closecombat import model as m
from closecombat import syntax as s
from closecombat.binder import Binder
from closecombat.diagnostics import Faults, Faulty, suggest
from closecombat.names import Scope
from closecombat.syntax import Cell
from closecombat.terms import SetTerm, Term
from closecombat.values import ACounter, AThing, Flag, Number, Roll, Things, Type, Word


@dataclass(frozen=True, slots=True)
class BoundRow:
    row: m.Row
    each: SetTerm | None
    tests: tuple[Term, ...]
    verdict: Term | None


@dataclass(frozen=True, slots=True)
class BoundTable:
    table: m.Table
    rows: tuple[BoundRow, ...]
    blockers: Mapping[str, tuple[str, ...]]       # row -> the rows that count instead of it
    value: Term | None
    otherwise: Term | None
    start: Term | None
    at_least: Term | None
    at_most: Term | None
    type: Type


@dataclass(frozen=True, slots=True)
class BoundGrid:
    grid: m.Grid
    across: tuple[Term, ...]          # one value, or the two sides of a ratio
    down: Term | None
    shift: Term | None
    type: Type


@dataclass(frozen=True, slots=True)
class BoundDice:
    """The sentences of one part of a roll."""

    number: Term | None
    again: Term | None
    explode: Term | None


@dataclass(frozen=True, slots=True)
class BoundEffect:
    """`owner` is whose fact is changed; `fact` its name; `value` what to set, add or put."""

    verb: str
    owner: Term | None
    fact: m.Fact | None
    value: Term | None
    word: str
    cell: Cell


@dataclass(frozen=True, slots=True)
class BoundAct:
    act: m.Act
    each: SetTerm | None
    who: tuple[Term, tuple[str, ...]] | None      # the one it is for, and the names he goes by here
    tests: tuple[Term, ...]
    fact: m.Fact | None                           # what is rolled, dealt, chosen, declared or singled out into
    owner: Term | None
    terms: Mapping[str, Any]
    effects: tuple[BoundEffect, ...]
    scope: Scope


@dataclass(frozen=True, slots=True)
class BoundSequence:
    sequence: m.Sequence
    acts: tuple[BoundAct, ...]
    until: Term | None


class Bound:
    """The looked-up charts of one ruleset."""

    def __init__(self, ruleset: m.Ruleset) -> None:
        self.ruleset = ruleset
        self.binder = Binder(ruleset, self.table_type)
        self._tables: dict[str, BoundTable] = {}
        self._grids: dict[str, BoundGrid] = {}
        self._sequences: dict[str, BoundSequence] = {}
        self._groups: dict[str, SetTerm] = {}
        self._dice: dict[tuple[str, str], tuple[BoundDice, ...]] = {}
        self._types: dict[str, Type | None] = {}

    # ---- tables ------------------------------------------------------------------------------------------
    def table_type(self, name: str) -> Type:
        if name in self._types:
            found = self._types[name]
            if found is None:
                where = (self.ruleset.tables.get(name) or self.ruleset.grids[name]).where
                raise Faulty.one("circular", f"`{name}` is worked out from itself", where.place)
            return found
        self._types[name] = None
        try:
            self._types[name] = found = self._find_type(name)
        except Faulty:
            del self._types[name]
            raise
        return found

    def _find_type(self, name: str) -> Type:
        if name in self.ruleset.grids:
            return self.grid(name).type
        table = self.ruleset.tables[name]
        if table.words:
            return Word(table.words)
        if table.policy == "adds-up":
            return Number()
        if table.policy == "forbidden-if":
            return Flag()
        return self.table(name).type

    def table(self, name: str) -> BoundTable:
        if name not in self._tables:
            self._tables[name] = self._bind_table(self.ruleset.tables[name])
        return self._tables[name]

    def _bind_table(self, table: m.Table) -> BoundTable:
        binder = self.binder
        scope = binder.names.subjects(table.about, table.where)
        expect: Type | None = Word(table.words) if table.words else None
        value = binder.value(table.value, table.value.node, scope, expect) if table.value is not None else None
        rows: list[BoundRow] = []
        for row in table.rows:
            rows.append(self._bind_row(row, scope, expect))
            if expect is None and rows[-1].verdict is not None and table.policy not in ("adds-up", "forbidden-if"):
                expect = _general(rows[-1].verdict.type)
        otherwise = self._optional(table.otherwise, scope, expect)
        verdicts = [(r.row.verdict, r.verdict) for r in rows] + [(table.otherwise, otherwise), (table.value, value)]
        type = self._verdict_type(table, [(c, v) for c, v in verdicts if c is not None and v is not None])
        blockers: dict[str, tuple[str, ...]] = {}
        for row in table.rows:
            for other in row.instead_of:
                blockers[other] = (*blockers.get(other, ()), row.id)
        return BoundTable(table, tuple(rows), blockers, value, otherwise, self._number(table.start, scope),
                          self._number(table.at_least, scope), self._number(table.at_most, scope), type)

    def _bind_row(self, row: m.Row, scope: Scope, expect: Type | None) -> BoundRow:
        each = None
        if row.each is not None:
            each = self.binder.members(row.each, row.each.node, scope)
            scope = scope.inside({each.each: each.type})
        verdict = self._optional(row.verdict, scope, expect)
        if row.verb in ("add", "times") and verdict is not None:
            self._must_be_number(row.verdict, verdict)
        return BoundRow(row, each, self._tests(row.columns, row.when, scope), verdict)

    def _tests(self, columns: tuple[tuple[Cell, Cell], ...], when: Cell | None, scope: Scope) -> tuple[Term, ...]:
        tests = [self.binder.column(heading, test, scope) for heading, test in columns]
        if when is not None:
            tests.append(self.binder.condition(when, scope))
        return tuple(tests)

    def _optional(self, cell: Cell | None, scope: Scope, expect: Type | None = None) -> Term | None:
        return None if cell is None else self.binder.value(cell, cell.node, scope, expect)

    def _number(self, cell: Cell | None, scope: Scope) -> Term | None:
        term = self._optional(cell, scope)
        if term is not None:
            self._must_be_number(cell, term)
        return term

    def _must_be_number(self, cell: Cell | None, term: Term) -> None:
        if cell is not None and not isinstance(term.type, Number | Roll):
            raise Faulty.one("wrong-type", f"this is {term.type}, not a number", cell.place)

    def _verdict_type(self, table: m.Table, verdicts: list[tuple[Cell, Term]]) -> Type:
        if table.policy == "adds-up":
            return Number()
        if table.policy == "forbidden-if":
            return Flag()
        if table.words:
            wanted: Type = Word(table.words)
            for cell, term in verdicts:
                if not (isinstance(term.type, Word) and set(term.type.words) <= set(table.words)):
                    raise Faulty.one("unknown-word", f"`{cell.text}` is not one of the words of `{table.name}`", cell.place,
                                     help=suggest(cell.text, table.words))
            return wanted
        types = [_general(term.type) for _, term in verdicts]
        somebody = [ty for ty in types if not type_is_nobody(ty)]
        for (cell, _), ty in zip(verdicts, types, strict=True):
            if somebody and not type_is_nobody(ty) and ty != somebody[0]:
                raise Faulty.one("wrong-type", f"this is {ty}, the rows above are {somebody[0]}", cell.place)
        if table.policy in ("highest-of", "lowest-of") and somebody and not isinstance(somebody[0], Number | Word):
            raise Faulty.one("wrong-type", f"`{table.name}` compares numbers or words", table.where.place,
                             help="list its `words:`, lowest first")
        if not types:
            raise Faulty.one("missing-key", f"`{table.name}` has no rows", table.where.place)
        return somebody[0] if somebody else types[0]

    # ---- grids -------------------------------------------------------------------------------------------
    def grid(self, name: str) -> BoundGrid:
        if name not in self._grids:
            self._grids[name] = self._bind_grid(self.ruleset.grids[name])
        return self._grids[name]

    def _bind_grid(self, grid: m.Grid) -> BoundGrid:
        scope = self.binder.names.subjects(grid.about, grid.where)
        cell = grid.across
        if isinstance(cell.node, s.Ratio):
            across = tuple(self.binder.value(cell, side, scope) for side in (cell.node.left, cell.node.right))
            for term in across:
                self._must_be_number(cell, term)
        else:
            across = (self.binder.value(cell, cell.node, scope),)
            self._headings(cell, across[0], grid.columns)
        down = self._optional(grid.down, scope)
        if grid.down is not None and down is not None:
            self._headings(grid.down, down, grid.lines)
        values = [v for line in grid.cells for v in line if v is not None]
        words = grid.words or tuple(dict.fromkeys(v for v in values if isinstance(v, str)))
        kinds = {bool if isinstance(v, bool) else str if isinstance(v, str) else int for v in values}
        if len(kinds) > 1 or grid.words and not all(v in grid.words for v in values):
            raise Faulty.one("wrong-type", f"the cells of `{grid.name}` are of different types", grid.where.place)
        type: Type = Word(words) if kinds == {str} else Flag() if kinds == {bool} else Number()
        return BoundGrid(grid, across, down, self._number(grid.shift, scope), type)

    def _headings(self, cell: Cell, term: Term, headings: Iterable[m.Heading]) -> None:
        for heading in headings:
            if heading.word:
                if not isinstance(term.type, Word):
                    raise Faulty.one("wrong-type", f"`{heading.text}` is a word, but this is {term.type}", cell.place)
                if heading.text not in term.type.words:
                    raise Faulty.one("unknown-word", f"`{heading.text}` is never what `{cell.text}` is", cell.place,
                                     help=suggest(heading.text, term.type.words))
            elif not isinstance(term.type, Number | Roll):
                raise Faulty.one("wrong-type", f"`{heading.text}` is a number, but this is {term.type}", cell.place)

    # ---- groups ------------------------------------------------------------------------------------------
    def group(self, name: str) -> SetTerm:
        if name not in self._groups:
            group = self.ruleset.groups[name]
            scope = self.binder.names.subjects(group.about, group.where)
            self._groups[name] = self.binder.members(group.members, group.members.node, scope)
        return self._groups[name]

    # ---- dice --------------------------------------------------------------------------------------------
    def dice(self, name: str, kind: str) -> tuple[BoundDice, ...]:
        """The parts of some dice, as thrown by a thing of a kind."""
        if (name, kind) not in self._dice:
            out = []
            for one in self.ruleset.dice[name].parts:
                scope = Scope().inside({kind: AThing(kind)})
                if one.each:
                    scope = scope.inside({one.each: Word(self.ruleset.words[one.each])})
                numeric = all(isinstance(f, int) for fs in one.faces.values() for f in fs)
                words = tuple(dict.fromkeys(str(f) for fs in one.faces.values() for f in fs))
                face = scope.inside({"face": Number() if numeric else Word(words)})
                number = None if isinstance(one.number, int) else self._number(one.number, scope)
                again, explode = (None if cell is None else self.binder.condition(cell, face)
                                  for cell in (one.again_if, one.explode_if))
                out.append(BoundDice(number, again, explode))
            self._dice[name, kind] = tuple(out)
        return self._dice[name, kind]

    # ---- sequences ---------------------------------------------------------------------------------------
    def sequence(self, name: str) -> BoundSequence:
        if name not in self._sequences:
            sequence = self.ruleset.sequences[name]
            scope = self.binder.names.subjects(sequence.about, sequence.where)
            acts = tuple(self._bind_act(act, scope) for act in sequence.acts)
            until = self.binder.condition(sequence.until, scope) if sequence.until is not None else None
            self._sequences[name] = BoundSequence(sequence, acts, until)
        return self._sequences[name]

    def _bind_act(self, act: m.Act, scope: Scope) -> BoundAct:
        each, who = None, None
        if act.each is not None:
            each = self.binder.members(act.each, act.each.node, scope)
            scope = scope.inside({each.each: each.type} | self._kind_name(each.type, scope), (each.each,))
        if act.who is not None:
            term = self.binder.value(act.who, act.who.node, scope)
            if not isinstance(term.type, AThing):
                raise Faulty.one("wrong-type", f"this is {term.type}, not somebody", act.who.place)
            names = self._kind_name(term.type, scope)
            node = act.who.node
            own = node.path.names[0] if isinstance(node, s.Reading) and scope.find(node.path.names[0]) is None else ""
            called = (own or next(iter(names), term.type.kind), *names)
            who = (term, called)
            scope = scope.inside({name: term.type for name in called}, called[:1])
        tests = self._tests(act.columns, act.when, scope)
        fact, owner, terms, inner = self._object(act, scope)
        effects = tuple(self._effect(cell, inner) for cell in act.effects)
        return BoundAct(act, each, who, tests, fact, owner, terms, effects, inner)

    def _kind_name(self, type: Type, scope: Scope) -> dict[str, Type]:
        """The kind's own name, unless it means somebody else already."""
        kind = type.kind if isinstance(type, AThing) else ""
        return {} if scope.find(kind) is not None else {kind: type}

    def _object(self, act: m.Act, scope: Scope) -> tuple[m.Fact | None, Term | None, dict[str, Any], Scope]:
        """What the verb works on, and its further cells, bound."""
        terms: dict[str, Any] = {}
        for key, cell in act.cells.items():
            if key in ("from", "among"):
                terms[key] = self.binder.members(cell, cell.node, scope)
            elif key in ("by", "into") and key == "by":
                terms[key] = self.binder.value(cell, cell.node, scope)
        if act.verb == "play":
            self._known(act, act.object, self.ruleset.sequences, "sequence")
            self._callable(act, str(act.object), scope)
            return None, None, terms, scope
        if act.verb == "shuffle":
            self._known(act, act.object, self.ruleset.decks, "deck")
            return None, None, terms, scope
        if act.verb == "create":
            self._known(act, act.object, self.ruleset.counters, "counter")
            kind = self.ruleset.counters[str(act.object)][0]
            terms["into"] = self._slot(act.cells["into"], scope)
            return None, None, terms, scope.inside({act.cells.get("as", "new-" + kind): AThing(kind)}, ())
        if act.verb == "do":
            return None, None, terms, scope
        assert isinstance(act.object, Cell)
        owner, fact = self._slot(act.object, scope)
        wanted = {"roll": ("rolled",), "deal": ("drawn",), "choose": ("chosen", "noted"),
                  "declare": ("given", "chosen", "noted"), "single-out": ("given", "chosen", "noted")}[act.verb]
        if fact.origin not in wanted or act.verb in ("declare", "single-out") and not isinstance(fact.type, Things):
            raise Faulty.one("wrong-type", f"`{fact.name}` is {fact.origin}: it cannot be what this row {act.verb}s",
                             act.object.place)
        if (legal := act.cells.get("legal")) is not None:
            self._known(act, legal, self.ruleset.tables, "table")
            terms["legal"] = legal
        if "otherwise" in act.cells:
            terms["otherwise"] = (self._declaration(act, fact, scope) if act.verb == "declare"
                                  else self.binder.value(act.cells["otherwise"], act.cells["otherwise"].node, scope,
                                                         fact.type))
        return fact, owner, terms, scope

    def _declaration(self, act: m.Act, fact: m.Fact, scope: Scope) -> dict[str, dict[str, Any]]:
        assert isinstance(fact.type, Things)
        kind = self.ruleset.kinds[self.binder.names.kind_named(fact.type.kind, fact)]
        out: dict[str, dict[str, Any]] = {}
        for id, facts in act.cells["otherwise"].items():
            out[id] = {}
            for name, cell in facts.items():
                declared = kind.facts.get(name)
                if declared is None:
                    raise Faulty.one("unknown-fact", f"{kind.name} has no fact `{name}`", cell.place,
                                     help=suggest(name, kind.facts))
                out[id][name] = (self.binder.members(cell, cell.node, scope) if isinstance(declared.type, Things)
                                 else self.binder.value(cell, cell.node, scope, declared.type))
        return out

    def _known(self, act: m.Act, name: Any, known: Mapping[str, Any], what: str) -> None:
        if name not in known:
            raise Faulty.one("unknown-name", f"no {what} is called `{name}`", act.where.place, help=suggest(str(name), known))

    def _callable(self, act: m.Act, name: str, scope: Scope) -> None:
        for wanted in self.ruleset.sequences[name].about:
            type = self.binder.names.subject_type(wanted, self.ruleset.sequences[name].where)
            if scope.find(wanted) is None and not any(ty == type for layer in scope.layers for ty in layer.names.values()):
                raise Faulty.one("unknown-name", f"`{name}` is about {wanted}, and nobody here is one", act.where.place,
                                 help=f"write `each:` or `for:` so that the row looks at {type}")

    def _slot(self, cell: Cell, scope: Scope) -> tuple[Term, m.Fact]:
        """Whose fact is meant: `stated-attack of unit`, or a bare fact of the innermost speaker that has it."""
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
                raise self.binder.names.unknown(cell, path, name, self.binder.names.attributes(owner.type))
            return owner, found
        for layer in scope.layers:
            for speaker in layer.speakers:
                found = self._fact_of(layer.names[speaker], name)
                if found is not None:
                    key = speaker
                    return Term(lambda world, env: env[key], layer.names[speaker]), found
        for kind in self.binder.names.only:
            if name in kind.facts:
                of = kind.name
                return Term(lambda world, env: world.only(of), AThing(of)), kind.facts[name]
        known = [n for layer in scope.layers for ty in layer.names.values() for n in self.binder.names.attributes(ty)]
        raise self.binder.names.unknown(cell, path, name, known)

    def _fact_of(self, type: Type, name: str) -> m.Fact | None:
        return self.ruleset.kinds[type.kind].facts.get(name) if isinstance(type, AThing) else None

    def _effect(self, cell: Cell, scope: Scope) -> BoundEffect:
        node = cell.node
        assert isinstance(node, s.Change)
        owner, fact = self._slot_at(cell, node.target, scope) if node.target is not None else (None, None)
        value: Term | None = None
        word = ""
        match node.verb:
            case "gain" | "lose" if fact is not None and not isinstance(fact.type, Flag):
                raise Faulty.one("wrong-type", f"`{fact.name}` is {fact.type}, not a flag", cell.span(node.target))
            case "set" | "add" | "take":
                assert fact is not None
                value = self.binder.value(cell, node.value, scope, fact.type)
                if node.verb != "set" and not isinstance(fact.type, Number):
                    raise Faulty.one("wrong-type", f"`{fact.name}` is {fact.type}, not a number", cell.span(node.target))
            case "put" | "remove":
                assert fact is not None
                if not isinstance(fact.type, Things):
                    raise Faulty.one("wrong-type", f"`{fact.name}` is {fact.type}, not a set", cell.span(node.target))
                value = self.binder.value(cell, node.value, scope)
            case "become":
                value = self.binder.value(cell, node.value, scope, ACounter())
            case "owe":
                assert isinstance(node.value, s.Literal)
                word = str(node.value.value)
                if word not in self.ruleset.obligations:
                    raise Faulty.one("unknown-name", f"no obligation is called `{word}`", cell.place,
                                     help=suggest(word, self.ruleset.obligations))
        if owner is None and node.verb in ("become", "leave", "owe"):
            owner = self._speaker(cell, scope)
        return BoundEffect(node.verb, owner, fact, value, word, cell)

    def _speaker(self, cell: Cell, scope: Scope) -> Term:
        for layer in scope.layers:
            if layer.speakers:
                name = layer.speakers[0]
                return Term(lambda world, env: env[name], layer.names[name])
        raise Faulty.one("unknown-name", "nobody is looked at here", cell.place, help="add `each:` or `for:`")

    # ---- everything --------------------------------------------------------------------------------------
    def bind_all(self, faults: Faults) -> None:
        """Binds every chart and collects what is wrong with any of them."""
        jobs: list[tuple[Callable[[str], Any], Iterable[str]]] = [
            (self.group, self.ruleset.groups), (self.table, self.ruleset.tables), (self.grid, self.ruleset.grids),
            (self.sequence, self.ruleset.sequences)]
        seen: set[Any] = set()
        for bind, names in jobs:
            for name in names:
                try:
                    bind(name)
                except Faulty as error:
                    new = [d for d in error.diagnostics if (d.code, d.span) not in seen]
                    seen.update((d.code, d.span) for d in new)
                    faults.extend(new)


def _general(type: Type) -> Type:
    """Bounds do not matter between rows, and a roll is read as its sum."""
    return Number() if isinstance(type, Number | Roll) else AThing(type.kind) if isinstance(type, AThing) else type


def type_is_nobody(type: Type) -> bool:
    return str(type) == "nobody"
