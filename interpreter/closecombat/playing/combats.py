"""One close combat after another: so many, or until the fight is resolved."""

from __future__ import annotations

from functools import partial

from closecombat.playing.agenda import go_on, resolved
from closecombat.playing.repeat import Standstill, refuse_endless, repeat
from closecombat.playing.run import Run
from closecombat.playing.sequences import play
from closecombat.proving.values.symbolic import Sym, Value
from closecombat.reading.slots import Slot
from closecombat.text.faults import Faulty

MOST_AT_ONCE = 20_000  # values that hang on each other in one round for all states; of more, state by state


def play_combats(run: Run, number: int) -> None:
    """Plays `start` that often, with `between` before each but the first; no further once the fight is resolved.

    Whether there is another combat may hang on the dice: then each is a branch inside the one before. What has changed
    has a variable after each row, and once more behind each branch: so a combat begins with what is known then, and
    does not remember how it came about.
    """

    def further() -> None:
        go_on(run)
        play_combats(run, number - 1)

    run.begins_a_combat()
    play(run, run.ruleset.start, {})
    if number > 1:
        until = run.bound.until()
        over = until.run(run, {}) if until is not None else False
        run.one_by_one([partial(run.under, run.shop.not_(over), partial(run.as_at_first, further))])


def play_until_resolved(run: Run) -> None:
    """Plays `start`, then asks `until`; where it does not hold, plays `between` and begins again."""
    ruleset, until = run.ruleset, resolved(run)

    def one_round() -> Value:
        run.begins_a_combat()
        play(run, ruleset.start, {})
        over = until.run(run, {})
        run.under(run.shop.not_(over), partial(go_on, run))
        return over

    place = ruleset.until.place if ruleset.until is not None else ruleset.place
    if run.answers is not None:
        played, begun, standstill = 0, run.shop.budget.spent, Standstill(run)
        while not one_round():
            played += 1
            said = f"the fight is not resolved after {played:,} rounds"
            if standstill.is_reached():
                said += ", of which the last left everything as it was once before"
                raise Faulty.one("loop-without-end", said, place, help="look at what it waits for")
            refuse_endless(run, played, begun, said, place)
        return

    def the_rest() -> None:
        before = dict(run.slots)
        go_on(run)
        repeat(run, one_round, None, place, _turned(run, before))

    def at_once() -> None:
        # The first round is worked out on its own: what it settles for good need not be asked again in every other.
        run.begins_a_combat()
        play(run, ruleset.start, {})
        run.under(run.shop.not_(until.run(run, {})), the_rest)

    at_first = run.state.copy()
    if run.may_be_written(at_once, MOST_AT_ONCE):
        return
    run.begin_again(at_first)
    from closecombat.playing.state_by_state import fought_out  # of few fights

    fought_out(run, place)


def _turned(run: Run, before: dict[Slot, Value]) -> list[dict[Slot, Value]]:
    """What `between` has just changed and would change back the next time, whose turn it is, say: what it is now, and
    what it would be then. Such a turn is known in each round."""
    now = {
        slot: value
        for slot, value in run.slots.items()
        if slot in before and type(value) is not Sym and type(before[slot]) is not Sym and value != before[slot]
    }
    after = run.gone_through(partial(go_on, run)).after if now else {}
    back = [slot for slot in now if slot in after and type(after[slot]) is not Sym and after[slot] == before[slot]]
    return [{slot: now[slot] for slot in back}, {slot: before[slot] for slot in back}] if back else []
