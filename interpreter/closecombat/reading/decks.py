"""Reading decks: which cards there are, how many of each, whose they are, and the numbers that they bear.

The cards of a deck are a list of words that goes by its name, so that a fact or a heading can be one of them. What
they bear is a grid about that list, put together here as if it had been written under `tables`: `worth of card`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from collections.abc import Mapping as MappingOf

from closecombat.reading.fields import Fields, mapping_of, name_of, text_of, whole
from closecombat.reading.model import Deck, Origin
from closecombat.text.faults import Faults, Faulty
from closecombat.text.nodes import Listing, Mapping, Node, Text
from closecombat.text.source import Span

MOST_CARDS = 1000  # of one word


def read_deck(key: Text, node: Node, faults: Faults) -> Deck:
    """Its cards and how many of each, or `{cards: {..}, each: side, when-empty: shuffle, assumed: ..}`."""
    where, each, shuffled = Origin(node.span), "", False
    if isinstance(node, Mapping) and isinstance(node.get("cards"), Mapping):
        fields = Fields(node, f"deck `{key.value}`", faults)
        where, each, rule = fields.origin(), fields.name("each"), fields.get("when-empty")
        if rule is not None and text_of(rule, "what is done when it is empty") != "shuffle":
            help = "write `when-empty: shuffle`, or leave it out: then nobody can be dealt a card that is not there"
            raise Faulty.one("unknown-word", "an empty deck is shuffled, or stays empty", rule.span, help=help)
        shuffled, node = rule is not None, fields.need("cards")
        fields.done()
    if isinstance(node, Listing):
        listed = Counter(item.value.strip() for item in node.items if isinstance(item, Text))
        counted = ", ".join(f"{word}: {number}" for word, number in listed.items()) or "red: 4, black: 2"
        help = f"write how many there are of each: `{{{counted}}}`"
        raise Faulty.one("wrong-shape", "a deck says how many cards bear each word", node.span, help=help)
    cards: dict[str, int] = {}
    bears: dict[str, dict[str, Node]] = {}
    lines = mapping_of(node, "how many there are of each card").entries
    for word, line in lines:
        read = faults.attempt(_card, word, line)
        if read is not None:
            cards[word.value], more = read
            for borne, number in more:
                bears.setdefault(borne.value, {})[word.value] = number
    if len(cards) < len(lines):
        raise Faulty.told()
    if not cards:
        raise Faulty.one("out-of-range", "a deck has at least one card", node.span)
    for name, numbers in bears.items():
        for card, line in lines:
            if card.value not in numbers:
                said = f"`{card.value}` bears no `{name}`, and other cards of `{key.value}` do"
                raise Faulty.one("missing-key", said, line.span, help=f"add `{name}: ..`, or `{name}: 0`")
    return Deck(key.value, cards, bears, each, shuffled, where)


def _card(word: Text, node: Node) -> tuple[int, tuple[tuple[Text, Node], ...]]:
    """How many there are of a card, and what it bears: `4`, or `{cards: 4, worth: 11}`; a card is one unless it says
    more."""
    name_of(word, "a card")
    if not isinstance(node, Mapping):
        return _many(node), ()
    many = node.get("cards")
    bears = tuple((key, number) for key, number in node.entries if key.value != "cards")
    for key, number in bears:
        name_of(key, "what a card bears")
        whole(number, "a whole number")
    return 1 if many is None else _many(many), bears


def _many(node: Node) -> int:
    number = whole(node, "a number of cards")
    if not 1 <= number <= MOST_CARDS:
        raise Faulty.one("out-of-range", f"a deck has 1 to {MOST_CARDS} of each card", node.span)
    return number


def lists_of(decks: MappingOf[str, Deck], words: MappingOf[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """The lists of words, and those that the decks are."""
    return {**words, **{name: tuple(deck.cards) for name, deck in decks.items() if name not in words}}


def rows_of(decks: MappingOf[str, Deck], faults: Faults) -> Iterator[tuple[Text, Mapping]]:
    """What the cards of each deck bear, as a list of words with columns would be written."""
    known: dict[tuple[str, str], Node] = {}
    for deck in decks.values():
        place = deck.where.place
        for name, numbers in deck.bears.items():
            for word, number in numbers.items():
                first = known.setdefault((name, word), number)
                if text_of(first, "a number") != text_of(number, "a number"):
                    message, there = f"`{word}` bears another `{name}` in another deck", ((first.span, "there"),)
                    help = "give one of them another name"
                    faults.add("duplicate-id", message, number.span, labels=there, help=help)
        if deck.bears:
            columns = Listing(tuple(_key(name, place) for name in deck.bears), place)
            lines = tuple(
                (_key(word, place), Listing(tuple(of[word] for of in deck.bears.values()), place))
                for word in deck.cards
            )
            rows = ((_key("columns", place), columns), (_key("rows", place), Mapping(lines, place)))
            yield _key(deck.name, place), Mapping(rows, place)


def _key(name: str, place: Span) -> Text:
    return Text(name, place, True, place)
