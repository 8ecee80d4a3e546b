"""What the workbench is made of that is not ours: Python for browsers, an editor, and the libraries that we use.

`telling/workbench/parts.json` lists each with its version, address, licence and hash. What is not in the user's cache
is fetched once, and counts only if its hash is the one that is listed: nobody can put another in its place. A machine
without a network takes them from a folder. Nothing of it is unpacked into files, and nothing of it is run here.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from closecombat.text.cache import folder_for
from closecombat.text.faults import Faulty

if TYPE_CHECKING:
    from closecombat.telling.workbench_folder import Part

PIECE = 1 << 18  # bytes fetched at a time
PATIENCE = 30  # seconds without a byte
Tell = Callable[[str], None]


def gathered(parts: tuple[Part, ...], given: Path | None, tell: Tell) -> dict[str, bytes]:
    """The archive of every part by its name: of the folder that is `given`, else of the cache, else fetched. Raises
    Faulty: cannot-read."""
    here = given if given is not None else folder_for("parts")
    found: dict[str, bytes] = {}
    for part in parts:
        data = _read(here / part.file) if here is not None else None
        if data is not None and not _is_it(part, data):
            if given is not None:
                message = f"`{part.file}` is not what it should be: {part.name} {part.version}"
                raise Faulty.one("cannot-read", message, None, help=f"fetch it anew from {part.address}")
            data = None
        if data is None:
            if given is not None:
                missing = [one for one in parts if not (given / one.file).is_file()]
                message = f"{len(missing)} parts are not in `{given.as_posix()}`, the first is {part.file}"
                help = "`closecombat workbench --list` says where each comes from; put all of them into that folder"
                raise Faulty.one("cannot-read", message, None, help=help)
            data = _fetched(part, tell)
            if here is not None:
                _keep(here / part.file, data)
        found[part.name] = data
    return found


def _is_it(part: Part, data: bytes) -> bool:
    return sha256(data).hexdigest() == part.sha256


def _read(file: Path) -> bytes | None:
    try:
        return file.read_bytes()
    except OSError:
        return None


def _fetched(part: Part, tell: Tell) -> bytes:
    import http.client
    from urllib.request import urlopen

    data = bytearray()
    try:
        with urlopen(part.address, timeout=PATIENCE) as stream:
            while piece := stream.read(PIECE):
                data += piece
                if len(data) > part.bytes:
                    break
                tell(f"fetching {part.name} {part.version}, {len(data) * 100 // part.bytes}%")
    except (OSError, http.client.HTTPException) as trouble:
        reason = str(getattr(trouble, "reason", None) or trouble).strip("<>")[:120]
        message = f"{part.name} {part.version} cannot be fetched from {part.address}: {reason}"
        raise Faulty.one("cannot-read", message, None, help=_BY_HAND) from None
    if not _is_it(part, bytes(data)):
        message = f"what came from {part.address} is not {part.name} {part.version}: its hash is another"
        raise Faulty.one("cannot-read", message, None, help=_BY_HAND)
    return bytes(data)


def _keep(file: Path, data: bytes) -> None:
    """Beside, and then in its place; where nothing can be written it is fetched again the next time."""
    part = file.with_name(f"{file.name}.{os.getpid()}.part")
    with contextlib.suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(data)
        part.replace(file)
    with contextlib.suppress(OSError):
        part.unlink()


_BY_HAND = (
    "try again with a network; or, without one, fetch by hand what `closecombat workbench --list` names, and give that "
    "folder with --parts"
)
