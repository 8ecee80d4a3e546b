"""What is wrong in texts that somebody edits, while he does: the check of `checking/check`, with what is not saved yet
in place of the files.

Only what a change can touch is checked again: the texts that are open and rest on the same ruleset, by themselves. The
examples of a ruleset that are not open are left to the command.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from closecombat.checking.check import OURS, check_paths
from closecombat.reading.stack import key_of, line_up, read_mapping
from closecombat.text.document import unsaved
from closecombat.text.faults import Diagnostic, Faulty
from closecombat.text.nodes import Text

MAIN = "ruleset.yaml"


def home_of(file: Path) -> Path:
    """The ruleset that a file is of or for: its folder, or its own file; the file itself if that cannot be known."""
    for folder in (file.parent, file.parent.parent):
        if (folder / MAIN).is_file() and (folder == file.parent or file.parent.name == "examples"):
            return folder
    try:
        document = read_mapping(file)
        named = document.get("extends") if "variant" in document else document.get("ruleset")
        is_named = "variant" in document or "situation" in document or "example" in document or "examples" in document
        if is_named and isinstance(named, Text):
            return line_up(named.value, file.parent).base.place.resolve()
    except (Faulty, OSError):
        pass
    return file


def gathered(texts: Mapping[Path, str]) -> dict[Path, list[Path]]:
    """Open files by the ruleset that they rest on; without those that are somebody else's."""
    found: dict[Path, list[Path]] = {}
    with unsaved(texts):
        for file, text in texts.items():
            home = home_of(file)
            if home != file or OURS.search(text):
                found.setdefault(home, []).append(file)
    return found


def findings_while_edited(files: Iterable[Path], texts: Mapping[Path, str]) -> tuple[Diagnostic, ...]:
    """What is wrong with some files, as they are edited; of a file that is one of a ruleset's, with all of it."""
    named = {key_of(file): str(file) for file in files if file.is_file()}
    if not named:
        return ()
    with unsaved(texts):
        try:
            return tuple(check_paths(list(named.values())))
        except Faulty as fault:
            return fault.diagnostics
