"""Tables of which one row must hold, and none does, or two do: found by playing.

Both are proved where rows ask nothing but what a situation may say as it likes (`checking/tables`). Of a table that
asks for more, `number of units of side` or another table, nobody knows what comes of it: so small situations are
played, the table is asked whenever the rules ask for it, and it is told of only where a playing has stopped there. That
situation stands beside the finding. What only larger fights come to is not found.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import combinations

from closecombat.binding.bound import BoundTable
from closecombat.binding.charts import Bound
from closecombat.checking.axes import Axes, Denied, Formula, Several
from closecombat.checking.boxes import TooMuch, indexed, is_covered
from closecombat.checking.small_fights import (
    AT_RANDOM,
    MOST_BOXES,
    SEEDS,
    at_random,
    declared_kinds,
    said_of,
    small_fight,
    some_of_each,
    stopped_by,
)
from closecombat.checking.sound_before import once
from closecombat.checking.tables import ONE_COUNTS, asked_by, typed
from closecombat.checking.witness import situation_of
from closecombat.playing.fight import Fight
from closecombat.proving.throws.dice import SeededDice
from closecombat.reading.fields import entries
from closecombat.reading.types import AThing
from closecombat.text.faults import Faults
from closecombat.text.nodes import Node

NONE, SEVERAL = "no-row-applies", "several-rows-apply"  # what a playing says then


def check_left_out(bound: Bound, document: Node, faults: Faults, rules: str = "") -> None:
    """Adds warnings of tables that have come to no row, or to several; `bound` must be without faults, and what is
    proved of it told. `rules` stands for its texts, if nothing else makes it what it is (`sound_before`)."""
    keys = {key.value: key.span for key, _ in entries(document, "tables")}
    told = {(one.code, one.span) for one in faults.diagnostics}
    for name in bound.ruleset.tables:
        table = bound.table(name)
        place = keys.get(name, table.table.where.place)
        if table.table.policy not in ONE_COUNTS or not table.rows:
            continue
        if table.table.otherwise is None and ("no-row-for", place) not in told and not _has_every_row(bound, table):
            _, text = _met(bound, table, NONE, rules)
            if text:
                said = f"no row of `{name}` holds in a small fight, which stops there"
                help = "add a row for it, or `otherwise:`"
                faults.add("no-row-for", said, place, severity="warning", help=help, example=text)
        is_told = any(("rows-overlap", row.row.where.place) in told for row in table.rows)
        if table.table.policy == "one-of" and not is_told:
            _check_several(bound, table, faults, rules)


def _check_several(bound: Bound, table: BoundTable, faults: Faults, rules: str) -> None:
    """Warns of two rows that have held at once."""
    if _exclude_each_other(bound, table):
        return
    name, places = table.table.name, {row.row.id: row.row.where.place for row in table.rows}
    ids, text = _met(bound, table, SEVERAL, rules)
    if text:
        first, second = ids
        said = f"`{first}` and `{second}` of `{name}` both hold in a small fight, which stops there"
        labels, help = ((places[first], "this one too"),), "make them exclude each other, or use `first-of:`"
        faults.add("rows-overlap", said, places[second], severity="warning", labels=labels, help=help, example=text)


def _exclude_each_other(bound: Bound, table: BoundTable) -> bool:
    """Whether no two rows ever hold at once, whatever else is so."""
    if any(row.each for row in table.rows):  # two may hold of two
        return False
    asked = [asked_by(row) for row in table.rows]
    axes = Axes(asked, table.table.about, typed(bound))
    try:
        return not any(axes.boxes(Several(two, True)) for two in combinations(asked, 2))
    except TooMuch:
        return False


def _has_every_row(bound: Bound, table: BoundTable) -> bool:
    """Whether some row holds of everybody, whatever else is so."""
    asked = [asked_by(row) for row in table.rows if not row.each and row.row.id not in table.blockers]
    axes = Axes(asked, table.table.about, typed(bound))
    try:
        boxes = indexed(axes.space, [box for one in asked for box in axes.boxes(one)])
        return is_covered(axes.space, axes.declared(), boxes)
    except TooMuch:
        return False


def _met(bound: Bound, table: BoundTable, code: str, rules: str) -> tuple[list[str], str]:
    """The rows that held where a small situation stopped, and that situation; nothing if there is none."""
    ids, _, text = once(rules, (code, table.table.name), partial(_met_in, bound, table, code)).partition("\n")
    return ids.split(), text


def _met_in(bound: Bound, table: BoundTable, code: str) -> str:
    """The first of small situations in which a table stops a fight so, below a line with the rows that held."""
    for text in dict.fromkeys(_situations(bound, table, code)):
        fight = small_fight(bound, text) if text else None
        for seed in range(SEEDS if fight else 0):
            ids = _stopped_by(fight, table, code, seed) if fight else None
            if ids is not None:
                return " ".join(ids) + "\n" + text
    return ""


def _stopped_by(fight: Fight, table: BoundTable, code: str, seed: int) -> tuple[str, ...] | None:
    """The rows of a table by which a playing has stopped so, if it has."""
    rows = {row.row.where.place: row.row.id for row in table.rows}
    for one in stopped_by(fight, seed):
        if one.code == NONE == code and one.span == table.table.where.place:
            return ()
        if one.code == SEVERAL == code and one.span in rows and one.labels:  # else one row, which holds of two
            return rows[one.labels[0][0]], rows[one.span]
    return None


def _situations(bound: Bound, table: BoundTable, code: str) -> Iterator[str]:
    """Situations in which no row need hold, or two may, as far as a situation can say so, and others at random."""
    subjects = {name: type.kind for name in table.table.about if isinstance(type := table.scope.find(name), AThing)}
    about = {name: kind for name, kind in subjects.items() if kind not in declared_kinds(bound)}
    asked = [asked_by(row) for row in table.rows]
    wanted: Formula = Several(tuple(Denied(one) for one in asked), True)
    if code == SEVERAL:
        wanted = Several(tuple(Several(two, True) for two in combinations(asked, 2)), False)
    if len(about) < len(table.table.about):  # nothing can be said of whom it is about
        wanted = True
    both = about | {f"another {kind}": kind for kind in about.values()}  # so that there is one on either side
    axes = Axes([wanted], tuple(about), typed(bound))
    try:
        boxes = axes.boxes(wanted)[:MOST_BOXES]
    except TooMuch:
        boxes = []
    for box in (*boxes, {}):
        yield situation_of(bound.ruleset, both, axes, said_of(bound, axes, box))
    for seed in range(AT_RANDOM):
        random = SeededDice(seed)
        kinds = some_of_each(bound, random, about)
        its, point = at_random(bound, kinds, wanted, (), random)
        yield situation_of(bound.ruleset, kinds, its, point)
