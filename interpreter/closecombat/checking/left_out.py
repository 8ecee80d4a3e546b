"""Tables in which a row is missing, found by playing: one must hold, none need, and no `otherwise:` says what then.

What the rows leave out is proved where they ask nothing but what a situation may say as it likes
(`checking/tables`). Of a table that asks for more, `number of units of side`, nobody knows what comes of it: so small
situations are played, the table is asked whenever the rules ask for it, and it is told of only where a playing has come
to no row. That situation stands beside the finding. What only larger fights come to is not found.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from closecombat.binding.bound import BoundTable
from closecombat.binding.charts import Bound
from closecombat.checking.absent import AT_RANDOM, MOST_BOXES, MOST_WORK, SEEDS, at_random, said_of, small_fight
from closecombat.checking.axes import Axes, Denied, Formula, Several
from closecombat.checking.boxes import TooMuch, indexed, is_covered
from closecombat.checking.sound_before import once
from closecombat.checking.tables import ONE_COUNTS, asked_by, typed
from closecombat.checking.witness import situation_of
from closecombat.playing.fight import begin, go, losses, verdicts
from closecombat.proving.throws.dice import SeededDice, WildDice
from closecombat.reading.fields import entries
from closecombat.text.faults import Faults, Faulty
from closecombat.text.nodes import Node

CODE = "no-row-applies"  # what a playing says then


def check_left_out(bound: Bound, document: Node, faults: Faults, rules: str = "") -> None:
    """Adds warnings of tables that have come to no row; `bound` must be without faults, and what is proved of it told.
    `rules` stands for its texts, if nothing else makes it what it is (`sound_before`)."""
    keys = {key.value: key.span for key, _ in entries(document, "tables")}
    told = [one.span for one in faults.diagnostics if one.code == "no-row-for"]
    for name in bound.ruleset.tables:
        table = bound.table(name)
        place = keys.get(name, table.table.where.place)
        if table.table.policy not in ONE_COUNTS or table.table.otherwise is not None or not table.rows:
            continue
        if place in told or _has_every_row(bound, table):
            continue
        text = once(rules, ("no row for", name), partial(_left_out_in, bound, table))
        if text:
            said = f"no row of `{name}` holds in a small fight, which stops there"
            help = "add a row for it, or `otherwise:`"
            faults.add("no-row-for", said, place, severity="warning", help=help, example=text)


def _has_every_row(bound: Bound, table: BoundTable) -> bool:
    """Whether some row holds of everybody, whatever else is so."""
    asked = [asked_by(row) for row in table.rows if not row.each and row.row.id not in table.blockers]
    axes = Axes(asked, table.table.about, typed(bound))
    try:
        boxes = indexed(axes.space, [box for one in asked for box in axes.boxes(one)])
        return is_covered(axes.space, axes.declared(), boxes)
    except TooMuch:
        return False


def _left_out_in(bound: Bound, table: BoundTable) -> str:
    """The first of small situations in which no row holds; none if there is none."""
    for text in dict.fromkeys(_situations(bound, table)):
        for seed in range(SEEDS if text else 0):
            if _comes_to_no_row(bound, table, text, seed):
                return text
    return ""


def _comes_to_no_row(bound: Bound, table: BoundTable, text: str, seed: int) -> bool:
    try:
        run = begin(small_fight(bound, text), WildDice(seed))
        run.may_spend(MOST_WORK)
        go(run)
        verdicts(run)
        losses(run)
    except Faulty as error:
        return any(one.code == CODE and one.span == table.table.where.place for one in error.diagnostics)
    except RecursionError:
        return False
    return False


def _situations(bound: Bound, table: BoundTable) -> Iterator[str]:
    """Situations in which no row need hold, as far as a situation can say so, and others at random."""
    kinds = {kind.name: kind.name for kind in bound.ruleset.kinds.values() if not kind.one}
    kinds |= {f"another {kind}": kind for kind in kinds.values()}
    none: Formula = Several(tuple(Denied(asked_by(row)) for row in table.rows), True)
    axes = Axes([none], tuple(kinds), typed(bound))
    try:
        boxes = axes.boxes(none)[:MOST_BOXES]
    except TooMuch:
        boxes = []
    points = [(axes, said_of(bound, axes, box)) for box in (*boxes, {})]
    points += [at_random(bound, kinds, none, (), SeededDice(seed)) for seed in range(AT_RANDOM)]
    for its, point in points:
        yield situation_of(bound.ruleset, kinds, its, point)
