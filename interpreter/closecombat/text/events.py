"""YAML text to events, with the library's faults in words that help; the only module that knows the YAML library.

The library looks at a text letter by letter and asks at every step whether what comes next may be a key. Nine tenths
of a ruleset are plain words on one line, so most of the time that a command takes is spent there. The three classes
below read words, blanks and comments at a stroke, and otherwise leave the library to do what it does: the events are
the same, to the last place and fault (`tests/text/test_events.py` compares them). A text with a directive
(`%YAML 1.1`), in which other letters end a word, is left to the library altogether.

Where the library's compiled reader is installed (the extra `fast`) it is asked first, and ten times as fast. It
differs from the one written in Python in letters that hardly anybody writes and in what it says of a fault: so it is
asked only for a text without such letters, and what is not allowed is read once more by the other, which has the last
word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, StringMark
from ruamel.yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)
from ruamel.yaml.parser import Parser
from ruamel.yaml.reader import Reader
from ruamel.yaml.scanner import Scanner
from ruamel.yaml.tokens import ScalarToken

from closecombat.text.faults import Faulty, Labels
from closecombat.text.source import Source, Span

__all__ = [
    "AliasEvent",
    "DocumentStartEvent",
    "Doubtful",
    "Event",
    "MappingEndEvent",
    "MappingStartEvent",
    "NodeEvent",
    "ScalarEvent",
    "SequenceEndEvent",
    "SequenceStartEvent",
    "events",
    "quick_events",
]


class Doubtful(Exception):
    """The compiled reader has stumbled, or read what the other might read in another way."""


def quick_events(source: Source) -> Iterator[Event] | None:
    """The same by the compiled reader; raises Doubtful. Nothing if there is none, or the text is not for it."""
    library = YAML(typ="safe")
    if library.Parser is Parser or _NOT_FOR_IT.search(source.text):
        return None
    return _read_quickly(library, source.text)


def _read_quickly(library: YAML, text: str) -> Iterator[Event]:
    try:
        for event in library.parse(text):
            if isinstance(event, ScalarEvent) and not event.value and not event.style:
                raise Doubtful  # it has another place for what is left out inside braces
            yield event
    except Doubtful:
        raise
    except Exception as trouble:
        raise Doubtful from trouble


def events(source: Source) -> Iterator[Event]:
    """The parser's events; its faults as `Faulty`."""
    library = YAML(typ="safe", pure=True)
    if not _DIRECTIVE.search(source.text):
        library.Reader, library.Scanner, library.Parser = _Reader, _Scanner, _Parser
    try:
        yield from library.parse(source.text)
    except MarkedYAMLError as trouble:
        raise _syntax_fault(source, trouble) from None
    except Exception as trouble:  # a hostile text can also make the library itself stumble
        message = f"this is not YAML: {trouble}".splitlines()[0]
        help = "check the escapes in quotes"
        raise Faulty.one("yaml-syntax", message, Span(source, 0, 0), help=help) from None


# ---- at a stroke ---------------------------------------------------------------------------------------

_DIRECTIVE = re.compile(r"^%", re.MULTILINE)
_NOT_FOR_IT = re.compile(r"^%|[\t\r\x85\u2028\u2029\ufeff]|[|>][-+0-9]*#", re.MULTILINE)
_END = r"\n\0\r\x85\u2028\u2029"  # of a line or of the text
_BLANKS = re.compile(rf" *(?:#[^{_END}]*)?")
_BLANKS_IN_BRACKETS = re.compile(rf"[ \t]*(?:#[^{_END}]*)?")


def _words(ending: str) -> re.Pattern[str]:
    """Words with blanks between them, up to the end of the line, a `: `, a ` #` or what else is `ending` them."""
    letter = rf"[^ \t{_END}:{ending}]"
    colon = rf":(?![ \t{_END}])"
    word = rf"(?:{letter}|{colon}){letter}*+(?:{colon}{letter}*+)*+"
    return re.compile(rf"(?!#){word}(?: ++(?!#){word})*+")


_WORDS = _words("")
_WORDS_IN_BRACKETS = _words(r",\[\]{}")

# What begins with these can be nothing else, wherever it stands.
_BEGINS_A_WORD = re.compile("[A-Za-z0-9]")
_FETCH: Mapping[str, str] = {
    "[": "fetch_flow_sequence_start",
    "{": "fetch_flow_mapping_start",
    "]": "fetch_flow_sequence_end",
    "}": "fetch_flow_mapping_end",
    ",": "fetch_flow_entry",
}


class _Reader(Reader):
    """Goes forward over a stretch of one line without looking at its letters one by one."""

    def forward(self, length: int = 1) -> None:
        end = self.pointer + length
        stretch = self.buffer[self.pointer : end]
        if len(stretch) < length or "\n" in stretch or "\r" in stretch or "\ufeff" in stretch:
            super().forward(length)
        else:
            self.pointer = end
            self.index += length
            self.column += length

    def get_mark(self) -> StringMark:
        return StringMark(self.name, self.index, self.line, self.column, self.buffer, self.pointer)


class _Scanner(Scanner):
    """Reads words and blanks by patterns, and looks for keys only where it has moved since it looked."""

    reader: Any = None
    scanner_processing_version = (1, 2)

    def __init__(self, loader: Any = None) -> None:
        self.reader = loader.reader
        self.looked_at = -1
        super().__init__(loader)

    def check_token(self, *choices: Any) -> bool:
        while (not self.tokens or self.possible_simple_keys) and self.need_more_tokens():
            self.fetch_more_tokens()
        return bool(self.tokens) and (not choices or isinstance(self.tokens[0], choices))

    def need_more_tokens(self) -> bool:
        if self.done:
            return False
        if not self.tokens:
            return True
        if not self.possible_simple_keys:
            return False
        if self.looked_at != self.reader.index:
            self.stale_possible_simple_keys()
            self.looked_at = self.reader.index
        return bool(self.next_possible_simple_key() == self.tokens_taken)

    def fetch_more_tokens(self) -> None:
        self.scan_to_next_token()
        first = self.reader.peek()
        fetch = _FETCH.get(first) or (_BEGINS_A_WORD.match(first) and "fetch_plain")
        if not fetch:
            super().fetch_more_tokens()
            return
        self.stale_possible_simple_keys()
        self.unwind_indent(self.reader.column)
        getattr(self, fetch)()

    def scan_to_next_token(self) -> None:
        reader = self.reader
        if reader.index == 0 and reader.peek() == "\ufeff":
            reader.forward()
        blanks = _BLANKS_IN_BRACKETS if self.flow_context else _BLANKS
        while True:
            found = blanks.match(reader.buffer, reader.pointer)
            if found and found.end() > reader.pointer:
                reader.forward(found.end() - reader.pointer)
            if not self.scan_line_break():
                return
            if not self.flow_context:
                self.allow_simple_key = True

    def scan_plain(self) -> ScalarToken:
        reader = self.reader
        words = _WORDS_IN_BRACKETS if self.flow_context else _WORDS
        start = end = reader.get_mark()
        indent = self.indent + 1
        chunks: list[str] = []
        spaces: list[str] = []
        while found := words.match(reader.buffer, reader.pointer):
            self.allow_simple_key = False
            chunks += (*spaces, found[0])
            reader.forward(len(found[0]))
            end = reader.get_mark()
            spaces = self.scan_plain_spaces(indent, start)
            if not spaces or (not self.flow_context and reader.column < indent):
                break
        return ScalarToken("".join(chunks), True, start, end)


class _Parser(Parser):
    """Knows its scanner without asking for it at each step."""

    scanner: Any = None

    def __init__(self, loader: Any) -> None:
        self.scanner = loader.scanner
        super().__init__(loader)


# ---- the library's own faults, in words that help ------------------------------------------------------


def _syntax_fault(source: Source, trouble: MarkedYAMLError) -> Faulty:
    problem = str(trouble.problem or trouble.context or "this is not YAML")
    marks = [mark.index for mark in (trouble.context_mark, trouble.problem_mark) if mark]
    opening, place = (marks[0], marks[-1]) if marks else (0, 0)
    letter = source.text[place : place + 1]
    message, help, at_opening = problem, "compare with the lines around it", not letter
    if found := re.search(r"[:,{\[] *!(\w[\w -]*)", source.text[opening:place]):
        span = Span(source, opening + found.start(1) - 1, opening + found.end(1))
        return Faulty.one("yaml-syntax", "a text cannot begin with `!`", span, help=f"write `not {found[1]}`")
    for said in _OF_A_LINE:
        if (slip := said(source, opening, place)) is not None:
            return slip
    for pattern, plainer, advice, blames_opening in _PLAINER:
        if re.search(pattern, f"{trouble.context}; {problem}"):
            message, help = plainer.format(letter=letter), advice
            at_opening |= blames_opening
            break
    start = opening if at_opening else place
    span = Span(source, start, start + (source.text[start : start + 1] not in ("", "\n")))
    labels: Labels = ()
    if opening < start and source.text[opening] in "[{":
        labels = ((Span(source, opening, opening + 1), "opened here"),)
    return Faulty.one("yaml-syntax", message, span, help=help, labels=labels)


def _compared(source: Source, _: int, place: int) -> Faulty | None:
    """`>= 4`, which begins with a sign of YAML."""
    found = re.compile(r">=? ?(\d+)").match(source.text, place) or re.compile(r">=? ?(\d+)").match(
        source.text, max(0, place - 1)
    )
    if found is None:
        return None
    sign, said = (">=", "at least") if "=" in found[0] else (">", "more than")
    span = Span(source, *found.span())
    return Faulty.one("yaml-syntax", f"`{sign}` is said with `{said}`", span, help=f"write `{said} {found[1]}`")


def _comma_forgotten(source: Source, opening: int, place: int) -> Faulty | None:
    """`{when: broken add: -1}`: two columns with nothing between them."""
    line = source.text[opening : source.text.find("\n", place) % (len(source.text) + 1)]
    line = re.sub(r"(?<=\s)#[^\n]*", lambda comment: " " * len(comment[0]), line)
    found = re.match(r"\{[^{}]*?([\w-]+: +[^{},:\[\]]*?) +([\w-]+): +([^{},:]+)", line)
    if found is None:
        return None
    span = Span(source, opening + found.start(2), opening + found.end(2))
    help = f"write `{found[1]}, {found[2]}: {found[3].strip()}`"
    return Faulty.one("yaml-syntax", f"a comma is missing before `{found[2]}:`", span, help=help)


def _braces_forgotten(source: Source, _: int, place: int) -> Faulty | None:
    """`x: when: broken, add: -1`: a row in one line without its braces."""
    start = source.text.rfind("\n", 0, place) + 1
    found = re.compile(r" *([\w-]+): +((?:[\w-]+): +[^\s{}\[\]\"'][^{}\[\]\"'\n#]*)(?:\n| #|\Z)").match(
        source.text, start
    )
    if found is None or found[1] in ("note", "says", "title", "about", "why", "rule", "left-out"):
        return None
    columns = found[2].strip()
    span = Span(source, found.start(2), found.start(2) + len(columns))
    return Faulty.one(
        "yaml-syntax", "a row in one line stands in braces", span, help=f"write `{found[1]}: {{{columns}}}`"
    )


def _odds_with_a_colon(source: Source, _: int, place: int) -> Faulty | None:
    """`is: attack : defence`."""
    start = source.text.rfind("\n", 0, place) + 1
    name = r"[a-z][\w-]*(?: of [a-z][\w-]*)*"
    found = re.compile(rf".*?: +({name}) : ({name})").match(source.text, start)
    if found is None or not found.start(1) < place < found.end(2):
        return None
    span = Span(source, found.start(1), found.end(2))
    help = f"write `across: {found[1]} to {found[2]}` in a grid for odds, `{found[1]} - {found[2]}` for a difference"
    return Faulty.one("yaml-syntax", "two amounts meet in the columns of a grid", span, help=help)


def _blank_forgotten(source: Source, _: int, place: int) -> Faulty | None:
    """`x:{each: unit, do: leave}`: a name whose colon nothing parts from what follows."""
    start = source.text.rfind("\n", 0, place) + 1
    found = re.compile(r" *(?:- )?([\w-]+):([{\[])").match(source.text, start)
    if found is None:
        return None
    span = Span(source, found.start(1), found.end(2))
    message, help = "a space is missing after the colon", f"write `{found[1]}: {found[2]}`"
    return Faulty.one("yaml-syntax", message, span, help=help)


def _remark_of_a_programmer(source: Source, _: int, place: int) -> Faulty | None:
    """`// only the first round`."""
    end = source.text.find("\n", place) % (len(source.text) + 1)
    found = re.compile(r"//|--|/\*").match(source.text, place)
    if found is None:
        return None
    span = Span(source, place, end)
    message, help = f"`{found[0]}` begins no remark", f"write `# {source.text[found.end() : end].strip(' */')}`"
    return Faulty.one("yaml-syntax", message, span, help=help)


_OF_A_LINE = (
    _remark_of_a_programmer, _blank_forgotten, _compared, _odds_with_a_colon, _comma_forgotten, _braces_forgotten
)  # fmt: skip

# What the library says, what a designer needs to hear, what mends it, and whether the blame lies where the
# library began reading rather than where it stopped.
_PLAINER = (
    (r"quoted scalar; found unexpected end", "a quote is never closed", "close it where the text ends", True),
    (r"mapping values are not allowed", "a `: ` cannot stand here",
     "put a text that holds `: ` into quotes; a row with several columns in one line stands in braces, "
     "`{when: .., add: ..}`", False),
    (r"found character '\\t'", "a tab where spaces are wanted", "indent with spaces", False),
    (r"found character '>' that cannot", "a text cannot begin with `>`",
     "write it in words: `more than 4`, `at least 4`, in a heading `above 4`", False),
    (r"found character '.' that cannot", "a text cannot begin with `{letter}`", "put it into quotes", False),
    (r"scanning an (anchor|alias)", "a text cannot begin with `&` or `*`", "put it into quotes", True),
    (r"expected chomping or indentation", "a text cannot begin with `>` or `|`",
     "write `more than` or `at least`, or put it into quotes", True),
    (r"(block|node).* found '[\]}]'", "`{letter}` closes nothing", "take it out, or open it", False),
    (r"flow mapping; expected", "a `{{` is not closed, or a comma is missing",
     "write `}` where the braces end, a comma between two columns; put a text that holds `: ` into quotes", False),
    (r"flow sequence; expected", "a `[` is not closed, or a comma is missing",
     "write `]` where the list ends, a comma between two of it", False),
    (r"node content", "something is missing before this", "write a value, or take the sign out", False),
    (r"block (mapping|collection); expected <block end>|<document start>",
     "this does not line up with what stands above",
     "indent it as its neighbours are; a listed item begins with `- `, a key ends in `:`", False),
    (r"could not find expected ':'", "this line has no colon", "write `key: value`", True),
    (r"sequence entries are not allowed", "a `- ` cannot begin here", "begin the list on a new line", False),
    (r"unknown escape character", "`\\{letter}` is not an escape", "use single quotes", False),
)  # fmt: skip
