"""The system night-crossing, a hand of cards, bid in secret: whole fights, against plain Python that shares nothing with the program."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from whole_fights import answers

ORDERS = {"feint": 1, "probe": 2, "attack": 4, "storm": 6}
PILE = ("feint", "feint", "probe", "probe", "attack", "attack", "storm")
Pile = tuple[str, ...]


@cache
def draws(pile: Pile, aside: Pile, number: int) -> dict[tuple[Pile, Pile, Pile], Fraction]:
    """What is drawn from a pile, what is left of it and of the cards laid aside, which are shuffled when it is empty."""
    if not number:
        return {((), pile, aside): Fraction(1)}
    if not pile:
        pile, aside = aside, ()
    out: Counter[tuple[Pile, Pile, Pile]] = Counter()
    for i, card in enumerate(pile):
        for (more, left, gone), chance in draws(pile[:i] + pile[i + 1 :], aside, number - 1).items():
            out[tuple(sorted((card, *more))), left, gone] += chance / len(pile)
    return dict(out)


def fallen(red: str, blue: str) -> tuple[int, int]:
    """The men that each side loses by its bids."""
    if blue == "feint" and red in ("attack", "storm"):
        return 2, 0
    if red == "feint" and blue in ("attack", "storm"):
        return 0, 2
    return max(0, ORDERS[blue] - ORDERS[red]), max(0, ORDERS[red] - ORDERS[blue])


State = tuple[tuple[Pile, Pile, Pile], tuple[Pile, Pile, Pile]]  # of each side: hand, pile, laid aside


@cache
def crossed(state: State, men: tuple[int, int], bold: tuple[bool, bool], left: int) -> dict[tuple[int, int], Fraction]:
    if not left or (left < 2 and 0 in men):
        return {men: Fraction(1)}
    after, bids = [], []
    for (hand, pile, aside), is_bold in zip(state, bold, strict=True):
        bid = (max if is_bold else min)(hand, key=lambda card: ORDERS[card])
        at = hand.index(bid)
        kept, aside = hand[:at] + hand[at + 1 :], (*aside, bid)
        bids.append(bid)
        drawn = draws(pile, aside, 0 if kept.count("feint") >= 2 else 1)
        after.append({(tuple(sorted(kept + more)), rest, gone): chance for (more, rest, gone), chance in drawn.items()})
    lost = fallen(bids[0], bids[1])
    now = (max(0, men[0] - lost[0]), max(0, men[1] - lost[1]))
    out: Counter[tuple[int, int]] = Counter()
    for (red, chance), (blue, other) in product(after[0].items(), after[1].items()):
        for end, then in crossed((red, blue), now, bold, left - 1).items():
            out[end] += chance * other * then
    return dict(out)


@pytest.mark.parametrize(
    ("men", "bold", "gone"),
    [
        ((8, 8), (True, False), ((), ())),
        ((3, 20), (True, True), ((), ())),
        ((6, 2), (False, True), (("storm",), ("probe", "probe", "feint", "attack"))),
    ],
)
def test_night_crossing(men: tuple[int, int], bold: tuple[bool, bool], gone: tuple[Pile, Pile]) -> None:
    sides = []
    begins: list[dict[tuple[Pile, Pile, Pile], Fraction]] = []
    for name, number, is_bold, cards in zip(("red", "blue"), men, bold, gone, strict=True):
        tally = ", ".join(f"{card}: {n}" for card, n in Counter(cards).items())
        sides.append(f"{name}: {{men: {number}, bold: {'yes' if is_bold else 'no'}, gone: {{orders: {{{tally}}}}}}}")
        pile = list(PILE)
        for card in cards:
            pile.remove(card)
        begins.append(draws(tuple(pile), cards, 3))
    ends: Counter[tuple[int, int]] = Counter()
    for (red, chance), (blue, other) in product(begins[0].items(), begins[1].items()):
        for end, then in crossed((red, blue), men, bold, 2).items():
            ends[end] += chance * other * then
    expected = [Counter[object](), Counter[object]()]
    for end, chance in ends.items():
        for counted, left in zip(expected, end, strict=True):
            counted[left] += chance
    situation = f"{{fight: {{attacker: red}}, sides: {{{', '.join(sides)}}}}}"
    assert answers("night-crossing", situation, "men of red", "men of blue") == expected
