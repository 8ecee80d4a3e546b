"""The two pages of the language tell the truth: every example of them is run.

The game of grammar/README.md is tried by `test_readme.py`, since the page shows it as files and commands. The examples of
grammar/reference.md are laid together to one ruleset, with `cases/reference.yaml` for what they leave unsaid. Of the tables
of sentences every form in the first column is asked in the ruleset of its page.
"""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from closecombat.checking.check import check_paths
from closecombat.cli.main import main

ROOT = Path(__file__).parents[1]
FIRST_DAY = (ROOT / "grammar" / "README.md").read_text("utf-8")
REFERENCE = (ROOT / "grammar" / "reference.md").read_text("utf-8")
FILE = re.compile(r"`([\w./-]+\.yaml)`:\n\n```yaml\n(.*?)^```$", re.M | re.S)
BLOCK = re.compile(r"^```yaml\n(.*?)^```$", re.M | re.S)
CODE = re.compile(r"`([^`]+)`")
INDEX = re.compile(r"`([a-z-]+(?: than)?)` ((?:\[D?\d+\]\([^)]+\) ?)+)")


def first_column(page: str, head: str) -> list[str]:
    """What stands in code in the first column of the table with this heading."""
    rows = page.partition(f"| {head} |")[2].partition("\n\n")[0].splitlines()[2:]
    return [code for row in rows for code in CODE.findall(row.split(" | ")[0])]


@pytest.fixture(scope="module")
def ford(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("first-day")
    for name, text in FILE.findall(FIRST_DAY):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return folder / "ford"


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reference")
    (folder / "examples").mkdir()
    (folder / "ruleset.yaml").write_text((ROOT / "tests" / "cases" / "reference.yaml").read_text("utf-8"), "utf-8")
    for number, text in enumerate(BLOCK.findall(REFERENCE)):
        place = folder / "examples" if text.startswith("example:") else folder
        (place / f"{number}.yaml").write_text(text, "utf-8")
    return folder


def errors(folder: Path, file: str = "") -> dict[int, str]:
    """By line of the file of this name, or of any: what is wrong."""
    return {
        fault.span.source.position(fault.span.start)[0]: fault.message
        for fault in check_paths([str(folder)])
        if fault.severity == "error" and fault.span and fault.span.source.name.endswith(file)
    }


def test_the_examples_of_the_reference_are_one_sound_ruleset(reference: Path) -> None:
    assert errors(reference) == {}
    result = CliRunner().invoke(main, ["test", str(reference)])
    assert (result.exit_code, result.output) == (0, "1 example, 1 passed\n")


@pytest.mark.parametrize(
    ("page", "heads", "speakers"),
    [
        ("ford", ("what is so", "how much"), ("unit", "side")),
        ("reference", ("form", "asked of a throw"), ("unit", "attack")),
    ],
)
def test_a_form_of_a_sentence(
    page: str, heads: tuple[str, ...], speakers: tuple[str, ...], request: pytest.FixtureRequest
) -> None:
    """Each is the value of a table about one who can say it."""
    folder: Path = request.getfixturevalue(page)
    forms = [form for head in heads for form in first_column(FIRST_DAY if page == "ford" else REFERENCE, head)]
    assert len(forms) >= 20
    lines = ["tables:"]
    for number, form in enumerate(forms):
        said = form.replace("'", "''")
        lines += [f"  form-{number}-of-{speaker}: {{about: {speaker}, is: '{said}'}}" for speaker in speakers]
    file = folder / "forms.yaml"
    file.write_text("\n".join(lines), "utf-8")
    wrong = errors(folder, "forms.yaml")
    file.unlink()
    refused = {
        form: wrong[2 + 2 * number]
        for number, form in enumerate(forms)
        if 2 + 2 * number in wrong and 3 + 2 * number in wrong
    }
    assert refused == {}


def test_a_form_of_what_is_done(ford: Path) -> None:
    forms = [form for form in first_column(FIRST_DAY, "done") if ": " in form]
    assert len(forms) >= 8
    kinds = ("unit", "side")
    lines = ["sequences:", "  forms:", "    in-order:"]
    for number, form in enumerate(forms):
        lines += [f"      form-{number}-of-{kind}: {{each: {kind}, {form}}}" for kind in kinds]
    file = ford / "forms.yaml"
    file.write_text("\n".join(lines), "utf-8")
    wrong = errors(ford, "forms.yaml")
    file.unlink()
    refused = [form for number, form in enumerate(forms) if 4 + 2 * number in wrong and 5 + 2 * number in wrong]
    assert refused == []


def sections(page: str) -> dict[str, str]:
    """By the number of its heading."""
    return {found[1]: found[2] for found in re.finditer(r"^## (\d+)\.(.*?)(?=^## |\Z)", page, re.M | re.S)}


def test_the_index_names_a_place_where_the_word_is() -> None:
    entries = INDEX.findall(REFERENCE.partition("\n## 1. ")[0])
    assert len(entries) >= 120
    here, there = sections(REFERENCE), sections(FIRST_DAY)
    for word, places in entries:
        for first_day, number in re.findall(r"\[(D?)(\d+)\]", places):
            text = (there if first_day else here)[number]
            assert re.search(rf"(?<![\w-]){re.escape(word)}(?![\w])", text) or f"-{word}" in text, (word, number)
