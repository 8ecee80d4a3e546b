"""How answers grow: CPU seconds, memory and states over the size of a fight, or of a table.

    python tests/benchmarks/growth.py [--only SERIES,..] [--limit SECONDS] [--json] [--plot FILE.svg]

Each point is a process of its own that answers one question, from the files to the answer, with nothing in the cache.
A series ends where a point takes longer than the limit or is refused. `--plot` needs vl-convert-python.
"""

import argparse
import json
import math
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

HERE = Path(__file__).parent
INTERPRETER = HERE.parent.parent / "interpreter"
RULES = HERE / "rulesets"
AXES = {"seconds": "CPU seconds", "megabytes": "MB at most", "states": "states"}
FEW, SOME, MANY = (1, 2, 3, 4, 5, 6, 7, 8, 10, 12), (1, 2, 5, 10, 20, 40, 60, 80), (10, 100, 1_000, 10_000)


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: by which ruleset, a shipped one or its text, of which situation, and whether of its end alone."""

    rules: str
    situation: str
    of: tuple[str, ...] = ()
    to_the_end: bool = False


@dataclass(frozen=True, slots=True)
class Series:
    what: str
    sizes: tuple[int, ...]
    question: Callable[[int], Question]


# ---- what grows ---------------------------------------------------------------------------------------------


def squads(size: int, attacks: str = "", to_the_end: bool = False) -> Question:
    """As many squads on each side of asl: all of them in one attack, each against another, or nothing declared."""
    ours, theirs = (", ".join(f"{side}{n}" for n in range(1, size + 1)) for side in "gr")
    text = "situation:\n  fight: {attacker: german, defender: russian}\n  sides:\n"
    for side, counter in (("german", "german-4-6-7"), ("russian", "russian-4-4-7")):
        units = ", ".join(f"{side[0]}{n}: {{counter: {counter}}}" for n in range(1, size + 1))
        text += f"    {side}: {{units: {{{units}}}}}\n"
    match attacks:
        case "one":
            declared = {"g": f"a: {{attackers: [{ours}], targets: [{theirs}]}}"}
            declared["r"] = f"b: {{attackers: [{theirs}], targets: [{ours}]}}"
        case "each":
            declared = {
                us: ", ".join(f"{us}-{n}: {{attackers: [{us}{n}], targets: [{them}{n}]}}" for n in range(1, size + 1))
                for us, them in ("gr", "rg")
            }
        case _:
            declared = {}
    if declared:
        text += f"choices: {{names: {{german: {{{declared['g']}}}, russian: {{{declared['r']}}}}}}}\n"
    return Question("asl", text, to_the_end=to_the_end)


def men(size: int) -> Question:
    sides = "".join(
        f"    {side}: {{units: {{{side[0]}: {{quality: regular, teams: {{{side[0]}-team: {{men: {size}}}}}}}}}}}\n"
        for side in ("reds", "blues")
    )
    return Question("skirmish", f"situation:\n  fight: {{attacker: reds, defender: blues}}\n  sides:\n{sides}")


def pools(size: int, of: tuple[str, ...]) -> Question:
    rules = (RULES / "w1.yaml").read_text("utf-8").replace("0 to 40", f"0 to {max(size, 40)}")
    return Question(
        rules, f"situation: {{fight: {{attacker: a}}, sides: {{a: {{men: {size}}}, b: {{men: {size}}}}}}}\n", of
    )


def rounds(size: int) -> Question:
    rules = (RULES / "w1-rounds.yaml").read_text("utf-8").replace("at-most: 3}", f"at-most: {size}}}")
    rules = rules.replace("round: 0 to 3", f"round: 0 to {size}").replace("0 to 120", f"0 to {40 * size}")
    situation = "situation: {fight: {attacker: a}, sides: {a: {men: 4}, b: {men: 5}}}\n"
    return Question(rules, situation, ("row of fight", "round of fight"))


def fighters(size: int) -> Question:
    named = [f"f{n}: {{speed: {3 * n % 10}}}" for n in range(size)]
    red, blue = ", ".join(named[::2]), ", ".join(named[1::2])
    situation = f"situation: {{sides: {{red: {{fighters: {{{red}}}}}, blue: {{fighters: {{{blue}}}}}}}}}\n"
    return Question((RULES / "order.yaml").read_text("utf-8"), situation, to_the_end=True)


def modifiers(size: int) -> Question:
    """A list of as many rows, of two columns each, read once after a die."""
    grounds = ("clear", "woods", "house")
    rows = "".join(
        f"      row-{n}: {{load: {n % 20} to {n % 20 + 9}, ground of unit: {grounds[n % 3]}, add: {n % 5 - 2}}}\n"
        for n in range(size)
    )
    rules = (
        "ruleset: rows\ntitle: A long list\nlanguage: 1\nstart: fight\n"
        "words: {ground: [clear, woods, house]}\ndice: {hazard: d6}\n"
        "kinds:\n  unit: {one: yes, given: {load: 0 to 40, ground: ground}, noted: {sum: number}, rolled: {die: hazard}}\n"
        f"tables:\n  modifiers:\n    about: unit\n    adds-up:\n{rows}"
        "sequences:\n  fight:\n    in-order:\n"
        "      throw: {for: unit, roll: die}\n      sum: {for: unit, do: set sum to die + modifiers}\n"
    )
    return Question(rules, "situation: {unit: {load: 7, ground: woods}}\n", ("sum of unit",))


JOINT = ("kills of a", "shocks of a", "kills of b", "shocks of b", "row")
SERIES: Mapping[str, Series] = {
    "squads": Series("asl, squads a side in one attack each way", FEW, lambda size: squads(size, "one")),
    "attacks": Series("asl, squads a side each against another", FEW, lambda size: squads(size, "each")),
    "end": Series("asl, squads a side to the end", (1, 2, 3, 4), lambda size: squads(size, to_the_end=True)),
    "men": Series("skirmish, men a side", (*FEW, 20, 40), men),
    "row": Series("dice a side, their difference asked", SOME, lambda size: pools(size, ("row of fight",))),
    "joint": Series("dice a side, all that they did asked", SOME, lambda size: pools(size, JOINT[:-1])),
    "rounds": Series("rounds of 4 against 5 dice", (1, 2, 3, 5, 8), rounds),
    "fighters": Series("men who strike in turn, to the end", (2, 3, 4, 5, 6), fighters),
    "rows": Series("rows of a list of modifiers", MANY, modifiers),
}


# ---- one point ----------------------------------------------------------------------------------------------


def answered(question: Question, limit: float) -> dict[str, Any]:
    """In this process: what it took, or why there is no answer."""
    from contestant import TooSlow, give_up_after, in_time, peak, reason

    seen = [0]

    def watch(done: int, left: int) -> None:
        seen[0] = done

    found: dict[str, Any] = {}
    with TemporaryDirectory() as folder:
        rules, file = question.rules, Path(folder) / "situation.yaml"
        if "\n" in rules:
            (Path(folder) / "rules.yaml").write_text(rules, "utf-8")
            rules = str(Path(folder) / "rules.yaml")
        file.write_text(question.situation, "utf-8")
        try:
            give_up_after(limit)
            ask(question, rules, file, watch)
            in_time()
            found["seconds"] = process_time()
        except TooSlow:
            found["why"] = f"more than {limit:g} s"
        except Exception as error:
            found["why"] = reason(error)
    memory = peak()
    return {**found, "megabytes": None if memory is None else memory / 1e6, "states": seen[0] or None}


def ask(question: Question, rules: str, file: Path, watch: Callable[[int, int], None]) -> None:
    from closecombat.asking.exact.answers import SIDES
    from closecombat.asking.exact.chances import work_out
    from closecombat.asking.exact.questions import ask_about
    from closecombat.asking.fights.fight_files import read_scene, ruleset_of, single, staged

    scene = single(read_scene(str(file)), rules)
    fight = staged(scene, ruleset_of(scene, rules), ())
    if question.of:
        ask_about(fight, question.of, question.to_the_end, watch)
    else:
        work_out(fight, SIDES, question.to_the_end, watch)


def points(name: str, limit: float) -> Iterator[dict[str, Any]]:
    for size in SERIES[name].sizes:
        known = {**os.environ, "CLOSECOMBAT_CACHE": "no"}
        known["PYTHONPATH"] = os.pathsep.join(filter(None, (str(INTERPRETER), known.get("PYTHONPATH"))))
        call = [sys.executable, __file__, "--point", name, str(size), "--limit", str(limit)]
        done = subprocess.run(call, capture_output=True, text=True, env=known, check=False)
        lines = done.stdout.splitlines()
        found = json.loads(lines[-1]) if done.returncode == 0 and lines else {"why": done.stderr.strip()[-120:]}
        yield {"series": name, "size": size, **found}
        if "why" in found:
            return


# ---- what came out ------------------------------------------------------------------------------------------


def power(found: list[dict[str, Any]]) -> float | None:
    """The power of its size with which a series grows between its last two points that take their time."""
    last = [point for point in found if point.get("seconds", 0) >= 0.3][-2:]
    if len(last) < 2:
        return None
    (one, other) = last
    found_power = math.log(other["seconds"] / one["seconds"]) / math.log(other["size"] / one["size"])
    return found_power if found_power >= 0.1 else None  # what does not grow only wavers


def table(found: list[dict[str, Any]]) -> Iterator[str]:
    yield "| what grows | CPU seconds at each size | most | the last grow as |"
    yield "| --- | --- | --- | --- |"
    for name, series in SERIES.items():
        mine = [point for point in found if point["series"] == name]
        if not mine:
            continue
        cells = [
            f"{point['size']}: {point['seconds']:.2g}" if "seconds" in point else f"{point['size']}: {point['why']}"
            for point in mine
        ]
        memory = max(point.get("megabytes") or 0 for point in mine)
        states = max(point.get("states") or 0 for point in mine)
        grows = power(mine)
        most = f"{memory:.0f} MB" + (f", {states:,} states" if states else "")
        yield f"| {series.what} | {', '.join(cells)} | {most} | {'-' if grows is None else f'size^{grows:.1f}'} |"


def picture(found: list[dict[str, Any]]) -> str:
    """Three charts below each other, of the seconds, the memory and the states, over the size; both axes logarithmic."""
    import vl_convert

    values = [
        {"what": SERIES[point["series"]].what, "size": point["size"], "measure": title, "value": point[key]}
        for point in found
        for key, title in AXES.items()
        if point.get(key)
    ]
    scale = {"scale": {"type": "log"}}
    chart = {
        "mark": {"type": "line", "point": True},
        "width": 480,
        "height": 240,
        "encoding": {
            "x": {"field": "size", "type": "quantitative", "title": "size", **scale},
            "y": {"field": "value", "type": "quantitative", "title": None, **scale},
            "color": {"field": "what", "type": "nominal", "title": None, "legend": {"labelLimit": 400}},
        },
    }
    spec = {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "data": {"values": values},
        "facet": {"row": {"field": "measure", "title": None, "sort": list(AXES.values())}},
        "spec": chart,
        "resolve": {"scale": {"y": "independent"}},
    }
    return vl_convert.vegalite_to_svg(spec)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", default=",".join(SERIES), help="some of: " + ", ".join(SERIES))
    parser.add_argument("--limit", type=float, default=20, help="CPU seconds of a point (20)")
    parser.add_argument("--json", action="store_true", help="every point")
    parser.add_argument("--plot", type=Path, metavar="FILE.svg", help="draw the curves")
    parser.add_argument("--point", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.point:
        name, size = options.point
        print(json.dumps(answered(SERIES[name].question(int(size)), options.limit)))
        return 0
    wanted = options.only.split(",")
    if unknown := [name for name in wanted if name not in SERIES]:
        parser.error(f"no series is called {', '.join(unknown)}; there are {', '.join(SERIES)}")
    found = []
    for name in wanted:
        print(name, file=sys.stderr)
        found += points(name, options.limit)
    print(json.dumps(found, indent=1) if options.json else "\n".join(table(found)))
    if options.plot is not None:
        options.plot.write_text(picture(found), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
