"""What the page of the workbench asks: every answer is that of the commands, and no question reaches further."""

import json
from pathlib import Path
from typing import Any

import pytest

from closecombat.cli.desk import FIGHT, HOUSE_RULE, answer, files_of_ruleset
from closecombat.reading.stack import shipped

HERE = Path(__file__).parents[2] / "rulesets"
LOWER = (HERE / "variants" / "lower-kill-numbers.yaml").read_text("utf-8")
ATTACK = (HERE / "squad-leader" / "attack.yaml").read_text("utf-8")
BUILDING = {"engagement": "squad-in-a-building"}


@pytest.fixture
def ask(tmp_path: Path) -> Any:
    def asked(ask: str, ruleset: str = "squad-leader", **more: Any) -> Any:
        question = {"ask": ask, "ruleset": ruleset, **more}
        return json.loads(answer(json.dumps(question), tmp_path, lambda said: None))

    return asked


def verdicts(odds: Any, side: str) -> dict[str, str]:
    return {word: one["probability"] for word, one in odds["verdicts"][side].items()}


def test_a_house_rule_stands_beside_what_it_changes(ask: Any) -> None:
    """A squad on its like kills with a 5 or less, 10 of 36 throws; one lower with a 4 or less, of which the two twos
    cower into a lower column: 5 of 36. Both throw; who dies in the same moment is destroyed too."""
    fight = ask("told", fight=BUILDING)["fight"]
    found, before = ask("odds", fight=fight, texts={HOUSE_RULE: LOWER}), ask("before", fight=fight)
    assert verdicts(before["is"], "soviet") == {"unharmed": "65/324", "destroyed": "5/18", "locked": "169/324"}
    assert verdicts(found["is"], "soviet") == {"unharmed": "155/1296", "destroyed": "5/36", "locked": "961/1296"}
    place = ask("rest", fight=fight, texts={HOUSE_RULE: LOWER})
    assert {who: one["probability"] for who, one in place["is"]["place"].items()} == {
        "german": "155/1296",
        "soviet": "155/1296",
        "contested": "961/1296",
        "nobody": "25/1296",
    }
    assert place["was"]["place"]["nobody"]["probability"] == "25/324"
    assert "SL-G01" in [one["id"] for one in place["was"]["assumptions"]]


@pytest.mark.parametrize("ruleset", ["squad-leader", "assault"])
def test_what_was_asked_before_changes_no_answer(ask: Any, tmp_path: Path, ruleset: str) -> None:
    """Rulesets are held from one question to the next, and are those of its texts: three at most."""
    fight = ask("told", ruleset, fight=BUILDING)["fight"]
    rows = {
        "squad-leader": "{{at: tables.drm.own-lead, set: {{add: -{}}}, was: {{add: lowest leadership of attackers}}, why: x}}",
        "assault": "{{at: tables.full-attack.together, set: {{add: {}}}, was: {{add: attack-together for colour}}, why: x}}",
    }
    held: dict[str, Any] = {}
    for number in (1, 2, 3, 2, 1):
        rule = f"variant: mine\nextends: {ruleset}\nchanges:\n  a: {rows[ruleset].format(number)}\n"
        for texts in ({}, {HOUSE_RULE: rule}):
            for name in ("odds", "rest", "rolled"):
                question = {"ask": name, "ruleset": ruleset, "fight": fight, "texts": texts, "seed": 7}
                told = answer(json.dumps(question), tmp_path, lambda said: None, held)
                assert "findings" not in told
                assert json.loads(told) == ask(**question), (name, texts)
                assert len(held) <= 3


def test_without_a_change_there_is_nothing_beside(ask: Any) -> None:
    assert ask("rest", fight=BUILDING)["was"] is None


@pytest.mark.parametrize("ruleset", shipped())
def test_a_fight_as_a_form_is_the_fight(ask: Any, ruleset: str) -> None:
    """Told once more from the form it has the same chances; and whatever it says has a field."""
    said = ask("told", ruleset, fight=BUILDING)["fight"]
    one, two = ask("odds", ruleset, fight=said)["is"], ask("odds", ruleset, fight=BUILDING)["is"]
    assert one == two
    sheets = ask("form", ruleset)["kinds"]
    fields = {one["name"] for sheet in sheets for one in sheet["fields"]}
    units = {fact for side in said["situation"]["sides"].values() for unit in side["units"].values() for fact in unit}
    assert units <= {*fields, "counter"} and {*said["situation"]["fight"]} <= fields


def test_the_form_is_the_vocabulary(ask: Any) -> None:
    sheets = {one["kind"]: one for one in ask("form")["kinds"]}
    fields = {one["name"]: one for one in sheets["unit"]["fields"]}
    assert list(sheets) == ["fight", "side", "unit", "attack"]
    assert fields["class"] == {"name": "class", "sort": "word", "words": ["squad", "crew", "leader", "hero"]}
    assert (fields["lmg"]["low"], fields["lmg"]["high"], fields["lmg"]["first"]) == (0, 12, "0")
    assert fields["lmg"]["cites"] == ["6.1.5a"] and fields["withdrawing"]["later"] and "dr" not in fields
    assert sheets["unit"]["counters"]["leader-9-2"] == "class leader, firepower 0, leadership -2"
    assert next(one["words"] for one in sheets["fight"]["fields"] if one["name"] == "terrain")[0] == "open"


def test_a_rule_of_the_vocabulary_is_a_field_at_once(ask: Any) -> None:
    text = "variant: drunk\nextends: squad-leader\nchanges:\n  drunk:\n    at: kinds.unit.given.drunk\n    add: flag\n    why: wine\n"
    fields = {one["name"] for sheet in ask("form", texts={HOUSE_RULE: text})["kinds"] for one in sheet["fields"]}
    assert "drunk" in fields


def test_a_file_of_the_game_is_read_as_it_is_changed(ask: Any) -> None:
    """The shipped one stays as it is, and is what came before: with this row nobody dies."""
    changed = ATTACK.replace("target: at most kill-number of attack, ", "target: at most 0, ")
    found = ask("odds", fight=BUILDING, texts={"attack.yaml": changed})
    assert verdicts(ask("before", fight=BUILDING)["is"], "german")["destroyed"] == "5/18"
    assert verdicts(found["is"], "german") == {"locked": "1"}
    assert ask("text", file="attack.yaml")["text"] == ATTACK


def test_a_file_of_the_game_as_it_is_has_no_finding(ask: Any) -> None:
    text = (HERE / "asl" / "attack.yaml").read_text("utf-8")
    assert ask("findings", "asl", texts={"attack.yaml": text}) == {"findings": []}
    missing = ask("findings", "asl", texts={"attack.yaml": text.replace("  kill-number:\n", "  kil-number:\n")})
    assert "unknown-name" in {one["code"] for one in missing["findings"]}


def test_a_finding_lies_at_its_line(ask: Any) -> None:
    broken = LOWER.replace("option: one-lower", "option: one-lowr")
    found = ask("findings", texts={HOUSE_RULE: broken})["findings"]
    line = broken.splitlines().index("    option: one-lowr") + 1
    assert [(one["file"], one["range"]["start"]["line"], one["code"]) for one in found] == [
        (HOUSE_RULE, line, "unknown-word")
    ]
    assert ask("odds", fight=BUILDING, texts={HOUSE_RULE: broken})["findings"] == found
    assert ask("findings", texts={HOUSE_RULE: LOWER}) == {"findings": []}


def offered(ask: Any, text: str, file: str = HOUSE_RULE) -> dict[str, str]:
    """What is offered at the `|` of a text."""
    found = ask("offers", texts={file: text.replace("|", "")}, file=file, at=text.index("|"))["offers"]
    return {one["name"]: one["told"] for one in found}


def test_names_are_offered_where_they_fit(ask: Any) -> None:
    at = ATTACK.index("add: -1") + len("add: ")
    found = ask("offers", texts={"attack.yaml": ATTACK}, file="attack.yaml", at=at)["offers"]
    assert {"name": "attack-strength", "told": "table", "fits": True} in found


CHANGE = "variant: x\nextends: squad-leader\nchanges:\n  one:\n    at: "


@pytest.mark.parametrize(
    ("text", "there", "not_there"),
    [
        (CHANGE + "|", "tables.drm.broken options.kill-numbers kinds.unit.broken", "broken"),
        (CHANGE + "tables.dr|", "tables.drm tables.drm.broken", "drm"),
        (CHANGE + "options.kill-numbers\n    option: o|", "one-lower as-successor", "options.kill-numbers"),
        (CHANGE + "tables.drm.broken\n    set: {when: |}", "pinned leadership attack-strength", "tables.drm"),
        (CHANGE + "tables.drm.broken\n    |", "set was why remove", "at title"),
        (CHANGE + "tables.drm.broken\n    s|\n    why: x", "set", "why at"),
        (CHANGE + "nothing.at.all\n    set: {when: |}", "", "pinned"),
        ("variant: x\n|", "extends changes title about", "variant tables"),
        ("|", "variant", ""),
    ],
)
def test_a_house_rule_is_offered_its_keys_and_places(ask: Any, text: str, there: str, not_there: str) -> None:
    found = offered(ask, text)
    assert set(there.split()) <= found.keys() and not set(not_there.split()) & found.keys()


def test_keys_of_a_row_are_those_of_its_table(ask: Any) -> None:
    found = offered(ask, "tables:\n  drm:\n    |", "attack.yaml")
    assert {"about", "adds-up", "title", "cites"} <= found.keys() and all(found.values())


def test_a_row_is_changed_with_what_it_was(ask: Any) -> None:
    made = ask("change", path="tables.drm.broken")
    assert "set: {add: -3}" in made["change"] and "was: {add: -2}" in made["change"]
    assert ask("findings", texts={HOUSE_RULE: made["head"] + made["change"]}) == {"findings": []}
    paths = [one["path"] for one in ask("rows")["rows"]]
    assert "tables.drm.broken" in paths and "options.kill-numbers" in paths
    assert [one["code"] for one in ask("change", path="tables.nothing")["findings"]] == ["missing-target"]


def test_what_is_changed_is_told_row_by_row(ask: Any) -> None:
    assert [one["path"] for one in ask("changes", texts={HOUSE_RULE: LOWER})["rules"]] == ["options.kill-numbers"]
    assert ask("changes", texts={}) == {"rules": []}


def test_one_playing_is_that_of_its_seed(ask: Any) -> None:
    one = ask("rolled", fight=BUILDING, seed=3)
    assert one == ask("rolled", fight=BUILDING, seed=3) and len(one["dice"]) == 4 and one["story"]
    told = json.dumps(one["story"])
    assert "6.1.3f" in told and "kill-number" in told


def test_a_fight_is_told_in_words(ask: Any) -> None:
    told = {"first": "german: 2 rifle squads", "second": "soviet: rifle squad, officer", "ground": "woods", "state": ""}
    sides = ask("told", fight=told)["fight"]["situation"]["sides"]
    assert [len(sides[one]["units"]) for one in ("german", "soviet")] == [2, 2]
    wrong = ask("told", fight={**told, "first": "2 rifle sqauds"})["findings"]
    assert len(wrong) == 1 and "rifle squads" in wrong[0]["help"]


def test_an_example_is_begun_with(ask: Any) -> None:
    said = ask("told", fight={"example": "sl-broken-target#sl-broken-target"})["fight"]
    assert said["situation"]["sides"]["russian"]["units"]["r1"] == {"counter": "russian-4-4-7", "broken": "yes"}
    assert verdicts(ask("odds", fight=said)["is"], "german") == {"destroyed": "5/18", "locked": "13/18"}


def test_the_file_of_a_fight_can_be_read(ask: Any, tmp_path: Path) -> None:
    text = ask("written", fight=BUILDING)["text"]
    assert text.startswith("ruleset: squad-leader\nsituation:\n") and "g1" in text


def test_an_answer_that_nobody_asks_for_is_no_fault_of_a_form(ask: Any) -> None:
    """Of a unit that is held no withdrawal is asked: whoever ticks a field has not to clear what hung on it."""
    said = ask("told", "asl", fight={"engagement": "squads-and-leader"})["fight"]
    said["choices"]["slip-after-2"] = {"s1": "no"}
    assert "is" in ask("odds", "asl", fight=said)


def test_what_takes_long_is_said_before_it_is_done(ask: Any) -> None:
    sides = {
        side: {"units": {f"{side[0]}{n}": {"counter": counter} for n in range(6)}}
        for side, counter in (("german", "german-4-6-7"), ("soviet", "russian-4-4-7"))
    }
    fight = {"situation": {"fight": {"attacker": "german", "defender": "soviet", "melee": "yes"}, "sides": sides}}
    found = ask("odds", "asl", fight=fight, **{"until-resolved": True})
    assert {one["code"] for one in found["findings"]} <= {"takes-long", "budget-exceeded"}


# ---- from a stranger -------------------------------------------------------------------------------------

DEEP: Any = "x"
for _ in range(200):
    DEEP = {"a": DEEP}
HOSTILE = [
    "",
    "not JSON",
    "[" * 100_000,
    "[]",
    '"odds"',
    {"ask": "odds", "ruleset": "../../etc"},
    {"ask": "odds", "ruleset": ["asl"]},
    {"ask": "__import__", "ruleset": "asl"},
    {"ask": ["odds"], "ruleset": "asl"},
    {"ask": "odds", "ruleset": "asl"},
    {"ask": "odds", "ruleset": "asl", "fight": []},
    {"ask": "odds", "ruleset": "asl", "fight": {"situation": DEEP}},
    {"ask": "odds", "ruleset": "asl", "fight": {"situation": {"fight": 3}}},
    {"ask": "odds", "ruleset": "asl", "fight": {"situation": {"sides": {"a": {"units": {"x: y\n": {}}}}}}},
    {"ask": "odds", "ruleset": "asl", "fight": {"situation": "x" * 300_000}},
    {"ask": "odds", "ruleset": "asl", "fight": {"situation": {}, "ruleset": "/etc/passwd"}},
    {"ask": "told", "ruleset": "asl", "fight": {"engagement": "/etc/passwd"}},
    {"ask": "told", "ruleset": "asl", "fight": {"engagement": "../asl/ruleset.yaml"}},
    {"ask": "told", "ruleset": "asl", "fight": {"example": "../ruleset#x"}},
    {"ask": "told", "ruleset": "asl", "fight": {"example": "ambush#no-such"}},
    {"ask": "told", "ruleset": "asl", "fight": {"first": "x", "second": {"a": "b"}}},
    {"ask": "text", "ruleset": "asl", "file": "../README.md"},
    {"ask": "text", "ruleset": "", "file": "attack.yaml"},
    {"ask": "findings", "ruleset": "asl", "texts": {"../../other.yaml": "x: y"}},
    {"ask": "findings", "ruleset": "asl", "texts": {"house-rule.yaml": 3}},
    {"ask": "findings", "ruleset": "asl", "texts": "x"},
    {"ask": "offers", "ruleset": "asl", "texts": {HOUSE_RULE: "a: b"}, "file": HOUSE_RULE, "at": -5},
    {"ask": "rolled", "ruleset": "asl", "fight": BUILDING, "seed": "1; import os"},
    {"ask": "rolled", "ruleset": "asl", "fight": BUILDING, "seed": True},
]


@pytest.mark.parametrize("question", HOSTILE, ids=[str(n) for n in range(len(HOSTILE))])
def test_no_question_reaches_further(tmp_path: Path, question: Any) -> None:
    """It is refused, in words, and nothing is written but the two files of the desk."""
    (tmp_path / "desk").mkdir()
    text = question if isinstance(question, str) else json.dumps(question)
    found = json.loads(answer(text, tmp_path / "desk", lambda said: None))
    assert found["findings"] and all(one["message"] and one["severity"] == "error" for one in found["findings"])
    assert {one.name for one in tmp_path.iterdir()} == {"desk"}
    assert {one.name for one in (tmp_path / "desk").iterdir()} <= {HOUSE_RULE, FIGHT}
    assert "passwd" not in json.dumps([one["range"] for one in found["findings"]]) and "root:" not in json.dumps(found)


@pytest.mark.parametrize(
    "text",
    [
        "variant: x\nextends: ../../../etc/passwd\nchanges: {}\n",
        "variant: x\nextends: /etc/passwd\nchanges: {}\n",
        "a: &x [*x]\n",
        "variant: !!python/object/apply:os.system [ls]\n",
        "{" * 5_000,
        "\x00",
        "ruleset: mine\n",
        "- 1\n",
        "variant: x\nextends: asl\nchanges: {}\n",
    ],
)
def test_a_house_rule_of_a_stranger_is_only_text(ask: Any, text: str) -> None:
    """What is wrong with it is found, and the fight is not played by it; nothing else is read."""
    for question in ("findings", "odds", "form", "changes"):
        found = ask(question, texts={HOUSE_RULE: text}, fight=BUILDING)
        assert "root:" not in json.dumps(found)
        assert found.get("findings") or question == "findings", found


def test_files_that_can_be_changed_are_those_of_the_game() -> None:
    assert all(place.parent == HERE / "asl" for place in files_of_ruleset("asl").values())


def test_a_change_is_tried_beforehand_without_an_answer(ask: Any) -> None:
    assert ask("warm", fight=ask("told", fight=BUILDING)["fight"], texts={HOUSE_RULE: LOWER}) == {}
