"""Which claims of a ruleset (`properties:`) a change breaks or mends, each with a pair of situations that shows it.

A pair that comes to nothing that is changed says the same by both rulesets. So the pairs are steps in fights that are
known to differ, the smallest first: one that breaks a claim by the one ruleset is told if the claim holds for it by the
other, and no pair is found that breaks it there, also in the fights that are the same. The search is short, since it
stands beside a `diff`; how much was looked at, and whether that was all, is part of the answer. How claims are looked
for at length is `properties`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field

from closecombat.asking.claims.stepping import Situation, Step, step_of, steps_in
from closecombat.binding.charts import Bound
from closecombat.checking.claims import check_properties
from closecombat.proving.values.budget import SECOND
from closecombat.reading.model import Property
from closecombat.reading.stack import as_mapping
from closecombat.text.document import parse
from closecombat.text.faults import Faults, Faulty
from closecombat.text.nodes import Mapping, flow
from closecombat.text.slotted import dataclass
from closecombat.text.source import Source

BREAKS, MENDS = "breaks", "mends"
BASE, OTHER = 0, 1
MOST_PAIRS = 60  # that are held against the claims, unasked
OF_A_PAIR = SECOND // 40  # of work, on average: where they take longer, there are fewer
FURTHER = 20  # times as many, if it may take long


@dataclass(frozen=True, slots=True)
class Turned:
    """A claim that holds for a pair by one of the two rulesets and not by the other, which is the one of `found`."""

    claim: Property
    how: str
    found: Step


@dataclass(frozen=True, slots=True)
class Claims:
    """What becomes of the claims that both make: so many `claims`, held against so many `pairs`; `complete` if these
    were all steps in all fights that differ."""

    turned: tuple[Turned, ...] = ()
    claims: int = 0
    pairs: int = 0
    complete: bool = True


def turned_claims(
    base: Bound, other: Bound, differing: Sequence[Mapping], rest: Sequence[Mapping], most_pairs: int
) -> Claims:
    """The claims that the second ruleset breaks or mends, in the order in which it makes them; `differing` are fights
    that differ, the `rest` are the same by both."""
    names = _made_by_both(base, other)
    search = _Search((base, other), most_pairs, most_pairs * OF_A_PAIR)
    for document in differing:
        for name in names:
            search.looks_at(document, name, OTHER)
            if base.ruleset.properties[name].fails:  # who does not say so says that it holds
                search.looks_at(document, name, BASE)
    search.left, search.work = search.left + most_pairs, search.work + most_pairs * OF_A_PAIR
    for name in names:
        sides = [side for side in (BASE, OTHER) if (name, side) in search.broken]
        is_open = len(sides) == 1 and base.ruleset.properties[name].fails
        for document in rest if is_open else ():  # what breaks it in a fight that is the same breaks it by both
            search.looks_at(document, name, BASE + OTHER - sides[0])
    return Claims(tuple(search.turned(names)), len(names), search.pairs, search.complete)


@dataclass(slots=True)
class _Search:
    """What has been looked at, and the first pair that breaks a claim by one of two rulesets."""

    both: tuple[Bound, Bound]
    left: int
    work: int  # that is left
    pairs: int = 0
    complete: bool = True
    broken: dict[tuple[str, int], Step] = field(default_factory=dict)

    def looks_at(self, document: Mapping, name: str, side: int) -> None:
        """All steps in a situation, unless a pair is known."""
        if (name, side) in self.broken:
            return
        if self.left <= 0 or self.work <= 0:
            self.complete = False
            return
        bound = self.both[side]
        for step in steps_in(bound, document, bound.ruleset.properties[name], self.spends):
            self.pairs, self.left = self.pairs + 1, self.left - 1
            if isinstance(step, Step) and step.tail is not None:
                self.broken[name, side] = step
                return
            if self.work <= 0:
                self.complete = False
                return

    def spends(self, work: int) -> None:
        self.work -= work

    def turned(self, names: Iterable[str]) -> Iterator[Turned]:
        for name in names:
            for how, side in ((BREAKS, OTHER), (MENDS, BASE)):
                one, against = self.broken.get((name, side)), BASE + OTHER - side
                if one is not None and (name, against) not in self.broken and _holds(self.both[against], one, name):
                    yield Turned(self.both[side].ruleset.properties[name], how, one)


def _made_by_both(base: Bound, other: Bound) -> list[str]:
    """Claims that can be looked at by both."""
    faults = Faults()
    for bound in (base, other):
        check_properties(bound, faults)
    try:
        faults.raise_if_any()
    except Faulty:
        return []
    return [name for name in other.ruleset.properties if name in base.ruleset.properties]


def _holds(bound: Bound, step: Step, name: str) -> bool:
    """Whether somebody can be stepped so by a ruleset too, and the claim holds for it there."""
    try:
        same = step_of(Situation(bound, step.before, bound.ruleset.properties[name]), step.who)
    except Faulty:
        return False
    return same is not None and same.tail is None and flow(same.after) == flow(step.after)


# ---- kept -------------------------------------------------------------------------------------------------


def written(claims: Claims) -> list[object]:
    """What is to be kept of it: the pairs themselves, whose chances are soon worked out again."""
    turned = [[one.claim.name, one.how, flow(one.found.before), one.found.who] for one in claims.turned]
    return [turned, claims.claims, claims.pairs, claims.complete]


def read(kept: Sequence[object], base: Bound, other: Bound) -> Claims | None:
    """The same as it was; nothing if it is no more so, or was never written."""
    try:
        listed, claims, pairs, complete = kept
        turned = tuple(_read(*one, base, other) for one in _lists(listed))
        return Claims(turned, int(str(claims)), int(str(pairs)), complete is True)
    except (Faulty, KeyError, TypeError, ValueError):
        return None


def _lists(listed: object) -> Iterator[tuple[str, str, str, str]]:
    if not isinstance(listed, list):
        raise TypeError
    yield from listed


def _read(name: str, how: str, text: str, who: str, base: Bound, other: Bound) -> Turned:
    bound = other if how == BREAKS else base
    claim = bound.ruleset.properties[name]
    step = step_of(Situation(bound, as_mapping(parse(Source("<kept>", text))), claim), who)
    if step is None or step.tail is None:
        raise ValueError(name)
    return Turned(claim, how, step)
