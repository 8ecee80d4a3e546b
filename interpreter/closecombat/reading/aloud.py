"""Rows as people say them: English made from the parsed sentence, never from its text.

`{target: broken, side of attack: attacker, add: -2}` is *the target is broken, and the side of the attack is the
attacker*. A fact or a table may say how it is said (`says:`): of a flag the phrase, `is in a boat`; of a value that
with three dots in its place, `has ... points left`, or a noun, `units over the limit`. Everything else is said by its
name. A row for which no such sentence is good says itself how it is said.

Names are looked up as a reader would, not as the binder does: the nearest of that name. So what is said here decides
nothing; and whatever no player would say, a name with hyphens or a bracket in a bracket, is noted in `unsaid`, of
which `check` makes a finding.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction
from itertools import pairwise
from types import MappingProxyType

from closecombat.reading import syntax as s
from closecombat.reading.model import Act, Asked, Fact, Grid, Named, Option, Row, Ruleset, Table
from closecombat.reading.model import Sequence as Chain
from closecombat.reading.phrases import (
    BOTH_WAYS,
    GAP,
    denied,
    has_subject,
    is_of,
    listed,
    of_flag,
    of_many,
    plural,
    sentence,
    with_the,
)
from closecombat.reading.types import AThing, Flag, Things, Word
from closecombat.text.slotted import dataclass

Known = Fact | Table | Grid
Chart = Table | Grid | Chain
START, AT_START = "-at-start", " at the start"
OTHER = "other-"  # before the name of a member of a set without the one who speaks
FACE = "face"  # of a die, as it stands
ORDINALS = ("", "second ", "third ", "fourth ", "fifth ", "sixth ")
SIGNS: Mapping[str, str] = MappingProxyType(
    {"least": "at least ", "most": "at most ", "more": "more than ", "less": "less than "}
)


@dataclass(frozen=True, slots=True)
class Said:
    """A statement: of whom, and what; without `whom` it is a sentence already. `own` if it is said of the one whom the
    chart is about, `of_own` if of something that he has. Of several of which one is so, `ways` are these."""

    whom: str
    what: str
    own: bool = False
    of_own: bool = False
    ways: tuple[tuple[Said, ...], ...] = ()


@dataclass(slots=True)
class Speaker:
    """Says what stands in a chart of a ruleset. `unsaid` gathers what no player would say; `options` those that a
    row hangs on."""

    ruleset: Ruleset
    members: dict[str, str] = field(default_factory=dict)  # the name of a member, or a plural, to its kind
    about: tuple[str, ...] = ()  # the names of those whom the chart is about
    kinds: dict[str, str] = field(default_factory=dict)  # the kind of each of them
    unsaid: list[str] = field(default_factory=list)
    second: tuple[str, ...] = ()  # of each of whom the chart is read too, as long as nobody else is looked at
    looks: bool = False  # whether it is one of a set, or somebody else, who is looked at
    namesake: bool = False  # whether he goes by the name of another who speaks

    def __post_init__(self) -> None:
        self.members |= _members(self.ruleset)

    def of(self, chart: Chart) -> None:
        """From now on this chart is spoken of."""
        kinds = {}
        for name in chart.about:
            role = chart.roles.get(name)
            kinds[name] = role.name if isinstance(role, Named) else self.members.get(name, name)
        self.of_somebody(chart.about, kinds)

    def of_somebody(self, about: tuple[str, ...], kinds: Mapping[str, str]) -> None:
        """From now on somebody is spoken of without a chart: his names, and the kind of each."""
        self.about, self.kinds, self.unsaid, self.second = about, dict(kinds), [], about[1:]
        self.looks = self.namesake = False

    # ---- rows ------------------------------------------------------------------------------------------
    def row(self, row: Row | Act, skip: Sequence[Asked] = ()) -> str:
        """When a row holds, as one sentence; empty if it always does."""
        if row.says and isinstance(row, Row):
            return sentence([row.says])
        left = [asked for asked in row.tests if asked not in skip]
        if row.each is None:
            return sentence([_joined([said for asked in left for said in self.asked(asked)])])
        inner = self.looking_at(row.each.node)
        told = [said for asked in left for said in inner.asked(asked)]
        whom = self.set(row.each.node, False)
        joint = (", and " if " or " in whom else " and ") if " that " in whom or " whose " in whom else " "
        relative = _relative([said for said in told if said.own or said.of_own], False)
        rest = [said for said in told if not (said.own or said.of_own)]
        condition = f"if {_joined(rest)}" if rest else ""
        return sentence([f"for each {whom}{joint + relative if relative else ''}", condition])

    def looking_at(self, node: s.Node) -> Speaker:
        """Whoever speaks of a member of a set, or of somebody, as of the one whom the chart is about."""
        if isinstance(node, s.Members):
            name, kind = OTHER * node.other + self._one(node.path.names[0]), self.member_kind(node.path)
        elif isinstance(node, s.Reading) and node.path.names == self.about[:1]:
            return replace(self, second=(), looks=True)
        elif isinstance(node, s.Reading):
            name, kind = node.path.names[0], self.kind_of(node.path)
        else:
            return self
        kinds = {name: kind or name, **{one: of for one, of in self.kinds.items() if one != name}}
        return Speaker(
            self.ruleset,
            self.members,
            (name, *(one for one in self.about if one != name)),
            kinds,
            self.unsaid,
            looks=True,
            namesake=self.namesake or name in self.about,
        )

    def asked(self, asked: Asked) -> list[Said]:
        heading, cell = asked
        if heading is None:
            return self.condition(cell.node)
        return self.claim(heading.node, cell.node)

    def option(self, asked: Asked) -> Option | None:
        """The option that a test asks for, if it is one: such a row stands for one way of reading the rules."""
        heading, cell = asked
        node = heading.node if heading is not None and isinstance(cell.node, s.Test) else None
        if isinstance(node, s.Reading) and len(node.path.names) == 1:
            return self.ruleset.options.get(node.path.names[0])
        return None

    # ---- conditions ------------------------------------------------------------------------------------
    def condition(self, node: s.Node, no: bool = False) -> list[Said]:
        match node:
            case s.Bracketed(value):
                return self.condition(value, no)
            case s.Negation(value):
                return self.condition(value, not no)
            case s.Both(parts) if not no:
                return [said for part in parts for said in self.condition(part)]
            case s.Either(parts) if no:
                return [said for part in parts for said in self.condition(part, True)]
            case s.Both(parts) | s.Either(parts):
                if any(isinstance(_inner(part), s.Both | s.Either) for part in parts):
                    self.unsaid.append("(")
                told = [self.condition(part, no) for part in parts]
                return [_one_of(told)]
            case s.Claim(subject, test):
                return self.claim(subject, test, no)
            case s.Quantified(quantifier, members):
                found = (quantifier == "any") != no
                noun = self.set(members, not found)
                return [Said("", f"there is {_article(noun)}" if found else f"there are no {noun}")]
            case s.Reading():
                return [self.or_none(self.flag(node, no), node.path, 1, no)]
            case s.Literal(True):
                return []
        return [Said("", f"{self.value(node)}{' is not so' if no else ''}")]

    def claim(self, subject: s.Node, test: s.Node, no: bool = False) -> list[Said]:
        if not isinstance(test, s.Test):
            return self.condition(subject, no)
        if isinstance(subject, s.Quantified):
            return [self.of_some(subject, test, no)]
        denied_whole, no = no, no != test.negated
        said = self._claimed(subject, replace(test, negated=False), no)
        if isinstance(subject, s.Reading) and not _is_nobody(test):
            return [self.or_none(one, subject.path, 0, denied_whole) for one in said]
        return said

    def or_none(self, said: Said, path: s.Path, since: int, denied_whole: bool) -> Said:
        """What is denied as a whole is so as well where nobody is there of whom it could be said: one of those that a
        path names from `since` on."""
        known = [self.known(s.Path(path.names[at:], path.at)) for at in range(since, len(path.names))]
        may_be_nobody = any(isinstance(one, Fact) and getattr(one.type, "nobody", False) for one in known)
        return replace(said, what=f"{said.what} (or there is none)") if denied_whole and may_be_nobody else said

    def _claimed(self, subject: s.Node, test: s.Test, no: bool) -> list[Said]:
        match subject:
            case s.Count(members):
                return [Said("", self.count(members, test, no))]
            case s.Extreme(who=True, members=members):
                return [self.tested(self.value(subject), False, self.member_kind(members.path), None, test, no)]
            case s.Reading(path=path) if path.names[0] in self.ruleset.options:
                option = self.ruleset.options[path.names[0]]
                name, reading = option.title or self.name(option.name), self.values(test, None)
                return [Said("", f"{name} is {'not ' * no}read as {reading}")]
            case s.Reading(path=path):
                known = self.known(path)
                if (among := self._is_among(path, test, no)) is not None:
                    return [among]
                who, own = self.owner(path)
                if isinstance(known, Fact | Table | Grid) and not isinstance(_thing(known), AThing | Things):
                    return [self.tested(who, own, None, known, test, no, subject)]
                if known is not None and _is_nobody(test):
                    return [self.tested(who, own, None, known, test, no, subject)]
                whom = self.noun(path) + self.moment(subject)
                is_he = len(path.names) == 1 and whom == self.self
                of_own = own and isinstance(known, Fact) and not is_he and not self._of_fight(known)
                return [replace(self.tested(whom, is_he, self.kind_of(path), None, test, no), of_own=of_own)]
        whom, what = self.value(subject), self.is_one(test, None, no)
        is_value = isinstance(subject, s.Total | s.Extreme)
        return [Said(whom, is_of(whom, what) if is_value else what)]

    def of_some(self, subject: s.Quantified, test: s.Test, no: bool) -> Said:
        """What is said of any, no or every member of a set. What is not so of any is so of none of them, which is
        something else than that any of them is not so."""
        quantifier, noun = subject.quantifier, self.set(subject.members, False)
        kind = self.member_kind(subject.members.path)
        if no and quantifier != "every":
            quantifier = "no" if quantifier == "any" else "any"
        word = "some" if quantifier == "any" and test.negated else quantifier
        said = self.tested(f"{word} {noun}", False, kind, None, replace(test, negated=False), test.negated)
        return Said("", f"it is not so that every {noun} {said.what}") if no and quantifier == "every" else said

    def _is_among(self, path: s.Path, test: s.Test, no: bool) -> Said | None:
        """That those whom the one spoken of has, his attackers, include another: then it is said of him."""
        if test.kind != "in" or path.names[0] not in list(self.kinds)[1:]:
            return None
        match test.values[0]:
            case s.Members(path=s.Path((name,)) as those, where=None):
                found = self.lookup(name, [self.kinds[self.about[0]]])
                if isinstance(found, Fact) and isinstance(found.type, Things):
                    return Said(self.noun(those), f"{'do not ' * no}include {self.noun(path)}", of_own=True)
        return None

    def tested(
        self,
        whom: str,
        own: bool,
        kind: str | None,
        known: Known | None,
        test: s.Test,
        no: bool,
        read: s.Reading | None = None,
    ) -> Said:
        """What is said of somebody (`kind`), or of a value that somebody has (`known`), as it is `read`."""
        if known is not None and read is not None:
            yes, then = _yes_or_no(test), self.moment(read)
            if yes is not None:
                return self._flagged(known, whom, own, yes == no, read)
            if test.kind == "equal" and _is_nobody(test):
                noun = self.called(known)
                return Said(whom, (f"has {_article(noun)}" if no else f"has no {noun}") + then, own)
            said, values = known.says, self.values(test, known)
            if GAP in said:
                each = [said.replace(GAP, one) for one in self.each_denied(test, known, no) or (values,)]
                phrase = listed([denied(one) if no else one for one in each], "and") + then
                return Said("", phrase) if has_subject(phrase) else Said(whom, phrase, own)
            noun = self.called(known)
            holder = self.own(noun, known) if own or not whom else f"{with_the(noun)} of {whom}"
            of_own = own and read.other is None and not then and not self._of_fight(known)
            what = is_of(noun, self.is_one(test, known, no))
            return Said(holder + self.whom_for(read) + then, what, False, of_own)
        parts = test.values if test.kind == "either" else (test,)
        said_of = [self._of_thing(one, kind) for one in parts if isinstance(one, s.Test)]
        if no:
            said_of = [denied(one) for one in said_of]
        return Said(whom, listed(_verb_once(said_of), "and" if no else "or"), own)

    def _of_thing(self, test: s.Test, kind: str | None) -> str:
        """What is said after whom: `is broken`, `is the attacker`, `is a crew`."""
        if test.kind == "in":
            return f"is one of the {self.value(test.values[0])}"
        if _is_nobody(test):
            return "is nobody"
        if test.kind == "equal" and isinstance(test.values[0], s.Reading):
            path = test.values[0].path
            if len(path.names) == 1:
                known = self.lookup(path.names[0], [kind] if kind else [])
                if known is not None and not isinstance(_thing(known), AThing | Things):
                    phrase = self._flagged(known, "", True, False, test.values[0]).what
                    return denied(phrase) if test.negated else phrase
                for fact in self.facts_of(kind):
                    if isinstance(fact.type, Word) and path.names[0] in fact.type.words:
                        return (fact.says if GAP in fact.says else f"is {GAP}").replace(GAP, self.word(path.names[0]))
            each = path.names[0] if len(path.names) == 1 and path.names[0] not in self.kinds else ""
            is_member = any(group.each == each for group in self.ruleset.groups.values())
            whom = _article(self.name(each)) if is_member else self.noun(path)
            return f"is {'not ' * test.negated}{whom}"
        return f"is {'not ' * test.negated}{self.values(test, None)}"

    def flag(self, read: s.Reading, no: bool) -> Said:
        """A bare flag of somebody; of a set alone, that there is one."""
        known = self.known(read.path)
        who, own = self.owner(read.path)
        if known is None:
            return Said("", f"{self.noun(read.path)} is {'not ' * no}so")
        return self._flagged(known, who, own, no, read)

    def _flagged(self, known: Known, whom: str, own: bool, no: bool, read: s.Reading) -> Said:
        phrase = known.says
        if not phrase and isinstance(known, Table) and known.name in BOTH_WAYS:  # who is hit, or who hits?
            holder = self.own(known.name, known) if own or not whom else f"the {known.name} of {whom}"
            return Said(holder + self.whom_for(read) + self.moment(read), f"is {'no' if no else 'yes'}")
        if not phrase or GAP in phrase:
            phrase = of_flag(self.name(known.name))
        if not known.says and self._of_fight(known):
            phrase = f"it {phrase}"
        phrase = denied(phrase) if no else phrase
        if not known.says:
            phrase += self.whom_for(read)
        phrase += self.moment(read)
        return Said("", phrase) if has_subject(phrase) else Said(whom, phrase, own)

    def whom_for(self, read: s.Reading) -> str:
        """The second subject of what is read, unless the chart is about each of them."""
        is_meant = read.other is not None and read.other.names[0] in self.second
        return "" if read.other is None or is_meant else f" for {self.noun(read.other)}"

    def moment(self, read: s.Reading) -> str:
        """When what is read was so, if not now."""
        if read.moment:
            acts = [act for chain in self.ruleset.sequences.values() for act in chain.acts if act.id == read.moment]
            said = next((act.says for act in acts if act.says), "")
            return f" as it was before {f'“{said}”' if said else f'the step {self.word(read.moment)}'}"
        return AT_START if read.path.names[0].endswith(START) else ""

    def _of_fight(self, known: Known) -> bool:
        kinds = self.ruleset.kinds
        owner = known.kind if isinstance(known, Fact) else known.about[0] if known.about else ""
        return owner in kinds and kinds[owner].one

    # ---- values ----------------------------------------------------------------------------------------
    def value(self, node: s.Node) -> str:
        match node:
            case s.Literal(value):
                return _literal(value)
            case s.Bracketed(value):
                return self.value(value)
            case s.Reading(path) if (known := self.known(path)) is not None and is_yes_or_no(known):
                return f"whether {_joined([self.flag(node, False)])}"
            case s.Reading(path):
                then = "" if path.names[0].endswith(START) else self.moment(node)
                return self.noun(path) + self.whom_for(node) + then
            case s.Arithmetic("/", left, s.Literal(2)):
                return f"half {self.operand(left, '+-')}"
            case s.Arithmetic("-", s.Literal(0), right):
                return f"minus {self.operand(right, '+-')}"
            case s.Arithmetic(sign, left, right):
                word = {"+": "plus", "-": "minus", "*": "times", "/": "divided by"}[sign]
                before, behind = {"+": ("", ""), "-": ("", "+-"), "*": ("+-", "+-"), "/": ("+-", "+-*/")}[sign]
                return f"{self.operand(left, before)} {word} {self.operand(right, behind)}"
            case s.Rounded(way, value):
                return f"{self.value(value)}, rounded {'to ' * (way == 'nearest')}{way}"
            case s.Compared(end, values):
                return f"the {end} of {listed([self.operand(one, '+-*/') for one in values], 'and')}"
            case s.Count(members):
                return f"the number of {self.set(members, True)}"
            case s.Total(name, members):
                return f"the total {self.of_member(name, members)} of {self.all_of(members)}"
            case s.Extreme(highest, nth, name, members, who):
                end = ORDINALS[nth - 1] + ("highest" if highest else "lowest")
                noun = self.of_member(name, members)
                if who:
                    return f"the {self.set(members, False)} with the {end} {noun}"
                return f"the {end} {noun} of {self.all_of(members)}"
            case s.Members():
                return self.set(node, True)
            case s.Ratio(left, right):
                return f"{self.value(left)} to {self.value(right)}"
        return _joined(self.condition(node))

    def operand(self, node: s.Node, signs: str) -> str:
        """A value within another: in brackets if it has one of these signs, or if it would not be heard where it
        ends."""
        inner, said = _inner(node), self.value(node)
        match inner:
            case s.Rounded() | s.Compared() | s.Both() | s.Either():
                return f"({said})"
            case s.Arithmetic("/", _, s.Literal(2)):
                return f"({said})"
            case s.Arithmetic(sign):
                return f"({said})" if sign in signs else said
            case s.Count(members) | s.Total(members=members) | s.Extreme(members=members) if members.where is not None:
                return f"({said})"
        return said

    def amount(self, node: s.Node) -> str:
        """A value with words behind it that go on."""
        said = self.value(node)
        return f"({said})" if "," in said else said

    def of_member(self, name: str, members: s.Members) -> str:
        kind, first = self.member_kind(members.path), name.removesuffix(START)
        known = self.lookup(first, [kind] if kind else [])
        noun = self.called(known) if known is not None else self.name(first)
        return noun + AT_START * name.endswith(START)

    def count(self, members: s.Members, test: s.Test, no: bool) -> str:
        if not _is_plain(test) or self.each_denied(test, None, no):
            return f"the number of {self.set(members, True)} {self.is_one(test, None, no)}"
        match test:
            case s.Test("least", (s.Literal(1),)) if not no:
                return f"there is {_article(self.set(members, False))}"
            case s.Test("equal", (s.Literal(0),)) | s.Test("most", (s.Literal(0),)):
                return (
                    f"there is {_article(self.set(members, False))}"
                    if no
                    else f"there are no {self.set(members, True)}"
                )
            case s.Test("equal", (s.Literal(1),)) if not no:
                return f"there is only one {self.set(members, False)}"
            case s.Test("more", (s.Literal(1),)) if not no:
                return f"there is more than one {self.set(members, False)}"
        return f"there are {'not ' * no}{self.values(test, None)} {self.set(members, True)}"

    def is_one(self, test: s.Test, known: Known | None, no: bool) -> str:
        """That a value is one of these, or none."""
        if each := self.each_denied(test, known, no):
            return f"is neither {' nor '.join(each)}"
        return f"is {'not ' * no}{self.values(test, known)}"

    def each_denied(self, test: s.Test, known: Known | None, no: bool) -> list[str]:
        """What is denied, one by one, where `not more than 3 or at most 1` would be heard in another way."""
        parts = [one for one in test.values if isinstance(one, s.Test)] if test.kind == "either" and no else []
        if not any(one.kind in SIGNS for one in parts):
            return []
        return [("not " * one.negated) + self.values(one, known) for one in parts]

    def values(self, test: s.Test, known: Known | None) -> str:
        """What a value may be: `at least 2`, `a guard or a crew`."""
        words = _words(known)

        def one(node: s.Node) -> str:
            if isinstance(node, s.Reading) and len(node.path.names) == 1 and node.path.names[0] in words:
                return self.word(node.path.names[0])
            if isinstance(node, s.Reading) and len(node.path.names) == 1 and known is None:
                name = node.path.names[0]
                return self.noun(node.path) if self.known(node.path) or name in self.members else self.word(name)
            return self.value(node)

        match test.kind:
            case "either":
                parts = [part for part in test.values if isinstance(part, s.Test)]
                if all(part.kind == "equal" and not part.negated for part in parts):
                    return listed([one(part.values[0]) for part in parts], "or")
                return listed([("not " * part.negated) + self.values(part, known) for part in parts], "or")
            case "range":
                return f"{one(test.values[0])} to {one(test.values[1])}"
            case "in":
                return f"one of {self.value(test.values[0])}"
        return SIGNS.get(test.kind, "") + one(test.values[0])

    # ---- whom, and what it is called -------------------------------------------------------------------
    @property
    def self(self) -> str:
        """Whom the chart is about, as its sentences call him."""
        return f"the {self.name(self.about[0])}" if self.about else ""

    def owner(self, path: s.Path) -> tuple[str, bool]:
        """Whose fact a path names, and whether that is the one whom the chart is about."""
        if len(path.names) > 1:
            rest = s.Path(path.names[1:], path.at)
            return self.noun(rest), rest.names == self.about[:1]
        known = self.known(path)
        if known is not None and not self._of_fight(known):
            owner = known.kind if isinstance(known, Fact) else known.about[0] if known.about else ""
            for name, kind in self.kinds.items():
                if owner in (kind, name):
                    return f"the {self.name(name)}", name == self.about[0]
        return self.self, True

    def noun(self, path: s.Path) -> str:
        """`the strength of the captain`; whom the chart is about is `the unit`."""
        first, rest = path.names[0], path.names[1:]
        known = self.known(path)
        is_his = known is not None and rest in ((), ("fight",), self.about[:1])
        if known is not None and is_his and known.says.startswith("the ") and GAP not in known.says:
            return known.says if rest else self.own(known.says.removeprefix("the "), known)
        if known is None and not rest and first not in self.members and first not in self.kinds:
            return self.word(first)
        name = self.called(known) if known is not None else self.name(first.removesuffix(START))
        if first.endswith(START):
            name += " at the start"
        if rest == ("fight",):
            rest = ()
        if not rest and known is not None:
            return self.own(name, known)
        return with_the(name) + (f" of {self.noun(s.Path(rest, path.at))}" if rest else "")

    def own(self, noun: str, known: Known) -> str:
        """What the one spoken of has; whose it is is said where another of those who speak has the like, so that who
        hears `the strength` could take it for the other's."""
        kind, *others = self.kinds.values() or ("",)
        is_shared = self.namesake or any(self.has(other, known) for other in others)
        if not is_shared or not self.has(kind, known):
            return with_the(noun)
        return f"its {noun}" if self.looks else f"{with_the(noun)} of {self.self}"

    def has(self, kind: str, known: Known) -> bool:
        """Whether somebody of a kind has a fact, or a table, of this name."""
        if isinstance(known, Fact):
            return kind in self.ruleset.kinds and known.name in self.ruleset.kinds[kind].facts
        role = known.roles.get(known.about[0]) if known.about else None
        first = role.name if isinstance(role, Named) else self.members.get(known.about[0], "") if known.about else ""
        return first == kind

    def called(self, known: Known) -> str:
        """What a fact or a table is called where its value is spoken of."""
        if known.says and GAP not in known.says and not is_yes_or_no(known):
            return known.says.removeprefix("the ")
        if isinstance(known, Grid | Table) and known.title and known.title[:1].isupper():
            return known.title
        return self.name(known.name)

    def set(self, node: s.Node, many: bool) -> str:
        """`unit of the side that is broken`, of many `units of the side that are broken`."""
        if not isinstance(node, s.Members):
            return self.value(node)
        first, *rest = node.path.names
        noun = self.thrown(node.path, many)
        if not noun:
            name = self.name(self._one(first))
            noun = ("other " * node.other) + (self._many(first) if many else name)
            whose = tuple(rest) or self.whose(first)
            if whose and whose != ("fight",) and (whose != self.about[:1] or self.may_be_anybodys(first)):
                noun += f" of {self.noun(s.Path(whose, node.path.at))}"
        noun += AT_START * first.endswith(START)
        if node.where is None:
            return noun
        told = self.looking_at(node).condition(node.where)
        return f"{noun} {_relative(told, many)}"

    def whose(self, name: str) -> tuple[str, ...]:
        """Who of those who speak has a set that is named alone, or by its members: the side that a chart is about has
        the `units`, and each `unit`."""
        if not self.may_be_anybodys(name):
            return ()
        base = name.removesuffix(START)
        for one, kind in self.kinds.items():
            for fact in self.facts_of(kind):
                if isinstance(fact.type, Things) and base in (fact.name, fact.type.each):
                    return (one,)
        return ()

    def may_be_anybodys(self, name: str) -> bool:
        """Whether a set goes by the name of all who are in the fight: then it must be said whose it is."""
        base = name.removesuffix(START)
        return any(base in (kind.name, kind.plural) for kind in self.ruleset.kinds.values())

    def all_of(self, members: s.Members) -> str:
        """A set over which something is reckoned; of a whole throw, the throw."""
        whole = members.where is None and self.thrown(members.path, True)
        return self.noun(members.path) if whole else self.set(members, True)

    def thrown(self, path: s.Path, many: bool) -> str:
        """`dice of the throw`, `cards of the hand`: what a throw or a hand is spoken of as a set; else nothing."""
        known = self.known(path)
        if isinstance(known, Fact) and known.origin in ("rolled", "drawn"):
            one, more = ("die", "dice") if known.origin == "rolled" else ("card", "cards")
            return f"{more if many else one} of {self.noun(path)}"
        return ""

    def _many(self, name: str) -> str:
        """The name of several, as they are called where they are declared: `oxen`, `attacks on`."""
        base = name.removesuffix(START)
        for group in self.ruleset.groups.values():
            if base in (group.name, group.each):
                return self.name(group.name)
        kinds = self.ruleset.kinds.values()
        for kind in kinds:
            if base in (kind.name, kind.plural):
                return self.name(kind.plural)
        for kind in kinds:
            for fact in kind.facts.values():
                if isinstance(fact.type, Things) and base in (fact.name, fact.type.each):
                    return self.name(fact.name if base == fact.name else plural(base))
        return plural(self.name(self._one(name)))

    def _one(self, name: str) -> str:
        """The name of one of several: `unit` for `units`."""
        base = name.removesuffix(START)
        for kind in self.ruleset.kinds.values():
            if kind.plural == base:
                return kind.name
            for fact in kind.facts.values():
                if isinstance(fact.type, Things) and fact.name == base:
                    return fact.type.each
        group = self.ruleset.groups.get(base)
        return group.each if group is not None else base

    def member_kind(self, path: s.Path) -> str | None:
        """The kind of the members of a set: its name is that of a member before it is anything else."""
        return self.members.get(path.names[0].removesuffix(START)) or self.kind_of(path)

    def kind_of(self, path: s.Path) -> str | None:
        """The kind of him whom a path names."""
        first = path.names[0].removesuffix(START)
        if first in self.kinds:
            return self.kinds[first]
        known = self.known(path)
        if known is not None:
            held = _thing(known)
            return held.kind if isinstance(held, AThing | Things) else None
        return self.members.get(first)

    def known(self, path: s.Path) -> Known | None:
        """The fact or table that a path begins with."""
        first = path.names[0].removesuffix(START)
        if len(path.names) == 1:
            if first in self.kinds:
                return None
            return self.lookup(first, list(self.kinds.values()))
        kind = self.kind_of(s.Path(path.names[1:], path.at))
        return self.lookup(first, [kind] if kind else [])

    def lookup(self, name: str, kinds: Sequence[str | None]) -> Known | None:
        """A fact of one of these kinds, a table, a fact of the fight, or of anybody."""
        every = self.ruleset.kinds
        for kind in kinds:
            for fact in self.facts_of(kind):
                if fact.name == name:
                    return fact
        chart = self.ruleset.tables.get(name) or self.ruleset.grids.get(name)
        if chart is not None:
            return chart
        if name in self.members:
            return None
        rest = [each.facts[name] for each in every.values() if name in each.facts]
        single = [fact for fact in rest if every[fact.kind].one]
        return next(iter((*single, *rest)), None)

    def facts_of(self, kind: str | None) -> Iterable[Fact]:
        found = self.ruleset.kinds.get(kind) if kind else None
        return () if found is None else found.facts.values()

    def name(self, name: str) -> str:
        """A name as words; one with hyphens is noted, since it is made for lists and not for sentences. Dice and cards
        are called so at the table, too."""
        if name.startswith(OTHER):
            return f"other {self.name(name.removeprefix(OTHER))}"
        if "-" in name and not any(
            kind.facts[name].origin in ("rolled", "drawn") for kind in self.ruleset.kinds.values() if name in kind.facts
        ):
            self.unsaid.append(name)
        return name.replace("-", " ")

    def word(self, word: str) -> str:
        """A word of a list: its hyphens are nothing but the way in which lists are written, but for those of odds."""
        if not word[:1].islower():
            return word
        parts = word.split("-")
        joints = ["-" if a.isdigit() and b.isdigit() else " " for a, b in pairwise(parts)]
        return "".join(part + joint for part, joint in zip(parts, [*joints, ""], strict=True))


# ---- pieces ---------------------------------------------------------------------------------------------


def _members(ruleset: Ruleset) -> dict[str, str]:
    """What somebody may be called, and his kind: the names of kinds and of members, and those of sets."""
    found = {name: name for name in ruleset.kinds} | {kind.plural: kind.name for kind in ruleset.kinds.values()}
    facts = [fact for kind in ruleset.kinds.values() for fact in kind.facts.values()]
    for fact in facts:
        if isinstance(fact.type, Things):
            found.setdefault(fact.type.each, fact.type.kind)
            found.setdefault(fact.name, fact.type.kind)
    for fact in facts:
        if isinstance(fact.type, AThing):
            found.setdefault(fact.name, fact.type.kind)
    for _ in range(3):  # a group may be made of another
        for group in ruleset.groups.values():
            node = group.members.node
            first = node.path.names[0].removesuffix(START) if isinstance(node, s.Members) else ""
            if first in found:
                found.setdefault(group.each, found[first])
                found.setdefault(group.name, found[first])
    return found


def _inner(node: s.Node) -> s.Node:
    while isinstance(node, s.Bracketed):
        node = node.value
    return node


def _thing(known: Known) -> object:
    return known.type if isinstance(known, Fact) else None


def is_yes_or_no(known: Known) -> bool:
    """Whether it is so or not: then what is said of it stands after somebody; else that is a noun."""
    if isinstance(known, Fact):
        return isinstance(known.type, Flag)
    if isinstance(known, Grid):
        return False
    if known.value is not None:
        return isinstance(_inner(known.value.node), s.Claim | s.Negation | s.Both | s.Either | s.Quantified)
    told = [row.verdict.node for row in known.rows if row.verdict is not None]
    return bool(told) and all(isinstance(node, s.Literal) and isinstance(node.value, bool) for node in told)


def _words(known: Known | None) -> tuple[str, ...]:
    if isinstance(known, Fact):
        return known.type.words if isinstance(known.type, Word) else ()
    if isinstance(known, Table):
        return (*known.words, *(row.verdict.text for row in known.rows if row.verdict is not None))
    return known.words if isinstance(known, Grid) else ()


def _is_plain(test: s.Test) -> bool:
    """Whether numbers alone are spoken of."""
    return all(_is_plain(one) if isinstance(one, s.Test) else isinstance(one, s.Literal) for one in test.values)


def _yes_or_no(test: s.Test) -> bool | None:
    match test:
        case s.Test("equal", (s.Literal(bool() as value),)):
            return value
    return None


def _is_nobody(test: s.Test) -> bool:
    return test.kind == "equal" and isinstance(test.values[0], s.Literal) and test.values[0].value is None


def _literal(value: int | bool | str | None) -> str:
    if value is None:
        return "nobody"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _article(noun: str) -> str:
    """With the article that it sounds with; words in capitals are spelt."""
    first = noun.split(" ", 1)[0]
    spelt = first.isupper() and len(first) > 1
    vowel = first[:1] in ("AEFHILMNORSX" if spelt else "aeioAEIO")
    return f"{'an' if vowel else 'a'} {noun}"


def _one_of(told: Sequence[Sequence[Said]]) -> Said:
    """Several statements of which one is so."""
    ways = tuple(tuple(each) for each in told)
    if all(len(each) == 1 for each in told):
        those = [each[0] for each in told]
        if len({(one.whom, one.own) for one in those}) == 1 and those[0].whom:
            what = listed(_verb_once([one.what for one in those]), "or")
            return Said(those[0].whom, what, those[0].own, those[0].of_own)
    return Said("", listed([_enclosed(_joined(each), len(each) > 1) for each in told], "or"), ways=ways)


def _enclosed(text: str, is_so: bool) -> str:
    return f"({text})" if is_so else text


def _verb_once(phrases: Sequence[str]) -> list[str]:
    """`is broken`, `pinned`: what all begin with is said once, but for what is denied: who hears `is not broken or
    pinned` denies both."""
    if any(phrase.startswith(("is not ", "has no ")) for phrase in phrases):
        return list(phrases)
    for start in ("is a ", "is an ", "is ", "has ", "are "):
        if len(phrases) > 1 and all(phrase.startswith(start) for phrase in phrases):
            if start in ("is a ", "is an "):
                start = "is "
            return [phrases[0], *(phrase[len(start) :] for phrase in phrases[1:])]
    return list(phrases)


def _joined(told: Sequence[Said]) -> str:
    """Statements as one sentence; whoever is spoken of again is not named again."""
    parts: list[str] = []
    last = ""
    for said in told:
        if said.whom and said.whom == last and " or " not in parts[-1] + said.what:
            parts[-1] += f" and {said.what}"
            continue
        parts.append(_enclosed(f"{said.whom} {said.what}".strip(), len(told) > 1 and _has_ways(said)))
        last = said.whom
    return ", and ".join(parts)


def _has_ways(said: Said) -> bool:
    """Whether it would not be heard where the ways of which one is so begin and end."""
    return bool(said.ways) and "," in said.what


def _relative(told: Sequence[Said], many: bool) -> str:
    """`that is broken and is not pinned`, of many `that are broken`."""
    own = [of_many(said.what) if many else said.what for said in told if said.own]
    parts = [f"that {_and(own)}"] if own else []
    for said in told:
        if said.own:
            continue
        if said.ways:
            parts.append(" or ".join(_enclosed(_relative(way, many), len(way) > 1) for way in said.ways))
        elif said.of_own:
            parts.append(f"whose {said.whom.removeprefix('the ').removeprefix('its ')} {said.what}")
        elif said.whom == FACE and said.what.startswith("is "):
            shows = of_die(said.what)
            parts.append(f"that {of_many(shows) if many else shows}")
        else:
            parts.append(f"where {said.whom} {said.what}".replace("  ", " "))
    return _and(parts)


def of_die(what: str) -> str:
    """What a die shows, of what its face is: `is not 1 and is not 6`, that it shows neither."""
    if not what.startswith("is not "):
        return what.replace("is ", "shows ", 1)
    first, *others = what.removeprefix("is not ").replace(", is not ", " and is not ").split(" and is not ")
    return f"shows neither {' nor '.join((first, *others))}" if others else f"does not show {first}"


def _and(parts: Sequence[str]) -> str:
    return (", and " if any(" or " in part for part in parts) else " and ").join(parts)


def amount_of(row: Row) -> str:
    """What a row of a sum does to it, if that is a number: `+1`, `-2`, times 1/2."""
    node = row.verdict.node if row.verdict is not None else None
    match _inner(node) if node is not None else None:
        case s.Literal(int() as value) if row.verb == "add" and not isinstance(value, bool):
            return f"{value:+d}" if value else "0"
        case s.Literal(int() as value) if row.verb == "times":
            return f"\u00d7{value}"
        case s.Arithmetic("/", s.Literal(int() as left), s.Literal(int() as right)) if row.verb == "times" and right:
            return f"\u00d7{Fraction(left, right)}"
    return ""
