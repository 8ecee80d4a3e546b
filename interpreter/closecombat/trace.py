"""What happened, as it happened: a tree of events that cite their rules. Recording only, no printing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from closecombat.model import Origin


@dataclass(slots=True)
class Event:
    """`what` is row, roll, choice, effect, reading or lots; `name` an id, `of` its subjects, `value` what came out."""

    what: str
    name: str
    of: str
    value: Any
    where: Origin | None
    causes: list[tuple[str, str, tuple[str, ...]]] = field(default_factory=list)  # row, what it gives, cites
    inside: list[Event] = field(default_factory=list)


class Recorder:
    """Collects events as a tree. Rows in which nothing happened leave no event."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self._open = [self.events]

    def add(self, event: Event) -> None:
        self._open[-1].append(event)

    @contextmanager
    def inside(self, event: Event, keep_empty: bool) -> Iterator[None]:
        """Events recorded in this block belong to `event`."""
        self._open.append(event.inside)
        try:
            yield
        finally:
            self._open.pop()
            if event.inside or keep_empty:
                self._open[-1].append(event)
