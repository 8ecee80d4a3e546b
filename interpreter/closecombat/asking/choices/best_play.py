"""Best play: what each answer to the next choice is worth, where all that is answered later is answered best as well.

A choice (`choose`) is worked out in one go, with all those behind it (`proving/best_play/best`); declarations one after
the other (`declaring`). What takes too long is left to the ruleset, and that is said. Which answers there are is
`allowed`, what is played for `aims`.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from closecombat.asking.choices.aims import aim_of, in_words
from closecombat.asking.choices.allowed import Choice as Listed
from closecombat.asking.choices.best_chances import hidden
from closecombat.asking.choices.declaring import worth_of_declarations
from closecombat.asking.choices.worths import (
    Answered,
    Question,
    Worth,
    note_what_is_left,
    offered,
    ordered,
    player_asked,
    sharing,
)
from closecombat.playing.notes import without_notes
from closecombat.proving.best_play.best import (
    TAKES_LONGER,
    answered_by_default,
    check_faults,
    mean,
    play_best,
    worth_of_each,
)
from closecombat.proving.programs.choice import Choice
from closecombat.proving.values.symbolic import Value
from closecombat.text.faults import Faulty


def best_answers(question: Question, listed: Listed) -> Answered:
    """What each legal answer to a choice is worth."""
    return (
        worth_of_declarations(question, listed) if listed.together is not None else worth_of_choices(question, listed)
    )


def worth_of_choices(question: Question, listed: Listed) -> Answered:
    root = (listed.row, listed.who.name)
    run, offers = offered(question, root, {})
    me = player_asked(question, run, offers, root)
    aim = aim_of(run, question.aims, me)
    steps = without_notes(run.draft.steps)
    first = offers.choices[0] if offers.choices and (offers.choices[0].row, offers.choices[0].who) == root else None
    played = play_best(run.shop, steps, offers.choices, aim, question.tell, sharing(run, question), hidden(run.bound))
    if first is not None and first in played.left:
        why = "best takes longer (--yes)" if played.left[first] == TAKES_LONGER else played.left[first]
        later = [choice for choice in offers.choices if choice is not first]
        run.may_spend(None)
        played = play_best(run.shop, answered_by_default(run.shop, steps, later), [first], aim, question.tell)
        question.notes[f"all other choices are answered as the ruleset does: {why}"] = None
    if first is not None and first in played.left:  # then each answer would be worth what the ruleset's is
        said = f"what an answer at `{first.row}` is worth cannot be told: {played.left[first]}"
        help = "let the repetition end, `at-most: 20`; or answer the row under `choices:`, and ask `chances` of each"
        raise Faulty.one("no-value", said, first.place, help=help)
    run.may_spend(None)
    check_faults(run.shop, played.steps)
    note_what_is_left(question, offers, played)
    words = in_words(run, question.aims, me.name)
    decided = next((one for one in played.decided if first in one.choices), None)
    if first is None or decided is None or not decided.states:
        whole = mean(run.shop, played.steps, aim.parts)
        usual = _usual(listed, first)
        worths = [Worth(one.value, whole, True, _same(one.value, usual)) for one in listed.answers if one.legal]
        return Answered(listed, me.name, words, tuple(worths), whole, whole, None, tuple(question.notes))
    (state,) = decided.states.values()
    fixed = mean(run.shop, played.steps, [part for part in aim.parts if part not in decided.parts])
    each = worth_of_each(state, decided.choices, first, me.name)
    at = decided.choices.index(first)
    best = state.worth + fixed
    usual = (state.default[at],) if state.default else ()
    shares: dict[Value, Fraction] = {}
    for row, share in state.plays.items():
        shares[row[at]] = shares.get(row[at], Fraction(0)) + share
    unseen = len({choice.player for choice in decided.choices}) > 1  # then one worth as much may still lose by itself
    worths = [
        Worth(
            answer,
            worth + fixed,
            worth + fixed == best,
            _same(answer, usual),
            True,
            shares.get(answer, Fraction(0)) if unseen else None,
        )
        for answer, worth in each.items()
    ]
    default = next((one.worth for one in worths if one.is_default), None)
    between = (state.low + fixed, state.high + fixed) if state.low != state.high else None
    return Answered(listed, me.name, words, ordered(worths), best, default, between, tuple(question.notes))


def _usual(listed: Listed, first: Choice | None) -> tuple[Value, ...]:
    return (first.default,) if first is not None and first.has_default else ()


def _same(answer: Value, usual: Sequence[Value]) -> bool:
    return any(type(one) is type(answer) and one == answer for one in usual)
