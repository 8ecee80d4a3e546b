"""What a result rests on, the heaviest first: as a table for people, as rows, as JSON, and for a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType

from rich.console import RenderableType

from closecombat.asking.exact.answers import (
    ALONE,
    ASSUMPTION,
    MOVES,
    READING,
    STILL,
    UNWEIGHED,
    Assumption,
    Basis,
    Chances,
    Shift,
)
from closecombat.telling.html import share
from closecombat.telling.page import clean, heading, notes, paragraph, points, table

WEIGHED = "Rests on, the heaviest first"
END, ANSWER = "end of a side", "answer"  # of what something changes none
SHORT = 40  # letters of what an assumption would be, which are told where there is little room
CAPTION = (
    "Each is read or answered otherwise by itself, while all else stays as it is. Told is the outcome that this moves "
    "most: in points of a hundred, or in strength lost."
)
TITLES: Mapping[str, str] = MappingProxyType(
    {UNWEIGHED: "Not weighed", ALONE: "No other reading", STILL: f"Changes no {END}"}
)
ELSE_SAID = "nothing says how else it could be read"


def resting(
    assumptions: Sequence[Assumption],
    remarks: Sequence[str],
    rests_on: Sequence[Basis] | None,
    width: int,
    changes: str = END,
) -> Iterator[RenderableType]:
    """What a result rests on: by weight, if it was weighed, of the ends of all sides or of what was asked."""
    if rests_on is None:
        yield from notes(assumptions, remarks, "not weighed: --weigh")
        return
    if rests_on:
        yield ""
        yield heading(WEIGHED)
        yield from weighed_parts(rests_on, width, changes=changes)
    yield from notes((), _unweighed(remarks, rests_on))


def lines_of(chances: Chances) -> tuple[str, ...]:
    """What a result rests on, as far as it is not told by weight."""
    weighed = chances.rests_on is not None
    assumed = () if weighed else (f"assumed ({one.id}): {one.text}" for one in chances.assumptions)
    return (*assumed, *_unweighed(chances.remarks, chances.rests_on))


def _unweighed(remarks: Sequence[str], rests_on: Sequence[Basis] | None) -> list[str]:
    """What is said of a result beside that."""
    told = {said for one in rests_on or () for said in one.says}
    return [remark for remark in remarks if remark not in told]


def weighed_parts(
    rests_on: Sequence[Basis], width: int, is_brief: bool = False, changes: str = END
) -> Iterator[RenderableType]:
    """A line for each, and one for all that change no end; in brief one for all that are not known to change any."""
    listed = [one for one in rests_on if one.fate != STILL and (one.fate == MOVES or not is_brief)]
    out = table("up to", "of", "what it rests on", right=["up to"])
    for one in listed:
        by, whom = moved(one)
        out.add_row(by, clean(whom), clean(in_words(one)))
    if listed:
        yield out
    if said := _others_said(rests_on) if is_brief else _still_said(rests_on, changes):
        yield paragraph(clean(said), width, "  ")


def _others_said(rests_on: Sequence[Basis]) -> str:
    """How many of them change no end, have no other reading, or were not weighed."""
    words = {
        STILL: (f"changes no {END}", f"change no {END}"),
        ALONE: ("has no other reading", "have no other reading"),
        UNWEIGHED: ("is not weighed", "are not weighed"),
    }
    counted = {fate: sum(one.fate == fate for one in rests_on) for fate in words}
    return ", ".join(f"{number} {words[fate][number > 1]}" for fate, number in counted.items() if number)


def moved(one: Basis) -> tuple[str, str]:
    """By how much it moves what; of what does not move, a sign for why."""
    if one.shift is None:
        return ("?" if one.fate == UNWEIGHED else "-"), ""
    return points(one.shift), f"{one.shift.whom} {one.shift.what}"


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
    verb, instead = ("is read as", f", not {one.other}") if one.sort == READING else ("is", f", not {one.other}")
    cites = f" [{', '.join(one.cites)}]" if one.cites else ""
    return f"{_name(one)} {verb} {one.now}{instead if one.other else ''}{cites}"


def _name(one: Basis) -> str:
    """An id as it is; a row, or an option, between backticks."""
    row, of, who = one.name.partition(" of ")
    return one.name if one.sort == ASSUMPTION else f"`{row}`{of}{who}"


def _still_said(rests_on: Sequence[Basis], changes: str) -> str:
    """In a line, what changes none of the ends, or answers."""
    still = [_name(one) for one in rests_on if one.fate == STILL]
    if not still:
        return ""
    others = len(still) < len(rests_on)
    number = f"{len(still)} {'other' if others else ''}{'s' if others and len(still) > 1 else ''}".strip()
    return f"{number} change{'s' if len(still) == 1 else ''} no {changes}: {', '.join(still)}"


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


def resting_rows(rests_on: Sequence[Basis] | None) -> Iterator[tuple[str, str, Shift]]:
    """Of each that moves something its name, what it would be, and what that does."""
    for one in rests_on or ():
        if one.shift is not None:
            yield one.name, one.other, one.shift


def resting_on_a_page(rests_on: Sequence[Basis] | None, most: Fraction) -> dict[str, object] | None:
    """A row for each that moves something, with a bar that is as long as can be where it is `most`; the others by why
    not."""
    if not rests_on:
        return None
    others = {title: [in_words(one) for one in rests_on if one.fate == fate] for fate, title in TITLES.items()}
    return {
        "moving": [_row(one, one.shift, most) for one in rests_on if one.shift is not None],
        "others": [(title, lines) for title, lines in others.items() if lines],
    }


def most_moved(results: Iterable[Chances | None]) -> Fraction:
    """By how much what some results rest on moves any chance at most."""
    every = (one.shift for found in results if found is not None for one in found.rests_on or ())
    return max((abs(one.by) for one in every if one is not None and not one.is_amount), default=Fraction(1))


def _said(one: Basis) -> str:
    """How it is: what is assumed, how a rule is read, or what somebody answers."""
    row, _, who = one.name.partition(" of ")
    match one.sort:
        case "assumption":
            return one.now
        case "choice" if who:
            return f"{who} answers `{row}` with {one.now}"
    return f"{_name(one)} {'is read as' if one.sort == READING else 'is'} {one.now}"


def _row(one: Basis, shift: Shift, most: Fraction) -> dict[str, str]:
    is_assumed = one.sort == ASSUMPTION
    return {
        "name": one.name if is_assumed else "",
        "says": _said(one),
        "why": f"not weighed: {one.why}" if one.why else "",
        "other": one.other,
        "what": f"{shift.whom} {shift.what}",
        "by": points(shift),
        "exact": str(shift.by),
        "share": "" if shift.is_amount else share(abs(shift.by) / most),
    }
