"""Which rule matters in a fight: what each row, reading and number that it comes to does to every outcome.

A row is switched off, where that means anything: in a sum, and among what is forbidden; in a list of which the first
row counts it would only hand its case to the next. An option is read each other way. A number behind an assumption is
one more, and one less; an assumption that says what it would be `else` is read so. Each is worked out by itself, with
all else as it is.

What the run never came to can change nothing, and is not worked out: it is told apart from what was met and changes
nothing. What is only supposed on the way, such as what else a player could have declared, decides nothing.

What one thing does alone is not what it does beside others: so there are fair shares too (`shares`), of what all
modifiers, or all readings, do together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial

from closecombat.asking.exact.answers import ASSUMPTION, READING, TOO_MUCH, Shift
from closecombat.asking.exact.settings import Asked, Found, by_itself
from closecombat.asking.weights.changeable import (
    Candidate,
    Rules,
    candidates,
    changes_left_out,
    second_readings,
    without,
)
from closecombat.asking.weights.games import Game, changes_together, players_of, together
from closecombat.asking.weights.left_open import choices_left_open
from closecombat.asking.weights.outcomes import Ends, what_is_asked
from closecombat.asking.weights.weights import (
    AT_FAULT,
    CHANGES,
    FORBIDDEN,
    MODIFIER,
    NOT_TRIED,
    TOO_LARGE,
    Together,
    Weighed,
    Weight,
)
from closecombat.playing.fight import Fight, begin, distribution, go
from closecombat.playing.notes import ASSUMED
from closecombat.playing.run import Run
from closecombat.playing.unknowns import Shapes, Unknown, settled, unsettled
from closecombat.proving.tables.weights import Row
from closecombat.proving.values.budget import Budget
from closecombat.reading.model import Ruleset, can_be_read_otherwise, name_of_stack
from closecombat.text.faults import Faulty
from closecombat.text.slotted import dataclass


@dataclass(frozen=True, slots=True)
class Weighing:
    """How a fight is weighed: the rules as they are written, what is asked of its end instead of how it ends, whose
    rows alone, or only of what is doubtful, perhaps with the `choices` that are left to the ruleset; and what it may
    take in all, and one change of it. `as_far_as_it_goes` what takes more is not tried, and is no fault."""

    rules: Rules
    questions: tuple[str, ...] = ()
    rows: str = ""
    until_resolved: bool = False
    shares: bool = True
    doubts: bool = False
    choices: bool = False
    as_far_as_it_goes: bool = False
    most_work: int | None = None
    most_of_one: int | None = None
    watch: Callable[[int, int], None] | None = None


def weigh(name: str, fight: Fight, how: Weighing) -> Weighed:
    """What matters in a fight. Faulty where the fight itself cannot be worked out, or where its rules are so many that
    it takes longer than it may."""
    ruleset, total = fight.bound.ruleset, Budget(how.most_work)
    ends = what_is_asked(fight, how.questions)
    fight = replace(fight, questions=ends.texts)
    run = begin(fight, None)
    run.may_spend(how.most_work)
    run.will_be_asked(ends.ask)
    go(run, how.until_resolved)
    as_it_is = distribution(run, list(ends.ask(run)))
    outcomes = ends.outcomes(as_it_is)
    of_one = max(run.shop.budget.spent, 1)
    most = None if how.most_of_one is None else max(how.most_of_one, 2 * of_one)
    asked_of = partial(Asked, fight, ask=ends.ask, until_resolved=how.until_resolved, most_work=most)
    those, never = candidates(fight, run.met, how.rows)
    those = [one for one in those if one.sort == READING or one.assumed or not how.doubts]
    those += second_readings(fight, run, how.rules, how.rows, never)
    if not how.doubts:
        those += changes_left_out(fight, run, how.rules, how.rows, never)
    left = choices_left_open(fight, run) if how.choices else {}
    those += (answer for answers in left.values() for answer in answers)
    alone: list[tuple[Candidate, Weight, Found]] = []
    if not how.as_far_as_it_goes:
        total.tries(len(those), len(those), of_one * len(those), "rules to weigh")
    for number, each in enumerate(those, 1):
        if how.watch is not None:
            how.watch(number, len(those))
        if how.as_far_as_it_goes and total.most is not None and total.spent + of_one > total.most:
            alone.append((each, Weight(*_told(each), (), NOT_TRIED), {}))
            continue
        taken = Budget()
        found = _found(partial(asked_of, total=taken), each)
        total.spent += taken.spent if most is None else min(taken.spent, most)  # what is too large is given up before
        if not how.as_far_as_it_goes:
            total.tries(number, len(those), total.spent, "rules", at_most=True)
        alone.append((each, _weight(each, found, ends, as_it_is), found))
    weights = [weight for _, weight, _ in alone]
    shared: list[Together] = []
    game = Game(asked_of, ends, of_one, how.most_work)
    for sort in (MODIFIER, READING) if how.shares else ():
        woken = () if how.doubts else _woken(fight, how, ends, players_of(sort, alone), most)
        alone += ((one, Weight(*_told(one), ()), as_it_is) for one in woken)  # alone they change nothing: others do
        shared += together(game, sort, alone)
    if how.shares:
        out = {f"{one.variant}.{one.id}": (*one.ids, "")[1] for one in ruleset.changes}
        asleep = {name: out[name] for name in never.get(CHANGES, ())}
        shared += changes_together(game, alone, asleep, lambda names: without(fight, how.rules, names))
    strength = ruleset.tables.get("strength-lost")
    moved = {one.name for one in weights if one.shifts}
    kept = {chart: tuple(name for name in names if f"{chart}.{name}" not in moved) for chart, names in never.items()}
    never_met = {chart: names for chart, names in kept.items() if names}
    unmet = {f"{chart}.{name}" for chart, names in never_met.items() for name in names}
    return Weighed(
        name,
        name_of_stack(ruleset),
        ruleset.title,
        strength.unit if strength is not None else "",
        outcomes,
        tuple(sorted((one for one in weights if one.shifts or one.fault), key=lambda one: one.by, reverse=True)),
        tuple(one for one in weights if not one.shifts and not one.fault and one.name not in unmet),
        never_met,
        tuple(shared),
        _assumed(run, weights),
        tuple(left),
    )


def _woken(
    fight: Fight, how: Weighing, ends: Ends, off: Sequence[Candidate], most_work: int | None
) -> list[Candidate]:
    """What of a sort counts once others of it are `off`: all that the fight comes to, or, where one run tells that, any
    of them. Once these are off too there may be more, and so on."""
    more, found = list(off), list[Candidate]()
    while more:
        sort, names = off[0].sort, {one.name for one in off}
        more = []
        for begun in (_without_all, *(() if how.until_resolved else (_with_some,))):
            try:
                run = begun(fight, [one.unknown for one in off])
                run.may_spend(most_work)
                run.will_be_asked(ends.ask)
                go(run, how.until_resolved)
                ends.ask(run)  # which reads what only the verdict asks
            except (Faulty, Shapes):
                continue  # without them there is no fight, and no share of it; or they cannot be thrown
            here = {one.name: one for one in candidates(fight, run.met, how.rows)[0] if one.sort == sort}
            more += [one for name, one in here.items() if name not in names]
            names |= here.keys()
        off, found = [*off, *more], [*found, *more]
    return found


def _without_all(fight: Fight, unknowns: Sequence[Unknown]) -> Run:
    return begin(settled(fight, unknowns, tuple(one.values[1] for one in unknowns)), None)


def _with_some(fight: Fight, unknowns: Sequence[Unknown]) -> Run:
    return unsettled(fight, unknowns).run


def _found(asked_of: Callable[[tuple[Unknown, ...]], Asked], one: Candidate) -> Found:
    """The chances where a candidate is what it would be."""
    if one.by is None:
        return by_itself(asked_of((one.unknown,)))((one.unknown.values[1],))
    if isinstance(one.by, Faulty):
        return one.by
    asked_so = asked_of(())
    return by_itself(replace(asked_so, fight=replace(one.by, questions=asked_so.fight.questions)))(())


def _assumed(run: Run, weights: Sequence[Weight]) -> tuple[tuple[str, Weight | None], ...]:
    """What the result may rest on, the heaviest first, each with the change that does most; then what cannot be read
    otherwise."""
    rests = [str(mark[1]) for mark in run.notes.found if mark[0] == ASSUMED]
    those = {id: [one for one in weights if id in one.assumed] for id in run.ruleset.assumptions if id in rests}
    heaviest = {
        id: max(some, key=lambda one: one.by, default=_never_met(run.ruleset, id)) for id, some in those.items()
    }
    nothing = (False, Fraction(-1), Fraction(-1))
    return tuple(sorted(heaviest.items(), key=lambda one: one[1].by if one[1] else nothing, reverse=True))


def _never_met(ruleset: Ruleset, id: str) -> Weight | None:
    """What could be read otherwise, of which this fight comes to nothing that this would change."""
    if not can_be_read_otherwise(ruleset, id):
        return None
    return Weight(ASSUMPTION, id, ruleset.assumptions[id], "never met", (), (id,), ())


def _told(of: Candidate) -> tuple[str, str, str, str, tuple[str, ...], tuple[str, ...]]:
    return of.sort, of.name, of.is_now, of.would_be, of.cites, of.assumed


def _weight(of: Candidate, found: Found, ends: Ends, as_it_is: Mapping[Row, Fraction]) -> Weight:
    """What moves by itself; where nothing does, what happens together oftener or less often."""
    told = _told(of)
    if isinstance(found, Faulty):
        return Weight(*told, (), *_why_not(found))
    was, now, zero = ends.outcomes(as_it_is), ends.outcomes(found), Fraction(0)
    shifts = [Shift(*key, was.get(key, zero), now.get(key, zero)) for key in {**was, **now}]
    moved = sorted((one for one in shifts if one.by), key=lambda one: (one.is_amount, -abs(one.by)))
    return Weight(*told, tuple(moved or ends.moved_together(as_it_is, found)))


def _why_not(error: Faulty) -> tuple[str, str]:
    """Why there are no chances, and more of it."""
    said = error.diagnostics[0].message if error.diagnostics else ""
    if error.codes <= TOO_MUCH:
        return TOO_LARGE, said
    return (FORBIDDEN if error.codes == {"illegal-declaration"} else AT_FAULT), said
