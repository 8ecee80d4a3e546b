"""What makes no difference to how a fight goes on: states of a repetition to the end that differ by nothing else.

**The problem.** A man who has left was hit once or twice before, wounded or not. Of four such men a state tells all
that apart to the end, though behind it no more is asked than what each has cost. So each end is told apart from ends
of which all answers are the same.

**The idea.** That a flag is no (that somebody is in play, say) is taken for granted, and that he is named nowhere in
the state; and the whole repetition and all that comes behind it is rewritten by that. If it then stays so, some values
may turn out to be read by no pass, but to be handed on as they are; and behind they are looked at through some
questions only. Two states of which that holds, and that differ in those values alone, are one if they answer these
questions alike. Of an end the same holds, whatever the flags are: there is no further pass. And of such a value no pass
may read where the flag is yes, either, so that it never counts at all (`_idle`): who was hit by lots is asked right
after the lots, of those who were in them; only of whoever has left a pass still reads it, and nothing comes of that.

*An example.* `a` and `b` lose a step or two each time they are hit, and leave at 3 or more; it ends when either has
left, and who it is is asked. Where `in-play of a` is no, the steps of `a` stand in no expression that is left: with 3
and with 4 it is one state. If it is asked whether anybody has lost 4, there are two.

**Elsewhere.** `passes` marks loops with what is found here; `loop` makes states one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from closecombat.proving.passes.behind import marked
from closecombat.proving.programs import program as p
from closecombat.proving.programs.liveness import defined, pruned, still_read, vars_of
from closecombat.proving.programs.program import Forgotten
from closecombat.proving.programs.rewriting import Rewriter, rewritten
from closecombat.proving.programs.writes import held
from closecombat.proving.tables.weights import Row
from closecombat.proving.values.closures import compiled
from closecombat.proving.values.symbolic import Looked, Sym, Value, Workshop, same
from closecombat.reading.slots import InPlay
from closecombat.reading.types import Thing
from closecombat.text.faults import Faulty


def forgetting(shop: Workshop, steps: Sequence[p.Step], wanted: Sequence[Value]) -> list[p.Step]:
    """The same program; each repetition without a bound is marked with what of its states makes no difference."""

    def mark(loop: p.Loop, after: Sequence[p.Step], wanted: Sequence[Value]) -> p.Loop:
        return replace(loop, forgets=tuple(_forgotten(shop, loop, after, wanted)))

    return marked(shop, steps, wanted, mark)


def _forgotten(shop: Workshop, loop: p.Loop, after: Sequence[p.Step], wanted: Sequence[Value]) -> Iterable[Forgotten]:
    for i, slot in enumerate(loop.slots):
        if isinstance(slot, InPlay):
            yield from _where_no(shop, loop, i, slot.thing, after, wanted)
    yield Forgotten(None, loop.ends, _asked_of(loop.ends, after, wanted))


def _where_no(
    shop: Workshop, loop: p.Loop, flag: int, one: Thing, after: Sequence[p.Step], wanted: Sequence[Value]
) -> Iterable[Forgotten]:
    """What makes no difference where a flag is no, and the one it is about is named nowhere, if it stays so."""
    named = [i for i, var in enumerate(loop.vars) if i != flag and one in shop.domains.get(var, ())]
    while True:
        is_he = [shop.node(same, var, one) for i in named for var in (loop.vars[i], loop.ends[i])]
        facts: dict[Sym, Value] = dict.fromkeys((loop.vars[flag], loop.ends[flag], *is_he), False)
        steps = _with_certain(shop, loop.steps, facts)
        rewriter = Rewriter(shop, facts)
        if rewriter.value(loop.nexts[flag]) is not False:
            return
        may_be = {i for i in named if rewriter.value(shop.over(loop.nexts[i], partial(shop.equal, one))) is not False}
        if not may_be:
            break
        named = [i for i in named if i not in may_be]
    behind = pruned(after, vars_of(wanted))[1]
    wanted = [*map(rewriter.value, wanted)]
    after, live = pruned(rewritten(after, rewriter), vars_of(wanted))
    nexts = tuple(map(rewriter.value, loop.nexts))
    once = replace(loop, steps=steps, nexts=nexts, until=rewriter.value(loop.until))
    read = still_read(once, live)[0]
    handed_on = {i for i in read if nexts[i] is loop.vars[i]}
    while True:
        others = [end for i, end in enumerate(loop.ends) if i not in handed_on]
        inside = still_read(once, live.intersection(others))[0]
        if inside.isdisjoint(handed_on):
            break
        handed_on -= inside
    counts = (read - handed_on).union(named, (flag,))
    ends = tuple(end for i, end in enumerate(loop.ends) if i not in counts)
    if ends:
        asked, nowhere = _asked_of(ends, after, wanted), tuple((loop.ends[i], one) for i in named)
        idle = () if named else _idle(shop, loop, flag, [end for end in ends if end not in vars_of(asked)], behind)
        yield Forgotten(loop.ends[flag], ends, asked, nowhere, idle)


def _idle(shop: Workshop, loop: p.Loop, flag: int, ends: Sequence[Sym], behind: frozenset[Sym]) -> tuple[Sym, ...]:
    """Of what makes no difference where a flag is no: what makes none where it is yes, since no pass reads it but for
    what is idle too; `behind` is what is read behind the repetition."""
    facts: dict[Sym, Value] = {loop.vars[flag]: True}
    steps = _with_certain(shop, loop.steps, facts)
    rewriter = Rewriter(shop, facts)
    once = replace(loop, steps=steps, nexts=tuple(map(rewriter.value, loop.nexts)), until=rewriter.value(loop.until))
    idle = set(ends) - behind
    while idle:
        read = {loop.ends[i] for i in still_read(once, frozenset(loop.ends) - idle)[0]}
        if idle.isdisjoint(read):
            break
        idle -= read
    return tuple(end for end in loop.ends if end in idle)


def _with_certain(shop: Workshop, steps: Sequence[p.Step], facts: dict[Sym, Value]) -> list[p.Step]:
    """Steps rewritten by facts, which come to hold what of that is set in them is certain."""
    out: list[p.Step] = []
    rewriter = Rewriter(shop, facts)  # which has met no value that is read before it is set

    def learn(var: Sym, value: Value) -> None:
        facts[var] = rewriter.done[var] = value

    for step in steps:
        if not isinstance(step, p.Branch):
            [step] = rewritten([step], rewriter)
            if isinstance(step, p.Let) and type(step.value) is not Sym:
                learn(step.var, step.value)
            out.append(step)
            continue
        condition, arms, certain = rewriter.value(step.condition), list[list[p.Step]](), list[dict[Sym, Value]]()
        for arm, is_so in ((step.steps, True), (step.otherwise, False)):
            known = facts | held(condition, is_so)
            arms.append(_with_certain(shop, arm, known))
            certain.append({var: known.get(var, var) for var in defined(arm)})
        for var in dict.fromkeys((*certain[0], *certain[1])):
            here, there = (one.get(var) for one in certain)  # where it is not set it is nobody
            if here is not var and there is not var:
                learn(var, shop.if_(condition, here, there))
        out.append(p.Branch(condition, *arms))
    return out


def _asked_of(ends: Sequence[Sym], after: Sequence[p.Step], wanted: Sequence[Value]) -> tuple[Sym, ...]:
    """All that is asked of some values, and perhaps of others."""
    asked = (one for one in (*p.expressions(after), *wanted) if type(one) is Sym)
    return tuple(dict.fromkeys(one for one in asked if not one.vars.isdisjoint(ends)))


def without(shop: Workshop, marks: Sequence[Forgotten], ends: Sequence[Sym]) -> Callable[[Row], Row]:
    """A function of a part of a state, whose values behind the repetition are some of its `ends`: parts that differ by
    nothing that counts become equal, to the first of them that was seen."""
    at = {end: i for i, end in enumerate(ends)}
    forgets = [
        _forgets(shop, one, at)
        for one in marks
        if (one.flag is None or one.flag in at) and all(end in at for end, _ in one.nowhere)
    ]

    def forget(row: Row) -> Row:
        for one in forgets:
            row = one(row)
        return row

    return forget


def _forgets(shop: Workshop, mark: Forgotten, at: Mapping[Sym, int]) -> Callable[[Row], Row]:
    ends = [end for end in mark.ends if end in at]
    columns, flag = [at[end] for end in ends], None if mark.flag is None else at[mark.flag]
    asked = [one for one in mark.asked if not one.vars.isdisjoint(ends)]
    alone = [compiled(one, at) for one in asked if one.vars <= frozenset(ends)]
    with_others = [one for one in asked if not one.vars <= frozenset(ends)]
    nowhere = [(at[end], thing) for end, thing in mark.nowhere]
    known: dict[Row, Row] = {}
    first: dict[Row, Row] = {}

    def found(row: Row, mine: Row) -> Row:
        rewriter = Rewriter(shop, dict(zip(ends, mine, strict=True)))
        try:
            answers = [question(row) for question in alone]
        except (Faulty, Looked):
            return mine
        with shop.quiet():
            return first.setdefault((*answers, *map(rewriter.value, with_others)), mine)

    def forget(row: Row) -> Row:
        if (flag is not None and row[flag] is not False) or any(row[i] == thing for i, thing in nowhere):
            return row
        mine = tuple([row[i] for i in columns])
        less = known.get(mine)
        if less is None:
            less = known[mine] = found(row, mine)
        if less is mine:
            return row
        new = list(row)
        for i, value in zip(columns, less, strict=True):
            new[i] = value
        return tuple(new)

    return forget if columns else lambda row: row
