"""What players could answer to the choices that a fight leaves to the ruleset, each as a change that can be weighed.

An answer is given whenever he is asked, as `choices:` of a situation gives it, and all else stays with the ruleset:
that is no best play (`best_play`), in which whoever is asked sees what has happened. Declarations are listed where no
dice are thrown before, and where they are few.
"""

from __future__ import annotations

from dataclasses import replace

from closecombat.asking.choices.alike import form_of
from closecombat.asking.choices.allowed import come_to, listed
from closecombat.asking.choices.declarations import as_written, set_in_words, usual_things
from closecombat.asking.exact.answers import CHOICE
from closecombat.asking.weights.changeable import NOTHING_UNKNOWN, Candidate
from closecombat.asking.weights.weights import LeftOpen
from closecombat.binding.bound import BoundAct, BoundAsking, BoundChoose, BoundDeclare
from closecombat.playing.fight import Fight
from closecombat.playing.notes import LEFT_OPEN
from closecombat.playing.run import Run
from closecombat.proving.throws.dice import ScriptedDice
from closecombat.proving.values.budget import SECOND, Budget
from closecombat.reading.fields import child
from closecombat.reading.types import AThing, Flag, Number, Word, shown
from closecombat.text.faults import Faulty
from closecombat.text.nodes import Mapping, Node, Text
from closecombat.text.source import Source, Span

MOST_ANSWERS = 12  # to a choice, of which each is a fight of its own
LISTING = SECOND // 4  # of work, to list what may be declared


def choices_left_open(fight: Fight, run: Run) -> dict[LeftOpen, list[Candidate]]:
    """The choices that a run may leave to the ruleset, in the order in which they are asked, each with what else could
    be answered, the rules apart."""
    told: dict[tuple[str, str], dict[str, str]] = {}
    for mark in run.notes.found:
        if mark[0] == LEFT_OPEN and len(mark) > 2:
            _, remark, row, who, answer = map(str, mark)
            told.setdefault((row, who), {})[answer] = remark
    return dict(_left_open(fight, run, row, who, answers) for (row, who), answers in told.items())


def _left_open(fight: Fight, run: Run, row: str, who: str, told: dict[str, str]) -> tuple[LeftOpen, list[Candidate]]:
    found = LeftOpen(f"{row} of {who}", tuple(told.values()), " or ".join(told))
    act = _asking(run, row, run.state.things[who].kind)
    if act is None or child(child(fight.choices, row), who) is not None:
        return replace(found, why="it is answered some of the times"), []
    span = Span(Source("", row), 0, len(row))
    if isinstance(act.verb, BoundChoose):
        words = [one for one in _words(run, act.verb) if len(told) > 1 or one not in told]
        others: dict[str, Node] = {one: Text(one, span, True, span) for one in words}
        why = "its answers cannot be listed"
    else:
        others, why = _declarations(fight, row, who, span), f"choices --at {row} --best"
    if not others or len(others) > MOST_ANSWERS:
        return replace(found, why="too many answers" if others else why), []
    return found, [
        Candidate(CHOICE, found.name, NOTHING_UNKNOWN, found.now, other, act.act.where.cites, (), by)
        for other, by in ((other, _answered(fight, row, who, node)) for other, node in others.items())
    ]


def _declarations(fight: Fight, row: str, who: str, span: Span) -> dict[str, Node]:
    """All else that somebody may declare, in words and as he would write it; nothing where that hangs on dice, goes
    by turns, or would take long to find out."""
    try:
        met = come_to(fight, ScriptedDice(()), lambda act, asked: (act.act.id, asked.name) == (row, who))
        if met is None or not isinstance(met[1].verb, BoundDeclare) or met[1].verb.at_most is not None:
            return {}
        run, found = met
        found.budget = Budget(LISTING)
        choice, usual = listed(run, found), usual_things(run, found)
    except Faulty:
        return {}
    if choice.together is None or not choice.complete:
        return {}
    sets = [tuple(one.value for one in some) for some in choice.together]
    known = form_of(usual) if usual is not None else None
    return {set_in_words(one): as_written(who, one, span) for one in sets if form_of(one) != known}


def _asking(run: Run, row: str, kind: str) -> BoundAct | None:
    """The row of that name that asks somebody of a kind."""
    for sequence in run.ruleset.sequences.values():
        for act in run.bound.sequence(sequence.name).acts:
            if act.act.id == row and isinstance(act.verb, BoundAsking) and act.verb.fact.kind == kind:
                return act
    return None


def _words(run: Run, verb: BoundChoose) -> list[str]:
    """What a fact that is chosen may be set to, as a situation says it, the rules apart."""
    match verb.fact.type:
        case Flag():
            return [shown(True), shown(False)]
        case Word(words):
            return list(words) if verb.hand is None else list(run.ruleset.decks[verb.hand[1].deck].cards)
        case AThing(kind, nobody):
            return [*(one.name for one in run.state.by_kind.get(kind, ())), *([shown(None)] if nobody else [])]
        case Number(low, high, nobody) if low is not None and high is not None and high - low < MOST_ANSWERS:
            return [*map(str, range(low, high + 1)), *([shown(None)] if nobody else [])]
    return []


def _answered(fight: Fight, row: str, who: str, answer: Node) -> Fight:
    """The fight with one choice answered."""
    span, rows = answer.span, dict(fight.choices.entries) if fight.choices is not None else {}
    key = next((each for each in rows if each.value == row), Text(row, span, True, span))
    line = rows.get(key)
    said = line.entries if isinstance(line, Mapping) else ()
    rows[key] = Mapping((*said, (Text(who, span, True, span), answer)), span)
    return replace(fight, choices=Mapping(tuple(rows.items()), span), heard=set(), often=[])
