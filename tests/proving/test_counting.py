"""What of a state counts: a note that no pass reads multiplies no states, and one that a late pass reads is known."""

from fractions import Fraction

import pytest

from closecombat.asking.exact.answers import SIDES
from closecombat.asking.exact.chances import work_out
from closecombat.binding.load import load
from closecombat.playing.fight import fight
from closecombat.proving.carrying_out.prove import as_fractions, plan
from closecombat.proving.foreseeing.ranges import FLAG, NUMBER
from closecombat.proving.programs import program as p
from closecombat.proving.values import arithmetic as n
from closecombat.proving.values import symbolic as c
from closecombat.proving.values.symbolic import Workshop
from closecombat.reading.slots import FactOf
from closecombat.reading.stack import as_mapping
from closecombat.reading.types import Thing
from closecombat.text.document import parse
from closecombat.text.source import Source

MAN = Thing("unit", "a", 0)
NAMES = "there", "open", "note", "left", "rounds"


def shots(is_read, first_note=0):
    """A man writes down what he throws, 1 or 2. He shoots as long as the way is open, and counts 5 and the throw; at 7
    he goes, and the way is closed. Two rounds go by then, and it is over. If it `is_read`, a 2 in the note is wiped out in the last round but
    one, which then comes once more. How many rounds go by is asked."""
    shop = Workshop()
    there, is_open, note, left, rounds = vars = [shop.variable() for _ in range(5)]
    shop.ranges |= {there: FLAG, is_open: FLAG, note: NUMBER, left: NUMBER, rounds: NUMBER}
    stated, die, *ends = [shop.variable() for _ in range(7)]
    may_state = shop.and_(shop.or_(there, shop.lift(c.same, left, 9)), is_open)
    shoots = shop.and_(there, is_open)
    steps = [
        p.Let(stated, shop.if_(there, shop.if_(may_state, 5, note), 0)),
        p.Branch(shoots, [p.Throw(die, [(1, 1), (2, 1)])]),
    ]
    goes = shop.and_(shoots, shop.lift(c.at_least, n.plus(shop, die, stated), 7))
    again = shop.and_(shop.lift(c.same, note, 2), shop.lift(c.same, left, 1)) if is_read else False
    kept = shop.if_(shop.and_(again, shop.not_(there)), 0, note)
    nexts = (
        shop.if_(goes, False, there),
        shop.if_(goes, False, is_open),
        shop.if_(shoots, die, kept),
        shop.if_(there, left, shop.if_(again, left, n.minus(shop, left, 1))),
        shop.if_(there, rounds, n.plus(shop, rounds, 1)),
    )
    over, slots = shop.lift(c.at_most, nexts[3], 0), tuple(FactOf(MAN, name) for name in NAMES)
    begin = (True, True, first_note, 2, 0)
    loop = p.Loop(tuple(vars), begin, steps, nexts, over, None, tuple(ends), None, slots)
    return shop, [loop], [ends[4]]


def carried_out(shop, steps, wanted):
    seen = []
    found = plan(shop, steps, wanted).run(lambda done, left: seen.append(done))
    return as_fractions(*found), max(seen)


def by_hand(is_read):
    """He throws 1s, and then the 2 at which he goes, so that the note is a 2; then the rounds are counted."""
    left, note, rounds = 2, 2, 0
    while left > 0:
        rounds += 1
        if is_read and note == 2 and left == 1:
            note = 0
        else:
            left -= 1
    return {(rounds,): Fraction(1)}


@pytest.mark.parametrize("is_read", [False, True])
def test_a_note_counts_if_some_pass_reads_it(is_read) -> None:
    found, _ = carried_out(*shots(is_read))
    assert found == by_hand(is_read)


def test_what_no_pass_reads_multiplies_no_states() -> None:
    """As long as he is there it is one state, whatever is noted; behind, one for each round that is left."""
    assert {carried_out(*shots(False, note))[1] for note in (0, 1, 2, 3)} == {3}


def test_two_squads_against_two() -> None:
    """Each is whole, half or gone, and which of two does not matter: five ways for a side that is there, and it is the
    one's turn or the other's. A few more are told apart, by who was reduced in the round before."""
    units = "{%s1: {counter: %s}, %s2: {counter: %s}}"
    text = f"""situation:
  fight: {{attacker: german, defender: russian}}
  sides:
    german:  {{units: {units % ("g", "german-4-6-7", "g", "german-4-6-7")}}}
    russian: {{units: {units % ("r", "russian-4-4-7", "r", "russian-4-4-7")}}}
"""
    seen: list[int] = []
    squads = fight(load("asl"), as_mapping(parse(Source("squads.yaml", text))))
    work_out(squads, SIDES, True, lambda done, left: seen.append(done), with_notes=False)
    assert max(seen) <= 60
