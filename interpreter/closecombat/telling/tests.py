"""The results of examples, as text and as JSON."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from closecombat.asking.examples.collection import Tested
from closecombat.asking.examples.examples import Miss
from closecombat.telling.findings import diagnostics_text, printable, where, wrapped
from closecombat.text.faults import Diagnostic

MOST_IN_FULL = 10  # failures, since nobody reads hundreds of them


def tests_text(tested: Sequence[Tested], width: int | None = None, in_full: bool = False) -> str:
    """Each failing example with what is wrong and where, those that fail for the same fault together; of many only the
    first in full, unless all are; then a line for each ruleset, then the sum."""
    out: list[str] = []
    alike: dict[tuple[str, tuple[Diagnostic, ...]], list[str]] = {}
    for one in tested:
        if not one.passed:
            alike.setdefault((one.ruleset or "no ruleset", one.result.faults), []).append(one.result.id)
    first = {(one.ruleset or "no ruleset", one.result.faults): one for one in reversed(tested)}
    most = len(alike) if in_full else min(len(alike), MOST_IN_FULL)
    for at, ((ruleset, faults), names) in enumerate(alike.items()):
        if at >= most:
            out += _in_short(ruleset, faults, names, width)
            continue
        one = first[ruleset, faults]
        missed = {miss.fault: miss for miss in one.result.misses}
        out += [f"{line}\n" for line in wrapped(f"FAILED {', '.join(names)} ({ruleset})", width, "    ")]
        for fault in faults:
            out.append(diagnostics_text((fault,), width))
            told = _told(missed[fault]) if fault in missed else ()
            out += [f"{part}\n" for line in told for part in wrapped(line.rstrip("\n"), width, " " * 13)]
        out += [_command(f"   {does}: {command}", width) for does, command in again(one)]
        out.append("\n")
    if most < len(alike):
        said = f"the first {most} are told in full: `-k {names[0]}` does so for one, `--all` for all"
        out += ["\n", *(f"{line}\n" for line in wrapped(said, width, "    "))]
    rulesets = list(dict.fromkeys(one.ruleset for one in tested))
    widest = max(len(name) for name in rulesets)
    for name in rulesets if len(rulesets) > 1 else ():
        mine = [one for one in tested if one.ruleset == name]
        out.append(f"{name or '-':{widest}}  {count(mine)}\n")
    out.append(count(tested) + "\n")
    return "".join(out)


def _in_short(ruleset: str, faults: Sequence[Diagnostic], names: Sequence[str], width: int | None) -> Iterator[str]:
    more = f"; and {len(faults) - 1} more" if len(faults) > 1 else ""
    said = f"FAILED {', '.join(names)} ({ruleset}): {printable(faults[0].message)}{more}"
    return (f"{line}\n" for line in wrapped(said, width, "    "))


def _command(line: str, width: int | None) -> str:
    """A command that a shell takes as it stands, over several lines where it is longer than the page."""
    room = None if width is None else width - len(" \\")
    return " \\\n".join([line] if width is None or len(line) <= width else wrapped(line, room, " " * 6)) + "\n"


def _told(miss: Miss) -> Iterator[str]:
    """What was expected, what came of it, and the rows that decided."""
    yield f"   expected: {printable(miss.expected)}\n"
    yield f"   got:      {printable(miss.got)}\n"
    for row in miss.rows:
        cites = f"  [{', '.join(row.cites)}]" if row.cites else ""
        yield f"   decided by {printable(f'{row.name}: {row.said}{cites}')}\n"
        yield f"      {where(row.place)}\n" if row.place is not None else ""


def again(one: Tested) -> Iterator[tuple[str, str]]:
    """The commands that show a failing example again, and what each does; none where it came from standard input."""
    if one.file in ("", "-"):
        return
    by = ("-r", one.by) if one.by else ()
    yield "again", shlex.join(("closecombat", "test", one.file, "-k", one.result.id, *by))
    if one.result.has_dice:
        yield "its story", shlex.join(("closecombat", "resolve", f"{one.file}#{one.result.id}", *by))


def count(tested: Sequence[Tested]) -> str:
    failed = sum(not one.passed for one in tested)
    said = f"{len(tested)} example{'s' * (len(tested) != 1)}"
    return f"{said}, {len(tested) - failed} passed" + (f", {failed} failed" if failed else "")


def tests_json(tested: Iterable[Tested]) -> str:
    examples = []
    for one in tested:
        line, _ = one.result.place.source.position(one.result.place.start)
        examples.append(
            {
                "id": one.result.id,
                "ruleset": one.ruleset,
                "passed": one.passed,
                "file": one.result.place.source.name,
                "line": line,
                "exercises": list(one.result.exercises),
                "faults": _faults(one),
                **({} if one.passed else {"again": [command for _, command in again(one)]}),
            }
        )
    return (
        json.dumps({"format_version": 1, "command": "test", "examples": examples}, indent=2, ensure_ascii=False) + "\n"
    )


def _faults(one: Tested) -> list[dict[str, Any]]:
    missed = {miss.fault: miss for miss in one.result.misses}
    out: list[dict[str, Any]] = []
    for fault in one.result.faults:
        told: dict[str, Any] = {"code": fault.code, "message": fault.message}
        if (miss := missed.get(fault)) is not None:
            rows = [
                {
                    "name": row.name,
                    "said": row.said,
                    "cites": list(row.cites),
                    "place": None if row.place is None else where(row.place),
                }
                for row in miss.rows
            ]
            told |= {"expected": miss.expected, "got": miss.got, "rows": rows}
        out.append(told)
    return out
