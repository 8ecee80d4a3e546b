"""The shipped rulesets are written alike: a line fits a screen, `otherwise` stands below the rows, and there is one way
to negate."""

from collections import abc
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest

from closecombat.binding.load import load
from closecombat.reading import syntax as s
from closecombat.reading.model import Act, Row, Ruleset
from closecombat.reading.stack import shipped
from closecombat.reading.syntax import Cell
from closecombat.reading.types import Flag
from closecombat.text.document import parse, read_source
from closecombat.text.nodes import Mapping

RULESETS = Path(__file__).parents[1] / "rulesets"
WIDEST = 140
ROWS = ("one-of", "first-of", "highest-of", "lowest-of")


def test_a_line_has_no_more_than_140_columns() -> None:
    longer = [
        f"{file.relative_to(RULESETS)}:{number}"
        for file in sorted(RULESETS.rglob("*.yaml"))
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > WIDEST
    ]
    assert not longer


def charts(document: Mapping) -> Iterator[tuple[str, Mapping]]:
    for key, node in document.entries:
        if key.value in ("tables", "outcomes") and isinstance(node, Mapping):
            inner = [(name.value, chart) for name, chart in node.entries] if key.value == "tables" else [("", node)]
            yield from ((name, chart) for name, chart in inner if isinstance(chart, Mapping))


@pytest.mark.parametrize("name", sorted(shipped()))
def test_otherwise_stands_below_the_rows(name: str) -> None:
    misplaced = []
    for file in sorted((RULESETS / name).glob("*.yaml")):
        document = parse(read_source(file))
        assert isinstance(document, Mapping)
        for chart, node in charts(document):
            keys = [key.value for key, _ in node.entries]
            if "otherwise" in keys and not any(key in ROWS for key in keys[: keys.index("otherwise")]):
                misplaced.append(f"{file.name}: {chart}")
    assert not misplaced


# ---- one way to negate -----------------------------------------------------------------------------------
# A flag of whoever the row is about is a column, `broken: yes` or `broken: no`; what is said of others stands after
# their name, `target: not broken`; one claim is a column, not a `when:`. A sentence says `not broken`, `X is not Y` and
# `-kills`, and brackets after `not` only hold what no shorter form denies.


def cells(node: object) -> Iterator[Cell]:
    """Every sentence of a part of a ruleset, the columns' own left out."""
    match node:
        case Cell():
            yield node
        case Row() | Act():
            yield from (cell for f in fields(node) if f.name != "columns" for cell in cells(getattr(node, f.name)))
        case abc.Mapping():
            yield from (cell for part in node.values() for cell in cells(part))
        case tuple():
            yield from (cell for part in node for cell in cells(part))
        case _ if is_dataclass(node):
            yield from (cell for field in fields(node) for cell in cells(getattr(node, field.name)))


def parts(node: object) -> Iterator[object]:
    """A node of a sentence and all that it is made of."""
    yield node
    if isinstance(node, tuple):
        yield from (inner for part in node for inner in parts(part))
    elif is_dataclass(node):
        yield from (inner for field in fields(node) for inner in parts(getattr(node, field.name)))


def rows(ruleset: Ruleset) -> Iterator[tuple[str, Row | Act, str]]:
    """Each row, where it stands, and whom it is about."""
    for table in ruleset.tables.values():
        for row in table.rows:
            yield f"{table.name}.{row.id}", row, table.about[0] if len(table.about) == 1 and row.each is None else ""
    for sequence in ruleset.sequences.values():
        for act in sequence.acts:
            looked_at = (act.each or act.who).node.path.names[0] if act.each or act.who else ""
            alone = sequence.about[0] if len(sequence.about) == 1 else ""
            yield f"{sequence.name}.{act.id}", act, looked_at if act.each or act.who else alone


def denied_at_length(cell: Cell) -> Iterator[str]:
    """Where a sentence denies or affirms what a shorter form does."""
    for node in parts(cell.node):
        match node:
            case s.Negation(s.Bracketed(s.Both() | s.Either() | s.Quantified("every"))):
                pass
            case s.Negation(s.Bracketed(s.Claim(s.Quantified("every")))):
                pass
            case s.Negation(s.Bracketed()):
                yield f"brackets after `not`: {cell.text}"
            case s.Claim(_, s.Test("equal", (s.Literal(bool()),))):
                yield f"a flag that is yes or no: {cell.text}"
            case s.Arithmetic("*", s.Literal(-1)):
                yield f"-1 times, not a minus before it: {cell.text}"
            case s.Arithmetic("-", s.Literal(0, at)) if at != node.at:
                yield f"0 less, not a minus before it: {cell.text}"


@pytest.mark.parametrize("name", sorted(shipped()))
def test_what_is_not_so_is_said_in_one_way(name: str) -> None:
    bound = load(name)
    ruleset = bound.ruleset
    flags = {fact.name for kind in ruleset.kinds.values() for fact in kind.facts.values() if fact.type == Flag()}
    flags |= {table for table in ruleset.tables if bound.table_type(table) == Flag()}
    found = [said for cell in cells(ruleset) for said in denied_at_length(cell)]
    for where, row, about in rows(ruleset):
        for heading, test in row.tests:
            match heading and heading.node, test.node:
                case s.Reading(s.Path((subject,))), s.Test("equal", (s.Reading(s.Path((flag,))),)) if subject == about:
                    if flag in flags:
                        found.append(f"{where}: `{heading.text}: {test.text}`, not `{flag}: yes` or `no`")
                case None, s.Negation(s.Reading()) | s.Claim():
                    found.append(f"{where}: `when: {test.text}`, not a column")
    assert not found
