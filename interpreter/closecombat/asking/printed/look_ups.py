"""What the look-ups of a player aid come to: exact chances of throws, printed in whole percents as such aids are.

A line is a number of a chart: each number that stands in a grid, or each row of a table that says a number. A column
is what is added to the throw. Nothing of it is typed: another chart, or a variant of it, makes other chances.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product

from closecombat.proving.throws.dice import sums
from closecombat.reading.model import LookUp
from closecombat.reading.types import Handful

WORDS: Mapping[str, str] = {
    "below": "below the number",
    "at-most": "at most the number",
    "at-least": "at least the number",
    "above": "above the number",
    "lower-by": "lower than their {} by the number or more",
    "higher-by": "higher than their {} by the number or more",
}
Target = tuple[str, int]  # how a line is called, and its number


def chances_of(one: LookUp, targets: Sequence[Target]) -> list[tuple[str, tuple[Fraction, ...]]]:
    """Each line with its chances, one for each number of `added`."""
    own, others = _sums(one.throw), _sums(one.against) if one.against is not None else {0: 1}
    whole = sum(own.values()) * sum(others.values())

    def chance(more: int, number: int) -> Fraction:
        met = (w * v for (a, w), (b, v) in product(own.items(), others.items()) if _holds(one.how, a + more, b, number))
        return Fraction(sum(met), whole)

    return [(said, tuple(chance(more, number) for more in added(one))) for said, number in targets]


def added(one: LookUp) -> range:
    low, high = one.add or (0, 0)
    return range(low, high + 1)


def _holds(how: str, total: int, other: int, number: int) -> bool:
    match how:
        case "below":
            return total < number
        case "at-most":
            return total <= number
        case "at-least":
            return total >= number
        case "above":
            return total > number
        case "lower-by":
            return total <= other - number
    return total >= other + number


def _sums(hand: Handful) -> dict[int, int]:
    """In how many ways dice come to each sum."""
    faces = [((face,), 1) for face in range(1, hand.sides + 1)]
    return {total + hand.plus: ways for (total,), ways in sums(faces, hand.number).items()}


def in_percent(chance: Fraction) -> str:
    """Whole percents, as they are printed: what can happen is never 0, what may fail never 100."""
    if chance in (0, 1):
        return "100%" if chance else "-"
    about = (200 * chance.numerator + chance.denominator) // (2 * chance.denominator)
    return "<1%" if about == 0 else ">99%" if about == 100 else f"{about}%"


def caption(one: LookUp) -> str:
    """What the chances are of, and where what is added and the numbers stand."""
    more = f", {one.says or 'this'} (above) added," if one.add is not None else ""
    number = WORDS[one.how].format(one.against)
    if one.add is not None:
        number = number.replace("the number", "the number (left)")
    elif one.says:
        number = number.replace("the number", f"the {one.says}")
    return f"Chance that {one.throw}{more} is {number}"
