"""What all reports for people share: tables as text, chances as fractions, percentages and bars.

Returns strings; width and colour are decided by whoever prints.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from io import StringIO
from types import MappingProxyType
from typing import Any

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from closecombat.chances import Assumption
from closecombat.values import Exact, shown

LONGEST_FRACTION = 12
BAR = 20
NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Page:
    """How wide a text may be, and whether it may have colours."""

    width: int = 160
    colour: bool = False


def rendered(parts: Iterable[RenderableType], page: Page) -> str:
    """The parts one below the other, without trailing blanks."""
    stream = StringIO()
    console = Console(
        file=stream,
        width=page.width,
        force_terminal=page.colour,
        no_color=not page.colour,
        color_system="standard" if page.colour else None,
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
        _environ={},
    )
    for part in parts:
        console.print(part, soft_wrap=isinstance(part, str))
    return "".join(f"{line.rstrip()}\n" for line in stream.getvalue().split("\n")[:-1])


def table(*headings: str, right: Iterable[str] = ()) -> Table:
    """A table with a line under its headings; those in `right` are lined up on the right."""
    out = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for heading in headings:
        out.add_column(
            heading,
            justify="right" if heading in tuple(right) else "left",
            overflow="fold",
            no_wrap=heading in ("chance", ""),
        )
    return out


def heading(text: str, more: str = "") -> Text:
    out = Text(clean(text), style="bold")
    return out.append(f"  {clean(more)}", style="not bold dim") if more else out


def percent(chance: Fraction) -> str:
    """As a percentage for people: two decimals, more where these would say nothing or everything."""
    if chance in (0, 1):
        return f"{int(chance) * 100}%"
    number = float(chance * 100)
    if number < 0.01:
        return "<0.01%"
    return ">99.99%" if number > 99.99 else f"{number:.2f}%"


def change(difference: Fraction) -> str:
    """A difference of chances, in points of a hundred, exact where that is short."""
    if not difference:
        return "="
    points = float(difference * 100)
    said = f"{points:+.2f}" if abs(points) >= 0.01 else ("+<0.01" if points > 0 else "-<0.01")
    fraction = f"{'+' if difference > 0 else ''}{difference}"
    return f"{said} ({fraction})" if len(fraction) <= LONGEST_FRACTION else said


def chance(value: Fraction) -> str:
    """The percentage, and the fraction where that is short enough to be read."""
    return f"{percent(value)}  {fraction(value)}".rstrip()


def fraction(value: Fraction) -> str:
    text = str(value)
    return text if len(text) <= LONGEST_FRACTION and value.denominator != 1 else ""


def bar(value: Fraction, length: int = BAR) -> str:
    """A bar whose full length is certainty; whatever can happen leaves at least a trace."""
    eighths = round(value * length * 8)
    full, rest = divmod(eighths, 8)
    return "█" * full + ("▏▎▍▌▋▊▉"[rest - 1] if rest else "▏" if value and not full else "")


def amount(value: Exact) -> str:
    """A number for people: a fraction with a long denominator becomes a decimal."""
    if isinstance(value, Fraction) and value.denominator != 1:
        return f"{float(value):.2f}"
    return str(value)


def facts_text(facts: Mapping[str, Any], printed: frozenset[str], before: Mapping[str, Any] = NOTHING) -> str:
    """What has changed of somebody, in a few words; a new counter stands for all that is printed on it."""
    said = []
    for name, value in facts.items():
        if "counter" in facts and name in printed:
            continue
        if name == "counter":
            said.append(f"becomes {value}")
        elif value is True:
            said.append(name)
        elif value is False:
            said.append(f"not {name}")
        else:
            was = before.get(name)
            said.append(f"{name} {shown(value)}" + (f" (was {shown(was)})" if was is not None else ""))
    return clean(", ".join(said))


def notes(assumptions: Iterable[Assumption], remarks: Iterable[str]) -> Iterable[RenderableType]:
    """What a result rests on."""
    listed = [(one.id, one.text) for one in assumptions]
    if listed:
        yield ""
        yield heading("Assumed")
        out = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
        out.add_column(no_wrap=True)
        out.add_column(overflow="fold")
        for id, text in listed:
            out.add_row(clean(id), clean(text))
        yield out
    said = [clean(remark) for remark in remarks]
    if said:
        yield ""
        yield heading("Remarks")
        yield from (f"- {remark}" for remark in said)


def clean(text: str) -> str:
    """Text that cannot steer a terminal."""
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in text)


def json_value(value: Any) -> Any:
    """A value as JSON: flags and whole numbers as themselves, fractions as text, nobody as null."""
    if value is None or isinstance(value, bool | int | str):
        return value
    return str(value)


def json_chance(value: Fraction) -> dict[str, object]:
    return {"probability": str(value), "percent": float(value * 100)}
