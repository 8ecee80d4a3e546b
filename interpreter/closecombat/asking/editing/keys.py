"""Which keys could be written at a place of a text: those that the schema of such a file has there, without those that
stand there already. What could be written behind a key is `asking/editing/names`.

A schema that leaves open which of several forms a mapping has offers the keys of all of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from closecombat.text.files import schemas
from closecombat.text.nodes import Mapping as Document
from closecombat.text.nodes import Node, Text

KINDS = (
    ("variant", "variant"),
    ("engagement", "engagement"),
    ("example", "example"),
    ("examples", "example"),
    ("situation", "situation"),
    ("sweep", "plan"),
)  # the schema of a file, by a key that it has; any other is of a ruleset
BRANCHES = ("allOf", "anyOf", "oneOf")
DEEPEST = 20


def key_at(above: Sequence[tuple[Text | None, Node]], offset: int) -> bool:
    """Whether the place is in a key, and not behind it; `above` are the nodes around it."""
    key = above[-1][0] if above else None
    return key is not None and key.span.start <= offset <= key.span.end


def keys_for(document: Document, above: Sequence[tuple[Text | None, Node]]) -> dict[str, str]:
    """The keys that the last of the keys around a place could be, each with what it is for."""
    kind = next((kind for key, kind in KINDS if key in document), "ruleset")
    schema = _schema(kind)
    places = [schema]
    around: Node = document
    for key, node in above[:-1]:
        places = [inner for place in places for inner in _inside(place, schema, None if key is None else key.value)]
        around = node
    if len(above) == 1 and not any(key in document for key, _ in KINDS):  # it is not known yet what it will be
        places += [{"properties": {key: _schema(kind).get("properties", {}).get(key, {})}} for key, kind in KINDS]
    written = {key.value for key, _ in around.entries} if isinstance(around, Document) else set[str]()
    now = above[-1][0]
    found: dict[str, str] = {}
    for place in places:
        for form in _forms(place, schema, 0):
            for name, said in form.get("properties", {}).items():
                if name not in written or (now is not None and name == now.value):
                    found.setdefault(name, _told(said, schema))
    return found


@lru_cache(maxsize=8)
def _schema(kind: str) -> Mapping[str, Any]:
    found: Mapping[str, Any] = json.loads(schemas()[kind].read_text("utf-8"))
    return found


def _forms(place: Any, schema: Mapping[str, Any], depth: int) -> Iterator[Mapping[str, Any]]:
    """A schema, and whatever else it says of the same thing."""
    if not isinstance(place, dict) or depth > DEEPEST:
        return
    yield place
    if isinstance(link := place.get("$ref"), str):
        yield from _forms(_named(link, schema), schema, depth + 1)
    for branch in BRANCHES:
        for each in place.get(branch, ()):
            yield from _forms(each, schema, depth + 1)
    for branch in ("then", "else"):
        yield from _forms(place.get(branch), schema, depth + 1)


def _named(link: str, schema: Mapping[str, Any]) -> Any:
    found: Any = schema
    for part in link.removeprefix("#").strip("/").split("/"):
        found = found.get(part) if part and isinstance(found, dict) else found
    return found


def _inside(place: Any, schema: Mapping[str, Any], key: str | None) -> Iterator[Any]:
    """What a schema says of the value of a key, or of the items of a list."""
    for form in _forms(place, schema, 0):
        if key is None:
            yield form.get("items")
        elif key in form.get("properties", {}):
            yield form["properties"][key]
        else:
            yield form.get("additionalProperties")


def _told(said: Any, schema: Mapping[str, Any]) -> str:
    titles = (form.get("description") or form.get("title") for form in _forms(said, schema, 0))
    return next((title for title in titles if title), "")
