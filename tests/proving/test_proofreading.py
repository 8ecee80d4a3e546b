"""A function that comes to anything else than the walk is found out before it does any work."""

from collections.abc import Callable

import pytest

from closecombat.proving.carrying_out import plan as plans
from closecombat.proving.carrying_out import setting
from closecombat.proving.carrying_out.plan import MANY_VALUES
from closecombat.proving.carrying_out.prove import plan
from closecombat.proving.programs import program as p
from closecombat.proving.values import arithmetic as n
from closecombat.proving.values.symbolic import Workshop
from closecombat.proving.writing import fusing
from closecombat.text.faults import Bug
from proving.small import let, throw

AT_ONCE = -1
WITHOUT = ("splitting", "inlining", "running values", "demand", "simplifying")


@pytest.fixture
def written_wrongly(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], None]:
    """Everything is written at once, and in each line some text stands for another."""

    def slip(right: str, wrong: str) -> None:
        line = fusing._Writer.line
        monkeypatch.setattr(fusing._Writer, "line", lambda self, text: line(self, text.replace(right, wrong)))
        monkeypatch.setattr(plans, "WORTH_WRITING", AT_ONCE)
        monkeypatch.setattr(setting, "WORTH_WRITING", AT_ONCE)

    return slip


def of_two_dice() -> tuple[Workshop, list[p.Step], list]:
    """One less than the sum of two dice with a one, two twos and three threes."""
    shop = Workshop()
    a, b = shop.variable(), shop.variable()
    total, set_it = let(shop, n.kept_whole(shop, n.add, a, b))
    return (
        shop,
        [*(p.Throw(var, [(face, face) for face in (1, 2, 3)]) for var in (a, b)), set_it],
        [n.minus(shop, total, 1)],
    )


@pytest.mark.parametrize(
    "right, wrong", [("(c3, c4)", "(c3, c3)"), ("w1 * w2", "w1"), ("d1 * d2", "d1"), (", 0) + ", ", 0) or ")]
)
def test_another_value_weight_or_denominator(right: str, wrong: str, written_wrongly: Callable) -> None:
    shop, steps, wanted = of_two_dice()
    written_wrongly(right, wrong)
    with pytest.raises(Bug, match="written otherwise than"):
        plan(shop, steps, wanted, WITHOUT).run()


def test_values_in_turn(written_wrongly: Callable) -> None:
    """The sum of two dice, and what it comes to when the first is added again and again."""
    shop = Workshop()
    (a, one), (b, other) = throw(shop, 6), throw(shop, 6)
    last, set_it = let(shop, n.plus(shop, a, b))
    steps: list[p.Step] = [one, other, set_it]
    for _ in range(MANY_VALUES):
        last, step = let(shop, n.plus(shop, last, a))
        steps.append(step)
    written_wrongly(" + ", " - ")
    with pytest.raises(Bug, match="written otherwise than"):
        plan(shop, steps, [last, b], WITHOUT).run()


def test_what_is_written_rightly_does_its_work(written_wrongly: Callable) -> None:
    shop, steps, wanted = of_two_dice()
    written_wrongly("", "")
    assert plan(shop, steps, wanted, WITHOUT).run() == ({(1,): 1, (2,): 4, (3,): 10, (4,): 12, (5,): 9}, 36)
