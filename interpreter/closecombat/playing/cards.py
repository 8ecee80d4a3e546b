"""Decks and hands: cards that are dealt, held and shuffled. Played, somebody answers; else each card is a step of the
program.

**What is kept.** How many of each word are left in a deck, and how many of each a hand holds; in what order they came
is forgotten with the step that dealt them, so that a hand of five from 52 is 6175 hands by rank and no more. How many
there are of all words is kept beside, under the word that is none (`ALL`): it is known where the cards are not, so that
it need not be asked of every fall of the cards whether a deck is empty.

**What comes back.** All cards that are neither in the deck nor in the hand of one who is in play have been laid aside,
and are those that a shuffle puts back.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from closecombat.binding import terms as t
from closecombat.binding.bound import BoundDeal
from closecombat.binding.terms import Env
from closecombat.binding.trace import Event
from closecombat.playing.amounts import HowMany
from closecombat.playing.effects import each_of
from closecombat.playing.run import Run
from closecombat.proving.foreseeing.ranges import passed, range_of
from closecombat.proving.programs import program as p
from closecombat.proving.values.arithmetic import minus, plus
from closecombat.proving.values.symbolic import Between, Sym, Value, at_least, somebody
from closecombat.reading.model import Deck, Fact
from closecombat.reading.slots import ALL, FactOf, PerWord, Slot, cards_left
from closecombat.reading.types import Thing, shown
from closecombat.text.faults import Faulty
from closecombat.text.source import Span


def deal(run: Run, verb: BoundDeal, env: Env, who: Thing) -> None:
    """Deals to somebody: a card into a fact, or some into a hand."""
    fact, deck = verb.fact, verb.deck
    for where in (fact.where, deck.where):
        run.used(where)
    number = 1 if verb.number is None else t.number(run, verb.number.run(run, env))
    number = passed(run.shop, HowMany(f"{fact.name} of {who} would be dealt {{}} cards", fact.where.place), number)
    if not deck.each:
        _deal(run, verb, who, number, None)
    else:
        owner = who if who.kind == deck.each else run.fact(who, deck.each)
        each_of(run, owner, partial(_deal, run, verb, who, number))


def _deal(run: Run, verb: BoundDeal, who: Thing, number: Value, whose: Thing | None) -> None:
    fact, deck = verb.fact, verb.deck
    dealt: list[Value] = []
    if not fact.is_hand:
        card = _drawn(run, fact, deck, who, whose)
        dealt.append(card)
        run.write(FactOf(who, fact.name), card)
    else:
        for nth in range(1, _most(run, number, sum(deck.cards.values()) + 1) + 1):
            dealt_so_far = run.shop.lift(at_least, number, nth)
            run.under(dealt_so_far, lambda: dealt.append(_into_hand(run, fact, deck, who, whose)))
    if run.recorder is not None:
        told = ", ".join(shown(card) for card in dealt)
        run.recorder.add(Event("deal", fact.name, f" of {who}", told, fact.where))


def _most(run: Run, number: Value, cards: int) -> int:
    """How many cards may be dealt: one more than there are is a fault already."""
    if type(number) is not Sym:
        return min(int(number), cards)
    match range_of(run.shop, number):
        case Between(_, high) if high is not None:
            return min(int(high), cards)
    return cards


def _into_hand(run: Run, fact: Fact, deck: Deck, who: Thing, whose: Thing | None) -> Value:
    card = _drawn(run, fact, deck, who, whose)
    for word in deck.cards:
        _add(run, PerWord(who, fact.name, word), run.shop.if_(run.shop.equal(card, word), 1, 0))
    _add(run, PerWord(who, fact.name, ALL), 1)
    for word in deck.cards:
        for slot in (PerWord(who, fact.name, word), cards_left(deck.name, whose, word)):
            value = run.slots[slot]
            if type(value) is Sym and len(value.vars) > 1:
                run.write(slot, run.draft.named(value))  # so that the order of the cards can be forgotten
    return card


def _add(run: Run, slot: Slot, number: Value) -> None:
    run.open(slot, 0)
    run.write(slot, plus(run.shop, run.slots[slot], number))


def _drawn(run: Run, fact: Fact, deck: Deck, who: Thing, whose: Thing | None) -> Value:
    """A card from a deck: the chance of each is as many as are left of it."""
    what = f"{fact.name} of {who}"
    _open(run, deck, whose)
    slots = {word: cards_left(deck.name, whose, word) for word in (*deck.cards, ALL)}
    if deck.shuffled:
        run.under(run.shop.equal(run.slots[slots[ALL]], 0), partial(_shuffle_told, run, deck, whose))
    counts = [run.slots[slots[word]] for word in deck.cards]
    all_left = run.slots[slots[ALL]]
    run.draft.must_not(run.shop.equal(all_left, 0), partial(_empty, deck, what, fact.where.place))
    card: Value
    if run.dice is not None:
        left = [(word, n) for word, n in zip(deck.cards, counts, strict=True) if n]
        card = run.dice.card(left, what)
    else:
        card = run.shop.variable()
        run.shop.ranges[card] = tuple(deck.cards)
        run.draft.step(p.Draw(card, tuple(deck.cards), tuple(counts)))
    for word, count in zip(deck.cards, counts, strict=True):
        fewer = minus(run.shop, count, 1) if type(count) is Sym or count else 0
        run.write(slots[word], run.shop.if_(run.shop.equal(card, word), fewer, count))
    run.write(slots[ALL], minus(run.shop, all_left, 1) if type(all_left) is Sym or all_left else 0)
    return card


def _open(run: Run, deck: Deck, whose: Thing | None) -> None:
    """The deck of one who has come into play since is there from now on."""
    for word, count in (*deck.cards.items(), (ALL, sum(deck.cards.values()))):
        run.open(cards_left(deck.name, whose, word), count)


def shuffle(run: Run, deck: Deck, whose: Thing | None) -> None:
    """Puts back every card that nobody holds."""
    hands = list(_hands(run, deck, whose))
    for word, count in (*deck.cards.items(), (ALL, sum(deck.cards.values()))):
        left: Value = count
        for thing, fact, guard in hands:
            left = minus(run.shop, left, run.shop.if_(guard, held(run, thing, fact, word), 0))
        run.write(cards_left(deck.name, whose, word), left)


def _shuffle_told(run: Run, deck: Deck, whose: Thing | None) -> None:
    shuffle(run, deck, whose)
    if run.recorder is not None:
        called = f"{deck.name} of {whose}" if whose else deck.name
        run.recorder.add(Event("effect", "is empty, and is shuffled", f" of {called}", None, None))


def _hands(run: Run, deck: Deck, whose: Thing | None) -> Iterator[tuple[Thing, Fact, Value]]:
    """Who may hold cards of a deck, in which fact, and whether he does: he is in play, and it is his deck."""
    for kind in run.ruleset.kinds.values():
        for fact in kind.facts.values():
            for thing in run.state.by_kind.get(kind.name, ()) if fact.is_hand and fact.deck == deck.name else ():
                owner = thing if kind.name == deck.each else run.fact(thing, deck.each) if deck.each else None
                guard = run.shop.and_(run.in_play(thing), whose is None or run.shop.equal(owner, whose))
                if guard is not False:
                    yield thing, fact, guard


def held(run: Run, who: Thing, hand: Fact, word: str = ALL) -> Value:
    """How many cards of a word are in a hand."""
    return run.slots.get(PerWord(who, hand.name, word), 0)


def played(run: Run, who: Thing, hand: Fact, card: Value) -> None:
    """A card that is chosen leaves a hand."""
    for word in run.ruleset.decks[hand.deck].cards:
        _add(run, PerWord(who, hand.name, word), run.shop.if_(run.shop.equal(card, word), -1, 0))
    _add(run, PerWord(who, hand.name, ALL), run.shop.if_(run.shop.lift(somebody, card), -1, 0))


def _empty(deck: Deck, what: str, place: Span) -> Faulty:
    help = f"`shuffle: {deck.name}` puts the cards back" + (
        "; those in a hand stay there" if deck.shuffled else ", and `when-empty: shuffle` does so as a rule of the deck"
    )
    return Faulty.one("no-value", f"`{deck.name}` is empty, but {what} is to be dealt", place, help=help)
