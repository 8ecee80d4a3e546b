"""Rows held against each other: which can never apply, which hide behind others, which two hold at once, and for what
there is none. Exact, over what the rows ask (`checking/axes`); what cannot be told is not said."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import reduce
from operator import and_, or_
from typing import TypeAlias

from closecombat.binding import trees as w
from closecombat.binding.bound import BoundAct, BoundRow, BoundTable, changed
from closecombat.binding.charts import Bound
from closecombat.binding.sentences import FACE, Inner
from closecombat.binding.terms import Term
from closecombat.checking.axes import MOST_BOXES, NOBODY, Axes, Formula, Several, formula, name_of, replaced
from closecombat.checking.boxes import (
    MOST_STEPS,
    Box,
    Indexed,
    Left,
    TooMuch,
    classes,
    indexed,
    is_covered,
    left_of,
    meet,
    that_hold,
    that_meet,
)
from closecombat.checking.handed_on import handing_on_nobody
from closecombat.checking.reach import Reach
from closecombat.checking.spare import check_spare
from closecombat.checking.sums import Listed, check_sums
from closecombat.checking.witness import situation_of
from closecombat.checking.worked_out import met
from closecombat.proving.values.symbolic import Value
from closecombat.reading.fields import entries
from closecombat.reading.syntax import Bracketed, Cell, Negation
from closecombat.reading.types import AThing, Flag, Number, Things, Type, Word, shown
from closecombat.text.faults import Faults, Faulty
from closecombat.text.nodes import Node
from closecombat.text.slotted import dataclass
from closecombat.text.source import Span

TypeOf: TypeAlias = Callable[[w.Tree], Type | None]
Shows: TypeAlias = Callable[[Box], str]
LONGEST = 60  # sentence that is said again
TOO_MANY = f"its rows ask more different things than {MOST_STEPS:,} steps go through"
ONE_COUNTS = ("one-of", "first-of", "highest-of", "lowest-of")


@dataclass(frozen=True, slots=True)
class _Row:
    """A row: what it asks as a whole, and as boxes; None where there are too many. `surely` says that it applies
    wherever its boxes are; a row that asks somebody of a set, or that counts only without another, need not."""

    id: str
    place: Span
    boxes: list[Box] | None
    surely: bool


def check_tables(bound: Bound, document: Node, faults: Faults) -> None:
    """Adds warnings of rows of tables and sequences; `bound` must be without faults, and bound as a whole."""
    keys = {key.value: key.span for key, _ in entries(document, "tables")}
    type_of, hands_on_nobody = typed(bound), handing_on_nobody(bound)
    lists: dict[str, Listed] = {}
    for name in bound.ruleset.tables:
        try:
            table = bound.table(name)
        except Faulty:  # said where it is bound
            continue
        _check_sentence(type_of, table.value, table.table.value, table.table.about, faults)
        for row in table.rows:
            _check_sentence(type_of, row.verdict, row.row.verdict, table.table.about, faults)
        if table.rows:
            asked = [asked_by(row) for row in table.rows]
            axes = Axes(asked, table.table.about, type_of, [*_kinds(table).values()])
            rows = [
                _row(axes, row.row.id, row.row.where.place, one, not (row.each or table.blockers.get(row.row.id)))
                for row, one in zip(table.rows, asked, strict=True)
            ]
            if table.table.policy == "adds-up":
                _check_multiplied(table, faults)
                lists[name] = Listed(table, axes, [one.boxes for one in rows], [one.surely for one in rows])
            before = len(faults)
            told = _check_tests(type_of, table.rows, table.table.about, faults)
            shows = _shows(bound, table, axes)
            _check_rows(axes, rows, table.table.policy, told, faults, shows, _places(table))
            if table.table.policy in ONE_COUNTS:
                place = keys.get(name, table.table.where.place)
                _check_gap(axes, rows, name, place, table.table.otherwise, faults, shows)
                said = {one.code for one in faults.diagnostics[before:]}
                _check_worked_out(bound, table, asked, rows, type_of, place, said, faults)
            if len(faults) == before or table.table.policy == "adds-up":
                met_at_all = axes.met(hands_on_nobody)
                check_spare(table, axes, met_at_all, [one.boxes if one.surely else None for one in rows], faults)
    check_sums(bound, lists, faults)
    for name in bound.ruleset.sequences:
        try:
            sequence = bound.sequence(name)
        except Faulty:
            continue
        _check_sentence(type_of, sequence.until, sequence.sequence.until, (), faults)
        told = _check_tests(type_of, sequence.acts, (), faults)
        if sequence.sequence.order == "first-of":
            asked = [asked_by(act) for act in sequence.acts]
            axes = Axes(asked, (), type_of)
            acts = [
                _row(axes, act.act.id, act.act.where.place, one, not (act.each or act.who))
                for act, one in zip(sequence.acts, asked, strict=True)
            ]
            _check_rows(axes, acts, "first-of", told, faults, lambda point: "")
            continue
        for act in sequence.acts:
            whole = asked_by(act)
            alone = _row(Axes([whole], (), type_of), act.act.id, act.act.where.place, whole, False)
            if alone.boxes == [] and alone.id not in told:
                _never_applies(faults, alone)
    _check_sentence(type_of, bound.until(), bound.ruleset.until, (), faults)
    _check_inner(type_of, bound, faults)


def _check_multiplied(table: BoundTable, faults: Faults) -> None:
    """Warns of a row that multiplies what the rows above it have made, where they make nothing."""
    if table.start is not None and table.start.tree not in (w.const(0), w.Counted(w.const(0))):
        return
    for row in table.rows:
        if row.row.verb == "add":
            return
        if row.row.verb == "times":
            said = f"`{row.row.id}` multiplies what is there, and no row above it adds anything"
            _warn(faults, "never-applies", said, row.row.where.place, "put it below the rows that it is to multiply")


def _shows(bound: Bound, table: BoundTable, axes: Axes) -> Shows:
    """A situation for a point of the space of a table."""

    def shows(point: Box) -> str:
        return situation_of(bound.ruleset, _kinds(table), axes, point)

    return shows


def _kinds(table: BoundTable) -> dict[str, str]:
    """The kind of each subject."""
    return {name: type.kind for name in table.table.about if isinstance(type := table.scope.find(name), AThing)}


def asked_by(row: BoundRow | BoundAct) -> Formula:
    return Several(tuple(formula(test.tree) for test in (*row.first, *row.tests)), True)


def _row(axes: Axes, id: str, place: Span, asked: Formula, surely: bool) -> _Row:
    try:
        return _Row(id, place, axes.boxes(asked), surely)
    except TooMuch:
        return _Row(id, place, None, surely)


# ---- one test by itself -----------------------------------------------------------------------------------


def _check_tests(
    type_of: TypeOf, rows: Iterable[BoundRow | BoundAct], about: Collection[str], faults: Faults
) -> set[str]:
    """Warns of a test that always comes to the same; the rows of which one never holds."""
    told = set()
    for row in rows:
        cells = row.row.tests if isinstance(row, BoundRow) else row.act.tests
        for (heading, cell), test in zip(cells, (*row.first, *row.tests), strict=True):
            comes_to = _always(type_of, test, about)
            if comes_to is not None:
                _always_the_same(faults, test, heading, cell, comes_to)
            if comes_to is False:
                told.add(row.row.id if isinstance(row, BoundRow) else row.act.id)
    return told


def _check_sentence(
    type_of: TypeOf, term: Term | None, cell: Cell | None, about: Collection[str], faults: Faults
) -> None:
    """Warns of a sentence that is yes or no and always comes to the same."""
    if term is not None and cell is not None and isinstance(term.type, Flag):
        comes_to = _always(type_of, term, about)
        if comes_to is not None:
            _always_the_same(faults, term, None, cell, comes_to)


def _check_inner(type_of: TypeOf, bound: Bound, faults: Faults) -> None:
    """Warns of what stands within a sentence, in brackets or beside `and` and `or`, and always comes to the same. Of
    what is told as a whole no part is told as well."""
    told = [
        one.span for one in faults.diagnostics if one.code in ("never-so", "never-otherwise") and one.span is not None
    ]
    moved = _changed_in_play(bound)
    for one in reversed(bound.binder.inner):  # a whole before its parts
        place = one.cell.span(one.node)
        if any(place.source is it.source and it.start <= place.start and place.end <= it.end for it in told):
            continue
        comes_to = always_comes_to(type_of, one)
        part = one.cell.text[slice(*one.node.at)]
        if comes_to is not None:
            said = f"{one.heading} is {part}" if one.heading else part
            _always_the_same(faults, one.term, None, Cell(one.node, said, place), comes_to)
            told.append(place)
        elif (own := _of_his_own(bound, one, moved)) is not None and _is_told(type_of, own, part, place, faults):
            told.append(place)
    for cell, node in bound.binder.by_itself:
        place, part = cell.span(node), cell.text[slice(*node.at)]
        if not any(place.source is it.source and it.start <= place.start and place.end <= it.end for it in told):
            said, help = f"`{part}` is the same whatever it is of", "one of the two was meant to be another"
            faults.add("never-otherwise", said, place, severity="warning", help=help)


@dataclass(frozen=True, slots=True)
class _OfHisOwn:
    """A condition on the members of a set of somebody, where it is known whose they are; and these in words."""

    condition: w.Tree
    set: str
    whose: str
    back: str
    kind: str


def _changed_in_play(bound: Bound) -> set[tuple[str, str]]:
    """The facts and sets, each by its kind, that some row changes."""
    acts: list[BoundAct] = []
    for name in bound.ruleset.sequences:
        with suppress(Faulty):  # said where it is bound
            acts += bound.sequence(name).acts
    facts = (changed(effect) for act in acts for effect in act.effects)
    return {(fact.kind, fact.name) for fact in facts if fact is not None}


def _of_his_own(bound: Bound, one: Inner, moved: Collection[tuple[str, str]]) -> _OfHisOwn | None:
    """What is asked of `units of us`, where it is asked whose they are: they are his, as nobody is moved."""
    of = one.of
    while isinstance(of, w.Where | w.AllBut):
        of = of.of
    if not isinstance(of, w.MembersOf) or not isinstance(of.owner, w.Name) or of.at_start:
        return None
    for kind in bound.ruleset.kinds.values():
        fact = kind.facts.get(of.fact)
        if fact is None or not isinstance(fact.type, Things) or fact.origin != "given":
            continue
        if (kind.name, fact.name) in moved or (fact.type.kind, kind.name) in moved:
            return None
        for part in w.within(one.term.tree):
            match part:
                case w.OfFact(w.Name(of.each), back, AThing(its), at_start=False) if back == its == kind.name:
                    told = replaced(one.term.tree, part, of.owner)
                    return _OfHisOwn(told, of.fact, of.owner.name, back, fact.type.kind)
    return None


def _is_told(type_of: TypeOf, own: _OfHisOwn, part: str, place: Span, faults: Faults) -> bool:
    """Warns of a condition that comes to the same since it is asked of the members of somebody's own set."""
    so = _comes_to(type_of, own.condition, ())
    if so is None:
        return False
    those = f"who is described under his own `{own.back}`, and is moved nowhere: these are the {own.set} of {own.whose}"
    help = f"of all there are speaks a group that is about nobody: `anyone: {{each: anyone, are: {own.kind}}}`"
    said = f"`{part}` is so of {'everybody' if so else 'nobody'} {those}"
    faults.add("never-otherwise" if so else "never-so", said, place, severity="warning", help=help)
    return True


def always_comes_to(type_of: TypeOf, one: Inner) -> bool | None:
    """What a condition within a sentence always comes to; None if it hangs on something."""

    def with_face(tree: w.Tree) -> Type | None:
        return one.face if tree in (w.Name(FACE), w.Counted(w.Name(FACE))) else type_of(tree)

    return _always(with_face, one.term, ())


def _always(type_of: TypeOf, term: Term, about: Collection[str]) -> bool | None:
    """What a condition always comes to; None if it hangs on something, or is a plain `yes` or `no`."""
    return _comes_to(type_of, term.tree, about)


def _comes_to(type_of: TypeOf, tree: w.Tree, about: Collection[str]) -> bool | None:
    one = formula(tree)
    if isinstance(tree, w.Const):
        return None
    if (of_itself := _held_against_itself(tree)) is not None:
        return of_itself
    axes = Axes([one], about, type_of)
    try:
        return None if (holds := axes.boxes(one)) and axes.boxes(one, False) else bool(holds)
    except TooMuch:
        return None


def _held_against_itself(tree: w.Tree) -> bool | None:
    """What comes of it if something is held against itself, of whoever has it; else None."""
    match tree:
        case w.Equal(left, right) if left == right:
            return True
        case w.Compared(sign, left, right) if left == right:
            return sign in (">=", "<=")
        case w.Joined((one, w.IsSomebody(somebody)), True) if isinstance(one, w.Equal) and one.left == somebody:
            return _held_against_itself(one)
        case w.Not(one) | w.IsSo(one):
            comes_to = _held_against_itself(one)
            return None if comes_to is None else comes_to is isinstance(tree, w.IsSo)
    return None


def _always_the_same(faults: Faults, term: Term, heading: Cell | None, cell: Cell, always: bool) -> None:
    text = cell.text if heading is None else f"{heading.text}: {cell.text}"
    it = f"`{text}`" if len(text) <= LONGEST else "this"
    said = f"{it} is {'always' if always is not _is_unless(heading, cell) else 'never'} so"
    help = "take the test out" if always else "look at the range of the fact, or take the row out"
    if _held_against_itself(term.tree) is not None:  # which is so of whoever has it
        said, help = f"{it} holds something against itself", "write what it is to be held against"
    faults.add("never-otherwise" if always else "never-so", said, cell.place, severity="warning", help=help)


def _is_unless(heading: Cell | None, cell: Cell) -> bool:
    """Whether a test is what stands behind `unless:`, denied."""
    if heading is not None or not isinstance(cell.node, Negation) or not isinstance(cell.node.value, Bracketed):
        return False
    return cell.node.value.at == cell.node.at


# ---- rows against each other ------------------------------------------------------------------------------


def _check_rows(
    axes: Axes,
    rows: Sequence[_Row],
    policy: str,
    told: Collection[str],
    faults: Faults,
    shows: Shows,
    places: Sequence[Value] = (),
) -> None:
    """Warns of rows that never apply, if that is not `told`, of those always hidden, and of two that apply at once.
    `places` are those of the rows among what counts before what, if it is not the first that does."""
    flat = [(at, box) for at, row in enumerate(rows) for box in row.boxes or ()]
    index = indexed(axes.space, [box for _, box in flat])
    declared = axes.on_free(axes.declared())  # what is not asked of others may be whatever it is
    for at, row in enumerate(rows):
        if row.boxes is None:
            said = f"`{row.id}` is not analysed: what it asks falls into more than {MOST_BOXES} cases"
            _note(faults, said, row.place)
            continue
        if not row.boxes:
            if row.id not in told:
                _never_applies(faults, row)
            continue
        if policy not in ONE_COUNTS:
            continue
        near = reduce(or_, (that_meet(axes.space, box, index) for box in row.boxes))
        others = [one for one in classes(near) if flat[one][0] < at]
        if policy != "one-of":
            if policy != "first-of":
                others = [one for one in classes(near) if _counts_before(places[flat[one][0]], places[at])]
            before = {one: flat[one][0] for one in others if rows[flat[one][0]].surely}
            try:
                if _hide(axes, row.boxes, index, before):
                    by = _those_that_hide(axes, row.boxes, index, before, rows)
                else:
                    by = ""
            except TooMuch:
                _note(faults, f"whether `{row.id}` hides behind others is not analysed: {TOO_MANY}", row.place)
                continue
            if by:
                said = f"`{row.id}` never counts: wherever it holds, {by} counts before it"
                help = f"{'put it further up' if policy == 'first-of' else 'mend what it says'}, or take it out"
                _warn(faults, "hidden-row", said, row.place, help)
        else:
            boxes = [both for box in row.boxes if (both := meet(declared, box)) is not None]
            _check_overlap(axes, row, boxes, [flat[one] for one in others], rows, faults, shows)


def _places(table: BoundTable) -> list[Value]:
    """Of each row where what it gives stands among what the others do, the lowest first to count; None of one that does
    not always give the same."""
    sign = -1 if table.table.policy == "highest-of" else 1
    words = table.type.words if isinstance(table.type, Word) else ()
    found: list[Value] = []
    for row in table.rows:
        tree = row.verdict.tree if row.verdict is not None else None
        tree = tree.value if isinstance(tree, w.Counted) else tree
        said = tree.value if isinstance(tree, w.Const) else None
        worth = words.index(said) if said in words else said if isinstance(said, int | Fraction) else None
        found.append(None if worth is None else sign * worth)
    return found


def _counts_before(one: Value, other: Value) -> bool:
    return one is not None and other is not None and one < other


def _never_applies(faults: Faults, row: _Row) -> None:
    said = f"the tests of `{row.id}` exclude each other: it never applies"
    _warn(faults, "never-applies", said, row.place, "mend them, or take the row out")


def _hide(axes: Axes, boxes: Sequence[Box], index: Indexed, before: Iterable[int]) -> bool:
    """Whether some boxes, known by their numbers, cover all of others."""
    among = sum(1 << one for one in before)
    return all(is_covered(axes.space, box, index, among) for box in boxes)


def _those_that_hide(
    axes: Axes, boxes: Sequence[Box], index: Indexed, before: Mapping[int, int], rows: Sequence[_Row]
) -> str:
    """One row that hides another by itself, or the first and last of those that do so together; `before` has the row of
    each box."""
    own: dict[int, list[int]] = {}
    for one, at in before.items():
        own.setdefault(at, []).append(one)
    alone = reduce(and_, (that_hold(axes.space, box, index) for box in boxes))
    for at, parts in own.items():
        if any(alone >> one & 1 for one in parts) or (len(parts) > 1 and _hide(axes, boxes, index, parts)):
            return f"`{rows[at].id}`"
    names = list(dict.fromkeys(rows[at].id for at in own))
    return " or ".join(f"`{name}`" for name in names[:3]) + (" or another" if len(names) > 3 else "")


def _check_overlap(
    axes: Axes,
    row: _Row,
    boxes: Sequence[Box],
    others: Sequence[tuple[int, Box]],
    rows: Sequence[_Row],
    faults: Faults,
    shows: Shows,
) -> None:
    for i, other in others:
        for box in boxes:
            both = meet(box, other)
            if both is None or not (axes.is_free(both) and row.surely and rows[i].surely):
                continue
            point = {axis: next(classes(bits)) for axis, bits in both.items()}
            _warn_of_two(faults, rows[i], row, in_words(axes, point), shows(point))
            return


def _warn_of_two(faults: Faults, first: _Row, second: _Row, where: str, example: str) -> None:
    said = f"`{first.id}` and `{second.id}` both hold where {where}"
    labels = ((first.place, "this one too"),)
    help = "make them exclude each other, or use `first-of:`"
    faults.add("rows-overlap", said, second.place, severity="warning", labels=labels, help=help, example=example)


def _check_gap(
    axes: Axes, rows: Sequence[_Row], name: str, place: Span, otherwise: Cell | None, faults: Faults, shows: Shows
) -> None:
    """Warns of what no row has, and of an `otherwise` that nothing is left for."""
    if any(row.boxes is None for row in rows):  # which is told of the row
        return
    try:
        if otherwise is not None:
            sure = [box for row in rows if row.surely for box in row.boxes or ()]
            if is_covered(axes.space, {}, indexed(axes.space, sure)):
                said = f"the rows of `{name}` leave nothing for `otherwise`"
                _warn(faults, "never-otherwise", said, otherwise.place, "take it out")
            return
        may = [axes.on_free(box) for row in rows for box in row.boxes or ()]
        left = left_of(axes.space, axes.thought_of(), may)
    except TooMuch:
        _note(faults, f"what the rows of `{name}` leave out is not analysed: {TOO_MANY}", place)
        return
    if left is not None:
        said = f"no row of `{name}` holds where {in_words(axes, left.point)}{_share(left)}"
        _warn_of_none(faults, said, place, shows(left.point))


def _warn_of_none(faults: Faults, said: str, place: Span, example: str) -> None:
    help = "add a row for it, or `otherwise:`"
    faults.add("no-row-for", said, place, severity="warning", help=help, example=example)


def _check_worked_out(
    bound: Bound,
    table: BoundTable,
    asked: Sequence[Formula],
    rows: Sequence[_Row],
    type_of: TypeOf,
    place: Span,
    said: Collection[str],
    faults: Faults,
) -> None:
    """The same of what is worked out from facts, by a fight that comes to it, unless it has been `said`."""
    about, kinds, surely = table.table.about, _kinds(table), [row.surely for row in rows]
    with suppress(TooMuch):
        for one in met(bound, asked, surely, about, type_of, [*kinds.values()]):
            comes_to = " and ".join(f"{name_of(tree)} is {shown(value)}" for tree, value in one.comes_to)
            where = f"{comes_to}, as where {in_words(one.axes, one.point)}"
            example = situation_of(bound.ruleset, kinds, one.axes, one.point)
            if one.rows and table.table.policy == "one-of" and "rows-overlap" not in said:
                first, second = (rows[at] for at in one.rows)
                _warn_of_two(faults, first, second, where, example)
            elif not one.rows and table.table.otherwise is None and "no-row-for" not in said:
                _warn_of_none(faults, f"no row of `{table.table.name}` holds where {where}", place, example)


def _share(left: Left) -> str:
    if left.share is None or left.share in (0, 1):
        return ""
    if left.share.denominator <= 1000:
        return f": {left.share.numerator} of {left.share.denominator} cases"
    return f": about 1 of {round(1 / left.share)} cases"


def _note(faults: Faults, said: str, place: Span) -> None:
    help = "give parts of long conditions names, as one-line tables"
    faults.add("not-analysed", said, place, severity="note", help=help)


def _warn(faults: Faults, code: str, said: str, place: Span, help: str) -> None:
    faults.add(code, said, place, severity="warning", help=help)


# ---- what axes are called ---------------------------------------------------------------------------------


def in_words(axes: Axes, point: Box) -> str:
    """A situation in words."""
    said = []
    for at, one in point.items():
        axis = axes.axes[at]
        said.append(_is(axis.tree, axis.values[one], axes.name(at)))
    return " and ".join(said) or "nothing is asked"


def _is(tree: w.Tree, value: Value, name: str) -> str:
    if isinstance(tree, w.Signed) and tree.sign == "-" and not isinstance(tree.left, w.Signed) and value is not NOBODY:
        one, other = name.split(" - ")
        more = f"{shown(abs(value))} {'more' if value > 0 else 'less'} than " if value else "as much as "
        return f"{one} is {more}{other}"
    return f"{name} is {shown(value)}"


def typed(bound: Bound) -> TypeOf:
    """What an axis can be, as far as declarations say."""
    reach = Reach(bound)

    def type_of(tree: w.Tree) -> Type | None:
        match tree:
            case w.OfFact(type=Flag() | Number() | Word() | AThing() as type):
                return type
            case w.Reading(option):
                return Word(bound.ruleset.options[option].readings)
            case w.Asked(name, column=False):
                try:
                    made = bound.table_type(name)
                except Faulty:
                    return None
                if isinstance(made, Number):
                    return reach.of(tree) or Number()
                return made if isinstance(made, Flag | Word) else None
        return reach.of(tree)

    return type_of
