"""A repetition whose passes are not known yet: whatever it changes becomes a variable of the loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from closecombat import program as p
from closecombat.dice import Thrown
from closecombat.evaluator import Run
from closecombat.state import read_value
from closecombat.symbolic import Sym, Value
from closecombat.values import ACounter, AThing, Thing, Word


def repeat(run: Run, body: Callable[[], None], until: Callable[[], Value], at_most: int | None, place: Any) -> None:
    """A repetition that is not known yet: whatever the body changes becomes a variable of the loop."""
    shop = run.shop
    changed: dict[tuple[Any, ...], Sym] = {}
    while True:
        starts = {slot: run.slots[slot] for slot in changed}
        outer, run.steps = run.steps, []
        names, run.names = run.names, dict(run.names)
        journal: dict[tuple[Any, ...], Value] = {}
        run.journals.append(journal)
        for slot, var in changed.items():
            run.slots[slot] = var
            journal[slot] = starts[slot]
        run.changed()
        body()
        done = until()
        run.journals.pop()
        steps, run.steps, run.names = run.steps, outer, names
        nexts = {slot: run.slots[slot] for slot in journal}
        new = [slot for slot in journal if slot not in changed and not _throws(run, nexts[slot])]
        for slot, old in journal.items():
            run.slots[slot] = starts.get(slot, old)
        run.changed()
        if not new:
            break
        for slot in new:
            changed[slot] = shop.variable(_domain(run, slot))
    ends = tuple(shop.variable(_domain(run, slot)) for slot in changed)
    run.step(
        p.Loop(
            tuple(changed.values()),
            tuple(starts[s] for s in changed),
            steps,
            tuple(nexts[s] for s in changed),
            done,
            at_most,
            ends,
            place,
            tuple(changed),
        )
    )
    for slot, end in zip(changed, ends, strict=True):
        run.write(slot, end)


def _throws(run: Run, value: Value) -> bool:
    """Whether a value is a throw, or may be one: a pass forgets what the one before has thrown."""
    return any(isinstance(leaf, Thrown) for leaf in run.shop.leaves(value))


def _domain(run: Run, slot: tuple[Any, ...]) -> tuple[Value, ...]:
    """What a fact may be, where it is worth knowing: somebody, a word, or what is printed on a counter."""
    thing = slot[0]
    if slot[-1] == "in-play" or len(slot) == 3 or not isinstance(thing, Thing):
        return ()
    fact = run.ruleset.kinds[thing.kind].facts.get(slot[1])
    if slot[1] == "counter":
        return tuple(_counters(run, thing))
    if fact is None:
        return ()
    if fact.origin == "printed" and (thing in run.state.counters or thing in run.state.created):
        cells = [run.ruleset.counters[name][1] for name in _counters(run, thing)]
        printed = [
            read_value(fact.type, line[fact.name], run.ruleset, run.state) for line in cells if fact.name in line
        ]
        return tuple(dict.fromkeys(printed))
    if isinstance(fact.type, AThing):
        return (*run.state.by_kind.get(fact.type.kind, ()), None)
    return fact.type.words if isinstance(fact.type, Word) and fact.default != (None,) else ()


def _counters(run: Run, thing: Thing) -> dict[str, None]:
    """The counters that a thing may have become."""
    found: dict[str, None] = {}
    if thing in run.state.created:
        return {name: None for name, (kind, _) in run.ruleset.counters.items() if kind == thing.kind}
    todo = [run.state.counters[thing]]
    while todo:
        name = todo.pop()
        if name in found:
            continue
        found[name] = None
        kind, cells = run.ruleset.counters[name]
        for fact in run.ruleset.kinds[kind].facts.values():
            if isinstance(fact.type, ACounter) and fact.name in cells:
                value = read_value(fact.type, cells[fact.name], run.ruleset, run.state)
                if value is not None:
                    todo.append(value)
    return found
