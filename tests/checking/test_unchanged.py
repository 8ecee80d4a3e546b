"""What had nothing wrong is not checked again, until anything changes that a check may read."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from brawl import GAME
from closecombat.checking import check
from closecombat.checking.unchanged import findings_under
from closecombat.text.faults import Diagnostic

Check = Callable[[], tuple[list[Diagnostic], bool]]


def a_game(folder: Path) -> None:
    for name, text in GAME.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


@pytest.fixture
def checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Check:
    """Checks the game in `home/game`; says what was found, and whether anything was looked at."""
    monkeypatch.setenv("CLOSECOMBAT_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("CLOSECOMBAT_PROJECT", raising=False)
    (tmp_path / "home" / ".git").mkdir(parents=True)
    a_game(tmp_path / "home" / "game")
    monkeypatch.chdir(tmp_path / "home")
    looked: list[object] = []
    really = check.check_paths
    monkeypatch.setattr(check, "check_paths", lambda paths, of_plans: looked.append(paths) or really(paths))

    def once() -> tuple[list[Diagnostic], bool]:
        looked.clear()
        return findings_under(["game"], lambda plan: ()), bool(looked)

    return once


def a_row(home: Path) -> None:
    rules = home / "game" / "ruleset.yaml"
    rules.write_text(rules.read_text().replace("add: -1", "add: -3"))


def as_long_and_as_old(home: Path) -> None:
    rules = home / "game" / "ruleset.yaml"
    found = rules.stat()
    rules.write_text(rules.read_text().replace("add: -2", "add: -3"))
    os.utime(rules, ns=(found.st_atime_ns, found.st_mtime_ns))


def a_file_beside(home: Path) -> None:
    (home / "game" / "examples" / "more.yaml").write_text("situation: {}\n")


def settings_above(home: Path) -> None:
    (home / ".closecombat.yaml").write_text("exclude: [examples]\n")


def settings_of_another_tool(home: Path) -> None:
    (home / "pyproject.toml").write_text("[tool.closecombat]\nstrict = true\n")


def a_folder(home: Path) -> None:
    (home / "brawl").mkdir()


def another_game_of_the_project(home: Path) -> None:
    a_game(home / "other")


@pytest.mark.parametrize(
    "change",
    [
        a_row,
        as_long_and_as_old,
        a_file_beside,
        settings_above,
        settings_of_another_tool,
        a_folder,
        another_game_of_the_project,
    ],
)
def test_a_change_is_looked_at(checked: Check, tmp_path: Path, change: Callable[[Path], None]) -> None:
    assert checked() == ([], True)
    assert checked() == ([], False)
    change(tmp_path / "home")
    assert checked()[1]


def test_a_link_that_leads_elsewhere_is_looked_at(checked: Check, tmp_path: Path) -> None:
    home = tmp_path / "home"
    for name in ("one", "two"):
        a_game(home / name)
    (home / "game" / "link").symlink_to(home / "one")
    assert checked() == ([], True)
    assert checked() == ([], False)
    (home / "game" / "link").unlink()
    (home / "game" / "link").symlink_to(home / "two")
    assert checked()[1]


def test_what_is_wrong_is_found_each_time(checked: Check, tmp_path: Path) -> None:
    assert checked() == ([], True)
    (tmp_path / "home" / "game" / "more.yaml").write_text("tables: {blow: {}}\n")
    for _ in range(2):
        found, looked = checked()
        assert looked and found
    (tmp_path / "home" / "game" / "more.yaml").unlink()
    assert checked() == ([], False)
