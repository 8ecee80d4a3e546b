"""The brute-force oracles themselves: chances that sum to one, and values worked out by hand."""

from fractions import Fraction
from functools import cache

import pytest

from brute import asl, assault, skirmish, squad_leader

MODULES = {"asl": asl, "squad-leader": squad_leader, "assault": assault, "skirmish": skirmish}


@cache
def situations(system):
    return dict(situation() for situation in MODULES[system].SITUATIONS)


def chance(system, name, **wanted):
    """The chance that every one of these units or sides ends as wanted (a status, or a test of one)."""

    def holds(state):
        end = dict(state)
        return all(want(end[who]) if callable(want) else end[who] == want for who, want in wanted.items())

    return sum((weight for state, weight in situations(system)[name].items() if holds(state)), Fraction(0))


@pytest.mark.parametrize("system", MODULES)
def test_chances_sum_to_one(system):
    found = situations(system)
    assert len(found) == len(MODULES[system].SITUATIONS) >= 6
    for name, ends in found.items():
        assert sum(ends.values()) == 1, name
        assert all(weight > 0 for weight in ends.values()), name
        assert all(isinstance(weight, Fraction) for weight in ends.values()), name


@pytest.mark.parametrize(
    ("attack", "defence", "number"),
    [
        (12, 4, 8), (7, 4, 6), (11, 2, 9), (4, 15, 3), (8, 8, 5), (5, 8, 4), (8, 5, 6), (1, 9, 0), (1, 8, 1),
        (10, 1, 12), (21, 2, 13),
    ],
)  # fmt: skip
def test_kill_numbers(attack, defence, number):
    assert asl.kill_number(attack, defence) == squad_leader.kill_number(attack, defence) == number
    assert asl.kill_number(attack, defence, hand_to_hand=True) == number + 2


@pytest.mark.parametrize(
    ("name", "wanted", "of_36"),
    [
        ("squad-against-squad", {"r1": "gone"}, 6),
        ("squad-against-squad", {"r1": "reduced"}, 4),
        ("squad-and-leader-against-two-squads", {"r1": "gone", "r2": "gone"}, 6),
        ("squad-and-leader-against-two-squads", {"r1": "reduced"}, Fraction(4 * 21, 36)),
        ("squad-and-leader-against-two-squads", {"l1": "wounded"}, Fraction(5 * 21, 36) * Fraction(4, 6)),
        ("squad-and-leader-against-two-squads", {"l1": "gone"}, 10 + Fraction(5 * 21, 36) * Fraction(2, 6)),
        ("broken-target", {"r1": "gone"}, 15),
        ("broken-target", {"r1": "reduced"}, 6),
        ("withdrawal-with-one-covering", {"r1": "gone"}, 10),
        ("withdrawal-with-one-covering", {"r1": "reduced"}, 5),
        ("withdrawal-with-one-covering", {"r1": "withdrawn"}, 21),
        ("withdrawal-with-one-covering", {"r1": "gone", "r2": "reduced"}, 4),
        ("pinned-against-concealed", {"r1": "gone"}, 1),
        ("pinned-against-concealed", {"r1": "reduced"}, 2),
        ("pinned-defends-in-full", {"g1": "gone"}, 6),
        ("pinned-defends-in-full", {"r1": "gone"}, 3),
        ("hand-to-hand", {"g1": "gone"}, 15),
        ("counter-exhausted", {"r1": "gone"}, 3),
        ("counter-exhausted", {"g1": "gone"}, 10),
        ("half-squad-against-squad", {"g1": "gone"}, 21),
        ("lone-leader-against-squad", {"r1": "gone"}, 1),
        ("lone-leader-against-squad", {"l1": "wounded"}, Fraction(4 * 4, 6)),
        ("ambush-dice+0", {"attacker": "ambushes"}, 6),
        ("ambush-dice-1", {"attacker": "ambushes"}, 10),
        ("ambush-dice-1", {"defender": "ambushes"}, 3),
        ("ambush-dice-2", {"attacker": "ambushes"}, 15),
        ("ambush-dice-2", {"defender": "ambushes"}, 1),
        ("ambush-dice+2", {"attacker": "ok", "defender": "ok"}, 20),
    ],
)
def test_asl_by_hand(name, wanted, of_36):
    assert chance("asl", name, **wanted) == Fraction(of_36) / 36


def test_an_ambush_favours_nobody_over_both_sides():
    ends = situations("asl")["ambush-in-woods"]
    swapped = {(("g1", r1), ("r1", g1)): weight for ((_, g1), (_, r1)), weight in ends.items()}
    assert swapped == ends


@pytest.mark.parametrize(
    ("name", "wanted", "of_36"),
    [
        ("squad-against-squad", {"r1": "gone"}, 10),
        ("light-machine-gun", {"r1": "gone"}, 14),  # 3 and 3 cowers
        ("directed-by-a-leader", {"r1": "gone"}, 15),
        ("directed-by-a-leader", {"g1": "gone", "l1": "gone"}, 10),
        ("directed-by-a-leader", {"g1": "ok", "l1": "gone"}, 0),
        ("pinned-squad", {"r1": "gone"}, 5),  # 2 and 2 cowers
        ("broken-squad", {"r1": "gone"}, 21),  # 3 and 3 cowers, but 6 - 2 is the 4 of the lower column
        ("lone-leader", {"r1": "gone"}, 6),
        ("lone-leader", {"l1": "gone"}, 30),
        ("exhausted-and-fresh-targets", {"r1": "gone"}, 14),
        ("exhausted-and-fresh-targets", {"r2": "gone"}, 10),
        ("withdrawal-with-one-staying", {"r1": "gone"}, 14),
        ("withdrawal-with-one-staying", {"r1": "withdrawn"}, 22),
        ("attacked-twice", {"r1": "ok"}, Fraction(26 * 26, 36)),
    ],
)
def test_squad_leader_by_hand(name, wanted, of_36):
    assert chance("squad-leader", name, **wanted) == Fraction(of_36) / 36


def eliminated(end):
    return end[3]


def half_strength(end):
    return end[1]


@pytest.mark.parametrize(
    ("name", "wanted", "by_hand"),
    [
        ("initiated-one-green-each", {"occupant": half_strength}, Fraction(1, 6)),
        ("initiated-one-green-each", {"occupant": lambda end: end[0] == 1}, Fraction(2, 6) * Fraction(5, 6)),
        ("initiated-one-green-each", {"occupant": lambda end: end[2]}, 0),
        ("half-strength-initiator", {"initiator": eliminated}, Fraction(1, 6)),
        ("activated-occupant", {"initiator": lambda end: end[0] == 1}, Fraction(2, 6) * Fraction(5, 6)),
        ("activated-occupant-at-half-strength", {"initiator": half_strength}, 0),
        ("activated-occupant-at-half-strength", {"occupant": eliminated}, Fraction(2, 6)),
        ("critical-after-damage", {"occupant": eliminated}, Fraction(1, 6) * Fraction(5, 6)),
        ("two-criticals", {"occupant": eliminated}, (4 * Fraction(5, 6) + 8 * Fraction(2, 6)) / 36),
        ("both-supported", {"occupant": lambda end: end[2]}, Fraction(4, 36) * Fraction(4, 6)),
    ],
)
def test_assault_by_hand(name, wanted, by_hand):
    assert chance("assault", name, **wanted) == by_hand


def test_pools_of_the_skirmish_example():
    attacker, defender = skirmish.Side(17), skirmish.Side(8, cover="hard")
    assert skirmish.pool(attacker, defender, 17, 0, attacking=True, first_round=True) == 8
    assert skirmish.pool(attacker, defender, 17, 0, attacking=True, first_round=False) == 17


@pytest.mark.parametrize(
    ("name", "wanted", "by_hand"),
    [
        ("surrender-without-a-leader", {"defender": lambda end: end[3]}, (1 + Fraction(5, 6) ** 4) / 1296),
        ("surrender-without-a-leader", {"attacker": (4, 0, 0, False, False)}, 1 - Fraction(5, 6) ** 8),
        ("surrender-without-a-leader", {"attacker": (4, 0, 6, False, False)}, Fraction(5, 6) ** 8),
        ("rout-with-a-leader", {"defender": lambda end: end[3]}, 0),
        ("elite-against-one", {"defender": (1, 0, 6, False, False)}, Fraction(2, 3) ** 7 * Fraction(55, 108)),
    ],
)
def test_skirmish_by_hand(name, wanted, by_hand):
    assert chance("skirmish", name, **wanted) == by_hand
