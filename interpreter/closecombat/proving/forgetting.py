"""What makes no difference to how a fight goes on: states of a repetition to the end that differ by nothing else.

**The problem.** A man who has left was hit once or twice before, wounded or not. Of four such men a state tells all
that apart to the end, though behind it no more is asked than what each has cost. So each end is told apart from ends
of which all answers are the same.

**The idea.** That a flag is no (that somebody is in play, say) is taken for granted, and that he is named nowhere in
the state; and the whole repetition and all that comes behind it is rewritten by that. If it then stays so, some values
may turn out to be read by no pass, but to be handed on as they are; and behind they are looked at through some
questions only. Two states of which that holds, and that differ in those values alone, are one if they answer these
questions alike. Of an end the same holds, whatever the flags are: there is no further pass.

*An example.* `a` and `b` lose a step or two each time they are hit, and leave at 3 or more; it ends when either has
left, and who it is is asked. Where `in-play of a` is no, the steps of `a` stand in no expression that is left: with 3
and with 4 it is one state. If it is asked whether anybody has lost 4, there are two.

**Elsewhere.** `passes` marks loops with what is found here; `loop` makes states one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from closecombat.proving import program as p
from closecombat.proving.behind import marked
from closecombat.proving.closures import compiled
from closecombat.proving.liveness import pruned, still_read, vars_of
from closecombat.proving.program import Forgotten
from closecombat.proving.rewriting import Rewriter, rewritten
from closecombat.proving.symbolic import Looked, Sym, Value, Workshop, same
from closecombat.proving.weights import Row
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
        rewriter = Rewriter(shop, dict.fromkeys((loop.vars[flag], loop.ends[flag], *is_he), False))
        if rewriter.value(loop.nexts[flag]) is not False:
            return
        may_be = {i for i in named if rewriter.value(shop.over(loop.nexts[i], partial(shop.equal, one))) is not False}
        if not may_be:
            break
        named = [i for i in named if i not in may_be]
    wanted = [*map(rewriter.value, wanted)]
    after, live = pruned(rewritten(after, rewriter), vars_of(wanted))
    nexts = tuple(map(rewriter.value, loop.nexts))
    once = replace(loop, steps=rewritten(loop.steps, rewriter), nexts=nexts, until=rewriter.value(loop.until))
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
        nowhere = tuple((loop.ends[i], one) for i in named)
        yield Forgotten(loop.ends[flag], ends, _asked_of(ends, after, wanted), nowhere)


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
