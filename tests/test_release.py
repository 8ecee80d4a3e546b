"""What is done with a release, in `.github`: its commands are commands of ours, and the changelog has the version."""

import re
import shlex
from pathlib import Path

import pytest
from click import Context

from closecombat import __version__
from closecombat.cli.main import main

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / ".github" / "site" / "build", *sorted((ROOT / ".github" / "workflows").glob("*.yml"))]
COMMAND = re.compile(r"(?:^|run: |&& )\s*closecombat ([^&\n]+)", re.MULTILINE)
LINES = [(page.name, line.strip()) for page in PAGES for line in COMMAND.findall(page.read_text("utf-8"))]


@pytest.mark.parametrize(("page", "line"), LINES)
def test_every_command_is_one_of_ours(page: str, line: str, tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    name, *words = shlex.split(
        line.replace("$site", str(tmp_path)).replace("$ruleset", "asl").replace("$engagement", "farmhouse")
    )
    command = main.get_command(Context(main), name)
    assert command is not None
    command.make_context(name, words)  # a word or an option that it does not know is an error


def test_the_changelog_begins_with_this_version() -> None:
    newest = re.search(r"^## (\S+),", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert newest and newest[1] == __version__


def test_the_site_links_to_pages_that_are_made() -> None:
    linked = re.findall(r'"((?:pages|workbench)/[^"]+)"', (ROOT / ".github" / "site" / "conf.py").read_text("utf-8"))
    build = (ROOT / ".github" / "site" / "build").read_text("utf-8")
    made = re.findall(r"\$site/([^\"]+)", build.replace("$ruleset", "{name}").replace("$engagement", "farmhouse"))
    assert set(linked) <= {*made, "workbench/index.html"} and "workbench" in made
