"""The factor matrix: as text, as a heat map that is a table, and as JSON, Markdown and CSV.

What is no rule in a system must not look like a rule that does nothing: it is hatched and says so in words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType

from rich.console import RenderableType

from closecombat.asking.systems.factors import (
    CLASHES,
    EFFECT,
    NO_EFFECT,
    NO_ENDS,
    NO_FIGHT,
    NO_SUCH_RULE,
    NOT_HERE,
    OVERRULED,
    TOO_LONG,
    Effect,
    Factor,
    Factors,
)
from closecombat.reading.battle_words import CARRIED, GROUND, UNIT
from closecombat.telling.page import Page, clean, heading, json_chance, paragraph, table

SAID: Mapping[str, str] = MappingProxyType(
    {
        NO_SUCH_RULE: "no rule",
        NO_FIGHT: "no fight",
        NOT_HERE: "-",
        OVERRULED: "told so",
        CLASHES: "clashes",
        TOO_LONG: "too long",
        NO_ENDS: "no ends",
    }
)
MEANS: Mapping[str, str] = MappingProxyType(
    {
        NO_SUCH_RULE: "the system has no such rule",
        NO_FIGHT: "it has no such fight",
        NOT_HERE: "does not come up in this fight",
        OVERRULED: "the engagement itself says what is so in that system",
        CLASHES: "cannot be said together with what is said",
        TOO_LONG: "takes more than some seconds to work out: --yes",
        NO_ENDS: "the system does not say what becomes of those who came",
    }
)
CAPTION = (
    "For whom it is said: by how many points likelier that side alone holds the place / by how many more points of "
    "strength its enemy loses than before, less what it loses more itself. 0: no effect at all"
)
DEEPEST = Fraction(70, 100)  # of a colour: what stands on it can still be read
FULL = Fraction(1, 2)  # the difference that has it


# ---- in words ---------------------------------------------------------------------------------------------


def groups(found: Factors) -> Iterator[tuple[str, tuple[Factor, ...]]]:
    """The factors below a heading each: of one side, then the ground, then how it is."""
    for side in found.sides:
        if mine := tuple(one for one in found.factors if one.side == side):
            yield f"said of {side}", mine
    grounds = tuple(one for one in found.factors if not one.side and one.sort == GROUND)
    others = tuple(one for one in found.factors if not one.side and one.sort != GROUND)
    for what, some in (("where, for", grounds), ("how it is, for", others)):
        if some:
            yield f"{what} {some[0].measured}", some


def label(one: Factor) -> str:
    if one.sort == UNIT:
        return f"one more {one.word}"
    return f"with {one.word}" if one.sort == CARRIED else one.word


def points(value: Fraction | None) -> str:
    """A difference in points of a hundred, with one decimal; a plain 0 is none at all."""
    return "" if value is None else f"{float(value * 100):+.1f}"


def said(effect: Effect) -> str:
    if effect.sort == EFFECT:
        return f"{points(effect.holds)} / {points(effect.edge)}"
    return "0" if effect.sort == NO_EFFECT else SAID[effect.sort]


def factors_parts(found: Factors, page: Page) -> Iterable[RenderableType]:
    yield heading("What each thing is worth")
    yield paragraph(CAPTION + ".", page.width)
    for title, some in groups(found):
        yield ""
        out = table(title, *found.systems, right=found.systems)
        for one in some:
            out.add_row(label(one), *(said(one.effects[system]) for system in found.systems))
        yield out
    seen = dict.fromkeys(each.sort for one in found.factors for each in one.effects.values())
    told = [f"{SAID[sort]}: {MEANS[sort]}" for sort in SAID if sort in seen]
    if told:
        yield ""
        yield paragraph("; ".join(told), page.width)
    if found.unheard:
        yield paragraph(f"does not come up here: {', '.join(map(clean, found.unheard))}", page.width)


# ---- JSON and rows ----------------------------------------------------------------------------------------


def factors_object(found: Factors) -> list[dict[str, object]]:
    return [
        {
            "word": one.word,
            "means": one.means,
            "said_of": one.side or None,
            "measured_for": one.measured,
            "systems": {system: _effect(each) for system, each in one.effects.items()},
        }
        for one in found.factors
    ]


def _effect(one: Effect) -> dict[str, object]:
    out: dict[str, object] = {"effect": one.sort}
    if one.holds is not None and one.edge is not None:
        out |= {"holds_by": json_chance(one.holds), "edge_by": json_chance(one.edge)}
    out |= {"worth": one.worth} if one.worth else {}
    return out | ({"why": one.why} if one.why else {})


def factor_rows(found: Factors) -> Iterator[tuple[str, ...]]:
    """A line for each word, side and system; first the headings."""
    yield "word", "said_of", "measured_for", "system", "effect", "holds_by", "edge_by", "worth", "why"
    for one in found.factors:
        for system, each in one.effects.items():
            exact = ("" if value is None else str(value) for value in (each.holds, each.edge))
            yield one.word, one.side, one.measured, system, each.sort, *exact, each.worth, each.why


# ---- a page -----------------------------------------------------------------------------------------------


def factors_on_a_page(found: Factors) -> dict[str, object]:
    return {
        "systems": list(found.systems),
        "caption": CAPTION,
        "groups": [
            {
                "title": title,
                "rows": [
                    {"name": label(one), "means": one.means, "cells": list(_cells(one, found.systems))} for one in some
                ],
            }
            for title, some in groups(found)
        ],
        "unheard": ", ".join(found.unheard),
        "reasons": list(_reasons(found)),
    }


def _reasons(found: Factors) -> Iterable[str]:
    """Why something is no number, each once."""
    return dict.fromkeys(
        f"{one.word}, {system}: {SAID[each.sort]}: {each.why or MEANS[each.sort]}"
        for one in found.factors
        for system, each in one.effects.items()
        if each.sort in SAID
    )


def _cells(one: Factor, systems: Sequence[str]) -> Iterator[dict[str, object]]:
    for system in systems:
        each = one.effects[system]
        if each.holds is None or each.edge is None:
            yield {"words": SAID[each.sort], "why": each.why or MEANS[each.sort], "sort": each.sort, "numbers": []}
            continue
        is_none = each.sort == NO_EFFECT
        yield {
            "words": "",
            "why": each.worth,
            "sort": each.sort,
            "numbers": [
                {
                    "said": "0" if is_none else points(value),
                    "exact": str(value),
                    "heat": _heat(value),
                    "way": _way(value),
                }
                for value in (each.holds, each.edge)
            ],
        }


def _heat(value: Fraction) -> str:
    """How deep a colour is, in hundredths."""
    return f"{float(min(abs(value) / FULL, Fraction(1)) * DEEPEST * 100):.0f}"


def _way(value: Fraction) -> str:
    return "better" if value > 0 else "worse" if value < 0 else "same"
