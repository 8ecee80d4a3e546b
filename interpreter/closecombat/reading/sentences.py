"""From the text of a cell to its syntax: read by `reading/grammar`, heard as people hear it by `reading/hearing`.

The grammar is imported when a sentence is new: a ruleset that is recalled has none, and the sentences of a file that
has been read before are recalled together (`keep_sentences`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache, partial
from typing import TypeAlias

from closecombat.reading import syntax as s
from closecombat.reading.advice import Has, advised, advised_at, fallback
from closecombat.reading.hearing import Unclear, Unread, as_heard
from closecombat.text.cache import keep, key_for, recalled
from closecombat.text.faults import Faulty
from closecombat.text.nodes import Text
from closecombat.text.packed import keep_packed, makers_of, recalled_packed
from closecombat.text.slotted import dataclass
from closecombat.text.source import Source, Span

MOST_CHARACTERS = 2_000
DEEPEST_BRACKETS = 30
MOST_REMEMBERED = 10_000  # sentences; half of a ruleset's are said more than once
MOST_FILES = 256  # whose sentences are remembered
LEAST_KEPT = 300  # characters of a file: what is shorter is read as quickly as it is looked up
_MAKERS = makers_of(s)
Sentences: TypeAlias = dict[tuple[str, str], s.Node]  # by their text, and by what is to stand there
MEANT_ALONE = ("yes", "no", "nobody")  # words of the language that are a whole sentence


def parse(text: Text, start: str) -> s.Cell:
    """Parse a cell; `start` is one of `grammar.STARTS`. Raises Faulty with the place of the first wrong word."""
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
        is_long, help = len(raw) > MOST_CHARACTERS, "give parts of it names of their own, as one-line tables"
        most = f"{MOST_CHARACTERS:,} letters" if is_long else f"{DEEPEST_BRACKETS} brackets"
        code, message = "too-large" if is_long else "too-deep", f"a sentence has at most {most}"
        raise Faulty.one(
            code, f"{message}, and this one {len(raw) if is_long else raw.count('('):,}", text.span, help=help
        )
    node = None if text.plain else _quoted(raw, start)
    heard = _heard_in(place.source)
    try:
        node = node or heard.before.get((raw, start)) or _parsed(raw, start)
    except Unread as error:
        raise _explained(error, text, start) from None
    except Unclear as error:
        start_at, end = error.at
        span = Span(place.source, place.start + start_at, place.start + end)
        raise Faulty.one(error.code, error.message, span, help=error.help) from None
    heard.now[raw, start] = node
    return s.Cell(node, raw.strip(), place, start)


@dataclass(frozen=True, slots=True)
class _Heard:
    """The sentences of a file: those of when it was last read, whatever it said then, and those that are read now."""

    before: Sentences
    now: Sentences


@lru_cache(maxsize=MOST_FILES)
def _heard_in(source: Source) -> _Heard:
    known = recalled_packed(_key(source), (), _MAKERS) if len(source.text) >= LEAST_KEPT else None
    return _Heard(known if isinstance(known, dict) else {}, {})


def keep_sentences(sources: Iterable[Source]) -> None:
    """Keeps what has been read of some files, for whoever reads them again: where one has been changed meanwhile only
    what is new in it is read anew, since a sentence says the same wherever it stands."""
    for source in sources:
        heard = _heard_in(source)
        if heard.now.keys() - heard.before.keys() and len(source.text) >= LEAST_KEPT:
            keep_packed(_key(source), heard.now, (), _MAKERS)
            heard.before.update(heard.now)


def _key(source: Source) -> str:
    return key_for("sentences", (source.name,))


def is_keyword(name: str) -> bool:
    """Whether a name is a word of the language wherever a name may stand, so that a sentence must quote it."""
    return not _of_the_language()[0].fullmatch(name)


def is_said_otherwise(name: str) -> bool:
    """Whether a word has a meaning in the language, in some place at least."""
    return is_keyword(name) or name in _of_the_language()[1]


@lru_cache(maxsize=1)
def _of_the_language() -> tuple[re.Pattern[str], frozenset[str]]:
    """What a name is where nothing says that it is one, and the words of the language that may be names elsewhere."""
    key = key_for("words of the language", ())
    known = recalled(key)
    if known is None:
        from closecombat.reading.grammar import name_pattern, words

        known = "\n".join((name_pattern(), *sorted(words())))
        keep(key, known)
    pattern, *said = known.split("\n")
    return re.compile(pattern), frozenset(said)


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
        if not is_keyword(quoted[1]):
            said = raw[: quoted.start()] + quoted[1] + raw[quoted.end() :]
            raise Unclear(
                "sentence-syntax", "a word needs no quotes inside a sentence", quoted.span(), f"write `{said}`"
            )
    from closecombat.reading.grammar import tree

    return as_heard(tree(raw, start), raw, start)


def _explained(error: Unread, text: Text, start: str) -> Faulty:
    """The fault in the words of those who write rules (`reading/advice`)."""
    raw, place = text.literal, text.content
    found = advised(raw, start, error.at, partial(_can_be_said, start=start))
    found = found or fallback(raw, start, error.at, error.word, lambda name: not is_said_otherwise(name))
    span = Span(place.source, place.start + found.at[0], place.start + max(found.at[1], found.at[0] + 1))
    return Faulty.one("sentence-syntax", found.message, span, help=found.help)


def _can_be_said(raw: str, start: str) -> bool:
    try:
        _parsed(raw, start)
    except (Unread, Unclear):
        return False
    return True


def slip_in(cell: s.Cell, at: s.At, unknown: str = "", has: Has = lambda _: False) -> Faulty | None:
    """The fault of a sentence that can be read, and yet is a slip where a name stands that nobody has."""
    parses = partial(_can_be_said, start=cell.start)
    found = advised_at(cell.text, cell.start, at, parses, unknown, has)
    if found is None:
        return None
    place = Span(cell.place.source, cell.place.start + found.at[0], cell.place.start + found.at[1])
    return Faulty.one("sentence-syntax", found.message, place, help=found.help)
