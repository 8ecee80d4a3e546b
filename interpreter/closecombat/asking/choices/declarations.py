"""What is declared: in words, as `choices:` of a situation has it, and by the ruleset. What may be is `allowed`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from closecombat.asking.choices.alike import Things
from closecombat.asking.choices.allowed import Given, Open
from closecombat.binding.bound import BoundDeclare
from closecombat.playing.run import Run
from closecombat.proving.values.symbolic import Value
from closecombat.reading.types import shown
from closecombat.text.nodes import Listing, Mapping, Node, Text
from closecombat.text.source import Span


def set_in_words(things: Iterable[Any]) -> str:
    """Things that are declared together."""
    return " + ".join(map(answer_in_words, things)) or "nothing"


def answer_in_words(value: Any) -> str:
    """An answer in one line: `a1, a2 > d1` for a thing that is declared."""
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    if isinstance(value, dict):
        first, *others = value.values()
        named = [answer_in_words(each) for each in others if each is not None and each != ()]
        return " > ".join(["nobody" if first == () else answer_in_words(first), *named])
    return shown(value)


def as_written(who: str, things: Things, span: Span) -> Node:
    """The same as it stands under `choices:`, each thing with a name that nothing else has."""
    return _mapping({f"{who}-{at}": _facts(one, span) for at, one in enumerate(things, 1)}, span)


def _facts(given: Given, span: Span) -> Node:
    said = {name: value for name, value in given.items() if value is not None and value != ()}
    return _mapping({name: _value(value, span) for name, value in said.items()}, span)


def _value(value: Value, span: Span) -> Node:
    if isinstance(value, tuple):
        return Listing(tuple(_text(str(one), span) for one in value), span)
    return _text(shown(value), span)


def _mapping(said: dict[str, Node], span: Span) -> Node:
    return Mapping(tuple((_text(name, span), node) for name, node in said.items()), span)


def _text(text: str, span: Span) -> Text:
    return Text(text, span, True, span)


def usual_things(run: Run, found: Open) -> Things | None:
    """What the ruleset declares where nobody says anything; None where that is nothing that can be listed."""
    if not isinstance(found.verb, BoundDeclare):
        return None
    out: list[Given] = []
    for facts in (found.verb.otherwise or {}).values():
        given: Given = {}
        for name, term in facts.items():
            value = term.run(run, found.env)
            given[name] = tuple(one for one, guard in value if guard is True) if isinstance(value, list) else value
        if () not in given.values():
            out.append(given)
    return tuple(out)
