"""Numbers that are only added up stand in the weights, and come out as they went in."""

from fractions import Fraction

import pytest

from closecombat.proving.carrying_out.prove import as_fractions, plan
from closecombat.proving.passes.packing import packing, unpacked, up_to_bytes
from closecombat.proving.programs import program as p
from closecombat.proving.throws.dice import Pool, Thrown, part
from closecombat.proving.values import arithmetic as n
from closecombat.proving.values import symbolic as c
from closecombat.proving.values.symbolic import Sym, Value, Workshop

from .small import let, throw

DICE = 6


def pool(shop: Workshop, dice: Value) -> tuple[list[Value], p.Step]:
    """So many dice of three faces: how many show a 3, and how many a 2."""
    thrown = Pool((part("", (1, 2, 3), dice),))
    shown = Thrown(thrown.parts, thrown, shop)
    return [shown.sum_of(lambda _, face, of=of: int(face == of)) for of in (3, 2)], p.PoolThrow(thrown)


def rounds(shop: Workshop) -> tuple[list[p.Step], list[Value], Sym]:
    """Dice that show a 3 are thrown no more; if one has, the others are thrown again. Asked is how many there have
    been, and how many 2s."""
    (out, twos), first = pool(shop, DICE)
    again = shop.lift(c.at_least, out, 1)
    (more, more_twos), second = pool(shop, n.minus(shop, DICE, out))
    gone = n.plus(shop, out, shop.if_(again, more, 0))
    return [first, p.Branch(again, [second])], [gone, shop.if_(again, n.plus(shop, twos, more_twos), twos)], again


def reckoned() -> dict[tuple[int, int], Fraction]:
    """The same by hand: a die after the other, {(3s, 2s): chance}."""

    def thrown(dice: int) -> dict[tuple[int, int], Fraction]:
        out = {(0, 0): Fraction(1)}
        for _ in range(dice):
            grown: dict[tuple[int, int], Fraction] = {}
            for (threes, twos), chance in out.items():
                for three, two in ((0, 0), (0, 1), (1, 0)):
                    key = threes + three, twos + two
                    grown[key] = grown.get(key, 0) + chance / 3
            out = grown
        return out

    out: dict[tuple[int, int], Fraction] = {}
    for (threes, twos), chance in thrown(DICE).items():
        for (more, others), each in (thrown(DICE - threes) if threes else {(0, 0): Fraction(1)}).items():
            key = threes + more, twos + others
            out[key] = out.get(key, 0) + chance * each
    return out


def test_two_rounds_counted() -> None:
    shop = Workshop()
    steps, wanted, _ = rounds(shop)
    ready = plan(shop, steps, wanted)
    assert [at for at, _ in ready.counts] == [(1,)]  # the 3s decide how many are thrown again: these stay a column
    assert as_fractions(*ready.run()) == as_fractions(*plan(shop, steps, wanted, ["packing"]).run()) == reckoned()


def test_slots_too_narrow_are_made_wider() -> None:
    shop = Workshop()
    steps, wanted, _ = rounds(shop)
    ready = plan(shop, steps, wanted)
    ready.width = 8
    assert as_fractions(*ready.run()) == reckoned()
    assert ready.width > 8


def test_what_is_asked_twice_is_counted_twice() -> None:
    shop = Workshop()
    steps, (gone, twos), _ = rounds(shop)
    found = as_fractions(*plan(shop, steps, [twos, gone, twos]).run())
    assert found == {(b, a, b): chance for (a, b), chance in reckoned().items()}


@pytest.mark.parametrize(
    "how", ["read by another", "added twice", "added elsewhere", "asked in a question", "compared"]
)
def test_what_is_not_only_counted_stays_a_column(how: str) -> None:
    shop = Workshop()
    steps, (_, total), again = rounds(shop)
    (_, twos), (_, more) = ([*step.pool.views.values()] for step in (steps[0], steps[1].steps[0]))
    both = n.plus(shop, twos, more)
    wanted = {
        "read by another": [total, shop.lift(c.at_least, twos, 2), shop.if_(again, more, 0)],
        "added twice": [shop.if_(again, n.plus(shop, n.plus(shop, both, twos), more), n.plus(shop, twos, twos))],
        "added elsewhere": [shop.if_(shop.and_(again, shop.lift(c.same, twos, 0)), more, 0)],
        "asked in a question": [shop.lift(c.same, shop.if_(again, both, twos), 3)],
        "compared": [shop.if_(shop.lift(c.at_least, twos, 3), twos, 0)],
    }[how]
    assert packing(shop, steps, wanted) is None
    with_and_without = [as_fractions(*plan(shop, steps, wanted, leave).run()) for leave in ((), ("packing",))]
    assert with_and_without[0] == with_and_without[1]


def test_throws_that_are_made_once_are_not_worth_it() -> None:
    shop = Workshop()
    (die, first), ((_, twos), second) = throw(shop, 6), pool(shop, DICE)
    high, step = let(shop, shop.lift(c.at_least, die, 4))
    assert packing(shop, [first, second, step], [high, twos]) is None


def test_slots_are_read_as_they_were_written() -> None:
    width = up_to_bytes(9)
    packed = 3 + (5 << width) + (7 << 4 * width)  # of 3 slots and 2: (0, 0), (1, 0) and (1, 1)
    assert width == 16
    assert unpacked({("a", 0, 2): packed}, [((1,), 3), ((2,), 2)], width) == {
        ("a", 0, 2): 3,
        ("a", 1, 2): 5,
        ("a", 1, 3): 7,
    }
