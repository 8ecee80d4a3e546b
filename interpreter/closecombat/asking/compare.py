"""The same fight by several rules: systems side by side, or one system and its variants.

Each is asked for its chances by itself (`chances`); here they are only held against each other. Which systems tell a
fight, and how, stands in its engagement (`fight_files`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from closecombat.asking.chances import SIDES, Chances, scale, work_out
from closecombat.asking.fight_files import Engagement, NoSuchFight, Scene, chosen, ruleset_of, staged
from closecombat.text.faults import Faults, Faulty
from closecombat.text.slotted import dataclass


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
    parts of the story."""

    name: str
    title: str
    story: str
    scale: tuple[str, ...]
    systems: tuple[Compared, ...]
    gives: Mapping[str, Mapping[str, str]]

    def sides(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(side for one in self.systems if one.chances for side in one.chances.verdicts))

    @property
    def has_ends(self) -> bool:
        """Whether any of the systems tells the common end."""
        return any(one.chances is not None and one.chances.ends is not None for one in self.systems)


@dataclass(frozen=True, slots=True)
class Looking:
    """How closely to look: how finely ends are told apart, the common end by UNITS too."""

    by: str = SIDES
    until_resolved: bool = False
    common_end: str = SIDES
    most_work: int | None = None  # of each fight


LOOKING = Looking()


def compare_systems(
    engagement: Engagement, stacks: Sequence[str] = (), options: Iterable[str] = (), look: Looking = LOOKING
) -> Comparison:
    """An engagement under each of its systems, or only under those of `stacks`."""
    from closecombat.asking.fight_files import single

    wanted: list[tuple[str, Scene | NoSuchFight, tuple[str, ...], str]] = []
    for stack in stacks:
        base = stack.split("+")[0].strip()
        one = engagement.systems.get(base)
        if one is not None and isinstance(one.scene, NoSuchFight):
            wanted.append((stack, one.scene, (), ""))
        else:
            wanted.append((stack, single(engagement, stack), one.because if one else (), stack))
    if not stacks:
        wanted = [(name, one.scene, one.because, "") for name, one in engagement.systems.items()]
    told = engagement.name, engagement.title, engagement.story
    return _worked_out(told, wanted, tuple(options), look, engagement.gives)


def compare_rulesets(
    scene: Scene, stacks: Sequence[str], options: Iterable[str] = (), look: Looking = LOOKING
) -> Comparison:
    """One situation by several rulesets of the same system, the base first."""
    wanted: list[tuple[str, Scene | NoSuchFight, tuple[str, ...], str]] = [(s, scene, (), s) for s in stacks]
    return _worked_out((scene.name, scene.name, ""), wanted, tuple(options), look, {})


def _worked_out(
    told: tuple[str, str, str],
    wanted: Sequence[tuple[str, Scene | NoSuchFight, tuple[str, ...], str]],
    options: tuple[str, ...],
    look: Looking,
    gives: Mapping[str, Mapping[str, str]],
) -> Comparison:
    faults, columns, words = Faults(), list[Compared](), dict[str, None]()
    unknown = dict.fromkeys(options)
    for label, scene, because, stack in wanted:
        if isinstance(scene, NoSuchFight):
            columns.append(Compared(label, None, scene, because))
            continue
        try:
            bound = ruleset_of(scene, stack)
            mine = [option for option in options if option.partition("=")[0].strip() in bound.ruleset.options]
            for option in mine:
                unknown.pop(option, None)
            fight = staged(scene, bound, mine)
            found = work_out(fight, look.by, look.until_resolved, common_end=look.common_end, most_work=look.most_work)
            columns.append(Compared(label, found, None, because))
            words |= dict.fromkeys(scale(bound.ruleset))
        except Faulty as error:
            several = len(wanted) > 1
            faults.extend(
                replace(d, message=f"{d.message} (by `{label}`)") if several else d for d in error.diagnostics
            )
    faults.raise_if_any()
    if unknown:
        one = next((scene, stack) for _, scene, _, stack in wanted if isinstance(scene, Scene))
        chosen(ruleset_of(*one), unknown)
    return Comparison(*told, tuple(words), tuple(columns), gives)


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
    """Whether any end is likelier under one of the systems than under the first."""
    played = [one.chances for one in comparison.systems if one.chances is not None]
    return any(any(outcome_changes(played[0], one).values()) for one in played[1:])
