"""What each word is worth: every number against a small game in plain Python, and against fights told by hand."""

import json
import pickle
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from closecombat.asking.systems import factors
from closecombat.cli.main import main

RULES = """\
ruleset: brawl
title: Brawl
language: 1
start: bout
kinds:
  fight: {one: yes, given: {attacker: a side}}
  side: {given: {enemy: the other side, men: {are: men, each: man}}}
  man:
    plural: men
    given: {side: a side, tired: flag, drunk: flag, sheltered: flag}
    rolled: {luck: one-die}
dice: {one-die: d6}
tables:
  danger:
    about: man
    adds-up:
      luck:      {add: luck of man}
      tired:     {man: tired, add: +1}
      drunk:     {man: drunk, add: +2}
      sheltered: {man: sheltered, add: -1}
sequences:
  bout:
    in-order:
      throw: {each: man, roll: luck}
      fall:  {each: man, danger of man: at least 5, do: leave}
outcomes: {about: side, words: [some, none], first-of: {none: {number of men of side: 0, is: none}}, otherwise: some}
ends: {man: {strength: 1, counted-in: men}}
"""
MODIFIERS = {"tired": 1, "drunk": 2, "sheltered": -1}
FIELDS = """\
fields: ../..
units: {men: sides.<side>.men.<unit>}
every-fight:
  - fight: {attacker: <attacker>}
  - {when: men, unit: {tired: no}}
words:
  brawler:   {worth: himself}
  tired:     {unit: {tired: yes}, worth: +1}
  drunk:     [{unit: {drunk: yes}, worth: +2}]
  sheltered: {when: defending, unit: {sheltered: yes}, worth: cover}
  dirty:     {worth: nothing}
  noble:     {no-such-rule: nobody is}
"""
WORDS = """\
order-of-battle: brawls
units: {brawler: {is: A man., class: men}}
states: {tired: Tired., drunk: Drunk., sheltered: Behind a bank., dirty: Dirty., noble: Of good family.}
"""
FIGHT = "engagement: bar\ntitle: A bar\nforces: {a: brawler, b: 'brawler, tired'}\nsystems: {brawl: {}, asl: {no-such-fight: A11.1a, why: it is a bar}}\n"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "brawl"
    home.mkdir()
    monkeypatch.chdir(home)
    files = {"f/order-of-battle/words.yaml": WORDS, "f/order-of-battle/brawl.yaml": FIELDS, "f/bar.yaml": FIGHT}
    for name, text in {**files, "ruleset.yaml": RULES}.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text, "utf-8")
    return home


def matrix(*more: str) -> dict[tuple[str, str], dict[str, Any]]:
    """The cells of the last system, by word and by whom it is said of."""
    result = CliRunner().invoke(main, ["compare", *more, "--factors", "-f", "json"])
    assert result.exit_code == 0, result.stderr
    return {
        (one["word"], one["said_of"]): list(one["systems"].values())[-1] for one in json.loads(result.stdout)["factors"]
    }


def worth(men: list[set[str]], whose: int) -> tuple[Fraction, Fraction]:
    """The chance that one alone stands, and how much more the other loses: whoever comes to 5 falls."""
    falls = [Fraction(sum(face + sum(MODIFIERS[word] for word in man) >= 5 for face in range(1, 7)), 6) for man in men]
    return falls[1 - whose] * (1 - falls[whose]), falls[1 - whose] - falls[whose]


@pytest.mark.parametrize("whose", [0, 1])
@pytest.mark.parametrize("word", MODIFIERS)
def test_a_word_is_worth_the_fight_with_it_less_the_fight_without(home: Path, word: str, whose: int) -> None:
    """Of a fight in which the second is tired."""
    cell = matrix("f/bar.yaml", "-r", ".", "--factor", word)
    if (word, whose) == ("sheltered", 0):
        assert (word, "a") not in cell or cell[word, "a"]["effect"] == "not-here"
        return
    men: list[set[str]] = [set(), {"tired"}]
    holds, edge = (
        on - off
        for on, off in zip(worth(_with(men, whose, {word}), whose), worth(_less(men, whose, word), whose), strict=True)
    )
    found = cell[word, "ab"[whose]]
    assert (found["holds_by"]["probability"], found["edge_by"]["probability"]) == (str(holds), str(edge))


def _with(men: list[set[str]], whose: int, words: set[str]) -> list[set[str]]:
    return [man | words if place == whose else man for place, man in enumerate(men)]


def _less(men: list[set[str]], whose: int, word: str) -> list[set[str]]:
    return [man - {word} if place == whose else man for place, man in enumerate(men)]


def test_no_rule_is_told_from_no_effect(home: Path) -> None:
    found = matrix("f/bar.yaml", "-r", ".", "--factor", "dirty", "--factor", "noble")
    assert {word: cell["effect"] for (word, _), cell in found.items()} == {
        "dirty": "no-effect",
        "noble": "no-such-rule",
    }
    assert found["noble", "a"]["why"] == "nobody is" and found["dirty", "b"]["edge_by"]["probability"] == "0"


def test_what_the_engagement_says_of_a_system_is_no_worth_of_a_word(home: Path) -> None:
    (home / "f" / "bar.yaml").write_text(
        FIGHT.replace("brawl: {}", "brawl: {situation: {sides: {a: {men: {a1: {drunk: yes}}}}}}"), "utf-8"
    )
    found = matrix("f/bar.yaml", "-r", ".")
    assert found["drunk", "a"]["effect"] == "told-otherwise" and found["drunk", "b"]["effect"] == "effect"


def test_a_word_that_clashes_with_what_is_said_says_so(home: Path) -> None:
    more = "  wild: {unit: {drunk: no}}\n"
    (home / "f" / "order-of-battle" / "brawl.yaml").write_text(FIELDS + more, "utf-8")
    (home / "f" / "order-of-battle" / "words.yaml").write_text(
        WORDS.replace("drunk: Drunk.", "drunk: Drunk., wild: Wild."), "utf-8"
    )
    (home / "f" / "bar.yaml").write_text(FIGHT.replace("a: brawler", "a: 'brawler, wild'"), "utf-8")
    cell = matrix("f/bar.yaml", "-r", ".", "--factor", "drunk")["drunk", "a"]
    assert cell["effect"] == "cannot-be-said" and "`wild` makes it `no`" in cell["why"]


def test_whoever_works_it_out_it_is_the_same(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = matrix("f/bar.yaml", "-r", ".")
    monkeypatch.setattr(factors, "WORTH_HANDS", -1)
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    assert matrix("f/bar.yaml", "-r", ".") == here


def test_what_it_is_worked_out_with_can_be_handed_on(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """To another process, though the command that asks weighs as well, and watches that."""
    looks, of = [], factors.factors_of
    monkeypatch.setattr(factors, "factors_of", lambda *told: looks.append(told[2]) or of(*told))
    page = CliRunner().invoke(main, ["compare", "f/bar.yaml", "-r", ".", "--factors", "-f", "html"])
    assert page.exit_code == 0 and pickle.loads(pickle.dumps(looks)) == looks != []


def test_what_takes_long_is_foretold(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(factors, "MOST_WORK", 1)
    line = ["compare", "f/bar.yaml", "-r", ".", "--factors"]
    told = CliRunner().invoke(main, line)
    assert told.exit_code == 2 and "takes-long" in told.output and "--factor" in told.output
    assert CliRunner().invoke(main, [*line, "--yes"]).exit_code == 0


FORCES = {
    ("broken", "german"): ("rifle squad, broken", "rifle squad", ""),
    ("surprised", "soviet"): ("rifle squad", "rifle squad, surprised", ""),
    ("concealed", "german"): ("rifle squad, concealed", "rifle squad", ""),
    ("officer", "german"): ("rifle squad, officer", "rifle squad", ""),
    ("rifle squad", "soviet"): ("rifle squad", "2 rifle squads", ""),
    ("light machine gun", "german"): ("rifle squad with LMG", "rifle squad", ""),
    ("night", None): ("rifle squad", "rifle squad", "night"),
}


def test_the_shipped_words_are_worth_what_two_fights_told_by_hand_are_apart() -> None:
    """Of a system that has nearly all of them."""
    told = ["compare", "german: rifle squad", "soviet: rifle squad", "-r", "squad-leader", "-f", "json"]
    words = [each for word, _ in FORCES for each in ("--factor", word)]
    found = json.loads(CliRunner().invoke(main, [*told, *words]).stdout)["factors"]
    cells = {(one["word"], one["said_of"]): (one["measured_for"], one["systems"]["squad-leader"]) for one in found}
    base = _ends(told)
    for key, (german, soviet, state) in FORCES.items():
        line = ["compare", f"german: {german}", f"soviet: {soviet}", "-r", "squad-leader", "-f", "json"]
        with_it, (whose, cell) = _ends([*line, *(["--state", state] if state else [])]), cells[key]
        holds = [Fraction(each["place"]["held"][whose]["probability"]) for each in (with_it, base)]
        assert Fraction(cell["holds_by"]["probability"]) == holds[0] - holds[1]
        edges = [_lost(each, "german") - _lost(each, "soviet") for each in (with_it, base)]
        sign = -1 if whose == "german" else 1
        assert Fraction(cell["edge_by"]["probability"]) == sign * (edges[0] - edges[1])


def _ends(line: list[str]) -> dict[str, Any]:
    ends: dict[str, Any] = json.loads(CliRunner().invoke(main, line).stdout)["systems"][0]["ends"]
    return ends


def _lost(ends: dict[str, Any], side: str) -> Fraction:
    return Fraction(ends["sides"][side]["lost"]["share"])


def test_all_that_prevents_a_matrix_is_said(home: Path) -> None:
    for line, said in (
        (["f/bar.yaml", "-r", ".", "--factor", "drunkk"], "did you mean `drunk`?"),
        (["f/e.yaml", "--factors"], "is not told in words"),
        (["examples/even.yaml", "-r", ".", "-r", ".", "--factors"], "--factors is of an engagement"),
    ):
        (home / "examples").mkdir(exist_ok=True)
        (home / "examples" / "even.yaml").write_text(
            "situation: {fight: {attacker: a}, sides: {a: {men: {x: {}}}, b: {men: {y: {}}}}}\n"
        )
        (home / "f" / "e.yaml").write_text(
            "engagement: e\nsystems: {brawl: {ruleset: .., situation: {fight: {attacker: a}, sides: {a: {men: {x: {}}}, b: {men: {y: {}}}}}}}\n"
        )
        result = CliRunner().invoke(main, ["compare", *line])
        assert result.exit_code == 2 and said in " ".join(result.stderr.split())
