"""The rows of a sweep as a page: what varies, the curve over the force ratio if there is one, every situation."""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from itertools import islice
from typing import Any

from closecombat.asking.sweeps.curves import read_curve
from closecombat.asking.sweeps.grid import CHANCE, Grid, held_column, ratio_column
from closecombat.reading.fields import fraction_of
from closecombat.telling.curves import curve_on_a_page
from closecombat.telling.html import page_of
from closecombat.telling.page import amount, percent
from closecombat.text.faults import Faulty

RATIO = "force ratio "  # how the column begins that sets two sides against each other
MOST_ROWS = 1_000  # that stand on a page
MOST_VALUES = 40  # of an axis
DEEPEST = 60  # of a hundred: how much of the tint is under a chance of one


def sweep_html(grid: Grid, lines: str, numbers: str) -> str:
    """The page of rows that stand in a file, a JSON object a line; `numbers` are those of the first and the last."""
    rows, left = [], 0
    with open(lines, encoding="utf-8") as stream:
        rows = [_row(grid, json.loads(line)) for line in islice(stream, MOST_ROWS)]
        left = sum(1 for _ in stream)
    of_one = {"fight": {told.fight for told in grid.told}, "system": {told.called for told in grid.told}}
    named = [name for name, values in of_one.items() if len(values) > 1]
    for row in rows:
        row["settings"] = [row["all"][name] for name in (*named, *(axis.name for axis in grid.plan.axes))]
    return page_of(
        "sweep",
        {
            "title": grid.plan.title or grid.plan.name,
            "name": grid.plan.name,
            "digest": grid.digest,
            "numbers": numbers,
            "counted": f"{len(rows) + left:,} situations",
            "axes": list(_axes(grid)),
            "curve": _curve(grid, lines),
            "settings": [*named, *(axis.name for axis in grid.plan.axes)],
            "asked": [column.name for column in grid.columns],
            "rows": rows,
            "shown": f"{len(rows):,}",
            "left": f"{left:,}" if left else "",
        },
    )


def _axes(grid: Grid) -> list[tuple[str, str]]:
    found = {
        "fight": [told.fight for told in grid.told],
        "system": [told.called for told in grid.told],
        **{axis.name: [setting.name for setting in axis.settings] for axis in grid.plan.axes},
    }
    out = []
    for name, values in found.items():
        each = list(dict.fromkeys(values))
        more = f" .. and {len(each) - MOST_VALUES:,} more" if len(each) > MOST_VALUES else ""
        out.append((name, ", ".join(each[:MOST_VALUES]) + more))
    return out


def _curve(grid: Grid, lines: str) -> dict[str, object] | None:
    """None where the strengths are always the same, or nothing has a result."""
    names = {column.name for column in grid.columns}
    if grid.plan.ratio is None:
        return None
    one, other = (side.value for side in grid.plan.ratio)
    if not {ratio_column(one, other), held_column(one)} <= names:
        return None
    try:
        curve = read_curve(lines)
    except Faulty:
        return None
    return curve_on_a_page(curve) if len({point.ratio for point in curve.points}) > 1 else None


def _row(grid: Grid, said: Mapping[str, Any]) -> dict[str, Any]:
    cells = [_cell(said.get(column.name), said, column.name, column.sort) for column in grid.columns]
    why = f"{said['message'] or ''} ({said['code']})".strip() if said["code"] else ""
    return {"number": f"{said['row']:,}", "all": said, "cells": cells, "why": why}


def _cell(exactly: str | None, row: Mapping[str, Any], name: str, sort: str) -> dict[str, str]:
    """A number; one too long to be written exactly is there rounded."""
    value = fraction_of(exactly) if exactly is not None else None
    if value is None:
        rounded = row.get(f"{name} %" if sort == CHANCE else f"{name} rounded")
        return {
            "said": "" if rounded is None else f"{rounded:.2f}{'%' if sort == CHANCE else ''}",
            "exact": "",
            "heat": "",
        }
    if name.startswith(RATIO):
        return {"said": f"{value.numerator}:{value.denominator}", "exact": str(value), "heat": ""}
    if sort != CHANCE:
        return {"said": amount(value), "exact": str(value), "heat": ""}
    heat = round(max(Fraction(0), min(value, Fraction(1))) * DEEPEST)
    return {"said": percent(value), "exact": str(value), "heat": str(heat) if heat else ""}
