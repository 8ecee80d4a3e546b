"""What matters in a fight, as a page: each rule by what it says, its name small beside it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from closecombat.asking.exact.answers import ASSUMPTION, READING, Shift
from closecombat.asking.weights.shares import Share
from closecombat.asking.weights.weight_words import InWords
from closecombat.asking.weights.weights import (
    ASSUMPTIONS,
    CHANGE,
    CHANGES,
    MODIFIER,
    OPTIONS,
    Together,
    Weighed,
    Weight,
)
from closecombat.reading.phrases import sentence
from closecombat.telling.html import page_of, share
from closecombat.telling.page import by_how_much
from closecombat.telling.weigh import FAULTS, share_said, told, whole_said, whom_it_moves

TITLES: Mapping[str, str] = {
    MODIFIER: "All modifiers that count here, together, against none of them",
    READING: "All readings as they are, against the other",
    CHANGE: "All changes together, against none",
}
UNCHARTED: Mapping[str, str] = {
    OPTIONS: "rules that can be read otherwise",
    ASSUMPTIONS: "assumptions",
    CHANGES: "changes of a variant",
}


def weigh_html(found: Weighed, words: Mapping[str, InWords]) -> str:
    """`words` are those of `weighed_in_words`."""
    return page_of(
        "weigh",
        {
            "name": found.name,
            "ruleset": found.ruleset,
            "title": found.title,
            "rules": [{**_called(one.name, words), **_weight(one)} for one in found.weights],
            "together": [_together(one, words) for one in found.together],
            "unmoved": [_called(name, words) for name in dict.fromkeys(one.name for one in found.unmoved)],
            "never": list(_never(found.never_met, words)),
            "assumed": [{**_called(id, words), "by": _if_read_so(weight)} for id, weight in found.assumed],
        },
    )


def _called(name: str, words: Mapping[str, InWords]) -> dict[str, str]:
    found = words.get(name)
    if found is None or found.says == name:
        return {"says": name.rpartition(".")[2].replace("-", " "), "chart": "", "id": name, "cites": ""}
    return {"says": sentence([found.says]), "chart": found.chart, "id": name, "cites": ""}


def _weight(one: Weight) -> dict[str, object]:
    is_read = one.sort == ASSUMPTION
    out: dict[str, object] = {
        "cites": ", ".join(one.cites),
        "was": "" if one.sort in (MODIFIER, ASSUMPTION) else one.was,
        "other": f"read so: {one.other}" if is_read else one.other,
        "fault": FAULTS[one.fault] if one.fault else "",
        "shift": None,
    }
    return out if one.fault else out | {"shift": _shift(one.shifts[0])}


def _if_read_so(weight: Weight | None) -> str:
    """What moves most where an assumption is read otherwise."""
    if weight is None:
        return "it has no other reading"
    if weight.fault or not weight.shifts:
        return FAULTS.get(weight.fault, "nothing")
    first = weight.shifts[0]
    return f"{first.whom} {first.what} {by_how_much(first)}"


def _shift(one: Shift) -> dict[str, str]:
    sides = {"old": one.old, "new": one.new}
    return {
        "what": f"{one.whom} {one.what}",
        "by": by_how_much(one),
        **{name: told(one, value) for name, value in sides.items()},
        **{f"{name}_exact": str(value) for name, value in sides.items()},
        **{f"{name}_share": "" if one.is_amount else share(value) for name, value in sides.items()},
    }


def _together(one: Together, words: Mapping[str, InWords]) -> dict[str, object]:
    out: dict[str, object] = {
        "title": TITLES[one.sort],
        "said": "",
        "shares": [],
        "why": one.message,
        "orders": one.orders,
        "left_out": [_called(name, words) for name in one.left_out],
    }
    key = whom_it_moves(one)
    if key is None:
        return out if one.message else out | {"said": "nothing changes"}
    out["said"] = f"{key[0]} {key[1]} {whole_said(one, key)}"
    mine = [(name, each.get(key, Share(Fraction(0)))) for name, each in zip(one.names, one.shares, strict=False)]
    mine = sorted(((name, each) for name, each in mine if each.amount or each.variance), key=_heaviest)
    most = max((abs(each.amount) for _, each in mine), default=Fraction(0)) or Fraction(1)
    if len(mine) > 1:
        out["shares"] = [
            {
                **_called(name, words),
                "said": share_said(each, key),
                "exact": str(each.amount),
                "share": share(abs(each.amount) / most),
                "is_less": each.amount < 0,
            }
            for name, each in mine
        ]
    return out


def _heaviest(one: tuple[str, Share]) -> Fraction:
    return -abs(one[1].amount)


def _never(never: Mapping[str, Sequence[str]], words: Mapping[str, InWords]) -> Iterable[tuple[str, list[str]]]:
    """By the heading of each chart what its rows say."""
    for chart, names in never.items():
        if chart in UNCHARTED:
            yield UNCHARTED[chart], [_called(name, words)["says"] for name in names]
        else:
            rows = [_called(f"{chart}.{name}", words) for name in names]
            title = next((row["chart"] for row in rows if row["chart"]), chart.replace("-", " "))
            yield title, list(dict.fromkeys(row["says"] for row in rows))
