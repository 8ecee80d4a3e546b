"""Fair shares: how much of what several things do together is the doing of each (Shapley).

What a thing does hangs on which others are there already. Its share is what it adds, on average over all orders in
which they could have come. The shares sum to what all of them do together, and things that do alike have alike shares.

With few things every order is reckoned with, exactly. With many some orders are drawn, from a seed, each with its
reverse: what adds much early adds little late. Then a share is a mean, and has a variance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice
from math import factorial
from typing import TypeAlias

from closecombat.proving.throws.dice import SeededDice
from closecombat.text.slotted import dataclass

There: TypeAlias = tuple[bool, ...]  # of each thing, whether it is there
Worth: TypeAlias = Mapping[tuple[str, str], Fraction]  # what there is of each outcome
SEED = 1


@dataclass(frozen=True, slots=True)
class Share:
    """What is the doing of one, and how far a mean of drawn orders may be off: the variance of that mean."""

    amount: Fraction
    variance: Fraction = Fraction(0)


Shares: TypeAlias = tuple[Mapping[tuple[str, str], Share], ...]  # of each thing, by outcome


def exact_shares(worth: Mapping[There, Worth]) -> Shares:
    """The shares, from what there is with each choice of things."""
    many = len(next(iter(worth)))
    weights = [Fraction(factorial(size) * factorial(many - size - 1), factorial(many)) for size in range(many)]
    found: list[dict[tuple[str, str], Fraction]] = [{} for _ in range(many)]
    for there, with_it in worth.items():
        size = sum(there) - 1
        for at, is_there in enumerate(there):
            if not is_there:
                continue
            without = worth[(*there[:at], False, *there[at + 1 :])]
            for outcome in {**with_it, **without}:
                added = with_it.get(outcome, Fraction(0)) - without.get(outcome, Fraction(0))
                found[at][outcome] = found[at].get(outcome, Fraction(0)) + weights[size] * added
    return tuple({outcome: Share(amount) for outcome, amount in one.items()} for one in found)


def drawn_shares(many: int, worth: Callable[[There], Worth], pairs: int) -> Shares:
    """The shares as far as some pairs of orders tell them."""
    sums: list[dict[tuple[str, str], list[Fraction]]] = [{} for _ in range(many)]
    for order in islice(_orders(many), pairs):
        added = [_added(many, one, worth) for one in (order, order[::-1])]
        for at in range(many):
            for outcome in {**added[0][at], **added[1][at]}:
                mean = sum((one[at].get(outcome, Fraction(0)) for one in added), Fraction(0)) / 2
                sums[at].setdefault(outcome, []).append(mean)
    return tuple({outcome: _mean(those, pairs) for outcome, those in one.items()} for one in sums)


def _added(many: int, order: Sequence[int], worth: Callable[[There], Worth]) -> list[dict[tuple[str, str], Fraction]]:
    """What each adds, where they come in an order."""
    found: list[dict[tuple[str, str], Fraction]] = [{} for _ in range(many)]
    there = [False] * many
    before = worth(tuple(there))
    for at in order:
        there[at] = True
        now = worth(tuple(there))
        for outcome in {**before, **now}:
            found[at][outcome] = now.get(outcome, Fraction(0)) - before.get(outcome, Fraction(0))
        before = now
    return found


def _mean(some: Sequence[Fraction], many: int) -> Share:
    """The mean of so many amounts, of which those that are left out are 0."""
    mean = sum(some, Fraction(0)) / many
    squares = sum((one * one for one in some), Fraction(0))
    spread = (squares - many * mean * mean) / (many - 1) if many > 1 else Fraction(0)
    return Share(mean, spread / many)


def _orders(many: int) -> Iterator[tuple[int, ...]]:
    """Orders, each as likely as any other; the same ones each time."""
    dice = SeededDice(SEED)
    while True:
        left, order = list(range(many)), list[int]()
        while left:
            at = int(dice.face(tuple(range(len(left))), "an order"))
            order.append(left.pop(at))
        yield tuple(order)
