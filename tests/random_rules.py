"""Makes up small rulesets and situations from a seed: nobody would play them, and every part of the language is used.

Without families, what is written is sound: a value that may be nobody is compared, never counted on, unless a
condition asks first; loops without a bound count their passes. Each family brings something that can go wrong, or
that is done otherwise: a seed draws some of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

Env = tuple[tuple[str, str], ...]  # who is spoken of: a name and its kind, the innermost last

FAMILIES = (
    "decks",  # cards put back in some branches only, and dealt from an empty deck
    "explosions",
    "unending",  # dice that are thrown once more without end
    "re-rolls",
    "sides",  # dice whose faces are counted, of which some are kept, to which something is added
    "endless",  # repetitions that may go on for ever
    "counts",  # numbers of dice that are negative, fractional or nobody's
    "declared",  # declarations, by default and answered, that a rule may forbid on the way
    "groups",  # named sets, and played sequences for one of them
    "grids",  # charts that lack a word or an end
    "hands",  # decks that each side has, with numbers on the cards, shuffled when empty; cards held
    "nobody",  # values of nobody that something counts on
    "repeats",  # rows done several times, repetitions asked before they begin
    "orders",  # members that are looked at in an order of their own
    "missing",  # rows that no case of a table fits, and facts that the situation leaves out
    "chosen",  # flags, words, numbers and units that a player settles, by answer or by default, within what is legal
    "created",  # units that come into the fight, by name of the row that brings them
    "options",  # a rule that can be read two ways
    "between",  # several close combats, and what is played between them
    "three",  # three sides, each with an enemy of its own choice; sets of sides
    "moves",  # units that change hands, wholly or by halves; sides that change roles
)
SCALE = ["unharmed", "shaken", "reduced", "driven-off", "destroyed", "locked"]
WEIGHTS = {"columns": ["weight", "slow"], "rows": {"foot": [1, "no"], "horse": ["3/2", "yes"], "guns": ["-", "no"]}}
WORDS = {"trade": ["foot", "horse", "guns"], "colour": ["red", "blue"], "state": ["fit", "hurt", "dead"]}
KINDS: dict[str, Any] = {
    "fight": {
        "one": "yes",
        "given": {"attacker": "a side", "night": "flag", "level": "0 to 3", "weather": ["dry", "wet", "storm"]},
        "noted": {
            "tally": "0 to 3",
            "alarm": "flag",
            "mark": "a unit or nobody",
            "mood": "trade",
            "turn-a": "0 to 9",
            "turn-b": "0 to 9",
            "turn-c": "0 to 9",
        },
    },
    "side": {
        "given": {
            "enemy": "the other side",
            "units": {"are": "units", "each": "unit"},
            "morale": "0 to 4",
            "champion": "a unit or nobody",
        },
        "rolled": {"die": "one", "volley": "volley", "pair": "pair"},
        "drawn": {"card": "pack", "hand": "cards of own", "lot": "own"},
        "chosen": {"victims": {"are": "units", "each": "victim"}, "bold": "flag", "bid": "own"},
        "noted": {"spirit": "0 to 3", "seized": "flag", "luck": "number"},
    },
    "unit": {
        "printed": {"size": "0 to 3", "class": "trade", "half": "a counter or nobody"},
        "given": {
            "side": "a side",
            "hits": "0 to 3",
            "keen": "flag",
            "buddy": "a unit or nobody",
            "stores": {"per": "colour", "is": "0 to 2"},
        },
        "rolled": {"shots": "shots", "nerve": "one"},
        "noted": {
            "wounds": {"is": "0 to 3", "default": "hits"},
            "ward": "0 to 2 or nobody",
            "rattled": "flag",
            "order": "trade",
        },
    },
}
KINDS["side"]["chosen"]["raids"] = {"are": "raids", "each": "raid"}
KINDS["raid"] = {
    "chosen": {"raiders": {"are": "units", "each": "raider"}, "prey": "a unit or nobody"},
    "noted": {"effort": "0 to 3"},
}
CHOSEN: dict[str, dict[str, Any]] = {
    "side": {"stance": "trade", "effort": "0 to 2", "hero": "a unit or nobody"},
    "unit": {"ready": "flag", "pose": "state", "aim": "0 to 2 or nobody", "quarry": "a unit or nobody"},
}
WITHOUT_RAIDS = {kind: dict(facts) for kind, facts in KINDS.items() if kind != "raid"}
WITHOUT_RAIDS["side"]["chosen"] = {name: fact for name, fact in KINDS["side"]["chosen"].items() if name != "raids"}
MEMBERS = {
    "mates": "mate",
    "units": "unit",
    "victims": "victim",
    "raiders": "raider",
    "standers": "stander",
    "friends": "friend",
}
COUNTERS = {
    "unit": {
        "columns": ["size", "class", "half"],
        "rows": {"big": [3, "horse", "small"], "small": [1, "foot", "nobody"], "gun": [2, "guns", "small"]},
    }
}
OWN = {"each": "side", "cards": {"ace": {"cards": 2, "worth": 3}, "deuce": {"cards": 1, "worth": -1}}}
DECK = {"pack": {"low": 8, "middle": 16, "high": 8}}


class Rules:
    """One made-up ruleset with its situation: `document()` and `questions`."""

    def __init__(self, seed: int, families: Sequence[str] = (), throws: int | None = None) -> None:
        self.random = Random(seed)
        self.families = {family for family in families if len(families) < 4 or self.chance(0.35)}
        self.tables: dict[str, Any] = {}
        self.worth: dict[str, tuple[str, tuple[str, ...]]] = {}  # table -> what its value is, and about whom
        self.sequences: dict[str, Any] = {}
        self.turns = ["turn-a", "turn-b", "turn-c"]
        self.groups: dict[str, Any] = {}
        self.answers: dict[str, Any] = {}
        self.deck = {"low": 1, "high": 1} if "decks" in self.families else DECK["pack"]
        self.raids = 0
        self.settled: list[str] = []  # what some row so far lets a player choose
        self.news = 0
        self.situation = self.situated()
        self.endless = "endless" in self.families
        self.at_the_end = False
        self.thrown: list[str] = []  # what has been rolled in some row so far
        self.throws = self.random.choice([1, 2, 2, 3, 3, 4, 5])
        self.throws = self.throws if throws is None else min(self.throws, throws)
        if "groups" in self.families:
            self.grouped()
        first = self.first_throws() if self.throws and self.chance(0.7) else {}
        for _ in range(self.random.randint(1, 5)):
            self.table()
        dice = {
            "one": self.die(),
            "pair": {"red": "d2", "white": self.pick(["d2", "d3"])},
            "shots": self.pool((("unit", "unit"),)),
            "volley": self.pool((("side", "side"),)),
        }
        self.sequence((), 0, name="combat")
        later = {"until": self.flag((), 1)} if "between" in self.families else {}
        if later and self.chance(0.8):
            later["between"] = self.sequence((), 2)
        moment = {"do": "add 0 to tally"}  # what is asked as it was then is written down
        rows = first | {"moment": moment} | self.sequences["combat"]["in-order"] | {"moment-too": moment}
        self.sequences["combat"]["in-order"] = rows | self.last_effects() if self.chance(0.7) else rows
        self.rules = {
            "ruleset": "made-up",
            "title": "Made up",
            "about": "Made up from a seed.",
            "language": 1,
            "start": "combat",
            "words": {**WORDS, "trade": WEIGHTS} if "grids" in self.families else WORDS,
            "kinds": self.kinds(),
            "counters": COUNTERS,
            "dice": dice,
            "decks": {"pack": self.deck, "own": OWN | ({"when-empty": "shuffle"} if self.chance(0.7) else {})},
            "groups": {"mates": {"each": "mate", "about": "side", "are": "units"}} | self.groups,
            "tables": self.tables,
            "sequences": self.sequences,
            "outcomes": {
                "about": "side",
                "words": SCALE,
                "first-of": {
                    f"o{i}": {"when": self.flag((("side", "side"),), 1), "is": self.pick(SCALE)}
                    for i in range(self.random.randint(1, 3))
                },
                "otherwise": "unharmed",
            },
            "strength-lost": {"about": "side", "unit": "size", "is": self.number((("side", "side"),), 1)},
            "obligations": ["burial"],
        }
        if later:
            self.rules["rounds"] = later
        if "options" in self.families:
            self.rules["options"] = {
                name: {
                    "readings": [f"{name}-strict", f"{name}-loose"],
                    "default": f"{name}-loose",
                    "why": "Told twice.",
                }
                for name in ("first-rule", "second-rule")
            }
        self.at_the_end = True
        self.questions = [self.question() for _ in range(4)]

    @property
    def choices(self) -> dict[str, Any]:
        """What the players have answered beforehand, how rules are read, and how many combats there are."""
        out: dict[str, Any] = {"choices": self.answers} if self.answers else {}
        if "between" in self.families:
            out["combats"] = 2
        if "options" in self.families and self.situation["fight"]["level"] % 2:
            out["options"] = {"first-rule": "first-rule-strict"}
        return out

    def kinds(self) -> dict[str, Any]:
        """What there is in these families."""
        kinds = KINDS if "declared" in self.families else WITHOUT_RAIDS
        out = {
            kind: {key: facts if key == "one" else dict(facts) for key, facts in one.items()}
            for kind, one in kinds.items()
        }
        if "three" in self.families:
            out["side"]["given"]["enemy"] = "a side"
        if "created" in self.families:  # whoever comes in has what nobody says of him
            out["unit"]["given"] |= {"hits": {"is": "0 to 3", "default": "1"}}
        if "chosen" in self.families:
            for kind, facts in CHOSEN.items():
                out[kind].setdefault("chosen", {}).update(facts)
        return out

    # ---- small help ------------------------------------------------------------------------------------
    def pick(self, choices: Any) -> Any:
        return self.random.choice(list(choices))

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def pool(self, env: Env) -> dict[str, Any]:
        out: dict[str, Any] = {"die": self.pick(["d2", "d2", "d3"]), "number": self.number(env, 0, small=True)}
        if "counts" in self.families:
            number = out["number"]
            out["number"] = self.pick([number, f"{number} - 1", f"({number}) / 2", self.maybe(env)])
        if "sides" in self.families:
            if self.chance(0.5):
                del out["die"]
                out["sides"] = self.pick([f"1 + ({self.number(env, 0, small=True)})", self.number(env, 0, small=True)])
            if self.chance(0.5):
                out["plus"] = self.pick(["1", "-1", self.number(env, 0, small=True), self.maybe(env)])
            if self.chance(0.4):
                out["keep"] = f"{self.pick(['highest', 'lowest'])} {self.pick(['1', self.number(env, 0, small=True)])}"
        return out | self.thrown_on()

    def thrown_on(self) -> dict[str, Any]:
        """Which dice are thrown again, or on."""
        out: dict[str, Any] = {}
        if "re-rolls" in self.families and self.chance(0.5):
            out["again-if"] = self.pick(["face is 1", "face is at most 2", "face is not 2"])
        if "explosions" in self.families and self.chance(0.5):
            out |= {"explode-if": self.pick(["face is 2", "face is 1"]), "at-most": self.pick("12")}
        if "unending" in self.families and self.chance(0.6):
            out |= {"explode-if": self.pick(["face is 2", "face is 2", "face is 1"]), "at-most": "unbounded"}
        return out

    def die(self) -> Any:
        """A die alone."""
        on = self.thrown_on()
        return {"die": "d2", "number": 1, **on} if on else self.pick(["d2", "d3"])

    def grouped(self) -> None:
        """Named sets of units, each with a name of its own for a member."""
        for name, each in (("standers", "stander"), ("friends", "friend")):
            about = self.pick(["side", "unit"])
            env: Env = ((about, about),)
            base, member = (f"mates of {self.side(env)}", "mate") if about == "unit" else ("units", "unit")
            self.groups[name] = {
                "each": each,
                "about": about,
                "are": f"{base} where ({self.flag(in_brackets(env, base, member), 1)})",
            }

    def side(self, env: Env) -> str:
        """Somebody of the kind side who is certainly there."""
        out = ["attacker", "attacker", "enemy of attacker"]
        for name, kind in env:
            own = name if kind == "side" else f"side of {name}"
            out += [own, own, own, f"enemy of {own}"] if kind != "raid" else []
        return str(self.pick(out))

    def unit(self, env: Env) -> str:
        """A unit, or nobody."""
        out = ["mark", f"champion of {self.side(env)}"]
        out += [f"hero of {self.side(env)}"] * (3 if "hero" in self.settled else 0)
        for name, kind in env:
            if kind == "unit":
                out += [name] * 4 + [f"buddy of {name}"]
                out += [f"quarry of {name}"] * (3 if "quarry" in self.settled else 0)
            elif kind == "raid":
                out += [f"prey of {name}"] * 3
        return str(self.pick(out))

    def sure_unit(self, env: Env) -> str | None:
        names = [name for name, kind in env if kind == "unit"]
        return self.pick(names) if names else None

    def units(self, env: Env, plain: bool = False) -> tuple[str, str]:
        """A set of units, and what a member is called."""
        if self.chance(0.15):
            return f"victims of {self.side(env)}", "victim"
        raids = [name for name, kind in env if kind == "raid"]
        if raids and self.chance(0.5):
            return f"raiders of {self.pick(raids)}", "raider"
        if self.groups and self.chance(0.4):
            name = self.pick(self.groups)
            owner = self.side(env) if self.groups[name]["about"] == "side" else self.sure_unit(env)
            if owner is not None:
                return f"{name} of {owner}", self.groups[name]["each"]
        if taken("unit", env) and self.chance(0.7):
            return f"mates of {self.side(env)}", "mate"
        return "unit" if self.chance(0.2) else f"units of {self.side(env)}", "unit"

    def some(self, env: Env, depth: int) -> tuple[str, str]:
        base, each = self.units(env)
        if depth > 0 and not taken(each, env) and self.chance(0.6):
            return f"{base} where ({self.flag(in_brackets(env, base, each), depth - 1)})", each
        return base, each

    def plural(self, env: Env, depth: int) -> str:
        text, _ = self.some(env, depth)
        return "units" + text[4:] if text == "unit" or text.startswith("unit ") else text

    def singular(self, env: Env, depth: int) -> str:
        text, _ = self.some(env, depth)
        for plural, one in MEMBERS.items():
            if text == plural or text.startswith(plural + " "):
                return one + text[len(plural) :]
        return text

    def called(self, worth: str, env: Env) -> str | None:
        """A table of some worth, read for somebody here."""
        found = [name for name, (what, _) in self.worth.items() if what == worth]
        if not found:
            return None
        name = self.pick(found)
        owners = []
        for kind in self.worth[name][1]:
            owner = self.side(env) if kind == "side" else self.sure_unit(env)
            if owner is None:
                return None
            owners.append(owner)
        return name + "".join(f" {word} {owner}" for word, owner in zip(("of", "for"), owners, strict=False))

    # ---- values ----------------------------------------------------------------------------------------
    def doubtful(self, env: Env) -> str:
        """A number that may be a fault to count on."""
        small = self.number(env, 0, small=True)
        out = [self.maybe(env)] * 2 + [f"highest hits of {self.plural(env, 1)}", f"6 / ({small} - 1)"]
        return str(self.pick([*out, f"lowest wounds of {self.plural(env, 1)}"]))

    def number(self, env: Env, depth: int, small: bool = False) -> str:
        """A number that nobody lacks; a small one is a count of dice."""
        side, unit = self.side(env), self.sure_unit(env)
        atoms = ["tally", f"spirit of {side}", f"number of {self.plural(env, depth)}"]
        if unit:
            atoms += [f"hits of {unit}", f"wounds of {unit}", f"wounds of {unit}", f"hits of {unit}"]
            atoms += [f"stores of {unit} for {self.pick(WORDS['colour'])}", f"size of {unit}"]
        if "hands" in self.families:
            atoms += [f"hand of {side} for ace", f"hand of {side} for deuce", f"number of hand of {side}"]
            atoms += [
                f"total worth of hand of {side}",
                f"number of hand of {side} where (worth of face is {self.pick('13')})",
            ]
        if small:
            return str(self.pick([*atoms, "1", "2"]))
        atoms += [str(self.random.randint(0, 3)), "level", f"morale of {side}", f"luck of {side}"]
        atoms += [f"total {self.pick(['hits', 'wounds', 'size'])} of {self.plural(env, depth)}"]
        if unit:
            atoms += [f"hits-at-start of {unit}", f"size-at-start of {unit}"]
        if "three" in self.families:
            where = f"({self.pick(['not seized', 'spirit is 1', 'morale is more than spirit', 'champion is nobody'])})"
            atoms += [f"number of sides where {where}", "total morale of sides", "highest spirit of sides"]
            atoms += ["number of other sides where (seized)"] if env and env[-1][1] == "side" else []
        if "chosen" in self.families:
            atoms += [f"effort of {side}"] * (4 if "effort" in self.settled else 1)
        for _ in range(3):
            if (table := self.called("number", env)) is not None:
                atoms.append(table)
        one = str(self.pick(atoms))
        if depth <= 0 or self.chance(0.55):
            return one
        two = self.number(env, depth - 1)
        if "nobody" in self.families and self.chance(0.12):
            return f"{one} + ({self.doubtful(env)})"
        if self.chance(0.12):
            return f"(the {self.pick(['lower', 'higher'])} of {one} and ({two}))"
        if self.chance(0.03):
            return f"(the {self.pick(['lowest', 'highest'])} of {one}, {self.random.randint(0, 3)} and ({two}))"
        if self.chance(0.25):
            return f"(({one} {self.pick('+-')} {two}) / 2 rounded {self.pick(['down', 'up'])})"
        return f"{one} {self.pick(['+', '-', '-', '*'])} ({two})"

    def maybe(self, env: Env) -> str:
        """A number that may be nobody's."""
        side, unit = self.side(env), self.unit(env)
        if self.thrown and self.chance(0.6):
            return str(self.pick(self.readings(self.pick(self.thrown), side, unit)))
        out = [f"die of {side}", f"pair of {side}", f"red of pair of {side}", f"volley of {side}"]
        out += [f"shots of {unit}", f"nerve of {unit}", f"wounds of {unit}", f"hits of {unit}"] * 2
        out += [f"number of shots of {unit} where (face is at least 2)", f"ward of {unit}", f"ward of {unit}"]
        out += [f"number of volley of {side} where (face is {self.pick('12')})"] * 2
        if "chosen" in self.families:
            out += [f"aim of {unit}"] * (6 if "aim" in self.settled else 1)
        if "grids" in self.families:
            out += ["weight of mood", f"weight of class of {unit}", f"weight of order of {unit}"] * 2
        if " " not in unit:
            out += [f"{self.pick(['wounds', 'hits', 'size'])} of {unit} at {self.pick(['moment', 'moment-too'])}"] * 2
        end = f"{self.pick(['', '', 'second '])}{self.pick(['highest', 'lowest'])} face of"
        if "hands" in self.families:
            out += [f"worth of lot of {side}", f"worth of bid of {side}"] * 2
            out += [f"{end.removesuffix('face of')}worth of hand of {side}"] * 2
        out += [f"{end} volley of {side}", f"{end} shots of {unit} where ({self.face(unit)})"]
        return str(self.pick(out))

    def face(self, unit: str) -> str:
        """What may be asked of the face of a die."""
        return (
            f"face is {self.pick(['1', '2', 'at least 3', f'at most size of {unit}', f'less than wounds of {unit}'])}"
        )

    def readings(self, fact: str, side: str, unit: str) -> list[str]:
        """What may be asked of a throw."""
        owner = unit if fact in ("shots", "nerve") else side
        if fact in ("shots", "volley"):
            return [
                *(f"number of {fact} of {owner} where (face is {face})" for face in ("1", "2", "at least 2")),
                f"total face of {fact} of {owner} where (face is at least {self.pick('234')})",
            ]
        return [f"{fact} of {owner}", *([f"white of pair of {owner}"] if fact == "pair" else [])]

    def word(self, env: Env) -> tuple[str, list[str]]:
        """A word, or nobody's, and what it may be."""
        side, unit = self.side(env), self.unit(env)
        out = [("mood", "trade"), (f"class of {unit}", "trade"), (f"order of {unit}", "trade")] * 2
        out += [(f"card of {side}", "pack")] * 3
        if "chosen" in self.families:
            out += [(f"stance of {side}", "trade")] * (6 if "stance" in self.settled else 1)
            out += [(f"pose of {unit}", "state")] * (6 if "pose" in self.settled else 1)
        table = self.called("word", env)
        if table is not None:
            out += [(table, "state")] * 3
        if self.chance(0.3) and (some := self.compared_words(env, out)) is not None:
            out = [some]
        text, words = self.pick(out)
        return text, list(self.deck) if words == "pack" else WORDS[words]

    def compared_words(self, env: Env, doubtful: Sequence[tuple[str, str]]) -> tuple[str, str] | None:
        """The lower or higher of two words of a list, of which somebody is certainly one; or perhaps nobody."""
        sure = [(f"class of {unit}", "trade") for unit in [self.sure_unit(env)] if unit]
        sure += [(table, "state") for table in (self.called("word", env) for _ in range(3)) if table]
        if "nobody" in self.families and self.chance(0.3):
            sure += doubtful
        if not sure:
            return None
        one, words = self.pick(sure)
        others = [other for other, list in sure if list == words]
        other = self.pick([*others, self.pick(self.deck if words == "pack" else WORDS[words])])
        return f"(the {self.pick(['lower', 'higher'])} of {one} and {other})", words

    def bounds(self, value: str, env: Env, depth: int) -> str:
        """What may be said of a number."""
        low = self.random.randint(0, 3)
        out = [f"at least {value}", f"at most {value}", f"more than {value}", f"less than {value}", value]
        return str(self.pick([*out, f"not {value}", f"{low} to {low + 1}", f"{low} or {low + 2}"]))

    def flag(self, env: Env, depth: int) -> str:
        """A condition."""
        if depth > 0 and self.chance(0.45):
            sort = self.random.random()
            one, two = self.flag(env, depth - 1), self.flag(env, depth - 1)
            if sort < 0.4:
                return f"({one}) and ({two})"
            return f"({one}) or ({two})" if sort < 0.75 else f"not ({one})"
        if "unending" in self.families and self.chance(0.25):
            return self.opposed(env)
        sort = self.random.randrange(11)
        side, unit = self.side(env), self.unit(env)
        if "options" in self.families and self.chance(0.2):
            rule = self.pick(["first-rule", "second-rule"])
            return f"{rule} is {self.pick(['', 'not '])}{rule}-{self.pick(['strict', 'loose'])}"
        if "ready" in self.settled and self.chance(0.15):
            return f"{unit} is {self.pick(['', 'not '])}ready"
        if "three" in self.families and self.chance(0.15):
            return self.of_sides(env)
        if sort == 0:
            return f"{self.pick(['night', 'alarm', f'seized of {side}', f'bold of {side}'])} is yes"
        if sort == 1:
            fact = self.pick(["keen", "rattled", "rattled", "in-play"])
            return f"{unit} is {self.pick(['', '', 'not '])}{fact}" if self.chance(0.7) else f"{fact} of {unit} is yes"
        if sort == 2:
            return f"{self.number(env, depth)} is {self.bounds(self.number(env, 0), env, depth)}"
        if sort in (3, 4):
            value = self.maybe(env) if self.chance(0.3) else str(self.random.randint(0, 3))
            return f"{self.maybe(env)} is {self.bounds(value, env, depth)}"
        if sort == 5:
            who = self.pick([self.maybe(env), unit, self.word(env)[0]])
            return f"{who} is {self.pick(['', 'not '])}nobody"
        if sort == 6:
            quantifier = self.pick(["any", "no", "every"])
            if self.chance(0.3):
                roll = self.pick([f"volley of {side}", f"shots of {unit}"])
                return f"({quantifier} face of {roll} is {self.pick(['1', '2', f'at least size of {unit}'])})"
            rest = self.pick(["", " is rattled", " is keen", " is not rattled"])
            if quantifier == "every" and rest in ("", " is not rattled"):  # of whom nothing, or two things, are said
                rest = " is rattled"
            return f"({quantifier} {self.singular(env, depth)}{rest})"
        if sort == 7:
            text, words = self.word(env)
            test = self.pick(["", "not ", "at least ", "at most ", "more than ", "less than "])
            return f"{text} is {test}{self.pick(words)}"
        if sort == 8:
            other = self.pick([self.unit(env), f"champion of {side}"])
            if other == unit or (other in MEMBERS.values() and other != "unit"):  # is he one of a set, or he himself?
                other = "mark"
            if self.chance(0.4):
                return f"{unit} is {self.pick(['', 'not '])}in {self.pick(['victims', 'victims', 'mates'])} of {side}"
            return f"{unit} is {self.pick(['', 'not '])}{other}"
        if sort == 9:
            return f"card of {side} is {self.pick(['', 'more than ', 'at most ', 'not '])}card of enemy of {side}"
        table = self.called("flag", env)
        return f"{table} is yes" if table else f"spirit of {side} is at least {self.random.randint(1, 2)}"

    def of_sides(self, env: Env) -> str:
        """What is so of some of three sides, or of one among them."""
        side, other = self.side(env), self.side(env)
        if self.chance(0.3) and side != other:
            return f"{side} is {self.pick(['', 'not '])}{other}"
        said = self.pick(["seized", f"spirit is {self.bounds('1', env, 0)}", "morale is more than spirit", "not bold"])
        others = "other " if env and env[-1][1] == "side" and self.chance(0.5) else ""
        return f"({self.pick(['any', 'no'])} {others}side where ({said}))"

    def opposed(self, env: Env) -> str:
        """Throws set against each other, if all of them have been made."""
        throws = [f"{self.pick(['die', 'die', 'volley'])} of {self.side(env)}" for _ in range(3)]
        if "die" in self.thrown or "volley" in self.thrown:
            known = [fact for fact in self.thrown if fact in ("die", "volley")]
            throws = [f"{self.pick(known)} of {self.pick(['attacker', 'enemy of attacker'])}" for _ in range(3)]
        one, other, third = throws
        test = self.pick(["more than", "at least", "less than", "not"])
        if self.chance(0.4):
            return f"{one} is {test} {other}"
        there = " and ".join(f"({name} is not nobody)" for name in dict.fromkeys(throws))
        better, n = self.pick(["lower", "higher"]), self.random.randint(1, 3)
        said = [
            f"{one} - ({other}) is at least {n}",
            f"{one} + {n} is {test} {other}",
            f"{one} * 2 is {test} {other} + {third}",
        ]
        said += [f"the {better} of {one} and {other} is {test} {third}", f"({one} - {other}) / 2 rounded up is 1"]
        said += [f"the {better} of ({one} - {other}) and ({third} - {one}) is {test} {n}"]
        return f"({there} and ({self.pick(said)}))"

    def columns(self, env: Env, depth: int, most: int = 2) -> dict[str, str]:
        """Headings of a row with what is said of them."""
        out: dict[str, str] = {}
        for _ in range(self.random.randint(0, most)):
            sort = self.random.randrange(5)
            side = self.side(env)
            if sort == 0:
                out[self.pick([f"seized of {side}", "alarm", "night"])] = self.pick(["yes", "no"])
            elif sort == 1:
                out[self.maybe(env)] = self.bounds(str(self.random.randint(0, 3)), env, 0)
            elif sort == 2:
                out[self.number(env, 0)] = self.bounds(str(self.random.randint(0, 3)), env, 0)
            elif sort == 3:
                quantifier = self.pick(["any", "no", "every"])
                heading, said = f"{quantifier} {self.singular(env, 0)}", self.pick(["keen", "rattled", "not rattled"])
                out[heading] = said.removeprefix("not ") if quantifier == "every" else said
            else:
                out["when"] = self.flag(env, depth)
        if "when" not in out and self.chance(0.15):
            out["unless"] = f"({self.flag(env, depth)})"
        return out

    def first_throws(self) -> dict[str, Any]:
        """Rows that are done in any case, so that something is left to chance."""
        out: dict[str, Any] = {}
        for i in range(self.random.randint(1, 2)):
            fact = self.pick(["die", "pair", "volley", "shots", "nerve"])
            self.thrown += [fact] * 3
            if fact in ("shots", "nerve"):
                out[f"first-{i}"] = {"each": f"units of {self.side(())}", "roll": fact}
            else:
                out[f"first-{i}"] = self.pick([{"each": "side", "roll": fact}, {"roll": f"{fact} of attacker"}])
        return out

    def last_effects(self) -> dict[str, Any]:
        """Rows that look at what was thrown."""
        out: dict[str, Any] = {}
        for i, fact in enumerate(dict.fromkeys(self.thrown)):
            each = "unit" if fact in ("shots", "nerve") else "side"
            env: Env = ((each, each),)
            heading = self.pick(self.readings(fact, each, each))
            row = {"each": each, heading: self.pick(["at least 1", "1", "2", "at most 1", "not 1"])}
            if self.chance(0.3):
                row |= self.columns(env, 1, 1)
            out[f"last-{i}"] = row | {"do": self.effects(env, each)}
        return out

    # ---- tables ----------------------------------------------------------------------------------------
    def table(self) -> None:
        about = self.pick([("side",), ("side",), ("unit",), ("unit",), (), ("side", "unit")])
        env: Env = tuple((kind, kind) for kind in about)
        name = f"t{len(self.tables)}"
        worth = self.pick(["number", "number", "number", "word", "flag"])
        out: dict[str, Any] = {"about": ", ".join(about)} if about else {}
        if worth == "flag":
            if self.chance(0.5):
                out["is"] = self.flag(env, 2)
            else:
                out |= {"first-of": self.rows(env, lambda _: self.pick(["yes", "no"])), "otherwise": self.pick("yn")}
                out["otherwise"] = {"y": "yes", "n": "no"}[out["otherwise"]]
        elif worth == "word":
            policy = self.pick(["first-of", "highest-of", "lowest-of"])
            out |= {"words": WORDS["state"], policy: self.rows(env, lambda _: self.pick(WORDS["state"]))}
            out["otherwise"] = self.pick(WORDS["state"])
        else:
            policy = self.pick(["adds-up", "adds-up", "adds-up", "first-of", "highest-of", "one-of", "is", "grid"])
            if policy == "adds-up":
                out |= {policy: self.rows(env, None)}
                if self.chance(0.3):
                    out["at-least"] = "0"
                if self.chance(0.3):
                    out["at-most"] = "2"
            elif policy == "one-of":
                heading = self.pick([f"seized of {self.side(env)}", "alarm", "night"])
                out[policy] = {
                    "ja": {heading: "yes", "is": self.number(env, 1)},
                    "nein": {heading: "no", "is": self.number(env, 1)},
                }
                if "missing" in self.families and self.chance(0.6):
                    del out[policy][self.pick(["ja", "nein"])]
            elif policy == "is":
                out[policy] = self.number(env, 2)
            elif policy == "grid":
                out["across"] = f"{self.number(env, 0)} to {self.number(env, 0, small=True)} + 1"
                out["columns"] = ["below 1-2", "1-2", "1-1", "2-1", "above 2-1"]
                if "grids" in self.families:
                    self.short_of(out, env)
                width = len(out["columns"])
                holes = 0.15 if "grids" in self.families else 0
                cells = lambda: ["-" if self.chance(holes) else self.random.randint(-1, 3) for _ in range(width)]  # noqa: E731
                rows = WORDS["trade"] if "down" in out else ()
                out["cells"] = {row: cells() for row in rows} or cells()
                if "grids" in self.families:
                    self.explained(out, env)
            else:
                out |= {policy: self.rows(env, lambda here: self.number(here, 1)), "otherwise": self.number(env, 0)}
                if "missing" in self.families and self.chance(0.5):
                    del out["otherwise"]
            if policy not in ("adds-up", "grid") and (of_its_own := Random(repr(out))).random() < 0.3:
                out |= of_its_own.choice(({"at-least": "0"}, {"at-most": "2"}, {"at-least": "-1", "at-most": "1"}))
        self.tables[name] = out
        self.worth[name] = (worth, about)

    def short_of(self, grid: dict[str, Any], env: Env) -> None:
        """A grid that ends; in some of its cells nothing is printed."""
        if self.chance(0.5):
            grid["columns"] = self.pick([["1-2", "1-1", "2-1"], ["below 1-1", "1-1", "2-1"]])
        else:
            grid["across"] = self.number(env, 0)
            grid["columns"] = self.pick(
                [["0", "1", "2"], ["at most 0", "1", "at least 2"], ["0", "1 to 2", "at least 3"]]
            )
        trades = [text for text, words in (self.word(env) for _ in range(5)) if words == WORDS["trade"]]
        if trades and self.chance(0.6):
            grid["down"] = trades[0]

    def explained(self, grid: dict[str, Any], env: Env) -> None:
        """A grid that falls, says what holds otherwise, or explains a mark below."""
        lines = list(grid["cells"].values()) if isinstance(grid["cells"], dict) else [grid["cells"]]
        if self.chance(0.3):
            grid["columns"] = grid["columns"][::-1]
        if self.chance(0.4):
            grid["otherwise"] = self.number(env, 0)
            if "down" in grid and self.chance(0.5):
                del grid["cells"][self.pick(list(grid["cells"]))]
                lines = list(grid["cells"].values())
        if self.chance(0.4):
            for _ in range(self.random.randint(1, 2)):
                line = self.pick(lines)
                line[self.random.randrange(len(line))] = "†"
            cases = {self.flag(env, 1): self.number(env, 1), "otherwise": self.number(env, 1)}
            grid["footnotes"] = {"†": cases if self.chance(0.7) else self.number(env, 1)}

    def rows(self, env: Env, verdict: Any) -> dict[str, Any]:
        """Rows of a table; without a verdict they add, or multiply."""
        out: dict[str, Any] = {}
        for i in range(self.random.randint(1, 3)):
            row: dict[str, Any] = self.columns(env, 1)
            inner = env
            if self.chance(0.12):
                plural, each = ("mates", "mate") if taken("unit", env) else ("units", "unit")
                row["each"] = f"{plural} of {self.side(env)}"
                inner = (*env, (each, "unit"))
                row.pop("unless", None)  # said before anybody was looked at
                row["when"] = self.flag(inner, 1)
            if verdict is not None:
                row["is"] = verdict(inner)
            elif self.chance(0.15):
                row |= {"times": self.pick(["2", "0", "1"]), "rounded": "down"}
            else:
                row["add"] = self.pick([self.number(inner, 0), "+1", "-1", "+1"])
            if self.chance(0.15) and (verdict is None or env):
                self.guarded(row, inner, "add" if "add" in row else "is" if verdict is not None else "")
            out[f"r{i}"] = in_some_order(row)
        return out

    def guarded(self, row: dict[str, Any], env: Env, key: str) -> None:
        """A row that may only be read where its condition holds: what it counts on is nobody's, or 0, elsewhere."""
        if not key or not str(row[key]).lstrip("+-").isdigit():
            return
        value = self.maybe(env) if self.chance(0.6) else self.number(env, 0)
        if value.isdigit():  # divided by what is written down as 0 it would not be read
            return
        row["when"] = f"{value} is at least 1"
        row[key] = self.pick([f"{value} - 1", f"6 / ({value}) rounded down", f"{value}"])

    # ---- sequences -------------------------------------------------------------------------------------
    def sequence(self, env: Env, depth: int, name: str = "") -> str:
        name = name or f"s{len(self.sequences)}"
        out: dict[str, Any] = {}
        self.sequences[name] = out
        if env:
            out["about"] = ", ".join(name for name, _ in env)
        order = self.pick(["in-order"] * 5 + ["at-once", "first-of"]) if depth else "in-order"
        rows: dict[str, Any] = {}
        if depth and order == "in-order" and self.turns and self.chance(0.45):
            self.repeated(out, rows, env, name)
        for i in range(self.random.randint(1, 3) if depth else self.random.randint(2, 5)):
            row = self.row(env, depth, order)
            rows[row.pop("row-id", f"{name}-{i}")] = row
        out[order] = rows
        return name

    def repeated(self, out: dict[str, Any], rows: dict[str, Any], env: Env, name: str) -> None:
        most = self.pick(["2", "2", "3", "unbounded", "unbounded", "unbounded", "8"])
        until = self.flag(env, 1)
        if self.endless and self.throws > 0 and self.chance(0.5):
            self.throws -= 1
            side = self.side(env)
            rows[f"{name}-toss"] = {"for": side, "roll": "die"}
            until = f"die of {side} is 2" + self.pick(["", f" and ({until})", f" or ({until})"])
        if most == "unbounded" and not (self.endless and self.chance(0.7)):
            turn = self.turns.pop()
            rows[f"{name}-turn"] = {"do": f"add 1 to {turn}"}
            until = f"{turn} is at least {self.pick('2233')}" + ("" if self.chance(0.4) else f" or ({until})")
        out["again"] = {"until": until, "at-most": most}
        if "repeats" in self.families and self.chance(0.4):
            before = self.flag(env, 1)
            if most == "unbounded":
                turn = self.turns.pop() if self.turns else "turn-a"
                rows[f"{name}-turn"] = {"do": f"add 1 to {turn}"}
                before = f"{turn} is less than {self.pick('123')}"
            out["again"] = {"while": before, "at-most": most}

    def row(self, env: Env, depth: int, order: str) -> dict[str, Any]:
        row: dict[str, Any] = {}
        inner = env
        sort = self.random.random()
        if self.raids and not any(kind == "raid" for _, kind in env) and self.chance(0.3):
            row["each"] = self.pick(["raid", f"raids of {self.side(env)}"])
            inner = (*env, ("raid", "raid"))
        elif "groups" in self.families and self.chance(0.25) and not taken("stander", env):
            about = self.groups["standers"]["about"]
            owner = self.side(env) if about == "side" else self.sure_unit(env)
            if owner is not None:
                row["each"] = f"standers of {owner}"
                kind = () if taken("unit", env) else (("unit", "unit"),)  # he goes by the name of his kind as well
                inner = (*env, *kind, ("stander", "unit"))
        elif sort < 0.3 and not (taken("unit", env) and taken("mate", env)):
            each = "mate" if taken("unit", env) else "unit"
            base = f"{each}s of {self.side(env)}" if each == "mate" or self.chance(0.7) else "unit"
            inner = (*env, (each, "unit"))
            row["each"] = base
            if self.chance(0.3):
                said = self.flag(in_brackets(env, base, each), 1) if self.chance(0.7) else "rattled is yes"
                row["each"] = f"{base} where ({said})"
        elif sort < 0.5 and not taken("side", env):
            row["each"] = "side"
            inner = (*env, ("side", "side"))
        elif sort < 0.62 and not any(kind == "side" for _, kind in env):
            row["for"] = self.pick(["attacker", "enemy of attacker"])
            inner = (*env, ("side", "side"))
        elif sort < 0.72 and not any(kind == "unit" for _, kind in env):
            of = self.plural(env, 1)
            row["for"] = self.pick(
                [
                    f"champion of {self.side(env)}",
                    "mark",
                    f"whoever of {of} has {self.pick(['highest', 'lowest'])} {self.pick(['hits', 'wounds', 'class'])}",
                ]
            )
            inner = (*env, ("unit", "unit"))
        if self.chance(0.3):
            row |= self.columns(inner, 1, 1)
        if self.thrown and self.chance(0.5):
            row[self.maybe(inner)] = self.bounds(str(self.random.randint(1, 2)), inner, 0)
        speaks = inner[-1][0] if inner and (inner is not env or len(env) == 1) else ""
        self.verb(row, inner, depth, order, speaks)
        if "orders" in self.families and "each" in row and order == "in-order" and "single-out" not in row:
            self.ordered(row, inner)
        return in_some_order(row)

    def ordered(self, row: dict[str, Any], env: Env) -> None:
        """Who of the members comes first, by what is certainly somebody's or may be nobody's, and who of those who are
        level."""
        values = [self.number(env, 0), self.number(env, 1), self.number(env, 0), self.maybe(env)]
        ties = ["as-listed", "as-listed", "never"]
        if set(row) & {"do", "play", "roll", "deal", "shuffle", "declare"} == {"do"}:
            ties += ["at-once"] * 2
        if self.throws > 0:
            ties.append("lots")
        words = [self.pick(["highest", "lowest"]) for _ in values]
        row["first"] = f"{words[0]} {self.pick(values)}"
        last = self.pick(ties)
        row["ties"] = [f"{words[1]} {values[0]}", last] if self.chance(0.3) else last
        self.throws -= last == "lots"

    def verb(self, row: dict[str, Any], env: Env, depth: int, order: str, speaks: str) -> None:
        kinds = {kind: name for name, kind in env if kind != "raid"}
        ways = ["do"] * 4
        if self.throws > 0 and order != "at-once":
            ways += ["roll"] * 4 + ["deal"] + ["single-out"]
        if "decks" in self.families and order != "at-once":
            ways += ["shuffle", "deal", "deal"]
        if "hands" in self.families and order != "at-once":
            ways += ["shuffle own", "deal lot", "deal hand", "deal hand", "bid"]
        if "declared" in self.families and self.raids < 2 and order == "in-order" and not env:
            ways += ["declare"] * 4
        if depth < 3:
            ways += ["play"] * 3
        if "chosen" in self.families and order != "at-once":
            ways += ["choose"] * 5
        if "created" in self.families and self.news < 2 and order != "at-once":
            ways += ["create"] * 3
        way = self.pick(ways)
        if way == "roll":
            self.throws -= 1
            owner = self.pick(["unit", "side"]) if len(kinds) == 2 else next(iter(kinds), "")
            if owner:
                fact = self.pick(["shots", "shots", "nerve"] if owner == "unit" else ["die", "volley", "pair"])
                row["roll"] = f"{fact} of {kinds[owner]}"
            else:
                fact = self.pick(["die", "volley", "pair"])
                row["roll"] = f"{fact} of {self.side(env)}"
            self.thrown += [fact] * 2
        elif way == "deal":
            self.throws -= 1
            row["deal"] = f"card of {self.side(env)}"
        elif way == "shuffle":
            row["shuffle"] = "pack"
        elif way == "shuffle own":
            row["shuffle"] = f"own of {self.side(env)}"
        elif way == "bid":
            side = self.side(env)
            row |= {"choose": f"bid of {side}", "from": f"hand of {side}", "answered": self.pick(["secret", "at-once"])}
            row["otherwise"] = f"{self.pick(['highest', 'lowest'])} face of hand of {side}"
            if self.chance(0.9):
                row[f"number of hand of {side}"] = "at least 1"
        elif way in ("deal lot", "deal hand"):
            self.throws -= 1
            row["deal"] = f"{way.removeprefix('deal ')} of {self.side(env)}"
            if way == "deal hand" and self.chance(0.6):
                row["number"] = self.pick(["0", "2", "3", f"number of units of {self.side(env)}"])
        elif way == "choose":
            self.choose(row, env)
        elif way == "create":
            self.news += 1
            row |= {"create": self.pick(["small", "big", "gun"]), "into": f"units of {self.side(env)}"}
            if self.chance(0.7):
                row["as"] = f"fresh-{self.news}"
                if self.chance(0.7):
                    new = (*env, (f"fresh-{self.news}", "unit"))
                    row["do"] = [self.effect(new, "") for _ in range(self.pick([1, 1, 2]))]
            return
        elif way == "declare":
            self.declare(row)
            env, speaks = (("side", "side"),), "side"
        elif way == "single-out":
            self.throws -= 1
            side = self.side(env)
            row |= {"single-out": f"victims of {side}", "from": f"units of {self.side(env)}"}
            row["ties"] = self.pick(["all", "again"])
        elif way == "play":
            row["play"] = self.sequence(env, depth + 1)
            if self.chance(0.8):
                if "repeats" in self.families and self.chance(0.25):
                    row["repeat"] = self.pick(["2", self.number(env, 0, small=True)]).replace("1", "2")
                return
        if "repeats" in self.families and way not in ("declare", "choose") and self.chance(0.25):
            row["repeat"] = self.pick(["2", "3", self.number(env, 0, small=True), self.number(env, 0, small=True)])
            row["repeat"] = "2" if row["repeat"] == "1" else row["repeat"]
        if way == "do" or self.chance(0.3):
            row["do"] = self.effects(env, speaks)

    def declare(self, row: dict[str, Any]) -> None:
        """A row that makes raids of some side, by answer or by default, and a table that may forbid them."""
        self.raids += 1
        name, id = f"may-raid-{self.raids}", f"raids-{self.raids}"
        raid: Env = (("raid", "raid"),)
        self.tables[name] = {
            "about": "raid",
            "forbidden-if": {
                f"f{i}": self.columns(raid, 1, 1) | {"when": self.flag(raid, 1), "says": f"rule {i} forbids it"}
                for i in range(self.random.randint(1, 2))
            },
        }
        row.clear()  # it may look at somebody who is not there to speak for himself
        row["for"] = self.pick(["attacker", "enemy of attacker"])
        where = self.flag((("unit", "unit"),), 1)
        row |= {"declare": "raids"}
        if self.chance(0.8):
            row["legal"] = name
        else:
            del self.tables[name]
        default = {"raiders": f"units of side where ({where})"}
        if self.chance(0.6):
            default["prey"] = self.pick(
                ["mark", "champion of enemy of side", "whoever of units of enemy of side has lowest hits"]
            )
        row["otherwise"] = {"all": default}
        if self.chance(0.6):
            names = {side: list(one["units"]) for side, one in self.situation["sides"].items()}
            here = [unit for units in names.values() for unit in units]
            self.answers[id] = {
                side: {
                    f"{side}-{self.raids}": {
                        "raiders": self.random.sample(units, self.random.randint(1, len(units))),
                        **({"prey": self.pick(here)} if self.chance(0.5) else {}),
                    }
                }
                for side, units in names.items()
            }
        row["row-id"] = id

    def choose(self, row: dict[str, Any], env: Env) -> None:
        """A row in which a player settles a flag, a word, a number or somebody, within what is legal for him."""
        owners = [one for one in env if one[1] in ("side", "unit")]
        kind = self.pick([kind for _, kind in owners] or ["side"])
        owner = self.pick([name for name, other in owners if other == kind] or [self.side(env)])
        fact = self.pick([*CHOSEN[kind], *(["bold"] if kind == "side" else [])])
        self.settled += [fact] * 2
        words = WORDS[{"stance": "trade", "pose": "state"}[fact]] if fact in ("stance", "pose") else []
        side = owner if kind == "side" else f"side of {owner}"
        answers = {
            "effort": ["0", "1", "2"],
            "aim": ["0", "2", "nobody"],
            "bold": ["yes", "no"],
            "ready": ["yes", "no"],
        }
        default = {
            "effort": [self.number(env, 0), "1", f"the lower of 2 and {self.number(env, 0)}"],
            "aim": [self.maybe(env), "1", "nobody"],
            "bold": [self.flag(env, 0), "no"],
            "ready": [self.flag(env, 0), "no"],
            "stance": [*words, *(text for text, of in (self.word(env) for _ in range(3)) if of == words)],
            "pose": [*words, *(text for text, of in (self.word(env) for _ in range(3)) if of == words)],
        }.get(fact, [self.unit(env), f"whoever of units of {side} has highest hits", "nobody"])
        otherwise = self.pick(default)
        row |= {"choose": f"{fact} of {owner}", "otherwise": "2" if (fact, otherwise) == ("effort", "3") else otherwise}
        if self.chance(0.4):
            row["answered"] = self.pick(["at-once", "secret"])
        if fact in ("hero", "quarry") and self.chance(0.5):
            row["among"] = f"units of {self.pick([side, 'attacker', 'enemy of attacker'])}"
        if self.chance(0.4):
            legal = row["legal"] = f"legal-{len(self.tables)}"
            about: Env = ((kind, kind),)
            forbidden = {f"f{i}": {"when": self.flag(about, 1), "says": f"rule {i}"} for i in range(self.pick([1, 2]))}
            self.tables[legal] = {"about": kind, "forbidden-if": forbidden}
        if self.chance(0.6):
            id = f"chosen-{len(self.answers)}"
            here = {side: list(one["units"]) for side, one in self.situation["sides"].items()}
            units = [unit for one in here.values() for unit in one]
            some = answers.get(fact) or words or [*units, "nobody"]
            asked = list(here) if kind == "side" else units
            self.answers[id] = {who: self.pick(some) for who in asked if self.chance(0.8)}
            row["row-id"] = id
            if not self.answers[id]:
                del self.answers[id]

    def effects(self, env: Env, speaks: str) -> Any:
        """What a row does; one who alone speaks in it may leave, or become another."""
        out = [self.effect(env, speaks) for _ in range(self.pick([1, 1, 2]))]
        if "moves" in self.families and (unit := self.sure_unit(env)) and self.chance(0.35):
            out = [*self.moved(unit, env), *out[1:]]
        return out[0] if len(out) == 1 else out

    def moved(self, unit: str, env: Env) -> list[str]:
        """Somebody is another side's from now on: all that says whose he is, or a part of it."""
        new = self.pick([f"enemy of side of {unit}", self.side(env)])
        out = [f"remove {unit} from units of side of {unit}", f"put {unit} into units of {new}"]
        out.insert(self.pick([0, 1, 2]), f"set side of {unit} to {new}")
        return out if self.chance(0.7) else self.random.sample(out, self.random.randint(1, 2))

    def effect(self, env: Env, speaks: str) -> str:
        side, unit = self.side(env), self.sure_unit(env)
        amount = self.pick(["1", "1", "2", self.number(env, 0), self.number(env, 1)])
        word, trade = self.word(env)
        trade_word = word if trade == WORDS["trade"] else self.pick(WORDS["trade"])
        out = [f"{self.pick(['gain', 'lose'])} {self.pick(['alarm', f'seized of {side}'])}"]
        out += [f"add {amount} to {self.pick(['tally', f'spirit of {side}', f'spirit of {side}'])}"]
        out += [f"take {amount} from {self.pick([f'morale of {side}', f'spirit of {side}'])}"]
        out += [f"set luck of {side} to {amount}", f"set mood to {self.pick([trade_word, *WORDS['trade']])}"]
        if "hands" in self.families:
            out += [f"lose hand of {side}"] * 3
        if "moves" in self.families:
            out += [f"set attacker to {side}", f"set champion of {side} to {unit or 'nobody'}"] * 2
            out += [f"set enemy of {side} to {self.side(env)}"] if "three" in self.families else []
        if "unending" in self.families and "nobody" in self.families and self.chance(0.3):
            one, other = (f"{self.pick(['die', 'volley'])} of {self.side(env)}" for _ in range(2))
            out = [f"add (the lower of {one} - {other} and 2) to tally", f"take {one} from morale of {side}"]
        if unit:
            own = f"{self.pick(['wounds', 'hits', 'wounds'])} of {unit}"
            out.append(f"set ward of {unit} to {self.pick(['nobody', '0', '1', '2'])}")
            out += [f"{self.pick(['gain', 'gain', 'lose'])} rattled of {self.unit(env)}"] * 2  # perhaps of another
            out += [f"add {amount} to {own}", f"take {amount} from {own}", f"gain rattled of {unit}"] * 2
            out += [f"lose keen of {unit}", f"set mark to {unit}", f"set buddy of {unit} to {self.unit(env)}"]
            out += [f"set order of {unit} to {trade_word}", f"set stores of {unit} to 1"][:1]
            out += [f"put {unit} into victims of {side}", f"remove {unit} from victims of {side}"]
            if speaks == unit:
                out += ["owe burial", "leave", f"become {self.pick(['small', 'gun'])}"]
        return str(self.pick(out))

    # ---- situation -------------------------------------------------------------------------------------
    def situated(self) -> dict[str, Any]:
        yes = lambda: self.pick(["yes", "no"])  # noqa: E731
        alike = self.chance(0.5)
        sides: dict[str, Any] = {}
        names = {"one": ["a", "b", "c"], "two": ["x", "y"]}
        names |= {"three": ["p", "q"]} if "three" in self.families else {}
        for side, units in names.items():
            here = units[: self.random.randint(1, len(units))]
            sides[side] = {"morale": self.random.randint(0, 4), "units": {}}
            pattern = self.unit_facts(yes)
            for unit in here:
                facts = dict(pattern if alike else self.unit_facts(yes))
                if self.chance(0.15 if alike else 0.4):
                    facts["buddy"] = self.pick(here)
                sides[side]["units"][unit] = facts
            if self.chance(0.5):
                sides[side]["champion"] = self.pick(here)
        if "three" in self.families:
            for side in sides:
                sides[side]["enemy"] = self.pick([other for other in sides if other != side])
        if "missing" in self.families and self.chance(0.1):
            del sides["one"][self.pick(["morale", "units"])]
            sides["one"].setdefault("units", {"a": pattern})
        fight = {"attacker": self.pick(sides), "night": yes(), "level": self.random.randint(0, 3)}
        fight["weather"] = self.pick(["dry", "wet", "storm"])
        return {"fight": fight, "sides": sides}

    def unit_facts(self, yes: Any) -> dict[str, Any]:
        out = {"counter": self.pick(["big", "small", "gun"]), "hits": self.random.randint(0, 2), "keen": yes()}
        if self.chance(0.4):
            out["stores"] = {"red": self.random.randint(0, 2), "blue": self.random.randint(0, 2)}
        return out

    def question(self) -> str:
        side = self.pick(self.situation["sides"])
        units = [name for one in self.situation["sides"].values() for name in one["units"]]
        unit = self.pick(units)
        env: Env = ((side, "side"), (unit, "unit"))
        text = self.flag(env, 1) if self.chance(0.7) else self.pick([self.number(env, 1), self.maybe(env)])
        return text.replace("side of " + unit, side) if self.chance(0.5) else text


def in_brackets(env: Env, base: str, each: str) -> Env:
    """Who is spoken of behind `where`: that a side outside is meant is plain of its own units alone."""
    own = base in ("units of side", "mates of side")
    return (*(one for one in env if own or one[1] != "side"), (each, "unit"))


def taken(name: str, env: Env) -> bool:
    """Whether somebody goes by this name already."""
    return any(name == other for other, _ in env)


# ---- written down -------------------------------------------------------------------------------------------


def in_some_order(row: dict[str, Any]) -> dict[str, Any]:
    """A row is asked in the order in which its tests and whom it looks at are written; what is done stands last."""
    keys = list(row)
    Random(repr(row)).shuffle(keys)
    keys.sort(key=lambda key: key == "do")
    return {key: row[key] for key in keys}


def written(value: Any, depth: int = 0) -> str:
    """A document as YAML: charts in blocks, each row on a line."""
    lines = []
    for key, inner in value.items():
        if isinstance(inner, dict) and inner and depth < 3:
            lines.append("  " * depth + f"{quoted(key)}:\n" + written(inner, depth + 1))
        else:
            lines.append("  " * depth + f"{quoted(key)}: {flow(inner)}\n")
    return "".join(lines)


def flow(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{quoted(key)}: {flow(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(flow(inner) for inner in value) + "]"
    return quoted(value)


def quoted(value: Any) -> str:
    text = str(value)
    return f"'{text}'" if any(sign in text for sign in ",:[]{}#*&'") or text[:1] in "+-" else text
