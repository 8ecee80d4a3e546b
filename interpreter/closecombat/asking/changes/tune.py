"""Which values reach some goals: a variant whose changes name ranges, tried in every setting of them.

Each setting is a ruleset of its own. Of the fights that goals are about it is worked out what each goal asks; of all
others, by how much their chances move from those of the ruleset that the variant extends, and only where a run of it
comes to what is changed (`differing`). Fractions are compared with fractions. Where no setting will do, the fewest
goals are told that no setting reaches together.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Mapping as ReadOnly
from dataclasses import field, replace
from fractions import Fraction
from functools import partial
from itertools import combinations, product, zip_longest
from math import prod
from pathlib import Path

from closecombat.asking.changes.differing import DIFFERS, ONE_SIDED, ONLY_TOGETHER, UNKNOWN, Pair, compared, touch
from closecombat.asking.changes.rule_changes import rule_changes
from closecombat.asking.exact.answers import TOO_MUCH, Shift
from closecombat.asking.exact.settings import Asked, of_every_setting
from closecombat.asking.examples.fights_of import Known, fights_in, fights_of
from closecombat.asking.fights.fight_files import Scene, staged
from closecombat.asking.keeping.came_to import MOST_WORK, CameTo
from closecombat.asking.keeping.kept import digest, read_book, write_book
from closecombat.binding.charts import Bound
from closecombat.binding.load import altered, loaded
from closecombat.playing.fight import asked as asked_of
from closecombat.playing.run import Run
from closecombat.playing.unknowns import Says, Unknown
from closecombat.proving.tables.weights import Row
from closecombat.proving.values.budget import TAKES_LONG
from closecombat.proving.values.symbolic import Value
from closecombat.reading.model import Ruleset, name_of_stack
from closecombat.reading.ranges import Bounds, Goal, Range, ranges_of, read_wanted, with_values
from closecombat.reading.stack import Lineup, Stack, line_up_of, read_mapping, variant_file
from closecombat.reading.targets import columns_of, entry_at, find
from closecombat.reading.types import Flag, Number, Roll
from closecombat.reading.variants import opened
from closecombat.text.faults import Faults, Faulty, suggest
from closecombat.text.files import YAML
from closecombat.text.nodes import Listing, Node, Text
from closecombat.text.nodes import Mapping as MappingNode
from closecombat.text.project import refuse_outside
from closecombat.text.slotted import dataclass

UNPLAYED = TOO_MUCH | {
    "illegal-declaration",
    "no-row-applies",
    "several-rows-apply",
    "no-value",
    "out-of-range",
    "conflicting-writes",
    "loop-without-end",
}
MOST_SETTINGS = 200  # that are tried unasked
MOST_IN_ALL = 20_000  # and at all
MOST_LOOKED_AT = 1_000  # other fights, each in one setting, unasked
Watch = Callable[[str], None]
Values = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Moved:
    """The largest move elsewhere: of which fight, and which chance of it. Where one moves too far others are not
    looked at any more (`at_least`). `by_one` are fights that only one of the two rulesets can play, `too_large` those
    of which nobody knows."""

    by: Fraction = Fraction(0)
    fight: str = ""
    shift: Shift | None = None
    by_one: tuple[str, ...] = ()
    too_large: tuple[str, ...] = ()
    at_least: bool = False


@dataclass(frozen=True, slots=True)
class Tried:
    """A setting: its values, how far they lie from those of the base, what each goal comes to (nothing where its fight
    cannot be played so), and the largest move elsewhere, if that was asked."""

    values: Values
    distance: int
    figures: tuple[Fraction | None, ...]
    moved: Moved | None


@dataclass(frozen=True, slots=True)
class Tuned:
    """What came of it. `reached` are the settings that reach all goals, the nearest first; `tried` all, in order;
    `base` the figures of the ruleset as it is, and `was` the values that it has in the place of the ranges. Where
    nothing is reached, `contradicting` are the numbers of goals that no setting reaches together, `len(goals)` being
    what is wanted elsewhere."""

    name: str
    title: str
    file: str
    ranges: tuple[Range, ...]
    was: tuple[int | None, ...]
    goals: tuple[Goal, ...]
    elsewhere: Bounds | None
    base: tuple[Fraction | None, ...]
    tried: tuple[Tried, ...]
    reached: tuple[Tried, ...]
    contradicting: tuple[int, ...]
    fights: int  # that were looked at elsewhere


def tune(name: str, goals: Sequence[Goal], elsewhere: Bounds | None, most_work: int | None, watch: Watch) -> Tuned:
    """What reaches the goals of a variant's file and some more. Raises Faulty where that cannot be asked."""
    file = variant_file(name)
    document = read_mapping(file)
    faults = Faults()
    ranges, wanted = ranges_of(document, faults), read_wanted(document, faults)
    faults.raise_if_any()
    goals, elsewhere = (*wanted.goals, *goals), elsewhere or wanted.elsewhere
    settings = list(product(*(one.values for one in ranges)))
    _refuse(document, ranges, goals, elsewhere, most_work is None)
    rules = _Rules.of(file, document, ranges)
    known = fights_of(rules.below, rules.base.ruleset.name, (name_of_stack(rules.base.ruleset),))
    near = [file.parent] * len(wanted.goals)  # a path in a file counts from where that lies
    scenes = [_scene(goal, known, rules.base, one) for goal, one in zip_longest(goals, near)]
    about = {id(one.document) for one in scenes}
    others = [one for one in known if id(one.scene.document) not in about] if elsewhere is not None else []
    asked = _Asked(rules, tuple(zip(goals, scenes, strict=True)), tuple(others), most_work)
    base = _figures(asked, rules.base, (), [()], frozenset())[()]
    tried = {
        values: Tried(values, _distance(values, rules.was, ranges), figures, None)
        for values, figures in _all_figures(asked, settings, watch)
    }
    meeting = [{one for one in settings if _meets(goal, tried[one].figures[at])} for at, goal in enumerate(goals)]
    left = [one for one in settings if all(one in those for those in meeting)]
    contradicting: tuple[int, ...] = ()
    if elsewhere is not None and left:
        _refuse_many(len(left), len(others), ranges, most_work is None)
        book = read_book(rules.lineup.sources(), f"{MOST_WORK}")  # the same that `diff` has
        asked.came.update(book.known)
        try:
            left = _staying(asked, tried, left, elsewhere, watch)
            if not left and (most_work is None or len(settings) * len(others) <= MOST_LOOKED_AT):
                meeting.append(set(_staying(asked, tried, settings, elsewhere, watch)))  # it may be too much by itself
            elif not left:
                contradicting = tuple(range(len(goals) + 1))
        finally:
            write_book(book, asked.came.items())
    if not left and not contradicting:
        contradicting = _contradicting(meeting, settings)
    reached = sorted((tried[one] for one in left), key=lambda one: (one.distance, one.values))
    named = rules.whole or rules.base.ruleset
    return Tuned(
        name_of_stack(named),
        named.title,
        file.as_posix(),
        ranges,
        rules.was,
        goals,
        elsewhere,
        base,
        tuple(tried.values()),
        tuple(reached),
        contradicting,
        len(others),
    )


def _refuse(
    document: MappingNode, ranges: Sequence[Range], goals: Sequence[Goal], elsewhere: Bounds | None, is_patient: bool
) -> None:
    if not goals and elsewhere is None:
        help = 'add `goals: {FIGHT: {SENTENCE: 25% to 30%}}` to it, or say --goal "FIGHT: SENTENCE: 25% to 30%"'
        raise Faulty.one("missing-key", "nothing says what is to be reached", document.span.part(0, 1), help=help)
    number = prod(len(one.values) for one in ranges)
    most = MOST_IN_ALL if is_patient else MOST_SETTINGS
    if number > most:
        said = f"the ranges have {number:,} settings together, and {most:,} are tried"
        help = "narrow a range, or step it `by: 2`" + ("" if is_patient else "; or go on with --yes")
        raise Faulty.one(TAKES_LONG if number <= MOST_IN_ALL else "too-large", said, ranges[0].span, help=help)


def _refuse_many(settings: int, fights: int, ranges: Sequence[Range], is_patient: bool) -> None:
    if settings * fights > MOST_LOOKED_AT and not is_patient:
        said = f"{settings:,} settings reach the goals, and each would be looked at in {fights:,} other fights"
        help = "narrow a goal or a range; or go on with --yes"
        raise Faulty.one(TAKES_LONG, said, ranges[0].span if ranges else None, help=help)


# ---- rulesets -------------------------------------------------------------------------------------------------


class _Rules:
    """The ruleset below a variant, and that of each setting, each put together once."""

    def __init__(self, lineup: Lineup, file: Path, document: MappingNode, ranges: Sequence[Range]) -> None:
        self.lineup, self.file, self.document, self.ranges = lineup, file, document, ranges
        self.below = lineup.put_together()
        self.base = loaded(self.below)
        self._stack: tuple[Values, Stack] | None = None  # the last: all of them together are large
        self._bound: tuple[Values, Bound] | None = None
        self.whole: Ruleset | None = None  # of the first setting
        self.was = tuple(_was(self.stack(tuple(each.values[0] for each in ranges)), self.below, one) for one in ranges)

    @staticmethod
    def of(file: Path, document: MappingNode, ranges: Sequence[Range]) -> _Rules:
        lineup = line_up_of(file, with_values(document, ranges, [one.values[0] for one in ranges]))
        return _Rules(Lineup(lineup.base, lineup.layers[:-1], lineup.whole), file, document, ranges)

    def stack(self, values: Values) -> Stack:
        if self._stack is None or self._stack[0] != values:
            document = with_values(self.document, self.ranges, values)
            self._stack = values, line_up_of(self.file, document).put_together()
        return self._stack[1]

    def bound(self, values: Values) -> Bound:
        """Raises Faulty with all that is wrong with the first; another says what is wrong where it is asked."""
        if self._bound is None or self._bound[0] != values:
            stack = self.stack(values)
            made = loaded(stack) if self.whole is None else altered(stack.document, self.whole)
            self.whole, self._bound = self.whole or made.ruleset, (values, made)
        return self._bound[1]


def _was(stack: Stack, below: Stack, one: Range) -> int | None:
    """The number that the ruleset below has where a range stands; none if it has something else there."""
    step = next((each for each in stack.variants[-1].steps if each.id == one.change), None)
    keys = find(below.document, step.target) if step is not None else None
    found = entry_at(below.document, keys) if keys else None
    if step is None or keys is None or found is None:
        return None
    node: Node | None = found[1]
    if step.verb == "set" and node is not None:
        node = opened(step.target, node, columns_of(below.document, keys))
    for key in one.path[3:]:
        match node:
            case MappingNode():
                node = node.get(str(key))
            case Listing(items) if isinstance(key, int) and key < len(items):
                node = items[key]
            case _:
                return None
    text = node.value.strip() if isinstance(node, Text) else ""
    return int(text) if re.fullmatch(r"[+-]?\d{1,6}", text) else None


def _distance(values: Values, was: Sequence[int | None], ranges: Sequence[Range]) -> int:
    """How far a setting lies from the base; where that has no number, from 0 or the end that is next to it."""
    there = (
        one if one is not None else min(max(0, each.values[0]), each.values[-1])
        for one, each in zip(was, ranges, strict=True)
    )
    return sum(abs(value - one) for value, one in zip(values, there, strict=True))


# ---- fights ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is asked of each setting; `came` is what the other fights come to by the base, once that is known."""

    rules: _Rules
    goals: tuple[tuple[Goal, Scene], ...]
    others: tuple[Known, ...]
    most_work: int | None
    came: dict[str, CameTo] = field(default_factory=dict)  # by the hash of the fight
    too_far: dict[str, int] = field(default_factory=dict)  # how often each has moved too far


def _scene(goal: Goal, known: Sequence[Known], base: Bound, near: Path | None) -> Scene:
    """The fight that a goal is about: an example or engagement of the ruleset, or a file, seen from a folder."""
    for one in known:
        if goal.fight in one.names:
            return one.scene
    if "/" in goal.fight or goal.fight.endswith(YAML):
        if near is not None:
            refuse_outside(goal.fight, near, goal.sentence.span)
        found = fights_in((str((near or Path()) / goal.fight),), base.ruleset.name)
        if len(found) == 1:
            return found[0].scene
        said = f"`{goal.fight}` holds {len(found)} fights" if found else f"`{goal.fight}` holds no fight"
        raise Faulty.one("wrong-shape", said, goal.sentence.span, help="name a file that holds one")
    names = [name for one in known for name in one.names]
    help = suggest(goal.fight, names) or "name an example or an engagement of the ruleset, or a file"
    raise Faulty.one("unknown-name", f"no fight is called `{goal.fight}`", goal.sentence.span, help=help)


def _all_figures(
    asked: _Asked, settings: Sequence[Values], watch: Watch
) -> Iterator[tuple[Values, tuple[Fraction | None, ...]]]:
    """What each goal comes to in each setting. Numbers that rows of tables say are unknowns of one run; for all else
    the ruleset is another one."""
    ranges = asked.rules.ranges
    thrown = [_says(one) for one in ranges]
    others = [[None] if says is not None else one.values for one, says in zip(ranges, thrown, strict=True)]
    domains = [Unknown(says, one.values) for one, says in zip(ranges, thrown, strict=True) if says is not None]
    found: dict[Values, tuple[Fraction | None, ...]] = {}
    for fixed in product(*others):
        first = tuple(one.values[0] if value is None else value for value, one in zip(fixed, ranges, strict=True))
        inner = [
            (values, tuple(value for value, one in zip(values, fixed, strict=True) if one is None))
            for values in settings
            if all(one in (None, value) for value, one in zip(values, fixed, strict=True))
        ]
        figures = _figures(asked, asked.rules.bound(first), domains, [some for _, some in inner], UNPLAYED)
        found |= {values: figures[some] for values, some in inner}
        watch(f"{len(found):,} of {len(settings):,} settings tried")
    yield from ((values, found[values]) for values in settings)


def _says(one: Range) -> Says | None:
    """The row of a table whose number a range stands for, if it is that."""
    section, _, rest = one.at.partition(".")
    table, *between, row = rest.split(".") if "." in rest else ("", "")
    is_number = one.path[2] == "set" and one.path[3:] in (("add",), ("is",), ("times",))
    return Says(table, row) if section == "tables" and table and len(between) < 2 and is_number else None


def _figures(
    asked: _Asked, bound: Bound, unknowns: Sequence[Unknown], settings: Sequence[Values], forgiven: frozenset[str]
) -> dict[Values, tuple[Fraction | None, ...]]:
    """What each goal comes to by one ruleset, for each value of what is left open in it; nothing where its fight cannot
    be played so, which is `forgiven`."""
    figures: dict[Values, list[Fraction | None]] = {values: [] for values in settings}
    for goal, scene in asked.goals:
        fight = replace(staged(scene, bound), questions=(goal.sentence,))
        of_all = Asked(fight, tuple(unknowns), partial(_answer, goal), most_work=asked.most_work)
        for values, found in of_every_setting(of_all).items():
            if not isinstance(found, Faulty):
                figures[values].append(_figure(goal, found))
            elif found.codes <= forgiven:
                figures[values].append(None)
            else:
                raise found
    return {values: tuple(those) for values, those in figures.items()}


def _answer(goal: Goal, run: Run) -> list[Value]:
    value, type = asked_of(run, goal.sentence)
    if not isinstance(type, Flag | Number | Roll):
        said = f"`{goal.sentence.value}` is neither a number nor something that is so or not"
        help = "ask for one answer: `outcomes of red is destroyed`"
        raise Faulty.one("wrong-type", said, goal.sentence.span, help=help)
    return [value]


def _figure(goal: Goal, found: ReadOnly[Row, Fraction]) -> Fraction:
    """How likely something is, or a number on average."""
    if any(value is None for (value,) in found):
        said = f"`{goal.sentence.value}` may be nobody's, which is no number"
        raise Faulty.one("wrong-type", said, goal.sentence.span)
    return sum((value * chance for (value,), chance in found.items()), Fraction(0))


def _meets(goal: Goal, figure: Fraction | None) -> bool:
    return figure is not None and goal.bounds.hold(figure)


def _moved(asked: _Asked, values: Values, elsewhere: Bounds, watch: Watch) -> Moved:
    """The largest move of any fight that no goal is about. What has moved too far in another setting is looked at
    first, since it mostly does so in this one as well."""
    rules = asked.rules
    touching = touch(rule_changes(rules.below, rules.stack(values)))
    pair = Pair(rules.base, rules.bound(values), touching, MOST_WORK)
    out, by_one, too_large = Moved(), list[str](), list[str]()
    for number, one in enumerate(sorted(asked.others, key=lambda one: -asked.too_far.get(one.name, 0))):
        key = digest(one.scene)
        found = compared(pair, one.scene, asked.came.get(key))
        if found.base is not None:
            asked.came[key] = found.base
        if found.found.fate == UNKNOWN or found.found.message == ONLY_TOGETHER:
            too_large.append(one.name)
        elif found.found.fate == ONE_SIDED:
            by_one.append(one.name)
        elif found.found.fate == DIFFERS and found.found.shifts:
            most = max(found.found.shifts, key=lambda shift: abs(shift.by))
            if abs(most.by) > out.by:
                out = Moved(abs(most.by), one.name, most)
        if by_one or not elsewhere.hold(out.by):
            asked.too_far[one.name] = asked.too_far.get(one.name, 0) + 1
            return replace(out, by_one=tuple(by_one), at_least=True)
        watch(f"{number + 1:,} of {len(asked.others):,} other fights")
    return replace(out, too_large=tuple(too_large))


def _staying(
    asked: _Asked, tried: dict[Values, Tried], settings: Sequence[Values], elsewhere: Bounds, watch: Watch
) -> list[Values]:
    """The settings in which nothing else moves too far, and all that could be played can. What is too large is told and
    not judged."""
    left = []
    for number, values in enumerate(settings):
        moved = tried[values].moved
        if moved is None:
            moved = _moved(
                asked, values, elsewhere, partial(_far, watch, f"setting {number + 1:,} of {len(settings):,}: ")
            )
            tried[values] = replace(tried[values], moved=moved)
        if elsewhere.hold(moved.by) and not moved.by_one:
            left.append(values)
    return left


def _far(watch: Watch, before: str, at: str) -> None:
    watch(before + at)


def _contradicting(meeting: Sequence[set[Values]], settings: Sequence[Values]) -> tuple[int, ...]:
    """The fewest goals that no setting reaches together; none if some setting reaches all."""
    if any(all(one in those for those in meeting) for one in settings):
        return ()
    for number in range(1, len(meeting) + 1):
        for some in combinations(range(len(meeting)), number):
            if not any(all(one in meeting[at] for at in some) for one in settings):
                return some
    return ()
