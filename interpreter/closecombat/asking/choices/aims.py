"""What a player plays for: the strength lost, a verdict, a sentence about the end, or several weighed together.

An aim is a number at the end, to be as high as can be for one side; whoever else plays wants it low. `lost` is what the
others lose of their strength less what the side itself does; a verdict (`destroyed`) the chance that another ends so
less the chance that the side does, and the best of the scale, its first, the other way round; `verdict` how far along
the ruleset's scale the others end, in steps, less how far the side does. Any sentence counts as it is: a number, or 1
where it is so. `2*destroyed` counts twice.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from closecombat.asking.exact.chances import scale
from closecombat.asking.exact.questions import as_texts, one_value
from closecombat.playing.fight import asked, losses, verdicts
from closecombat.playing.run import Run
from closecombat.proving.best_play.best import Aim, Part, parts_of
from closecombat.proving.values.symbolic import Value
from closecombat.reading.types import Flag, Number, Roll, Thing
from closecombat.text.faults import Faulty, suggest
from closecombat.text.slotted import dataclass

LOST, VERDICT = "lost", "verdict"
WEIGHED = re.compile(r"^\s*(-?\d+(?:/\d+|\.\d+)?)\s*\*\s*(.+)$")


@dataclass(frozen=True, slots=True)
class Wanted:
    """One part of an aim: what counts, and how much."""

    what: str
    weight: Fraction = Fraction(1)

    def __str__(self) -> str:
        return self.what if self.weight == 1 else f"{self.weight}*{self.what}"


def wanted(texts: Sequence[str]) -> tuple[Wanted, ...]:
    """The aim as the command line says it; the strength lost where it says nothing."""
    out = []
    for text in texts or (LOST,):
        found = WEIGHED.match(text)
        out.append(Wanted(found[2].strip(), Fraction(found[1])) if found else Wanted(text.strip()))
    return tuple(out)


def in_words(run: Run, aims: Sequence[Wanted], me: str) -> tuple[str, ...]:
    """What is played for, a line for each part."""
    words, unit = scale(run.ruleset), ""
    table = run.ruleset.tables.get("strength-lost")
    unit = f" ({table.unit})" if table is not None and table.unit else ""
    out = []
    for one in aims:
        more = "" if one.weight == 1 else f"{one.weight} times "
        if one.what == LOST:
            said = f"the strength{unit} that the others lose, less what {me} loses"
        elif one.what == VERDICT:
            said = f"how far the others end along {', '.join(words)}, in steps, less how far {me} does"
        elif one.what in words[:1]:
            said = f"the chance that {me} ends `{one.what}`, the best end there is, less the chance that another does"
        elif one.what in words:
            said = f"the chance that another ends `{one.what}`, less the chance that {me} does"
        else:
            said = f"`{one.what}`"
        out.append(more + said)
    return tuple(out)


def aim_of(run: Run, aims: Sequence[Wanted], me: Thing) -> Aim:
    """What counts at the end of a run, as a sum of parts for one side."""
    words = scale(run.ruleset)
    parts: list[Part] = []
    with run.shop.quiet():
        for one in aims:
            for factor, value in _counted(run, one.what, me, words):
                parts += parts_of(run.shop, run.draft.steps, value, factor * one.weight)
    return Aim(me.name, tuple(parts))


def _counted(run: Run, what: str, me: Thing, words: Sequence[str]) -> list[Part]:
    shop = run.shop
    if what == LOST:
        found = losses(run)
        if not found:
            raise Faulty.one(
                "missing-key",
                f"`{run.ruleset.name}` does not say what strength is lost",
                run.ruleset.place,
                help="add `strength-lost:` to it, or play for something else: --aim VERDICT, --aim SENTENCE",
            )
        return [(_sign(side, me), value) for side, value in found.items()]
    if what == VERDICT:
        return [(_sign(side, me), shop.over(ends, lambda word: _step(words, word))) for side, ends in _ends(run)]
    if what in words:
        way = -1 if what == words[0] else 1
        return [(way * _sign(side, me), shop.if_(shop.equal(ends, what), 1, 0)) for side, ends in _ends(run)]
    text = as_texts([what], "--aim")[0]
    try:
        value, type_ = asked(run, text)
    except Faulty as error:
        if " " in what:
            raise
        help = suggest(what, (LOST, VERDICT, *words))
        raise Faulty.one("unknown-name", f"`{what}` is nothing to play for", text.span, help=help) from error
    one_value(type_, text)
    if isinstance(type_, Flag):
        return [(Fraction(1), shop.if_(value, 1, 0))]
    if not isinstance(type_, Number | Roll):
        help = "play for a number or a yes: `number of units of red`, `any unit of blue is broken`"
        raise Faulty.one("wrong-type", f"`{what}` is {type_}, which cannot be more or less", text.span, help=help)
    return [(Fraction(1), value)]


def _ends(run: Run) -> list[tuple[Thing, Value]]:
    found = [*verdicts(run).items()]
    if not found:
        raise Faulty.one(
            "missing-key",
            f"`{run.ruleset.name}` does not say how a side ends",
            run.ruleset.place,
            help="add `outcomes:` to it, or play for something else: --aim lost, --aim SENTENCE",
        )
    return found


def _sign(side: Thing, me: Thing) -> Fraction:
    return Fraction(-1 if side is me or side == me else 1)


def _step(words: Sequence[str], word: Value) -> Value:
    return words.index(word)
