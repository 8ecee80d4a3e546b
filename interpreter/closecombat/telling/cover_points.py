"""How far the examples of a ruleset reach, as text, as CSV and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from fractions import Fraction

from rich.console import RenderableType

from closecombat.asking.examples.cover_points import CHANGE, SORTS, TEST, CoverPoint, Reached, share
from closecombat.telling.findings import printable, where
from closecombat.telling.page import Page, bar, heading, rendered, table
from closecombat.telling.sheets import csv_text


def percent(points: Sequence[CoverPoint]) -> float:
    """How much of it is reached; all of nothing is."""
    reached, number = share(points)
    return 100 * reached / number if number else 100.0


def reached_text(found: Reached) -> str:
    """Whatever no example reaches, with its place; then how much is reached, sort by sort, and of each variant. Of a
    row that nobody reaches the tests are not told one by one."""
    return "".join(f"{line}\n" for line in _lines(found))


def reached_in_tables(found: Reached, page: Page) -> str:
    """The same for a page or a wiki: how much is reached, then what is not, with its place."""
    return rendered(_parts(found), page)


def _parts(found: Reached) -> Iterator[RenderableType]:
    reach = "1 example reaches" if found.examples == 1 else f"{found.examples:,} examples reach"
    yield heading(found.name, f"how far {reach}")
    out = table("of", "reached", "in all", "share", "", right=["reached", "in all", "share"])
    for name, points in _groups(found):
        reached, number = share(points)
        out.add_row(name, f"{reached:,}", f"{number:,}", f"{percent(points):.2f}%", bar(Fraction(reached, number)))
    yield out
    missed = [one for one in found.points if not one.reached]
    if missed:
        yield heading("What none reaches")
        out = table("sort", "which", "where")
        for one in missed:
            out.add_row(one.sort, printable(one.id), printable(where(one.place)))
        yield out


def _groups(found: Reached) -> list[tuple[str, Sequence[CoverPoint]]]:
    """All that is counted together: each sort, each variant, everything."""
    groups = [(sort, [one for one in found.points if one.sort == sort]) for sort in SORTS]
    variants = dict.fromkeys(one.variant for one in found.points if one.variant)
    groups += [(f"in {name}", [one for one in found.points if one.variant == name]) for name in variants]
    return [(name, points) for name, points in (*groups, ("all", list(found.points))) if points]


def _lines(found: Reached) -> Iterator[str]:
    asked = {point.of for point in found.points if point.sort == TEST and point.reached}
    tested = {point.of for point in found.points if point.sort == TEST}
    for point in found.points:
        if point.reached or (point.of and point.of not in asked):
            continue
        if point.sort == CHANGE:
            said = f"no example would miss the change {point.id}"
        else:
            said = f"no example reaches the {point.sort} {point.id}"
            said += ", nor any test of it" if point.id in tested and point.id not in asked else ""
        yield printable(f"{where(point.place)}: {said}")
    told = _groups(found)
    widest = max(len(name) for name, _ in told) if told else 0
    for name, points in told:
        reached, number = share(points)
        yield printable(f"{name:<{widest}}  {reached:>6,} of {number:>6,}  {percent(points):6.2f} %")
    failed = f", {found.failed} failed" if found.failed else ""
    yield f"{found.name}: {found.examples} example{'s' * (found.examples != 1)}{failed}"


def reached_csv(found: Reached) -> str:
    """A line for all that an example can reach, and whether one does."""
    told = ((one.sort, one.id, where(one.place), one.variant, "yes" if one.reached else "no") for one in found.points)
    return csv_text((("sort", "which", "where", "variant", "reached"), *told))


def reached_json(found: Reached) -> str:
    sums = {sort: share([one for one in found.points if one.sort == sort]) for sort in SORTS}
    document = {
        "format_version": 1,
        "command": "coverage",
        "ruleset": found.name,
        "examples": found.examples,
        "failed": found.failed,
        "coverage": {
            name.replace(" ", "_"): {"reached": reached, "of": number}
            for name, (reached, number) in {**sums, "all": share(found.points)}.items()
        },
        "not_reached": [
            {"sort": one.sort.replace(" ", "_"), "id": one.id, "place": where(one.place), "variant": one.variant}
            for one in found.points
            if not one.reached
        ],
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"
