"""Charts written out as Python: one function for each, made from the trees of its sentences (`binding/trees`).

A chart is mostly read where all that it asks is known, and nobody wants its causes told: in a playing without a trace,
while the state of the chances is built, for every choice that is tried. Its closures then ask in every sentence whether
a value is known, and carry conditions along that are only yes or no. The function written here asks neither: names are
locals, what several rows read is read once, rows follow each other as `if` after `if`.

What it gives is what the closures give, and what they note is noted: each chart and group that is asked is asked in the
same order and under the same conditions, and which rows counted comes back as the bits of a number. Whatever it cannot
answer for, a value that is not known, or a fault of any kind, ends it (`Unread`, or an error of Python's); then the
closures read the chart anew, and tell the fault with its place. So it need not be careful: an error is never wrong.

Beside `proving/writing/fusing` this is the only module that writes code. It is written from trees alone, whose nodes
are ours: of a designer's text nothing gets into it. A name, a word, a number that is no small whole one is put into the
function's own globals under a number, `c7`; locals are numbered too. Of Python's builtins only what is named here is
among those globals.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from fractions import Fraction
from math import lcm
from typing import TypeAlias

from closecombat.binding import trees as w
from closecombat.binding.bound import BoundGrid, BoundRow, BoundTable
from closecombat.binding.terms import SetTerm, Term, as_number
from closecombat.playing.columns import LONG, Bits, columns_of
from closecombat.playing.keyed import AT_ONE_STROKE, Places, keys_of
from closecombat.playing.lookup import Locate, locating
from closecombat.proving.throws.dice import Thrown
from closecombat.proving.values.arithmetic import ROUNDED, ceiling, floor
from closecombat.proving.values.symbolic import Sym, Value
from closecombat.reading.model import Heading
from closecombat.reading.types import Exact, Number, Word, divide, exact
from closecombat.text.faults import Faulty

Function: TypeAlias = Callable[..., Value]  # of a run and the subjects: a value and which rows counted, or the members
SEVERAL = 2  # places of the state for which it is worth while to keep their keys
MOST_WRITTEN = 10**9  # a whole number below this is written as it is


class Unread(Exception):
    """Something is not known, or would be a fault."""


def unread() -> Value:
    raise Unread


def divided(a: Exact, b: Exact) -> Exact:
    """A quotient; one by 0 is a fault."""
    if not b:
        raise Unread
    return a if type(b) is int and b == 1 else divide(a, b)


FAILURES = (Unread, Faulty, LookupError, TypeError)  # by which a function says that it has no answer


class Writer:
    """Writes the lines of one function."""

    def __init__(self, proving: bool, about: Sequence[str]) -> None:
        self.proving = proving
        self.args = [f"a{at}" for at, _ in enumerate(about)]
        self.names = dict(zip(about, self.args, strict=True))  # who goes by a name: his local
        self.outer: dict[str, str] = {}  # of a sentence, who goes by a name outside of it
        self.space: dict[str, Value] = {
            "__builtins__": {},
            "bisect_left": bisect_left,
            "bisect_right": bisect_right,
            "Sym": Sym,
            "Thrown": Thrown,
            "divided": divided,
            "exact": exact,
            "int": int,
            "keys_of": keys_of,
            "KeyError": KeyError,
            "len": len,
            "type": type,
            "unread": unread,
            **ROUNDED,
        }
        self.head: list[str] = []  # what is said once, before anything is read
        self.lines: list[str] = []
        self.depth = 1
        self.locals = 0
        self.known: dict[w.Tree, str] = {}  # what stands in a local already
        self.asks: set[str] = set()  # what is asked of the run
        self.ones: dict[str, str] = {}  # the one thing of a kind: its local

    # ---- lines -------------------------------------------------------------------------------------------
    def line(self, text: str) -> None:
        self.lines.append("    " * self.depth + text)

    @contextmanager
    def block(self, text: str) -> Iterator[None]:
        self.line(text)
        self.depth += 1
        known = dict(self.known)
        try:
            yield
        finally:
            self.depth -= 1
            self.known = known

    def local(self) -> str:
        self.locals += 1
        return f"v{self.locals}"

    def constant(self, value: Value) -> str:
        """A value as an expression: what is not our own goes by a number."""
        if value is None or type(value) is bool or (type(value) is int and abs(value) < MOST_WRITTEN):
            return f"({value!r})" if type(value) is int and value < 0 else repr(value)
        name = f"c{len(self.space)}"
        self.space[name] = value
        return name

    def of_run(self, what: str) -> str:
        """Something of the run that is asked, as a local."""
        if what not in self.asks:
            self.asks.add(what)
            self.head.append(f"    {what} = world.{what}")
        return what

    def put(self, expression: str) -> str:
        """An expression in a local, worked out here."""
        return expression if expression.isidentifier() else self.begun(expression)

    def begun(self, expression: str) -> str:
        """A local that changes further on."""
        name = self.local()
        self.line(f"{name} = {expression}")
        return name

    def checked(self, expression: str) -> str:
        """A value that may not be known yet."""
        if not self.proving:
            return expression
        name = self.local()
        return f"({name} if type({name} := {expression}) is not Sym else unread())"

    # ---- values ------------------------------------------------------------------------------------------
    def value(self, tree: w.Tree) -> str:
        """An expression for a tree; what takes more than one stands before it."""
        if tree in self.known:
            return self.known[tree]
        match tree:
            case w.Const(value):
                return self.constant(value)
            case w.Name(name):
                return self.names[name]
            case w.Only(kind):
                return self.only(kind)
            case w.OfFact():
                return self.fact(tree)
            case w.IsInPlay(owner):
                return self.of(owner, lambda who: self.checked(f"{self.of_run('slots')}[({who}, 'in-play')]"))
            case w.Asked():
                return self.asked(tree)
            case w.Reading(option):
                return self.checked(f"{self.of_run('option')}({self.constant(option)})")
            case w.Total(roll):
                name = self.local()
                total = self.checked(f"{name}.total()")
                return f"({total} if type({name} := {self.value(roll)}) is Thrown else {name})"
            case w.Counted(value):
                if w.always(value):
                    return self.value(value)
                name = self.local()
                return f"({name} if ({name} := {self.value(value)}) is not None else unread())"
            case w.Signed():
                return self.signed(tree)
            case w.Rounded(way, value):
                return self.rounded(way, value)
            case w.Ranked(words, word):
                places = self.constant({None: None, **{one: at for at, one in enumerate(words)}})
                return f"{places}[{self.value(word)}]"
            case w.Best():
                return self.best(tree)
            case w.HowMany(of):
                number = self.begun("0")
                for _ in self.members(of):
                    self.line(f"{number} += 1")
                return number
            case w.Sum(of, worth):
                total = self.begun("0")
                for name in self.members(of):
                    with self.called(of.each, name):
                        self.line(f"{total} = {self.sum_of(total, self.value(uncounted(worth)), is_whole(worth))}")
                return total
            case w.Extreme():
                return self.extreme(tree)
            case w.Call(run):
                return self.checked(f"{self.constant(run)}(world, {self.env()})")
        return self.condition(tree)

    def env(self) -> str:
        """Who is who, for a closure."""
        inner = [(name, local) for name, local in self.names.items() if self.outer.get(name) != local]
        if self.outer and not inner:
            return "env"
        said = (f"{self.constant(name)}: {local}" for name, local in inner)
        return f"{{{', '.join([*(['**env'] if self.outer else []), *said])}}}"

    def only(self, kind: str) -> str:
        if kind not in self.ones:
            self.ones[kind] = self.local()
        return self.ones[kind]

    def of(self, owner: w.Tree, told: Callable[[str], str]) -> str:
        """What is told of somebody; of nobody it is nobody."""
        who = self.value(owner)
        if w.always(owner):
            return told(who)
        if not who.isidentifier():
            name = self.local()
            return f"(None if ({name} := {who}) is None else {told(name)})"
        return f"(None if {who} is None else {told(who)})"

    def fact(self, tree: w.OfFact) -> str:
        name = self.constant(tree.fact)
        word = "" if tree.word is None else self.value(tree.word)
        if tree.word is not None and not w.always(tree.word):
            word = self.put(word)

        def told(who: str) -> str:
            if tree.at_start or tree.assumed:
                ask = self.of_run("fact_at_start" if tree.at_start else "fact")
                return self.checked(f"{ask}({', '.join(filter(None, (who, name, word)))})")
            return self.checked(f"{self.of_run('slots')}[({slot_of(who, name, word)})]")

        if tree.word is not None and not w.always(tree.word):
            return self.of(tree.owner, lambda who: f"(None if {word} is None else {told(who)})")
        return self.of(tree.owner, told)

    def asked(self, tree: w.Asked) -> str:
        args, missing = [], []
        for arg in tree.args:
            one = self.value(arg)
            if not w.always(arg):
                name = one if one.isidentifier() else self.local()
                missing.append(f"({name} is None)" if one == name else f"(({name} := {one}) is None)")
                one = name
            args.append(one)
        ask = self.of_run("column" if tree.column else "table")
        said = self.checked(f"{ask}({self.constant(tree.name)}, ({', '.join(args)}{',' if len(args) == 1 else ''}))")
        return f"(None if {' | '.join(missing)} else {said})" if missing else said

    def sum_of(self, left: str, right: str, whole: bool) -> str:
        return f"({left} + {right})" if whole else self.exactly(f"{left} + {right}")

    def exactly(self, expression: str) -> str:
        name = self.local()
        return f"({name} if type({name} := {expression}) is int else exact({name}))"

    def signed(self, tree: w.Signed) -> str:
        left, right = self.value(uncounted(tree.left)), self.value(uncounted(tree.right))
        if tree.sign == "/":
            return f"divided({left}, {right})"
        if is_whole(tree):
            return f"({left} {tree.sign} {right})"
        return self.exactly(f"{left} {tree.sign} {right}")

    def rounded(self, way: str, value: w.Tree) -> str:
        inner = self.value(value)
        if is_whole(value):
            return inner
        name = self.local()
        return f"({name} if type({name} := {inner}) is int else {way}({name}))"

    def best(self, tree: w.Best) -> str:
        best, place = self.local(), self.local()
        ranks = self.constant({one: at for at, one in enumerate(tree.words)}) if tree.words else ""
        for at, value in enumerate(tree.values):
            one = self.put(self.value(w.Counted(value)))
            if not ranks:
                better = f"if {one} {'>' if tree.highest else '<'} {best}:"
                with self.block(better if at else "if True:"):
                    self.line(f"{best} = {one}")
                continue
            there = self.put(f"{ranks}[{one}]")
            better = f"if {there} {'>' if tree.highest else '<'} {place}:"
            with self.block(better if at else "if True:"):
                self.line(f"{best} = {one}")
                self.line(f"{place} = {there}")
        return best

    def extreme(self, tree: w.Extreme) -> str:
        best, who = self.begun("None"), self.begun("None")
        ranks: dict[str | None, int | None] = {None: None, **{one: at for at, one in enumerate(tree.words)}}
        for name in self.members(tree.of):
            with self.called(tree.of.each, name):
                worth = self.value(tree.worth)
                one = self.put(f"{self.constant(ranks)}[{worth}]" if tree.words else worth)
            sign = ">" if tree.highest else "<"
            there = "" if w.always(tree.worth) else f"{one} is not None and "
            with self.block(f"if {there}({best} is None or {one} {sign} {best}):"):
                self.line(f"{best}, {who} = {one}, {name}")
        if tree.who:
            return who
        found = f"({best} if {best} is not None else unread())"
        return f"{self.constant(tree.words)}[{found}]" if tree.words else found

    # ---- conditions --------------------------------------------------------------------------------------
    def flag(self, tree: w.Tree) -> str:
        """Something that must be yes or no here: a flag of nobody is neither."""
        if isinstance(tree, w.CONDITIONS) or w.always(tree):
            return self.value(tree)
        name = self.local()
        return f"({name} if ({name} := {self.value(tree)}) is not None else unread())"

    def condition(self, tree: w.Tree) -> str:
        match tree:
            case w.Equal(left, w.Const(bool() as so)):
                said = self.value(left)
                if w.always(left):
                    return said if so else f"(not {said})"
                return f"({said} is {so})"
            case w.Equal(left, right):
                return f"({self.value(left)} == {self.value(right)})"
            case w.Compared(sign, left, right):
                (one, other), there = self.compared((left, right))
                return f"({' and '.join([*there, f'{one} {sign} {other}'])})"
            case w.Between(value, low, high):
                (one, least, most), there = self.compared((value, low, high))
                return f"({' and '.join([*there, f'{least} <= {one} <= {most}'])})"
            case w.IsSomebody(value):
                is_certain = w.always(value) and is_plain(value) and not may_fail(value)
                return "True" if is_certain else f"({self.value(value)} is not None)"
            case w.IsSo(flag):
                said = self.value(flag)
                return said if w.always(flag) else f"({said} is True)"
            case w.Not(flag):
                return f"(not {self.value(flag)})"
            case w.Joined(parts, all_of):
                one_of = None if all_of else written_words(parts)
                if one_of is not None:
                    return f"({self.value(one_of[0])} in {self.constant(one_of[1])})"
                return self.joined(parts, all_of)
            case w.Quantified():
                return self.quantified(tree)
            case w.IsIn(who, of):
                one, found = self.put(self.value(who)), self.begun("False")
                for name in self.members(of, breaks=True):
                    with self.block(f"if {name} is {one}:"):
                        self.line(f"{found} = True")
                        self.line("break")
                return found
        raise Unread

    def compared(self, values: Sequence[w.Tree]) -> tuple[list[str], list[str]]:
        """Values that are compared, and what must hold for that: that each is somebody's. All of them are asked, one
        after the other, where that is noted, or one may not be known, or be an error though another is nobody's."""
        out, there = [], []
        in_turn = not all(map(is_plain, values[1:]))
        in_turn |= any(map(may_fail, values)) and not all(map(w.always, values))
        for tree in values:
            said = self.put(self.value(tree)) if in_turn else self.value(tree)
            if not w.always(tree) or (self.proving and not isinstance(tree, w.Const)):
                name = said if said.isidentifier() else self.local()
                there.append(f"({name} is not None)" if said == name else f"(({name} := {said}) is not None)")
                said = name
            out.append(said)
        return out, [" & ".join(there)] if self.proving and there else there

    def joined(self, parts: tuple[w.Tree, ...], all_of: bool) -> str:
        """Conditions in turn: as one expression, as far as none of them takes lines of its own."""
        joint = " and " if all_of else " or "
        said = [self.flag(parts[0])]
        for at, part in enumerate(parts[1:], 1):
            lines, self.lines = self.lines, []
            known = dict(self.known)
            self.depth += 1
            one = self.flag(part)
            self.depth -= 1
            inner, self.lines = self.lines, lines
            if not inner:
                said.append(one)
                continue
            self.known = known
            so_far = self.local()
            self.line(f"{so_far} = {joint.join(said)}")
            with self.block(f"if {so_far if all_of else f'not {so_far}'}:"):
                self.line(f"{so_far} = {self.joined(parts[at:], all_of) if len(parts) > at + 1 else self.flag(part)}")
            return so_far
        return f"({joint.join(said)})" if len(said) > 1 else said[0]

    def quantified(self, tree: w.Quantified) -> str:
        every = tree.quantifier == "every"
        found = self.begun("False")
        all_are = self.begun("True") if every else ""
        for name in self.members(tree.of, breaks=True):
            if every:
                self.line(f"{found} = True")
            with self.called(tree.each, name):
                fits = "True" if tree.check is None else self.flag(tree.check)
            if every:
                with self.block(f"if not {fits}:"):
                    self.line(f"{all_are} = False")
                    self.line("break")
            else:
                with self.block(f"if {fits}:"):
                    self.line(f"{found} = True")
                    self.line("break")
        if every:
            return f"({found} and {all_are})"
        return f"(not {found})" if tree.quantifier == "no" else found

    # ---- sets --------------------------------------------------------------------------------------------
    @contextmanager
    def called(self, each: str, name: str) -> Iterator[None]:
        """Somebody goes by a name; what is known of another one of that name is not known of him."""
        names, known = dict(self.names), self.known
        if self.names.get(each, name) != name:
            hidden = w.Name(each)
            self.known = {tree: said for tree, said in known.items() if hidden not in w.within(tree)}
        self.names[each] = name
        try:
            yield
        finally:
            self.names, self.known = names, known

    def members(self, of: w.SetTree, breaks: bool = False) -> Iterator[str]:
        """The lines that follow are said of each member, who is the local that is given; goes round once. If they may
        break off, all members are found before anything is asked of one, where finding them is noted."""
        filters: list[w.AllBut | w.Where] = []
        base = of
        while isinstance(base, w.AllBut | w.Where):
            filters.append(base)
            base = base.of
        name = self.local()
        noted = any(isinstance(one, w.Where) and not is_plain(one.fits) for one in filters)
        before = self.begun("[]") if breaks and noted else ""
        with self.block(f"for {name}, {name}_in in {self.source(base)}:"):
            if self.proving:
                with self.block(f"if {name}_in is not True:"):
                    self.line("unread()")
            for one in reversed(filters):
                if isinstance(one, w.AllBut):
                    keeps = f"{name} is not {self.names[one.name]}"
                else:
                    with self.called(one.each, name):
                        keeps = self.flag(one.fits)
                with self.block(f"if not ({keeps}):"):
                    self.line("continue")
            if before:
                self.line(f"{before}.append({name})")
            else:
                yield name
        if before:
            with self.block(f"for {name} in {before}:"):
                yield name

    def source(self, base: w.SetTree) -> str:
        """Pairs of who may be a member, and whether he is."""
        match base:
            case w.MembersOf(owner, fact, at_start):
                return self.nobodys(
                    owner, lambda who: f"{self.of_run('members')}({who}, {self.constant(fact)}, {at_start})"
                )
            case w.Everyone(kind, at_start):
                return f"{self.of_run('everyone')}({self.constant(kind)}, {at_start})"
            case w.InGroup(name, owners):
                if not owners:
                    return f"{self.of_run('group')}({self.constant(name)}, ())"
                return self.nobodys(owners[0], lambda who: f"{self.of_run('group')}({self.constant(name)}, ({who},))")
            case w.CallSet(run):
                return f"{self.constant(run)}(world, {self.env()})"
        raise Unread

    def nobodys(self, owner: w.Tree, told: Callable[[str], str]) -> str:
        """A set of somebody; nobody has none."""
        who = self.value(owner)
        if w.always(owner):
            return told(who)
        name = self.put(who)
        return f"(() if {name} is None else {told(name)})"

    # ---- tables ------------------------------------------------------------------------------------------
    def table(self, bound: BoundTable) -> Function:
        self.read_once(list(trees_of(bound)), bound.value is not None)
        if bound.value is not None:
            self.answer(self.value(as_number(bound.value)), "0")
        else:
            match bound.table.policy:
                case "adds-up":
                    self.adds_up(bound)
                case "forbidden-if":
                    self.forbids(bound)
                case "first-of":
                    self.first(bound)
                case "one-of":
                    self.one(bound)
                case _:
                    self.outermost(bound)
        return self.function()

    def group(self, bound: SetTerm) -> Function:
        """The members of a group, each of whom is certainly one."""
        return self.listed(bound.tree)

    def listed(self, tree: w.SetTree) -> Function:
        out = self.begun("[]")
        for name in self.members(tree):
            self.line(f"{out}.append(({name}, True))")
        self.line(f"return {out}")
        return self.function()

    def answer(self, value: str, rows: str) -> None:
        """The end of a function: what the chart says, and for which rows."""
        self.line(f"return {value}, {rows}")

    def sentence(self, tree: w.Tree) -> Function:
        """A sentence, of the run and of who is who."""
        self.from_env(tree)
        self.line(f"return {self.value(tree)}")
        return self.function()

    def members_of(self, tree: w.SetTree) -> Function:
        """A set, of the run and of who is who: its members, each of whom is certainly one."""
        self.from_env(tree)
        return self.listed(tree)

    def from_env(self, tree: w.Tree | w.SetTree) -> None:
        """Whoever goes by a name outside of the sentence."""
        self.args = ["env"]
        names = (part.name for part in w.within(tree) if isinstance(part, w.Name | w.AllBut))
        for name in dict.fromkeys(names):
            self.names[name] = self.outer[name] = self.local()
            self.head.append(f"    {self.names[name]} = env.get({self.constant(name)})")

    def said_of_ones(self) -> None:
        """The one thing of a kind is looked up at the head, or where it is asked for if that is once."""
        for kind, name in self.ones.items():
            near, known = f"world.state.by_kind[{self.constant(kind)}][0]", re.compile(rf"\b{name}\b")
            if sum(len(known.findall(line)) for line in self.lines) > 1:
                self.head.append(f"    {name} = {near}")
            else:
                self.lines = [known.sub(near, line) for line in self.lines]

    def function(self) -> Function:
        self.said_of_ones()
        is_chart = self.args != ["env"]
        who = [f"    {listed(self.args)} = args"] if is_chart and self.args else []
        text = "\n".join([f"def read(world, {'args' if is_chart else 'env'}):", *who, *self.head, *self.lines])
        exec(compile(text, "<a chart>", "exec"), self.space)
        read: Function = self.space["read"]
        return read

    def read_once(self, sentences: Sequence[w.Tree], always: bool = False) -> None:
        """What several rows read of those the chart is about stands in a local from the beginning, or what any sentence
        does if they are `always` asked; the keys of other places stand there."""
        always = always and not self.proving
        often: dict[w.OfFact, int] = {}
        for tree in sentences:
            for part in dict.fromkeys(p for p in w.within(tree) if isinstance(p, w.OfFact) and self.is_about(p)):
                often[part] = often.get(part, 0) + 1
        facts = sorted(often, key=depth)
        together = [one for one in facts if (often[one] > 1 or always) and self.is_keyed(one)]
        apart = [one for one in facts if one not in together and self.is_keyed(one)]
        if len(together) + len(apart) >= SEVERAL:
            self.reads_by_keys(together, apart)
        for fact in facts:
            if (often[fact] > 1 or always) and fact not in self.known:
                self.known[fact] = self.put(self.value(fact))

    def is_keyed(self, fact: w.OfFact) -> bool:
        """Whether it is in a place of its own, whose key can be kept: of somebody that the chart is about, the one of a
        kind, or somebody whom such a fact names."""
        if self.proving or fact.assumed or fact.at_start or not w.always(fact.owner) or not self.args:
            return False
        if fact.word is not None and not isinstance(fact.word, w.Const):
            return False
        match fact.owner:
            case w.Name() | w.Only():
                return True
            case w.OfFact() as owner:
                return self.is_keyed(owner)
        return False

    def reads_by_keys(self, together: Sequence[w.OfFact], apart: Sequence[w.OfFact]) -> None:
        """Some places are read by the keys that are kept of those that the chart is read for; where a fact names
        another than before, his are found."""
        those: dict[w.Tree, int] = {w.Name(name): at for at, name in enumerate(self.names)}
        for fact in (*together, *apart):
            if isinstance(fact.owner, w.Only):
                those.setdefault(fact.owner, len(those))
        kinds = tuple(one.kind for one in those if isinstance(one, w.Only))
        owners = {fact.owner for fact in (*together, *apart)}
        checked = [one for one in together if one in owners]
        near = [one for one in apart if one in owners and one.owner in those]  # asked for each time one is asked of him
        named = (*checked, *near)
        for one in named:
            those[one] = len(those)
        apart = [one for one in apart if one.owner in those]
        ends = [tuple((those[one.owner], end_of(one)) for one in facts) for facts in (named, together, apart)]
        about, places = self.args[0] if len(self.args) == 1 else "args", self.constant(Places(kinds, *ends))
        known, slots = self.constant({}), self.of_run("slots")
        value = {one: self.local() for one in together}
        who = {one: self.local() for one in named}
        stroke = [self.local()] if len(together) >= AT_ONE_STROKE else []
        key = {one: self.local() for one in (*(() if stroke else together), *apart)}
        found = listed([*stroke, *key.values(), *who.values()])
        with self.block("try:"):
            self.line(f"{found} = {known}[{about}]")
        with self.block("except KeyError:"):
            self.line(f"{found} = keys_of(world, {known}, {places}, {about})")
        values = f"{stroke[0]}({slots})" if stroke else listed([f"{slots}[{key[one]}]" for one in together])
        if together:
            self.line(f"{listed(value.values())} = {values}")
        if checked:
            with self.block(f"if {' or '.join(f'{value[one]} is not {who[one]}' for one in checked)}:"):
                self.line(f"{found} = keys_of(world, {known}, {places}, {about})")
                self.line(f"{listed(value.values())} = {values}")
        for one in together:
            self.known[one] = value[one]
        for one in apart:
            self.known[one] = f"{slots}[{key[one]}]"
        for fact in apart:
            owner = fact.owner
            if not isinstance(owner, w.OfFact) or owner not in near:
                continue
            now, word = self.local(), self.constant(fact.word.value) if isinstance(fact.word, w.Const) else ""
            is_he = f"({now} := {self.known[owner]}) is {who[owner]}"
            others = f"{slots}[({slot_of(now, self.constant(fact.fact), word)})]"
            self.known[fact] = f"({slots}[{key[fact]}] if {is_he} else {others})"

    def is_about(self, tree: w.Tree | None) -> bool:
        """Whether a fact can be read before anything else, and nobody notes it."""
        match tree:
            case w.Name(name):
                return name in self.names
            case w.Only() | w.Const() | None:
                return True
            case w.OfFact(owner):
                return not tree.assumed and not tree.at_start and self.is_about(owner) and self.is_about(tree.word)
        return False

    @contextmanager
    def row(self, bound: BoundTable, row: BoundRow, breaks: bool = False, blocked: bool = True) -> Iterator[None]:
        """The lines that follow are said where a row holds, of each for whom it does; they may break off."""
        with self.held_open():
            if blocked and (others := bound.blockers.get(row.row.id)):
                self.unless(bound, others)
            if row.each is None:
                self.asks_tests([test.tree for test in row.tests])
                yield
                return
            self.asks_tests([test.tree for test in row.first])
            for name in self.members(row.each.tree, breaks):
                with self.called(row.each.each, name):
                    self.asks_tests([test.tree for test in row.tests])
                    yield

    @contextmanager
    def held_open(self) -> Iterator[None]:
        """Blocks that are opened meanwhile end with this one."""
        depth, known = self.depth, dict(self.known)
        try:
            yield
        finally:
            self.depth, self.known = depth, known

    def counts(self, row: BoundRow, at: int) -> None:
        """A row holds; its bit is added where that happens once, which is quicker."""
        self.line(f"rows {'+' if row.each is None else '|'}= {1 << at}")

    def asks_tests(self, tests: list[w.Tree]) -> None:
        if tests:
            self.line(f"if {self.joined(tuple(tests), True)}:")
            self.depth += 1

    def unless(self, bound: BoundTable, others: tuple[str, ...]) -> None:
        """Goes on where none of some rows holds."""
        rows = {row.row.id: row for row in bound.rows}
        for other in others:
            if other not in rows:
                continue
            blocks = self.begun("False")
            with self.row(bound, rows[other], breaks=True, blocked=False):
                self.line(f"{blocks} = True")
                if rows[other].each is not None:
                    self.line("break")
            self.line(f"if not {blocks}:")
            self.depth += 1

    def verdict(self, bound: BoundTable, row: BoundRow) -> str:
        return "None" if row.verdict is None else self.value(as_number(row.verdict))

    def otherwise(self, bound: BoundTable) -> str:
        return "unread()" if bound.otherwise is None else self.value(as_number(bound.otherwise))

    def in_columns(self, bound: BoundTable) -> Bits:
        """The rows of a long table that hold, of those that stand in columns; and which these are."""
        if len(bound.rows) < LONG:
            self.line("rows = 0")
            return 0
        columns, inside = columns_of(bound, self.is_about)
        said = []
        for column in columns:
            fact, found = self.value(column.fact), self.constant(column.by_value)
            if column.ends:
                ends, between = self.constant(column.ends), self.constant(column.between)
                fact = self.put(fact)
                near = f"{between}[bisect_left({ends}, {fact}) + bisect_right({ends}, {fact})]"
                said.append(f"({near} if {fact} is not None else {found}[None])")
            else:
                said.append(f"{found}[{fact}]")
        self.line(f"rows = {' & '.join([*said, self.constant(inside)])}")
        return inside

    def adds_up(self, bound: BoundTable) -> None:
        start = bound.start.tree if bound.start is not None else w.const(0)
        self.line(f"total = {self.value(start)}")
        whole = is_whole(start)
        amounts = [_amount(row.verdict.tree) if row.verdict is not None else None for row in bound.rows]
        short = None in amounts or any(row.row.verb != "add" for row in bound.rows)
        inside = self.none_in_columns() if short else self.in_columns(bound)
        alike: dict[int, Bits] = {}
        for at, amount in enumerate(amounts):
            if amount is not None and inside >> at & 1:
                alike[amount] = alike.get(amount, 0) | 1 << at
        for amount, rows in alike.items():
            self.line(f"total += {self.constant(amount)} * (rows & {self.constant(rows)}).bit_count()")
        for at, row in enumerate(bound.rows):
            if inside >> at & 1:
                continue
            if row.verdict is None:
                raise Unread
            verdict = uncounted(row.verdict.tree)
            with self.row(bound, row):
                value = self.value(verdict)
                if row.row.verb == "add":
                    whole = whole and is_whole(verdict)
                    self.line(f"total += {value}" if whole else f"total = {self.exactly(f'total + {value}')}")
                else:
                    whole = False
                    product = self.exactly(f"total * {value}")
                    if row.row.rounded:
                        name = self.local()
                        product = f"({name} if type({name} := {product}) is int else {row.row.rounded}({name}))"
                    self.line(f"total = {product}")
                self.counts(row, at)
        for term, sign in ((bound.at_least, ">"), (bound.at_most, "<")):
            if term is not None:
                limit = self.put(self.value(term.tree))
                with self.block(f"if {limit} {sign} total:"):
                    self.line(f"total = {limit}")
        self.answer("total", "rows")

    def none_in_columns(self) -> Bits:
        self.line("rows = 0")
        return 0

    def forbids(self, bound: BoundTable) -> None:
        inside = self.in_columns(bound)
        for at, row in enumerate(bound.rows):
            if not inside >> at & 1:
                with self.row(bound, row):
                    self.counts(row, at)
        self.answer("rows != 0", "rows")

    def first(self, bound: BoundTable) -> None:
        for at, row in enumerate(bound.rows):
            with self.row(bound, row, breaks=True):
                self.answer(self.verdict(bound, row), f"{1 << at}")
        self.answer(self.otherwise(bound), "0")

    def one(self, bound: BoundTable) -> None:
        self.line("rows = 0")
        self.line("out = None")
        for at, row in enumerate(bound.rows):
            with self.row(bound, row):
                value = self.verdict(bound, row) if row.each is None else self.put(self.verdict(bound, row))
                twice = f" or rows and out != {value}" if row.each is not None else ""
                with self.block(f"if rows & ~{1 << at}{twice}:"):
                    self.line("unread()")
                self.line(f"out = {value}")
                self.counts(row, at)
        self.out_or_otherwise(bound)

    def outermost(self, bound: BoundTable) -> None:
        """The highest of what the rows say, or the lowest."""
        sign = ">" if bound.table.policy == "highest-of" else "<"
        words = bound.type.words if isinstance(bound.type, Word) else ()
        ranks = self.constant({one: at for at, one in enumerate(words)}) if words else ""
        self.line("rows = 0")
        self.line("out = best = None")
        for at, row in enumerate(bound.rows):
            with self.row(bound, row):
                value = self.put(f"{self.verdict(bound, row)}")
                worth = self.put(f"{ranks}[{value}]" if ranks else value)
                with self.block(f"if not rows or {worth} {sign} best:"):
                    self.line(f"out, best = {value}, {worth}")
                self.counts(row, at)
        self.out_or_otherwise(bound)

    def out_or_otherwise(self, bound: BoundTable) -> None:
        with self.block("if rows:"):
            self.answer("out", "rows")
        self.answer(self.otherwise(bound), "0")

    # ---- grids -------------------------------------------------------------------------------------------
    def grid(self, bound: BoundGrid) -> Function:
        """A grid; that it was read is told by the bit of itself."""
        grid = bound.grid
        asked = (bound.down, *bound.across, bound.shift)
        self.read_once([term.tree for term in asked if term is not None], always=True)
        line = self.heading(bound, grid.lines, (bound.down,), None) if bound.down is not None else "0"
        cells = self.constant(bound.cells[0] if line == "0" else bound.cells)
        line = self.put(line) if bound.down is not None else line
        column = self.put(self.column(bound)) if bound.notes else self.column(bound)
        cell = f"{cells}[{column}]" if bound.down is None else f"{cells}[{line}][{column}]"
        if bound.notes:
            printed, least = self.constant(bound.explained), min(map(len, bound.explained))
            inside = f"{line} < {len(bound.explained)} and {column} < {least}"
            note = self.put(f"{printed}[{line}][{column}] if {inside} else {len(bound.notes)}")
            for at, term in enumerate(bound.notes, 1):
                with self.block(f"if {note} == {at}:"):
                    self.answer(self.value(as_number(term)), "1")
        if any(value is None for values in bound.cells for value in values):
            found = self.put(cell)
            with self.block(f"if {found} is None:"):
                self.line("unread()")
            cell = found
        self.answer(cell, "1")
        return self.function()

    def column(self, bound: BoundGrid) -> str:
        if not bound.across:
            return "0"
        shift = None
        if bound.shift is not None:
            shift = self.put(self.value(bound.shift.tree))
            with self.block(f"if type({shift}) is not int:"):
                self.line("unread()")
        return self.heading(bound, bound.grid.columns, bound.across, shift)

    def heading(self, bound: BoundGrid, headings: tuple[Heading, ...], of: tuple[Term, ...], shift: str | None) -> str:
        """The index of the heading that covers a value, or a ratio; what is off the ends is found by whoever knows
        what then holds."""
        locate = locating(bound, headings)
        found = self.constant(locate)
        values = [self.put(self.value(as_number(one))) for one in of]
        if len(values) == 2:
            index = f"{found}({values[0]}, {values[1]}, 0)"
            steps = quotients(locate, headings) if all(is_whole(as_number(one)) for one in of) else None
            if steps is not None:
                scale, ends, indices = steps
                near = f"bisect_right({self.constant(ends)}, {values[0]} * {self.constant(scale)} // {values[1]})"
                index = f"{self.constant(indices)}[{near}] if {values[1]} > 0 else {index}"
        else:
            quickly = self.constant(found_at_once(locate, headings))
            index = f"{quickly}[{values[0]}] if {values[0]} in {quickly} else {found}({values[0]}, 1, 0)"
        if shift is None:
            return index
        index, last = self.put(index), len(headings) - 1
        moved = f"{index} + {shift}"
        return f"{index} if {index} > {last} else 0 if {moved} < 0 else {last} if {moved} > {last} else {moved}"


MOST_AT_ONCE = 200


def found_at_once(locate: Locate, headings: tuple[Heading, ...]) -> dict[Value, int]:
    """Where the words of a grid's headings are found, or the whole numbers that they cover."""
    if any(one.word for one in headings):
        return {one.text: locate(one.text, 1, 0) for one in headings}
    ends = [end for one in headings for end in (one.low, one.high) if end is not None]
    numbers = range(floor(min(ends)), ceiling(max(ends)) + 1) if ends else range(0)
    out: dict[Value, int] = {}
    for number in numbers if len(numbers) <= MOST_AT_ONCE else ():
        with suppress(Faulty):
            out[number] = locate(number, 1, 0)
    return out


def quotients(locate: Locate, headings: tuple[Heading, ...]) -> tuple[int, list[int], list[int | None]] | None:
    """For quotients of whole numbers: a scale on which the ends of all headings are whole, those ends, and the heading
    that covers whatever is below the first, between it and the next, and so on; None is off the chart. Where an end is
    covered by another heading than what lies above it, there is none of this."""
    ends = sorted({end for one in headings for end in (one.low, one.high) if end is not None})
    if not ends:
        return None

    def covers(value: Fraction) -> int | None:
        try:
            return locate(value.numerator, value.denominator, 0)
        except Faulty:
            return None

    middles = [(end + after) / 2 for end, after in zip(ends, [*ends[1:], ends[-1] + 2], strict=True)]
    found = [covers(Fraction(one)) for one in middles]
    if [covers(Fraction(end)) for end in ends] != found:
        return None
    scale = lcm(*(end.denominator for end in ends))
    return scale, [int(end * scale) for end in ends], [covers(Fraction(ends[0] - 1)), *found]


# ---- what is known of a tree beforehand -------------------------------------------------------------------


def listed(names: Iterable[str]) -> str:
    """Several as one, one too."""
    return f"{', '.join(names)},"


def is_whole(tree: w.Tree) -> bool:
    """Whether it is certainly a whole number, if it is one at all."""
    match tree:
        case w.Const(value):
            return type(value) is int
        case w.OfFact(type=Number(low=low)):
            return low is not None
        case w.Counted(value):
            return is_whole(value)
        case w.Signed("+" | "-" | "*", left, right):
            return is_whole(left) and is_whole(right)
        case w.Sum(_, worth):
            return is_whole(worth)
        case w.HowMany() | w.Ranked() | w.Rounded():
            return True
    return False


def _amount(verdict: w.Tree) -> int | None:
    """What a row adds, if a whole number stands in it."""
    match verdict:
        case w.Counted(w.Const(int(amount))):
            return amount
    return None


def end_of(fact: w.OfFact) -> tuple[Value, ...]:
    """What the slot of a fact ends with, behind whose it is."""
    return (fact.fact, fact.word.value, "per word") if isinstance(fact.word, w.Const) else (fact.fact, "fact")


def slot_of(who: str, name: str, word: str) -> str:
    return f"{who}, {name}, {word}, 'per word'" if word else f"{who}, {name}, 'fact'"


def written_words(parts: tuple[w.Tree, ...]) -> tuple[w.Tree, tuple[str, ...]] | None:
    """Which value is held against which words, where it is enough that it is one of them."""
    words, of = [], None
    for part in parts:
        match part:
            case w.Equal(left, w.Const(str() as word)) if of in (None, left) and is_plain(left):
                words.append(word)
                of = left
            case _:
                return None
    return (of, tuple(words)) if of is not None else None


def may_fail(tree: w.Tree) -> bool:
    """Whether something in it counts on a value that may be nobody's, or divides."""
    return any(
        isinstance(part, w.Extreme | w.Sum | w.Best)
        or (isinstance(part, w.Counted) and not w.always(part.value))
        or (isinstance(part, w.Signed) and part.sign == "/")
        for part in w.within(tree)
    )


def uncounted(tree: w.Tree) -> w.Tree:
    """Where the sum of nobody's would be an error anyway."""
    return tree.value if isinstance(tree, w.Counted) else tree


def is_plain(tree: w.Tree | w.SetTree) -> bool:
    """Whether nobody notes that it is asked."""
    return not any(
        isinstance(part, w.Asked | w.Call | w.CallSet | w.InGroup | w.Reading)
        or (isinstance(part, w.OfFact) and part.assumed)
        for part in w.within(tree)
    )


def trees_of(bound: BoundTable) -> Iterator[w.Tree]:
    """The sentences of a table."""
    for row in bound.rows:
        yield from (test.tree for test in (*row.first, *row.tests))
    terms = (bound.value, bound.otherwise, bound.start, bound.at_least, bound.at_most, *(r.verdict for r in bound.rows))
    yield from (term.tree for term in terms if term is not None)


def trees_of_grid(bound: BoundGrid) -> Iterator[w.Tree]:
    """The sentences of a grid."""
    terms = (bound.down, *bound.across, bound.shift, *bound.notes)
    yield from (term.tree for term in terms if term is not None)


def depth(tree: w.Tree) -> int:
    """How many are asked before it."""
    return 1 + depth(tree.owner) if isinstance(tree, w.OfFact) else 0
