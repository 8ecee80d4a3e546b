"""What a fight comes to by one ruleset: how it begins, what of the rules its run reaches, and its chances.

These three are all that `differing` asks of either side, so they can be kept (`kept`), and a fight that was worked out
once by the same rules is not worked out again, whatever it is held against.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, replace
from fractions import Fraction
from hashlib import sha256
from typing import TypeAlias

from closecombat.asking.aims import Wanted
from closecombat.asking.answers import SIDES, UNITS
from closecombat.asking.answers import Chances as Found
from closecombat.asking.best_chances import BestPlay
from closecombat.asking.chances import Rather, work_out
from closecombat.playing.fight import Fight, begin
from closecombat.playing.run import Run
from closecombat.proving.budget import SECOND
from closecombat.reading.situation import State
from closecombat.reading.slots import FactOf, InPlay
from closecombat.reading.types import Exact, Thing, shown
from closecombat.text.faults import Faulty
from closecombat.text.slotted import dataclass

BY_UNITS = SECOND // 8  # of work, once the dice are left: what takes more is told by sides
MOST_STEPS = 1_000  # of the program of a fight that nobody minds
MOST_WORK = SECOND // 2  # of work for one fight by one ruleset, which nobody minds
ENEMY = "the enemy of "
Chances: TypeAlias = Mapping[tuple[str, str], Fraction]
Aims: TypeAlias = tuple[Wanted, ...]


@dataclass(frozen=True, slots=True)
class Told:
    """The chances of a fight by one ruleset, each under what it is of whom: how it ends for each side, and what has
    changed of anybody. Or the code and the words of the fault that keeps it from being worked out. `losses` are how
    likely each side loses how much; `left` is what was left to the ruleset of what should have been answered best."""

    verdicts: Chances = field(default_factory=dict)
    changes: Chances = field(default_factory=dict)
    losses: Mapping[str, Mapping[Exact, Fraction]] = field(default_factory=dict)
    unit: str = ""
    by_units: bool = True
    code: str = ""
    message: str = ""
    left: tuple[str, ...] = ()

    @property
    def chances(self) -> Chances:
        return {**self.verdicts, **self.changes}


@dataclass(frozen=True, slots=True)
class Begun:
    """How a fight begins: a hash of its things and facts, how each option is read, and what a side is called by its
    role."""

    opening: str
    options: Mapping[str, str]
    roles: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Reached:
    """What of the rules a run has come to: the options that were asked; the charts and groups, each with whether it was
    looked into by supposing too; where everything is written that counted; and the kinds of those who came later."""

    options: frozenset[str]
    looked_into: Mapping[str, bool]
    places: frozenset[tuple[str, int]]
    later: frozenset[str]


@dataclass(frozen=True, slots=True)
class CameTo:
    """What a fight came to. `reached` is nothing if no run came to its end, `told` if nobody has asked yet."""

    begun: Begun
    reached: Reached | None = None
    told: Told | None = None


def how_it_begins(fight: Fight) -> Begun:
    """Raises Faulty if it cannot begin."""
    begin(fight, None)
    state = fight.openings[0]
    return Begun(sha256(_written(state).encode()).hexdigest()[:24], fight.options, _roles(fight, state))


def worked_out(
    fight: Fight, begun: Begun, most_work: int | None, wanted: Callable[[Reached], bool], aims: Aims = ()
) -> CameTo:
    """What a fight comes to; its chances only if they are wanted of a run that has reached this. Whatever is left open
    is answered for the `aims` as well as can be, if there are any, else as the ruleset does."""
    seen: list[Reached] = []

    def look(run: Run) -> None:
        seen.append(_reached(run))
        if not wanted(seen[-1]):
            raise Faulty.told()  # there is nothing to work out

    told = tell_by(fight, SIDES, most_work, look, Rather(UNITS, BY_UNITS), aims)
    if seen and not wanted(seen[-1]):
        return CameTo(begun, seen[-1])
    return CameTo(begun, seen[-1] if seen else None, told)


def tell_by(
    fight: Fight,
    by: str,
    most_work: int | None,
    look: Callable[[Run], None] | None = None,
    rather: Rather | None = None,
    aims: Aims = (),
) -> Told:
    """The chances of a fight whose ends are told apart in a way, or why there are none."""
    best = BestPlay(aims, most_work=most_work) if aims else None

    def at_the_end(run: Run) -> None:
        if best is not None:
            best.plays_for(run)  # it has come to what that reads, too
        if look is not None:
            look(run)

    steps = None if most_work is None else max(MOST_STEPS, MOST_STEPS * most_work // MOST_WORK)
    try:
        found = work_out(
            fight,
            by,
            with_notes=False,
            most_work=most_work,
            at_the_end_of=at_the_end,
            most_steps=steps,
            rather=rather,
            best=best,
        )
    except Faulty as error:
        return Told(code=error.diagnostics[0].code if error.diagnostics else "", message=said(error))
    return replace(_told(found), left=best.left if best is not None else ())


def said(error: Faulty) -> str:
    """What is wrong, in one sentence."""
    return error.diagnostics[0].message if error.diagnostics else "it cannot be played"


def _told(found: Found) -> Told:
    verdicts = {(side, word): chance for side, words in found.verdicts.items() for word, chance in words.items()}
    changes: dict[tuple[str, str], Fraction] = {}
    for outcome in found.outcomes if found.by == UNITS else ():
        for who, facts in outcome.units.items():
            for name, value in facts.items():
                key = who, name if value is True else f"not {name}" if value is False else f"{name} {shown(value)}"
                changes[key] = changes.get(key, Fraction(0)) + outcome.probability
    losses = {side: dict(loss.distribution) for side, loss in found.losses.items()}
    unit = next((loss.unit for loss in found.losses.values()), "")
    return Told(verdicts, changes, losses, unit, found.by == UNITS)


def _reached(run: Run) -> Reached:
    new = {thing.kind for thing in run.state.things.values() if InPlay(thing) not in run.start}
    return Reached(
        frozenset(option.name for option in run.ruleset.options.values() if id(option) in run.met),
        dict(run.looked_into),
        frozenset((origin.place.source.name, origin.place.start) for origin in run.met.values()),
        frozenset(new),
    )


def _written(state: State) -> str:
    """A state in words that do not tell one run's things from another's, in no order."""
    slots = sorted((repr(slot), repr(value)) for slot, value in state.slots.items())
    return repr((slots, sorted((thing.name, counter) for thing, counter in state.counters.items())))


def _roles(fight: Fight, state: State) -> dict[str, str]:
    """What a side is called by the fight as a whole: by the fact of the only thing of its kind that names it, or as the
    enemy of whoever is called so."""
    ruleset = fight.bound.ruleset
    found: dict[str, str] = {}
    for thing in state.things.values():
        kind = ruleset.kinds[thing.kind]
        for name in kind.facts if kind.one else ():
            value = state.slots.get(FactOf(thing, name))
            if isinstance(value, Thing):
                found.setdefault(value.name, f"the {name}")
    if len(found) == 1:
        (known, role), *_ = found.items()
        those = [one.name for one in state.by_kind[state.things[known].kind] if one.name != known]
        found |= {those[0]: f"{ENEMY}{role}"} if len(those) == 1 else {}
    return found
