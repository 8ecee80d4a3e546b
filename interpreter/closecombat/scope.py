"""Who may be meant by a bare name in a sentence, and which charts the sentences of a chart ask for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from closecombat.diagnostics import Faulty
from closecombat.source import Span
from closecombat.values import AThing, Type, Word

MOST_IN_A_CHAIN = 40


@dataclass(frozen=True, slots=True)
class Layer:
    """Names that mean somebody here; the facts of `speakers` need no `of`."""

    names: dict[str, Type]
    speakers: tuple[str, ...]
    again: str = ""  # the name of one who is looked at once more, and meant by this name outside as well


@dataclass(frozen=True, slots=True)
class Scope:
    """Innermost layer first."""

    layers: tuple[Layer, ...] = ()

    def inside(self, names: dict[str, Type], speakers: Iterable[str] | None = None, again: str = "") -> Scope:
        return Scope((Layer(names, tuple(names if speakers is None else speakers), again), *self.layers))

    def meanings(self, name: str) -> int:
        """How many go by this name: a member may be called like somebody outside of the brackets."""
        return sum(name in layer.names and name != layer.again for layer in self.layers)

    def is_subject(self, name: str) -> bool:
        """Whether somebody of the ruleset's own goes by this name; a situation's things only have names."""
        return any(name in layer.names and layer.speakers for layer in self.layers)

    def find(self, name: str) -> Type | None:
        return next((layer.names[name] for layer in self.layers if name in layer.names), None)


def fits(given: Type, wanted: Type) -> bool:
    """Whether somebody of one type can be the subject that a chart is about."""
    if isinstance(given, AThing) and isinstance(wanted, AThing):
        return given.kind == wanted.kind
    return isinstance(given, Word) and isinstance(wanted, Word) and set(given.words) <= set(wanted.words)


@dataclass(frozen=True, slots=True)
class Item:
    """Something with a name; the sort is chart, group, dice, deck, option, sequence, counter, obligation, fact."""

    sort: str
    name: str


@dataclass(slots=True)
class Uses:
    """What each item asks for, and where first; None stands for whatever is no item."""

    found: dict[Item | None, dict[Item, Span]] = field(default_factory=dict)
    _users: list[Item] = field(default_factory=list)
    _tried: list[int] = field(default_factory=list)  # how many users there were when something was only tried

    def note(self, sort: str, name: str, place: Span) -> None:
        if self._tried and self._tried[-1] == len(self._users):
            return
        user = self._users[-1] if self._users else None
        self.found.setdefault(user, {}).setdefault(Item(sort, name), place)

    @contextmanager
    def unnoted(self) -> Iterator[None]:
        """What is only tried inside is not asked for; what is bound on the way asks for what it asks."""
        self._tried.append(len(self._users))
        try:
            yield
        finally:
            self._tried.pop()

    @contextmanager
    def by(self, sort: str, name: str) -> Iterator[None]:
        """What is asked for inside is used by this item."""
        self._users.append(Item(sort, name))
        try:
            yield
        finally:
            self._users.pop()


def too_deep(name: str, place: Span) -> Faulty:
    """The fault that charts or groups ask each other in too long a chain."""
    message = f"`{name}` ends a chain of more than {MOST_IN_A_CHAIN} charts, each worked out from the next"
    return Faulty.one("too-deep", message, place, help="write the value of one of them into a `noted` fact")
