"""The fights that a ruleset is judged by: its examples, and the engagements that are told for it; or those that
somebody names. Fights that begin alike and are fought alike are one, under all their names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from closecombat.asking.examples.collection import (
    ExampleFile,
    example_files,
    examples_beside,
    examples_of,
    read,
)
from closecombat.asking.fights.fight_files import Engagement, Scene, System, is_engagement, read_engagement
from closecombat.binding.load import load
from closecombat.reading.model import name_of_stack
from closecombat.reading.stack import Stack, as_mapping, shipped
from closecombat.text.document import parse, read_source
from closecombat.text.faults import Faulty
from closecombat.text.nodes import Mapping, Text, flow
from closecombat.text.slotted import dataclass

MATTERS = ("situation", "options", "choices", "combats")


def alone(document: Mapping) -> Mapping:
    """A fight without what is said of it."""
    return replace(document, entries=tuple(entry for entry in document.entries if entry[0].value in MATTERS))


@dataclass(frozen=True, slots=True)
class Known:
    """A fight with all its names, the first of which it goes by; `file` holds it."""

    scene: Scene
    names: tuple[str, ...]
    file: str

    @property
    def name(self) -> str:
        return self.names[0]


def fights_of(base: Stack, ruleset: str, stacks: Sequence[str]) -> tuple[Known, ...]:
    """The examples of a stack and the engagements of its ruleset. `stacks` are what both are called: an example that
    names neither is about something else."""
    files = {str(one.file): one for folder in (base.base, *base.beside) for one in examples_beside(folder)}
    return _merged((*_engaged(ruleset), *_examples(files.values(), ruleset, stacks)))


def engagements_of(base: Stack, ruleset: str, stacks: Sequence[str]) -> tuple[Known, ...]:
    """The engagements of a ruleset; of one for which none is told, its examples."""
    return _merged(_engaged(ruleset)) or fights_of(base, ruleset, stacks)


def fights_in(paths: Iterable[str], ruleset: str) -> tuple[Known, ...]:
    """The fights of files and folders, and engagements by their names."""
    found: list[Known] = []
    for path in paths:
        known = shipped("engagements")
        if path in known and not Path(path).exists():
            found += _of_engagement(path, as_mapping(parse(read_source(known[path]))), None, ruleset)
        elif Path(path).is_file():
            document = as_mapping(parse(read_source(path)))
            if is_engagement(document):
                found += _of_engagement(path, document, Path(path).parent, ruleset)
            else:
                found += _examples([ExampleFile(Path(path), ruleset, Path(path).parent)], ruleset, None)
        else:
            found += _examples(example_files((path,)), ruleset, None)
    return _merged(found)


def _merged(found: Iterable[Known]) -> tuple[Known, ...]:
    by_text: dict[str, Known] = {}
    for one in found:
        document = one.scene.document
        text = "\n".join(flow(node) if (node := document.get(key)) is not None else "" for key in MATTERS)
        if text in by_text:
            before = by_text[text]
            one = Known(before.scene, tuple(dict.fromkeys((*before.names, *one.names))), before.file)
        by_text[text] = one
    return tuple(by_text.values())


def _engaged(ruleset: str) -> Iterator[Known]:
    for name, file in shipped("engagements").items():
        yield from _of_engagement(name, as_mapping(parse(read_source(file))), None, ruleset)


def _of_engagement(name: str, document: Mapping, near: Path | None, ruleset: str) -> Iterator[Known]:
    told: Engagement = read_engagement(document, near, ruleset)
    one: System | None = told.systems.get(ruleset)
    if one is not None and isinstance(one.scene, Scene):
        yield Known(replace(one.scene, name=told.name), (told.name,), name)


def _examples(files: Iterable[ExampleFile], ruleset: str, stacks: Sequence[str] | None) -> Iterator[Known]:
    """Those that are about one of some stacks; without any, whatever they name."""
    known: dict[str, bool] = {}
    for file in files:
        document = read(file)
        for name, example in examples_of(file, document):
            named = example.get("ruleset") or document.get("ruleset")
            if (
                stacks is not None
                and isinstance(named, Text)
                and not _is_meant(named.value, file, (ruleset, *stacks), known)
            ):
                continue
            if "situation" in example:
                scene = Scene(name, example, ruleset, example.span, file.near)
                yield Known(scene, (name,), str(file.file))


def _is_meant(named: str, file: ExampleFile, names: Sequence[str], known: dict[str, bool]) -> bool:
    """Whether an example that names its ruleset is about one of those that are looked at."""
    key = f"{named} {file.near}"
    if key not in known:
        known[key] = named in names
        with suppress(Faulty):
            known[key] = known[key] or name_of_stack(load(named, file.near).ruleset) in names
    return known[key]
