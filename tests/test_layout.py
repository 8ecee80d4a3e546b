"""The shipped rulesets are written alike: a line fits a screen, and what holds if no row does stands below the rows."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from closecombat.reading.stack import shipped
from closecombat.text.document import Mapping, parse, read_source

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
