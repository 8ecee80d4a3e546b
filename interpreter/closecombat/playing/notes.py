"""What a result rests on: what was assumed, who answered what, and what was left open.

Something is noted only where it counts (`Run.mark` is told when). What does not hang on dice is certain; of the rest
the program notes what a fall of the dice with a chance really comes to.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Sequence
from dataclasses import field, replace
from typing import TypeAlias

from closecombat.proving.programs import program as p
from closecombat.proving.values.symbolic import Sym, Tells
from closecombat.text.slotted import dataclass

Mark: TypeAlias = tuple[str | int, ...]  # what sort of thing it is, and which; then more of it, such as who is asked
ASSUMED, ANSWERED, LEFT_OPEN = "assumed", "answered", "left open"


@dataclass(slots=True)
class Notes:
    """What may be met, in the order that it was found; and what has been met: at once where it is certain, else when
    a program has come to it. What is `never` met has been worked out not to be."""

    found: dict[Mark, Noting] = field(default_factory=dict)
    met: set[Mark] = field(default_factory=set)
    never: set[Mark] = field(default_factory=set)

    def noting(self, mark: Mark) -> Noting:
        """Called where something is met."""
        return self.found.setdefault(mark, Noting(mark, self.met))

    def of(self, sort: str) -> list[str]:
        """What of a sort has been met."""
        return [str(mark[1]) for mark in self.found if mark[0] == sort and mark in self.met]

    def open(self) -> set[Mark]:
        """What a result may rest on and is not settled yet. Who answers is none of it: that is asked of a playing, or
        of all that could be."""
        return {mark for mark in self.found if mark[0] != ANSWERED and mark not in self.met and mark not in self.never}

    def are_worked_out(self, marks: Collection[Mark]) -> None:
        """A program that notes these has been carried out."""
        self.never.update(mark for mark in marks if mark not in self.met)


class Noting(Tells):
    """Notes that something is met, as a value that a program looks at."""

    __slots__ = ("mark", "met")

    def __init__(self, mark: Mark, met: set[Mark]) -> None:
        self.mark, self.met = mark, met

    def __call__(self) -> None:
        self.met.add(self.mark)


def without_notes(steps: Sequence[p.Step], but: Container[Mark] = ()) -> list[p.Step]:
    """A program that notes nothing, but for what is wanted."""
    return _with(steps, lambda step: not _is_note(step) or step.value.fn.mark in but)


def notes_alone(steps: Sequence[p.Step], wanted: Container[Mark]) -> list[p.Step]:
    """A program that only notes, and only what is wanted."""
    return _with(steps, lambda step: _is_note(step) and step.value.fn.mark in wanted)


def _is_note(step: p.Must) -> bool:
    return type(step.value) is Sym and isinstance(step.value.fn, Noting)


def _with(steps: Sequence[p.Step], keeps: Callable[[p.Must], bool]) -> list[p.Step]:
    out: list[p.Step] = []
    for step in steps:
        match step:
            case p.Must():
                if not keeps(step):
                    continue
            case p.Branch(condition, inner, otherwise):
                step = p.Branch(condition, _with(inner, keeps), _with(otherwise, keeps))
            case p.Loop():
                step = replace(step, steps=_with(step.steps, keeps))
        out.append(step)
    return out
