"""A fight to the end in which a repetition stands inside each round, and asks of dice thrown before it: who strikes next
is whoever threw most of those who have not struck. Against every order of every throw, in plain Python."""

from fractions import Fraction
from itertools import product
from pathlib import Path

from closecombat.asking.exact.questions import ask_about
from closecombat.binding.load import load
from closecombat.playing.fight import fight
from closecombat.reading.stack import as_mapping
from closecombat.text.document import parse
from closecombat.text.source import Source

RULES = Path(__file__).parent.parent / "benchmarks" / "rulesets" / "order.yaml"
SPEEDS = {"a": 3, "b": 5, "c": 1}  # a is red, the others are blue
HIT = Fraction(1, 3)


def enemies(one, there):
    return [other for other in there if (other == "a") != (one == "a")]


def struck(order, there):
    """Who is there when all in this order have struck, and how likely."""
    if not order:
        return {there: Fraction(1)}
    (one, *others), found = order, {}
    against = enemies(one, there) if one in there else []
    ways = [(there, 1 - HIT), (there - {min(against, key=SPEEDS.get)}, HIT)] if against else [(there, Fraction(1))]
    for left, chance in ways:
        for end, more in struck(others, left).items():
            found[end] = found.get(end, 0) + chance * more
    return found


def one_round(there):
    found = {}
    names = sorted(there)
    for throws in product(range(1, 11), repeat=len(names)):
        quick = {one: SPEEDS[one] + throw for one, throw in zip(names, throws, strict=True)}
        order = sorted(names, key=lambda one: -quick[one])  # of equals the first
        for end, chance in struck(order, there).items():
            found[end] = found.get(end, 0) + chance / 10 ** len(names)
    return found


def red_wins(there):
    if "a" not in there or there == {"a"}:
        return Fraction("a" in there)
    found = one_round(there)
    stays = found.pop(there, Fraction(0))
    return sum(chance * red_wins(end) for end, chance in found.items()) / (1 - stays)


def test_to_the_end() -> None:
    blue = ", ".join(f"{one}: {{speed: {SPEEDS[one]}}}" for one in "bc")
    sides = f"{{red: {{fighters: {{a: {{speed: {SPEEDS['a']}}}}}}}, blue: {{fighters: {{{blue}}}}}}}"
    scene = fight(load(str(RULES)), as_mapping(parse(Source("men", f"situation: {{sides: {sides}}}\n"))))
    (answer,) = ask_about(scene, ["any fighter of red"], True).answers
    wins = red_wins(frozenset(SPEEDS))
    assert dict(answer.chances) == {True: wins, False: 1 - wins}
