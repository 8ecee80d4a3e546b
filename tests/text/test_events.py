"""What is read at a stroke is read as the library reads it, letter by letter: the same events, places and faults."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from ruamel.yaml import YAML

from closecombat.text import events
from closecombat.text.faults import Faulty
from closecombat.text.source import Source

ROOT = Path(__file__).parents[2]
FILES = [
    *sorted((ROOT / "rulesets" / "skirmish").glob("*.yaml")),
    *sorted((ROOT / "rulesets" / "variants").glob("*.yaml")),
    *sorted((ROOT / "tests" / "cases").glob("**/*.yaml")),
]
PIECES = [
    *"ab1:,-?#'\"[]{}|>&*!%@`~.\n\t \\", ": ", " #", "- ", "? ", "\n\n", "\n  ", "\n    ", "---", "...", "...\n",
    "\r", "\r\n", "\x85", "\u2028", "\ufeff", "key: ", "two words", "{a: b, c}", "[x, y z]", "<<", "--- \n",
]  # fmt: skip


def told(text: str) -> Iterator[Any]:
    """Every event with its place and all that it says, and the fault that ends them."""
    try:
        for event in events.events(Source("a text", text)):
            marks = [(mark.index, mark.line, mark.column) for mark in (event.start_mark, event.end_mark)]
            said = [getattr(event, name, None) for name in ("anchor", "implicit", "value", "style", "flow_style")]
            yield type(event).__name__, marks, said, str(getattr(event, "tag", None))
    except Faulty as found:
        yield [(fault.code, fault.message, fault.help, fault.span, fault.labels) for fault in found.diagnostics]


def by_the_library(text: str, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    with monkeypatch.context() as patch:
        for name, given in (("_Reader", "Reader"), ("_Scanner", "Scanner"), ("_Parser", "Parser")):
            patch.setattr(events, name, getattr(YAML(typ="safe", pure=True), given))
        return list(told(text))


@pytest.mark.parametrize("file", FILES, ids=[str(file.relative_to(ROOT)) for file in FILES])
def test_a_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = file.read_bytes().decode("utf-8", "replace")
    assert list(told(text)) == by_the_library(text, monkeypatch)


@pytest.mark.parametrize("ten", range(10))
def test_texts_made_up_from_seeds(ten: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(ten * 200, ten * 200 + 200):
        random = Random(seed)
        text = "".join(random.choices(PIECES, k=random.randrange(1, 25)))
        assert list(told(text)) == by_the_library(text, monkeypatch), (seed, text)
