"""Dice that stand on a weapon list, thrown by whoever uses the weapon."""

from fractions import Fraction
from pathlib import Path

from whole_fights import answers

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
