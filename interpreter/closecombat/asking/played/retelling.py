"""A playing written down as an example: the fight, what was answered, the dice, and what came out.

What is written is tried before it is handed out, so that `test` passes it. A fight that was broken off is written
without an end, as a situation that can be gone on with.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from collections.abc import Mapping as ReadOnly
from pathlib import Path
from typing import Any

from closecombat.asking.examples.examples import run_example
from closecombat.asking.played.resolution import Resolution
from closecombat.playing.answers import Answer, Declared
from closecombat.playing.fight import Fight, begin
from closecombat.proving.values.symbolic import Value
from closecombat.reading.model import Asking
from closecombat.reading.stack import as_mapping, shipped
from closecombat.reading.types import Face, shown
from closecombat.text.document import parse
from closecombat.text.files import root
from closecombat.text.nodes import Listing, Mapping, Node, Text, flow
from closecombat.text.source import Source, Span

WIDE = 100  # letters of a line that holds a whole mapping

Answers = ReadOnly[tuple[str, str], list[str]]  # a row and who is asked -> what he answered each time, in flow style


Heard = ReadOnly[tuple[str, str], int]  # at which row whose answer a playing has asked for, and how many


class Listening(Declared):
    """Choices as the situation writes them, with a list of those that are asked for."""

    def __init__(self, choices: Mapping | None) -> None:
        super().__init__(choices)
        self.heard: dict[tuple[str, str], int] = {}

    def answer(self, row: str, who: str, turn: int, run: Any) -> Answer | None:
        self._hears(row, who, turn)
        return super().answer(row, who, turn, run)

    def _hears(self, row: str, who: str, turn: int) -> None:
        self.heard[row, who] = max(self.heard.get((row, who), 0), turn + 1)

    def declared(self, row: str, who: str, at_most: int | None, turn: int, run: Any) -> dict[str, Answer] | None:
        self._hears(row, who, turn)
        return super().declared(row, who, at_most, turn, run)


def as_example(
    fight: Fight, named: str, stack: str, played: Resolution, answers: Answers, heard: Heard, name: str
) -> tuple[str, bool]:
    """The example, and whether it passes: what came out is told in full, or as little of it as can be told. `named` is
    how it names its ruleset, `stack` what that ruleset is called by."""
    head = f"example: {name}\nruleset: {named}\nabout: One playing of {_plain(stack)}, as it came out.\n"
    told = _in_secret(fight, answers) + head + _fight(fight, answers, played.dice, heard)
    text = ""
    for expected in _ends(fight, played):
        text = told + expected
        if not run_example(fight.bound, as_mapping(parse(Source("<example>", text)))).faults:
            return text, True
    return text, False


def broken_off(fight: Fight, named: str, answers: Answers, dice: Iterable[Face]) -> str:
    """A fight up to where it was left, to be gone on with."""
    return f"{_in_secret(fight, answers)}ruleset: {named}\n" + _fight(fight, answers, dice)


def _in_secret(fight: Fight, answers: Answers) -> str:
    """A line for whoever opens the file, where it holds what was for the eyes of one player."""
    acts = [act for sequence in fight.bound.ruleset.sequences.values() for act in sequence.acts]
    hidden = {act.id for act in acts if isinstance(act.verb, Asking) and act.verb.answered == "secret"}
    rows = list(dict.fromkeys(f"`{row}`" for row, _ in answers if row in hidden))
    return f"# What was answered in secret at {', '.join(rows)} stands here for all to read.\n" if rows else ""


def ruleset_from(stack: str, near: Path | None, folder: Path) -> str:
    """A stack as a file in another folder names it."""
    return "+".join(_part_from(part.strip(), near or Path(), folder) for part in stack.split("+"))


def _part_from(part: str, near: Path, folder: Path) -> str:
    known = {**shipped(), **shipped("variants")}
    if part in known:
        return part
    meant, home = (near / part).resolve(), root("rulesets").resolve()
    if not folder.resolve().is_relative_to(home):  # what ships with the program goes by its name, wherever it is
        for name, place in known.items():
            if meant in (place.resolve(), (place / "ruleset.yaml").resolve()):
                return name
    moved = Path(os.path.relpath(near / part, folder)).as_posix()
    return moved if "/" in moved or moved in (".", "..") else f"./{moved}"


def _fight(fight: Fight, answers: Answers, dice: Iterable[Face], heard: Heard | None = None) -> str:
    """Everything but how it ended; once that is known, only such answers written before as were asked for."""
    said = []
    known = fight.bound.ruleset.options
    options = {name: reading for name, reading in fight.options.items() if reading != known[name].default}
    if options:
        said.append("options: {" + ", ".join(f"{name}: {reading}" for name, reading in options.items()) + "}\n")
    if fight.combats != 1:
        said.append(f"combats: {fight.combats}\n")
    said.append(_block("situation", fight.situation, 0))
    said.append(_choices(fight.choices, answers, heard))
    faces = ", ".join(_plain(str(face)) for face in dice)
    return "".join(said) + f"dice: [{faces}]\n"


def _choices(written: Mapping | None, answers: Answers, heard: Heard | None) -> str:
    rows: dict[str, dict[str, str]] = {}
    for row, line in written.entries if written is not None else ():
        for who, node in line.entries if isinstance(line, Mapping) else ():
            if heard is None or (row.value, who.value) in heard:
                often = None if heard is None else heard[row.value, who.value]
                rows.setdefault(row.value, {})[who.value] = _first_of(node, often)
    for (at, asked), given in answers.items():
        before = written.get(at) if written is not None else None
        earlier = before.get(asked) if isinstance(before, Mapping) else None
        kept = [flow(item) for item in earlier.items] if isinstance(earlier, Listing) else []
        rows.setdefault(at, {})[asked] = _each_time([*kept, *given], heard is not None)
    lines = (", ".join(f"{who}: {said}" for who, said in line.items()) for line in rows.values())
    listed = [f"  {row}: {{{line}}}\n" for row, line in zip(rows, lines, strict=True)]
    return "choices:\n" + "".join(listed) if listed else ""


def _first_of(node: Node, often: int | None) -> str:
    """An answer as it is written; of a list only as many as were asked for, where that is known."""
    if often is None or not isinstance(node, Listing) or len(node.items) <= often:
        return flow(node)
    return _each_time([flow(item) for item in node.items[:often]], True)


def _each_time(answers: list[str], is_whole: bool) -> str:
    """What was answered time after time: once for all, if it was once and no more is to come."""
    return answers[0] if len(answers) == 1 and is_whole else f"[{', '.join(answers)}]"


def _ends(fight: Fight, played: Resolution) -> Iterable[str]:
    """What is expected: all that has changed, then who has gone, then how each side ends; and where nothing of that
    can be told, that the sides are still there."""
    sides = [f"  sides: {{{', '.join(f'{side}: {_plain(verdict)}' for side, verdict in played.sides.items())}}}\n"]
    sides = sides if played.sides else []
    for whole in (True, False):
        told = [*sides, *_things(fight, played, whole)]
        if told:
            yield "expect:\n" + "".join(told)
    state = begin(fight, None).state
    there = ", ".join(f"{side}: {{gone: no}}" for side, thing in state.things.items() if thing.kind == "side")
    yield "expect:\n" + ("".join(sides) or f"  sides: {{{there}}}\n")


def _things(fight: Fight, played: Resolution, whole: bool) -> Iterable[str]:
    state = begin(fight, None).state
    kinds = fight.bound.ruleset.kinds
    lines: dict[str, list[str]] = {}
    for name, facts in played.units.items():
        thing = state.things.get(name)
        if thing is None or thing.kind in ("side", "fight") or not kinds[thing.kind].plural:
            continue
        said = _facts(facts, played.printed, whole)
        if said:
            lines.setdefault(kinds[thing.kind].plural, []).append(f"    {name}: {said}\n")
    for plural, each in lines.items():
        yield f"  {plural}:\n" + "".join(each)


def _facts(facts: ReadOnly[str, Value], printed: frozenset[str], whole: bool) -> str:
    if not whole:
        return "gone" if facts.get("gone") is True else ""
    told = {name: value for name, value in facts.items() if name != "new" and not name.startswith("owes ")}
    if "counter" in told:
        told = {name: value for name, value in told.items() if name not in printed or name == "counter"}
    if list(told) == ["gone"]:
        return "gone"
    return "{" + ", ".join(f"{name}: {_plain(shown(value))}" for name, value in told.items()) + "}" if told else ""


# ---- YAML -------------------------------------------------------------------------------------------------


def _block(key: str, node: Node, depth: int) -> str:
    """An entry, on one line where that is short enough."""
    line = f"{' ' * depth}{key}: {flow(node)}"
    if len(line) <= WIDE or not isinstance(node, Mapping):
        return line + "\n"
    return f"{' ' * depth}{key}:\n" + "".join(_block(name.value, each, depth + 2) for name, each in node.entries)


def _plain(text: str) -> str:
    place = Span(Source("<written>", text), 0, len(text))
    return flow(Text(text, place, True, place))
