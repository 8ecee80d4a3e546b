"""Rows that are done several times, and repetitions that may not begin at all: as played, and their chances by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest

from closecombat.binding.trace import Recorder
from closecombat.playing.fight import begin, fight, go
from closecombat.playing.repeat import MANY_PASSES, MOST_PASSES
from closecombat.proving.endless import tails
from closecombat.proving.throws.dice import SeededDice
from closecombat.proving.values.budget import UNASKED
from closecombat.text.faults import Faulty
from two_readings import case, exact, walked

RULES = """
ruleset: again
title: Again
about: Rows that are done several times.
language: 1
start: combat
kinds:
  fight: {{one: yes, given: {{attacker: a side, blows: 0 to 9}}, noted: {{hits: 0 to 99, spent: flag}}}}
  side: {{given: {{enemy: the other side, arms: 0 to 9}}, rolled: {{die: one, dice: pool}}}}
dice: {{one: d2, pool: {{die: d2, number: blows}}}}
tables: {{sixes: {{about: side, is: number of dice where (face is 2)}}}}
sequences:
  combat: {combat}
  hit: {{about: side, in-order: {{throw: {{roll: die}}, hit: {{die: 2, do: add 1 to hits}}}}}}
"""
SITUATION = "situation: {{fight: {{attacker: one, blows: {blows}}}, sides: {{one: {{arms: 2}}, two: {{arms: 1}}}}}}"
HALF = Fraction(1, 2)


def both(combat: str, question: str, blows: int = 3) -> dict[object, Fraction]:
    """The chances of each answer, which must be those of playing every fall of the dice."""
    small = case(RULES.format(combat=combat), SITUATION.format(blows=blows), [question])
    found = {answer: weight for (answer,), weight in exact(small, question).items()}
    played, _ = walked(small, 100)
    assert {answer: weight for (answer,), weight in played[question].ends.items()} == found
    return found


def of_coins(number: int) -> dict[int, Fraction]:
    """How many of so many coins show heads."""
    out = {0: Fraction(1)}
    for _ in range(number):
        out = {n: (out.get(n, 0) + out.get(n - 1, 0)) * HALF for n in range(len(out) + 1)}
    return out


@pytest.mark.parametrize(
    ("row", "coins"),
    [
        ("{for: attacker, repeat: 3, play: hit}", 3),
        ("{for: attacker, repeat: arms, play: hit}", 2),
        ("{each: side, repeat: arms, play: hit}", 3),
        ("{each: side, repeat: arms + 1, play: hit}", 5),
        ("{for: attacker, repeat: arms - 2, play: hit}", 0),
        ("{for: attacker, arms: at least 3, repeat: 3, play: hit}", 0),
    ],
)
def test_a_row_is_done_so_many_times_for_each_of_whom_it_looks_at(row: str, coins: int) -> None:
    assert both(f"{{in-order: {{strike: {row}}}}}", "hits") == of_coins(coins)


def test_how_often_is_asked_once_and_not_after_each_time() -> None:
    assert both("{in-order: {grow: {repeat: 1 + hits + 1, do: add 1 to hits}}}", "hits") == {2: 1}


def test_dice_say_how_often() -> None:
    """A d2, and so many coins: none of one, or none, one or two of two."""
    rows = "{throw: {for: attacker, roll: die}, go: {for: attacker, repeat: die, play: hit}}"
    expected = {0: HALF * HALF + HALF * HALF**2, 1: HALF * HALF + HALF * HALF, 2: HALF * HALF**2}
    assert both(f"{{in-order: {rows}}}", "hits") == expected


@pytest.mark.parametrize("blows", [2, 3, 9])
def test_a_pool_says_how_often(blows: int) -> None:
    """Each of the heads of so many coins is thrown once more: a quarter of the coins."""
    rows = "{throw: {for: attacker, roll: dice}, go: {for: attacker, repeat: sixes, play: hit}}"
    small = case(RULES.format(combat=f"{{in-order: {rows}}}"), SITUATION.format(blows=blows), ["hits is 0"])
    assert exact(small, "hits is 0")[(True,)] == Fraction(3, 4) ** blows


def test_a_hundred_times() -> None:
    assert both("{in-order: {grow: {repeat: 90, do: add 1 to hits}}}", "hits") == {90: 1}
    rows = "{go: {for: attacker, repeat: 60, play: hit}}"
    small = case(RULES.format(combat=f"{{in-order: {rows}}}"), SITUATION.format(blows=1), ["hits is 0"])
    assert exact(small, "hits is 0")[(True,)] == HALF**60


def test_what_is_done_at_once_adds_up() -> None:
    assert both("{at-once: {a: {repeat: 3, do: add 2 to hits}, b: {repeat: 2, do: add 1 to hits}}}", "hits") == {8: 1}


@pytest.mark.parametrize("blows", [0, 1, 2])
def test_while_is_asked_before_the_first_pass_too(blows: int) -> None:
    combat = "{{again: {{{}, at-most: {}}}, in-order: {{do: {{do: add 1 to hits}}}}}}"
    for bound in ("9", "unbounded"):
        assert both(combat.format("while: hits is less than blows", bound), "hits", blows) == {blows: 1}
        assert both(combat.format("until: hits is at least blows", bound), "hits", blows) == {max(blows, 1): 1}


def test_while_dice_allow_it() -> None:
    """Whoever has thrown a 2 goes on, three times at most: he throws a coin before each."""
    rows = "{throw: {for: attacker, roll: die}, on: {for: attacker, play: onward}}\n  onward: "
    again = "{about: side, again: {while: die is 2, at-most: 3}, in-order: {hit: {do: add 1 to hits}, r: {roll: die}}}"
    expected = {n: HALF ** (n + 1) for n in range(3)} | {3: HALF**3}
    assert both(f"{{in-order: {rows[: rows.index(chr(10))]}}}\n  onward: {again}", "hits") == expected


HOLDS = """{{again: {{until: spent, at-most: {bound}}}, in-order: {{
  toss: {{for: attacker, hits: 0, roll: die}}, heads: {{for: attacker, die: 2, do: add 1 to hits}},
  last: {{hits: at least 2, do: gain spent}}, tails: {{for: attacker, die: 1, do: gain spent}}}}}}"""


def test_a_die_holds_until_it_is_thrown_again() -> None:
    """It is thrown in the first pass, and asked in that and in the second: no heads, or two."""
    assert both(HOLDS.format(bound=3), "hits") == {0: HALF, 2: HALF}


def test_without_a_bound_the_chances_refuse_a_die_of_an_earlier_pass() -> None:
    with pytest.raises(Faulty) as caught:
        both(HOLDS.format(bound="unbounded"), "hits")
    assert caught.value.codes == {"budget-exceeded"} and "noted" in caught.value.diagnostics[0].help


@pytest.mark.parametrize(
    ("row", "code"),
    [
        ("{repeat: 1, do: add 1 to hits}", "out-of-range"),
        ("{repeat: 3/2, do: add 1 to hits}", "out-of-range"),
        ("{repeat: 2000, do: add 1 to hits}", "out-of-range"),
        ("{repeat: spent, do: add 1 to hits}", "wrong-type"),
        ("{repeat: blows - 4, do: add 1 to hits}", "out-of-range"),
        ("{repeat: blows / 2, do: add 1 to hits}", "out-of-range"),
    ],
)
def test_what_is_no_number_of_times(row: str, code: str) -> None:
    with pytest.raises(Faulty) as caught:
        small = case(RULES.format(combat=f"{{in-order: {{go: {row}}}}}"), SITUATION.format(blows=3), ["hits"])
        exact(small, "hits")
    assert code in caught.value.codes


def test_until_and_while_are_not_both_said() -> None:
    again = "{again: {until: spent, while: not spent, at-most: 3}, in-order: {go: {do: gain spent}}}"
    with pytest.raises(Faulty) as caught:
        case(RULES.format(combat=again), SITUATION.format(blows=3), ["hits"])
    assert caught.value.codes == {"wrong-shape"}


@pytest.mark.parametrize(("most", "why"), [(5_000, "has no end either"), (5, "too much hangs on them")])
def test_what_hangs_on_dice_without_end_is_looked_at_so_often(
    most: int, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows of which each asks what those before it have set from such dice: the cases of one are in those of the next."""
    monkeypatch.setattr(tails, "MOST_LOOKED_AT", most)
    rule = "when: x of enemy of side is less than die of side + {0} or x is more than {0}"
    rows = ", ".join(
        f"r{at}: {{each: side, {rule.format(at)}, do: set x to ((die of enemy of side + x) / 2 rounded up)}}"
        for at in range(5)
    )
    endless = RULES.replace("{{one: d2,", "{{one: {{die: d2, explode-if: face is 1, at-most: unbounded}},")
    endless = endless.replace("dice: pool}}", "dice: pool}}, noted: {{x: 0 to 9}}")
    rules = endless.format(combat=f"{{in-order: {{throw: {{each: side, roll: die}}, {rows}}}}}")
    with pytest.raises(Faulty, match=why):
        exact(case(rules, SITUATION.format(blows=1), ["x of one"]), "x of one")


@pytest.mark.parametrize(
    ("beside", "most", "code"),
    [(0, None, "loop-without-end"), (0, UNASKED, "loop-without-end"), (60, UNASKED, "takes-long")],
)
def test_of_a_repetition_without_end_it_is_asked_the_sooner_the_more_is_in_it(
    beside: int, most: int | None, code: str
) -> None:
    """Its dice are thrown for ever, since none shows what it waits for."""
    rows = "".join(f", r{n}: {{each: side, die: 2, do: set hits to 1}}" for n in range(beside))
    loop = f"loop: {{again: {{until: hits is 2, at-most: unbounded}}, in-order: {{a: {{for: attacker, roll: die}}{rows}}}}}"
    rules = RULES.replace("  hit:", f"  {loop}\n  hit:".replace("{", "{{").replace("}", "}}"), 1)
    small = case(rules.format(combat="{in-order: {on: {play: loop}}}"), SITUATION.format(blows=1), ["hits"])
    run = begin(fight(small.bound, small.document), SeededDice(1), Recorder())
    run.may_spend(most)
    with pytest.raises(Faulty, match=r"has not come to an end after ([0-9,]+) passes") as caught:
        go(run)
    (told,) = caught.value.diagnostics
    assert told.code == code and ("--yes" in told.help) is (code == "takes-long")
    passes = int(told.message.split(" passes")[0].rsplit(" ", 1)[1].replace(",", ""))
    assert passes == MOST_PASSES if not beside else MANY_PASSES <= passes < MOST_PASSES


IN_TURN = """
ruleset: in-turn
title: In turn
about: Whoever has spent the least time strikes next.
language: 1
start: duel
kinds:
  fight: {one: yes}
  side: {given: {enemy: the other side, men: {are: men, each: man}}}
  man: {plural: men, given: {side: a side, hits: 0 to 3}, noted: {time: 0 to LONGEST}, rolled: {blow: d2}}
tables: {key: {about: man, is: time - hits}}
sequences:
  duel:
    again: {until: any side where (number of men is 0), at-most: unbounded}
    in-order: {turn: {for: whoever of men has lowest key, play: act, victim: whoever of men of enemy of side has lowest hits}}
  act:
    about: {actor: man, victim: man}
    in-order:
      blow: {roll: blow of actor}
      hurt: {for: victim, do: take blow of actor from hits}
      time: {for: actor, do: add blow to time}
      dead: {for: victim, hits: 0, do: leave}
"""


def in_turn(men: tuple[tuple[str, int, int], ...], longest: int) -> Fraction:
    """The chance that the second side falls; each man with his side, hits and time, in the order in which they stand."""
    standing = [man for man in men if man[1] > 0]
    if len({side for side, _, _ in standing}) == 1:
        return Fraction(standing[0][0] == "red")
    actor = min(standing, key=lambda man: man[2] - man[1])
    victim = min((man for man in standing if man[0] != actor[0]), key=lambda man: man[1])
    chance = Fraction(0)
    for blow in (1, 2):
        after = {
            id(actor): (*actor[:2], min(actor[2] + blow, longest)),
            id(victim): (victim[0], max(victim[1] - blow, 0), victim[2]),
        }
        chance += HALF * in_turn(tuple([after.get(id(man), man) for man in men]), longest)
    return chance


@pytest.mark.parametrize("longest", [1, 9])
@pytest.mark.parametrize("hits", [(1, 1, 1), (2, 1, 1), (3, 2, 3)])
def test_what_nobody_has_done_in_this_pass_is_not_reckoned_with(hits: tuple[int, int, int], longest: int) -> None:
    """What the victim of one man loses is a part of what another loses only where that one has struck."""
    red, other, blue = hits
    situation = f"situation: {{sides: {{red: {{men: {{r: {{hits: {red}}}, s: {{hits: {other}}}}}}}, blue: {{men: {{b: {{hits: {blue}}}}}}}}}}}"
    question, rules = "number of men of blue is 0", IN_TURN.replace("LONGEST", str(longest))
    found = {answer: weight for (answer,), weight in exact(case(rules, situation, [question]), question).items()}
    expected = in_turn((("red", red, 0), ("red", other, 0), ("blue", blue, 0)), longest)
    assert found.get(True, 0) == expected and sum(found.values()) == 1
