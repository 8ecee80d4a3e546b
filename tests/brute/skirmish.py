"""Skirmish close combat by brute force.

Every situation function returns (name, distribution). An end state is a tuple of (side, (men left, shock,
inches of retreat, surrendered, broken)) for attacker and defender. Of a side without men nothing else is
told: it reads (0, 0, 0, False, False).

Two rounds at most in all. Every side is one unit of one Team; all Kills rolled count for the result even
beyond the men present. A side that has lost its last man has beaten nobody; that, or a draw that leaves one,
ends the fight where it stands. More Shock than figures (the Leader too) pins a unit, also before the first
round; after the fight twice as much breaks it.
"""

from dataclasses import dataclass

from . import chances

COMBAT_DIE = {"-": 4, "shock": 1, "kill": 1}
RETREAT = {1: 6, 2: 9, 3: 12}


@dataclass
class Side:
    """`cover` is what this side is in; `orders` are those of its active Leader, None if it has none."""

    men: int
    quality: str = "regular"
    shock: int = 0
    orders: int | None = None
    cover: str | None = None
    pinned: bool = False
    stubborn: bool = False
    aggressive: bool = False


def pool(me, foe, men, shock, attacking, first_round, pinned=False):
    """SK-dice: additions and subtractions first, then the removals one after the other, rounded down."""
    number = men + (me.orders or 0) + {"elite": 2, "regular": 0, "green": -2}[me.quality]
    number -= shock if me.quality == "green" else shock // 2
    number = max(number, 0)
    if attacking and first_round and foe.cover == "light":
        number = number * 2 // 3
    if attacking and first_round and foe.cover == "hard":
        number = number // 2
    return number // 2 if pinned else number


def figures(me, men):
    return men + (me.orders is not None)


def fight(attacker, defender):
    sides = {"attacker": attacker, "defender": defender}

    def play():
        men = {name: me.men for name, me in sides.items()}
        shock = {name: me.shock for name, me in sides.items()}
        pinned = {name: me.pinned or me.shock > figures(me, me.men) for name, me in sides.items()}
        for fought in (1, 2):
            kills, shocks = {}, {}
            sizes = {
                name: pool(me, foe, men[name], shock[name], name == "attacker", fought == 1, pinned[name])
                for name, me, foe in (("attacker", attacker, defender), ("defender", defender, attacker))
            }
            for name, size in sizes.items():
                faces = yield (COMBAT_DIE,) * size
                kills[name], shocks[name] = faces.count("kill"), faces.count("shock")
            for name, foe in (("attacker", "defender"), ("defender", "attacker")):
                men[name] = max(men[name] - kills[foe], 0)
                shock[name] += shocks[foe]
                pinned[name] = pinned[name] or shock[name] > figures(sides[name], men[name])
            loser = "attacker" if kills["attacker"] < kills["defender"] else "defender"
            beaten_by = abs(kills["attacker"] - kills["defender"])
            me = sides[loser]
            if beaten_by == 1 and (me.aggressive or (me.stubborn and loser == "defender")):
                beaten_by = 0
            if not men["defender" if loser == "attacker" else "attacker"]:
                beaten_by = 0
            if beaten_by or not all(men.values()):
                break
        parted = not beaten_by and all(men.values())
        retreat = {"attacker": 6, "defender": 6} if parted else {"attacker": 0, "defender": 0}
        surrendered = beaten_by >= 4 and me.orders is None
        broken = beaten_by >= 4 and not surrendered
        if broken:
            retreat[loser] = 18
            shock[loser] += 3
        elif 1 <= beaten_by <= 3:
            retreat[loser] = RETREAT[beaten_by]
            shock[loser] += beaten_by - 1
        ends = []
        for name in sides:
            lost = beaten_by > 0 and name == loser
            yielded = lost and surrendered
            cracks = not yielded and shock[name] >= 2 * figures(sides[name], men[name])
            end = (men[name], shock[name], retreat[name], yielded, (lost and broken) or cracks)
            ends.append((name, end if men[name] else (0, 0, 0, False, False)))
        return tuple(ends)

    return chances(play)


def three_against_two():
    """Attacker: 3 regular men. Defender: 2 regular men. No Leaders, cover or Shock: 3 dice against 2."""
    return "three-against-two", fight(Side(3), Side(2))


def green_attackers():
    """Attacker: 4 green men with 1 Shock (4 - 2 - 1 = 1 die). Defender: 2 regular men (2 dice). No Leaders."""
    return "green-attackers", fight(Side(4, "green", shock=1), Side(2))


def elite_against_one():
    """Attacker: 2 elite men with 1 Shock (2 + 2 - 0 = 4 dice). Defender: 1 regular man (1 die). No Leaders.

    Beaten by four, the defender would surrender, but has no men left to do so.
    """
    return "elite-against-one", fight(Side(2, "elite", shock=1), Side(1))


def hard_cover():
    """Attacker: 4 regular men. Defender: 2 regular men in Hard Cover. No Leaders: 2 dice against 2 in round
    one.
    """
    return "hard-cover", fight(Side(4), Side(2, cover="hard"))


def light_cover():
    """Attacker: 4 regular men. Defender: 1 regular man in Light Cover. No Leaders: 2 dice against 1 in
    round one.
    """
    return "light-cover", fight(Side(4), Side(1, cover="light"))


def shock_costs_dice():
    """Attacker: 3 regular men with 2 Shock (2 dice). Defender: 3 regular men with 3 Shock (2 dice). No
    Leaders.
    """
    return "shock-costs-dice", fight(Side(3, shock=2), Side(3, shock=3))


def pinned_in_hard_cover():
    """Attacker: 4 pinned regular men. Defender: 2 regular men in Hard Cover. No Leaders.

    Round one: 4 dice, 2 for the cover, 1 for being Pinned, against 2.
    """
    return "pinned-in-hard-cover", fight(Side(4, pinned=True), Side(2, cover="hard"))


def surrender_without_a_leader():
    """Attacker: 4 regular men. Defender: 5 green men with 3 Shock (5 - 2 - 3 = 0 dice), no Leader.

    Beaten by four, the defender surrenders.
    """
    return "surrender-without-a-leader", fight(Side(4), Side(5, "green", shock=3))


def rout_with_a_leader():
    """Attacker: 4 regular men, no Leader. Defender: 5 green men with 3 Shock and an active Leader with 1
    Order (1 die).

    Beaten by four, the defender breaks, runs 18 inches and takes 3 more Shock.
    """
    return "rout-with-a-leader", fight(Side(4), Side(5, "green", shock=3, orders=1))


def stubborn_defender():
    """Attacker: 3 regular men. Defender: 2 regular men, Stubborn. No Leaders. Beaten by one it fights on."""
    return "stubborn-defender", fight(Side(3), Side(2, stubborn=True))


def stubborn_attacker():
    """Attacker: 2 regular men, Stubborn, which helps a defender only. Defender: 2 regular men. No Leaders."""
    return "stubborn-attacker", fight(Side(2, stubborn=True), Side(2))


def aggressive_attacker():
    """Attacker: 2 regular men, Aggressive. Defender: 3 regular men. No Leaders. Beaten by one it fights on."""
    return "aggressive-attacker", fight(Side(2, aggressive=True), Side(3))


def the_victor_falls():
    """Attacker: 1 elite man (3 dice). Defender: 3 regular men. No Leaders. The one man may kill more and fall."""
    return "the-victor-falls", fight(Side(1, "elite"), Side(3))


def pinned_by_shock():
    """Attacker: 3 regular men. Defender: 5 regular men with 6 Shock, so Pinned: 5 - 3, half of it 1 die. No
    Leaders.
    """
    return "pinned-by-shock", fight(Side(3), Side(5, shock=6))


SITUATIONS = (
    three_against_two,
    green_attackers,
    elite_against_one,
    hard_cover,
    light_cover,
    shock_costs_dice,
    pinned_in_hard_cover,
    surrender_without_a_leader,
    rout_with_a_leader,
    stubborn_defender,
    stubborn_attacker,
    aggressive_attacker,
    the_victor_falls,
    pinned_by_shock,
)
