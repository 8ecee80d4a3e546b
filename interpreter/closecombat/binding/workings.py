"""The arithmetic behind a result, in the words of the ruleset: `throw of attack (5) is at most strength (6)`.

Made only where something is being told: a sentence is looked up again, once, and asked for its numbers whenever a
trace is written, so that whoever needs no trace pays nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import TypeAlias

from closecombat.binding.names import Scope
from closecombat.binding.sentences import Binder
from closecombat.binding.terms import Env, Term, World, number
from closecombat.proving.throws.dice import Thrown
from closecombat.proving.values.symbolic import Sym, Value
from closecombat.reading import syntax as s
from closecombat.reading.model import Row, Table
from closecombat.reading.syntax import Cell
from closecombat.reading.types import Word, is_number, shown
from closecombat.text.faults import Faulty

CHANCE = ("rolled", "drawn")
ORDERED = ("least", "most", "more", "less", "range")
Told: TypeAlias = tuple[tuple[int, Term], ...]  # numbers of a sentence, and where the name of each ends
Bound: TypeAlias = tuple[Term | Faulty, tuple[Cell, s.Node, Scope]]


class Workings:
    """Tells sentences of one ruleset with their numbers."""

    def __init__(self, binder: Binder) -> None:
        self._binder = binder
        self._by_chance: dict[str, bool] = {}  # whether what goes by a name rests on dice or cards
        self._bound: dict[tuple[int, ...], Bound] = {}  # parts of sentences, by identity: each holds what it is of
        self._counted: dict[tuple[int, ...], tuple[Told, tuple[Cell, s.Node, Scope]]] = {}  # the numbers in each
        self._chancy: dict[tuple[int, ...], tuple[bool, tuple[Cell | None, ...]]] = {}  # the same of whole sentences
        self._parts: dict[int, tuple[s.Node, tuple[s.Node, ...]]] = {}  # what a sentence reads, from left to right

    def test(self, world: World, heading: Cell | None, cell: Cell, scope: Scope, env: Env) -> str:
        """A condition, or a column with its heading, with the numbers on both sides; nothing if it has none."""
        if heading is None:
            return self._condition(world, cell, cell.node, scope, env)
        if isinstance(heading.node, s.Quantified):
            return ""
        test = cell.node
        left = self._spelt(world, heading, heading.node, scope, env, _is_ordered(test))
        right = self._spelt(world, cell, test, scope, env, _is_ordered(test))
        return f"{left[0]} is {right[0]}" if left[1] or right[1] else ""

    def value(self, world: World, cell: Cell, scope: Scope, env: Env) -> str:
        """A value that is reckoned out, with its numbers; nothing if it is only a name or a number."""
        if isinstance(cell.node, s.Arithmetic | s.Rounded | s.Compared):
            text, has_numbers = self._spelt(world, cell, cell.node, scope, env, False)
            return text if has_numbers else ""
        if isinstance(cell.node, s.Claim | s.Both | s.Either | s.Negation):
            return self._condition(world, cell, cell.node, scope, env)
        return ""

    def rests_on_chance(self, *cells: Cell | None) -> bool:
        """Whether a sentence speaks of dice or cards, or of a chart that does."""
        key = tuple(map(id, cells))
        if key not in self._chancy:
            self._chancy[key] = self._rests_on_chance(*cells), cells
        return self._chancy[key][0]

    def _rests_on_chance(self, *cells: Cell | None) -> bool:
        return any(self._is_by_chance(name) for cell in cells if cell is not None for name in _names(cell.node))

    def _is_by_chance(self, name: str) -> bool:
        if name not in self._by_chance:
            self._by_chance[name] = False  # what is worked out from itself is said elsewhere
            ruleset = self._binder.ruleset
            table = ruleset.tables.get(name)
            self._by_chance[name] = any(
                kind.facts[name].origin in CHANCE for kind in ruleset.kinds.values() if name in kind.facts
            ) or (table is not None and self._rests_on_chance(*_cells(table)))
        return self._by_chance[name]

    # ---- sentences with their numbers ---------------------------------------------------------------------
    def _condition(self, world: World, cell: Cell, node: s.Node, scope: Scope, env: Env) -> str:
        """Of several conditions, the one that decided, or all of them where all had to."""
        if isinstance(node, s.Both | s.Either):
            decides = isinstance(node, s.Either)
            told = []
            for part in node.parts:
                said = self._condition(world, cell, part, scope, env)
                is_so = self._asked(world, partial(self._is_so, world, cell, part, scope, env))
                if is_so is decides:
                    return said
                told.append(said)
            return (" or " if decides else " and ").join(said for said in told if said)
        if isinstance(node, s.Negation):
            said = self._condition(world, cell, node.value, scope, env)
            return f"not ({said})" if said else ""
        if isinstance(node, s.Claim) and not isinstance(node.subject, s.Quantified):
            text, has_numbers = self._spelt(world, cell, node, scope, env, _is_ordered(node.test))
            return text if has_numbers else ""
        return ""

    def _spelt(self, world: World, cell: Cell, node: s.Node, scope: Scope, env: Env, words: bool) -> tuple[str, bool]:
        """The text of a node, each number in brackets behind its name; and whether there was one."""
        start, end = node.at
        text, at, found = "", start, False
        for stop, term in self._numbers(cell, node, scope, words):
            value = self._asked(world, partial(_number, world, term, env))
            if value is not None:
                text += f"{cell.text[at:stop]} ({shown(value)})"
                at, found = stop, True
        return " ".join((text + cell.text[at:end]).split()), found

    def _numbers(self, cell: Cell, node: s.Node, scope: Scope, words: bool) -> Told:
        """What a node reads that may be a number, or a word if these count too, and where the name of each ends."""
        key = id(cell), id(node), id(scope), words
        found = self._counted.get(key)
        if found is None:
            told = []
            for leaf in self._leaves(node):
                with suppress(Faulty, KeyError):
                    term = self._looked_up(cell, leaf, scope, False)
                    if is_number(term.type) or (words and isinstance(term.type, Word)):
                        told.append((leaf.at[1], term))
            found = self._counted[key] = tuple(told), (cell, node, scope)
        return found[0]

    def _is_so(self, world: World, cell: Cell, node: s.Node, scope: Scope, env: Env) -> Value:
        return self._looked_up(cell, node, scope, True).run(world, env)

    def _looked_up(self, cell: Cell, node: s.Node, scope: Scope, is_flag: bool) -> Term:
        key = id(cell), id(node), id(scope), is_flag
        if key not in self._bound:
            bind = self._binder.flag if is_flag else self._binder.value
            found: Term | Faulty
            try:
                found = bind(cell, node, scope)
            except Faulty as fault:  # a word that is said of somebody is nothing by itself
                found = fault
            self._bound[key] = found, (cell, node, scope)
        term = self._bound[key][0]
        if isinstance(term, Faulty):
            raise Faulty(term.diagnostics)
        return term

    def _leaves(self, node: s.Node) -> tuple[s.Node, ...]:
        if id(node) not in self._parts:
            self._parts[id(node)] = node, tuple(_leaves(node))
        return self._parts[id(node)][1]

    def _asked(self, world: World, ask: Callable[[], Value]) -> Value:
        """What is read once more for the sake of telling is not told itself; what cannot be read is left out."""
        with world.aside():
            try:
                return ask()
            except (Faulty, KeyError):
                return None


def _number(world: World, term: Term, env: Env) -> Value:
    value = number(world, term.run(world, env))
    return None if type(value) is Sym or isinstance(value, Thrown) else value


def _is_ordered(test: s.Node) -> bool:
    return isinstance(test, s.Test) and (
        test.kind in ORDERED or (test.kind == "either" and any(map(_is_ordered, test.values)))
    )


def _leaves(node: s.Part) -> Iterator[s.Node]:
    """What a sentence reads, from left to right; not what its members are asked."""
    match node:
        case s.Reading() | s.Count() | s.Total() | s.Extreme():
            yield node
        case s.Members() | s.Quantified() | s.Literal():
            return
        case _:
            for part in s.parts_of(node):
                yield from _leaves(part)


def _names(node: s.Part) -> Iterator[str]:
    """Every name in a sentence."""
    match node:
        case s.Path(names):
            yield from names
        case _:
            if isinstance(node, s.Total | s.Extreme):
                yield node.name
            for part in s.parts_of(node):
                yield from _names(part)


def _cells(table: Table) -> Iterator[Cell | None]:
    yield from (table.value, table.otherwise, table.start)
    for row in table.rows:
        yield from _cells_of(row)


def _cells_of(row: Row) -> Iterator[Cell | None]:
    yield from (row.verdict, row.each)
    for test in row.tests:
        yield from test
