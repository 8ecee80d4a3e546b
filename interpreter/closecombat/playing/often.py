"""A fight that is played often: a playing is what the same dice have come to before, or is recalled piece by piece.

So is what is told of it. Who has read what happened in the last playing mostly reads it of the next too.

Whatever fails is played once more with the same dice, and nothing recalled: so a fault is told as it always is.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import field
from typing import Any, TypeVar

from closecombat.binding.trace import Recorder
from closecombat.playing.fight import Fight, begin, go
from closecombat.playing.paths import Paths
from closecombat.playing.recall import Draws, Recall
from closecombat.playing.run import Run
from closecombat.proving.throws.dice import Answers, SeededDice
from closecombat.reading.types import Face
from closecombat.text.faults import Faulty
from closecombat.text.slotted import dataclass

FEW = 6  # playings of a fight, or fewer, are played as they are: to keep what they come to takes as long again
MOST_ENDS = 20_000  # playings of which it is kept what they came to as a whole
TRIED = 10_000  # playings after which some should have thrown the same
SELDOM = 8

T = TypeVar("T")


@dataclass(slots=True)
class Often:
    """How often a fight was played, what its pieces have come to, and what whole playings were told of their end."""

    fight: Fight
    times: int = 0
    recall: Recall = field(default_factory=Recall)
    telling: Recall = field(default_factory=Recall)  # of playings that are told
    ends: dict[Hashable, Paths[tuple[Any]]] = field(default_factory=dict)
    is_read: bool = False  # whether somebody has wanted to know what happened in the last playing


def recalls(fight: Fight, answers: Answers) -> bool:
    """Whether this playing is one of many by dice from a seed: then it is recalled, as far as it was played before."""
    if not isinstance(answers, SeededDice) or type(answers).begin is not SeededDice.begin:
        return False
    often = _of(fight)
    often.times += 1
    return often.times > FEW


def is_read(fight: Fight) -> None:
    """Somebody wants to know what happened in a playing."""
    _of(fight).is_read = True


def was_read(fight: Fight) -> bool:
    """Whether anybody has, since this was asked the last time."""
    often = _of(fight)
    was, often.is_read = often.is_read, False
    return was


def played(
    fight: Fight,
    answers: Answers,
    until_resolved: bool,
    what: Hashable,
    ask: Callable[[Run], T],
    told: bool = False,
    most_work: int | None = None,
) -> tuple[T, tuple[Face, ...]]:
    """What is asked of the end of a playing, and the dice that were thrown. `what` says what is asked: where the same
    dice are thrown again, it is what it was. The run is one that has `told` everything, if that is wanted. What would
    be more than `most_work` is broken off."""
    often, draws = _of(fight), Draws(answers)
    ends = often.ends.setdefault((what, until_resolved), Paths())
    found = None if ends.given_up else ends.gone({}, draws.put)
    if found is not None:
        end: T = found[0]
        return end, _faces(draws)
    draws.give_back(0)
    try:
        end = ask(_gone(_recalling(often, draws, Recorder() if told else None), until_resolved, most_work))
    except Faulty:
        draws.give_back(0)
        draws.path = None
        run = begin(fight, draws, Recorder() if told else None)
        return ask(_gone(run, until_resolved, most_work)), _faces(draws)
    if ends.missed >= TRIED and ends.found * SELDOM < ends.missed:
        ends.give_up()
    elif not ends.given_up and ends.missed <= MOST_ENDS:
        ends.keep(draws.thrown, (end,))
    return end, _faces(draws)


def _recalling(often: Often, draws: Draws, recorder: Recorder | None) -> Run:
    run = begin(often.fight, draws, recorder)
    recall = often.recall if recorder is None else often.telling
    run.recalls(recall, recall.course)
    recall.draws = draws
    return run


def _of(fight: Fight) -> Often:
    """Of this very fight: one with other options is another."""
    if not fight.often or fight.often[0].fight is not fight:
        fight.often[:] = [Often(fight)]
    often: Often = fight.often[0]
    return often


def _gone(run: Run, until_resolved: bool, most_work: int | None) -> Run:
    run.may_spend(most_work)
    go(run, until_resolved)
    return run


def _faces(draws: Draws) -> tuple[Face, ...]:
    return tuple([face for _, face in draws.thrown])
