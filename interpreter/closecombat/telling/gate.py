"""What does not pass a gate, as text, as CSV and as JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction

from closecombat.asking.changes.gate import MOVED, STALE, Gate, Passing, Worked
from closecombat.reading.model import Ruleset, name_of_stack
from closecombat.telling.page import Page, change, clean, heading, json_chance, paragraph, percent, rendered, table
from closecombat.telling.sheets import csv_text

A_SCREEN = 20  # lines of what has moved


def gate_text(gate: Gate, found: Sequence[Passing], page: Page, ruleset: Ruleset) -> str:
    """All that has moved; where that is more than a screen, what has moved most of each fight."""
    moved = [one for one in found if one.how == MOVED]
    often = Counter(one.fight for one in moved)
    whose = f"{name_of_stack(ruleset)}: {ruleset.title}"
    parts: list[object] = [heading("What has moved", whose)] if page.form else []
    if page.form and not found:
        fights = f"{len(gate.fights):,} fight{'' if len(gate.fights) == 1 else 's'}"
        parts.append(f"{fights}: no chance of how a side ends has moved by more than {points(gate.bound)}.")
    if moved:
        out = table("fight", "outcome", "was", "is", "change", right=["was", "is"])
        last = ""
        for one in moved if len(moved) <= A_SCREEN else _most_moved(moved):
            name = "" if one.fight == last else one.fight
            more = f", {often[one.fight] - 1} more" if len(moved) > A_SCREEN and often[one.fight] > 1 else ""
            cells = (name, one.outcome + more, percent(one.old), percent(one.new), change(one.new - one.old))
            out.add_row(*map(clean, cells))
            last = one.fight
        parts.append(out)
        if len(moved) > A_SCREEN:
            parts.append(paragraph("of each fight what has moved most; -f json has all", page.width, ""))
    for one in found:
        if one.how != MOVED:
            parts.append(paragraph(": ".join(filter(None, (one.fight, one.outcome, one.message))), page.width, "  "))
    return rendered(parts, page)  # type: ignore[arg-type]


def _most_moved(moved: Sequence[Passing]) -> list[Passing]:
    """Of each fight the chance that has moved most, the fights in their order."""
    most: dict[str, Passing] = {}
    for one in moved:
        if one.fight not in most or abs(one.new - one.old) > abs(most[one.fight].new - most[one.fight].old):
            most[one.fight] = one
    return [*most.values()]


def gate_summary(gate: Gate, found: Sequence[Passing], now: Sequence[Worked]) -> str:
    """One line on the whole, with the way out."""
    number = len(gate.fights)
    fights = f"{number:,} fight{'' if number == 1 else 's'}"
    known = {one.fight for one in gate.fights}
    new = sum(one.fight not in known and not one.message for one in now)
    more = f"; {new:,} that are not recorded" if new else ""
    fail = sum(one.fight not in known and bool(one.message) for one in now)
    more += f"; {fail:,} that cannot be worked out" if fail else ""
    if not found:
        return f"{fights}: no chance of how a side ends has moved by more than {points(gate.bound)}{more}"
    moved = sum(one.how == MOVED for one in found)
    said = [f"{moved:,} chance{'' if moved == 1 else 's'} moved by more than {points(gate.bound)}"] if moved else []
    if other := len(found) - moved:
        said.append(f"{other:,} more that do not pass")
    way = '--accept "WHY" lets it pass' if any(one.how != STALE for one in found) else "--record"
    return f"{fights}: {', '.join(said)}{more}; if it is meant, {way}"


def points(bound: Fraction) -> str:
    """A bound in points of a hundred."""
    return f"{bound * 100} point{'' if bound * 100 == 1 else 's'} of a hundred"


def gate_csv(found: Sequence[Passing]) -> str:
    """A line for each that does not pass."""
    return csv_text(_rows(found))


def _rows(found: Sequence[Passing]) -> Iterator[tuple[object, ...]]:
    yield "how", "fight", "outcome", "was", "is", "changes_by", "message"
    for one in found:
        moved = (one.old, one.new, one.new - one.old) if one.how == MOVED else ("", "", "")
        yield one.how, one.fight, one.outcome, *moved, one.message


def gate_json(gate: Gate, found: Sequence[Passing]) -> str:
    out = {
        "format_version": 1,
        "command": "gate",
        "ruleset": gate.stack,
        "bound": str(gate.bound),
        "fights": len(gate.fights),
        "passes": not found,
        "not_passing": [_one(one) for one in found],
    }
    return json.dumps(out, indent=2, ensure_ascii=False) + "\n"


def _one(one: Passing) -> dict[str, object]:
    out: dict[str, object] = {"how": one.how, "fight": one.fight}
    if one.outcome:
        out["outcome"] = one.outcome
    if one.how == MOVED:
        out |= {"old": json_chance(one.old), "new": json_chance(one.new)}
    if one.message:
        out["message"] = one.message
    return out
