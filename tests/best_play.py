"""Best play reckoned plainly: playing after playing, each with its dice and answers given, and nothing remembered.

A playing goes as far as its history says. Where it says no more, a die is about to fall or somebody is about to answer:
then there is a playing for each face, or for each answer that the rules allow, and what it is worth is their mean, or the
best of them for whoever answers. No value is ever unknown here, and no program is written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Any

from closecombat.playing.choices import Illegal, could_be, held_against, settle_offered
from closecombat.playing.fight import Fight, begin, go, losses, verdicts
from closecombat.playing.offers import player_of
from closecombat.playing.run import Run
from closecombat.reading.slots import FactOf
from closecombat.reading.types import Thing

Aim = Callable[[Run, str], Fraction]


class Falls(Exception):
    """A die, or a card, is about to fall: all that it can show."""


class Asks(Exception):
    """Somebody is about to answer: who, and all that he may."""

    def __init__(self, player: str, row: str, who: str, answers: list[Any]) -> None:
        super().__init__(row)
        self.player, self.row, self.who, self.answers = player, row, who, answers


class Table:
    """Dice and players who do as the history says."""

    frees = False

    def __init__(self, history: Sequence[Any], row: str = "") -> None:
        self.history, self.place = history, 0
        self.row = row  # before which the ruleset answers

    def next(self, otherwise: Exception) -> Any:
        if self.place >= len(self.history):
            raise otherwise
        self.place += 1
        return self.history[self.place - 1]

    def begin(self, number: int, what: str, place: object) -> None:
        pass

    def face(self, faces: tuple[Any, ...], what: str) -> Any:
        return self.next(Falls(tuple(faces)))

    def card(self, cards: Sequence[tuple[str, int]], what: str) -> str:
        return str(self.next(Falls(tuple(word for word, number in cards for _ in range(number)))))

    def offers(self, run: Run, act: Any, verb: Any, env: Any, who: Any) -> bool:
        if verb.answered == "elsewhere" or run.trying:
            return False
        if self.row not in ("", act.act.id):
            return False
        self.row = ""
        legal = []
        for value in could_be(run, verb, env):
            with run.trial():
                run.write(FactOf(who, verb.fact.name), value)
                try:
                    held_against(run, act, verb, who)
                except Illegal:
                    continue
                legal.append(value)
        if not legal:
            return False
        player = player_of(run, verb.by, env, who)
        assert player is not None
        named = {
            str(value) if isinstance(value, Thing) else value: value for value in legal
        }  # each run has its own things
        asks = Asks(player.name, act.act.id, who.name, list(named))
        settle_offered(run, act, verb, env, who, legal[0] if len(legal) == 1 else named[self.next(asks)])
        return True

    def declares(self, run: Run, act: Any, verb: Any, env: Any, who: Any) -> bool:
        return False


Alike = Mapping[Any, Any]  # a face that counts as another does, by the rules of the fight
EACH: Alike = {}


def worth(
    fight: Fight, me: str, aim: Aim, history: tuple[Any, ...] = (), row: str = "", alike: Alike = EACH
) -> Fraction:
    """What a fight is worth to one side from some point on; before a row the ruleset answers."""
    table = Table(history, row)
    run = begin(fight, table)
    run.offering = table
    try:
        go(run)
    except Falls as falls:
        faces = Counter(alike.get(face, face) for face in falls.args[0])
        found = [number * worth(fight, me, aim, (*history, face), row, alike) for face, number in faces.items()]
        return sum(found, Fraction(0)) / faces.total()
    except Asks as asks:
        found = [worth(fight, me, aim, (*history, answer), row, alike) for answer in asks.answers]
        return max(found) if asks.player == me else min(found)
    return aim(run, me)


def answers_worth(
    fight: Fight, me: str, aim: Aim, history: tuple[Any, ...], row: str, alike: Alike
) -> dict[Any, Fraction]:
    """What each answer is worth to the choice that a history leads to."""
    table = Table(history, row)
    run = begin(fight, table)
    run.offering = table
    try:
        go(run)
    except Asks as asks:
        return {answer: worth(fight, me, aim, (*history, answer), row, alike) for answer in asks.answers}
    raise AssertionError("nobody is asked there")


def lost(run: Run, me: str) -> Fraction:
    return sum((Fraction(value) * (-1 if side.name == me else 1) for side, value in losses(run).items()), Fraction(0))


def ends(word: str) -> Aim:
    def counted(run: Run, me: str) -> Fraction:
        return sum(
            (Fraction((end == word) * (-1 if side.name == me else 1)) for side, end in verdicts(run).items()),
            Fraction(0),
        )

    return counted


def value_of(payoffs: Sequence[Sequence[Fraction]]) -> Fraction:
    """What a game is worth to whoever chooses a row and is paid what stands there, where both mix as well as can be: of
    the square parts of the table where each is alike whatever he does, that which neither would leave."""
    rows, columns = range(len(payoffs)), range(len(payoffs[0]))
    for size in range(1, min(len(rows), len(columns)) + 1):
        for ours, theirs in product(combinations(rows, size), combinations(columns, size)):
            square = [[payoffs[i][j] for j in theirs] for i in ours]
            mine, yours = _alike([[*column] for column in zip(*square, strict=True)]), _alike(square)
            if mine is None or yours is None or min(*mine[0], *yours[0]) < 0:
                continue
            mixed = [sum((share * payoffs[i][j] for share, i in zip(mine[0], ours, strict=True)), 0) for j in columns]
            against = [sum((share * payoffs[i][j] for share, j in zip(yours[0], theirs, strict=True)), 0) for i in rows]
            if min(mixed) == max(against):
                return Fraction(min(mixed))
    raise AssertionError("a game has a value")


def _alike(square: Sequence[Sequence[Fraction]]) -> tuple[list[Fraction], Fraction] | None:
    """Shares of one that make each line come to the same, and to what; None where they are not the only ones."""
    size = len(square)
    lines = [[*map(Fraction, line), Fraction(-1), Fraction(0)] for line in square]
    lines.append([Fraction(1)] * size + [Fraction(0), Fraction(1)])
    for at in range(size + 1):
        lead = next((i for i in range(at, size + 1) if lines[i][at]), None)
        if lead is None:
            return None
        lines[at], lines[lead] = lines[lead], lines[at]
        lines[at] = [each / lines[at][at] for each in lines[at]]
        for i in range(size + 1):
            if i != at and lines[i][at]:
                lines[i] = [a - lines[i][at] * b for a, b in zip(lines[i], lines[at], strict=True)]
    found = [line[-1] for line in lines]
    return found[:-1], found[-1]
