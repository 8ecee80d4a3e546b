"""One fight by two rulesets: which of its chances differ, and whether it can tell them apart at all.

What a run never comes to can change nothing. So the base is run first, without working out what its dice come to: it
knows then which charts it has looked into, which rows have counted, which options were asked. A change of anything else
leaves the fight as it is, and no chance of it is worked out; only what may read a changed rule is worked out by both.
That is exact and not a guess: a row is passed over only if its chart was never asked, or if it says something else and
never held for any fall of the dice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction
from functools import partial

from closecombat.asking.changes.rule_changes import ADDED, REMOVED, RuleChange
from closecombat.asking.editing.names import WORD
from closecombat.asking.exact.answers import STRENGTH_LOST, TOO_MUCH, Shift
from closecombat.asking.fights.fight_files import Scene, staged
from closecombat.asking.keeping.came_to import (
    ENEMY,
    MOST_WORK,
    Aims,
    Begun,
    CameTo,
    Chances,
    Reached,
    Told,
    asked_of,
    how_it_begins,
    not_allowed,
    said,
    told_by_both,
    unit_by_unit,
    worked_out,
)
from closecombat.asking.weights.outcomes import moved_together
from closecombat.binding.charts import Bound
from closecombat.playing.fight import Fight
from closecombat.reading.model import Fact, Ruleset
from closecombat.reading.types import Exact
from closecombat.text.faults import Faulty
from closecombat.text.nodes import Mapping as Written
from closecombat.text.slotted import dataclass

UNTOUCHED, SAME, DIFFERS, UNKNOWN, ONE_SIDED = "untouched", "same", "differs", "unknown", "one-sided"
LEFT_OUT, NEITHER = "left-out", "neither"
STILL, DEADLIER, MILDER, MIXED = "otherwise", "deadlier", "milder", "mixed"
ONLY_TOGETHER = "each comes to what it does as often as before, but not together with others"
ASKED = "asked"  # by the example itself, of whomever it names
UNTRIED = "untried"  # there is no fight to hold against both
KINDER, HARDER = "kinder to ", "harder on "
CHARTS = ("tables", "outcomes", "strength-lost", "ends", "groups")
HARMLESS = ("ends",)  # sections that no chance of a close combat hangs on


@dataclass(frozen=True, slots=True)
class Differing:
    """What became of one fight. `word` says for whom it is better where it differs, `signs` who loses more (1) or
    less (-1), or neither; `shifts` are the chances that
    differ, those of the verdicts first, the largest before the others; `lost` is what each side loses on average;
    `by_units` says whether everything that becomes of anybody was compared, or how each side ends;
    `left` what either left to the ruleset of what should have been answered best."""

    name: str
    fate: str
    word: str = ""
    signs: Mapping[str, int | None] = field(default_factory=dict)
    shifts: tuple[Shift, ...] = ()
    lost: tuple[Shift, ...] = ()
    unit: str = ""
    by_units: bool = True
    message: str = ""
    left: tuple[str, ...] = ()

    verdicts: int = 0  # how many of the shifts are of verdicts

    @property
    def weight(self) -> tuple[bool, Fraction]:
        """How much it differs: in how the fight ends before anything else."""
        return bool(self.verdicts), abs(self.shifts[0].by) if self.shifts else Fraction(0)


@dataclass(frozen=True, slots=True)
class Touch:
    """What the changes of a ruleset ask of a run of its base before it can be passed over."""

    changes: tuple[RuleChange, ...]
    anyhow: bool  # whether some change may reach every fight
    defaults: tuple[RuleChange, ...] = ()  # of facts: seen at the start, but of what comes later or turns into another

    @property
    def is_of_the_start(self) -> bool:
        """Whether nothing is changed but what is so where nothing is said: two fights then differ in values alone."""
        return bool(self.defaults) and not self.changes and not self.anyhow

    def is_seen_at_the_start(self, ruleset: Bound, reached: Reached) -> bool:
        """Whether such a change shows in what a fight begins with, all of it."""
        return not any(_comes_later(change, reached, ruleset.ruleset) for change in self.defaults)

    def is_reached(self, ruleset: Bound, base: Begun, other: Begun, reached: Reached) -> bool:
        """Whether a run by the base, which is this ruleset, has come to anything that is changed."""
        if self.anyhow or base.opening != other.opening:
            return True
        if not self.is_seen_at_the_start(ruleset, reached):
            return True
        if any(base.options.get(name) != other.options.get(name) for name in reached.options):
            return True
        return any(_is_met(change, reached) for change in self.changes)


def touch(changes: Sequence[RuleChange]) -> Touch:
    """What of the changes can be met by a run; defaults are seen in what a fight begins with."""
    counting = [one for one in changes if one.counts and one.section not in HARMLESS]
    asked = [one for one in counting if one.section in CHARTS or one.section == "sequences"]
    rest = [one for one in counting if one not in asked]
    defaults = tuple(one for one in rest if one.section == "kinds" and one.how != ADDED)
    anyhow = any(one.takes for one in counting) or any(not _is_seen_at_the_start(one) for one in rest)
    return Touch(tuple(asked), anyhow, defaults)


def _comes_later(change: RuleChange, reached: Reached, ruleset: Ruleset) -> bool:
    """Whether a run has a thing of which such a default may count that the start did not show: one that came later, or
    that turned into another counter."""
    fact = ruleset.kinds[change.chart].facts.get(change.row)
    return change.chart in reached.later or fact is None or fact.origin == "printed"


def _is_plain(fact: Fact) -> bool:
    """Whether a fact of which nothing is said has a value that could be said of it as well."""
    default = fact.default[0] if fact.default is not None and not fact.like else None
    return default is not None and not isinstance(default, dict)


def _is_seen_at_the_start(change: RuleChange) -> bool:
    """Whether a change of a fact or an option, if it is met at all, shows in what a fight begins with."""
    columns = {cell.column for cell in change.counting}
    if change.section == "options":
        return columns <= {"default", "first", "reading", "is"}
    if change.section == "kinds":
        return change.how == ADDED or (bool(columns) and columns <= {"default"})
    return change.how == ADDED and change.section in ("words", "counters", "dies", "dice", "decks", "options")


def _is_met(change: RuleChange, reached: Reached) -> bool:
    is_met = change.was is not None and (change.was.source.name, change.was.start) in reached.places
    if change.section == "sequences":
        if change.how == ADDED and not change.row:
            return False  # played by nobody, but by rows that are changed as well
        return change.asks_otherwise or is_met
    name = change.section if change.section in ("outcomes", "strength-lost") else change.chart
    if name not in reached.looked_into:
        return False
    supposed, whole = reached.looked_into[name], change.section == "groups" or not change.row
    return whole or supposed or (change.asks_otherwise and change.how != REMOVED) or is_met


# ---- one fight --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Pair:
    """Two rulesets, and what the changes between them ask of a run. By both, all sides answer what is left open as well
    as can be for the `aims`, where there are any."""

    base: Bound
    other: Bound
    touch: Touch
    most_work: int | None = MOST_WORK
    aims: Aims = ()

    @property
    def is_one_run(self) -> bool:
        """Whether one run may say what a fight comes to by both."""
        if self.aims or not self.touch.is_of_the_start:
            return False
        kinds = [(one.chart, one.row) for one in self.touch.defaults]
        facts = [both.ruleset.kinds[kind].facts[name] for both in (self.base, self.other) for kind, name in kinds]
        return all(_is_plain(fact) for fact in facts)


@dataclass(frozen=True, slots=True)
class Compared:
    """One fight held against both rulesets, and what it came to by each, as far as that is known."""

    found: Differing
    base: CameTo | None = None
    other: CameTo | None = None

    @property
    def work(self) -> int:
        """What was to be done for it: the same if a part of that was known, or more than it."""
        if self.base is None or self.found.fate == UNTOUCHED:
            return 0 if self.base is None else self.base.writing
        is_said = self.base.told is not None and self.base.told.code in TOO_MUCH
        return self.base.work + (0 if is_said or self.other is None else self.other.work)


def compared(pair: Pair, scene: Scene, base: CameTo | None = None, other: CameTo | None = None) -> Compared:
    """One fight by both rulesets; what it is known to come to is not worked out again."""
    try:
        left = staged(scene, pair.base)
        base = base or CameTo(how_it_begins(left))
    except Faulty as error:
        return Compared(_by_one(pair, scene, error))
    try:
        right = staged(scene, pair.other)
        other = other or CameTo(how_it_begins(right))
    except Faulty as error:
        return Compared(Differing(scene.name, ONE_SIDED, message=f"not by the other: {said(error)}"), base)
    ours, theirs, work = base.begun, other.begun, 0
    if pair.is_one_run and ours.opening != theirs.opening and base.told is None and other.told is None:
        both = _not_allowed(scene, left, right)
        if both is None:
            is_one = partial(pair.touch.is_seen_at_the_start, pair.base)
            both, work = told_by_both(left, right, pair.most_work, is_one)
        if both is not None:
            base, other = CameTo(ours, None, both[0], work, work), CameTo(theirs, None, both[1])
    while (found := known_of(pair, scene.name, base, other)) is None:
        if base.told is None:
            is_reached = partial(pair.touch.is_reached, pair.base, ours, theirs)
            base = worked_out(left, ours, pair.most_work, is_reached, pair.aims)
            base = replace(base, writing=base.writing + work, work=base.work + work)
        else:
            other = worked_out(right, theirs, pair.most_work, lambda _: True, pair.aims)
    if is_same_by_sides(found):
        base = unit_by_unit(left, base, pair.most_work, pair.aims)
        if base.told is not None and base.told.by_units:
            other = unit_by_unit(right, other, pair.most_work, pair.aims)
        found = known_of(pair, scene.name, base, other) or found
    if asks_of_its_end(pair, scene, found) and (moved := _moved_answers(pair, scene, left, right)):
        signs = dict.fromkeys(found.signs, 0)
        found = replace(found, fate=DIFFERS, word=STILL, signs=signs, shifts=moved)
    return Compared(found, base, other)


def asks_of_its_end(pair: Pair, scene: Scene, found: Differing) -> bool:
    """Whether an example that is the same by all else asks for chances of its own, which may not be: by charts, too,
    that the fight has never come to."""
    wanted = scene.document.get("chances")
    if pair.aims or not isinstance(wanted, Written) or found.fate not in (SAME, UNTOUCHED):
        return False
    rules = (pair.base.ruleset, pair.other.ruleset)
    charts = {name for each in rules for name in (*each.tables, *each.grids, *each.groups)}
    return found.fate == SAME or any(not charts.isdisjoint(WORD.findall(key.value)) for key, _ in wanted.entries)


def _moved_answers(pair: Pair, scene: Scene, left: Fight, right: Fight) -> tuple[Shift, ...]:
    """What an example itself asks of its end, where nobody comes to anything else: of a throw, say, or of what is
    not shown."""
    wanted = scene.document.get("chances")
    if not isinstance(wanted, Written):
        return ()
    old, new = (asked_of(fight, [key for key, _ in wanted.entries], pair.most_work) for fight in (left, right))
    moved = (Shift(ASKED, said, old[said], new[said]) for said in old if said in new)
    return tuple(sorted((one for one in moved if one.by), key=lambda one: -abs(one.by)))


def is_same_by_sides(found: Differing) -> bool:
    """Whether each side ends alike, and it is not known whether everybody does."""
    return found.fate == SAME and not found.by_units


def _not_allowed(scene: Scene, left: Fight, right: Fight) -> tuple[Told, Told] | None:
    """What an example of what is not allowed comes to, where its own dice show that it is not by either ruleset."""
    expect = scene.document.get("expect")
    if scene.dice is None or not isinstance(expect, Written) or "illegal" not in expect:
        return None
    one = not_allowed(left, scene.dice)
    other = not_allowed(right, scene.dice) if one is not None else None
    return (one, other) if one is not None and other is not None else None


def known_of(pair: Pair, name: str, base: CameTo, other: CameTo) -> Differing | None:
    """What can be said of a fight by what it is known to come to; None where something is still to be worked out."""
    if base.reached is not None and not pair.touch.is_reached(pair.base, base.begun, other.begun, base.reached):
        return Differing(name, UNTOUCHED)
    if base.told is None:
        return None
    if base.told.code in TOO_MUCH:
        return Differing(name, UNKNOWN, message=base.told.message)
    return None if other.told is None else differing(name, base.told, other.told, base.begun.roles)


def _by_one(pair: Pair, scene: Scene, error: Faulty) -> Differing:
    """A fight that the base cannot read: by the other it may be one."""
    try:
        how_it_begins(staged(scene, pair.other))
    except Faulty:
        return Differing(scene.name, NEITHER, message=said(error))
    return Differing(scene.name, ONE_SIDED, message=f"not by the base: {said(error)}")


def differing(name: str, base: Told, other: Told, roles: Mapping[str, str]) -> Differing:
    """What two tellings of a fight differ in."""
    if base.code or other.code:
        if base.code == other.code and base.code not in TOO_MUCH:
            same = base.message == other.message
            return Differing(name, NEITHER, message=base.message if same else f"{base.message}; {other.message}")
        if {base.code, other.code} & TOO_MUCH:
            return Differing(name, UNKNOWN, message=base.message or other.message)
        by = "by the base" if base.code else "by the other"
        return Differing(name, ONE_SIDED, message=f"not {by}: {base.message or other.message}")
    by_units = base.by_units and other.by_units
    left = tuple(dict.fromkeys((*base.left, *other.left)))
    ends, message = _shifts(base.verdicts, other.verdicts), ""
    moved = ends + (_shifts(base.changes, other.changes) if by_units else [])
    lost = [
        Shift(side, STRENGTH_LOST, _mean(base.losses.get(side, {})), _mean(other.losses.get(side, {})))
        for side in base.losses
    ]
    if not moved and base.losses == other.losses:
        if base.digest == other.digest or base.by_units != other.by_units:
            return Differing(name, SAME, by_units=by_units, left=left)
        moved = moved_together(base.together, other.together) or moved_together(base.sides, other.sides)
        message = "" if moved else ONLY_TOGETHER
    signs = _signs(base, other, roles)
    moved_losses = tuple(one for one in lost if one.by)
    return Differing(
        name, DIFFERS, _word(signs), signs, tuple(moved), moved_losses, base.unit, by_units, message, left, len(ends)
    )


def _shifts(base: Chances, other: Chances) -> list[Shift]:
    """What is another, the largest first."""
    keys = dict.fromkeys((*base, *other))
    found = [Shift(*key, base.get(key, Fraction(0)), other.get(key, Fraction(0))) for key in keys]
    return sorted((one for one in found if one.by), key=lambda one: -abs(one.by))


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
