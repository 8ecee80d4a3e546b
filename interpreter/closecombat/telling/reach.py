"""How far the examples of a ruleset reach, as text and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from closecombat.asking.reach import SORTS, Point, Reach, share
from closecombat.telling.findings import printable, where


def percent(points: Sequence[Point]) -> float:
    """How much of it is reached; all of nothing is."""
    reached, number = share(points)
    return 100 * reached / number if number else 100.0


def reach_text(found: Reach) -> str:
    """Whatever no example reaches, with its place; then how much is reached, sort by sort, and of each variant."""
    return "".join(f"{line}\n" for line in _lines(found))


def _lines(found: Reach) -> Iterator[str]:
    for point in found.points:
        if not point.reached:
            yield printable(f"{where(point.place)}: no example reaches the {point.sort} {point.id}")
    groups = [(sort, [one for one in found.points if one.sort == sort]) for sort in SORTS]
    variants = dict.fromkeys(one.variant for one in found.points if one.variant)
    groups += [(f"variant {name}", [one for one in found.points if one.variant == name]) for name in variants]
    for name, points in (*groups, ("all", list(found.points))):
        reached, number = share(points)
        yield f"{name:<14} {reached:>6,} of {number:>6,}  {percent(points):6.2f} %"
    failed = f", {found.failed} failed" if found.failed else ""
    yield f"{found.name}: {found.examples} example{'s' * (found.examples != 1)}{failed}"


def reach_json(found: Reach) -> str:
    sums = {sort: share([one for one in found.points if one.sort == sort]) for sort in SORTS}
    document = {
        "format_version": 1,
        "command": "test",
        "ruleset": found.name,
        "examples": found.examples,
        "failed": found.failed,
        "coverage": {
            name.replace(" ", "_"): {"reached": reached, "of": number}
            for name, (reached, number) in {**sums, "all": share(found.points)}.items()
        },
        "not_reached": [
            {"sort": one.sort, "id": one.id, "place": where(one.place), "variant": one.variant}
            for one in found.points
            if not one.reached
        ],
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"
