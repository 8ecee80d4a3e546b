"""The JSON Schema of what is written for one ruleset: its kinds and their facts, its counters, words, options and rows.

`situation` and `example` have one for any ruleset, in `schemas/`, which knows keys alone. Here the parts of it that say
who is there, how rules are read and what players decide are those of a ruleset, so that an editor that knows JSON
Schemas, and nothing else of this program, completes the names and underlines what the rules do not know. What it lets
through may still be wrong: `check` knows.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, TypeAlias

from closecombat.reading.model import Choose, Declare, Fact, Kind, Ruleset
from closecombat.reading.types import ACounter, AThing, Flag, Number, Per, Roll, SomeDice, Things, Type, Word, a, shown
from closecombat.text.faults import Bug
from closecombat.text.files import schemas

Schema: TypeAlias = dict[str, Any]

OF_A_RULESET = ("situation", "example")  # what is written for one
THROWN = ("rolled", "drawn")
NOBODY = "nobody"


def own_schema(kind: str, ruleset: Ruleset) -> Schema:
    """The schema of a situation or an example of a ruleset, as JSON."""
    if kind not in OF_A_RULESET:
        raise Bug(f"{kind} is of no ruleset")
    out: Schema = json.loads(schemas()[kind].read_text(encoding="utf-8"))
    out["title"] += f" of {ruleset.name}"
    parts = out["$defs"]
    parts["things"] = {**parts["things"], **_closed(dict(_top(ruleset)))}
    parts["options"] = {**parts["options"], **_closed(dict(_options(ruleset)))}
    parts["options"].pop("propertyNames")
    parts["choices"] = {**parts["choices"], **_closed(dict(_choices(ruleset)))}
    for one in ruleset.kinds.values():
        parts[_def(one.name)] = _thing(ruleset, one)
    return out


def _def(kind: str) -> str:
    return f"a-{kind}"


def _part(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _closed(properties: Schema) -> Schema:
    return {"properties": properties, "additionalProperties": False}


# ---- who is there --------------------------------------------------------------------------------------


def _top(ruleset: Ruleset) -> Iterator[tuple[str, Schema]]:
    for kind in ruleset.kinds.values():
        one = _part(_def(kind.name))
        if kind.one:
            yield kind.name, one
        else:
            yield kind.plural, {"title": f"{kind.plural} by their names", **_by_name(one)}
    if any(not deck.each for deck in ruleset.decks.values()):
        yield "gone", _gone(ruleset, "")


def _by_name(one: Schema) -> Schema:
    return {"type": ["object", "null"], "propertyNames": _part("name"), "additionalProperties": one}


def _thing(ruleset: Ruleset, kind: Kind) -> Schema:
    facts = {fact.name: _fact(ruleset, fact) for fact in kind.facts.values() if _is_said(fact)}
    counters = [one for one in ruleset.counters.values() if one.kind == kind.name]
    if counters:
        said = "The counter that it is; what is printed there need not be said."
        facts = {"counter": {"description": said, "enum": [one.name for one in counters]}, **facts}
    if any(deck.each == kind.name for deck in ruleset.decks.values()):
        facts["gone"] = _gone(ruleset, kind.name)
    out: Schema = {"title": a(kind.name), "type": ["object", "null"], **_closed(facts)}
    must = [fact.name for fact in kind.facts.values() if _must_be_said(ruleset, fact)]
    printed = {name for name in must if kind.facts[name].origin == "printed"}
    if always := [name for name in must if name not in printed or not counters]:
        out["required"] = always
    if counters and printed:
        out |= {"if": {"required": ["counter"]}, "then": {}, "else": {"required": [n for n in must if n in printed]}}
    return out


def _is_said(fact: Fact) -> bool:
    return fact.is_hand or fact.origin not in THROWN


def _must_be_said(ruleset: Ruleset, fact: Fact) -> bool:
    """Whether a situation is at fault that says nothing of a fact; of whose set somebody is need not be said."""
    if fact.default is not None or fact.like or not _is_said(fact) or isinstance(fact.type, Things | Per):
        return False
    if isinstance(fact.type, AThing):
        owner = ruleset.kinds.get(fact.type.kind) if fact.name == fact.type.kind else None
        sets = (one.type for one in owner.facts.values()) if owner is not None else ()
        return not fact.type.other and not any(isinstance(one, Things) and one.kind == fact.kind for one in sets)
    return True


def _fact(ruleset: Ruleset, fact: Fact) -> Schema:
    words = [fact.where.note, f"[{', '.join(fact.where.cites)}]" if fact.where.cites else ""]
    out = {"title": f"{fact.name}: {fact.type}", **_value(ruleset, fact.type)}
    if said := " ".join(one for one in words if one):
        out["description"] = said
    if fact.default is not None and isinstance(fact.type, Flag | Number | Word) and fact.default[0] is not None:
        out["default"] = shown(fact.default[0])
    return out


def _value(ruleset: Ruleset, type: Type) -> Schema:
    match type:
        case Flag():
            return {"enum": ["yes", "no", True, False]}
        case Number(low, high, nobody):
            return _number(low, high, nobody)
        case Word(words):
            return {"enum": [one for word in words for one in _as_read(word)]}
        case AThing():
            return _part("name")
        case ACounter(nobody):
            return {"enum": [*ruleset.counters, *([NOBODY] if nobody else [])]}
        case Per(words, low, high):
            each = _number(low, high, False)
            return {"type": ["object", "null"], **_closed(dict.fromkeys(words, each))}
        case Things(kind):
            member = _part(_def(kind))
            some = {"type": ["object", "array", "string", "null"], "items": _part("name")}
            return {**some, "propertyNames": _part("name"), "additionalProperties": member}
        case SomeDice() | Roll():
            return _part("text")
    return {}


def _as_read(word: str) -> Iterator[str | int]:
    """A word as an editor reads it: one of digits alone is a number to it, unless it stands in quotes."""
    yield word
    if word.isdecimal():
        yield int(word)


def _number(low: int | None, high: int | None, nobody: bool) -> Schema:
    if low is None:
        return {"type": ["number", "string"], "pattern": f"^([+-]?[0-9]+([./][0-9]+)?{'|nobody' if nobody else ''})$"}
    out: Schema = {"type": ["integer", "string"], "minimum": low}
    if high is not None:
        out["maximum"] = high
    whole = r"[+-]?[0-9]+(\.0+)?" if high is None or high - low > 200 else "|".join(map(str, range(low, high + 1)))
    return {**out, "pattern": f"^({whole}{'|nobody' if nobody else ''})$"}


def _gone(ruleset: Ruleset, each: str) -> Schema:
    decks = (deck for deck in ruleset.decks.values() if deck.each == each)
    number: Schema = {"type": ["integer", "string"], "minimum": 0, "pattern": "^[0-9]+$"}
    cards = {deck.name: {"type": "object", **_closed(dict.fromkeys(deck.cards, number))} for deck in decks}
    return {"title": "Cards that are gone", "type": "object", **_closed(cards)}


# ---- what is decided -----------------------------------------------------------------------------------


def _options(ruleset: Ruleset) -> Iterator[tuple[str, Schema]]:
    for one in ruleset.options.values():
        out: Schema = {"enum": [each for word in one.readings for each in _as_read(word)], "default": one.default}
        out |= {"title": one.title} if one.title else {}
        yield one.name, out | ({"description": one.why} if one.why else {})


def _choices(ruleset: Ruleset) -> Iterator[tuple[str, Schema]]:
    asked: dict[str, list[Schema]] = {}
    for sequence in ruleset.sequences.values():
        for act in sequence.acts:
            if isinstance(act.verb, Choose | Declare):
                answer = _answer(ruleset, act.verb.fact.text) if isinstance(act.verb, Choose) else {}
                asked.setdefault(act.id, []).append(answer)
    for row, answers in asked.items():
        said = {"title": "who is asked, and the answer", "type": ["object", "null"]}
        yield row, {**said, "additionalProperties": answers[0] if len(answers) == 1 else {}}


def _answer(ruleset: Ruleset, fact: str) -> Schema:
    """What may be answered to a choice of a fact, once or, in a list, one time after the other."""
    name = fact.split(" of ")[0].strip()
    types = {kind.facts[name].type for kind in ruleset.kinds.values() if name in kind.facts}
    if len(types) != 1 or isinstance(only := types.pop(), Things | Per):
        return {}
    one = _value(ruleset, only)
    return {"if": {"type": "array"}, "then": {"items": one}, "else": one}
