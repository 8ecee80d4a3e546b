"""A sentence as people hear it: what goes on with what, and what could be heard in two ways.

The grammar reads the words one after another. Here a bare word joins the test that it follows, and a sentence
that people hear in more than one way is refused, with each way written out. What needs the meaning of a name
(`target is broken and pinned`: whose flag?) is decided where names are looked up.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise
from typing import Any, TypeAlias

from closecombat.reading import syntax as s

Item: TypeAlias = tuple[str, s.Node]  # how it is joined to what stands before it, `and` or `or`; the first is either
SUMS: TypeAlias = s.Arithmetic | s.Rounded | s.Compared | s.Count | s.Total | s.Extreme
GOES_ON = re.compile(r"\s*(?:and|or)\b")
COMPARING: Mapping[str, str] = {"least": "at least", "most": "at most", "more": "more than", "less": "less than"}


class Unread(Exception):
    """A text that is no sentence: the place of the first word that cannot stand there, and that word, if any."""

    def __init__(self, at: int, word: str) -> None:
        super().__init__(at, word)
        self.at, self.word = at, word


class Unclear(Exception):
    """A sentence that is not taken, with the part of it that is to blame."""

    def __init__(self, code: str, message: str, at: s.At, help: str) -> None:
        super().__init__(message)
        self.code, self.message, self.at, self.help = code, message, at, help


def as_heard(node: s.Node, raw: str, start: str) -> s.Node:
    """The tree of a sentence with every word where people hear it; raises Unclear."""
    hearing = _Hearing(raw)
    if isinstance(node, s.Test) and start == "test":
        return hearing.test(node)
    return hearing.subject(node) if start == "subject" else hearing.heard(node)


class _Hearing:
    def __init__(self, raw: str) -> None:
        self.raw = raw

    def text(self, *nodes: s.Part) -> str:
        """The words of a part of the sentence, or from one part to another."""
        return " ".join(self.raw[nodes[0].at[0] : nodes[-1].at[1]].split())

    def unclear(self, what: str, node: s.Part, *readings: str) -> Unclear:
        help = "write " + " or ".join(f"`{reading}`" for reading in readings)
        return Unclear("two-readings", what, node.at, help)

    def unsaid(self, test: s.Test) -> Unclear:
        if found := re.fullmatch(r"(-?\d+) to (-?\d+)", said := self.text(test)):
            help = f"write one of them, or of whom it is said, `men is {said}`; in a change of a variant "
            help += f"`{{from: {found[1]}, to: {found[2]}}}` lets `closecombat tune` find which"
            return Unclear("sentence-syntax", f"`{said}` is more than one number", test.at, help)
        message = f"it is not said who is `{said}`"
        return Unclear("sentence-syntax", message, test.at, "say it of somebody: `men is at least 3`")

    # ---- every node --------------------------------------------------------------------------------------
    def subject(self, node: s.Node) -> s.Node:
        """Of whom something is said: of any, no or every member too."""
        return self.members_of(node) if isinstance(node, s.Quantified) else self.heard(node)

    def heard(self, node: s.Node) -> s.Node:
        match node:
            case s.Either() | s.Both():
                return self.joined(node)
            case s.Bracketed(value, at):
                return s.Bracketed(self.heard(value), at)
            case s.Negation(value, at):
                return self.negated(node, value, at)
            case s.Claim():
                return self.checked(self.claim(node))
            case s.Quantified("every"):
                raise Unclear(
                    "missing-claim",
                    f"`{self.text(node)}` says nothing of them",
                    node.at,
                    f"say what each of them is: `every {self.text(node.members.path)} is ..`"
                    + f"; or that there is no other: `no {self.text(node.members.path)} where (..)`"
                    * (node.members.where is not None),
                )
            case s.Quantified():
                return self.members_of(node)
            case s.Test():
                raise self.unsaid(node)
            case s.Members():
                return self.members(node)
            case s.Count(members, at):
                return s.Count(self.members(members), at)
            case s.Total(name, members, at):
                return s.Total(name, self.members(members), at)
            case s.Extreme(highest, nth, name, members, who, at):
                return s.Extreme(highest, nth, name, self.members(members), who, at)
            case s.Arithmetic():
                return self.arithmetic(node)
            case s.Compared():
                return self.compared(node)
            case s.Rounded(way, value, at):
                return self.rounded(node, way, value, at)
            case s.Ratio(left, right, at):
                return s.Ratio(self.heard(left), self.heard(right), at)
            case s.Set() | s.Add() | s.Take() | s.Become() | s.Ordering():
                return replace(node, value=self.heard(node.value))
        return node

    def members(self, node: s.Members) -> s.Members:
        return s.Members(node.path, None if node.where is None else self.heard(node.where), node.at, node.other)

    def members_of(self, node: s.Quantified) -> s.Quantified:
        return s.Quantified(node.quantifier, self.members(node.members), node.at)

    # ---- numbers -----------------------------------------------------------------------------------------
    def arithmetic(self, node: s.Arithmetic) -> s.Arithmetic:
        left, right = node.left, node.right
        if node.sign in "+-" and isinstance(right, s.Rounded):
            way = self.raw[right.value.at[1] : right.at[1]].strip()
            raise self.unclear(
                "it is not clear how much of this is rounded",
                node,
                f"{self.text(left)} {node.sign} ({self.text(right)})",
                f"({self.text(left)} {node.sign} {self.text(right.value)}) {way}",
            )
        if node.sign in "*/" and isinstance(left, s.Arithmetic) and left.sign == "/":
            over, under, more = self.text(left.left), self.text(left.right), self.text(right)
            raise self.unclear(
                "it is not clear what is divided by what",
                node,
                f"({over} / {under}) {node.sign} {more}",
                f"{over} / ({under} {node.sign} {more})",
            )
        last = left.right if isinstance(left, s.Arithmetic) else left
        if isinstance(last, s.Compared):
            more = self.raw[left.at[1] : node.at[1]].strip()
            final = last.values[-1]
            start = self.raw[last.at[0] : final.at[0]]
            before = self.raw[left.at[0] : last.at[0]]
            raise self.unclear(
                "it is not clear whether this is added before or after they are compared",
                node,
                f"{before}({self.text(last)}) {more}",
                f"{before}{start}({self.text(final)} {more})",
            )
        return s.Arithmetic(node.sign, self.heard(left), self.heard(right), node.at)

    def compared(self, node: s.Compared) -> s.Compared:
        """Of two is said the lower, of more the lowest; nothing goes on after the last without brackets."""
        *others, last = node.values
        right = node.end.removesuffix("r").removesuffix("st") + ("r" if len(others) == 1 else "st")
        if right != node.end:
            *first, final = (self.text(value) for value in node.values)
            said = f"the {right} of {', '.join(first)} and {final}"
            how_many = "two are compared" if len(others) == 1 else "more than two are compared"
            raise Unclear("sentence-syntax", f"{how_many}: `the {right}`", node.at, f"write `{said}`")
        if isinstance(last, s.Arithmetic | s.Rounded):
            first_word: s.Node = last
            while isinstance(first_word, s.Arithmetic | s.Rounded):
                first_word = first_word.left if isinstance(first_word, s.Arithmetic) else first_word.value
            start, more = self.raw[node.at[0] : last.at[0]], self.raw[first_word.at[1] : last.at[1]].strip()
            raise self.unclear(
                "it is not clear whether this is reckoned before or after they are compared",
                node,
                f"({start}{self.text(first_word)}) {more}",
                f"{start}({self.text(last)})",
            )
        return s.Compared(node.end, tuple(self.heard(value) for value in node.values), node.at)

    def rounded(self, node: s.Rounded, way: str, value: s.Node, at: s.At) -> s.Rounded:
        if self.raw[value.at[0]] == "-" and not isinstance(value, s.Literal):
            said = self.raw[value.at[1] : at[1]].strip()
            amount = self.text(value)[1:].strip()
            raise self.unclear(
                "it is not clear whether this is rounded before or after it is taken below 0",
                node,
                f"-({amount} {said})",
                f"(0 - {amount}) {said}",
            )
        return s.Rounded(way, self.heard(value), at)

    # ---- not -----------------------------------------------------------------------------------------------
    def negated(self, node: s.Negation, value: s.Node, at: s.At) -> s.Negation:
        if isinstance(value, s.Claim) and not value.test.negated:
            subject, test = self.text(value.subject), self.text(value.test)
            other = f"{subject} is not {test}"
            if isinstance(value.subject, s.Quantified) and value.subject.quantifier == "every":
                other = f"any {self.text(value.subject.members)} is not {test}"
            one = self.denied(value) or f"not ({self.text(value)})"
            raise self.unclear("`not` before a whole statement", node, one, other)
        if isinstance(value, s.Claim | s.Quantified | s.Test):
            message = "`not` stands before one word, or before brackets"
            raise Unclear(
                "sentence-syntax", message, node.at, f"write `{self.denied(value) or f'not ({self.text(value)})'}`"
            )
        if isinstance(value, s.Bracketed) and (short := self.denied(value.value)):
            # Without brackets a word that follows would be heard of each member: `no unit is broken or pinned`.
            if not isinstance(value.value, s.Reading) and GOES_ON.match(self.raw, node.at[1]):
                short = f"({short})"
            raise Unclear("two-spellings", f"`{self.text(node)}` is `{short}`", node.at, f"write `{short}`")
        return s.Negation(self.heard(value), at)

    def denied(self, value: s.Node) -> str:
        """How a word, or what is said of any or no member, is denied without brackets; "" of anything else."""
        match value:
            case s.Reading():
                return f"not {self.text(value)}"
            case s.Quantified("any" | "no") | s.Claim(s.Quantified("any" | "no")):
                first, _, others = self.text(value).partition(" ")
                return f"{'no' if first == 'any' else 'any'} {others}"
        return ""

    # ---- tests ---------------------------------------------------------------------------------------------
    def test(self, test: s.Test) -> s.Test:
        """What is said after `is`; a bracket of words says each of them."""
        if test.negated and test.kind == "equal" and isinstance(test.values[0], s.Literal):
            value = test.values[0].value
            if isinstance(value, bool):
                short = "no" if value else "yes"
                raise Unclear("two-spellings", f"`{self.text(test)}` is `{short}`", test.at, f"write `{short}`")
        if test.kind == "equal" and isinstance(test.values[0], s.Bracketed):
            return s.Test(*self._words_in_brackets(test, test.values[0].value), test.negated, test.at)
        values = tuple(self.test(v) if isinstance(v, s.Test) else self.heard(v) for v in test.values)
        if test.kind == "either":
            self._check_order("not " if test.negated else "", test.values, test)
            self._check_denied("", test, test)
        return s.Test(test.kind, values, test.negated, test.at)

    def _words_in_brackets(self, test: s.Test, inner: s.Node) -> tuple[str, tuple[s.Node, ...]]:
        if isinstance(inner, s.Both):
            first, *others = (self.text(part) for part in inner.parts)
            raise Unclear(
                "two-readings",
                "`and` cannot stand in what is said after `is`",
                test.at,
                f"say each by itself: `.. is {first}" + "".join(f" and .. is {other}" for other in others) + "`",
            )
        parts = inner.parts if isinstance(inner, s.Either) else (inner,)
        if not all(_bare(part) or isinstance(part, s.Test) for part in parts):
            return "equal", (self.heard(test.values[0]),)
        tests = tuple(self.test(_test_of(part)) for part in parts)
        return ("either", tests) if len(tests) > 1 else (tests[0].kind, tests[0].values)

    def _check_order(self, before_it: str, tests: Sequence[Any], node: s.Node) -> None:
        """`at least 3 or 1` is heard as `at least 1` too: what is compared stands last."""
        for at, (before, after) in enumerate(pairwise(tests)):
            word = "in" if before.kind == "in" else COMPARING.get(before.kind, "")
            if word and after.kind == "equal":
                one, two = self.text(before).removeprefix("not "), self.text(after)
                others = [*tests[:at], *tests[at + 2 :]]
                plain = [self.text(other) for other in others if other.kind == "equal"]
                compared = [self.text(other) for other in others if other.kind != "equal"]
                last = [*compared, one]
                ways = " or ".join([*plain, two, *last]), " or ".join([*plain, *last, f"{word} {two}"])
                if before_it.endswith("not "):
                    ways = f"({ways[0]})", f"({ways[1]})"
                said = [before_it + way for way in ways]
                if word != "in" and before_it.endswith(" is ") and isinstance(after.values[0], s.Reading):  # by itself
                    said.append(f"{two} or {before_it}{' or '.join([*plain, *last])}")
                message = f"it is not clear whether `{word}` goes on after `or`"
                raise self.unclear(message, node, *said)

    def _check_denied(self, subject: str, test: s.Test, node: s.Part) -> None:
        """`not 0 or at least 5` is heard as not 0, or at least 5; and as neither."""
        if not test.negated or not any(isinstance(one, s.Test) and one.kind in COMPARING for one in test.values):
            return
        first, *others = (self.text(one).removeprefix("not ") for one in test.values)
        more = " or ".join(others)
        one = f"{subject} is not ({first} or {more})" if subject else f"not ({first} or {more})"
        two = f"{subject or '..'} is not {first} or {subject or '..'} is {more}"
        message = "it is not clear whether `not` goes on after `or`"
        raise self.unclear(message, node, one, two if subject else f"when: {two}")

    # ---- claims ----------------------------------------------------------------------------------------------
    def claim(self, claim: s.Claim) -> s.Claim:
        return s.Claim(self.subject(claim.subject), self.test(claim.test), claim.at)

    def checked(self, claim: s.Claim) -> s.Claim:
        """A claim with which nothing goes on any more."""
        if said_of_every_not(claim.subject, claim.test):
            raise Unclear("two-readings", *every_not(self.text(claim.subject), self.text(claim.test), claim.at))
        if claim.test.kind == "either" and not _in_brackets(self.text(claim.test).removeprefix("not").lstrip()):
            self._check_denied(self.text(claim.subject), claim.test, claim)
        return claim

    # ---- and, or -----------------------------------------------------------------------------------------
    def joined(self, node: s.Both | s.Either) -> s.Node:
        items = self._going_on(_flat(node))
        words = {joint for joint, _ in items[1:]}
        if len(words) > 1:
            raise self._mixed(items, node)
        if words == {"or"}:
            self._check_not(items)
        if len(items) == 1:
            return items[0][1]
        kind = s.Either if words == {"or"} else s.Both
        return kind(tuple(part for _, part in items), node.at)

    def _going_on(self, items: list[Item]) -> list[Item]:
        """A bare word or a comparison goes on with the test that it follows."""
        out: list[Item] = []
        for joint, part in items:
            before = out[-1][1] if out else None
            if isinstance(part, s.Test) and not isinstance(before, s.Claim):
                raise self.unsaid(part)
            if joint == "or" and isinstance(before, s.Claim) and (_bare(part) or isinstance(part, s.Test)):
                out[-1] = (out[-1][0], self._also(before, _test_of(part)))
            elif isinstance(before, s.Claim) and isinstance(part, s.Test):
                out.append((joint, self._and_also(before, part)))
            else:
                out.append((joint, self.claim(part) if isinstance(part, s.Claim) else self.heard(part)))
        return [(joint, self.checked(part) if isinstance(part, s.Claim) else part) for joint, part in out]

    def _also(self, claim: s.Claim, test: s.Test) -> s.Claim:
        old = claim.test
        tests = (*(old.values if old.kind == "either" else (_plain(old),)), self.test(test))
        at = (claim.at[0], test.at[1])
        joined = s.Test("either", tests, old.negated, (old.at[0], test.at[1]))
        out = s.Claim(claim.subject, joined, at)
        is_ = " is not " if old.negated else " is "
        self._check_order(self.text(claim.subject) + is_, tests, out)
        return out

    def _and_also(self, claim: s.Claim, test: s.Test) -> s.Claim:
        """`men is at least 2 and at most 5`: both are said of the men."""
        subject, said = self.text(claim.subject), self.text(test)
        if claim.test.negated or claim.test.kind == "either" or isinstance(claim.subject, s.Quantified):
            one = s.Claim(claim.subject, claim.test, (claim.at[0], test.at[1]))
            raise self.unclear(
                f"it is not clear with what `{said}` goes on", one, f"{self.text(claim)} and {subject} is {said}"
            )
        return s.Claim(claim.subject, self.test(test), test.at)

    def _check_not(self, items: list[Item]) -> None:
        """`not broken or pinned` is heard as neither of the two."""
        for i, (_, part) in enumerate(items):
            if not isinstance(part, s.Negation) or isinstance(part.value, s.Bracketed):
                continue
            more = []
            for _, other in items[i + 1 :]:
                if not isinstance(other, s.Reading):
                    break
                more.append(self.text(other))
            if more:
                denied, others = self.text(part.value), " or ".join(more)
                whole = s.Either((part,), (part.at[0], items[i + len(more)][1].at[1]))
                raise self.unclear(
                    "it is not clear how far `not` reaches",
                    whole,
                    f"not ({denied} or {others})",
                    f"{others} or not {denied}",
                )

    def _mixed(self, items: list[Item], node: s.Node) -> Unclear:
        """`a or b and c`: bracketed around each `and`, and around each `or`."""
        return self.unclear(
            "it is not clear whether `and` or `or` comes first",
            node,
            *(self._grouped(items, tight) for tight in ("and", "or")),
        )

    def _grouped(self, items: list[Item], tight: str) -> str:
        groups: list[list[s.Node]] = []
        for joint, part in items:
            if groups and joint == tight:
                groups[-1].append(part)
            else:
                groups.append([part])
        loose = "or" if tight == "and" else "and"
        said = [f" {tight} ".join(self.text(part) for part in group) for group in groups]
        return f" {loose} ".join(
            f"({words})" if len(group) > 1 else words for words, group in zip(said, groups, strict=True)
        )


def said_of_every_not(subject: s.Node, test: s.Test) -> bool:
    """`every S is not X` is heard as none of them, and as not all of them."""
    return isinstance(subject, s.Quantified) and subject.quantifier == "every" and test.negated


def every_not(subject: str, said: str, at: s.At) -> tuple[str, s.At, str]:
    """The message, place and help of such a sentence, said as a claim or in a column."""
    whom, what = subject.removeprefix("every").strip(), said.removeprefix("not").strip()
    message = "`every .. is not` is heard as none of them, and as not all of them"
    return message, at, f"write `no {whom} is {what}` or `any {whom} is {said}`"


def _flat(node: s.Both | s.Either) -> list[Item]:
    """The parts of an unbracketed `and` and `or`, in the order in which they are said."""
    out: list[Item] = []
    for i, part in enumerate(node.parts):
        joint = "or" if isinstance(node, s.Either) and i else "and"
        if isinstance(part, s.Both):
            out += [(joint, part.parts[0]), *(("and", one) for one in part.parts[1:])]
        else:
            out.append((joint, part))
    return out


def _in_brackets(said: str) -> bool:
    """Whether the bracket with which it begins is the last thing that ends."""
    depths = list(accumulate((letter == "(") - (letter == ")") for letter in said))
    return said.startswith("(") and 0 not in depths[:-1]


def _bare(node: s.Node) -> bool:
    """A word, a name or a number that goes on with the test before it; a word in brackets does not."""
    if isinstance(node, s.Bracketed):
        return isinstance(node.value, SUMS)
    return isinstance(node, s.Reading | s.Literal | SUMS)


def _test_of(node: s.Node) -> s.Test:
    return node if isinstance(node, s.Test) else s.Test("equal", (node,), False, node.at)


def _plain(test: s.Test) -> s.Test:
    return s.Test(test.kind, test.values, False, test.at)
