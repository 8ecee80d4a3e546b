"""What players read is what is done: who is meant, what is denied, what counts besides. Each sentence was written down by
hand from what the row does, after somebody who had the sheet alone would have done something else."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from closecombat.cli.main import main

RULES = """\
ruleset: men
language: 1
start: turn
options: {rain-rule: {readings: [light, heavy], default: light, why: nobody says}}
words: {rank: [general, captain, private]}
kinds:
  fight: {one: yes, given: {attacker: a side, rain: flag}, noted: {cheers: 0 to 9}}
  side:
    given: {enemy: the other side, men: {are: men, each: man}, ditch: flag}
    chosen: {bid: {is: 0 to 3, default: 0}}
    noted: {dead: {are: men, each: corpse}, score: {is: 0 to 9, shown: no}}
  man:
    plural: men
    given:
      side: a side
      class: [horse, foot, guns]
      rank: rank
      skill: 1 to 6
      foe: a man or nobody
      hurt: {is: 0 to 3, default: 0}
      spirit: {is: 0 to 9, default: 0, says: the fighting spirit}
      keen: {is: flag, says: must charge}
      armed: {is: flag, says: has a sword and a shield}
      bold: {is: flag, says: never retreats}
    chosen: {aim: a man or nobody}
    printed: {bulk: {is: 0 to 9, default: 1}}
    noted: {beaten: flag, score: 0 to 9}
counters: {man: {columns: [bulk], rows: {old-hand: [2]}}}
tables:
  worth: {about: man, adds-up: {plain: {skill: 6, add: 1}}}
  aiming: {about: man, forbidden-if: {own: {aim: not nobody, side of aim: side, says: nobody aims at his own}}}
TABLES
sequences:
  turn: {in-order: {STEPS}}
SEQUENCES
sheet: {all: {charts: [turn, CHARTS], meant: MEANT}}
"""


def sheet(folder: Path, tables: str = "", steps: str = "", more: str = "", charts: str = "worth", meant: str = "no") -> Any:
    text = RULES.replace("TABLES", f"  {tables}" if tables else "").replace("SEQUENCES", f"  {more}" if more else "")
    text = text.replace("STEPS", steps or "all: {each: man, worth: 6, do: leave}").replace("CHARTS", charts)
    (folder / "ruleset.yaml").write_text(text.replace("MEANT", meant), "utf-8")
    result = CliRunner().invoke(main, ["sheet", str(folder), "-f", "json"])
    assert result.exit_code == 0, result.stderr
    (page,) = json.loads(result.stdout)["pages"]
    return page["parts"]


def steps_of(parts: Any) -> list[tuple[str, str]]:
    """Every step with how those in it follow each other, from top to bottom."""

    def below(steps: Any) -> list[tuple[str, str]]:
        return [said for one in steps for said in [(one["text"], one["how"]), *below(one["steps"])]]

    return below(parts[0]["steps"])


ROWS = [
    # a member speaks: his side, and his class
    ("{each: man of enemy of side, ditch of side: yes, add: 1}", "For each man of the enemy of the side if its side is ditch"),
    ("{each: man of enemy of side, class: guns, add: 1}", "For each man of the enemy of the side whose class is guns"),
    ("{number of men of enemy of side where (number of men of side is 1): at least 1, add: 1}",
     "There is a man of the enemy of the side where there is only one man of its side"),
    ("{any man of enemy of side: foot, class: guns, add: 1}", "Any man of the enemy of the side is foot, and the class is guns"),
    ("{each: man of enemy of side where (keen or armed), class: guns, add: 1}",
     "For each man of the enemy of the side that must charge or has a sword and a shield, and whose class is guns"),
    # what is denied
    ("{unless: rain-rule is heavy, add: 1}", "Rain rule is not read as heavy"),
    ("{when: rain and rain-rule is not heavy, add: 1}", "It is rain, and rain rule is not read as heavy"),
    ("{keen: no, add: 1}", "The man need not charge"),
    ("{armed: no, add: 1}", "The man is not one that has a sword and a shield"),
    ("{bold: no, add: 1}", "The man is not one that never retreats"),
    # whose it is, where it has a name of its own
    ("{foe: not nobody, spirit of foe: more than spirit, add: 1}",
     "The man has a foe, and the fighting spirit of the foe is more than the fighting spirit"),
]  # fmt: skip


@pytest.mark.parametrize(("row", "said"), ROWS, ids=[row for row, _ in ROWS])
def test_a_row(tmp_path: Path, row: str, said: str) -> None:
    parts = sheet(tmp_path, f"t: {{about: man, adds-up: {{row: {row}}}}}", charts="t")
    assert [line["text"] for line in parts[1]["lines"]] == [said]


@pytest.mark.parametrize("row", ["{rain-rule: light, add: 1}", "{unless: rain-rule is heavy, add: 1}", "{when: rain and rain-rule is light, add: 1}"])
def test_a_row_that_hangs_on_a_reading_is_marked_however_it_asks_for_it(tmp_path: Path, row: str) -> None:
    (line,) = sheet(tmp_path, f"t: {{about: man, adds-up: {{row: {row}}}}}", charts="t")[1]["lines"]
    assert line["options"] == ["rain-rule"]


STEPS = [
    # he to whom it is done, where another has been spoken of
    ("a: {each: man, when: foe is not nobody, play: shot}",
     "shot: {about: man, in-order: {x: {class of foe: guns, do: leave}}}", "If the class of the foe is guns: remove the man"),
    ("a: {each: man, foe: not nobody, play: duel, striker: man, victim: foe}",
     "duel: {about: {striker: man, victim: man}, in-order: {x: {hurt of striker: at least 2, do: gain beaten of striker}}}",
     "If the hurt of the striker is at least 2: the striker is beaten from now on"),
    ("a: {each: man, foe: not nobody, play: duel, striker: man, victim: foe}",
     "duel: {about: {striker: man, victim: man}, in-order: {x: {for: victim, hurt: at least 1, do: add 1 to score}}}",
     "For the victim, if its hurt is at least 1: add 1 to its score"),
    # how it is answered, and who is first
    ("a: {each: side, choose: bid, answered: at-once}", "", "For each side: choose the bid, all at the same moment"),
    ("a: {each: side, choose: bid, answered: secret}", "", "For each side: choose the bid, in secret"),
    ("a: {each: man, choose: aim, legal: aiming}", "", "For each man: choose the aim (see Aiming)"),
    ("a: {each: man, first: lowest rank, ties: lots, do: gain beaten}", "",
     "For each man, lowest rank first (general, captain, private), then by lots where they are level: it is beaten from now on"),
    ("a: {each: side, single-out: dead, from: men of side}", "",
     "For each side: draw lots for the dead among men of the side (the highest of a d6 each, and all who are level with it)"),
    ("a: {each: side, single-out: dead, from: men of side, ties: again}", "",
     "For each side: draw lots for the dead among men of the side (the highest of a d6 each, who are level at the top throw again)"),
    # who comes in, and where
    ("a: {each: side, create: old-hand, into: men of side, as: fresh, do: gain beaten of fresh}", "",
     "For each side: place old hand among the men of the side (fresh) and fresh is beaten from now on"),
    # a duty that is lifted is no prohibition; a note of another's that nobody sees hides none of his
    ("a: {each: man, keen: yes, do: lose keen}", "", "For each man that must charge: it need not charge from now on"),
    ("a: {each: man, class: guns, do: add 2 to score}", "", "For each man whose class is guns: add 2 to the score"),
]  # fmt: skip


@pytest.mark.parametrize(("steps", "more", "said"), STEPS, ids=[said for _, _, said in STEPS])
def test_a_step(tmp_path: Path, steps: str, more: str, said: str) -> None:
    assert steps_of(sheet(tmp_path, steps=steps, more=more))[-1][0] == said


def test_a_name_that_stands_for_another_below_is_told(tmp_path: Path) -> None:
    more = (
        "assault: {about: side, in-order: {own: {each: man of side, do: gain beaten}, a: {for: enemy of side, play: suffer}}}\n"
        "  suffer: {about: side, in-order: {x: {each: man of side, do: gain beaten}}}"
    )
    said = steps_of(sheet(tmp_path, steps="a: {for: attacker, play: assault}", more=more))
    beaten = ("For each man of the side: it is beaten from now on", "")
    assert said == [
        ("For the attacker: assault", ""), beaten,
        ("For the enemy of the side: suffer", "below, the side is that one"), beaten,
    ]  # fmt: skip


def test_who_has_been_named_by_nothing_but_the_row_that_says_something_else_is_told(tmp_path: Path) -> None:
    """`about: [man, side]` below a row `for:` a side: the side is another, and not the man."""
    more = "struck: {about: man, in-order: {c: {for: enemy of side of man, play: cheer}}}\n  cheer: {about: [man, side], in-order: {x: {do: add 1 to score of man}}}"
    said = steps_of(sheet(tmp_path, steps="a: {each: man, play: struck}", more=more))
    assert said[1] == ("For the enemy of the side of the man: cheer", "below, the side is that one")
    more = "fear: {about: side, in-order: {x: {each: man of side, do: leave}, y: {each: man of enemy, do: leave}}}"
    said = steps_of(sheet(tmp_path, steps="a: {for: enemy of attacker, play: fear, says: test for fear}", more=more))
    assert said[0] == ("Test for fear", "below, the side is the enemy of the attacker")


def test_how_often_is_told_of_a_step_that_says_all_but_that(tmp_path: Path) -> None:
    more = "bouts: {again: {until: any man where (beaten), at-most: 2}, in-order: {x: {each: man, do: add 1 to hurt}}}"
    for says, how in (("fight it out", "again until there is a man that is beaten; at most 2 times"), ("fight it out twice", ""), ("every man suffers", "again until there is a man that is beaten; at most 2 times")):
        assert steps_of(sheet(tmp_path, steps=f"a: {{play: bouts, says: {says}}}", more=more))[0] == (says.capitalize(), how)


def test_what_was_before_a_step_is_told_by_what_that_step_says(tmp_path: Path) -> None:
    steps = "fire: {each: man, do: add 1 to hurt, says: all shoot}, b: {each: man, hurt at fire: 1, do: leave}"
    said = [text for text, _ in steps_of(sheet(tmp_path, steps=steps))]
    assert said == ["All shoot", "For each man if the hurt as it was before “all shoot” is 1: remove the man"]


CHARTS = [
    ("t: {about: side, highest-of: {x: {each: man, class: foot, is: skill}}, otherwise: 0}",
     "how", "of all that apply the highest"),
    ("t: {about: man, words: [steady, wavers], lowest-of: {x: {class: guns, is: wavers}}, otherwise: steady}",
     "how", ""),
    ("t: {about: man, words: [steady, wavers], lowest-of: {x: {class: guns, is: wavers}, y: {skill: 1, is: steady}}, otherwise: steady}",
     "how", "of all that apply the lowest (from low to high: steady, wavers)"),
    ("t: {about: man, title: Striking, forbidden-if: {x: {foe: not nobody, side of foe: side, says: a man strikes his own side}}}",
     "how", "what forbids it"),
    ("t: {about: man, adds-up: {x: {class: guns, add: 1, says: with drums}, y: {class: guns, skill: 6, add: 2, says: with drums and skill, instead-of: [x]}}}",
     "text", "With drums and skill, in place of: with drums"),
    ("t: {about: man, adds-up: {x: {class: guns, add: 1, says: with drums}, y: {class: guns, skill: 6, add: 2, says: the only flag in sight, instead-of: [x]}}}",
     "text", "The only flag in sight, in place of: with drums"),
    ("t: {about: side, across: number of men to number of men of enemy, columns: [1-2, 1-1, 2-1], words: [lost, won], cells: [lost, lost, won], ends: stay}",
     "notes", "between two headings: the lower of them; beyond the chart: its end counts"),
    ("t: {about: side, across: number of men, columns: [1, 2 to 4], words: [lost, won, routed], cells: [-, won], otherwise: routed}",
     "notes", "where no heading fits, and where the chart has -: routed"),
    ("t: {about: side, across: number of men, columns: [1, 2 to 4], words: [lost, won], cells: [lost, won], ends: stay}",
     "notes", "beyond the chart: its end counts"),
    ("t: {about: side, across: number of men, columns: [1, 2 to 4], words: [lost, won], cells: [lost, won], shift: ground of enemy}\n"
     "  ground: {about: side, adds-up: {x: {ditch: yes, add: 1}}}", "notes", "shift: as many columns to the right as the ground of the enemy"),
]  # fmt: skip


@pytest.mark.parametrize(("table", "where", "said"), CHARTS, ids=[said or "one row" for _, _, said in CHARTS])
def test_what_counts_besides_its_rows_is_told(tmp_path: Path, table: str, where: str, said: str) -> None:
    charts = "t, ground" if "ground:" in table else "t"
    part = sheet(tmp_path, table, charts=charts)[1]
    told = {
        "how": part.get("how", ""),
        "text": part["lines"][-1].get("text", ""),
        "notes": "; ".join(f"{note['mark']}: {note['text']}" for note in part.get("notes", ())),
    }
    assert told[where] == said


def test_a_page_ends_with_what_no_chart_says_if_it_is_to(tmp_path: Path) -> None:
    steps = "a: {each: man, do: add 1 to hurt}"
    assert [part.get("title") for part in sheet(tmp_path, steps=steps)] == ["Turn", "Worth"]
    meant = sheet(tmp_path, steps=steps, meant="yes")[-1]
    assert [(line["amount"], line["text"]) for line in meant["lines"]] == [("hurt", "0 to 3, at first 0")]


def test_what_is_meant_has_bounds_owners_readings_and_the_names_of_members(tmp_path: Path) -> None:
    tables = (
        "power: {about: man, is: hurt * 2, at-most: 5}\n"
        "  wet: {about: man, is: rain and rain-rule is heavy}\n"
        "groups: {first-line: {each: stalwart, about: side, are: men of side where (skill is 6 and rain-rule is light)}}"
    )
    steps = "a: {each: man, do: [add 1 to score, add power to hurt]}, b: {each: side, do: take 1 from score}, c: {each: man, unless: man is stalwart, do: leave}"
    parts = sheet(tmp_path, tables, steps, meant="yes")
    lines = {line["amount"]: (line["text"], line["options"]) for line in parts[-1]["lines"]}
    assert lines["power"] == ("the hurt times 2, never above 5", [])
    assert lines["wet"] == ("it is rain, and rain rule is read as heavy", ["rain-rule"])
    assert lines["first line (each a stalwart)"][1] == ["rain-rule"]
    assert lines["score of a man"] == ("0 to 9, at first 0", []) and "score" not in lines
    assert steps_of(parts)[-1][0] == "For each man that is not a stalwart: remove it"


def test_what_a_list_says_of_its_words_is_told_with_what_is_meant(tmp_path: Path) -> None:
    arms = "arm: {columns: [reach, punch], rows: {pike: [2, 1], short-axe: [1, 3]}}"
    text = RULES.replace("words: {", f"words:\n  {arms}\n  ").replace("private]}", "private]").replace("      foe:", "      arm: arm\n      foe:")
    text = text.replace("STEPS", "a: {each: man, do: add punch of arm to hurt}").replace("TABLES", "").replace("SEQUENCES", "")
    (tmp_path / "ruleset.yaml").write_text(text.replace("CHARTS", "worth").replace("MEANT", "yes"), "utf-8")
    result = CliRunner().invoke(main, ["sheet", str(tmp_path), "-f", "json"])
    assert result.exit_code == 0, result.stderr
    arm = json.loads(result.stdout)["pages"][0]["parts"][-1]
    assert arm["columns"] == ["reach", "punch"]
    assert [(line["heading"], line["cells"]) for line in arm["lines"]] == [("pike", ["2", "1"]), ("short axe", ["1", "3"])]
