"""What matters in a fight, as text, Markdown, CSV and JSON."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from io import StringIO
from math import sqrt
from types import MappingProxyType

from rich.console import RenderableType

from closecombat.asking.exact.answers import ASSUMPTION, ON_AVERAGE, READING, STRENGTH_LOST, Shift
from closecombat.asking.weights.shares import Share
from closecombat.asking.weights.weights import (
    ASSUMPTIONS,
    AT_FAULT,
    CHANGE,
    CHANGES,
    FORBIDDEN,
    MODIFIER,
    OPTIONS,
    TOO_LARGE,
    Outcome,
    Together,
    Weighed,
    Weight,
)
from closecombat.telling.page import (
    Page,
    amount,
    bar,
    by_how_much,
    change,
    change_of_amount,
    heading,
    json_chance,
    paragraph,
    percent,
    points,
    rendered,
    table,
)

AT_MOST = 12  # rules that are listed where not all are asked for
SURE = 1.96  # standard deviations between which a mean of drawn orders lies, 19 times of 20
TOGETHER: Mapping[str, str] = MappingProxyType(
    {
        MODIFIER: "all modifiers that count here, together, against none of them",
        READING: "all readings as they are, against the other",
        CHANGE: "all changes together, against none",
    }
)
FAULTS: Mapping[str, str] = MappingProxyType(
    {
        FORBIDDEN: "then the declaration is forbidden",
        TOO_LARGE: "too large to work out",
        AT_FAULT: "then there is no such fight",
    }
)


def weigh_text(found: Weighed, everything: bool, page: Page) -> str:
    return rendered(_parts(found, everything, page), page)


def _parts(found: Weighed, everything: bool, page: Page) -> Iterator[RenderableType]:
    width = page.width
    yield heading(found.name, f"{found.ruleset}: {found.title}")
    yield ""
    if found.weights:
        yield from _listed_in_full(found) if page.form else _listed(found, everything)
    else:
        said = "nothing that can be switched off or read otherwise changes how a side ends here, or what it loses"
        yield paragraph(said, width)
    for one in found.together:
        yield ""
        yield from _shared(one, found)
    yield ""
    if found.unmoved:
        yield paragraph(f"met, changes no end of a side: {_named(found.unmoved)}", width, "  ")
    if found.never_met:
        yield paragraph(f"never met here: {_never(found, everything)}", width, "  ")
    heavy = [f"{id} ({moves(weight)})" for id, weight in found.assumed if weight is not None]
    if heavy:
        yield paragraph(f"rests on, the heaviest first: {', '.join(heavy)}", width, "  ")
    if alone := [id for id, weight in found.assumed if weight is None]:
        yield paragraph(f"{'and ' if heavy else ''}rests on, with no other reading: {', '.join(alone)}", width, "  ")


def _listed(found: Weighed, everything: bool) -> Iterator[RenderableType]:
    """Each rule with the outcome that it moves most."""
    shown = found.weights if everything else found.weights[:AT_MOST]
    out = table("rule", "if it were", "then", "changes by", "")
    most = max(
        (abs(one.shifts[0].by) for one in shown if one.shifts and not one.shifts[0].is_amount), default=Fraction(1)
    )
    for one in shown:
        if one.fault:
            out.add_row(one.name, _other(one), FAULTS[one.fault], "", "")
            continue
        first = one.shifts[0]
        length = Fraction(0) if first.is_amount else abs(first.by) / most
        out.add_row(one.name, _other(one), _outcome((first.whom, first.what)), by_how_much(first), bar(length))
    yield out
    if left := len(found.weights) - len(shown):
        yield f"and {left} more: --all"


def _listed_in_full(found: Weighed) -> Iterator[RenderableType]:
    """The same where there is room: what each rule is, and what the outcome was and becomes."""
    heads = ("was", "becomes", "changes by")
    out = table("rule", "is", "if it were", "then", *heads, right=heads)
    for one in found.weights:
        head = one.name, one.was, one.other
        if one.fault:
            out.add_row(*head, FAULTS[one.fault], "", "", "")
            continue
        first = one.shifts[0]
        moved = told(first, first.old), told(first, first.new), by_how_much(first)
        out.add_row(*head, _outcome((first.whom, first.what)), *moved)
    yield out


def told(shift: Shift, value: Fraction) -> str:
    return amount(value) if shift.is_amount else percent(value)


def _other(one: Weight) -> str:
    """What an assumption would be is longer than there is room for."""
    return "read so" if one.sort == ASSUMPTION else one.other


def _outcome(key: Outcome) -> str:
    return f"{key[0]} {key[1]}"


def _shared(one: Together, found: Weighed) -> Iterator[RenderableType]:
    """The shares of what moves most together."""
    what = TOGETHER[one.sort]
    if not one.whole:
        yield f"{what}: {one.message}"
        return
    key = whom_it_moves(one)
    if key is None:
        yield f"{what}: nothing changes"
        return
    yield f"{what}: {_outcome(key)} {whole_said(one, key)}"
    if one.message:
        yield f"the share of each: {one.message}"
        return
    most = max(abs(share[key].amount) for share in one.shares if key in share)
    out = table("fair share", "", "")
    for name, share in sorted(
        ((name, each.get(key, Share(Fraction(0)))) for name, each in zip(one.names, one.shares, strict=True)),
        key=lambda item: -abs(item[1].amount),
    ):
        if share.amount or share.variance:
            out.add_row(name, share_said(share, key), bar(abs(share.amount) / most if most else Fraction(0)))
    if out.row_count > 1:
        yield out
        yield "a fair share: what a rule adds when it comes in, on average over all orders"
    if one.orders:
        yield f"from {one.orders} orders in which they could come; the share lies between, 19 times of 20"
    if one.left_out:
        yield f"left as they are, for without them there is no such fight: {', '.join(one.left_out)}"


def whom_it_moves(one: Together) -> Outcome | None:
    """The chance, or if there is none the amount, that moves most; none where nothing moves."""
    chances = {key: by for key, by in one.whole.items() if by and not _is_amount(key)}
    key = max(chances or one.whole, key=lambda each: abs(one.whole[each]), default=None)
    return key if key is not None and one.whole[key] else None


def whole_said(one: Together, key: Outcome) -> str:
    return change_of_amount(one.whole[key]) if _is_amount(key) else change(one.whole[key])


def _is_amount(key: Outcome) -> bool:
    return key[1] in (STRENGTH_LOST, ON_AVERAGE)


def share_said(share: Share, key: Outcome) -> str:
    """A fair share; of orders that were drawn, between what it lies."""
    is_chance = not _is_amount(key)
    scale = 100 if is_chance else 1
    if not share.variance:
        return change(share.amount) if is_chance else change_of_amount(share.amount)
    middle, off = float(share.amount * scale), SURE * sqrt(share.variance) * scale
    return f"{middle - off:+.2f} to {middle + off:+.2f}"


def moves(weight: Weight) -> str:
    """What an assumption would move if it were read otherwise."""
    if weight.fault:
        return FAULTS[weight.fault]
    if not weight.shifts:
        return "="
    first = weight.shifts[0]
    return points(first)


def _named(those: Sequence[Weight]) -> str:
    return ", ".join(dict.fromkeys(one.name for one in those))


def _never(found: Weighed, everything: bool) -> str:
    if everything:
        return "; ".join(f"{chart}: {', '.join(names)}" for chart, names in found.never_met.items())
    names = {what: len(found.never_met.get(what, ())) for what in (OPTIONS, ASSUMPTIONS, CHANGES)}
    rows = sum(map(len, found.never_met.values())) - sum(names.values())
    counted = {"row": rows, "option": names[OPTIONS], "assumption": names[ASSUMPTIONS], "change": names[CHANGES]}
    parts = [f"{many} {what}{'s' * (many != 1)}" for what, many in counted.items() if many]
    return f"{', '.join(parts)} (--all)"


# ---- Markdown and CSV -------------------------------------------------------------------------------------


def weigh_csv(found: Weighed) -> str:
    """A line for each outcome that a rule moves; one without an outcome for each that moves none."""
    stream = StringIO()
    out = csv.writer(stream, lineterminator="\n")
    out.writerow(("sort", "rule", "is", "if_it_were", "whom", "outcome", "was", "becomes", "changes_by", "fault"))
    for one in (*found.weights, *found.unmoved):
        told = one.sort, one.name, one.was, one.other
        for shift in one.shifts:
            out.writerow((*told, shift.whom, shift.what, shift.old, shift.new, shift.by, ""))
        if not one.shifts:
            out.writerow((*told, "", "", "", "", "", one.fault))
    return stream.getvalue()


# ---- JSON -------------------------------------------------------------------------------------------------


def weigh_json(found: Weighed) -> str:
    out: dict[str, object] = {
        "format_version": 1,
        "command": "weigh",
        "fight": found.name,
        "ruleset": found.ruleset,
        "unit": found.unit,
        "outcomes": [
            {"whom": key[0], "outcome": key[1], **_value(key, value)} for key, value in found.outcomes.items()
        ],
        "weights": [_weight(one) for one in found.weights],
        "unmoved": [_weight(one) for one in found.unmoved],
        "never_met": {chart: list(names) for chart, names in found.never_met.items()},
        "together": [_together(one) for one in found.together],
        "assumed": [
            {"id": id, "heaviest": None if weight is None else f"{weight.name}: {weight.other}"}
            for id, weight in found.assumed
        ],
    }
    return json.dumps(out, indent=2, ensure_ascii=False) + "\n"


def _value(key: Outcome, value: Fraction) -> dict[str, object]:
    return {"amount": str(value)} if _is_amount(key) else {"chance": json_chance(value)}


def _weight(one: Weight) -> dict[str, object]:
    out: dict[str, object] = {"sort": one.sort, "rule": one.name, "is": one.was, "if_it_were": one.other}
    if one.cites:
        out["cites"] = list(one.cites)
    if one.assumed:
        out["assumed"] = list(one.assumed)
    if one.fault:
        out |= {"fault": one.fault, "message": one.message}
    shifts = [
        {"whom": each.whom, "outcome": each.what, "old": str(each.old), "new": str(each.new), "by": str(each.by)}
        for each in one.shifts
    ]
    return out | ({"shifts": shifts} if shifts else {})


def _together(one: Together) -> dict[str, object]:
    out: dict[str, object] = {
        "sort": one.sort,
        "exact": bool(one.shares) and not one.orders,
        "orders": one.orders,
        "whole": [{"whom": key[0], "outcome": key[1], "by": str(by)} for key, by in one.whole.items() if by],
        "shares": [
            {"rule": name, "of": list(_shares_of(share.items()))}
            for name, share in zip(one.names, one.shares, strict=False)
        ],
        "left_out": list(one.left_out),
    }
    return out | ({"message": one.message} if one.message else {})


def _shares_of(items: Iterable[tuple[Outcome, Share]]) -> Iterator[dict[str, object]]:
    for key, share in items:
        if share.amount or share.variance:
            found: dict[str, object] = {"whom": key[0], "outcome": key[1], "by": str(share.amount)}
            yield found | ({"variance": str(share.variance)} if share.variance else {})
