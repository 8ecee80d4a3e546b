"""Which rule matters in a fight: what each row, reading and number that it comes to does to every outcome.

A row is switched off, where that means anything: in a sum, and among what is forbidden; in a list of which the first
row counts it would only hand its case to the next. An option is read each other way. A number behind an assumption is
one more, and one less; an assumption that says what it would be `else` is read so. Each is worked out by itself, with
all else as it is.

What the run never came to can change nothing, and is not worked out: it is told apart from what was met and changes
nothing. What is only supposed on the way, such as what else a player could have declared, decides nothing.

What one thing does alone is not what it does beside others: so there are fair shares too (`shares`), of what all
modifiers, or all readings, do together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import TypeAlias

from closecombat.asking.chances import TOO_MUCH, stack
from closecombat.asking.questions import as_texts, one_value
from closecombat.asking.settings import Ask, Asked, Found, by_itself, of_every_setting
from closecombat.asking.shares import Share, Shares, There, Worth, drawn_shares, exact_shares
from closecombat.binding.charts import Bound
from closecombat.binding.load import altered
from closecombat.playing.fight import (
    Fight,
    asked,
    begin,
    distribution,
    go,
    losses,
    sentence,
    verdicts,
    verdicts_are_about,
)
from closecombat.playing.notes import ASSUMED
from closecombat.playing.run import Run
from closecombat.playing.unknowns import Counts, Reading, Says, Setting, Unknown
from closecombat.proving.budget import SECOND, Budget
from closecombat.proving.symbolic import Value
from closecombat.proving.weights import Row as Values
from closecombat.reading.model import SWITCHED, Origin, Row, Table, number_of
from closecombat.reading.sentences import parse
from closecombat.reading.types import Number, Roll, Type, shown
from closecombat.reading.variants import otherwise
from closecombat.text.faults import Faults, Faulty
from closecombat.text.nodes import Mapping as MappingNode
from closecombat.text.nodes import Node, Text, flow
from closecombat.text.slotted import dataclass

MODIFIER, READING, NUMBER, ASSUMPTION = "modifier", "reading", "number", "assumption"
FORBIDDEN, TOO_LARGE, AT_FAULT = "forbidden", "too-large", "at-fault"
MOST_EXACT = 4_096  # settings whose shares are reckoned exactly
MOST_PAIRS, FEWEST_PAIRS = 100, 5  # of orders that are drawn
MOST_WORK = 4 * SECOND  # for the shares of one sort, which nobody minds
LOST, ON_AVERAGE, OPTIONS, ASSUMPTIONS = "lost", "on average", "options", "assumptions"
VERDICTS = frozenset({"is", "add", "times", "rounded", "do"})  # columns that do not say when a row counts
ASKED_BY_NAME = ("tables", "groups")  # sections of what a run is known to have looked into or not
ASKED_LAST = ("outcomes", "strength-lost")  # tables that say how a fight has ended, and change nothing in it
NOTHING_UNKNOWN = Unknown(Reading(""), ())
Outcome: TypeAlias = tuple[str, str]  # of whom, and what


@dataclass(frozen=True, slots=True)
class Shift:
    """What becomes of an outcome: a chance, or an amount such as the strength lost."""

    whom: str
    what: str
    old: Fraction
    new: Fraction

    @property
    def by(self) -> Fraction:
        return self.new - self.old

    @property
    def is_amount(self) -> bool:
        return self.what in (LOST, ON_AVERAGE)


@dataclass(frozen=True, slots=True)
class Weight:
    """What one change does: `was` is how it is, `other` how it would be. `shifts` are the outcomes that move, the
    largest first; or `fault` says why there are none, and `message` more of it."""

    sort: str
    name: str
    was: str
    other: str
    cites: tuple[str, ...]
    assumed: tuple[str, ...]
    shifts: tuple[Shift, ...]
    fault: str = ""
    message: str = ""

    @property
    def by(self) -> tuple[bool, Fraction, Fraction]:
        """How much it matters: what cannot be worked out most, then by the chance that moves most, then by amounts."""
        chance = max((abs(one.by) for one in self.shifts if not one.is_amount), default=Fraction(0))
        return bool(self.fault), chance, max((abs(one.by) for one in self.shifts), default=Fraction(0))


@dataclass(frozen=True, slots=True)
class Together:
    """What those of one sort do together to an outcome, and the share of each; of the readings, if all were read the
    other way. `orders` are how many were drawn, 0 where every one was reckoned with; where no shares can be had,
    `message` says why. `left_out` stay as they are: without them, alone or with others, there is no such fight."""

    sort: str
    names: tuple[str, ...]
    whole: Mapping[Outcome, Fraction]
    shares: tuple[Mapping[Outcome, Share], ...]
    orders: int
    left_out: tuple[str, ...]
    message: str = ""


@dataclass(frozen=True, slots=True)
class Weighed:
    """What matters in a fight, the heaviest first. `outcomes` is how it is; `unmoved` was met and changes nothing,
    `never_met` no run of this fight comes to. `assumed` is all that the result may rest on, with what a change of it
    does most, if it can be read otherwise."""

    name: str
    ruleset: str
    title: str
    unit: str
    outcomes: Mapping[Outcome, Fraction]
    weights: tuple[Weight, ...]
    unmoved: tuple[Weight, ...]
    never_met: Mapping[str, tuple[str, ...]]
    together: tuple[Together, ...]
    assumed: tuple[tuple[str, Weight | None], ...]


@dataclass(frozen=True, slots=True)
class Weighing:
    """How a fight is weighed: the rules as they are written, what is asked of its end instead of how it ends, whose
    rows alone, and what it may take in all."""

    rules: Callable[[], MappingNode]

    questions: tuple[str, ...] = ()
    rows: str = ""
    until_resolved: bool = False
    shares: bool = True
    most_work: int | None = None
    watch: Callable[[int, int], None] | None = None


def weigh(name: str, fight: Fight, how: Weighing) -> Weighed:
    """What matters in a fight. Faulty where the fight itself cannot be worked out, or where its rules are so many that
    it takes longer than it may."""
    ruleset, work = fight.bound.ruleset, Budget(how.most_work)
    ends = _ends(fight, how.questions)
    fight = replace(fight, questions=ends.texts)
    asked_of = partial(Asked, fight, ask=ends.ask, until_resolved=how.until_resolved, most_work=how.most_work)
    run = begin(fight, None)
    run.may_spend(how.most_work)
    run.will_be_asked(ends.ask)
    go(run, how.until_resolved)
    outcomes = ends.outcomes(distribution(run, list(ends.ask(run))))
    of_one = max(run.shop.budget.spent, 1)
    candidates, never = _candidates(fight, run, how.rows)
    candidates += _otherwise(fight, run, how, never)
    never_met = {chart: tuple(names) for chart, names in never.items()}
    alone: list[tuple[_Candidate, Weight, Found]] = []
    for number, each in enumerate(candidates, 1):
        work.tries(number, len(candidates), of_one * number, "rules to weigh")
        if how.watch is not None:
            how.watch(number, len(candidates))
        found = _found(asked_of, each)
        alone.append((each, _weight(each, found, ends, outcomes), found))
    together: list[Together] = []
    for sort in (MODIFIER, READING) if how.shares else ():
        game = _Game(asked_of, ends, of_one, how.most_work)
        together += _together(game, sort, alone)
    strength = ruleset.tables.get("strength-lost")
    weights = [weight for _, weight, _ in alone]
    return Weighed(
        name,
        stack(ruleset),
        ruleset.title,
        strength.unit if strength is not None else "",
        outcomes,
        tuple(sorted((one for one in weights if one.shifts or one.fault), key=lambda one: one.by, reverse=True)),
        tuple(one for one in weights if not one.shifts and not one.fault),
        never_met,
        tuple(together),
        _assumed(run, weights),
    )


# ---- what is asked of the end -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Ends:
    """What is asked of the end: how each side ends and what it loses, or some questions. Of each answer, whose it is
    and whether its mean is told, and its chances unless it is an amount alone."""

    ask: Ask
    answers: tuple[tuple[str, bool, bool], ...]
    texts: tuple[Text, ...] = ()

    def outcomes(self, found: Mapping[Values, Fraction]) -> dict[Outcome, Fraction]:
        """The chance of each answer, and the mean of each number."""
        out: dict[Outcome, Fraction] = {}
        for at, (whom, is_number, is_amount) in enumerate(self.answers):
            for row, chance in found.items():
                value, mean = row[at], (whom, LOST if is_amount else ON_AVERAGE)
                if not is_amount:
                    key = whom, shown(value)
                    out[key] = out.get(key, Fraction(0)) + chance
                if is_number and value is not None:
                    out[mean] = out.get(mean, Fraction(0)) + Fraction(value) * chance
        return out


def _ends(fight: Fight, questions: Sequence[str]) -> _Ends:
    run = begin(fight, None)
    if not questions:
        sides = [(side.name, False, False) for side in verdicts_are_about(run)]
        return _Ends(_how_it_ends, (*sides, *((side.name, True, True) for side in losses(run))))
    texts, answers, faults = tuple(as_texts(questions)), list[tuple[str, bool, bool]](), Faults()
    for text in texts:
        found = faults.attempt(_question, run, text)
        if found is not None:
            answers.append((text.value, isinstance(found, Number | Roll), False))
    faults.raise_if_any()
    return _Ends(partial(_answers, texts), tuple(answers), texts)


def _how_it_ends(run: Run) -> list[Value]:
    return [*verdicts(run).values(), *losses(run).values()]


def _question(run: Run, text: Text) -> Type:
    """What sort of answer a question has, as it is asked before the fight."""
    return one_value(sentence(run, parse(text, "value"))[0].type, text)


def _answers(texts: Sequence[Text], run: Run) -> list[Value]:
    return [asked(run, text)[0] for text in texts]


# ---- what can be changed ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A change that may matter: what it is and what it would be, of an unknown, or by rules that are written
    otherwise."""

    sort: str
    name: str
    unknown: Unknown
    is_now: str
    would_be: str
    cites: tuple[str, ...]
    assumed: tuple[str, ...]
    by: Bound | Faulty | None = None


def _candidates(fight: Fight, run: Run, word: str) -> tuple[list[_Candidate], dict[str, list[str]]]:
    """What can be changed of what the run came to, and the names of what it never came to, by chart."""
    rules, never = fight.bound.ruleset, dict[str, list[str]]()
    found: list[_Candidate] = []
    for table in rules.tables.values():
        if table.name in ASKED_LAST:
            continue
        for row in table.rows:
            name = f"{table.name}.{row.id}"
            can_be_changed = table.policy in SWITCHED or (row.where.assumed and number_of(row) is not None)
            if word not in name or not can_be_changed:
                continue
            if id(row.where) not in run.met:
                never.setdefault(table.name, []).append(row.id)
                continue
            found += _of_row(table, row, name)
    for option in rules.options.values():
        if word not in option.name:
            continue
        if id(option) not in run.met:
            never.setdefault(OPTIONS, []).append(option.name)
            continue
        reading = fight.options[option.name]
        assumed = option.assumed.get(reading, ()) or option.where.assumed
        for other in option.readings:
            if other != reading:
                unknown = Unknown(Reading(option.name), (reading, other))
                cites = option.where.cites
                found.append(_Candidate(READING, option.name, unknown, reading, other, cites, assumed))
    return found, never


def _otherwise(fight: Fight, run: Run, how: Weighing, never: dict[str, list[str]]) -> Iterator[_Candidate]:
    """The assumptions that say what they would be else, each with the rules that are read so. Those that change a table
    which nobody has looked into are never met."""
    ruleset, rules = fight.bound.ruleset, None
    for id, second in ruleset.second_readings.items():
        if how.rows not in id or not second.changes:
            continue
        if not any(_is_met(change, run) for change in second.changes):
            never.setdefault(ASSUMPTIONS, []).append(id)
            continue
        rules = rules or how.rules()
        place = Text(id, second.changes[0].span, True, second.changes[0].span)
        bound: Bound | Faulty
        try:
            bound = altered(otherwise(rules, place, second.changes), ruleset)
        except Faulty as error:
            bound = error
        said = "; ".join(_change_said(change) for change in second.changes)
        yield _Candidate(ASSUMPTION, id, NOTHING_UNKNOWN, ruleset.assumptions[id], said, (), (id,), bound)


def _is_met(change: Node, run: Run) -> bool:
    """Whether a run may have come to what a change is about: to its table or group; of a row that only says something
    else, or is taken away, to the row."""
    at = change.get("at") if isinstance(change, MappingNode) else None
    if not isinstance(change, MappingNode) or not isinstance(at, Text):
        return True
    (section, chart, *more), rules = at.value.split(".") if at.value.count(".") else (at.value, ""), run.ruleset
    if section in ASKED_BY_NAME and chart not in run.looked_into:
        return False
    columns = change.get("set")
    is_said = "remove" in change or (isinstance(columns, MappingNode) and {*columns.keys()} <= VERDICTS)
    rows: dict[str, Origin] = {}
    if section == "tables" and chart in rules.tables:
        rows = {row.id: row.where for row in rules.tables[chart].rows}
    elif section == "sequences" and chart in rules.sequences:
        rows = {act.id: act.where for act in rules.sequences[chart].acts}
    return not (is_said and len(more) == 1 and more[0] in rows) or id(rows[more[0]]) in run.met


def _change_said(change: Node) -> str:
    """What a change makes of a row, in a few words."""
    if not isinstance(change, MappingNode):
        return flow(change)
    said = [(key.value, value) for key, value in change.entries if key.value not in ("at", "after", "before")]
    return " ".join("off" if verb == "remove" else flow(value).strip("{}") for verb, value in said)


def _of_row(table: Table, row: Row, name: str) -> list[_Candidate]:
    """A row switched off, and its number moved if it is assumed."""
    where, number, found = row.where, number_of(row), list[_Candidate]()
    if table.policy in SWITCHED:
        unknown = Unknown(Counts(table.name, row.id), (True, False))
        found.append(_Candidate(MODIFIER, name, unknown, _said(row), "off", where.cites, where.assumed))
    if where.assumed and number is not None:
        for other in (number + 1, number - 1):
            unknown = Unknown(Says(table.name, row.id), (number, other))
            said = f"{other:+}" if row.verb == "add" else str(other)
            found.append(_Candidate(NUMBER, name, unknown, _said(row), said, where.cites, where.assumed))
    return found


def _said(row: Row) -> str:
    return row.verdict.text if row.verdict is not None else "forbidden"


# ---- what a change does -----------------------------------------------------------------------------------


def _found(asked_of: Callable[[tuple[Unknown, ...]], Asked], one: _Candidate) -> Found:
    """The chances where a candidate is what it would be."""
    if one.by is None:
        return by_itself(asked_of((one.unknown,)))((one.unknown.values[1],))
    if isinstance(one.by, Faulty):
        return one.by
    asked_so = asked_of(())
    fight = replace(asked_so.fight, bound=one.by, openings=[], heard=set(), often=[])
    return by_itself(replace(asked_so, fight=fight))(())


def _assumed(run: Run, weights: Sequence[Weight]) -> tuple[tuple[str, Weight | None], ...]:
    """What the result may rest on, the heaviest first, each with the change that does most; then what cannot be read
    otherwise."""
    rests = [str(mark[1]) for mark in run.notes.found if mark[0] == ASSUMED]
    those = {id: [one for one in weights if id in one.assumed] for id in run.ruleset.assumptions if id in rests}
    heaviest = {id: max(some, key=lambda one: one.by, default=None) for id, some in those.items()}
    nothing = (False, Fraction(-1), Fraction(-1))
    return tuple(sorted(heaviest.items(), key=lambda one: one[1].by if one[1] else nothing, reverse=True))


def _weight(of: _Candidate, found: Found, ends: _Ends, outcomes: Mapping[Outcome, Fraction]) -> Weight:
    told = of.sort, of.name, of.is_now, of.would_be, of.cites, of.assumed
    if isinstance(found, Faulty):
        return Weight(*told, (), *_why_not(found))
    now = ends.outcomes(found)
    zero = Fraction(0)
    shifts = [Shift(*key, outcomes.get(key, zero), now.get(key, zero)) for key in {**outcomes, **now}]
    moved = sorted((one for one in shifts if one.by), key=lambda one: (one.is_amount, -abs(one.by)))
    return Weight(*told, tuple(moved))


def _why_not(error: Faulty) -> tuple[str, str]:
    """Why there are no chances, and more of it."""
    said = error.diagnostics[0].message if error.diagnostics else ""
    if error.codes <= TOO_MUCH:
        return TOO_LARGE, said
    return (FORBIDDEN if error.codes == {"illegal-declaration"} else AT_FAULT), said


# ---- what they do together --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Game:
    """What fair shares are worked out with; one setting takes about so much work."""

    asked_of: Callable[[tuple[Unknown, ...]], Asked]
    ends: _Ends
    of_one: int
    most_work: int | None


def _together(game: _Game, sort: str, alone: Sequence[tuple[_Candidate, Weight, Found]]) -> Iterator[Together]:
    """The shares of all of a sort. Of an option with several readings the one that does most takes part."""
    known: dict[str, tuple[_Candidate, Found]] = {}
    left_out: dict[str, None] = {}
    for one, weight, found in sorted(alone, key=lambda each: each[1].by, reverse=True):
        if one.sort == sort and weight.fault:
            left_out[one.name] = None
        elif one.sort == sort:
            known.setdefault(one.name, (one, found))
    players = list(known.values())
    while len(players) > 1:
        found_shares = _shares(game, players)
        if found_shares is not None:
            whole, shares, orders = found_shares
            message = "" if shares else f"{len(players)} of them take longer: --yes"
            names = tuple(one.name for one, _ in players)
            without = tuple(name for name in left_out if name not in names)
            yield Together(sort, names, whole, shares, orders, without, message)
            return
        left_out[players.pop(0)[0].name] = None  # the heaviest: without it there is mostly no fight left


def _shares(
    game: _Game, players: Sequence[tuple[_Candidate, Found]]
) -> tuple[Mapping[Outcome, Fraction], Shares, int] | None:
    """What all do together, the share of each, and of how many orders; None where some of them cannot be changed at
    once."""
    many = len(players)
    asked_of = game.asked_of(tuple(one.unknown for one, _ in players))
    known = {_setting(players, [at != i for i in range(many)]): found for at, (_, found) in enumerate(players)}
    by_setting = by_itself(asked_of, known)

    def worth(there: There) -> Worth:
        found = by_setting(_setting(players, there))
        if isinstance(found, Faulty):
            raise _NoSuchFight
        return game.ends.outcomes(found)

    try:
        nothing, everything = worth((False,) * many), worth((True,) * many)
        zero = Fraction(0)
        whole = {key: everything.get(key, zero) - nothing.get(key, zero) for key in {**everything, **nothing}}
        if 2**many <= MOST_EXACT:
            try:
                most = MOST_WORK if game.most_work is not None else None
                table = of_every_setting(replace(asked_of, most_in_all=most), None, known)
            except Faulty:
                pass  # it takes too long
            else:
                return whole, exact_shares(_by_who_is_there(game, players, table)), 0
        pairs = MOST_PAIRS if game.most_work is None else min(MOST_WORK // (2 * many * game.of_one), MOST_PAIRS)
        shares = drawn_shares(many, worth, pairs) if pairs >= FEWEST_PAIRS else ()
        return whole, shares, 2 * pairs if shares else 0
    except _NoSuchFight:
        return None


def _setting(players: Sequence[tuple[_Candidate, Found]], there: Sequence[bool]) -> Setting:
    """What each unknown is, by whether it is as it is."""
    return tuple(one.unknown.values[0 if here else 1] for (one, _), here in zip(players, there, strict=True))


def _by_who_is_there(
    game: _Game, players: Sequence[tuple[_Candidate, Found]], table: Mapping[Setting, Found]
) -> dict[There, Worth]:
    out: dict[There, Worth] = {}
    for setting, found in table.items():
        if isinstance(found, Faulty):
            raise _NoSuchFight
        there = tuple(value == one.unknown.values[0] for (one, _), value in zip(players, setting, strict=True))
        out[there] = game.ends.outcomes(found)
    return out


class _NoSuchFight(Exception):
    """With some changes at once there is no fight that could be worked out."""
