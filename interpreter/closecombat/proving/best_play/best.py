"""Best play: of each choice in a program, what every answer is worth where it is asked, and which is best.

**The problem.** Two players answer choices on the way, each knowing how the dice have fallen so far. What an answer is
worth hangs on all that is still to come, later choices of both included.

**The idea.** From the last choice to the first: all behind a choice is decided already, so the program behind it is one
of dice alone. What an answer is worth there is the mean of the aim among the ways that come to that state with that
answer. All states and all answers are asked in one question, since a choice that is not decided yet is a throw
(`choice`): its chances do not matter, for the mean is taken within each state and answer. What is best then becomes a
value of the state, a step of the program like any other, and the next choice before it is looked at.

*A state* is what is still read behind the choice, no more: two ways to it that differ by nothing else are one.

*Only what it touches.* The aim is a sum, of what each unit has lost, say. Those of its parts that a choice cannot
change are left out, and with them all that only they read: three duels side by side are worked out as three, not as
one with the states of all multiplied. That holds of means, and of a sum: a verdict over all of them is one part.

*Who sees what.* Choices that are answered at once, or in secret one after the other before anything is shown, are
decided together: each player chooses his answers without seeing the other's. If it makes no difference who would see
whom, that is the worth; else it is a game in a table, of which each best mixes his answers (`matrix`).

**Exact.** Worths are fractions, and equal ones are equal: all best answers are kept. Of these the default is played
where it is one of them, else the first.

**Elsewhere.** Which choices there are is `playing/offers`, what the aim is `asking/choices/aims`. A choice inside a
repetition that is carried out as one is not decided: it is answered by its default, and that is said (`Played.left`).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from itertools import accumulate, pairwise
from math import lcm
from typing import TypeAlias

from closecombat.proving.best_play.matrix import solved
from closecombat.proving.best_play.places import met, place_of, put_before, with_others
from closecombat.proving.carrying_out.prove import plan
from closecombat.proving.programs import program as p
from closecombat.proving.programs.choice import AT_ONCE, SECRET, Choice, left_to_the_default
from closecombat.proving.programs.liveness import defined, pruned, thrown, vars_of
from closecombat.proving.tables.weights import Row
from closecombat.proving.values.arithmetic import add, multiply, plus, subtract, times
from closecombat.proving.values.budget import TAKES_LONG
from closecombat.proving.values.symbolic import COMPARISONS, VARIABLE, Looked, Sym, Tabled, Value, Workshop
from closecombat.proving.values.walking import walk
from closecombat.text.faults import Bug, Faulty
from closecombat.text.slotted import dataclass

MOST_MIXED = 5_000  # falls of what a player throws for himself to mix his answers
TOO_MUCH = frozenset({"budget-exceeded", TAKES_LONG})
TAKES_LONGER = "what it is worth takes longer"

Stage: TypeAlias = tuple[Choice, ...]  # choices that are answered together
Part: TypeAlias = tuple[Fraction, Value]  # how much of something counts
Worths: TypeAlias = Mapping[Row, Fraction]  # what each answer is worth, or all of those who answer at once


@dataclass(frozen=True, slots=True)
class Aim:
    """A sum of parts, to be as high as can be for `me`, and as low as can be for whoever else plays."""

    me: str
    parts: tuple[Part, ...]


@dataclass(slots=True)
class State:
    """What is known where some choices are asked: what each answer is worth, which are best, what is played, and what
    the default would be. `worth` is that of best play, between `low` and `high` where it is seen who answers what."""

    worths: Worths
    best: tuple[Row, ...]
    plays: Mapping[Row, Fraction]
    default: Row
    worth: Fraction
    low: Fraction
    high: Fraction


@dataclass(slots=True)
class Decided:
    """Some choices that are answered together, mostly one: each state in which they are asked, by the values of
    `known`, where `asked` holds. Without states no answer changes anything that counts."""

    choices: Stage
    known: tuple[Value, ...] = ()
    asked: Value = True
    states: dict[Row, State] = field(default_factory=dict)
    parts: tuple[Part, ...] = ()  # of the aim, those that an answer can change
    seen: bool = False  # worked out as if each saw what the others answer, though he should not


@dataclass(slots=True)
class Played:
    """A program in which every choice is answered, as well as can be; those in `left` by their default, and why."""

    steps: list[p.Step]
    decided: list[Decided] = field(default_factory=list)  # the last first
    left: dict[Choice, str] = field(default_factory=dict)


def parts_of(shop: Workshop, steps: Iterable[p.Step], value: Value, factor: Fraction) -> list[Part]:
    """A sum taken apart, through the values at the end of a program that it is made of."""
    made = {step.var: step.value for step in steps if isinstance(step, p.Let)}
    found: dict[Value, Fraction] = {}
    todo = [(factor, value)]
    known = Fraction(0)
    while todo:
        factor, one = todo.pop()
        if type(one) is not Sym:
            known += factor * Fraction(one)
            continue
        inner = made.get(one, one) if one.fn is VARIABLE else one
        if type(inner) is Sym and inner.fn in (add, subtract):
            a, b = inner.args
            todo += [(factor if inner.fn is add else -factor, b), (factor, a)]
        elif type(inner) is Sym and inner.fn is multiply and any(type(each) is not Sym for each in inner.args):
            a, b = inner.args
            a, b = (b, a) if type(a) is Sym else (a, b)
            todo.append((factor * Fraction(a), b))
        else:
            found[one] = found.get(one, Fraction(0)) + factor
    return [*((factor, one) for one, factor in found.items() if factor), *([(known, 1)] if known else [])]


def as_one(shop: Workshop, parts: Iterable[Part]) -> Value:
    """The sum of some parts."""
    out: Value = 0
    for factor, one in parts:
        number = factor.numerator if factor.denominator == 1 else factor
        out = plus(shop, out, times(shop, number, one))
    return out


def play_best(
    shop: Workshop,
    steps: Sequence[p.Step],
    choices: Sequence[Choice],
    aim: Aim,
    tell: Callable[[int, int], None] = lambda done, left: None,
    spend: Callable[[int], None] = lambda left: None,
    hides: Callable[[Choice, Choice], bool] = lambda secret, other: True,
) -> Played:
    """Decides every choice of a program, from the last to the first. Tells how many are done and how many are left;
    `spend` says how much may be spent on the next, with so many left after it; `hides` whether what is answered in
    secret still is where another choice is asked."""
    found = {choice.var: choice for choice in choices}
    order = [found[var] for var in met(steps, found)]
    out = Played(list(steps))
    for choice in found.values():
        if choice not in order:
            out.left[choice] = "it is asked in a repetition that is worked out as one"
    out.steps = with_others(out.steps, {choice: left_to_the_default(choice, shop) for choice in out.left})
    stages = [stage for together in _stages(order, hides) for stage in _seen_apart(out.steps, together)]
    for number, (stage, is_seen) in enumerate(reversed(stages)):
        spend(len(stages) - number)
        tell(number, len(stages) - number)
        try:
            secrets = [one for one in order if one.answered == SECRET and hides(one, stage[0])]
            _decide(shop, out, stage, aim, is_seen, secrets)
        except Faulty as error:
            if not error.codes <= TOO_MUCH:
                raise
            is_long = error.codes == {TAKES_LONG}
            out.left |= dict.fromkeys(stage, TAKES_LONGER if is_long else error.diagnostics[0].message)
            out.steps = with_others(out.steps, {choice: left_to_the_default(choice, shop) for choice in stage})
    return out


def answered_by_default(shop: Workshop, steps: Sequence[p.Step], choices: Iterable[Choice]) -> list[p.Step]:
    """The program with some choices answered as where nobody says anything."""
    return with_others(steps, {choice: left_to_the_default(choice, shop) for choice in choices})


def check_faults(shop: Workshop, steps: Sequence[p.Step]) -> None:
    """Raises whatever goes wrong where both play as well as can be: means are taken without looking at it."""
    plan(shop, steps, []).run()


def mean(shop: Workshop, steps: Sequence[p.Step], parts: Iterable[Part]) -> Fraction:
    """What a sum is on average."""
    out = Fraction(0)
    for factor, one in parts:
        if type(one) is not Sym:
            out += factor * Fraction(one)
            continue
        table, den = plan(shop, pruned(steps, one.vars, trusting=True)[0], [one]).run()
        out += factor * Fraction(sum(Fraction(row[0]) * weight for row, weight in table.items()), den)
    return out


# ---- what is decided together --------------------------------------------------------------------------------


def _stages(order: Sequence[Choice], hides: Callable[[Choice, Choice], bool]) -> Iterator[Stage]:
    """Choices that follow each other, those together that are not seen by others while they are answered. What is
    answered in secret when anything of that has been shown is another stage."""
    stage: Stage = ()
    for choice in order:
        if stage and not _is_answered_with(stage, choice, hides):
            yield stage
            stage = ()
        stage = (*stage, choice)
    if stage:
        yield stage


def _is_answered_with(stage: Stage, choice: Choice, hides: Callable[[Choice, Choice], bool]) -> bool:
    """Whether whoever answers a choice sees nothing of those before it, though he stands behind them. An open answer to
    what the enemy has chosen in secret is such, and so are more of the same player; all who come later know it."""
    if choice.answered == AT_ONCE or stage[0].answered == AT_ONCE:
        return choice.answered == stage[0].answered and choice.asking == stage[0].asking
    secret = [one for one in stage if one.answered == SECRET]
    if choice.answered == SECRET:
        return len(secret) == len(stage) and all(one.asking == choice.asking or hides(one, choice) for one in stage)
    is_hidden = all(hides(one, choice) and one.player != choice.player for one in secret)
    return bool(secret) and is_hidden and all(one.player == choice.player for one in stage if one not in secret)


def _seen_apart(steps: Sequence[p.Step], stage: Stage) -> Iterator[tuple[Stage, bool]]:
    """A stage, or one choice after the other where something falls between two of them, or only one player answers;
    and whether somebody then sees what he should not."""
    if len({choice.player for choice in stage}) == 1:
        yield from (((choice,), False) for choice in stage)
        return
    between = place_of(steps, {choice.var for choice in stage}).between
    falls = {choice.fall for choice in stage}
    if any(_falls(step) and not (isinstance(step, p.Throw) and step.var in falls) for step in p.every(between)):
        yield from (((choice,), True) for choice in stage)
    else:
        yield stage, False


def _falls(step: p.Step) -> bool:
    return isinstance(step, p.Throw | p.PoolThrow | p.Lots | p.Draw | p.Loop)


# ---- what can matter ----------------------------------------------------------------------------------------


def _touched(steps: Iterable[p.Step], vars: set[Sym]) -> set[Sym]:
    """Whatever hangs on some values, through the steps."""
    for step in steps:
        if isinstance(step, p.Branch) and (type(step.condition) is not Sym or vars.isdisjoint(step.condition.vars)):
            vars = _touched(step.otherwise, _touched(step.steps, vars))
        elif not vars.isdisjoint(vars_of(p.values(step))) or any(
            not vars.isdisjoint(vars_of(p.values(one))) for one in p.every(p.blocks(step)[0] if p.blocks(step) else ())
        ):
            vars = vars | defined((step,))
    return vars


def _asked_of(values: Iterable[Value], before: frozenset[Sym], by_chance: set[Sym]) -> list[Sym]:
    """What is asked of all that was set before: of a throw the largest values that hang on it alone, of any other
    value what it is compared with, or itself."""
    found: dict[Sym, dict[Sym, None]] = {}

    def into(node: Sym) -> tuple[Value, ...]:
        if node.fn is VARIABLE:
            if node in before:
                found.setdefault(node, {})[node] = None
            return ()
        if len(node.vars) == 1:
            only = next(iter(node.vars))
            if only in before and (only in by_chance or (node.fn in COMPARISONS and only in node.args)):
                found.setdefault(only, {})[node] = None
                return ()
        return node.args

    for _ in walk(tuple(one for one in values if type(one) is Sym), into):
        pass
    return [view for var, views in found.items() for view in ((var,) if var in views else views)]


def _set_under(
    shop: Workshop, steps: Iterable[p.Step], condition: Value, holding: frozenset[Value]
) -> dict[Sym, Value]:
    """Under what condition each variable is set, if there is one, but for what is `holding` anyhow. Behind a way that
    was not gone a question about it has no answer, and what it says there is no part of a state."""
    out: dict[Sym, Value] = {}
    for step in steps:
        if isinstance(step, p.Branch):
            negated = shop.not_(step.condition)
            for inner, own in ((step.steps, step.condition), (step.otherwise, negated)):
                out |= _set_under(shop, inner, condition if own in holding else shop.and_(condition, own), holding)
        elif condition is not True:
            out |= dict.fromkeys(defined((step,)), condition)
    return out


# ---- deciding -----------------------------------------------------------------------------------------------


def _decide(shop: Workshop, out: Played, stage: Stage, aim: Aim, is_seen: bool, secrets: Sequence[Choice]) -> None:
    """Decides some choices that are answered together, and writes what is best into the program."""
    steps = out.steps
    place = place_of(steps, {choice.var for choice in stage})
    follows = [*place.between, *place.after]
    hang_on_it = _touched(follows, {choice.var for choice in stage})
    parts = [(factor, one) for factor, one in aim.parts if type(one) is Sym and not one.vars.isdisjoint(hang_on_it)]
    if not parts:
        out.decided.append(Decided(stage))
        out.steps = with_others(steps, {choice: left_to_the_default(choice, shop) for choice in stage})
        return
    counts = as_one(shop, parts)
    needed, _ = pruned(place.after, vars_of((counts,)), trusting=True)
    before = place.before - {choice.fall for choice in stage}
    holds: Value = True
    for condition in place.conditions:
        holds = shop.and_(holds, condition)
    own = {choice.var for choice in stage}
    between = [step for step in p.every(place.between) if not (isinstance(step, p.Let) and step.var in own)]
    values = [*p.expressions(needed), counts, *(one for step in between for one in p.values(step))]
    values += [one for choice in stage for one in (*choice.barred, *((choice.default,) if choice.has_default else ()))]
    certain = {part for part in walk((holds,), _sides) if part.fn != "and"} if type(holds) is Sym else set()
    asked_of = [one for one in _asked_of(values, before, thrown(steps)) if one not in certain]
    under = _set_under(shop, steps, True, frozenset(place.conditions))
    known = [shop.if_(under[var], one, None) if (var := next(iter(one.vars))) in under else one for one in asked_of]
    defaults = [_default_of(shop, choice) for choice in stage]
    wanted = [*known, *(choice.var for choice in stage), *defaults, counts]
    asked = [holds, *(shop.if_(holds, one, None) for one in wanted)]
    table, _ = plan(shop, pruned(steps, vars_of(asked), trusting=True)[0], asked).run()
    sums: dict[Row, dict[Row, list[Fraction]]] = {}
    usual: dict[Row, Row] = {}
    here = len(known)
    for row, weight in table.items():
        if not row[0] or not weight:
            continue
        state, answer = row[1 : 1 + here], row[1 + here : 1 + here + len(stage)]
        total = sums.setdefault(state, {}).setdefault(answer, [Fraction(0), Fraction(0)])
        total[0] += weight * Fraction(row[-1])
        total[1] += weight
        usual[state] = row[1 + here + len(stage) : -1]
    read = vars_of(asked_of)
    is_seen = is_seen or any(one.var in read and _is_hidden(steps, one, stage) for one in secrets)
    decided = Decided(stage, tuple(known), holds, parts=tuple(parts), seen=is_seen)
    for state, answers in sums.items():
        worths = {answer: total / weight for answer, (total, weight) in answers.items()}
        decided.states[state] = _best_of(worths, stage, usual[state], aim.me, decided)
    out.decided.append(decided)
    out.steps = _with_what_is_best(shop, steps, decided)


def _is_hidden(steps: Sequence[p.Step], secret: Choice, stage: Stage) -> bool:
    """Whether another player has answered in secret before some choices."""
    if secret in stage or secret.player == stage[0].player:
        return False
    own = {choice.var for choice in stage}
    order = (step.var for step in p.every(steps) if isinstance(step, p.Let))
    return next(var for var in order if var is secret.var or var in own) is secret.var


def _sides(node: Sym) -> tuple[Value, ...]:
    return node.args if node.fn == "and" else ()


def _default_of(shop: Workshop, choice: Choice) -> Value:
    """What is answered where nobody says anything; None too where there is no such answer."""
    return choice.default if choice.has_default else None


def _best_of(worths: Worths, stage: Stage, default: Row, me: str, decided: Decided) -> State:
    """What is best among some answers. Of players who do not see each other each mixes his own."""
    mine = [i for i, choice in enumerate(stage) if choice.player == me]
    theirs = [i for i in range(len(stage)) if i not in mine]
    default = next((row for row in worths if _alike(row, default)), ())
    if not mine or not theirs:
        extreme = (max if mine else min)(worths.values())
        best = tuple(row for row, worth in worths.items() if worth == extreme)
        best = tuple(sorted(best, key=lambda row: _place_of(row, stage)))
        played = default if default in best else best[0]
        return State(worths, best, {played: Fraction(1)}, default, extreme, extreme, extreme)
    rows = list(dict.fromkeys(tuple(row[i] for i in mine) for row in worths))
    columns = list(dict.fromkeys(tuple(row[i] for i in theirs) for row in worths))

    def both(row: Row, column: Row) -> Row:
        of = dict(zip((*mine, *theirs), (*row, *column), strict=True))
        return tuple(of[i] for i in range(len(stage)))

    if any(both(row, column) not in worths for row in rows for column in columns):
        raise Faulty.one(
            "budget-exceeded",
            f"what `{stage[0].row}` allows one player hangs on what the other answers at once",
            None,
            help="let it be answered one after the other, without `answered:`",
        )
    game = [[worths[both(row, column)] for column in columns] for row in rows]
    low = max(min(line) for line in game)
    high = min(max(line[j] for line in game) for j in range(len(columns)))
    worth, mix, other_mix = solved(game)
    plays = {
        both(row, column): share * other
        for row, share in zip(rows, mix, strict=True)
        for column, other in zip(columns, other_mix, strict=True)
        if share and other
    }
    if low == high and default in worths and _holds_out(worths, default, mine, theirs):
        plays = {default: Fraction(1)}
    best = tuple(sorted(plays, key=lambda row: _place_of(row, stage)))
    return State(worths, best, plays, default, worth, low, high)


def _holds_out(worths: Worths, answer: Row, mine: Sequence[int], theirs: Sequence[int]) -> bool:
    """Whether neither would do better by answering otherwise than so."""
    here = worths[answer]
    return all(
        (any(row[i] != answer[i] for i in theirs) or worth <= here)
        and (any(row[i] != answer[i] for i in mine) or worth >= here)
        for row, worth in worths.items()
    )


def _alike(row: Row, other: Row) -> bool:
    return all(type(a) is type(b) and a == b for a, b in zip(row, other, strict=True))


def _place_of(row: Row, stage: Sequence[Choice]) -> tuple[int, ...]:
    """Where answers stand among all that may be answered; nobody who is not asked comes first."""
    return tuple(
        next((i + 1 for i, one in enumerate(choice.answers) if one == answer and type(one) is type(answer)), 0)
        for answer, choice in zip(row, stage, strict=True)
    )


class Best(Tabled):
    """What is best to answer in each state; `fall` says which of several, where a player mixes them: of each it is told
    from which fall on it is the next. What nobody looks at need not be told apart, and may be asked of no state at all:
    then it fails for whoever looks at it, as anything else does, also where the program is only read."""

    __slots__ = ("answers",)

    def __init__(self, answers: Mapping[Row, tuple[Sequence[int], Sequence[Value]]]) -> None:
        self.answers = answers

    def __call__(self, fall: tuple[tuple[int, ...], ...], *state: Value) -> Value:
        found = self.answers.get(state)
        if found is None:
            raise Looked(Bug("a state of a choice is come to that was not looked at"))
        ends, several = found
        return several[bisect_right(ends, fall[0][0])]


ONE = ((0,),)


def _with_what_is_best(shop: Workshop, steps: list[p.Step], decided: Decided) -> list[p.Step]:
    """The program with the best answers in the place of some choices."""
    stage = decided.choices
    before: list[p.Step] = []
    falls: dict[str, Value] = {}
    begins: dict[str, dict[Fraction, int]] = {}  # of each share, at which fall what lies behind it begins
    players = list(dict.fromkeys(choice.player for choice in stage))
    if any(len(state.plays) > 1 for state in decided.states.values()):
        for player in players:
            own = [j for j, one in enumerate(stage) if one.player == player]
            cuts = sorted({cut for state in decided.states.values() for cut in accumulate(_own(state, own).values())})
            if len(cuts) > MOST_MIXED:
                raise Faulty.one("budget-exceeded", f"{player} would mix answers in {len(cuts):,} parts", None)
            whole = lcm(*(cut.denominator for cut in cuts))
            falls[player] = fall = shop.variable()
            parts = pairwise((Fraction(0), *cuts))
            before.append(p.Throw(fall, [(((i,),), int(whole * (b - a))) for i, (a, b) in enumerate(parts)]))
            begins[player] = {cut: i for i, cut in enumerate(cuts, 1)}
    others: dict[Choice, list[p.Step]] = {}
    for i, choice in enumerate(stage):
        own = [j for j, one in enumerate(stage) if one.player == choice.player]
        answers: dict[Row, tuple[Sequence[int], Sequence[Value]]] = {}
        for known, state in decided.states.items():
            shares = _own(state, own)
            ends = [*accumulate(shares.values())][:-1]
            answers[known] = (
                tuple(begins[choice.player][end] for end in ends),
                tuple(part[own.index(i)] for part in shares),
            )
        values = {answer for _, several in answers.values() for answer in several}
        if not decided.known and not falls:
            others[choice] = [p.Let(choice.var, answers[()][1][0])]
        elif len(values) == 1 and len(answers) == len(decided.states):
            others[choice] = [p.Let(choice.var, next(iter(values)))]
        else:
            best = shop.node(Best(answers), falls.get(choice.player, ONE), *decided.known)
            others[choice] = [p.Let(choice.var, best)]
    out = with_others(steps, others)
    return put_before(out, {choice.var for choice in stage}, before) if before else out


def _own(state: State, own: Sequence[int]) -> dict[Row, Fraction]:
    """How often one player answers what, by himself."""
    shares: dict[Row, Fraction] = {}
    for row, share in state.plays.items():
        part = tuple(row[j] for j in own)
        shares[part] = shares.get(part, Fraction(0)) + share
    return {part: share for part, share in shares.items() if share}


# ---- what is told of it -------------------------------------------------------------------------------------


def worth_of_each(state: State, stage: Sequence[Choice], choice: Choice, me: str) -> dict[Value, Fraction]:
    """What each answer of one choice is worth in a state, where all else is answered as well as can be, by whoever is
    asked with him too."""
    at = stage.index(choice)
    mine = [i for i, one in enumerate(stage) if one.player == choice.player]
    others: dict[Row, Fraction] = {}
    for row, share in state.plays.items():
        other = tuple(row[i] for i in range(len(stage)) if i not in mine)
        others[other] = others.get(other, Fraction(0)) + share
    by_own: dict[Row, Fraction] = {}
    for row, worth in state.worths.items():
        other, own = tuple(row[i] for i in range(len(stage)) if i not in mine), tuple(row[i] for i in mine)
        if other in others:
            by_own[own] = by_own.get(own, Fraction(0)) + others[other] * worth
    best = max if choice.player == me else min
    found: dict[Value, Fraction] = {}
    for own, worth in by_own.items():
        answer = own[mine.index(at)]
        found[answer] = worth if answer not in found else best(found[answer], worth)
    return found


def how_often(shop: Workshop, steps: Sequence[p.Step], decided: Decided) -> dict[Row, Fraction]:
    """How often each state of some choices is come to, in a program in which all are answered."""
    if not decided.states:
        return {}
    asked = [decided.asked, *(shop.if_(decided.asked, one, None) for one in decided.known)]
    table, den = plan(shop, pruned(steps, vars_of(asked), trusting=True)[0], asked).run()
    return {row[1:]: Fraction(weight, den) for row, weight in table.items() if row[0] and weight}
