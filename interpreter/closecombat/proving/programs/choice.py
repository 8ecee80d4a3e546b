"""A choice that is left in a program: a player may answer as he likes, as far as that is allowed when he is asked.

In the program it is a throw of which each answer is one fall, and the value that is chosen: the answer that fell, or
if that is not allowed then, the first that is. So a program with choices is one like any other, and goes through the
same passes. What each answer is worth, and what is best, is `best`.
"""

from __future__ import annotations

from collections.abc import Sequence

from closecombat.proving.programs import program as p
from closecombat.proving.values.symbolic import Sym, Tabled, Value, Workshop
from closecombat.text.slotted import dataclass
from closecombat.text.source import Span

OPEN, AT_ONCE, SECRET, ELSEWHERE = "open", "at-once", "secret", "elsewhere"


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """Who is asked for what, and what he may answer. `var` is what he answers, `barred` whether each of `answers` is
    against the rules when he is asked, and `default` what is answered where he says nothing, if `has_default`.

    `player` is whose choice it is, `who` of whom it is. `answered` is who sees the answer: all at once (OPEN), all when
    all of the same `asking` have answered (AT_ONCE), or nobody else until it is shown (SECRET), none of that `asking`
    either.
    """

    var: Sym
    fall: Sym
    answers: tuple[Value, ...]
    barred: tuple[Value, ...]
    has_default: bool
    default: Value
    player: str
    row: str
    who: str
    fact: tuple[str, str]  # of things of which kind, and what it is called
    place: Span  # of the row
    cites: tuple[str, ...]
    answered: str
    asking: int


def left_free(choice: Choice, shop: Workshop) -> list[p.Step]:
    """The steps of a choice where each answer is as likely as any other."""
    falls: list[tuple[Value, int]] = [(((number,),), 1) for number in range(len(choice.answers))]
    return [
        p.Throw(choice.fall, falls),
        p.Let(choice.var, shop.node(Fallen(choice.answers), choice.fall, *choice.barred)),
    ]


def left_to_the_default(choice: Choice, shop: Workshop) -> list[p.Step]:
    """The steps of a choice that is answered as it is where nobody says anything: where there is no such answer, or the
    rules forbid it, with the first that is allowed."""
    if not choice.has_default:
        first = shop.node(Fallen(choice.answers), ((0,),), *choice.barred)
        return [p.Let(choice.var, first if any(type(one) is Sym for one in choice.barred) else choice.answers[0])]
    if type(choice.default) is not Sym and not any(type(one) is Sym for one in choice.barred):
        return [p.Let(choice.var, Allowed(choice.answers)(choice.default, *choice.barred))]
    return [p.Let(choice.var, shop.node(Allowed(choice.answers), choice.default, *choice.barred))]


class Fallen(Tabled):
    """The answer that has fallen, or the first that is allowed."""

    __slots__ = ("answers",)

    def __init__(self, answers: Sequence[Value]) -> None:
        self.answers = answers

    def __call__(self, fall: tuple[tuple[int, ...], ...], *barred: Value) -> Value:
        number = fall[0][0]
        return self.answers[number] if not barred[number] else _first(self.answers, barred)


class Allowed(Tabled):
    """An answer if it is allowed, else the first that is."""

    __slots__ = ("answers",)

    def __init__(self, answers: Sequence[Value]) -> None:
        self.answers = answers

    def __call__(self, answer: Value, *barred: Value) -> Value:
        for one, is_barred in zip(self.answers, barred, strict=True):
            if one == answer and type(one) is type(answer) and not is_barred:
                return one
        return _first(self.answers, barred)


def _first(answers: Sequence[Value], barred: Sequence[Value]) -> Value:
    for answer, is_barred in zip(answers, barred, strict=True):
        if not is_barred:
            return answer
    return answers[0]
