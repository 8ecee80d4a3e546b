"""What a piece of a playing asks, one thing after the other, and what comes of it: a tree that is walked again.

A piece asks for slots of the state and for dice, and nothing else decides what it does; where it is told, also for
charts that have been read before it, since these are not told again. What it asks next hangs on
what it was told so far. So what it has come to stands in a tree: a node is a question, an edge an answer, a leaf what
came of it. Slots that are asked one after the other, whatever they hold, are one node, and are looked up at one stroke;
where a second way through asks less of them, or goes on otherwise, the node is split.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from closecombat.proving.dice import Answers
from closecombat.proving.symbolic import Value
from closecombat.reading.slots import Slot
from closecombat.reading.types import Face
from closecombat.text.slotted import dataclass

MISSING = object()  # what a slot holds that nobody has written
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Die:
    """One die is thrown."""

    faces: tuple[Face, ...]
    what: str

    def put_to(self, answers: Answers) -> Face:
        return answers.face(self.faces, self.what)


@dataclass(frozen=True, slots=True)
class Card:
    """One card is drawn."""

    cards: tuple[tuple[str, int], ...]
    what: str

    def put_to(self, answers: Answers) -> Face:
        return answers.card(self.cards, self.what)


class Read(NamedTuple):
    """A chart that may have been read for somebody since anything was written; the answer is what it said."""

    name: str
    args: tuple[Value, ...]
    sort: str = "read"


Question: TypeAlias = Die | Card
Asked: TypeAlias = tuple[Any, Value]  # a slot, a chart or a question, and what it held, or how it was answered
Path: TypeAlias = Sequence[Asked]


class Held(Protocol):
    """Slots, as far as a path asks for them."""

    def get(self, slot: Slot, default: Value, /) -> Value: ...


class Remembers(Protocol):
    """What charts have said and is not told again."""

    def said(self, read: Read) -> Value: ...


class Slots(Generic[T]):
    """Some slots, and where it goes on for what they hold: a tuple, or the one value of a single slot."""

    __slots__ = ("look_up", "next", "slots")

    def __init__(self, slots: tuple[Slot, ...]) -> None:
        self.slots, self.next = slots, dict[Value, "Node[T]"]()
        self.look_up: Callable[[Any], Value] = itemgetter(*slots)

    def held(self, state: Held) -> Value:
        """The same where one of them may be missing."""
        found = tuple([state.get(slot, MISSING) for slot in self.slots])
        return found if len(found) > 1 else found[0]

    def split(self, at: int) -> None:
        """The first of them stay, the others are asked after them."""
        first, rest, after = self.slots[:at], self.slots[at:], self.next
        self.__init__(first)  # type: ignore[misc]
        for values, node in after.items():
            begins, ends = _as_key(values[:at]), _as_key(values[at:])
            inner = self.next.setdefault(begins, Slots(rest))
            if isinstance(inner, Slots):
                inner.next[ends] = node


class Reads(Generic[T]):
    """A chart that may have been read before, and where it goes on for what it said, or if it was not."""

    __slots__ = ("next", "question")

    def __init__(self, question: Read) -> None:
        self.question, self.next = question, dict[Value, "Node[T]"]()


class Throws(Generic[T]):
    """A question, and where it goes on for each answer."""

    __slots__ = ("next", "question")

    def __init__(self, question: Question) -> None:
        self.question, self.next = question, dict[Value, "Node[T]"]()


class Leaf(Generic[T]):
    """What came of it."""

    __slots__ = ("came_to",)

    def __init__(self, came_to: T) -> None:
        self.came_to = came_to


Node: TypeAlias = Slots[T] | Reads[T] | Throws[T] | Leaf[T]
Step: TypeAlias = tuple[Slots[Any] | Reads[Any] | Throws[Any], Value]  # a node, and the answer to it


def asked(way: Iterable[Step]) -> Iterator[Asked]:
    """What was asked on a way, each by itself."""
    for node, answer in way:
        if not isinstance(node, Slots):
            yield node.question, answer
        elif len(node.slots) == 1:
            yield node.slots[0], answer
        else:
            yield from zip(node.slots, answer, strict=True)


def _as_key(values: tuple[Value, ...]) -> Value:
    return values if len(values) > 1 else values[0]


class Paths(Generic[T]):
    """All ways through a piece that have been gone so far."""

    __slots__ = ("found", "given_up", "missed", "root")

    def __init__(self) -> None:
        self.root: Node[T] | None = None
        self.found = self.missed = 0
        self.given_up = False  # it hardly ever comes to the same

    def give_up(self) -> None:
        self.given_up, self.root = True, None

    def gone(
        self,
        state: Mapping[Slot, Value],
        put: Callable[[Question], Face],
        way: list[Step] | None = None,
        known: Remembers | None = None,
    ) -> T | None:
        """What came of it the last time, if all is as it was then. Whoever answers has been asked by then in any case;
        the `way` that was gone is written down for whoever wants to know."""
        node: Any = self.root
        while node is not None:
            if type(node) is Slots:
                try:
                    answer = node.look_up(state)
                except KeyError:
                    answer = node.held(state)
            elif type(node) is Throws:
                answer = put(node.question)
            elif type(node) is Reads:
                answer = known.said(node.question) if known is not None else MISSING
            else:
                self.found += 1
                came_to: T = node.came_to
                return came_to
            if way is not None:
                way.append((node, answer))
            node = node.next.get(answer)
        self.missed += 1
        return None

    def keep(self, path: Path, came_to: T) -> int:
        """One way more, and how much of it was not there. Where a piece asks something else for the same answers, it is
        given up."""
        if self.root is None:
            self.root = _line(path, 0, came_to)
            return len(path)
        node, at = self.root, 0
        while True:
            if isinstance(node, Slots):
                known = node.slots
                same = 0
                while same < len(known) and at + same < len(path) and path[at + same][0] == known[same]:
                    same += 1
                if not same:
                    break
                if same < len(known):
                    node.split(same)
                answer = _as_key(tuple(value for _, value in path[at : at + same]))
            elif not isinstance(node, Leaf) and at < len(path) and path[at][0] == node.question:
                answer, same = path[at][1], 1
            else:
                break
            at += same
            further = node.next.get(answer)
            if further is None:
                node.next[answer] = _line(path, at, came_to)
                return len(path) - at
            node = further
        self.give_up()
        return 0


def _line(path: Path, begin: int, came_to: T) -> Node[T]:
    """A path by itself, from some place on."""
    node: Node[T] = Leaf(came_to)
    end = len(path)
    while end > begin:
        asked, answer = path[end - 1]
        before: Slots[T] | Reads[T] | Throws[T]
        if isinstance(asked, Die | Card):
            before, end = Throws(asked), end - 1
        elif isinstance(asked, Read):
            before, end = Reads(asked), end - 1
        else:
            first = end - 1
            while first > begin and not isinstance(path[first - 1][0], Die | Card | Read):
                first -= 1
            some = path[first:end]
            before, end = Slots(tuple(slot for slot, _ in some)), first
            answer = _as_key(tuple(value for _, value in some))
        before.next[answer] = node
        node = before
    return node
