"""Calls inside each other ask the system for no memory."""

import sys

import pytest

from closecombat.text.frames import with_room

DEEP = 400  # calls inside each other: more than some of CPython's pieces of 16 KB hold


def in_and_out(depth: int) -> int:
    """From each depth on the way a hundred times some calls further in, at some places over the end of a piece."""
    for _ in range(100):
        further_in(5)
    return 1 + in_and_out(depth - 1) if depth else 0


def further_in(depth: int) -> int:
    return 1 + further_in(depth - 1) if depth else 0


@pytest.mark.skipif(sys.platform != "linux" or sys.implementation.name != "cpython", reason="pages are counted by Linux")
def test_none_takes_a_page_from_the_system_again_and_again() -> None:
    from resource import RUSAGE_SELF, getrusage

    def pages() -> int:
        before = getrusage(RUSAGE_SELF).ru_minflt
        in_and_out(DEEP)
        return getrusage(RUSAGE_SELF).ru_minflt - before

    assert with_room(pages) < 200  # of half a MiB no more than are gone into


def test_it_gives_what_the_work_gives_and_fails_as_it_fails() -> None:
    assert with_room(lambda: in_and_out(3)) == 3
    with pytest.raises(ZeroDivisionError):
        with_room(lambda: 1 // 0)
    with pytest.raises(RecursionError):
        with_room(lambda: in_and_out(10**6))
