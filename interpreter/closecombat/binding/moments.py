"""What is asked as it was at a moment: `strength of unit at fire`, just before the row `fire` was last reached.

Whatever is asked so anywhere in the rules is written down whenever the row is reached, for each of whom it can be
asked; so it has a slot like any fact, and is proved like one. Who was not in play then has none of it: nobody, as
everything is before the row has been reached at all. What can be asked is a number, a flag or a word: a fact of
somebody, or a table, of those who are meant now. A longer chain, `leadership of director of attack at fire`, wants a
table of its own, so that it is plain who is meant when.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, TypeAlias

from closecombat.binding.names import Names, Scope
from closecombat.binding.terms import Env, Term, World, over
from closecombat.proving.values import symbolic as c
from closecombat.proving.values.symbolic import Value
from closecombat.reading import syntax as s
from closecombat.reading.model import Origin, Ruleset
from closecombat.reading.slots import moment_of
from closecombat.reading.syntax import Cell
from closecombat.reading.types import AThing, Flag, Number, Type, Word
from closecombat.text.faults import Faulty, suggest
from closecombat.text.slotted import dataclass, is_made
from closecombat.text.source import Span

AT = re.compile(r"\sat\s+\"?([a-z][a-z0-9-]*)")


@dataclass(frozen=True, slots=True)
class Moment:
    """A fact or table that is asked as it was when a row was reached, and the kinds of whom it is asked."""

    name: str
    about: tuple[str, ...]
    is_chart: bool


Written: TypeAlias = Mapping[str, tuple[Moment, ...]]  # for each row, what is written down when it is reached


def written_down(names: Names) -> Written:
    """What the rules ask of a moment."""
    ruleset = names.ruleset
    rows = {act.id for sequence in ruleset.sequences.values() for act in sequence.acts}
    charts = (ruleset.tables, ruleset.grids, ruleset.sequences, ruleset.groups)
    texts = {chart.where.place.source.text for several in charts for chart in several.values()}
    if not ruleset.changes and not any(row in rows for text in texts for row in AT.findall(text)):
        return {}  # most rules ask for no moment, and need not be looked through; a variant writes elsewhere
    return with_questions(names, {}, _cells(ruleset))


def with_questions(names: Names, written: Written, cells: Iterable[Cell]) -> Written:
    """The same, and what some sentences ask besides."""
    found = {row: dict.fromkeys(moments) for row, moments in written.items()}
    for cell in cells:
        for node in _readings(cell.node) if AT.search(cell.text) else ():
            found.setdefault(node.moment, {}).update(dict.fromkeys(_moments(names, node.path.names[0])))
    return {row: tuple(moments) for row, moments in found.items()}


def _moments(names: Names, name: str) -> Iterator[Moment]:
    chart = names.chart(name)
    if chart is not None:
        about = [names.subject_type(one, chart.where) for one in chart.about]
        if all(isinstance(one, AThing) for one in about):
            yield Moment(name, tuple(one.kind for one in about if isinstance(one, AThing)), True)
    for kind in names.ruleset.kinds.values():
        if chart is None and name in kind.facts and isinstance(kind.facts[name].type, Number | Flag | Word):
            yield Moment(name, (kind.name,), False)


def _cells(ruleset: Ruleset) -> list[Cell]:
    """Every sentence of a ruleset."""
    found: list[Cell] = []

    def gather(part: Any) -> None:  # is come to ten thousand times: what there is most of stands first
        kind = type(part)
        if kind is Cell:
            found.append(part)
        elif isinstance(part, tuple):
            for one in part:
                gather(one)
        elif is_made(kind):
            if kind is not Origin and kind is not Span:
                for name in kind.__match_args__:
                    gather(getattr(part, name))
        elif kind is not str and isinstance(part, Mapping):
            for one in part.values():
                gather(one)

    for several in (ruleset.tables, ruleset.grids, ruleset.sequences, ruleset.groups, ruleset.dice, ruleset.until):
        gather(several)
    return found


def _readings(node: Any) -> Iterator[s.Reading]:
    """Every reading of a sentence that asks for a moment."""
    if isinstance(node, s.Reading):
        if node.moment:
            yield node
    elif isinstance(node, tuple):
        for one in node:
            yield from _readings(one)
    elif is_dataclass(node):
        for field in fields(node):
            yield from _readings(getattr(node, field.name))


def at_moment(names: Names, cell: Cell, node: s.Reading, now: Term, scope: Scope) -> Term:
    """A reading as it was; `now` is the same as it is."""
    ruleset, name, owners = names.ruleset, node.path.names[0], node.path.names[1:]
    rows = [act.id for sequence in ruleset.sequences.values() for act in sequence.acts]
    where, row = cell.span(node), node.moment
    if rows.count(row) != 1:
        said = f"no row of a sequence is called `{row}`" if row not in rows else f"several rows are called `{row}`"
        help = suggest(row, set(rows) - {row}) or "give the row a name of its own"
        raise Faulty.one("unknown-name", said, where, help=help)
    if not isinstance(now.type, Number | Flag | Word) or len(owners) > 1 or (node.other and len(node.other.names) > 1):
        help = f"write a table, `then: {{about: .., is: {names_of(node)}}}`, and ask `then of .. at {row}`"
        raise Faulty.one("wrong-type", "this cannot be asked as it was at a moment", where, help=help)
    owner = _owner(names, cell, node, owners, scope)
    kind = owner.type.kind if owner is not None and isinstance(owner.type, AThing) else None
    other = names.reading(cell, node, node.other, None, scope, None) if node.other is not None else None
    wanted = [type.kind for type in (owner and owner.type, other and other.type) if isinstance(type, AThing)]
    asked = [one for one in _moments(names, name) if one.about == tuple(wanted) or (not one.is_chart and kind is None)]
    if not asked:
        said = f"of whom `{name}` is asked at `{row}` must be said"
        raise Faulty.one("unknown-name", said, where, help=f"write `{name} of .. at {row}`")
    whom = [one for one in (owner, other) if one is not None]
    about = asked[0].about
    names.uses.reads(moment_of(row))

    def run(world: World, env: Env) -> Value:
        if not whom:
            return world.at_moment(row, name, tuple(world.only(kind) for kind in about))
        first = whom[0].run(world, env)
        if len(whom) == 1:
            return over(world, first, lambda one: world.at_moment(row, name, (one,)))
        second = whom[1].run(world, env)
        return over(world, first, lambda one: over(world, second, lambda two: world.at_moment(row, name, (one, two))))

    if isinstance(now.type, Flag):
        return Term(lambda world, env: world.shop.lift(c.whole_flag, run(world, env)), now.type)
    type: Type = Number(nobody=True) if isinstance(now.type, Number) else now.type
    return Term(run, type)


def names_of(node: s.Reading) -> str:
    return " of ".join(node.path.names)


def _owner(names: Names, cell: Cell, node: s.Reading, owners: tuple[str, ...], scope: Scope) -> Term | None:
    """Who is meant now: he who is named, or who speaks; nobody where it is asked of the fight, or of nobody."""
    if owners:
        return names.reading(cell, node, s.Path(owners, node.path.at), None, scope, None)
    speaker = names.answers(cell, node, node.path.names[0], scope)
    if not speaker:
        return None
    return names.reading(cell, node, s.Path((speaker,), node.path.at), None, scope, None)
