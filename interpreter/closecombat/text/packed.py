"""What was read, as one JSON text, and back: how documents and rulesets lie in the cache (`text/cache`).

What stands between a file's text and the names looked up in it is frozen data: dataclasses, tuples, mappings, words
and numbers. It is written as a list of parts, each once and after those that it is made of, what is plain first:

    {"makers": ["model.Counter", "mapping"], "plain": ["unit", 4],
     "made": [[1], [0, [0, 0], [0, 1], [2, 2]]], "root": 4}

What is made stands in groups: which maker, and for each thing that it takes the parts of all that the group makes;
here one mapping of nothing, and two counters, of `unit`, `unit` and the mapping, and of `unit`, 4 and the mapping. In
a group nothing is made of another, so that all of it is made at a stroke, in half the time of one by one. Parts are
counted from the sources on, which come first and are not in the text: whoever unpacks has read the files, whose texts
are the key under which all of it lies. Nothing in such a text can run code: a maker is a name in the table that the
reader brings, or there is none.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from fractions import Fraction
from itertools import starmap
from operator import attrgetter
from types import MappingProxyType, ModuleType
from typing import Any, TypeAlias

from closecombat.text.cache import is_kept, keep, recalled
from closecombat.text.faults import Bug
from closecombat.text.slotted import is_made
from closecombat.text.source import Source

Makers: TypeAlias = Mapping[str, Callable[..., Any]]
_PLAIN = (str, int, bool, type(None))


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
            if is_made(made) and made.__module__ == module.__name__:
                found[f"{module.__name__.rpartition('.')[2]}.{name}"] = made
    return MappingProxyType(found)


def keep_packed(key: str, root: object, sources: tuple[Source, ...], makers: Makers) -> None:
    """Keeps frozen data in the cache, if there is one; what is nested too deep to be packed is made anew each time."""
    if not is_kept():
        return
    with suppress(RecursionError):
        keep(key, packed(root, sources, makers))


def recalled_packed(key: str, sources: tuple[Source, ...], makers: Makers) -> Any:
    """What was kept in the cache under a key; nothing if there is none, or none of this making."""
    text = recalled(key)
    try:
        return None if text is None else unpacked(text, sources, makers)
    except (LookupError, TypeError, ValueError):
        return None


def packed(root: object, sources: tuple[Source, ...], makers: Makers) -> str:
    """Frozen data as text. A source that is not among those given is written out. Raises RecursionError where data is
    nested too deep for it."""
    packing = _Packing(sources, makers)
    plain, made, at = packing.in_groups(packing.place(root))
    found = {"makers": list(packing.used), "plain": plain, "made": made, "root": at}
    return json.dumps(found, separators=(",", ":"))


def unpacked(text: str, sources: tuple[Source, ...], makers: Makers) -> Any:
    """What `packed` was given; raises LookupError, TypeError or ValueError if the text is not of its making."""
    read = json.loads(text)
    used = [makers[name] for name in read["makers"]]
    parts: list[Any] = [*sources, *read["plain"]]
    part_at = parts.__getitem__
    for maker, *columns in read["made"]:
        make = used[maker]
        made_of = zip(*[map(part_at, column) for column in columns], strict=True) if columns else [()]
        parts += [*made_of] if make is _tuple else [*starmap(make, made_of)]
    return parts[read["root"]]


class _Packing:
    """The parts written so far, and the place of each."""

    def __init__(self, sources: tuple[Source, ...], makers: Makers) -> None:
        self.names = {maker: name for name, maker in makers.items()}
        self.used: dict[str, int] = {}
        self.parts: list[Any] = []
        self.first = len(sources)
        self.deep = [0] * len(sources)  # how many makers each part has behind it, one after the other
        self.places: dict[object, int] = {one: at for at, one in enumerate(sources)}  # what is equal is written once
        self.same: dict[int, int] = {}  # the same by identity: what is packed holds all of it
        self.classes: dict[type, tuple[int, Callable[[Any], tuple[object, ...]]]] = {}

    def place(self, one: Any) -> int:
        """Where something stands, once it and all that it is made of are written."""
        kind = type(one)
        if kind in _PLAIN:
            return self.written((kind, one), one)  # 1 is no yes
        at = self.same.get(id(one))
        if at is None:
            if kind is Source and one in self.places:
                at = self.places[one]
            else:
                maker, parts = self.classes[kind] if kind in self.classes else self.taken(one)
                made_of = [*map(self.place, parts(one))]
                part = (maker, *made_of)
                at = self.written(part, part, 1 + max(map(self.deep.__getitem__, made_of), default=0))
            self.same[id(one)] = at
        return at

    def written(self, key: object, part: Any, deep: int = 0) -> int:
        at = self.places.get(key)
        if at is None:
            at = self.places[key] = self.first + len(self.parts)
            self.parts.append(part)
            self.deep.append(deep)
        return at

    def in_groups(self, root: int) -> tuple[list[Any], list[list[Any]], int]:
        """What is plain; what is made, those with as many makers behind them and of one maker and length together; and
        where the root stands then."""
        plain: list[int] = []
        groups: dict[tuple[int, int, int], list[int]] = {}
        for at, part in enumerate(self.parts, self.first):
            if self.deep[at]:
                groups.setdefault((self.deep[at], part[0], len(part)), []).append(at)
            else:
                plain.append(at)
        order = (*range(self.first), *plain, *(at for key in sorted(groups) for at in groups[key]))
        now = {at: place for place, at in enumerate(order)}
        made: list[list[Any]] = []
        for key in sorted(groups):
            rows = ([now[each] for each in self.parts[at - self.first][1:]] for at in groups[key])
            made.append([key[1], *map(list, zip(*rows, strict=True))])
        return [self.parts[at - self.first] for at in plain], made, now[root]

    def taken(self, one: Any) -> tuple[int, Callable[[Any], tuple[object, ...]]]:
        """The maker of something, and what takes the like of it apart."""
        name, parts = _taken_apart(one, self.names)
        self.classes[type(one)] = self.used.setdefault(name, len(self.used)), parts
        return self.classes[type(one)]


def _taken_apart(one: Any, names: Mapping[Callable[..., Any], str]) -> tuple[str, Callable[[Any], tuple[object, ...]]]:
    match one:
        case tuple() if type(one) is tuple:
            return "tuple", tuple
        case Mapping():
            return "mapping", lambda pairs: tuple(part for pair in pairs.items() for part in pair)
        case frozenset():
            return "set", lambda words: tuple(sorted(words))
        case Fraction():
            return "fraction", lambda number: (number.numerator, number.denominator)
    if type(one) not in names:
        raise Bug(f"{type(one).__name__} cannot be packed")
    attributes: tuple[str, ...] = type(one).__match_args__
    if len(attributes) > 1:
        return names[type(one)], attrgetter(*attributes)  # a tuple of them
    return names[type(one)], lambda made: tuple(getattr(made, name) for name in attributes)
