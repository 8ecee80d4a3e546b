"""Running values: what is made of many throws is made throw after throw, and each is forgotten as soon as it counts.

**The problem.** `the losses of the side` is the sum of what ten attacks have done. Worked out where it is asked for, it
joins the factors of all ten at once: 3 ** 10 rows, of which each comes to one of eleven sums.

**The idea.** A sum of many is a sum of two, of it and the next, and so on; so are `and` and `or`. After the first two
attacks their two factors are one, with as many rows as there are sums of two. It is joined with the third, and so on:
never more than eleven times three rows. Where several such chains read from the same throws they go on side by side:
`destroyed`, `locked` and the losses of one side take a step each, then its next throw. This is the elimination of
variables one after the other, in the order in which the chains read them; among steps that could be next, that is
taken which joins the fewest factors. The highest and the lowest of many are made so too.

*An example.* Of four coins, `a or b or c or d` and the number of heads. Steps: `or1 = a or b` and `sum1 = a + b`
together, which leaves (no, 0), (yes, 1), (yes, 2); then both with `c`, then with `d`. At most 3 and 4 rows times two.

The sides of a chain stay in the order in which they were written: one that fails may be guarded by one before it.

**Elsewhere.** Which factors there are is `sinking.Together`; fights to the end keep their values apart themselves
(`loop`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from closecombat.proving.foreseeing.ranges import range_of
from closecombat.proving.passes.sinking import Together
from closecombat.proving.programs import program as p
from closecombat.proving.programs.liveness import defined, reads, vars_of
from closecombat.proving.programs.rewriting import Rewriter
from closecombat.proving.throws.dice import added
from closecombat.proving.values.arithmetic import add, higher, is_whole, kept_whole, lower
from closecombat.proving.values.symbolic import AND, OR, VARIABLE, Sym, Tells, Value, Workshop
from closecombat.proving.values.walking import flat, inside_out, walk
from closecombat.text.slotted import dataclass

LEAST = 3  # factors that a chain joins, from which on it is worth taking throw after throw
LONG = (add, added, higher, lower, AND, OR)


def throw_by_throw(
    shop: Workshop, steps: Sequence[p.Step], wanted: Sequence[Value]
) -> tuple[list[p.Step], list[Value]]:
    """An equal program in which chains over many throws are running values."""
    return _taken(shop, steps, wanted, Together())


def _taken(
    shop: Workshop, steps: Sequence[p.Step], wanted: Sequence[Value], together: Together
) -> tuple[list[p.Step], list[Value]]:
    out: list[p.Step] = []
    lets: list[p.Let] = []  # that follow each other
    for step in steps:
        if isinstance(step, p.Let):
            lets.append(step)
            continue
        out += _with_chains(shop, lets, (), together)[0]
        lets = []
        if isinstance(step, p.Branch):
            inner = together.without(vars_of((step.condition,)))
            arms = [_taken(shop, arm, (), inner.copy())[0] for arm in (step.steps, step.otherwise)]
            step = p.Branch(step.condition, *arms)
        if not isinstance(step, p.Must):
            together.join(reads(step) | defined((step,)))
        out.append(step)
    more, asked = _with_chains(shop, lets, wanted, together)
    return [*out, *more], asked


@dataclass(slots=True, eq=False)
class _Chain:
    """`left` are the sides that are still to come, in turn; `so_far` is what those before come to."""

    node: Sym
    left: list[Value]
    so_far: Value = None
    begun: bool = False


class _Values:
    """Values that are set one after the other, and those asked in the end, whose chains are taken step by step."""

    def __init__(
        self, shop: Workshop, lets: Sequence[p.Let], wanted: Sequence[Value], chains: Sequence[Sym], together: Together
    ) -> None:
        self.shop, self.together, self.rewriter = shop, together, Rewriter(shop, {})
        self.waiting, self.wanted = list(lets), wanted
        self.unset = {let.var for let in lets}
        self.chains = {node: _Chain(node, flat(node)) for node in chains}
        self.inside: dict[Sym, list[Sym]] = {}  # the outermost chains in a value
        self.out: list[p.Step] = []

    def all_set(self) -> tuple[list[p.Step], list[Value]]:
        """Whatever joins the fewest factors comes first; of equals the chains, and what was written first."""
        while True:
            steps: list[_Chain | p.Let] = [
                *(chain for chain in self.chains.values() if chain.left and self._is_ready(chain.left[0])),
                *[let for let in self.waiting if self._is_ready(let.value)][:1],
            ]
            if not steps:
                return self.out, [self.rewriter.value(value) for value in self.wanted]
            one = min(steps, key=self._cost)
            if isinstance(one, p.Let):
                self.waiting.remove(one)
                self.unset.discard(one.var)
                self._set(one.var, self.rewriter.value(one.value))
            else:
                self._take(one)

    def _is_ready(self, value: Value) -> bool:
        """Whether all that a value is made from has been set."""
        if type(value) is not Sym:
            return True
        if not self.unset.isdisjoint(value.vars):
            return False
        if value not in self.inside:
            inside = walk((value,), lambda node: () if node in self.chains else node.args)
            self.inside[value] = [node for node in inside if node in self.chains]
        return all(node in self.rewriter.done for node in self.inside[value])

    def _cost(self, one: _Chain | p.Let) -> int:
        values = (one.value,) if isinstance(one, p.Let) else (one.so_far, one.left[0])
        return self._factors(map(self.rewriter.value, values))

    def _factors(self, values: Iterable[Value]) -> int:
        return len(self.together.groups(vars_of(values)))

    def _take(self, chain: _Chain) -> None:
        """A chain takes its next side, and those behind it that join no more."""
        only = not chain.begun
        value = self._with_next(chain)
        factors = self._factors((value,))
        while chain.left and self._is_ready(chain.left[0]):
            if self._factors((value, self.rewriter.value(chain.left[0]))) > max(factors, 1):
                break
            value, only = self._with_next(chain), False
        if type(value) is Sym and value.fn is not VARIABLE and not only:
            chain.so_far = self.shop.variable()
            self.shop.ranges[chain.so_far] = range_of(self.shop, value)
            if is_whole(self.shop, value):
                self.shop.whole.add(chain.so_far)
            self._set(chain.so_far, value)
        if not chain.left:
            self.rewriter.done[chain.node] = chain.so_far

    def _with_next(self, chain: _Chain) -> Value:
        side = self.rewriter.value(chain.left.pop(0))
        if not chain.begun:
            chain.so_far = side
        elif chain.node.fn is AND:
            chain.so_far = self.shop.and_(chain.so_far, side)
        elif chain.node.fn is OR:
            chain.so_far = self.shop.or_(chain.so_far, side)
        else:
            chain.so_far = kept_whole(self.shop, chain.node.fn, chain.so_far, side)
        chain.begun = True
        return chain.so_far

    def _set(self, var: Sym, value: Value) -> None:
        self.out.append(p.Let(var, value))
        self.together.join(vars_of((value,)) | {var})


def _with_chains(
    shop: Workshop, lets: Sequence[p.Let], wanted: Sequence[Value], together: Together
) -> tuple[list[p.Step], list[Value]]:
    chains = _chains([*(let.value for let in lets), *wanted], together)
    if chains:
        return _Values(shop, lets, wanted, chains, together).all_set()
    for let in lets:
        together.join(reads(let) | {let.var})
    return list(lets), list(wanted)


def _chains(values: Iterable[Value], together: Together) -> list[Sym]:
    """The longest chains in some values that join many factors, each after those in its sides."""
    found: dict[Sym, list[Value]] = {}

    def into(node: Sym) -> Sequence[Value]:
        if node.fn in LONG and len(together.groups(node.vars)) >= LEAST:
            sides = flat(node)
            widest = max(len(together.groups(vars_of((side,)))) for side in sides)
            if len(together.groups(node.vars)) > widest + 1 and not any(
                isinstance(one.fn, Tells) for one in walk((node,))
            ):
                found[node] = sides
                return sides
        return node.args

    return [node for node in inside_out(values, into) if node in found]
