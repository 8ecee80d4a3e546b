"""Makes up sentences of every form within every other, and reckons apart what each comes to.

`random_rules.py` makes rules of which only both readings can agree; here every sentence has a meaning of its own, stated
beside its words, after the pages of `grammar/` alone and with no part of the interpreter: who speaks, what a member of a set
is called, what is so of nobody. A die, thrown first, changes the fight, so that the chances of a sentence are those of its
values over the faces.

    python tests/sayings.py 500        # seeds 0 to 499: what differs, and what was refused that should not be
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import Any

from closecombat.playing import fight as fights
from closecombat.playing.compiled import charts_of
from closecombat.text.faults import Faulty
from paths import PathDice
from two_readings import Case, case, text_of

MOODS = ("calm", "tense", "afraid")
FLAGS = ("broken", "pinned")
NUMBERS = ("hits", "shift", "save")  # `save` is not everybody's
REFUSED = {"two-readings", "two-spellings", "ambiguous-name"}  # where a reader would ask which is meant
FACES = 3
NO_VALUE = "no-value"
RULES = """\
ruleset: sayings
title: Sayings
language: 1
start: go
words: {mood: [calm, tense, afraid], colour: [red, blue]}
kinds:
  fight: {one: yes, given: {level: -3 to 3, night: flag, hero: a unit or nobody, wind: mood}, rolled: {fate: d3}}
  side:
    given:
      enemy: the other side
      units: {are: units, each: unit}
      guards: {are: units, each: guard}
      chief: a unit or nobody
      spirit: -2 to 5
  unit:
    given:
      side: a side
      save: 1 to 6 or nobody
      shift: -3 to 3
      temper: mood
      foe: a unit or nobody
      friend: a unit or nobody
      stores: {per: colour, is: 0 to 3}
      hits: 0 to 6
      broken: flag
      pinned: flag
groups:
  fit: {each: fit-one, about: side, are: units where (not broken)}
  rivals: {each: rival, about: unit, are: units of enemy of side where (hits is at least 2)}
tables:
TABLES
sequences:
  go:
    in-order:
      throw: {roll: fate}
      hurt:  {each: unit, fate: at least 2, do: [take 1 from hits, add 2 to shift]}
      shake: {each: unit, fate: 3, hits: at least 1, do: [gain broken, set foe to nobody]}
      gone:  {each: unit, fate: 2, hits: 0, do: leave}
"""


class NoValue(Exception):
    """Something counts on a value of nobody, or there is nobody left to choose from."""


@dataclass
class One:
    """A side or a unit of the fight that is reckoned apart."""

    name: str
    kind: str
    facts: dict[str, Any] = field(default_factory=dict)
    here: bool = True


@dataclass
class Fight:
    facts: dict[str, Any]
    sides: list[One]
    units: list[One]  # in the order of the situation

    def set_of(self, side: One, name: str) -> list[One]:
        everybody = [one for one in self.units if one.facts["side"] is side] if name == "units" else side.facts[name]
        return [one for one in everybody if one.here]


Layers = tuple[tuple[str, str], ...]  # who speaks, outermost first: a name and a kind
Env = tuple[One, ...]  # who it is, in the same order
Meaning = Callable[[Fight, Env], Any]
Said = tuple[str, Meaning]


def counted(value: Any) -> Any:
    if value is None:
        raise NoValue
    return value


class Sayings:
    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.situation = self.situated()
        self.tables = [self.table(i) for i in range(6)]

    def pick(self, choices: Sequence[Any]) -> Any:
        return self.random.choice(list(choices))

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def table(self, number: int) -> tuple[str, Said, str]:
        about = self.pick(["unit", "unit", "side"])
        layers: Layers = ((about, about),)
        if self.chance(0.4):
            return f"q{number}", self.sum(layers), about
        text, of = self.flag(layers, 3) if self.chance(0.6) else self.number(layers, 3)
        return f"q{number}", (f"is: '{text}'", of), about

    # ---- rows --------------------------------------------------------------------------------------------
    def sum(self, layers: Layers) -> Said:
        """A table that adds up: in each row columns, each of them a heading and what is said of it."""
        rows = [self.row(layers) for _ in range(self.random.randint(1, 4))]
        said = "".join(f", r{i}: {{{text}}}" for i, (text, _) in enumerate(rows))
        return f"adds-up: {{{said[2:]}}}", lambda fight, env: sum(of(fight, env) for _, of in rows)

    def row(self, layers: Layers) -> Said:
        said, inner, members = [], layers, None
        if self.chance(0.4):
            text, members, each = self.set(layers, 1, False)
            if each in [name for name, _ in layers]:
                members = None
            else:
                said.append(f"each: '{text}'")
                inner = (*layers, (each, "unit"))
        tests = []
        for _ in range(self.random.randint(0, 3)):
            text, so = self.column(inner)
            if text.partition(":")[0] not in [one.partition(":")[0] for one in said]:
                said.append(text)
                tests.append(so)
        amount, much = self.number(inner, 1)
        said.append(f"add: '{amount}'")

        def value(fight: Fight, env: Env) -> Any:
            here = [env] if members is None else [(*env, one) for one in members(fight, env)]
            return sum(counted(much(fight, one)) for one in here if all(so(fight, one) for so in tests))

        return ", ".join(said), value

    def column(self, layers: Layers) -> Said:
        sort = self.random.randrange(6)
        if sort == 0:
            text, so = self.flag(layers, 1)
            return f"when: '{text}'", so
        if sort == 1:
            text, so = self.flag(layers, 1)
            return f"unless: '({text})'", lambda fight, env: not so(fight, env)
        if sort == 2:
            (text, of), yes = self.path(layers, self.pick(FLAGS)), self.chance(0.6)
            return f"{text}: {'yes' if yes else 'no'}", lambda fight, env: of(fight, env) is yes
        if sort == 3:
            quantifier, (text, members, _) = self.pick(["any", "no"]), self.set(layers, 0, False)
            said, fits = self.said_of(layers)
            return (
                f"{quantifier} {text}: {said}",
                lambda fight, env: any(fits(fight, env, one) for one in members(fight, env)) is (quantifier == "any"),
            )
        (text, of), (said, fits) = self.path(layers, self.pick(NUMBERS)), self.bounds(layers)
        if sort == 4:
            text, of = self.path(layers, "temper")
            said, fits = self.of_words()
        whole, so = claim(text, of, said, fits, self.chance(0.2))
        return f"{text}: '{whole.removeprefix(text).removeprefix(' is ')}'", so

    # ---- who ---------------------------------------------------------------------------------------------
    def bare(self, layers: Layers, kind: str) -> tuple[str, int] | None:
        """A bare fact is that of the innermost who is of this kind; only one of a name can be named."""
        places = [i for i, (_, one) in enumerate(layers) if one == kind]
        return ("", places[-1]) if places else None

    def named(self, layers: Layers, kind: str) -> list[Said]:
        """Those who speak, by name; of two of one name nobody is named."""
        names = [name for name, _ in layers]
        out: list[Said] = []
        for i, (name, one) in enumerate(layers):
            if one == kind and names.count(name) == 1:
                out.append((name, lambda fight, env, i=i: env[i]))
        return out

    def side(self, layers: Layers, depth: int = 1) -> Said:
        out = self.named(layers, "side") * 2
        if (found := self.bare(layers, "unit")) is not None and "side" not in [name for name, _ in layers]:
            i = found[1]
            out += [("side", lambda fight, env: env[i].facts["side"])] * 2
        out += [(f"side of {text}", at(of, "side")) for text, of in self.named(layers, "unit")]
        text, of = self.pick(out)
        if depth and self.chance(0.4):
            return f"enemy of {text}", lambda fight, env: next(one for one in fight.sides if one is not of(fight, env))
        return text, of

    def unit(self, layers: Layers) -> Said:
        """Somebody, or nobody."""
        out = self.named(layers, "unit") * 2
        out.append(("hero", lambda fight, env: fight.facts["hero"]))
        for fact in ("foe", "friend"):
            if (found := self.bare(layers, "unit")) is not None:
                i = found[1]
                out.append((fact, lambda fight, env, i=i, fact=fact: env[i].facts[fact]))
            out += [(f"{fact} of {text}", at(of, fact)) for text, of in self.named(layers, "unit")]
        side, of = self.side(layers, 0)
        out.append((f"chief of {side}", at(of, "chief")))
        if self.chance(0.2):
            text, members = self.set(layers, 1, True)[:2]
            end, fact = self.pick(["highest", "lowest"]), self.pick(NUMBERS)
            return f"(whoever of {text} has {end} {fact})", lambda fight, env: farthest(members(fight, env), fact, end)
        text, of = self.pick(out)
        if self.chance(0.15) and "(" not in text:
            return f"foe of {text}", at(of, "foe")
        return text, of

    def path(self, layers: Layers, fact: str) -> Said:
        """A fact of a unit, by its bare name or of somebody."""
        found = self.bare(layers, "unit")
        if found is not None and self.chance(0.5):
            i = found[1]
            return fact, lambda fight, env: env[i].facts[fact]
        text, of = self.unit(layers)
        while text.startswith("("):
            text, of = self.unit(layers)
        return f"{fact} of {text}", at(of, fact)

    # ---- sets --------------------------------------------------------------------------------------------
    def set(self, layers: Layers, depth: int, plural: bool) -> tuple[str, Callable[[Fight, Env], list[One]], str]:
        """A set, what it holds, and what a member is called."""
        kind = self.pick(["units", "units", "all", "guards", "fit", "rivals"])
        text: str
        of: Callable[[Fight, Env], list[One]]
        if kind == "all":
            each, text = "unit", "units" if plural else "unit"
            of = lambda fight, env: [one for one in fight.units if one.here]  # noqa: E731
            if ("side", "side") in layers and self.speaks_units(layers):
                inmost = max(i for i, one in enumerate(layers) if one[1] == "side")
                of = lambda fight, env: fight.set_of(env[inmost], "units")  # noqa: E731
        elif kind == "rivals":
            whom = self.pick([*self.named(layers, "unit"), None])
            if whom is None:
                return self.set(layers, depth, plural)
            name, who = whom
            each, text = "rival", f"{'rivals' if plural else 'rival'} of {name}"
            of = lambda fight, env: rivals(fight, who(fight, env))  # noqa: E731
        else:
            owner, side = self.side(layers)
            each = {"units": "unit", "guards": "guard", "fit": "fit-one"}[kind]
            text = f"{kind if plural else each} of {owner}"
            name = "units" if kind == "fit" else kind

            def of(fight: Fight, env: Env) -> list[One]:
                found = fight.set_of(side(fight, env), name)
                return [one for one in found if not one.facts["broken"]] if kind == "fit" else found

        base, mine = of, self.bare(layers, "unit")
        if mine is not None and self.chance(0.3):
            i = mine[1]
            text, each = f"other {text}", f"other-{each}"
            of = lambda fight, env: [one for one in base(fight, env) if one is not env[i]]  # noqa: E731
        if depth > 0 and self.chance(0.5) and [name for name, _ in layers].count(each) < 2:
            inner: Layers = (*layers, (each, "unit"))
            condition, holds = self.flag(inner, depth - 1)
            whole = of
            return (
                f"{text} where ({condition})",
                lambda fight, env: [one for one in whole(fight, env) if holds(fight, (*env, one))],
                each,
            )
        return text, of, each

    def speaks_units(self, layers: Layers) -> bool:
        """Whether bare `units` are those of a side who speaks."""
        return any(kind == "side" for _, kind in layers)

    # ---- numbers -----------------------------------------------------------------------------------------
    def number(self, layers: Layers, depth: int) -> Said:
        sort = self.random.randrange(6 if depth <= 0 else 13)
        if sort == 0:
            n = self.random.randint(-2, 4)
            return str(n), lambda fight, env: n
        if sort == 1:
            return "level", lambda fight, env: fight.facts["level"]
        if sort == 2:
            text, of = self.side(layers)
            return f"spirit of {text}", at(of, "spirit")
        if sort in (3, 4):
            return self.path(layers, self.pick(["hits", "shift", "save", "hits-at-start"]))
        if sort == 5:
            colour = self.pick(["red", "blue"])
            text, of = self.path(layers, "stores")
            return f"{text} for {colour}", lambda fight, env: over(of(fight, env), lambda stores: stores[colour])
        if sort == 6:
            text, members, _ = self.set(layers, depth - 1, True)
            return f"number of {text}", lambda fight, env: len(members(fight, env))
        if sort == 7:
            text, members, _ = self.set(layers, depth - 1, True)
            fact = self.pick(NUMBERS)
            return f"total {fact} of {text}", lambda fight, env: sum(
                counted(one.facts[fact]) for one in members(fight, env)
            )
        if sort == 8:
            text, members, _ = self.set(layers, depth - 1, True)
            fact, end, nth = self.pick(NUMBERS), self.pick(["highest", "lowest"]), self.pick([0, 0, 1])

            def extreme(fight: Fight, env: Env) -> Any:
                values = sorted(
                    (v for one in members(fight, env) if (v := one.facts[fact]) is not None), reverse=end == "highest"
                )
                return values[nth] if nth < len(values) else counted(None)

            return f"{'second ' * nth}{end} {fact} of {text}", extreme
        if sort == 9:
            end = self.pick(["lower", "higher"])
            (a, x), (b, y) = self.number(layers, 0), self.number(layers, depth - 1)
            better = min if end == "lower" else max
            return (
                f"(the {end} of {a} and ({b}))",
                lambda fight, env: better(counted(x(fight, env)), counted(y(fight, env))),
            )
        if sort == 10:
            end = self.pick(["lowest", "highest"])
            (a, x), (b, y), (c, z) = self.number(layers, 0), self.number(layers, 0), self.number(layers, 0)
            better = min if end == "lowest" else max
            return (
                f"(the {end} of {a}, {b} and {c})",
                lambda fight, env: better([counted(one(fight, env)) for one in (x, y, z)]),
            )
        if sort == 11:
            (a, x), way = self.number(layers, depth - 1), self.pick(["up", "down", "to nearest"])
            by = self.pick([2, 3])
            return (
                f"(({a}) / {by} rounded {way})",
                lambda fight, env: rounded(Fraction(counted(x(fight, env)), by), way),
            )
        (a, x), (b, y), sign = self.number(layers, 0), self.number(layers, depth - 1), self.pick("+-*")
        return (
            f"({a} {sign} ({b}))",
            lambda fight, env: calculated(sign, counted(x(fight, env)), counted(y(fight, env))),
        )

    # ---- conditions --------------------------------------------------------------------------------------
    def flag(self, layers: Layers, depth: int) -> Said:
        sort = self.random.randrange(8 if depth <= 0 else 15)
        if sort == 0:
            return "night", lambda fight, env: fight.facts["night"]
        if sort in (1, 2):
            fact = self.pick(FLAGS)
            text, of = self.path(layers, fact)
            if self.chance(0.3):
                return f"not {text}", lambda fight, env: not of(fight, env)
            if self.chance(0.2):
                yes = self.chance(0.5)
                return f"{text} is {'yes' if yes else 'no'}", lambda fight, env: of(fight, env) is yes
            return text, lambda fight, env: bool(of(fight, env))
        if sort == 3:
            text, of = self.unit(layers)
            said, so = self.said_of(layers)
            return claim(text, of, said, so, self.chance(0.3))
        if sort == 4:
            text, of = self.path(layers, "temper")
            said, so = self.of_words()
            return claim(text, of, said, so, self.chance(0.3))
        if sort in (5, 6, 7):
            text, of = self.number(layers, depth - 1)
            said, so = self.bounds(layers)
            return claim(text, of, said, so, self.chance(0.2))
        if sort in (8, 9, 10):
            return self.quantified(layers, depth)
        if sort == 11:
            a, b = self.flag(layers, depth - 1), self.flag(layers, depth - 1)
            return f"({a[0]}) and ({b[0]})", lambda fight, env: a[1](fight, env) and b[1](fight, env)
        if sort == 12:
            a, b = self.flag(layers, depth - 1), self.flag(layers, depth - 1)
            return f"({a[0]}) or ({b[0]})", lambda fight, env: a[1](fight, env) or b[1](fight, env)
        if sort == 13:
            a, b = self.flag(layers, depth - 1), self.flag(layers, depth - 1)
            both, of = self.pick([("and", all), ("or", any)])
            return (
                f"not (({a[0]}) {both} ({b[0]}))",
                lambda fight, env: not of(one[1](fight, env) for one in (a, b)),
            )
        parts = [self.flag(layers, 0) for _ in range(self.pick([2, 3]))]  # one after the other, without brackets
        joint, of = self.pick([("and", all), ("or", any)])
        parts.sort(key=lambda part: " is " in part[0])  # what is bare would go on with the test before it
        return f" {joint} ".join(text for text, _ in parts), lambda fight, env: of(one[1](fight, env) for one in parts)

    def quantified(self, layers: Layers, depth: int) -> Said:
        quantifier = self.pick(["any", "no", "every"])
        text, members, _ = self.set(layers, depth - 1, False)
        if quantifier != "every" and self.chance(0.25):
            return f"{quantifier} {text}", lambda fight, env: bool(members(fight, env)) is (quantifier == "any")
        said, so = self.said_of(layers) if self.chance(0.6) else self.pick([(one, has(one)) for one in FLAGS])
        no = quantifier != "every" and self.chance(0.25) and " or " not in said

        def holds(fight: Fight, env: Env) -> bool:
            fits = [so(fight, env, one) is not no for one in members(fight, env)]
            return any(fits) if quantifier == "any" else not any(fits) if quantifier == "no" else fits != [] and all(fits)

        return f"{quantifier} {text} is {'not ' if no else ''}{said}", holds

    def said_of(self, layers: Layers) -> tuple[str, Callable[[Fight, Env, Any], bool]]:
        """What can be said of somebody: bare names are those of the ones who speak, not his."""
        sort = self.random.randrange(6)
        if sort == 0:
            flag = self.pick(FLAGS)
            return flag, has(flag)
        if sort == 1:
            mood = self.pick(MOODS)
            return mood, lambda fight, env, one: one.facts["temper"] == mood
        if sort == 2:
            return "broken or pinned", lambda fight, env, one: one.facts["broken"] or one.facts["pinned"]
        if sort == 3:
            text, members, _ = self.set(layers, 0, True)
            return f"in {text}", lambda fight, env, one: one in members(fight, env)
        if sort == 4:
            return "fit-one", lambda fight, env, one: one.here and not one.facts["broken"]
        text, of = self.unit(layers)
        while text.startswith("("):
            text, of = self.unit(layers)
        return text, lambda fight, env, one: one is of(fight, env)

    def of_words(self) -> tuple[str, Callable[[Fight, Env, Any], bool]]:
        mood, sort = self.pick(MOODS), self.random.randrange(5)
        at, place = MOODS.index(mood), MOODS.index
        if sort == 0:
            return f"at least {mood}", lambda fight, env, one: place(one) >= at
        if sort == 1:
            return f"less than {mood}", lambda fight, env, one: place(one) < at
        if sort == 2:
            other = self.pick(MOODS)
            return f"{mood} or {other}", lambda fight, env, one: one in (mood, other)
        if sort == 3:
            return "wind", lambda fight, env, one: one == fight.facts["wind"]
        return mood, lambda fight, env, one: one == mood

    def bounds(self, layers: Layers) -> tuple[str, Callable[[Fight, Env, Any], bool]]:
        sort = self.random.randrange(8)
        if sort == 0:
            low = self.random.randint(-1, 2)
            return f"{low} to {low + 2}", lambda fight, env, one: low <= one <= low + 2
        if sort == 1:
            a, b = self.random.randint(-1, 2), self.random.randint(2, 5)
            return f"{a} or at least {b}", lambda fight, env, one: one == a or one >= b
        (text, of), sign = self.number(layers, 0), sort % 5
        words = ("at least", "at most", "more than", "less than", "")[sign]

        def holds(fight: Fight, env: Env, one: Any) -> bool:
            other = of(fight, env)
            if other is None:
                return False
            return bool((one >= other, one <= other, one > other, one < other, one == other)[sign])

        return f"{words} {text}".strip(), holds

    # ---- the fight ---------------------------------------------------------------------------------------
    def situated(self) -> dict[str, Any]:
        yes = lambda: self.pick(["yes", "no"])  # noqa: E731
        names = {"one": ["a", "b", "c"][: self.random.randint(1, 3)], "two": ["x", "y"][: self.random.randint(0, 2)]}
        every = [unit for units in names.values() for unit in units]
        sides = {}
        for side, units in names.items():
            facts: dict[str, Any] = {"spirit": self.random.randint(-2, 5), "units": {}}
            for unit in units:
                own = {"hits": self.random.randint(0, 6), "shift": self.random.randint(-3, 3), "temper": self.pick(MOODS)}
                own |= {flag: yes() for flag in FLAGS}
                own["stores"] = {"red": self.random.randint(0, 3), "blue": self.random.randint(0, 3)}
                if self.chance(0.5):
                    own["save"] = self.random.randint(1, 6)
                own |= {fact: self.pick(every) for fact in ("foe", "friend") if self.chance(0.6)}
                facts["units"][unit] = own
            facts["guards"] = [unit for unit in units if self.chance(0.5)]
            if self.chance(0.6):
                facts["chief"] = self.pick(every)
            sides[side] = facts
        fight = {"level": self.random.randint(-3, 3), "night": yes(), "wind": self.pick(MOODS)}
        if self.chance(0.6):
            fight["hero"] = self.pick(every)
        return {"fight": fight, "sides": sides}

    def at_the_end(self, fate: int) -> Fight:
        """The fight once the die has shown this."""
        sides = [One(name, "side", dict(facts)) for name, facts in self.situation["sides"].items()]
        units = [One(name, "unit", {**one, "side": side}) for side in sides for name, one in side.facts["units"].items()]
        by_name = {one.name: one for one in units}
        for side in sides:
            side.facts["guards"] = [by_name[name] for name in side.facts["guards"]]
            side.facts["chief"] = by_name.get(side.facts.get("chief", ""))
        for unit in units:
            facts = unit.facts
            facts |= {flag: facts[flag] == "yes" for flag in FLAGS}
            facts |= {fact: by_name.get(facts.get(fact, "")) for fact in ("foe", "friend")}
            facts |= {"save": facts.get("save"), "hits-at-start": facts["hits"]}
            if fate >= 2:
                facts |= {"hits": max(facts["hits"] - 1, 0), "shift": min(facts["shift"] + 2, 3)}
            if fate == 3 and facts["hits"] >= 1:
                facts |= {"broken": True, "foe": None}
            unit.here = not (fate == 2 and facts["hits"] == 0)
        facts = dict(self.situation["fight"])
        facts |= {"night": facts["night"] == "yes", "hero": by_name.get(facts.get("hero", ""))}
        return Fight(facts, sides, units)

    def rules(self, tables: Sequence[tuple[str, Said, str]]) -> str:
        lines = [f"  {name}: {{about: {about}, {text}}}" for name, (text, _), about in tables]
        return RULES.replace("TABLES", "\n".join(lines))

    def meant(self, said: Said, about: str, name: str, fate: int) -> Any:
        fight = self.at_the_end(fate)
        who = next(one for one in (*fight.sides, *fight.units) if one.name == name and one.kind == about)
        try:
            return said[1](fight, (who,))
        except NoValue:
            return NO_VALUE


def at(of: Meaning, fact: str) -> Meaning:
    return lambda fight, env: over(of(fight, env), lambda one: one.facts[fact])


def over(one: Any, fn: Callable[[Any], Any]) -> Any:
    """Of nobody it is nobody."""
    return None if one is None else fn(one)


def has(flag: str) -> Callable[[Fight, Env, Any], bool]:
    return lambda fight, env, one: bool(one.facts[flag])


def rivals(fight: Fight, who: One) -> list[One]:
    return [one for one in fight.units if one.here and one.facts["side"] is not who.facts["side"] and one.facts["hits"] >= 2]


def claim(text: str, of: Meaning, said: str, so: Callable[[Fight, Env, Any], bool], no: bool) -> Said:
    """Of nobody nothing is so, nor is it not so."""

    def holds(fight: Fight, env: Env) -> bool:
        one = of(fight, env)
        return one is not None and so(fight, env, one) is not no

    return f"{text} is {'not ' if no else ''}{said}", holds


def farthest(members: Sequence[One], fact: str, end: str) -> One | None:
    """The first of those who have most, or least, of it; whoever has none is passed over."""
    best: One | None = None
    for one in members:
        value = one.facts[fact]
        if value is None:
            continue
        if best is None or (value > best.facts[fact] if end == "highest" else value < best.facts[fact]):
            best = one
    return best


def rounded(value: Fraction, way: str) -> int:
    return value.__floor__() if way == "down" else value.__ceil__() if way == "up" else (value + Fraction(1, 2)).__floor__()


def calculated(sign: str, one: Any, other: Any) -> Any:
    return one + other if sign == "+" else one - other if sign == "-" else one * other


# ---- held against the program ------------------------------------------------------------------------------


def plain(value: Any) -> Any:
    """A flag of nobody is no; of a number that is whole it is the same how it is kept."""
    return False if value is None else int(value) if isinstance(value, bool | Fraction) and value == int(value) else value


def played(small: Case, fate: int, name: str, who: str, often: bool) -> Any:
    if often:
        charts_of(small.bound, False).prepare(name)
    run = small.begin(PathDice((fate,), Fraction(1), 9))
    try:
        return run.table(name, (run.state.things[who],))
    except Faulty as error:
        return error.diagnostics[0].code


def proved(small: Case, name: str, who: str) -> dict[Any, Fraction] | str:
    try:
        run = small.begin(None)
        value = fights.asked(run, text_of(f"{name} of {who}"))[0]
        found: dict[Any, Fraction] = {}
        for (one,), weight in fights.distribution(run, [value]).items():
            found[plain(one)] = found.get(plain(one), Fraction(0)) + weight
        return found
    except Faulty as error:
        return error.diagnostics[0].code


def differences(seed: int, refused: Counter[str]) -> list[str]:
    """Where a sentence of this seed comes to something else than it says."""
    made, out = Sayings(seed), []
    situation = repr({"situation": made.situation}).replace("'", '"').replace('"yes"', "yes").replace('"no"', "no")
    for name, said, about in made.tables:
        try:
            small = case(made.rules([(name, said, about)]), situation, [])
        except Faulty as error:
            first = error.diagnostics[0]
            refused[first.code] += 1
            if first.code not in REFUSED:
                out.append(f"{seed}: `{said[0]}` about {about} is refused: {first.code}: {first.message}")
            continue
        refused["none"] += 1
        sides = made.situation["sides"]
        for who in sides if about == "side" else [unit for side in sides.values() for unit in side["units"]]:
            meant = [made.meant(said, about, who, fate) for fate in range(1, FACES + 1)]
            for fate, value in enumerate(meant, 1):
                for often in (False, True):
                    found = played(small, fate, name, who, often)
                    if plain(found) != plain(value):
                        out.append(f"{seed}: `{said[0]}` of {who} ({about}), fate {fate}: {found}, and means {value}")
            chances = proved(small, name, who)
            wanted: Any = NO_VALUE
            if NO_VALUE not in meant:
                wanted = {}
                for value in meant:
                    wanted[plain(value)] = wanted.get(plain(value), Fraction(0)) + Fraction(1, FACES)
            if chances != wanted:
                out.append(f"{seed}: `{said[0]}` of {who} ({about}): chances {chances}, and means {wanted}")
    return out


if __name__ == "__main__":
    refused: Counter[str] = Counter()
    numbers = [int(one) for one in sys.argv[1:]] or [200]
    wrong = 0
    for seed in range(*numbers) if len(numbers) > 1 else range(numbers[0]):
        for line in differences(seed, refused):
            wrong += 1
            print(line, flush=True)
    print(f"{sum(refused.values())} sentences, refused: {dict(refused)}; {wrong} differences")
