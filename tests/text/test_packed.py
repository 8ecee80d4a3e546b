"""What is packed comes back as it was, and nothing else comes out of a text."""

import json
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from closecombat.binding.load import loaded
from closecombat.reading import model, syntax, types
from closecombat.reading.stack import line_up, shipped
from closecombat.text import nodes, source
from closecombat.text.document import parse
from closecombat.text.faults import Bug
from closecombat.text.packed import makers_of, packed, unpacked
from closecombat.text.source import Source, Span

MAKERS = makers_of(model, syntax, types, nodes, source)
SYSTEMS = sorted(str(file.parent) for file in (Path(__file__).parents[1] / "systems").glob("*/ruleset.yaml"))
STACKS = [*shipped(), *shipped("variants"), *SYSTEMS]


@cache
def sources_of(stack: str) -> tuple[Source, ...]:
    return line_up(stack, None).sources()


@pytest.mark.parametrize("stack", STACKS, ids=[Path(stack).name for stack in STACKS])
def test_a_ruleset_comes_back_as_it_was(stack: str) -> None:
    ruleset, sources = loaded(line_up(stack, None).put_together()).ruleset, sources_of(stack)
    text = packed(ruleset, sources, MAKERS)
    assert unpacked(text, sources, MAKERS) == ruleset
    assert not any(one.text in text for one in sources)  # the files are not written out a second time


@pytest.mark.parametrize(
    "text", ["a: 1", "a: {b: [1, 'it''s', \"x\\ty\"]}\nc:\nd:\n- |\n  two\n  lines\n- yes", "[[], {}, '']"]
)
def test_a_document_comes_back_as_it_was(text: str) -> None:
    one = Source("somewhere", text)
    node = parse(one)
    assert unpacked(packed(node, (one,), MAKERS), (one,), MAKERS) == node


@pytest.mark.parametrize(
    "value",
    [
        0,
        1,
        True,
        False,
        None,
        "",
        "1",
        (1, True, "1", 1),
        ((), ((),)),
        {"a": (), "b": {}},
        frozenset({"b", "a"}),
        Fraction(7, 3),
    ],
    ids=lambda one: type(one).__name__,
)
def test_what_is_alike_is_not_taken_for_the_same(value: object) -> None:
    there = (value, True, 1, value, Fraction(1), "1")
    back = unpacked(packed(there, (), MAKERS), (), MAKERS)
    assert (back, [type(one) for one in back]) == (there, [type(one) for one in there])


def test_a_source_that_was_not_given_is_written_out() -> None:
    given, other = Source("given", "some text"), Source("other", "more")
    spans = (Span(given, 0, 4), Span(other, 1, 2))
    again = Source("moved", "some text")  # the same text under the name that it has today
    assert unpacked(packed(spans, (given,), MAKERS), (again,), MAKERS) == (Span(again, 0, 4), Span(other, 1, 2))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        "nonsense",
        json.dumps({"makers": ["os.system"], "plain": ["true"], "made": [[0, [0]]], "root": 1}),
        json.dumps({"makers": ["tuple"], "plain": [], "made": [[0, [1]]], "root": 0}),
        json.dumps({"makers": ["tuple"], "plain": [], "made": [[1]], "root": 0}),
        json.dumps({"makers": ["tuple"], "plain": [1, 2], "made": [[0, [0, 1], [0]]], "root": 2}),
        json.dumps({"makers": ["source.Span"], "plain": [], "made": [[0]], "root": 0}),
        json.dumps({"makers": [], "plain": [], "made": [], "root": 0}),
    ],
)
def test_what_is_not_of_its_making_is_refused(text: str) -> None:
    with pytest.raises((LookupError, TypeError, ValueError)):
        unpacked(text, (), MAKERS)


def test_what_is_no_frozen_data_is_not_packed() -> None:
    with pytest.raises(Bug):
        packed((1, object()), (), MAKERS)
