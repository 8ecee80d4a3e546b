"""Where choices stand in a program, and the program with other steps in their place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from closecombat.proving.programs import program as p
from closecombat.proving.programs.choice import Choice
from closecombat.proving.programs.liveness import defined
from closecombat.proving.values.symbolic import Sym, Value
from closecombat.text.faults import Bug
from closecombat.text.slotted import dataclass


def met(steps: Iterable[p.Step], vars: Mapping[Sym, Choice]) -> Iterator[Sym]:
    """The choices in the order of the program, without those inside a loop."""
    for step in steps:
        if isinstance(step, p.Let) and step.var in vars:
            yield step.var
        elif isinstance(step, p.Branch):
            yield from met(step.steps, vars)
            yield from met(step.otherwise, vars)


@dataclass(frozen=True, slots=True)
class Place:
    """Where some choices stand: all that is set before them, what holds there, the steps from the first of them to the
    last, and those that are left then."""

    before: frozenset[Sym]
    conditions: tuple[Value, ...]
    between: list[p.Step]
    after: list[p.Step]


def place_of(steps: Sequence[p.Step], vars: set[Sym]) -> Place:
    """The place of some choices, in the innermost list of steps that holds all of them."""
    places = [i for i, step in enumerate(steps) if not vars.isdisjoint(set_in(step))]
    if not places:
        raise Bug("a choice stands nowhere")
    first, last = places[0], places[-1]
    one = steps[first]
    if first == last and isinstance(one, p.Branch):
        for inner, condition in ((one.steps, one.condition), (one.otherwise, Sym)):
            if vars <= {var for step in inner for var in set_in(step)}:
                found = place_of(inner, vars)
                holds = () if condition is Sym else (condition,)
                before = defined(steps[:first]) | found.before
                return Place(before, holds + found.conditions, found.between, [*found.after, *steps[first + 1 :]])
    return Place(defined(steps[:first]), (), list(steps[first : last + 1]), list(steps[last + 1 :]))


def set_in(step: p.Step) -> Iterator[Sym]:
    for one in p.every((step,)):
        if isinstance(one, p.Let):
            yield one.var


def with_others(steps: Iterable[p.Step], others: Mapping[Choice, Sequence[p.Step]]) -> list[p.Step]:
    """The program with other steps in the place of some choices."""
    if not others:
        return list(steps)
    return _replaced(steps, {one.var: new for one, new in others.items()}, {one.fall for one in others})


def _replaced(steps: Iterable[p.Step], others: Mapping[Sym, Sequence[p.Step]], falls: set[Sym]) -> list[p.Step]:
    out: list[p.Step] = []
    for step in steps:
        match step:
            case p.Throw(var) if var in falls:
                continue
            case p.Let(var) if var in others:
                out += others[var]
            case p.Branch(condition, inner, otherwise):
                out.append(p.Branch(condition, _replaced(inner, others, falls), _replaced(otherwise, others, falls)))
            case p.Loop():
                out.append(replace(step, steps=_replaced(step.steps, others, falls)))
            case _:
                out.append(step)
    return out


def put_before(steps: list[p.Step], vars: set[Sym], new: list[p.Step]) -> list[p.Step]:
    """Other steps before the first of some choices, where all of them stand."""
    places = [i for i, step in enumerate(steps) if not vars.isdisjoint(set_in(step))]
    first, one = places[0], steps[places[0]]
    if len(places) == 1 and isinstance(one, p.Branch):
        inner = p.Branch(one.condition, put_before(one.steps, vars, new), one.otherwise)
        if vars <= {var for step in one.steps for var in set_in(step)}:
            return [*steps[:first], inner, *steps[first + 1 :]]
    return [*steps[:first], *new, *steps[first:]]
