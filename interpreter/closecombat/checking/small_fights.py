"""Small fights that are played to see what comes of rules: as they are said, or made up at random.

What only playing shows, and what is claimed of a fight before it is told, is looked for in them. A fight that shows it
is a proof; that none does is not: what only larger fights come to is not found.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Mapping as MappingType
from dataclasses import field

from closecombat.binding import trees as w
from closecombat.binding.bound import BoundAct, BoundChoose, BoundDeclare
from closecombat.binding.charts import Bound
from closecombat.binding.terms import Env
from closecombat.checking.axes import Axes, Formula, Is, Several
from closecombat.checking.boxes import Box, Point, TooMuch, classes
from closecombat.checking.tables import typed
from closecombat.checking.witness import is_one_of_two
from closecombat.playing.choices import may_choose
from closecombat.playing.fight import Fight, begin, go, losses, read_options, verdicts
from closecombat.playing.run import Offering, Run
from closecombat.proving.throws.dice import SeededDice, WildDice
from closecombat.proving.values.budget import SECOND
from closecombat.proving.values.symbolic import Value
from closecombat.reading.slots import FactOf
from closecombat.reading.stack import as_mapping
from closecombat.reading.types import Flag, Number, Thing, Type, Word
from closecombat.text.document import parse
from closecombat.text.faults import Diagnostic, Faulty
from closecombat.text.nodes import Mapping
from closecombat.text.slotted import dataclass
from closecombat.text.source import Source, Span

MOST_BOXES = 3  # of what a row asks, that are tried
AT_RANDOM = 6  # situations besides, in which what is not asked may be anything
SEEDS = 2  # playings of each situation
MOST_WORK = SECOND // 20  # of one playing
MOST_APART = 12  # numbers of a fact that are told apart
MOST_ANSWERS = 100  # numbers of a range that are tried
MOST_OF_A_KIND = 3  # in a situation that is made up
COMBATS = 2  # the second finds what the first has left


def small_fight(bound: Bound, text: str) -> Fight:
    document = as_mapping(parse(Source("<example>", text)))
    choices = document.get("choices")
    return Fight(
        bound,
        document.get("situation") or document,
        read_options(bound, document.get("options")),
        choices if isinstance(choices, Mapping) else None,
        COMBATS,
    )


def stopped_by(fight: Fight, seed: int, offering: Offering | None = None) -> tuple[Diagnostic, ...]:
    """What a playing of a fight is stopped by, if it is; what nobody answers is `offering`'s, if there is one."""
    try:
        run = begin(fight, WildDice(seed))
        run.offers_through(offering)
        run.may_spend(MOST_WORK)
        go(run)
        verdicts(run)
        losses(run)
    except Faulty as error:
        return error.diagnostics
    except RecursionError:
        pass
    return ()


@dataclass(slots=True)
class Asking:
    """Leaves every answer to the ruleset, and notes which of some rows have asked where each was forbidden."""

    rows: MappingType[Span, str]
    in_vain: dict[str, str] = field(default_factory=dict)  # and the table that forbids
    frees: bool = False

    def offers(self, run: Run, act: BoundAct, verb: BoundChoose, env: Env, who: Thing) -> bool:
        name, type = self.rows.get(act.act.where.place), verb.fact.type
        if name is None or (isinstance(type, Number) and (type.high is None or type.high > MOST_ANSWERS)):
            return False
        answers = [value for value, there in may_choose(run, verb, env) if there is not False]
        if answers and all(self._is_forbidden(run, verb, who, value) for value in answers):
            self.in_vain[name] = verb.legal
        return False

    def declares(self, run: Run, act: BoundAct, verb: BoundDeclare, env: Env, who: Thing) -> bool:
        return False

    def _is_forbidden(self, run: Run, verb: BoundChoose, who: Thing, value: Value) -> bool:
        with run.supposing(FactOf(who, verb.fact.name), value):
            return run.table(verb.legal, (who,)) is True


def some_of_each(bound: Bound, random: SeededDice, about: MappingType[str, str]) -> dict[str, str]:
    """Whom a situation is about, and some others of each kind, by their names: none, or up to three. Who is declared
    comes by the rules alone: one whom a situation lists is held against no table."""
    kinds, declared = dict(about), declared_kinds(bound)
    for kind in bound.ruleset.kinds.values():
        if not kind.one and kind.name not in declared:
            there = list(about.values()).count(kind.name)
            many = 2 if is_one_of_two(kind) else _one_of(random, range(MOST_OF_A_KIND + 1))
            kinds |= {f"{kind.name} {n}": kind.name for n in range(there, many)}
    return kinds


def declared_kinds(bound: Bound) -> set[str]:
    """The kinds of which players declare some."""
    verbs = (act.verb for name in bound.ruleset.sequences for act in bound.sequence(name).acts)
    return {verb.kind.name for verb in verbs if isinstance(verb, BoundDeclare)}


def at_random(
    bound: Bound,
    kinds: MappingType[str, str],
    asked: Formula,
    more: Sequence[Formula],
    random: SeededDice,
    at_the_ends: bool = False,
) -> tuple[Axes, Point]:
    """A situation in which those of some kinds are anything, or one of the two ends of anything, but for what is asked
    of them, and for what else must be so."""
    owners: dict[w.Tree, str] = {w.Name(name): kind for name, kind in kinds.items()}
    owners |= {w.Only(kind.name): kind.name for kind in bound.ruleset.kinds.values() if kind.one}
    facts = {
        w.of_fact(owner, fact): fact.type
        for owner, kind in owners.items()
        for fact in bound.ruleset.kinds[kind].facts.values()
        if fact.origin in ("given", "printed") and isinstance(fact.type, Flag | Word | Number)
    }
    apart = [Is(tree, bool, _apart(type)) for tree, type in facts.items()]
    axes = Axes([asked, *more, *apart], tuple(kinds), typed(bound))
    point = {}
    for at, axis in enumerate(axes.axes):
        if axis.tree in facts:
            anything = (*classes(axis.declared),)
            point[at] = _one_of(random, dict.fromkeys((anything[0], anything[-1])) if at_the_ends else anything)
    try:
        boxes = axes.boxes(Several((asked, *more), True))
    except TooMuch:
        boxes = []
    asked_for = said_of(bound, axes, boxes[_one_of(random, range(len(boxes)))]) if boxes else {}
    return axes, point | asked_for


def _apart(type: Type) -> tuple[int, ...]:
    """The numbers that are told apart, whatever a row asks itself: it may ask a table, which tells them apart."""
    if not isinstance(type, Number) or type.low is None or type.high is None:
        return ()
    return tuple(range(type.low, type.high + 1)) if type.high - type.low < MOST_APART else (type.low, type.high)


def _one_of(random: SeededDice, numbers: Iterable[int]) -> int:
    return int(random.face((*numbers,), "which"))


def said_of(bound: Bound, axes: Axes, box: Box) -> Point:
    """What of a box a situation says: what is given or printed."""
    kinds = bound.ruleset.kinds
    point = {}
    for at, bits in axes.on_free(box).items():
        tree = axes.axes[at].tree
        while isinstance(tree, w.Counted):
            tree = tree.value
        if isinstance(tree, w.Reading) or (
            isinstance(tree, w.OfFact)
            and any(
                tree.fact in kind.facts and kind.facts[tree.fact].origin in ("given", "printed")
                for kind in kinds.values()
            )
        ):
            point[at] = next(classes(bits))
    return point
