"""What a folder says of the findings in it and below: `.closecombat.yaml`, or `[tool.closecombat]` in `pyproject.toml`.

Of several folders above a file each counts, the nearest most; the search upward ends with a repository.
How findings are then chosen is `selection`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import field
from fnmatch import fnmatchcase
from pathlib import Path, PurePath
from typing import Any

from closecombat.reading.fields import Fields, expected, list_of, mapping_of, text_of, yes_no
from closecombat.text import nodes
from closecombat.text.codes import CODES
from closecombat.text.document import parse, read_source
from closecombat.text.faults import Faults, Faulty, suggest
from closecombat.text.slotted import dataclass
from closecombat.text.source import Source, Span

OWN_FILE, SHARED_FILE, SECTION = ".closecombat.yaml", "pyproject.toml", "tool.closecombat"
SEVERITIES = ("error", "warning", "off")


@dataclass(frozen=True, slots=True)
class Settings:
    """Of one folder. `exclude` are patterns of paths below it; a name without a slash is meant at any depth."""

    folder: Path
    severity: Mapping[str, str]
    exclude: tuple[str, ...]
    strict: bool | None

    def excludes(self, path: Path) -> bool:
        """Whether a path below the folder, or a folder that it lies in, is left out."""
        if not path.is_relative_to(self.folder):
            return False
        inside = path.relative_to(self.folder)
        return any(_fits(part, pattern) for part in (inside, *inside.parents[:-1]) for pattern in self.exclude)


@dataclass(slots=True)
class Folders:
    """The settings of folders, each read once. What is wrong with them is noted in `faults`."""

    faults: Faults
    _known: dict[Path, tuple[Settings, ...]] = field(default_factory=dict)

    def above(self, path: Path) -> tuple[Settings, ...]:
        """What holds for a file or folder by the folders that it lies in, the nearest last."""
        return self._of(path.parent)

    def severity(self, code: str, name: str) -> str | None:
        """What the folders around a named file, or the current one, say of a code."""
        found = [each.severity[code] for each in self.above(Path.cwd() / name) if code in each.severity]
        return found[-1] if found else None

    def strict(self) -> bool:
        """Whether the current folder asks that warnings count."""
        found = [each.strict for each in self._of(Path.cwd()) if each.strict is not None]
        return bool(found and found[-1])

    def excluding(self, path: Path) -> list[Settings]:
        """Those who leave a path out."""
        return [each for each in self.above(path) if each.excludes(path)]

    def _of(self, folder: Path) -> tuple[Settings, ...]:
        if folder not in self._known:
            ends = folder.parent == folder or (folder / ".git").exists()
            above = () if ends else self._of(folder.parent)
            own = self.faults.attempt(_read, folder, self.faults)
            self._known[folder] = (*above, own) if own is not None else above
        return self._known[folder]


def _fits(path: PurePath, pattern: str) -> bool:
    whole = pattern.strip("/")
    return fnmatchcase(path.as_posix(), whole) or ("/" not in whole and fnmatchcase(path.name, whole))


# ---- reading -------------------------------------------------------------------------------------------


def _read(folder: Path, faults: Faults) -> Settings | None:
    own, shared = folder / OWN_FILE, folder / SHARED_FILE
    if own.is_file():
        return _settings(folder, mapping_of(parse(read_source(own)), "settings"), faults)
    if shared.is_file() and shared.stat().st_size:
        source = read_source(shared)
        section = _section(source) if f"[{SECTION}" in source.text else None
        return None if section is None else _settings(folder, mapping_of(section, "settings"), faults)
    return None


def _settings(folder: Path, document: nodes.Mapping, faults: Faults) -> Settings:
    fields = Fields(document, "a file of settings", faults)
    severity = fields.get("severity")
    exclude = fields.get("exclude")
    strict = fields.get("strict")
    said = faults.attempt(_severities, severity, faults) if severity else {}
    left_out = faults.attempt(_patterns, exclude) if exclude else ()
    wanted = faults.attempt(yes_no, strict) if strict else None
    fields.done()
    return Settings(folder, said or {}, left_out or (), wanted)


def _severities(node: nodes.Node, faults: Faults) -> dict[str, str]:
    out = {}
    for key, value in mapping_of(node, "codes and their severities").entries:
        if key.value not in CODES:
            faults.add(
                "unknown-word", f"no finding has the code `{key.value}`", key.span, help=suggest(key.value, CODES)
            )
            continue
        said = text_of(value, "a severity")
        if said not in SEVERITIES:
            help = "one of " + ", ".join(SEVERITIES)
            faults.add("unknown-word", f"`{said}` is no severity", value.span, help=help)
            continue
        out[key.value] = said
    return out


def _patterns(node: nodes.Node) -> tuple[str, ...]:
    return tuple(text_of(item, "the pattern of a path") for item in list_of(node))


def _section(source: Source) -> nodes.Node | None:
    """The section of a TOML file as nodes, if it has it, each where its word first stands behind the heading."""
    try:
        section: Any = tomllib.loads(source.text)
        for key in SECTION.split("."):
            section = section.get(key) if isinstance(section, dict) else None
    except (tomllib.TOMLDecodeError, RecursionError) as trouble:
        said = f"the file is no TOML: {str(trouble).lower()}"
        raise Faulty.one("wrong-shape", said, Span(source, 0, 0)) from None
    return None if section is None else _node(section, source, source.text.index(f"[{SECTION}"))


def _node(value: Any, source: Source, start: int) -> nodes.Node:
    match value:
        case dict():
            return nodes.Mapping(tuple(_entries(value, source, start)), Span(source, start, start + 1))
        case list():
            return nodes.Listing(tuple(_node(item, source, start) for item in value), Span(source, start, start + 1))
        case bool():
            return _text("yes" if value else "no", source, start)
        case str() | int():
            return _text(str(value), source, start)
    raise expected("a text", _text("", source, start))


def _entries(value: Mapping[str, Any], source: Source, start: int) -> Iterable[tuple[nodes.Text, nodes.Node]]:
    for key, each in value.items():
        written = _text(key, source, start)
        yield written, _node(each, source, written.span.end)


def _text(value: str, source: Source, start: int) -> nodes.Text:
    place = source.text.find(value, start)
    span = Span(source, start, start) if place < 0 else Span(source, place, place + len(value))
    return nodes.Text(value, span, True, span)
