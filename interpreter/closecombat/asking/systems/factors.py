"""What each thing that can be said of a fight is worth in each system: the fight with it, held against the same fight
without it.

The things are the words of the order of battle (`reading/switching`); what a system makes of one stands in its file
there and nowhere else. So all numbers are worked out, none is written down, and a system that joins by such a file is
in the matrix. Two numbers tell the worth for a side: by how much likelier it alone holds the place, and its edge, by
how much the share of strength that its enemy loses grows more than its own.

That a system has no such rule is told apart from a rule that does nothing here, and both from a fight that cannot be
told so. A fight that is the same text with and without is not worked out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction
from functools import partial
from typing import TypeAlias

from closecombat.asking.crews.batches import Alone, Crew, carried_out
from closecombat.asking.exact.answers import TOO_MUCH, Ends
from closecombat.asking.fights.fight_files import Engagement, NoSuchFight, Scene, told_so
from closecombat.asking.systems.compare import Looking, chances_of
from closecombat.playing.run import Run
from closecombat.proving.values.budget import SECOND, Budget
from closecombat.reading.battle_words import GROUND, pieces
from closecombat.reading.switching import SWITCHED, Switch, switches
from closecombat.reading.told_once import NO_RULE, Told
from closecombat.text.faults import Faulty, suggest
from closecombat.text.nodes import flow
from closecombat.text.slotted import dataclass

EFFECT, NO_EFFECT, NO_SUCH_RULE, NO_FIGHT, NOT_HERE, OVERRULED, CLASHES, TOO_LONG, NO_ENDS = (
    "effect",
    "no-effect",
    "no-such-rule",
    "no-such-fight",
    "not-here",
    "told-otherwise",
    "cannot-be-said",
    "too-long",
    "no-ends",
)


@dataclass(frozen=True, slots=True)
class Effect:
    """What a factor does in a system. Where it does anything, `holds` and `edge` are differences, in shares of one;
    elsewhere they are nothing where there is no effect, and not there where it is not known. `worth` is what the system
    fields, in a word or two, and `why` what is to be said of it."""

    sort: str
    holds: Fraction | None = None
    edge: Fraction | None = None
    worth: str = ""
    why: str = ""


NO_COMMON_END = Effect(NO_ENDS, why="does not say what becomes of those who came, or nobody came with any strength")
LOST = Effect(TOO_LONG, why="the process that worked it out has ended")
MOST_WORK = 60 * SECOND  # of all fights, which is done without being asked twice
WORTH_HANDS = 4 * SECOND  # from which on others are called in


@dataclass(frozen=True, slots=True)
class Factor:
    """Something that is said of `side`, or of the fight where that is nothing; its numbers are those of `measured`."""

    word: str
    means: str
    sort: str
    side: str
    measured: str
    effects: Mapping[str, Effect]


@dataclass(frozen=True, slots=True)
class Factors:
    """The matrix, in the order of the words; `unheard` are those that none of the systems can tell here."""

    systems: tuple[str, ...]
    sides: tuple[str, ...]
    factors: tuple[Factor, ...]
    unheard: tuple[str, ...]


def factors_of(
    engagement: Engagement,
    stacks: Sequence[str],
    look: Looking,
    options: Sequence[str] = (),
    words: Sequence[str] = (),
    watch: Callable[[int, int], None] = lambda done, of: None,
    crew: Crew | None = None,
) -> Factors:
    """The matrix of an engagement, of some words or of all; the crew does what is more than a few seconds. Raises
    Faulty where it is not told in words, where one of these is no word, and where it is foretold to take too long."""
    once = engagement.once
    if once is None:
        help = "give it `forces:`, and what each system makes of a word can be worked out"
        at = engagement.span.part(0, 1)
        raise Faulty.one("wrong-shape", f"`{engagement.name}` is not told in words", at, help=help)
    wanted = _known(once, words)
    systems = tuple(stacks) or tuple(engagement.systems)
    found = [each for each in switches(once) if not wanted or each.word.name in wanted]
    sides = tuple(side for side, _ in once.sides)
    bench = _Bench(engagement, look, tuple(options))
    told = {(number, system): bench.told(one, system) for number, one in enumerate(found) for system in systems}
    known = bench.worked_out([each for each in told.values() if isinstance(each, _Pair)], crew or Alone(), watch)
    made: list[Factor] = []
    for number, one in enumerate(found):
        whose = measured(one, sides)
        effects = {system: _effect(told[number, system], known, whose) for system in systems}
        made.append(Factor(one.word.name, one.word.means, one.word.sort, one.side, whose, effects))
    heard = [one for one in made if any(each.sort != NOT_HERE for each in one.effects.values())]
    words_heard = {one.word for one in heard}
    unheard = dict.fromkeys(one.word for one in made if one.word not in words_heard)
    return Factors(systems, sides, tuple(heard), tuple(unheard))


def measured(one: Switch, sides: Sequence[str]) -> str:
    """For whom the worth of something is told: of whom it is said; of the ground, those who hold it; of how it is,
    those who come in."""
    return one.side or (sides[1] if one.word.sort == GROUND else sides[0])


def _known(once: Told, words: Sequence[str]) -> frozenset[str]:
    known = once.words.of(*SWITCHED)
    found = []
    for each in words:
        name = once.words.said.get(pieces(each), each)
        if name not in known:
            help = suggest(each, known) or "there are " + ", ".join(known)
            raise Faulty.one("unknown-word", f"`{each}` is no word of the order of battle", None, help=help)
        found.append(name)
    return frozenset(found)


Key: TypeAlias = tuple[str, str]  # a fight: by which system, and its text


@dataclass(frozen=True, slots=True)
class _Pair:
    """A fight with something and without it, by their keys, and what that is worth in words."""

    on: Key
    off: Key
    worth: str


@dataclass(frozen=True, slots=True)
class _Bench:
    """Where the fights of a matrix are told, and worked out, each once."""

    engagement: Engagement
    look: Looking
    options: tuple[str, ...]
    scenes: dict[Key, Scene] = field(default_factory=dict)

    def told(self, one: Switch, system: str) -> _Pair | Effect:
        """The two fights of a word; or what it does, where that is known without them."""
        try:
            on, off = (told_so(self.engagement, each, system) for each in (one.on, one.off))
        except Faulty as error:
            return Effect(CLASHES, why=error.diagnostics[0].message)
        worth = on.worth.get(one.word.name, "")
        scenes = on.scene, off.scene
        if (none := next((each for each in scenes if isinstance(each, NoSuchFight)), None)) is not None:
            return Effect(NO_FIGHT, worth=worth, why=none.said)
        with_it, without = (each for each in scenes if isinstance(each, Scene))
        keys = [(system, flow(each.document)) for each in (with_it, without)]
        if keys[0] == keys[1]:
            return self._of_no_account(one, system, with_it, worth)
        self.scenes.update(zip(keys, (with_it, without), strict=True))
        return _Pair(keys[0], keys[1], worth)

    def worked_out(
        self, pairs: Sequence[_Pair], crew: Crew, watch: Callable[[int, int], None]
    ) -> Mapping[Key, Ends | Effect]:
        """What becomes of all their fights. What they will take is foretold by the one that is met most in each
        system, which is mostly the fight as it is told; if that is short they are worked out here."""
        times = Counter(key for pair in pairs for key in (pair.on, pair.off))
        order = sorted(times, key=lambda key: -times[key])
        known: dict[Key, Ends | Effect] = {}
        foretold = 0
        for key in {key[0]: key for key in reversed(order)}.values():
            runs: list[Run] = []
            known[key] = _worked_out(self.look, self.options, self.scenes[key], runs.append)
            took = sum(run.shop.budget.spent for run in runs) or self.look.most_work or 0
            foretold += took * sum(system == key[0] for system, _ in order)
            watch(len(known), len(order))
        most = MOST_WORK if self.look.most_work is not None else None
        Budget(most).tries(len(order), len(order), foretold, "fights", less="some of the words, --factor night")
        rest = ((key, self.scenes[key]) for key in order if key not in known)
        hands: Crew = crew if foretold > WORTH_HANDS else Alone()
        for batch, found in carried_out(hands, partial(_ends_of, self.look, self.options), rest):
            for (key, _), ends in zip(batch, found or [LOST] * len(batch), strict=True):
                known[key] = ends
            watch(len(known), len(order))
        return known

    def _of_no_account(self, one: Switch, system: str, scene: Scene, worth: str) -> Effect:
        """Why it is the same fight with and without."""
        untold = next((each for each in scene.untold if each.word == one.word.name), None)
        if worth == NO_RULE and untold is not None:
            return Effect(NOT_HERE if untold.is_missing else NO_SUCH_RULE, worth=worth, why=untold.why)
        texts = []
        for told in (one.on, one.off):
            by_itself = told_so(self.engagement, told, system, with_own=False).scene
            texts.append(flow(by_itself.document) if isinstance(by_itself, Scene) else "")
        if texts[0] != texts[1]:
            return Effect(OVERRULED, worth=worth, why=f"the engagement says of {system} what is so there")
        return Effect(NO_EFFECT, Fraction(0), Fraction(0), worth)


def _ends_of(look: Looking, options: tuple[str, ...], batch: Sequence[tuple[Key, Scene]]) -> list[Ends | Effect]:
    return [_worked_out(look, options, scene) for _, scene in batch]


def _worked_out(
    look: Looking, options: tuple[str, ...], scene: Scene, at_the_end_of: Callable[[Run], None] | None = None
) -> Ends | Effect:
    try:
        found = chances_of(scene, "", options, look, at_the_end_of).ends
    except Faulty as error:
        return Effect(TOO_LONG if error.codes <= TOO_MUCH else CLASHES, why=error.diagnostics[0].message)
    return found if found is not None and found.sides else NO_COMMON_END


def _effect(told: _Pair | Effect, known: Mapping[Key, Ends | Effect], whose: str) -> Effect:
    if isinstance(told, Effect):
        return told
    ends = [known[told.on], known[told.off]]
    if (fault := next((each for each in ends if isinstance(each, Effect)), None)) is not None:
        return replace(fault, worth=told.worth)
    return _difference([each for each in ends if isinstance(each, Ends)], whose, told.worth)


def _difference(ends: Sequence[Ends], whose: str, worth: str) -> Effect:
    if ends[0] == ends[1]:
        return Effect(NO_EFFECT, Fraction(0), Fraction(0), worth)
    holds = [each.place.held.get(whose, Fraction(0)) for each in ends]
    edges = [_edge(each, whose) for each in ends]
    return Effect(EFFECT, holds[0] - holds[1], edges[0] - edges[1], worth)


def _edge(ends: Ends, whose: str) -> Fraction:
    """How much more of their strength all others lose on average than one side, in shares of what each came with."""
    own = ends.sides[whose].loss if whose in ends.sides else Fraction(0)
    return sum((each.loss for side, each in ends.sides.items() if side != whose), Fraction(0)) - own
