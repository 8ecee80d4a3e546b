"""What is read at a stroke is read as the library reads it, letter by letter: the same events, places and faults."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from ruamel.yaml import YAML

from closecombat.text import building, events
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


# ---- the compiled reader -----------------------------------------------------------------------------------


def nodes(text: str) -> Any:
    try:
        return building.built(Source("a text", text))
    except Faulty as found:
        return [(fault.code, fault.message, fault.help, fault.span, fault.labels) for fault in found.diagnostics]


def without_it(text: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    with monkeypatch.context() as patch:
        patch.setattr(building, "quick_events", lambda _: None)
        return nodes(text)


@pytest.mark.parametrize("file", FILES, ids=[str(file.relative_to(ROOT)) for file in FILES])
def test_a_file_by_the_compiled_reader(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("_ruamel_yaml", reason="the extra `fast` is not installed")
    text = file.read_bytes().decode("utf-8", "replace")
    assert nodes(text) == without_it(text, monkeypatch)


@pytest.mark.parametrize(
    "text", ["a: |#x\n  b\n", "|# a\n  b", "- >-#\n  b", "a:\tb", "{a: , b}", "[a, ]", "{a, b: }", "a: \ufeffb"]
)
def test_what_the_two_readers_see_in_two_ways(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("_ruamel_yaml", reason="the extra `fast` is not installed")
    assert nodes(text) == without_it(text, monkeypatch)


@pytest.mark.parametrize("ten", range(10))
def test_texts_made_up_from_seeds_by_the_compiled_reader(ten: int, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("_ruamel_yaml", reason="the extra `fast` is not installed")
    lines = [line for file in FILES[:20] for line in file.read_text("utf-8").splitlines(keepends=True)]
    for seed in range(ten * 300, ten * 300 + 300):
        random = Random(seed)
        text = "".join(random.choices(PIECES, k=random.randrange(1, 25)))
        if seed % 2:  # what a designer would write, with a slip or two
            start = random.randrange(len(lines))
            whole = "".join(lines[start : start + random.randrange(1, 12)])
            at = random.randrange(len(whole) + 1)
            text = whole[:at] + random.choice(PIECES) + whole[at + random.randrange(3) :]
        assert nodes(text) == without_it(text, monkeypatch), (seed, text)
