"""How far examples of a small ruleset reach, and expectations that are written anew: by hand."""

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from closecombat.asking.examples.collection import Bench, ExampleFile
from closecombat.asking.examples.cover_points import CELL, CHANGE, CLAUSE, ROW, TEST, how_far
from closecombat.asking.examples.update import Updated, updated
from closecombat.telling.cover_points import reached_json, reached_text

RULES = """\
ruleset: small
language: 1
start: fight
kinds:
  field: {one: yes, given: {attacker: a side}}
  side: {given: {enemy: the other side, hp: {is: 0 to 9, default: 4}, tired: flag, drunk: flag}}
tables:
  worth:
    about: side
    adds-up:
      strong: {hp: at least 4, add: 2, cites: R.1}
      tired:  {tired: yes, add: -1, cites: R.2}
      drunk:  {drunk: yes, add: -1}
  colour:
    about: side
    across: hp of side
    columns: [0 to 3, 4, 5 to 9]
    cells: [pale, pink, blood]
sequences:
  fight: {in-order: {hurt: {for: attacker, do: take 1 from hp of side}}}
"""
EXAMPLES = """\
examples:
  - example: one   # as it is
    situation: {field: {attacker: red}, sides: {red: {}, blue: {hp: 5}}}
    expect: {figures: {worth of red: 0, worth of blue: 9, colour of blue: blood}}  # nine
  - example: faulty
    situation: {field: {attacker: red}, sides: {red: {}, blue: {}}}
    expect: {figures: {worth of nobody-here: 0}}
"""
VARIANT = """\
variant: hard
extends: ..
changes:
  harder: {at: tables.worth.strong, was: {add: 2}, set: {add: 3}, why: so that it is seen}
  drier:  {at: tables.worth.drunk, remove: yes, was: {drunk: yes, add: -1}, why: nobody drinks}
"""
BY_VARIANT = """\
example: three
ruleset: ../hard.yaml
situation: {field: {attacker: red}, sides: {red: {}, blue: {hp: 5}}}
expect: {figures: {worth of blue: 3}}
"""
SCHEMA = Path(__file__).parents[2] / "schemas" / "coverage.schema.json"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in (
        ("ruleset.yaml", RULES),
        ("examples/one.yaml", EXAMPLES),
        ("hard/hard.yaml", VARIANT),
        ("hard/examples/three.yaml", BY_VARIANT),
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


def test_what_no_example_reaches(folder: Path) -> None:
    found = how_far(str(folder), lambda done, of: None)
    assert [(one.sort, one.id) for one in found.points if not one.reached] == [
        (ROW, "tables.worth.tired"),
        (TEST, "tables.worth.tired holds: tired: yes"),
        (ROW, "tables.worth.drunk"),
        (TEST, "tables.worth.drunk holds: drunk: yes"),
        (CELL, "tables.colour, column 0 to 3"),
        (CELL, "tables.colour, column 4"),
        (CLAUSE, "R.2"),
    ]
    assert (len(found.points), found.examples, found.failed) == (3 + 1 + 6 + 3 + 2, 2, 2)
    json_of_it = json.loads(reached_json(found))
    assert not [*Draft202012Validator(json.loads(SCHEMA.read_text("utf-8"))).iter_errors(json_of_it)]


def test_what_an_example_of_a_variant_would_miss(folder: Path) -> None:
    """Red and blue are strong; nobody is drunk, so that the row that is removed would do nothing. The ruleset's own two
    examples fail, and count for nothing."""
    found = how_far(f"{folder}+{folder}/hard", lambda done, of: None)
    assert [(one.id, one.reached, one.variant) for one in found.points if one.sort == CHANGE] == [
        ("hard.harder", True, "hard"),
        ("hard.drier", False, "hard"),
    ]
    assert (found.examples, found.failed) == (1, 0)
    assert "no example would miss the change hard.drier\n" in reached_text(found)


def rewritten(folder: Path, text: str) -> Updated:
    place = folder / "examples" / "one.yaml"
    place.write_text(text, "utf-8")
    file = ExampleFile(place, f"{folder}/", folder / "examples")
    return updated(file, list(Bench().run(file)))


def test_only_values_are_written_anew(folder: Path) -> None:
    found = rewritten(folder, EXAMPLES)
    assert found.text == EXAMPLES.replace("blue: 9", "blue: 2")
    assert (found.examples, [id for id, _ in found.left]) == (("one",), ["faulty"])


SITUATION = "situation: {field: {attacker: red}, sides: {red: {}, blue: {hp: 5, tired: yes, drunk: yes}}}"
WRITTEN = [  # of what is expected: as it is written, and with what was got; nothing where it is left
    ("figures: {worth of blue: +1}", "figures: {worth of blue: 0}"),
    ("figures: {worth of red: +1}  # ?", "figures: {worth of red: 0}  # ?"),
    ("causes: {worth of blue: {strong: +1, tired: -1}}", "causes: {worth of blue: {strong: +2, tired: -1, drunk: -1}}"),
    (
        "causes: {worth of blue: {strong: +2,  tired: -1}}",
        "causes: {worth of blue: {strong: +2, tired: -1, drunk: -1}}",
    ),
    ("causes: {worth of red: {strong: 2}}", "causes: {worth of red: {}}"),
    ("sides: {blue: {hp: +4}}", "sides: {blue: {hp: +5}}"),
    ('sides: {blue: {hp: "4", tired: no}}', "sides: {blue: {hp: 5, tired: yes}}"),
    ("causes:\n    worth of blue:\n      strong: 1\n      tired: -1", None),
    ("figures: {worth of blue: 1, worth of nobody-here: 2}", None),
    ("figures: {colour of blue: nothing-like-it}", None),
]


@pytest.mark.parametrize("line, instead", WRITTEN)
def test_a_value_is_written_as_it_was(folder: Path, line: str, instead: str | None) -> None:
    head = f"example: one\n{SITUATION}\nexpect:\n  "
    found = rewritten(folder, f"{head}{line}\n# the end\n")
    assert found.text == f"{head}{line if instead is None else instead}\n# the end\n"
    assert bool(found.left) == (instead is None)


def test_an_example_of_another_ruleset_is_left(folder: Path) -> None:
    place = folder / "examples" / "one.yaml"
    file = ExampleFile(place, f"{folder}+{folder}/hard", folder / "examples")
    found = updated(file, list(Bench().run(file)))
    assert (found.text, found.examples) == (EXAMPLES, ())


ENDS = """\
ends:
  side:
    strength: hp
    first-of:
      shaken: {tired: yes, is: shaken}
"""


@pytest.mark.parametrize(
    "said, found",
    [
        ("red: fit, blue: shaken", []),
        ("red: shaken, blue: fit", ["red ends fit, not shaken", "blue ends shaken, not fit"]),
        ("green: fit", ["`ends` says nothing of `green`"]),
    ],
)
def test_an_example_says_how_somebody_ends(folder: Path, said: str, found: list[str]) -> None:
    (folder / "ruleset.yaml").write_text(RULES + ENDS, "utf-8")
    (folder / "examples" / "one.yaml").write_text(f"example: one\n{SITUATION}\nexpect: {{ends: {{{said}}}}}\n", "utf-8")
    file = ExampleFile(folder / "examples" / "one.yaml", f"{folder}/", folder / "examples")
    (tested,) = Bench().run(file)
    assert [fault.message for fault in tested.result.faults] == found
    points = how_far(str(folder), lambda done, of: None).points
    assert [one.reached for one in points if one.id == "ends.side.shaken"] == ["green" not in said]
