"""Sentences that look for those who have left among those who have not: a plural holds only those in play, so that
`units where (not in-play)` is nobody.

It reads as if it counted the fallen. Told is only what can never be so once whoever is in a set is taken to be in play,
and might be else; sets of the start (`units-at-start`) hold those who have left too.
"""

from __future__ import annotations

from collections.abc import Iterator

from closecombat.binding import trees as w
from closecombat.binding.charts import Bound
from closecombat.binding.terms import Term
from closecombat.checking.axes import Axes, formula, replaced
from closecombat.checking.boxes import TooMuch
from closecombat.checking.given import sentences_of
from closecombat.checking.tables import TypeOf, typed
from closecombat.reading.syntax import Cell
from closecombat.text.faults import Faults, Faulty


def check_gone(bound: Bound, faults: Faults) -> None:
    """Adds a warning of each sentence that asks for who has left of a set that holds only those in play."""
    type_of = typed(bound)
    told: set[int] = set()
    for cell, term in _sentences(bound):
        for name, one in _asked_of_members(term.tree):
            here = replaced(one, w.IsInPlay(w.Name(name)), w.const(True))
            if here != one and cell.place.start not in told and _never(type_of, here) and not _never(type_of, one):
                told.add(cell.place.start)
                asks = f"`{cell.text}` asks" if "in-play" in cell.text else "here is asked"
                said = f"{asks} for who has left among those who are in play: that is never so"
                help = "a set of the start has them still: `units-at-start`, `units-at-start of side`"
                faults.add("never-so", said, cell.place, severity="warning", help=help)


def _sentences(bound: Bound) -> Iterator[tuple[Cell, Term]]:
    yield from sentences_of(bound)
    for name in bound.ruleset.sequences:
        try:
            acts = bound.sequence(name).acts
        except Faulty:  # said where it is bound
            continue
        for act in acts:
            for effect, cell in zip(act.effects, act.act.effects, strict=True):
                value = getattr(effect, "value", None)
                if isinstance(value, Term):
                    yield cell, value
    until = bound.until()
    if until is not None and bound.ruleset.until is not None:
        yield bound.ruleset.until, until


def _asked_of_members(tree: w.Tree) -> Iterator[tuple[str, w.Tree]]:
    """What is asked of the members of sets of those in play, and by which name each goes in it."""
    for one in w.within(tree):
        match one:
            case w.Where(of=of, fits=fits, each=each) if _in_play(of):
                yield each, fits
            case w.Quantified(of=of, check=check, each=each) if check is not None and _in_play(of):
                yield each, check


def _in_play(of: w.SetTree) -> bool:
    while isinstance(of, w.Where | w.AllBut):
        of = of.of
    return isinstance(of, w.MembersOf | w.Everyone) and not of.at_start


def _never(type_of: TypeOf, tree: w.Tree) -> bool:
    asked = formula(tree)
    try:
        return not Axes([asked], (), type_of).boxes(asked)
    except TooMuch:
        return False
