"""The tables that lark makes of the grammar, kept in the cache: to make them takes ten times as long as to read them.

Lark's own way of keeping them is a pickle, which can run code; what it would pickle is plain data, and is kept as JSON
here. JSON has no keys but texts: a mapping with other keys is written as its pairs, under a key that no mapping has.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from lark import Lark
from lark import __version__ as lark_version
from lark.exceptions import LarkError
from lark.grammar import Rule
from lark.lark import PostLex
from lark.lexer import TerminalDef

from closecombat.text.cache import keep, key_for, recalled

PAIRS = ""
ANOTHER_LARK = (
    LarkError,
    AttributeError,
    AssertionError,
    KeyError,
    TypeError,
    ValueError,
)  # its data are made otherwise


def parser_of(grammar: str, postlex: PostLex, make: Callable[[], Lark]) -> Lark:
    """The parser of a grammar as it is made by `make`, from the cache if it is there."""
    key = key_for("grammar", (grammar, lark_version))
    kept = recalled(key)
    if kept is not None:
        try:
            data, memo = _back(json.loads(kept))
            load: Callable[..., Lark] = Lark._load_from_dict
            return load(data, memo, postlex=postlex)
        except ANOTHER_LARK:
            pass
    parser = make()
    try:
        data, memo = parser.memo_serialize([TerminalDef, Rule])
        data["options"]["postlex"] = None
        keep(key, json.dumps(_plain([data, memo])))
    except ANOTHER_LARK:  # then it is made anew each time
        pass
    return parser


def _plain(part: Any) -> Any:
    if isinstance(part, dict):
        if all(type(key) is str and key != PAIRS for key in part):
            return {key: _plain(value) for key, value in part.items()}
        return {PAIRS: [[key, _plain(value)] for key, value in part.items()]}
    if isinstance(part, list | tuple | set | frozenset):
        return [_plain(one) for one in part]
    return part


def _back(part: Any) -> Any:
    if isinstance(part, dict):
        if PAIRS in part:
            return {key: _back(value) for key, value in part[PAIRS]}
        return {key: _back(value) for key, value in part.items()}
    if isinstance(part, list):
        return [_back(one) for one in part]
    return part
