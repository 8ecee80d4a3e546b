"""The rules of `grammar/sentence.lark`, each with the node that it makes; the only user of lark, but for
`reading/grammar_tables`.

It is imported by `reading/sentences` when a sentence is new, and not before: a ruleset from the cache needs none of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, TypeAlias

from lark import Lark, Token, Transformer, v_args
from lark.exceptions import UnexpectedInput, UnexpectedToken
from lark.lark import PostLex
from lark.tree import Meta

from closecombat.reading import syntax as s
from closecombat.reading.grammar_tables import parser_of
from closecombat.reading.hearing import Unread
from closecombat.text.files import root

STARTS = ("condition", "value", "test", "subject", "members", "effect", "ratio", "ordering")
ORDINALS = ("second", "third", "fourth", "fifth", "sixth")
Children: TypeAlias = list[Any]  # what stands in a rule of the grammar: nodes, and words of the language as tokens


def tree(raw: str, start: str) -> Any:
    """The node of a sentence as it is written; `start` is one of STARTS. Raises Unread."""
    try:
        return _tree().transform(_parser().parse(raw, start=start))
    except UnexpectedInput as error:
        at = error.pos_in_stream if error.pos_in_stream is not None else len(raw)
        word = str(error.token) if isinstance(error, UnexpectedToken) else raw[at : at + 1]
        if not word or (isinstance(error, UnexpectedToken) and error.token.type == "$END"):
            word, at = "", len(raw.rstrip())
        raise Unread(at, word) from None


def name_pattern() -> str:
    """What a name is, where nothing says that it is one, as a regular expression."""
    return str(_parser().get_terminal("NAME").pattern.to_regexp())


def words() -> frozenset[str]:
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
    grammar, postlex = root("grammar").joinpath("sentence.lark").read_text("utf-8"), _WholeWords()

    def made() -> Lark:
        return Lark(
            grammar,
            parser="lalr",
            lexer="contextual",
            postlex=postlex,
            start=list(STARTS),
            propagate_positions=True,
            maybe_placeholders=False,
        )

    return parser_of(grammar, postlex, made)


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
