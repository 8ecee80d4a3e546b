"""Rulesets made up from seeds: however they are asked, the exact chances are those of playing every fall of the dice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest

from closecombat import acts, branches, plan
from closecombat import fight as fights
from closecombat.bound import Bound
from closecombat.diagnostics import Faults
from closecombat.document import Mapping, Text, parse
from closecombat.evaluator import Run
from closecombat.loading import as_mapping
from closecombat.reader import read_ruleset
from closecombat.source import Source
from closecombat.values import Thing
from paths import OutOfDice, PathDice, TooManyPaths, slots, told

Asked = dict[str, tuple[Any, ...]]  # each way of asking, and what it is worth


@dataclass(frozen=True)
class Case:
    """A ruleset, a situation, and a few more questions about the end."""

    bound: Bound
    document: Mapping
    questions: tuple[str, ...]

    def begin(self, answers: Any) -> Run:
        run = fights.begin(fights.fight(self.bound, self.document), answers)
        fights.go(run)
        return run


def case(rules: str, situation: str, questions: list[str]) -> Case:
    faults = Faults()
    ruleset = read_ruleset(mapping(rules), faults, ())
    faults.raise_if_any()
    return Case(Bound(ruleset), mapping(situation), tuple(questions))


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


def ways_of_asking(case: Case) -> dict[str, Callable[[Run], list[Any]]]:
    """Different questions are worked out in different ways: all facts, the verdicts, each question on its own."""
    ways: dict[str, Callable[[Run], list[Any]]] = {
        "all": end,
        "changes": changed,
        "verdicts": lambda run: list(fights.verdicts(run).items()),
        "verdicts and losses": lambda run: [*fights.verdicts(run).items(), *fights.losses(run).items()],
    }
    for question in case.questions:
        text = parse(Source("a question", question))
        assert isinstance(text, Text)
        ways[question] = lambda run, text=text: [("", fights.asked(run, text)[0])]
    return ways


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


def walked(case: Case, most_paths: int, dice_each: int = 40) -> tuple[dict[str, dict[Any, Fraction]], Fraction]:
    """What playing every fall of the dice gives, for each way of asking; and the share of what goes on for too long."""
    ways = ways_of_asking(case)
    found: dict[str, dict[Any, Fraction]] = {way: {} for way in ways}
    cut_off = Fraction(0)
    todo: list[tuple[tuple[Any, ...], Fraction]] = [((), Fraction(1))]
    for _ in range(most_paths):
        if not todo:
            return found, cut_off
        dice = PathDice(*todo.pop(), dice_each)
        try:
            run = case.begin(dice)
        except OutOfDice:
            cut_off += dice.weight
        else:
            for way, ask in ways.items():
                table, key = found[way], ends_of(way, ask(run))
                table[key] = table.get(key, Fraction(0)) + dice.weight
        todo += dice.untried
    if todo:
        raise TooManyPaths(f"more than {most_paths} paths")
    return found, cut_off


def exact(case: Case, way: str) -> dict[Any, Fraction]:
    run = case.begin(None)
    rows = ways_of_asking(case)[way](run)
    out: dict[Any, Fraction] = {}
    for values, weight in fights.distribution(run, [value for _, value in rows]).items():
        key = ends_of(way, [(name, value) for (name, _), value in zip(rows, values, strict=True)])
        out[key] = out.get(key, Fraction(0)) + weight
    return out


@contextmanager
def machinery(how: str) -> Iterator[None]:
    """The exact reading made to do without some of what it usually does, or to do it where it would not."""
    with pytest.MonkeyPatch.context() as patch:
        if "groups" in how:
            patch.setattr(branches, "MANY_ROWS", 0)
        if "unlike" in how:
            patch.setattr(plan, "orbits", lambda *_: [])
        if "loops" in how:
            patch.setattr(acts, "MOST_UNROLLED", 0)
        yield


HOW = ("as it is", "groups", "unlike", "groups, loops", "loops")


def difference(case: Case, most_paths: int = 600, hows: tuple[str, ...] = HOW) -> str:
    """Where the two readings part, in words; nothing if they agree."""
    played, cut_off = walked(case, most_paths)
    for how in hows:
        for way, ends in played.items():
            with machinery(how):
                try:
                    found = exact(case, way)
                except Exception as error:
                    if "forgotten by then" in str(error):
                        continue  # the dice of an earlier pass of a repetition: told, not reckoned
                    return f"{how}: {way}: {type(error).__name__}: {error}"
            for key in {**found, **ends}:
                low = ends.get(key, Fraction(0))
                if not low <= found.get(key, 0) <= low + cut_off:
                    return f"{how}: {way}: {key}: {found.get(key, 0)} instead of {low}"
    return ""
