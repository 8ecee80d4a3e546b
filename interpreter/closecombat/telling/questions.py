"""What was asked of the end of a fight (`chances --of`): as tables for people, and as JSON, CSV and Markdown."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable
from fractions import Fraction
from io import StringIO
from typing import Any

from rich.console import RenderableType

from closecombat.asking.exact.questions import Answers, Asked
from closecombat.reading.types import shown
from closecombat.telling.chances import expected
from closecombat.telling.page import (
    Page,
    amount,
    bar,
    clean,
    fraction,
    heading,
    json_chance,
    json_value,
    percent,
    rendered,
    table,
)
from closecombat.telling.resting import ANSWER, resting, resting_object

MOST_ROWS = 40


def asked_text(asked: Asked, name: str, page: Page) -> str:
    return rendered(_on_page(asked, name, page.width), page)


def asked_json(asked: Asked) -> str:
    document = {
        "format_version": 1,
        "command": "chances",
        "ruleset": asked.ruleset,
        "title": asked.title,
        "asked": [_object(one) for one in asked.answers],
        "assumptions": [{"id": one.id, "text": one.text} for one in asked.assumptions],
        "remarks": list(asked.remarks),
        **resting_object(asked.rests_on),
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _object(one: Answers) -> dict[str, Any]:
    mean = {"mean": json_value(one.mean), "about": float(one.mean)} if one.mean is not None else {}
    chances = [{"value": json_value(value), **json_chance(chance)} for value, chance in one.chances]
    if mean:
        for told, at_least in zip(chances, _or_more(one), strict=True):
            told["or_more"] = json_chance(at_least)
    return {"question": one.question, **mean, "chances": chances}


def asked_csv(asked: Asked) -> str:
    """One line an answer: what was asked, the answer, its chance."""
    stream = StringIO()
    out = csv.writer(stream, lineterminator="\n")
    out.writerow(["question", "value", "probability", "percent"])
    for one in asked.answers:
        for value, chance in one.chances:
            out.writerow([one.question, shown(value), chance, float(chance * 100)])
    return stream.getvalue()


def _on_page(asked: Asked, name: str, width: int) -> Iterable[RenderableType]:
    yield heading(name, f"{asked.ruleset}: {asked.title}")
    for one in asked.answers:
        yield ""
        yield from _answers(one)
    yield from resting(asked.assumptions, asked.remarks, asked.rests_on, width, ANSWER)


def _answers(one: Answers) -> Iterable[RenderableType]:
    more = ["or more"] if one.mean is not None else []
    out = table(one.question, "chance", "as fraction", *more, "", right=["chance", "as fraction", *more])
    likely = set(sorted(range(len(one.chances)), key=lambda place: -one.chances[place][1])[:MOST_ROWS])
    left = Fraction(0)
    for place, ((value, chance), at_least) in enumerate(zip(one.chances, _or_more(one), strict=True)):
        if place not in likely:
            left += chance
            continue
        said = amount(value) if more and value is not None else clean(shown(value))
        out.add_row(said, percent(chance), fraction(chance), *([percent(at_least)] if more else []), bar(chance))
    yield out
    if left:
        yield f"and {len(one.chances) - MOST_ROWS} less likely ones, {percent(left)} together"
    if one.mean is not None:
        yield f"on average {expected(one.mean)}"


def _or_more(one: Answers) -> list[Fraction]:
    """For each answer the chance of that one or one after it."""
    out, rest = [], Fraction(1)
    for _, chance in one.chances:
        out.append(rest)
        rest -= chance
    return out
