"""How long whole commands take, from the start of the process to its end: CPU time, and times a bare `python -c pass`.

    python tests/benchmarks/processes.py [--quick] [--strict]

Each is run again (with a warm cache: the same was asked before), anew (the rules were read before, but this was not
asked), and cold (nothing has ever been read here).
"""

import argparse
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

try:
    import resource
except ImportError:  # where there is none, the clock on the wall is read
    resource = None

HERE = Path(__file__).parent
INTERPRETER = HERE.parent.parent / "interpreter"
BARE = ("-c", "pass")


@dataclass(frozen=True, slots=True)
class Command:
    name: str
    arguments: tuple[str, ...]
    most: float | None = None  # times a bare start, asked again
    long: bool = False


COMMANDS = (
    Command("--version", ("--version",)),
    Command("farmhouse, asl", ("chances", "farmhouse", "-r", "asl", "--by", "sides"), 20),
    *(
        Command(f"farmhouse, {system}", ("chances", "farmhouse", "-r", system, "--by", "sides"), 15)
        for system in ("squad-leader", "assault", "skirmish")
    ),
    Command("farmhouse played, asl", ("resolve", "farmhouse", "-r", "asl", "--seed", "1")),
    Command("four attacks, asl", ("chances", str(HERE / "situations" / "four-attacks.yaml"))),
    Command("forty dice, skirmish", ("chances", str(HERE / "situations" / "forty-dice.yaml"), "--by", "sides")),
    Command("compare farmhouse", ("compare", "farmhouse"), long=True),
    Command("check asl", ("check", "asl"), long=True),
    Command("test of the four", ("test", "asl", "squad-leader", "assault", "skirmish"), long=True),
)


def seconds(arguments: Sequence[str], cache: str) -> float:
    """With bytecode, as any user has it from the second command on, whatever this environment says."""
    known = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    known["PYTHONPATH"] = os.pathsep.join(filter(None, (str(INTERPRETER), known.get("PYTHONPATH"))))
    known["CLOSECOMBAT_CACHE"] = cache
    begun = spent()
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL, env=known)
    return spent() - begun


def spent() -> float:
    if resource is None:
        return time.perf_counter()
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


def rounds_of(command: Command, rounds: int) -> dict[str, list[float]]:
    """What each way to run it takes, in turn; the first run of all compiles the modules and fills the warm cache."""
    arguments = ("-m", "closecombat", *command.arguments)
    with TemporaryDirectory() as warm:

        def anew() -> float:
            for file in Path(warm).glob("*.json"):
                if b"answers.Chances" in file.read_bytes():
                    file.unlink()
            return seconds(arguments, warm)

        def cold() -> float:
            with TemporaryDirectory() as empty:
                return seconds(arguments, empty)

        seconds(arguments, warm)
        ways: dict[str, Callable[[], float]] = {
            "bare": lambda: seconds(BARE, warm),
            "again": lambda: seconds(arguments, warm),
            "anew": anew,
            "cold": cold,
        }
        samples: dict[str, list[float]] = {name: [] for name in ways}
        for _ in range(rounds):
            for name, way in ways.items():
                samples[name].append(way())
    return samples


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=7, help="runs of each command (7); of a long one a third")
    parser.add_argument("--quick", action="store_true", help="leave out what takes long")
    parser.add_argument("--strict", action="store_true", help="exit 1 if a median is above the most that it may be")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error("--rounds must be at least 1")
    slow = False
    print("| command                 | again, s | times bare | at most | anew, s | times bare | cold, s | times bare |")
    print("| ----------------------- | -------- | ---------- | ------- | ------- | ---------- | ------- | ---------- |")
    for command in COMMANDS:
        if command.long and options.quick:
            continue
        samples = rounds_of(command, -(-options.rounds // 3) if command.long else options.rounds)
        cells, times = [f"{command.name:23}"], {}
        for way in ("again", "anew", "cold"):
            pairs = zip(samples[way], samples["bare"], strict=True)
            times[way] = statistics.median(long / bare for long, bare in pairs)
            cells += [f"{statistics.median(samples[way]):{8 if way == 'again' else 7}.3f}", f"{times[way]:10.1f}"]
        cells.insert(3, f"{command.most or '-':>7}")
        print(f"| {' | '.join(cells)} |", flush=True)
        slow = slow or (command.most is not None and times["again"] > command.most)
    return 1 if options.strict and slow else 0


if __name__ == "__main__":
    sys.exit(main())
