"""A comparison as a page: each question one picture, with a row a system and all its numbers beside it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType

from closecombat.asking.exact.answers import TAKEN, Ends
from closecombat.asking.systems.compare import Compared, Comparison, verdict_chance
from closecombat.asking.systems.factors import Factors
from closecombat.reading.model import FATES
from closecombat.reading.types import Exact
from closecombat.telling.compare import as_called
from closecombat.telling.factors import factors_on_a_page
from closecombat.telling.html import page_of, share, whole
from closecombat.telling.lasting import lasting_curves, lasting_on_a_page
from closecombat.telling.page import amount, change, percent
from closecombat.telling.plots import of_curves, picture, specification
from closecombat.telling.resting import CAPTION, lines_of, most_moved, resting_on_a_page
from closecombat.text.faults import Bug

WORDS: Mapping[str, str] = MappingProxyType(
    {
        "fit": "fit",
        "shaken": "shaken",
        "withdrew": "left by choice",
        "parted": "left even",
        "driven-off": "driven off",
        "taken": "taken",
        "lost": "lost",
    }
)
KEYS: Mapping[str, str] = MappingProxyType(dict(zip(FATES, ("a", "e", "g", "c", "f", "d", "none"), strict=True)))
SIDES = ("a", "b", "d", "g")  # what each side's part of a strip looks like
Part = dict[str, str]


def compare_html(comparison: Comparison, with_changes: bool, units: bool, factors: Factors | None = None) -> str:
    """One file. With changes the systems are variants of one, and each is told against the first."""
    systems = [as_called(one, comparison.systems) for one in comparison.systems]
    common = [one for one in systems if one.chances is not None and one.chances.ends is not None]
    by_end = comparison.has_ends and not with_changes
    played = [one for one in systems if one.chances is not None]
    most = most_moved(one.chances for one in played)
    return page_of(
        "compare",
        {
            "title": comparison.title,
            "story": comparison.story,
            "aims": ", ".join(comparison.aims),
            "systems": [one.name for one in played],
            "place": _place(comparison, common) if by_end else None,
            "sides": [_side(side, common) for side in comparison.sides()] if by_end else [],
            "verdicts": []
            if by_end
            else [_verdicts(comparison, side, played, with_changes) for side in comparison.sides()],
            "lasting": lasting_on_a_page({one.name: one.chances.over_after for one in played if one.chances}),
            "gives": [
                (part, [said.get(one.name.split("+")[0], "-") for one in played])
                for part, said in comparison.gives.items()
            ],
            "factors": factors_on_a_page(factors) if factors is not None else None,
            "units": [_units(one) for one in common if units and _ends(one).units],
            "notes": [_notes(one, by_end, most) for one in systems],
            "caption": CAPTION,
        },
    )


def _ends(one: Compared) -> Ends:
    if one.chances is None or one.chances.ends is None:
        raise Bug(f"{one.name} has no common end")
    return one.chances.ends


def _part(key: str, word: str, of: Fraction) -> Part:
    """A part of a strip, and the number beside it."""
    return {"key": key, "share": share(of), "word": word, "about": whole(of), "said": percent(of), "exact": str(of)}


def _place(comparison: Comparison, systems: Sequence[Compared]) -> dict[str, object]:
    """The first side on the left, the others on the right, who shares it between them."""
    sides = comparison.sides()
    shared = [word for word in ("contested", "nobody") if any(getattr(_ends(one).place, word) for one in systems)]
    order = [*sides[:1], *shared, *sides[1:]]
    keys = {"contested": "c", "nobody": "none"} | dict(zip(sides, SIDES, strict=False))
    rows = []
    for one in systems:
        place = _ends(one).place
        of = {"contested": place.contested, "nobody": place.nobody, **place.held}
        rows.append(
            {
                "system": one.name,
                "parts": [_part(keys.get(word, "d"), word, of.get(word, Fraction(0))) for word in order],
            }
        )
    return {"words": order, "rows": rows, "legend": [(keys.get(word, "d"), word) for word in order]}


def _side(side: str, systems: Sequence[Compared]) -> dict[str, object]:
    there = [(one, _ends(one).sides[side]) for one in systems if side in _ends(one).sides]
    fates = [fate for fate in FATES if any(end.fates.get(fate) for _, end in there)]
    rows = []
    for one, end in there:
        low, high = end.half_the_time
        rows.append(
            {
                "system": one.name,
                "parts": [_part(KEYS[fate], WORDS[fate], end.fates.get(fate, Fraction(0))) for fate in fates],
                "loss": percent(end.loss),
                "loss_exact": str(end.loss),
                "low": percent(low),
                "high": percent(high),
                "low_exact": str(low),
                "high_exact": str(high),
                "low_share": share(1 - high),  # what is lost is on the right of a strip
                "high_share": share(1 - low),
                "came": amount(end.came),
                "counted_in": end.counted_in,
            }
        )
    return {
        "name": side,
        "taken": TAKEN in fates,
        "words": [WORDS[fate] for fate in fates],
        "legend": [(KEYS[fate], WORDS[fate]) for fate in fates],
        "rows": rows,
    }


def _verdicts(comparison: Comparison, side: str, systems: Sequence[Compared], with_changes: bool) -> dict[str, object]:
    """Each verdict of a side, a column a system; against the first where they are variants of it."""
    rows = []
    for word in comparison.scale:
        found = [verdict_chance(one, side, word) for one in systems]
        if any(found):
            cells = [_cell(chance, found[0] if at and with_changes else None) for at, chance in enumerate(found)]
            rows.append({"word": word, "cells": cells})
    return {"name": side, "rows": rows, "losses": [_lost(one, side) for one in systems]}


def _cell(chance: Fraction | None, base: Fraction | None) -> Part:
    if chance is None:
        return {"said": "-", "exact": "", "share": "0", "by": ""}
    by = change(chance - base) if base is not None else ""
    return {"said": percent(chance), "exact": str(chance), "share": share(chance), "by": by}


def _lost(one: Compared, side: str) -> Part:
    loss = one.chances.losses.get(side) if one.chances is not None else None
    if loss is None:
        return {"said": "-", "exact": "", "unit": ""}
    return {"said": amount(loss.expected), "exact": str(loss.expected), "unit": loss.unit}


def _units(one: Compared) -> dict[str, object]:
    found = _ends(one).units
    fates = [fate for fate in FATES if any(unit.fates.get(fate) for unit in found.values())]
    rows = [
        {
            "name": name,
            "side": unit.side,
            "parts": [_part(KEYS[fate], WORDS[fate], unit.fates.get(fate, Fraction(0))) for fate in fates],
            "lost": amount(unit.lost),
            "exact": _exactly(unit.lost),
            "came": amount(unit.came),
        }
        for name, unit in found.items()
    ]
    legend = [(KEYS[fate], WORDS[fate]) for fate in fates]
    return {"system": one.name, "words": [WORDS[fate] for fate in fates], "legend": legend, "rows": rows}


def _exactly(value: Exact) -> str:
    return str(value)


def _notes(one: Compared, by_end: bool, most: Fraction) -> dict[str, object]:
    """Why it is told so; and why it is not in the pictures, where it is not."""
    none = ""
    if one.none is not None:
        none = f"has no such fight: {one.none.why} ({one.none.clause})"
    elif by_end and one.chances is not None and one.chances.ends is None:
        none = "does not say what becomes of those who came (it has no `ends:`), so it is in none of the pictures"
    title, lines, rests = "", list[str](), None
    if (found := one.chances) is not None:
        title, lines, rests = found.title, [*one.because, *lines_of(found)], resting_on_a_page(found.rests_on, most)
    return {"system": one.name, "title": title, "none": none, "lines": lines, "rests": rests}


# ---- for notebooks ----------------------------------------------------------------------------------------


def compare_vega(comparison: Comparison) -> str:
    """Who holds the place, and what becomes of each side's strength: a bar a system, as Vega-Lite draws it. Where no
    system tells a common end, how each side ends; of a fight to the end how long it lasts, too."""
    systems = [as_called(one, comparison.systems) for one in comparison.systems if one.chances is not None]
    values = [
        {"of": of, "system": one.name, "word": word, "share": float(part), "exactly": str(part)}
        for one in systems
        for of, word, part in _parts_of(one, comparison)
    ]
    names = [one.name for one in systems]
    words = list(dict.fromkeys(each["word"] for each in values))
    ends = picture(
        values,
        "bar",
        {
            "row": {"field": "of", "type": "nominal", "sort": list(dict.fromkeys(each["of"] for each in values))},
            "y": {"field": "system", "type": "nominal", "sort": names},
            "x": {"field": "share", "type": "quantitative", "axis": {"format": "%"}, "scale": {"domain": [0, 1]}},
            "color": {
                "field": "word",
                "type": "nominal",
                "sort": words,
                "scale": {"domain": words, "scheme": "tableau20"},  # ten colours would come round again
            },
            "tooltip": [{"field": "system"}, {"field": "word"}, {"field": "exactly"}],
        },
    )
    lasting = lasting_curves({one.name: one.chances.over_after for one in systems if one.chances is not None})
    return specification([ends] if lasting is None else [ends, of_curves(lasting)])


def _parts_of(one: Compared, comparison: Comparison) -> Iterable[tuple[str, str, Fraction]]:
    if comparison.has_ends and one.chances is not None and one.chances.ends is not None:
        place = one.chances.ends.place
        found = {**place.held, "contested": place.contested, "nobody": place.nobody}
        yield from (("who holds the place", word, part) for word, part in found.items())
        for side, end in one.chances.ends.sides.items():
            yield from ((side, WORDS[fate], end.fates.get(fate, Fraction(0))) for fate in FATES)
    elif one.chances is not None and not comparison.has_ends:
        for side, words in one.chances.verdicts.items():
            yield from ((side, word, part) for word, part in words.items())
