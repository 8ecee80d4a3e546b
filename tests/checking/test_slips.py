"""The slips that designers make: each is told once, in words of theirs, with what to write instead.

`python tests/checking/test_slips.py > grammar/slips.md` makes the page of them.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from closecombat.checking.check import check_paths
from closecombat.text.document import parse, read_source
from closecombat.text.faults import Diagnostic
from closecombat.text.nodes import Listing, Mapping, Text

ROOT = Path(__file__).parents[2]
CASES = ROOT / "tests" / "cases" / "slips"
BASE = (CASES / "base.yaml").read_text("utf-8").split("\n")
PAGE = ROOT / "grammar" / "slips.md"

# A cell: the line of base.yaml in whose place it stands, the line around it, and how the page shows it.
CELLS = {
    "when": ("row", "x: {when: .., add: -1}", "when: .."),
    "is": ("table", "table: {about: unit, is: ..}", "is: .."),
    "cell": ("row", "x: {class: .., add: -1}", "class: .."),
    "number-cell": ("row", "x: {men: .., add: -1}", "men: .."),
    "add": ("row", "x: {broken: yes, add: ..}", "add: .."),
    "do": ("act", "act: {each: unit, do: ..}", "do: .."),
}
# What only those say who write parsers, or programs.
JARGON = re.compile(
    r"expected|unexpected|token|pars|syntax|scalar|mapping|sequence entr|NoneType|\bstr\b|\bint\b|\bdict\b|regex|Error|[A-Z]{2,}_"
)
HEAD = """# Slips

What designers write who know rulebooks and not this language yet, what `closecombat check` says of it, and what it wants
instead. Each line is tried by the tests: the slip is told so, once, and what stands at the right passes. What the language is
stands in [README.md](README.md).
"""


class Slip(NamedTuple):
    group: str
    at: str
    slip: str
    says: str
    help: str
    write: str


def slips() -> Iterator[Slip]:
    document = parse(read_source(CASES / "slips.yaml"))
    assert isinstance(document, Mapping)
    for group, cases in document.entries:
        assert isinstance(cases, Listing)
        for case in cases.items:
            assert isinstance(case, Mapping)
            texts = {key.value: value.value for key, value in case.entries if isinstance(value, Text)}
            yield Slip(group.value, **texts)


ALL = list(slips())


def found(at: str, written: str, folder: Path) -> list[Diagnostic]:
    """The errors of the sound ruleset with something written in a place of it."""
    line, around, _ = CELLS.get(at, (at, "..", ""))
    text = around.replace("..", written, 1).split("\n")
    place = next(number for number, old in enumerate(BASE) if old.endswith(f"# {line}"))
    indent = re.match(" *", BASE[place])
    lines = [(indent[0] if indent else "") + one for one in text]
    file = folder / "ruleset.yaml"
    file.write_text("\n".join([*BASE[:place], *lines, *BASE[place + 1 :]]), "utf-8")
    return [fault for fault in check_paths([str(file)]) if fault.severity == "error"]


def test_the_ruleset_in_which_the_slips_are_made_is_sound() -> None:
    assert not [fault for fault in check_paths([str(CASES / "base.yaml")]) if fault.severity == "error"]
    assert len(ALL) >= 40
    assert len({(slip.at, slip.slip) for slip in ALL}) == len(ALL)


@pytest.mark.parametrize("slip", ALL, ids=lambda slip: f"{slip.at} {slip.slip}"[:60])
def test_a_slip_is_told_once_with_what_to_write(slip: Slip, tmp_path: Path) -> None:
    told = [(fault.message, fault.help) for fault in found(slip.at, slip.slip, tmp_path)]
    assert told == [(slip.says, slip.help)]
    assert not JARGON.search(f"{slip.says} {slip.help}".replace("capital", ""))
    assert slip.help
    assert found(slip.at, slip.write, tmp_path) == []


@pytest.mark.parametrize(
    "slip", [one for one in ALL if one.at in CELLS], ids=lambda slip: f"{slip.at} {slip.slip}"[:60]
)
def test_a_sentence_that_is_to_be_written_is_what_the_page_writes(slip: Slip) -> None:
    if advised := re.fullmatch(r"write `([^`]+)`", slip.help):
        assert slip.write in advised[1]


def page() -> str:
    """The page for designers."""
    out, group = [HEAD], ""
    for slip in ALL:
        if slip.group != group:
            group = slip.group
            out.append(f"\n## {group}\n\n| written | what is said of it | write |\n|---|---|---|\n")
        cells = (_code(slip.at, slip.slip), f"{slip.says}: {slip.help}".replace("|", "\\|"), _code(slip.at, slip.write))
        out.append("| " + " | ".join(cells) + " |\n")
    return "".join(out)


def _code(at: str, written: str) -> str:
    shown = CELLS[at][2].replace("..", written, 1) if at in CELLS else written
    lines = shown.replace("\t", "→").replace("|", "\\|").split("\n")
    return "<br>".join(f"`{line}`" for line in lines)


def test_the_page_is_made_of_the_cases() -> None:
    assert PAGE.read_text("utf-8") == page()


if __name__ == "__main__":
    print(page(), end="")
