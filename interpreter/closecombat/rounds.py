"""One close combat after another, until it is resolved."""

from __future__ import annotations

from functools import partial

from closecombat.acts import play
from closecombat.diagnostics import Faulty
from closecombat.evaluator import Run, Slot
from closecombat.repetition import as_variable, repeat
from closecombat.symbolic import VARIABLE, Sym, Value
from closecombat.terms import Term

MOST_PLAYED = 10_000


def play_combats(run: Run, number: int) -> None:
    """Plays `start` that often, with `between` before each but the first; no further once the fight is resolved."""
    play(run, run.ruleset.start, {})
    if number > 1:
        until = run.bound.until()
        over = until.run(run, {}) if until is not None else False
        run.under(run.shop.not_(over), partial(_further, run, number - 1))


def _further(run: Run, number: int) -> None:
    _go_on(run)
    play_combats(run, number)


def play_until_resolved(run: Run) -> None:
    """Plays `start`, then asks `until`; where it does not hold, plays `between` and begins again."""
    ruleset, until = run.ruleset, _until(run)

    def go_on() -> None:
        _go_on(run)

    def one_round() -> Value:
        play(run, ruleset.start, {})
        over = until.run(run, {})
        run.under(run.shop.not_(over), go_on)
        return over

    if run.answers is not None:
        for _ in range(MOST_PLAYED):
            if one_round():
                return
        raise Faulty.one(
            "loop-without-end", f"the fight is not resolved after {MOST_PLAYED} rounds", ruleset.document.span
        )
    last: list[Value] = []

    def the_rest() -> None:
        before = dict(run.slots)
        go_on()
        rounds = 2 if _turns_to_and_fro(run, before) else 1

        def body() -> None:
            last[:] = [_pass_of(run, until, rounds)]

        repeat(run, body, lambda: last[0], None, ruleset.document.span)

    # The first round is worked out on its own: what it settles for good need not be asked again in every other.
    play(run, ruleset.start, {})
    run.under(run.shop.not_(until.run(run, {})), the_rest)


def _pass_of(run: Run, until: Term, rounds: int) -> Value:
    """Some rounds, each but the last followed by the next unless the fight is over; whether it is."""
    play(run, run.ruleset.start, {})
    over = until.run(run, {})
    later: list[Value] = []

    def another() -> None:
        _go_on(run)
        if rounds > 1:
            _as_variables(run)
            later.append(_pass_of(run, until, rounds - 1))

    run.under(run.shop.not_(over), another)
    return run.shop.if_(over, True, later[0]) if later else over


def _turns_to_and_fro(run: Run, before: dict[Slot, Value]) -> bool:
    """Whether something that `between` has just changed it would change back the next time, for certain: whose turn it
    is, say. Two rounds are then one pass, in which it is known."""
    turned = {
        slot
        for slot, value in run.slots.items()
        if slot in before and type(value) is not Sym and type(before[slot]) is not Sym and value != before[slot]
    }
    if not turned:
        return False
    journal: dict[Slot, Value] = {}
    outer, run.steps = run.steps, []
    names, run.names = run.names, dict(run.names)
    run.journals.append(journal)
    run.changed()
    _go_on(run)
    run.journals.pop()
    run.steps, run.names = outer, names
    to_and_fro = any(type(run.slots[slot]) is not Sym and run.slots[slot] == before[slot] for slot in turned)
    run.slots.update(journal)
    run.changed()
    return to_and_fro


def _as_variables(run: Run) -> None:
    """Gives whatever is not known a variable, as at the beginning of a pass: the next round need not look behind it."""
    for slot, value in list(run.slots.items()):
        if type(value) is Sym and value.fn is not VARIABLE:
            run.write(slot, as_variable(run, slot, value))


def _go_on(run: Run) -> None:
    if run.ruleset.between:
        play(run, run.ruleset.between, {})


def _until(run: Run) -> Term:
    until = run.bound.until()
    if until is None:
        raise Faulty.one(
            "missing-key",
            f"`{run.ruleset.name}` does not say when a fight is resolved",
            run.ruleset.document.span,
            help="add `rounds: {until: .., between: ..}`",
        )
    return until
