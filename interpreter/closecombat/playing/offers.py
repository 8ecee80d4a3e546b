"""What is left open is offered to its player: whatever he may answer then, instead of what the ruleset answers.

A run with an `Offers` writes a choice into its program (`proving/programs/choice`) wherever nobody has answered; what
is best is found out behind it, from the end (`proving/best_play/best`). Declarations bring new things, by each answer
others: here they are as `planned`, or stay with the ruleset; `asking/choices/best_play` tries one plan after the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import TypeAlias

from closecombat.binding.bound import BoundAct, BoundChoose, BoundDeclare
from closecombat.binding.terms import Env, Term
from closecombat.playing.choices import declared, may_choose, settle_offered
from closecombat.playing.fight import verdicts_are_about
from closecombat.playing.run import Run
from closecombat.proving.programs.choice import ELSEWHERE, Choice, left_free
from closecombat.proving.values.symbolic import Sym, Value
from closecombat.reading.slots import FactOf
from closecombat.reading.types import AThing, Flag, Number, Thing, Things, Word
from closecombat.text.slotted import dataclass

ELSEWHERE_SAID = "it is settled elsewhere, and no player's to choose"
NOBODY_KNOWS = "nobody can tell whose choice it is"
MOST_ABOVE = 5  # of whom each belongs to the next: a man to a team, a team to a unit, a unit to a side
OFFERED = Flag | Word | AThing | Number
Declared: TypeAlias = Sequence[dict[str, Value]]  # the facts of each thing that is declared, a set by its members


@dataclass(slots=True)
class Offers:
    """The choices that a run has offered so far. With `begins_at` nothing is offered before that row asks that one:
    from there on the dice are not known either."""

    begins_at: tuple[str, str] | None = None
    only: tuple[str, ...] = ()  # whose choices are offered, if not everybody's
    frees: bool = False  # whether a choice that the situation answers is offered all the same
    planned: dict[tuple[str, str], Declared] = field(default_factory=dict)
    choices: list[Choice] = field(default_factory=list)
    left: dict[tuple[str, str], str] = field(default_factory=dict)  # what stays with the ruleset: row, who; and why
    asked: str = ""  # whose choice the first of all was

    def offers(self, run: Run, act: BoundAct, verb: BoundChoose, env: Env, who: Thing) -> bool:
        """Offers a choice, and says whether it has."""
        if not self._has_begun(run, act, who) or run.answers is not None:
            return False
        if verb.answered == ELSEWHERE:
            self.left[act.act.id, who.name] = ELSEWHERE_SAID
            return False
        player = player_of(run, verb.by, env, who)
        if player is None or not isinstance(verb.fact.type, OFFERED):
            why = NOBODY_KNOWS if player is None else "its answers are no short list"
            self.left[act.act.id, who.name] = why
            return False
        if self.only and player.name not in self.only:
            return False
        self.asked = self.asked or player.name
        found = [(value, self._barred(run, verb, who, value, there)) for value, there in may_choose(run, verb, env)]
        found = [(value, barred) for value, barred in found if barred is not True]
        if not found:
            return False  # the ruleset says what is wrong
        default: Value = None
        if verb.otherwise is not None:
            with run.supposing():
                default = verb.otherwise.run(run, env)
        if len(found) == 1:
            settle_offered(run, act, verb, env, who, found[0][0])
            return True
        answers = tuple(value for value, _ in found)
        choice = Choice(
            run.shop.variable(answers),
            run.shop.variable(),
            answers,
            tuple(barred for _, barred in found),
            verb.otherwise is not None,
            default,
            player.name,
            act.act.id,
            who.name,
            (verb.fact.kind, verb.fact.name),
            act.act.where.place,
            act.act.where.cites,
            verb.answered,
            run.times_together,
        )
        run.shop.may_be(choice.var, (False, True) if isinstance(verb.fact.type, Flag) else answers)
        for step in left_free(choice, run.shop):
            run.draft.step(step)
        self.choices.append(choice)
        settle_offered(run, act, verb, env, who, choice.var)
        return True

    def declares(self, run: Run, act: BoundAct, verb: BoundDeclare, env: Env, who: Thing) -> bool:
        """Declares what is planned, and says whether anything was; else that stays with the ruleset, which is noted."""
        if not self._has_begun(run, act, who):
            return False
        if not self.asked:
            player = player_of(run, verb.by, env, who)
            self.asked = player.name if player is not None else ""
        planned = self.planned.pop((act.act.id, who.name), None)
        if planned is None:
            self.left[act.act.id, who.name] = "what else could be declared is not tried"
            return False
        declared(run, act, verb, who, planned)
        return True

    def _has_begun(self, run: Run, act: BoundAct, who: Thing) -> bool:
        if self.begins_at is not None and self.begins_at != (act.act.id, who.name):
            return False
        self.begins_at = None
        run.knows_no_more()
        return True

    def _barred(self, run: Run, verb: BoundChoose, who: Thing, value: Value, there: Value) -> Value:
        barred: Value = run.shop.not_(there)
        if barred is True or not verb.legal:
            return barred
        with run.supposing(FactOf(who, verb.fact.name), value):
            return run.shop.or_(barred, run.table(verb.legal, (who,)))


def player_of(run: Run, by: Term | None, env: Env, who: Thing) -> Thing | None:
    """The side that answers: he who does is one, or belongs to one, perhaps as one of something that does; None where
    nobody can tell."""
    sides = verdicts_are_about(run)
    answering: Value = by.run(run, env) if by is not None else who
    for _ in range(MOST_ABOVE):
        if type(answering) is Sym:
            known = [one for one in run.shop.everyone(answering) if one is not None]
            answering = known[0] if len(known) == 1 else None
        if not isinstance(answering, Thing):
            return None
        if answering in sides:
            return answering
        name = _belongs_to(run, answering.kind, sides[0].kind) if sides else ""
        if not name:
            return None
        answering = run.slots.get(FactOf(answering, name))
    return None


def _belongs_to(run: Run, kind: str, side: str) -> str:
    """The fact of a kind that says to which side one of it belongs, or of which set of somebody else he is one; nothing
    if there is none such, or several."""
    given = [fact for fact in run.ruleset.kinds[kind].facts.values() if fact.origin == "given"]
    above = {fact.name: fact.type.kind for fact in given if isinstance(fact.type, AThing)}
    to_side = [name for name, other in above.items() if other == side]
    has = {
        name
        for name, other in above.items()
        for fact in run.ruleset.kinds[other].facts.values()
        if isinstance(fact.type, Things) and fact.type.kind == kind and fact.origin == "given"
    }
    return next(iter(to_side or has)) if len(to_side or has) == 1 else ""
