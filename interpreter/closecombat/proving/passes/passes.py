"""The passes over a program, in the order in which they run.

A pass makes an equal program of a program: each row of what is asked has the same chance, and what fails for some
fall of the dice fails as before. So each can be left out, at the price that its `worth` names
(`tests/proving/test_passes.py` leaves out each); one that is worth nothing on the benchmarks does not stand here.
How a pass works is told in its own module: this is the map.

What the last pass leaves is carried out by `operations` and `loop`, over factors. Nearly all that is done here serves
to keep factors small and apart: a value made from two throws joins their factors, and the joined one has as many rows
as both together, multiplied.

**Why they are several.** Which value is worked out where could be one decision, an order in which throws are joined,
in the place of certainty, sinking and demand. It is three since they know three things: what cannot be otherwise is
known from the beginning of a program on, where a value is needed from the branches around it, and whether anybody looks
at it only from its end. Each is one walk over the program, and none does what another has done. On `w1`, `w2` and `w4`
sinking and demand change no call of what is carried out; what they are for is long programs with many branches. What
is one order already is in which throws are joined to a sum, or to what else is made of many (`running`).

`worth` is counted in calls of functions while a program is carried out, and in rows gone through: these do not hang
on the machine. The fights are `w1` to `w4` and the situations of `tests/benchmarks`, and for `farmhouse` and `until
resolved` what `processes.py` and the README run. A fight that is not named changes by less than a tenth.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TypeAlias

from closecombat.proving.passes.demand import asked_only
from closecombat.proving.passes.forgetting import forgetting
from closecombat.proving.passes.meeting import met
from closecombat.proving.passes.running import throw_by_throw
from closecombat.proving.passes.simplifying import settled, shared
from closecombat.proving.passes.sinking import branch_facts_used, inlined, into_branch, sunk
from closecombat.proving.passes.splitting import split
from closecombat.proving.passes.symmetry import symmetric
from closecombat.proving.programs import program as p
from closecombat.proving.programs.liveness import pruned, vars_of
from closecombat.proving.values.symbolic import Value, Workshop
from closecombat.text.slotted import dataclass

Asked: TypeAlias = tuple[list[p.Step], list[Value]]  # a program, and what is asked at its end


@dataclass(frozen=True, slots=True)
class Pass:
    """One pass: `needs` and `keeps` are what must hold of the program before, and still holds after."""

    name: str
    idea: str
    needs: str
    keeps: str
    worth: str
    work: Callable[[Workshop, list[p.Step], list[Value]], Asked]


def optimised(shop: Workshop, steps: Sequence[p.Step], wanted: Sequence[Value], without: Collection[str] = ()) -> Asked:
    """The program after all passes, but for those that are left out by name."""
    found: Asked = list(steps), list(wanted)
    for one in PASSES:
        if one.name not in without:
            found = one.work(shop, *found)
    return found


def _liveness(shop: Workshop, steps: list[p.Step], wanted: list[Value]) -> Asked:
    return pruned(steps, vars_of(wanted))[0], wanted


def _certainty(shop: Workshop, steps: list[p.Step], wanted: list[Value]) -> Asked:
    return settled(shop, steps, wanted)


def _sharing(shop: Workshop, steps: list[p.Step], wanted: list[Value]) -> Asked:
    return shared(shop, steps, wanted)


def _splitting(shop: Workshop, steps: list[p.Step], wanted: list[Value]) -> Asked:
    return split(shop, steps, wanted)


def _inlining(shop: Workshop, steps: list[p.Step], wanted: list[Value]) -> Asked:
    return inlined(shop, steps, wanted)


def _telling(shop: Workshop, steps: list[p.Step], wanted: list[Value]) -> Asked:
    return branch_facts_used(shop, steps), wanted


def _sinking(shop: Workshop, steps: list[p.Step], wanted: list[Value]) -> Asked:
    return sunk(shop, steps, wanted)


def _symmetry(shop: Workshop, steps: list[p.Step], wanted: list[Value]) -> Asked:
    return symmetric(shop, steps, wanted), wanted


def _forgetting(shop: Workshop, steps: list[p.Step], wanted: list[Value]) -> Asked:
    return forgetting(shop, steps, wanted), wanted


def _arms(shop: Workshop, steps: list[p.Step], wanted: list[Value]) -> Asked:
    return into_branch(shop, steps, wanted), wanted


def _meeting(shop: Workshop, steps: list[p.Step], wanted: list[Value]) -> Asked:
    return met(shop, steps, wanted)


def _running(shop: Workshop, steps: list[p.Step], wanted: list[Value]) -> Asked:
    return throw_by_throw(shop, steps, wanted)


def _demand(shop: Workshop, steps: list[p.Step], wanted: list[Value]) -> Asked:
    return asked_only(shop, steps, wanted), wanted


PASSES: Sequence[Pass] = (
    Pass(
        "liveness",
        idea="what nobody reads is not worked out, in a loop not even if it feeds itself",
        needs="nothing",
        keeps="every Must, and every loop without a bound: what may go wrong is told",
        worth="forty dice: 3,400,000 calls instead of 3,900,000; made ready in three fifths of the time in asl",
        work=_liveness,
    ),
    Pass(
        "forgetting",
        idea="states of a fight to the end that differ by nothing that counts, such as what has gone, are one",
        needs="no dead values; what is behind a branch still asks for its condition as it stands there",
        keeps="the program as it is",
        worth="two of the shipped fights to the end: 422 states and ends instead of 2,356, and 1,200 instead of more "
        "than 88,000; w3-6v6: 729 instead of 5,929",
        work=_forgetting,
    ),
    Pass(
        "symmetry",
        idea="things of a fight to the end that can be swapped: states that differ by a swap are one",
        needs="the same as forgetting; and what of two things is done alike still stands there alike",
        keeps="the program as it is",
        worth="w3-3v3: 74,000 calls instead of 325,000; w3-6v6: 780,000 instead of more than 23,000,000",
        work=_symmetry,
    ),
    Pass(
        "certainty",
        idea="what is certain, with the dice that there are, is not asked, and not watched",
        needs="what is looked at as it was written: a value that was made elsewhere may have failed there",
        keeps="every value that does not fail",
        worth="w1-row-8v11: 118 rows instead of 790; five attacks a side, by sides: 560 instead of 13,500",
        work=_certainty,
    ),
    Pass(
        "splitting",
        idea="a value of which only some questions are asked is replaced by their answers",
        needs="no dead values: each would ask questions of its own",
        keeps="each variable is set once; what is asked, in other words",
        worth="forty dice: more than a million rows at once without it; w4-10v10: half of the time; "
        "farmhouse by dice pools: a sixth",
        work=_splitting,
    ),
    Pass(
        "inlining",
        idea="a value that only the next one is made from is put into it: one pass over the rows instead of two",
        needs="values that nobody reads may stand there: what is counted is who reads one",
        keeps="no value is worked out twice",
        worth="four attacks: 39,000 calls instead of 86,000",
        work=_inlining,
    ),
    Pass(
        "sharing",
        idea="a condition that all sides of an `or` have in common is asked once",
        needs="values put into each other, so that it is seen what they have in common",
        keeps="every value that does not fail",
        worth="five attacks a side, by sides: 560 rows instead of 13,500",
        work=_sharing,
    ),
    Pass(
        "branch facts",
        idea="what a branch takes for granted, also of values set before, is not asked again inside it",
        needs="nothing",
        keeps="every value, where it is looked at",
        worth="farmhouse by asl: 409,000 calls instead of 608,000",
        work=_telling,
    ),
    Pass(
        "sinking",
        idea="a value that joins throws is worked out only where it is needed, if that is in a branch within it",
        needs="branches without `otherwise`",
        keeps="the order of all else",
        worth="forty dice: more than a million rows at once without it",
        work=_sinking,
    ),
    Pass(
        "arms",
        idea="values at the end that hang on a branch are set in both its arms, each time with what is known there, "
        "and so inside it",
        needs="whatever else moves steps has done so: from here on a branch has an `otherwise`",
        keeps="each variable is set in one step, once in each arm",
        worth="forty dice: 3,400,000 calls instead of 10,600,000; five rounds of a duel with 44 hit points: more than "
        "a million rows without it; at a price: four attacks takes 39,000 instead of 28,000, "
        "and the first run of w2 1,235 instead of 902",
        work=_arms,
    ),
    Pass(
        "meeting",
        idea="what a branch leaves of a fact is one value behind it, and what it was before is forgotten",
        needs="whatever moves steps has done so, and what a branch takes for granted has been told",
        keeps="every variable where it is",
        worth="three blocks against three over two rounds: 2 s and 130 MB instead of 46 s and 1.3 GB",
        work=_meeting,
    ),
    Pass(
        "running values",
        idea="what is made of many throws is made throw after throw, and each is forgotten as soon as it counts",
        needs="nothing that puts values into each other behind it",
        keeps="the order in which the sides of a chain are looked at",
        worth="five attacks a side, by sides: 560 rows instead of 86,700; seven had too many",
        work=_running,
    ),
    Pass(
        "demand",
        idea="where nobody will look at a value it need not be told apart: there it is None",
        needs="the final form of the program: when a value is looked at is gathered from the end",
        keeps="every value, where it is looked at",
        worth="forty dice: 690,000 rows instead of 1,540,000 (which takes twice the time); farmhouse by dice pools: "
        "77,000 instead of 98,000",
        work=_demand,
    ),
)
