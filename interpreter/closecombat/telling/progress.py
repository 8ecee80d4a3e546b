"""How far a long piece of work is: again and again on a terminal, elsewhere once that it takes a while.

Where the work itself does not say how far it is, a clock says after a while what is being done.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from itertools import count
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from closecombat.asking.sweeps.sweep import Going

FIRST = 100  # playings, from which on it is said how long the others take
PATIENCE = 1  # seconds before anything is said
BREATH = 0.2  # seconds between two showings


class Progress:
    """A line on stderr that says how far it is, once that has taken a while: on a terminal it is kept up to date."""

    def __init__(self, say: Callable[[str, bool], None], doing: str = "") -> None:
        self._say, self._started, self._shown, self._last = say, time.monotonic(), False, 0.0
        self._times = count()
        self._terminal = sys.stderr is not None and sys.stderr.isatty()
        self.latest = doing
        waits = doing and threading.TIMEOUT_MAX > PATIENCE
        self._clock = threading.Timer(PATIENCE, lambda: self._show(self.latest)) if waits else None
        if self._clock is not None:
            self._clock.daemon = True
            self._clock.start()

    def at(self, place: int, number: int, failed: int) -> None:
        """How far the examples are, file by file."""
        self.show(f"{place} of {number} files" + (f", {failed} failed" if failed else ""))

    def states(self, done: int, left: int) -> None:
        """How far a fight to the end is: its states worked out, and those it is known to lead to."""
        self.show(f"{done:,} states of the fight worked out, at least {left:,} to go")

    def tries(self, tried: int) -> None:
        """How many declarations have been held against the rules."""
        self.show(f"{tried:,} declarations tried")

    def rules(self, place: int, number: int) -> None:
        """How far the weighing of the rules of a fight is."""
        self.show(f"rule {place} of {number}")

    def choices(self, done: int, left: int) -> None:
        """How many choices have been decided."""
        self.show(f"{done:,} choices decided, {left:,} to go")

    def looked_over(self, done: int, of: int) -> None:
        """How many fights have been looked over."""
        self.show(f"{done:,} of {of:,} fights looked over")

    def fights(self, tried: int) -> None:
        """How many fights have been worked out, each with other declarations."""
        self.show(f"{tried:,} fights with other declarations worked out")

    def playings(self, played: int, of: int) -> None:
        """How many playings there have been, and how long the others will take at that pace. The first are slow, since
        all is got ready in them: what they took tells nothing of the others."""
        left = (time.monotonic() - self._started) * (of - played) / max(played, 1)
        self.show(f"{played:,} of {of:,} playings" + (f", {about_time(left)} left" if played >= FIRST else ""))

    def worths(self, done: int, of: int) -> None:
        """How many fights with something more or less have been worked out."""
        left = (time.monotonic() - self._started) * (of - done) / done if done else 0
        self.show(f"{done:,} of {of:,} fights" + (f", {about_time(left)} left" if done else ""))

    def sweep(self, going: Going) -> None:
        """How far a sweep is, and how long the rest will take."""
        left = "some time" if going.left_ns is None else about_time(going.left_ns / 10**9)
        self.show(f"{going.done:,} of {going.rows:,} rows, {going.worked_out:,} worked out, {left} left")

    def mutants(self, done: int, of: int, survived: int) -> None:
        """How many mutants have been tried, and how long the others will take at that pace."""
        if done:
            left = (time.monotonic() - self._started) * (of - done) / done
            self.show(f"{done:,} of {of:,} mutants, {survived:,} that no example would miss, {about_time(left)} left")

    def then(self, doing: str) -> None:
        """Another piece of the same work begins."""
        self._started, self.latest = time.monotonic(), doing

    def show(self, text: str) -> None:
        now, self.latest = time.monotonic(), text
        if now - self._started <= PATIENCE or now - self._last <= BREATH:
            return
        self._show(text)
        self._last = now

    def _show(self, text: str) -> None:
        if self._terminal:
            self._say(f"\r\033[K{text} ", False)
        elif next(self._times) == 0:  # the clock and the work may both come to it at once
            self._say(f"still at work: {text}", True)
        self._shown = True

    def done(self) -> None:
        """Takes away what it has shown, and says no more."""
        if self._clock is not None:
            self._clock.cancel()
        self.clear()
        self._shown = False

    def clear(self) -> None:
        """Takes away the line on a terminal, where something else is to be said."""
        if self._shown and self._terminal:
            self._say("\r\033[K", False)
            self._shown = False


def about_time(seconds: float) -> str:
    """A time as one would say it."""
    if seconds < 90:
        return f"about {max(round(seconds), 1)} s"
    minutes = round(seconds / 60)
    if minutes < 90:
        return f"about {minutes} min"
    return f"about {round(minutes / 60)} h" if minutes < 60 * 48 else f"about {round(minutes / 60 / 24)} days"
