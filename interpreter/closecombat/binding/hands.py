"""The cards that somebody holds, asked as a set: how many there are, of which something holds, the highest of them.

A hand is asked as a roll is (`proving/throws/dice`, `Thrown`): its faces are the cards. But how many of each word it
holds is all that is known of it, so that every answer is made of these numbers.
"""

from __future__ import annotations

from collections.abc import Callable

from closecombat.binding.terms import World
from closecombat.proving.values.arithmetic import plus, times
from closecombat.proving.values.symbolic import Value, at_least
from closecombat.reading.slots import ALL
from closecombat.reading.types import Thing
from closecombat.text.slotted import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """The cards of a hand of somebody: each of `words` as often as he holds it."""

    world: World
    who: Thing
    hand: str
    words: tuple[str, ...]

    def number(self) -> Value:
        """How many cards there are."""
        return self.world.fact(self.who, self.hand, ALL)

    def sum_of(self, worth: Callable[[int, str], Value]) -> Value:
        """The sum over the cards of what each is worth, which may be unknown."""
        out: Value = 0
        for word in self.words:
            many = self.world.fact(self.who, self.hand, word)
            out = plus(self.world.shop, out, times(self.world.shop, many, worth(0, word)))
        return out

    def ranked(self, worth: Callable[[str], Value], counts: Callable[[str], Value], highest: bool, nth: int) -> Value:
        """The highest `worth` of a card that counts, or the nth highest, or lowest; None of fewer cards."""
        shop, best = self.world.shop, list[tuple[Value, Value]]()
        so_far: Value = 0
        for word in sorted(self.words, key=worth, reverse=highest):
            many = shop.if_(counts(word), self.world.fact(self.who, self.hand, word), 0)
            so_far = plus(shop, so_far, many)
            best.append((shop.lift(at_least, so_far, nth), worth(word)))
        out: Value = None
        for enough, value in reversed(best):
            out = shop.if_(enough, value, out)
        return out
