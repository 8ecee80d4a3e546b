"""What players settle: choices and declarations, held against their legality tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from closecombat.bound import BoundAct
from closecombat.diagnostics import Bug, Faulty
from closecombat.effects import Env, new_thing
from closecombat.evaluator import Run
from closecombat.model import Fact
from closecombat.players import Answer
from closecombat.state import read_value
from closecombat.symbolic import Sym, Value
from closecombat.terms import Members
from closecombat.trace import Event
from closecombat.values import AThing, Thing, Things, shown

Reason: TypeAlias = tuple[str, tuple[str, ...]]


def choose(run: Run, act: BoundAct, env: Env, who: Thing, fact: Fact) -> None:
    """Writes what a player chooses. Whom he names may have left by then: that counts as if he had said nothing."""
    answer: Answer | None = run.players.answer(act.act.id, who.name, run)
    among: Members | None = act.terms["among"].run(run, env) if "among" in act.terms else None
    said: Value = None
    if answer is not None and not isinstance(fact.type, Things):
        said = read_value(fact.type, answer.node, run.ruleset, run.state)
    there = run.slots[said, "in-play"] if isinstance(said, Thing) and "otherwise" in act.terms else True
    if answer is None or there is False:
        value = _unsaid(run, act, env, who, fact)
    elif there is True:
        value = said
        if among is not None and isinstance(said, Thing) and all(member is not said for member, _ in among):
            raise Faulty.one("illegal-declaration", f"{said} is not one of whom {who} may choose", answer.node.span)
    else:
        value = run.shop.if_(there, said, act.terms["otherwise"].run(run, env))
    if run.recorder is not None:
        run.recorder.add(Event("choice", fact.name, f" of {who}", value, act.act.where))
    run.write((who, fact.name), value)
    held_against(run, act, who, answer)


def _unsaid(run: Run, act: BoundAct, env: Env, who: Thing, fact: Fact) -> Value:
    """What the ruleset chooses where its player says nothing."""
    if run.players.unanswered is not None:
        run.players.unanswered(act, env, who, fact)
    default = act.terms.get("otherwise")
    if default is None:
        raise Faulty.one(
            "missing-key",
            f"nobody says what {who} chooses at `{act.act.id}`",
            act.act.where.place,
            help=f"add it under `choices:`, `{act.act.id}: {{{who}: ..}}`, or give the row an `otherwise:`",
        )
    value: Value = default.run(run, env)
    nothing_new = type(value) is not Sym and run.slots.get((who, fact.name)) == value
    if not (run.shop.known and nothing_new):  # what may never be asked, and changes nothing, is not worth a word
        told = "not known yet" if type(value) is Sym else shown(value)
        run.remarks[f"`{act.act.id}` was left to the ruleset: {fact.name} of {who} is {told}"] = None
    return value


def held_against(run: Run, act: BoundAct, who: Thing, answer: Answer | None = None) -> Value:
    """Holds a choice against its legality table: a certain breach is Illegal, a possible one is returned."""
    table = act.terms.get("legal")
    if table is None:
        return False
    breached, causes = run.table_and_causes(table, (who,))
    certain = [cause for cause in causes if cause.guard is True]
    if certain:
        reasons = tuple(dict.fromkeys((str(cause.value), cause.row.where.cites) for cause in certain))
        rules = ", ".join(dict.fromkeys(c for _, cites in reasons for c in cites))
        says = "; ".join(says for says, _ in reasons)
        place = answer.node.span if answer is not None else act.act.where.place
        raise Illegal.of(
            reasons,
            f"{who} is not allowed: {says} ({rules})",
            place,
            tuple((cause.row.where.place, f"forbidden here: {cause.row.id}") for cause in certain),
        )
    return breached


class Illegal(Faulty):
    """A choice that the rules forbid; `reasons` are what they say and the clauses of each."""

    reasons: tuple[Reason, ...] = ()

    @property
    def clauses(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(clause for _, cites in self.reasons for clause in cites))

    @classmethod
    def of(cls, reasons: tuple[Reason, ...], message: str, place: Any, labels: Any) -> Illegal:
        fault = cls(
            Faulty.one(
                "illegal-declaration",
                message,
                place,
                labels=labels,
                help="declare something else, or change the row that forbids it",
            ).diagnostics
        )
        fault.reasons = reasons
        return fault


def declare(run: Run, act: BoundAct, env: Env, owner: Thing, fact: Fact) -> None:
    if not isinstance(fact.type, Things):
        raise Bug("isinstance(fact.type, Things)")
    kind = run.bound.binder.names.kind_named(fact.type.kind, fact)
    answers: dict[str, Answer] | None = run.players.declared(act.act.id, owner.name, act.act.cells.get("at-most"), run)
    if answers is None:
        if run.players.unanswered is not None:
            run.players.unanswered(act, env, owner, fact)
        for id, facts in act.terms.get("otherwise", {}).items():
            given = {name: term.run(run, env) for name, term in facts.items()}
            run.remarks[f"`{act.act.id}` of {owner} was left to the ruleset: {id}"] = None
            _declared(run, act, owner, fact, kind, f"{owner}-{id}", given, None)
        return
    for id, answer in answers.items():
        given = {}
        for key, node in answer.entries():
            declared = run.ruleset.kinds[kind].facts.get(key.value)
            if declared is None or declared.origin not in ("chosen", "given"):
                raise Faulty.one("unknown-fact", f"nobody chooses `{key.value}` of a {kind}", key.span)
            if isinstance(declared.type, Things):
                given[key.value] = [
                    (m, True)
                    for m in answer.things(
                        node, run.bound.binder.names.kind_named(declared.type.kind, declared), run.state
                    )
                ]
            else:
                given[key.value] = read_value(declared.type, node, run.ruleset, run.state)
        usual = [set(line) for line in act.terms.get("otherwise", {}).values()]
        for name in sorted(set.intersection(*usual) - given.keys()) if usual else ():
            if isinstance(run.ruleset.kinds[kind].facts[name].type, Things):
                run.remarks[f"`{act.act.id}`: {id} has no {name}"] = None
        _declared(run, act, owner, fact, kind, id, given, answer)


def declared(run: Run, act: BoundAct, owner: Thing, fact: Fact, things: Sequence[dict[str, Any]]) -> None:
    """Declares these things, one after the other; raises Illegal if they are not allowed together. A set is given by
    its members."""
    if not isinstance(fact.type, Things):
        raise Bug("isinstance(fact.type, Things)")
    kind = run.bound.binder.names.kind_named(fact.type.kind, fact)
    for n, facts in enumerate(things, 1):
        given = {k: [(m, True) for m in v] if isinstance(v, tuple) else v for k, v in facts.items() if v != ()}
        _declared(run, act, owner, fact, kind, f"{owner}-{n}", given, None)
    for n in range(1, len(things)):
        held_against(run, act, run.state.things[f"{owner}-{n}"])


def _declared(
    run: Run,
    act: BoundAct,
    owner: Thing,
    fact: Fact,
    kind: str,
    name: str,
    given: dict[str, Any],
    answer: Answer | None,
) -> None:
    """Makes one declared thing. Who has left cannot take part; without whom it needs it is not made."""
    existing = run.state.things.get(name)
    asked = (act.act.id, owner.name)
    if existing is not None and (
        existing.kind != kind or (run.slots[existing, "in-play"] is True and run.declared_at.get(existing) != asked)
    ):
        raise Faulty.one(
            "duplicate-id",
            f"something is already called `{name}`",
            answer.node.span if answer else None,
            help="give one of the two another name",
        )
    thing = new_thing(run, kind, name, owner)
    run.declared_at[thing] = asked
    shop = run.shop
    made: Value = True
    for key, value in given.items():
        if not isinstance(value, list):
            if isinstance(value, Thing):
                there = run.slots[value, "in-play"]
                kept = run.ruleset.kinds[kind].facts[key].type
                if isinstance(kept, AThing) and kept.nobody:
                    value = shop.if_(there, value, None)
                else:
                    made = shop.and_(made, there)
            run.write((thing, key), value)
            continue
        here: Value = False
        for member, guard in value:
            guard = shop.and_(guard, run.slots[member, "in-play"])
            here = shop.or_(here, guard)
            run.state.join(thing, key, member)
            run.slots.setdefault((thing, key, member), False)
            run.write((thing, key, member), guard)
        if value or answer is None:
            made = shop.and_(made, here)
    run.write((thing, "in-play"), made)
    run.state.join(owner, fact.name, thing)
    run.slots.setdefault((owner, fact.name, thing), False)
    run.write((owner, fact.name, thing), made)
    if made is False:
        return
    breached = held_against(run, act, thing, answer)
    made = shop.and_(made, shop.not_(breached))
    run.write((thing, "in-play"), made)
    run.write((owner, fact.name, thing), made)
    if run.recorder is not None:
        said = "; ".join(
            f"{key} " + (", ".join(str(m) for m, _ in v) if isinstance(v, list) else shown(v))
            for key, v in given.items()
        )
        run.recorder.add(Event("choice", name, f" of {owner}", said, act.act.where))
