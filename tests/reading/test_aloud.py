"""Rows as people say them: each expected sentence was written down before the program said it."""

from pathlib import Path

import pytest

from closecombat.binding.load import load
from closecombat.reading.aloud import Speaker, amount_of
from closecombat.reading.model import Ruleset
from closecombat.reading.phrases import denied, listed, no_longer, of_flag, of_many, plural
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
    rolled: {oars: 2d6}
  ox: {plural: oxen, given: {raft: a raft}}
groups:
  wrecks: {about: side, each: wreck, are: rafts of side where (leaking and on-fire)}
tables:
  sound: {about: raft, is: not leaking and men is at least 1, says: is sound}
  worth:
    about: raft
    adds-up:
      ROW
sequences:
  fight: {in-order: {STEP}}
  pull: {about: {puller: raft, pulled: raft}, in-order: {rows: {for: puller, roll: oars}}}
"""
STEP = "all: {each: raft, do: gain leaking}"

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
    ("{men: at least 2, add: 1}", "The men is at least 2"),
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
    ("{when: any wreck of side, add: 1}", "There is a wreck of the side"),
    ("{unless: night, add: 1}", "It is not night"),
    ("{each: raft of enemy of side where (leaking), add: 1}", "For each raft of the enemy of the side that is leaking"),
    ("{any raft of side where (size is large and drifts): leaking, add: 1}",
     "Any raft of the side that drifts and whose size is large is leaking"),
    ("{number of oars where (face is 6): at least 2, add: 1}", "There are at least 2 dice of the oars that show 6"),
    ("{number of oxen: at least 2, add: 1}", "There are at least 2 oxen"),
    ("{leaking: yes, says: she takes water, add: 1}", "She takes water"),
]  # fmt: skip


def read(folder: Path, row: str, step: str = STEP) -> Ruleset:
    (folder / "ruleset.yaml").write_text(RULES.replace("ROW", f"row: {row}").replace("STEP", step), "utf-8")
    return load(str(folder)).ruleset


@pytest.mark.parametrize(("row", "said"), SAID, ids=[row for row, _ in SAID])
def test_a_row_is_said(tmp_path: Path, row: str, said: str) -> None:
    ruleset = read(tmp_path, row)
    table = ruleset.tables["worth"]
    speaker = Speaker(ruleset)
    speaker.of(table)
    assert speaker.row(table.rows[0]) == said
    assert not speaker.unsaid


STEPS = [  # a row of a sequence, and the step that players read
    ("all: {each: raft, do: gain leaking}", "For each raft: it is leaking from now on"),
    ("all: {each: raft, repeat: 3, do: take 1 from load}", "For each raft, 3 times: take 1 from the load on board"),
    (
        "all: {each: raft, repeat: men, do: take 1 from load}",
        "For each raft, as often as the men: take 1 from the load on board",
    ),
    (
        "all: {each: raft, first: highest men, ties: [lowest load, lots], do: gain leaking}",
        "For each raft, highest men first, then lowest load on board: it is leaking from now on",
    ),
    ("all: {each: raft, play: pull, pulled: helm of raft}", "For each raft: pull with the tow of the raft as the pulled"),
]


@pytest.mark.parametrize(("row", "said"), STEPS, ids=[row for row, _ in STEPS])
def test_a_step_is_said(tmp_path: Path, row: str, said: str) -> None:
    ruleset = read(tmp_path, "{leaking: yes, add: 1}", row)
    speaker = Speaker(ruleset)
    speaker.of(ruleset.sequences["fight"])
    assert step(speaker, ruleset.sequences["fight"].acts[0]) == said


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
    assert [denied(one) for one in ("has drifted away", "has been wet", "has red ropes")] == [
        "has not drifted away", "has not been wet", "does not have red ropes",
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
    assert listed(["a", "b", "c"], "or") == "a, b or c" and listed(["a, b", "c"], "or") == "a, b, or c"
