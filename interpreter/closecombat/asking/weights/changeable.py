"""What can be changed of the rules that a fight comes to, and how: rows, readings, numbers, assumptions, and what
variants have changed. What that does is `weigh`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import partial

from closecombat.asking.exact.answers import ASSUMPTION, READING
from closecombat.asking.fights.fight_files import Scene, lineup_of, staged
from closecombat.asking.weights.weights import ASSUMPTIONS, CHANGE, CHANGES, MODIFIER, NUMBER, OPTIONS
from closecombat.binding.charts import Bound
from closecombat.binding.load import altered
from closecombat.playing.fight import Fight
from closecombat.playing.run import Run
from closecombat.playing.unknowns import Counts, Reading, Says, Unknown
from closecombat.reading.model import SWITCHED, Origin, Row, Ruleset, Table, number_of
from closecombat.reading.variants import otherwise
from closecombat.text.faults import Faulty
from closecombat.text.nodes import Mapping, Node, Text, flow
from closecombat.text.slotted import dataclass

VERDICTS = frozenset({"is", "add", "times", "rounded", "do"})  # columns that do not say when a row counts
ASKED_BY_NAME = ("tables", "groups")  # sections of what a run is known to have looked into or not
ASKED_LAST = ("outcomes", "strength-lost")  # tables that say how a fight has ended, and change nothing in it
NOTHING_UNKNOWN = Unknown(Reading(""), ())


@dataclass(frozen=True, slots=True)
class Candidate:
    """A change that may matter: what it is and what it would be, of an unknown, or by rules that are written
    otherwise."""

    sort: str
    name: str
    unknown: Unknown
    is_now: str
    would_be: str
    cites: tuple[str, ...]
    assumed: tuple[str, ...]
    by: Fight | Faulty | None = None


def candidates(fight: Fight, met: Collection[int], word: str) -> tuple[list[Candidate], dict[str, list[str]]]:
    """What can be changed of what a run has `met`, and the names of what it never came to, by chart."""
    rules, never = fight.bound.ruleset, dict[str, list[str]]()
    found: list[Candidate] = []
    for table in rules.tables.values():
        if table.name in ASKED_LAST:
            continue
        for row in table.rows:
            name = f"{table.name}.{row.id}"
            can_be_changed = table.policy in SWITCHED or (row.where.assumed and number_of(row) is not None)
            if word not in name or not can_be_changed:
                continue
            if id(row.where) not in met:
                never.setdefault(table.name, []).append(row.id)
                if not keeps_out(table, row, met):
                    continue
            found += _of_row(table, row, name)
    for option in rules.options.values():
        if word not in option.name:
            continue
        if id(option) not in met:
            never.setdefault(OPTIONS, []).append(option.name)
            continue
        reading = fight.options[option.name]
        assumed = option.assumed.get(reading, ()) or option.where.assumed
        for other in option.readings:
            if other != reading:
                unknown = Unknown(Reading(option.name), (reading, other))
                cites = option.where.cites
                found.append(Candidate(READING, option.name, unknown, reading, other, cites, assumed))
    return found, never


def keeps_out(table: Table, row: Row, met: Collection[int]) -> bool:
    """Whether a row that does not count, since another counts in its place, may keep out others all the same."""
    above = (one for one in table.rows if row.id in one.instead_of)
    return bool(row.instead_of) and any(id(one.where) in met or keeps_out(table, one, met) for one in above)


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of a fight as they are written: the document `without` some changes of its variants, and the fight by
    other rules."""

    without: Callable[[frozenset[str]], Mapping]
    by: Callable[[Bound], Fight]


def rules_of(scene: Scene, stack: str, options: tuple[str, ...] = ()) -> Rules:
    """The rules that a fight is played by, with readings chosen as `name=reading`."""
    return Rules(
        lambda names: lineup_of(scene, stack).put_together(names).document, lambda bound: staged(scene, bound, options)
    )


def second_readings(
    fight: Fight, run: Run, rules: Rules, word: str, never: dict[str, list[str]]
) -> Iterator[Candidate]:
    """The assumptions that say what they would be else, each with the fight by rules that are read so. Those that
    change a table which nobody has looked into are never met."""
    ruleset, document = fight.bound.ruleset, None
    for id, second in ruleset.second_readings.items():
        if word not in id or not second.changes:
            continue
        if not any(_is_met(change, run) for change in second.changes):
            never.setdefault(ASSUMPTIONS, []).append(id)
            continue
        document = document or rules.without(frozenset())
        place = Text(id, second.changes[0].span, True, second.changes[0].span)
        said = "; ".join(_change_said(change) for change in second.changes)
        other = _by(rules, ruleset, partial(otherwise, document, place, second.changes))
        yield Candidate(ASSUMPTION, id, NOTHING_UNKNOWN, ruleset.assumptions[id], said, (), (id,), other)


def _by(rules: Rules, ruleset: Ruleset, make: Callable[[], Mapping]) -> Fight | Faulty:
    try:
        return rules.by(altered(make(), ruleset))
    except Faulty as error:
        return error


def changes_left_out(
    fight: Fight, run: Run, rules: Rules, word: str, never: dict[str, list[str]]
) -> Iterator[Candidate]:
    """The changes of variants, each with the fight by rules without it."""
    for change in fight.bound.ruleset.changes:
        name, (section, chart, *_) = f"{change.variant}.{change.id}", (*change.ids, "", "")
        if word not in name:
            continue
        if section in ASKED_BY_NAME and chart not in run.looked_into:
            never.setdefault(CHANGES, []).append(name)
            continue
        other = without(fight, rules, (name,))
        yield Candidate(CHANGE, name, NOTHING_UNKNOWN, change.path, "left out", (), (), other)


def without(fight: Fight, rules: Rules, names: Iterable[str]) -> Fight | Faulty:
    """The fight by rules without some changes."""
    return _by(rules, fight.bound.ruleset, partial(rules.without, frozenset(names)))


def _is_met(change: Node, run: Run) -> bool:
    """Whether a run may have come to what a change is about: to its table or group; of a row that only says something
    else, or is taken away, to the row."""
    at = change.get("at") if isinstance(change, Mapping) else None
    if not isinstance(change, Mapping) or not isinstance(at, Text):
        return True
    (section, chart, *more), rules = at.value.split(".") if at.value.count(".") else (at.value, ""), run.ruleset
    if section in ASKED_BY_NAME and chart not in run.looked_into:
        return False
    columns = change.get("set")
    is_said = "remove" in change or (isinstance(columns, Mapping) and {*columns.keys()} <= VERDICTS)
    rows: dict[str, Origin] = {}
    if section == "tables" and chart in rules.tables:
        table = rules.tables[chart]
        rows = {row.id: row.where for row in table.rows if not keeps_out(table, row, run.met)}
    elif section == "sequences" and chart in rules.sequences:
        rows = {act.id: act.where for act in rules.sequences[chart].acts}
    return not (is_said and len(more) == 1 and more[0] in rows) or id(rows[more[0]]) in run.met


def _change_said(change: Node) -> str:
    """What a change makes of a row, in a few words."""
    if not isinstance(change, Mapping):
        return flow(change)
    said = [(key.value, value) for key, value in change.entries if key.value not in ("at", "after", "before")]
    return " ".join("off" if verb == "remove" else flow(value).strip("{}") for verb, value in said)


def _of_row(table: Table, row: Row, name: str) -> list[Candidate]:
    """A row switched off, and its number moved if it is assumed."""
    where, number, found = row.where, number_of(row), list[Candidate]()
    if table.policy in SWITCHED:
        unknown = Unknown(Counts(table.name, row.id), (True, False))
        found.append(Candidate(MODIFIER, name, unknown, _said(row), "off", where.cites, where.assumed))
    if where.assumed and number is not None:
        for other in (number + 1, number - 1):
            unknown = Unknown(Says(table.name, row.id), (number, other))
            said = f"{other:+}" if row.verb == "add" else str(other)
            found.append(Candidate(NUMBER, name, unknown, _said(row), said, where.cites, where.assumed))
    return found


def _said(row: Row) -> str:
    return row.verdict.text if row.verdict is not None else "forbidden"
