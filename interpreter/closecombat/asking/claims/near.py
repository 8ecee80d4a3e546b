"""What is read near a fact, in the rows that name it and in those that these ask: and the numbers that stand there, at
which a comparison turns, its *marks*.

A number has too many values to try them all. Where `arm is at least 30` decides, it does so between 29 and 30, and
where `arm is 37`, at 37 alone; what stands in no row makes no difference by itself.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import islice
from typing import TypeAlias

from closecombat.asking.printed.shows import Line
from closecombat.reading.model import Fact, Ruleset
from closecombat.reading.types import Number, Word

MOST_NEAR = 24  # facts
MOST_MARKS = 12  # of one
MOST_VALUES = 12  # above the lowest, of a number of which every value is tried
DEEP = 3  # from chart to chart
SECTIONS = ("tables", "groups", "sequences", "dice")  # whose rows read facts
WORD = re.compile(r"[a-z][a-z0-9-]*")
NUMBER = re.compile(r"(?<![\w.])-?\d{1,4}(?![\w.])")
Marks: TypeAlias = Mapping[str, Sequence[int]]  # of each fact


def nearest(ruleset: Ruleset, rules: Sequence[Line], steps: Collection[str]) -> Marks:
    """The facts that can be told, the nearest first: of the rows that name a stepped one, then of those that ask these,
    or that they ask. Each has its marks; so have the stepped ones, wherever they stand."""
    facts = {name: fact for kind in ruleset.kinds.values() for name, fact in kind.facts.items()}
    values = {word: fact.name for fact in facts.values() if isinstance(fact.type, Word) for word in fact.type.words}
    read = [(line, frozenset(WORD.findall(f"{line.row} {line.text}"))) for line in rules if line.section in SECTIONS]
    near: dict[str, None] = {}
    for lines in _from(steps, read, facts):
        for line in lines:
            for word in WORD.findall(line.text):
                name = word if word in facts else values.get(word, "")
                if name and facts[name].origin in ("given", "printed"):
                    near[name] = None
    names = dict.fromkeys((*tuple(near)[:MOST_NEAR], *steps))
    return {name: _marks(name, facts.get(name), name in steps, read, facts) for name in names}


def marks(texts: Iterable[str]) -> tuple[int, ...]:
    """The numbers that some texts name, each with those next to it, where a comparison turns."""
    return tuple(_turning(texts))[:MOST_MARKS]


def lowest(type: Number) -> range:
    """The lowest values of a number that has a lowest one."""
    if type.low is None:
        return range(0)
    last = type.low + MOST_VALUES
    return range(type.low, (last if type.high is None else min(last, type.high)) + 1)


# ---- from row to row --------------------------------------------------------------------------------------------

_Read: TypeAlias = Sequence[tuple[Line, Collection[str]]]  # rows, each with its words


def _from(names: Collection[str], read: _Read, facts: Mapping[str, Fact]) -> Iterable[Sequence[Line]]:
    """The rows near some facts, those that name them first, and with each step further those found before."""
    met = set(names)
    charts: set[str] = set()
    for _ in range(DEEP):
        lines = [(line, words) for line, words in read if met.intersection(words) or line.chart in met]
        yield [line for line, _ in lines]
        charts |= {line.chart for line, _ in lines}
        met = met | charts | {word for _, words in lines for word in words if word not in facts}


def _marks(name: str, fact: Fact | None, is_stepped: bool, read: _Read, facts: Mapping[str, Fact]) -> tuple[int, ...]:
    """Of a number: what is named in the rows that name it, then in those that ask them. Of one that is stepped every
    low value is tried anyway."""
    if fact is None or not isinstance(type := fact.type, Number):
        return ()
    every = (one for lines in _from((name,), read, facts) for one in _turning(line.text for line in lines))
    known = lowest(type) if is_stepped else range(0)
    meant = (one for one in every if not is_beyond(one, type.low, type.high) and one not in known)
    return tuple(islice(dict.fromkeys(meant), MOST_MARKS))


def _turning(texts: Iterable[str]) -> dict[int, None]:
    named = dict.fromkeys(int(one) for text in texts for one in NUMBER.findall(text))
    return dict.fromkeys(number + by for number in named for by in (0, 1, -1))


def is_beyond(value: int, low: int | None, high: int | None) -> bool:
    return (low is not None and value < low) or (high is not None and value > high)
