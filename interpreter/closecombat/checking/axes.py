"""What conditions ask, as axes and boxes (`checking/boxes`): so that rows can be held against each other.

A condition is a tree (`binding/trees`). Its leaves ask something of the fight, `men of attacker`, and compare it with
something fixed, `at least 4`; whatever is asked is an axis, and what it is compared with cuts the axis into classes.
Of two numbers that are both open, `check` at least `nerve + 2`, the axis is by how much one exceeds the other, so that
`check` at least `nerve` is seen to hold wherever that does. What compares two other things that are open is an axis of
its own, with the classes yes and no.

Some axes are **free**: a fact of one whom the chart is about may have any value that its declaration allows, whatever
the others have; so may a fact of one other whom he always has, `morale of side`, if no sentence asks a fact of a third:
they need not be the same one. Other axes are not: what a table says, whether any of a set fits, hangs on the rest of
the fight, and some classes may never be met together. So what no box holds is true of every fight, and a situation that
is to be found in one must be found on free axes alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from operator import ge, gt, le, lt
from types import MappingProxyType
from typing import Any, TypeAlias

from closecombat.binding import trees as w
from closecombat.checking.boxes import Box, Space, TooMuch, meet
from closecombat.proving.values.symbolic import Value
from closecombat.reading.types import AThing, Flag, Number, Type, Word, divide
from closecombat.text.slotted import dataclass

MOST_BOXES = 200  # of one row
SIGNS: Mapping[str, Callable[[Value, Value], bool]] = MappingProxyType({">=": ge, "<=": le, ">": gt, "<": lt})
TURNED = MappingProxyType({">=": "<=", "<=": ">=", ">": "<", "<": ">"})
NOBODY = None
SOMEBODY = object()


@dataclass(frozen=True, slots=True)
class Is:
    """A leaf: whether what is asked fits; `marks` are the fixed values that it is compared with."""

    axis: w.Tree
    fits: Callable[[Value], bool]
    marks: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Several:
    """All of several, or any of them."""

    parts: tuple[Formula, ...]
    all_of: bool


@dataclass(frozen=True, slots=True)
class Denied:
    """Not so."""

    part: Formula


Formula: TypeAlias = Is | Several | Denied | bool
OfChart: TypeAlias = Callable[[str], bool]


# ---- from trees to formulas -------------------------------------------------------------------------------


def formula(tree: w.Tree) -> Formula:
    """What a condition says."""
    match tree:
        case w.Const(value):
            return value is True
        case w.Joined(parts, all_of):
            return Several(tuple(map(formula, parts)), all_of)
        case w.Not(flag):
            return Denied(formula(flag))
        case w.IsSo(flag):
            return formula(flag)
        case w.IsSomebody(value):
            return _is_always(value) or Is(value, _somebody, ())
        case w.Equal(left, right):
            return _equal(left, right)
        case w.Compared(sign, left, right):
            return _compared(tree, sign, left, right)
        case w.Between(value, low, high):
            below, above = _compared(tree, ">=", value, low), _compared(tree, "<=", value, high)
            return Several((below, above), True)
        case w.Quantified("no", of, check, each):
            return Denied(formula(w.Quantified("any", of, check, each)))
    return Is(tree, _is_yes, ())


def _somebody(value: Value) -> bool:
    return value is not NOBODY


def _is_yes(value: Value) -> bool:
    return value is True


def _equal(left: w.Tree, right: w.Tree) -> Formula:
    if isinstance(left, w.Const):
        left, right = right, left
    if isinstance(left, w.Const) and isinstance(right, w.Const):
        return left == right
    if left == right:
        return True
    if (excess := _excess(left, right)) is not None and all(map(_is_always, excess.worth)):
        return excess.leaf(lambda value: value == 0)
    if not isinstance(right, w.Const):
        return _one_and_the_same(left, right)
    wanted = right.value
    if isinstance(left, w.CONDITIONS):
        return formula(left) if wanted is True else Denied(formula(left))
    return Is(left, lambda value: value is not NOBODY and type(value) is type(wanted) and value == wanted, (wanted,))


def _one_and_the_same(left: w.Tree, right: w.Tree) -> Formula:
    """`side is attacker`, whichever of them is named first; `enemy of side is attacker`, where there are two sides and
    always an attacker, is so where it is not."""
    for one, other in ((left, right), (right, left)):
        match one, other:
            case w.OfFact(owner=w.Name() as owner, type=AThing(kind, False, True)), w.OfFact(type=AThing(of, False)):
                if kind == of and owner != other.owner and other.always and isinstance(other.owner, w.Only):
                    return Denied(_one_and_the_same(owner, other))
    return Is(w.Equal(*sorted((left, right), key=repr)), _is_yes, ())


def _compared(whole: w.Tree, sign: str, left: w.Tree, right: w.Tree) -> Formula:
    if left == right:  # no more and no less than itself
        return Is(left, _somebody, ()) if sign in (">=", "<=") else False
    if _fixed(left) is not None:
        left, right, sign = right, left, TURNED[sign]
    bound, fits = _fixed(right), SIGNS[sign]
    off_the_chart = isinstance(left, w.Ranked) and isinstance(left.word, w.Asked)  # below the first of all words
    if (excess := _excess(left, right)) is not None:
        return excess.leaf(lambda value: value is not NOBODY and fits(value, 0))
    if bound is None or _fixed(left) is not None or off_the_chart:
        return Is(whole, _is_yes, ())
    if isinstance(left, w.Ranked):
        words = left.words
        return Is(left.word, lambda value: value in words and fits(words.index(value), bound), words)
    return Is(left, lambda value: value is not NOBODY and fits(value, bound), (bound,))


@dataclass(frozen=True, slots=True)
class _Excess:
    """By how much one number exceeds another: how often each thing that is asked is in it, and what is added."""

    worth: Mapping[w.Tree, int]
    more: int

    def leaf(self, fits: Callable[[Value], bool]) -> Formula:
        """That it fits. One thing alone is itself the axis; of several it is their sum, the first of which counts for
        more than nothing."""
        if not self.worth:
            return fits(self.more)
        (first, times), *others = sorted(self.worth.items(), key=lambda each: repr(each[0]))
        way = -1 if times < 0 else 1
        mark = -way * self.more

        def fits_here(value: Value) -> bool:
            return fits(NOBODY if value is NOBODY else way * (value - mark))

        axis = _times(first, abs(times))
        for each, its in others:
            axis = w.Signed("+" if way * its > 0 else "-", axis, _times(each, abs(its)))
        if others or abs(times) == 1:
            return Is(axis, fits_here, (mark,))
        many = abs(times)  # three times as many
        return Is(first, lambda value: fits_here(value if value is NOBODY else many * value), (Fraction(mark, many),))


def _times(tree: w.Tree, times: int) -> w.Tree:
    return tree if times == 1 else w.Signed("*", w.const(times), tree)


def _excess(left: w.Tree, right: w.Tree) -> _Excess | None:
    """What is to be held against nothing, where two numbers are held against each other; None of what is no sum, and
    of one thing that is held against what is fixed."""
    one, other = _parts(left), _parts(right)
    is_sum = isinstance(uncounted(left), w.Signed) or isinstance(uncounted(right), w.Signed)
    if one is None or other is None or not (is_sum or (one[0] and other[0])):
        return None
    worth, more = _added(one, other, -1)
    return _Excess({each: its for each, its in worth.items() if its}, more)


def replaced(one: Any, this: w.Tree, by: w.Tree) -> Any:
    """A formula or a tree in which something is always something else."""
    if one == this:
        return by
    if isinstance(one, tuple):
        return tuple(replaced(each, this, by) for each in one)
    if is_dataclass(one) and not isinstance(one, type):
        return replace(one, **{each.name: replaced(getattr(one, each.name), this, by) for each in fields(one)})
    return one


def uncounted(tree: w.Tree) -> w.Tree:
    """The same, whether somebody must have it or not."""
    while isinstance(tree, w.Counted):
        tree = tree.value
    return tree


_Sum: TypeAlias = tuple[Mapping[w.Tree, int], int]  # how often each thing counts, and what is added


def _added(one: _Sum, other: _Sum, way: int) -> _Sum:
    worth = dict(one[0])
    for each, its in other[0].items():
        worth[each] = worth.get(each, 0) + way * its
    return worth, one[1] + way * other[1]


def _parts(tree: w.Tree, inside: bool = False) -> _Sum | None:
    """A number as a sum: what is asked, how often it counts, and what is added. None of what is no number for sure.
    What is `inside` of a sum is never nobody, since that would stop the fight."""
    plain = uncounted(tree)
    match plain:
        case w.Const(int() as number, sort) if sort is not bool:
            return {}, number
        case w.Signed("+" | "-" as sign, left, right):
            one, other = _parts(left, True), _parts(right, True)
            if one is None or other is None:
                return None
            return _added(one, other, 1 if sign == "+" else -1)
        case w.Signed("*", left, right):
            one, other = _parts(left, True), _parts(right, True)
            if one is None or other is None or (one[0] and other[0]):
                return None
            (many, more), (_, by) = (one, other) if one[0] else (other, one)
            return {each: by * its for each, its in many.items()}, by * more
        case w.OfFact(type=Number()) | w.Total() | w.HowMany() | w.Asked(column=False) | w.Sum() | w.Rounded():
            is_somebody = inside or isinstance(tree, w.Counted)
            return {w.Counted(plain) if is_somebody and not _is_always(plain) else plain: 1}, 0
    return None


def _fixed(tree: w.Tree) -> int | Fraction | None:
    """The number that stands in the sentence, such as `3/2`, or the place of the word in its list."""
    match tree:
        case w.Signed("/", left, right) if (below := _fixed(right)):
            above = _fixed(left)
            return None if above is None else divide(above, below)
        case w.Const(int() | Fraction() as number, sort) if sort is not bool:
            return number
        case w.Counted(value):
            return _fixed(value)
        case w.Ranked(words, w.Const(str() as word)):
            return words.index(word)
    return None


def leaves(formula: Formula) -> Iterator[Is]:
    match formula:
        case Is():
            yield formula
        case Several(parts):
            for part in parts:
                yield from leaves(part)
        case Denied(part):
            yield from leaves(part)


# ---- axes -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Axis:
    """`values` stand for the classes, one for each; `free` as said above; `declared` are the classes that the
    declaration of a fact allows: without nobody, unless it says so. With nobody they are `thought_of`, if a row asks
    whether there is anybody."""

    tree: w.Tree
    values: tuple[Value, ...]
    sizes: tuple[int | None, ...]
    free: bool
    declared: int
    thought_of: int


class Axes:
    """The axes of some formulas."""

    def __init__(
        self,
        formulas: Sequence[Formula],
        about: Collection[str],
        type_of: Callable[[w.Tree], Type | None],
        kinds: Sequence[str] = (),
    ) -> None:
        """`kinds` are those of the subjects, if it is worth knowing who else there always is."""
        marks: dict[w.Tree, list[Value]] = {}
        for one in formulas:
            for leaf in leaves(one):
                marks.setdefault(leaf.axis, []).extend(leaf.marks)
        often = Counter(_inner(part) for tree in marks for part in parts_of(tree))
        other = _one_other(often, about, kinds)

        def is_free(tree: w.Tree) -> bool:
            """Of a sum, nothing else may be asked of what is in it. What is no sum, as a product is none, may leave out
            numbers."""
            parts = parts_of(tree)
            own = parts == (tree,) or (_is_sum(tree) and all(often[_inner(part)] == 1 for part in parts))
            return own and all(_is_free(_inner(part), about, other) for part in parts)

        whether = {leaf.axis for one in formulas for leaf in leaves(one) if leaf.fits is _somebody}
        self.axes = [
            _axis(tree, found, is_free(tree), type_of(tree), tree in whether) for tree, found in marks.items()
        ]
        self._at = {axis.tree: at for at, axis in enumerate(self.axes)}
        self.space = Space(tuple(axis.sizes for axis in self.axes))

    def boxes(self, one: Formula, so: bool = True) -> list[Box]:
        """Where a formula holds, or where it does not, as boxes. Raises TooMuch."""
        match one:
            case bool():
                return [{}] if one is so else []
            case Denied(part):
                return self.boxes(part, not so)
            case Is(axis, fits):
                at = self._at[axis]
                values = self.axes[at].values
                bits = sum(1 << i for i, value in enumerate(values) if bool(fits(value)) is so)
                return [{at: bits}] if bits and bits != self.space.all_of(at) else [{}] if bits else []
        each = [self.boxes(part, so) for part in one.parts]
        if one.all_of is not so:
            return self._bounded([box for boxes in each for box in boxes])
        out: list[Box] = [{}]
        for boxes in each:
            out = self._bounded([both for box in out for more in boxes if (both := meet(box, more)) is not None])
        return out

    def _bounded(self, boxes: list[Box]) -> list[Box]:
        if len(boxes) > MOST_BOXES:
            raise TooMuch
        return boxes

    def name(self, axis: int) -> str:
        """What is asked, as people say it."""
        return name_of(self.axes[axis].tree)

    def asks(self, test: w.Tree, axis: int) -> bool:
        """Whether a test asks something."""
        return any(leaf.axis == self.axes[axis].tree for leaf in leaves(formula(test)))

    def on_free(self, box: Box) -> Box:
        """What a box asks of free axes: it may hold more."""
        return {at: bits for at, bits in box.items() if self.axes[at].free}

    def is_free(self, box: Box) -> bool:
        return all(self.axes[at].free for at in box)

    def declared(self) -> Box:
        """The whole space, but for what no declaration allows."""
        return {at: axis.declared for at, axis in enumerate(self.axes) if axis.declared != self.space.all_of(at)}

    def thought_of(self) -> Box:
        """The same, with nobody where the rows themselves ask for it: of what is written down later, or chosen."""
        return {at: axis.thought_of for at, axis in enumerate(self.axes) if axis.thought_of != self.space.all_of(at)}

    def met(self, hands_on_nobody: OfChart) -> Box:
        """The whole space, but for nobody where there always is a value: a throw has none before it falls, nor has
        what belongs to him whom there need not be."""
        declared = self.declared()
        return {at: bits for at, bits in declared.items() if not may_be_nobody(self.axes[at].tree, hands_on_nobody)}


def _axis(tree: w.Tree, marks: Sequence[Value], is_free: bool, type: Type | None, is_asked_whether: bool) -> Axis:
    values, sizes = _classes(marks, type)
    if isinstance(tree, w.Signed):  # some sums come about in more ways than others
        sizes = (None,) * len(sizes)
    nobody = isinstance(type, Number | AThing) and type.nobody
    declared = (1 << len(values)) - 1
    if not _is_always(tree):
        values, sizes = (*values, NOBODY), (*sizes, 1)
        declared = (1 << len(values)) - 1 if nobody or type is None else declared
    thought_of = (1 << len(values)) - 1 if is_asked_whether else declared
    return Axis(tree, values, sizes, type is not None and is_free, declared, thought_of)


def parts_of(tree: w.Tree) -> tuple[w.Tree, ...]:
    """What is asked in a sum; anything else by itself."""
    if not isinstance(tree, w.Signed):
        return (tree,)
    return tuple(part for side in (tree.left, tree.right) if not isinstance(side, w.Const) for part in parts_of(side))


def _is_sum(tree: w.Tree) -> bool:
    """Whether facts are added up, each once, or taken away."""
    if not isinstance(tree, w.Signed):
        return not isinstance(tree, w.Const)
    return tree.sign in ("+", "-") and _is_sum(tree.left) and _is_sum(tree.right)


def _inner(tree: w.Tree) -> w.Tree:
    """What is asked, without what is made of it."""
    while isinstance(tree, w.Total | w.Counted):
        tree = tree.roll if isinstance(tree, w.Total) else tree.value
    return tree


def _one_other(trees: Iterable[w.Tree], about: Collection[str], kinds: Sequence[str]) -> w.Tree | None:
    """The one other of whom something is asked, if a subject always has him and no subject can be he: of another kind,
    or the other of two."""
    asked = map(_inner, trees)
    others = {one.owner for one in asked if isinstance(one, w.OfFact) and isinstance(one.owner, w.OfFact)}
    match [*others] if kinds else ():
        case [w.OfFact(owner=w.Name(name), type=AThing(kind, nobody=False, other=is_other), word=None) as one]:
            if name in about and not one.at_start and kinds.count(kind) <= is_other:
                return one
    return None


def _is_always(tree: w.Tree) -> bool:
    """Whether what is asked is never nobody."""
    if isinstance(tree, w.Signed):
        return all(map(_is_always, parts_of(tree)))
    always = (*w.CONDITIONS, w.Name, w.Counted, w.Rounded, w.Reading, w.HowMany, w.IsInPlay)
    return isinstance(tree, always) or (
        isinstance(tree, w.OfFact) and tree.always and isinstance(tree.owner, w.Name | w.Only)
    )


def may_be_nobody(tree: w.Tree, of_chart: OfChart = lambda name: False) -> bool:
    """Whether there may be no such value. Of a chart by itself it is as `of_chart` says."""
    match tree:
        case w.OfFact(owner=owner, always=always):
            return not always or need_not_be(owner)
        case w.Total(value) | w.Counted(value) | w.Ranked(_, value):
            return may_be_nobody(value, of_chart)
        case w.Asked(name, args):
            return any(map(need_not_be, args)) or of_chart(name)
        case w.Signed():
            return any(may_be_nobody(part, of_chart) for part in parts_of(tree))
        case w.Best(values=values):
            return all(may_be_nobody(value, of_chart) for value in values)
        case w.Extreme(who=who):
            return who
        case w.Call():
            return True
    return False


def need_not_be(who: w.Tree) -> bool:
    """Whether there may be nobody of whom something is asked."""
    is_somebody = isinstance(who, w.OfFact) and isinstance(who.type, AThing) and not who.type.nobody
    return not isinstance(who, w.Name | w.Only | w.Const) and not (is_somebody and not may_be_nobody(who))


def _is_free(tree: w.Tree, about: Collection[str], other: w.Tree | None) -> bool:
    match tree:
        case w.Reading():
            return True
        case w.OfFact(owner=owner, at_start=False, word=None | w.Const()):
            return isinstance(owner, w.Only) or owner == other or (isinstance(owner, w.Name) and owner.name in about)
    return False


def _classes(marks: Sequence[Value], type: Type | None) -> tuple[tuple[Value, ...], tuple[int | None, ...]]:
    """A value for each class of an axis but nobody, and how many values each stands for."""
    match type:
        case Flag():
            return (False, True), (1, 1)
        case Word(words):
            return words, (1,) * len(words)
        case Number(low, high):
            return _intervals([mark for mark in marks if _is_number(mark)], low, high)
        case None if marks and all(map(_is_number, marks)):
            return _intervals(marks, None, None)
    named = [mark for mark in dict.fromkeys(marks) if mark is not NOBODY]
    if not named and type is None:
        return (False, True), (1, 1)
    return (*named, SOMEBODY), (None,) * (len(named) + 1)


def _is_number(value: Value) -> bool:
    return type(value) is int or isinstance(value, Fraction)


def _intervals(
    marks: Sequence[Value], low: int | None, high: int | None
) -> tuple[tuple[Value, ...], tuple[int | None, ...]]:
    """The numbers that are marked, and those between them: whole ones where there are bounds."""
    cuts = sorted({mark for mark in marks if (low is None or mark >= low) and (high is None or mark <= high)})
    values: list[Value] = []
    sizes: list[int | None] = []

    def gap(after: Value, before: Value) -> None:
        """What lies between two cuts."""
        if low is None and high is None:
            inside = Fraction(after + before) / 2 if after is not None and before is not None else None
            values.append(inside if inside is not None else before - 1 if after is None else after + 1)
            sizes.append(None)
            return
        first = low if after is None else after.__floor__() + 1
        last = high if before is None else before.__ceil__() - 1
        if first is None or last is None:
            values.append(last if first is None else first)
            sizes.append(None)
        elif first <= last:
            values.append(first)
            sizes.append(last - first + 1)

    if not cuts:
        if low is None and high is None:
            return (0,), (None,)
        gap(None, None)
        return tuple(values), tuple(sizes)
    gap(None, cuts[0])
    for at, cut in enumerate(cuts):
        if (low is None and high is None) or cut == cut.__floor__():
            values.append(cut)
            sizes.append(1)
        gap(cut, cuts[at + 1] if at + 1 < len(cuts) else None)
    return tuple(values), tuple(sizes)


def name_of(tree: w.Tree) -> str:
    match tree:
        case w.OfFact(owner=w.Name(name), fact=fact, word=None):
            return f"{fact} of {name}"
        case w.OfFact(owner=w.OfFact() as owner, fact=fact, word=None):
            return f"{fact} of {name_of(owner)}"
        case w.OfFact(owner=w.Name(name), fact=fact, word=w.Const(word)):
            return f"{fact} of {name} for {word}"
        case w.OfFact(fact=fact):
            return fact
        case w.Total(roll):
            return name_of(roll)
        case w.Counted(value):
            return name_of(value)
        case w.Signed(sign, left, right):
            return f"{_operand(left)} {sign} {_operand(right)}"
        case w.Rounded(way, value):
            return f"{_operand(value)} rounded {way}"
        case w.Reading(option):
            return option
        case w.Asked(name):
            return name
    return "what is asked"


def _operand(tree: w.Tree) -> str:
    plain = uncounted(tree)
    return str(plain.value) if isinstance(plain, w.Const) else name_of(plain)
