"""What a result says that it rests on: no assumption that could not have changed it, and none left out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import pytest

from closecombat.asking.exact.chances import work_out
from closecombat.asking.played.resolution import resolve
from closecombat.binding.charts import Bound
from closecombat.binding.trace import Event
from closecombat.playing.fight import Fight, fight
from closecombat.proving.throws.dice import ScriptedDice, SeededDice
from closecombat.reading.ruleset import read_ruleset
from closecombat.reading.stack import as_mapping
from closecombat.text.document import parse
from closecombat.text.faults import Faults, Faulty
from closecombat.text.source import Source

RULES = """
ruleset: resting
title: Resting
language: 1
start: combat
options:
  worth: {readings: [two, three], default: two, assumed: {two: OPT-2, three: OPT-3}}
assumptions: {OPT-2: a, OPT-3: b, ROW: c, TABLE: d, FACT: e, ROLLED: f, LINE: g, DIE: h, DECK: i, GRID: j, GROUP: k, ACT: l}
words: {mood: [calm, angry]}
kinds:
  fight: {one: yes, given: {first: a side, second: a side}, noted: {score: -9 to 9}}
  side:
    given: {enemy: the other side, units: {are: units, each: unit}}
    rolled: {die: one, odd: strange, plain: {is: one, assumed: ROLLED}, few: {is: few, assumed: ROLLED}}
    drawn: {card: pack}
  unit:
    given:
      side: a side
      brave: {is: flag, assumed: FACT}
      mood: {is: mood, default: calm, assumed: FACT}
      strength: {is: 0 to 9, default: 0, assumed: FACT}
      leader: flag
      tired: flag
    chosen: {flees: flag, friend: a unit or nobody}
    noted: {shaken: flag}
dies: {crooked: {faces: [1, 1, 6], assumed: DIE}}
dice: {one: d2, strange: crooked, lined: {die: d2, number: 1, assumed: LINE}, few: {die: d2, number: number of units where (tired)}}
decks: {pack: {cards: {low: 1, high: 1}, assumed: DECK}}
groups: {brave-ones: {each: hero, about: side, are: units of side where (leader), assumed: GROUP}}
tables:
  by-option: {about: unit, one-of: {two: {worth: two, is: 2}, three: {worth: three, is: 3}}}
  only-leaders: {about: unit, first-of: {leads: {unit: leader, worth: two, is: 1}, plain: {is: 0}}}
  by-row: {about: unit, adds-up: {base: {add: 1}, tired: {unit: tired, add: 1, assumed: ROW}, nothing: {add: 0, assumed: ROW}}}
  same-row: {about: unit, first-of: {tired: {unit: tired, is: 1, assumed: ROW}}, otherwise: 1}
  hidden-row: {about: unit, first-of: {all: {is: 1}, tired: {unit: tired, is: 2, assumed: ROW}}}
  only-row: {about: unit, one-of: {tired: {unit: tired, is: 1, assumed: ROW}, fresh: {unit: not tired, is: 0}}}
  whole: {about: unit, is: tired, assumed: TABLE}
  chart: {about: unit, across: strength, columns: [at most 4, at least 5], cells: [1, 2], assumed: GRID}
  when-first: {about: unit, first-of: {it: {when: leader, mood: angry, is: 1}}, otherwise: 0}
  mood-first: {about: unit, first-of: {it: {mood: calm, when: leader, is: 1}}, otherwise: 0}
  brave-friends: {about: unit, adds-up: {all: {unit: tired, each: brave-ones of side, add: 1}}}
  friends-brave: {about: unit, adds-up: {all: {each: brave-ones of side, unit: tired, add: 1}}}
  instead: {about: unit, first-of: {lead: {leader: yes, is: 1}, a: {is: 2}, b: {mood: angry, is: 3, instead-of: a}}}
  in-its-stead: {about: unit, adds-up: {a: {add: 1}, b: {tired: yes, add: 2, instead-of: a, assumed: ROW}}}
  may-not: {about: unit, forbidden-if: {tired: {flees: yes, tired: yes, says: the tired stay}}}
sequences:
"""

SCORE = "score: {do: add %s to score}"
ROLL = "roll: {for: second, roll: die}\n      "
CASES = {  # rows; what b is given beside its side; what the chances rest on; a playing with a 1, and with a 2
    "an option": (SCORE % "by-option of b", "", "OPT-2", "OPT-2", "OPT-2"),
    "an option that decides for no one here": (SCORE % "only-leaders of b", "", "", "", ""),
    "an option that decides": (SCORE % "only-leaders of b", "leader: yes", "OPT-2", "OPT-2", "OPT-2"),
    "a row that does not hold": (SCORE % "by-row of b", "", "", "", ""),
    "a row that holds": (SCORE % "by-row of b", "tired: yes", "ROW", "ROW", "ROW"),
    "a row that says what would be said without it": (SCORE % "same-row of b", "tired: yes", "", "", ""),
    "a row behind one that decides": (SCORE % "hidden-row of b", "tired: yes", "", "", ""),
    "a row without which nothing would be said": (SCORE % "only-row of b", "tired: yes", "ROW", "ROW", "ROW"),
    "a row reached with some dice": (
        ROLL + "score: {when: die of second is 2, do: add by-row of b to score}", "tired: yes", "ROW", "", "ROW",
    ),
    "a row of a state that cannot happen": (
        ROLL + "score: {when: die of second + die of second is 3, do: add by-row of b to score}", "tired: yes", "", "", "",
    ),
    "a row of a state that never follows": (
        ROLL + "note: {for: b, die of second: 2, do: gain shaken}\n      score: {for: b, unit: shaken, when: die of second is 1, do: add by-row to score}",
        "tired: yes", "", "", "",
    ),
    "a row looked at only if the left of an `and` holds": (
        "score: {when: tired of b and by-row of b is 1, do: add 1 to score}", "", "", "", "",
    ),
    "a table that says no": ("score: {when: whole of b, do: add 1 to score}", "", "", "", ""),
    "a table that says yes": ("score: {when: whole of b, do: add 1 to score}", "tired: yes", "TABLE", "TABLE", "TABLE"),
    "a flag that is not raised": ("score: {when: brave of b, do: add 1 to score}", "", "", "", ""),
    "a flag that is raised": ("score: {when: brave of b, do: add 1 to score}", "brave: yes", "FACT", "FACT", "FACT"),
    "a word": ("score: {when: mood of b is angry, do: add 1 to score}", "", "FACT", "FACT", "FACT"),
    "a number that is 0": (SCORE % "strength of b", "", "", "", ""),
    "a number": (SCORE % "strength of b", "strength: 2", "FACT", "FACT", "FACT"),
    "a fact that nobody reads": (SCORE % "1", "brave: yes, strength: 3", "", "", ""),
    "a grid": (SCORE % "chart of b", "", "GRID", "GRID", "GRID"),
    "a roll": ("roll: {for: second, roll: plain}", "", "ROLLED", "ROLLED", "ROLLED"),
    "a roll of no dice": ("roll: {for: first, roll: few}", "", "", "", ""),
    "a roll of some dice": ("roll: {for: first, roll: few}", "tired: yes", "ROLLED", "ROLLED", "ROLLED"),
    "the faces of a die": ("roll: {for: second, roll: odd}", "", "DIE", "DIE", ""),
    "a deck": ("deal: {for: second, deal: card}", "", "DECK", "", ""),
    "a group of nobody": ("score: {when: any hero of first, do: add 1 to score}", "", "", "", ""),
    "a group": ("score: {when: any hero of first, do: add 1 to score}", "leader: yes", "GROUP", "GROUP", "GROUP"),
    "a row of a sequence": ("act: {for: b, unit: tired, do: gain shaken, assumed: ACT}", "tired: yes", "ACT", "ACT", "ACT"),
    "a row of a sequence that is not done": ("act: {for: b, unit: tired, do: gain shaken, assumed: ACT}", "", "", "", ""),
    "a row done with some dice": (
        ROLL + "act: {for: b, die of second: 2, do: gain shaken, assumed: ACT}", "", "ACT", "", "ACT",
    ),
    "a column behind a `when` that fails": ("score: {when: leader of b, mood of b: calm, do: add 1 to score}", "", "", "", ""),
    "a column before a `when` that fails": (
        "score: {mood of b: calm, when: leader of b, do: add 1 to score}", "", "FACT", "FACT", "FACT",
    ),
    "a `when` behind a column that fails": ("score: {leader of b: yes, when: mood of b is calm, do: add 1 to score}", "", "", "", ""),
    "a column behind a `when` that some dice fail": (
        ROLL + "score: {when: die of second is 2, mood of b: calm, do: add 1 to score}", "", "FACT", "", "FACT",
    ),
    "a column behind a `when` that all dice fail": (
        ROLL + "score: {when: die of second is 3, mood of b: calm, do: add 1 to score}", "", "", "", "",
    ),
    "a row of a table that asks a `when` first": (SCORE % "when-first of b", "", "", "", ""),
    "a row of a table that asks a `when` first, which holds": (SCORE % "when-first of b", "leader: yes", "FACT", "FACT", "FACT"),
    "a row of a table that asks a `when` last": (SCORE % "mood-first of b", "", "FACT", "FACT", "FACT"),
    "whom a row looks at, behind a `when` that fails": (
        "score: {when: tired of b, each: brave-ones of first, do: add 1 to score}", "leader: yes", "", "", "",
    ),
    "whom a row looks at, behind a `when` that some dice fail": (
        ROLL + "score: {die of second: 2, each: brave-ones of first, do: add 1 to score}", "leader: yes", "GROUP", "", "GROUP",
    ),
    "whom a row looks at, before a `when` that fails": (
        "score: {each: brave-ones of first, when: tired of b, do: add 1 to score}", "leader: yes", "GROUP", "GROUP", "GROUP",
    ),
    "whom a row looks at, behind a `when` that speaks of him": (
        "score: {when: tired, each: brave-ones of first, do: add 1 to score}", "leader: yes", "GROUP", "GROUP", "GROUP",
    ),
    "whom a row is for, behind a `when` that fails": (
        "score: {when: tired of b, for: whoever of units of first has highest strength, do: gain shaken}", "strength: 2", "", "", "",
    ),
    "whom a row is for, before a `when` that fails": (
        "score: {for: whoever of units of first has highest strength, when: tired of b, do: gain shaken}", "strength: 2",
        "FACT", "FACT", "FACT",
    ),
    "whom a row of a table looks at, behind a column that fails": (SCORE % "brave-friends of b", "leader: yes", "", "", ""),
    "whom a row of a table looks at, before a column that fails": (
        SCORE % "friends-brave of b", "leader: yes", "GROUP", "GROUP", "GROUP",
    ),
    "a row that would count instead, behind one that decides": (SCORE % "instead of b", "leader: yes", "", "", ""),
    "a row that would count instead": (SCORE % "instead of b", "", "FACT", "FACT", "FACT"),
    "a row that counts instead": (SCORE % "in-its-stead of b", "tired: yes", "ROW", "ROW", "ROW"),
    "a row of a fight without a bound": (
        "on: {play: passes}\n  passes:\n    again: {until: score is at least 2, at-most: unbounded}\n    in-order:\n      "
        + ROLL + "up: {die of second: 2, do: add 1 to score}\n      late: {when: score is 2, do: gain shaken of b, assumed: ACT}\n"
        "      never: {when: score is 3, do: gain shaken of b, assumed: ROW}",
        "", "ACT", None, "ACT",
    ),
}  # fmt: skip


def made(rows: str, given: str, options: str = "{}", choices: str = "{}") -> Fight:
    faults = Faults()
    text = f"{RULES}  combat:\n    in-order:\n      {rows}\n".replace(" of b", " of b-itself").replace(
        "for: b,", "for: b-itself,"
    )
    text = text.replace("second: a side}", "second: a side, b-itself: a unit}")
    ruleset = read_ruleset(as_mapping(parse(Source("rules.yaml", text))), faults, ())
    faults.raise_if_any()
    situation = (
        "situation:\n  fight: {first: one, second: two, b-itself: b}\n"
        f"  sides: {{one: {{units: {{b: {{{given}}}}}}}, two: {{units: {{x: {{}}}}}}}}\n"
        f"options: {options}\nchoices: {choices}\n"
    )
    return fight(Bound(ruleset), as_mapping(parse(Source("fight.yaml", situation))))


def dice(face: int) -> ScriptedDice:
    return ScriptedDice([(face, None)] * 8)


def played(fight: Fight, face: int) -> str:
    """What a playing with the same face again and again rests on; the faces left over are no matter."""
    script = dice(face)
    script.finish = lambda: None  # type: ignore[method-assign]
    return " ".join(one.id for one in resolve(fight, script).assumptions)


@pytest.mark.parametrize("name", CASES)
def test_a_result_rests_on_what_could_have_changed_it(name: str) -> None:
    rows, given, proved, one, two = CASES[name]
    assert " ".join(each.id for each in work_out(made(rows, given)).assumptions) == proved
    for face, wanted in ((1, one), (2, two)):
        if wanted is not None and "odd" not in rows and "card" not in rows:
            assert played(made(rows, given), face) == wanted


ORDERS = {  # a row; what its first failing test is told as, with a 1 and with a 2; None where it is done
    "a `when` first": ("{when: die of second is 2, die of second: at most 1, do: add 1 to score}", "die of second (1) is 2", "die of second (2) is at most 1"),
    "a column first": ("{die of second: at most 1, when: die of second is 2, do: add 1 to score}", "die of second (1) is 2", "die of second (2) is at most 1"),
    "both fail, a `when` first": ("{when: die of second is 3, die of second: more than 4, do: add 1 to score}", "die of second (1) is 3", "die of second (2) is 3"),
    "both fail, a column first": (
        "{die of second: more than 4, when: die of second is 3, do: add 1 to score}", "die of second (1) is more than 4", "die of second (2) is more than 4",
    ),
}  # fmt: skip


def told(events: Iterable[Event]) -> Iterator[Event]:
    for event in events:
        yield event
        yield from told(event.inside)


@pytest.mark.parametrize("name", ORDERS)
def test_a_trace_shows_the_first_test_that_fails(name: str) -> None:
    row, *wanted = ORDERS[name]
    for face, said in zip((1, 2), wanted, strict=True):
        script = dice(face)
        script.finish = lambda: None  # type: ignore[method-assign]
        events = resolve(made(f"{ROLL}score: {row}", ""), script).events
        assert [event.because for event in told(events) if event.what == "failed"] == [said]


GUARDED = {  # a row whose other test counts on a score that is 0; whether it fails
    "a `when` that guards": ("{when: score is at least 1, 6 / score: at least 2, do: add 1 to score}", False),
    "a `when` that comes too late": ("{6 / score: at least 2, when: score is at least 1, do: add 1 to score}", True),
    "a `when` that guards whom the row looks at": (
        "{when: score is at least 1, each: units where (6 / score is at least 2), do: gain shaken}", False,
    ),
    "a `when` behind whom the row looks at": (
        "{each: units where (6 / score is at least 2), when: score is at least 1, do: gain shaken}", True,
    ),
    "by dice": ("{when: die of second is at least 3, 6 / (die of second - 1): at least 2, do: add 1 to score}", False),
    "by dice, too late": ("{6 / (die of second - 1): at least 2, when: die of second is at least 3, do: add 1 to score}", True),
}  # fmt: skip


@pytest.mark.parametrize("name", GUARDED)
def test_no_test_is_asked_behind_one_that_fails(name: str) -> None:
    row, fails = GUARDED[name]

    def codes(ask: Callable[[], object]) -> set[str]:
        try:
            ask()
        except Faulty as error:
            return {one.code for one in error.diagnostics}
        return set()

    rows = f"{ROLL}score: {row}"
    assert bool(codes(lambda: work_out(made(rows, "")))) is fails
    assert codes(lambda: played(made(rows, ""), 1)) == codes(lambda: work_out(made(rows, "")))


@pytest.mark.parametrize("row", ["{when: score is less than 2, each: units, do: add 1 to score}",
                                 "{each: units, when: score is less than 2, do: add 1 to score}"])  # fmt: skip
def test_a_row_asks_afresh_for_each_member(row: str) -> None:
    """Three units; the third finds a score of 2."""
    rows = f"first: {row}\n      last: {{when: score is 2, do: add 5 to score}}"
    fight = made(rows, "}, c: {")
    (outcome,) = work_out(fight).outcomes
    assert outcome.probability == 1
    assert dict(outcome.units) == {"fight": {"score": 7}}


def test_an_option_rests_on_what_its_reading_assumes() -> None:
    rows = SCORE % "by-option of b"
    for reading, wanted in (("two", "OPT-2"), ("three", "OPT-3")):
        assert [one.id for one in work_out(made(rows, "", f"{{worth: {reading}}}")).assumptions] == [wanted]


def test_an_option_says_which_reading_is_assumed() -> None:
    for wrong, code in (("OPT-2", "wrong-shape"), ("{four: OPT-2}", "unknown-word")):
        text = RULES.replace("{two: OPT-2, three: OPT-3}", wrong) + "  combat: {in-order: {}}\n"
        faults = Faults()
        read_ruleset(as_mapping(parse(Source("rules.yaml", text))), faults, ())
        with pytest.raises(Faulty) as error:
            faults.raise_if_any()
        assert code in {one.code for one in error.value.diagnostics}


OPEN = {  # a row that asks; what b is given; the answers; whether it is said that the ruleset chose
    "a flag": ("ask: {for: b, choose: flees, otherwise: no}", "", "{}", True),
    "a flag that was answered": ("ask: {for: b, choose: flees, otherwise: no}", "", "{ask: {b: no}}", False),
    "only one answer is legal": ("ask: {for: b, choose: flees, legal: may-not, otherwise: no}", "tired: yes", "{}", False),
    "both are legal": ("ask: {for: b, choose: flees, legal: may-not, otherwise: no}", "", "{}", True),
    "nobody else to choose": ("ask: {for: b, choose: friend, among: units where (tired), otherwise: nobody}", "", "{}", False),
    "somebody else": ("ask: {for: b, choose: friend, among: units where (tired), otherwise: nobody}", "tired: yes", "{}", True),
    "never asked": (
        ROLL + "ask: {for: b, when: die of second + die of second is 3, choose: flees, otherwise: no}", "", "{}", False,
    ),
    "asked with some dice": (ROLL + "ask: {for: b, die of second: 2, choose: flees, otherwise: no}", "", "{}", True),
}  # fmt: skip


@pytest.mark.parametrize("name", OPEN)
def test_a_choice_is_left_open_only_where_another_answer_was_possible(name: str) -> None:
    rows, given, choices, said = OPEN[name]
    assert bool(work_out(made(rows, given, choices=choices)).remarks) is said
    assert (
        bool(resolve(made(rows, given, choices=choices), SeededDice(1)).remarks if "roll" not in rows else said) is said
    )
