"""ASL close combat by brute force.

Every situation function returns (name, distribution). An end state is a tuple of (unit, status), sorted by
unit; a status is ok, reduced (the squad is a half-squad), wounded, withdrawn or gone (eliminated).

Throughout: two dice a roll, nobody infiltrates after an Original 2 or 12, no leader is created, and there
is no ambush unless the situation says so. Modifiers help the roller when they are negative.
"""

from fractions import Fraction
from functools import partial

from . import D6, chances

COLUMNS = ((1, 8), (1, 6), (1, 4), (1, 2), (1, 1), (3, 2), (2, 1), (3, 1), (4, 1), (6, 1), (8, 1), (10, 1))


def kill_number(attack, defence, hand_to_hand=False):
    """A11.11b, CCT.a to CCT.d: how many columns are reached, one more beyond 10-1; red is two higher."""
    ratio = Fraction(attack) / Fraction(defence)
    number = sum(ratio >= Fraction(*column) for column in COLUMNS) + (ratio > 10)
    return number + 2 if hand_to_hand else number


def close_in(targets, number, states, drms=None):
    """One attack (A11.11e to A11.11k): new statuses of the targets that it changes.

    `targets` maps a unit to its class, `drms` a target to the modifier of this attack against it.
    """
    drms = drms or dict.fromkeys(targets, 0)
    first, second = yield D6, D6
    final = {unit: first + second + drms[unit] for unit in targets}
    changed = {unit: "gone" for unit in targets if final[unit] < number}
    in_the_draw = [unit for unit in targets if final[unit] == number]
    if in_the_draw:
        lots = [6] if len(in_the_draw) == 1 else (yield (D6,) * len(in_the_draw))
        for unit, lot in zip(in_the_draw, lots, strict=True):
            if lot == max(lots):
                changed[unit] = yield from casualty_reduction(targets[unit], states.get(unit, "ok"))
    return changed


def casualty_reduction(kind, status):
    """A11.11j, ASL-G01, ASL-G06: squad to half-squad; half-squad gone; a leader dies on a 5 or 6."""
    if kind == "leader":
        (severity,) = yield (D6,)
        return "gone" if severity + (status == "wounded") >= 5 else "wounded"
    return "reduced" if kind == "squad" and status == "ok" else "gone"


def simultaneous(units, *attacks):
    """All attacks at the strength declared (A11.12g): (targets, kill number[, modifiers by target]) each."""

    def play():
        states = dict.fromkeys(units, "ok")
        changes = []
        for targets, number, *drms in attacks:
            changes.append((yield from close_in({t: units[t] for t in targets}, number, states, *drms)))
        for change in changes:
            states.update(change)
        return tuple(sorted(states.items()))

    return chances(play)


def squad_against_squad():
    """German 4-6-7 g1 (ATTACKER) against Russian 4-4-7 r1; first CC, open ground, no flags.

    g1 attacks r1 and r1 attacks g1: 4 to 4, kill number 5 both ways.
    """
    units = {"g1": "squad", "r1": "squad"}
    return "squad-against-squad", simultaneous(units, (["r1"], kill_number(4, 4)), (["g1"], kill_number(4, 4)))


def squad_and_leader_against_two_squads():
    """German 4-6-7 g1 with 8-1 leader l1 on top (ATTACKER) against Russian 4-4-7 r1 and r2; first CC, open
    ground.

    g1 and l1 attack r1 and r2, directed by l1 (5 to 8, kill number 4, -1);
    r1 and r2 attack g1 and l1 (8 to 5, kill number 6). Random Selection with ties; wound severity 5 or 6
    kills.
    """
    units = {"g1": "squad", "l1": "leader", "r1": "squad", "r2": "squad"}
    return "squad-and-leader-against-two-squads", simultaneous(
        units, (["r1", "r2"], kill_number(5, 8), {"r1": -1, "r2": -1}), (["g1", "l1"], kill_number(8, 5))
    )


def broken_target():
    """German 4-6-7 g1 (ATTACKER) against a broken Russian 4-4-7 r1; first CC (no Melee), open ground.

    g1 attacks r1 (4 to 4, kill number 5, -2 for broken). r1 makes no attack and cannot withdraw.
    """
    units = {"g1": "squad", "r1": "squad"}
    return "broken-target", simultaneous(units, (["r1"], kill_number(4, 4), {"r1": -2}))


def withdrawal_with_one_covering():
    """In Melee: German 4-6-7 g1 and g2 (ATTACKER) against Russian 4-4-7 r1 and r2; r1 withdraws, r2 stays.

    g1 and g2 attack r1 and r2 together (8 to 8, kill number 5; -2 +1 = -1 against r1 only);
    r2 attacks g1 (4 to 4, kill number 5). An unharmed r1 ends withdrawn; a reduced one stays, reduced.
    """
    units = {"g1": "squad", "g2": "squad", "r1": "squad", "r2": "squad"}
    ends = simultaneous(units, (["r1", "r2"], kill_number(8, 8), {"r1": -1, "r2": 0}), (["g1"], kill_number(4, 4)))
    left = {("r1", "ok"): ("r1", "withdrawn")}
    return "withdrawal-with-one-covering", {
        tuple(left.get(unit, unit) for unit in state): chance for state, chance in ends.items()
    }


def pinned_against_concealed():
    """In Melee (so no ambush check): pinned German 4-6-7 g1 (ATTACKER) against a concealed Russian 4-4-7 r1.

    g1 attacks r1: 4, halved for pinned and again for the concealed target, is 1 to 4, kill number 3.
    r1 makes no attack. (Casualty Reduction also costs r1 its concealment; the end states do not show it.)
    """
    units = {"g1": "squad", "r1": "squad"}
    attack = Fraction(4) / 2 / 2
    return "pinned-against-concealed", simultaneous(units, (["r1"], kill_number(attack, 4)))


def pinned_defends_in_full():
    """In Melee: pinned German 4-6-7 g1 (ATTACKER) against Russian 4-4-7 r1, who attack each other.

    g1 attacks at half (2 to 4, kill number 4); r1 attacks a g1 worth its full 4 (kill number 5).
    """
    units = {"g1": "squad", "r1": "squad"}
    return "pinned-defends-in-full", simultaneous(
        units, (["r1"], kill_number(Fraction(4, 2), 4)), (["g1"], kill_number(4, 4))
    )


def hand_to_hand():
    """German 4-6-7 g1 (ATTACKER) against Russian 4-4-7 r1, first CC, open ground; both attacks hand-to-hand.

    4 to 4 both ways, red kill number 7.
    """
    units = {"g1": "squad", "r1": "squad"}
    number = kill_number(4, 4, hand_to_hand=True)
    return "hand-to-hand", simultaneous(units, (["r1"], number), (["g1"], number))


def counter_exhausted():
    """CX German 4-6-7 g1 (ATTACKER) against Russian 4-4-7 r1, first CC, open ground; they attack each other.

    g1 attacks at +1 (kill number 5), r1 attacks g1 at -1 (kill number 5).
    """
    units = {"g1": "squad", "r1": "squad"}
    number = kill_number(4, 4)
    return "counter-exhausted", simultaneous(units, (["r1"], number, {"r1": +1}), (["g1"], number, {"g1": -1}))


def half_squad_against_squad():
    """German half-squad 2-4-7 g1 (ATTACKER) against Russian 4-4-7 r1, first CC, open ground; each attacks
    the other.

    2 to 4, kill number 4; 4 to 2, kill number 7. Casualty Reduction removes the half-squad.
    """
    units = {"g1": "half-squad", "r1": "squad"}
    return "half-squad-against-squad", simultaneous(units, (["r1"], kill_number(2, 4)), (["g1"], kill_number(4, 2)))


def lone_leader_against_squad():
    """German 9-2 leader l1, alone (ATTACKER), against Russian 4-4-7 r1, first CC, open ground; each attacks
    the other.

    l1 attacks without his leadership (1 to 4, kill number 3); r1 attacks l1 (4 to 1, kill number 9).
    """
    units = {"l1": "leader", "r1": "squad"}
    return "lone-leader-against-squad", simultaneous(units, (["r1"], kill_number(1, 4)), (["l1"], kill_number(4, 1)))


def two_attacks_of_one_side():
    """German 4-6-7 g1 and g2 (ATTACKER) against Russian 4-4-7 r1 and half-squad 2-3-7 r2, first CC, open
    ground.

    g1 attacks r1 (4 to 4, kill number 5), g2 attacks r2 (4 to 2, kill number 7);
    r1 and r2 attack g1 (6 to 4, kill number 6).
    """
    units = {"g1": "squad", "g2": "squad", "r1": "squad", "r2": "half-squad"}
    return "two-attacks-of-one-side", simultaneous(
        units, (["r1"], kill_number(4, 4)), (["r2"], kill_number(4, 2)), (["g1"], kill_number(6, 4))
    )


def ambusher(attacker_drm=0):
    """Both sides' Ambush dice (A11.4f): who is at least three lower."""
    attacker, defender = yield D6, D6
    net = attacker + attacker_drm - defender
    return "attacker" if net <= -3 else "defender" if net >= 3 else None


def ambush_dice(net):
    """The Ambush check alone, the ATTACKER's modifiers less the DEFENDER's being `net`; by day.

    End states: (("attacker", s), ("defender", s)) with s = ambushes or ok.
    """

    def play():
        winner = yield from ambusher(net)
        return tuple((side, "ambushes" if side == winner else "ok") for side in ("attacker", "defender"))

    return f"ambush-dice{net:+d}", chances(play)


def ambush_in_woods():
    """German 4-6-7 g1 (ATTACKER) has advanced into woods with Russian 4-4-7 r1; first CC; no Ambush
    modifiers.

    Ambush check. Without an Ambush both attack simultaneously (4 to 4, kill number 5). After one, the
    ambusher attacks first at -1; the other side, if it survives, replies at +1: a squad at 4 to 4, the
    half-squad it became (2-4-7 or 2-3-7) at 2 to 4, kill number 4. The ambusher does not withdraw.
    """
    units = {"g1": "squad", "r1": "squad"}

    def play():
        states = dict.fromkeys(units, "ok")
        winner = yield from ambusher()
        first, second = ("r1", "g1") if winner == "defender" else ("g1", "r1")
        drm = -1 if winner else 0
        struck = yield from close_in({second: "squad"}, kill_number(4, 4), states, {second: drm})
        strength = 4
        if winner:
            states.update(struck)
            strength = {"ok": 4, "reduced": 2, "gone": 0}[states[second]]
        if strength:
            reply = yield from close_in({first: "squad"}, kill_number(strength, 4), states, {first: -drm})
            states.update(reply)
        states.update(struck)
        return tuple(sorted(states.items()))

    return "ambush-in-woods", chances(play)


def left_by_his_squad():
    """German 4-6-7 g1 (ATTACKER) has advanced into woods with a CX Russian 4-4-7 r1 and an 8-1 leader l1 on it; first CC.

    The Ambush modifiers of the Russians, +1 for CX and -1 for the leader, cancel. Everybody attacks all of the enemy, l1 directs.
    After a German Ambush whoever is left replies: l1 may find himself alone (A11.14b), who is not CX and directs nobody (1 to 4).
    """
    units = {"g1": "squad", "l1": "leader", "r1": "squad"}
    russians = {"r1": "squad", "l1": "leader"}

    def play():
        states = dict.fromkeys(units, "ok")
        winner = yield from ambusher()
        if winner == "attacker":
            states.update((yield from close_in(russians, kill_number(4, 5), states, {"r1": -2, "l1": -1})))
            squad, led = {"ok": 4, "reduced": 2, "gone": 0}[states["r1"]], states["l1"] != "gone"
            if squad or led:
                drm = 1 + (squad > 0) - (squad > 0 and led)  # the ambusher, CX, the leader
                states.update((yield from close_in({"g1": "squad"}, kill_number(squad + led, 4), states, {"g1": drm})))
        elif winner == "defender":
            states.update((yield from close_in({"g1": "squad"}, kill_number(5, 4), states, {"g1": -1})))
            strength = {"ok": 4, "reduced": 2, "gone": 0}[states["g1"]]
            if strength:
                reply = yield from close_in(russians, kill_number(strength, 5), states, {"r1": 0, "l1": 1})
                states.update(reply)
        else:
            struck = yield from close_in(russians, kill_number(4, 5), states, {"r1": -1, "l1": 0})
            states.update((yield from close_in({"g1": "squad"}, kill_number(5, 4), states, {"g1": 0})))
            states.update(struck)
        return tuple(sorted(states.items()))

    return "left-by-his-squad", chances(play)


SITUATIONS = (
    squad_against_squad,
    squad_and_leader_against_two_squads,
    broken_target,
    withdrawal_with_one_covering,
    pinned_against_concealed,
    pinned_defends_in_full,
    hand_to_hand,
    counter_exhausted,
    half_squad_against_squad,
    lone_leader_against_squad,
    two_attacks_of_one_side,
    *(partial(ambush_dice, net) for net in (-2, -1, 0, 1, 2)),
    ambush_in_woods,
    left_by_his_squad,
)
