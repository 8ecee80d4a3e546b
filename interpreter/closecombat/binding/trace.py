"""What happened, as it happened: a tree of events that cite their rules. Recording only, no printing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import field

from closecombat.proving.values.symbolic import Value
from closecombat.reading.model import Origin
from closecombat.reading.slots import Slot
from closecombat.text.slotted import dataclass


@dataclass(slots=True)
class Event:
    """`what` is row, failed, roll, choice, effect, reading, order or lots; `name` an id, `of` its subjects, `value`
    what came out, `because` the arithmetic behind it."""

    what: str
    name: str
    of: str
    value: Value
    where: Origin | None
    causes: list[tuple[str, str, tuple[str, ...]]] = field(default_factory=list)  # row, what it gives, cites
    inside: list[Event] = field(default_factory=list)
    because: str = ""
    by_chance: bool = False  # whether dice or cards have kept something from being so


class Recorder:
    """Collects events as a tree. Rows in which nothing happened leave no event."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self._open = [self.events]
        self.sums: list[tuple[Event, Slot, Value, Value]] = []  # added or taken together: where, from what, how much
        self._reading: list[dict[str, list[str]]] = []

    def add(self, event: Event) -> None:
        self._open[-1].append(event)

    @property
    def now(self) -> int:
        """How much has been told so far, of what is being told."""
        return len(self._open[-1])

    def since(self, then: int) -> tuple[Event, ...]:
        """What has been told since."""
        return tuple(self._open[-1][then:])

    def has_told(self, events: Iterable[Event]) -> None:
        """What was told in another playing is told again."""
        self._open[-1].extend(events)

    def reason(self, row: str, text: str) -> None:
        """Notes the arithmetic of a row of the chart that is being read, or of the chart itself."""
        if self._reading and (text or row):  # of a row, each time that it counts has its place
            self._reading[-1].setdefault(row, []).append(text)

    def begin_reading(self, event: Event) -> dict[str, list[str]]:
        """What is read and reasoned until its end belongs to the reading of a chart."""
        reasons: dict[str, list[str]] = {}
        self._reading.append(reasons)
        self._open.append(event.inside)
        return reasons

    def end_reading(self, event: Event) -> None:
        self._reading.pop()
        self._open.pop()
        self._open[-1].append(event)

    @contextmanager
    def inside(self, event: Event) -> Iterator[None]:
        """Events recorded in this block belong to `event`, which is told if there are any."""
        self._open.append(event.inside)
        try:
            yield
        finally:
            self._open.pop()
            if event.inside:
                self._open[-1].append(event)
