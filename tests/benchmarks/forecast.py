"""Whether what takes long is foretold: what each command counts of its work and bytes, and what it takes.

    python tests/benchmarks/forecast.py [--only WORD,..] [--made-up N] [--limit SECONDS] [--json] [--strict]

Each case is a command in a process of its own, with nothing in the cache. `took` is its CPU time and the most memory it
has had at once, of the whole process; `counted` what its budgets came to. Where it was refused, `took` is what was spent
until it was, and it is asked once more with `--yes`, for so many seconds at most. The law: no answer took more than ten
seconds or 500 MB, and no refusal came later. `--strict` exits 1 where a case breaks it.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

HERE = Path(__file__).parent
TESTS, ROOT = HERE.parent, HERE.parent.parent
SYSTEMS = TESTS / "systems"
SECONDS, MEGABYTES = 10, 500  # that are spent without a second word
FIGHTS = [
    "ambush-in-woods",
    "broken-squad-caught",
    "farmhouse",
    "half-strength",
    "half-track-assaulted",
    "lone-leader",
    "night-raid",
    "squad-in-a-building",
    "squads-and-leader",
    "tank-rammed",
    "tank-with-escort",
    "withdrawal",
]
RULESETS = ("asl", "squad-leader", "assault", "skirmish")


@dataclass(frozen=True, slots=True)
class Case:
    """A command; `text` is the file in the place of its `{}`, if it has one."""

    name: str
    arguments: tuple[str, ...]
    text: str = ""
    rules: str = ""  # the text of a ruleset, in the folder `rules` beside the fight
    may_go_on: bool = True  # it has --yes


@dataclass(frozen=True, slots=True)
class Took:
    seconds: float
    megabytes: float
    counted_seconds: float
    counted_megabytes: float
    said: str  # the codes of its faults
    exit: int | None  # none: it was broken off


# ---- what is asked ------------------------------------------------------------------------------------------


def shipped() -> Iterator[Case]:
    for name in FIGHTS:
        for system in RULESETS:
            for by in ((), ("--by", "sides", "--until", "resolved")):
                yield Case(f"{name} {system} {' '.join(by[1::2])}".strip(), ("chances", name, "-r", system, *by))


def systems() -> Iterator[Case]:
    for file in sorted(SYSTEMS.glob("*/examples/*.yaml")):
        name = f"{file.parent.parent.name}/{file.stem}"
        for more in ((), ("--until", "resolved")):
            yield Case(f"{name} {' '.join(more[1:])}".strip(), ("chances", str(file), *more))


def made() -> Iterator[Case]:
    """Fights of the systems of the tests that are larger than their examples."""
    yield from blocks()
    yield from duels()
    yield from pools()
    yield from duel_choices()
    yield from throws()
    yield from drawn_lots()


BLOCKS = {"archers": 3, "bowmen": 2, "knights": 4, "nobles": 3, "foot": 4, "levy": 2}


def blocks() -> Iterator[Case]:
    slow = (
        "red: {units: {r1: {counter: knights}, r2: {counter: archers}, r3: {counter: knights, steps: 3, reserve: yes}}}"
    )
    slow += "\n    blue: {units: {b1: {counter: knights}, b2: {counter: foot, steps: 1}, b3: {counter: foot}}}"
    yield _blocks(
        "slow", f"  fight: {{attacker: red, fort: yes}}\n  sides:\n    {slow}\nchoices: {{will: {{b2: yes}}}}\n"
    )
    dice = Random(7)
    for size in (1, 2, 2, 3, 3, 4, 5, 6):
        sides = ""
        for side in ("red", "blue"):
            units = [
                f"{side[0]}{n}: {{counter: {dice.choice(list(BLOCKS))}{', reserve: yes' if n and dice.random() < 0.3 else ''}}}"
                for n in range(size)
            ]
            sides += f"    {side}: {{units: {{{', '.join(units)}}}}}\n"
        yield _blocks(f"{size}-{dice.randrange(100)}", f"  fight: {{attacker: red, fort: no}}\n  sides:\n{sides}")


def _blocks(name: str, situation: str, *more: str) -> Case:
    return Case(
        f"blocks {name}",
        ("chances", "{}", "-r", str(SYSTEMS / "block-battle"), "--by", "sides", *more),
        f"situation:\n{situation}",
    )


def duels() -> Iterator[Case]:
    for hp in (10, 30, 45, 100, 200):
        text = f"situation:\n  sides:\n    red: {{fighters: {{a: {{foe: b, hp: {hp}}}}}}}\n"
        text += f"    blue: {{fighters: {{b: {{foe: a, hp: {hp + 1}}}}}}}\n"
        for more in ((), ("--until", "resolved")):
            yield Case(
                f"duel {hp} {' '.join(more[1:])}".strip(),
                ("chances", "{}", "-r", str(SYSTEMS / "duellists"), *more),
                text,
            )


def pools() -> Iterator[Case]:
    rules = (HERE / "rulesets" / "w1.yaml").read_text("utf-8")
    several = ["kills of a", "shocks of a", "kills of b", "shocks of b"]
    for size in (10, 40, 80, 160, 320):
        for asked in (["row of fight"], several):
            text = f"situation: {{fight: {{attacker: a}}, sides: {{a: {{men: {size}}}, b: {{men: {size}}}}}}}\n"
            of = [word for one in asked for word in ("--of", one)]
            yield Case(
                f"pools {size} {len(asked)}",
                ("chances", "{}", "-r", "rules", *of),
                text,
                rules.replace("0 to 40", f"0 to {max(size, 40)}"),
            )


def duel_choices() -> Iterator[Case]:
    """Sums of several dice of many sides, written from the least that has them."""
    for number, faces, rounds in ((2, 20, 2), (3, 20, 2), (4, 12, 3), (6, 10, 4), (3, 100, 2), (10, 6, 6), (2, 100, 4)):
        rows = "".join(f"      throw-{n}: {{each: fighter, roll: swing-{n}}}\n" for n in range(rounds))
        dice = "".join(f", swing-{n}: {number}d{faces}" for n in range(rounds))
        total = " + ".join(f"swing-{n}" for n in range(rounds))
        rules = (
            "ruleset: rules\ntitle: Sums\nabout: Sums of dice.\nlanguage: 1\nstart: fight\n"
            f"kinds:\n  fighter: {{given: {{bonus: 0 to 9}}, rolled: {{{dice[2:]}}}, noted: {{sum: number, best: number}}}}\n"
            "sequences:\n  fight:\n    in-order:\n"
            f"{rows}      sums: {{each: fighter, do: set sum to {total} + bonus}}\n"
        )
        for men, of in (
            (2, "highest sum of fighters"),
            (3, "total sum of fighters"),
            (4, "number of fighters where (sum is highest sum of fighters)"),
        ):
            situation = ", ".join(f"m{n}: {{bonus: {n}}}" for n in range(men))
            yield Case(
                f"sums {number}d{faces} {rounds} {men}",
                ("chances", "{}", "-r", "rules", "--of", of),
                f"situation: {{fighters: {{{situation}}}}}\n",
                rules,
            )


def throws() -> Iterator[Case]:
    """One throw of many dice: kept, thrown once more, with many faces."""
    most, six = "total face of throw", "number of throw where (face is highest face of throw)"
    several = (*(f"number of throw where (face is {n})" for n in (1, 2, 3, 4)), most)
    dice = {
        "kept 40 of 400": ("{die: d6, number: 400, keep: highest 40}", (most,)),
        "kept 100 of 200": ("{die: d6, number: 200, keep: lowest 100}", several[2:]),
        "kept 20 of 40 asked": ("{die: d6, number: 40, keep: highest 20}", several),
        "kept 100 of 400d100": ("{die: d100, number: 400, keep: highest 100}", (most,)),
        "kept without end": (
            "{die: d6, number: 60, keep: highest 20, explode-if: face is 6, at-most: unbounded}",
            WITHIN,
        ),
        "exploding": ("{die: d6, number: 60, explode-if: face is 6, at-most: 10}", (most,)),
        "exploding asked": ("{die: d6, number: 30, explode-if: face is at least 5, at-most: 10}", several),
        "exploding long": ("{die: d20, number: 5, explode-if: face is at least 15, at-most: 19}", (most,)),
        "without end": ("{die: d6, number: 60, explode-if: face is 6, at-most: unbounded}", WITHIN),
        "400d1000": ("400d1000", (most,)),
        "400d100": ("400d100", (most,)),
        "400d6 asked": ("400d6", several),
        "80d6 asked": ("80d6", several),
        "40d100 highest": ("40d100", ("highest face of throw", "second highest face of throw", "lowest face of throw")),
        "100d6 highest": ("100d6", (six,)),
    }
    for name, (of, asked) in dice.items():
        noted = ", ".join(f"asked-{n}: number" for n in range(len(asked)))
        sets = "".join(f"      set-{n}: {{for: fight, do: set asked-{n} to {one}}}\n" for n, one in enumerate(asked))
        rules = (
            "ruleset: rules\ntitle: A throw\nabout: One throw of many dice.\nlanguage: 1\nstart: fight\n"
            f"dice:\n  handful: {of}\n"
            f"kinds:\n  fight: {{one: yes, rolled: {{throw: handful}}, noted: {{{noted}}}}}\n"
            f"sequences:\n  fight:\n    in-order:\n      throw: {{for: fight, roll: throw}}\n{sets}"
        )
        questions = [word for n in range(len(asked)) for word in ("--of", f"asked-{n} of fight")]
        yield Case(f"throw {name}", ("chances", "{}", "-r", "rules", *questions), "situation: {fight: {}}\n", rules)


WITHIN = ("the lower of 200 and total face of throw",)


def drawn_lots() -> Iterator[Case]:
    """Some of many are hit, and lots are drawn among these."""
    for men in (6, 10, 14, 20, 40):
        for ties in ("all", "again"):
            for of in ("any unlucky of fight", "number of unlucky of fight"):
                rules = (
                    "ruleset: rules\ntitle: Lots\nabout: Lots among those who are hit.\nlanguage: 1\nstart: fight\n"
                    "kinds:\n  fight: {one: yes, noted: {unlucky: {are: men, each: one-of-them}}}\n"
                    "  man: {plural: men, rolled: {die: d6}}\n"
                    "sequences:\n  fight:\n    in-order:\n      throw: {each: man, roll: die}\n"
                    "      pick: {for: fight, when: any man where (die is 6), single-out: unlucky, "
                    f"from: man where (die is 6), ties: {ties}}}\n"
                )
                text = "situation: {men: {" + ", ".join(f"m{n}: {{}}" for n in range(men)) + "}}\n"
                yield Case(f"lots {men} {ties} {of[:6]}", ("chances", "{}", "-r", "rules", "--of", of), text, rules)


def others() -> Iterator[Case]:
    """Commands that ask more than one fight."""
    for name, system in (
        ("squad-in-a-building", "asl"),
        ("farmhouse", "asl"),
        ("farmhouse", "skirmish"),
        ("half-strength", "squad-leader"),
    ):
        yield Case(f"choices {name} {system}", ("choices", name, "-r", system))
        yield Case(f"best {name} {system}", ("choices", name, "-r", system, "--best"))
        yield Case(f"weigh {name} {system}", ("weigh", name, "-r", system))
    for name in ("squad-in-a-building", "farmhouse", "tank-with-escort"):
        yield Case(f"compare {name}", ("compare", name))
    yield Case("diff asl hand-to-hand", ("diff", "asl", "asl+hand-to-hand"))
    yield Case("diff assault", ("diff", "assault", "squad-leader"))
    for system in RULESETS:
        yield Case(f"properties {system}", ("properties", system))


def made_up(number: int) -> Iterator[Case]:
    """Rulesets and fights from seeds."""
    sys.path.insert(0, str(TESTS))
    from random_rules import Rules, written

    for seed in range(number):
        made = Rules(seed, (), 5)
        fight = written({"situation": made.situation} | made.choices)
        of = [word for one in made.questions[:3] for word in ("--of", one)]
        yield Case(f"seed {seed}", ("chances", "{}", "-r", "rules", *of), fight, written(made.rules))


# ---- one case -----------------------------------------------------------------------------------------------


def carried_out(case: Case, limit: float, yes: bool = False) -> Took:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        (home / "fight.yaml").write_text(case.text, "utf-8")
        if case.rules:
            (home / "rules").mkdir()
            (home / "rules" / "ruleset.yaml").write_text(case.rules, "utf-8")
        words = ["./fight.yaml" if one == "{}" else "./rules" if one == "rules" else one for one in case.arguments]
        arguments = [sys.executable, str(HERE / "forecast.py"), "--carry-out", *words, *(["--yes"] if yes else [])]
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(filter(None, (str(ROOT / "interpreter"), os.environ.get("PYTHONPATH")))),
            "CLOSECOMBAT_CACHE": str(home / "cache"),
            "FORECAST_LIMIT": str(int(limit)),
        }
        with (home / "said").open("w+", encoding="utf-8") as said:
            process = subprocess.Popen(
                arguments, cwd=home, env=environment, stdout=subprocess.PIPE, stderr=said, text=True
            )
            assert process.stdout is not None
            told = process.stdout.read()
            _, _, usage = os.wait4(process.pid, 0)
            process.returncode = 0
            said.seek(0)
            words = said.read()
    try:
        found = json.loads(told.splitlines()[-1])
    except (IndexError, ValueError):
        found = {"spent": 0, "held": 0, "exit": None, "codes": words[-200:]}
    return Took(
        usage.ru_utime + usage.ru_stime,
        usage.ru_maxrss / 1024,
        found["spent"] / 1e6,
        found["held"] / 1e6,
        found["codes"],
        found["exit"],
    )


def carry_out(arguments: Sequence[str]) -> None:
    """In a process of its own: the command, and what its budgets came to."""
    import re
    import resource
    import signal

    from closecombat.proving.values import budget

    kept: list[Any] = []
    made = budget.Budget.__init__

    def begin(self: Any, *of: Any, **more: Any) -> None:
        made(self, *of, **more)
        kept.append(self)

    budget.Budget.__init__ = begin
    most, count = [0], budget.Budget.made

    def made_so_far(self: Any, work: int, held: int) -> None:
        most[0] = max(most[0], self.held + held)
        count(self, work, held)

    budget.Budget.made = made_so_far
    limit = int(os.environ["FORECAST_LIMIT"])

    def too_long(*_: object) -> None:
        tell(None, "")
        os._exit(0)

    def tell(code: int | None, codes: str) -> None:
        known = {id(one): one for one in kept}.values()
        found = {"spent": sum(one.spent for one in known), "held": max([most[0], *(one.held for one in known)])}
        print(json.dumps({**found, "exit": code, "codes": codes}), file=sys.__stdout__, flush=True)

    signal.signal(signal.SIGXCPU, too_long)
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))
    from click.testing import CliRunner

    from closecombat.cli.main import main

    result = CliRunner().invoke(main, [*arguments], catch_exceptions=True)
    codes = sorted(set(re.findall(r"error\[([a-z-]+)\]", result.output)))
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        codes.append(repr(result.exception)[:100])
    tell(result.exit_code, " ".join(codes))


# ---- all ----------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Found:
    case: Case
    asked: Took
    with_yes: Took | None = None
    breaks: list[str] = field(default_factory=list)


def measured(case: Case, limit: float) -> Found:
    found = Found(case, carried_out(case, limit))
    if found.asked.seconds > SECONDS:
        found.breaks.append("seconds")
    if found.asked.megabytes > MEGABYTES:
        found.breaks.append("bytes")
    if "takes-long" in found.asked.said:
        found.with_yes = carried_out(case, limit, yes=True)
        if (
            found.with_yes.exit is not None
            and found.with_yes.seconds < SECONDS / 2
            and found.with_yes.megabytes < MEGABYTES / 2
        ):
            found.breaks.append("refused")
    return found


def main() -> int:
    if sys.argv[1:2] == ["--carry-out"]:
        carry_out(sys.argv[2:])
        return 0
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default="")
    parser.add_argument("--made-up", type=int, default=0)
    parser.add_argument("--limit", type=float, default=40)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--strict", action="store_true")
    options = parser.parse_args()
    words = [word for word in options.only.split(",") if word]
    cases = [*shipped(), *systems(), *made(), *others(), *made_up(options.made_up)]
    print(f"{'':46} took: s    MB   counted: s    MB   s / s", flush=True)
    broken = 0
    for case in cases:
        if words and not any(word in case.name for word in words):
            continue
        found = measured(case, options.limit)
        if (
            found.asked.exit == 2
            and found.with_yes is None
            and "long" not in found.asked.said
            and found.asked.seconds < 1
        ):
            continue
        broken += bool(found.breaks)
        for yes, took in ((False, found.asked), (True, found.with_yes)):
            if took is None:
                continue
            name = ("  with --yes" if yes else case.name)[:46]
            end = "broken off" if took.exit is None else took.said
            print(
                f"{name:46} {took.seconds:7.1f} {took.megabytes:5.0f}  {took.counted_seconds:10.1f} "
                f"{took.counted_megabytes:5.0f}  {took.counted_seconds / took.seconds:6.2f}  {end}"
                f"{' BREAKS ' + ', '.join(found.breaks) if found.breaks and not yes else ''}",
                flush=True,
            )
    return 1 if broken and options.strict else 0


if __name__ == "__main__":
    sys.exit(main())
