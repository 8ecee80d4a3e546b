"""The curve that the rows of a sweep make: the chance of one side to hold the place, over its strength against the
other's, system by system. The rows are read back from the file that `sweep` wrote, whoever cut, sorted or joined it."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path

from closecombat.asking.sweeps.grid import held_column
from closecombat.reading.fields import fraction_of
from closecombat.text.faults import Faulty, suggest
from closecombat.text.slotted import dataclass

RATIO = re.compile(r"force ratio (\S+) to (\S+)")
LONGEST_CELL = 1_000_000  # letters


@dataclass(frozen=True, slots=True)
class Point:
    """One force ratio in one system: the mean chance of its situations, the least and the highest."""

    ratio: Fraction
    system: str
    situations: int
    mean: Fraction
    least: Fraction
    most: Fraction


@dataclass(frozen=True, slots=True)
class Curve:
    """The chance of the side `of` to hold the place, by its strength to that of `against`; points by ratio, the lowest
    first, then by system as they come. `without` is how many rows have no result."""

    name: str
    of: str
    against: str
    systems: Sequence[str]
    points: Sequence[Point]
    without: int

    def at(self, ratio: Fraction, system: str) -> Point | None:
        return next((one for one in self.points if (one.ratio, one.system) == (ratio, system)), None)


def read_curve(name: str, systems: Sequence[str] = ()) -> Curve:
    """The curve of a file of rows, perhaps of some systems only. Raises Faulty if it holds none."""
    found: dict[tuple[Fraction, str], list[Fraction]] = {}
    seen: dict[str, None] = {}
    sides, without = ("", ""), 0
    for number, row in enumerate(_rows(name), 1):
        if number == 1:
            sides = _sides(name, row)
        system = str(row.get("system") or "")
        seen[system] = None
        if systems and system not in systems:
            continue
        ratio, chance = row.get(f"force ratio {sides[0]} to {sides[1]}"), row.get(held_column(sides[0]))
        if not ratio or not chance:
            without += 1
            continue
        numbers = fraction_of(str(ratio)), fraction_of(str(chance))
        if numbers[0] is None or numbers[1] is None:
            raise _no_rows(name, f"row {number} holds `{ratio}` and `{chance}`, which are no exact numbers")
        found.setdefault((numbers[0], system), []).append(numbers[1])
    for system in systems:
        if system not in seen:
            help = suggest(system, seen) or "there are " + ", ".join(seen)
            raise Faulty.one("unknown-name", f"no row of `{name}` is of `{system}`", None, help=help)
    if not found:
        raise _no_rows(name, "no row has a result")
    wanted = [system for system in seen if not systems or system in systems]
    points = [
        Point(ratio, system, len(all), sum(all, Fraction(0)) / len(all), min(all), max(all))
        for (ratio, system), all in sorted(found.items(), key=lambda one: (one[0][0], wanted.index(one[0][1])))
    ]
    return Curve(Path(name).name.partition(".")[0], *sides, wanted, points, without)


def _sides(name: str, row: Mapping[str, object]) -> tuple[str, str]:
    """Who is set against whom: as the column says that holds the ratio."""
    ratio = next((found for column in row if (found := RATIO.fullmatch(column))), None)
    if ratio is None or held_column(ratio[1]) not in row or "system" not in row:
        raise Faulty.one(
            "wrong-shape",
            f"`{name}` holds no curve: it has no force ratio, or not who holds the place",
            None,
            help="write `ratio: ONE to OTHER` into the plan of the sweep, and let it `ask: place`",
        )
    return ratio[1], ratio[2]


def _rows(name: str) -> Iterator[Mapping[str, object]]:
    csv.field_size_limit(LONGEST_CELL)
    try:
        with open(name, encoding="utf-8-sig", newline="") as stream:
            if name.lower().endswith(".csv"):
                yield from csv.DictReader(stream)
                return
            for number, line in enumerate(stream, 1):
                try:
                    row = json.loads(line)
                except ValueError:
                    row = None
                if not isinstance(row, dict):
                    raise _no_rows(name, f"line {number} is no row")
                yield row
    except FileNotFoundError:
        raise Faulty.one("file-not-found", f"there is no `{name}`", None, help="check the path") from None
    except (UnicodeDecodeError, csv.Error) as trouble:
        raise _no_rows(name, str(trouble)) from None


def _no_rows(name: str, why: str) -> Faulty:
    return Faulty.one("wrong-shape", f"`{name}`: {why}", None, help="give a file that `sweep` has written, as it is")
