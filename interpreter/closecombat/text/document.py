"""From a file to its nodes: texts are read here, and what was read once is recalled (`text/cache`).

The YAML library is asked (`text/building`) only for a text that is new. What somebody edits and has not saved yet is
read in place of the file (`unsaved`), so that everything that reads files judges what he sees.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from collections.abc import Mapping as ReadOnly
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from closecombat.text import nodes
from closecombat.text import source as places
from closecombat.text.cache import key_for
from closecombat.text.faults import Faulty, suggest
from closecombat.text.files import is_installed, root
from closecombat.text.nodes import Listing, Mapping, Node, Text
from closecombat.text.packed import keep_packed, makers_of, recalled_packed
from closecombat.text.project import trouble_with
from closecombat.text.source import Source, Span, unprintable

MOST_BYTES = 2_000_000
LEAST_KEPT = 300  # characters: what is shorter is read as quickly as it is looked up
MOST_REMEMBERED = 256  # texts: a ruleset is a dozen
_MAKERS = makers_of(nodes, places)
_NONE: ReadOnly[str, str] = MappingProxyType({})
_UNSAVED: ContextVar[ReadOnly[str, str]] = ContextVar("texts that are read in place of their files", default=_NONE)


@contextmanager
def unsaved(texts: ReadOnly[Path, str]) -> Iterator[None]:
    """Meanwhile these texts are read in place of the files that they are edited from; a file must be there."""
    before = _UNSAVED.set(MappingProxyType({str(file.resolve()): text for file, text in texts.items()}))
    try:
        yield
    finally:
        _UNSAVED.reset(before)


def is_edited(sources: Iterable[Source]) -> bool:
    """Whether one of these texts is read in place of its file: what is made of it is for the moment."""
    texts = frozenset(_UNSAVED.get().values())
    return any(each.text in texts for each in sources)


def file_of(source: Source) -> Path | None:
    """The file that a text was read from, wherever one stands now; nothing if there is none of that name. Where a file
    of one's own has the name of a shipped one, `asl/attack.yaml`, it is the one with that text."""
    named = (Path(os.path.normpath(folder / source.name)) for folder in (Path.cwd(), root("rulesets")))
    found = [file for file in named if source.name and file.is_file()]
    if len(found) < 2:
        return found[0] if found else None
    return next((file for file in found if file.read_bytes() == source.text.encode()), found[0])


def _examples_in(folder: Path) -> Iterator[str]:
    """The files in the `examples/` of a folder."""
    with suppress(OSError):
        yield from sorted(f"examples/{file.name}" for file in (folder / "examples").glob("*.yaml"))


def read_source(place: str | Path) -> Source:
    """The text of a file, or of standard input for `-`.

    Line breaks become line feeds and a byte order mark is dropped, so a file reads the same everywhere.
    Raises `Faulty`: file-not-found, not-a-file, outside-project, cannot-read, too-large, not-text, empty-file.
    """
    if place == "-":
        return _decoded("<stdin>", sys.stdin.buffer.read(MOST_BYTES + 1) if sys.stdin is not None else b"")
    file = Path(place) if isinstance(place, str) else place
    name = _shown(file)
    if file.is_dir():
        inside = next((f"{name}/{part}" for part in _examples_in(file)), "")
        help = f"name a file in it, such as `{inside}`" if inside else "name a file in it"
        raise _file_fault("not-a-file", name, "this is a folder, and a file is wanted", help)
    if (trouble := trouble_with(file)) is not None:
        code, message, help = trouble
        raise _file_fault(code, name, message, help)
    edited = _UNSAVED.get()
    if edited and (text := edited.get(str(file.resolve()))) is not None:
        return _decoded(name, text.encode("utf-8", "surrogatepass")[: MOST_BYTES + 1])
    try:
        with file.open("rb") as stream:
            data: bytes = stream.read(MOST_BYTES + 1)
    except FileNotFoundError:
        raise _file_fault("file-not-found", name, "there is no such file", _neighbour(file)) from None
    except (OSError, ValueError) as trouble:
        reason = getattr(trouble, "strerror", None) or str(trouble)
        help = "check its permissions, and that nothing else holds it"
        raise _file_fault("cannot-read", name, f"the file cannot be read: {reason.lower()}", help) from None
    return _decoded(name, data)


@lru_cache(maxsize=MOST_REMEMBERED)
def parse(source: Source) -> Node:
    """The one YAML 1.2 document of a text; the same text is read once.

    Anchors, aliases, merge keys, tags and further documents are refused: a rule stands where it is read.
    Raises `Faulty` with every fault found before the first one that ends the reading: yaml-syntax, not-text,
    empty-file, too-deep, too-many-nodes, duplicate-key, empty-key, alias-not-allowed, tag-not-allowed,
    several-documents, wrong-shape.
    """
    _refuse_control_characters(source)
    key = key_for("document", (source.text,)) if len(source.text) >= LEAST_KEPT else ""
    known = recalled_packed(key, (source,), _MAKERS) if key else None
    if isinstance(known, Text | Mapping | Listing):
        return known
    from closecombat.text.building import built  # and with it the YAML library

    node = built(source)
    if node is None or (isinstance(node, Text) and node.plain and not node.value):
        message = "there is nothing in it but comments"
        raise _file_fault("empty-file", source.name, message, "write something into it")
    if key:
        keep_packed(key, node, (source,), _MAKERS)
    return node


# ---- reading -------------------------------------------------------------------------------------------


def _shown(file: Path) -> str:
    """The name for messages: relative to the current folder for a file inside it, else as it was given; for a shipped
    one `asl/attack.yaml`, wherever it is installed, but for a checkout in which somebody stands and edits it."""
    if not str(file).isprintable():
        return "".join(letter if letter.isprintable() else "\ufffd" for letter in file.as_posix())
    absolute, shipped = os.path.abspath(file), root("rulesets")
    among_shipped, from_here = _inside(str(shipped), absolute), _inside(os.getcwd(), absolute)
    if among_shipped and (is_installed(shipped) or not from_here):
        return among_shipped
    return from_here or file.as_posix()


def _inside(folder: str, file: str) -> str:
    """The rest of the path of a file in a folder, or nothing."""
    if file == folder:
        return "."
    begin = os.path.join(folder, "")
    is_there = os.path.normcase(file).startswith(os.path.normcase(begin))
    return file[len(begin) :].replace(os.sep, "/") if is_there else ""


def _decoded(name: str, data: bytes) -> Source:
    if len(data) > MOST_BYTES:
        message = f"the file has more than {MOST_BYTES:,} bytes"
        raise _file_fault("too-large", name, message, "split it: the files of a folder are read together")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as trouble:
        message = f"the file is not UTF-8 text: byte {trouble.start + 1} begins no character"
        raise _file_fault("not-text", name, message, "save it as UTF-8 text in a text editor") from None
    source = Source(name, text.replace("\r\n", "\n").replace("\r", "\n"))
    _refuse_control_characters(source)
    if not source.text.strip():
        raise _file_fault("empty-file", name, "the file is empty", "write something into it")
    return source


def _refuse_control_characters(source: Source) -> None:
    """Raises at the first character that no text of ours holds."""
    if found := unprintable(source.text):
        message = f"character U+{ord(found[0]):04X} cannot stand in a text file"
        span = Span(source, found.start(), found.end())
        help = "if this is a text file, delete the character; if not, name another file"
        raise Faulty.one("not-text", message, span, help=help)


def _neighbour(file: Path) -> str:
    """A suggestion from the folder in which a missing file was looked for."""
    if not file.parent.is_dir():
        return "check the path"
    return suggest(file.name, os.listdir(file.parent)) or "check the path"


def _file_fault(code: str, name: str, message: str, help: str) -> Faulty:
    return Faulty.one(code, message, Span(Source(name, ""), 0, 0), help=help)
