"""How far examples reach, and expectations that are written anew: by hand."""

from pathlib import Path

from closecombat.asking.collection import Bench, ExampleFile
from closecombat.asking.reach import TEST, reach
from closecombat.asking.update import updated

RULES = """\
ruleset: small
language: 1
start: fight
kinds:
  field: {one: yes, given: {attacker: a side}}
  side: {given: {enemy: the other side, hp: {is: 0 to 9, default: 4}, tired: flag}}
tables:
  worth:
    about: side
    adds-up:
      strong: {hp: at least 4, add: 2, cites: R.1}
      tired:  {tired: yes, add: -1, cites: R.2}
sequences:
  fight: {in-order: {hurt: {for: attacker, do: take 1 from hp of side}}}
"""
EXAMPLES = """\
examples:
  - example: one   # as it is
    situation: {field: {attacker: red}, sides: {red: {}, blue: {hp: 5}}}
    expect: {figures: {worth of red: 0, worth of blue: 9}}  # nine
  - example: faulty
    situation: {field: {attacker: red}, sides: {red: {}, blue: {}}}
    expect: {figures: {worth of nobody-here: 0}}
"""


def a_folder(place: Path) -> Path:
    (place / "examples").mkdir()
    (place / "ruleset.yaml").write_text(RULES, "utf-8")
    (place / "examples" / "one.yaml").write_text(EXAMPLES, "utf-8")
    return place


def test_what_no_example_reaches(tmp_path: Path) -> None:
    found = reach(str(a_folder(tmp_path)), lambda done, of: None)
    assert [(one.sort, one.id) for one in found.points if not one.reached] == [
        ("row", "tables.worth.tired"),
        (TEST, "tables.worth.tired holds: tired: yes"),
        ("clause", "R.2"),
    ]
    assert (len(found.points), found.examples, found.failed) == (2 + 1 + 4 + 2, 2, 2)


def test_only_values_are_written_anew(tmp_path: Path) -> None:
    file = ExampleFile(a_folder(tmp_path) / "examples" / "one.yaml", f"{tmp_path}/", tmp_path / "examples")
    found = updated(file, list(Bench().run(file)), "")
    assert found.text == EXAMPLES.replace("blue: 9", "blue: 2")
    assert (found.examples, [id for id, _ in found.left]) == (("one",), ["faulty"])
