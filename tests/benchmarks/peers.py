"""How long answers take: from rules in YAML, by hand-written code, in dice libraries and in other rule engines.

    python tests/benchmarks/peers.py [--quick] [--json] [--strict]

Every engine answers every workload in processes of its own, in turn, and first of all without being timed: another
answer than the hand-written code's ends with exit code 1. What is timed, of whom, and what came out: README.md.
"""

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engines import DICE, ENDS, ENGINES, FIGHTS, HAND, OURS, PLAY, TABLES, Engine, installed

HERE = Path(__file__).parent
INTERPRETER = HERE.parent.parent / "interpreter"
REGIMES = ("whole", "first", "later")
SYSTEMS = ("asl", "squad-leader", "assault", "skirmish")
ENGAGEMENTS = tuple(sorted(file.stem for file in (HERE.parent.parent / "rulesets" / "engagements").glob("*.yaml")))
PATIENCE = ((1.0, 7), (5.0, 3))  # who has answered within so many seconds, reading included, is asked so often
QUICK_ROUNDS = 3
GOALS: dict[str, dict[str, float]] = {  # the most times the hand-written that closecombat should take
    **{f"w1-joint-{size}": {"first": 4, "later": 3} for size in ("8v11", "17v11", "40v40")},
    "w1-rounds-full-8v11": {"later": 1},
    "w2": {"whole": 40, "first": 8, "later": 2},
    "w3-3v3": {"later": 2},
    "w3-6v6": {"later": 1},
    **{f"w4-{size}": {"later": 3} for size in ("3v3", "6v6", "10v10")},
    **{table: {"later": most} for table, most in (("r1", 3), ("r2", 3), ("r3", 3), ("r6", 0.5))},
}


@dataclass(frozen=True, slots=True)
class Workload:
    name: str
    family: str
    long: bool = False


def _workloads() -> Iterator[Workload]:
    yield from (Workload(f"w1-joint-{size}", DICE, size != "8v11") for size in ("8v11", "17v11", "40v40"))
    yield from (Workload(f"w1-row-{size}", DICE, size != "8v11") for size in ("8v11", "40v40"))
    yield from (Workload(f"w1-rounds-row-{size}", DICE, size != "8v11") for size in ("8v11", "17v11"))
    yield from (Workload(f"w1-rounds-full-{size}", DICE, size != "2v3") for size in ("2v3", "4v5", "8v11"))
    yield Workload("w2", DICE)
    yield from (Workload(f"w3-{size}", DICE, size != "3v3") for size in ("3v3", "6v6"))
    yield from (Workload(f"w4-{size}", DICE, size != "3v3") for size in ("3v3", "6v6", "10v10"))
    yield from (Workload(table, TABLES, table == "r6") for table in ("r1", "r2", "r3", "r6"))
    for how in ("bare", "traced"):
        yield Workload(f"w5-{how}", PLAY)
        yield from (Workload(f"play-{how}-{system}", FIGHTS, system != "asl") for system in SYSTEMS)
    yield Workload("w5-together", FIGHTS, True)
    yield from (Workload(f"play-together-{system}", FIGHTS, True) for system in SYSTEMS)
    yield from (Workload(f"fight-{system}", FIGHTS) for system in SYSTEMS)
    for name in ENGAGEMENTS:
        yield from (Workload(f"end:{name}:{system}", ENDS, name != "lone-leader") for system in SYSTEMS)


WORKLOADS = tuple(_workloads())


@dataclass(slots=True)
class Result:
    """What one engine made of one workload: by regime the seconds of each round, and the most memory."""

    samples: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    bytes: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    states: int | None = None
    why: str = ""  # why there is no time, or not of every regime
    absent: bool = False  # because there is nothing to be answered

    def seconds(self, regime: str) -> float | None:
        return statistics.median(self.samples[regime]) if self.samples.get(regime) else None

    def most_bytes(self, regime: str) -> int | None:
        return int(statistics.median(self.bytes[regime])) if self.bytes.get(regime) else None

    def take(self, said: dict[str, Any]) -> None:
        for regime, seconds in said.get("seconds", {}).items() if "why" not in said else ():
            self.samples[regime].append(seconds)
            if said.get("bytes"):
                self.bytes[regime].append(said["bytes"])
        if "why" in said and said.get("bytes"):
            self.bytes["whole"].append(said["bytes"])
        self.why = said.get("why", said.get("absent", self.why))
        self.absent = self.absent or "absent" in said
        self.states = said.get("states", self.states)


def ask(engine: str, workload: str, what: str, limit: float) -> dict[str, Any]:
    """What a process of its own says. The limit is one of CPU time, so it may take longer."""
    known = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, (str(INTERPRETER), os.environ.get("PYTHONPATH")))),
    }
    command = [sys.executable, "-W", "ignore", str(HERE / "contestant.py"), engine, workload, what, str(limit)]
    try:
        done = subprocess.run(command, env=known, capture_output=True, text=True, timeout=20 * limit + 60)
    except subprocess.TimeoutExpired:
        return {"why": f"not done after {limit:g} s"}
    try:
        said = json.loads(done.stdout.splitlines()[-1])
    except (IndexError, ValueError):
        return {"why": f"exit code {done.returncode}", "broken": True}
    return said if isinstance(said, dict) else {"why": "no answer", "broken": True}


def measured(
    workload: Workload, engines: Sequence[Engine], rounds: int, limit: float
) -> tuple[dict[str, Result], list[str]]:
    """The results by engine, and what is wrong with them."""
    results = {engine.name: Result() for engine in engines}
    faults: list[str] = []
    if workload.family == ENDS:
        for name, result in results.items():
            result.take(ask(name, workload.name, "whole", limit))
        return results, faults
    expected, rest = "", {}
    for name, result in results.items():
        say(f"{workload.name}: the answer of {name}")
        said = ask(name, workload.name, "check", limit)
        result.take({key: value for key, value in said.items() if key != "seconds"})
        expected = expected or said.get("digest", "")
        if said.get("digest", expected) != expected:
            result.why = "another answer"
            faults.append(f"{workload.name}: {name} has another answer")
        elif result.why:
            if said.get("broken") or (name in (HAND, OURS) and not result.why.startswith(("refused", "not done"))):
                faults.append(f"{workload.name}: {name}: {result.why}")
        else:
            times = next((times for cost, times in PATIENCE if said["cost"] < cost), 1)
            rest[name] = min(times, rounds), ("whole", "runs") if said["ready"] else ("runs",), said["digest"]
    for at in range(rounds):
        for name, (times, whats, digest) in list(rest.items()):
            say(f"{workload.name}: round {at + 1} of {rounds}, {name}")
            for what in whats if at < times else ():
                said = ask(name, workload.name, what, limit)
                results[name].take(said)
                if said.get("digest", digest) != digest:
                    faults.append(f"{workload.name}: {name} has another answer when it is timed")
                if "why" in said:
                    rest.pop(name, None)
    return results, faults


def ratio(result: Result, hand: Result | None, regime: str) -> float | None:
    """The median of the rounds in which both have answered."""
    if hand is None or not hand.samples.get(regime) or not result.samples.get(regime):
        return None
    pairs = zip(result.samples[regime], hand.samples[regime], strict=False)
    return statistics.median(ours / theirs for ours, theirs in pairs)


def above_goals(results: dict[Workload, dict[str, Result]]) -> Iterator[str]:
    for workload, by_engine in results.items():
        for regime, most in GOALS.get(workload.name, {}).items():
            times = ratio(by_engine[OURS], by_engine.get(HAND), regime)
            if times is None or times > most:
                said = "no answer" if times is None else f"{digits(times)} times the hand-written"
                yield f"{workload.name}, {regime}: {said}, and {most} is the goal"


def say(text: str) -> None:
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


# ---- what is told -------------------------------------------------------------------------------------------

Results = dict[Workload, dict[str, Result]]


def rows(results: Results, missing: Sequence[Engine]) -> Iterator[dict[str, Any]]:
    for workload, by_engine in results.items():
        hand = by_engine.get(HAND)
        for name, result in by_engine.items():
            for regime in REGIMES if workload.family != ENDS else REGIMES[:1]:
                yield _row(workload, regime, name, result, ratio(result, hand, regime))
        for engine in missing:
            if workload.family in engine.families:
                for regime in REGIMES:
                    yield _row(workload, regime, engine.name, Result(why="not installed"), None)


def _row(workload: Workload, regime: str, engine: str, result: Result, times: float | None) -> dict[str, Any]:
    row = {
        "workload": workload.name,
        "regime": regime,
        "engine": engine,
        "seconds": result.seconds(regime),
        "ratio_to_hand": times,
        "bytes": result.most_bytes(regime),
    }
    if result.states is not None:
        row["states"] = result.states
    if result.why and row["seconds"] is None:
        row["why"] = result.why
    return row


def digits(number: float) -> str:
    """Three digits of a small number, two of a ratio above ten, and no tenths of a large one."""
    if number >= 100:
        return f"{float(f'{number:.2g}'):,.0f}"
    return f"{number:.0f}" if number >= 10 else f"{number:.2g}"


def milliseconds(seconds: float) -> str:
    number = 1000 * seconds
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}" if number >= 0.001 else f"{number:.2g}"


def in_regimes(result: Result | None, hand: Result | None) -> str:
    """`whole / first / later`: times the hand-written, or milliseconds of whoever is held against nobody."""
    if result is None:
        return "-"
    said = []
    for regime in REGIMES:
        times, seconds = ratio(result, hand, regime), result.seconds(regime)
        said.append("?" if seconds is None else milliseconds(seconds) if times is None else digits(times))
    return " / ".join(said) if set(said) != {"?"} else result.why or "?"


def ahead(by_engine: dict[str, Result]) -> str:
    """Who is faster than closecombat, and where if not everywhere."""
    ours = by_engine[OURS]
    said = []
    for name, result in by_engine.items():
        faster = [
            regime
            for regime in REGIMES
            if (theirs := result.seconds(regime)) is not None
            and name != OURS
            and ((mine := ours.seconds(regime)) is None or theirs < mine)
        ]
        if faster:
            said.append(name if len(faster) == len(REGIMES) else f"{name} ({', '.join(faster)})")
    return "; ".join(said) or ("nobody" if len(by_engine) > 1 else "-")


def table(heads: Sequence[str], lines: Sequence[Sequence[str]]) -> list[str]:
    """As Markdown, in columns that can be read as they are."""
    wide = [max(len(line[at]) for line in (heads, *lines)) for at in range(len(heads))]
    rule = ["-" * width for width in wide]
    return [
        f"| {' | '.join(cell.ljust(width) for cell, width in zip(line, wide, strict=True))} |"
        for line in (heads, rule, *lines)
    ]


def told(results: Results, missing: Sequence[Engine]) -> Iterator[str]:
    there = {name for by_engine in results.values() for name in by_engine}
    versions = [f"{name} {installed(ENGINES[name])}" for name in ENGINES if name in there and ENGINES[name].package]
    yield f"{platform.python_implementation()} {platform.python_version()} on {platform.machine()}, CPU time, medians."
    if versions:
        yield f"Beside closecombat: {', '.join(versions)}."
    if missing:
        yield f"Not installed, so not measured: {', '.join(engine.name for engine in missing)}."
    for title, families in (("Dice", (DICE,)), ("Play, and one close combat of each system", (PLAY, FIGHTS))):
        yield from by_workload(title, {one: found for one, found in results.items() if one.family in families})
    yield from by_rules({one: found for one, found in results.items() if one.family == TABLES})
    yield from to_the_end({one: found for one, found in results.items() if one.family == ENDS})


def by_workload(title: str, results: Results) -> Iterator[str]:
    if not results:
        return
    names = [name for name in ENGINES if name != HAND and any(name in found for found in results.values())]
    lines = []
    for workload, found in results.items():
        hand = found.get(HAND)
        cells = [in_regimes(found.get(name), hand) for name in names]
        goals = GOALS.get(workload.name, {})
        goal = " / ".join(f"{goals[regime]}" if regime in goals else "-" for regime in REGIMES) if goals else "-"
        lines.append([workload.name, in_regimes(hand, None), *cells, goal, ahead(found)])
    yield ""
    yield f"{title}: the whole question / the first run / later runs; hand-written in ms, the others times that"
    yield from ["", *table(["workload", "hand-written, ms", *names, "goal", "faster than closecombat"], lines)]


def by_rules(results: Results) -> Iterator[str]:
    if not results:
        return
    names = [name for name in ENGINES if any(name in found for found in results.values())]
    lines = []
    for name in names:
        cells = [in_regimes(found.get(name), found.get(HAND) if name != HAND else None) for found in results.values()]
        wins = [
            workload.name if len(won) == len(REGIMES) else f"{workload.name} ({', '.join(won)})"
            for workload, found in results.items()
            if name in found
            and (won := [r for r in REGIMES if name != OURS and beats(found[name], found.get(OURS), r)])
        ]
        lines.append([name + (", ms" if name == HAND else ""), *cells, "; ".join(wins) or "-"])
    goals = [f"- / - / {GOALS[one.name]['later']}" if one.name in GOALS else "-" for one in results]
    lines.insert(2, ["its goal", *goals, "-"])
    yield ""
    yield "Tables: the same, for one decision; hand-written in ms, the others times that"
    yield from ["", *table(["engine", *(one.name for one in results), "faster than closecombat in"], lines)]


def beats(result: Result, ours: Result | None, regime: str) -> bool:
    theirs, mine = result.seconds(regime), ours.seconds(regime) if ours else None
    return theirs is not None and (mine is None or theirs < mine)


def to_the_end(results: Results) -> Iterator[str]:
    if not results:
        return
    cells: dict[str, dict[str, str]] = defaultdict(dict)
    for workload, found in results.items():
        _, engagement, system = workload.name.split(":")
        cells[engagement][system] = of_an_end(found[OURS])
    systems = [system for system in SYSTEMS if any(system in line for line in cells.values())]
    yield ""
    yield "Each engagement to the end, `--by sides --until resolved`: CPU seconds, the most memory, states"
    lines = [[name, *(line.get(system, "not asked") for system in systems)] for name, line in cells.items()]
    yield from ["", *table(["engagement", *systems], lines)]


def of_an_end(result: Result) -> str:
    if result.absent:
        return "no such fight"
    seconds, most = result.seconds("whole"), result.most_bytes("whole")
    said = [f"{seconds:.3g} s" if seconds is not None else result.why]
    if most:
        said.append(f"{most / 1e6:,.0f} MB")
    if result.states:
        said.append(f"{result.states:,}")
    return ", ".join(said)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="leave out what takes long, and ask less often")
    parser.add_argument("--json", action="store_true", help="tell every figure as JSON")
    parser.add_argument("--strict", action="store_true", help="exit 1 also where closecombat is above its goals")
    parser.add_argument("--only", default="", help="workloads whose names begin with one of these: w2,r,end:farmhouse")
    parser.add_argument("--engines", default="", help="only these, beside the hand-written: closecombat,dyce")
    parser.add_argument("--rounds", type=int, help="how often each is asked: at most 7, quickly 3")
    parser.add_argument("--limit", type=float, help="the most CPU seconds of one process: 60, quickly 10")
    asked = parser.parse_args()
    rounds = asked.rounds or (QUICK_ROUNDS if asked.quick else PATIENCE[0][1])
    limit = asked.limit or (10 if asked.quick else 60)
    if rounds < 1 or limit <= 0:
        parser.error("--rounds and --limit must be more than nothing")
    names = set(filter(None, asked.engines.split(",")))
    if names - set(ENGINES):
        parser.error(f"{', '.join(sorted(names - set(ENGINES)))}: not one of {', '.join(ENGINES)}")
    starts = tuple(filter(None, asked.only.split(","))) or ("",)
    chosen = [one for one in WORKLOADS if one.name.startswith(starts) and not (asked.quick and one.long)]
    if not chosen:
        parser.error(f"no workload begins with {asked.only}")
    engines = [one for one in ENGINES.values() if not names or one.name in names | {HAND, OURS}]
    missing = [one for one in engines if not installed(one)]
    results: Results = {}
    faults: list[str] = []
    for workload in chosen:
        entrants = [one for one in engines if workload.family in one.families and one not in missing]
        results[workload], wrong = measured(workload, entrants, rounds, limit)
        faults += wrong
    say("")
    asked_for = {workload.family for workload in chosen}
    missing = [one for one in missing if asked_for & set(one.families)]
    if asked.json:
        print(json.dumps(list(rows(results, missing)), indent=1))
    else:
        print("\n".join(told(results, missing)))
    slow = list(above_goals(results)) if asked.strict else []
    for fault in faults + slow:
        print(fault, file=sys.stderr)
    return 1 if faults or slow else 0


if __name__ == "__main__":
    sys.exit(main())
