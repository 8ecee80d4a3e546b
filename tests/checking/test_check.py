"""Static checking: what is sound passes, and what is wrong is found at its line.

A file under `cases/bad` says on each guilty line which codes are expected there; nothing else may be found.
"""

import re
import time
from collections import Counter
from pathlib import Path

import pytest

from closecombat.asking.sweeps.grid import faults_of
from closecombat.checking.check import check_paths
from closecombat.reading.stack import shipped
from closecombat.text.codes import CODES, severity_of
from closecombat.text.faults import Bug, Diagnostic, Faulty

TESTS = Path(__file__).parents[1]
BAD = sorted((TESTS / "cases" / "bad").iterdir())
SYSTEMS = sorted(path.parent for path in (TESTS / "systems").glob("*/ruleset.yaml"))
EXPECTED = re.compile(r"# expect(?: ([0-9]+) below)?: ([a-z -]+)")  # below where a comment cannot stand
BREAK = re.compile(r"\r\n?|\n")

Found = Counter[tuple[str, int, str]]

# Codes without a case, and why there can be none. Those of a test of their own have it here or beside the module that
# finds them.
WITHOUT_CASE = {
    "only playing shows it": {"several-rows-apply", "no-row-applies", "conflicting-writes", "tied-order", "order-unknown", "illegal-declaration", "never-asked",
                              "dice-left-over", "dice-missing", "dice-grouped-wrongly", "example-fails", "budget-exceeded"},
    "another command is asked for it": {"takes-long", "no-such-fight", "other-plan", "fault-of-the-program", "nothing-found"},
    "a file would have to be a megabyte, or a hundred findings": {"too-many-nodes", "too-many-faults"},
    "a file that could hold no comment, or none that everybody may read": {"cannot-read", "not-a-file"},
}  # fmt: skip


def expected(case: Path) -> Found:
    """How often each code is expected in each line of a case."""
    files = sorted(case.rglob("*.yaml")) if case.is_dir() else [case]
    return Counter(
        (file.name, number + int(said[1] or 0), code)
        for file in files
        for number, line in enumerate(BREAK.split(file.read_bytes().decode("utf-8-sig")), 1)
        if (said := EXPECTED.search(line))
        for code in said[2].split()
    )


def found(diagnostics: list[Diagnostic]) -> Found:
    out: Found = Counter()
    for fault in diagnostics:
        name, line = "", 0
        if fault.span:
            name, line = Path(fault.span.source.name).name, fault.span.source.position(fault.span.start)[0]
        out[name, line, fault.code] += 1
    return out


def test_a_check_that_stops_without_a_reason_is_no_finding_and_no_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    def stops(*_: object) -> None:
        raise Faulty(())

    monkeypatch.setattr("closecombat.checking.check.merged_folder", stops)
    with pytest.raises(Bug):
        check_paths([str(SYSTEMS[0])])


@pytest.mark.parametrize(
    ("name", "help"),
    [
        ("counters-one-by-one", "write `columns: [class, strength]`, and below it under `rows:` `bow: [archer, 2]`"),
        ("counters-one-by-one", "write `horse: [knight, 4]`"),
        ("dice-under-a-fact", "write which dice: `2d6`"),
        ("dice-under-a-fact", "of a die under `dies:` that is `spot-dice: location`, and here `spot-dice`"),
        ("dice-under-a-fact", "two of a kind have names of their own, `about: {one: unit, foe: unit}`"),
        ("rounds-by-their-number", "where rounds are counted `{until: round is 3}`, with `noted: {round: 0 to 3}` of the fight"),
        ("situation-combats-within", "`combats:` stands beside `situation:`"),
        ("dice-that-show-words", "`number of attack where (face is hit)`"),
    ],
)  # fmt: skip
def test_what_is_to_be_written_is_told_in_full(name: str, help: str) -> None:
    assert [one for one in check_paths([str(TESTS / "cases" / "bad" / f"{name}.yaml")]) if help in one.help]


@pytest.mark.parametrize(
    ("units", "help"),
    [
        ("{g1: german-4-6-7}", "write `g1: {counter: german-4-6-7}`"),
        ("[german-4-6-7]", "write each with its facts, in braces: `{a: {counter: german-4-6-7}}`"),
        ("{g1: {counter: german-4-6-7, xyzzy: 2}}", "it has `"),
        ("{g1: {counter german-4-6-7}}", "write `counter: german-4-6-7`"),
    ],
)
def test_what_is_to_be_written_in_a_fight(units: str, help: str, tmp_path: Path) -> None:
    fight = "situation:\n  fight: {attacker: german, defender: russian}\n"
    sides = f"  sides:\n    german: {{units: {units}}}\n    russian: {{units: {{r1: {{counter: russian-4-4-7}}}}}}\n"
    (tmp_path / "fight.yaml").write_text(f"ruleset: asl\n{fight}{sides}", "utf-8")
    (told,) = check_paths([str(tmp_path / "fight.yaml")])
    assert told.help.startswith(help)


@pytest.mark.parametrize("case", BAD, ids=lambda case: case.stem)
def test_a_bad_file_is_found_out(case: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CLOSECOMBAT_PROJECT", raising=False)
    assert expected(case)
    told = check_paths([str(case)], faults_of)
    assert found(told) == expected(case)
    assert all(severity_of(fault.code) in (fault.severity, "either") for fault in told)


@pytest.mark.parametrize("name", [*shipped(), *shipped("variants")])
def test_what_is_shipped_is_sound(name: str) -> None:
    assert check_paths([name]) == []


def test_the_engagements_are_sound() -> None:
    """All at once: each names every ruleset, and a ruleset is checked once."""
    assert check_paths([*shipped("engagements")]) == []


@pytest.mark.parametrize("folder", SYSTEMS, ids=lambda folder: folder.name)
def test_the_systems_of_the_tests_are_sound(folder: Path) -> None:
    assert check_paths([str(folder)]) == []


def test_the_ruleset_of_the_cases_is_sound() -> None:
    assert check_paths([str(TESTS / "cases" / "duel.yaml")]) == []


def test_every_code_has_a_case_or_cannot_have_one() -> None:
    told = {code for case in BAD for _, _, code in expected(case)}
    without = set().union(*WITHOUT_CASE.values())
    assert set(CODES) - told == without
    assert len(BAD) >= 200


def test_a_folder_is_searched(tmp_path: Path) -> None:
    (tmp_path / "notes.yaml").write_text("shopping: [bread]\n")
    (tmp_path / "below").mkdir()
    case = next(case for case in BAD if case.stem == "misspelt-fact")
    (tmp_path / "below" / "rules.yaml").write_text(case.read_text("utf-8"))
    assert [fault.code for fault in check_paths([str(tmp_path)])] == ["unknown-name"]


def test_examples_lie_in_their_ruleset(tmp_path: Path) -> None:
    (tmp_path / "examples").mkdir()
    (tmp_path / "ruleset.yaml").write_text((TESTS / "cases" / "duel.yaml").read_text("utf-8"))
    example = "example: one\nsituation: {fight: {attacker: redd}, sides: {red: {}, blue: {}}}\nchances: {no unit: 1}\n"
    (tmp_path / "examples" / "one.yaml").write_text(example)
    for path in (tmp_path, tmp_path / "examples", tmp_path / "examples" / "one.yaml"):
        assert [fault.code for fault in check_paths([str(path)])] == ["unknown-thing"]


def test_a_table_that_only_an_example_asks_for_is_used(tmp_path: Path) -> None:
    rules = (
        (TESTS / "cases" / "duel.yaml")
        .read_text("utf-8")
        .replace("tables:\n", "tables:\n  shown: {about: side, is: 3}\n")
    )
    (tmp_path / "ruleset.yaml").write_text(rules)
    assert [fault.code for fault in check_paths([str(tmp_path)])] == ["unused"]
    (tmp_path / "examples").mkdir()
    example = "example: one\nsituation: {fight: {attacker: red}, sides: {red: {}, blue: {}}}\nexpect: {figures: {shown of red: 3}}\n"
    (tmp_path / "examples" / "one.yaml").write_text(example)
    assert check_paths([str(tmp_path)]) == []
    assert check_paths([str(tmp_path / "ruleset.yaml")]) == []
    (tmp_path / "examples" / "one.yaml").write_text(example.replace("shown", "round"))
    assert [fault.code for fault in check_paths([str(tmp_path / "ruleset.yaml")])] == ["unused"]


def test_nothing_to_check_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "notes.yaml").write_text("shopping: [bread]\n")
    for paths in ([], [str(tmp_path)]):
        with pytest.raises(Faulty) as caught:
            check_paths(paths)
        assert [fault.code for fault in caught.value.diagnostics] == ["nothing-found"]


def test_a_path_that_is_not_there_keeps_nothing_from_being_checked() -> None:
    codes = [fault.code for fault in check_paths(["nowhere.yaml", str(TESTS / "cases" / "bad" / "options.yaml")])]
    assert codes == ["file-not-found", "unknown-word"]


@pytest.mark.parametrize(("text", "code"), [
    ("ruleset: x\nnote: \x00\n", "not-text"),
    ("# nothing\n", "empty-file"),
])  # fmt: skip
def test_unreadable_files(text: str, code: str, tmp_path: Path) -> None:
    file = tmp_path / "rules.yaml"
    file.write_text(text)
    assert [fault.code for fault in check_paths([str(file)])] == [code]


def test_findings_stand_in_the_order_of_files_and_places() -> None:
    spans = [fault.span for fault in check_paths([str(TESTS / "cases" / "bad")]) if fault.span]
    assert spans == sorted(spans, key=lambda span: (span.source.name, span.start))
    assert len(spans) <= 100


# ---- hostile files -----------------------------------------------------------------------------------------

BASE = """ruleset: hostile
language: 1
start: go
kinds:
  side: {given: {units: {are: units, each: unit}}}
  unit: {given: {side: a side, strength: 0 to 6, broken: flag}}
sequences: {go: {in-order: {leave: {each: unit, do: leave}}}}
"""


def tables(*lines: str) -> str:
    return BASE + "tables:\n" + "".join(f"  {line}\n" for line in lines)


@pytest.mark.parametrize(("text", "codes"), [
    pytest.param(tables("t0: {about: unit, is: strength}",
                        *(f"t{n}: {{about: unit, is: t{n - 1}}}" for n in range(1, 400))), {"too-deep"},
                 id="a chain of four hundred tables"),
    pytest.param(tables("t0: {about: unit, is: strenght}",
                        *(f"t{n}: {{about: unit, is: t{n - 1} + t{n - 1} + t{n - 1}}}" for n in range(1, 38))),
                 {"unknown-name"}, id="a fault that doubles with every table"),
    pytest.param(tables("t: {about: unit, is: " + "number of units of side where (" * 25 + "broken" + ")" * 25 + "}"),
                 {"wrong-type"}, id="sets within sets"),
    pytest.param(tables("t0: {about: unit, is: strength}",
                        *(f"t{n}: {{about: unit, is: {'(' * 29}t{n - 1} + 1{')' * 29}}}" for n in range(1, 39))),
                 {"unused"}, id="brackets in every table of a chain"),
    pytest.param(tables(*(f"t{n}: {{about: unit, is: strenght + {n}}}" for n in range(1000))),
                 {"unknown-name", "too-many-faults"}, id="a thousand faults"),
    pytest.param(BASE + "groups:\n  g0: {about: side, each: m0, are: units of side}\n" + "".join(
                 f"  g{n}: {{about: side, each: m{n}, are: g{n - 1} of side where (broken)}}\n"
                 for n in range(1, 60)), {"too-deep"}, id="a chain of groups"),
    pytest.param("ruleset: " + "[" * 5000, {"too-deep"}, id="five thousand brackets"),
])  # fmt: skip
def test_hostile_files_get_an_answer(text: str, codes: set[str], tmp_path: Path) -> None:
    file = tmp_path / "hostile.yaml"
    file.write_text(text)
    began = time.process_time()
    assert {fault.code for fault in check_paths([str(file)])} == codes
    assert time.process_time() - began < 10
