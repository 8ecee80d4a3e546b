"""A program in which some throws are known to have fallen: what remains to be worked out.

A program is often written for something that may be this or that, and then asked for either. What hangs on that alone
is a plain value then, branches that are certainly taken stand in their places, and others are gone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from closecombat.proving.programs import program as p
from closecombat.proving.programs.liveness import defined
from closecombat.proving.programs.rewriting import Rewriter, rewritten
from closecombat.proving.values.symbolic import Sym, Value, Workshop


def where_known(
    shop: Workshop, steps: Sequence[p.Step], wanted: Sequence[Value], known: Mapping[Sym, Value]
) -> tuple[list[p.Step], list[Value]]:
    """The program where each of these throws is one of its falls, and what was wanted in its words."""
    rewriter = Rewriter(shop, dict(known))
    with shop.quiet():  # what is looked at has been written down
        left = _left(steps, rewriter, known, True)
        return left, [rewriter.value(value) for value in wanted]


def _left(steps: Iterable[p.Step], rewriter: Rewriter, known: Mapping[Sym, Value], is_certain: bool) -> list[p.Step]:
    """What is left of some steps; values that become plain are put where they are read, if the steps are certainly
    done."""
    out: list[p.Step] = []
    for step in steps:
        match step:
            case p.Throw(var) if var in known:
                continue
            case p.Let(var, value) if is_certain and not _joins(now := rewriter.value(value)):
                rewriter.done[var] = now
            case p.Branch(condition, inner, otherwise):
                holds = rewriter.value(condition)
                if type(holds) is Sym:
                    arms = [_left(arm, rewriter, known, False) for arm in (inner, otherwise)]
                    out.append(p.Branch(holds, *arms))
                    continue
                taken, other = (inner, otherwise) if holds else (otherwise, inner)
                rewriter.done |= dict.fromkeys(defined(other) - defined(taken))
                out += _left(taken, rewriter, known, is_certain)
            case _:
                out += rewritten([step], rewriter)
    return out


def _joins(value: Value) -> bool:
    """Whether a value is made of several throws: no other has a variable of its own where the program is written."""
    return type(value) is Sym and len(value.vars) > 1
