"""The ledger of ambiguities, as Markdown, as CSV and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from closecombat.asking.exact.answers import Shift
from closecombat.asking.weights.ledger import Doubt, Ledger
from closecombat.asking.weights.weights import Weight
from closecombat.telling.page import amount, change, change_of_amount, percent
from closecombat.telling.sheets import csv_text
from closecombat.telling.weigh import FAULTS

HEAD = """\
# The ledger of ambiguities

Where a rulebook can be read in two ways, or does not say something at all, a ruleset takes one reading and says so.
Here is what each other reading would do in the shipped engagements, exactly: the outcome that it moves most, in points
of a hundred, or of the strength lost. Each is changed by itself, with all else as it is. What moves none of these may
still decide the fight next door: `closecombat weigh FIGHT` says so of any.

Written by `closecombat ledger -o rulesets/ambiguities.md`; a test says when it is out of date.
"""


def ledger_markdown(ledgers: Sequence[Ledger]) -> str:
    return HEAD + "".join("\n" + "\n".join(_section(one)) + "\n" for one in ledgers)


def made_from(ledger: str, digest: str) -> str:
    """The line by which a section says what it was made from."""
    return f"<!-- {ledger} {digest} -->"


def _section(ledger: Ledger) -> Iterator[str]:
    moving = [doubt for doubt in ledger.doubts if doubt.moves]
    yield f"## {ledger.ruleset}"
    yield made_from(ledger.ruleset, ledger.digest)
    yield ""
    yield f"{ledger.title}, in {', '.join(ledger.fights)}."
    yield ""
    if moving:
        yield "| doubt | rests on | if it were | in | then | was | becomes | changes by |"
        yield "|---|---|---|---|---|---|---|---|"
    for doubt in moving:
        yield from _lines(doubt)
    if moving:
        yield ""
    resting = dict.fromkeys(id for doubt in moving for id in doubt.assumed)
    yield from (f"- {id}: {ledger.texts[id]}" for id in resting)
    for said, names in (
        ("Met in some of these, and moves none", _names(ledger)),
        ("Never met in these", ledger.never),
        ("No other reading", [f"{id} ({why})" for id, why in ledger.only.items()]),
        ("Cannot be worked out", [f"{fight}: {why}" for fight, why in ledger.none.items()]),
    ):
        if names:
            yield ""
            yield f"{said}: {', '.join(names)}."


def _names(ledger: Ledger) -> list[str]:
    moving = {doubt.name for doubt in ledger.doubts if doubt.moves}
    return list(dict.fromkeys(doubt.name for doubt in ledger.doubts if doubt.name not in moving))


def _lines(doubt: Doubt) -> Iterator[str]:
    """A line for each fight; what is the same as above is left out."""
    head = f"{doubt.name}{''.join(f' {cite}' for cite in doubt.cites[:1])}", ", ".join(doubt.assumed), doubt.other
    for at, (fight, weight) in enumerate(doubt.moves):
        told = " | ".join(head if not at else ("", "", ""))
        yield f"| {told} | {fight} | {' | '.join(_moved(weight))} |"


def _moved(weight: Weight) -> tuple[str, str, str, str]:
    if weight.fault:
        return FAULTS[weight.fault], "", "", ""
    first = weight.shifts[0]
    return f"{first.whom} {first.what}", _told(first, True), _told(first, False), _by(first)


def _told(shift: Shift, is_old: bool) -> str:
    value = shift.old if is_old else shift.new
    return amount(value) if shift.is_amount else percent(value)


def _by(shift: Shift) -> str:
    if shift.is_amount:
        return change_of_amount(shift.by)
    return change(shift.by)


def ledger_csv(ledgers: Sequence[Ledger]) -> str:
    """A line for each doubt in each fight that comes to it, with the outcome that it moves most, if it moves any; and
    one for each that is never met, or has no other reading."""
    return csv_text(_rows(ledgers))


def _rows(ledgers: Sequence[Ledger]) -> Iterator[tuple[object, ...]]:
    yield (
        *("ruleset", "doubt", "cites", "rests_on", "if_it_were", "fate", "fight"),
        *("whom", "outcome", "was", "becomes", "changes_by", "message"),
    )
    for ledger in ledgers:
        for doubt in ledger.doubts:
            told = ledger.ruleset, doubt.name, ", ".join(doubt.cites), ", ".join(doubt.assumed), doubt.other
            moved = {fight for fight, _ in doubt.moves}
            for fight, one in doubt.moves:
                first = () if one.fault else one.shifts[:1]
                numbers = next(((each.whom, each.what, each.old, each.new, each.by) for each in first), ("",) * 5)
                yield *told, one.fault or "moves", fight, *numbers, one.message
            yield from ((*told, "still", fight, *("",) * 6) for fight in doubt.met if fight not in moved)
        yield from ((ledger.ruleset, name, "", "", "", "never-met", *("",) * 7) for name in ledger.never)
        yield from (
            (ledger.ruleset, id, "", id, "", "no-other-reading", *("",) * 6, why) for id, why in ledger.only.items()
        )
        yield from (
            (ledger.ruleset, *("",) * 4, "not-worked-out", fight, *("",) * 5, why) for fight, why in ledger.none.items()
        )


def ledger_json(ledgers: Sequence[Ledger]) -> str:
    out = {"format_version": 1, "command": "ledger", "rulesets": [_ledger(one) for one in ledgers]}
    return json.dumps(out, indent=2, ensure_ascii=False) + "\n"


def _ledger(ledger: Ledger) -> dict[str, object]:
    return {
        "ruleset": ledger.ruleset,
        "fights": list(ledger.fights),
        "doubts": [_doubt(one) for one in ledger.doubts],
        "never_met": list(ledger.never),
        "only": dict(ledger.only),
        "not_worked_out": dict(ledger.none),
    }


def _doubt(doubt: Doubt) -> dict[str, object]:
    return {
        "doubt": doubt.name,
        "if_it_were": doubt.other,
        "cites": list(doubt.cites),
        "assumed": list(doubt.assumed),
        "met_in": list(doubt.met),
        "moves": [_move(fight, one) for fight, one in doubt.moves],
    }


def _move(fight: str, one: Weight) -> dict[str, object]:
    if one.fault:
        return {"fight": fight, "fault": one.fault}
    first = one.shifts[0]
    return {
        "fight": fight,
        "whom": first.whom,
        "outcome": first.what,
        "old": str(first.old),
        "new": str(first.new),
        "by": str(first.by),
    }
