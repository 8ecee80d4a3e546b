"""From a name to a checked ruleset: shipped names, paths, and stacks such as `asl+hand-to-hand+./mine.yaml`."""

from __future__ import annotations

from importlib.resources.abc import Traversable
from pathlib import Path

from closecombat.bound import Bound
from closecombat.diagnostics import Faults, Faulty, suggest
from closecombat.document import Mapping, Node, Text, parse, read_source
from closecombat.fields import expected, text_of
from closecombat.reader import read_ruleset
from closecombat.resources import root
from closecombat.source import Span
from closecombat.variants import apply_variant

MERGED = ("options", "assumptions", "kinds", "words", "counters", "dies", "dice", "decks", "groups", "tables",
          "sequences", "clauses", "sources")


def shipped(kind: str = "rulesets") -> dict[str, Traversable]:
    """The rulesets (or, under `variants` and `engagements`, the files) that come with the package, by name."""
    base = root("rulesets")
    if kind == "rulesets":
        return {f.name: f for f in sorted(base.iterdir(), key=lambda f: f.name) if (f / "ruleset.yaml").is_file()}
    folder = base / kind
    if not folder.is_dir():
        return {}
    return {f.name.removesuffix(".yaml"): f for f in sorted(folder.iterdir(), key=lambda f: f.name)
            if f.name.endswith(".yaml")}


def load(stack: str, near: Path | None = None, at: Span | None = None) -> Bound:
    """The ruleset that a name, path or stack means; raises Faulty with everything wrong with it.

    Relative paths are looked up beside `near`, the file that names the ruleset, else in the current directory.
    """
    document, variants = load_document(stack, near, at)
    faults = Faults()
    ruleset = read_ruleset(document, faults, variants)
    faults.raise_if_any()
    return Bound(ruleset)


def load_document(stack: str, near: Path | None = None, at: Span | None = None) -> tuple[Mapping, tuple[str, ...]]:
    """The merged document of a stack, and the names of its variants."""
    base, *variants = [part.strip() for part in stack.split("+")]
    document, names = _base(base, near, at)
    for name in variants:
        variant = _variant(name, near, at)
        document = apply_variant(document, variant, names)
        names = (*names, text_of(variant.get("variant") or variant, "the name of a variant"))
    return document, names


def _is_path(name: str) -> bool:
    return "/" in name or name.endswith((".yaml", ".yml")) or name in (".", "..")


def _base(name: str, near: Path | None, at: Span | None) -> tuple[Mapping, tuple[str, ...]]:
    if not _is_path(name):
        found = shipped().get(name)
        if found is None:
            known = [*shipped(), *shipped("variants")]
            raise Faulty.one("unknown-ruleset", f"no ruleset is called `{name}`", at,
                             help=suggest(name, known) or "known: " + ", ".join(shipped()) + "; or give a path")
        return read_folder(found), ()
    place = _beside(name, near)
    if place.is_dir():
        return read_folder(place), ()
    document = as_mapping(parse(read_source(place)))
    if "variant" in document and "extends" in document:
        stack = text_of(document.get("extends") or document, "what it extends")
        base, names = load_document(stack, place.parent, document.span)
        return apply_variant(base, document, names), (*names, text_of(document.get("variant") or document, "a name"))
    return read_folder(place.parent) if place.name == "ruleset.yaml" else document, ()


def _variant(name: str, near: Path | None, at: Span | None) -> Mapping:
    if _is_path(name):
        return as_mapping(parse(read_source(_beside(name, near))))
    known = shipped("variants")
    if name not in known:
        raise Faulty.one("unknown-ruleset", f"no variant is called `{name}`", at,
                         help=suggest(name, known) or "known: " + ", ".join(known) + "; or give a path")
    return as_mapping(parse(read_source(known[name])))


def _beside(name: str, near: Path | None) -> Path:
    path = Path(name)
    return path if path.is_absolute() or near is None else near / path


def as_mapping(node: Node) -> Mapping:
    if not isinstance(node, Mapping):
        raise expected("a mapping of keys", node)
    return node


def read_folder(folder: Traversable) -> Mapping:
    """All `*.yaml` files of a folder as one document; `ruleset.yaml` first."""
    files = sorted((f for f in folder.iterdir() if f.name.endswith(".yaml") and f.is_file()),
                   key=lambda f: (f.name != "ruleset.yaml", f.name))
    if not files or files[0].name != "ruleset.yaml":
        raise Faulty.one("file-not-found", f"`{folder.name}` holds no ruleset.yaml", None,
                         help="a ruleset is a folder with a ruleset.yaml, or one file")
    merged: dict[str, tuple[Text, Node]] = {}
    span: Span | None = None
    for file in files:
        document = as_mapping(parse(read_source(file)))
        span = span or document.span
        for key, node in document.entries:
            if key.value not in merged:
                merged[key.value] = (key, node)
                continue
            first, old = merged[key.value]
            if key.value not in MERGED or not isinstance(old, Mapping) or not isinstance(node, Mapping):
                raise Faulty.one("duplicate-key", f"`{key.value}:` stands in two files", key.span,
                                 labels=((first.span, "here too"),))
            for name, _ in node.entries:
                if name.value in old:
                    there = next(k for k, _ in old.entries if k.value == name.value)
                    raise Faulty.one("duplicate-id", f"`{name.value}` is already defined", name.span,
                                     labels=((there.span, "here"),))
            merged[key.value] = (first, Mapping((*old.entries, *node.entries), old.span))
    assert span is not None
    return Mapping(tuple(merged.values()), span)
