"""What a result rests on, the heaviest first: as a table for people, as rows, as JSON, and for a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from rich.console import RenderableType

from closecombat.asking.answers import ALONE, STILL, UNWEIGHED, Assumption, Basis, Shift
from closecombat.asking.weights import ASSUMPTION, CHOICE, READING
from closecombat.telling.html import share
from closecombat.telling.page import clean, heading, notes, paragraph, table
from closecombat.telling.weigh import by_how_much

WEIGHED = "Rests on, the heaviest first"
SHORT = 40  # letters of what an assumption would be, which are told where there is little room
ELSE_SAID = "nothing says how else it could be read"


def resting(
    assumptions: Sequence[Assumption], remarks: Sequence[str], rests_on: Sequence[Basis] | None, width: int
) -> Iterator[RenderableType]:
    """What a result rests on: by weight, if it was weighed."""
    if rests_on is None:
        yield from notes(assumptions, remarks, "not weighed: --weigh")
        return
    if rests_on:
        yield ""
        yield heading(WEIGHED)
        yield from weighed_parts(rests_on, width)
    yield from notes((), unweighed_remarks(remarks, rests_on))


def unweighed_remarks(remarks: Sequence[str], rests_on: Sequence[Basis] | None) -> list[str]:
    """What is said of a result beside that."""
    told = {said for one in rests_on or () for said in one.says}
    return [remark for remark in remarks if remark not in told]


def weighed_parts(rests_on: Sequence[Basis], width: int) -> Iterator[RenderableType]:
    """A line for each, and one for all that move nothing."""
    lasting = [one for one in rests_on if one.fate != STILL]
    out = table("up to", "of", "if it were otherwise", right=["up to"])
    for one in lasting:
        by, whom = moved(one)
        out.add_row(by, clean(whom), clean(in_words(one)))
    if lasting:
        yield out
    if still := still_said(rests_on):
        yield paragraph(clean(still), width, "  ")


def moved(one: Basis) -> tuple[str, str]:
    """By how much it moves what; of what does not move, a sign for why."""
    if one.shift is None:
        return ("?" if one.fate == UNWEIGHED else "-"), ""
    return points(one.shift), f"{one.shift.whom} {one.shift.what}"


def points(shift: Shift) -> str:
    """By how much, without the fraction."""
    return by_how_much(shift).partition(" (")[0]


def in_words(one: Basis) -> str:
    """What it is; why it has no weight, or not all of it."""
    why = one.why or (ELSE_SAID if one.fate == ALONE else "")
    more = {ALONE: f" (no other reading: {why})", UNWEIGHED: f" (not weighed: {why})"}.get(
        one.fate, f" (not weighed: {why})" if why else ""
    )
    return f"{called(one)}{more}"


def called(one: Basis) -> str:
    if one.sort == ASSUMPTION:
        other = f" ({one.other})" if one.other and len(one.other) <= SHORT else ""
        return f"{one.name}: {one.now}{other}"
    verb, instead = ("is read", f", not {one.other}") if one.sort == READING else ("is", f", not {one.other}")
    cites = f" [{', '.join(one.cites)}]" if one.cites else ""
    return f"{_name(one)} {verb} {one.now}{instead if one.other else ''}{cites}"


def _name(one: Basis) -> str:
    """An id as it is; a row, or an option, between backticks."""
    row, of, who = one.name.partition(" of ")
    return one.name if one.sort == ASSUMPTION else f"`{row}`{of}{who}"


def still_said(rests_on: Sequence[Basis]) -> str:
    """In a line, what moves nothing."""
    still = [_name(one) for one in rests_on if one.fate == STILL]
    if not still:
        return ""
    others = len(still) < len(rests_on)
    number = f"{len(still)} {'other' if others else ''}{'s' if others and len(still) > 1 else ''}".strip()
    return f"{number} move{'s' if len(still) == 1 else ''} nothing here: {', '.join(still)}"


def resting_object(rests_on: Sequence[Basis] | None) -> dict[str, object]:
    """What JSON says of it, in every command that does; nothing where it was not weighed."""
    return {} if rests_on is None else {"rests_on": [_object(one) for one in rests_on]}


def _object(one: Basis) -> dict[str, object]:
    out: dict[str, object] = {"sort": one.sort, "name": one.name, "is": one.now, "fate": one.fate}
    if one.cites:
        out["cites"] = list(one.cites)
    if one.shift is not None:
        out |= {
            "if_it_were": one.other,
            "whom": one.shift.whom,
            "outcome": one.shift.what,
            "old": str(one.shift.old),
            "new": str(one.shift.new),
            "by": str(one.shift.by),
        }
    if one.why:
        out["why"] = one.why
    return out


def resting_on_a_page(rests_on: Sequence[Basis] | None) -> dict[str, object] | None:
    """A row for each that moves something or could, the longest bar for what moves a chance most, and a line for the
    others."""
    if not rests_on:
        return None
    chances = [abs(one.shift.by) for one in rests_on if one.shift is not None and not one.shift.is_amount]
    most = max(chances, default=Fraction(1))
    return {"rows": [_row(one, most) for one in rests_on if one.fate != STILL], "still": still_said(rests_on)}


def _row(one: Basis, most: Fraction) -> dict[str, object]:
    is_assumed, shift = one.sort == ASSUMPTION, one.shift
    why = in_words(one)[len(called(one)) :].removeprefix(" (").removesuffix(")")
    out: dict[str, object] = {
        "id": one.name if is_assumed else "",
        "says": one.now if is_assumed else called(one),
        "other": "" if one.sort == CHOICE else one.other,
        "sign": moved(one)[0],
        "why": why if shift is not None else "",
        "why_not": why,
        "shift": None,
    }
    if shift is None:
        return out
    length = "" if shift.is_amount else share(abs(shift.by) / most)
    what = f"{shift.whom} {shift.what}"
    return out | {"shift": {"what": what, "by": by_how_much(shift), "exact": str(shift.by), "share": length}}
