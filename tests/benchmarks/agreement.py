"""Playings against exact chances: does what the dice bring fit what the exact reading says they bring?

    python tests/benchmarks/agreement.py [--playings 100000] [--seed 1] [system ...]

For one situation of each system this plays so many times with seeded dice, counts how each playing ended (every
fact of the end, and the verdicts), and holds the counts against the exact chances with a chi-squared test. The
exit code is 1 if one of them fits with p below 0.001.
"""

import argparse
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent.parent / "interpreter")]

from chi import chi_squared  # noqa: E402

from closecombat.proving.throws.dice import SeededDice  # noqa: E402
from paths import exact_ends, play, played_end  # noqa: E402
from test_paths import fight  # noqa: E402

LEAST_P = 0.001
SITUATIONS = {
    "asl": "ambush-in-woods",
    "squad-leader": "directed-by-a-leader",
    "assault": "supported-initiator",
    "skirmish": "green-attackers",
    "pike-and-card": "up-the-hill",
    "rear-guard": "two-on-one",
}


def counted(system: str, playings: int, seed: int) -> tuple[dict, float]:
    """How often each end came up, and the playings in a second."""
    small, dice, ends = fight(system, SITUATIONS[system]), SeededDice(seed), {}
    begun = shown = time.perf_counter()
    for done in range(1, playings + 1):
        end = played_end(play(small, dice))
        ends[end] = ends.get(end, 0) + 1
        if time.perf_counter() - shown > 2:
            shown = time.perf_counter()
            print(
                f"\r{system:<14} {done:>9,} of {playings:,}, {done / (shown - begun):,.0f} a second ",
                end="",
                file=sys.stderr,
                flush=True,
            )
    print("\r" + " " * 70 + "\r", end="", file=sys.stderr)
    return ends, playings / (time.perf_counter() - begun)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--playings", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("systems", nargs="*", help="which; all without", metavar="system")
    asked = parser.parse_args()
    unknown = set(asked.systems) - set(SITUATIONS)
    if unknown:
        parser.error(f"{', '.join(sorted(unknown))}: not one of {', '.join(SITUATIONS)}")
    print(
        f"{'system':<14} {'situation':<22} {'playings':>9} {'a second':>9} {'ends':>5} {'seen':>5} "
        f"{'chi2':>8} {'df':>4} {'p':>8}"
    )
    fits = True
    for system in asked.systems or SITUATIONS:
        chances = exact_ends(fight(system, SITUATIONS[system]))
        ends, pace = counted(system, asked.playings, asked.seed)
        statistic, degrees, p = chi_squared(ends, chances)
        fits = fits and p >= LEAST_P
        print(
            f"{system:<14} {SITUATIONS[system]:<22} {asked.playings:>9,} {pace:>9,.0f} {len(chances):>5} "
            f"{len(ends):>5} {statistic:>8.1f} {degrees:>4} {p:>8.4f}{'' if p >= LEAST_P else '  DOES NOT FIT'}",
            flush=True,
        )
    return 0 if fits else 1


if __name__ == "__main__":
    sys.exit(main())
