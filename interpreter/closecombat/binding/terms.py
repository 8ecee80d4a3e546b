"""What a sentence becomes once its names are looked up: a function of the run and of who each name means."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial
from typing import Protocol, TypeAlias

from closecombat.binding import trees
from closecombat.binding.trees import SetTree, Tree
from closecombat.proving.foreseeing.ranges import counted as somebodys
from closecombat.proving.foreseeing.ranges import range_of
from closecombat.proving.throws.dice import Thrown
from closecombat.proving.values.arithmetic import Counted
from closecombat.proving.values.symbolic import Sym, Value, Workshop, is_fault, missing, same
from closecombat.reading.types import Number, Roll, Thing, Type, Word
from closecombat.text.faults import Bug
from closecombat.text.slotted import dataclass

Env: TypeAlias = Mapping[str, Value]
Members: TypeAlias = list[tuple[Thing, Value]]  # who may be a member, and whether he is


class World(Protocol):
    """What a term may ask of a run."""

    shop: Workshop

    def aside(self) -> AbstractContextManager[None]: ...
    def fact(self, thing: Thing, name: str, word: str = "") -> Value: ...
    def fact_at_start(self, thing: Thing, name: str, word: str = "") -> Value: ...
    def in_play(self, thing: Thing) -> Value: ...
    def is_either_way(self, one: Thing, other: Thing) -> bool: ...
    def members(self, thing: Thing, name: str, at_start: bool) -> Members: ...
    def everyone(self, kind: str, at_start: bool) -> Members: ...
    def only(self, kind: str) -> Thing: ...
    def option(self, name: str) -> Value: ...
    def setting(self, number: int) -> Value: ...
    def table(self, name: str, args: tuple[Value, ...]) -> Value: ...
    def column(self, name: str, args: tuple[Value, ...]) -> Value: ...
    def at_moment(self, row: str, name: str, args: tuple[Value, ...]) -> Value: ...
    def group(self, name: str, args: tuple[Value, ...]) -> Members: ...


@dataclass(frozen=True, slots=True)
class Term:
    """`run(world, env)` gives the value; `type` is what it can be; `written` what it is where everything is known, if
    that has been said."""

    run: Callable[[World, Env], Value]
    type: Type
    written: Tree | None = None

    @property
    def tree(self) -> Tree:
        return self.written or trees.Call(self.run)


@dataclass(frozen=True, slots=True)
class SetTerm:
    """`run(world, env)` lists the possible members; `each` names one; `written` as of a term."""

    run: Callable[[World, Env], Members]
    each: str
    type: Type
    written: SetTree | None = None

    @property
    def tree(self) -> SetTree:
        return self.written or trees.CallSet(self.run, self.each)


def constant(value: Value, type: Type) -> Term:
    return Term(lambda world, env: value, type, trees.const(value))


def subject(name: str, type: Type) -> Term:
    """Whoever goes by a name here."""
    return Term(lambda world, env: env[name], type, trees.Name(name))


def over(
    world: World, value: Value, fn: Callable[[Value], Value], words: Sequence[str] = (), nothing: Value = None
) -> Value:
    """`fn` of somebody, or of a word (`words` are all that it may be); of nobody it is `nothing`."""
    if type(value) is not Sym:
        return nothing if value is None else fn(value)
    shop = world.shop

    def arm(known: Value) -> Value:
        if known is None:
            return nothing
        if is_fault(known):
            return known
        if type(known) is not Sym:
            return shop.given(shop.equal(value, known), partial(fn, known))
        found = range_of(shop, known)
        may_be = found if isinstance(found, tuple) else words or shop.everyone(known)
        out: Value = nothing
        for one in may_be:
            if type(one) is Sym:
                raise Bug("somebody is asked of whom nothing is known")
            if one is not None:
                is_so = shop.lift(same, known, one)
                out = shop.if_(is_so, shop.given(is_so, partial(fn, one)), out)
        return out

    return shop.over(value, arm)


def over_set(world: World, value: Value, fn: Callable[[Value], Members]) -> Members:
    """The members that somebody has, who may not be known yet."""
    if type(value) is not Sym:
        return [] if value is None else fn(value)
    shop, out = world.shop, dict[Thing, Value]()
    for who in shop.everyone(value):
        if who is None:
            continue
        meant = shop.equal(value, who)
        for member, guard in shop.given(meant, partial(fn, who)):
            out[member] = shop.or_(out.get(member, False), shop.and_(meant, guard))
    return [(member, guard) for member, guard in out.items() if guard is not False]


def spread(
    world: World, args: tuple[Value, ...], types: Sequence[Type], fn: Callable[[tuple[Value, ...]], Value]
) -> Value:
    """A table read for somebody who may not be known yet, or is nobody."""
    if not any(type(arg) is Sym or arg is None for arg in args):
        return fn(args)
    words = [type.words if isinstance(type, Word) else () for type in types]

    def with_first(done: tuple[Value, ...], left: tuple[Value, ...]) -> Value:
        if not left:
            return fn(done)
        return over(world, left[0], lambda known: with_first((*done, known), left[1:]), words[len(done)])

    return with_first((), args)


@dataclass(frozen=True, slots=True)
class Rank:
    """The place of a word in its list, for comparing."""

    words: tuple[str, ...]

    def __call__(self, word: str | None) -> int | None:
        return None if word is None else self.words.index(word)


@dataclass(frozen=True, slots=True)
class WordAt:
    """The word at a place of its list: what `Rank` undoes."""

    words: tuple[str, ...]

    def __call__(self, rank: int | None) -> str:
        if rank is None:
            raise missing(TypeError("no word"), rank)
        return self.words[rank]


def number(world: World, value: Value) -> Value:
    """A roll read as a number is the sum of its dice."""
    if isinstance(value, Thrown):
        return value.total()
    if type(value) is Sym:
        return world.shop.over(value, lambda v: v.total() if isinstance(v, Thrown) else v)
    return value


def as_number(term: Term) -> Tree:
    """What is read of a term as a number."""
    return trees.Total(term.tree) if isinstance(term.type, Roll) else term.tree


def added_up(term: Term) -> Term:
    """A roll as the sum of its dice."""
    run = term.run
    return Term(lambda world, env: number(world, run(world, env)), Number(), as_number(term))


def number_of(term: Term, counted: Counted) -> Callable[[World, Env], Value]:
    """A term read as a number that somebody has; that of nobody is a fault where it is counted on."""
    run = term.run
    return lambda world, env: somebodys(world.shop, number(world, run(world, env)), counted)


def counted_on(term: Term, counted: Counted) -> Term:
    """The same, as a term."""
    return Term(number_of(term, counted), term.type, trees.Counted(as_number(term)))


def listed(owner: Term, fact: str, at_start: bool, each: str, kind: Type) -> SetTerm:
    """The members of a set that somebody has."""
    return SetTerm(
        lambda world, env: over_set(world, owner.run(world, env), lambda who: world.members(who, fact, at_start)),
        each,
        kind,
        trees.MembersOf(owner.tree, fact, at_start, each),
    )
