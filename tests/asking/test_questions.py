"""Questions about the end of a fight: the chance of each answer, in every form."""

import csv
import json
from fractions import Fraction
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator

from closecombat.cli.main import main

ROOT = Path(__file__).parents[2]

RULES = """\
ruleset: duel
title: Two duellists
language: 1
start: strike
words: {state: [well, hurt, out]}
kinds:
  fight: {one: yes, given: {night: flag}}
  side:  {given: {enemy: the other side, men: {are: men, each: man}}}
  man:
    plural: men
    given:  {hp: 0 to 9, health: {is: state, default: well}, side: a side, rival: a man or nobody}
    rolled: {blow: two-dice}
    noted:  {card: {per: state, is: 0 to 3}}
dice: {two-dice: {die: d6, number: 2}}
sequences:
  strike:
    in-order:
      blow:  {each: man, roll: blow}
      hurt:  {each: man, blow: at least 10, do: [set health to hurt, take 3 from hp]}
      dead:  {each: man, hp: 0, do: [set health to out, leave]}
"""
FIGHT = """\
situation:
  sides:
    red:  {men: {r: {hp: 3}}}
    blue: {men: {b: {hp: 8, rival: r}, c: {hp: 1}}}
"""
SIXTH = Fraction(1, 6)  # two dice show 10 or more in six of 36 falls


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "duel.yaml").write_text(RULES, "utf-8")
    (tmp_path / "fight.yaml").write_text(FIGHT, "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["chances", "fight.yaml", "-r", "duel.yaml", *arguments])


def answers(*questions: str) -> list[dict[str, Any]]:
    result = run(*(word for question in questions for word in ("--of", question)), "-f", "json")
    assert result.exit_code == 0, result.stderr
    found = json.loads(result.stdout)
    schema = json.loads((ROOT / "schemas" / "chances.schema.json").read_text("utf-8"))
    assert not [error.message for error in Draft202012Validator(schema).iter_errors(found)]
    asked: list[dict[str, Any]] = found["asked"]
    assert [one["question"] for one in asked] == list(questions)
    return asked


BY_HAND: dict[str, list[tuple[Any, Fraction]]] = {
    "hp of b": [(5, SIXTH), (8, 1 - SIXTH)],
    "hp of c": [(0, SIXTH), (1, 1 - SIXTH)],  # what is taken stops at 0
    "r is in-play": [(True, 1 - SIXTH), (False, SIXTH)],
    "health of b": [("well", 1 - SIXTH), ("hurt", SIXTH)],
    "number of men of blue": [(1, SIXTH), (2, 1 - SIXTH)],
    "any man of blue is hurt": [(True, SIXTH), (False, 1 - SIXTH)],  # who is out has left
    "hp of b / 2": [("5/2", SIXTH), (4, 1 - SIXTH)],
    "rival of b": [("r", Fraction(1))],
    "rival of c": [(None, Fraction(1))],
    "blow of b": [(total, Fraction(6 - abs(total - 7), 36)) for total in range(2, 13)],
    "hp of b is 8 and hp of c is 1": [(True, (1 - SIXTH) ** 2), (False, 1 - (1 - SIXTH) ** 2)],
}


def test_every_answer_has_its_chance_in_the_order_of_its_list(folder: Path) -> None:
    for one, by_hand in zip(answers(*BY_HAND), BY_HAND.values(), strict=True):
        found = [(each["value"], Fraction(each["probability"])) for each in one["chances"]]
        assert found == by_hand, one["question"]
    means = {one["question"]: one.get("mean") for one in answers(*BY_HAND)}
    assert (means["hp of b"], means["blow of b"], means["hp of b / 2"]) == ("15/2", 7, "15/4")
    assert means["health of b"] is means["rival of c"] is None


def test_as_csv_and_as_markdown(folder: Path) -> None:
    rows = list(csv.reader(StringIO(run("--of", "hp of b", "--of", "r is in-play", "-f", "csv").stdout)))
    assert [row[:3] for row in rows] == [
        ["question", "value", "probability"],
        ["hp of b", "5", "1/6"],
        ["hp of b", "8", "5/6"],
        ["r is in-play", "yes", "5/6"],
        ["r is in-play", "no", "1/6"],
    ]
    lines = run("--of", "hp of b", "--of", "health of b", "-f", "md").stdout.splitlines()
    assert "| 8 | 83.33% | 5/6 | 83.33% |" in lines  # 8 or more
    assert "| hurt | 16.67% | 1/6 |" in lines and "on average 7.50 (15/2)" in lines


def test_on_the_page_numbers_say_how_likely_that_or_more_is(folder: Path) -> None:
    words = [line.split()[:4] for line in run("--of", "blow of c").stdout.splitlines()]
    assert ["10", "8.33%", "1/12", "16.67%"] in words and ["on", "average", "7"] in words


@pytest.mark.parametrize(
    ("question", "place", "said"),
    [
        ("men of blue", "--of:1:1", "number of"),
        ("card of b", "--of:1:1", "`card of .. for ..`"),
        ("hp of d", "--of:1:7", "`d`"),
        ("hp of", "--of:1:", "hp of"),
        ("blow of b + hp of rival of c", "--of:1:1", "nobody"),
        ("", "--of", "empty"),
    ],
)
def test_what_cannot_be_asked_says_where_and_what_can(folder: Path, question: str, place: str, said: str) -> None:
    result = run("--of", question)
    assert result.exit_code == 2
    assert place in result.stderr and said in result.stderr and "Python" not in result.stderr


def test_all_that_cannot_be_asked_is_told_at_once(folder: Path) -> None:
    said = run("--of", "hp of x", "--of", "hp of b", "--of", "hp of y").stderr
    assert "`x`" in said and "`y`" in said


def test_ends_by_the_things_of_one_kind(folder: Path) -> None:
    def ends(by: str) -> list[tuple[Fraction, dict[str, Any]]]:
        found = json.loads(run("--by", by, "-f", "json").stdout)["outcomes"]
        return [(Fraction(one["probability"]), one["units"]) for one in found]

    assert len(ends("units")) == 8 and len(ends("men")) == 8  # each is hurt or not
    assert ends("sides") == ends("fights") == [(Fraction(1), {})]
    refused = run("--by", "mens")
    assert refused.exit_code == 2 and "units, sides, fights, men" in refused.stderr


def test_by_and_of_exclude_each_other(folder: Path) -> None:
    refused = run("--by", "sides", "--of", "hp of b")
    assert refused.exit_code == 2 and "one of the two" in " ".join(refused.stderr.split())


SYMBOLS = """\
ruleset: symbols
title: Symbols
about: Dice that show words.
language: 1
start: battle
dies: {symbol: [hit, miss]}
dice: {symbols: {die: symbol, number: 2}}
kinds:
  fight: {one: yes}
  side: {given: {units: {are: units, each: unit}}}
  unit: {given: {side: a side}, rolled: {attack: symbols}}
sequences: {battle: {in-order: {throw: {each: unit, roll: attack}}}}
"""


@pytest.mark.parametrize("command", [["chances"], ["play", "--times", "20", "--seed", "1"]])
def test_what_dice_that_show_words_come_to_is_refused(command: list[str], tmp_path: Path) -> None:
    (tmp_path / "symbols.yaml").write_text(SYMBOLS, "utf-8")
    fight = tmp_path / "fight.yaml"
    fight.write_text("ruleset: ./symbols.yaml\nsituation: {sides: {red: {units: {a: {}}}}}\n", "utf-8")
    done = CliRunner().invoke(main, [command[0], str(fight), *command[1:], "--of", "attack of a"])
    assert done.exit_code == 2 and "`number of attack where (face is hit)`" in " ".join(done.output.split())
    done = CliRunner().invoke(main, [command[0], str(fight), *command[1:], "--of", "number of attack of a where (face is hit)"])
    assert done.exit_code == 0
