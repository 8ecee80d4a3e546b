"""Which tests of a row can be asked before it looks at anybody."""

import pytest

from closecombat.binding.charts import Bound
from closecombat.reading.ruleset import read_ruleset
from closecombat.reading.stack import as_mapping
from closecombat.text.document import parse
from closecombat.text.faults import Faults
from closecombat.text.source import Source

RULES = """\
ruleset: looking
language: 1
start: go
words: {mood: [calm, angry], trade: [archer, rider]}
options: {harsh: {readings: [mild, severe], default: mild, why: So said.}}
kinds:
  fight: {one: yes, given: {leader: a unit, night: flag}}
  side:
    given: {enemy: the other side, fresh: flag, units: {are: units, each: unit}}
  unit:
    given: {side: a side, brave: flag, mood: {is: mood, default: calm}, trade: {is: trade, default: archer}, men: 0 to 9}
groups: {brave-ones: {each: hero, about: side, are: units of side where (brave)}}
tables:
  strong: {about: unit, is: men is at least 5}
  outdoes: {about: [unit, side], is: men of unit is at least number of units of side}
  dark: {is: night}
sequences:
  go: {in-order: {all: {each: side, play: look}}}
  look:
    about: side
    in-order:
      row: {%s, do: lose brave}
"""
EACH, FOR = "each: units of side", "for: leader"
CASES = [  # the row; how many of its tests are asked before it looks at anybody
    ("when: night, " + EACH, 1),
    ("when: dark, " + FOR, 1),
    ("harsh: severe, " + EACH, 1),
    ("fresh: yes, " + EACH, 1),  # of the side: no unit has it
    ("side: fresh, " + EACH, 0),  # the unit's side
    ("when: brave, " + EACH, 0),
    ("brave: yes, " + FOR, 0),
    ("unit: brave, " + EACH, 0),
    ("leader: brave, " + EACH, 1),  # brave is said of the leader
    ("leader: archer, " + EACH, 1),
    ("leader: hero, " + EACH, 1),
    ("when: leader is brave, " + EACH, 1),
    ("when: leader is brave and night, " + EACH, 1),
    ("when: night and leader is brave, " + EACH, 1),
    ("when: leader is not archer, " + EACH, 1),
    ("leader: archer or brave, " + EACH, 1),
    ("mood of leader: angry, " + EACH, 1),
    ("when: mood of leader is mood, " + EACH, 0),
    ("when: men of leader is more than men, " + EACH, 0),
    ("leader: unit, " + EACH, 0),
    ("when: strong, " + EACH, 0),
    ("when: strong of leader, " + EACH, 1),
    ("when: outdoes of enemy of side, " + EACH, 0),  # by the unit
    ("number of units where (night): at least 1, " + EACH, 1),
    ("number of units where (brave): at least 1, " + EACH, 0),  # on the safe side: one looked at could be brave
    ("any hero of side of leader: brave, " + EACH, 1),
    ("night: yes, when: brave, fresh: yes, " + EACH, 1),  # and no further than the first that speaks of him
    ("night: yes, " + EACH + ", fresh: yes", 1),
    (EACH + ", night: yes", 0),
]  # fmt: skip


@pytest.mark.parametrize(("row", "first"), CASES)
def test_what_does_not_speak_of_whom_a_row_looks_at_is_asked_before(row: str, first: int) -> None:
    faults = Faults()
    ruleset = read_ruleset(as_mapping(parse(Source("r.yaml", RULES % row))), faults)
    faults.raise_if_any()
    (act,) = Bound(ruleset).sequence("look").acts
    assert len(act.first) == first
