"""Chances as a table for people, and as JSON, CSV and Markdown."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from io import StringIO
from typing import TYPE_CHECKING, Any

from rich.console import RenderableType

from closecombat.asking.exact.answers import Chances, Loss, Outcome
from closecombat.reading.types import Exact
from closecombat.telling.page import (
    LEVELLED,
    NEVER,
    Page,
    amount,
    bar,
    chance,
    clean,
    facts_text,
    fraction,
    heading,
    json_chance,
    json_value,
    percent,
    rendered,
    spark,
    table,
)
from closecombat.telling.resting import resting, resting_object

if TYPE_CHECKING:
    from closecombat.asking.exact.tree import Node

MOST_ROWS = 20
MOST_IN_A_FILE = 1_000
NEARLY_SURE = Fraction(9_999, 10_000)  # of its end, from which on no further close combat is told
MOST_APART = 16  # amounts of which each has a letter


def chances_text(chances: Chances, name: str, page: Page, more: Iterable[RenderableType] = ()) -> str:
    """More stands behind the chances and before what they rest on."""
    return rendered(_on_page(chances, name, MOST_IN_A_FILE if page.form else MOST_ROWS, more, page.width), page)


def chances_json(chances: Chances, tree: Node | None = None) -> str:
    """With a tree, which roll led where."""
    out: dict[str, object] = {"format_version": 1, "command": "chances", **chances_object(chances)}
    if tree is not None:
        from closecombat.telling.tree import node_object

        out["tree"] = node_object(tree)
    return json.dumps(out, indent=2, ensure_ascii=False) + "\n"


def chances_csv(chances: Chances) -> str:
    """One line an outcome: its chance, each side's verdict and loss, and what has changed. Of a fight to the end then
    a line for each number of close combats, the chance that it is over by then; the first column says which it is."""
    import csv  # few answers are told as rows

    stream = StringIO()
    out = csv.writer(stream, lineterminator="\n")
    sides = list(chances.outcomes[0].sides)
    heads = ["probability", "percent", *sides, *(f"{side} lost" for side in chances.losses), "changed"]
    lasts = bool(chances.over_after)
    out.writerow(["of", *heads, "over by combat"] if lasts else heads)
    for one in chances.outcomes:
        out.writerow(
            [
                *(["end"] if lasts else []),
                one.probability,
                float(one.probability * 100),
                *one.sides.values(),
                *one.lost.values(),
                "; ".join(f"{who} {facts_text(facts, chances.printed)}" for who, facts in one.units.items()),
                *([""] if lasts else []),
            ]
        )
    for number, over in enumerate(chances.over_after or (), 1):
        out.writerow(["lasting", over, float(over * 100), *[""] * (len(heads) - 2), number])
    return stream.getvalue()


def chances_object(chances: Chances) -> dict[str, Any]:
    """The part of the JSON that one system's chances are, in every command that has any."""
    return {
        "ruleset": chances.ruleset,
        "title": chances.title,
        "outcomes": [
            {
                **json_chance(one.probability),
                "sides": dict(one.sides),
                "lost": _numbers(one.lost),
                "units": {
                    who: {name: json_value(value) for name, value in facts.items()} for who, facts in one.units.items()
                },
            }
            for one in chances.outcomes
        ],
        "verdicts": {
            side: {word: json_chance(value) for word, value in found.items()}
            for side, found in chances.verdicts.items()
        },
        "losses": {side: _loss(loss) for side, loss in chances.losses.items()},
        **({"over_after": _over_after(chances.over_after)} if chances.over_after is not None else {}),
        "assumptions": [{"id": one.id, "text": one.text} for one in chances.assumptions],
        "remarks": list(chances.remarks),
        **resting_object(chances.rests_on),
    }


def _numbers(amounts: Mapping[str, Exact]) -> dict[str, object]:
    return {side: json_value(value) for side, value in amounts.items()}


def _over_after(found: Sequence[Fraction]) -> list[dict[str, object]]:
    return [{"combats": number, **json_chance(chance)} for number, chance in enumerate(found, 1)]


def _loss(loss: Loss) -> dict[str, object]:
    return {
        "expected": json_value(loss.expected),
        "about": float(loss.expected),
        "unit": loss.unit,
        "distribution": [{"lost": json_value(value), **json_chance(weight)} for value, weight in loss.distribution],
    }


# ---- text -------------------------------------------------------------------------------------------------


def _on_page(
    chances: Chances, name: str, most: int, more: Iterable[RenderableType], width: int
) -> Iterable[RenderableType]:
    yield heading(name, f"{chances.ruleset}: {chances.title}")
    yield ""
    yield from _outcomes(chances, most)
    yield from verdict_table(chances)
    yield from _losses(chances)
    yield from _lasting(chances.over_after)
    yield from more
    yield from resting(chances.assumptions, chances.remarks, chances.rests_on, width)


def _outcomes(chances: Chances, most: int) -> Iterable[RenderableType]:
    sides = list(chances.outcomes[0].sides)
    common = _common(chances.outcomes)
    changing = any(_own(one, common) for one in chances.outcomes)
    lost = ["lost" if len(chances.losses) == 1 else f"{side} lost" for side in chances.losses]
    out = table(
        "chance",
        "as fraction",
        "",
        *sides,
        *lost,
        *(["what has changed"] if changing else []),
        right=["chance", "as fraction", *lost],
    )
    for one in chances.outcomes[:most]:
        changed = "; ".join(f"{who} {facts_text(facts, chances.printed)}" for who, facts in _own(one, common).items())
        out.add_row(
            percent(one.probability),
            fraction(one.probability),
            bar(one.probability),
            *(clean(one.sides[side]) for side in sides),
            *(amount(one.lost[side]) for side in chances.losses),
            *([changed or "-"] if changing else []),
        )
    yield out
    left = chances.outcomes[most:]
    if left:
        rest = sum((one.probability for one in left), Fraction(0))
        yield (
            f"and {len(left)} less likely ends, {percent(rest)} together: `--by sides` sums them up, "
            "`--format json` has them all"
        )
    if common:
        yield ""
        yield "In every case: " + "; ".join(
            f"{who} {facts_text(facts, chances.printed)}" for who, facts in common.items()
        )


def _common(outcomes: Iterable[Outcome]) -> dict[str, dict[str, Any]]:
    """What has changed in the same way however the dice fell."""
    out: dict[str, dict[str, Any]] | None = None
    for one in outcomes:
        if out is None:
            out = {who: dict(facts) for who, facts in one.units.items()}
            continue
        for who in list(out):
            facts = one.units.get(who, {})
            out[who] = {name: value for name, value in out[who].items() if name in facts and facts[name] == value}
            if not out[who]:
                del out[who]
    return out or {}


def _own(outcome: Outcome, common: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """What has changed in this outcome and not in all."""
    own = {
        who: {name: value for name, value in facts.items() if name not in common.get(who, {})}
        for who, facts in outcome.units.items()
    }
    return {who: facts for who, facts in own.items() if facts}


def verdict_table(chances: Chances) -> Iterable[RenderableType]:
    if not chances.verdicts:
        return
    yield ""
    yield heading("How each side ends")
    out = table("side", "verdict", "chance", "as fraction", "", right=["chance", "as fraction"])
    for side, found in chances.verdicts.items():
        for place, (word, value) in enumerate(found.items()):
            out.add_row(clean(side) if not place else "", clean(word), percent(value), fraction(value), bar(value))
    yield out


def _losses(chances: Chances) -> Iterable[RenderableType]:
    if not chances.losses:
        return
    yield ""
    yield heading("Strength lost")
    out = table("side", "on average", "in", "spread", "how likely", right=["on average"])
    for side, loss in chances.losses.items():
        out.add_row(clean(side), expected(loss.expected), clean(loss.unit), _drawn(loss), spread(loss))
    yield out


def _lasting(found: Sequence[Fraction] | None) -> Iterable[RenderableType]:
    """After how many close combats it is over: drawn with which, and told how likely by then."""
    if found is None:
        return
    nearly_sure = next((number for number, chance in enumerate(found, 1) if chance >= NEARLY_SURE), len(found))
    found = found[:nearly_sure]
    yield ""
    yield heading("Over after so many close combats")
    before = Fraction(0)
    each: list[tuple[Fraction, Fraction]] = []
    for number, by_then in enumerate(found):
        each.append((Fraction(number), by_then - before))
        before = by_then
    out = table(f"1 to {len(found)}" if len(found) > 1 else "", "by then")
    said = [f"{number}: {percent(by_then)}" for number, by_then in enumerate(found, 1)]
    out.add_row(spark(each, Fraction(len(found)), len(found)), ", ".join(said))
    yield out


def _drawn(loss: Loss) -> str:
    """How likely each amount is: a letter each, or of many an eighth of the range."""
    least = min(Fraction(loss.distribution[0][0]), Fraction(0))  # a ruleset may count a gain as less than nothing
    most = Fraction(loss.distribution[-1][0]) - least
    each = int(most) + 1 if most.denominator == 1 and most < MOST_APART else LEVELLED
    found = [(Fraction(value) - least, weight) for value, weight in loss.distribution]
    return spark(found, most, each) if most else NEVER


def expected(value: Exact) -> str:
    text = str(value)
    return text if "/" not in text else f"{amount(value)} ({text})" if len(text) <= 12 else amount(value)


def spread(loss: Loss) -> str:
    """The amounts that may be lost, each with its chance; the far ends of a long list together."""
    shown = [f"{amount(value)}: {percent(weight)}" for value, weight in loss.distribution]
    if len(shown) > 10:
        likely = sorted(sorted(loss.distribution, key=lambda each: (-each[1], each[0]))[:8])
        rest = 1 - sum((weight for _, weight in likely), Fraction(0))
        shown = [f"{amount(value)}: {percent(weight)}" for value, weight in likely] + [f"others: {percent(rest)}"]
    return ", ".join(shown)


__all__ = ["chance", "chances_json", "chances_object", "chances_text", "expected", "spread", "verdict_table"]
