"""What is still to do of a fight, as data: so that it can be cut where dice have fallen, and gone on with elsewhere.

`sequences` plays rows by calling each other: what is still to do stands in Python's own stack, and nobody can take it
up again from another state. Here it is a tuple of what is to do first, then next, and so on; a piece of the fight goes
on with it until dice have fallen and it may be cut. Whoever goes on begins in a state that is known, so most conditions
are certain and a piece is short.

What is not certain is left to `sequences`, as a whole: a row for somebody who may not be there, say, and rows at once.
So an agenda only ever holds what is certainly to do.

*An example.* `rolls: {each: attack, play: roll-attack}` with two attacks is: the rows of `roll-attack` for the first
attack, then `rolls` for the second, then the rows behind it. Behind the dice of the first attack and all that asks for
them it is cut: whatever the first has come to, the second begins from there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeAlias

from closecombat.binding.bound import BoundAct, BoundAsking, BoundDeal, BoundPlay, BoundRoll, BoundSingleOut
from closecombat.binding.terms import Env, Term
from closecombat.playing.rows import as_one_of, for_whom, holds, members_now, with_member
from closecombat.playing.run import Run
from closecombat.playing.sequences import (
    all_rows,
    do_effects,
    do_row,
    do_verb,
    first_of,
    goes_on,
    how_often,
    often,
    one_for,
    play,
    repetition,
)
from closecombat.proving.programs import program as p
from closecombat.proving.values.budget import DONE
from closecombat.proving.values.symbolic import Sym, Value
from closecombat.reading.types import Thing
from closecombat.text.faults import Bug, Faulty
from closecombat.text.slotted import NamedTuple

MOST_PASSES = 8  # of a repetition without bound in one piece: then it is cut, dice or none

Bindings: TypeAlias = tuple[tuple[str, Value], ...]  # who is meant by which name


class Rows(NamedTuple):
    """The rows of a sequence in order, from one on."""

    sequence: str
    at: int
    who: Bindings
    sort: str = "rows"


class First(NamedTuple):
    """The first of the rows of a sequence that holds, from one on."""

    sequence: str
    at: int
    who: Bindings
    sort: str = "first"


class Members(NamedTuple):
    """A row for those of its set who have not had their turn."""

    sequence: str
    at: int
    who: Bindings
    left: tuple[Thing, ...]
    sort: str = "members"


class Times(NamedTuple):
    """A row that is to be done so many times more for somebody."""

    sequence: str
    at: int
    who: Bindings
    left: int
    sort: str = "times"


class Effects(NamedTuple):
    """The effects of a row whose verb is done."""

    sequence: str
    at: int
    who: Bindings
    sort: str = "effects"


class Passes(NamedTuple):
    """Whether a repetition is over after so many passes; if not, the next. Without a bound nobody counts them."""

    sequence: str
    at: int
    who: Bindings
    sort: str = "passes"


class Combat(NamedTuple):
    """The next close combat, from its beginning."""

    sequence: str = ""
    at: int = 0
    who: Bindings = ()
    sort: str = "combat"


class Resolved(NamedTuple):
    """Whether the fight is resolved; if not, what comes between."""

    sequence: str = ""
    at: int = 0
    who: Bindings = ()
    sort: str = "resolved"


ToDo: TypeAlias = Rows | First | Members | Times | Effects | Passes | Combat | Resolved
Agenda: TypeAlias = tuple[ToDo, ...]  # what is to do last stands first
Place: TypeAlias = tuple[tuple[str, str, int], ...]  # an agenda, whoever it is for

NEXT_COMBAT: Agenda = (Combat(),)
OVER: Agenda = ()


def place_of(agenda: Agenda) -> Place:
    """Where in the rules an agenda stands."""
    return tuple([(one.sort, one.sequence, one.at) for one in agenda])


def go_on(run: Run) -> None:
    """What comes between two close combats."""
    if run.ruleset.between:
        play(run, run.ruleset.between, {})


def resolved(run: Run) -> Term:
    """When a fight is resolved."""
    until = run.bound.until()
    if until is None:
        raise Faulty.one(
            "missing-key",
            f"`{run.ruleset.name}` does not say when a fight is resolved",
            run.ruleset.place,
            help="add `rounds: {until: .., between: ..}`",
        )
    return until


def piece(run: Run, agenda: Agenda, may_be_cut: Callable[[Place], bool]) -> tuple[Agenda, Value]:
    """Goes on with an agenda from a state that is known, to where it may be cut: what is left to do then, and whether
    the fight is over, in which case nothing is."""
    going = _Going(run, agenda)
    while going.todo:
        if going.is_to_cut(may_be_cut):
            return tuple(going.todo), False
        going.step(going.todo.pop())
        if going.over is not None:
            return going.left, going.over
    raise Bug("a fight goes on from combat to combat")


class _Going:
    def __init__(self, run: Run, agenda: Agenda) -> None:
        self.run, self.todo = run, list(agenda)
        self.over: Value = None  # whether the fight is, once that is asked
        self.left: Agenda = OVER
        self._looked_at = 0  # steps of the program that have been looked at for dice
        self._has_thrown = False
        self._passes = 0
        self._begun = False

    def is_to_cut(self, may_be_cut: Callable[[Place], bool]) -> bool:
        if not self._begun:
            self._begun = True
            return False
        if self._passes > MOST_PASSES and type(self.todo[-1]) is Passes:
            return may_be_cut(place_of(tuple(self.todo)))
        if type(self.todo[-1]) is Combat:
            return True
        return self.has_thrown() and may_be_cut(place_of(tuple(self.todo)))

    def has_thrown(self) -> bool:
        steps = self.run.draft.steps
        if not self._has_thrown and len(steps) > self._looked_at:
            self._has_thrown = any(type(step) is not p.Must for step in steps[self._looked_at :])
            self._looked_at = len(steps)
        return self._has_thrown

    def whole(self, body: Callable[[], None]) -> None:
        """Something that is not taken to pieces."""
        self.run.one_by_one((body,))

    def step(self, one: ToDo) -> None:
        match one:
            case Rows():
                self._rows(one)
            case First():
                self._first(one)
            case Members():
                self._members(one)
            case Times():
                self._once(one)
            case Effects():
                act = self._act(one)
                self.whole(partial(do_effects, self.run, act, dict(one.who)))
            case Passes():
                self._pass(one)
            case Combat():
                self.run.begins_a_combat()
                self.todo.append(Resolved())
                self._play(self.run.ruleset.start, {})
            case Resolved():
                self._resolved()

    def _act(self, one: ToDo) -> BoundAct:
        return self.run.bound.sequence(one.sequence).acts[one.at]

    def _resolved(self) -> None:
        run = self.run
        over = resolved(run).run(run, {})
        if over is True:
            self.over = True
        elif type(over) is Sym:
            run.under(run.shop.not_(over), partial(go_on, run))
            self.left, self.over = NEXT_COMBAT, over
        else:
            self.todo.append(Combat())
            if run.ruleset.between:
                self._play(run.ruleset.between, {})

    # ---- sequences ---------------------------------------------------------------------------------------
    def _play(self, name: str, env: Env) -> None:
        run, bound = self.run, self.run.bound.sequence(name)
        if any(type(who) is Sym for who in env.values()):
            self.whole(partial(play, run, name, env))
            return
        if bound.until is not None and bound.sequence.asked_first:
            over = bound.until.run(run, env)
            if type(over) is Sym:
                self.whole(partial(play, run, name, env))
                return
            run.used(bound.sequence.where)
            if over:
                return
        else:
            run.used(bound.sequence.where)
        if bound.until is not None:
            self.todo.append(Passes(name, 0 if bound.sequence.at_most is None else 1, tuple(env.items())))
        self._one_pass(name, env)

    def _one_pass(self, name: str, env: Env) -> None:
        bound = self.run.bound.sequence(name)
        if bound.sequence.order == "at-once":
            self.whole(partial(all_rows, self.run, bound, env))
        elif bound.acts:
            kind = First if bound.sequence.order == "first-of" else Rows
            self.todo.append(kind(name, 0, tuple(env.items())))

    def _pass(self, one: Passes) -> None:
        run, bound, env = self.run, self.run.bound.sequence(one.sequence), dict(one.who)
        most = bound.sequence.at_most
        if bound.until is None or (most is not None and one.at >= most):
            return
        over = bound.until.run(run, env)
        if type(over) is Sym or (over is False and most is None and self._passes > MOST_PASSES):
            again = repetition(run, bound, bound.until, env)
            self.whole(partial(goes_on, run, again, max(one.at, 1), over, run.draft.written))
        elif not over:
            self._passes += most is None
            self.todo.append(one if most is None else one._replace(at=one.at + 1))
            self._one_pass(one.sequence, env)

    # ---- rows --------------------------------------------------------------------------------------------
    def _rows(self, one: Rows) -> None:
        acts = self.run.bound.sequence(one.sequence).acts
        if one.at + 1 < len(acts):
            self.todo.append(one._replace(at=one.at + 1))
        self._row(one, acts[one.at], dict(one.who))

    def _row(self, one: Rows, act: BoundAct, env: Env) -> None:
        run, verb = self.run, act.verb
        if act.order or (isinstance(verb, BoundAsking) and verb.answered == "at-once"):
            do_row(run, act, env)
            return
        if act.each is None:
            run.reached(act.act.id)
            self._certain(one, act, list(for_whom(run, act, env)), partial(do_row, run, act, env))
            return
        if not isinstance(verb, BoundPlay | BoundRoll | BoundDeal | BoundSingleOut):
            do_row(run, act, env)
            return
        run.reached(act.act.id)
        free = holds(run, act, env, True, act.first)
        members = run.ask_whom(act.each, env) if free is True else []
        is_known = type(free) is not Sym and all(guard is True for _, guard in members)
        if not is_known or run.coming.may_be_either_way(member for member, _ in members):
            do_row(run, act, env)
        elif members:
            self.todo.append(Members(one.sequence, one.at, one.who, tuple(member for member, _ in members)))

    def _certain(
        self, one: Rows | First, act: BoundAct, whom: Sequence[tuple[Env, Value]], otherwise: Callable[[], None]
    ) -> None:
        """A row for the one that it certainly is for; or it is not taken to pieces."""
        if len(whom) == 1 and whom[0][1] is True:
            self._done_for(one.sequence, one.at, act, whom[0][0])
        elif whom:
            self.whole(otherwise)

    def _members(self, one: Members) -> None:
        run, act, env = self.run, self._act(one), dict(one.who)
        asked, free, members = -1, None, None
        for place, member in enumerate(one.left):
            inner = with_member(act, env, member)
            if members is None or run.changes != asked:
                asked = run.changes
                free, members = members_now(run, act, env, inner)
            for his, guard in as_one_of(run, act, inner, free, members, member, True):
                if place + 1 < len(one.left):
                    self.todo.append(one._replace(left=one.left[place + 1 :]))
                if guard is True:
                    self._done_for(one.sequence, one.at, act, his)
                else:
                    self.whole(partial(run.under, guard, partial(one_for, run, act, his)))
                return

    def _first(self, one: First) -> None:
        run, env = self.run, dict(one.who)
        acts = run.bound.sequence(one.sequence).acts
        for at in range(one.at, len(acts)):
            act = acts[at]
            run.reached(act.act.id)
            whom = list(for_whom(run, act, env))
            if whom:
                rest = partial(first_of, run, acts[at:], env)
                if act.each is None:
                    self._certain(one._replace(at=at), act, whom, rest)
                else:
                    self.whole(rest)
                return

    def _done_for(self, sequence: str, at: int, act: BoundAct, env: Env) -> None:
        """A row that is certainly done for somebody."""
        run = self.run
        if not isinstance(act.verb, BoundPlay):
            self.whole(partial(often, run, act, env))
            return
        times = how_often(run, act, env)
        if type(times) is not int:
            self.whole(partial(often, run, act, env))
        elif times:
            self._once(Times(sequence, at, tuple(env.items()), times))

    def _once(self, one: Times) -> None:
        """A row that plays a sequence, for somebody, once of so many times."""
        run, act, env = self.run, self._act(one), dict(one.who)
        run.shop.budget.spend(DONE)
        if one.left > 1:
            self.todo.append(one._replace(left=one.left - 1))
        run.about_to_do(act.act.id)
        run.used(act.act.where)
        verb = act.verb
        if not isinstance(verb, BoundPlay):
            raise Bug("a row is taken to pieces that plays nothing")
        roles = {name: term.run(run, env) for name, term in verb.roles.items()}
        if any(type(who) is Sym for who in roles.values()):
            self.whole(partial(do_verb, run, act, env))
            return
        if act.effects:
            self.todo.append(Effects(one.sequence, one.at, one.who))
        if all(who is not None for who in roles.values()):
            self._play(verb.sequence, {wanted: env[called] for wanted, called in verb.cast.items()} | roles)
