"""One playing of a close combat: what was thrown, what happened and why, and how it ended.

The events are written down by the run itself (`binding/trace`); what is shown of them is decided in `telling/trace`.
A playing is its dice: of a fight that is resolved often, what happened is told when somebody wants to know, by playing
it again with the same dice (`playing/often` knows its end without that); at once, where it was wanted of the last one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from functools import partial

from closecombat.asking.exact.answers import Assumption
from closecombat.asking.exact.chances import assumptions, left_open, printed
from closecombat.binding.charts import Bound
from closecombat.binding.trace import Event, Recorder
from closecombat.playing.answers import Declared
from closecombat.playing.fight import Fight, at_first, begin, changes, check_answers, go, losses, verdicts
from closecombat.playing.often import is_read, played, recalls, was_read
from closecombat.playing.run import Run
from closecombat.proving.throws.dice import Answers, ScriptedDice
from closecombat.proving.values.symbolic import Value
from closecombat.reading.model import name_of_stack
from closecombat.reading.types import Exact, Face, Thing
from closecombat.text.faults import Bug
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
    story: Story = field(compare=False, repr=False)
    sides: Mapping[str, str]
    lost: Mapping[str, Exact]
    unit: str
    units: Mapping[str, Mapping[str, Value]]
    before: Mapping[str, Mapping[str, Value]]
    printed: frozenset[str]

    @property
    def events(self) -> tuple[Event, ...]:
        """What happened, one after the other."""
        return self.story.told.events

    @property
    def assumptions(self) -> tuple[Assumption, ...]:
        return self.story.told.assumptions

    @property
    def remarks(self) -> tuple[str, ...]:
        return self.story.told.remarks


@dataclass(frozen=True, slots=True)
class Told:
    """What happened in a playing, and what it rests on."""

    events: tuple[Event, ...]
    assumptions: tuple[Assumption, ...]
    remarks: tuple[str, ...]


class Story:
    """The same, told when somebody wants to know."""

    __slots__ = ("_tell", "_told")

    def __init__(self, tell: Callable[[], Told]) -> None:
        self._tell = tell
        self._told: Told | None = None

    @property
    def told(self) -> Told:
        if self._told is None:
            self._told = self._tell()
        return self._told


@dataclass(frozen=True, slots=True)
class End:
    """What a playing has come to; the names are those of a resolution."""

    sides: Mapping[str, str]
    lost: Mapping[str, Exact]
    units: Mapping[str, Mapping[str, Value]]
    before: Mapping[str, Mapping[str, Value]]


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


class Again:
    """Dice that fall as they once fell."""

    def __init__(self, faces: Iterable[Face]) -> None:
        self._faces = iter(faces)

    def begin(self, number: int, what: str, place: Span) -> None:
        pass

    def face(self, faces: tuple[Face, ...], what: str) -> Face:
        return next(self._faces)

    def card(self, cards: Sequence[tuple[str, int]], what: str) -> str:
        return str(next(self._faces))


def resolve(
    fight: Fight,
    answers: Answers,
    until_resolved: bool = False,
    players: Declared | None = None,
    most_work: int | None = None,
) -> Resolution:
    """Plays a fight. `players` answer what the situation leaves open; else that is left to the ruleset. What would be
    more than `most_work` is broken off.

    Raises Faulty for an illegal choice, and for scripted dice that are missing, left over or impossible.
    """
    ruleset = fight.bound.ruleset
    if players is None and recalls(fight, answers):
        if was_read(fight):
            (end, told), faces = _played_and_told(fight, answers, until_resolved)
            story = Story(partial(_read, fight, told))
        else:
            end, faces = played(fight, answers, until_resolved, "resolved", partial(_ended, fight))
            story = Story(partial(_told_again, fight, faces, until_resolved))
    else:
        dice, recorder = Noting(answers), Recorder()
        run = begin(fight, dice, recorder, players)
        run.may_spend(most_work)
        go(run, until_resolved)
        if isinstance(answers, ScriptedDice):
            answers.finish()
        end, faces = _ended(fight, run), tuple(dice.faces)
        story = Story(partial(_read, fight, _told(run, recorder)))
    table = ruleset.tables.get("strength-lost")
    return Resolution(
        name_of_stack(ruleset),
        ruleset.title,
        faces,
        story,
        end.sides,
        end.lost,
        table.unit if table is not None else "",
        end.units,
        end.before,
        _printed(fight.bound),
    )


def _printed(bound: Bound) -> frozenset[str]:
    """What is printed on counters: the same for every playing."""
    if ("printed",) not in bound.kept:
        bound.kept["printed",] = printed(bound.ruleset)
    found: frozenset[str] = bound.kept["printed",]
    return found


def _ended(fight: Fight, run: Run) -> End:
    """What a run has come to, if all answers were asked for."""
    check_answers(run, fight)
    ends, lost = run.recalled_of("ended", {}, partial(_verdicts_and_losses, run))
    with run.unrecorded():
        changed = changes(run)
    return End(
        {thing.name: str(verdict) for thing, verdict in ends.items()},
        {thing.name: amount for thing, amount in lost.items()},
        {thing.name: dict(facts) for thing, facts in changed.items()},
        {one.name: {fact: at_first(run, one, fact) for fact in facts} for one, facts in changed.items()},
    )


def _verdicts_and_losses(run: Run) -> tuple[Mapping[Thing, Value], Mapping[Thing, Value]]:
    with run.unrecorded():
        return verdicts(run), losses(run)


def _told_again(fight: Fight, faces: tuple[Face, ...], until_resolved: bool) -> Told:
    (_, told), _ = _played_and_told(fight, Again(faces), until_resolved)
    return _read(fight, told)


def _read(fight: Fight, told: Told) -> Told:
    """What is wanted of one playing is mostly wanted of the next too: that one is told at once."""
    is_read(fight)
    return told


def _played_and_told(fight: Fight, answers: Answers, until_resolved: bool) -> tuple[tuple[End, Told], tuple[Face, ...]]:
    return played(fight, answers, until_resolved, "told", partial(_ended_and_told, fight), told=True)


def _ended_and_told(fight: Fight, run: Run) -> tuple[End, Told]:
    if run.recorder is None:
        raise Bug("nobody has written down what happened")
    return _ended(fight, run), _told(run, run.recorder)  # what its end rests on is part of what is told


def _told(run: Run, recorder: Recorder) -> Told:
    return Told(tuple(recorder.events), assumptions(run.ruleset, run.notes), left_open(run.notes))
