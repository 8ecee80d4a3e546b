"""Mutants that no example would miss, as text; and the file that keeps what became of each, line by line.

A line says its mutant and the digest of the rules and examples, so that whoever goes on after a kill knows what is
known already: a line that is not whole is cut off, and a file of other rules is refused.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from closecombat.asking.examples.mutants import Mutant
from closecombat.asking.examples.mutation import CAUGHT, LOST, OURS, REFUSED, SAME, SURVIVED, Fate, Plan
from closecombat.telling.findings import printable
from closecombat.text.faults import Faulty


def survivors_text(plan: Plan, fates: Iterable[Fate]) -> str:
    """Each mutant that no example would miss, with its place, in the order of the ruleset."""
    return "".join(
        _survivor(plan.mutants[one.number], one) for one in sorted(fates, key=_number) if one.fate in (SURVIVED, LOST)
    )


def _survivor(mutant: Mutant, fate: Fate) -> str:
    line, column = mutant.place.source.position(mutant.place.start)
    if fate.fate == LOST:
        why = "it was not found out whether an example would miss it: trying it ended the process"
    elif fate.asked:
        why = f"no example would miss it; {fate.asked} ask{'s' * (fate.asked == 1)} for this row"
    else:
        why = "no example would miss it; none asks for this row"
    return printable(f"{mutant.place.source.name}:{line}:{column}: {mutant.id}: {mutant.changed}") + f"\n   {why}\n"


def count(fates: Iterable[Fate]) -> str:
    """How many mutants there were, and what has become of them."""
    found = Counter(one.fate for one in fates)
    tried = sum(found.values()) - found[SAME]
    said = [f"{tried:,} mutant{'s' * (tried != 1)}", f"{found[CAUGHT]:,} that an example would miss"]
    said += [f"{found[REFUSED]:,} no ruleset"] * bool(found[REFUSED])
    said += [f"{found[SURVIVED]:,} that no example would miss"]
    said += [f"{found[LOST]:,} lost"] * bool(found[LOST])
    said += [f"{found[OURS]:,} faults of closecombat itself: please report them"] * bool(found[OURS])
    return ", ".join(said)


def _number(fate: Fate) -> int:
    return fate.number


class FateFile:
    """A file of fates that is open to be gone on with; `known` are those that it holds already."""

    def __init__(self, file: str, plan: Plan) -> None:
        self._path, self._plan = Path(file), plan
        self.known: list[Fate] = []
        self._stream: BinaryIO | None = None

    def __enter__(self) -> FateFile:
        whole = self._read() if self._path.exists() else 0
        self._stream = self._path.open("r+b" if self._path.exists() else "w+b")
        self._stream.truncate(whole)
        self._stream.seek(whole)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._stream is not None:
            self._stream.close()

    def write(self, fate: Fate) -> None:
        """A line, which stands in the file at once."""
        mutant = self._plan.mutants[fate.number]
        line, _ = mutant.place.source.position(mutant.place.start)
        told = {
            "mutant": fate.number,
            "of": self._plan.digest,
            "fate": fate.fate,
            "by": fate.by,
            "asked": fate.asked,
            "id": mutant.id,
            "changed": mutant.changed,
            "file": mutant.place.source.name,
            "line": line,
        }
        if self._stream is not None:
            self._stream.write((json.dumps(told, ensure_ascii=False) + "\n").encode())
            self._stream.flush()

    def _read(self) -> int:
        """What is known by now; how far the whole lines go."""
        text = self._path.read_bytes()
        whole = text.rfind(b"\n") + 1
        wanted = {number for number, _ in self._plan.pieces}
        for line in text[:whole].splitlines():
            fate = self._fate(line)
            if fate.number in wanted:
                self.known.append(fate)
        return whole

    def _fate(self, line: bytes) -> Fate:
        try:
            told = json.loads(line)
        except ValueError:
            told = None
        if isinstance(told, Mapping) and told.get("of") == self._plan.digest:
            number, fate, by, asked = (told.get(key) for key in ("mutant", "fate", "by", "asked"))
            if isinstance(number, int) and isinstance(fate, str) and isinstance(by, str) and isinstance(asked, int):
                return Fate(number, fate, by, asked)
        raise Faulty.one(
            "wrong-shape",
            f"`{self._path}` holds something else than mutants of these rules by these examples",
            None,
            help="they may have changed since it was begun: name another file, or delete this one",
        )
