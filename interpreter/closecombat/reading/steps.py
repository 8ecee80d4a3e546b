"""The rows of a sequence as steps that a player carries out: whoever it looks at, and what is done, in one sentence.

A row that says itself how it is said (`says:`) is told so; what is made here of any other is plain and never short. How
steps follow each other, and which of them are told, is decided by whoever prints them (`asking/printed/sheet`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from closecombat.reading import model as m
from closecombat.reading import syntax as s
from closecombat.reading.aloud import Speaker
from closecombat.reading.model import Act, Asked, Ruleset
from closecombat.reading.phrases import listed, lowered, sentence
from closecombat.reading.types import Word

ANSWERED: Mapping[str, str] = MappingProxyType(
    {"at-once": ", all at the same moment", "secret": ", in secret", "elsewhere": ", as other rules settle it"}
)


def step(speaker: Speaker, act: Act, skip: Sequence[Asked] = ()) -> str:
    """A row of the sequence that is spoken of, as a sentence."""
    if act.says:
        return sentence([act.says])
    looked = act.each or act.who
    inner = speaker if looked is None else speaker.looking_at(looked.node)
    roles = cast(speaker, act)
    who = f"for {speaker.value(act.who.node)}" if act.who is not None else ""
    told = (inner if act.who is not None else speaker).row(act, [*skip, *roles])
    when = lowered(told)
    often = "" if act.times is None else as_many(inner, act.times.node, "times")
    parts = (who, f"if {when}" if told and act.each is None else when, *turns(inner, act), often)
    lead = ", ".join(part for part in parts if part)
    done = [deed(inner, act.verb)] if act.verb is not None else []
    if roles:
        played = [f"the {inner.name(name)} is {inner.values(test, None)}" for name, test in roles.values()]
        done[0] += f", where {listed(played, 'and')}"
    whom = "it" if _is_heard(inner, act, [*skip, *roles]) else inner.self or "it"
    done += [effect(inner, cell.node, whom) for cell in act.effects]
    return sentence([f"{lead}:" if lead else "", listed(done, "and")])


def _is_heard(inner: Speaker, act: Act, skip: Sequence[Asked]) -> bool:
    """Whether nobody but the one whom a row looks at has been spoken of, so that he is `it`."""
    if act.each is None and act.who is None:
        return False
    asked = [said for one in act.tests if one not in skip for said in inner.asked(one)]
    return all(said.own or said.of_own for said in asked)


def cast(speaker: Speaker, act: Act) -> dict[Asked, tuple[str, s.Test]]:
    """The columns that say who plays which role in the sequence that a row plays, which are no conditions."""
    played = speaker.ruleset.sequences.get(act.verb.sequence.name) if isinstance(act.verb, m.Play) else None
    found: dict[Asked, tuple[str, s.Test]] = {}
    roles = played.roles if played is not None else m.NO_ROLES
    for heading, cell in act.tests:
        if heading is not None and heading.text in roles and isinstance(cell.node, s.Test):
            found[heading, cell] = heading.text, cell.node
    return found


def turns(speaker: Speaker, act: Act) -> list[str]:
    """Who of those whom a row looks at is first, and what those do who are level."""
    found = []
    for one in act.order:
        if isinstance(one.node, s.Ordering):
            end = "highest" if one.node.highest else "lowest"
            noun = speaker.operand(one.node.value, "+-*/").removeprefix("the ")
            found.append(f"{end} {noun} first{_in_order(speaker, one.node)}")
    level = {"lots": "by lots where they are level", "at-once": "those who are level at the same moment"}.get(act.ties)
    return [", then ".join([*found, *([level] if level else [])])]


def _in_order(speaker: Speaker, order: s.Ordering) -> str:
    """Of words, which is before which."""
    known = speaker.known(order.value.path) if isinstance(order.value, s.Reading) else None
    words = known.type.words if isinstance(known, m.Fact) and isinstance(known.type, Word) else ()
    told = [speaker.word(word) for word in (reversed(words) if order.highest else words)]
    return f" ({', '.join(told)})" if told else ""


def deed(speaker: Speaker, verb: m.Verb) -> str:
    match verb:
        case m.Play(name):
            return title_of(speaker, name.name)
        case m.Roll(fact):
            return f"roll {speaker.value(fact.node)}"
        case m.Deal(fact, number):
            if number is None:
                return f"deal {speaker.value(fact.node)}"
            return f"deal {as_many(speaker, number.node, 'cards')} to {speaker.value(fact.node)}"
        case m.Shuffle(deck):
            return f"shuffle {speaker.value(deck.node)}"
        case m.Choose(fact, hand=hand, among=among, legal=legal, answered=answered):
            limits = [f" from {speaker.value(hand.node)}"] if hand is not None else []
            limits += [f" among {speaker.value(among.node)}"] if among is not None else []
            limits += [ANSWERED.get(answered, ""), _allowed(speaker, legal)]
            return f"{_player(speaker, verb.by, 'choose')} {speaker.value(fact.node)}{''.join(limits)}"
        case m.Declare(fact, legal=legal, at_most=most):
            limit = f", at most {most}" if most is not None else ""
            return f"{_player(speaker, verb.by, 'declare')} {speaker.value(fact.node)}{limit}{_allowed(speaker, legal)}"
        case m.SingleOut(fact, among=among, again=again):
            whom = f" among {speaker.value(among.node)}" if among is not None else ""
            level = "who are level at the top throw again" if again else "and all who are level with it"
            return f"draw lots for {speaker.value(fact.node)}{whom} (the highest of a d6 each, {level})"
        case m.Create(counter, into, called):
            those = f" among {speaker.value(into.node)}" if into is not None else ""
            alias = f" ({speaker.word(called)})" if called and called != counter.name else ""
            return f"place {speaker.word(counter.name)}{those}{alias}"


def _allowed(speaker: Speaker, legal: m.Named | None) -> str:
    """Where it stands what forbids an answer."""
    table = speaker.ruleset.tables.get(legal.name) if legal is not None else None
    return "" if table is None else f" (see {table.title or sentence([speaker.word(table.name)])})"


def _player(speaker: Speaker, by: s.Cell | None, does: str) -> str:
    """What is done, with who does it where that is another than whom a row looks at."""
    return does if by is None else f"{speaker.value(by.node)} {does}s"


def as_many(speaker: Speaker, node: s.Node, what: str) -> str:
    said = speaker.value(node)
    return f"{said} {what}" if isinstance(node, s.Literal) else f"as many {what} as {said}"


def title_of(speaker: Speaker, sequence: str) -> str:
    found = speaker.ruleset.sequences.get(sequence)
    return found.title if found is not None and found.title else speaker.name(sequence)


def effect(speaker: Speaker, node: s.Node, whom: str = "it") -> str:
    """What is done to somebody, `it` or by his name."""
    match node:
        case s.Lose(fact) if isinstance(known := speaker.known(fact), m.Fact) and known.origin == "drawn":
            return f"lay {speaker.noun(fact)} aside"
        case s.Gain(fact) | s.Lose(fact):
            said = speaker.flag(s.Reading(fact, None, fact.at), isinstance(node, s.Lose))
            return f"{whom if said.own else said.whom} {said.what} from now on".strip()
        case s.Set(fact, value):
            return f"{speaker.noun(fact)} becomes {speaker.value(value)}"
        case s.Add(value, fact):
            return f"add {speaker.amount(value)} to {speaker.noun(fact)}"
        case s.Take(value, fact):
            return f"take {speaker.amount(value)} from {speaker.noun(fact)}"
        case s.Become(value):
            return f"replace {whom} by {speaker.value(value)}"
        case s.Leave():
            return f"remove {whom}"
        case s.Put(value, fact):
            return f"put {speaker.value(value)} into {speaker.noun(fact)}"
        case s.Remove(value, fact):
            return f"take {speaker.value(value)} out of {speaker.noun(fact)}"
        case s.Owe(duty):
            return f"{whom} owes {speaker.word(duty)}"
    return speaker.value(node)


def is_seen(speaker: Speaker, act: Act, within: frozenset[str] = frozenset()) -> bool:
    """Whether players see anything of a row of the sequence that is spoken of: not of what only notes what is `shown:
    no`."""
    if act.says:
        return True
    if isinstance(act.verb, m.Play):
        name = act.verb.sequence.name
        played = speaker.ruleset.sequences.get(name)
        if played is None or name in within or not played.acts:
            return True
        inner = Speaker(speaker.ruleset, speaker.members)
        inner.of(played)
        if any(is_seen(inner, row, within | {name}) for row in played.acts):
            return True
    elif act.verb is not None:
        return True
    looked = act.each or act.who
    whom = speaker if looked is None else speaker.looking_at(looked.node)
    return any(_is_shown(whom, cell.node) for cell in act.effects)


def _is_shown(speaker: Speaker, effect: s.Node) -> bool:
    """Whether an effect changes what players see."""
    match effect:
        case s.Gain(fact) | s.Lose(fact) | s.Set(fact) | s.Add(fact=fact) | s.Take(fact=fact):
            known = speaker.known(fact)
        case s.Put(fact=fact) | s.Remove(fact=fact):
            known = speaker.known(fact)
        case _:
            return True
    return not isinstance(known, m.Fact) or known.shown


def hidden_facts(ruleset: Ruleset) -> frozenset[str]:
    """The names of facts that no player sees changing; not those that somebody else has for what is seen."""
    facts = [fact for kind in ruleset.kinds.values() for fact in kind.facts.values()]
    return frozenset(fact.name for fact in facts if not fact.shown) - {fact.name for fact in facts if fact.shown}
