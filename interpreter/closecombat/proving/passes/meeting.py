"""What a branch leaves of a fact is one value behind it, and what it was before is forgotten.

**The problem.** A turn happens under a condition: then the steps of a unit are `v2`, else they are `v1` still. Whoever
reads them later reads `if(condition, v2, v1)`, and behind the next turn `if(other, v3, if(condition, v2, v1))`. So all
that ever stood there is kept, with all conditions: after seven turns of six units rows of eighty columns, and one row
for each way by which a state was come to, though only the state counts.

**The idea.** Behind a branch each such choice gets a name, in the place of all that it is made of. What it was made of
is forgotten, and rows that differ by nothing else are one. Only where that leaves fewer columns, and only of what
stands in one factor by then, so that nothing is joined for its sake.

*An example.* A block of four steps is shot at in three turns, each of which is fought or not. Told apart by all that it
was, it can stand in 4 * 4 * 4 * 8 ways; told by what is left of it in four.

**Elsewhere.** Values at the end of a program are set in the arms themselves (`sinking.into_branch`). Most programs are
too narrow to gain anything (`WIDE`).
"""

from __future__ import annotations

from collections.abc import Sequence

from closecombat.proving.foreseeing.ranges import range_of
from closecombat.proving.passes.sinking import Together
from closecombat.proving.programs import program as p
from closecombat.proving.programs.liveness import defined, outside, reads, vars_of
from closecombat.proving.programs.rewriting import Rewriter, rewritten
from closecombat.proving.values.arithmetic import is_whole
from closecombat.proving.values.symbolic import IF, Sym, Value, Workshop
from closecombat.proving.values.walking import walk

WIDE = 30  # columns behind a branch, from which on it is looked what of them is one value


def met(shop: Workshop, steps: Sequence[p.Step], wanted: Sequence[Value]) -> tuple[list[p.Step], list[Value]]:
    """An equal program in which what a branch leaves of a fact has a name of its own."""
    if not _is_wide(steps, wanted):
        return list(steps), list(wanted)
    together = Together()
    out: list[p.Step] = []
    left, asked = list(steps), list(wanted)
    while left:
        step = left.pop(0)
        out.append(step)
        if not isinstance(step, p.Must):
            together.join(reads(step) | defined((step,)))
        if isinstance(step, p.Branch):
            names = _names(shop, step, left, asked, together)
            rewriter = Rewriter(shop, dict(names))
            rest, wants = rewritten(left, rewriter), [rewriter.value(value) for value in asked]
            if len(_behind(rest, wants)) < len(_behind(left, asked)):
                out += [p.Let(var, node) for node, var in names.items()]
                for node, var in names.items():
                    together.join(node.vars | {var})
                left, asked = rest, wants
    return out, asked


def _behind(steps: Sequence[p.Step], wanted: Sequence[Value]) -> frozenset[Sym]:
    """What is still read."""
    return outside(steps) | (vars_of(wanted) - defined(steps))


def _is_wide(steps: Sequence[p.Step], wanted: Sequence[Value]) -> bool:
    live = vars_of(wanted)
    for step in reversed(steps):
        if isinstance(step, p.Branch) and len(live) >= WIDE:
            return True
        live = (live - defined((step,))) | reads(step)
    return False


def _names(
    shop: Workshop, branch: p.Branch, left: Sequence[p.Step], wanted: Sequence[Value], together: Together
) -> dict[Sym, Sym]:
    """A variable for each of the outermost choices by the condition of a branch, of something that it sets, that are
    read behind it."""
    made, known = defined((branch,)), _behind(left, wanted)

    def is_met(node: Sym) -> bool:
        return (
            node.fn is IF
            and node.args[0] is branch.condition
            and not made.isdisjoint(node.vars)
            and node.vars <= known
            and len(together.groups(node.vars)) == 1
        )

    values = [*p.expressions(left), *wanted]
    found = [node for node in walk(values, lambda node: () if is_met(node) else node.args) if is_met(node)]
    out: dict[Sym, Sym] = {}
    for node in found:
        var = out[node] = shop.variable()
        shop.ranges[var] = range_of(shop, node)
        if is_whole(shop, node):
            shop.whole.add(var)
    return out
