"""A made-up fight played for every fall of the dice, and worked out: the same chances, or the same refusal.

    python tests/two_readings.py 2000             # seeds 0 to 1,999
    python tests/two_readings.py 500 700          # seeds 500 to 699
    python tests/two_readings.py 500 700 decks    # with these families of rules only

No seed is skipped: one that has too many ways to fall is made up again with fewer throws.
"""

from __future__ import annotations

import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from random import Random
from typing import Any

import pytest

from closecombat.binding.charts import Bound
from closecombat.binding.terms import number
from closecombat.playing import fight as fights
from closecombat.playing import sequences
from closecombat.playing.run import Run
from closecombat.proving.carrying_out import operations
from closecombat.proving.foreseeing import ranges
from closecombat.proving.passes import passes
from closecombat.reading.ruleset import read_ruleset
from closecombat.reading.sentences import parse as sentence
from closecombat.reading.stack import as_mapping
from closecombat.reading.syntax import Cell
from closecombat.reading.types import Roll, Thing
from closecombat.text.document import parse
from closecombat.text.faults import Faults, Faulty
from closecombat.text.nodes import Mapping, Text
from closecombat.text.source import Source
from paths import OutOfDice, PathDice, TooManyPaths, slots, told
from random_rules import FAMILIES, Rules, written

Asking = Callable[[Run], list[Any]]  # names with the values that they have at the end of a run
Refusal = tuple[str, str]  # a code, and where
MOST_PATHS = 200
BEYOND = 300  # playings at random of what a walk has cut off
LONGEST = 400  # dice of such a playing
NEARLY = Fraction(1, 1_000)
NOT_RECKONED = (
    "forgotten by then",  # the dice of an earlier pass of a repetition: told
    "has no end either",  # what is asked of dice without end
    "without end, and on the way",
    "keeps some of dice",
    "every pass may bring new things",  # a repetition of which nobody knows how often it is done
)


@dataclass(frozen=True)
class Case:
    """A ruleset, a situation, and the ways of asking about the end."""

    bound: Bound
    document: Mapping
    ways: dict[str, Asking]
    questions: tuple[Text, ...] = ()  # of which some are about a moment

    def begin(self, answers: Any) -> Run:
        run = fights.begin(replace(fights.fight(self.bound, self.document), questions=self.questions), answers)
        fights.go(run)
        return run


def case(rules: str, situation: str, questions: list[str]) -> Case:
    """What is made up is bound as a whole, so that nothing is refused in both readings but what goes wrong in play."""
    faults = Faults()
    ruleset = read_ruleset(mapping(rules), faults, ())
    faults.raise_if_any()
    bound = Bound(ruleset)
    bound.bind_all(faults)
    faults.raise_if_any()
    return Case(bound, mapping(situation), ways_of_asking(questions), tuple(map(text_of, questions)))


def mapping(text: str) -> Mapping:
    return as_mapping(parse(Source("made up", text)))


# ---- what is asked -----------------------------------------------------------------------------------------


def end(run: Run) -> list[Any]:
    """Every fact, as in `paths`."""
    return sorted(slots(run).items(), key=lambda slot: slot[0])


def changed(run: Run) -> list[Any]:
    """What has changed, each with what it was."""
    return [
        ((thing.name, name, fights.at_first(run, thing, name)), value)
        for thing, named in fights.changes(run).items()
        for name, value in named.items()
    ]


def ways_of_asking(questions: Sequence[str]) -> dict[str, Asking]:
    """Different questions are worked out in different ways: all facts, the verdicts, each question on its own."""
    ways: dict[str, Asking] = {
        "all": end,
        "changes": changed,
        "verdicts": lambda run: list(fights.verdicts(run).items()),
        "verdicts and losses": lambda run: [*fights.verdicts(run).items(), *fights.losses(run).items()],
    }
    return ways | {question: partial(answered, read(question)) for question in questions}


def text_of(question: str) -> Text:
    text = parse(Source("a question", question))
    assert isinstance(text, Text)
    return text


def read(question: str) -> Cell:
    return sentence(text_of(question), "value")


def answered(question: Cell, run: Run) -> list[Any]:
    term, env = fights.sentence(run, question)
    value = term.run(run, env)
    return [("", number(run, value) if isinstance(term.type, Roll) else value)]


def ends_of(way: str, rows: list[Any]) -> Any:
    """What two readings must agree on: of all facts and changes those that are told."""
    if way == "all":
        return told(dict(rows))
    if way == "changes":
        return frozenset((thing, name, _plain(value)) for (thing, name, was), value in rows if value != was)
    return tuple(_plain(value) for _, value in rows)


def _plain(value: Any) -> Any:
    return value.name if isinstance(value, Thing) else value


# ---- both readings -----------------------------------------------------------------------------------------


@dataclass
class Played:
    """What playing every fall of the dice gives for one way of asking: the ends, and what was refused."""

    ends: dict[Any, Fraction]
    refused: dict[Refusal, Fraction]
    beyond: set[Refusal] = field(default_factory=set)  # what is refused behind where the walk was cut off


Ends = dict[str, Played]


def refusal(error: Faulty) -> Refusal:
    first = error.diagnostics[0]
    span = first.span
    return first.code, f"{span.source.name}:{span.start}-{span.end}" if span else ""


def walked(case: Case, most_paths: int = MOST_PATHS, dice_each: int = 40) -> tuple[Ends, Fraction]:
    """What playing every fall of the dice gives, for each way of asking; and the share of what goes on for too long."""
    found: Ends = {way: Played({}, {}) for way in case.ways}
    cut_off = Fraction(0)
    unended: list[tuple[Any, ...]] = []
    todo: list[tuple[tuple[Any, ...], Fraction]] = [((), Fraction(1))]
    for _ in range(most_paths):
        if not todo:
            look_beyond(case, found, unended)
            return found, cut_off
        dice = PathDice(*todo.pop(), dice_each)
        try:
            run = case.begin(dice)
        except OutOfDice:
            cut_off += dice.weight
            unended.append(tuple(dice.shown))
        except Faulty as error:
            for one in found.values():
                _count(one.refused, refusal(error), dice.weight)
        else:
            for way, ask in case.ways.items():
                try:
                    _count(found[way].ends, ends_of(way, ask(run)), dice.weight)
                except Faulty as error:
                    _count(found[way].refused, refusal(error), dice.weight)
        todo += dice.untried
    if todo:
        raise TooManyPaths(f"more than {most_paths} paths")
    return found, cut_off


class StrayDice(PathDice):
    """Follows `given`, then shows what comes."""

    def __init__(self, given: tuple[Any, ...], random: Random) -> None:
        super().__init__(given, Fraction(1), LONGEST)
        self.random = random

    def _next(self, ways: list[tuple[Any, int]]) -> Any:
        if len(self.shown) >= self.at_most:
            raise OutOfDice
        if len(self.shown) < len(self.given):
            return super()._next(ways)
        self.shown.append(self.random.choices([way for way, _ in ways], [number for _, number in ways])[0])
        return self.shown[-1]


def look_beyond(case: Case, found: Ends, unended: Sequence[tuple[Any, ...]]) -> None:
    """Plays on at random where the walk was cut off; what goes on for longer still is taken to have no end."""
    random = Random(0)
    for n in range(BEYOND if unended else 0):
        try:
            run = case.begin(StrayDice(unended[n % len(unended)], random))
        except OutOfDice:
            for one in found.values():
                one.beyond.add(("loop-without-end", ""))
        except Faulty as error:
            for one in found.values():
                one.beyond.add(refusal(error))
        else:
            for way, ask in case.ways.items():
                try:
                    ask(run)
                except Faulty as error:
                    found[way].beyond.add(refusal(error))


def _count(table: dict[Any, Fraction], key: Any, weight: Fraction) -> None:
    table[key] = table.get(key, Fraction(0)) + weight


def exact(case: Case, way: str) -> dict[Any, Fraction]:
    run = case.begin(None)
    rows = case.ways[way](run)
    out: dict[Any, Fraction] = {}
    for values, weight in fights.distribution(run, [value for _, value in rows]).items():
        _count(out, ends_of(way, [(name, value) for (name, _), value in zip(rows, values, strict=True)]), weight)
    return out


@contextmanager
def machinery(how: str) -> Iterator[None]:
    """The exact reading made to do without some of what it usually does, or to do it where it would not."""
    with pytest.MonkeyPatch.context() as patch:
        if "ends" in how:  # of all that can be several things only the ends are known
            patch.setattr(ranges, "MOST_VALUES", 1)
        if "groups" in how:
            patch.setattr(operations, "MANY_ROWS", 0)
        if "unlike" in how:
            patch.setattr(passes, "PASSES", tuple(one for one in passes.PASSES if one.name != "symmetry"))
        if "loops" in how:
            patch.setattr(sequences, "MOST_STEPS", -1)
        yield


HOW = ("as it is", "groups", "unlike", "groups, loops", "loops", "ends")


def difference(case: Case, played: Ends, cut_off: Fraction, hows: Sequence[str] = HOW) -> str:
    """Where the exact reading parts from what was played, in words; nothing if they agree."""
    for how in hows:
        for way, one in played.items():
            with machinery(how):
                said = parted(case, way, one, cut_off)
            if said:
                return f"{how}: {way}: {said}"
    return ""


def parted(case: Case, way: str, played: Played, cut_off: Fraction) -> str:
    refused = ", ".join(f"{code} at {place} ({float(w):.3f})" for (code, place), w in played.refused.items())
    try:
        found = exact(case, way)
    except Faulty as error:
        if error.codes == {"budget-exceeded"} and any(said in str(error) for said in NOT_RECKONED):
            return ""
        code, place = refusal(error)
        if (code, place) in played.refused or (code, place) in played.beyond:
            return ""
        if code == "loop-without-end" and (code, "") in played.beyond:
            return ""
        return f"the chances refuse: {error} ({place}); played: {refused or 'no refusal'}"
    except Exception as error:
        return f"a fault of ours: {type(error).__name__}: {error}; played: {refused or 'no refusal'}"
    if played.refused:
        return f"refused in play only: {refused}"
    for key in {**found, **played.ends}:
        low = played.ends.get(key, Fraction(0))
        if not low <= found.get(key, 0) <= low + cut_off:
            return f"{key}: {found.get(key, 0)} instead of {low}"
    return ""


# ---- dice without end ---------------------------------------------------------------------------------------


def far_from_bounded(made: Rules, case_of: Case) -> str:
    """Where the chances of dice without end are further from those of dice with a far end than they can be: that any
    die of some thousand goes on beyond it is less likely than NEARLY. Elsewhere a walk knows little of them."""
    if "'at-most': 'unbounded'" not in str(made.rules["dice"]):
        return ""
    rules = made.rules | {"dice": bounded(made.rules["dice"])}
    other = case(written(rules), written({"situation": made.situation} | made.choices), made.questions)
    for way in case_of.ways:
        try:
            one, far = exact(case_of, way), exact(other, way)
        except Faulty:
            continue  # whether it is rightly refused is seen by playing
        for key in {**one, **far}:
            if abs(one.get(key, 0) - far.get(key, 0)) > NEARLY:
                return f"bounded: {way}: {key}: {one.get(key, 0)} without end, {far.get(key, 0)} with a far one"
    return ""


def bounded(dice: dict[str, Any]) -> dict[str, Any]:
    return {
        name: {**one, "at-most": "20"} if isinstance(one, dict) and one.get("at-most") == "unbounded" else one
        for name, one in dice.items()
    }


# ---- seed by seed ------------------------------------------------------------------------------------------


def small_enough(seed: int, families: Sequence[str] = FAMILIES) -> tuple[Rules, Case, Ends, Fraction]:
    """The rules of a seed, with as many throws as can all be played."""
    for dice_each in (16, 5):  # rather fewer throws than playings cut off
        for throws in (None, 2, 1, 0):
            made = Rules(seed, families, throws)
            small = case(written(made.rules), written({"situation": made.situation} | made.choices), made.questions)
            try:
                return made, small, *walked(small, MOST_PATHS, dice_each)
            except TooManyPaths:
                pass
    raise TooManyPaths(f"seed {seed} cannot be played in {MOST_PATHS} ways")


def disagreement(seed: int, families: Sequence[str] = FAMILIES) -> str:
    """The exact reading as it is, and once more with some of it left out or forced."""
    made, small, ends, cut_off = small_enough(seed, families)
    return difference(small, ends, cut_off, ("as it is", HOW[1 + seed % 5])) or far_from_bounded(made, small)


def run(seeds: range, families: Sequence[str], seconds: int = 30) -> int:
    wrong, refused, cut, began = Counter[str](), 0, 0, time.time()

    def too_slow(*_: Any) -> None:
        raise TimeoutError(f"more than {seconds} s")

    signal.signal(signal.SIGPROF, too_slow)
    for seed in seeds:
        signal.setitimer(signal.ITIMER_PROF, seconds)
        try:
            made, small, ends, cut_off = small_enough(seed, families)
            refused += any(one.refused for one in ends.values())
            cut += bool(cut_off)
            said = difference(small, ends, cut_off, ("as it is", HOW[1 + seed % 5])) or far_from_bounded(made, small)
        except (Exception, RecursionError) as error:
            said = f"a fault of ours: {type(error).__name__}: {error}"
        signal.setitimer(signal.ITIMER_PROF, 0)
        if seed % 100 == 99:
            print(f"... {seed - seeds.start + 1} after {time.time() - began:.0f} s", file=sys.stderr, flush=True)
        if said:
            wrong[said.split(":")[2][:60]] += 1
            print(seed, said[:600], flush=True)
    print(
        f"{len(seeds)} rulesets, {refused} refused in play, {cut} without an end, {sum(wrong.values())} differ", end=""
    )
    print(f"; {time.time() - began:.0f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    numbers = [int(one) for one in sys.argv[1:] if one.isdigit()]
    named = [one for one in sys.argv[1:] if not one.isdigit()]
    sys.exit(run(range(*numbers) if numbers else range(2000), named or FAMILIES))
