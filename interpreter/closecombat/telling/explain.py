"""What a code means: its paragraph, a row with the fault and the same row mended; a line of each code; and the page
`grammar/findings.md`, which holds all of them."""

from __future__ import annotations

from textwrap import dedent, fill, indent

from closecombat.telling.findings import wrapped
from closecombat.text.codes import CODES, EITHER, severity_of
from closecombat.text.illustrations import ILLUSTRATIONS, SOUND, WITHOUT, Illustration

WIDTH = 80
HEAD = """# Findings

Every finding of `check`, and every refusal of another command, has a code. `closecombat explain CODE` says what is
here. How findings are ignored, chosen or forgiven is in [README.md](../README.md#check-test-look-up).
What is *either* is more severe where it is sure than where it may be; `closecombat explain CODE` says which.

This page is written by `closecombat explain --list -f md > grammar/findings.md`.
"""


def explained(code: str) -> str:
    """A code as a screen of text."""
    severity = EITHER.get(code) or severity_of(code)
    out = f"{code} ({severity})\n\n{fill(CODES[code], WIDTH)}\n"
    if code in ILLUSTRATIONS:
        name, wrong, right = _rows(ILLUSTRATIONS[code])
        out += f"\nwrong, in {name}:\n\n{_on_a_screen(wrong)}\n\nmended:\n\n{_on_a_screen(right)}\n"
    else:
        out += f"\n{fill(f'no row shows it: {WITHOUT[code]}', WIDTH)}\n"
    return out


def _on_a_screen(rows: str) -> str:
    """Rows as a screen shows them: one that is too long goes on below, as it may in a file too."""
    lines = (part for line in rows.split("\n") for part in wrapped(line, WIDTH - 2, " " * (_indent(line) + 4)))
    return indent("\n".join(lines), "  ")


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def listed() -> str:
    """A line of each code, by name: how severe it is, and what it is about."""
    widest = max(map(len, CODES))
    lines = (
        fill(
            f"{code:{widest}}  {severity_of(code):8} {_first(CODES[code])}",
            WIDTH,
            subsequent_indent=" " * (widest + 11),
            break_long_words=False,
            break_on_hyphens=False,
        )
        for code in sorted(CODES)
    )
    return "\n".join(lines) + "\n"


def findings_page() -> str:
    """All codes, as Markdown."""
    out = [HEAD, "| code | severity | |", "|---|---|---|"]
    out += [f"| [`{code}`](#{code}) | {severity_of(code)} | {_cell(_first(CODES[code]))} |" for code in sorted(CODES)]
    for code in sorted(CODES):
        out += ["", f"## {code}", "", fill(CODES[code], 120, break_long_words=False, break_on_hyphens=False)]
        if code in ILLUSTRATIONS:
            name, wrong, right = _rows(ILLUSTRATIONS[code])
            out += ["", f"Wrong, in `{name}`:", "", "```yaml", wrong, "```", "", "Mended:", "", "```yaml", right, "```"]
        else:
            out += ["", f"No row shows it: {WITHOUT[code]}."]
    return "\n".join(out) + "\n"


def _first(paragraph: str) -> str:
    """The first sentence, without its full stop."""
    return paragraph.partition(". ")[0].removesuffix(".")


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _rows(one: Illustration) -> tuple[str, str, str]:
    """The file of an illustration, and the lines in which it stands: with the fault, and mended. What is to be there
    and is not is shown by the line before."""
    name, text = next((name, text) for name, text in SOUND.items() if one.right in text)
    start = text.index(one.right)
    if not one.wrong:
        start = text.rindex("\n", 0, start - 1) + 1
    first = text.rfind("\n", 0, start) + 1
    after = text.index(one.right) + len(one.right)
    last = after - 1 if text[after - 1] == "\n" else text.index("\n", after)
    right = text[first:last]
    wrong = right.replace(one.right.rstrip("\n"), one.wrong.rstrip("\n")).rstrip("\n")
    return name, dedent(wrong), dedent(right)
