"""An absorbing chain solved exactly: states that lead to others until an end is reached.

States are numbers. A state's arrows are integer weights over its own denominator; states that lead to each other are
solved together, all others in the order in which they are passed through.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from heapq import heapify, heappop, heappush
from math import gcd, lcm
from typing import TypeAlias

from closecombat.proving.tables.weights import Row
from closecombat.proving.values.budget import ARROW_BYTES, BEHIND, FIGURES, PASS, PUT, STATE_BYTES, Budget
from closecombat.text.faults import Faulty
from closecombat.text.source import Span

MOST_STATES = 200_000
MOST_TANGLED = 3_000_000  # times that one state is put in the place of another, among those that lead to each other

Share: TypeAlias = tuple[int, int]  # a weight and its denominator
Ways: TypeAlias = dict[int, int]  # {state: weight}
Watch: TypeAlias = Callable[[int, int], None]
Tell: TypeAlias = Callable[[int], str]
Arrows: TypeAlias = tuple[Ways, Ways, int]  # goes on to, ends in, denominator


class States:
    """Rows by number, so that a long row is looked at once."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self._numbers: dict[Row, int] = {}

    def number(self, row: Row) -> int:
        found = self._numbers.get(row)
        if found is None:
            found = self._numbers[row] = len(self.rows)
            self.rows.append(row)
        return found


def explored(
    begins: Iterable[int],
    one_pass: Callable[[int], Arrows],
    place: Span | None,
    watch: Watch,
    budget: Budget | None = None,
) -> dict[int, Arrows]:
    """The arrows of all states that some lead to; `place` is where the repetition stands, `watch` is told how many
    states are done and how many are known to be left. Faulty with what all would cost, where that is over
    the budget."""
    budget = budget or Budget()
    arrows: dict[int, Arrows] = {}
    todo = list(begins)
    known = dict.fromkeys(todo)
    grown: list[int] = []  # how many states are known after each pass
    while todo:
        state = todo.pop()
        if state in arrows:
            continue
        goes, over, _ = arrows[state] = one_pass(state)
        known |= dict.fromkeys(goes)
        grown.append(len(known))
        watch(len(arrows), len(todo))
        budget.spent += PASS
        budget.held += STATE_BYTES + (len(goes) + len(over)) * ARROW_BYTES
        if budget.is_over() and len(known) > len(arrows):
            last = grown[-1 - max(len(grown) // BEHIND, 1) :]
            raise budget.states(len(arrows), len(known) - len(arrows), last[-1] - last[0], len(last) - 1, place)
        if len(arrows) > MOST_STATES:
            raise Faulty.one("budget-exceeded", f"the fight has more than {MOST_STATES} states", place)
        todo.extend([after for after in goes if after not in arrows])
    return arrows


def ends(
    arrows: Mapping[int, Arrows],
    inflows: Iterable[dict[int, list[Share]]],
    place: Span | None,
    tell: Tell,
    budget: Budget | None = None,
) -> Iterator[dict[int, Share]]:
    """How likely each end is, by the states that are begun in with these shares, for each way to begin; `tell` says
    what a state is. Faulty with what states that lead to each other would cost, where that is over the budget."""
    in_order = components(arrows)
    for inflow in inflows:
        reached: dict[int, list[Share]] = {}
        for component in in_order:
            if inflow.keys().isdisjoint(component):
                continue
            for state, (num, d) in _visits(component, arrows, inflow, place, tell, budget).items():
                goes, over, _ = arrows[state]
                for end, w in over.items():
                    reached.setdefault(end, []).append((num * w, d))
                for after, w in goes.items():
                    if after not in component:
                        inflow.setdefault(after, []).append((num * w, d))
        yield {end: _sum(shares) for end, shares in reached.items()}


def _sum(parts: list[Share]) -> Share:
    if len(parts) == 1:
        num, den = parts[0]
    else:
        den = lcm(*[d for _, d in parts])
        num = sum([n * (den // d) for n, d in parts])
    return _least(num, den)


def _least(num: int, den: int) -> Share:
    common = gcd(num, den)
    return num // common, den // common


def _visits(
    component: dict[int, None],
    arrows: Mapping[int, Arrows],
    inflow: dict[int, list[Share]],
    place: Span | None,
    tell: Tell,
    budget: Budget | None,
) -> dict[int, Share]:
    """How often each state of a component is visited on average, over the denominator of its arrows: what goes along
    an arrow is that times its weight."""
    states = list(component)
    if len(states) == 1:
        state = states[0]
        num, den = _sum(inflow[state])
        goes, _, each = arrows[state]
        stay = goes.get(state, 0)
        if stay == each:
            raise _never(place, tell(state))
        return {state: _least(num, den * (each - stay))}
    places = {state: i for i, state in enumerate(states)}
    comes: list[dict[int, int]] = [{} for _ in states]  # what of each comes to one, a visit of each, over `over`
    over = [1 for _ in states]
    parts: list[list[tuple[int, int, int]]] = [[] for _ in states]
    for i, state in enumerate(states):
        goes, _, each = arrows[state]
        for after, w in goes.items():
            if after in places:
                parts[places[after]].append((i, w, each))
    begun: list[int] = []
    for one, state in enumerate(states):
        num, den = _sum(inflow[state]) if state in inflow else (0, 1)
        over[one] = lcm(den, *[each for _, _, each in parts[one]])
        begun.append(num * (over[one] // den))
        comes[one] = {i: w * (over[one] // each) for i, w, each in parts[one]}
    try:
        order, put = _in_order(comes)
        if budget is not None:
            budget.tangled(len(states), put * (PUT + len(states) // FIGURES), place)
        solution = _solved(comes, begun, over, order)
    except _TooTangled:
        raise Faulty.one(
            "budget-exceeded",
            f"{len(states)} states lead to each other in circles",
            place,
            help="ask for a bounded number of rounds",
        ) from None
    if solution is None:
        raise _never(place, tell(states[0]))
    return {s: _least(x.numerator, x.denominator * arrows[s][2]) for s, x in zip(states, solution, strict=True)}


class _TooTangled(Exception):
    """Each state hangs on nearly all others."""


def _in_order(comes: Sequence[Iterable[int]]) -> tuple[list[int], int]:
    """In what order each of several that hang on each other is put in the place of its name where others ask for it,
    first those that few ask for and that ask for few: most states of a round lead to the next few alone. And how often
    one weight is put into another then. Raises _TooTangled."""
    asks = [set(of) for of in comes]
    asked_by: list[set[int]] = [set() for _ in asks]
    for one, of in enumerate(asks):
        for other in of:
            asked_by[other].add(one)

    def fills(one: int) -> int:
        return len(asks[one]) * len(asked_by[one])

    waiting = [(fills(one), one) for one in range(len(asks))]
    heapify(waiting)
    order: list[int] = []
    put = 0
    done = [False] * len(asks)
    while waiting:
        known, one = heappop(waiting)
        if done[one]:
            continue
        if known != fills(one):
            heappush(waiting, (fills(one), one))
            continue
        done[one] = True
        order.append(one)
        put += fills(one)
        if put > MOST_TANGLED:
            raise _TooTangled
        asks[one].discard(one)
        for other in asked_by[one] - {one}:
            asks[other].discard(one)
            asks[other] |= asks[one]
        for third in asks[one]:
            asked_by[third] |= asked_by[one]
            asked_by[third].discard(one)
    return order, put


def _solved(
    comes: list[dict[int, int]], begun: list[int], over: list[int], order: Sequence[int]
) -> list[Fraction] | None:
    """How often each is visited: as often as it is begun in, and what comes to it of the visits of others, all of it
    over a whole number. None where one only ever leads back to itself.

    The weights of one stay whole numbers over one denominator, made smaller together: in a large tangle they have
    hundreds of figures, and to make each a fraction in its lowest terms would take most of the time."""
    asked_by: list[set[int]] = [set() for _ in comes]
    for one, of in enumerate(comes):
        for other in of:
            asked_by[other].add(one)
    for one in order:
        over[one] -= comes[one].pop(one, 0)
        if not over[one]:
            return None
        row, whole = comes[one], over[one]
        for other in asked_by[one] - {one}:
            weight = comes[other].pop(one)
            common = gcd(weight, whole)
            weight, times = weight // common, whole // common
            into = {third: each * times for third, each in comes[other].items()}
            for third, each in row.items():
                into[third] = into.get(third, 0) + weight * each
                asked_by[third].add(other)
            start, den = begun[other] * times + weight * begun[one], over[other] * times
            smaller = gcd(den, start, *into.values())
            if smaller > 1:
                into = {third: each // smaller for third, each in into.items()}
                start, den = start // smaller, den // smaller
            comes[other], begun[other], over[other] = into, start, den
        for third in row:
            asked_by[third].discard(one)
    out = [Fraction(0)] * len(comes)
    for one in reversed(order):
        den = lcm(*[out[other].denominator for other in comes[one]])
        num = begun[one] * den
        for other, weight in comes[one].items():
            num += weight * out[other].numerator * (den // out[other].denominator)
        out[one] = Fraction(num, den * over[one])
    return out


def _never(place: Span | None, state: str) -> Faulty:
    return Faulty.one(
        "loop-without-end",
        "some fights never come to an end, so their chances cannot be told",
        place,
        help=f"bound the repetition, or look at what its `until:` asks for; it goes on for ever where {state}",
    )


def components(arrows: Mapping[int, Arrows]) -> list[dict[int, None]]:
    """States that lead to each other, in the order in which a fight passes through them (Tarjan, without recursion)."""
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    on_stack: dict[int, None] = {}
    out: list[dict[int, None]] = []
    for root in arrows:
        if root in index:
            continue
        index[root] = low[root] = len(index)
        on_stack[root] = None
        work = [(root, iter(arrows[root][0]))]
        while work:
            state, following = work[-1]
            for row in following:
                if row not in index:
                    index[row] = low[row] = len(index)
                    on_stack[row] = None
                    work.append((row, iter(arrows[row][0])))
                    break
                if row in on_stack:
                    low[state] = min(low[state], index[row])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[state])
                if low[state] == index[state]:
                    component: dict[int, None] = {}
                    while True:
                        last = next(reversed(on_stack))
                        del on_stack[last]
                        component[last] = None
                        if last == state:
                            break
                    out.append(component)
    return out[::-1]
