"""What was checked before and had nothing wrong is not checked again until something changes that a check may read.

A check reads no file outside of the project of what it is given, of what is shipped, and of the settings above
(`text/project`, `checking/settings`). So their folders, all YAML in them by its contents, and the settings are the key;
where that is a lot, or something of it cannot be read, nothing is kept and everything is looked at. Only that nothing
was found is kept: whatever is wrong is found anew, and told with its place.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from closecombat.text.cache import is_kept, keep, key_for, recalled
from closecombat.text.faults import Diagnostic
from closecombat.text.files import YAML, root
from closecombat.text.project import WHERE, folders_of

MOST_ENTRIES = 20_000  # folders and files that are looked at to see whether anything has changed
MOST_BYTES = 32_000_000
SETTINGS = "pyproject.toml"  # which, beside YAML, says something of a check
NOTHING_FOUND = "nothing found"


def findings_under(paths: Sequence[str], of_plans: Callable[[str | Path], Iterable[Diagnostic]]) -> list[Diagnostic]:
    """What `check_paths` finds; nothing at once where it found nothing in the same before."""
    key = _key(paths) if is_kept() and "-" not in paths else None
    if key is not None and recalled(key) == NOTHING_FOUND:
        return []
    from closecombat.checking.check import check_paths

    found = check_paths(paths, of_plans)
    if key is not None and not found and key == _key(paths):  # and nobody has written meanwhile
        keep(key, NOTHING_FOUND)
    return found


def _key(paths: Sequence[str]) -> str | None:
    """The key of all that a check may read; nothing where that is too much, or cannot be told."""
    try:
        return key_for("check", (*paths, os.getcwd(), os.environ.get(WHERE, ""), *_all_of(paths)))
    except (OSError, ValueError, _TooMuch):
        return None


class _TooMuch(Exception):
    """There is more than a check should read to find out that it need not."""


def _all_of(paths: Sequence[str]) -> Iterator[str]:
    shipped = root("rulesets")
    folders = {shipped: None}
    for path in paths:
        place = Path(os.path.abspath(path))
        there = place if place.is_dir() else place.parent
        folders |= dict.fromkeys([there, *folders_of(there), Path(os.path.realpath(there))])
    whole = [one for one in folders if not any(one.is_relative_to(other) for other in folders if other != one)]
    entries, size = 0, 0
    for folder in whole:
        for above in folder.parents:  # settings count from wherever they stand
            for name in (".closecombat.yaml", SETTINGS):
                if (above / name).is_file():
                    yield from (str(above / name), (above / name).read_text("utf-8", "surrogateescape"))
        for here, names, files in os.walk(folder, onerror=_raise):
            names[:] = sorted(name for name in names if name != ".git")
            entries += len(names) + len(files)
            if entries > MOST_ENTRIES:
                raise _TooMuch
            seen = (name for name in names if name != "__pycache__" and not name.startswith("."))
            yield from (here, *(os.path.realpath(os.path.join(here, name)) for name in seen))
            for name in sorted(files):
                if not name.endswith((*YAML, SETTINGS)):
                    continue
                file = os.path.join(here, name)
                size += os.stat(file).st_size
                if size > MOST_BYTES or not os.path.isfile(file):
                    raise _TooMuch
                with open(file, encoding="utf-8", errors="surrogateescape", newline="") as text:
                    yield from (name, os.path.realpath(file), text.read())


def _raise(error: OSError) -> None:
    raise error
