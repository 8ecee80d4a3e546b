"""Curves as pictures without a script: lines over a number, drawn once for a wide and once for a narrow page, in
colours that the page's own style gives them, so that they follow light, dark and paper. Each line has a dash and a mark
of its own beside its colour, and its name at its end.

The same curves as a specification of Vega-Lite are for notebooks (`vega`); nothing here needs that program. How high a
chance stands is the only thing that is rounded here, and only as a place on the picture.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias

from closecombat.text.slotted import dataclass

SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
APART: Mapping[str, object] = {"scale": {"color": "independent", "strokeDash": "independent"}}  # each has its own key
SIZES = (("wide", 720, 320), ("narrow", 330, 280))  # which is shown on which page, and its width and height
LEFT, RIGHT, TOP, BOTTOM = 40, 12, 12, 44  # around the field
NEAR = 34  # between two headings of the lower axis
LINE = 15  # between two names
LETTER = 7.2
DASHES = ("", "7 4", "2 4", "10 3 2 3", "5 2", "1 3")
MARKS = ("round", "square", "diamond", "triangle")

Points: TypeAlias = Sequence[tuple[Fraction, Fraction]]


@dataclass(frozen=True, slots=True)
class Curves:
    """Lines by their names over a number, each a chance; `lower` and `left` are what the axes are, `ticks` how numbers
    of the lower axis are written."""

    lines: Mapping[str, Points]
    lower: str
    left: str
    ticks: Mapping[Fraction, str]


def plots(curves: Curves) -> list[dict[str, object]]:
    """The pictures for a page, as places: what a template draws."""
    return [_plot(curves, *size) for size in SIZES if any(curves.lines.values())]


def _plot(curves: Curves, name: str, width: int, height: int) -> dict[str, object]:
    room = max(len(each) for each in curves.lines) * LETTER + 14
    inner, high = width - LEFT - RIGHT - room, height - TOP - BOTTOM
    xs = [x for points in curves.lines.values() for x, _ in points]
    low, top = min(xs), max(xs)
    span = top - low or Fraction(1)

    def across(x: Fraction) -> float:
        return LEFT + float((x - low) / span) * inner

    def up(y: Fraction) -> float:
        return TOP + float(1 - y) * high

    ends = {each: up(points[-1][1]) for each, points in curves.lines.items() if points}
    labels = _apart(ends, TOP + 6, TOP + high)
    return {
        "name": name,
        "width": width,
        "height": height,
        "right": round(LEFT + inner, 1),
        "base": TOP + high,
        "left": LEFT,
        "lower": curves.lower,
        "rows": [(round(up(Fraction(n, 4)), 1), f"{n * 25}%") for n in range(5)],
        "ticks": [(round(across(x), 1), text) for x, text in _fitting(curves.ticks, across)],
        "lines": [
            {
                "name": each,
                "key": f"line-{number % len(DASHES)}",
                "dash": DASHES[number % len(DASHES)],
                "mark": MARKS[number % len(MARKS)],
                "path": " ".join(f"{across(x):.1f},{up(y):.1f}" for x, y in points),
                "points": [(f"{across(x):.1f}", f"{up(y):.1f}") for x, y in points],
                "label": round(labels[each], 1),
                "at": round(LEFT + inner + 8, 1),
            }
            for number, (each, points) in enumerate(curves.lines.items())
            if points
        ],
    }


def _fitting(ticks: Mapping[Fraction, str], across: Callable[[Fraction], float]) -> list[tuple[Fraction, str]]:
    """The headings of the lower axis that do not run into each other."""
    out: list[tuple[Fraction, str]] = []
    last = -float("inf")
    for x in sorted(ticks):
        place = across(x)
        if place - last >= NEAR:
            out.append((x, ticks[x]))
            last = place
    return out


def _apart(ends: Mapping[str, float], top: float, bottom: float) -> dict[str, float]:
    """Where each name stands: at the end of its line, or as near as the others leave it."""
    order = sorted(ends, key=lambda each: ends[each])
    places: dict[str, float] = {}
    last = top - LINE
    for each in order:
        last = places[each] = max(ends[each] + 4, last + LINE)
    below = bottom + LINE
    for each in reversed(order):
        below = places[each] = min(places[each], below - LINE)
    return places


def vega(curves: Curves) -> str:
    """The same as a specification of Vega-Lite, with its data."""
    return specification([of_curves(curves)])


def of_curves(curves: Curves) -> Mapping[str, object]:
    """The lines as a picture of Vega-Lite."""
    values = [
        {curves.lower: float(x), "exactly": f"{x}", curves.left: float(y), "chance": str(y), "system": name}
        for name, points in curves.lines.items()
        for x, y in points
    ]
    systems = list(curves.lines)
    return picture(
        values,
        {"type": "line", "point": True},
        {
            "x": {"field": curves.lower, "type": "quantitative"},
            "y": {"field": curves.left, "type": "quantitative", "axis": {"format": "%"}, "scale": {"domain": [0, 1]}},
            "color": {"field": "system", "type": "nominal", "sort": systems, "scale": {"domain": systems}},
            "strokeDash": {"field": "system", "type": "nominal", "sort": systems},
            "tooltip": [{"field": "system"}, {"field": "exactly"}, {"field": "chance"}],
        },
    )


def picture(
    values: Sequence[Mapping[str, object]], mark: object, encoding: Mapping[str, object]
) -> Mapping[str, object]:
    """One picture with all its data in it."""
    return {"data": {"values": list(values)}, "mark": mark, "encoding": encoding}


def specification(pictures: Sequence[Mapping[str, object]]) -> str:
    """Pictures of Vega-Lite below each other, for notebooks."""
    document = pictures[0] if len(pictures) == 1 else {"vconcat": list(pictures), "resolve": APART}
    return json.dumps({"$schema": SCHEMA, **document}, indent=2, ensure_ascii=False) + "\n"
