"""Best play: what each answer is worth, against plain playings (`best_play`), by hand, and by what must hold of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner

import best_play as plain
from closecombat.asking.choices.aims import wanted
from closecombat.asking.choices.allowed import next_choice
from closecombat.asking.choices.best_chances import BestPlay
from closecombat.asking.choices.best_play import best_answers
from closecombat.asking.choices.overview import look_over
from closecombat.asking.choices.worths import Answered, Question
from closecombat.asking.exact.chances import work_out
from closecombat.asking.examples.examples import typed
from closecombat.binding.charts import Bound
from closecombat.binding.load import load
from closecombat.cli.main import main
from closecombat.playing.fight import Fight, begin, distribution, fight, go, losses, verdicts
from closecombat.playing.offers import Offers
from closecombat.proving.best_play.best import ONE, Best, answered_by_default
from closecombat.proving.throws.dice import ScriptedDice
from closecombat.proving.values.symbolic import Sym, Workshop
from closecombat.reading.ruleset import read_ruleset
from closecombat.reading.stack import as_mapping
from closecombat.reading.types import Thing
from closecombat.text.document import parse
from closecombat.text.faults import Faults, Faulty
from closecombat.text.source import Source

Answer = Any
SCHEMAS = Path(__file__).parents[2] / "schemas"


def told(bound: Bound, text: str) -> Fight:
    return fight(bound, as_mapping(parse(Source("fight.yaml", text))))


def made(text: str) -> Bound:
    faults = Faults()
    ruleset = read_ruleset(as_mapping(parse(Source("rules.yaml", text))), faults, ())
    faults.raise_if_any()
    return Bound(ruleset)


def answered(one: Fight, aims: Sequence[str] = (), dice: str = "", at: str = "") -> Answered:
    def faces() -> ScriptedDice:
        return ScriptedDice(typed(dice) if dice else ())

    listed = next_choice(one, faces(), at)
    assert listed is not None
    return best_answers(Question(one, faces, wanted(aims)), listed)


def worths(found: Answered) -> dict[Answer, Fraction]:
    return {str(one.answer) if isinstance(one.answer, Thing) else one.answer: one.worth for one in found.worths}


# ---- against plain playings -----------------------------------------------------------------------------------

ASL = """
situation:
  fight: {attacker: german, defender: russian}
  sides:
    german:  {units: {g1: {counter: german-4-6-7}}}
    russian: {units: {r1: {counter: russian-4-4-7}}}
choices: {names: {german: {a: {attackers: [g1], targets: [r1]}}, russian: {b: {attackers: [r1], targets: [g1]}}}}
"""
SQUAD_LEADER = """
situation:
  fight: {mover: german}
  sides:
    german:  {units: {g1: {counter: german-4-6-7}, l1: {counter: leader-9-2}}}
    russian: {units: {r1: {counter: russian-4-4-7}}}
options: {leaders-on-a-roll: several}
choices: {names: {german: {a: {attackers: [g1], targets: [r1]}}, russian: {}}}
"""
ASSAULT = """
situation:
  fight: {combat: initiated, initiator: side-a}
  sides:
    side-a:
      fighter: ua
      units:
        ua: {class: infantry, strength-points: 4, half-from: 2, attack-card: {green: 1}, front-dice: {blue: 1}}
        sa: {class: infantry, strength-points: 4, half-from: 2, attack-card: {blue: 1}, adjacent: yes}
    side-b:
      fighter: ub
      units: {ub: {class: infantry, strength-points: 2, half-from: 1, attack-card: {green: 1}, front-dice: {blue: 1}}}
choices: {step-in: {side-a: yes}}
"""
RENEWED = """
situation:
  fight: {combat: initiated, initiator: side-a}
  sides:
    side-a:
      fighter: ua
      units:
        ua: {class: infantry, strength-points: 2, half-from: 1, attack-card: {red: 1}}
        sa: {class: infantry, strength-points: 2, half-from: 1, attack-card: {blue: 1}, adjacent: yes, pays-normal-move: yes}
    side-b:
      fighter: ub
      units: {ub: {class: infantry, strength-points: 2, half-from: 1, attack-card: {red: 1}}}
choices: {support: {sa: yes}, move-in: {side-a: sa}}
combats: 2
"""
SKIRMISH = """
situation:
  fight: {attacker: red, defender: blue}
  sides:
    red:  {units: {r: {teams: {rt1: {men: 1}, rt2: {men: 1}}}}}
    blue: {units: {b: {teams: {bt1: {men: 1}}}}}
"""
NO_HIT = {2: 1, 3: 1, 4: 1}  # of a die of skirmish only 5 and 6 hit
LOST = ((), plain.lost)
DESTROYED = (("destroyed",), plain.ends("destroyed"))

# who plays, the fight, dice before the choice, its row, what is played for, faces that count alike
FIGHTS = {
    "asl: out on a 2, by loss": ("asl", ASL, "1,1", "infiltrate-2", LOST, {}),
    "asl: out on a 12, by verdict": ("asl", ASL, "6,6", "infiltrate-12", DESTROYED, {}),
    "squad-leader: a leader lends, by loss": ("squad-leader", SQUAD_LEADER, "", "lend", LOST, {}),
    "assault: a supporter, by loss": ("assault", ASSAULT, "", "support", LOST, {}),
    "skirmish: odd Shock, by loss": ("skirmish", SKIRMISH, "1,1,5", "odd-shocks", LOST, NO_HIT),
}


@pytest.mark.parametrize("name", FIGHTS)
def test_worths_are_those_of_plain_playings(name: str) -> None:
    system, text, dice, row, (aims, aim), alike = FIGHTS[name]
    one = told(load(system), text)
    found = answered(one, aims, dice, row)
    faces = tuple(int(face) for face in dice.split(",")) if dice else ()
    expected = plain.answers_worth(one, found.player, aim, faces, row, alike)
    assert worths(found) == expected
    assert found.best == max(expected.values())


def test_a_duel_and_three_duels_of_asl() -> None:
    """2/81: reckoned by plain playings of the whole duel, which take too long here; three that have nothing to do with
    each other are worth three times as much."""
    names = ("german", "a", "g", "r"), ("russian", "b", "r", "g")
    for number, expected in ((1, Fraction(2, 81)), (3, Fraction(2, 27))):
        each = range(1, number + 1)
        sides = "".join(
            f"    {side}: {{units: {{{', '.join(f'{unit}{i}: {{counter: {counter}}}' for i in each)}}}}}\n"
            for side, unit, counter in (("german", "g", "german-4-6-7"), ("russian", "r", "russian-4-4-7"))
        )
        named = ", ".join(
            f"{side}: {{{', '.join(f'{n}{i}: {{attackers: [{one}{i}], targets: [{other}{i}]}}' for i in each)}}}"
            for side, n, one, other in names
        )
        text = f"situation:\n  fight: {{attacker: german, defender: russian}}\n  sides:\n{sides}choices: {{names: {{{named}}}}}\n"
        assert answered(told(load("asl"), text)).best == expected


UNBOUNDED = """
ruleset: unbounded
language: 1
start: combat
kinds:
  fight: {one: yes}
  side: {given: {enemy: the other side}, chosen: {bold: flag}, rolled: {luck: d6}, noted: {hits: 0 to 2}}
tables:
  strength-lost: {about: side, unit: hits, is: hits}
  outcomes: {about: side, words: [fine, hurt], first-of: {hurt: {hits: at least 1, is: hurt}}, otherwise: fine}
sequences:
  combat:
    again: {until: any side where (hits is 2), at-most: LIMIT}
    in-order:
      dares: {each: side, choose: bold, otherwise: no}
      falls: {each: side, roll: luck}
      hit: {each: side, when: luck is at most 2 or (bold and luck is at most 4), do: add 1 to hits of enemy of side}
"""


def test_a_choice_that_is_left_to_the_ruleset_has_no_worth() -> None:
    """In a repetition without a bound nothing is chosen: what an answer is worth is not what the ruleset's is."""
    text = "situation: {fight: {}, sides: {red: {}, blue: {}}}\n"
    with pytest.raises(Faulty, match="cannot be told: it is asked in a repetition that is worked out as one"):
        answered(told(made(UNBOUNDED.replace("LIMIT", "unbounded")), text))
    found = worths(answered(told(made(UNBOUNDED.replace("LIMIT", "1")), text)))
    assert found == {True: Fraction(0), False: Fraction(-1, 3)}  # blue is bold, and hits in four of six
    best = BestPlay(wanted(()))
    work_out(told(made(UNBOUNDED.replace("LIMIT", "unbounded")), text), best=best)
    assert best.said[0] == "nobody plays best here: every choice is answered as the ruleset does"


# ---- who sees what --------------------------------------------------------------------------------------------

PENNIES = """
ruleset: pennies
language: 1
start: combat
words: {coin: [heads, tails]}
kinds:
  fight: {one: yes}
  side:
    given: {enemy: the other side, pays: flag, units: {are: units, each: unit}}
    chosen: {call: coin}
  unit: {given: {side: a side}}
tables:
  strength-lost:
    about: side
    unit: coins
    first-of:
      other: {pays: no, is: 0}
      heads: {call: heads, call of enemy: heads, is: 2}
      tails: {call: tails, call of enemy: tails, is: 1}
    otherwise: -1
  outcomes: {about: side, words: [fine, poor], first-of: {poor: {pays: yes, is: poor}}, otherwise: fine}
sequences:
  combat:
    in-order:
      calls: {each: side, choose: call, HOW, otherwise: heads}
"""
TWO = """
situation: {fight: {}, sides: {red: {pays: no, units: {r: {}}}, blue: {pays: yes, units: {b: {}}}}}
"""
TURNED = """
situation: {fight: {}, sides: {blue: {pays: yes, units: {b: {}}}, red: {pays: no, units: {r: {}}}}}
"""


@pytest.mark.parametrize("how", ["answered: at-once", "answered: secret"])
def test_who_answers_unseen_mixes_his_answers(how: str) -> None:
    """Red wins 2 if both call heads, 1 if both call tails, and loses 1 else. With heads in x of 1, 2x - (1 - x) against
    heads is as much as (1 - x) - x against tails at x = 2/5: 1/5. Seen it is -1, and seeing blue's call 1."""
    for text in (TWO, TURNED):
        found = answered(told(made(PENNIES.replace("HOW", how)), text))
        sign = 1 if found.player == "red" else -1
        assert found.best == sign * Fraction(1, 5)
        assert found.between == (-1, 1)
        assert {one.answer: one.share for one in found.worths} == {"heads": Fraction(2, 5), "tails": Fraction(3, 5)}
        assert {one.worth for one in found.worths} == {sign * Fraction(1, 5)}


def test_who_answers_openly_is_seen() -> None:
    rules = made(PENNIES.replace("HOW", "answered: open"))
    first = answered(told(rules, TWO))
    assert (first.player, first.best, worths(first)) == ("red", -1, {"heads": -1, "tails": -1})
    second = answered(told(rules, TURNED))
    assert (second.player, second.best, worths(second)) == ("blue", -1, {"heads": -2, "tails": -1})


def test_what_is_settled_elsewhere_nobody_chooses() -> None:
    found = told(made(PENNIES.replace("HOW", "answered: elsewhere")), TWO)
    with pytest.raises(Faulty, match="elsewhere"):
        answered(found)


# ---- what must hold of it -------------------------------------------------------------------------------------

TEAMS = """
ruleset: teams
language: 1
start: combat
kinds:
  fight: {one: yes}
  side: {given: {enemy: the other side, teams: {are: teams, each: team}}}
  team: {given: {side: a side, men: {are: men, each: man}}}
  man:  {plural: men, given: {team: a team, friend: a man or nobody}, chosen: {stays: flag}}
tables:
  strength-lost: {about: side, unit: teams, is: number of teams of side where (any man of team where (stays))}
  outcomes: {about: side, words: [fine, poor], first-of: {poor: {strength-lost of side: more than 0, is: poor}}, otherwise: fine}
sequences: {combat: {in-order: {stay: {each: man, choose: stays, otherwise: yes}}}}
"""


def test_who_belongs_to_somebody_of_a_side_answers_for_that_side() -> None:
    """Red loses a team if r stays, and blue's man does what is best for blue: he leaves."""
    teams = "{red: {teams: {one: {men: {r: {}}}}}, blue: {teams: {two: {men: {b: {}}}}}}"
    found = answered(told(made(TEAMS), f"situation: {{fight: {{}}, sides: {teams}}}\n"))
    assert (found.player, worths(found)) == ("red", {True: -1, False: 0})


TWO_AGAINST_ONE = """
situation:
  fight: {attacker: german, defender: russian}
  sides:
    german:  {units: {FIRST: {counter: german-4-6-7}, SECOND: {counter: german-4-6-7}}}
    russian: {units: {r: {counter: russian-4-4-7}}}
"""


def test_declarations_are_tried_and_units_that_are_alike_are_one() -> None:
    """Whoever is called how and stands where, each declaration is worth as much; either squad alone is one."""
    found = [
        answered(told(load("asl"), TWO_AGAINST_ONE.replace("FIRST", one).replace("SECOND", other)), at="names")
        for one, other in (("a", "b"), ("z", "a"))
    ]
    for one in found:
        assert one.best == found[0].best
        assert [(len(each.answer), each.worth, each.alike) for each in one.worths] == [
            (len(each.answer), each.worth, each.alike) for each in found[0].worths
        ]
    assert [each.alike for each in found[0].worths] == [1, 2, 1]


@pytest.mark.parametrize("name", FIGHTS)
def test_the_default_is_never_better_than_the_best(name: str) -> None:
    system, text, dice, row, (aims, _), _ = FIGHTS[name]
    found = answered(told(load(system), text), aims, dice, row)
    assert found.default is not None
    assert found.default <= found.best
    assert found.best in worths(found).values()


def test_where_nothing_can_be_chosen_the_worth_is_that_of_the_chances() -> None:
    one = told(load("squad-leader"), SQUAD_LEADER.replace("russian: {}}", "russian: {}}, lend: {l1: a}"))
    found, chances = answered(one), work_out(one)
    assert len(found.worths) == 1
    assert found.best == chances.losses["russian"].expected - chances.losses["german"].expected


@pytest.mark.parametrize(
    ("aims", "expected"),
    [
        (("lost",), Fraction(2, 81)),
        (("destroyed",), Fraction(1, 216)),
        (("destroyed", "2*destroyed"), Fraction(3, 216)),
        (("-1*number of units of russian",), None),
    ],
)
def test_what_is_played_for(aims: tuple[str, ...], expected: Fraction | None) -> None:
    """2/81 and 1/216 are those of plain playings of the whole duel."""
    found = answered(told(load("asl"), ASL), aims)
    if expected is not None:
        assert found.best == expected
    else:
        assert -1 <= found.best < 0


@pytest.mark.parametrize("aim", ["destroied", "units of german", "class of g1", "no such thing at all"])
def test_what_cannot_be_played_for_is_said(aim: str) -> None:
    with pytest.raises(Faulty):
        answered(told(load("asl"), ASL), (aim,))


# ---- chances under best play ----------------------------------------------------------------------------------


def test_the_chances_of_best_play_come_to_its_worth() -> None:
    one = told(load("asl"), ASL)
    best = BestPlay(wanted(()))
    chances = work_out(one, "sides", best=best)
    assert sum(each.probability for each in chances.outcomes) == 1
    assert (
        chances.losses["russian"].expected - chances.losses["german"].expected == answered(one).best == Fraction(2, 81)
    )
    assert chances.remarks[0].startswith("all sides play best: german for the strength (firepower)")


def test_what_was_answered_where_one_has_not_gone_is_no_part_of_a_state() -> None:
    """One of two renews the fight, whichever is in it then; of the other there is no answer that could matter. What it
    is worth `best_play.worth` takes half a minute to find."""
    chances = work_out(told(load("assault"), RENEWED), "sides", best=BestPlay(wanted(())))
    assert chances.losses["side-b"].expected - chances.losses["side-a"].expected == Fraction(1, 9)


def test_who_mixes_his_answers_does_so_by_himself() -> None:
    """Heads in 2 of 5 for both, each by himself: both heads in 4 of 25, both tails in 9 of 25."""
    one = told(made(PENNIES.replace("HOW", "answered: at-once")), TWO)
    chances = work_out(one, "sides", best=BestPlay(wanted(())))
    assert dict(chances.losses["blue"].distribution) == {-1: Fraction(12, 25), 1: Fraction(9, 25), 2: Fraction(4, 25)}


def test_answers_may_be_mixed_in_many_parts() -> None:
    """Heads in x of 1 is worth 201x - 1 against heads and 99 - 100x against tails: alike at x = 100/301, for both."""
    rules = PENNIES.replace("HOW", "answered: at-once").replace("is: 2}", "is: 200}").replace("is: 1}", "is: 99}")
    one = told(made(rules), TWO)
    found = answered(one)
    assert (found.best, found.notes) == (Fraction(19_799, 301), ())
    heads = Fraction(100, 301)
    chances = dict(work_out(one, "sides", best=BestPlay(wanted(()))).losses["blue"].distribution)
    assert chances == {200: heads**2, 99: (1 - heads) ** 2, -1: 2 * heads * (1 - heads)}


BIDS = """
ruleset: bids
language: 1
title: Three prizes, for each of which both bid from a purse; both pay
start: game
rounds: {until: yes}
kinds:
  fight: {one: yes, noted: {prize: 0 to 3}}
  side:
    given: {enemy: the other side, purse: 0 to 3}
    chosen: {bid: 0 to 3}
    rolled: {coin: d2}
    noted: {gained: 0 to 6}
tables:
  poor: {about: side, forbidden-if: {poor: {bid: more than purse, says: who has no more bids no more}}}
sequences:
  game:
    in-order:
      one:   {do: set prize to 1}
      for-1: {play: lot}
      three: {do: set prize to 3}
      for-3: {play: lot}
      two:   {do: set prize to 2}
      for-2: {play: lot}
  lot:
    in-order:
      bids:  {each: side, choose: bid, answered: at-once, legal: poor, otherwise: the lower of 1 and purse}
      pay:   {each: side, do: take bid from purse}
      coins: {each: side, bid: bid of enemy, roll: coin}
      win:   {each: side, bid: more than bid of enemy, do: add prize to gained}
      even:  {each: side, bid: bid of enemy, coin: more than coin of enemy, do: add prize to gained}
outcomes:
  about: side
  words: [ahead, behind]
  first-of: {ahead: {gained: more than gained of enemy, is: ahead}}
  otherwise: behind
strength-lost: {about: side, unit: prizes, is: gained of enemy}
"""


def all_pay(red: int, blue: int, prizes: Sequence[int]) -> Fraction:
    """What red gains of some prizes where both bid unseen from what they have left, a tie being 1/4 his."""
    if not prizes:
        return Fraction(0)
    first, *rest = prizes
    return plain.value_of(
        [
            [first * Fraction(1 + 3 * (x > y) - (x < y), 4) + all_pay(red - x, blue - y, rest) for y in range(blue + 1)]
            for x in range(red + 1)
        ]
    )


@pytest.mark.parametrize(("red", "blue"), [(2, 2), (3, 2), (1, 3)])
def test_answers_of_many_states_are_mixed_each_in_its_own_parts(red: int, blue: int) -> None:
    one = told(made(BIDS), f"situation: {{sides: {{red: {{purse: {red}}}, blue: {{purse: {blue}}}}}}}")
    chances = work_out(one, "sides", best=BestPlay(wanted(("gained of red",)), "red"))
    assert chances.losses["blue"].expected == all_pay(red, blue, (1, 3, 2))


def test_the_best_end_is_played_for_and_every_other_is_for_the_enemy() -> None:
    """Who is not ahead is behind, so that to be ahead oneself is as good as to have the enemy behind."""
    one = told(made(BIDS), "situation: {sides: {red: {purse: 3}, blue: {purse: 2}}}")
    ahead, behind = (answered(one, (word,)) for word in ("ahead", "behind"))
    assert worths(ahead) == worths(behind) and ahead.best > 0


def test_one_side_alone_plays_best() -> None:
    """The other calls heads, as the ruleset does: against that red calls heads too, and blue tails."""
    one = told(made(PENNIES.replace("HOW", "answered: at-once")), TWO)
    for only, expected in (("red", 2), ("blue", -1)):
        assert work_out(one, "sides", best=BestPlay(wanted(()), "red", (only,))).losses["blue"].expected == expected


BETWEEN = """
      calls: {each: side where (pays), choose: call, answered: secret, otherwise: heads}
      SHOWN
      other: {each: side where (not pays), choose: call, otherwise: heads}
"""


@pytest.mark.parametrize(
    ("shown", "worth"), [("show: {each: side, call: heads, do: gain known}", 1), ("", Fraction(1, 5))]
)
def test_who_answers_openly_does_not_know_what_is_a_secret_still(shown: str, worth: Fraction) -> None:
    """Blue calls in secret, and red after that: he wins 1 at least where it has been shown, else it is as if both had
    called at once: of 2, 1 and -1 it is 1/5 where heads is called in 2 of 5."""
    rules = PENNIES.replace(
        "      calls: {each: side, choose: call, HOW, otherwise: heads}\n", BETWEEN.replace("SHOWN", shown)
    )
    rules = rules.replace("chosen: {call: coin}", "chosen: {call: coin}\n    noted: {known: flag}")
    chances = work_out(told(made(rules), TWO), "sides", best=BestPlay(wanted(())))
    assert chances.losses["blue"].expected == worth
    assert not any("in secret" in remark for remark in chances.remarks)


TWICE = """
      calls: {each: side, choose: call, answered: secret, otherwise: heads}
      SHOWN
      says:  {each: side, choose: says, answered: secret, otherwise: heads}
"""
SAID = """
      right: {when: call is call of enemy and says of enemy is heads, is: 1}
      wrong: {when: call is not call of enemy and says of enemy is tails, is: 1}
    otherwise: 0
  outcomes"""


@pytest.mark.parametrize(
    ("shown", "worth"), [("show: {each: side, call: heads, do: gain known}", 1), ("", Fraction(1, 2))]
)
def test_what_was_answered_in_secret_is_known_once_it_is_shown(shown: str, worth: Fraction) -> None:
    """Red wins 1 if he says, in secret too, whether both have called the same: he sees that, or guesses."""
    before, _, after = PENNIES.partition("      heads: {call")
    rules = before + SAID.lstrip("\n") + after.partition("  outcomes")[2]
    rules = rules.replace(
        "      calls: {each: side, choose: call, HOW, otherwise: heads}\n", TWICE.replace("SHOWN", shown)
    )
    rules = rules.replace("chosen: {call: coin}", "chosen: {call: coin, says: coin}\n    noted: {known: flag}")
    chances = work_out(told(made(rules), TWO), "sides", best=BestPlay(wanted(())))
    assert chances.losses["blue"].expected == worth
    assert not any("in secret" in remark for remark in chances.remarks)


# ---- over some fights -----------------------------------------------------------------------------------------


def test_an_overview_of_a_duel() -> None:
    """By plain playings of the two choices that matter: out on a 2 is worth 4 instead of 28/9, which is 8/9 once in 36
    (2/81); on a 12 it is worth 0 instead of 8/9, and the ruleset does not do it. After the last blow nothing matters."""
    found = look_over("duel", [("duel", told(load("asl"), ASL))], wanted(()), None)
    (fight,), rows = found.fights, {row.row: row for row in found.rows}
    assert (fight.default, fight.best) == (0, Fraction(2, 81))
    assert dict(fight.gains) == {"german": Fraction(2, 81), "russian": 0}
    assert rows["infiltrate-2"].gives_up == Fraction(2, 81)
    assert (rows["infiltrate-2"].never_best, rows["infiltrate-12"].never_best) == (("no",), ("yes",))
    assert rows["infiltrate-12"].gives_up == 0


def test_a_choice_that_is_none_is_found() -> None:
    """Who is asked for what nothing hangs on."""
    rules = PENNIES.replace("calls: {each: side, choose: call, HOW", "calls: {each: side where (pays), choose: call")
    rules = rules.replace(
        "      heads: {call: heads, call of enemy: heads, is: 2}\n      tails: {call: tails, call of enemy: tails, is: 1}\n",
        "",
    )
    (row,) = look_over("none", [("none", told(made(rules), TWO))], wanted(()), None).rows
    assert (list(row.asked), list(row.matters), row.never_best, row.gives_up) == (["none"], [], (), 0)


# ---- as it is told --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("more", [["--at", "infiltrate-2", "--dice", "1,1"], ["--overview"]])
def test_json_is_as_its_schema_says(more: list[str], tmp_path: Path) -> None:
    file = tmp_path / "duel.yaml"
    file.write_text(f"ruleset: asl\n{ASL}", "utf-8")
    result = CliRunner().invoke(main, ["choices", str(file), "--best", "-f", "json", *more])
    assert result.exit_code == 0, result.output
    schema = json.loads((SCHEMAS / "choices.schema.json").read_text("utf-8"))
    jsonschema.validate(json.loads(result.stdout), schema)


@pytest.mark.parametrize(
    "wrong",
    [["--aim", "lost"], ["--best", "--overview", "--at", "x"], ["--overview"], ["--best", "--aim", "nothing much"]],
)
def test_what_does_not_go_together_is_said(wrong: list[str], tmp_path: Path) -> None:
    file = tmp_path / "duel.yaml"
    file.write_text(f"ruleset: asl\n{ASL}", "utf-8")
    result = CliRunner().invoke(main, ["choices", str(file), *wrong])
    assert result.exit_code == 2
    assert "Traceback" not in result.output


def test_systems_are_compared_under_best_play(tmp_path: Path) -> None:
    """The means of `chances --play best`: 70/81 and 8/9, which the plain playings of the duel are apart by 2/81."""
    file = tmp_path / "duel.yaml"
    file.write_text(f"ruleset: asl\n{ASL}", "utf-8")
    words = ["compare", str(file), "-r", "asl", "-r", "asl+hand-to-hand", "--play", "best", "-f", "json"]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, result.output
    means = {
        side: Fraction(loss["expected"]) for side, loss in json.loads(result.stdout)["systems"][0]["losses"].items()
    }
    assert means["russian"] - means["german"] == Fraction(2, 81)


# ---- a program with choices is the same program -----------------------------------------------------------------

LEFT_OPEN = {  # fights in which players are asked, and the answers that a fight gives are left out
    "asl": ASL,
    "assault": ASSAULT.replace("choices: {step-in: {side-a: yes}}", ""),
    "skirmish": SKIRMISH,
    "squad-leader": SQUAD_LEADER,
}


@pytest.mark.parametrize("system", LEFT_OPEN)
def test_answered_as_the_ruleset_does_a_program_with_choices_comes_to_the_same_chances(system: str) -> None:
    one = told(load(system), LEFT_OPEN[system])
    plainly, run, offers = begin(one, None), begin(one, None), Offers()
    go(plainly)
    run.offers_through(offers)
    go(run)
    assert offers.choices
    ends = [*losses(run).values(), *verdicts(run).values()]
    run.draft.becomes(answered_by_default(run.shop, run.draft.steps, offers.choices))
    assert distribution(run, ends) == distribution(plainly, [*losses(plainly).values(), *verdicts(plainly).values()])


def test_what_is_best_in_a_state_that_is_never_come_to_is_no_fault_while_a_program_is_read() -> None:
    shop = Workshop()
    best = Best({(1,): ((), (True,))})
    nowhere = shop.lift(best, ONE, 2)
    assert shop.lift(best, ONE, 1) is True
    assert type(nowhere) is Sym and type(shop.not_(nowhere)) is Sym
