"""The system torch-and-blade: one round of blows, against plain Python that shares nothing with the program."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from whole_fights import answers

KINDS = {  # what is added to hit, armour, hit points, the blade: so many dice of so many sides, and more
    "hero": (5, 16, 12, (1, 8, 3)),
    "goblin": (4, 13, 7, (1, 6, 2)),
    "troll": (6, 12, 25, (2, 6, 0)),
}
Fighter = tuple[str, bool, bool]  # a kind, with advantage, blessed


def hurt(striker: Fighter, struck: Fighter) -> dict[int, Fraction]:
    """What a blow takes."""
    kind, advantage, blessed = striker
    to_hit, _, _, (number, sides, more) = KINDS[kind]
    out: Counter[int] = Counter()
    swings, wounds = (list(product(range(1, 21), repeat=1 + advantage)), list(product(range(1, sides + 1), repeat=number)))
    for faces in swings:
        best = max(faces)
        if best == 1 or (best < 20 and best + to_hit < KINDS[struck[0]][1]):
            out[0] += Fraction(1, len(swings))
            continue
        for dice in wounds:
            out[(sum(dice) + more) * (2 if best == 20 else 1) + 2 * blessed] += Fraction(1, len(swings) * len(wounds))
    return out


def left(first: Fighter, second: Fighter) -> tuple[Counter[int], Counter[int]]:
    """What each of the two has left; who is dead strikes no more."""
    ends: tuple[Counter[int], Counter[int]] = (Counter(), Counter())
    for taken, chance in hurt(first, second).items():
        his = max(KINDS[second[0]][2] - taken, 0)
        ends[1][his] += chance
        for back, each in hurt(second, first).items() if his else [(0, Fraction(1))]:
            ends[0][max(KINDS[first[0]][2] - back, 0)] += chance * each
    return ends


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (("hero", True, False), ("goblin", False, False)),
        (("troll", True, False), ("hero", False, True)),
        (("hero", False, False), ("goblin", False, True)),
    ],
)
def test_one_round(first: Fighter, second: Fighter) -> None:
    def told(one: Fighter, foe: str) -> str:
        said = [word for word, so in (("advantage", one[1]), ("blessed", one[2])) if so]
        return f"{{counter: {one[0]}, foe: {foe}{''.join(f', {word}: yes' for word in said)}}}"

    sides = f"red: {{units: {{a: {told(first, 'b')}}}}}, blue: {{units: {{b: {told(second, 'a')}}}}}"
    found = answers("torch-and-blade", f"{{fight: {{first: red}}, sides: {{{sides}}}}}", "left of a", "left of b")
    assert found == [*left(first, second)]
