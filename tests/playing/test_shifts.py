"""What a shift counts from, where the value lies beyond the chart: each way that rulebooks say it, reckoned in plain Python.

The chart prints 1-2, 1-1 and 2-1. A side of `men` fights 4 men; `wind` is how many columns it is moved, given or thrown.
"""

from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

from closecombat.asking.exact.questions import ask_about
from closecombat.asking.examples.examples import run_example
from closecombat.binding.load import load
from closecombat.checking.check import check_paths
from closecombat.playing.fight import fight
from closecombat.reading.stack import as_mapping
from closecombat.text.document import parse
from closecombat.text.faults import Faulty
from closecombat.text.source import Source

RULES = """\
ruleset: shifts
language: 1
start: go
words: {chart: [none, low, even, high]}
kinds:
  fight: {one: yes, given: {men: 1 to 20, wind: -9 to 9}, rolled: {die: d6}}
dice: {d6: d6}
tables:
  odds: {is: men / 4}
  thrown: {is: die - 3}
  limited: {across: odds to 1, columns: [1-2, 1-1, 2-1], cells: [low, even, high], words: chart, ends: stay, shift: WIND}
  longer:  {across: odds to 1, columns: [1-4, 1-3, 1-2, 1-1, 2-1, 3-1, 4-1], cells: [low, low, low, even, high, high, high],
            words: chart, ends: stay, shift: WIND}
  opened:  {across: odds to 1, columns: [below 1-2, 1-2, 1-1, 2-1], cells: [none, low, even, high], words: chart, ends: stay, shift: WIND}
  barred:  {across: odds to 1, columns: [1-2, 1-1, 2-1, above 2-1], cells: [low, even, high, high], words: chart, otherwise: none, shift: WIND}
  falling: {across: odds to 1, columns: [2-1, 1-1, 1-2], cells: [high, even, low], words: chart, ends: stay, shift: 0 - WIND}
  added:   {across: men + WIND, columns: [1, 2, 3], cells: [low, even, high], words: chart, ends: stay}
sequences:
  go: {in-order: {roll: {roll: die}}}
"""
SIMPLE = ("low", "even", "high")
LONGER = ("low", "low", "low", "even", "high", "high", "high")


def clamped(index: int, most: int) -> int:
    return min(most, max(0, index))


def column(men: int, headings: list[Fraction]) -> int:
    """The last heading that the odds have reached; the first if none."""
    return max([i for i, heading in enumerate(headings) if Fraction(men, 4) >= heading], default=0)


PRINTED = [Fraction(1, 2), Fraction(1), Fraction(2)]
CONTINUED = [Fraction(1, 4), Fraction(1, 3), *PRINTED, Fraction(3), Fraction(4)]


def wanted(chart: str, men: int, wind: int) -> str:
    """What a chart says, in the words of the rulebooks."""
    match chart:
        case "limited" | "falling":  # odds beyond the chart are those at its end; then it is shifted
            return SIMPLE[clamped(column(men, PRINTED) + wind, 2)]
        case "longer":  # it is shifted as if the chart went on; what is beyond it then is at its end
            return LONGER[clamped(column(men, CONTINUED) + wind, 6)]
        case "opened":  # odds below the chart, and those that are shifted below it, have no effect
            below = Fraction(men, 4) < PRINTED[0]
            return ("none", *SIMPLE)[clamped((-1 if below else column(men, PRINTED)) + 1 + wind, 3)]
        case "barred":  # odds below the chart are no attack, whatever shifts there are
            above = Fraction(men, 4) > 2
            start = 3 if above else column(men, PRINTED)
            return "none" if Fraction(men, 4) < PRINTED[0] else (*SIMPLE, "high")[clamped(start + wind, 3)]
        case _:  # of differences, the shift is added
            return SIMPLE[clamped(men + wind - 1, 2)]


CHARTS = ("limited", "longer", "opened", "barred", "falling", "added")
MEN = (1, 2, 3, 4, 7, 8, 9, 16, 20)


@pytest.mark.parametrize("men", MEN)
def test_as_the_rulebooks_say_it(men: int, tmp_path: Path) -> None:
    file = tmp_path / "ruleset.yaml"
    file.write_text(RULES.replace("WIND", "wind"), "utf-8")
    bound = load(str(tmp_path))
    for wind in range(-4, 5):
        figures = ", ".join(f"{chart}: {wanted(chart, men, wind)}" for chart in CHARTS)
        text = f"example: one\nsituation: {{fight: {{men: {men}, wind: {wind}}}}}\nexpect: {{figures: {{{figures}}}}}\n"
        assert run_example(bound, as_mapping(parse(Source("one.yaml", text)))).faults == ()


@pytest.mark.parametrize("men", MEN)
def test_its_chances_where_the_shift_is_thrown(men: int, tmp_path: Path) -> None:
    (tmp_path / "ruleset.yaml").write_text(RULES.replace("WIND", "thrown"), "utf-8")
    text = f"situation: {{fight: {{men: {men}, wind: 0}}}}\n"
    asked = ask_about(fight(load(str(tmp_path)), as_mapping(parse(Source("one.yaml", text)))), CHARTS)
    for chart, answer in zip(CHARTS, asked.answers, strict=True):
        counted = Counter(wanted(chart, men, die - 3) for die in range(1, 7))
        assert dict(answer.chances) == {word: Fraction(number, 6) for word, number in counted.items()}


def test_check_has_nothing_against_it(tmp_path: Path) -> None:
    (tmp_path / "ruleset.yaml").write_text(RULES.replace("WIND", "wind"), "utf-8")
    assert {fault.code for fault in check_paths([str(tmp_path)])} <= {"unused", "word-never-given"}


def test_half_a_column_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "ruleset.yaml").write_text(RULES.replace("WIND", "wind / 2"), "utf-8")
    text = "example: one\nsituation: {fight: {men: 8, wind: 1}}\n"
    for more in ("expect: {figures: {limited: low}}", "chances: {limited is low: 1}"):
        found = run_example(load(str(tmp_path)), as_mapping(parse(Source("one.yaml", text + more))))
        (fault,) = found.faults
        assert (fault.code, fault.message) == ("out-of-range", "`limited` would be moved 1/2 columns")


def against_nothing(mine: int, theirs: int) -> str:
    """Odds of something against nothing, or less, are beyond the chart; less than nothing is below all that is printed."""
    if theirs <= 0:
        return "high" if mine > 0 else "no-value"
    return SIMPLE[column(4 * mine, [each * theirs for each in PRINTED])]


def test_odds_against_nothing(tmp_path: Path) -> None:
    """Thrown or known, with and without an open end; nothing against nothing, or less, has no odds."""
    chart = "{across: die - MINE to die - THEIRS, columns: COLUMNS, cells: CELLS, words: chart}"
    closed = chart.replace("COLUMNS", "[1-2, 1-1, 2-1]").replace("CELLS", "[low, even, high], ends: stay")
    opened = chart.replace("COLUMNS", "[below 1-2, 1-2, 1-1, 2-1, above 2-1]")
    opened = opened.replace("CELLS", "[low, low, even, high, high]")
    head, _, _ = RULES.partition("tables:")
    tail = "sequences:\n  go: {in-order: {roll: {roll: die}}}\n"
    for mine in (-1, 0, 2, 4, 7):
        for theirs in (-1, 0, 1, 3, 7):
            both = f"  closed: {closed}\n  opened: {opened}\n".replace("MINE", str(mine)).replace("THEIRS", str(theirs))
            (tmp_path / "ruleset.yaml").write_text(f"{head}tables:\n{both}{tail}", "utf-8")
            bound = load(str(tmp_path))
            wanted = Counter(against_nothing(die - mine, die - theirs) for die in range(1, 7))
            text = "situation: {fight: {men: 1, wind: 0}}\n"
            for name in ("closed", "opened"):
                if "no-value" in wanted:
                    with pytest.raises(Faulty, match="is asked for odds of"):
                        ask_about(fight(bound, as_mapping(parse(Source("one.yaml", text)))), [name])
                    continue
                (answer,) = ask_about(fight(bound, as_mapping(parse(Source("one.yaml", text)))), [name]).answers
                assert dict(answer.chances) == {word: Fraction(number, 6) for word, number in wanted.items()}
