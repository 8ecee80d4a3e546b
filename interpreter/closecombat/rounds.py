"""One close combat after another: a few, or until it is resolved."""

from __future__ import annotations

from closecombat.acts import play
from closecombat.diagnostics import Faulty
from closecombat.evaluator import Run
from closecombat.repetition import repeat
from closecombat.symbolic import Value

MOST_PLAYED = 10_000


def play_rounds(run: Run, rounds: int) -> None:
    """Plays `start` that many times, and `between` in between; fewer where `until` holds before."""
    play(run, run.ruleset.start, {})
    if rounds > 1:

        def go_on() -> None:
            _between(run)
            play_rounds(run, rounds - 1)

        run.under(run.shop.not_(_resolved(run)), go_on)


def play_until_resolved(run: Run) -> None:
    """Plays `start`, then asks `until`; where it does not hold, plays `between` and begins again."""
    ruleset = run.ruleset

    def one_round() -> Value:
        play(run, ruleset.start, {})
        over = _resolved(run)
        run.under(run.shop.not_(over), lambda: _between(run))
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
        _between(run)
        repeat(run, body, lambda: last[0], None, ruleset.document.span)

    # The first round is worked out on its own: what it settles for good need not be asked again in every other.
    play(run, ruleset.start, {})
    run.under(run.shop.not_(_resolved(run)), the_rest)


def _between(run: Run) -> None:
    if run.ruleset.between:
        play(run, run.ruleset.between, {})


def _resolved(run: Run) -> Value:
    until = run.bound.until()
    if until is None:
        raise Faulty.one(
            "missing-key",
            f"`{run.ruleset.name}` does not say when a fight is resolved",
            run.ruleset.document.span,
            help="add `rounds: {until: .., between: ..}`",
        )
    return until.run(run, {})
