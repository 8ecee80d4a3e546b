"""What has been read of a state and is still so: tables, groups, sets.

A table is read for somebody again and again while little changes: a row asks for its modifier, another for its
strength, a third for both. What it said holds until something is written that it may have read, by itself or by what
it asks. What that is (facts, and who of a kind is in play) is known from its sentences once they are bound
(`Uses.behind`): more than it has looked at, never less.

Inside of a branch less is open than outside, and what was open is read anew there, since it may be simpler. What was
known outside is known again behind the branch, but for what was written in it.

A piece of a playing that is told (`playing/recall`) begins with nothing that it knows by itself: what of the memory
`before` it counts there is asked, one chart after the other, since what was read before is not told again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from closecombat.binding.charts import Bound
from closecombat.playing.paths import MISSING, Read
from closecombat.proving.values.symbolic import Sym
from closecombat.reading.slots import InPlay, Member, Slot, read_as
from closecombat.reading.types import Thing

TRIED = "tried"  # before those for whom a chart was read, where it was read as a trial


class Memory:
    """What has been read by name and for whom, and `members` of somebody's set."""

    def __init__(self, bound: Bound, before: dict[Read, Any] | None = None) -> None:
        self._bound = bound
        self.before = before  # of a piece, as long as nothing has been forgotten, the charts that were read before it
        self.tables: dict[str, dict[tuple[Any, ...], Any]] = {}
        self.told: dict[Read, Any] = {}  # the charts that have been read, where playings are recalled and told
        self.groups: dict[str, dict[tuple[Any, ...], Any]] = {}
        self.members: dict[tuple[Thing, str, bool], Any] = {}
        self.is_new = False  # whether everything has been forgotten since this was begun

    def forget(self, slot: Slot) -> None:
        """A slot has been written."""
        read, readers = read_as(slot), self._bound.readers
        if not read:
            return
        if self.tables:
            for name in readers("chart", read, self.tables.keys()):
                del self.tables[name]
        if self.groups:
            for name in readers("group", read, self.groups.keys()):
                del self.groups[name]
        if self.members and isinstance(slot, Member | InPlay):
            self.members.clear()

    def forget_all(self) -> None:
        """The state is another now."""
        if self.tables:
            self.tables.clear()
        if self.told:
            self.told.clear()
        if self.groups:
            self.groups.clear()
        if self.members:
            self.members.clear()
        self.is_new = True
        self.before = None

    def known(self, read: Read) -> Any | None:
        """What a chart has said, here or before, and is not told again."""
        found = self.told.get(read)
        return self.before.get(read) if found is None and self.before is not None else found

    def said(self, read: Read) -> Any:
        """Its value, or that it has said nothing."""
        found = self.known(read)
        return MISSING if found is None else found[0]

    def piece(self) -> Memory:
        """What is known at the beginning of a piece that is told."""
        return Memory(self._bound, self.told if self.before is None else self.before | self.told)

    def takes_over(self, was_new: bool, told: Mapping[Read, Any]) -> None:
        """What is known behind a piece that was told: what was known before it unless that was forgotten, and what
        was read in the piece."""
        if was_new:
            self.forget_all()
        self.told.update(told)

    def inside(self) -> Memory:
        """What is known at the beginning of a branch: what does not hang on anything open."""
        inner = Memory(self._bound)
        for name, readings in self.tables.items():
            settled = {args: told for args, told in readings.items() if type(told[0]) is not Sym and not told[2]}
            if settled:
                inner.tables[name] = settled
        return inner

    def behind(self, inner: Memory, written: Iterable[Slot]) -> None:
        """This is what is known again behind something that had a memory of its own and has written some slots."""
        if inner.is_new:
            self.forget_all()
            return
        for slot in written:
            self.forget(slot)
