"""What chance settles in a row: dice, cards and lots. Played, somebody answers; else each is a step of the program."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from closecombat.binding import terms as t
from closecombat.binding.bound import BoundDeal, BoundRoll, BoundSingleOut
from closecombat.binding.terms import Env, Term
from closecombat.binding.trace import Event
from closecombat.playing.run import Run, counts_for_something
from closecombat.proving import program as p
from closecombat.proving.arithmetic import minus
from closecombat.proving.dice import Part, Pool, Thrown, outcomes, part, throw
from closecombat.proving.ranges import passed
from closecombat.proving.symbolic import Fallible, Sym, Value
from closecombat.reading.model import Fact
from closecombat.reading.slots import CardsLeft, FactOf, Member
from closecombat.reading.types import Thing, shown
from closecombat.text.faults import Bug, Faulty
from closecombat.text.source import Span

MOST_DICE = 400


@dataclass(frozen=True, slots=True)
class Dice(Fallible):
    """A number of dice that are thrown: whole, and not below 0."""

    what: str
    place: Span

    def __call__(self, number: Any) -> int:
        if type(number) is not int or not 0 <= number <= MOST_DICE:
            raise Faulty.one(
                "out-of-range",
                f"{self.what} would throw {shown(number)} dice",
                self.place,
                help=f"0 to {MOST_DICE}, whole",
            )
        return number


def roll(run: Run, verb: BoundRoll, thing: Thing) -> None:
    """Throws the dice of a rolled fact of somebody."""
    fact, dice = verb.fact, verb.dice
    parts = _parts(run, verb, thing)
    what = f"{fact.name} of {thing}"
    numbers = [one.number for one in parts]
    for where in (fact.where, dice.where):
        run.used(where, run.shop.any_of(run.shop.lift(counts_for_something, n) for n in numbers))
    if run.answers is not None:
        faces, told = throw(run.answers, parts, what, fact.where.place)
        thrown = Thrown(parts, faces, run.shop)
        if run.recorder is not None:
            run.recorder.add(Event("roll", fact.name, f" of {thing}", told, fact.where))
    else:
        falls = None if any(type(n) is Sym for n in numbers) else outcomes(parts)
        if falls is None:
            if any(one.keep for one in parts):
                raise Faulty.one("budget-exceeded", f"{what} keeps some of too many dice", fact.where.place)
            pool = Pool(parts)
            run.step(p.PoolThrow(pool))
            thrown = Thrown(parts, pool, run.shop)
        elif len(falls) == 1:
            thrown = Thrown(parts, falls[0][0], run.shop)
        else:
            var = run.shop.variable()
            run.shop.falls[var] = tuple(faces for faces, _ in falls)
            run.step(p.Throw(var, falls))
            thrown = Thrown(parts, var, run.shop)
    run.write(FactOf(thing, fact.name), thrown)


def _parts(run: Run, verb: BoundRoll, thing: Thing) -> tuple[Part, ...]:
    fact, dice = verb.fact, verb.dice
    env = {fact.kind: thing}
    out = []
    for one, terms in zip(dice.parts, run.bound.dice(dice.name, fact.kind), strict=True):
        for word in run.ruleset.words[one.each] if one.each else ("",):
            inner = {**env, one.each: word} if one.each else env
            number = t.number(run, terms.number.run(run, inner)) if terms.number is not None else 1
            number = passed(run.shop, Dice(f"{fact.name} of {thing}", fact.where.place), number)
            faces = one.faces.get(word) or one.faces.get("")
            if faces is None:
                raise Faulty.one("missing-key", f"dice `{dice.name}` have no die for `{word}`", dice.where.place)
            again = _faces_that(run, terms.again, faces, inner, dice.where.place)
            explode = _faces_that(run, terms.explode, faces, inner, dice.where.place)
            out.append(part(one.name or word, faces, number, one.keep, again, explode, one.at_most))
    return tuple(out)


def _faces_that(run: Run, test: Term | None, faces: tuple[Any, ...], env: Env, place: Span) -> frozenset[Any]:
    if test is None:
        return frozenset()
    asked = {face: test.run(run, {**env, "face": face}) for face in faces}
    if any(type(answer) is Sym for answer in asked.values()):
        raise Faulty.one("wrong-type", "which dice are thrown again must be known before the throw", place)
    return frozenset(face for face, answer in asked.items() if answer)


def deal(run: Run, verb: BoundDeal, who: Thing) -> None:
    """Deals a card to somebody: the chance of each is as many as are left of it."""
    fact, deck = verb.fact, verb.deck
    counts = [run.slots[CardsLeft(deck.name, word)] for word in deck.cards]
    what = f"{fact.name} of {who}"
    for where in (fact.where, deck.where):
        run.used(where)
    run.must_not(run.shop.lift(no_cards, *counts), partial(_empty, deck.name, what, fact.where.place))
    card: Value
    if run.answers is not None:
        left = [(word, n) for word, n in zip(deck.cards, counts, strict=True) if n]
        card = run.answers.card(left, what)
        if run.recorder is not None:
            run.recorder.add(Event("roll", fact.name, f" of {who}", card, fact.where))
    else:
        card = run.shop.variable()
        run.shop.ranges[card] = tuple(deck.cards)
        run.step(p.Draw(card, tuple(deck.cards), tuple(counts)))
    run.write(FactOf(who, fact.name), card)
    for word, count in zip(deck.cards, counts, strict=True):
        fewer = minus(run.shop, count, 1) if type(count) is Sym or count else 0
        run.write(CardsLeft(deck.name, word), run.shop.if_(run.shop.equal(card, word), fewer, count))


def no_cards(*counts: int) -> bool:
    """Whether a deck is empty."""
    return not any(counts)


def _empty(deck: str, what: str, place: Span) -> Faulty:
    return Faulty.one(
        "no-value",
        f"`{deck}` is empty, but {what} is to be dealt",
        place,
        help=f"`shuffle: {deck}` puts the cards back",
    )


def single_out(run: Run, verb: BoundSingleOut, env: Env, who: Thing) -> None:
    """Draws lots who of some goes into a set."""
    candidates, again, fact = verb.among.run(run, env), verb.again, verb.fact
    guards = tuple(guard for _, guard in candidates)
    picked: tuple[Value, ...]
    if run.answers is not None:
        picked = _drawn(run, [member for member, _ in candidates], again, fact)
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


def _drawn(run: Run, members: list[Thing], again: bool, fact: Fact) -> tuple[bool, ...]:
    """Lots as a player draws them: a d6 each, the highest; a single candidate needs no die."""
    if len(members) <= 1:
        return (True,) * len(members)
    if run.answers is None:
        raise Bug("run.answers is not None")
    left = list(members)
    while True:
        run.answers.begin(len(left), f"the lots of {fact.name}", fact.where.place)
        faces = {member: run.answers.face((1, 2, 3, 4, 5, 6), f"the lot of {member}") for member in left}
        top = [member for member in left if faces[member] == max(faces.values())]
        if run.recorder is not None:
            run.recorder.add(Event("lots", fact.name, "", ", ".join(f"{m} {f}" for m, f in faces.items()), fact.where))
        if not again or len(top) == 1:
            return tuple(member in top for member in members)
        left = top
