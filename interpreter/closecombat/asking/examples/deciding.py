"""Which rows decided something, with the numbers they counted by: asked only where an expectation was missed.

A chart is asked once more with somebody who writes down what is told (`binding/trace`); of what a fact has come to, the
rows that wrote to its owner are looked up in the story of the playing. Nothing of it is noted or remembered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from closecombat.binding.trace import Event
from closecombat.playing.run import Run
from closecombat.reading.model import Ruleset
from closecombat.reading.types import shown
from closecombat.text.faults import Faulty
from closecombat.text.slotted import dataclass
from closecombat.text.source import Span

MOST_ROWS = 8  # that are told of one value


@dataclass(frozen=True, slots=True)
class Deciding:
    """A row that decided, or a chart where no row did: what it gave, by which numbers, and where it is written."""

    name: str
    said: str
    cites: tuple[str, ...]
    place: Span | None


def rows_behind(run: Run, ask: Callable[[], object]) -> tuple[Deciding, ...]:
    """The rows by which charts came to what is asked, the outermost chart first; where dice are still to fall, those
    that count however they do."""
    try:
        events = run.told_again(ask)
    except Faulty:
        return ()
    found = dict.fromkeys(one for event in events for one in _of_reading(run.ruleset, event))
    return tuple(found)[:MOST_ROWS]


def _of_reading(ruleset: Ruleset, event: Event) -> Iterator[Deciding]:
    if event.what == "reading":
        table = ruleset.tables.get(event.name)
        places = {row.id: row.where.place for row in table.rows} if table is not None else {}
        name = f"{event.name}{event.of}"
        for row, gives, cites in event.causes:
            yield Deciding(f"{name}, row {row}", gives, cites, places.get(row))
        if not event.causes and event.where is not None:
            none = "no row holds, so " if places else ""
            because = f": {event.because}" if event.because else ""
            yield Deciding(name, f"{none}it is {shown(event.value)}{because}", event.where.cites, event.where.place)
    for inner in event.inside:
        if inner.value is not False or inner.causes:  # a plain no decides little
            yield from _of_reading(ruleset, inner)


def rows_that_wrote(events: Iterable[Event], thing: str, fact: str) -> tuple[Deciding, ...]:
    """The last step of a playing that did something to a thing: to that fact of it, if any did."""
    found = [
        (f" {fact}" in f" {effect.name}", row, effect)
        for row, effect in _effects(events, None)
        if effect.of == f" of {thing}"
    ]
    for only_this in (True, False):
        for is_this, row, effect in reversed(found):
            if (is_this or not only_this) and row is not None:
                since = f", since {row.because}" if row.because else ""
                where = row.where
                cites, place = (where.cites, where.place) if where is not None else ((), None)
                return (Deciding(f"step {row.name}{row.of}", f"{thing}: {effect.name}{since}", cites, place),)
    return ()


def _effects(events: Iterable[Event], row: Event | None) -> Iterator[tuple[Event | None, Event]]:
    for event in events:
        if event.what == "effect":
            yield row, event
        yield from _effects(event.inside, event if event.what == "row" else row)
