"""What a piece of a playing asks and comes to, written down while it is carried out, for whoever recalls it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from closecombat.playing.notes import Mark
from closecombat.playing.paths import MISSING, Asked, Card, Die
from closecombat.proving.symbolic import Value
from closecombat.reading.situation import Newcomer
from closecombat.reading.slots import Slot
from closecombat.text.slotted import dataclass


@dataclass(frozen=True, slots=True)
class Came:
    """What a piece has come to: what it gave, what it wrote, who has come, what is noted, and how often somebody was
    asked."""

    value: Value
    written: Mapping[Slot, Value]
    newcomers: tuple[Newcomer, ...]
    marks: tuple[Mark, ...]
    asked: int


class Watching(Mapping[Slot, Value]):
    """The state as a piece of a playing sees it: what it asks of it and of the dice, one after the other, each once;
    what it has written, and what else it comes to. Whoever goes through all slots hangs on what no path holds."""

    __slots__ = ("as_it_is", "asked", "is_vague", "known", "marks", "newcomers", "path", "written")

    def __init__(self, slots: Mapping[Slot, Value]) -> None:
        self.as_it_is = slots
        self.path: list[Asked] = []
        self.known: set[Slot] = set()  # what has been asked, or written anew
        self.written: dict[Slot, None] = {}
        self.marks: tuple[Mark, ...] = ()
        self.newcomers: tuple[Newcomer, ...] = ()
        self.asked = 0
        self.is_vague = False

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

    def has_gone(self, path: Iterable[Asked], written: Iterable[Slot]) -> None:
        """A part of the piece was gone through, or recalled."""
        for one in path:
            if isinstance(one[0], Die | Card):
                self.path.append(one)
            elif one[0] not in self.known:
                self.known.add(one[0])
                self.path.append(one)
        for slot in written:
            self.known.add(slot)
            self.written[slot] = None
