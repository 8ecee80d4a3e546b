"""Where a fight cannot go on: a chart prints nothing for what it is looked up by, whatever a player answers is
forbidden, or a sentence asks for what is not there.

Where that hangs on nothing but what a situation may say as it likes it is proved (`checking/headings`, `sums` and
`clashes`). Of all else one round of small fights is played, and what stops one of them is told, with that fight. What
the ruleset answers for a player may be forbidden, if another answer is not: then a player must say it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction
from functools import partial
from typing import TypeAlias

from closecombat.binding.bound import BoundAct, BoundChoose, BoundGrid
from closecombat.binding.charts import Bound
from closecombat.binding.terms import Env, Term, World
from closecombat.checking.axes import Several
from closecombat.checking.small_fights import Asking, at_random, small_fight, some_of_each, stopped_by
from closecombat.checking.sound_before import once
from closecombat.checking.witness import situation_of
from closecombat.playing.fight import Fight
from closecombat.proving.throws.dice import SeededDice
from closecombat.proving.values.symbolic import Value
from closecombat.reading.fields import entries
from closecombat.reading.model import Grid
from closecombat.text.faults import Faults
from closecombat.text.nodes import Mapping as MappingNode
from closecombat.text.nodes import Node, sources_of
from closecombat.text.slotted import dataclass
from closecombat.text.source import Span

AT_THE_ENDS = 12  # situations of which every number is the least or the most that it can be
NOTHING = "no-value"  # what a playing says of a chart that prints nothing
MOST_TOLD = 3  # places where a fight stops otherwise
# What is told already and may stop a fight.
STOPS = frozenset(
    {"bounds-cross", "grid-gap", "leaves-chart", "may-be-nobody", "never-settled", "no-legal-answer", "no-row-for",
     "out-of-range", "read-too-soon", "rows-clash", "rows-overlap", "runs-out"}
)  # fmt: skip
NO_DEAD_END = frozenset(
    {"budget-exceeded", "illegal-declaration", "loop-without-end", "missing-key", "takes-long"}
)  # what a player could answer otherwise, must say, or would have to wait for

Dead: TypeAlias = tuple[str, str, str, str, str]  # a code, where, what is said, what would help, and the situation


def check_dead_ends(bound: Bound, document: Node, faults: Faults, rules: str = "") -> None:
    """Adds warnings of what has stopped a small fight; `bound` must be without faults, and what is proved of it told:
    where that stops a fight already, only charts and choices are told besides. `rules` stands for its texts, if nothing
    else makes it what it is (`sound_before`)."""
    told = {one.span for one in faults.diagnostics if one.code in STOPS and one.severity == "warning"}
    charts = {
        name: grid
        for name, grid in bound.ruleset.grids.items()
        if not told & {cell.place for cell in (grid.across, grid.down) if cell is not None}
    }
    looked_at = {one.span for one in faults.diagnostics if one.code == "no-legal-answer"}
    asks = {
        f"{name}.{act.act.id}": act
        for name in bound.ruleset.sequences
        for act in bound.sequence(name).acts
        if isinstance(act.verb, BoundChoose) and act.verb.legal and act.act.where.place not in looked_at
    }
    if told and not charts and not asks:
        return
    keys = {key.value: key.span for key, _ in entries(document, "tables")}
    sources = {source.name: source for source in sources_of(document)} if isinstance(document, MappingNode) else {}
    found = json.loads(once(rules, ("dead ends", *charts, *asks), lambda: json.dumps(_met_in(bound, charts, asks))))
    for code, key, said, help, text in found:
        if code == "no-legal-answer":
            place = asks[key].act.where.place
        elif code == "leaves-chart":
            cell = charts[key].across or charts[key].down
            place = cell.place if cell is not None else keys.get(key, charts[key].where.place)
        else:
            name, start, end = json.loads(key)
            if told or name not in sources:
                continue
            place = Span(sources[name], start, end)
        faults.add(code, f"a small fight stops here: {said}", place, severity="warning", help=help, example=text)


def _met_in(bound: Bound, charts: Mapping[str, Grid], asks: Mapping[str, BoundAct]) -> list[Dead]:
    """The first chart by which a small situation stops, all rows that have asked in vain, and what else has stopped
    one, a few of them."""
    found: dict[tuple[str, str], Dead] = {}
    watching = _Charts(bound, charts)
    asking = Asking({act.act.where.place: name for name, act in asks.items()})
    for seed, text in enumerate(filter(None, dict.fromkeys(_at_the_ends(bound)))):
        for code, key, said, help in watching.stopped_by(small_fight(watching.watching, text), seed, asking):
            if sum(code == other for other, _ in found) < (1 if code == "leaves-chart" else MOST_TOLD):
                found.setdefault((code, key), (code, key, said, help, text))
        for name, legal in asking.in_vain.items():
            said = f"whatever is chosen at `{asks[name].act.id}`, `{legal}` forbids it"
            help = "let the row ask only where an answer is left, or mend the table"
            found.setdefault(("no-legal-answer", name), ("no-legal-answer", name, said, help, text))
    return [*found.values()]


def _at_the_ends(bound: Bound) -> Iterator[str]:
    """Situations at random of which every number is the least or the most that it can be."""
    for seed in range(AT_THE_ENDS):
        random = SeededDice(seed)
        kinds = some_of_each(bound, random, {})
        axes, point = at_random(bound, kinds, Several((), True), (), random, at_the_ends=True)
        yield situation_of(bound.ruleset, kinds, axes, point)


# ---- charts --------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Charts:
    """Plays by rules whose charts tell what they are looked up by. What is worth nothing is seldom looked up: where it
    stops a fight it is not told (`checking/headings`)."""

    bound: Bound
    charts: Mapping[str, Grid]
    looked_up: dict[str, list[Value]] = field(default_factory=dict)
    watching: Bound = field(init=False)

    def __post_init__(self) -> None:
        self.watching = self.bound.with_charts({}, {name: self._watched(name) for name in self.charts})

    def stopped_by(self, fight: Fight, seed: int, asking: Asking) -> Iterator[tuple[str, str, str, str]]:
        """What has stopped a playing, if something has: its code, where, what is said of it, and what would help."""
        names = {grid.where.place: name for name, grid in self.charts.items()}
        self.looked_up = {name: [] for name in self.charts}
        for one in stopped_by(fight, seed, asking):
            if one.span is None or one.code in NO_DEAD_END:
                continue
            name = names.get(one.span) if one.code == NOTHING else None
            if name is None:
                where = json.dumps((one.span.source.name, one.span.start, one.span.end))
                yield "may-stop", where, one.message, one.help
            elif not _is_nothing(self.looked_up[name], len(self.bound.grid(name).across)):
                yield "leaves-chart", name, one.message, one.help

    def _watched(self, name: str) -> BoundGrid:
        grid = self.bound.grid(name)
        terms = (*grid.across, *((grid.down,) if grid.down is not None else ()))
        telling = [replace(term, run=partial(self._tells, name, term)) for term in terms]
        across, down = telling[: len(grid.across)], telling[len(grid.across) :]
        return replace(grid, across=tuple(across), down=down[0] if down else None)

    def _tells(self, name: str, term: Term, world: World, env: Env) -> Value:
        value = term.run(world, env)
        self.looked_up[name].append(value)
        return value


def _is_nothing(looked_up: Sequence[Value], across: int) -> bool:
    """Whether what was looked up last is worth nothing: 0, or of a ratio both sides."""
    return all(isinstance(one, int | Fraction) and not one for one in looked_up[-across or -1 :])
