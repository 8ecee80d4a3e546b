"""The exact chances of the rulesets against the brute force of `brute/`, situation by situation, to the last fraction."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from closecombat.binding.load import load
from closecombat.playing import fight as fights
from closecombat.playing.run import Run
from closecombat.reading.slots import FactOf
from closecombat.reading.stack import as_mapping
from closecombat.text.document import parse, read_source
from closecombat.text.nodes import Mapping, Text
from closecombat.text.source import Source
from test_brute import MODULES as ORACLES
from test_brute import situations as oracle

HERE = Path(__file__).parent / "exact"
Ends = dict[tuple, Fraction]

ruleset = cache(load)


@cache
def situations(system: str) -> dict[str, Mapping]:
    document = as_mapping(parse(read_source(HERE / f"{system}.yaml")))
    found = document.get("situations")
    assert isinstance(found, Mapping)
    return {key.value: as_mapping(node) for key, node in found.entries}


def worked_out(system: str, name: str) -> Run:
    run = fights.begin(fights.fight(ruleset(system), situations(system)[name]), None)
    fights.go(run)
    return run


def chances(run: Run, sentences: list[str]) -> dict[tuple, Fraction]:
    """The joint distribution of what these sentences read at the end."""
    found = []
    for sentence in sentences:
        text = parse(Source("a sentence", sentence))
        assert isinstance(text, Text)
        found.append(fights.asked(run, text)[0])
    return fights.distribution(run, found)


def told(run: Run, who: list[str], sentences: list[str], read: Callable[..., object]) -> Ends:
    """Of everybody in `who` what `read` makes of the sentences about him."""
    step, ends = len(sentences), {}
    asked = [sentence.format(one) for one in who for sentence in sentences]
    for row, weight in chances(run, asked).items():
        end = tuple((one, read(run, one, *row[i * step : (i + 1) * step])) for i, one in enumerate(who))
        ends[end] = ends.get(end, 0) + weight
    return ends


def units(run: Run) -> list[str]:
    return sorted(unit.name for unit in run.state.by_kind["unit"])


def asl_ends(run: Run, name: str) -> Ends:
    def status(run, unit, here, got_away, wounded, kind):
        was = run.start[FactOf(run.state.things[unit], "class")]
        if not here:
            return "withdrawn" if got_away else "gone"
        return "reduced" if kind != was else "wounded" if wounded else "ok"

    if name.startswith("ambush-dice"):
        return told(run, ["attacker", "defender"], ["ambusher of {}"], lambda *a: "ambushes" if a[-1] else "ok")
    return told(run, units(run), ["{} is in-play", "got-away of {}", "wounded of {}", "class of {}"], status)


def squad_leader_ends(run: Run, name: str) -> Ends:
    def status(run, unit, here, withdrawn):
        return "ok" if here else "withdrawn" if withdrawn else "gone"

    return told(run, units(run), ["{} is in-play", "withdrawn of {}"], status)


def assault_ends(run: Run, name: str) -> Ends:
    def status(run, side, here, damage, half, falls_back):
        return (damage, half, falls_back, False) if here else (0, False, False, True)

    facts = ["in-play", "damage-points", "half-strength", "driven-out"]
    return told(run, ["initiator", "occupant"], [f"{fact} of fighter-at-start of {{}}" for fact in facts], status)


def skirmish_ends(run: Run, name: str) -> Ends:
    """A unit that surrenders is gone; its men are those of its Team, who stay as they were."""

    def status(run, side, men, shock, retreat, surrendered, broken):
        return (men, shock, retreat, surrendered, broken) if men else (0, 0, 0, False, False)

    names = {"attacker": "a", "defender": "d"}
    facts = ["men of {}t", "shock of {}t", "retreat of {}", "surrendered of {}", "broken of {}"]
    joint: Ends = {}
    asked = [fact.format(unit) for unit in names.values() for fact in facts]
    for row, weight in chances(run, asked).items():
        end = tuple((side, status(run, side, *row[i * 5 : i * 5 + 5])) for i, side in enumerate(names))
        joint[end] = joint.get(end, 0) + weight
    return joint


ENDS: dict[str, Callable[[Run, str], Ends]] = {
    "asl": asl_ends,
    "squad-leader": squad_leader_ends,
    "assault": assault_ends,
    "skirmish": skirmish_ends,
}


def cases() -> Iterator[tuple[str, str]]:
    for system in ORACLES:
        for name in situations(system):
            yield system, name


@pytest.mark.parametrize("system", ORACLES)
def test_every_situation_of_the_oracle_is_written_down(system):
    assert set(situations(system)) == set(oracle(system))


@pytest.mark.parametrize(("system", "name"), list(cases()))
def test_the_exact_chances_are_those_of_brute_force(system, name):
    found = ENDS[system](worked_out(system, name), name)
    assert sum(found.values()) == 1
    assert found == oracle(system)[name]
