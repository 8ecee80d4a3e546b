"""Reading decks: which cards there are, how many of each, whose they are, and the numbers that they bear.

The cards of a deck are a list of words that goes by its name, so that a fact or a heading can be one of them. What
they bear is a grid about that list, put together here as if it had been written under `tables`: `worth of card`.
"""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Mapping as MappingOf

from closecombat.reading.fields import Fields, expected, mapping_of, name_of, text_of, whole
from closecombat.reading.model import Deck, Origin
from closecombat.text.document import Listing, Mapping, Node, Text
from closecombat.text.faults import Faults, Faulty
from closecombat.text.source import Source, Span

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
        raise expected("how many there are of each card", node, "write `{red: 4, black: 2}`: a word and how many")
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
    """The lists of words with those that the decks are: each deck, and those together whose cards bear the same."""
    out = dict(words) | {name: tuple(deck.cards) for name, deck in decks.items() if name not in words}
    for having in _bearers(decks).values():
        out.setdefault(_joined(having), tuple(dict.fromkeys(word for deck in having for word in deck.cards)))
    return out


def charts_of(decks: MappingOf[str, Deck], taken: Collection[str], faults: Faults) -> Mapping | None:
    """A grid for each number that cards bear, as it would be written under `tables`, where others have names."""
    grids: list[tuple[Text, Node]] = []
    for name, having in _bearers(decks).items():
        place = having[0].where.place
        if name in taken:
            faults.add("duplicate-id", f"a table is called `{name}` already, and what cards bear here", place)
            continue
        cells: dict[str, Node] = {}
        for deck in having:
            for word, number in deck.bears[name].items():
                first = cells.setdefault(word, number)
                if text_of(first, "a number") != text_of(number, "a number"):
                    message, labels = f"`{word}` bears another `{name}` in another deck", ((first.span, "there"),)
                    faults.add(
                        "duplicate-id", message, number.span, labels=labels, help="give one of them another name"
                    )
        about = _said(_joined(having))
        headings = Listing(tuple(_said(word) for word in cells), place)
        grid = (
            (_said("about"), about),
            (_said("across"), about),
            (_said("columns"), headings),
            (_said("cells"), Listing(tuple(cells.values()), place)),
        )
        grids.append((_said(name), Mapping(grid, place)))
    return Mapping(tuple(grids), grids[0][1].span) if grids else None


def _said(text: str) -> Text:
    """What is meant where nobody writes it."""
    span = Span(Source("<left out>", text), 0, len(text))
    return Text(text, span, True, span)


def _bearers(decks: MappingOf[str, Deck]) -> dict[str, list[Deck]]:
    """What cards bear, and the decks whose cards do."""
    out: dict[str, list[Deck]] = {}
    for deck in decks.values():
        for name in deck.bears:
            out.setdefault(name, []).append(deck)
    return out


def _joined(decks: list[Deck]) -> str:
    return "-or-".join(deck.name for deck in decks)
