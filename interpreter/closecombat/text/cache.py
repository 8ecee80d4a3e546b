"""What was worked out once is not worked out again: texts in the user's cache directory, each under a key.

A key is the hash of all that a text was worked out from, this program included, so nothing in the cache ever grows
old: with another input the key is another, and what nobody asks for any more makes room in time. A file is written
beside and moved into its place, so that whoever reads sees all of it or none, however many write at once; its first
line is the hash of the rest, and what does not fit its hash is not there. Where nothing can be written nothing is
kept, and nothing else changes.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from closecombat import __version__
from closecombat.text.files import PACKAGED, root
from closecombat.text.slotted import dataclass

WHERE = "CLOSECOMBAT_CACHE"  # an environment variable: another folder, or `no`
MOST_BYTES = 64_000_000
MOST_FILES = 4_000
NAME = "program"  # a file among the data of a program that was packed for another machine
_END = ".json"


def key_for(what: str, texts: Iterable[str]) -> str:
    """The key of what is worked out from some texts by this program."""
    found = sha256(_program().encode())
    for text in (what, *texts):
        data = text.encode("utf-8", "surrogatepass")
        found.update(b"%d\n" % len(data))
        found.update(data)
    return found.hexdigest()


def recalled(key: str) -> str | None:
    """The text that was kept under a key; nothing if there is none, or none that is whole."""
    folder = _folder()
    if folder is None:
        return None
    try:
        digest, _, data = (folder / f"{key}{_END}").read_bytes().partition(b"\n")
        if sha256(data).hexdigest().encode() != digest:
            return None
        with contextlib.suppress(OSError):
            os.utime(folder / f"{key}{_END}")  # what is asked for is not the first to make room
        return data.decode()
    except (OSError, ValueError):
        return None


def is_kept() -> bool:
    """Whether there is a cache to keep anything in."""
    return _folder() is not None


def folder_for(what: str) -> Path | None:
    """Where files are kept that are no texts of ours, such as what was fetched; nothing if nothing is kept."""
    folder = _folder()
    return None if folder is None else folder / what


def keep(key: str, text: str) -> None:
    """Keeps a text, and makes room for it."""
    folder = _folder()
    data = text.encode()
    if folder is None or len(data) > MOST_BYTES:
        return
    data = sha256(data).hexdigest().encode() + b"\n" + data
    part = folder / f"{key}.{os.getpid()}.part"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        filled = _filled(folder)
        filled.bytes, filled.files = filled.bytes + len(data), filled.files + 1
        if filled.bytes > MOST_BYTES or filled.files > MOST_FILES:
            _make_room(folder, len(data))
            _filled.cache_clear()
        part.write_bytes(data)
        part.replace(folder / f"{key}{_END}")
    except OSError:
        with contextlib.suppress(OSError):
            part.unlink()


def _folder() -> Path | None:
    where = os.environ.get(WHERE, "")
    if where == "no":
        return None
    if where:
        return Path(where)
    from platformdirs import user_cache_path

    try:
        return user_cache_path("closecombat", appauthor=False)
    except (OSError, RuntimeError):  # a user without a home
        return None


@dataclass(slots=True)
class _Filled:
    """How much lies in the cache, as far as this process knows: what others write meanwhile is seen by the next."""

    bytes: int
    files: int


@lru_cache(maxsize=1)
def _filled(folder: Path) -> _Filled:
    there = _there(folder)
    return _Filled(sum(size for _, size, _ in there), len(there))


def _there(folder: Path) -> list[tuple[int, int, str]]:
    """The files of the cache, each with when it was asked for and its size."""
    found = []
    with os.scandir(folder) as entries:
        for file in entries:
            with contextlib.suppress(OSError):  # another has just taken it out
                if file.is_file():
                    found.append((file.stat().st_mtime_ns, file.stat().st_size, file.path))
    return found


def _make_room(folder: Path, wanted: int) -> None:
    """Takes out what was asked for longest ago, until half of the room is free."""
    there = sorted(_there(folder))
    total = wanted + sum(size for _, size, _ in there)
    for at, (_, size, file) in enumerate(there):
        if total <= MOST_BYTES // 2 and len(there) - at < MOST_FILES // 2:
            return
        with contextlib.suppress(OSError):
            os.unlink(file)
        total -= size


@lru_cache(maxsize=1)
def _program() -> str:
    """The version, and every file of the program and its grammar with size and time: in a checkout the one stays while
    the others change. One that was packed for another machine, where the times are others, has a name for all that."""
    package = Path(__file__).resolve().parents[1]
    if (named := package / PACKAGED / NAME).is_file():
        return named.read_text(encoding="utf-8")
    lines = [__version__]
    for folder in (package, root("grammar"), root("schemas")):
        for here, _, names in os.walk(folder):
            for name in names:
                if name.endswith((".py", ".lark", ".json")):
                    found = os.stat(os.path.join(here, name))
                    lines.append(f"{here}/{name} {found.st_size} {found.st_mtime_ns}")
    return "\n".join(sorted(lines))
