"""The same workloads in icepool and in dyce, where they are installed: {workload: function}, in their best known form.

Nobody needs these libraries to run the benchmark.
"""

import sys
from fractions import Fraction
from functools import partial

from comparators import kill_number

try:
    import icepool
except ImportError:
    icepool = None
try:
    import dyce
except ImportError:
    dyce = None

HIT = {0: 4, 1: 1, 256: 1}  # a blank, a shock, a kill
SYMBOL = {0: 2, 1: 1, 256: 1, 257: 1, 65536: 1}  # blanks, suppression, damage, both, critical
SHIELD = {0: 3, 1: 2, 2: 1}


def joint(a, b):
    (kills_a, shocks_a), (kills_b, shocks_b) = divmod(a, 256), divmod(b, 256)
    return kills_a, shocks_a, kills_b, shocks_b, max(-4, min(4, kills_a - kills_b))


def cancel(symbols, shields):
    damage, suppression = symbols >> 8 & 255, symbols & 255
    spare = max(shields - damage, 0)
    return max(damage - shields, 0), max(suppression - spare, 0), symbols >> 16


def settled(number, targets, end, total, lots):
    """The end of one attack on `targets` units, `lots` giving the distribution of the dice of the draw."""
    if total == number:
        return lots(lambda *dice: end("reduced" if die == max(dice) else "ok" for die in dice))
    return end(("gone" if total < number else "ok",) * targets)


def in_order(statuses):
    return tuple(statuses)


def alike(statuses):
    return tuple(sorted(statuses))


def w3_hit(squads, halves, dice):
    """The side when the highest dice are hit, squads' dice first."""
    hit = [die == max(dice) for die in dice]
    x = sum(hit[:squads])
    return squads - x, halves + x - sum(hit[squads:])


def strength(squads, halves):
    return 2 * squads + halves


def weights(outcomes):
    return {end: weight for end, weight in outcomes.items() if weight}


# ---- icepool ----


def plain(end):
    """icepool makes vectors of tuples; this makes tuples of them again."""
    return tuple(plain(part) if isinstance(part, tuple) else part for part in end)


def icepool_ends(die):
    return {plain(end): weight for end, weight in die.items() if weight}


def icepool_w1(men_a, men_b):
    hit = icepool.Die(HIT)
    return icepool_ends(icepool.map(joint, men_a @ hit, men_b @ hit))


def icepool_w2():
    def lots(read):
        return icepool.map(read, icepool.d6, icepool.d6)

    two = 2 @ icepool.d6
    on_a = two.map(lambda total: settled(kill_number(8, 5), 2, in_order, total, lots))
    on_b = two.map(lambda total: settled(kill_number(5, 8), 2, alike, total - 1, lots))
    return icepool_ends(icepool.map(lambda a, b: (a, b), on_a, on_b, star=False))


def icepool_w3(n):
    two, known = 2 @ icepool.d6, {}

    def hit(side):
        if side not in known:
            known[side] = icepool.map(lambda *dice: w3_hit(*side, dice), *[icepool.d6] * sum(side))
        return known[side]

    def attacked(by, on):
        number = kill_number(strength(*by), strength(*on))
        return two.map(lambda total: (0, 0) if total < number else hit(on) if total == number else on)

    def turn(state):
        a, b = state[:2], state[2:]
        if a == (0, 0) or b == (0, 0):
            return state
        if state not in known:
            known[state] = icepool.map(lambda x, y: x + y, attacked(b, a), attacked(a, b), star=False)
        return known[state]

    return icepool_ends(icepool.map(turn, (n, 0, n, 0), repeat="inf", star=False))


def icepool_w4(attack_dice, defence_dice):
    return icepool_ends(icepool.map(cancel, attack_dice @ icepool.Die(SYMBOL), defence_dice @ icepool.Die(SHIELD)))


def forget():
    """Empty icepool's memos, so that every repetition starts cold."""
    for name, module in list(sys.modules.items()):
        if name.split(".")[0] == "icepool":
            holders = [module, *(thing for thing in vars(module).values() if isinstance(thing, type))]
            for holder in holders:
                for thing in list(vars(holder).values()):
                    getattr(getattr(thing, "__func__", thing), "cache_clear", int)()


# ---- dyce ----


def dyce_w1(men_a, men_b):
    hit = dyce.H(HIT)
    return weights((men_a @ hit).apply(joint, men_b @ hit))


def dyce_w2():
    d6, exact = dyce.H(6), Fraction(0)

    def lots(read):
        return dyce.expand(lambda *dice: read(*(die.outcome for die in dice)), d6, d6, min_path_probability=exact)

    def attack(number, drm, end):
        return dyce.expand(
            lambda roll: settled(number, 2, end, roll.outcome + drm, lots), 2 @ d6, min_path_probability=exact
        )

    on_a, on_b = attack(kill_number(8, 5), 0, in_order), attack(kill_number(5, 8), -1, alike)
    return weights(on_a.apply(lambda a, b: (a, b), on_b))


def dyce_w4(attack_dice, defence_dice):
    return weights((attack_dice @ dyce.H(SYMBOL)).apply(cancel, defence_dice @ dyce.H(SHIELD)))


def workloads(w1, w2, w3, w4):
    """icepool takes minutes for w3 at six against six, and dyce does not play on until something happens."""
    return {
        "w1-8v11": partial(w1, 8, 11),
        "w1-17v11": partial(w1, 17, 11),
        "w2": w2,
        "w4-3v3": partial(w4, 3, 3),
        "w4-6v6": partial(w4, 6, 6),
        "w4-10v10": partial(w4, 10, 10),
    } | ({"w3-3v3": partial(w3, 3)} if w3 else {})


PEERS = {}
if icepool:
    PEERS["icepool"] = workloads(icepool_w1, icepool_w2, icepool_w3, icepool_w4)
if dyce:
    PEERS["dyce"] = workloads(dyce_w1, dyce_w2, None, dyce_w4)
