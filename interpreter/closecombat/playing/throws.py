"""What chance settles in a row: dice and lots. Played, somebody answers; else each is a step of the program. What
cards settle is `cards`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from closecombat.binding import terms as t
from closecombat.binding.bound import BoundRoll, BoundSingleOut
from closecombat.binding.terms import Env, Term
from closecombat.binding.trace import Event
from closecombat.playing.run import Run, counts_for_something
from closecombat.proving import program as p
from closecombat.proving.arithmetic import plus
from closecombat.proving.dice import Part, Pool, Thrown, outcomes, part, throw
from closecombat.proving.ranges import few, passed, range_of
from closecombat.proving.symbolic import Fallible, Sym, Value, somebody
from closecombat.reading.chance import MOST_DICE, MOST_ROLLS_OF_ONE_DIE, MOST_SIDES, faces_of
from closecombat.reading.model import Origin
from closecombat.reading.slots import FactOf, Member
from closecombat.reading.types import Face, Handful, Thing, shown
from closecombat.text.faults import Bug, Faulty
from closecombat.text.source import Span

MOST_READY = 60  # throws that are made ready where it is not known which dice are thrown


@dataclass(frozen=True, slots=True)
class Dice(Fallible):
    """A number of dice that are thrown: whole, and not below 0."""

    what: str
    place: Span

    def __call__(self, number: Value) -> int:
        if type(number) is not int or not 0 <= number <= MOST_DICE:
            raise Faulty.one(
                "out-of-range",
                f"{self.what} would throw {shown(number)} dice",
                self.place,
                help=f"0 to {MOST_DICE}, whole",
            )
        return number


@dataclass(frozen=True, slots=True)
class Settled:
    """Which dice a part of a roll has: what must be known before they are thrown. `hand` is what stands for a die
    that is written elsewhere, `of:` or `sides:`; the number counts before only where some dice are kept."""

    hand: Handful | None = None
    keep: int | None = None
    at_most: int | None = 0  # None is without end
    number: Value = None


def roll(run: Run, verb: BoundRoll, thing: Thing) -> None:
    """Throws the dice of a rolled fact of somebody; where it is not known which dice, for each way that can be."""
    _settle(run, verb, thing, _asked_before(run, verb, thing), ())


def _asked_before(run: Run, verb: BoundRoll, thing: Thing) -> list[tuple[str, Value]]:
    """What decides which dice are thrown, part by part."""
    env, out = {verb.fact.kind: thing}, list[tuple[str, Value]]()
    for one, terms in zip(verb.dice.parts, run.bound.dice(verb.dice.name, verb.fact.kind), strict=True):
        for word in run.ruleset.words[one.each] if one.each else ("",):
            inner = {**env, one.each: word} if one.each else env
            keep = one.keep[1] if one.keep is not None and isinstance(one.keep[1], int) else None
            for what, term, known in (
                ("of", terms.of, None),
                ("sides", terms.sides, None),
                ("keep", terms.keep, keep),
                ("at-most", terms.at_most, one.at_most),
                ("number", terms.number if one.keep else None, None),
            ):
                if term is None:
                    out.append((what, known))
                else:
                    value = term.run(run, inner)
                    out.append((what, value if what == "of" else t.number(run, value)))
    return out


def _settle(run: Run, verb: BoundRoll, thing: Thing, asked: list[tuple[str, Value]], known: tuple[Value, ...]) -> None:
    """Goes on for each thing that the next of what is asked may be."""
    if len(known) == len(asked):
        _thrown(run, verb, thing, [_settled(*known[i : i + 5]) for i in range(0, len(known), 5)])
        return
    what, value = asked[len(known)]
    for one in _may_be(run, value):
        meant = run.shop.equal(value, one) if type(value) is Sym and one is not None else True
        if type(value) is Sym and one is None:
            meant = run.shop.not_(run.shop.lift(somebody, value))
        run.under(meant, partial(_with, run, verb, thing, asked, (*known, one), what))


def _may_be(run: Run, value: Value) -> Sequence[Value]:
    """All that a value may be that is not known yet: what is chosen from, and what a throw comes to; itself where
    these are too many."""
    if type(value) is not Sym:
        return (value,)
    found: dict[Value, None] = {}
    for one in run.shop.everyone(value):
        found |= dict.fromkeys((one,) if (may_be := few(range_of(run.shop, one))) is None else may_be)
    return tuple(found) if len(found) <= MOST_READY else (value,)


def _with(
    run: Run, verb: BoundRoll, thing: Thing, asked: list[tuple[str, Value]], known: tuple[Value, ...], what: str
) -> None:
    value, part = known[-1], run.bound.dice(verb.dice.name, verb.fact.kind)[0]
    terms = {"of": part.of, "sides": part.sides, "keep": part.keep, "at-most": part.at_most, "number": part.number}
    is_asked = terms[what] is not None and (what != "number" or type(value) is Sym)  # of a known one `Dice` speaks
    low, high = {"sides": (1, MOST_SIDES), "at-most": (0, MOST_ROLLS_OF_ONE_DIE)}.get(what, (0, MOST_DICE))
    fits = isinstance(value, Handful) if what == "of" else type(value) is int and low <= value <= high
    if is_asked and not fits:
        run.must_not(True, partial(_not_so_thrown, verb, thing, what, value, (low, high)))
        if run.answers is None:  # a state that may not happen: nobody has thrown
            return
    _settle(run, verb, thing, asked, known)


def _not_so_thrown(verb: BoundRoll, thing: Thing, what: str, value: Value, ends: tuple[int, int]) -> Faulty:
    said = f"{verb.fact.name} of {thing}"
    if type(value) is Sym:
        message = f"which dice {said} throws can be more than is reckoned with: `{what}:` is not one of a few"
        return Faulty.one("budget-exceeded", message, verb.dice.where.place, help="let it be printed or given")
    if what == "of":
        message = f"{said} is thrown with the dice of nobody"
        return Faulty.one("no-value", message, verb.dice.where.place, help="let a column ask first who has any")
    message = f"`{what}:` of {said} is {shown(value)}"
    return Faulty.one("out-of-range", message, verb.dice.where.place, help=f"{ends[0]} to {ends[1]}, whole")


def _settled(of: Value, sides: Value, keep: Value, at_most: Value, number: Value) -> Settled:
    hand = of if isinstance(of, Handful) else Handful(1, int(sides)) if type(sides) is int else None
    return Settled(hand, keep if type(keep) is int else None, at_most if type(at_most) is int else None, number)


def _thrown(run: Run, verb: BoundRoll, thing: Thing, settled: Sequence[Settled]) -> None:
    fact, dice = verb.fact, verb.dice
    parts = _dice_ready(run, verb, thing, settled)
    added = _plus(run, verb, thing, settled)
    what = f"{fact.name} of {thing}"
    numbers = [one.number for one in parts]
    for where in (fact.where, dice.where):
        run.used(where, run.shop.any_of(run.shop.lift(counts_for_something, n) for n in numbers))
    if run.answers is not None:
        faces, told = throw(run.answers, parts, what, fact.where.place)
        thrown = Thrown(parts, faces, run.shop, added)
        if run.recorder is not None:
            more = f" {'+' if added > 0 else '-'} {abs(added)}" if added else ""
            run.recorder.add(Event("roll", fact.name, f" of {thing}", told + more, fact.where))
    else:
        falls = None if any(type(n) is Sym for n in numbers) else outcomes(parts)
        if falls is None:
            if any(one.keep for one in parts):
                endless = any(one.endless for one in parts)
                message = "dice that are thrown once more without end" if endless else "too many dice"
                help = "add `at-most: 10`" if endless else "fewer dice, or fewer throws once more: `at-most`"
                raise Faulty.one("budget-exceeded", f"{what} keeps some of {message}", fact.where.place, help=help)
            pool = Pool(parts)
            run.step(p.PoolThrow(pool))
            thrown = Thrown(parts, pool, run.shop, added)
        elif len(falls) == 1:
            thrown = Thrown(parts, falls[0][0], run.shop, added)
        else:
            var = run.shop.variable()
            run.shop.falls[var] = tuple(faces for faces, _ in falls)
            run.step(p.Throw(var, falls))
            thrown = Thrown(parts, var, run.shop, added)
    run.write(FactOf(thing, fact.name), thrown)


def _plus(run: Run, verb: BoundRoll, thing: Thing, settled: Sequence[Settled]) -> Value:
    """What is added to the sum: as the line of dice says, and as the dice do that stand for it."""
    fixed = verb.dice.plus if isinstance(verb.dice.plus, int) else 0
    out: Value = fixed + sum(one.hand.plus for one in settled if one.hand is not None)
    term = run.bound.dice_plus(verb.dice.name, verb.fact.kind)
    return out if term is None else plus(run.shop, out, t.number(run, term.run(run, {verb.fact.kind: thing})))


def _dice_ready(run: Run, verb: BoundRoll, thing: Thing, settled: Sequence[Settled]) -> tuple[Part, ...]:
    fact, dice = verb.fact, verb.dice
    env = {fact.kind: thing}
    out: list[Part] = []
    for one, terms in zip(dice.parts, run.bound.dice(dice.name, fact.kind), strict=True):
        for word in run.ruleset.words[one.each] if one.each else ("",):
            inner = {**env, one.each: word} if one.each else env
            known = settled[len(out)]
            number: Value = one.number if isinstance(one.number, int) else 1
            if terms.number is not None:
                number = known.number if one.keep else t.number(run, terms.number.run(run, inner))
            elif known.hand is not None:
                number = known.hand.number
            number = passed(run.shop, Dice(f"{fact.name} of {thing}", fact.where.place), number)
            faces = faces_of(known.hand.sides) if known.hand is not None else one.faces.get(word) or one.faces.get("")
            if faces is None:
                raise Faulty.one("missing-key", f"dice `{dice.name}` have no die for `{word}`", dice.where.place)
            again = _faces_that(run, terms.again, faces, inner, dice.where.place)
            explode = _faces_that(run, terms.explode, faces, inner, dice.where.place)
            keep = (one.keep[0], known.keep) if one.keep is not None and known.keep is not None else None
            out.append(part(one.name or word, faces, number, keep, again, explode, known.at_most))
    return tuple(out)


def _faces_that(run: Run, test: Term | None, faces: tuple[Face, ...], env: Env, place: Span) -> frozenset[Face]:
    if test is None:
        return frozenset()
    asked = {face: test.run(run, {**env, "face": face}) for face in faces}
    if any(type(answer) is Sym for answer in asked.values()):
        raise Faulty.one("wrong-type", "which dice are thrown again must be known before the throw", place)
    return frozenset(face for face, answer in asked.items() if answer)


def single_out(run: Run, verb: BoundSingleOut, env: Env, who: Thing) -> None:
    """Draws lots who of some goes into a set."""
    candidates, again, fact = verb.among.run(run, env), verb.again, verb.fact
    guards = tuple(guard for _, guard in candidates)
    picked: tuple[Value, ...]
    if run.answers is not None:
        picked = drawn(run, [member for member, _ in candidates], again, fact.name, fact.where)
    elif len(candidates) <= 1:
        picked = guards
    elif sum(guard is True for guard in guards) == len(guards) or any(type(g) is Sym for g in guards):
        picked = tuple(run.shop.variable() for _ in candidates)
        run.step(p.Lots(picked, guards, again, tuple(member for member, _ in candidates)))
    else:
        picked = guards
    for (member, _), is_picked in zip(candidates, picked, strict=True):
        run.state.join(who, fact.name, member)
        slot = Member(who, fact.name, member)
        run.open(slot, False)
        run.write(slot, is_picked)


def drawn(run: Run, members: list[Thing], again: bool, name: str, where: Origin) -> tuple[bool, ...]:
    """Lots as a player draws them: a d6 each, the highest; a single candidate needs no die."""
    if len(members) <= 1:
        return (True,) * len(members)
    if run.answers is None:
        raise Bug("run.answers is not None")
    left = list(members)
    while True:
        run.answers.begin(len(left), f"the lots of {name}", where.place)
        faces = {member: run.answers.face((1, 2, 3, 4, 5, 6), f"the lot of {member}") for member in left}
        top = [member for member in left if faces[member] == max(faces.values())]
        if run.recorder is not None:
            run.recorder.add(Event("lots", name, "", ", ".join(f"{m} {f}" for m, f in faces.items()), where))
        if not again or len(top) == 1:
            return tuple(member in top for member in members)
        left = top
