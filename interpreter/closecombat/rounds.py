"""One close combat after another, until it is resolved."""

from __future__ import annotations

from functools import partial

from closecombat.acts import play
from closecombat.diagnostics import Faulty
from closecombat.evaluator import Run
from closecombat.repetition import repeat
from closecombat.symbolic import Value
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

    def body() -> None:
        last[:] = [one_round()]

    def the_rest() -> None:
        go_on()
        repeat(run, body, lambda: last[0], None, ruleset.document.span)

    # The first round is worked out on its own: what it settles for good need not be asked again in every other.
    play(run, ruleset.start, {})
    run.under(run.shop.not_(until.run(run, {})), the_rest)


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
