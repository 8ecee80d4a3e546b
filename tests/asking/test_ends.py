"""The common end: who holds the place, what it cost, and how those stand who came, in words that all rulesets share."""

import json
import re
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

from closecombat.asking.exact.answers import SIDES, TAKEN, THERE, UNITS, Ends, quantile
from closecombat.asking.exact.chances import work_out
from closecombat.asking.fights.fight_files import NoSuchFight, read_engagement, staged
from closecombat.asking.systems.compare import Comparison, compare_systems
from closecombat.binding.load import load
from closecombat.cli.main import main
from closecombat.playing.fight import fight
from closecombat.reading.model import FATES, LEFT
from closecombat.reading.stack import as_mapping
from closecombat.telling.compare import Shown, compare_json, compare_text
from closecombat.telling.page import Page, about
from closecombat.text.document import parse, read_source
from closecombat.text.faults import Faulty
from closecombat.text.source import Source
from engagements import NAMES, SLOW, compared, told

ROOT = Path(__file__).parents[2]


def numbers(ends: Ends) -> dict[tuple[str, str], Fraction]:
    """Every number of a common end by what it is of whom, to be set against those of another."""
    out = {("holds it", side): chance for side, chance in ends.place.held.items()}
    out |= {("contested", ""): ends.place.contested, ("held by nobody", ""): ends.place.nobody}
    for side, end in ends.sides.items():
        out |= {("strength lost", side): end.loss, **{(word, side): end.fates[word] for word in (*THERE, *LEFT, TAKEN)}}
    return out


def ends(name: str, system: str) -> Ends:
    (found,) = (one.chances.ends for one in compared(name).systems if one.name == system and one.chances)
    assert found is not None
    return found


# ---- laws ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_chances_and_shares_sum_to_one(name: str) -> None:
    for one in compared(name).systems:
        if one.chances is None:
            continue
        found = one.chances.ends
        assert found is not None
        place = found.place
        assert sum(place.held.values()) + place.contested + place.nobody == 1
        assert list(found.sides) == list(one.chances.verdicts)
        for end in found.sides.values():
            assert sum(end.fates.values()) == 1
            assert all(0 <= share <= 1 for share in end.fates.values())
            assert end.loss == end.fates["lost"] + end.fates["taken"]
            assert sum(chance for _, chance in end.lost) == 1
            assert all(0 <= share <= 1 for share, _ in end.lost)
            low, high = end.half_the_time
            assert sum(chance for share, chance in end.lost if low <= share <= high) >= Fraction(1, 2)
            assert 0 <= end.locked_in <= min(place.contested, end.fates["fit"] + end.fates["shaken"])
        for unit in found.units.values():
            assert sum(unit.fates.values()) == 1
            assert 0 <= unit.lost <= unit.came


@pytest.mark.parametrize("name", [name for name in NAMES if name not in SLOW])
def test_units_add_up_to_their_side(name: str) -> None:
    for one in compared(name).systems:
        for side, end in one.chances.ends.sides.items() if one.chances and one.chances.ends else ():
            mine = [unit for unit in one.chances.ends.units.values() if unit.side == side]
            assert sum(unit.came for unit in mine) == end.came
            assert Fraction(sum(unit.lost for unit in mine)) / end.came == end.loss


@pytest.mark.parametrize("name", ["lone-leader", "withdrawal", "tank-rammed", "broken-squad-caught"])
def test_the_common_end_changes_nothing_else(name: str) -> None:
    """Chances, assumptions and choices are those of a run that is not asked for it."""
    for one in compared(name).systems:
        scene = told(name).systems[one.name].scene
        if isinstance(scene, NoSuchFight) or one.chances is None:
            continue
        plain = work_out(staged(scene, load(one.name)), SIDES)
        assert plain.outcomes == one.chances.outcomes
        assert (plain.assumptions, plain.remarks) == (one.chances.assumptions, one.chances.remarks)


@pytest.mark.parametrize(
    ("part", "value"), [("1/4", "0"), ("1/2", "1/2"), ("5/8", "1/2"), ("3/4", "1"), ("1", "1"), ("1/100", "0")]
)
def test_quantiles(part: str, value: str) -> None:
    """A die of eight: three show nothing, two a half, three the whole."""
    lost = [(Fraction(0), Fraction(3, 8)), (Fraction(1, 2), Fraction(2, 8)), (Fraction(1), Fraction(3, 8))]
    assert quantile(lost, Fraction(part)) == Fraction(value)


# ---- what the rules say of these fights, reckoned by hand ------------------------------------------------


@pytest.mark.parametrize(
    ("name", "system", "what", "of", "value"),
    [
        ("lone-leader", "squad-leader", "strength lost", "german", "30/36"),      # 4-1 is 9: a man by himself is worth 1
        ("lone-leader", "squad-leader", "strength lost", "soviet", "6/36"),       # 1-4 is 3, and his own -1
        ("lone-leader", "squad-leader", "holds it", "soviet", "25/36"),           # 5/6 of 5/6
        ("lone-leader", "squad-leader", "held by nobody", "", "5/36"),
        ("lone-leader", "squad-leader", "contested", "", "5/36"),
        ("lone-leader", "squad-leader", "holds it", "german", "1/36"),
        ("withdrawal", "asl", "withdrew", "soviet", "15/36"),                     # an 8 or more
        ("withdrawal", "asl", "fit", "soviet", "3/36"),                           # a 7 leaves half of it behind
        ("withdrawal", "asl", "contested", "", "6/36"),
        ("withdrawal", "asl", "holds it", "german", "30/36"),
        ("withdrawal", "squad-leader", "withdrew", "soviet", "15/36"),
        ("withdrawal", "assault", "withdrew", "soviet", "1"),
        ("broken-squad-caught", "assault", "driven-off", "soviet", "1"),          # falls back when entered
        ("broken-squad-caught", "assault", "holds it", "german", "1"),
        ("broken-squad-caught", "squad-leader", "shaken", "soviet", "15/36"),     # 5 or less, at -2, kills it
        ("squad-in-a-building", "squad-leader", "contested", "", "169/324"),
        ("tank-rammed", "skirmish", "shaken", "german", "1"),                     # a crash costs no men, but Shock
        ("tank-rammed", "skirmish", "contested", "", "1"),
        ("half-strength", "squad-leader", "strength lost", "soviet", "21/36"),
        ("half-track-assaulted", "asl", "strength lost", "german", "10/36"),      # who is aboard dies with it
    ],
)  # fmt: skip
def test_by_hand(name: str, system: str, what: str, of: str, value: str) -> None:
    assert numbers(ends(name, system))[what, of] == Fraction(value)


DUEL = """
ruleset: duel
start: combat
kinds:
  fight: {one: yes, given: {attacker: a side}}
  side: {given: {enemy: the other side, units: {are: units, each: unit}, mascots: {are: mascots, each: mascot}}}
  unit:
    given: {side: a side, men: 0 to 9, shy: flag, beside: flag}
    rolled: {die: one-die}
    noted: {ran: flag, hurt: flag}
  mascot: {given: {side: a side}}
dice: {one-die: d6}
sequences:
  combat:
    in-order:
      throw: {each: unit, roll: die}
      dies:  {each: unit, die: 1, do: leave}
      runs:  {each: unit where (shy), die: 2, do: [gain ran, leave]}
      hurts: {each: unit, die: 3, do: [take 1 from men, gain hurt]}
outcomes: {about: side, words: [some, none], first-of: {none: {number of units of side: 0, is: none}}, otherwise: some}
ends:
  unit:
    strength: men
    counted-in: men
    in-the-place: not beside
    first-of:
      ran:  {unit: ran,  is: withdrew}
      hurt: {unit: hurt, is: shaken}
  mascot: {strength: 0}
"""
FIGHT = """
situation:
  fight: {attacker: red}
  sides:
    red:  {units: {r1: {men: 2, shy: yes}, r2: {men: 4, beside: yes}}}
    blue: {units: {b1: {men: 2}}}
"""


def test_the_whole_force_counts_and_only_who_is_in_the_place_holds_it(tmp_path: Path) -> None:
    """r1 (2 men) dies on a 1, runs on a 2, loses one of two on a 3; r2 (4 men) stands beside; b1 dies on a 1."""
    found = ends_of(tmp_path, DUEL)
    red, blue = found.sides["red"], found.sides["blue"]
    assert (red.came, blue.came, red.counted_in) == (6, 2, "men")
    assert found.place.held == {"red": Fraction(4, 36), "blue": Fraction(10, 36)}
    assert (found.place.contested, found.place.nobody) == (Fraction(20, 36), Fraction(2, 36))
    assert red.fates["withdrew"] == Fraction(2, 36)  # a sixth of two of six
    assert red.fates["shaken"] == Fraction(1 + 3, 36)  # a sixth of the one that is left, and of three
    assert red.fates["lost"] == Fraction(2 + 1 + 4 + 1, 36)
    assert blue.lost == ((Fraction(0), Fraction(4, 6)), (Fraction(1, 2), Fraction(1, 6)), (Fraction(1), Fraction(1, 6)))
    assert blue.half_the_time == (0, Fraction(1, 2))
    assert found.units["r1"].fates["withdrew"] == Fraction(1, 6)
    assert found.units["r1"].lost == Fraction(2 + 1, 6)


def test_who_goes_over_to_the_enemy_is_lost_to_his_own_side(tmp_path: Path) -> None:
    """The same, but that r1 goes over to blue on a 2: he holds the place for blue, and blue is two men stronger."""
    over = "do: [remove unit from units of side, put unit into units of enemy of side]"
    found = ends_of(tmp_path, DUEL.replace("do: [gain ran, leave]", over))
    red, blue = found.sides["red"], found.sides["blue"]
    assert found.place.held == {"red": Fraction(4, 36), "blue": Fraction(5 + 6, 36)}
    assert (found.place.contested, found.place.nobody) == (Fraction(20, 36), Fraction(1, 36))
    assert red.fates["lost"] == Fraction(2 + 2 + 1 + 4 + 1, 36)
    assert blue.lost == tuple(
        (Fraction(share, 2), Fraction(n, 36)) for share, n in ((-2, 4), (-1, 1), (0, 20 + 1), (1, 5), (2, 5))
    )
    assert found.units["r1"].fates["lost"] == Fraction(2, 6)
    assert about(Fraction(-1, 3)) == "-33%" and about(Fraction(1, 300)) == "<1%"


def ends_of(folder: Path, text: str) -> Ends:
    (folder / "duel.yaml").write_text(text, "utf-8")
    document = as_mapping(parse(Source("fight.yaml", FIGHT)))
    found = work_out(fight(load(str(folder / "duel.yaml")), document), SIDES, common_end=UNITS).ends
    assert found is not None
    return found


def test_a_side_without_strength_has_no_shares(tmp_path: Path) -> None:
    found = ends_of(tmp_path, DUEL.replace("strength: men", "strength: 0"))
    assert found.sides == {}
    assert sum(found.place.held.values()) + found.place.contested + found.place.nobody == 1


@pytest.mark.parametrize(
    ("old", "new", "code", "says"),
    [
        ("is: withdrew}", "is: withdrawn}", "unknown-word", "withdrawn"),
        ("strength: men\n", "strenght: men\n", "missing-key", "strength"),
        ("strength: men\n", "strength: shy\n", "wrong-type", "a number"),
        ("in-the-place: not beside", "in-the-place: men", "wrong-type", ""),
        ("  mascot: {strength: 0}", "  goat: {strength: 0}", "unknown-name", "goat"),
        ("mascots: {are: mascots, each: mascot}", "", "wrong-type", "no side has a mascot"),
    ],
)
def test_what_is_wrong_with_ends_is_found(tmp_path: Path, old: str, new: str, code: str, says: str) -> None:
    assert old in DUEL
    (tmp_path / "duel.yaml").write_text(DUEL.replace(old, new), "utf-8")
    result = CliRunner().invoke(main, ["check", str(tmp_path / "duel.yaml"), "--format", "json"])
    found = json.loads(result.stdout)["diagnostics"]
    assert any(one["code"] == code and says in one["message"] for one in found), found


def test_a_variant_changes_a_fate(tmp_path: Path) -> None:
    (tmp_path / "duel.yaml").write_text(DUEL, "utf-8")
    (tmp_path / "brave.yaml").write_text(
        "variant: brave\nextends: duel.yaml\n"
        "changes: {c: {at: ends.unit.ran, set: {is: driven-off}, why: who runs is beaten}}\n",
        "utf-8",
    )
    document = as_mapping(parse(Source("fight.yaml", FIGHT)))
    found = work_out(fight(load(str(tmp_path / "brave.yaml")), document), SIDES, common_end=SIDES).ends
    assert found is not None
    assert found.sides["red"].fates["driven-off"] == Fraction(2, 36)


# ---- as it is shown --------------------------------------------------------------------------------------


def printed(*arguments: str) -> str:
    result = CliRunner().invoke(main, ["compare", *arguments], env={"COLUMNS": "80"})
    assert result.exit_code == 0, result.output
    return result.stdout


def shown(name: str, columns: int = 80, look: Shown = Shown()) -> str:  # noqa: B008 - it is frozen
    return compare_text(compared(name), False, look, Page(columns))


def words_of(comparison: Comparison) -> set[str]:
    texts = [
        comparison.title,
        comparison.story,
        *comparison.gives,
        *(w for said in comparison.gives.values() for w in said.values()),
    ]
    return {word for text in texts for word in text.split()} | {one.name for one in comparison.systems}


@pytest.mark.parametrize("name", NAMES)
def test_it_fits_a_page_of_eighty_and_splits_no_word(name: str) -> None:
    lines = shown(name).splitlines()
    assert max(map(len, lines)) <= 80
    assert len(lines) <= 24
    there = {word for line in lines for word in line.split()}
    played = {one.name for one in compared(name).systems}
    assert words_of(compared(name)) - there - played <= set()
    for side in compared(name).sides():
        assert side in there


def test_bars_give_way_first() -> None:
    narrow, wide = shown("lone-leader"), shown("farmhouse", 160)
    assert "█" in wide and "█" in narrow and "█" not in shown("farmhouse")
    assert re.sub("[█▏▎▍▌▋▊▉ \n]", "", wide) == re.sub("[█▏▎▍▌▋▊▉ \n]", "", shown("farmhouse"))


def test_more_systems_than_there_is_room_for_stand_below_each_other() -> None:
    lines = shown("farmhouse", 50).splitlines()
    assert sum(line.startswith("who holds it") for line in lines) > 1
    assert max(map(len, lines)) <= 50


def test_notes_and_units_on_request() -> None:
    plain = shown("lone-leader")
    assert "nominal strength" not in plain and "--notes" in plain
    assert "nominal strength" in shown("lone-leader", look=Shown(notes=True))
    assert re.search(r"^gl +german .*83\.33%", shown("lone-leader", look=Shown(units=True)), re.MULTILINE)


@pytest.mark.parametrize("name", [name for name in NAMES if name not in SLOW])
def test_the_json_is_as_its_schema_says(name: str) -> None:
    schema = json.loads((ROOT / "schemas" / "compare.schema.json").read_text("utf-8"))
    found: Mapping[str, list[Mapping[str, object]]] = json.loads(compare_json(compared(name), False))
    Draft202012Validator(schema).validate(found)
    played = [one for one in found["systems"] if "no_such_fight" not in one]
    assert all({"outcomes", "ends"} <= set(one) for one in played)


def test_fates_are_those_of_the_schemas() -> None:
    text = (ROOT / "schemas" / "compare.schema.json").read_text("utf-8")
    assert json.loads(text)["$defs"]["unit-end"]["properties"]["fates"]["propertyNames"]["enum"] == list(FATES)
    said = (ROOT / "rulesets" / "engagements" / "README.md").read_text("utf-8")
    assert all(f"| `{word}` |" in said for word in FATES)


# ---- given alike -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_what_the_story_gives_is_said_of_every_system(name: str) -> None:
    playable = {system for system, one in told(name).systems.items() if not isinstance(one.scene, NoSuchFight)}
    assert compared(name).gives
    for said in compared(name).gives.values():
        assert set(said) == playable
        assert all(len(words) <= 12 for words in said.values())


@pytest.mark.parametrize(
    ("name", "system", "old", "new", "counts"),
    [
        ("farmhouse", "squad-leader", " with light machine gun", "", True),
        ("farmhouse", "squad-leader", "ground: house", "ground: open ground", False),
        ("farmhouse", "skirmish", " with light machine gun", "", True),
        ("farmhouse", "skirmish", "ground: house", "ground: open ground", True),
        ("farmhouse", "assault", "ground: house", "ground: open ground", True),
        ("half-strength", "skirmish", ", stubborn", "", True),
        ("half-strength", "asl", ", stubborn", "", False),
        ("squads-and-leader", "assault", "ground: orchard", "ground: open ground", True),
        ("ambush-in-woods", "squad-leader", "ground: woods", "ground: open ground", False),
        ("ambush-in-woods", "squad-leader", "surprised ", "", True),
        ("lone-leader", "squad-leader", "german: officer", "german: leader", True),
        ("lone-leader", "asl", "german: officer", "german: leader", False),
        ("tank-rammed", "assault", "state: ramming", "", False),
    ],
)
def test_what_is_said_to_count_counts(name: str, system: str, old: str, new: str, counts: bool, tmp_path: Path) -> None:
    """Taken out of the telling it changes the common end of a system, or does not."""
    text = (ROOT / "rulesets" / "engagements" / f"{name}.yaml").read_text("utf-8")
    start = text.index("\nforces:")
    assert old in text[start:]
    (tmp_path / "other.yaml").write_text(text[:start] + text[start:].replace(old, new, 1), "utf-8")
    other = read_engagement(as_mapping(parse(read_source(str(tmp_path / "other.yaml")))), tmp_path)
    (changed,) = (one.chances for one in compare_systems(other, [system]).systems)
    assert changed is not None and changed.ends is not None
    assert (numbers(changed.ends) != numbers(ends(name, system))) is counts


@pytest.mark.parametrize(
    ("gives", "code"), [("{walls: {asl: nothing, chess: 2}}", "unknown-name"), ("{walls: {chess: 2}}", "missing-key")]
)
def test_what_is_wrong_with_gives_is_said(gives: str, code: str) -> None:
    text = f"engagement: e\ngives: {gives}\nsystems: {{asl: {{situation: {{}}}}}}\n"
    with pytest.raises(Faulty) as error:
        read_engagement(as_mapping(parse(Source("e.yaml", text))), None)
    assert code in {one.code for one in error.value.diagnostics}
