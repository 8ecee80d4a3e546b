"""What a result rests on, by weight: held against a small game in plain Python, and against results that are had apart."""

import json
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

from closecombat.asking.fights.fight_files import read_scene, single, staged
from closecombat.asking.weights.changeable import rules_of
from closecombat.asking.weights.resting import rests_on
from closecombat.asking.weights.weigh import Weighing, weigh
from closecombat.binding.load import load
from closecombat.cli.main import main
from closecombat.text.faults import Faulty

SCHEMAS = Path(__file__).parents[2] / "schemas"
RULES = """\
ruleset: yard
title: Yard
language: 1
start: bout
assumptions:
  Y-1: {text: Who is tired strikes one lower.}
  Y-2: {text: A guard takes off one., else: [{at: tables.blow.guarded, set: {add: -2}}]}
  Y-3: {text: Nobody strikes twice., only: there is one die}
  Y-4: {text: Who is drunk strikes two lower.}
  Y-5: A tie is a miss.
options:
  reeling: {readings: [stands, falls], default: stands, why: The text says dazed and no more.}
  noise:   {readings: [low, high], default: low, why: The text says nothing of noise.}
kinds:
  fight: {one: yes, given: {attacker: a side}}
  side:
    given: {enemy: the other side, tired: flag, drunk: flag}
    chosen: {guard: flag, shout: flag}
    noted: {down: flag}
    rolled: {luck: one-die}
dice: {one-die: d6}
tables:
  blow:
    about: side
    adds-up:
      luck:    {add: luck of side}
      tired:   {side: tired, add: -1, assumed: Y-1}
      drunk:   {side: drunk, add: -2, assumed: Y-4}
      guarded: {enemy of side: guard, add: -1, assumed: Y-2}
  result:
    about: side
    words: [standing, fallen]
    first-of:
      struck: {when: blow of enemy of side is at least 5, is: fallen}
      fooled: {when: blow of enemy of side is at least 4 and reeling is falls, is: fallen}
      loud:   {when: blow of enemy of side is at least 9 and noise is high, is: fallen}
    otherwise: standing
sequences:
  bout:
    in-order:
      covers: {each: side, choose: guard of side, otherwise: no, cites: [1.1]}
      calls:  {each: side, choose: shout of side, otherwise: no, cites: [1.2]}
      throw:  {each: side, roll: luck}
      fall:   {each: side, result of side: fallen, do: gain down, assumed: [Y-3, Y-5]}
outcomes:
  about: side
  words: [unharmed, destroyed]
  first-of:
    destroyed: {side: down, is: destroyed}
  otherwise: unharmed
strength-lost:
  about: side
  unit: men
  adds-up: {down: {side: down, add: 4}}
"""
FIGHT = "ruleset: ./yard\nsituation: {fight: {attacker: a}, sides: {a: {tired: yes}, b: {}}}\n"


def down(by: int = 0, at_least: int = 5) -> Fraction:
    """The chance that a blow of one die and so much fells."""
    return Fraction(sum(face + by >= at_least for face in range(1, 7)), 6)


@pytest.fixture
def yard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "yard").mkdir()
    (tmp_path / "yard" / "ruleset.yaml").write_text(RULES, "utf-8")
    (tmp_path / "fight.yaml").write_text(FIGHT, "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def told(*line: str) -> Any:
    result = CliRunner().invoke(main, [*line, "-f", "json"])
    assert result.exit_code == 0, (line, result.stderr)
    found = json.loads(result.stdout)
    Draft202012Validator(json.loads((SCHEMAS / f"{line[0]}.schema.json").read_text("utf-8"))).validate(found)
    return found


def test_the_weight_of_each_is_as_reckoned_apart(yard: Path) -> None:
    found = told("chances", "fight.yaml", "--weigh")
    weights = {one["name"]: one for one in found["rests_on"]}
    # a strikes with one die less one, since he is tired; b with one die
    moves = {
        "Y-1": ("b", down(0) - down(-1)),
        "reeling": ("a", down(0, 4) - down(0)),
        "covers of a": ("a", down(-1) - down(0)),
        "covers of b": ("b", down(-2) - down(-1)),
    }
    for name, (whom, by) in moves.items():
        one = weights.pop(name)
        assert one["fate"] == "moves" and one["whom"] == whom
        assert Fraction(one["by"]) == (by if one["outcome"] == "destroyed" else -by)
        assert Fraction(one["new"]) - Fraction(one["old"]) == Fraction(one["by"])
    fates = {name: (one["fate"], one.get("why", "")) for name, one in weights.items()}
    still = ("nothing", "")
    assert fates == {
        "Y-3": ("no-other-reading", "there is one die"),
        "Y-5": ("no-other-reading", ""),
        "calls of a": still,
        "calls of b": still,
        "noise": still,
    }
    heavy = [abs(Fraction(one["by"])) for one in found["rests_on"] if one["fate"] == "moves"]
    assert heavy == sorted(heavy, reverse=True)
    assert [one["id"] for one in found["assumptions"]] == ["Y-1", "Y-3", "Y-5"]


def test_nothing_is_weighed_unless_it_is_asked_for_and_the_chances_stay_as_they_are(yard: Path) -> None:
    plain, weighed = told("chances", "fight.yaml"), told("chances", "fight.yaml", "--weigh")
    assert "rests_on" not in plain
    assert all(weighed[key] == value for key, value in plain.items())
    assert "not weighed: --weigh" in CliRunner().invoke(main, ["chances", "fight.yaml"]).stdout


def verdicts(found: Any) -> dict[tuple[str, str], Fraction]:
    return {
        (side, word): Fraction(each["probability"])
        for side, words in found["verdicts"].items()
        for word, each in words.items()
    }


def by_hand(one: Mapping[str, str], folder: Path, fight: str, stack: str) -> Any:
    """The chances of a fight with one thing otherwise, as a user would write it: an option, an answer, or a variant."""
    other = one["if_it_were"]
    if one["sort"] == "reading":
        return told("chances", fight, "-r", stack, "--by", "sides", "--option", f"{one['name']}={other}")
    if one["sort"] == "choice":
        row, _, who = one["name"].partition(" of ")
        written = Path(fight).read_text("utf-8")
        (folder / "answered.yaml").write_text(f"{written}choices: {{{row}: {{{who}: {other}}}}}\n", "utf-8")
        return told("chances", "answered.yaml", "-r", stack, "--by", "sides")
    name, _, other = other.partition(": ")
    if "." not in name:
        return told("chances", fight, "-r", stack, "--by", "sides", "--option", f"{name}={other}")
    change = "remove: yes" if other == "off" else f"set: {{add: {other}}}"
    lines = f"variant: other\nextends: {stack}\nchanges:\n  other: {{at: tables.{name}, {change}, why: to see}}\n"
    (folder / "other.yaml").write_text(lines, "utf-8")
    return told("chances", fight, "-r", "./other.yaml", "--by", "sides")


@pytest.mark.parametrize("fight", ["{a: {tired: yes}, b: {}}", "{a: {drunk: yes}, b: {tired: yes}}"])
def test_a_weight_is_the_difference_of_two_results_that_are_had_apart(yard: Path, fight: str) -> None:
    (yard / "fight.yaml").write_text(f"situation: {{fight: {{attacker: a}}, sides: {fight}}}\n", "utf-8")
    found = told("chances", "fight.yaml", "-r", "./yard", "--weigh", "--by", "sides")
    moving = [one for one in found["rests_on"] if one["fate"] == "moves"]
    assert {one["sort"] for one in moving} == {"assumption", "reading", "choice"}
    for one in moving:
        was, now = verdicts(found), verdicts(by_hand(one, yard, "fight.yaml", "./yard"))
        shifts = {key: now.get(key, Fraction(0)) - was.get(key, Fraction(0)) for key in was | now}
        assert shifts[one["whom"], one["outcome"]] == Fraction(one["by"]), one
        assert abs(Fraction(one["by"])) == max(map(abs, shifts.values()))


def test_what_takes_longer_is_not_weighed_and_what_was_weighed_stays(yard: Path) -> None:
    bound = load(str(yard / "yard"))
    scene = single(read_scene("fight.yaml"), "")
    fight, rules = staged(scene, bound), rules_of(scene, "")
    whole = told("chances", "fight.yaml", "--weigh")["rests_on"]
    fates = set[str]()
    for most in (0, *(250 * 2**i for i in range(8)), None):
        how = Weighing(rules, shares=False, doubts=True, choices=True, as_far_as_it_goes=True, most_work=most)
        try:
            weighed = weigh("", fight, how)
        except Faulty as error:  # not even the fight itself
            assert error.codes == {"takes-long"}
            continue
        noted, remarks = ("Y-1", "Y-3", "Y-5"), [remark for one in weighed.left_open for remark in one.remarks]
        for one in rests_on(weighed, bound.ruleset, noted, remarks):
            known = next(each for each in whole if each["name"] == one.name)
            fates.add(one.fate)
            assert one.fate in (known["fate"], "not-weighed")
            if one.shift is not None and not one.why:
                assert str(one.shift.by) == known["by"]
    assert fates == {"moves", "nothing", "no-other-reading", "not-weighed"}


SQUADS = """\
ruleset: squad-leader
situation:
  fight: {mover: german}
  sides:
    german: {units: {g1: {counter: german-4-6-7}}}
    russian: {units: {r1: {counter: russian-4-4-7}}}
"""


def test_what_could_be_declared_instead_is_weighed_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("squads.yaml").write_text(SQUADS, "utf-8")
    Path("idle.yaml").write_text(SQUADS + "choices: {names: {german: {}}}\n", "utf-8")
    found, idle = (told("chances", f"{name}.yaml", "--by", "sides", "--weigh") for name in ("squads", "idle"))
    one = next(one for one in found["rests_on"] if one["name"] == "names of german")
    assert one["if_it_were"] == "nothing" and one["cites"]
    was, now = (verdicts(each).get((one["whom"], one["outcome"]), Fraction(0)) for each in (found, idle))
    assert now - was == Fraction(one["by"]) != 0
    assert "names of german" not in [one["name"] for one in idle["rests_on"]]


SHARED = """\
ruleset: shared
title: One die for both, or one each
language: 1
start: go
assumptions: {G-1: One die for both.}
kinds:
  fight: {one: yes, given: {attacker: a side}}
  side:
    given: {enemy: the other side, men: 0 to 6}
    noted: {tired: flag}
    rolled: {luck: d6}
options:
  low: {readings: [one-alone, one-or-two], default: one-alone, why: The text says low.}
tables:
  one-die: {about: side, adds-up: {shared: {add: 1, assumed: G-1}}}
  against: {about: side, first-of: {s: {one-die: 1, is: luck of attacker}}, otherwise: luck of enemy of side}
sequences:
  go:
    in-order:
      roll:  {each: side, roll: luck}
      tires: {each: side, when: luck is 1 or (luck is 2 and low is one-or-two), do: gain tired}
      hit:   {each: side, against: at least 4, do: take 1 from men}
outcomes: {about: side, words: [ok, gone], first-of: {g: {men: 0, is: gone}}, otherwise: ok}
"""


def test_what_happens_together_is_weighed_where_each_by_itself_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both are gone in half of the cases; by a die each in a quarter. Who is tired is no end of a side, but it is asked."""
    monkeypatch.chdir(tmp_path)
    Path("shared.yaml").write_text(SHARED, "utf-8")
    sides = "{red: {men: 1}, blue: {men: 1}}"
    Path("fight.yaml").write_text(
        f"ruleset: ./shared.yaml\nsituation: {{fight: {{attacker: red}}, sides: {sides}}}\n", "utf-8"
    )
    told = json.loads(CliRunner().invoke(main, ["chances", "fight.yaml", "--weigh", "-f", "json"]).stdout)
    by_name = {one["name"]: one for one in told["rests_on"]}
    assert (by_name["G-1"]["whom"], by_name["G-1"]["outcome"]) == ("blue", "gone and red: gone")
    assert [by_name["G-1"][key] for key in ("old", "new", "by")] == ["1/2", "1/4", "-1/4"]
    text = CliRunner().invoke(main, ["chances", "fight.yaml", "--weigh", "--by", "units"]).stdout
    assert "1 other changes no end of a side: `low`" in text
    asked = CliRunner().invoke(main, ["chances", "fight.yaml", "--weigh", "--of", "tired of red"]).stdout
    assert "+16.67" in asked and "1 other changes no answer: G-1" in asked
    weights = json.loads(CliRunner().invoke(main, ["weigh", "fight.yaml", "-f", "json"]).stdout)["weights"]
    assert {(one["rule"], one["shifts"][0]["by"]) for one in weights if one["sort"] == "modifier"} == {
        ("one-die.shared", "-1/4")
    }
