"""What a branch leaves of a fact has a name of its own: the same chances, in fewer columns."""

import pytest

from closecombat.proving.passes import meeting
from closecombat.proving.passes.meeting import met
from closecombat.proving.programs import program as p
from closecombat.proving.values.arithmetic import subtract
from closecombat.proving.values.symbolic import Workshop, at_least
from random_programs import Programs, carried_out

from .small import chances, let, one_by_one, throw


@pytest.fixture(autouse=True)
def however_narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meeting, "WIDE", 0)


def test_chances_are_the_same() -> None:
    for seed in range(0, 300, 5):
        made = Programs(seed)
        assert chances(made.shop, made.steps, made.wanted) == carried_out(made, 1_000), seed


def turns(number: int):
    """A block of four steps loses one in each turn that is fought, with a 5 or a 6, as long as it has any."""
    shop = Workshop()
    steps: list[p.Step] = []
    stands = 4
    for _ in range(number):
        (morale, first), (die, second) = throw(shop, 2), throw(shop, 6)
        fought, told = let(shop, shop.lift(at_least, morale, 2))
        hit = shop.and_(shop.lift(at_least, die, 5), shop.lift(at_least, stands, 1))
        after, loses = let(shop, shop.if_(hit, shop.lift(subtract, stands, 1), stands))
        steps += [first, told, p.Branch(fought, [second, loses])]
        stands = shop.if_(fought, after, stands)
    return shop, steps, [stands]


def test_what_stood_there_before_is_forgotten() -> None:
    shop, steps, wanted = turns(4)
    _, asked = met(shop, steps, wanted)
    assert len(wanted[0].vars) == 8 and len(asked[0].vars) == 1
    assert chances(shop, steps, wanted) == one_by_one(steps, wanted)


def test_nothing_is_joined_for_its_sake() -> None:
    """What stood there before is thrown apart from all that is read in the branch."""
    shop = Workshop()
    (before, first), (morale, second), (die, third) = throw(shop, 6), throw(shop, 6), throw(shop, 6)
    fought, told = let(shop, shop.lift(at_least, morale, 4))
    wanted = [shop.if_(fought, die, before)]
    steps = [first, second, told, p.Branch(fought, [third])]
    assert met(shop, steps, wanted) == (steps, wanted)
