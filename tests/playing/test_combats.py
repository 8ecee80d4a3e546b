"""Examples that play several close combats, one after the other, with `between` in between."""

from fractions import Fraction
from pathlib import Path

import pytest

from closecombat.asking.examples.collection import Bench, example_files
from closecombat.binding.load import load
from closecombat.checking.check import check_paths
from closecombat.playing.fight import asked, begin, distribution, go
from closecombat.playing.fight import fight as make_fight
from closecombat.reading.stack import as_mapping
from closecombat.text.document import parse
from closecombat.text.nodes import Text
from closecombat.text.source import Source

RULESET = """\
ruleset: bout
title: Two boxers
language: 1
start: blows
rounds: {until: any side where (wounds is at least 2), between: breath}
kinds:
  fight: {one: yes, given: {attacker: a side}}
  side:
    given:  {enemy: the other side}
    rolled: {blow: fist}
    noted:  {wounds: 0 to 9, rests: 0 to 9}
dice: {fist: d6}
sequences:
  blows:  {in-order: {hit: {each: side, roll: blow}, hurt: {play: hurt}}}
  hurt:   {at-once: {down: {each: side, blow of enemy: 6, do: add 1 to wounds}}}
  breath: {at-once: {rest: {each: side, do: add 1 to rests}}}
"""
NO_ROUNDS = RULESET.replace("rounds: {until: any side where (wounds is at least 2), between: breath}\n", "").replace(
    "  breath: {at-once: {rest: {each: side, do: add 1 to rests}}}\n", ""
)
FIGHT = "example: it\nsituation: {fight: {attacker: red}, sides: {red: {}, blue: {}}}\n"

FINE = [
    ("once", "dice: [6, 1]\nexpect: {sides: {blue: {wounds: 1, rests: 0}}}"),
    ("twice", "combats: 2\ndice: [6, 1, 2, 6]\nexpect: {sides: {blue: {wounds: 1, rests: 1}, red: {wounds: 1}}}"),
    ("resolved-before", "combats: 5\ndice: [6, 1, 6, 6]\nexpect: {sides: {blue: {wounds: 2, rests: 1}}}"),
    ("by-chance", "combats: 2\nchances: {wounds of blue is 2: 1/36, rests of red is 1: 1, wounds of red is 0: 25/36}"),
    # Of three, the third is not fought if somebody has two wounds: 2/36 - 1/1296 of the time.
    ("may-end", "combats: 3\nchances: {rests of red is 2: 1225/1296, wounds of blue is 3: 0}"),
]


def played(folder: Path, ruleset: str, text: str) -> tuple[bool, list[str]]:
    (folder / "examples").mkdir()
    (folder / "ruleset.yaml").write_text(ruleset, "utf-8")
    (folder / "examples" / "it.yaml").write_text(FIGHT + text + "\n", "utf-8")
    (file,) = example_files([str(folder)])
    (tested,) = Bench().run(file)
    return tested.passed, [fault.message for fault in tested.result.faults]


@pytest.mark.parametrize(("name", "text"), FINE, ids=[name for name, _ in FINE])
def test_combats_are_played_one_after_the_other(tmp_path: Path, name: str, text: str) -> None:
    assert played(tmp_path, RULESET, text) == (True, [])
    assert check_paths([str(tmp_path)]) == []


def test_without_rounds_nothing_ends_it_and_nothing_stands_between(tmp_path: Path) -> None:
    text = "combats: 3\ndice: [6, 1, 6, 1, 6, 1]\nexpect: {sides: {blue: {wounds: 3, rests: 0}}}"
    assert played(tmp_path, NO_ROUNDS, text) == (True, [])


WRONG = [
    ("combats: 2\ndice: [6, 1]\nexpect: {sides: {blue: {wounds: 1}}}", "example-fails", "still to be rolled"),
    ("combats: 0\ndice: [6, 1]\nexpect: {sides: {blue: {wounds: 1}}}", "out-of-range", "1 to 20"),
    ("combats: 21\ndice: [6, 1]\nexpect: {sides: {blue: {wounds: 1}}}", "out-of-range", "1 to 20"),
    ("combats: some\ndice: [6, 1]\nexpect: {sides: {blue: {wounds: 1}}}", "wrong-type", "how many close combats"),
]


@pytest.mark.parametrize(("text", "code", "said"), WRONG, ids=[text.split("\n")[0] for text, _, _ in WRONG])
def test_a_wrong_number_is_refused(tmp_path: Path, text: str, code: str, said: str) -> None:
    passed, messages = played(tmp_path, RULESET, text)
    assert not passed
    if code != "example-fails":
        assert said in messages[0]
        assert [fault.code for fault in check_paths([str(tmp_path)])] == [code]


# Who is on strikes. Between two rounds the turn goes to the other for certain, never, or by what was thrown.
TURNS = """\
ruleset: turns
title: Turn about
language: 1
start: blow
rounds: {until: any side where (struck), between: other}
kinds:
  fight: {one: yes, given: {first: a side, second: a side}}
  side: {given: {enemy: the other side}, rolled: {blow: fist}, noted: {struck: flag}}
dice: {fist: d6}
sequences:
  blow: {in-order: {hit: {for: first, roll: blow}, hurt: {for: first, blow of first: NEEDED, do: gain struck of enemy}}}
  other:
    at-once:
      one: {when: SWAPS, do: set first to second}
      two: {when: SWAPS, do: set second to first}
"""
# p is the chance that who is on strikes the other in the end: at once, or after a miss with the turn kept, or with it lost.
ODDS = [
    ("always", "6", "first is in-play", "6/11"),  # p = 1/6 + 5/6 (1 - p)
    ("never", "6", "first is nobody", "1"),
    ("by-what-came", "5 or 6", "blow of first is at least 3", "2/3"),  # p = 1/3 + 1/3 p + 1/3 (1 - p)
]


@pytest.mark.parametrize(("needed", "swaps", "odds"), [case[1:] for case in ODDS], ids=[case[0] for case in ODDS])
def test_whose_turn_it_is_goes_to_and_fro_to_the_end(tmp_path: Path, needed: str, swaps: str, odds: str) -> None:
    (tmp_path / "ruleset.yaml").write_text(TURNS.replace("NEEDED", needed).replace("SWAPS", swaps), "utf-8")
    text = "situation: {fight: {first: red, second: blue}, sides: {red: {}, blue: {}}}"
    run = begin(make_fight(load(str(tmp_path)), as_mapping(parse(Source("a situation", text)))), None)
    go(run, until_resolved=True)
    sentence = parse(Source("a sentence", "struck of blue"))
    assert isinstance(sentence, Text)
    assert distribution(run, [asked(run, sentence)[0]]).get((True,)) == Fraction(odds)


SAME_ATTACKS = """\
ruleset: squad-leader
situation:
  fight: {mover: german, melee: yes}
  sides:
    german: {units: {g1: {counter: german-4-6-7}}}
    soviet: {units: {s1: {counter: russian-4-4-7}}}
choices: {names: {german: {a: {attackers: [g1], targets: [s1]}}, soviet: {b: {attackers: [s1], targets: [g1]}}}}
"""


def test_what_is_declared_the_same_way_each_round_is_rolled_anew_each_round() -> None:
    # Each kills with 10/36 a round, until somebody does: of 1 - (26/36)^2 = 155/324 both do in 25/324.
    run = begin(make_fight(load("squad-leader"), as_mapping(parse(Source("a situation", SAME_ATTACKS)))), None)
    go(run, until_resolved=True)
    sentence = parse(Source("a sentence", "eliminated of g1 and eliminated of s1"))
    assert isinstance(sentence, Text)
    assert distribution(run, [asked(run, sentence)[0]]).get((True,)) == Fraction(25, 155)
