"""README.md tells the truth: its commands end as it says, print what it shows, and its links lead somewhere.

A line `$ closecombat ...` in a block fenced as console is run in a folder that holds the shipped rulesets and the
files that README.md shows under their names; it must end with 0, or with the n of a trailing `# exit n`. What stands
below it must be what it prints, where `[...]` stands for any lines left out.
"""

import re
import shlex
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from closecombat.cli.main import main

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(
    r"^`([\w./-]+\.yaml)`:\n\n```yaml\n(.*?)^```$|, `([\w./-]+\.yaml)`:\n\n```yaml\n(.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
LEFT_OUT = "[...]"

FIRST = "python3 -m venv .venv && .venv/bin/pip install -q . && .venv/bin/closecombat compare farmhouse\n"
SECOND = "python3 -m venv .venv && .venv/bin/pip install -q '.[dev]' && .venv/bin/pytest -q -n auto\n"


def commands() -> list[tuple[str, list[str]]]:
    found: list[tuple[str, list[str]]] = []
    for kind, block in FENCED.findall(README):
        if kind != "console":
            continue
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line[2:], []))
            else:
                found[-1][1].append(line)
    return found


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the reader has before him."""
    folder = tmp_path_factory.mktemp("desk")
    shutil.copytree(ROOT / "rulesets", folder / "rulesets")
    for name, text, inline_name, inline_text in FILE.findall(README):
        path = folder / (name or inline_name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text or inline_text, encoding="utf-8")
    return folder


def test_the_two_commands_come_first() -> None:
    assert [block for kind, block in FENCED.findall(README) if kind == "sh"] == [FIRST, SECOND]


def test_there_are_commands_to_try() -> None:
    assert len(commands()) > 10


@pytest.mark.parametrize(("line", "shown"), commands(), ids=[line for line, _ in commands()])
def test_a_command(line: str, shown: list[str], desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(desk)
    monkeypatch.setenv("COLUMNS", "80")
    stated = re.search(r"# exit (\d+)$", line)
    program, *arguments = shlex.split(line, comments=True)
    assert program == "closecombat"
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == (int(stated[1]) if stated else 0), result.output
    unlike = first_unlike(shown, result.output)
    assert unlike is None, f"README.md shows another line than the command prints: {unlike}"


def first_unlike(shown: list[str], printed: str) -> str | None:
    """The first line shown that is not printed at its place; None if all are."""
    lines = iter([*map(tidy, printed.splitlines())])
    skipping = False
    for line in map(tidy, shown):
        if line == LEFT_OUT:
            skipping = True
        elif skipping:
            if line not in lines:  # goes on behind the line, if it is there
                return line
            skipping = False
        elif next(lines, None) != line:
            return line
    return None


def tidy(line: str) -> str:
    """Without trailing blanks, and files of the checkout as the reader sees them."""
    return line.rstrip().replace(f"{ROOT}/", "")


@pytest.mark.parametrize("link", sorted(set(re.findall(r"\]\(([^)\s]+)\)", README))))
def test_a_link(link: str) -> None:
    if link.startswith("https://"):
        return
    path, _, anchor = link.partition("#")
    target = ROOT / path if path else ROOT / "README.md"
    assert target.exists()
    if anchor:
        headings = re.findall(r"^#+ (.+)$", target.read_text(encoding="utf-8"), re.MULTILINE)
        assert anchor in [re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings]
