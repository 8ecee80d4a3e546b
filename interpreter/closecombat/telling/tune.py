"""Which values reach some goals, as text, as Markdown, as CSV and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from fractions import Fraction

from rich.console import RenderableType

from closecombat.asking.changes.tune import Moved, Tried, Tuned
from closecombat.reading.ranges import Goal
from closecombat.telling.page import Page, clean, heading, json_chance, paragraph, percent, rendered, table
from closecombat.telling.sheets import csv_text

MOST_ROWS = 20


def tuned_text(tuned: Tuned, page: Page, everything: bool) -> str:
    return rendered(_parts(tuned, page, everything), page)


def _parts(tuned: Tuned, page: Page, everything: bool) -> Iterator[RenderableType]:
    yield heading(tuned.name, tuned.title)
    yield ""
    names = _names(tuned)
    figures = [_letter(at) for at in range(len(tuned.goals))]
    columns = [*names, *figures, *(["elsewhere"] if tuned.elsewhere is not None else []), ""]
    out = table(*columns, right=columns[:-1])
    listed = _nearest(tuned) if everything or not tuned.reached else tuned.reached
    base = [_figure(goal, one) for goal, one in zip(tuned.goals, tuned.base, strict=True)]
    stays = ["="] if tuned.elsewhere is not None else []
    if tuned.goals:
        out.add_row(*(_signed(tuned, at, one) for at, one in enumerate(tuned.was)), *base, *stays, "as it is")
    for one in listed[:MOST_ROWS]:
        out.add_row(*map(clean, _cells(tuned, one)), _word(tuned, one))
    yield out
    if len(listed) > MOST_ROWS:
        yield f"and {len(listed) - MOST_ROWS:,} more: -f json has them all"
    yield ""
    for at, goal in enumerate(tuned.goals):
        said = f"{_letter(at)}  {goal.fight}: {goal.sentence.value}, {goal.bounds.text}"
        yield paragraph(said + ("" if tuned.reached else _when(tuned, at)), page.width, "   ")
    if tuned.elsewhere is not None:
        said = f"elsewhere: the largest move of a chance in {tuned.fights:,} other fights, {tuned.elsewhere.text}"
        yield paragraph(said, page.width, "   ")
        yield from _moves(tuned, page)
    if tuned.contradicting:
        yield ""
        yield paragraph(contradiction(tuned), page.width)


def _names(tuned: Tuned) -> list[str]:
    """What each range is called: by its change, with the column where a change has several."""
    changes = [one.change for one in tuned.ranges]
    return [f"{one.change}.{one.column}" if changes.count(one.change) > 1 else one.change for one in tuned.ranges]


def _letter(at: int) -> str:
    return f"goal {at + 1}"


def _signed(tuned: Tuned, at: int, value: int | None) -> str:
    return "-" if value is None else tuned.ranges[at].written(value)


def _cells(tuned: Tuned, one: Tried) -> list[str]:
    cells = [tuned.ranges[at].written(value) for at, value in enumerate(one.values)]
    cells += [_figure(goal, figure) for goal, figure in zip(tuned.goals, one.figures, strict=True)]
    return cells + ([_points(one.moved)] if tuned.elsewhere is not None else [])


def _figure(goal: Goal, figure: Fraction | None) -> str:
    if figure is None:
        return "not played"
    if "%" in goal.bounds.text:
        return percent(figure)
    return str(figure) if len(str(figure)) <= 9 else f"{float(figure):.4f}"


def _points(moved: Moved | None) -> str:
    if moved is None:
        return "not asked"
    return "one-sided" if moved.by_one else f"{'≥ ' * moved.at_least}{float(moved.by * 100):.2f}"


def _word(tuned: Tuned, one: Tried) -> str:
    if one in tuned.reached:
        return "nearest" if one == tuned.reached[0] else ""
    missed = ", ".join(str(at + 1) for at in _missed(tuned, one))
    return f"misses {missed}" if missed else "moves too far"


def _missed(tuned: Tuned, one: Tried) -> list[int]:
    goals = zip(tuned.goals, one.figures, strict=True)
    return [at for at, (goal, figure) in enumerate(goals) if figure is None or not goal.bounds.hold(figure)]


def _nearest(tuned: Tuned) -> list[Tried]:
    """All settings: those that miss the fewest goals first, of these the nearest."""
    order = {one.values: at for at, one in enumerate(tuned.reached)}
    return sorted(
        tuned.tried,
        key=lambda one: (
            order.get(one.values, len(order)),
            len(_missed(tuned, one)),
            one.moved.by if one.moved is not None else 0,
            one.distance,
            one.values,
        ),
    )


def _when(tuned: Tuned, at: int) -> str:
    """By which settings a goal is reached."""
    goal = tuned.goals[at]
    met = [one for one in tuned.tried if (figure := one.figures[at]) is not None and goal.bounds.hold(figure)]
    return f" (reached by {len(met):,} of {len(tuned.tried):,} settings)"


def _moves(tuned: Tuned, page: Page) -> Iterator[RenderableType]:
    asked = [one for one in _nearest(tuned) if one.moved is not None]
    first = asked[0] if asked else None
    if first is None or first.moved is None:
        return
    values = ", ".join(_cells(tuned, first)[: len(tuned.ranges)])
    if first.moved.shift is not None:
        shift = first.moved.shift
        said = f"with {values} it is {first.moved.fight}: {shift.whom} {shift.what}, "
        yield paragraph(said + f"{percent(shift.old)} becomes {percent(shift.new)}", page.width, "   ", "   ")
    for those, said in (
        (first.moved.by_one, "can be played by one of the two alone"),
        (first.moved.too_large, "too large to be told, and not judged"),
    ):
        if those:
            listed = ", ".join(those[:5]) + (", ..." if len(those) > 5 else "")
            yield paragraph(f"{len(those):,} {said}: {listed}", page.width, "   ", "   ")


def contradiction(tuned: Tuned) -> str:
    """The fewest goals that cannot be had together."""
    named = [_letter(at) for at in tuned.contradicting if at < len(tuned.goals)]
    if len(tuned.goals) in tuned.contradicting:
        named.append("what is wanted elsewhere")
    if len(named) == 1:
        return f"No setting reaches {named[0]}."
    few = len(named) <= len(tuned.goals) - (tuned.elsewhere is None)
    return f"No setting reaches {', '.join(named[:-1])} and {named[-1]} together" + (
        "; what else is wanted does not matter." if few else "."
    )


def tuned_summary(tuned: Tuned) -> str:
    """One line on the whole."""
    number = len(tuned.tried)
    settings = f"{number:,} setting{'' if number == 1 else 's'}"
    if not tuned.reached:
        return f"{settings}: none reaches all goals"
    values = ", ".join(
        f"{name} {cell}" for name, cell in zip(_names(tuned), _cells(tuned, tuned.reached[0]), strict=False)
    )
    return f"{settings}, {len(tuned.reached):,} of which reach all goals" + (
        f"; the nearest: {values}" if values else ""
    )


def tuned_markdown(tuned: Tuned) -> str:
    names = [*_names(tuned), *(_letter(at) for at in range(len(tuned.goals)))]
    names += ["elsewhere"] if tuned.elsewhere is not None else []
    lines = [f"### {_md(tuned.name)}", "", _md(tuned_summary(tuned)) + ".", ""]
    lines += [_row([*names, ""]), _row(["---:" for _ in names] + ["---"])]
    listed: Sequence[Tried] = tuned.reached or _nearest(tuned)
    lines += [_row([*map(_md, _cells(tuned, one)), _word(tuned, one)]) for one in listed[:MOST_ROWS]]
    lines += [""]
    for at, goal in enumerate(tuned.goals):
        lines.append(f"- {_letter(at)}: {_md(goal.fight)}: {_md(goal.sentence.value)}, {_md(goal.bounds.text)}")
    if tuned.contradicting:
        lines += ["", _md(contradiction(tuned))]
    return "\n".join(lines) + "\n"


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _md(text: str) -> str:
    return "".join(f"\\{letter}" if letter in "\\`*_[]<>|" else letter for letter in clean(text))


def tuned_csv(tuned: Tuned) -> str:
    """A line for each setting that was tried, in their order; the largest move elsewhere where it was asked for."""
    return csv_text(_lines(tuned))


def _lines(tuned: Tuned) -> Iterator[tuple[object, ...]]:
    moves = ("elsewhere", "at_least", "fight", "whom", "outcome", "was", "is") if tuned.elsewhere is not None else ()
    goals = (f"goal_{at + 1}" for at, _ in enumerate(tuned.goals))
    yield *_names(tuned), "distance", *goals, *moves, "reaches"
    for one in tuned.tried:
        figures = ("" if figure is None else figure for figure in one.figures)
        yield *one.values, one.distance, *figures, *(_move(one.moved) if moves else ()), _yes(one in tuned.reached)


def _move(moved: Moved | None) -> tuple[object, ...]:
    if moved is None:
        return ("",) * 7
    shift = moved.shift
    told = (moved.fight, shift.whom, shift.what, shift.old, shift.new) if shift is not None else ("",) * 5
    return moved.by, _yes(moved.at_least), *told


def _yes(is_so: bool) -> str:
    return "yes" if is_so else "no"


def tuned_json(tuned: Tuned) -> str:
    out = {
        "format_version": 1,
        "command": "tune",
        "ruleset": tuned.name,
        "file": tuned.file,
        "ranges": [
            {"change": one.change, "at": one.at, "column": one.column, "values": list(one.values), "was": was}
            for one, was in zip(tuned.ranges, tuned.was, strict=True)
        ],
        "goals": [
            {"fight": goal.fight, "of": goal.sentence.value, "is": goal.bounds.text, "as_it_is": _number(figure)}
            for goal, figure in zip(tuned.goals, tuned.base, strict=True)
        ],
        "elsewhere": tuned.elsewhere.text if tuned.elsewhere is not None else None,
        "other_fights": tuned.fights,
        "reached": [_setting(one) for one in tuned.reached],
        "contradicting": [at + 1 if at < len(tuned.goals) else "elsewhere" for at in tuned.contradicting],
        "tried": [_setting(one) for one in tuned.tried],
    }
    return json.dumps(out, indent=2, ensure_ascii=False) + "\n"


def _setting(one: Tried) -> dict[str, object]:
    out: dict[str, object] = {
        "values": list(one.values),
        "distance": one.distance,
        "figures": [_number(figure) for figure in one.figures],
    }
    if one.moved is not None:
        moved: dict[str, object] = {"by": str(one.moved.by), "points": float(one.moved.by * 100)}
        if one.moved.shift is not None:
            shift = one.moved.shift
            moved |= {"fight": one.moved.fight, "whom": shift.whom, "what": shift.what}
            moved |= {"old": json_chance(shift.old), "new": json_chance(shift.new)}
        moved["at_least"] = one.moved.at_least
        moved |= {"by_one_alone": list(one.moved.by_one), "too_large": list(one.moved.too_large)}
        out["elsewhere"] = moved
    return out


def _number(figure: Fraction | None) -> dict[str, object] | None:
    return None if figure is None else {"exact": str(figure), "about": float(figure)}
