"""One fight by two rulesets: which of its chances differ, and whether it can tell them apart at all.

What a run never comes to can change nothing. So the base is run first, without working out what its dice come to: it
knows then which charts it has looked into, which rows have counted, which options were asked. A change of anything else
leaves the fight as it is, and no chance of it is worked out; only what may read a changed rule is worked out by both.
That is exact and not a guess: a row is passed over only if its chart was never asked, or if it says something else and
never held for any fall of the dice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from fractions import Fraction

from closecombat.asking.chances import SIDES, TOO_MUCH, UNITS, Chances, work_out
from closecombat.asking.fight_files import Scene, staged
from closecombat.asking.rule_changes import ADDED, REMOVED, RuleChange
from closecombat.binding.charts import Bound
from closecombat.playing.fight import Fight, begin
from closecombat.playing.run import Run
from closecombat.proving.budget import SECOND
from closecombat.reading.situation import State
from closecombat.reading.slots import FactOf, InPlay
from closecombat.reading.types import Exact, Thing, shown
from closecombat.text.faults import Faulty
from closecombat.text.slotted import dataclass

BY_UNITS = SECOND // 8  # of work: what takes more is told by sides
MOST_STEPS = 1_000  # of the program of a fight that nobody minds
MOST_WORK = SECOND // 2  # of work for one fight by one ruleset, which nobody minds
UNTOUCHED, SAME, DIFFERS, UNKNOWN, ONE_SIDED = "untouched", "same", "differs", "unknown", "one-sided"
STILL, DEADLIER, MILDER, MIXED = "otherwise", "deadlier", "milder", "mixed"
KINDER, HARDER, ENEMY = "kinder to ", "harder on ", "the enemy of "
CHARTS = ("tables", "outcomes", "strength-lost", "ends", "groups")
HARMLESS = ("ends",)  # sections that no chance of a close combat hangs on


@dataclass(frozen=True, slots=True)
class Told:
    """The chances of a fight by one ruleset, each under what it is of whom; or the code and the words of the fault that
    keeps it from being worked out. `losses` are how likely each side loses how much."""

    chances: Mapping[tuple[str, str], Fraction] = field(default_factory=dict)
    losses: Mapping[str, Mapping[Exact, Fraction]] = field(default_factory=dict)
    unit: str = ""
    by_units: bool = True
    code: str = ""
    message: str = ""


@dataclass(frozen=True, slots=True)
class Shift:
    """A chance that is another, or a side's average loss: `what` of `whom`."""

    whom: str
    what: str
    old: Fraction
    new: Fraction

    @property
    def by(self) -> Fraction:
        return self.new - self.old


@dataclass(frozen=True, slots=True)
class Differing:
    """What became of one fight. `word` says for whom it is better where it differs, `signs` who loses more (1) or
    less (-1), or neither; `shifts` are the chances that
    differ, the largest first; `lost` is what each side loses on average."""

    name: str
    fate: str
    word: str = ""
    signs: Mapping[str, int | None] = field(default_factory=dict)
    shifts: tuple[Shift, ...] = ()
    lost: tuple[Shift, ...] = ()
    unit: str = ""
    by_units: bool = True
    message: str = ""

    @property
    def largest(self) -> Fraction:
        return max((abs(shift.by) for shift in self.shifts), default=Fraction(0))


@dataclass(frozen=True, slots=True)
class Touch:
    """What the changes of a ruleset ask of a run of its base before it can be passed over."""

    changes: tuple[RuleChange, ...]
    anyhow: bool  # whether some change may reach every fight
    defaults: tuple[RuleChange, ...] = ()  # of facts: seen at the start, but of what comes later or turns into another

    def reaches(self, run: Run, base: Fight, other: Fight) -> bool:
        """Whether a run of the base has come to anything that is changed."""
        if self.anyhow or _opens_otherwise(base, other):
            return True
        if any(_comes_later(change, run) for change in self.defaults):
            return True
        options = {option.name for option in run.ruleset.options.values() if id(option) in run.met}
        if any(base.options.get(name) != other.options.get(name) for name in options):
            return True
        met = {(origin.place.source.name, origin.place.start) for origin in run.met.values()}
        return any(_is_met(change, run.looked_into, met) for change in self.changes)


def touch(changes: Sequence[RuleChange]) -> Touch:
    """What of the changes can be met by a run; defaults are seen in what a fight begins with."""
    counting = [one for one in changes if one.counts and one.section not in HARMLESS]
    asked = [one for one in counting if one.section in CHARTS or one.section == "sequences"]
    rest = [one for one in counting if one not in asked]
    defaults = tuple(one for one in rest if one.section == "kinds" and one.how != ADDED)
    return Touch(tuple(asked), any(not _is_seen_at_the_start(one) for one in rest), defaults)


def _comes_later(change: RuleChange, run: Run) -> bool:
    """Whether a run has a thing of which such a default may count that the start did not show: one that came later, or
    that turned into another counter."""
    fact = run.ruleset.kinds[change.chart].facts.get(change.row)
    new = any(thing.kind == change.chart and InPlay(thing) not in run.start for thing in run.state.things.values())
    return new or fact is None or fact.origin == "printed"


def _is_seen_at_the_start(change: RuleChange) -> bool:
    """Whether a change of a fact or an option, if it is met at all, shows in what a fight begins with."""
    columns = {cell.column for cell in change.counting}
    if change.section == "options":
        return columns <= {"default", "first", "reading", "is"}
    if change.section == "kinds":
        return change.how == ADDED or (bool(columns) and columns <= {"default"})
    return change.how == ADDED and change.section in ("words", "counters", "dies", "dice", "decks", "options")


def _is_met(change: RuleChange, looked_into: Mapping[str, bool], met: set[tuple[str, int]]) -> bool:
    place = (change.was.source.name, change.was.start) if change.was is not None else None
    if change.section == "sequences":
        if change.how == ADDED and not change.row:
            return False  # played by nobody, but by rows that are changed as well
        return change.asks_otherwise or place in met
    name = change.section if change.section in ("outcomes", "strength-lost") else change.chart
    if name not in looked_into:
        return False
    supposed, whole = looked_into[name], change.section == "groups" or not change.row
    return whole or supposed or (change.asks_otherwise and change.how != REMOVED) or place in met


def _opens_otherwise(base: Fight, other: Fight) -> bool:
    """Whether the two begin with different things or facts."""
    one, two = _opening(base), _opening(other)
    if one is None or two is None:
        return True
    return _written(one) != _written(two)


def _written(state: State) -> tuple[dict[str, str], dict[str, str]]:
    """A state in words that do not tell one run's things from another's."""
    slots = {repr(slot): repr(value) for slot, value in state.slots.items()}
    return slots, {thing.name: counter for thing, counter in state.counters.items()}


def _opening(fight: Fight) -> State | None:
    return fight.openings[0] if fight.openings else None


# ---- one fight --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Pair:
    """Two rulesets, and what the changes between them ask of a run."""

    base: Bound
    other: Bound
    touch: Touch
    most_work: int | None = MOST_WORK


def compared(pair: Pair, scene: Scene) -> Differing:
    """One fight by both rulesets."""
    try:
        fight = staged(scene, pair.base)
        begin(fight, None)
    except Faulty as error:
        return _by_one(pair, scene, error)
    other: Fight | None = None
    try:
        other = staged(scene, pair.other)
        begin(other, None)
    except Faulty as error:
        return Differing(scene.name, ONE_SIDED, message=f"not by the other: {_said(error)}")
    seen: list[bool] = []

    def look(run: Run) -> None:
        seen.append(pair.touch.reaches(run, fight, other))
        if not seen[-1]:
            raise Faulty.told()  # there is nothing to work out

    told = tell(fight, pair.most_work, look)
    if seen and not seen[-1]:
        return Differing(scene.name, UNTOUCHED)
    if told.code in TOO_MUCH:
        return Differing(scene.name, UNKNOWN, message=told.message)
    return differing(scene.name, told, tell(other, pair.most_work), _roles(fight))


def _by_one(pair: Pair, scene: Scene, error: Faulty) -> Differing:
    """A fight that the base cannot read: by the other it may be one."""
    try:
        begin(staged(scene, pair.other), None)
    except Faulty:
        return Differing(scene.name, UNTOUCHED)
    return Differing(scene.name, ONE_SIDED, message=f"not by the base: {_said(error)}")


def _said(error: Faulty) -> str:
    return error.diagnostics[0].message if error.diagnostics else "it cannot be played"


def tell(fight: Fight, most_work: int | None, look: Callable[[Run], None] | None = None) -> Told:
    """The chances of a fight: of all that has changed of anybody, or if that is too much of how each side ends."""
    quick = BY_UNITS if most_work is None else min(BY_UNITS, most_work)
    found = tell_by(fight, UNITS, quick, look)
    return tell_by(fight, SIDES, most_work, look) if found.code in TOO_MUCH else found


def tell_by(fight: Fight, by: str, most_work: int | None, look: Callable[[Run], None] | None) -> Told:
    """The chances of a fight whose ends are told apart in a way, or why there are none."""
    most_steps = None if most_work is None else max(MOST_STEPS, MOST_STEPS * most_work // MOST_WORK)
    try:
        found = work_out(fight, by, with_notes=False, most_work=most_work, at_the_end_of=look, most_steps=most_steps)
    except Faulty as error:
        code = error.diagnostics[0].code if error.diagnostics else ""
        return Told(code=code or UNTOUCHED, message=_said(error))
    return _told(found, by == UNITS)


def _told(found: Chances, by_units: bool) -> Told:
    chances: dict[tuple[str, str], Fraction] = {}
    for side, words in found.verdicts.items():
        chances |= {(side, word): chance for word, chance in words.items()}
    for outcome in found.outcomes if by_units else ():
        for who, facts in outcome.units.items():
            for name, value in facts.items():
                key = who, name if value is True else f"not {name}" if value is False else f"{name} {shown(value)}"
                chances[key] = chances.get(key, Fraction(0)) + outcome.probability
    losses = {side: dict(loss.distribution) for side, loss in found.losses.items()}
    unit = next((loss.unit for loss in found.losses.values()), "")
    return Told(chances, losses, unit, by_units)


def differing(name: str, base: Told, other: Told, roles: Mapping[str, str]) -> Differing:
    """What two tellings of a fight differ in."""
    if base.code or other.code:
        if base.code == other.code and base.code not in TOO_MUCH:
            return Differing(name, SAME, message=base.message)
        if {base.code, other.code} & TOO_MUCH:
            return Differing(name, UNKNOWN, message=base.message or other.message)
        by = "by the base" if base.code else "by the other"
        return Differing(name, ONE_SIDED, message=f"not {by}: {base.message or other.message}")
    by_units = base.by_units and other.by_units
    keys = [key for key in dict.fromkeys((*base.chances, *other.chances)) if by_units or key[0] in base.losses]
    shifts = [Shift(*key, base.chances.get(key, Fraction(0)), other.chances.get(key, Fraction(0))) for key in keys]
    moved = sorted((one for one in shifts if one.by), key=lambda one: (-abs(one.by), keys.index((one.whom, one.what))))
    lost = [
        Shift(side, "lost", _mean(base.losses.get(side, {})), _mean(other.losses.get(side, {}))) for side in base.losses
    ]
    same_losses = base.losses == other.losses
    if not moved and same_losses:
        return Differing(name, SAME, by_units=by_units)
    signs = _signs(base, other, roles)
    moved_losses = tuple(one for one in lost if one.by)
    return Differing(name, DIFFERS, _word(signs), signs, tuple(moved), moved_losses, base.unit, by_units)


def _mean(found: Mapping[Exact, Fraction]) -> Fraction:
    return sum((Fraction(amount) * chance for amount, chance in found.items()), Fraction(0))


# ---- for whom it is better --------------------------------------------------------------------------------


def _signs(base: Told, other: Told, roles: Mapping[str, str]) -> dict[str, int | None]:
    """Whether each side loses more, less, as much, or neither, by its role in the fight or else by its name."""
    sides = dict.fromkeys((*base.losses, *other.losses))
    return {roles.get(side, side): _heavier(base.losses.get(side, {}), other.losses.get(side, {})) for side in sides}


def _word(signs: Mapping[str, int | None]) -> str:
    """What is said of a fight: who loses more, who less."""
    found = set(signs.values())
    if None in found:
        return MIXED
    if found <= {0}:
        return STILL
    if len(signs) < 2 or len(found) == 1:
        return DEADLIER if found & {1} else MILDER
    best, worst = min(signs, key=lambda who: signs[who] or 0), max(signs, key=lambda who: signs[who] or 0)
    if len(signs) > 2:
        return MIXED if found >= {1, -1} else DEADLIER if 1 in found else MILDER
    by_best = worst.startswith(ENEMY) or (signs[best] == -1 and not best.startswith(ENEMY))
    return f"{KINDER}{best}" if by_best else f"{HARDER}{worst}"


def _heavier(one: Mapping[Exact, Fraction], other: Mapping[Exact, Fraction]) -> int | None:
    """1 if the other loss is heavier for every amount, as likely to be at least so much; None if neither is."""
    more = less = False
    left = right = Fraction(0)
    for amount in sorted({*one, *other}, reverse=True):
        left, right = left + one.get(amount, 0), right + other.get(amount, 0)
        more, less = more or right > left, less or left > right
    return None if more and less else 1 if more else -1 if less else 0


def _roles(fight: Fight) -> dict[str, str]:
    """What a side is called by the fight as a whole: by the fact of the only thing of its kind that names it, or as the
    enemy of whoever is called so."""
    state, ruleset = _opening(fight), fight.bound.ruleset
    found: dict[str, str] = {}
    for thing in state.things.values() if state is not None else ():
        kind = ruleset.kinds[thing.kind]
        for name in kind.facts if kind.one else ():
            value = state.slots.get(FactOf(thing, name)) if state is not None else None
            if isinstance(value, Thing):
                found.setdefault(value.name, f"the {name}")
    if state is not None and len(found) == 1:
        (known, role), *_ = found.items()
        those = [one.name for one in _like(state, known) if one.name != known]
        found |= {those[0]: f"{ENEMY}{role}"} if len(those) == 1 else {}
    return found


def _like(state: State, name: str) -> list[Thing]:
    return state.by_kind[state.things[name].kind]


def whole_word(found: Sequence[Differing]) -> str:
    """What all fights say together: one word if none contradicts it."""
    those = [one for one in found if one.fate == DIFFERS]
    if not those:
        return STILL if any(one.fate == ONE_SIDED for one in found) else SAME
    words = {one.word for one in those} - {STILL}
    if len(words) < 2:
        return next(iter(words), STILL)
    every = {sign for one in those for sign in one.signs.values()}
    if None in every:
        return "incomparable"
    if every <= {0, 1}:
        return DEADLIER
    if every <= {0, -1}:
        return MILDER
    for who in those[0].signs:
        mine = {one.signs.get(who) for one in those}
        theirs = {sign for one in those for each, sign in one.signs.items() if each != who}
        if mine <= {0, -1} and theirs <= {0, 1}:
            return f"{KINDER}{who}"
    return "incomparable"
