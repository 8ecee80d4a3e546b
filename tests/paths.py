"""Walks every way the dice can fall by playing it, one playing after another.

`walk` is an odometer: it plays with a list of answers, takes the first face of every die beyond them, and
remembers the faces that it did not take. What it finds owes nothing to the exact reading but the evaluator that
plays. Faces are told apart, dice stand in rolling order, and nothing is merged but like sides of one die.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from closecombat.playing import fight as fights
from closecombat.playing.run import Run
from closecombat.proving.throws.dice import Answers, Thrown
from closecombat.reading.slots import CardsLeft, CardsOf, Slot, TimesLeft
from closecombat.reading.types import Thing

End = frozenset[tuple[tuple[str, ...], Any]]


class TooManyPaths(Exception):
    """The walk was given up: it has no end, or one too far away."""


class OutOfDice(Exception):
    """A playing that went on for longer than a walk looks."""


class PathDice:
    """Dice that follow `given` and then show the first face each; `untried` are the ways not taken, with weights."""

    def __init__(self, given: tuple[Any, ...], weight: Fraction, at_most: int) -> None:
        self.given, self.weight, self.at_most = given, weight, at_most
        self.shown: list[Any] = []
        self.untried: list[tuple[tuple[Any, ...], Fraction]] = []

    def begin(self, number: int, what: str, place: Any) -> None:
        pass

    def face(self, faces: tuple[Any, ...], what: str) -> Any:
        return self._next([(face, faces.count(face)) for face in dict.fromkeys(faces)])

    def card(self, cards: Sequence[tuple[str, int]], what: str) -> str:
        return str(self._next([(word, number) for word, number in cards if number]))

    def _next(self, ways: list[tuple[Any, int]]) -> Any:
        at = len(self.shown)
        if at == self.at_most:
            raise OutOfDice
        if at < len(self.given):
            self.shown.append(self.given[at])
            return self.given[at]
        whole, before = sum(number for _, number in ways), self.weight
        for way, number in ways[1:]:
            self.untried.append(((*self.shown, way), before * Fraction(number, whole)))
        first, number = ways[0]
        self.weight = before * Fraction(number, whole)
        self.shown.append(first)
        return first


@dataclass(frozen=True)
class Path:
    """One way the dice fell, how likely it is, and how it ended; no end if the dice of the walk did not reach."""

    dice: tuple[Any, ...]
    chance: Fraction
    end: End | None


def play(fight: fights.Fight, answers: Answers) -> Run:
    run = fights.begin(fight, answers)
    fights.go(run)
    return run


def walk(fight: fights.Fight, at_most: int, dice_each: int = 100) -> Iterator[Path]:
    """Every way the dice can fall, looking no further than so many dice."""
    todo: list[tuple[tuple[Any, ...], Fraction]] = [((), Fraction(1))]
    for _ in range(at_most):
        if not todo:
            return
        dice = PathDice(*todo.pop(), dice_each)
        try:
            end = played_end(play(fight, dice))
        except OutOfDice:
            end = None
        todo += dice.untried
        yield Path(tuple(dice.shown), dice.weight, end)
    if todo:
        raise TooManyPaths(f"more than {at_most} paths")


# ---- how a fight ended, told alike by both readings ---------------------------------------------------------


def slots(run: Run) -> dict[tuple[str, ...], Any]:
    """Every fact of the end but the dice, by names; who is in which set; and the verdicts."""
    out = {tuple(str(part) for part in slot): value for slot, value in run.slots.items() if not _rolled(run, slot)}
    return out | {("verdict", thing.name): value for thing, value in fights.verdicts(run).items()}


def _rolled(run: Run, slot: Slot) -> bool:
    if isinstance(run.slots[slot], Thrown) or isinstance(slot, CardsLeft | CardsOf | TimesLeft):
        return True
    fact = run.fact_at(slot)
    return fact is not None and fact.origin == "rolled"


def told(values: dict[tuple[str, ...], Any]) -> End:
    """An end without what is silent: a fact that nobody has set is no or nobody, in whatever reading."""
    return frozenset(
        (slot, value.name if isinstance(value, Thing) else value)
        for slot, value in values.items()
        if value is not None and value is not False
    )


def played_end(run: Run) -> End:
    return told(slots(run))


def exact_ends(fight: fights.Fight) -> dict[End, Fraction]:
    """The distribution over the same ends by the exact reading."""
    run = fights.begin(fight, None)
    fights.go(run)
    asked = slots(run)
    ends: dict[End, Fraction] = {}
    for row, chance in fights.distribution(run, list(asked.values())).items():
        end = told(dict(zip(asked, row, strict=True)))
        ends[end] = ends.get(end, Fraction(0)) + chance
    return ends
