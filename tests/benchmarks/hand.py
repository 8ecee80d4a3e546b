"""The benchmark workloads, written tightly by hand: no rules, no YAML, only the arithmetic.

Every function returns {end state: weight}; the weights are integers over their sum, or Fractions that sum to one.

W1        Two dice pools, 5 is a shock and 6 a kill. joint: (kills by A, shocks by A, kills by B, shocks by B, row), the
          row being the difference in kills, from -4 to 4. row: that alone. rounds: a draw is fought again, three rounds
          at most, without those who have fallen; of these rounds the row and how many there were (rounds-row), or the
          row and all that each side has done (rounds-full).
W2        Squad and leader (8-1) against two squads, one attack each way, random selection with ties: ((squad,
          leader), (squad, squad)); the two squads are alike, so theirs are sorted.
W3        n squads against n, one attack each way every turn, until a side is empty: (squads A, half-squads A,
          squads B, half-squads B).
W4        m attack dice with symbols against n defence dice with shields: (damage, suppression, criticals).
W5        W2 played with dice, for its end alone or with a trace of what was thrown and what it did.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from math import comb, gcd, lcm
from random import Random

from contest import PLAYINGS, Contest
from tables import CASES, OF_A_SIDE, OF_THE_PLACE, TABLES, cases, rows

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


def kills_only(dice):
    """The weight of every number of kills, over 6**dice."""
    return [comb(dice, k) * 5 ** (dice - k) for k in range(dice + 1)]


def w1_row(men_a, men_b):
    out = dict.fromkeys(range(-4, 5), 0)
    b = kills_only(men_b)
    for ka, wa in enumerate(kills_only(men_a)):
        for kb, wb in enumerate(b):
            out[max(-4, min(4, ka - kb))] += wa * wb
    return {(row,): weight for row, weight in out.items()}


ROUNDS = 3


def w1_rounds_row(men_a, men_b):
    """After a draw both have lost as many, so one number is all that goes on."""
    out, fallen = {}, {0: 1}
    for number in range(1, ROUNDS + 1):
        later, drawn = 6 ** ((men_a + men_b) * (ROUNDS - number)), {}
        for gone, before in fallen.items():
            left_a, left_b = max(men_a - gone, 0), max(men_b - gone, 0)
            before *= 6 ** (men_a + men_b - left_a - left_b)
            b = kills_only(left_b)
            for ka, wa in enumerate(kills_only(left_a)):
                wa *= before
                for kb, wb in enumerate(b):
                    if ka == kb and number < ROUNDS:
                        drawn[gone + ka] = drawn.get(gone + ka, 0) + wa * wb
                    else:
                        end = max(-4, min(4, ka - kb)), number
                        out[end] = out.get(end, 0) + wa * wb * later
        fallen = drawn
    return out


def w1_rounds_full(men_a, men_b):
    """The shocks of a draw are added to, first one side's and then the other's."""
    out, fallen = {}, {0: {(0, 0): 1}}
    for number in range(1, ROUNDS + 1):
        later, drawn = 6 ** ((men_a + men_b) * (ROUNDS - number)), {}
        for gone, shocks in fallen.items():
            left_a, left_b = max(men_a - gone, 0), max(men_b - gone, 0)
            scale = 6 ** (men_a + men_b - left_a - left_b)
            b = kills_and_shocks(left_b)
            for ka, shocks_a in enumerate(kills_and_shocks(left_a)):
                with_a = {}
                for (x, y), before in shocks.items():
                    before *= scale
                    for sa, wa in shocks_a:
                        with_a[x + sa, y] = with_a.get((x + sa, y), 0) + before * wa
                for kb, shocks_b in enumerate(b):
                    row = max(-4, min(4, ka - kb))
                    if row or number == ROUNDS:
                        for (x, y), weight in with_a.items():
                            weight *= later
                            for sb, wb in shocks_b:
                                end = row, gone + ka, x, gone + kb, y + sb
                                out[end] = out.get(end, 0) + weight * wb
                    else:
                        again = drawn.setdefault(gone + ka, {})
                        for (x, y), weight in with_a.items():
                            for sb, wb in shocks_b:
                                again[x, y + sb] = again.get((x, y + sb), 0) + weight * wb
        fallen = drawn
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


# ---- W5: W2 played ----


def w5_ends(targets, number, total, roll):
    """What becomes of the targets of one attack that threw this total."""
    if total != number:
        return ["gone" if total < number else "ok"] * targets
    lots = [roll() for _ in range(targets)]
    highest = max(lots)
    return ["reduced" if lot == highest else "ok" for lot in lots]


def w5_bare(roll: Callable[[], int]):
    on_b, on_a = roll() + roll() - 1, roll() + roll()
    end_b = w5_ends(2, kill_number(5, 8), on_b, roll)
    end_a = w5_ends(2, kill_number(8, 5), on_a, roll)
    return tuple(end_a), tuple(sorted(end_b))


def w5_traced(roll: Callable[[], int]):
    a, b = (4, 1), (4, 4)
    trace, totals, ends = [], [], []
    attacks = (("on-b", a, b, -1, ("a1", "a2"), ("b1", "b2")), ("on-a", b, a, 0, ("b1", "b2"), ("a1", "a2")))
    for name, _, _, drm, attackers, targets in attacks:
        dice = roll(), roll()
        totals.append(sum(dice) + drm)
        trace.append(("roll", name, attackers, targets, dice, drm, totals[-1]))
    for (name, by, on, _, _, targets), total in zip(attacks, totals, strict=True):
        number = kill_number(sum(by), sum(on))
        trace.append(("kill number", name, sum(by), sum(on), number))
        if total == number:
            lots = [roll() for _ in on]
            trace.append(("lots", name, targets, lots))
            highest = max(lots)
            ends.append(["reduced" if lot == highest else "ok" for lot in lots])
        else:
            ends.append(["gone" if total < number else "ok"] * len(on))
        trace.append(("result", name, list(zip(targets, ends[-1], strict=True))))
    return (tuple(ends[1]), tuple(sorted(ends[0]))), trace


# ---- R1, R2, R3 and R6: tables over a situation that is known ----


def odds_column(attacker, target):
    """Which column of the chart, from 1 to 14; below the first it is the first."""
    a, b = attacker.strength, target.strength
    if a >= b:
        if a >= 3 * b:
            return 14 if a >= 10 * b else 13 if a >= 8 * b else 12 if a >= 6 * b else 11 if a >= 4 * b else 10
        return 9 if a >= 2 * b else 8 if 2 * a >= 3 * b else 7
    if 3 * a >= b:
        return 6 if 3 * a >= 2 * b else 5 if 2 * a >= b else 4
    return 3 if 4 * a >= b else 2 if 6 * a >= b else 1


def written_out(rows):
    """The rows as one writes them, an `if` after the other."""
    signs = {"=": "==", "at least": ">=", "at most": "<=", "in": "in"}
    lines = ["def modifier(attacker, target, place):", "    total = 0"]
    for row in rows:
        tests = [
            f"{'' if test.what else 'not '}{test.who}.{test.fact}"
            if test.how == "is"
            else f"{test.who}.{test.fact} {signs[test.how]} {test.what!r}"
            for test in row.tests
        ]
        lines += [f"    if {' and '.join(tests)}:", f"        total += {row.add}"]
    space = {}
    exec("\n".join([*lines, "    return total"]), space)
    return space["modifier"]


def slotted(name, facts):
    """A class that holds these facts and nothing else."""
    lines = [f"class {name}:", f"    __slots__ = {tuple(facts)!r}", f"    def __init__(self, {', '.join(facts)}):"]
    space = {}
    exec("\n".join([*lines, *(f"        self.{fact} = {fact}" for fact in facts)]), space)
    return space[name]


def modifiers(workload):
    """The situation comes as a dictionary, and is made into objects."""
    side, place = slotted("Side", OF_A_SIDE), slotted("Place", [*OF_THE_PLACE, "odds"])
    modifier = written_out(rows(TABLES[workload]))

    first = cases()[0]

    def objects(case):
        return side(**case["attacker"]), side(**case["target"]), place(**case["place"])

    decide = (lambda a, b, _: odds_column(a, b)) if workload == "r3" else modifier

    def ready():
        known = [objects(case) for case in cases()]
        return lambda: [decide(*one) for one in known]

    return Contest(
        lambda: [decide(*objects(first))],
        ready,
        check=lambda: [decide(*objects(case)) for case in cases()],
        times=CASES,
    )


# ---- who enters for what ----

QUESTIONS = {
    **{f"w1-joint-{a}v{b}": partial(w1_joint, a, b) for a, b in ((8, 11), (17, 11), (40, 40))},
    **{f"w1-row-{a}v{b}": partial(w1_row, a, b) for a, b in ((8, 11), (40, 40))},
    **{f"w1-rounds-row-{a}v{b}": partial(w1_rounds_row, a, b) for a, b in ((8, 11), (17, 11))},
    **{f"w1-rounds-full-{a}v{b}": partial(w1_rounds_full, a, b) for a, b in ((2, 3), (4, 5), (8, 11))},
    "w2": w2,
    **{f"w3-{n}v{n}": partial(w3, n) for n in (3, 6)},
    **{f"w4-{n}v{n}": partial(w4, n, n) for n in (3, 6, 10)},
}


def rolls(seed: int) -> Callable[[], int]:
    return partial(Random(seed).randint, 1, 6)


def contest(workload: str) -> Contest:
    match workload:
        case "w5-bare":
            return playing(w5_bare)
        case "w5-traced":
            return playing(lambda roll: w5_traced(roll)[0])
        case "r1" | "r2" | "r3" | "r6":
            return modifiers(workload)
    return Contest(QUESTIONS[workload])


def playing(play: Callable) -> Contest:
    """Played with the dice of a seed; it is held against others by playing with a thousand of them."""
    dice = rolls(1)
    return Contest(lambda: play(dice), check=lambda: [play(rolls(seed)) for seed in range(PLAYINGS)])
