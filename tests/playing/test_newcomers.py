"""Whom rows create: what they are called where that hangs on dice, and in what order they came. Each fight is played
with all dice, and asked for its chances."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from closecombat.asking.exact.chances import work_out
from closecombat.asking.played.resolution import resolve
from closecombat.binding.charts import Bound
from closecombat.playing.fight import Fight, fight
from closecombat.proving.throws.dice import ScriptedDice
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


# Round after round red may call a guard or a rider; the first recruit leaves on a 1, the second never. With four men it
# is over.
TO_THE_END = """\
ruleset: levy
language: 1
start: bout
rounds: {until: any side where (full)}
kinds:
  fight: {one: yes}
  side:
    given: {enemy: the other side, units: {are: units, each: unit}}
    noted: {full: flag}
    rolled: {call: d3, fall: d2}
  unit: {given: {side: a side}, printed: {men: 0 to 9}, chosen: {digs-in: flag}}
counters: {unit: {columns: [men], rows: {guard: [2], rider: [3]}}}
sequences:
  bout:
    in-order:
      call:   {each: side, roll: call}
      guards: {each: side, call: 1, number of units of side: at most 1, create: guard, into: units of side, as: recruit}
      riders: {each: side, call: 2, number of units of side: at most 1, create: rider, into: units of side, as: recruit}
      digs:   {each: unit, choose: digs-in, by: side of unit, otherwise: no}
      fall:   {each: side, roll: fall}
      falls:  {each: unit, digs-in: no, fall of side of unit: 1, do: leave}
      fills:  {each: side, total men of units of side: at least 4, do: gain full}
outcomes:
  about: side
  words: [short, guards, riders]
  first-of:
    riders: {when: side is full and any unit of side where (men is 3), is: riders}
    guards: {side: full, is: guards}
  otherwise: short
"""


def by_hand() -> dict[str, Fraction]:
    """How the first side ends, both by the same rules: a chain over the men of both recruits of both sides."""

    def called(units: tuple[int, int], call: int, fall: int) -> tuple[int, int]:
        here = list(units)
        for throw, men in ((1, 2), (2, 3)):
            if call == throw and 0 in here:
                here[here.index(0)] = men
        return (0 if fall == 1 else here[0]), here[1]

    ways = list(product((1, 2, 3), (1, 2)))
    start = ((0, 0), (0, 0))
    states, todo = {start: 0}, [start]
    rows: list[dict[int, Fraction]] = []
    ends: list[dict[str, Fraction]] = []
    for state in todo:
        row, over = dict[int, Fraction](), Counter[str]()
        for one, other in product(ways, repeat=2):
            after = called(state[0], *one), called(state[1], *other)
            chance = Fraction(1, len(ways) ** 2)
            if max(map(sum, after)) >= 4:
                mine = after[0]
                over["short" if sum(mine) < 4 else "riders" if 3 in mine else "guards"] += chance
                continue
            if after not in states:
                states[after] = len(states)
                todo.append(after)
            row[states[after]] = row.get(states[after], Fraction(0)) + chance
        rows.append(row)
        ends.append(dict(over))
    for at in reversed(range(1, len(rows))):  # each state is gone through by its own ways on
        again = 1 / (1 - rows[at].pop(at, Fraction(0)))
        for row, over in list(zip(rows, ends, strict=True))[:at]:
            share = row.pop(at, Fraction(0)) * again
            for to, chance in rows[at].items():
                row[to] = row.get(to, Fraction(0)) + share * chance
            for end, chance in ends[at].items():
                over[end] = over.get(end, Fraction(0)) + share * chance
    again = 1 / (1 - rows[0].get(0, Fraction(0)))
    return {end: chance * again for end, chance in ends[0].items()}


def test_newcomers_to_the_end_are_who_they_are_in_play() -> None:
    faults = Faults()
    ruleset = read_ruleset(as_mapping(parse(Source("<rules>", TO_THE_END))), faults)
    faults.raise_if_any()
    situation = "situation:\n  sides: {a: {units: {}}, b: {units: {}}}\n"
    choices = "choices: {digs: {recruit-a-2: yes, recruit-b-2: yes}}\n"
    one = fight(Bound(ruleset), as_mapping(parse(Source("<fight>", situation + choices))))
    assert work_out(one, by="sides", until_resolved=True).verdicts["a"] == by_hand()
