"""What a result rests on, by what each of it would move in this fight: assumptions, how rules are read, and choices
that were left to the ruleset.

Each is weighed by itself, with all else as it is (`weigh`): so the weight of an assumption is the difference of two
results, one of them with the other reading. It is told of the outcome that it moves most, and of the other reading
that does most; whatever else it could be moves less, unless that was not weighed, which is then said. What would move
the result is told though nobody noted that it rests on it: as the rule is read now, it may decide nothing.

A reading that is behind an assumption is told as that assumption.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from types import MappingProxyType
from typing import TypeVar

from closecombat.asking.exact.answers import ALONE, ASSUMPTION, CHOICE, MOVES, READING, STILL, UNWEIGHED, Basis, Chances
from closecombat.asking.exact.questions import Asked
from closecombat.asking.weights.changeable import Rules
from closecombat.asking.weights.weigh import Weighing, weigh
from closecombat.asking.weights.weights import AT_FAULT, FORBIDDEN, NOT_TRIED, TOO_LARGE, Weighed, Weight
from closecombat.playing.fight import Fight
from closecombat.proving.values.budget import SECOND, UNASKED
from closecombat.reading.model import Ruleset, can_be_read_otherwise

MOST_OF_ONE = SECOND  # of work, for one change; or twice what the fight itself takes
WHY: Mapping[str, str] = MappingProxyType(
    {
        TOO_LARGE: "too large",
        NOT_TRIED: "it takes longer: --yes",
        FORBIDDEN: "then what is declared is forbidden",
        AT_FAULT: "then there is no such fight",
    }
)
Result = TypeVar("Result", Chances, Asked)


def with_weights(
    result: Result,
    fight: Fight,
    rules: Rules,
    questions: tuple[str, ...] = (),
    until_resolved: bool = False,
    is_asked: bool = False,
    watch: Callable[[int, int], None] | None = None,
) -> Result:
    """A result with what it rests on, the heaviest first; as much of it as is weighed within the time that nobody has
    to ask for, or if it `is_asked`, all of it."""
    how = Weighing(
        rules,
        questions,
        until_resolved=until_resolved,
        shares=False,
        doubts=True,
        choices=True,
        as_far_as_it_goes=True,
        most_work=None if is_asked else UNASKED,
        most_of_one=None if is_asked else MOST_OF_ONE,
        watch=watch,
    )
    noted = {one.id for one in result.assumptions}
    found = tuple(rests_on(weigh("", fight, how), fight.bound.ruleset, noted, result.remarks))
    places = {one.name: place for place, one in enumerate(found) if one.sort == ASSUMPTION}
    assumptions = sorted(result.assumptions, key=lambda one: places.get(one.id, len(found)))
    return replace(result, assumptions=tuple(assumptions), rests_on=found)


def rests_on(found: Weighed, ruleset: Ruleset, noted: Collection[str], remarks: Collection[str]) -> Sequence[Basis]:
    """All that a result rests on, the heaviest first; `noted` are the assumptions that were met, `remarks` what is
    said of what was left open. Then what was not weighed, what has no other reading, and what moves nothing."""
    order = (MOVES, UNWEIGHED, ALONE, STILL)
    every = [*_assumptions(found, ruleset, noted), *_readings(found, ruleset), *_choices(found, remarks)]
    every.sort(key=lambda one: (order.index(one[1].fate), -one[0][0], -one[0][1]))
    return [basis for _, basis in every]


Heavy = tuple[Fraction, Fraction]


def _assumptions(found: Weighed, ruleset: Ruleset, noted: Collection[str]) -> Iterator[tuple[Heavy, Basis]]:
    for id, text in ruleset.assumptions.items():
        mine = [one for one in _weights(found) if id in one.assumed]
        if id not in noted and not any(one.shifts or one.fault for one in mine):
            continue
        second, head = ruleset.second_readings.get(id), (ASSUMPTION, id, " ".join(text.split()), ())
        if_none = STILL if can_be_read_otherwise(ruleset, id) else ALONE  # what it would change is never met here
        yield _basis(head, mine, if_none, second.only if second is not None else "")


def _readings(found: Weighed, ruleset: Ruleset) -> Iterator[tuple[Heavy, Basis]]:
    for option in ruleset.options.values():
        mine = [one for one in _weights(found) if (one.sort, one.name) == (READING, option.name) and not one.assumed]
        if mine:
            yield _basis((READING, option.name, mine[0].was, mine[0].cites), mine, STILL, "")


def _choices(found: Weighed, remarks: Collection[str]) -> Iterator[tuple[Heavy, Basis]]:
    """The choices that were left open for certain. An answer that the rules forbid is none."""
    for left in found.left_open:
        said = tuple(one for one in left.remarks if one in remarks)
        if not said:
            continue
        every = [one for one in _weights(found) if (one.sort, one.name) == (CHOICE, left.name)]
        mine = [one for one in every if one.fault != FORBIDDEN]
        cites = every[0].cites if every else ()
        why = left.why or "which other answers there are hangs on the dice"
        weight, basis = _basis((CHOICE, left.name, left.now, cites), mine, UNWEIGHED, why)
        yield weight, replace(basis, says=said)


def _why_not(sort: str, mine: Sequence[Weight]) -> str:
    """Why some of it was not weighed: once for all that it could be, or for what it could be in a word."""
    others: dict[str, list[str]] = {}
    for one in mine:
        if one.fault:
            others.setdefault(WHY[one.fault], []).append(one.other)
    if len(others) == 1 and (sort == ASSUMPTION or len(*others.values()) == len(mine)):
        return next(iter(others))
    return "; ".join(why if sort == ASSUMPTION else f"{', '.join(those)}: {why}" for why, those in others.items())


def _weights(found: Weighed) -> tuple[Weight, ...]:
    return (*found.weights, *found.unmoved)


def _basis(
    head: tuple[str, str, str, tuple[str, ...]], mine: Sequence[Weight], if_none: str, why: str
) -> tuple[Heavy, Basis]:
    """What is told of something by the weights of all that it could be."""
    moving = max((one for one in mine if one.shifts), key=lambda one: one.by, default=None)
    unknown = _why_not(head[0], mine)
    if moving is not None:
        is_part = head[0] == ASSUMPTION and moving.sort != ASSUMPTION
        other = f"{moving.name}: {moving.other}" if is_part else moving.other
        return moving.by[1:], Basis(*head, MOVES, other, moving.shifts[0], unknown)
    nothing = Fraction(0), Fraction(0)
    if unknown:
        return nothing, Basis(*head, UNWEIGHED, why=unknown)
    return nothing, Basis(*head, STILL) if mine else Basis(*head, if_none, why=why)
