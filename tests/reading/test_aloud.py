"""Rows as people say them: each expected sentence was written down before the program said it."""

from pathlib import Path

import pytest

from closecombat.binding.load import load
from closecombat.reading.aloud import Speaker, amount_of
from closecombat.reading.model import Ruleset
from closecombat.reading.phrases import denied, listed, lowered, no_longer, of_flag, of_many, plural
from closecombat.reading.steps import step

RULES = """\
ruleset: raft
language: 1
start: fight
options: {cold: {readings: [bites, spares], default: bites}}
kinds:
  fight:
    one: yes
    given: {captain: a side, river: [calm, wild], night: {is: flag, says: it is night}, wind: {is: flag, says: there is a wind}, fog: flag}
  side:
    given:
      enemy: the other side
      rafts: {are: rafts, each: raft}
      ropes: {is: 0 to 9, default: 0, says: has ... ropes left}
      home: {is: flag, says: has a harbour}
  raft:
    plural: rafts
    given:
      side: a side
      size: [small, large]
      men: 0 to 9
      leaking: flag
      on-fire: {is: flag, says: is on fire}
      drifts: {is: flag, says: drifts}
      helm: {is: a raft or nobody, says: tow}
      load: {is: 0 to 9, default: 0, says: the load on board}
      far-off: flag
      stores: {per: food, is: 0 to 9}
    rolled: {oars: oars}
    drawn: {hand: cards of winds}
  ox: {plural: oxen, given: {raft: a raft}}
decks: {winds: {calm-one: 4, wild-one: 2}}
words: {food: [bread, beer]}
dice: {oars: {die: d6, number: men}}
groups:
  wrecks: {about: side, each: wreck, are: rafts of side where (leaking and on-fire)}
tables:
  sound: {about: raft, is: not leaking and men is at least 1, says: is sound}
  reach: {about: {first: raft, second: raft}, is: men of first - men of second}
  worth:
    about: raft
    adds-up:
      ROW
sequences:
  fight: {in-order: {all: {each: raft, do: gain leaking}, STEP}}
  ram: {about: {rammer: raft, rammed: raft}, in-order: {hole: {for: rammed, do: gain leaking}}}
"""

SAID = [  # a row about a raft, and what is said of it
    ("{leaking: yes, add: 1}", "The raft is leaking"),
    ("{leaking: no, add: 1}", "The raft is not leaking"),
    ("{raft: on-fire or leaking, add: 1}", "The raft is on fire or leaking"),
    ("{raft: not on-fire, add: 1}", "The raft is not on fire"),
    ("{drifts: no, add: 1}", "The raft does not drift"),
    ("{leaking: yes, on-fire: yes, add: 1}", "The raft is leaking and is on fire"),
    ("{night: yes, add: 1}", "It is night"),
    ("{night: no, add: 1}", "It is not night"),
    ("{wind: no, add: 1}", "There is no wind"),
    ("{fog: yes, add: 1}", "It is fog"),
    ("{night: yes, leaking: yes, add: 1}", "It is night, and the raft is leaking"),
    ("{river: wild, add: 1}", "The river is wild"),
    ("{size: not small, add: 1}", "The size is not small"),
    ("{men: at least 2, add: 1}", "The men are at least 2"),
    ("{side: captain, add: 1}", "The side is the captain"),
    ("{ropes of side: 2 to 4, add: 1}", "The side has 2 to 4 ropes left"),
    ("{home of enemy of side: no, add: 1}", "The enemy of the side has no harbour"),
    ("{helm: nobody, add: 1}", "The raft has no tow"),
    ("{helm: not nobody, add: 1}", "The raft has a tow"),
    ("{sound: yes, add: 1}", "The raft is sound"),
    ("{load: 0, add: 1}", "The load on board is 0"),
    ("{any raft of side: leaking, add: 1}", "Any raft of the side is leaking"),
    ("{no raft of enemy of side: on-fire, add: 1}", "No raft of the enemy of the side is on fire"),
    ("{every raft of side: sound, add: 1}", "Every raft of the side is sound"),
    ("{number of rafts of side: at least 1, add: 1}", "There is a raft of the side"),
    ("{number of rafts of side: 0, add: 1}", "There are no rafts of the side"),
    ("{number of rafts of side: at least 3, add: 1}", "There are at least 3 rafts of the side"),
    ("{number of rafts of side: more than 1, add: 1}", "There is more than one raft of the side"),
    ("{number of wrecks of side: at least 2, add: 1}", "There are at least 2 wrecks of the side"),
    ("{when: any side where (raft is not in rafts), add: 1}", "There is a side whose rafts do not include the raft"),
    ("{when: any wreck of side, add: 1}", "There is a wreck of the side"),
    ("{unless: night, add: 1}", "It is not night"),
    ("{each: raft of enemy of side where (leaking), add: 1}", "For each raft of the enemy of the side that is leaking"),
    ("{any raft of side where (size is large and drifts): leaking, add: 1}",
     "Any raft of the side that drifts and whose size is large is leaking"),
    ("{no raft of side: not leaking, add: 1}", "No raft of the side is not leaking"),
    ("{any raft of enemy of side: not leaking, add: 1}", "Some raft of the enemy of the side is not leaking"),
    ("{unless: leaking and on-fire, add: 1}", "The raft is not leaking or is not on fire"),
    ("{raft: not leaking or on-fire, add: 1}", "The raft is not leaking and is not on fire"),
    ("{unless: night or (any raft of side is on-fire), add: 1}", "It is not night, and no raft of the side is on fire"),
    ("{unless: night or (every raft of side is on-fire), add: 1}",
     "It is not night, and it is not so that every raft of the side is on fire"),
    ("{when: (leaking or on-fire) and drifts, add: 1}", "The raft is leaking or on fire, and the raft drifts"),
    ("{men: less than men-at-start, add: 1}", "The men are less than the men at the start"),
    ("{men-at-start: at least 3, add: 1}", "The men at the start are at least 3"),
    ("{any raft-at-start of side: leaking, add: 1}", "Any raft of the side at the start is leaking"),
    ("{number of rafts of side: less than number of rafts-at-start of side, add: 1}",
     "The number of rafts of the side is less than the number of rafts of the side at the start"),
    ("{number of rafts of side: at least men * 2, add: 1}", "The number of rafts of the side is at least the men times 2"),
    ("{when: number of rafts of side where (leaking or men is 0) is 2, add: 1}",
     "There are 2 rafts of the side that are leaking or whose men are 0"),
    ("{when: any other raft of side where (river is wild), add: 1}", "There is an other raft of the side where the river is wild"),
    ("{men: second highest men of rafts of side, add: 1}", "The men are the second highest men of rafts of the side"),
    ("{when: number of oars where (face is at least 5) is 2, add: 1}", "There are 2 dice of the oars that show at least 5"),
    ("{stores for bread: at least 2, add: 1}", "The stores for bread are at least 2"),
    ("{reach of raft for helm: at least 2, add: 1}", "The reach for the tow is at least 2"),
    ("{when: any other raft of side where (reach for raft is 2), add: 1}",
     "There is an other raft of the side where its reach for the raft is 2"),
    ("{number of oxen: at least 2, add: 1}", "There are at least 2 oxen"),
    ("{when: men of helm is not 3, add: 1}", "The men of the tow are not 3"),  # and there is one
    ("{unless: men of helm is 3, add: 1}", "The men of the tow are not 3 (or there is none)"),
    ("{unless: men of helm is not 3, add: 1}", "The men of the tow are 3 (or there is none)"),
    ("{unless: men is not 3, add: 1}", "The men are 3"),
    ("{unless: men is more than 3 or at most 1, add: 1}", "The men are neither more than 3 nor at most 1"),
    ("{men: not (0 or at least 5), add: 1}", "The men are neither 0 nor at least 5"),
    ("{unless: men is 0 or 4, add: 1}", "The men are not 0 or 4"),
    ("{unless: ropes of side is 0 or at least 5, add: 1}",
     "The side does not have 0 ropes left and does not have at least 5 ropes left"),
    ("{unless: number of rafts of side is 0 or at least 3, add: 1}",
     "The number of rafts of the side is neither 0 nor at least 3"),
    ("{when: whoever of rafts of side has highest men is leaking, add: 1}",
     "The raft of the side with the highest men is leaking"),
    ("{when: any raft is leaking, add: 1}", "Any raft is leaking"),  # of all who are in the fight
    ("{when: leaking of helm, add: 1}", "The tow is leaking"),
    ("{when: not leaking of helm, add: 1}", "The tow is not leaking (or there is none)"),
    ("{when: helm is not leaking, add: 1}", "The tow is not leaking"),
    ("{leaking: yes, says: she takes water, add: 1}", "She takes water"),
]  # fmt: skip


def read(folder: Path, row: str = "{add: 1}", step: str = "{each: raft, do: leave}") -> Ruleset:
    (folder / "ruleset.yaml").write_text(RULES.replace("ROW", f"row: {row}").replace("STEP", f"step: {step}"), "utf-8")
    return load(str(folder)).ruleset


@pytest.mark.parametrize(("row", "said"), SAID, ids=[row for row, _ in SAID])
def test_a_row_is_said(tmp_path: Path, row: str, said: str) -> None:
    ruleset = read(tmp_path, row)
    table = ruleset.tables["worth"]
    speaker = Speaker(ruleset)
    speaker.of(table)
    assert speaker.row(table.rows[0]) == said
    assert not speaker.unsaid


OF_A_SIDE = [  # in a chart about a side its rafts are meant, and nobody else's
    ("{each: raft, leaking: yes, add: 1}", "For each raft of the side that is leaking"),
    ("{any raft: leaking, add: 1}", "Any raft of the side is leaking"),
    ("{no raft: leaking, add: 1}", "No raft of the side is leaking"),
    ("{every raft: leaking, add: 1}", "Every raft of the side is leaking"),
    ("{when: any raft where (leaking), add: 1}", "There is a raft of the side that is leaking"),
    ("{number of rafts: at least 2, add: 1}", "There are at least 2 rafts of the side"),
    ("{any raft of enemy: leaking, add: 1}", "Any raft of the enemy is leaking"),
]


@pytest.mark.parametrize(("row", "said"), OF_A_SIDE)
def test_whose_they_are_is_said(tmp_path: Path, row: str, said: str) -> None:
    text = RULES.replace("ROW", "row: {add: 1}").replace("STEP", "step: {each: raft, do: leave}")
    text = text.replace("tables:\n", f"tables:\n  fleet: {{about: side, adds-up: {{row: {row}}}}}\n")
    (tmp_path / "ruleset.yaml").write_text(text, "utf-8")
    speaker = Speaker(ruleset := load(str(tmp_path)).ruleset)
    speaker.of(ruleset.tables["fleet"])
    assert speaker.row(ruleset.tables["fleet"].rows[0]) == said


def test_who_hits_is_not_told_as_who_is_hit_and_a_question_as_a_heading_has_no_article(tmp_path: Path) -> None:
    """`hit: yes` of a side: whether its blow hits. Of a flag it is what has been done to somebody."""
    text = RULES.replace("ROW", "row: {hit of enemy: yes, add: 1}\n      other: {hit: no, add: 1}\n      what: {course: luff, add: 1}")
    text = text.replace("about: raft\n    adds-up", "about: side\n    adds-up").replace("STEP", "step: {each: raft, do: leave}")
    text = text.replace("tables:\n", "tables:\n  hit: {about: side, is: home and number of rafts is 1}\n"
                        "  course: {title: What happens, across: river, columns: [calm, wild], words: [luff, wear], cells: [luff, wear]}\n")
    (tmp_path / "ruleset.yaml").write_text(text, "utf-8")
    speaker = Speaker(ruleset := load(str(tmp_path)).ruleset)
    speaker.of(ruleset.tables["worth"])
    said = [speaker.row(row) for row in ruleset.tables["worth"].rows]
    assert said == ["The hit of the enemy is yes", "The hit is no", "What happens is luff"]


VALUES = [  # each by itself says something else than its neighbour
    ("(men + load) * 2", "(the men plus the load on board) times 2"),
    ("men + load * 2", "the men plus the load on board times 2"),
    ("men - (load - 1)", "the men minus (the load on board minus 1)"),
    ("men - load - 1", "the men minus the load on board minus 1"),
    ("(men + 1) / 2 rounded down", "half (the men plus 1), rounded down"),
    ("(men / 2 rounded down) + 1", "(half the men, rounded down) plus 1"),
    ("men / 2 + 1", "(half the men) plus 1"),
    ("(the lower of men and 3) + 1", "(the lower of the men and 3) plus 1"),
    ("the lower of men and (load + 1)", "the lower of the men and (the load on board plus 1)"),
    ("-(men + 1)", "minus (the men plus 1)"),
    ("men / 3 rounded to nearest", "the men divided by 3, rounded to nearest"),
    ("total men-at-start of rafts of side", "the total men at the start of rafts of the side"),
    ("third lowest face of oars", "the third lowest face of the oars"),
    ("(number of rafts of side where (leaking)) * 2", "(the number of rafts of the side that are leaking) times 2"),
    ("number of oars where (face is not 1)", "the number of dice of the oars that do not show 1"),
    ("number of oars where (face is not 1 or 6)", "the number of dice of the oars that show neither 1 nor 6"),
    ("number of oars where (face is not (1 or 2 or at least 5))",
     "the number of dice of the oars that show neither 1 nor 2 nor at least 5"),
    ("men at all", "the men as it was before the step all"),
]


@pytest.mark.parametrize(("value", "said"), VALUES, ids=[value for value, _ in VALUES])
def test_a_value_is_said(tmp_path: Path, value: str, said: str) -> None:
    ruleset = read(tmp_path, f"{{add: {value}}}")
    table = ruleset.tables["worth"]
    speaker = Speaker(ruleset)
    speaker.of(table)
    verdict = table.rows[0].verdict
    assert verdict is not None and speaker.value(verdict.node) == said


STEPS = [
    ("{each: raft, first: highest men, ties: [lowest load, lots], do: leave}",
     "For each raft, highest men first, then lowest load on board first, then by lots where they are level: remove it"),
    ("{each: raft, repeat: men, do: gain leaking}", "For each raft, as many times as the men: it is leaking from now on"),
    ("{each: raft, repeat: 2, leaking: no, play: ram, rammed: helm}",
     "For each raft that is not leaking, 2 times: ram, where the rammed is the tow"),
    ("{each: raft, deal: hand, number: 3}", "For each raft: deal 3 cards to the hand"),
    ("{each: raft, do: lose hand}", "For each raft: lay the hand aside"),
    ("{each: raft, do: set leaking to on-fire}", "For each raft: the leaking becomes whether the raft is on fire"),
    ("{each: raft, do: take men / 2 rounded up from men}", "For each raft: take (half the men, rounded up) from the men"),
    ("{each: raft, unless: leaking and on-fire, do: leave}", "For each raft that is not leaking or is not on fire: remove it"),
]  # fmt: skip


@pytest.mark.parametrize(("row", "said"), STEPS, ids=[row for row, _ in STEPS])
def test_a_step_is_said(tmp_path: Path, row: str, said: str) -> None:
    """Who is first, how often, and who plays which role: these are no conditions."""
    ruleset = read(tmp_path, step=row)
    speaker = Speaker(ruleset)
    speaker.of(ruleset.sequences["fight"])
    assert step(speaker, ruleset.sequences["fight"].acts[1]) == said


UNSAID = [
    ("{far-off: yes, add: 1}", ["far-off"]),
    ("{when: leaking or (on-fire and (drifts or sound)), add: 1}", ["("]),
]


@pytest.mark.parametrize(("row", "unsaid"), UNSAID)
def test_what_no_player_says_is_noted(tmp_path: Path, row: str, unsaid: list[str]) -> None:
    ruleset = read(tmp_path, row)
    speaker = Speaker(ruleset)
    speaker.of(ruleset.tables["worth"])
    speaker.row(ruleset.tables["worth"].rows[0])
    assert sorted(set(speaker.unsaid)) == unsaid


AMOUNTS = [("add: 2", "+2"), ("add: -2", "-2"), ("times: 1/2", "\u00d71/2"), ("add: men", ""), ("add: 0", "0")]


@pytest.mark.parametrize(("verdict", "amount"), AMOUNTS)
def test_what_a_row_is_worth(tmp_path: Path, verdict: str, amount: str) -> None:
    assert amount_of(read(tmp_path, f"{{leaking: yes, {verdict}}}").tables["worth"].rows[0]) == amount


def test_phrases_of_one_and_of_many() -> None:
    assert [of_many(one) for one in ("is wet", "has a rope", "tries", "passes by", "goes")] == [
        "are wet", "have a rope", "try", "pass by", "go",
    ]  # fmt: skip
    assert [denied(one) for one in ("is wet", "has a rope", "has the rope", "carries it", "may go", "has no rope")] == [
        "is not wet", "has no rope", "does not have the rope", "does not carry it", "may not go", "has a rope",
    ]  # fmt: skip
    said = ("cannot move", "must not fire", "may not fire", "does not move", "is not wet", "have moved this turn", "have run away")
    assert [denied(one) for one in said] == [
        "can move", "may fire", "may fire", "does move", "is wet", "have not moved this turn", "have not run away",
    ]  # fmt: skip
    assert [denied(one) for one in ("has drifted away", "has been wet", "has red ropes")] == [
        "has not drifted away", "has not been wet", "does not have red ropes",
    ]  # fmt: skip
    said = ("must go", "need not go", "there are no trees", "it is not raining", "it rains", "never tires", "fights and moves")
    assert [denied(one) for one in said] == [
        "need not go", "must go", "there are trees", "it is raining", "it does not rain", "is not one that never tires",
        "is not one that fights and moves",
    ]  # fmt: skip
    assert [of_flag(one) for one in ("wet", "may go", "mayor", "goes back", "has drifted", "porous", "joins")] == [
        "is wet", "may go", "is mayor", "goes back", "has drifted", "is porous", "joins",
    ]  # fmt: skip
    assert [no_longer(one) for one in ("is wet", "carries it", "has drifted away")] == [
        "is not wet any more", "does not carry it any more", "has drifted away: that counts no longer",
    ]  # fmt: skip
    assert [plural(one) for one in ("raft", "enemy", "day", "class", "crutch")] == [
        "rafts", "enemies", "days", "classes", "crutches",
    ]  # fmt: skip
    assert [lowered(one) for one in ("The raft", "FP of it", "(The raft is wet, or adrift)")] == [
        "the raft", "FP of it", "(the raft is wet, or adrift)",
    ]  # fmt: skip
    assert listed(["a", "b", "c"], "or") == "a, b or c" and listed(["a, b", "c"], "or") == "a, b, or c"
