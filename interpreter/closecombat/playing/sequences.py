"""Playing sequences: what happens next, row by row. What is left to do, as data, is `agenda`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import combinations

from closecombat.binding.bound import (
    BoundAct,
    BoundAsking,
    BoundChoose,
    BoundCreate,
    BoundDeal,
    BoundDeclare,
    BoundPlay,
    BoundRoll,
    BoundSequence,
    BoundSettling,
    BoundShuffle,
    BoundSingleOut,
)
from closecombat.binding.terms import Env, Members, Term
from closecombat.binding.trace import Event
from closecombat.playing.amounts import HowMany
from closecombat.playing.at_once import Made, together
from closecombat.playing.cards import deal, shuffle
from closecombat.playing.choices import choose, declare
from closecombat.playing.draft import MOST_STEPS
from closecombat.playing.effects import create, each_of, effect_done, tell_sums
from closecombat.playing.order import Turn, turns
from closecombat.playing.reasons import tests_told, whom
from closecombat.playing.repeat import Standstill, refuse_endless, repeat
from closecombat.playing.rows import as_one_of, for_whom, members_now, with_member
from closecombat.playing.run import Run
from closecombat.playing.throws import roll, single_out
from closecombat.playing.what_is_read import Reading
from closecombat.proving.foreseeing.ranges import passed, range_of
from closecombat.proving.values.arithmetic import minus
from closecombat.proving.values.budget import DONE
from closecombat.proving.values.symbolic import Between, Sym, Value
from closecombat.reading.model import MOST_TIMES
from closecombat.reading.situation import MOST_NEWCOMERS
from closecombat.reading.slots import TimesLeft
from closecombat.reading.types import Thing, shown
from closecombat.text.faults import Faulty
from closecombat.text.slotted import dataclass
from closecombat.text.source import Span


@dataclass(frozen=True, slots=True)
class Repetition:
    """Passes one after the other: `over` is asked after each, `most` is None where there is no bound."""

    body: Callable[[], None]
    over: Callable[[], Value]
    most: int | None
    name: str
    place: Span


def play(run: Run, name: str, env: Env) -> None:
    """Plays a sequence for the subjects in `env`, its repetitions included."""
    run.recalled(name, env, partial(_play, run, name, env))


def _play(run: Run, name: str, env: Env) -> None:
    bound = run.bound.sequence(name)
    sequence, until = bound.sequence, bound.until
    run.used(sequence.where)
    if until is None:
        all_rows(run, bound, env)
        return
    of = repetition(run, bound, until, env)
    passes = partial(_passes, run, of)
    if sequence.asked_first:
        run.under(run.shop.not_(of.over()), passes)
    else:
        passes()


def repetition(run: Run, bound: BoundSequence, until: Term, env: Env) -> Repetition:
    """A sequence that is played again, until something holds."""
    sequence = bound.sequence
    body, over = partial(all_rows, run, bound, env), partial(until.run, run, env)
    return Repetition(body, over, sequence.at_most, sequence.name, sequence.where.place)


def play_as(run: Run, name: str, env: Env, roles: Mapping[str, Value]) -> None:
    """Plays a sequence with whoever it turns out to be in each role; where there is nobody for one, not at all."""
    if not roles:
        play(run, name, env)
        return
    (role, who), *others = roles.items()
    each_of(run, who, lambda one: play_as(run, name, {**env, role: one}, dict(others)))


def _passes(run: Run, of: Repetition) -> None:
    if run.answers is None and of.most is None:
        _looped(run, of)
    else:
        _again(run, of)


def _looped(run: Run, of: Repetition, done: int = 0) -> None:
    def one_pass() -> Value:
        of.body()
        return of.over()

    repeat(run, one_pass, of.most - done if of.most is not None else None, of.place)


def _again(run: Run, of: Repetition, passes: int = 1) -> None:
    """Pass after pass, as long as it is known whether there is another; then a loop for those that are left.

    Written out, a pass knows what was counted so far, and its dice are told apart. But each costs more than the one
    before, measured: about the square of their number while it is known whether they come; its square again where it
    is not, since each then stands inside all before it, its values choices among theirs. What is written out may cost
    as much as the most steps of a whole run, each pass taken to be as long as the last.
    """
    most, begun, standstill = of.most, run.shop.budget.spent, Standstill(run)
    while True:
        steps = run.draft.written
        of.body()
        if most is not None and passes >= most:
            return
        over_now = of.over()
        if type(over_now) is Sym:
            goes_on(run, of, passes, over_now, run.draft.written - steps)
            return
        if over_now:
            return
        if run.answers is None and passes**2 * (run.draft.written - steps) > MOST_STEPS:
            _looped(run, of, passes)
            return
        passes += 1
        if most is not None:
            continue
        if standstill.is_reached():
            said = f"`{of.name}` does not come to an end"
            raise Faulty.one("loop-without-end", said, of.place, help="look at its `again:`")
        refuse_endless(
            run, passes - 1, begun, f"`{of.name}` has not come to an end after {passes - 1:,} passes", of.place
        )


def goes_on(run: Run, of: Repetition, passes: int, over: Value, written: int) -> None:
    """The passes that are left where it is not known whether there are any; the last took so many steps."""
    each = max(1, written)  # stands inside those before it, even if it writes nothing
    if of.most is not None and (of.most - passes) ** 4 * each <= MOST_STEPS:
        rest = partial(_again, run, of, passes + 1)
    else:
        rest = partial(_looped, run, of, passes)
    run.under(run.shop.not_(over), rest)


# ---- rows -------------------------------------------------------------------------------------------------


def all_rows(run: Run, bound: BoundSequence, env: Env) -> None:
    if run.answers is not None:  # repetitions inside each other may be bounded and go on for hours all the same
        run.shop.budget.spend(DONE * len(bound.acts))
    order = bound.sequence.order
    if order == "at-once":
        run.asks_together()
        for act in bound.acts:
            run.reached(act.act.id)
        rows_at_once(run, bound.acts, env)
    elif order == "first-of":
        first_of(run, bound.acts, env)
    else:
        _in_order(run, bound.acts, env)


def _in_order(run: Run, acts: tuple[BoundAct, ...], env: Env) -> None:
    """Rows one after the other; where they are recalled half of them at a time, since most do nothing most times."""
    if run.recall is None:
        for act in acts:
            do_row(run, act, env)
        return
    if len(acts) == 1:
        do_row(run, acts[0], env)
        return
    for half in (acts[: len(acts) // 2], acts[len(acts) // 2 :]):
        run.recalled((id(half[0]), len(half)), env, partial(_in_order, run, half, env))


def do_row(run: Run, act: BoundAct, env: Env) -> None:
    """A row that stands in order, for all whom it looks at."""
    run.reached(act.act.id)
    unseen = act.verb.answered if isinstance(act.verb, BoundAsking) else ""
    if unseen in ("at-once", "secret"):
        run.asks_together()
    if act.order:
        _by_order(run, act, env)
    elif unseen == "at-once":
        rows_at_once(run, (act,), env)
    elif members := _either_way_round(run, act, env):
        run.one_by_one([partial(_either_way, run, act, env, members)])
    else:
        each = for_whom(run, act, env, lazily=True)
        run.one_by_one(partial(run.under, guard, partial(one_for, run, act, inner)) for inner, guard in each)


def _either_way_round(run: Run, act: BoundAct, env: Env) -> Members:
    """Whom a row goes through, if it is not known of all of them who came first."""
    if act.each is None or not run.coming.either_way:
        return []
    _, members = members_now(run, act, env, env)
    return members if run.coming.may_be_either_way(member for member, _ in members) else []


def _either_way(run: Run, act: BoundAct, env: Env, members: Members) -> None:
    """A row that goes through some of which it is not known who came first: that must come to the same."""
    seen: list[tuple[Thing, Value, Reading]] = []
    for member, is_in in members:
        his = with_member(act, env, member)
        with run.reads_apart() as asked:
            free, now = members_now(run, act, env, his)
        with run.reads_apart() as reading:
            _for_member(run, act, his, free, now, member, is_in)
        reading.also_reads(asked, {other for other, _ in members if other is not member})
        for other, was_in, before in seen:
            if reading.hangs_with(before):
                run.must_not_come_either_way(act, (other, member), run.shop.and_(was_in, is_in))
        seen.append((member, is_in, reading))


def _for_member(run: Run, act: BoundAct, his: Env, free: Value, now: Members, member: Thing, was_in: Value) -> None:
    """A row for one whom it looks at, if he still is one."""
    for inner, guard in as_one_of(run, act, his, free, now, member, was_in):
        run.under(guard, partial(one_for, run, act, inner))


def rows_at_once(run: Run, acts: Iterable[BoundAct], env: Env) -> None:
    """Rows that are all judged on the state before them."""
    rows = ((act, *one) for act in acts for one in for_whom(run, act, env))
    _at_once(run, ((partial(run.under, guard, partial(one_for, run, act, inner)), act) for act, inner, guard in rows))


def _at_once(run: Run, bodies: Iterable[tuple[Callable[[], None], BoundAct]]) -> None:
    """What rows do, each on the state as it is; then all of it is written together."""
    made: list[Made] = [(*run.taken_back(body), act.act.where.place) for body, act in bodies]
    since = {slot: None for sets, adds, _ in made for slot in (*sets, *adds)}
    together(run, made)
    if not run.is_transaction:
        tell_sums(run)
    run.keep(since)


def first_of(run: Run, acts: tuple[BoundAct, ...], env: Env) -> None:
    """Only the first row that holds, for each of whom it looks at."""
    if not acts:
        return
    act, rest = acts[0], acts[1:]
    run.reached(act.act.id)
    held: Value = False
    for (one, is_in), (other, is_in_too) in combinations(_either_way_round(run, act, env), 2):
        run.must_not_come_either_way(act, (one, other), run.shop.and_(is_in, is_in_too))
    for inner, guard in for_whom(run, act, env):
        held = run.shop.or_(held, guard)
        run.under(guard, partial(one_for, run, act, inner))
    run.under(run.shop.not_(held), lambda: first_of(run, rest, env))


def _by_order(run: Run, act: BoundAct, env: Env) -> None:
    """A row done for the members of its set in an order that is settled now; of each it is asked afresh, in his turn,
    whether he still is one. Those who have a turn together act on the same state."""
    free, members = members_now(run, act, env, env)
    envs = {member: with_member(act, env, member) for member, _ in members}
    found = ((member, run.shop.and_(free, guard)) for member, guard in members)
    there = [(member, guard) for member, guard in found if guard is not False]
    was_in = dict(there)
    in_turn = turns(run, act, there, [envs[member] for member, _ in there])

    def his(member: Thing) -> None:
        free, now = members_now(run, act, env, envs[member])
        _for_member(run, act, envs[member], free, now, member, was_in[member])

    def one_turn(turn: Turn) -> None:
        if len(turn) == 1 or act.act.ties != "at-once":
            for member, mine in turn:
                run.under(mine, partial(his, member))
        else:
            _at_once(run, ((partial(run.under, mine, partial(his, member)), act) for member, mine in turn))

    run.one_by_one(partial(one_turn, turn) for turn in in_turn)


def one_for(run: Run, act: BoundAct, env: Env) -> None:
    """One row for one subject, as often as it is to be done."""
    if (act.each is None and act.who is None) or isinstance(act.verb, BoundPlay):
        often(run, act, env)
    else:
        run.recalled((id(act), "one"), env, partial(often, run, act, env))


def how_often(run: Run, act: BoundAct, env: Env) -> Value:
    """How often a row is to be done."""
    if act.times is None:
        return 1
    said, place = f"row `{act.act.id}` would be repeated {{}} times", act.act.where.place
    bound = HowMany(said, act.act.times.place if act.act.times else place, MOST_TIMES)
    return passed(run.shop, bound, act.times.run(run, env))


def often(run: Run, act: BoundAct, env: Env) -> None:
    """A row for one, as often as it is to be done."""
    if act.times is None:
        _once(run, act, env)
        return
    slot, place, times = TimesLeft(act.act.id), act.act.where.place, how_often(run, act, env)
    if type(times) is not Sym:
        so_often(run, act, env, times)
        return
    most = range_of(run.shop, times)
    high = most.high if isinstance(most, Between) else max(most) if isinstance(most, tuple) else None

    def body() -> None:
        run.write(slot, minus(run.shop, run.slots[slot], 1))
        _once(run, act, env)

    def over() -> Value:
        return run.shop.equal(run.slots[slot], 0)

    run.open(slot, 0)
    run.write(slot, times)
    some = Repetition(body, over, MOST_TIMES if high is None else min(int(high), MOST_TIMES), act.act.id, place)
    run.under(run.shop.not_(over()), partial(_passes, run, some))
    run.write(slot, 0)


def so_often(run: Run, act: BoundAct, env: Env, times: int) -> None:
    """A row done a number of times that is known: written out, or as a loop where that is cheaper (`_again`)."""
    for time in range(times):
        steps = run.draft.written
        run.shop.budget.spend(DONE)
        _once(run, act, env, f"time {time + 1} of {times}" if times > 1 else "")
        left = times - time - 1
        if left and run.answers is None and left**3 * (run.draft.written - steps) > MOST_STEPS:
            again = Repetition(partial(_once, run, act, env), lambda: False, left, act.act.id, act.act.where.place)
            _looped(run, again)
            return


def _roles_told(run: Run, act: BoundAct, env: Env) -> Iterator[str]:
    """Who plays which role, where the row says so."""
    if isinstance(act.verb, BoundPlay):
        with run.aside():
            yield from (f"{role} is {shown(who.run(run, env))}" for role, who in act.verb.roles.items())


def _once(run: Run, act: BoundAct, env: Env, time: str = "") -> None:
    """One row for one subject: its verb, then its effects."""
    run.about_to_do(act.act.id)
    run.used(act.act.where)
    if run.recorder is None:
        do_verb(run, act, env)
        return
    because = "; ".join(filter(None, (time, *_roles_told(run, act, env), tests_told(run, act, env))))
    event = Event("row", act.act.id, whom(act, env), None, act.act.where, because=because)
    with run.recorder.inside(event):
        do_verb(run, act, env)


def _not_without_end(run: Run, act: BoundAct) -> None:
    """A newcomer takes the place of one who has left: so many names as there are have been in play at once."""
    if len(run.state.created) > MOST_NEWCOMERS:
        said = f"more than {MOST_NEWCOMERS} newcomers are in play at once"
        help = "say in a column when enough have come in, or let them leave"
        raise Faulty.one("budget-exceeded", said, act.act.where.place, help=help)


def do_verb(run: Run, act: BoundAct, env: Env) -> None:
    def each(owner: Term, doing: Callable[[Thing], None]) -> None:
        each_of(run, owner.run(run, env), doing)

    verb = act.verb
    if isinstance(verb, BoundSettling):
        run.somebody_is_asked()
    match verb:
        case BoundCreate():
            _not_without_end(run, act)
            each(verb.owner, lambda who: create(run, verb, env, who, partial(do_effects, run, act)))
            return
        case BoundPlay(sequence, cast, roles):
            who = {name: term.run(run, env) for name, term in roles.items()}
            play_as(run, sequence, {wanted: env[called] for wanted, called in cast.items()}, who)
        case BoundShuffle(None, deck):
            shuffle(run, deck, None)
        case BoundShuffle(owner, deck) if owner is not None:
            each(owner, lambda whose: shuffle(run, deck, whose))
        case BoundRoll(owner):
            each(owner, lambda who: roll(run, verb, who, act.act.where.place))
        case BoundDeal(owner):
            each(owner, lambda who: deal(run, verb, env, who))
        case BoundChoose(owner):
            each(owner, lambda who: choose(run, act, verb, env, who))
        case BoundDeclare(owner):
            each(owner, lambda who: declare(run, act, verb, env, who))
        case BoundSingleOut(owner):
            each(owner, lambda who: single_out(run, verb, env, who))
    do_effects(run, act, env)


def do_effects(run: Run, act: BoundAct, env: Env) -> None:
    for effect in act.effects:
        effect_done(run, effect, env)
