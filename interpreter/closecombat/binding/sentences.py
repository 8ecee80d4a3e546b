"""Looks up every name of a sentence and types it: from syntax to terms.

A name belongs to the innermost speaker that has it (grammar/reference.md, section 3). Whatever cannot be found
or does not fit is a fault at its place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import combinations
from typing import TypeAlias

from closecombat.binding import terms as t
from closecombat.binding import trees
from closecombat.binding.moments import Written, at_moment, with_questions, written_down
from closecombat.binding.names import MOST_IN_A_CHAIN, Names, Scope, literal, too_deep
from closecombat.binding.terms import Env, Members, SetTerm, Term, World, number_of, over
from closecombat.proving.foreseeing.ranges import counted as somebodys
from closecombat.proving.values import arithmetic as n
from closecombat.proving.values import symbolic as c
from closecombat.proving.values.symbolic import Sym, Value
from closecombat.reading import syntax as s
from closecombat.reading.hearing import every_not, said_of_every_not
from closecombat.reading.model import Act, DicePart, Row, Ruleset, Table
from closecombat.reading.sentences import slip_in
from closecombat.reading.syntax import Cell
from closecombat.reading.types import (
    AThing,
    Face,
    Flag,
    Hand,
    Handful,
    Number,
    Roll,
    SomeDice,
    Thing,
    Type,
    Word,
    alike,
    is_number,
    type_of_faces,
)
from closecombat.text.faults import Bug, Faults, Faulty
from closecombat.text.slotted import dataclass

ROLL = "roll"  # what printed dice show when they are thrown: `highest roll of damage`
FACE = "face"  # what a die of a roll is called, in whatever is said of the roll as a set
LONGEST_SAID = 30  # letters of a condition that is said again


def bare_name(node: s.Part | None) -> str:
    """The name, where a node is nothing but a name."""
    return node.path.names[0] if isinstance(node, s.Reading) and len(node.path.names) == 1 and not node.other else ""


def _bare_answer(said: s.Test) -> bool | None:
    """What a cell says that is nothing but yes or no."""
    (first, *more) = said.values
    return first.value if not more and isinstance(first, s.Literal) and isinstance(first.value, bool) else None


def _begun_with(node: s.Node) -> Iterator[s.Reading]:
    """What is read for an amount, or for somebody, one after the other."""
    match node:
        case s.Reading():
            yield node
        case s.Arithmetic(_, left, right):
            yield from (*_begun_with(left), *_begun_with(right))
        case s.Rounded(_, value) | s.Bracketed(value):
            yield from _begun_with(value)
        case s.Compared(_, values):
            yield from (one for value in values for one in _begun_with(value))


def fact_that_is(node: s.Node, term: Term) -> trees.OfFact | None:
    """The fact of which a bare word is one of the words, and so says whether the fact is just this."""
    match term.tree:
        case trees.Equal(trees.OfFact() as fact, trees.Const(str() as word)) if word == bare_name(node):
            return fact
    return None


def _words(node: s.Node, denied: bool = False, in_brackets: bool = False) -> Iterator[tuple[s.Reading, bool, bool]]:
    """The bare words that a part of a sentence consists of, whether each is denied and in brackets."""
    match node:
        case s.Negation(value):
            yield from _words(value, not denied, in_brackets)
        case s.Bracketed(value):
            yield from _words(value, denied, True)
        case s.Both(parts) | s.Either(parts):
            for part in parts:
                yield from _words(part, denied, True)
        case s.Reading() if bare_name(node):
            yield node, denied, in_brackets


Watch: TypeAlias = Callable[[Row | Act | Table, int, Term], Term]


@dataclass(frozen=True, slots=True)
class Inner:
    """A condition within a sentence, in brackets or beside `and` and `or`; what a face is, if it is said of one; `of`
    which set each member is asked it."""

    cell: Cell
    node: s.Node
    term: Term
    face: Type | None
    heading: str = ""  # of whom a test is said
    of: trees.SetTree | None = None


def numbers_on(parts: Iterable[DicePart]) -> Number:
    """What the numbers on some dice lie between, where all their faces are known."""
    known = [face for part in parts for faces in part.faces.values() for face in faces if isinstance(face, int)]
    if not known or any(part.sides is not None or part.of is not None for part in parts):
        return Number()
    return Number(min(known), max(known))


class Binder:
    """Binds the sentences of one ruleset; `table_type(name)` binds a table when it is first asked for."""

    def __init__(self, ruleset: Ruleset, table_type: Callable[[str], Type]) -> None:
        self.ruleset = ruleset
        self.names = Names(ruleset, table_type, self.group_kind)
        self.watch: Watch | None = None  # what becomes of each test of a row, and of a table without rows, if watched
        self.inner: list[Inner] = []  # inner ones first
        self.by_itself: list[tuple[Cell, s.Node]] = []  # a number less itself, or by itself
        self._moments: Written | None = None
        self._group_kinds: dict[str, str | Faulty | None] = {}

    def fault(self, cell: Cell, node: s.Part, code: str, message: str, help: str = "") -> Faulty:
        return Faulty.one(code, message, cell.span(node), help=help)

    def moments(self, questions: Iterable[Cell]) -> Written:
        """For each row, what is asked as it was when the row was reached, by the rules or by questions."""
        if self._moments is None:
            self._moments = written_down(self.names)
        return with_questions(self.names, self._moments, questions)

    # ---- groups ------------------------------------------------------------------------------------------
    def group_kind(self, name: str) -> str:
        """What the members of a group are."""
        group = self.ruleset.groups[name]
        if name not in self._group_kinds:
            if sum(kind is None for kind in self._group_kinds.values()) > MOST_IN_A_CHAIN:
                raise too_deep(name, group.members.place)
            self._group_kinds[name] = None
            try:
                self._group_kinds[name] = self._members_of(name)
            except Faulty as error:
                self._group_kinds[name] = error
        found = self._group_kinds[name]
        if isinstance(found, str):
            return found
        raise found or Faulty.one("circular", f"group `{name}` is made from itself", group.members.place)

    def _members_of(self, name: str) -> str:
        group = self.ruleset.groups[name]
        with self.names.uses.by("group", name):
            scope = self.names.subjects(group.about, group.where)
            bound = self.members(group.members, group.members.node, scope)
        if not isinstance(bound.type, AThing):
            raise Faulty.one("wrong-type", f"group `{name}` is not made of things", group.members.place)
        return bound.type.kind

    # ---- conditions --------------------------------------------------------------------------------------
    def condition(self, cell: Cell, scope: Scope) -> Term:
        return self.flag(cell, cell.node, scope)

    def flag(self, cell: Cell, node: s.Node, scope: Scope) -> Term:
        """A sentence that is yes or no."""
        term = self.value(cell, node, scope)
        if not isinstance(term.type, Flag):
            raise self.fault(
                cell,
                node,
                "wrong-type",
                f"this is {term.type}, not yes or no",
                help="say what it `is`: `class is archer`, `losses is at least 2`",
            )
        return term

    def column(self, heading: Cell, test: Cell, scope: Scope) -> Term:
        """A column of a row: the heading is what its cell says."""
        said = test.node
        if not isinstance(said, s.Test):
            raise Bug(f"{test.text} is no test")
        if said_of_every_not(heading.node, said):
            message, _, help = every_not(heading.text, test.text, said.at)
            raise self.fault(test, said, "two-readings", message, help)
        if isinstance(heading.node, s.Quantified) and (answer := _bare_answer(said)) is not None:
            self._check_it_is_said_of(heading, heading.node, test, answer, scope)
        return self.claim(heading, heading.node, test, said, scope)

    def _check_it_is_said_of(self, heading: Cell, of: s.Quantified, test: Cell, answer: bool, scope: Scope) -> None:
        """`no unit of side: yes`: whether there is one is so without a cell, and of each of them yes says nothing."""
        if self._dice(heading, of.members, of.members.path, scope) is not None:
            return
        members, kind = heading.text.strip().partition(" ")[2], self.members(heading, of.members, scope).type
        there = "any" if (of.quantifier == "any") == answer else "no"
        help = f"write `when: {there} {members}`"
        if of.quantifier == "every":
            help = f"write in the cell what they are, or how many are meant, `when: any {members}`"
        said = f"this is yes or no, but what stands before `is` is {kind}"
        raise self.fault(test, test.node, "wrong-type", said, help)

    def claim(self, cell: Cell, subject: s.Node, test_cell: Cell, test: s.Test, scope: Scope) -> Term:
        if isinstance(subject, s.Quantified):
            return self.quantified(cell, subject, scope, (test_cell, test))
        self._check_itself(cell, subject, test_cell, test, scope)
        value = self.value(cell, subject, scope)
        if isinstance(value.type, AThing) and _bare_answer(test) is not None:
            it, kind = self._text(cell, subject), value.type.kind
            said = f"write `{kind}: {it}`" if cell.start == "subject" else f"write `{kind} is {it}`"
            help = f"{said} where that is the {kind} who is meant, or say what is so of him, `broken of {it}`"
            raise self.fault(test_cell, test, "wrong-type", f"`{it}` is {value.type}, and neither yes nor no", help)
        return self.test(test_cell, test, value, scope)

    def _check_itself(self, cell: Cell, subject: s.Node, test_cell: Cell, test: s.Test, scope: Scope) -> None:
        """`units where (men is more than men)`: meant are those of the one outside of the brackets as well; so too in
        `other units where (place of other-unit is place + 1)`. What was at another moment is something else."""
        name, owner = bare_name(subject), ""
        moment = subject.moment if isinstance(subject, s.Reading) else ""
        if not name and isinstance(subject, s.Reading) and len(subject.path.names) == 2 and not subject.other:
            name, owner = subject.path.names
        for node in test.values if name else ():
            if isinstance(node, s.Test):
                self._check_itself(cell, subject, test_cell, node, scope)
            alike = (one for one in _begun_with(node) if one.path.names[-1] == name and one.moment == moment)
            same = next(alike, None)
            mine = self.names.answers(cell, subject, name, scope) if same and scope.find(name) is None else ""
            if same is None or not mine or (owner and mine != owner):
                continue
            theirs = self.names.answers(cell, subject, name, scope.outside(mine))
            if not theirs and bare_name(node) != name:
                continue
            help = f"write whose the other is, `{name} of ..`"
            if theirs == mine:
                help = f"write `other` before the set, and `{name} of {theirs}` for that of the one outside"
            elif theirs:
                help = f"write `{name} of {theirs}` for that of the one outside"
            said = f"`{name}` is held against itself: both are those of {mine}"
            raise self.fault(test_cell, same, "two-readings", said, help)

    def quantified(self, cell: Cell, node: s.Quantified, scope: Scope, test: tuple[Cell, s.Test] | None) -> Term:
        (first, *names), at = node.members.path.names, node.members.path.at
        if first == FACE and names and (dice := self._dice(cell, node.members, s.Path(tuple(names), at), scope)):
            return self._some_dice(cell, node, dice, test)
        if self._dice(cell, node.members, node.members.path, scope) is not None:
            roll = self._text(cell, node.members.path)
            message, help = f"`{roll}` is a roll: its dice have faces", f"`{node.quantifier} {FACE} of {roll} ..`"
            raise self.fault(cell, node.members, "wrong-type", message, f"write {help}")
        members = self.members(cell, node.members, scope)
        check, name = None, members.each
        if test is not None:
            name, inner = spoken_of(scope, members)
            check = self.test(test[0], test[1], t.subject(name, members.type), inner)
            self.inner.append(Inner(*test, check, inner.find(FACE), self._text(cell, node), members.tree))
        of, quantifier = members.run, node.quantifier

        def run(world: World, env: Env) -> Value:
            shop, found = world.shop, of(world, env)

            def fits(member: Value, there: Value) -> Value:
                if check is None:
                    return True
                return shop.given(there, partial(check.run, world, {**env, name: member}))

            if quantifier == "every":
                all_are: Value = True
                for member, guard in found:
                    there = shop.and_(all_are, guard)
                    is_so = fits(member, there)
                    all_are = shop.and_(all_are, shop.or_(shop.not_(guard), is_so))
                    if all_are is False:
                        break
                return shop.and_(shop.any_of(guard for _, guard in found), all_are)
            any_is: Value = False
            for member, guard in found:
                if guard is not False:
                    there = shop.and_(shop.not_(any_is), guard)
                    is_so = fits(member, there)
                    any_is = shop.or_(any_is, shop.and_(guard, is_so))
                    if any_is is True:
                        break
            return shop.not_(any_is) if quantifier == "no" else any_is

        tree = trees.Quantified(quantifier, members.tree, None if check is None else check.tree, name)
        return Term(run, Flag(), tree)

    def test(self, cell: Cell, test: s.Test, subject: Term, scope: Scope) -> Term:
        """What is said of the subject after `is`; false of nobody."""
        if test.kind == "either":
            bare = _joined([self.test(cell, one, subject, scope) for one in test.values], False)  # type: ignore[arg-type]
        else:
            bare = self._bare_test(cell, test, subject, scope)
        if not test.negated:
            return bare
        of = subject.run

        def is_somebody(world: World, env: Env) -> Value:
            return world.shop.lift(c.somebody, of(world, env))

        def is_not_so(world: World, env: Env) -> Value:
            return world.shop.not_(bare.run(world, env))

        somebody = Term(is_somebody, Flag(), trees.IsSomebody(subject.tree))
        return _joined([somebody, Term(is_not_so, Flag(), trees.Not(bare.tree))], True)

    def _bare_test(self, cell: Cell, test: s.Test, subject: Term, scope: Scope) -> Term:
        if test.kind == "in":
            members = self.members(cell, test.values[0], scope)
            of, is_in = members.run, subject.run

            def run(world: World, env: Env) -> Value:
                who = is_in(world, env)
                return world.shop.any_of(world.shop.and_(world.shop.equal(who, m), g) for m, g in of(world, env))

            return Term(run, Flag(), trees.IsIn(subject.tree, members.tree))
        if test.kind == "equal":
            return self._equal(cell, test.values[0], subject, scope)
        words = subject.type.words if isinstance(subject.type, Word) else None
        if words is None and not is_number(subject.type):
            raise self.fault(
                cell,
                test,
                "wrong-type",
                f"{subject.type} cannot be compared this way",
                help="`at least` and the like compare numbers, or words whose list has an order",
            )
        bounds = [self.value(cell, v, scope, subject.type if words else None) for v in test.values]
        for bound, node in zip(bounds, test.values, strict=True):
            if words is None:
                self._numeric(cell, node, bound)
            elif bound.type != subject.type:
                raise self.fault(cell, node, "wrong-type", f"this is {bound.type}, not {subject.type}")
        rank = t.Rank(words) if words else None
        compare = {
            "least": (c.at_least,),
            "most": (c.at_most,),
            "more": (c.more_than,),
            "less": (c.less_than,),
            "range": (c.at_least, c.at_most),
        }[test.kind]

        def placed(term: Term) -> trees.Tree:
            return trees.Ranked(words, term.tree) if words else t.as_number(term)

        def read(term: Term, world: World, env: Env) -> Value:
            value = term.run(world, env)
            return world.shop.lift(rank, value) if rank else t.number(world, value)

        def compared(world: World, env: Env) -> Value:
            value, out = read(subject, world, env), True
            for fn, bound in zip(compare, bounds, strict=True):
                out = world.shop.and_(out, world.shop.lift(fn, value, read(bound, world, env)))
            return out

        sign = {"least": ">=", "most": "<=", "more": ">", "less": "<", "range": "to"}[test.kind]
        ends = [placed(bound) for bound in bounds]
        tree = trees.Compared(sign, placed(subject), ends[0])
        return Term(compared, Flag(), trees.Between(placed(subject), *ends) if sign == "to" else tree)

    def _equal(self, cell: Cell, node: s.Node, subject: Term, scope: Scope) -> Term:
        of = subject.run
        if isinstance(node, s.Literal) and node.value is None:
            return Term(
                lambda world, env: world.shop.not_(world.shop.lift(c.somebody, of(world, env))),
                Flag(),
                trees.Not(trees.IsSomebody(subject.tree)),
            )
        kind = subject.type.kind if isinstance(subject.type, AThing) else ""
        if kind and (name := bare_name(node)):
            found = self._what_he_is(cell, node, subject, name, scope)
            if found is not None:
                flag = found.run
                return Term(
                    lambda world, env: world.shop.lift(c.whole_flag, flag(world, env)), Flag(), trees.IsSo(found.tree)
                )
        other = self._said_of(cell, node, subject, scope)
        if isinstance(subject.type, Flag) and isinstance(other.type, Flag):
            self._check_yes_or_no(cell, node, other)
        elif is_number(subject.type):
            self._numeric(cell, node, other)

            def numeric(world: World, env: Env) -> Value:
                return world.shop.lift(c.same, t.number(world, of(world, env)), t.number(world, other.run(world, env)))

            tree = trees.Equal(t.as_number(subject), t.as_number(other))
            return _of_somebody(subject, other, Term(numeric, Flag(), tree))
        elif not alike(subject.type, other.type):
            help = ""
            if other.type == Flag():
                help = _condition_first(cell, node)
            said = f"this is {other.type}, but what stands before `is` is {subject.type}"
            raise self.fault(cell, node, "wrong-type", said, help)
        same = Term(
            lambda world, env: world.shop.equal(of(world, env), other.run(world, env)),
            Flag(),
            trees.Equal(subject.tree, other.tree),
        )
        return _of_somebody(subject, other, same)

    def _check_yes_or_no(self, cell: Cell, node: s.Node, other: Term) -> None:
        """`broken is pinned`: a bare word after what is yes or no is heard as something else that is so."""
        name = bare_name(node)
        if name and fact_that_is(node, other):
            help = "write `yes` or `no`"
            raise self.fault(cell, node, "unknown-word", f"`{name}` is neither yes nor no", help)
        if name:
            help = f"what is so as well stands behind `and`, `.. and {name}`; as a column `{name}: yes`"
            raise self.fault(cell, node, "two-readings", f"`{name}` is yes or no by itself", help)

    def _what_he_is(self, cell: Cell, node: s.Node, subject: Term, name: str, scope: Scope) -> Term | None:
        """A flag of somebody, or his group or word, that could be said after `is`; no one else may be called so."""
        found = self.names.attribute(cell, node, subject, name, None, scope)
        if found is None or not isinstance(found.type, Flag):
            return None
        called = scope.find(name)
        if isinstance(called, AThing) and called.kind == subject.type.kind:  # type: ignore[union-attr]
            if not scope.is_subject(name) and self.names.is_but_a_word(called.kind, name):
                return None  # whom a situation calls so is meant before a word of a list
            raise self.fault(
                cell,
                node,
                "ambiguous-name",
                f"`{name}` is somebody here, and what {subject.type} can be",
                help=f"rename one of the two: who goes by the name `{name}` here, or the fact, table, group or word",
            )
        return found

    def _said_of(self, cell: Cell, node: s.Node, subject: Term, scope: Scope) -> Term:
        """What stands after `is`; of somebody, everything that he has could have been meant."""
        try:
            return self.value(cell, node, scope, subject.type)
        except Faulty as error:
            if not isinstance(node, s.Reading) or len(node.path.names) > 1 or node.other is not None:
                raise
            name, known = node.path.names[0], self.names.nearby.in_scope(scope, subject.type)
            elsewhere = isinstance(subject.type, AThing) and self.names.nearby.asked_of(name)
            if error.codes != {"unknown-name"} or (name in known and not elsewhere):
                raise
            if isinstance(subject.type, Flag):
                help = "write `yes` or `no`"
                raise self.fault(cell, node, "unknown-word", f"`{name}` is neither yes nor no", help) from None
            found = {*known, *self.names.nearby.of(subject.type)}
            raise self.names.unknown(
                cell, node, name, found, of=str(subject.type) if isinstance(subject.type, AThing) else ""
            ) from None

    def _numeric(self, cell: Cell, node: s.Node, term: Term) -> None:
        if not is_number(term.type):
            if (slip := slip_in(cell, node.at)) is not None:
                raise slip
            if isinstance(node, s.Literal) and isinstance(node.value, str):
                low, _, high = node.value.partition("-")
                said = f"{cell.text[: node.at[0]]}{low} to {high}{cell.text[node.at[1] :]}"
                help = f"a range is said with `to`: write `{said}`"
                raise self.fault(cell, node, "wrong-type", f"`{node.value}` would be read as odds", help)
            help = _condition_first(cell, node) if term.type == Flag() else ""
            if isinstance(node, s.Literal) and type(node.value) is bool:
                help = f"a number is held against one: `at least 1` in the place of `{cell.text[slice(*node.at)]}`"
            if isinstance(term.type, Roll):
                help = self.how_many_show_it(cell, term.type)
            raise self.fault(cell, node, "wrong-type", f"this is {term.type}, not a number", help=help)

    def how_many_show_it(self, cell: Cell, roll: Roll) -> str:
        """What to ask of dice that show words, in place of what they come to."""
        parts, kinds = self.ruleset.dice[roll.dice].parts, self.ruleset.kinds.values()
        face = next(face for part in parts for faces in part.faces.values() for face in faces)
        rolled = [fact.name for kind in kinds for fact in kind.facts.values() if fact.type == roll]
        name = max((name for name in rolled if name in cell.text), key=len, default=rolled[0])
        return f"how many dice show it is `number of {name} where (face is {face})`"

    # ---- values ------------------------------------------------------------------------------------------
    def value(self, cell: Cell, node: s.Node, scope: Scope, expect: Type | None = None) -> Term:
        match node:
            case s.Literal(value):
                return literal(cell, node, value, expect)
            case s.Reading(path, other, moment=moment) if moment:
                now = self.names.its_word(self.names.reading(cell, node, path, other, scope, None))
                return at_moment(self.names, cell, node, now, scope)
            case s.Reading(path, other):
                return self.names.its_word(self.names.reading(cell, node, path, other, scope, expect))
            case s.Bracketed(inner):
                return self.value(cell, inner, scope, expect)
            case s.Members(path, None, other=False):
                return self.names.reading(cell, node, path, None, scope, expect)
            case s.Arithmetic() | s.Rounded():
                return self._arithmetic(cell, node, scope)
            case s.Compared():
                return self._compared(cell, node, scope, expect)
            case s.Count() | s.Total() | s.Extreme():
                return self._gathered(cell, node, scope)
            case s.Claim(subject, test):
                self._check_going_on(cell, node, scope)
                return self.claim(cell, subject, cell, test, scope)
            case s.Quantified():
                return self.quantified(cell, node, scope, None)
            case s.Negation(inner):
                no = self.flag(cell, inner, scope)
                return denied(no)
            case s.Both(parts):
                return self._joined(cell, parts, scope, True)
            case s.Either(parts):
                return self._joined(cell, parts, scope, False)
        raise self.fault(cell, node, "wrong-type", "a value is needed here")

    # ---- whose word is it? -------------------------------------------------------------------------------
    def _with_whom(self, cell: Cell, parts: tuple[s.Node, ...], scope: Scope, joint: str) -> tuple[s.Node, ...]:
        """`target is broken and pinned`: a bare word is said of the one who was spoken of, if only he has it."""
        out: list[s.Node] = []
        claim: s.Claim | None = None
        for part in parts:
            before = out[-1] if out else None
            if isinstance(part, s.Claim):
                if isinstance(before, s.Quantified):
                    self._check_shared(cell, before, part, scope, joint)
                claim = part
            elif isinstance(part, s.Quantified):
                claim = None
            elif claim is not None:
                part = self._goes_on(cell, claim, part, scope, joint)
            out.append(part)
        return tuple(out)

    def _check_shared(self, cell: Cell, before: s.Quantified, claim: s.Claim, scope: Scope, joint: str) -> None:
        """`no attacker or target is broken` is heard as one statement about both."""
        if before.members.where is not None or isinstance(claim.subject, s.Quantified):
            return
        try:
            with self.names.uses.unnoted():
                if not isinstance(self.value(cell, claim.subject, scope).type, AThing):
                    return
                members = self.members(cell, before.members, scope)
                one = Term(lambda world, env: env[members.each], members.type)
                self.test(cell, claim.test, one, spoken_of(scope, members)[1])
        except Faulty:
            return
        alone, said, test = self._text(cell, before), self._text(cell, claim), self._text(cell, claim.test)
        both = s.Both((before, claim), (before.at[0], claim.at[1]))
        of_both = f"{alone} is {test} {joint} {said}"
        if before.quantifier == "no" and joint == "or":
            of_both = f"{alone} is {test} and {self._text(cell, claim.subject)} is not {test}"
        raise self._two_readings(cell, both, f"{said} {joint} {alone}", of_both)

    def _goes_on(self, cell: Cell, claim: s.Claim, part: s.Node, scope: Scope, joint: str) -> s.Node:
        for node, denied, in_brackets in _words(part):
            name = bare_name(node)
            with self.names.uses.unnoted():
                his = self._could_be_his(cell, claim, node, name, scope)
                try:
                    mine = self.flag(cell, node, scope) is not None
                except Faulty:
                    mine = False
            if not his:
                continue
            whose = bare_name(claim.subject)
            if mine and his == "flag" and whose and whose == self.names.answers(cell, node, name, scope):
                continue
            of, no = self._text(cell, claim.subject), "not " if denied else ""
            plain = isinstance(claim.subject, s.Reading) and claim.test.kind == "equal" and not claim.test.negated
            if plain and not mine and not in_brackets and his == "flag":
                return s.Claim(claim.subject, s.Test("equal", (node,), denied, node.at), node.at)
            said = self._text(cell, claim)
            other = f"{no}{name} {joint} {said}" if mine else f"{said} or {name}"
            ways = [f"{said} {joint} {of} is {no}{name}", other]
            plainly = claim.test.kind == "equal" and not claim.test.negated and joint == "and"
            if plainly and isinstance(claim.subject, s.Quantified) and claim.subject.members.where is None:
                one = f"{of} where ({self._text(cell, claim.test.values[0])} and {no}{name})"
                ways = [*ways, one] if mine else [ways[0], one]
            raise self._two_readings(cell, part, *ways)
        return part

    def _check_going_on(self, cell: Cell, claim: s.Claim, scope: Scope) -> None:
        """`base is nobody or parted`: the word is said of the base, though somebody who speaks has it too."""
        if claim.test.kind != "either" or not isinstance(claim.subject, s.Reading):
            return
        first, *others = claim.test.values
        for test in others:
            node = test.values[0] if isinstance(test, s.Test) and test.kind == "equal" else None
            name = bare_name(node)
            if node is None or not name:
                continue
            with self.names.uses.unnoted():
                his = self._could_be_his(cell, claim, node, name, scope)
                try:
                    mine = his == "flag" and self.flag(cell, node, scope) is not None
                except Faulty:
                    mine = False
            whose = bare_name(claim.subject)
            if mine and not (whose and whose == self.names.answers(cell, node, name, scope)):
                of, is_ = self._text(cell, claim.subject), "is not" if claim.test.negated else "is"
                what = self._text(cell, first).removeprefix("not ")
                said, joint = f"{of} {is_} {what}", "and" if claim.test.negated else "or"
                raise self._two_readings(cell, node, f"{said} {joint} {of} {is_} {name}", f"{name} or {said}")

    def _could_be_his(self, cell: Cell, claim: s.Claim, node: s.Node, name: str, scope: Scope) -> str:
        """Whether a word could be said of him of whom the claim is: as a `flag` of somebody, or as a `word`."""
        try:
            if isinstance(claim.subject, s.Quantified):
                members = self.members(cell, claim.subject.members, scope)
                subject = Term(lambda world, env: env[members.each], members.type)
            else:
                subject = self.value(cell, claim.subject, scope)
            if isinstance(subject.type, Word):
                return "word" if name in subject.type.words else ""
            if not isinstance(subject.type, AThing):
                return ""
            found = self.names.attribute(cell, node, subject, name, None, scope)
        except Faulty:
            return ""
        return "flag" if found is not None and isinstance(found.type, Flag) else ""

    def _text(self, cell: Cell, node: s.Part) -> str:
        span = cell.span(node)
        return " ".join(span.source.text[span.start : span.end].split())

    def _two_readings(self, cell: Cell, node: s.Node, *ways: str) -> Faulty:
        said, help = self._text(cell, node), " or ".join(f"`{way}`" for way in ways)
        return self.fault(cell, node, "two-readings", f"it is not clear of whom `{said}` is said", f"write {help}")

    def _joined(self, cell: Cell, parts: tuple[s.Node, ...], scope: Scope, all_of: bool) -> Term:
        parts = self._with_whom(cell, parts, scope, "and" if all_of else "or")
        faults = Faults()
        found = [faults.attempt(self.flag, cell, part, scope) for part in parts]
        faults.raise_if_any()
        flags = [flag for flag in found if flag is not None]
        face = scope.find(FACE)
        self.inner += (Inner(cell, part, flag, face) for part, flag in zip(parts, flags, strict=True))
        return _joined(flags, all_of)

    def _arithmetic(self, cell: Cell, node: s.Arithmetic | s.Rounded, scope: Scope) -> Term:
        if isinstance(node, s.Rounded):
            way, (value, tree) = node.way, self._counted(cell, node, node.value, scope)
            return Term(
                lambda world, env: n.rounded(world.shop, value(world, env), way), Number(), trees.Rounded(way, tree)
            )
        (left, one), (right, other) = (self._counted(cell, node, side, scope) for side in (node.left, node.right))
        if node.sign == "/" and isinstance(other, trees.Counted) and other.value == trees.const(0):
            raise self.fault(
                cell, node, "no-value", f"`{self._text(cell, node)}` divides by 0", "divide by something else"
            )
        sign, divided = node.sign, n.Divided(cell.text, cell.span(node))
        term = Term(
            lambda world, env: n.signed(world.shop, sign, left(world, env), right(world, env), divided),
            Number(),
            trees.Signed(sign, one, other),
        )
        if one == other and sign in "-/":
            self.by_itself.append((cell, node))
        return term

    def _compared(self, cell: Cell, node: s.Compared, scope: Scope, expect: Type | None) -> Term:
        """The lower or higher of several numbers, or of words of one list; of equals it is the same which."""
        expect = self._list_of(cell, node.values, scope) or expect
        found = [self.value(cell, part, scope, expect) for part in node.values]
        words = found[0].type.words if isinstance(found[0].type, Word) else None
        for part, term in zip(node.values, found, strict=True):
            if words is None:
                self._numeric(cell, part, term)
            elif term.type != found[0].type:
                raise self.fault(cell, part, "wrong-type", f"this is {term.type}, not {found[0].type}")
        values = [number_of(term, n.Counted(cell.text, cell.span(node))) for term in found]
        better = c.more_than if node.end.startswith("high") else c.less_than
        rank = t.Rank(words) if words else None

        def run(world: World, env: Env) -> Value:
            shop, best, place = world.shop, None, None
            for i, value in enumerate(values):
                one = value(world, env)
                there = one if rank is None else shop.lift(rank, one)
                wins = i == 0 or shop.lift(better, there, place)
                best, place = shop.if_(wins, one, best), shop.if_(wins, there, place)
            return best

        ranked = tuple(t.as_number(term) for term in found)
        tree = trees.Best(node.end.startswith("high"), ranked, words or ())
        return Term(run, Word(words) if words else Number(), tree)

    def _list_of(self, cell: Cell, parts: tuple[s.Node, ...], scope: Scope) -> Type | None:
        """The list of the first of some values that is a word of somebody: others may be words of it, written out."""
        for part in parts:
            found: Type | None = None
            match part:
                case s.Bracketed(inner):
                    found = self._list_of(cell, (inner,), scope)
                case s.Compared(values=values):
                    found = self._list_of(cell, values, scope)
                case s.Reading() | s.Extreme():
                    with suppress(Faulty):  # said where it is bound
                        found = self.value(cell, part, scope).type
            if isinstance(found, Word):
                return found
        return None

    def _counted(
        self, cell: Cell, node: s.Node, part: s.Node, scope: Scope
    ) -> tuple[Callable[[World, Env], Value], trees.Tree]:
        """A part of a sentence as a number that somebody has."""
        term = self.value(cell, part, scope)
        self._numeric(cell, part, term)
        return number_of(term, n.Counted(cell.text, cell.span(node))), trees.Counted(t.as_number(term))

    def _gathered(self, cell: Cell, node: s.Count | s.Total | s.Extreme, scope: Scope) -> Term:
        """number of, total, highest, lowest, whoever: over the members of a set, or over the dice of a roll."""
        if (
            not (isinstance(node, s.Extreme) and node.who)
            and (dice := self._dice(cell, node.members, node.members.path, scope)) is not None
        ):
            if isinstance(node, s.Count) or node.name == FACE:
                return self._of_dice(cell, node, dice)
            if isinstance(dice.roll.type, Hand):
                return self._of_cards(cell, node, dice)
        if isinstance(node, s.Extreme) and node.name == ROLL and (end := self._end_of_dice(cell, node, scope)):
            return end
        members = self.members(cell, node.members, scope)
        of, each = members.run, members.each
        if isinstance(node, s.Count):

            def count(world: World, env: Env) -> Value:
                known, total = 0, 0
                for _, guard in of(world, env):
                    if guard is True:
                        known += 1
                    else:
                        total = n.plus(world.shop, total, world.shop.if_(guard, 1, 0))
                return n.plus(world.shop, total, known)

            return Term(count, Number(), trees.HowMany(members.tree))
        one = t.subject(each, members.type)
        worth = self.names.attribute(cell, node, one, node.name, None, scope.inside({each: members.type}))
        if worth is None:
            raise self.names.unknown(cell, node, node.name, self.names.nearby.of(members.type), of=str(members.type))
        if isinstance(node, s.Total):
            self._numeric(cell, node, worth)

            counted = number_of(worth, n.Counted(cell.text, cell.span(node)))

            def total(world: World, env: Env) -> Value:
                out: Value = 0
                for member, guard in of(world, env):
                    more = world.shop.given(guard, partial(counted, world, {**env, each: member}))
                    out = n.plus(world.shop, out, world.shop.if_(guard, more, 0))
                return out

            return Term(total, Number(), trees.Sum(members.tree, trees.Counted(t.as_number(worth))))
        return self._extreme(cell, node, members, worth)

    def _extreme(self, cell: Cell, node: s.Extreme, members: SetTerm, worth: Term) -> Term:
        of, each, kind = members.run, members.each, members.type
        words = worth.type.words if isinstance(worth.type, Word) else None
        if words is None:
            self._numeric(cell, node, worth)
        rank = t.Rank(words) if words else None
        better = c.more_than if node.highest else c.less_than
        left = self._nobody_left(cell, node)

        def farthest(world: World, env: Env) -> Value:
            """What the best is worth, one member after the other: who it is is not asked."""
            shop, best = world.shop, None
            for member, guard in of(world, env):
                value = shop.given(guard, partial(worth.run, world, {**env, each: member}))
                value = shop.lift(rank, value) if rank else t.number(world, value)
                best = n.farther(shop, node.highest, best, shop.if_(guard, value, None))
            best = somebodys(shop, best, left)
            return shop.lift(t.WordAt(words), best) if words else best

        def run(world: World, env: Env) -> Value:
            shop = world.shop
            ranks: list[tuple[Value, Value]] = [(None, None)] * node.nth  # what the best are worth, and who they are
            ranked: list[tuple[Thing, Value, Value]] = []
            for member, guard in of(world, env):
                value, one = shop.given(guard, partial(worth.run, world, {**env, each: member})), member
                value = shop.lift(rank, value) if rank else t.number(world, value)
                guard = shop.and_(guard, shop.lift(c.somebody, value))  # who has none is neither first nor last
                ranked.append((member, value, guard))
                for place, (best, who) in enumerate(ranks):  # whoever is beaten goes on to the next place
                    empty = shop.not_(shop.lift(c.somebody, best))
                    wins = shop.and_(guard, shop.or_(empty, shop.lift(better, value, best)))
                    ranks[place] = shop.if_(wins, value, best), shop.if_(wins, one, who)
                    if place < node.nth - 1:
                        value, one = shop.if_(wins, best, value), shop.if_(wins, who, one)
                        guard = shop.and_(guard, shop.lift(c.somebody, value))
            best, who = ranks[-1]
            if node.who:
                for (one, his, is_in), (other, others, is_in_too) in combinations(ranked, 2):
                    if world.is_either_way(one, other):  # of those who are level the first to come is meant
                        both = shop.and_(shop.and_(is_in, is_in_too), shop.equal(his, others))
                        tied = shop.and_(both, shop.equal(his, best))
                        if tied is not False:
                            shop.given(tied, partial(shop.failed, partial(_who_is_first, cell, node, one, other)))
                return who
            best = somebodys(shop, best, left)
            return shop.lift(t.WordAt(words), best) if words else best

        tree = None
        if node.nth == 1:
            ranked = worth.tree if words else t.as_number(worth)
            tree = trees.Extreme(node.highest, members.tree, ranked, node.who, words or ())
            if not node.who:
                run = farthest
        return Term(run, kind if node.who else Word(words) if words else Number(), tree)

    def _nobody_left(self, cell: Cell, node: s.Node) -> n.Counted:
        return n.Counted(
            cell.text, cell.span(node), "has nobody left to choose from", "let a column ask first: `any ..`"
        )

    # ---- dice --------------------------------------------------------------------------------------------
    def _dice(self, cell: Cell, node: s.Members, path: s.Path, scope: Scope) -> _Dice | None:
        """`hits where (face is 6)`, where hits is a roll: as a set of the faces that stand."""
        name, kinds = path.names[0], self.ruleset.kinds.values()
        called = [kind.facts[name] for kind in kinds if name in kind.facts]
        if not any(isinstance(fact.type, Roll) or fact.is_hand for fact in called):
            return None
        found = self.names.try_reading(cell, node, path, scope)
        if found is not None and isinstance(found.type, Hand):
            inner = scope.inside({FACE: Word(found.type.words)})
            return _Dice(found, Word(found.type.words), inner, self._of_faces(cell, node, inner))
        if found is None or not isinstance(found.type, Roll):
            return None
        dice = self.ruleset.dice[found.type.dice]
        faces = list(dict.fromkeys(face for p in dice.parts for fs in p.faces.values() for face in fs))
        if len({isinstance(face, int) for face in faces}) > 1:
            one = next((part.name for part in dice.parts if part.name), "")
            help = f"ask one of them: `{one} of {name}`" if one else "let all of these dice show numbers, or all words"
            raise self.fault(cell, node, "wrong-type", f"`{name}` shows numbers on some dice and words on others", help)
        type = type_of_faces(faces, self.ruleset.words.values())
        inner = scope.inside({FACE: type if isinstance(type, Word) else numbers_on(dice.parts)})
        return _Dice(found, type, inner, self._of_faces(cell, node, inner))

    def _of_faces(self, cell: Cell, node: s.Members, scope: Scope) -> Callable[[World, Env], Value]:
        """What a face must be to be meant."""
        return _always if node.where is None else self.face_is(cell, node.where, scope).run

    def face_is(self, cell: Cell, node: s.Node, scope: Scope) -> Term:
        """A condition on a face, which has its name in `scope`."""
        where = self.flag(cell, node, scope)
        self.inner.append(Inner(cell, node, where, scope.find(FACE)))
        return where

    def _of_dice(self, cell: Cell, node: s.Count | s.Total | s.Extreme, dice: _Dice) -> Term:
        """`number of hits where (..)`, `total face of hits`, `highest face of hits`."""
        if isinstance(node, s.Count) and isinstance(dice.roll.type, Hand) and node.members.where is None:
            return Term(lambda world, env: over(world, dice.roll.run(world, env), lambda held: held.number()), Number())
        if isinstance(node, s.Count):
            return Term(lambda world, env: dice.number(world, env, dice.where), Number())
        if isinstance(node, s.Total):
            self._numeric(cell, node, Term(dice.where, dice.type))
            return Term(dice.total, Number())
        words = dice.type.words if isinstance(dice.type, Word) else None
        left, highest, nth = self._nobody_left(cell, node), node.highest, node.nth

        def run(world: World, env: Env) -> Value:
            best = somebodys(
                world.shop, dice.ranked(world, env, t.Rank(words) if words else _itself, highest, nth), left
            )
            return world.shop.lift(t.WordAt(words), best) if words else best

        return Term(run, dice.type)

    def _of_cards(self, cell: Cell, node: s.Total | s.Extreme, cards: _Dice) -> Term:
        """`total worth of hand`, `highest worth of hand where (..)`: of what the cards bear."""
        one = Term(lambda world, env: env[FACE], cards.type)
        borne = self.names.attribute(cell, node, one, node.name, None, cards.scope)
        if borne is None:
            raise self.names.unknown(cell, node, node.name, self.names.nearby.of(cards.type))
        self._numeric(cell, node, borne)

        def worth(world: World, env: Env, face: Face) -> Value:
            return borne.run(world, {**env, FACE: face})

        if isinstance(node, s.Total):
            return Term(partial(cards.total, worth=worth), Number())
        left, highest, nth = self._nobody_left(cell, node), node.highest, node.nth

        def run(world: World, env: Env) -> Value:
            best = cards.ranked(world, env, partial(worth, world, env), highest, nth)
            return somebodys(world.shop, best, left)

        return Term(run, Number())

    def _end_of_dice(self, cell: Cell, node: s.Extreme, scope: Scope) -> Term | None:
        """`highest roll of damage`: the most, or the least, that printed dice can show."""
        found = self.names.try_reading(cell, node.members, node.members.path, scope)
        if found is None or not isinstance(found.type, SomeDice) or node.who or node.members.where or node.nth != 1:
            return None
        of, end = found.run, _highest if node.highest else _lowest
        return Term(lambda world, env: over(world, of(world, env), end), Number())

    def _some_dice(self, cell: Cell, node: s.Quantified, dice: _Dice, test: tuple[Cell, s.Test] | None) -> Term:
        """`any face of hits is 6`, `no face of hits where (..)`, `every face of hits is at least 4`."""
        check: Callable[[World, Env], Value] = _always
        if test is not None:
            face = self.test(test[0], test[1], t.subject(FACE, dice.type), dice.scope)
            self.inner.append(Inner(*test, face, dice.scope.find(FACE), self._text(cell, node)))
            check = face.run

        def fits(world: World, env: Env) -> Value:
            return world.shop.and_(dice.where(world, env), check(world, env))

        def unfitting(world: World, env: Env) -> Value:
            return world.shop.and_(dice.where(world, env), world.shop.not_(check(world, env)))

        def run(world: World, env: Env) -> Value:
            shop = world.shop
            fitting = dice.number(world, env, fits)
            some = shop.lift(c.at_least, fitting, 1)
            if node.quantifier == "any":
                return some
            if node.quantifier == "no":
                return shop.not_(some)
            return shop.and_(some, shop.not_(shop.lift(c.at_least, dice.number(world, env, unfitting), 1)))

        return Term(run, Flag())

    # ---- sets --------------------------------------------------------------------------------------------
    def members(self, cell: Cell, node: s.Node, scope: Scope) -> SetTerm:
        if not isinstance(node, s.Members):
            raise self.fault(cell, node, "wrong-type", "a set is needed here, such as `units of side`")
        base = self.names.base_set(cell, node, scope)
        if node.other:
            base = self.names.others(cell, node, base, scope)
        if node.where is None:
            return base
        whose = self.names.whose(node, scope)
        where = self.flag(cell, node.where, scope.inside({base.each: base.type}, whose=whose))
        self.inner.append(Inner(cell, node.where, where, scope.find(FACE), of=base.tree))
        of, each = base.run, base.each

        def run(world: World, env: Env) -> Members:
            out = []
            for member, guard in of(world, env):
                fits = world.shop.given(guard, partial(where.run, world, {**env, each: member}))
                guard = world.shop.and_(guard, fits)
                if guard is not False:
                    out.append((member, guard))
            return out

        return SetTerm(run, each, base.type, trees.Where(base.tree, where.tree, each))


def spoken_of(scope: Scope, members: SetTerm) -> tuple[str, Scope]:
    """Who something is said of, and where: a member has his name there, and does not speak. `any unit of enemy is foe`
    names the foe of whoever speaks; if that is a unit too, the member goes by a name that nobody can have."""
    each = members.each
    return each if scope.find(each) is None else f"{each}, a member", scope.inside({each: members.type}, ())


def _its_face(world: World, env: Env, face: Face) -> Value:
    return face


@dataclass(frozen=True, slots=True)
class _Dice:
    """The dice of a roll, or the cards of a hand, as a set of faces: those of which `where` holds; `type` is what a
    face is."""

    roll: Term
    type: Type
    scope: Scope
    where: Callable[[World, Env], Value]

    def number(self, world: World, env: Env, of: Callable[[World, Env], Value]) -> Value:
        """How many faces there are of which something holds; of dice that were not thrown there are none."""

        def one(_: int, face: Face) -> Value:
            return world.shop.if_(of(world, {**env, FACE: face}), 1, 0)

        return self._sum(world, env, one)

    def total(self, world: World, env: Env, worth: Callable[[World, Env, Face], Value] = _its_face) -> Value:
        def counted(_: int, face: Face) -> Value:
            return world.shop.if_(self.where(world, {**env, FACE: face}), worth(world, env, face), 0)

        return self._sum(world, env, counted)

    def _sum(self, world: World, env: Env, one: Callable[[int, Face], Value]) -> Value:
        return over(world, self.roll.run(world, env), lambda thrown: thrown.sum_of(one), nothing=0)

    def ranked(self, world: World, env: Env, worth: Callable[..., Value], highest: bool, nth: int) -> Value:
        def counts(face: Face) -> Value:
            return self.where(world, {**env, FACE: face})

        thrown = self.roll.run(world, env)
        return over(world, thrown, lambda thrown: thrown.ranked(worth, counts, highest, nth))


def _always(world: World, env: Env) -> Value:
    return True


def _highest(dice: Handful) -> int:
    return dice.highest


def _lowest(dice: Handful) -> int:
    return dice.lowest


def _itself(face: Face) -> Face:
    return face


def denied(flag: Term) -> Term:
    return Term(lambda world, env: world.shop.not_(flag.run(world, env)), Flag(), trees.Not(flag.tree))


def _condition_first(cell: Cell, node: s.Node) -> str:
    """How what is yes or no is said behind a test of something else."""
    it = " ".join(cell.text[node.at[0] : node.at[1]].split())
    it = it if it and len(it) <= LONGEST_SAID else "it"
    return f"a condition goes first: `{it} or ..`; or write `{it} is yes`"


def _of_somebody(subject: Term, other: Term, same: Term) -> Term:
    """Whether two values are the same one's: the foes of two who have none are not the same foe."""
    if trees.always(subject.tree) or trees.always(other.tree):
        return same
    of, is_same = subject.run, same.run

    def run(world: World, env: Env) -> Value:
        found = is_same(world, env)  # both are asked, as where one is more than the other
        return found if found is False else world.shop.and_(found, world.shop.lift(c.somebody, of(world, env)))

    return Term(run, Flag(), trees.Joined((same.tree, trees.IsSomebody(subject.tree)), True))


def _joined(flags: Sequence[Term], all_of: bool) -> Term:
    """Whether all of some conditions hold, or any."""
    parts = tuple(flag.run for flag in flags)
    return Term(partial(_in_turn, parts, all_of), Flag(), trees.Joined(tuple(flag.tree for flag in flags), all_of))


def _in_turn(parts: tuple[Callable[[World, Env], Value], ...], all_of: bool, world: World, env: Env) -> Value:
    """Conditions asked one after the other, as far as need be: whether all hold, or any; what is nobody's does not."""
    shop = world.shop
    out: Value = all_of
    for part in parts:
        if type(out) is Sym:
            more = shop.given(out if all_of else shop.not_(out), partial(part, world, env))
        else:
            more = part(world, env)
        out = shop.and_(out, more) if all_of else shop.or_(out, more)
        if out is not all_of and type(out) is bool:
            break
    return False if out is None else out


def _who_is_first(cell: Cell, node: s.Extreme, one: Thing, other: Thing) -> Faulty:
    end = "highest" if node.highest else "lowest"
    return Faulty.one(
        "order-unknown",
        f"{one} and {other} may both have the {end} {node.name}, and which of them came first hangs on dice",
        cell.span(node),
        help="of those who are level it would be the first; let what they are ranked by tell them apart",
    )
