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
SHIFT = 0  # of what a table says for a token: go on to another state; else a rule has come to its end
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
        data["parser"]["parser"] = _numbered_anew(data["parser"]["parser"])
        keep(key, json.dumps(_plain([data, memo])))
    except ANOTHER_LARK:  # then it is made anew each time
        pass
    return parser


def _numbered_anew(tables: dict[str, Any]) -> dict[str, Any]:
    """The same tables with their tokens numbered by their names, and their states in the order in which one comes to
    them: lark numbers both as they happen to lie in memory, and the same grammar shall be the same text."""
    called, states = tables["tokens"], tables["states"]
    begun = sorted(tables["start_states"].items())
    order = list(dict.fromkeys(state for _, state in begun))
    for state in order:  # which grows meanwhile
        moves = sorted((called[token], way) for token, way in states[state].items() if way[0] == SHIFT)
        order += [to for _, (_, to) in moves if to not in order]
    place = {state: at for at, state in enumerate(order)}
    token = {name: at for at, name in enumerate(sorted(called.values()))}

    def line(state: int) -> dict[int, Any]:
        ways = sorted(((token[called[of]], way) for of, way in states[state].items()), key=lambda one: one[0])
        return {of: (way[0], place[way[1]]) if way[0] == SHIFT else way for of, way in ways}

    return {
        "tokens": {at: name for name, at in token.items()},
        "states": {place[state]: line(state) for state in order},
        "start_states": {name: place[state] for name, state in begun},
        "end_states": {name: place[state] for name, state in sorted(tables["end_states"].items())},
    }


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
