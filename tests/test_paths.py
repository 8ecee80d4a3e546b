"""The readings against each other: every way the dice can fall, played, is what the exact reading says of it."""

from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from closecombat.asking.examples.examples import read_examples
from closecombat.binding.charts import Bound
from closecombat.binding.load import load
from closecombat.playing import fight as fights
from closecombat.proving.throws.dice import ScriptedDice
from closecombat.reading.stack import as_mapping
from closecombat.text.document import parse, read_source
from closecombat.text.nodes import Mapping
from paths import Path as OnePath
from paths import TooManyPaths, exact_ends, play, played_end, walk

HERE = Path(__file__).parent
SYSTEMS, SHIPPED = HERE / "systems", HERE.parent / "rulesets"
MOST_PATHS = 1_500

ruleset = cache(load)


@cache
def written(system: str) -> dict[str, Mapping]:
    """The situations of a system by name: its examples, and those of `exact/`."""
    folder = SYSTEMS / system if (SYSTEMS / system).is_dir() else SHIPPED / system
    found = {
        example.get("example").value: example
        for file in sorted((folder / "examples").glob("*.yaml"))
        for example in read_examples(file)
    }
    if (HERE / "exact" / f"{system}.yaml").is_file():
        document = as_mapping(parse(read_source(HERE / "exact" / f"{system}.yaml")))
        for part in ("situations", "walks"):
            if part in document:
                found |= {key.value: as_mapping(node) for key, node in as_mapping(document.get(part)).entries}
    return found


def fight(system: str, name: str, bound: Bound | None = None) -> fights.Fight:
    stack = str(SYSTEMS / system) if (SYSTEMS / system).is_dir() else system
    return fights.fight(bound or ruleset(stack), written(system)[name])


@cache
def walked(system: str, name: str) -> list[OnePath]:
    return list(walk(fight(system, name), MOST_PATHS))


def shares(paths: list[OnePath]) -> dict[object, Fraction]:
    out: dict[object, Fraction] = {}
    for path in paths:
        out[path.end] = out.get(path.end, Fraction(0)) + path.chance
    return out


WALKS = {
    "asl": [
        "broken-target",
        "pinned-against-concealed",
        "an-original-2-or-12",
        "who-slips-away-loses-his-attack",
        "the-ambusher-strikes-alone",
        "ambush-dice+0",
        "pa-amb-minus-2-night",
        "a11-11-4",
        "a11-11g-tie",
        "a11-141-2d",
        "berserk-comrade",
        "failure-to-rout",
    ],
    "squad-leader": [
        "broken-squad",
        "squad-against-squad",
        "sl-concealed-first",
        "sl-ex-04",
        "sl-leader-withdraws-alone",
        "sl-squad-leaves-leader-stays",
        "sl-overload",
        "sl-withdrawal-at-night",
        "sl-partisans-slip-away",
    ],
    "assault": [
        "initiated-one-green-each",
        "both-withdraw",
        "a-suppressed-unit-is-entered",
        "activated-in-a-renewed-round",
        "artillery-is-attacked",
        "passengers-jump-off",
        "wheels-chances",
        "wheels-chances-after-a-fast-move",
        "weakest-only-chances",
        "worn-unit",
    ],
    "skirmish": ["two-teams-share-two-dice", "crash-level", "crash-unequal", "no-dice-left", "certain-retirement"],
    "pike-and-card": ["even-push", "pike-against-horse", "up-the-hill"],
}


@pytest.mark.parametrize(("system", "name"), [(system, name) for system in WALKS for name in WALKS[system]])
def test_every_path_ends_as_the_exact_reading_says(system, name):
    ends = shares(walked(system, name))
    assert sum(ends.values()) == 1
    assert ends == exact_ends(fight(system, name))


@pytest.mark.parametrize(
    ("system", "name"),
    [
        ("asl", "an-original-2-or-12"), ("squad-leader", "sl-ex-04"), ("assault", "initiated-one-green-each"),
        ("skirmish", "no-dice-left"), ("pike-and-card", "even-push"),
    ],
)  # fmt: skip
def test_every_path_replayed_with_scripted_dice_ends_the_same(system, name):
    small = fight(system, name)
    for path in walked(system, name):
        dice = ScriptedDice([(face, None) for face in path.dice])
        again = play(small, dice)
        dice.finish()
        assert played_end(again) == path.end, path.dice


def test_a_fight_without_a_bound_once_it_is_given_one(tmp_path):
    """The invented fight to the end, cut off after one exchange of blows: every path, the rerolled saves included."""
    text = (SYSTEMS / "rear-guard" / "ruleset.yaml").read_text(encoding="utf-8")
    assert "at-most: unbounded" in text
    (tmp_path / "ruleset.yaml").write_text(text.replace("at-most: unbounded", "at-most: 1"), encoding="utf-8")
    small = fight("rear-guard", "one-on-one", load(str(tmp_path)))
    assert shares(list(walk(small, MOST_PATHS))) == exact_ends(small)


@pytest.mark.parametrize("name", ["one-on-one", "against-armour"])
def test_a_fight_to_the_end_as_far_as_four_dice_reach(name):
    """It has no last path: each end is at least as likely as the paths found, at most likelier by those cut off."""
    endless = fight("rear-guard", name)
    ends = shares(list(walk(endless, MOST_PATHS, dice_each=4)))
    cut_off, exact = ends.pop(None), exact_ends(endless)
    assert 0 < cut_off < 1 and sum(ends.values()) + cut_off == 1
    assert set(ends) <= set(exact)
    for end, chance in exact.items():
        assert ends.get(end, 0) <= chance <= ends.get(end, 0) + cut_off


def test_a_walk_too_long_is_given_up():
    with pytest.raises(TooManyPaths):
        list(walk(fight("skirmish", "three-against-two"), 10))
