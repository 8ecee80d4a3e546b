"""Whether what a ruleset claims of itself holds: looked for is a situation in which a step does what it never should.

Situations come from two sides, in turn: from below, bare ones made of the ruleset's own fights, then those that say one
thing more (a fact that is read near the stepped one, another counter, another unit), then two; and the fights
themselves, first those that exercise a clause which the claim rests on, then the smallest. Where the step does nothing
in any of them, it is looked at further in fights that are about what is stepped, or that read it. In each, everybody
who can be a step on is, and the chances of both are held against each other, tail by tail (`stepping`). A pair that
breaks a claim is taken apart until nothing more can be left out. A search that finds nothing proves nothing: how much
was looked at, and what ended it, is part of the answer.

What a fight answers is kept on both sides of a step; what it leaves open the ruleset answers, anew on each side.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import field, replace
from functools import lru_cache, partial
from itertools import count
from operator import add
from typing import NamedTuple, TypeAlias, TypeVar

from closecombat.asking.claims.bundles import MOST_WAYS, Held, Space, held_alone, held_together
from closecombat.asking.claims.near import WORD, Marks, lowest, nearest
from closecombat.asking.claims.skeletons import (
    bare_ones,
    counters_apart,
    node_at,
    place_of,
    scene_of,
    settings_of,
    size,
    taken_apart,
    things_of,
    with_settings,
)
from closecombat.asking.claims.stepping import MOST_WORK, Situation, Step, step_of
from closecombat.asking.crews.batches import Crew, carried_out
from closecombat.asking.examples.fights_of import Known, alone, fights_of
from closecombat.asking.examples.mutants import Path, changed
from closecombat.asking.fights.fight_files import staged
from closecombat.asking.printed.shows import Line, effective
from closecombat.binding.charts import Bound
from closecombat.binding.load import altered, load
from closecombat.checking.claims import check_properties
from closecombat.playing.fight import begin, go
from closecombat.proving.throws.dice import SeededDice
from closecombat.proving.values.budget import SECOND, SECONDS_IN_ALL, UNASKED
from closecombat.reading.fields import list_of
from closecombat.reading.model import Property, Ruleset, name_of_stack
from closecombat.reading.slots import FactOf, PerWord
from closecombat.reading.stack import Stack, load_stack
from closecombat.reading.types import Number, Thing, Word
from closecombat.text.faults import Faults, Faulty
from closecombat.text.nodes import Mapping as MappingNode
from closecombat.text.nodes import Node, Text, flow
from closecombat.text.slotted import dataclass

HOLDS, FAILS, KNOWN, MENDED, UNTRIED = "holds", "fails", "known", "mended", "untried"
MOST_LOOKS = 20  # at the steps of somebody, in one situation and with all that is thrown beside it, unasked
MANY = 10  # claims, of which so many looks are enough for each
IDLE = 50  # situations in which nobody can be stepped are as good as a look
FIGHTS = 3  # that are looked at for each situation from below, which takes as long with what is thrown beside it
LONGER, FURTHER = 4, 30  # times as many for a claim that says that it fails: that it does not is a strong word
FEWEST_WAYS = 16  # to tell the facts beside a step that has many
MOST_FACTS = 3  # things more than a bare situation says
MOST_ROWS = 12  # that are left out, one after the other, to see whether one of them decides
MOST_APART = 150  # smaller situations that are tried once a pair is found
CHARTS = ("tables", "outcomes", "sequences")  # whose rows do something

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Looked:
    """What has come of a claim. `pairs` were held against each other, in `differ` of which what is compared is not the
    same; `not_played` could not be worked out, the first of them `because`; `whole` is the number of things more than a
    bare situation up to which all were looked at, -1 for none; `fights` how many of the ruleset's own were looked at,
    `of` how many; `at_the_end` if there was nothing more to look at. `rows` are those without which the claim would
    hold for the pair."""

    claim: Property
    fate: str
    found: Step | None = None
    rows: tuple[Line, ...] = ()
    pairs: int = 0
    differ: int = 0
    not_played: int = 0
    because: str = ""
    whole: int = -1
    fights: int = 0
    of: int = 0
    at_the_end: bool = False


def looked_at(
    stack: str, names: Sequence[str], most: Most, crew: Crew, watch: Callable[[int, int], None]
) -> tuple[Ruleset, list[Looked]]:
    """What comes of the claims of a ruleset, or of those that are named, in their order; interrupted, of those looked
    at until then. Raises Faulty where one cannot be looked at."""
    _rules_here.cache_clear()  # the files may be others by now
    bound = _rules_here(stack).bound
    claims = bound.ruleset.properties
    if unknown := next((name for name in names if name not in claims), None):
        from closecombat.text.faults import suggest

        message = f"`{bound.ruleset.name}` claims no `{unknown}`"
        help = suggest(unknown, claims) or "it claims " + (", ".join(claims) or "nothing")
        raise Faulty.one("unknown-name", message, None, help=help)
    wanted = [name for name in claims if name in names or not names]
    work = partial(_some, stack, _for_each(most, [claims[name] for name in wanted]))
    found: dict[str, Looked] = {}
    try:
        for batch, some in carried_out(crew, work, iter(wanted)):
            for name, one in zip(batch, some or [Looked(claims[name], UNTRIED) for name in batch], strict=True):
                found[name] = one
            watch(len(found), len(wanted))
    except KeyboardInterrupt:
        if not found:
            raise
    return bound.ruleset, [found[name] for name in wanted if name in found]


@dataclass(frozen=True, slots=True)
class Most:
    """How often somebody's steps are looked at for a claim, and what work that may take, if anything bounds it."""

    looks: int = MOST_LOOKS
    work: int | None = SECOND


def in_all(seconds: int | None, yes: bool) -> Most:
    """What all claims together may take; they are looked at as much further as they may take longer."""
    looks = max(MOST_LOOKS * (seconds or SECONDS_IN_ALL) // SECONDS_IN_ALL, 1)
    return Most(looks, None if yes else (seconds or SECONDS_IN_ALL) * SECOND)


def _for_each(most: Most, claims: Sequence[Property]) -> Most:
    """The same for each of some claims, by itself: what one comes to hangs on no other, nor on who is done first. Of a
    few each is looked at further."""
    looks = most.looks * max(MANY // max(len(claims), 1), 1)
    if most.work is None:
        return replace(most, looks=looks)
    work = most.work // max(sum(LONGER if claim.fails else 1 for claim in claims), 1)
    return Most(looks, work)


@dataclass(frozen=True, slots=True)
class Rules:
    """A ruleset, its fights, the smallest first, and what is left of them where all is left out."""

    bound: Bound
    whole: Stack
    known: tuple[Known, ...]
    bare: tuple[MappingNode, ...]


def rules_of(stack: str) -> Rules:
    """What claims are held against. Raises Faulty where one of them cannot be looked at."""
    bound, whole = load(stack), load_stack(stack)
    faults = Faults()
    check_properties(bound, faults)
    for claim in bound.ruleset.properties.values():
        for table in (claim.value, claim.case):
            if table:
                faults.attempt(bound.table, table)
    faults.raise_if_any()
    known = fights_of(whole, bound.ruleset.name, (name_of_stack(bound.ruleset),))
    known = tuple(sorted(known, key=lambda one: size(one.scene.document.get("situation"))))
    return Rules(bound, whole, known, tuple(bare_ones(bound, known)))


@lru_cache(maxsize=1)
def _rules_here(stack: str) -> Rules:
    """The same in each process that looks at some: a copy of this one has it, one that was begun afresh reads it."""
    return rules_of(stack)


def _some(stack: str, most: Most, batch: tuple[str, ...]) -> list[Looked]:
    rules = _rules_here(stack)
    return [look(rules, rules.bound.ruleset.properties[name], most) for name in batch]


# ---- looking --------------------------------------------------------------------------------------------------


def look(rules: Rules, claim: Property, most: Most) -> Looked:
    """What comes of one claim, within a bound; of one that says that it fails, within a wider one."""
    bound, known = rules.bound, rules.known
    lines = effective(rules.whole)
    below = _from_below(rules, claim, nearest(bound.ruleset, lines, {step.fact.name for step in claim.steps}))
    fights = sorted(known, key=lambda one: not _exercises(one, claim.where.cites))
    most_looks = most.looks * (FURTHER if claim.fails else 1)
    most_work = None if most.work is None else most.work * (LONGER if claim.fails else 1)
    seen = _Seen()
    level, begun, at_the_end = -1, -1, True
    whole = ((None, one) for one in fights)
    for number, those in _in_turn(below, *(whole for _ in range(FIGHTS))):
        if seen.is_enough(most_looks, most_work):
            at_the_end = False
            break
        if number is not None and number > begun:
            level, begun = begun, number
        match those:
            case Known():
                seen.fight(bound, those, claim, _of_his_own(most_work, seen.work))
            case MappingNode():
                seen.below(held_alone(bound, those, claim))
            case _:
                seen.below(held_together(*those, claim))
        if seen.broken is not None:
            break
    if seen.broken is None and not seen.in_all.differ:
        most_looks = seen.looks + LONGER * most_looks
        most_work = None if most_work is None else seen.work + LONGER * most_work
        for one in _where_it_may_count(rules, claim, lines):
            if seen.is_enough(most_looks, most_work) or seen.broken is not None:
                break
            if one.name not in seen.fights:
                seen.fight(bound, one, claim, _of_his_own(most_work, seen.work))
    fate = MENDED if claim.fails else HOLDS
    out = Looked(claim, fate, because=seen.because, fights=len(seen.fights), of=len(known), **seen.in_all._asdict())
    if seen.broken is None:
        fate = fate if out.pairs else UNTRIED
        return replace(out, fate=fate, whole=begun if at_the_end else level, at_the_end=at_the_end)
    least = _smallest(bound, claim, seen.broken)
    rows = tuple(_deciding(rules, claim, least))
    return replace(out, fate=KNOWN if claim.fails else FAILS, found=least, rows=rows, whole=level)


@dataclass(slots=True)
class _Seen:
    """What has been looked at for a claim so far: `counts` holds what came of each fight of the ruleset, the last time
    that it was looked at, and under no name what came of situations from below."""

    counts: dict[str, _Counts] = field(default_factory=dict)
    looks: int = 0
    idle: int = 0  # in which there was nobody to be stepped
    work: int = 0
    because: str = ""
    broken: Step | None = None

    @property
    def in_all(self) -> _Counts:
        return _Counts(*map(sum, zip(*self.counts.values(), strict=True))) if self.counts else _Counts()

    @property
    def fights(self) -> set[str]:
        """Those that were looked at wholly."""
        return {name for name, counts in self.counts.items() if name and not counts.not_played}

    def is_enough(self, looks: int, work: int | None) -> bool:
        return self.looks + self.idle // IDLE >= looks or (work is not None and self.work > work)

    def fight(self, bound: Bound, one: Known, claim: Property, most_work: int) -> None:
        self.counts[one.name] = self._took(held_alone(bound, alone(one.scene.document), claim, most_work))

    def below(self, found: Iterable[Held]) -> None:
        before = self.counts.get("", _Counts())
        self.counts[""] = _Counts(*map(add, before, self._took(found)))

    def _took(self, found: Iterable[Held]) -> _Counts:
        counts, has_come = _Counts(), False
        for held in found:
            counts = _Counts(*map(add, counts, (held.pairs, held.differ, held.not_played)))
            self.looks, self.work, has_come = self.looks + held.counts, self.work + held.work, has_come or held.counts
            self.because, self.broken = self.because or held.because, held.broken
            if held.broken is not None:
                break
        self.idle += not has_come
        return counts


class _Counts(NamedTuple):
    """Pairs that were held against each other, in how many what is compared differs, and how many were not played."""

    pairs: int = 0
    differ: int = 0
    not_played: int = 0


def _of_his_own(most_work: int | None, spent: int) -> int:
    """What a fight of the ruleset may take: a quarter of what is left for a claim."""
    return UNASKED if most_work is None else max(MOST_WORK, (most_work - spent) // 4)


def _where_it_may_count(rules: Rules, claim: Property, lines: Sequence[Line]) -> Iterator[Known]:
    """The fights in which a step may well do something, each once: those that exercise a clause of a row that names
    what is stepped, then those in which it is read, as dice from a seed show."""
    stepped = {step.fact.name for step in claim.steps}
    naming = [line for line in lines if line.row and line.section in CHARTS and stepped & set(WORD.findall(line.text))]
    cited = [line.node.get("cites") for line in naming if isinstance(line.node, MappingNode)]
    cites = {item.value for node in cited if node for item in list_of(node) if isinstance(item, Text)}
    first = [one for one in rules.known if _exercises(one, cites)]
    yield from first
    for one in rules.known:
        if one not in first and stepped & _read_in(rules.bound, one, claim):
            yield one


def _read_in(bound: Bound, one: Known, claim: Property) -> set[str]:
    """The facts that are read when a fight is played once, as far as it can be, and what is claimed is asked."""
    run = None
    with suppress(Faulty):
        run = begin(staged(scene_of(alone(one.scene.document)), bound), SeededDice(0))
        read = run.watch_what_is_read().read
        go(run)
        for thing in [each for each in run.state.things.values() if each.kind == claim.about.name]:
            run.table(claim.value, (thing,))
    return set() if run is None else {slot.fact for slot in read if isinstance(slot, FactOf | PerWord)}


def _exercises(one: Known, cites: Collection[str]) -> bool:
    """Whether an example says that it is about one of some clauses."""
    node = one.scene.document.get("exercises")
    return node is not None and any(isinstance(item, Text) and item.value in cites for item in list_of(node))


def _in_turn(*several: Iterable[T]) -> Iterator[T]:
    left = [iter(one) for one in several]
    while left:
        for one in tuple(left):
            try:
                yield next(one)
            except StopIteration:
                left.remove(one)


def _smallest(bound: Bound, claim: Property, found: Step) -> Step:
    """The pair taken apart: the same one is stepped, and the claim still does not hold."""
    tried = 0

    def breaks(document: MappingNode) -> Step | None:
        nonlocal tried
        tried += 1
        try:
            step = step_of(Situation(bound, document, claim), found.who) if tried <= MOST_APART else None
        except Faulty:
            return None
        return step if step is not None and step.tail is not None else None

    less = taken_apart(found.before, lambda document: breaks(document) is not None)
    tried = 0
    return breaks(less) or found


def _deciding(rules: Rules, claim: Property, found: Step) -> Iterator[Line]:
    """The rows without which the claim would hold for this pair. Looked at first are those that name what is stepped
    and counted on one side alone, then others that count only once it is stepped, then those that name it and count on
    both, of which one without which the step does nothing is only how it counts; last those that count no more."""
    bound = rules.bound
    before, after = (_met(bound, document, claim, found.who) for document in (found.before, found.after))
    lines = [line for line in effective(rules.whole) if line.row and line.section in CHARTS]
    named = {step.fact.name for step in claim.steps}
    tiers: tuple[list[Line], ...] = ([], [], [], [])
    for line in lines:
        at = line.span.source.name, line.span.start
        naming = bool(named & set(WORD.findall(line.text)))
        if at in before ^ after:
            tiers[0 if naming else 1 if at in after else 3].append(line)
        elif naming and at in before:
            tiers[2].append(line)
    left = MOST_ROWS
    for tier in tiers:
        found_here = False
        for line in tier[:left]:
            if _holds_without(rules, claim, found, line, tier is tiers[2]):
                found_here = True
                yield line
        left -= len(tier[:left])
        if found_here:
            return


def _holds_without(rules: Rules, claim: Property, found: Step, line: Line, must_count: bool) -> bool:
    path: Path = tuple(part for part in (line.section, line.chart, line.heading, line.row) if part)
    try:
        other = altered(_without(rules.whole.document, path), rules.bound.ruleset)
        step = step_of(Situation(other, found.before, claim), found.who)
    except Faulty:
        return False
    return step is not None and step.tail is None and (not must_count or step.differs)


def _without(document: MappingNode, path: Path) -> MappingNode:
    less = changed(document, path, None)
    return less if isinstance(less, MappingNode) else document


def _met(bound: Bound, document: MappingNode, claim: Property, who: str) -> set[tuple[str, int]]:
    situation = Situation(bound, document, claim)
    situation.chances(who)
    return {(origin.place.source.name, origin.place.start) for origin in situation.run.met.values()}


# ---- from below -----------------------------------------------------------------------------------------------


Below: TypeAlias = (
    MappingNode | tuple[Bound, Space, tuple[Path, ...]]
)  # a situation, or all that some facts make of one


def _from_below(rules: Rules, claim: Property, near: Marks) -> Iterator[tuple[int, Below]]:
    """Situations in order of size, each with how many things it says more than a bare one. What shapes a situation, a
    unit more or another counter, is said first; then what of facts is told beside that."""
    bound, told = rules.bound, set(map(flow, rules.bare))
    shapes = [[_space(bound, one, claim, near) for one in rules.bare]]
    for number in range(MOST_FACTS + 1):
        if number:
            new = ((more, one) for one in shapes[-1] for more in _shaped(bound, one.document))
            shapes.append([_space(bound, more, claim, near, one) for more, one in new if _is_new(flow(more), told)])
        for extra in range(number + 1):
            for space in shapes[extra]:
                yield from ((number, (bound, space, places)) for places in space.groups(number - extra))
                yield from ((number, one) for one in space.one_by_one(number - extra))


def _space(bound: Bound, document: MappingNode, claim: Property, near: Marks, like: Space | None = None) -> Space:
    """What a situation could say more. What could not be thrown in one that is almost the same is not tried again."""
    values = _facts(bound, document, claim, near)
    stepped = {step.fact.name for step in claim.steps}
    steps = max((len(those) for path, those in values.items() if path[-1] in stepped), default=1)
    space = Space(document, values, ways=max(MOST_WAYS // (steps + 1), FEWEST_WAYS))
    if like is not None:
        space.apart |= {one: None for one in like.apart if one[1] in values.get(one[0], ())}
        space.ways = like.ways
    return space


def _is_new(text: str, told: set[str]) -> bool:
    is_new = text not in told
    told.add(text)
    return is_new


def _facts(bound: Bound, document: MappingNode, claim: Property, near: Marks) -> dict[Path, tuple[str, ...]]:
    """All that could be told of facts: every value of what is stepped, and facts near it."""
    found: dict[Path, dict[str, None]] = {}
    stepped = {step.fact.name for step in claim.steps}
    for thing, path in _places(bound, document).items():
        for name in stepped if thing.kind == claim.about.name else ():
            type = bound.ruleset.kinds[thing.kind].facts[name].type
            if isinstance(type, Number):
                found[*path, name] = dict.fromkeys(map(str, (*lowest(type), *near[name])))
            elif isinstance(type, Word):
                found[*path, name] = dict.fromkeys(type.words)
    for place, value in settings_of(bound, document, near):
        found.setdefault(place, {})[value] = None
    there = ((path, node_at(document, path)) for path in found)
    is_said = {path: flow(node) for path, node in there if node is not None}
    found = {path: {value: None for value in those if value != is_said.get(path)} for path, those in found.items()}
    return {path: tuple(those) for path, those in found.items() if those}


def _places(bound: Bound, document: MappingNode) -> dict[Thing, Path]:
    """Where each of those who are there is described."""
    found = ((thing, place_of(bound, document, thing)) for thing in things_of(bound, document) or ())
    return {thing: path for thing, path in found if path is not None}


def _shaped(bound: Bound, document: MappingNode) -> Iterator[MappingNode]:
    """A situation with one thing that is another counter, or one thing more."""
    for thing, path in _places(bound, document).items():
        counter = node_at(document, (*path, "counter"))
        for name in counters_apart(bound.ruleset, thing.kind) if counter is not None else ():
            if counter is not None and name != flow(counter):
                yield with_settings(document, [((*path, "counter"), name)])
    yield from _grown(bound, document)


def _grown(bound: Bound, document: MappingNode) -> Iterator[MappingNode]:
    """A situation with one thing more: like the last of those that it stands beside."""
    places = [place_of(bound, document, thing) for thing in things_of(bound, document) or ()]
    names = {str(one[-1]) for one in places if one is not None}
    for path in {one[:-1]: one for one in places if one is not None and len(one) > 3}.values():
        node = node_at(document, path)
        number = next(at for at in count(2) if not any(f"{name}-{at}" in names for name in names))
        if node is not None:
            more = _renamed(node, names, f"-{number}")
            yield with_settings(document, [((*path[:-1], f"{path[-1]}-{number}"), flow(more))])


def _renamed(node: Node, names: Collection[str], ending: str) -> Node:
    """What is said of a thing, with other names for those that belong to it."""
    if not isinstance(node, MappingNode):
        return node
    entries = ((key, _renamed(value, names, ending)) for key, value in node.entries)
    return replace(
        node,
        entries=tuple((replace(k, value=k.value + ending) if k.value in names else k, value) for k, value in entries),
    )
