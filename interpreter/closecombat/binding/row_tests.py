"""What must be so for a row, of a table or a sequence: its columns, its `when:` and its `unless:`.

They are asked in the order of writing, up to the first that fails. Whom the row looks at has his place among them:
what stands before `each:` or `for:` is asked before it, so that nobody looks for the members of a set in vain. But a
test that speaks of a member can only be asked of one, wherever it stands. Which those are is found here, on the safe
side: what a member could be meant by is said of him.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import TypeAlias

from closecombat.binding.names import Scope
from closecombat.binding.sentences import Binder, bare_name
from closecombat.binding.terms import Term, subject
from closecombat.reading import syntax as s
from closecombat.reading.model import Act, Asked, Row
from closecombat.reading.syntax import Cell
from closecombat.reading.types import AThing, Flag, Type, Word
from closecombat.text.faults import Bug, Faults, Faulty

Tests: TypeAlias = tuple[Term, ...]


def bind_tests(binder: Binder, row: Row | Act, scope: Scope) -> tuple[Tests, Tests]:
    """The tests that are asked before the row looks at anybody, and those that are asked of each."""
    faults = Faults()
    bound = [
        faults.attempt(binder.condition, cell, scope)
        if heading is None
        else faults.attempt(binder.column, heading, cell, scope)
        for heading, cell in row.tests
    ]
    faults.raise_if_any()
    first = 0
    with binder.names.uses.unnoted():
        # Nobody speaks in a row of a table about nobody whose `each` could not be read, which is told apart.
        while scope.layers and first < row.before and not _Hearing(binder, scope).speaks(row.tests[first]):
            first += 1
        for test in row.tests[first : row.before] if scope.layers else ():
            _must_not_be_of_either(binder, test, scope, row.each)
    tests = tuple(test for test in bound if test is not None)
    if binder.watch is not None:
        tests = tuple(binder.watch(row, number, test) for number, test in enumerate(tests))
    return tests[:first], tests[first:]


def _must_not_be_of_either(binder: Binder, test: Asked, scope: Scope, each: Cell | None) -> None:
    """What stands before `for:` is read aloud of whoever speaks outside of the row, where he has it too:
    `{blow: 6, for: enemy of unit, do: ..}`. It would be said of the one whom the row looks at."""
    heading, cell = test
    inner, *around = (_Hearing(binder, Scope(scope.layers[at:])) for at in range(len(scope.layers)))
    said_of = heading or cell
    among = each.node.path.names[1:] if each is not None and isinstance(each.node, s.Members) else ()
    for path in _paths(said_of.node):
        name = path.names[-1]
        if among == (name,):
            continue  # of the `units of side` it is the same side
        if inner.is_asked(said_of, path) and any(one.is_asked(said_of, path) for one in around):
            said = f"`{name}` stands before whom the row looks at, and could be his or that of whoever is outside"
            help = "write it behind `for:` or `each:` for the one whom the row looks at; for the other give the "
            help += f"chart a role, `about: {{striker: unit}}`, say, and write `{name} of striker`"
            raise Faulty.one("ambiguous-name", said, said_of.span(path), help=help)


def _paths(node: s.Part) -> Iterator[s.Path]:
    """What a sentence asks; not in brackets, where another speaks, nor behind `is`, where a word may be meant."""
    if isinstance(node, s.Path):
        yield node
    if isinstance(node, s.Members):
        if len(node.path.names) > 1:  # `any side` is of all
            yield node.path
        return
    for part in s.parts_of(node):
        if not isinstance(part, s.Test):
            yield from _paths(part)


class _Hearing:
    """Whether a sentence may say something of whoever speaks first in a scope."""

    def __init__(self, binder: Binder, scope: Scope) -> None:
        self.binder, self.names, self.scope = binder, binder.names, scope
        self.layer = scope.layers[0]

    def speaks(self, test: Asked) -> bool:
        heading, cell = test
        try:
            if heading is None:
                return self._speaks(cell, cell.node)
            if not isinstance(cell.node, s.Test):
                raise Bug(f"{cell.text} is no test")
            before, said = heading.node, cell.node
            return self._speaks(heading, before) or self._after_is(cell, said, self._type(heading, before))
        except Faulty:
            return True

    def is_asked(self, cell: Cell, path: s.Path) -> bool:
        """Whether what a path begins with may be something that the one who speaks has, and not he himself."""
        with suppress(Faulty):
            return path.names[-1] not in self.layer.names and self.has(cell, path, path.names[-1])
        return False

    def _type(self, cell: Cell, node: s.Node) -> Type:
        """What is spoken of before `is`."""
        if isinstance(node, s.Quantified):
            return self.binder.members(cell, node.members, self.scope).type
        return self.binder.value(cell, node, self.scope).type

    def _speaks(self, cell: Cell, node: s.Part) -> bool:
        match node:
            case s.Members(other=True):
                return True
            case s.Path(names):
                return any(map(self._is_one, names)) or self.has(cell, node, names[-1])
            case s.Claim(before, test):
                return self._speaks(cell, before) or self._after_is(cell, test, self._type(cell, before))
            case s.Total(name) | s.Extreme(name=name) if self._is_one(name):
                return True
        return any(self._speaks(cell, part) for part in s.parts_of(node))

    def _after_is(self, cell: Cell, test: s.Test, type: Type) -> bool:
        """A bare name is first what the one before `is` can be."""
        for node in test.values:
            if isinstance(node, s.Test):
                speaks = self._after_is(cell, node, type)
            else:
                speaks = not self._can_be(cell, node, type) and self._speaks(cell, node)
            if speaks:
                return True
        return False

    def _can_be(self, cell: Cell, node: s.Node, type: Type) -> bool:
        name = bare_name(node)
        if isinstance(type, Word):
            return name in type.words
        found = self._had(cell, node, subject("", type), name) if name and isinstance(type, AThing) else None
        return found is not None and isinstance(found.type, Flag)

    def _is_one(self, name: str) -> bool:
        """Whether the one who speaks goes by a name, or may be the second subject of a table of that name."""
        chart = self.names.chart(name)
        others = chart.about if chart is not None and len(chart.about) == 2 else ()
        return name in self.layer.names or any(other in self.layer.names for other in others)

    def has(self, cell: Cell, node: s.Part, name: str) -> bool:
        """Whether the one who speaks has something of a name, or a set of that name."""
        whose = [subject(speaker, self.layer.names[speaker]) for speaker in self.layer.speakers]
        plain = name.removesuffix("-at-start")
        return any(
            self._had(cell, node, one, name) or self.names.set_of(cell, node, one, plain, False) for one in whose
        )

    def _had(self, cell: Cell, node: s.Part, who: Term, name: str) -> Term | None:
        return self.names.attribute(cell, node, who, name, None, self.scope)
