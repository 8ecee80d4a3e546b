"""Dice and decks as people say them: each expected text was written down before the program said it."""

from pathlib import Path

import pytest

from closecombat.binding.load import load
from closecombat.reading.aloud import Speaker
from closecombat.reading.chance_aloud import cards, throw

RULES = """\
ruleset: raft
language: 1
start: fight
words: {hue: [red, blue]}
dies: {omen: [skull, skull, sun-up], average: [2, 3, 3, 4, 4, 5]}
kinds:
  fight: {one: yes}
  side: {given: {enemy: the other side, units: {are: units, each: unit}}}
  unit:
    given: {side: a side, men: 0 to 9, skill: 2 to 12, bite: dice, shown: {per: hue, is: 0 to 9}}
    rolled: {blow: blow}
dice: {blow: DICE}
decks: {pack: DECK}
sequences: {fight: {in-order: {all: {each: unit, do: leave}}}}
"""
DICE = [
    ("d6", "d6"),
    ("2d6", "2d6"),
    ("omen", "a die (skull, skull, sun up)"),
    ("2d6+1", "2d6; to their sum is added 1"),
    ("{first: d6, second: average}", "d6 (first), and die (2, 3, 3, 4, 4, 5) (second)"),
    ("{die: d6, number: men}", "as many d6 as the men"),
    ("{die: omen, number: 3}", "3 dice (skull, skull, sun up)"),
    ("{die: omen, number: men + 1}", "as many dice (skull, skull, sun up) as the men plus 1"),
    ("{sides: skill}", "a die from 1 to the skill"),
    ("{sides: skill, number: 2, keep: highest 1}", "2 dice, each from 1 to the skill, of which the highest is kept"),
    ("{die: d6, number: 3, keep: lowest 2}", "3d6, of which the lowest 2 are kept"),
    ("{of: bite}", "the dice of the bite"),
    ("{die: d6, number: men, again-if: face is 1}", "as many d6 as the men, each that shows 1 once more"),
    ("{die: d6, again-if: face is not 6}", "d6, each that does not show 6 once more"),
    ("{die: d6, again-if: face is not 1 or 6}", "d6, each that shows neither 1 nor 6 once more"),
    ("{die: d6, explode-if: face is at least 5, at-most: 3}",
     "d6, for each that shows at least 5 a further one that is added to it, and so on, at most 3 times"),
    ("{die: d6, number: 2, explode-if: face is 6, at-most: 2, keep: highest 1}",
     "2d6, for each that shows 6 a further one that is added to it, and so on, at most 2 times, "
     "of which, a die and its further ones taken together, the highest is kept"),
    ("{die: omen, number: 2, explode-if: face is skull, at-most: 2}",
     "2 dice (skull, skull, sun up), for each that shows skull a further one, and so on, at most 2 times"),
    ("{die: d6, explode-if: face is 6, at-most: unbounded}",
     "d6, for each that shows 6 a further one that is added to it, and so on without end"),
    ("{die: d20, plus: skill}", "d20; to their sum is added the skill"),
    ("{each: hue, number: 2, die: {red: omen, blue: d6}}",
     "for each hue 2 dice: die (skull, skull, sun up) for red, d6 for blue"),
]  # fmt: skip


def read(folder: Path, dice: str = "d6", deck: str = "{low: 1}") -> Speaker:
    (folder / "ruleset.yaml").write_text(RULES.replace("DICE", dice).replace("DECK", deck), "utf-8")
    speaker = Speaker(load(str(folder)).ruleset)
    speaker.about, speaker.kinds = ("unit",), {"unit": "unit"}
    return speaker


@pytest.mark.parametrize(("dice", "said"), DICE, ids=[dice for dice, _ in DICE])
def test_a_throw_is_said(tmp_path: Path, dice: str, said: str) -> None:
    speaker = read(tmp_path, dice)
    assert throw(speaker, speaker.ruleset.dice["blow"]) == said


@pytest.mark.parametrize(
    ("deck", "said"),
    [
        ("{low: 4, very-high: 2}", "4 low, 2 very high"),
        (
            "{each: side, when-empty: shuffle, cards: {low: 4}}",
            "4 low; each side has such a deck; shuffled anew where none is left",
        ),
    ],
)
def test_a_deck_is_said(tmp_path: Path, deck: str, said: str) -> None:
    speaker = read(tmp_path, deck=deck)
    assert cards(speaker, speaker.ruleset.decks["pack"]) == said
