"""A fight of which both sides answer whatever is left open as well as can be: its program, with what is best in it.

Whoever asks for the chances of a fight lets it begin and end through a `BestPlay`: what is asked of the end is then
that of best play. What is played for, and what was left to the ruleset all the same, it tells as remarks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field

from closecombat.asking.choices.aims import Wanted, aim_of, in_words
from closecombat.binding.charts import Bound
from closecombat.checking.secrets import secrets_when_asked
from closecombat.playing.fight import verdicts_are_about
from closecombat.playing.offers import ELSEWHERE_SAID, Offers
from closecombat.playing.run import Run
from closecombat.proving.best_play.best import Aim, Played, play_best
from closecombat.proving.programs.choice import Choice
from closecombat.proving.values.budget import SECOND
from closecombat.reading.types import Thing
from closecombat.text.faults import Faulty, suggest
from closecombat.text.slotted import dataclass

A_LITTLE = 8  # such a part of what may be spent is for each choice, though nothing may be left

NOBODY_PLAYS_BEST = "nobody plays best here: every choice is answered as the ruleset does"


@dataclass(slots=True)
class BestPlay:
    """What is played for by a side, `me`, and against it by all others; by the first of the situation if nothing is
    said. `only` some sides play as well as can be, the others as the ruleset does; all, where it is empty. What the
    situation answers stays so, unless play `frees` it."""

    aims: tuple[Wanted, ...]
    me: str = ""
    only: tuple[str, ...] = ()
    frees: bool = False
    most_work: int | None = None
    tell: Callable[[int, int], None] = lambda done, left: None
    offers: Offers = field(default_factory=Offers)
    played: Played | None = None
    said: tuple[str, ...] = ()

    def begins(self, run: Run) -> None:
        """From here on all choices are offered."""
        self.offers = Offers(only=self.only, frees=self.frees)
        run.offers_through(self.offers)

    def ends(self, run: Run) -> Played:
        """Decides what was offered: the run goes on with what is best in its program."""
        budget = run.shop.budget
        most, spent = budget.most, budget.spent
        aim = self.plays_for(run)

        def spend(left: int) -> None:
            if self.most_work is not None:
                free = max(self.most_work - (budget.spent - spent), 0)
                run.may_spend(budget.spent + free // left + min(SECOND // 2, self.most_work // A_LITTLE))

        known = hidden(run.bound)
        played = self.played = play_best(run.shop, run.draft.steps, self.offers.choices, aim, self.tell, spend, known)
        run.may_spend(None if most is None else most + budget.spent - spent)
        run.draft.becomes(played.steps)
        is_any = played.decided or not played.left
        self.said = (*(self._about(run, aim.me) if is_any else (NOBODY_PLAYS_BEST,)), *self.left)
        return played

    @property
    def left(self) -> tuple[str, ...]:
        """What was left to the ruleset all the same, and why."""
        return left_words(self.offers, self.played) if self.played is not None else ()

    def plays_for(self, run: Run) -> Aim:
        """What is played for, of a run at its end."""
        return aim_of(run, self.aims, self._side(run))

    def _about(self, run: Run, me: str) -> tuple[str, ...]:
        who = "all sides play best" if not self.only else f"{' and '.join(self.only)} plays best"
        words = "; and ".join(in_words(run, self.aims, me))
        return (f"{who}: {me} for {words}, and whoever else plays wants that low",)

    def _side(self, run: Run) -> Thing:
        sides = {side.name: side for side in verdicts_are_about(run)}
        if self.me and self.me not in sides:
            help = suggest(self.me, sides) or "say one of " + ", ".join(sides)
            raise Faulty.one("unknown-thing", f"no side is called `{self.me}`", None, help=help)
        if not sides:
            said = f"`{run.ruleset.name}` does not say how a side ends, so nobody knows whose choice is whose"
            raise Faulty.one("missing-key", said, run.ruleset.place, help="add `outcomes: {about: side, ..}` to it")
        return sides[self.me] if self.me else next(iter(sides.values()))


def hidden(bound: Bound) -> Callable[[Choice, Choice], bool]:
    """Whether what is answered in secret still is where another choice is asked: no row has gone by it."""
    secrets = secrets_when_asked(bound)
    return lambda secret, other: secret.fact in secrets.get(other.place, ())


def left_words(offers: Offers, played: Played) -> tuple[str, ...]:
    """What was left to the ruleset all the same, and why."""
    said: dict[str, None] = {}
    for (row, who), why in offers.left.items():
        if why == ELSEWHERE_SAID:
            continue  # which is nothing that anybody could do better
        said[f"`{row}` of {who} is left to the ruleset: {why}"] = None
    for choice, why in played.left.items():
        said[f"`{choice.row}` of {choice.who} is answered as the ruleset does: {why}"] = None
    for decided in played.decided:
        if decided.seen:
            rows = ", ".join(dict.fromkeys(f"`{choice.row}`" for choice in decided.choices))
            said[f"{rows}: somebody knows there what another has answered in secret"] = None
    return tuple(said)
