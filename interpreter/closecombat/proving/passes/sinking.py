"""Keeps independent throws apart for longer: a value that would join them is worked out only where it is needed.

A value read first by a branch is put into its condition, set anew at the start of the branch and once more behind
it. Then the branch can be taken group by group (`operations`), each with its throws still apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from closecombat.proving.programs import program as p
from closecombat.proving.programs.liveness import defined, outside, pruned, reads, thrown, vars_of
from closecombat.proving.programs.rewriting import Rewriter, rewritten
from closecombat.proving.programs.writes import held
from closecombat.proving.values.symbolic import IF, VARIABLE, Sym, Value, Workshop, is_logic

MANY = 2


def sunk(shop: Workshop, steps: Sequence[p.Step], wanted: Sequence[Value]) -> tuple[list[p.Step], list[Value]]:
    """An equal program in which values that join throws are set as late as possible."""
    todo, asked = list(steps), list(wanted)
    out: list[p.Step] = []
    together = Together()
    while todo:
        step = todo.pop(0)
        if isinstance(step, p.Let) and together.joins(_still_read(step.value, todo, asked)):
            at = next((i for i, other in enumerate(todo) if step.var in reads(other)), len(todo))
            if at < len(todo) and isinstance(todo[at], p.Branch):
                todo, asked = _moved(shop, step, todo, asked, at)
                continue
            if any(not isinstance(other, p.Let) for other in todo[:at]):
                todo.insert(at, step)
                continue
        if not isinstance(step, p.Must):
            together.join(reads(step) | defined((step,)))
        out.append(step)
    return out, asked


def _still_read(value: Value, steps: Sequence[p.Step], wanted: Sequence[Value]) -> frozenset[Sym]:
    """What a value is made from and is read again after the values set beside it: it cannot be forgotten yet."""
    behind = next((i for i, step in enumerate(steps) if not isinstance(step, p.Let)), len(steps))
    return vars_of((value,)) & (outside(steps[behind:]) | vars_of(wanted))


def _moved(
    shop: Workshop, let: p.Let, steps: list[p.Step], wanted: list[Value], at: int
) -> tuple[list[p.Step], list[Value]]:
    branch = steps[at]
    if not isinstance(branch, p.Branch):
        return steps, wanted
    domain = shop.domains.get(let.var, ())
    inner, behind = shop.variable(domain), shop.variable(domain)
    condition = Rewriter(shop, {let.var: let.value}).value(branch.condition)
    inside = Rewriter(shop, {let.var: inner})
    after = Rewriter(shop, {let.var: behind})
    moved = p.Branch(condition, [p.Let(inner, let.value), *rewritten(branch.steps, inside)])
    rest = rewritten(steps[at + 1 :], after)
    return ([*steps[:at], moved, p.Let(behind, let.value), *rest], [after.value(v) for v in wanted])


def inlined(shop: Workshop, steps: Sequence[p.Step], wanted: Sequence[Value]) -> tuple[list[p.Step], list[Value]]:
    """An equal program without the values that only the next one is made from, or that only repeat what is asked."""
    uses = _uses(steps, wanted)
    out, asked = _inlined(shop, steps, uses), list(wanted)
    while out and isinstance(last := out[-1], p.Let) and last.var in asked and uses[last.var] == 1:
        if not vars_of((last.value,)) <= vars_of(value for value in asked if value is not last.var):
            break
        asked[asked.index(last.var)] = last.value
        out.pop()
    return out, asked


def branch_facts_used(shop: Workshop, steps: Sequence[p.Step]) -> list[p.Step]:
    """An equal program in which what a branch takes for granted is not asked again inside it: what its condition says,
    and what that is made from where it has been set before."""
    return _used_inside(shop, steps, {}, {})


def _used_inside(
    shop: Workshop, steps: Sequence[p.Step], facts: dict[Sym, Value], lets: dict[Sym, Value]
) -> list[p.Step]:
    out, lets = rewritten(steps, Rewriter(shop, facts)) if facts else list(steps), dict(lets)
    for i, step in enumerate(out):
        if isinstance(step, p.Let):
            lets[step.var] = step.value
        elif isinstance(step, p.Branch):
            known = facts | _granted(step.condition, lets)
            out[i] = p.Branch(step.condition, _used_inside(shop, step.steps, known, lets))
        elif isinstance(step, p.Loop):
            inner = _used_inside(shop, step.steps, facts, lets)
            set_there = lets | {one.var: one.value for one in inner if isinstance(one, p.Let)}
            nexts = tuple([_used_in_choice(shop, value, set_there) for value in step.nexts])
            out[i] = replace(step, steps=inner, nexts=nexts)
    return out


def _used_in_choice(shop: Workshop, value: Value, lets: Mapping[Sym, Value]) -> Value:
    """A choice of which the first arm does not ask again what its condition says."""
    if type(value) is not Sym or value.fn is not IF:
        return value
    condition, first, second = value.args
    return shop.if_(condition, Rewriter(shop, _granted(condition, lets)).value(first), second)


def _granted(condition: Value, lets: Mapping[Sym, Value]) -> dict[Sym, Value]:
    """What a condition and its parts are where it holds, the parts of what they are set to, and what is set to one."""
    facts: dict[Sym, Value] = {}
    names = {value: var for var, value in lets.items() if type(value) is Sym}
    todo = held(condition)
    while todo:
        facts |= todo
        known = [(one, be) for one, be in todo.items() if type(be) is bool]
        made = [(lets[one], be) for one, be in known if one in lets]
        made += [(names[one], be) for one, be in known if one in names]
        todo = {one: be for value, is_so in made for one, be in held(value, is_so).items() if one not in facts}
    return facts


def into_branch(shop: Workshop, steps: Sequence[p.Step], wanted: Sequence[Value]) -> list[p.Step]:
    """An equal program in which values at its end that hang on a branch are set within it: once where its condition
    holds and once elsewhere, each time with what is known there; and so at the end of what is done where it holds."""
    at = next((i for i in reversed(range(len(steps))) if not isinstance(steps[i], p.Let | p.Must)), -1)
    branch, lets = steps[at] if at >= 0 else None, [let for let in steps[at + 1 :] if isinstance(let, p.Let)]
    if not isinstance(branch, p.Branch):
        return list(steps)
    moved = _hanging_on(lets, defined(branch.steps))
    if not moved:
        return list(steps)
    behind: list[p.Step] = [step for step in steps[at + 1 :] if step not in moved]
    asked, nobody = vars_of(wanted) | outside(behind), dict.fromkeys(defined(branch.steps))
    there = [*branch.steps, *_worked_out(shop, moved, {}, branch.condition, True, asked)]
    nobody_is = [p.Let(var, None) for var in sorted(asked & nobody.keys(), key=lambda var: var.number)]
    elsewhere = [*nobody_is, *_worked_out(shop, moved, nobody, branch.condition, False, asked)]
    then, otherwise = (_shortened(shop, arm, asked | defined(branch.steps)) for arm in (there, elsewhere))
    then = into_branch(shop, then, sorted(asked, key=lambda var: var.number))
    return [*steps[:at], p.Branch(branch.condition, then, otherwise), *behind]


def _hanging_on(lets: Sequence[p.Let], vars: frozenset[Sym]) -> list[p.Let]:
    """The values that are made from some variables, and those that they are made from as well."""
    made = set(vars)
    for let in lets:
        if not reads(let).isdisjoint(made):
            made.add(let.var)
    needed = set(made)
    for let in reversed(lets):
        if let.var in needed:
            needed |= reads(let)
    return [let for let in lets if let.var in needed] if made != vars else []


def _worked_out(
    shop: Workshop, lets: Sequence[p.Let], known: dict[Sym, Value], condition: Value, be: bool, asked: frozenset[Sym]
) -> list[p.Step]:
    """Values worked out from what is known, and from what the condition is; one that is known itself, or another
    variable, is no longer set. A value that `sunk` has put into the condition stands there as its variable does
    behind."""
    known = known | held(condition, be)
    rewriter, out = Rewriter(shop, known), list[p.Step]()
    for let in lets:
        value = rewriter.value(let.value)
        more: dict[Sym, Value] = {}
        if let.var not in asked and (type(value) is not Sym or value.fn is VARIABLE):
            more = {let.var: value}
        else:
            out.append(p.Let(let.var, value))
            before, condition = condition, _with_name(shop, condition, let)
            more = held(condition, be) if condition is not before else {}
        if more:
            known = known | more
            rewriter = Rewriter(shop, known)
    return out


def _with_name(shop: Workshop, condition: Value, let: p.Let) -> Value:
    """A condition with a variable wherever the value that it is set to stands in it."""
    if type(let.value) is not Sym or type(condition) is not Sym or not let.value.vars <= condition.vars:
        return condition
    return Rewriter(shop, {let.value: let.var}).value(condition)


def _shortened(shop: Workshop, steps: Sequence[p.Step], asked: frozenset[Sym]) -> list[p.Step]:
    """Steps without the values that only the next one is made from."""
    steps, _ = pruned(steps, asked)
    return _inlined(shop, steps, _uses(steps, (*asked, *asked)))


def _uses(steps: Sequence[p.Step], wanted: Iterable[Value]) -> dict[Sym, int]:
    """How often each variable is read; what is asked of a throw counts as if it were read by many."""
    uses: dict[Sym, int] = {}
    for value in (*p.expressions(steps), *wanted):
        for var in vars_of((value,)):
            uses[var] = uses.get(var, 0) + 1
    falls = thrown(steps)
    for step in steps:
        for let in (step, *step.steps) if isinstance(step, p.Branch) else (step,):
            if isinstance(let, p.Let) and type(let.value) is Sym and is_logic(let.value) and let.value.vars <= falls:
                uses[let.var] = uses.get(let.var, 0) + MANY
    return uses


def _inlined(shop: Workshop, steps: Sequence[p.Step], uses: dict[Sym, int]) -> list[p.Step]:
    out: list[p.Step] = []
    waiting: dict[Sym, Value] = {}  # values of this run of Lets that one expression reads
    for i, step in enumerate(steps):
        if isinstance(step, p.Branch | p.Loop):
            step = replace(step, steps=_inlined(shop, step.steps, uses))
        if not isinstance(step, p.Let):
            out.append(step)
            continue
        value = step.value
        if not vars_of((value,)).isdisjoint(waiting):
            value = Rewriter(shop, dict(waiting)).value(value)
        if uses.get(step.var) == 1 and _soon(steps, i, step.var):
            waiting[step.var] = value
        else:
            out.append(p.Let(step.var, value))
    return out


def _soon(steps: Sequence[p.Step], i: int, var: Sym) -> bool:
    """Whether a value is read by a Let that follows, with nothing but Lets between."""
    for step in steps[i + 1 :]:
        if not isinstance(step, p.Let):
            return False
        if var in vars_of((step.value,)):
            return True
    return False


class Together:
    """Which variables are in one factor by now."""

    def __init__(self, group: dict[Sym, int] | None = None, last: int = 0) -> None:
        self._group: dict[Sym, int] = group or {}
        self._next = last

    def without(self, vars: frozenset[Sym]) -> Together:
        """The same apart from some variables, which stand on the board."""
        return Together({var: group for var, group in self._group.items() if var not in vars}, self._next)

    def beside(self, var: Sym) -> frozenset[Sym]:
        """All that stands in one factor with a variable."""
        mine = self._group[var]
        return frozenset(other for other, group in self._group.items() if group == mine)

    def groups(self, vars: frozenset[Sym]) -> frozenset[int]:
        """In which factors these stand; one that has not been set yet counts as one of its own."""
        return frozenset([self._group.get(var, -var.number) for var in vars])

    def copy(self) -> Together:
        return Together(dict(self._group), self._next)

    def joins(self, vars: frozenset[Sym]) -> bool:
        """Whether these stand in several factors."""
        return len({self._group.get(var, -1) for var in vars}) > 1

    def join(self, vars: frozenset[Sym]) -> None:
        old = {self._group[var] for var in vars if var in self._group}
        self._next += 1
        for var, group in self._group.items():
            if group in old:
                self._group[var] = self._next
        for var in vars:
            self._group[var] = self._next
