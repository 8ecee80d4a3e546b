"""What holds of every example of every ruleset: chances that sum to one, and playings that end where they may."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from closecombat.asking.examples.examples import read_examples
from closecombat.binding.load import load
from closecombat.playing import fight as fights
from closecombat.playing.choices import Illegal
from closecombat.proving.throws.dice import SeededDice
from closecombat.reading.stack import as_mapping
from closecombat.text.document import parse, read_source
from closecombat.text.faults import Faulty
from closecombat.text.nodes import Mapping
from paths import exact_ends, play, played_end

HERE = Path(__file__).parent
FOLDERS = {
    folder.name: folder
    for base in (HERE.parent / "rulesets", HERE / "systems")
    for folder in sorted(base.iterdir())
    if (folder / "ruleset.yaml").is_file()
}
SEEDS = (1, 2, 3)

# More than a second of work for the exact reading of the verdicts alone.
SLOW = {
    "beaten-by-four-breaks",
    "kills-beyond-fall-in-listed-order",
    "who-has-joined-stays",
    "forty-against-forty",
    "more-odd-hits-than-teams",
    "odd-hits-by-choice",
    "odd-hits-in-order",
    "one-odd-hit-of-each-sort",
    "sk-ex-01",
    "sk-ex-02",
    "a-slip-before-the-answer",
    "alone-to-answer",
    "the-leader-has-spent-himself",
    "a11-34-1a",
    "a11-34-two-phases",
    "a11-62-1",
    "ambushers-kill-the-tank",
    "ambushers-on-the-escort",
    "ambushers-on-the-escort-seen-later",
    "cavalry-stays-in-an-ambush",
    "cx-h3",
    "cx-h3g",
    "gone-before-the-answer",
    "no-second-ambush",
    "one-after-the-other-to-the-end",
    "one-attack-after-the-other",
    "seven-storms",
    "seven-storms-of-ambush",
    "the-attacker-names-the-next",
    "two-rounds-of-their-own",
    "vd-left-to-it",
}

# What is chosen there is against the rules when other dice fall, which ends a playing and the exact reading alike.
FORBIDDEN_ELSEWHERE = {
    "alone-to-answer",
    "his-guards-are-gone",
    "left-by-his-squad",
    "renewed-after-a-reoccupation",
    "singled-out-when-alone",
    "the-owner-says-who-takes-two",
    "to-another-squad",
    "to-another-squad-of-himself",
    "a-feint-deceives",
    "blue-sees-through-red",
    "two-nights",
}

# Of each system, small enough for the joint chances of every fact there is.
SAMPLE = {
    "asl": ["a11-11-1", "a11-12-d", "a11-141-1a", "a11-41-1a", "cx-k4b", "cx-k4e", "cx-g5a", "cx-h3d", "pa-amb-plus-0"],
    "squad-leader": ["sl-concealed-first", "sl-leader-dies-with-his-squads", "sl-night-advance", "sl-smoke-and-fog"],
    "assault": ["as-ex-02", "as-ex-06a", "one-critical", "passengers-jump-off", "wheels-at-the-same-moment"],
    "skirmish": ["crash-level", "no-dice-left", "one-against-one", "the-tank-is-faced", "two-draws", "over-the-hedge"],
    "pike-and-card": ["even-push", "pike-against-horse", "up-the-hill"],
    "rear-guard": ["one-on-one", "two-on-one", "against-armour"],
}


@cache
def ruleset(system: str):
    return load(str(FOLDERS[system]))


@cache
def examples(system: str) -> dict[str, Mapping]:
    """Its examples by name, but those whose choices are forbidden."""
    found = {}
    for file in sorted((FOLDERS[system] / "examples").glob("*.yaml")):
        for example in read_examples(file):
            expect = example.get("expect")
            if not isinstance(expect, Mapping) or "illegal" not in expect:
                found[example.get("example").value] = example
    return found


def fight(system: str, name: str) -> fights.Fight:
    return fights.fight(ruleset(system), examples(system)[name])


def cases() -> Iterator[tuple[str, str]]:
    for system in FOLDERS:
        for name in examples(system):
            yield system, name


def test_the_lists_name_examples_that_there_are():
    known = set(cases())
    assert {name for _, name in known} >= SLOW | FORBIDDEN_ELSEWHERE
    assert {(system, name) for system, names in SAMPLE.items() for name in names} <= known


PROVED = [case for case in cases() if case[1] not in SLOW | FORBIDDEN_ELSEWHERE]


def proved(system, name):
    run = fights.begin(fight(system, name), None)
    fights.go(run)
    return fights.distribution(run, list(fights.verdicts(run).values()))


@pytest.mark.parametrize(("system", "name"), PROVED)
def test_exact_chances_sum_to_one(system, name):
    chances = proved(system, name)
    assert sum(chances.values()) == 1
    assert all(type(chance) is Fraction and chance > 0 for chance in chances.values())


@pytest.mark.parametrize(("system", "name"), [case for case in cases() if case[1] in FORBIDDEN_ELSEWHERE - SLOW])
def test_what_other_dice_forbid_is_refused(system, name):
    with pytest.raises(Faulty) as found:
        proved(system, name)
    assert found.value.codes == {"illegal-declaration"}


def played(system, name, seed):
    """How a playing ends, or the clauses that forbid what is chosen."""
    try:
        return played_end(play(fight(system, name), SeededDice(seed)))
    except Faulty as refused:
        assert name in FORBIDDEN_ELSEWHERE and refused.codes == {"illegal-declaration"}
        return refused.clauses if isinstance(refused, Illegal) else refused.codes


@pytest.mark.parametrize(("system", "name"), list(cases()))
def test_a_playing_comes_to_an_end_and_the_same_seed_to_the_same(system, name):
    for seed in SEEDS:
        assert played(system, name, seed) == played(system, name, seed)


@pytest.mark.parametrize(("system", "name"), [(system, name) for system in SAMPLE for name in SAMPLE[system]])
def test_a_playing_ends_where_the_exact_reading_says_it_may(system, name):
    sample = fight(system, name)
    possible = exact_ends(sample)
    assert sum(possible.values()) == 1
    for seed in range(20):
        assert possible.get(played_end(play(sample, SeededDice(seed))), 0) > 0, seed


@pytest.mark.parametrize("system", ["asl", "squad-leader", "assault", "skirmish"])
def test_situations_of_the_exactness_tests_are_played_too(system):
    document = as_mapping(parse(read_source(HERE / "exact" / f"{system}.yaml")))
    for _, node in as_mapping(document.get("situations")).entries:
        small = fights.fight(ruleset(system), as_mapping(node))
        for seed in SEEDS:
            play(small, SeededDice(seed))
