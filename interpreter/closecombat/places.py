"""Files and folders as they are looked up and spoken of."""

from __future__ import annotations

from importlib.resources.abc import Traversable
from pathlib import Path

from closecombat.diagnostics import Faulty
from closecombat.document import Mapping, parse, read_source
from closecombat.loading import as_mapping


def text_in(file: Traversable) -> str | None:
    """The text of a file; nothing if it cannot be read."""
    try:
        return read_source(file).text
    except Faulty:
        return None


def key_of(folder: Traversable) -> str:
    """The same for every way of naming a folder."""
    return str(folder.resolve()) if isinstance(folder, Path) else str(folder)


def as_said(folder: Path) -> Path:
    """A path as a designer would say it: from the current folder, if it lies below."""
    here = Path.cwd()
    return folder.relative_to(here) if folder.is_relative_to(here) else folder


def read_mapping(file: str | Traversable) -> Mapping:
    """The document of a file, which must be a mapping."""
    return as_mapping(parse(read_source(file)))
