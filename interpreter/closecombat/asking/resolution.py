"""One playing of a close combat: what was thrown, what happened and why, and how it ended.

The events are written down by the run itself (`binding/trace`); what is shown of them is decided in `telling/trace`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from closecombat.asking.chances import Assumption, assumptions, left_open, printed, stack
from closecombat.binding.trace import Event, Recorder
from closecombat.playing.answers import Declared
from closecombat.playing.fight import Fight, at_first, begin, changes, check_answers, go, losses, verdicts
from closecombat.proving.dice import Answers, ScriptedDice
from closecombat.proving.symbolic import Value
from closecombat.reading.types import Exact, Face
from closecombat.text.slotted import dataclass
from closecombat.text.source import Span


@dataclass(frozen=True, slots=True)
class Resolution:
    """`dice` is every face thrown, in order: given again, it plays the same. `units` is what has changed of
    whom, `before` what those facts were; `printed` names the facts that another counter brings with it;
    `unit` is what strength lost is counted in."""

    ruleset: str
    title: str
    dice: tuple[Face, ...]
    events: tuple[Event, ...]
    sides: Mapping[str, str]
    lost: Mapping[str, Exact]
    unit: str
    units: Mapping[str, Mapping[str, Value]]
    before: Mapping[str, Mapping[str, Value]]
    assumptions: tuple[Assumption, ...]
    remarks: tuple[str, ...]
    printed: frozenset[str]


class Noting:
    """Dice that remember what they showed."""

    def __init__(self, answers: Answers) -> None:
        self._answers = answers
        self.faces: list[Face] = []

    def begin(self, number: int, what: str, place: Span) -> None:
        self._answers.begin(number, what, place)

    def face(self, faces: tuple[Face, ...], what: str) -> Face:
        self.faces.append(self._answers.face(faces, what))
        return self.faces[-1]

    def card(self, cards: Sequence[tuple[str, int]], what: str) -> str:
        self.faces.append(self._answers.card(cards, what))
        return str(self.faces[-1])


def resolve(
    fight: Fight, answers: Answers, until_resolved: bool = False, players: Declared | None = None
) -> Resolution:
    """Plays a fight. `players` answer what the situation leaves open; else that is left to the ruleset.

    Raises Faulty for an illegal choice, and for scripted dice that are missing, left over or impossible.
    """
    dice, recorder = Noting(answers), Recorder()
    run = begin(fight, dice, recorder, players)
    go(run, until_resolved)
    if isinstance(answers, ScriptedDice):
        answers.finish()
    check_answers(run, fight)
    table = fight.bound.ruleset.tables.get("strength-lost")
    with run.unrecorded():
        ends, lost, changed = verdicts(run), losses(run), changes(run)
    return Resolution(
        stack(fight.bound.ruleset),
        fight.bound.ruleset.title,
        tuple(dice.faces),
        tuple(recorder.events),
        {thing.name: str(verdict) for thing, verdict in ends.items()},
        {thing.name: amount for thing, amount in lost.items()},
        table.unit if table is not None else "",
        {thing.name: dict(facts) for thing, facts in changed.items()},
        {one.name: {fact: at_first(run, one, fact) for fact in facts} for one, facts in changed.items()},
        assumptions(fight.bound.ruleset, run.notes),
        left_open(run.notes),
        printed(fight.bound.ruleset),
    )
