"""The same fight by several rules: systems side by side, or one system and its variants.

Each is asked for its chances by itself (`chances`); here they are only held against each other. Which systems tell a
fight, and how, stands in its engagement (`fight_files`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from closecombat.asking.exact.answers import SIDES, Chances
from closecombat.asking.fights.fight_files import (
    Engagement,
    NoSuchFight,
    Scene,
    System,
    chosen,
    ruleset_of,
    single,
    staged,
    told_for,
)
from closecombat.asking.keeping.remembered import remembered
from closecombat.reading.battle_words import UNIT
from closecombat.reading.phrases import listed
from closecombat.reading.told_once import COUNTS, NOTHING, Untold
from closecombat.text.faults import Diagnostic, Faulty
from closecombat.text.slotted import dataclass

if TYPE_CHECKING:
    from closecombat.asking.choices.aims import Wanted
    from closecombat.playing.run import Run


@dataclass(frozen=True, slots=True)
class Compared:
    """One column of a comparison: its chances, or why there are none."""

    name: str
    chances: Chances | None
    none: NoSuchFight | None
    because: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """`scale` is every verdict that any of the systems knows, the mildest first; `gives` what each system makes of
    parts of the story, `untold` for which words of it a system has no rule, and why."""

    name: str
    title: str
    story: str
    scale: tuple[str, ...]
    systems: tuple[Compared, ...]
    gives: Mapping[str, Mapping[str, str]]
    untold: Mapping[str, tuple[Untold, ...]] = field(default_factory=dict)
    aims: tuple[str, ...] = ()  # for what all sides play as well as can be, if they do

    def sides(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(side for one in self.systems if one.chances for side in one.chances.verdicts))

    @property
    def has_ends(self) -> bool:
        """Whether any of the systems tells the common end."""
        return any(one.chances is not None and one.chances.ends is not None for one in self.systems)


@dataclass(frozen=True, slots=True)
class Looking:
    """How closely to look: how finely ends are told apart, the common end by UNITS too. With `aims` all sides play as
    well as can be for these. It `weighs` what each result rests on, and is `watched` at that."""

    by: str = SIDES
    until_resolved: bool = False
    common_end: str = SIDES
    most_work: int | None = None  # of each fight
    aims: tuple[Wanted, ...] = ()
    weighs: bool = False
    watched: Callable[[int, int], None] | None = None


LOOKING = Looking()


def compare_systems(
    engagement: Engagement, stacks: Sequence[str] = (), options: Iterable[str] = (), look: Looking = LOOKING
) -> Comparison:
    """An engagement under each of its systems, or only under those of `stacks`."""
    wanted: list[tuple[str, Scene | NoSuchFight, tuple[str, ...], str]] = []
    columns: dict[str, System] = {}
    for stack in stacks:
        one = told_for(engagement, stack)
        if one is None or isinstance(one.scene, Scene):
            wanted.append((stack, single(engagement, stack), one.because if one else (), stack))
        else:
            wanted.append((stack, one.scene, (), ""))
        if one is not None:
            columns[stack] = one
    if not stacks:
        columns = dict(engagement.systems)
        wanted = [(name, one.scene, one.because, "") for name, one in columns.items()]
    told = engagement.name, engagement.title, engagement.story
    found = _worked_out(told, wanted, tuple(options), look, given(engagement, columns))
    untold = {name: one.scene.untold for name, one in columns.items() if isinstance(one.scene, Scene)}
    return replace(found, untold={name: words for name, words in untold.items() if words})


def given(engagement: Engagement, columns: Mapping[str, System]) -> Mapping[str, Mapping[str, str]]:
    """What each system makes of parts of the story: of each word that the fight is told in, if it is worth something in
    any of them; and as the engagement itself says."""
    found: dict[str, Mapping[str, str]] = {}
    playable = {name: one for name, one in columns.items() if isinstance(one.scene, Scene)}
    for name in engagement.once.mentioned() if engagement.once is not None else ():
        word = engagement.once.words.known[name] if engagement.once is not None else None
        said = {system: one.worth[name] for system, one in playable.items() if name in one.worth}
        silent = {NOTHING, COUNTS} if word is not None and word.sort == UNIT else {NOTHING}
        if word is not None and set(said.values()) - silent:
            found[word.shown] = {system: said.get(system, NOTHING) for system in playable}
    return {**found, **engagement.gives}


def compare_rulesets(
    scene: Scene, stacks: Sequence[str], options: Iterable[str] = (), look: Looking = LOOKING
) -> Comparison:
    """One situation by several rulesets of the same system, the base first; an empty one is the situation's own."""
    wanted: list[tuple[str, Scene | NoSuchFight, tuple[str, ...], str]] = [(s, scene, (), s) for s in stacks]
    return _worked_out((scene.name, scene.name, ""), wanted, tuple(options), look, {})


def _worked_out(
    told: tuple[str, str, str],
    wanted: Sequence[tuple[str, Scene | NoSuchFight, tuple[str, ...], str]],
    options: tuple[str, ...],
    look: Looking,
    gives: Mapping[str, Mapping[str, str]],
) -> Comparison:
    columns, words = list[Compared](), dict[str, None]()
    wrong: dict[Diagnostic, list[str]] = {}  # and by which systems it is
    unknown = dict.fromkeys(options)
    for label, scene, because, stack in wanted:
        if isinstance(scene, NoSuchFight):
            columns.append(Compared(label, None, scene, because))
            continue
        try:
            for option in _options_of(scene, stack, options):
                unknown.pop(option, None)
            found = chances_of(scene, stack, options, look)
            columns.append(Compared(label or found.ruleset, found, None, because))
            words |= dict.fromkeys(found.scale)
        except Faulty as error:
            for fault in dict.fromkeys(error.diagnostics):
                wrong.setdefault(fault, []).append(f"`{label or scene.ruleset}`")
    if len(columns) < len(wanted):
        several = len(wanted) > 1
        raise Faulty(
            replace(fault, message=f"{fault.message} (by {listed(systems, 'and')})") if several else fault
            for fault, systems in wrong.items()
        )
    if unknown:
        one = next((scene, stack) for _, scene, _, stack in wanted if isinstance(scene, Scene))
        chosen(ruleset_of(*one), unknown)
    return Comparison(*told, tuple(words), tuple(columns), gives, aims=tuple(map(str, look.aims)))


def _options_of(scene: Scene, stack: str, options: Sequence[str]) -> list[str]:
    """Those that this ruleset has."""
    known = ruleset_of(scene, stack).ruleset.options if options else {}
    return [option for option in options if option.partition("=")[0].strip() in known]


def chances_of(
    scene: Scene, stack: str, options: Sequence[str], look: Looking, at_the_end_of: Callable[[Run], None] | None = None
) -> Chances:
    """The chances of one fight, with those of the options that its ruleset has. For whoever wants to know what that
    takes, and is `at_the_end_of` it, they are worked out anew."""
    options = _options_of(scene, stack, options)

    def found() -> Chances:
        from closecombat.asking.choices.best_chances import BestPlay
        from closecombat.asking.exact.chances import work_out

        best = BestPlay(look.aims, most_work=look.most_work) if look.aims else None
        fight, most_work = staged(scene, ruleset_of(scene, stack), options), look.most_work
        out = work_out(
            fight,
            look.by,
            look.until_resolved,
            common_end=look.common_end,
            most_work=most_work,
            at_the_end_of=at_the_end_of,
            best=best,
        )
        if not look.until_resolved:
            return out
        from closecombat.asking.exact.lasting import BESIDE, over_after

        return replace(out, over_after=over_after(fight, BESIDE if most_work is not None else None))

    how = (look.by, str(look.until_resolved), look.common_end, str(look.most_work), *map(repr, look.aims))
    if at_the_end_of is not None:
        return found()
    asked = ("beside others", *how, "of", *options)
    plain = remembered(scene, stack, asked, found)
    if not look.weighs:
        return plain

    def weigh() -> Chances:
        from closecombat.asking.weights.changeable import rules_of
        from closecombat.asking.weights.resting import with_weights

        fight, rules = staged(scene, ruleset_of(scene, stack), options), rules_of(scene, stack, tuple(options))
        return with_weights(plain, fight, rules, (), look.until_resolved, look.most_work is None, look.watched)

    return remembered(scene, stack, ("weighed", *asked), weigh)


def verdict_chance(compared: Compared, side: str, word: str) -> Fraction | None:
    """The chance that a side ends so; None where there is no such side or no such fight."""
    found = compared.chances.verdicts.get(side) if compared.chances else None
    return None if found is None else found.get(word, Fraction(0))


def outcome_changes(base: Chances, other: Chances) -> Mapping[tuple[tuple[str, str], ...], Fraction]:
    """For every end that either knows, by its verdicts, how much likelier it is under the other."""
    out: dict[tuple[tuple[str, str], ...], Fraction] = {}
    for chances, sign in ((base, -1), (other, 1)):
        for one in chances.outcomes:
            key = tuple(one.sides.items())
            out[key] = out.get(key, Fraction(0)) + sign * one.probability
    return out


def differs(comparison: Comparison) -> bool:
    """Whether under one of the systems any end that is told apart, any loss or any part of the common end is not
    as likely as under the first."""
    played = [one.chances for one in comparison.systems if one.chances is not None]
    return any(_figures(played[0]) != _figures(one) for one in played[1:])


def _figures(chances: Chances) -> tuple[object, ...]:
    ends: dict[str, Fraction] = {}
    for one in chances.outcomes:
        units = sorted((who, sorted(map(repr, changed.items()))) for who, changed in one.units.items())
        end = repr([sorted(one.sides.items()), sorted(one.lost.items()), units])
        ends[end] = ends.get(end, Fraction(0)) + one.probability
    return ends, chances.losses, chances.ends, chances.over_after
