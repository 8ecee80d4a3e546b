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
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from closecombat.proving.throws.dice import Answers
from closecombat.proving.values.symbolic import Value
from closecombat.reading.slots import Slot
from closecombat.reading.types import Face
from closecombat.text.slotted import NamedTuple, dataclass

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
    """Some slots, and where it goes on for what they hold. What was written when they were asked first is looked up at
    one stroke, and what nobody had written (`maybe`) one by one."""

    __slots__ = ("look_up", "maybe", "next", "slots")

    def __init__(self, slots: tuple[Slot, ...], values: Sequence[Value]) -> None:
        self.slots, self.next = slots, dict[Value, "Node[T]"]()
        self.maybe = tuple([at for at, value in enumerate(values) if value is MISSING])
        there = [slot for slot, value in zip(slots, values, strict=True) if value is not MISSING]
        self.look_up: Callable[[Any], Value] = itemgetter(*there) if there else _nothing

    def held(self, state: Held) -> Value:
        """What they hold, as a key."""
        try:
            there = self.look_up(state)
        except KeyError:
            return self.key([state.get(slot, MISSING) for slot in self.slots])
        return (there, tuple([state.get(self.slots[at], MISSING) for at in self.maybe])) if self.maybe else there

    def key(self, values: Sequence[Value]) -> Value:
        """The same, of what each of them holds."""
        if not self.maybe:
            return _as_key(tuple(values))
        there = tuple([value for at, value in enumerate(values) if at not in self.maybe])
        return _as_key(there) if there else (), tuple([values[at] for at in self.maybe])

    def values(self, key: Value) -> Sequence[Value]:
        """What each of them holds."""
        number = len(self.slots) - len(self.maybe)
        there = key[0] if self.maybe else key
        out = list(there if number != 1 else (there,))
        for at, value in zip(self.maybe, key[1], strict=True) if self.maybe else ():
            out.insert(at, value)
        return out

    def split(self, at: int) -> None:
        """The first of them stay, the others are asked after them."""
        first, rest = self.slots[:at], self.slots[at:]
        after = [(self.values(key), node) for key, node in self.next.items()]
        self.__init__(first, after[0][0][:at])  # type: ignore[misc]
        for values, node in after:
            inner = self.next.setdefault(self.key(values[:at]), Slots(rest, values[at:]))
            if isinstance(inner, Slots):
                inner.next[inner.key(values[at:])] = node


def _nothing(state: Held) -> Value:
    return ()


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
        else:
            yield from zip(node.slots, node.values(answer), strict=True)


def _as_key(values: tuple[Value, ...]) -> Value:
    return values if len(values) > 1 else values[0]


class Paths(Generic[T]):
    """All ways through a piece that have been gone so far."""

    __slots__ = ("_left_alone", "found", "given_up", "missed", "rested", "root")

    def __init__(self) -> None:
        self.root: Node[T] | None = None
        self.found = self.missed = 0
        self.given_up = False  # it hardly ever comes to the same
        self.rested = 0  # how often it has been, and was begun again
        self._left_alone: int | None = 0  # how often it was not asked since; None if no tree can hold it

    def give_up(self) -> None:
        self.given_up, self.root = True, None

    def tries_again(self, rest: int, times: int) -> bool:
        """Whether it is begun again, so many `times` in all, since it has been left alone so often."""
        if self._left_alone is None or self.rested + 1 == times:
            return False
        self._left_alone += 1
        if self._left_alone < rest:
            return False
        self.rested, self._left_alone, self.given_up, self.found, self.missed = self.rested + 1, 0, False, 0, 0
        return True

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
        questions, answers = [one[0] for one in path], [one[1] for one in path]
        if self.root is None:
            self.root = _line(questions, answers, 0, came_to)
            return len(path)
        node, at = self.root, 0
        while True:
            if isinstance(node, Slots):
                same = _common(node.slots, questions, at)
                if not same:
                    break
                if same < len(node.slots):
                    node.split(same)
                answer = node.key(answers[at : at + same])
            elif not isinstance(node, Leaf) and at < len(path) and questions[at] == node.question:
                answer, same = answers[at], 1
            else:
                break
            at += same
            further = node.next.get(answer)
            if further is None:
                node.next[answer] = _line(questions, answers, at, came_to)
                return len(path) - at
            node = further
        self.give_up()
        self._left_alone = None
        return 0


def _common(slots: tuple[Slot, ...], questions: Sequence[Any], at: int) -> int:
    """How many of the slots are asked from some place on."""
    asked = tuple(questions[at : at + len(slots)])
    if asked == slots:
        return len(slots)
    return next((i for i, (mine, other) in enumerate(zip(slots, asked, strict=False)) if mine != other), len(asked))


def _line(questions: Sequence[Any], answers: Sequence[Value], begin: int, came_to: T) -> Node[T]:
    """A path by itself, from some place on."""
    node: Node[T] = Leaf(came_to)
    end = len(questions)
    while end > begin:
        asked, answer = questions[end - 1], answers[end - 1]
        before: Slots[T] | Reads[T] | Throws[T]
        if type(asked) is Die or type(asked) is Card:
            before, end = Throws(asked), end - 1
        elif type(asked) is Read:
            before, end = Reads(asked), end - 1
        else:
            first = end - 1
            while first > begin and type(questions[first - 1]) not in NO_SLOTS:
                first -= 1
            before = Slots(tuple(questions[first:end]), answers[first:end])
            answer, end = before.key(answers[first:end]), first
        before.next[answer] = node
        node = before
    return node


NO_SLOTS = (Die, Card, Read)
