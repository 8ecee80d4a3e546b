"""The dice workloads in icepool and in dyce, in the best form that we know: vectors packed into one number, recursions
remembered by hand where the libraries do not."""

from fractions import Fraction
from functools import cache, partial

from contest import Absent, Contest
from hand import ROUNDS, kill_number

HIT = {0: 4, 1: 1, 256: 1}  # a blank, a shock, a kill
KILL = {0: 5, 1: 1}
SYMBOL = {0: 2, 1: 1, 256: 1, 257: 1, 65536: 1}  # blanks, suppression, damage, both, critical
SHIELD = {0: 3, 1: 2, 2: 1}
DRAW = 99  # a row that nobody has


def contest(library, workload):
    module = Icepool() if library == "icepool" else Dyce()
    match workload.split("-"):
        case ["w2"]:
            answer = module.w2
        case ["w1", *which, size] | [("w3" | "w4") as which, size]:
            name = f"w1_{'_'.join(which)}" if isinstance(which, list) else which
            a, b = map(int, size.split("v"))
            answer = partial(getattr(module, name), a) if name == "w3" else partial(getattr(module, name), a, b)
        case _:
            raise Absent(f"{library} does not enter for {workload}")
    return Contest(answer, end=module.ends)


def clamped(difference):
    return max(-4, min(4, difference))


def joint(a, b):
    (kills_a, shocks_a), (kills_b, shocks_b) = divmod(a, 256), divmod(b, 256)
    return kills_a, shocks_a, kills_b, shocks_b, clamped(kills_a - kills_b)


def fought(state, a, b):
    """A state of the rounds, after one more: the row, DRAW as long as it goes on, and what each side has done."""
    _, kills_a, shocks_a, kills_b, shocks_b = state
    more_a, hurt_a, more_b, hurt_b, row = joint(a, b)
    return row or DRAW, kills_a + more_a, shocks_a + hurt_a, kills_b + more_b, shocks_b + hurt_b


def over(state):
    return (0 if state[0] == DRAW else state[0], *state[1:])


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


class Icepool:
    def __init__(self):
        import icepool

        self.lib = icepool

    def ends(self, die):
        return {self.plain(end): weight for end, weight in die.items() if weight}

    def plain(self, end):
        """icepool makes vectors of tuples; this makes tuples of them again."""
        if isinstance(end, int):
            return (end,)
        return tuple(self.plain(part) if isinstance(part, tuple) else part for part in end)

    def w1_joint(self, men_a, men_b):
        hit = self.lib.Die(HIT)
        return self.lib.map(joint, men_a @ hit, men_b @ hit)

    def w1_row(self, men_a, men_b):
        kill = self.lib.Die(KILL)
        return (men_a @ kill - men_b @ kill).clip(-4, 4)

    def w1_rounds_row(self, men_a, men_b):
        kill = self.lib.Die(KILL)

        @cache
        def fight(a, b, number):
            def after(kills_a, kills_b):
                if kills_a == kills_b and number < ROUNDS:
                    return fight(max(a - kills_b, 0), max(b - kills_a, 0), number + 1)
                return clamped(kills_a - kills_b), number

            return self.lib.map(after, a @ kill, b @ kill)

        return fight(men_a, men_b, 1)

    def w1_rounds_full(self, men_a, men_b):
        hit = self.lib.Die(HIT)

        @cache
        def thrown(a, b):
            return self.lib.tupleize(a @ hit, b @ hit)

        def round_after(state):
            if state[0] != DRAW:
                return state
            dice = thrown(max(men_a - state[3], 0), max(men_b - state[1], 0))
            return dice.map(lambda a, b: fought(state, a, b), star=True)

        states = self.lib.Die([(DRAW, 0, 0, 0, 0)])
        for _ in range(ROUNDS):
            states = states.map(round_after, star=False)
        return states.map(over, star=False)

    def w2(self):
        d6, two = self.lib.d6, 2 @ self.lib.d6

        def lots(read):
            return self.lib.map(read, d6, d6)

        on_a = two.map(lambda total: settled(kill_number(8, 5), 2, in_order, total, lots))
        on_b = two.map(lambda total: settled(kill_number(5, 8), 2, alike, total - 1, lots))
        return self.lib.map(lambda a, b: (a, b), on_a, on_b, star=False)

    def w3(self, n):
        two = 2 @ self.lib.d6

        @cache
        def hit(side):
            return self.lib.map(lambda *dice: w3_hit(*side, dice), *[self.lib.d6] * sum(side))

        def attacked(by, on):
            number = kill_number(strength(*by), strength(*on))
            return two.map(lambda total: (0, 0) if total < number else hit(on) if total == number else on)

        @cache
        def turn(state):
            a, b = state[:2], state[2:]
            if a == (0, 0) or b == (0, 0):
                return state
            return self.lib.map(lambda x, y: x + y, attacked(b, a), attacked(a, b), star=False)

        return self.lib.map(turn, (n, 0, n, 0), repeat="inf", star=False)

    def w4(self, attack_dice, defence_dice):
        return self.lib.map(cancel, attack_dice @ self.lib.Die(SYMBOL), defence_dice @ self.lib.Die(SHIELD))


class Dyce:
    def __init__(self):
        import warnings

        warnings.filterwarnings("ignore", message=".*experimental.*")
        import dyce

        self.H = dyce.H
        self.expand = partial(dyce.expand, min_path_probability=Fraction(0))  # else it leaves out what is rare

    def ends(self, outcomes):
        return {end if isinstance(end, tuple) else (end,): weight for end, weight in outcomes.items() if weight}

    def thrown(self, number, die):
        return number @ self.H(die) if number else self.H({0: 1})

    def w1_joint(self, men_a, men_b):
        hit = self.H(HIT)
        return (men_a @ hit).apply(joint, men_b @ hit)

    def w1_row(self, men_a, men_b):
        kill = self.H(KILL)
        return ((men_a @ kill) - (men_b @ kill)).apply(clamped)

    def w1_rounds_row(self, men_a, men_b):
        @cache
        def fight(a, b, number):
            def after(on_a, on_b):
                if on_a.outcome == on_b.outcome and number < ROUNDS:
                    return fight(max(a - on_b.outcome, 0), max(b - on_a.outcome, 0), number + 1)
                return clamped(on_a.outcome - on_b.outcome), number

            return self.expand(after, self.thrown(a, KILL), self.thrown(b, KILL))

        return fight(men_a, men_b, 1)

    def w1_rounds_full(self, men_a, men_b):
        thrown = cache(lambda number: self.thrown(number, HIT))

        def round_after(result):
            state = result.outcome
            if state[0] != DRAW:
                return state
            a, b = thrown(max(men_a - state[3], 0)), thrown(max(men_b - state[1], 0))
            return a.apply(lambda x, y: fought(state, x, y), b)

        states = self.H({(DRAW, 0, 0, 0, 0): 1})
        for _ in range(ROUNDS):
            states = self.expand(round_after, states)
        return states.apply(over)

    def w2(self):
        d6 = self.H(6)

        def lots(read):
            return self.expand(lambda *dice: read(*(die.outcome for die in dice)), d6, d6)

        def attack(number, drm, end):
            return self.expand(lambda roll: settled(number, 2, end, roll.outcome + drm, lots), 2 @ d6)

        on_a, on_b = attack(kill_number(8, 5), 0, in_order), attack(kill_number(5, 8), -1, alike)
        return on_a.apply(lambda a, b: (a, b), on_b)

    def w3(self, n):
        """dyce does not play on until something happens: a turn in which nothing does is taken out by hand."""
        two, d6 = 2 @ self.H(6), self.H(6)

        @cache
        def hit(side):
            return self.expand(lambda *dice: w3_hit(*side, [die.outcome for die in dice]), *[d6] * sum(side))

        @cache
        def attacked(on, number):
            def end(roll):
                return (0, 0) if roll.outcome < number else hit(on) if roll.outcome == number else on

            return self.expand(end, two)

        @cache
        def melee(a, b):
            if a == (0, 0) or b == (0, 0):
                return self.H({(*a, *b): 1})
            on_a = attacked(a, kill_number(strength(*b), strength(*a)))
            on_b = attacked(b, kill_number(strength(*a), strength(*b)))
            turn = on_a.apply(lambda x, y: (x, y), on_b)
            changes = self.H({sides: weight for sides, weight in turn.items() if sides != (a, b) and weight})
            return self.expand(lambda result: melee(*result.outcome), changes)

        return melee((n, 0), (n, 0))

    def w4(self, attack_dice, defence_dice):
        return (attack_dice @ self.H(SYMBOL)).apply(cancel, defence_dice @ self.H(SHIELD))
