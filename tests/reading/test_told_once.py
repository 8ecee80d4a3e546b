"""Engagements told once: the words, what each system fields for them, and that nothing is dropped unsaid."""

import json
import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator

from closecombat.asking.crews.batches import Alone
from closecombat.asking.editing.names import offers
from closecombat.asking.fights.fight_files import Engagement, Scene, read_engagement, read_scene, single
from closecombat.asking.sweeps.grid import read_grid
from closecombat.asking.sweeps.sweep import swept
from closecombat.asking.systems.compare import compare_systems
from closecombat.checking.check import check_paths
from closecombat.cli.main import main
from closecombat.reading.battle_files import words_for
from closecombat.reading.battle_words import raised, read_force
from closecombat.reading.stack import as_mapping, shipped
from closecombat.text.document import parse
from closecombat.text.faults import Faults, Faulty
from closecombat.text.nodes import Mapping, flow
from closecombat.text.source import Source
from engagements import FOLDER, NAMES, shares, told

ROOT = Path(__file__).parents[2]
DUEL = (ROOT / "tests" / "cases" / "duel.yaml").read_text("utf-8")


def written(text: str, near: Path | None = None) -> Engagement:
    return read_engagement(as_mapping(parse(Source("e.yaml", text))), near)


def fight_of(engagement: Engagement, system: str) -> Mapping:
    scene = engagement.systems[system].scene
    assert isinstance(scene, Scene)
    return scene.document


def run(line: list[str]) -> Result:
    return CliRunner().invoke(main, line)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with a small game, what it fields, and a fight."""
    (tmp_path / "duel.yaml").write_text(DUEL, "utf-8")
    folder = tmp_path / "order-of-battle"
    folder.mkdir()
    (folder / "words.yaml").write_text("order-of-battle: arrows\nstates: {wet: Rain has got at them.}\n", "utf-8")
    (folder / "duel.yaml").write_text(
        "fields: ../duel.yaml\nunits: {men: sides.<side>.units.<unit>}\nevery-fight:\n  - fight: {attacker: <attacker>}\nwords:\n"
        "  rifle squad: {unit: {counter: bowman}, why: Ten men are a bowman.}\n"
        "  tired: {unit: {tired: yes}, worth: -1, cites: D.3a}\n"
        "  wet: {fight: {weather: wet}}\n"
        "  night: {no-such-rule: it is always day}\n"
        "  tank: {no-such-fight: D.2, why: Only men shoot.}\n",
        "utf-8",
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CLOSECOMBAT_PROJECT", raising=False)
    yield tmp_path


# ---- what was told by hand ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_it_is_told_in_a_few_lines(name: str) -> None:
    document = told(name).document
    said = (FOLDER / f"{name}.yaml").read_text("utf-8").split("\nforces:")[1].split("\nsystems:")[0]
    assert len(said.strip().splitlines()) <= 5
    assert ("systems" in document) == (name in ("squads-and-leader", "tank-with-escort", "half-track-assaulted"))


NIGHT_RAID = {
    "asl": """
situation:
  fight: {attacker: soviet, defender: german, terrain: other, night: yes}
  sides:
    soviet: {units: {s1: {counter: russian-2-2-7, advanced: yes}}}
    german: {units: {g1: {counter: german-4-6-7}, gl: {counter: leader-8-1, base: g1}}}
choices: {pair: {gl: g1}, withdraw: {s1: no, g1: no, gl: no}}
""",
    "squad-leader": """
situation:
  fight: {mover: soviet, night: yes}
  sides:
    soviet: {units: {s1: {class: squad, firepower: 3, advanced: yes}}}
    german: {units: {g1: {counter: german-4-6-7}, gl: {counter: leader-8-1}}}
""",
    "assault": """
situation:
  fight: {combat: initiated, initiator: soviet, terrain-dice: {green: 1, blue: 1}}
  sides:
    soviet: {fighter: s1, units: {s1: {class: infantry, strength-points: 4, half-from: 2, attack-card: {red: 1, green: 1},
             front-dice: {green: 1, blue: 1}, experience: veteran, half-strength: yes, damage-points: 2}}}
    german: {fighter: g1, units: {g1: {class: infantry, strength-points: 4, half-from: 2, attack-card: {green: 2},
             front-dice: {green: 1, blue: 1}}}}
choices: {step-in: {soviet: yes}}
""",
    "skirmish": """
situation:
  fight: {attacker: soviet, defender: german}
  sides:
    soviet: {units: {s1: {quality: elite, smgs: 5, teams: {st: {men: 4}}, leaders: {sl: {rank: junior}}}}}
    german: {units: {g1: {terrain-cover: hard-cover, teams: {gt: {men: 9}}, leaders: {gl: {rank: junior}, go: {rank: senior}}}}}
choices: {close-in: {soviet: yes}, ground: {soviet: yes, german: no}}
""",
}


@pytest.mark.parametrize("system", NIGHT_RAID)
def test_the_twelfth_is_what_one_would_write_by_hand(system: str) -> None:
    text = NIGHT_RAID[system].replace("\n", "\n    ")
    by_hand = written(f"engagement: by-hand\nsystems:\n  {system}:{text}")
    ends = [
        shares(one.chances.ends)
        for engagement in (by_hand, told("night-raid"))
        for one in compare_systems(engagement, [system]).systems
        if one.chances is not None and one.chances.ends is not None
    ]
    assert len(ends) == 2 and ends[0] == ends[1] and ends[0]


# ---- a force ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("force", "said"),
    [
        ("rifle squad", "r1 rifle squad german"),
        ("Rifle-Squad", "r1 rifle squad german"),
        ("3 rifle-squads, officer", "r1 rifle squad german; r2 rifle squad german; r3 rifle squad german; rl officer german"),
        ("two squads", "r1 rifle squad german; r2 rifle squad german"),
        ("an officer, a leader", "rl officer german; rl2 leader german"),
        ("2 soviet rifle squads, half-track", "r1 rifle squad soviet; r2 rifle squad soviet; rv half-track soviet"),
        ("soviet squad, german squad", "r1 rifle squad soviet; r2 rifle squad german"),
        ("2 squads, officer, tired", "r1 rifle squad german tired; r2 rifle squad german tired; rl officer german tired"),
        ("broken squad, 2 green tired squads with LMG", "r1 rifle squad german broken; r2 rifle squad german green tired light machine gun; r3 rifle squad german green tired light machine gun"),
        ("3 squads, 2 light machine guns", "r1 rifle squad german light machine gun; r2 rifle squad german light machine gun; r3 rifle squad german"),
        ("half strength squad, out of breath", "r1 rifle squad german half strength tired"),
        ("tired squad, tired", "r1 rifle squad german tired"),
    ],
)  # fmt: skip
def test_a_force_is_heard(force: str, said: str) -> None:
    faults = Faults()
    words = words_for(None, faults)
    node = parse(Source("f.yaml", f"force: {force!r}"))
    assert isinstance(node, Mapping)
    ones = raised(words, "red", "r", read_force(words, node.entries[0][1]), faults)
    assert not faults.diagnostics
    assert "; ".join(" ".join((one.name, one.word.name, one.army, *one.says)) for one in ones) == said


@pytest.mark.parametrize(
    ("forces", "code", "help"),
    [
        ("{red: 3 rifle sqads, blue: squad}", "unknown-word", "`rifle squads`"),
        ("{red: squad in the woods, blue: squad}", "unknown-word", "under `ground:`"),
        ("{red: squad at night, blue: squad}", "unknown-word", "under `state:`"),
        ("{red: squad of xylophones, blue: squad}", "unknown-word", "there are rifle squad"),
        ("{red: tired, blue: squad}", "wrong-shape", "say who they are"),
        ("{red: 3 tired, blue: squad}", "wrong-shape", "say who they are"),
        ("{red: squad tank, blue: squad}", "wrong-shape", "put a comma"),
        ("{red: no squads, blue: squad}", "wrong-shape", "how many"),
        ("{red: tired squads, blue: squad}", "wrong-shape", "how many: `2 squads`"),
        ("{red: 900 squads, blue: squad}", "budget-exceeded", ""),
        ("{red: '60 squads, 60 squads', blue: squad}", "budget-exceeded", ""),
        ("{red: 'squad, 2 machine guns', blue: squad}", "wrong-shape", "name who has it"),
        ("{red: squad}", "wrong-shape", "blue"),
        ("{red: {squad: 3}, blue: squad}", "wrong-shape", ""),
        ("[squad, squad]", "wrong-shape", ""),
        ("{The Reds: squad, blue: squad}", "wrong-shape", ""),
        ("{red: '', blue: squad}", "wrong-shape", ""),
        ("{red: picked green squad, blue: squad}", "words-clash", "only one of the two"),
    ],
)
def test_what_is_wrong_with_a_force_is_said_at_its_place(forces: str, code: str, help: str) -> None:
    with pytest.raises(Faulty) as error:
        written(f"engagement: e\nforces: {forces}\n")
    (first, *_) = error.value.diagnostics
    assert first.code == code and first.span is not None
    assert help in first.help
    assert not re.search(r"\b(None|Text|Mapping|NoneType)\b", first.message + first.help)


def test_a_word_is_underlined_in_its_text() -> None:
    with pytest.raises(Faulty) as error:
        written("engagement: e\nforces:\n  red: 2 squads, brokken\n  blue: squad\n")
    (fault,) = error.value.diagnostics
    assert fault.span is not None and fault.span.text == "brokken"


# ---- what a system fields -------------------------------------------------------------------------------------


def test_a_game_joins_by_one_file(home: Path) -> None:
    fight = written("engagement: e\nforces: {red: '2 squads, tired', blue: squad}\nstate: night\n", home)
    assert list(fight.systems) == ["asl", "squad-leader", "assault", "skirmish", "duel"]
    assert flow(fight_of(fight, "duel")) == (
        "{situation: {fight: {attacker: red}, sides: {red: {units: {r1: {counter: bowman, tired: yes}, "
        "r2: {counter: bowman, tired: yes}}}, blue: {units: {b1: {counter: bowman}}}}}}"
    )
    shown = run(["compare", "2 squads, tired", "squad", "-r", "./duel.yaml", "--state", "night", "--notes"])
    assert shown.exit_code == 0, shown.output
    assert "no such rule: night: it is always day" in " ".join(shown.output.split())
    assert "has no such fight: Only men shoot. (D.2)" in " ".join(
        run(["compare", "tank", "squad", "-r", "./duel.yaml", "--notes"]).output.split()
    )


def test_who_asks_for_one_system_does_not_ask_what_others_make_of_it(home: Path) -> None:
    """What is wrong with the file of one system is told to whoever asks for it, or for all."""
    (home / "e.yaml").write_text("engagement: e\nforces: {red: tired squad, blue: squad}\n", "utf-8")
    (home / "other.yaml").write_text(DUEL, "utf-8")
    (home / "order-of-battle" / "other.yaml").write_text("fields: ../other.yaml\nunits: {nobodies: x}\n", "utf-8")
    with pytest.raises(Faulty, match="nobodies"):
        read_scene("e.yaml")
    alone = read_scene("e.yaml", "duel")
    assert isinstance(alone, Engagement) and {"duel", "other", "asl"} <= set(alone.systems)
    assert "tired: yes" in flow(fight_of(alone, "duel"))
    with pytest.raises(Faulty, match="nobodies"):
        alone.systems["other"]
    with pytest.raises(Faulty, match="nobodies"):
        read_scene("e.yaml", "other")


def test_what_the_fight_itself_says_of_another_system_is_looked_at(home: Path) -> None:
    (home / "e.yaml").write_text(
        "engagement: e\nforces: {red: tired squad, blue: squad}\nsystems: {asl: {situatoin: {}}}\n", "utf-8"
    )
    with pytest.raises(Faulty, match="situatoin"):
        read_scene("e.yaml", "duel")


@pytest.mark.parametrize("name", NAMES)
def test_who_asks_for_one_system_is_told_the_same(name: str) -> None:
    whole = read_scene(name)
    assert isinstance(whole, Engagement)
    for system, one in whole.systems.items():
        alone = read_scene(name, system)
        assert isinstance(alone, Engagement) and dict(alone.systems) == dict(whole.systems)
        assert alone.systems[system] == one and list(alone.systems) == list(whole.systems)


def test_a_variant_fields_what_its_base_does_and_what_it_says_itself(home: Path) -> None:
    (home / "keen.yaml").write_text("variant: keen\nextends: ./duel.yaml\nchanges: {keener: {at: tables.volley.tired, set: {add: -2}, was: {add: -1}, why: x}}\n", "utf-8")
    (home / "e.yaml").write_text("engagement: e\nforces: {red: tired squad, blue: squad}\nground: house\n", "utf-8")
    scene = read_scene("e.yaml")
    plain = single(scene, "./duel.yaml+./keen.yaml")
    assert "tired: yes" in flow(plain.document) and plain.untold[0].word == "house"
    (home / "order-of-battle" / "keen.yaml").write_text("fields: ../keen.yaml\nwords: {tired: nothing, house: {fight: {weather: wet}}}\n", "utf-8")
    keen = single(read_scene("e.yaml"), "./duel.yaml+./keen.yaml")
    assert flow(keen.document) == (
        "{situation: {fight: {attacker: red, weather: wet}, sides: {red: {units: {r1: {counter: bowman}}}, "
        "blue: {units: {b1: {counter: bowman}}}}}}"
    )
    assert not keen.untold
    assert "tired: yes" in flow(single(read_scene("e.yaml"), "./duel.yaml").document)
    assert {fault.code for fault in check_paths(["order-of-battle"])} == {"not-translated"}


@pytest.mark.parametrize(
    ("own", "is_now"),
    [
        ("{situation: {sides: {red: {units: {r1: {counter: rider}}}}}}", "r1: {counter: rider, tired: yes}"),
        ("{situation: {sides: {red: {units: {r1: {tired: no}}}}}}", "r1: {counter: bowman, tired: no}"),
        ("{situation: {sides: {red: {units: {r2: {counter: rider}}}}}}", "r2: {counter: rider}"),
        ("{choices: {wait: {r1: yes}}, because: He waits.}", "choices: {wait: {r1: yes}}"),
    ],
)
def test_a_system_may_be_told_otherwise(home: Path, own: str, is_now: str) -> None:
    text = f"engagement: e\nforces: {{red: tired squad, blue: squad}}\nsystems: {{duel: {own}}}\n"
    assert is_now in flow(fight_of(written(text, home), "duel"))


def test_a_system_may_have_no_such_fight_after_all(home: Path) -> None:
    text = "engagement: e\nforces: {red: squad, blue: squad}\nsystems: {duel: {no-such-fight: D.1, why: Not here.}}\n"
    one = written(text, home).systems["duel"].scene
    assert not isinstance(one, Scene) and (one.clause, one.why) == ("D.1", "Not here.")


def test_numbers_add_up_and_lists_grow(home: Path) -> None:
    (home / "order-of-battle" / "duel.yaml").write_text(
        "fields: ../duel.yaml\nunits: {men: side.<body>}\nevery-fight: [{fight: {who: [<attacker>]}}, {when: first, fight: {who: [<unit>]}}]\n"
        "words: {rifle squad: {unit: {men: +9}}, tired: {unit: {men: -2}}}\n",
        "utf-8",
    )
    fight = written("engagement: e\nforces: {red: '3 squads, tired squad', blue: squad}\n", home)
    assert flow(fight_of(fight, "duel")) == (
        "{situation: {fight: {who: [red, r1, b1]}, side: {r1: {men: 27}, r4: {men: 7}, b1: {men: 9}}}}"
    )


def test_what_the_files_answer_is_for_whoever_is_asked_and_what_a_fight_answers_is_not() -> None:
    scene = single(told("broken-squad-caught"), "asl")
    assert "infiltrate-2" in flow(scene.document)  # of which nobody asks the broken
    text = "engagement: e\nforces: {german: squad, soviet: broken squad}\nsystems: {asl: {choices: {infiltrate-2: {s1: no}}}}\n"
    with pytest.raises(Faulty) as error:
        compare_systems(written(text), ["asl"])
    assert error.value.codes == {"never-asked"}


@pytest.mark.parametrize("system", shipped())
def test_every_word_is_translated_and_every_reason_cites_what_there_is(system: str) -> None:
    assert check_paths([str(FOLDER / "order-of-battle" / f"{system}.yaml")]) == []


def test_whose_men_they_are_is_said_where_nobody_has_said_it() -> None:
    fight = written("engagement: e\nforces: {red: squad, soviet: squad}\n")
    assert fight.systems["asl"].because[0] == "Nobody says whose men those of red are; they are fielded as german."
    assert "german-4-6-7" in flow(fight_of(fight, "asl")) and "russian-4-4-7" in flow(fight_of(fight, "asl"))
    assert "Nobody says" not in " ".join(fight.systems["skirmish"].because)


def test_the_schema_offers_the_words_that_there_are() -> None:
    schema = json.loads((ROOT / "schemas" / "engagement.schema.json").read_text("utf-8"))["properties"]
    words = words_for(None, Faults())
    assert schema["forces"]["additionalProperties"]["examples"] == list(words.of("units", "carried", "states"))
    assert schema["ground"]["examples"] == list(words.of("grounds"))
    assert schema["state"]["examples"] == list(words.of("circumstances"))


def test_the_file_of_the_guide_fields_what_it_says(home: Path) -> None:
    text, _ = re.findall(r"```yaml\n(.*?)```", (FOLDER / "order-of-battle" / "README.md").read_text("utf-8"), re.DOTALL)
    (home / "my-game.yaml").write_text(DUEL.replace("bowman", "rifles"), "utf-8")
    (home / "order-of-battle" / "my-game.yaml").write_text(text, "utf-8")
    assert {fault.code for fault in check_paths(["order-of-battle/my-game.yaml"])} == {"not-translated"}
    fight = written("engagement: e\nforces: {red: '2 squads, tired', blue: squad}\nground: house\n", home)
    assert "r2: {counter: rifles, tired: yes}" in flow(fight_of(fight, "my-game"))


# ---- at the command line ----------------------------------------------------------------------------------


def test_two_forces_are_compared_and_kept(home: Path) -> None:
    line = ["compare", "german: 2 rifle squads", "soviet: shaken rifle squad, stubborn", "--ground", "woods"]
    found = json.loads(run([*line, "-r", "squad-leader", "-f", "json"]).stdout)
    Draft202012Validator(json.loads((ROOT / "schemas" / "compare.schema.json").read_text("utf-8"))).validate(found)
    (one,) = found["systems"]
    assert [each["word"] for each in one["no_such_rule"]] == ["stubborn"]
    assert one["verdicts"]["soviet"]["destroyed"]["probability"] == str(Fraction(21, 36))  # 8 to 4 is 2-1: 7
    kept = run([*line, "-r", "squad-leader", "--save", "patrol.yaml"])
    assert kept.exit_code == 0 and "kept in patrol.yaml" in kept.output
    again = json.loads(run(["compare", "patrol.yaml", "-r", "squad-leader", "-f", "json"]).stdout)
    assert again["systems"] == found["systems"] and again["engagement"] == "patrol"
    (home / "order-of-battle" / "duel.yaml").unlink()  # it has no word for woods
    assert check_paths(["patrol.yaml"]) == []
    refused = run([*line, "--save", "patrol.yaml"])
    assert refused.exit_code == 2 and "already there" in refused.output


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (["compare", "farmhouse", "--ground", "house"], "for two forces"),
        (["compare", "farmhouse", "--save", "x.yaml"], "two forces"),
        (["compare", "squad", "squad", "--save", "x.txt"], ".yaml"),
        (["compare", "squad", "sqad"], "did you mean `squad`"),
        (["compare", "red: squad", "red: squad"], "both sides are called `red`"),
        (["compare", "squad", "squad", "--ground", "wods"], "did you mean `woods`"),
        (["compare", "squad", "squad", "--state", "house"], "--ground"),
        (["chances", "squad", "squad"], "-r asl"),
        (["chances", "tank", "squad", "-r", "skirmish"], "SK-elig-04"),
        (["chances", "it's a squad", "squad", "-r", "asl"], "no word of the order of battle"),
    ],
)
def test_what_is_wrong_with_the_line_is_said(home: Path, line: list[str], said: str) -> None:
    found = run(line)
    assert found.exit_code == 2
    assert said in " ".join(found.output.split())
    assert not (home / "x.yaml").exists() and not (home / "x.txt").exists()


def test_other_commands_take_two_forces_too(home: Path) -> None:
    plain = run(["chances", "german: squad", "soviet: squad", "-r", "squad-leader", "--ground", "house"])
    assert plain.exit_code == 0 and "7.72%" in plain.stdout  # both killed at once: 10 of 36 for each, 100 of 1,296
    foggy = run(["chances", "squad", "squad", "-r", "assault", "--state", "fog"])
    assert "no such rule: fog: nothing is said of weather" in foggy.stdout
    rolled = run(["resolve", "squad", "squad", "-r", "assault", "--state", "fog", "--seed", "1"])
    assert rolled.exit_code == 0 and "no such rule: fog" in rolled.stdout
    assert "no such rule: fog" in run(["play", "squad", "squad", "-r", "assault", "--state", "fog", "--seed", "1", "--times", "3"]).stdout
    asked = run(["choices", "german: 2 squads", "soviet: squad", "-r", "asl"])
    assert asked.exit_code == 0 and "4 declarations in all" in asked.stdout  # one, the other, both together, none
    kept = run(["resolve", "squad", "squad", "-r", "asl", "--ground", "woods", "--seed", "2", "--save", "it.yaml"])
    assert kept.exit_code == 0
    assert run(["test", "it.yaml"]).exit_code == 0


def test_the_words_are_listed_and_offered(home: Path) -> None:
    found = json.loads(run(["list", "words", "-f", "json"]).stdout)
    Draft202012Validator(json.loads((ROOT / "schemas" / "list.schema.json").read_text("utf-8"))).validate(found)
    assert {"word": "wet", "sort": "states", "means": "Rain has got at them."} in found["words"]
    text = "engagement: e\nforces: {red: squad, blue: squad}\nground: ho\n"
    document = as_mapping(parse(Source("e.yaml", text)))
    for place, here, elsewhere in (("ho\n", "house", "rifle squad"), ("squad,", "wet", "house"), ("squad}", "officer", "night")):
        names = [one.name for one in offers(document, document, text.index(place))]
        assert here in names and elsewhere not in names


# ---- in a plan ------------------------------------------------------------------------------------------------


def rows_of(plan: str) -> list[tuple[list[str], str, dict[str, object]]]:
    Path("plan.yaml").write_text(plan, "utf-8")
    grid = read_grid("plan.yaml")
    columns = [column.name for column in grid.columns]
    return [
        ([grid.cell(number).told.called, *(one.name for one in grid.cell(number).settings)], answer.code, dict(zip(columns, answer.values, strict=True)))
        for number, answer in swept(grid, range(1, grid.rows + 1), Alone())
    ]  # fmt: skip


def test_forces_ground_and_state_vary(home: Path) -> None:
    plan = (
        "sweep: p\nfights: squad-in-a-building\nsystems: [squad-leader]\nask: place\nratio: german to soviet\nvary:\n"
        "  forces of german: [1 to 2 rifle squads, 'rifle squad, officer', tank]\n  state: ['night', locked]\n"
    )
    found = rows_of(plan)
    assert [(settings[1:], code) for settings, code, _ in found] == [
        (["1 rifle squads", "night"], ""), (["1 rifle squads", "locked"], ""),
        (["2 rifle squads", "night"], ""), (["2 rifle squads", "locked"], ""),
        (["rifle squad, officer", "night"], ""), (["rifle squad, officer", "locked"], ""),
        (["tank", "night"], "no-such-fight"), (["tank", "locked"], "no-such-fight"),
    ]  # fmt: skip
    (one,) = compare_systems(written("engagement: e\nforces: {german: 2 squads, soviet: squad}\nground: house\nstate: locked\n"), ["squad-leader"]).systems
    assert one.chances is not None and one.chances.ends is not None
    assert found[3][2]["german holds it"] == one.chances.ends.place.held["german"]
    assert found[3][2]["force ratio german to soviet"] == 2


def test_rows_of_other_words_are_rows_of_another_plan(home: Path) -> None:
    """What is fielded for a word that only varies counts too."""
    Path("e.yaml").write_text("engagement: e\nforces: {red: squad, blue: squad}\n", "utf-8")
    Path("plan.yaml").write_text("sweep: p\nfights: ./e.yaml\nsystems: [./duel.yaml]\nvary: {forces of red: [squad, tired squad]}\n", "utf-8")
    before = read_grid("plan.yaml").digest
    assert read_grid("plan.yaml").digest == before
    file = home / "order-of-battle" / "duel.yaml"
    file.write_text(file.read_text("utf-8").replace("tired: yes}", "tired: no}"), "utf-8")
    assert read_grid("plan.yaml").digest != before


def test_a_system_that_has_no_such_fight_may_have_it_in_other_words(home: Path) -> None:
    found = rows_of("sweep: p\nfights: lone-leader\nsystems: [assault]\nask: place\nvary: {forces of german: [officer, squad]}\n")
    assert [(settings[1], code) for settings, code, _ in found] == [("officer", "no-such-fight"), ("squad", "")]


def test_what_is_told_in_words_is_a_fact_elsewhere(home: Path) -> None:
    (home / "f.yaml").write_text("ruleset: ./duel.yaml\nsituation: {fight: {attacker: red}, sides: {red: {units: {a: {counter: bowman}}}, blue: {units: {b: {counter: bowman}}}}}\n", "utf-8")
    for axis, code in (("ground: [house]", "unknown-fact"), ("forces of red: [squad]", "wrong-shape")):
        Path("plan.yaml").write_text(f"sweep: p\nfights: ./f.yaml\nvary: {{{axis}}}\n", "utf-8")
        with pytest.raises(Faulty) as error:
            read_grid("plan.yaml")
        assert error.value.codes == {code}


@pytest.mark.parametrize(
    ("axis", "code"),
    [
        ("forces of germn: [squad]", "unknown-thing"),
        ("forces of german: [sqad]", "unknown-word"),
        ("forces of german: 3 to 1 squads", "out-of-range"),
        ("ground: [wods]", "unknown-word"),
        ("state: [house]", "unknown-word"),
    ],
)
def test_what_is_wrong_with_an_axis_is_said(home: Path, axis: str, code: str) -> None:
    Path("plan.yaml").write_text(f"sweep: p\nfights: squad-in-a-building\nsystems: [skirmish]\nvary: {{{axis}}}\n", "utf-8")
    with pytest.raises(Faulty) as error:
        read_grid("plan.yaml")
    assert error.value.codes == {code}
    assert all(fault.span is not None and fault.span.source.name.endswith("plan.yaml") for fault in error.value.diagnostics)
