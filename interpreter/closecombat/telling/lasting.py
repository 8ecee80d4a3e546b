"""How long a fight to the end lasts, as a picture: the chance that it is over after so many close combats, a line a
system, with its table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from closecombat.telling.page import percent
from closecombat.telling.plots import Curves, plots


def lasting_on_a_page(systems: Mapping[str, Sequence[Fraction] | None]) -> dict[str, object] | None:
    """Nothing where no fight is fought to the end, or each is too large to say; `without` names those that are."""
    curves = lasting_curves(systems)
    if curves is None:
        return None
    return {
        "plots": plots(curves) if len(curves.ticks) > 1 else [],
        "systems": list(curves.lines),
        "rows": [
            {
                "number": said,
                "cells": [{"said": percent(line[at][1]), "exact": str(line[at][1])} for line in curves.lines.values()],
            }
            for at, said in enumerate(curves.ticks.values())
        ],
        "without": ", ".join(name for name, chances in systems.items() if not chances),
    }


def lasting_curves(systems: Mapping[str, Sequence[Fraction] | None]) -> Curves | None:
    """A line for each system that says how long its fight lasts; one that is over sooner goes on as it is. None if no
    system does."""
    found = {name: chances for name, chances in systems.items() if chances}
    if not found:
        return None
    longest = max(len(chances) for chances in found.values())
    lines = {
        name: [(Fraction(n), chances[min(n, len(chances)) - 1]) for n in range(1, longest + 1)]
        for name, chances in found.items()
    }
    return Curves(lines, "close combats", "over by then", {Fraction(n): str(n) for n in range(1, longest + 1)})
