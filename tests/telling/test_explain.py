"""What `explain` shows: each wrong piece has exactly its code, and each right one is sound."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from closecombat.checking.check import check_paths
from closecombat.cli.main import main
from closecombat.telling.explain import explained, findings_page, listed
from closecombat.text.codes import CODES, EITHER, severity_of
from closecombat.text.illustrations import ILLUSTRATIONS, SOUND, WITHOUT

PAGE = Path(__file__).parents[2] / "grammar" / "findings.md"


def written(folder: Path, right: str = "", wrong: str = "") -> None:
    for name, text in SOUND.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text.replace(right, wrong) if right else text)


def test_what_is_right_is_sound(tmp_path: Path) -> None:
    written(tmp_path)
    assert check_paths([str(tmp_path)]) == []
    assert CliRunner().invoke(main, ["test", str(tmp_path)]).stdout == "1 example, 1 passed\n"


@pytest.mark.parametrize("code", ILLUSTRATIONS)
def test_what_is_wrong_has_its_code_and_no_other(code: str, tmp_path: Path) -> None:
    one = ILLUSTRATIONS[code]
    assert sum(text.count(one.right) for text in SOUND.values()) == 1
    written(tmp_path, one.right, one.wrong)
    found = {(fault.code, fault.severity) for fault in check_paths([str(tmp_path)])}
    if not found or (code != "may-stop" and found == {("may-stop", "warning")}):  # what only playing shows
        told = CliRunner().invoke(main, ["test", str(tmp_path), "-f", "github"]).stdout
        found = {(one, "error") for one in re.findall(r"title=([a-z-]+)::", told)}
    assert found == {(code, severity_of(code))} or (code in EITHER and {each for each, _ in found} == {code})


def test_every_code_is_shown_or_says_why_it_is_not() -> None:
    assert not ILLUSTRATIONS.keys() & WITHOUT.keys()
    assert {*ILLUSTRATIONS, *WITHOUT} == {*CODES}
    assert "\nno row shows it: what has it is a whole fight, and a large one\n" in explained("takes-long")


def test_both_rows_are_shown() -> None:
    assert explained("unknown-name").endswith(
        """
wrong, in ruleset.yaml:

  leave: {each: unit, when: fledd or hits is at least 1, do: leave, cites: P.2}

mended:

  leave: {each: unit, when: fled or hits is at least 1, do: leave, cites: P.2}
"""
    )
    assert "wrong, in" not in explained("takes-long")


def test_a_row_that_is_not_there_is_shown_by_the_one_before() -> None:
    _, _, rows = explained("never-settled").partition("wrong, in ruleset.yaml:\n\n")
    wrong, _, right = rows.partition("\n\nmended:\n\n")
    assert right.splitlines()[0] == wrong and len(right.splitlines()) == 2


def test_every_code_is_listed_with_its_severity() -> None:
    lines = [line.split() for line in listed().splitlines() if not line.startswith(" ")]
    assert [line[:2] for line in lines] == [[code, severity_of(code)] for code in sorted(CODES)]
    assert max(map(len, listed().splitlines())) <= 80


def test_the_page_of_findings_is_current() -> None:
    """`closecombat explain --list -f md > grammar/findings.md` writes it."""
    assert PAGE.read_text("utf-8") == findings_page()


@pytest.mark.parametrize("line", ["explain", "explain unused --list", "explain unused -f md"])
def test_a_code_or_all_of_them(line: str) -> None:
    assert CliRunner().invoke(main, line.split()).exit_code == 2


@pytest.mark.parametrize("code", ILLUSTRATIONS)
def test_a_row_that_is_long_goes_on_below_and_says_the_same(code: str) -> None:
    told = explained(code)
    assert max(map(len, told.splitlines())) <= 80
    right = ILLUSTRATIONS[code].right
    assert " ".join(right.split()) in " ".join(told.split())
