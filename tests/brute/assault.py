"""Assault! close combat (12.0) by brute force, with the assumed faces of its dice.

Every situation function returns (name, distribution). An end state is a tuple of (side, (damage,
half-strength, must-fall-back, eliminated)) for initiator and occupant. Of an eliminated unit nothing else
is told: it reads (0, False, False, True).

Units are infantry with 4 strength points, flipped to half strength by 2 damage, undamaged and of full
strength unless the situation says so. C, D and S are critical hit, damage point and suppression; CD is a
double success.
"""

from . import chances

ATTACK = {
    "blue": {"S": 2, "D": 1, "": 3},
    "green": {"CD": 1, "D": 1, "S": 2, "": 2},
    "red": {"CD": 2, "D": 2, "S": 1, "": 1},
}
DEFENCE = {
    "blue": {"D": 1, "S": 2, "": 3},
    "green": {"C": 1, "D": 2, "S": 1, "": 2},
    "red": {"CD": 1, "C": 1, "D": 2, "S": 1, "": 1},
}
STRENGTH, FLIPS_AT = 4, 2


def unit(attack, defence, double="CD", damage=0, half=False, lent=()):
    """A fighter with its final pools; `double` is what a double success of its attack counts as.

    `lent` are supporters' dice that are read as their own: (colour, what a double success counts as).
    """
    return {"attack": attack, "defence": defence, "double": double, "damage": damage, "half": half, "lent": lent}


def suffer(fighter, hits):
    """12.3: damage, then the flip it brings, then suppression, then criticals."""
    damage = fighter["damage"] + hits["D"]
    half = fighter["half"] or damage >= FLIPS_AT
    eliminated = damage > STRENGTH or hits["C"] >= 2 or (hits["C"] == 1 and half)
    if eliminated:
        return (0, False, False, True)
    return (damage, half or hits["C"] == 1, hits["S"] >= 1, False)


def fight(initiator, occupant):
    """One round, rolled by both and applied to both at once."""
    fighters = {"initiator": initiator, "occupant": occupant}

    def play():
        ends = []
        for name, foe in (("initiator", occupant), ("occupant", initiator)):
            attack = yield tuple(ATTACK[colour] for colour in foe["attack"])
            defence = yield tuple(DEFENCE[colour] for colour in fighters[name]["defence"])
            scored = "".join(foe["double"] if face == "CD" else face for face in attack)
            for colour, double in foe["lent"]:
                (face,) = yield (ATTACK[colour],)
                scored += double if face == "CD" else face
            cancelled = "".join(defence)
            hits = {symbol: max(scored.count(symbol) - cancelled.count(symbol), 0) for symbol in "CDS"}
            hits["S"] = max(hits["S"] - 1, 0)  # adrenaline, 12.3.1a
            ends.append((name, suffer(fighters[name], hits)))
        return tuple(ends)

    return chances(play)


def initiated_one_green_each():
    """Initiated round. Both units: attack [green], defence [blue]. No terrain dice, no support."""
    return "initiated-one-green-each", fight(unit(["green"], ["blue"]), unit(["green"], ["blue"]))


def half_strength_initiator():
    """Initiated round; initiator at half strength with 2 damage. Both: attack [green], defence [blue].

    The initiator's double success counts as the critical hit alone; one critical hit eliminates it.
    """
    return "half-strength-initiator", fight(
        unit(["green"], ["blue"], double="C", damage=2, half=True), unit(["green"], ["blue"])
    )


def activated_occupant():
    """Initiated round; the occupant has been activated this turn. Both: attack [red], defence [blue].

    The occupant's double success counts as the critical hit alone.
    """
    return "activated-occupant", fight(unit(["red"], ["blue"]), unit(["red"], ["blue"], double="C"))


def activated_occupant_at_half_strength():
    """Initiated round; the occupant is activated, at half strength, with 2 damage. Both: attack [red],
    defence [blue].

    The occupant's double success counts as the damage point alone; one critical hit eliminates it.
    """
    return "activated-occupant-at-half-strength", fight(
        unit(["red"], ["blue"]), unit(["red"], ["blue"], double="D", damage=2, half=True)
    )


def outflanked_occupant():
    """Initiated round; the occupant is outflanked (not activated). Both: attack [green, blue], defence
    [green].

    The occupant's double success counts as the critical hit alone.
    """
    return "outflanked-occupant", fight(
        unit(["green", "blue"], ["green"]), unit(["green", "blue"], ["green"], double="C")
    )


def supported_initiator():
    """Initiated round. Both: attack [green], defence [green, blue]. The initiator has one supporter, attack
    [red, green].

    The initiator attacks with green and red; the occupant loses its blue defence die.
    """
    return "supported-initiator", fight(unit(["green", "red"], ["green", "blue"]), unit(["green"], ["green"]))


def both_supported():
    """Initiated round. Both: attack [green], defence [blue]. Both have one supporter, attack [blue].

    Both attack with green and blue; nobody loses the last defence die.
    """
    return "both-supported", fight(unit(["green", "blue"], ["blue"]), unit(["green", "blue"], ["blue"]))


def terrain_dice_initiated():
    """Initiated round in a hex with terrain dice [green, blue]. Both: attack [red], defence [blue].

    Only the occupant adds them: blue, green and blue.
    """
    return "terrain-dice-initiated", fight(unit(["red"], ["blue"]), unit(["red"], ["blue", "green", "blue"]))


def terrain_dice_renewed():
    """Renewed round in a hex with terrain dice [green, blue]. Both: attack [red], defence [blue].

    Both add the strongest terrain die: blue and green. That the occupant is marked activated has no effect.
    """
    return "terrain-dice-renewed", fight(unit(["red"], ["blue", "green"]), unit(["red"], ["blue", "green"]))


def critical_after_damage():
    """Initiated round; the occupant carries 1 damage at full strength. Both: attack [green], defence [blue].

    A double success flips the occupant by its second damage, and the critical hit then eliminates it.
    """
    return "critical-after-damage", fight(unit(["green"], ["blue"]), unit(["green"], ["blue"], damage=1))


def two_criticals():
    """Initiated round. Initiator: attack [red, red], defence [blue]; occupant: attack [blue], defence [red].

    Two critical hits eliminate a unit of full strength.
    """
    return "two-criticals", fight(unit(["red", "red"], ["blue"]), unit(["blue"], ["red"]))


def adrenaline():
    """Initiated round. Both: attack [blue, blue, blue], defence [blue]. Each ignores one suppression that
    is left.
    """
    return "adrenaline", fight(unit(["blue"] * 3, ["blue"]), unit(["blue"] * 3, ["blue"]))


def veteran_against_hardened():
    """Initiated round. Both cards: attack [green], defence [blue]; the initiator is veteran, the occupant
    hardened.

    The initiator fights with attack green, blue and defence blue, blue; the occupant with attack green,
    defence blue, blue.
    """
    return "veteran-against-hardened", fight(
        unit(["green", "blue"], ["blue", "blue"]), unit(["green"], ["blue", "blue"])
    )


def half_strength_supporter_by_himself():
    """Initiated round. Both: attack [green], defence [blue]. The initiator's supporter is at half strength,
    attack [red], and its die is read as its own: the critical hit alone. The occupant keeps its last die.
    """
    return "half-strength-supporter-by-himself", fight(
        unit(["green"], ["blue"], lent=[("red", "C")]), unit(["green"], ["blue"])
    )


def vehicle_supports_as_a_vehicle():
    """Initiated round. Both: attack [green], defence [blue]. Both have a vehicle beside them, attack [green],
    whose double success counts against infantry as the critical hit alone.
    """
    side = unit(["green"], ["blue"], lent=[("green", "C")])
    return "vehicle-supports-as-a-vehicle", fight(side, side)


def tracks_after_a_fast_move():
    """Infantry initiates by a fast action against a vehicle and goes for the tracks: first a green die, and
    only if it shows something one green die against one blue. The vehicle: attack [green], of which a double
    success counts as the critical hit alone; the infantry: defence [blue].
    """

    def play():
        (gate,) = yield (ATTACK["green"],)
        damage, falls_back = 0, False
        if gate:
            (blow,) = yield (ATTACK["green"],)
            (parry,) = yield (DEFENCE["blue"],)
            left = {symbol: blow.count(symbol) > parry.count(symbol) for symbol in "CDS"}
            damage = int(left["C"] and left["D"])
            falls_back = left["S"]
        (shot,) = yield (ATTACK["green"],)
        (ducks,) = yield (DEFENCE["blue"],)
        shot = "C" if shot == "CD" else shot
        hits = {symbol: max(shot.count(symbol) - ducks.count(symbol), 0) for symbol in "CDS"}
        hits["S"] = max(hits["S"] - 1, 0)
        infantry = suffer(unit([], []), hits)
        return (("initiator", infantry), ("occupant", (damage, False, falls_back, False)))

    return "tracks-after-a-fast-move", chances(play)


SITUATIONS = (
    initiated_one_green_each,
    half_strength_initiator,
    activated_occupant,
    activated_occupant_at_half_strength,
    outflanked_occupant,
    supported_initiator,
    both_supported,
    terrain_dice_initiated,
    terrain_dice_renewed,
    critical_after_damage,
    two_criticals,
    adrenaline,
    veteran_against_hardened,
    half_strength_supporter_by_himself,
    vehicle_supports_as_a_vehicle,
    tracks_after_a_fast_move,
)
