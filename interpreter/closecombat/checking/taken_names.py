"""Names that a variant takes, or gives up: a sentence of its base that says the word, and is written as before, may
mean something else now.

Behind `where` a bare name is that of whoever is looked at. `any unit of side where (men is 0)` means the men of the
side as long as a unit has none; a variant that counts the men of a unit makes it theirs. So where a variant adds or
takes out a fact, a table or a set, whatever stands in both is bound by both, and what the two mean is held against each
other. Whether a name means anything at all is told where it is bound, and whether one hides another in one ruleset is
`leftovers`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from functools import partial
from typing import NamedTuple, TypeAlias

from closecombat.binding import trees as w
from closecombat.binding.charts import Bound
from closecombat.binding.names import Scope
from closecombat.binding.terms import SetTerm, Term
from closecombat.reading import model as m
from closecombat.reading.syntax import Cell
from closecombat.reading.types import Things
from closecombat.text.faults import Faults, Faulty
from closecombat.text.source import Span

WORD = re.compile(r"[\w-]+")
FOLLOWS = ("type", "always", "assumed", "words", "sort", "run")  # of a tree: what follows from what is meant
Makes: TypeAlias = Callable[[Bound], object]


class Said(NamedTuple):
    """Sentences that belong together, as a ruleset writes them, and how they are bound."""

    where: str
    cells: tuple[Cell, ...]
    bound: Makes


def check_taken_names(base: Bound, bound: Bound, faults: Faults) -> None:
    """Adds a warning of each sentence that is written in both alike, and means something else in the second."""
    before, after = _names(base.ruleset), _names(bound.ruleset)
    names = {name for _, name in before.keys() ^ after.keys()}
    if not names:
        return
    known = {one.where: one for one in _said(base.ruleset)}
    for new in _said(bound.ruleset):
        old, texts = known.get(new.where), [cell.text for cell in new.cells]
        if old is None or texts != [cell.text for cell in old.cells]:
            continue
        asked = [(cell, word) for cell in new.cells for word in WORD.finditer(cell.text) if word[0] in names]
        if not asked:
            continue
        try:
            was, now = _leaves(old.bound(base)), _leaves(new.bound(bound))
        except Faulty:
            continue  # it is told where it is bound
        was_so, is_so = next(((one, other) for one, other in zip(was, now, strict=False) if one != other), ((), ()))
        at = next(((cell, found) for cell, found in asked if found[0] in was_so or found[0] in is_so), None)
        if at is None:
            continue
        cell, word = at
        places = [place for key, place in after.items() if key[1] == word[0] and key not in before]
        faults.add(
            "ambiguous-name",
            f"`{word[0]}` means {_told(is_so)} here, and without this variant {_told(was_so)}",
            Span(cell.place.source, cell.place.start + word.start(), cell.place.start + word.end()),
            severity="warning",
            labels=((places[0], "what is called so now"),) if places else (),
            help="give what is new another name; or change the row, so that it says whose is meant",
        )


def _names(ruleset: m.Ruleset) -> dict[tuple[str, str], Span]:
    """All that a sentence may call by a name: whose, and how it is called."""
    found: dict[tuple[str, str], Span] = {}
    for kind in ruleset.kinds.values():
        for fact in kind.facts.values():
            found[kind.name, fact.name] = fact.where.place
            if isinstance(fact.type, Things):
                found[kind.name, fact.type.each] = fact.where.place
    charts: list[m.Table | m.Grid] = [*ruleset.tables.values(), *ruleset.grids.values()]
    for chart in charts:
        found[" ".join(("chart", *chart.about)), chart.name] = chart.where.place
    for group in ruleset.groups.values():
        for name in (group.name, group.each):
            found[" ".join(("group", *group.about)), name] = group.where.place
    return found


def _said(ruleset: m.Ruleset) -> Iterator[Said]:
    for table in ruleset.tables.values():
        path = f"tables.{table.name}"
        head = (table.value, table.otherwise, table.start, table.at_least, table.at_most)
        yield Said(path, _cells(head), partial(_head, table.name))
        for at, row in enumerate(table.rows):
            yield Said(f"{path}.{row.id}", _cells(row), partial(_row, table.name, at))
    for grid in ruleset.grids.values():
        asked = (grid.across, grid.down, grid.otherwise, grid.shift, grid.footnotes)
        yield Said(f"tables.{grid.name}", _cells(asked), partial(_asked_by, grid.name))
    for group in ruleset.groups.values():
        yield Said(f"groups.{group.name}", (group.members,), partial(_members, group.name))
    for one in ruleset.sequences.values():
        path = f"sequences.{one.name}"
        yield Said(path, _cells((one.until,)), partial(_until, one.name))
        for at, act in enumerate(one.acts):
            yield Said(f"{path}.{act.id}", _cells(act), partial(_act, one.name, at))


def _head(name: str, bound: Bound) -> object:
    table = bound.table(name)
    return table.value, table.otherwise, table.start, table.at_least, table.at_most


def _row(name: str, at: int, bound: Bound) -> object:
    return bound.table(name).rows[at]


def _asked_by(name: str, bound: Bound) -> object:
    grid = bound.grid(name)
    return grid.across, grid.down, grid.shift, grid.notes


def _members(name: str, bound: Bound) -> object:
    return bound.group(name)


def _until(name: str, bound: Bound) -> object:
    return bound.sequence(name).until


def _act(name: str, at: int, bound: Bound) -> object:
    return bound.sequence(name).acts[at]


def _cells(one: object) -> tuple[Cell, ...]:
    return tuple([part for part in w.within(one) if isinstance(part, Cell)])


# ---- what is meant ------------------------------------------------------------------------------------------


def _leaves(one: object) -> list[tuple[object, ...]]:
    """What something bound names, in order: each fact with who has it, each chart, each word. What is only given by its
    closure stands for nothing."""
    found: list[tuple[object, ...]] = []
    todo = [one]
    while todo:
        match todo.pop():
            case Term() | SetTerm() as term:
                todo.append(term.tree)
            case tuple() | list() as several:
                todo.extend(reversed(several))
            case m.Fact(kind, name):
                found.append(("of a fact", name, kind))
            case Scope() | m.Act() | m.Row() | w.Call() | w.CallSet():
                pass
            case w.OfFact(owner, fact) | w.MembersOf(owner, fact):
                found.append(("fact", fact, _who(owner)))
                todo.append(owner)
            case w.Asked(name, args):
                found.append(("table", name))
                todo.append(args)
            case w.InGroup(name, owners):
                found.append(("set", name))
                todo.append(owners)
            case w.Const(value):
                found.append(("word", value))
            case w.Name(name):
                found.append(("somebody", name))
            case part if is_dataclass(part):
                found.append((type(part).__name__,))
                todo.extend(getattr(part, each.name) for each in reversed(fields(part)) if each.name not in FOLLOWS)
    return found


def _who(owner: w.Tree) -> str:
    match owner:
        case w.Name(name) | w.Only(name):
            return name
    return ""


def _told(leaf: tuple[object, ...]) -> str:
    match leaf:
        case ("fact", _, "") | ("of a fact", _, ""):
            return "what somebody has"
        case ("fact" | "of a fact", _, whose):
            return f"that of the {whose}"
        case ("table" | "set" as what, name):
            return f"the {what} `{name}`"
        case ("word", value):
            return f"the word `{value}`"
    return "something else"
