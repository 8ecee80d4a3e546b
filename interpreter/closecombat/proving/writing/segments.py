"""Operations that follow each other, carried out as one: walked, or from some size on by a function written for them.

**The problem.** An operation goes through the rows of its factors by calling functions: one that takes a row apart, one
for each part of each value, one that puts the new row together. Written by hand it would be a loop with the values in
it, and several operations one function, in which what is handed from one to the next stands in locals.

**The idea.** Each operation tells, beside doing its work, what its work is: its `Recipe`. Operations that do and follow
each other are a `Segment`. It is walked, operation after operation, and counts the rows that it goes through. To write
a function (`fusing`) takes as long as to walk some hundred rows, and only when so many have been is it written, of what
is left of the segment, and the next time of all of it.

**The walk stays right.** What is written knows nothing of faults, or of what is missing. Whatever is unusual ends it by
an error; then the segment is walked from its beginning, of which nothing has been changed. A segment in which that
happens again and again is always walked. Rows come out in the same order either way. Before a function does any work,
it is held against the walk on a few rows (`proofreading`).

**Elsewhere.** `operations` makes the recipes, and `plan` the segments; what is no part of any (repetitions, what is
looked at) is carried out by itself, and has segments inside.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import TypeAlias

from closecombat.proving.tables.weights import too_many
from closecombat.proving.writing.fusing import FAILURES, Function, TooMany
from closecombat.proving.writing.proofreading import Desk, read_over
from closecombat.proving.writing.recipes import Factors, InTurn, Recipe, Step, taken

WORTH_WRITING = 150  # rows that are walked before a function is written, for each operation
VALUES = 3  # set in turn that take as long to write as another operation
AT_LEAST = 10  # rows that an operation takes as long as, however few there are
FEW = 3  # failures of a function that are borne with

Write: TypeAlias = Callable[[Sequence[Recipe]], Function | None]  # none if rows are to be counted


class Segment:
    """Operations that follow each other; once `worth` rows for each of them have been walked, they are written."""

    def __init__(self, steps: Sequence[Step], write: Write, desk: Desk, worth: int = WORTH_WRITING) -> None:
        self.steps, self.write, self.desk = tuple(steps), write, desk
        lengths = [_length(step.recipe) for step in self.steps]
        self.worth = [worth * sum(lengths[at:]) for at, _ in enumerate(lengths)]  # of what is left from each on
        self.walked = 0
        self.failed = 0
        self.written: dict[int, Function] = {}  # by the operation that they begin with

    def __call__(self, factors: Factors) -> None:
        may_be_written = self.failed < FEW
        for at, step in enumerate(self.steps):
            if may_be_written:
                function = self.written.get(at) or self._worth_writing(at, factors)
                if function is not None:
                    if self._done(function, factors):
                        return
                    may_be_written = False
            step(factors)

    def _worth_writing(self, at: int, factors: Factors) -> Function | None:
        """What is left from some operation on as a function, once that is worth it."""
        self.walked += AT_LEAST + _rows(self.steps[at].recipe, factors)
        if self.walked <= self.worth[at]:
            return None
        function = self.write([step.recipe for step in self.steps[at:]])
        if function is not None:
            read_over(self.desk, function, self.steps[at:], factors)
            self.written[at] = function
        return function

    def _done(self, function: Function, factors: Factors) -> bool:
        """Carries a function out; whether it could be."""
        before = self.desk.alive.so_far()
        try:
            function(factors)
        except TooMany:
            raise too_many() from None
        except FAILURES:
            self.desk.alive.back_to(before)
            self.failed += 1
            return False
        return True


def _length(recipe: Recipe) -> int:
    """How long it takes to write, by operations that set a value."""
    return 1 + sum([len(stage.lets) for stage in recipe.stages]) // VALUES if isinstance(recipe, InTurn) else 1


def _rows(recipe: Recipe, factors: Factors) -> int:
    """How many are gone through."""
    return prod([len(factors[i][0]) for i in taken(recipe)])
