"""The workbench as a folder of a few files, which opens from a disk, a stick or any server of files.

A browser refuses a page that lies on a disk whatever such a page would fetch: no worker, no module, no file beside it
but classic scripts and styles. So everything goes into two scripts as text: `page.js`, the page's own, and `parts.js`,
which holds in compressed form Python for browsers, this program with its libraries and rulesets, and the editor.
The page unpacks them and makes of each what the browser wants (`telling/workbench/page.js`). Nothing is fetched when
it is used, and no tool but Python is needed to make it.

The same parts and the same program make the same bytes.
"""

from __future__ import annotations

import gzip
import json
import tarfile
from base64 import b64encode
from collections.abc import Iterator, Mapping
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from types import MappingProxyType
from typing import Any
from zipfile import ZIP_STORED, ZipFile, ZipInfo

from closecombat import __version__
from closecombat.telling.html import page_of
from closecombat.text.cache import NAME
from closecombat.text.files import PACKAGED, root
from closecombat.text.slotted import dataclass

OWN = Path(__file__).parent / "workbench"
MARK = "workbench of closecombat"  # in the page of every folder that was made so
PAGE, SCRIPT, PARTS, LICENCES = "index.html", "page.js", "parts.js", "LICENSES.txt"
SITE, WORKER, EDITOR = "site.zip", "worker.js", "editor.js"  # among the parts
NAMED = f"closecombat/{PACKAGED}/{NAME}"
KEPT = f"closecombat/{PACKAGED}/kept"  # the cache of the program in the browser, which begins with what it is given
DATA: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"grammar": (".lark", ".yaml"), "schemas": (".json",), "rulesets": (".yaml",)}
)
LEFT_OUT = ("telling/workbench", "telling/pages", "pytest_plugin.py")  # of the program, in a browser
OURS_AND_PYTHONS = (
    (f"closecombat {__version__}, MIT", "LICENSE.txt"),
    ("Pyodide, MPL-2.0", "MPL-2.0.txt"),
    ("Python in it, PSF-2.0", "Python-licence.txt"),
)
LONG_AGO = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Part:
    """Something that is not ours, as it is listed. `takes` names what is used of its archive, each by the name that it
    has on the page, or in a `library`, of which it is all if nothing is named."""

    name: str
    version: str
    licence: str
    use: str  # python, editor or library
    address: str
    file: str
    sha256: str
    bytes: int
    takes: Mapping[str, str]
    licence_file: str


def listed_parts() -> tuple[Part, ...]:
    """What the workbench is made of that is not ours."""
    return tuple(Part(**one) for one in json.loads((OWN / "parts.json").read_text("utf-8"))["parts"])


def opening() -> dict[str, str]:
    """What the page opens with: a ruleset, a fight that it tells, and a variant of it."""
    found: dict[str, str] = json.loads((OWN / "first.json").read_text("utf-8"))
    return found


def site_of(parts: tuple[Part, ...], archives: Mapping[str, bytes]) -> dict[str, bytes]:
    """This program with its libraries, as it runs in a browser: file by file. `archives` are the parts by their
    names."""
    site = dict(_program())
    for part in parts:
        if part.use == "library":
            inside = _members(part, archives[part.name])
            taken = {called: inside[name] for name, called in part.takes.items()} or inside
            site |= {name: data for name, data in taken.items() if _is_used(name)}
    digest = sha256()
    for name, data in sorted(site.items()):
        digest.update(f"{name} {len(data)}\n".encode() + data)
    return {**site, NAMED: digest.hexdigest().encode()}


def folder_of(
    parts: tuple[Part, ...], archives: Mapping[str, bytes], site: Mapping[str, bytes], first: Mapping[str, Any]
) -> dict[str, str]:
    """The files of the folder; `site` is the program, with what it has read already; `first` is what the page shows at
    once."""
    packed: dict[str, bytes] = {WORKER: _own(WORKER), EDITOR: _own(EDITOR), SITE: zipped(site)}
    licences = [_head(), *_texts(*OURS_AND_PYTHONS)]
    for part in parts:
        inside = _members(part, archives[part.name])
        if part.use != "library":
            packed |= {called: inside[name] for name, called in part.takes.items()}
        text = inside[part.licence_file].decode("utf-8", "replace") if part.licence_file else "The text is above.\n"
        licences.append(f"== {part.name} {part.version}, {part.licence}\n   {part.address}\n\n{text}")
    lines = (f"{json.dumps(name)}:{json.dumps(_packed(data))}" for name, data in sorted(packed.items()))
    return {
        PAGE: page_of("workbench", {"mark": MARK, "first": first}),
        SCRIPT: _own(SCRIPT).decode(),
        PARTS: "self.PARTS = {\n" + ",\n".join(lines) + "\n};\n",
        LICENCES: "\n".join(line.rstrip() for line in "\n\n".join(licences).splitlines()) + "\n",
    }


def _own(name: str) -> bytes:
    return (OWN / name).read_bytes().replace(b"\r\n", b"\n")


def _packed(data: bytes) -> str:
    return b64encode(gzip.compress(data, 9, mtime=0)).decode()


def _members(part: Part, archive: bytes) -> dict[str, bytes]:
    """What lies in an archive, by name: all of a library, of another what is taken of it."""
    if part.file.endswith(".whl"):
        with ZipFile(BytesIO(archive)) as wheel:
            return {name: wheel.read(name) for name in wheel.namelist() if not name.endswith("/")}
    wanted = {*part.takes, part.licence_file}
    with tarfile.open(fileobj=BytesIO(archive), mode="r:gz") as tarball:
        found = {one.name: tarball.extractfile(one) for one in tarball if one.isfile() and one.name in wanted}
        return {name: stream.read() for name, stream in found.items() if stream is not None}


def _is_used(name: str) -> bool:
    """Whether a file of a library is one of its modules or what these read; some look up their own version."""
    return name.endswith("/METADATA") or not (".dist-info/" in name or "/tests/" in name or name.endswith(".pyi"))


def _program() -> Iterator[tuple[str, bytes]]:
    """This program as it is installed: its modules, and the files that they read."""
    package = Path(__file__).parents[1]
    for file in sorted(package.rglob("*.py")):
        name = file.relative_to(package).as_posix()
        if not name.startswith((*LEFT_OUT, PACKAGED)):
            yield f"closecombat/{name}", file.read_bytes()
    for kind, ends in DATA.items():
        folder = root(kind)
        for file in sorted(folder.rglob("*")):
            if file.name.endswith(ends) and file.is_file():
                yield f"closecombat/{PACKAGED}/{kind}/{file.relative_to(folder).as_posix()}", file.read_bytes()


def zipped(files: Mapping[str, bytes]) -> bytes:
    """An archive without the time; it is not compressed, since all of it is once more."""
    out = BytesIO()
    with ZipFile(out, "w", ZIP_STORED) as archive:
        for name, data in sorted(files.items()):
            archive.writestr(ZipInfo(name, LONG_AGO), data)
    return out.getvalue()


def _head() -> str:
    return (
        f"The workbench of closecombat {__version__} holds closecombat itself and the parts below, each unchanged, in\n"
        "parts.js. Pyodide is Python for browsers under the Mozilla Public License 2.0; its source is at\n"
        "https://github.com/pyodide/pyodide, and it holds Python, under the licence of the Python Software\n"
        "Foundation, and libraries in C that its source names. The other parts are under licences like ours."
    )


def _texts(*named: tuple[str, str]) -> Iterator[str]:
    for title, name in named:
        yield f"== {title}\n\n{_own(name).decode('utf-8')}"


# ---- what is said of it -----------------------------------------------------------------------------------


def parts_text(parts: tuple[Part, ...]) -> str:
    """Each part, where it comes from, and the hash that it must have."""
    return "".join(
        f"{one.file}: {one.name} {one.version}, {one.licence}, {one.bytes:,} bytes\n"
        f"{one.address}\nsha256 {one.sha256}\n\n"
        for one in parts
    )


def parts_json(parts: tuple[Part, ...]) -> str:
    said = [
        {
            "name": one.name,
            "version": one.version,
            "licence": one.licence,
            "address": one.address,
            "file": one.file,
            "bytes": one.bytes,
            "sha256": one.sha256,
        }
        for one in parts
    ]
    return _json({"parts": said})


def made_json(page: str, files: Mapping[str, int]) -> str:
    return _json({"page": page, "files": [{"file": name, "bytes": size} for name, size in files.items()]})


def _json(said: Mapping[str, Any]) -> str:
    return json.dumps({"format_version": 1, "command": "workbench", **said}, indent=2, ensure_ascii=False) + "\n"
