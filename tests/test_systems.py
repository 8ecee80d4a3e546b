"""Whole fights of the invented systems, against plain Python that shares nothing with the program."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from closecombat.asking.questions import ask_about
from closecombat.binding.load import load
from closecombat.playing.fight import fight
from closecombat.reading.stack import as_mapping
from closecombat.text.document import parse
from closecombat.text.source import Source

SYSTEMS = Path(__file__).parent / "systems"


def answers(system: str, situation: str, *questions: str) -> list[dict[object, Fraction]]:
    text = f"situation: {situation}\n"
    found = ask_about(fight(load(str(SYSTEMS / system)), as_mapping(parse(Source("a fight", text)))), questions)
    return [dict(one.chances) for one in found.answers]


# ---- border-war: sorted dice compared in pairs ------------------------------------------------------------


@cache
def falls(attackers: int, defenders: int, red_general: bool, blue_general: bool) -> dict[tuple[int, int], Fraction]:
    """How many fall on each side when so many dice are thrown."""
    out: Counter[tuple[int, int]] = Counter()
    for dice in product(range(1, 7), repeat=attackers + defenders):
        red, blue = sorted(dice[:attackers], reverse=True), sorted(dice[attackers:], reverse=True)
        won = [r > b for r, b in zip(red, blue, strict=False)]
        down = [won.count(False), won.count(True)]
        for side, (throw, general) in enumerate(((red, red_general), (blue, blue_general))):
            if general and min(throw) >= 4 and down[side]:
                down[side] -= 1
        out[down[0], down[1]] += 1
    return {fall: Fraction(n, 6 ** (attackers + defenders)) for fall, n in out.items()}


@cache
def invaded(red: int, blue: int, *generals: bool) -> dict[tuple[int, int], Fraction]:
    """How the armies stand when the invasion is over; throws without a fall, and ravens, are thrown again."""
    if red <= 1 or blue == 0:
        return {(red, blue): Fraction(1)}
    thrown = falls(min(3, red - 1), min(2, blue), *generals)
    moves = {fall: chance for fall, chance in thrown.items() if fall != (0, 0)}
    out: Counter[tuple[int, int]] = Counter()
    for (down_red, down_blue), chance in moves.items():
        for end, then in invaded(red - down_red, blue - down_blue, *generals).items():
            out[end] += chance * then / sum(moves.values())
    return dict(out)


@pytest.mark.parametrize(
    ("red", "blue", "generals"),
    [
        (2, 1, (False, False)),
        (4, 2, (False, False)),
        (7, 5, (False, False)),
        (3, 2, (True, False)),
        (5, 4, (True, True)),
    ],
)
def test_border_war(red: int, blue: int, generals: tuple[bool, bool]) -> None:
    yes = ["yes" if general else "no" for general in generals]
    situation = (
        f"{{fight: {{attacker: red}}, sides: {{red: {{armies: {red}, general: {yes[0]}}}, "
        f"blue: {{armies: {blue}, general: {yes[1]}}}}}}}"
    )
    ends = invaded(red, blue, *generals)
    left_red, left_blue = Counter[object](), Counter[object]()
    for (one, other), chance in ends.items():
        left_red[one] += chance
        left_blue[other] += chance
    assert answers("border-war", situation, "armies of red", "armies of blue") == [left_red, left_blue]


# ---- step-dice: the die of one's skill, the dice of one's weapon ------------------------------------------

Weapon = tuple[int, int, int, int]  # number of dice, their sides, what is added, how often each is thrown once more
Fighter = tuple[int, int, Weapon, int]  # skill, luck, weapon, guard


def best_die(sides: int, dice: int) -> dict[int, Fraction]:
    return {face: Fraction(face**dice - (face - 1) ** dice, sides**dice) for face in range(1, sides + 1)}


def biting(weapon: Weapon) -> dict[int, Fraction]:
    number, sides, plus, fury = weapon

    def one(left: int) -> dict[int, Fraction]:
        out: Counter[int] = Counter()
        for face in range(1, sides + 1):
            again = one(left - 1) if face >= 4 and left else {0: Fraction(1)}
            for more, chance in again.items():
                out[face + more] += chance / sides
        return dict(out)

    total = {plus: Fraction(1)}
    for _ in range(number):
        grown: Counter[int] = Counter()
        for (so_far, chance), (more, each) in product(total.items(), one(fury).items()):
            grown[so_far + more] += chance * each
        total = dict(grown)
    return total


def cut_by(weapon: Weapon, guard: int) -> dict[int, Fraction]:
    out: Counter[int] = Counter()
    for wound, chance in biting(weapon).items():
        full = wound == weapon[0] * weapon[1] + weapon[2]
        out[wound if full else max(0, wound - guard)] += chance
    return dict(out)


def duel(a: Fighter, b: Fighter, start: tuple[int, int]) -> dict[tuple[int, int], Fraction]:
    """How many hit points each has when somebody has none, or both have botched."""
    moves: Counter[tuple[int, int, bool]] = Counter()  # what each loses, and whether it is over
    for (x, p), (y, q) in product(best_die(a[0], 1 + a[1]).items(), best_die(b[0], 1 + b[1]).items()):
        if x == y == 1:
            moves[0, 0, True] += p * q
        elif y == 1 or (x != 1 and y < x):
            for cut, chance in cut_by(a[2], b[3]).items():
                moves[0, cut, False] += p * q * chance
        elif x == 1 or x < y:
            for cut, chance in cut_by(b[2], a[3]).items():
                moves[cut, 0, False] += p * q * chance
    going = {move: chance for move, chance in moves.items() if move != (0, 0, False)}

    @cache
    def after(one: int, other: int) -> dict[tuple[int, int], Fraction]:
        out: Counter[tuple[int, int]] = Counter()
        for (lost, taken, over), chance in going.items():
            left = max(0, one - lost), max(0, other - taken)
            for end, then in ({left: Fraction(1)} if over or 0 in left else after(*left)).items():
                out[end] += chance * then / sum(going.values())
        return dict(out)

    return after(*start)


KNIFE, SWORD, AXE = (1, 4, 0), (1, 6, 1), (2, 4, -1)


@pytest.mark.parametrize(
    ("a", "b", "hp"),
    [
        (("sword", 6, 0, 0), ("sword", 6, 0, 0), (5, 5)),
        (("axe", 8, 0, 0), ("sword", 6, 0, 0), (9, 6)),
        (("knife", 12, 1, 2), ("axe", 4, 2, 1), (7, 8)),
    ],
)
def test_step_dice(a: tuple[str, int, int, int], b: tuple[str, int, int, int], hp: tuple[int, int]) -> None:
    printed = {"knife": (KNIFE, 0), "sword": (SWORD, 1), "axe": (AXE, 0)}

    def written(one: tuple[str, int, int, int], hp: int) -> str:
        return f"{{counter: {one[0]}, skill: {one[1]}, luck: {one[2]}, fury: {one[3]}, hp: {hp}}}"

    def fighter(one: tuple[str, int, int, int]) -> Fighter:
        weapon, guard = printed[one[0]]
        return one[1], one[2], (*weapon, one[3]), guard

    ends = duel(fighter(a), fighter(b), hp)
    of_a, of_b = Counter[object](), Counter[object]()
    for (left, other), chance in ends.items():
        of_a[left] += chance
        of_b[other] += chance
    situation = f"{{fighters: {{a: {written(a, hp[0])}, b: {written(b, hp[1])}}}}}"
    assert answers("step-dice", situation, "hp of a", "hp of b") == [of_a, of_b]


# ---- wild-pools: 6s are thrown once more without end -----------------------------------------------------


def successes(dice: int, most: int) -> list[Fraction]:
    """How likely so many successes are, the last entry being that or more; a die's n-th comes after n - 1 sixes."""
    none, six = Fraction(4, 6), Fraction(1, 6)
    one = [none] + [six ** (n - 1) * Fraction(1, 6) + six**n * none for n in range(1, most)]
    total = [Fraction(1)] + [Fraction(0)] * (most - 1)
    for _ in range(dice):
        total = [sum(total[k] * one[n - k] for k in range(n + 1)) for n in range(most)]
    return [*total, 1 - sum(total)]


def clash(a: tuple[int, int, bool], b: tuple[int, int, bool]) -> dict[tuple[int, bool, int, bool], Fraction]:
    """Wounds, and whether he is down, of a and of b at the end."""
    most = 20  # beyond all armour and wounds

    @cache
    def struck(one: tuple[int, int, bool], foe: tuple[int, int, bool], wounds: int) -> dict[tuple[int, bool], Fraction]:
        out: Counter[tuple[int, bool]] = Counter()
        for hits, chance in enumerate(successes(foe[0], most)):
            hurt = max(0, hits - one[1])
            after = min(12, wounds + hurt)
            out[after, (hurt >= 4 and not one[2]) or after >= one[0] + 2] += chance
        return dict(out)

    @cache
    def end(wounded: int, other: int) -> dict[tuple[int, bool, int, bool], Fraction]:
        out: Counter[tuple[int, bool, int, bool]] = Counter()
        same = Fraction(0)
        for ((x, fell), p), ((y, felled), q) in product(struck(a, b, wounded).items(), struck(b, a, other).items()):
            if fell or felled:
                out[x, fell, y, felled] += p * q
            elif (x, y) == (wounded, other):
                same += p * q
            else:
                for state, chance in end(x, y).items():
                    out[state] += p * q * chance
        return {state: chance / (1 - same) for state, chance in out.items()}

    return end(0, 0)


@pytest.mark.parametrize(
    ("a", "b"), [((2, 1, False), (3, 1, False)), ((1, 0, True), (2, 2, False)), ((4, 3, True), (3, 2, True))]
)
def test_wild_pools(a: tuple[int, int, bool], b: tuple[int, int, bool]) -> None:
    def written(one: tuple[int, int, bool]) -> str:
        return f"{{skill: {one[0]}, armour: {one[1]}, staunch: {'yes' if one[2] else 'no'}}}"

    ends = clash(a, b)
    asked: list[Counter[object]] = [Counter() for _ in range(3)]
    for (x, fell, y, felled), chance in ends.items():
        for counter, value in zip(asked, (x, y, fell and felled), strict=True):
            counter[value] += chance
    situation = f"{{fighters: {{a: {written(a)}, b: {written(b)}}}}}"
    questions = ("wounds of a", "wounds of b", "a is down-now and b is down-now")
    assert answers("wild-pools", situation, *questions) == asked


# ---- night-crossing: a hand of cards, bid in secret --------------------------------------------------------

ORDERS = {"feint": 1, "probe": 2, "attack": 4, "storm": 6}
PILE = ("feint", "feint", "probe", "probe", "attack", "attack", "storm")
Pile = tuple[str, ...]


@cache
def draws(pile: Pile, aside: Pile, number: int) -> dict[tuple[Pile, Pile, Pile], Fraction]:
    """What is drawn from a pile, what is left of it and of the cards laid aside, which are shuffled when it is empty."""
    if not number:
        return {((), pile, aside): Fraction(1)}
    if not pile:
        pile, aside = aside, ()
    out: Counter[tuple[Pile, Pile, Pile]] = Counter()
    for i, card in enumerate(pile):
        for (more, left, gone), chance in draws(pile[:i] + pile[i + 1 :], aside, number - 1).items():
            out[tuple(sorted((card, *more))), left, gone] += chance / len(pile)
    return dict(out)


def fallen(red: str, blue: str) -> tuple[int, int]:
    """The men that each side loses by its bids."""
    if blue == "feint" and red in ("attack", "storm"):
        return 2, 0
    if red == "feint" and blue in ("attack", "storm"):
        return 0, 2
    return max(0, ORDERS[blue] - ORDERS[red]), max(0, ORDERS[red] - ORDERS[blue])


State = tuple[tuple[Pile, Pile, Pile], tuple[Pile, Pile, Pile]]  # of each side: hand, pile, laid aside


@cache
def crossed(state: State, men: tuple[int, int], bold: tuple[bool, bool], left: int) -> dict[tuple[int, int], Fraction]:
    if not left or (left < 2 and 0 in men):
        return {men: Fraction(1)}
    after, bids = [], []
    for (hand, pile, aside), is_bold in zip(state, bold, strict=True):
        bid = (max if is_bold else min)(hand, key=lambda card: ORDERS[card])
        at = hand.index(bid)
        kept, aside = hand[:at] + hand[at + 1 :], (*aside, bid)
        bids.append(bid)
        drawn = draws(pile, aside, 0 if kept.count("feint") >= 2 else 1)
        after.append({(tuple(sorted(kept + more)), rest, gone): chance for (more, rest, gone), chance in drawn.items()})
    lost = fallen(bids[0], bids[1])
    now = (max(0, men[0] - lost[0]), max(0, men[1] - lost[1]))
    out: Counter[tuple[int, int]] = Counter()
    for (red, chance), (blue, other) in product(after[0].items(), after[1].items()):
        for end, then in crossed((red, blue), now, bold, left - 1).items():
            out[end] += chance * other * then
    return dict(out)


@pytest.mark.parametrize(
    ("men", "bold", "gone"),
    [
        ((8, 8), (True, False), ((), ())),
        ((3, 20), (True, True), ((), ())),
        ((6, 2), (False, True), (("storm",), ("probe", "probe", "feint", "attack"))),
    ],
)
def test_night_crossing(men: tuple[int, int], bold: tuple[bool, bool], gone: tuple[Pile, Pile]) -> None:
    sides = []
    begins: list[dict[tuple[Pile, Pile, Pile], Fraction]] = []
    for name, number, is_bold, cards in zip(("red", "blue"), men, bold, gone, strict=True):
        tally = ", ".join(f"{card}: {n}" for card, n in Counter(cards).items())
        sides.append(f"{name}: {{men: {number}, bold: {'yes' if is_bold else 'no'}, gone: {{orders: {{{tally}}}}}}}")
        pile = list(PILE)
        for card in cards:
            pile.remove(card)
        begins.append(draws(tuple(pile), cards, 3))
    ends: Counter[tuple[int, int]] = Counter()
    for (red, chance), (blue, other) in product(begins[0].items(), begins[1].items()):
        for end, then in crossed((red, blue), men, bold, 2).items():
            ends[end] += chance * other * then
    expected = [Counter[object](), Counter[object]()]
    for end, chance in ends.items():
        for counted, left in zip(expected, end, strict=True):
            counted[left] += chance
    situation = f"{{fight: {{attacker: red}}, sides: {{{', '.join(sides)}}}}}"
    assert answers("night-crossing", situation, "men of red", "men of blue") == expected


# ---- dice on a weapon list --------------------------------------------------------------------------------

ARMS = """\
ruleset: arms
title: Arms
language: 1
start: fight
words:
  arm:
    columns: [damage, reach]
    rows: {knife: [d4, 1], sword: [1d8+1, 2]}
kinds:
  fight: {one: yes}
  man:
    plural: men
    given:  {weapon: arm, foe: the other man, hp: 0 to 20}
    rolled: {wound: weapon-dice}
dice:
  weapon-dice: {of: damage of weapon}
sequences:
  fight:
    in-order:
      wound: {each: man, roll: wound}
      hurt:  {each: man, do: take wound of foe from hp}
"""


def test_dice_stand_on_a_weapon_list(tmp_path: Path) -> None:
    (tmp_path / "arms.yaml").write_text(ARMS, "utf-8")
    situation = "{men: {a: {weapon: knife, hp: 10}, b: {weapon: sword, hp: 3}}}"
    found = answers(
        str(tmp_path / "arms.yaml"), situation, "hp of a", "hp of b", "highest roll of damage of weapon of b"
    )
    eighth, quarter = Fraction(1, 8), Fraction(1, 4)
    assert found[0] == {10 - (face + 1): eighth for face in range(1, 9)}
    assert found[1] == {2: quarter, 1: quarter, 0: 2 * quarter}
    assert found[2] == {9: Fraction(1)}
