"""Makes up sequences that play each other about somebody, and reckons in plain Python who it is each time.

The binding of subjects is the same for playing and for the chances, so the two cannot tell on each other. What is
reckoned here follows the language's page alone: a row may say who plays a role, a name of the sequence's own; whom a row
looks at fills the subject of his name, else the only one of his kind, unless the row has given him a role; what is left
is the caller's subject of that name, else his only one of that kind. Where there is nobody for a role, nothing is played.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

UNITS = {"one": ("a", "b"), "two": ("x", "y")}
ENEMY = {"one": "two", "two": "one"}
SETS = {"units": "unit", "shooters": "shooter", "marks": "mark"}  # and what a member is called
KIND = {"side": "side", "unit": "unit", "shooter": "unit", "mark": "unit", "friend": "unit", "foe": "unit"}
ROLES = {"friend": "unit", "foe": "unit", "home": "side"}  # and the kind of each
KIND |= ROLES
ABOUTS = [
    (), ("side",), ("unit",), ("shooter",), ("mark",), ("side", "unit"), ("shooter", "mark"), ("side", "mark"),
    ("unit", "side"), ("shooter", "side"), ("mark", "shooter"), ("friend", "foe"), ("friend", "foe"), ("home", "foe"),
    ("home",), ("friend",),
]  # fmt: skip
Env = dict[str, str]  # a subject, and the name of who it is


@dataclass(frozen=True)
class Row:
    """`whom` is (how, of what, called): `each` or `for`, in a fact of a side, told by somebody here."""

    whom: tuple[str, str, str] | None
    of: str  # a side, told by a name in scope: `attacker`, `enemy of side`, `side of unit`
    die: int  # the row holds for this face of the attacker's die; 0: in any case
    plays: int  # the number of a sequence; -1: none
    adds: tuple[int, str] | None  # how much, and to whose score
    cast: tuple[tuple[str, str], ...] = ()  # roles of what it plays, and who plays them: somebody here, or a champion


class Roles:
    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.sets = {
            (name, side): [unit for unit in units if self.random.random() < 0.7]
            for name in SETS
            for side, units in UNITS.items()
        }
        self.sets |= {("units", side): list(units) for side, units in UNITS.items()}
        self.champion = {side: self.random.choice([*units, None]) for side, units in UNITS.items()}
        self.attacker = self.random.choice(["one", "two"])
        self.abouts = [(), *(self.random.choice(ABOUTS) for _ in range(self.random.randint(2, 5)))]
        self.orders = [self.random.choice(["in-order", "at-once"]) for _ in self.abouts]
        self.rows = [
            [row for _ in range(self.random.randint(2, 4)) if (row := self.row(i)) is not None]
            or [Row(None, "attacker", 0, -1, (1, "attacker"))]
            for i in range(len(self.abouts))
        ]

    def row(self, number: int) -> Row | None:
        """A row of a sequence, if what was tried can only be read in one way."""
        about, random = self.abouts[number], self.random
        sides = ["attacker", "enemy of attacker"]
        for name in about:
            sides += [name, f"enemy of {name}"] if KIND[name] == "side" else [f"side of {name}"]
        of, die = random.choice(sides), random.choice([0, 0, 1, 2])
        hows = [None, ("each", "side", "side"), ("for", "enemy", "side"), ("for", "champion", "unit")]
        whom = random.choice([*hows, *(("each", plural, each) for plural, each in SETS.items())])
        if whom is not None and whom[2] in about:
            return None  # two would go by one name
        here = [*about, *([whom[2]] if whom is not None else [])]
        casts = {i: self.cast(self.abouts[i], here) for i in range(number + 1, len(self.abouts))}
        later = [
            i
            for i, cast in casts.items()
            if filled(without(self.abouts[i], cast), without_a_role(whom, of, cast), about) is not None
        ]
        plays = random.choice(later) if later and random.random() < 0.7 else -1
        cast = casts[plays] if plays >= 0 else ()
        if plays >= 0 and random.random() < 0.6:
            return Row(whom, of, die, plays, None, cast)
        return Row(whom, of, die, plays, (random.randint(1, 9), random.choice([*here, "attacker"])), cast)

    def cast(self, about: tuple[str, ...], here: list[str]) -> tuple[tuple[str, str], ...]:
        """Who plays some of the roles, by the row's own words."""
        out = []
        for name in about:
            if name not in ROLES or self.random.random() < 0.3:
                continue
            told = [one for one in here if KIND[one] == ROLES[name]] + ["attacker"] * (ROLES[name] == "side")
            told += ["champion of attacker", "champion of enemy of attacker"] * (ROLES[name] == "unit")
            out.append((name, self.random.choice(told)))
        return tuple(out)

    # ---- as a ruleset ----------------------------------------------------------------------------------
    @property
    def rules(self) -> dict[str, Any]:
        sets = {name: {"are": "units", "each": each} for name, each in SETS.items()}
        return {
            "ruleset": "roles",
            "title": "Roles",
            "about": "Made up from a seed.",
            "language": 1,
            "start": "s0",
            "kinds": {
                "fight": {"one": "yes", "given": {"attacker": "a side"}},
                "side": {
                    "given": {"enemy": "the other side", "champion": "a unit or nobody"} | sets,
                    "rolled": {"die": "coin"},
                    "noted": {"score": "number"},
                },
                "unit": {"given": {"side": "a side"}, "noted": {"score": "number"}},
            },
            "dice": {"coin": "d2"},
            "sequences": {f"s{i}": self.sequence(i) for i in range(len(self.abouts))},
        }

    def sequence(self, number: int) -> dict[str, Any]:
        rows = {f"s{number}-{i}": self.written(row) for i, row in enumerate(self.rows[number])}
        if number:
            names: Any = list(self.abouts[number])
            if set(names) & set(ROLES):
                names = {name: KIND[name] for name in names}
            about = {"about": names} if names else {}
            return about | {self.orders[number]: rows}
        return {"in-order": {"toss": {"for": "attacker", "roll": "die"}} | rows}

    def written(self, row: Row) -> dict[str, Any]:
        out: dict[str, Any] = {}
        if row.whom is not None:
            how, what, _ = row.whom
            out[how] = what if what == "side" else f"{what} of {row.of}"
        if row.die:
            out["die of attacker"] = str(row.die)
        if row.plays >= 0:
            out["play"] = f"s{row.plays}"
            out |= dict(row.cast)
        if row.adds is not None:
            out["do"] = f"add {row.adds[0]} to score of {row.adds[1]}"
        return out

    @property
    def situation(self) -> dict[str, Any]:
        sides: dict[str, Any] = {}
        for side, units in UNITS.items():
            sides[side] = {"units": {unit: {} for unit in units}}
            sides[side] |= {name: self.sets[name, side] for name in ("shooters", "marks")}
            if self.champion[side]:
                sides[side]["champion"] = self.champion[side]
        return {"fight": {"attacker": self.attacker}, "sides": sides}

    # ---- reckoned apart --------------------------------------------------------------------------------
    @property
    def scores(self) -> dict[tuple[int, ...], Fraction]:
        """What everybody in `everyone` has at the end, and how likely it is."""
        found: dict[tuple[int, ...], Fraction] = {}
        for die in (1, 2):
            score = dict.fromkeys(self.everyone, 0)
            self.play(0, {}, die, score)
            found[tuple(score.values())] = found.get(tuple(score.values()), Fraction(0)) + Fraction(1, 2)
        return found

    @property
    def everyone(self) -> list[str]:
        return [*UNITS, *(unit for units in UNITS.values() for unit in units)]

    def play(self, number: int, env: Env, die: int, score: dict[str, int]) -> None:
        for row in self.rows[number]:
            if row.die not in (0, die):
                continue
            for looked_at in self.looked_at(row, env):
                if row.plays >= 0:
                    seen = {**env, **({row.whom[2]: looked_at} if row.whom is not None else {})}
                    named = {role: self.told(by, seen) for role, by in row.cast}
                    whom = without_a_role(row.whom, row.of, row.cast)
                    fill = filled(without(self.abouts[row.plays], row.cast), whom, tuple(env))
                    assert fill is not None
                    inner = {to: looked_at if by == "" else env[by] for to, by in fill.items()}
                    if None not in named.values():
                        self.play(row.plays, {**inner, **named}, die, score)  # type: ignore[dict-item]
                if row.adds is not None:
                    much, name = row.adds
                    seen = {**env, **({row.whom[2]: looked_at} if row.whom is not None else {})}
                    score[self.attacker if name == "attacker" else seen[name]] += much

    def looked_at(self, row: Row, env: Env) -> list[str]:
        if row.whom is None:
            return [""]
        _, what, _ = row.whom
        if what == "side":
            return list(UNITS)
        side = self.side(row.of, env)
        if what == "enemy":
            return [ENEMY[side]]
        if what == "champion":
            return [one for one in [self.champion[side]] if one]
        return self.sets[what, side]

    def told(self, said: str, env: Env) -> str | None:
        """Who plays a role."""
        if said.startswith("champion of "):
            return self.champion[self.side(said.removeprefix("champion of "), env)]
        return self.attacker if said == "attacker" else env[said]

    def side(self, told: str, env: Env) -> str:
        if told.startswith("enemy of "):
            return ENEMY[self.side(told.removeprefix("enemy of "), env)]
        if told.startswith("side of "):
            unit = env[told.removeprefix("side of ")]
            return next(side for side, units in UNITS.items() if unit in units)
        return self.attacker if told == "attacker" else env[told]


def without(about: tuple[str, ...], cast: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    """Whom a sequence is about but for those of whom the row itself says who they are."""
    return tuple(name for name in about if name not in dict(cast))


def without_a_role(
    whom: tuple[str, str, str] | None, of: str, cast: tuple[tuple[str, str], ...]
) -> tuple[str, str, str] | None:
    """Whom a row looks at, if it does not say which role he plays, by the name that he goes by or as it tells him."""
    return None if whom is not None and {whom[2], f"{whom[1]} of {of}"} & {*dict(cast).values()} else whom


def filled(about: tuple[str, ...], whom: tuple[str, str, str] | None, caller: tuple[str, ...]) -> dict[str, str] | None:
    """Who fills each subject: a name of the caller, or "" for whom the row looks at; nothing if it is not plain."""
    out: dict[str, str] = {}
    if whom is not None and about:
        fits = [whom[2]] if whom[2] in about else [name for name in about if KIND[name] == KIND[whom[2]]]
        if len(fits) > 1:
            return None
        out |= dict.fromkeys(fits, "")
    for name in about:
        if name in out:
            continue
        same = [name] if name in caller else [one for one in caller if KIND[one] == KIND[name]]
        if len(same) != 1:
            return None
        out[name] = same[0]
    return out
