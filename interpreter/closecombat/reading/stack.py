"""From a name to the ruleset as written: shipped names, paths, and stacks such as `name+variant+./mine.yaml`.

What its names and types mean is not asked here: `binding/load` goes on from a stack.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection
from collections.abc import Mapping as ReadOnly
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from closecombat.reading.fields import expected, text_of
from closecombat.reading.model import Change
from closecombat.text.document import parse, read_source
from closecombat.text.faults import Bug, Faults, Faulty, suggest
from closecombat.text.files import YAML, root
from closecombat.text.nodes import Listing, Mapping, Node, Text
from closecombat.text.project import refuse_outside
from closecombat.text.slotted import dataclass
from closecombat.text.source import Source, Span

if TYPE_CHECKING:
    from closecombat.reading.variants import Variant  # imported when there is one

MOST_LAYERS = 20
MOST_FILES = 200  # of a ruleset
MOST_LETTERS = 8_000_000  # in all of them
VARIANT = re.compile(r"^variant:", re.MULTILINE)
RULESET, EXTENSION, FIGHT = "ruleset", "variant", "fight"  # what a name may be wanted for
APART: ReadOnly[str, tuple[str, ...]] = MappingProxyType(
    {"clauses.yaml": ("clauses", "chapters"), "sheet.yaml": ("sheet",)}
)
"""Files that nothing that is played needs, and what each of them holds."""
_OF_EXAMPLES = "put it into the folder `examples/` beside `ruleset.yaml`, or anywhere else with `ruleset:` in it"
STRAYS = (  # a key of a file that is no part of a ruleset, what that file is, and where it belongs
    ("example", "an example", _OF_EXAMPLES),
    ("examples", "a file of examples", _OF_EXAMPLES),
    ("situation", "a fight", _OF_EXAMPLES),
    ("variant", "a variant", "put it into a folder below, such as `variants/`, and write `extends: ..`"),
    ("sweep", "a plan", "put it into a folder of its own, and name the rulesets by their paths"),
    (
        "fields",
        "what is fielded for an order of battle",
        "put it into the folder `order-of-battle/` beside `ruleset.yaml`",
    ),
    ("order-of-battle", "an order of battle", "put it into the folder `order-of-battle/` beside `ruleset.yaml`"),
    ("forces", "an engagement", "put it into a folder of its own, and name the rulesets by their paths"),
    ("systems", "an engagement", "put it into a folder of its own, and name the rulesets by their paths"),
)
MERGED = (
    "options",
    "assumptions",
    "kinds",
    "words",
    "counters",
    "dies",
    "dice",
    "decks",
    "groups",
    "tables",
    "sequences",
    "properties",
    "clauses",
    "chapters",
    "sources",
    "sheet",
)


def shipped(kind: str = "rulesets") -> dict[str, Path]:
    """The rulesets that come with the package, by name; or the files in `variants`, `engagements` or `sweeps`."""
    base = root("rulesets")
    if kind == "rulesets":
        folders = sorted(base.iterdir(), key=lambda f: f.name)
        return {f.name: f for f in folders if (f / "ruleset.yaml").is_file()}
    folder = base / kind
    if not folder.is_dir():
        return {}
    return {
        f.name.removesuffix(".yaml"): f
        for f in sorted(folder.iterdir(), key=lambda f: f.name)
        if f.name.endswith(".yaml")
    }


def meant(name: str, wanted: str, near: Path | None = None) -> str:
    """A help line for a name that nothing has of what is `wanted`, a ruleset, a variant or a fight: what it would be in
    full, or what else is called so; empty if nothing is."""
    place = Path(name) if near is None else near / name
    own, fights = place.name, shipped("engagements")
    beside = [f"{name}{end}" for end in YAML if own and os.path.isfile(place.with_name(f"{own}{end}"))]
    if beside:
        return f"did you mean `{beside[0]}`?"
    if wanted == FIGHT and any(own.split("+")[0] in shipped(sort) for sort in ("rulesets", "variants")):
        return f"`{own}` says by which rules: name a fight before it, `{next(iter(fights), 'FIGHT')} -r {own}`"
    if wanted != FIGHT and own in fights:
        return f"`{own}` is a fight: `closecombat compare {own}`, or name the rules by which it is fought"
    if own != name and own in shipped("engagements" if wanted == FIGHT else f"{wanted}s"):
        return f"did you mean `{own}`?"
    return f"`{name}` is a folder here, and no {wanted} is in it" if os.path.isdir(place) else ""


@dataclass(frozen=True, slots=True)
class Base:
    """The ruleset at the bottom of a stack: a folder, or one file that has been read already."""

    place: Path
    document: Mapping | None = None

    def read(self, whole: bool = False) -> Mapping:
        return read_folder(self.place, whole) if self.document is None else self.document

    def sources(self, whole: bool) -> tuple[Source, ...]:
        """The texts that `read` reads."""
        if self.document is not None:
            return (self.document.span.source,)
        return tuple(read_source(file) for file in _files(self.place, whole)[: MOST_FILES + 1])


@dataclass(frozen=True, slots=True)
class Layer:
    """A variant in a stack. `file` says which one, so that none counts twice; it extends the `known`."""

    variant: Variant
    file: str
    known: frozenset[str]


@dataclass(frozen=True, slots=True)
class Lineup:
    """A ruleset and the variants on it, found but not put together; `whole` with the rulebook's clauses."""

    base: Base
    layers: tuple[Layer, ...]
    whole: bool

    def sources(self) -> tuple[Source, ...]:
        """Every text that decides what it is when put together; raises Faulty if one cannot be read."""
        return (*self.base.sources(self.whole), *(layer.variant.key.span.source for layer in self.layers))

    def put_together(self, without: Collection[str] = ()) -> Stack:
        """All of it, or without some changes: each is named by its variant and its own name, `tired.more`."""
        document = self.base.read(self.whole)
        changes: tuple[Change, ...] = ()
        for layer in self.layers:
            from closecombat.reading.variants import apply_variant

            variant = layer.variant
            if without:
                steps = tuple(step for step in variant.steps if f"{variant.name}.{step.id}" not in without)
                variant = replace(variant, steps=steps)
            document, made = apply_variant(document, variant, changes, layer.known)
            changes = (*changes, *made)
        beside = dict.fromkeys(Path(layer.file).parent for layer in self.layers)
        locks = tuple(change for change in changes if change.verb == "lock")
        changes = tuple(change for change in changes if change.verb != "lock")
        variants = tuple(layer.variant for layer in self.layers)
        return Stack(document, variants, changes, locks, self.base.place, tuple(beside))


@dataclass(frozen=True, slots=True)
class Stack:
    """A stack put together: the merged document, its variants, what each has changed, and what none may change.

    `base` is the ruleset's folder or file, `beside` the folders that the variants' files lie in.
    """

    document: Mapping
    variants: tuple[Variant, ...]
    changes: tuple[Change, ...]
    locks: tuple[Change, ...]
    base: Path
    beside: tuple[Path, ...]


def load_stack(stack: str, near: Path | None = None, at: Span | None = None, whole: bool = False) -> Stack:
    """A stack put together. A variant that extends others brings them with it, below itself.

    `whole` reads the rulebook's clauses too, where they are a file of their own.
    """
    return line_up(stack, near, at, whole).put_together()


def line_up(stack: str, near: Path | None, at: Span | None = None, whole: bool = False) -> Lineup:
    """What a stack consists of, as `load_stack` puts it together."""
    base, layers = _lineup(stack, _folder(near), at, ())
    return Lineup(base, layers, whole or any(_changes_clauses(layer.variant) for layer in layers))


def variant_file(name: str) -> Path:
    """The file of a variant by itself, by its name or path."""
    return _variant(name, None, None)


def line_up_of(place: Path, document: Mapping) -> Lineup:
    """What a variant consists of, whose file says this."""
    base, layers = _extending(place, document, ())
    return Lineup(base, layers, any(_changes_clauses(layer.variant) for layer in layers))


def _changes_clauses(variant: Variant) -> bool:
    return any(step.target.ids[0] in APART["clauses.yaml"] for step in variant.steps)


# ---- the order of a stack ---------------------------------------------------------------------------------


def _lineup(stack: str, near: Path | None, at: Span | None, within: tuple[str, ...]) -> tuple[Base, tuple[Layer, ...]]:
    """The ruleset at the bottom and the variants on it, each once; `within` are the files that extend it."""
    first, *names = [part.strip() for part in stack.split("+")]
    base, layers = _bottom(first, near, at, within)
    for name in names:
        place = _variant(name, near, at)
        own, more = _extending(place, as_mapping(parse(read_source(place))), within)
        _refuse_other_base(base, own, more[-1].variant, at)
        for layer in more:
            if layer.file not in [each.file for each in layers]:
                _refuse_namesake(layer, layers)
                layers = (*layers, layer)
    return base, layers


def _bottom(name: str, near: Path | None, at: Span | None, within: tuple[str, ...]) -> tuple[Base, tuple[Layer, ...]]:
    """A ruleset, or a variant with all that it extends."""
    if not _is_path(name):
        found = shipped().get(name)
        if found is not None:
            return Base(found), ()
        variants = shipped("variants")
        own = Path(name) if near is None else near / name
        if name not in variants and (own / "ruleset.yaml").is_file():
            return Base(own), ()
        if name not in variants and (begun := variant_in(own)) is not None:
            return _extending(begun, as_mapping(parse(read_source(begun))), within)
        if name not in variants and (around := _around(name, near, at)) is not None:
            if around.name == "ruleset.yaml":
                return Base(around.parent), ()
            return _extending(around, as_mapping(parse(read_source(around))), within)
        if name not in variants:
            raise Faulty.one(
                "unknown-ruleset",
                f"no ruleset is called `{name}`",
                at,
                help=meant(name, RULESET, near)
                or suggest(name, [*shipped(), *variants])
                or "known: " + ", ".join(shipped()) + "; or give a path",
            )
        return _extending(variants[name], as_mapping(parse(read_source(variants[name]))), within)
    place = _existing(name, near, at)
    if place.is_dir() or place.name == "ruleset.yaml":
        folder = place if place.is_dir() else place.parent
        if place.is_dir() and (begun := variant_in(folder)) is not None:
            return _extending(begun, as_mapping(parse(read_source(begun))), within)
        if not (folder / "ruleset.yaml").is_file():
            raise Faulty.one(
                "file-not-found",
                f"`{name}` holds no ruleset.yaml",
                at,
                help="a ruleset is a folder with a ruleset.yaml, or one file",
            )
        return Base(folder), ()
    document = as_mapping(parse(read_source(place)))
    if any(key in document for key in ("situation", "examples", "systems")):
        raise Faulty.one(
            "wrong-shape",
            "this is a fight, not a ruleset",
            document.span.part(0, 1),
            help="a ruleset begins with `ruleset:`, and a variant with `variant:`",
        )
    return _extending(place, document, within) if "variant" in document else (Base(place, document), ())


def _extending(place: Path, document: Mapping, within: tuple[str, ...]) -> tuple[Base, tuple[Layer, ...]]:
    """A variant on all that it extends, itself last."""
    file = key_of(place)
    if "variant" not in document:
        raise Faulty.one(
            "wrong-shape",
            "this is no variant",
            document.span.part(0, 1),
            help="a variant begins with `variant:`; only the first of a stack is a ruleset",
        )
    from closecombat.reading.variants import read_variant

    variant = read_variant(document)
    if file in within or len(within) >= MOST_LAYERS:
        what = "extends itself" if file in within else f"extends more than {MOST_LAYERS} others"
        raise Faulty.one("circular", f"`{variant.name}` {what}", variant.extends.span, help="extend the ruleset itself")
    base, below = _lineup(variant.extends.value, place.parent, variant.extends.span, (*within, file))
    layer = Layer(variant, file, frozenset(each.variant.name for each in below))
    _refuse_namesake(layer, below)
    return base, (*below, layer)


def _refuse_other_base(base: Base, own: Base, variant: Variant, at: Span | None) -> None:
    """A variant goes on the ruleset that it extends, or on a copy of it that has kept its name."""
    if key_of(base.place) == key_of(own.place):
        return
    names = [
        text_of(document.get("ruleset") or document, "the name of a ruleset") for document in (base.read(), own.read())
    ]
    if names[0] != names[1]:
        message = f"`{variant.name}` extends `{names[1]}`, and the stack begins with `{names[0]}`"
        raise Faulty.one(
            "wrong-base", message, at or variant.extends.span, help=f"begin the stack with `{variant.extends.value}`"
        )


def _refuse_namesake(layer: Layer, layers: tuple[Layer, ...]) -> None:
    for other in layers:
        if other.variant.name == layer.variant.name:
            raise Faulty.one(
                "duplicate-id",
                f"two variants are called `{layer.variant.name}`",
                layer.variant.key.span,
                labels=((other.variant.key.span, "the other"),),
                help="rename one of them",
            )


# ---- files ------------------------------------------------------------------------------------------------


def _around(name: str, near: Path | None, at: Span | None) -> Path | None:
    """The ruleset or variant in whose folder a file lies that names it as it calls itself: its examples do."""
    if near is None or at is None:
        return None
    folder = near.absolute().parent
    rules = variant_in(folder) or folder / "ruleset.yaml"
    if not rules.is_file():
        return None
    try:
        refuse_outside("..", near, at)
        document = as_mapping(parse(read_source(rules)))
    except Faulty:
        return None  # it is not known what it is called
    called = document.get("ruleset" if rules.name == "ruleset.yaml" else "variant")
    return rules if isinstance(called, Text) and called.value == name else None


def _is_path(name: str) -> bool:
    return "/" in name or name.endswith(YAML) or name in (".", "..")


def _variant(name: str, near: Path | None, at: Span | None) -> Path:
    if _is_path(name):
        place = _existing(name, near, at)
        return (variant_in(place) if place.is_dir() else None) or place
    known = shipped("variants")
    own = Path(name) if near is None else near / name
    if name not in known and name not in shipped() and (begun := variant_in(own)) is not None:
        return begun
    if name in shipped():
        raise Faulty.one(
            "unknown-ruleset",
            f"`{name}` is a ruleset, not a variant",
            at,
            help="only the first of a stack is a ruleset",
        )
    if name not in known and (around := _around(name, near, at)) is not None and around.name != "ruleset.yaml":
        return around
    if name not in known:
        raise Faulty.one(
            "unknown-ruleset",
            f"no variant is called `{name}`",
            at,
            help=meant(name, EXTENSION, near)
            or suggest(name, known)
            or "known: " + ", ".join(known) + "; or give a path",
        )
    return known[name]


def variant_in(folder: Path) -> Path | None:
    """The variant that a folder is there for, if no ruleset is beside it: the file of its name, as `new` makes it, or
    else the only file, where the folder is called otherwise, as a copy of a project may be."""
    if not folder.is_dir() or (folder / "ruleset.yaml").is_file():
        return None
    file = folder / f"{folder.absolute().name}.yaml"
    if file.is_file():
        return file
    files = [one for one in folder.iterdir() if one.name.endswith(YAML) and one.is_file()]
    return files[0] if len(files) == 1 and VARIANT.search(read_source(files[0]).text) else None


def _existing(name: str, near: Path | None, at: Span | None) -> Path:
    path = Path(name) if near is None else near / name
    if at is not None:
        refuse_outside(name, near, at)
    elif not path.exists() and (help := meant(name, RULESET)):
        raise Faulty.one("file-not-found", f"there is no `{name}`", None, help=help)
    if at is not None and not path.exists():
        there = [each.name for each in path.parent.iterdir()] if path.parent.is_dir() else []
        raise Faulty.one(
            "file-not-found",
            f"there is no `{name}` beside this file",
            at,
            help=suggest(path.name, there) or "check the path",
        )
    return path


def _folder(near: Path | None) -> Path | None:
    return near.parent if near is not None and near.is_file() else near


def as_mapping(node: Node) -> Mapping:
    if not isinstance(node, Mapping):
        raise expected("a mapping of keys", node)
    return node


def read_folder(folder: Path, whole: bool = False) -> Mapping:
    """All `*.yaml` files of a folder as one document, `ruleset.yaml` first; if it shall be `whole`, clauses and what is
    printed for players too."""
    faults = Faults()
    merged = merged_folder(folder, faults, whole)
    faults.raise_if_any()
    if merged is None:
        raise Bug("merged is not None")
    return merged


def merged_folder(folder: Path, faults: Faults, whole: bool = True) -> Mapping | None:
    """All files of a folder that can be read, as one document; what is wrong is added to `faults`."""
    files = _files(folder, whole)
    if len(files) > MOST_FILES:
        message = f"`{folder.name}` holds {len(files):,} files, and a ruleset has at most {MOST_FILES}"
        faults.add("too-large", message, help="lay several of them together")
        return None
    letters = 0
    if not files or files[0].name != "ruleset.yaml":
        faults.add(
            "file-not-found",
            f"`{folder.name}` holds no ruleset.yaml",
            help="a ruleset is a folder with a ruleset.yaml, or one file",
        )
        return None
    merged: dict[str, tuple[Text, Node]] = {}
    span: Span | None = None
    unread = False
    for file in files:
        document = faults.attempt(_read, file)
        if document is None:
            unread = unread or file is files[0]  # without it the others look as if they were the wrong ones
            continue
        letters += len(document.span.source.text)
        if letters > MOST_LETTERS:
            message = f"the files of `{folder.name}` hold more than {MOST_LETTERS:,} letters together"
            faults.add("too-large", message, document.span.part(0, 1), help="take something out")
            return None
        if stray := next(((key, what, help) for key, what, help in STRAYS if key in document), None):
            entry = document.entry(stray[0])
            at = entry[0].span if entry else None
            faults.add("wrong-shape", f"{stray[1]} lies among the files of a ruleset", at, help=stray[2])
            continue
        span = span or document.span
        for key, node in document.entries:
            if key.value not in (*APART.get(file.name, (key.value,)), "note"):
                faults.add(
                    "wrong-shape",
                    f"{file.name} holds `{APART[file.name][0]}:`, and no `{key.value}:`",
                    key.span,
                    help="put it into another file of the folder: this one is not read when a fight is played",
                )
                continue
            if key.value not in merged:
                merged[key.value] = (key, node)
                continue
            first, old = merged[key.value]
            if key.value not in MERGED or not isinstance(old, Mapping) or not isinstance(node, Mapping):
                faults.add(
                    "duplicate-key", f"`{key.value}:` stands in two files", key.span, labels=((first.span, "here too"),)
                )
                continue
            there = {name.value: name.span for name, _ in old.entries}
            for name, _ in node.entries:
                if name.value in there:
                    unread = unread or key.value == "kinds"  # whoever asks for its facts would be at fault
                    faults.add(
                        "duplicate-id",
                        f"`{name.value}` is already defined",
                        name.span,
                        labels=((there[name.value], "here"),),
                    )
            new = tuple(entry for entry in node.entries if entry[0].value not in there)
            merged[key.value] = (first, Mapping((*old.entries, *new), old.span))
    return None if span is None or unread else Mapping(tuple(merged.values()), span)


def _files(folder: Path, whole: bool) -> list[Path]:
    """The files of a ruleset, `ruleset.yaml` first; one with a dot before its name is the settings of some program."""
    names = [f for f in folder.iterdir() if f.name.endswith(".yaml") and not f.name.startswith(".") and f.is_file()]
    return sorted((f for f in names if whole or f.name not in APART), key=lambda f: (f.name != "ruleset.yaml", f.name))


def _read(file: Path) -> Mapping:
    return as_mapping(parse(read_source(file)))


def without_words(document: Mapping) -> Mapping:
    """A ruleset without what is only said of its facts, tables, rows and steps: titles, notes and how people say it.
    What a prohibition or a claim says is its own, and stays."""
    kept, remarks = ("forbidden-if", "properties"), ("title", "note")

    def bare(node: Node, is_said: bool) -> Node:
        match node:
            case Mapping(entries):
                left = tuple(
                    (key, bare(value, is_said and key.value not in kept))
                    for key, value in entries
                    if not (key.value in remarks or (is_said and key.value == "says"))
                )
                if len(left) == 1 < len(entries) and left[0][0].value == "is":
                    return left[0][1]  # a fact that would be one word without them
                return Mapping(left, node.span)
            case Listing(items):
                return Listing(tuple(bare(item, is_said) for item in items), node.span)
        return node

    entries = document.entries
    told = tuple((key, bare(value, key.value not in kept)) for key, value in entries if key.value != "sheet")
    return Mapping(told, document.span)


def text_in(file: Path) -> str | None:
    """The text of a file; nothing if it cannot be read."""
    try:
        return read_source(file).text
    except Faulty:
        return None


def key_of(folder: Path) -> str:
    """The same for every way of naming a folder."""
    return str(folder.resolve())


def as_said(folder: Path) -> Path:
    """A path as a designer would say it: from the current folder, if it lies below."""
    here = Path.cwd()
    return folder.relative_to(here) if folder.is_relative_to(here) else folder


def read_mapping(file: str | Path) -> Mapping:
    """The document of a file, which must be a mapping."""
    return as_mapping(parse(read_source(file)))
