"""What the ruleset answers where nobody does is held against the range of its fact, in play and in the chances alike."""

from pathlib import Path

import pytest

from closecombat.asking.examples.examples import read_examples, run_example
from closecombat.binding.load import load

RULES = """\
ruleset: bids
start: bidding
kinds:
  fight: {one: yes}
  side: {given: {units: {are: units, each: unit}, raids: {are: raids, each: raid}}}
  raid: {chosen: {depth: 0 to 3}}
  unit: {given: {side: a side, men: 1 to 9}, chosen: {bid: 0 to 6}}
tables: {many: {about: side, is: number of units}}
sequences: {bidding: {in-order: {bids: {each: unit, choose: bid, otherwise: men + 2}, raids: DECLARE}}}
"""
RAIDS = "{each: side, declare: raids, otherwise: {far: {depth: many of side}}}"
EXAMPLE = "example: one\nsituation: {sides: {a: {units: {UNITS}}}}\nexpect: {figures: {bid of u: 6}}\nchances: {bid of u is 6: 1}\n"


@pytest.mark.parametrize(("units", "codes"), [
    ("u: {men: 4}", []),
    ("u: {men: 5}", ["out-of-range"]),
    ("u: {men: 4}, v: {men: 1}, w: {men: 1}", []),
    ("u: {men: 4}, v: {men: 1}, w: {men: 1}, x: {men: 1}", ["out-of-range"]),
])  # fmt: skip
def test_it_is_in_the_range_of_its_fact(tmp_path: Path, units: str, codes: list[str]) -> None:
    (tmp_path / "rules.yaml").write_text(RULES.replace("DECLARE", RAIDS))
    (tmp_path / "one.yaml").write_text(EXAMPLE.replace("UNITS", units))
    (example,) = read_examples(tmp_path / "one.yaml")
    assert [fault.code for fault in run_example(load(str(tmp_path / "rules.yaml")), example).faults] == codes


def test_a_throw_is_answered_as_the_sum_of_its_dice(tmp_path: Path) -> None:
    rules = RULES.replace("chosen: {bid", "rolled: {dr: 2d3}, chosen: {bid")
    rules = rules.replace("in-order: {bids", "in-order: {dr: {each: unit, roll: dr}, bids").replace("men + 2", "dr")
    (tmp_path / "rules.yaml").write_text(rules.replace("DECLARE", RAIDS))
    example = EXAMPLE.replace("UNITS", "u: {men: 1}").replace("expect:", "dice: [[3, 3]]\nexpect:").replace("6: 1}", "6: 1/9}")
    (tmp_path / "one.yaml").write_text(example)
    (read,) = read_examples(tmp_path / "one.yaml")
    assert not run_example(load(str(tmp_path / "rules.yaml")), read).faults
