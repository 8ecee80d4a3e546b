"""What a pass looks at, by the state that it begins in: what stands under conditions that no state fulfils is not read."""

from fractions import Fraction

import pytest

from closecombat.proving.carrying_out import looking as looked
from closecombat.proving.carrying_out.counting import Counting
from closecombat.proving.carrying_out.looking import Going, Living, Looking, ReadsMore
from closecombat.proving.carrying_out.prove import as_fractions, plan
from closecombat.proving.foreseeing.ranges import FLAG
from closecombat.proving.programs import program as p
from closecombat.proving.values import arithmetic as n
from closecombat.proving.values import symbolic as c
from closecombat.proving.values.symbolic import Between, Workshop
from closecombat.reading.slots import FactOf
from closecombat.reading.types import Thing

MAN = Thing("unit", "a", 0)


def climbing(reads_at: int):
    """A man climbs down three steps. Each pass he throws 1 to 4 and notes it; at 3 or more he is a step further, and a 4
    is remembered as luck. On one step that comes, or on none, the note of the pass before is added."""
    shop = Workshop()
    step, note, luck, die, *ends = vars = [shop.variable() for _ in range(7)]
    shop.ranges |= {step: Between(0, 3, True), note: Between(0, 4, True), luck: FLAG}
    reads = shop.and_(shop.lift(c.same, step, reads_at), shop.lift(c.at_least, step, 1))
    sum = n.plus(shop, die, shop.if_(reads, note, 0))
    goes = shop.lift(c.at_least, sum, 3)
    nexts = (
        shop.if_(goes, n.minus(shop, step, 1), step),
        die,
        shop.or_(shop.and_(goes, shop.lift(c.same, die, 4)), luck),
    )
    over = shop.lift(c.at_most, nexts[0], 0)
    slots = tuple(FactOf(MAN, name) for name in ("step", "note", "luck"))
    throw = p.Throw(die, [(face, 1) for face in (1, 2, 3, 4)])
    loop = p.Loop(tuple(vars[:3]), (3, 0, False), [throw], nexts, over, None, tuple(ends), None, slots)
    return shop, [loop], [ends[2]]


def by_hand(reads_at: int) -> Fraction:
    """The chance of luck: of each state it is the mean of those that follow; solved by going round until it is exact
    enough to be told apart from any other with so small a denominator."""
    states = [(step, note, luck) for step in (1, 2, 3) for note in range(5) for luck in (False, True)]
    chance = {state: 1.0 if state[2] else 0.0 for state in states}
    for _ in range(400):
        for step, note, luck in states:
            found = 0.0
            for die in (1, 2, 3, 4):
                goes = die + (note if step == reads_at else 0) >= 3
                lucky = luck or (goes and die == 4)
                after = (step - 1 if goes else step, die, lucky)
                found += (float(lucky) if after[0] == 0 else chance[after]) / 4
            chance[step, note, luck] = found
    return Fraction(chance[3, 0, False]).limit_denominator(100_000)


@pytest.mark.parametrize("at_once", [0, 2, looked.AT_ONCE])
@pytest.mark.parametrize("unlike", [0, 3, looked.UNLIKE])
@pytest.mark.parametrize("reads_at", [0, 1, 2, 3])
def test_what_was_noted_is_read_where_the_state_says_so(
    reads_at: int, unlike: int, at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(looked, "AT_ONCE", at_once)
    monkeypatch.setattr(looked, "UNLIKE", unlike)
    shop, steps, wanted = climbing(reads_at)
    seen: list[int] = []
    found = as_fractions(*plan(shop, steps, wanted).run(lambda done, left: seen.append(done)))
    assert found[(True,)] == by_hand(reads_at)
    assert by_hand(0) == Fraction(7, 8)  # a 3 or a 4 three times
    if reads_at == 0:
        assert max(seen) == 5  # steps and luck: what was noted is never read, though it stands there to be read


def test_what_is_read_hangs_on_what_has_been_read() -> None:
    """Of a choice whose condition the state knows one arm is read; of one that a throw decides both."""
    shop = Workshop()
    flag, one, other, die, thrown = (shop.variable() for _ in range(5))
    shop.ranges[flag] = FLAG
    by_state = shop.if_(flag, one, 0)
    by_throw = shop.if_(shop.lift(c.more_than, die, 1), other, thrown)
    steps = [p.Throw(die, [(1, 1), (2, 1)])]
    living = Living(Counting({}, {0, 1, 2}, ()), {0, 1}, lambda row: row)
    looking = Looking(living, Going((flag, one, other), 0, {}, (steps, [by_state, by_throw, None], False), []))
    assert [sorted(looking.reads(row)[0]) for row in ((False, 5, 6), (True, 5, 6), (False, 7, 6))] == [
        [0, 2],
        [0, 1, 2],
        [0, 2],
    ]
    with pytest.raises(ReadsMore):
        looking.like((False, 5, 6), 10)
    assert living.has_grown() and living.places == {0, 1, 2}
    assert looking.like((False, 5, 6), 10) == looking.like((False, 7, 6), 11) == 10
    assert looking.like((True, 5, 6), 12) == 12
    assert not living.has_grown()


def test_of_who_is_gone_nothing_is_read() -> None:
    """One who is there is hurt by a throw if he is brave; where he is gone, neither how brave he is nor his hurt counts:
    no pass reads it, though it stands there to be read."""
    shop = Workshop()
    there, brave, hurt, die = vars = [shop.variable() for _ in range(4)]
    ends = tuple(shop.variable() for _ in range(3))
    shop.ranges |= {there: FLAG, brave: FLAG}
    hit = shop.and_(shop.lift(c.more_than, die, 1), shop.if_(there, True, brave))
    nexts = [shop.if_(hit, False, there), brave, shop.if_(brave, n.plus(shop, hurt, 1), hurt)]
    steps = [p.Throw(die, [(1, 1), (2, 1)])]

    def read(row: tuple[bool, bool, int], marks: list[p.Forgotten]) -> list[int]:
        living = Living(Counting({}, {0, 1, 2}, ()), {0, 2}, lambda row: row)
        goes = looked.gone(marks, ends)
        looking = Looking(living, Going(tuple(vars[:3]), 0, {}, (steps, nexts, shop.not_(nexts[0])), [], goes))
        return sorted(looking.reads(row)[0])

    gone = p.Forgotten(ends[0], ends[1:], ())
    asked = p.Forgotten(ends[0], ends[1:], (shop.lift(c.at_least, ends[2], 1),))
    assert read((True, False, 0), [gone]) == [0, 1, 2]
    assert read((False, False, 0), [gone]) == [0]  # `not there` is certain, whatever he was hit by
    assert read((False, False, 0), [asked]) == [0, 1, 2]  # how he was hurt is asked at the end
    named = p.Forgotten(ends[0], ends[1:], (), ((ends[1], True),))
    assert read((False, True, 0), [named]) == [0, 1, 2] and read((False, False, 0), [named]) == [0, 1]


@pytest.mark.parametrize(
    ("rows", "stand_for"),
    [
        ([(True, 1), (True, 2), (False, 3), (False, 4)], [0, 1, 2, 3]),  # the last two would be alike
        ([(False, 4), (False, 3), (True, 2), (False, 1)], [0, 0, 2, 0]),
    ],
)
def test_where_no_two_are_alike_no_more_are_looked_at(
    rows: list[tuple[bool, int]], stand_for: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(looked, "UNLIKE", 2)
    shop = Workshop()
    flag, one = shop.variable(), shop.variable()
    living = Living(Counting({}, {0, 1}, ()), {0, 1}, lambda row: row)
    looking = Looking(living, Going((flag, one), 0, {}, ([], [flag, shop.if_(flag, one, 0)], False), []))
    assert [looking.like(row, number) for number, row in enumerate(rows)] == stand_for
