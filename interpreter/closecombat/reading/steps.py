"""The rows of a sequence as steps that a player carries out: whoever it looks at, and what is done, in one sentence.

A row that says itself how it is said (`says:`) is told so; what is made here of any other is plain and never short. How
steps follow each other, and which of them are told, is decided by whoever prints them (`asking/sheet`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from closecombat.reading import model as m
from closecombat.reading import syntax as s
from closecombat.reading.aloud import Speaker
from closecombat.reading.model import Act, Asked, Ruleset
from closecombat.reading.phrases import listed, sentence


def step(speaker: Speaker, act: Act, skip: Sequence[Asked] = ()) -> str:
    """A row of the sequence that is spoken of, as a sentence."""
    if act.says:
        return sentence([act.says])
    looked = act.each or act.who
    inner = speaker if looked is None else speaker.looking_at(looked.node)
    who = f"for {speaker.value(act.who.node)}" if act.who is not None else ""
    cast = _cast_in(speaker.ruleset, act)
    told = (inner if act.who is not None else speaker).row(act, (*skip, *(asked for _, _, asked in cast)))
    when = told[:1].lower() + told[1:]
    parts = (who, f"if {when}" if told and act.each is None else when, *_in_turn(inner, act))
    lead = ", ".join(part for part in parts if part)
    roles = [f"{inner.value(test.values[0])} as the {name.replace('-', ' ')}" for name, test, _ in cast]
    done = [deed(inner, act.verb) + (f" with {listed(roles, 'and')}" if roles else "")] if act.verb is not None else []
    done += [effect(inner, cell.node) for cell in act.effects]
    return sentence([f"{lead}:" if lead else "", listed(done, "and")])


def _cast_in(ruleset: Ruleset, act: Act) -> list[tuple[str, s.Test, Asked]]:
    """Who plays which role of the sequence that a row plays: columns that are no conditions."""
    inner = ruleset.sequences.get(act.verb.sequence.name) if isinstance(act.verb, m.Play) else None
    found: list[tuple[str, s.Test, Asked]] = []
    for asked in act.tests if inner is not None else ():
        name = asked[0].text.strip() if asked[0] is not None else ""
        if inner is not None and name in inner.roles and isinstance(test := asked[1].node, s.Test):
            found.append((name, test, asked))
    return found


def _in_turn(speaker: Speaker, act: Act) -> Iterator[str]:
    """In which order a row looks at several, and how often it is done."""
    if act.order:
        first, *then = [f"{'highest' if one.highest else 'lowest'} {speaker.value(one.value)}".replace(" the ", " ")
                        for cell in act.order if isinstance(one := cell.node, s.Ordering)]  # fmt: skip
        yield f"{first} first" + "".join(f", then {other}" for other in then)
    if act.times is not None:
        yield (
            f"{speaker.value(act.times.node)} times"
            if isinstance(act.times.node, s.Literal)
            else (f"as often as {speaker.value(act.times.node)}")
        )


def deed(speaker: Speaker, verb: m.Verb) -> str:
    match verb:
        case m.Play(name):
            return title_of(speaker, name.name)
        case m.Roll(fact):
            return f"roll {speaker.value(fact.node)}"
        case m.Deal(fact):
            return f"deal {speaker.value(fact.node)}"
        case m.Shuffle(deck):
            return f"shuffle {speaker.value(deck.node)}"
        case m.Choose(fact):
            return f"choose {speaker.value(fact.node)}"
        case m.Declare(fact):
            return f"declare {speaker.value(fact.node)}"
        case m.SingleOut(fact):
            return f"draw lots for {speaker.value(fact.node)}"
        case m.Create(counter):
            return f"place {speaker.name(counter.name)}"


def title_of(speaker: Speaker, sequence: str) -> str:
    found = speaker.ruleset.sequences.get(sequence)
    return found.title if found is not None and found.title else speaker.name(sequence)


def effect(speaker: Speaker, node: s.Node) -> str:
    match node:
        case s.Gain(fact) | s.Lose(fact):
            said = speaker.flag(fact, isinstance(node, s.Lose))
            return f"{'it' if said.own else said.whom} {said.what} from now on".strip()
        case s.Set(fact, value):
            return f"{speaker.noun(fact)} becomes {speaker.value(value)}"
        case s.Add(value, fact):
            return f"add {speaker.value(value)} to {speaker.noun(fact)}"
        case s.Take(value, fact):
            return f"take {speaker.value(value)} from {speaker.noun(fact)}"
        case s.Become(value):
            return f"replace it by {speaker.value(value)}"
        case s.Leave():
            return "remove it"
        case s.Put(value, fact):
            return f"put {speaker.value(value)} into {speaker.noun(fact)}"
        case s.Remove(value, fact):
            return f"take {speaker.value(value)} out of {speaker.noun(fact)}"
        case s.Owe(duty):
            return f"it owes {speaker.word(duty)}"
    return speaker.value(node)


def is_seen(ruleset: Ruleset, act: Act, within: frozenset[str] = frozenset()) -> bool:
    """Whether players see anything of a row: not of what only notes what is `shown: no`."""
    if act.says:
        return True
    if isinstance(act.verb, m.Play):
        name = act.verb.sequence.name
        inner = ruleset.sequences.get(name)
        rows = () if inner is None or name in within else inner.acts
        if not rows or any(is_seen(ruleset, row, within | {name}) for row in rows):
            return True
    elif act.verb is not None:
        return True
    hidden = {fact.name for kind in ruleset.kinds.values() for fact in kind.facts.values() if not fact.shown}
    for cell in act.effects:
        match cell.node:
            case s.Gain(fact) | s.Lose(fact) | s.Set(fact) | s.Add(fact=fact) | s.Take(fact=fact):
                if fact.names[0] not in hidden:
                    return True
            case s.Put(fact=fact) | s.Remove(fact=fact):
                if fact.names[0] not in hidden:
                    return True
            case _:
                return True
    return False
