"""A ruleset whose names are looked up: tables, grids and sequences ready to be read.

Charts are bound when they are first needed, so that one close combat does not pay for a whole rulebook;
`bind_all` binds everything and collects every fault, for `check`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Set
from copy import copy
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Any, TypeAlias

from closecombat.binding import trees
from closecombat.binding.bound import (
    BoundAct,
    BoundCounter,
    BoundDice,
    BoundEffect,
    BoundGrid,
    BoundRow,
    BoundSequence,
    BoundTable,
)
from closecombat.binding.moments import Written
from closecombat.binding.names import MOST_IN_A_CHAIN, Item, Layer, Scope, Uses, too_deep
from closecombat.binding.row_tests import bind_tests
from closecombat.binding.sentences import FACE, Binder, Watch, fact_that_is, numbers_on
from closecombat.binding.sequences import bind_sequence
from closecombat.binding.terms import Env, SetTerm, Term, World, as_number, constant, counted_on, number_of
from closecombat.binding.vocabulary import LOST
from closecombat.binding.workings import Workings
from closecombat.proving.values.arithmetic import Counted, higher, kept_whole, lower
from closecombat.proving.values.symbolic import Value
from closecombat.reading import model as m
from closecombat.reading import syntax as s
from closecombat.reading.chance import handful
from closecombat.reading.situation import read_printed
from closecombat.reading.syntax import Cell
from closecombat.reading.types import (
    AThing,
    Exact,
    Flag,
    Nobody,
    Number,
    Roll,
    SomeDice,
    Type,
    Word,
    a,
    alike,
    is_number,
    shown,
    type_of_faces,
)
from closecombat.text.faults import MOST_FAULTS, Faults, Faulty, suggest
from closecombat.text.slotted import dataclass
from closecombat.text.source import Span

__all__ = ["Bound", "BoundAct", "BoundDice", "BoundEffect", "BoundGrid", "BoundRow", "BoundSequence", "BoundTable"]

WatchCell: TypeAlias = Callable[[m.Grid, int, int], None]


@dataclass(frozen=True, slots=True)
class Told:
    """What a table that is asked from outside must come to; `never` are the policies that cannot."""

    types: tuple[type, ...]
    what: str
    never: tuple[str, ...]
    help: str


_WORDS = "list its `words:`, mildest first, and say one of them in each row: `is: locked`"
_SAID = "say what is so of him: `not withdrawing`"
_LOSS = "say how much: `total men-at-start of units-at-start of side - total men of units of side`"
TOLD: Mapping[str, Told] = MappingProxyType(
    {
        "outcomes": Told((Word,), "how it ends is a word", ("forbidden-if", "adds-up"), _WORDS),
        LOST: Told((Number, Roll), "what is lost is a number", ("forbidden-if",), _LOSS),
    }
)
WORTH = Told((Number, Roll), "what he is worth is a number", (), "name a number of his: `strength: men`")
PLACED = Told((Flag,), "whether he is in the place is yes or no", (), _SAID)


class Bound:
    """The looked-up charts of one ruleset; raises Faulty if its kinds do not fit together."""

    def __init__(self, ruleset: m.Ruleset, watch: Watch | None = None, watch_cell: WatchCell | None = None) -> None:
        self.ruleset = ruleset
        self.binder = Binder(ruleset, self.table_type)
        self.binder.watch = watch
        self._watch_cell = watch_cell
        self.workings = Workings(self.binder)  # tells the sentences of the ruleset with their numbers
        self._tables: dict[str, BoundTable] = {}
        self._grids: dict[str, BoundGrid] = {}
        self._sequences: dict[str, BoundSequence] = {}
        self._groups: dict[str, SetTerm] = {}
        self._dice: dict[tuple[str, str], tuple[BoundDice, ...]] = {}
        self._types: dict[str, Type | Faulty | None] = {}
        self._counters: dict[str, BoundCounter] = {}
        self._behind: dict[tuple[str, str], tuple[int, frozenset[str]]] = {}  # with how many items that was found
        self._readers: dict[tuple[str, str], tuple[set[str], set[str]]] = {}  # of whom it was asked, and who does
        self._readers_of = 0  # with how many items that was found
        self.kept: dict[tuple[object, ...], Any] = {}  # what others have made of it, as long as it is there

    @property
    def uses(self) -> Uses:
        """Which charts, groups and the like those that are bound so far ask for."""
        return self.binder.names.uses

    def read_behind(self, sort: str, name: str) -> frozenset[str]:
        """What of the state a chart or group reads (`read_as`), by whatever it asks, as far as that is bound."""
        known = self._behind.get((sort, name))
        if known is None or known[0] != self.uses.many:
            known = self._behind[sort, name] = self.uses.many, self.uses.behind(Item(sort, name))
        return known[1]

    def readers(self, sort: str, read: str, among: Set[str]) -> Set[str]:
        """Those among some charts or groups that read something of the state, as `read_behind` says."""
        if self._readers_of != self.uses.many:
            self._readers_of = self.uses.many
            self._readers.clear()
        asked, found = self._readers.setdefault((sort, read), (set(), set()))
        if not among <= asked:
            new = among - asked
            asked |= new
            found.update(name for name in new if read in self.read_behind(sort, name))
        return among & found

    def with_charts(
        self,
        tables: Mapping[str, BoundTable],
        grids: Mapping[str, BoundGrid],
        sequences: Mapping[str, BoundSequence] | None = None,
    ) -> Bound:
        """The same ruleset with others in place of some charts. What is looked up is shared, since names mean the same;
        what others have made of it is not."""
        other = copy(self)
        other._tables, other._grids = {**self._tables, **tables}, {**self._grids, **grids}
        other._sequences = {**self._sequences, **(sequences or {})}
        other.kept = {}
        return other

    # ---- types of charts ---------------------------------------------------------------------------------
    def table_type(self, name: str) -> Type:
        if name not in self._types:
            self._types[name] = None
            try:
                self._types[name] = self._find_type(name)
            except Faulty as error:
                self._types[name] = error
        found = self._types[name]
        if isinstance(found, Faulty):
            raise found
        if found is None:
            raise Faulty.one("circular", f"`{name}` is worked out from itself", self._where(name).place)
        return found

    def _find_type(self, name: str) -> Type:
        if sum(type is None for type in self._types.values()) > MOST_IN_A_CHAIN:
            raise too_deep(name, self._where(name).place)
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

    def _where(self, name: str) -> m.Origin:
        return (self.ruleset.tables.get(name) or self.ruleset.grids[name]).where

    # ---- tables ------------------------------------------------------------------------------------------
    def table(self, name: str) -> BoundTable:
        if name not in self._tables:
            with self.uses.by("chart", name):
                self._tables[name] = self._bind_table(self.ruleset.tables[name])
        return self._tables[name]

    def _bind_table(self, table: m.Table) -> BoundTable:
        faults = Faults()
        scope = self.binder.names.subjects(table.about, table.where)
        expect: Type | None = Word(table.words) if table.words else None
        value = self._watched(table, 0, faults.attempt(self._optional, table.value, scope, expect))
        rows: list[BoundRow] = []
        for row in table.rows:
            bound = faults.attempt(self._bind_row, row, scope, expect)
            if bound is None:
                continue
            rows.append(bound)
            if expect is None and bound.verdict is not None and row.verb == "is":
                expect = _general(bound.verdict.type)
        otherwise = self._watched(table, 1, faults.attempt(self._optional, table.otherwise, scope, expect))
        start, at_least, at_most = (
            faults.attempt(self._counted, cell, scope) for cell in (table.start, table.at_least, table.at_most)
        )
        verdicts = [(r.row.verdict, r.verdict) for r in rows]
        verdicts += [(table.otherwise, otherwise), (table.value, value)]
        given = [(cell, term) for cell, term in verdicts if cell is not None and term is not None]
        if given or not faults.has_errors:
            faults.attempt(self._check_verdicts, table, given)
        faults.raise_if_any()
        is_asked = self._asked_from_outside(table.name) is not None
        if is_asked:  # what nobody has could not be told there
            value, otherwise = _counted_on(table.value, value), _counted_on(table.otherwise, otherwise)
        if table.policy in ("highest-of", "lowest-of") or is_asked:
            rows = [replace(one, verdict=_counted_on(one.row.verdict, one.verdict)) for one in rows]
        if table.policy != "adds-up" and (at_least is not None or at_most is not None):
            within = partial(self._within, table, at_least, at_most)
            rows = [replace(one, verdict=within(one.row.verdict, one.verdict)) for one in rows]
            value, otherwise = within(table.value, value), within(table.otherwise, otherwise)
        blockers: dict[str, tuple[str, ...]] = {}
        for row in table.rows:
            for other in row.instead_of:
                blockers[other] = (*blockers.get(other, ()), row.id)
        return BoundTable(
            table,
            tuple(rows),
            blockers,
            value,
            otherwise,
            start,
            at_least,
            at_most,
            self._verdict_type(table, given),
            scope,
        )

    def _within(
        self, table: m.Table, at_least: Term | None, at_most: Term | None, cell: Cell | None, term: Term | None
    ) -> Term | None:
        """What one row says, no less and no more than a table may; a sum is bounded as a whole."""
        if cell is None or term is None or term.tree == trees.const(None):
            return term
        bounds = ((table.at_least, at_least, higher), (table.at_most, at_most, lower))
        for bound_by, limit, meets in bounds:
            if bound_by is None or limit is None:
                continue
            if not is_number(term.type):
                said = f"`{table.name}` says {cell.text}, which is {term.type} and has no bounds"
                raise Faulty.one("wrong-type", said, bound_by.place, help="take the bound out")
            term = _bounded(cell, term, limit, meets)
        return term

    def _asked_from_outside(self, name: str) -> Told | None:
        """What the answer of a table must be that is asked when all is over."""
        if name in TOLD:
            return TOLD[name]
        ends = self.ruleset.ends.values()
        if any(name == end.strength for end in ends):
            return WORTH
        return PLACED if any(name == end.place for end in ends) else None

    def _watched(self, table: m.Table, number: int, term: Term | None) -> Term | None:
        """What a table says with no row of its own, told to whoever watches."""
        watch = self.binder.watch
        return term if watch is None or term is None else watch(table, number, term)

    def _bind_row(self, row: m.Row, scope: Scope, expect: Type | None) -> BoundRow:
        each = None
        if row.each is not None:
            each = self.binder.members(row.each, row.each.node, scope)
            whose = self.binder.names.whose(row.each.node, scope)
            scope = scope.inside({each.each: each.type}, whose=whose, of_a_row=True)
        faults = Faults()
        read = (
            partial(self._counted, row.verdict, scope)
            if row.verb in ("add", "times")
            else partial(self._optional, row.verdict, scope, expect)
        )
        verdict = faults.attempt(read)
        tests = faults.attempt(bind_tests, self.binder, row, scope)
        faults.raise_if_any()
        return BoundRow(row, each, *(tests or ((), ())), verdict, scope)

    def _optional(self, cell: Cell | None, scope: Scope, expect: Type | None = None) -> Term | None:
        return None if cell is None else self.binder.value(cell, cell.node, scope, expect)

    def _number(self, cell: Cell | None, scope: Scope) -> Term | None:
        term = self._optional(cell, scope)
        if cell is not None and term is not None:
            _must_be_number(cell, term)
        return term

    def _counted(self, cell: Cell | None, scope: Scope) -> Term | None:
        """A number that is counted on, so that somebody must have it."""
        term = self._number(cell, scope)
        return None if cell is None or term is None else _somebodys(cell, term)

    def must_come_to_something(self, cell: Cell, term: Term) -> None:
        """Raises Faulty of dice that show words: what is asked is how many show which."""
        if isinstance(term.type, Roll) and term.type.worded:
            help = self.binder.how_many_show_it(cell, term.type)
            raise Faulty.one("wrong-type", f"this is {term.type}, not a number", cell.place, help=help)

    def _verdict_type(self, table: m.Table, verdicts: list[tuple[Cell, Term]]) -> Type:
        if table.policy == "adds-up":
            return Number()
        if table.policy == "forbidden-if":
            return Flag()
        if table.words:
            return Word(table.words)
        types = [_general(term.type) for _, term in verdicts]
        if not types:
            raise Faulty.told()  # none of its rows could be read
        return next((type for type in types if not isinstance(type, Nobody)), types[0])

    def _check_verdicts(self, table: m.Table, verdicts: list[tuple[Cell, Term]]) -> None:
        if (asked := self._asked_from_outside(table.name)) is not None:
            _must_be_told(table, asked, verdicts)
        if table.policy in ("adds-up", "forbidden-if"):
            return
        faults = Faults()
        if table.words:
            for cell, term in verdicts:
                if not isinstance(term.type, Word):
                    message = f"this is {term.type}, not one of the words of `{table.name}`"
                    faults.add("wrong-type", message, cell.place, help=suggest(cell.text, table.words))
                elif not set(term.type.words) <= set(table.words):
                    message = f"`{cell.text}` is not one of the words of `{table.name}`"
                    faults.add("unknown-word", message, cell.place, help=suggest(cell.text, table.words))
            faults.raise_if_any()
            return
        for cell, term in verdicts:
            fact = fact_that_is(cell.node, term)
            if fact is not None and isinstance(fact.type, Word):
                words = fact.type.words
                named = (name for name, its in self.ruleset.words.items() if its == words)
                listed = next(named, f"[{', '.join(words)}]")
                faults.add(
                    "two-readings",
                    f"`{cell.text}` is a word that the table says, or says whether `{fact.fact}` is {cell.text}",
                    cell.place,
                    help=f"write `words: {listed}` in the table, or `{fact.fact} is {cell.text}` here",
                )
                break  # the others are meant alike
        faults.raise_if_any()
        for cell, term in verdicts:
            faults.attempt(self.must_come_to_something, cell, term)
        faults.raise_if_any()
        known = [(cell, type) for cell, term in verdicts if not isinstance(type := _general(term.type), Nobody)]
        for cell, type in known[1:]:
            if type != known[0][1]:
                faults.add(
                    "wrong-type",
                    f"this is {type}, and the first row is {known[0][1]}",
                    cell.place,
                    labels=((known[0][0].place, "the first row"),),
                )
        if known and isinstance(known[0][1], Flag):
            for cell, term in verdicts:
                if isinstance(term.type, Nobody):
                    message = f"this is nobody, and `{table.name}` says yes or no"
                    faults.add("wrong-type", message, cell.place, help="write `no`")
        comparing = table.policy in ("highest-of", "lowest-of")
        if comparing and known and not isinstance(known[0][1], Number | Word):
            faults.add(
                "wrong-type",
                f"`{table.name}` compares numbers or words",
                known[0][0].place,
                help="list its `words:`, lowest first",
            )
        faults.raise_if_any()

    # ---- grids -------------------------------------------------------------------------------------------
    def grid(self, name: str) -> BoundGrid:
        if name not in self._grids:
            with self.uses.by("chart", name):
                self._grids[name] = self._bind_grid(self.ruleset.grids[name])
        return self._grids[name]

    def _bind_grid(self, grid: m.Grid) -> BoundGrid:
        faults = Faults()
        scope = self.binder.names.subjects(grid.about, grid.where)
        across = faults.attempt(self._across, grid, scope)
        down = faults.attempt(self._down, grid, scope)
        shift = faults.attempt(self._counted, grid.shift, scope)
        type = faults.attempt(self._cell_type, grid)
        marks = [note.mark for note in grid.footnotes]
        notes = [faults.attempt(self._footnote, grid, note, type) for note in grid.footnotes]
        otherwise = faults.attempt(self._optional, grid.otherwise, scope, type)
        if otherwise is not None and type is not None and grid.otherwise is not None:
            faults.attempt(_must_be_alike, otherwise.type, type, grid.otherwise.place, grid.name)
        faults.raise_if_any()
        last = len(marks) + 1 if otherwise is not None else 0

        def explained(value: Value) -> int:
            return marks.index(value) + 1 if value in marks else last if value is None else 0

        def meant(value: Value) -> Value:
            return None if value in marks or value is None else handful(value) if isinstance(type, SomeDice) else value

        terms = [note for note in (*notes, otherwise) if note is not None]
        return BoundGrid(
            grid,
            across or (),
            tuple(tuple(map(meant, line)) for line in grid.cells),
            tuple(tuple(map(explained, line)) for line in grid.cells),
            tuple(terms),
            down,
            shift,
            type or next((_general(term.type) for term in terms), Number()),
            None if self._watch_cell is None else partial(self._watch_cell, grid),
        )

    def _cell_type(self, grid: m.Grid) -> Type | None:
        """What the cells hold; None where there are only marks and nothing."""
        marks = {note.mark for note in grid.footnotes}
        lines = zip(grid.cells, grid.places, strict=True)
        printed = [cell for line in lines for cell in zip(*line, strict=True)]
        cells = [(v, place) for v, place in printed if v is not None and v not in marks]
        words = grid.words or tuple(dict.fromkeys(v for v, _ in cells if isinstance(v, str)))
        found = [bool if isinstance(v, bool) else str if isinstance(v, str) else int for v, _ in cells]
        kinds = sorted(set(found), key=found.count)
        faults = Faults()
        if len(kinds) > 1:
            odd, place = cells[found.index(kinds[0])]
            usual = {bool: "yes or no", str: "words", int: "numbers"}[kinds[-1]]
            help = ""
            if isinstance(odd, str) and usual == "numbers":
                help = (
                    f"write `words: {{code: {{columns: [losses, retreats], rows: {{{odd}: [0, yes], 1: "
                    f"[1, no]}}}}}}` with a "
                    "row for every cell and what it means, and `words: code` in the grid"
                )
                if odd[0].isdigit() or odd[:1] in "+-":
                    help = (
                        f"write what `{odd}` stands for under `footnotes:` of the grid, such as `footnotes: {{{odd}: "
                        "{broken: 2, otherwise: 1}}`"
                    )
            faults.add("wrong-type", f"`{shown(odd)}` stands among {usual} in `{grid.name}`", place, help=help)
        for word, place in cells:
            if grid.words and word not in grid.words:
                message = f"`{shown(word)}` is not one of the words of `{grid.name}`"
                faults.add("unknown-word", message, place, help=suggest(str(word), grid.words))
        faults.raise_if_any()
        if kinds == [str] and not grid.words and all(handful(word) is not None for word in words):
            return SomeDice()
        if kinds == [str] or grid.words:
            return Word(words) if grid.across is not None else type_of_faces(words, self.ruleset.words.values())
        return Flag() if kinds == [bool] else Number() if kinds else None

    def _footnote(self, grid: m.Grid, note: m.Footnote, type: Type | None) -> Term:
        """What a mark stands for, asked of those whom the grid is about."""
        self.uses.note("chart", note.table, note.place)
        found = self.table_type(note.table)
        _must_be_alike(found, type or found, note.place, grid.name)
        tree = trees.Asked(note.table, tuple(trees.Name(name) for name in grid.about))
        return Term(lambda world, env: world.table(note.table, tuple(env[name] for name in grid.about)), found, tree)

    def _across(self, grid: m.Grid, scope: Scope) -> tuple[Term, ...]:
        cell = grid.across
        if cell is None:
            return ()
        if isinstance(cell.node, s.Ratio):
            sides = tuple(self.binder.value(cell, side, scope) for side in (cell.node.left, cell.node.right))
            for term in sides:
                _must_be_number(cell, term)
            return sides
        term = self.binder.value(cell, cell.node, scope)
        self._headings(grid, cell, term, grid.columns, f"`{grid.name}` has no column")
        return (term,)

    def _down(self, grid: m.Grid, scope: Scope) -> Term | None:
        down = self._optional(grid.down, scope)
        if grid.down is not None and down is not None:
            self._headings(grid, grid.down, down, grid.lines, f"`{grid.name}` has no row")
        return down

    def _headings(self, grid: m.Grid, cell: Cell, term: Term, headings: tuple[m.Heading, ...], none: str) -> None:
        """Each heading is something that the value can be; and of a list of words, each has its heading."""
        words = term.type.words if isinstance(term.type, Word) else None
        for heading in headings:
            if words is not None and heading.text not in words:
                raise Faulty.one(
                    "unknown-word",
                    f"`{heading.text}` is never what `{cell.text}` is",
                    cell.place,
                    help=suggest(heading.text, words),
                )
            if words is None and heading.word:
                raise Faulty.one("wrong-type", f"`{heading.text}` is a word, but this is {term.type}", cell.place)
            if words is None and not is_number(term.type):
                raise Faulty.one("wrong-type", f"`{heading.text}` is a number, but this is {term.type}", cell.place)
        known = {heading.text for heading in headings}
        missing = [word for word in words or () if word not in known]
        if missing and grid.otherwise is None:
            raise Faulty.one(
                "grid-gap",
                f"{none} for {' and '.join(f'`{word}`' for word in missing)}",
                cell.place,
                help="add it; where the chart prints nothing its cells are `-`; or write `otherwise:` below the grid",
            )

    # ---- groups ------------------------------------------------------------------------------------------
    def group(self, name: str) -> SetTerm:
        if name not in self._groups:
            group = self.ruleset.groups[name]
            self.binder.group_kind(name)
            with self.uses.by("group", name):
                scope = self.binder.names.subjects(group.about, group.where)
                members = self.binder.members(group.members, group.members.node, scope)
                _must_be_called_so(group, members.type, self.ruleset)
                self._groups[name] = members
        return self._groups[name]

    # ---- dice --------------------------------------------------------------------------------------------
    def dice(self, name: str, kind: str) -> tuple[BoundDice, ...]:
        """The parts of some dice, as thrown by a thing of a kind."""
        if (name, kind) not in self._dice:
            with self.uses.by("dice", name):
                parts = self.ruleset.dice[name].parts
                self._dice[name, kind] = tuple(self._bind_dice(part, kind) for part in parts)
        return self._dice[name, kind]

    def _bind_dice(self, part: m.DicePart, kind: str) -> BoundDice:
        scope = Scope().inside({kind: AThing(kind)})
        if part.each:
            scope = scope.inside({part.each: Word(self.ruleset.words[part.each])})
        faces = [face for several in part.faces.values() for face in several]
        numeric = all(isinstance(face, int) for face in faces)
        words = tuple(dict.fromkeys(str(face) for face in faces))
        inside = scope.inside({FACE: numbers_on((part,)) if numeric else Word(words)})
        faults = Faults()
        keep = part.keep[1] if part.keep is not None else None
        number, sides, kept, at_most = (
            faults.attempt(self._number, cell, scope) if isinstance(cell, Cell) else None
            for cell in (part.number, part.sides, keep, part.at_most)
        )
        of = None if part.of is None else faults.attempt(self._some_dice, part.of, scope)
        again, explode = (
            None if cell is None else faults.attempt(self.binder.face_is, cell, cell.node, inside)
            for cell in (part.again_if, part.explode_if)
        )
        faults.raise_if_any()
        return BoundDice(number, again, explode, sides, of, kept, at_most)

    def dice_plus(self, name: str, kind: str) -> Term | None:
        """What is added to the sum of some dice, thrown by a thing of a kind, where a sentence says it."""
        plus = self.ruleset.dice[name].plus
        if isinstance(plus, int):
            return None
        with self.uses.by("dice", name):
            return self._counted(plus, Scope().inside({kind: AThing(kind)}))

    def _some_dice(self, cell: Cell, scope: Scope) -> Term:
        term = self.binder.value(cell, cell.node, scope)
        if not isinstance(term.type, SomeDice):
            help = "name a fact whose type is `dice`, or say the number of faces under `sides:`"
            raise Faulty.one("wrong-type", f"`{cell.text}` is {term.type}, not dice", cell.place, help=help)
        return term

    # ---- counters ----------------------------------------------------------------------------------------
    def counter(self, name: str) -> BoundCounter:
        if name not in self._counters:
            counter = self.ruleset.counters[name]
            facts = self.ruleset.kinds[counter.kind].facts.values()
            printed = {
                fact.name: read_printed(fact, counter.cells[fact.name], self.ruleset)
                for fact in facts
                if fact.name in counter.cells
            }
            self._counters[name] = BoundCounter(counter.kind, printed)
        return self._counters[name]

    # ---- sentences ---------------------------------------------------------------------------------------
    def among(self, things: Mapping[str, str]) -> Scope:
        """The things of a situation, who are called by their names; `things` are the kinds of these."""
        kinds: dict[str, Type] = {kind: AThing(kind) for kind in self.ruleset.kinds}
        return Scope((Layer({name: kinds[kind] for name, kind in things.items()}, (), of_a_situation=True),))

    def sentence(self, cell: Cell, scope: Scope, expect: Type | None = None) -> Term:
        """A sentence about things of a situation."""
        return self.binder.value(cell, cell.node, scope, expect)

    def moments(self, questions: Iterable[Cell] = ()) -> Written:
        """For each row, what is asked as it was when the row was reached, by the rules or by questions."""
        return self.binder.moments(questions)

    # ---- sequences ---------------------------------------------------------------------------------------
    def sequence(self, name: str) -> BoundSequence:
        if name not in self._sequences:
            self._sequences[name] = bind_sequence(self.binder, self.ruleset.sequences[name])
        return self._sequences[name]

    def until(self) -> Term | None:
        """When a fight is resolved, if the ruleset says so."""
        cell = self.ruleset.until
        return None if cell is None else self.binder.condition(cell, Scope())

    # ---- everything --------------------------------------------------------------------------------------
    def bind_all(self, faults: Faults) -> None:
        """Binds every chart and collects what is wrong, until there is more than is shown."""
        ruleset = self.ruleset
        jobs: list[tuple[Callable[[], object], Span]] = []
        jobs += [(partial(self.group, name), one.where.place) for name, one in ruleset.groups.items()]
        jobs += [(partial(self.table, name), one.where.place) for name, one in ruleset.tables.items()]
        jobs += [(partial(self.grid, name), one.where.place) for name, one in ruleset.grids.items()]
        jobs += [
            (partial(thrown, fact.type.dice, kind.name), fact.where.place)
            for kind in ruleset.kinds.values()
            for fact in kind.facts.values()
            for thrown in (self.dice, self.dice_plus)
            if isinstance(fact.type, Roll)
        ]
        jobs += [(partial(self.sequence, name), one.where.place) for name, one in ruleset.sequences.items()]
        jobs += [(self.until, ruleset.until.place)] if ruleset.until is not None else []
        seen: set[tuple[str, Span | None]] = set()
        for job, place in jobs:
            if len(faults) > MOST_FAULTS:
                return
            try:
                job()
            except RecursionError:
                faults.add(
                    "too-deep",
                    "the charts ask each other in too long a chain",
                    place,
                    help="write the value of one of them into a `noted` fact",
                )
                return
            except Faulty as error:
                new = [d for d in error.diagnostics if (d.code, d.span) not in seen]
                seen.update((d.code, d.span) for d in new)
                faults.extend(new)


def _must_be_called_so(group: m.Group, member: Type, ruleset: m.Ruleset) -> None:
    """A member goes by the name of no kind but his own."""
    kind = ruleset.kinds.get(group.each)
    if kind is not None and isinstance(member, AThing) and member.kind != kind.name:
        said, labels = f"`{kind.name}` is a kind, and here {a(member.kind)}", ((kind.where.place, "the kind"),)
        raise Faulty.one("ambiguous-name", said, group.where.place, labels=labels, help="change `each:`")


def _must_be_number(cell: Cell, term: Term) -> None:
    if not is_number(term.type):
        raise Faulty.one("wrong-type", f"this is {term.type}, not a number", cell.place)


def _must_be_told(table: m.Table, asked: Told, verdicts: Iterable[tuple[Cell, Term]]) -> None:
    if table.policy in asked.never:
        said = f"`{table.policy}:` says none, and {asked.what}"
        raise Faulty.one("wrong-type", said, table.where.place, help=asked.help)
    faults = Faults()
    for cell, term in verdicts:
        if not isinstance(term.type, asked.types) or (isinstance(term.type, Roll) and term.type.worded):
            faults.add("wrong-type", f"this is {term.type}, and {asked.what}", cell.place, help=asked.help)
    faults.raise_if_any()


def _must_be_alike(found: Type, type: Type, place: Span, grid: str) -> None:
    """What stands for a cell must be what the other cells are."""
    if not isinstance(found, Nobody) and not alike(_general(found), _general(type)):
        raise Faulty.one("wrong-type", f"this is {found}, and the cells of `{grid}` are {type}", place)


def _somebodys(cell: Cell, term: Term) -> Term:
    """A value that somebody must have."""
    return counted_on(term, Counted(cell.text, cell.place))


def _bounded(cell: Cell, term: Term, limit: Term, meets: Callable[[Exact | None, Exact | None], Exact | None]) -> Term:
    """A number that somebody must have, or the limit where it goes beyond."""
    one, other = term.tree, limit.tree
    if isinstance(one, trees.Const) and isinstance(other, trees.Const):
        return constant(meets(one.value, other.value), Number())
    value, run_limit = number_of(term, Counted(cell.text, cell.place)), limit.run

    def run(world: World, env: Env) -> Value:
        return kept_whole(world.shop, meets, value(world, env), run_limit(world, env))

    return Term(run, Number(), trees.Best(meets is higher, (as_number(term), as_number(limit)), ()))


def _counted_on(cell: Cell | None, term: Term | None) -> Term | None:
    """The same of what a table says, if it is a number or a word."""
    if cell is None or term is None or not (is_number(term.type) or isinstance(term.type, Word)):
        return term
    return _somebodys(cell, term)


def _general(type: Type) -> Type:
    """Bounds do not matter between rows, and a roll is read as its sum."""
    if isinstance(type, AThing):
        return AThing(type.kind)
    return Number() if is_number(type) else type
