"""Questions about plain values, answered yes or no. None is nobody: more or less than nothing."""

from __future__ import annotations

from typing import Any


def same(a: Any, b: Any) -> bool:
    return bool(a == b)


def at_least(a: Any, b: Any) -> bool:
    return a is not None and b is not None and bool(a >= b)


def at_most(a: Any, b: Any) -> bool:
    return a is not None and b is not None and bool(a <= b)


def more_than(a: Any, b: Any) -> bool:
    return a is not None and b is not None and bool(a > b)


def less_than(a: Any, b: Any) -> bool:
    return a is not None and b is not None and bool(a < b)


def somebody(a: Any) -> bool:
    return not (a is None or a == None)  # noqa: E711  a Fault is looked at by comparing it


def whole_flag(a: Any) -> bool:
    """Nobody's flag is not raised."""
    return bool(a)


COMPARISONS = frozenset((same, at_least, at_most, more_than, less_than, somebody, whole_flag))
