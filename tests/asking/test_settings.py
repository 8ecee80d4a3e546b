"""A fight in every setting of what no die decides: held against plain Python, and against the same one by one."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import product
from pathlib import Path
from random import Random

import pytest

from brawl import GAME, Rules, chances
from closecombat.asking.exact.answers import SIDES, UNITS
from closecombat.asking.exact.chances import work_out
from closecombat.asking.exact.settings import Asked, of_every_setting
from closecombat.asking.exact.weighing import Rather
from closecombat.asking.fights.fight_files import Scene, read_scene, ruleset_of, single, staged
from closecombat.asking.keeping import came_to
from closecombat.asking.keeping.came_to import tell_by, told_by_both
from closecombat.binding.charts import Bound
from closecombat.binding.load import load
from closecombat.playing import compiled
from closecombat.playing.fight import Fight, begin, distribution, fight, go, losses, verdicts
from closecombat.playing.run import Run
from closecombat.playing.unknowns import (
    Counts,
    Given,
    Printed,
    Reading,
    Says,
    Setting,
    Shapes,
    Unknown,
    settled,
    unsettled,
)
from closecombat.proving.values.budget import SECOND, Budget
from closecombat.proving.values.symbolic import Value
from closecombat.reading.slots import FactOf
from closecombat.reading.stack import as_mapping
from closecombat.text.document import parse
from closecombat.text.faults import Faulty
from closecombat.text.nodes import Mapping, Node, Text
from closecombat.text.source import Source

SYSTEMS = Path(__file__).parents[1] / "systems"


def ends(run: Run) -> Sequence[Value]:
    return [*verdicts(run).values(), *losses(run).values()]


def told(bound: Bound, text: str) -> Fight:
    return fight(bound, as_mapping(parse(Source("a fight", text))))


def fact(where: tuple[str, ...], values: tuple[str, ...]) -> Unknown:
    return Unknown(Given(" ".join(where), partial(put, where)), values)


def put(where: tuple[str, ...], node: Node, value: str) -> Node:
    if not where:
        return parse(Source("a value", value))
    assert isinstance(node, Mapping)
    said = {key.value: (key, value) for key, value in node.entries}
    key, inner = said.get(where[0], (Text(where[0], node.span, True, node.span), Mapping((), node.span)))
    return Mapping(tuple((said | {where[0]: (key, put(where[1:], inner, value))}).values()), node.span)


@pytest.fixture
def brawl(tmp_path: Path) -> Bound:
    (tmp_path / "ruleset.yaml").write_text(GAME["ruleset.yaml"], "utf-8")
    return load(str(tmp_path))


@pytest.mark.parametrize("often", [64, 1])
def test_every_setting_of_rules_and_facts_is_as_reckoned_apart(
    brawl: Bound, often: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Charts read by their closures, and by their functions from the second time on."""
    monkeypatch.setattr(compiled, "OFTEN_PROVED", often)
    unknowns = (
        Unknown(Says("blow", "tired"), (-1, -2, 0, 3)),
        Unknown(Counts("blow", "drunk"), (True, False)),
        Unknown(Reading("reeling"), ("stands", "falls")),
        fact(("sides", "a", "tired"), ("no", "yes")),
        fact(("sides", "b", "dug-in"), ("yes", "no")),
    )
    bare = told(brawl, "situation: {fight: {attacker: a}, sides: {a: {}, b: {drunk: yes}}}")
    found = of_every_setting(Asked(bare, unknowns, ends))
    assert list(found) == list(product(*(one.values for one in unknowns)))
    words = {"destroyed", "shaken", "unharmed"}
    for (tired, drunk_counts, reeling, is_tired, dug_in), chance in found.items():
        rules = Rules(tired=tired, drunk=-2 if drunk_counts else 0, dazed_falls=reeling == "falls")
        by_hand = chances(rules, {"tired": is_tired == "yes"}, {"drunk": True, "dug-in": dug_in == "yes"})
        assert not isinstance(chance, Faulty)
        for at, side in enumerate("ab"):
            for word in words:
                mine = sum((c for row, c in chance.items() if row[at] == word), Fraction(0))
                assert mine == by_hand.get((side, word), 0)
            lost = sum((row[2 + at] * c for row, c in chance.items()), Fraction(0))
            assert lost == 4 * by_hand.get((side, "destroyed"), 0)


def by_itself(asked: Asked, setting: Setting) -> object:
    """The chances in one setting, or the fault."""
    try:
        run = begin(settled(asked.fight, asked.unknowns, setting), None)
        go(run)
        return distribution(run, list(ends(run)))
    except Faulty as fault:
        return fault


def met(ready: Fight) -> list[Unknown]:
    """The readings, and the rows of sums, that a fight comes to."""
    run = begin(ready, None)
    go(run)
    ends(run)
    rules = ready.bound.ruleset
    options = [
        Unknown(Reading(name), tuple(sorted(one.readings, key=lambda reading: reading != ready.options[name])))
        for name, one in rules.options.items()
        if id(one) in run.met
    ]
    sums = [table for table in rules.tables.values() if table.policy in ("adds-up", "forbidden-if")]
    rows = [(table.name, row.id) for table in sums for row in table.rows if id(row.where) in run.met]
    return [*options, *(Unknown(Counts(*row), (True, False)) for row in rows)]


FIGHTS = [
    ("half-strength", "squad-leader"),
    ("lone-leader", "squad-leader"),
    ("withdrawal", "squad-leader"),
    ("broken-squad-caught", "assault"),
    ("squads-and-leader", "assault"),
    ("lone-leader", "asl"),
    *((file, "") for name in ("tavern-brawl", "war-band", "pike-and-card", "duellists", "gun-and-plate", "rear-guard")
      for file in sorted(str(path) for path in (SYSTEMS / name / "examples").glob("*.yaml"))[:1]),
]  # fmt: skip


def scene_and_rules(name: str, system: str) -> tuple[Scene, Bound]:
    if not system:
        document = as_mapping(parse(Source(name, Path(name).read_text("utf-8"))))
        named = as_mapping(document.get("examples").items[0]).get("example").value if "examples" in document else ""
        name = f"{name}#{named}" if named else name
    scene = single(read_scene(name), system)
    return scene, ruleset_of(scene, system)


@pytest.mark.parametrize(("name", "system"), FIGHTS)
def test_what_is_worked_out_together_is_the_same_one_by_one(name: str, system: str) -> None:
    ready = staged(*scene_and_rules(name, system))
    unknowns = met(ready)
    Random(1).shuffle(unknowns)
    asked = Asked(ready, tuple(unknowns[:2]), ends)
    found = of_every_setting(asked)
    assert len(found) == len(list(product(*(one.values for one in asked.unknowns))))
    for setting, chance in found.items():
        alone = by_itself(asked, setting)
        assert isinstance(alone, Faulty) if isinstance(chance, Faulty) else chance == alone


@pytest.mark.parametrize("together", [came_to.TOGETHER, 0])
@pytest.mark.parametrize(("name", "system"), FIGHTS)
def test_two_fights_written_as_one_come_to_what_each_comes_to(
    name: str, system: str, together: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Weighed together, and one by one: fights that differ in some facts of which nothing need be said."""
    monkeypatch.setattr(came_to, "TOGETHER", together)
    ready = staged(*scene_and_rules(name, system))
    state, random = begin(ready, None).state, Random(len(name))
    flags = [slot for slot, value in state.slots.items() if isinstance(slot, FactOf) and type(value) is bool]
    for number in (1, 2):
        changed = state.copy()
        changed.slots.update({slot: not state.slots[slot] for slot in random.sample(flags, min(number, len(flags)))})
        other = replace(ready, openings=[changed])
        both, _ = told_by_both(ready, other, None, lambda reached: True)
        alone = [tell_by(one, SIDES, None, rather=Rather(UNITS, came_to.BY_UNITS)) for one in (ready, other)]
        if both is None:
            assert any(one.code for one in alone)
            continue
        for found, mine in zip(both, alone, strict=True):
            assert (found.code, found.verdicts, found.losses) == (mine.code, mine.verdicts, mine.losses)
            assert found.changes == mine.changes or found.by_units is not mine.by_units


@pytest.mark.parametrize(
    ("name", "system"), [("half-strength", "skirmish"), ("farmhouse", "assault"), ("night-raid", "squad-leader")]
)
def test_what_a_result_rests_on_is_the_same_beside_it_and_by_itself(
    name: str, system: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ready = staged(*scene_and_rules(name, system))
    found = []
    for work in (SECOND, 0):
        monkeypatch.setattr("closecombat.playing.fight.BESIDE", work)
        found.append(work_out(ready, SIDES))
    assert found[0] == found[1] and found[0].assumptions


GATE = """
ruleset: gate
title: A gate
language: 1
start: rush
options: {dark: {readings: [open, shut], default: open, why: The text does not say.}}
kinds:
  fight: {one: yes, given: {attacker: a side}}
  side:
    given: {enemy: the other side, units: {are: units, each: unit}, deep: flag}
    rolled: {luck: some}
    chosen: {charging: flag}
  unit: {given: {side: a side, men: {is: 1 to 9, default: 2}, fit: {is: 0 to 9, default: men}}, noted: {dead: flag}}
counters: {unit: {columns: [size], rows: {small: [1], large: [2]}}}
dice: {some: {die: d6, number: pool}}
tables:
  pool: {about: side, adds-up: {men: {add: total fit of units of side}, deep: {side: deep, add: -1}, some: {add: 1}}}
  wrong: {about: side, forbidden-if: {shut: {when: dark is shut, says: it is shut}, deep: {side: deep, says: too deep}}}
  blood: {about: side, is: number of luck of enemy of side where (face is at least 5)}
  toll:
    about: side
    across: total size of units of side
    columns: ["0", "1", "2", "3"]
    cells: [0, 1, 1, 5]
sequences:
  rush:
    in-order:
      ask:   {each: side, choose: charging, otherwise: yes, legal: wrong}
      throw: {each: side, roll: luck}
outcomes:
  about: side
  words: [unharmed, reduced]
  first-of: {hurt: {blood of side: at least 1, is: reduced}}
  otherwise: unharmed
strength-lost: {about: side, unit: men, is: blood + toll}
"""
TWO = "situation: {fight: {attacker: a}, sides: {a: {units: {x: {counter: small}}}, b: {units: {y: {counter: large}}}}}"


@pytest.fixture
def gate(tmp_path: Path) -> Bound:
    text = GATE.replace("  unit: {given", "  unit: {printed: {size: 0 to 9}, given")
    (tmp_path / "ruleset.yaml").write_text(text, "utf-8")
    return load(str(tmp_path))


def unharmed(dice: int) -> Fraction:
    return Fraction(4, 6) ** dice


def test_a_setting_that_is_forbidden_or_at_fault_does_not_stop_the_others(gate: Bound) -> None:
    unknowns = (
        Unknown(Reading("dark"), ("open", "shut")),
        Unknown(Counts("wrong", "shut"), (True, False)),
        Unknown(Says("pool", "some"), (1, 2, -40)),
        fact(("sides", "a", "deep"), ("no", "yes")),
    )
    found = of_every_setting(Asked(told(gate, TWO), unknowns, ends))
    for (dark, shut_counts, more, deep), chance in found.items():
        dice = 2 + more - (deep == "yes")
        if (dark == "shut" and shut_counts) or deep == "yes":
            assert isinstance(chance, Faulty) and chance.codes == {"illegal-declaration"}
        elif dice < 0:
            assert isinstance(chance, Faulty) and chance.codes == {"out-of-range"}
        else:
            assert not isinstance(chance, Faulty)
            safe = sum((c for row, c in chance.items() if row[1] == "unharmed"), Fraction(0))
            assert safe == unharmed(dice)


def test_facts_that_others_follow_and_cells_of_a_chart(gate: Bound) -> None:
    men = fact(("sides", "a", "units", "x", "men"), ("1", "2", "4"))
    cell = Unknown(Printed("toll", 0, 2), (1, 3))
    found = of_every_setting(Asked(told(gate, TWO), (men, cell), ends))
    for (many, toll), chance in found.items():
        assert not isinstance(chance, Faulty)
        dice = int(many) + 1  # as many as are fit: unless it is said, as there are men
        assert sum((c for row, c in chance.items() if row[1] == "unharmed"), Fraction(0)) == unharmed(dice)
        assert min(row[3] for row in chance) == toll and min(row[2] for row in chance) == 1


def test_who_is_there_as_what_is_no_value_of_a_state_and_is_told_all_the_same(gate: Bound) -> None:
    counter = fact(("sides", "a", "units", "x", "counter"), ("small", "large"))
    men = fact(("sides", "a", "units", "x", "men"), ("1", "2"))
    with pytest.raises(Shapes):
        unsettled(told(gate, TWO), (counter, men))
    found = of_every_setting(Asked(told(gate, TWO), (men, counter), ends))
    for (many, which), chance in found.items():
        assert not isinstance(chance, Faulty)
        assert min(row[2] for row in chance) == 1, "the toll of one or two"
        assert sum((c for row, c in chance.items() if row[1] == "unharmed"), Fraction(0)) == unharmed(int(many) + 1)
        assert which in ("small", "large")


def test_all_settings_together_may_take_no_more_than_is_said(gate: Bound) -> None:
    with pytest.raises(Faulty) as caught:
        of_every_setting(Asked(told(gate, TWO), (Unknown(Says("pool", "some"), (1, 2)),), ends, total=Budget(10)))
    assert caught.value.codes == {"takes-long"}
