"""What a fact or a table was at a moment, asked later: played, and its chances, both by hand."""

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
ruleset: moments
language: 1
start: go
words: {mood: [calm, angry]}
kinds:
  fight: {one: yes, given: {night: flag}, noted: {turn: 0 to 9, alarm: flag}}
  side:
    given: {enemy: the other side, champion: a unit or nobody, units: {are: units, each: unit}}
  unit:
    given: {side: a side, men: 0 to 9, mood: {is: mood, default: calm}}
    rolled: {throw: dice}
    noted: {hits: 0 to 9, shaken: flag, was-strong: flag, was: 0 to 9}
dice: {dice: d6}
counters: {unit: {columns: [men], rows: {reserve: [4]}}}
tables:
  strength: {about: unit, is: men - hits}
  share: {about: unit, is: 12 / strength}
  odds: {about: [unit, side], is: strength of unit - number of units of side}
  many: {is: number of units}
  then: {about: unit, is: strength at fire}
sequences:
  go:
    in-order:
      turn:   {play: turns}
      panic:  {each: unit, strength of unit at fire: more than strength, do: gain shaken}
      proud:  {each: unit, when: then of unit is at least 5, do: gain was-strong}
  turns:
    again: {until: turn is 2, at-most: 2}
    in-order:
      next:  {do: add 1 to turn}
      throw: {each: unit, roll: throw}
      fire:  {each: unit, throw: at least 5, do: add 2 to hits}
      dead:  {each: unit, strength: at most 0, do: leave}
      comes: {each: side, turn: 2, create: reserve, into: units of side, as: late}
"""
FIGHT = """\
example: one
situation: {sides: {blue: {units: {a: {men: 6}}}, red: {units: {b: {men: 4, mood: angry}, c: {men: 2}}}}}
"""


def failures(more: str, folder: Path, rules: str = RULES) -> list[str]:
    (folder / "ruleset.yaml").write_text(rules, "utf-8")
    document = as_mapping(parse(Source("fight.yaml", FIGHT + more)))
    return [f"{fault.message} {fault.help}" for fault in run_example(load(str(folder)), document).faults]


PLAYED = [  # the throws of a, b and c in the first pass, of who is left in the second; what is so at the end
    ("[1, 1, 1, 1, 1, 1]", "figures: {then of a: 6, then of b: 4, then of c: 2}"),
    ("[5, 1, 1, 6, 1, 1]", "figures: {then of a: 4, strength of a: 2, shaken of a: yes, was-strong of a: no}"),
    ("[1, 1, 1, 6, 1, 1]", "figures: {then of a: 6, strength of a: 4, shaken of a: yes, was-strong of a: yes}"),
    ("[5, 1, 1, 1, 1, 1]", "figures: {then of a: 4, strength of a: 4, shaken of a: no}"),
    ("[1, 1, 5, 1, 1]", "figures: {then of late-blue: nobody, was-strong of late-blue: no, shaken of late-blue: no}"),
    ("[1, 5, 1, 1, 1, 1]", "figures: {then of b: 2}"),
]


@pytest.mark.parametrize(("dice", "expect"), PLAYED)
def test_as_it_was_when_the_row_was_last_reached(dice: str, expect: str, tmp_path: Path) -> None:
    assert failures(f"dice: {dice}\nexpect: {{{expect}}}\n", tmp_path) == []


CHANCES = [
    ("then of a is 4", "1/3"),  # hit in the first pass
    ("then of a is 6", "2/3"),
    ("shaken of a", "1/3"),  # hit in the second
    ("shaken of a and was-strong of a", "2/9"),
    ("then of c is nobody", "1/3"),  # gone before the second pass
    ("then of b is 4 and strength of b is 2", "2/9"),
]


@pytest.mark.parametrize(("sentence", "chance"), CHANCES)
def test_the_chances_of_it(sentence: str, chance: str, tmp_path: Path) -> None:
    assert failures(f"chances: {{{sentence}: {chance}}}\n", tmp_path) == []


def test_without_a_bound(tmp_path: Path) -> None:
    """Turn after turn until a is hit for the third time: what was there at the last row is carried from pass to pass."""
    rules = RULES.replace("until: turn is 2, at-most: 2", "until: no unit of blue, at-most: unbounded")
    rules = rules.replace("units of blue", "units of side").replace("no unit of blue", "hits-a is at least 6")
    rules = rules.replace("turn: 0 to 9, alarm", "hits-a: 0 to 9, turn: 0 to 9, alarm")
    rules = rules.replace("      dead:", "      a: {each: unit, men: 6, do: set hits-a to hits}\n      dead:").replace(
        "turn: 2, create", "turn: 9, night: yes, create"
    )
    rules = rules.replace("      next:  {do: add 1 to turn}\n", "")
    # a has 2 left whenever the row is reached for the last time, and is then hit, so that he has none
    assert failures("chances: {then of a is 2: 1}\n", tmp_path, rules) == []


WHERE = "      dead:  {each: unit, strength: at most 0, do: leave}\n"
ASKED = [  # in a row behind `fire`; all hit in both passes but c, who is gone after the first
    ("share of unit at fire: 2", "gain was-strong", "was-strong of a: yes"),  # 12 / 6, then 12 / 4
    ("odds of unit for side at fire: 5", "gain was-strong", "was-strong of a: yes"),  # 6 men, and one of his side
    ("mood of unit at fire: angry", "gain was-strong", "was-strong of b: yes"),
    ("many at fire: 3", "set was to many at fire", "was of a: 3"),
    ("when: shaken of unit at fire", "gain was-strong", "was-strong of a: no"),
    ("men at fire: 6", "set was to strength at fire - strength", "was of a: 2"),
]


@pytest.mark.parametrize(("column", "effect", "figure"), ASKED)
def test_whatever_can_be_asked(column: str, effect: str, figure: str, tmp_path: Path) -> None:
    rules = RULES.replace(WHERE, f"      x: {{each: unit, turn: 1, {column}, do: {effect}}}\n" + WHERE)
    assert failures(f"dice: [5, 5, 5, 5, 5]\nexpect: {{figures: {{{figure}}}}}\n", tmp_path, rules) == []
    is_so = figure.replace(": ", " is ")
    if "no" not in figure:
        sure = rules.replace("dice: d6", "dice: five").replace("dice: {", "dies: {five: [5, 5]}\ndice: {")
        assert failures(f"chances: {{{is_so}: 1}}\n", tmp_path, sure) == []


def test_a_variant_asks_where_its_base_does_not(tmp_path: Path) -> None:
    plain = RULES.replace("is: strength at fire", "is: strength").replace(
        "strength of unit at fire: more", "hits: more"
    )
    (tmp_path / "ruleset.yaml").write_text(plain, "utf-8")
    (tmp_path / "variants").mkdir()
    changes = "changes:\n  one: {at: tables.then, set: {is: strength at fire}, was: {is: strength}, why: it may.}\n"
    (tmp_path / "variants" / "then.yaml").write_text(f"variant: then\nextends: ..\n{changes}", "utf-8")
    expected = "dice: [5, 1, 1, 6, 1, 1]\nexpect: {figures: {then of a: 4}}\n"
    document = as_mapping(parse(Source("fight.yaml", FIGHT + expected)))
    assert [fault.message for fault in run_example(load("./variants/then.yaml", tmp_path), document).faults] == []


WRONG = [
    ("strength at fires", "no row of a sequence is called `fires`"),
    ("strength of champion of side at fire", "this cannot be asked as it was at a moment"),
    ("throw at fire", "this cannot be asked as it was at a moment"),
]


@pytest.mark.parametrize(("said", "message"), WRONG)
def test_what_check_says(said: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "ruleset.yaml"
    file.write_text(RULES.replace("is: strength at fire", f"is: {said}"), "utf-8")
    found = [fault.message for fault in check_paths([str(file)]) if fault.severity == "error"]
    assert any(message in one for one in found)


QUESTIONS = [  # of moments of which no rule asks: at the end, before a row, and by their chances
    ("dice: [5, 1, 1, 6, 1, 1]", "expect: {figures: {hits of a at fire: 2, hits of a: 4, strength of a at dead: 2}}"),
    ("dice: [5, 1, 1, 6, 1, 1]", "expect: {figures: {many at panic: 5, shaken of a at proud: yes}}"),
    ("dice: [5, 1, 1, 6, 1, 1]", "expect: {before: {next: [{hits of a at fire: nobody}, {hits of a at fire: 0}]}}"),
    (
        "",
        "chances: {hits of a at fire is 2: 1/3, hits of a is 2 and hits of a at fire is 0: 2/9, turn at next is 1: 1}",
    ),
    ("dice: [1, 1, 5, 1, 1]", "expect: {figures: {odds of a for blue at fire: 5, odds of c for red at fire: nobody}}"),
]


@pytest.mark.parametrize(("dice", "asked"), QUESTIONS)
def test_what_a_question_asks_of_a_moment_is_written_down(dice: str, asked: str, tmp_path: Path) -> None:
    assert failures(f"{dice}\n{asked}\n", tmp_path) == []


def test_questions_of_a_command_may_be_about_a_moment(tmp_path: Path) -> None:
    (tmp_path / "ruleset.yaml").write_text(RULES, "utf-8")
    of = fight(load(str(tmp_path)), as_mapping(parse(Source("fight.yaml", FIGHT))))
    asked = ask_about(of, ["hits of a at fire", "strength of a at fire - strength of a", "shaken of a at proud"])
    assert [dict(one.chances) for one in asked.answers] == [
        {0: Fraction(2, 3), 2: Fraction(1, 3)},
        {0: Fraction(2, 3), 2: Fraction(1, 3)},
        {True: Fraction(1, 3), False: Fraction(2, 3)},
    ]
    with pytest.raises(Faulty, match="no row of a sequence is called `fires`"):
        ask_about(of, ["hits of a at fires"])


def test_a_fault_is_told_where_it_is_asked_for(tmp_path: Path) -> None:
    """b has strength 0, by which nothing can be divided, and nobody asks for it but in the last row."""
    rules = (
        RULES.replace("men - hits", "men - 4")
        .replace("at most 0", "at most -9")
        .replace("is: strength at", "is: share at")
    )
    played, asked = "dice: [1, 1, 1, 1, 1, 1]\nexpect: {figures: {then of a: 6}}\n", "chances: {then of a is 6: 1}\n"
    for more in (played, asked):
        assert "divides by 0" in failures(more, tmp_path, rules)[0]
    quiet = rules.replace("when: then of unit is at least 5", "when: night and then of unit is at least 5")
    for more in (played, asked):
        assert failures(more, tmp_path, quiet) == []
