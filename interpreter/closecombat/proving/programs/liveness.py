"""What a program still reads, and what of it is ever asked: so that everything else can be forgotten."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set

from closecombat.proving.programs import program as p
from closecombat.proving.values.symbolic import Sym, Value
from closecombat.proving.values.walking import walk

NOTHING: frozenset[Sym] = frozenset()


def vars_of(values: Iterable[Value]) -> frozenset[Sym]:
    return NOTHING.union(*(v.vars for v in values if type(v) is Sym))


def reads(step: p.Step) -> frozenset[Sym]:
    """The variables a step needs from before it."""
    match step:
        case p.Let(_, value):  # nearly all steps are
            return value.vars if type(value) is Sym else NOTHING
        case p.Branch(condition, steps, otherwise):
            return vars_of((condition,)) | outside(steps) | outside(otherwise)
        case p.Loop(vars, starts, steps, nexts, until):
            inner = outside(steps) | (vars_of((*nexts, until)) - defined(steps))
            return vars_of(starts) | (inner - set(vars))
    return vars_of(p.values(step))


def defined(steps: Iterable[p.Step]) -> frozenset[Sym]:
    out: set[Sym] = set()
    for step in steps:
        match step:
            case p.Throw(var) | p.Draw(var) | p.Let(var):
                out.add(var)
            case p.PoolThrow(pool):
                out.update(pool.views.values())
            case p.Lots(vars):
                out.update(vars)
            case p.Branch(_, inner, otherwise):
                out |= defined(inner) | defined(otherwise)
            case p.Loop():
                out.update(step.ends)
    return frozenset(out)


def outside(steps: Sequence[p.Step]) -> frozenset[Sym]:
    """What a list of steps reads that it does not set itself."""
    needed: frozenset[Sym] = NOTHING
    for step in reversed(steps):
        needed = (needed - defined((step,))) | reads(step)
    return needed


def must_be_done(step: p.Step) -> bool:
    """Whether something may go wrong in a step, even if nobody reads what it sets: a value fails, or a repetition has
    no end. That it comes to an end is never taken for granted."""
    return any(isinstance(one, p.Must) or (isinstance(one, p.Loop) and one.at_most is None) for one in p.every((step,)))


def pruned(
    steps: Sequence[p.Step], live: frozenset[Sym], trusting: bool = False
) -> tuple[list[p.Step], frozenset[Sym]]:
    """The steps without those whose results nobody reads, given what is live after them; and what is live before.
    If `trusting`, nothing is looked at for the sake of what may go wrong.

    Strong liveness: a variable that only feeds itself round a loop, or another dead one, is dead.
    """
    out: list[p.Step] = []
    for step in reversed(steps):
        made = defined((step,))
        if isinstance(step, p.Must):
            if trusting:
                continue
        elif made.isdisjoint(live) and (trusting or not must_be_done(step)):
            continue
        if isinstance(step, p.Branch):
            then = pruned(step.steps, live, trusting)[0]
            before, then = _before_branch(step.condition, then)
            step = p.Branch(step.condition, then, pruned(step.otherwise, live, trusting)[0])
            if then or step.otherwise:
                out.append(step)
                live = (live - made) | reads(step)
            out += reversed(before)
            live = live.union(*map(reads, before))
            continue
        if isinstance(step, p.Loop):
            step = _pruned_loop(step, live, trusting)
        out.append(step)
        live = (live - made) | reads(step)
    return out[::-1], live


def _before_branch(condition: Value, steps: list[p.Step]) -> tuple[list[p.Must], list[p.Step]]:
    """What a branch first of all looks at, to be looked at before it: nothing need be joined for its sake."""
    before: list[p.Must] = []
    others: list[p.Step] = []
    for i, step in enumerate(steps):
        if isinstance(step, p.Must) and reads(step).isdisjoint(defined(others)):
            before.append(p.Must((condition, *step.when), step.value))
        elif must_be_done(step):
            return before, [*others, *steps[i:]]
        else:
            others.append(step)
    return before, others


def still_read(step: p.Loop, live: frozenset[Sym], trusting: bool = False) -> tuple[set[int], list[p.Step]]:
    """The places of what is read of a loop's state, in a pass or behind it, and the steps that are needed for that."""
    alive = {i for i, end in enumerate(step.ends) if end in live}
    while True:
        read = vars_of((step.until, *(step.nexts[i] for i in alive)))
        steps, before = pruned(step.steps, read, trusting)
        more = {i for i, var in enumerate(step.vars) if var in before} - alive
        if not more:
            return alive, steps
        alive |= more


def _pruned_loop(step: p.Loop, live: frozenset[Sym], trusting: bool) -> p.Loop:
    alive, steps = still_read(step, live, trusting)
    keep = sorted(alive)
    return p.Loop(
        tuple(step.vars[i] for i in keep),
        tuple(step.starts[i] for i in keep),
        steps,
        tuple(step.nexts[i] for i in keep),
        step.until,
        step.at_most,
        tuple(step.ends[i] for i in keep),
        step.place,
        tuple(step.slots[i] for i in keep),
        alike=step.alike,
        forgets=step.forgets,
    )


def thrown(steps: Iterable[p.Step]) -> set[Sym]:
    """The variables that chance itself sets."""
    out: set[Sym] = set()
    for step in p.every(steps):
        match step:
            case p.Throw(var) | p.Draw(var):
                out.add(var)
            case p.PoolThrow(pool):
                out.update(pool.views.values())
    return out


def views_of(values: Iterable[Value], vars: Set[Sym]) -> dict[Sym, list[Sym]]:
    """For each of the variables that is never read as it is, the largest expressions that hang on it alone:
    that is all that is ever asked of it."""
    found: dict[Sym, dict[Sym, None]] = {}

    def into(node: Sym) -> tuple[Value, ...]:
        only = next(iter(node.vars)) if len(node.vars) == 1 else None
        if only is None or only not in vars:
            return node.args
        found.setdefault(only, {})[node] = None
        return ()

    for _ in walk(values, into):
        pass
    return {var: list(views) for var, views in found.items() if var not in views}
