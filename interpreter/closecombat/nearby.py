"""Every name that could have been meant, for the help of a fault."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from closecombat import syntax as s
from closecombat.diagnostics import Faulty, suggest
from closecombat.model import Ruleset
from closecombat.scope import Scope
from closecombat.syntax import Cell
from closecombat.terms import Term, constant
from closecombat.values import AThing, Flag, Nobody, Number, Roll, Things, Type, Word


class Nearby:
    """The names that somebody has, or that a sentence can see."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset

    def of(self, type: Type) -> list[str]:
        """Every name that somebody of this type has."""
        ruleset = self.ruleset
        if isinstance(type, Roll):
            dice = ruleset.dice.get(type.dice)
            return [part.name for part in dice.parts] if dice else []
        if not isinstance(type, AThing):
            return []
        facts = ruleset.kinds[type.kind].facts
        words = [word for fact in facts.values() if isinstance(fact.type, Word) for word in fact.type.words]
        names = (type.kind, ruleset.kinds[type.kind].plural)
        called = {type.kind}
        for kind in ruleset.kinds.values():
            for fact in kind.facts.values():
                if isinstance(fact.type, Things) and fact.type.kind in names:
                    called.add(fact.type.each)
        charts = [name for name, table in ruleset.tables.items() if called & set(table.about)]
        charts += [name for name, grid in ruleset.grids.items() if called & set(grid.about)]
        groups = [name for group in ruleset.groups.values() for name in (group.each, group.name)]
        return [*facts, *words, *charts, *groups]

    def sets_of(self, type: Type) -> list[str]:
        """The sets that somebody of this type has."""
        if not isinstance(type, AThing):
            return []
        facts = self.ruleset.kinds[type.kind].facts.values()
        return [fact.name for fact in facts if isinstance(fact.type, Things)] + list(self.ruleset.groups)

    def in_scope(self, scope: Scope, expect: Type | None) -> set[str]:
        """What a bare name could mean."""
        known = {*self.ruleset.tables, *self.ruleset.options, *self.ruleset.grids}
        for layer in scope.layers:
            known |= set(layer.names)
            for type in layer.names.values():
                known |= set(self.of(type))
        for kind in self.ruleset.kinds.values():
            if kind.one:
                known |= set(kind.facts)
        return known | set(expect.words if isinstance(expect, Word) else ())


def unknown(cell: Cell, node: Any, name: str, known: Iterable[str], of: str = "") -> Faulty:
    """The fault that nothing is called by a name, underlined where it stands."""
    start, end = node.at
    text = cell.place.source.text[cell.place.start + start : cell.place.start + end]
    if found := re.search(rf"(?<![a-z0-9-]){re.escape(name)}(?![a-z0-9-])", text):
        node = s.Path((name,), (start + found.start(), start + found.end()))
    whose = f" of {of}" if of else ""
    return Faulty.one("unknown-name", f"nothing{whose} is called `{name}`", cell.span(node), help=suggest(name, known))


def of_several(cell: Cell, node: Any, name: str, owners: Iterable[str], joint: str = "of") -> Faulty:
    """The fault that several could be meant by a bare name."""
    said = " or ".join(f"`{name} {joint} {owner}`" for owner in owners)
    return Faulty.one("ambiguous-name", f"`{name}` may be of several here", cell.span(node), help=f"write {said}")


def called_alike(cell: Cell, node: Any, name: str) -> Faulty:
    """The fault that a member, or somebody whom a row looks at, is called like somebody outside."""
    return Faulty.one(
        "ambiguous-name",
        f"two go by the name `{name}` here: one of the set, and one from outside",
        cell.span(node),
        help=f"give the set a name of its own under `groups`, such as `{{each: other-{name}, are: ..}}`; "
        "a bare fact is that of the one of the set",
    )


def asked_of_one(cell: Cell, node: Any, name: str) -> Faulty:
    """The fault that `for` names a second subject where there is only one."""
    return Faulty.one(
        "wrong-type",
        f"`{name}` is asked of one thing, so nobody can stand after `for`",
        cell.span(node),
        help="take the `for ..` out, or ask a table that is `about:` two",
    )


def literal(cell: Cell, node: Any, value: Any, expect: Type | None) -> Term:
    """A number, yes or no, nobody, or a printed heading, which must be one of the words expected."""
    if not isinstance(value, str):
        return constant(value, Flag() if isinstance(value, bool) else Nobody() if value is None else Number())
    words = expect.words if isinstance(expect, Word) else (value,)
    if value not in words:
        message = f"`{value}` is not {expect}"
        raise Faulty.one("unknown-word", message, cell.span(node), help=suggest(value, words))
    return constant(value, expect if isinstance(expect, Word) else Word(words))
