"""A playing as a tree of what happened and which rules it rests on, and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from rich.console import RenderableType
from rich.text import Text
from rich.tree import Tree

from closecombat.asking.played.resolution import Resolution
from closecombat.binding.trace import Event
from closecombat.reading.types import Thing, shown
from closecombat.telling.page import Page, amount, clean, dice, facts_text, heading, json_value, notes, rendered, table

Seen = dict[tuple[str, str, str, tuple[Any, ...]], None]


def resolution_text(resolution: Resolution, name: str, everything: bool, page: Page) -> str:
    return rendered(_on_page(resolution, name, everything, page.width), page)


def resolution_json(resolution: Resolution, seed: int | None = None) -> str:
    document = {"format_version": 1, "command": "resolve", **resolution_object(resolution, seed)}
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def resolution_object(resolution: Resolution, seed: int | None = None) -> dict[str, Any]:
    return {
        "ruleset": resolution.ruleset,
        "title": resolution.title,
        "dice": list(resolution.dice),
        **({} if seed is None else {"seed": seed}),
        "trace": [_object(event) for event in resolution.events],
        "sides": dict(resolution.sides),
        "lost": {side: json_value(value) for side, value in resolution.lost.items()},
        "units": {
            who: {fact: _json(value) for fact, value in facts.items()} for who, facts in resolution.units.items()
        },
        "assumptions": [{"id": one.id, "text": one.text} for one in resolution.assumptions],
        "remarks": list(resolution.remarks),
    }


def _object(event: Event) -> dict[str, Any]:
    out: dict[str, Any] = {"what": event.what, "name": event.name, "of": event.of.removeprefix(" of ")}
    if event.value is not None or event.what in ("reading", "choice"):
        out["value"] = _json(event.value)
    if event.where is not None and event.where.cites:
        out["cites"] = list(event.where.cites)
    if event.because:
        out["because"] = event.because
    if event.causes:
        out["rows"] = [{"row": row, "gives": gives, "cites": list(cites)} for row, gives, cites in event.causes]
    if event.inside:
        out["inside"] = [_object(each) for each in event.inside]
    return out


def _json(value: Any) -> Any:
    return value.name if isinstance(value, Thing) else json_value(value)


def told_object(resolution: Resolution) -> list[dict[str, Any]]:
    """The story as a terminal tells it, line by line, each with those that it rests on."""
    seen: Seen = {}
    trees = (_tree(event, seen, False) for event in resolution.events)
    return [_lines(tree) for tree in trees if tree is not None]


def _lines(tree: Tree) -> dict[str, Any]:
    said = tree.label.plain if isinstance(tree.label, Text) else str(tree.label)
    return {"said": said, "inside": [_lines(each) for each in tree.children]}


# ---- text -------------------------------------------------------------------------------------------------


def _on_page(resolution: Resolution, name: str, everything: bool, width: int) -> Iterable[RenderableType]:
    yield heading(name, f"{resolution.ruleset}: {resolution.title}")
    yield ""
    seen: Seen = {}
    for event in resolution.events:
        tree = _tree(event, seen, everything)
        if tree is not None:
            yield tree
    yield ""
    yield "Dice: " + (dice(resolution.dice, width) if resolution.dice else "none were rolled")
    yield ""
    if resolution.units:
        out = table("who", "what has changed")
        for who, facts in resolution.units.items():
            out.add_row(clean(who), facts_text(facts, resolution.printed, resolution.before[who]))
        yield out
        yield ""
    else:
        yield "Nothing that is noted of anybody has changed."
        yield ""
    lost = bool(resolution.lost)
    out = table("side", "verdict", *([f"{resolution.unit or 'strength'} lost"] if lost else []))
    for side in dict.fromkeys([*resolution.sides, *resolution.lost]):
        out.add_row(
            clean(side),
            clean(resolution.sides.get(side, "-")),
            *([amount(resolution.lost.get(side, 0))] if lost else []),
        )
    if resolution.sides or lost:
        yield out
    yield from notes(resolution.assumptions, resolution.remarks)


def _tree(event: Event, seen: Seen, everything: bool) -> Tree | None:
    """An event and what it rests on. What was read before with the same result is not told again, nor is a
    plain no that nothing hangs on, unless everything is asked for."""
    if event.what == "reading" and not everything:
        key = (event.name, event.of, shown(event.value), (*event.causes, event.because))
        if key in seen or (event.value is False and not _decided_by_chance(event)):
            return None
        seen[key] = None
    inside = [tree for each in event.inside if (tree := _tree(each, seen, everything)) is not None]
    if event.what == "row" and not inside and not everything:
        return None
    tree = Tree(_line(event), highlight=False, guide_style="dim")
    for row, gives, cites in event.causes:
        tree.add(_cited(Text(f"{clean(row)}: {clean(gives)}"), cites))
    for each in inside:
        tree.children.append(each)
    return tree


def _decided_by_chance(event: Event) -> bool:
    """Whether a no is more than a plain no that nothing hangs on."""
    return bool(event.causes) or event.by_chance or any(map(_decided_by_chance, event.inside))


def _line(event: Event) -> Text:
    who, cites = clean(event.of), event.where.cites if event.where is not None else ()
    match event.what:
        case "row":
            said = Text(clean(event.name), style="bold").append(who, style="not bold")
            said.append(f": {clean(event.because)}" if event.because else "", style="not bold")
        case "failed":
            said = Text(f"{clean(event.name)}{who}: not so: {clean(event.because)}")
        case "roll" | "lots" | "order" | "deal":
            said = Text(f"{event.what} {clean(event.name)}{who}: ").append(clean(str(event.value)), style="bold cyan")
        case "choice":
            said = Text(f"choice {clean(event.name)}{who}: {clean(shown(event.value))}")
        case "effect":
            said = Text(f"{who.removeprefix(' of ')}: ").append(clean(event.name), style="bold")
        case _:
            said = Text(f"{clean(event.name)}{who} is {clean(shown(event.value))}")
            said.append(f": {clean(event.because)}" if event.because else "")
    return _cited(said, cites)


def _cited(said: Text, cites: tuple[str, ...]) -> Text:
    return said.append(f"  [{clean(', '.join(cites))}]", style="not bold dim") if cites else said
