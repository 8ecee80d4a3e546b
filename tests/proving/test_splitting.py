"""A value of which only some questions are asked is replaced by their answers."""

from fractions import Fraction

from closecombat.proving.passes.splitting import split
from closecombat.proving.programs import program as p
from closecombat.proving.values import arithmetic as n
from closecombat.proving.values import symbolic as c
from closecombat.proving.values.symbolic import Workshop

from .small import chances, let, throw


def losses():
    """Two dice added up, of which only one thing is asked."""
    shop = Workshop()
    (one, first), (two, second) = throw(shop, 6), throw(shop, 6)
    lost, set_lost = let(shop, n.plus(shop, one, two))
    return shop, lost, [first, second, set_lost], [shop.lift(c.at_least, lost, 11)]


def test_the_answer_takes_the_place_of_the_value() -> None:
    shop, lost, steps, wanted = losses()
    new, asked = split(shop, steps, wanted)
    lets = [step for step in new if isinstance(step, p.Let)]
    assert [let.var for let in lets] == asked and asked[0] is not lost
    assert lets[-1].value.fn is c.at_least
    assert chances(shop, steps, wanted) == {(True,): Fraction(1, 12), (False,): Fraction(11, 12)}


def test_a_value_asked_for_as_it_is_stays() -> None:
    shop, lost, steps, _ = losses()
    new, asked = split(shop, steps, [lost])
    assert asked == [lost] and new == steps


def test_each_question_asked_of_a_throw_has_an_answer_of_its_own() -> None:
    shop = Workshop()
    die, roll = throw(shop, 6)
    low, high = shop.lift(c.at_most, die, 2), shop.lift(c.at_least, die, 5)
    new, asked = split(shop, [roll], [low, high])
    assert [type(step) for step in new] == [p.Throw, p.Let, p.Let] and set(asked) == {step.var for step in new[1:]}
    third = Fraction(1, 3)
    assert chances(shop, [roll], [low, high]) == {(True, False): third, (False, True): third, (False, False): third}
