"""From the text of a cell to its syntax, through `grammar/sentence.lark`; the only user of lark."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache, partial
from typing import Any, TypeAlias

from lark import Lark, Token, Transformer, v_args
from lark.exceptions import UnexpectedInput, UnexpectedToken
from lark.lark import PostLex
from lark.tree import Meta

from closecombat.reading import syntax as s
from closecombat.reading.advice import advised, advised_at, fallback
from closecombat.reading.hearing import Unclear, as_heard
from closecombat.text.document import Text
from closecombat.text.faults import Faulty
from closecombat.text.files import root
from closecombat.text.source import Span

MOST_CHARACTERS = 2_000
DEEPEST_BRACKETS = 30
MOST_REMEMBERED = 10_000  # sentences; half of a ruleset's are said more than once
ORDINALS = ("second", "third", "fourth", "fifth", "sixth")
MEANT_ALONE = ("yes", "no", "nobody")  # words of the language that are a whole sentence
Children: TypeAlias = list[Any]  # what stands in a rule of the grammar: nodes, and words of the language as tokens
STARTS = ("condition", "value", "test", "subject", "members", "effect", "ratio", "ordering")


def parse(text: Text, start: str) -> s.Cell:
    """Parse a cell; `start` is one of STARTS. Raises Faulty with the place of the first wrong word."""
    raw, place = text.literal, text.content
    if text.escaped:
        raise Faulty.one(
            "sentence-syntax",
            "a sentence cannot hold backslash escapes",
            text.span,
            help="write it without double quotes",
        )
    if not raw.strip():
        raise Faulty.one(
            "sentence-syntax",
            "an empty cell says nothing",
            text.span,
            help="leave the column out, or write what it must be",
        )
    if len(raw) > MOST_CHARACTERS or raw.count("(") > DEEPEST_BRACKETS:
        raise Faulty.one(
            "sentence-syntax",
            "this sentence is too long or too deeply bracketed",
            text.span,
            help="give parts of it names of their own, as one-line tables",
        )
    try:
        node = (None if text.plain else _quoted(raw, start)) or _parsed(raw, start)
    except UnexpectedInput as error:
        raise _explained(error, text, start) from None
    except Unclear as error:
        start_at, end = error.at
        span = Span(place.source, place.start + start_at, place.start + end)
        raise Faulty.one(error.code, error.message, span, help=error.help) from None
    return s.Cell(node, raw.strip(), place, start)


def is_keyword(name: str) -> bool:
    """Whether a name is a word of the language wherever a name may stand, so that a sentence must quote it."""
    return not _name().fullmatch(name)


def is_said_otherwise(name: str) -> bool:
    """Whether a word has a meaning in the language, in some place at least."""
    return is_keyword(name) or name in _words()


def _quoted(raw: str, start: str) -> s.Node | None:
    """The name that a cell is whose quotes are those of YAML: `place: 'in'` says what `unit is "in"` says."""
    name, at = raw.strip(), (raw.index(raw.strip()), len(raw.rstrip()))
    if name in MEANT_ALONE or not is_keyword(name) or not name.isalpha() or start in ("effect", "ratio", "ordering"):
        return None
    path = s.Path((name,), at)
    if start == "members":
        return s.Members(path, None, at)
    said = s.Reading(path, None, at)
    return s.Test("equal", (said,), False, at) if start == "test" else said


@lru_cache(maxsize=MOST_REMEMBERED)
def _parsed(raw: str, start: str) -> s.Node:
    """The tree of a sentence, whose places count from the sentence's own beginning: the same wherever it stands."""
    for quoted in re.finditer(r'"([^"]*)"', raw):
        if _name().fullmatch(quoted[1]):
            said = raw[: quoted.start()] + quoted[1] + raw[quoted.end() :]
            raise Unclear(
                "sentence-syntax", "a word needs no quotes inside a sentence", quoted.span(), f"write `{said}`"
            )
    node: s.Node = as_heard(_tree().transform(_parser().parse(raw, start=start)), raw, start)
    return node


@lru_cache(maxsize=1)
def _name() -> re.Pattern[str]:
    return re.compile(_parser().get_terminal("NAME").pattern.to_regexp())


@lru_cache(maxsize=1)
def _words() -> frozenset[str]:
    """The words of the language that may be names elsewhere, such as `down`."""
    said = (terminal.pattern for terminal in _parser().terminals if terminal.pattern.type == "str")
    return frozenset(pattern.value for pattern in said) | {"total", "highest", "lowest"}


class _WholeWords(PostLex):
    """A word is read to its end wherever it stands: `toughness` never begins with the word `to`."""

    always_accept = ("NAME",)

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        return stream


@lru_cache(maxsize=1)
def _parser() -> Lark:
    return Lark(
        root("grammar").joinpath("sentence.lark").read_text("utf-8"),
        parser="lalr",
        lexer="contextual",
        postlex=_WholeWords(),
        start=list(STARTS),
        propagate_positions=True,
        maybe_placeholders=False,
    )


def _explained(error: UnexpectedInput, text: Text, start: str) -> Faulty:
    """The fault in the words of those who write rules (`reading/advice`)."""
    raw, place = text.literal, text.content
    at = error.pos_in_stream if error.pos_in_stream is not None else len(raw)
    word = str(error.token) if isinstance(error, UnexpectedToken) else raw[at : at + 1]
    if not word or (isinstance(error, UnexpectedToken) and error.token.type == "$END"):
        word, at = "", len(raw.rstrip())
    found = advised(raw, start, at, partial(_can_be_said, start=start))
    found = found or fallback(raw, start, at, word, lambda name: not is_said_otherwise(name))
    span = Span(place.source, place.start + found.at[0], place.start + max(found.at[1], found.at[0] + 1))
    return Faulty.one("sentence-syntax", found.message, span, help=found.help)


def _can_be_said(raw: str, start: str) -> bool:
    try:
        _parsed(raw, start)
    except (UnexpectedInput, Unclear):
        return False
    return True


def slip_in(cell: s.Cell, at: s.At) -> Faulty | None:
    """The fault of a sentence that can be read, and yet is a slip where a name stands that nobody has."""
    found = advised_at(cell.text, cell.start, at, partial(_can_be_said, start=cell.start))
    if found is None:
        return None
    place = Span(cell.place.source, cell.place.start + found.at[0], cell.place.start + found.at[1])
    return Faulty.one("sentence-syntax", found.message, place, help=found.help)


@lru_cache(maxsize=1)
def _tree() -> _Tree:
    return _Tree()


def _said(word: Token) -> str:
    """A name without the quotes in which a sentence may say it."""
    return word.strip('"')


def _rank(token: Token) -> tuple[bool, int]:
    """`highest`, `second lowest`: from which end, and the how manieth from there."""
    *nth, end = token.split()
    return end == "highest", ORDINALS.index(nth[0]) + 2 if nth else 1


@v_args(meta=True)
class _Tree(Transformer[Token, Any]):
    """One method for each rule of the grammar; the depth of a sentence is bounded before it is parsed."""

    def __init__(self) -> None:
        super().__init__(visit_tokens=False)
        for rule in _parser().rules:  # each is wrapped anew whenever it is looked up, unless it is kept
            name = rule.alias or rule.origin.name
            if hasattr(self, name):
                setattr(self, name, getattr(self, name))

    @staticmethod
    def _at(meta: Meta) -> s.At:
        return (meta.start_pos, meta.end_pos) if not meta.empty else (0, 0)

    def condition(self, meta: Meta, c: Children) -> Any:
        return c[0]

    test = value = subject = members = effect = condition

    def none_of(self, meta: Meta, c: Children) -> s.Test:
        return s.Test(c[0].kind, c[0].values, True, self._at(meta))

    def alternatives(self, meta: Meta, c: Children) -> s.Test:
        if len(c) == 1:
            return c[0]  # type: ignore[no-any-return]
        return s.Test("either", tuple(c), False, self._at(meta))

    def ratio(self, meta: Meta, c: Children) -> s.Ratio:
        return s.Ratio(c[0], c[1], self._at(meta))

    def ordering(self, meta: Meta, c: Children) -> s.Ordering:
        return s.Ordering(c[0] == "highest", c[1], self._at(meta))

    def either(self, meta: Meta, c: Children) -> s.Node:
        return s.Either(tuple(c), self._at(meta))

    def both(self, meta: Meta, c: Children) -> s.Both:
        return s.Both(tuple(c), self._at(meta))

    def bracketed(self, meta: Meta, c: Children) -> s.Bracketed:
        return s.Bracketed(c[0], self._at(meta))

    def negation(self, meta: Meta, c: Children) -> s.Negation:
        return s.Negation(c[0], self._at(meta))

    def is_claim(self, meta: Meta, c: Children) -> s.Claim:
        return s.Claim(c[0], c[1], self._at(meta))

    def quantified(self, meta: Meta, c: Children) -> s.Quantified:
        return s.Quantified(c[0], c[1], self._at(meta))

    def quantifier(self, meta: Meta, c: Children) -> str:
        return str(c[0])

    def not_test(self, meta: Meta, c: Children) -> s.Test:
        return s.Test(c[0].kind, c[0].values, True, self._at(meta))

    def _test(kind: str) -> Any:  # type: ignore[misc]
        def method(self: _Tree, meta: Meta, c: Children) -> s.Test:
            return s.Test(kind, tuple(c), False, self._at(meta))

        return method

    equal_test, range_test, in_test = _test("equal"), _test("range"), _test("in")

    def at_least_test(self, meta: Meta, c: Children) -> s.Test:
        return s.Test("least", (c[1],), False, self._at(meta))

    def at_most_test(self, meta: Meta, c: Children) -> s.Test:
        return s.Test("most", (c[1],), False, self._at(meta))

    def more_than_test(self, meta: Meta, c: Children) -> s.Test:
        return s.Test("more", (c[1],), False, self._at(meta))

    def less_than_test(self, meta: Meta, c: Children) -> s.Test:
        return s.Test("less", (c[1],), False, self._at(meta))

    def arithmetic(self, meta: Meta, c: Children) -> s.Arithmetic:
        return s.Arithmetic(str(c[1]), c[0], c[2], self._at(meta))

    def rounded(self, meta: Meta, c: Children) -> s.Rounded:
        return s.Rounded(str(c[1]), c[0], self._at(meta))

    def compared(self, meta: Meta, c: Children) -> s.Compared:
        return s.Compared(c[0].split()[1], tuple(c[1:]), self._at(meta))

    def number(self, meta: Meta, c: Children) -> s.Literal:
        return s.Literal(int(c[0]), self._at(meta))

    def signed(self, meta: Meta, c: Children) -> s.Node:
        sign, value, at = str(c[0]), c[1], self._at(meta)
        if isinstance(value, s.Literal) and type(value.value) is int:
            return s.Literal(value.value if sign == "+" else -value.value, at)
        return value if sign == "+" else s.Arithmetic("-", s.Literal(0, at), value, at)

    def heading(self, meta: Meta, c: Children) -> s.Literal:
        return s.Literal(str(c[0]), self._at(meta))

    def yes(self, meta: Meta, c: Children) -> s.Literal:
        return s.Literal(True, self._at(meta))

    def no(self, meta: Meta, c: Children) -> s.Literal:
        return s.Literal(False, self._at(meta))

    def nobody(self, meta: Meta, c: Children) -> s.Literal:
        return s.Literal(None, self._at(meta))

    def reading(self, meta: Meta, c: Children) -> s.Reading:
        return s.Reading(c[0], c[1] if len(c) == 2 else None, self._at(meta))

    def reading_then(self, meta: Meta, c: Children) -> s.Reading:
        return s.Reading(c[0], c[1] if len(c) == 3 else None, self._at(meta), _said(c[-1]))

    def path(self, meta: Meta, c: Children) -> s.Path:
        return s.Path(tuple(map(_said, c)), self._at(meta))

    def sign(self, meta: Meta, c: Children) -> s.Reading:
        at = self._at(meta)
        return s.Reading(s.Path((str(c[0]),), at), None, at)

    def set(self, meta: Meta, c: Children) -> s.Members:
        other, (path, *where) = isinstance(c[0], Token), [part for part in c if not isinstance(part, Token)]
        return s.Members(path, where[0] if where else None, self._at(meta), other)

    def count(self, meta: Meta, c: Children) -> s.Count:
        return s.Count(c[1], self._at(meta))

    def total(self, meta: Meta, c: Children) -> s.Total:
        return s.Total(_said(c[1]), c[2], self._at(meta))

    def extreme(self, meta: Meta, c: Children) -> s.Extreme:
        return s.Extreme(*_rank(c[0]), _said(c[1]), c[2], False, self._at(meta))

    def whoever(self, meta: Meta, c: Children) -> s.Extreme:
        return s.Extreme(*_rank(c[2]), _said(c[3]), c[1], True, self._at(meta))

    def gain(self, meta: Meta, c: Children) -> s.Gain:
        return s.Gain(c[0], self._at(meta))

    def lose(self, meta: Meta, c: Children) -> s.Lose:
        return s.Lose(c[0], self._at(meta))

    def set_fact(self, meta: Meta, c: Children) -> s.Set:
        return s.Set(c[0], c[1], self._at(meta))

    def add_to(self, meta: Meta, c: Children) -> s.Add:
        return s.Add(c[0], c[1], self._at(meta))

    def take_from(self, meta: Meta, c: Children) -> s.Take:
        return s.Take(c[0], c[1], self._at(meta))

    def become(self, meta: Meta, c: Children) -> s.Become:
        return s.Become(c[0], self._at(meta))

    def leave(self, meta: Meta, c: Children) -> s.Leave:
        return s.Leave(self._at(meta))

    def put(self, meta: Meta, c: Children) -> s.Put:
        return s.Put(s.Reading(c[0], None, c[0].at), c[1], self._at(meta))

    def remove(self, meta: Meta, c: Children) -> s.Remove:
        return s.Remove(s.Reading(c[0], None, c[0].at), c[1], self._at(meta))

    def owe(self, meta: Meta, c: Children) -> s.Owe:
        return s.Owe(str(c[0]), self._at(meta))
