"""The results of examples, as text and as JSON."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterable, Sequence

from closecombat.collection import Tested
from closecombat.report import diagnostics_text

PATIENCE = 1
BREATH = 0.2  # seconds between two showings


def tests_text(tested: Sequence[Tested]) -> str:
    """Each failing example with what is wrong and where, then a line for each ruleset, then the sum."""
    out = []
    for one in tested:
        if not one.passed:
            out.append(f"FAILED {one.result.id} ({one.ruleset or 'no ruleset'})\n")
            out.append(diagnostics_text(one.result.faults) + "\n")
    rulesets = list(dict.fromkeys(one.ruleset for one in tested))
    widest = max(len(name) for name in rulesets)
    for name in rulesets if len(rulesets) > 1 else ():
        mine = [one for one in tested if one.ruleset == name]
        out.append(f"{name or '-':{widest}}  {count(mine)}\n")
    out.append(count(tested) + "\n")
    return "".join(out)


def count(tested: Sequence[Tested]) -> str:
    failed = sum(not one.passed for one in tested)
    said = f"{len(tested)} example{'s' * (len(tested) != 1)}"
    return f"{said}, {len(tested) - failed} passed" + (f", {failed} failed" if failed else "")


def tests_json(tested: Iterable[Tested]) -> str:
    examples = []
    for one in tested:
        line, _ = one.result.place.source.position(one.result.place.start)
        examples.append(
            {
                "id": one.result.id,
                "ruleset": one.ruleset,
                "passed": one.passed,
                "file": one.result.place.source.name,
                "line": line,
                "exercises": list(one.result.exercises),
                "faults": [{"code": fault.code, "message": fault.message} for fault in one.result.faults],
            }
        )
    return (
        json.dumps({"format_version": 1, "command": "test", "examples": examples}, indent=2, ensure_ascii=False) + "\n"
    )


class Progress:
    """A line on a terminal's stderr that says how far it is, once that has taken a while."""

    def __init__(self, say: Callable[[str, bool], None]) -> None:
        self._say, self._started, self._shown, self._last = say, time.monotonic(), False, 0.0
        self._terminal = sys.stderr.isatty()

    def at(self, place: int, number: int, tested: Sequence[Tested]) -> None:
        failed = sum(not one.passed for one in tested)
        self.show(f"{place} of {number} files" + (f", {failed} failed" if failed else ""))

    def states(self, done: int, left: int) -> None:
        """How far a fight to the end is: its states worked out, and those it is known to lead to."""
        self.show(f"{done:,} states of the fight worked out, at least {left:,} to go")

    def show(self, text: str) -> None:
        now = time.monotonic()
        if self._terminal and now - self._started > PATIENCE and now - self._last > BREATH:
            self._say(f"\r\033[K{text} ", False)
            self._shown, self._last = True, now

    def done(self) -> None:
        if self._shown:
            self._say("\r\033[K", False)
