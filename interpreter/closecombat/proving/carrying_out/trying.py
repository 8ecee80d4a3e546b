"""A program played once, with dice: what it comes to in one of the ways in which it can go.

Nothing is made ready for it, and nothing is worked out that nobody looks at: a throw falls, and a value is made, when
it is asked for. So a playing costs as much as what it looks at, far less than the same fight played anew, and less than
the plan of the program where a few playings say all. Nothing can be counted by it: dice lean, so that what fair dice
show once in a thousand playings is soon met.

It is played as it was written, before any pass. A repetition is gone through pass by pass, and where that is too often
the playing is broken off: what it has come to by then it has come to. One that throws dice without end is not played:
`Unplayed`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from closecombat.proving.carrying_out.operations import cards
from closecombat.proving.programs import program as p
from closecombat.proving.programs.liveness import defined
from closecombat.proving.throws.dice import Pool, WildFalls, lots, standing
from closecombat.proving.values.symbolic import AND, IF, NOT, OR, VARIABLE, Fault, Looked, Sym, Tells, Value
from closecombat.text.faults import Faulty

MOST_DICE = 200  # of one kind in one throw
MOST_PASSES = 40  # in one playing, of all repetitions together


class Unplayed(Exception):
    """A program cannot be played."""


class _Long(Exception):
    """A playing goes on for too long."""


def come_to(steps: Sequence[p.Step], dice: WildFalls) -> list[Tells]:
    """What is told where a program that only tells goes as these dice fall; raises Unplayed."""
    playing = _Playing(dice)
    try:
        playing.go(steps)
    except _Long:
        pass
    except (Faulty, Looked, RecursionError) as error:
        raise Unplayed from error
    return playing.told


class _Playing:
    """What is known of each variable: how to find out, or what it is."""

    def __init__(self, dice: WildFalls) -> None:
        self.dice = dice
        self.told: list[Tells] = []
        self.later: dict[Sym, Callable[[], Value]] = {}
        self.known: dict[Sym, Value] = {}
        self.passes = 0

    def go(self, steps: Iterable[p.Step]) -> None:
        for step in steps:
            match step:
                case p.Let(var, value):
                    self.later[var] = partial(self.made, value)
                case p.Throw(var, outcomes):
                    self.later[var] = partial(self.dice.one_of, outcomes)
                case p.PoolThrow(pool):
                    self.at_once(tuple(pool.views.values()), partial(self.pool, pool))
                case p.Lots(vars, candidates, ties_again):
                    self.at_once(vars, partial(self.lots, candidates, ties_again))
                case p.Draw(var, words, counts):
                    self.later[var] = partial(self.draw, words, counts)
                case p.Must(when, Sym(fn=Tells() as tells)):
                    if all(self.worth(one) for one in when):
                        self.told.append(tells)
                case p.Branch(condition, inner, otherwise):
                    self.go(inner if self.worth(condition) else otherwise)
                case p.Loop():
                    self.repeated(step)
                case _:
                    raise Unplayed

    def repeated(self, loop: p.Loop) -> None:
        """A repetition: what hangs on a pass is another in the next."""
        anew = frozenset((*loop.vars, *defined(loop.steps)))
        values, passes = [self.made(one) for one in loop.starts], 0
        while True:
            if self.passes >= MOST_PASSES:
                raise _Long
            for node in [node for node in self.known if not node.vars.isdisjoint(anew)]:
                del self.known[node]
            for var in anew:
                self.later.pop(var, None)
            self.known.update(zip(loop.vars, values, strict=True))
            self.go(loop.steps)
            values, passes = [self.made(one) for one in loop.nexts], passes + 1
            self.passes += 1
            if passes == loop.at_most or self.worth(loop.until):
                break
        self.known.update(zip(loop.ends, values, strict=False))

    def at_once(self, vars: tuple[Sym, ...], fall: Callable[[], Sequence[Value]]) -> None:
        """Variables that are known together, once one of them is asked for."""

        def one(wanted: Sym) -> Value:
            self.known.update(zip(vars, fall(), strict=True))
            return self.known[wanted]

        for var in vars:
            self.later[var] = partial(one, var)

    def pool(self, pool: Pool) -> Sequence[Value]:
        faces = []
        for part in pool.parts:
            number = self.worth(part.number)
            if part.endless or type(number) is not int or not 0 <= number <= MOST_DICE:
                raise Unplayed
            faces.append(standing([self.dice.one_of(part.ways) for _ in range(number)], part.keep))
        return [view(tuple(faces)) for view in pool.views]

    def lots(self, candidates: Sequence[Value], ties_again: bool) -> Sequence[Value]:
        return self.dice.one_of(lots([self.worth(one) for one in candidates], ties_again)[0])

    def draw(self, words: tuple[str, ...], counts: Sequence[Value]) -> Value:
        ways, _ = cards(words, tuple([self.worth(one) for one in counts]))
        return self.dice.one_of(ways)[0]

    def made(self, value: Value) -> Value:
        """What a variable is set to: what fails matters only to whoever looks at it."""
        try:
            return self.worth(value)
        except (Faulty, Looked) as error:
            return Fault(error)

    def worth(self, value: Value) -> Value:
        """What a value is; one that has never been set is None."""
        if type(value) is not Sym:
            return value
        if value not in self.known:
            fn, args = value.fn, value.args
            if value in self.later:
                found = self.later[value]()
            elif fn is VARIABLE:
                found = None
            elif fn is IF:
                found = self.worth(args[1] if self.worth(args[0]) else args[2])
            elif fn is AND:
                found = self.worth(args[0]) and self.worth(args[1])
            elif fn is OR:
                found = self.worth(args[0]) or self.worth(args[1])
            elif fn is NOT:
                found = not self.worth(args[0])
            else:
                found = fn(*[self.worth(one) for one in args])
            self.known[value] = found
        return self.known[value]
