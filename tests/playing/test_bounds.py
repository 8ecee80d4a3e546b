"""What a table may come to at least and at most, whichever way its rows combine: as plain Python has it, played and
proved."""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner

from closecombat.asking.examples.examples import run_example
from closecombat.binding.load import load
from closecombat.cli.main import main
from closecombat.reading.stack import as_mapping
from closecombat.text.document import parse
from closecombat.text.source import Source

RULES = """\
ruleset: bounds
start: go
kinds:
  fight: {one: yes}
  squad: {given: {armour: {is: 0 to 6, default: 0}, keen: flag, units: {are: units, each: unit}}, noted: {n: -20 to 20}, rolled: {die: d6}}
  unit: {given: {hp: {is: 0 to 9, default: 0}, big: flag}}
sequences:
  go:
    in-order:
      roll: {each: squad, roll: die}
      tell: {each: squad, do: set n to TABLE of squad}
"""
TABLES: dict[str, tuple[str, Callable[[int], int]]] = {
    "is: die - armour, at-least: 0": ("armour: 4", lambda die: max(die - 4, 0)),
    "is: die - armour, at-most: -1": ("armour: 4", lambda die: min(die - 4, -1)),
    "is: die, at-least: armour, at-most: armour + 2": ("armour: 2", lambda die: min(max(die, 2), 4)),
    "is: 2 * die, at-most: 9": ("", lambda die: min(2 * die, 9)),
    "first-of: {hard: {die: at least 3, is: die}}, otherwise: 9, at-most: 4": ("", lambda die: min(die, 4) if die >= 3 else 4),
    "first-of: {hard: {die: at least 3, is: die}}, otherwise: 0, at-least: 2": ("", lambda die: die if die >= 3 else 2),
    "one-of: {keen: {keen: yes, is: 2 * die}, dull: {keen: no, is: 1}}, at-most: 7": ("keen: yes", lambda die: min(2 * die, 7)),
    "highest-of: {one: {is: die}, two: {keen: yes, is: 4}}, at-least: 5": ("keen: yes", lambda die: max(die, 4, 5)),
    "lowest-of: {one: {is: die - 3}, two: {is: 1}}, at-least: 0": ("", lambda die: max(min(die - 3, 1), 0)),
    "highest-of: {one: {each: unit of squad, is: hp + die}}, otherwise: 0, at-most: 8": (
        "units: {u: {hp: 2}, v: {hp: 5}}", lambda die: min(die + 5, 8)),
    "start: 2, adds-up: {one: {add: die - 6}}, at-least: 0": ("", lambda die: max(die - 4, 0)),
}  # fmt: skip


@pytest.mark.parametrize("table", TABLES)
def test_a_table_goes_no_further_than_its_bounds(table: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    facts, plain = TABLES[table]
    text = RULES.replace("TABLE", "worth") + f"tables: {{worth: {{about: squad, {table}}}}}\n"
    (tmp_path / "ruleset.yaml").write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)
    bound = load(".")
    situation = f"situation: {{squads: {{a: {{{facts}}}}}}}"
    chances: dict[int, Fraction] = {}
    for die in range(1, 7):
        example = f"example: one\n{situation}\ndice: [{die}]\nexpect: {{figures: {{n of a: {plain(die)}}}}}\n"
        played = run_example(bound, as_mapping(parse(Source("<example>", example))))
        assert not played.faults and not played.misses, (die, played)
        chances[plain(die)] = chances.get(plain(die), Fraction(0)) + Fraction(1, 6)
    lines = "".join(f"  n of a is {value}: {chance}\n" for value, chance in chances.items())
    proved = run_example(bound, as_mapping(parse(Source("<e>", f"example: all\n{situation}\nchances:\n{lines}"))))
    assert not proved.faults and not proved.misses, proved


def test_a_trace_says_that_a_bound_was_met(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = RULES.replace("TABLE", "worth") + "tables: {worth: {about: squad, is: die - armour, at-least: 0}}\n"
    (tmp_path / "ruleset.yaml").write_text(rules, "utf-8")
    (tmp_path / "examples").mkdir()
    (tmp_path / "examples" / "fight.yaml").write_text("situation: {squads: {a: {armour: 4}}}\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    told = CliRunner().invoke(main, ["resolve", "examples/fight.yaml", "--dice", "3", "-v"]).stdout
    assert "worth of a is 0: die (3) - armour (4); at least 0" in told
    assert "at least" not in CliRunner().invoke(main, ["resolve", "examples/fight.yaml", "--dice", "5", "-v"]).stdout


@pytest.mark.parametrize(("hp", "says"), [(7, ""), (4, "says another thing of each")])
def test_one_of_with_a_row_that_is_so_of_several(hp: int, says: str, tmp_path: Path) -> None:
    rules = RULES.replace("TABLE", "worth") + (
        "tables: {worth: {about: squad, one-of: {big: {each: unit of squad, big: yes, is: hp}, none: {no unit of squad: big, is: 0}}}}\n"
    )
    (tmp_path / "ruleset.yaml").write_text(rules, "utf-8")
    example = (
        f"example: one\nsituation: {{squads: {{a: {{units: {{u: {{hp: 7, big: yes}}, v: {{hp: {hp}, big: yes}}, w: {{}}}}}}}}}}\n"
        "dice: [3]\nexpect: {figures: {n of a: 7}}\n"
    )
    played = run_example(load(str(tmp_path)), as_mapping(parse(Source("<example>", example))))
    assert [fault.message for fault in played.faults if says in fault.message] if says else not played.faults
