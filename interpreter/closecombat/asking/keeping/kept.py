"""What the fights of a ruleset came to, kept in the user's cache: a book for each text of its rules.

The key of a book is the texts of the ruleset and all of this program (`text/cache`), so that what stands in it can
never be out of date; a fight stands in it under a hash of what it is. Whoever has read a book asks it first; what has
come out since is written into it once, at the end, also of work that was broken off.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import Any

from closecombat.asking.examples.fights_of import MATTERS
from closecombat.asking.fights.fight_files import Scene
from closecombat.asking.keeping.came_to import Begun, CameTo, Reached, Together, Told
from closecombat.reading.types import exact
from closecombat.text.cache import keep, key_for, recalled
from closecombat.text.nodes import flow
from closecombat.text.slotted import dataclass
from closecombat.text.source import Source


@dataclass(frozen=True, slots=True)
class Book:
    """What fights came to, each under its `digest`; `files` are those of the ruleset, by which places are told."""

    key: str
    files: tuple[str, ...]
    known: Mapping[str, CameTo]


def digest(scene: Scene) -> str:
    """A hash of all that decides what a fight comes to, but for the ruleset."""
    parts = (flow(node) if (node := scene.document.get(key)) is not None else "" for key in MATTERS)
    return sha256("\n".join(parts).encode()).hexdigest()[:32]


def read_book(sources: Sequence[Source], asked: str) -> Book:
    """The book of the ruleset that some texts are; `asked` says how its fights were worked out. What cannot be read is
    as good as not written."""
    key = key_for(f"fights {asked}", (text for each in sources for text in (Path(each.name).name, each.text)))
    files = tuple(each.name for each in sources)
    try:
        found = json.loads(recalled(key) or "{}")
        return Book(key, files, {name: _read(written, files) for name, written in found.items()})
    except (AttributeError, LookupError, TypeError, ValueError, ArithmeticError):
        return Book(key, files, {})


def write_book(book: Book, found: Iterable[tuple[str, CameTo]]) -> None:
    """Keeps a book with what has been found since it was read."""
    more = {name: one for name, one in found if one != book.known.get(name)}
    if more:
        numbers = {name: at for at, name in enumerate(book.files)}
        every = {**book.known, **more}
        text = json.dumps({name: _written(one, numbers) for name, one in every.items()}, separators=(",", ":"))
        keep(book.key, text)


def _written(one: CameTo, files: Mapping[str, int]) -> list[Any]:
    begun = [one.begun.opening, dict(one.begun.options), dict(one.begun.roles)]
    reached = None
    if one.reached is not None:
        reached = [
            sorted(one.reached.options),
            {name: int(supposed) for name, supposed in one.reached.looked_into.items()},
            sorted([files[name], start] for name, start in one.reached.places if name in files),
            sorted(one.reached.later),
        ]
    return [begun, reached, None if one.told is None else _written_told(one.told), one.writing, one.work]


def _written_told(told: Told) -> list[Any]:
    chances = [[[*key, str(chance)] for key, chance in each.items()] for each in (told.verdicts, told.changes)]
    losses = {
        side: [[str(amount), str(chance)] for amount, chance in found.items()] for side, found in told.losses.items()
    }
    ends = [[[list(end), str(chance)] for end, chance in each.items()] for each in (told.sides, told.together)]
    rest = [told.unit, told.by_units, told.code, told.message, list(told.left), told.is_finest, *ends, told.digest]
    return [*chances, losses, *rest]


def _read(written: Any, files: Sequence[str]) -> CameTo:
    (opening, options, roles), reached, told, writing, work = written
    return CameTo(
        Begun(opening, options, roles),
        None if reached is None else _read_reached(reached, files),
        None if told is None else _read_told(told),
        int(writing),
        int(work),
    )


def _read_reached(written: Any, files: Sequence[str]) -> Reached:
    options, looked_into, places, later = written
    return Reached(
        frozenset(options),
        {name: bool(supposed) for name, supposed in looked_into.items()},
        frozenset((files[at], start) for at, start in places),
        frozenset(later),
    )


def _read_told(written: Any) -> Told:
    verdicts, changes, losses, unit, by_units, code, message, left, is_finest, sides, together, digest = written
    return Told(
        {(whom, what): Fraction(chance) for whom, what, chance in verdicts},
        {(whom, what): Fraction(chance) for whom, what, chance in changes},
        {
            side: {exact(Fraction(amount)): Fraction(chance) for amount, chance in found}
            for side, found in losses.items()
        },
        unit,
        by_units,
        code,
        message,
        tuple(left),
        is_finest,
        _read_ends(sides),
        _read_ends(together),
        digest,
    )


def _read_ends(written: Any) -> Together:
    return {tuple([(whom, what) for whom, what in end]): Fraction(chance) for end, chance in written}
