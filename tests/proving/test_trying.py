"""Programs played once: what is told has a chance, and whatever has one is told soon; the rest of it by hand."""

import pytest

from closecombat.proving.carrying_out.trying import Unplayed, come_to
from closecombat.proving.programs import program as p
from closecombat.proving.throws.dice import Pool, Thrown, WildFalls, part
from closecombat.proving.values import arithmetic as n
from closecombat.proving.values import symbolic as c
from closecombat.proving.values.symbolic import Sym, Tells, Value, Workshop
from closecombat.text.faults import Faulty
from random_programs import Programs, carried_out

from .small import let, throw


class Says(Tells):
    """Tells that something has been come to."""

    def __init__(self, what: object) -> None:
        self.what = what

    def __call__(self) -> None:
        raise ValueError("whoever plays a program only hands on what it came to")


def said(shop: Workshop, steps: list[p.Step], whether: dict[object, Value], playings: int = 60) -> set[object]:
    """What is come to in some playings, each thing where its condition holds."""
    telling = [p.Must((when,), shop.node(Says(what))) for what, when in whether.items()]
    return {one.what for seed in range(playings) for one in come_to([*steps, *telling], WildFalls(seed))}


def is_each(shop: Workshop, value: Value, answers: set[object]) -> dict[object, Value]:
    return {answer: shop.lift(c.same, value, answer) for answer in answers}


def test_random_programs_come_to_what_has_a_chance_and_to_nothing_else() -> None:
    played = 0
    for seed in range(200):
        made = Programs(seed)
        chances = carried_out(made, 1_000)
        if chances is None:
            continue
        whether = {}
        for i, value in enumerate(made.wanted):
            answers = {row[i] for row in chances} | {0, 1, 99}
            whether |= {(i, answer): shop_same(made.shop, value, answer) for answer in answers}
        held = {(i, row[i]) for row, chance in chances.items() if chance for i in range(len(row))}
        found = {(i, answer) for i, answer in said(made.shop, made.steps, whether, 300)}
        assert found == {one for one in whether if one in held}, seed
        played += 1
    assert played > 50


def shop_same(shop: Workshop, value: Value, answer: object) -> Value:
    return shop.lift(lambda one: type(one) is type(answer) and one == answer, value)


def test_the_dice_of_a_pool_and_no_more_than_there_are() -> None:
    shop = Workshop()
    coin, toss = throw(shop, 2)
    pool = Pool((part("", (1, 2, 3), coin),))
    hits = Thrown(pool.parts, pool, shop).sum_of(lambda _, face: int(face >= 2))
    steps: list[p.Step] = [toss, p.PoolThrow(pool)]
    assert said(shop, steps, is_each(shop, hits, {0, 1, 2, 3})) == {0, 1, 2}


@pytest.mark.parametrize("again", [True, False])
def test_lots(again: bool) -> None:
    shop = Workshop()
    picked = shop.variable(), shop.variable(), shop.variable()
    both = shop.and_(picked[0], picked[1])
    lots = p.Lots(picked, (True, True, False), again, ("a", "b", "c"))
    assert said(shop, [lots], {0: picked[0], 1: picked[1], 2: picked[2], "both": both}) == {
        0,
        1,
        *(() if again else ("both",)),
    }


def test_a_card_of_which_there_are_none_is_never_drawn() -> None:
    shop = Workshop()
    coin, toss = throw(shop, 2)
    card = shop.variable()
    draw = p.Draw(card, ("low", "high", "none"), (1, n.minus(shop, coin, 1), 0))
    assert said(shop, [toss, draw], is_each(shop, card, {"low", "high", "none"})) == {"low", "high"}


def test_what_stands_where_nobody_comes_is_not_set_and_not_told() -> None:
    shop = Workshop()
    coin, toss = throw(shop, 2)
    one, set_one = let(shop, 1)
    telling = p.Must((), shop.node(Says("inside")))
    branch = p.Branch(shop.lift(c.more_than, coin, 2), [set_one, telling])
    assert said(shop, [toss, branch], {"unset": shop.lift(lambda value: value is None, one)}) == {"unset"}


def test_what_fails_and_is_not_looked_at_does_no_harm() -> None:
    def fails(_: Value) -> Value:
        raise Faulty.one("no-value", "nothing to be had")

    shop = Workshop()
    coin, toss = throw(shop, 2)
    wrong, set_wrong = let(shop, shop.lift(fails, coin))
    steps: list[p.Step] = [toss, set_wrong]
    assert said(shop, steps, is_each(shop, coin, {1, 2})) == {1, 2}
    with pytest.raises(Unplayed):
        said(shop, steps, {"wrong": shop.lift(c.same, wrong, 1)})


def test_a_repetition_is_gone_through_pass_by_pass() -> None:
    """Three dice one after the other, and the highest so far: each pass has a die of its own."""
    shop = Workshop()
    number, highest = shop.variable(), shop.variable()
    die, thrown = throw(shop, 3)
    passes, end = (shop.variable() for _ in range(2))
    later = n.plus(shop, number, 1)
    inside = [
        thrown,
        p.Must(
            (shop.lift(c.same, number, 2), shop.lift(c.more_than, die, highest)), shop.node(Says("third is highest"))
        ),
        p.Must((shop.lift(c.same, number, 3),), shop.node(Says("a fourth"))),
    ]
    higher = shop.if_(shop.lift(c.more_than, die, highest), die, highest)
    loop = p.Loop((number, highest), (0, 0), inside, (later, higher), shop.lift(c.same, number, 2), None, (passes, end))
    whether = {f"{answer} at last": shop.lift(c.same, end, answer) for answer in (0, 1, 2, 3, 4)}
    whether["three passes"] = shop.lift(c.same, passes, 3)
    found = said(shop, [loop], whether)
    assert found == {"third is highest", "1 at last", "2 at last", "3 at last", "three passes"}


def test_a_repetition_without_end_is_broken_off_and_has_come_to_what_it_has() -> None:
    shop = Workshop()
    var: Sym = shop.variable()
    inside = [p.Must((shop.lift(c.same, var, 5),), shop.node(Says("five passes")))]
    loop = p.Loop((var,), (0,), inside, (n.plus(shop, var, 1),), False, None)
    assert said(shop, [loop], {"behind": True}, 1) == {"five passes"}
