"""Rows that happen at once: each is done on the state as it is and taken back, then all is written together."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TypeAlias

from closecombat.playing.run import Run, Written
from closecombat.proving.values.arithmetic import plus
from closecombat.proving.values.symbolic import Sym, Value
from closecombat.reading.slots import ALL, CardsLeft, CardsOf, InPlay, Member, Owed, PerWord, Slot, words_for
from closecombat.reading.types import Flag
from closecombat.text.faults import Faulty
from closecombat.text.source import Span

Made: TypeAlias = tuple[Written, Written, Span]  # what a body would write, what it would add, and where it stands


def together(run: Run, made: Sequence[Made]) -> None:
    """Applies what several bodies would write, all at once; two different values for one slot are a fault."""
    _must_not_share_cards(run, made)
    new: dict[Slot, tuple[Value, Span]] = {}
    sums: dict[Slot, tuple[Value, Span]] = {}
    for sets, adds, place in made:
        for slot, amount in adds.items():
            sums[slot] = (plus(run.shop, sums[slot][0], amount) if slot in sums else amount, place)
        for slot, value in sets.items():
            new[slot] = (_merged(run, slot, *new[slot], value, place) if slot in new else value, place)
    for slot, (value, place) in new.items():
        run.write(slot, _instead(run, slot, value, place, *sums.pop(slot)) if slot in sums else value)
    for slot, (amount, _) in sums.items():
        run.add_to(slot, amount, *run.bounds(slot))


def _instead(run: Run, slot: Slot, value: Value, first: Span, amount: Value, second: Span) -> Value:
    """A value of a slot that one row sets and another adds to: they must not both do it."""
    shop, old = run.shop, run.slots[slot]
    is_set, is_added = shop.not_(shop.equal(value, old)), shop.not_(shop.equal(amount, 0))
    clash = shop.and_(is_set, is_added)
    run.draft.must_not(clash, partial(_conflict, slot, first, second))
    run.add_to(slot, amount, *run.bounds(slot))
    sum = run.slots[slot]
    return shop.if_(is_set, value, sum)


def _merged(run: Run, slot: Slot, one: Value, first: Span, two: Value, second: Span) -> Value:
    shop, old = run.shop, run.slots.get(slot, run.empty(slot))
    if _whose_cards(run, slot) is not None:  # only one of the two changes any
        return shop.if_(shop.equal(two, old), one, two)
    if one is two or (type(one) is not Sym and type(two) is not Sym and one == two):
        return one
    if old is False:
        return shop.or_(one, two)
    if old is True:
        return shop.and_(one, two)
    if _is_rolled(run, slot):  # whatever has fallen: it is not known which of the two throws counts
        thrown = [shop.not_(shop.equal(x, old)) if type(x) is Sym else x is not old for x in (one, two)]
        run.draft.must_not(shop.and_(*thrown), partial(_thrown_twice, slot, first, second))
        return shop.if_(thrown[1], two, one)
    changed = shop.not_(shop.equal(two, old))
    if _is_flag(run, slot):  # of two that change it, both change it to the same
        return shop.if_(changed, two, one)
    clash = shop.and_(shop.and_(changed, shop.not_(shop.equal(one, old))), shop.not_(shop.equal(one, two)))
    run.draft.must_not(clash, partial(_conflict, slot, first, second))
    return shop.if_(changed, two, one)


def _whose_cards(run: Run, slot: Slot) -> Slot | None:
    """The slot of how many cards there are in all, of a deck or of a hand in which a slot counts some."""
    match slot:
        case CardsLeft() | CardsOf():
            return slot._replace(word=ALL)
        case PerWord() if (fact := run.fact_at(slot)) is not None and fact.is_hand:
            return slot._replace(word=ALL)
    return None


def _must_not_share_cards(run: Run, made: Sequence[Made]) -> None:
    """Two that each take a card have perhaps taken the same one; and one that lays a card aside and is dealt another
    has as many as before, but not the same."""
    shop = run.shop
    before: dict[Slot, tuple[Value, Span]] = {}  # whether anything of a deck or of a hand is changed so far
    for sets, _, place in made:
        changed: dict[Slot, Value] = {}
        for slot, value in sets.items():
            if (cards := _whose_cards(run, slot)) is not None:
                is_so = shop.not_(shop.equal(value, run.slots.get(slot, run.empty(slot))))
                changed[cards] = shop.or_(changed.get(cards, False), is_so)
        for cards, is_so in changed.items():
            if cards in before:
                too, first = before[cards]
                run.draft.must_not(shop.and_(too, is_so), partial(_dealt_twice, cards, first, place))
                is_so = shop.or_(too, is_so)
            before[cards] = is_so, place


def _dealt_twice(slot: Slot, first: Span, second: Span) -> Faulty:
    """Two rows would take cards of one deck, or of one hand, at once."""
    _, whose = words_for(slot)
    return Faulty.one(
        "conflicting-writes",
        f"two rows take or put back cards of {whose} at once",
        second,
        labels=((first, "this one too"),),
        help="one after the other it is clear who has which card: use `in-order:`",
    )


def _is_rolled(run: Run, slot: Slot) -> bool:
    fact = run.fact_at(slot)
    return fact is not None and fact.origin == "rolled"


def _thrown_twice(slot: Slot, first: Span, second: Span) -> Faulty:
    """Two rows, or two whom a row looks at, would throw the same dice at once."""
    name, whose = words_for(slot)
    return Faulty.one(
        "conflicting-writes",
        f"`{name}` of {whose} is thrown twice at once",
        second,
        labels=((first, "here too"),) if first != second else (),
        help="throw it once, or one after the other: `in-order:`",
    )


def _is_flag(run: Run, slot: Slot) -> bool:
    if isinstance(slot, Member | InPlay | Owed):
        return True
    fact = run.fact_at(slot)
    return fact is not None and isinstance(fact.type, Flag)


def _conflict(slot: Slot, first: Span, second: Span) -> Faulty:
    """Two rows would give one fact different values at once."""
    name, whose = words_for(slot)
    return Faulty.one(
        "conflicting-writes",
        f"two rows give `{name}` of {whose} different values at once",
        second,
        labels=((first, "this one too"),),
        help="let the conditions exclude each other, or use `in-order:`",
    )
