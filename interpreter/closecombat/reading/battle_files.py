"""Where the words of the order of battle lie, and what each system fields for them.

Both stand in folders called `order-of-battle`: the one that comes with the package, and one beside a ruleset, a variant
or a fight. `words.yaml` in it lists words; every other file is called as the ruleset or variant that it is for. What a
stack fields is what its base fields, with the files of its variants laid over it; what lies beside the fight is last.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Mapping as MappingType
from pathlib import Path

from closecombat.reading.battle_words import Words, read_words
from closecombat.reading.fielding import Fielding, read_fielding
from closecombat.reading.fields import child, list_of, text_of
from closecombat.reading.stack import key_of, line_up, read_mapping, shipped
from closecombat.reading.told_once import Fielded, Told, Untold, field, laid_over
from closecombat.text.faults import Bug, Faults
from closecombat.text.files import YAML, root
from closecombat.text.nodes import Mapping, Node, Text
from closecombat.text.slotted import dataclass
from closecombat.text.source import Source, Span

FOLDER = "order-of-battle"
WORDS = "words.yaml"
HEADS = ("order-of-battle", "fields")  # a file of words, and one of what a system fields


@dataclass(frozen=True, slots=True)
class Fielder:
    """A system that fields something: what it is called, the stack to load, and the folder that this counts from."""

    name: str
    stack: str
    near: Path | None
    at: Span | None = None  # where a file names it


def own_folder() -> Path:
    """The folder that comes with the package."""
    return root("rulesets") / "engagements" / FOLDER


def folders(near: Path | None) -> tuple[Path, ...]:
    """The folders that count for a fight in the folder `near`, or typed where one stands."""
    beside = (near if near is not None else Path()) / FOLDER
    own = own_folder()
    return (own, beside) if beside.is_dir() and key_of(beside) != key_of(own) else (own,)


def words_for(near: Path | None, faults: Faults) -> Words:
    return words_in(folders(near), faults)


def words_in(places: Iterable[Path], faults: Faults) -> Words:
    """The words of some folders, those of the last laid over the others."""
    files = (place / WORDS for place in places)
    documents = [found for file in files if file.is_file() and (found := faults.attempt(read_mapping, file))]
    return read_words(documents, faults)


def fielders(near: Path | None, faults: Faults) -> tuple[Fielder, ...]:
    """The systems that a fight is told for if nobody names any: those of the package in their order, then whoever has a
    file beside the fight."""
    found: dict[str, Fielder] = {}
    own, *beside = folders(near)
    words = faults.attempt(read_mapping, own / WORDS)
    for node in list_of(listed) if words is not None and (listed := child(words, "systems")) is not None else ():
        name = text_of(node, "a system")
        found[name] = Fielder(name, name, None)
    for place in beside:
        for file in _files(place):
            document = faults.attempt(read_mapping, file)
            head = document.get("fields") if document is not None else None
            if isinstance(head, Text) and file.stem not in found and file.stem not in shipped("variants"):
                found[file.stem] = Fielder(file.stem, head.value.strip(), place, head.span)
    return tuple(found.values())


def _files(place: Path) -> tuple[Path, ...]:
    found = (file for file in place.iterdir() if file.name.endswith(YAML) and file.name != WORDS)
    return tuple(sorted((file for file in found if file.is_file()), key=lambda file: file.name))


def names_of(stack: str, near: Path | None, at: Span | None = None) -> tuple[tuple[str, Path | None], ...]:
    """What the files are called that say what a stack fields, its base first, and beside which folder each may lie."""
    if stack in shipped():
        return ((stack, None),)
    found = line_up(stack, near, at)
    base = found.base.place.resolve()
    layers = [(base.name.removesuffix(".yaml"), base.parent if base.is_file() else base)]
    return (*layers, *((Path(layer.file).stem, Path(layer.file).parent) for layer in found.layers))


def files_of(stack: str, near: Path | None, beside: Path | None, at: Span | None = None) -> tuple[Path, ...]:
    """The files that say what a stack fields; `near` is what its paths count from, `beside` the folder of the fight."""
    own, *others = folders(beside)
    out: dict[str, Path] = {}
    for name, place in names_of(stack, near, at):
        for folder in (own, *([place / FOLDER] if place is not None else []), *others):
            file = folder / f"{name}.yaml"
            if file.is_file():
                out[key_of(file)] = file
    return tuple(out.values())


def fielding_of(words: Words, files: Iterable[Path], faults: Faults) -> Fielding | None:
    """What some files field, one laid over the other; nothing if there is none, or none can be read."""
    documents: list[Mapping] = []
    for file in files:
        document = faults.attempt(read_mapping, file)
        if document is not None:
            documents.append(document)
    return faults.attempt(read_fielding, words, documents, faults) if documents else None


@dataclass(frozen=True, slots=True)
class InSystem:
    """A fight told once as one system sees it: a document with its situation, or the clause and the reason why there is
    none such. `files` are those that fielded it."""

    document: Mapping | None
    none: tuple[str, str] | None
    because: tuple[str, ...]
    worth: MappingType[str, str]
    untold: tuple[Untold, ...]
    files: frozenset[Source]


def in_system(once: Told, system: Fielder, beside: Path | None, own: Mapping | None, faults: Faults) -> InSystem:
    """A fight told once, with what is told `own` of a system laid over it; `beside` is the folder of the fight."""
    files = files_of(system.stack, system.near, beside, system.at)
    fielding = fielding_of(once.words, files, faults)
    if fielding is None:
        none = ("", f"`{system.name}` fields nothing: no order of battle has a file for it.")
        found = Fielded(Mapping((), once.span), (), {}, (), none)
    else:
        found = field(once, fielding, faults)
    sources = frozenset(row.span.source for row in fielding.rows()) if fielding is not None else frozenset[Source]()
    if found.none is not None and (own is None or "situation" not in own):
        return InSystem(None, found.none, (), found.worth, found.untold, sources)
    document: Node = found.document
    if found.none is not None:
        found = Fielded(Mapping((), once.span), (), {}, (), None)
        document = found.document
    if own is not None:
        said = tuple(entry for entry in own.entries if entry[0].value != "because")
        document = laid_over(document, Mapping(said, own.span))
    if not isinstance(document, Mapping):
        raise Bug("a fight is a mapping")
    return InSystem(document, None, found.because, found.worth, found.untold, sources)


def is_of_the_order_of_battle(document: Mapping) -> bool:
    """Whether a file lists words, or what is fielded for them."""
    return any(head in document for head in HEADS)
