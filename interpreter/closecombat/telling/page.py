"""What all reports for people share: tables as text, chances as fractions, percentages and bars.

Returns strings; width and colour are decided by whoever prints.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from io import StringIO
from textwrap import fill
from types import MappingProxyType
from typing import Any

from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.table import Column, Table
from rich.text import Text

from closecombat.asking.exact.answers import Assumption, Shift
from closecombat.reading.types import Exact, Face, shown
from closecombat.telling.findings import wrapped
from closecombat.telling.sheets import EIGHTHS, holds_bars, markdown, webpage
from closecombat.text.slotted import dataclass

LONGEST_FRACTION = 12
BAR = 20
SHORTEST_BAR = 6
WIDEST = 2000  # a table whose words do not fit the page is wider than it
LEVELS = "▁▂▃▄▅▆▇█"
LEVELLED = 8  # letters of a spark
NEVER = "·"
PLAIN = str.maketrans(
    {"█": "#", **dict.fromkeys("▏▎▍", "-"), **dict.fromkeys("▌▋▊▉", "="), "→": ">", "·": ".", "\u00d7": "x"}
    | dict(zip("▁▂▃▄▅▆▇", "_,:;*oO", strict=True))
)
GAP = "  "
INDENT = "    "
BELOW = "\ue000"  # marks a row in whose place a text stands
STRIP = 24  # a column of long texts that has less room than this is hard to read
NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Page:
    """How wide a text may be, and whether it may have colours; or that it is to be Markdown, or a page."""

    width: int = 160
    colour: bool = False
    form: str = ""


MARKDOWN, HTML = "md", "html"
AS_LONG_AS_IT_IS = 1_000_000  # the width of a text without line breaks


def rendered(parts: Iterable[RenderableType], page: Page) -> str:
    """The parts one below the other, without trailing blanks; in another form, if the page has one."""
    if page.form:
        return markdown(parts) if page.form == MARKDOWN else webpage(parts)
    stream = StringIO()
    console = Console(
        file=stream,
        width=max(page.width, WIDEST),
        force_terminal=page.colour,
        no_color=not page.colour,
        color_system="standard" if page.colour else None,
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
        _environ={},
    )
    below: list[str] = []
    for part in parts:
        if isinstance(part, Table):
            fits, texts = folded(part, page.width)
            below += texts
            console.print(fits, width=fitted(fits, page.width), crop=False, overflow="ignore")
        elif isinstance(part, str):
            for line in part.split("\n"):
                indent = " " * (len(line) - len(line.lstrip()) + 2)
                console.print("\n".join(wrapped(line, page.width, indent)), soft_wrap=True)
        else:
            console.print(part, width=page.width, crop=False)
    told = iter(below)
    return "".join(
        f"{paragraph(next(told), page.width, INDENT, INDENT) if line.strip() == BELOW else line.rstrip()}\n"
        for line in stream.getvalue().split("\n")[:-1]
    )


def folded(table: Table, width: int) -> tuple[Table, list[str]]:
    """Where a table is wider than the page however its texts go on below, or a long text would be a narrow strip, that
    column is taken out and stands under each row: the table without it, where a row that holds but a mark stands for
    each of these texts, and the texts in their order."""
    left = list(table.columns)
    while len(left) > 2 and (place := _to_fold(left, width)) is not None:
        left.pop(place)
    out = [column for column in table.columns if not any(column is one for one in left)]
    if not out:
        return table, []
    made = Table(
        box=None, show_header=table.show_header, pad_edge=False, padding=table.padding, header_style=table.header_style
    )
    for column in left:
        made.add_column(column.header, justify=column.justify, overflow=column.overflow, no_wrap=column.no_wrap)
    told = list[str]()
    texts = [[one.header if table.show_header else "", *one.cells] for one in out]
    for place, row in enumerate(zip(*([one.header, *one.cells] for one in left), strict=True)):
        if place:
            made.add_row(*row)
        if below := "; ".join(filter(None, (str(each[place]) for each in texts))):
            made.add_row(BELOW)
            told.append(below)
    return made, told


def _to_fold(columns: Sequence[Column], width: int) -> int | None:
    """The column with the longest texts, if these have too little room; where no text can go on below, that with the
    longest words. Never the first, which says what each row is about."""
    sizes = [(0, 0) if holds_bars(column) else _sizes(column) for column in columns]
    room = width - len(GAP) * (len(sizes) - 1) - sum(least for least, _ in sizes)
    longest = max(range(1, len(sizes)), key=lambda n: sizes[n][1] if sizes[n][0] < sizes[n][1] else 0)
    least, most = sizes[longest]
    narrow = 2 * most > 3 * STRIP and least + room < STRIP
    if least < most and (room < 0 or narrow):
        return longest
    words = [n for n, column in enumerate(columns) if n and column.justify == "left" and sizes[n][0]]
    return max(words, key=lambda n: sizes[n][0]) if room < 0 and words else None


def fitted(table: Table, width: int) -> int:
    """Gives every column its width, so that no word is split: first bars give way, then texts go on below. Where
    even that is too wide the table is wider than the page; what is said is how wide."""
    gaps = [len(GAP) if place else 0 for place, _ in enumerate(table.columns)]
    sizes = [_sizes(column) for column in table.columns]
    least, most = [one for one, _ in sizes], [one for _, one in sizes]
    over = sum(most) + sum(gaps) - width
    bars = [n for n, column in enumerate(table.columns) if most[n] and holds_bars(column)]
    if over > 0 and bars:
        room = max(sum(most[n] for n in bars) - over, 0) // len(bars)
        for n in bars:
            short = Fraction(room if room >= SHORTEST_BAR else 0, most[n])
            table.columns[n]._cells = [_shortened(str(cell), short) for cell in table.columns[n].cells]
            least[n] = most[n] = room if room >= SHORTEST_BAR else 0
        over = sum(most) + sum(gaps) - width
    while over > 0 and any(a < b for a, b in zip(least, most, strict=True)):
        widest = max(range(len(most)), key=lambda place: most[place] if least[place] < most[place] else -1)
        most[widest] -= 1
        over -= 1
    for column, wide in zip(table.columns, most, strict=True):
        column.width = column.min_width = wide
    return max(sum(most) + sum(gaps), 1)


def _sizes(column: Column) -> tuple[int, int]:
    """How wide a column is at least, so that no word is split and no number stands in two lines, and at most."""
    heads = str(column.header).split("\n")
    lines = [line for cell in column.cells for line in str(cell).split("\n")]
    whole, words = max(map(cell_len, lines), default=0), max(map(_longest_word, lines), default=0)
    most = max(whole, *map(cell_len, heads))
    if column.no_wrap:
        return most, most
    return max(whole if column.justify == "right" else words, *map(_longest_word, heads)), most


def _longest_word(line: str) -> int:
    longest: int = max(map(cell_len, line.split()), default=0)
    return longest


def _shortened(bar: str, part: Fraction) -> str:
    """A bar that is so much of itself."""
    eighths = sum(8 if letter == "█" else EIGHTHS.index(letter) + 1 for letter in bar)
    return _bar(round(eighths * part), bool(bar and part))


def paragraph(text: str, width: int, indent: str = "", first: str = "") -> str:
    """A text in lines of at most that width; only between words."""
    return fill(
        clean(" ".join(text.split())),
        width,
        initial_indent=first,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def dice(faces: Iterable[Face], width: int) -> str:
    """Dice as `--dice` takes them, in lines of at most that width: a comma ends each but the last."""
    lines = paragraph(", ".join(map(str, faces)), width - len("Dice: ")).split("\n")
    return ("\n" + " " * len("Dice: ")).join(line.replace(", ", ",") for line in lines)


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


def change_of_amount(by: Fraction) -> str:
    said = amount(abs(by)) if abs(by) >= Fraction(1, 100) else "<0.01"
    return f"{'+' if by > 0 else '-'}{said}" if by else "="


def by_how_much(shift: Shift) -> str:
    """How a chance changes, or an amount."""
    return change_of_amount(shift.by) if shift.is_amount else change(shift.by)


def points(shift: Shift) -> str:
    """The same, without the fraction."""
    return by_how_much(shift).partition(" (")[0]


def chance(value: Fraction) -> str:
    """The percentage, and the fraction where that is short enough to be read."""
    return f"{percent(value)}  {fraction(value)}".rstrip()


def about(chance: Fraction) -> str:
    """As a percentage at a glance: whole, and no more than a dash for never."""
    if not chance:
        return "-"
    if 0 < chance < Fraction(1, 200):
        return "<1%"
    return ">99%" if Fraction(199, 200) < chance < 1 else f"{round(chance * 100)}%"


def fraction(value: Fraction) -> str:
    text = str(value)
    return text if len(text) <= LONGEST_FRACTION and value.denominator != 1 else ""


def bar(value: Fraction, length: int = BAR) -> str:
    """A bar whose full length is certainty; whatever can happen leaves at least a trace."""
    return _bar(round(value * length * 8), bool(value))


def _bar(eighths: int, trace: bool) -> str:
    full, rest = divmod(eighths, 8)
    return "█" * full + (EIGHTHS[rest - 1] if rest else EIGHTHS[0] if trace and not full else "")


def spark(chances: Sequence[tuple[Fraction, Fraction]], most: Fraction, length: int = LEVELLED) -> str:
    """How chances lie over a range from nothing to `most`, a letter for each part of it: the likeliest part is full,
    one that cannot be is a dot."""
    parts = [Fraction(0)] * length
    for value, weight in chances:
        parts[min(int(value / most * length), length - 1) if most else 0] += weight
    top = max(parts) or Fraction(1)
    return "".join(LEVELS[max(round(each / top * len(LEVELS)) - 1, 0)] if each else NEVER for each in parts)


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


def notes(assumptions: Iterable[Assumption], remarks: Iterable[str], more: str = "") -> Iterable[RenderableType]:
    """What a result rests on; `more` is said of what is assumed."""
    listed = [(one.id, one.text) for one in assumptions]
    if listed:
        yield ""
        yield heading("Assumed", more)
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
