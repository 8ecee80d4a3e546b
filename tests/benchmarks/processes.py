"""Time whole commands, from the start of the process to its end: `python tests/benchmarks/processes.py [--strict]`."""

import argparse
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
COMMANDS = {  # what is run, and the most seconds that it may take
    "--version": (["--version"], 0.15),
    "four attacks": (["chances", str(HERE / "situations" / "four-attacks.yaml")], 1.0),
    "forty dice each": (["chances", str(HERE / "situations" / "forty-dice.yaml"), "--by", "sides"], 1.0),
    "an engagement": (["compare", "farmhouse"], None),
}


def seconds(arguments):
    code = HERE.parent.parent / "interpreter"
    known = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, (str(code), os.environ.get("PYTHONPATH"))))}
    start = time.perf_counter()
    subprocess.run([sys.executable, "-m", "closecombat", *arguments], check=True, stdout=subprocess.DEVNULL, env=known)
    return time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7, help="runs of each command (7)")
    parser.add_argument("--strict", action="store_true", help="exit 1 if a median is above its goal")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error("--rounds must be at least 1")
    slow = False
    print(f"{'command':18}{'median s':>10}{'least s':>10}{'goal s':>8}")
    for name, (arguments, goal) in COMMANDS.items():
        seconds(arguments)  # the first run compiles the modules
        samples = [seconds(arguments) for _ in range(options.rounds)]
        median = statistics.median(samples)
        print(f"{name:18}{median:10.3f}{min(samples):10.3f}{goal or '-':>8}", flush=True)
        slow = slow or (goal is not None and median > goal)
    return 1 if options.strict and slow else 0


if __name__ == "__main__":
    sys.exit(main())
