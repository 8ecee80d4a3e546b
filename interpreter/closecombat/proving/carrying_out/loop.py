"""Repetitions: so many passes at most, or a fight to the end as an absorbing chain.

**So many passes** are taken with all rows together: a pass is a program by itself, whose first factor holds the
states that are left, and whose rows go on or have ended.

**To the end** no number of passes is enough. But the states are few: a pass leads from each state to others or to an
end, by chances that hang on the state alone. That is an absorbing chain, and how often each state is come to is the
solution of linear equations (`absorbing`).

*An example.* Two throw in turn, and a six wins. There are two states, by whose turn it is. From each, 5 of 6 lead to
the other and 1 of 6 to the end at which he has won. With `v` for how often the first is about to throw: v = 1 + 25/36
v, since he is again after two throws that were no six. So v = 36/11, and he wins with 36/11 times 1/6 = 6/11.

**One pass from one state** is what costs: thousands of states, each with all its dice. Three ideas make it short.

- The state stands on the board, so that throws stay in factors of their own. What hangs on the state alone is worked
  out first and stands on the board as well (`_settled_first`). Where it decides whether a branch is taken at all,
  states that decide alike have a pass of their own, in which the branch is none (`_deciding`).
- New values that read from different throws are independent, given the state. Each such group is worked out by the
  steps that it needs and no others (`_apart`, `_slice`), as a distribution over numbers of its rows, and remembered
  by what of the state it reads. If two sides lose each in one of 20 ways, a pass works out 20 and 20 rows, not 400
  long ones; and where next time only one side has changed, the other's 20 are known. What reads from several throws,
  such as who has won, is put together from parts of these when the pass is over (`_parts_by_group`).
- States that differ by a swap of things that nobody can tell apart are one (`symmetry`), and so are those that differ
  by what makes no difference to how it goes on (`forgetting`). What no pass that is come to reads is no part of them
  (`counting`), nor is what was before a repetition and is not read; what each pass reads of the very state that it
  begins in is found out from state to state, and if it is more than so far, all states are come to again (`looking`).

**What may go wrong** in a pass is looked at beside all that, each thing once for each part of a state that it hangs on,
and not at all where the state alone shows that nothing can (`failing`): the slices trust that nothing does.

**Elsewhere.** How a loop is written is `playing/repeat`, and which passes are unrolled instead
`playing/sequences`; the equations are `absorbing`; how values stand in rows and on the board is `plan`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction
from math import lcm
from operator import add
from typing import TypeAlias

from closecombat.proving.carrying_out.counting import Body, Counting, CountsMore, what_is_asked
from closecombat.proving.carrying_out.failing import Now, watched
from closecombat.proving.carrying_out.looking import Going, Living, Looking, ReadsMore, gone
from closecombat.proving.carrying_out.plan import RESULT, Latest, Maker, Operation, Plan, Remembered
from closecombat.proving.passes.forgetting import without
from closecombat.proving.passes.symmetry import Alike, canonical, places_of
from closecombat.proving.programs import program as p
from closecombat.proving.programs.liveness import defined, must_be_done, outside, pruned, reads, vars_of
from closecombat.proving.programs.rewriting import Rewriter, rewritten
from closecombat.proving.programs.writes import held
from closecombat.proving.tables.absorbing import Arrows, Share, States, Ways, ends, explored
from closecombat.proving.tables.alive import Alive
from closecombat.proving.tables.weights import Layout, Row, Weights, bounded, picker, product_of, summed
from closecombat.proving.values.budget import VALUE
from closecombat.proving.values.closures import compiled, worked_out
from closecombat.proving.values.symbolic import AND, NOT, OR, Looked, Sym, Value, Workshop
from closecombat.proving.values.walking import walk
from closecombat.proving.writing.recipes import Factors
from closecombat.reading.slots import InPlay, InTurn, Member, Owed, PerWord, SumFor, words_for
from closecombat.reading.types import shown
from closecombat.text.faults import Faulty
from closecombat.text.slotted import dataclass

MOST_TOLD = 8


Answered: TypeAlias = tuple[tuple[bool | None, ...], ...]


@dataclass(frozen=True, slots=True)
class Chain:
    """What all passes of a repetition to its end have in common. A state is what each reads of what was `before`, and
    the values of the loop, as far as they count; an end is these alone."""

    step: p.Loop
    before: Layout
    states: States
    counting: Counting
    living: Living
    meant: list[Remembered] = field(default_factory=list)  # the states that rows of passes have meant
    now: dict[Sym, Value] = field(default_factory=dict)  # what is known of the state that stands on the board
    bodies: dict[Answered, Body] = field(default_factory=dict)  # by what was decided of the branches so far


def loop(plan: Plan, step: p.Loop, after: frozenset[Sym]) -> Operation:
    """The operation of a Loop: every row at its start is spread over the states in which it ends."""
    ids = plan.holding(reads(step))
    layout = plan.joined_layout(ids)
    starts = plan.rows_of(layout, step.starts)
    inner_reads = (outside(step.steps) | vars_of((*step.nexts, step.until))) - defined(step.steps) - set(step.vars)
    taken = plan.taken(ids)
    kept = tuple(v for v in taken if v in after)
    if step.at_most is None:
        rest = tuple(v for v in taken if v in inner_reads)
        counting = what_is_asked(step, after)
        alike = canonical(places_of(step.alike, step.ends), {})
        idle = {end for one in step.forgets for end in one.idle}
        never = frozenset([i for i, end in enumerate(step.ends) if end in idle])
        chain = Chain(step, rest, States(), counting, Living(counting, set(counting.counts), alike, never))
        before, to_the_end = (*kept, *rest), _chain(plan, chain, len(kept))
    else:
        before = rest = tuple(v for v in taken if v in after or v in inner_reads)
        one_pass, at_most = _all_together(plan, step, rest), step.at_most
    keep, wanted = picker(layout, before), picker((*before, *step.ends), (*kept, *step.ends))
    made = plan.new((*kept, *step.ends))

    def operation(factors: Factors) -> None:
        given = [factors.pop(i) for i in ids]
        start, den = begun(given)
        plan.alive.gone([table for table, _ in given])
        given.clear()
        if step.at_most is None:
            factors[made] = to_the_end(start, den)
            return
        starting = [start]
        del start
        table, den = _so_often(plan.alive, starting, den, one_pass, at_most)
        out: Weights = {}
        summed(map(wanted, table), table.values(), out)
        plan.put(factors, made, out, den, [(table, den)])

    def begun(given: Sequence[tuple[Weights, int]]) -> tuple[Weights, int]:
        pieces, den = plan.product_of(given)
        start: Weights = {}
        for rows, weights in pieces:
            summed(map(add, map(keep, rows), starts(rows)), weights, start)
            plan.alive.grown(start)
        return start, den

    return operation


Halves: TypeAlias = tuple[Weights, Weights]  # the rows that go on, and those for which it is over
Passing: TypeAlias = Callable[[list[Weights], int], tuple[Halves, int]]


def _all_together(plan: Plan, step: p.Loop, rest: tuple[Sym, ...]) -> Passing:
    """One pass over a whole table of states."""
    with plan.at(replace(plan.frame, layouts={}, repeats=True)):
        entry = plan.new((*rest, *step.vars))
        operations = plan.in_segments(plan.compile(step.steps, frozenset(rest) | vars_of((*step.nexts, step.until))))
        ends = list(plan.frame.layouts)
        inner = plan.joined_layout(ends)
        remain, is_over = picker(inner, rest), plan.column(inner, step.until)
        new_values = plan.rows_of(inner, step.nexts)

    def one_pass(tables: list[Weights], den: int) -> tuple[Halves, int]:
        inside: Factors = {entry: (tables.pop(), den)}
        for operation in operations:
            operation(inside)
        left = [inside[i] for i in ends]
        pieces, d = plan.product_of(left)
        goes: Weights = {}
        over: Weights = {}
        for rows, weights in pieces:
            new = map(add, map(remain, rows), new_values(rows))
            for row, is_last, weight in zip(new, is_over(rows), weights, strict=True):
                out = over if is_last else goes
                out[row] = out.get(row, 0) + weight
            bounded(goes)
            bounded(over)
            plan.alive.grown(goes)
            plan.alive.grown(over)
        plan.alive.gone([table for table, _ in left])
        return (goes, over), d

    return one_pass


def _chain(plan: Plan, chain: Chain, width: int) -> Callable[[Weights, int], tuple[Weights, int]]:
    """A repetition without a bound, solved for the states that a table of rows begins in. So many values of a row are
    kept for what comes behind; they are no part of a state, and whatever they are, the states are the same."""
    step, states, left_out = chain.step, chain.states, len(chain.before)
    one_pass, begin_again = _one_by_one(plan, chain)
    forget, told_apart = _forgetting(plan, step, step.ends), _told_apart(plan, chain)

    def tell(state: int) -> str:
        return _in_words(step, states.rows[state][left_out:])

    def to_the_end(start: Weights, den: int) -> tuple[Weights, int]:
        while True:
            begins: dict[Row, dict[int, list[Share]]] = {}
            for row, w in start.items():
                inflow = begins.setdefault(row[:width], {})
                values = chain.counting.of_state(forget(row[width + left_out :]))
                state = told_apart(row[width : width + left_out]) + chain.living.state(values)
                inflow.setdefault(states.number(state), []).append((w, den))
            first = {state: None for inflow in begins.values() for state in inflow}
            try:
                arrows = explored(first, one_pass, step.place, plan.watch, plan.shop.budget)
            except CountsMore:
                begin_again()
                continue
            except ReadsMore:
                pass
            if not chain.living.has_grown():
                break
            for meant in chain.meant:
                meant.clear()
        found = zip(begins, ends(arrows, begins.values(), step.place, tell, plan.shop.budget), strict=True)
        shares = {row + states.rows[n][left_out:]: share for row, by_end in found for n, share in by_end.items()}
        common = lcm(*(d for _, d in shares.values())) if shares else 1
        return {row: num * (common // d) for row, (num, d) in shares.items()}, common

    return to_the_end


def _told_apart(plan: Plan, chain: Chain) -> Callable[[Row], Row]:
    """A function that makes one of what was before, as far as all that any pass asks of it alone has the same answers:
    of who is faster than whom, not of how fast he is. It gives the first that was seen."""
    before, facts = frozenset(chain.before), dict[Sym, Value]()
    asked: dict[Sym, None] = {}

    def into(node: Sym) -> tuple[Value, ...]:
        if node.vars <= before and node.vars:
            asked[node] = None
            return ()
        return node.args if not node.vars.isdisjoint(before) else ()

    with plan.shop.quiet():
        for step in p.every([chain.step]):
            values = p.values(step) if step is not chain.step else (*chain.step.nexts, chain.step.until)
            if facts:
                values = tuple(map(Rewriter(plan.shop, facts).value, values))
            if isinstance(step, p.Let) and vars_of(values) <= before:
                facts[step.var] = values[0]
            else:
                for _ in walk(values, into):
                    pass
    questions, first = plan.makers(chain.before, list(asked)), dict[Row, Row]()

    def told_apart(row: Row) -> Row:
        return first.setdefault(tuple([plan.answer(question, row) for question in questions]), row)

    return told_apart if questions else lambda row: row


def _in_words(step: p.Loop, values: Row) -> str:
    """What a state is, for a message: who has left, and what has been noted."""
    left: list[str] = []
    noted: list[str] = []
    counted: list[str] = []
    for slot, start, value in zip(step.slots, step.starts, values, strict=True):
        if isinstance(slot, InPlay):
            left += [f"{slot.thing} has left"] if value is False else []
        elif isinstance(slot, SumFor | InTurn | PerWord | Member | Owed) or value == start or not value:
            continue
        elif isinstance(value, int | str | Fraction):
            is_number = isinstance(value, int | Fraction) and value is not True
            name, whose = words_for(slot)
            (counted if is_number else noted).append(f"{name} of {whose} is {shown(value)}")
    return ", ".join([*left, *noted, *counted][:MOST_TOLD]) or "nothing has changed yet"


def _one_by_one(plan: Plan, chain: Chain) -> tuple[Callable[[int], Arrows], Callable[[], None]]:
    """One pass from a single state, which stands on the board, so that what is thrown in it stays apart. The other
    function is called when more counts than did so far, and all states are come to again.

    What a state decides of the branches is decided first: states that decide alike have a pass of their own, made when
    the first of them is come to (`_deciding`).
    """
    step = chain.step
    with plan.at(replace(plan.frame, layouts={}, repeats=True, looping=True)):
        vars = (*chain.before, *step.vars)
        cells = [plan.settle(var) for var in vars]
        steps = pruned(step.steps, vars_of((*step.nexts, step.until)))[0]
        body, begin = _decided(plan.shop, (steps, step.nexts, step.until), {}), plan.frame
    board, states, width, memos = plan.board, chain.states, len(chain.before), len(plan.memos)
    decides: list[Callable[[], Pass]] = []

    def one_pass(begins: int) -> Arrows:
        start = states.rows[begins]
        for cell, value in zip(cells, start, strict=True):
            board[cell] = value
        chain.now.clear()
        chain.now.update(zip(vars, start, strict=True))
        if not decides:
            with plan.at(begin):
                decides.append(_deciding(plan, chain, body, ()))
        taken = decides[0]()
        same = taken.looking.like(start, begins)
        return ({same: 1}, {}, 1) if same != begins else taken.passed(start[:width])

    def begin_again() -> None:
        decides.clear()
        chain.living.begin_again()
        chain.meant.clear()
        del plan.memos[memos:]
        chain.counting.begin_again()

    return one_pass, begin_again


@dataclass(frozen=True, slots=True)
class Pass:
    """A pass from any state that decides its branches alike, and what it reads of states."""

    passed: Callable[[Row], Arrows]
    looking: Looking


def _deciding(
    plan: Plan, chain: Chain, body: Body, asked: tuple[Sym, ...], answered: Answered = ()
) -> Callable[[], Pass]:
    """Which pass is taken from the state on the board, by what it decides of the branches that are left in the body.

    The outer ones are decided first: what would be asked in an arm that is not taken does not tell states apart.
    """
    begin = plan.frame
    switches = [one for one in _switches(body[0], frozenset(begin.settled)) if one not in asked]
    chain.counting.reads(switches)
    if not switches:
        body = chain.counting.that_counts(body)
        vars, width = (*chain.before, *chain.step.vars), len(chain.before)
        goes = gone(chain.step.forgets, chain.step.ends)
        looking = Looking(chain.living, Going(vars, width, plan.views, body, asked, goes))
        made = Pass(_pass_where(plan, chain, body), looking)
        return lambda: made
    now = _now(plan, chain)
    known: dict[tuple[bool | None, ...], Callable[[], Pass]] = {}

    def decide() -> Pass:
        answers = tuple([_yes_or_no(now, one) for one in switches])
        found = known.get(answers)
        if found is None:
            so_far = (*answered, answers)
            if so_far not in chain.bodies:
                decided = {one: is_so for one, is_so in zip(switches, answers, strict=True) if is_so is not None}
                chain.bodies[so_far] = _decided(plan.shop, body, decided)
            with plan.at(begin):
                found = known[answers] = _deciding(plan, chain, chain.bodies[so_far], (*asked, *switches), so_far)
        return found()

    return decide


def _yes_or_no(now: Now, question: Sym) -> bool | None:
    """The answer to a question about the state on the board; none where it fails: there nobody may ask it."""
    try:
        answer = now(question)
    except (Faulty, Looked):
        return None
    return answer if type(answer) is bool else None


def _now(plan: Plan, chain: Chain) -> Now:
    """A function that says what is so in the state on the board, of values that hang on it, and on what is settled,
    alone: each part of them is worked out once for a state, and only if somebody looks at it."""
    known, frame, board, views = chain.now, plan.frame, plan.board, plan.views.keys()
    makers: dict[Sym, Maker] = {}  # of what is asked of dice, of which the answers stand on the board

    def now(value: Sym) -> Value:
        plan.shop.budget.spent += VALUE
        if not views.isdisjoint(value.vars):
            if value not in makers:
                with plan.at(frame):
                    makers[value] = plan.maker((), value)
            return makers[value](())
        for var in value.vars:
            if var not in known:
                known[var] = board[frame.settled[var]]
        return worked_out(value, known)

    return now


def _pass_where(plan: Plan, chain: Chain, body: Body) -> Callable[[Row], Arrows]:
    """A pass from any state that decides its branches alike: from what stands on the board, to the states it leads to.

    What hangs on the state alone is settled first. New values that read from different throws are worked out each by
    their own steps, and remembered by what of the state, and of what is settled, they hang on; what reads from several
    is put together from parts of these at the end of the pass.
    """
    step, states = chain.step, chain.states
    asked = vars_of((step.until,)).difference(chain.before, step.vars)
    around = [cell for var, cell in plan.frame.settled.items() if var in asked]  # of the repetition around this one
    steps, nexts, until = body
    wanted = vars_of((*nexts, until))
    first, steps = _settled_first(plan, pruned(steps, wanted)[0])
    trusted, steps = steps, pruned(steps, wanted, trusting=True)[0]
    settling = plan.in_segments(plan.compile(first, wanted | outside(trusted)))
    begin = plan.frame
    plan.compile(steps, wanted)  # only to see what reads from what
    joint = _joint(plan, nexts)
    groups = _apart(plan, [(i, value) for i, value in enumerate(nexts) if i not in joint])
    parts = _parts_by_group(
        plan, defined(steps) | defined(first), groups, [until, *(nexts[i] for i in joint)], bool(joint)
    )
    columns: list[Value] = []
    slices: list[Callable[[], tuple[Weights, int]]] = []
    found: list[States] = []
    alike = places_of(step.alike, step.ends)
    for ids, places in groups:
        values = [*(nexts[i] for i in places), *(part for part, ids_of in parts if ids_of == ids)]
        here = [orbit for orbit in alike if all(i in places for thing in orbit for i in thing)]
        alike = [orbit for orbit in alike if orbit not in here]
        local = [[[places.index(i) for i in thing] for thing in orbit] for orbit in here]
        found.append(States())
        with plan.at(begin):
            slices.append(
                _slice(
                    plan,
                    steps,
                    values,
                    len(values) - len(places),
                    _like(plan, chain, [step.ends[i] for i in places], local),
                    found[-1],
                )
            )
        columns += [*places, *values[len(places) :]]
    with plan.at(begin):
        watching = watched(plan, _now(plan, chain), trusted, first) if any(map(must_be_done, trusted)) else None
        at = {**plan.board_places(), **{c: i for i, c in enumerate(columns) if type(c) is Sym}}
        is_over = compiled(until, at)
        composed = [compiled(nexts[i], at) for i in joint]
    state = picker([*columns, *joint], range(len(nexts)))
    board, memo = plan.board, plan.memo(lambda _: {})
    chain.meant.append(memo)
    like = _like_again(plan, chain, alike)
    at_the_end = without(plan.shop, [one for one in step.forgets if one.flag is None], step.ends)
    nothing = (None,) * len(chain.before)

    def end_of(before: Row, ids: Row) -> tuple[int, bool]:
        row = tuple([value for i, one in zip(ids, found, strict=True) for value in one.rows[i]])
        now, is_last = like(state((*row, *[made(row) for made in composed]))), bool(is_over(row))
        if is_last:
            before, now = nothing, at_the_end(now)
        else:
            now = chain.living.state(now)
        return states.number(before + now), is_last

    def one_pass(before: Row) -> Arrows:
        for operation in settling:
            operation({})
        if watching is not None:
            watching()
        *others, (last, d) = [made() for made in slices] or [({(): 1}, 1)]
        plan.spend([*others, (last, d)])
        pieces, den = product_of(others)
        meanings = memo[before, tuple([board[cell] for cell in around])]
        goes: Ways = {}
        over: Ways = {}
        for rows, weights in pieces:
            for ids, v in zip(rows, weights, strict=True):
                meant = meanings.setdefault(ids, {})
                for more, w in last.items():
                    meaning = meant.get(more)
                    if meaning is None:
                        meaning = meant[more] = end_of(before, ids + more)
                    end, is_last = meaning
                    out = over if is_last else goes
                    out[end] = out.get(end, 0) + v * w
        return goes, over, den * d

    return one_pass


def _like(plan: Plan, chain: Chain, ends: Sequence[Sym], alike: list[Alike]) -> Callable[[Row], Row]:
    """A function that makes one of parts of states that are alike: that differ by nothing that counts, or by a swap.
    It is the same one in all passes."""
    key, counting = tuple(ends), chain.counting
    if key not in counting.forgets:
        counting.forgets[key] = _forgetting(plan, chain.step, ends)
    forget, order = counting.forgets[key], canonical(alike, counting.ranks)
    return (lambda row: order(forget(row))) if alike else forget


def _like_again(plan: Plan, chain: Chain, alike: list[Alike]) -> Callable[[Row], Row]:
    """The same for whole states, to which many ways lead: what was looked at a short while ago is known. Passes for
    which the same things are alike share it."""
    known, key = chain.counting.known, tuple([tuple(map(tuple, orbit)) for orbit in alike])
    if key not in known:
        known[key] = Latest(_like(plan, chain, chain.step.ends, alike))
    return known[key].__getitem__


def _forgetting(plan: Plan, step: p.Loop, ends: Sequence[Sym]) -> Callable[[Row], Row]:
    return without(plan.shop, [one for one in step.forgets if one.flag is not None], ends)


def _switches(steps: Sequence[p.Step], known: frozenset[Sym]) -> list[Sym]:
    """What a state decides of the outer branches in which something is thrown: the largest such parts of their
    conditions."""
    out: dict[Sym, None] = {}
    for step in steps:
        if not isinstance(step, p.Branch) or _is_calm(step):
            continue
        found: dict[Sym, None] = {}
        todo = [step.condition]
        while todo:
            node = todo.pop()
            if type(node) is Sym and node.vars <= known:
                found[node] = None
            elif type(node) is Sym and node.fn in (AND, OR, NOT):
                todo += node.args
        out |= found or dict.fromkeys(_switches([*step.steps, *step.otherwise], known))
    return list(out)


def _decided(shop: Workshop, body: Body, answers: Mapping[Sym, bool]) -> Body:
    """A body where some questions have answers: branches that are certain are none."""
    steps, nexts, until = body
    facts: dict[Sym, Value] = {}
    for switch, answer in answers.items():
        facts |= held(switch, answer)
    with shop.quiet():
        steps = _without_branches(shop, steps, facts)
        rewriter = Rewriter(shop, facts)
        return _flat(shop, steps), [*map(rewriter.value, nexts)], rewriter.value(until)


def _without_branches(shop: Workshop, steps: Sequence[p.Step], facts: dict[Sym, Value]) -> list[p.Step]:
    """Steps rewritten by facts, which come to hold that what a branch never sets is nobody."""
    out: list[p.Step] = []
    for step in steps:
        if not isinstance(step, p.Branch):
            out += rewritten([step], Rewriter(shop, facts))
            continue
        condition = Rewriter(shop, facts).value(step.condition)
        if type(condition) is Sym:
            then, otherwise = dict(facts), dict(facts)
            arms = _without_branches(shop, step.steps, then), _without_branches(shop, step.otherwise, otherwise)
            out.append(p.Branch(condition, *arms))
            unset = (then.keys() | otherwise.keys()) - defined(arms[0]) - defined(arms[1])  # in one arm it may be set
            facts |= dict.fromkeys(unset - facts.keys())
            continue
        done, left = (step.steps, step.otherwise) if condition else (step.otherwise, step.steps)
        out += _without_branches(shop, done, facts)
        facts |= dict.fromkeys(defined(left) - defined(done))
    return out


def _settled_first(plan: Plan, steps: Sequence[p.Step]) -> tuple[list[p.Step], list[p.Step]]:
    """The values that hang on what stands on the board alone, and the other steps."""
    known = set(plan.frame.settled)
    first: list[p.Step] = []
    others: list[p.Step] = []
    for step in steps:
        if isinstance(step, p.Let) and reads(step) <= known:
            known.add(step.var)
            first.append(step)
        else:
            others.append(step)
    return first, others


def _flat(shop: Workshop, steps: Sequence[p.Step], given: Value = True) -> list[p.Step]:
    """Branches in which nothing is thrown, as values that are nobody elsewhere: these can be settled."""
    out: list[p.Step] = []
    for step in steps:
        match step:
            case p.Branch(condition, inner) if _is_calm(step):
                out += _flat(shop, inner, shop.and_(given, condition))
            case p.Let(var, value) if given is not True:
                out.append(p.Let(var, shop.if_(given, value, None)))
            case p.Must(when, value) if given is not True:
                out.append(p.Must((given, *when), value))
            case _:
                out.append(step)
    return out


def _is_calm(step: p.Step) -> bool:
    match step:
        case p.Branch(_, inner, otherwise):
            return not otherwise and all(map(_is_calm, inner))
    return isinstance(step, p.Let | p.Must)


def _slice(
    plan: Plan, steps: Sequence[p.Step], values: list[Value], parts: int, like: Callable[[Row], Row], states: States
) -> Callable[[], tuple[Weights, int]]:
    """The distribution of some new values, by number, by the steps that they need, for the state on the board. The
    last are `parts` of others, which may not ask for them."""
    steps, _ = pruned(steps, vars_of(values), trusting=True)
    operations = plan.compile(steps, vars_of(values))
    collected = plan.collected(plan.holding(vars_of(values)), values, parts)
    operations = plan.in_segments([*operations, collected])
    needed = (outside(steps) | vars_of(values)) - defined(steps)
    board, read = plan.board, [cell for var, cell in plan.frame.settled.items() if var in needed]

    numbers = Remembered(lambda row: (states.number(like(row)),))

    def work_out(_: Row) -> tuple[Weights, int]:
        inside: Factors = {}
        for operation in operations:
            operation(inside)
        rows, den = inside[RESULT]
        out: Weights = {}
        summed(map(numbers.__getitem__, rows), rows.values(), out)
        return out, den

    known = plan.memo(work_out)

    def made() -> tuple[Weights, int]:
        found: tuple[Weights, int] = known[tuple([board[cell] for cell in read])]
        return found

    return made


def _joint(plan: Plan, nexts: Sequence[Value]) -> list[int]:
    """The new values of a pass that read from several throws of which others read by themselves: to work these out
    together would join what else can stay apart. A value that alone reads from some throws joins them."""
    reading = [(frozenset(plan.holding(vars_of((value,)))), i) for i, value in enumerate(nexts)]
    groups = {ids for ids, _ in reading if len(ids) == 1}
    out: list[int] = []
    for ids, i in sorted((one for one in reading if len(one[0]) > 1), key=lambda one: len(one[0])):
        met = {group for group in groups if ids & group}
        if len(met) > 1:
            out.append(i)
        else:
            groups = (groups - met) | {ids.union(*met)}
    return sorted(out)


def _apart(plan: Plan, nexts: Sequence[tuple[int, Value]]) -> list[tuple[list[int], list[int]]]:
    """The new values of a pass in groups that read from different factors: the factors, and which values."""
    groups: list[tuple[set[int], list[int]]] = []
    for i, value in nexts:
        ids, mine = set(plan.holding(vars_of((value,)))), [i]
        for group in [g for g in groups if g[0] & ids or (not ids and not g[0])]:
            groups.remove(group)
            ids, mine = ids | group[0], group[1] + mine
        groups.append((ids, mine))
    return [(sorted(ids), mine) for ids, mine in groups]


def _parts_by_group(
    plan: Plan, inner: frozenset[Sym], groups: list[tuple[list[int], list[int]]], values: Sequence[Value], whole: bool
) -> list[tuple[Sym, list[int]]]:
    """The largest parts of values that are put together at the end of a pass, that read from one group each. What
    hangs on the state alone is a part where it reads what is set `inner`, in the pass, or where the `whole` of a value
    shall be parts."""
    out: dict[Sym, list[int]] = {}
    answers = {view for views in plan.views.values() for view in views}  # kept in place of what was thrown
    todo = [value for value in values if type(value) is Sym]
    seen: set[Sym] = set()
    while todo:
        node = todo.pop()
        if node in seen:
            continue
        seen.add(node)
        ids = set(plan.holding(node.vars))
        inside = [group for group, _ in groups if ids & set(group)]
        if not ids and (whole or not node.vars.isdisjoint(inner)):
            if not any(not group for group, _ in groups):
                groups.append(([], []))
            out[node] = []
        elif ids and len(inside) == 1 and ids <= set(inside[0]):
            out[node] = inside[0]
        elif ids and (node in answers or not any(type(a) is Sym for a in node.args)):
            groups.append((sorted(ids), []))
            out[node] = sorted(ids)
        elif ids:
            todo += [a for a in node.args if type(a) is Sym]
    return list(out.items())


def _so_often(alive: Alive, left: list[Weights], den: int, one_pass: Passing, at_most: int) -> tuple[Weights, int]:
    """The rows that so many passes at most leave of a table, which is used up."""
    by_den: dict[int, Weights] = {}
    for turn in range(at_most):
        (goes, over), den = one_pass(left, den)
        left = [goes]
        del goes
        for table in [over, *left] if turn == at_most - 1 else [over]:
            done = by_den.setdefault(den, table)
            if done is not table:
                summed(table, table.values(), done)
                alive.grown(done)
                alive.gone((table,))
        if not left[0]:
            break
    return alive.joined(by_den)
