"""How many: dice that are thrown, cards that are dealt, times that a row is done. A whole number, and not below 0."""

from __future__ import annotations

from closecombat.proving.values.symbolic import Checks, Value
from closecombat.reading.types import shown
from closecombat.text.faults import Faulty
from closecombat.text.slotted import dataclass
from closecombat.text.source import Span


@dataclass(frozen=True, slots=True)
class HowMany(Checks):
    """A number that is one, given back; `said` holds `{}` for one that is none. `most` None is without a bound."""

    said: str
    place: Span
    most: int | None = None

    def __call__(self, number: Value) -> int:
        if type(number) is not int or number < 0 or (self.most is not None and number > self.most):
            up_to = "not below 0" if self.most is None else f"0 to {self.most}"
            help = f"let it be whole, and {up_to}: `.. rounded down`, `the higher of 0 and ..`"
            raise Faulty.one("out-of-range", self.said.format(shown(number)), self.place, help=help)
        return number
