"""The exact chances of one close combat: every way it can end, how likely, and what it costs.

What is asked of the end, and how weights become chances, is here; working out is `playing/fight` and `proving/prove`,
what all rulesets tell alike of an end is `ends`, tables and JSON are `telling/chances`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Protocol

from closecombat.asking.answers import SIDES, TOO_MUCH, UNITS, Assumption, Chances, Loss, Outcome
from closecombat.asking.ends import ask, ends_of, who_came
from closecombat.playing.fight import (
    Fight,
    at_first,
    begin,
    changes,
    check_answers,
    go,
    left_beside,
    losses,
    settle_notes,
    verdicts,
    weighed,
)
from closecombat.playing.notes import ASSUMED, LEFT_OPEN, Notes
from closecombat.playing.run import Run
from closecombat.proving.budget import SECOND
from closecombat.proving.prove import as_fractions
from closecombat.proving.symbolic import Sym, Value
from closecombat.proving.weights import Row
from closecombat.reading.model import Ruleset, name_of_stack
from closecombat.reading.types import Exact, divide, exact, shown
from closecombat.text.faults import Faulty
from closecombat.text.slotted import dataclass

QUICK = SECOND // 2  # of work, which nobody minds who has not said by what ends are told apart


class Answering(Protocol):
    """Whoever answers what a situation leaves open, in the ruleset's place: from when the run begins, and settled as
    soon as all is known that is asked of its end. What is `said` of it becomes a remark."""

    @property
    def said(self) -> tuple[str, ...]: ...
    def begins(self, run: Run) -> None: ...
    def ends(self, run: Run) -> object: ...


@dataclass(frozen=True, slots=True)
class Rather:
    """By what ends are told apart if that takes no more than so much work."""

    by: str
    work: int


def as_told_apart(
    fight: Fight,
    until_resolved: bool,
    watch: Callable[[int, int], None] | None,
    most_work: int | None,
    best: Answering | None = None,
) -> Chances:
    """The chances where nobody says by what ends are told apart: unit by unit, unless that is more than a look takes;
    then by sides."""
    return work_out(fight, SIDES, until_resolved, watch, most_work=most_work, rather=Rather(UNITS, QUICK), best=best)


def work_out(
    fight: Fight,
    by: str = UNITS,
    until_resolved: bool = False,
    watch: Callable[[int, int], None] | None = None,
    common_end: str = "",
    with_notes: bool = True,
    most_work: int | None = None,
    at_the_end_of: Callable[[Run], None] | None = None,
    most_steps: int | None = None,
    rather: Rather | None = None,
    best: Answering | None = None,
) -> Chances:
    """The chances of a fight; ends are told apart by the verdicts alone (SIDES), by all that has changed too (UNITS),
    or by what has changed of the things of one kind, named by its plural; `rather` by something else, if that is not
    too much.

    `common_end` asks for what all rulesets tell alike, of each side (SIDES) or of each unit too (UNITS). Without notes
    nothing is told of what the result rests on, and answers that nobody asks for are no fault. What is more than
    `most_work` is foretold and not done. Whoever wants to know what the run came to is `at_the_end_of` it;
    where it leaves more than `most_steps` to work out it is given up. What the situation leaves open is answered by
    `best`, if by anybody but the ruleset.
    """
    if rather is not None and until_resolved:  # what is asked of the end shapes each round, so a run is for one of them
        least = rather.work if most_work is None else min(rather.work, most_work)
        try:
            return work_out(fight, rather.by, True, watch, common_end, with_notes, least, at_the_end_of, most_steps)
        except Faulty as error:
            _raise_unless_too_much(error)
        rather = None
    ruleset = fight.bound.ruleset
    kinds = kinds_by(ruleset, by)
    run = begin(fight, None)
    run.may_spend(most_work)
    if not with_notes:
        run.notes_nothing()
    if most_steps is not None:
        run.give_up_after(most_steps)
    if best is not None:
        best.begins(run)
    came = who_came(run) if common_end else None

    def at_the_end(run: Run) -> None:
        verdicts(run)
        losses(run)
        if kinds:
            changes(run)
        if came is not None:
            ask(run, came, common_end == UNITS)

    run.will_be_asked(at_the_end)
    go(run, until_resolved)
    wanted = _wanted(run, kinds)
    if at_the_end_of is not None:
        at_the_end_of(run)
    common = ask(run, came, common_end == UNITS) if came is not None else None
    more = common.wanted if common is not None else ()
    finer = _wanted(run, kinds_by(ruleset, rather.by)) if rather is not None else None
    if best is not None:
        best.ends(run)
    if rather is not None and finer is not None and (found := _weighed_if_quick(run, finer, more, rather, watch)):
        by, wanted, (table, whole) = rather.by, finer, found
    else:
        beside = left_beside(run) if until_resolved and with_notes and best is None else ()
        table, whole = weighed(run, [*wanted.values, *more], watch, beside)
    run.may_spend(None)  # what is asked from here on has bounds of its own
    if with_notes:
        settle_notes(fight, run, until_resolved, best is None)
        check_answers(run, fight)

    def apart(values: Sequence[Value]) -> tuple[Mapping[Row, int], int]:
        if any(type(value) is Sym for value in values):
            return weighed(run, list(values), watch)
        return {tuple(values): 1}, 1

    losing, ending = _by_loss(wanted, table), _by_verdict(wanted, table)
    return Chances(
        name_of_stack(ruleset),
        ruleset.title,
        tuple(_outcomes(wanted, table, whole)),
        {name: _loss(as_fractions(found, whole), _unit(ruleset)) for name, found in losing.items()},
        {name: _in_order(as_fractions(found, whole), scale(ruleset)) for name, found in ending.items()},
        assumptions(ruleset, run.notes),
        (*(best.said if best is not None else ()), *left_open(run.notes)),
        printed(ruleset),
        {name: run.options[name] for name, one in ruleset.options.items() if id(one) in run.met},
        scale(ruleset),
        ends_of(common, table, whole, len(wanted.values), apart) if common is not None else None,
        by,
    )


def _raise_unless_too_much(error: Faulty) -> None:
    if not {one.code for one in error.diagnostics} <= TOO_MUCH:
        raise error


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What is asked of an end, in the order of a row: the verdict of each side, what each loses, and the `facts` (of
    whom, which) that have changed, each with what it was at first. `apart` if ends are told apart by these too."""

    sides: tuple[str, ...]
    losers: tuple[str, ...]
    facts: Mapping[tuple[str, str], Value]
    values: tuple[Value, ...]
    apart: bool


def _wanted(run: Run, kinds: frozenset[str]) -> _Wanted:
    ends, losing = verdicts(run), losses(run)
    changed = {thing: named for thing, named in changes(run).items() if thing.kind in kinds} if kinds else {}
    return _Wanted(
        tuple(thing.name for thing in ends),
        tuple(thing.name for thing in losing),
        {(thing.name, name): at_first(run, thing, name) for thing, named in changed.items() for name in named},
        (*ends.values(), *losing.values(), *(value for named in changed.values() for value in named.values())),
        bool(kinds),
    )


def _weighed_if_quick(
    run: Run, wanted: _Wanted, more: Sequence[Value], rather: Rather, watch: Callable[[int, int], None] | None
) -> tuple[dict[Row, int], int] | None:
    """The weights of what is wanted; None where they are too much, and what that took is not held against the run."""
    budget = run.shop.budget
    most, spent = budget.most, budget.spent
    run.may_spend(spent + rather.work if most is None else min(most, spent + rather.work))
    try:
        return weighed(run, [*wanted.values, *more], watch)
    except Faulty as error:
        _raise_unless_too_much(error)
        run.may_spend(most if most is None else most + budget.spent - spent)
        return None


def _by_verdict(wanted: _Wanted, table: Mapping[Row, int]) -> dict[str, dict[str, int]]:
    """Of each side the weight of every verdict."""
    found: dict[str, dict[str, int]] = {name: {} for name in wanted.sides}
    for row, weight in table.items():
        for name, word in zip(wanted.sides, row, strict=False):
            found[name][word] = found[name].get(word, 0) + weight
    return found


def _by_loss(wanted: _Wanted, table: Mapping[Row, int]) -> dict[str, dict[Exact, int]]:
    """Of each side the weight of every loss."""
    found: dict[str, dict[Exact, int]] = {name: {} for name in wanted.losers}
    for row, weight in table.items():
        for name, amount in _losses_in(wanted, row):
            found[name][amount] = found[name].get(amount, 0) + weight
    return found


def _losses_in(wanted: _Wanted, row: Row) -> Iterator[tuple[str, Exact]]:
    return zip(wanted.losers, map(exact, row[len(wanted.sides) : len(wanted.sides) + len(wanted.losers)]), strict=True)


def _outcomes(wanted: _Wanted, table: Mapping[Row, int], whole: int) -> list[Outcome]:
    """The ends, the likeliest first. Where several rows are one end, it loses what they lose on average."""
    weights: dict[Row, int] = {}
    means: dict[Row, dict[str, Exact]] = {}
    for row, weight in table.items():
        key = row[: len(wanted.values)] if wanted.apart else row[: len(wanted.sides)]
        weights[key] = weights.get(key, 0) + weight
        mean = means.setdefault(key, dict.fromkeys(wanted.losers, 0))
        for name, amount in _losses_in(wanted, row):
            mean[name] += amount * weight
    found = []
    for row, weight in weights.items():
        units: dict[str, dict[str, Value]] = {}
        values = row[len(wanted.sides) + len(wanted.losers) :] if wanted.apart else ()
        for ((who, name), before), value in zip(wanted.facts.items(), values, strict=True):
            if value != before:
                units.setdefault(who, {})[name] = value
        lost = {name: divide(total, weight) for name, total in means[row].items()}
        outcome = Outcome(Fraction(weight, whole), dict(zip(wanted.sides, row, strict=False)), lost, units)
        found.append((-weight, _order(outcome), outcome))
    found.sort(key=lambda one: one[:2])
    return [outcome for _, _, outcome in found]


def kinds_by(ruleset: Ruleset, by: str) -> frozenset[str]:
    """The kinds by whose changes ends are told apart."""
    if by == SIDES:
        return frozenset()
    if by == UNITS:
        return frozenset(ruleset.kinds)
    plurals = {kind.plural: kind.name for kind in ruleset.kinds.values()}
    if by not in plurals:
        words = list(dict.fromkeys((UNITS, SIDES, *plurals)))
        message = f"ends cannot be told apart by `{by}` in {ruleset.name}"
        raise Faulty.one("unknown-name", message, None, help=f"say one of {', '.join(words)}")
    return frozenset({plurals[by]})


def scale(ruleset: Ruleset) -> tuple[str, ...]:
    """The words for how a side can end, the mildest first."""
    table = ruleset.tables.get("outcomes")
    return table.words if table is not None else ()


def assumptions(ruleset: Ruleset, notes: Notes) -> tuple[Assumption, ...]:
    """What was assumed, in the order the ruleset lists it."""
    ids = notes.of(ASSUMED)
    listed = [id for id in ruleset.assumptions if id in ids] + [id for id in ids if id not in ruleset.assumptions]
    return tuple(Assumption(id, ruleset.assumptions.get(id, "")) for id in listed)


def left_open(notes: Notes) -> tuple[str, ...]:
    """What the players left to the ruleset, in the order they were asked, and the like."""
    return tuple(notes.of(LEFT_OPEN))


def printed(ruleset: Ruleset) -> frozenset[str]:
    return frozenset(
        fact.name for kind in ruleset.kinds.values() for fact in kind.facts.values() if fact.origin == "printed"
    )


def _unit(ruleset: Ruleset) -> str:
    table = ruleset.tables.get("strength-lost")
    return table.unit if table is not None else ""


def _loss(found: Mapping[Exact, Fraction], unit: str) -> Loss:
    mean = sum((amount * chance for amount, chance in found.items()), Fraction(0))
    return Loss(exact(mean), unit, tuple(sorted(found.items())))


def _in_order(found: Mapping[str, Fraction], words: tuple[str, ...]) -> dict[str, Fraction]:
    return {word: found[word] for word in (*words, *sorted(set(found) - set(words), key=shown)) if word in found}


def _order(outcome: Outcome) -> str:
    """A stable text to order equally likely outcomes by."""
    return repr(
        (
            list(outcome.sides.items()),
            [(w, list(facts.items())) for w, facts in outcome.units.items()],
            list(outcome.lost.items()),
        )
    )
