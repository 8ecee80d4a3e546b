"""Rows that ask for what cannot be: two that say opposite things at once, and a choice that every answer breaks. And
rows that do not do what they say: they make of a fact what it is already by their own tests, or take what may be less
than nothing.

They are told only where they are sure: the row looks at members of a plain set (`each: unit of side where (..)`) or at
one thing, what is asked hangs on facts of that one alone, and any such facts a situation may have (`checking/axes`).
What is done by way of a group, a table or somebody else is not told: there the rest of the rules may see to it that it
never comes to that. Where they may see to it by a row that stands before, small fights are played: if one of them comes
to it, it stands beside the finding; if none does, that is said.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import chain, combinations
from typing import TypeAlias

from closecombat.binding import trees as w
from closecombat.binding.bound import (
    BoundAct,
    BoundBecome,
    BoundChange,
    BoundChoose,
    BoundEffect,
    BoundFlag,
    BoundRoll,
    BoundSet,
    BoundSingleOut,
    changed,
)
from closecombat.binding.charts import Bound
from closecombat.binding.terms import Env, Term, World
from closecombat.checking.axes import MOST_BOXES, Axes, Formula, Several, formula, replaced, uncounted
from closecombat.checking.boxes import Box, TooMuch, classes, meet
from closecombat.checking.reach import Reach
from closecombat.checking.small_fights import AT_RANDOM, Asking, at_random, small_fight, stopped_by
from closecombat.checking.sound_before import once
from closecombat.checking.tables import asked_by, in_words, typed
from closecombat.checking.witness import situation_of
from closecombat.proving.throws.dice import SeededDice
from closecombat.proving.values.symbolic import Value
from closecombat.reading import model as m
from closecombat.reading.types import AThing, Flag, Number, shown
from closecombat.text.faults import Diagnostic, Faults, Faulty
from closecombat.text.source import Span

SEEDS_OF_ONE = 6  # playings of a situation that is said to come to it
NOT_MET = "; no small fight that was played came to it"

Fact: TypeAlias = tuple[w.Tree, str]  # whose it is, and its name
Whom: TypeAlias = tuple[Formula, tuple[str, ...], w.Tree | w.SetTree | None]


def check_clashes(bound: Bound, faults: Faults, rules: str = "") -> None:
    """Adds warnings of rows that clash, of choices without a legal answer, and of effects that never change anything
    or add what they should take; `bound` must be without faults. `rules` stands for its texts, if nothing else makes it
    what it is (`sound_before`)."""
    reach = Reach(bound)
    for name in bound.ruleset.sequences:
        try:
            sequence = bound.sequence(name)
        except Faulty:  # said where it is bound
            continue
        if sequence.sequence.order == "at-once":
            for one, other in combinations(sequence.acts, 2):
                _check_pair(bound, name, one, other, faults, rules)
        for act in sequence.acts:
            _check_taken(bound, reach, act, faults)
            if sequence.sequence.order != "at-once":
                _check_changes(bound, act, faults)
            if isinstance(act.verb, BoundChoose) and act.verb.legal:
                _check_answers(bound, act, act.verb, faults, rules)
            if isinstance(act.verb, BoundSingleOut) and act.times is not None:
                _check_lots(act, act.verb, faults)


def _check_lots(act: BoundAct, verb: BoundSingleOut, faults: Faults) -> None:
    """Warns of lots that are drawn several times of the same: only the last count."""
    tree, name = verb.among.tree, verb.fact.name
    if any(isinstance(part, w.MembersOf) and part.fact == name for part in w.within(tree)):
        return
    if any(isinstance(part, w.Call | w.CallSet) for part in w.within(tree)):
        return  # what is not written as a sentence may ask it
    faults.add(
        "unused",
        f"`{act.act.id}` draws lots several times, and nobody but whom the last draw is in `{name}` then",
        act.act.where.place,
        severity="warning",
        help=f"draw of those who are left: `from: .. where (not (unit is in {name} of side))`",
    )


def _whom(act: BoundAct) -> Whom | None:
    """What must be so for a row to look at somebody, his names there, and among whom he is looked for."""
    if act.order:
        return None
    if act.each is not None:
        conditions: list[Formula] = []
        of = act.each.tree
        while isinstance(of, w.Where):
            conditions.append(formula(of.fits))
            of = of.of
        if not isinstance(of, w.MembersOf | w.Everyone):
            return None
        return Several((*conditions, asked_by(act)), True), (act.each.each,), of
    if act.who is not None:
        return asked_by(act), act.who[1], act.who[0].tree
    return asked_by(act), (), None


def _kinds(act: BoundAct, names: Sequence[str]) -> dict[str, str]:
    return {name: type.kind for name in names[:1] if isinstance(type := act.scope.find(name), AThing)}


# ---- two rows at once --------------------------------------------------------------------------------------


def _check_pair(bound: Bound, sequence: str, one: BoundAct, other: BoundAct, faults: Faults, rules: str) -> None:
    """Warns of two rows of an `at-once` sequence that make the same fact of the same one two different things, or
    throw the same dice."""
    here, there = _whom(one), _whom(other)
    if here is None or there is None or here[1:] != there[1:]:
        return
    fact, values, asked_too = _difference(one, other)
    if fact is None:
        return
    both_hold, names = Several((here[0], asked_too, there[0]), True), here[1]
    here = (Several((here[0], asked_too), True), *here[1:])
    axes = Axes([here[0], there[0]], here[1], typed(bound))
    try:
        declared = axes.declared()
        found = next(
            within
            for box in axes.boxes(here[0])
            for more in axes.boxes(there[0])
            if (some := meet(box, more)) is not None
            and (within := meet(declared, some)) is not None
            and axes.is_free(some)
        )
    except (TooMuch, StopIteration):
        return
    asked = {axis: next(classes(bits)) for axis, bits in found.items()}
    owner, name = fact
    whose = f"`{name}` of {owner.name}" if isinstance(owner, w.Name) else f"`{name}`"
    both = f"`{one.act.id}` and `{other.act.id}`"
    where = f" where {in_words(axes, asked)}" if asked else ""
    smallest = situation_of(bound.ruleset, _kinds(one, names), axes, asked)
    met = once(
        rules,
        ("rows-clash", sequence, one.act.id, other.act.id),
        lambda: _met_in(
            chain((smallest,), _at_random(bound, one, names, both_hold)), _clashing(bound, sequence, one, other, fact)
        ),
    )
    faults.add(
        "rows-clash",
        f"{both} both hold{where}, and {values.format(whose)} at once{'' if met else NOT_MET}",
        other.act.where.place,
        severity="warning" if met else "note",
        labels=((one.act.where.place, "this one too"),),
        help="make them exclude each other, or let one come after the other: `in-order:`",
        example=met,
    )


def _at_random(bound: Bound, act: BoundAct, names: Sequence[str], asked: Formula) -> Iterator[str]:
    """Situations in which something is so, as the smallest is one also by what rows note, and all else may be
    anything."""
    kinds = _kinds(act, names)
    for seed in range(AT_RANDOM):
        axes, point = at_random(bound, kinds, asked, (), SeededDice(seed))
        try:
            boxes = axes.boxes(asked)
        except TooMuch:
            return
        so = axes.on_free(boxes[seed % len(boxes)]) if boxes else {}
        yield situation_of(bound.ruleset, kinds, axes, point | {at: next(classes(bits)) for at, bits in so.items()})


def _met_in(situations: Iterable[str], is_met: Callable[[str, int], bool]) -> str:
    """The first of some situations that a playing of it has come to."""
    told = (text for text in situations if text)
    return next((text for text in told for seed in range(SEEDS_OF_ONE) if is_met(text, seed)), "")


def _clashing(bound: Bound, sequence: str, one: BoundAct, other: BoundAct, fact: Fact) -> Callable[[str, int], bool]:
    """What tells of a situation whether in a playing of it two rows have made two things of a fact at once. Only where
    it is a flag the fight goes on then: it is watched whom both rows change."""
    places = {one.act.where.place, other.act.where.place}
    done: dict[str, set[Value]] = {}
    met: list[Value] = []

    effects = [(effect, of) for effect in one.effects if (of := changed(effect)) is not None]
    is_flag = any((effect.owner.tree, of.name) == fact and isinstance(of.type, Flag) for effect, of in effects)

    def begins(world: World, env: Env) -> Value:
        done.clear()
        return None

    def changes(act: BoundAct, term: Term, world: World, env: Env) -> Value:
        who = term.run(world, env)
        done.setdefault(act.act.id, set()).add(who)
        if all(who in done.get(each.act.id, ()) for each in (one, other)):
            met.append(who)
        return who

    def watched(act: BoundAct) -> BoundAct:
        watching = [
            replace(effect, owner=replace(effect.owner, run=partial(changes, act, effect.owner)))
            if (of := changed(effect)) is not None and (effect.owner.tree, of.name) == fact
            else effect
            for effect in act.effects
        ]
        return replace(act, effects=tuple(watching))

    bound_sequence = bound.sequence(sequence)
    acts = [watched(act) if act in (one, other) else act for act in bound_sequence.acts]
    if one.effects:
        nobody = replace(one.effects[0], owner=replace(one.effects[0].owner, run=begins))
        acts.insert(0, replace(one, each=None, who=None, first=(), tests=(), verb=None, times=None, effects=(nobody,)))
    with_watch = bound.with_charts({}, {}, {sequence: replace(bound_sequence, acts=tuple(acts))})

    def is_met(text: str, seed: int) -> bool:
        met.clear()
        stops = stopped_by(small_fight(with_watch, text), seed)
        clashes = any(each.code == "conflicting-writes" and places <= _places(each) for each in stops)
        return clashes or (bool(met) and is_flag)

    return is_met


def _places(one: Diagnostic) -> set[Span | None]:
    return {one.span, *(place for place, _ in one.labels)}


def _difference(one: BoundAct, other: BoundAct) -> tuple[Fact | None, str, Formula]:
    """A fact of which two rows make two things, or that both throw, how that is said, and what must be so beside."""
    if isinstance(one.verb, BoundRoll) and isinstance(other.verb, BoundRoll):
        mine_thrown, theirs_thrown = ((act.owner.tree, act.fact.name) for act in (one.verb, other.verb))
        return (mine_thrown, "both throw {}", True) if mine_thrown == theirs_thrown else (None, "", True)
    mine, theirs = _writes(one), _writes(other)
    written = {(effect.owner.tree, of.name): of for effect in one.effects if (of := changed(effect)) is not None}
    for fact in mine:
        if fact in theirs and mine[fact] != theirs[fact]:
            said = f"make {{}} {shown(mine[fact])} and {shown(theirs[fact])}"
            if isinstance(written[fact].type, Flag):  # either changes it, by what it was
                return fact, said, True
            now = w.of_fact(fact[0], written[fact])  # what it is already it is not set to: then the other counts
            both = [formula(w.Not(w.Equal(now, w.const(value)))) for value in (mine[fact], theirs[fact])]
            return fact, said, Several(tuple(both), True)
    for sets, adds in ((mine, _adds(other)), (theirs, _adds(one))):
        for fact in sets:
            if fact in adds:  # what it is already it is not set to: then the sum holds
                changes = w.Not(w.Equal(w.of_fact(fact[0], adds[fact]), w.const(sets[fact])))
                return fact, f"set {{}} to {shown(sets[fact])} and add to it or take from it", formula(changes)
    return None, "", True


def _adds(act: BoundAct) -> dict[Fact, m.Fact]:
    """The numbers to which the effects of a row certainly add something, or from which they take it."""
    effects = [(effect, fact) for effect in act.effects if (fact := changed(effect)) is not None]
    times = Counter((effect.owner.tree, fact.name) for effect, fact in effects)
    return {
        (effect.owner.tree, fact.name): fact
        for effect, fact in effects
        if isinstance(effect, BoundChange)
        and times[effect.owner.tree, fact.name] == 1
        and isinstance(effect.value.tree, w.Const)
        and effect.value.tree.value
    }


def _writes(act: BoundAct) -> dict[Fact, Value]:
    """What the effects of a row make of facts in the end, where it is the same whatever the situation."""
    out: dict[Fact, Value] = {}
    for effect in act.effects:
        fact = changed(effect)
        if fact is None:
            continue
        key = (effect.owner.tree, fact.name)
        out.pop(key, None)
        if isinstance(effect, BoundFlag):
            out[key] = effect.on
        elif isinstance(effect, BoundSet) and isinstance(effect.value.tree, w.Const):
            out[key] = effect.value.tree.value
    return out


def _check_changes(bound: Bound, act: BoundAct, faults: Faults) -> None:
    """Warns of an effect that makes of a fact what the tests of its row say that it is. Where the row does more to that
    fact, of whomever, or plays something first, it may be another by then; so it may at once with other rows, or where
    an effect before this has made another of whom it is."""
    whom = _whom(act)
    if whom is None or act.times is not None or act.verb is not None:
        return
    often = Counter(fact.name for effect in act.effects if (fact := changed(effect)) is not None)
    for at, (effect, cell) in enumerate(zip(act.effects, act.act.effects, strict=True)):
        fact = changed(effect)
        if fact is None or often[fact.name] > 1 or isinstance(effect.owner.tree, w.Const):
            continue
        if _may_be_another(effect.owner.tree, act.effects[:at]):
            continue
        made = _makes(act, effect, fact)
        if made is None:
            continue
        differs = formula(w.Not(w.Equal(w.of_fact(effect.owner.tree, fact), w.const(made))))
        asked = Several((whom[0], differs), True)
        axes = Axes([asked], whom[1], typed(bound))
        try:
            if axes.boxes(asked) or not axes.boxes(whom[0]):
                continue
        except TooMuch:
            continue
        already = "it is so" if not isinstance(effect, BoundChange) else f"`{fact.name}` is {made}, as far as it goes,"
        said = f"`{cell.text}` changes nothing: by the tests of `{act.act.id}` {already} already"
        help = "take it out, or look at the tests"
        faults.add("unused", said, cell.place, severity="warning", help=help)


def _may_be_another(owner: w.Tree, before: Sequence[BoundEffect]) -> bool:
    """Whether effects may make another of whoever is named, or another counter of him."""
    made = {fact.name for effect in before if (fact := changed(effect)) is not None}
    hangs_on = {part.fact for part in w.within(owner) if isinstance(part, w.OfFact)}
    return any(isinstance(effect, BoundBecome) for effect in before) or not made.isdisjoint(hangs_on)


def _check_taken(bound: Bound, reach: Reach, act: BoundAct, faults: Faults) -> None:
    """Warns of what is taken from a number and may be less than 0 by the ranges of what it is made of, where the tests
    of the row do not see to it that it is not; and of a difference that is added to what is counted from 0 up."""
    whom = _whom(act)
    for effect, cell in zip(act.effects, act.act.effects, strict=True):
        if not isinstance(effect, BoundChange) or (effect.up and not _counts_a_difference(effect)):
            continue
        can = reach.ends(effect.value.tree)
        if can is None or can.low is None or can.low >= 0 or (can.high is not None and can.high < 0):
            continue
        try:
            if not _may_be_less(bound, reach, effect.value.tree, *(whom or (True, ()))[:2]):
                continue
        except (TooMuch, Faulty):
            continue
        verb, then = ("add", "taken from") if effect.up else ("take", "added to")
        said = f"what `{cell.text}` {verb}s can be as low as {can.low}, and then it is {then} `{effect.fact.name}`"
        help = f"{verb} `the higher of 0 and ..`, or give the table `at-least: 0`"
        faults.add("out-of-range", said, cell.place, severity="warning", help=help)


def _counts_a_difference(effect: BoundChange) -> bool:
    tree, type = uncounted(effect.value.tree), effect.fact.type
    is_counted = isinstance(type, Number) and type.low is not None and type.low >= 0
    return is_counted and isinstance(tree, w.Signed) and tree.sign == "-"


def _may_be_less(bound: Bound, reach: Reach, tree: w.Tree, asked: Formula, names: tuple[str, ...]) -> bool:
    """Whether a number may be less than 0 where something is asked. Of a table each row is asked by itself."""
    can = reach.ends(tree)
    if can is not None and can.low is not None and can.low >= 0:
        return False
    tree = uncounted(tree)
    sides = (tree.left, tree.right) if isinstance(tree, w.Signed) and tree.sign == "-" else (tree, w.const(0))
    less = Several((asked, formula(w.Compared("<", *map(uncounted, sides)))), True)
    if not Axes([less], names, typed(bound)).boxes(less):
        return False
    if not isinstance(tree, w.Asked) or tree.name not in bound.ruleset.tables:
        return True
    table = bound.table(tree.name)
    if table.table.policy == "adds-up" or table.value is not None:
        return True
    rows = [(asked_by(row), row.verdict) for row in table.rows if row.row.verb == "is"]
    told = [*rows, (True, table.otherwise)]
    return any(_may_be_less(bound, reach, term.tree, so, table.table.about) for so, term in told if term is not None)


def _makes(act: BoundAct, effect: BoundEffect, fact: m.Fact) -> Value:
    """What an effect makes of a fact, or what it leaves as it is: a number goes no further than its range."""
    if isinstance(effect, BoundChange) and isinstance(fact.type, Number) and isinstance(effect.value.tree, w.Const):
        by = effect.value.tree.value
        if not isinstance(by, int | Fraction) or not by:
            return None
        return fact.type.high if (by > 0) is effect.up else fact.type.low
    return _writes(replace(act, effects=(effect,))).get((effect.owner.tree, fact.name))


# ---- choices ------------------------------------------------------------------------------------------------


def _check_answers(bound: Bound, act: BoundAct, verb: BoundChoose, faults: Faults, rules: str) -> None:
    """Warns of a choice whose `legal` table can forbid whatever is answered."""
    whom, owner = _whom(act), verb.owner.tree
    try:
        table = bound.table(verb.legal)
    except Faulty:  # said where it is bound
        return
    if whom is None or not isinstance(owner, w.Name) or len(table.table.about) != 1 or whom[1][:1] != (owner.name,):
        return
    (subject,) = table.table.about
    asked = replaced(whom[0], w.Name(owner.name), w.Name(subject))
    rows = [asked_by(row) for row in table.rows if row.each is None and not table.blockers.get(row.row.id)]
    axes = Axes([asked, *rows], (subject,), typed(bound))
    fact = next((at for at, axis in enumerate(axes.axes) if _is_fact(axis.tree, subject, verb.fact.name)), None)
    hanging = {at for at, axis in enumerate(axes.axes) if at != fact and _hangs_on(axis.tree, subject, verb.fact.name)}
    try:
        forbidden = [box for row in rows for box in axes.boxes(row) if axes.is_free(box) and not hanging & box.keys()]
        begun = [_without(box, fact) for box in axes.boxes(asked) if axes.is_free(_without(box, fact))]
    except TooMuch:
        return
    declared = _without(axes.declared(), fact)
    left = [both for box in begun if (both := meet(declared, box)) is not None]
    for answer in (0,) if fact is None else classes(axes.axes[fact].declared):
        broken = [_without(box, fact) for box in forbidden if fact is None or _holds(box, fact, answer)]
        left = [both for box in left for more in broken if (both := meet(box, more)) is not None][:MOST_BOXES]
    if not left:
        return
    point = {axis: next(classes(bits)) for axis, bits in left[0].items()}
    where = f" where {in_words(axes, point)}" if point else ""
    smallest = situation_of(bound.ruleset, {subject: _kind(bound, verb.legal)}, axes, point)

    def is_met(text: str, seed: int) -> bool:
        asking = Asking({act.act.where.place: act.act.id})
        stopped_by(small_fight(bound, text), seed, asking)
        return bool(asking.in_vain)

    others = _at_random(bound, act, whom[1], whom[0])
    place = act.act.where.place  # rows of two sequences may be called the same
    what = ("no-legal-answer", place.source.name, str(place.start), verb.legal)
    met = once(rules, what, lambda: _met_in(chain((smallest,), others), is_met))
    faults.add(
        "no-legal-answer",
        f"whatever is chosen at `{act.act.id}`, `{verb.legal}` forbids it{where}{'' if met else NOT_MET}",
        act.act.where.place,
        severity="warning" if met else "note",
        labels=((table.table.where.place, "the table that forbids"),),
        help="let the row ask only where an answer is left, or mend the table",
        example=met,
    )


def _kind(bound: Bound, table: str) -> str:
    (subject,) = bound.table(table).table.about
    type = bound.table(table).scope.find(subject)
    return type.kind if isinstance(type, AThing) else subject


def _is_fact(tree: w.Tree, subject: str, name: str) -> bool:
    return isinstance(tree, w.OfFact) and tree.owner == w.Name(subject) and tree.fact == name and not tree.at_start


def _hangs_on(tree: w.Tree, subject: str, name: str) -> bool:
    """Whether what is chosen is a part of something: then it is not the same whatever is chosen."""
    return any(_is_fact(part, subject, name) for part in w.within(tree))


def _holds(box: Box, axis: int, value: int) -> bool:
    return axis not in box or bool(box[axis] >> value & 1)


def _without(box: Box, axis: int | None) -> Box:
    """A box whatever is chosen: what was so before does not matter."""
    return {at: bits for at, bits in box.items() if at != axis}
