"""What became of those who came, in the words that all rulesets share: who holds the place, what it cost, in what
condition the survivors are, and how those who left have left.

A ruleset says under `ends` what one of its things is worth and what its fate is; the rest is worked out here. Each
side's whole force counts, whoever of it fought. Exact fractions throughout.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial

from closecombat.asking.exact.answers import FIT, LOST, SHAKEN, TAKEN, THERE, Ends, Place, SideEnd, UnitEnd
from closecombat.playing.fight import verdicts_are_about
from closecombat.playing.lookup import read_table
from closecombat.playing.run import Run
from closecombat.proving.tables.weights import Row
from closecombat.proving.values.arithmetic import plus
from closecombat.proving.values.symbolic import Sym, Value
from closecombat.reading.model import FATES, LEFT
from closecombat.reading.slots import Member
from closecombat.reading.types import Exact, Thing, Things, exact
from closecombat.text.slotted import dataclass

INSIDE, ALIVE = "inside", "alive"


# ---- asked of a run ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Came:
    """Whose end is told: who came for each side, and what each was worth; the sides in order."""

    sides: tuple[Thing, ...]
    worth: Mapping[Thing, Mapping[Thing, Exact]]
    counted_in: Mapping[Thing, str]


@dataclass(frozen=True, slots=True)
class Asked:
    """What must be known of each way a fight can end. `wanted` holds of each side whether it is in the place, the
    strength it has there, and how much of it has each of the other `fates`. `shaken` is the strength of those
    of each side that are: it hangs on more than all the rest, and only its mean is told, so each is worked out by
    itself; so are `units`, the fate and the strength of each who came, where they are asked for."""

    came: Came
    fates: Mapping[Thing, tuple[str, ...]]
    wanted: tuple[Value, ...]
    shaken: Mapping[Thing, Sequence[Value]]
    units: tuple[tuple[Thing, Thing, Value, Value], ...]  # side, unit, fate, strength


def who_came(run: Run) -> Came | None:
    """To be asked before the fight; None if the ruleset tells no ends."""
    if not run.ruleset.ends:
        return None
    with run.unnoticed():
        sides = tuple(verdicts_are_about(run))
        worth = {side: {thing: exact(_strength(run, thing)) for thing in _of_side(run, side, True)} for side in sides}
    kinds = {side: dict.fromkeys(thing.kind for thing in those) for side, those in worth.items()}
    return Came(sides, worth, {side: _counted_in(run, found) for side, found in kinds.items()})


def ask(run: Run, came: Came, by_unit: bool = False) -> Asked:
    """To be asked after the fight."""
    wanted: list[Value] = []
    fates: dict[Thing, tuple[str, ...]] = {}
    shaken: dict[Thing, list[Value]] = {}
    units: list[tuple[Thing, Thing, Value, Value]] = []
    with run.unnoticed():
        for side in came.sides:
            there: Value = False
            amounts: dict[str, Value] = dict.fromkeys((INSIDE, ALIVE, *LEFT, TAKEN), 0)
            shaken[side] = []
            for thing in _of_side(run, side, False):
                one = _fate(run, thing, thing in came.worth[side], _with(run, thing, side, came.sides))
                strength = run.shop.given(one.counts, partial(_strength, run, thing))
                there = run.shop.or_(there, one.inside)
                for word in amounts:
                    amounts[word] = plus(run.shop, amounts[word], run.shop.if_(one.is_(run, word), strength, 0))
                weak = run.shop.if_(one.is_(run, SHAKEN), strength, 0)
                if type(weak) is Sym or weak:
                    shaken[side].append(_kept(run, weak))
                if by_unit and thing in came.worth[side]:
                    units.append((side, thing, one.fate, strength))
            possible = tuple(word for word, value in amounts.items() if type(value) is Sym or value)
            fates[side] = possible
            wanted += [_kept(run, there), *(_kept(run, amounts[word]) for word in possible)]
    return Asked(came, fates, tuple(wanted), shaken, tuple(units))


def fate_of(run: Run, thing: Thing) -> Value:
    """How one of those who came ends, of a kind that `ends` speaks of."""
    return _fate(run, thing, True, True).fate


@dataclass(frozen=True, slots=True)
class One:
    """How somebody ends: his fate, whether he is with his side still, and in the place; and whether he counts."""

    fate: Value
    alive: Value
    inside: Value
    counts: Value

    def is_(self, run: Run, word: str) -> Value:
        if word == INSIDE:
            return self.inside
        is_so = self.alive if word == ALIVE else run.shop.over(self.fate, lambda fate: fate == word)
        return run.shop.and_(self.counts, is_so)


def _of_side(run: Run, side: Thing, at_start: bool) -> Iterator[Thing]:
    """Everybody whose end is told and who came with a side; or has come to it since, when not `at_start`."""
    seen: set[Thing] = set()
    for fact in run.ruleset.kinds[side.kind].facts.values():
        if not isinstance(fact.type, Things) or fact.origin != "given":
            continue
        for thing in run.state.sets.get((side, fact.name), ()):
            came = run.start.get(Member(side, fact.name, thing)) is True
            if thing.kind in run.ruleset.ends and thing not in seen and (came or not at_start):
                seen.add(thing)
                yield thing


def _with(run: Run, thing: Thing, side: Thing, sides: Sequence[Thing]) -> Value:
    """Whether somebody is with a side: nobody who is with another now, and who has come since only if he is with it."""
    of = {one: run.shop.any_of(run.slots.get(place, False) for place in _places(run, one, thing)) for one in sides}
    others = run.shop.any_of(value for one, value in of.items() if one is not side)
    came = any(run.start.get(place) is True for place in _places(run, side, thing))
    return run.shop.not_(others) if came else run.shop.and_(of[side], run.shop.not_(others))


def _places(run: Run, side: Thing, thing: Thing) -> Iterator[Member]:
    for fact in run.ruleset.kinds[side.kind].facts.values():
        if isinstance(fact.type, Things) and fact.origin == "given":
            yield Member(side, fact.name, thing)


def _counted_in(run: Run, kinds: Iterable[str]) -> str:
    return " and ".join(
        dict.fromkeys(run.ruleset.ends[kind].counted_in for kind in kinds if run.ruleset.ends[kind].counted_in)
    )


def _strength(run: Run, thing: Thing) -> Value:
    return run.table(run.ruleset.ends[thing.kind].strength, (thing,))


def _fate(run: Run, thing: Thing, came: bool, is_with: Value) -> One:
    """How somebody ends; who came counts, and who has come since if he is still there, as long as he `is_with` the
    side: to one that he has left he is lost."""
    shop, end, here = run.shop, run.ruleset.ends[thing.kind], run.in_play(thing)
    fate, _ = read_table(run, run.bound.table(end.fate), (thing,))  # as it stands: not all of it is asked each time
    alive = shop.over(fate, lambda word: word in THERE)
    fate = shop.if_(shop.and_(alive, shop.not_(here)), LOST, fate)  # who has left, and no row says how, is lost
    alive = shop.and_(alive, here)
    placed = run.table(end.place, (thing,)) if end.place else True
    fate, alive = shop.if_(is_with, fate, LOST), shop.and_(alive, is_with)
    return One(fate, alive, shop.and_(alive, placed), is_with if came else shop.and_(is_with, here))


def _kept(run: Run, value: Value) -> Value:
    """A value with a name of its own where it hangs on several throws, so that these can be forgotten."""
    return run.draft.named(value) if type(value) is Sym and len(value.vars) > 1 else value


# ---- what the weights say of it --------------------------------------------------------------------------


def ends_of(
    asked: Asked,
    rows: Mapping[Row, int],
    whole: int,
    skip: int,
    work_out: Callable[[Sequence[Value]], tuple[Mapping[Row, int], int]],
) -> Ends:
    """The common end from the weight of each row of values; what was wanted begins after `skip` others. `work_out`
    gives the same of other values by themselves."""
    sides, worth = asked.came.sides, asked.came.worth
    totals: dict[Thing, Exact] = {side: sum(worth[side].values(), 0) for side in sides}
    held, contested, nobody = dict.fromkeys(sides, 0), 0, 0
    sums: dict[Thing, dict[str, Exact]] = {side: dict.fromkeys((INSIDE, ALIVE, *LEFT, TAKEN), 0) for side in sides}
    losses: dict[Thing, dict[Exact, int]] = {side: {} for side in sides}
    for row, weight in rows.items():
        values = iter(row[skip:])
        there: list[Thing] = []
        inside: dict[Thing, Exact] = {}
        for side in sides:
            if next(values):
                there.append(side)
            left = totals[side]
            for word in asked.fates[side]:
                amount: Exact = exact(next(values))
                if word == INSIDE:
                    inside[side] = amount
                    continue
                sums[side][word] += amount * weight
                left -= amount if word != TAKEN else 0
            losses[side][exact(left)] = losses[side].get(exact(left), 0) + weight
        if len(there) == 1:
            held[there[0]] += weight
        elif there:
            contested += weight
            for side, amount in inside.items():
                sums[side][INSIDE] += amount * weight
        else:
            nobody += weight
    return Ends(
        Place(
            {side.name: Fraction(n, whole) for side, n in held.items()},
            Fraction(contested, whole),
            Fraction(nobody, whole),
        ),
        {
            side.name: _side(
                totals[side],
                asked.came.counted_in[side],
                {word: Fraction(amount) / whole for word, amount in sums[side].items()},
                sum((_mean(*work_out([weak])) for weak in asked.shaken[side]), Fraction(0)),
                {amount: Fraction(weight, whole) for amount, weight in losses[side].items()},
            )
            for side in sides
            if totals[side]
        },
        {
            unit.name: _unit(side.name, worth[side][unit], *work_out([fate, strength]))
            for side, unit, fate, strength in asked.units
        },
    )


def _unit(side: str, came: Exact, rows: Mapping[Row, int], whole: int) -> UnitEnd:
    fates, left = dict.fromkeys(FATES, 0), Fraction(0)
    for (fate, strength), weight in rows.items():
        fates[fate] += weight
        left += Fraction(strength) * weight if fate not in (TAKEN, LOST) else 0
    lost = exact(came - left / whole)
    return UnitEnd(side, came, lost, {word: Fraction(n, whole) for word, n in fates.items() if n})


def _mean(rows: Mapping[Row, int], whole: int) -> Fraction:
    return Fraction(sum((Fraction(value) * weight for (value,), weight in rows.items()), Fraction(0))) / whole


def _side(
    total: Exact, counted_in: str, means: Mapping[str, Fraction], shaken: Fraction, losses: Mapping[Exact, Fraction]
) -> SideEnd:
    gone = sum((amount * chance for amount, chance in losses.items()), Fraction(0))
    amounts = {FIT: means[ALIVE] - shaken, SHAKEN: shaken, **{word: means[word] for word in (*LEFT, TAKEN)}}
    shares = {word: amounts.get(word, gone - means[TAKEN]) / total for word in FATES}
    lost = tuple(sorted((Fraction(amount) / total, chance) for amount, chance in losses.items()))
    return SideEnd(total, counted_in, shares, means[INSIDE] / total, lost)
