"""A small ruleset, its fights and a plan, for the tests of sweeps; every chance can be reckoned in the head.

Each side throws a die; a side is hit if the other throws what it needs, and each man beside the first lowers that by
one. Whoever is deaf needs one more."""

from fractions import Fraction
from pathlib import Path

RULES = """\
ruleset: duel
start: exchange
rounds: {until: any side where (hit)}
kinds:
  fight:
    one: yes
    given: {ground: [open, wood], shouts: {per: word, is: 0 to 9}}
  side:
    given: {needs: 1 to 9, enemy: the other side, men: {are: men, each: man}}
    rolled: {shot: one-die}
    chosen: {holds-fire: flag}
    noted: {hit: flag}
  man:
    plural: men
    given:
      side: a side
      deaf: flag
      friend: a man or nobody
      hats: {are: hats, each: hat}
  hat: {given: {man: a man, feathers: {is: 0 to 3, default: 0}}}
words: {word: [left, right]}
options:
  trees: {readings: [counts, ignored], default: counts, why: nobody knows}
dice: {one-die: d6}
tables:
  needed:
    about: side
    adds-up:
      base:    {add: needs}
      numbers: {add: 1 - number of men}
      deaf:    {any man of side: deaf, add: +1}
      wood:    {ground: wood, trees: counts, add: +1}
  worth: {about: man, is: 1}
sequences:
  exchange:
    in-order:
      orders: {each: side, choose: holds-fire, otherwise: no}
      fire: {each: side, holds-fire: no, roll: shot}
      told: {play: told}
  told:
    at-once:
      struck: {each: side, when: "holds-fire of enemy is no and shot of enemy is at least needed of enemy", do: gain hit}
outcomes: {about: side, words: [whole, struck], first-of: {hit: {hit: yes, is: struck}}, otherwise: whole}
strength-lost:
  about: side
  unit: men
  adds-up: {hit: {hit: yes, add: number of men}}
ends: {man: {strength: worth, first-of: {hit: {hit of side: yes, is: lost}}, otherwise: fit}}
"""
FIGHT = """\
ruleset: ./duel.yaml
title: a-duel
situation:
  fight: {ground: open}
  sides:
    red:  {needs: 5, men: {r: {hats: {cap: {feathers: 1}}}}}
    blue: {needs: 6, men: {b: {friend: b}}}
choices: {orders: {red: no, blue: no}}
"""
VARIANT = """\
variant: harder
extends: ./duel.yaml
changes:
  harder: {at: tables.needed.base, set: {add: needs + 1}, why: to see}
"""
PLAN = """\
sweep: duels
title: Who hits whom?
fights: ./fight.yaml
vary:
  needs of red: 4 to 6
  number of b: [1, 2, 3]
  ground: [open, wood]
  with ./harder.yaml: [no, yes]
ask: [place, verdicts, losses, hit of red, {seen: number of sides where (hit)}]
ratio: red to blue
"""


def written(folder: Path, plan: str = PLAN) -> Path:
    """A folder with all of it."""
    for name, text in (("duel.yaml", RULES), ("fight.yaml", FIGHT), ("harder.yaml", VARIANT), ("plan.yaml", plan)):
        (folder / name).write_text(text, "utf-8")
    return folder


def hits(needs: int, men: int = 1, wood: bool = False, harder: bool = False) -> Fraction:
    """The chance of a side to hit."""
    needed = needs + 1 - men + wood + harder
    return Fraction(min(max(7 - needed, 0), 6), 6)

# Of a shipped fight, for pages.
TWO_OR_ONE = """\
sweep: two-or-one
title: Two or one?
fights: squad-in-a-building
systems: squad-leader
vary: {forces of soviet: 1 to 2 rifle squads}
ask: [place]
"""
