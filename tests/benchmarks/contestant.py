"""One engine answers one workload in a process of its own: `contestant.py ENGINE WORKLOAD WHAT SECONDS`.

WHAT is `check` (nothing is timed), `whole` or `runs`; one line of JSON says what came of it. Times are CPU time, so
that what else the machine does counts little.
"""

import gc
import json
import signal
import statistics
import sys
from collections.abc import Callable
from time import process_time
from typing import Any

from contest import Absent, Contest, digest
from engines import entered

BATCH = 0.02  # a quick answer is asked for again until it has taken so many seconds
BATCHES = 5


class TooSlow(BaseException):
    """The process has computed longer than it may."""


def give_up_after(limit: float) -> None:
    """By a timer of the wall clock that is wound up again: one of CPU time makes the clock of CPU time a coarse one."""
    if not hasattr(signal, "setitimer"):
        return

    def ring(*_: object) -> None:
        left = limit - process_time()
        if left <= 0:
            raise TooSlow
        signal.setitimer(signal.ITIMER_REAL, max(left, 0.05))

    signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, limit)


def in_time() -> None:
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, 0)


def seconds(function: Callable[[], Any], times: int = 1) -> tuple[float, Any]:
    gc.collect()
    answer, begun = None, process_time()
    for _ in range(times):
        answer = function()
    return (process_time() - begun) / times, answer


def later(function: Callable[[], Any], first: float) -> float:
    """The median of some batches, none of which takes long."""
    if first > 1:
        return seconds(function)[0]
    function()
    again = seconds(function)[0]
    times = max(1, min(5_000, int(BATCH / max(again, 1e-7))))
    return statistics.median(seconds(function, times)[0] for _ in range(BATCHES))


def peak() -> int | None:
    """The most memory that this process has had."""
    try:
        with open("/proc/self/status") as lines:
            return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))
    except (OSError, StopIteration):
        pass
    try:
        import resource
    except ImportError:
        return None
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def checked(contest: Contest) -> dict[str, Any]:
    answer = contest.check() if contest.check else contest.end(contest.whole())
    return {"digest": digest(answer), "ready": contest.ready is not None, "cost": process_time()}


def timed(contest: Contest, what: str) -> dict[str, Any]:
    """Who can be ready before is asked for the whole question in one process and for runs in another; who cannot has
    answered the whole question with his first run. Only who is asked for the whole alone is not asked again."""
    if what == "whole":
        took, answer = seconds(contest.whole)
        found = {"whole": took}
    else:
        times = contest.times if contest.ready else 1
        ready = contest.ready() if contest.ready else contest.whole
        first, answer = seconds(ready)
        found = {"first": first / times, "later": later(ready, first) / times}
        if not contest.ready:
            found["whole"] = first
    bytes = peak()
    return {"seconds": found, "bytes": bytes, **({} if contest.check else {"digest": digest(contest.end(answer))})}


def states() -> dict[str, int]:
    seen = getattr(sys.modules.get("interpreter"), "SEEN", [0])[0]
    return {"states": seen} if seen else {}


def main() -> None:
    engine, workload, what, limit = sys.argv[1:]
    try:
        give_up_after(float(limit))
        contest = entered(engine, workload)
        found = checked(contest) if what == "check" else timed(contest, what)
        in_time()
    except TooSlow:
        found = {"why": f"not done after {float(limit):g} s", "bytes": peak()}
    except Absent as error:
        found = {"absent": str(error)}
    except Exception as error:
        found = {"why": reason(error), "bytes": peak()}
    print(json.dumps({**found, **states()}))


def reason(error: Exception) -> str:
    """What the interpreter refuses has a code; of whatever else goes wrong the first line is told."""
    codes = getattr(error, "codes", None)
    if codes:
        return f"refused: {', '.join(sorted(codes))}"
    return f"{type(error).__name__}: {str(error).strip().partition(chr(10))[0]}"[:120]


if __name__ == "__main__":
    main()
