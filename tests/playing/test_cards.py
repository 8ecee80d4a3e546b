"""Decks and hands: the exact chances against every order in which the cards can lie, gone through one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import permutations

import pytest

from closecombat.asking.exact.questions import ask_about
from closecombat.asking.played.resolution import resolve
from closecombat.binding.charts import Bound
from closecombat.playing.fight import Fight, fight
from closecombat.proving.throws.dice import ScriptedDice
from closecombat.reading.ruleset import read_ruleset
from closecombat.reading.stack import as_mapping
from closecombat.text.document import parse
from closecombat.text.faults import Faults, Faulty
from closecombat.text.source import Source

RULES = """
ruleset: cards
language: 1
start: combat
rounds: {until: yes}
kinds:
  fight: {one: yes, given: {attacker: a side}}
  side:
    given: {enemy: the other side, units: {are: units, each: unit}}
    drawn: {hand: cards of pack, top: pack, open: common}
    noted: {points: 0 to 999, kept: {is: pack, default: low}}
    chosen: {bid: pack}
  unit:
    given: {side: a side}
    drawn: {order: pack}
decks:
  common: {red: 2, black: 1}
  pack: {each: side, cards: {low: {cards: 3, worth: 1, weight: -2}, mid: {cards: 2, worth: 3, weight: 0}, high: {worth: 7, weight: 5}}, MORE}
sequences:
  combat:
    in-order: ROWS
"""
PACK = ["low"] * 3 + ["mid"] * 2 + ["high"]
WORTH = {"low": 1, "mid": 3, "high": 7}
SIDES = "{red: {units: {r: {}, s: {}}}, blue: {}}"

Rows = dict[object, Fraction]


def begun(rows: str, sides: str = SIDES, more: str = "note: plain", beside: str = "", tables: str = "") -> Fight:
    faults = Faults()
    source = Source("<rules>", RULES.replace("ROWS", rows).replace("MORE", more) + tables)
    ruleset = read_ruleset(as_mapping(parse(source)), faults)
    faults.raise_if_any()
    written = f"situation: {{fight: {{attacker: red}}, sides: {sides}{beside}}}\n"
    return fight(Bound(ruleset), as_mapping(parse(Source("<fight>", written))))


def chances(question: str, of: Fight) -> Rows:
    (answer,) = ask_about(of, [question]).answers
    return dict(answer.chances)


def counted(cards: list[str], what: Callable[[tuple[str, ...]], object]) -> Rows:
    """The chances of something, over every order of these cards."""
    found = Counter(what(order) for order in permutations(cards))
    return {value: Fraction(n, found.total()) for value, n in found.items()}


def without(*gone: str) -> list[str]:
    left = list(PACK)
    for card in gone:
        left.remove(card)
    return left


DEAL = "{a: {for: attacker, shuffle: pack}, deal: {for: attacker, deal: hand, number: 3}, top: {for: attacker, deal: top, do: set points to worth of top}"


def test_a_hand_is_dealt_without_its_order() -> None:
    of = begun(DEAL + "}")
    assert chances("hand of red for low", of) == counted(PACK, lambda cards: cards[:3].count("low"))
    assert chances("points of red", of) == counted(PACK, lambda cards: WORTH[cards[3]])
    assert chances("hand of red for high is 1 and top of red is mid", of) == counted(
        PACK, lambda cards: "high" in cards[:3] and cards[3] == "mid"
    )


def test_each_side_has_its_own() -> None:
    rows = "{a: {each: side, deal: hand, number: 6}, b: {each: side, deal: open}}"
    of = begun(rows)
    assert chances("hand of red for high is 1 and hand of blue for high is 1", of) == {True: 1}
    assert chances("open of red is black and open of blue is black", of) == {False: 1}
    assert chances("open of red is open of blue", of) == {True: Fraction(1, 3), False: Fraction(2, 3)}


def test_a_unit_is_dealt_from_the_deck_of_its_side() -> None:
    of = begun("{a: {each: unit, deal: order}, b: {for: enemy of attacker, deal: top}}")
    assert chances("order of r is order of s", of) == counted(PACK, lambda cards: cards[0] == cards[1])
    assert chances("top of blue is high", of) == {True: Fraction(1, 6), False: Fraction(5, 6)}


def test_what_is_gone_and_what_is_held_is_not_dealt() -> None:
    sides = "{red: {gone: {pack: {low: 2}}, hand: {mid: 1}}, blue: {}}"
    of = begun(
        "{a: {for: attacker, deal: top}, b: {for: attacker, deal: open}}", sides, beside=", gone: {common: {red: 1}}"
    )
    assert chances("top of red", of) == counted(without("low", "low", "mid"), lambda cards: cards[0])
    assert chances("open of red is black", of) == {True: Fraction(1, 2), False: Fraction(1, 2)}
    assert chances("hand of red for mid", of) == {1: 1}


@pytest.mark.parametrize(
    ("sides", "beside", "code"),
    [
        ("{red: {gone: {pack: {low: 2}}, hand: {low: 2}}, blue: {}}", "", "out-of-range"),
        ("{red: {gone: {pack: {lwo: 2}}}, blue: {}}", "", "unknown-word"),
        ("{red: {gone: {common: {red: 1}}}, blue: {}}", "", "unknown-name"),
        ("{red: {}, blue: {}}", ", gone: {pack: {low: 1}}", "unknown-name"),
        ("{red: {hand: {lwo: 2}}, blue: {}}", "", "unknown-word"),
    ],
)
def test_a_state_that_cannot_be(sides: str, beside: str, code: str) -> None:
    with pytest.raises(Faulty) as fault:
        chances("points of red", begun("{a: {for: attacker, deal: top}}", sides, beside=beside))
    assert [one.code for one in fault.value.diagnostics] == [code]


def ways(left: tuple[str, ...], aside: tuple[str, ...], turns: int) -> Iterator[tuple[Fraction, tuple[str, ...]]]:
    """The cards turned one after the other, those laid aside being shuffled when none is left."""
    if not turns:
        yield Fraction(1), ()
        return
    if not left:
        left, aside = aside, ()
    for i, card in enumerate(left):
        for chance, later in ways((*left[:i], *left[i + 1 :]), (*aside, card), turns - 1):
            yield chance / len(left), (card, *later)


def test_an_empty_deck_is_shuffled_as_its_rule() -> None:
    rows = (
        "{" + ", ".join(f"t{i}: {{for: attacker, deal: top, do: add worth of top to points}}" for i in range(5)) + "}"
    )
    of = begun(rows, "{red: {gone: {pack: {low: 2, mid: 1}}, hand: {high: 1}}, blue: {}}", "when-empty: shuffle")
    expected = Counter[object]()
    for chance, cards in ways(("low", "mid"), ("low", "low", "mid"), 5):
        expected[sum(WORTH[card] for card in cards)] += chance
    assert chances("points of red", of) == dict(expected)
    told = resolve(of, ScriptedDice([(card, None) for card in ("low", "mid", "low", "mid", "mid")]))
    assert [[event.name for event in row.because] for row in told.events] and told.units["red"]["points"] == 11


def test_a_hand_over_the_end_of_the_deck() -> None:
    rows = "{a: {for: attacker, deal: hand, number: 3}}"
    of = begun(rows, "{red: {gone: {pack: {low: 3, mid: 1}}}, blue: {}}", "when-empty: shuffle")
    assert chances("hand of red for low", of) == {1: Fraction(3, 4), 0: Fraction(1, 4)}
    assert chances("hand of red for high", of) == {1: 1}


def test_an_empty_deck_is_a_fault_without_that_rule() -> None:
    with pytest.raises(Faulty) as fault:
        chances("points of red", begun("{a: {for: attacker, deal: hand, number: 7}}"))
    assert fault.value.codes == {"no-value"}


def test_a_hand_that_is_laid_aside_comes_back_with_the_next_shuffle() -> None:
    rows = "{a: {for: attacker, deal: hand, number: 5}, b: {for: attacker, shuffle: pack, do: lose hand}, c: {for: attacker, shuffle: pack}, d: {for: attacker, deal: hand, number: 6}}"
    assert chances("hand of red for low", begun(rows)) == {3: 1}
    rows = "{a: {for: attacker, deal: hand, number: 5}, c: {shuffle: pack of attacker}, d: {for: attacker, deal: top}}"
    assert chances("top of red is high", begun(rows)) == counted(PACK, lambda cards: cards[5] == "high")


def test_cards_bear_numbers() -> None:
    of = begun("{a: {for: attacker, deal: top, do: set kept to top}}")
    assert chances("worth of kept of red + weight of top of red", of) == {
        -1: Fraction(1, 2),
        3: Fraction(1, 3),
        12: Fraction(1, 6),
    }


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("number of hand of red", len),
        ("number of hand of red where (face is low or high)", lambda hand: sum(card != "mid" for card in hand)),
        (
            "number of hand of red where (worth of face is at least 3)",
            lambda hand: sum(WORTH[card] > 1 for card in hand),
        ),
        ("total worth of hand of red", lambda hand: sum(WORTH[card] for card in hand)),
        (
            "total worth of hand of red where (face is not high)",
            lambda hand: sum(WORTH[c] for c in hand if c != "high"),
        ),
        ("highest face of hand of red is mid", lambda hand: max(hand, key=PACK.index) == "mid"),
        ("second highest worth of hand of red", lambda hand: sorted(WORTH[card] for card in hand)[-2]),
        ("lowest worth of hand of red", lambda hand: min(WORTH[card] for card in hand)),
        ("any face of hand of red is high", lambda hand: "high" in hand),
        ("no face of hand of red is mid", lambda hand: "mid" not in hand),
        ("every face of hand of red is at least mid", lambda hand: "low" not in hand),
    ],
)
def test_a_hand_is_a_set_of_cards(asked: str, told: Callable[[tuple[str, ...]], object]) -> None:
    of = begun("{a: {for: attacker, deal: hand, number: 3}}")
    assert chances(asked, of) == counted(PACK, lambda cards: told(cards[:3]))


def test_a_card_is_played_from_a_hand() -> None:
    row = "b: {for: attacker, choose: bid, from: hand, otherwise: highest face of hand}"
    of = begun(f"{{a: {{for: attacker, deal: hand, number: 3}}, {row}, c: {{for: attacker, deal: hand}}}}")

    def left(cards: tuple[str, ...]) -> list[str]:
        hand = list(cards[:3])
        hand.remove(max(hand, key=PACK.index))
        return [*hand, cards[3]]

    assert chances("bid of red", of) == counted(PACK, lambda cards: max(cards[:3], key=PACK.index))
    assert chances("total worth of hand of red", of) == counted(PACK, lambda cards: sum(WORTH[c] for c in left(cards)))
    assert chances("number of hand of red", of) == {3: 1}


def test_a_card_that_nobody_holds_is_not_played() -> None:
    of = begun("{a: {for: attacker, choose: bid, from: hand, otherwise: high}}", "{red: {hand: {low: 1}}, blue: {}}")
    with pytest.raises(Faulty, match="red has no high in hand"):
        chances("bid of red", of)


@pytest.mark.parametrize(
    ("answered", "blue"), [("", "high"), (", answered: secret", "high"), (", answered: at-once", "low")]
)
def test_bids_made_at_once_see_nothing_of_each_other(answered: str, blue: str) -> None:
    """Who says nothing bids what he takes the other to have bid, which at first is nobody's: then his lowest."""
    rules = "{bids: {each: side, choose: bid, from: hand, otherwise: copied" + answered + "}}"
    tables = "tables: {copied: {about: side, words: pack, first-of: {same: {when: bid of enemy is high, is: high}}, otherwise: lowest face of hand}}\n"
    sides = "{red: {hand: {high: 1}}, blue: {hand: {high: 1, low: 1}}}"
    of = begun(rules, sides, tables=tables)
    assert chances("bid of blue", of) == {blue: 1}
    assert chances("bid of red", of) == {"high": 1}


@pytest.mark.parametrize("first", ["deal: open", "shuffle: common"])
def test_two_rows_do_not_take_cards_of_one_deck_at_once(first: str) -> None:
    """Each would take from the whole deck, so that both could be given the one black card."""
    both = f"  both: {{at-once: {{one: {{for: attacker, {first}}}, two: {{for: enemy of attacker, deal: open}}}}}}\n"
    of = begun("{draw: {for: attacker, deal: open}, all: {play: both}}", tables=both)
    with pytest.raises(Faulty) as proved:
        chances("open of red", of)
    with pytest.raises(Faulty) as played:
        resolve(of, ScriptedDice([("red", None), ("red", None), ("black", None)]))
    assert proved.value.codes == played.value.codes == {"conflicting-writes"}


def test_one_who_changes_a_card_of_a_hand_changes_it_though_it_holds_as_many() -> None:
    """One row lays the hand aside, the other lays it aside and takes another card: which of the two is to count?"""
    rows = "{draw: {for: attacker, deal: hand}, all: {play: both}}"
    both = "  both: {at-once: {one: {for: attacker, do: lose hand}, two: {play: change}}}\n"
    change = "  change: {in-order: {lay: {for: attacker, do: lose hand}, draw: {for: attacker, deal: hand}}}\n"
    of = begun(rows, tables=both + change)
    with pytest.raises(Faulty) as proved:
        chances("number of hand of red", of)
    with pytest.raises(Faulty) as played:
        resolve(of, ScriptedDice([("low", None), ("mid", None)]))
    assert proved.value.codes == played.value.codes == {"conflicting-writes"}


def test_a_hand_holds_more_than_there_are_of_any_card() -> None:
    """Six cards go into one hand, pass by pass; the seventh is dealt from an empty deck, wherever that is asked."""
    on = "  on: {again: {until: fight is nobody, at-most: unbounded}, in-order: {deal: {for: attacker, deal: hand}}}\n"
    of = begun("{all: {play: on}}", tables=on)
    with pytest.raises(Faulty) as caught:
        chances("number of hand of red", of)
    assert caught.value.codes == {"no-value"}


def test_a_row_is_repeated_as_often_as_there_are_cards_in_a_hand() -> None:
    """How many there are nobody knows inside a repetition without an end: its passes do not nest."""
    on = "  on: {again: {until: fight is nobody, at-most: unbounded}, in-order: ROWS}\n".replace(
        "ROWS",
        "{deal: {for: attacker, deal: hand}, idle: {for: attacker, repeat: number of hand, do: set points to 3}}",
    )
    of = begun("{all: {play: on}}", tables=on)
    with pytest.raises(Faulty) as caught:
        chances("number of hand of red", of)
    assert caught.value.codes == {"no-value"}
