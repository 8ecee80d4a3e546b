"""A game of two men and a die each, some variants of it, and its chances in plain Python: no part of the interpreter."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from pathlib import Path
from types import MappingProxyType

RULES = """\
ruleset: brawl
title: Brawl
language: 1
start: bout
options: {reeling: {readings: [stands, falls], default: stands, why: The text says dazed and no more.}}
kinds:
  fight: {one: yes, given: {attacker: a side}}
  side:
    given: {enemy: the other side, tired: flag, drunk: flag, dug-in: flag}
    noted: {down: flag, dazed: flag}
    rolled: {luck: one-die}
dice: {one-die: d6}
tables:
  blow:
    about: side
    adds-up:
      luck:   {add: luck of side}
      tired:  {side: tired, add: -1}
      drunk:  {side: drunk, add: -2}
      cover:  {enemy of side: dug-in, add: -1}
  result:
    about: side
    words: [standing, dazed, fallen]
    first-of:
      struck: {when: blow of enemy of side is at least 5, is: fallen}
      fooled: {when: blow of enemy of side is at least 4 and reeling is falls, is: fallen}
      reeled: {when: blow of enemy of side is at least 4, is: dazed}
    otherwise: standing
sequences:
  bout:
    in-order:
      throw: {each: side, roll: luck}
      fall:  {each: side, result of side: fallen, do: gain down}
      reel:  {each: side, result of side: dazed, do: gain dazed}
outcomes:
  about: side
  words: [unharmed, shaken, destroyed]
  first-of:
    destroyed: {side: down, is: destroyed}
    shaken:    {side: dazed, is: shaken}
  otherwise: unharmed
strength-lost:
  about: side
  unit: men
  adds-up: {down: {side: down, add: 4}}
"""
EXAMPLES = """\
examples:
  - {example: even, situation: {fight: {attacker: a}, sides: {a: {}, b: {}}}, chances: {down of a: 1/3}}
  - {example: drunk, situation: {fight: {attacker: a}, sides: {a: {drunk: yes}, b: {}}}, chances: {down of b: 0}}
  - example: tired-and-dug-in
    situation: {fight: {attacker: a}, sides: {a: {tired: yes}, b: {dug-in: yes}}}
    chances: {down of b: 0}
  - example: both-tired
    situation: {fight: {attacker: a}, sides: {a: {tired: yes}, b: {tired: yes}}}
    chances: {down of b: 1/6}
"""
EVEN = "situation: {fight: {attacker: a}, sides: {a: {}, b: {}}}\n"
GAME = {"ruleset.yaml": RULES, "examples/all.yaml": EXAMPLES}

Man = Mapping[str, bool]
FIGHTS: Mapping[str, tuple[Man, Man]] = {
    "even": ({}, {}),
    "drunk": ({"drunk": True}, {}),
    "tired-and-dug-in": ({"tired": True}, {"dug-in": True}),
    "both-tired": ({"tired": True}, {"tired": True}),
}


@dataclass(frozen=True)
class Rules:
    """What the variants change of it."""

    tired: int = -1
    drunk: int = -2
    dazed_falls: bool = False
    dazed_first: bool = False


def _changes(name: str, *lines: str) -> str:
    return f"variant: {name}\nextends: ..\nchanges:\n" + "".join(f"  {line}\n" for line in lines)


REELED = "{when: blow of enemy of side is at least 4, is: dazed}"
STRUCK = "{when: blow of enemy of side is at least 5}"
DRUNK = "{side: drunk, add: -2}"
VARIANTS: Mapping[str, tuple[str, Rules]] = {
    "order": (
        _changes(
            "order",
            f"up: {{at: tables.result.reeled, remove: yes, was: {REELED}, why: to stand above}}",
            f"in: {{at: tables.result.reeled-first, add: {REELED}, before: struck, why: to stand above}}",
        ),
        Rules(dazed_first=True),
    ),
    "numbers": (
        _changes("numbers", "t: {at: tables.blow.tired, set: {add: -2}, was: {add: -1}, why: wearier}"),
        Rules(tired=-2),
    ),
    "split": (
        _changes(
            "split",
            f"t: {{at: tables.result.struck, set: {STRUCK.replace('5', '6')}, was: {STRUCK}, why: split}}",
            "u: {at: tables.result.struck-5, add: {when: blow of enemy of side is 5, is: fallen}, after: struck, why: split}",
        ),
        Rules(),
    ),
    "option": (
        _changes("option", "o: {at: options.reeling, option: falls, was: stands, why: harder}"),
        Rules(dazed_falls=True),
    ),
    "gone": (
        _changes("gone", f"d: {{at: tables.blow.drunk, remove: yes, was: {DRUNK}, why: merrier}}"),
        Rules(drunk=0),
    ),
    "renamed": (
        _changes(
            "renamed",
            f"a: {{at: tables.blow.drunk, remove: yes, was: {DRUNK}, why: a better word}}",
            f"b: {{at: tables.blow.tipsy, add: {DRUNK}, why: a better word}}",
        ),
        Rules(),
    ),
}


def chances(rules: Rules, a: Man, b: Man) -> dict[tuple[str, str], Fraction]:
    """How likely each man ends how, over the 36 falls of the dice."""
    found: dict[tuple[str, str], Fraction] = {}
    for faces in product(range(1, 7), repeat=2):
        for name, (me, he, face) in {"a": (a, b, faces[1]), "b": (b, a, faces[0])}.items():
            blow = face + rules.tired * he.get("tired", 0) + rules.drunk * he.get("drunk", 0) - me.get("dug-in", 0)
            fallen = blow >= 5 or (blow >= 4 and rules.dazed_falls)
            dazed = blow >= 4 and not fallen
            if rules.dazed_first and blow >= 4:
                fallen, dazed = False, True
            words = ["destroyed", "down"] if fallen else ["shaken", "dazed"] if dazed else ["unharmed"]
            for word in words:
                found[name, word] = found.get((name, word), Fraction(0)) + Fraction(1, 36)
    return found


def laid_down(folder: Path, more: Mapping[str, str] = MappingProxyType({})) -> Path:
    """The game with its example and all its variants, as files of a folder."""
    for name, text in {**GAME, **{f"v/{name}.yaml": text for name, (text, _) in VARIANTS.items()}, **more}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return folder
