"""The system gun-and-plate reckoned out in plain Python: every fall of the dice, with charts of its own."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from whole_fights import answers

PUNCH = {"PIAT": (9, -1), "2pdr": (6, 0), "75L48": (12, 0), "88L": (16, 1)}
TANKS = {
    "matilda": ("2pdr", 8, 7),
    "panzer-4": ("75L48", 8, 3),
    "tiger": ("88L", 10, 8),
    "tank-hunters": ("PIAT", 2, 2),
}
TO_HIT = {
    "PIAT": {3: 7},
    "2pdr": {3: 5, 10: 7, 20: 9},
    "75L48": {3: 4, 10: 6, 20: 7, 40: 9},
    "88L": {3: 4, 10: 5, 20: 6, 40: 8},
}
LIMITS = [
    (Fraction(2), "at least 2-1"),
    (Fraction(3, 2), "3-2"),
    (Fraction(1), "1-1"),
    (Fraction(2, 3), "2-3"),
    (Fraction(1, 2), "1-2"),
]
DAMAGE = {  # by the force from 1 to 6; F is the footnote
    "at least 2-1": "M/S K K K K K",
    "3-2": "S F F M/S M/S K",
    "1-1": "- S S F F K",
    "2-3": "- - - S S M/S",
    "1-2": "- - - - - M",
}


def shot(shooter, target, distance):
    """What comes of one shot, and how likely: the code and the column that are marked, and who runs."""
    gun = TANKS[shooter["is"]][0]
    punch, sights = PUNCH[gun]
    needed = next((n for far, n in TO_HIT[gun].items() if distance <= far), None)
    armour = TANKS[target["is"]][2 if target.get("turned") else 1]
    column = next((name for limit, name in LIMITS if Fraction(punch, armour) >= limit), None)
    ends = Counter()
    for a, b, force, nerve in product(range(1, 7), repeat=4):
        weight = Fraction(1, 6**4)
        if needed is None or a + b + sights - shooter.get("stun", 0) < needed:
            ends[None, None, False, target.get("stun", 0), False] += weight
            continue
        code = DAMAGE[column].split()[force - 1] if column else "-"
        code = ("S" if target.get("hull-down") else "M") if code == "F" else code
        stun = min(3, target.get("stun", 0) + ("S" in code))
        runs = column in (name for _, name in LIMITS[:3]) and nerve <= stun
        ends[code, column, "M" in code, stun, code == "K" or runs] += weight
    return ends


DUELS = [  # the range, and the two who strike at each other
    (5, {"is": "panzer-4"}, {"is": "panzer-4"}),
    (12, {"is": "panzer-4"}, {"is": "matilda", "hull-down": True}),
    (12, {"is": "panzer-4", "turned": True, "stun": 1}, {"is": "matilda", "hull-down": True}),
    (21, {"is": "tiger", "stun": 2}, {"is": "matilda"}),
    (3, {"is": "tank-hunters", "hull-down": True}, {"is": "tiger", "turned": True}),
    (4, {"is": "tank-hunters"}, {"is": "tiger", "turned": True, "stun": 3}),
    (40, {"is": "tiger", "turned": True}, {"is": "panzer-4", "stun": 1}),
    (60, {"is": "tiger"}, {"is": "tiger"}),
    (1, {"is": "matilda", "turned": True}, {"is": "matilda"}),
]  # fmt: skip


def written(tank, foe):
    facts = {"counter": tank["is"], "target": foe} | {
        key: tank[key] for key in ("hull-down", "turned", "stun") if key in tank
    }
    return "{" + ", ".join(f"{key}: {'yes' if value is True else value}" for key, value in facts.items()) + "}"


@pytest.mark.parametrize(("distance", "one", "other"), DUELS)
def test_the_chances_are_those_of_plain_python(distance, one, other):
    situation = (
        f"{{fight: {{range: {distance}}}, sides: {{red: {{tanks: {{a: {written(one, 'b')}}}}}, "
        f"blue: {{tanks: {{b: {written(other, 'a')}}}}}}}}}"
    )
    asked = ["mark of a", "odds-used of a", "stopped of a", "stun of a", "a is in-play", "mark of b", "b is in-play"]
    at_a, at_b = shot(other, one, distance), shot(one, other, distance)
    wanted = {name: Counter() for name in asked}
    for (code, column, stopped, stun, gone), weight in at_a.items():
        for name, value in zip(asked, (code, column, stopped, stun, not gone), strict=False):
            wanted[name][value] += weight
    for (code, _, _, _, gone), weight in at_b.items():
        wanted["mark of b"][code] += weight
        wanted["b is in-play"][not gone] += weight
    assert answers("gun-and-plate", situation, *asked) == list(wanted.values())
