"""The benchmark workloads, written tightly by hand: no rules, no YAML, only the arithmetic.

Every function returns {end state: weight}; the weights are integers over their sum, or Fractions that sum to one.

W1 joint  Two dice pools, 5 is a shock and 6 a kill: (kills by A, shocks by A, kills by B, shocks by B, row), the
          row being the difference in kills, from -4 to 4.
W2        Squad and leader (8-1) against two squads, one attack each way, random selection with ties: ((squad,
          leader), (squad, squad)); the two squads are alike, so theirs are sorted.
W3        n squads against n, one attack each way every turn, until a side is empty: (squads A, half-squads A,
          squads B, half-squads B).
W4        m attack dice with symbols against n defence dice with shields: (damage, suppression, criticals).
"""

from fractions import Fraction
from functools import partial
from hashlib import sha256
from math import comb, gcd, lcm


def digest(dist):
    """Equal exactly if the distributions are: sha256 of the sorted items as exact fractions."""
    total = sum(dist.values())
    shares = ((repr(end), Fraction(weight) / total) for end, weight in dist.items() if weight)
    lines = sorted(f"{end}={share.numerator}/{share.denominator}\n" for end, share in shares)
    return sha256("".join(lines).encode()).hexdigest()[:16]


# ---- W1: two pools ----


def kills_and_shocks(dice):
    """For every number of kills, [(shocks, weight)] over 6**dice."""
    blanks = [4**n for n in range(dice + 1)]
    return [
        [(s, comb(dice, k) * comb(dice - k, s) * blanks[dice - k - s]) for s in range(dice - k + 1)]
        for k in range(dice + 1)
    ]


def w1_joint(men_a, men_b):
    a, b = kills_and_shocks(men_a), kills_and_shocks(men_b)
    out = {}
    for ka, shocks_a in enumerate(a):
        for kb, shocks_b in enumerate(b):
            row = max(-4, min(4, ka - kb))
            for sa, wa in shocks_a:
                for sb, wb in shocks_b:
                    out[ka, sa, kb, sb, row] = wa * wb
    return out


# ---- W2 and W3: odds, two dice, random selection ----

TWO_DICE = (0, 0, 1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1)
BELOW = [sum(TWO_DICE[:number]) for number in range(14)]
KILL_NUMBERS = (
    (10, 1, 12), (8, 1, 11), (6, 1, 10), (4, 1, 9), (3, 1, 8), (2, 1, 7),
    (3, 2, 6), (1, 1, 5), (1, 2, 4), (1, 4, 3), (1, 6, 2),
)  # fmt: skip


def kill_number(attack, defence):
    for left, right, number in KILL_NUMBERS:
        if attack * right >= defence * left:
            return number
    return 1


def all_tied(highest, others):
    """Ways in which `highest` given dice tie for the highest of them all; over 6**(highest + others)."""
    return sum((face - 1) ** others for face in range(1, 7)) if highest else 0


def w2_attack(by, on, drm):
    """One attack: {statuses of the targets: weight} over 36 * 6**targets; alike targets are sorted."""
    targets = len(on)
    end = sorted if len(set(on)) == 1 else list
    number = kill_number(sum(by), sum(on)) - drm
    below, equal = BELOW[number], TWO_DICE[number]
    out = {("gone",) * targets: below * 6**targets, ("ok",) * targets: (36 - below - equal) * 6**targets}
    for hit in range(1, 1 << targets):
        state = tuple(end(["reduced" if hit >> i & 1 else "ok" for i in range(targets)]))
        tied = hit.bit_count()
        out[state] = out.get(state, 0) + equal * all_tied(tied, targets - tied)
    return out


def w2():
    """Firepower 4 and 1, led at -1, against 4 and 4."""
    a, b = (4, 1), (4, 4)
    on_a, on_b = w2_attack(b, a, 0), w2_attack(a, b, -1)
    return {(x, y): wx * wy for x, wx in on_a.items() for y, wy in on_b.items()}


def w3_attack(squads, halves, number):
    """One attack on a side: [((squads, halves), weight)], "nothing happens" first, and the sum of the weights."""
    units = squads + halves
    full = 6**units
    below, equal = BELOW[number], TWO_DICE[number]
    out = {(squads, halves): (36 - below - equal) * full}
    if below:
        out[0, 0] = below * full
    if equal:
        tied = [all_tied(hit, units - hit) for hit in range(units + 1)]
        for x in range(squads + 1):
            for y in range(halves + 1):
                if x + y:
                    end = squads - x, halves + x - y
                    out[end] = out.get(end, 0) + equal * comb(squads, x) * comb(halves, y) * tied[x + y]
    common = gcd(*out.values(), 36 * full)
    return [(end, weight // common) for end, weight in out.items()], 36 * full // common


def w3(n):
    """Strength only falls: one sweep in falling strength gives every state's expected visits."""
    known = {}

    def attack(by, on):
        key = on, kill_number(2 * by[0] + by[1], 2 * on[0] + on[1])
        if key not in known:
            known[key] = w3_attack(*on, key[1])
        return known[key]

    sides = [(squads, halves) for squads in range(n + 1) for halves in range(n + 1 - squads)]
    states = [(a, b) for a in sides for b in sides]
    states.sort(key=lambda state: -sum(2 * squads + halves for squads, halves in state))
    inflow = {((n, 0), (n, 0)): [(1, 1)]}
    ends = {}
    for state in states:
        parts = inflow.pop(state, None)
        if parts is None:
            continue
        den = lcm(*(d for _, d in parts))
        num = sum(x * (den // d) for x, d in parts)
        a, b = state
        if a == (0, 0) or b == (0, 0):
            ends[a + b] = Fraction(num, den)
            continue
        on_a, total_a = attack(b, a)
        on_b, total_b = attack(a, b)
        den *= total_a * total_b - on_a[0][1] * on_b[0][1]
        common = gcd(num, den)
        num, den = num // common, den // common
        for end_a, wa in on_a:
            share = num * wa
            for end_b, wb in on_b:
                end = end_a, end_b
                if end != state:
                    inflow.setdefault(end, []).append((share * wb, den))
    return ends


# ---- W4: symbols that cancel ----


def symbols(dice):
    """(damage, suppression, criticals) of dice with two blanks, S, D, D and S, C: weights over 6**dice."""
    out = {}
    for c in range(dice + 1):
        wc = comb(dice, c)
        for both in range(dice - c + 1):
            wb = wc * comb(dice - c, both)
            left = dice - c - both
            for d in range(left + 1):
                wd = wb * comb(left, d)
                for s in range(left - d + 1):
                    key = d + both, s + both, c
                    out[key] = out.get(key, 0) + (wd * comb(left - d, s) << (left - d - s))
    return out


def shields(dice):
    """How many shields, of dice with three blanks, two single shields and one double: weights over 6**dice."""
    out = [0] * (2 * dice + 1)
    for two in range(dice + 1):
        w2 = comb(dice, two)
        for one in range(dice - two + 1):
            out[2 * two + one] += w2 * comb(dice - two, one) * 3 ** (dice - two - one) << one
    return out


def w4(attack_dice, defence_dice):
    """Shields take damage first, then suppression; "enough to take all" is one sum."""
    exactly = shields(defence_dice)
    at_least = [*exactly, 0]
    most = 2 * defence_dice
    for n in range(most - 1, -1, -1):
        at_least[n] += at_least[n + 1]
    out = {}
    get = out.get
    for (d, s, c), weight in symbols(attack_dice).items():
        if d + s <= most:
            out[0, 0, c] = get((0, 0, c), 0) + weight * at_least[d + s]
        for n in range(min(d + s - 1, most) + 1):
            end = (d - n, s, c) if n <= d else (0, d + s - n, c)
            out[end] = get(end, 0) + weight * exactly[n]
    return out


COMPARATORS = {
    "w1-8v11": partial(w1_joint, 8, 11),
    "w1-17v11": partial(w1_joint, 17, 11),
    "w2": w2,
    "w3-3v3": partial(w3, 3),
    "w3-6v6": partial(w3, 6),
    "w4-3v3": partial(w4, 3, 3),
    "w4-6v6": partial(w4, 6, 6),
    "w4-10v10": partial(w4, 10, 10),
}
