"""Charts compiled: each says what its closures say, for the same rows, with the same faults, and notes the same.

What a chart says is stated by hand, for each policy and kind of sentence; then rulesets made up from seeds are played,
and all their charts read, by closures and by functions.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from closecombat.binding.charts import Bound
from closecombat.binding.load import load
from closecombat.playing import compiled as often
from closecombat.playing import fight as fights
from closecombat.playing.compiled import charts_of
from closecombat.playing.run import Run
from closecombat.proving.throws.dice import SeededDice
from closecombat.proving.values.symbolic import Sym
from closecombat.reading.model import Grid, Table
from closecombat.reading.slots import FactOf
from closecombat.reading.stack import as_mapping
from closecombat.reading.types import AThing
from closecombat.text.document import parse
from closecombat.text.faults import Faulty
from closecombat.text.source import Source
from paths import slots
from random_rules import FAMILIES, Rules, written
from two_readings import Case, case

RULES = """\
ruleset: charts
language: 1
start: go
words: {letter: [a, b, c, d, e, f], colour: [red, blue, green], size: [small, middle, large]}
kinds:
  fight: {one: yes, given: {weather: [dry, wet], level: -2 to 3, attacker: a side}}
  side:
    given: {enemy: the other side, units: {are: units, each: unit}, share: number, boss: a unit or nobody,
            stores: {per: colour, is: 0 to 9}, loud: flag, bonus: 0 to 9 or nobody}
  unit: {given: {side: a side, hits: 0 to 9, broken: flag, build: size, mate: a unit or nobody, aim: 1 to 6 or nobody}}
groups:
  fit: {about: side, each: fit-one, are: units where (not broken)}
tables:
TABLES
sequences: {go: {in-order: {nothing: {when: loud of attacker, do: lose loud of attacker}}}}
"""
SITUATION = """\
situation:
  fight: {weather: wet, level: 2, attacker: a}
  sides:
    a: {units: {x: {hits: 0, build: small, mate: y},
                y: {hits: 1, build: large, broken: yes, mate: nobody},
                z: {hits: 3, build: middle, mate: x, aim: 2}}, share: 3/2, boss: y, stores: {red: 2, blue: 0, green: 7}, loud: yes, bonus: 4}
    b: {units: {w: {hits: 9, build: middle, mate: nobody}}, share: 100000000000000000000, boss: nobody, stores: {red: 1, blue: 1, green: 1}, bonus: nobody}
"""
CASES: dict[str, tuple[str, dict[str, Any]]] = {
    # adds-up
    "adds": (
        "adds-up: {p: {loud: yes, add: 2}, q: {loud: no, add: 4}, r: {level: at least 2, add: -1}}",
        {"a": (1, "pr"), "b": (3, "qr")},
    ),
    "begins": ("start: 5\n    adds-up: {p: {loud: yes, add: share}}\n    at-most: 6", {"a": (6, "p"), "b": (5, "")}),
    "ends": (
        "adds-up: {p: {loud: yes, add: -8}, q: {loud: no, add: share}}\n    at-least: 0 - 2",
        {"a": (-2, "p"), "b": (10**20, "q")},
    ),
    "fractions": ("adds-up: {p: {add: share}, q: {add: share}}", {"a": (3, "pq"), "b": (2 * 10**20, "pq")}),
    "halves": ("start: 1\n    adds-up: {p: {loud: yes, times: share}}", {"a": (Fraction(3, 2), "p"), "b": (1, "")}),
    "rounds": ("start: 3\n    adds-up: {p: {loud: yes, times: share, rounded: up}}", {"a": (5, "p"), "b": (3, "")}),
    "members": ("adds-up: {p: {each: unit, broken: no, add: hits}}", {"a": (3, "p"), "b": (9, "p")}),
    "instead": (
        "adds-up: {p: {loud: yes, add: 1}, q: {level: 2, add: 10, instead-of: p}}",
        {"a": (10, "q"), "b": (10, "q")},
    ),
    "instead-each": (
        "adds-up: {p: {add: 1}, q: {each: unit, hits: 9, add: 10, instead-of: p}}",
        {"a": (1, "p"), "b": (10, "q")},
    ),
    # first-of, one-of, highest-of, lowest-of, forbidden-if
    "first": (
        "words: size\n    first-of: {p: {loud: yes, level: 1, is: small}, q: {each: unit, build: large, is: large}}\n    otherwise: middle",
        {"a": ("large", "q"), "b": ("middle", "")},
    ),
    "only": ("one-of: {p: {loud: yes, is: 1}, q: {loud: no, is: 2}}", {"a": (1, "p"), "b": (2, "q")}),
    "several": ("one-of: {p: {weather: wet, is: 1}, q: {loud: no, is: 2}}", {"a": (1, "p"), "b": "several-rows-apply"}),
    "none": ("first-of: {p: {loud: yes, is: 1}}", {"a": (1, "p"), "b": "no-row-applies"}),
    "highest": ("highest-of: {p: {is: level}, q: {each: unit, is: hits}}", {"a": (3, "pq"), "b": (9, "pq")}),
    "lowest-word": (
        "words: size\n    lowest-of: {p: {is: large}, q: {each: unit, is: build}}",
        {"a": ("small", "pq"), "b": ("middle", "pq")},
    ),
    "forbids": (
        "forbidden-if: {p: {loud: yes, says: too loud}, q: {each: unit, hits: at least 3, says: hurt}}",
        {"a": (True, "pq"), "b": (True, "q")},
    ),
    "allows": ("forbidden-if: {p: {level: 0, says: flat}}", {"a": (False, ""), "b": (False, "")}),
    # nobody
    "nobodys": ("is: bonus", {"a": 4, "b": None}),
    "nobodys-more": ("is: bonus is at least 1", {"a": True, "b": False}),
    "nobodys-less": ("is: bonus is at most 9", {"a": True, "b": False}),
    "nobodys-not": ("is: bonus is not 4", {"a": False, "b": False}),
    "nobodys-either": ("is: bonus is nobody or at least 5", {"a": False, "b": True}),
    "nobodys-limit": ("is: 3 is less than bonus", {"a": True, "b": False}),
    "counted-on": ("is: bonus + 1", {"a": 5, "b": "no-value"}),
    "in-a-row": ("adds-up: {p: {add: bonus}}", {"a": (4, "p"), "b": "no-value"}),
    "highest-nobody": ("highest-of: {p: {is: bonus}}", {"a": (4, "p"), "b": "no-value"}),
    "asked-of-nobody": ("is: hits of boss", {"a": 1, "b": None}),
    "flag-of-nobody": (
        "forbidden-if: {p: {when: not broken of boss, says: whole}}",
        {"a": (False, ""), "b": (True, "p")},
    ),
    "broken-of-nobody": ("forbidden-if: {p: {broken of boss: no, says: whole}}", {"a": (False, ""), "b": (False, "")}),
    "both-nobody": ("is: boss is mate of boss", {"a": False, "b": False}),
    "both-none": ("is: bonus is bonus of enemy of enemy", {"a": True, "b": False}),
    "same-name-inside": (
        "adds-up: {p: {share: at least 1, loud: yes, add: 1}, q: {add: total share of sides - share}}",
        {"a": (10**20 + 1, "pq"), "b": (Fraction(3, 2), "q")},
    ),
    "both-of-nobody": ("is: level is 2 and broken of boss", {"a": True, "b": False}),
    "in-vain": (
        "adds-up: {p: {when: level is 2 and broken of boss, add: hits of boss + 1}, q: {add: 2}}",
        {"a": (4, "pq"), "b": (2, "q")},
    ),
    "in-vain-alone": (
        "adds-up: {p: {when: broken of boss, add: hits of boss + 1}, q: {add: 2}}",
        {"a": (4, "pq"), "b": (2, "q")},
    ),
    "left-first": ("is: bonus + 1 is more than bonus", {"a": True, "b": "no-value"}),
    "no-flag": ("is: broken of boss is broken of mate of boss", {"a": False, "b": False}),
    "other-than-nobody": ("is: enemy is not side of boss", {"a": True, "b": True}),
    "whoever-has-some": ("is: whoever of units has lowest aim is nobody", {"a": False, "b": True}),
    "whoever-has-none": (
        "is: whoever of units where (aim is nobody) has highest aim is nobody",
        {"a": True, "b": True},
    ),
    "is-broken": ("is: boss is broken", {"a": True, "b": False}),
    "is-not-broken": ("is: boss is not broken", {"a": False, "b": False}),
    # words, lists, ranges
    "per-word": ("is: stores for green - stores of enemy for red", {"a": 6, "b": -1}),
    "between": ("is: level is 1 to 2", {"a": True, "b": True}),
    "between-nobody": ("is: bonus is 4 to 5", {"a": True, "b": False}),
    "between-words": ("is: build of boss is small to middle", {"a": False, "b": False}),
    "of-a-kind": ("is: number of units where (build is middle or large)", {"a": 2, "b": 1}),
    "words-compared": ("is: number of units where (build is at least middle)", {"a": 2, "b": 1}),
    "a-word": ("is: boss is large", {"a": True, "b": False}),
    # members
    "any": ("is: any unit is broken", {"a": True, "b": False}),
    "every": ("is: every unit is fit-one", {"a": False, "b": True}),
    "no": ("is: no unit where (hits is 9)", {"a": True, "b": False}),
    "every-of-none": ("is: every unit where (hits is 5) is broken", {"a": False, "b": False}),
    "total": ("is: total hits of units", {"a": 4, "b": 9}),
    "most": ("is: highest hits of units", {"a": 3, "b": 9}),
    "most-of-none": ("is: highest hits of units where (broken)", {"a": 1, "b": "no-value"}),
    "least-word": ("words: size\n    is: lowest build of units", {"a": "small", "b": "middle"}),
    "whoever": ("is: (whoever of units has lowest hits) is mate of boss", {"a": False, "b": False}),
    "in-set": ("is: boss is in units", {"a": True, "b": False}),
    "grouped": ("is: number of fit", {"a": 2, "b": 1}),
    "is-fit": ("is: boss is fit-one", {"a": False, "b": False}),
    "in-play": ("is: in-play of boss", {"a": True, "b": None}),
    "everyone": ("is: number of sides", {"a": 2, "b": 2}),
    # numbers
    "divided": ("is: share / 2", {"a": Fraction(3, 4), "b": 5 * 10**19}),
    "by-nothing": ("is: share / (level - 2)", {"a": "no-value", "b": "no-value"}),
    "down": ("is: share rounded down", {"a": 1, "b": 10**20}),
    "nearest": ("is: (0 - share) rounded to nearest", {"a": -1, "b": -(10**20)}),
    "higher": ("is: the higher of level and share", {"a": 2, "b": 10**20}),
    "lower": ("is: the lower of level and bonus", {"a": 2, "b": "no-value"}),
    "not-in-of-nobody": ("is: boss is not in units where (hits is at least bonus + 1)", {"a": True, "b": False}),
    "lower-of-nobody": ("is: (the lower of level and bonus) is not nobody", {"a": True, "b": "no-value"}),
    "equal": ("is: share * 2 is 3", {"a": True, "b": False}),
    # grids
    "grid": ("across: weather\n    columns: [dry, wet]\n    cells: [1, 2]", {"a": 2, "b": 2}),
    "crossed": (
        'across: hits of boss\n    columns: [0, 1 to 2, at least 3]\n    down: weather\n    cells: {dry: [a, b, c], wet: [d, e, "-"]}\n    words: letter\n    otherwise: f',
        {"a": "e", "b": "f"},
    ),
    "odds": (
        "across: total hits of units to total hits of units of enemy\n    columns: [1-3, 1-2, 1-1, 2-1]\n    cells: [1, 2, 3, 4]\n    ends: stay",
        {"a": 1, "b": 4},
    ),
    "moved": (
        "across: level\n    columns: [0, 1, 2, 3]\n    cells: [1, 2, 3, 4]\n    shift: bonus\n    ends: stay",
        {"a": 4, "b": "no-value"},
    ),
}

DEEP = 120  # parts of a sum, each in brackets of its own: Python reads no code that is as deep

ONE_BY_ONE = (
    "flag-of-nobody",
    "both-of-nobody",
    "in-vain",
    "in-vain-alone",
)  # a flag of nobody is neither yes nor no: of that the closures know what is noted


def ruleset(name: str, text: str, folder: Path) -> Bound:
    (folder / "charts.yaml").write_text(RULES.replace("TABLES", f"  {name}:\n    about: side\n    {text}"), "utf-8")
    return load("./charts.yaml", folder)


def compiled(bound: Bound) -> None:
    """Makes functions of all charts and groups, before anybody reads one."""
    for proving in (False, True):
        charts = charts_of(bound, proving)
        for name in (*bound.ruleset.tables, *bound.ruleset.grids):
            charts.prepare(name)
        for name in bound.ruleset.groups:
            charts.prepare(name, True)


def begun(bound: Bound, answers: SeededDice | None) -> Run:
    return fights.begin(fights.fight(bound, as_mapping(parse(Source("a situation", SITUATION)))), answers)


@pytest.mark.parametrize("answers", [SeededDice(1), None], ids=["played", "proved"])
@pytest.mark.parametrize("name", CASES)
def test_a_chart_says_what_it_says_by_hand(
    name: str, answers: SeededDice | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, wanted = CASES[name]
    bound = ruleset(name, text, tmp_path)
    compiled(bound)
    run, where = begun(bound, answers), bound.ruleset.tables.get(name) or bound.ruleset.grids[name]
    asked: list[str] = []
    by_closures = Run._by_closures
    monkeypatch.setattr(Run, "_by_closures", lambda run, name, args: asked.append(name) or by_closures(run, name, args))
    for side, told in wanted.items():
        value, rows = told if type(told) is tuple else (told, "")
        asked.clear()
        run.begin_again(run.state.copy())
        if isinstance(value, str) and "-" in value:
            assert said(run, name, (run.state.things[side],)).endswith(f"[{value}]")
            assert asked == [name]
            continue
        assert run.table(name, (run.state.things[side],)) == value
        assert type(run.table(name, (run.state.things[side],))) is type(value)
        assert asked == [] or name in ONE_BY_ONE
        met = [row.id for row in getattr(where, "rows", ()) if id(row.where) in run.met]
        assert "".join(met) == rows
        assert (id(where.where) in run.met) is (value is not False)


def test_what_is_too_deep_for_a_function_is_read_by_its_closures(tmp_path: Path) -> None:
    bound = ruleset("deep", f"is: share{' - 1' * DEEP}", tmp_path)
    compiled(bound)
    assert charts_of(bound, False).found == {"deep": None}
    run = begun(bound, SeededDice(1))
    assert run.table("deep", (run.state.things["b"],)) == 10**20 - DEEP


def said(run: Run, name: str, args: tuple[Any, ...]) -> str:
    """What a chart says, or which fault it is."""
    try:
        value, causes = run.table_and_causes(name, args)
    except Faulty as fault:
        return f"{fault.diagnostics} {sorted(fault.codes)}".replace("'", "")
    if type(value) is Sym:
        return "not known"
    forbids = name in run.ruleset.tables and run.ruleset.tables[name].policy == "forbidden-if"
    return f"{type(value).__name__} {value} {[cause.row.id for cause in causes] if forbids else []}"


def charts(run: Run) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Every chart with everybody of whom it can be asked."""
    for chart in (*run.ruleset.tables.values(), *run.ruleset.grids.values()):
        for args in product(*everybody(run, chart)):
            yield chart.name, args


def everybody(run: Run, chart: Table | Grid) -> Iterator[tuple[Any, ...]]:
    for one in chart.about:
        type_ = run.bound.binder.names.subject_type(one, chart.where)
        yield tuple(run.state.by_kind.get(type_.kind, ())) if isinstance(type_, AThing) else type_.words  # type: ignore[union-attr]


def told_by(case: Case, answers: SeededDice | None, by_function: bool) -> list[Any]:
    """How a fight ends, what has been met on the way, and what every chart says then."""
    case.bound.kept.clear()
    if by_function:
        compiled(case.bound)
    try:
        run = case.begin(answers)
        end = {slot: str(value) for slot, value in slots(run).items()} if answers is not None else len(run.draft.steps)
    except Faulty as fault:
        return [str(fault.diagnostics)]
    met = {(where.place.start, where.place.end) for where in run.met.values()}
    out: list[Any] = [end, met, run.notes.met]
    for name, args in charts(run):
        run.changed()
        out.append((name, str(args), said(run, name, args)))
    return out


@pytest.mark.parametrize("seed", range(40))
def test_charts_made_up_from_a_seed_say_the_same_by_function(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    made = Rules(seed, FAMILIES, 3)
    small = case(written(made.rules), written({"situation": made.situation} | made.choices), made.questions)
    for dice in (0, 1, None):
        for name in ("OFTEN", "OFTEN_PROVED"):
            monkeypatch.setattr(often, name, 10**9)
        by_closures = told_by(small, None if dice is None else SeededDice(dice), False)
        for name in ("OFTEN", "OFTEN_PROVED"):
            monkeypatch.setattr(often, name, 1)  # the sentences of rows, too
        by_function = told_by(small, None if dice is None else SeededDice(dice), True)
        assert by_closures == by_function


NAMED = {
    "once": "adds-up: {p: {loud of attacker: yes, add: 1}, q: {level: at least 1, loud: no, add: 10}}",
    "twice": "adds-up: {p: {loud of attacker: yes, add: 1}, q: {share of attacker: at least 2, loud of enemy: yes, add: 10},"
    " r: {loud of enemy of attacker: no, level: 2, add: 100}, s: {loud of enemy: no, share of attacker: 2, add: 1000}}",
    "valued": "is: share of enemy of attacker * 10 + share of enemy + share",
    "charted": "across: share of enemy to share of attacker\n    columns: [1-2, 1-1, 2-1]\n    cells: [1, 2, 3]\n    ends: stay",
}


@pytest.mark.parametrize("name", NAMED)
def test_whom_a_fact_names_may_be_another_at_the_next_reading(name: str, tmp_path: Path) -> None:
    bound = ruleset(name, NAMED[name], tmp_path)
    compiled(bound)
    run, dice, said_so_far = begun(bound, SeededDice(1)), Random(1), set()
    fight, sides = run.only("fight"), run.state.by_kind["side"]
    for _ in range(200):
        run.write(FactOf(fight, "attacker"), dice.choice(sides))
        for side in sides:
            run.write(FactOf(side, "enemy"), dice.choice(sides))
            run.write(FactOf(side, "loud"), dice.random() < 0.5)
            run.write(FactOf(side, "share"), dice.choice((1, 2, 3)))
        said = [run.table(name, (side,)) for side in sides]
        assert said == [run.look_up(name, (side,))[0] for side in sides]
        said_so_far.update(said)
    assert len(said_so_far) > 2
