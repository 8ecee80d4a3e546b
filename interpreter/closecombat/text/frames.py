"""Room for calls inside each other, so that none of them asks the system for memory.

CPython keeps what its calls hold in pieces of 16 KB, one behind the other. Where a piece is full the next call takes
one more from the system, and gives it back when it returns. Whoever goes through a tree goes in and out all the time,
and if he does so at the end of a piece, each time two calls of the system and a page that must be emptied stand before
a few microseconds of work: 5,200 times in `chances farmhouse -r asl`, a tenth of what it took.

A piece is as large as the first call in it wants, rounded up to a power of two. So there is a call that wants a little
more than half a MiB; it gets one, and whatever is called from it has nearly the other half. What nobody has touched of
it takes no memory. Elsewhere than in CPython this does nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import TypeVar

T = TypeVar("T")
WANTED = 70_000  # values, of eight bytes each


def _called(work: Callable[[], T]) -> T:
    return work()


_with_room = FunctionType(_called.__code__.replace(co_stacksize=WANTED), {})


def with_room(work: Callable[[], T]) -> T:
    """Does some work, with room for the calls that it makes."""
    done: T = _with_room(work)
    return done
