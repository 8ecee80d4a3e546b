"""Ranges in place of values in the changes of a variant, and the goals that a value has to reach.

    broken: {at: tables.modifiers.broken, set: {add: {from: -4, to: 0}}, was: {add: -2}, why: ..}
    goals: {farmhouse: {outcomes of red is destroyed: 25% to 30%}}
    elsewhere: at most 2 points

Only `tune` knows what to do with a range: a variant that has one says no rules, and is refused by all else
(`variants`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from closecombat.reading.fields import MOST_DIGITS, mapping_of, text_of
from closecombat.text.faults import Faults, Faulty
from closecombat.text.nodes import Listing, Node, Text
from closecombat.text.nodes import Mapping as MappingNode
from closecombat.text.slotted import dataclass
from closecombat.text.source import Source, Span

VALUED = ("set", "replace", "add")  # the verbs under which a range may stand
MOST_VALUES = 1_000  # of one range
Path = tuple[str | int, ...]
NUMBER = re.compile(rf"([+-]?[0-9]{{1,{MOST_DIGITS}}}(?:\.[0-9]{{1,30}}|/[1-9][0-9]{{0,{MOST_DIGITS}}})?) ?(%?)")
BOUNDS = (
    ("between", re.compile(r"(\S+(?: %)?) to (\S+(?: %)?)")),
    ("at least", re.compile(r"at least (\S+(?: %)?)")),
    ("at most", re.compile(r"at most (\S+(?: %)?)")),
    ("more than", re.compile(r"more than (\S+(?: %)?)")),
    ("less than", re.compile(r"less than (\S+(?: %)?)")),
)
_HOW = "write `25% to 30%`, `at most 2`, `at least 1/3`, `more than 10%` or `less than 4`"


@dataclass(frozen=True, slots=True)
class Range:
    """A range in a change: where it stands in the variant, and its values from one end to the other. `signed` says that
    a plus was written."""

    change: str
    at: str  # the row that is changed
    column: str
    path: Path
    values: tuple[int, ...]
    signed: bool
    span: Span

    def written(self, value: int) -> str:
        return f"{value:+d}" if self.signed else str(value)


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a figure may be: as it was written, and its ends with whether they count themselves."""

    text: str
    least: Fraction | None
    most: Fraction | None
    strict: bool = False

    def hold(self, value: Fraction) -> bool:
        if self.strict:
            return (self.least is None or value > self.least) and (self.most is None or value < self.most)
        return (self.least is None or value >= self.least) and (self.most is None or value <= self.most)


@dataclass(frozen=True, slots=True)
class Goal:
    """What is wanted of one fight: a sentence, and what its chance, or the number on average, may be."""

    fight: str
    sentence: Text
    bounds: Bounds


@dataclass(frozen=True, slots=True)
class Wanted:
    """All goals; `elsewhere` is by how much no chance of another fight may move."""

    goals: tuple[Goal, ...]
    elsewhere: Bounds | None


def is_range(node: Node) -> bool:
    """Whether this is no value but says between which ends one is."""
    return isinstance(node, MappingNode) and set(node.keys()) in ({"from", "to"}, {"from", "to", "by"})


def ranges_in(node: Node, path: Path = ()) -> Iterator[tuple[Path, MappingNode]]:
    """Every range in a value, and where."""
    if isinstance(node, MappingNode) and is_range(node):
        yield path, node
    elif isinstance(node, MappingNode):
        for key, value in node.entries:
            yield from ranges_in(value, (*path, key.value))
    elif isinstance(node, Listing):
        for number, item in enumerate(node.items):
            yield from ranges_in(item, (*path, number))


def ranges_of(document: MappingNode, faults: Faults) -> tuple[Range, ...]:
    """Every range of a variant's file, in its order; what is wrong with one is added to `faults`."""
    changes = document.get("changes")
    found: list[Range] = []
    for key, change in changes.entries if isinstance(changes, MappingNode) else ():
        at = change.get("at") if isinstance(change, MappingNode) else None
        for verb in VALUED:
            value = change.get(verb) if isinstance(change, MappingNode) else None
            for path, node in ranges_in(value) if value is not None else ():
                values = faults.attempt(_values, node)
                if values is not None:
                    column = ".".join(map(str, path))
                    where = at.value if isinstance(at, Text) else ""
                    whole = ("changes", key.value, verb, *path)
                    signed = any(isinstance(each, Text) and each.value.startswith("+") for _, each in node.entries)
                    found.append(Range(key.value, where, column, whole, values, signed, node.span))
    return tuple(found)


def _values(node: MappingNode) -> tuple[int, ...]:
    ends = [_whole(node, "from"), _whole(node, "to"), _whole(node, "by") if "by" in node else 1]
    least, most, by = ends
    if least >= most or by < 1:
        said = f"`{least}` to `{most}`" + (f" by `{by}`" if by != 1 else "")
        raise Faulty.one("out-of-range", f"{said} is no range", node.span, help="write the lower end after `from:`")
    if (most - least) // by >= MOST_VALUES:
        raise Faulty.one("too-large", f"a range has at most {MOST_VALUES:,} values", node.span, help="narrow it")
    return tuple(range(least, most + 1, by))


def _whole(node: MappingNode, key: str) -> int:
    value = node.get(key)
    text = text_of(value, "a whole number") if value is not None else ""
    if not re.fullmatch(r"[+-]?\d{1,6}", text):
        place = value.span if value is not None else node.span
        raise Faulty.one("wrong-type", f"`{text}` is not a whole number", place, help=f"write `{key}: 2` or the like")
    return int(text)


def with_values(document: MappingNode, ranges: Sequence[Range], values: Sequence[int]) -> MappingNode:
    """The variant with a value in the place of each range."""
    made: Node = document
    for one, value in zip(ranges, values, strict=True):
        made = _put(made, one.path, Text(one.written(value), one.span, True, _content(one, value)))
    return mapping_of(made, "a variant")


def _content(one: Range, value: int) -> Span:
    text = one.written(value)
    return Span(Source(one.span.source.name, text), 0, len(text))


def _put(node: Node, path: Path, value: Node) -> Node:
    """A node with something else at a place below it."""
    if not path:
        return value
    match node:
        case MappingNode(entries):
            made = tuple((k, _put(v, path[1:], value) if k.value == path[0] else v) for k, v in entries)
            return replace(node, entries=made)
        case Listing(items):
            return replace(
                node, items=tuple(_put(v, path[1:], value) if i == path[0] else v for i, v in enumerate(items))
            )
    return node


# ---- goals ----------------------------------------------------------------------------------------------------


def read_wanted(document: MappingNode, faults: Faults) -> Wanted:
    """The goals that a variant's file names."""
    goals: list[Goal] = []
    node = document.get("goals")
    fights = faults.attempt(mapping_of, node, "goals by the fights that they are of") if node is not None else None
    for fight, wanted in fights.entries if fights is not None else ():
        asked = faults.attempt(mapping_of, wanted, f"sentences about `{fight.value}` and what each may be")
        if asked is not None and isinstance(named := asked.get("fight"), Text):
            help = f"write `{named.value}: {{SENTENCE: 25% to 30%}}` in the place of the whole goal"
            faults.add("wrong-shape", "a goal has no name, and stands under its fight", named.span, help=help)
            asked = None
        for sentence, bounds in asked.entries if asked is not None else ():
            read = faults.attempt(bounds_of, bounds)
            if read is not None:
                goals.append(Goal(fight.value, sentence, read))
    elsewhere = document.get("elsewhere")
    return Wanted(tuple(goals), faults.attempt(points_of, elsewhere) if elsewhere is not None else None)


def bounds_of(node: Node) -> Bounds:
    """What a figure may be: `25% to 30%`, `at most 2`."""
    text = " ".join(text_of(node, "what it may be, such as `25% to 30%`").split())
    for name, pattern in BOUNDS:
        if found := pattern.fullmatch(text):
            ends = [_figure(end, node) for end in found.groups()]
            match name:
                case "between":
                    if ends[0] > ends[1]:
                        said = f"nothing lies between {found[1]} and {found[2]}"
                        raise Faulty.one("out-of-range", said, node.span, help="write the lower end first")
                    return Bounds(text, ends[0], ends[1])
                case "at least" | "more than":
                    return Bounds(text, ends[0], None, name == "more than")
                case _:
                    return Bounds(text, None, ends[0], name == "less than")
    raise Faulty.one("wrong-shape", f"`{text}` does not say what a figure may be", node.span, help=_HOW)


def points_of(node: Node) -> Bounds:
    """By how much a chance may move: `at most 2 points`."""
    text = " ".join(text_of(node, "by how much a chance may move").split())
    found = re.fullmatch(r"at most (\S+) points?", text)
    if found is None:
        help = "write `at most 2 points`, of a hundred"
        raise Faulty.one("wrong-shape", f"`{text}` does not say how far a chance may move", node.span, help=help)
    return Bounds(text, None, abs(_figure(found[1], node)) / 100)


def _figure(text: str, node: Node) -> Fraction:
    found = NUMBER.fullmatch(text)
    if found is None:
        raise Faulty.one("wrong-type", f"`{text}` is no number", node.span, help=_HOW)
    return Fraction(found[1]) / (100 if found[2] else 1)


def said_goal(text: str) -> Goal:
    """A goal of the command line: `FIGHT: SENTENCE: 25% to 30%`."""
    parts = text.split(":")
    if len(parts) < 3:
        help = 'write --goal "farmhouse: outcomes of red is destroyed: 25% to 30%"'
        raise Faulty.one("wrong-shape", f"`{text}` is no goal: a fight, a sentence and what it may be", None, help=help)
    fight, bounds = parts[0].strip(), parts[-1].strip()
    return Goal(fight, _said(":".join(parts[1:-1]).strip()), bounds_of(_said(bounds)))


def said_points(text: str) -> Bounds:
    """How far chances may move elsewhere, as the command line says it."""
    return points_of(_said(text))


def _said(text: str) -> Text:
    span = Span(Source("--goal", text), 0, len(text))
    return Text(text, span, True, span)
