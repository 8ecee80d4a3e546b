"""One step of one thing in a situation, and what comes of it: two situations that differ in what a claim steps, the
chances of what it compares in each, and whether these are ordered.

Ordered means first-order dominance: of every amount, the chance of so much or more is no less in one of them than in
the other. An average may rise while a tail falls; then they are not ordered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from fractions import Fraction

from closecombat.asking.claims.skeletons import node_at, place_of, put, scene_of
from closecombat.asking.fights.fight_files import staged
from closecombat.binding.charts import Bound
from closecombat.playing.fight import begin, distribution, go
from closecombat.playing.run import Run
from closecombat.proving.values.budget import SECOND
from closecombat.proving.values.symbolic import Value
from closecombat.reading.model import Property, PropertyStep
from closecombat.reading.properties import BECOMES, LESS, MORE, NO, YES
from closecombat.reading.slots import FactOf, PerWord
from closecombat.reading.types import Exact, Number, Per, Thing, Word
from closecombat.text.faults import Faulty
from closecombat.text.nodes import Listing, Node, flow
from closecombat.text.nodes import Mapping as MappingNode
from closecombat.text.slotted import dataclass

MOST_STEPS = 1_000  # of the program of a situation
MOST_WORK = SECOND // 4  # of work for one situation
Chances = Mapping[Exact, Fraction]  # how likely each amount is; of what is so or not, 1 and 0; of a word, its step


@dataclass(frozen=True, slots=True)
class Tail:
    """The amount from which on two distributions are crossed most, and the chance of so much or more in each."""

    amount: Exact
    before: Fraction
    after: Fraction


def crossed(before: Chances, after: Chances, more: bool) -> Tail | None:
    """Where the second is more somewhere (`more`) or less, by the tail that shows it most; none where it nowhere is."""
    worst: Tail | None = None
    one = other = Fraction(0)
    for amount in sorted({*before, *after}, reverse=True):
        one, other = one + before.get(amount, 0), other + after.get(amount, 0)
        by = other - one if more else one - other
        if by > 0 and (worst is None or by > abs(worst.after - worst.before)):
            worst = Tail(amount, one, other)
    return worst


def mean(chances: Chances) -> Fraction:
    return sum((amount * chance for amount, chance in chances.items()), Fraction(0))


def _unheard(work: int) -> None:
    pass


class Situation:
    """A situation that is worked out once, for all of whom a claim may be made. Raises Faulty where it cannot be. What
    work it `spends` is told, of those that it is stepped to as well; each takes no more than `most_work`."""

    def __init__(
        self,
        bound: Bound,
        document: MappingNode,
        claim: Property,
        spends: Callable[[int], None] = _unheard,
        most_work: int = MOST_WORK,
    ) -> None:
        self.bound, self.document, self.claim, self.spends, self.most_work = bound, document, claim, spends, most_work
        self.run: Run = begin(staged(scene_of(document), bound), None)
        self.start = dict(self.run.start)
        self.those = {one.name: one for one in self.run.state.things.values() if one.kind == claim.about.name}
        self.concerned = {name for name, one in self.those.items() if self._is_meant(one)}
        self._is_over = False
        self._failed: Faulty | None = None

    def _is_meant(self, thing: Thing) -> bool:
        return not self.claim.case or self.run.table(self.claim.case, (thing,)) is True

    def chances(self, name: str) -> Chances:
        """How likely each amount is of what is compared of somebody."""
        if self._failed is not None:
            raise self._failed  # a run that has stopped on its way says nothing of anybody
        before = self.run.shop.budget.done
        try:
            return self._worked_out(name)
        finally:
            self.spends(self.run.shop.budget.done - before)

    def _worked_out(self, name: str) -> Chances:
        if not self._is_over:
            self.run.may_spend(self.most_work)
            self.run.give_up_after(MOST_STEPS * max(self.most_work // MOST_WORK, 1))
            self.run.will_be_asked(lambda run: [self._value(run, one) for one in sorted(self.concerned)])
            try:
                go(self.run)
            except Faulty as error:
                self._failed = error
                raise
            self._is_over = True
        return likely_amounts(distribution(self.run, [self._value(self.run, name)]), self.claim)

    def _value(self, run: Run, name: str) -> Value:
        return run.table(self.claim.value, (self.those[name],))


def likely_amounts(found: Mapping[tuple[Value, ...], Fraction], claim: Property) -> dict[Exact, Fraction]:
    """How likely each amount is that a claim compares. Raises Faulty where it is nobody's."""
    order = {word: at for at, words in enumerate(claim.scale) for word in words}
    out: dict[Exact, Fraction] = {}
    for (value,), chance in found.items():
        if value is None:
            raise Faulty.one("wrong-type", f"what `{claim.name}` compares is nobody's", claim.where.place)
        amount = order[value] if order else int(value) if isinstance(value, bool) else value
        out[amount] = out.get(amount, Fraction(0)) + chance
    return out


# ---- stepping -------------------------------------------------------------------------------------------------


def stepped(situation: Situation, thing: Thing, back: bool = False) -> MappingNode | None:
    """The situation with somebody a step on, or `back`; none where he cannot be."""
    place = place_of(situation.bound, situation.document, thing)
    if place is None:
        return None
    document = situation.document
    for step in situation.claim.steps:
        said = _next(situation, step, thing, back)
        if said is None:
            return None
        document = put(document, (*place, step.fact.name), said)
    return document


def _next(situation: Situation, step: PropertyStep, thing: Thing, back: bool) -> str | None:
    """What a fact is a step on, or back, as a situation says it."""
    fact = situation.bound.ruleset.kinds[thing.kind].facts[step.fact.name]
    by = -1 if (step.how == MORE) is back else 1
    value = situation.start.get(FactOf(thing, fact.name))
    match fact.type:
        case Per(words, low, high):
            held = {word: situation.start.get(PerWord(thing, fact.name, word), 0) for word in words}
            held[step.word] += by
            is_in = low <= held[step.word] <= high
            return "{" + ", ".join(f"{word}: {number}" for word, number in held.items()) + "}" if is_in else None
        case Word(words) if step.how in (MORE, LESS) and value in words:
            at = words.index(value) + by
            return words[at] if 0 <= at < len(words) else None
        case Word(words) if step.how == BECOMES:
            if (value == step.word) is not back:
                return None
            return next((word for word in words if word != step.word), None) if back else step.word
        case Number(low, high) if step.how in (MORE, LESS) and value is not None:
            is_in = (low is None or low <= value + by) and (high is None or value + by <= high)
            return str(value + by) if is_in else None
    becomes = (step.how == YES) is not back
    return ("yes" if becomes else "no") if step.how in (YES, NO) and value is not becomes else None


@dataclass(frozen=True, slots=True)
class Step:
    """Two situations that differ by a step of somebody, and how likely each amount is in each. `tail` is where the
    claim does not hold, if it does not."""

    before: MappingNode
    after: MappingNode
    who: str
    chances: tuple[Chances, Chances] = field(repr=False)
    tail: Tail | None

    @property
    def differs(self) -> bool:
        """Whether it changes what is compared at all."""
        return self.chances[0] != self.chances[1]


def steps_in(
    bound: Bound,
    document: MappingNode,
    claim: Property,
    spends: Callable[[int], None] = _unheard,
    most_work: int = MOST_WORK,
) -> Iterator[Step | Faulty]:
    """Every step that a claim is about in a situation, or why one cannot be worked out: of whoever is a step on
    already, the step to what he is. The work of each is told."""
    try:
        before = Situation(bound, document, claim, spends, most_work)
    except Faulty as error:
        yield error
        return
    told: set[str] = set()
    for name, thing in before.those.items():
        if name in before.concerned and not has_a_twin(before, name, told):
            try:
                step = step_of(before, name)
                if step is None and (back := stepped(before, thing, back=True)) is not None:
                    step = step_of(Situation(bound, back, claim, spends, most_work), name)
            except Faulty as error:
                yield error
            else:
                if step is not None:
                    yield step


def step_of(before: Situation, name: str) -> Step | None:
    """The step of one thing; none if the claim is not about it. Raises Faulty if it cannot be worked out."""
    if name not in before.concerned:
        return None
    document = stepped(before, before.those[name])
    if document is None:
        return None
    after = Situation(before.bound, document, before.claim, before.spends, before.most_work)
    if name not in after.concerned:
        return None
    chances = before.chances(name), after.chances(name)
    return Step(before.document, document, name, chances, crossed(*chances, before.claim.more))


def has_a_twin(situation: Situation, name: str, told: set[str]) -> bool:
    """Whether somebody who is described alike, in the same place, has been looked at; one whom something else names is
    like nobody."""
    place = place_of(situation.bound, situation.document, situation.those[name])
    node = node_at(situation.document, place) if place is not None else None
    if place is None or node is None or _is_named(situation.document, name):
        return False
    text = f"{place[:-1]} {flow(node)}"
    is_known = text in told
    told.add(text)
    return is_known


def _is_named(node: Node, name: str) -> bool:
    """Whether something that is said is a name; answers have it as a key."""
    match node:
        case MappingNode(entries):
            return any(
                _is_named(value, name) or (key.value == "choices" and _holds_key(value, name)) for key, value in entries
            )
        case Listing(items):
            return any(_is_named(item, name) for item in items)
    return node.value == name


def _holds_key(node: Node, name: str) -> bool:
    match node:
        case MappingNode(entries):
            return any(key.value == name or _holds_key(value, name) for key, value in entries)
        case Listing(items):
            return any(_holds_key(item, name) for item in items)
    return False
