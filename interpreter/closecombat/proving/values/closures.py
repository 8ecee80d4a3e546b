"""Nodes as functions: what an expression is worth, once what it hangs on is known.

A part that stands in several places is worked out once; a choice of many arms that hangs on one number alone is
remembered for each number.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Protocol, TypeAlias

from closecombat.proving.values.symbolic import AND, ASKED, IF, NOT, OR, VARIABLE, Looked, Sym, Value
from closecombat.proving.values.walking import is_short, walk
from closecombat.text.faults import Faulty

MANY_ARMS = 6  # questions about one value, from which on their answers are remembered
SHORT = 8  # functions and variables of a value that is made a function at once
WORTH = 8  # times its own length that a longer one is gone through, before it becomes a function
WIDEST = 12  # values that a choice is seen to hang on at once, before it is given up that it hangs on one

Known: TypeAlias = dict[int, Value] | None
Count: TypeAlias = Callable[[int], None]  # is told of so many parts that have been worked out
Reader: TypeAlias = Callable[..., Value]  # of a tuple, and of what is known of shared nodes


class Places(Protocol):
    """A tuple, or what reads one and takes note."""

    def __getitem__(self, place: int, /) -> Value: ...


Place: TypeAlias = int | tuple[int, int] | Reader
NOWHERE: Mapping[Sym, Place] = MappingProxyType({})


def compiled(node: Value, at: Mapping[Sym, Place], count: Count | None = None) -> Callable[[tuple[Value, ...]], Value]:
    """A function from a tuple of values to the value of a node; `at` says where each known node stands in it, at
    which place of the tuple that stands there, or how else it is read. What is long is gone through each time, until
    that has taken about as long as it would to make it a function: it may be asked a few times only, and most of its
    arms may never be taken. Of what is long it is counted how many parts are worked out each time."""
    if type(node) is not Sym or node in at or is_short((node,), SHORT):
        return _function(node, at, None)
    made: list[Callable[[tuple[Value, ...]], Value]] = []
    length = passed = 0

    def value(given: tuple[Value, ...]) -> Value:
        nonlocal length, passed
        if made:
            return made[0](given)
        length = length or sum(1 for _ in walk((node,), lambda one: () if one in at else one.args))
        known: dict[Sym, Value] = {}
        found = worked_out(node, known, at, given)
        passed += len(known)
        if passed > WORTH * length:
            made.append(_function(node, at, count))
        if count is not None:
            count(len(known))
        return found

    return value


def _function(node: Value, at: Mapping[Sym, Place], count: Count | None) -> Callable[[tuple[Value, ...]], Value]:
    compiler = _Compiler(node, at)
    reader = compiler.reader(node)
    if not compiler.shares:
        return reader if count is None else _counted(reader, len(compiler.uses), count)

    def value(given: tuple[Value, ...]) -> Value:
        known: dict[int, Value] = {}
        found = reader(given, known)
        if count is not None:
            count(len(known))
        return found

    return value


def _counted(reader: Reader, parts: int, count: Count) -> Reader:
    """Where no part stands in several places each is worked out at most once."""

    def value(given: tuple[Value, ...]) -> Value:
        count(parts)
        return reader(given)

    return value


def worked_out(
    node: Value, known: dict[Sym, Value], at: Mapping[Sym, Place] = NOWHERE, given: Places = ()
) -> Value:
    """What a node is worth by what is known, or stands in a tuple; what is worked out on the way is known from then on.
    Only what is looked at is gone through."""
    if type(node) is not Sym:
        return node
    if node in known:
        return known[node]
    if node in at:
        return _standing(at[node], given)
    fn, args = node.fn, node.args
    if fn is IF:
        value = worked_out(args[1] if worked_out(args[0], known, at, given) else args[2], known, at, given)
    elif fn is AND:
        value = worked_out(args[0], known, at, given) and worked_out(args[1], known, at, given)
    elif fn is OR:
        value = worked_out(args[0], known, at, given) or worked_out(args[1], known, at, given)
    elif fn is NOT:
        value = not worked_out(args[0], known, at, given)
    elif fn is ASKED:
        value = worked_out(args[1], known, at, given) if _may_be_asked(args[0], known, at, given) else None
    else:
        value = fn(*[worked_out(one, known, at, given) for one in args])
    known[node] = value
    return value


def _standing(place: Place, given: Places) -> Value:
    if callable(place):
        return place(given)
    if isinstance(place, tuple):
        outer, inner = place
        return None if given[outer] is None else given[outer][inner]
    return given[place]


def _may_be_asked(condition: Value, known: dict[Sym, Value], at: Mapping[Sym, Place], given: Places) -> bool:
    try:
        return bool(worked_out(condition, known, at, given))
    except (Faulty, Looked):
        return True


def _remembered(through: Reader, value: Reader) -> Reader:
    """A value that hangs on one other alone, worked out once for each of what that can be."""
    found: dict[Value, Value] = {}

    def remembered(given: tuple[Value, ...], known: Known = None) -> Value:
        key = through(given, known)
        if key not in found:
            found[key] = value(given, known)
        return found[key]

    return remembered


def _asked(condition: Reader, value: Reader) -> Reader:
    """The value where somebody may look at it, else None; also where the condition itself cannot be told."""

    def asked(given: tuple[Value, ...], known: Known = None) -> Value:
        try:
            if not condition(given, known):
                return None
        except (Faulty, Looked):
            pass
        return value(given, known)

    return asked


class _Compiler:
    """Turns nodes into functions. A node that stands in several places is worked out once for each tuple."""

    def __init__(self, top: Value, at: Mapping[Sym, Place]) -> None:
        self.at = at
        self.done: dict[Sym, Reader] = {}
        self.uses: dict[Sym, int] = {}
        self.shares = False  # whether any node stands in several places
        todo = [top] if type(top) is Sym else []
        while todo:
            node = todo.pop()
            self.uses[node] = self.uses.get(node, 0) + 1
            if self.uses[node] == 1 and node not in at:
                todo.extend(a for a in node.args if type(a) is Sym)

    def reader(self, node: Value) -> Reader:
        if type(node) is not Sym:
            return lambda given, known=None: node
        if node in self.at:
            place = self.at[node]
            if callable(place):
                return place
            if isinstance(place, tuple):
                outer, inner = place
                return lambda given, known=None: None if given[outer] is None else given[outer][inner]
            return lambda given, known=None: given[place]
        if node not in self.done:
            through = self._through(node) if node.fn is IF else None
            plain = self._plain(node) if through is None else _remembered(self.reader(through), self._plain(node))
            shared = self.uses.get(node, 0) > 1
            self.shares = self.shares or shared
            self.done[node] = self._shared(plain, node.number) if shared else plain
        return self.done[node]

    def _shared(self, plain: Reader, number: int) -> Reader:
        def shared(given: tuple[Value, ...], known: Known = None) -> Value:
            if known is None:
                return plain(given, known)
            if number not in known:
                known[number] = plain(given, known)
            return known[number]

        return shared

    def _plain(self, node: Sym) -> Reader:
        fn = node.fn
        parts = [self.reader(a) for a in node.args]
        if fn is IF:
            condition, then, otherwise = parts
            return lambda given, known=None: then(given, known) if condition(given, known) else otherwise(given, known)
        if fn is AND:
            left, right = parts
            return lambda given, known=None: left(given, known) and right(given, known)
        if fn is OR:
            left, right = parts
            return lambda given, known=None: left(given, known) or right(given, known)
        if fn is ASKED:
            return _asked(*parts)
        if fn is NOT:
            only = parts[0]
            return lambda given, known=None: not only(given, known)
        if len(parts) == 1:
            place = self._place(node.args[0])
            if place is not None:
                return lambda given, known=None: fn(given[place])
            single = parts[0]
            return lambda given, known=None: fn(single(given, known))
        if len(parts) == 2:
            return self._of_two(fn, node.args, parts)
        return lambda given, known=None: fn(*[part(given, known) for part in parts])

    def _through(self, node: Sym) -> Sym | None:
        """The one number or word that a choice of many arms hangs on, such as a difference, if there is one."""
        front, passed = {node}, 0
        while 0 < len(front) <= WIDEST:
            last = max(front, key=lambda one: one.number)
            if len(front) == 1 and passed:
                return last if passed >= MANY_ARMS and last not in self.at and last.fn is not VARIABLE else None
            behind = [a for a in last.args if type(a) is Sym]
            if last in self.at or last.fn is VARIABLE or any(a.fn is VARIABLE or a in self.at for a in behind):
                return None  # what is known beforehand cannot be left behind: it is never one with others
            front.remove(last)
            front.update(behind)
            passed += 1
        return None

    def _place(self, node: Value) -> int | None:
        """Where a value stands, if it stands in the tuple as it is."""
        place = self.at.get(node) if type(node) is Sym else None
        return place if isinstance(place, int) else None

    def _of_two(self, fn: Callable[..., Value], args: tuple[Value, ...], parts: list[Reader]) -> Reader:
        """A function of two values; spares a call for each that is known or stands in the tuple."""
        (a, b), (left, right) = args, parts
        i, j = self._place(a), self._place(b)
        if i is not None and j is not None:
            return lambda given, known=None: fn(given[i], given[j])
        if i is not None:
            if type(b) is not Sym:
                return lambda given, known=None: fn(given[i], b)
            return lambda given, known=None: fn(given[i], right(given, known))
        if type(a) is not Sym:
            if j is not None:
                return lambda given, known=None: fn(a, given[j])
            return lambda given, known=None: fn(a, right(given, known))
        if type(b) is not Sym:
            return lambda given, known=None: fn(left(given, known), b)
        if j is not None:
            return lambda given, known=None: fn(left(given, known), given[j])
        return lambda given, known=None: fn(left(given, known), right(given, known))
