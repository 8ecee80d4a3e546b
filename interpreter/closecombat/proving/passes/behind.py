"""Repetitions to the end, each with all that is asked behind it: by that they are marked.

A branch that a repetition stands in has been taken where somebody comes to what is behind it: so it reads there what
the repetition has left, and nothing of what would be elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from closecombat.proving.programs import program as p
from closecombat.proving.programs.liveness import pruned, vars_of
from closecombat.proving.programs.rewriting import Rewriter, rewritten
from closecombat.proving.programs.writes import held
from closecombat.proving.values.symbolic import Sym, Value, Workshop

Marking: TypeAlias = Callable[[p.Loop, Sequence[p.Step], Sequence[Value]], p.Loop]


def marked(shop: Workshop, steps: Sequence[p.Step], wanted: Sequence[Value], mark: Marking) -> list[p.Step]:
    """The same program, each repetition without a bound marked: `mark` is given what comes behind it, and what is
    asked at the end."""
    return _marked(shop, steps, [], wanted, {}, mark)


def _marked(
    shop: Workshop,
    steps: Sequence[p.Step],
    after: Sequence[p.Step],
    wanted: Sequence[Value],
    facts: Mapping[Sym, Value],
    mark: Marking,
) -> list[p.Step]:
    """The steps of a branch marked, where what it takes for granted are `facts`, and `after` comes behind it."""
    out: list[p.Step] = []
    for i, step in enumerate(steps):
        behind = [*steps[i + 1 :], *after]
        if isinstance(step, p.Branch):
            taken, condition = {**facts, **held(step.condition)}, step.condition
            step = p.Branch(condition, _marked(shop, step.steps, behind, wanted, taken, mark), step.otherwise)
        elif isinstance(step, p.Loop) and step.at_most is None:
            rewriter = Rewriter(shop, dict(facts))
            asked = [*map(rewriter.value, wanted)]
            step = mark(step, pruned(rewritten(behind, rewriter), vars_of(asked))[0], asked)
        out.append(step)
    return out
