"""Playings that are recalled end as those that are played: the same state, the same notes, the same dice, the same story."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from closecombat.asking.fights.fight_files import NoSuchFight, staged
from closecombat.asking.played.resolution import resolve
from closecombat.binding.charts import Bound
from closecombat.binding.load import load
from closecombat.playing import fight as fights
from closecombat.playing import often
from closecombat.playing.fight import Fight
from closecombat.playing.memory import Memory
from closecombat.playing.often import played
from closecombat.playing.paths import MISSING, Die, Paths, Read
from closecombat.playing.run import Recorder, Run
from closecombat.proving.throws.dice import SeededDice
from closecombat.reading.slots import FactOf
from closecombat.reading.stack import shipped
from closecombat.reading.types import Thing
from closecombat.telling.trace import resolution_json
from closecombat.text.faults import Faulty
from engagements import NAMES, told
from paths import slots
from random_rules import FAMILIES, Rules, written
from two_readings import case

SYSTEMS = [(name, system) for name in NAMES for system in shipped()]
A = Thing("unit", "a", 0)
HITS, SHAKEN, NERVE = FactOf(A, "hits"), FactOf(A, "shaken"), FactOf(A, "nerve")
COIN = Die((1, 2), "a coin")


def thrown(*faces: int) -> Any:
    left = list(faces)
    return lambda question: left.pop(0)


# ---- paths ----------------------------------------------------------------------------------------------------


def test_a_path_is_found_by_what_it_asks_and_by_nothing_else() -> None:
    paths = Paths[str]()
    paths.keep([(HITS, 1), (SHAKEN, False), (COIN, 2)], "fell")
    state = {HITS: 1, SHAKEN: False, NERVE: 7}
    assert paths.gone(state, thrown(2)) == "fell"
    assert paths.gone(state, thrown(1)) is None
    assert paths.gone(state | {SHAKEN: True}, thrown()) is None  # no die is thrown where it is clear before
    assert paths.gone(state | {NERVE: 0}, thrown(2)) == "fell"
    assert (paths.found, paths.missed) == (2, 2)


def test_ways_that_ask_otherwise_part_where_they_do() -> None:
    paths = Paths[str]()
    paths.keep([(HITS, 1), (SHAKEN, False), (NERVE, 3)], "stood")
    paths.keep([(HITS, 1), (SHAKEN, True)], "ran")
    paths.keep([(HITS, 0), (NERVE, 3)], "cheered")
    paths.keep([(HITS, 1), (SHAKEN, False), (NERVE, 4)], "charged")
    ways = {(1, False, 3): "stood", (1, True, 9): "ran", (0, True, 3): "cheered", (1, False, 4): "charged"}
    for (hits, shaken, nerve), end in ways.items():
        assert paths.gone({HITS: hits, SHAKEN: shaken, NERVE: nerve}, thrown()) == end
    assert paths.gone({HITS: 1, SHAKEN: False, NERVE: 5}, thrown()) is None
    assert not paths.given_up


def test_what_nobody_has_written_is_a_value_too() -> None:
    paths = Paths[str]()
    paths.keep([(HITS, 1), (SHAKEN, MISSING)], "new")
    assert paths.gone({HITS: 1}, thrown()) == "new"
    assert paths.gone({HITS: 1, SHAKEN: None}, thrown()) is None


def test_a_piece_that_does_not_ask_the_same_for_the_same_is_given_up() -> None:
    paths = Paths[str]()
    paths.keep([(HITS, 1)], "one")
    paths.keep([(NERVE, 1)], "other")
    assert paths.given_up
    assert paths.gone({HITS: 1, NERVE: 1}, thrown()) is None


@cache
def loaded(system: str) -> Bound:
    return load(system)


# ---- playings -------------------------------------------------------------------------------------------------


def end(run: Run) -> Any:
    return {slot: str(value) for slot, value in slots(run).items()}, [m for m in run.notes.found if m in run.notes.met]


def plainly(fight: Fight, seed: int, until_resolved: bool = False, recorder: Recorder | None = None) -> Any:
    try:
        run = fights.begin(fight, SeededDice(seed), recorder)
        fights.go(run, until_resolved)
        return end(run)
    except Faulty as fault:
        return str(fault.diagnostics)


def recalled(fight: Fight, seed: int, until_resolved: bool = False) -> Any:
    try:
        return played(fight, SeededDice(seed), until_resolved, "all", end)[0]
    except Faulty as fault:
        return str(fault.diagnostics)


@pytest.mark.parametrize("seed", range(48))
def test_rules_made_up_from_a_seed_play_the_same(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    made = Rules(seed, FAMILIES, 3)
    try:
        small = case(written(made.rules), written({"situation": made.situation} | made.choices), made.questions)
        fight = fights.fight(small.bound, small.document)
    except Faulty:
        return
    for dice in (*range(12), *range(12)):  # the second time all of it is known
        assert recalled(fight, dice) == plainly(fight, dice)
    for dice in range(4):  # what is asked for the sake of telling changes nothing, and rests on the same
        assert plainly(fight, dice, recorder=Recorder()) == plainly(fight, dice)
    for dice in (*range(8), *range(8)):
        assert story(fight, dice, 0, monkeypatch) == story(fight, dice, 10**9, monkeypatch)


def story(fight: Fight, seed: int, few: int, monkeypatch: pytest.MonkeyPatch) -> Any:
    """All that is told of a playing, after so few that were not recalled."""
    with monkeypatch.context() as changed:
        changed.setattr(often, "FEW", few)
        try:
            told = resolve(fight, SeededDice(seed))
            return resolution_json(told), told.before
        except Faulty as fault:
            return str(fault.diagnostics)


@pytest.mark.parametrize(("name", "system"), SYSTEMS)
def test_an_engagement_is_told_the_same(name: str, system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    scene = told(name).systems[system].scene
    if isinstance(scene, NoSuchFight):
        return
    fight = staged(scene, loaded(system))
    for seed in (*range(4), *range(4)):
        assert recalled(fight, seed) == plainly(fight, seed)
        assert story(fight, seed, 0, monkeypatch) == story(fight, seed, 10**9, monkeypatch)


def test_what_was_read_of_one_playing_is_written_down_of_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who reads what happened gets the next playings told at once; who does not, not."""
    fight = staged(told("farmhouse").systems["skirmish"].scene, loaded("skirmish"))
    monkeypatch.setattr(often, "FEW", 0)
    first = resolve(fight, SeededDice(1))
    assert not often.was_read(fight)
    assert first.events == first.events != ()
    assert often.was_read(fight)
    assert not often.was_read(fight)


def test_a_piece_that_is_told_asks_what_was_read_before_it() -> None:
    paths = Paths[str]()
    nerve = Read("nerve-of", (A,))
    paths.keep([(HITS, 1), (nerve, MISSING), (SHAKEN, False)], "told")
    paths.keep([(HITS, 1), (nerve, 4)], "told before")
    memory = Memory(loaded("skirmish"))
    assert paths.gone({HITS: 1, SHAKEN: False}, thrown(), None, memory) == "told"
    memory.told[nerve] = 4, [], ()
    inside = memory.piece()
    assert paths.gone({HITS: 1, SHAKEN: False}, thrown(), None, inside) == "told before"
    inside.forget_all()
    assert paths.gone({HITS: 1, SHAKEN: False}, thrown(), None, inside) == "told"


@pytest.mark.parametrize("name", NAMES[:3])
def test_a_fight_to_the_end_is_recalled(name: str) -> None:
    scene = told(name).systems["skirmish"].scene
    if isinstance(scene, NoSuchFight):
        return
    fight = staged(scene, loaded("skirmish"))
    for seed in (*range(6), *range(6)):
        assert recalled(fight, seed, True) == plainly(fight, seed, True)


def test_another_fight_of_the_same_situation_is_not_recalled() -> None:
    scene = told("farmhouse").systems["skirmish"].scene
    fight = staged(scene, loaded("skirmish"))
    recalled(fight, 1)
    assert fight.often[0].fight is fight
    other = staged(scene, loaded("skirmish"))
    assert recalled(other, 1) == recalled(fight, 1)
    assert other.often[0] is not fight.often[0]
