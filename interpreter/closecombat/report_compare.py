"""Comparisons side by side, as text and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable
from fractions import Fraction

from rich.console import RenderableType

from closecombat.compare import Comparison, outcome_changes, verdict_chance
from closecombat.diagnostics import Bug
from closecombat.report_chances import chances_object, expected
from closecombat.report_tables import Page, amount, bar, change, clean, fraction, heading, percent, rendered, table


def compare_text(comparison: Comparison, with_changes: bool, page: Page) -> str:
    return rendered(_parts(comparison, with_changes), page)


def compare_json(comparison: Comparison, with_changes: bool) -> str:
    systems: list[dict[str, object]] = []
    base = next((one.chances for one in comparison.systems if one.chances), None)
    for one in comparison.systems:
        if one.chances is None:
            if one.none is None:
                raise Bug("one.none is not None")
            systems.append({"ruleset": one.name, "no_such_fight": one.none.clause, "why": one.none.why, "outcomes": []})
            continue
        found = {**chances_object(one.chances), "because": list(one.because)}
        if with_changes and base is not None and one.chances is not base:
            found["changes"] = [
                {"sides": dict(sides), "probability": str(by), "points": float(by * 100)}
                for sides, by in outcome_changes(base, one.chances).items()
                if by
            ]
        systems.append(found)
    return (
        json.dumps(
            {
                "format_version": 1,
                "command": "compare",
                "engagement": comparison.name,
                "title": comparison.title,
                "story": comparison.story,
                "scale": list(comparison.scale),
                "systems": systems,
            },
            indent=2,
            ensure_ascii=False,
        )
        + "\n"
    )


def _parts(comparison: Comparison, with_changes: bool) -> Iterable[RenderableType]:
    yield heading(comparison.title)
    if comparison.story:
        yield clean(" ".join(comparison.story.split()))
    yield ""
    yield from _verdicts(comparison, with_changes)
    yield ""
    yield from _losses(comparison, with_changes)
    if with_changes:
        yield from _changes(comparison)
    told: dict[tuple[str, ...], str] = {}
    for one in comparison.systems:
        yield ""
        if one.none is not None:
            yield heading(one.name)
            yield f"has no such fight: {clean(one.none.why)} ({clean(one.none.clause)})"
        elif one.chances is not None:
            yield heading(one.name, one.chances.title)
            listed = (
                *one.because,
                *(f"assumed ({each.id}): {each.text}" for each in one.chances.assumptions),
                *one.chances.remarks,
            )
            same = told.setdefault(listed, one.name)
            lines = listed if same == one.name else (f"the same as {same}",)
            yield from (f"- {clean(line)}" for line in lines or ("nothing is assumed or left to the ruleset",))


def _verdicts(comparison: Comparison, with_changes: bool) -> Iterable[RenderableType]:
    """Each side's chances on the shared scale: one line a verdict, one column a system."""
    columns = [one.name for one in comparison.systems]
    out = table("side", "verdict", *(text for name in columns for text in (name, "")), right=columns)
    for side in comparison.sides():
        first = True
        for word in comparison.scale:
            found = [verdict_chance(one, side, word) for one in comparison.systems]
            if not any(found):
                continue
            cells = []
            for place, value in enumerate(found):
                if value is None:
                    cells += ["-", ""]
                elif with_changes and place and found[0] is not None:
                    cells += [percent(value), change(value - found[0])]
                else:
                    cells += [percent(value), fraction(value) if with_changes else bar(value, 10)]
            out.add_row(clean(side) if first else "", clean(word), *cells)
            first = False
    yield out


def _losses(comparison: Comparison, with_changes: bool) -> Iterable[RenderableType]:
    columns = [one.name for one in comparison.systems]
    out = table("strength lost", *columns)
    for side in comparison.sides():
        cells = []
        base = next((one.chances.losses.get(side) for one in comparison.systems if one.chances), None)
        for place, one in enumerate(comparison.systems):
            loss = one.chances.losses.get(side) if one.chances else None
            if loss is None:
                cells.append("-")
                continue
            text = f"{expected(loss.expected)} {loss.unit}".rstrip()
            if with_changes and place and base is not None:
                by = loss.expected - base.expected
                text += f"  {'+' if by > 0 else ''}{amount(by)}" if by else "  ="
            cells.append(clean(text))
        out.add_row(clean(side), *cells)
    yield out


def _changes(comparison: Comparison) -> Iterable[RenderableType]:
    """The ends whose chance differs from the base, the greatest change first."""
    played = [one for one in comparison.systems if one.chances is not None]
    for one in played[1:]:
        if one.chances is None or played[0].chances is None:
            raise Bug("one.chances is not None and played[0].chances is not None")
        found = outcome_changes(played[0].chances, one.chances)
        before: dict[tuple[tuple[str, str], ...], Fraction] = {}
        for outcome in played[0].chances.outcomes:
            key = tuple(outcome.sides.items())
            before[key] = before.get(key, Fraction(0)) + outcome.probability
        yield ""
        yield heading(f"What {one.name} changes")
        rows = sorted((item for item in found.items() if item[1]), key=lambda item: (-abs(item[1]), item[0]))
        if not rows:
            yield "nothing in this fight"
            continue
        sides = [side for side, _ in rows[0][0]]
        out = table(*sides, "was", "is", "change", right=["was", "is", "change"])
        for key, by in rows:
            was = before.get(key, Fraction(0))
            out.add_row(*(clean(word) for _, word in key), percent(was), percent(was + by), change(by))
        yield out
