"""What reports share: how chances lie over a range, and what an old terminal is given."""

from fractions import Fraction

import pytest

from closecombat.telling.page import PLAIN, bar, change_of_amount, spark

HALF, THIRD, ONE = Fraction(1, 2), Fraction(1, 3), Fraction(1)


@pytest.mark.parametrize(
    ("chances", "most", "said"),
    [
        ([(Fraction(0), ONE)], ONE, "█·······"),
        ([(Fraction(0), HALF), (ONE, HALF)], ONE, "█······█"),
        ([(Fraction(0), 2 * THIRD), (HALF, THIRD)], ONE, "█···▄···"),
        ([(Fraction(n), Fraction(1, 8)) for n in range(8)], Fraction(8), "████████"),
        ([(Fraction(1, 8), Fraction(1, 99)), (ONE, Fraction(98, 99))], ONE, "·▁·····█"),
        ([(Fraction(0), ONE)], Fraction(0), "█·······"),
    ],
)
def test_a_spark(chances: list[tuple[Fraction, Fraction]], most: Fraction, said: str) -> None:
    assert spark(chances, most) == said


def test_a_change_of_an_amount_is_never_nothing_with_a_sign() -> None:
    said = [change_of_amount(Fraction(*by)) for by in ((0, 1), (-1, 1000), (1, 1000), (-3, 2))]
    assert said[:3] == ["=", "-<0.01", "+<0.01"] and said[3].startswith("-1")


def test_pictures_in_plain_letters() -> None:
    text = bar(Fraction(51, 100)) + spark([(Fraction(0), HALF), (HALF, THIRD)], ONE)
    assert text.translate(PLAIN).isascii() and len(text.translate(PLAIN)) == len(text)
