"""What is answered of a fight's chances: data, and no way to find it out.

`chances` and `ends` work it out; `remembered` keeps it, so that a question that was asked before needs neither.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from closecombat.proving.values.budget import TAKES_LONG
from closecombat.reading.model import FATES
from closecombat.reading.types import Exact
from closecombat.text.slotted import dataclass

if TYPE_CHECKING:
    from closecombat.proving.values.symbolic import Value

UNITS, SIDES = "units", "sides"  # what ends are told apart by
TOO_MUCH = frozenset({TAKES_LONG, "budget-exceeded"})
FIT, SHAKEN, WITHDREW, PARTED, DRIVEN_OFF, TAKEN, LOST = FATES
THERE = (FIT, SHAKEN)


@dataclass(frozen=True, slots=True)
class Place:
    """Who is alone in the place that was fought for. All chances sum to exactly 1."""

    held: Mapping[str, Fraction]  # side -> the chance that it is there, and no other
    contested: Fraction
    nobody: Fraction


@dataclass(frozen=True, slots=True)
class SideEnd:
    """What becomes of a side. All shares are of the strength that it came with, which is more than nothing.

    `fates` is the average share that ends in each way; they sum to exactly 1, whatever is missing being lost.
    `locked_in` is the part of the fit and the shaken whose place is still contested. `lost` is how likely each
    share is lost, whoever was taken included, least first.
    """

    came: Exact
    counted_in: str
    fates: Mapping[str, Fraction]
    locked_in: Fraction
    lost: tuple[tuple[Fraction, Fraction], ...]

    @property
    def loss(self) -> Fraction:
        """The average share lost."""
        return sum((share * chance for share, chance in self.lost), Fraction(0))

    @property
    def half_the_time(self) -> tuple[Fraction, Fraction]:
        """The share lost lies between these at least half the time: its quartiles."""
        return quantile(self.lost, Fraction(1, 4)), quantile(self.lost, Fraction(3, 4))


@dataclass(frozen=True, slots=True)
class UnitEnd:
    """What becomes of one who came: how likely each fate is, and the average strength it has lost."""

    side: str
    came: Exact
    lost: Exact
    fates: Mapping[str, Fraction]


@dataclass(frozen=True, slots=True)
class Ends:
    """The common end of a fight. A side that came without any strength has no shares, and is not among `sides`."""

    place: Place
    sides: Mapping[str, SideEnd]
    units: Mapping[str, UnitEnd]


def quantile(distribution: Sequence[tuple[Fraction, Fraction]], part: Fraction) -> Fraction:
    """The least value, of some in rising order with their chances, that is not passed with that chance or more."""
    so_far = Fraction(0)
    for value, chance in distribution:
        so_far += chance
        if so_far >= part:
            return value
    return distribution[-1][0]


# ---- what a change does, and what a result rests on --------------------------------------------------------

STRENGTH_LOST, ON_AVERAGE = "strength lost", "on average"  # amounts: no word for how a side can end is called so
ASSUMPTION, READING, CHOICE = "assumption", "reading", "choice"
MOVES, STILL, ALONE, UNWEIGHED = "moves", "nothing", "no-other-reading", "not-weighed"


@dataclass(frozen=True, slots=True)
class Shift:
    """What becomes of `what` of `whom`: a chance, or an amount, such as the strength lost. It may be that of several
    things that are so `together`."""

    whom: str
    what: str
    old: Fraction
    new: Fraction
    together: tuple[tuple[str, str], ...] = ()

    @property
    def by(self) -> Fraction:
        return self.new - self.old

    @property
    def is_amount(self) -> bool:
        return self.what in (STRENGTH_LOST, ON_AVERAGE)


@dataclass(frozen=True, slots=True)
class Basis:
    """Something that a result rests on: an assumption, how a rule is read, or a choice that was left to the ruleset.

    `now` is what it is, `other` what else it could be where that moves most, and `shift` the outcome that is moved most
    by it. What does not move has a `why` where it has no other reading or was not weighed; what moves has one where
    something else that it could be was not weighed.
    """

    sort: str
    name: str
    now: str
    cites: tuple[str, ...]
    fate: str
    other: str = ""
    shift: Shift | None = None
    why: str = ""
    says: tuple[str, ...] = ()  # of the remarks of a result, those that it stands for


# ---- all ends -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Outcome:
    """One end. `lost` is each side's strength lost, its mean where several ends of the same verdicts are one;
    `units` is what has changed of whom."""

    probability: Fraction
    sides: Mapping[str, str]
    lost: Mapping[str, Exact]
    units: Mapping[str, Mapping[str, Value]]


@dataclass(frozen=True, slots=True)
class Loss:
    """What a side loses: on average, and how likely each amount is, least first."""

    expected: Exact
    unit: str
    distribution: tuple[tuple[Exact, Fraction], ...]


@dataclass(frozen=True, slots=True)
class Assumption:
    """A reading of the rules that a result rests on."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Chances:
    """All ends of a fight, the most likely first; their probabilities sum to exactly 1.

    `printed` names the facts that another counter brings with it, `scale` the words for how a side can end.
    """

    ruleset: str
    title: str
    outcomes: tuple[Outcome, ...]
    losses: Mapping[str, Loss]
    verdicts: Mapping[str, Mapping[str, Fraction]]  # side -> verdict -> chance, in the order of the scale
    assumptions: tuple[Assumption, ...]
    remarks: tuple[str, ...]
    printed: frozenset[str]
    readings: Mapping[str, str]  # the options that were asked for, and how each was read
    scale: tuple[str, ...]  # the mildest first
    ends: Ends | None = None  # where it was asked for, and the ruleset tells it
    by: str = UNITS  # what ends are told apart by
    over_after: tuple[Fraction, ...] | None = None  # of a fight to the end: how likely after one close combat, two ..
    rests_on: tuple[Basis, ...] | None = None  # if it was weighed, the heaviest first
