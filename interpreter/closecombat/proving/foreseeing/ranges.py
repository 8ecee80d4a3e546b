"""What a value may be, as far as that can be told without working it out: so that what can never fail is not watched.

A range is a few values, or the ends between which a number lies; it may always be wider than what can happen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from functools import partial, reduce
from itertools import product
from math import inf, prod
from types import MappingProxyType
from typing import TypeAlias

from closecombat.proving.foreseeing.excluding import (
    MOST_PARTS_WITH_PATIENCE,
    Claims,
    apart,
    claimed,
    conjuncts,
    never_together,
)
from closecombat.proving.programs import program as p
from closecombat.proving.programs.writes import stopped
from closecombat.proving.throws.dice import Pool, Tally, added, multiplied
from closecombat.proving.values.arithmetic import (
    Counted,
    Divided,
    add,
    ceiling,
    floor,
    higher,
    lower,
    multiply,
    nearest,
    subtract,
)
from closecombat.proving.values.budget import QUESTION
from closecombat.proving.values.closures import compiled
from closecombat.proving.values.symbolic import (
    AND,
    ASKED,
    COMPARISONS,
    IF,
    NOT,
    OR,
    VARIABLE,
    Between,
    Checks,
    Fallible,
    Finds,
    Looked,
    Raises,
    Sym,
    Value,
    Workshop,
    at_least,
    at_most,
    less_than,
    more_than,
    same,
    somebody,
)
from closecombat.proving.values.walking import inside_out, leaves
from closecombat.reading.types import Exact
from closecombat.text.faults import Faulty

MOST_VALUES = 40  # that are told apart
MOST_TRIED = 400  # ways in which the arguments of a function are tried together
MOST_FALLS = 1_500  # of one throw, of which the ways are told apart that are asked for
MOST_TOGETHER = 64  # ways in which a few throws can fall, tried together

Few: TypeAlias = tuple[Value, ...]  # these and no others


Range: TypeAlias = Few | Between | None  # None: nothing is known
FLAG: Few = (False, True)
NUMBER = Between()
ORDERED = frozenset((at_least, at_most, more_than, less_than))
BY_THEIR_ENDS = frozenset((ASKED, AND, OR, NOT, *COMPARISONS))  # whatever is compared or chosen, it is not tried


def range_of(shop: Workshop, value: Value) -> Range:
    """What a value may be."""
    if type(value) is not Sym:
        return (value,)
    known = shop.ranges
    if value not in known:
        for node in inside_out((value,), lambda node: () if node in known else node.args):
            if node not in known:
                known[node] = _narrow(_found(shop, node))
    found: Range = known[value]
    return found


def _found(shop: Workshop, node: Sym) -> Range:
    fn = node.fn
    if fn is VARIABLE:
        return shop.domains.get(node) or (Between(whole=True) if node in shop.whole else None)
    if isinstance(fn, Raises):
        return ()
    if isinstance(fn, Finds):
        return Between(0, len(fn.headings) - 1, True)
    if fn is IF:
        return range_chosen(node, lambda value: range_of(shop, value))
    ranges: list[Range] = [range_of(shop, arg) for arg in node.args]
    falls = shop.falls.get(node.args[0]) if len(node.args) == 1 and type(node.args[0]) is Sym else None
    if fn not in BY_THEIR_ENDS and not isinstance(fn, Counted):
        found = _image(fn, [falls] if falls else ranges)
        if found is not None:
            return found
    made = range_made(fn, ranges)
    return Between(whole=True) if made is None and node in shop.whole else made


def range_made(fn: Value, args: Sequence[Range]) -> Range:
    """What a function gives, by what its arguments may be: as far as their ends decide it."""
    if fn is ASKED:
        return args[1]
    if fn in (AND, OR, NOT):
        return _logic(fn, [_only(one) for one in args])
    if fn in ORDERED and (None,) in args:
        return (False,)  # nobody is neither more nor less than anything
    if fn in COMPARISONS:
        return _compared(fn, *(ends(one) for one in args))
    if isinstance(fn, Counted):  # somebody's, or it fails
        return _somebody(args[0])
    if isinstance(fn, Divided):
        return quotient(ends(args[0]), ends(args[1]))
    if (of := ARITHMETIC.get(fn)) is not None:
        found = of(*(ends(one) for one in args))
        return (found.low,) if found.low is not None and found.low == found.high and not found.nobody else found
    return None


def range_chosen(node: Sym, of: Callable[[Value], Range]) -> Range:
    """What a choice may be. Where it chooses between the sides of its own condition, `if a < b then a else b`, each
    is known to be on its side of the other."""
    condition, then, otherwise = node.args
    is_so = _only(of(condition))
    if is_so is not None:
        return of(then if is_so else otherwise)
    arms = [of(then), of(otherwise)]
    if type(condition) is Sym and condition.fn in ORDERED:
        less, more = condition.args if condition.fn in (at_most, less_than) else condition.args[::-1]
        low, high = ends(of(less)), ends(of(more))
        if low is not None and high is not None and not low.nobody and not high.nobody:
            for i, (lower, higher) in enumerate(((less, more), (more, less))):
                arm = node.args[1 + i]
                one, other = (low, high) if i == 0 else (high, low)
                if arm is lower:
                    arms[i] = replace(one, high=_least(one.high, other.high))
                elif arm is higher:
                    arms[i] = replace(other, low=_most(other.low, one.low))
    return united(arms)


def _least(a: Exact | None, b: Exact | None) -> Exact | None:
    return b if a is None else a if b is None else min(a, b)


def _most(a: Exact | None, b: Exact | None) -> Exact | None:
    return b if a is None else a if b is None else max(a, b)


def is_single(one: Range) -> bool:
    return isinstance(one, tuple) and len(one) == 1


def _only(one: Range) -> Value:
    """The single value of a range, or None."""
    return one[0] if isinstance(one, tuple) and len(one) == 1 else None


def _logic(fn: Value, known: Sequence[Value]) -> Few:
    if fn is NOT:
        return FLAG if known[0] is None else (not known[0],)
    decides = fn is OR  # one of the sides that is this decides
    if any(one is decides for one in known):
        return (decides,)
    return FLAG if None in known else (not decides,)


def _compared(fn: Value, a: Between | None, b: Between | None = None) -> Few:
    """What a comparison is, if the ends of both sides decide it."""
    if fn is somebody:
        return FLAG if a is None or a.nobody else (True,)
    if a is None or b is None or a.nobody or b.nobody:
        return FLAG
    if fn in (at_most, less_than):
        a, b, fn = b, a, at_least if fn is at_most else more_than
    above, below = _distance(a.low, b.high), _distance(b.low, a.high)  # by how much all of one is beyond the other
    if fn is same:
        return (False,) if above > 0 or below > 0 else FLAG
    if above > 0 or (above == 0 and fn is at_least):
        return (True,)
    return (False,) if below > 0 or (below == 0 and fn is more_than) else FLAG


def _distance(low: Exact | None, high: Exact | None) -> Exact:
    return -1 if low is None or high is None else low - high


def united(ranges: Iterable[Range]) -> Range:
    """What may be either of several."""
    found: dict[Value, Value] = {}
    wide: list[Between] = []
    for one in ranges:
        if one is None:
            return None
        if isinstance(one, Between):
            wide.append(one)
        else:
            found |= {(type(value), value): value for value in one}
    values = tuple(found.values())
    if not wide:
        return values
    others = ends(values) if values else wide[0]
    return None if others is None else reduce(_hull, wide, others)


@contextmanager
def dice_counted(shop: Workshop, steps: Iterable[p.Step]) -> Iterator[None]:
    """For as long as what a throw may come to is told by the dice that it has. While rules are played it is not: what
    players may answer must not hang on how sharply anybody looks."""
    known = shop.ranges
    shop.ranges = {node: found for node, found in known.items() if node.fn is VARIABLE}
    try:
        for step in p.every(steps):
            if isinstance(step, p.Let):
                shop.ranges[step.var] = range_of(shop, step.value)
            elif isinstance(step, p.PoolThrow):
                for view, var in step.pool.views.items():
                    if isinstance(view, Tally):
                        shop.ranges[var] = range_of_sum(shop, view, step.pool)
        yield
    finally:
        shop.ranges = known


def range_of_sum(shop: Workshop, tally: Tally, pool: Pool) -> Range:
    """What a sum over the dice of a pool may be, as far as it is known how many there are at most."""
    low: Exact | None = 0
    high: Exact | None = 0
    for i, one in enumerate(pool.parts):
        number = ends(range_of(shop, one.number))
        goes_on = one.endless and any(tally.of(i, (face,)) for face in one.explode)
        most = None if goes_on or number is None or number.high is None else max(number.high, 0)
        worth = [tally.of(i, fall) for fall, _ in one.ways]
        low, high = _further(low, min(0, *worth), most), _further(high, max(0, *worth), most)
    return Between(low, high, all(type(worth) is int for _, worth in tally.worth))


def _further(end: Exact | None, worth: Exact, dice: Exact | None) -> Exact | None:
    """How far a sum goes with so many dice more, if it is known."""
    return end if not worth else None if end is None or dice is None else end + worth * dice


def _narrow(one: Range) -> Range:
    """A range short enough to go on with: too many values are only told by their ends."""
    return ends(one) if isinstance(one, tuple) and len(one) > MOST_VALUES else one


def ends(one: Range) -> Between | None:
    """The ends between which the numbers of a range lie."""
    if not isinstance(one, tuple):
        return one
    numbers = [value for value in one if value is not None]
    if not numbers or not all(type(value) is int or isinstance(value, Fraction) for value in numbers):
        return None
    whole = all(type(value) is int for value in numbers)
    return Between(min(numbers), max(numbers), whole, len(numbers) < len(one))


def _hull(a: Between, b: Between) -> Between:
    low = None if a.low is None or b.low is None else min(a.low, b.low)
    high = None if a.high is None or b.high is None else max(a.high, b.high)
    return Between(low, high, a.whole and b.whole, a.nobody or b.nobody)


def _somebody(one: Range) -> Range:
    """The same where it is somebody's."""
    if one is None:
        return NUMBER
    if isinstance(one, Between):
        return replace(one, nobody=False)
    return tuple(value for value in one if value is not None)


def few(one: Range) -> Few | None:
    """The values of a range, if they are few."""
    if not isinstance(one, Between):
        return one
    if not one.whole or one.low is None or one.high is None or one.high - one.low > MOST_TRIED:
        return None
    values = tuple(range(int(one.low), int(one.high) + 1))
    return (*values, None) if one.nobody else values


def _image(fn: Callable[..., Value], ranges: list[Range]) -> Few | None:
    """What a function gives for all that its arguments may be, if these are few."""
    values = [few(one) for one in ranges]
    known = [one for one in values if one is not None]
    if len(known) < len(values) or prod(map(len, known)) > MOST_FALLS:
        return None
    found: dict[Value, Value] = {}
    for args in product(*known):
        try:
            value = fn(*args)
        except (Faulty, Looked):
            continue  # that it fails is told where it is asked for
        found[type(value), value] = value
    return tuple(found.values())


# ---- sums of what lies between ends ------------------------------------------------------------------------


def _sum(a: Between | None, b: Between | None) -> Between:
    return _both(a, b, lambda x, y: x + y, False)


def _difference(a: Between | None, b: Between | None) -> Between:
    return _both(a, b, lambda x, y: x - y, True)


def _both(a: Between | None, b: Between | None, fn: Callable[[Value, Value], Value], turned: bool) -> Between:
    a, b = a or NUMBER, b or NUMBER
    least, most = (b.high, b.low) if turned else (b.low, b.high)
    low = None if a.low is None or least is None else fn(a.low, least)
    high = None if a.high is None or most is None else fn(a.high, most)
    return Between(low, high, a.whole and b.whole)


def _product(a: Between | None, b: Between | None) -> Between:
    a, b = a or NUMBER, b or NUMBER
    corners = [_corner(x, y) for x in ((a.low, -1), (a.high, 1)) for y in ((b.low, -1), (b.high, 1))]
    low, high = min(corners), max(corners)
    return Between(None if low == -inf else low, None if high == inf else high, a.whole and b.whole)


def _corner(a: tuple[Value, int], b: tuple[Value, int]) -> Value:
    """The product of two ends, of which one that is None lies as far away as can be, on its side."""
    if a[0] is not None and b[0] is not None:
        return a[0] * b[0]
    sign = prod(side if end is None else (end > 0) - (end < 0) for end, side in (a, b))
    return sign * inf if sign else 0


def quotient(a: Between | None, by: Between | None) -> Between:
    """What may come of dividing; nothing is known where it may be by 0 or less."""
    if by is None or by.low is None or by.low <= 0 or by.nobody:
        return NUMBER
    return _product(a, Between(Fraction(1) / by.high if by.high is not None else 0, Fraction(1) / by.low))


def _rounded(a: Between | None) -> Between:
    if a is None:
        return Between(whole=True)
    return Between(None if a.low is None else floor(a.low), None if a.high is None else ceiling(a.high), True)


def _farthest(better: Callable[[Value, Value], Value], a: Between | None, b: Between | None) -> Between:
    """The higher, or the lower: it is at least as far as each who is certainly somebody."""
    if a is None or b is None:
        return Between(nobody=True)
    out, up = _hull(a, b), better is higher
    near = [one.low if up else one.high for one in (a, b) if not one.nobody]
    known = [end for end in near if end is not None]
    if known:
        end = max(known) if up else min(known)
        out = replace(out, low=end) if up else replace(out, high=end)
    return replace(out, nobody=a.nobody and b.nobody)


def _stopped(a: Between | None, low: Between | None, high: Between | None) -> Between:
    a = a or NUMBER
    bottom, top = low.low if low is not None else None, high.high if high is not None else None
    least = bottom if a.low is None else stopped(a.low, bottom, top)
    most = top if a.high is None else stopped(a.high, bottom, top)
    return Between(least, most, a.whole)


ARITHMETIC: Mapping[Value, Callable[..., Between]] = MappingProxyType(
    {
        add: _sum,
        added: _sum,
        subtract: _difference,
        multiply: _product,
        multiplied: _product,
        floor: _rounded,
        ceiling: _rounded,
        nearest: _rounded,
        stopped: _stopped,
        higher: partial(_farthest, higher),
        lower: partial(_farthest, lower),
    }
)


def passed(shop: Workshop, fn: Callable[[Value], Value], value: Value) -> Value:
    """A value that has passed a check: left out where it certainly passes."""
    if type(value) is Sym:
        known = few(range_of(shop, value))
        if known is not None and len(known) <= MOST_TRIED and all(_works(fn, (one,)) for one in known):
            return value
    return shop.lift(fn, value)


def counted(shop: Workshop, value: Value, who: Counted) -> Value:
    """A value that is counted on: that of nobody is a fault, where somebody gets as far as this."""
    if type(value) is not Sym:
        return value if value is not None else shop.failed(who.failed)
    if is_number(shop, value):
        return value

    def leaf(one: Value) -> Value:
        if one is None:
            return shop.fault(who.failed)
        if is_number(shop, one):
            return one
        out = shop.node(who, one)
        found = range_of(shop, out)
        if isinstance(found, Between) and found.whole:
            shop.whole.add(out)
        return out

    out = shop.over(value, leaf)
    shop.owed(out)
    return out


# ---- whether a value can fail ------------------------------------------------------------------------------


def is_number(shop: Workshop, value: Value) -> bool:
    """Whether a value is certainly a number, and nobody's is none."""
    found = range_of(shop, value)
    if isinstance(found, tuple):
        return all(one is not None for one in found)
    return found is not None and not found.nobody


def works_always(shop: Workshop, value: Value) -> bool:
    """Whether the function at the top of a value certainly does not fail, in whatever arm."""
    return all(_is_safe(shop, node) for node in leaves(value) if type(node) is Sym)


def gives_back(shop: Workshop, node: Sym) -> bool:
    """Whether a node is a check that its value certainly passes."""
    return isinstance(node.fn, Checks) and _is_safe(shop, node)


def is_sure(shop: Workshop, value: Value, when: tuple[Value, ...]) -> bool:
    """Whether a value, looked at only where the conditions hold, certainly does not fail; only the function at its
    top is asked, in whatever arm: what it is made from has been looked at before."""
    if works_always(shop, value):
        return True
    return is_excluded(shop, when) or _never_falls(shop, value, when)


def _is_safe(shop: Workshop, node: Sym) -> bool:
    if isinstance(node.fn, Raises):
        return False
    if not isinstance(node.fn, Fallible):
        return True
    ranges = [range_of(shop, arg) for arg in node.args]
    if isinstance(node.fn, Counted):
        return is_number(shop, node.args[0])
    if isinstance(node.fn, Divided):
        by = ends(ranges[1])
        if by is not None and ((by.low is not None and by.low > 0) or (by.high is not None and by.high < 0)):
            return True
    values = [few(one) for one in ranges]
    known = [one for one in values if one is not None]
    if len(known) < len(values) or prod(map(len, known)) > MOST_TRIED:
        return False
    fn: Value = node.fn
    return all(_works(fn, args) for args in product(*known))


def _works(fn: Callable[..., Value], args: tuple[Value, ...]) -> bool:
    try:
        fn(*args)
    except Faulty:
        return False
    except Looked:
        return True  # what it is made from has failed before
    return True


def _never_falls(shop: Workshop, value: Value, when: tuple[Value, ...]) -> bool:
    """Whether a value hangs on few enough throws to try them all, and never fails."""
    vars = sorted({var for node in (*when, value) if type(node) is Sym for var in node.vars}, key=lambda v: v.number)
    falls = [shop.falls.get(var) or few(range_of(shop, var)) for var in vars]
    known = [one for one in falls if one is not None]
    if len(known) < len(falls) or prod(map(len, known)) > MOST_TOGETHER:
        return False
    at = {var: i for i, var in enumerate(vars)}
    conditions, asked = [compiled(condition, at) for condition in when], compiled(value, at)
    for row in product(*known):
        try:
            if all(holds(row) for holds in conditions):
                asked(row)
        except Faulty:
            return False
        except Looked:
            continue
    return True


def is_excluded(shop: Workshop, when: tuple[Value, ...]) -> bool:
    """Whether conditions certainly never hold together. Each group of them that says something of the same is asked
    by itself, and once."""
    if any(one is False for one in when):
        return True
    if when not in shop.excluded:
        shop.budget.spend(QUESTION)
        shop.excluded[when] = any(_never(shop, group) for group in apart(_claimed(shop, when)))
    return shop.excluded[when]


def is_excluded_with_patience(shop: Workshop, when: tuple[Value, ...]) -> bool:
    """The same, also of long conditions: for what is seldom asked."""
    if is_excluded(shop, when):
        return True
    shop.claims = shop.claims or Claims()
    known, most = shop.claims, MOST_PARTS_WITH_PATIENCE
    groups = apart(_claimed(shop, when))
    shop.excluded[when] = any(
        never_together(lambda value: range_of(shop, value), group, shop.reported, known, most) for group in groups
    )
    return shop.excluded[when]


def _claimed(shop: Workshop, when: tuple[Value, ...]) -> dict[Sym, frozenset[Sym]]:
    """Some conditions, and whom each says something of; who speaks of one thing printed on a counter speaks of all."""
    known, printed = shop.claimed, shop.printed
    for one in (found := conjuncts(when)):
        if one not in known:
            of = claimed(one)
            known[one] = of.union(*(printed[var][0] for var in of if var in printed)) if printed else of
    return {one: known[one] for one in found}


def _never(shop: Workshop, group: list[Sym]) -> bool:
    key = frozenset(group)
    if key not in shop.never:
        shop.claims = shop.claims or Claims()
        shop.never[key] = never_together(
            lambda value: range_of(shop, value), group, shop.reported, shop.claims
        ) or _never_printed(shop, group)
    return shop.never[key]


def _never_printed(shop: Workshop, group: list[Sym]) -> bool:
    """Whether conditions exclude each other on every counter that one of whom they speak may be."""
    if not shop.printed:
        return False
    of = frozenset[Sym]().union(*(one.vars for one in group))
    for vars, counters in {shop.printed[var]: None for var in of if var in shop.printed}:
        asked = [(i, var) for i, var in enumerate(vars) if var in of]
        if len(asked) > 1 and all(
            never_together(
                lambda value: range_of(shop, value),
                [*group, *(shop.node(same, var, counter[i]) for i, var in asked)],
                shop.reported,
            )
            for counter in counters
        ):
            return True
    return False
