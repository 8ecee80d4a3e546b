"""What chance settles in a row: dice and lots. Played, somebody answers; else each is a step of the program. What
cards settle is `cards`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import TypeAlias

from closecombat.binding import terms as t
from closecombat.binding.bound import BoundDice, BoundRoll, BoundSingleOut
from closecombat.binding.terms import Env, Term
from closecombat.binding.trace import Event
from closecombat.playing.amounts import HowMany
from closecombat.playing.run import Run, counts_for_something
from closecombat.proving.foreseeing.ranges import few, passed, range_of
from closecombat.proving.programs import program as p
from closecombat.proving.throws.dice import Part, Pool, Thrown, outcomes, part, throw
from closecombat.proving.throws.keeping import can_be_told
from closecombat.proving.values.arithmetic import plus
from closecombat.proving.values.symbolic import Sym, Value, somebody
from closecombat.reading.chance import MOST_DICE, MOST_ROLLS_OF_ONE_DIE, MOST_SIDES, faces_of
from closecombat.reading.model import DicePart, Origin
from closecombat.reading.slots import FactOf, Member
from closecombat.reading.types import Face, Handful, Thing, shown
from closecombat.text.faults import Bug, Faulty
from closecombat.text.source import Span

MOST_READY = 60  # throws that are made ready where it is not known which dice are thrown


Asked: TypeAlias = tuple[int, str]  # of which part of a roll, and what: a key of its line under `dice`


def roll(run: Run, verb: BoundRoll, thing: Thing, row: Span) -> None:
    """Throws the dice of a rolled fact of somebody; where it is not known which dice, for each way that can be. `row`
    is the row that rolls."""
    _settle(run, verb, thing, row, _asked_before(run, verb, thing), {})


def _parts(run: Run, verb: BoundRoll, thing: Thing) -> Iterator[tuple[DicePart, BoundDice, str, Env]]:
    """The parts of a roll, one for each word where it says so, and who is meant in its sentences."""
    env = {verb.fact.kind: thing}
    for one, terms in zip(verb.dice.parts, run.bound.dice(verb.dice.name, verb.fact.kind), strict=True):
        for word in run.ruleset.words[one.each] if one.each else ("",):
            yield one, terms, word, {**env, one.each: word} if one.each else env


def _asked_before(run: Run, verb: BoundRoll, thing: Thing) -> list[tuple[Asked, Value]]:
    """What sentences say of which dice are thrown: all that must be known before they are. How many there are must be
    only where some of them are kept."""
    out: list[tuple[Asked, Value]] = []
    for place, (one, terms, _, env) in enumerate(_parts(run, verb, thing)):
        if terms.of is not None:
            out.append(((place, "of"), terms.of.run(run, env)))
        number = terms.number if one.keep else None
        for what, term in (
            ("sides", terms.sides),
            ("keep", terms.keep),
            ("at-most", terms.at_most),
            ("number", number),
        ):
            if term is not None:
                out.append(((place, what), t.number(run, term.run(run, env))))
    return out


def _settle(
    run: Run,
    verb: BoundRoll,
    thing: Thing,
    row: Span,
    asked: Sequence[tuple[Asked, Value]],
    known: Mapping[Asked, Value],
) -> None:
    """Goes on for each thing that the next of what is asked may be."""
    if not asked:
        _thrown(run, verb, thing, row, known)
        return
    (key, value), *others = asked

    def with_(one: Value) -> None:
        if (fault := _not_so_thrown(verb, thing, key[1], one)) is not None:
            # when proving, the state may be one that does not happen: nobody has thrown
            run.draft.must_not(True, fault)
        else:
            _settle(run, verb, thing, row, others, {**known, key: one})

    for one in _may_be(run, value):
        run.under(_is_meant(run, value, one), partial(with_, one))


def _is_meant(run: Run, value: Value, one: Value) -> Value:
    if type(value) is not Sym or one is value:
        return True
    return run.shop.not_(run.shop.lift(somebody, value)) if one is None else run.shop.equal(value, one)


def _may_be(run: Run, value: Value) -> Sequence[Value]:
    """All that a value may be that is not known yet: what is chosen from, and what a throw comes to; itself where
    these are too many."""
    if type(value) is not Sym:
        return (value,)
    found: dict[Value, None] = {}
    for one in run.shop.everyone(value):
        found |= dict.fromkeys((one,) if (may_be := few(range_of(run.shop, one))) is None else may_be)
    return tuple(found) if len(found) <= MOST_READY else (value,)


ENDS: Mapping[str, tuple[int, int]] = MappingProxyType(
    {"sides": (1, MOST_SIDES), "keep": (0, MOST_DICE), "at-most": (0, MOST_ROLLS_OF_ONE_DIE)}
)


def _not_so_thrown(verb: BoundRoll, thing: Thing, what: str, value: Value) -> Callable[[], Faulty] | None:
    """What is wrong with a value that decides which dice are thrown; of a number of dice `HowMany` says so."""
    said, place = f"{verb.fact.name} of {thing}", verb.dice.where.place
    if type(value) is Sym:
        message = f"which dice {said} throws can be more than is reckoned with: `{what}:` is not one of a few"
        return partial(Faulty.one, "budget-exceeded", message, place, help="let it be printed or given")
    if what == "of" and not isinstance(value, Handful):
        message = f"{said} is thrown with the dice of nobody"
        return partial(Faulty.one, "no-value", message, place, help="let a column ask first who has any")
    if what in ENDS and not (type(value) is int and ENDS[what][0] <= value <= ENDS[what][1]):
        message, help = f"`{what}:` of {said} is {shown(value)}", f"{ENDS[what][0]} to {ENDS[what][1]}, whole"
        return partial(Faulty.one, "out-of-range", message, place, help=help)
    return None


def _thrown(run: Run, verb: BoundRoll, thing: Thing, row: Span, known: Mapping[Asked, Value]) -> None:
    fact, dice = verb.fact, verb.dice
    parts = _dice_ready(run, verb, thing, row, known)
    added = _plus(run, verb, thing, known)
    what = f"{fact.name} of {thing}"
    numbers = [one.number for one in parts]
    for where in (fact.where, dice.where):
        run.used(where, run.shop.any_of(run.shop.lift(counts_for_something, n) for n in numbers))
    if run.dice is not None:
        faces, told = throw(run.dice, parts, what, row)
        thrown = run.one_roll(Thrown(parts, faces, run.shop, added))
        if run.recorder is not None:
            more = f" {'+' if added > 0 else '-'} {abs(added)}" if added else ""
            run.recorder.add(Event("roll", fact.name, f" of {thing}", told + more, fact.where))
    else:
        falls = None if any(type(n) is Sym for n in numbers) else outcomes(parts)
        if falls is None:
            if not all(one.keep is None or can_be_told(one) for one in parts):
                message = f"{what} keeps some of dice without end that are thrown once more for several faces"
                help = "let only the highest face be thrown once more, or add `at-most: 10`"
                raise Faulty.one("budget-exceeded", message, row, help=help)
            pool = Pool(parts)
            run.draft.step(p.PoolThrow(pool))
            thrown = Thrown(parts, pool, run.shop, added)
        elif len(falls) == 1:
            thrown = Thrown(parts, falls[0][0], run.shop, added)
        else:
            var = run.shop.variable()
            run.shop.falls[var] = tuple(faces for faces, _ in falls)
            run.draft.step(p.Throw(var, falls))
            thrown = Thrown(parts, var, run.shop, added)
    run.write(FactOf(thing, fact.name), thrown)


def _plus(run: Run, verb: BoundRoll, thing: Thing, known: Mapping[Asked, Value]) -> Value:
    """What is added to the sum: as the line of dice says, and as the dice do that stand for it."""
    fixed = verb.dice.plus if isinstance(verb.dice.plus, int) else 0
    out: Value = fixed + sum(hand.plus for hand in known.values() if isinstance(hand, Handful))
    term = run.bound.dice_plus(verb.dice.name, verb.fact.kind)
    return out if term is None else plus(run.shop, out, t.number(run, term.run(run, {verb.fact.kind: thing})))


def _dice_ready(run: Run, verb: BoundRoll, thing: Thing, row: Span, known: Mapping[Asked, Value]) -> tuple[Part, ...]:
    """The parts of a roll, ready to be thrown; a die that is written elsewhere, `of:` or `sides:`, is known by now."""
    what, place = f"{verb.fact.name} of {thing}", verb.dice.where.place
    out: list[Part] = []
    for i, (one, terms, word, env) in enumerate(_parts(run, verb, thing)):
        hand = Handful(1, known[i, "sides"]) if (i, "sides") in known else known.get((i, "of"))
        number: Value = hand.number if hand is not None else one.number if isinstance(one.number, int) else 1
        if terms.number is not None:
            number = known[i, "number"] if one.keep else t.number(run, terms.number.run(run, env))
        number = passed(run.shop, HowMany(f"{what} would throw {{}} dice", verb.fact.where.place, MOST_DICE), number)
        faces = faces_of(hand.sides) if hand is not None else one.faces.get(word) or one.faces.get("")
        if faces is None:
            raise Faulty.one("missing-key", f"dice `{verb.dice.name}` have no die for `{word}`", place)
        again = _faces_that(run, terms.again, faces, env, place)
        explode = _faces_that(run, terms.explode, faces, env, place)
        keep = (one.keep[0], known.get((i, "keep"), one.keep[1])) if one.keep is not None else None
        if keep is not None and type(number) is int and keep[1] >= number:
            keep = None  # all of them are
        at_most = known.get((i, "at-most"), one.at_most)
        out.append(part(one.name or word, faces, number, keep, again, explode, at_most, what, row))
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
    if run.dice is not None:
        picked = drawn(run, [member for member, _ in candidates], again, fact.name, fact.where)
    elif len(candidates) <= 1:
        picked = guards
    elif sum(guard is True for guard in guards) == len(guards) or any(type(g) is Sym for g in guards):
        picked = tuple(run.shop.variable() for _ in candidates)
        run.draft.step(p.Lots(picked, guards, again, tuple(member for member, _ in candidates)))
    else:
        picked = guards
    for (member, guard), is_picked in zip(candidates, picked, strict=True):
        run.state.join(who, fact.name, member)
        slot = Member(who, fact.name, member)
        run.open(slot, False)
        was = run.slots[slot]
        if type(guard) is Sym and was is not False:  # who is not among them stays what he was
            is_picked = run.shop.if_(guard, is_picked, was)
        run.write(slot, is_picked)


def drawn(run: Run, members: list[Thing], again: bool, name: str, where: Origin) -> tuple[bool, ...]:
    """Lots as a player draws them: a d6 each, the highest; a single candidate needs no die."""
    if len(members) <= 1:
        return (True,) * len(members)
    dice = run.dice
    if dice is None:
        raise Bug("run.dice is not None")
    left = list(members)
    while True:
        dice.begin(len(left), f"the lots of {name}", where.place)
        faces = {member: dice.face((1, 2, 3, 4, 5, 6), f"the lot of {member}") for member in left}
        top = [member for member in left if faces[member] == max(faces.values())]
        if run.recorder is not None:
            run.recorder.add(Event("lots", name, "", ", ".join(f"{m} {f}" for m, f in faces.items()), where))
        if not again or len(top) == 1:
            return tuple(member in top for member in members)
        left = top
