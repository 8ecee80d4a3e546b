"""The shipped engagements: every system tells the fight, says why so, and its chances sum to one."""

import json
import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from closecombat.asking.fights.fight_files import NoSuchFight, read_engagement, staged
from closecombat.asking.played.resolution import resolve
from closecombat.asking.systems.compare import compare_systems
from closecombat.binding.charts import Bound
from closecombat.binding.load import load
from closecombat.proving.throws.dice import SeededDice
from closecombat.reading.stack import as_mapping, load_stack, shipped
from closecombat.text.document import parse, read_source
from closecombat.text.nodes import Listing, Mapping, Node, Text
from engagements import FOLDER, NAMES, compared, shares, told

BY_HAND = json.loads((Path(__file__).parent / "told_by_hand.json").read_text("utf-8"))
SYSTEMS = [(name, system) for name in NAMES for system in shipped()]


@cache
def loaded(system: str) -> Bound:
    return load(system)


@cache
def cited(system: str) -> frozenset[str]:
    """Every clause that a ruleset cites anywhere."""
    return frozenset(under("cites", load_stack(system).document))


def under(key: str, node: Node | None) -> Iterator[str]:
    match node:
        case Mapping(entries=entries):
            for name, value in entries:
                yield from texts(value) if name.value == key else under(key, value)
        case Listing(items=items):
            for item in items:
                yield from under(key, item)


def texts(node: Node | None) -> Iterator[str]:
    match node:
        case Text(value=value):
            yield value
        case Listing(items=items):
            for item in items:
                yield from texts(item)


@pytest.mark.parametrize("name", NAMES)
def test_an_engagement_is_told_for_every_ruleset(name: str) -> None:
    found = told(name)
    assert found.name == name
    assert found.title and found.story
    assert set(found.systems) == set(shipped())


@pytest.mark.parametrize("name", NAMES)
def test_it_compares_and_chances_sum_to_one(name: str) -> None:
    for one in compared(name).systems:
        if one.chances is None:
            assert one.none is not None
            continue
        sums = [sum(each.probability for each in one.chances.outcomes)]
        sums += [sum(found.values()) for found in one.chances.verdicts.values()]
        sums += [sum(chance for _, chance in loss.distribution) for loss in one.chances.losses.values()]
        assert sums == [Fraction(1)] * len(sums)
        assert all(0 < each.probability <= 1 for each in one.chances.outcomes)


@pytest.mark.parametrize("name", BY_HAND)
def test_the_chances_are_those_of_the_fight_told_by_hand(name: str) -> None:
    """Recorded when each of the eleven was written four times."""
    assert {one.name for one in compared(name).systems} == set(BY_HAND[name])
    for one in compared(name).systems:
        was = BY_HAND[name][one.name]
        assert (one.chances is None) == (was is None)
        if one.chances is not None:
            assert one.chances.ends is not None and shares(one.chances.ends) == was


@pytest.mark.parametrize(("name", "system"), SYSTEMS)
def test_it_can_be_played_to_the_end(name: str, system: str) -> None:
    """Whatever happens in a turn, what the situation declares for the next one can still be played."""
    scene = told(name).systems[system].scene
    if isinstance(scene, NoSuchFight):
        return
    fight = staged(scene, loaded(system))
    for seed in range(8):
        played = resolve(fight, SeededDice(seed), until_resolved=True)
        assert len(played.sides) == 2


@pytest.mark.parametrize("name", NAMES)
def test_the_sides_have_the_same_names_in_every_system(name: str) -> None:
    played = [set(one.chances.verdicts) for one in compared(name).systems if one.chances]
    assert len(played) >= 2
    assert all(sides == played[0] and len(sides) == 2 for sides in played)


@pytest.mark.parametrize(("name", "system"), SYSTEMS)
def test_every_translation_has_a_reason(name: str, system: str) -> None:
    one = told(name).systems[system]
    if isinstance(one.scene, NoSuchFight):
        assert one.scene.why
        assert one.scene.clause in cited(system)
    else:
        assert one.because and all(one.because)


@pytest.mark.parametrize("name", NAMES)
def test_the_guide_lists_it(name: str) -> None:
    assert f"`{name}.yaml`" in (FOLDER / "README.md").read_text("utf-8")


def test_the_example_of_the_guide_compares(tmp_path: Path) -> None:
    (text,) = re.findall(r"```yaml\n(.*?)```", (FOLDER / "README.md").read_text("utf-8"), re.DOTALL)
    (tmp_path / "patrols.yaml").write_text(text, "utf-8")
    document = as_mapping(parse(read_source(str(tmp_path / "patrols.yaml"))))
    found = compare_systems(read_engagement(document, tmp_path))
    assert [one.name for one in found.systems if one.chances] == ["asl", "squad-leader", "assault", "skirmish"]


# ---- what the rules themselves say of these fights, reckoned by hand -------------------------------------


@pytest.mark.parametrize(
    ("name", "system", "side", "verdict", "chance"),
    [
        ("broken-squad-caught", "asl", "soviet", "destroyed", "15/36"),          # 1-1 is 5, at -2: 2 to 6
        ("broken-squad-caught", "squad-leader", "soviet", "destroyed", "21/36"), # 5 or less, at -2: 2 to 7
        ("broken-squad-caught", "assault", "soviet", "driven-off", "1"),         # falls back when entered
        ("withdrawal", "asl", "soviet", "locked", "6/36"),                       # a 7 cuts it to a half-squad
        ("withdrawal", "asl", "soviet", "driven-off", "15/36"),                  # 8 to 12
        ("withdrawal", "squad-leader", "soviet", "driven-off", "15/36"),
        ("withdrawal", "assault", "soviet", "driven-off", "1"),
        ("half-strength", "squad-leader", "soviet", "destroyed", "21/36"),       # 4 to 2 is 2-1: 7; no double matters
        ("half-strength", "asl", "german", "destroyed", "3/36"),                 # 2 to 4 is 1-2: less than 4
        ("lone-leader", "squad-leader", "german", "destroyed", "30/36"),         # 4-1 is 9
        ("lone-leader", "asl", "soviet", "destroyed", "1/36"),                   # 1-4 is 3, and he leads nobody
        ("squads-and-leader", "asl", "soviet", "destroyed", "15/36"),            # 13 to 8 is 3-2: 6, at -1
        ("squads-and-leader", "squad-leader", "soviet", "destroyed", "21/36"),   # 12 to 8 is 3-2: 6, at -1
        ("half-track-assaulted", "asl", "german", "destroyed", "10/36"),         # CCV 6, -2 and +2: 2 to 5
        ("tank-rammed", "skirmish", "german", "shaken", "1"),                    # a crash costs no men, but Shock
        ("squad-in-a-building", "squad-leader", "german", "destroyed", "10/36"), # 1-1 is 5
        ("ambush-in-woods", "squad-leader", "german", "destroyed", "10/36"),
        ("ambush-in-woods", "squad-leader", "soviet", "destroyed", "65/324"),    # 26/36 live to strike back
    ],
)  # fmt: skip
def test_chances_by_hand(name: str, system: str, side: str, verdict: str, chance: str) -> None:
    (one,) = (one for one in compared(name).systems if one.name == system)
    assert one.chances is not None
    assert one.chances.verdicts[side].get(verdict, Fraction(0)) == Fraction(chance)
