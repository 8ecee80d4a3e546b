"""The same workloads by the interpreter: `OURS` maps a workload's name to a function without arguments that returns
the distribution in the form of `comparators.py`. It reads the rulesets and situations in
`tests/benchmarks/rulesets/*.yaml`; reading and compiling them is not timed, only what answers the question.
"""

from collections.abc import Callable

OURS: dict[str, Callable[[], dict]] = {}
