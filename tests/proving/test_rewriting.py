"""The one rewriter: nodes replaced, and what can be simplified after that."""

from closecombat.proving.programs import program as p
from closecombat.proving.programs.rewriting import Rewriter, rewritten
from closecombat.proving.values import arithmetic as n
from closecombat.proving.values import symbolic as c
from closecombat.proving.values.symbolic import Workshop


def test_a_known_part_is_worked_out() -> None:
    shop = Workshop()
    x, y = shop.variable(), shop.variable()
    total = shop.lift(n.add, x, y)
    assert Rewriter(shop, {x: 2}).value(total) is shop.lift(n.add, 2, y)
    assert Rewriter(shop, {x: 2, y: 3}).value(total) == 5
    assert Rewriter(shop, {}).value(total) is total


def test_a_function_is_moved_into_a_short_choice() -> None:
    shop = Workshop()
    condition, x = shop.lift(c.more_than, shop.variable(), 1), shop.variable()
    choice = shop.if_(condition, 4, 0)
    assert Rewriter(shop, {x: choice}).value(shop.lift(c.more_than, x, 2)) is condition


def test_every_kind_of_step_is_rebuilt_and_its_own_variables_stay() -> None:
    shop = Workshop()
    old, new, a, b, end = (shop.variable() for _ in range(5))
    flag, now = shop.lift(c.same, old, 1), shop.lift(c.same, new, 1)
    loop = p.Loop((a,), (old,), [p.Let(b, old)], (old,), flag, 2, (end,))
    steps = [p.Must((flag,), old), p.Branch(flag, [p.Let(a, old)], [p.Let(b, flag)]), loop]
    steps += [p.Lots((a,), (flag,), True, ("who",)), p.Draw(a, ("card",), (old,))]
    must, branch, again, lots, draw = rewritten(steps, Rewriter(shop, {old: new}))
    assert (must.when, must.value) == ((now,), new)
    assert branch.condition is now and branch.steps[0].value is new and branch.otherwise[0].value is now
    assert (again.starts, again.nexts, again.until, again.vars) == ((new,), (new,), now, (a,))
    assert again.steps[0].value is new and lots.candidates == (now,) and draw.counts == (new,)


def test_other_steps_can_stand_in_the_place_of_one() -> None:
    shop = Workshop()
    a, b = shop.variable(), shop.variable()
    steps = [p.Let(a, 1), p.Branch(b, [p.Let(a, 2)])]
    out = rewritten(steps, Rewriter(shop, {}), lambda step: [] if isinstance(step, p.Let) else None)
    assert len(out) == 1 and out[0].steps == []
