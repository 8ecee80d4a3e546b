"""The results of examples, as text and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from closecombat.asking.collection import Tested
from closecombat.telling.findings import diagnostics_text
from closecombat.text.faults import Diagnostic


def tests_text(tested: Sequence[Tested]) -> str:
    """Each failing example with what is wrong and where, those that fail for the same fault together; then a line for
    each ruleset, then the sum."""
    out = []
    alike: dict[tuple[str, tuple[Diagnostic, ...]], list[str]] = {}
    for one in tested:
        if not one.passed:
            alike.setdefault((one.ruleset or "no ruleset", one.result.faults), []).append(one.result.id)
    for (ruleset, faults), names in alike.items():
        out.append(f"FAILED {', '.join(names)} ({ruleset})\n")
        out.append(diagnostics_text(faults) + "\n")
    rulesets = list(dict.fromkeys(one.ruleset for one in tested))
    widest = max(len(name) for name in rulesets)
    for name in rulesets if len(rulesets) > 1 else ():
        mine = [one for one in tested if one.ruleset == name]
        out.append(f"{name or '-':{widest}}  {count(mine)}\n")
    out.append(count(tested) + "\n")
    return "".join(out)


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
                "faults": [{"code": fault.code, "message": fault.message} for fault in one.result.faults],
            }
        )
    return (
        json.dumps({"format_version": 1, "command": "test", "examples": examples}, indent=2, ensure_ascii=False) + "\n"
    )
