"""Whether conditions exclude each other, whatever the dice show: then nobody comes to what stands under them.

**The problem.** A designer's sentence may fail: it counts on a value of nobody, say. Mostly it stands under
conditions that keep it from failing, in other words and elsewhere. If that can be seen beforehand, nothing need be
watched.

**The idea.** A condition is a formula over claims. A claim compares one value with known ones, or two numbers with
each other, or is only yes or no. Each value that is compared stands for a few samples: below, at, between and above
what it is compared with, as far as it may be there (`range_of`): no condition can tell more of it than they do. What
is known of a formula is told to its parts and back until nothing new comes of it; a claim that is still open is then
supposed to hold, and not to hold. Where either leads to a contradiction the conditions exclude each other.

*An example.* `x` and `y` are whole numbers; wanted are `x is more than 4`, `x is less than 3 or y is less than 2`,
and `not (y is less than 2)`. `x` is compared with 3 and 4, so 2, 3, 4 and 5 stand for all that it can be; 1, 2 and 3
do for `y`. The first condition leaves 5 of `x`. `x is less than 3` holds of no sample that is left, so it is no; of
the `or` the other side must hold, which leaves 1 of `y`; but the third condition says that it does not. They exclude
each other, and nothing had to be supposed.

What is not understood is left open, and so is what is too long (`MOST_PARTS`, `MOST_SUPPOSED`): an answer of `False`
may be wrong, one of `True` never is. The order of two values is not held against what each of them is compared with.

**Elsewhere.** What a value may be, whether a value can fail, and what has been asked before is `ranges`.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from itertools import pairwise
from types import MappingProxyType
from typing import TypeAlias

from closecombat.proving.values.symbolic import AND, COMPARISONS, IF, NOT, OR, Between, Sym, Value, whole_flag
from closecombat.proving.values.walking import LOGIC, formula, walk
from closecombat.reading.types import Exact
from closecombat.text.slotted import dataclass

MOST_PARTS = 250  # of conditions that are looked at
MOST_PARTS_WITH_PATIENCE = 5000  # the same where little is asked, and much hangs on it
MOST_SUPPOSED = 20  # claims that are supposed to hold or not, one after the other

NO_NODES: Mapping[Sym, None] = MappingProxyType({})

RangeOf: TypeAlias = Callable[[Sym], Value]
Subject: TypeAlias = Value  # what a claim is about: a value, or two numbers that are compared
Claim: TypeAlias = tuple[Subject, Callable[[Value], bool], tuple[Value, ...]]  # of whom, what, by what he is compared
Learn: TypeAlias = Callable[[Value, bool], None]


def conjuncts(when: Sequence[Value]) -> dict[Sym, None]:
    """The conditions that must hold each by itself."""
    sides = walk(when[::-1], lambda node: node.args[::-1] if node.fn is AND else ())
    return {node: None for node in sides if node.fn is not AND}


def claimed(condition: Sym) -> frozenset[Sym]:
    """Whom a condition says something of: conditions of others can neither help it nor contradict it."""
    found: set[Sym] = set()
    for node in walk((condition,), formula):
        if node.fn in COMPARISONS:
            found |= {node, *(one for one in node.args if type(one) is Sym)}
        elif node.fn not in LOGIC:
            found.add(node)
    return frozenset(found)


def apart(conditions: Mapping[Sym, frozenset[Sym]]) -> list[list[Sym]]:
    """Conditions in groups that say nothing of the same."""
    groups: list[tuple[set[Sym], list[Sym]]] = []
    for condition, of in conditions.items():
        meeting = [group for group in groups if not group[0].isdisjoint(of)]
        groups = [group for group in groups if group[0].isdisjoint(of)]
        whom = set(of).union(*(group[0] for group in meeting))
        groups.append((whom, [*(one for group in meeting for one in group[1]), condition]))
    return [conditions_of for _, conditions_of in groups]


@dataclass(slots=True)
class Claims:
    """What comparisons claim, and of which samples it holds, as bits: found out once where much is asked of them."""

    of: dict[Sym, Claim | None] = field(default_factory=dict)
    held: dict[tuple[Sym, tuple[Value, ...]], int] = field(default_factory=dict)


def never_together(
    range_of: RangeOf,
    when: Sequence[Value],
    reported: Container[Sym] = (),
    claims: Claims | None = None,
    most_parts: int = MOST_PARTS,
) -> bool:
    """Whether conditions certainly never hold together; `reported` are faults that end whatever comes to them."""
    if any(one is False for one in when):
        return True
    formula = _read(range_of, [one for one in when if type(one) is Sym], reported, claims or Claims(), most_parts)
    if formula is None:
        return False
    known = _Known(
        dict.fromkeys(formula.wanted, True), {of: (1 << len(all)) - 1 for of, all in formula.samples.items()}
    )
    return _refuted(formula, known, formula.nodes, [MOST_SUPPOSED])


@dataclass(slots=True)
class _Formula:
    """`nodes` each after its parts, `around` the nodes that each is a part of; `claims` says of whom a node claims
    something, and of which of his `samples` it holds, as bits; `about` the nodes that claim something of somebody."""

    wanted: list[Sym]
    nodes: list[Sym] = field(default_factory=list)
    claims: dict[Sym, tuple[Subject, int]] = field(default_factory=dict)
    samples: dict[Subject, tuple[Value, ...]] = field(default_factory=dict)
    around: dict[Sym, dict[Sym, None]] = field(default_factory=dict)
    about: dict[Subject, dict[Sym, None]] = field(default_factory=dict)


@dataclass(slots=True)
class _Known:
    """Which parts hold, and which samples whoever is claimed something of may still be, as bits."""

    truth: dict[Sym, bool]
    samples: dict[Subject, int]

    def copy(self) -> _Known:
        return _Known(dict(self.truth), dict(self.samples))


def _read(
    range_of: RangeOf, when: list[Sym], reported: Container[Sym], known: Claims, most_parts: int
) -> _Formula | None:
    """The formula of some conditions, unless it is too long."""
    out = _Formula(when)
    nodes: list[Sym] = []
    compared: dict[Sym, list[Value]] = {}
    claims: dict[Sym, Claim] = {}
    around, todo, seen = out.around, list(when), set[Sym]()
    while todo:  # as `walk` does, which is asked too often here
        node = todo.pop()
        if node in seen:
            continue
        seen.add(node)
        nodes.append(node)
        if len(nodes) > most_parts:
            return None
        fn = node.fn
        if fn is AND or fn is OR or fn is NOT or fn is IF:
            for part in node.args:
                if type(part) is Sym:
                    around.setdefault(part, {})[node] = None
                    todo.append(part)
        elif fn in COMPARISONS and fn is not whole_flag:
            if reported and any(one in reported for one in node.args):
                out.samples[node] = (None,)  # whoever comes to it has failed, and comes to nothing else
                out.claims[node] = node, 0
                out.about.setdefault(node, {})[node] = None
                continue
            if node not in known.of:
                known.of[node] = _claim(node, range_of)
            claim = known.of[node]
            if claim is not None:
                claims[node] = claim
                if type(claim[0]) is Sym:
                    compared.setdefault(claim[0], []).extend(claim[2])
                else:
                    out.samples[claim[0]] = claim[2]
    out.nodes = sorted(nodes, key=lambda node: node.number, reverse=True)  # what is done first stands last
    for value, others in compared.items():
        found = _samples(range_of(value), others)
        if found is not None:
            out.samples[value] = found
    for node, (subject, holds, _) in claims.items():
        samples = out.samples.get(subject)
        if samples is not None:
            bits = known.held.get((node, samples))
            if bits is None:
                bits = known.held[node, samples] = sum(1 << i for i, one in enumerate(samples) if holds(one))
            out.claims[node] = subject, bits
            out.about.setdefault(subject, {})[node] = None
    return out


def _claim(node: Sym, range_of: RangeOf) -> Claim | None:
    """What a comparison claims: of one value, or of the order of two numbers."""
    fn, args = node.fn, node.args
    unknown = [one for one in args if type(one) is Sym]
    if len(unknown) == 1:
        value = unknown[0]
        others = tuple(one for one in args if type(one) is not Sym)
        return value, lambda one: fn(*(one if arg is value else arg for arg in args)), others
    if all(_is_number(range_of(one)) for one in unknown):
        first, second = sorted(unknown, key=lambda one: one.number)
        turned = args == (second, first) and first is not second
        return (first, second), lambda order: fn(0, order) if turned else fn(order, 0), (-1, 0, 1)
    return None


def _is_number(found: Value) -> bool:
    if isinstance(found, tuple):
        return all(type(one) is int or isinstance(one, Fraction) for one in found)
    return found is not None and not found.nobody


def _samples(found: Value, compared: list[Value]) -> tuple[Value, ...] | None:
    """Values that stand for all that a value may be, as far as it is only compared with some others."""
    if isinstance(found, tuple):
        return found or None  # what nobody may look at is nothing that can be told of
    others = [one for one in compared if one is not None]
    nobody = () if _is_number(found) else (None,)
    if all(isinstance(one, str) for one in others):
        return (*dict.fromkeys(others), "", *nobody)
    if not all(type(one) is int or isinstance(one, Fraction) for one in others):
        return None
    marks = sorted(set(others))
    low, high = (found.low, found.high) if isinstance(found, Between) else (None, None)
    whole = isinstance(found, Between) and found.whole and all(type(one) is int for one in marks)
    at = [one for one in marks if (low is None or one >= low) and (high is None or one <= high)]
    between = [_between(a, b, low, high, whole) for a, b in pairwise((None, *marks, None))]
    return (*sorted([*at, *(one for one in between if one is not None)]), *nobody)


def _between(
    above: Exact | None, below: Exact | None, low: Exact | None, high: Exact | None, whole: bool
) -> Exact | None:
    """A number above one and below another that is from `low` to `high`; None where there is none."""
    if whole:
        above, below = (None if above is None else above + 1), (None if below is None else below - 1)
        least = max((one for one in (above, low) if one is not None), default=None)
        most = min((one for one in (below, high) if one is not None), default=None)
        if least is None or most is None:
            return least if most is None else most
        return least if least <= most else None
    if low is not None and (above is None or low > above):
        return low if below is None or low < below else None
    if high is not None and (below is None or high < below):
        return high if above is None or high > above else None
    if above is None or below is None:
        return below - 1 if above is None and below is not None else above + 1 if above is not None else None
    return Fraction(above + below) / 2


# ---- the search -------------------------------------------------------------------------------------------


class _Contradiction(Exception):
    pass


def _refuted(formula: _Formula, known: _Known, new: Sequence[Sym], left: list[int]) -> bool:
    """Whether what is known cannot be; `new` is what has not been looked at since something was learnt of it."""
    try:
        _spread(formula, known, new)
    except _Contradiction:
        return True
    claim = _open_claim(formula, known)
    if claim is None or left[0] <= 0:
        return False
    left[0] -= 1
    for holds in (True, False):
        supposed = known.copy()
        supposed.truth[claim] = holds
        if not _refuted(formula, supposed, (*formula.around.get(claim, ()), claim), left):
            return False
    return True


def _open_claim(formula: _Formula, known: _Known) -> Sym | None:
    """A claim, or what is only yes or no, that something wanted still hangs on."""
    for node in walk(formula.wanted, lambda node: _bearing(node, known.truth)):
        if node.fn not in LOGIC and node not in known.truth:
            return node
    return None


def _bearing(node: Sym, truth: dict[Sym, bool]) -> Sequence[Value]:
    """The parts that make a part what it is, as far as they are known; else all. A claim has none."""
    if node.fn not in LOGIC:
        return ()
    if node.fn is IF and (which := _of(node.args[0], truth)) is not None:
        return node.args[0], node.args[1 if which else 2]
    if node.fn in (AND, OR):
        for part in node.args:
            if _of(part, truth) is (node.fn is OR):
                return (part,)
    return node.args


def _spread(formula: _Formula, known: _Known, new: Sequence[Sym]) -> None:
    """Tells the parts what is known, and what is made of them, until nothing new comes of it: whatever something is
    learnt of is looked at once more, and so is whatever it is a part of."""
    truth, todo = known.truth, dict.fromkeys(new)

    def learn(node: Value, value: bool) -> None:
        if type(node) is not Sym:
            if node is not value and isinstance(node, bool):
                raise _Contradiction
            return
        before = truth.setdefault(node, value)
        if before is not value:
            raise _Contradiction
        if len(truth) > learnt[0]:
            learnt[0] = len(truth)
            todo[node] = None
            todo.update(formula.around.get(node, NO_NODES))

    learnt = [len(truth)]
    while todo:
        node, _ = todo.popitem()
        claim = formula.claims.get(node)
        if claim is not None:
            if _narrows(known, node, claim, learn):
                todo.update(formula.about[claim[0]])
        elif node.fn is AND or node.fn is OR:
            _told_of_all(node, truth, learn)
        elif node.fn is IF:
            _told_of_choice(node, truth, learn)
        elif node.fn is NOT:
            _told_of_not(node, truth, learn)


def _told_of_all(node: Sym, truth: dict[Sym, bool], learn: Learn) -> None:
    """What is known of `and` and `or` by their parts, and of these by them. Most of a formula is such."""
    ends = node.fn is OR  # the answer of one part that settles it
    still_open: list[Value] = []
    value = truth.get(node)
    for part in node.args:
        said = truth.get(part) if type(part) is Sym else part
        if said is ends:
            if value is not ends:
                learn(node, ends)
            return  # and nothing follows for the other parts
        if said is not (not ends):
            still_open.append(part)
    if not still_open:
        if value is not (not ends):
            learn(node, not ends)
        return
    if value is ends:  # one of the parts must be so: the last that may
        if len(still_open) == 1:
            learn(still_open[0], ends)
    elif value is not None:
        for part in still_open:
            learn(part, value)


def _narrows(known: _Known, node: Sym, claim: tuple[Subject, int], learn: Learn) -> bool:
    """Whether a claim that is settled leaves fewer samples; it is where it holds of all that are left or of none."""
    subject, holds = claim
    samples = known.samples[subject]
    value = known.truth.get(node)
    kept = samples & holds
    if value is None:
        if kept == samples or not kept:
            learn(node, bool(kept))
        return False
    if not value:
        kept = samples & ~holds
    if not kept:
        raise _Contradiction
    known.samples[subject] = kept
    return kept != samples


def _of(value: Value, truth: dict[Sym, bool]) -> bool | None:
    if type(value) is Sym:
        return truth.get(value)
    return value if value is True or value is False else None


def _told_of_not(node: Sym, truth: dict[Sym, bool], learn: Learn) -> None:
    """What is known of `not` by its part, and of that by it."""
    said = _of(node.args[0], truth)
    if said is not None:
        learn(node, not said)
    elif (value := truth.get(node)) is not None:
        learn(node.args[0], not value)


def _told_of_choice(node: Sym, truth: dict[Sym, bool], learn: Learn) -> None:
    """The same of `if`: by its condition and its arms, of which one is what it is. Asked most of all."""
    condition, first, second = node.args
    which, value = truth.get(condition), truth.get(node)
    there = truth.get(first) if type(first) is Sym else _of(first, truth)
    other = truth.get(second) if type(second) is Sym else _of(second, truth)
    agreed = there if there is other else None
    said = agreed if which is None else there if which else other
    if said is not None and said is not value:
        learn(node, said)
        value = said
    if value is None:
        return
    if which is not None:
        if said is None:
            learn(first if which else second, value)
    elif there is not None and there is not value:
        learn(condition, False)
    elif other is not None and other is not value:
        learn(condition, True)
