"""What players settle: choices and declarations, held against their legality tables.

Whose answer it is comes from `answers`; listing everything that would be legal is `asking/choices/allowed`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypeAlias

from closecombat.binding.bound import BoundAct, BoundAsking, BoundChoose, BoundDeclare
from closecombat.binding.terms import Env, Members, SetTerm, Term
from closecombat.binding.trace import Event
from closecombat.playing.answers import Answer
from closecombat.playing.cards import held, played
from closecombat.playing.effects import Within, as_kept, each_of, new_thing, settle_like_others
from closecombat.playing.lookup import Cause
from closecombat.playing.notes import ANSWERED, LEFT_OPEN
from closecombat.playing.run import Run
from closecombat.proving.foreseeing.ranges import passed
from closecombat.proving.values.symbolic import Sym, Value
from closecombat.reading.model import Choose, Fact, Kind
from closecombat.reading.situation import read_value
from closecombat.reading.slots import DeclaredBy, FactOf, InPlay, Member, TimesAsked
from closecombat.reading.types import AThing, Flag, Number, Thing, Things, Word, a, shown
from closecombat.text.faults import Faulty
from closecombat.text.slotted import dataclass
from closecombat.text.source import Span

MOST_TRIED = 100  # numbers of a range that are tried to find out whether another answer was possible
Reason: TypeAlias = tuple[str, tuple[str, ...]]
Said: TypeAlias = dict[str, Value | Members]  # what is said of a thing: each fact, a set by who may be in it


@dataclass(frozen=True, slots=True)
class Later:
    """The next time that somebody is asked; after the last answer it no longer matters which."""

    last: int

    def __call__(self, turn: int) -> int:
        return min(turn + 1, self.last)


def _each_time(run: Run, act: BoundAct, who: Thing, at_most: int | None, doing: Callable[[int], None]) -> None:
    """Does something for the time that it is, where the answers stand one after the other; else for the first."""
    turns = run.players.turns(act.act.id, who.name, at_most)
    if not turns:
        doing(0)
        return
    slot = TimesAsked(who, act.act.id)
    run.open(slot, 0)
    now = run.slots[slot]
    run.write(slot, run.shop.lift(Later(turns), now))
    for turn in range(turns + 1):
        run.under(run.shop.equal(now, turn), partial(doing, turn))


def choose(run: Run, act: BoundAct, verb: BoundChoose, env: Env, who: Thing) -> None:
    """Writes what a player chooses. Whom he names may have left by then: that counts as if he had said nothing."""
    _each_time(run, act, who, None, lambda turn: _choose(run, act, verb, env, who, turn))


def _choose(run: Run, act: BoundAct, verb: BoundChoose, env: Env, who: Thing, turn: int) -> None:
    fact = verb.fact
    answer: Answer | None = run.players.answer(act.act.id, who.name, turn, run)
    run.mark((ANSWERED, act.act.id, who.name, turn))
    offering = run.offering
    if offering is not None and (answer is None or offering.frees) and offering.offers(run, act, verb, env, who):
        return
    among = verb.among.run(run, env) if verb.among is not None else None
    said: Value = None
    if answer is not None and not isinstance(fact.type, Things):
        said = read_value(fact.type, answer.node, run.ruleset, run.state)
    there: Value = answer is not None
    if isinstance(said, Thing):
        there = run.in_play(said)
        if verb.otherwise is None:
            has_left = run.shop.not_(there)
            run.draft.must_not(has_left, lambda: _refused(act, answer, f"{said} has left, and cannot be chosen"))
            there = True
    if there is not True:
        run.under(run.shop.not_(there), lambda: _settle(run, act, verb, env, who, among, _unsaid, None))
    if there is not False:
        run.under(there, lambda: _settle(run, act, verb, env, who, among, lambda *_: said, answer))


def _settle(
    run: Run,
    act: BoundAct,
    verb: BoundChoose,
    env: Env,
    who: Thing,
    among: Members | None,
    choosing: Callable[..., Value],
    answer: Answer | None,
) -> None:
    """Writes what is chosen, said or not, and holds it against whom the row may choose and what the rules forbid."""
    fact, value = verb.fact, choosing(run, act, verb, env, who)
    for one in run.shop.leaves(value) if among is not None else ():
        if isinstance(one, Thing):
            may = next((guard for member, guard in among or () if member is one), False)
            wrong = run.shop.and_(run.shop.equal(value, one), run.shop.not_(may))
            run.draft.must_not(wrong, partial(_refused, act, answer, f"{one} is not one of whom {who} may choose"))
    if run.recorder is not None:
        run.recorder.add(Event("choice", fact.name, f" of {who}", value, act.act.where))
    run.write(FactOf(who, fact.name), value)
    held_against(run, act, verb, who, answer)
    if verb.hand is not None:
        owner, hand = verb.hand
        each_of(run, owner.run(run, env), lambda holder: _played(run, act, holder, hand, value, answer))


def settle_offered(run: Run, act: BoundAct, verb: BoundChoose, env: Env, who: Thing, value: Value) -> None:
    """Writes what is chosen of that alone which the rules allow."""
    run.write(FactOf(who, verb.fact.name), value)
    if verb.hand is not None:
        owner, hand = verb.hand
        each_of(run, owner.run(run, env), lambda holder: played(run, holder, hand, value))


def _played(run: Run, act: BoundAct, holder: Thing, hand: Fact, card: Value, answer: Answer | None) -> None:
    """A card that is chosen must be in the hand, and leaves it."""
    for word in run.ruleset.decks[hand.deck].cards:
        wrong = run.shop.and_(run.shop.equal(card, word), run.shop.equal(held(run, holder, hand, word), 0))
        said, instead = f"{holder} has no {word} in {hand.name}", "choose a card that is there"
        run.draft.must_not(wrong, partial(_refused, act, answer, said, instead))
    played(run, holder, hand, card)


def _refused(act: BoundAct, answer: Answer | None, says: str, instead: str = "choose somebody else") -> Faulty:
    return Faulty.one(
        "illegal-declaration",
        says,
        _place(act, answer),
        help=instead if answer is not None else "mend its `otherwise:`, or answer it under `choices:`",
    )


def _place(act: BoundAct, answer: Answer | None) -> Span:
    return answer.node.span if answer is not None else act.act.where.place


def _unsaid(run: Run, act: BoundAct, verb: BoundChoose, env: Env, who: Thing) -> Value:
    """What the ruleset chooses where its player says nothing."""
    default = verb.otherwise
    if run.players.unanswered is not None:
        run.players.unanswered(act, verb, env, who)
    if default is None:
        fault = Faulty.one(
            "missing-key",
            f"nobody says what {who} chooses at `{act.act.id}`",
            act.act.where.place,
            help=f"add it under `choices:`, `{act.act.id}: {{{who}: ..}}`, or give the row an `otherwise:`; "
            "`resolve --ask` asks for it, `chances --play best` answers as well as can be",
        )
        run.draft.must_not(True, lambda: fault)
        return run.shop.fault(lambda: fault)
    written = act.act.verb.otherwise if isinstance(act.act.verb, Choose) else None
    place = act.act.where.place if written is None else written.place
    value: Value = _within(run, verb.fact, default.run(run, env), place)
    told = shown(value) if type(value) is not Sym else written.text if written is not None else "not known yet"
    said = f"`{act.act.id}` was left to the ruleset: {verb.fact.name} of {who} is {told}"
    run.mark((LEFT_OPEN, said, act.act.id, who.name, told), lambda: _another(run, verb, env, who, value))
    return value


def _within(run: Run, fact: Fact, value: Value, place: Span) -> Value:
    """What the ruleset answers is held against the range of its fact, as an answer of a player is when it is read."""
    if not isinstance(fact.type, Number):
        return as_kept(run, fact, value, place)
    if fact.type.low is None:
        return value
    return passed(run.shop, Within(fact.name, fact.type, place), value)


def _as_it_is(value: Value) -> Value:
    return value


def _another(run: Run, verb: BoundChoose, env: Env, who: Thing, value: Value) -> Value:
    """Whether anything else could have been chosen, as far as the rules of the row go."""
    other: Value = False
    for one, there in may_choose(run, verb, env):
        if other is True:
            break
        legal = run.shop.and_(there, run.shop.not_(run.shop.equal(value, one)))
        if legal is not False and verb.legal:
            with run.supposing(FactOf(who, verb.fact.name), one):
                legal = run.shop.and_(legal, run.shop.not_(run.table(verb.legal, (who,))))
        other = run.shop.or_(other, legal)
    return other


def could_be(run: Run, verb: BoundChoose, env: Env) -> Iterator[Value]:
    """Whatever a fact that is chosen may be set to, the rules apart; of a range without an end its beginning."""
    return (value for value, there in may_choose(run, verb, env) if there is not False)


def may_choose(run: Run, verb: BoundChoose, env: Env) -> Iterator[tuple[Value, Value]]:
    """The same, and where each is there to be chosen."""
    match verb.fact.type:
        case Flag():
            yield from ((True, True), (False, True))
        case Word() if verb.hand is not None:
            yield from in_hand(run, verb, env)
        case Word(words):
            yield from ((word, True) for word in words)
        case AThing(kind, nobody):
            if verb.among is not None:
                yield from verb.among.run(run, env)
            else:
                yield from ((one, run.in_play(one)) for one in run.state.by_kind.get(kind, ()))
            yield from ((None, True),) if nobody else ()
        case Number(low, high, nobody):
            yield from ((None, True),) if nobody else ()
            low = low or 0
            most = min(high if high is not None else low + MOST_TRIED, low + MOST_TRIED)
            yield from ((number, True) for number in range(low, most + 1))


def in_hand(run: Run, verb: BoundChoose, env: Env) -> list[tuple[str, Value]]:
    """The cards of the hand that is chosen from, and whether there is one of each."""
    if verb.hand is None:
        return []
    owner, hand = verb.hand
    holders = [one for one in run.shop.everyone(owner.run(run, env)) if isinstance(one, Thing)]
    return [
        (word, run.shop.any_of(run.shop.not_(run.shop.equal(held(run, one, hand, word), 0)) for one in holders))
        for word in run.ruleset.decks[hand.deck].cards
    ]


def held_against(run: Run, act: BoundAct, verb: BoundAsking, who: Thing, answer: Answer | None = None) -> None:
    """Holds a choice against its legality table: a breach is Illegal wherever it can happen."""
    if not verb.legal:
        return
    _, causes = run.table_and_causes(verb.legal, (who,))
    certain = [cause for cause in causes if cause.guard is True]
    if certain:
        run.draft.must_not(True, partial(Illegal.of, who, certain, _place(act, answer)))
    for cause in causes:
        if cause.guard is not True:
            run.draft.must_not(cause.guard, partial(Illegal.of, who, [cause], _place(act, answer)))


class Illegal(Faulty):
    """A choice that the rules forbid; `reasons` are what they say and the clauses of each."""

    reasons: tuple[Reason, ...] = ()

    @property
    def clauses(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(clause for _, cites in self.reasons for clause in cites))

    @classmethod
    def of(cls, who: Thing, causes: Sequence[Cause], place: Span) -> Illegal:
        reasons = tuple(dict.fromkeys((str(cause.value), cause.row.where.cites) for cause in causes))
        rules = ", ".join(dict.fromkeys(c for _, cites in reasons for c in cites))
        fault = cls(
            Faulty.one(
                "illegal-declaration",
                f"{who} is not allowed: {'; '.join(says for says, _ in reasons)}{f' ({rules})' if rules else ''}",
                place,
                labels=tuple((cause.row.where.place, f"forbidden here: {cause.row.id}") for cause in causes),
                help="declare something else, or change the row that forbids it",
            ).diagnostics
        )
        fault.reasons = reasons
        return fault


def _called_already(act: BoundAct, name: str, answer: Answer | None) -> Faulty:
    return Faulty.one(
        "duplicate-id",
        f"something is already called `{name}`",
        _place(act, answer),
        help="give one of the two another name",
    )


def declare(run: Run, act: BoundAct, verb: BoundDeclare, env: Env, owner: Thing) -> None:
    """Makes what a player declares, or what the ruleset declares for him."""
    _each_time(run, act, owner, verb.at_most, lambda turn: _declare(run, act, verb, env, owner, turn))


def _declare(run: Run, act: BoundAct, verb: BoundDeclare, env: Env, owner: Thing, turn: int) -> None:
    kind, most, usually = verb.kind, verb.at_most, verb.otherwise or {}
    answers: dict[str, Answer] | None = run.players.declared(act.act.id, owner.name, most, turn, run)
    run.mark((ANSWERED, act.act.id, owner.name, turn))
    if answers is None and run.offering is not None and run.offering.declares(run, act, verb, env, owner):
        return
    if answers is None:
        if run.players.unanswered is not None:
            run.players.unanswered(act, verb, env, owner)
        for id, facts in usually.items():
            given = {name: _usually(run, act, kind.facts[name], term, env) for name, term in facts.items()}
            made = _declared(run, act, verb, owner, f"{owner}-{id}", given, None)
            said = f"`{act.act.id}` of {owner} was left to the ruleset: {id}"
            run.mark((LEFT_OPEN, said, act.act.id, owner.name, id), partial(_as_it_is, made))
        return
    if most is not None and len(answers) > most:
        beyond = list(answers.values())[most]
        raise Faulty.one(
            "illegal-declaration",
            f"at `{act.act.id}` {owner} declares at most {most} at a time",
            beyond.node.span,
            labels=((act.act.where.place, "`at-most` stands here"),),
            help="write the others into the next entry of the list",
        )
    for id, answer in answers.items():
        given = {}
        for key, node in answer.entries():
            declared = kind.facts.get(key.value)
            if declared is None or declared.origin not in ("chosen", "given"):
                raise Faulty.one("unknown-fact", f"nobody chooses `{key.value}` of {a(kind.name)}", key.span)
            if isinstance(declared.type, Things):
                given[key.value] = [(m, True) for m in answer.things(node, declared.type.kind, run.state)]
            else:
                given[key.value] = read_value(declared.type, node, run.ruleset, run.state)
        usual = [set(line) for line in usually.values()]
        for name in sorted(set.intersection(*usual) - given.keys()) if usual else ():
            if isinstance(kind.facts[name].type, Things):
                run.mark((LEFT_OPEN, f"`{act.act.id}`: {id} has no {name}"))
        _declared(run, act, verb, owner, id, given, answer)


def declared(
    run: Run, act: BoundAct, verb: BoundDeclare, owner: Thing, things: Sequence[dict[str, Value]], standing: int = 0
) -> None:
    """Declares these things, one after the other; raises Illegal if they are not allowed together. A set is given by
    its members. So many of them may be `standing` already, which are allowed by themselves."""
    for n, facts in enumerate(things[standing:], standing + 1):
        given = {k: [(m, True) for m in v] if isinstance(v, tuple) else v for k, v in facts.items() if v != ()}
        _declared(run, act, verb, owner, f"{owner}-{n}", given, None)
    for n in range(1, len(things)):
        held_against(run, act, verb, run.state.things[f"{owner}-{n}"])


def _usually(run: Run, act: BoundAct, fact: Fact, term: Term | SetTerm, env: Env) -> Value | Members:
    """What the ruleset declares, a fact of it."""
    if isinstance(term, SetTerm):
        return term.run(run, env)
    value = term.run(run, env)  # for want of somebody whom it needs it is not made (`_as_given`)
    return value if isinstance(fact.type, AThing) else _within(run, fact, value, act.act.where.place)


def _as_given(run: Run, kind: Kind, given: Said, answer: Answer | None) -> tuple[Value, Said]:
    """Whether a thing is made of what is declared, and what its facts then are: who has left takes no part."""
    shop = run.shop
    made: Value = True
    said: Said = {}
    for key, value in given.items():
        if isinstance(value, list):
            said[key] = [(member, shop.and_(guard, run.in_play(member))) for member, guard in value]
            if value or answer is None:
                made = shop.and_(made, shop.any_of(guard for _, guard in said[key]))
            continue
        kept = kind.facts[key].type
        if isinstance(kept, AThing):
            there = shop.any_of(
                shop.and_(shop.equal(value, one), run.in_play(one))
                for one in shop.everyone(value)
                if isinstance(one, Thing)
            )
            if kept.nobody:
                value = shop.if_(there, value, None)
            else:
                made = shop.and_(made, there)
        said[key] = value
    return made, said


def _make(run: Run, verb: BoundDeclare, name: str, owner: Thing, asked: str, said: Said, made: Value) -> None:
    """Makes a declared thing, where it is made."""
    was = run.state.things.get(name)
    is_there = was is not None and run.in_play(was)
    thing, fact = new_thing(run, verb.kind.name, name, owner), verb.fact
    run.comes(thing, is_there)
    run.open(DeclaredBy(thing), None)
    run.write(DeclaredBy(thing), asked)
    for key, value in said.items():
        if not isinstance(value, list):
            run.write(FactOf(thing, key), value)
            continue
        for member, guard in value:
            run.state.join(thing, key, member)
            slot = Member(thing, key, member)
            run.open(slot, False)
            run.write(slot, guard)
    settle_like_others(run, thing, said)
    run.write(InPlay(thing), made)
    run.state.join(owner, fact.name, thing)
    belongs = Member(owner, fact.name, thing)
    run.open(belongs, False)
    run.write(belongs, made)


def _declared(
    run: Run, act: BoundAct, verb: BoundDeclare, owner: Thing, name: str, given: Said, answer: Answer | None
) -> Value:
    """Makes one declared thing, and says whether it was. Who has left cannot take part; without whom it needs it is
    not made."""
    shop, kind = run.shop, verb.kind
    existing, asked = run.state.things.get(name), f"{owner} at {act.act.id}"
    if existing is not None:
        taken = existing.kind != kind.name or shop.and_(
            run.in_play(existing), shop.not_(shop.equal(run.slots.get(DeclaredBy(existing)), asked))
        )
        run.draft.must_not(taken, partial(_called_already, act, name, answer))
        if existing.kind != kind.name:
            return False
    made, said = _as_given(run, kind, given, answer)
    if existing is not None and run.in_play(existing) is not False:
        # Where nothing is declared now, what was declared before is as it was.
        run.under(made, partial(_make, run, verb, name, owner, asked, said, True))
    else:
        _make(run, verb, name, owner, asked, said, made)
    thing = run.state.things[name]
    if made is False:
        return False
    run.under(made, partial(held_against, run, act, verb, thing, answer))  # of what is not made no rule is asked
    if run.recorder is not None:
        told = "; ".join(
            f"{key} " + (", ".join(str(m) for m, _ in v) if isinstance(v, list) else shown(v))
            for key, v in given.items()
        )
        run.recorder.add(Event("choice", name, f" of {owner}", told, act.act.where))
    return made
