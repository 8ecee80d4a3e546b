"""What each answer to a choice is worth under best play, for people, as CSV and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

from rich.console import RenderableType

from closecombat.asking.choices.declarations import answer_in_words, set_in_words
from closecombat.asking.choices.worths import Answered, Worth
from closecombat.telling.choices import MOST_LINES, answer_json, asked_of, choices_object
from closecombat.telling.page import Page, clean, fraction, paragraph, percent, rendered, table
from closecombat.telling.sheets import csv_text

NOT_SHORT = 3  # digits behind the point


def answered_text(found: Answered, everything: bool, page: Page) -> str:
    """The answers, the best first, each with its worth; then what the ruleset's own answer gives up."""
    return rendered(_on_page(found, everything, page), page)


def _on_page(found: Answered, everything: bool, page: Page) -> Iterable[RenderableType]:
    listed = found.listed
    cites = f" ({', '.join(listed.cites)})" if listed.cites else ""
    yield f"{asked_of(listed)}, at `{listed.row}`{cites}"
    yield from played_for(found.player, found.aims, page)
    yield ""
    mixed = any(one.share is not None for one in found.worths)
    out = table("worth", "exactly", *(("played",) if mixed else ()), "answer", "", right=["worth", "played"])
    for one in found.worths if everything else found.worths[:MOST_LINES]:
        told = [("" if one.exact else "at most ") + worth(one.worth), fraction(one.worth) if one.exact else ""]
        played = [percent(one.share or Fraction(0))] if mixed else []
        out.add_row(*told, *played, clean(_answer(one)), ", ".join(_said(one)))
    yield out
    if len(found.worths) > MOST_LINES and not everything:
        yield f"and {len(found.worths) - MOST_LINES} more: --all"
    yield ""
    yield from (paragraph(clean(text), page.width) for text in _about(found))


def played_for(player: str, aims: Iterable[str], page: Page) -> Iterable[RenderableType]:
    """What is played for, as every answer says."""
    said = "; and ".join(aims)
    yield paragraph(clean(f"{player} plays for {said}. Whoever else plays wants that low."), page.width)


def _answer(one: Worth) -> str:
    return set_in_words(one.answer) if isinstance(one.answer, tuple) else answer_in_words(one.answer)


def _said(one: Worth) -> Iterable[str]:
    if one.is_best:
        yield "best"
    if one.is_default:
        yield "the ruleset's"
    if one.alike > 1:
        yield f"{one.alike} alike"


def _about(found: Answered) -> Iterable[str]:
    if found.default is None:
        yield "The ruleset has no answer of its own here."
    elif found.default != found.best:
        yield f"The ruleset's own answer gives up {worth(abs(found.best - found.default)).lstrip('+')}."
    if found.between is not None:
        low, high = found.between
        yield (
            f"The answers are given unseen: best is to mix them, for {worth(found.best)}. Seen by the other it would "
            f"be {worth(low)}, and seeing his {worth(high)}."
        )
    yield from (f"{note[0].upper() if note[0].isalpha() else note[0]}{note[1:]}." for note in found.notes)


def worth(value: Fraction) -> str:
    """A worth for people: with its sign, and as many digits as say something."""
    if value.denominator == 1:
        return f"{value.numerator:+d}" if value else "0"
    digits = NOT_SHORT
    while digits < 9 and abs(value) * 10**digits < 10:
        digits += 1
    return f"{float(value):+.{digits}f}"


def answered_csv(found: Answered) -> str:
    """A line for each legal answer, the best first."""
    return csv_text(_lines(found))


def _lines(found: Answered) -> Iterator[tuple[object, ...]]:
    yield "row", "who", "fact", "answer", "player", "aim", "worth", "exact", "best", "default", "alike", "played"
    head, aim = (found.listed.row, found.listed.who.name, found.listed.fact), "; ".join(found.aims)
    for one in found.worths:
        flags = ("yes" if is_so else "no" for is_so in (one.exact, one.is_best, one.is_default))
        played = "" if one.share is None else one.share
        yield *head, _answer(one), found.player, aim, one.worth, *flags, one.alike, played


def answered_json(found: Answered) -> str:
    """The schema `choices`, with `best`."""
    document = choices_object(found.listed)
    document["best"] = {
        "player": found.player,
        "aims": list(found.aims),
        "worth": worth_json(found.best),
        "default": None if found.default is None else worth_json(found.default),
        "between": None if found.between is None else [worth_json(one) for one in found.between],
        "answers": [
            {
                "value": _value(one),
                "worth": worth_json(one.worth),
                "exact": one.exact,
                "best": one.is_best,
                "default": one.is_default,
                "alike": one.alike,
                **({} if one.share is None else {"share": str(one.share)}),
            }
            for one in found.worths
        ],
        "notes": list(found.notes),
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _value(one: Worth) -> Any:
    return [answer_json(thing) for thing in one.answer] if isinstance(one.answer, tuple) else answer_json(one.answer)


def worth_json(value: Fraction) -> dict[str, object]:
    return {"exact": str(value), "about": float(value)}
