"""The order in which a row looks at the members of its set, where that hangs on what each has.

It is settled when the row is reached. Where the dice are known, and wherever what the members have is, they are put
in order and that is all. Where it is not known, nobody writes out all orders: of each member it is asked how many go
before him, a number made from comparing him with each other, and the row is done place by place, in each for whoever
has it. Of n members that are n times n rows instead of n! orders.

Lots settle place by place who of those who are level goes next; so each place waits for the one before it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

from closecombat.binding.bound import BoundAct
from closecombat.binding.terms import Env, Members, number
from closecombat.binding.trace import Event
from closecombat.playing.run import Run
from closecombat.playing.throws import drawn
from closecombat.proving.programs import program as p
from closecombat.proving.values.arithmetic import plus
from closecombat.proving.values.symbolic import Sym, Value, less_than, more_than
from closecombat.reading.types import Thing, shown
from closecombat.text.faults import Faulty

Turn: TypeAlias = Members  # who may have it, and whether it is his: several at once, or one
Comparing: TypeAlias = Callable[[int, int], Value]  # of two members by their places in the set


def turns(run: Run, act: BoundAct, members: Members, envs: list[Env]) -> list[Turn]:
    """Whose turn it is, one after the other; `envs` say of each member who is who."""
    shop, ties = run.shop, act.act.ties
    worth = [
        [shop.given(guard, partial(one.worth.run, run, env)) for one in act.order]
        for (_, guard), env in zip(members, envs, strict=True)
    ]

    def level(i: int, j: int) -> Value:
        out: Value = True
        for mine, other in zip(worth[i], worth[j], strict=True):
            out = shop.and_(out, shop.equal(mine, other))
        return out

    def before(i: int, j: int) -> Value:
        out: Value = ties == "as-listed" and i < j
        for one, mine, other in reversed(list(zip(act.order, worth[i], worth[j], strict=True))):
            better = shop.lift(more_than if one.highest else less_than, mine, other)
            out = shop.or_(better, shop.and_(shop.equal(mine, other), out))
        return out

    pairs = [(i, j) for i in range(len(members)) for j in range(len(members)) if i != j]
    there = {(i, j): shop.and_(members[i][1], members[j][1]) for i, j in pairs}
    for i, j in pairs if ties == "never" else ():
        tied = shop.and_(there[i, j], shop.given(there[i, j], partial(level, i, j)))
        run.draft.must_not(tied, partial(_are_level, act, members[i][0], members[j][0]))
    for i, j in pairs if ties == "as-listed" and run.coming.either_way else ():
        tied = shop.and_(there[i, j], shop.given(there[i, j], partial(level, i, j)))
        run.must_not_come_either_way(act, (members[i][0], members[j][0]), tied)
    if run.recorder is not None and len(members) > 1:
        _tell(run, act, members, envs)
    order = {pair: shop.given(there[pair], partial(before, *pair)) for pair in pairs}
    if all(type(ahead) is not Sym for ahead in order.values()):
        places = [sum(bool(order[j, i]) for j in range(len(members)) if j != i) for i in range(len(members))]
        known = [[one for one, at in zip(members, places, strict=True) if at == place] for place in sorted(set(places))]
        if ties != "lots":
            return [[(member, True) for member, _ in turn] for turn in known]
        return [turn for level in known for turn in _by_lots(run, act, level, lambda i, j: False)]
    ahead = {pair: shop.and_(there[pair], order[pair]) for pair in pairs}
    if ties == "lots":
        return _by_lots(run, act, members, lambda i, j: ahead[i, j])
    return _by_places(run, members, lambda i, j: ahead[i, j])


def _tell(run: Run, act: BoundAct, members: Members, envs: list[Env]) -> None:
    """Writes down what each has of that by which they are put in order."""
    with run.aside():
        told = [" ".join(shown(number(run, one.said.run(run, env))) for one in act.order) for env in envs]
    recorder, said = run.recorder, ", ".join(f"{who} {has}" for (who, _), has in zip(members, told, strict=True))
    if recorder is not None:
        recorder.add(Event("order", act.act.id, "", said, act.act.where))


def _by_places(run: Run, members: Members, ahead: Comparing) -> list[Turn]:
    """As many go before each as are ahead of him: who is level with another has the same place."""
    shop, number = run.shop, len(members)
    places: list[Value] = []
    for i in range(number):
        place: Value = 0
        for j in range(number):
            if i != j:
                place = plus(shop, place, shop.if_(ahead(j, i), 1, 0))
        places.append(run.draft.named(place) if type(place) is Sym else place)
    out: list[Turn] = []
    for turn in range(number):
        his = [(member, shop.equal(place, turn)) for (member, _), place in zip(members, places, strict=True)]
        out.append([(member, guard) for member, guard in his if guard is not False])
    return [turn for turn in out if turn]


def _by_lots(run: Run, act: BoundAct, members: Members, ahead: Comparing) -> list[Turn]:
    """Place by place: of those who are left and have nobody ahead of them, one, by lots if there are several."""
    shop, left = run.shop, [guard for _, guard in members]
    out: list[Turn] = []
    for _ in members:
        top: Members = []
        for i, (member, _) in enumerate(members):
            behind = shop.any_of(shop.and_(left[j], ahead(j, i)) for j in range(len(members)) if j != i)
            first = shop.and_(left[i], shop.not_(behind))
            if first is not False:
                top.append((member, run.draft.named(first) if type(first) is Sym else first))
        if not top:
            break
        turn = _lots(run, act, top)
        out.append(turn)
        for i, (member, _) in enumerate(members):
            drawn_now = next((guard for one, guard in turn if one is member), False)
            left[i] = shop.and_(left[i], shop.not_(drawn_now))
    return out


def _lots(run: Run, act: BoundAct, top: Turn) -> Turn:
    if len(top) == 1:
        return top
    run.somebody_is_asked()
    those, guards = [member for member, _ in top], tuple(guard for _, guard in top)
    if run.answers is not None:
        picked: tuple[Value, ...] = drawn(run, those, True, act.act.id, act.act.where)
    else:
        picked = tuple(run.shop.variable() for _ in top)
        run.draft.step(p.Lots(tuple(one for one in picked if type(one) is Sym), guards, True, tuple(those)))
    return list(zip(those, picked, strict=True))


def _are_level(act: BoundAct, one: Thing, other: Thing) -> Faulty:
    """Two are level where the rules say that it never happens."""
    return Faulty.one(
        "tied-order",
        f"{one} and {other} are level: row `{act.act.id}` cannot tell who is first",
        act.act.order[-1].place,
        help="let `ties:` say what they do: `as-listed`, `lots`, `at-once`, or by what counts next",
    )
