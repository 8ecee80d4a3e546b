"""In what order those came whom the fight itself brought in, where that hangs on the dice.

Whoever is declared or created has come when he came, and a row that goes through all of them does so in that order.
Before the dice each is brought in where the rules may do so first: the attack of blue by a row for whoever has the
initiative, say, and once more by the next one, for the other side. Then the order in which they are listed is no order
in which they came.
So it is noted of each who comes whether somebody may be there already who is listed behind him. Mostly that is all the
same to a row that goes through both. Where for one of them it writes what for the other it reads or writes, it is
refused, unless it says itself in what order.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from closecombat.binding.bound import BoundAct
from closecombat.binding.terms import Members
from closecombat.playing.draft import Draft
from closecombat.proving.values.symbolic import Sym, Value, Workshop
from closecombat.reading.types import Thing
from closecombat.text.faults import Faulty


class Coming:
    """Which two may have come either way round, in this run or in one that has left the state to it."""

    __slots__ = ("either_way",)

    def __init__(self, either_way: set[frozenset[str]]) -> None:
        self.either_way = either_way

    def comes(self, shop: Workshop, draft: Draft, thing: Thing, is_there: Value, behind: Members) -> None:
        """Somebody comes, and `is_there` if he is there already; `behind` are those who are listed behind him."""
        is_new = shop.not_(is_there)
        for other, guard in behind:
            first = shop.and_(guard, is_new)
            if first is not False and not (type(first) is Sym and draft.is_excluded(first)):
                self.either_way.add(frozenset((thing.name, other.name)))

    def is_either_way(self, one: Thing, other: Thing) -> bool:
        """Whether it is not known of two who came first."""
        return frozenset((one.name, other.name)) in self.either_way

    def may_be_either_way(self, those: Iterable[Thing]) -> bool:
        """Whether it is not known of two of some who came first."""
        if not self.either_way:
            return False
        names = {one.name for one in those}
        return any(pair <= names for pair in self.either_way)

    def must_be_known(self, draft: Draft, act: BoundAct, those: tuple[Thing, Thing], both: Value) -> None:
        """It makes a difference who of two is first, where `both` are there."""
        if self.is_either_way(*those):
            draft.must_not(both, partial(_not_known, act, *those))


def _not_known(act: BoundAct, one: Thing, other: Thing) -> Faulty:
    return Faulty.one(
        "order-unknown",
        f"row `{act.act.id}` goes through {one} and {other}, and which of them came first hangs on dice",
        act.act.where.place,
        help="let the row say in what order, as the one that declares them does: `first: highest initiative of side`",
    )
