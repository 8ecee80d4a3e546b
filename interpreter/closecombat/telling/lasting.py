"""How long a fight to the end lasts, as a picture: the chance that it is over after so many close combats, a line a
system, with its table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from closecombat.telling.page import percent
from closecombat.telling.plots import Curves, plots


def lasting_on_a_page(systems: Mapping[str, Sequence[Fraction] | None]) -> dict[str, object] | None:
    """Nothing where no fight is fought to the end, or each is too large to say; `without` names those that are."""
    found = {name: chances for name, chances in systems.items() if chances}
    if not found:
        return None
    longest = max(len(chances) for chances in found.values())
    numbers = range(1, longest + 1)
    lines = {name: [*chances, *[chances[-1]] * (longest - len(chances))] for name, chances in found.items()}
    curves = Curves(
        {
            name: [(Fraction(n), chance) for n, chance in zip(numbers, line, strict=True)]
            for name, line in lines.items()
        },
        "close combats",
        "over by then",
        {Fraction(number): str(number) for number in numbers},
    )
    return {
        "plots": plots(curves) if longest > 1 else [],
        "systems": list(found),
        "rows": [
            {
                "number": number,
                "cells": [
                    {"said": percent(line[number - 1]), "exact": str(line[number - 1])} for line in lines.values()
                ],
            }
            for number in numbers
        ],
        "without": ", ".join(name for name, chances in systems.items() if not chances),
    }
