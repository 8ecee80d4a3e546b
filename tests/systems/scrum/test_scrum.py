"""The system scrum, in which one of the faces that dice show is taken: as the ruleset takes it, and as it is best."""

import json
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from closecombat.cli.main import main
from whole_fights import answers

HOME = Path(__file__).parent
FACES = ("trips", "both-down", "shoved", "shoved", "stumbles", "flat")
Player = tuple[int, int, int, bool, bool]  # strength, helpers, mail, sturdy, nimble
Taken = Callable[[tuple[str, ...]], str]


def down(face: str, runner: Player, target: Player) -> tuple[bool, bool]:
    """Whether the runner and the target lie on the ground after a face."""
    sturdy, nimble = 3, 4
    return (
        face == "trips" or (face == "both-down" and not runner[sturdy]),
        face == "flat" or (face == "both-down" and not target[sturdy]) or (face == "stumbles" and not target[nimble]),
    )


def hurt(one: Player) -> Fraction:
    """How likely one who is down is hurt."""
    return Fraction(sum(a + b > one[2] for a, b in product(range(1, 7), repeat=2)), 36)


def number_of_dice(runner: Player, target: Player) -> tuple[int, bool]:
    """How many dice are thrown, and whether the runner's side takes one."""
    mine, other = runner[0] + runner[1], target[0] + target[1]
    if mine > other:
        return 3 if mine > 2 * other else 2, True
    return (1, True) if mine == other else (3 if other > 2 * mine else 2, False)


def as_ruled(runner: Player, target: Player, mine: bool) -> Taken:
    order: list[str]
    if mine:
        order = ["flat"] + ["stumbles"] * (not target[4]) + ["both-down"] * (runner[3] and not target[3])
        order += ["stumbles", "shoved", "both-down", "trips"]
    else:
        order = ["trips"] + ["both-down"] * (not runner[3]) + ["shoved", "both-down", "stumbles", "flat"]
    return lambda faces: next(one for one in order if one in faces)


def as_is_best(runner: Player, target: Player, mine: bool) -> Taken:
    def worth(face: str) -> Fraction:
        lies, other = down(face, runner, target)
        return other * hurt(target) - lies * hurt(runner)

    return lambda faces: (max if mine else min)(faces, key=worth)


def ends(
    runner: Player, target: Player, play: Callable[[Player, Player, bool], Taken]
) -> tuple[Counter[str], Counter[str]]:
    """How the sides of the runner and of the target end."""
    dice, mine = number_of_dice(runner, target)
    taken = play(runner, target, mine)
    out: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
    for faces in product(FACES, repeat=dice):
        for counter, one, lies in zip(out, (runner, target), down(taken(faces), runner, target), strict=True):
            share = Fraction(1, 6**dice)
            if lies:
                counter["hurt"] += share * hurt(one)
                counter["down"] += share * (1 - hurt(one))
            else:
                counter["fine"] += share
    return out


def some(seed: int) -> tuple[Player, Player]:
    dice = Random(seed)

    def player() -> Player:
        return (
            dice.randint(1, 5),
            dice.choice((0, 0, 1, 2)),
            dice.randint(3, 11),
            dice.random() < 0.4,
            dice.random() < 0.4,
        )

    return player(), player()


def written(runner: Player, target: Player) -> str:
    keys = ("strength", "helpers", "mail", "sturdy", "nimble")

    def one(player: Player) -> str:
        values = (("yes" if value else "no") if isinstance(value, bool) else value for value in player)
        return ", ".join(f"{key}: {value}" for key, value in zip(keys, values, strict=True))

    teams = f"red: {{players: {{r: {{{one(runner)}}}}}}}, blue: {{players: {{t: {{{one(target)}}}}}}}"
    return f"{{fight: {{runner: r, target: t}}, teams: {{{teams}}}}}"


@pytest.mark.parametrize("seed", range(25))
def test_as_the_rules_take_it(seed: int) -> None:
    runner, target = some(seed)
    asked = answers("scrum", written(runner, target), "outcomes of red", "outcomes of blue")
    assert asked == [{end: chance for end, chance in each.items() if chance} for each in ends(runner, target, as_ruled)]


@pytest.mark.parametrize("seed", range(25, 35))
def test_as_it_is_best(seed: int, tmp_path: Path) -> None:
    """Two answers may be worth the same; what that is, is one number."""
    runner, target = some(seed)
    fight = tmp_path / "fight.yaml"
    fight.write_text(f"situation: {written(runner, target)}\n", "utf-8")
    line = ["chances", str(fight), "-r", str(HOME), "--play", "best", "--aim", "hurt", "--for", "red", "-f", "json"]
    told = json.loads(CliRunner().invoke(main, line).stdout)["verdicts"]
    red, blue = (Fraction(told[side].get("hurt", {"probability": 0})["probability"]) for side in ("red", "blue"))
    mine, other = ends(runner, target, as_is_best)
    assert blue - red == other["hurt"] - mine["hurt"]
