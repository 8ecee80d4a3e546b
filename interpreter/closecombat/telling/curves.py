"""Curves over the force ratio: all systems on one axis, as a table, as a page and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable
from fractions import Fraction

from rich.console import RenderableType

from closecombat.asking.sweeps.curves import Curve, Point
from closecombat.telling.html import page_of
from closecombat.telling.page import Page, about, clean, heading, json_chance, percent, rendered, table
from closecombat.telling.plots import Curves, plots, vega
from closecombat.telling.sheets import csv_text


def curve_text(curve: Curve, page: Page) -> str:
    return rendered(_on_page(curve), page)


def curve_json(curve: Curve) -> str:
    document = {
        "format_version": 1,
        "command": "compare",
        "curve": curve.name,
        "of": curve.of,
        "against": curve.against,
        "systems": list(curve.systems),
        "points": [
            {
                "ratio": str(one.ratio),
                "about": float(one.ratio),
                "system": one.system,
                "situations": one.situations,
                "mean": json_chance(one.mean),
                "least": json_chance(one.least),
                "most": json_chance(one.most),
            }
            for one in curve.points
        ],
        "without_result": curve.without,
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def curve_csv(curve: Curve) -> str:
    """A line for each force ratio in each system."""
    heads = ("ratio", "system", "situations", "mean", "least", "most")
    return csv_text(
        [heads, *((one.ratio, one.system, one.situations, one.mean, one.least, one.most) for one in curve.points)]
    )


def curve_html(curve: Curve) -> str:
    return page_of("curve", {"name": curve.name, "curve": curve_on_a_page(curve)})


def curve_on_a_page(curve: Curve) -> dict[str, object]:
    """The curve and its table, for a page that has one."""
    ratios = dict.fromkeys(one.ratio for one in curve.points)
    return {
        "of": curve.of,
        "against": curve.against,
        "systems": list(curve.systems),
        "several": max(one.situations for one in curve.points),
        "without": curve.without,
        "plots": plots(_curves(curve)),
        "rows": [
            {"ratio": _ratio(ratio), "cells": [_drawn(curve.at(ratio, system)) for system in curve.systems]}
            for ratio in ratios
        ],
    }


def curve_vega(curve: Curve) -> str:
    return vega(_curves(curve))


def _curves(curve: Curve) -> Curves:
    lines = {
        system: [(one.ratio, one.mean) for one in curve.points if one.system == system] for system in curve.systems
    }
    ratios = dict.fromkeys(one.ratio for one in curve.points)
    return Curves(
        lines,
        f"{curve.of} to {curve.against}",
        f"{curve.of} holds the place",
        {ratio: _tick(ratio) for ratio in ratios},
    )


def _tick(ratio: Fraction) -> str:
    return f"{ratio.numerator}:{ratio.denominator}" if ratio.denominator < 100 else f"{float(ratio):.2f}"


def _drawn(point: Point | None) -> dict[str, str]:
    mean = point.mean if point is not None else None
    return {"said": _cell(point), "exact": "" if mean is None else str(mean)}


def _on_page(curve: Curve) -> Iterable[RenderableType]:
    yield heading(curve.name, f"the chance that {clean(curve.of)} holds the place")
    yield ""
    column = f"{clean(curve.of)} to {clean(curve.against)}"
    out = table(column, *map(clean, curve.systems), right=[column, *map(clean, curve.systems)])
    for ratio in dict.fromkeys(one.ratio for one in curve.points):
        out.add_row(_ratio(ratio), *(_cell(curve.at(ratio, system)) for system in curve.systems))
    yield out
    several = max(one.situations for one in curve.points)
    if several > 1:
        yield ""
        yield f"the mean of up to {several:,} situations, and in brackets the least and the highest"
    if curve.without:
        yield f"rows without a result: {curve.without:,}"


def _ratio(ratio: Fraction) -> str:
    return f"{ratio.numerator} to {ratio.denominator}"


def _cell(point: Point | None) -> str:
    if point is None:
        return "-"
    spread = f" ({about(point.least)} to {about(point.most)})" if point.least != point.most else ""
    return percent(point.mean) + spread
