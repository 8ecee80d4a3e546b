"""Fights to the end from state to state: the same chances as by one round for all states, and those found by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest

from closecombat.asking.exact.answers import SIDES, UNITS, Chances
from closecombat.asking.exact.chances import work_out
from closecombat.asking.exact.questions import ask_about
from closecombat.asking.fights.fight_files import read_scene, ruleset_of, single, staged
from closecombat.binding.charts import Bound
from closecombat.playing import combats, state_by_state
from closecombat.playing import fight as fights
from closecombat.playing.fight import Fight, fight
from closecombat.playing.what_is_read import Reading
from closecombat.reading.ruleset import read_ruleset
from closecombat.reading.stack import as_mapping
from closecombat.text.document import parse
from closecombat.text.faults import Faults, Faulty
from closecombat.text.source import Source
from random_rounds import QUESTIONS, SITUATION, rules

TURNS = """
ruleset: turns
language: 1
start: combat
rounds: {until: any side where (won), between: turn}
kinds:
  fight: {one: yes, given: {attacker: a side, defender: a side}, noted: {round: number}}
  side: {given: {enemy: the other side}, noted: {won: flag, tries: number, cool: flag}, rolled: {throw: one}}
dice: {one: d6}
sequences:
  combat:
    in-order:
      count: {do: add 1 to round}
      again: {for: attacker, do: add 1 to tries}
      cast:  {for: attacker, roll: throw}
      cool:  {for: attacker, throw: at most 3, do: gain cool}
      hit:   {for: attacker, throw: 6, do: gain won}
  turn:
    at-once:
      a: {do: set attacker to defender}
      b: {do: set defender to attacker}
outcomes: {about: side, words: [won, lost], first-of: {won: {won: yes, is: won}}, otherwise: lost}
"""
TWO = "situation: {fight: {attacker: red, defender: blue}, sides: {red: {}, blue: {}}}"


def of(rules: str, situation: str) -> Fight:
    faults = Faults()
    ruleset = read_ruleset(as_mapping(parse(Source("<rules>", rules))), faults)
    faults.raise_if_any()
    return fight(Bound(ruleset), as_mapping(parse(Source("<fight>", situation))))


@pytest.fixture
def state_by_state_always(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(combats, "MOST_AT_ONCE", -1)


@pytest.mark.usefixtures("state_by_state_always")
def test_the_first_of_two_who_throws_a_six() -> None:
    """p = 1/6 + 5/6 (1 - p). How many rounds there have been has no bound, and nobody asks: the states are two."""
    assert work_out(of(TURNS, TWO), SIDES, until_resolved=True).verdicts["red"]["won"] == Fraction(6, 11)


@pytest.mark.usefixtures("state_by_state_always")
def test_what_is_asked_of_the_end_alone_tells_states_apart() -> None:
    """Blue is cool at the end with p where red throws first, and q where blue does: p = 5/6 q, and from 1/2 on it is
    certain, so q = 1/2 + 1/3 p. p = 5/12 + 5/18 p, and p = 15/26."""
    asked = ask_about(of(TURNS, TWO), ["cool of blue"], until_resolved=True)
    assert dict(asked.answers[0].chances)[True] == Fraction(15, 26)


@pytest.mark.usefixtures("state_by_state_always")
def test_what_has_no_bound_and_is_asked_for_has_too_many_states(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state_by_state, "MOST_PIECES", 20)
    monkeypatch.setattr("closecombat.proving.tables.absorbing.MOST_STATES", 500)
    with pytest.raises(Faulty) as raised:
        ask_about(of(TURNS, TWO), ["round of fight"], until_resolved=True)
    assert raised.value.codes == {"budget-exceeded"}


@pytest.mark.usefixtures("state_by_state_always")
def test_a_fight_that_never_ends_is_told() -> None:
    with pytest.raises(Faulty) as raised:
        work_out(of(TURNS.replace("throw: 6", "throw: 6, won: yes"), TWO), SIDES, until_resolved=True)
    assert raised.value.codes == {"loop-without-end"}


@pytest.mark.usefixtures("state_by_state_always")
def test_who_has_come_in_and_left_again_makes_no_other_round(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever throws a 1 marks the place, and the mark goes with the round. What a round comes to hangs on whose turn it
    is alone, so two are written, however many marks there have been and whose set still names one that is gone."""
    walks: list[state_by_state._Walk] = []
    close = state_by_state._Walk.close
    monkeypatch.setattr(state_by_state._Walk, "close", lambda walk, ends: walks.append(walk) or close(walk, ends))
    rules = (
        TURNS.replace("enemy: the other side", "bold: flag, enemy: the other side")
        .replace("the other side}", "the other side, marks: {are: marks, each: mark}}")
        .replace("rolled: {throw: one}}", "rolled: {throw: one}}\n  mark: {printed: {size: 0 to 3}}")
        .replace("dice: {one", "counters: {mark: {columns: [size], rows: {spot: [2]}}}\ndice: {one")
        .replace(
            "      hit:",
            "      mark:  {for: attacker, throw: 1, create: spot, into: marks of attacker}\n"
            "      crowd: {for: attacker, number of marks of enemy of attacker: at least 1, do: lose won}\n"
            "      gone:  {each: mark, do: leave}\n      hit:",
        )
    )
    assert work_out(of(rules, TWO), SIDES, until_resolved=True).verdicts["red"]["won"] == Fraction(6, 11)
    assert len(walks[0].first.pieces) == 2


ROWS = "      cool:  {for: attacker, throw: at most 3, do: gain cool}\n      hit:   {for: attacker, throw: 6, do: gain won}\n"
# There is a mark in each round, which names who has thrown a 1; he does not hit. The next time nobody is named.
EMPTIED = (
    TURNS.replace("enemy: the other side", "bold: flag, enemy: the other side")
    .replace("the other side}", "the other side, marks: {are: marks, each: mark}}")
    .replace(
        "rolled: {throw: one}}", "rolled: {throw: one, second: one}}\n  mark: {noted: {named: {are: sides, each: one}}}"
    )
    .replace("dice: {one", "counters: {mark: {columns: [], rows: {spot: []}}}\ndice: {one")
    .replace("      cast:", "      mark:  {for: attacker, create: spot, into: marks of attacker}\n      cast:")
    .replace(
        ROWS,
        "      name:  {each: mark, throw of attacker: 1, do: put attacker into named of mark}\n"
        "      more:  {for: attacker, roll: second}\n"
        "      hit:   {each: mark, second of attacker: 6, when: attacker is not in named of mark, do: gain won of attacker}\n"
        "      gone:  {each: mark, do: leave}\n",
    )
)
# Red aims, and hits with a second throw below the first; blue hits with a 6, and nobody asks how red has aimed.
AIMED = (
    TURNS.replace("enemy: the other side", "bold: flag, enemy: the other side")
    .replace("noted: {round: number}", "noted: {round: number, level: number}")
    .replace("rolled: {throw: one}}", "rolled: {throw: one, second: one}}")
    .replace(
        ROWS,
        "      aim:   {for: attacker, bold: yes, do: set level to throw}\n"
        "      more:  {for: attacker, roll: second}\n"
        "      hit:   {for: attacker, bold: yes, second: less than level, do: gain won}\n"
        "      luck:  {for: attacker, bold: no, second: 6, do: gain won}\n",
    )
)


@pytest.mark.usefixtures("state_by_state_always")
@pytest.mark.parametrize(
    ("rules", "won"),
    [
        (EMPTIED, Fraction(36, 67)),  # 5/36 each: 1 / (2 - 5/36)
        (AIMED, Fraction(30, 37)),  # 15/36 and 6/36: 15/36 / (1 - 21/36 * 30/36)
    ],
)
def test_what_nobody_reads_before_it_is_set_anew_makes_no_state(
    rules: str, won: Fraction, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A round begins in two states: whose turn it is."""
    walks: list[state_by_state._Walk] = []
    close = state_by_state._Walk.close
    monkeypatch.setattr(state_by_state._Walk, "close", lambda walk, ends: walks.append(walk) or close(walk, ends))
    fought = work_out(of(rules, TWO.replace("red: {}", "red: {bold: yes}")), SIDES, until_resolved=True)
    assert fought.verdicts["red"]["won"] == won
    assert sum(len(piece.states) for piece in walks[0].first.pieces) == 2


def told(found: Chances) -> object:
    ends = [
        (one.probability, dict(one.sides), dict(one.lost), {who: dict(facts) for who, facts in one.units.items()})
        for one in found.outcomes
    ]
    return sorted(map(str, ends)), found.verdicts, found.losses, found.assumptions, sorted(found.remarks)


@pytest.mark.parametrize(
    ("engagement", "system", "by"),
    [("lone-leader", "asl", SIDES), ("farmhouse", "squad-leader", UNITS), ("withdrawal", "asl", UNITS)],
)
def test_both_ways_come_to_the_same(engagement: str, system: str, by: str, monkeypatch: pytest.MonkeyPatch) -> None:
    scene = single(read_scene(engagement), system)
    here = staged(scene, ruleset_of(scene, system))
    at_once = told(work_out(here, by, until_resolved=True, common_end=by))
    monkeypatch.setattr(combats, "MOST_AT_ONCE", -1)
    assert told(work_out(here, by, until_resolved=True, common_end=by)) == at_once


def test_what_is_read_before_it_is_set_anew() -> None:
    reading = Reading({"a": 1, "b": 2, "c": 3})
    assert reading["a"] == 1
    reading.is_set("b")
    assert reading["b"] == 2
    reading.is_touched("c")
    assert list(reading.read) == ["a"]
    assert list(reading.anew) == ["b"]
    assert list(reading.touched) == ["b", "c"]


HEATED = (
    TURNS.replace("noted: {won: flag,", "noted: {won: flag, hot: flag, ready: flag,")
    .replace("do: gain won}", "ready: yes, do: gain won}")
    .replace(
        "      hit:",
        "      heat:  {play: heating}\n      ready: {for: attacker, hot: yes, throw: 5, do: gain ready}\n      hit:",
    )
    .replace(
        "  turn:\n",
        "  heating:\n    at-once:\n      x: {for: attacker, throw: 1, do: gain hot}\n"
        "      y: {for: attacker, throw: 2, do: lose hot}\n  turn:\n",
    )
)


@pytest.mark.usefixtures("state_by_state_always")
def test_what_may_be_set_among_rows_at_once_is_what_it_was_where_it_is_not() -> None:
    """Who throws a 1 is hot until he throws a 2; hot he is ready with a 5, and ready he wins with a 6. Each goes on by
    himself: a is the chance to be hot and not ready before a throw, b to be ready. Found with plain fractions, from the
    pair of both."""
    cold, hot, ready = 0, 1, 2
    moves = {cold: {cold: 5, hot: 1}, hot: {hot: 4, cold: 1, ready: 1}, ready: {ready: 5}}
    states = [(me, other) for me in moves for other in moves]
    # chance[s] that who throws next wins: of six falls, those that win, and the others as the other's loss
    rows = [[Fraction(int(a == b)) for b in states] + [Fraction(0)] for a in states]
    for row, (me, other) in zip(rows, states, strict=True):
        row[-1] += Fraction(6 - sum(moves[me].values()), 6)
        for after, falls in moves[me].items():
            row[states.index((other, after))] += Fraction(falls, 6)
            row[-1] += Fraction(falls, 6)
    for i in range(len(states)):
        pivot = next(r for r in range(i, len(states)) if rows[r][i])
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [x / rows[i][i] for x in rows[i]]
        for r in range(len(states)):
            if r != i:
                rows[r] = [x - rows[r][i] * y for x, y in zip(rows[r], rows[i], strict=True)]
    expected = rows[states.index((cold, cold))][-1]
    assert work_out(of(HEATED, TWO), SIDES, until_resolved=True).verdicts["red"]["won"] == expected


@pytest.mark.usefixtures("state_by_state_always")
@pytest.mark.parametrize("asked", ["throw: at least 4", "throw: nobody"])
def test_dice_of_an_earlier_round_are_forgotten(asked: str) -> None:
    rules = TURNS.replace(
        "      cast:", f"      early: {{for: defender, {asked}, do: gain cool of attacker}}\n      cast:"
    )
    with pytest.raises(Faulty, match="when the round, or the pass, that rolled it is over") as raised:
        ask_about(of(rules, TWO), ["cool of blue"], until_resolved=True)
    assert raised.value.codes == {"budget-exceeded"}


MADE_UP = [(seed, False, False) for seed in (*range(6), 17, 62, 155, 248, 439, 549, 564, 583, 590, 686, 80317)]
NESTED = [(seed, True, False) for seed in (*range(12), 23, 41, 83)]
MARKED = [(seed, bool(seed % 2), True) for seed in range(8)]


@pytest.mark.parametrize(("seed", "nested", "marks"), MADE_UP + NESTED + MARKED)
def test_rounds_made_up_from_a_seed_come_to_the_same_both_ways(
    seed: int, nested: bool, marks: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or one of both says that it cannot: what is refused there may be answered here."""
    here = of(rules(seed, nested, marks), SITUATION)
    try:
        at_once = ask_about(here, QUESTIONS, until_resolved=True).answers
    except Faulty as error:
        at_once = error.codes
    monkeypatch.setattr(combats, "MOST_AT_ONCE", -1)
    try:
        found = ask_about(here, QUESTIONS, until_resolved=True).answers
    except Faulty as error:
        found = error.codes
    assert found == at_once or {"budget-exceeded"} in (found, at_once)


@pytest.mark.parametrize("most_at_once", [combats.MOST_AT_ONCE, -1], ids=["one round for all", "state by state"])
def test_a_row_at_once_that_changes_nothing_hangs_on_what_was(
    most_at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Red loses his calm and gains it, at once: he has it then if he had not. With it he hits on a 6, and blue does in
    any case if he has not: w = 1/6 + 25/36 * 5/6 w."""
    monkeypatch.setattr(combats, "MOST_AT_ONCE", most_at_once)
    rows = (
        "      both:  {for: attacker, play: both}\n      more:  {for: attacker, roll: second}\n"
        "      hit:   {for: attacker, cool: yes, second: 6, do: gain won}\n"
        "      blue:  {for: defender, roll: second}\n"
        "      luck:  {for: defender, won of enemy: no, second: 6, do: gain won}\n"
        "  both:\n    about: side\n    at-once:\n      loses: {do: lose cool of side}\n      gains: {do: gain cool of side}\n"
    )
    rules = TURNS.replace(ROWS, rows).replace("rolled: {throw: one}", "rolled: {throw: one, second: one}")
    for one, other in (("attacker", "defender"), ("defender", "attacker")):
        rules = rules.replace(f"do: set {one} to {other}", "do: add 0 to round")
    fought = work_out(of(rules, TWO), SIDES, until_resolved=True)
    assert fought.verdicts["red"]["won"] == Fraction(36, 91)


@pytest.mark.parametrize("most_at_once", [combats.MOST_AT_ONCE, -1], ids=["one round for all", "state by state"])
def test_what_a_fight_to_its_end_rests_on_is_worked_out_with_its_chances(
    most_at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody goes on behind a side that has won, so that row is never done; the other is, from the third round on."""
    monkeypatch.setattr(combats, "MOST_AT_ONCE", most_at_once)
    monkeypatch.setattr(fights, "_is_worked_out", lambda run, marks: pytest.fail("by itself"))
    rules = TURNS.replace("kinds:", "assumptions: {NEVER: nobody does it, LATE: somebody does}\nkinds:").replace(
        "      cool:",
        "      never: {for: attacker, won of enemy: yes, do: gain cool, assumed: NEVER}\n"
        "      late:  {for: attacker, cool: yes, cool of enemy: yes, throw: 1, do: lose cool, assumed: LATE}\n      cool:",
    )
    found = work_out(of(rules, TWO), SIDES, until_resolved=True)
    assert [one.id for one in found.assumptions] == ["LATE"]
