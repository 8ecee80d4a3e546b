"""YAML to nodes: what is read, where it stands, and what is refused."""

import io
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from closecombat.text.building import DEEPEST
from closecombat.text.document import MOST_BYTES, parse, read_source
from closecombat.text.faults import Faulty
from closecombat.text.nodes import Listing, Mapping, Node, Text
from closecombat.text.source import Source

LABOUR = 20_000_000  # calls: hostile texts are refused before anything grows with their square


def plain(node: Node) -> object:
    """A node as dicts, lists and strings."""
    match node:
        case Text():
            return node.value
        case Mapping():
            return {key.value: plain(value) for key, value in node.entries}
        case Listing():
            return [plain(item) for item in node.items]


def faults(text: str) -> list[tuple[str, str]]:
    """Code and guilty text of every fault."""
    with pytest.raises(Faulty) as caught:
        parse(Source("x.yaml", text))
    return [(found.code, found.span.text) for found in caught.value.diagnostics if found.span]


def value(text: str, *path: str) -> Text:
    node = parse(Source("x.yaml", text))
    for key in path:
        assert isinstance(node, Mapping)
        child = node.get(key)
        assert child is not None
        node = child
    assert isinstance(node, Text)
    return node


# ---- what is read --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: 4", {"a": "4"}),
        ("a: yes\nb: ~\nc: null\nd: 1e3\ne: 0x1F\nf: 12:30\ng: 3-1\nh: +1\ni: -2", {
            "a": "yes", "b": "~", "c": "null", "d": "1e3", "e": "0x1F", "f": "12:30", "g": "3-1", "h": "+1",
            "i": "-2"}),
        ("2: a\nyes: b\n6 to 8: c", {"2": "a", "yes": "b", "6 to 8": "c"}),
        ("a: {b: c, d: [e, f]}", {"a": {"b": "c", "d": ["e", "f"]}}),
        ("a: []\nb: {}", {"a": [], "b": {}}),
        ("a:\nb: ''", {"a": "", "b": ""}),
        ("- a\n-\n- b: c\n  d: e", ["a", "", {"b": "c", "d": "e"}]),
        ("[a: b, c]", [{"a": "b"}, "c"]),
        ("a: one\n  two # remark\nb: three", {"a": "one two", "b": "three"}),
        ("a: |\n  one\n  two\nb: >-\n  one\n  two\n", {"a": "one\ntwo\n", "b": "one two"}),
        ("a: 'it''s'\nb: \"x\\ty\"", {"a": "it's", "b": "x\ty"}),
        ("---\na: b\n...\n", {"a": "b"}),
        ("%YAML 1.2\n---\na: b", {"a": "b"}),
        ("just a text", "just a text"),
        ("a: '<<'\nb: '*x'\nc: '&x'\nd: '!x'", {"a": "<<", "b": "*x", "c": "&x", "d": "!x"}),
        ("a: unit of side where (armed)", {"a": "unit of side where (armed)"}),
    ],
)  # fmt: skip
def test_values(text: str, expected: object) -> None:
    assert plain(parse(Source("x.yaml", text))) == expected


@pytest.mark.parametrize(
    ("text", "span", "literal", "is_plain", "escaped"),
    [
        ("a: b is c # d", "b is c", "b is c", True, False),
        ("a: b\n  is c\n", "b\n  is c", "b\n  is c", True, False),
        ("{z: y, a: b is c }", "b is c", "b is c", True, False),
        ("a: 'b is c'", "'b is c'", "b is c", False, False),
        ("a: 'it''s'", "'it''s'", "it''s", False, True),
        ('a: "b is c"', '"b is c"', "b is c", False, False),
        ('a: "b\\tis c"', '"b\\tis c"', "b\\tis c", False, True),
        ("a: ''", "''", "", False, False),
        ("a: |\n  b\n  is c\n\nd: e", "|\n  b\n  is c", "b\n  is c", False, False),
        ("a: >-  # why\n\n    b\n    is c\n# end\nd: e", ">-  # why\n\n    b\n    is c", "b\n    is c", False, False),
        ("a: |\n", "|", "", False, False),
        ("a: |", "|", "", False, False),
        ("a: |+\n\n\nd: e", "|+", "", False, False),
        ("a:\nd: e", "a", "", True, False),
        ("é: ö\na: 😀 is c", "😀 is c", "😀 is c", True, False),
    ],
)
def test_marks(text: str, span: str, literal: str, is_plain: bool, escaped: bool) -> None:
    node = value(text, "a")
    assert (node.span.text, node.literal, node.plain, node.escaped) == (span, literal, is_plain, escaped)
    assert text[node.content.start : node.content.end] == literal


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("a:\n  b: c\n  d:\n    e: f\n\n# end\n", "b: c\n  d:\n    e: f"),
        ("a: {b: c }\nd: e", "{b: c }"),
        ("a:\n  - b\n  - c: d\n\ne: f", "- b\n  - c: d"),
        ("a: [b,\n  c]\n", "[b,\n  c]"),
        ("a:\n  b:\n", "b"),
    ],
)
def test_a_collection_ends_with_its_last_part(text: str, span: str) -> None:
    root = parse(Source("x.yaml", text))
    assert isinstance(root, Mapping)
    node = root.get("a")
    assert node is not None
    assert node.span.text == span


def test_a_mapping_answers_by_name() -> None:
    node = parse(Source("x.yaml", "b: 1\na: 2"))
    assert isinstance(node, Mapping)
    assert node.keys() == ("b", "a")
    assert "a" in node
    assert "c" not in node
    assert node.get("c") is None
    assert node.entry("c") is None
    found = node.entry("a")
    assert found is not None
    assert (found[0].span.text, plain(found[1])) == ("a", "2")


# ---- what is refused -----------------------------------------------------------------------------------

SYNTAX = "yaml-syntax"
BOMB = "a: &a [x, x]\n" + "".join(f"{b}: &{b} [{', '.join([f'*{a}'] * 7)}]\n" for a, b in pairwise("abcdefg"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: b\nc: d\na: e\n", [("duplicate-key", "a")]),
        ("a: b\n'a': e\n", [("duplicate-key", "'a'")]),
        ("x: {a: b, a: c}", [("duplicate-key", "a")]),
        ("x:\n  a: b\n  c: d\n  y:\n  a: e\n  c: f\n", [("duplicate-key", "y")]),  # `y` stands too far in
        ("x: {when: a is one of b, c}", [("empty-key", "c")]),
        ("x: {when: , is: 3}", [("empty-key", "when")]),
        ("x: {when:a}", [("empty-key", "when:a")]),
        ("x: {a, a}", [("empty-key", "a"), ("duplicate-key", "a")]),
        ("a: &x b", [("alias-not-allowed", "&x")]),
        ("a: &x {b: c}", [("alias-not-allowed", "&x")]),
        ("a: *x", [("alias-not-allowed", "*x")]),
        ("*x : a", [("alias-not-allowed", "*x")]),
        ("a: [*x, &y b, !z c]", [
            ("alias-not-allowed", "*x"), ("alias-not-allowed", "&y"), ("tag-not-allowed", "!z")]),
        ("<<: {a: b}", [("alias-not-allowed", "<<")]),
        ("a: !!int 3", [("tag-not-allowed", "!!int")]),
        ("a: !x b", [("tag-not-allowed", "!x")]),
        ("a: ! b", [("tag-not-allowed", "!")]),
        ("!x\na: b", [("tag-not-allowed", "!x")]),
        ("? [a]\n: b", [("wrong-shape", "[a]")]),
        ("? {a: b}\n: b", [("wrong-shape", "{a: b}")]),
        (": b", [("wrong-shape", "")]),
        ("a: b\n---\nc: d", [("several-documents", "---")]),
        ("---\n---\nc: d", [("several-documents", "---")]),
        ("a: b\n...\nc: d", [("several-documents", "")]),
        ("# nothing\n", [("empty-file", "")]),
        ("", [("empty-file", "")]),
        ("---\n", [("empty-file", "")]),
        ("a: \x00", [("not-text", "\x00")]),
        ("a: \x1b[31m", [("not-text", "\x1b")]),
        ("a: \ud800", [("not-text", "\ud800")]),
        # several at once
        ("a: b\na: &x c\nd: {e, f: !g h}\n", [
            ("duplicate-key", "a"), ("alias-not-allowed", "&x"), ("empty-key", "e"), ("tag-not-allowed", "!g")]),
        # not YAML
        ("a: b: c", [(SYNTAX, "b: c")]),
        ("a: b\n  c: d", [(SYNTAX, ":")]),
        ("a:\n\tb: c", [(SYNTAX, "\t")]),
        ("a: 'b", [(SYNTAX, "'")]),
        ('a: "b\nc: d', [(SYNTAX, '"')]),
        ("a: @b", [(SYNTAX, "@")]),
        ("a: `b`", [(SYNTAX, "`")]),
        ("a: %b", [(SYNTAX, "%")]),
        ("a: >= 3", [(SYNTAX, ">= 3")]),
        ("a: * 3", [(SYNTAX, "*")]),
        ("a: & b", [(SYNTAX, "&")]),
        ("a: [b", [(SYNTAX, "[")]),
        ("a: {b: [c, d}", [(SYNTAX, "}")]),
        ("a: b]", []),
        ("a: [b]]", [(SYNTAX, "]")]),
        ("a: }", [(SYNTAX, "}")]),
        ("a:\n  - b\n c: d", [(SYNTAX, "c")]),
        ("a: b\nc\nd: e", [(SYNTAX, "c")]),
        ("a: - b", [(SYNTAX, "-")]),
        ('a: "\\q"', [(SYNTAX, "q")]),
        ('a: "\\UFFFFFFFF"', [(SYNTAX, "")]),
        ("%YAML 9.9\n---\na: b", [(SYNTAX, "%")]),
    ],
)  # fmt: skip
def test_refused(text: str, expected: list[tuple[str, str]]) -> None:
    if not expected:
        parse(Source("x.yaml", text))  # close to a fault, and none
    else:
        assert sorted(faults(text)) == sorted(expected)


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("alias-not-allowed", BOMB),
        ("too-deep", "[" * 5_000),
        ("too-deep", "{" * 5_000),
        ("too-deep", "{a: " * 5_000),
        ("too-deep", "[" * 1_900_000),
        ("too-deep", "- " * 5_000 + "a"),
        ("too-deep", "? " * 5_000 + "a"),
        ("too-deep", "".join(" " * level + "a:\n" for level in range(1_500))),
        ("too-deep", "[" * 5_000 + "]" * 5_000),
        ("yaml-syntax", "a: '" + "b" * 500_000),
        ("yaml-syntax", "a" * 500_000 + ": b"),
        ("not-text", "\x7fELF" + "\x00" * 1_000),
    ],
    ids=lambda value: value[:12],
)  # fmt: skip
def test_hostile_texts_fail_at_once(code: str, text: str) -> None:
    calls = 0

    def counted(*_: object) -> None:
        nonlocal calls
        calls += 1

    sys.setprofile(counted)
    try:
        found = faults(text)
    finally:
        sys.setprofile(None)
    assert {each for each, _ in found} == {code}
    assert len(found) <= 100
    assert calls < LABOUR


def test_limits_are_exact() -> None:
    parse(Source("x.yaml", "[" * (DEEPEST - 1) + "a" + "]" * (DEEPEST - 1)))
    assert faults("[" * DEEPEST + "a" + "]" * DEEPEST) == [("too-deep", "a")]


def test_too_many_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("closecombat.text.building.MOST_NODES", 4)
    parse(Source("x.yaml", "[a, b, c]"))
    assert faults("[a, b, c, d]") == [("too-many-nodes", "d")]


def test_the_comma_trap_explains_itself() -> None:
    with pytest.raises(Faulty) as caught:
        parse(Source("x.yaml", "row: {when: a is one of b, c}"))
    assert caught.value.diagnostics[0].message == "the words that it may be are joined by `or`"
    assert caught.value.diagnostics[0].help == "write `when: a is one of b or c`"


def test_a_duplicate_shows_both_places() -> None:
    with pytest.raises(Faulty) as caught:
        parse(Source("x.yaml", "a: b\na: c"))
    assert [(span.start, caption) for span, caption in caught.value.diagnostics[0].labels] == [
        (5, "again here"),
        (0, "first here"),
    ]


# ---- reading files -------------------------------------------------------------------------------------


def read_fault(place: str | Path) -> tuple[str, str, str]:
    with pytest.raises(Faulty) as caught:
        read_source(place)
    (found,) = caught.value.diagnostics
    assert found.span is not None
    return found.code, found.span.source.name, found.help


def test_names_are_relative_inside_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "below" / "deep").mkdir(parents=True)
    file = tmp_path / "below" / "x.yaml"
    file.write_bytes("\ufeffa: ä\r\nb: c\rd".encode())
    monkeypatch.chdir(tmp_path)
    assert read_source(str(file)) == Source("below/x.yaml", "a: ä\nb: c\nd")
    assert read_source("below/deep/../x.yaml").name == "below/x.yaml"
    monkeypatch.chdir(tmp_path / "below" / "deep")
    assert read_source("../x.yaml").name == "../x.yaml"
    assert read_source(file).name == file.as_posix()


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"a: b\r\n")))
    assert read_source("-") == Source("<stdin>", "a: b\n")


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty-file"),
        (b" \n\n", "empty-file"),
        (b"\xef\xbb\xbf", "empty-file"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "not-text"),
        (b"a: \x00", "not-text"),
        ("a: ä".encode("latin-1"), "not-text"),
        ("a: b".encode("utf-16"), "not-text"),
        (b"a" * (MOST_BYTES + 1), "too-large"),
    ],
)
def test_unreadable_files(data: bytes, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x.yaml").write_bytes(data)
    monkeypatch.chdir(tmp_path)
    found, name, help = read_fault("x.yaml")
    assert (found, name) == (code, "x.yaml")
    assert help


def test_missing_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tables.yaml").write_text("a: b")
    monkeypatch.chdir(tmp_path)
    assert read_fault("tabels.yaml") == ("file-not-found", "tabels.yaml", "did you mean `tables.yaml`?")
    assert read_fault("other/x.yaml") == ("file-not-found", "other/x.yaml", "check the path")
    assert read_fault("tables.yaml/x")[0] == "cannot-read"
    assert read_fault("a\0b")[0] == "cannot-read"
    assert read_fault(".")[0] == "not-a-file"


@pytest.mark.parametrize("text", ['"a\\e[2J"', '"a\\0"', '"a\\x9b"', '"a\\u202eb"', "a\u202eb", "a\u2066b"])
def test_no_text_steers_a_terminal_or_turns_what_stands_after_it(text: str) -> None:
    with pytest.raises(Faulty) as caught:
        parse(Source("x.yaml", f"key: {text}\n"))
    assert caught.value.codes == {"not-text"}
