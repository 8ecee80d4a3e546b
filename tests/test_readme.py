"""The pages for users tell the truth: their commands end as they say and print what they show; every link of every
page leads somewhere.

A line `$ closecombat ...` in a block fenced as console is run in a folder that holds the shipped rulesets and the
files that the pages show under their names; it must end with 0, or with the n of a trailing `# exit n`. What stands
below it must be what it prints, where `[...]` stands for any lines left out. Where the line above the block says
``In `FILE` write `NEW` for `OLD`:``, that is done before it, and undone after it.
"""

import re
import shlex
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner

from closecombat.cli.main import main

ROOT = Path(__file__).parents[1]
PAGES = {
    name: (ROOT / name).read_text("utf-8")
    for name in ("README.md", "grammar/README.md", "rulesets/README.md", "rulesets/variants/README.md")
}
FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CONSOLE = re.compile(
    r"^(?:[^\n]*In `([^`]+)` write `([^`]+)` for `([^`]+)`[^\n]*:\n\n)?```console\n(.*?)^```$", re.M | re.S
)
FILE = re.compile(r"`([\w./-]+\.yaml)`:\n\n```yaml\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")
LEFT_OUT = "[...]"

FIRST = "python3 -m venv .venv && .venv/bin/pip install -q . && .venv/bin/closecombat compare farmhouse\n"
SECOND = "python3 -m venv .venv && .venv/bin/pip install -q '.[dev]' && .venv/bin/pytest -q -n auto\n"


@dataclass
class Shown:
    page: str
    line: str  # without the `$`
    output: list[str]
    edit: tuple[str, str, str] | None  # which file, what is written, for what


def commands() -> list[Shown]:
    found: list[Shown] = []
    for page, text in PAGES.items():
        for file, new, old, block in CONSOLE.findall(text):
            for line in block.splitlines():
                if line.startswith("$ "):
                    found.append(Shown(page, line[2:], [], (file, new, old) if file else None))
                else:
                    found[-1].output.append(line)
    return found


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the reader has before him."""
    folder = tmp_path_factory.mktemp("desk")
    shutil.copytree(ROOT / "rulesets", folder / "rulesets")
    for page in PAGES.values():
        for name, text in FILE.findall(page):
            path = folder / name
            assert not path.exists()
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    return folder


def test_the_two_commands_come_first() -> None:
    assert [block for kind, block in FENCED.findall(PAGES["README.md"]) if kind == "sh"] == [FIRST, SECOND]


def test_the_first_command_prints_what_stands_below_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rest of it, making an environment, is what `.ci/run` does."""
    monkeypatch.setenv("COLUMNS", "80")
    output = PAGES["README.md"].partition(FIRST)[2].partition("```text\n")[2].partition("```")[0]
    result = CliRunner().invoke(main, ["compare", "farmhouse"])
    assert first_unlike(output.splitlines(), result.output) is None


@pytest.mark.parametrize("page", PAGES)
def test_every_command_shown_is_run(page: str) -> None:
    """A block with commands is fenced as console; only what makes the environment is not."""
    shown = [line for _, block in FENCED.findall(PAGES[page]) for line in block.splitlines() if line.startswith("$ ")]
    run = [f"$ {each.line}" for each in commands() if each.page == page]
    assert run and [line for line in shown if line not in run] in ([], ["$ . .venv/bin/activate"])


@pytest.mark.parametrize("shown", commands(), ids=lambda each: f"{each.page}: {each.line}")
def test_a_command(shown: Shown, desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(desk)
    monkeypatch.setenv("COLUMNS", "80")
    stated = re.search(r"# exit (\d+)$", shown.line)
    program, *arguments = shlex.split(shown.line, comments=True)
    assert program == "closecombat"
    if shown.edit:
        file, new, old = shown.edit
        before = (desk / file).read_text("utf-8")
        assert old in before
        (desk / file).write_text(before.replace(old, new, 1), "utf-8")
    result = CliRunner().invoke(main, arguments)
    if shown.edit:
        (desk / file).write_text(before, "utf-8")
    assert result.exit_code == (int(stated[1]) if stated else 0), result.output
    unlike = first_unlike(shown.output, result.output)
    assert unlike is None, f"{shown.page} shows another line than the command prints: {unlike}"


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


PROSE = sorted(
    str(path.relative_to(ROOT))
    for folder in (".", "grammar", "interpreter", "rulesets", "schemas", "tests")
    for path in (ROOT / folder).glob("*.md" if folder == "." else "**/*.md")
)


@pytest.mark.parametrize(
    ("page", "link"),
    [(page, link) for page in PROSE for link in sorted({*LINK.findall((ROOT / page).read_text("utf-8"))})],
)
def test_a_link(page: str, link: str) -> None:
    if link.startswith("https://"):
        return
    path, _, anchor = link.partition("#")
    target = (ROOT / page).parent / path if path else ROOT / page
    assert target.exists()
    if anchor:
        headings = re.findall(r"^#+ (.+)$", target.read_text(encoding="utf-8"), re.MULTILINE)
        assert anchor in [re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings]
