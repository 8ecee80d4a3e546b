"""Comparisons side by side, as text and as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TypeAlias

from rich.console import RenderableType

from closecombat.asking.exact.answers import FIT, SHAKEN, Chances, Ends, SideEnd
from closecombat.asking.systems.compare import Compared, Comparison, outcome_changes, verdict_chance
from closecombat.asking.systems.factors import Factors
from closecombat.reading.model import FATES, LEFT
from closecombat.telling.chances import chances_object, expected
from closecombat.telling.factors import factor_rows, factors_object, factors_parts
from closecombat.telling.page import (
    GAP,
    Page,
    about,
    amount,
    bar,
    change,
    change_of_amount,
    clean,
    fraction,
    heading,
    json_chance,
    json_value,
    paragraph,
    percent,
    rendered,
    spark,
    table,
)
from closecombat.telling.resting import WEIGHED, lines_of, resting_rows, weighed_parts
from closecombat.telling.sheets import csv_text
from closecombat.text.faults import Bug
from closecombat.text.files import YAML
from closecombat.text.slotted import dataclass

BAR_LENGTH = 10
ROOMY = 100  # the width from which a fraction stands beside its percentage
AMOUNT = " on average"
COMBATS = (1, 2, 4)  # after which it is said how likely a fight to the end is over
LEGEND = "strength lost: of what came; on average, then between what it lies half the time"


@dataclass(frozen=True, slots=True)
class Shown:
    """What is shown on request: the notes, each unit."""

    notes: bool = False
    units: bool = False
    factors: Factors | None = None


def compare_text(comparison: Comparison, with_changes: bool, look: Shown, page: Page) -> str:
    return rendered(_on_page(comparison, with_changes, look, page), page)


def compare_csv(comparison: Comparison, with_changes: bool, look: Shown) -> str:
    """The factor matrix, if it was asked for; else a line for each number of the comparison."""
    return csv_text(factor_rows(look.factors) if look.factors is not None else _rows(comparison, with_changes))


def _rows(comparison: Comparison, with_changes: bool) -> Iterator[tuple[object, ...]]:
    """Every number, exactly: of which system, of whom, what it is; of variants, by how much it is not that of the
    first. Amounts, unlike chances and shares, have no percent. Of what a result rests on, what the outcome that it
    moves most would be, and by how much it would not be what it is."""
    yield "system", "of", "what", "exactly", "percent", "changes_by"
    base: dict[tuple[str, str], Fraction] = {}
    for one in comparison.systems:
        if one.chances is None:
            yield one.name, "", "no such fight", "", "", ""
            continue
        found = dict(_numbers(one.chances))
        base = base or found
        for (whom, what), value in found.items():
            by = value - base.get((whom, what), Fraction(0)) if with_changes and found is not base else ""
            yield one.name, whom, what, value, "" if what.endswith(AMOUNT) else float(value * 100), by
        for name, other, shift in resting_rows(one.chances.rests_on):
            said = f"{shift.whom} {shift.what}, if it were {other}"
            yield one.name, name, said, shift.new, "" if shift.is_amount else float(shift.new * 100), shift.by


def _numbers(chances: Chances) -> Iterator[tuple[tuple[str, str], Fraction]]:
    if (ends := chances.ends) is not None:
        for side, chance in ends.place.held.items():
            yield (side, "holds the place"), chance
        yield ("", "contested"), ends.place.contested
        yield ("", "nobody there"), ends.place.nobody
        for side, end in ends.sides.items():
            yield (side, "strength lost"), end.loss
            low, high = end.half_the_time
            yield (side, "strength lost, lower quartile"), low
            yield (side, "strength lost, upper quartile"), high
            for fate, share in end.fates.items():
                yield (side, fate), share
        for name, unit in ends.units.items():
            for fate, chance in unit.fates.items():
                yield (name, fate), chance
            yield (name, f"lost{AMOUNT}"), Fraction(unit.lost)
    for side, found in chances.verdicts.items():
        for word, chance in found.items():
            yield (side, f"ends {word}"), chance
    for number, chance in enumerate(chances.over_after or (), 1):
        yield ("", f"over after close combat {number}"), chance
    for side, loss in chances.losses.items():
        yield (side, f"lost, {loss.unit}{AMOUNT}"), Fraction(loss.expected)


def compare_json(comparison: Comparison, with_changes: bool, factors: Factors | None = None) -> str:
    systems: list[dict[str, object]] = []
    base = next((one.chances for one in comparison.systems if one.chances), None)
    for one in comparison.systems:
        if one.chances is None:
            if one.none is None:
                raise Bug("one.none is not None")
            systems.append({"ruleset": one.name, "no_such_fight": one.none.clause, "why": one.none.why, "outcomes": []})
            continue
        found = {**chances_object(one.chances), "because": list(one.because)}
        if one.chances.ends is not None:
            found["ends"] = ends_object(one.chances.ends)
        if untold := comparison.untold.get(one.name):
            found["no_such_rule"] = [{"word": each.word, "why": each.why} for each in untold]
        if with_changes and base is not None and one.chances is not base:
            found["changes"] = [
                {"sides": dict(sides), "probability": str(by), "points": float(by * 100)}
                for sides, by in outcome_changes(base, one.chances).items()
                if by
            ]
        systems.append(found)
    return (
        json.dumps(
            {
                "format_version": 1,
                "command": "compare",
                "engagement": comparison.name,
                "title": comparison.title,
                "story": comparison.story,
                "scale": list(comparison.scale),
                "gives": {part: dict(said) for part, said in comparison.gives.items()},
                "systems": systems,
                **({"factors": factors_object(factors)} if factors is not None else {}),
            },
            indent=2,
            ensure_ascii=False,
        )
        + "\n"
    )


def ends_object(ends: Ends) -> dict[str, object]:
    """The common end, exactly: chances, and shares of the strength that came."""
    return {
        "place": {
            "held": {side: json_chance(chance) for side, chance in ends.place.held.items()},
            "contested": json_chance(ends.place.contested),
            "nobody": json_chance(ends.place.nobody),
        },
        "sides": {side: _side_end(end) for side, end in ends.sides.items()},
        "units": {
            name: {
                "side": unit.side,
                "came": json_value(unit.came),
                "lost": json_value(unit.lost),
                "fates": {word: json_chance(chance) for word, chance in unit.fates.items()},
            }
            for name, unit in ends.units.items()
        },
    }


def _side_end(end: SideEnd) -> dict[str, object]:
    low, high = end.half_the_time
    return {
        "came": json_value(end.came),
        "counted_in": end.counted_in,
        "fates": {word: _share(share) for word, share in end.fates.items()},
        "locked_in": _share(end.locked_in),
        "lost": {
            **_share(end.loss),
            "half_the_time": [_share(low), _share(high)],
            "distribution": [{**_share(share), **json_chance(chance)} for share, chance in end.lost],
        },
    }


def _share(value: Fraction) -> dict[str, object]:
    return {"share": str(value), "of_a_hundred": float(value * 100)}


def _on_page(comparison: Comparison, with_changes: bool, look: Shown, page: Page) -> Iterable[RenderableType]:
    comparison = replace(comparison, systems=tuple(as_called(one, comparison.systems) for one in comparison.systems))
    yield heading(comparison.title)
    if comparison.story:
        yield paragraph(comparison.story, page.width)
    yield ""
    if with_changes or not comparison.has_ends:
        yield from _verdicts(comparison, with_changes, page)
        yield ""
        yield from _losses(comparison, with_changes)
    else:
        yield from _common(comparison, look, page)
    if look.units:
        yield from _units(comparison)
    if with_changes:
        yield from _changes(comparison, page)
    if look.factors is not None:
        yield from factors_parts(look.factors, page)
        yield ""
    if look.notes:
        yield from _notes(comparison, page)
    else:
        yield from _weights(comparison, page)
        yield from _summary(comparison, with_changes, page)


def as_called(one: Compared, systems: Sequence[Compared]) -> Compared:
    """A stack that was named by its files goes by its names, as everywhere, where nothing else goes by them."""
    if one.chances is None or not ("/" in one.name or one.name == "." or one.name.endswith(YAML)):
        return one
    name = one.chances.ruleset
    alike = [each for each in systems if each.chances is not None and each.chances.ruleset == name]
    return replace(one, name=name) if len(alike) == 1 else one


# ---- the common end --------------------------------------------------------------------------------------

Line: TypeAlias = tuple[str, str, list[str], list[Fraction] | None]


def _common(comparison: Comparison, look: Shown, page: Page) -> Iterable[RenderableType]:
    """Who holds the place, what it cost, and how those who are left stand: a column a system."""
    systems = [one for one in comparison.systems if one.chances is not None and one.chances.ends is not None]
    lines = _lines(comparison, systems, look)
    for block, with_bars in _blocks(systems, lines, page.width):
        heads = [systems[place].name for place in block]
        out = table("", "", *(text for head in heads for text in ([head, ""] if with_bars else [head])), right=heads)
        out.columns[0].no_wrap = out.columns[1].no_wrap = True
        for label, of, cells, sizes in lines:
            row = []
            for place in block:
                row.append(clean(cells[place]))
                if with_bars:
                    row.append(bar(sizes[place], BAR_LENGTH) if sizes is not None else "")
            out.add_row(clean(label), clean(of), *row)
        yield out
        yield ""


def _blocks(systems: Sequence[Compared], lines: Sequence[Line], width: int) -> Iterable[tuple[list[int], bool]]:
    """Which systems stand side by side: as many as there is room for, with bars if there is room for these too."""
    start = max(len(label) for label, *_ in lines) + max(len(of) for _, of, *_ in lines) + len(GAP)
    wide = [len(GAP) + max(len(one.name), *(len(cells[n]) for *_, cells, _ in lines)) for n, one in enumerate(systems)]
    if start + sum(wide) + len(systems) * (BAR_LENGTH + len(GAP)) <= width:
        yield list(range(len(systems))), True
        return
    block: list[int] = []
    for place, each in enumerate(wide):
        if block and start + sum(wide[n] for n in block) + each > width:
            yield block, False
            block = []
        block.append(place)
    yield block, False


def _lines(comparison: Comparison, systems: Sequence[Compared], look: Shown) -> list[Line]:
    """Each line: what is told, of whom, a cell a system, and how long the bars are. How losses are spread stands beside
    the units: without it all of an engagement stands on a terminal of 24 lines."""
    sides, ends = comparison.sides(), [one.chances.ends for one in systems if one.chances and one.chances.ends]
    out: list[Line] = []

    def chances(label: str, of: str, found: list[Fraction], always: bool = False) -> None:
        if always or any(found):
            out.append((label, of, [about(each) for each in found], found))

    def shares(label: str, read: Callable[[SideEnd], str]) -> None:
        cells = [[read(end.sides[side]) if side in end.sides else "-" for end in ends] for side in sides]
        if any(set(row) != {"-"} for row in cells):
            labels = [*label.split("\n"), *[""] * len(sides)]
            out.extend((labels[n], side, row, None) for n, (side, row) in enumerate(zip(sides, cells, strict=True)))

    for n, side in enumerate(sides):
        chances("" if n else "who holds it", side, [end.place.held.get(side, Fraction(0)) for end in ends], True)
    chances("", "contested", [end.place.contested for end in ends])
    chances("", "nobody", [end.place.nobody for end in ends])
    shares("strength lost,\nhalf the time", _loss)
    if look.units:
        shares("its spread,\n0 to 100%", lambda end: spark(end.lost, Fraction(1)))
    shares("still with it:\nfit/shaken", lambda end: _slashed(end, (FIT, SHAKEN)))
    shares("left: beaten/\neven/by choice", lambda end: _slashed(end, LEFT))
    if any(one.chances.over_after for one in systems if one.chances is not None):
        out.append(("over by combat", "/".join(map(str, COMBATS)), [_over_after(one) for one in systems], None))
    out.extend(
        (part, "", [said.get(one.name.split("+")[0], "-") for one in systems], None)
        for part, said in comparison.gives.items()
    )
    return out


def _over_after(one: Compared) -> str:
    """How likely it is over after some numbers of close combats; more than are told leave it as it is."""
    found = one.chances.over_after if one.chances is not None else None
    if not found:
        return "-"
    return "/".join(about(found[min(number, len(found)) - 1]).rstrip("%").replace("-", "0") for number in COMBATS)


def _loss(end: SideEnd) -> str:
    low, high = (round(share * 100) for share in end.half_the_time)
    return f"{about(end.loss)} {f'{low}-{high}':>5}" if end.loss else "-"


def _slashed(end: SideEnd, words: Sequence[str]) -> str:
    found = [end.fates[word] for word in words]
    return "/".join(about(each).rstrip("%").replace("-", "0") for each in found) if any(found) else "-"


def _units(comparison: Comparison) -> Iterable[RenderableType]:
    """What becomes of each one who came: the chance of every fate."""
    for one in comparison.systems:
        if one.chances is None or one.chances.ends is None or not one.chances.ends.units:
            continue
        found = one.chances.ends.units
        words = [word for word in FATES if any(unit.fates.get(word) for unit in found.values())]
        yield heading(one.name, "what becomes of each")
        out = table("who", "side", *words, "strength lost", "of", right=[*words, "strength lost", "of"])
        for name, unit in found.items():
            cells = [percent(unit.fates[word]) if word in unit.fates else "-" for word in words]
            out.add_row(clean(name), clean(unit.side), *cells, amount(unit.lost), amount(unit.came))
        yield out
        yield ""


# ---- what it rests on --------------------------------------------------------------------------------------


def _summary(comparison: Comparison, with_changes: bool, page: Page) -> Iterable[RenderableType]:
    """In a line or two: what the numbers mean, who has no such fight, and how much is behind --notes."""
    if with_changes:
        yield ""
    elif comparison.has_ends:
        yield paragraph(LEGEND, page.width)
    for one in comparison.systems:
        if one.none is not None:
            clause = f" ({one.none.clause})" if one.none.clause else ""
            yield paragraph(f"{one.name} has no such fight{clause}.", page.width)
        elif one.chances is not None and one.chances.ends is None and comparison.has_ends and not with_changes:
            yield paragraph(f"{one.name} does not say what becomes of those who came: it has no `ends:`.", page.width)
    played = [one.chances for one in comparison.systems if one.chances is not None]
    assumed = len({(each.ruleset, one.id) for each in played for one in each.assumptions})
    remarks = sum(len(each.remarks) for each in played) - sum(map(len, comparison.untold.values()))
    if comparison.aims:
        remarks -= len(played)  # of each the first says what is played for
        yield paragraph(f"All sides play best, for: {', '.join(comparison.aims)}.", page.width)
    said = (_number(assumed, "assumption"), _number(remarks, "choice", "choices", " left to the rulesets"))
    counted = ", ".join(each for each in said if each) or "why it is told so"
    is_weighed = any(each.rests_on is not None for each in played)
    by_weight = "" if is_weighed or comparison.aims or not (assumed or remarks) else "; by weight: --weigh"
    yield paragraph(f"{counted}: --notes{by_weight}", page.width)


def _weights(comparison: Comparison, page: Page) -> Iterable[RenderableType]:
    """What moves each result that was weighed, the heaviest first."""
    for one in comparison.systems:
        if one.chances is not None and one.chances.rests_on:
            yield heading(one.name, WEIGHED.lower())
            yield from weighed_parts(one.chances.rests_on, page.width, True)
            yield ""


def _number(number: int, one: str, more: str = "", after: str = "") -> str:
    return f"{number} {one if number == 1 else more or one + 's'}{after}" if number else ""


def _notes(comparison: Comparison, page: Page) -> Iterable[RenderableType]:
    """Why the fight is told so, what is assumed and what was left open, system by system."""
    told: dict[tuple[str, ...], str] = {}
    for one in comparison.systems:
        yield ""
        if one.none is not None:
            yield heading(one.name)
            yield paragraph(f"has no such fight: {one.none.said}", page.width)
        elif one.chances is not None:
            yield heading(one.name, one.chances.title)
            listed = (*one.because, *lines_of(one.chances))
            same = told.setdefault(listed, one.name)
            lines = listed if same == one.name else (f"the same as {same}",)
            rests = one.chances.rests_on or ()
            for line in lines or (() if rests else ("nothing is assumed or left to the ruleset",)):
                yield paragraph(f"- {line}", page.width, "  ")
            if rests:
                yield ""
                yield from weighed_parts(rests, page.width)


def _verdicts(comparison: Comparison, with_changes: bool, page: Page) -> Iterable[RenderableType]:
    """Each side's chances on the shared scale: one line a verdict, one column a system."""
    columns = [one.name.replace("+", "\n+") for one in comparison.systems]
    out = table("side", "verdict", *(text for name in columns for text in (name, "")), right=columns)
    for side in comparison.sides():
        first = True
        for word in comparison.scale:
            found = [verdict_chance(one, side, word) for one in comparison.systems]
            if not any(found):
                continue
            cells = []
            for place, value in enumerate(found):
                if value is None:
                    cells += ["-", ""]
                elif with_changes and place and found[0] is not None:
                    cells += [percent(value), change(value - found[0])]
                else:
                    with_fraction = with_changes and page.width >= ROOMY
                    cells += [
                        percent(value),
                        fraction(value) if with_fraction else bar(value, BAR_LENGTH) if not with_changes else "",
                    ]
            out.add_row(clean(side) if first else "", clean(word), *cells)
            first = False
    yield out


def _losses(comparison: Comparison, with_changes: bool) -> Iterable[RenderableType]:
    columns = [one.name.replace("+", "\n+") for one in comparison.systems]
    out = table("strength lost", *columns)
    for side in comparison.sides():
        cells = []
        base = next((one.chances.losses.get(side) for one in comparison.systems if one.chances), None)
        for place, one in enumerate(comparison.systems):
            loss = one.chances.losses.get(side) if one.chances else None
            if loss is None:
                cells.append("-")
                continue
            text = f"{expected(loss.expected)} {loss.unit}".rstrip()
            if with_changes and place and base is not None:
                by = loss.expected - base.expected
                text += f"  {change_of_amount(Fraction(by))}"
            cells.append(clean(text))
        out.add_row(clean(side), *cells)
    yield out


def _changes(comparison: Comparison, page: Page) -> Iterable[RenderableType]:
    """The ends whose chance differs from the base, the greatest change first."""
    played = [one for one in comparison.systems if one.chances is not None]
    for one in played[1:]:
        if one.chances is None or played[0].chances is None:
            raise Bug("one.chances is not None and played[0].chances is not None")
        found = outcome_changes(played[0].chances, one.chances)
        before: dict[tuple[tuple[str, str], ...], Fraction] = {}
        for outcome in played[0].chances.outcomes:
            key = tuple(outcome.sides.items())
            before[key] = before.get(key, Fraction(0)) + outcome.probability
        yield ""
        yield heading(f"What {one.name} changes", one.chances.title if one.chances is not None else "")
        rows = sorted((item for item in found.items() if item[1]), key=lambda item: (-abs(item[1]), item[0]))
        if not rows:
            said = "nothing of how the sides end here; what becomes of each unit is told by `closecombat diff`"
            yield paragraph(said, page.width)
            continue
        sides = [side for side, _ in rows[0][0]]
        out = table(*sides, "was", "is", "change", right=["was", "is", "change"])
        for key, by in rows:
            was = before.get(key, Fraction(0))
            out.add_row(*(clean(word) for _, word in key), percent(was), percent(was + by), change(by))
        yield out
