"""What the trace of a playing says: the numbers that decided, and nothing that did not happen."""

import pytest

from closecombat.asking.played.resolution import resolve
from closecombat.binding.charts import Bound
from closecombat.playing import fight as f
from closecombat.proving.throws.dice import ScriptedDice
from closecombat.reading.ruleset import read_ruleset
from closecombat.reading.stack import as_mapping
from closecombat.telling.page import Page
from closecombat.telling.trace import resolution_text
from closecombat.text.document import parse
from closecombat.text.faults import Faults
from closecombat.text.source import Source

RULES = """\
ruleset: blows
language: 1
start: round
sources: {{B: the book}}
kinds:
  field: {{one: yes, given: {{leader: a side, wet: flag}}}}
  side:
    given: {{enemy: the other side, men: 0 to 9, skill: -3 to 9, units: {{are: units, each: unit}}}}
    rolled: {{throw: dice}}
    noted: {{broken: flag, seen: flag, score: 0 to 5}}
  unit: {{given: {{side: a side, strength: 0 to 9}}}}
dice: {{dice: {{die: d6, number: 2}}}}
tables:
  odds:
    about: side
    across: men to men of enemy
    columns: [below 1-2, 1-2, 1-1, 2-1, above 2-1]
    down: skill
    shift: shift
    cells:
      at most 3: [1, 2, 3, 4, 5]
      at least 4: [2, 3, 4, 5, 6]
  shift: {{about: side, adds-up: {{wet: {{wet: yes, add: -1}}}}}}
  skilled: {{about: side, at-most: 4, adds-up: {{base: {{add: skill}}, more: {{each: unit of side, add: strength}}}}}}
  kept: {{about: side, at-least: 4, first-of: {{worn: {{skill: at least 1, is: skill - men of enemy}}}}, otherwise: skill}}
  halved: {{about: side, start: skill + 2, adds-up: {{wet: {{wet: yes, times: 1/2, rounded: up}}}}}}
  steady: {{about: side, is: throw is at most skill}}
  drop: {{about: side, is: throw - skill}}
  luck:
    about: side
    words: [none, some, much]
    otherwise: none
    first-of:
      much: {{throw: at least 11, is: much, cites: B.1}}
      some: {{throw: more than skill, men: at least 1, is: some, cites: B.2}}
sequences:
  round: {{{order}: {{{rows}}}}}
"""
SITUATION = """\
situation:
  field: {leader: red, wet: yes}
  sides:
    red: {men: 7, skill: 5, units: {r1: {strength: 2}, r2: {strength: 0}}}
    blue: {men: 3, skill: 2, units: {}}
"""
THROW = "throw: {for: leader, roll: throw}, "


def told(rows: str, dice: str = "", order: str = "in-order") -> str:
    faults = Faults()
    ruleset = read_ruleset(as_mapping(parse(Source("r.yaml", RULES.format(rows=rows, order=order)))), faults)
    faults.raise_if_any()
    fight = f.fight(Bound(ruleset), as_mapping(parse(Source("e.yaml", SITUATION))))
    resolution = resolve(fight, ScriptedDice([(int(face), None) for face in dice.split()]))
    return resolution_text(resolution, "one", False, Page(width=200, colour=False))


@pytest.mark.parametrize(
    ("rows", "dice", "lines"),
    [
        # both sides of what decided, in a row of a sequence and of a table
        (THROW + "hit: {for: leader, throw: at least 8, do: gain broken}", "4 5", ["hit of red: throw (9) is at least 8"]),
        (THROW + "hit: {for: leader, when: throw is more than men, do: gain broken}", "4 5", ["hit of red: throw (9) is more than men (7)"]),
        (THROW + "hit: {for: leader, luck: some, do: gain broken}", "4 5", ["luck of red is some", "some: is some, since throw (9) is more than skill (5); men (7) is at least 1  [B.2]"]),
        # what dice have kept from being so
        (THROW + "hit: {for: leader, throw: at least 8, do: gain broken}", "4 1", ["hit of red: not so: throw (5) is at least 8"]),
        (THROW + "hit: {for: leader, luck: some, do: gain broken}", "4 1", ["much: not so: throw (5) is at least 11  [B.1]", "some: not so: throw (5) is more than skill (5)  [B.2]"]),
        (THROW + "hit: {for: leader, steady: yes, do: gain broken}", "4 5", ["steady of red is no: throw (9) is at most skill (5)"]),
        (THROW + "hit: {for: leader, steady: yes, do: gain broken}", "4 1", ["steady of red is yes: throw (5) is at most skill (5)"]),
        (THROW + "hit: {for: leader, when: steady or throw is 12, do: gain broken}", "6 6", ["hit of red: throw (12) is 12"]),
        (THROW + "hit: {for: leader, when: men is 7 and throw is 2, do: gain broken}", "6 6", ["hit of red: not so: throw (12) is 2"]),
        # reckoning, grids and bounds
        (THROW + "hit: {for: leader, drop: at least 1, do: gain broken}", "6 6", ["drop of red is 7: throw (12) - skill (5)"]),
        ("hit: {for: leader, odds: at least 1, do: gain broken}", "", ["odds of red is 5: column 2-1 for 7 to 3, moved -1, row at least 4"]),
        ("hit: {for: leader, skilled: at least 1, do: gain broken}", "", ["skilled of red is 4: 7, at most 4", "base: add 5", "more: add 2"]),
        # what is reckoned is not what it comes to where a bound stands before it; a sum says what it begins with
        ("hit: {for: leader, kept: at least 1, do: gain broken}", "",
         ["kept of red is 4: at least 4", "worn: is 4, from skill (5) - men of enemy (3), since skill (5) is at least 1"]),
        ("hit: {for: leader, halved: at least 1, do: gain broken}", "",
         ["halved of red is 4: begins with 7 = skill (5) + 2", "wet: times 1/2, rounded up"]),
        # effects: who is changed, from what to what, and only if anything is
        ("hit: {for: leader, do: gain broken of enemy}", "", ["blue: gain broken"]),
        ("hit: {for: leader, do: take 3 from men}", "", ["red: take 3 from men: 7 → 4"]),
        ("hit: {for: leader, do: take men of enemy from men of enemy}", "", ["blue: take 3 from men: 3 → 0"]),
        ("hit: {for: leader, do: add 4 to men}", "", ["red: add 4 to men: 7 → 9, the end of its range"]),
        # a throw is told as the number that it is read as
        (THROW + "hit: {for: leader, do: set skill to throw}", "4 3", ["red: set skill to 7"]),
        (THROW + "hit: {for: leader, do: add throw to score}", "1 3", ["red: add 4 to score: 0 → 4"]),
        ("throw: {each: side, roll: throw}, go: {each: side, first: lowest throw, ties: as-listed, do: gain seen}", "6 5 1 2",
         ["order go: red 11, blue 3"]),
    ],
)  # fmt: skip
def test_the_trace_tells(rows: str, dice: str, lines: list[str]) -> None:
    shown = [line.lstrip("│├└─ ") for line in told(rows, dice).split("\n")]
    assert [line for line in lines if line not in shown] == []


@pytest.mark.parametrize("effects", ["lose seen", "[set score to 0, take 0 from men]"])
def test_what_changes_nothing_is_not_told(effects: str) -> None:
    assert "hit" not in told(f"hit: {{for: leader, do: {effects}}}")


def test_what_happens_at_once_is_summed_up() -> None:
    text = told("one: {for: leader, do: take 2 from men}, two: {for: leader, do: take 3 from men}", order="at-once")
    shown = [line.lstrip("│├└─ ") for line in text.split("\n")]
    assert "red: take 2 from men" in shown
    assert "red: take 3 from men: 7 → 2" in shown
    lists = [
        line.lstrip("│├└─ ")
        for line in told("one: {for: leader, do: [add 5 to men, take 4 from men]}", "", "at-once").split("\n")
    ]
    assert "red: take 4 from men: 7 → 8" in lists  # the sum, from what it was before both


def test_a_playing_without_a_trace_reckons_nothing_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    from closecombat.binding.workings import Workings

    def never(*_: object) -> str:
        raise RuntimeError("told without a listener")

    for name in ("test", "value", "rests_on_chance"):
        monkeypatch.setattr(Workings, name, never)
    faults = Faults()
    rows = THROW + "hit: {for: leader, luck: some, odds: 4, do: take 1 from men}"
    ruleset = read_ruleset(as_mapping(parse(Source("r.yaml", RULES.format(rows=rows, order="in-order")))), faults)
    fight = f.fight(Bound(ruleset), as_mapping(parse(Source("e.yaml", SITUATION))))
    f.go(f.begin(fight, ScriptedDice([(4, None), (5, None)])))
    f.go(f.begin(fight, None))
