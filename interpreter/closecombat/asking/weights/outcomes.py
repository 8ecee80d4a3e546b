"""The outcomes of a fight, each under one name, so that two fights can be held against each other: each by itself, and
where none of them is another, what happens together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import combinations

from closecombat.asking.exact.answers import ON_AVERAGE, STRENGTH_LOST, Shift
from closecombat.asking.exact.questions import as_texts, one_value
from closecombat.asking.exact.settings import Ask
from closecombat.asking.keeping.came_to import Together
from closecombat.asking.weights.weights import Outcome
from closecombat.playing.fight import (
    Fight,
    asked,
    begin,
    losses,
    losses_are_about,
    sentence,
    verdicts,
    verdicts_are_about,
)
from closecombat.playing.run import Run
from closecombat.proving.tables.weights import Row as Values
from closecombat.proving.values.symbolic import Value
from closecombat.reading.sentences import parse
from closecombat.reading.types import Number, Roll, Type, shown
from closecombat.text.faults import Faults
from closecombat.text.nodes import Text
from closecombat.text.slotted import dataclass

MOST_PAIRED = 60  # things that are so of somebody, of which any two are looked at together


@dataclass(frozen=True, slots=True)
class Ends:
    """What is asked of the end: how each side ends and what it loses, or some questions. Of each answer, whose it is
    and whether its mean is told, and its chances unless it is an amount alone."""

    ask: Ask
    answers: tuple[tuple[str, bool, bool], ...]
    texts: tuple[Text, ...] = ()

    def outcomes(self, found: Mapping[Values, Fraction]) -> dict[Outcome, Fraction]:
        """The chance of each answer, and the mean of each number."""
        out: dict[Outcome, Fraction] = {}
        for at, (whom, is_number, is_amount) in enumerate(self.answers):
            for row, chance in found.items():
                value, mean = row[at], (whom, STRENGTH_LOST if is_amount else ON_AVERAGE)
                if not is_amount:
                    key = whom, shown(value)
                    out[key] = out.get(key, Fraction(0)) + chance
                if is_number and value is not None:
                    out[mean] = out.get(mean, Fraction(0)) + Fraction(value) * chance
        return out

    def moved_together(self, was: Mapping[Values, Fraction], now: Mapping[Values, Fraction]) -> list[Shift]:
        """What is another of several answers at once, the largest first; amounts only where nothing else is."""
        return moved_together(self._ends(was, False), self._ends(now, False)) or moved_together(
            self._ends(was, True), self._ends(now, True)
        )

    def _ends(self, found: Mapping[Values, Fraction], with_amounts: bool) -> Together:
        out: dict[tuple[Outcome, ...], Fraction] = {}
        for row, chance in found.items():
            told = zip(self.answers, row, strict=True)
            end = tuple(
                [
                    (whom, f"lost {shown(value)}" if is_amount else shown(value))
                    for (whom, _, is_amount), value in told
                    if with_amounts or not is_amount
                ]
            )
            out[end] = out.get(end, Fraction(0)) + chance
        return out


def moved_together(was: Together, now: Together) -> list[Shift]:
    """What is another where each by itself is the same: of two things that are so together, else, or where these are
    many, of whole ends. Nothing can be told of ends that are not known."""
    if not was or not now:
        return []
    ends = dict.fromkeys((*was, *now))
    said = sorted({one for end in ends for one in end})
    out: list[Shift] = []
    if len(said) <= MOST_PAIRED:
        out = [_of_both(pair, was, now) for pair in combinations(said, 2)]
    if not any(one.by for one in out):
        out = [_shift(end, was.get(end, Fraction(0)), now.get(end, Fraction(0))) for end in ends if end]
    return sorted((one for one in out if one.by), key=lambda one: -abs(one.by))


def _of_both(pair: Sequence[Outcome], was: Together, now: Together) -> Shift:
    both = set(pair)
    return _shift(pair, *(sum((c for end, c in ends.items() if both <= set(end)), Fraction(0)) for ends in (was, now)))


def _shift(those: Sequence[Outcome], old: Fraction, new: Fraction) -> Shift:
    (whom, what), *others = those
    said = " and ".join([what, *(f"{who}: {is_so}" for who, is_so in others)])
    return Shift(whom, said, old, new, tuple(those))


def what_is_asked(fight: Fight, questions: Sequence[str]) -> Ends:
    """Raises Faulty with every question that cannot be asked."""
    run = begin(fight, None)
    if not questions:
        sides = [(side.name, False, False) for side in verdicts_are_about(run)]
        return Ends(_how_it_ends, (*sides, *((side.name, True, True) for side in losses_are_about(run))))
    texts, answers, faults = tuple(as_texts(questions)), list[tuple[str, bool, bool]](), Faults()
    for text in texts:
        found = faults.attempt(_question, run, text)
        if found is not None:
            answers.append((text.value, isinstance(found, Number | Roll), False))
    faults.raise_if_any()
    return Ends(partial(_answers, texts), tuple(answers), texts)


def _how_it_ends(run: Run) -> list[Value]:
    return [*verdicts(run).values(), *losses(run).values()]


def _question(run: Run, text: Text) -> Type:
    """What sort of answer a question has, as it is asked before the fight."""
    return one_value(sentence(run, parse(text, "value"))[0].type, text)


def _answers(texts: Sequence[Text], run: Run) -> list[Value]:
    return [asked(run, text)[0] for text in texts]
