"""The ledger of ambiguities of a ruleset: which reading of which doubtful clause moves which engagement, by how much.

Doubtful is what an option reads in several ways, and what rests on an assumption: each is changed by itself (`weigh`)
in every shipped engagement that is told for the ruleset. That a doubt moves none of them says nothing of other fights.
A ledger says what it was made from, so that one that is out of date can be told from one that is not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from hashlib import sha256

from closecombat.asking.examples.fights_of import MATTERS
from closecombat.asking.fights.fight_files import Engagement, Scene, read_scene, ruleset_of, single, staged
from closecombat.asking.weights.changeable import Rules
from closecombat.asking.weights.weigh import Weighing, weigh
from closecombat.asking.weights.weights import Weighed, Weight
from closecombat.binding.load import load
from closecombat.proving.values.budget import SECOND
from closecombat.reading.model import SWITCHED, Ruleset, number_of
from closecombat.reading.stack import load_stack, shipped, without_words
from closecombat.text.faults import Faulty
from closecombat.text.nodes import flow
from closecombat.text.slotted import dataclass

MOST_WORK = 20 * SECOND  # for one change in one fight: what takes more is too large; nobody waits for a ledger
Watch = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Doubt:
    """One other reading of something: what it does in each fight that it moves, the heaviest first; `met` are all that
    come to it."""

    name: str
    other: str
    cites: tuple[str, ...]
    assumed: tuple[str, ...]
    moves: tuple[tuple[str, Weight], ...]
    met: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ledger:
    """The doubts of a ruleset, the heaviest first. `never` are met in none of the fights, `only` have no other reading,
    and why; `none` are fights that cannot be worked out, and why. `digest` is of what it was made from."""

    ruleset: str
    title: str
    digest: str
    fights: tuple[str, ...]
    doubts: tuple[Doubt, ...]
    never: tuple[str, ...]
    only: Mapping[str, str]
    none: Mapping[str, str]
    texts: Mapping[str, str]


def ledger_of(stack: str, watch: Watch, names: Sequence[str] = ()) -> Ledger:
    """The ledger of a ruleset over all shipped engagements, or over some by their names."""
    ruleset, found, none = load(stack).ruleset, dict[str, Weighed](), dict[str, str]()
    document = load_stack(stack).document
    for name, scene in _fights(stack, names):
        watch(f"{stack}: {name}")
        try:
            fight = staged(scene, ruleset_of(scene, stack))
            rules = Rules(lambda _: document, partial(staged, scene))
            how = Weighing(rules, shares=False, doubts=True, most_of_one=MOST_WORK)
            found[name] = weigh(name, fight, how)
        except Faulty as error:
            none[name] = error.diagnostics[0].message if error.diagnostics else "it cannot be played"
    doubts = sorted(_doubts(found), key=lambda doubt: _heaviest(doubt), reverse=True)
    met = {doubt.name for doubt in doubts}
    only = {id: second.only for id, second in ruleset.second_readings.items() if second.only}
    never = tuple(name for name in _doubtful(ruleset) if name not in met)
    return Ledger(
        stack, ruleset.title, digest_of(stack), tuple(found), tuple(doubts), never, only, none, ruleset.assumptions
    )


def digest_of(stack: str) -> str:
    """What stands for all that a ledger is made from: the rules, and the fights as they are told. What is only said of
    either, and how it is laid out, makes no difference."""
    parts = [flow(without_words(load_stack(stack).document))]
    for name, scene in _fights(stack, ()):
        parts.append(name)
        parts += [flow(node) for key in MATTERS if (node := scene.document.get(key)) is not None]
    return sha256("\n".join(parts).encode()).hexdigest()[:16]


def _fights(stack: str, names: Sequence[str]) -> Iterator[tuple[str, Scene]]:
    """The engagements that are told for a ruleset."""
    base = stack.split("+")[0].strip()
    for name in names or shipped("engagements"):
        told = read_scene(name)
        if isinstance(told, Engagement) and base in told.systems and isinstance(told.systems[base].scene, Scene):
            yield name, single(told, stack)


def _doubts(found: Mapping[str, Weighed]) -> Iterator[Doubt]:
    by_change: dict[tuple[str, str], list[tuple[str, Weight]]] = {}
    for fight, weighed in found.items():
        for one in (*weighed.weights, *weighed.unmoved):
            by_change.setdefault((one.name, one.other), []).append((fight, one))
    for (name, other), those in by_change.items():
        moves = sorted((one for one in those if one[1].shifts or one[1].fault), key=lambda one: one[1].by, reverse=True)
        first = those[0][1]
        yield Doubt(name, other, first.cites, first.assumed, tuple(moves), tuple(fight for fight, _ in those))


def _heaviest(doubt: Doubt) -> tuple[object, ...]:
    """By what can be worked out, before what cannot."""
    return max(((one.by[1:], one.by[0]) for _, one in doubt.moves), default=())


def _doubtful(ruleset: Ruleset) -> list[str]:
    """All that could be read otherwise."""
    rows = [
        f"{table.name}.{row.id}"
        for table in ruleset.tables.values()
        for row in table.rows
        if row.where.assumed and (table.policy in SWITCHED or number_of(row) is not None)
    ]
    said = [id for id, second in ruleset.second_readings.items() if second.changes]
    return [*ruleset.options, *said, *rows]
