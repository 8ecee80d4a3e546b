"""How long a fight to the end lasts: the chance that it is over after so many close combats.

It is a fight of its own, beside the one that tells how it ends: close combats are counted, to one more than are told,
and nothing else is asked of the end. So states that differ by who has won are one, and it takes about as long as the
other. What is written here is that count; how it is counted is `playing/run`.
"""

from __future__ import annotations

from fractions import Fraction

from closecombat.asking.exact.answers import TOO_MUCH
from closecombat.playing.fight import Fight, begin, distribution, go
from closecombat.proving.values.budget import SECOND
from closecombat.text.faults import Faulty

MOST_TOLD = 12  # close combats
BESIDE, AT_A_LOOK = 6 * SECOND, SECOND // 4  # of work, that is done without a word beside a comparison, or chances


def over_after(fight: Fight, most_work: int | None) -> tuple[Fraction, ...] | None:
    """How likely a fight to the end is over after one close combat, after two and so on, no further than it is sure to
    be over. None where that is more than so much work."""
    run = begin(fight, None)
    run.may_spend(most_work)
    run.count_combats(MOST_TOLD + 1)
    run.will_be_asked(lambda run: run.fought)
    try:
        go(run, until_resolved=True)
        found = distribution(run, [run.fought])
    except Faulty as error:
        if {one.code for one in error.diagnostics} <= TOO_MUCH:
            return None
        raise
    out = [Fraction(0)]
    for number in range(1, MOST_TOLD + 1):
        out.append(out[-1] + found.get((number,), Fraction(0)))
        if out[-1] == 1:
            break
    return tuple(out[1:])
