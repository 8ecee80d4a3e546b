"""What was read, as one JSON text, and back: how documents and rulesets lie in the cache (`text/cache`).

What stands between a file's text and the names looked up in it is frozen data: dataclasses, tuples, mappings, words
and numbers. It is written as a list of parts, each once and after those that it is made of:

    {"makers": ["model.Counter", "mapping"], "parts": ["unit", 4, [1], [0, 0, 0, 2]]}

A part that is a list is made: which maker, of which parts. Parts are counted from the sources on, which come first
and are not in the text: whoever unpacks has read the files, whose texts are the key under which all of it lies. Nothing
in such a text can run code: a maker is a name in the table that the reader brings, or there is none.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from types import MappingProxyType, ModuleType
from typing import Any, TypeAlias

from closecombat.text.faults import Bug
from closecombat.text.source import Source

Makers: TypeAlias = Mapping[str, Callable[..., Any]]


def _tuple(*items: Any) -> tuple[Any, ...]:
    return items


def _mapping(*items: Any) -> dict[Any, Any]:
    return dict(zip(items[::2], items[1::2], strict=True))


def _set(*items: Any) -> frozenset[Any]:
    return frozenset(items)


def makers_of(*modules: ModuleType) -> Makers:
    """The makers that there always are, and the dataclasses of some modules."""
    found: dict[str, Callable[..., Any]] = {"tuple": _tuple, "mapping": _mapping, "set": _set, "fraction": Fraction}
    for module in modules:
        for name, made in vars(module).items():
            if isinstance(made, type) and is_dataclass(made) and made.__module__ == module.__name__:
                found[f"{module.__name__.rpartition('.')[2]}.{name}"] = made
    return MappingProxyType(found)


def packed(root: object, sources: tuple[Source, ...], makers: Makers) -> str:
    """Frozen data as text. A source that is not among those given is written out."""
    names = {maker: name for name, maker in makers.items()}
    used: dict[str, int] = {}
    parts: list[Any] = []
    places: dict[object, int] = {one: at for at, one in enumerate(sources)}  # of what is equal, so that it is once
    found: dict[int, int] = {}  # the same by identity
    apart: dict[int, tuple[object, str, tuple[object, ...]]] = {}
    left = [root]
    while left:
        one = left[-1]
        if id(one) not in apart:
            given = isinstance(one, Source) and one in places
            name, its = ("", ()) if given else _taken_apart(one, names)
            apart[id(one)] = (one, name, its)  # holds it, so that no other comes to have its identity
            left.extend(its)
            continue
        left.pop()
        if id(one) in found:
            continue
        _, name, its = apart[id(one)]
        part: Any = one
        key: object = (type(one).__name__, one)  # 1 is no yes
        if name:
            part = [used.setdefault(name, len(used)), *(found[id(each)] for each in its)]
            key = tuple(part)
        elif isinstance(one, Source):
            key = one
        if key not in places:
            places[key] = len(sources) + len(parts)
            parts.append(part)
        found[id(one)] = places[key]
    return json.dumps({"makers": list(used), "parts": parts, "root": found[id(root)]}, separators=(",", ":"))


def unpacked(text: str, sources: tuple[Source, ...], makers: Makers) -> Any:
    """What `packed` was given; raises LookupError, TypeError or ValueError if the text is not of its making."""
    read = json.loads(text)
    used = [makers[name] for name in read["makers"]]
    parts: list[Any] = [*sources]
    add = parts.append
    for part in read["parts"]:
        if type(part) is list:
            add(used[part[0]](*[parts[at] for at in part[1:]]))
        else:
            add(part)
    return parts[read["root"]]


def _taken_apart(one: Any, names: Mapping[Callable[..., Any], str]) -> tuple[str, tuple[object, ...]]:
    """The maker of something and what it is made of; no maker for what is plain."""
    match one:
        case str() | int() | None:  # and with int a bool
            return "", ()
        case tuple():
            return "tuple", one
        case Mapping():
            return "mapping", tuple(part for pair in one.items() for part in pair)
        case frozenset():
            return "set", tuple(sorted(one))
        case Fraction():
            return "fraction", (one.numerator, one.denominator)
    if type(one) not in names:
        raise Bug(f"{type(one).__name__} cannot be packed")
    return names[type(one)], tuple(getattr(one, field.name) for field in fields(one))
