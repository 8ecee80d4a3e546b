"""What a piece of a playing asks and comes to, written down while it is carried out, for whoever recalls it.

Of a playing that is told it is more. Whether a slot becomes another decides what is told again behind it, so what is
written asks what was there before; and a chart that was read before the piece is not told in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from closecombat.binding.trace import Event
from closecombat.playing.memory import Memory
from closecombat.playing.notes import Mark
from closecombat.playing.paths import MISSING, Asked, Card, Die, Read
from closecombat.proving.values.symbolic import Value
from closecombat.reading.situation import Newcomer
from closecombat.reading.slots import Slot
from closecombat.text.slotted import dataclass

NOTHING_READ: Mapping[Read, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Came:
    """What a piece has come to: what it gave, what it wrote, who has come, what is noted, and how often somebody was
    asked; where it is told, what is told, and which charts are not told again behind it."""

    value: Value
    written: Mapping[Slot, Value]
    newcomers: tuple[Newcomer, ...]
    marks: tuple[Mark, ...]
    asked: int
    told: tuple[Event, ...] = ()
    forgot: bool = False  # whether what had been read before is told again
    read: Mapping[Read, Any] = NOTHING_READ


class Watching(Mapping[Slot, Value]):
    """The state as a piece of a playing sees it: what it asks of it and of the dice, one after the other, each once;
    what it has written, and what else it comes to. Whoever goes through all slots hangs on what no path holds."""

    __slots__ = (
        "as_it_is",
        "asked",
        "forgot",
        "is_vague",
        "known",
        "marks",
        "newcomers",
        "path",
        "read",
        "taken_over",
        "told",
        "written",
    )

    def __init__(self, slots: Mapping[Slot, Value]) -> None:
        self.as_it_is = slots
        self.path: list[Asked] = []
        self.known: set[Slot | Read] = set()  # what has been asked, or written anew
        self.written: dict[Slot, None] = {}
        self.marks: tuple[Mark, ...] = ()
        self.newcomers: tuple[Newcomer, ...] = ()
        self.asked = 0
        self.is_vague = False
        self.told: tuple[Event, ...] = ()
        self.forgot = False
        self.read: dict[Read, Any] = {}
        self.taken_over: set[Read] = set()  # charts that had been read before

    def __getitem__(self, slot: Slot) -> Value:
        value = self.as_it_is.get(slot, MISSING)
        if slot not in self.known:
            self.known.add(slot)
            self.path.append((slot, value))
        if value is MISSING:
            raise KeyError(slot)
        return value

    def get(self, slot: Slot, default: Value = None) -> Value:
        value = self.as_it_is.get(slot, MISSING)
        if slot not in self.known:
            self.known.add(slot)
            self.path.append((slot, value))
        return default if value is MISSING else value

    def __contains__(self, slot: object) -> bool:
        return self.get(slot, MISSING) is not MISSING  # type: ignore[arg-type]

    def __iter__(self) -> Iterator[Slot]:
        self.is_vague = True
        return iter(self.as_it_is)

    def __len__(self) -> int:
        self.is_vague = True
        return len(self.as_it_is)

    def is_set(self, slot: Slot, hangs_on_it: bool) -> None:
        """A slot is about to be written, perhaps with what hangs on what it was, or until it is taken back."""
        if hangs_on_it:
            self.get(slot)
        self.known.add(slot)
        self.written[slot] = None

    def is_opened(self, slot: Slot) -> None:
        if self.get(slot, MISSING) is MISSING:
            self.written[slot] = None

    def was_read(self, memory: Memory, name: str, args: tuple[Any, ...]) -> Any | None:
        """What a chart is known to have said before the piece, if anything."""
        if memory.before is None:
            return None
        read = Read(name, args)
        found = memory.before.get(read)
        if read not in self.known:
            self.known.add(read)
            self.path.append((read, MISSING if found is None else found[0]))
        if found is not None:
            self.taken_over.add(read)
            memory.told[read] = found
        return found

    def hangs_on_why(self, name: str, args: tuple[Any, ...]) -> None:
        """Which rows made a chart say what it says counts too; no path holds that of a chart that was read before."""
        self.is_vague |= Read(name, args) in self.taken_over

    def came(self, value: Value, written: Mapping[Slot, Value]) -> Came:
        """What the piece has come to."""
        return Came(value, written, self.newcomers, self.marks, self.asked, self.told, self.forgot, self.read)

    def is_left(self, memory: Memory) -> None:
        """What is known behind the piece, as far as it was read in it."""
        self.forgot = memory.is_new
        self.read = dict(memory.told)
        if not self.forgot:
            for read in self.taken_over:
                self.read.pop(read, None)

    def has_gone(self, path: Iterable[Asked], written: Iterable[Slot], memory: Memory) -> None:
        """A part of the piece was gone through, or recalled; `memory` is what was known where it began."""
        known = self.known
        new = [one for one in path if one[0] not in known]
        if any(type(one[0]) is Read for one in new):
            new = [
                one
                for one in new
                if type(one[0]) is not Read or (memory.before is not None and one[0] not in memory.told)
            ]
        self.path += new
        known.update([one[0] for one in new if type(one[0]) is not Die and type(one[0]) is not Card])
        known.update(written)
        self.written.update(dict.fromkeys(written))
