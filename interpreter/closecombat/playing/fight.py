"""One close combat: a ruleset, a situation and its choices, played or worked out for all dice.

This is where `asking` enters: what is settled before the first die, the beginning of a run, going on to its end, and
what can be asked of it there. What happens on the way is `sequences`; what is made of the answers is `asking`'s.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from collections.abc import Mapping as MappingType
from contextlib import suppress
from dataclasses import field
from fractions import Fraction
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from closecombat.binding.bound import settled
from closecombat.binding.charts import Bound
from closecombat.binding.terms import Term, number
from closecombat.binding.trace import Recorder
from closecombat.playing.answers import AnswerId, Declared
from closecombat.playing.combats import play_combats, play_until_resolved
from closecombat.playing.notes import ANSWERED, LEFT_OPEN, Mark, Noting, notes_alone, without_notes
from closecombat.playing.run import Run
from closecombat.proving.carrying_out.prove import as_fractions, plan
from closecombat.proving.carrying_out.trying import Unplayed, come_to
from closecombat.proving.passes.knowing import where_known
from closecombat.proving.programs import program as p
from closecombat.proving.tables.absorbing import Watch
from closecombat.proving.tables.weights import Row
from closecombat.proving.throws.dice import Answers, SeededDice, Thrown, WildDice, WildFalls
from closecombat.proving.values.budget import BITS, MOST_MEMORY, SECOND, TAKES_LONG
from closecombat.proving.values.symbolic import Sym, Value
from closecombat.reading.fields import child, mapping_of, text_of, whole
from closecombat.reading.model import LEFT, Act, Asking, Create, Origin, Ruleset
from closecombat.reading.sentences import parse
from closecombat.reading.situation import State, read_situation
from closecombat.reading.slots import (
    AtMoment,
    CardsLeft,
    CardsOf,
    CounterOf,
    FactOf,
    Fought,
    InPlay,
    Member,
    OfThing,
    Owed,
    PerWord,
    TimesLeft,
)
from closecombat.reading.syntax import Cell, Path, Reading
from closecombat.reading.types import Flag, Roll, Thing, Type
from closecombat.text.faults import Bug, Faulty, suggest
from closecombat.text.nodes import Listing, Mapping, Node, Text
from closecombat.text.slotted import dataclass

if TYPE_CHECKING:
    from closecombat.proving.at_once.sampling import Sampler

NOTHING_KNOWN: MappingType[Sym, Value] = MappingProxyType({})
MOST_COMBATS = 20
MOST_AT_FIRST = 8  # playings of its own combats in which an answer is looked for that was not asked for
MOST_PLAYED = 24  # the same, to its end, or for so many combats if that is further off
MOST_COMBATS = 20
MOST_LOOKED_AHEAD = 2_000  # steps of a fight to its end that are looked through for such an answer
MOST_TRIED = 48  # playings that are tried to find what a result rests on
MOST_IN_VAIN = (2, 12)  # of these, one after the other, that find nothing new: at first, and where it is too much
MUCH = SECOND  # of work on the chances, from which on all playings are tried before the program is asked
MOST_QUICK = 200  # playings of a program that are tried for the same: each takes a hundredth of one of the fight
MOST_QUICK_IN_VAIN = 16
MOST_BESIDE = 6  # that are worked out beside an answer
BESIDE, BESIDE_BYTES = SECOND // 20, 100_000_000  # that these and the answer may take, where no fight goes round
MOST_TRIED_COMBATS = 6  # of each, where a fight goes on to its end
MOST_ROWS = 50_000  # that are gone through to settle what these have not found


@dataclass(frozen=True, slots=True)
class Fight:
    """Everything that is settled before the first die."""

    bound: Bound
    situation: Node
    options: MappingType[str, str]
    choices: Mapping | None
    combats: int = 1  # how many close combats are fought, one after the other
    remarks: tuple[str, ...] = ()  # what of it this ruleset cannot tell, and every answer says
    questions: tuple[Text, ...] = ()  # what will be asked of it, of which some may be about a moment on the way
    memory: int = MOST_MEMORY  # bytes that an exact answer may take, also where the work has no bound
    heard: set[AnswerId] = field(default_factory=set, compare=False)  # answers that some run of it asks for, if known
    openings: list[State] = field(default_factory=list, compare=False)  # the state at its beginning, once it was read
    often: list[Any] = field(
        default_factory=list, compare=False
    )  # what its playings have come to, if it is played often


def fight(bound: Bound, document: Mapping) -> Fight:
    """The fight that a situation file or an example describes."""
    situation = document.get("situation")
    if situation is None:
        raise Faulty.one("missing-key", "a situation needs `situation:`", document.span)
    choices = document.get("choices")
    return Fight(
        bound,
        situation,
        read_options(bound, document.get("options")),
        None if choices is None else mapping_of(choices, "choices"),
        read_combats(document.get("combats")),
        (),
        tuple(text for key in ("expect", "chances") for text in _keys(document.get(key))),
    )


def _keys(node: Node | None) -> Iterator[Text]:
    """Whatever an example asks stands as a key, mostly before what it expects."""
    match node:
        case Mapping(entries):
            for key, value in entries:
                yield key
                yield from _keys(value)
        case Listing(items):
            for item in items:
                yield from _keys(item)


def read_combats(node: Node | None) -> int:
    """How many close combats are played, one after the other."""
    number = 1 if node is None else whole(node, "how many close combats are played")
    if node is not None and not 1 <= number <= MOST_COMBATS:
        raise Faulty.one("out-of-range", f"1 to {MOST_COMBATS} close combats can be played", node.span)
    return number


def read_options(bound: Bound, node: Node | None) -> dict[str, str]:
    options = {name: option.default for name, option in bound.ruleset.options.items()}
    for key, value in mapping_of(node, "options").entries if node is not None else ():
        option = bound.ruleset.options.get(key.value)
        if option is None:
            raise Faulty.one(
                "unknown-option",
                f"`{bound.ruleset.name}` has no option `{key.value}`",
                key.span,
                help=suggest(key.value, bound.ruleset.options),
            )
        reading = text_of(value, "a reading")
        if reading not in option.readings:
            raise Faulty.one(
                "unknown-word",
                f"`{reading}` is not a reading of `{key.value}`",
                value.span,
                help=suggest(reading, option.readings) or "one of " + ", ".join(option.readings),
            )
        options[key.value] = reading
    return options


def begin(
    fight: Fight, answers: Answers | None, recorder: Recorder | None = None, players: Declared | None = None
) -> Run:
    """A run at its start; with `answers` it will be played, without them worked out. `players` answer what the
    situation leaves open; else that is left to the ruleset."""
    state, checked = _opening(fight), bool(fight.openings) and players is None
    players = Declared(fight.choices) if players is None else players
    questions = _sentences(fight.questions)
    run = Run(fight.bound, state, dict(fight.options), players, answers, recorder, fight.combats, questions)
    run.may_hold(fight.memory)
    run.remarks_on([(LEFT_OPEN, remark) for remark in fight.remarks])
    wrong = [] if checked else players.unused(partial(asked_at, fight.bound), fight.bound.ruleset, state)
    if wrong:
        raise Faulty([d for fault in wrong for d in fault.diagnostics])
    if not fight.openings and players.choices is fight.choices:
        fight.openings.append(state.copy())
    return run


def _opening(fight: Fight) -> State:
    """The state that the situation describes: read once, and copied for whoever begins again."""
    if fight.openings:
        return fight.openings[0].copy()
    return read_situation(fight.bound.ruleset, fight.situation)


def _sentences(questions: Iterable[Text]) -> Iterator[Cell]:
    """Those that may be about a moment; what cannot be read is told where it is asked."""
    for text in questions:
        if " at " in text.value:
            with suppress(Faulty):
                yield parse(text, "value")


def settle_notes(fight: Fight, run: Run, until_resolved: bool = False, as_ruled: bool = True) -> None:
    """Finds out what of all that a result may rest on it does rest on: what is met with dice that have a chance.

    What a few playings come to is met for certain, of the program if it can be played, else of the fight; the rest is
    worked out. What is too much to work out counts as met: a result may rest on it. Where players do not answer as the
    ruleset does (`as_ruled`) only the program knows.
    """
    if not as_ruled:
        _try_program(run)
        for mark in sorted(run.notes.open(), key=str):
            try:
                is_known = _is_worked_out(run, {mark})
            except Faulty:  # what another reading would say may fail, where nobody has rolled for it
                is_known = False
            if not is_known:
                run.notes.met.update({mark})
        return
    combats = MOST_TRIED_COMBATS if until_resolved else run.combats
    seeds = iter(range(MOST_TRIED))
    at_first = iter(()) if _try_program(run) else seeds
    tries = [*zip(MOST_IN_VAIN, (at_first, seeds), strict=True)]
    for most_in_vain, some in tries[1:] if run.shop.budget.spent > MUCH else tries:
        _try(fight, run, some, combats, most_in_vain)
        if not run.notes.open():
            return
        if _is_worked_out(run, run.notes.open()):
            return
    run.notes.met.update(run.notes.open())


def left_beside(run: Run) -> set[Mark]:
    """What of the notes of a run a few playings of its program leave open, if that is little: next to nothing is to be
    worked out for it beside what is asked, while by itself it would take as long again."""
    found = run.notes.open() if _try_program(run) else set[Mark]()
    return found if len(found) <= MOST_BESIDE else set()


def _is_worked_out(run: Run, marks: Collection[Mark]) -> bool:
    """Finds out by its chances whether some of it is met; not if that is too much."""
    try:
        plan(run.shop, notes_alone(run.draft.steps, marks), []).run(most_rows=MOST_ROWS)
    except Faulty as error:
        if not error.codes <= {"budget-exceeded", TAKES_LONG}:
            raise
        return False
    return True


def _try_program(run: Run) -> bool:
    """Plays the program of a run until nothing is open, or some playings one after the other have found nothing new.
    Whether it can be played."""
    steps, in_vain = notes_alone(run.draft.steps, run.notes.open()), 0
    for seed in range(MOST_QUICK):
        if not run.notes.open() or in_vain >= MOST_QUICK_IN_VAIN:
            break
        try:
            told = come_to(steps, WildFalls(seed))
        except Unplayed:
            return False
        before = len(run.notes.met)
        for one in told:
            if isinstance(one, Noting):
                one()
        in_vain = 0 if len(run.notes.met) > before else in_vain + 1
    return True


def _try(fight: Fight, run: Run, seeds: Iterator[int], combats: int, most_in_vain: int) -> None:
    """Plays a fight until nothing is open, or some playings one after the other have found nothing new."""
    in_vain = 0
    while run.notes.open() and in_vain < most_in_vain and (seed := next(seeds, None)) is not None:
        tried = begin(fight, WildDice(seed) if seed % 3 else SeededDice(seed))
        try:
            play_combats(tried, combats)
        except Faulty:
            continue
        found = tried.notes.met & run.notes.open()
        in_vain = 0 if found else in_vain + 1
        run.notes.met.update(found)


def check_answers(run: Run, fight: Fight | None = None) -> None:
    """Raises a fault for answers that nobody has asked for: in a playing, or for any fall of the dice.

    An example is one playing, or one combat for all dice. Whoever plays a `fight` may do so with other dice and for
    more rounds: what is asked for in some run of it is no fault. Where one cannot be had, nobody knows.
    """
    stray = {one: node for one, node in strays(run).items() if fight is None or one not in fight.heard}
    for other in _in_any_way(fight) if stray and fight is not None else ():
        heard_not = strays(other) if other is not None else {}
        if fight is not None:
            fight.heard.update(one for one in stray if one not in heard_not)
        stray = {one: node for one, node in stray.items() if one in heard_not}
        if not stray:
            return
    if stray:
        raise Faulty([d for one, node in stray.items() for d in _never_asked(run, one, node).diagnostics])


def never_heard(fight: Fight) -> frozenset[AnswerId]:
    """The answers that nobody asks for, whatever the dice show; none of which this is not known."""
    left: frozenset[AnswerId] | None = None
    for run in _in_any_way(fight):
        mine = frozenset(strays(run)) if run is not None else frozenset[AnswerId]()
        left = mine if left is None else left & mine
        if not left:
            break
    return left or frozenset()


def _in_any_way(fight: Fight) -> Iterator[Run | None]:
    """The fight with other dice, to see who is ever asked: what is answered for a later round is no fault.

    First a few playings of its own combats, since these are quick and mostly come to everybody, then every fall of
    their dice; then some playings to its end, then every fall of all dice to its end. None where that is too large: an
    answer is not worth a long proof.
    """
    to_its_end = fight.bound.ruleset.until is not None
    for seed in range(MOST_AT_FIRST):
        played = begin(fight, WildDice(seed))
        _gone(played, False)
        yield played
    run = begin(fight, None)
    yield run if _gone(run, False) else None
    if to_its_end:
        for seed in range(MOST_PLAYED):
            played = begin(fight, SeededDice(seed))
            with suppress(Faulty):  # it has asked whom it has asked
                play_combats(played, MOST_COMBATS)
            yield played
        run = begin(fight, None)
        run.give_up_after(MOST_LOOKED_AHEAD)
        yield run if _gone(run, True) else None


def _gone(run: Run, until_resolved: bool) -> bool:
    """Whether a run has come to its end."""
    try:
        go(run, until_resolved)
    except Faulty:
        return False
    return True


def strays(run: Run) -> dict[AnswerId, Node]:
    """The answers that a run never asked for."""
    heard = {mark[1:] for mark in (run.notes.found if run.answers is None else run.notes.met)}
    return {one: node for one, node in Declared(run.players.choices).written() if one not in heard}


def asked_of(run: Run, row: str) -> set[str]:
    """Whom a row asks for an answer: in a playing, or for some fall of the dice."""
    marks = [mark for mark in run.notes.found if mark[:2] == (ANSWERED, row)]
    if run.answers is None and marks:
        plan(run.shop, notes_alone(run.draft.steps, marks), []).run()
    return {str(mark[2]) for mark in marks if mark in run.notes.met}


def _never_asked(run: Run, one: AnswerId, node: Node) -> Faulty:
    row, who, turn = one
    if not isinstance(child(child(run.players.choices, row), who), Listing):
        return Faulty.one(
            "never-asked",
            f"`{row}` never asks {who}, so this answer is never heard",
            node.span,
            help="take it out; or see what keeps the row from asking, in its `when`, or in who is there by then",
        )
    return Faulty.one(
        "never-asked",
        f"`{row}` does not ask {who} {turn + 1} times, so this answer is never heard",
        node.span,
        help="take it out of the list",
    )


def asked_at(bound: Bound, row: str) -> set[str]:
    """The kinds of those whom the rows of that name ask."""
    if ("asked at", row) not in bound.kept:
        bound.kept["asked at", row] = _asked_at(bound, row)
    kinds: set[str] = bound.kept["asked at", row]
    return kinds


def _asked_at(bound: Bound, row: str) -> set[str]:
    sequences = [one for one in bound.ruleset.sequences.values() if any(_asks(act, row) for act in one.acts)]
    acts = [act for one in sequences for act in bound.sequence(one.name).acts if _asks(act.act, row)]
    return {fact.kind for act in acts if (fact := settled(act.verb)) is not None}


def _asks(act: Act, row: str) -> bool:
    return act.id == row and isinstance(act.verb, Asking)


def asking(bound: Bound) -> dict[str, Act]:
    """The rows that ask a player."""
    sequences = bound.ruleset.sequences.values()
    return {act.id: act for one in sequences for act in one.acts if isinstance(act.verb, Asking)}


def not_to_be_played(ruleset: Ruleset) -> Iterator[Faulty]:
    """What is wrong with the sequence that is a close combat, and with the one between two."""
    known = ruleset.sequences
    if not ruleset.start and ruleset.start_place is None:
        said = "a ruleset needs `start:`, the sequence that is one close combat"
        yield Faulty.one("missing-key", said, ruleset.place.part(0, 1))
    named = ((ruleset.start, ruleset.start_place or ruleset.place), (ruleset.between, ruleset.between_place))
    for name, place in named:
        if name in ruleset.failed:
            yield Faulty.told()
        elif name and name not in known:
            help = suggest(name, known)
            yield Faulty.one("unknown-name", f"no sequence is called `{name}`", place, help=help)
        elif name and known[name].about:
            yield Faulty.one(
                "wrong-type",
                f"`{name}` is about {', '.join(known[name].about)}, and nobody is looked at here",
                place,
                help="name a sequence without `about:` that plays it with `each:` or `for:`",
            )


def go(run: Run, until_resolved: bool = False) -> None:
    """Plays the close combats of the situation, mostly one, or one after another until the fight is resolved."""
    for wrong in not_to_be_played(run.ruleset):
        raise wrong
    if until_resolved:
        play_until_resolved(run)
    else:
        play_combats(run, run.combats)


# ---- asking about the end ---------------------------------------------------------------------------------


def sentence(run: Run, cell: Cell, expect: Type | None = None) -> tuple[Term, dict[str, Value]]:
    """A sentence about the things of this situation, who are called by their names. Raises Faulty if it comes to
    nothing that can be told."""
    env = dict(run.state.things)
    scope = run.bound.among({name: thing.kind for name, thing in env.items()})
    term = run.bound.sentence(cell, scope, expect)
    run.bound.must_come_to_something(cell, term)
    return term, env


def asked(run: Run, text: Text, start: str = "value") -> tuple[Value, Type]:
    """The value of a sentence in the state as it is now."""
    term, env = sentence(run, parse(text, start))
    value = term.run(run, env)
    return number(run, value) if isinstance(term.type, Roll) else value, term.type


def distribution(run: Run, values: list[Value], watch: Watch | None = None) -> dict[Row, Fraction]:
    """The exact joint distribution of some values at the end of a run."""
    return as_fractions(*weighed(run, values, watch))


def weighed(
    run: Run,
    values: list[Value],
    watch: Watch | None = None,
    beside: Collection[Mark] = (),
    known: MappingType[Sym, Value] = NOTHING_KNOWN,
) -> tuple[dict[Row, int], int]:
    """The same in whole numbers: the weight of each row of values, and what all weights sum to. Some notes can be
    worked out `beside`, and how some throws fall may be `known`."""
    if beside and not any(isinstance(step, p.Loop) and step.at_most is None for step in p.every(run.draft.steps)):
        found = run.shop.budget.tried(lambda: _weighed(run, values, watch, beside, known), BESIDE, BESIDE_BYTES)
        if found is not None:
            return found
        beside = ()  # they join throws that are asked apart
    return _weighed(run, values, watch, beside, known)


def _weighed(
    run: Run, values: list[Value], watch: Watch | None, beside: Collection[Mark], known: MappingType[Sym, Value]
) -> tuple[dict[Row, int], int]:
    steps = without_notes(run.draft.steps, beside) if run.notes.found else run.draft.steps
    if known:
        steps, values = where_known(run.shop, steps, values, known)
    table, den = plan(run.shop, steps, values).run(watch)
    run.notes.are_worked_out(beside)
    telling = len(table) * (den.bit_length() // BITS)  # each becomes a chance, is added up and told
    if telling > MUCH:
        run.shop.budget.spend(telling)
    total = sum(table.values())
    if total != den or any(type(weight) is not int for weight in table.values()):
        raise Bug(f"the chances sum to {total}/{den}")
    return {row: weight for row, weight in table.items() if weight}, den


def sampler(run: Run, values: list[Value]) -> Sampler:
    """The program of a run made ready to be played in batches, for some values at its end."""
    from closecombat.proving.at_once.sampling import Sampler

    return Sampler(run.shop, without_notes(run.draft.steps) if run.notes.found else run.draft.steps, values)


def verdicts(run: Run) -> dict[Thing, Value]:
    """For each side (whoever `outcomes` is about), how the fight ended for it."""
    return {thing: run.table("outcomes", (thing,)) for thing in verdicts_are_about(run)}


def verdicts_are_about(run: Run) -> list[Thing]:
    table = run.ruleset.tables.get("outcomes")
    return run.state.by_kind.get(table.about[0], []) if table is not None and len(table.about) == 1 else []


def losses(run: Run) -> dict[Thing, Value]:
    """For each of whom it is told, how much strength he has lost."""
    return {thing: run.table("strength-lost", (thing,)) for thing in losses_are_about(run)}


def losses_are_about(run: Run) -> list[Thing]:
    table = run.ruleset.tables.get("strength-lost")
    return run.state.by_kind.get(table.about[0], []) if table is not None and len(table.about) == 1 else []


_AS_IT_WAS = (FactOf, PerWord)  # slots that tell nothing if they hold what they did


def changes(run: Run) -> dict[Thing, dict[str, Value]]:
    """For each thing that was there or has come, the facts that have changed or may have.

    `gone` says that it has left, `new` that it was not there before, `counter` which one it has become,
    `owes X` what it owes. Choices and rolls are no changes, nor is a note that players are not `shown`. Of whoever
    has gone flags still tell something, and of who has left with his life, by what `ends` says, his strength too.
    """
    out: dict[Thing, dict[str, Value]] = {}
    there = _those_that_count(run)
    at_first = run.start.get
    for slot, value in [
        (slot, value)
        for slot, value in run.slots.items()
        if at_first(slot, run) is not value
        or not ((sort := type(slot)) in _AS_IT_WAS or sort is Member or (value is True and sort is InPlay))
    ]:
        if isinstance(slot, CardsLeft | CardsOf | TimesLeft | Fought | AtMoment) or slot.thing not in there:
            continue
        thing, (name, before, lasting) = slot.thing, _changed(run, slot)
        if not name:
            continue
        tells: Value = True
        if not lasting:
            tells = run.in_play(thing)
            if tells is not True and _is_strength(run, slot):
                tells = run.shop.or_(tells, got_away(run, thing))
        if tells is False:
            continue
        if isinstance(value, Thrown) or (type(value) is not Sym and value == before) or _holds_throw(run, value):
            continue
        if name == "counter":
            value = run.shop.lift(lambda now, before=before: before if now is None else now, value)
        if name == "gone":
            value, before = run.shop.not_(value), False
        else:
            value = run.shop.if_(tells, value, before)
        if type(value) is Sym or value != before:
            out.setdefault(thing, {})[name] = value
    for named in out.values():
        for name in [name for name in named if name.startswith("owes ")]:
            named[name] = named.pop(name)  # last, whatever was written last
    return {thing: out[thing] for thing in run.state.things.values() if thing in out}


def got_away(run: Run, thing: Thing) -> Value:
    """Whether somebody, where he has gone, has left with what strength he has, by what `ends` says of his kind."""
    with run.unnoticed():
        return run.shop.over(run.table(run.ruleset.ends[thing.kind].fate, (thing,)), lambda word: word in LEFT)


def _is_strength(run: Run, slot: OfThing) -> bool:
    """Whether it is what the `strength` of an end names, or the counter that this is printed on."""
    end = run.ruleset.ends.get(slot.thing.kind)
    if end is None or isinstance(slot, CounterOf):
        return end is not None
    match slot, run.ruleset.tables[end.strength].value:
        case FactOf(_, name), Cell(Reading(Path((named,)), None)):
            return named == name
    return False


def at_first(run: Run, thing: Thing, name: str) -> Value:
    """What a change, by the name that `changes` gives it, was before the fight."""
    fact, _, word = name.partition(" ")
    if fact in ("gone", "new", "owes"):
        return False
    return (
        run.state.counters.get(thing)
        if name == "counter"
        else run.start.get(PerWord(thing, fact, word) if word else FactOf(thing, fact))
    )


def reached(run: Run) -> Iterator[Origin]:
    """Where everything is written that a run has come to: what it used, and the facts that somebody had or has."""
    yield from run.met.values()
    yield from (run.ruleset.kinds[thing.kind].where for thing in run.state.things.values())
    for slot, value in (*run.start.items(), *run.slots.items()):
        fact = run.fact_at(slot)
        if fact is not None and (type(value) is Sym or (value and (value,) != fact.default)):
            yield fact.where


def _those_that_count(run: Run) -> set[Thing]:
    """Those whom the situation is about, and who may have come to them; not what a player declared."""
    come = _who_come(run.bound)
    return {one for one in run.state.things.values() if one.kind in come or InPlay(one) in run.start}


def _who_come(bound: Bound) -> set[str]:
    """The kinds of those whom rows create."""
    if ("who come",) not in bound.kept:
        verbs = [act.verb for sequence in bound.ruleset.sequences.values() for act in sequence.acts]
        bound.kept["who come",] = {bound.ruleset.counters[v.counter.name].kind for v in verbs if isinstance(v, Create)}
    found: set[str] = bound.kept["who come",]
    return found


def _changed(run: Run, slot: OfThing) -> tuple[str, Value, bool]:
    """What to call a slot as a change, or nothing; what it was before; and whether it outlasts its thing."""
    match slot:
        case InPlay():
            return ("gone", True, True) if slot in run.start else ("new", False, True)
        case Owed(_, word):
            return f"owes {word}", False, True
        case CounterOf(thing):
            return "counter", run.state.counters.get(thing), False
        case FactOf(_, name):
            called = name
        case PerWord(_, name, word):
            called = f"{name} {word}"
        case _:
            return "", None, False
    fact = run.fact_at(slot)
    if fact is None or not fact.shown or fact.origin in ("chosen", "rolled", "drawn"):
        return "", None, False
    return called, run.start.get(slot), isinstance(fact.type, Flag)


def _holds_throw(run: Run, value: Value) -> bool:
    return any(isinstance(leaf, Thrown) for leaf in run.shop.leaves(value))
