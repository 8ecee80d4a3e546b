"""A repetition whose passes are not known yet: whatever it changes becomes a variable of the loop.

Unless every pass turns it over, whose turn it is, say. Then the body is written once for each turn, in which that is
known, and a flag of the loop says which of the two is taken: two short passes, not a long one over both.

What is printed on a counter stands there together, whichever counter it is by then: whoever is whole has a half. So no
pass need watch that somebody might become what he has not (`_printed`).

But what it throws: dice are not carried from pass to pass, since next to no ruleset asks for those of an earlier one.
Whoever does is told that they are forgotten.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from closecombat.binding.names import Item
from closecombat.playing.paths import MISSING
from closecombat.playing.run import Pass, Run, Written
from closecombat.proving.foreseeing.ranges import FLAG, NUMBER, Range, is_excluded, range_of, united
from closecombat.proving.programs import program as p
from closecombat.proving.programs.writes import decided, held
from closecombat.proving.values.budget import SECOND, TAKES_LONG
from closecombat.proving.values.symbolic import IF, MOST_LEAVES, Between, Printed, Sym, Value, Workshop
from closecombat.reading.model import Fact
from closecombat.reading.slots import (
    ALL,
    CardsLeft,
    CardsOf,
    Carried,
    CounterOf,
    FactOf,
    Fought,
    InPlay,
    InTurn,
    Member,
    Owed,
    PerWord,
    Slot,
    SumFor,
    TimesLeft,
    words_for,
)
from closecombat.reading.types import ACounter, AThing, Flag, Number, Per, Roll, Thing, Word
from closecombat.text.faults import Faulty
from closecombat.text.source import Span

MOST_NEW = 8  # times that a body is gone through and brings new things into play
MOST_PASSES = 10_000  # of what is played
MOST_CHOICES = 100  # that are looked at for what is printed on a counter before a repetition
MANY_PASSES, MOST_WORK = 500, SECOND // 3  # so many, if they have taken so much work, are not added to unasked


def refuse_endless(run: Run, passes: int, begun: int, said: str, place: Span) -> None:
    """Faulty after so many passes of a repetition that is played, `begun` when so much was spent: they are as many as
    there may be at all, or, where somebody waits for the story and all may not be spent that it takes, it must be asked
    whether there may be more."""
    if passes >= MOST_PASSES:
        raise Faulty.one("loop-without-end", said, place, help="look at what it waits for")
    budget = run.shop.budget
    is_waited_for = run.recorder is not None and budget.most is not None
    if is_waited_for and passes >= MANY_PASSES and budget.spent - begun > MOST_WORK:
        raise Faulty.one(TAKES_LONG, said, place, help="go on with --yes; if it never ends, look at what it waits for")


class Standstill:
    """Whether a repetition that is played has come back to what was, and nobody has thrown or chosen anything since:
    then it goes on so for ever."""

    def __init__(self, run: Run) -> None:
        self.run, self.asked = run, run.asked
        self.seen: set[tuple[Value, ...]] = set()

    def is_reached(self) -> bool:
        """Asked after each pass."""
        run = self.run
        if run.asked != self.asked:
            self.asked = run.asked
            self.seen.clear()
            return False
        state = tuple(run.slots.values())
        if Fought() in run.slots:  # one combat more is no change of anything else
            state = tuple(value for slot, value in run.slots.items() if type(slot) is not Fought)
        comes_back = state in self.seen
        self.seen.add(state)
        return comes_back


def repeat(
    run: Run, one_pass: Callable[[], Value], at_most: int | None, place: Span, turned: Sequence[Written] = ()
) -> None:
    """A repetition that is not known yet: whatever a pass changes becomes a variable of the loop; `one_pass` goes
    through one, and says whether it is the last.

    What every pass that another follows leaves as it found it is known within a pass all the same. `turned` is what
    each such pass turns over, so that it is back after two: what it is in every other pass, the first among them, and
    what it is in the others. In both it is known; a flag of the loop says which of the two a pass is.
    """
    shop, turns = run.shop, list(turned)
    steady: set[Slot] = set()
    changed: dict[Slot, Sym] = {}
    thrown: dict[Slot, Sym] = {}
    sums: dict[Slot, Sym] = {}  # among rows at once: what the passes have added so far, all together
    rounds_with_new = 0
    turn = _flag(shop)
    while True:
        things, held_steady = len(run.state.things), len(steady)
        starts = {slot: run.slots[slot] for slot in changed}
        begin = {slot: starts[slot] if slot in steady else var for slot, var in changed.items()}
        printed = _printed(run, changed, starts)
        shop.printed |= printed
        passes = [run.gone_through(one_pass, {**begin, **known}, thrown, sums) for known in turns or ({},)]
        turning = [slot for slot in (turns[0] if turns else ()) if _is_turned(shop, passes, turns, slot)]
        if turns and len(turning) < len(turns[0]):
            turns = [{slot: known[slot] for slot in turning} for known in turns] if turning else []
            continue
        gone = _either(run, turn, passes, begin)
        done, nexts, more = gone.value, {s: v for s, v in gone.after.items() if s not in turning}, gone.added

        def is_left(slot: Slot, start: Value, passes: list[Pass[Value]] = passes) -> bool:
            return all(slot not in one.after or _is_left(shop, one.value, one.after[slot], start) for one in passes)

        new = [slot for slot in nexts if slot not in changed and slot not in thrown]
        steady &= {slot for slot in steady if is_left(slot, starts[slot])}
        wider = {slot: _domain(run, slot, (starts[slot], nexts[slot])) for slot in changed}
        grown = {slot: domain for slot, domain in wider.items() if domain != shop.domains.get(changed[slot], domain)}
        now = _printed(run, changed, starts)
        outdated = [slot for slot, var in changed.items() if var in printed and printed[var] != now.get(var)]
        is_settled = not (new or grown or outdated) and len(steady) == held_steady
        if is_settled and more.keys() <= sums.keys():
            break
        rounds_with_new += len(run.state.things) > things
        if rounds_with_new > MOST_NEW:
            help = "bound it, `at-most: 5`, or the fight, `combats: 3`; `play --until resolved` plays to the end"
            raise Faulty.one("budget-exceeded", "every pass may bring new things into play", place, help=help)
        for slot in (*grown, *outdated):
            changed[slot] = _variable(run, slot, wider[slot], starts[slot])
        for slot in new:
            if is_roll(run, slot):
                thrown[slot] = forgotten(run, slot, place)
            else:
                if is_left(slot, run.slots.get(slot, MISSING)):
                    steady.add(slot)
                domain = _domain(run, slot, (run.slots[slot], nexts[slot]))
                changed[slot] = _variable(run, slot, domain, run.slots[slot])
        for slot in more:
            if slot not in sums:
                sums[slot] = shop.variable()
                shop.ranges[sums[slot]] = NUMBER
    summed = [slot for slot in sums if slot in more]
    ends = {slot: shop.variable(shop.domains.get(var, ())) for slot, var in changed.items()}
    sum_ends = {slot: shop.variable() for slot in summed}
    for slot, end in ends.items():
        shop.ranges[end] = shop.ranges[changed[slot]]
    for end in sum_ends.values():
        shop.ranges[end] = NUMBER
    carried: list[tuple[Sym, Value, Value, Sym, Carried]] = [
        *((var, starts[slot], nexts[slot], ends[slot], slot) for slot, var in changed.items()),
        *((sums[slot], run.added_so_far(slot), more[slot], sum_ends[slot], SumFor(slot)) for slot in summed),
    ]
    last = _flag(shop)
    if turns:
        carried.insert(0, (turn, True, shop.if_(done, turn, shop.not_(turn)), last, InTurn()))
    vars, begins, afters, lasts, slots = zip(*carried, strict=True) if carried else ((),) * 5
    run.draft.step(p.Loop(vars, begins, gone.steps, afters, done, at_most, lasts, place, slots))
    for slot, end in (ends | thrown).items():
        run.write(slot, end)
    for slot in turns[0] if turns else ():
        run.write(slot, shop.if_(last, turns[0][slot], turns[1][slot]))
    for slot in summed:
        run.has_been_added(slot, sum_ends[slot])


def _printed(run: Run, changed: Mapping[Slot, Sym], starts: Written) -> dict[Sym, Printed]:
    """What is printed on the counter of each thing that may become another, as far as a pass changes it: all of it
    stands on one counter, whichever that is by then. What a row may have set otherwise is left out."""
    found = dict[Thing, list[FactOf]]()
    for slot in changed:
        if isinstance(slot, FactOf) and slot.thing in run.becomes and slot.thing in run.state.counters:
            fact = run.fact_at(slot)
            if fact is not None and fact.origin == "printed" and (slot.thing, slot.fact) not in run.overprinted:
                found.setdefault(slot.thing, []).append(slot)
    out = dict[Sym, Printed]()
    for thing, slots in found.items():
        names = dict.fromkeys((run.state.counters[thing], *run.becomes[thing]))
        counters = [run.bound.counter(name).facts for name in names]
        slots = [slot for slot in slots if all(slot.fact in facts for facts in counters)]
        rows = tuple([tuple([facts[slot.fact] for slot in slots]) for facts in counters])
        if len(slots) > 1 and _is_among([starts[slot] for slot in slots], rows):
            vars = tuple([changed[slot] for slot in slots])
            out |= dict.fromkeys(vars, (vars, rows))
    return out


def _is_among(values: Sequence[Value], rows: Sequence[tuple[Value, ...]]) -> bool:
    """Whether several values are certainly those of one of some rows together."""
    todo, looked_at = [[*values]], 0
    while todo:
        some = todo.pop()
        choice = next((one for one in some if type(one) is Sym), None)
        looked_at += 1
        if looked_at > MOST_CHOICES or (choice is not None and choice.fn is not IF):
            return False
        if choice is not None:
            todo += [[_arm(one, choice.args[0], arm) for one in some] for arm in (1, 2)]
        elif tuple(some) not in rows:
            return False
    return True


def _arm(value: Value, condition: Value, arm: int) -> Value:
    return value.args[arm] if type(value) is Sym and value.fn is IF and value.args[0] is condition else value


def _flag(shop: Workshop) -> Sym:
    var = shop.variable()
    shop.ranges[var] = FLAG
    return var


def _is_turned(shop: Workshop, passes: Sequence[Pass[Value]], turns: Sequence[Written], slot: Slot) -> bool:
    """Whether a slot is certainly turned over by each pass that another follows, and left as it is by the last."""
    return all(
        _is_left(shop, one.value, one.after[slot], other[slot])
        and _is_left(shop, shop.not_(one.value), one.after[slot], mine[slot])
        for one, mine, other in zip(passes, turns, reversed(turns), strict=True)
    )


def _either(run: Run, turn: Sym, passes: Sequence[Pass[Value]], begin: Written) -> Pass[Value]:
    """The one pass, or by a flag the first of two or the second."""
    if len(passes) == 1:
        return passes[0]
    shop, (first, second) = run.shop, passes

    def found(slot: Slot) -> Value:
        was = begin.get(slot, run.slots.get(slot, MISSING))
        return run.empty(slot) if was is MISSING else was

    return Pass(
        shop.if_(turn, first.value, second.value),
        [p.Branch(turn, first.steps), p.Branch(shop.not_(turn), second.steps)],
        {
            slot: shop.if_(turn, first.after.get(slot, found(slot)), second.after.get(slot, found(slot)))
            for slot in {**first.after, **second.after}
        },
        {},
    )


def _is_left(shop: Workshop, done: Value, value: Value, start: Value) -> bool:
    """Whether a pass that another follows certainly leaves a fact as it has found it."""
    value = decided(value, held(done, False))
    if type(value) is Sym and type(start) is bool and shop.is_flag(value):
        return is_excluded(shop, (shop.not_(done), shop.not_(value) if start else value))
    return type(value) is type(start) and type(value) is not Sym and bool(value == start)


def is_roll(run: Run, slot: Slot) -> bool:
    fact = run.fact_at(slot)
    return fact is not None and isinstance(fact.type, Roll)


def forgotten(run: Run, slot: Slot, place: Span) -> Sym:
    """What dice are in a later pass than the one that rolled them: asking for them is a fault."""
    name, whose = words_for(slot)
    fact = run.fact_at(slot)

    def fault() -> Faulty:
        item = Item("fact", f"{fact.kind}.{fact.name}") if fact is not None else None
        asked = [found[item] for found in run.bound.uses.found.values() if item is not None and item in found]
        first = min(asked, key=lambda span: (span.source.name, span.start), default=None)
        return Faulty.one(
            "budget-exceeded",
            f"`{name}` of {whose} is asked for when the round, or the pass, that rolled it is over, "
            "and is forgotten by then",
            place,
            help="write what matters of it into a `noted` fact, and ask that",
            labels=((first, "it is asked for here"),) if first is not None else (),
        )

    return run.shop.fault(fault)


def _variable(run: Run, slot: Slot, domain: tuple[Value, ...], start: Value) -> Sym:
    """A variable for what a fact is at the beginning of a pass, and what it may be."""
    var = run.shop.variable(domain)
    before = (None,) if start is MISSING else range_of(run.shop, start)
    run.shop.ranges[var] = domain or united((_written(run, slot), before))
    return var


def _written(run: Run, slot: Slot) -> Range:
    """What may be written into a fact."""
    match slot:
        case CardsLeft() | CardsOf() | TimesLeft() | Fought():
            return Between(0, None, True)
        case PerWord(_, _, word) if word == ALL:  # a hand holds more in all than of one word
            return Between(0, None, True)
        case InPlay() | Member() | Owed():
            return FLAG
    match run.fact_at(slot):
        case Fact(type=Flag()):
            return FLAG
        case Fact(type=Number(nobody=True)):
            return None
        case Fact(type=Number(low, high)):
            return NUMBER if low is None else Between(low, high, True)
        case Fact(type=Per(_, low, high)):
            return Between(low, high, True)
    return None


def _domain(run: Run, slot: Slot, values: tuple[Value, ...]) -> tuple[Value, ...]:
    """What a fact may be, where it is worth knowing: somebody, a word, or what is printed on a counter; `values` are
    what it is before the repetition and after a pass."""
    if not isinstance(slot, FactOf | CounterOf):
        return ()
    thing, fact = slot.thing, run.fact_at(slot)
    if fact is not None and isinstance(fact.type, AThing):
        return (*run.state.by_kind.get(fact.type.kind, ()), None)
    known: tuple[Value, ...] = ()
    if fact is None:
        known = tuple(_counters(run, thing))
    elif fact.origin == "printed" and (thing in run.state.counters or thing in run.state.created):
        lines = [run.bound.counter(name).facts for name in _counters(run, thing)]
        known = tuple(line[fact.name] for line in lines if fact.name in line)
    elif isinstance(fact.type, Word) and fact.default != (None,) and not fact.like:
        known = fact.type.words
    leaves = [leaf for value in values if value is not MISSING for leaf in run.shop.leaves(value)]
    if not known or any(type(leaf) is Sym for leaf in leaves) or len(leaves) > MOST_LEAVES:
        return ()
    return tuple(dict.fromkeys((*known, *leaves)))


def _counters(run: Run, thing: Thing) -> dict[str, None]:
    """The counters that a thing may become one after the other."""
    found: dict[str, None] = {}
    if thing in run.state.created:
        return {name: None for name, counter in run.ruleset.counters.items() if counter.kind == thing.kind}
    todo = [run.state.counters[thing]] if thing in run.state.counters else []
    while todo:
        name = todo.pop()
        if name in found:
            continue
        found[name] = None
        counter = run.bound.counter(name)
        for fact in run.ruleset.kinds[counter.kind].facts.values():
            if isinstance(fact.type, ACounter) and (other := counter.facts.get(fact.name)) is not None:
                todo.append(str(other))
    return found
