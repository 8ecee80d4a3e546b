"""Statistics of many playings as tables for people, and as JSON and CSV."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from io import StringIO
from typing import Any

from rich.console import RenderableType

from closecombat.asking.played.playings import Amounts, Ended, Share, Statistics
from closecombat.reading.types import Exact, shown
from closecombat.telling.chances import expected
from closecombat.telling.page import (
    Page,
    amount,
    clean,
    facts_text,
    heading,
    json_chance,
    json_value,
    notes,
    percent,
    rendered,
    table,
)

MOST_ROWS = 20
SURE = "between: where the chance lies, 19 times of 20"


def playings_text(found: Statistics, name: str, page: Page) -> str:
    return rendered(_on_page(found, name), page)


def playings_json(found: Statistics) -> str:
    document = {
        "format_version": 1,
        "command": "play",
        "ruleset": found.ruleset,
        "title": found.title,
        "seed": found.seed,
        **({"together": True} if found.together else {}),
        **({"alone_because": found.alone_because} if found.alone_because else {}),
        "asked_for": found.asked_for,
        "played": found.played,
        "ended": found.ended,
        "ends": [
            {
                **_share(one.share),
                "sides": dict(one.sides),
                "lost": {side: json_value(value) for side, value in one.lost.items()},
                "units": {
                    who: {fact: json_value(value) for fact, value in facts.items()} for who, facts in one.units.items()
                },
            }
            for one in found.ends
        ],
        "verdicts": {
            side: {word: _share(share) for word, share in verdicts.items()} for side, verdicts in found.verdicts.items()
        },
        "losses": {side: {"unit": found.unit, **_amounts(one, "lost")} for side, one in found.losses.items()},
        "asked": [{"question": question, **_amounts(one, "value")} for question, one in found.answers.items()],
        **({} if found.combats is None else {"combats": _amounts(found.combats, "combats")}),
        "refused": [
            {"code": one.code, "message": one.message, "times": one.times, **_first(one.first)} for one in found.refused
        ],
        "assumptions": [{"id": one.id, "text": one.text} for one in found.assumptions],
        "remarks": list(found.remarks),
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _share(share: Share) -> dict[str, Any]:
    low, high = share.between
    return {
        "times": share.times,
        "share": str(share.share),
        "percent": float(share.share * 100),
        "between": [float(low * 100), float(high * 100)],
        **_first(share.first),
        **({} if share.chance is None else {"chance": json_chance(share.chance)}),
    }


def _first(number: int | None) -> dict[str, int]:
    return {} if number is None else {"first": number}


def _amounts(found: Amounts, what: str) -> dict[str, Any]:
    out: dict[str, Any] = {}
    if found.mean is not None:
        out |= {"mean": str(found.mean), "about": float(found.mean)}
        out |= {} if found.about is None else {"give_or_take": float(found.about)}
        out |= {} if found.exact is None else {"exact_mean": str(found.exact)}
    return {**out, "distribution": [{what: json_value(value), **_share(share)} for value, share in found.found]}


def playings_csv(found: Statistics) -> str:
    """One line a number that was counted: what it is of, whose, which, how often, and between which bounds."""
    stream = StringIO()
    out = csv.writer(stream, lineterminator="\n")
    exactly = any(one.share.chance is not None for one in found.ends)
    out.writerow(
        ["what", "whose", "value", "times", "share", "percent", "at least", "at most"]
        + ([] if found.together else ["first"])
        + (["chance"] if exactly else [])
    )
    for what, whose, value, share in _lines(found):
        low, high = share.between
        out.writerow(
            [what, whose, value, share.times, share.share]
            + [float(share.share * 100), float(low * 100), float(high * 100)]
            + ([] if share.first is None else [share.first])
            + ([] if share.chance is None else [share.chance])
        )
    return stream.getvalue()


def _lines(found: Statistics) -> Iterator[tuple[str, str, str, Share]]:
    for one in found.ends:
        changed = "; ".join(f"{who} {facts_text(facts, found.printed)}" for who, facts in one.units.items())
        said = ", ".join(f"{side} {word}" for side, word in one.sides.items())
        yield "end", "", "; ".join(part for part in (said, changed) if part), one.share
    for side, verdicts in found.verdicts.items():
        yield from (("verdict", side, word, share) for word, share in verdicts.items())
    for side, lost in found.losses.items():
        yield from (("lost", side, shown(value), share) for value, share in lost.found)
    for question, answers in found.answers.items():
        yield from (("asked", question, shown(value), share) for value, share in answers.found)
    if found.combats is not None:
        yield from (("combats", "", shown(value), share) for value, share in found.combats.found)
    for refused in found.refused:
        yield "refused", refused.code, refused.message, Share(refused.times, found.played, refused.first)


# ---- text -------------------------------------------------------------------------------------------------


def _on_page(found: Statistics, name: str) -> Iterable[RenderableType]:
    yield heading(name, f"{found.ruleset}: {found.title}")
    yield f"{found.played:,} playings, seed {found.seed}" + (", many together (--fast)" if found.together else "")
    if found.alone_because:
        yield f"played one by one, since together they cannot be: {clean(found.alone_because)}"
    if found.refused:
        yield ""
        yield heading("Came to no end")
        refused = table("playings", *_heading(found), "code", "", right=["playings", "first"])
        for one in found.refused:
            refused.add_row(f"{one.times:,}", *_number(one.first), one.code, clean(one.message))
        yield refused
        yield f"what follows is of the {found.ended:,} others"
    yield ""
    yield from _ends(found)
    yield SURE
    yield from _verdicts(found)
    for title, column, rows in (
        ("Strength lost", "side", {side: (one, found.unit) for side, one in found.losses.items()}),
        ("Asked", "", {question: (one, "") for question, one in found.answers.items()}),
        ("Close combats fought", "", {} if found.combats is None else {"": (found.combats, "")}),
    ):
        yield from _means(title, column, rows)
    example = next((one.share.first for one in found.ends[1:]), found.ends[0].share.first)
    if example is not None:
        yield ""
        said = f"`resolve .. --seed {found.seed} --playing {example}` tells it"
        yield f"first: the playing in which it first came up; {said}"
    yield from notes(found.assumptions, found.remarks)


def _heading(found: Statistics) -> list[str]:
    return [] if found.together else ["first"]


def _number(first: int | None) -> list[str]:
    return [] if first is None else [str(first)]


def _columns(exactly: bool) -> tuple[list[str], list[str]]:
    return ["share", "times", "between", *(["chance"] if exactly else [])], ["share", "times", "chance", "first"]


def _cells(share: Share, exactly: bool) -> list[str]:
    return [
        percent(share.share),
        f"{share.times:,}",
        _bounds(share),
        *([percent(share.chance)] if exactly and share.chance is not None else []),
    ]


def _bounds(share: Share) -> str:
    low, high = share.between
    return f"{_points(low)}-{_points(high)}%"


def _points(chance: Fraction) -> str:
    return f"{float(chance * 100):.2f}".removesuffix(".00") if chance in (0, 1) else f"{float(chance * 100):.2f}"


def _ends(found: Statistics) -> Iterable[RenderableType]:
    sides = list(found.ends[0].sides)
    exactly = found.ends[0].share.chance is not None
    changing = any(one.units for one in found.ends)
    lost = [f"{side} lost" for side in found.losses]
    columns, right = _columns(exactly)
    told = [*(["what has changed"] if changing else []), *_heading(found)]
    out = table(*columns, *sides, *lost, *told, right=[*right, *lost])
    for one in found.ends[:MOST_ROWS]:
        out.add_row(
            *_cells(one.share, exactly),
            *(clean(one.sides[side]) for side in sides),
            *(amount(one.lost[side]) for side in found.losses),
            *([_changed(one, found)] if changing else []),
            *_number(one.share.first),
        )
    yield out
    left = found.ends[MOST_ROWS:]
    if left:
        rest = Fraction(sum(one.share.times for one in left), found.ended)
        yield f"and {len(left)} less frequent ends, {percent(rest)} together: `--by sides` sums them up"


def _changed(one: Ended, found: Statistics) -> str:
    return "; ".join(f"{who} {facts_text(facts, found.printed)}" for who, facts in one.units.items()) or "-"


def _verdicts(found: Statistics) -> Iterable[RenderableType]:
    if not found.verdicts:
        return
    yield ""
    yield heading("How each side ends")
    exactly = any(share.chance is not None for shares in found.verdicts.values() for share in shares.values())
    columns, right = _columns(exactly)
    out = table("side", "verdict", *columns, *_heading(found), right=right)
    for side, shares in found.verdicts.items():
        for place, (word, share) in enumerate(shares.items()):
            out.add_row(clean(side) if not place else "", clean(word), *_cells(share, exactly), *_number(share.first))
    yield out


def _means(title: str, column: str, rows: Mapping[str, tuple[Amounts, str]]) -> Iterable[RenderableType]:
    if not rows:
        return
    yield ""
    yield heading(title)
    exactly = any(one.exact is not None for one, _ in rows.values())
    headings = [column, "on average", *(["exactly"] if exactly else []), "in", "how often"]
    out = table(*headings, right=["on average", "exactly"])
    for name, (found, unit) in rows.items():
        out.add_row(
            clean(name),
            _average(found),
            *([expected(found.exact) if found.exact is not None else "-"] if exactly else []),
            clean(unit),
            _spread(found),
        )
    yield out


def _average(found: Amounts) -> str:
    if found.mean is None:
        return "-"
    return _two(found.mean) + (f" ± {_two(found.about)}" if found.about else "")


def _two(value: Exact) -> str:
    return str(value) if isinstance(value, int) else f"{float(value):.2f}"


def _spread(found: Amounts) -> str:
    """What came up, each with its share; of a long list the most frequent."""
    often = sorted(found.found, key=lambda one: -one[1].times)[:8] if len(found.found) > 10 else found.found
    kept = [one for one in found.found if one in often]
    said = [
        f"{amount(value) if isinstance(value, Fraction) else clean(shown(value))}: {percent(share.share)}"
        for value, share in kept
    ]
    if len(kept) < len(found.found):
        others = sum(share.times for value, share in found.found) - sum(share.times for _, share in kept)
        said.append(f"others: {percent(Fraction(others, found.found[0][1].of))}")
    return ", ".join(said)
