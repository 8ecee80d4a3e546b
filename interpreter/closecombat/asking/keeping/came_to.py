"""What a fight comes to by one ruleset: how it begins, what of the rules its run reaches, and its chances.

These three are all that `differing` asks of either side, so they can be kept (`kept`), and a fight that was worked out
once by the same rules is not worked out again, whatever it is held against.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field, replace
from fractions import Fraction
from functools import partial
from hashlib import sha256
from operator import getitem
from typing import TypeAlias

from closecombat.asking.choices.aims import Wanted
from closecombat.asking.choices.best_chances import BestPlay
from closecombat.asking.exact.answers import SIDES, TOO_MUCH, UNITS
from closecombat.asking.exact.chances import in_order, scale, unit_of
from closecombat.asking.exact.weighing import Ends, Rather, by_loss, by_verdict, gone_through
from closecombat.asking.examples.examples import scripted
from closecombat.playing.choices import Illegal
from closecombat.playing.fight import Fight, asked, begin, distribution, go
from closecombat.playing.run import Run
from closecombat.playing.unknowns import Either, Shapes, either
from closecombat.proving.carrying_out.plan import Remembered
from closecombat.proving.carrying_out.prove import as_fractions
from closecombat.proving.values.budget import SECOND
from closecombat.proving.values.symbolic import Value
from closecombat.reading.model import Ruleset
from closecombat.reading.situation import State
from closecombat.reading.slots import FactOf, InPlay
from closecombat.reading.types import Exact, Thing, shown
from closecombat.text.faults import Faulty
from closecombat.text.nodes import Node, Text
from closecombat.text.slotted import dataclass

BY_UNITS = SECOND // 8  # of work, once the dice are left: what takes more is told by sides
TOGETHER = 2 * BY_UNITS  # the same of two fights
MOST_APART = 2  # facts in which two fights begin otherwise: with more, both are more to write than one after the other
WRITING = Fraction(11, 20)  # of the work for two fights in one run, which may go into writing it
MOST_APIECE = 10 * SECOND  # of work for what becomes of everybody, where there is no end of work otherwise
MOST_STEPS = 1_000  # of the program of a fight that nobody minds
MOST_WORK = SECOND // 2  # of work for one fight by one ruleset, which nobody minds
ENEMY = "the enemy of "
MOST_TOGETHER = 64  # whole ends that are kept one by one
Said: TypeAlias = tuple[str, str]  # of whom, what
Chances: TypeAlias = Mapping[Said, Fraction]
Together: TypeAlias = Mapping[tuple[Said, ...], Fraction]
Aims: TypeAlias = tuple[Wanted, ...]


@dataclass(frozen=True, slots=True)
class Told:
    """The chances of a fight by one ruleset, each under what it is of whom: how it ends for each side, and what has
    changed of anybody. Or the code and the words of the fault that keeps it from being worked out. `losses` are how
    likely each side loses how much; `left` is what was left to the ruleset of what should have been answered best.
    `by_units` says whether anybody's changes are among them, `is_finest` that more than this was tried, and takes too
    long. `sides` are the chances of how all sides end, and `together` those of whole ends, each all that is so in it,
    as long as they are few; whole ends are the same by two rulesets where `digest` is."""

    verdicts: Chances = field(default_factory=dict)
    changes: Chances = field(default_factory=dict)
    losses: Mapping[str, Mapping[Exact, Fraction]] = field(default_factory=dict)
    unit: str = ""
    by_units: bool = True
    code: str = ""
    message: str = ""
    left: tuple[str, ...] = ()
    is_finest: bool = False
    sides: Together = field(default_factory=dict)
    together: Together = field(default_factory=dict)
    digest: str = ""

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
    """What a fight came to. `reached` is nothing if no run came to its end, `told` if nobody has asked yet; `writing`
    is the work until that run had come to its end, `work` that until all was told."""

    begun: Begun
    reached: Reached | None = None
    told: Told | None = None
    writing: int = 0
    work: int = 0


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
    seen: list[tuple[Reached, int]] = []

    def look(run: Run) -> None:
        seen.append((_reached(run), run.shop.budget.done))
        if not wanted(seen[-1][0]):
            raise Faulty.told()  # there is nothing to work out

    told, work = _told_by(fight, SIDES, most_work, look, Rather(UNITS, BY_UNITS), aims)
    reached, writing = seen[-1] if seen else (None, work)
    if reached is not None and not wanted(reached):
        return CameTo(begun, reached, None, writing, writing)
    return CameTo(begun, reached, told, writing, work)


def unit_by_unit(fight: Fight, came: CameTo, most_work: int | None, aims: Aims) -> CameTo:
    """What a fight comes to that was told by sides, with what becomes of everybody, if that is not too much."""
    if came.told is None or came.told.by_units or came.told.is_finest:
        return came
    told, work = _told_by(fight, UNITS, MOST_APIECE if most_work is None else most_work, None, None, aims)
    return replace(came, told=replace(came.told, is_finest=True) if told.code else told, work=came.work + work)


def asked_of(fight: Fight, questions: Iterable[Text], most_work: int | None) -> dict[str, Fraction]:
    """How likely each of some statements is at the end of a fight; not of those that cannot be asked, or take too
    long."""
    out: dict[str, Fraction] = {}
    try:
        run = begin(fight, None)
        _may_take(run, most_work)
        go(run)
    except Faulty:
        return out
    for question in questions:
        try:
            found = distribution(run, [asked(run, question)[0]])
        except Faulty:
            continue
        out[question.value] = sum((chance for (is_so,), chance in found.items() if is_so is True), Fraction(0))
    return out


def tell_by(
    fight: Fight,
    by: str,
    most_work: int | None,
    look: Callable[[Run], None] | None = None,
    rather: Rather | None = None,
    aims: Aims = (),
) -> Told:
    """The chances of a fight whose ends are told apart in a way, or why there are none."""
    return _told_by(fight, by, most_work, look, rather, aims)[0]


def _told_by(
    fight: Fight, by: str, most_work: int | None, look: Callable[[Run], None] | None, rather: Rather | None, aims: Aims
) -> tuple[Told, int]:
    """The same, and the work that it was."""
    best = BestPlay(aims, most_work=most_work) if aims else None

    def at_the_end(run: Run) -> None:
        if best is not None:
            best.plays_for(run)  # it has come to what that reads, too
        if look is not None:
            look(run)

    try:
        run = begin(fight, None)
    except Faulty as error:
        return _not_told(error), 0
    _may_take(run, most_work)
    try:
        ends = gone_through(run, by, rather=rather, at_the_end_of=at_the_end, best=best).ends()
    except Faulty as error:
        return _not_told(error), run.shop.budget.done
    return _told(run.ruleset, ends, {}, best.left if best is not None else ()), run.shop.budget.done


def told_by_both(
    fight: Fight, other: Fight, most_work: int | None, is_one: Callable[[Reached], bool]
) -> tuple[tuple[Told, Told] | None, int]:
    """What two fights come to by rules in which nothing differs but how they begin, written once, if `is_one` of what
    that has reached; and the work that it was. None where they are to be worked out one by one: their beginnings differ
    by more than a few values, or one is at fault. What is too much to be written for both is taken to be so for either.

    Mostly they are weighed together as well. Where parts of a fight have nothing in common but which of the two it is,
    that joins all of them; then what is written is weighed for either. Each has its own faults there, as by itself.

    To weigh what is written takes about as long as to write it: where that has taken more than its half of the work,
    there is no weighing to be tried.
    """
    try:
        both = either(fight, other)
    except (Faulty, Shapes):
        return None, 0
    if len(both.opened) > MOST_APART:
        return None, 0
    return _told_of_either(both, most_work, is_one), both.run.shop.budget.done


def _told_of_either(both: Either, most_work: int | None, is_one: Callable[[Reached], bool]) -> tuple[Told, Told] | None:
    run, reached = both.run, list[bool]()
    _may_take(run, most_work)
    run.may_spend(None if most_work is None else int(most_work * WRITING))

    def look(run: Run) -> None:
        reached.append(is_one(_reached(run)))
        if not reached[0]:
            raise Faulty.told()

    try:
        gone = gone_through(run, SIDES, rather=Rather(UNITS, BY_UNITS), at_the_end_of=look)
    except Faulty as error:
        is_too_much = not reached and most_work is not None and error.codes <= TOO_MUCH
        return (_not_told(error),) * 2 if is_too_much else None
    run.may_spend(most_work)
    together: Ends | None = None
    try:
        together = replace(gone, rather=Rather(UNITS, TOGETHER), more=(both.variable,)).if_quick()
    except Faulty as error:
        if error.codes <= TOO_MUCH:
            return (_not_told(error),) * 2
        most_work = None if most_work is None else run.shop.budget.done + most_work  # it comes to an end
    _may_take(run, None if most_work is None else most_work + run.shop.budget.foretold)  # less what was only tried
    told: list[Told] = []
    for which, held in enumerate(both.holds):
        try:
            ends = together.where(held) if together is not None else gone.ends(known={both.variable: held})
            told.append(_told(run.ruleset, ends, both.by(which)))
        except Faulty as error:
            told.append(_not_told(error))
            if error.codes <= TOO_MUCH:
                return (told[-1],) * 2
    return told[0], told[1]


def not_allowed(fight: Fight, dice: Node) -> Told | None:
    """What a fight is told of that is not allowed as it is declared, if it is not where the dice fall like this."""
    try:
        go(begin(fight, scripted(dice)))
    except Illegal as error:
        return _not_told(error)
    except Faulty:
        pass
    return None


def _may_take(run: Run, most_work: int | None) -> None:
    """Bounds what a fight may take that nobody minds."""
    run.may_spend(most_work)
    run.notes_nothing()
    if most_work is not None:
        run.give_up_after(max(MOST_STEPS, MOST_STEPS * most_work // MOST_WORK))


def _not_told(error: Faulty) -> Told:
    return Told(code=error.diagnostics[0].code if error.diagnostics else "", message=said(error))


def said(error: Faulty) -> str:
    """What is wrong, in one sentence."""
    return error.diagnostics[0].message if error.diagnostics else "it cannot be played"


def _told(ruleset: Ruleset, ends: Ends, at_first: Mapping[Value, Value], left: tuple[str, ...] = ()) -> Told:
    """What the ends of a fight come to; `at_first` is what values were before it that nobody knew."""
    wanted, table, whole = ends.wanted, ends.table, ends.whole
    verdicts = {
        (side, word): chance
        for side, weights in by_verdict(wanted, table).items()
        for word, chance in in_order(as_fractions(weights, whole), scale(ruleset)).items()
    }
    changes: dict[Said, Fraction] = {}
    for place, ((who, name), before) in enumerate(wanted.facts.items(), len(wanted.sides) + len(wanted.losers)):
        weights: dict[Value, int] = {}
        for row, weight in table.items():
            weights[row[place]] = weights.get(row[place], 0) + weight
        before = at_first.get(before, before)
        for value, chance in as_fractions(weights, whole).items():
            if value != before:
                changes[who, _changed(name, value)] = chance
    losses = {side: dict(sorted(as_fractions(found, whole).items())) for side, found in by_loss(wanted, table).items()}
    unit, by_units = unit_of(ruleset) if losses else "", ends.by == UNITS
    found = _together(ends, at_first)
    digest = sha256("\n".join(sorted([f"{end} {chance}" for end, chance in found.items()])).encode()).hexdigest()
    by_sides: dict[tuple[Said, ...], Fraction] = {}
    for end, chance in found.items():
        some = tuple([one for one in end if one in verdicts])
        by_sides[some] = by_sides.get(some, Fraction(0)) + chance
    few, many = (one if len(one) <= MOST_TOGETHER else {} for one in (by_sides, found))
    return Told(verdicts, changes, losses, unit, by_units, left=left, sides=few, together=many, digest=digest)


def _changed(name: str, value: Value) -> str:
    return name if value is True else f"not {name}" if value is False else f"{name} {shown(value)}"


def _together(ends: Ends, at_first: Mapping[Value, Value]) -> Together:
    """The chance of each whole end: what anybody comes to by himself may be the same where they no longer come to it
    together."""
    wanted = ends.wanted
    sayers: list[Callable[[Value], Said | None]] = [
        *(partial(_said_of, whom, "") for whom in wanted.sides),
        *(partial(_said_of, whom, "lost ") for whom in wanted.losers),
        *(partial(_said_of_fact, *key, at_first.get(before, before)) for key, before in wanted.facts.items()),
    ]
    known = [Remembered(sayer) for sayer in sayers]
    weights: dict[tuple[Said, ...], int] = {}
    for row, weight in ends.table.items():
        said = tuple(sorted([one for one in map(getitem, known, row) if one is not None]))
        weights[said] = weights.get(said, 0) + weight
    return as_fractions(weights, ends.whole)


def _said_of(whom: str, before: str, value: Value) -> Said:
    return whom, before + shown(value)


def _said_of_fact(whom: str, name: str, was: Value, value: Value) -> Said | None:
    return None if value == was else (whom, _changed(name, value))


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
    slots = sorted(
        f"{'/'.join((type(slot).__name__, *map(str, slot)))}={value!r}" for slot, value in state.slots.items()
    )
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
