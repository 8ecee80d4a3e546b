"""Whom rows create: what they are called where that hangs on dice, and in what order they came. Each fight is played
with all dice, and asked for its chances."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from closecombat.asking.chances import work_out
from closecombat.asking.resolution import resolve
from closecombat.binding.charts import Bound
from closecombat.playing.fight import Fight, fight
from closecombat.proving.dice import ScriptedDice
from closecombat.reading.ruleset import read_ruleset
from closecombat.reading.stack import as_mapping
from closecombat.text.document import parse
from closecombat.text.faults import Faults, Faulty
from closecombat.text.source import Source

RULES = """\
ruleset: levy
language: 1
start: bout
kinds:
  fight: {one: yes}
  side:
    given: {enemy: the other side, units: {are: units, each: unit}}
    noted: {served: flag, eater: a unit or nobody}
    rolled: {call: d3, fall: d3}
  unit:
    given: {side: a side}
    printed: {men: 0 to 9}
    chosen: {digs-in: flag}
    noted: {fed: flag}
counters: {unit: {columns: [men], rows: {guard: [2], rider: [3]}}}
sequences:
  bout:
    in-order:
      call:    {each: side, roll: call}
      %s
outcomes:
  about: side
  words: [none, guard, rider, both]
  first-of:
    both:  {when: any unit of side where (fed and men is 2) and any unit of side where (fed and men is 3), is: both}
    rider: {when: any unit of side where (fed and men is 3), is: rider}
    guard: {when: any unit of side where (fed and men is 2), is: guard}
  otherwise: none
"""
GUARD = "create: guard, into: units of side, as: recruit}"
RIDER = "create: rider, into: units of side, as: recruit}"
DIGS = "{each: unit, choose: digs-in, by: side of unit, otherwise: no}"
# On a 1 a guard comes, on a 2 a rider: each is the only recruit, and goes by that name.
EITHER = f"""\
guards:  {{each: side, call: 1, {GUARD}
      riders:  {{each: side, call: 2, {RIDER}
      digs:    {DIGS}
      feed:    {{each: unit, digs-in: yes, do: gain fed}}
"""
# On a 1 a guard comes; then on another 1 or 2 a rider, who is the second recruit only if the guard is there.
PERHAPS_TWO = f"""\
guards:  {{each: side, call: 1, {GUARD}
      again:   {{each: side, roll: fall}}
      riders:  {{each: side, fall: at most 2, {RIDER}
      digs:    {DIGS}
      feed:    {{each: unit, digs-in: yes, do: gain fed}}
"""
# The guard may have left again before the rider comes.
COME_AND_GONE = PERHAPS_TWO.replace(
    "      riders:", "      leaves:  {each: unit, fall of side of unit: 2, do: leave}\n      riders:"
)
# The guard comes before the rider or behind him.
ORDER = """\
guards:  {each: side, call: 1, create: guard, into: units of side, as: guard}
      again:   {each: side, roll: fall}
      riders:  {each: side, fall: 1, create: rider, into: units of side, as: rider}
      more:    {each: side, number of units of side where (men is 2): 0, create: guard, into: units of side, as: guard}
"""
BY_MEN = (
    ORDER
    + "      eats:    {each: side, do: [set eater to whoever of units has highest men, gain fed of eater of side]}\n"
)
IN_ORDER_OF_MEN = ORDER + (
    "      eats:    {each: unit, first: highest men, ties: at-once, served of side: no, do: [gain fed, gain served of side]}\n"
)
FIRST_COME = ORDER + "      eats:    {each: unit, served of side: no, do: [gain fed, gain served of side]}\n"
LEVEL = (
    ORDER
    + "      eats:    {each: side, do: [set eater to whoever of units has lowest digs, gain fed of eater of side]}\n"
)

ONE_STAYS = "choices: {digs: {recruit-a: yes}}\n"
BOTH_STAY = "choices: {digs: {recruit-a: yes, recruit-a-2: yes}}\n"
SECOND_STAYS = "choices: {digs: {recruit-a-2: yes}}\n"


def of(rows: str, choices: str = "") -> Fight:
    faults = Faults()
    rules = RULES.replace("%s", rows)
    if "lowest digs" in rows:
        rules = rules.replace("lowest digs", "lowest rank").replace(
            "noted: {fed: flag}", "noted: {fed: flag, rank: number}"
        )
    ruleset = read_ruleset(as_mapping(parse(Source("<rules>", rules))), faults)
    faults.raise_if_any()
    situation = "situation:\n  sides: {a: {units: {}}, b: {units: {}}}\n"
    return fight(Bound(ruleset), as_mapping(parse(Source("<fight>", situation + choices))))


def played(one: Fight, throws: int) -> dict[str, Fraction]:
    ends = Counter(
        resolve(one, ScriptedDice([(die, None) for die in dice])).sides["a"]
        for dice in product((1, 2, 3), repeat=throws)
    )
    return {end: Fraction(times, 3**throws) for end, times in ends.items()}


@pytest.mark.parametrize(
    ("rows", "choices", "throws", "wanted"),
    [
        (EITHER, ONE_STAYS, 2, {"guard": "1/3", "rider": "1/3", "none": "1/3"}),
        (PERHAPS_TWO, ONE_STAYS, 4, {"guard": "1/3", "rider": "4/9", "none": "2/9"}),
        (PERHAPS_TWO, SECOND_STAYS, 4, {"rider": "2/9", "none": "7/9"}),
        (PERHAPS_TWO, BOTH_STAY, 4, {"both": "2/9", "guard": "1/9", "rider": "4/9", "none": "2/9"}),
        (COME_AND_GONE, BOTH_STAY, 4, {"both": "1/9", "guard": "1/9", "rider": "5/9", "none": "2/9"}),
        (COME_AND_GONE, SECOND_STAYS, 4, {"rider": "1/9", "none": "8/9"}),
        (BY_MEN, "", 4, {"rider": "1/3", "guard": "2/3"}),
        (IN_ORDER_OF_MEN, "", 4, {"rider": "1/3", "guard": "2/3"}),
    ],
)
def test_a_newcomer_is_in_the_chances_who_he_is_in_play(
    rows: str, choices: str, throws: int, wanted: dict[str, str]
) -> None:
    one = of(rows, choices)
    assert played(one, throws) == {end: Fraction(chance) for end, chance in wanted.items()}
    found = work_out(one, by="sides").verdicts["a"]
    assert {end: chance for end, chance in found.items() if chance} == played(one, throws)


@pytest.mark.parametrize("rows", [FIRST_COME, LEVEL])
def test_who_came_first_is_not_guessed(rows: str) -> None:
    """The guard comes first on a 1, and else behind the rider: played that is known, beforehand it hangs on dice."""
    one = of(rows)
    with pytest.raises(Faulty) as raised:
        work_out(one, by="sides")
    assert raised.value.codes == {"order-unknown"}
    assert played(one, 4) == {"guard": Fraction(7, 9), "rider": Fraction(2, 9)}
