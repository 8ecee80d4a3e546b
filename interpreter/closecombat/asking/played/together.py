"""Many playings of one fight carried out together, in batches: the program of all its dice, with dice (`sampling`).

The statistics are those of `playings`, and the chances behind them are the same. But the dice are others: batch `n` of
seed `s` has dice of its own, made from the two and from nothing else, and no playing in it has a story that could be
told. Whoever asks for it says so, so that one command line has one answer wherever it is given.

What cannot be carried out together, since its program is too large, is played one by one: that hangs on the fight and
on nothing else, and the statistics say so.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import islice
from typing import TYPE_CHECKING

from closecombat.asking.crews.batches import Crew
from closecombat.asking.exact.answers import Assumption
from closecombat.asking.exact.chances import assumptions, left_open
from closecombat.asking.exact.questions import as_texts
from closecombat.asking.exact.weighing import kinds_by
from closecombat.asking.played.playings import (
    Facts,
    Order,
    Statistics,
    Tally,
    Times,
    Way,
    facts_of,
    fight_of,
    plain_value,
    play_often,
    read_anew,
)
from closecombat.playing.fight import (
    Fight,
    asked,
    at_first,
    begin,
    changes,
    go,
    losses,
    sampler,
    settle_notes,
    verdicts,
)
from closecombat.playing.run import Run
from closecombat.proving.values.symbolic import Value
from closecombat.reading.types import exact
from closecombat.text.faults import Faulty
from closecombat.text.slotted import dataclass

if TYPE_CHECKING:
    from closecombat.proving.at_once.arrays import Coding, Column
    from closecombat.proving.at_once.sampling import Sampler

BATCH = 1 << 15  # playings: a column of them is short enough to be at hand, and long beside what an array costs
ONLY_TOGETHER = ("budget-exceeded", "order-unknown")  # codes of what one playing knows, and many together do not


class Unfit(Exception):
    """Some playings could not be carried out together; the message of the fault."""


@dataclass(frozen=True, slots=True)
class _Ready:
    """A fight made ready: what is asked of each end, in the order of the columns."""

    fight: Fight
    run: Run
    sampler: Sampler
    sides: tuple[str, ...]
    losers: tuple[str, ...]
    facts: tuple[tuple[str, str, Value], ...]  # whose, which, and what it was at first
    questions: int
    counts_combats: bool


def play_together(
    order: Order, times: int, crew: Crew, exactly: bool = False, watch: Callable[[int, int], None] | None = None
) -> Statistics:
    """The statistics of so many playings, carried out together if that can be; Faulty as `play_often`, and where numpy
    is not installed."""
    _numpy()
    read_anew()
    _ready.cache_clear()
    try:
        ready = _ready(order, threading.get_ident())
        way = Way(BATCH, partial(_tallied, order, times))
        found = play_often(order, times, crew, exactly, watch, way)
    except Unfit as error:
        return replace(play_often(order, times, crew, exactly, watch), alone_because=str(error))
    settle_notes(ready.fight, ready.run, order.until_resolved)
    met = set(assumptions(ready.fight.bound.ruleset, ready.run.notes))
    listed = [Assumption(id, text) for id, text in ready.fight.bound.ruleset.assumptions.items()]
    return replace(found, assumptions=[one for one in listed if one in met], remarks=tuple(left_open(ready.run.notes)))


def _numpy() -> None:
    try:
        import closecombat.proving.at_once.arrays  # noqa: F401 - only whether it can be had
    except ImportError:
        raise Faulty.one(
            "cannot-read",
            "playings are carried out together by numpy, which is not installed",
            None,
            help="`pip install 'closecombat[fast]'`, or leave out --fast: then they are played one by one",
        ) from None


@lru_cache(maxsize=2)
def _ready(order: Order, thread: int) -> _Ready:
    """The fight of an order made ready, once in each thread."""
    try:
        return _made_ready(order)
    except Faulty as error:
        raise Unfit(error.diagnostics[0].message) from None
    except RecursionError:
        raise Unfit("its values hang on each other too deeply") from None


def _made_ready(order: Order) -> _Ready:
    fight = fight_of(order)
    kinds = kinds_by(fight.bound.ruleset, order.by)
    run = begin(fight, None)
    run.may_spend(order.most_work)
    run.count_combats()
    go(run, order.until_resolved)
    ends, losing = verdicts(run), losses(run)
    changed = {thing: named for thing, named in (changes(run) if kinds else {}).items() if thing.kind in kinds}
    facts = {(thing, name): value for thing, named in changed.items() for name, value in sorted(named.items())}
    answers = [asked(run, text)[0] for text in as_texts(order.questions)]
    counts_combats = order.until_resolved or fight.combats > 1
    combats = [run.fought] if counts_combats else []
    values = [*ends.values(), *losing.values(), *facts.values(), *answers, *combats]
    return _Ready(
        fight,
        run,
        sampler(run, values),
        tuple(thing.name for thing in ends),
        tuple(thing.name for thing in losing),
        tuple((thing.name, name, at_first(run, thing, name)) for thing, name in facts),
        len(answers),
        counts_combats,
    )


def _tallied(order: Order, times: int, numbers: tuple[int, ...]) -> Tally:
    """What the batches of these numbers have come to."""
    ready, out = _ready(order, threading.get_ident()), Tally()
    for number in numbers:
        before = (number - 1) * BATCH
        out.add(_batch(ready, order.seed, number, before, min(BATCH, times - before)))
    return out


def _batch(ready: _Ready, seed: int, number: int, before: int, size: int) -> Tally:
    out = Tally(size)
    try:
        found = ready.sampler.batch(seed, number, size)
    except Faulty as error:
        raise Unfit(error.diagnostics[0].message) from None
    for one in sorted(found.refused, key=lambda one: one.first):
        fault = one.error.diagnostics[0]
        if fault.code in ONLY_TOGETHER:
            raise Unfit(fault.message)
        out.refused.setdefault((fault.code, fault.message), Times()).add(Times(one.times, before + one.first + 1))
    if not len(found.playings):
        return out
    columns = iter(zip(found.columns, found.codings, strict=True))
    sides, losing = list(islice(columns, len(ready.sides))), list(islice(columns, len(ready.losers)))
    facts, answers = list(islice(columns, len(ready.facts))), list(islice(columns, ready.questions))

    def times(row: int, many: int) -> Times:
        return Times(many, before + int(found.playings[row]) + 1)

    ends: list[Times] = []
    places, groups = _groups([*sides, *facts], len(found.playings))
    which = places, len(groups).bit_length()
    for row, many in groups:
        words, values = _values(sides, row), _values(facts, row)
        verdicts = tuple((side, str(word)) for side, word in zip(ready.sides, words, strict=True))
        ends.append(out.ends.setdefault((verdicts, _changed(ready, values)), Times()))
        ends[-1].add(times(row, many))
    for side, (column, coding) in zip(ready.losers, losing, strict=True):
        amounts = [exact(value) for value in coding.values]
        for row, many in _groups([(column, coding)], len(column))[1]:
            out.losses.setdefault((side, amounts[column[row]]), Times()).add(times(row, many))
        for row, many in _groups([which, (column, coding)], len(column))[1]:
            end = ends[places[row]]
            end.lost[side] = end.lost.get(side, 0) + amounts[column[row]] * many
    for place, (column, coding) in enumerate(answers):
        for row, many in _groups([(column, coding)], len(column))[1]:
            value = plain_value(coding.values[column[row]])
            out.answers.setdefault((place, value), Times()).add(times(row, many))
    for column, coding in columns:
        for row, many in _groups([(column, coding)], len(column))[1]:
            out.combats.setdefault(coding.values[column[row]], Times()).add(times(row, many))
    return out


def _groups(columns: Sequence[tuple[Column, Coding | int]], size: int) -> tuple[Column, list[tuple[int, int]]]:
    """For each playing which combination of values it has come to; and of each combination the first playing, and how
    many there are."""
    from closecombat.proving.at_once.arrays import counted, filled, grouped

    if not columns:
        return filled(size, 0), [(0, size)]
    bits = [coding if isinstance(coding, int) else coding.bits for _, coding in columns]
    places, first = grouped([column for column, _ in columns], bits)
    return places, list(zip(first.tolist(), counted(places, len(first)), strict=True))


def _values(columns: Sequence[tuple[Column, Coding]], row: int) -> list[Value]:
    return [coding.values[column[row]] for column, coding in columns]


def _changed(ready: _Ready, values: Sequence[Value]) -> Facts:
    """What has changed of whom, as the ends of playings say it."""
    out: dict[str, dict[str, Value]] = {}
    for (who, name, before), value in zip(ready.facts, values, strict=True):
        if value != before:
            out.setdefault(who, {})[name] = value
    return tuple((who, facts_of(facts)) for who, facts in out.items())
