"""The program that a run writes down where dice decide: its steps, its variables, and what may fail on the way.

A step stands in the branches that were open when it was written. A value that hangs on several throws gets a variable
of its own (`named`), so that the throws behind it can be forgotten. A value that may fail is looked at where somebody
asks for it (`looks_at`), unless it is certain there that it does not; inside a chart that is being read it is only
collected (`collects`), since whoever asks the chart again looks at it again.

Of a playing nothing is written: every value is known at once, and what fails fails.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

from closecombat.playing.notes import Noting
from closecombat.proving.foreseeing.ranges import is_excluded, is_excluded_with_patience, is_sure, range_of
from closecombat.proving.programs import program as p
from closecombat.proving.programs.writes import held
from closecombat.proving.throws.dice import Thrown
from closecombat.proving.values.arithmetic import is_whole
from closecombat.proving.values.symbolic import Sym, Value, Workshop, is_fault
from closecombat.reading.types import Thing
from closecombat.text.faults import Faulty

MOST_STEPS = 50_000
Looking: TypeAlias = tuple[tuple[Value, ...], Value]  # under what conditions which value is looked at


class Collecting:
    """For as long as a chart is being read: a playing that is told reads hundreds."""

    __slots__ = ("_draft", "_when")

    def __init__(self, draft: Draft) -> None:
        self._draft = draft

    def __enter__(self) -> dict[Looking, None]:
        draft = self._draft
        looked: dict[Looking, None] = {}
        self._when, draft.shop.when = draft.shop.when, []
        draft.collecting.append(looked)
        return looked

    def __exit__(self, *error: object) -> None:
        self._draft.shop.when = self._when
        self._draft.collecting.pop()


class Draft:
    """Steps so far, in the branches that we are inside of."""

    def __init__(self, shop: Workshop, most_steps: int = MOST_STEPS) -> None:
        self.shop = shop
        self.steps: list[p.Step] = []
        self.written = 0  # steps, in all branches
        self.most_steps = most_steps
        self._inside: tuple[Sym, ...] = ()  # what holds in the branches that we are inside of
        self._pending = False  # whether something may have failed before now: only the program tells what fails first
        self._known: dict[Any, Any] = {}  # expressions that have a variable here, and what has been looked at
        self.collecting: list[dict[Looking, None]] = []  # for each chart being read: what is looked at meanwhile
        self._sure: dict[Looking, bool] = {}
        shop.owed = self.is_owed

    def step(self, step: p.Step) -> None:
        self.written += 1
        if self.written > self.most_steps:
            raise Faulty.one(
                "budget-exceeded",
                f"more than {self.most_steps} steps are left to work out",
                None,
                help="declare fewer attacks, or bound the repetition more tightly",
            )
        if isinstance(step, p.Loop) and step.at_most is None:
            self._pending = True  # it may have no end
        self.steps.append(step)

    def named(self, value: Sym) -> Sym:
        """A variable that is this value from now on."""
        leaves = self.shop.leaves(value)
        known: Sym | None = self._known.get(value)
        if known is not None:
            return known
        if any(isinstance(leaf, Thrown) or is_fault(leaf) for leaf in leaves):
            return value
        simple = not any(type(leaf) is Sym for leaf in leaves)
        var = self.shop.variable(leaves if simple and any(isinstance(leaf, Thing | str) for leaf in leaves) else ())
        if is_whole(self.shop, value):
            self.shop.whole.add(var)
        self.shop.ranges[var] = range_of(self.shop, value)
        self.step(p.Let(var, value))
        self._known[value] = var
        return var

    def becomes(self, steps: list[p.Step]) -> None:
        """Takes over the program with what players answer in it."""
        self.steps = steps

    # ---- branches -----------------------------------------------------------------------------------------
    def is_excluded(self, condition: Sym) -> bool:
        """Whether nobody comes here with this condition."""
        return is_excluded(self.shop, (*self._inside, condition))

    def is_excluded_with_patience(self, condition: Sym) -> bool:
        """The same, also of long conditions: for what is seldom asked."""
        return is_excluded_with_patience(self.shop, (*self._inside, condition))

    @contextmanager
    def branch(self, condition: Sym) -> Iterator[None]:
        """What is written meanwhile happens where the condition holds."""
        steps, known, held_before, inside = self.steps, self._known, self.shop.known, self._inside
        inner: list[p.Step] = []
        self.steps, self._known, self._inside = inner, dict(known), (*inside, condition)
        self.shop.known = {**held_before, **held(condition)}
        try:
            yield
        finally:
            self.steps, self._known, self.shop.known, self._inside = steps, known, held_before, inside
        if inner:
            self.step(p.Branch(condition, inner))

    @contextmanager
    def apart(self) -> Iterator[list[p.Step]]:
        """What is written meanwhile stands by itself, for whoever makes something of it."""
        steps, known = self.steps, self._known
        inner: list[p.Step] = []
        self.steps, self._known = inner, dict(known)
        try:
            yield inner
        finally:
            self.steps, self._known = steps, known

    # ---- what must not fail -------------------------------------------------------------------------------
    def must_not(self, condition: Value, make: Callable[[], Exception]) -> None:
        """A fault where a condition holds and somebody gets as far as this: at once, if that is certain."""
        if condition is not False:
            self.shop.given(condition, lambda: self.shop.failed(make))

    def collects(self) -> Collecting:
        """What is looked at meanwhile is collected, whatever is given here, and nothing of it is written."""
        return Collecting(self)

    def is_owed(self, value: Value) -> None:
        self.looks_at(tuple(self.shop.when), value)

    def looks_at(self, when: tuple[Value, ...], value: Value) -> None:
        """Notes that a value that may fail is looked at here, unless it is certain that it does not."""
        if type(value) is not Sym:
            return
        known = self.shop.known
        when = tuple(dict.fromkeys(one for one in when if known.get(one) is not True))
        if any(known.get(one) is False for one in when):
            return
        if self.collecting:
            self.collecting[-1][when, value] = None
            return
        key = (frozenset(when), value)
        if key in self._known or (frozenset(), value) in self._known:
            return
        if not when and not self._inside and is_fault(value) and not self._pending:
            value.fn()  # and is not known by then: a function that tries beforehand may give up because of it
        self._known[key] = True
        if isinstance(value.fn, Noting):
            if is_excluded(self.shop, (*self._inside, *when)):
                return
        elif self._never_fails((*self._inside, *when), value):
            return
        self._pending |= not isinstance(value.fn, Noting)
        self.step(p.Must(when, value))

    def _never_fails(self, when: tuple[Value, ...], value: Sym) -> bool:
        key = when, value
        if key not in self._sure:
            self._sure[key] = is_sure(self.shop, value, when)
        return self._sure[key]
