"""Programs: the steps inside steps, and the expressions in them."""

from closecombat.proving.programs import program as p
from closecombat.proving.values.symbolic import Workshop


def test_every_step_is_come_to_before_those_inside_it_and_so_are_its_expressions() -> None:
    shop = Workshop()
    a, b, d, e, x = (shop.variable() for _ in range(5))
    inner, other, last = p.Let(a, 1), p.Let(b, 2), p.Let(d, x)
    branch = p.Branch(x, [inner], [other])
    loop = p.Loop((e,), (0,), [branch], (3,), True, 2)
    assert list(p.every([loop, last])) == [loop, branch, inner, other, last]
    assert list(p.expressions([loop, last])) == [0, 3, True, x, 1, 2, x]
    assert p.blocks(branch) == ([inner], [other]) and p.blocks(loop) == ([branch],) and p.blocks(last) == ()
