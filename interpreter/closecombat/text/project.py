"""Which files may be read because another file names them, or because a link leads to them.

A ruleset may come from a stranger: a pull request is checked by a machine that holds more than the rules. What somebody
types at the command line is his own affair. What a *file* names (`extends:`, `ruleset:`, the fights of a plan) is read
only if it lies in that file's project or is shipped, and is a folder or ends as YAML does; so nothing of any other file
is quoted in a finding, nor is it told whether it is there. A link counts as what it leads to, whoever names it.

The project is the nearest folder at or above the file that holds `.git`; without one, the nearest with a
`pyproject.toml` or a `.closecombat.yaml`. A folder that is no project at all is taken as small as is of use: the
current folder if the file lies in it, and the folder above that of the file. The environment may name another.
"""

from __future__ import annotations

import os
from pathlib import Path

from closecombat.text.faults import Faulty
from closecombat.text.files import YAML, root
from closecombat.text.source import Span

MARKS = ((".git",), ("pyproject.toml", ".closecombat.yaml"))  # the first that is found anywhere above counts
WHERE = "CLOSECOMBAT_PROJECT"
LONGEST_PATH = 1_000
STREAMS = ("/dev/", "/proc/self/fd/")  # where a shell hands on what another program says


def refuse_outside(name: str, near: Path | None, at: Span | None) -> None:
    """Raises `Faulty` if a file in the folder `near` may not have `name` read: wrong-shape, outside-project."""
    if len(name) > LONGEST_PATH or not name.isprintable():
        message = f"a path has at most {LONGEST_PATH:,} characters, and none that cannot be printed"
        raise Faulty.one("wrong-shape", message, at, help="give the file a shorter name")
    here = near if near is not None else Path()
    place = here / name
    if not any(_lies_in(place, folder) for folder in (*folders_of(here), root("rulesets"))):
        raise Faulty.one("outside-project", f"`{_short(name)}` lies outside this project", at, help=_MEND)
    real = os.path.realpath(place)
    if not real.endswith(YAML) and not os.path.isdir(real):
        message = f"`{_short(name)}` is no name of a file of rules or fights"
        raise Faulty.one("wrong-shape", message, at, help="name a folder, or a file that ends in .yaml")


def trouble_with(file: Path) -> tuple[str, str, str] | None:
    """Why a file may not be read, as code, message and help: it is a link that leads out of its project, or no file at
    all but something that one could wait for without end."""
    try:
        written, real = os.path.abspath(file), os.path.realpath(file)
    except ValueError:  # no name of a file: whoever opens it says so
        return None
    if written.startswith(STREAMS):
        return None
    if written != real and not any(_lies_in(Path(real), one) for one in (*folders_of(file.parent), root("rulesets"))):
        return "outside-project", "this is a link that leads out of the project", _INSTEAD
    if written != real and not real.endswith((*YAML, ".json")) and written.endswith(YAML):
        return "outside-project", "this is a link to a file that is not YAML", _INSTEAD
    if os.path.exists(real) and not os.path.isfile(real):
        return "not-a-file", "this is a pipe or a device, and a file is wanted", "name a file"
    return None


def folders_of(folder: Path) -> tuple[Path, ...]:
    """What the files of a folder may have read."""
    if said := os.environ.get(WHERE):
        return (Path(said),)
    here = Path(os.path.abspath(folder))
    for marks in MARKS:
        for each in (here, *here.parents):
            if any(os.path.lexists(each / mark) for mark in marks):
                return (each,)
    now = Path.cwd()
    return (now, here.parent) if here.is_relative_to(now) else (here.parent,)


def _lies_in(place: Path, folder: Path) -> bool:
    return Path(os.path.realpath(place)).is_relative_to(os.path.realpath(folder))


def _short(name: str) -> str:
    return name if len(name) <= 80 else name[:80] + "…"


_MEND = "copy it into the project, name it at the command line, or set CLOSECOMBAT_PROJECT to a folder that holds both"
_INSTEAD = "put the file itself in its place"
