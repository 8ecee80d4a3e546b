"""Values that are not known yet: expressions over dice that will be thrown.

The evaluator works with plain values wherever it can. Where a value depends on a throw, it works with a `Sym`
instead: a node of an expression over variables. Every function here takes plain values or Syms and simplifies
as it builds, so that playing (everything known) never makes a node at all. Plain values are compared here too:
`None` is nobody, neither more nor less than anything.

Nodes are shared: within one run equal expressions are the same object, which makes tests for sameness and
memos cheap. Nodes are made in a `Workshop`, one for each run; nothing lives at module level.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from contextlib import contextmanager
from fractions import Fraction
from typing import Any, TypeAlias

from closecombat.proving.values.budget import NODE, NODE_BYTES, VARIABLE_BYTES, Budget
from closecombat.text.faults import Faulty
from closecombat.text.slotted import dataclass


def same(a: Value, b: Value) -> bool:
    return bool(a == b)


def at_least(a: Value, b: Value) -> bool:
    return a is not None and b is not None and bool(a >= b)


def at_most(a: Value, b: Value) -> bool:
    return a is not None and b is not None and bool(a <= b)


def more_than(a: Value, b: Value) -> bool:
    return a is not None and b is not None and bool(a > b)


def less_than(a: Value, b: Value) -> bool:
    return a is not None and b is not None and bool(a < b)


def somebody(a: Value) -> bool:
    return not (a is None or a == None)  # noqa: E711  a Fault is looked at by comparing it


def whole_flag(a: Value) -> bool:
    """Nobody's flag is not raised."""
    return bool(a)


COMPARISONS = frozenset((same, at_least, at_most, more_than, less_than, somebody, whole_flag))


Value: TypeAlias = Any
Printed: TypeAlias = tuple[tuple["Sym", ...], tuple[tuple[Any, ...], ...]]  # unknowns, and all that they may be at once
Owed: TypeAlias = Callable[[Value], None]


class Sym:
    """A node: `fn` applied to `args`. VARIABLE to ASKED are looked at by name, the rest are called."""

    __slots__ = ("args", "fn", "number", "short", "vars")

    def __init__(self, fn: Value, args: tuple[Value, ...], vars: frozenset[Sym], number: int) -> None:
        self.fn, self.args, self.number = fn, args, number
        self.short: bool | None = None  # whether little is behind it, once that has been asked
        self.vars = frozenset((self,)) if fn is VARIABLE else vars

    def __bool__(self) -> bool:
        raise TypeError("an unknown value was asked for its truth")

    def __repr__(self) -> str:
        return self.written(3)

    def written(self, depth: int) -> str:
        """The expression down to some depth: written out, what is shared is as long as it is often."""
        if self.fn is VARIABLE:
            return f"v{self.args[0]}"
        name = self.fn if isinstance(self.fn, str) else getattr(self.fn, "__name__", type(self.fn).__name__)
        args = (arg.written(depth - 1) if type(arg) is Sym else repr(arg) for arg in self.args)
        return f"{name}({', '.join(args)})" if depth else f"{name}(..)"


VARIABLE, IF, AND, OR, NOT, ASKED = "variable", "if", "and", "or", "not", "asked"
NONE: frozenset[Sym] = frozenset()
MOST_LEAVES = 12
MOST_NODES = 150_000


def _together(sets: Sequence[frozenset[Sym]]) -> frozenset[Sym]:
    """The variables of some nodes; the set of one of them, if it has them all: hundreds in each would fill memory."""
    every: frozenset[Sym] = frozenset().union(*sets)
    return next((one for one in sets if len(one) == len(every)), every)


class Workshop:
    """Makes and shares the nodes of one run."""

    def __init__(self, proving: bool = True) -> None:
        self.proving = proving  # a fault may be of a state that cannot happen
        self.most_nodes, self.budget = MOST_NODES, Budget()
        self.held = 0  # bytes, about, of its nodes
        self._nodes: dict[object, Sym] = {}
        self._variables = 0
        self.known: dict[Sym, bool] = {}  # what the branches that we are inside of take for granted
        self.domains: dict[Sym, tuple[Value, ...]] = {}
        self.whole: set[Sym] = set()  # what is certainly a whole number
        self.ranges: dict[Sym, Value] = {}  # what a value may be, as far as it has been asked (`ranges`)
        self.excluded: dict[tuple[Value, ...], bool] = {}  # whether conditions never hold together
        self.never: dict[frozenset[Sym], bool] = {}  # the same of those that say something of the same
        self.claims: Any = None  # what comparisons claim, once that is asked
        self.claimed: dict[Sym, frozenset[Sym]] = {}  # of whom a condition says something
        self.printed: dict[Sym, Printed] = {}  # of what is printed on a counter, that and all else that is
        self.falls: dict[Sym, tuple[Value, ...]] = {}  # every way in which a throw of few dice can fall
        self.when: list[Sym] = []  # what must hold for somebody to get as far as what is being worked out
        self.owed: Owed = _nothing  # is told of a value that may fail, where somebody looks at it
        self.reported: set[Sym] = set()  # the faults that it has been told of: whoever comes to one comes no further
        self._leaves: dict[Sym, tuple[Value, ...]] = {}

    def variable(self, domain: tuple[Value, ...] = ()) -> Sym:
        """A fresh unknown; `domain` lists what it may be, where that is worth knowing."""
        self._variables += 1
        node = Sym(VARIABLE, (self._variables,), frozenset(), len(self._nodes))
        self._nodes[VARIABLE, self._variables] = node
        if domain:
            self.domains[node] = domain
        return node

    def may_be(self, var: Sym, values: tuple[Value, ...]) -> None:
        """Says that an unknown is one of a few values."""
        self.ranges[var] = values
        if all(type(one) is int for one in values):
            self.whole.add(var)

    @property
    def nodes(self) -> int:
        """How many values hang on others, or are not known."""
        return len(self._nodes)

    def node(self, fn: Value, *args: Value) -> Sym:
        key = (fn, args, (*map(type, args),))
        found = self._nodes.get(key)
        if found is None:
            if len(self._nodes) > self.most_nodes:
                raise _too_entangled(self.most_nodes)
            sets = [a.vars for a in args if type(a) is Sym]
            vars, held = sets[0] if sets else NONE, NODE_BYTES
            if len(sets) > 1:
                vars = _together(sets)
                held += VARIABLE_BYTES * len(vars) if all(one is not vars for one in sets) else 0
            self.held += held
            self.budget.spend(NODE, held)
            found = self._nodes[key] = Sym(fn, args, vars, len(self._nodes))
        return found

    # ---- logic ------------------------------------------------------------------------------------------
    def not_(self, a: Value) -> Value:
        if type(a) is not Sym:
            return not a
        if a in self.known:
            return not self.known[a]
        return a.args[0] if a.fn is NOT else self.node(NOT, a)

    def and_(self, a: Value, b: Value) -> Value:
        if type(a) is not Sym:
            return b if a else False
        if type(b) is not Sym:
            return a if b else False
        if a is b:
            return a
        if self.not_(a) is b:
            return False
        return self.node(AND, a, b)

    def or_(self, a: Value, b: Value) -> Value:
        if type(a) is not Sym:
            return True if a else b
        if type(b) is not Sym:
            return True if b else a
        if a is b:
            return a
        if self.not_(a) is b:
            return True
        return self.node(OR, a, b)

    def if_(self, condition: Value, a: Value, b: Value) -> Value:
        """`a` where the condition holds, else `b`."""
        if type(condition) is Sym:
            condition = self.known.get(condition, condition)
        if type(condition) is not Sym:
            return a if condition else b
        if type(b) is Sym and b.fn is IF and b.args[0] is condition:
            b = b.args[2]
        if type(a) is Sym and a.fn is IF and a.args[0] is condition:
            a = a.args[1]
        asks_itself = a is condition
        if self.is_flag(condition):  # where it holds it is yes, elsewhere no
            a, b = True if a is condition else a, False if b is condition else b
        if a is b or (type(a) is not Sym and type(a) is type(b) and a == b):
            return a
        if a is True and b is False:
            return condition
        if a is False and b is True:
            return self.not_(condition)
        if b is False and (a is True or (type(a) is Sym and self.is_flag(a))):
            return self.and_(condition, a)
        if condition.fn is NOT:
            return self.if_(condition.args[0], b, a)
        if asks_itself and a is True and type(b) is Sym and self.is_flag(b):
            return self.or_(condition, b)
        return self.node(IF, condition, a, b)

    def is_flag(self, node: Sym) -> bool:
        """Whether a node can only be yes or no."""
        return node.fn in _LOGIC or (node.fn is VARIABLE and self.ranges.get(node) in ((False, True), (True, False)))

    def any_of(self, parts: Iterable[Value]) -> Value:
        out: Value = False
        for part in parts:
            out = self.or_(out, part)
            if out is True:
                break
        return out

    def given(self, condition: Value, work: Callable[[], Value]) -> Value:
        """What some work gives that a player does only where a condition holds; where it never does, nobody looks."""
        if condition is False and self.proving:
            with self.quiet():
                return work()
        if type(condition) is not Sym:
            return work()
        self.when.append(condition)
        try:
            return work()
        finally:
            self.when.pop()

    @contextmanager
    def quiet(self) -> Iterator[None]:
        """For as long as nobody looks at the values that are made."""
        owed, self.owed = self.owed, _nothing
        try:
            yield
        finally:
            self.owed = owed

    def fault(self, make: Callable[[], Exception]) -> Sym:
        """A value that nobody may ask for: looking at it raises what `make` makes."""
        return self.node(Raises(make))

    def failed(self, make: Callable[[], Exception]) -> Value:
        """Raises what `make` makes; when proving, wherever somebody gets as far as this."""
        if not self.proving:
            raise make()
        fault = self.fault(make)
        self._telling(fault)
        return fault

    def _telling(self, fault: Sym) -> None:
        if self.owed is not _nothing:
            self.reported.add(fault)
        self.owed(fault)

    # ---- everything else --------------------------------------------------------------------------------
    def lift(self, fn: Callable[..., Value], *args: Value) -> Value:
        """`fn` of the arguments, now if they are known, else as a node; moved into the arms of a known choice."""
        unknown = [a for a in args if type(a) is Sym]
        if not unknown:
            return self._called(fn, args) if self.proving else fn(*args)
        out = self._lifted(fn, args, unknown)
        if isinstance(fn, Fallible):
            self.owed(out)
        return out

    def _lifted(self, fn: Callable[..., Value], args: tuple[Value, ...], unknown: list[Sym]) -> Value:
        into_arms = len(unknown) == 1 and unknown[0].fn is IF and not isinstance(fn, Tabled)
        checks = isinstance(fn, Checks)  # what it gives back is as well known as what it is asked about
        if (into_arms or (checks and unknown[0] in self.domains)) and len(self.leaves(unknown[0])) <= MOST_LEAVES:

            def applied(leaf: Value) -> Value:
                if checks and is_fault(leaf):
                    return leaf
                given = tuple(leaf if a is unknown[0] else a for a in args)
                return self.node(fn, *given) if type(leaf) is Sym else self._called(fn, given, False)

            return self.over(unknown[0], applied)
        return self.node(fn, *args)

    def _called(self, fn: Callable[..., Value], args: tuple[Value, ...], is_asked: bool = True) -> Value:
        """What a function gives, or a fault that is raised where somebody looks at it: it may be of an arm that is
        never taken."""
        try:
            return fn(*args)
        except (Faulty, Looked) as error:
            caught = error
        if is_asked:
            return self.failed(lambda: caught)
        fault = self.fault(lambda: caught)
        if self.owed is not _nothing:
            self.reported.add(fault)  # as an arm of the whole value
        return fault

    def leaves(self, value: Value) -> tuple[Value, ...]:
        """What a value may be, if it is a choice between known values or has a domain; else itself.

        At most MOST_LEAVES + 1 are looked for.
        """
        if type(value) is not Sym:
            return (value,)
        found = self._leaves.get(value)
        if found is None:
            if value.fn is IF:
                both = dict.fromkeys((type(x), x) for arm in value.args[1:] for x in self.leaves(arm))
                found = tuple(x for _, x in both)[: MOST_LEAVES + 1]
            else:
                found = self.domains.get(value, (value,))
            self._leaves[value] = found
        return found

    def everyone(self, value: Value) -> tuple[Value, ...]:
        """All that somebody may be, however many they are. A fault among them is nobody who could be spoken of: it is
        told where it was made."""
        found: dict[Value, None] = {}
        todo, seen = [value], set[Sym]()
        while todo:
            one = todo.pop()
            if type(one) is Sym and one.fn is IF and one not in seen:
                seen.add(one)
                todo += one.args[:0:-1]
            elif type(one) is Sym and isinstance(one.fn, Checks):
                todo += one.args  # it gives back what it is asked about
            elif type(one) is not Sym or one.fn is not IF:
                found |= dict.fromkeys(leaf for leaf in self.leaves(one) if not is_fault(leaf))
        return tuple(found)

    def over(self, value: Value, fn: Callable[[Value], Value]) -> Value:
        """`fn` of a value, arm by arm where the value is a choice between known ones."""
        return self._over(value, fn, {}) if type(value) is Sym else fn(value)

    def _over(self, value: Value, fn: Callable[[Value], Value], done: dict[Value, Value]) -> Value:
        if type(value) is not Sym:
            return fn(value)
        if value in done:
            return done[value]
        if value.fn is IF:
            condition: Value = self.known.get(value.args[0], value.args[0])
            if type(condition) is not Sym:
                out = self._over(value.args[1] if condition else value.args[2], fn, done)
            else:
                out = self.if_(condition, self._over(value.args[1], fn, done), self._over(value.args[2], fn, done))
        elif value in self.domains:
            *others, last = self.domains[value]
            out = fn(last)
            for known in reversed(others):
                out = self.if_(self.node(same, value, known), fn(known), out)
        else:
            out = fn(value)
        done[value] = out
        return out

    def equal(self, a: Value, b: Value) -> Value:
        if a is b and type(a) is Sym:
            return True
        if type(b) is bool and type(a) is Sym and self.is_flag(a):
            return a if b else self.not_(a)
        if type(b) is not Sym and type(a) is Sym:
            leaves = self.leaves(a)
            if len(leaves) <= MOST_LEAVES and not any(type(x) is Sym or x == b for x in leaves):
                return False
            if a.fn is VARIABLE and len(leaves) == 2 and leaves[1] == b:  # what is not the one is the other
                return self.not_(self.node(same, a, leaves[0]))
        return self.lift(same, a, b)


_LOGIC = frozenset((AND, OR, NOT, *COMPARISONS))


def is_logic(node: Sym) -> bool:
    """Whether a node can only be yes or no."""
    return node.fn in _LOGIC


def is_fault(value: Value) -> bool:
    """Whether a value is one that nobody may ask for."""
    return type(value) is Sym and not value.args


def _nothing(value: Value) -> None:
    pass


def _too_entangled(most: int) -> Faulty:
    return Faulty.one(
        "budget-exceeded",
        f"more than {most:,} values hang on each other",
        None,
        help="ask for one close combat instead of --until resolved, or for a smaller fight; or play it with --seed",
    )


@dataclass(frozen=True, slots=True)
class Between:
    """A number from `low` to `high`, as far as these are known; whole or not, perhaps nobody's."""

    low: int | Fraction | None = None
    high: int | Fraction | None = None
    whole: bool = False
    nobody: bool = False


class Fallible:
    """A function that may fail: a designer's fault, to be told wherever somebody asks for what it gives."""

    __slots__ = ()


class Checks(Fallible):
    """One that gives back the value that it is asked about, or fails."""

    __slots__ = ()


class Finds(Fallible):
    """One that gives the number of one of its headings, from 0 on."""

    __slots__ = ()
    headings: Sized


class Tabled:
    """A function that is looked up for all its values at once: moved into the arms of each, it would be as many as all
    of them can be together."""

    __slots__ = ()


class Tells:
    """A function of nothing that is called only where a program really comes to it: it may change what is known."""

    __slots__ = ()


class Raises:
    """A function of nothing that always fails; `make` makes the fault."""

    __slots__ = ("make",)

    def __init__(self, make: Callable[[], Exception]) -> None:
        self.make = make

    def __call__(self) -> Value:
        raise self.make()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Raises) and self.make == other.make

    def __hash__(self) -> int:
        return hash(self.make)


class Fault:
    """A value that could not be worked out. It may be of a state that cannot happen: it is carried along in peace,
    and raises what happened as soon as anybody compares it, counts on it or asks for its truth."""

    __slots__ = ("error",)

    def __init__(self, error: Exception) -> None:
        self.error = error.error if isinstance(error, Looked) else error

    def _looked_at(self, *other: object) -> Value:
        raise Looked(self.error)

    __bool__ = __lt__ = __le__ = __gt__ = __ge__ = _looked_at
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _looked_at
    __floordiv__ = __neg__ = __index__ = __iter__ = __getitem__ = _looked_at
    __getattr__ = _looked_at
    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other or bool(self._looked_at())


class Looked(Exception):
    """Somebody looked at a Fault, or at what is missing: a value that nobody has set."""

    def __init__(self, error: Exception) -> None:
        super().__init__(str(error))
        self.error = error


class Missing(Exception):
    """A value was looked at that is nobody's, or has never been set. Where a designer's sentence asks for it, that is
    told as his fault with its place before; else the state cannot happen, and nobody looks at what came of it."""


def missing(error: Exception, *values: Value) -> Exception:
    """What to raise when a function of some values fails: a bug stays what it is."""
    return Looked(Missing("a value of nobody was counted on")) if any(value is None for value in values) else error
