"""What of the states of a fight to the end counts: what some pass that is come to reads, or is asked of the end.

**The problem.** The strength of an attack is written down when it is declared, and read no more when it is over.
Each round in which somebody attacks writes it anew, before anybody reads it. But who is not there attacks nobody, and
keeps what was written last: so the repetition as a whole hands on that value, and its states tell it apart, though no
pass ever reads it.

**The idea.** What a pass reads is plain once it is known which of its branches are taken (`loop`). So at first nothing
counts but what is asked behind the repetition; a value that does not count is nobody in every state. Before a pass is
made, whatever it reads of a state, to find out what counts, counts as well; if that is more than before, all begins
again. So in the last going through, whatever was read did count.

**Things that are alike.** If a fact of one of them counts, it counts of all: states are ordered by what stands there.

**Elsewhere.** A value that counts only as long as somebody is there is left out by `forgetting`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import field
from typing import Any, TypeAlias

from closecombat.proving.passes.symmetry import places_of
from closecombat.proving.programs import program as p
from closecombat.proving.programs.liveness import defined, outside, pruned, vars_of
from closecombat.proving.tables.weights import Row
from closecombat.proving.values.symbolic import Sym, Value
from closecombat.text.slotted import dataclass

Body: TypeAlias = tuple[Sequence[p.Step], Sequence[Value], Value]  # the steps of a pass, the new values, the end


class CountsMore(Exception):
    """A value counts that did not so far: what was taken for one state may be several."""


@dataclass(slots=True, eq=False)
class Counting:
    """The places in a state of the values that count; and what states are alike by them, the same in all passes."""

    places: dict[Sym, int]
    counts: set[int]
    columns: Sequence[Collection[int]]  # the places of one fact of things that are alike
    ranks: dict[Row, int] = field(default_factory=dict)
    forgets: dict[tuple[Sym, ...], Callable[[Row], Row]] = field(default_factory=dict)
    known: dict[tuple[Any, ...], dict[Row, Row]] = field(default_factory=dict)  # of states, by what in them is alike

    def reads(self, values: Iterable[Value]) -> None:
        """Something is asked of a state: all that it reads counts."""
        if self._is_more(vars_of(values)):
            raise CountsMore

    def that_counts(self, body: Body) -> Body:
        """A pass that sets what counts and nothing else."""
        steps, nexts, until = body
        is_more = False
        while True:
            less = [value if i in self.counts else None for i, value in enumerate(nexts)]
            wanted = vars_of((*less, until))
            needed = pruned(steps, wanted)[0]
            if not self._is_more((outside(needed) | wanted) - defined(needed)):
                break
            is_more = True
        if is_more:
            raise CountsMore
        return needed, less, until

    def of_state(self, row: Row) -> Row:
        """What counts of a state."""
        return tuple([value if i in self.counts else None for i, value in enumerate(row)])

    def _is_more(self, read: Iterable[Sym]) -> bool:
        """Whether something is read that did not count so far; from now on it does."""
        found = {self.places[var] for var in read if var in self.places}
        if found <= self.counts:
            return False
        self.counts |= found
        self.with_alike()
        return True

    def with_alike(self) -> None:
        """What counts of one of some things that are alike counts of all."""
        for column in self.columns:
            if not self.counts.isdisjoint(column):
                self.counts.update(column)

    def begin_again(self) -> None:
        """What was alike by less is so no more."""
        self.ranks.clear()
        self.forgets.clear()
        self.known.clear()


def what_is_asked(loop: p.Loop, after: Collection[Sym]) -> Counting:
    """What counts from the beginning: what is still read behind the repetition."""
    asked = vars_of(one for mark in loop.forgets if mark.flag is None for one in mark.asked)
    counts = {i for i, end in enumerate(loop.ends) if end in after or end in asked}
    groups = places_of(loop.alike, loop.ends)
    columns = [column for group in groups for column in zip(*group, strict=True)]
    counting = Counting({var: i for i, var in enumerate(loop.vars)}, counts, columns)
    counting.with_alike()
    return counting
