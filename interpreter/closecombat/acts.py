"""Playing sequences: what happens next, row by row."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from closecombat import program as p
from closecombat import terms as t
from closecombat.bound import BoundAct, BoundEffect, BoundSequence
from closecombat.diagnostics import Faulty
from closecombat.dice import lots
from closecombat.evaluator import Run
from closecombat.lookup import subjects
from closecombat.model import Fact
from closecombat.players import Answer
from closecombat.state import read_value
from closecombat.symbolic import Sym, Value
from closecombat.terms import Members, over
from closecombat.trace import Event
from closecombat.values import ACounter, AThing, Flag, Number, Thing, Things, Word, shown

MOST_UNROLLED = 6          # passes of a bounded repetition written out one after the other
Env = dict[str, Value]


def play(run: Run, name: str, env: Env) -> None:
    """Plays a sequence for the subjects in `env`, its repetitions included."""
    bound = run.bound.sequence(name)
    run.used(bound.sequence.where.assumed)
    if bound.until is None:
        _rows(run, bound, env)
    elif run.answers is not None or bound.sequence.at_most is not None and bound.sequence.at_most <= MOST_UNROLLED:
        _again(run, bound, env, 1)
    else:
        repeat(run, lambda: _rows(run, bound, env), lambda: bound.until.run(run, env),  # type: ignore[union-attr]
               bound.sequence.at_most, bound.sequence.where.place)


def _again(run: Run, bound: BoundSequence, env: Env, passes: int) -> None:
    most = bound.sequence.at_most
    while True:
        _rows(run, bound, env)
        if most is not None and passes >= most:
            return
        assert bound.until is not None
        over_now = bound.until.run(run, env)
        if type(over_now) is Sym:
            run.under(run.shop.not_(over_now), lambda: _again(run, bound, env, passes + 1))
            return
        if over_now:
            return
        passes += 1
        if passes > 10_000:
            raise Faulty.one("loop-without-end", f"`{bound.sequence.name}` does not come to an end",
                             bound.sequence.where.place, help="look at its `until:`")


def repeat(run: Run, body: Callable[[], None], until: Callable[[], Value], at_most: int | None, place: Any) -> None:
    """A repetition that is not known yet: whatever the body changes becomes a variable of the loop."""
    shop = run.shop
    changed: dict[tuple[Any, ...], Sym] = {}
    while True:
        starts = {slot: run.slots[slot] for slot in changed}
        outer, run.steps = run.steps, []
        names, run._names = run._names, dict(run._names)
        journal: dict[tuple[Any, ...], Value] = {}
        run._journals.append(journal)
        for slot, var in changed.items():
            run.slots[slot] = var
            journal[slot] = starts[slot]
        run._read.clear()
        body()
        done = until()
        run._journals.pop()
        steps, run.steps, run._names = run.steps, outer, names
        nexts = {slot: run.slots[slot] for slot in journal}
        new = [slot for slot in journal if slot not in changed and not _is_throw(nexts[slot])]
        for slot, old in journal.items():
            run.slots[slot] = starts.get(slot, old)
        run._read.clear()
        if not new:
            break
        for slot in new:
            changed[slot] = shop.variable(_domain(run, slot))
    ends = tuple(shop.variable(_domain(run, slot)) for slot in changed)
    run._step(p.Loop(tuple(changed.values()), tuple(starts[s] for s in changed), steps,
                     tuple(nexts[s] for s in changed), done, at_most, ends, place, tuple(changed)))
    for slot, end in zip(changed, ends, strict=True):
        run.write(slot, end)


def _is_throw(value: Value) -> bool:
    return type(value) is not Sym and type(value).__name__ == "Thrown"


def _domain(run: Run, slot: tuple[Any, ...]) -> tuple[Value, ...]:
    """What a fact may be, where it is worth knowing: somebody, a word, or what is printed on a counter."""
    thing = slot[0]
    if slot[-1] == "in-play" or len(slot) == 3 or not isinstance(thing, Thing):
        return ()
    fact = run.ruleset.kinds[thing.kind].facts.get(slot[1])
    if slot[1] == "counter":
        return tuple(_counters(run, thing))
    if fact is None:
        return ()
    if fact.origin == "printed" and thing in run.state.counters:
        cells = [run.ruleset.counters[name][1] for name in _counters(run, thing)]
        printed = [read_value(fact.type, line[fact.name], run.ruleset, run.state) for line in cells if fact.name in line]
        return tuple(dict.fromkeys(printed))
    if isinstance(fact.type, AThing):
        return (*run.state.by_kind.get(fact.type.kind, ()), None)
    return fact.type.words if isinstance(fact.type, Word) and fact.default != (None,) else ()


def _counters(run: Run, thing: Thing) -> dict[str, None]:
    """The counters that a thing may have become."""
    found: dict[str, None] = {}
    todo = [run.state.counters[thing]]
    while todo:
        name = todo.pop()
        if name in found:
            continue
        found[name] = None
        kind, cells = run.ruleset.counters[name]
        for fact in run.ruleset.kinds[kind].facts.values():
            if isinstance(fact.type, ACounter) and fact.name in cells:
                value = read_value(fact.type, cells[fact.name], run.ruleset, run.state)
                if value is not None:
                    todo.append(value)
    return found


# ---- rows -------------------------------------------------------------------------------------------------

def _rows(run: Run, bound: BoundSequence, env: Env) -> None:
    order = bound.sequence.order
    if order == "at-once":
        made: list[Any] = []
        for act in bound.acts:
            for inner, guard in _for_whom(run, act, env):
                def body(act: BoundAct = act, inner: Env = inner, guard: Value = guard) -> None:
                    run.under(guard, lambda: _one(run, act, inner))
                made.append((*run.transaction(body), act.act.where.place))
        since = {slot: None for sets, adds, _ in made for slot in (*sets, *adds)}
        run.together(made)
        run.keep(since)
    elif order == "first-of":
        _first(run, bound.acts, env)
    else:
        for act in bound.acts:
            journal: dict[Any, Any] = {}
            run._journals.append(journal)
            for inner, guard in _for_whom(run, act, env, lazily=True):
                run.under(guard, lambda: _one(run, act, inner))
            run._journals.pop()
            for enclosing in run._journals[-1:]:
                for slot, old in journal.items():
                    enclosing.setdefault(slot, old)
            if not run._journals:
                run.keep(journal)


def _first(run: Run, acts: tuple[BoundAct, ...], env: Env) -> None:
    """Only the first row that holds, for each of whom it looks at."""
    if not acts:
        return
    act, rest = acts[0], acts[1:]
    held: Value = False
    for inner, guard in _for_whom(run, act, env):
        held = run.shop.or_(held, guard)
        run.under(guard, lambda: _one(run, act, inner))
    run.under(run.shop.not_(held), lambda: _first(run, rest, env))


def _for_whom(run: Run, act: BoundAct, env: Env, lazily: bool = False) -> Any:
    """The subjects a row is done for, and under what condition; asked of each afresh if the rows are in order."""
    if act.each is not None:
        members: Members = act.each.run(run, env)
        for member, _ in members:
            inner = {**env, act.each.each: member}
            for name, type_ in act.scope.layers[0].names.items():
                if name not in inner and isinstance(type_, AThing) and isinstance(member, Thing) and type_.kind == member.kind:
                    inner[name] = member
            guard = next((g for m, g in (act.each.run(run, env) if lazily else members) if m is member), False)
            guard = _tests(run, act, inner, guard)
            if guard is not False:
                yield inner, guard
        return
    if act.who is not None:
        who, names = act.who[0].run(run, env), act.who[1]
        for one in run.shop.leaves(who):
            if one is not None:
                inner = {**env, **dict.fromkeys(names, one)}
                guard = _tests(run, act, inner, run.shop.equal(who, one))
                if guard is not False:
                    yield inner, guard
        return
    guard = _tests(run, act, env, True)
    if guard is not False:
        yield env, guard


def _tests(run: Run, act: BoundAct, env: Env, guard: Value) -> Value:
    for test in act.tests:
        if guard is False:
            return False
        guard = run.shop.and_(guard, test.run(run, env))
    return guard


def _one(run: Run, act: BoundAct, env: Env) -> None:
    """One row for one subject: its verb, then its effects."""
    for ask in run.before.pop(act.act.id, ()):
        ask()
    run.used(act.act.where.assumed)
    if run.recorder is None:
        _verb(run, act, env)
        return
    event = Event("row", act.act.id, _whom(act, env), None, act.act.where)
    with run.recorder.inside(event, False):
        _verb(run, act, env)


def _whom(act: BoundAct, env: Env) -> str:
    who = env.get(act.each.each) if act.each is not None else env.get(act.who[1][0]) if act.who is not None else None
    return f" of {who}" if who is not None else ""


def _verb(run: Run, act: BoundAct, env: Env) -> None:
    verb, inner = act.act.verb, env
    if verb == "play":
        name = str(act.act.object)
        play(run, name, _called(run, name, env))
    elif verb == "create":
        inner = _create(run, act, env)
    elif verb == "shuffle":
        deck = run.ruleset.decks[str(act.act.object)]
        for word, count in deck.cards.items():
            run.write((deck.name, word), count)
    elif verb != "do":
        assert act.owner is not None and act.fact is not None
        fact = act.fact
        doing = {"roll": lambda who: run.roll(who, fact), "deal": lambda who: _deal(run, who, fact),
                 "choose": lambda who: _choose(run, act, env, who, fact),
                 "declare": lambda who: _declare(run, act, env, who, fact),
                 "single-out": lambda who: _single_out(run, act, env, who, fact)}[verb]
        _each_of(run, act.owner.run(run, env), doing)
    for effect in act.effects:
        _effect(run, effect, inner)


def _each_of(run: Run, who: Value, doing: Callable[[Thing], None]) -> None:
    """For the one that is meant, whoever that turns out to be."""
    for one in run.shop.leaves(who):
        if one is not None:
            run.under(run.shop.equal(who, one), lambda: doing(one))


def _called(run: Run, name: str, env: Env) -> Env:
    """The subjects of a called sequence: the caller's of the same name, else of the same kind, innermost first."""
    out: Env = {}
    for wanted in run.ruleset.sequences[name].about:
        if wanted in env:
            out[wanted] = env[wanted]
            continue
        type_ = run.bound.binder.names.subject_type(wanted, run.ruleset.sequences[name].where)
        for value in reversed(list(env.values())):
            if isinstance(type_, AThing) and isinstance(value, Thing) and value.kind == type_.kind:
                out[wanted] = value
                break
            if isinstance(type_, Word) and isinstance(value, str) and value in type_.words:
                out[wanted] = value
                break
    return out


# ---- effects ----------------------------------------------------------------------------------------------

def _effect(run: Run, effect: BoundEffect, env: Env) -> None:
    assert effect.owner is not None
    value = effect.value.run(run, env) if effect.value is not None else None
    _each_of(run, effect.owner.run(run, env), lambda who: _apply(run, effect, who, value))


def _apply(run: Run, effect: BoundEffect, who: Thing, value: Value) -> None:
    fact, verb = effect.fact, effect.verb
    if run.recorder is not None:
        text = effect.cell.text if verb != "set" else f"set {fact.name if fact else ''} to {shown(value)}"
        run.recorder.add(Event("effect", text, f" of {who}", value, None))
    match verb:
        case "gain" | "lose":
            run.write((who, fact.name), verb == "gain")  # type: ignore[union-attr]
        case "set":
            run.write((who, fact.name), _fitting(run, effect, fact, t.number(run, value)))  # type: ignore[arg-type]
        case "add" | "take":
            amount = t.number(run, value)
            amount = amount if verb == "add" else run.shop.lift(t.subtract, 0, amount)
            slot = (who, fact.name)  # type: ignore[union-attr]
            run.add_to(slot, amount, *run._bounds(slot))
        case "become":
            become(run, who, value)
        case "leave":
            run.write((who, "in-play"), False)
        case "put" | "remove":
            for member in run.shop.leaves(value):
                if member is not None:
                    run.state.join(who, fact.name, member)  # type: ignore[union-attr]
                    run.slots.setdefault((who, fact.name, member), False)  # type: ignore[union-attr]
                    run.under(run.shop.equal(value, member),
                              lambda m=member: run.write((who, fact.name, m), verb == "put"))  # type: ignore[misc,union-attr]
        case "owe":
            run.slots.setdefault((who, "owes", effect.word), False)
            run.write((who, "owes", effect.word), True)


def _fitting(run: Run, effect: BoundEffect, fact: Fact, value: Value) -> Value:
    """A value that is set must be within its fact's range."""
    if not isinstance(fact.type, Number) or fact.type.low is None:
        return value
    low, high, place = fact.type.low, fact.type.high, effect.cell.place

    def within(number: Any) -> Any:
        if number is None or not low <= number <= (high if high is not None else number) or number != number // 1:
            raise Faulty.one("out-of-range", f"`{fact.name}` is {fact.type}, and would be set to {shown(number)}", place,
                             help="widen its range, or use `add .. to` or `take .. from`, which stop at the ends")
        return number
    return run.shop.lift(within, value)


def become(run: Run, who: Thing, counter: Value) -> None:
    """Turns a thing into another counter: its printed facts change, all others stay."""
    for name in run.shop.leaves(counter):
        if name is None:
            fault = Faulty.one("no-value", f"{who} has no counter to become", None, help="ask first: `half is not nobody`")
            if counter is None:
                raise fault
            run.under(run.shop.equal(counter, None),
                      lambda: run.write((who, "counter"), run.shop.fault(lambda: fault)))
            continue
        kind, cells = run.ruleset.counters[name]
        for fact in run.ruleset.kinds[kind].facts.values():
            if fact.name in cells:
                value = read_value(fact.type, cells[fact.name], run.ruleset, run.state)
                run.under(run.shop.equal(counter, name), lambda f=fact.name, v=value: run.write((who, f), v))  # type: ignore[misc]
        run.under(run.shop.equal(counter, name), lambda n=name: run.write((who, "counter"), n))  # type: ignore[misc]


def new_thing(run: Run, kind: str, name: str, owner: Thing | None) -> Thing:
    """A thing that comes into being, with every fact silent; used again if it was made in an earlier round."""
    thing = run.state.things.get(name)
    if thing is None:
        thing = run.state.add(kind, name)
        run.slots[thing, "in-play"] = False
    for fact in run.ruleset.kinds[kind].facts.values():
        if isinstance(fact.type, Things):
            for member in run.state.sets.get((thing, fact.name), ()):
                run.write((thing, fact.name, member), False)
        elif isinstance(fact.type, AThing) and owner is not None and fact.name == owner.kind == fact.type.kind:
            run.write((thing, fact.name), owner)
        elif fact.default is not None and not isinstance(fact.default[0], dict):
            run.write((thing, fact.name), fact.default[0])
    run.write((thing, "in-play"), True)
    return thing


def _create(run: Run, act: BoundAct, env: Env) -> Env:
    counter = str(act.act.object)
    kind, cells = run.ruleset.counters[counter]
    owner_term, fact = act.terms["into"]
    owner = owner_term.run(run, env)
    alias = act.act.cells.get("as", "new-" + kind)
    speakers = [str(v) for k, v in env.items() if isinstance(v, Thing)]
    name = "-".join([alias, *speakers[-1:]])
    number = 2
    while name in run.state.things and run.slots[run.state.things[name], "in-play"] is not False:
        name, number = f"{'-'.join([alias, *speakers[-1:]])}-{number}", number + 1
    thing = new_thing(run, kind, name, owner)
    for f in run.ruleset.kinds[kind].facts.values():
        if f.name in cells:
            run.write((thing, f.name), read_value(f.type, cells[f.name], run.ruleset, run.state))
    run.state.join(owner, fact.name, thing)
    run.write((owner, fact.name, thing), True)
    if run.recorder is not None:
        run.recorder.add(Event("effect", f"{thing} ({counter}) appears", f" of {owner}", None, None))
    return {**env, alias: thing}


# ---- chance beside dice -----------------------------------------------------------------------------------

def _deal(run: Run, who: Thing, fact: Fact) -> None:
    deck = run.ruleset.decks[fact.deck]
    counts = [run.slots.get((deck.name, word), n) for word, n in deck.cards.items()]
    for word, count in zip(deck.cards, counts, strict=True):
        run.slots.setdefault((deck.name, word), count)
    what = f"{fact.name} of {who}"
    card: Value
    if run.answers is not None:
        left = [(word, n) for word, n in zip(deck.cards, counts, strict=True) if n]
        if not left:
            raise Faulty.one("no-value", f"`{deck.name}` is empty, but {what} is to be dealt", fact.where.place,
                             help=f"`shuffle: {deck.name}` puts the cards back")
        card = run.answers.card(left, what)
        if run.recorder is not None:
            run.recorder.add(Event("roll", fact.name, f" of {who}", card, fact.where))
    else:
        card = run.shop.variable()
        run._step(p.Draw(card, tuple(deck.cards), tuple(counts)))
    run.write((who, fact.name), card)
    for word, count in zip(deck.cards, counts, strict=True):
        fewer = run.shop.lift(t.subtract, count, 1) if type(count) is Sym or count else 0
        run.write((deck.name, word), run.shop.if_(run.shop.equal(card, word), fewer, count))


def _single_out(run: Run, act: BoundAct, env: Env, who: Thing, fact: Fact) -> None:
    candidates: Members = act.terms["from"].run(run, env)
    again = act.act.cells.get("ties", "all") == "again"
    guards = tuple(guard for _, guard in candidates)
    picked: tuple[Value, ...]
    if run.answers is not None:
        picked = _drawn(run, [member for member, _ in candidates], again, fact)
    elif len(candidates) <= 1:
        picked = guards
    elif sum(guard is True for guard in guards) == len(guards) or any(type(g) is Sym for g in guards):
        picked = tuple(run.shop.variable() for _ in candidates)
        run._step(p.Lots(picked, guards, again))  # type: ignore[arg-type]
    else:
        picked = guards
    for (member, _), is_picked in zip(candidates, picked, strict=True):
        run.state.join(who, fact.name, member)
        run.slots.setdefault((who, fact.name, member), False)
        run.write((who, fact.name, member), is_picked)


def _drawn(run: Run, members: list[Thing], again: bool, fact: Fact) -> tuple[bool, ...]:
    """Lots as a player draws them: a d6 each, the highest; a single candidate needs no die."""
    if len(members) <= 1:
        return (True,) * len(members)
    assert run.answers is not None
    left = list(members)
    while True:
        run.answers.begin(len(left), f"the lots of {fact.name}", fact.where.place)
        faces = {member: run.answers.face((1, 2, 3, 4, 5, 6), f"the lot of {member}") for member in left}
        top = [member for member in left if faces[member] == max(faces.values())]
        if run.recorder is not None:
            run.recorder.add(Event("lots", fact.name, "", ", ".join(f"{m} {f}" for m, f in faces.items()), fact.where))
        if not again or len(top) == 1:
            return tuple(member in top for member in members)
        left = top


# ---- players ----------------------------------------------------------------------------------------------

def _choose(run: Run, act: BoundAct, env: Env, who: Thing, fact: Fact) -> None:
    answer: Answer | None = run.players.answer(act.act.id, who.name, run)
    among: Members | None = act.terms["among"].run(run, env) if "among" in act.terms else None
    value: Value
    if answer is None:
        default = act.terms.get("otherwise")
        if default is None:
            raise Faulty.one("missing-key", f"nobody says what {who} chooses at `{act.act.id}`", act.act.where.place,
                             help=f"add it under `choices:`, `{act.act.id}: {{{who}: ..}}`, or give the row an `otherwise:`")
        value = default.run(run, env)
        run.remarks[f"`{act.act.id}` was left to the ruleset: {fact.name} of {who} is {shown_value(value)}"] = None
    else:
        value = read_value(fact.type, answer.node, run.ruleset, run.state) if not isinstance(fact.type, Things) else None
        if among is not None and isinstance(value, Thing) and not any(m is value for m, _ in among):
            raise Faulty.one("illegal-declaration", f"{value} is not one of whom {who} may choose", answer.node.span)
    if run.recorder is not None:
        run.recorder.add(Event("choice", fact.name, f" of {who}", value, act.act.where))
    run.write((who, fact.name), value)
    _legal(run, act, who, answer)


def shown_value(value: Value) -> str:
    return "not known yet" if type(value) is Sym else shown(value)


def _legal(run: Run, act: BoundAct, who: Thing, answer: Answer | None) -> Value:
    """Holds a choice against its legality table: a certain breach is a fault, a possible one is returned."""
    table = act.terms.get("legal")
    if table is None:
        return False
    breached, causes = run.table_and_causes(table, (who,))
    certain = [cause for cause in causes if cause.guard is True]
    if certain:
        rules = ", ".join(dict.fromkeys(c for cause in certain for c in cause.row.where.cites))
        says = "; ".join(dict.fromkeys(str(cause.value) for cause in certain))
        place = answer.node.span if answer is not None else act.act.where.place
        raise Illegal.of(tuple(dict.fromkeys(c for cause in certain for c in cause.row.where.cites)),
                         f"{who} is not allowed: {says} ({rules})", place,
                         tuple((cause.row.where.place, f"forbidden here: {cause.row.id}") for cause in certain))
    return breached


class Illegal(Faulty):
    """A choice that the rules forbid; `clauses` are those it breaks."""

    clauses: tuple[str, ...] = ()

    @classmethod
    def of(cls, clauses: tuple[str, ...], message: str, place: Any, labels: Any) -> Illegal:
        fault = cls(Faulty.one("illegal-declaration", message, place, labels=labels,
                               help="declare something else, or change the row that forbids it").diagnostics)
        fault.clauses = clauses
        return fault


def _declare(run: Run, act: BoundAct, env: Env, owner: Thing, fact: Fact) -> None:
    assert isinstance(fact.type, Things)
    kind = run.bound.binder.names.kind_named(fact.type.kind, fact)
    answers: dict[str, Answer] | None = run.players.declared(act.act.id, owner.name, act.act.cells.get("at-most"), run)
    if answers is None:
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
                given[key.value] = [(m, True) for m in answer.things(node, run.bound.binder.names.kind_named(
                    declared.type.kind, declared), run.state)]
            else:
                given[key.value] = read_value(declared.type, node, run.ruleset, run.state)
        _declared(run, act, owner, fact, kind, id, given, answer)


def _declared(run: Run, act: BoundAct, owner: Thing, fact: Fact, kind: str, name: str, given: dict[str, Any],
              answer: Answer | None) -> None:
    """Makes one declared thing. Who has left cannot take part; with nobody left in one of its sets it is not made."""
    existing = run.state.things.get(name)
    if existing is not None and existing.kind != kind:
        raise Faulty.one("duplicate-id", f"something is already called `{name}`", answer.node.span if answer else None)
    thing = new_thing(run, kind, name, owner)
    shop, made = run.shop, True
    for key, value in given.items():
        if not isinstance(value, list):
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
    breached = _legal(run, act, thing, answer)
    made = shop.and_(made, shop.not_(breached))
    run.write((thing, "in-play"), made)
    run.write((owner, fact.name, thing), made)
    if run.recorder is not None:
        said = "; ".join(f"{key} " + (", ".join(str(m) for m, _ in v) if isinstance(v, list) else shown(v))
                         for key, v in given.items())
        run.recorder.add(Event("choice", name, f" of {owner}", said, act.act.where))


__all__ = ["Illegal", "become", "lots", "new_thing", "play", "repeat", "subjects", "Flag"]
