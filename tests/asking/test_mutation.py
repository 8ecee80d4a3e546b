"""Slips in a small ruleset, and which of them its one example misses: reckoned by hand."""

from pathlib import Path

import pytest

from closecombat.asking.crews.batches import Alone
from closecombat.asking.examples.mutants import changed, mutants
from closecombat.asking.examples.mutation import CAUGHT, SURVIVED, Fate, plan, tried
from closecombat.reading.stack import load_stack
from closecombat.telling.mutation import FateFile, count, survivors_text
from closecombat.text.faults import Faulty
from closecombat.text.nodes import flow

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
      strong: {hp: at least 4, add: 2}
      tired:  {tired: yes, add: -1}
sequences:
  fight: {in-order: {hurt: {for: attacker, do: take 1 from hp of side}}}
"""
EXAMPLE = """\
example: one
situation: {field: {attacker: red}, sides: {red: {}, blue: {hp: 5}}}
expect: {figures: {worth of red: 0, worth of blue: 2}}
"""
OF_WORTH = [  # each slip, and whether the example misses it: hp of red is 3 at the end, that of blue 5; nobody is tired
    ("strong", "the row is left out", True),  # blue is worth 0
    ("strong", "`hp: at least 4` is left out", True),  # red is worth 2
    ("strong", "`at least 4` is `at least 5`", False),  # 5 is at least 5
    ("strong", "`at least 4` is `at most 4`", True),  # red is worth 2
    ("strong", "`2` is `3`", True),
    ("tired", "the row is left out", False),
    ("tired", "`tired: yes` is left out", True),  # both are worth 1 less
    ("tired", "`yes` is `no`", True),
    ("tired", "`-1` is `0`", False),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "examples").mkdir()
    (tmp_path / "ruleset.yaml").write_text(RULES, "utf-8")
    (tmp_path / "examples" / "one.yaml").write_text(EXAMPLE, "utf-8")
    return tmp_path


def nothing(done: int, of: int) -> None:
    pass


def test_what_one_example_misses(folder: Path) -> None:
    found = plan(str(folder), "worth", None, 0, nothing)
    fates = {one.number: one for one in tried(found, [], Alone())}
    told = [(found.mutants[n].id, found.mutants[n].changed, fates[n].fate) for n, _ in found.pieces]
    assert told == [(f"tables.worth.{row}", said, CAUGHT if missed else SURVIVED) for row, said, missed in OF_WORTH]
    assert count(fates.values()) == "9 mutants, 6 that an example would miss, 3 that no example would miss"
    text = survivors_text(found, fates.values())
    assert "ruleset.yaml:12:7: tables.worth.tired: the row is left out\n   no example would miss it; 1 asks for" in text


def test_a_row_that_is_never_asked_is_missed_where_it_stands_first(folder: Path) -> None:
    """Blue has 5 and is `many`, so that nobody asks for `some`; with `some` first he would be that."""
    text = RULES.replace(
        "sequences:",
        """  crowd:
    about: side
    first-of:
      many: {hp: at least 5, is: 3}
      some: {hp: at least 4, is: 2}
    otherwise: 1
sequences:""",
    )
    (folder / "ruleset.yaml").write_text(text, "utf-8")
    (folder / "examples" / "one.yaml").write_text(
        EXAMPLE.replace("worth of red: 0, worth of blue: 2", "crowd of blue: 3"), "utf-8"
    )
    found = plan(str(folder), "crowd.some", None, 0, nothing)
    fates = {found.mutants[one.number].changed: one.fate for one in tried(found, [], Alone())}
    assert fates["the row stands before `many`"] == CAUGHT
    assert fates["the row is left out"] == SURVIVED


def test_a_slip_is_never_in_a_file(folder: Path) -> None:
    document = load_stack(str(folder)).document
    one = next(each for each in mutants(document) if each.changed == "`2` is `3`")
    assert "add: 3" in flow(changed(document, one.path, one.instead)) and "add: 3" not in flow(document)
    assert (folder / "ruleset.yaml").read_text("utf-8") == RULES


def test_a_run_that_was_killed_goes_on(folder: Path) -> None:
    file = folder / "mutants.jsonl"
    found = plan(str(folder), "worth", None, 0, nothing)
    with FateFile(str(file), found) as fates:
        fates.write(Fate(found.pieces[0][0], CAUGHT, "one", 1))
        fates.write(Fate(found.pieces[1][0], SURVIVED, "", 1))
    whole = file.read_bytes()
    file.write_bytes(whole[:-5])  # killed while it wrote
    with FateFile(str(file), found) as fates:
        assert [one.number for one in fates.known] == [found.pieces[0][0]]
    (folder / "examples" / "one.yaml").write_text(EXAMPLE.replace("{hp: 5}", "{hp: 6}"), "utf-8")
    with pytest.raises(Faulty, match="something else"), FateFile(str(file), plan(str(folder), "", None, 0, nothing)):
        pass


def test_a_sample_is_drawn_by_its_seed(folder: Path) -> None:
    drawn = [plan(str(folder), "", 4, seed, nothing).pieces for seed in (1, 1, 2)]
    assert len(drawn[0]) == 4 and drawn[0] == drawn[1] != drawn[2]


def test_of_a_variant_the_rows_that_it_changes_are_tried(folder: Path) -> None:
    change = "{at: tables.worth.tired, set: {add: -2}, was: {add: -1}, why: x}"
    (folder / "variants").mkdir()
    (folder / "variants" / "worse.yaml").write_text(f"variant: worse\nextends: ..\nchanges: {{a: {change}}}\n", "utf-8")

    def rows(only: str) -> set[str]:
        found = plan(str(folder / "variants" / "worse.yaml"), only, None, 0, nothing)
        return {found.mutants[number].id.rpartition(".")[2] for number, _ in found.pieces}

    assert rows("") == {"tired"} and rows("worth") == {"strong", "tired"} and rows(".") == {"strong", "tired", "hurt"}
