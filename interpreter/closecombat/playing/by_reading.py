"""What goes for all states in which the same is read, found by reading a state once.

**The problem.** Each piece of a fight hangs on some fifty things that it reads, and thousands of pieces begin at one
place (`state_by_state`). To hold a state against all of them takes longer than to write most of them.

**The idea.** What is read next hangs on what has been found so far. So the pieces stand in a tree: what is read first,
by what is found there what is read next, and so on. A state is read along one branch of it.

*An example.* Who has left attacks nobody: where `in-play of r1` is no, nothing else is read. Where it is yes, his
firepower is, and then his target. A state with r1 gone finds its piece after one reading.

Seldom the same place has two that go on with something else; then both branches are tried. As long as only one piece
stands below, the rest of what it reads is written beside it, and there is no branch for it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import Generic, TypeAlias, TypeVar

from closecombat.proving.values.symbolic import Value
from closecombat.reading.slots import Slot
from closecombat.text.slotted import dataclass

T = TypeVar("T")
Path: TypeAlias = tuple[tuple[Slot, Value], ...]  # what is read, one after the other, and what was found


@dataclass(slots=True, eq=False)
class ByReading(Generic[T]):
    """A tree, or a branch of one. `found` is what goes here if all of `rest` is as it says."""

    found: T | None = None
    rest: Path = ()
    follows: dict[Slot, dict[Value, ByReading[T]]] = field(default_factory=dict)

    def put(self, path: Path, new: T) -> None:
        """Puts something in; it takes the place of what reads just the same."""
        tree, at = self, 0
        while tree.found is not None or tree.follows:
            if tree.found is not None and tree.rest:
                (slot, value), *others = tree.rest
                tree.follows.setdefault(slot, {})[value] = ByReading(tree.found, tuple(others))
                tree.found, tree.rest = None, ()
            if at == len(path):
                break
            slot, value = path[at]
            tree, at = tree.follows.setdefault(slot, {}).setdefault(value, ByReading()), at + 1
        tree.found, tree.rest = new, path[at:]

    def get(self, read: Callable[[Slot], Value]) -> T | None:
        """What goes for a state."""
        todo = [self]
        while todo:
            tree = todo.pop()
            if tree.found is not None and all(read(slot) == value for slot, value in tree.rest):
                return tree.found
            for slot, follows in tree.follows.items():
                found = follows.get(read(slot))
                if found is not None:
                    todo.append(found)
        return None

    def clear(self) -> None:
        self.found, self.rest = None, ()
        self.follows.clear()
