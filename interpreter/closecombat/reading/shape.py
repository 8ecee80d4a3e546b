"""The structure of a file against its JSON Schema; the only user of the schema library.

A schema knows which keys stand where and what shape their values have. Names, types and sentences are judged
by the stages after it, whose faults at the same places say more.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any

from closecombat.reading.spellings import for_key
from closecombat.text.cache import keep, key_for, recalled
from closecombat.text.faults import MOST_FAULTS, Diagnostic, suggest
from closecombat.text.files import schemas
from closecombat.text.nodes import Listing, Node, Text
from closecombat.text.nodes import Mapping as MappingNode
from closecombat.text.source import Span

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import ValidationError

LONGEST_SHOWN = 40


def check_shape(document: Node, kind: str) -> list[Diagnostic]:
    """Whatever in a document is not as the schema of its kind says, in the order of the file.

    Scalars are text, as in the file; a value left out is null. The time is bounded by what `document` lets
    through, since no schema looks at a place more than a few times. What was found right is not looked at again.
    """
    plain = _plain(document)
    key = key_for(f"shape of a {kind}", (json.dumps(plain),))
    if recalled(key) is not None:
        return []
    found = list(islice(_validator(kind).iter_errors(plain), 2 * MOST_FAULTS))
    if not found:
        keep(key, "")
    faults = {(fault.code, fault.span): fault for error in found for fault in _faults(document, error)}
    return sorted(faults.values(), key=lambda fault: fault.span.start if fault.span else 0)


@lru_cache(maxsize=16)
def _validator(kind: str) -> Draft202012Validator:
    from jsonschema import Draft202012Validator

    return Draft202012Validator(json.loads(schemas()[kind].read_text("utf-8")))


def _plain(node: Node) -> Any:
    match node:
        case MappingNode(entries):
            return {key.value: _plain(value) for key, value in entries}
        case Listing(items):
            return [_plain(item) for item in items]
    return None if node.plain and not node.value else node.value


# ---- from the library's errors to faults -------------------------------------------------------------------


def _faults(document: Node, error: ValidationError) -> Iterator[Diagnostic]:
    node = _at(document, list(error.absolute_path))
    if "propertyNames" in error.absolute_schema_path and isinstance(node, MappingNode):
        entry = node.entry(str(error.instance))
        node = entry[0] if entry else node
    schema: Mapping[str, Any] = error.schema if isinstance(error.schema, dict) else {}
    what = _lower(str(schema.get("title", "this")))
    match error.validator:
        case "additionalProperties" if isinstance(node, MappingNode):
            yield from _unknown_keys(node, schema, what)
        case "required" if isinstance(node, MappingNode):
            for name in error.validator_value:
                if name not in node:
                    yield _fault("missing-key", f"{what} needs `{name}:`", node.span)
        case "type":
            empty = isinstance(node, Text) and node.plain and not node.value
            got = "nothing" if empty else _got(node)
            yield _fault("wrong-shape", f"{got} stands where {_wanted(schema, what)} should", node.span)
        case "enum":
            words = [str(word) for word in error.validator_value if isinstance(word, str)]
            shown = " or ".join(f"`{word}`" for word in words)
            yield _fault(
                "wrong-shape",
                f"{_shown(node)} is not {shown}",
                node.span,
                suggest(node.value if isinstance(node, Text) else "", words) or f"write {shown}",
            )
        case "pattern":
            yield _fault("wrong-shape", f"{_shown(node)} is not {what}", node.span, _advice(schema))
        case "minItems" | "minProperties":
            yield _fault("wrong-shape", f"{what} cannot be empty", node.span)
        case _:
            yield _fault("wrong-shape", f"{_shown(node)} is not {what}", node.span)


def _unknown_keys(node: MappingNode, schema: Mapping[str, Any], what: str) -> Iterator[Diagnostic]:
    known = schema.get("properties", {})
    for key, value in node.entries:
        if key.value not in known:
            text = value.value if isinstance(value, Text) else ""
            help = (
                for_key(key.value, known, text)
                or suggest(key.value, known)
                or "known here: " + ", ".join(sorted(known))
            )
            yield _fault("unknown-key", f"{what} has no `{_short(key.value)}:`", key.span, help)


def _at(document: Node, path: list[str | int]) -> Node:
    """The node that a path leads to."""
    node = document
    for step in path:
        if isinstance(node, MappingNode):
            found = node.get(str(step))
        else:
            found = node.items[int(step)] if isinstance(node, Listing) else None
        if found is None:
            break
        node = found
    return node


def _wanted(schema: Mapping[str, Any], what: str) -> str:
    """What a place wants, by its title, and the shape that is meant if the title does not say."""
    allowed = schema.get("type", ())
    types = [allowed] if isinstance(allowed, str) else list(allowed)
    if "object" in types and not {"string", "array"} & set(types):
        return f"{what}, written as `name: ..`,"
    return f"a list, {what}" if types == ["array"] and "list" not in what else what


def _got(node: Node) -> str:
    match node:
        case Text():
            return _shown(node)
        case Listing():
            return "a list"
    return "a line of braces"


def _shown(node: Node) -> str:
    return f"`{_short(node.value)}`" if isinstance(node, Text) else _got(node)


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_SHOWN else text[:LONGEST_SHOWN] + "…"


def _advice(schema: Mapping[str, Any]) -> str:
    return _lower(str(schema.get("description", "")).rstrip("."))


def _lower(text: str) -> str:
    """A title or description as a part of a message."""
    return text[:1].lower() + text[1:]


def _fault(code: str, message: str, span: Span, help: str = "") -> Diagnostic:
    return Diagnostic(code, "error", message, span, (), help)
