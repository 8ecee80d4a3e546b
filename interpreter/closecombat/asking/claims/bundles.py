"""A situation and all that is told of it beside what it says: every step of everybody in every one of these, from a few
runs.

The fact that is stepped, and facts that are read near it, are thrown before the fight (`settings`): one run says what
comes of each way to tell them, and a pair is two of these ways that differ by the step. What cannot be told so is left
to whoever looks at situations one by one: a fact that shapes who is there, and a value with which the fight cannot be
played at all, which would make one run of many impossible (`Space.apart`).

A pair that breaks a claim is put together as a situation and worked out by itself before it is told.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import partial
from itertools import combinations, product
from math import prod

from closecombat.asking.claims.near import lowest
from closecombat.asking.claims.skeletons import Setting, node_at, place_of, put, scene_of, with_settings
from closecombat.asking.claims.stepping import (
    MOST_WORK,
    Chances,
    Situation,
    Step,
    crossed,
    has_a_twin,
    likely_amounts,
    step_of,
    stepped,
    steps_in,
)
from closecombat.asking.exact.answers import TOO_MUCH
from closecombat.asking.exact.settings import Asked, Found, by_itself, of_one_run
from closecombat.asking.examples.mutants import Path
from closecombat.asking.fights.fight_files import staged
from closecombat.asking.keeping.came_to import said
from closecombat.binding.charts import Bound
from closecombat.playing.fight import Fight, begin, distribution
from closecombat.playing.run import Run
from closecombat.playing.unknowns import Given, Reading, Shapes, Unknown, settled, unsettled
from closecombat.playing.unknowns import Setting as Thrown
from closecombat.proving.values.budget import SECOND
from closecombat.proving.values.symbolic import Value
from closecombat.reading.model import Property
from closecombat.reading.properties import NO
from closecombat.reading.types import Flag, Number, Thing
from closecombat.text.faults import Bug, Faulty
from closecombat.text.nodes import Mapping as MappingNode
from closecombat.text.nodes import Node, flow
from closecombat.text.slotted import dataclass

MOST_STEPS = 12  # from how a situation is
MOST_WAYS = 256  # to tell a situation, that are thrown at once
FEWER = 8  # times fewer, where so many are too much
OF_A_PAIR = SECOND // 20  # of work, where it is not counted
LEAST = SECOND // 100  # of work that is taken for one, however little it is
AS_LONG_AS = 6  # situations by themselves, at most, all of them at once may take


@dataclass(slots=True)
class Space:
    """What a situation could say more: each place with its values. `together` are the groups of places that were thrown
    at once, in no more than so many `ways`; `apart` the values that cannot be thrown."""

    document: MappingNode
    values: Mapping[Path, tuple[str, ...]]
    together: list[frozenset[Path]] = field(default_factory=list)
    apart: dict[Setting, None] = field(default_factory=dict)
    ways: int = MOST_WAYS

    def thrown(self) -> dict[Path, tuple[str, ...]]:
        """The places with what of their values can be thrown."""
        left = {
            path: tuple(one for one in those if (path, one) not in self.apart) for path, those in self.values.items()
        }
        return {path: those for path, those in left.items() if those}

    def can_be_thrown(self, places: Sequence[Path]) -> bool:
        thrown = self.thrown()
        return all(path in thrown for path in places)

    def is_too_much(self, places: Sequence[Path]) -> None:
        """A group takes too long: fewer are thrown at once, and in the end none."""
        self.together.remove(frozenset(places))
        self.ways //= FEWER
        if not self.ways:
            self.apart |= dict.fromkeys((path, value) for path, those in self.values.items() for value in those)
            self.together.append(frozenset())

    def is_looked_at(self, places: Sequence[Path]) -> bool:
        return any(group.issuperset(places) for group in self.together)

    def groups(self, number: int) -> Iterator[tuple[Path, ...]]:
        """Groups of places so that any so many of them are thrown together once, the nearest first. With none the first
        group, so that no run is for one situation alone."""
        for some in combinations(self.thrown(), number) if number else ((),):
            while not self.is_looked_at(some) and self.can_be_thrown(some):
                group = self._filled(some)
                self.together.append(frozenset(group))
                yield group

    def _filled(self, some: tuple[Path, ...]) -> tuple[Path, ...]:
        """Some places, and more beside them while there is room: first those that have not been beside the first."""
        thrown, group = self.thrown(), list(some)
        ways = prod(len(thrown[path]) + 1 for path in some)
        rest = [path for path in thrown if path not in group]
        if some:
            rest.sort(key=lambda path: self.is_looked_at((some[0], path)))
        for path in rest:
            if ways * (len(thrown[path]) + 1) <= self.ways:
                group.append(path)
                ways *= len(thrown[path]) + 1
        return tuple(group)

    def one_by_one(self, number: int) -> Iterator[MappingNode]:
        """The situations that say so many things more of which one cannot be thrown."""
        every = [(path, value) for path, those in self.values.items() for value in those]
        for some in combinations(every, number) if self.apart else ():
            if any(one in self.apart for one in some) and len({path for path, _ in some}) == number:
                yield with_settings(self.document, some)


@dataclass(frozen=True, slots=True)
class Held:
    """So many pairs that were held against each other, and so many that could not be worked out, and because of what;
    one of them that breaks the claim, if any does; the work that it took, about; and in how many what is compared is
    not the same."""

    pairs: int
    not_played: int = 0
    broken: Step | None = None
    work: int = OF_A_PAIR
    because: str = ""
    differ: int = 0

    @property
    def counts(self) -> bool:
        """Whether there was anybody to be stepped."""
        return bool(self.pairs or self.not_played)


def held_alone(bound: Bound, document: MappingNode, claim: Property, most_work: int = MOST_WORK) -> Iterator[Held]:
    """The steps in a situation as it is."""
    spent: list[int] = []
    for step in steps_in(bound, document, claim, spent.append, most_work):
        work = max(sum(spent), LEAST)
        spent.clear()
        if isinstance(step, Faulty):
            yield Held(0, 1, None, work, said(step))
        else:
            yield Held(1, 0, step if step.tail is not None else None, work, differ=step.differs)


def held_together(bound: Bound, space: Space, places: Sequence[Path], claim: Property) -> Iterator[Held]:
    """The steps of each in a situation, however the facts at some places are told beside it. What cannot be thrown is
    found, and left for others."""
    try:
        before = Situation(bound, space.document, claim)
    except Faulty as error:
        yield Held(0, 1, because=said(error))
        return
    told: set[str] = set()
    found = list[Held]()
    for name in before.those:
        ways = None if has_a_twin(before, name, told) else _ways(before, name, space)
        lost = 0
        while ways is not None and ways.edges:
            held = _held(ways, space, places)
            if isinstance(held, Held):
                found.append(replace(held, work=held.work + lost))
                break
            lost += held.work
            if held.too_much and places:
                space.is_too_much(places)
                yield Held(0, work=lost + sum(one.work for one in found))
                return
        if found and found[-1].broken is not None:
            break
    yield from found


# ---- one thing ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Ways:
    """All that the stepped facts of somebody may be: of each what is said in their places, the first being how it is;
    and of which two the second is a step on."""

    situation: Situation
    name: str
    said: tuple[Mapping[Path, str], ...]
    edges: tuple[tuple[int, int], ...]


def _ways(situation: Situation, name: str, space: Space) -> _Ways:
    """Those that can be reached by steps from the situation, or from any value of a fact that alone is stepped, as the
    space has them."""
    thing, claim = situation.those[name], situation.claim
    place = place_of(situation.bound, situation.document, thing)
    if place is None:
        return _Ways(situation, name, ({},), ())
    there = [(*place, one.fact.name) for one in claim.steps]
    known: dict[str, tuple[int, MappingNode]] = {}
    edges: dict[tuple[int, int], None] = {}

    def number(document: MappingNode) -> int:
        return known.setdefault(flow(document), (len(known), document))[0]

    number(situation.document)
    values = _values(situation, thing, space.values.get(there[0], ())) if len(there) == 1 else ()
    begun = [(situation.document, MOST_STEPS)]
    begun += [(put(situation.document, there[0], value), steps) for value, steps in values]
    for document, steps in begun:
        for _ in range(steps):
            try:
                here = Situation(situation.bound, document, claim)
                more = stepped(here, here.those[name])
            except Faulty:
                break
            if more is None or (edge := (number(document), number(more))) in edges:
                break
            edges[edge] = None
            document = more
    said = tuple(
        {path: flow(node) for path in there if (node := node_at(one, path)) is not None} for _, one in known.values()
    )
    return _Ways(situation, name, said, tuple(edges))


def _values(situation: Situation, thing: Thing, told: Sequence[str]) -> Iterator[tuple[str, int]]:
    """What a fact that alone is stepped may be, beside what it is, and how many steps are gone from there: one from a
    number that rows name, across which they turn."""
    step = situation.claim.steps[0]
    type = situation.bound.ruleset.kinds[thing.kind].facts[step.fact.name].type
    if isinstance(type, Flag):
        yield ("yes" if step.how == NO else "no"), MOST_STEPS
        return
    low = {str(value) for value in lowest(type)} if isinstance(type, Number) else told
    yield from ((value, MOST_STEPS if value in low else 1) for value in told)


@dataclass(frozen=True, slots=True)
class _NotTogether:
    """All at once are `too_much`, or a value is now known that cannot be thrown with others; and what that took."""

    work: int
    too_much: bool = False


def _held(ways: _Ways, space: Space, places: Sequence[Path]) -> Held | _NotTogether:
    """What all pairs of one thing come to, if they can be had at once."""
    situation, name, claim = ways.situation, ways.name, ways.situation.claim
    thrown, mine = space.thrown(), {path for said in ways.said for path in said}
    facts = {path: thrown[path] for path in places if path in thrown and path not in mine}
    fight = staged(scene_of(situation.document), situation.bound)
    unknowns = (
        Unknown(Given(name, partial(_told, ways.said)), tuple(range(len(ways.said)))),
        *(_unknown(situation, path, values) for path, values in facts.items()),
    )
    concerned = _concerned(fight, unknowns, claim, name)
    if not concerned:
        return Held(0)
    asked = Asked(fight, unknowns, partial(_asked, claim, name), most_work=MOST_WORK)
    found = of_one_run(asked, AS_LONG_AS)
    if isinstance(found, int) and found:
        path = list(facts)[found - 1]
        space.apart |= dict.fromkeys((path, value) for value in facts[path])
        return _NotTogether(max(asked.total.spent, LEAST))
    if isinstance(found, Faulty) and found.codes <= TOO_MUCH and facts:
        return _NotTogether(max(asked.total.spent, LEAST), True)
    if not isinstance(found, dict) and facts:
        alone, first = by_itself(asked), tuple(one.values[0] for one in unknowns)
        if isinstance(error := alone(first), Faulty):
            return Held(0, 1, None, max(asked.total.spent, LEAST), said(error))
        blamed = [
            (path, value)
            for at, (path, values) in enumerate(facts.items(), 1)
            for value, held in zip(values, unknowns[at].values[1:], strict=True)
            if isinstance(alone((*first[:at], held, *first[at + 1 :])), Faulty)
        ]
        space.apart |= dict.fromkeys(blamed or ((path, value) for path, values in facts.items() for value in values))
        return _NotTogether(max(asked.total.spent, LEAST))
    if not isinstance(found, dict):
        known = by_itself(asked)
        found = {(at,): known((at,)) for at in range(len(ways.said))}
    return replace(_compared(ways, facts, unknowns, found, concerned), work=max(asked.total.spent, LEAST))


def _unknown(situation: Situation, path: Path, values: tuple[str, ...]) -> Unknown:
    if path[0] == "options":
        default = situation.bound.ruleset.options[str(path[1])].default
        return Unknown(Reading(str(path[1])), (default, *values))
    said = ({}, *({path: value} for value in values))
    return Unknown(Given(".".join(map(str, path)), partial(_told, said)), tuple(range(len(said))))


def _told(said: Sequence[Mapping[Path, str]], situation: Node, at: Value) -> Node:
    for path, value in said[at].items():
        if isinstance(situation, MappingNode):
            situation = put(situation, path[1:], value)
    return situation


def _asked(claim: Property, name: str, run: Run) -> list[Value]:
    return [run.table(claim.value, (run.state.things[name],))]


def _concerned(fight: Fight, unknowns: tuple[Unknown, ...], claim: Property, name: str) -> Collection[Thrown]:
    """Where the claim is about somebody."""
    every = list(product(*(one.values for one in unknowns)))
    if not claim.case:
        return every
    try:
        begun = unsettled(fight, unknowns)
        meant = begun.run.table(claim.case, (begun.run.state.things[name],))
        found = distribution(begun.run, [*begun.variables, meant])
    except (Shapes, Faulty):
        return {setting for setting in every if _is_concerned(settled(fight, unknowns, setting), claim, name)}
    means = [dict(zip(holds, one.values, strict=True)) for holds, one in zip(begun.holds, unknowns, strict=True)]
    return {
        tuple(mean[held] for mean, held in zip(means, row, strict=False)) for row in found if row[len(means)] is True
    }


def _is_concerned(fight: Fight, claim: Property, name: str) -> bool:
    try:
        run = begin(fight, None)
        return run.table(claim.case, (run.state.things[name],)) is True
    except Faulty:
        return False


def _compared(
    ways: _Ways,
    facts: Mapping[Path, tuple[str, ...]],
    unknowns: Sequence[Unknown],
    found: Mapping[Thrown, Found],
    concerned: Collection[Thrown],
) -> Held:
    """Every pair, those first that say the fewest things more."""
    claim, beside = ways.situation.claim, [range(len(one.values)) for one in unknowns[1:]]
    pairs = not_played = differ = 0
    because = ""
    for those in sorted(product(*beside), key=lambda each: sum(map(bool, each))):
        rest = tuple(one.values[at] for one, at in zip(unknowns[1:], those, strict=True))
        for edge in ways.edges:
            before, after = ((at, *rest) for at in edge)
            if before not in concerned or after not in concerned:
                continue
            one, other = _amounts(found[before], claim), _amounts(found[after], claim)
            if isinstance(one, Faulty) or isinstance(other, Faulty):
                not_played += 1
                because = because or next(said(each) for each in (one, other) if isinstance(each, Faulty))
                continue
            pairs, differ = pairs + 1, differ + (one != other)
            if crossed(one, other, claim.more) is not None:
                broken = _by_itself(ways, facts, those, edge[0])
                return Held(pairs, not_played, broken, because=because, differ=differ)
    return Held(pairs, not_played, because=because, differ=differ)


def _amounts(found: Found, claim: Property) -> Chances | Faulty:
    try:
        return found if isinstance(found, Faulty) else likely_amounts(found, claim)
    except Faulty as error:
        return error


def _by_itself(ways: _Ways, facts: Mapping[Path, tuple[str, ...]], those: Sequence[int], at: int) -> Step:
    """A pair that breaks the claim, put together as situations: it must do so there as well."""
    document = with_settings(ways.situation.document, ways.said[at].items())
    more = [(path, values[at - 1]) for (path, values), at in zip(facts.items(), those, strict=True) if at]
    step = step_of(Situation(ways.situation.bound, with_settings(document, more), ways.situation.claim), ways.name)
    if step is None or step.tail is None:
        raise Bug(f"`{ways.situation.claim.name}` is broken among others, and not by itself")
    return step
