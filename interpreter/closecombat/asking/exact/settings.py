"""The exact chances of a fight for every setting of what is not settled: readings, rows, numbers, facts (`unknowns`).

All settings are worked out in one run where that can be. Where it cannot, the settings are parted and each part is
tried again, in the end one by one: a setting that is forbidden, at fault or too large is then known by itself and has
its fault for an answer, and does not stop the others. Which unknown is to blame is looked for first, by changing each
alone; there the settings are parted.

One run is quicker where unknowns seldom meet, as modifiers do: a thousand settings may cost as much as ten. Where they
all meet, as the dice of a pool do, it is slower than one by one. So it may take as long as those would, and is then
given up for them: at worst all of it takes twice as long.

What one run says of many settings is not taken on trust: of each such run the first setting, the one furthest from it,
and all that are known otherwise are worked out by themselves as well, and must be the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction
from functools import partial
from itertools import product
from typing import TypeAlias

from closecombat.asking.exact.answers import TOO_MUCH
from closecombat.playing.fight import Fight, begin, distribution, go
from closecombat.playing.run import Run
from closecombat.playing.unknowns import Setting, Shapes, Unknown, settled, unsettled
from closecombat.proving.tables.weights import Row
from closecombat.proving.values.budget import SECOND, Budget
from closecombat.proving.values.symbolic import Value
from closecombat.text.faults import Bug, Faulty
from closecombat.text.slotted import dataclass

MOST_AT_ONCE = 4_096  # settings of one run: more are parted at once
LEAST = SECOND // 100  # of work that is taken for one setting, however little it is
Found: TypeAlias = Mapping[Row, Fraction] | Faulty  # the chance of each row of answers, or why there is none
Ask: TypeAlias = Callable[[Run], Sequence[Value]]
Watch: TypeAlias = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Asked:
    """A fight, what is not settled of it, and what is asked of its end. The first value of each unknown is how it is.
    One fight may take `most_work`; `total` is what all of them have taken, and may take."""

    fight: Fight
    unknowns: tuple[Unknown, ...]
    ask: Ask
    until_resolved: bool = False
    most_work: int | None = None
    total: Budget = field(default_factory=Budget)


@dataclass(slots=True)
class _Work:
    """What has been done, and for whom."""

    asked: Asked
    watch: Watch
    of_one: int = LEAST  # work that one setting takes
    known: dict[Setting, Found] = field(default_factory=dict)
    alone: dict[Setting, Found] = field(default_factory=dict)  # worked out by themselves

    @property
    def many(self) -> int:
        """How many settings there are."""
        return _size([unknown.values for unknown in self.asked.unknowns])


def as_it_is(unknowns: Sequence[Unknown]) -> Setting:
    """The setting in which everything is as it is."""
    return tuple(unknown.values[0] for unknown in unknowns)


def by_itself(asked: Asked, known: Mapping[Setting, Found] | None = None) -> Callable[[Setting], Found]:
    """The chances in any one setting, worked out with nothing left open, and once; some may be `known`."""
    return partial(_by_itself, _Work(asked, _nobody, alone=dict(known or {})))


def of_every_setting(
    asked: Asked, watch: Watch | None = None, known: Mapping[Setting, Found] | None = None
) -> dict[Setting, Found]:
    """The chances in every setting, in the order of the values, the last unknown changing fastest. Some may be `known`,
    each worked out by itself. Faulty if all of them together take more than they may."""
    work = _Work(asked, watch or _nobody, alone=dict(known or {}))
    domains = tuple(unknown.values for unknown in asked.unknowns)
    _as_it_is(work)
    _part(work, domains, ())
    return {setting: work.known[setting] for setting in product(*domains)}


def of_one_run(asked: Asked, as_long_as: int) -> dict[Setting, Found] | int | Faulty:
    """The chances in every setting, if one run says them all that takes no longer than so many settings by themselves;
    or the number of an unknown that cannot be thrown with the others, or the fault for which the run cannot be had."""
    work = _Work(asked, _nobody)
    domains = tuple(unknown.values for unknown in asked.unknowns)
    found = _as_it_is(work)
    if isinstance(found, Faulty):
        return found
    work.of_one = min(work.of_one, max(work.of_one * as_long_as // work.many, 1))
    why = _together(work, domains) if work.many > 1 else None
    if why is not None:
        return why
    return {setting: work.known.get(setting, found) for setting in product(*domains)}


def _as_it_is(work: _Work) -> Found:
    """The chances where nothing is changed; and how much work they take, which others are expected to take too."""
    first, before = as_it_is(work.asked.unknowns), work.asked.total.spent
    if first in work.alone:
        _alone(work, first)
    found = _by_itself(work, first)
    work.of_one = max(work.asked.total.spent - before, LEAST)
    return found


def _nobody(done: int, of: int) -> None:
    pass


def _part(work: _Work, domains: tuple[tuple[Value, ...], ...], blamed: tuple[int, ...]) -> None:
    """Works out the settings of which each unknown is one of some values. Those to blame for a run that could not be
    had are parted first."""
    many = _size(domains)
    if many == 1 or work.asked.until_resolved:
        _one_by_one(work, domains)
    elif many > MOST_AT_ONCE:
        _halve(work, domains, blamed)
    else:
        why = _together(work, domains)
        if why is None:
            return
        if isinstance(why, int):
            _halve(work, domains, (why,))
        elif isinstance(_by_itself(work, tuple(domain[0] for domain in domains)), Faulty):
            _one_by_one(work, domains)  # so most of them are
        else:
            blamed = tuple(one for one in blamed if len(domains[one]) > 1) or _to_blame(work, domains)
            if blamed or not why.codes <= TOO_MUCH:
                _halve(work, domains, blamed)
            else:
                _one_by_one(work, domains)


def _one_by_one(work: _Work, domains: tuple[tuple[Value, ...], ...]) -> None:
    for setting in product(*domains):
        work.known[setting] = _by_itself(work, setting)
        work.watch(len(work.known), work.many)


def _size(domains: Sequence[Sequence[Value]]) -> int:
    out = 1
    for domain in domains:
        out *= len(domain)
    return out


def _halve(work: _Work, domains: tuple[tuple[Value, ...], ...], blamed: tuple[int, ...]) -> None:
    """Parts the settings: one value of an unknown that is to blame from the others, else one with many values."""
    at = next((one for one in blamed if len(domains[one]) > 1), None)
    if at is None:
        at = max(range(len(domains)), key=lambda one: len(domains[one]))
        cut = (len(domains[at]) + 1) // 2
    else:
        cut = 1
    for part in (domains[at][:cut], domains[at][cut:]):
        _part(work, (*domains[:at], part, *domains[at + 1 :]), blamed)


def _to_blame(work: _Work, domains: tuple[tuple[Value, ...], ...]) -> tuple[int, ...]:
    """The unknowns that cannot be changed alone without a fault."""
    base = tuple(domain[0] for domain in domains)
    found = []
    for at, domain in enumerate(domains):
        others = [(*base[:at], value, *base[at + 1 :]) for value in domain[1:]]
        if any(isinstance(_by_itself(work, other), Faulty) for other in others):
            found.append(at)
    return tuple(found)


def _by_itself(work: _Work, setting: Setting) -> Found:
    """The chances in a setting, with nothing left open."""
    known = work.alone.get(setting)
    if known is None:
        known = work.alone[setting] = _alone(work, setting)
    return known


def _alone(work: _Work, setting: Setting) -> Found:
    asked = work.asked
    asked.total.spend(0)
    run: Run | None = None
    try:
        run = begin(settled(asked.fight, asked.unknowns, setting), None)
        run.notes_nothing()
        run.may_spend(asked.most_work)
        run.will_be_asked(asked.ask)
        go(run, asked.until_resolved)
        return distribution(run, list(asked.ask(run)))
    except Faulty as error:
        return error
    finally:
        asked.total.spent += run.shop.budget.spent if run is not None else 0


def _at_most(total: Budget, work: int) -> int:
    """So much work, or what is left of all that there may be."""
    return work if total.most is None else min(work, max(total.most - total.spent, 0))


def _together(work: _Work, domains: tuple[tuple[Value, ...], ...]) -> int | Faulty | None:
    """Works out many settings in one run, and says nothing; or the number of the unknown that cannot be thrown with the
    others; or the fault for which the run cannot be had."""
    asked = work.asked
    asked.total.spend(0)
    places = range(len(domains))
    fixed, open_ = ([at for at in places if (len(domains[at]) == 1) is is_fixed] for is_fixed in (True, False))
    many = _size(domains)
    run: Run | None = None
    try:
        fight = settled(asked.fight, [asked.unknowns[at] for at in fixed], tuple(domains[at][0] for at in fixed))
        begun = unsettled(fight, [replace(asked.unknowns[at], values=domains[at]) for at in open_])
        run = begun.run
        run.notes_nothing()
        run.may_spend(_at_most(asked.total, many * work.of_one))
        go(run, False)
        found = distribution(run, [*begun.variables, *asked.ask(run)])
    except Shapes as error:
        return open_[error.number]
    except Faulty as error:
        return error
    finally:
        asked.total.spent += run.shop.budget.spent if run is not None else 0
    those: dict[Setting, dict[Row, Fraction]] = {setting: {} for setting in product(*domains)}
    means = [dict(zip(holds, domains[at], strict=True)) for at, holds in zip(open_, begun.holds, strict=True)]
    for row, chance in found.items():
        thrown = {at: values[held] for at, values, held in zip(open_, means, row, strict=False)}
        setting = tuple(thrown.get(at, domains[at][0]) for at in places)
        those[setting][row[len(open_) :]] = chance * many
    for setting, chances in those.items():
        if sum(chances.values()) != 1:
            raise Bug(f"the chances in {setting} do not sum to 1")
    for end in (0, -1):
        _by_itself(work, tuple(domain[end] for domain in domains))
    for setting in those.keys() & work.alone.keys():
        alone = work.alone[setting]
        if alone != those[setting] and not (isinstance(alone, Faulty) and alone.codes <= TOO_MUCH):
            raise Bug(f"{setting} by itself is not what it is among others")
    work.known |= those
    work.watch(len(work.known), work.many)
    return None
