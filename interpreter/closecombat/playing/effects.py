"""What a row does to the state: effects and new things. What players settle is `choices`."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from functools import partial
from typing import TypeAlias

from closecombat.binding import terms as t
from closecombat.binding.bound import (
    BoundBecome,
    BoundChange,
    BoundCounter,
    BoundCreate,
    BoundEffect,
    BoundFlag,
    BoundLayAside,
    BoundLeave,
    BoundMember,
    BoundOwe,
    BoundSet,
)
from closecombat.binding.terms import Env
from closecombat.binding.trace import Event
from closecombat.playing.paths import MISSING
from closecombat.playing.run import Run
from closecombat.proving.foreseeing.ranges import counted, ends, few, passed, range_of
from closecombat.proving.values.arithmetic import Counted, is_whole, minus
from closecombat.proving.values.symbolic import Checks, Sym, Value, whole_flag
from closecombat.reading.model import Fact
from closecombat.reading.situation import LEFT, like_others
from closecombat.reading.slots import ALL, CounterOf, FactOf, InPlay, Member, Owed, PerWord, Slot
from closecombat.reading.types import ACounter, AThing, Flag, Number, Thing, Things, Type, Word, shown
from closecombat.text.faults import Faulty
from closecombat.text.slotted import dataclass
from closecombat.text.source import Span

WithValue: TypeAlias = BoundSet | BoundChange | BoundBecome | BoundMember


def each_of(run: Run, who: Value, doing: Callable[[Thing], None]) -> None:
    """For the one that is meant, whoever that turns out to be."""
    for one in run.shop.everyone(who):
        if one is not None:
            run.under(run.shop.equal(who, one), partial(doing, one))


def effect_done(run: Run, effect: BoundEffect, env: Env) -> None:
    value = effect.value.run(run, env) if isinstance(effect, WithValue) else None
    each_of(run, effect.owner.run(run, env), lambda who: _apply(run, effect, who, value))


def _apply(run: Run, effect: BoundEffect, who: Thing, value: Value) -> None:
    if run.recorder is None:
        _carried_out(run, effect, who, value)
        return
    slot = FactOf(who, effect.fact.name) if isinstance(effect, BoundChange) else None
    was = run.slots.get(slot) if slot is not None else None
    with run.journal() as before:
        _carried_out(run, effect, who, value)
    number = t.number(run, value)
    text = _in_words(run, effect, number, before)
    if text:
        event = Event("effect", text, f" of {who}", number, None)
        run.recorder.add(event)
        if slot is not None and isinstance(effect, BoundChange):
            run.recorder.sums.append((event, slot, was, number if effect.up else -number))
            if not run.is_transaction:
                tell_sums(run)


def tell_sums(run: Run) -> None:
    """What has been added and taken, as far as it is done: from what to what."""
    if run.recorder is None:
        return
    amounts: dict[Slot, Value] = {}
    begun: dict[Slot, Value] = {}
    for _, slot, was, amount in run.recorder.sums:
        amounts[slot] = amounts.get(slot, 0) + amount
        begun.setdefault(slot, was)
    last = {slot: event for event, slot, _, _ in run.recorder.sums}
    for slot, event in last.items():
        was = begun[slot]
        now = run.slots[slot]
        end = "" if now == was + amounts[slot] else ", the end of its range"
        event.name += f": {shown(was)} → {shown(now)}{end}"
    run.recorder.sums.clear()


def _in_words(run: Run, effect: BoundEffect, value: Value, before: Mapping[Slot, Value]) -> str:
    """An effect in a few words, or nothing if it has changed nothing of what was `before`. The one who is changed
    stands before it."""
    if isinstance(effect, BoundChange):
        does, at = ("add", "to") if effect.up else ("take", "from")
        return f"{does} {shown(value)} {at} {effect.fact.name}" if value else ""
    # what nobody has written yet is no
    if all(run.held[slot] == (False if was is MISSING else was) for slot, was in before.items()):
        return ""
    match effect:
        case BoundFlag(_, fact, on):
            return f"{'gain' if on else 'lose'} {fact.name}"
        case BoundLayAside(_, fact):
            return f"lose {fact.name}"
        case BoundSet(_, fact):
            return f"set {fact.name} to {shown(value)}"
        case BoundBecome():
            return f"become {shown(value)}"
        case BoundLeave():
            return "leave"
        case BoundMember(_, fact, _, there):
            return f"put {shown(value)} into {fact.name}" if there else f"remove {shown(value)} from {fact.name}"
        case BoundOwe(_, duty):
            return f"owe {duty}"


def _carried_out(run: Run, effect: BoundEffect, who: Thing, value: Value) -> None:
    if isinstance(effect, BoundFlag | BoundSet | BoundChange) and effect.fact.origin == "printed":
        run.is_printed_over(who, effect.fact.name)
    match effect:
        case BoundFlag(_, fact, on):
            run.write(FactOf(who, fact.name), on)
        case BoundLayAside(_, fact):
            for word in (*run.ruleset.decks[fact.deck].cards, ALL):
                run.write(PerWord(who, fact.name, word), 0)
        case BoundSet(_, fact, _, somebodys):
            run.write(FactOf(who, fact.name), _fitting(run, fact, t.number(run, value), somebodys))
        case BoundChange(_, fact, _, somebodys, up):
            slot, amount = FactOf(who, fact.name), _by(run, fact, value, somebodys)
            if not run.has(slot):  # a fault: of one who has come in nothing has said it
                run.open(slot, run.fact(who, fact.name))
            run.add_to(slot, amount if up else minus(run.shop, 0, amount), *run.bounds(slot))
        case BoundBecome(_, _, place):
            become(run, who, value, place)
        case BoundLeave():
            run.write(InPlay(who), False)
        case BoundMember(_, fact, _, there):
            _belongs(run, who, fact, value, there)
        case BoundOwe(_, duty):
            owed = Owed(who, duty)
            run.open(owed, False)
            run.write(owed, True)


def _by(run: Run, fact: Fact, value: Value, somebodys: Counted) -> Value:
    """By how much a number changes; one that is whole changes by whole numbers."""
    amount = counted(run.shop, t.number(run, value), somebodys)
    if not isinstance(fact.type, Number) or fact.type.low is None or is_whole(run.shop, amount):
        return amount
    if type(amount) is Sym and (found := ends(range_of(run.shop, amount))) is not None and found.whole:
        return amount
    return passed(run.shop, Whole(fact.name, fact.type, somebodys.place), amount)


@dataclass(frozen=True, slots=True)
class Whole(Checks):
    """What is added to a whole number, or taken from it: a whole number."""

    fact: str
    type: Number
    place: Span

    def __call__(self, number: Value) -> Value:
        if number != number // 1:
            raise Faulty.one(
                "out-of-range",
                f"`{self.fact}` is {self.type}, a whole number, and would change by {shown(number)}",
                self.place,
                help=f"say how it is rounded, `rounded down`; or let `{self.fact}` be a `number`",
            )
        return number


def _belongs(run: Run, who: Thing, fact: Fact, value: Value, there: bool) -> None:
    """Whoever is meant is in a set from now on, or no longer."""
    for member in run.shop.everyone(value):
        if member is not None:
            run.state.join(who, fact.name, member)
            place = Member(who, fact.name, member)
            run.open(place, False)
            run.under(run.shop.equal(value, member), partial(run.write, place, there))


def _fitting(run: Run, fact: Fact, value: Value, somebodys: Counted) -> Value:
    """A value that is set must be within its fact's range."""
    if not isinstance(fact.type, Number):
        return as_kept(run, fact, value, somebodys.place)
    if fact.type.low is None:
        return value if fact.type.nobody else counted(run.shop, value, somebodys)
    return passed(run.shop, Within(fact.name, fact.type, somebodys.place), value)


def as_kept(run: Run, fact: Fact, value: Value, place: Span) -> Value:
    """A value as its fact can keep it: nobody's flag is not raised; and what every situation says of somebody is never
    nobody, unless its declaration allows it."""
    match fact.type:
        case Flag():
            known = few(range_of(run.shop, value)) if type(value) is Sym else (value,)
            if known is not None and all(type(one) is bool for one in known):
                return value
            return run.shop.lift(whole_flag, value)
        case Word() | AThing() | ACounter() if is_always_somebodys(fact):
            return passed(run.shop, Somebody(fact.name, fact.type, place), value)
    return value


def is_always_somebodys(fact: Fact) -> bool:
    """Whether every situation says a word of it, or somebody, so that sentences take for granted that there is one."""
    if fact.origin not in ("given", "printed") or (fact.default is not None and fact.default[0] is None):
        return False
    return isinstance(fact.type, Word) or (isinstance(fact.type, AThing | ACounter) and not fact.type.nobody)


@dataclass(frozen=True, slots=True)
class Somebody(Checks):
    """A value that is not nobody's."""

    fact: str
    type: Type
    place: Span

    def __call__(self, value: Value) -> Value:
        if value is None:
            raise Faulty.one(
                "no-value",
                f"`{self.fact}` is {self.type}, and would be set to nobody",
                self.place,
                help="ask first whether there is anybody, in a column or in `when:`; or let it be `noted`",
            )
        return value


@dataclass(frozen=True, slots=True)
class Within(Checks):
    """A number that is in the range of its fact."""

    fact: str
    type: Number
    place: Span

    def __call__(self, number: Value) -> Value:
        low, high = self.type.low or 0, self.type.high
        if number is None and self.type.nobody:
            return None
        if number is None or not low <= number <= (high if high is not None else number) or number != number // 1:
            raise Faulty.one(
                "out-of-range",
                f"`{self.fact}` is {self.type}, and would be set to {shown(number)}",
                self.place,
                help="widen its range, or use `add .. to` or `take .. from`, which stop at the ends",
            )
        return number


def become(run: Run, who: Thing, counter: Value, place: Span) -> None:
    """Turns a thing into another counter: its printed facts change, all others stay."""
    for name in run.shop.everyone(counter):
        is_so = run.shop.equal(counter, name)
        if name is None:
            run.draft.must_not(is_so, partial(_no_counter, who, place))
        else:
            run.under(is_so, partial(_become, run, who, name))


def _become(run: Run, who: Thing, name: str) -> None:
    run.may_become(who, name)
    _print(run, who, run.bound.counter(name))
    run.write(CounterOf(who), name)


def _print(run: Run, who: Thing, counter: BoundCounter) -> None:
    """Gives a thing what is printed on a counter."""
    for fact, value in counter.facts.items():
        if isinstance(value, Mapping):
            for word, number in value.items():
                run.write(PerWord(who, fact, word), number)
        else:
            run.write(FactOf(who, fact), value)


def _no_counter(who: Thing, place: Span) -> Faulty:
    return Faulty.one("no-value", f"{who} has no counter to become", place, help="ask first: `half is not nobody`")


def new_thing(run: Run, kind: str, name: str, owner: Thing | None) -> Thing:
    """A thing that comes into being, with every fact silent; used again if it was made in an earlier round."""
    thing = run.state.things.get(name)
    if thing is None:
        thing = run.bring_in(kind, name)
    for fact in run.ruleset.kinds[kind].facts.values():
        if isinstance(fact.type, Things):
            run.empties(thing, fact.name)
        elif isinstance(fact.type, AThing) and owner is not None and fact.name == owner.kind == fact.type.kind:
            run.write(FactOf(thing, fact.name), owner)
        elif fact.is_hand:
            for word in (*run.ruleset.decks[fact.deck].cards, ALL):
                run.open(PerWord(thing, fact.name, word), 0)
                run.write(PerWord(thing, fact.name, word), 0)
        elif fact.default is not None and not isinstance(fact.default[0], dict):
            run.write(FactOf(thing, fact.name), fact.default[0])
    run.write(InPlay(thing), True)
    return thing


def settle_like_others(run: Run, thing: Thing, given: Container[str]) -> None:
    """What a new thing is by another of its facts, as far as it is not given otherwise."""
    kind = run.ruleset.kinds[thing.kind]

    def value(name: str) -> Value:
        left = kind.facts[name].like and name not in given
        return LEFT if left else run.slots.get(FactOf(thing, name), LEFT)

    for name, known in like_others(kind, value).items():
        run.write(FactOf(thing, name), known)


def create(run: Run, verb: BoundCreate, env: Env, owner: Thing, then: Callable[[Env], None]) -> None:
    """Brings in somebody new, and goes `then` on about him. He has the first name that nobody in play has: where that
    hangs on dice, each name in its own branch, so that he is called in the chances what he is called in play."""
    alias = verb.called
    speakers = [str(v) for k, v in env.items() if isinstance(v, Thing)]
    stem = "-".join([alias, *speakers[-1:]])
    _created(run, verb, owner, stem, 1, lambda thing: then({**env, alias: thing}))


def _created(run: Run, verb: BoundCreate, owner: Thing, stem: str, number: int, then: Callable[[Thing], None]) -> None:
    is_there: Value = True
    while is_there is True:  # as far as that is known: hundreds may be there
        name = stem if number == 1 else f"{stem}-{number}"
        known = run.state.things.get(name)
        is_there = False if known is None else run.in_play(known)
        number += 1
    if type(is_there) is Sym and run.draft.is_excluded_with_patience(is_there):
        is_there = False
    run.under(run.shop.not_(is_there), lambda: then(_comes_in(run, verb, name, owner)))
    run.under(is_there, lambda: _created(run, verb, owner, stem, number, then))


def _comes_in(run: Run, verb: BoundCreate, name: str, owner: Thing) -> Thing:
    bound = run.bound.counter(verb.counter)
    thing = new_thing(run, bound.kind, name, owner)
    run.comes(thing, False)
    run.state.created.add(thing)
    _print(run, thing, bound)
    settle_like_others(run, thing, bound.facts)
    run.state.join(owner, verb.fact.name, thing)
    run.write(Member(owner, verb.fact.name, thing), True)
    if run.recorder is not None:
        run.recorder.add(Event("effect", f"{thing} ({verb.counter}) appears", f" of {owner}", None, None))
    return thing
