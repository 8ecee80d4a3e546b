"""Finds when a value is looked at, so that where it is not, it need not be told apart.

If whether a team is rattled is asked only of a side without losses, then wherever there are losses both answers are
one. Going back from what is asked in the end, each variable gathers the condition under which somebody looks at it;
where a value is set, that condition is weakened to what is known there and then (`weakening`), so that nothing is
joined for its sake.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from closecombat.proving.foreseeing.ways import (
    ALWAYS,
    MOST_NODES,
    NEVER,
    Way,
    Ways,
    as_value,
    both,
    either,
    holds,
    weakened,
)
from closecombat.proving.foreseeing.weakening import Perhaps
from closecombat.proving.passes.sinking import Together
from closecombat.proving.programs import program as p
from closecombat.proving.programs.liveness import defined, reads, thrown, vars_of
from closecombat.proving.programs.rewriting import Rewriter
from closecombat.proving.programs.writes import held
from closecombat.proving.throws.dice import Tally
from closecombat.proving.values.budget import LOOK, WAY, WAY_BYTES, WAYS_BYTES
from closecombat.proving.values.symbolic import AND, ASKED, IF, OR, VARIABLE, Sym, Value, Workshop
from closecombat.proving.values.walking import is_short, outside_in

MOST_KEPT = 20_000  # of what has been put together: of the largest fights it would fill memory

Needs: TypeAlias = dict[Sym, Ways]  # when each variable is looked at


def asked_only(shop: Workshop, steps: Sequence[p.Step], wanted: Sequence[Value]) -> list[p.Step]:
    """An equal program whose values are None where nobody will look at them.

    Only pools make so many rows that finding out pays.
    """
    least = _least(steps)
    if not least:
        return list(steps)
    beside: dict[Sym, frozenset[Sym]] = {}
    _note_beside(steps, Together(), frozenset(), beside)
    demand = _Demand(shop, beside, least)
    needs: Needs = {}
    demand.look(needs, wanted, ALWAYS)
    return demand.back(steps, needs, vars_of(wanted))


def _note_beside(
    steps: Sequence[p.Step], together: Together, free: frozenset[Sym], beside: dict[Sym, frozenset[Sym]]
) -> None:
    """For each value that is set: what is known in the same row by then, without joining anything more."""
    for step in steps:
        if isinstance(step, p.Branch):
            asked = vars_of((step.condition,))
            for arm in (step.steps, step.otherwise):
                _note_beside(arm, together.without(asked), free | asked, beside)
        if not isinstance(step, p.Must):
            together.join((reads(step) | defined((step,))) - free)
        if isinstance(step, p.Let):
            beside[step.var] = together.beside(step.var) | free


def _least(steps: Sequence[p.Step]) -> dict[Sym, int]:
    """Counts of the dice of pools, which are never below 0."""
    return {
        var: 0
        for step in p.every(steps)
        if isinstance(step, p.PoolThrow)
        for tally, var in step.pool.views.items()
        if isinstance(tally, Tally) and all(type(worth) is int and worth >= 0 for _, worth in tally.worth)
    }


class _Demand:
    def __init__(self, shop: Workshop, beside: Mapping[Sym, frozenset[Sym]], least: Mapping[Sym, int]) -> None:
        self.shop, self.beside, self.least = shop, beside, least
        self.facts: dict[Sym, Value] = {}  # what the branches that we are inside of take for granted
        self.holds: dict[tuple[Sym, bool], Ways] = {}  # when a condition that a value chooses by holds, or does not
        self.known: dict[tuple[bool, Ways, Ways], Ways] = {}  # what is put together: nine of ten are asked for again
        self.held = 0  # bytes, about, of these

    def either(self, a: Ways, b: Ways) -> Ways:
        if a is b or not a:
            return b
        found = self.known.get((False, a, b))
        return self.kept((False, a, b), either(a, b), len(a) + len(b)) if found is None else found

    def both(self, a: Ways, b: Ways) -> Ways:
        found = self.known.get((True, a, b))
        return self.kept((True, a, b), both(a, b), len(a) * len(b)) if found is None else found

    def kept(self, of: tuple[bool, Ways, Ways], found: Ways, tried: int) -> Ways:
        if len(self.known) >= MOST_KEPT:
            self.known.clear()
            self.shop.budget.held -= self.held
            self.held = 0
        self.known[of] = found
        held = WAYS_BYTES + WAY_BYTES * len(found)
        self.held += held
        self.shop.budget.made(WAY * tried, held)
        return found

    def back(self, steps: Sequence[p.Step], needs: Needs, live: frozenset[Sym]) -> list[p.Step]:
        """The steps with their values set only where needed; `needs`, of what comes after, becomes what they need."""
        out: list[p.Step] = []
        for step in reversed(steps):
            after = live
            live = (live - defined((step,))) | reads(step)
            if isinstance(step, p.Let):
                step = self._set(step, needs, live)
            elif isinstance(step, p.Branch):
                step = self._branch(step, needs, after)
            elif isinstance(step, p.Must):
                here = ALWAYS
                for condition in step.when:
                    self.look(needs, (condition,), here)
                    here = both(here, holds(condition))
                self.look(needs, (step.value,), here)
            else:
                for var in reads(step):
                    needs[var] = ALWAYS
            out.append(step)
        return out[::-1]

    def _set(self, let: p.Let, needs: Needs, live: frozenset[Sym]) -> p.Let:
        asked = needs.pop(let.var, NEVER)
        self._replace(needs, {let.var: let.value})
        self.look(needs, (let.value,), asked)
        if asked in (ALWAYS, NEVER) or type(let.value) is not Sym:
            return let
        known = self._weakened(asked, self.beside[let.var] & live)
        return (
            let
            if known == ALWAYS or not is_short((node for way in known for node, _ in way), MOST_NODES)
            else p.Let(let.var, self.shop.node(ASKED, as_value(self.shop, known), let.value))
        )

    def _weakened(self, ways: Ways, known: frozenset[Sym]) -> Ways:
        perhaps, rewriter = Perhaps(self.shop, known, self.least), Rewriter(self.shop, self.facts)

        def tell(node: Sym, yes: bool, way: Way) -> Value:
            value = rewriter.value(node)
            return perhaps.may(value if yes else self.shop.not_(value))

        return weakened(ways, tell)

    def _branch(self, step: p.Branch, needs: Needs, after: frozenset[Sym]) -> p.Branch:
        inner = dict(needs)
        self._replace(inner, held(step.condition, True))
        made = defined((step,))
        outer, self.facts = self.facts, self.facts | held(step.condition)
        steps = self.back(step.steps, inner, after)
        self.facts = outer
        self._replace(needs, held(step.condition, False))
        otherwise = self.back(step.otherwise, needs, after)
        there, elsewhere = holds(step.condition), holds(step.condition, False)
        unknown = thrown(step.steps)
        for var in {**needs, **inner}:
            if var in made:
                needs.pop(var, None)
                continue
            inside, outside = inner.get(var, NEVER), needs.get(var, NEVER)
            if inside is not outside:
                read = vars_of(node for way in inside for node, _ in way)
                if not read.isdisjoint(unknown):
                    inside = self._weakened(inside, read - unknown)
                needs[var] = self.either(self.both(there, inside), self.both(elsewhere, outside))
        self.look(needs, (step.condition,), ALWAYS)
        return p.Branch(step.condition, steps, otherwise)

    def _replace(self, needs: Needs, by: dict[Sym, Value]) -> None:
        """Tells the conditions by what some nodes are now known to be."""
        mentioned = vars_of(by)

        def tell(node: Sym, yes: bool, way: Way) -> Value:
            value: Value = node
            if not node.vars.isdisjoint(mentioned):
                answers: dict[Sym, Value] = {other: answer for other, answer in way if other is not node}
                value = Rewriter(self.shop, answers | by).value(node)
            return value if yes else self.shop.not_(value)

        for var, ways in needs.items():
            if any(not node.vars.isdisjoint(mentioned) for way in ways for node, _ in way):
                needs[var] = weakened(ways, tell)

    def look(self, needs: Needs, values: Iterable[Value], when: Ways) -> None:
        """Adds that these values are looked at when the condition holds."""
        asked: Needs = {value: when for value in values if type(value) is Sym}
        nodes = outside_in(asked)
        self.shop.budget.made(LOOK * len(nodes), 0)
        for node in nodes:
            here, fn, args = asked[node], node.fn, node.args
            if fn is VARIABLE:
                needs[node] = self.either(needs.get(node, NEVER), here)
                continue
            chooses = fn is IF or fn is AND or fn is OR
            for i, arg in enumerate(args):
                if type(arg) is Sym:
                    there = here
                    if i and chooses:
                        there = self.both(here, self.where(args[0], i == 1 if fn is IF else fn is AND))
                    before = asked.get(arg)
                    asked[arg] = there if before is None else self.either(before, there)

    def where(self, condition: Value, be: bool) -> Ways:
        """When a condition holds, or does not; the same ones are asked for by thousands of values."""
        if type(condition) is not Sym:
            return holds(condition, be)
        found = self.holds.get((condition, be))
        if found is None:
            found = self.holds[condition, be] = holds(condition, be)
        return found
