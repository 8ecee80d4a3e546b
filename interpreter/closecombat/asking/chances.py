"""The exact chances of one close combat: every way it can end, how likely, and what it costs.

What is asked of the end, and how weights become chances, is here; working out is `playing/fight` and `proving/prove`,
what all rulesets tell alike of an end is `ends`, tables and JSON are `telling/chances`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from closecombat.asking.ends import Ends, ask, ends_of, who_came
from closecombat.playing.fight import (
    Fight,
    at_first,
    begin,
    changes,
    check_answers,
    go,
    losses,
    settle_notes,
    verdicts,
    weighed,
)
from closecombat.playing.notes import ASSUMED, LEFT_OPEN, Notes
from closecombat.playing.run import Run
from closecombat.proving.budget import SECOND, TAKES_LONG
from closecombat.proving.prove import as_fractions
from closecombat.proving.symbolic import Sym, Value
from closecombat.proving.weights import Row
from closecombat.reading.model import Ruleset
from closecombat.reading.types import Exact, divide, exact, shown
from closecombat.text.faults import Faulty
from closecombat.text.slotted import dataclass

UNITS, SIDES = "units", "sides"
QUICK = 2 * SECOND  # of work, which nobody minds who has not said by what ends are told apart
TOO_MUCH = frozenset({TAKES_LONG, "budget-exceeded"})


@dataclass(frozen=True, slots=True)
class Outcome:
    """One end. `lost` is each side's strength lost, its mean where several ends of the same verdicts are one;
    `units` is what has changed of whom."""

    probability: Fraction
    sides: Mapping[str, str]
    lost: Mapping[str, Exact]
    units: Mapping[str, Mapping[str, Value]]


@dataclass(frozen=True, slots=True)
class Loss:
    """What a side loses: on average, and how likely each amount is, least first."""

    expected: Exact
    unit: str
    distribution: tuple[tuple[Exact, Fraction], ...]


@dataclass(frozen=True, slots=True)
class Assumption:
    """A reading of the rules that a result rests on."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Chances:
    """All ends of a fight, the most likely first; their probabilities sum to exactly 1.

    `printed` names the facts that another counter brings with it.
    """

    ruleset: str
    title: str
    outcomes: tuple[Outcome, ...]
    losses: Mapping[str, Loss]
    verdicts: Mapping[str, Mapping[str, Fraction]]  # side -> verdict -> chance, in the order of the scale
    assumptions: tuple[Assumption, ...]
    remarks: tuple[str, ...]
    printed: frozenset[str]
    readings: Mapping[str, str]  # the options that were asked for, and how each was read
    ends: Ends | None = None  # where it was asked for, and the ruleset tells it


def as_told_apart(
    fight: Fight, until_resolved: bool, watch: Callable[[int, int], None] | None, most_work: int | None
) -> tuple[Chances, str]:
    """The chances where nobody says by what ends are told apart: unit by unit, unless that is more than a look takes;
    then by sides, and a word on it."""
    most = min(QUICK, most_work) if most_work is not None else None
    try:
        return work_out(fight, UNITS, until_resolved, watch, most_work=most), ""
    except Faulty as error:
        if not {one.code for one in error.diagnostics} <= TOO_MUCH:
            raise
    found = work_out(fight, SIDES, until_resolved, watch, most_work=most_work)
    return found, "told by how each side ends: unit by unit it takes longer (--by units)"


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
) -> Chances:
    """The chances of a fight; ends are told apart by the verdicts alone (SIDES), by all that has changed too (UNITS),
    or by what has changed of the things of one kind, named by its plural.

    `common_end` asks for what all rulesets tell alike, of each side (SIDES) or of each unit too (UNITS). Without notes
    nothing is told of what the result rests on, and answers that nobody asks for are no fault. What is more than
    `most_work` is foretold and not done. Whoever wants to know what the run came to is `at_the_end_of` it;
    where it leaves more than `most_steps` to work out it is given up.
    """
    kinds = kinds_by(fight.bound.ruleset, by)
    run = begin(fight, None)
    run.may_spend(most_work)
    if most_steps is not None:
        run.give_up_after(most_steps)
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
    ends, losing = verdicts(run), losses(run)
    if at_the_end_of is not None:
        at_the_end_of(run)
    changed = {thing: named for thing, named in changes(run).items() if thing.kind in kinds} if kinds else {}
    facts = [(thing.name, name) for thing, named in changed.items() for name in named]
    wanted = [*ends.values(), *losing.values(), *(value for named in changed.values() for value in named.values())]
    started = {(thing.name, name): at_first(run, thing, name) for thing, named in changed.items() for name in named}
    sides, losers = [thing.name for thing in ends], [thing.name for thing in losing]
    weights: dict[Value, int] = {}
    means: dict[Value, dict[str, Exact]] = {}
    by_loss: dict[str, dict[Exact, int]] = {name: {} for name in losers}
    by_verdict: dict[str, dict[str, int]] = {name: {} for name in sides}
    common = ask(run, came, common_end == UNITS) if came is not None else None
    table, whole = weighed(run, [*wanted, *(common.wanted if common else ())], watch)
    run.may_spend(None)  # what is asked from here on has bounds of its own
    if with_notes:
        settle_notes(fight, run, until_resolved)
        check_answers(run, fight)
    for row, weight in table.items():
        verdict = row[: len(sides)]
        amounts = [exact(amount) for amount in row[len(sides) : len(sides) + len(losers)]]
        for name, word in zip(sides, verdict, strict=True):
            by_verdict[name][word] = by_verdict[name].get(word, 0) + weight
        for name, amount in zip(losers, amounts, strict=True):
            by_loss[name][amount] = by_loss[name].get(amount, 0) + weight
        key = row[: len(wanted)] if kinds else verdict
        weights[key] = weights.get(key, 0) + weight
        mean = means.setdefault(key, dict.fromkeys(losers, 0))
        for name, amount in zip(losers, amounts, strict=True):
            mean[name] += amount * weight

    def apart(values: Sequence[Value]) -> tuple[Mapping[Row, int], int]:
        if any(type(value) is Sym for value in values):
            return weighed(run, list(values), watch)
        return {tuple(values): 1}, 1

    outcomes = []
    for row, weight in weights.items():
        values = dict(zip(facts, row[len(sides) + len(losers) :], strict=True)) if kinds else {}
        units: dict[str, dict[str, Value]] = {}
        for (who, name), value in values.items():
            if value != started[who, name]:
                units.setdefault(who, {})[name] = value
        lost = {name: divide(total, weight) for name, total in means[row].items()}
        outcome = Outcome(Fraction(weight, whole), dict(zip(sides, row, strict=False)), lost, units)
        outcomes.append((-weight, _order(outcome), outcome))
    outcomes.sort(key=lambda one: one[:2])
    return Chances(
        stack(fight.bound.ruleset),
        fight.bound.ruleset.title,
        tuple(outcome for _, _, outcome in outcomes),
        {name: _loss(as_fractions(found, whole), _unit(fight.bound.ruleset)) for name, found in by_loss.items()},
        {name: _in_order(as_fractions(found, whole), scale(fight.bound.ruleset)) for name, found in by_verdict.items()},
        assumptions(fight.bound.ruleset, run.notes),
        left_open(run.notes),
        printed(fight.bound.ruleset),
        {name: run.options[name] for name, one in fight.bound.ruleset.options.items() if id(one) in run.met},
        ends_of(common, table, whole, len(wanted), apart) if common is not None else None,
    )


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


def stack(ruleset: Ruleset) -> str:
    """The name of a ruleset with its variants, as `-r` takes it."""
    return "+".join((ruleset.name, *ruleset.variants))


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
