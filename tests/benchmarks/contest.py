"""What it takes to enter: one engine's way to answer one workload, and how answers are held against each other."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from typing import Any

PLAYINGS = 500  # with as many seeds two who play are held against each other


@dataclass(frozen=True, slots=True)
class Contest:
    """`whole` goes from the parsed situation to the answer. `ready` does all that can be done before and gives what
    answers then, again and again; who can do nothing before has none. `end` makes of an answer what is compared:
    {end: weight}, or a list of answers; `check` answers more than the one question that is timed. An answer stands for
    `times` questions."""

    whole: Callable[[], Any]
    ready: Callable[[], Callable[[], Any]] | None = None
    end: Callable[[Any], Any] = lambda answer: answer
    check: Callable[[], Any] | None = None
    times: int = 1


class Absent(Exception):
    """Who does not enter for a workload, and why."""


def digest(answer: Mapping[Any, Any] | Iterable[Any]) -> str:
    """Equal exactly if the answers are: of a distribution, whatever the weights are over."""
    if isinstance(answer, Mapping):
        total = sum(answer.values())
        shares = [(end, Fraction(weight) / total) for end, weight in answer.items() if weight]
        lines = sorted(f"{end!r}={share.numerator}/{share.denominator}\n" for end, share in shares)
    else:
        lines = [f"{one!r}\n" for one in answer]
    return sha256("".join(lines).encode()).hexdigest()[:16]
