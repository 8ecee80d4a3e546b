"""Time the interpreter against hand-written code on the same workloads: `python tests/benchmarks/run.py`."""

import argparse
import gc
import statistics
import sys
import time
import warnings

import peers
from comparators import COMPARATORS, digest
from ours import OURS

GOALS = {  # the most that we may take, in times the hand-written code
    "w1-8v11": 12,
    "w1-17v11": 12,
    "w2": 8,
    "w3-3v3": 6,
    "w4-3v3": 15,
    "w4-6v6": 15,
    "w4-10v10": 15,
}
LEAST_SECONDS = 0.02  # one measurement repeats a quick function until it has taken this long


def seconds(function, times):
    gc.collect()
    gc.disable()
    try:
        start = time.perf_counter()
        for _ in range(times):
            function()
        return (time.perf_counter() - start) / times
    finally:
        gc.enable()


def repetitions(function):
    return max(1, min(2000, int(LEAST_SECONDS / max(seconds(function, 1), 1e-6))))


def peer_seconds(function):
    peers.forget()
    return seconds(function, 1)


def measure(name, rounds):
    """Medians of the rounds, in which the contestants take turns; the ratio is the median of the rounds' ratios."""
    hand, ours = COMPARATORS[name], OURS.get(name)
    rivals = {peer: functions[name] for peer, functions in peers.PEERS.items() if name in functions}
    expected = digest(hand())
    wrong = [who for who, other in {"ours": ours, **rivals}.items() if other and digest(other()) != expected]
    hand_times, ours_times = repetitions(hand), repetitions(ours) if ours else 0
    samples = []
    for _ in range(rounds):
        sample = {"hand-written": seconds(hand, hand_times)}
        if ours:
            sample["ours"] = seconds(ours, ours_times)
        sample.update((peer, peer_seconds(function)) for peer, function in rivals.items())
        samples.append(sample)
    medians = {who: 1000 * statistics.median(sample[who] for sample in samples) for who in samples[0]}
    ratio = statistics.median(s["ours"] / s["hand-written"] for s in samples) if ours else None
    return medians, ratio, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7, help="measurements of each contestant (7)")
    parser.add_argument("--only", default="", help="workloads whose name begins with this")
    parser.add_argument("--strict", action="store_true", help="exit 1 if a ratio is above its goal")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error("--rounds must be at least 1")

    warnings.filterwarnings("ignore", message=".*experimental.*")  # of dyce

    columns = ["hand-written", "ours", *peers.PEERS]
    print(f"{'workload':10}" + "".join(f"{who + ' ms':>17}" for who in columns) + f"{'ratio':>8}{'goal':>6}")
    faults, slow = [], []
    for name in (name for name in COMPARATORS if name.startswith(options.only)):
        medians, ratio, wrong = measure(name, options.rounds)
        goal = GOALS.get(name)
        cells = (f"{medians[who]:17.3f}" if who in medians else f"{'-':>17}" for who in columns)
        shown = f"{ratio:8.2f}" if ratio else f"{'-':>8}"
        print(f"{name:10}{''.join(cells)}{shown}{goal or '-':>6}", flush=True)
        faults += [f"{name}: {who} has another distribution" for who in wrong]
        if ratio and goal and ratio > goal:
            slow.append(f"{name}: {ratio:.2f} times hand-written is above the goal of {goal}")
    for line in faults + slow:
        print(line, file=sys.stderr)
    return 1 if faults or (options.strict and slow) else 0


if __name__ == "__main__":
    sys.exit(main())
