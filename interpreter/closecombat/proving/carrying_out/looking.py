"""What a pass of a fight to the end looks at, by the state that it begins in.

**The problem.** The strength of an attack is written down when it is made, and read a moment later. That it is read
only where it was written is plain to a reader of the rules, but hardly to a proof: he who attacks is in an attack, and
where anybody is in an attack it is written down for each who is. So what was written rounds ago seems to be read.

**The idea.** From a state that is known most conditions are certain. A pass is gone through from what is wanted of it
back to what that is made of; of a choice whose condition the state decides only the arm that is taken is looked at.
What is come to is all that the pass can read of that state, however the dice fall (`_OnceThrough`). States of which it
reads the same, and finds the same there, go on alike (`Looking`). And what no pass has read of any state that is come
to, and nobody asks of the end, tells no states apart: of those that differ by nothing else the first stands for all
(`Living`). It is a state that can happen, so nothing has to be made up for what is left out. If a pass then reads what
no pass has read so far, all states are come to again. In the last going through nothing new is read: so whatever
differs between two states that were taken for one is read by no pass that either leads to.

What is read first says what is read next. So the ways in which a pass has read are a tree (`_Tree`): a state that is
like another in all that was read of that one is not gone through again.

**Of whoever has left** nothing is read that makes no difference (`Gone`), though the pass would work it out.

**Which pass it is** has been decided by the state, too, and what was read for that counts as well.

*An example.* A man with 3 steps writes down each throw, and adds it to the next `if steps is 0 and steps is at least
1`. No pass goes into that arm from 3 steps, nor from 2 or 1: what he wrote down is read by none, and there are three
states.

**Elsewhere.** What may be read from some state, as far as it is plain from a pass alone, is `counting`: nothing else is
worked out at all.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import field
from functools import partial
from typing import TypeAlias

from closecombat.proving.carrying_out.counting import Body, Counting
from closecombat.proving.carrying_out.plan import Remembered
from closecombat.proving.programs import program as p
from closecombat.proving.programs.liveness import defined, vars_of
from closecombat.proving.programs.program import Forgotten
from closecombat.proving.tables.weights import Layout, Row
from closecombat.proving.values.closures import Place, worked_out
from closecombat.proving.values.symbolic import AND, ASKED, IF, OR, Looked, Sym, Value
from closecombat.reading.types import Thing
from closecombat.text.faults import Faulty
from closecombat.text.slotted import dataclass

Inside: TypeAlias = tuple[tuple[Value, bool], ...]  # conditions, and whether they must hold
Reads: TypeAlias = tuple[frozenset[int], frozenset[int]]  # places, by the pass, and to find out that it is this pass
Order: TypeAlias = Callable[[Row], Row]

AT_ONCE = 200  # states that are come to again as soon as more is read of one of them
UNLIKE = 100  # states no two of which were found alike, before no more are looked at


@dataclass(frozen=True, slots=True)
class Gone:
    """What of the values of a repetition counts no more where a flag is no, and stays so, if nobody is named in some
    places (`forgetting`): all by their places among these values, the flag with them."""

    flag: int
    nowhere: tuple[tuple[int, Thing], ...]
    counts_not: frozenset[int]


def gone(forgets: Iterable[Forgotten], ends: Sequence[Sym]) -> list[Gone]:
    """The marks of a repetition as they are looked at, but for what is still asked behind it."""
    at = {end: i for i, end in enumerate(ends)}
    return [
        Gone(
            at[one.flag],
            tuple([(at[end], thing) for end, thing in one.nowhere]),
            frozenset([at[one.flag], *(at[end] for end in one.ends if end in at and end not in vars_of(one.asked))]),
        )
        for one in forgets
        if one.flag is not None and one.flag in at and all(end in at for end, _ in one.nowhere)
    ]


class ReadsMore(Exception):
    """A pass reads what no pass has read so far, and few states have been come to."""


@dataclass(slots=True)
class _Tree:
    """What is read next, and what follows by what is found there; at the end all that has been read by the pass, and
    to find out that it is this pass."""

    place: int = -1
    follows: dict[tuple[type, Value], _Tree] = field(default_factory=dict)
    read: Reads = frozenset(), frozenset()


@dataclass(slots=True, eq=False)
class Living:
    """The places of what is read of any state that has been come to, or asked of the end; of states in which the same
    stands there the first is taken for all."""

    counting: Counting
    places: set[int]
    in_order: Order
    idle: frozenset[int] = frozenset()  # what counts by the pass alone, but makes no difference (`forgetting`)
    first: dict[Row, Row] = field(default_factory=dict)
    known: dict[Row, Row] = field(default_factory=dict)
    passes: list[Looking] = field(default_factory=list)
    more: set[int] = field(default_factory=set)  # what has been read besides
    seen: int = 0  # states that were looked at, and how many of them were like another
    alike: int = 0

    def state(self, row: Row) -> Row:
        found = self.known.get(row)
        if found is None:
            places = self.places
            key = self.in_order(tuple([value if i in places else None for i, value in enumerate(row)]))
            found = self.known[row] = self.first.setdefault(key, row)
        return found

    def are_read(self, places: set[int]) -> None:
        self.seen += 1
        self.more |= places - self.places
        if self.more and self.seen <= AT_ONCE:
            raise ReadsMore

    def are_all_unlike(self) -> bool:
        """Whether it is no use to look at one more: nothing that is read can be new, and none is found like another."""
        return self.seen >= UNLIKE and not self.alike and self.places >= self.counting.counts - self.idle

    def has_grown(self) -> bool:
        """Whether more has been read; if so, all states are to be come to again."""
        if not self.more:
            return False
        self.places |= self.more
        self._forget()
        for one in self.passes:
            one.begin_again(self.places)
        return True

    def begin_again(self) -> None:
        """What counts of states is another than before: none of them is known, and no pass is."""
        self._forget()
        self.passes.clear()

    def _forget(self) -> None:
        self.more.clear()
        self.first.clear()
        self.known.clear()
        self.seen = self.alike = 0


class Looking:
    """What a pass reads of states; those of which it reads the same go on as the first of them does."""

    def __init__(self, living: Living, going: Going) -> None:
        self.living, self.width, self.going = living, going.width, going
        self.begin_again(living.places)
        living.passes.append(self)

    def begin_again(self, places: set[int]) -> None:
        self.going.wants(places)
        self.tree, self.first = _Tree(), dict[Row, int]()

    def like(self, row: Row, number: int) -> int:
        """The number of the first state of which the same is read."""
        living, width = self.living, self.width
        if living.are_all_unlike():
            return number
        read, asked = self.reads(row)
        living.are_read({place - width for place in (*read, *asked) if place >= width})
        less = tuple([value if i in read else None for i, value in enumerate(row[width:], width)])
        found = self.first.setdefault(row[:width] + living.in_order(less), number)
        living.alike += found != number
        return found

    def reads(self, row: Row) -> Reads:
        here = self.tree
        while here.place >= 0:
            found = row[here.place]
            after = here.follows.get((type(found), found))
            if after is None:
                break
            here = after
        else:
            if here is not self.tree:
                return here.read
        read, asked = self.going.through(row)
        here = self.tree
        for place in (*read, *asked):
            here.place = place
            found = row[place]
            here = here.follows.setdefault((type(found), found), _Tree())
        here.read = frozenset(read), frozenset(asked)
        return here.read


class Going:
    """The steps of a pass by what they set, and all that is wanted of it. Of a state so many places come before those
    of the repetition, and of what has `views` only the answers stand in it; what is `decided` of it is why it is this
    pass, and whoever `goes` counts no more."""

    def __init__(
        self,
        state: Layout,
        width: int,
        views: Container[Sym],
        body: Body,
        decided: Sequence[Sym],
        goes: Sequence[Gone] = (),
    ) -> None:
        self.decided, self.width, self.goes = decided, width, goes
        steps, self.nexts, self.until = body
        self.places = {var: i for i, var in enumerate(state) if var not in views}
        self.sets: dict[Sym, list[tuple[Inside, tuple[Value, ...]]]] = {}
        self.known = set(self.places)  # what is known where the state is
        self.lets: dict[Sym, Value] = {}
        self.looks: dict[Inside, list[Value]] = {}  # where something may fail, by the conditions
        self._note(steps, ())
        self.wanted: Sequence[tuple[int, Value]] = ()
        self.gone: Sequence[Gone] = ()
        self.at: dict[Sym, Place] = {**self.places, **{var: partial(_OnceThrough.let, var=var) for var in self.lets}}
        self.is_known = Remembered(lambda node: node.vars <= self.known)

    def wants(self, places: set[int]) -> None:
        """Of the new values only these count."""
        self.wanted = [(i, self.nexts[i]) for i in sorted(places)]
        self.gone = [one for one in self.goes if not places.isdisjoint(one.counts_not)]

    def _note(self, steps: Sequence[p.Step], inside: Inside) -> None:
        for step in steps:
            match step:
                case p.Let(var, value):
                    if not inside and vars_of((value,)) <= self.known:
                        self.known.add(var)
                        self.lets[var] = value
                    else:
                        self.sets.setdefault(var, []).append((inside, (value,)))
                case p.Must(when, value):
                    self._looks((*inside, *((one, True) for one in when)), (value,))
                case p.Branch(condition, inner, otherwise):
                    self._note(inner, (*inside, (condition, True)))
                    self._note(otherwise, (*inside, (condition, False)))
                case _:
                    read = tuple(_all_read(step))
                    for var in defined((step,)):
                        self.sets.setdefault(var, []).append((inside, read))
                    if isinstance(step, p.Loop):
                        self._looks(inside, read)

    def _looks(self, inside: Inside, values: Sequence[Value]) -> None:
        self.looks.setdefault(inside, []).extend(values)

    def through(self, row: Row) -> tuple[list[int], list[int]]:
        """The places of a state that are read by the pass, in their order, and those besides that are read to find out
        that it is this pass."""
        going = _OnceThrough(self, row)
        counts_not: frozenset[int] = frozenset()
        for one in self.gone:
            if going[self.width + one.flag] is False and all(
                going[self.width + i] != thing for i, thing in one.nowhere
            ):
                counts_not |= one.counts_not
        going.look_at([*(value for i, value in self.wanted if i not in counts_not), self.until])
        going.look_where_it_may_fail()
        read = [*going.read]
        going.look_at(self.decided)
        return read, [*going.read][len(read) :]


def _all_read(step: p.Step) -> Iterator[Value]:
    for one in p.every((step,)):
        yield from p.values(one)


class _OnceThrough:
    """Goes through a pass from one state, whose places are read of it."""

    def __init__(self, going: Going, row: Row) -> None:
        self.going, self.row = going, row
        self.read: dict[int, None] = {}
        self.found: dict[Sym, Value] = {}
        self.seen: set[Sym] = set()

    def __getitem__(self, place: int) -> Value:
        self.read[place] = None
        return self.row[place]

    def let(self, var: Sym) -> Value:
        if var not in self.found:
            self.found[var] = worked_out(self.going.lets[var], self.found, self.going.at, self)
        return self.found[var]

    def look_where_it_may_fail(self) -> None:
        for inside, values in self.going.looks.items():
            if self._may_come_to(inside):
                self.look_at(values)

    def _answer(self, condition: Sym) -> Value:
        """What is so in the state; none where it fails."""
        try:
            return bool(worked_out(condition, self.found, self.going.at, self))
        except (Faulty, Looked):
            return None

    def _may_come_to(self, inside: Inside) -> bool:
        """Whether all of some conditions may be as they are wanted, one after the other; those come to are read."""
        for condition, wanted in inside:
            if type(condition) is not Sym:
                if bool(condition) is not wanted:
                    return False
            elif condition.vars and self.going.is_known[condition]:
                if self._answer(condition) is (not wanted):
                    return False
            else:
                self.look_at([condition])
        return True

    def look_at(self, values: Sequence[Value]) -> None:
        todo = [*values]
        while todo:
            node = todo.pop()
            if type(node) is not Sym or not node.vars or node in self.seen:
                continue
            self.seen.add(node)
            if self.going.is_known[node]:
                self._answer(node)
            elif node in self.going.sets:
                for inside, values in self.going.sets[node]:
                    if self._may_come_to(inside):
                        todo += values
            elif node.fn in (IF, AND, OR, ASKED) and type(node.args[0]) is Sym and self.going.is_known[node.args[0]]:
                todo += self._arms(node, self._answer(node.args[0]))
            elif node.fn is IF and self._is_either_way(*node.args[1:]):
                continue
            else:
                todo += node.args

    def _is_either_way(self, first: Value, second: Value) -> bool:
        """Whether one arm of a choice is certain, and the other is that in the state: nobody asks which it is."""
        certain, var = (second, first) if type(first) is Sym else (first, second)
        if type(certain) is Sym or type(var) is not Sym or var not in self.going.places:
            return False
        value = self[self.going.places[var]]
        return type(value) is type(certain) and bool(value == certain)

    def _arms(self, node: Sym, is_so: Value) -> Sequence[Value]:
        """What is still looked at of a choice, or of an `and`, of which the first part is known."""
        if is_so is None:
            return ()
        if node.fn is IF:
            return (node.args[1 if is_so else 2],)
        return () if is_so is (node.fn is OR) else (node.args[1],)
