"""Offsets, lines and columns."""

import pytest

from closecombat.text.source import Source, Span


@pytest.mark.parametrize(
    ("text", "offset", "position"),
    [
        ("", 0, (1, 1)),
        ("ab", 0, (1, 1)),
        ("ab", 2, (1, 3)),
        ("ab\n", 2, (1, 3)),
        ("ab\n", 3, (2, 1)),
        ("\n\nx", 2, (3, 1)),
        ("é😀x", 2, (1, 3)),
        ("a\tb", 2, (1, 3)),
        ("ab", 99, (1, 3)),
    ],
)
def test_position(text: str, offset: int, position: tuple[int, int]) -> None:
    assert Source("x", text).position(offset) == position


@pytest.mark.parametrize(
    ("number", "line"), [(-1, ""), (0, ""), (1, "one"), (2, "two"), (3, "three"), (4, ""), (5, "")]
)
def test_line(number: int, line: str) -> None:
    assert Source("x", "one\ntwo\r\nthree\n").line(number) == line


def test_spans_slice_and_join() -> None:
    span = Span(Source("x", "when: a is b"), 6, 12)
    assert span.text == "a is b"
    assert span.part(2, 4).text == "is"
    assert span.part(0, 1).to(span.part(5, 6)) == span


def test_a_source_does_not_print_its_text() -> None:
    assert "secret" not in repr(Span(Source("x", "secret"), 0, 1))
