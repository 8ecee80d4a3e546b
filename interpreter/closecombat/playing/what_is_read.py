"""What is read of a state, written down for whoever has to know which states are alike (`state_by_state`), or whether
it matters what comes first (`coming`)."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from closecombat.proving.values.symbolic import Value
from closecombat.reading.slots import InPlay, Member, Slot
from closecombat.reading.types import Thing

NOTHING: Mapping[Slot, Value] = MappingProxyType({})


class Everybody(NamedTuple):
    """All members of a set, those too that nobody knows yet."""

    owner: Thing
    fact: str
    sort: str = "everybody"


class Reading(Mapping[Slot, Value]):
    """The state as it is read: `read` is what was of it before, and `anew` what is certainly set since, whatever it
    was; what is `touched` and not set anew may hang on what it was."""

    def __init__(self, slots: Mapping[Slot, Value]) -> None:
        self.as_it_is = slots  # which nobody has read
        self.read: dict[Slot, None] = {}
        self.anew: dict[Slot | Everybody, None] = {}
        self.touched: dict[Slot, None] = {}
        self.through: set[tuple[Thing | None, str]] = set()  # sets of things, and kinds, whose members were looked at

    def __getitem__(self, slot: Slot) -> Value:
        if not self.is_anew(slot):
            self.read[slot] = None
        return self.as_it_is[slot]

    def __iter__(self) -> Iterator[Slot]:
        return iter(self.as_it_is)

    def __len__(self) -> int:
        return len(self.as_it_is)

    def is_set(self, slot: Slot) -> None:
        self.anew[slot] = self.touched[slot] = None

    def is_emptied(self, owner: Thing, fact: str) -> None:
        """A set has nobody in it from here on."""
        self.anew[Everybody(owner, fact)] = None

    def is_anew(self, slot: Slot) -> bool:
        return slot in self.anew or (type(slot) is Member and Everybody(slot.thing, slot.fact) in self.anew)

    def is_no(self, slot: Slot) -> bool:
        """Whether a flag is certainly no; only then it is read."""
        return self.as_it_is.get(slot) is False and self[slot] is False

    def goes_through(self, owner: Thing | None, name: str) -> None:
        """Whoever comes into a set of somebody, or is of a kind, later on would have been looked at too."""
        if owner is None or Everybody(owner, name) not in self.anew:
            self.through.add((owner, name))

    def has_heard(self, slot: Slot) -> bool:
        """Whether it would have been read whether somebody is there who has come in since."""
        match slot:
            case InPlay(thing):
                return (None, thing.kind) in self.through
            case Member(owner, fact):
                return (owner, fact) in self.through
        return False

    def is_left(self, slot: Slot) -> None:
        """What it was is part of a value."""
        if not self.is_anew(slot):
            self.read[slot] = None

    def is_over(self) -> None:
        """Nothing more is read: what the state has become is no longer held."""
        self.as_it_is = NOTHING

    def is_touched(self, slot: Slot) -> None:
        self.touched[slot] = None

    def takes_over(self, inner: Reading) -> None:
        """What has been read, then written, in a piece that was watched by itself."""
        for slot in inner.read:
            self.is_left(slot)
        for owner, name in inner.through:
            self.goes_through(owner, name)
        self.anew |= inner.anew
        self.touched |= inner.touched

    def also_reads(self, asked: Reading, but_of: Container[Thing]) -> None:
        """Whether he is a member was asked together with whether some others are, which is nothing to him."""
        self.read |= {slot: None for slot in asked.read if not any(part in but_of for part in slot)}

    def hangs_with(self, other: Reading) -> bool:
        """Whether it makes a difference which of two pieces comes first, as far as it can be told: one of them writes
        what the other reads or writes."""
        return any(
            slot in theirs.read or slot in theirs.touched or theirs.has_heard(slot)
            for mine, theirs in ((self, other), (other, self))
            for slot in mine.touched
        )
