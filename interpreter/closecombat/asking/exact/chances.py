"""The exact chances of one close combat: every way it can end, how likely, and what it costs.

How weights become chances is here; what is asked of the end is `weighing`, working out `playing/fight` and
`proving/carrying_out/prove`, what all rulesets tell alike of an end `ends`, tables and JSON `telling/chances`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction

from closecombat.asking.exact.answers import SIDES, UNITS, Assumption, Chances, Loss, Outcome
from closecombat.asking.exact.ends import Asked, ask, ends_of, who_came
from closecombat.asking.exact.weighing import (
    Answering,
    Rather,
    Wanted,
    by_loss,
    by_verdict,
    gone_through,
    losses_in,
    raise_unless_too_much,
)
from closecombat.playing.fight import Fight, begin, check_answers, left_beside, settle_notes, weighed
from closecombat.playing.notes import ASSUMED, LEFT_OPEN, Mark, Notes
from closecombat.playing.run import Run
from closecombat.proving.carrying_out.prove import as_fractions
from closecombat.proving.tables.weights import Row
from closecombat.proving.values.budget import SECOND
from closecombat.proving.values.symbolic import Sym, Value
from closecombat.reading.model import Ruleset, name_of_stack
from closecombat.reading.types import Exact, divide, exact, shown
from closecombat.text.faults import Faulty

QUICK = SECOND // 2  # of work, which nobody minds who has not said by what ends are told apart


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
    rather: Rather | None = None,
    best: Answering | None = None,
) -> Chances:
    """The chances of a fight; ends are told apart by the verdicts alone (SIDES), by all that has changed too (UNITS),
    or by what has changed of the things of one kind, named by its plural; `rather` by something else, if that is not
    too much.

    `common_end` asks for what all rulesets tell alike, of each side (SIDES) or of each unit too (UNITS). Without notes
    nothing is told of what the result rests on, and answers that nobody asks for are no fault. What is more than
    `most_work` is foretold and not done. Whoever wants to know what the run came to is `at_the_end_of` it. What the
    situation leaves open is answered by `best`, if by anybody but the ruleset.
    """
    if rather is not None and until_resolved:  # what is asked of the end shapes each round, so a run is for one of them
        least = rather.work if most_work is None else min(rather.work, most_work)
        try:
            return work_out(fight, rather.by, True, watch, common_end, with_notes, least, at_the_end_of)
        except Faulty as error:
            raise_unless_too_much(error)
        rather = None
    ruleset = fight.bound.ruleset
    run = begin(fight, None)
    run.may_spend(most_work)
    if not with_notes:
        run.notes_nothing()
    came = who_came(run) if common_end else None
    common: list[Asked] = []

    def also(run: Run) -> Sequence[Value]:
        common[:] = [ask(run, came, common_end == UNITS)] if came is not None else []
        return common[-1].wanted if common else ()

    def beside(run: Run) -> Collection[Mark]:
        return left_beside(run) if with_notes and best is None else ()

    found = gone_through(run, by, until_resolved, rather, also, at_the_end_of, best).ends(watch, beside)
    run.may_spend(None)  # what is asked from here on has bounds of its own
    if with_notes:
        settle_notes(fight, run, until_resolved, best is None)
        check_answers(run, fight)

    def apart(values: Sequence[Value]) -> tuple[Mapping[Row, int], int]:
        if any(type(value) is Sym for value in values):
            return weighed(run, list(values), watch)
        return {tuple(values): 1}, 1

    wanted, table, whole = found.wanted, found.table, found.whole
    losing, ending = by_loss(wanted, table), by_verdict(wanted, table)
    return Chances(
        name_of_stack(ruleset),
        ruleset.title,
        tuple(_outcomes(wanted, table, whole)),
        {name: _loss(as_fractions(those, whole), unit_of(ruleset)) for name, those in losing.items()},
        {name: in_order(as_fractions(those, whole), scale(ruleset)) for name, those in ending.items()},
        assumptions(ruleset, run.notes),
        (*(best.said if best is not None else ()), *left_open(run.notes)),
        printed(ruleset),
        {name: run.options[name] for name, one in ruleset.options.items() if id(one) in run.met},
        scale(ruleset),
        ends_of(common[-1], table, whole, len(wanted.values), apart) if common else None,
        found.by,
    )


def _outcomes(wanted: Wanted, table: Mapping[Row, int], whole: int) -> list[Outcome]:
    """The ends, the likeliest first. Where several rows are one end, it loses what they lose on average."""
    weights: dict[Row, int] = {}
    means: dict[Row, dict[str, Exact]] = {}
    for row, weight in table.items():
        key = row[: len(wanted.values)] if wanted.apart else row[: len(wanted.sides)]
        weights[key] = weights.get(key, 0) + weight
        mean = means.setdefault(key, dict.fromkeys(wanted.losers, 0))
        for name, amount in losses_in(wanted, row):
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


def unit_of(ruleset: Ruleset) -> str:
    table = ruleset.tables.get("strength-lost")
    return table.unit if table is not None else ""


def _loss(found: Mapping[Exact, Fraction], unit: str) -> Loss:
    mean = sum((amount * chance for amount, chance in found.items()), Fraction(0))
    return Loss(exact(mean), unit, tuple(sorted(found.items())))


def in_order(found: Mapping[str, Fraction], words: tuple[str, ...]) -> dict[str, Fraction]:
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
