"""What the choices of a ruleset are worth, over some fights: which matter at all, which answers are never best, and
what the ruleset's own answers give up.

Each fight is worked out for all dice with every choice offered. A choice matters in a fight if there is a state of it,
in any way that both may play, in which its answers are not all worth the same. An answer is never best if there is no
such state, in any of the fights, in which it is among the best. What the ruleset's own answer gives up is counted along
best play: there it is how much less it is worth, on average over all the dice. Declarations stay with the ruleset.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from fractions import Fraction

from closecombat.asking.choices.aims import Wanted
from closecombat.asking.choices.best_chances import BestPlay
from closecombat.playing.fight import Fight, begin, go
from closecombat.playing.notes import without_notes
from closecombat.playing.offers import ELSEWHERE_SAID
from closecombat.playing.run import Run
from closecombat.proving.best_play.best import (
    Aim,
    Decided,
    answered_by_default,
    how_often,
    mean,
    play_best,
    worth_of_each,
)
from closecombat.proving.best_play.best import Played as Answered
from closecombat.proving.programs.choice import Choice
from closecombat.reading.types import Thing, shown
from closecombat.text.faults import Faulty
from closecombat.text.slotted import dataclass

TOO_MUCH = frozenset({"takes-long", "budget-exceeded"})


@dataclass(frozen=True, slots=True)
class Played:
    """One fight: what it is worth to `me` as the ruleset answers and as both play best; what each side gains that plays
    best by itself while the others answer as the ruleset does. `message` is why it could not be worked out."""

    name: str
    me: str = ""
    default: Fraction = Fraction(0)
    best: Fraction = Fraction(0)
    gains: tuple[tuple[str, Fraction], ...] = ()
    aims: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    message: str = ""


@dataclass(slots=True)
class Row:
    """A row that asks players: in which fights it does, and in which of them it matters what they answer; in how many
    states each answer could be given, and in how many it was among the best. The ruleset's own answer gives up most in
    `worst`: so much."""

    row: str
    fact: str
    cites: tuple[str, ...]
    asked: dict[str, None] = field(default_factory=dict)
    matters: dict[str, None] = field(default_factory=dict)
    offered: dict[str, int] = field(default_factory=dict)
    best: dict[str, int] = field(default_factory=dict)
    gives_up: Fraction = Fraction(0)
    worst: str = ""

    @property
    def never_best(self) -> tuple[str, ...]:
        return tuple(answer for answer in self.offered if not self.best.get(answer)) if self.matters else ()


@dataclass(frozen=True, slots=True)
class Overview:
    """All fights, and all rows that ask somebody in any of them."""

    name: str
    fights: tuple[Played, ...]
    rows: tuple[Row, ...]


def look_over(
    name: str,
    fights: Sequence[tuple[str, Fight]],
    aims: tuple[Wanted, ...],
    most_work: int | None,
    tell: Callable[[int, int], None] = lambda done, of: None,
    frees: bool = False,
) -> Overview:
    """What the choices of some fights are worth; with `frees` those too that a fight answers. A fight that takes more
    than `most_work` is left out, and says so."""
    rows: dict[str, Row] = {}
    played: list[Played] = []
    for number, (called, fight) in enumerate(fights):
        tell(number, len(fights))
        try:
            played.append(_one(called, fight, BestPlay(aims, frees=frees, most_work=most_work), rows))
        except Faulty as error:
            if not error.codes <= TOO_MUCH:
                raise
            played.append(Played(called, message=error.diagnostics[0].message))
    return Overview(name, tuple(played), tuple(rows.values()))


def _one(name: str, fight: Fight, best: BestPlay, rows: dict[str, Row]) -> Played:
    run = begin(fight, None)
    run.may_spend(best.most_work)
    best.begins(run)
    go(run)
    aim = best.plays_for(run)
    steps, choices = without_notes(run.draft.steps), best.offers.choices
    default = mean(run.shop, answered_by_default(run.shop, steps, choices), aim.parts)
    more: list[str] = []
    gains = tuple((side, _gain(run, aim, choices, side, default, more)) for side in _players(choices))
    found = best.ends(run)
    run.may_spend(None)
    for decided in found.decided:
        _add(rows, name, run, decided, aim.me)
    worth = mean(run.shop, found.steps, aim.parts)
    return Played(name, aim.me, default, worth, gains, best.said[:1], (*_left(best, found), *more))


def _left(best: BestPlay, found: Answered) -> tuple[str, ...]:
    """What was left to the ruleset all the same, row by row."""
    said: dict[str, None] = {}
    for (row, _), why in best.offers.left.items():
        if why != ELSEWHERE_SAID:
            said[f"`{row}` is left to the ruleset: {why}"] = None
    for choice, why in found.left.items():
        said[f"`{choice.row}` is answered as the ruleset does: {why}"] = None
    for decided in found.decided:
        if decided.seen:
            said[f"`{decided.choices[0].row}`: somebody knows there what another has answered in secret"] = None
    return tuple(said)


def _players(choices: Sequence[Choice]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(choice.player for choice in choices))


def _gain(run: Run, aim: Aim, choices: Sequence[Choice], side: str, default: Fraction, notes: list[str]) -> Fraction:
    """What a side gains that plays best, while all others answer as the ruleset does."""
    mine = [choice for choice in choices if choice.player == side]
    others = [choice for choice in choices if choice.player != side]
    steps = answered_by_default(run.shop, without_notes(run.draft.steps), others)
    found = play_best(run.shop, steps, mine, aim)
    if found.left:
        notes.append(f"what {side} gains may be more: some of its choices take longer (--yes)")
    worth = mean(run.shop, found.steps, aim.parts)
    return worth - default if side == aim.me else default - worth


def _add(rows: dict[str, Row], name: str, run: Run, decided: Decided, me: str) -> None:
    """Takes over what is known of some choices that were decided together."""
    shares = how_often(run.shop, run.draft.steps, decided)
    for at, choice in enumerate(decided.choices):
        row = rows.setdefault(choice.row, Row(choice.row, choice.fact[1], choice.cites))
        row.asked[name] = None
        given_up = Fraction(0)
        for known, state in decided.states.items():
            each = worth_of_each(state, decided.choices, choice, me)
            best = (max if choice.player == me else min)(each.values())
            if len(set(each.values())) == 1:
                continue
            row.matters[name] = None
            for answer, worth in each.items():
                if isinstance(answer, Thing):
                    continue  # who is who differs by the fight
                said = shown(answer)
                row.offered[said] = row.offered.get(said, 0) + 1
                row.best[said] = row.best.get(said, 0) + (worth == best)
            if state.default:
                usual = each.get(state.default[at], best)
                given_up += shares.get(known, Fraction(0)) * abs(best - usual)
        if given_up > row.gives_up:
            row.gives_up, row.worst = given_up, name
