"""What is said of the rules of a fight once they are weighed: what a change does, and what is whose doing."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TypeAlias

from closecombat.asking.exact.answers import Shift
from closecombat.asking.weights.shares import Share
from closecombat.text.slotted import dataclass

MODIFIER, NUMBER, CHANGE = "modifier", "number", "change"  # beside what a result rests on
FORBIDDEN, TOO_LARGE, AT_FAULT, NOT_TRIED = "forbidden", "too-large", "at-fault", "not-tried"
OPTIONS, ASSUMPTIONS, CHANGES = "options", "assumptions", "changes"
Outcome: TypeAlias = tuple[str, str]  # of whom, and what


@dataclass(frozen=True, slots=True)
class Weight:
    """What one change does: `was` is how it is, `other` how it would be. `shifts` are the outcomes that move, the
    largest first; or `fault` says why there are none, and `message` more of it."""

    sort: str
    name: str
    was: str
    other: str
    cites: tuple[str, ...]
    assumed: tuple[str, ...]
    shifts: tuple[Shift, ...]
    fault: str = ""
    message: str = ""

    @property
    def by(self) -> tuple[bool, Fraction, Fraction]:
        """How much it matters: what cannot be worked out most, then by the chance that moves most, then by amounts."""
        chance = max((abs(one.by) for one in self.shifts if not one.is_amount), default=Fraction(0))
        return bool(self.fault), chance, max((abs(one.by) for one in self.shifts), default=Fraction(0))


@dataclass(frozen=True, slots=True)
class Together:
    """What those of one sort do together to an outcome, and the share of each; of the readings, if all were read the
    other way. `orders` are how many were drawn, 0 where every one was reckoned with; where no shares can be had,
    `message` says why. `left_out` stay as they are: without them, alone or with others, there is no such fight."""

    sort: str
    names: tuple[str, ...]
    whole: Mapping[Outcome, Fraction]
    shares: tuple[Mapping[Outcome, Share], ...]
    orders: int
    left_out: tuple[str, ...]
    message: str = ""


@dataclass(frozen=True, slots=True)
class LeftOpen:
    """A choice that may be left to the ruleset: what it is called, what a result says of it, and what is answered; and
    why other answers are not weighed, if they are not."""

    name: str
    remarks: tuple[str, ...]
    now: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class Weighed:
    """What matters in a fight, the heaviest first. `outcomes` is how it is; `unmoved` was met and changes nothing,
    `never_met` no run of this fight comes to. `assumed` is all that the result may rest on, with what a change of it
    does most, if it can be read otherwise."""

    name: str
    ruleset: str
    title: str
    unit: str
    outcomes: Mapping[Outcome, Fraction]
    weights: tuple[Weight, ...]
    unmoved: tuple[Weight, ...]
    never_met: Mapping[str, tuple[str, ...]]
    together: tuple[Together, ...]
    assumed: tuple[tuple[str, Weight | None], ...]
    left_open: tuple[LeftOpen, ...] = ()  # where choices were weighed too
