"""The places of the state that a chart reads, found once for those that it is read for.

A place is a slot, a value that is made wherever it is needed. To make one and look it up by what it is takes three
times as long as to look up the very key that stands in the state. Which places a chart reads of those that it is about,
of the one thing of a kind, and of whom their facts name (`strength of enemy`), is known from its sentences; so its
function (`playing/writing`) keeps their keys. A fact may name another than before: then his are kept too.
"""

from __future__ import annotations

from operator import itemgetter
from typing import Any, TypeAlias

from closecombat.reading.types import Thing
from closecombat.text.slotted import dataclass

MOST_KNOWN = 500  # of how many a chart keeps the keys
AT_ONE_STROKE = 3  # places that are read together rather than one after the other

Place: TypeAlias = tuple[int, tuple[Any, ...]]  # of whom of those who are known, and what its slot ends with


@dataclass(frozen=True, slots=True)
class Places:
    """Those whose places are read are, in turn: those that a chart is read for, the one thing of each of some `kinds`,
    and whom the facts in some places name, each of somebody before. What is always read is read `together`; what
    stands `apart` is read only where it is asked."""

    kinds: tuple[str, ...]
    owners: tuple[Place, ...]
    together: tuple[Place, ...]
    apart: tuple[Place, ...]


def keys_of(world: Any, known: dict[Any, tuple[Any, ...]], places: Places, about: Any) -> tuple[Any, ...]:
    """What reads the places that are read together, or the keys of each if there are few; the keys of those apart; and
    whom the facts name, for whom alone all this is so. It is known from now on, and that of some others no more."""
    state, held = world.state, world.held
    those = list(about) if type(about) is tuple else [about]
    those += [state.by_kind[kind][0] for kind in places.kinds]
    first = len(those)
    for whose, end in places.owners:
        those.append(held.get((those[whose], *end)))
    named = those[first:]
    before = known.get((about, *named)) if named else None
    if before is not None:
        known[about] = before
        return before
    if len(known) >= MOST_KNOWN:
        known.clear()
    at_hand = state.at_hand()
    slots = [[(those[whose], *end) for whose, end in of] for of in (places.together, places.apart)]
    together, apart = ([at_hand.get(slot, slot) for slot in some] for some in slots)
    if len(together) >= AT_ONE_STROKE:
        together = [itemgetter(*together)]
    found = known[about] = (*together, *apart, *named)
    if named and all(isinstance(one, Thing) for one in named):
        known[about, *named] = found
    return found
