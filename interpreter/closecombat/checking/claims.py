"""Properties that a ruleset claims: whether each can be looked at, so that what it steps can be stepped and what never
changes can be compared. Whether it holds is `asking/claims/properties`."""

from __future__ import annotations

from collections.abc import Iterator

from closecombat.binding.charts import Bound
from closecombat.reading.model import Fact, Property, PropertyStep
from closecombat.reading.properties import BECOMES, LESS, MORE
from closecombat.reading.types import Flag, Number, Per, Roll, Type, Word, a
from closecombat.text.faults import Faults, Faulty, suggest

SAID = ("given", "printed", "noted")  # the facts that a situation can say


def check_properties(bound: Bound, faults: Faults) -> None:
    """Adds what keeps a claim from being looked at."""
    for claim in bound.ruleset.properties.values():
        kind = bound.ruleset.kinds.get(claim.about.name)
        if kind is None:
            kinds = bound.ruleset.kinds
            message = f"no kind is called `{claim.about.name}`"
            help = suggest(claim.about.name, kinds) or "it is about one of " + ", ".join(kinds)
            faults.add("unknown-name", message, claim.about.place, help=help)
            continue
        for step in claim.steps:
            fact = kind.facts.get(step.fact.name)
            if fact is None:
                message = f"{a(kind.name)} has no fact `{step.fact.name}`"
                known = [name for name, fact in kind.facts.items() if fact.origin in SAID]
                help = suggest(step.fact.name, kind.facts) or "it has " + (
                    ", ".join(known) or "none that can be stepped"
                )
                faults.add("unknown-fact", message, step.fact.place, help=help)
            else:
                faults.attempt(_check_step, step, fact)
        _check_value(bound, claim, faults)


def _check_step(step: PropertyStep, fact: Fact) -> None:
    if fact.origin not in SAID:
        raise Faulty.one(
            "wrong-type",
            f"`{fact.name}` is {fact.origin}, and only what a situation says can be stepped",
            step.fact.place,
            help="name a fact that is given, printed or noted",
        )
    type, name = fact.type, fact.name
    if step.how in (MORE, LESS):
        is_counted = isinstance(type, Per) if step.word else isinstance(type, Word | Number)
        if not is_counted:
            each = "" if step.word or not isinstance(type, Per) else f"; say for which: `{step.how} {name} for ..`"
            message = f"there is no more and no less of `{name}`, which is {type}"
            raise Faulty.one("wrong-type", message + each, step.fact.place, help=_instead(type, name))
        words = type.words if isinstance(type, Per) else ()
    elif step.how == BECOMES:
        if not isinstance(type, Word):
            message = f"`{name}` is {type}, and no word"
            raise Faulty.one("wrong-type", message, step.fact.place, help=_instead(type, name))
        words = type.words
    else:
        if not isinstance(type, Flag):
            message = f"`{name}` is {type}, and no flag"
            raise Faulty.one("wrong-type", message, step.fact.place, help=_instead(type, name))
        words = ()
    if step.word and step.word not in words:
        message = f"`{step.word}` is not {type}"
        raise Faulty.one("unknown-word", message, step.fact.place, help=suggest(step.word, words))


def _instead(type: Type, name: str) -> str:
    match type:
        case Flag():
            return f"write `with: {name}` or `with: not {name}`"
        case Per(words):
            return f"write `with: more {name} for {words[0]}`"
        case Word(words):
            return f"write `with: {name} is {words[-1]}`, or `with: more {name}` for the next of its list"
        case Number():
            return f"write `with: more {name}` or `with: less {name}`"
    return "step a flag, a number or a word"


def _check_value(bound: Bound, claim: Property, faults: Faults) -> None:
    value = bound.ruleset.tables[claim.value].value
    try:
        type = bound.table_type(claim.value)
        if claim.case:
            bound.table_type(claim.case)
    except Faulty:
        return  # which is told of its table
    if value is None:
        return
    said = "more" if claim.more else "less"
    if claim.often != isinstance(type, Flag):
        is_so = "is so or not" if isinstance(type, Flag) else f"is {type}"
        help = f"write `never: {said} {'' if claim.often else 'often '}{value.text}`"
        faults.add("wrong-type", f"`{value.text}` {is_so}", value.place, help=help)
    elif isinstance(type, Word):
        for code, message, help in _of_scale(claim, type):
            faults.add(code, message, claim.scale_place, help=help)
    elif not isinstance(type, Flag | Number | Roll):
        faults.add("wrong-type", f"this is {type}, and cannot be more or less", value.place)
    elif claim.scale:
        help = "leave `scale:` out"
        faults.add("wrong-shape", f"`{value.text}` needs no scale", claim.scale_place, help=help)


def _of_scale(claim: Property, type: Word) -> Iterator[tuple[str, str, str]]:
    listed = [word for step in claim.scale for word in step]
    if not listed:
        order = ", ".join(type.words)
        yield "missing-key", "nothing says which of its words is more", f"add `scale: [{order}]`, the least first"
        return
    for word in listed:
        if word not in type.words:
            yield "unknown-word", f"`{word}` is not {type}", suggest(word, type.words)
        elif listed.count(word) > 1:
            yield "duplicate-id", f"`{word}` stands twice on the scale", "leave one of them out"
    if missing := [word for word in type.words if word not in listed]:
        help = "put it where it belongs; words that are as good as each other are joined: `locked or unharmed`"
        yield "missing-key", f"the scale lacks {', '.join(f'`{word}`' for word in missing)}", help
