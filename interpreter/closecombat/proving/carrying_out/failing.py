"""What may go wrong in a pass of a fight to the end, from the state on the board: looked at once for each part of a
state that it hangs on, and not at all where the state alone shows that nothing can.

What a pass sets is worked out elsewhere (`loop`), trusting that nothing goes wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from closecombat.proving.carrying_out.plan import Operation, Plan
from closecombat.proving.programs import program as p
from closecombat.proving.programs.liveness import defined, must_be_done, outside, pruned, reads
from closecombat.proving.programs.writes import held
from closecombat.proving.tables.weights import Row
from closecombat.proving.values.symbolic import AND, ASKED, IF, OR, Fault, Looked, Sym, Tells, Value
from closecombat.proving.values.walking import walk
from closecombat.proving.writing.recipes import Factors
from closecombat.text.faults import Faulty

Now: TypeAlias = Callable[[Sym], Value]  # what is so of the state on the board


def watched(plan: Plan, now: Now, steps: Sequence[p.Step], first: Sequence[p.Step]) -> Callable[[], object]:
    """What may go wrong in a pass, looked at once for each part of a state that it hangs on: whatever hangs on the same
    together. If anything does, all is looked at in its order, and what comes first is told."""
    begin, settled = plan.frame, _settled_with(first)
    groups: dict[frozenset[Sym], list[int]] = {}
    for i, step in enumerate(steps):
        if must_be_done(step):
            needed = pruned(steps[:i], reads(step), trusting=True)[1]
            groups.setdefault(needed, []).append(i)
    for needed in sorted(groups, key=len):
        wider = next((other for other in groups if needed < other), None)
        if wider is not None:
            groups[wider] += groups.pop(needed)

    def all_in_order() -> None:
        with plan.at(begin):
            operations = plan.compile(pruned(steps, frozenset())[0], frozenset())
        _carried_out(operations)

    looks = []
    for mine in groups.values():
        with plan.at(begin):
            looks.append(_looking(plan, now, _with_only(steps, mine), settled, all_in_order))

    def look() -> None:
        for one in looks:
            one()

    return look


def _with_only(steps: Sequence[p.Step], those: Sequence[int]) -> list[p.Step]:
    """What must be done of some steps, and what they need."""
    out: list[p.Step] = []
    for i, step in enumerate(steps):
        if i in those or not must_be_done(step):
            out.append(step)
        else:
            out += pruned([step], defined((step,)), trusting=True)[0]
    return pruned(out, frozenset())[0]


def _looking(
    plan: Plan, now: Now, steps: Sequence[p.Step], settled: Mapping[Sym, Sym], all_in_order: Callable[[], None]
) -> Callable[[], object]:
    begin, needed = plan.frame, outside(steps)
    board, read = plan.board, [cell for var, cell in plan.frame.settled.items() if var in needed]
    might = _might_fail(plan, now, steps, settled)
    operations: list[Operation] = []

    def work_out(_: Row) -> None:
        if not might():
            return
        if not operations:
            with plan.at(begin):
                operations.extend(plan.compile(steps, frozenset()))
        try:
            _carried_out(operations)
        except (Faulty, Looked):
            all_in_order()
            raise

    known = plan.memo(work_out)
    return lambda: known[tuple([board[cell] for cell in read])]


def _carried_out(operations: Sequence[Operation]) -> None:
    inside: Factors = {}
    for operation in operations:
        operation(inside)


def _settled_with(first: Sequence[p.Step]) -> dict[Sym, Sym]:
    """For whatever is worked out on the way to a settled value, that value: it fails where any of them does."""
    out: dict[Sym, Sym] = {}

    def unseen(node: Sym) -> tuple[Value, ...]:
        return () if node in out else _always_asked(node)

    for step in first:
        if not isinstance(step, p.Let):
            continue
        new = [*walk((step.value,), unseen)]
        out |= {node: step.var for node in new if node not in out}
    return out


def _always_asked(node: Sym) -> tuple[Value, ...]:
    """The parts of a node that are worked out whenever it is."""
    return node.args[:1] if node.fn in (IF, AND, OR, ASKED) else node.args


def _might_fail(plan: Plan, now: Now, steps: Sequence[p.Step], settled: Mapping[Sym, Sym]) -> Callable[[], bool]:
    """Whether anything can go wrong in a pass, as far as the state on the board alone can tell."""
    ways = _looked_at(steps, ())
    if ways is None:
        return lambda: True
    known = plan.frame.settled.keys()
    asked = [
        (
            [one for one in conditions if one.vars <= known],
            settled.get(value, value)
            if type(value) is Sym and value.vars <= known and not isinstance(value.fn, Tells)
            else None,
        )
        for conditions, value in ways
    ]

    def might() -> bool:
        try:
            return any(
                (value is None or type(now(value)) is Fault)
                for conditions, value in asked
                if all(now(holds) for holds in conditions)
            )
        except (Faulty, Looked):
            return True

    return might


def _looked_at(steps: Sequence[p.Step], above: tuple[Value, ...]) -> list[tuple[list[Sym], Value]] | None:
    """All that is looked at, and the conditions under which it is; None if a repetition stands among the steps."""
    out: list[tuple[list[Sym], Value]] = []
    for step in steps:
        match step:
            case p.Must(when, value):
                conditions = (node for one in (*above, *when) for node, is_so in held(one).items() if is_so)
                out.append((list(dict.fromkeys(conditions)), value))
            case p.Branch(condition, inner, otherwise):
                for arm, more in ((inner, (*above, condition)), (otherwise, above)):
                    found = _looked_at(arm, more)
                    if found is None:
                        return None
                    out += found
            case p.Loop() if must_be_done(step):
                return None
    return out
