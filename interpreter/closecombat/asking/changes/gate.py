"""A gate for chances: those of chosen fights are recorded, and a change of the rules that moves one of them by more
than a bound does not pass unnoticed.

What is recorded is exact, and stays as it was recorded however often a little has moved: many small steps are held
against the first. What is accepted is written down with both chances and the reason, and must still fit what is
recorded; whoever changes one by hand and not the other is told. Nothing is taken over, or left out, without a line:
that a fight is told otherwise, is gone or cannot be worked out any more is written down as well.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache, partial
from os.path import relpath
from pathlib import Path
from typing import Any

from closecombat.asking.crews.batches import Crew, carried_out, stays
from closecombat.asking.exact.answers import SIDES
from closecombat.asking.examples.fights_of import Known, fights_in, fights_of
from closecombat.asking.fights.fight_files import staged
from closecombat.asking.keeping.came_to import Begun, CameTo, Told, said, tell_by
from closecombat.asking.keeping.kept import digest, read_book, write_book
from closecombat.binding.charts import Bound
from closecombat.binding.load import load
from closecombat.reading.model import name_of_stack
from closecombat.reading.stack import line_up, load_stack, shipped
from closecombat.reading.types import shown
from closecombat.text.document import read_source
from closecombat.text.faults import Faulty
from closecombat.text.slotted import dataclass
from closecombat.text.source import Span

BOUND = Fraction(1, 100)
DIGITS = 16  # of the hash of a fight that are recorded
NOT_ASKED = Begun("", {}, {})  # how a fight begins, where only what comes of it is kept
MOVED, GONE, FAILS, RETOLD, STALE = "moved", "gone", "fails", "retold", "stale"
TOGETHER = "together: "  # before how all sides end
Chances = Mapping[str, Fraction]  # of an outcome, such as `german: destroyed` or `german: lost 4`


@dataclass(frozen=True, slots=True)
class Recorded:
    """A fight as it was recorded. `digest` is another if the fight is told otherwise."""

    fight: str
    digest: str
    chances: Chances


@dataclass(frozen=True, slots=True)
class Accepted:
    """What was let pass, and why: a chance that has MOVED, or a fight that is GONE, FAILS or is RETOLD."""

    fight: str
    outcome: str
    old: Fraction
    new: Fraction
    why: str
    how: str = MOVED
    message: str = ""


@dataclass(frozen=True, slots=True)
class Gate:
    """What is recorded. `paths` are where the fights lie, counted from the file; none for the ruleset's own."""

    stack: str
    bound: Fraction
    paths: tuple[str, ...]
    fights: tuple[Recorded, ...]
    accepted: tuple[Accepted, ...]


@dataclass(frozen=True, slots=True)
class Worked:
    """A fight as it is now, or what keeps it from being worked out."""

    fight: str
    digest: str
    chances: Chances
    message: str = ""


@dataclass(frozen=True, slots=True)
class Passing:
    """What does not pass: `how` is one of MOVED, GONE, FAILS, RETOLD, STALE."""

    how: str
    fight: str
    outcome: str = ""
    old: Fraction = Fraction(0)
    new: Fraction = Fraction(0)
    message: str = ""


def gate_file(stack: str) -> Path:
    """Where a stack's record lies: `gate.json` in its folder, or beside the file that the stack ends with."""
    last = stack.rpartition("+")[2].strip()
    place = Path(last)
    if place.is_dir():
        return place / "gate.json"
    if place.is_file():
        return place.parent / "gate.json" if place.name == "ruleset.yaml" else place.with_suffix(".gate.json")
    known = {**shipped(), **shipped("variants")}
    if last in known:
        there = known[last]
        return there / "gate.json" if there.is_dir() else there.with_suffix(".gate.json")
    load_stack(stack)  # which says what is wrong with its name
    return place.with_suffix(".gate.json")


# ---- working out ------------------------------------------------------------------------------------------


def worked_out(
    stack: str, paths: Sequence[str], most_work: int | None, crew: Crew, watch: Callable[[int, int], None]
) -> list[Worked]:
    """The chances of all fights, in their order; those that are kept are not worked out again."""
    bound, known = _ruleset(stack, tuple(paths))
    book = read_book(line_up(stack, None).sources(), f"by sides {most_work}")
    keys = [digest(one.scene) for one in known]
    told = {at: one.told for at, key in enumerate(keys) if (one := book.known.get(key)) is not None and one.told}
    left = [at for at in range(len(known)) if at not in told]
    here, there = partial(_those, bound, known, most_work), partial(_some, stack, tuple(paths), most_work)
    new: dict[str, CameTo] = {}
    lost = Told(message="the process that worked it out was ended, as a system does where memory runs out")
    try:
        for batch, some in carried_out(crew, there if crew.hands else here, iter(left)):
            told |= zip(batch, some or (lost for _ in batch), strict=True)
            new |= {keys[at]: CameTo(NOT_ASKED, None, told[at]) for at in (batch if some else ())}
            watch(len(told), len(known))
    finally:
        write_book(book, new.items())
    return [_worked(known[at], keys[at], told[at]) for at in range(len(known))]


def _some(stack: str, paths: tuple[str, ...], most_work: int | None, batch: tuple[int, ...]) -> list[Told]:
    bound, known = _known(stack, paths)
    return _those(bound, known, most_work, batch)


def _those(bound: Bound, known: Sequence[Known], most_work: int | None, batch: tuple[int, ...]) -> list[Told]:
    return [_told(bound, known[at], most_work) for at in batch]


@lru_cache(maxsize=1)
def _known(stack: str, paths: tuple[str, ...]) -> tuple[Bound, tuple[Known, ...]]:
    """In a process that is there for this alone: what it has read it need not read again."""
    found = _ruleset(stack, paths)
    stays()
    return found


def _ruleset(stack: str, paths: tuple[str, ...]) -> tuple[Bound, tuple[Known, ...]]:
    bound = load(stack)
    if paths:
        return bound, fights_in(paths, bound.ruleset.name)
    return bound, fights_of(load_stack(stack), bound.ruleset.name, (name_of_stack(bound.ruleset),))


def _told(bound: Bound, known: Known, most_work: int | None) -> Told:
    try:
        return tell_by(staged(known.scene, bound), SIDES, most_work)
    except Faulty as error:
        return Told(code=error.diagnostics[0].code if error.diagnostics else "", message=said(error))


def _worked(known: Known, key: str, told: Told) -> Worked:
    if told.message:
        return Worked(known.name, key[:DIGITS], {}, told.message)
    chances = {f"{whom}: {what}": chance for (whom, what), chance in told.chances.items()}
    for side, lost in told.losses.items():
        chances |= {f"{side}: lost {shown(amount)}": chance for amount, chance in lost.items()}
    for end, chance in told.sides.items():
        if len(end) > 1:
            chances[TOGETHER + ", ".join(f"{whom}: {what}" for whom, what in end)] = chance
    return Worked(known.name, key[:DIGITS], chances)


# ---- passing ----------------------------------------------------------------------------------------------


def not_passing(gate: Gate, now: Sequence[Worked]) -> Iterator[Passing]:
    """Everything that does not pass, in the order of the record."""
    there = {one.fight: one for one in now}
    last = {(one.fight, one.outcome): one for one in gate.accepted if one.how == MOVED}
    for was in gate.fights:
        one = there.get(was.fight)
        for outcome in was.chances:
            said = last.get((was.fight, outcome))
            if said is not None and said.new != was.chances[outcome]:
                message = f"what was accepted is {said.new}, what is recorded {was.chances[outcome]}"
                yield Passing(STALE, was.fight, outcome, said.new, was.chances[outcome], message)
        if one is None:
            yield Passing(GONE, was.fight, message="there is no such fight any more")
        elif one.message:
            yield Passing(FAILS, was.fight, message=one.message)
        else:
            if one.digest != was.digest:
                yield Passing(RETOLD, was.fight, message="the fight itself is told otherwise than when it was recorded")
            yield from _moved(was, one, gate.bound)


def _moved(was: Recorded, one: Worked, bound: Fraction) -> Iterator[Passing]:
    """The chances that have moved too far: what is so of one, and how all sides end, where that is not too much to be
    told by either."""
    ends = [any(_is_of_all(outcome) for outcome in chances) for chances in (was.chances, one.chances)]
    for outcome in dict.fromkeys((*was.chances, *one.chances)):
        old, new = was.chances.get(outcome, Fraction(0)), one.chances.get(outcome, Fraction(0))
        if abs(new - old) > bound and (all(ends) or not _is_of_all(outcome)):
            yield Passing(MOVED, was.fight, outcome, old, new)


def _is_of_all(outcome: str) -> bool:
    return outcome.startswith(TOGETHER)


def recorded(stack: str, bound: Fraction, paths: Sequence[str], now: Sequence[Worked]) -> Gate:
    """A record begun anew; what cannot be worked out is not in it."""
    fights = tuple(Recorded(one.fight, one.digest, one.chances) for one in now if not one.message)
    return Gate(stack, bound, tuple(paths), fights, ())


def accepting(gate: Gate, now: Sequence[Worked], why: str) -> Gate:
    """A record in which what has moved is as it is now, with the reason; what has not stays as it was recorded. A fight
    that is told otherwise is recorded anew, and of one that is gone, or fails, nothing is left but that it is so."""
    found = [one for one in not_passing(gate, now) if one.how != STALE]
    there, fights = {one.fight: one for one in now}, list[Recorded]()
    how = {one.fight: one.how for one in reversed(found)}
    for was in gate.fights:
        one, what = there.get(was.fight), how.get(was.fight)
        if what == RETOLD and one is not None:
            fights.append(Recorded(was.fight, one.digest, one.chances))
        elif what == MOVED and one is not None:
            fights.append(replace(was, chances=_as_it_is(was, one, found)))
        elif what is None:
            fights.append(was)
    more = [Accepted(one.fight, one.outcome, one.old, one.new, why, one.how, one.message) for one in found]
    anew, left = {(one.fight, one.outcome) for one in more}, {one.fight: one.chances for one in fights}
    retold = {one.fight for one in found if one.how == RETOLD}
    accepted = [
        one
        for one in gate.accepted
        if (one.fight, one.outcome) not in anew
        and (one.how != MOVED or (one.fight not in retold and one.outcome in left.get(one.fight, {})))
    ]
    return replace(gate, fights=tuple(fights), accepted=(*accepted, *more))


def _as_it_is(was: Recorded, one: Worked, found: Sequence[Passing]) -> Chances:
    """The chances of a fight of which some have moved; how all sides end is left out where that cannot be told now."""
    moved = {each.outcome: each.new for each in found if each.fight == was.fight and each.how == MOVED}
    known, ends = was.chances, {outcome: chance for outcome, chance in one.chances.items() if _is_of_all(outcome)}
    if not ends or not any(map(_is_of_all, known)):
        known = {outcome: chance for outcome, chance in known.items() if not _is_of_all(outcome)} | ends
    return {**known, **moved}


# ---- the file ---------------------------------------------------------------------------------------------


def as_text(gate: Gate) -> str:
    """The record as JSON, an outcome a line, so that a change of it can be read."""
    found = {
        "format_version": 1,
        "gate": gate.stack,
        "bound": str(gate.bound),
        "paths": list(gate.paths),
        "fights": [
            {
                "fight": one.fight,
                "digest": one.digest,
                "chances": {outcome: str(chance) for outcome, chance in one.chances.items()},
            }
            for one in gate.fights
        ],
        "accepted": [_line(one) for one in gate.accepted],
    }
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


def _line(one: Accepted) -> dict[str, str]:
    if one.how != MOVED:
        return {"fight": one.fight, "how": one.how, "message": one.message, "why": one.why}
    return {"fight": one.fight, "outcome": one.outcome, "old": str(one.old), "new": str(one.new), "why": one.why}


def read_gate(file: Path, ruleset: str) -> Gate:
    """The record of a ruleset in a file; raises Faulty if it is none."""
    if not file.is_file():
        raise Faulty.one(
            "file-not-found",
            f"nothing is recorded in `{file.as_posix()}`",
            None,
            help=f"`closecombat gate {ruleset} --record` writes it",
        )
    source = read_source(file)
    try:
        return _read(json.loads(source.text))
    except (ValueError, KeyError, TypeError, AttributeError, ZeroDivisionError):
        help = f"`closecombat gate {ruleset} --record` writes it anew"
        raise Faulty.one("wrong-shape", "this is no record of chances", Span(source, 0, 1), help=help) from None


def _read(found: dict[str, Any]) -> Gate:
    if found["format_version"] != 1:
        raise ValueError("another version")
    return Gate(
        str(found["gate"]),
        Fraction(found["bound"]),
        tuple(map(str, found["paths"])),
        tuple(
            Recorded(str(one["fight"]), str(one["digest"]), {str(k): Fraction(v) for k, v in one["chances"].items()})
            for one in found["fights"]
        ),
        tuple(map(_accepted, found["accepted"])),
    )


def _accepted(one: dict[str, Any]) -> Accepted:
    fight, why = str(one["fight"]), str(one["why"])
    if "how" in one:
        return Accepted(fight, "", Fraction(0), Fraction(0), why, str(one["how"]), str(one["message"]))
    return Accepted(fight, str(one["outcome"]), Fraction(one["old"]), Fraction(one["new"]), why)


def from_here(file: Path, paths: Sequence[str]) -> tuple[str, ...]:
    """Paths that count from the folder of a record, counted from the current one; names of engagements stay."""
    return tuple(one if one in shipped("engagements") else (file.parent / one).as_posix() for one in paths)


def from_there(file: Path, paths: Sequence[str]) -> tuple[str, ...]:
    """The other way round."""
    known = shipped("engagements")
    return tuple(
        one if one in known and not Path(one).exists() else Path(relpath(one, file.parent)).as_posix() for one in paths
    )
