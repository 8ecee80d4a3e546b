"""What is asked of best play and what is answered, and a run in which all is offered from a choice on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from fractions import Fraction
from typing import TypeAlias

from closecombat.asking.choices.aims import Wanted
from closecombat.asking.choices.alike import Things
from closecombat.asking.choices.allowed import Choice as Listed
from closecombat.asking.choices.best_chances import left_words
from closecombat.playing.fight import Fight, begin, go, verdicts_are_about
from closecombat.playing.offers import NOBODY_KNOWS, Offers
from closecombat.playing.run import Run
from closecombat.proving.best_play.best import Played
from closecombat.proving.throws.dice import Answers
from closecombat.proving.values.budget import SECOND
from closecombat.proving.values.symbolic import Value
from closecombat.reading.types import Thing
from closecombat.text.faults import Faulty
from closecombat.text.slotted import dataclass

Planned: TypeAlias = Mapping[tuple[str, str], Things]  # what is declared at which row by whom


@dataclass(frozen=True, slots=True)
class Worth:
    """One answer, or the things that are declared together; what it is worth, or at most (for whoever answers) where
    it was not worth going on. `share` is how often it is played, where the answers are mixed; `alike` how many
    declarations it stands for, which differ only by units that are alike."""

    answer: Value | Things
    worth: Fraction
    is_best: bool
    is_default: bool
    exact: bool = True
    share: Fraction | None = None
    alike: int = 1


@dataclass(frozen=True, slots=True)
class Answered:
    """The next choice, each legal answer with its worth for its `player`, the best first. `default` is what the
    ruleset's own answer is worth. Where who sees whose answer counts, best play lies between `between`."""

    listed: Listed
    player: str
    aims: tuple[str, ...]
    worths: tuple[Worth, ...]
    best: Fraction
    default: Fraction | None
    between: tuple[Fraction, Fraction] | None
    notes: tuple[str, ...]


@dataclass(slots=True)
class Question:
    """What is asked: a fight from its next choice on, and the dice before that; what is played for, and how much work
    may be done."""

    fight: Fight
    dice: Callable[[], Answers]
    aims: tuple[Wanted, ...]
    most_work: int | None = None
    tell: Callable[[int, int], None] = lambda done, left: None
    tell_fights: Callable[[int], None] = lambda tried: None
    notes: dict[str, None] = field(default_factory=dict)


def ordered(worths: Iterable[Worth]) -> tuple[Worth, ...]:
    return tuple(sorted(worths, key=lambda one: -one.worth))


def offered(question: Question, root: tuple[str, str], planned: Planned) -> tuple[Run, Offers]:
    """The run of a fight in which all is offered from a choice on."""
    run = begin(question.fight, None)
    offers = Offers(root, planned=dict(planned))
    run.offers_through(offers, question.dice())
    go(run)
    return run, offers


def player_asked(question: Question, run: Run, offers: Offers, root: tuple[str, str]) -> Thing:
    """The side that answers the choice that is asked about."""
    for side in verdicts_are_about(run):
        if side.name == offers.asked:
            return side
    raise nobodys(question, root, offers.left.get(root, ""))


def nobodys(question: Question, root: tuple[str, str], why: str = "") -> Faulty:
    if why and why != NOBODY_KNOWS:
        said = f"`{root[0]}` of {root[1]} is worth nothing to anybody: {why}"
        return Faulty.one("no-value", said, None, help="ask for a choice of a player: --at ROW")
    ruleset = question.fight.bound.ruleset
    acts = (act for sequence in ruleset.sequences.values() for act in sequence.acts if act.id == root[0])
    return Faulty.one(
        "no-value",
        f"nobody can tell which side answers `{root[0]}` of {root[1]}",
        next((act.where.place for act in acts), ruleset.place),
        help="write beside the choice whose it is, such as `by: side` or `by: side of unit`",
    )


def sharing(run: Run, question: Question) -> Callable[[int], None]:
    """Lets each choice have its share of the work that is left."""

    def spend(left: int) -> None:
        if question.most_work is not None:
            budget = run.shop.budget
            run.may_spend(budget.spent + max(question.most_work - budget.spent, 0) // left + SECOND // 2)

    return spend


def note_what_is_left(question: Question, offers: Offers, played: Played) -> None:
    """Notes what was left to the ruleset all the same."""
    question.notes |= dict.fromkeys(left_words(offers, played))
