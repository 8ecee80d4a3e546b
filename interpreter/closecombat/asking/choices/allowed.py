"""What a player may choose or declare: everything there is to say, each held against the rules.

A fight is played up to a choice that nobody has answered; there every answer is tried on the state and taken back.
Declared things are listed alone first; then every set of them that is legal together, however they are named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, islice
from types import MappingProxyType

from closecombat.binding.bound import BoundAct, BoundAsking, BoundChoose, BoundDeclare
from closecombat.binding.terms import Env
from closecombat.playing.answers import Declared
from closecombat.playing.choices import Illegal, Reason, declared, held_against, in_hand
from closecombat.playing.fight import Fight, asking, begin, go
from closecombat.playing.run import Offering, Run
from closecombat.proving.throws.dice import Answers
from closecombat.proving.values.budget import CHANGE, Budget
from closecombat.proving.values.symbolic import Value
from closecombat.reading.model import Fact
from closecombat.reading.slots import FactOf
from closecombat.reading.types import AThing, Flag, Number, Thing, Things, Word
from closecombat.text.faults import Faulty, suggest
from closecombat.text.slotted import dataclass

MOST_TRIES = 60_000
MOST_SETS = 10_000  # sets of declared things that are tried; those of few things come first
MOST_ASKED = 2_000  # declarations that are tried to find out whom to offer
SMALL = 2  # members of a set by which it is found out who may be in it at all
NOBODY: Mapping[str, Sequence[Thing]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Possible:
    """One answer: a value, or facts of a declared thing; and why it is forbidden, if it is."""

    value: Value
    reasons: tuple[Reason, ...]

    @property
    def legal(self) -> bool:
        return not self.reasons


@dataclass(frozen=True, slots=True)
class Choice:
    """The next choice. For a declaration `answers` are single things, and `together` the legal sets of them, which is
    `complete` unless there are too many. `player` is who answers, if that is another than `who`."""

    row: str
    who: Thing
    fact: str
    cites: tuple[str, ...]
    answers: tuple[Possible, ...]
    together: tuple[tuple[Possible, ...], ...] | None
    complete: bool = True
    player: str = ""


class Open(Exception):
    """A choice that nobody has answered."""

    def __init__(self, act: BoundAct, verb: BoundAsking, env: Env, who: Thing) -> None:
        super().__init__(act.act.id)
        self.act, self.verb, self.env, self.who = act, verb, env, who
        self.tell: Callable[[int], None] = lambda tried: None
        self.tried = 0
        self.budget = Budget()


def next_choice(
    fight: Fight,
    dice: Answers,
    at: str = "",
    tell: Callable[[int], None] = lambda tried: None,
    most_work: int | None = None,
) -> Choice | None:
    """The first choice that nobody answers, or the first at a row; None if there is none. Tells how many declarations
    it has tried. What is more than `most_work` is foretold and not done."""
    if at and at not in asking(fight.bound):
        raise Faulty.one(
            "unknown-name",
            f"no row that asks a player is called `{at}`",
            None,
            help=suggest(at, asking(fight.bound)) or "these ask: " + ", ".join(asking(fight.bound)),
        )

    met = come_to(fight, dice, lambda act, who: not at or act.act.id == at)
    if met is None:
        return None
    run, found = met
    found.tell, found.budget = tell, Budget(most_work)
    return listed(run, found)


def come_to(
    fight: Fight, dice: Answers, stops: Callable[[BoundAct, Thing], bool], offering: Offering | None = None
) -> tuple[Run, Open] | None:
    """A fight played up to the first choice that nobody answers and at which it `stops`, if there is one."""

    def stop(act: BoundAct, verb: BoundAsking, env: Env, who: Thing) -> None:
        if stops(act, who):
            raise Open(act, verb, env, who)

    run = begin(fight, dice, players=Declared(fight.choices, stop))
    run.offers_through(offering)
    try:
        go(run)
    except Open as found:
        return run, found
    return None


def listed(run: Run, found: Open) -> Choice:
    """Whatever may be answered to a choice that was come to."""
    act, who, verb = found.act, found.who, found.verb
    together, complete = None, True
    if isinstance(verb, BoundDeclare):
        trial = Trial(run, found, verb)
        answers = _single(trial)
        together, complete = _together(trial, [one for one in answers if one.legal])
    else:
        answers = [_tried_value(run, found, value) for value in _values(run, verb, found.env)]
    by = None if verb.by is None else verb.by.run(run, found.env)
    player = by.name if isinstance(by, Thing) and by != who else ""
    return Choice(act.act.id, who, verb.fact.name, act.act.where.cites, tuple(answers), together, complete, player)


def _values(run: Run, verb: BoundChoose, env: Env) -> Iterable[Value]:
    """Whatever a fact can be."""
    match verb.fact.type:
        case Flag():
            return (True, False)
        case Word() if verb.hand is not None:
            return [word for word, there in in_hand(run, verb, env) if there is True]
        case Word(words):
            return words
        case AThing(kind, nobody):
            if verb.among is not None:
                things = [who for who, guard in verb.among.run(run, env) if guard is True]
            else:
                things = [who for who in run.state.by_kind.get(kind, ()) if run.in_play(who) is True]
            return (*things, None) if nobody else things
        case Number(low, high, nobody) if low is not None and high is not None:
            return (*range(low, high + 1), None) if nobody else range(low, high + 1)
    raise Faulty.one("wrong-shape", f"what `{verb.fact.name}` may be cannot be listed", verb.fact.where.place)


def _tried_value(run: Run, found: Open, value: Value) -> Possible:
    with run.trial():
        run.write(FactOf(found.who, found.verb.fact.name), value)
        return _verdict(value, lambda: held_against(run, found.act, found.verb, found.who))


# ---- declarations -----------------------------------------------------------------------------------------

Given = dict[str, Value]  # the facts of a declared thing; a set is a tuple of its members


@dataclass(frozen=True, slots=True)
class Trial:
    """Declarations that are tried, and where they are asked for."""

    run: Run
    found: Open
    verb: BoundDeclare


def who_may(run: Run, act: BoundAct, verb: BoundDeclare, env: Env, who: Thing) -> dict[str, list[Thing | None]]:
    """Of each set of a thing that is to be declared, whom no rule keeps out for certain, and of each fact that names
    somebody, who it can be where few take part; nothing where that would take long to find out. The run goes on as if
    nothing had been tried."""
    trial = Trial(run, Open(act, verb, env, who), verb)
    with run.supposing():
        sets, heads, everyone, least = _forms(trial)
        ways: list[Given] = []
        for members in range(SMALL, 0, -1):
            try:
                ways = list(islice(_givens(sets, heads, everyone, least, members), MOST_ASKED + 1))
            except Faulty:
                continue
            if len(ways) <= MOST_ASKED:
                break
        else:
            return {}
        few = [_tried(trial, [one]) for one in ways]
        beside = _beside(trial, heads, few)
        out: dict[str, list[Thing | None]] = {}
        for name, all_of_them in everyone.items():
            out[name] = [*_able(trial, name, all_of_them, few, 0)]
        for fact in heads:
            named = dict.fromkeys(one.value[fact.name] for one in few if one.legal)
            named |= dict.fromkeys(beside.get(fact.name, ()))
            if named:
                out[fact.name] = list(named)
        return out


def _single(trial: Trial) -> list[Possible]:
    """Every thing that can be declared alone: first of few members, then of all whom no rule keeps out for certain."""
    sets, heads, everyone, least = _forms(trial)
    few = _each_tried(trial, list(_givens(sets, heads, everyone, least, SMALL)))
    beside = _beside(trial, heads, few)
    if beside:
        few = _each_tried(trial, list(_givens(sets, heads, everyone, least, SMALL, beside)))
    able = {name: _able(trial, name, members, few, SMALL) for name, members in everyone.items()}
    larger = [
        one for one in _givens(sets, heads, able, least, None, beside) if any(len(one[f.name]) > SMALL for f in sets)
    ]
    return few + _each_tried(trial, larger)


def _forms(trial: Trial) -> tuple[list[Fact], dict[Fact, list[Thing]], dict[str, list[Thing]], dict[str, int]]:
    """The sets of a thing that can be declared; who else must be somebody; who may be in each set, and how many have
    to be."""
    run, kind, later = trial.run, trial.verb.kind, _asked_later(trial.run)
    facts = [f for f in kind.facts.values() if f.origin == "chosen" and (kind.name, f.name) not in later]
    forms = [set(named) for named in (trial.verb.otherwise or {}).values()] or [{f.name for f in facts}]
    usual, needed = set.union(*forms), set.intersection(*forms)
    sets = [f for f in facts if isinstance(f.type, Things)]
    heads = {
        f: [] if f.type.nobody else _present(run, f.type.kind)
        for f in facts
        if isinstance(f.type, AThing) and f.name in usual
    }
    least = {f.name: 1 if f.name in needed else 0 for f in sets}
    everyone = {f.name: _present(run, f.type.kind) for f in facts if isinstance(f.type, Things)}
    return sets, heads, everyone, least


def _beside(trial: Trial, heads: dict[Fact, list[Thing]], few: Sequence[Possible]) -> dict[str, list[Thing]]:
    """Of each fact that names somebody or nobody, whom it can name though he does not take part, such as one who
    directs others: who is so in something legal. Where there is much to try, each member of a set is in one try."""
    out: dict[str, list[Thing]] = {}
    for fact in (fact for fact, whoever in heads.items() if not whoever):
        bare = [one for one in few if one.value[fact.name] is None]
        ways = [one.value for one in bare if one.legal] or [one.value for one in bare]
        there = _present(trial.run, fact.type.kind)  # type: ignore[union-attr]
        if len(ways) * len(there) > MOST_ASKED:
            ways = _one_of_each(ways)
        named = [who for who in there if any(_is_legal_with(trial, way, fact.name, who) for way in ways)]
        if named:
            out[fact.name] = named
    return out


def _is_legal_with(trial: Trial, way: Given, name: str, who: Thing) -> bool:
    return who not in _members(way) and _tried(trial, [{**way, name: who}]).legal


def _one_of_each(ways: Sequence[Given]) -> list[Given]:
    """So many of these that whoever is in one of their sets is in one of those."""
    seen, out = set[tuple[str, Value]](), list[Given]()
    for way in ways:
        mine = {(name, who) for name, members in way.items() if isinstance(members, tuple) for who in members}
        if not mine <= seen:
            seen |= mine
            out.append(way)
    return out


def _members(way: Given) -> dict[Thing, None]:
    """Who takes part, in the order in which they are named."""
    return dict.fromkeys(who for members in way.values() if isinstance(members, tuple) for who in members)


def _each_tried(trial: Trial, things: Sequence[Given]) -> list[Possible]:
    """Each of these alone."""
    found, before = list[Possible](), trial.run.changes
    for one in things:
        found.append(_tried(trial, [one]))
        work = CHANGE * (trial.run.changes - before)
        trial.found.budget.tries(len(found), len(things), work, "declarations to try")
    return found


def _able(trial: Trial, name: str, members: list[Thing], few: Sequence[Possible], at_most: int) -> list[Thing]:
    """Whom no rule keeps out of a set for certain: who is in something legal, or whose reasons against all go away
    when everybody is in the set. Nobody is looked at where there are so many `at_most`."""
    if len(members) <= at_most:
        return members
    whole = [{**one.value, name: tuple(members)} for one in few if one.value[name] == (members[0],)]
    lasting = _common(_tried(trial, [one]) for one in whole)
    return [m for m in members if not _common(one for one in few if m in one.value[name]) & lasting]


def _common(tried: Iterable[Possible]) -> set[Reason]:
    """The reasons that forbid every one of these."""
    every = [set(one.reasons) for one in tried]
    return set.intersection(*every) if every else set()


def _asked_later(run: Run) -> set[tuple[str, str]]:
    """Facts that a row of their own asks for, by kind and name: nobody declares them."""
    acts = [act for sequence in run.ruleset.sequences.values() for act in run.bound.sequence(sequence.name).acts]
    return {(act.verb.fact.kind, act.verb.fact.name) for act in acts if isinstance(act.verb, BoundChoose)}


def _present(run: Run, kind: str) -> list[Thing]:
    return [thing for thing in run.state.by_kind.get(kind, ()) if run.in_play(thing) is True]


def _givens(
    sets: Sequence[Fact],
    heads: dict[Fact, list[Thing]],
    members: dict[str, list[Thing]],
    least: dict[str, int],
    most: int | None,
    beside: Mapping[str, Sequence[Thing]] = NOBODY,
) -> Iterator[Given]:
    """Members of every set, at least one of each that the row itself would name in every form that it has; whoever
    else is named takes part, is one of those `beside`, or nobody; who must be somebody is one of those in `heads`."""
    ways: list[Given] = [{}]
    for fact in sets:
        mine = members[fact.name]
        chosen = [
            c for n in range(least[fact.name], min(most or len(mine), len(mine)) + 1) for c in combinations(mine, n)
        ]
        if len(ways) * len(chosen) > MOST_TRIES:
            raise _too_many(fact)
        ways = [{**way, fact.name: one} for way in ways for one in chosen]
    for way in ways:
        taking_part = _members(way)
        with_heads: list[Given] = [way]
        for fact, whoever in heads.items():
            part = {None: None} | {m: None for m in taking_part if m.kind == fact.type.kind}  # type: ignore[union-attr]
            named = whoever or [*(part | dict.fromkeys(beside.get(fact.name, ())))]
            with_heads = [{**one, fact.name: head} for one in with_heads for head in named]
        yield from with_heads


def _together(trial: Trial, singles: Sequence[Possible]) -> tuple[tuple[tuple[Possible, ...], ...], bool]:
    """The sets of things that may be declared together, the empty one first and small ones before large ones; and
    whether these are all. What has been found legal is declared once, and stays while others are tried with it."""
    tries, most, before = 0, trial.verb.at_most, trial.run.changes
    sets: list[tuple[int, ...]] = [()]
    for chosen in sets:
        things = [singles[j].value for j in chosen]
        with trial.run.trial():
            declared(trial.run, trial.found.act, trial.verb, trial.found.who, things)
            for i in range(chosen[-1] + 1 if chosen else 0, len(singles) if len(chosen) != most else 0):
                tries += 1
                if tries > MOST_SETS:
                    return _of(singles, sets), False
                work = CHANGE * (trial.run.changes - before)
                trial.found.budget.tries(tries, MOST_SETS, work, "sets of declarations", at_most=True)
                if _tried(trial, [*things, singles[i].value], len(things)).legal:
                    sets.append((*chosen, i))
    return _of(singles, sets), True


def _of(singles: Sequence[Possible], sets: Iterable[tuple[int, ...]]) -> tuple[tuple[Possible, ...], ...]:
    return tuple(tuple(singles[i] for i in chosen) for chosen in sets)


def _tried(trial: Trial, things: Sequence[Given], standing: int = 0) -> Possible:
    """The last of these things, of which so many stand declared already."""
    run, found = trial.run, trial.found
    found.tried += 1
    found.tell(found.tried)
    with run.trial():
        return _verdict(things[-1], lambda: declared(run, found.act, trial.verb, found.who, things, standing))


def _verdict(value: Value, trying: Callable[[], object]) -> Possible:
    try:
        trying()
    except Illegal as refused:
        return Possible(value, refused.reasons)
    return Possible(value, ())


def _too_many(fact: Fact) -> Faulty:
    return Faulty.one(
        "budget-exceeded",
        f"there are more than {MOST_TRIES} ways to declare `{fact.name}`",
        fact.where.place,
        help="ask about fewer units",
    )
