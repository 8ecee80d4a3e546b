"""What an example may expect, and when it fails."""

from pathlib import Path

import pytest

from closecombat.asking.examples import run_example
from closecombat.binding.load import load
from closecombat.reading.stack import as_mapping
from closecombat.text.document import parse
from closecombat.text.source import Source

RULES = """\
ruleset: dozen
language: 1
start: fight
kinds:
  field: {one: yes, given: {attacker: a side}}
  side: {given: {enemy: the other side}, rolled: {throw: twelve}}
dice:
  twelve: {die: d6, number: 12}
sequences:
  fight: {in-order: {throw: {each: side, roll: throw}}}
"""
SITUATION = "example: one\nsituation: {field: {attacker: red}, sides: {red: {}, blue: {}}}\nchances:\n"
ALL_SIX = "throw of red is at least 71"  # 13 of the 6^12 falls: all six, or one five among them


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("dozen")
    (place / "ruleset.yaml").write_text(RULES, "utf-8")
    return place


@pytest.mark.parametrize(
    ("sentence", "chance", "codes"),
    [
        (ALL_SIX, "13/2176782336", ()),
        (ALL_SIX, "26/4353564672", ()),
        (ALL_SIX, "12/2176782336", ("example-fails",)),
        (ALL_SIX, "0.0%", ()),
        (ALL_SIX, "0%", ("example-fails",)),  # never
        (ALL_SIX, "0.000000597%", ()),
        (ALL_SIX, "0.000000596%", ("example-fails",)),
        ("number of throw of red is 12", "100%", ()),
        ("number of throw of red is 12", "1", ()),
        ("throw of red is at least 72", "0.00000005%", ()),
        (ALL_SIX, "6/5", ("out-of-range",)),
        (ALL_SIX, "-1/5", ("out-of-range",)),
        (ALL_SIX, "101%", ("out-of-range",)),
        (ALL_SIX, "half", ("wrong-type",)),
        (ALL_SIX, "0.5", ("wrong-type",)),
    ],
)
def test_a_chance(folder: Path, sentence: str, chance: str, codes: tuple[str, ...]) -> None:
    text = f"{SITUATION}  {sentence}: {chance}\n"
    result = run_example(load(str(folder)), as_mapping(parse(Source("e.yaml", text))))
    assert tuple(fault.code for fault in result.faults) == codes
