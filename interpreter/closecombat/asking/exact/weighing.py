"""The ends of a fight, each as a row of what is asked of it, with its weight.

What is made of them for a reader is `chances`; where two rulesets are held against each other it is `came_to`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Protocol, TypeAlias

from closecombat.asking.exact.answers import SIDES, TOO_MUCH, UNITS
from closecombat.playing.fight import NOTHING_KNOWN, at_first, changes, go, losses, verdicts, weighed
from closecombat.playing.notes import Mark
from closecombat.playing.run import Run
from closecombat.proving.tables.weights import Row
from closecombat.proving.values.symbolic import Sym, Value
from closecombat.reading.model import Ruleset
from closecombat.reading.types import Exact, exact
from closecombat.text.faults import Faulty
from closecombat.text.slotted import dataclass

Watch: TypeAlias = Callable[[int, int], None] | None


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


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked of an end, in the order of a row: the verdict of each side, what each loses, and the `facts` (of
    whom, which) that have changed, each with what it was at first. `apart` if ends are told apart by these too."""

    sides: tuple[str, ...]
    losers: tuple[str, ...]
    facts: Mapping[tuple[str, str], Value]
    values: tuple[Value, ...]
    apart: bool


def _nothing(run: Run) -> tuple[()]:
    return ()


def _wanted(run: Run, kinds: frozenset[str]) -> Wanted:
    ends, losing = verdicts(run), losses(run)
    changed = {thing: named for thing, named in changes(run).items() if thing.kind in kinds} if kinds else {}
    return Wanted(
        tuple(thing.name for thing in ends),
        tuple(thing.name for thing in losing),
        {(thing.name, name): at_first(run, thing, name) for thing, named in changed.items() for name in named},
        (*ends.values(), *losing.values(), *(value for named in changed.values() for value in named.values())),
        bool(kinds),
    )


@dataclass(frozen=True, slots=True)
class Ends:
    """What was wanted of the ends of a fight, and the weight of each row of it; all sum to `whole`. They are told apart
    by `by`."""

    by: str
    wanted: Wanted
    table: Mapping[Row, int]
    whole: int

    def where(self, last: Value) -> Ends:
        """Those whose rows end so, by themselves."""
        table = {row: weight for row, weight in self.table.items() if row[-1] == last}
        return replace(self, table=table, whole=sum(table.values()))


@dataclass(frozen=True, slots=True)
class Gone:
    """A run at its end: what is wanted of it, where ends are told apart by `by`; and what is `rather`, by another."""

    run: Run
    by: str
    wanted: Wanted
    rather: Rather | None
    finer: Wanted
    more: Sequence[Value]  # what is asked beside, behind all else in a row

    def if_quick(self, watch: Watch = None, known: Mapping[Sym, Value] = NOTHING_KNOWN) -> Ends | None:
        """The ends told apart as they are rather, if they are; None where that is too much, and what it took is not
        held against the run."""
        if self.rather is None:
            return None
        values = [*self.finer.values, *self.more]
        found = self.run.shop.budget.tried(lambda: weighed(self.run, values, watch, (), known), self.rather.work)
        return Ends(self.rather.by, self.finer, *found) if found is not None else None

    def ends(
        self,
        watch: Watch = None,
        beside: Callable[[Run], Collection[Mark]] = _nothing,
        known: Mapping[Sym, Value] = NOTHING_KNOWN,
    ) -> Ends:
        """The ends, told apart as they are rather if that is not too much. Some notes can be worked out `beside`; how
        some throws fall may be `known`."""
        quick = self.if_quick(watch, known)
        if quick is not None:
            return quick
        values = [*self.wanted.values, *self.more]
        return Ends(self.by, self.wanted, *weighed(self.run, values, watch, beside(self.run), known))


def gone_through(
    run: Run,
    by: str,
    until_resolved: bool = False,
    rather: Rather | None = None,
    also: Callable[[Run], Sequence[Value]] = _nothing,
    at_the_end_of: Callable[[Run], None] | None = None,
    best: Answering | None = None,
) -> Gone:
    """Goes from the beginning of a run to its end; `also` is asked of that too.

    Whoever wants to know what the run came to is `at_the_end_of` it. What the situation leaves open is answered by
    `best`, if by anybody but the ruleset.
    """
    kinds = kinds_by(run.ruleset, by)
    if best is not None:
        best.begins(run)

    def at_the_end(run: Run) -> None:
        verdicts(run)
        losses(run)
        if kinds:
            changes(run)
        also(run)

    run.will_be_asked(at_the_end)
    go(run, until_resolved)
    wanted = _wanted(run, kinds)
    if at_the_end_of is not None:
        at_the_end_of(run)
    more = also(run)
    finer = _wanted(run, kinds_by(run.ruleset, rather.by)) if rather is not None else wanted
    if best is not None:
        best.ends(run)
    return Gone(run, by, wanted, rather, finer, more)


def by_verdict(wanted: Wanted, table: Mapping[Row, int]) -> dict[str, dict[str, int]]:
    """Of each side the weight of every verdict."""
    found: dict[str, dict[str, int]] = {name: {} for name in wanted.sides}
    for row, weight in table.items():
        for name, word in zip(wanted.sides, row, strict=False):
            found[name][word] = found[name].get(word, 0) + weight
    return found


def by_loss(wanted: Wanted, table: Mapping[Row, int]) -> dict[str, dict[Exact, int]]:
    """Of each side the weight of every loss."""
    found: dict[str, dict[Exact, int]] = {name: {} for name in wanted.losers}
    for row, weight in table.items():
        for name, amount in losses_in(wanted, row):
            found[name][amount] = found[name].get(amount, 0) + weight
    return found


def losses_in(wanted: Wanted, row: Row) -> Iterator[tuple[str, Exact]]:
    return zip(wanted.losers, map(exact, row[len(wanted.sides) : len(wanted.sides) + len(wanted.losers)]), strict=True)


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


def raise_unless_too_much(error: Faulty) -> None:
    if not {one.code for one in error.diagnostics} <= TOO_MUCH:
        raise error
