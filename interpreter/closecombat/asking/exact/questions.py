"""Questions about the end of a fight, in sentences, and the chance of each answer: `any unit of blue is broken`.

Each is asked of the end as the `chances:` of an example are; what the end is like otherwise is `chances`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction

from closecombat.asking.exact.answers import Assumption, Basis
from closecombat.asking.exact.chances import assumptions, left_open
from closecombat.asking.exact.weighing import Answering
from closecombat.playing.fight import Fight, asked, begin, distribution, go, settle_notes
from closecombat.playing.run import Run
from closecombat.proving.values.symbolic import Value
from closecombat.reading.model import name_of_stack
from closecombat.reading.types import Exact, Flag, Number, Roll, Things, Type, Word, exact, shown
from closecombat.text.faults import Faults, Faulty
from closecombat.text.nodes import Text
from closecombat.text.slotted import dataclass
from closecombat.text.source import Source, Span


@dataclass(frozen=True, slots=True)
class Answers:
    """All that the answer to one question can be, each with its chance; these sum to exactly 1. Numbers stand least
    first, words in the order of their list, yes before no. `mean` is that of a number, where it always is one."""

    question: str
    chances: tuple[tuple[Value, Fraction], ...]
    mean: Exact | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """The answers to all questions about one fight, each by itself, and what they rest on."""

    ruleset: str
    title: str
    answers: tuple[Answers, ...]
    assumptions: tuple[Assumption, ...]
    remarks: tuple[str, ...]
    rests_on: tuple[Basis, ...] | None = None  # if it was weighed, the heaviest first


def ask_about(
    fight: Fight,
    questions: Sequence[str],
    until_resolved: bool = False,
    watch: Callable[[int, int], None] | None = None,
    most_work: int | None = None,
    best: Answering | None = None,
) -> Asked:
    """The exact answers to some questions; Faulty with every question that cannot be asked. What the
    situation leaves open is answered by `best`, if by anybody but the ruleset."""
    run, answers = _worked_out(fight, as_texts(questions), until_resolved, watch, most_work, best)
    settle_notes(fight, run, until_resolved, best is None)
    ruleset = fight.bound.ruleset
    remarks = (*(best.said if best is not None else ()), *left_open(run.notes))
    return Asked(name_of_stack(ruleset), ruleset.title, tuple(answers), assumptions(ruleset, run.notes), remarks)


def answers_to(
    fight: Fight, texts: Sequence[Text], until_resolved: bool = False, most_work: int | None = None
) -> list[Answers]:
    """The same without what they rest on."""
    return _worked_out(fight, texts, until_resolved, None, most_work)[1]


def _worked_out(
    fight: Fight,
    texts: Sequence[Text],
    until_resolved: bool,
    watch: Callable[[int, int], None] | None,
    most_work: int | None,
    best: Answering | None = None,
) -> tuple[Run, list[Answers]]:
    run = begin(replace(fight, questions=tuple(texts)), None)
    if best is not None:
        best.begins(run)

    def at_the_end(run: Run) -> None:
        for text in texts:
            with suppress(Faulty):
                asked(run, text)

    run.will_be_asked(at_the_end)
    run.may_spend(most_work)
    go(run, until_resolved)
    faults, found = Faults(), []
    for text in texts:
        try:
            value, type_ = asked(run, text)
            found.append((text.value, value, one_value(type_, text)))
        except Faulty as error:
            faults.extend(error.diagnostics)
    faults.raise_if_any()
    if best is not None:
        best.ends(run)
    answers = []
    for question, value, type_ in found:
        chances = distribution(run, [value], watch)
        answers.append(_answers(question, type_, {row[0]: chance for row, chance in chances.items()}))
    run.may_spend(None)  # what is asked from here on has bounds of its own
    return run, answers


def as_texts(questions: Sequence[str], option: str = "--of") -> list[Text]:
    """Questions of the command line as what stands in a file."""
    return [Text(one, span := Span(Source(option, one), 0, len(one)), True, span) for one in questions]


def one_value(type_: Type, text: Text) -> Type:
    """The type of a question, whose answer must be one value."""
    if isinstance(type_, Things):
        question, span = text.value, text.span
        help = f"ask for one thing about it: `number of {question}`, `any {type_.each} of ..`"
        raise Faulty.one("wrong-type", f"`{question}` is {type_}, and not one value", span, help=help)
    return type_


def _answers(question: str, type_: Type, found: Mapping[Value, Fraction]) -> Answers:
    mean = None
    if isinstance(type_, Number | Roll) and None not in found:
        mean = exact(sum((value * chance for value, chance in found.items()), Fraction(0)))
    return Answers(question, tuple(sorted(found.items(), key=lambda one: place_among(type_, one[0]))), mean)


def place_among(type_: Type, value: Value) -> tuple[Value, ...]:
    """Where an answer stands among the others; nobody comes last."""
    match type_:
        case _ if value is None:
            return (2,)
        case Flag():
            return (0, not value)
        case Word(words) if value in words:
            return (0, words.index(value))
        case Number() | Roll():
            return (0, value)
    return (1, shown(value))
