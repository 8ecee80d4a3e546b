"""Small rulesets made up from seeds, of which rounds are fought to the end: what a round leaves behind counts in later
ones, as flags, numbers and words, set one after the other or at once, in repetitions and by those who come and go."""

from __future__ import annotations

from random import Random

HEAD = """
ruleset: rounds
language: 1
start: combat
rounds: {until: any side where (won), between: turn}
words: {mood: [calm, keen, wild]}
kinds:
  fight: {one: yes, given: {attacker: a side, defender: a side}, noted: {won-by: a side or nobody}}
  side:
    given: {enemy: the other side, soldiers: {are: soldiers, each: soldier}}
    noted: {won: flag, a: flag, b: flag, n: 0 to 2, mood: {is: mood, default: calm}, picked: {are: soldiers, each: pick}}
    rolled: {throw: one}
  soldier: {given: {side: a side}, noted: {hurt: flag, m: 0 to 2}, rolled: {luck: one}}
dice: {one: d6}
outcomes: {about: side, words: [won, lost], first-of: {won: {won: yes, is: won}}, otherwise: lost}
"""
HEAD_WITH_MARKS = (
    HEAD.replace("enemy: the other side", "enemy: the other side, marks: {are: marks, each: mark}")
    .replace("dice:", "  mark: {noted: {seen: {are: sides, each: one}, odd: flag}}\ndice:")
    .replace("outcomes:", "counters: {mark: {columns: [], rows: {spot: []}}}\noutcomes:")
)
SITUATION = (
    "situation: {fight: {attacker: red, defender: blue}, "
    "sides: {red: {soldiers: {r1: {}, r2: {}}}, blue: {soldiers: {b1: {}}}}}"
)
TESTS = (
    "throw: at most 2", "throw: at least 3", "throw: 1", "a: yes", "a: no", "b: yes", "n: at least 1", "n: 2", "mood: keen",
    "a of enemy: yes", "n of enemy: 0", "any soldier of side: hurt", "number of picked of side: at least 1",
    "any pick of side: hurt", "number of soldiers of enemy of side: at least 1", "mood of enemy: calm or wild",
)  # fmt: skip
EFFECTS = (
    "gain a", "lose a", "gain b", "lose b", "add 1 to n", "set n to 0", "set n to n of enemy", "set mood to keen",
    "set mood to wild", "set mood to mood of enemy", "gain a of enemy", "lose b of enemy", "set n of enemy to 2",
)  # fmt: skip
MARKS = (
    "{{for: {0}, {1}, create: spot, into: marks of {0}}}", "{{for: {0}, create: spot, into: marks of {0}}}",
    "{{each: mark of {0}, throw of {0}: at most 3, do: put {2} into seen of mark}}",
    "{{each: mark of {0}, throw of {2}: 1, do: put {0} into seen of mark}}", "{{each: mark of {0}, {1}, do: gain odd of mark}}",
    "{{each: mark of {0}, when: {2} is in seen of mark, do: gain a of {2}}}",
    "{{each: mark of {0}, odd: yes, when: {2} is not in seen of mark, do: gain b of {0}}}",
    "{{each: mark of {0}, throw of {0}: at least 5, do: leave}}",
)  # fmt: skip
OF_ONE = (
    "roll: luck of soldier", "luck of soldier: at most 2, do: gain hurt of soldier", "luck of soldier: 6, do: leave",
    "hurt: yes, roll: throw of side of soldier",
    "m: at least 1, do: gain a of side of soldier", "do: add 1 to m of soldier", "hurt: yes, do: lose b of side of soldier",
    "luck of soldier: at least 4, throw of side of soldier: at least 4, do: put soldier into picked of side of soldier",
)  # fmt: skip
OF_MEN = (
    "gain hurt of soldier", "lose hurt of soldier", "add 1 to m of soldier", "set m of soldier to 0", "put soldier into picked of side",
    "remove soldier from picked of side", "leave",
)  # fmt: skip


def rules(seed: int, nested: bool = False, marks: bool = False) -> str:
    """A ruleset in which each round ends the fight with some chance; or one that is `nested`: soldiers have their own
    turns one after the other, with their own dice, and what is played is played again until something holds. With
    `marks` things are made, which remember somebody and go with the round."""
    random = Random(seed)
    sequences: dict[str, tuple[str, list[str]] | tuple[str, list[str], str]] = {}

    turns: set[str] = set()

    def of_one(rows: int) -> str:
        name = f"s{len(sequences)}"
        turns.add(name)
        cast = ["{roll: luck of soldier}"] * (random.random() < 0.9)
        sequences[name] = ("in-order", [*cast, *(f"{{{random.choice(OF_ONE)}}}" for _ in range(rows))])
        return name

    def row(whose: str, deep: int) -> str:
        if marks and random.random() < 0.5:
            test = random.choice((f"throw of {whose}: at least 3", f"a of {whose}: no", f"throw of {whose}: 2"))
            return random.choice(MARKS).format(whose, test, random.choice((whose, f"enemy of {whose}")))
        if nested and random.random() < 0.35:
            test = random.choice(("", "hurt: yes, ", "hurt: no, ", "m: at least 1, "))
            return f"{{each: soldier of {whose}, {test}play: {of_one(random.choice((1, 2, 3, 4)))}}}"
        tests = [
            one.replace("side", whose) if "side" in one else one
            for one in random.sample(TESTS, random.choice((0, 1, 1, 2)))
        ]
        tests = list({one.split(":")[0]: one for one in tests}.values())
        said = ", ".join([f"for: {whose}", *tests])
        kind = random.random()
        if kind < 0.3:
            test = random.choice(("", "hurt: yes, ", "hurt: no, ", "m: at least 1, ", "m: 0, "))
            first = random.choice(TESTS[:3]).replace("throw", f"throw of {whose}")
            doing = random.choice(OF_MEN).replace("side", whose)
            return f"{{each: soldier of {whose}, {test}{first}, do: {doing}}}"
        if kind < 0.5 and deep:
            name = f"s{len(sequences)}"
            sequences[name] = "", []
            rows = [row(whose, deep - 1) for _ in range(random.choice((1, 2, 3)))]
            order = random.choice(("in-order", "at-once", "first-of"))
            again = order == "in-order" and random.random() < 0.5
            sequences[name] = (order, rows)
            if nested and order != "at-once" and random.random() < 0.6:
                end = random.choice(
                    (
                        "any side where (a)",
                        "any soldier where (hurt)",
                        "throw of attacker is at least 5",
                        "n of attacker is 2",
                    )
                )
                how = random.choice(("until: {}, at-most: 3", "while: {}, at-most: 2", "until: {}, at-most: 9"))
                sequences[name] = (order, rows, f"    again: {{{how.format(end)}}}\n")
            times = random.choice(("n of attacker", "2", "3")) if nested else "2"
            return f"{{{said}, {f'repeat: {times}, ' if again else ''}play: {name}}}"
        if kind < 0.6:
            return f"{{{said}, roll: throw}}"
        return f"{{{said}, do: {random.choice(EFFECTS)}}}"

    top = ["{for: attacker, roll: throw}", "{for: defender, roll: throw}"]
    top += [row(random.choice(("attacker", "defender")), 2) for _ in range(random.choice((3, 4, 5, 6)))]
    if marks:
        top[2:2] = [MARKS[1].format("attacker", "", ""), MARKS[random.choice((2, 3))].format("attacker", "", "attacker")]
    top.append("{for: attacker, throw: 6, do: gain won}")
    top.append("{for: defender, throw: 6, won of enemy: no, a: yes, do: gain won}")
    sequences = {"combat": ("in-order", top), **sequences}
    text = (HEAD_WITH_MARKS if marks else HEAD) + "sequences:\n"
    for name, (order, rows, *again) in sequences.items():
        about = "    about: soldier\n" if name in turns else ""
        text += f"  {name}:\n{about}{''.join(again)}    {order}:\n"
        text += "".join(f"      r{i}: {one}\n" for i, one in enumerate(rows))
    turned = random.choice(("      a: {do: set attacker to defender}\n      b: {do: set defender to attacker}\n", ""))
    after = random.choice(
        ("      c: {each: side, do: lose b}\n", "      c: {each: side, mood: wild, do: set mood to calm}\n")
    )
    return text + f"  turn:\n    at-once:\n{turned}{after}" + "      d: {each: mark, do: leave}\n" * marks


QUESTIONS = (
    "won of red",
    "a of red",
    "n of blue",
    "mood of red",
    "number of soldiers of red",
    "number of picked of blue",
)
