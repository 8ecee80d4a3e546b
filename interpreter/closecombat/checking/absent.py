"""Rows that ask for somebody who may not be there: whoever is changed is nobody, or nobody is there to choose from.

A row that changes nobody does nothing, and says nothing of it; one that lets a player choose among nobody cannot be
answered. Whether it comes to that hangs on all that happens before, so no row is blamed by its own words alone: the
smallest situations in which it could be so are played, and a row is told of only if one of them comes to it. That
situation stands beside the finding. What only larger fights come to is not found.

Not even played is a row that asks for it itself, by a column, by a table, or by looking at `for:` him.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias

from closecombat.binding import trees as w
from closecombat.binding.bound import (
    BoundAct,
    BoundBecome,
    BoundChange,
    BoundChoose,
    BoundEffect,
    BoundMember,
    BoundSet,
    settled,
)
from closecombat.binding.charts import Bound
from closecombat.binding.terms import Env, Members, SetTerm, Term, World
from closecombat.checking.axes import Axes, Denied, Formula, Several, formula
from closecombat.checking.boxes import TooMuch
from closecombat.checking.small_fights import AT_RANDOM, MOST_BOXES, SEEDS, at_random, said_of, small_fight, stopped_by
from closecombat.checking.sound_before import once
from closecombat.checking.tables import asked_by, typed
from closecombat.checking.witness import situation_of
from closecombat.playing.effects import WithValue, is_always_somebodys
from closecombat.playing.fight import begin
from closecombat.proving.throws.dice import SeededDice, WildDice
from closecombat.proving.values.symbolic import Value
from closecombat.reading.types import ACounter, AThing, Number
from closecombat.text.faults import Faults, Faulty
from closecombat.text.slotted import dataclass
from closecombat.text.source import Span

Told: TypeAlias = Callable[[], None]  # of what may be absent, that it is


@dataclass(slots=True)
class _Suspect:
    """Something a row asks for that may be nobody: how it is called, who is asked for it, and what is wrong then."""

    act: BoundAct
    place: Span
    tree: w.Tree | w.SetTree
    said: str
    help: str
    is_met: bool = False

    def meet(self) -> None:
        self.is_met = True


def check_absent(bound: Bound, faults: Faults, rules: str = "") -> None:
    """Adds warnings of rows that change nobody, and of choices among nobody; `bound` must be without faults. `rules`
    stands for its texts, if nothing else makes it what it is (`sound_before`)."""
    suspects: list[_Suspect] = []
    sequences = {}
    for name in bound.ruleset.sequences:
        try:
            sequence = bound.sequence(name)
        except Faulty:  # said where it is bound
            return
        acts = []
        for act in sequence.acts:
            found = _suspects(bound, act)
            suspects += [one for one, _ in found]
            acts.append(_watching(act, found))
        sequences[name] = replace(sequence, acts=tuple(acts))
    if not suspects:
        return
    watched = bound.with_charts({}, {}, sequences)
    for at, one in enumerate(suspects):
        text = once(rules, ("may be nobody", str(at)), partial(_met_in, watched, one))
        if text:
            faults.add("may-be-nobody", one.said, one.place, severity="warning", help=one.help, example=text)


# ---- who may be nobody -----------------------------------------------------------------------------------


def _suspects(bound: Bound, act: BoundAct) -> list[tuple[_Suspect, int]]:
    """What a row asks for that may be nobody, and which of its effects does, or -1: its choice."""
    found: list[tuple[_Suspect, int]] = []
    for at, (effect, cell) in enumerate(zip(act.effects, act.act.effects, strict=True)):
        for term, stops in _asked_for(effect):
            if not _may_be_nobody(term.tree) or _is_seen_to(bound, act, term.tree):
                continue
            name = _name(term.tree)
            who = f"`{name}`" if name else "who is meant"
            does = "stops the fight" if stops else "does nothing, and nobody is told"
            said = f"{who} may be nobody here: then `{cell.text}` {does}"
            help = f"ask first: a column `{name}: not nobody`" if name else "ask first whether there is anybody"
            found.append((_Suspect(act, cell.place, term.tree, said, help), at))
    verb = act.verb
    if isinstance(verb, BoundChoose) and verb.among is not None and _must_be_somebody(verb):
        written = getattr(act.act.verb, "among", None)
        said = f"`{act.act.id}` asks whom to choose, and `among:` may leave nobody: then no answer is allowed"
        help = f"ask only `when: any ..`, or let `{verb.fact.name}` be `{verb.fact.type} or nobody`"
        place = written.place if written is not None else act.act.where.place
        found.append((_Suspect(act, place, verb.among.tree, said, help), -1))
    return found


def _must_be_somebody(verb: BoundChoose) -> bool:
    return isinstance(verb.fact.type, AThing) and not verb.fact.type.nobody


def _asked_for(effect: BoundEffect) -> Iterator[tuple[Term, bool]]:
    """Who is changed, and from whom it comes what is written of him; and whether nobody there stops the fight."""
    yield effect.owner, False
    match effect:
        case BoundBecome() | BoundMember():
            yield effect.value, isinstance(effect, BoundBecome)
        case BoundSet(_, fact, value) if isinstance(value.tree, w.OfFact | w.Extreme) and is_always_somebodys(fact):
            yield value, True
        case BoundSet(_, fact, value) | BoundChange(_, fact, value) if isinstance(value.tree, w.OfFact):
            if isinstance(fact.type, Number) and not fact.type.nobody:
                yield value, True


def _may_be_nobody(tree: w.Tree) -> bool:
    match tree:
        case w.OfFact(owner=owner, type=AThing() | ACounter(), always=always):
            return not always or _may_be_nobody(owner)
        case w.OfFact(owner=owner, type=type):
            return (isinstance(type, Number) and type.nobody) or _may_be_nobody(owner)
        case w.Extreme(who=True) | w.Asked() | w.Call():
            return True
    return False


def _name(tree: w.Tree) -> str:
    """How a row would ask for it."""
    match tree:
        case w.OfFact(owner=w.Name(name), fact=fact, at_start=False):
            return f"{fact} of {name}"
        case w.OfFact(owner=w.Only(), fact=fact, at_start=False):
            return fact
        case w.OfFact(owner=w.OfFact() as owner):
            return _name(owner)
        case w.Asked(name, (w.Name(whose),), column=False):
            return f"{name} of {whose}"
    return ""


# ---- rows that see to it -----------------------------------------------------------------------------------


def _is_seen_to(bound: Bound, act: BoundAct, tree: w.Tree) -> bool:
    """Whether a row itself asks for it, so that it never holds of nobody; a table that asks for it is taken to know."""
    if act.who is not None and act.who[0].tree == tree:
        return True
    facts = {one.fact for one in w.within(tree) if isinstance(one, w.OfFact)}
    if any(isinstance(one, w.Asked) and facts & bound.read_behind("chart", one.name) for one in w.within(_asks(act))):
        return True
    axes = Axes([_conditions(act), formula(w.IsSomebody(tree))], (), typed(bound))
    try:
        return not axes.boxes(Several((_conditions(act), Denied(formula(w.IsSomebody(tree)))), True))
    except TooMuch:
        return True


def _asks(act: BoundAct) -> tuple[Any, ...]:
    """All that a row asks before it does anything."""
    whom = () if act.each is None else (act.each.tree,)
    return (*whom, *(test.tree for test in (*act.first, *act.tests)))


def _conditions(act: BoundAct) -> Formula:
    """The same as a formula, as far as it is one."""
    parts = [asked_by(act)]
    of = act.each.tree if act.each is not None else None
    while isinstance(of, w.Where):
        parts.append(formula(of.fits))
        of = of.of
    return Several(tuple(parts), True)


# ---- what is played ------------------------------------------------------------------------------------------


def _watching(act: BoundAct, found: list[tuple[_Suspect, int]]) -> BoundAct:
    """A row that tells when somebody it asks for is nobody."""
    effects, verb = list(act.effects), act.verb
    for suspect, at in found:
        if at >= 0:
            effects[at] = _telling(effects[at], suspect)
        elif isinstance(verb, BoundChoose) and verb.among is not None:
            verb = replace(verb, among=replace(verb.among, run=partial(_nobody_left, verb.among, suspect.meet)))
    return replace(act, effects=tuple(effects), verb=verb) if found else act


def _telling(effect: BoundEffect, suspect: _Suspect) -> BoundEffect:
    if isinstance(effect, WithValue) and effect.value.tree == suspect.tree:
        return replace(effect, value=replace(effect.value, run=partial(_nobody_meant, effect.value, suspect.meet)))
    return replace(effect, owner=replace(effect.owner, run=partial(_nobody_meant, effect.owner, suspect.meet)))


def _nobody_meant(term: Term, meet: Told, world: World, env: Env) -> Value:
    value = term.run(world, env)
    if value is None:
        meet()
    return value


def _nobody_left(term: SetTerm, meet: Told, world: World, env: Env) -> Members:
    members = term.run(world, env)
    if all(there is False for _, there in members):
        meet()
    return members


def _met_in(bound: Bound, suspect: _Suspect) -> str:
    """The first of the smallest situations in which it comes to that; none if there is none."""
    for text in _situations(bound, suspect):
        fight = small_fight(bound, text)
        for seed in range(SEEDS):
            stopped_by(fight, seed)
            if suspect.is_met:
                return text
    return ""


def _situations(bound: Bound, suspect: _Suspect) -> Iterator[str]:
    """Situations that are as small as can be and in which the row may look at nobody, with answers that say so."""
    names = [one.name for one in w.within((suspect.tree, _asks(suspect.act))) if isinstance(one, w.Name)]
    kinds = {}
    for name in dict.fromkeys(names):
        type = suspect.act.scope.find(name)
        if isinstance(type, AThing):
            kinds[name] = type.kind
    ruleset = bound.ruleset
    for kind in dict.fromkeys(kinds.values()):
        if not ruleset.kinds[kind].one and list(kinds.values()).count(kind) < 2:
            kinds[f"another {kind}"] = kind  # so that there is one on either side
    asked = _conditions(suspect.act)
    axes = Axes([asked, *_emptied(suspect.tree)], tuple(kinds), typed(bound))
    try:
        boxes = axes.boxes(Several((asked, *_emptied(suspect.tree)), True))[:MOST_BOXES]
    except TooMuch:
        boxes = []
    points = [(axes, said_of(bound, axes, box)) for box in (*boxes, {})]
    points += [at_random(bound, kinds, asked, _emptied(suspect.tree), SeededDice(seed)) for seed in range(AT_RANDOM)]
    told = dict.fromkeys(situation_of(ruleset, kinds, axes, point) for axes, point in points)
    for text in told:
        if text:
            yield text
            yield from _with_answers(bound, suspect, text)


def _emptied(tree: w.Tree | w.SetTree) -> list[Formula]:
    """What must be so for nobody to be there."""
    if isinstance(tree, w.Where):
        return [Denied(formula(tree.fits))]
    return [] if isinstance(tree, w.SetTree) else [Denied(formula(w.IsSomebody(tree)))]


def _with_answers(bound: Bound, suspect: _Suspect, text: str) -> Iterator[str]:
    """The same where players choose nobody, at the rows that settle what is asked for."""
    facts = {one.fact for one in w.within(suspect.tree) if isinstance(one, w.OfFact)}
    state = begin(small_fight(bound, text), WildDice(0)).state
    lines = []
    for name in bound.ruleset.sequences:
        for act in bound.sequence(name).acts:
            fact = settled(act.verb)
            if not isinstance(act.verb, BoundChoose) or fact is None or fact.name not in facts:
                continue
            if isinstance(fact.type, AThing) and fact.type.nobody:
                asked = ", ".join(f"{one.name}: nobody" for one in state.by_kind.get(fact.kind, ()))
                lines.append(f"  {act.act.id}: {{{asked}}}\n")
    if lines:
        yield f"{text}choices:\n{''.join(dict.fromkeys(lines))}"
