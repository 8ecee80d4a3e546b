"""Dice, cards and choices that are read where nothing can have settled them yet: a row stands before the one that does,
or both happen at once, and what happens at once is judged on what was so before.

Such a row is read aloud as if it worked: in the first pass it asks of nobody, and in a later one of the throw before.
The rows are gone through in the order of play, each repetition once, and whatever is settled on one way that the play
can take counts as settled. A row that asks whether there has been a throw (`dr is nobody`) knows what it does. A choice
that nobody has been asked for is what a silent situation makes it, and tables that serve many rows read it; it is held
only against what happens at once with it. What is counted up or down is settled all along: only of a row by which
somebody leaves, as one with no hits left does, it is told that he goes by what he had before.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import TypeAlias

from closecombat.binding.bound import (
    BoundAct,
    BoundChange,
    BoundChoose,
    BoundDeal,
    BoundLeave,
    BoundPlay,
    BoundRoll,
    BoundSequence,
)
from closecombat.binding.charts import Bound
from closecombat.checking.soundness import played
from closecombat.checking.whose import FactKey, Party, Read, Readings
from closecombat.reading.model import Fact
from closecombat.text.faults import Faults
from closecombat.text.slotted import dataclass
from closecombat.text.source import Span

Settled: TypeAlias = frozenset[FactKey]


@dataclass(frozen=True, slots=True)
class _Soon:
    """What a row reads too soon, and the row that settles it, all at once or later."""

    act: BoundAct
    read: Read
    settling: BoundAct
    at_once: bool


def check_too_soon(bound: Bound, faults: Faults) -> None:
    """Warns of each row that reads what is only settled later, or meanwhile. All of a ruleset must be bound already,
    and without a fault."""
    for one in (*_walked(bound), *_leaving(bound)):
        fact, row, other = one.read.fact[1], one.act.act, one.settling.act
        settled = _how(one.settling)
        if one.at_once:
            said = f"`{row.id}` reads `{fact}`, which is {settled} at the same time, and so asks what it was before"
            help = f"put `{other.id}` into a sequence that is played before this one, or let these rows be `in-order`"
        else:
            said = f"`{row.id}` reads `{fact}`, which is {settled} later: it is nobody, or what it was before"
            help = f"put `{row.id}` behind `{other.id}`, or ask whether `{fact}` is nobody"
        labels = ((other.where.place, f"{settled} here"),)
        faults.add("read-too-soon", said, row.where.place, severity="warning", labels=labels, help=help)


def _walked(bound: Bound) -> Iterable[_Soon]:
    settling: dict[FactKey, BoundAct] = {}
    for name in sorted(played(bound)):
        for act in bound.sequence(name).acts:
            fact = _settled(act)
            if fact is not None and not fact.is_hand:
                settling.setdefault(_key(fact), act)
    if not settling:
        return ()
    walk = _Walk(bound, Readings(bound), settling)
    settled: Settled = frozenset()
    for name in (bound.ruleset.start, bound.ruleset.between):
        if name in bound.ruleset.sequences:
            settled = walk.sequence(name, settled)
    return walk.found.values()


def _leaving(bound: Bound) -> Iterable[_Soon]:
    """Rows by which somebody leaves who asks for a number that a row at once with them changes."""
    readings = Readings(bound)
    for name in sorted(played(bound)):
        sequence = bound.sequence(name)
        if sequence.sequence.order != "at-once":
            continue
        changing = {
            _key(one.fact): act for act in sequence.acts for one in act.effects if isinstance(one, BoundChange)
        }
        for act in sequence.acts:
            if any(isinstance(one, BoundLeave) for one in act.effects):
                for read in readings.tests(act, Party()):
                    if (other := changing.get(read.fact)) is not None and other is not act:
                        yield _Soon(act, read, other, True)
                        break


@dataclass(slots=True)
class _Walk:
    """What may have been settled, row after row."""

    bound: Bound
    readings: Readings
    settling: Mapping[FactKey, BoundAct]
    found: dict[tuple[Span, FactKey], _Soon] = field(default_factory=dict)
    done: dict[tuple[str, Settled], Settled] = field(default_factory=dict)

    def sequence(self, name: str, settled: Settled) -> Settled:
        """Goes through a sequence, and says what may be settled behind it."""
        key = (name, settled)
        if key not in self.done:
            bound, after = self.bound.sequence(name), settled
            for act in bound.acts:
                after |= self._row(act, settled if bound.sequence.order == "at-once" else after, bound)
            self.done[key] = after
        return self.done[key]

    def _row(self, act: BoundAct, settled: Settled, bound: BoundSequence) -> Settled:
        self._note(act, self.readings.tests(act, Party()), settled, bound)
        fact = _settled(act)
        after = settled if fact is None else settled | {_key(fact)}
        if isinstance(act.verb, BoundPlay):
            after = self.sequence(act.verb.sequence, after)
        self._note(act, (read for _, read in self.readings.asking(act, Party())), after, bound)
        self._note(act, self.readings.done(act), after, bound)
        return after

    def _note(self, act: BoundAct, reads: Iterable[Read], settled: Settled, bound: BoundSequence) -> None:
        found = [read for read in reads if read.fact in self.settling and read.fact not in settled]
        known = {read.fact for read in found if read.is_there}
        for read in found:
            other = self.settling[read.fact]
            at_once = bound.sequence.order == "at-once" and any(one is other for one in bound.acts)
            if read.fact not in known and (at_once or not isinstance(other.verb, BoundChoose)):
                self.found.setdefault((act.act.where.place, read.fact), _Soon(act, read, other, at_once))


def _settled(act: BoundAct) -> Fact | None:
    return act.verb.fact if isinstance(act.verb, BoundRoll | BoundDeal | BoundChoose) else None


def _how(act: BoundAct) -> str:
    match act.verb:
        case BoundRoll():
            return "thrown"
        case BoundDeal():
            return "dealt"
        case BoundChoose():
            return "chosen"
    return "changed"


def _key(fact: Fact) -> FactKey:
    return fact.kind, fact.name
