"""Squad Leader close combat by brute force.

Every situation function returns (name, distribution). An end state is a tuple of (unit, status), sorted by
unit; a status is ok, withdrawn or gone. Two dice a roll; all attacks are simultaneous. Kill Numbers are the
assumed ones (the successor's), and a roll kills when it is at or below them.
"""

from fractions import Fraction

from . import D6, chances

COLUMNS = ((1, 8), (1, 6), (1, 4), (1, 2), (1, 1), (3, 2), (2, 1), (3, 1), (4, 1), (6, 1), (8, 1), (10, 1))


def kill_number(attack, defence, columns_lower=0):
    """6.1.3c to 6.1.3e: 0 below 1-8, one more for every column; cowering goes one column down."""
    ratio = Fraction(attack) / Fraction(defence)
    reached = sum(ratio >= Fraction(*column) for column in COLUMNS) + (ratio > 10)
    return max(reached - columns_lower, 0)


def roll(attack, defence, drms, can_cower):
    """One attack: the targets it eliminates. `drms` maps every target to the modifier against it."""
    first, second = yield D6, D6
    cowers = can_cower and first == second
    number = kill_number(attack, defence, columns_lower=int(cowers))
    return [target for target, drm in drms.items() if number and first + second + drm <= number]


def combat(units, *attacks, bound=None, leaving=(), caught=False):
    """`attacks`: (attack strength, defence strength, {target: drm}, can cower).

    `bound` maps a leader to his side's squads, with all of whom he is lost; `leaving` units withdraw if
    they survive, and are out of reach of that, unless they are `caught`.
    """

    def play():
        dead = set()
        for attack in attacks:
            dead.update((yield from roll(*attack)))
        for leader, squads in (bound or {}).items():
            if dead.issuperset(squads) and (caught or leader not in leaving):
                dead.add(leader)
        return tuple(
            (unit, "gone" if unit in dead else "withdrawn" if unit in leaving else "ok") for unit in sorted(units)
        )

    return chances(play)


def squad_against_squad():
    """German squad 4-6-7 g1 (mover) against Russian squad 4-4-7 r1, clear weather, no melee yet, no leaders.

    g1 attacks r1 and r1 attacks g1: 4 to 4, column 1-1, Kill Number 5; a matching pair cowers to 1-2, 4.
    """
    return "squad-against-squad", combat(["g1", "r1"], (4, 4, {"r1": 0}, True), (4, 4, {"g1": 0}, True))


def light_machine_gun():
    """German squad 4-6-7 g1 with an LMG of 2 (mover) against Russian squad 4-4-7 r1; no melee yet.

    g1 attacks r1 with the LMG (6 to 4, column 3-2, Kill Number 6; cowering 1-1, 5);
    r1 attacks g1, whose LMG does not defend (4 to 4, 1-1, 5; cowering 1-2, 4).
    """
    return "light-machine-gun", combat(["g1", "r1"], (6, 4, {"r1": 0}, True), (4, 4, {"g1": 0}, True))


def directed_by_a_leader():
    """German squad 4-6-7 g1 and leader 8-1 l1 (mover) against Russian squad 4-4-7 r1; no melee yet.

    g1 attacks r1, l1 directs (4 to 4, Kill Number 5, -1, no cowering; the leader adds no firepower);
    r1 attacks g1 (4 to 4; it may cower). The leader is no target, but is lost with g1, his side's only squad.
    """
    return "directed-by-a-leader", combat(
        ["g1", "l1", "r1"], (4, 4, {"r1": -1}, False), (4, 4, {"g1": 0}, True), bound={"l1": ["g1"]}
    )


def pinned_squad():
    """Pinned German squad of firepower 5 g1 (mover) against Russian squad of firepower 5 r1; no melee yet.

    g1 attacks r1 with exactly 2 1/2 to 5 (column 1-2, Kill Number 4; cowering 1-4, 3);
    r1 attacks g1 at its full 5 (1-1, 5; cowering 1-2, 4).
    """
    half = Fraction(5, 2)
    return "pinned-squad", combat(["g1", "r1"], (half, 5, {"r1": 0}, True), (5, 5, {"g1": 0}, True))


def broken_squad():
    """German squad 4-6-7 g1 (mover) against a broken Russian squad 4-4-7 r1; no melee yet.

    g1 attacks r1 (4 to 4, Kill Number 5, -2; it may cower). r1 makes no attack and cannot withdraw yet.
    """
    return "broken-squad", combat(["g1", "r1"], (4, 4, {"r1": -2}, True))


def lone_leader():
    """German leader 9-1 l1, alone (mover), against Russian squad 4-4-7 r1; no LMG; no melee yet.

    l1 attacks with his nominal 1 and his own -1, and never cowers (1 to 4, column 1-4, Kill Number 3);
    r1 attacks l1, worth 1 (4 to 1, column 4-1, Kill Number 9; cowering 3-1, 8).
    """
    return "lone-leader", combat(["l1", "r1"], (1, 4, {"r1": -1}, False), (4, 1, {"l1": 0}, True))


def exhausted_and_fresh_targets():
    """German squads 4-6-7 g1 and g2 (mover) against Russian squads 4-4-7 r1, counter-exhausted, and r2; no
    melee yet.

    g1 and g2 attack r1 and r2 in one roll that reads one lower for r1 (8 to 8, Kill Number 5; cowering 1-2,
    4); r1 and r2 attack g1 and g2 (8 to 8; no modifier for the exhausted attacker; they may cower).
    """
    return "exhausted-and-fresh-targets", combat(
        ["g1", "g2", "r1", "r2"], (8, 8, {"r1": -1, "r2": 0}, True), (8, 8, {"g1": 0, "g2": 0}, True)
    )


def withdrawal_with_one_staying():
    """In melee, clear weather: German squad 4-6-7 g1 (mover) against Russian squads 4-4-7 r1 (withdraws)
    and r2.

    g1 attacks r1 (4 to 4, Kill Number 5, -2 +1 = -1; it may cower); r2 attacks g1 (4 to 4; it may cower).
    """
    return "withdrawal-with-one-staying", combat(
        ["g1", "r1", "r2"], (4, 4, {"r1": -1}, True), (4, 4, {"g1": 0}, True), leaving=["r1"]
    )


def attacked_twice():
    """German squads 4-6-7 g1 and g2 (mover) against Russian squad 4-4-7 r1; no melee yet.

    g1 attacks r1 and, separately, g2 attacks r1 (4 to 4, column 1-1, Kill Number 5 each; they may cower).
    r1 makes no attack.
    """
    return "attacked-twice", combat(["g1", "g2", "r1"], (4, 4, {"r1": 0}, True), (4, 4, {"r1": 0}, True))


def a_leader_goes_while_his_squad_dies():
    """In melee: German squad 4-6-7 g1 (mover) against Russian squad 4-4-7 r1 and leader 8-0 l1, who withdraws
    alone. g1 attacks r1 only (4 to 4, Kill Number 5; it may cower); r1 attacks g1 likewise. l1 gets away.
    """
    return "a-leader-goes-while-his-squad-dies", combat(
        ["g1", "l1", "r1"], (4, 4, {"r1": 0}, True), (4, 4, {"g1": 0}, True), bound={"l1": ["r1"]}, leaving=["l1"]
    )


def a_leader_is_caught_as_his_squad_dies():
    """The same, read so that a withdrawing leader dies with his squads."""
    return "a-leader-is-caught-as-his-squad-dies", combat(
        ["g1", "l1", "r1"],
        (4, 4, {"r1": 0}, True),
        (4, 4, {"g1": 0}, True),
        bound={"l1": ["r1"]},
        leaving=["l1"],
        caught=True,
    )


def two_leaders_on_one_roll():
    """German squad 4-6-7 g1, leaders 8-1 l1 and 9-2 l2 (mover) against Russian squads 4-4-7 r1 and r2.

    g1 attacks r1, directed by both leaders (4 to 4, Kill Number 5, -3, no cowering); r1 and r2 attack g1 (8 to
    4, column 2-1, Kill Number 7; cowering 3-2, 6). Both leaders are lost with g1, the only squad of their side.
    """
    return "two-leaders-on-one-roll", combat(
        ["g1", "l1", "l2", "r1", "r2"],
        (4, 4, {"r1": -3}, False),
        (8, 4, {"g1": 0}, True),
        bound={"l1": ["g1"], "l2": ["g1"]},
    )


SITUATIONS = (
    squad_against_squad,
    light_machine_gun,
    directed_by_a_leader,
    pinned_squad,
    broken_squad,
    lone_leader,
    exhausted_and_fresh_targets,
    withdrawal_with_one_staying,
    attacked_twice,
    a_leader_goes_while_his_squad_dies,
    a_leader_is_caught_as_his_squad_dies,
    two_leaders_on_one_roll,
)
